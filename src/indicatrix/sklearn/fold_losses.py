"""Losses of cross-validated scores, such as the Brier score: of all tests, and of each fold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import numpy as np

from ..algebra.score import Score, Undefined
from ..public_names import load_public, names_of


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
