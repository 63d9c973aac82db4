"""The ends of the scale: the values of perfect and of wholly wrong predictions, and the range.

The definitions are in sec:properties.

Monotonicity: whether correcting an error can make a measure worse.

It is tried on small count vectors, and proved where signs allow it (def:monotone, errata C4).
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np

from ...algebra.arrays import as_float, quiet
from ...algebra.derived.derived_facts import declared_facts
from ...algebra.evidence import Evidence
from ...algebra.numbers.exact import Value, digits, is_defined, order
from ...algebra.numbers.recorded_counts import MODERATE
from .examined_measure import GENERIC, SCREEN, CountVector, ExaminedMeasure, exact_counts, is_nonnegative, rational_text

PAIRS = ((3, 5), (2, 9), (5, 5), (1, 3), (40, 7), (1, 1), (2000, 5), (7, 30000), *product((1, 2, 3, 4), repeat=2))
LATTICE = tuple(product(range(1, 41), repeat=2))  # which are tried in floats
ONE_SIDED = ((4, 0), (0, 6))  # one class is empty; a vector where the measure is undefined does not count
FLOAT = 12  # digits of a float64 value that rounding does not change
PULLS, SETTLED = 40, 12  # steps towards a pole, each 0.6 of the last, and after how many a hill does not grow any more
BEYOND = 1e-9  # float differences that are computed again exactly


def upper_boundary(subject: ExaminedMeasure) -> Evidence:
    """Return whether M always takes its best value where fp = fn = 0."""
    return _boundary(subject, [(x, 0, 0, y) for x, y in (*PAIRS, *ONE_SIDED)], best=True)


def lower_boundary(subject: ExaminedMeasure) -> Evidence:
    """Return whether M always takes its worst value where tp = tn = 0."""
    return _boundary(subject, [(0, x, y, 0) for x, y in (*PAIRS, *ONE_SIDED)], best=False)


def _boundary(subject: ExaminedMeasure, vectors: list[Any], best: bool) -> Evidence:
    if subject.symbolic:
        return _symbolic(subject, best)
    values = [subject.value(*v) for v in vectors]
    lost = next((i for i, x in enumerate(values[: len(PAIRS)]) if not is_defined(x)), None)
    if lost is not None:
        return Evidence(False, ((vectors[lost],), (values[lost],)), 1, note="it is undefined or infinite there")
    end = values[0]
    for v in _suspects(subject, best, as_float(end)):
        x = subject.value(*v)
        if not is_defined(x):
            return Evidence(False, ((v,), (x,)), 1, note="it is undefined or infinite there")
        vectors, values = [*vectors, v], [*values, x]
    for v, x in zip(vectors, values, strict=True):
        if is_defined(x) and order(x, end):
            return Evidence(False, ((vectors[0], v), (end, x)), 1, digits((end, x)), note="it takes several values there")
    near = as_float(end)
    with quiet():
        beyond = subject.better * (subject.screened - near) * (1 if best else -1)
    suspects = np.flatnonzero(beyond > BEYOND * max(1, abs(near)))
    for i in sorted(suspects, key=lambda i: bool(np.isinf(beyond[i])))[:5]:
        v = exact_counts(subject.vectors[i])
        x = subject.value(*v)
        if _is_infinite(x) or (is_defined(x) and subject.better * order(x, end) * (1 if best else -1) > 0):
            return Evidence(False, ((vectors[0], v), (end, x)), 1, digits((end, x)), note="there are values beyond it")
    values = [x for x in values if is_defined(x)]
    trials = len(values) + int(np.isfinite(beyond).sum())
    note, proof = f"the value is {near:g}", _proof(subject, best)
    if proof:
        return Evidence(True, proof=proof, note=note)
    if subject.doubt:
        return Evidence(None, None, trials, digits(values), note=subject.doubt)
    return Evidence(True, None, trials, digits(values), note=f"{note}, and no value lies beyond it by more than {BEYOND:g}")


def _suspects(subject: ExaminedMeasure, best: bool, end: float) -> list[CountVector]:
    """Return more count vectors of a boundary at which floats differ from its value, or have none."""
    x, y = np.array(LATTICE, np.float64).T
    none = np.zeros_like(x)
    vectors = np.stack([x, none, none, y] if best else [none, x, y, none], axis=1)
    with quiet():
        apart = abs(subject.floats(vectors) - end) <= BEYOND * max(1, abs(end))
    return [exact_counts(vectors[i]) for i in np.flatnonzero(~apart)[:5]]


def _proof(subject: ExaminedMeasure, best: bool) -> str:
    """Return a proof that M has one value at this boundary and that no value lies beyond it.

    It holds for all counts; it is empty if signs do not show it.
    """
    form = subject.form
    end = None if form is None else _end(form, best)
    if form is None or end is None or not (end.numer.is_ground and end.denom.is_ground):
        return ""
    apart = form.difference(end, form.value)
    if apart is None:
        return ""
    beyond = subject.better * apart * (1 if best else -1)
    return (
        f"it is {rational_text(end)} there, and the rest differs from it by {rational_text(beyond)} ≥ 0"
        if is_nonnegative(beyond)
        else ""
    )


def _end(form: Any, best: bool) -> Any:
    tp, fp, fn, tn = form.cells
    return form(tp, form.zero, form.zero, tn) if best else form(form.zero, fp, fn, form.zero)


def _symbolic(subject: ExaminedMeasure, best: bool) -> Evidence:
    form = subject.form
    end = None if form is None else _end(form, best)
    if form is None or end is None:
        return Evidence(None, note="a symbolic parameter leaves it open: choose a number with .at(…)")
    if any(side.degree(x.numer) > 0 for side in (end.numer, end.denom) for x in form.cells):
        return Evidence(False, proof=f"it is {rational_text(end)} there, so it takes several values")
    return Evidence(None, note=f"it is {rational_text(end)} there; whether that is the end of the scale depends on the parameter")


def _is_infinite(x: Value) -> bool:
    return isinstance(x, float) and math.isinf(x)  # a fraction may be finite but too large for a float


def bounded(subject: ExaminedMeasure) -> Evidence:
    """Return whether all values lie in one finite interval.

    The note compares the range that was found with the range that is declared, or that the formula implies.
    """
    if subject.symbolic:
        return Evidence(None, note="a symbolic parameter leaves it open: choose a number with .at(…)")
    values = subject.screened
    finite = values[np.isfinite(values)]
    suspects = (exact_counts(subject.vectors[i]) for i in np.flatnonzero(np.isinf(values))[:8])
    infinite = next((v for v in suspects if _is_infinite(subject.value(*v))), None)
    if infinite is not None:
        return Evidence(False, ((infinite,), (subject.value(*infinite),)), 1)
    if not finite.size:
        return Evidence(None, note="it is undefined at all counts tried")
    low, high, known = float(finite.min()), float(finite.max()), subject.measure.range
    how = "declared" if "range" in declared_facts(subject.measure) else "derived"
    growth = _growth(subject) or _pole(subject)
    note = f"found [{low:.4g}, {high:.4g}], {how} [{known[0]:g}, {known[1]:g}]"
    if growth is not None:
        return Evidence(False, (growth, tuple(subject.value(*v) for v in growth)), 1, note="it grows without limit")
    proof = _between(subject, low, high)
    if proof:
        return Evidence(True, proof=proof, note=note)
    return Evidence(None if subject.doubt else True, None, len(finite), FLOAT, note=subject.doubt or note)


def _between(subject: ExaminedMeasure, low: float, high: float) -> str:
    """Return a proof that M lies between the ends found; empty without a proof.

    There is a proof only where the ends are small fractions and signs show it.
    """
    form = subject.form
    if form is None:
        return ""
    ends = [Fraction(x).limit_denominator(1000) for x in (low, high)]
    least, most = (form.field(form.field.domain(x.numerator, x.denominator)) for x in ends)
    if not (is_nonnegative(form.value - least) and is_nonnegative(most - form.value)):
        return ""
    return f"M - {ends[0]} = {rational_text(form.value - least)} ≥ 0 and {ends[1]} - M = {rational_text(most - form.value)} ≥ 0"


def _growth(subject: ExaminedMeasure) -> tuple[CountVector, ...] | None:
    """Return two vectors that show growth without limit.

    The largest value keeps rising as the cells grow in steps up to 10^12.
    """
    top: list[tuple[float, Any]] = []
    for k in (10**3, 10**6, 10**9, 10**12):
        vectors = list(product((0, 1, k), repeat=4))
        values = np.nan_to_num(abs(subject.floats(vectors)), nan=0, posinf=math.inf)
        i = int(values.argmax())
        if math.isinf(values[i]):  # too large for a float, or a step of the formula is
            return _beyond_floats(subject, top[-1][1] if top else (1, 1, 1, 1), vectors[i])
        top.append((float(values[i]), vectors[i]))
    steps = [b[0] - a[0] for a, b in pairwise(top)]
    if steps[-1] > 0.01 * max(1, top[-1][0]) and steps[-1] > 0.5 * steps[-2]:
        return top[-2][1], top[-1][1]
    return None


def _beyond_floats(subject: ExaminedMeasure, before: CountVector, at: CountVector) -> tuple[CountVector, ...] | None:
    """Return the two vectors if the exact value at the second is too large for a float."""
    value = subject.value(*at)
    return (before, at) if math.isinf(as_float(value)) else None


def _pole(subject: ExaminedMeasure) -> tuple[CountVector, ...] | None:
    """Return a vector near a pole that lies between the vectors tried.

    Closer and closer to the pole, the value grows beyond all earlier values.
    """
    rng = np.random.default_rng(0)
    values = np.nan_to_num(abs(subject.screened), nan=0, posinf=0)
    at, peaks = subject.vectors[int(values.argmax())], [float(values.max())]
    some = np.array(GENERIC, float)
    scale_free = np.allclose(subject.floats(some), subject.floats(3 * some), equal_nan=True)
    for step in range(PULLS):
        around = at * np.exp(0.5 * 0.6**step * rng.standard_normal((48, 4)))
        if not scale_free:  # then the measure is for whole counts only
            around = np.rint(around)
        found = np.nan_to_num(abs(subject.floats(around)), nan=0, posinf=1e300)
        if found.max() > peaks[-1]:
            at = around[int(found.argmax())]
        peaks.append(max(peaks[-1], float(found.max())))
    # Towards a pole the value grows as the steps shrink; on a hill it settles. It may start close to the pole.
    grows = any(later > 10 * sooner > 0 for sooner, later in zip(peaks[SETTLED:], peaks[SETTLED + 8 :], strict=False))
    return (tuple(Fraction(x).limit_denominator(10**9) for x in at.tolist()),) if grows else None


GRID = np.array(SCREEN[:MODERATE], np.int64)  # the vectors that moves start from
HOW = "differences above 1e-9 were compared in float64, smaller ones exactly"
NEAR_MOVE = 1e-9  # float differences above this share decide; smaller ones are computed exactly
LARGE_COUNT = 1000
MOST_NEAR = 24  # at most about this many of them, evenly spread

# Moves towards the truth: one example corrected within its true class (paired), or one cell changed alone.
PAIRED = {"fn to tp": (1, 0, -1, 0), "fp to tn": (0, -1, 0, 1)}
SINGLE = {"tp": (1, 0, 0, 0), "fp": (0, -1, 0, 0), "fn": (0, 0, -1, 0), "tn": (0, 0, 0, 1)}


def monotone(subject: ExaminedMeasure) -> Evidence:
    """Return whether no correction of one example makes M worse.

    A correction turns a fn into a tp, or an fp into a tn.
    """
    return _both([improves(subject, move) for move in PAIRED.values()], list(PAIRED))


def monotone_in(subject: ExaminedMeasure, cell: str) -> Evidence:
    """Return whether M does not get worse as this cell alone improves: tp and tn up, fp and fn down."""
    return improves(subject, SINGLE[cell])


def monotone_per_cell(subject: ExaminedMeasure) -> Evidence:
    """Return whether M is monotone in each cell alone, the literal definition.

    The note names the cells where it fails.
    """
    return _both([monotone_in(subject, cell) for cell in SINGLE], list(SINGLE))


def _both(found: list[Evidence], names: list[str]) -> Evidence:
    failing = [(name, e) for name, e in zip(names, found, strict=True) if e.holds is False]
    if failing:
        return replace(failing[0][1], note=f"fails for {', '.join(name for name, _ in failing)}")
    if any(e.holds is None for e in found):
        return next(e for e in found if e.holds is None)
    proofs = [e.proof for e in found]
    proof = "; ".join(dict.fromkeys(proofs)) if all(proofs) else ""
    to_digits = next((e.digits for e in found if e.digits is not None), None)
    notes = "; ".join(dict.fromkeys(e.note for e in found if e.note))
    return Evidence(True, None, sum(e.trials for e in found), to_digits, proof, notes)


def improves(subject: ExaminedMeasure, move: tuple[int, ...]) -> Evidence:
    """Return whether a move never makes M worse, where M is defined before and after."""
    if subject.symbolic:
        return Evidence(None, note="it depends on a symbolic parameter: choose a number with .at(…)")
    grid, after, suspects, clear_gains = _screen_move(subject, move)
    seen: list[Any] = []
    for i in suspects:
        pair = tuple(grid[i].tolist()), tuple(after[i].tolist())
        values = tuple(subject.value(*v) for v in pair)
        if is_defined(*values):
            if subject.better * order(values[1], values[0]) < 0:
                return Evidence(False, (pair, values), 1, digits(values))
            seen += values
    if not clear_gains + len(seen):
        return Evidence(None, note="it is undefined at all counts tried")
    proof = _proof_of_move(subject, move)
    if proof:
        return Evidence(True, proof=proof)
    known = digits(seen)
    return Evidence(None if subject.doubt else True, None, clear_gains + len(seen) // 2, known, note=subject.doubt or HOW)


def _screen_move(subject: ExaminedMeasure, move: tuple[int, ...]) -> tuple[Any, Any, list[Any], int]:
    """Return count vectors before and after a move, which to compute exactly, and how many are clear."""
    between = np.rint(subject.vectors[len(SCREEN) :] * LARGE_COUNT).astype(np.int64)  # large, so that one step stays in the piece
    start = np.concatenate([GRID, between])
    possible = (start + np.array(move) >= 0).all(axis=1)
    grid = start[possible]
    after = grid + np.array(move)
    old, new = subject.floats(grid), subject.floats(after)
    usable = np.isfinite(old) & np.isfinite(new)
    with np.errstate(invalid="ignore"):
        gain = subject.better * (new - old)
        near = abs(gain) <= NEAR_MOVE * np.maximum(1, np.maximum(abs(old), abs(new)))
    harmed, unclear = np.flatnonzero(usable & ~near & (gain < 0)), np.flatnonzero(usable & near)
    suspects = [*harmed[:5], *unclear[:: max(1, len(unclear) // MOST_NEAR)]]
    return grid, after, suspects, int((usable & ~near).sum())


def _proof_of_move(subject: ExaminedMeasure, move: tuple[int, ...]) -> str:
    """Return the difference that a step d > 0 makes, as a proof; empty if signs do not show it.

    A proof needs that no term has the wrong sign for any counts.
    """
    form = subject.form
    if form is None:
        return ""
    d = form.extra["d"]
    # Cells that shrink start with d more; then all symbols can be any non-negative numbers.
    start = [x + d if step < 0 else x for x, step in zip(form.cells, move, strict=True)]
    before = form(*start)
    gain = None if before is None else form.difference(form(*(x + step * d for x, step in zip(start, move, strict=True))), before)
    if gain is None:
        return ""
    difference = subject.better * gain
    if difference == 0:
        return "the move changes nothing"
    return f"the move adds {rational_text(difference)} ≥ 0" if is_nonnegative(difference) else ""
