"""Tables as LaTeX."""

from __future__ import annotations

import re

from ..record import Table
from .show import show

SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "—": "---", "…": r"\ldots{}",
    "Ł": r"\L{}", "ł": r"\l{}", "ö": r"\"o", "<": "$<$", ">": "$>$", "|": "$|$", "−": "$-$", "≤": r"$\le$", "≥": r"$\ge$",
    "≠": r"$\ne$", "×": r"$\times$", "·": r"$\cdot$", "±": r"$\pm$", "∞": r"$\infty$", "√": r"$\surd$", "→": r"$\to$",
    "∈": r"$\in$", "✓": r"$\checkmark$", "✗": r"$\times$", "⋆": r"$\star$", "²": "$^2$", "³": "$^3$", "½": r"$\frac12$",
    "Σ": r"$\Sigma$", "Δ": r"$\Delta$", "π": r"$\pi$", "τ": r"$\tau$", "α": r"$\alpha$", "β": r"$\beta$", "γ": r"$\gamma$",
    "δ": r"$\delta$", "η": r"$\eta$", "κ": r"$\kappa$", "λ": r"$\lambda$", "χ": r"$\chi$", "φ": r"$\varphi$",
    "ŷ": r"$\hat y$", "Ŷ": r"$\hat Y$",
}  # fmt: skip
PATTERN = re.compile("|".join(map(re.escape, SPECIAL)))


def table(given: Table) -> str:
    r"""Return a table for LaTeX with booktabs.

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
    body = [_line(row) for row in given.rows]
    note = [f"  \\par\\footnotesize {escape(given.note)}"] if given.note else []
    lines = [
        r"\begin{table}",
        f"  \\caption{{{escape(given.title)}}}",
        f"  \\begin{{tabular}}{{{'l' * len(given.header)}}}",
        *(f"    {line}" for line in (r"\toprule", _line(given.header), r"\midrule", *body, r"\bottomrule")),
        r"  \end{tabular}",
        *note,
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Return text that LaTeX prints as it is, apart from characters its fonts lack, which stay."""
    return PATTERN.sub(lambda found: SPECIAL[found[0]], text)


def _line(row: object) -> str:
    return " & ".join(escape(show(x)) for x in row) + r" \\"  # type: ignore[attr-defined]
