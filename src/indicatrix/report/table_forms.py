"""Table: rows of cells as text, Markdown, LaTeX, CSV or HTML; labels stay plain text in each form.

What a cell of a table may be beyond a number or a text, and its plain text.

Texts that stay texts: no form reads them as a command, a link, a tag or a formula.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from .grid import grid, label, labels, printable, show

Form = Literal["text", "markdown", "latex", "csv", "html"]
LATEX_NUMBERS = str.maketrans({"-": "$-$", "–": "--", "∞": "$\\infty$"})
# Colors and fonts come from where the table stands, so that it fits light and dark pages.
TABLE_STYLE = "border-collapse:collapse;font-variant-numeric:tabular-nums;color:inherit;background:none"
CELL_STYLE = "padding:.15em .6em;border:0;border-bottom:1px solid rgba(128,128,128,.35);background:none"


@dataclass(frozen=True)
class Table:
    """Rows of cells; the first ``left`` columns are texts, aligned left, the others are aligned right.

    A cell is a number, a text, or one of ``BestCell``, ``BothConventions``, ``Label`` and ``Uncertain``. ``notes`` are sentences
    on the whole table: they follow it, as comments in LaTeX and not at all in CSV, which holds all digits and the ends of
    intervals in columns of their own.

    >>> table = Table(("", "lr", "rf"), [("f1", 0.5, BestCell(0.75)), ("mcc", Uncertain(-0.25, -0.31, -0.18), 0.25)])
    >>> print(table.text())
                           lr     rf
    f1                  0.500  0.750*
    mcc  -0.25 [-0.31, -0.18]  0.250
    """

    header: Sequence[Any]  # texts or labels; empty for a list of names and texts
    rows: Sequence[Sequence[Any]]
    left: int = 1
    notes: Sequence[str] = ()

    def to(self, form: Form) -> str:
        r"""Return the table in the form of this name.

        >>> Table(("a",), [(1,)]).to("csv")
        'a\r\n1\r\n'
        """
        forms = {"text": self.text, "markdown": self.markdown, "latex": self.latex, "csv": self.csv, "html": self.html}
        if form not in forms:
            raise ValueError(f"A table has no form {form!r}. Its forms are {', '.join(forms)}.")
        return forms[form]()

    def text(self) -> str:
        """Return aligned lines, a star after the best of each row."""
        cells = self.texts()
        lines = grid(cells[0], cells[1:], left=self.left) if cells else []
        return "\n".join([*lines, *(["", *map(printable, self.notes)] if self.notes else ())])

    def texts(self) -> list[list[str]]:
        """Return the cells as texts, the header first if there is one; a star follows the best cells.

        A space follows the other cells of their columns, so that numbers stay aligned.

        >>> Table((), [("f1", 0.5, BestCell(0.75)), ("mcc", 0.25, 0.25)]).texts()
        [['f1', '0.500', '0.750*'], ['mcc', '0.250', '0.250 ']]
        """
        rows = [*([self.header] if self.header else ()), *map(same_digits, self.rows)]
        starred = {i for row in self.rows for i, cell in enumerate(row) if isinstance(cell, BestCell)}
        marks = {True: "*", False: " "}
        return [[plain(c) + (marks[isinstance(c, BestCell)] if i in starred else "") for i, c in enumerate(row)] for row in rows]

    def markdown(self) -> str:
        r"""Return a Markdown table, the best of each row bold.

        >>> print(Table(("measure", "|x|"), [("recall", BestCell(0.5))]).markdown())
        | measure | \|x\| |
        | --- | ---: |
        | recall | **0.500** |
        """
        width = len(self._columns())
        line = ["---" if i < self.left else "---:" for i in range(width)]
        rows = [self.header or [""] * width, *map(same_digits, self.rows)]
        cells = ([_mark(c, escape_markdown(plain(c)), "**{}**") for c in row] for row in rows)
        lines = [f"| {' | '.join(row)} |" for row in (next(cells), line, *cells)]
        return "\n".join([*lines, *(["", *map(escape_markdown, self.notes)] if self.notes else ())])

    def latex(self) -> str:
        r"""Return a LaTeX table with the rules of the package booktabs, the best of each row bold.

        >>> print(Table(("measure", "a_1"), [("recall", BestCell(-0.5))]).latex())
        \begin{tabular}{lr}
        \toprule
        measure & a\_1 \\
        \midrule
        recall & \textbf{$-$0.500} \\
        \bottomrule
        \end{tabular}
        """
        columns = "".join("l" if i < self.left else "r" for i in range(len(self._columns())))
        head = [_latex_row(self.header), "\\midrule"] if self.header else []
        lines = [
            f"\\begin{{tabular}}{{{columns}}}",
            "\\toprule",
            *head,
            *map(_latex_row, map(same_digits, self.rows)),
            "\\bottomrule",
        ]
        return "\n".join([*lines, "\\end{tabular}", *(f"% {escape_latex(note)}" for note in filter(None, self.notes))])

    def csv(self) -> str:
        r"""Return comma-separated values: all digits, whole labels, nan where a value is undefined.

        A text that a spreadsheet would run as a formula begins with an apostrophe. The ends of intervals stand in columns of
        their own.

        >>> print(Table(("", "macro"), [("=f1", Uncertain(0.85, 0.767, 0.907))]).csv().replace("\r", ""), end="")
        ,macro,macro_low,macro_high
        '=f1,0.85,0.767,0.907
        """
        with_ends = [any(isinstance(inside(row[i]), Uncertain) for row in self.rows) for i in range(len(self._columns()))]
        rows = [[x for c, ends in zip(row, with_ends, strict=True) for x in _data(c, ends)] for row in self.rows]
        head: list[Any] = []
        for c, ends in zip(self.header, with_ends, strict=False):
            name = _whole_text(c)
            head += [name, f"{name}_low", f"{name}_high"] if ends else [name]
        return csv_text([head, *rows] if head else rows)

    def html(self) -> str:
        """Return an HTML table without scripts that takes its colors from the page.

        >>> "<script>" in Table(("",), [("<script>",)]).html()
        False
        """
        head = f"<thead>{_html_row(self.header, self.left, 'col')}</thead>" if self.header else ""
        body = "".join(_html_row(row, self.left, "row") for row in map(same_digits, self.rows))
        notes = "".join(f'<p style="margin:.4em 0;max-width:60em">{escape_html(note)}</p>' for note in filter(None, self.notes))
        return f'<table style="{TABLE_STYLE}">{head}<tbody>{body}</tbody></table>{notes}'

    def _columns(self) -> Sequence[Any]:
        return self.header or (self.rows[0] if self.rows else ())


def columns_as_csv(columns: Mapping[str, Sequence[Any]]) -> str:
    r"""Return columns, as ``to_dict()`` gives them, as comma-separated values.

    >>> columns_as_csv({"class": ["=a", "b"], "value": [0.5, math.nan]}).split("\r\n")
    ['class,value', "'=a,0.5", 'b,nan', '']
    """
    return csv_text([[*columns], *zip(*columns.values(), strict=True)])


def csv_text(rows: Sequence[Sequence[Any]]) -> str:
    """Return rows of texts and numbers as comma-separated values."""
    import csv  # loaded here: most reports are not written as CSV
    import io

    made = io.StringIO()
    csv.writer(made).writerows([[_number(x) if is_number(x) else escape_formula(str(x)) for x in row] for row in rows])
    return made.getvalue()


def _number(x: Any) -> float | int:
    return float(x) if isinstance(x, float) else int(x)  # their plain types, whose texts have all digits


def _whole_text(cell: Any) -> str:
    return str(cell.name) if isinstance(cell, Label) else str(cell)


def _data(cell: Any, ends: bool) -> list[Any]:
    """Return what CSV holds of a cell: a number or a text, and the ends of its interval."""
    cell = inside(cell)
    if isinstance(cell, Uncertain):
        return [cell.value, cell.low, cell.high]
    return [cell if is_number(cell) else _whole_text(cell), *([""] * 2 if ends else ())]


def _mark(cell: Any, text: str, bold: str) -> str:
    return bold.format(text) if isinstance(cell, BestCell) else text


def _latex_row(row: Sequence[Any]) -> str:
    texts = (plain(c).translate(LATEX_NUMBERS) if is_number(c) else escape_latex(plain(c)) for c in row)
    return " & ".join(_mark(c, text, "\\textbf{{{}}}") for c, text in zip(row, texts, strict=True)) + " \\\\"


def _html_row(row: Sequence[Any], left: int, scope: str) -> str:
    return f"<tr>{''.join(_html_cell(c, i, left, scope) for i, c in enumerate(row))}</tr>"


def _html_cell(cell: Any, i: int, left: int, scope: str) -> str:
    tag = f'th scope="{scope}"' if scope == "col" or i == 0 else "td"
    weight = ";font-weight:inherit" if scope == "row" and i == 0 else ""
    text, value = plain(cell), inside(cell)
    hint = ""
    if isinstance(value, Label) and text != str(value.name):
        hint = f' title="{escape_html(str(value.name)[:300])}"'
    elif isinstance(value, float) and math.isnan(value):
        hint = ' title="undefined"'
    shown = _mark(cell, escape_html(text), "<strong>{}</strong>")
    wrap = "normal" if 0 < i < left else "nowrap"  # a sentence may take several lines, a name or a number may not
    style = f"{CELL_STYLE};white-space:{wrap};text-align:{'left' if i < left else 'right'}{weight}"
    return f'<{tag} style="{style}"{hint}><bdi>{shown}</bdi></{tag.split()[0]}>'


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
