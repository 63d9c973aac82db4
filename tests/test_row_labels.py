"""Columns of pandas with the same row labels in another order are never paired by position without a word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import indicatrix as ix

ROWS = ["a", "b", "c", "d"]
TRUE = pd.Series([0, 1, 1, 0], index=ROWS)
SCORES = pd.Series([0.2, 0.7, 0.6, 0.4], index=ROWS)
WIDE = pd.DataFrame([[1, 0], [0, 1], [1, 1], [1, 0]], index=ROWS)
WIDE_SCORES = pd.DataFrame([[0.7, 0.3], [0.1, 0.8], [0.4, 0.9], [0.8, 0.1]], index=ROWS)

CALLS: dict[str, tuple[Callable[..., Any], Any]] = {
    "labels": (lambda x: ix.f1(TRUE, x), TRUE),
    "evaluate": (lambda x: ix.evaluate(TRUE, x), TRUE),
    "matrices": (lambda x: ix.f1(WIDE, x, average="macro"), WIDE),
    "weights": (lambda x: ix.f1(TRUE, TRUE, sample_weight=x), SCORES),
    "mask": (lambda x: ix.f1(TRUE, TRUE, mask=x), TRUE.astype(bool)),
    "groups": (lambda x: ix.evaluate(TRUE, TRUE, by={"site": x}), TRUE),
    "auc": (lambda x: ix.auc(TRUE, x), SCORES),
    "brier": (lambda x: ix.brier(TRUE, x), SCORES),
    "kendall": (lambda x: ix.scores.kendall(SCORES, x), SCORES),
    "ndcg": (lambda x: ix.ndcg(WIDE, x), WIDE_SCORES),
}


@pytest.mark.parametrize("name", CALLS)
def test_rows_in_another_order_are_refused(name: str) -> None:
    call, column = CALLS[name]
    call(column)
    with pytest.raises(ValueError, match=r"in another order: row 0 is 'a' .* and 'd' .*\.loc\[.*\.index\]"):
        call(column[::-1])
    call(column[::-1].loc[ROWS])
    call(column[::-1].to_numpy())
    call(column[::-1].set_axis(range(4)))  # other labels, of which none says what belongs together


def test_missing_and_repeated_row_labels_are_compared_too() -> None:
    index = ["a", np.nan, "a", "b"]
    ix.f1(TRUE.set_axis(index), TRUE.set_axis(index))
    with pytest.raises(ValueError, match="row 0 is 'a' in y_true and 'b' in y_pred"):
        ix.f1(TRUE.set_axis(index), TRUE.set_axis(["b", "a", np.nan, "a"]))


def test_row_labels_are_shown_as_plain_numbers() -> None:
    for index in (np.arange(4), np.arange(4) / 2):
        with pytest.raises(ValueError, match=rf"row 0 is {index[0]} in y_true and {index[3]} in y_pred"):
            ix.f1(TRUE.set_axis(index), TRUE.set_axis(index[::-1]))
