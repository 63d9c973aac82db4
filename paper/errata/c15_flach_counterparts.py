"""Two rule measures do not follow from their counterparts (sec:catalogue, Group 11).

Skew-invariance does not mean a slope of -1.
"""

from __future__ import annotations

from typing import Any

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

# Measure, its counterpart, its formula for equally many positives and negatives, and why it does not follow.
COUNTERPARTS = (
    ("relative_accuracy", "informedness", "(t - f)/(2*(t + f))", "it changes along lines of equal t - f"),
    ("weighted_relative_accuracy", "balanced_accuracy", "(t - f)/4", ""),
    ("novelty", "informedness", "(t - f)/4", ""),
    ("conviction", "positive_likelihood_ratio", "(1 + t/f)/2", ""),
    ("chi_squared", "discriminant_power", "2*(t - f)**2/((t + f)*(2 - t - f))", "it changes where the odds ratio does not"),
)
SLOPES = {"informedness": "1", "balanced_accuracy": "1", "positive_likelihood_ratio": "t/f", "g_mean": "t/(1 - f)"}


@experiment("C15", "Class-insensitive counterparts")
def flach_counterparts(record: Record) -> None:
    """Write measures in true and false positive rate, and compare contours."""
    import sympy

    t, f = sympy.symbols("t f", positive=True)
    names = {"t": t, "f": f}
    balanced = ix.Counts(t, f, 1 - t, 1 - f)

    def of_rates(name: str) -> Any:
        # Discriminant power is the logarithm of the odds ratio, times a constant: the contours are the same.
        return sympy.factor(ix.algebra.MEASURES["diagnostic_odds_ratio" if name == "discriminant_power" else name](balanced))

    rows = []
    for name, counterpart, form, reason in COUNTERPARTS:
        value, other = of_rates(name), of_rates(counterpart)
        record.finds(f"{words(name)} at prior 1/2 is {form}", sympy.factor(value - sympy.sympify(form, locals=names)) == 0)
        dependent = sympy.factor(value.diff(t) * other.diff(f) - value.diff(f) * other.diff(t)) == 0
        record.holds(
            f"{words(name)} at prior 1/2 is a function of {words(counterpart)}",
            dependent,
            differs=reason,
            errata="C15",
        )
        rows.append([words(name), form, words(counterpart), "yes" if dependent else "no"])
    record.table("At prior 1/2, t and f the rates of positives", ["measure", "is", "counterpart", "function of it"], rows)

    for name, slope in SLOPES.items():
        value = of_rates(name)
        found = sympy.simplify(-sympy.diff(value, f) / sympy.diff(value, t))
        record.claim(
            f"slope of the contours of {words(name)} in ROC space",
            paper="-1",
            ours=str(found),
            pinned=str(sympy.simplify(sympy.sympify(slope, locals=names))),
            differs="skew-invariant measures have contours that do not move with the prior, of any shape",
            errata="C15",
        )
        record.finds(
            f"slope of the contours of {words(name)}: {slope}", sympy.simplify(found - sympy.sympify(slope, locals=names)) == 0
        )
        record.holds(f"{words(name)} is skew-invariant", ix.properties(name).skew_invariant)
