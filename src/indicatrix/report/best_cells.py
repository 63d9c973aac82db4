"""Cells that are the best of their row: a star in text, bold in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .grid import printable, show


@dataclass(frozen=True)
class Best:
    """A cell that is the best of its row: marked with a star, and bold where possible."""

    text: str


def star_best(rows: Sequence[Sequence[Any]]) -> list[list[str]]:
    """Return cells as texts.

    A star follows the best cells, and a space the other cells of their columns, so that numbers stay aligned.

    >>> star_best([("f1", 0.5, Best("0.750")), ("mcc", 0.25, 0.25)])
    [['f1', '0.500', '0.750*'], ['mcc', '0.250', '0.250 ']]
    """
    starred = {i for row in rows for i, cell in enumerate(row) if isinstance(cell, Best)}
    return [[_text(cell, "*", " " if i in starred else "") for i, cell in enumerate(row)] for row in rows]


def embolden_best(rows: Sequence[Sequence[Any]]) -> list[list[str]]:
    """Return cells as texts for Markdown, the best ones bold."""
    return [[f"**{cell.text}**" if isinstance(cell, Best) else show(cell) for cell in row] for row in rows]


def _text(cell: Any, mark: str, padding: str) -> str:
    return f"{cell.text}{mark}" if isinstance(cell, Best) else f"{printable(show(cell))}{padding}"
