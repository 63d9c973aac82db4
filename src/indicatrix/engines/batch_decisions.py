"""What a stream can count at once: which options allow it, and how scores become decisions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..encode.decisions import Above, HitInTop, picks_one_class
from ..encode.factorise import dense_view
from ..settings.arguments.options import Options
from ..tally.tally import MANY


def only_decides(options: Options) -> bool:
    """Return whether the options only say what the classes are and how scores are decided."""
    rest = options._replace(classes=None, decide=None, confusion=None)
    decide = options.decide
    number = isinstance(decide, int | float) and not isinstance(decide, bool) and decide == decide
    each = (number or isinstance(decide, Above)) and options.positive in (None, 1)
    rule = decide is None or (isinstance(decide, str) and decide == "argmax") or isinstance(decide, HitInTop) or each
    return rest.plain and options.confusion is not False and rule


def are_codes(classes: tuple[Any, ...] | None) -> bool:
    """Return whether the classes are found in the data, or 0, 1, 2, … and few enough for a table."""
    return classes is None or (len(classes) <= MANY and all(type(c) is int and c == i for i, c in enumerate(classes)))


def is_zero_one(matrix: Array) -> bool:
    """Return whether a matrix holds decisions: bools, or integers that are 0 and 1."""
    return matrix.dtype.kind == "b" or (matrix.dtype.kind in "ui" and not (matrix >> 1).any())


def view_of(labels: Any) -> Any:
    """Return labels as an array or as a list of texts, where that takes no time; anything else as it is."""
    if type(labels) is list and set(map(type, labels)) == {int}:
        try:
            return np.array(labels, np.int64)
        except OverflowError:
            return labels
    if type(labels) is np.ndarray and labels.ndim == 1 and labels.dtype.kind in "UO":
        return labels.tolist()
    return dense_view(labels)


def reaches(scores: Array, rule: Any) -> Array:
    """Return where scores reach a threshold, or are above it, compared in their own precision."""
    return rule.decide(scores, "y_pred") if isinstance(rule, Above) else np.asarray(scores >= scores.dtype.type(rule))


def decide_scores(scores: Any, rule: Any, true: Array) -> tuple[Array, int] | None:
    """Return decisions on scores as integers, and the number of classes; None if this is unclear."""
    n = len(true)
    if type(scores) is not np.ndarray or scores.dtype.kind != "f" or len(scores) != n:
        return None
    if picks_one_class(rule):
        if scores.ndim != 2 or not scores.shape[1]:
            return None
        best = scores.argmax(axis=1)  # NaN counts as the largest number here, so that no NaN stays unseen
        if np.isnan(scores[np.arange(n), best]).any():
            return None
        return (rule.decide(scores, "y_pred", true.astype(np.int64)) if isinstance(rule, HitInTop) else best), scores.shape[1]
    if scores.ndim != 1 or np.isnan(scores).any():
        return None
    return reaches(scores, rule), 2
