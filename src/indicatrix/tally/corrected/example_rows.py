"""Rows of counts of examples with several labels.

What single examples count for the judge, and by their gold labels.

A score of an example is not a sum of labels, so its mean over examples is corrected itself: by how much the gold labels of an
example move it. The rows of the judge are taken as often as they occur, and those of gold rows are exchanged for the rows of
their gold labels, each as often as examples it stands for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...algebra.arrays import Array, Mask
from ..states.group_counts import distinct
from .by_gold import GoldWeights
from .fitted_labels import Method
from .judged_rows import JudgedRows

INCOMPLETE = (
    "Fewer than two examples have gold labels of all their classes, so the scores of single examples are not known. Name another "
    "average, such as 'macro'."
)


class ExampleRows(NamedTuple):
    """The rows of counts of each example: by gold labels where all are known, and by the judge's labels."""

    weights: GoldWeights
    kinds: list[Array]  # (4, rows) each; only the first: no judge says all, or its rows make the mean less sure

    @property
    def often(self) -> list[Array]:
        """How often the rows of each kind are taken: those of the judge where no gold row stands in."""
        return [self.weights.often, 1 - self.weights.often][: len(self.kinds)]

    def distinct(self, mass: Array) -> tuple[Array, Array]:
        """Return the distinct rows, and how often each occurs, a fraction, which may be negative."""
        return distinct(np.concatenate(self.kinds, axis=1), np.concatenate([mass * often for often in self.often]))


def example_rows(rows: JudgedRows, method: Method) -> ExampleRows:
    """Return the rows of counts of examples, by their judge and by their gold labels."""
    if method.without_examples:
        raise ValueError(method.without_examples)
    known: Mask = np.asarray(rows.known.all(axis=1))
    if rows.times[known].sum() < 2:
        raise ValueError(INCOMPLETE)
    labels, judged = [rows.own * known[:, None]], rows.judged
    if method.judged and not np.isnan(judged).any():
        mass, gold = rows.mass[known], rows.own[known]
        mean = mass @ gold / mass.sum()
        if (mass @ (gold - judged[known]) ** 2).sum() < (mass @ (gold - mean) ** 2).sum():
            labels.append(judged)
    kinds = [np.stack([one.sum(axis=1) for one in four_cells(own, rows.predictions)]) for own in labels]
    return ExampleRows(GoldWeights(rows, np.zeros(len(rows), np.intp), known), kinds)


def four_cells(labels: Array, hit: Array) -> tuple[Array, Array, Array, Array]:
    """Return tp, fp, fn, tn of each row and class."""
    return labels * hit, (1 - labels) * hit, labels * (1 - hit), (1 - labels) * (1 - hit)
