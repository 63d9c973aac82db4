"""Pairs of labels, true and predicted: what confusion matrices and the scores that read them share."""

from __future__ import annotations

from typing import Any

from ..evaluation import Evaluation
from .averages import check_labels
from .counted import MULTILABEL, Counted
from .door import warn


def labels_only(counted: Counted) -> Counted:
    """Return the counts of one label per example; matrices are refused."""
    if counted.kind == MULTILABEL:
        raise ValueError(f"{counted.kind} is not supported")
    return counted


def pairs_of(counted: Counted, labels: Any = None) -> Evaluation:
    """Return the evaluation of pairs of some labels, of which one must be a true label.

    A table of one label alone gets a warning.
    """
    names = [*counted.ev.classes] if labels is None else check_labels(counted, labels)
    if not names:
        raise ValueError("'labels' should contain at least one label.")
    true = {c for c, k in zip(counted.ev.classes, counted.ev.aggregate("class").tpos, strict=True) if k}
    if labels is not None and true.isdisjoint(names):
        raise ValueError("At least one label specified must be in y_true")
    if len(names) == 1:
        warn(
            "A single label was found in 'y_true' and 'y_pred'. For the confusion matrix to have the correct shape, use the "
            "'labels' parameter to pass all known labels."
        )
    return counted.with_pairs if labels is None else counted.with_pairs.only(names, absent="add")
