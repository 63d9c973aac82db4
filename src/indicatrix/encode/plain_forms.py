"""The four plain forms of data: a label vector, a dense table, a sparse table, a list of sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..algebra.arrays import Array

IMAGES = "Masks and label maps, an image each, go to ix.segmentation(y_true, y_pred)"
BLOCK = 1 << 15  # rows handled at a time: the working set stays in cache and temporaries stay small


@dataclass(frozen=True, slots=True)
class Labels:
    """One label per example: plain values, or integer codes into ``categories`` (-1: missing)."""

    values: Any  # a 1-D NumPy array or a list
    categories: tuple[Any, ...] | None = None
    declared: bool = False  # the categories, in their order, are the classes (a pandas Categorical, a Polars Enum)
    ordered: bool = field(default=False, repr=False)  # … and their order means something (an ordered Categorical)
    rows: Any = field(default=None, repr=False)  # where the labels stood, if some rows were left out
    complete: bool = field(default=False, repr=False)  # every category is known to occur

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True)
class Table:
    """A dense n x m array, with the names of its columns where the container has them."""

    values: Array
    columns: tuple[Any, ...] | None = None

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True)
class Sparse:
    """A sparse n x m array in compressed rows; ``data`` may hold explicit zeros."""

    indptr: Array
    indices: Array
    data: Array
    width: int

    def __len__(self) -> int:
        return len(self.indptr) - 1


@dataclass(frozen=True, slots=True)
class Sets:
    """One set of labels per example."""

    rows: Sequence[Any]

    def __len__(self) -> int:
        return len(self.rows)


Form = Labels | Table | Sparse | Sets


def plain_bools(x: Array) -> Array:
    """Return an array in which each bool is the byte 0 or 1, so that it may be read as a number.

    Any other byte is True for NumPy, too: a mask of 0 and 255 is often seen as bools where it lies.

    >>> plain_bools(np.array([0, 255], np.uint8).view(bool)).view(np.uint8)
    array([0, 1], dtype=uint8)
    """
    if x.dtype.kind != "b" or x.view(np.uint8).max(initial=0) <= 1:
        return x
    return np.asarray(x.view(np.uint8) != 0)


def pieces(values: Any, size: int = BLOCK) -> Iterator[list[Any]]:
    """Yield the values as lists of Python objects, block by block, without a second copy of the data."""
    for start in range(0, len(values), size):
        block = values[start : start + size]
        yield block.tolist() if isinstance(block, np.ndarray) else list(block)


def is_missing(value: Any) -> bool:
    """Return whether a value is None, NaN, NaT or pandas.NA.

    >>> is_missing(None), is_missing(float("nan")), is_missing(0)
    (True, True, False)
    """
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:  # pandas.NA has no truth value
        return type(value).__name__ == "NAType"
    except ValueError:  # an array among the labels: not missing, but refused later
        return False
