"""Closed-form thresholds of measures with SymPy symbols as parameters (prop:consistency)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...algebra.count_formula import is_symbol
from ...algebra.measure import Measure
from ...algebra.numbers.exact import as_written

USE_OPTIMAL = "use optimal_threshold"  # how a note ends; the command line has its own words for it


@dataclass(frozen=True)
class SymbolicThreshold:
    """The threshold t* as a formula in the parameters, and perhaps in ``prevalence``."""

    value: Any  # a SymPy expression, or a Fraction
    erm_consistent: bool | None  # whether t* is 1/2; None where that depends on the parameters
    decides_examples: bool  # whether it is right within one example, whose numbers of positives and negatives are random
    condition: str  # on the parameters


def symbolic_threshold(measure: Measure) -> SymbolicThreshold | str:
    """Return the threshold of a measure with symbolic parameters, or a text that says why not."""
    import sympy

    tp, fp = sympy.symbols("tp fp", positive=True)
    n, prevalence = sympy.symbols("n prevalence", positive=True)
    tpos, tneg = n * prevalence, n * (1 - prevalence)
    given = {k: x if is_symbol(x) else sympy.Rational(as_written(x)) for k, x in measure.params.items()}
    value = sympy.cancel(measure.function(tp, fp, tpos - tp, tneg - fp, **given))
    sign = -1 if measure.better == "lower" else 1
    gain, price = sympy.cancel(sign * sympy.diff(value, tp)), sympy.cancel(-sign * sympy.diff(value, fp))
    if (gain.free_symbols | price.free_symbols) & {tp, fp}:
        return f"as a formula in its parameters it is not affine in tp and fp; choose values and {USE_OPTIMAL}"
    weight = sympy.cancel(gain + price)
    if weight == 0 or gain.is_negative or price.is_negative:
        return "one more tp makes it worse, or one more fp makes it better, or neither tp nor fp changes it"
    threshold = sympy.cancel(price / weight)
    if n in threshold.free_symbols:
        return "the best threshold depends on the size of the test set"
    erm = threshold == sympy.Rational(1, 2)
    undecided = bool(threshold.free_symbols - {prevalence}) and not erm
    fixed = prevalence not in threshold.free_symbols | weight.free_symbols
    condition = f"where a tp gains ({gain}) and an fp costs ({price}), both not negative"
    value = (
        Fraction(int(threshold.p), int(threshold.q))
        if threshold.is_Rational
        else threshold.subs(prevalence, sympy.Symbol("prevalence"))
    )
    return SymbolicThreshold(value, None if undecided else bool(erm), fixed, condition)
