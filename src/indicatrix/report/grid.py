"""Plain-text tables: aligned columns, numbers to the right, labels shown as they are."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
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


def name_text(name: Any, keep: str = "") -> str:
    r"""Return a name in one line, in quotes if it is empty or has a space at an end, which nobody sees.

    >>> print(name_text("dog"), name_text("dog "), name_text(""), name_text("a\nb"))
    dog 'dog ' '' a\nb
    """
    text = printable(str(name), keep)
    return text if text and text == text.strip() else f"'{text}'"


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


def near_bound(share: float) -> str:
    """Return a share with three digits, or with so many that it looks like 0 or 1 only if it is.

    >>> near_bound(0.25), near_bound(1.0), near_bound(0.99986), near_bound(0.00002)
    ('0.250', '1.000', '0.9999', '0.00002')
    """
    for places in range(3, 12):
        text = f"{share:.{places}f}"
        if float(text) not in (0, 1):
            return text
    return f"{share:.3f}"


def label(name: Any, longest: int = 28) -> str:
    """Return a class name that fits in one cell: in one line, and cut in the middle if it is long.

    >>> label("gradient boosting, depth 3", 14)
    'gradien…epth 3'
    """
    return _cut(name_text(name), longest)


def _cut(text: str, longest: int) -> str:
    """Return a text of at most this many characters that keeps both ends."""
    return text if len(text) <= longest else f"{text[: longest // 2]}…{text[len(text) - (longest - 1) // 2 :]}"


def labels(names: Sequence[Any], longest: int = 28) -> list[str]:
    """Return names that fit in cells and stay apart: if cut ones would be equal, they show what differs.

    >>> labels(["a forest of 10 trees by hand", "a forest of 25 trees by hand"], 16)
    ['a fore…10…y hand', 'a fore…25…y hand']
    """
    return _cut_apart([*map(name_text, names)], longest)


def _cut_apart(texts: list[str], longest: int) -> list[str]:
    shown = [_cut(text, longest) for text in texts]
    for twin in [one for one, times in Counter(shown).items() if times > 1]:
        places = [i for i, one in enumerate(shown) if one == twin]
        alike = [texts[i] for i in places]
        if len(set(alike)) == 1:
            continue
        start, end = _count_shared(alike), _count_shared([text[::-1] for text in alike])
        end = min(end, min(map(len, alike)) - start)  # in "aa" and "aaa" both ends share the same letters
        cores = [text[start : len(text) - end] for text in alike]
        side = max((longest - 2 - min(max(map(len, cores)), longest // 2)) // 2, 1)
        inner = _cut_apart(cores, max(longest - 2 * side - 2, 3))
        for i, core in zip(places, inner, strict=True):
            head, tail = texts[i][: min(side, start)], texts[i][len(texts[i]) - min(side, end) :]
            shown[i] = f"{head}{'…' if start > side else ''}{core}{'…' if end > side else ''}{tail}"
    return shown


def _count_shared(texts: Sequence[str]) -> int:
    """Return with how many equal letters all texts start."""
    return sum(1 for _ in takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False)))


def width(text: str) -> int:
    """Return how many columns a text takes in a terminal."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, to: int, left: bool) -> str:
    space = " " * (to - width(text))
    return text + space if left else space + text
