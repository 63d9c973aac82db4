"""A source of rows from any file: the names of the columns, and a function that yields blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array

BLOCK = 100_000  # rows that are read and counted at once


@dataclass(frozen=True)
class Column:
    """The distinct cells of a column, and the place of each row's cell; -1 where it is missing."""

    values: list[Any]
    codes: Array

    def __len__(self) -> int:
        return len(self.codes)

    @classmethod
    def of(cls, cells: Sequence[Any]) -> Column:
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

    def without_empty_texts(self) -> Column:
        """Return the column in which an empty text is missing, as an empty cell of a text file is.

        >>> Column.of(["a", "", " ", None]).without_empty_texts().cells()
        ['a', None, None, None]
        """
        if not any(isinstance(cell, str) and not cell.strip() for cell in self.values):
            return self
        return Column.of([None if isinstance(cell, str) and not cell.strip() else cell for cell in self.cells()])

    def first_missing(self) -> int | None:
        """Return the first row whose cell is missing; None without one."""
        missing = self.codes < 0
        return int(missing.argmax()) if missing.any() else None


Block = dict[str, Column]  # by the name of the column


@dataclass(frozen=True)
class Source:
    """Rows to read: their name in messages, their columns, and blocks of chosen columns."""

    name: str
    columns: tuple[str, ...]
    blocks: Callable[[tuple[str, ...]], Iterator[Block]]
    typed: bool = False  # cells have types, as in Parquet files; otherwise all cells are text
    share: Callable[[], float | None] = lambda: None  # the share that has been read, if it is known


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
