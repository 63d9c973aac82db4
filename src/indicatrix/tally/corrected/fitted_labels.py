"""What a correction makes of rows: corrected labels, and what each row adds to sums over them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...algebra.arrays import Array
from .judged_rows import GOLD, JudgedRows

Added = Array  # what single rows add
Apart = list[tuple[Array, Array]]  # of other samples that a correction used: what each row adds, and how often it occurs


def nothing_apart(_: Array) -> Apart:
    """Return that no other sample was used."""
    return []


@dataclass(frozen=True, eq=False)
class FittedLabels:
    """Corrected labels, with what each row adds to a sum in which label k of row i counts d[i, k].

    >>> import numpy as np
    >>> known = FittedLabels.known(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1.0, 2.0]))
    >>> known.along(np.array([[5.0, 1.0], [5.0, 1.0]])).tolist()
    [5.0, 2.0]
    """

    labels: Array  # rows x classes; each row sums to 1 where a row has one class
    along: Callable[[Array], Added]  # of d, rows x classes: what each row adds, its part in the correction included
    apart: Callable[[Array], Apart] = nothing_apart
    typical: Array | None = None  # the weight of a row that is as good as sure, (truth, prediction); None: 1
    notes: tuple[str, ...] = field(default=())

    @staticmethod
    def of_gold(rows: JudgedRows) -> FittedLabels:
        """Return the gold labels of rows that all have one."""
        gold = rows.columns[GOLD]
        return FittedLabels.known(gold if rows.several else (gold == np.arange(rows.m)).astype(np.float64), rows.weight)

    @staticmethod
    def known(labels: Array, weight: Array) -> FittedLabels:
        """Return labels that are taken as they are."""
        return FittedLabels(labels, lambda d: np.asarray(weight * (d * labels).sum(axis=1)))


def side_by_side(fits: Sequence[FittedLabels]) -> FittedLabels:
    """Return the labels of several columns, each of which was corrected by itself."""

    def along(d: Array) -> Added:
        return np.asarray(np.sum([fit.along(d[:, [j]]) for j, fit in enumerate(fits)], axis=0))

    def apart(d: Array) -> Apart:  # a row of another sample adds to all columns
        blocks = [fit.apart(d[:, [j]]) for j, fit in enumerate(fits)]
        return [(np.sum([added for added, _ in some], axis=0), some[0][1]) for some in zip(*blocks, strict=True)]

    typical = [np.ones((2, 2)) if fit.typical is None else fit.typical for fit in fits]
    notes = tuple(dict.fromkeys(note for fit in fits for note in fit.notes))
    return FittedLabels(np.hstack([fit.labels for fit in fits]), along, apart, np.stack(typical, axis=2), notes)
