"""Corrected by error rates: it is known, or was measured, how often a true label is seen as another.

The label that was seen, multiplied by the inverse of the table of error rates P(seen | true), is right in the mean, whatever the
shares of the classes are; errors must not depend on the prediction. With rates from rows whose truth is known this is the
estimator of Rogan and Gladen (1978, American Journal of Epidemiology 107:71-76); how sure the rates are counts in intervals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from .fitted_labels import Apart, FittedLabels, nothing_apart, side_by_side
from .judged_rows import GOLD, JudgedRows

Table = tuple[tuple[float, ...], ...]
ILL = 10.0  # the condition number of error rates from which on small errors in them matter much
NO_LABEL = "Row {} has no label, and errors of labels that were not seen cannot be undone. Drop it, or give gold labels: gold="
ILL_POSED = (
    "The error rates tell the classes hardly apart (condition number {:.3g}): small errors in the rates, and errors that depend "
    "on the prediction, change the scores by much."
)
SINGULAR = "noise= is the same for several true classes{}, so that labels say nothing about them. Its rows must differ."


@dataclass(frozen=True)
class ByNoise:
    """Correction by known error rates, one table for all labels or one for each of several columns.

    ``examples`` are tables of counts (true, seen) from which the rates come; without them they are taken as exact.
    """

    rates: tuple[Table, ...]
    examples: tuple[Table, ...] = ()

    def fit(self, rows: JudgedRows) -> FittedLabels:
        """Return the corrected labels of rows."""
        if not rows.several:
            return self._column(rows, 0, 0)
        return side_by_side([_of_one_label(self._column(rows, j, j % len(self.rates))) for j in range(rows.m)])

    def _column(self, rows: JudgedRows, column: int, table: int) -> FittedLabels:
        seen, rates = _seen(rows, column), np.array(self.rates[table])
        inverse = _inverse(rates, f" of column {column}" if rows.several else "")
        labels = _labels(seen, inverse)
        apart: Callable[[Array], Apart] = nothing_apart
        if self.examples:
            times = np.array(self.examples[table])

            def apart(d: Array) -> Apart:
                return [(_pull_back(_sums(seen, d, len(rates)), inverse, rates, times.sum(axis=1)).ravel(), times.ravel())]

        return FittedLabels(labels, lambda d: rows.weight * (d * labels).sum(axis=1), apart, notes=_about(rates))

    def to_data(self) -> dict[str, Any]:
        """Return the method as plain data."""
        return {"rates": self.rates, "examples": self.examples}

    @staticmethod
    def from_data(data: Any) -> ByNoise:
        """Return the method that plain data describe."""
        return ByNoise(as_tables(np.array(data["rates"], np.float64)), as_tables(np.array(data["examples"], np.float64)))


@dataclass(frozen=True)
class ByErrorRates:
    """Correction by the error rates of the judge that the gold rows tell: Rogan and Gladen's.

    It is right where gold rows were chosen by their truth, or come from elsewhere; not where judge and classifier err alike.
    """

    def fit(self, rows: JudgedRows) -> FittedLabels:
        """Return the corrected labels of rows."""
        if not rows.several:
            return self._column(rows, 0)
        return side_by_side([_of_one_label(self._column(rows, j)) for j in range(rows.m)])

    def _column(self, rows: JudgedRows, column: int) -> FittedLabels:
        m, seen = 2 if rows.several else rows.m, _seen(rows, column)
        gold = rows.columns[GOLD][:, column if rows.several else 0]
        known = ~np.isnan(gold)
        truth, mass = np.where(known, gold, 0).astype(np.intp), rows.times * rows.weight * known
        times = np.zeros((m, m))
        np.add.at(times, (truth, seen[:, 0]), mass)
        if (times.sum(axis=1) == 0).any():
            odd = int((times.sum(axis=1) == 0).argmax())
            raise ValueError(
                f"No gold label is class number {odd}, so nothing says how the judge labels its rows. Label some of them, or use "
                "unverified='correct'."
            )
        rates = times / times.sum(axis=1, keepdims=True)
        inverse = _inverse(rates, "")
        labels, weight = _labels(seen, inverse), rows.weight

        def along(d: Array) -> Array:
            sums = _sums(seen, d * (rows.times * weight)[:, None], m)
            moved = _pull_back(sums, inverse, rates, times.sum(axis=1))[truth, seen[:, 0]]
            return np.asarray(weight * ((d * labels).sum(axis=1) + np.where(known, moved, 0.0)))

        usual = float((rows.times * weight).sum() / max(rows.times[known].sum(), 1.0))
        return FittedLabels(labels, along, typical=np.full((m, m + 1), usual), notes=_about(rates))

    def to_data(self) -> dict[str, Any]:
        """Return the method as plain data."""
        return {}

    @staticmethod
    def from_data(_: Any) -> ByErrorRates:
        """Return the method that plain data describe."""
        return ByErrorRates()


def as_tables(tables: Array) -> tuple[Table, ...]:
    """Return tables as tuples, which can be compared."""
    return tuple(tuple(tuple(row) for row in table) for table in tables.tolist())


def _seen(rows: JudgedRows, column: int) -> Array:
    """Return the labels that were seen, rows x labels of the same row; -1 where one is absent."""
    judges = rows.judges
    own = np.full((len(rows), 1), np.nan) if judges is None else judges[:, :, column if rows.several else 0]
    none = np.isnan(own).all(axis=1)
    if none.any():
        raise ValueError(NO_LABEL.format(int(none.argmax())))
    return np.where(np.isnan(own), -1, own).astype(np.intp)


def _inverse(rates: Array, where: str) -> Array:
    if np.linalg.matrix_rank(rates) < len(rates):
        raise ValueError(SINGULAR.format(where))
    return np.asarray(np.linalg.inv(rates))


def _labels(seen: Array, inverse: Array) -> Array:
    """Return the corrected label of each row: the mean over the labels that were seen."""
    there = seen >= 0
    rows = np.where(there[:, :, None], inverse[seen], 0.0)
    return np.asarray(rows.sum(axis=1) / there.sum(axis=1)[:, None])


def _sums(seen: Array, d: Array, m: int) -> Array:
    """Return what labels count that were seen as each class, (seen, true).

    A row with several labels is shared out.
    """
    there, out = seen >= 0, np.zeros((m, d.shape[1]))
    share = there / there.sum(axis=1, keepdims=True)
    for one, part in zip(seen.T, share.T, strict=True):
        here = one >= 0
        np.add.at(out, one[here], d[here] * part[here, None])
    return out


def _pull_back(sums: Array, inverse: Array, rates: Array, of_class: Array) -> Array:
    """Return how a sum over corrected labels moves with each row (true, seen) that the rates come from."""
    along = inverse.T @ sums @ inverse.T
    return np.asarray(-(along - (rates * along).sum(axis=1, keepdims=True)) / np.maximum(of_class, 1e-300)[:, None])


def _about(rates: Array) -> tuple[str, ...]:
    condition = float(np.linalg.cond(rates))
    return (ILL_POSED.format(condition),) if condition > ILL else ()


def _of_one_label(fit: FittedLabels) -> FittedLabels:
    """Return what a correction of two classes makes of one label, which is present or absent."""

    def both(d: Array) -> Array:
        return np.hstack([np.zeros_like(d), d])

    typical = None if fit.typical is None else fit.typical[:2, :2]
    return FittedLabels(fit.labels[:, [1]], lambda d: fit.along(both(d)), lambda d: fit.apart(both(d)), typical, fit.notes)
