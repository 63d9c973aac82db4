"""Groups that tallies share are added together: the state is that of parts added one by one, and of one pass over all rows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples
from problems import Problem, problems

import indicatrix as ix
from indicatrix.tally.saved.saved_tally import to_json
from indicatrix.tally.states.group_counts import CrossTable, Part, Summed
from indicatrix.tally.states.states import merge, widen


def state(ev: ix.Evaluation) -> list:
    """Return all that is saved of an evaluation, number types included, in the order of the groups."""
    data = to_json(ev.tally)
    return [{**data, "parts": None}, sorted(data["parts"], key=repr)]


@given(problems(), st.data())
def test_batches_with_the_same_groups_have_the_state_of_one_pass(problem: Problem, data: st.DataObject) -> None:
    bags, batch = (np.array(data.draw(st.lists(st.integers(0, 2), min_size=problem.n, max_size=problem.n)), int) for _ in "ab")
    problem = replace(problem, per_row={**problem.per_row, "by": {"bag": bags}})
    whole = problem.evaluate()
    batches = [problem.evaluate(np.flatnonzero(batch == k)) for k in range(3)]
    together = reduce(ix.Evaluation.__add__, batches)
    assert together == whole
    with patch("indicatrix.tally.states.states.ENTRIES", 1):  # one part at a time
        assert state(reduce(ix.Evaluation.__add__, batches)) == state(together)


def tables(rng: np.random.Generator, k: int, dtype: Any) -> list[Part]:
    return [CrossTable(rng.integers(0, 9, (4, 4)).astype(dtype), int(rng.integers(0, 3))) for _ in range(k)]


def counts(rng: np.random.Generator, k: int, dtype: Any) -> list[Part]:
    made = []
    for rows in rng.integers(0, 6, k):  # 0: a group of which nothing was observed
        part = ix.evaluate(*(rng.random((2, rows, 3)) < 0.4), classes=[0, 1, 2]).tally.pooled.summed()
        made.append(Summed(part.per_class.astype(dtype), part.per_example, part.times.astype(dtype)))
    return made


@pytest.mark.parametrize("dtype", [np.int64, object])
@pytest.mark.parametrize("kind", [tables, counts])
def test_parts_are_merged_as_one_by_one(kind: Any, dtype: Any) -> None:
    rng = np.random.default_rng(3)
    left, right = ({(k + first,): part for k, part in enumerate(kind(rng, 50, dtype))} for first in (0, 20))
    found = merge(left, right)
    assert list(found) == [(k,) for k in range(70)]
    for key, part in found.items():
        expected = left[key] + right[key] if key in left and key in right else left.get(key, right.get(key))
        assert part == expected
        arrays = [getattr(part, name) for name in ("table", "per_class", "per_example", "times") if hasattr(part, name)]
        shared = key in left and key in right
        assert all(x is None or x.base is None for x in arrays) or not shared  # it keeps no other part's numbers in memory
        assert all(x is None or x.dtype in (dtype, np.int64) for x in arrays)


def test_unlike_parts_are_merged_one_by_one() -> None:
    rng = np.random.default_rng(5)
    kinds = [*tables(rng, 3, np.int64), *tables(rng, 3, object), *counts(rng, 3, np.int64), *counts(rng, 3, object)]
    one, other = ({(k,): part for k, part in enumerate(parts)} for parts in (kinds, kinds[::-1]))
    assert merge(one, other) == {key: one[key] + other[key] for key in one}
    unknown = {(k,): Summed(part.cells(), None, None) for k, part in enumerate(kinds)}
    assert merge(one, unknown) == {key: one[key] + unknown[key] for key in one}


@pytest.mark.parametrize("kind", [tables, counts])
def test_classes_are_added_as_one_by_one(kind: Any) -> None:
    parts = {(k,): part for k, part in enumerate(kind(np.random.default_rng(7), 30, np.int64))}
    position = np.array([4, 0, 2])
    assert widen(parts, position, 5) == {key: part.widen(position, 5) for key, part in parts.items()}
    assert widen({}, position, 5) == {}


def test_merged_counts_do_not_overflow() -> None:
    huge = CrossTable(np.full((2, 2), 2**60))
    parts = {(k,): huge for k in range(4)}
    assert all(part.table.tolist() == [[2**61] * 2] * 2 for part in merge(parts, parts).values())
    twice = merge(merge(parts, parts), merge(parts, parts))
    assert all(part.table.tolist() == [[2**62] * 2] * 2 for part in twice.values())
    assert sum(part.table.sum() for part in twice.values()) == 16 * 2**62


def test_weights_are_merged_exactly() -> None:
    ids, weights = np.arange(90) % 30, np.tile([0.1, 1e-9, 1e9], 30)
    found = sum(
        ix.evaluate(ids[s] % 2, ids[s] % 3 % 2, by={"bag": ids[s]}, sample_weight=weights[s])
        for s in (slice(0, 45), slice(45, 90))
    )
    exact = [sum(Fraction(w) for w in weights[ids == bag]) for bag in range(30)]
    assert [found.tally.parts[(bag,)].table.sum() for bag in range(30)] == exact


def test_sizes_are_added() -> None:
    one, two = (ix.evaluate(sites, sites, by={"site": sites}) for sites in ([1, 1, 2, 2, 2], [2, 2, 2, 2, 3]))
    assert (one + two).tally.sizes == {(1,): 2, (2,): 7, (3,): 1}


@examples(60)
@given(problems(), st.data())
def test_equal_evaluations_save_equal_bytes(problem: Problem, data: st.DataObject) -> None:
    """Whatever the order of the rows, of the batches and of the sums, a file does not tell."""
    bags = [data.draw(st.lists(st.sampled_from(names), min_size=problem.n, max_size=problem.n)) for names in ((2, 0, 1), "ba")]
    problem = replace(problem, per_row={**problem.per_row, "by": {"bag": bags[0], "site": bags[1]}})
    whole = problem.evaluate()
    places = data.draw(st.permutations(range(problem.n)))
    cuts = sorted(data.draw(st.lists(st.integers(0, problem.n), max_size=3)))
    batches = [problem.evaluate(places[start:stop]) for start, stop in pairwise([0, *cuts, problem.n])]
    together = reduce(ix.Evaluation.__add__, data.draw(st.permutations(batches)))
    assert together == whole
    with TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("whole", "together", "again")]
        whole.save(files[0])
        together.save(files[1])
        ix.load(files[1]).save(files[2])
        assert len({file.read_bytes() for file in files}) == 1


def test_a_batch_without_examples_keeps_what_intervals_need() -> None:
    memberships = {"tnorm": "product", "classes": ["a", "b"]}
    some, none = ix.evaluate([[0.2, 0.9]] * 5, [[0.5, 0.5]] * 5, **memberships), ix.evaluate([], [], **memberships)
    for whole in (some + none, none + some):
        assert whole.interval("recall", "micro").low == some.interval("recall", "micro").low
