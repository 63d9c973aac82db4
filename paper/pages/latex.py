"""Tables as LaTeX."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from ..record import Table
from .show import show

SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "—": "---", "…": r"\ldots{}",
    "Ł": r"\L{}", "ł": r"\l{}", "ö": r"\"o", "<": "$<$", ">": "$>$", "|": "$|$", "−": "$-$", "≤": r"$\le$", "≥": r"$\ge$",
    "≠": r"$\ne$", "×": r"$\times$", "·": r"$\cdot$", "±": r"$\pm$", "∞": r"$\infty$", "√": r"$\surd$", "→": r"$\to$",
    "∈": r"$\in$", "✓": r"$\checkmark$", "✗": r"$\times$", "⋆": r"$\star$", "²": "$^2$", "³": "$^3$", "½": r"$\frac12$",
    "Σ": r"$\Sigma$", "Δ": r"$\Delta$", "π": r"$\pi$", "τ": r"$\tau$", "α": r"$\alpha$", "β": r"$\beta$", "γ": r"$\gamma$",
    "δ": r"$\delta$", "ε": r"$\varepsilon$", "η": r"$\eta$", "κ": r"$\kappa$", "λ": r"$\lambda$", "χ": r"$\chi$",
    "φ": r"$\varphi$", "ŷ": r"$\hat y$", "Ŷ": r"$\hat Y$",
}  # fmt: skip
LINE, SHORT = 90, 24  # how many characters fit on a line, and how many are never broken
PATTERN = re.compile("|".join(map(re.escape, SPECIAL)))


def table(given: Table) -> str:
    r"""Return a table for LaTeX with booktabs and amssymb.

    >>> print(table(Table("Floors", ("measure", "m = 10"), [("F_1", 0.5)])))
    \begin{table}
      \caption{Floors}
      \begin{tabular}{ll}
        \toprule
        measure & m = 10 \\
        \midrule
        F\_1 & 0.5 \\
        \bottomrule
      \end{tabular}
    \end{table}
    <BLANKLINE>
    """
    cells = [given.header, *([show(x) for x in row] for row in given.rows)]
    header, *body = map(_line, cells)
    note = [f"  \\par\\footnotesize {escape(given.note)}"] if given.note else []
    lines = [
        r"\begin{table}",
        f"  \\caption{{{escape(given.title)}}}",
        f"  \\begin{{tabular}}{{{columns(cells)}}}",
        *(f"    {line}" for line in (r"\toprule", header, r"\midrule", *body, r"\bottomrule")),
        r"  \end{tabular}",
        *note,
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Return text that LaTeX prints as it is, apart from characters its fonts lack, which stay."""
    return PATTERN.sub(lambda found: SPECIAL[found[0]], text)


def columns(cells: Sequence[Sequence[str]]) -> str:
    r"""Return the columns of a table: as wide as their texts, or broken if a line is too long.

    >>> columns([["measure", "recall"]]), columns([["measure", "x" * 60, "y" * 30]])
    ('ll', 'lp{0.48\\linewidth}p{0.34\\linewidth}')
    """
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    broken = [width for width in widths if width > SHORT]
    if sum(widths) <= LINE or not broken:
        return "l" * len(widths)
    room = max(0.9 - (sum(widths) - sum(broken)) / LINE, 0.15 * len(broken))  # the rest lies between the columns
    share = room / sum(map(math.sqrt, broken))  # a text of four times the length gets twice the width, and twice the lines
    return "".join(f"p{{{share * math.sqrt(width):.2f}\\linewidth}}" if width > SHORT else "l" for width in widths)


def _line(row: Iterable[str]) -> str:
    text = " & ".join(map(escape, row)) + r" \\"
    return "{}" + text if text.startswith(("[", "*")) else text  # after a line's end these would be its options
