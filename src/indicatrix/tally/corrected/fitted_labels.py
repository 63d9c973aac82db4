"""What a correction makes of rows: corrected labels, and what each row adds to sums over them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from .judged_rows import PREDICTIONS, STRATUM, JudgedRows

EXAMPLES = "The score of one row is not a sum of labels, so it is not known here. Name another average, such as 'macro'."
ROUNDED = 1e-9  # sizes that differ by so little are equal
Apart = list[tuple[Array, Array]]  # of other samples that a correction used: what each row adds, and how often it occurs


def covariance_of(some: Sequence[Apart]) -> Array:
    """Return the covariances of several sums over the same samples.

    Of each sum it is known what the rows of each sample add.

    >>> covariance_of([[(np.array([1.0, 0.0]), np.array([1, 1]))]]).tolist()
    [[1.0]]
    """
    whole = np.zeros((len(some), len(some)))
    for sample in zip(*some, strict=True):
        own, times = np.stack([added for added, _ in sample]), sample[0][1]
        sums, n = own @ times, float(times.sum())
        whole += ((own * times) @ own.T - np.outer(sums, sums) / max(n, 1.0)) * n / max(n - 1, 1)
    return whole


@dataclass(frozen=True, eq=False)
class FittedLabels:
    """Corrected labels, with what each row adds to a sum in which label k of row i counts d[i, k].

    >>> import numpy as np
    >>> known = FittedLabels.known(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1.0, 2.0]))
    >>> known.along(np.array([[5.0, 1.0], [5.0, 1.0]])).tolist()
    [5.0, 2.0]
    """

    labels: Array  # rows x classes; each row sums to 1 where a row has one class
    along: Callable[[Array], Array]  # of d, rows x classes: what each row adds, its part in the correction included
    apart: Callable[[Array], Apart] = lambda _: []  # no other sample was used
    typical: Array | None = None  # the weight of a row that is as good as sure, (truth, prediction); None: that of all rows
    notes: tuple[str, ...] = ()

    @staticmethod
    def known(labels: Array, weight: Array, **more: Any) -> FittedLabels:
        """Return labels that are taken as they are."""
        return FittedLabels(labels, lambda d: np.asarray(weight * (d * labels).sum(axis=1)), **more)


class Method:
    """How rows are corrected; two that are equal correct alike, so that rows of both add."""

    def check(self, rows: JudgedRows) -> None:
        """Refuse rows that cannot be corrected, before anybody asks for a score."""

    def fit(self, rows: JudgedRows) -> FittedLabels:
        """Return the corrected labels of rows, with what each row adds."""
        return by_column(rows, partial(self.column, rows))

    def whole_rows(self, rows: JudgedRows) -> tuple[Array, Array, Array]:
        """Return labels of whole rows, which rows have them, and the strata within which those were chosen."""
        raise ValueError(EXAMPLES)

    def column(self, rows: JudgedRows, j: int) -> FittedLabels:
        """Return the corrected labels of the rows, or of one of several labels.

        Of a method that looks at each label alone.
        """
        raise NotImplementedError

    def counts_alike(self, rows: JudgedRows) -> bool:
        """Return whether each row with a gold label stands for as many rows, but for what was predicted."""
        told, strata = rows.columns[PREDICTIONS], rows.columns.get(STRATUM, np.zeros((len(rows), 0)))
        kinds = {len(np.unique(some, axis=0)) for some in (told, np.hstack([told, strata]))}
        size = rows.weight * rows.drawn * rows.known.any(axis=1)
        mass = rows.times * size  # rows that weigh next to nothing tell next to nothing
        mean = (mass @ size) / mass.sum()
        return len(kinds) == 1 and bool(mass @ (size - mean) ** 2 <= ROUNDED * (mass @ size) * mean)

    def to_data(self) -> dict[str, Any]:
        """Return the method as plain data."""
        return dict(vars(self))

    @classmethod
    def from_data(cls, _: Any) -> Any:
        """Return the method that plain data describe."""
        return cls()


def by_column(rows: JudgedRows, fit: Callable[[int], FittedLabels]) -> FittedLabels:
    """Return the labels of rows; of several labels, each column is corrected by itself."""
    if not rows.several:
        return fit(0)
    fits = [fit(j) for j in range(rows.m)]

    def along(d: Array) -> Array:
        return np.asarray(np.sum([fit.along(d[:, [j]]) for j, fit in enumerate(fits)], axis=0))

    def apart(d: Array) -> Apart:  # a row of another sample adds to all columns
        blocks = [fit.apart(d[:, [j]]) for j, fit in enumerate(fits)]
        return [(np.sum([added for added, _ in some], axis=0), some[0][1]) for some in zip(*blocks, strict=True)]

    weights = [fit.typical for fit in fits if fit.typical is not None]  # of one method, all or none
    notes = tuple(dict.fromkeys(note for fit in fits for note in fit.notes))
    typical = np.stack(weights, axis=2) if weights else None
    return FittedLabels(np.hstack([fit.labels for fit in fits]), along, apart, typical, notes)
