"""Columns of text: the distinct cells, and the place of each row's cell among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array

BLOCK = 100_000  # rows that are read and counted at once


@dataclass(frozen=True)
class TextColumn:
    """The distinct cells of a column, and the place of each row's cell; -1 where it is missing."""

    values: list[Any]
    codes: Array

    def __len__(self) -> int:
        return len(self.codes)

    @classmethod
    def of(cls, cells: Sequence[Any]) -> TextColumn:
        """Return the column of these cells, in which None is missing."""
        places = {None: -1} | {cell: place for place, cell in enumerate(dict.fromkeys(c for c in cells if c is not None))}
        return cls(
            [cell for cell in places if cell is not None], np.fromiter(map(places.__getitem__, cells), np.intp, len(cells))
        )

    def cells(self) -> list[Any]:
        """Return the cell of each row; None where it is missing."""
        table = np.empty(len(self.values) + 1, object)
        table[:-1] = self.values
        cells: list[Any] = table[self.codes].tolist()
        return cells

    def arrow(self) -> Any:
        """Return the column as a dictionary of Arrow, null where a cell is missing."""
        import pyarrow as pa

        gone = self.codes < 0
        indices = pa.array(self.codes.astype(np.int32, copy=False), mask=gone if gone.any() else None)
        return pa.DictionaryArray.from_arrays(indices, pa.array(self.values, pa.string()))


Block = dict[str, Any]  # a TextColumn by its name; numbers are an array of Arrow


def check_names(columns: tuple[str, ...], name: str) -> None:
    """Refuse a file with two columns of the same name."""
    seen: dict[str, int] = {}
    for at, column in enumerate(columns, 1):
        if column in seen and column:
            raise ValueError(
                f"{name} has two columns {column!r}, the {_ordinal(seen[column])} and the {_ordinal(at)}. Rename one of them."
            )
        seen[column] = at


def _ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
