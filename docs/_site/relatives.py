"""Close relatives: measures that are equal, linear in each other, or order all results alike."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

import indicatrix as ix
from indicatrix.algebra.numbers.exact import exactly, is_defined

TRIALS = 400
FEW = 5  # trials that most pairs fail
NEAR = 1e-9
Values = np.ndarray[Any, np.dtype[Any]]


@cache
def _values() -> dict[str, tuple[ix.Measure, Values]]:
    """Return all measures of counts with their values at random counts of very different sizes."""
    rng = np.random.default_rng(37)
    counts = np.floor(10 ** rng.uniform(0, 4, (4, TRIALS))) + rng.integers(0, 5, (4, TRIALS))
    measures = [measure for measure in ix.catalogue(of="counts") if not measure.averages]
    with np.errstate(all="ignore"):
        found = {m.name: (m, np.asarray(m.values(ix.Counts(*counts)), dtype=float)) for m in measures}
    return {name: (m, values) for name, (m, values) in found.items() if np.isfinite(values).mean() > 0.9 and np.ptp(values) > 0}


@cache
def _orders() -> dict[str, Values]:
    return {name: np.argsort(np.argsort(values, kind="stable"), kind="stable") for name, (_, values) in _values().items()}


def relatives(measure: ix.Measure) -> Iterator[tuple[str, str]]:
    """Yield close relatives, each as a formula of the measure, or "" if only the order is the same.

    >>> of_f1 = dict(relatives(ix.f1))
    >>> of_f1["jaccard"], of_f1["lance_williams"], dict(relatives(ix.informedness))["balanced_accuracy"]
    ('', '1 - f1', '(1 + informedness)/2')
    """
    if measure.name not in _values():
        return
    _, own = _values()[measure.name]
    for name, (other, values) in _values().items():
        if name == measure.name:
            continue
        line = _line(own, values)
        if line is not None and _holds(measure, other, line):
            yield name, _in_words(str(measure.name), *line)
        elif _same_order(measure.name, name):
            yield name, ""


def _line(x: Values, y: Values) -> tuple[Fraction, Fraction] | None:
    """Return (a, b) of y = a + b x with simple numbers; None if there is no such line."""
    i, j = int(x.argmin()), int(x.argmax())
    slope = (y[j] - y[i]) / (x[j] - x[i])
    if abs(y[:FEW] - y[i] - slope * (x[:FEW] - x[i])).max() > NEAR * max(1.0, float(abs(y).max())):
        return None  # nearly all pairs: what follows takes longer
    b = Fraction(slope).limit_denominator(8)
    a = Fraction(y[i] - float(b) * x[i]).limit_denominator(8)
    if not b or abs(b) > 8 or abs(a) > 8:
        return None
    scale = np.maximum(1, abs(y))
    return (a, b) if (abs(float(a) + float(b) * x - y) <= NEAR * scale).all() else None


def _holds(one: ix.Measure, other: ix.Measure, line: tuple[Fraction, Fraction]) -> bool:
    """Return whether the line holds in exact arithmetic; irrational values were compared to nine digits."""
    first, second = exactly(one), exactly(other)
    for counts in ((3, 2, 5, 11), (7, 9, 4, 27), (40, 3, 17, 2), (1, 1, 1, 1), (5, 8, 13, 21)):
        x, y = first(*counts), second(*counts)
        rational = all(isinstance(value, int | Fraction) for value in (x, y))
        if rational and is_defined(x, y) and line[0] + line[1] * x != y:
            return False
    return True


def _same_order(one: str, other: str) -> bool:
    """Return whether all results have the same order by both, or the opposite one."""
    x, y = _orders()[one], _orders()[other]
    forward, backward = bool((x == y).all()), bool((x == TRIALS - 1 - y).all())
    return forward or backward


def _in_words(name: str, a: Fraction, b: Fraction) -> str:
    """Return a + b x in words.

    >>> half, quarter = Fraction(1, 2), Fraction(1, 4)
    >>> _in_words("x", Fraction(1), Fraction(-1)), _in_words("x", Fraction(-1), Fraction(2)), _in_words("x", Fraction(0), quarter)
    ('1 - x', '2 x - 1', 'x/4')
    >>> _in_words("x", half, half), _in_words("x", Fraction(0), Fraction(1))
    ('(1 + x)/2', 'x')
    """
    bottom = b.denominator if b.denominator == a.denominator else 1
    a, b = a * bottom, b * bottom
    sign = "-" if b < 0 else "+"
    size = abs(b)
    term = name if size == 1 else f"{size.numerator} {name}" if size.denominator == 1 else f"{name}/{size.denominator}"
    if size.numerator != 1 and size.denominator != 1:
        term = f"{size.numerator} {name}/{size.denominator}"
    if not a:
        text = f"-{term}" if b < 0 else term
    elif a < 0 and b > 0:
        text = f"{term} - {-a}"
    else:
        text = f"{a} {sign} {term}"
    return f"({text})/{bottom}" if bottom > 1 else text
