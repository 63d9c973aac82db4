"""Every fast path equals the literal cells; batches merge to the same state; files give back what was saved."""

from __future__ import annotations

import json
import math
import pickle
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each
from problems import Problem, problems

import indicatrix as ix
from indicatrix.algebra.average import averages_over, averages_that
from indicatrix.algebra.score import combine

DISTINCT = list(dict.fromkeys(ix.algebra.MEASURES.values()))
CONVENTIONS = ("exclude", 0, 1, 0.25, "nan")


def same(a: float, b: float) -> bool:
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


def averages(measure: ix.Measure, source) -> list[str]:
    if measure.averages:
        return list(measure.averages)
    rows = averages_that(lambda average: set(average.per) <= set(source.axes) and (average.general or measure.decomposition))
    return [*rows, *(a for a in source.axes if a not in ("class", "example") and a not in rows)]


# Each problem meets some of the measures, drawn anew: more problems for the same time than if each met all.
SOME = st.integers(0, 6).map(lambda first: DISTINCT[first::7])


class Once:
    """A source that sums its counts once for each choice of axes, whichever measures read them."""

    def __init__(self, source: ix.Cells) -> None:
        self.source, self.aggregate, self.binary = source, cache(source.aggregate), cache(source.binary)

    def __getattr__(self, name: str) -> object:
        return getattr(self.source, name)


@given(problems(), SOME)
def test_every_measure_average_and_convention_equals_the_literal_cells(problem: Problem, measures: list[ix.Measure]) -> None:
    ev, literal = problem.evaluate(), problem.cells()
    known = ev.positive in ev.classes  # groups read the positive class, which the literal cells have to be told
    literal, alone = Once(replace(literal, positive=ev.positive if known else None)), ev.positive is not None and not known
    for measure in measures:
        for average in (a for a in averages(measure, ev) if not (alone and a in ev.tally.by)):
            if measure.meant_for(ev, average) is not measure:  # accuracy of groups, which is of examples: the next law
                continue
            ours, theirs = (measure.score(source, average, 0.25).sensitivity().values for source in (ev, literal))
            for undefined in CONVENTIONS:
                assert same(ours[undefined], theirs[undefined]), (measure, average, undefined, ours, theirs)


def shares_of_right_examples(literal: ix.Cells, axis: str) -> np.ndarray:
    """Return the share of examples without a wrong cell in each group of which anything was observed."""
    rows, (names, group) = literal.aggregate("example"), literal.by[axis]
    weights = np.where(rows.n > 0, np.ones(len(group)) if literal.weight is None else literal.weight, 0.0)
    right, all_of = (np.bincount(group, x, len(names)) for x in (weights * (rows.fp + rows.fn == 0), weights))
    return right[all_of > 0] / all_of[all_of > 0]


@given(problems(kinds=("labels", "codes")))
def test_accuracy_over_groups_is_the_mean_of_the_shares_of_right_examples(problem: Problem) -> None:
    ev, literal = problem.evaluate(), problem.cells()
    for axis in ev.tally.by:
        own = shares_of_right_examples(literal, axis)
        for undefined in CONVENTIONS:
            assert same(float(ev.score("accuracy", axis, undefined=undefined)), combine(own, None, undefined))


@given(problems(), st.sampled_from(DISTINCT), st.sampled_from(CONVENTIONS))
def test_a_score_is_what_its_sensitivity_says(problem: Problem, measure: ix.Measure, undefined: object) -> None:
    ev = problem.evaluate()
    for average in averages(measure, ev):
        score = ev.score(measure, average, undefined=undefined)
        sensitivity = score.sensitivity()
        assert same(score, sensitivity.values[undefined])
        assert sensitivity.undefined_units == score.undefined_units
        if not score.undefined_units and not math.isnan(score):
            assert sensitivity.spread == 0
        if not score.undefined_units:
            assert same(score, ev.score(measure, average, undefined="raise"))
        else:
            with pytest.raises(ix.types.UndefinedError, match="undefined"):
                ev.score(measure, average, undefined="raise")


@pytest.mark.usefixtures("kernels")
@examples(75)
@given(problems(), st.data())
def test_counts_along_every_axis_equal_the_literal_cells(problem: Problem, data: st.DataObject) -> None:
    ev, literal = problem.evaluate(), problem.cells()
    other = data.draw(st.sampled_from(["class", "target"]))  # a class belongs to one target: only one of them can be kept
    axes = [a for a in ev.axes if a not in ("example", other)]
    per = tuple(data.draw(st.permutations(axes)))[: data.draw(st.integers(0, len(axes)))]
    ours, theirs = ev.aggregate(per), literal.aggregate(per)
    assert ours.per == theirs.per == per
    assert ours.names == theirs.names
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(np.asarray(a, float), np.asarray(b, float), rtol=1e-12, atol=1e-12)


TINY = {
    "indicatrix.encode.vocabulary": ("BLOCK",),
    "indicatrix.encode.factorize": ("SMALL_BLOCK",),
    "indicatrix.tally.kernels.kernels": ("BLOCK", "BYTE_BLOCK"),
    "indicatrix.tally.counting.code_tables": ("BLOCK", "BYTE_BLOCK", "DIRECT", "MANY", "PAIRS"),
    "indicatrix.tally.counting.counting": ("ENTRIES", "MANY", "MANY_GROUPED"),
    "indicatrix.tally.counting.literal_counting": ("ENTRIES",),
    "indicatrix.tally.counting.example_groups": ("ROWS",),
    "indicatrix.tally.states.group_counts": ("ENTRIES", "IN_LISTS"),
    "indicatrix.tally.tally": ("MANY", "MANY_GROUPED"),
}


@pytest.mark.usefixtures("kernels")
@given(problems(), st.data())
def test_limits_and_blocks_change_nothing(problem: Problem, data: st.DataObject) -> None:
    """With blocks of two rows and tables of at most two classes, every path crosses its borders."""
    batch = data.draw(st.lists(st.integers(0, 1), min_size=problem.n, max_size=problem.n))
    usual = problem.evaluate()
    with ExitStack() as stack:
        for module, constants in TINY.items():
            stack.enter_context(patch.multiple(module, **dict.fromkeys(constants, 2)))
        whole = problem.evaluate()
        assert sum(problem.evaluate([i for i, b in enumerate(batch) if b == k]) for k in (0, 1)) == whole
    for per in ("class", "example", ()):
        assert usual.aggregate(per) == whole.aggregate(per)


@given(st.lists(st.tuples(st.integers(0, 3), st.lists(st.floats(-1, 1), min_size=4, max_size=4)), max_size=8), st.integers(1, 4))
def test_labels_against_the_top_scores(rows: list, k: int) -> None:
    labels, scores = [label for label, _ in rows], np.array([s for _, s in rows]).reshape(-1, 4)
    chosen = [set(sorted(range(4), key=lambda j: (-s[j], j))[:k]) for s in scores.tolist()]
    truth = [{label} for label in labels]
    assert ix.evaluate(labels, scores, decide=ix.top_k(k)).tally == ix.evaluate(truth, chosen, classes=range(4)).tally
    hits = [y if y in top else int(np.argmax(s)) for y, top, s in zip(labels, chosen, scores, strict=True)]
    assert ix.evaluate(labels, scores, decide=ix.hit_in_top(k)).tally == ix.evaluate(labels, hits, classes=range(4)).tally


HITS: list[dict[str, Any]] = [
    {"sample_weight": np.arange(40) % 3},
    {"mask": np.arange(40) % 5 > 0},
    {"by": {"site": np.arange(40) % 2}},
    {"ordinal": True},
    {"cost": np.arange(16).reshape(4, 4) * (1 - np.eye(4))},
    {"known": range(4)},
    {"known": range(3)},
    {"positive": 2},
    {"missing": "mask"},
]


@pytest.mark.parametrize("options", HITS, ids=lambda x: next(iter(x)))
def test_a_hit_in_the_top_scores_is_a_prediction_in_every_setting(options: dict[str, Any], tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    scores, truth = rng.random((40, 4)), rng.integers(0, 4, 40)
    own = options if "known" in options else {"classes": range(4), **options}
    if options.get("known") == range(3):
        scores = scores[:, :3]
    top = np.argsort(-scores, axis=1)[:, :2]
    hits = np.where((top == truth[:, None]).any(axis=1), truth, top[:, 0])
    labels = [None if i == 3 and "missing" in options else y for i, y in enumerate(truth.tolist())]
    ours, plain = ix.evaluate(labels, scores, decide=ix.hit_in_top(2), **own), ix.evaluate(labels, hits.tolist(), **own)
    assert ours.tally.parts == plain.tally.parts
    assert (ours.n, ours.classes) == (plain.n, plain.classes)
    ours.save(tmp_path / "ev.json")
    assert ix.load(tmp_path / "ev.json") == ours


def test_hits_need_one_true_label() -> None:
    with pytest.raises(ValueError, match="needs one true label per example"):
        ix.evaluate(np.eye(3, dtype=int), np.eye(3), decide=ix.hit_in_top(2))
    with pytest.raises(ValueError, match=r"decide=hit_in_top\(4\) asks for more classes than the 3"):
        ix.evaluate([0, 1, 2], np.eye(3), decide=ix.hit_in_top(4))
    with pytest.raises(ValueError, match="hit_in_top takes a whole number"):
        ix.hit_in_top(0)


@pytest.mark.slow
@given(st.lists(st.tuples(*[st.sampled_from(["a", "b", None])] * 2), max_size=8), SOME)
def test_missing_labels_are_hidden_examples(rows: list, measures: list[ix.Measure]) -> None:
    y, z = ([r[side] for r in rows] for side in (0, 1))
    seen = [None not in r for r in rows]
    filled = ([x or "a" for x in side] for side in (y, z))
    ours, literal = ix.evaluate(y, z, missing="mask", classes=["a", "b"]), ix.cells(*filled, mask=seen, classes=["a", "b"])
    for measure in measures:
        for average in averages(measure, ours):
            for undefined in ("exclude", 0):
                assert same(measure.score(ours, average, undefined), measure.score(literal, average, undefined))


@pytest.mark.usefixtures("kernels")
@examples(50)
@given(problems(options=False))
def test_unweighted_counts_are_exact_integers(problem: Problem) -> None:
    ev = problem.evaluate()
    if ev.kind != "soft":
        for per in ("class", "example", ()):
            assert all(np.asarray(x).dtype.kind == "i" for x in ev.aggregate(per))


@examples(75)
@given(problems(), st.data())
def test_merging_any_partition_in_any_order_gives_the_identical_state(problem: Problem, data: st.DataObject) -> None:
    whole = problem.evaluate()
    batch = data.draw(st.lists(st.integers(0, 2), min_size=problem.n, max_size=problem.n))
    parts = [problem.evaluate([i for i, b in enumerate(batch) if b == k]) for k in data.draw(st.permutations([0, 1, 2]))]
    assert (parts[0] + parts[1]) + parts[2] == whole
    assert parts[0] + (parts[1] + parts[2]) == whole == sum(parts)


@given(problems())
def test_the_empty_evaluation_is_the_identity(problem: Problem) -> None:
    ev = problem.evaluate()
    assert ix.evaluate([], []) + ev == ev == ev + ix.evaluate([], [])


@given(problem=problems())
def test_save_then_load_is_the_identity(tmp_path_factory: pytest.TempPathFactory, problem: Problem) -> None:
    ev = problem.evaluate()
    path = tmp_path_factory.mktemp("saved") / "ev.json"
    ev.save(path)
    assert ix.load(path) == ev == ix.load(path)
    assert pickle.loads(pickle.dumps(ev)) == ev


def test_a_saved_file_does_not_grow_with_the_rows(tmp_path) -> None:
    rng = np.random.default_rng(0)
    sizes = []
    for n in (1_000, 100_000):
        y, z = rng.integers(0, 2, (2, n, 5))
        ix.evaluate(y, z).save(tmp_path / "ev.json")
        text = (tmp_path / "ev.json").read_text("utf-8")
        json.loads(text)
        sizes.append(len(text))
    assert sizes[1] < 2 * sizes[0] < 20_000


@given(problems(kinds=("labels", "dense", "sets"), options=False), st.data(), SOME)
def test_whole_weights_are_repetitions(problem: Problem, data: st.DataObject, measures: list[ix.Measure]) -> None:
    times = np.array(data.draw(st.lists(st.integers(0, 3), min_size=problem.n, max_size=problem.n)), dtype=int)
    weighted = ix.evaluate(*problem.labels(np.arange(problem.n)), **problem.whole, sample_weight=times)
    repeated = ix.evaluate(
        *problem.labels(np.repeat(np.arange(problem.n), times)), **problem.whole, **_classes(weighted, problem)
    )
    for measure in measures:
        for average in averages(measure, repeated):
            assert same(weighted.score(measure, average), repeated.score(measure, average)), (measure, average)


def _classes(ev: ix.Evaluation, problem: Problem) -> dict:
    return {} if "classes" in problem.whole else {"classes": ev.classes}


def test_many_classes_count_like_few() -> None:
    rng = np.random.default_rng(1)
    y, z = rng.integers(0, 2000, (2, 5000))
    ev = ix.evaluate(y, z)
    with pytest.raises(ValueError, match=f"{len(ev.classes)} classes"):
        _ = ev.confusion
    kept = ix.evaluate(y, z, confusion=True)
    assert kept.confusion.sum() == 5000
    for measure in ("f1", "mcc", "accuracy"):
        for average in averages_over("class", "example"):
            assert same(ev.score(measure, average), kept.score(measure, average))
    halves = ix.evaluate(y[:2500], z[:2500]) + ix.evaluate(y[2500:], z[2500:])
    assert halves == ev
    assert ix.evaluate(y[:300], z[:300]) + ix.evaluate(y[300:], z[300:]) == ev


@pytest.mark.usefixtures("kernels")
@for_each("dtype", [np.uint8, bool, np.int64, np.float32])
@for_each("shape", [(70_000, 3), (3_000, 57), (3_000, 58), (1_000, 300), (257, 1), (40_000, 9)])
def test_dense_kernels_equal_plain_sums(shape, dtype) -> None:
    rng = np.random.default_rng(2)
    y, z = (rng.random((2, *shape)) < 0.9).astype(dtype)
    ev = ix.evaluate(y, z)
    a, b = y.astype(bool), z.astype(bool)
    four = (a & b, ~a & b, a & ~b, ~a & ~b)
    assert all((x == c.sum(0)).all() for x, c in zip(ev.aggregate("class"), four, strict=True))
    rows, times = np.unique(np.stack([c.sum(1) for c in four]), axis=1, return_counts=True)
    examples = ev.aggregate("example")
    assert (np.stack(list(examples)) == rows).all()
    assert (examples.times == times).all()
    assert ev == ix.evaluate(np.asfortranarray(y), np.repeat(z, 2, axis=0)[::2])


@pytest.mark.usefixtures("kernels")
@for_each("n", [0, 1, 2, 32_767, 32_768, 131_073, 300_001])
@for_each("top", [2, 15, 16, 300])
@for_each("dtype", [np.int8, np.uint8, np.int64, np.uint16])
def test_cross_tables_equal_plain_counting(n, top, dtype) -> None:
    rng = np.random.default_rng(3)
    y, z = rng.integers(0, min(top, np.iinfo(dtype).max), (2, n)).astype(dtype)
    ev = ix.evaluate(y, z)
    expected = np.zeros((len(ev.classes),) * 2, int)
    position = np.full(top + 1, -1)
    position[list(ev.classes)] = np.arange(len(ev.classes))
    np.add.at(expected, (position[y], position[z]), 1)
    assert (ev.confusion == expected).all()
    names = [f"c{k:03d}" for k in range(top)]
    assert (ix.evaluate([names[k] for k in y], [names[k] for k in z]).confusion == expected).all()
    assert (ix.evaluate(y, z, classes=range(top)).confusion[np.ix_(ev.classes, ev.classes)] == expected).all()


def test_classes_that_were_found_take_the_order_of_given_ones():
    found, given = ix.evaluate(["a", "b"], ["b", "b"]), ix.evaluate(["b", "b"], ["a", "b"], classes=["b", "a"])
    for both in (found + given, given + found):
        assert both.classes == ("b", "a")
        assert both.confusion.tolist() == [[2, 1], [1, 0]]
    with pytest.raises(ValueError, match="different classes"):
        given + ix.evaluate(["a"], ["c"])


@pytest.mark.slow
def test_counts_of_signed_weights_may_be_negative_in_every_form() -> None:
    by = {"site": list("xxyy")}
    ev = ix.evaluate([0, 1, 1, 0], [0, 1, 0, 0], sample_weight=[1, -3, 1, 2], signed_weights=True, by=by)
    parts = ev.binary(("site",)), ev.aggregate("class"), ev.aggregate(("site", "class"))
    assert min(ev.binary()) < 0
    for counts in (ev.binary(), ev.aggregate(), *parts, *(part.sum() for part in parts), parts[0].at(site="x")):
        assert ix.Counts(*counts, per=counts.per, names=counts.names, signed=True) == counts
        np.testing.assert_array_equal(ix.recall.values(counts + counts), ix.recall.values(counts))
        assert counts.without("tn").signed
    for measure in DISTINCT:
        for average in averages(measure, ev):
            ev.score(measure, average)
            ev.exact(measure, average)
    assert "x" in str(ev)
