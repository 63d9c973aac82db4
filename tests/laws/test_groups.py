"""Many groups counted in one pass have the state of groups counted one by one; their sums are exact."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import Problem, problems
from scipy import sparse

import indicatrix as ix
from indicatrix.tally.saved.saved_tally import to_json
from indicatrix.tally.states.group_counts import CrossTable, Summed, class_counts
from indicatrix.tally.tally import Tally


def state(ev: ix.Evaluation) -> list:
    """Return all that is saved of an evaluation, number types included, in the order of the groups."""
    data = to_json(ev.tally)
    return [{**data, "parts": None}, sorted(data["parts"], key=repr)]


@given(problems(), st.data())
def test_groups_together_are_groups_alone(problem: Problem, data: st.DataObject) -> None:
    bags = np.array(data.draw(st.lists(st.integers(0, 4), min_size=problem.n, max_size=problem.n)), int)
    problem = replace(problem, per_row={**problem.per_row, "by": {"site": bags % 2, "bag": bags}})
    together = problem.evaluate()
    alone = sum((problem.evaluate(np.flatnonzero(bags == bag)) for bag in np.unique(bags)), problem.evaluate([]))
    assert together == alone
    assert sum(together.tally.sizes.values()) == together.n == problem.n
    for per in ("bag", "site", ("bag", "class"), ("class", "site"), "class", "example", ()):
        assert together.aggregate(per) == alone.aggregate(per)


@given(problems(), st.integers(0, 9), st.integers(1, 40))
def test_how_many_groups_go_together_changes_nothing(problem: Problem, rows: int, entries: int) -> None:
    usual = problem.evaluate()
    with patch.multiple("indicatrix.tally.counting.example_groups", ROWS=rows, ENTRIES=entries):
        assert state(problem.evaluate()) == state(usual)
    with patch.multiple("indicatrix.tally.states.group_counts", ENTRIES=entries):
        for per in [(), "class", *usual.tally.by, (*usual.tally.by, "class")]:
            assert problem.evaluate().aggregate(per) == usual.aggregate(per)


def labels(kind: str, rng: np.random.Generator, n: int) -> tuple[Any, Any, tuple]:
    if kind in ("codes", "many"):  # beyond 64 classes, groups have no table of pairs
        m = 9 if kind == "codes" else 70
        y, z = rng.integers(-1, m, (2, n))
        return *(ix.types.Indicator.from_codes(codes, tuple(range(m))) for codes in (y, z)), tuple(range(m))
    a, b = (rng.random((2, n, 12)) < 0.3).astype(np.uint8)
    if kind == "sparse":
        return sparse.csr_array(a), sparse.csr_array(b), tuple(range(12))
    if kind == "one and several":
        return rng.integers(0, 12, n), b, tuple(range(12))
    return a, b, tuple(range(12))


@pytest.mark.one_fast_case
@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("kind", ["codes", "many", "dense", "sparse", "one and several"])
def test_many_groups(kind: str, hidden: bool) -> None:
    rng = np.random.default_rng(4)
    n = 1500
    y, z, classes = labels(kind, rng, n)
    bag = np.sort(rng.integers(0, 450, n))[rng.permutation(n)]
    bag[bag < 100] = 7  # one large group
    options = {"by": {"bag": bag}, "classes": classes}
    if hidden:
        options["mask"] = rng.random(n) < 0.4  # some groups have nothing left
    ev = ix.evaluate(y, z, **options)
    with patch("indicatrix.tally.counting.example_groups.ROWS", 0):
        assert state(ix.evaluate(y, z, **options)) == state(ev)
    assert ev.tally.sizes == {(int(b),): int((bag == b).sum()) for b in np.unique(bag)}
    whole = ix.evaluate(y, z, **(options | {"by": None, "confusion": kind == "codes"}))
    assert ev.tally.pooled == whole.tally.pooled
    per_bag, alone = ev.aggregate("bag"), ev.split("bag")
    assert per_bag.names == (tuple(alone),) == (tuple(np.unique(bag).tolist()),)
    assert np.array_equal(np.stack(list(per_bag), axis=1), [list(x.aggregate(())) for x in alone.values()])


def test_no_columns_and_no_rows_have_groups_too() -> None:
    nothing = ix.evaluate(np.zeros((3, 0), bool), np.zeros((3, 0), bool), by={"bag": [0, 1, 0]})
    assert nothing.tally.sizes == {(0,): 2, (1,): 1}
    assert nothing.aggregate("bag").n.tolist() == [0, 0]
    none = ix.evaluate([], [], by={"bag": []})
    assert none.aggregate("bag").names == ((),)
    assert none.aggregate(("bag", "class")).tp.shape == (0, 0)


def test_very_many_combinations_of_groups() -> None:
    ids = np.arange(2000)
    ev = ix.evaluate(
        ids % 2, ids % 3 % 2, by={f"axis{k}": np.roll(ids, k) for k in range(7)}
    )  # 2000**7 is more than an int64 has
    assert len(ev.tally.parts) == 2000
    assert ev.aggregate("axis3").n.tolist() == [2] * 2000


def test_sums_of_groups_do_not_overflow() -> None:
    huge = 2**61 - 1
    table = np.array([[huge, 0, 0], [0, huge, 0], [0, 0, 0]])
    cells = np.array([[huge, huge], [0, 0], [0, 0], [huge, huge]])
    rows = Summed(cells, np.array([[1], [0], [0], [1]]), np.array([2 * huge]))
    for part in (CrossTable(table), rows):
        tally = Tally(("a", "b"), {(k, k // 2): part for k in range(4)}, 8 * huge, by=("fold", "site"))
        assert tally.aggregate("class").tp.tolist() == [4 * huge] * 2
        assert tally.aggregate("fold").tp.tolist() == [2 * huge] * 4
        assert tally.aggregate("site").tn.tolist() == [4 * huge] * 2
        assert tally.aggregate().tp == 8 * huge
        assert tally.aggregate("example").times.tolist() == [8 * huge]


def test_weights_of_groups_are_summed_exactly() -> None:
    n = 300
    weights = np.tile([0.1, 1e-9, 1e9], n // 3)
    ev = ix.evaluate(
        np.zeros(n, int), np.zeros(n, int), by={"bag": np.arange(n) % 50}, sample_weight=weights, mask=np.arange(n) > 9
    )
    exact = [sum(Fraction(w) for w in weights[9 + 1 :][(np.arange(10, n) % 50) == bag]) for bag in range(50)]
    assert [part.table[0, 0] for part in ev.tally.parts.values()] == exact
    assert [part.masked for part in ev.tally.parts.values()] == [Fraction(w) for w in weights[:10]] + [0] * 40
    assert ev.tally.pooled.table[0, 0] == sum(exact)


@pytest.mark.parametrize("dtype", [np.int64, object])
@pytest.mark.parametrize("m", [0, 1, 16, 17])
def test_counts_of_several_tables_are_those_of_each(m: int, dtype: type) -> None:
    tables = np.random.default_rng(5).integers(0, 9, (3, m + 1, m + 1)).astype(dtype)
    each = [class_counts(table) for table in tables]
    assert np.array_equal(class_counts(tables), np.stack(each, axis=1))
    for four, table in zip(each, tables, strict=True):
        assert four.dtype == table.dtype
        assert (four.sum(axis=0) == table.sum()).all()
        assert four[0].tolist() == table.diagonal()[:m].tolist()
