"""Counts that are given, of any size, are exact: no float stands between them and the evaluation."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import indicatrix as ix

HUGE = [[2**63 + 1, 0], [1, 2]]


@pytest.mark.parametrize(
    "matrix",
    [
        HUGE,
        np.array(HUGE, np.uint64),
        np.array(HUGE, object),
        [[np.uint64(2**63 + 1), 0], [1, np.int8(2)]],
        pd.DataFrame(HUGE, dtype="uint64"),
        pd.DataFrame(HUGE, dtype=object),
        pl.DataFrame({"0": [2**63 + 1, 1], "1": [0, 2]}, schema={"0": pl.UInt64, "1": pl.UInt64}),
    ],
    ids=["list", "uint64", "object", "scalars", "pandas", "pandas object", "Polars"],
)
def test_counts_of_any_size_are_exact(matrix: Any) -> None:
    """A float holds neither 2**63 + 1 nor its sum with the others."""
    ev = ix.from_confusion(matrix)
    assert ev.n == 2**63 + 4
    assert ev.confusion.tolist() == HUGE
    assert ev.exact("recall", "macro") == (1 + Fraction(2, 3)) / 2


def test_integers_beside_fractions_of_a_count_stay_exact() -> None:
    for matrix in ([[2**53 + 1, 0.5], [0.5, 2]], pd.DataFrame({0: [2**53 + 1, 1], 1: [0.5, 2]})):
        assert ix.from_confusion(matrix).confusion[0, 0] == 2**53 + 1
    assert ix.from_counts([2**53 + 1, 0], [0.5, 1], [np.int64(3), 1], [1, 1]).n == 2**53 + 6
    assert ix.from_counts(2**60 + 1, 2**53 + 1, 0, 1).n == 2**60 + 2**53 + 3
