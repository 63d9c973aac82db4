"""What does not change a measure: skew, scale, exchanging classes, truth and prediction, pooling.

Decomposability (def:decomposable): whether pooling is a weighted average, with exact coefficients or a witness.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.counts import CELLS
from ...algebra.evidence import Evidence
from ...algebra.measure import Measure
from ...algebra.numbers.exact import DIGITS, Value, digits, is_defined, number, order
from ...algebra.numbers.linear_fractional import FRESH, SAMPLE, find_bend, lines, short_lines
from .cancellation import RationalForm
from .examined_measure import (
    GENERIC,
    NEAR,
    NOT_RATIONAL,
    SCREEN,
    SPARSE,
    SUSPECTS,
    CountVector,
    ExaminedMeasure,
    exact_counts,
    rational_text,
    whole_numbers,
)

SKEWS = ((2, 1), (1, 3), (7, 5))
POPULATED = tuple(v for v in (*GENERIC, *SPARSE) if v[0] + v[2] and v[1] + v[3])  # the domain of def:skew


def skew_invariant(subject: ExaminedMeasure) -> Evidence:
    """Return whether M(l tp, u fp, l fn, u tn) = M for all l, u > 0."""
    pairs = []
    for i, (tp, fp, fn, tn) in enumerate(POPULATED):
        l, u = SKEWS[i % len(SKEWS)]
        pairs.append(((tp, fp, fn, tn), (l * tp, u * fp, l * fn, u * tn)))
    if subject.measure.averages:
        return _skew_of_score(subject, pairs)

    def sides(form: RationalForm) -> tuple[Any, Any]:
        (tp, fp, fn, tn), l, u = form.cells, form.extra["l"], form.extra["u"]
        return form.value, form(l * tp, u * fp, l * fn, u * tn)

    def partners(counts: Array) -> tuple[Array, Array]:
        tp, fp, fn, tn = counts.T
        populated = counts[(tp + fn > 0) & (fp + tn > 0)]
        l, u = np.array(SKEWS, np.float64)[np.arange(len(populated)) % len(SKEWS)].T
        return populated, populated * np.stack([l, u, l, u], axis=1)

    return subject.agrees(pairs, sides, partners)


def _skew_of_score(subject: ExaminedMeasure, pairs: list[tuple[CountVector, CountVector]]) -> Evidence:
    """Return whether the class skew changes a measure that exists only as a mean over examples.

    Users call that mean, so it is judged, in a binary problem with these counts: each right prediction is the row (1, 0, 0, 1)
    of two classes, each wrong one the row (0, 1, 1, 0).
    """
    right, wrong = subject.value(1, 0, 0, 1), subject.value(0, 1, 1, 0)
    average = subject.measure.averages[0]
    if not is_defined(right, wrong) or not order(right, wrong):
        return Evidence(None, note=f"not applicable: it exists only as {average} average, and right and wrong rows do not differ")
    for pair in pairs:
        values = tuple(((tp + tn) * right + (fp + fn) * wrong) / (tp + fp + fn + tn) for tp, fp, fn, tn in pair)
        if order(*values):
            return Evidence(False, (pair, values), 1, digits(values), note=f"the {average} average of a binary problem")
    return Evidence(None, note=f"not applicable: it exists only as {average} average")


def scale_free(subject: ExaminedMeasure) -> Evidence:
    """Return whether M(l v) = M(v): a measure of rates rather than of numbers."""
    pairs = [(v, tuple(3 * x for x in v)) for v in (*GENERIC, *SPARSE)]

    def sides(form: RationalForm) -> tuple[Any, Any]:
        return form.value, form(*(form.extra["l"] * x for x in form.cells))

    return subject.agrees(pairs, sides, lambda counts: (counts, 3 * counts))


def symmetric_classes(subject: ExaminedMeasure) -> Evidence:
    """Return whether M is the same with positive and negative exchanged: M(tn, fn, fp, tp) = M."""
    return _agrees_when_permuted(subject, (3, 2, 1, 0))


def symmetric_roles(subject: ExaminedMeasure) -> Evidence:
    """Return whether M is the same with truth and prediction exchanged: M(tp, fn, fp, tn) = M."""
    return _agrees_when_permuted(subject, (0, 2, 1, 3))


def _agrees_when_permuted(subject: ExaminedMeasure, places: tuple[int, ...]) -> Evidence:
    pairs = [(v, tuple(v[i] for i in places)) for v in (*GENERIC, *SPARSE)]

    def sides(form: RationalForm) -> tuple[Any, Any]:
        return form.value, form(*(form.cells[i] for i in places))

    return subject.agrees(pairs, sides, lambda counts: (counts, counts[:, places]))


def depends_on(subject: ExaminedMeasure, cell: int) -> Evidence:
    """Return whether M changes with this cell alone."""
    pairs = [(v, _with_cell(v, cell, other)) for v in (*GENERIC, *SPARSE) for other in (v[cell] + 1, 3 * v[cell] + 40)]

    def sides(form: RationalForm) -> tuple[Any, Any]:
        return form.value, form(*_with_cell(form.cells, cell, form.cells[cell] + form.extra["d"]))

    def partners(counts: Array) -> tuple[Array, Array]:
        twice = np.concatenate([counts, counts])
        changed = twice.copy()
        changed[:, cell] = np.concatenate([counts[:, cell] + 1, 3 * counts[:, cell] + 40])
        return twice, changed

    return subject.differs(pairs, sides, partners)


def complete(subject: ExaminedMeasure) -> Evidence:
    """Return whether M depends on all four cells.

    The witness is one pair of vectors for each cell.
    """
    found = [depends_on(subject, i) for i in range(4)]
    if all(found):
        proof = "; ".join(dict.fromkeys(e.proof for e in found if e.proof))
        return Evidence(True, tuple(e.witness for e in found if e.witness) or None, sum(e.trials for e in found), proof=proof)
    without = next((e for e in found if e.holds is False), None)
    if without is None:
        return next(e for e in found if e.holds is None)
    absent = [name for name, evidence in zip(CELLS, found, strict=True) if evidence.holds is False]
    return replace(without, note=f"it does not depend on {' and '.join(absent)}")


def tn_survives_at_tp0(subject: ExaminedMeasure) -> Evidence:
    """Return whether M(0, fp, fn, tn) still depends on tn.

    Then M has a floor under one-hot rows.
    """
    errors = ((3, 2), (1, 1), (2, 9), (17, 4))
    pairs = [((0, fp, fn, tn), (0, fp, fn, other)) for fp, fn in errors for tn, other in ((1, 3), (0, 5), (40, 2))]

    def sides(form: RationalForm) -> tuple[Any, Any]:
        _, fp, fn, tn = form.cells
        return form(form.zero, fp, fn, tn), form(form.zero, fp, fn, tn + form.extra["d"])

    def partners(counts: Array) -> tuple[Array, Array]:
        nothing_found = subject.with_thin_pieces(counts[: len(SCREEN)] * np.array((0, 1, 1, 1)))
        return nothing_found, nothing_found + np.array((0, 0, 0, 3))

    found = subject.differs(pairs, sides, partners)
    if found.holds is None and not found.trials and not subject.symbolic:
        return Evidence(False, note="it is undefined wherever tp = 0")
    return found


def moebius(subject: ExaminedMeasure, decomposable: Evidence, invariant: Evidence) -> Evidence:
    """Return whether M is a Möbius function of recall alone or of specificity alone.

    This holds if it is decomposable and skew-invariant, and not constant.
    """
    for name, evidence in (("decomposable", decomposable), ("skew-invariant", invariant)):
        if not evidence:
            return replace(evidence, note=f"it is not {name}" if evidence.holds is False else evidence.note)
    depends = [bool(depends_on(subject, i)) for i in range(4)]
    if not any(depends):
        return Evidence(False, note="it is constant")
    rate = "recall" if depends[0] or depends[2] else "specificity"
    proof = f"it is decomposable and skew-invariant, so it is a function of {rate} alone"
    trials = decomposable.trials + invariant.trials
    known = decomposable.proof and invariant.proof
    return Evidence(True, trials=trials, digits=invariant.digits, proof=proof if known else "", note=f"a function of {rate}")


@dataclass(frozen=True)
class RateFunction:
    """A skew-invariant measure as a function of recall and specificity: call it, or print it.

    >>> import indicatrix as ix
    >>> f = RateFunction(ix.informedness)
    >>> f(0.75, 0.5), str(f)
    (0.25, 'recall + specificity - 1')
    """

    measure: Measure

    def __call__(self, recall: Any, specificity: Any) -> Any:
        """Return the value of the measure at any count vector with these rates."""
        return self.measure.function(recall, 1 - specificity, 1 - recall, specificity, **self.measure.params_for(recall))

    @property
    def expression(self) -> Any:
        """The function as a SymPy expression in recall and specificity."""
        import sympy

        return sympy.simplify(self(*sympy.symbols("recall specificity", nonnegative=True)))

    def __str__(self) -> str:
        try:
            return rational_text(self.expression)
        except ImportError:
            return f"{self.measure} at tp = recall, fp = 1 - specificity, fn = 1 - recall, tn = specificity"


def _with_cell(v: Any, cell: int, value: Any) -> CountVector:
    return tuple(value if i == cell else x for i, x in enumerate(v))


MARGINS = ((3, 5, 2, 7), (1, 4, 5, 5), (9, 2, 1, 3), (6, 6, 4, 1), (2, 31, 8, 3))  # tpos : tneg, ppos : pneg
FEW, SCALE = 20_000, 1000  # margins below the first, times the second, have products that are exact in floats
SIZE = 8  # examples in a finite sample
GUESSES = tuple((tpos, ppos) for tpos in (2, 4, 5) for ppos in (3, 4, 6))


def constant_baseline(subject: ExaminedMeasure) -> Evidence:
    """Return whether all predictions that are independent of the truth have one expected score.

    It is tested for several margins: first at independence, tp = tpos ppos / n, which large samples approach; then
    exactly, with the mean over all ways to predict ``ppos`` of ``n`` examples positive, wherever all of them are defined.
    """
    at_independence = _at_independence(subject)
    if not at_independence:
        return at_independence
    expected = {margins: e for margins in GUESSES if (e := _expected_value(subject, *margins)) is not None}
    if len(expected) < 2:
        note = "in the limit of large samples; in small samples some guesses are undefined"
        return replace(at_independence, note=note)
    (first, value), *others = expected.items()
    for margins, other in others:
        if order(other, value):
            witness = (((*first, SIZE), (*margins, SIZE)), (value, other))
            return Evidence(False, witness, 1, digits((value, other)), note="tpos, ppos, n; constant only in large samples")
    return Evidence(True, None, len(expected) + at_independence.trials, digits(list(expected.values())), note=f"{float(value):g}")


def _at_independence(subject: ExaminedMeasure) -> Evidence:
    form = subject.form
    if form is not None:
        tpos, tneg, ppos, pneg = form.cells
        value = form(tpos * ppos, tneg * ppos, tpos * pneg, tneg * pneg)
        if value is not None and value.numer.is_ground and value.denom.is_ground:
            return Evidence(True, proof=f"it is {rational_text(value)} wherever truth and prediction are independent")
    if subject.symbolic:
        return Evidence(None, note="it depends on a symbolic parameter: choose a number with .at(…)")
    vectors = [(tpos * ppos, tneg * ppos, tpos * pneg, tneg * pneg) for tpos, tneg, ppos, pneg in MARGINS]

    def partners(counts: Array) -> tuple[Array, Array]:
        whole = counts[: len(SCREEN)]
        margins = subject.with_thin_pieces(np.minimum(whole[(whole > 0).all(axis=1)], FEW), _independent)
        at = _independent(np.ceil(margins * SCALE))
        return np.broadcast_to(np.array(vectors[0], np.float64), at.shape), at

    return subject.agrees([(vectors[0], v) for v in vectors[1:]], None, partners)


def _independent(margins: Array) -> Array:
    """Return the counts with these actual and predicted positives and negatives at independence."""
    tpos, tneg, ppos, pneg = margins.T
    return np.stack([tpos * ppos, tneg * ppos, tpos * pneg, tneg * pneg], axis=1)


def _expected_value(subject: ExaminedMeasure, tpos: int, ppos: int) -> Value | None:
    """Return the mean of M over all predictions with these margins; None if one of them is undefined."""
    values: list[tuple[Any, int]] = []
    for tp in range(max(0, tpos + ppos - SIZE), min(tpos, ppos) + 1):
        value = subject.value(tp, ppos - tp, tpos - tp, SIZE - tpos - ppos + tp)
        if not is_defined(value):
            return None
        values.append((value, comb(tpos, tp) * comb(SIZE - tpos, ppos - tp)))
    if all(type(x) is Fraction for x, _ in values):
        return sum(x * k for x, k in values) / comb(SIZE, ppos)
    return sum(number(x) * k for x, k in values) / comb(SIZE, ppos)


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
