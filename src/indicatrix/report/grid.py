"""Plain-text tables: aligned columns, numbers to the right, labels shown as they are."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from typing import Any


def grid(header: Sequence[str], rows: Sequence[Sequence[Any]], *, left: int = 1) -> list[str]:
    r"""Return aligned lines, the first ``left`` columns flush left, the others flush right.

    >>> print("\n".join(grid(("class", "f1"), [("ant", 0.5), ("armadillo", 1.0)])))
    class         f1
    ant        0.500
    armadillo  1.000
    """
    cells = [[show(x) for x in row] for row in (header, *rows)]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(_pad(c, w, i < left) for i, (c, w) in enumerate(zip(row, widths, strict=True))).rstrip() for row in cells]


def printable(text: str, keep: str = "") -> str:
    r"""Return a text with escapes for characters that steer terminals or break lines.

    Those in ``keep`` stay.

    >>> print(printable("a\x1b[31m\n"))
    a\x1b[31m\n
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else repr(c)[1:-1] for c in text)


def show(x: Any) -> str:
    """Return the text of a cell.

    A value has three digits, an undefined value is a dash, and a count has groups of thousands.
    """
    if isinstance(x, float):
        if math.isnan(x):
            return "–"
        if math.isinf(x):
            return "∞" if x > 0 else "-∞"
        return f"{x:.3f}" if abs(x) < 1000 else f"{x:,.1f}" if abs(x) < 1e7 else f"{x:.4g}"
    return f"{x:,}" if isinstance(x, int) and not isinstance(x, bool) else str(x)


def label(name: Any, longest: int = 28) -> str:
    """Return a class name that fits in one cell: without line breaks, and not too long."""
    text = printable(str(name)) or "''"
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def width(text: str) -> int:
    """Return how many columns a text takes in a terminal."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, to: int, left: bool) -> str:
    space = " " * (to - width(text))
    return text + space if left else space + text
