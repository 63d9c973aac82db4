"""Strata of rows with one prediction and about the same score, with as many reference rows in each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..algebra.arrays import Array

LEAST = 10  # reference rows in a stratum


class Rows(NamedTuple):
    """Predictions as codes, m for no class, and the score that each was given."""

    prediction: Array
    score: Array


def strata_of(target: Rows, reference: Rows, bins: int) -> tuple[Array, Array, Array]:
    """Return the stratum of each row of two samples, and what is predicted in each stratum.

    A stratum has rows with one prediction, which are divided into up to so many parts, cut at quantiles of the reference.

    >>> few = Rows(np.array([0, 1, 1]), np.array([0.2, 0.6, 0.9]))
    >>> own, reference, prediction = strata_of(few, Rows(np.repeat([0, 1], 20), np.linspace(0, 1, 40)), 2)
    >>> own.tolist(), reference[::10].tolist(), prediction.tolist()
    ([0, 2, 3], [0, 1, 2, 3], [0, 0, 1, 1])
    """
    places = [np.zeros(len(rows.prediction), np.intp) for rows in (target, reference)]
    predictions: list[int] = []
    for k in np.unique(np.concatenate([target.prediction, reference.prediction])).tolist():
        own = reference.score[reference.prediction == k]
        parts = min(max(len(own) // LEAST, 1), bins)
        edges = np.unique(np.quantile(own, np.arange(1, parts) / parts)) if parts > 1 else np.zeros(0)
        edges = edges[edges > own.min()] if len(edges) else edges  # nothing lies below the lowest score
        for place, rows in zip(places, (target, reference), strict=True):
            here = rows.prediction == k
            place[here] = len(predictions) + np.searchsorted(edges, rows.score[here], side="right")
        predictions += [k] * (len(edges) + 1)
    return places[0], places[1], np.array(predictions, np.intp)
