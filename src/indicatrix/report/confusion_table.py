"""The confusion matrix as people read it: true classes in rows, predicted ones in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .escapes import escape_html
from .grid import grid, labels, show, width
from .table_forms import CELL_STYLE, TABLE_STYLE

MOST = 12  # classes whose matrix is shown
WIDTH = 110  # of its lines
SHORTEST, WIDEST, LONGEST = 10, 14, 28  # what is left of the name of a column at least and at most, and of a row
TITLE = "Confusion matrix, true classes in rows, predicted classes in columns:"
LEFT_OUT = "Examples without a class on one side are not in it."


@dataclass(frozen=True)
class ConfusionTable:
    """How often each class was predicted for each true class."""

    classes: Sequence[Any]
    rows: Sequence[Sequence[Any]]  # counts, or sums of weights
    complete: bool = True  # whether every example has a class on both sides

    @property
    def notes(self) -> list[str]:
        """What the matrix does not show."""
        return [] if self.complete else [LEFT_OUT]

    def lines(self) -> list[str]:
        r"""Return aligned lines; long names are cut so that they stay apart.

        >>> print("\n".join(ConfusionTable(["ant", "bee"], [[40, 10], [5, 1045]]).lines()))
        Confusion matrix, true classes in rows, predicted classes in columns:
             ant    bee
        ant   40     10
        bee    5  1,045
        """
        down, across = self._names()
        rows = [(name, *map(show, row)) for name, row in zip(down, self.rows, strict=True)]
        return [TITLE, *grid(("", *across), rows), *self.notes]

    def _names(self) -> tuple[list[str], list[str]]:
        """Return the names of rows and columns.

        Where names of columns would be cut to almost nothing, columns have the numbers of their rows.
        """
        down = labels(self.classes, LONGEST)
        room = (WIDTH - max(map(width, down))) // len(down) - 2
        if room >= SHORTEST or max(map(width, down)) <= room:
            return down, labels(self.classes, min(room, WIDEST))
        numbers = [str(i) for i in range(1, len(down) + 1)]
        return [f"{number:>{len(numbers[-1])}} {name}" for number, name in zip(numbers, down, strict=True)], numbers

    def html(self) -> str:
        """Return a table whose cells are the darker the larger their share of the true class.

        >>> ConfusionTable(["<a>"], [[3]]).html().count("&lt;a&gt;")
        2
        """
        across = labels(self.classes, WIDEST)
        head = "".join(_cell("th", self.classes[j], name, scope="col") for j, name in enumerate(across))
        names = labels(self.classes, LONGEST)
        body = []
        for i, row in enumerate(self.rows):
            total = float(sum(row))
            cells = (_cell("td", "", show(x), share=max(float(x), 0.0) / total if total > 0 else 0.0) for x in row)
            body.append(f"<tr>{_cell('th', self.classes[i], names[i], scope='row')}{''.join(cells)}</tr>")
        corner = f'<th scope="col" style="{CELL_STYLE};text-align:left;font-weight:inherit">true ↓ predicted →</th>'
        return f'<table style="{TABLE_STYLE}"><thead><tr>{corner}{head}</tr></thead><tbody>{"".join(body)}</tbody></table>'


def _cell(tag: str, name: Any, text: str, *, scope: str = "", share: float = 0) -> str:
    """Return a cell; a name that was cut is whole in its title."""
    side = "left;font-weight:inherit" if scope == "row" else "right"
    shade = f";background:rgba(128,128,128,{0.5 * min(share, 1):.2f})" if share else ""
    hint = f' title="{escape_html(str(name)[:300])}"' if scope and str(name) != text else ""
    given = f' scope="{scope}"' if scope else ""
    style = f"{CELL_STYLE};white-space:nowrap;text-align:{side}{shade}"
    return f'<{tag}{given} style="{style}"{hint}><bdi>{escape_html(text)}</bdi></{tag}>'
