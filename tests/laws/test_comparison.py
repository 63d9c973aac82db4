"""Evaluations side by side: the scores of each, on the same classes, with marks that a test gives and doubts said."""

import math
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from commands import here
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.average import averages_over, score_name
from indicatrix.compare.row import mark_best

rng = np.random.default_rng(7)
Y = rng.integers(0, 3, 60)
GUESSES = {name: np.where(rng.random(60) < share, Y, rng.integers(0, 3, 60)) for name, share in {"lr": 0.8, "tree": 0.5}.items()}
SITES = {"site": rng.integers(0, 2, 60)}
MEASURES = [*dict.fromkeys(ix.algebra.MEASURES.values())]
AVERAGES = averages_over("class", "example")


@pytest.fixture(scope="module")
def evaluations():
    return {name: ix.evaluate(Y, z, by=SITES) for name, z in GUESSES.items()}


@pytest.mark.one_fast_case
@pytest.mark.parametrize("undefined", ["exclude", 0, "nan"])
def test_each_cell_is_the_score_of_its_evaluation(evaluations, undefined):
    made = ix.compare(evaluations, MEASURES, AVERAGES, undefined=undefined)
    found = {row.name: row.values for row in made.rows}
    for m, a in product(MEASURES, AVERAGES):
        if not m.averages or a in m.averages:
            expected = [ev.score(m, a, undefined=undefined) for ev in evaluations.values()]
            assert [*map(repr, found[score_name(m, a)])] == [*map(repr, expected)]


def test_who_is_ahead_follows_the_direction_of_the_measure(evaluations):
    for row in ix.compare(evaluations, MEASURES, AVERAGES).rows:
        known = [v for v in row.values if not math.isnan(v)]
        assert not any(row.best)  # nothing was tested
        if row.better == "neither" or len(set(known)) < 2 or len({frozenset(v.undefined_units) for v in row.values}) > 1:
            assert not any(row.ahead)
        else:
            assert [v for v, ahead in zip(row.values, row.ahead, strict=True) if ahead] == [
                max(known) if row.better == "higher" else min(known)
            ]


@pytest.mark.parametrize("share", [0.9, 0.72, 0.7])
def test_a_mark_needs_a_clear_difference_from_every_other(share):
    draw = np.random.default_rng(3)
    y = draw.integers(0, 3, 300)
    names = {"a": share, "b": 0.7, "c": 0.4}
    guesses = {name: np.where(draw.random(300) < right, y, (y + 1) % 3) for name, right in names.items()}
    made = ix.compare(y, guesses, ["accuracy", "f1", "error_rate", "prevalence"])
    for row in made.rows:
        clear = {frozenset((d.first, d.second)) for d in made.differences if d.score == row.name and d.clear}
        for name, best, ahead in zip(made.names, row.best, row.ahead, strict=True):
            others = [frozenset((name, other)) for other in names if other != name]
            assert best == (ahead and all(pair in clear for pair in others)), (row.name, name)
    marked = any(any(row.best) for row in made.rows)
    assert marked == (share == 0.9) == ("at the 5% level" in made.legend())
    assert ("*" in str(made)) == marked == ("**" in made.markdown())
    unknown = [replace(row, better=None) for row in made.rows]
    assert not any(any(row.ahead) for row in unknown)
    assert not any(any(row.best) for row in mark_best(unknown, made.names, made.differences))


@pytest.mark.parametrize(
    ("problem", "rows"),
    [
        (([0, 1, 1, 0], [0, 1, 0, 0]), ["accuracy", "binary f1", "macro f1", "binary mcc"]),
        ((list("abbc"), list("abcc")), ["accuracy", "macro f1", "multiclass_mcc"]),
        (([{"a"}, {"a", "b"}, {"b"}], [{"a"}, {"b"}, {"b"}]), ["exact_match", "macro f1", "macro mcc"]),
    ],
    ids=["binary", "multiclass", "multilabel"],
)
def test_few_scores_are_compared_if_none_is_named(problem, rows):
    y, guess = problem
    assert [row.name for row in ix.compare(y, {"a": guess, "b": y}).rows] == rows
    ev = ix.evaluate(y, guess)
    assert [row.name for row in ix.compare([ev, ev]).rows] == rows
    for row in ix.compare([ev, ev]).rows:
        measure, average = row.key
        assert float(row.values[0]) == float(ev.score(measure, average))
    assert [row.name for row in ix.compare([ev, ev], "f1").rows] == ["binary f1" if "binary f1" in rows else "macro f1"]


def test_scores_have_areas_and_losses_too():
    draw = np.random.default_rng(1)
    y = draw.integers(0, 2, 80)
    one, other = (np.clip(0.5 * y + 0.5 * draw.random(80), 0, 1) for _ in range(2))
    made = ix.compare(y, {"one": one, "other": other}, decide=0.5)
    found = {row.name: row.values for row in made.rows}
    assert [*found] == ["accuracy", "binary f1", "macro f1", "binary mcc", "binary auc", "brier"]
    assert [*map(float, found["brier"])] == [float(ix.brier(y, p)) for p in (one, other)]
    assert [*map(float, found["binary auc"])] == [float(ix.auc(y, p)) for p in (one, other)]
    columns = [np.c_[1 - p, p] for p in (one, other)]
    both = ix.compare(y, dict(zip(made.names, columns, strict=True)), "brier")
    assert [*map(float, both.rows[0].values)] == pytest.approx([*map(float, found["brier"])])
    logits = ix.compare(y, {"one": 10 * one, "other": 10 * other}, decide=5)
    assert [row.name for row in logits.rows][-1] == "binary auc"
    assert logits.notes[-1].startswith("The Brier score is not shown: ")


@pytest.mark.parametrize("loss", ["brier", "log_loss"])
def test_the_difference_of_two_losses_is_that_of_their_means(loss):
    draw = np.random.default_rng(2)
    y, weights = draw.integers(0, 3, 120), draw.integers(1, 4, 120).astype(float)
    P = {name: draw.dirichlet(np.ones(3), 120) * 0.5 + 0.5 * np.eye(3)[y] * share for name, share in (("a", 1), ("b", 0.8))}
    P = {name: p / p.sum(axis=1, keepdims=True) for name, p in P.items()}
    (d,) = ix.compare(y, P, loss, sample_weight=weights, classes=range(3)).differences
    one, other = (
        getattr(ix.measures, loss)(y, P[name], average="exemplar", classes=range(3)).values for name in (d.first, d.second)
    )
    apart, shares = np.asarray(one) - np.asarray(other), weights / weights.sum()
    spread = np.sqrt(((shares * (apart - shares @ apart)) ** 2).sum())
    assert d.value == pytest.approx(shares @ apart)
    wider = (d.high - d.low) / 2 / (1.959963984540054 * spread)
    assert 1 < wider < 1 + 1e-4  # the pseudo-example makes it wider, and 120 examples that differ show how far apart they are
    (usual,) = ix.compare(y, P, loss, classes=range(3)).differences
    for method in ("bootstrap", "posterior", "permutation"):
        (again,) = ix.compare(y, P, loss, method=method, classes=range(3)).differences
        p = 2 * min(again.probability, 1 - again.probability) if method == "posterior" else again.p
        assert p == pytest.approx(usual.p, abs=0.02), method
        assert math.isnan(again.p) == (method == "posterior")


def test_each_pair_has_one_sentence():
    draw = np.random.default_rng(5)
    y = draw.integers(0, 3, 200)
    guesses = {str(k): np.where(draw.random(200) < 0.5 + 0.05 * k, y, (y + 1) % 3) for k in range(6)}
    made = ix.compare(y, dict(list(guesses.items())[:4]))
    assert len(made.differences) == 3 * 6
    assert len(made.sentences) == 6 + 1  # and one on the correction
    few = ix.compare(y, guesses)
    assert len(few.sentences) == 10 + 1 + 1
    assert few.sentences[10].startswith("5 more pairs are not shown")
    for one, other in combinations("0123", 2):
        either = (
            f"{one} is better than {other}",
            f"{other} is better than {one}",
            f"{one} and {other} do",
            f"{other} and {one} do",
        )
        assert sum(sentence.startswith(either) for sentence in made.sentences) == 1


def test_a_list_is_numbered(evaluations):
    made = ix.compare([*evaluations.values()], "f1", "samples")
    assert made.names == ("1", "2")
    assert [row.name for row in made.rows] == ["exemplar f1"]
    assert made.rows[0].values == ix.compare(evaluations, "f1", ["exemplar"]).rows[0].values


def test_data_frames_hold_the_values(evaluations):
    made = ix.compare(evaluations, ["f1", "multiclass_mcc"], ["macro", ("site", "macro")], by="site")
    columns = made.to_dict()
    names = ["macro f1", "site macro f1", "multiclass_mcc"]
    assert columns["score"][:3] == names
    assert columns["score"][3:6] == ["site 0: macro f1", "site 0: multiclass_mcc", "site 1: macro f1"]
    assert columns["lr"][0] == evaluations["lr"].score("f1", "macro")
    assert columns["tree"][3] == evaluations["tree"].split("site")[0].score("f1", "macro")
    assert made.to_pandas().to_dict("list") == columns == made.to_polars().to_dict(as_series=False)
    assert "score" not in ix.compare({"score": evaluations["lr"]}).to_dict()["score_"]


def test_classes_are_aligned():
    one, other = ix.evaluate(list("aabb"), list("abbb")), ix.evaluate(list("aabb"), list("acbb"))
    made = ix.compare({"one": one, "other": other}, ["f1", "specificity"], ["macro"])
    alone = ix.evaluate(list("aabb"), list("abbb"), classes=list("abc"))
    assert made.rows[0].values[0] == alone.score("f1", "macro")
    assert made.rows[1].values[0] == alone.score("specificity", "macro")
    assert made.notes == ["Undefined values are excluded (as 0: counted as 0): in macro f1."]
    numbers = ix.evaluate([0, 1, 0, 1], [0, 1, 1, 1])
    with pytest.raises(ValueError, match=r"labels of different types and cannot be compared \(texts: text, numbers: number\)\."):
        ix.compare({"texts": one, "nothing": ix.evaluate([], []), "numbers": numbers})


def test_doubts_are_said():
    ev = ix.evaluate(list("aabb"), list("abbb"))
    assert ix.compare([ev, ev]).doubts == ()
    assert ix.compare([ev, ev + ev]).doubts == (
        "The evaluations have different numbers of examples: 4, 8. Compare them with care.",
    )
    (doubt,) = ix.compare([ev, ix.evaluate(list("abbb"), list("abbb"))]).doubts
    assert "not about the same examples" in doubt
    masked = ix.evaluate(list("aabb"), list("abbb"), mask=[1, 1, 1, 0])
    assert "Nothing was observed of 1 of 4 examples of masked." in ix.compare({"ev": ev, "masked": masked}).doubts
    costly = ix.evaluate(list("aabb"), list("abbb"), cost=[[0, 1], [2, 0]])
    assert any("count different things" in doubt for doubt in ix.compare([ev, costly], "f1", "micro").doubts)
    named = [ix.evaluate(list("aabb"), list("abbb"), positive=c) for c in "ab"]
    assert "The evaluations have different positive classes: 'a', 'b'." in ix.compare(named, "f1").doubts


def test_text_and_markdown(evaluations):
    made = ix.compare(evaluations, "f1", "macro")
    lr, tree = (f"{float(v):.3f}" for v in made.rows[0].values)
    key = "the differences were not tested. level=0.95 tests them."
    assert str(made) == f"             lr   tree\nmacro f1  {lr}  {tree}\n\nNo star: {key}"
    assert made.markdown() == f"|  | lr | tree |\n| --- | ---: | ---: |\n| macro f1 | {lr} | {tree} |\n\nNo bold: {key}"
    assert repr(made) == "<Comparison: 1 score of lr, tree>"


TRUE = list("aaaabbbbcc")
GOOD, LAZY = list("aaabbbbccb"), list("aaaabbbbab")  # the lazy one never predicts c
LEFT_OUT = (
    "macro precision: lazy leaves out class 'c', so the columns average over different classes; with undefined=0 good is ahead."
)


def test_of_means_over_different_units_none_is_ahead():
    both = {"good": ix.evaluate(TRUE, GOOD), "lazy": ix.evaluate(TRUE, LAZY)}
    made = ix.compare(both, ["precision"], "macro")
    assert made.rows[0].values[1] > made.rows[0].values[0]
    assert made.rows[0].ahead == (False, False)
    assert made.doubts == (LEFT_OUT,)
    good, lazy = made.rows[0].values
    assert f"{good:.3f}  {lazy:.3f} (as 0: {lazy.under(0):.3f})" in str(made)
    assert LEFT_OUT in str(made)
    with_zero = ix.compare(both, ["precision"], "macro", undefined=0)
    assert (with_zero.rows[0].ahead, with_zero.doubts) == ((True, False), ())
    same = ix.compare({"a": both["lazy"], "b": ix.evaluate(TRUE, list("aaaabbbbbb"))}, "precision", "macro")
    assert (same.rows[0].ahead, same.doubts) == ((False, True), ())  # both leave out class c


@pytest.mark.one_fast_case
@pytest.mark.parametrize("average", ["macro", "weighted", ("site", "macro")])
def test_each_mean_that_leaves_out_units_is_doubted(average):
    by = {"site": [1, 2] * 5}
    both = {"good": ix.evaluate(TRUE, GOOD, by=by), "lazy": ix.evaluate(TRUE, LAZY, by=by)}
    for m in MEASURES:
        if m.averages or m.better == "neither":
            continue
        made = ix.compare(both, m, [average])
        (row,), (doubt, *more) = made.rows, made.doubts or ("",)
        good, lazy = row.values
        if math.isfinite(good) and math.isfinite(lazy) and good.undefined_units != lazy.undefined_units:
            assert not any(row.ahead), m
            assert row.name in doubt, m
            assert "different" in doubt, m
            assert not more, m
        else:
            assert doubt == "", m
            assert any(row.ahead) is (len({float(v) for v in row.values if math.isfinite(v)}) > 1), m


def test_groups_with_means_over_different_units_are_counted():
    by = {"site": [1, 2] * 5}
    made = ix.compare([ix.evaluate(TRUE, GOOD, by=by), ix.evaluate(TRUE, LAZY, by=by)], "precision", "macro", by="site")
    assert [any(row.ahead) for row in made.groups["site"]] == [False, False]
    assert made.doubts[-1].startswith(
        "In 2 of 2 rows of the groups of site, such as site 1: macro precision, the columns average"
    )


def test_examples_left_out_are_counted():
    y = [{1}, {1}, {2}]
    made = ix.compare([ix.evaluate(y, [{1}, {2}, {2}]), ix.evaluate(y, [{1}, set(), {2}])], "precision", "exemplar")
    assert made.rows[0].ahead == (False, False)
    assert "2 leaves out 1 of 3 examples" in made.doubts[0]


@pytest.mark.parametrize("wrong", [{}, [], {1: "x", "1": "y"}])
def test_what_cannot_be_compared(wrong):
    with pytest.raises((ValueError, TypeError), match=r"compare\(\) (needs|takes)"):
        ix.compare(wrong)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ((list("ab"), list("ab")), "but item 1 is text. Evaluate first"),
        (([0, 1], [0, 1]), "but item 1 is a number. Evaluate first"),
        ((np.array([0, 1]), np.array([0, 1])), "but item 1 is a number. Evaluate first"),
        (("x",), "but this is text"),
        (({"lr": [0, 1]},), "but 'lr' is a list"),
        ((5,), "but this is a number"),
        ((None,), "but this is None"),
    ],
)
def test_what_is_not_an_evaluation_is_named_in_plain_words(wrong, words):
    with pytest.raises(TypeError) as error:
        ix.compare(*wrong)
    assert words in str(error.value)


def test_two_evaluations_belong_in_a_list(evaluations):
    with pytest.raises(TypeError, match=r"put them in a list, ix.compare\(\[ev1, ev2\]\)"):
        ix.compare(*evaluations.values())


@pytest.mark.parametrize("wrong", [{}, []])
def test_nothing_to_compare(wrong):
    with pytest.raises(ValueError, match=r"^compare\(\) needs at least one evaluation\.$"):
        ix.compare(wrong)


def test_the_same_name_twice_is_refused(evaluations):
    with pytest.raises(ValueError, match="every name only once"):
        ix.compare({1: evaluations["lr"], "1": evaluations["tree"]})


@pytest.mark.parametrize("form", ["text", "markdown"])
@pytest.mark.parametrize("labels", [(Y.tolist(), GUESSES), (TRUE, {"good": GOOD, "lazy": LAZY})])
@pytest.mark.slow
def test_the_command_line_prints_the_same(tmp_path, labels, form):
    true, guesses = labels
    for name, z in guesses.items():
        rows = "\n".join(f"{y},{p}" for y, p in zip(true, z, strict=True))
        (tmp_path / name).write_text(f"y,p\n{rows}\n", "utf-8")
    measures = ["f1", "error_rate", "exact_match", "precision"]
    options = ["--true", "y", "--pred", "p", *(x for m in measures for x in ("-m", m)), "-a", "macro", "-a", "micro"]
    more = ["--markdown"] if form == "markdown" else []
    done = here("evaluate", *guesses, *options, *more, cwd=tmp_path)
    made = ix.compare({name: ix.evaluate(true, z) for name, z in guesses.items()}, measures, ["macro", "micro"])
    expected = (str(made) if form == "text" else made.markdown()).replace("level=0.95 tests", "indicatrix compare tests")
    assert done.stdout.rstrip("\n") == expected.replace("No bold", "No star")


@for_each("alias", [alias for alias, m in ix.algebra.MEASURES.items() if alias != m.name])
def test_a_measure_is_shown_under_the_name_that_was_asked_for(alias):
    measure = ix.algebra.MEASURES[alias]
    average = measure.averages[0] if measure.averages else "macro"
    ev = ix.evaluate(list("aabbcb"), list("abbbcc"))
    asked, own = ev.score(alias, average), ev.score(measure.name, average)
    assert str(asked.measure).partition("(")[0] == alias
    assert asked.measure == own.measure
    assert asked == own or (asked != asked and own != own)
    shown = alias if measure.averages else f"{average} {alias}"
    assert ix.compare([ev], alias, average).rows[0].name.partition("(")[0] == shown
    table = ev.table([alias], [average])
    assert str(table).splitlines()[1].startswith(alias)
    assert table[alias, average] is table[measure.name, average]
