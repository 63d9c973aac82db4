"""Errors name arguments as the caller knows them: a task that calls its labels otherwise says so in every message."""

from __future__ import annotations

import re
from typing import Any

import pytest
from loops import for_each

import indicatrix as ix

NAN = float("nan")
WRONG: dict[str, Any] = {
    "scores": [
        lambda: ix.tasks.one_vs_all([0, 1], [[0.1, NAN], [0.2, 0.3]]),
        lambda: ix.tasks.one_vs_all([0, 1], [[0.1, 0.2]]),
        lambda: ix.tasks.one_vs_all(["y_pred", "elk"], [[0.1, 0.2], [0.3, 0.4]]),
        lambda: ix.tasks.one_vs_all(["a", "b"], [[0.1, 0.2, 0.3], [0.3, 0.4, 0.3]], known=["a", "b", "c", "d"]),
        lambda: ix.sweep([0, 1], [[0.1, NAN], [0.2, 0.3]]),
        lambda: ix.auc(["y_pred", "b"], [[0.1, 0.2], [0.3, 0.4]]),
        lambda: ix.ndcg(["a", "b"], [[0.1, 0.2], [0.3, 0.4]]),
        lambda: ix.tasks.multi_instance({"x": 1, "y": 0}, [0.2, NAN, 0.4], ["x", "x", "y"]),
    ],
    "y_proba": [
        lambda: ix.brier(["a", "b"], [[0.1, 0.9], [0.3, 0.7]]),
        lambda: ix.measures.ordinal_auc(["a", "b"], [[0.1, NAN], [0.3, 0.7]], classes=["a", "b"]),
        lambda: ix.measures.ordinal_auc(["a", "b"], [[0.1], [0.3]], classes=["a", "b"]),
    ],
    "labels": [lambda: ix.tasks.multi_instance({"x": 1, "y": 0.5}, [0.2, 0.9, 0.4], ["x", "x", "y"])],
    "instances": [lambda: ix.tasks.multi_instance({"x": 1, "y": 0}, [0.2, 0.9, 0.4], ["x", "x", "y"], instances=[1, None, 0])],
    "labeled": [
        lambda: ix.tasks.positive_unlabeled([1, 0, 0], [1, 0]),
        lambda: ix.tasks.positive_unlabeled(["y_true", 0], [1, 0]),
    ],
    "final": [
        lambda: ix.tasks.one_vs_one(["a", "b"], {("a", "b"): ["a", "b"]}, final=["a", None]),
        lambda: ix.tasks.one_vs_one(["a", "b"], {("a", "b"): ["a", "b"]}, final=["a"]),
    ],
    "known": [
        lambda: ix.evaluate(["a"], ["a"], known=["a", "a"]),
        lambda: ix.evaluate(["a"], ["a"], known="a"),
        lambda: ix.tasks.open_set_curve(["a"], ["a"], [0.5], known=["a", "a"]),
        lambda: ix.tasks.open_set_curve(["a"], ["a"], [0.5], known="a"),
        lambda: ix.tasks.one_vs_all([0, 1], [[0.1, 0.2], [0.3, 0.4]], known=[0, 0]),
    ],
    "unknown": [
        lambda: ix.evaluate(["a"], ["a"], known=["a"], unknown=3),
        lambda: ix.evaluate(["a"], ["a"], known=["a"], unknown=NAN),
    ],
}


@for_each(("name", "call"), [(name, call) for name, calls in WRONG.items() for call in calls])
def test_an_error_names_the_argument_of_the_caller(name: str, call: Any) -> None:
    with pytest.raises((TypeError, ValueError)) as raised:
        call()
    message = re.sub(r"'y_(true|pred)'", "", str(raised.value))  # a label may be called so
    assert re.search(rf"\b{name}\b", message), message
    assert name not in ("known", "unknown") or "classes" not in message
    assert name == "labeled" or "y_pred" not in message
    assert name not in ("labels", "instances", "labeled") or "y_true" not in message
