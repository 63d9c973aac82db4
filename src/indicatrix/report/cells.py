"""What a cell of a table may be beyond a number or a text, and its plain text.

Texts that stay texts: no form reads them as a command, a link, a tag or a formula.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from .grid import label, labels, printable, show

MOST_DECIMALS = 9
ROUNDING = 1e-12  # of the values


@dataclass(frozen=True)
class BestCell:
    """A cell that is the best of its row: a star in text, bold where that is possible."""

    cell: Any


@dataclass(frozen=True)
class BothConventions:
    """A value that leaves undefined values out, and the value if they count as 0, if they are far apart."""

    cell: Any  # a number, or an Uncertain
    as_zero: float

    def show_as_zero(self) -> str:
        """Return the second value in words, with the digits of the first.

        >>> BothConventions(0.813, 0.271).show_as_zero()
        '(as 0: 0.271)'
        """
        shown = replace(self.cell, value=self.as_zero).show_value() if isinstance(self.cell, Uncertain) else show(self.as_zero)
        return f"(as 0: {shown})"


@dataclass(frozen=True)
class Label:
    """A name from the data: short and in one line where people read it, whole where programs do."""

    name: Any
    shown: str = ""  # the short text, if names around it were cut with it so that they stay apart


def labels_apart(names: Sequence[Any]) -> list[Label]:
    """Return labels of names that stand in one table: cut ones show what differs.

    >>> [plain(name) for name in labels_apart(["a forest of 10 trees, cut by hand", "a forest of 25 trees, cut by hand"])]
    ['a forest of 10…, cut by hand', 'a forest of 25…, cut by hand']
    """
    return [Label(name, shown) for name, shown in zip(names, labels(names), strict=True)]


@dataclass(frozen=True)
class Uncertain:
    """A value and the ends of its interval, shown with the digits that its width supports."""

    value: float
    low: float
    high: float
    places: int | None = None  # decimals to show; None: as many as the width supports

    def __str__(self) -> str:
        """Return the value and its interval, two digits of the width deciding how many decimals there are.

        >>> print(Uncertain(0.85, 0.767, 0.907), "|", Uncertain(0.85012, 0.8497, 0.8511))
        0.85 [0.77, 0.91] | 0.8501 [0.8497, 0.8511]
        """
        return f"{self.show_value()} {self.show_ends()}".rstrip()

    def show_value(self) -> str:
        """Return the value with as many decimals as its interval deserves."""
        return self._show(self.value)

    def show_ends(self) -> str:
        """Return the interval in brackets; "" without an interval."""
        return "" if math.isnan(self.low) or math.isnan(self.high) else f"[{self._show(self.low)}, {self._show(self.high)}]"

    def _show(self, x: float) -> str:
        places = decimals(self.low, self.high) if self.places is None else self.places
        return show(float(x)) if places is None or not math.isfinite(x) else f"{round(x, places) + 0.0:,.{places}f}"


def decimals(low: float, high: float) -> int | None:
    """Return how many decimals show two digits of the width of an interval; None if it has no width.

    A width that only rounding makes does not count.

    >>> decimals(0.7, 0.9), decimals(0.70, 0.71), decimals(10, 300), decimals(0.5, 0.5), decimals(0.5, 0.5 + 1e-15)
    (2, 3, 0, None, None)
    """
    width = high - low
    if not ROUNDING * max(1.0, abs(low), abs(high)) < width < math.inf:
        return None
    return min(max(0, 1 - math.floor(math.log10(width) + 1e-9)), MOST_DECIMALS)


def same_digits(row: Sequence[Any]) -> list[Any]:
    """Return a row whose values with intervals all have the decimals of the narrowest interval.

    >>> [plain(cell) for cell in same_digits(["f1", Uncertain(0.5, 0.4, 0.6), BestCell(Uncertain(0.9, 0.88, 0.91))])]
    ['f1', '0.500 [0.400, 0.600]', '0.900 [0.880, 0.910]']
    """
    supported = [decimals(x.low, x.high) for x in map(inside, row) if isinstance(x, Uncertain)]
    most = max((places for places in supported if places is not None), default=None)
    return [_with_places(cell, most) for cell in row]


def _with_places(cell: Any, places: int | None) -> Any:
    """Return a cell whose interval, where it has one, is shown with so many decimals."""
    if isinstance(cell, BestCell | BothConventions):
        return replace(cell, cell=_with_places(cell.cell, places))
    return replace(cell, places=places) if isinstance(cell, Uncertain) else cell


def inside(cell: Any) -> Any:
    """Return the value of a cell, without what stands around it: that it is the best, or another value.

    >>> inside(BestCell(BothConventions(0.5, 0.25)))
    0.5
    """
    return inside(cell.cell) if isinstance(cell, BestCell | BothConventions) else cell


def plain(cell: Any) -> str:
    r"""Return the text of a cell in one line, without characters that steer a terminal.

    >>> plain(Label("a\nb")), plain(BestCell(0.5)), plain(float("nan"))
    ('a\\nb', '0.500', '–')
    """
    if isinstance(cell, BestCell):
        return plain(cell.cell)
    if isinstance(cell, BothConventions):
        return f"{plain(cell.cell)} {cell.show_as_zero()}"
    if isinstance(cell, Label):
        return cell.shown or label(cell.name)
    return printable(show(cell))


def is_number(cell: Any) -> bool:
    """Return whether a cell is a value or a count, with or without an interval."""
    cell = inside(cell)
    return isinstance(cell, float | int | Uncertain) and not isinstance(cell, bool)


MARKDOWN = {"\\": "\\\\", "|": "\\|", "`": "\\`", "*": "\\*", "~": "\\~", "$": "\\$", "<": "&lt;", ">": "&gt;", "&": "&amp;"}
HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
LATEX = {
    "\\": "\\textbackslash{}",
    "^": "\\textasciicircum{}",
    "~": "\\textasciitilde{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    "`": "\\textasciigrave{}",
    "'": "\\textquotesingle{}",
    '"': "\\char34{}",
    **{c: f"\\{c}" for c in "{}$&#%_"},
    **{c: f"{{{c}}}" for c in "[]*"},  # after the end of a row, [ and * are read as its options
}
WORD_END = re.compile(r"(?<!\w)_|_(?!\w)")  # inside a word, as in exact_match, an underscore is read as it is
LIGATURE = re.compile("(?<=-)-|(?<=,),")  # LaTeX joins -- and ,, into other characters
FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?")


def escape_markdown(text: str) -> str:
    r"""Return a text that a page shows as it is, without cells, code, emphasis, HTML, links and line ends.

    >>> print(escape_markdown("a|b `c` <d> *e* f_g _h_"))
    a\|b \`c\` &lt;d&gt; \*e\* f_g \_h\_
    """
    escaped = "".join(MARKDOWN.get(c, c) for c in printable(text)).replace("](", "]\\(")
    return WORD_END.sub(r"\\_", escaped)


def escape_latex(text: str) -> str:
    r"""Return a text that LaTeX prints as it is.

    >>> print(escape_latex("50% of $x_1$"))
    50\% of \$x\_1\$
    """
    return LIGATURE.sub(r"{\g<0>}", "".join(LATEX.get(c, c) for c in printable(text)))


def escape_html(text: str) -> str:
    """Return a text that stands in HTML, also between quotation marks.

    >>> print(escape_html("<b title='x'>"))
    &lt;b title=&#x27;x&#x27;&gt;
    """
    return "".join(HTML.get(c, c) for c in printable(text))


def escape_formula(text: str) -> str:
    """Return a text that a spreadsheet does not run: an apostrophe stands before what may be a formula.

    >>> escape_formula("=1+1"), escape_formula("-1"), escape_formula("ant")
    ("'=1+1", '-1', 'ant')
    """
    text = printable(text)
    return f"'{text}" if FORMULA.match(text) and not NUMBER.fullmatch(text) else text
