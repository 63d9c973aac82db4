"""Several classifiers on the same rows of label matrices: sums of products of their cells.

A row adds its four cells of every class to the counts of each classifier. The sums of products of these numbers give the
variance of any difference, whatever the measure. Means over examples need the distinct rows of counts, which are kept, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import CELLS
from ...storage.json_values import array_in, array_out, counts_in, fields, whole_in
from ...tally.cells import Cells
from ...tally.counting.literal_counting import Examples
from ...tally.states.group_counts import distinct
from .joint_labels import UNLIKE_WEIGHTS

LARGEST = 4096  # numbers that a row may add to all counts: four cells of each class and each classifier
ENTRIES = 1 << 20  # numbers of a block of rows


@dataclass(frozen=True, eq=False)
class JointCells:
    """Sums over rows of the cells of all classifiers, of their products, and the distinct rows of counts.

    With weights w, the sums are of w times a cell, and of w squared times a product.
    """

    n: int
    sums: Array  # (classifiers, 4, m)
    squares: Array | None  # (classifiers 4 m) x (classifiers 4 m); None: there are too many classes
    rows: Array  # (classifiers 4) x distinct rows: counts of an example, sorted
    times: Array  # how many examples have each row; none where there are weights
    apart: Array  # classifiers x classifiers: in how many rows their cells differ
    weighted: bool = False

    @staticmethod
    def of(examples: Iterable[tuple[Examples, Array]], m: int) -> JointCells:
        """Return the sums of the classifiers' examples; with each come the places of its classes among ``m``."""
        sides = [*examples]
        k, n = len(sides), sides[0][0].n
        weights = sides[0][0].times
        times = None if weights is None else weights.astype(np.float64)
        width = 4 * m * k
        sums, squares = np.zeros(width), np.zeros((width, width)) if width <= LARGEST else None
        rows, apart = [np.zeros((4 * k, 0))], np.zeros((k, k), np.int64)
        step = max(1, ENTRIES // max(width, 1))
        for start in range(0, n, step):
            stop = min(start + step, n)
            z = np.stack([_cells(x.between(start, stop), place, m) for x, place in sides], axis=1)  # rows x k x 4 x m
            rows.append(z.sum(axis=3).reshape(stop - start, 4 * k).T)
            apart += (z[:, :, None] != z[:, None]).any(axis=(3, 4)).sum(axis=0)
            flat = z.reshape(stop - start, width)
            flat = flat if times is None else flat * times[start:stop, None]
            sums += flat.sum(axis=0)
            if squares is not None:
                squares += cross_moments(flat)
        found = np.concatenate(rows, axis=1)
        own, often = distinct(found, np.ones(n, np.int64)) if times is None else (found[:, :0], np.zeros(0, np.int64))
        return JointCells(n, sums.reshape(k, 4, m), squares, own, often, apart, times is not None)

    def __add__(self, other: JointCells) -> JointCells:
        if self.weighted != other.weighted:
            raise ValueError(UNLIKE_WEIGHTS)
        rows, times = distinct(np.concatenate([self.rows, other.rows], axis=1), np.concatenate([self.times, other.times]))
        squares = None if self.squares is None or other.squares is None else self.squares + other.squares
        return JointCells(self.n + other.n, self.sums + other.sums, squares, rows, times, self.apart + other.apart, self.weighted)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JointCells):
            return NotImplemented
        if (self.n, self.weighted, self.squares is None) != (other.n, other.weighted, other.squares is None):
            return False
        pairs = [(getattr(self, x), getattr(other, x)) for x in ("sums", "squares", "rows", "times", "apart")]
        return all(a is None or np.array_equal(a, b) for a, b in pairs)

    __hash__ = None  # type: ignore[assignment]

    def recode(self, place: Array, m: int) -> JointCells:
        """Return the sums on ``m`` classes, of which these are at ``place``; no row has any of the others."""
        k, _, own = self.sums.shape
        new = np.setdiff1d(np.arange(m), place)
        if len(new) and self.weighted:
            raise ValueError("These have weights and different classes. Count all with the same classes=.")
        sums = np.zeros((k, 4, m))
        sums[:, :, place] = self.sums
        sums[:, 3, new] = self.n
        rows = self.rows.copy()
        rows[3::4] += m - own
        squares = None
        if self.squares is not None and 4 * m * k <= LARGEST:
            wide = np.zeros((k, 4, m, k, 4, m))
            wide[:, :, place[:, None], :, :, place] = np.moveaxis(self.squares.reshape(k, 4, own, k, 4, own), (2, 5), (0, 1))
            wide[:, 3, new] = sums  # every row has a true negative in a new class
            wide[:, :, :, :, 3, new] = sums[:, :, :, None, None]
            squares = wide.reshape(4 * m * k, 4 * m * k)
        return JointCells(self.n, sums, squares, *distinct(rows, self.times), self.apart, self.weighted)

    def to_json(self) -> dict[str, Any]:
        """Return the sums as plain data."""
        squares = None if self.squares is None else array_out(self.squares)
        arrays = {name: array_out(getattr(self, name)) for name in ("sums", "rows", "times", "apart")}
        return {"kind": "cells", "n": self.n, "weighted": self.weighted, "squares": squares, **arrays}


def cells_in(data: Any, classifiers: int, m: int) -> JointCells:
    """Return the sums that plain data describe; data that describe none are a ValueError."""
    names = ("n", "sums", "squares", "rows", "times", "apart")
    n, sums, squares, rows, times, apart = fields(data, names, "the joint counts")
    width = 4 * m * classifiers
    found = counts_in(rows, "the rows of examples", (4 * classifiers, None), signed=False)
    return JointCells(
        whole_in(n, "n"),
        array_in(sums, "the sums", (classifiers, 4, m)),
        None if squares is None else array_in(squares, "the sums of products", (width, width)),
        found,
        counts_in(times, "the times of the rows", (found.shape[1],), signed=False),
        counts_in(apart, "the rows that differ", (classifiers, classifiers), signed=False),
        data.get("weighted") is True,
    )


def cross_moments(z: Array) -> Array:
    """Return the sum over rows of the products of all numbers of a row."""
    return np.asarray(z.T @ z)


def _cells(x: Examples, place: Array, m: int) -> Array:
    """Return the four cells of each row and class, rows x 4 x m; other classes are true negatives."""
    made = Cells(x.y, x.yhat, x.tnorm, x.cells, scale=x.scale)
    out = np.zeros((x.n, 4, m))
    out[:, 3] = 1.0
    for i, name in enumerate(CELLS):
        out[:, i, place] = getattr(made, name)
    return out
