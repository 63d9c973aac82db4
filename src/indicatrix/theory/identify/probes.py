"""Probes: small problems that distinguish measures, averages and conventions.

Generic problems come first, then degenerate ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from ...algebra.arrays import Array

GENERIC = 3  # generic problems of each kind: no class has undefined values, and different measures have different values
KINDS = ("counts", "binary", "multiclass", "multilabel")


@dataclass(frozen=True, eq=False)
class Probe:
    """One problem: labels (codes or a 0/1 matrix), or for the kind "counts" the count vector alone."""

    kind: str
    name: str
    y_true: Any = None
    y_pred: Any = None
    counts: tuple[int, ...] = ()
    generic: bool = False

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"


@lru_cache(maxsize=64)
def probes(kind: str, m: int) -> tuple[Probe, ...]:
    """Return the probes of a kind, with codes 0 to m - 1 or m columns.

    >>> [p.counts for p in probes("counts", 2)][:3]
    [(7, 3, 2, 11), (5, 1, 4, 9), (13, 6, 8, 3)]
    """
    made: dict[str, Callable[[], Iterator[Probe]]] = {
        "counts": _of_counts,
        "binary": _binary,
        "multiclass": lambda: _multiclass(m),
        "multilabel": lambda: _multilabel(m),
    }
    return tuple(made[kind]())


def _of_counts() -> Iterator[Probe]:
    for name, counts, generic in _count_vectors():
        yield Probe("counts", name, counts=counts, generic=generic)
    yield Probe("counts", "no examples", counts=(0, 0, 0, 0))


def _count_vectors() -> Iterator[tuple[str, tuple[int, ...], bool]]:
    """Yield generic count vectors, then one for every pattern of empty cells."""
    yield from ((f"tp, fp, fn, tn = {v}", v, True) for v in ((7, 3, 2, 11), (5, 1, 4, 9), (13, 6, 8, 3)))
    for pattern in product((1, 0), repeat=4):
        v = tuple(x * keep for x, keep in zip((4, 2, 3, 5), pattern, strict=True))
        if 0 < sum(pattern) < 4:
            yield f"tp, fp, fn, tn = {v}", v, False


def _binary() -> Iterator[Probe]:
    for name, (tp, fp, fn, tn), generic in _count_vectors():
        yield _shuffled_probe("binary", name, np.array([[tn, fp], [fn, tp]]), generic)


def _shuffled_probe(kind: str, name: str, confusion: Array, generic: bool = False) -> Probe:
    """Return the problem with this confusion matrix, its examples in random order."""
    pairs = [(i, j) for (i, j), times in np.ndenumerate(confusion) for _ in range(times)]
    random.Random(len(pairs)).shuffle(pairs)
    true, pred = np.array(pairs, np.int64).reshape(-1, 2).T
    return Probe(kind, name, true, pred, generic=generic)


def _multiclass(m: int) -> Iterator[Probe]:
    for seed in range(GENERIC):
        yield _shuffled_probe("multiclass", f"generic problem {seed + 1}", _confusion(m, seed), generic=True)
    last = m - 1
    for name, rows, columns in (
        (f"class {last} absent from y_true", [last], []),
        (f"class {last} never predicted", [], [last]),
        (f"class {last} in neither", [last], [last]),
        (f"class {last} absent from y_true, class 0 never predicted", [last], [0]),
        ("class 0 absent from y_true", [0], []),
        ("class 1 in neither", [1], [1]),
        ("only class 0 is true", list(range(1, m)), []),
        ("only class 0 is predicted", [], list(range(1, m))),
        ("only class 0 is true, class 0 never predicted", list(range(1, m)), [0]),
        ("only class 0 anywhere", list(range(1, m)), list(range(1, m))),
    ):
        confusion = _confusion(m, len(name))
        confusion[rows] = 0
        confusion[:, columns] = 0
        yield _shuffled_probe("multiclass", name, confusion)
    yield _shuffled_probe("multiclass", "all right", np.diag(np.arange(2, m + 2)))
    yield _shuffled_probe("multiclass", "all wrong", _confusion(m, 5) * (1 - np.eye(m, dtype=int)))


def _confusion(m: int, seed: int) -> Array:
    rng = random.Random(seed)
    return np.array([[rng.randint(5, 9) if i == j else rng.randint(1, 4) for j in range(m)] for i in range(m)])


def _multilabel(m: int) -> Iterator[Probe]:
    for seed in range(GENERIC):
        # If there is room, every row of some problems has all four cells: then no measure of a row is undefined.
        y, yhat = _matrices(m, seed, full_rows=m >= 4 and seed < 2)
        yield Probe("multilabel", f"generic problem {seed + 1}", y, yhat, generic=True)
    last = m - 1
    for name, row, column, true, pred in (
        (f"column {last} never true", None, last, 0, None),
        (f"column {last} never predicted", None, last, None, 0),
        (f"column {last} all zero", None, last, 0, 0),
        (f"column {last} always true", None, last, 1, None),
        (f"column {last} always predicted", None, last, None, 1),
        (f"column {last} all one", None, last, 1, 1),
        ("a row without true labels", 1, None, 0, None),
        ("a row without predicted labels", 1, None, None, 0),
        ("an empty row", 1, None, 0, 0),
        ("a row with all labels true", 1, None, 1, None),
        ("a row with all labels predicted", 1, None, None, 1),
        ("a full row", 1, None, 1, 1),
        ("nothing true", None, None, 0, None),
        ("nothing predicted", None, None, None, 0),
        ("nothing true or predicted", None, None, 0, 0),
        ("everything true", None, None, 1, None),
        ("everything predicted", None, None, None, 1),
        ("everything true and predicted", None, None, 1, 1),
    ):
        y, yhat = _matrices(m, len(name), full_rows=m >= 4)
        at = (row if row is not None else slice(None), column if column is not None else slice(None))
        for side, value in ((y, true), (yhat, pred)):
            if value is not None:
                side[at] = value
        yield Probe("multilabel", name, y, yhat)
    yield Probe("multilabel", "all right", _matrices(m, 1, full_rows=False)[0], _matrices(m, 1, full_rows=False)[0])


def _matrices(m: int, seed: int, full_rows: bool) -> tuple[Array, Array]:
    """Return two 0/1 matrices with all four cells in every column and labels on both sides of every row."""
    rng = random.Random(seed)
    while True:
        rows: list[list[int]] = []
        while len(rows) < 9:
            row = [*range(4), *(rng.randint(0, 3) for _ in range(m - 4))] if full_rows else [rng.randint(0, 3) for _ in range(m)]
            rng.shuffle(row)
            if any(cell >> 1 for cell in row) and any(cell & 1 for cell in row):
                rows.append(row)
        cells = np.array(rows)  # 2 * true + predicted
        if all(len(set(column)) == 4 for column in cells.T.tolist()):
            return cells >> 1, cells & 1
