"""Bootstrap replicates of the counts: literal weights, any split and order of rows, files, and the intervals that they give."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix
from indicatrix.inference.estimators.of_source import replicates_of
from indicatrix.tally.counting import counting
from indicatrix.tally.saved.saved_tally import from_json, to_json
from indicatrix.tally.states.replicates import TIMES, Replicated, Sums, weights_of

N, M, B = 120, 5, 30
RNG = np.random.default_rng(14)
TRUE = RNG.random((N, M)) < 0.4
PRED = TRUE ^ (RNG.random((N, M)) < np.where(RNG.random((N, 1)) < 0.3, 0.4, 0.1))
SOFT = RNG.random((2, N, M))
SEEN = RNG.random((N, M)) < 0.8
SEEN[:4] = False
SITES = RNG.integers(0, 3, N)
CODES = RNG.integers(0, 4, (2, N))
CODES[1] = np.where(RNG.random(N) < 0.7, CODES[0], CODES[1])
COST = [[0, 1, 2, 3], [1, 0, 1, 2], [4, 2, 0, 1], [900, 3, 1, 0]]
KINK = ix.measure("min(tp / (tp + fp), tp / (tp + fn))")
ODDS = "diagnostic_odds_ratio"


def sets(matrix: np.ndarray) -> list[set[int]]:
    return [set(np.flatnonzero(row).tolist()) for row in matrix]


PROBLEMS: dict[str, tuple[tuple[Any, Any], dict[str, Any]]] = {
    "dense": ((TRUE, PRED), {}),
    "masked": ((TRUE, PRED), {"mask": SEEN}),
    "masked rows": ((TRUE, PRED), {"mask": SEEN[:, 0]}),
    "grouped": ((TRUE, PRED), {"by": {"site": SITES}}),
    "soft": ((SOFT[0], SOFT[1]), {"tnorm": "godel"}),
    "soft, masked": ((SOFT[0], SOFT[1]), {"tnorm": "product", "mask": SEEN}),
    "codes": ((CODES[0], CODES[1]), {"classes": range(4)}),
    "ordinal": ((CODES[0], CODES[1]), {"classes": range(4), "ordinal": "cumulative"}),
    "cost": ((CODES[0], CODES[1]), {"classes": range(4), "cost": COST}),
    "missing": ((np.where(SITES == 0, None, CODES[0]), CODES[1]), {"classes": range(4), "missing": "mask"}),
}
ROUNDED = ("soft", "soft, masked", "cost")


def part_of(name: str, rows: np.ndarray, asked: Any) -> ix.Evaluation:
    sides, options = PROBLEMS[name]
    own = {
        key: {axis: ids[rows] for axis, ids in value.items()} if key == "by" else value[rows]
        for key, value in options.items()
        if key in ("by", "mask")
    }
    return ix.evaluate(*(side[rows] for side in sides), **{**options, **own}, replicates=asked)


def kept(ev: ix.Evaluation) -> Replicated:
    assert isinstance(ev.tally.replicates, Replicated)
    return ev.tally.replicates


def same_sums(one: Sums, other: Sums) -> bool:
    unit = min(one.unit, other.unit)
    one, other = one.in_units(unit), other.in_units(unit)
    return np.array_equal(one.cells, other.cells) and np.array_equal(one.examples, other.examples) and one.n == other.n


def same(one: ix.Evaluation, other: ix.Evaluation) -> bool:
    a, b = kept(one), kept(other)
    if (a.declined is None) != (b.declined is None) or len(a.declined or ()) != len(b.declined or ()) or a.rows != b.rows:
        return False
    pairs = [(a.whole, b.whole), *zip(a.declined or (), b.declined or (), strict=True)]
    return all(same_sums(x, y) for x, y in pairs)


# The weights.


def test_the_weights_have_the_mean_and_variance_of_a_poisson_distribution() -> None:
    k, share = np.arange(len(TIMES)), np.array(TIMES) / 65536
    assert (share.sum(), share @ k, share @ (k - 1) ** 2) == (1, 1, 1)
    poisson = np.exp(-1) / np.cumprod([1, *k[1:]])
    assert np.abs(share - poisson).max() < 2e-5


def test_weights_depend_on_seed_row_and_replicate_alone() -> None:
    whole = weights_of(np.arange(1000), 41, 3)
    assert (whole[[700, 2], :7] == weights_of(np.array([700, 2]), 7, 3)).all()
    others = [weights_of(np.arange(1000), 41, seed) for seed in (0, 4, 2**64 - 1)]
    assert all((whole != other).mean() > 0.6 for other in others)
    assert len({row.tobytes() for row in whole}) == 1000  # rows have their own weights
    assert len({column.tobytes() for column in whole.T}) == 41  # and replicates theirs


def test_weights_are_not_correlated() -> None:
    w = weights_of(np.arange(20_000), 24, 0).astype(float)
    assert abs(w.mean() - 1) < 0.005
    assert abs(w.var() - 1) < 0.01
    assert (np.abs(np.corrcoef(w.T) - np.eye(24)) < 0.04).all()
    for lag in (1, 2, 64):
        assert abs(np.corrcoef(w[:-lag].ravel(), w[lag:].ravel())[0, 1]) < 0.006


# The counts.


@pytest.mark.parametrize("name", PROBLEMS)
def test_replicates_are_the_counts_of_literally_repeated_rows(name: str) -> None:
    """A bootstrap over rows, done literally: each row is there as often as its weight says."""
    asked = ix.types.Replicates(B, seed=5, first_row=1000)
    sums = kept(part_of(name, np.arange(N), asked)).whole
    assert sums.cells.dtype == np.int64
    weights = weights_of(1000 + np.arange(N), B, 5).astype(int)
    for b in range(0, B, 7):
        rows = np.repeat(np.arange(N), weights[:, b])
        counts = part_of(name, rows, None).aggregate("class")
        expected = np.array([np.asarray(x, float) for x in counts])
        if name in ROUNDED:
            np.testing.assert_allclose(sums.counts()[:, b], expected, rtol=1e-6, atol=900 * N * 2.0**-20)
        else:
            assert (sums.counts()[:, b] == expected).all()


@pytest.mark.parametrize("name", PROBLEMS)
@examples(5)
@given(data=st.data())
def test_any_split_and_order_of_batches_gives_the_same_replicates(name: str, data: st.DataObject) -> None:
    cuts = [0, *sorted(data.draw(st.lists(st.integers(0, N), max_size=3))), N]
    ends = data.draw(st.permutations(list(pairwise(cuts))))
    parts = [part_of(name, np.arange(a, b), ix.types.Replicates(B, 7, first_row=a)) for a, b in ends]
    whole = part_of(name, np.arange(N), ix.types.Replicates(B, 7))
    merged = parts[0]
    for part in parts[1:]:
        merged = part + merged
    assert same(merged, whole)
    assert kept(merged).rows == ((7, 0, N),)
    for average in ("micro", "macro"):
        assert merged.interval(KINK, average) == whole.interval(KINK, average)


@pytest.mark.parametrize("name", PROBLEMS)
def test_files_keep_replicates(name: str, tmp_path: Path) -> None:
    ev = part_of(name, np.arange(N), B)
    ev.save(tmp_path / "state.json")
    loaded = ix.load(tmp_path / "state.json")
    assert same(loaded, ev)
    assert loaded.interval("f1", "macro", method="replicates") == ev.interval("f1", "macro", method="replicates")
    more = part_of(name, np.arange(N), ix.types.Replicates(B, first_row=N))
    assert same(loaded + more, ev + more)


def test_every_way_to_count_gives_the_same_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    true, pred = (RNG.random((N, 300)) < 0.02 for _ in range(2))
    forms: list[Callable[[np.ndarray], Any]] = [lambda x: x, scipy.sparse.csr_matrix, sets]
    ev = ix.evaluate(true, pred, classes=range(300), replicates=B)
    for worth in (0, 10**9):
        monkeypatch.setattr(counting, "WORTH_LISTING", worth)
        monkeypatch.setattr(counting, "NUMBERS", 64)  # several blocks
        for form in forms:
            assert same(ix.evaluate(form(true), form(pred), classes=range(300), replicates=B), ev)
    monkeypatch.undo()
    some = ix.evaluate(CODES[0], CODES[1], replicates=B)
    monkeypatch.setattr(counting, "WORTH_LISTING", 0)
    assert same(ix.evaluate(CODES[0], CODES[1], replicates=B), some)


def test_classes_that_merge_are_put_in_place() -> None:
    y, z = [{0, 1}, {1}, set(), {2, 0}, {3}], [{0}, {1}, {1}, {2}, {3, 0}]
    first, rest = (
        ix.evaluate(y[:3], z[:3], replicates=B),
        ix.evaluate(y[3:], z[3:], replicates=ix.types.Replicates(B, first_row=3)),
    )
    whole = ix.evaluate(y, z, replicates=B)
    assert same(first + rest, whole)
    assert same(rest + first, whole)
    soft = ix.evaluate(*SOFT, tnorm="godel", replicates=B)
    wide = replace(soft, tally=soft.tally.widen((*range(M), 7)))
    assert (kept(wide).whole.counts()[3, :, -1] == kept(wide).whole.examples).all()
    assert same_sums(kept(wide.only(list(range(M)))).whole, kept(soft).whole)


def test_the_order_of_classes_changes_nothing() -> None:
    order = [3, 1, 4, 0, 2]
    one, other = (ix.evaluate(TRUE[:, c], PRED[:, c], classes=c, replicates=B) for c in (list(range(M)), order))
    assert (kept(one).whole.cells[:, :, order] == kept(other).whole.cells).all()
    assert tuple(one.interval(KINK, "macro")) == pytest.approx(tuple(other.interval(KINK, "macro")), abs=0.02)
    names = "edcba"
    named = [[{names[c] for c in row} for row in sets(side)] for side in (TRUE, PRED)]
    other = ix.evaluate(*named, replicates=B)
    assert (kept(other).whole.cells[:, :, ::-1] == kept(one).whole.cells).all()


def test_only_some_classes_have_the_replicates_of_these_columns() -> None:
    part, alone = (
        ix.evaluate(TRUE, PRED, replicates=B).only([3, 1]),
        ix.evaluate(TRUE[:, [3, 1]], PRED[:, [3, 1]], classes=[3, 1], replicates=B),
    )
    assert same_sums(kept(part).whole, kept(alone).whole)
    assert tuple(part.interval(KINK, "macro")) == tuple(alone.interval(KINK, "macro"))
    assert kept(part).declined is None


@pytest.mark.parametrize("codes", [False, True], ids=["matrices", "codes"])
def test_examples_without_an_answer_can_be_left_out(codes: bool, tmp_path: Path) -> None:
    answers = RNG.random(N) < 0.8
    true, pred = (CODES[0], np.where(answers, CODES[1], None)) if codes else (TRUE, PRED & answers[:, None])
    options: dict[str, Any] = {"missing": "abstain", "classes": range(4)} if codes else {}
    ev = ix.evaluate(true, pred, replicates=B, **options)
    ev.save(tmp_path / "state.json")
    here = answers if codes else pred.any(axis=1)
    weights = weights_of(np.arange(N), B, 0).astype(int)
    for one in (ev, ix.load(tmp_path / "state.json")):
        left = kept(one.answered())
        assert left.whole.n == here.sum()
        assert (left.whole.examples == weights[here].sum(axis=0)).all()
        for b in (0, B - 1):
            rows = np.repeat(np.flatnonzero(here), weights[here, b])
            alone = ix.evaluate(true[rows], pred[rows], **options)
            assert (left.whole.cells[:, b] == np.array([*alone.aggregate("class")])).all()
        assert same(one.answered().answered(), one.answered())
    halves = [
        ix.evaluate(true[s], pred[s], replicates=ix.types.Replicates(B, first_row=s.start), **options)
        for s in (slice(0, 50), slice(50, N))
    ]
    assert same((halves[0] + halves[1]).answered(), ev.answered())


def test_replicates_change_no_count_and_no_score() -> None:
    for name in PROBLEMS:
        with_them, without = part_of(name, np.arange(N), B), part_of(name, np.arange(N), None)
        assert with_them == without
        assert with_them.score("f1", "macro") == without.score("f1", "macro")
        assert with_them.interval("f1", "macro") == without.interval("f1", "macro")  # moments come first, where they answer


# Adding.


def test_rows_that_two_evaluations_have_are_refused() -> None:
    ev = ix.evaluate(TRUE, PRED, replicates=B)
    for first in (0, 5, N - 1):
        with pytest.raises(ValueError, match=rf"both have row {first} of seed 0.*first_row={N}\), or give each its own seed="):
            ev + ix.evaluate(TRUE, PRED, replicates=ix.types.Replicates(B, first_row=first))
    assert kept(ev + ix.evaluate(TRUE, PRED, replicates=ix.types.Replicates(B, first_row=N))).rows == ((0, 0, 2 * N),)
    assert kept(ev + ix.evaluate(TRUE, PRED, replicates=ix.types.Replicates(B, first_row=500))).rows == (
        (0, 0, N),
        (0, 500, 500 + N),
    )
    assert kept(ev + ix.evaluate(TRUE, PRED, replicates=ix.types.Replicates(B, seed=1))).rows == ((0, 0, N), (1, 0, N))
    nothing = ix.evaluate(TRUE[:0], PRED[:0], classes=range(M), replicates=ix.types.Replicates(B, first_row=3))
    assert same(ev + nothing, ev)


def test_fewer_replicates_of_one_leave_the_first_of_both() -> None:
    few, more = (ix.evaluate(TRUE[:50], PRED[:50], replicates=b) for b in (10, B))
    rest = ix.evaluate(TRUE[50:], PRED[50:], replicates=ix.types.Replicates(B, first_row=50))
    assert (kept(few).whole.cells == kept(more).whole.cells[:, :10]).all()
    for one in (few + rest, rest + few):
        assert same(one, ix.evaluate(TRUE, PRED, replicates=10))


def test_evaluations_without_replicates_lose_those_of_others() -> None:
    ev = ix.evaluate(TRUE, PRED, replicates=B) + ix.evaluate(TRUE, PRED)
    with pytest.raises(ValueError, match="one of the evaluations that were added did not keep them"):
        ev.interval("f1", "macro", method="replicates")
    assert ev.interval("f1", "macro").method == "score"


# Intervals.


def test_scores_that_moments_do_not_cover_have_an_interval_from_replicates() -> None:
    ev = ix.evaluate(TRUE, PRED, replicates=200)
    for measure, average in ((KINK, "macro"), (KINK, "micro"), (KINK, "weighted"), ("overlap", "macro")):
        found = ev.interval(measure, average)
        assert found.method == "replicates"
        assert found.low < found.value < found.high
        assert ev.interval(measure, average, level=0.5).width < found.width
    assert ev.interval("f1", "macro").method == "score"
    assert ev.interval(ODDS, "macro").method == "delta"  # of 120 examples it holds in 97% of samples, and replicates in 80%
    bare = ix.evaluate(TRUE, PRED, replicates=200, moments=False)
    assert bare.interval("f1", "macro").method == "replicates"
    assert bare.table(["f1"], ["macro"], interval=True) is not None


@cache
def many_rows(name: str) -> ix.Evaluation:
    return part_of(name, np.tile(np.arange(N), 20), 2000)


@for_each("name", ["dense", "masked", "soft", "codes", "cost", "ordinal"])
@for_each("average", ["micro", "macro", "weighted", "denominator"])
@pytest.mark.one_fast_case
def test_replicates_agree_with_the_score_interval_of_smooth_measures(name: str, average: str) -> None:
    """For many examples both have the same variance; 2,000 replicates know it to two percent."""
    ev = many_rows(name)
    for measure in ("f1", "jaccard"):
        one, other = ev.interval(measure, average), ev.interval(measure, average, method="replicates")
        assert one.method in ("score", "mid_p")
        assert other.method == "replicates"
        assert other.width == pytest.approx(one.width, rel=0.1)
        assert other.low == pytest.approx(one.low, abs=0.1 * one.width)


def test_replicates_of_one_class_and_of_targets() -> None:
    one = ix.evaluate(np.tile(TRUE[:, 0], 20), np.tile(PRED[:, 0], 20), replicates=1000)
    assert one.interval("f1", method="replicates").width == pytest.approx(one.interval("f1").width, rel=0.1)
    sides = [{"a": np.tile(x[0], 5), "b": np.tile(x[1], 5)} for x in (CODES, CODES[::-1])]
    ev = ix.evaluate(*sides, targets=True, replicates=1000)
    found, expected = ev.interval("f1", "target", method="replicates"), ev.interval("f1", "target")
    assert found.width == pytest.approx(expected.width, rel=0.12)


def test_the_width_follows_the_literal_bootstrap() -> None:
    """The spread is that of scores of rows that were literally repeated, with the same weights."""
    ev = ix.evaluate(np.tile(TRUE, (10, 1)), np.tile(PRED, (10, 1)), replicates=ix.types.Replicates(100, seed=4))
    weights = weights_of(np.arange(10 * N), 100, 4).astype(int)
    literal = []
    for b in range(100):
        rows = np.repeat(np.tile(np.arange(N), 10), weights[:, b])
        literal.append(float(ix.evaluate(TRUE[rows], PRED[rows], classes=range(M), moments=False).score(KINK, "macro")))
    found = ev.interval(KINK, "macro")
    bias = 2 * (np.mean(literal) - found.value)
    assert found.width == pytest.approx(2 * 1.984 * np.sqrt(np.var(literal, ddof=1) + bias**2), rel=0.03)


def test_seeds_give_other_replicates_and_similar_intervals() -> None:
    found = [ix.evaluate(TRUE, PRED, replicates=ix.types.Replicates(500, seed=k)).interval(KINK, "macro") for k in (1, 2, 1)]
    assert found[0] == found[2]
    assert found[0] != found[1]
    assert found[1].width == pytest.approx(found[0].width, rel=0.2)


def test_a_perfect_score_is_not_certain() -> None:
    for average in ("micro", "macro"):
        perfect = ix.evaluate(TRUE, TRUE, replicates=200).interval(KINK, average)
        assert perfect.low < 0.999
        assert perfect.high == 1


@pytest.mark.slow
def test_a_kinked_macro_average_is_covered() -> None:
    """Precision and recall of every label tie, which is hardest; a plain percentile interval covers two thirds of samples."""
    rng = np.random.default_rng(3)
    true = rng.random((20_000, 4)) < 0.4
    wrong = rng.random((20_000, 4)) < np.where(true, 0.15, 0.1)  # as many missed as invented
    pred = true ^ wrong
    truth = float(ix.evaluate(true, pred).score(KINK, "macro"))
    hits = percentile = 0
    for k in range(100):
        rows = rng.integers(0, len(true), 200)
        ev = ix.evaluate(true[rows], pred[rows], classes=range(4), replicates=ix.types.Replicates(100, seed=k), moments=False)
        hits += truth in ev.interval(KINK, "macro")
        drawn = np.moveaxis(kept(ev).whole.cells, 1, 0).astype(float)
        tp, fp, fn, _ = np.moveaxis(drawn, 1, 0)
        scores = np.minimum(tp / (tp + fp), tp / (tp + fn)).mean(axis=-1)
        low, high = np.quantile(scores, (0.025, 0.975))
        percentile += low <= truth <= high
    assert hits >= 92
    assert percentile < 85


def test_replicates_count_as_many_examples_as_the_sample() -> None:
    """Otherwise a measure that changes with the number of examples would look unsure because of that number."""
    size = ix.measure("tp + fp + fn + tn")
    found = ix.evaluate(TRUE, PRED, replicates=200).interval(size, "micro", method="replicates")
    assert found.value == N * M
    assert found.width < M + 1  # of the pseudo-example


def test_power_takes_the_width_from_replicates() -> None:
    ev = ix.evaluate(TRUE, PRED, replicates=200)
    now = ev.interval(KINK, "macro").width
    assert ix.power(ev, KINK, "macro", width=now / 2).n == pytest.approx(4 * N, abs=1)


@pytest.mark.slow
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_every_measure_of_several_labels_has_an_interval(average: str) -> None:
    """Also those that second moments do not cover; the default is "replicates" exactly there."""
    with_them, without = ix.evaluate(TRUE, PRED, replicates=100), ix.evaluate(TRUE, PRED)
    needed = 0
    for measure in dict.fromkeys(ix.algebra.MEASURES.values()):
        if measure.averages and average not in measure.averages:
            continue
        found = with_them.interval(measure, average)
        try:
            expected = without.interval(measure, average)
        except ValueError:
            needed += 1
            assert found.method == "replicates"
        else:
            assert found.method == expected.method
        if np.isfinite(found.value):
            forced = with_them.interval(measure, average, method="replicates")
            for one in (found, forced):
                assert measure.range[0] <= one.low <= one.high <= measure.range[1], measure
    assert needed > 5


# Refusals.

BY = ix.evaluate(TRUE, PRED, by={"site": SITES}, replicates=B)
EV = ix.evaluate(TRUE, PRED, replicates=B)
MULTI = ix.evaluate(CODES[0], CODES[1], replicates=B)
REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: ix.evaluate(TRUE, PRED).interval(KINK, "macro"), "evaluate the examples with replicates=200, or use average="),
    (lambda: ix.evaluate(TRUE, PRED, moments=False).interval("f1", "macro"), "or evaluate with replicates=200"),
    (lambda: EV.interval("f1", "macro", method="bca"), "use method='replicates'"),
    (lambda: BY.interval(KINK, ("site", "macro")), "each site alone with replicates=200 .they were kept for all groups together"),
    (lambda: BY.split("site")[0].interval(KINK, "macro"), "they were kept for all groups together and not for each"),
    (lambda: BY.split("site")[0].interval("f1", "macro", method="replicates"), "for all groups together and not for each"),
    (lambda: BY.interval("f1", ("site", "macro"), method="replicates"), "not for each site; leave method= out"),
    (lambda: BY.interval("f1", "macro", method="replicates", clusters="site"), "drawn one by one. Leave clusters= out"),
    (lambda: EV.interval("f1", "macro", method="replicates", stratified=True), "drawn one by one. Leave stratified= out"),
    (lambda: EV.interval("f1", "exemplar", method="replicates"), "a mean over examples has its interval from the values"),
    (lambda: MULTI.interval("multiclass_mcc", method="replicates"), "reads the whole confusion matrix"),
    (lambda: ix.evaluate(TRUE, PRED).interval("f1", "macro", method="replicates"), "they were not kept; evaluate the examples"),
    (lambda: MULTI.with_priors([0.25] * 4).interval("f1", "macro", method="replicates"), "when the counts were changed"),
    (
        lambda: ix.inference.interval(ix.sweep([0, 1], [0.1, 0.9]), "auc", method="replicates"),
        "is for counts; a score of single examples does not need them. Leave method= out",
    ),
    (lambda: ix.evaluate(TRUE, PRED, replicates=B, sample_weight=np.ones(N)), "does not go together with sample_weight="),
    (lambda: ix.evaluate(TRUE, PRED, replicates=1), "a whole number of replicates from 2, such as 200"),
    (lambda: ix.types.Replicates(2.5), "number=2.5 must be a whole number"),  # type: ignore[arg-type]
    (lambda: ix.types.Replicates(200, seed=-1), "seed=-1 must be a whole number from 0"),
    (lambda: ix.types.Replicates(200, first_row=2**62), "the number of the first row"),
    (lambda: EV.only([0, 1]).answered(), "abstained='mask'"),
]


@for_each(("call", "text"), REFUSED)
def test_refusals_say_why_and_what_to_do(call: Callable[[], Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


def test_replicates_is_a_number_or_a_record() -> None:
    for given_ in (True, "200", 200.0, [200]):
        with pytest.raises(TypeError, match=r"must be a number such as 200, or ix\.types\.Replicates"):
            ix.evaluate(TRUE, PRED, replicates=given_)  # type: ignore[arg-type]
    assert same(ix.evaluate(TRUE, PRED, replicates=np.int64(B)), EV)
    with pytest.raises(TypeError, match="replicates= says how examples are summed"):
        ix.tasks.per_example("f1", TRUE, PRED, replicates=B)


BROKEN: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda r: r["whole"].update(unit=0.5), "the unit of the replicates"),
    (lambda r: r["whole"]["cells"].update(kind="float"), "are not whole numbers"),
    (lambda r: r["whole"]["cells"].update(shape=[4, B, M + 1]), "the counts of the replicates"),
    (lambda r: r["whole"].update(n=-1), "the number of examples of the replicates"),
    (lambda r: r.update(rows=[[0, 5, 5]]), "not a seed and two rows in order"),
    (lambda r: r.update(rows=[[0, 0, 9], [0, 5, 12]]), "row 5"),
    (lambda r: r.update(rows=[[0, 20, 30], [0, 0, 9]]), "not in order"),
    (lambda r: r.update(declined=[r["whole"], r["whole"]]), "occur twice"),
    (lambda r: r.pop("whole"), "has no 'whole'"),
]


@pytest.mark.parametrize(("damage", "text"), BROKEN, ids=[text for _, text in BROKEN])
def test_damaged_files_are_refused(damage: Callable[[dict[str, Any]], Any], text: str) -> None:
    data = json.loads(json.dumps(to_json(EV.tally)))
    damage(data["replicates"])
    with pytest.raises(ValueError, match=text):
        from_json(data)


@pytest.mark.parametrize("name", ["dense", "cost"])
def test_the_pseudo_example_is_in_the_unit_of_the_costs(name: str) -> None:
    ev = part_of(name, np.arange(N), B)
    sample, m = replicates_of(ev, ix.f1, ev.score("f1", "macro")).sample, len(ev.classes)
    assert sample.extra.n == pytest.approx(2 / m * sample.counts.sum() / (N * m))
