"""The properties of a formula text, decided from its normal form or by an exact search: None where neither decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
from normal_form import CELLS, FN, FP, TN, TP, Form, T, normal_form, one_sign, read

LARGEST = 6  # count of a cell in the search for counterexamples
DIGITS = 40  # values that agree to so many digits are not told apart
CORRECTIONS = (  # a right decision instead of a wrong one: the cells after it, and before it
    ((TP + T, FP, FN, TN), (TP, FP, FN + T, TN)),
    ((TP, FP, FN, TN + T), (TP, FP + T, FN, TN)),
)


def unchanged(text: str, *cells: Any) -> bool:
    """Return whether the formula at these cells is the formula itself."""
    return normal_form(text, cells) == normal_form(text)


def depends(text: str, cell: int) -> bool:
    return not unchanged(text, *(T if i == cell else x for i, x in enumerate(CELLS)))


def linear_fractional(text: str) -> Any:
    """Return the formula as one canceled fraction of linear forms, or a constant; None if it is neither.

    Coefficients may only be rational: ``irrational`` says of which formulas this must not be asked.
    """
    form = normal_form(text)
    if any(form.terms.keys() - {frozenset()}):
        return None
    c = form.terms.get(frozenset(), TP - TP)
    degrees = {sum(monomial) for part in (c.numer, c.denom) for monomial in part.monoms()}
    return c if degrees <= {1} or (c.numer.is_ground and c.denom.is_ground) else None


def irrational(text: str) -> bool:
    """Return whether roots of numbers, but not of counts, are left in the formula."""
    radicands = frozenset().union(*normal_form(text).terms)
    return bool(radicands) and all(radicand.is_ground for radicand in radicands)


def skew_invariant(text: str) -> bool:
    return unchanged(text, T * TP, FP, T * FN, TN) and unchanged(text, TP, T * FP, FN, T * TN)


def constant(text: str) -> bool:
    return not any(depends(text, cell) for cell in range(4))


def complete(text: str) -> bool:
    return all(depends(text, cell) for cell in range(4))


def tn_survives_at_tp0(text: str) -> bool | None:
    try:
        return normal_form(text, (0, FP, FN, TN)) != normal_form(text, (0, FP, FN, T))
    except ZeroDivisionError:
        return None


def symmetric_classes(text: str) -> bool:
    return unchanged(text, TN, FN, FP, TP)


def symmetric_roles(text: str) -> bool:
    return unchanged(text, TP, FN, FP, TN)


def monotone(text: str) -> bool | None:
    """Return whether no correction of a decision lowers the measure."""
    if any(lowered(text)):
        return False
    proven = all(at_least(normal_form(text, after), normal_form(text, before)) for after, before in CORRECTIONS)
    return True if proven else None


def at_least(x: Form, y: Form) -> bool:
    """Return whether coefficients show that x >= y wherever all cells are positive."""
    if _nonnegative(x - y):
        return True
    signs = {one_sign(c) for c in (*x.terms.values(), *y.terms.values())}
    if signs == {1}:  # then the squares are in the same order, and for one root each they have none
        return _nonnegative(x * x - y * y)
    return signs == {-1} and _nonnegative(y * y - x * x)


def _nonnegative(x: Form) -> bool:
    return all(one_sign(c) > 0 for c in x.terms.values())


def lowered(text: str) -> Iterator[bool]:
    """Yield true for each correction of a small count vector that lowers the measure: suspected in floats, then made sure."""
    grid = np.meshgrid(*[np.arange(LARGEST + 1.0)] * 4, indexing="ij")
    with np.errstate(all="ignore"):
        values = np.broadcast_to(read(text, tuple(grid), float, np.sqrt), grid[0].shape)
        found_positive = values[1:, :, :-1, :] - values[:-1, :, 1:, :]
        found_negative = values[:, :-1, :, 1:] - values[:, 1:, :, :-1]
    for change, right, wrong in ((found_positive, 0, 2), (found_negative, 3, 1)):
        for v in np.argwhere(np.isfinite(change) & (change < -1e-9))[:20].tolist():
            after, before = ([x + (i == cell) for i, x in enumerate(v)] for cell in (right, wrong))
            yield less(value_at(text, after), value_at(text, before))


def value_at(text: str, v: Sequence[Any]) -> Any:
    """Return the value of the formula to some fifty digits; None where it is undefined."""
    with mpmath.workdps(DIGITS + 20):
        try:
            return read(text, tuple(map(as_mpf, v)), as_mpf, mpmath.sqrt)
        except ZeroDivisionError:
            return None


def as_mpf(x: Any) -> Any:
    return mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator


def less(x: Any, y: Any) -> bool:
    """Return whether both values are defined and the first is the smaller one, beyond doubt."""
    return x is not None and y is not None and bool(y - x > mpmath.mpf(10) ** -DIGITS)


DECIDED: dict[str, Callable[[str], bool | None]] = {
    "skew_invariant": skew_invariant,
    "complete": complete,
    "tn_survives_at_tp0": tn_survives_at_tp0,
    "symmetric_classes": symmetric_classes,
    "symmetric_roles": symmetric_roles,
    "monotone": monotone,
}
