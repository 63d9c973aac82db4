"""Is pooling a weighted average? Decomposability with its exact coefficients, or a witness against it (def:decomposable)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...algebra.evidence import Evidence
from ...algebra.exact import DIGITS, defined, digits
from ...algebra.linear_fractional import FRESH, SAMPLE, bent, lines
from .examined_measure import ExaminedMeasure, rational_text, whole_numbers

LINES = 28  # four count vectors each

Coefficients = tuple[tuple[Any, ...], tuple[Any, ...]]


def decomposable(subject: ExaminedMeasure) -> Evidence:
    """Return whether M = <a, v>/<b, v> (def:decomposable, errata A8).

    The witness of a no is a count vector and its triple with different values, or four equidistant count vectors on a line
    whose values no such ratio takes.
    """
    form = subject.form
    if subject.symbolic:
        if form is None:
            return Evidence(
                None, note="a formula with symbolic parameters is decided by SymPy alone, and this one is not rational"
            )
        return Evidence(_coefficients_of(subject) is not None, proof=f"M = {rational_text(form.value)}")
    if form is not None and _coefficients_of(subject) is not None:
        return Evidence(True, proof=f"M = {rational_text(form.value)}")
    if subject.measure.decomposition is not None:
        return Evidence(True, trials=SAMPLE + FRESH, note="the coefficients reproduce M on fresh count vectors")
    witness = bent(subject.value, lines(LINES))
    if witness is None:
        return _smooth(subject)
    vectors, values = witness
    return Evidence(False, (tuple(map(whole_numbers, vectors)), values), 1, digits(values))


def _smooth(subject: ExaminedMeasure) -> Evidence:
    """Return what to say of a measure that is a Möbius function on every line tried but has no rational coefficients."""
    along = [points for points in lines(LINES) if defined(*(subject.value(*v) for v in points))]
    if not along:
        return Evidence(None, note="defined nowhere that was tried")
    values = [subject.value(*v) for points in along for v in points]
    if all(type(x) is Fraction for x in values):
        return Evidence(None, note="no coefficients fit all counts, and no line that was tried shows why: it has cases")
    known = digits(values)
    if known != DIGITS:
        return Evidence(None, note="Möbius on every line tried, but only floats can compute it: write it as a formula text")
    return Evidence(
        True, trials=len(along), digits=known, note="Möbius on every line tried; its coefficients are no simple fractions"
    )


def coefficients(subject: ExaminedMeasure) -> Coefficients | None:
    """Return (a, b), scaled so that the first coefficient of b that is not zero is one; expressions for symbolic parameters."""
    found = None if subject.form is None else _coefficients_of(subject)
    return found if found is not None or subject.symbolic else subject.measure.decomposition


def _coefficients_of(subject: ExaminedMeasure) -> Coefficients | None:
    """Read (a, b) off the cancelled form; None if its parts are not linear."""
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
    """Return the coefficient of each cell, in the field; None if a term is not of degree one in the cells."""
    out = [cells[0].field.zero for _ in cells]
    for exponents, coefficient in poly.terms():
        own, rest = exponents[: len(cells)], exponents[len(cells) :]
        if sum(own) != 1:
            return None
        term = poly.ring.term_new((0,) * len(cells) + tuple(rest), coefficient)
        out[own.index(1)] += cells[0].field.new(term)
    return out


def _plain(x: Any) -> Any:
    """Return a field element as a Fraction, or as a SymPy expression where it has symbols."""
    if x.numer.is_ground and x.denom.is_ground:
        top, bottom = (p.coeff(1) for p in (x.numer, x.denom))
        return Fraction(int(top.numerator), int(top.denominator)) / Fraction(int(bottom.numerator), int(bottom.denominator))
    return x.as_expr()
