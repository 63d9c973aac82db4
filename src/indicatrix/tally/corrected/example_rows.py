"""Rows of counts of examples with several labels.

What single examples count for the judge, and by their gold labels.

A score of an example is not a sum of labels, so its mean over examples is corrected itself: by how much the gold labels of an
example move it. The rows of the judge are taken as often as they occur, and those of gold rows are exchanged for the rows of
their gold labels, each as often as examples it stands for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array, Mask
from ..states.group_counts import distinct
from .judged_rows import CHANCE, JudgedRows

INCOMPLETE = (
    "Fewer than two examples have gold labels of all their classes, so the scores of single examples are not known. Name another "
    "average, such as 'macro'."
)


@dataclass(frozen=True, eq=False)
class ExampleRows:
    """The rows of counts of each example: by the judge's labels, and by gold labels where all are known."""

    judged: Array | None  # (4, rows); None: no judge that says all, or its rows make the mean less sure
    gold: Array  # (4, rows)
    known: Mask
    often: Array  # for how many rows a gold row stands

    def distinct(self, mass: Array, some: Array | None) -> tuple[Array, Array]:
        """Return the distinct rows, and how often each occurs, a fraction, which may be negative."""
        mass = mass if some is None else np.where(some, mass, 0.0)
        rows, times = [self.gold], [mass * self.often]
        if self.judged is not None:
            rows, times = [*rows, self.judged], [*times, mass * (1 - self.often)]
        return distinct(np.concatenate(rows, axis=1), np.concatenate(times))

    def along(self, values: Array, judged: Array | None, weight: Array, times: Array) -> Array:
        """Return what each row adds to the sum of values of examples, their part in the correction included."""
        base = np.zeros(len(values)) if judged is None else judged
        error = np.where(self.known, values - base, 0.0)
        mass = weight * times
        mean = float((mass * self.often * error).sum() / max(mass.sum(), 1e-300))
        number = float(times[self.known].sum())
        few = np.sqrt(number / max(number - 1, 0.5))
        own = np.where(self.known, base + error + (self.often - 1) * few * (error - mean), base + mean)
        return np.asarray(weight * own)


def example_rows(rows: JudgedRows, method: Any) -> ExampleRows:
    """Return the rows of counts of examples, by their judge and by their gold labels."""
    if hasattr(method, "without_examples"):
        raise ValueError(method.without_examples)
    hit, gold, judges = rows.predictions, rows.columns.get("gold"), rows.judges if getattr(method, "judged", True) else None
    known = np.zeros(len(rows), bool) if gold is None else np.asarray(rows.known.all(axis=1))
    if rows.times[known].sum() < 2:
        raise ValueError(INCOMPLETE)
    assert gold is not None
    base = 1 / rows.columns[CHANCE][:, 0] if CHANCE in rows.columns else np.ones(len(rows))
    mass = rows.times * rows.weight
    often = np.where(known, base * (mass.sum() / (mass * known * base).sum()), 0.0)
    of_gold = _counts(np.where(known[:, None], gold, 0.0), hit)
    judged = None if judges is None or np.isnan(judges[:, 0]).any() else judges.mean(axis=1)
    if judged is not None:
        apart, own = (
            (np.where(known[:, None], gold, 0.0) - one)[known]
            for one in (judged, (gold * mass[:, None])[known].sum(axis=0) / mass[known].sum())
        )
        if (mass[known] @ apart**2).sum() >= (mass[known] @ own**2).sum():
            judged = None
    return ExampleRows(None if judged is None else _counts(judged, hit), of_gold, known, often)


def _counts(labels: Array, hit: Array) -> Array:
    """Return tp, fp, fn, tn of each row, (4, rows)."""
    four = (labels * hit, (1 - labels) * hit, labels * (1 - hit), (1 - labels) * (1 - hit))
    return np.stack([one.sum(axis=1) for one in four])
