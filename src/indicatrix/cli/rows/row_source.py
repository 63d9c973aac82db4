"""A source of rows from any file: the names of the columns, and a function that yields blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

BLOCK = 100_000  # rows that are read and counted at once

Block = dict[str, list[Any]]  # cells by column; None where one is missing


@dataclass(frozen=True)
class Source:
    """Rows to read: their name in messages, their columns, and blocks of chosen columns."""

    name: str
    columns: tuple[str, ...]
    blocks: Callable[[tuple[str, ...]], Iterator[Block]]
    typed: bool = False  # cells have types, as in Parquet files; otherwise all cells are text


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
