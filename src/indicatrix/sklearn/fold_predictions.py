"""Test predictions of a cross-validation: their losses, and differences paired by example."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.score import Score, Undefined
from ..catalogue.matrix import resolve
from ..comparison.differences import independent_contrast
from ..comparison.joint import joint
from ..inference.paired.contrasts import OfCells
from ..public_names import load_public, names_of
from ..scores.areas import find_area


@dataclass(frozen=True, eq=False)
class FoldPredictions:
    """The labels and predictions of all test examples, and how they are evaluated."""

    y_true: Any
    y_pred: Any
    options: Mapping[str, Any]
    scores: Any = None  # where they were kept
    of_scores: Mapping[str, Any] = field(default_factory=dict)  # what names their columns, and the weights


def find_loss(measure: Any) -> Callable[..., Score] | None:
    """Return the function of labels and scores that a name means; None for measures of counts and areas.

    >>> find_loss("brier").__name__, find_loss("f1")
    ('brier', None)
    """
    if not isinstance(measure, str) or measure not in names_of("scores"):
        return None
    found: Callable[..., Score] = load_public(measure)
    read = signature(found) if callable(found) and measure.islower() else None
    return found if read and read.return_annotation == "Score" and [*read.parameters][:1] == ["y_true"] else None


def loss_of(
    tested: FoldPredictions | None, loss: Callable[..., Score], average: Any, undefined: Undefined, rows: slice = slice(None)
) -> Score:
    """Return a loss of the scores of some tests."""
    if tested is None or tested.scores is None:
        raise ValueError(f"{loss.__name__} reads scores, and these were not kept: cross_validate(…, scores=True) keeps them.")
    from sklearn.utils import _safe_indexing as take

    some = np.arange(len(tested.scores))[rows]
    options = {**tested.of_scores, **({} if average is None else {"average": average})}
    if "sample_weight" in options:
        options["sample_weight"] = take(options["sample_weight"], some)
    try:
        return loss(take(tested.y_true, some), tested.scores[some], undefined=undefined, **options)
    except ValueError as wrong:
        if not ((tested.scores < 0) | (tested.scores > 1)).any():
            raise
        raise ValueError(
            f"{loss.__name__} does not fit the scores that were kept, which are not probabilities: {wrong} "
            "cross_validate(…, scores=True, response='predict_proba') keeps probabilities, where the estimator has them."
        ) from None


def paired_difference(one: Any, other: Any, measure: Any, average: Any, undefined: Undefined) -> tuple[float, float]:
    """Return the difference of the pooled scores of two cross-validations, and its variance by examples."""
    if find_area(measure) is not None or find_loss(measure) is not None:
        raise ValueError(f"method='cv_clt' pairs predicted classes, and {measure} reads scores. Use 'corrected_t'.")
    tests = [np.concatenate([np.asarray(test) for _, test in each.indices]) for each in (one, other)]
    if one.tested is None or other.tested is None or not np.array_equal(tests[0], tests[1]):
        raise ValueError("The cross-validations did not test the same examples in the same order. Use the same folds.")
    _, times = np.unique(tests[0], return_counts=True)
    if len(set(times.tolist())) > 1:
        raise ValueError(
            "method='cv_clt' needs folds that test each example equally often, and random splits do not. Use 'corrected_t'."
        )
    both = joint(one.tested.y_true, {"first": one.tested.y_pred, "second": other.tested.y_pred}, **one.tested.options)
    found = resolve(measure)
    first, second = (ev.score(found, average, undefined=undefined) for ev in both.aligned)
    contrast = independent_contrast(both, (0, 1), first.measure, average, (first, second))
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
