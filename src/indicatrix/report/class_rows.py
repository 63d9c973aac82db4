"""A plain table of classes and averages: shares as decimals, the number of examples last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Row = tuple[str, Sequence[Any]]  # its name, then shares and at the end the number of examples; "" for an empty cell


def text_of_class_rows(columns: Sequence[str], classes: Sequence[Row], averages: Sequence[Row], digits: int) -> str:
    """Return the table as text; an empty line stands after the head and before the averages.

    >>> print(text_of_class_rows(["recall", "support"], [("ant", (0.5, 2))], [("macro avg", (0.5, 2))], 2))
                  recall   support
    <BLANKLINE>
          ant       0.50         2
    <BLANKLINE>
    macro avg       0.50         2
    <BLANKLINE>
    """
    width = max([digits, *(len(name) for name, _ in (*classes, *averages))])
    head = f"{'':>{width}} " + "".join(f" {column:>9}" for column in columns)
    blocks = ("".join(_line(row, width, digits) for row in rows) for rows in (classes, averages))
    return "\n\n".join((head, "\n".join(blocks)))


def _line(row: Row, width: int, digits: int) -> str:
    name, (*shares, last) = row
    cells = ["" if share == "" else f"{share:.{digits}f}" for share in shares]
    return f"{name:>{width}} " + "".join(f" {cell:>9}" for cell in (*cells, last)) + "\n"
