"""Monotonicity: whether correcting an error can make a measure worse.

It is tried on small count vectors, and proved where signs allow it (def:monotone, errata C4).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.derived.trial_counts import MODERATE
from ...algebra.evidence import Evidence
from ...algebra.numbers.exact import digits, is_defined, order
from .examined_measure import SCREEN, ExaminedMeasure, is_nonnegative, rational_text

GRID = np.array(SCREEN[:MODERATE], np.int64)  # the vectors that moves start from
HOW = "differences above 1e-9 were compared in float64, smaller ones exactly"
NEAR = 1e-9  # float differences above this share decide; smaller ones are computed exactly
LARGE = 1000
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
    proof = _proof(subject, move)
    if proof:
        return Evidence(True, proof=proof)
    known = digits(seen)
    return Evidence(None if subject.doubt else True, None, clear_gains + len(seen) // 2, known, note=subject.doubt or HOW)


def _screen_move(subject: ExaminedMeasure, move: tuple[int, ...]) -> tuple[Any, Any, list[Any], int]:
    """Return count vectors before and after a move, which to compute exactly, and how many are clear."""
    between = np.rint(subject.vectors[len(SCREEN) :] * LARGE).astype(np.int64)  # large, so that one step stays in the piece
    start = np.concatenate([GRID, between])
    possible = (start + np.array(move) >= 0).all(axis=1)
    grid = start[possible]
    after = grid + np.array(move)
    old, new = subject.floats(grid), subject.floats(after)
    usable = np.isfinite(old) & np.isfinite(new)
    with np.errstate(invalid="ignore"):
        gain = subject.better * (new - old)
        near = abs(gain) <= NEAR * np.maximum(1, np.maximum(abs(old), abs(new)))
    harmed, unclear = np.flatnonzero(usable & ~near & (gain < 0)), np.flatnonzero(usable & near)
    suspects = [*harmed[:5], *unclear[:: max(1, len(unclear) // MOST_NEAR)]]
    return grid, after, suspects, int((usable & ~near).sum())


def _proof(subject: ExaminedMeasure, move: tuple[int, ...]) -> str:
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
