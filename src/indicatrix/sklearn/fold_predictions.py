"""Test predictions of a cross-validation, and differences that are paired by example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.measure_names import resolve
from ..algebra.score import Undefined
from ..compare.differences import independent_contrast
from ..compare.paired_counts import paired_counts
from ..inference.paired.contrasts import OfCells


@dataclass(frozen=True, eq=False)
class FoldPredictions:
    """The labels and predictions of all test examples, and how they are evaluated."""

    y_true: Any
    y_pred: Any
    options: Mapping[str, Any]


def paired_difference(one: Any, other: Any, measure: Any, average: Any, undefined: Undefined) -> tuple[float, float]:
    """Return the difference of the pooled scores of two cross-validations, and its variance by examples."""
    if not resolve(measure).reads.counted:
        raise ValueError(f"method='cv_clt' pairs predicted classes, and {measure} reads scores. Use 'corrected_t'.")
    tests = [np.concatenate([np.asarray(test) for _, test in each.indices]) for each in (one, other)]
    if one.tested is None or other.tested is None or not np.array_equal(tests[0], tests[1]):
        raise ValueError("The cross-validations did not test the same examples in the same order. Use the same folds.")
    _, times = np.unique(tests[0], return_counts=True)
    if len(set(times.tolist())) > 1:
        raise ValueError(
            "method='cv_clt' needs folds that test each example equally often, and random splits do not. Use 'corrected_t'."
        )
    both = paired_counts(one.tested.y_true, {"first": one.tested.y_pred, "second": other.tested.y_pred}, **one.tested.options)
    found = resolve(measure)
    first, second = (ev.score(found, average, undefined=undefined) for ev in both.aligned)
    contrast = independent_contrast(both, (0, 1), first.measure, (first, second))
    if contrast.refusal or np.isnan(contrast.spread):
        reason = contrast.refusal or "what each example adds to it is not known"
        raise ValueError(f"{measure} cannot be paired by example: {reason}. Use 'corrected_t'.")
    spread = contrast.spread
    if times.max() > 1:
        spread *= _share_of_examples(both, contrast, (one.tested, other.tested), tests[0])
    return float(first) - float(second), float(spread)


def _share_of_examples(both: Any, contrast: Any, tested: tuple[Any, Any], examples: Array) -> float:
    """Return how much larger the variance is if all tests of an example are one observation."""
    if not isinstance(contrast, OfCells) or contrast.sample.weights is not None or not hasattr(contrast.left, "slopes"):
        raise ValueError("Repeated tests are paired for examples with one class each, without weights. Use 'corrected_t'.")
    classes = both.aligned[0].classes
    true, a, b = (_codes(labels, classes) for labels in (tested[0].y_true, tested[0].y_pred, tested[1].y_pred))
    left, right = contrast.slopes
    width = len(classes) + 1
    if len(left) != width**2:
        raise ValueError("Repeated tests are paired for examples with one class each. Use 'corrected_t'.")
    added = left[true * width + a] - right[true * width + b]
    added = added - added.mean()
    _, where = np.unique(examples, return_inverse=True)
    alone, together = float(added @ added), float((np.bincount(where, added) ** 2).sum())
    return together / alone if alone > 0 else float(len(added) / (where.max() + 1))


def _codes(labels: Any, classes: tuple[Any, ...]) -> Array:
    places = {c: k for k, c in enumerate(classes)}
    return np.array([places.get(label, len(classes)) for label in np.asarray(labels, object).tolist()], np.intp)
