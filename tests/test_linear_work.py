"""Work that grows with the data and not faster: counted in calls and in bytes, never in seconds."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.numbers.exact import exactly
from indicatrix.encode import vocabulary
from indicatrix.inference.groups import group_samples
from indicatrix.inference.paired import paired_cells
from indicatrix.scores import areas
from indicatrix.scores import areas as areas_module
from indicatrix.scores.curves import ranked_units
from indicatrix.scores.thresholds import best_thresholds as best_module
from indicatrix.scores.thresholds.formula_operands import exact_quotients
from indicatrix.tally import regrouped
from indicatrix.tally.states import group_counts
from indicatrix.tally.tally import Tally


def count_calls(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[None]:
    """Return a list that grows by one with each call of a function of a module."""
    calls: list[None] = []
    function: Callable[..., Any] = getattr(module, name)

    def counted(*args: Any, **options: Any) -> Any:
        calls.append(None)
        return function(*args, **options)

    monkeypatch.setattr(module, name, counted)
    return calls


def test_the_limits_of_a_type_are_not_read_once_for_each_class(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = count_calls(monkeypatch, vocabulary.np, "iinfo")
    assert len(ix.evaluate(np.arange(5_000), np.arange(5_000)[::-1]).classes) == 5_000
    assert len(calls) < 20


def test_integers_of_a_narrow_range_are_not_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table finds the code of each label, and the labels that occur, in one pass."""
    y = np.random.default_rng(0).permutation(300_000)[:100_000]
    calls = [count_calls(monkeypatch, vocabulary.np, name) for name in ("unique", "searchsorted", "argsort")]
    ev = ix.evaluate(y, y[::-1])
    assert calls == [[], [], []]
    assert ev.classes == tuple(sorted(y.tolist()))


@pytest.mark.parametrize("dtype", [np.int16, np.uint16, np.int64, np.uint64])
def test_codes_from_a_table_are_those_of_a_search(monkeypatch: pytest.MonkeyPatch, dtype: Any) -> None:
    rng = np.random.default_rng(0)
    y, z = (rng.choice([3, 5, 90, 1000], (2, 300)) - (2 if dtype != np.int16 else 100)).astype(dtype)
    classes = sorted({*y.tolist(), *z.tolist(), 7}, reverse=True)
    found = [ix.evaluate(y, z), ix.evaluate(y, z, classes=classes)]
    with pytest.raises(ValueError, match=r"is not in classes=.* \(first at y_true\[\d+\]\)"):
        ix.evaluate(y, z, classes=classes[1:])
    monkeypatch.setattr(vocabulary, "ROOMY", 0)
    assert found == [ix.evaluate(y, z), ix.evaluate(y, z, classes=classes)]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64, np.float16, np.float64, bool])
def test_classes_that_a_type_cannot_hold_are_no_label_of_it(dtype: Any) -> None:
    y = np.array([0, 1, 1]).astype(dtype)
    for other in (2, 300, -5, 2**11 + 1, 2**53 + 1, 2**70, "a", 0.5, 1e300):
        if isinstance(other, str):
            with pytest.raises(TypeError):
                ix.evaluate(y, y, classes=[0, 1, other])
            continue
        assert ix.evaluate(y, y, classes=[0, 1, other]).confusion.tolist() == [[1, 0, 0], [0, 2, 0], [0, 0, 0]]


@pytest.mark.parametrize("masked", [False, True])
def test_pairs_of_classes_do_not_rank_the_scores_again(monkeypatch: pytest.MonkeyPatch, masked: bool) -> None:
    rng = np.random.default_rng(0)
    y, scores = rng.integers(0, 12, 200), np.round(rng.random((200, 13)), 1)
    options = {"mask": rng.random((200, 13)) < 0.8} if masked else {}
    calls = count_calls(monkeypatch, areas, "rank_scores")
    found = ix.measures.hand_till_auc(y, scores, classes=range(13), **options)
    assert not calls
    one_each = ix.measures.hand_till_auc(y, scores, classes=range(13), sample_weight=np.ones(200), **options)  # pair by pair
    assert len(calls) == 13 * 12
    np.testing.assert_allclose(found.values, one_each.values, rtol=1e-14, equal_nan=True)


@pytest.mark.one_fast_case
@pytest.mark.parametrize("kind", ["binary", "multiclass", "multilabel"])
@pytest.mark.parametrize("masked", [False, True])
def test_small_groups_are_ranked_together_and_have_the_areas_of_their_parts(
    monkeypatch: pytest.MonkeyPatch, kind: str, masked: bool
) -> None:
    rng = np.random.default_rng(3)
    n, m = 400, 1 if kind == "binary" else 3
    scores = np.round(rng.normal(size=(n, m)), 1)
    scores[rng.random((n, m)) < 0.05] = -np.inf
    y = (rng.random((n, m)) < 0.4).astype(int) if kind == "multilabel" else rng.integers(0, max(m, 2), n)
    given = scores[:, 0] if kind == "binary" else scores
    groups = np.concatenate([np.repeat(range(100, 103), 60), rng.integers(0, 90, n - 180)])  # three large ones, many small
    options: dict[str, Any] = {"mask": rng.random(scores.shape) < 0.8} if masked and kind != "binary" else {}
    swept = ix.sweep(y, given, by={"site": groups}, **options)
    monkeypatch.setattr(ranked_units, "BLOCK", 64 * 50 * m)
    parts = swept.split("site")
    for area in areas_module.AREAS.values():
        own = {"partial_auc": {"max_fpr": 0.3}, "threshold_average": {"measure": "f1"}}.get(area.name, {})
        score = area(swept, average="site", **own)
        np.testing.assert_allclose(score.values, [area(part.micro, **own) for part in parts.values()], rtol=1e-13, atol=1e-15)
        assert score.counts.names == (tuple(parts),)
    calls = count_calls(monkeypatch, ranked_units, "rank_scores")
    ix.auc(swept, average="site")
    assert len(calls) == 3


def test_many_groups_are_slices_of_one_copy() -> None:
    rng = np.random.default_rng(1)
    swept = ix.sweep(rng.integers(0, 2, 1000), rng.random(1000), by={"site": rng.integers(0, 300, 1000)})
    bases = {id(part.rows.scores.base) for part in swept.split("site").values() if part.rows is not None}
    assert len(bases) == 1


ARITHMETIC = [m for m in ix.algebra.MEASURES.values() if not m.averages]


@for_each("measure", ARITHMETIC)
def test_quotients_of_all_thresholds_are_the_exact_values(measure: Any) -> None:
    rng = np.random.default_rng(7)
    counts = ix.Counts(*rng.integers(1, 50, (4, 40)))
    found = exact_quotients(measure, counts)
    if found is None:
        return
    exact = [exactly(measure)(*map(Fraction, four)) for four in zip(*(x.tolist() for x in counts), strict=True)]
    assert [Fraction(a, b) for a, b in zip(*(x.tolist() for x in found), strict=True)] == exact


def test_most_measures_are_quotients() -> None:
    counts = ix.Counts(*np.full((4, 2), 3))
    assert sum(exact_quotients(m, counts) is not None for m in ARITHMETIC) > len(ARITHMETIC) / 2


@pytest.mark.parametrize("name", ["accuracy", "informedness", "kappa", "mcc", "g_mean", "f1"])
def test_a_plateau_is_compared_at_once(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Positives and negatives alternate: very many thresholds are as good as the best, or nearly."""
    swept = ix.sweep([0, 1] * 2_000, np.linspace(0, 1, 4_000))
    measure, calls = ix.algebra.MEASURES[name], []

    def formula(*counts: Any) -> Any:
        calls.append(None)
        return measure.function(*counts)

    found = swept.best(ix.Measure(name, formula, better="higher"))
    assert len(calls) < 200
    monkeypatch.setattr(best_module, "MANY", 10**9)  # one by one, in fractions
    assert found.plateaus == swept.best(measure).plateaus


# --- groups: memory within a small multiple of the rows

GROUPS, CLASSES = 2_000, 1_000
# Sets are read in blocks that need more memory than 4000 rows may; sums of weights are exact, which takes time, not memory.
OTHER_GROUPS = {"sets": 8_000, "weights": 500}


def groups_of(kind: str) -> int:
    return OTHER_GROUPS.get(kind, GROUPS)


def peak(call: Callable[[], Any]) -> tuple[Any, int]:
    """Return what a call returns, and the most bytes that it held at a time."""
    tracemalloc.start()
    try:
        return call(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def labels(kind: str) -> tuple[Any, Any, dict[str, Any]]:
    rng = np.random.default_rng(0)
    rows = 2 * groups_of(kind)
    by = {"by": {"site": rng.integers(0, groups_of(kind), rows)}}
    m = 60 if kind == "tables" else CLASSES
    y, z = rng.integers(0, m, (2, rows))
    options: dict[str, Any] = {**by, "classes": range(m)}
    if kind == "confusion":
        options["confusion"] = True
    if kind == "weights":
        options["sample_weight"] = rng.random(rows)
    if kind == "sets":
        return [{i} for i in y.tolist()], [{i, (i + 1) % m} for i in z.tolist()], options
    return y, z, options


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["classes", "tables", "confusion", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("weights", "sets"))]
)
def test_many_groups_and_classes_need_memory_for_what_occurs(tmp_path: Path, kind: str) -> None:
    y, z, options = labels(kind)
    ix.evaluate(y[:10], z[:10], classes=options["classes"]).score("f1", "macro")  # what is imported is not counted
    most = len(y) * 3000  # bytes; a dense state has 8 * 4 * 1000 for each group, which is 16,000 for each row
    ev, used = peak(lambda: ix.evaluate(y, z, **options))
    assert used < most
    for average in ("site", "macro", "micro", "exemplar"):
        assert peak(lambda average=average: ev.score("f1", average))[1] < most
    path = tmp_path / "ev.json"
    assert peak(lambda: ev.save(path))[1] < 2 * most
    assert path.stat().st_size < len(y) * (400 if kind == "weights" else 120)  # exact sums of weights, and of their squares
    back, used = peak(lambda: ix.load(path))
    assert used < 2 * most
    same, used = peak(lambda: back == ev)
    assert same
    assert used < most
    twice, used = peak(lambda: ev + back)
    assert used < most
    assert np.array_equal(twice.aggregate("site").tp, 2 * ev.aggregate("site").tp)
    parts, used = peak(lambda: ev.split("site"))
    assert used < 2 * most
    assert len(parts) == len(ev.tally.parts) > groups_of(kind) / 2


@pytest.mark.one_fast_case
@pytest.mark.parametrize("kind", ["classes", "tables", "confusion", "weights", "sets"])
def test_packed_groups_are_the_parts_of_each_group(kind: str) -> None:
    y, z, options = labels(kind)
    site = options["by"]["site"]
    ev = ix.evaluate(y, z, **options)
    options = {name: value for name, value in options.items() if name != "by"}
    for name in np.unique(site)[:2].tolist():
        rows = np.flatnonzero(site == name)
        own = {**options, "sample_weight": options["sample_weight"][rows]} if "sample_weight" in options else options
        pairs = {"confusion": True} if kind == "tables" else {}
        alone = ix.evaluate([y[i] for i in rows], [z[i] for i in rows], **{**own, **pairs}).tally.pooled
        part = ev.tally.parts[(name,)]
        assert part == (alone if isinstance(part, type(alone)) else alone.summed())


# --- taxonomies: what is kept grows with the labels that occur, not with the square of the depth


def chain(deep: int, several_parents: bool = False) -> Any:
    """Return a taxonomy in which each node lies under the one before; in a graph, also under another."""
    edges = [(None, 0), *((i - 1, i) for i in range(1, deep))]
    return ix.taxonomy([*edges, *((i - 2, i) for i in range(2, deep, 7))] if several_parents else edges)


@pytest.mark.one_fast_case
@pytest.mark.parametrize(("deep", "several_parents"), [(2_000, False), (1_000, True)])
def test_a_deep_taxonomy_needs_memory_for_the_labels_that_occur(deep: int, several_parents: bool) -> None:
    t, last = chain(deep, several_parents), deep - 1
    most = 200 * deep * 8 + 1_000_000  # bytes; all ancestors of all nodes would be deep / 2 for each
    assert peak(lambda: t.ancestors(last))[1] < most
    distances, used = peak(lambda: t.distance([0, 10, last]))
    assert used < most
    if not several_parents:
        assert distances.tolist() == [[0, 10, last], [10, 0, last - 10], [last, last - 10, 0]]
    y, z = [last, 5] * 10, [last, 7, last - 1, 5] * 5
    ev, used = peak(lambda: ix.evaluate(y, z, hierarchy=t))
    assert used < most
    assert ev.aggregate().tp == 5 * (2 * deep - 1 + 6 + 6)


def test_closed_labels_are_written_out_block_by_block() -> None:
    y = np.full(4_000, 1_999)
    assert peak(lambda: ix.evaluate(y, y, hierarchy=chain(2_000)))[1] < 4_000 * 2_000  # a byte each; whole rows have eighteen


# --- theory of results: classes are read a fixed number of times


def counted_measure(name: str) -> tuple[ix.Measure, list[None]]:
    """Return a measure with the formula of a registered one, and a list that grows with each call of it."""
    measure, calls = ix.algebra.MEASURES[name], list[None]()

    def formula(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        calls.append(None)
        return measure.function(tp, fp, fn, tn)

    return ix.Measure(f"counted_{name}", formula, range=measure.range, better=measure.better), calls


def test_a_collapse_values_each_class_once() -> None:
    """Averages over classes share the values of classes, however many averages and other measures there are."""
    more = {}
    for m in (50, 100):
        y = np.repeat(np.arange(m), np.arange(1, m + 1))
        measure, calls = counted_measure("f1")
        ix.evaluate(y, np.where(np.arange(len(y)) % 3, y, 0)).coinciding_scores([measure, "recall", "precision", "jaccard"])
        more[m] = len(calls)
    assert more[100] - more[50] == 50


@pytest.mark.parametrize("weighted", [False, True])
def test_findings_count_once_what_many_scores_read(monkeypatch: pytest.MonkeyPatch, weighted: bool) -> None:
    rng = np.random.default_rng(0)
    y, z = rng.integers(0, 12, (2, 300))
    ev = ix.evaluate(y, z, sample_weight=rng.integers(1, 9, 300) / 2 if weighted else None)
    calls = count_calls(monkeypatch, Tally, "aggregate")
    assert ev.findings()
    assert len(calls) < 12  # it was 49


def test_rows_of_weighted_examples_do_not_add_up_the_table_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    y, z = rng.integers(0, 12, (2, 300))
    ev = ix.evaluate(y, z, sample_weight=rng.random(300))
    expected = ev.aggregate("example")
    calls = count_calls(monkeypatch, group_counts, "exactly")
    again = [ev.aggregate("example") for _ in range(5)]
    assert not calls
    assert all(str(counts) == str(expected) for counts in again)


# --- comparisons


def test_what_a_pair_of_classes_adds_is_asked_once_for_each_classifier(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 100)
    calls = count_calls(monkeypatch, paired_cells, "contributions")
    found = ix.compare(y, {str(k): np.where(rng.random(100) < 0.8, y, 1 - y) for k in range(6)}, "accuracy", "binary")
    assert len(found.differences) == 15
    assert len(calls) == 6


# --- values of groups and classes


@pytest.mark.parametrize("per", [("site", "class"), ("class", "site")])
def test_values_of_groups_and_classes_need_little_more_memory_than_they_are(per: tuple[str, str]) -> None:
    rng = np.random.default_rng(0)
    y, z = rng.integers(0, 2_000, (2, 4_000))
    ev = ix.evaluate(y, z, classes=range(2_000), by={"site": rng.integers(0, 3_000, 4_000)})
    values, used = peak(lambda: ev.values("f1", per=per))
    assert used < 2 * values.nbytes  # the counts alone are four times as many numbers


@pytest.mark.parametrize("kind", ["classes", "weights", "sets", "tables"])
@pytest.mark.parametrize(
    "per", [("site", "class"), ("class", "site"), ("day", "class", "site"), ("site", "day", "class"), ("site", "day")]
)
def test_values_in_blocks_are_those_of_all_counts(monkeypatch: pytest.MonkeyPatch, kind: str, per: tuple[str, ...]) -> None:
    rng = np.random.default_rng(0)
    n, m = 60, 5 if kind == "tables" else 70
    y, z = rng.integers(0, m, (2, n)).tolist()
    given = ([{i} for i in y], [{i, i // 2} for i in z]) if kind == "sets" else (y, z)
    weights = {"sample_weight": rng.random(n)} if kind == "weights" else {}
    by = {"site": rng.integers(0, 9, n), "day": rng.choice(["mo", "tu"], n)}
    ev = ix.evaluate(*given, classes=range(m), by=by, **weights)
    whole = {undefined: ev.values("f1", per=per, undefined=undefined) for undefined in ("nan", 0)}
    monkeypatch.setattr(regrouped, "BLOCK", 100)
    for undefined, expected in whole.items():
        found = ev.values("f1", per=per, undefined=undefined)
        assert np.asarray(found).tobytes() == np.ascontiguousarray(expected).tobytes()
        assert (found.names, found.per) == (expected.names, expected.per)


# --- many groups


@pytest.mark.parametrize("average", ["binary", "macro"])
def test_groups_with_the_same_counts_have_one_interval(monkeypatch: pytest.MonkeyPatch, average: str) -> None:
    rng = np.random.default_rng(0)
    n = 3_000
    y, z = rng.integers(0, 2, (2, n))
    ev = ix.evaluate(y, z, by={"site": np.arange(n) // 3})
    calls = count_calls(monkeypatch, group_samples, "interval")
    found = ev.compare_groups("f1", "site", average=average).intervals
    assert len(found) == 1_000
    assert len(calls) <= 20  # so many are the counts of three examples
    for name, part in list(ev.split("site").items())[:50]:
        assert repr(found[name]) == repr(part.interval("f1", average))


def test_weighted_groups_have_intervals_of_their_own() -> None:
    y, z, site = [1, 1, 0, 1] * 6, [1, 0, 0, 1] * 6, ["x"] * 12 + ["y"] * 12
    ev = ix.evaluate(y, z, by={"site": site}, sample_weight=[1, 2, 3, 4] * 3 + [4, 3, 2, 1] * 3)
    found = ev.compare_groups("f1", "site").intervals
    assert [repr(i) for i in found.values()] == [repr(part.interval("f1", "binary")) for part in ev.split("site").values()]
