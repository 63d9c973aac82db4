"""Corrected by error rates: it is known, or was measured, how often a true label is seen as another.

The label that was seen, multiplied by the inverse of the table of error rates P(seen | true), is right in the mean, whatever the
shares of the classes are; errors must not depend on the prediction. With rates from rows whose truth is known this is the
estimator of Rogan and Gladen (1978, American Journal of Epidemiology 107:71-76); how sure the rates are counts in intervals.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from .fitted_labels import FittedLabels, Method
from .judged_rows import JudgedRows

Table = tuple[tuple[float, ...], ...]
ILL = 10.0  # the condition number of error rates from which on small errors in them matter much
NO_LABEL = (
    "{:,} of {:,} rows have no label of a judge, and errors of labels that were not seen cannot be undone. Drop these rows, or "
    "let gold= correct them, without unverified='rogan-gladen'."
)
ILL_POSED = (
    "The error rates tell the classes hardly apart (condition number {:.3g}): small errors in the rates, and errors that depend "
    "on the prediction, change the scores by much."
)
SINGULAR = "noise= is the same for several true classes{}, so that labels say nothing about them. Its rows must differ."


@dataclass(frozen=True)
class ByNoise(Method):
    """Correction by known error rates, one table for all labels or one for each of several columns.

    ``examples`` are tables of counts (true, seen) from which the rates come; without them they are taken as exact.
    """

    rates: tuple[Table, ...]
    examples: tuple[Table, ...] = ()

    def column(self, rows: JudgedRows, j: int) -> FittedLabels:
        """Return the corrected labels of the rows, or of one of several labels."""
        k = j % len(self.rates)
        undone = _Undone(rows, j, np.array(self.rates[k]))
        if not self.examples:
            return undone.fitted()
        times = np.array(self.examples[k])
        return undone.fitted(apart=lambda d: [(undone.moved(d, times.sum(axis=1)).ravel(), times.ravel())])

    @classmethod
    def from_data(cls, data: Any) -> ByNoise:
        """Return the method that plain data describe."""
        return ByNoise(as_tables(np.array(data["rates"], np.float64)), as_tables(np.array(data["examples"], np.float64)))


@dataclass(frozen=True)
class ByErrorRates(Method):
    """Correction by the error rates of the judge that the gold rows tell: Rogan and Gladen's.

    It is right where gold rows were chosen by their truth, or come from elsewhere; not where judge and classifier err alike.
    """

    def column(self, rows: JudgedRows, j: int) -> FittedLabels:
        """Return the corrected labels of the rows, or of one of several labels."""
        mass, seen = rows.mass[:, None], _seen(rows, j)
        truth = _of_two(rows.own[:, j]) * rows.known[:, [j]] if rows.several else rows.own
        times = (truth * mass).T @ seen
        of_class = times.sum(axis=1)
        if (of_class == 0).any():
            raise ValueError(
                f"No gold label is class number {int((of_class == 0).argmax())}, so nothing says how the judge labels its rows. "
                "Label some of them, or use unverified='correct'."
            )
        undone = _Undone(rows, j, times / of_class[:, None])
        plain, m = undone.fitted(), len(times)

        def along(d: Array) -> Array:
            moved = truth @ undone.moved(d * mass, of_class)
            return np.asarray(plain.along(d) + rows.weight * (moved * seen).sum(axis=1))

        usual = float(mass.sum() / max(rows.times[rows.known[:, j]].sum(), 1.0))
        return FittedLabels(plain.labels, along, typical=np.full((m, 2 if rows.several else m + 1), usual), notes=plain.notes)


def as_tables(tables: Array) -> tuple[Table, ...]:
    """Return tables as tuples, which can be compared."""
    return tuple(tuple(tuple(row) for row in table) for table in tables.tolist())


def _of_two(present: Array) -> Array:
    """Return one label as two classes, absent and present."""
    return np.stack([1 - present, present], axis=1)


def _seen(rows: JudgedRows, column: int) -> Array:
    """Return what was seen of each row, rows x classes: a row that has several labels is shared out."""
    seen = _of_two(rows.judged[:, column]) if rows.several else rows.judged
    none = np.isnan(seen).any(axis=1)
    if none.any():
        raise ValueError(NO_LABEL.format(int(rows.times[none].sum()), rows.n))
    return seen


@dataclass(frozen=True, eq=False)
class _Undone:
    """One column of labels whose errors are undone."""

    rows: JudgedRows
    column: int
    rates: Array  # (true, seen)

    @cached_property
    def inverse(self) -> Array:
        """What a label that was seen says about the truth, (seen, true)."""
        if np.linalg.matrix_rank(self.rates) < len(self.rates):
            raise ValueError(SINGULAR.format(f" of column {self.column}" if self.rows.several else ""))
        return np.asarray(np.linalg.inv(self.rates))

    @property
    def back(self) -> Array:
        """The same for the labels that are wanted: of absent and present, only the latter."""
        return self.inverse[:, 1:] if self.rows.several else self.inverse

    def fitted(self, **more: Any) -> FittedLabels:
        """Return the corrected labels."""
        condition = float(np.linalg.cond(self.rates))
        notes = (ILL_POSED.format(condition),) if condition > ILL else ()
        return FittedLabels.known(_seen(self.rows, self.column) @ self.back, self.rows.weight, notes=notes, **more)

    def moved(self, d: Array, of_class: Array) -> Array:
        """Return how a sum over corrected labels moves with each row (true, seen) that the rates come from."""
        along = self.inverse.T @ (_seen(self.rows, self.column).T @ d) @ self.back.T
        return np.asarray(-(along - (self.rates * along).sum(axis=1, keepdims=True)) / np.maximum(of_class, 1e-300)[:, None])
