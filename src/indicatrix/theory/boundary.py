"""The ends of the scale: the value of perfect and of wholly wrong predictions, and the range of all values (sec:properties)."""

from __future__ import annotations

import math
from itertools import pairwise, product
from typing import Any

import numpy as np

from ..algebra.evidence import Evidence
from ..algebra.exact import defined, digits, order
from .subject import GENERIC, SPARSE, Subject, shown

FLOAT_DIGITS = 12  # of float64 that rounding leaves alone
PAIRS = ((3, 5), (2, 9), (5, 5), (1, 3), (40, 7), (1, 1))
LARGE = tuple(10**k for k in (3, 6, 9, 12))
_GRID = (*product((0, 1, 2, 5, 17), repeat=4), *(v for k in LARGE for v in product((0, 1, k), repeat=4)))


def upper_boundary(subject: Subject) -> Evidence:
    """Return whether M takes one value, its best, whenever fp = fn = 0 (sec:properties, errata C6)."""
    return _boundary(subject, [(x, 0, 0, y) for x, y in PAIRS], best=True)


def lower_boundary(subject: Subject) -> Evidence:
    """Return whether M takes one value, its worst, whenever tp = tn = 0 (sec:properties, errata C6)."""
    return _boundary(subject, [(0, x, y, 0) for x, y in PAIRS], best=False)


def _boundary(subject: Subject, vectors: list[Any], best: bool) -> Evidence:
    if subject.symbolic:
        return _symbolic(subject, best)
    values = [subject.value(*v) for v in vectors]
    if not defined(*values):
        i = next(i for i, x in enumerate(values) if not defined(x))
        return Evidence(False, ((vectors[i],), (values[i],)), 1, note="undefined or infinite there")
    for v, x in zip(vectors, values, strict=True):
        if order(x, values[0]):
            return Evidence(False, ((vectors[0], v), (values[0], x)), 1, digits((values[0], x)), note="not one value there")
    seen = list(values)
    for v in (*GENERIC, *SPARSE):
        x = subject.value(*v)
        if defined(x):
            seen.append(x)
            if subject.better * order(x, values[0]) * (1 if best else -1) > 0:
                return Evidence(
                    False, ((vectors[0], v), (values[0], x)), 1, digits((values[0], x)), note="not the end of the scale"
                )
    return Evidence(True, None, len(seen), digits(seen), _constant(subject, best), f"the value is {float(values[0]):g}")


def _constant(subject: Subject, best: bool) -> str:
    """Return why M is one value at this boundary and nothing lies beyond it, for all counts; empty if signs do not show it."""
    form = subject.form
    if form is None:
        return ""
    end = _end(form, best)
    if end is None or end.numer.degree() > 0 or not (end.numer.is_ground and end.denom.is_ground):
        return ""
    beyond = subject.better * (end - form.value) * (1 if best else -1)
    if beyond != 0 and {c > 0 for poly in (beyond.numer, beyond.denom) for c in poly.coeffs()} != {True}:
        return ""
    return f"it is {shown(end)} there, and the rest differs from it by {shown(beyond)} ≥ 0"


def _end(form: Any, best: bool) -> Any:
    tp, fp, fn, tn = form.cells
    return form(tp, form.zero, form.zero, tn) if best else form(form.zero, fp, fn, form.zero)


def _symbolic(subject: Subject, best: bool) -> Evidence:
    end = None if subject.form is None else _end(subject.form, best)
    if end is None:
        return Evidence(None, note="a symbolic parameter leaves it open: choose a number with .at(…)")
    free = not any(end.numer.degree(x.numer) > 0 or end.denom.degree(x.numer) > 0 for x in subject.form.cells)  # type: ignore[union-attr]
    return Evidence(free, proof=f"it is {shown(end)} there")


def bounded(subject: Subject) -> Evidence:
    """Return whether all values lie in one finite interval; the note compares what was found with what is declared."""
    if subject.symbolic:
        return Evidence(None, note="a symbolic parameter leaves it open: choose a number with .at(…)")
    low, high, infinite = found_range(subject)
    declared = subject.measure.range
    note = f"found [{low:.4g}, {high:.4g}], declared [{declared[0]:g}, {declared[1]:g}]"
    if infinite is not None:
        return Evidence(False, ((infinite,), (subject.value(*infinite),)), 1, note=note)
    growth = _growth(subject)
    if growth is not None:
        return Evidence(False, growth, 1, note=f"it grows without end; {note}")
    return Evidence(True, None, len(_GRID), FLOAT_DIGITS, note=note)


def found_range(subject: Subject) -> tuple[float, float, Any]:
    """Return the smallest and largest finite value found, and a count vector where the value is infinite, if any is."""
    values = subject.floats(_GRID)
    finite = values[np.isfinite(values)]
    infinite = np.flatnonzero(np.isinf(values))
    where = next((v for i in infinite[:8] if math.isinf(subject.value(*(v := _GRID[i])))), None)
    return (float(finite.min()), float(finite.max()), where) if finite.size else (math.nan, math.nan, where)


def _growth(subject: Subject) -> Any:
    """Return two vectors that show growth without end: the largest value rises as much at each step of cells to 10^12."""
    top: list[tuple[float, Any]] = []
    for k in LARGE:
        vectors = list(product((0, 1, k), repeat=4))
        values = abs(subject.floats(vectors))
        values[~np.isfinite(values)] = 0
        i = int(values.argmax())
        top.append((float(values[i]), vectors[i]))
    steps = [b[0] - a[0] for a, b in pairwise(top)]
    if steps[-1] > 0.01 * max(1, top[-1][0]) and steps[-1] > 0.5 * steps[-2]:
        return (top[-2][1], top[-1][1]), tuple(subject.value(*v) for _, v in top[-2:])
    return None
