"""What does not change a measure.

The class skew, the scale, exchanging the classes, exchanging truth and prediction.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import CELLS
from ...algebra.evidence import Evidence
from ...algebra.measure import Measure
from ...algebra.numbers.exact import Value, digits, is_defined, number, order
from .cancellation import RationalForm
from .examined_measure import GENERIC, SCREEN, SPARSE, CountVector, ExaminedMeasure, rational_text

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
