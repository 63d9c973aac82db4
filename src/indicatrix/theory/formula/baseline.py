"""Constant baseline: whether guessing always scores the same.

That is, however often it guesses positive and however rare positives are.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.evidence import Evidence
from ...algebra.exact import Value, digits, is_defined, number, order
from .examined_measure import SCREEN, ExaminedMeasure, rational_text

MARGINS = ((3, 5, 2, 7), (1, 4, 5, 5), (9, 2, 1, 3), (6, 6, 4, 1), (2, 31, 8, 3))  # tpos : tneg, ppos : pneg
FEW, SCALE = 20_000, 1000  # margins below the first, times the second, have products that are exact in floats
SIZE = 8  # examples in a finite sample
GUESSES = tuple((tpos, ppos) for tpos in (2, 4, 5) for ppos in (3, 4, 6))


def constant_baseline(subject: ExaminedMeasure) -> Evidence:
    """Return whether all predictions that are independent of the truth have one expected score.

    It is tested for several margins: first at independence, tp = tpos ppos / n, which large samples approach; then
    exactly, with the mean over all ways to predict ``ppos`` of ``n`` examples positive, wherever all of them are defined
    (errata C9).
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
