"""Second moments of label rows and squares of weights: literal sums, merging, files, and the intervals that they give."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import loops
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.encode.indicator import row_words
from indicatrix.engines.files.text_classes import values_for_text
from indicatrix.inference.estimators.of_evaluation import estimator_of
from indicatrix.tally.counting import code_tables, counting, literal_counting, row_products
from indicatrix.tally.kernels import word_counts
from indicatrix.tally.states import moments as moments_module
from indicatrix.tally.states.moments import Moments, Products, width

N, M = 120, 5
RNG = np.random.default_rng(14)
HARD = RNG.random((N, 1)) < 0.3
TRUE = RNG.random((N, M)) < 0.4
PRED = TRUE ^ (RNG.random((N, M)) < np.where(HARD, 0.4, 0.1))
SOFT = RNG.random((2, N, M))
SEEN = RNG.random((N, M)) < 0.8
SEEN[:4] = False
WEIGHTS = RNG.random(N) * 10
SITES = RNG.integers(0, 3, N)
CODES = RNG.integers(0, 4, (2, N))
CODES[1] = np.where(RNG.random(N) < 0.7, CODES[0], CODES[1])


def sets(matrix: np.ndarray) -> list[set[int]]:
    return [set(np.flatnonzero(row).tolist()) for row in matrix]


def literal(cells: ix.types.Cells, mask: np.ndarray | None = None, weights: np.ndarray | None = None) -> np.ndarray:
    """Return the sums of products of (1, tp, fp, fn, rest) over the rows of which something was observed."""
    tp, fp, fn, tn = (np.asarray(x, float) for x in (cells.tp, cells.fp, cells.fn, cells.tn))
    z = np.hstack([np.ones((len(tp), 1)), tp, fp, fn, 1 - tp - fp - fn - tn])
    own = np.ones(len(z)) if weights is None else weights
    seen = np.ones(len(z), bool) if mask is None else np.broadcast_to(mask, tp.shape).any(axis=1)
    return (z[seen] * own[seen, None] ** 2).T @ z[seen]


def dense(products: Products) -> np.ndarray:
    """Return the moments as a matrix of floats."""
    size = width(products.m)
    first, second = products.pairs
    scale = np.where(np.arange(size) > 0, 2.0**products.unit, 1.0)
    out = np.zeros((size, size))
    out[first, second] = products.values.astype(float) * scale[first] * scale[second]
    return np.triu(out) + np.triu(out, 1).T


def check_literal(ev: ix.Evaluation, expected: np.ndarray, rounded: float = 0.0) -> None:
    assert isinstance(ev.tally.moments, Moments)
    found = dense(ev.tally.moments.whole)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-9 + rounded * expected.max())


def same_products(one: Products, other: Products) -> bool:
    other, one = other.in_units(min(one.unit, other.unit)), one.in_units(min(one.unit, other.unit))
    arrays = np.array_equal(one.keys, other.keys) and np.array_equal(one.values, other.values)
    return arrays and one.weight == other.weight and one.m == other.m


def same_moments(one: ix.Evaluation, other: ix.Evaluation) -> bool:
    a, b = one.tally.moments, other.tally.moments
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    if a.any_size != b.any_size:
        return False
    pairs = [(a.whole, b.whole)]
    for some, others in ((a.groups, b.groups), (a.declined, b.declined)):
        if (some and set(some)) != (others and set(others)):
            return False
        pairs += [] if some is None or others is None else [(some[key], others[key]) for key in some]
    return all(same_products(x, y) for x, y in pairs) and one.tally.squares == other.tally.squares


FORMS: dict[str, Callable[[np.ndarray], Any]] = {"dense": lambda x: x, "sparse": scipy.sparse.csr_matrix, "sets": sets}


@pytest.mark.usefixtures("kernels")
@for_each("weights", [None, WEIGHTS])
@for_each("m", [1, M, 40])
@for_each("form", FORMS)
def test_moments_of_labels_are_the_literal_sums(form: str, m: int, weights: np.ndarray | None) -> None:
    true, pred = (np.random.default_rng(k).random((N, m)) < 0.2 for k in (0, 1))
    pred = np.where(np.random.default_rng(2).random((N, m)) < 0.8, true, pred)
    make = FORMS[form]
    ev = ix.evaluate(make(true), make(pred), classes=range(m), sample_weight=weights)
    check_literal(ev, literal(ix.cells(true, pred), None, weights))


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("mask", [SEEN, SEEN[:, :1]], ids=["entries", "rows"])
def test_moments_under_a_mask_are_the_literal_sums(mask: np.ndarray, weights: np.ndarray | None) -> None:
    check_literal(
        ix.evaluate(TRUE, PRED, mask=mask, sample_weight=weights), literal(ix.cells(TRUE, PRED, mask=mask), mask, weights)
    )


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("tnorm", ["product", "godel", "lukasiewicz", "drastic"])
def test_moments_of_memberships_are_the_literal_sums_of_rounded_cells(tnorm: str, weights: np.ndarray | None) -> None:
    ev = ix.evaluate(*SOFT, tnorm=tnorm, sample_weight=weights)
    check_literal(ev, literal(ix.cells(*SOFT, tnorm=tnorm), None, weights), rounded=1e-6)


COST = [[0, 1, 2, 3], [1, 0, 1, 2], [4, 2, 0, 1], [900, 3, 1, 0]]
CHANGED: list[dict[str, Any]] = [{"ordinal": "cumulative"}, {"ordinal": "linear", "tnorm": "product"}, {"cost": COST}]


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("options", CHANGED, ids=["cumulative", "linear", "cost"])
def test_moments_of_encoded_classes_sum_to_the_counts(options: dict[str, Any], weights: np.ndarray | None) -> None:
    """The first row has the sums of the cells; every row of z has the sum of the products along it."""
    ev = ix.evaluate(*CODES, classes=range(4), sample_weight=weights, **options)
    found, m = dense(ev.tally.moments.whole), len(ev.classes)
    counts = (
        ev.aggregate("class")
        if weights is None
        else ix.evaluate(*CODES, classes=range(4), sample_weight=weights**2, **options).aggregate("class")
    )
    for kind, cells in enumerate((counts.tp, counts.fp, counts.fn)):
        np.testing.assert_allclose(found[0, 1 + kind * m : 1 + (kind + 1) * m], cells, rtol=1e-5)
    tn = found[0, 0] - found[0, 1:].reshape(4, m).sum(axis=0)
    np.testing.assert_allclose(tn, counts.tn, rtol=1e-4)
    some = range(20)
    own = None if weights is None else weights[some]
    whole = ix.evaluate(*CODES[:, some], classes=range(4), sample_weight=own, **options).tally.moments.whole
    alone = [dense(ix.evaluate(*CODES[:, [i]], classes=range(4), **options).tally.moments.whole) for i in some]
    weight = np.ones(20) if own is None else own**2
    np.testing.assert_allclose(dense(whole), np.tensordot(weight, alone, 1), rtol=1e-9)


@pytest.mark.usefixtures("kernels")
def test_every_way_to_count_gives_the_same_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    for weights in (None, WEIGHTS):
        ev = ix.evaluate(TRUE, PRED, sample_weight=weights)
        for columns, listing in ((0, 0), (0, 10**9), (100, 500)):
            monkeypatch.setattr(row_products, "MOST_LABELS", columns)
            monkeypatch.setattr(literal_counting, "ROWS_PER_CLASS", 1 if columns else N)
            monkeypatch.setattr(row_products, "WORTH_LISTING", 1 / (listing + 1e-9))
            assert same_moments(ev, ix.evaluate(TRUE, PRED, sample_weight=weights))
        monkeypatch.setattr(row_products, "ENTRIES", 64)
        monkeypatch.setattr(row_products, "COLUMNS", 64)
        monkeypatch.setattr(row_products, "TABLE", 0)
        assert same_moments(ev, ix.evaluate(TRUE, PRED, sample_weight=weights))
        assert same_moments(ev, ix.evaluate(scipy.sparse.csr_matrix(TRUE), scipy.sparse.csr_matrix(PRED), sample_weight=weights))
        monkeypatch.undo()


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("filling", [1, 10**6], ids=["four labels", "three labels"])
@pytest.mark.parametrize("m", [1, 3, 4, 5, 8, 9, 14, 16, 17, 57, 58, 64, 65, 130])
def test_patterns_of_labels_tell_how_often_two_cells_occur_together(
    m: int, filling: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_counts, "FILLING", filling)
    monkeypatch.setattr(word_counts, "TABLE_ROWS", 50)
    true, pred = np.random.default_rng(m).random((2, N, m)) < 0.4
    z = np.hstack([np.ones((N, 1), bool), true & pred, pred & ~true, true & ~pred]).astype(int)
    rows = row_words(true), row_words(pred)
    for pairs in (word_counts.RowPairs(*rows), word_counts.distinct_row_pairs(*rows, m)):
        assert np.array_equal(word_counts.count_products(pairs, m), z.T @ z)


PROBLEMS: dict[str, tuple[tuple[Any, Any], dict[str, Any]]] = {
    "dense": ((TRUE, PRED), {}),
    "weighted": ((TRUE, PRED), {"sample_weight": WEIGHTS}),
    "masked": ((TRUE, PRED), {"mask": SEEN}),
    "grouped": ((TRUE, PRED), {"by": {"site": SITES}}),
    "soft": ((SOFT[0], SOFT[1]), {"tnorm": "godel"}),
    "soft, weighted": ((SOFT[0], SOFT[1]), {"tnorm": "product", "sample_weight": WEIGHTS}),
    "codes, weighted": ((CODES[0], CODES[1]), {"classes": range(4), "sample_weight": WEIGHTS}),
    "codes, weighted, grouped": ((CODES[0], CODES[1]), {"classes": range(4), "sample_weight": WEIGHTS, "by": {"site": SITES}}),
    "cost": ((CODES[0], CODES[1]), {"classes": range(4), "cost": COST}),
}


def part_of(name: str, rows: np.ndarray) -> ix.Evaluation:
    sides, options = PROBLEMS[name]
    own = {
        key: {axis: ids[rows] for axis, ids in value.items()} if key == "by" else value[rows]
        for key, value in options.items()
        if key in ("by", "mask", "sample_weight")
    }
    return ix.evaluate(*(side[rows] for side in sides), **{**options, **own})


@pytest.mark.parametrize("name", PROBLEMS)
@loops.examples(5)
@given(data=st.data())
def test_any_split_and_order_of_the_rows_gives_the_same_moments(name: str, data: st.DataObject) -> None:
    order = np.array(data.draw(st.permutations(range(N))))
    cuts = sorted(data.draw(st.lists(st.integers(0, N), max_size=3)))
    parts = [part_of(name, rows) for rows in np.split(order, cuts)]
    whole = part_of(name, np.arange(N))
    merged = parts[0]
    for part in parts[1:]:
        merged = part + merged
    assert same_moments(merged, whole)
    assert merged.interval("f1", "macro") == whole.interval("f1", "macro")


@pytest.mark.parametrize("name", PROBLEMS)
def test_files_keep_moments(name: str, tmp_path: Path) -> None:
    ev = part_of(name, np.arange(N))
    ev.save(tmp_path / "state.json")
    loaded = ix.load(tmp_path / "state.json")
    assert same_moments(loaded, ev)
    for average in ("micro", "macro", "exemplar"):
        assert loaded.interval("f1", average) == ev.interval("f1", average)


def test_a_batch_of_hard_memberships_adds_to_soft_ones() -> None:
    hard = [np.rint(side) for side in SOFT]
    both = ix.evaluate(*hard, tnorm="godel") + ix.evaluate(*SOFT, tnorm="godel")
    whole = ix.evaluate(*(np.concatenate([a, b]) for a, b in zip(hard, SOFT, strict=True)), tnorm="godel")
    assert same_moments(both, whole)


def test_classes_that_merge_are_put_in_place() -> None:
    first = ix.evaluate(sets(TRUE), sets(PRED))
    names = "edcbaz"
    other = ix.evaluate([{names[c] for c in row} for row in sets(TRUE)], [{names[c] for c in row} for row in sets(PRED)])
    assert other.interval("f1", "macro").low == pytest.approx(first.interval("f1", "macro").low, abs=1e-12)
    some = ix.evaluate([{0, 1}, {1}, set()], [{0}, {1}, {1}])
    more = ix.evaluate([{2, 0}, {3}], [{2}, {3, 0}])
    whole = ix.evaluate([{0, 1}, {1}, set(), {2, 0}, {3}], [{0}, {1}, {1}, {2}, {3, 0}])
    assert same_moments(some + more, whole)
    assert same_moments(more + some, whole)


def test_only_some_classes_have_the_moments_of_these_columns() -> None:
    part = ix.evaluate(TRUE, PRED, sample_weight=WEIGHTS).only([3, 1])
    check_literal(part, literal(ix.cells(TRUE[:, [3, 1]], PRED[:, [3, 1]]), None, WEIGHTS))
    alone = ix.evaluate(TRUE[:, [3, 1]], PRED[:, [3, 1]], sample_weight=WEIGHTS, classes=[3, 1])
    assert part.interval("f1", "macro").low == alone.interval("f1", "macro").low


def test_groups_have_their_own_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    for weights in (None, WEIGHTS):
        ev = ix.evaluate(TRUE, PRED, by={"site": SITES, "half": SITES % 2}, sample_weight=weights)
        for site, part in ev.split("site").items():
            rows = np.flatnonzero(site == SITES)
            alone = ix.evaluate(TRUE[rows], PRED[rows], sample_weight=None if weights is None else weights[rows])
            assert same_products(part.tally.moments.whole, alone.tally.moments.whole)
            assert part.interval("f1", "macro") == alone.interval("f1", "macro")
            assert part.interval("f1", "exemplar") == alone.interval("f1", "exemplar")
    monkeypatch.setattr(moments_module, "MOST", 2 * 21 * 22 // 2)
    many = ix.evaluate(TRUE, PRED, by={"site": SITES})
    check_literal(many, literal(ix.cells(TRUE, PRED)))
    halves = [part_of("grouped", rows) for rows in np.split(np.arange(N), [50])]
    assert same_moments(halves[0] + halves[1], many)
    with pytest.raises(ValueError, match="for all groups together and not for each"):
        many.split("site")[0].interval("f1", "macro")


def test_examples_without_an_answer_can_be_left_out() -> None:
    pred = PRED & (RNG.random((N, 1)) < 0.8)
    answered = pred.any(axis=1)
    for weights in (None, WEIGHTS):
        ev = ix.evaluate(TRUE, pred, sample_weight=weights).answered()
        own = None if weights is None else weights[answered]
        alone = ix.evaluate(TRUE[answered], pred[answered], sample_weight=own)
        assert same_products(ev.tally.moments.whole, alone.tally.moments.whole)
        assert ev.interval("f1", "macro") == alone.interval("f1", "macro")
        found, expected = ev.interval("f1", "exemplar"), alone.interval("f1", "exemplar")
        assert tuple(found) == pytest.approx(tuple(expected), abs=1e-14)  # also rows of which nothing is known, with weight 0


@pytest.mark.parametrize("many", [False, True], ids=["few groups", "many groups"])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_groups_without_the_examples_that_have_no_answer(
    weights: np.ndarray | None, many: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What was declined is known in each group, also after a merge, a split, other classes and a file."""
    if many:
        monkeypatch.setattr(moments_module, "MOST", 2 * 21 * 22 // 2)
    pred = PRED & ((RNG.random((N, 1)) < 0.7) | (SITES[:, None] == 1))  # one site answers always

    def evaluate(rows: np.ndarray) -> ix.Evaluation:
        own = None if weights is None else weights[rows]
        return ix.evaluate(TRUE[rows], pred[rows], sample_weight=own, by={"site": SITES[rows], "day": SITES[rows] % 2})

    rows, answered = np.arange(N), pred.any(axis=1)
    whole = evaluate(rows)
    whole.save(tmp_path / "state.json")
    wide = replace(whole, tally=whole.tally.widen((7, *range(M))))
    alone = evaluate(rows[answered])
    for ev in (whole, evaluate(rows[:40]) + evaluate(rows[40:]), ix.load(tmp_path / "state.json"), wide):
        left = ev.answered()
        assert isinstance(left.tally.moments, Moments)
        some = left.only(list(range(M))) if ev is wide else left
        assert same_products(some.tally.moments.whole, alone.tally.moments.whole)
        assert some.interval("f1", "macro") == alone.interval("f1", "macro")
        assert left.answered().tally.moments.declined == {}
        if many:
            assert left.tally.moments.groups is None
            continue
        for site, part in left.split("site").items():
            first = ev.split("site")[site].answered()
            own = alone.split("site")[site].tally.moments
            for one in (part, first):
                got = (one.only(list(range(M))) if ev is wide else one).tally.moments
                assert same_products(got.whole, own.whole)
                assert {key: p.weight for key, p in got.groups.items()} == {key: p.weight for key, p in own.groups.items()}
    assert whole.only([0, 1]).tally.moments.answered() == "changed"


def test_other_names_of_classes_and_groups_keep_moments() -> None:
    texts = [[{str(c) for c in row} for row in sets(side)] for side in (TRUE, PRED)]
    for weights in (None, WEIGHTS):
        numbers = ix.evaluate(sets(TRUE), sets(PRED), sample_weight=weights, by={"site": SITES})
        named = ix.evaluate(*texts, sample_weight=weights, by={"site": SITES.astype(str)})
        renamed = values_for_text(named)
        assert renamed == numbers
        assert same_moments(renamed, numbers)
        assert renamed.interval("f1", ("site", "macro")) == numbers.interval("f1", ("site", "macro"))
        assert renamed.answered().split("site")[1].interval("f1", "macro") == numbers.answered().split("site")[1].interval(
            "f1", "macro"
        )


def test_more_than_256_classes_are_kept_on_request_sparsely() -> None:
    true, pred = (scipy.sparse.csr_array(np.random.default_rng(k).random((60, 300)) < 0.01) for k in (1, 2))
    true, pred = true.astype(int), (true + pred).astype(bool).astype(int)
    with pytest.raises(ValueError, match="above 256 classes it is kept only on request"):
        ix.evaluate(true, pred).interval("f1", "macro")
    ev = ix.evaluate(true, pred, moments=True)
    check_literal(ev, literal(ix.cells(true, pred)))
    assert len(ev.tally.moments.whole.keys) < 4 * true.nnz + 20 * 60
    dense_one = ix.evaluate(true.toarray(), pred.toarray(), moments=True, mask=np.ones((60, 300), bool))
    assert same_products(ev.tally.moments.whole, dense_one.tally.moments.whole)
    halves = [ix.evaluate(true[rows], pred[rows], moments=True, classes=range(300)) for rows in (slice(20), slice(20, 60))]
    assert same_moments(halves[0] + halves[1], ix.evaluate(true, pred, moments=True, classes=range(300)))
    few = [ix.evaluate([{f"{side}{k}"} for k in range(150)], [{f"{side}{k}"} for k in range(150)]) for side in "ab"]
    assert isinstance(few[0].tally.moments, Moments)
    assert (few[0] + few[1]).tally.moments == "many"
    with pytest.raises(ValueError, match="only up to 256 classes"):
        ix.evaluate(*np.random.default_rng(0).random((2, 4, 300)), tnorm="product", moments=True).interval("f1", "macro")


def test_pairs_that_were_not_kept_are_kept_as_moments_on_request() -> None:
    with pytest.raises(ValueError, match="pairs of true and predicted classes were not kept"):
        ix.evaluate(*CODES, confusion=False).interval("f1", "macro")
    ev = ix.evaluate(*CODES, confusion=False, moments=True)
    assert ev.interval("f1", "macro").width == pytest.approx(ix.evaluate(*CODES).interval("f1", "macro").width, rel=0.05)


def test_whether_moments_are_kept_changes_no_count() -> None:
    for name in PROBLEMS:
        (sides, options), ev = PROBLEMS[name], part_of(name, np.arange(N))
        without = ix.evaluate(*sides, **options, moments=False)
        assert ev == without
        assert isinstance(without.tally.moments, str)
        assert without.tally.squares is None
        if name != "codes, weighted" and name != "codes, weighted, grouped":
            assert (ev + without).tally.moments == "merged"
            with pytest.raises(ValueError, match="one of the evaluations that were added did not keep it"):
                (without + ev).interval("f1", "macro")
        else:
            with pytest.raises(ValueError, match="squares of the weights do, but"):
                (without + ev).interval("f1", "macro")


def test_a_measure_of_labels_keeps_no_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise AssertionError

    for module, name in ((counting, "products_of"), (counting, "square"), (code_tables, "square")):
        monkeypatch.setattr(module, name, fail)
    ix.f1(TRUE, PRED, average="macro")
    ix.f1(sets(TRUE), sets(PRED), average="macro", sample_weight=WEIGHTS)
    with pytest.raises(AssertionError):
        ix.evaluate(TRUE, PRED)


# Intervals.


def prototype(true: np.ndarray, pred: np.ndarray, average: str, weights: np.ndarray | None = None) -> tuple[float, float]:
    """Return the score interval of F1, from the literal second moments of the rows.

    This follows the study of intervals step by step, with formulas written out for F1.
    """
    from scipy import stats

    own = np.ones(len(true)) if weights is None else weights * (weights.sum() / (weights**2).sum())
    z = np.stack([true & pred, ~true & pred, true & ~pred, ~true & ~pred], axis=-1).astype(float)  # rows, classes, kinds
    m, n = true.shape[1], own.sum()
    v, squares, extra = np.tensordot(own, z, 1), np.tensordot(own**2, z, 1), 0.5 / m
    typical = squares / v  # the weight of the pseudo-example in each cell
    smooth = v + extra * typical

    def units(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        counts = counts.sum(axis=0, keepdims=True) if average == "micro" else counts
        return counts, counts[:, 0] + counts[:, 2] if average == "weighted" else np.ones(len(counts))

    def f1(counts: np.ndarray) -> np.ndarray:
        return 2 * counts[:, 0] / (2 * counts[:, 0] + counts[:, 1] + counts[:, 2])

    def mean(counts: np.ndarray) -> float:
        unit, weight = units(counts)
        return float(f1(unit) @ weight / weight.sum())

    def gradient(counts: np.ndarray) -> np.ndarray:
        unit, weight = units(counts)
        bottom, zero = 2 * unit[:, 0] + unit[:, 1] + unit[:, 2], np.zeros(len(unit))
        slope = np.stack([2 * (bottom - 2 * unit[:, 0]), -2 * unit[:, 0], -2 * unit[:, 0], zero], axis=1) / bottom[:, None] ** 2
        g = slope * (weight / weight.sum())[:, None]
        if average == "weighted":
            g[:, [0, 2]] += ((f1(unit) - mean(counts)) / weight.sum())[:, None]
        return g

    def variances_of(counts: np.ndarray, g: np.ndarray) -> np.ndarray:
        return (counts * g**2).sum(axis=1) - (counts * g).sum(axis=1) ** 2 / counts.sum(axis=1)

    def one_like_all(right: np.ndarray, wrong: np.ndarray, heavy: np.ndarray) -> np.ndarray:
        """Return how many are right once one more, of the typical weight, is as those of all classes."""
        both = right + wrong
        return both * (right + heavy * right.sum() / both.sum()) / (both + heavy)

    unit, weight = units(smooth)
    bottom = 2 * unit[:, 0] + unit[:, 1] + unit[:, 2]
    share = weight / weight.sum()
    g = gradient(smooth)
    full = np.broadcast_to(g, (m, 4))
    added = np.tensordot(z, full, 2)
    spread = own**2 @ added**2 + extra * (typical**2 * full**2).sum() - (full * smooth).sum() ** 2 / (n + 2 / m * m)
    value, quantile = mean(v), stats.norm.ppf(0.975)
    if average != "micro":
        tp, fp, fn, _ = unit.T
        bends = 0.5 * (tp * -8 * (fp + fn) / bottom**3 + (fp + fn) * 4 * tp / bottom**3)
        value -= float(share @ bends)
        variances = variances_of(unit, g)
        pairs = ((0, 2), (0, 1), (1, 3), (2, 3))
        margins = np.stack([(v[:, a] + v[:, b]) ** 2 / (squares[:, a] + squares[:, b]) for a, b in pairs])
        least = np.maximum(margins.min(axis=0), 1)
        quantile = stats.t.ppf(0.975, variances.sum() ** 2 / (variances**2 / least).sum())
        more = squares + extra * typical**2  # those of the smooth counts
        heavy = [(more[:, 0] + more[:, k]) / (tp + x) for k, x in ((2, fn), (1, fp))]  # 1 without weights
        found = one_like_all(tp, fn, heavy[0])
        hit = one_like_all(found, fp, heavy[1])
        tn = unit[:, 3] + tp - found
        drawn = np.stack([hit, found + fp - hit, tp + fn - found, tn], axis=1)
        spread *= variances_of(drawn, gradient(drawn)).sum() / variances.sum()
    u = mean(smooth)
    c = quantile**2 / (u * (1 - u) / spread)
    half = quantile / (1 + c) * np.sqrt(value * (1 - value) * c / quantile**2 + c**2 / (4 * quantile**2))
    return (value + c / 2) / (1 + c) - half, (value + c / 2) / (1 + c) + half


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
def test_the_interval_is_that_of_the_rows(average: str, weights: np.ndarray | None) -> None:
    found = ix.evaluate(TRUE, PRED, sample_weight=weights).interval("f1", average)
    assert found.method == "score"
    assert tuple(found) == pytest.approx(prototype(TRUE, PRED, average, weights), abs=1e-8)


def test_labels_that_err_together_give_a_wider_interval() -> None:
    """All labels of an example are right or wrong together: five labels tell no more than one."""
    wrong = RNG.random((N, 1)) < 0.3
    together = ix.evaluate(TRUE, TRUE ^ wrong).interval("accuracy", "micro")
    apart = ix.evaluate(TRUE, TRUE ^ (RNG.random((N, M)) < 0.3)).interval("accuracy", "micro")
    assert together.method == apart.method == "score"
    assert together.width == pytest.approx(apart.width * np.sqrt(M), rel=0.1)
    one = ix.evaluate(~wrong[:, 0], np.ones(N, bool)).interval("precision")
    assert together.width == pytest.approx(one.width, rel=0.05)


def delta_width(added: np.ndarray) -> float:
    """Return the width of an interval of the delta method, from what each example adds to the score."""
    return float(2 * 1.959963984540054 * np.sqrt((added**2).sum()))


def variance(ev: ix.Evaluation, measure: str, average: Any) -> float:
    """Return the variance of a score by the delta method."""
    return estimator_of(ev, ix.algebra.MEASURES[measure], ev.score(measure, average), None).variance()


RIGHT = CODES[0] == CODES[1]
UNEVEN = np.where(RIGHT, WEIGHTS, WEIGHTS**2)  # the weight tells something about the value: w² differs from w times a mean


def test_weighted_proportions_have_the_literal_variance() -> None:
    ev = ix.evaluate(*CODES, sample_weight=UNEVEN)
    share = UNEVEN @ RIGHT / UNEVEN.sum()
    width = delta_width(UNEVEN * (RIGHT - share) / UNEVEN.sum())
    assert ev.interval("recall", "micro", method="delta").width == pytest.approx(width, rel=1e-6)
    assert ev.interval("exact_match", "exemplar", method="delta").width == pytest.approx(width, rel=1e-9)


@pytest.mark.parametrize("weights", [np.ones(N), WEIGHTS], ids=["plain", "weighted"])
def test_masked_labels_have_the_literal_variance(weights: np.ndarray) -> None:
    """Accuracy reads true negatives, so entries that were not observed must not count as such."""
    ev = ix.evaluate(TRUE, PRED, mask=SEEN, sample_weight=weights)
    right = (TRUE == PRED) & SEEN
    share = weights @ right.sum(axis=1) / (weights @ SEEN.sum(axis=1))
    micro = weights * (right.sum(axis=1) - share * SEEN.sum(axis=1)) / (weights @ SEEN.sum(axis=1))
    assert ev.interval("accuracy", "micro", method="delta").width == pytest.approx(delta_width(micro), rel=1e-6)
    shares = weights @ right / (weights @ SEEN)
    macro = weights * ((right - shares * SEEN) / (weights @ SEEN)).mean(axis=1)
    assert ev.interval("accuracy", "macro", method="delta").width == pytest.approx(delta_width(macro), rel=1e-6)


@pytest.mark.parametrize("weights", [np.ones(N), WEIGHTS], ids=["plain", "weighted"])
def test_memberships_have_the_literal_variance(weights: np.ndarray) -> None:
    """The four cells of this t-norm do not add up to 1."""
    ev, cells = ix.evaluate(*SOFT, tnorm="lukasiewicz", sample_weight=weights), ix.cells(*SOFT, tnorm="lukasiewicz")
    right, every = (sum(x.sum(axis=1) for x in some) for some in ((cells.tp, cells.tn), (cells.tp, cells.fp, cells.fn, cells.tn)))
    added = weights * (right - (weights @ right) / (weights @ every) * every) / (weights @ every)
    assert ev.interval("accuracy", "micro", method="delta").width == pytest.approx(delta_width(added), rel=1e-5)


@pytest.mark.parametrize("kind", ["codes", "labels", "masked labels"])
def test_one_weighted_class_has_the_literal_variance(kind: str) -> None:
    """The weight tells something about the value, so that sums of weights alone would not do."""
    seen = SEEN if kind == "masked labels" else np.ones((N, M), bool)
    true, pred = (CODES[i][:, None] == range(4) for i in (0, 1)) if kind == "codes" else (TRUE, PRED)
    sides = CODES if kind == "codes" else (TRUE, PRED)
    weights = np.where(true[:, 1] == pred[:, 1], WEIGHTS, WEIGHTS**2)
    options = {"mask": seen} if kind == "masked labels" else {}
    ev = ix.evaluate(*sides, sample_weight=weights, **options)
    for k, name in enumerate(ev.classes):
        one = replace(ev, named_positive=name)
        here = true[:, k] & seen[:, k]
        share = weights[here] @ pred[here, k] / weights[here].sum()
        spread = np.square(weights[here] * (pred[here, k] - share) / weights[here].sum()).sum()
        assert variance(one, "recall", "binary") == pytest.approx(spread, rel=1e-6)
        found = one.interval("recall")
        assert found.method == "mid_p"
        assert tuple(found) == tuple(ev.values("recall", interval=True).intervals[k])
    with pytest.raises(ValueError, match="squares of the weights do, but"):
        ix.evaluate(*sides, sample_weight=weights, moments=False, **options).values("recall", interval=True)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_one_class_of_hard_memberships_has_the_interval_of_labels(weights: np.ndarray | None) -> None:
    hard = ix.evaluate(TRUE, PRED, sample_weight=weights)
    soft = ix.evaluate(TRUE.astype(float), PRED.astype(float), tnorm="product", sample_weight=weights)
    assert soft.kind == "soft"
    for one, other in zip(*(ev.values("f1", interval=True).intervals for ev in (hard, soft)), strict=True):
        if weights is None:
            assert tuple(one) == pytest.approx(tuple(other), abs=1e-10)
        else:  # one more heavy example is a decision: memberships have none
            assert one.low <= other.low <= other.high <= one.high < other.high + 1e-3
    cells = ix.cells(*SOFT, tnorm="product")
    own, top, bottom = np.ones(N) if weights is None else weights, cells.tp[:, 2], (cells.tp + cells.fn)[:, 2]
    added = own * (top - (own @ top) / (own @ bottom) * bottom) / (own @ bottom)
    ev = replace(ix.evaluate(*SOFT, tnorm="product", sample_weight=weights), named_positive=2)
    assert ev.interval("recall", method="delta").width == pytest.approx(delta_width(added), rel=1e-4)
    with pytest.raises(ValueError, match="moments=True was not given"):
        ix.evaluate(*SOFT, tnorm="product", moments=False).values("f1", interval=True)


def test_a_cell_that_data_do_not_show_leaves_the_interval_of_other_cells() -> None:
    sides = [(side > 1).astype(int) for side in CODES]
    assert tuple(ix.evaluate(*sides, unobserved=["tn"]).interval("f1")) == tuple(ix.evaluate(*sides).interval("f1"))


@for_each("inside", ["micro", "macro", "exemplar", "binary"])
@for_each("weights", [None, WEIGHTS])
@for_each("sides", [(TRUE, PRED), (CODES[0], CODES[1])])
def test_a_mean_over_groups_adds_the_variances_of_the_groups(sides: Any, weights: np.ndarray | None, inside: str) -> None:
    ev = replace(ix.evaluate(*sides, sample_weight=weights, by={"site": SITES}), named_positive=1)
    parts = [variance(part, "f1", inside) for part in ev.split("site").values()]
    assert variance(ev, "f1", ("site", inside)) == pytest.approx(sum(parts) / len(parts) ** 2, rel=1e-9)
    found = ev.interval("f1", ("site", inside))
    assert found.method == "score"
    assert found.low < found.value < found.high
    if weights is not None or (sides[0] is TRUE and inside in ("micro", "macro")):
        with pytest.raises(ValueError, match="needs each example"):
            ev.interval("f1", ("site", inside), method="bca")


@pytest.mark.parametrize("weight", [0.5, 0.3, 1.0, 7])
@pytest.mark.parametrize("sides", [(TRUE, PRED), (CODES[0], CODES[1])], ids=["labels", "codes"])
def test_weights_that_are_all_equal_change_nothing(sides: Any, weight: float) -> None:
    def results(**options: Any) -> list[Any]:
        ev = ix.evaluate(*sides, by={"site": SITES}, mask=np.arange(N) > 5, **options)
        averages: list[Any] = ["micro", "macro", "weighted", "exemplar", "site", ("site", "macro")]
        found = [ev.interval(m, a) for m in ("f1", "recall", "accuracy") for a in averages]
        found += [*ev.values("recall", interval=True).intervals, *ev.values("f1", interval=True).intervals]
        found += [ev.interval("f1", "macro", clusters="site"), *ev.values("recall", "site", interval=True).intervals]
        if sides[0] is not TRUE:
            found += [ev.interval("multiclass_mcc", draws=50), ev.interval("f1", "macro", method="bca", draws=50)]
            found += [replace(ev, named_positive=2).interval("diagnostic_odds_ratio")]
        return [(*i, i.method, i.warning) for i in found]

    for equal, plain in zip(results(sample_weight=[weight] * N), results(), strict=True):
        assert equal[2:] == plain[2:]
        assert equal[:2] == pytest.approx(plain[:2], rel=0, abs=1e-10 if weight == 0.3 else 0)


def test_a_measure_of_labels_with_an_interval_keeps_what_it_needs() -> None:
    for options in ({}, {"sample_weight": WEIGHTS}):
        for sides in ((TRUE, PRED), SOFT, (CODES[0], CODES[1])):
            more = {**options, **({"tnorm": "product"} if sides is SOFT else {})}
            ev = ix.evaluate(*sides, **more)
            assert ix.f1(*sides, average="macro", interval=0.95, **more) == ev.interval("f1", "macro")
            assert ix.f1(y_true=sides[0], y_pred=sides[1], average="macro", interval=True, **more) == ev.interval("f1", "macro")
            assert not isinstance(ev.table("f1", ["macro"], interval=True).intervals[ix.f1, "macro"], str)
    with pytest.raises(ValueError, match="moments=True was not given"):
        ix.f1(TRUE, PRED, average="macro", interval=0.95, moments=False)
    ev = ix.evaluate(TRUE, PRED)
    assert ix.f1(ev, average="macro", interval=0.95) == ev.interval("f1", "macro")
    assert ix.multiclass_mcc(*CODES, interval=0.9, sample_weight=np.full(N, 2)) == ix.evaluate(*CODES).interval(
        "multiclass_mcc", level=0.9
    )


@pytest.mark.parametrize("name", ["dense", "weighted", "soft", "codes, weighted", "grouped"])
def test_more_examples_with_the_same_shares_have_a_smaller_variance(name: str) -> None:
    ev = part_of(name, np.arange(N))
    for average in ("micro", "macro", "exemplar", *ev.tally.by):
        estimator = estimator_of(ev, ix.f1, ev.score("f1", average), None)
        more = estimator.scaled(4.0)
        assert more is not None
        assert more.variance() == pytest.approx(estimator.variance() / 4, rel=1e-9)
        assert more.value == pytest.approx(estimator.value)


SAMPLES: list[Any] = [((TRUE, PRED), {}), ((CODES[0], CODES[1]), {}), ((TRUE, PRED), {"by": {"site": SITES}})]


@for_each("average", averages_over("class", "example"))
@for_each("method", ["score", "delta"])
@for_each("sample", SAMPLES)
def test_only_the_ratios_of_weights_matter(sample: Any, method: str, average: str) -> None:
    sides, options = sample
    how = {"method": method, **({"clusters": "site"} if options else {})}
    plain = ix.evaluate(*sides, **options).interval("f1", average, **how)
    for weight in (1.0, 4.0, 3.0, 0.1):
        equal = ix.evaluate(*sides, sample_weight=np.full(N, weight), **options).interval("f1", average, **how)
        tolerance = 1e-10 if weight == 0.1 else 1e-13  # 0.1 squared is rounded
        assert (equal.low, equal.high) == pytest.approx((plain.low, plain.high), abs=tolerance)
    one, other = (ix.evaluate(*sides, sample_weight=WEIGHTS * k, **options).interval("f1", average, **how) for k in (1, 1000))
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-10)
    assert one.value != plain.value


@pytest.mark.parametrize("average", ["micro", "macro", "exemplar"])
@pytest.mark.parametrize("sides", [(TRUE, PRED), (CODES[0], CODES[1])], ids=["labels", "codes"])
def test_unequal_weights_cost_precision_and_zero_weights_nothing(sides: Any, average: str) -> None:
    plain = ix.evaluate(*sides).interval("f1", average, method="delta")
    some = np.where(np.arange(N) % 2, 1.0, 9.0)
    unequal = ix.evaluate(*sides, sample_weight=some).interval("f1", average, method="delta")
    effective = some.sum() ** 2 / (some**2).sum()
    assert unequal.width == pytest.approx(plain.width * np.sqrt(N / effective), rel=0.25)
    half = np.arange(N) % 2 == 0
    zero = ix.evaluate(*sides, sample_weight=half.astype(float), classes=range(M if sides[0] is TRUE else 4))
    alone = ix.evaluate(*(side[half] for side in sides), classes=range(M if sides[0] is TRUE else 4))
    assert tuple(zero.interval("f1", average, method="score")) == pytest.approx(
        tuple(alone.interval("f1", average, method="score")), abs=1e-12
    )


def test_weighted_and_plain_evaluations_add() -> None:
    for sides in ((TRUE, PRED), (CODES[0], CODES[1])):
        first, last = [side[:50] for side in sides], [side[50:] for side in sides]
        both = ix.evaluate(*first, sample_weight=WEIGHTS[:50]) + ix.evaluate(*last)
        whole = ix.evaluate(*sides, sample_weight=np.append(WEIGHTS[:50], np.ones(N - 50)))
        for average in ("macro", "exemplar"):
            assert both.interval("f1", average) == whole.interval("f1", average)


def test_weighted_integers_above_2_to_53_have_squares() -> None:
    weights = [2**53 + 1, *[2**52] * (N - 1)]
    for sides in ((TRUE, PRED), (CODES[0], CODES[1])):
        heavy = ix.evaluate(*sides, sample_weight=weights).interval("f1", "macro")
        light = ix.evaluate(*sides, sample_weight=[2.0, *[1.0] * (N - 1)]).interval("f1", "macro")
        assert tuple(heavy) == pytest.approx(tuple(light), abs=1e-10)


def test_weighted_proportions_have_the_variance_of_their_examples() -> None:
    ev = ix.evaluate(*CODES, sample_weight=WEIGHTS)
    assert ix.evaluate(*CODES).interval("recall", "micro").method == "mid_p"
    found = ev.interval("recall", "micro", method="wilson")
    right = CODES[0] == CODES[1]
    share = WEIGHTS @ right / WEIGHTS.sum()
    spread = np.sqrt((WEIGHTS**2) @ (right - share) ** 2) / WEIGHTS.sum()
    assert found.width == pytest.approx(2 * 1.96 * spread, rel=0.03)


def test_odds_of_one_label_have_an_interval_on_the_log_scale() -> None:
    matrix, codes = ix.evaluate(TRUE, PRED), ix.evaluate(TRUE[:, 2], PRED[:, 2])
    found, alone = matrix.only([2]).interval("diagnostic_odds_ratio", "macro"), codes.interval("diagnostic_odds_ratio")
    assert (found.method, alone.method) == ("log", "log")
    assert tuple(found) == pytest.approx(tuple(alone), rel=1e-9)
    equal = ix.evaluate(TRUE[:, 2], PRED[:, 2], sample_weight=np.full(N, 2.0)).interval("diagnostic_odds_ratio")
    assert tuple(equal) == pytest.approx(tuple(alone), rel=1e-12)


def test_few_examples_are_effective_ones() -> None:
    few = ix.evaluate([0] * 20 + [1] * 8, [0] * 20 + [1] * 8, sample_weight=[1.0] * 20 + [5.0, *[0.25] * 7])
    assert "effective examples" in few.interval("f1", "macro").note
    assert "effective" not in ix.evaluate([0] * 20 + [1] * 8, [0] * 20 + [1] * 8).interval("f1", "macro").note


KINK = ix.measure("min(tp, fp) / (tp + fp + fn)", range=(0, 1))
PLAIN, WEIGHTED = ix.evaluate(TRUE, PRED), ix.evaluate(*CODES, sample_weight=WEIGHTS)


@for_each(
    ("make", "words"),
    [
        (lambda: PLAIN.interval("f1", "macro", method="bca"), r"of examples with several labels only sums.*average='exemplar'"),
        (lambda: PLAIN.interval("f1", "micro", method="posterior"), "'posterior' needs each example"),
        (lambda: PLAIN.interval("f1", "macro", method="jackknife"), "use method='score' or 'delta'"),
        (lambda: PLAIN.interval("recall", "micro", method="wilson"), "plain proportions"),
        (lambda: PLAIN.interval("lift", "micro", method="posterior"), "use method='delta', or name clusters="),
        (lambda: PLAIN.interval(KINK, "macro"), "compares counts"),
        (lambda: PLAIN.interval(KINK, "macro", method="delta"), "compares counts"),
        (lambda: WEIGHTED.interval("f1", "macro", method="percentile"), "of weighted examples only sums were kept"),
        (lambda: WEIGHTED.interval("f1", "exemplar", method="bca"), "of weighted examples only sums were kept"),
        (lambda: WEIGHTED.interval("f1", "macro", method="clopper_pearson"), "plain proportions"),
        (lambda: WEIGHTED.interval("multiclass_mcc", method="bca"), "of weighted examples only sums were kept"),
        (lambda: WEIGHTED.interval("baulieu_7", "macro"), "baulieu_7 changes with the number of examples"),
        (lambda: PLAIN.with_priors([0.5] * M).interval("f1", "macro"), "Take each label alone"),
        (
            lambda: ix.evaluate([0, 1], [0, 1], sample_weight=[1, -3], signed_weights=True).interval("f1", "macro"),
            "negative",
        ),
        (lambda: ix.evaluate(TRUE, PRED, moments="yes"), "moments='yes' must be True, False or None"),
        (lambda: ix.tasks.per_example("f1", TRUE, PRED, moments=True), "moments= says how examples are summed"),
    ],
)
def test_what_sums_do_not_tell_is_refused(make: Any, words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        make()


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_unbounded_ratios_of_several_labels_have_an_interval_unasked(average: str) -> None:
    for name in ("lift", "positive_likelihood_ratio", "diagnostic_odds_ratio"):
        found = PLAIN.interval(name, average)
        assert (found.method, found.low < found.value < found.high) == ("delta", True)


EVERY = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages]


@pytest.mark.one_fast_case
@pytest.mark.parametrize("average", ["micro", "macro", "exemplar"])
@pytest.mark.parametrize("name", ["dense", "soft, weighted", "codes, weighted"])
def test_every_measure_has_an_interval_around_its_value_or_a_reason(name: str, average: str) -> None:
    ev, found, refused = part_of(name, np.arange(N)), 0, 0
    for measure in EVERY:
        try:
            interval = ev.interval(measure, average)
        except ValueError as error:
            assert "There is no" in str(error)  # noqa: PT017
            refused += 1
            continue
        found += 1
        if np.isfinite(interval.low):
            assert interval.low - 1e-9 <= interval.value <= interval.high + 1e-9, (measure, interval)
            assert interval.method in ("score", "rates", "mid_p", "delta", "jackknife", "log", "skewed")
    assert found > len(EVERY) / 2
    assert (refused > 0) == (average != "exemplar")


def test_moments_in_a_file_are_checked() -> None:
    from indicatrix.tally.saved.saved_tally import from_json, to_json

    data = json.loads(json.dumps(to_json(ix.evaluate(TRUE, PRED, by={"site": SITES}).tally)))
    whole = data["moments"]["whole"]
    keys, values = whole["keys"]["values"], whole["values"]["values"]
    size = {"shape": [len(keys)], "kind": "int"}
    wrong: list[Any] = [
        "unknown",
        {**data["moments"], "groups": data["moments"]["groups"][1:]},
        {**data["moments"], "groups": [[1, 2, 3]]},
        *(
            {**data["moments"], "whole": {**whole, **change}}
            for change in (
                {"keys": {**size, "values": keys[::-1]}},
                {"keys": {**size, "values": [*keys[:-1], width(M) ** 2]}},
                {"keys": {**size, "values": [*keys[:-1], width(M) * (width(M) - 1)]}},
                {"values": {**size, "kind": "float", "values": [float(x).hex() for x in values]}},
                {"unit": "x"},
                {"weight": "0x1.8p+0"},
            )
        ),
    ]
    from_json(data)
    for moments in wrong:
        with pytest.raises(ValueError, match="moments"):
            from_json({**data, "moments": moments})
    weighted = json.loads(json.dumps(to_json(ix.evaluate(TRUE, PRED, sample_weight=WEIGHTS).tally)))
    with pytest.raises(ValueError, match="squares of the weights"):
        from_json({**weighted, "squares": data})
    old = from_json({key: value for key, value in weighted.items() if key not in ("moments", "squares")})
    assert (old.moments, old.squares) == ("", None)


def test_products_subtract_what_they_add() -> None:
    one, other = (ix.evaluate(TRUE[rows], PRED[rows]).tally.moments.whole for rows in (slice(50), slice(50, N)))
    assert same_products((one + other) - other, one)
    huge = replace(one, values=one.values * 2**55)
    assert (huge + huge + huge).values[0] == 3 * 50 * 2**55
    assert Fraction(one.weight) == one.squares == 50
