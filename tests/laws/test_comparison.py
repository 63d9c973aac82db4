"""Evaluations side by side: the scores of each, on the same classes, with the best marked and doubts said."""

import math
import os
import subprocess
import sys
from itertools import product

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.algebra.average import averages_over

rng = np.random.default_rng(7)
Y = rng.integers(0, 3, 60)
GUESSES = {name: np.where(rng.random(60) < share, Y, rng.integers(0, 3, 60)) for name, share in {"lr": 0.8, "tree": 0.5}.items()}
SITES = {"site": rng.integers(0, 2, 60)}
MEASURES = [*dict.fromkeys(ix.MEASURES.values())]
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
            assert [*map(repr, found[f"{a} {m}"])] == [*map(repr, expected)]


def test_the_best_is_marked_in_the_direction_of_the_measure(evaluations):
    for row in ix.compare(evaluations, MEASURES, AVERAGES).rows:
        known = [v for v in row.values if not math.isnan(v)]
        if row.better == "neither" or len(set(known)) < 2 or len({frozenset(v.lost) for v in row.values}) > 1:
            assert not any(row.best)
        else:
            assert [v for v, best in zip(row.values, row.best, strict=True) if best] == [
                max(known) if row.better == "higher" else min(known)
            ]


def test_defaults_are_those_of_the_table(evaluations):
    made, table = ix.compare(evaluations), evaluations["lr"].table()
    assert {row.name: row.values[0] for row in made.rows} == {
        f"{a} {m}": table[m, a] for m in table.measures for a in table.averages[:2]
    }


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
    assert made.notes == ["Undefined values are excluded: in macro f1."]
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
    assert str(made) == f"             lr    tree\nmacro f1  {lr}*  {tree}"
    assert made.markdown() == f"|  | lr | tree |\n| --- | ---: | ---: |\n| macro f1 | **{lr}** | {tree} |"
    assert repr(made) == "<Comparison: 1 scores of lr, tree>"


TRUE = list("aaaabbbbcc")
GOOD, LAZY = list("aaabbbbccb"), list("aaaabbbbab")  # the lazy one never predicts c
LEFT_OUT = (
    "macro precision: lazy leaves out class 'c', so the columns average over different classes; "
    "with undefined=0 the best is good."
)


def test_means_over_different_units_have_no_best():
    both = {"good": ix.evaluate(TRUE, GOOD), "lazy": ix.evaluate(TRUE, LAZY)}
    made = ix.compare(both, ["precision"], "macro")
    assert made.rows[0].values[1] > made.rows[0].values[0]
    assert made.rows[0].best == (False, False)
    assert made.doubts == (LEFT_OUT,)
    assert "*" not in str(made)
    assert LEFT_OUT in str(made)
    with_zero = ix.compare(both, ["precision"], "macro", undefined=0)
    assert (with_zero.rows[0].best, with_zero.doubts) == ((True, False), ())
    same = ix.compare({"a": both["lazy"], "b": ix.evaluate(TRUE, list("aaaabbbbbb"))}, "precision", "macro")
    assert (same.rows[0].best, same.doubts) == ((False, True), ())  # both leave out class c


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
        if math.isfinite(good) and math.isfinite(lazy) and good.lost != lazy.lost:
            assert not any(row.best), m
            assert row.name in doubt, m
            assert "different" in doubt, m
            assert not more, m
        else:
            assert doubt == "", m
            assert any(row.best) is (len({float(v) for v in row.values if math.isfinite(v)}) > 1), m


def test_groups_with_means_over_different_units_are_counted():
    by = {"site": [1, 2] * 5}
    made = ix.compare([ix.evaluate(TRUE, GOOD, by=by), ix.evaluate(TRUE, LAZY, by=by)], "precision", "macro", by="site")
    assert [any(row.best) for row in made.groups["site"]] == [False, False]
    assert made.doubts[-1].startswith(
        "In 2 of 2 rows of the groups of site, such as site 1: macro precision, the columns average"
    )


def test_examples_left_out_are_counted():
    y = [{1}, {1}, {2}]
    made = ix.compare([ix.evaluate(y, [{1}, {2}, {2}]), ix.evaluate(y, [{1}, set(), {2}])], "precision", "exemplar")
    assert made.rows[0].best == (False, False)
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
        (tmp_path / name).write_text(f"y,p\n{rows}\n")
    measures = ["f1", "error_rate", "exact_match", "precision"]
    options = ["--true", "y", "--pred", "p", *(x for m in measures for x in ("-m", m)), "-a", "macro", "-a", "micro"]
    more = ["--markdown"] if form == "markdown" else []
    command = [sys.executable, "-m", "indicatrix", "evaluate", *guesses, *options, *more]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, encoding="utf-8", env={**os.environ, "PYTHONIOENCODING": "utf-8"}
    )
    made = ix.compare({name: ix.evaluate(true, z) for name, z in guesses.items()}, measures, ["macro", "micro"])
    assert done.stdout.rstrip("\n") == (str(made) if form == "text" else made.markdown())


@pytest.mark.parametrize(
    "problem",
    [
        ([0, 1, 1], [0, 1, 0]),
        (list("abb"), list("abc")),
        ([{"a"}, {"a", "b"}, {"b"}], [{"a"}, {"b"}, {"b"}]),
    ],
    ids=["binary", "multiclass", "multilabel"],
)
def test_a_comparison_without_names_is_short_and_says_what_it_leaves_out(problem):
    ev = ix.evaluate(*problem, by={"site": ["x", "x", "y"]})
    both = ix.compare([ev, ev])
    assert len(both.rows) == 12
    shown, every = both.to_dict()["score"], ev.table()
    assert shown == [f"{a} {m}" for a in every.averages[:2] for m in every.measures]
    for average in every.averages[2:]:
        assert average in both.left_out[0]
        assert len(ix.compare([ev, ev], averages=average).rows) == 6
    assert both.left_out[0] in str(both)
    named = ix.compare([ev, ev], "f1")
    assert len(named.rows) == len(every.averages)
    assert named.left_out == ()


@pytest.mark.parametrize("alias", [alias for alias, m in ix.MEASURES.items() if alias != m.name])
def test_a_measure_is_shown_under_the_name_that_was_asked_for(alias):
    measure = ix.MEASURES[alias]
    average = measure.averages[0] if measure.averages else "macro"
    ev = ix.evaluate(list("aabbcb"), list("abbbcc"))
    asked, own = ev.score(alias, average), ev.score(measure.name, average)
    assert str(asked.measure).partition("(")[0] == alias
    assert asked.measure == own.measure
    assert asked == own or (asked != asked and own != own)
    assert ix.compare([ev], alias, average).rows[0].name.partition("(")[0] == f"{average} {alias}"
    table = ev.table([alias], [average])
    assert str(table).splitlines()[1].startswith(alias)
    assert table[alias, average] is table[measure.name, average]
