"""Decomposability: whether pooling is a weighted average, with exact coefficients or a witness.

The definition is def:decomposable.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import quiet
from ...algebra.evidence import Evidence
from ...algebra.numbers.exact import DIGITS, digits, is_defined, number, order
from ...algebra.numbers.linear_fractional import FRESH, SAMPLE, find_bend, lines, short_lines
from .examined_measure import (
    GENERIC,
    NEAR,
    NOT_RATIONAL,
    SUSPECTS,
    CountVector,
    ExaminedMeasure,
    exact_counts,
    rational_text,
    whole_numbers,
)

LINES, SHORT_LINES = 28, 300  # four count vectors each

Coefficients = tuple[tuple[Any, ...], tuple[Any, ...]]


def decomposable(subject: ExaminedMeasure) -> Evidence:
    """Return whether M = <a, v>/<b, v>.

    The witness of a no is either a count vector v and 3 v with different values, or four equidistant count vectors on a line
    with values that no such ratio has.
    """
    form = subject.form
    if subject.symbolic:
        if form is None:
            return Evidence(None, note=NOT_RATIONAL)
        return Evidence(_coefficients_of(subject) is not None, proof=f"M = {rational_text(form.value)}")
    if form is not None and _coefficients_of(subject) is not None:
        return Evidence(True, proof=f"M = {rational_text(form.value)}")
    against = _against(subject)
    if subject.measure.decomposition is not None and against is None:
        if subject.doubt:
            return Evidence(None, trials=SAMPLE + FRESH, note=subject.doubt)
        return Evidence(
            True, trials=SAMPLE + FRESH, note="the coefficients reproduce M on count vectors that they were not fitted to"
        )
    near = [] if against is None else lines_through(against, GENERIC)
    witness = (
        find_bend(subject.value, near)
        or find_bend(subject.value, lines(LINES))
        or find_bend(subject.value, short_lines(SHORT_LINES))
    )
    if witness is None:
        return _smooth(subject)
    vectors, values = witness
    return Evidence(False, (tuple(map(whole_numbers, vectors)), values), 1, digits(values))


def _against(subject: ExaminedMeasure) -> CountVector | None:
    """Return counts at which the coefficients of M do not give its value; None without such counts.

    They were fitted to few counts, and one piece of a formula with min or max may lie far from them.
    """
    found = subject.measure.decomposition
    if found is None:
        return None
    top, bottom = (subject.vectors @ np.array(side, np.float64) for side in found)
    with quiet():
        apart = np.isfinite(subject.screened) & (abs(subject.screened * bottom - top) > NEAR * abs(subject.vectors).sum(axis=1))
    for i in np.flatnonzero(apart)[:SUSPECTS]:
        v = exact_counts(subject.vectors[i])
        x, (a, b) = subject.value(*v), (sum(c * y for c, y in zip(side, v, strict=True)) for side in found)
        if is_defined(x) and order(number(x) * number(b), number(a)):
            return v
    return None


def lines_through(v: CountVector, others: Iterable[CountVector]) -> list[tuple[CountVector, ...]]:
    """Return lines of four equidistant count vectors, from a multiple of one towards each of the others."""
    ends = [[3 * Fraction(x) for x in v], *[[3 * Fraction(x) for x in u] for u in others]]
    steps = [[(y - x) / 3 for x, y in zip(ends[0], u, strict=True)] for u in ends[1:]]
    return [tuple(tuple(x + t * d for x, d in zip(ends[0], step, strict=True)) for t in range(4)) for step in steps]


def _smooth(subject: ExaminedMeasure) -> Evidence:
    """Return the evidence for a measure without rational coefficients that no line contradicts.

    It is a Möbius function on every line tried.
    """
    along = [points for points in lines(LINES) if is_defined(*(subject.value(*v) for v in points))]
    if not along:
        return Evidence(None, note="it is undefined at all counts tried")
    values = [subject.value(*v) for points in along for v in points]
    if all(type(x) is Fraction for x in values):
        return Evidence(None, note="no coefficients fit all counts, but no line tried shows why: the formula has cases")
    if subject.pieces is not None:
        return Evidence(None, note="a Möbius function on every line tried, but min, max or abs make several pieces")
    known = digits(values)
    if known != DIGITS:
        return Evidence(
            None, note="a Möbius function on every line tried, but it can be computed in floats only: write it as a formula text"
        )
    return Evidence(
        True,
        trials=len(along),
        digits=known,
        note="a Möbius function on every line tried, but its coefficients are not simple fractions",
    )


def coefficients(subject: ExaminedMeasure) -> Coefficients | None:
    """Return (a, b), scaled to make the first nonzero coefficient of b one; None if they do not exist.

    With symbolic parameters the coefficients are expressions.
    """
    found = None if subject.form is None else _coefficients_of(subject)
    if found is not None or subject.symbolic or _against(subject) is not None:
        return found
    return subject.measure.decomposition


def _coefficients_of(subject: ExaminedMeasure) -> Coefficients | None:
    """Return (a, b) from the canceled form; None if numerator or denominator is not linear."""
    assert subject.form is not None
    value, cells = subject.form.value, subject.form.cells
    sides = [_linear(poly, cells) for poly in (value.numer, value.denom)]
    if None in sides:
        if not any(_degree(poly, cells) for poly in (value.numer, value.denom)):  # a constant: take n as denominator
            constant = _plain(value)
            return (constant,) * 4, (Fraction(1),) * 4
        return None
    a, b = sides
    lead = next(x for x in b if x != 0)  # type: ignore[union-attr]
    return tuple(_plain(x / lead) for x in a), tuple(_plain(x / lead) for x in b)  # type: ignore[union-attr]


def _degree(poly: Any, cells: tuple[Any, ...]) -> int:
    return max((sum(exponents[: len(cells)]) for exponents in poly.monoms()), default=0)


def _linear(poly: Any, cells: tuple[Any, ...]) -> list[Any] | None:
    """Return the coefficient of each cell; None if a term does not have degree one in the cells."""
    out = [cells[0].field.zero for _ in cells]
    for exponents, coefficient in poly.terms():
        own, rest = exponents[: len(cells)], exponents[len(cells) :]
        if sum(own) != 1:
            return None
        term = poly.ring.term_new((0,) * len(cells) + tuple(rest), coefficient)
        out[own.index(1)] += cells[0].field.new(term)
    return out


def _plain(x: Any) -> Any:
    """Return a field element as a Fraction, or as a SymPy expression if it has symbols."""
    if x.numer.is_ground and x.denom.is_ground:
        top, bottom = (p.coeff(1) for p in (x.numer, x.denom))
        return Fraction(int(top.numerator), int(top.denominator)) / Fraction(int(bottom.numerator), int(bottom.denominator))
    return x.as_expr()
