"""Raters as an axis: every rater, compared with the others or with one label per item."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.makers import evaluate_labels
from .ratings import Ratings


def evaluate_raters(ratings: Ratings, labels: Any = None) -> Any:
    """Return the evaluation of all ratings, with raters and items as axes."""
    k = len(ratings.raters)
    if labels is None:
        one, other = np.array([(a, b) for a in range(k) for b in range(k) if a != b]).T
        true, by = one, {"rater": one, "other": other}
    else:
        ratings = ratings.with_labels(labels)  # the last column
        one = other = np.arange(k)
        true, by = np.full(k, -1), {"rater": one}
    n = len(ratings.codes)
    sides = [ratings.codes[:, columns].ravel() for columns in (true, other)]  # item after item
    seen = np.flatnonzero((sides[0] >= 0) & (sides[1] >= 0))
    place = {"item": np.repeat(np.arange(n), len(one))} | {axis: np.tile(columns, n) for axis, columns in by.items()}
    names = {axis: range(n) if axis == "item" else ratings.raters for axis in place}
    truth, rated = ([ratings.classes[code] for code in side[seen]] for side in sides)
    return evaluate_labels(
        truth,
        rated,
        classes=ratings.classes,
        by={axis: [names[axis][at] for at in place[axis][seen]] for axis in (*by, "item")},
        sample_weight=None if ratings.weights is None else np.repeat(ratings.weights, len(one))[seen],
    )
