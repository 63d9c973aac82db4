"""The label that a row is expected to have, given its prediction and what judges say.

From the rows that have gold labels.

Rows with the same prediction and the same judgment share the labels of their gold rows, and of two examples more. For two
classes these have the mean of what the judge alone and the prediction alone suggest; for more classes, what agreement and
disagreement of the two suggest in general. Any expectation is valid, a good one makes the interval narrow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...algebra.arrays import Array
from .judged_rows import codes_of

SHRINK = 2.0  # examples that every combination of prediction and judgment has in addition
AGREE, EITHER = 0.75, 0.4  # how often two that agree are right, and one of two that disagree, before any gold label is seen
BINS = 5  # of graded judgments


@dataclass(frozen=True, eq=False)
class Judged:
    """One truth of each row, what is known of it, and what was predicted and judged.

    The truth is one of several classes, of which there is a column each, or an amount between 0 and 1, in one column.
    """

    own: Array  # rows x classes: the truth where it is known, 0 elsewhere
    known: Array  # which rows have it
    prediction: Array  # codes
    judgment: Array | None  # codes; those below the number of classes are classes
    classes: int  # that predictions and judgments name; others are further codes
    size: Array  # for how many gold rows each one stands
    named: Array  # which classes anybody has named: of others there is no row

    @property
    def many(self) -> int:
        """How many classes are named."""
        return int(self.named.sum())

    def shares(self, code: Array, prior: Array, k: float) -> tuple[Array, Array]:
        """Return the mean truth of gold rows with the same code and ``k`` prior ones, and their number."""
        if not self.named.all():
            prior = prior * self.named / np.maximum((prior * self.named).sum(axis=1, keepdims=True), 1e-300)
        many = int(code.max(initial=-1)) + 1
        top = np.stack([np.bincount(code, self.size * column, many) for column in self.own.T], axis=1)
        size = np.bincount(code, self.size, many)
        return (top[code] + k * prior) / (size[code] + k)[:, None], size[code]

    def guess(self, code: Array) -> Array:
        """Return the truth that a label suggests before any gold label is seen: half of it that label."""
        width = self.own.shape[1]
        if width == 1 != self.classes:  # an amount
            half = np.where(code < 2, 0.25 + 0.5 * code, 0.5) if self.classes == 2 else np.full(len(code), 0.5)
            return np.asarray(half[:, None])
        hit = code[:, None] == np.arange(width)
        return np.asarray(np.where(hit.any(axis=1, keepdims=True), 0.5 * hit + 0.5 / self.many, 1.0 / self.many))

    def given_prediction(self) -> Array:
        """Return the truth that is expected given the prediction alone."""
        return self.shares(self.prediction, self.guess(self.prediction), 1.0)[0]

    def given_both(self) -> tuple[Array, Array]:
        """Return the expected truth, and by how much the gold label of a row moved it.

        The factor that undoes this.
        """
        assert self.judgment is not None
        width, judged = self.own.shape[1], self.judgment
        if self.many <= 2 or judged.max(initial=0) > width:
            alone = self.shares(judged, self.guess(judged), 1.0)[0]
            prior = (self.given_prediction() + alone) / 2
        else:
            prior = np.where((judged < width)[:, None], self._of_agreement(width, judged), self.given_prediction())
        found, seen = self.shares(codes_of(self.prediction, judged), prior, SHRINK)
        return found, (seen + SHRINK) / np.maximum(seen + SHRINK - 1, 0.5)

    def _of_agreement(self, m: int, judged: Array) -> Array:
        """Return how often judge and prediction are right, whatever the classes."""
        agree, there = self.prediction == judged, judged < m
        truth = np.where(self.known, self.own.argmax(axis=1), -1)

        def share(rows: Array, right: Array, start: float) -> float:
            size = self.size * (rows & there)
            return float(((size * right).sum() + start) / (size.sum() + 1))

        both = share(agree, truth == judged, AGREE)
        judge, model = share(~agree, truth == judged, EITHER), share(~agree, truth == self.prediction, EITHER)
        one, two = (code[:, None] == np.arange(m) for code in (judged, self.prediction))
        same = both * one + (1 - both) / (self.many - 1) * ~one
        apart = judge * one + model * two + (1 - judge - model) / (self.many - 2) * ~(one | two)
        apart = apart / np.maximum(apart.sum(axis=1, keepdims=True), 1e-300)  # a prediction may be no class
        return np.asarray(np.where(agree[:, None], same, apart))


def judgment_of(judges: Array, m: int) -> Array:
    """Return one code for what all judges of a row say; with one judge, its label.

    Of several judges it is the label with the most votes and how many of them it has; a judge without a label casts none. Codes
    from ``m`` on are not classes.

    >>> import numpy as np
    >>> judgment_of(np.array([[0.0], [1.0], [np.nan]]), 2).tolist()
    [0, 1, 2]
    >>> judgment_of(np.array([[0.0, 0.0, 1.0], [1.0, 1.0, 1.0]]), 2).tolist()
    [6, 9]
    """
    known = ~np.isnan(judges)
    labels = np.where(known, judges, m).astype(np.intp)
    if judges.shape[1] == 1:
        return np.asarray(labels[:, 0])
    votes = np.stack([(labels == k).sum(axis=1) for k in range(m)], axis=1)
    most = votes.argmax(axis=1)
    return np.asarray(m + 1 + votes.max(axis=1) * m + most - 1)


def graded_judgment(judges: Array, rows: Array) -> Array:
    """Return one code for the mean of graded judgments: into which fifth of all of them it falls.

    >>> import numpy as np
    >>> graded_judgment(np.array([[0.1], [0.9], [0.5], [0.3], [0.7]]), np.ones(5)).tolist()
    [0, 4, 2, 1, 3]
    """
    known = ~np.isnan(judges)
    some = known.any(axis=1)
    mean = np.where(some, np.where(known, judges, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1), np.nan)
    place = np.unique(mean, return_inverse=True)[1]  # equal judgments fall into one fifth
    share = np.cumsum(np.bincount(place, rows))[place] / max(float(rows[some].sum()), 1.0)
    return np.where(some, np.minimum(np.ceil(share * BINS) - 1, BINS - 1), BINS).astype(np.intp)
