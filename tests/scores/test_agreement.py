"""Kendall's tau: SciPy's tau-b on vectors, and all pairs in exact integers row by row."""

from __future__ import annotations

from itertools import combinations
from math import isnan, nan, sqrt

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix
from indicatrix.scores.label_rankings.kendall import inversions, kendall

NUMBERS = st.sampled_from([-np.inf, -2.0, -0.0, 0.0, 0.5, 1.0, 3.0, np.inf])


def literal_tau(a: list, b: list) -> float:
    """Return tau-b by looking at every pair."""
    sign = [((x > u) - (x < u), (y > v) - (y < v)) for (x, y), (u, v) in combinations(zip(a, b, strict=True), 2)]
    untied = sum(p != 0 for p, _ in sign) * sum(q != 0 for _, q in sign)
    return sum(p * q for p, q in sign) / sqrt(untied) if untied else nan


@st.composite
def tables(draw):
    n, m = draw(st.integers(0, 4)), draw(st.integers(0, 9))
    row = st.lists(NUMBERS, min_size=m, max_size=m)
    cells = st.lists(st.booleans(), min_size=m, max_size=m)
    a, b = (np.array(draw(st.lists(row, min_size=n, max_size=n)), float).reshape(n, m) for _ in range(2))
    return a, b, np.array(draw(st.lists(cells, min_size=n, max_size=n)), bool).reshape(n, m)


@given(tables())
@examples(75)
def test_every_row_is_its_definition(case):
    a, b, mask = case
    whole = [literal_tau(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    np.testing.assert_array_equal(kendall(a, b).values, whole)
    seen = [literal_tau(x[s].tolist(), y[s].tolist()) for x, y, s in zip(a, b, mask, strict=True)]
    np.testing.assert_array_equal(kendall(a, b, mask=mask).values, seen)
    hidden = (np.where(mask, x, np.nan) for x in (a, b))  # what is masked is not read
    np.testing.assert_array_equal(kendall(*hidden, mask=mask).values, seen)
    for x, y, value in zip(a, b, whole, strict=True):
        alone = kendall(x, y)
        assert float(alone) == value or (isnan(alone) and isnan(value))


@pytest.mark.parametrize("n", [2, 3, 10, 63, 64, 65, 1000, 20_000])
def test_as_in_scipy(n):
    rng = np.random.default_rng(n)
    untied, few, constant = rng.normal(size=n), rng.integers(0, 5, n), np.zeros(n)
    for a, b in (
        (untied, rng.normal(size=n)),
        (untied, few),
        (few, rng.integers(0, 3, n)),
        (untied, untied + rng.normal(size=n)),
    ):
        assert kendall(a, b) == pytest.approx(scipy.stats.kendalltau(a, b).statistic, abs=1e-12, nan_ok=True)
        assert kendall(b, a) == pytest.approx(kendall(a, b), abs=0, nan_ok=True)
    assert isnan(kendall(untied, constant))
    assert kendall(untied.astype(np.float32), few) == kendall(untied.astype(np.float32).astype(float), few)


def test_blocks_of_rows_as_in_scipy():
    rng = np.random.default_rng(1)
    a, b, weights = rng.integers(0, 20, (3000, 60)), rng.normal(size=(3000, 60)), rng.random(3000)
    some = rng.choice(3000, 100, replace=False)
    score = kendall(a, b, sample_weight=weights)
    each = [scipy.stats.kendalltau(a[i], b[i]).statistic for i in some]
    np.testing.assert_allclose(score.values[some], each, atol=1e-12)
    assert score == pytest.approx(np.average(score.values, weights=weights), rel=1e-12)


@given(st.lists(st.integers(0, 40), max_size=41))
def test_inversions(numbers):
    codes = np.minimum(np.array(numbers, int), max(len(numbers) - 1, 0)).reshape(1, -1)
    assert inversions(codes).tolist() == [sum(a > b for a, b in combinations(codes[0].tolist(), 2))]


def test_only_the_orders_count():
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 9, (20, 12)), rng.integers(0, 9, (20, 12))
    base = kendall(a, b).values
    np.testing.assert_array_equal(kendall(np.exp(a), b + 2**53 + 2).values, base)
    np.testing.assert_array_equal(kendall(-a, b).values, -base)
    np.testing.assert_array_equal(kendall(-a, -b).values, base)
    assert kendall(a, a) == 1
    assert kendall(a, -a) == -1


def test_undefined():
    score = kendall([[1, 2], [1, 1]], [[1, 2], [1, 2]])
    assert (float(score), score.undefined_units, repr(score)) == (
        1,
        (1,),
        "1.0 (exemplar kendall; 1 of 2 examples undefined, excluded)",
    )
    assert kendall([[1, 2], [1, 1]], [[1, 2], [1, 2]], undefined=0) == 0.5
    assert repr(kendall([1, 1], [1, 2])) == "nan (vector kendall; undefined)"
    assert kendall([1, 1], [1, 2], undefined=0) == 0
    assert isnan(kendall([], []))
    assert isnan(kendall([5], [3]))
    with pytest.raises(
        ix.types.UndefinedError, match="vector kendall: undefined, where one side does not have two different numbers"
    ):
        kendall([1, 1], [1, 2], undefined="raise")
    with pytest.raises(
        ix.types.UndefinedError, match="exemplar kendall: undefined for 1, where one side does not have two different numbers"
    ):
        kendall([[1, 2], [1, 1]], [[1, 2], [1, 2]], undefined="raise")


@pytest.mark.parametrize("undefined", ["exclude", 0.25, "nan"])
def test_groups_of_rows(undefined):
    rng = np.random.default_rng(3)
    a, b, weights, site = rng.integers(0, 2, (40, 3)), rng.integers(0, 3, (40, 3)), rng.integers(0, 3, 40), rng.integers(0, 4, 40)
    score = kendall(a, b, sample_weight=weights, by={"site": site}, average="site", undefined=undefined)
    each = [kendall(a[site == g], b[site == g], sample_weight=weights[site == g], undefined=undefined) for g in range(4)]
    np.testing.assert_allclose(score.values, each, rtol=1e-14)
    assert score == pytest.approx(np.mean(each), rel=1e-14, nan_ok=True)
    assert score.values.names == (0, 1, 2, 3)
    assert kendall(a, b, average="micro") == pytest.approx(kendall(a, b), rel=1e-14)


ERRORS = [
    (
        lambda: kendall([1, 2], [[1], [2]]),
        ValueError,
        r"scores has one column and the other side is a vector; .*: scores\.ravel\(\)",
    ),
    (
        lambda: kendall([[1], [2]], [1, 2]),
        ValueError,
        r"y_true has one column and the other side is a vector; .*: y_true\.ravel\(\)",
    ),
    (lambda: kendall([1, 2], [[1, 2]]), ValueError, "y_true has one dimension; give a row for every example"),
    (lambda: kendall([1, 2], [1, 2, 3]), ValueError, "scores has 3 entries for 2 examples"),
    (lambda: kendall([1, nan], [1, 2]), ValueError, r"y_true\[1\] is NaN"),
    (lambda: kendall(["a", "b"], [1, 2]), TypeError, "y_true must hold numbers"),
    (lambda: kendall([[1, nan]], [[1, 2]]), ValueError, r"y_true\[0, 1\] is NaN"),
    (lambda: kendall([[1, 2]], [[1, 2, 3]]), ValueError, r"y_true has shape \(1, 2\) and scores \(1, 3\); they must rank"),
    (lambda: kendall([1, 2], [1, 2], sample_weight=[1, 1]), ValueError, "sample_weight= is about rows"),
    (lambda: kendall([1, 2], [1, 2], mask=[1, 1]), ValueError, "mask= is about rows, and two vectors are one ranking"),
    (lambda: kendall([[1, 2]], [[1, 2]], mask=[[2, 1]]), ValueError, r"mask\[0, 0\] is 2"),
    (lambda: kendall([1, 2], [1, 2], by={"site": [0, 0]}), ValueError, "by= is about rows"),
    (lambda: kendall([1, 2], [1, 2], average="micro"), ValueError, "average= is about rows"),
    (
        lambda: kendall([[1, 2]], [[1, 2]], average="macro"),
        ValueError,
        "average='macro': it compares pairs of labels, and a pair",
    ),
    (
        lambda: kendall([[1, 2]], [[1, 2]], classes=[1, 2]),
        TypeError,
        "kendall takes no classes=. It takes average, undefined, sample",
    ),
    (lambda: kendall([1, 2], [1, 2], undefined="no"), ValueError, "undefined='no' is not a convention"),
    (
        lambda: kendall(pd.DataFrame({"a": [1], "b": [2]}), pd.DataFrame({"b": [1], "a": [2]})),
        ValueError,
        "The columns of y_true and scores have different names",
    ),
]


@for_each("case", ERRORS)
def test_errors(case):
    call, kind, message = case
    with pytest.raises(kind, match=message):
        call()
