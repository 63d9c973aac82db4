"""Closed-form thresholds: which measures are maximized by eta >= t* in every population.

The result is prop:consistency, with errata B10 and C10.

Möbius functions (p x + q)/(r x + s) of a share x: values, texts, and how to find them.

A share is an accuracy or a prevalence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from ...algebra.average import averages_that
from ...algebra.count_formula import is_symbol
from ...algebra.derived.derived_facts import SIGNS, about_direction
from ...algebra.evidence import Evidence
from ...algebra.measure import Measure
from ...algebra.numbers.exact import DIGITS, Rounded, Value, as_written, digits, exactly, is_defined, number, order
from ...algebra.numbers.linear_fractional import as_fraction
from ...words.wording import series
from .examined_measure import SCREEN, comparisons, counts_between, has_kinks

# Test sets (positives, negatives): two with the same share of positives, two pairs with the same total.
SIZES = ((20, 40), (50, 10), (10, 70), (10, 20), (30, 20), (60, 20))
MORE_SIZES = ((170, 30), (10, 990), (110, 130), (30, 30), (80, 520))  # for rational measures, which cost little
# Predictions, in tenths of the positives and of the negatives that are predicted positive. Three fix a plane, and the rest
# check it. Among the rest is the perfect prediction: only it distinguishes subset accuracy from a constant.
PLANE = ((2, 1), (7, 3), (4, 8))
CHECKS = ((5, 6), (10, 0), (0, 0))
EVERYWHERE = tuple((i, j) for i in range(11) for j in range(11))  # for formulas with kinks, which may be affine in one piece only
MOST_BETWEEN = 60
MORE_CHECKS = ((8, 2), (1, 9), (10, 10), (0, 10), (3, 3))

SCOPE = (
    "for binary and multilabel problems; {averages}; rows that must be one-hot are best decided by argmax_j eta_j (micro); "
    "what happens at a tie eta = t* does not matter"
)
USE_OPTIMAL = "use optimal_threshold"  # how a note ends; the command line has its own words for it


@dataclass(frozen=True)
class BayesThreshold:
    """The threshold t* for which eta >= t* maximizes a measure in every population, if there is one.

    ``evidence`` says why, or why not. ``value`` is a Fraction, the text of a formula in ``prevalence``, a SymPy
    expression in the measure's symbolic parameters and perhaps ``prevalence``, the decimal digits of an irrational constant,
    or None. ``averages`` are the averages for which the threshold is right.
    """

    value: Any
    erm_consistent: bool | None  # whether t* is 1/2, the rule that minimizing the 0/1 risk aims at
    evidence: Evidence
    averages: tuple[str, ...] = ()


def _scope(*, examples: bool) -> tuple[tuple[str, ...], str]:
    """Return the averages for which a threshold is right, and a note about them.

    It is right for pooled counts, and so for each class and the plain mean of classes; with ``examples`` also within one
    example.
    """
    right = averages_that(lambda a: a.pools or a.is_mean_over("class") or (examples and a.is_mean_over("example")))
    words = f"{series(right)} alike"
    if not examples:
        wrong = averages_that(lambda a: a.is_mean_over("example"))
        words += f", with the prevalence and the sizes of what is pooled, but not {series(wrong, 'or')}"
    return right, SCOPE.format(averages=words)


@dataclass(frozen=True)
class _Plane:
    """The measure on one test set, M = constant + gain tp - price fp, signed so that more is better."""

    tpos: int
    tneg: int
    gain: Value
    price: Value
    weight: Value  # gain + price
    threshold: Value | None  # price / weight; None where every prediction is equally good
    trials: int


def bayes_threshold(measure: Measure) -> BayesThreshold:
    """Return the threshold on eta that maximizes the measure in every population, with evidence.

    For a test set with fixed positives and negatives, a measure that is affine in tp and fp is maximized by
    eta >= price of an fp / (gain of a tp + price of an fp). The same holds for a measure that orders predictions as such a
    measure does.

    >>> import indicatrix as ix
    >>> bayes_threshold(ix.net_benefit.at(p_t=0.25)).value, bayes_threshold(ix.informedness).value
    (Fraction(1, 4), 'prevalence')
    >>> bayes_threshold(ix.f1).value is None
    True
    """
    if measure.better not in SIGNS:
        return _no_threshold(f"there is nothing to maximize: {about_direction(measure, measure.better)[:-1]}")
    if any(map(is_symbol, measure.params.values())):
        return _for_all_parameters(measure)
    value, planes = exactly(measure), list[_Plane]()
    kinked = has_kinks(comparisons(measure, SCREEN))
    for sizes in (*SIZES, *MORE_SIZES):
        if sizes in MORE_SIZES and digits([p.weight for p in planes]) is not None:
            break
        more = _in_thin_pieces(measure, sizes) if kinked else []
        plane = _plane(value, sizes, sign=-1 if measure.better == "lower" else 1, more=more)
        if isinstance(plane, Evidence):
            ordered = _threshold_by_order(value, measure) if plane.holds is False else None
            return ordered or BayesThreshold(None, None, plane)
        planes.append(plane)
    return _common(planes)


def _in_thin_pieces(measure: Measure, sizes: tuple[int, int]) -> list[Any]:
    """Return many predictions on a test set; for a formula with kinks, also in the pieces between them."""
    whole = [_counts(sizes, share) for share in EVERYWHERE]
    between = counts_between(measure, np.array(whole, np.float64))[:MOST_BETWEEN, :2].tolist()
    exact = ((Fraction(tp), Fraction(fp)) for tp, fp in between)
    return [*whole, *((tp, fp, sizes[0] - tp, sizes[1] - fp) for tp, fp in exact)]


def _for_all_parameters(measure: Measure) -> BayesThreshold:
    """Return the threshold of a measure with symbols among its parameters."""
    found = symbolic_threshold(measure)
    if isinstance(found, str):
        return _no_threshold(found)
    averages, scope = _scope(examples=found.decides_examples)
    notes = [found.condition, scope]
    if found.erm_consistent is None:
        notes.append(f"ERM-consistent if and only if {found.value} = 1/2")
    evidence = Evidence(
        True, proof="the derivatives of the formula with respect to tp and fp contain neither of them", note="; ".join(notes)
    )
    return BayesThreshold(found.value, found.erm_consistent, evidence, averages)


# Affine measures by what a tp gains and an fp costs on a test set, with their thresholds.
_ORDERS: dict[str, tuple[Callable[[int, int], tuple[int, int]], Fraction | str]] = {
    "accuracy": (lambda tpos, tneg: (1, 1), Fraction(1, 2)),
    "balanced accuracy": (lambda tpos, tneg: (tneg, tpos), "prevalence"),
    "recall": (lambda tpos, tneg: (1, 0), Fraction(0)),
    "specificity": (lambda tpos, tneg: (0, 1), Fraction(1)),
}
_SMALL = ((3, 5), (6, 2))  # test sets whose predictions are all put in order


def _threshold_by_order(value: Callable[..., Value], measure: Measure) -> BayesThreshold | None:
    """Return the threshold of an affine measure that orders predictions in the same way.

    All predictions on small test sets are compared; None if no such measure does.
    """
    for name, (rates, threshold) in _ORDERS.items():
        trials = [_predictions_in_order(value, sizes, rates(*sizes), -1 if measure.better == "lower" else 1) for sizes in _SMALL]
        if all(trials):
            averages, scope = _scope(examples=False)
            note = f"it orders predictions on one test set as {name} does; {scope}"
            evidence = Evidence(True, trials=sum(map(int, trials)), digits=DIGITS, note=note)
            return BayesThreshold(threshold, threshold == Fraction(1, 2), evidence, averages)
    return None


def _predictions_in_order(value: Callable[..., Value], sizes: tuple[int, int], rates: tuple[int, int], sign: int) -> int:
    """Return how many predictions on a test set are in the order of gain tp - cost fp, with ties.

    It is 0 if they are not in this order.
    """
    (tpos, tneg), (gain, cost) = sizes, rates
    every = [(tp, fp, tpos - tp, tneg - fp) for tp in range(tpos + 1) for fp in range(tneg + 1)]
    ranked = sorted(every, key=lambda v: gain * v[0] - cost * v[1])
    for v, w in pairwise(ranked):
        x, y = value(*v), value(*w)
        better = gain * (w[0] - v[0]) - cost * (w[1] - v[1])
        if x != x or y != y:  # undefined
            return 0
        rises = order(y, x) if is_defined(x, y) else (y > x) - (y < x)  # infinite at an end, as (tp + tn)/(fp + fn) is
        if sign * rises != (better > 0):
            return 0
    return len(every)


def _no_threshold(note: str) -> BayesThreshold:
    return BayesThreshold(None, None, Evidence(False, note=note))


def _plane(value: Callable[..., Value], sizes: tuple[int, int], *, sign: int, more: list[Any]) -> _Plane | Evidence:
    """Return the plane on which the measure's values on one test set lie, or evidence against it."""
    corners = [_counts(sizes, share) for share in PLANE]
    m = [value(*v) for v in corners]
    if not is_defined(*m):
        lost = corners[[is_defined(x) for x in m].index(False)]
        return Evidence(None, note=f"the measure is undefined at {lost}, although no cell is empty")
    if any(isinstance(x, Rounded) for x in m):
        return Evidence(None, note="the measure can be computed in floats only; write it as a formula text")
    rational = digits(m) is None
    m = m if rational else [number(x) for x in m]
    (x1, y1), (x2, y2) = ((v[0] - corners[0][0], v[1] - corners[0][1]) for v in corners[1:])
    area, up, down = x1 * y2 - x2 * y1, m[1] - m[0], m[2] - m[0]
    per_tp, per_fp = (up * y2 - down * y1) / area, (down * x1 - up * x2) / area
    checks = [_counts(sizes, share) for share in (*CHECKS, *(MORE_CHECKS if rational else ()))] + more
    for v in checks:
        found, expected = value(*v), m[0] + per_tp * (v[0] - corners[0][0]) + per_fp * (v[1] - corners[0][1])
        if is_defined(found) and order(found, expected):
            return Evidence(False, (*corners, v, found, expected), digits=digits([found, expected]), note=_CURVED)
    gain, price = sign * per_tp, -sign * per_fp
    weight = gain + price
    idle = order(gain, Fraction(0)) == order(price, Fraction(0)) == 0
    if not idle and min(order(gain, Fraction(0)), order(price, Fraction(0))) < 0:
        return Evidence(False, digits=digits([gain, price]), note=_PERVERSE.format(*sizes, float(gain), float(price)))
    return _Plane(*sizes, gain, price, weight, None if idle else price / weight, len(checks))


_CURVED = (
    "with actual positives and negatives fixed, the measure is not affine in tp and fp (at the fourth "
    "vector it differs from the plane through the first three), nor does it order predictions as accuracy, balanced accuracy, "
    f"recall or specificity do; {USE_OPTIMAL}"
)
_PERVERSE = (
    "with {} positives and {} negatives, one more tp gains {:.6g} and one more fp costs {:.6g}; "
    "where one of them is negative, the best rule is not of the form eta >= t"
)


def _counts(sizes: tuple[int, int], tenths: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return the counts if these shares of positives and negatives are predicted positive."""
    tp, fp = sizes[0] * tenths[0] // 10, sizes[1] * tenths[1] // 10
    return tp, fp, sizes[0] - tp, sizes[1] - fp


def _common(planes: list[_Plane]) -> BayesThreshold:
    """Return one formula for the thresholds on all test sets."""
    live = [p for p in planes if p.threshold is not None]
    if not live:
        return _no_threshold("the measure does not depend on the prediction, so all rules are equally good")
    found: list[Value] = [p.threshold for p in live]
    trials, shown = sum(p.trials for p in planes), digits(found)
    if all(order(t, found[0]) == 0 for t in found):
        averages, note = _scope(examples=_decides_examples(live))
        value: Fraction | str | None = _constant(found[0])
        erm = isinstance(value, Fraction) and value == Fraction(1, 2)
    else:
        (averages, note), erm = _scope(examples=False), False
        value = None if shown else _of_prevalence(live)
        if value is None:
            return _no_threshold(
                "it is affine in tp and fp, but the best threshold is not a quotient of linear forms in the prevalence"
            )
    return BayesThreshold(value, erm, Evidence(True, trials=trials, digits=shown, note=note), averages)


def _decides_examples(live: list[_Plane]) -> bool:
    """Return whether the threshold is right within one example.

    There the numbers of positives and negatives are random. Predicting label j gains E[weight (Y_j - t*)]. This has the sign of
    eta_j - t* where the weight does not depend on how many labels are positive, and at the ends t* = 0 and t* = 1 anyway.
    """
    if any(order(live[0].threshold, Fraction(end)) == 0 for end in (0, 1)):
        return True
    pairs = [(p, q) for p in live for q in live if p is not q and p.tpos + p.tneg == q.tpos + q.tneg]
    return bool(pairs) and all(order(p.weight, q.weight) == 0 for p, q in pairs)


def _constant(t: Value) -> Fraction | str:
    """Return a threshold as a fraction if all digits agree, otherwise as its decimal digits."""
    if type(t) is Fraction:
        return t
    near = as_fraction(t)
    return near if near is not None else str(t.context.nstr(t, 15))  # constants in a formula are floats


def _of_prevalence(live: list[_Plane]) -> str | None:
    """Return the threshold as a quotient of linear forms in the prevalence, or None if it is not one."""
    points: list[tuple[Fraction, Value]] = [(Fraction(p.tpos, p.tpos + p.tneg), p.threshold) for p in live]
    if len(dict(points)) < 5:  # three points fix a formula, so only more can confirm it
        return None
    found = fit_moebius(points, positive_at=Fraction(0))
    if found is None or found.s * (found.r + found.s) <= 0 or not (0 <= found(0) <= 1 and 0 <= found(1) <= 1):
        return None  # without a pole in between, a value that is a threshold at both ends is a threshold everywhere
    return found.text("prevalence", times="*")


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


Point = tuple[Fraction, Fraction]  # a share and the value there


@dataclass(frozen=True)
class Moebius:
    """The function (p x + q)/(r x + s) with integer coefficients; its text calls x ``acc``.

    >>> str(Moebius(10, -1, 0, 9)), Moebius(1, 0, -1, 2)(Fraction(1, 2)), str(Moebius(1, 0, -1, 2)), str(Moebius(-1, 0, 0, 2))
    ('(10 acc - 1)/9', Fraction(1, 3), 'acc/(2 - acc)', '-acc/2')
    """

    p: int
    q: int
    r: int
    s: int

    def __call__(self, x: Any) -> Value:
        """Return the value at a share; nan at a pole."""
        a = Fraction(x)
        return (self.p * a + self.q) / (self.r * a + self.s) if self.r * a + self.s else math.nan

    def text(self, variable: str = "acc", *, times: str = " ") -> str:
        """Return the formula in a variable; ``times`` stands between a coefficient and the variable.

        >>> Moebius(2, 0, 4, 1).text("prevalence", times="*"), Moebius(0, 3, -4, 4).text("acc")
        ('2*prevalence/(4*prevalence + 1)', '3/(4 - 4 acc)')
        """
        num, den = (_linear(*pair, variable=variable, times=times) for pair in ((self.p, self.q), (self.r, self.s)))
        if den == "1":
            return num
        compound = self.r and (self.s or abs(self.r) != 1)  # 1/2 x could be read as half of x
        return f"{f'({num})' if self.p and self.q else num}/{f'({den})' if compound else den}"

    def __str__(self) -> str:
        return self.text()


def _linear(slope: int, constant: int, *, variable: str, times: str) -> str:
    """Return the text of slope x + constant."""
    if not slope:
        return str(constant)
    size = variable if abs(slope) == 1 else f"{abs(slope)}{times}{variable}"
    if slope < 0 < constant:
        return f"{constant} - {size}"
    term = f"-{size}" if slope < 0 else size
    return f"{term} {'+' if constant > 0 else '-'} {abs(constant)}" if constant else term


def fit_moebius(points: Sequence[Point], *, positive_at: Fraction = Fraction(1, 2)) -> Moebius | None:
    """Return the Möbius function through all points with the smallest integers, or None.

    Fewer than three shares between 0 and 1 determine only a constant. The denominator is positive at ``positive_at``, or at
    the first such share if the pole is at ``positive_at``.

    >>> print(fit_moebius([(Fraction(k, 4), Fraction(k, 8 - k)) for k in range(5)]))
    acc/(2 - acc)
    >>> points = [(Fraction(k, 8), Fraction(k, 3 * k - 8)) for k in range(9)]
    >>> print(fit_moebius(points), fit_moebius(points, positive_at=Fraction(0)), sep=" = ")
    acc/(3 acc - 1) = -acc/(1 - 3 acc)
    """
    known = list(dict(points).items())  # two different values of one share are found at the end
    if not known:
        return None
    inner = [point for point in known if 0 < point[0] < 1] or known
    (x, y), (x2, y2), (x3, y3) = inner[0], inner[len(inner) // 2], inner[-1]
    if y == y2 == y3:
        coefficients = (Fraction(0), y, Fraction(0), Fraction(1))
    elif y in (y2, y3) or y2 == y3:  # it would be neither constant nor injective
        return None
    else:  # with t = share - x, the function is (slope t + y)/(bend t + 1)
        k2, k3 = (y2 - y) / (x2 - x), (y3 - y) / (x3 - x)
        bend = (k2 - k3) / (y3 - y2)
        slope = k2 + y2 * bend
        coefficients = (slope, y - slope * x, bend, 1 - bend * x)
    found = _whole(coefficients, positive_at)
    return found if all(found(share) == value for share, value in points) else None


def _whole(coefficients: Sequence[Fraction], positive_at: Fraction) -> Moebius:
    """Return the function with coprime integers and a denominator that is not negative at a share."""
    common = math.lcm(*(c.denominator for c in coefficients))
    whole = [int(c * common) for c in coefficients]
    sign = -1 if whole[2] * positive_at + whole[3] < 0 else 1
    return Moebius(*(sign * c // math.gcd(*whole) for c in whole))
