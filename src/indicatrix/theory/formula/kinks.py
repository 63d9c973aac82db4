"""Kinks: where a formula changes from one smooth piece to another, as min, max and abs do.

Trials decide an equation between smooth formulas, because two that differ agree almost nowhere. With kinks this holds only within
each piece. So the pieces are found first, by recording which way every comparison goes at many count vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.measure import Measure

ENOUGH = 3  # count vectors in a piece; a piece found less often suggests others that were not found at all
MOST_PIECES = 128
LINES, MOST_TURNS, HALVINGS, ASIDE = 150, 500, 30, 1e-6  # on which pieces between others are looked for, and how finely
COMPARISONS = (np.minimum, np.maximum, np.less, np.less_equal, np.greater, np.greater_equal)
GRAIN = 2.0**20
Place = Callable[[Array], Array]
SQUARES = (np.absolute, np.power, np.square)  # an even power and a root together are an absolute value


class _Recorder(np.ndarray[Any, np.dtype[np.float64]]):
    """Counts that write down the signs of what a formula compares, or puts into abs or a power."""

    signs: list[Array]

    def __array_finalize__(self, source: Any) -> None:
        self.signs = getattr(source, "signs", [])

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [np.asarray(x) if isinstance(x, _Recorder) else x for x in inputs]
        if options.get("out"):
            options["out"] = tuple(np.asarray(x) for x in options["out"])
        self._record(ufunc, plain)
        result = np.asarray(getattr(ufunc, method)(*plain, **options)).view(_Recorder)
        result.signs = self.signs
        return result

    def _record(self, ufunc: Any, inputs: list[Any]) -> None:
        if ufunc in COMPARISONS:
            self.signs.append(np.sign(np.subtract(*inputs)))
        elif ufunc in SQUARES or (ufunc is np.multiply and np.array_equal(*inputs)):
            self.signs.append(np.sign(inputs[0]))


def comparisons(measure: Measure, vectors: Any) -> Array | None:
    """Return the sign of each comparison that a measure makes at each count vector: 1, 0, -1, or nan.

    There is one column for each comparison. None for a function that cannot be applied to arrays, such as one with an ``if``.

    >>> import indicatrix as ix
    >>> comparisons(ix.measure("min(tp, fp)/n"), [(1, 2, 0, 0), (2, 1, 0, 0)]).tolist()
    [[-1.0], [1.0]]
    """
    columns = np.array(vectors, np.float64).T
    counts = [x.copy().view(_Recorder) for x in columns]
    shared: list[Array] = []
    for x in counts:
        x.signs = shared
    try:
        with quiet():
            measure.function(*counts, **measure.params_for(counts[0]))
            signs = [np.broadcast_to(np.asarray(s, np.float64), len(columns[0])) for s in shared]
    except (TypeError, ValueError, ArithmeticError):
        return None
    return np.array(signs).T.reshape(len(columns[0]), len(signs))


def has_kinks(signs: Array | None) -> bool:
    """Return whether some comparison goes both ways."""
    return signs is not None and bool(((signs > 0).any(axis=0) & (signs < 0).any(axis=0)).any())


def counts_between(measure: Measure, vectors: Array, place: Place = lambda v: v) -> Array:
    """Return more vectors like the given ones, in pieces that lie between theirs, however thin.

    On lines from one piece to another, the point is found where each comparison turns. The new vectors lie between two such
    points, and close to each of them. They are multiples of 2**-20, so that floats hold them and small multiples of them exactly.
    ``place`` maps vectors to the counts that are meant, if they are not counts themselves.
    """
    rng = np.random.default_rng(0)
    start, end = (vectors[rng.integers(0, len(vectors), LINES)] for _ in range(2))
    first, last = comparisons(measure, place(start)), comparisons(measure, place(end))
    if first is None or last is None:
        return vectors[:0]
    line, which = (x[:MOST_TURNS] for x in np.nonzero(first * last < 0))
    below, above = np.zeros(len(line)), np.ones(len(line))
    for _ in range(HALVINGS):
        middle = (below + above) / 2
        signs = comparisons(measure, place(_along(start, end, line, middle)))
        assert signs is not None
        same = signs[np.arange(len(line)), which] == first[line, which]
        below, above = np.where(same, middle, below), np.where(same, above, middle)
    turns = [np.sort(below[line == i]) for i in range(LINES)]
    places = [(i, t) for i, at in enumerate(turns) if len(at) for t in (*(at[1:] + at[:-1]) / 2, *(at + ASIDE), *(at - ASIDE))]
    where, share = np.array([i for i, _ in places], int), np.clip([t for _, t in places], 0, 1)
    return np.asarray(np.rint(_along(start, end, where, share) * GRAIN) / GRAIN)


def _along(start: Array, end: Array, line: Array, share: Array) -> Array:
    made: Array = start[line] * (1 - share)[:, None] + end[line] * share[:, None]
    return made


@dataclass(frozen=True)
class Pieces:
    """The pieces of a formula on some count vectors: which piece each one is in, and how many there are."""

    labels: Array  # of each count vector; -1 on a border, or where it is not usable
    sizes: Array  # how many of the count vectors lie in each piece

    @staticmethod
    def of(signs: Array, usable: Array | bool = True) -> Pieces:
        """Return the pieces that the signs of all comparisons distinguish, where a count vector is usable."""
        both = signs[:, (signs > 0).any(axis=0) & (signs < 0).any(axis=0)]
        inside = (abs(both) == 1).all(axis=1) & usable
        labels = np.full(len(signs), -1)
        rows, found, sizes = np.unique(both[inside], axis=0, return_inverse=True, return_counts=True)
        labels[inside] = found.ravel()
        return Pieces(labels, sizes if len(rows) else np.zeros(0, int))

    def doubt(self) -> str:
        """Return why trials in these pieces do not decide; empty if they do."""
        if len(self.sizes) > MOST_PIECES:
            return f"min, max or abs divide the counts into {len(self.sizes)} pieces or more"
        rare = int((self.sizes < ENOUGH).sum())
        if rare:
            return f"in {rare} of {len(self.sizes)} pieces made by min, max or abs there were too few counts to try"
        return ""

    def members(self) -> list[int]:
        """Return the positions of some count vectors of each piece: the first, one between, and the last."""
        inside = (np.flatnonzero(self.labels == label) for label in range(min(len(self.sizes), MOST_PIECES)))
        return [int(i) for where in inside for i in dict.fromkeys((where[0], where[len(where) // 2], where[-1]))]
