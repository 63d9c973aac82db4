"""What pages show as the formula of a measure beyond four counts.

These are definitions, and a few formulas that are only shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from definitions import OF_MATRIX
from definitions import WORDS as OF_THE_MATRIX
from latex import latex_of_definition
from score_definitions import GROUPS, WORDS

SHOWN: dict[str, tuple[str, str]] = {  # the formula, and what its signs stand for
    "eer": (
        r"\mathrm{FPR}(\theta) \quad \text{where} \quad \mathrm{FPR}(\theta) = \mathrm{FNR}(\theta)",
        "FPR and FNR are the false positive and the false negative rate at a threshold $\\theta$, or mixed from those of two.",
    ),
    "chi_squared_p_value": (
        r"P \left( X \geq \chi^2 \right)",
        "X has the chi-squared distribution with $(k - 1)^2$ degrees of freedom, and $k$ is the number of classes.",
    ),
    "aickin_alpha": (
        r"\frac{a - e}{1 - e}, \quad e = \sum_k u_k v_k",
        "a is the share of examples that agree; u and v are the shares of the classes, true and predicted, among the examples "
        "that do not agree for cause, which are estimated together with the result.",
    ),
}


def formula(name: str) -> Iterator[str]:
    """Yield the formula of a measure in LaTeX, then what its signs stand for."""
    if name in SHOWN:
        yield from (f"$$\n{SHOWN[name][0]}\n$$", SHOWN[name][1])
        return
    groups = {OF_THE_MATRIX: OF_MATRIX, **{WORDS[group]: found for group, found in GROUPS.items()}}
    for words, definitions in groups.items():
        if name in definitions:
            text, where, own = definitions[name]
            first, *parts = latex_of_definition(text, where).split(r",\qquad ")
            yield f"$$\n{first}\n$$"
            yield "where" if parts else ""
            yield from (f"$$\n{part}\n$$" for part in parts)
            yield f"{words} {own}".strip()
