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
ROW_NUMBERS = np.arange(4)
WIDE_SCORES = pd.DataFrame([[0.7, 0.3], [0.1, 0.8], [0.4, 0.9], [0.8, 0.1]], index=ROWS)

CALLS: dict[str, tuple[Callable[..., Any], Any]] = {
    "labels": (lambda x: ix.f1(TRUE, x), TRUE),
    "evaluate": (lambda x: ix.evaluate(TRUE, x), TRUE),
    "matrices": (lambda x: ix.f1(WIDE, x, average="macro"), WIDE),
    "weights": (lambda x: ix.f1(TRUE, TRUE, sample_weight=x), SCORES),
    "mask": (lambda x: ix.f1(TRUE, TRUE, mask=x), TRUE.astype(bool)),
    "groups": (lambda x: ix.evaluate(TRUE, TRUE, by={"site": x}), TRUE),
    "gold": (lambda x: ix.evaluate(TRUE, TRUE, gold=x), TRUE),
    "judges": (lambda x: ix.evaluate({"a": TRUE, "b": x}, ROW_NUMBERS % 2, gold=TRUE), TRUE),
    "strata": (lambda x: ix.evaluate(TRUE, TRUE, gold=TRUE, design={"strata": x}), TRUE),
    "probabilities": (lambda x: ix.evaluate(TRUE, TRUE, gold=TRUE, design={"probabilities": x}), SCORES),
    "expected labels": (lambda x: ix.evaluate(TRUE, TRUE, gold=TRUE, design={"expected": x}), WIDE_SCORES),
    "weights of corrected rows": (lambda x: ix.evaluate(TRUE, TRUE, gold=TRUE, sample_weight=x), SCORES),
    "groups of corrected rows": (lambda x: ix.evaluate(TRUE, TRUE, noise=[[1, 0], [0, 1]], by={"site": x}), TRUE),
    "clusters of corrected rows": (lambda x: ix.compare(TRUE, {"a": TRUE, "b": 1 - TRUE}, "f1", gold=TRUE, clusters=x), TRUE),
    "expected": (lambda x: ix.expected(SCORES, x), TRUE),
    "weights of what is expected": (lambda x: ix.expected(SCORES, TRUE, sample_weight=x), SCORES),
    "groups of what is expected": (lambda x: ix.expected(SCORES, TRUE, by={"site": x}), TRUE),
    "plan": (lambda x: ix.plan_labels(x, SCORES, budget=4), TRUE),
    "periods": (lambda x: ix.inference.class_shares(SCORES, TRUE, reference=(TRUE, SCORES, TRUE), periods=x), TRUE),
    "ratings": (lambda x: ix.agreement({"ann": TRUE, "bob": x}), TRUE),
    "weights of areas": (lambda x: ix.auc(TRUE, SCORES, sample_weight=x), SCORES),
    "weights of losses": (lambda x: ix.brier(TRUE, SCORES, sample_weight=x), SCORES),
    "weights of rankings": (lambda x: ix.ndcg(WIDE, WIDE_SCORES, sample_weight=x), SCORES),
    "features": (lambda x: ix.evaluate(TRUE, TRUE).weakest("accuracy", among={"f": x}, smallest=1), TRUE),
    "frame of features": (lambda x: ix.evaluate(TRUE, TRUE).weakest("accuracy", among=x, smallest=1), WIDE),
    "scores of answers": (lambda x: ix.read_evals({"question": SCORES, "score": x}), TRUE),
    "answers": (lambda x: ix.pass_at_k(SCORES, x, k=1), TRUE),
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


def test_labels_of_a_plan_are_in_its_order() -> None:
    plan = ix.plan_labels(TRUE.to_numpy(), SCORES.to_numpy(), budget=4)
    asked = pd.Series([1, 0, 1, 1], index=plan.rows)
    assert plan.gold(asked).tolist() == plan.gold(asked.set_axis(ROWS)).tolist() == [1, 0, 1, 1]
    with pytest.raises(ValueError, match=r"another order\. Put them in its order: labels\.loc\[plan\.rows\]"):
        plan.gold(asked[::-1])
