"""Bounds of a score whose true labels are wrong at rates within known intervals."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import BINARY
from ...algebra.measure_names import resolve, split_score
from ...algebra.score import Undefined
from ...tally.states.group_counts import CrossTable
from ...tasks.positive_unlabeled import Bounds
from ...words.wording import listing, short
from ..paired.paired_cells import score_of_labels
from ..sampling.score_function import span_of

TABLES = 4225  # of error rates that are tried, if there are not more corners
MOST_CLASSES = 5
LEAST = 1e-9  # of all examples: a count below minus this is negative


def noise_bounds(ev: Any, measure: Any, average: Any = None, *, noise: Any, undefined: Undefined = "exclude") -> Bounds:
    """Return the lowest and the highest score over the rates at which true labels may be wrong.

    Wrong labels of a class may be any other class. Up to a factor that all counts have in common, they are linear in the error
    rates of each class, so that a ratio of linear forms (precision, recall, accuracy, F, Jaccard) has its ends where the wrong
    labels of each class are as rare or as frequent as they may be, and all of one other class; for other scores rates in between
    are tried as well. Rates that make a count negative are impossible. For two classes this leaves smaller intervals of rates;
    for more, the bounds still hold, but may not be reached.

    >>> import indicatrix as ix
    >>> ev = ix.from_confusion([[620, 90], [80, 210]])
    >>> found = noise_bounds(ev, "f1", "binary", noise=((0, 0.05), (0, 0.1)))
    >>> round(found.low, 3), round(found.high, 3), found.at_high
    (0.712, 0.788, ((0.95, 0.05), (0.1, 0.9)))
    """
    named, average = split_score(measure, average)
    found = resolve(named).meant_for(ev, average)
    score = found.score(ev, average, undefined)
    table = _table_of(ev, score.average)
    ends, given = _possible(table, noise)
    rates = _tables(ends)
    values = score_of_labels(ev, found, score, table).scores(_true(table, rates).reshape(len(rates), -1))
    known = np.clip(np.where(np.isfinite(values), values, np.nan), *span_of(found, np.nan))
    if np.isnan(known).all():
        raise ValueError(f"{found} is undefined at all these rates.")
    at_low, at_high = (tuple(map(tuple, rates[int(k)].tolist())) for k in (np.nanargmin(known), np.nanargmax(known)))
    what = str(found) if score.average in (None, BINARY, "micro", "exemplar") else f"{score.average} {found}"
    used = (float(ends.min()), float(ends.max()))
    return Bounds(float(np.nanmin(known)), float(np.nanmax(known)), at_low, at_high, what, "rate of wrong labels", used, given)


def _table_of(ev: Any, average: Any) -> Array:
    """Return the table (seen, predicted)."""
    part = ev.tally.pooled
    if ev.tally.corrected:
        raise ValueError("Labels of this evaluation were corrected already. Bounds are of labels as they were seen.")
    if not 2 <= len(ev.classes) <= MOST_CLASSES or not isinstance(part, CrossTable):
        raise ValueError(
            f"Bounds over rates of wrong labels are of one label of two to {MOST_CLASSES} classes for each row; here are "
            f"{'several labels' if ev.kind != 'multiclass' else 'the classes'} {listing(ev.classes)}. Known rates of more "
            "classes, or of several labels, are noise= of ix.evaluate."
        )
    if isinstance(average, tuple) or average in ev.tally.by:
        raise ValueError(f"average={average!r} has no bounds here. Name 'binary', 'micro', 'macro' or 'weighted'.")
    return np.asarray(part.table, np.float64)


def _possible(table: Array, noise: Any) -> tuple[Array, tuple[float, float]]:
    """Return the ends of the rate of each class, and what was given.

    For two classes these are the ends at which no count is negative.
    """
    m = len(table) - 1
    try:
        ends = np.array(noise, np.float64)
        ends = np.tile(ends, (m, 1)) if ends.shape == (2,) else ends
        good = ends.shape == (m, 2) and bool(((ends >= 0) & (ends <= 1)).all() and (ends[:, 0] <= ends[:, 1]).all())
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ValueError(
            f"noise={short(noise)} is two rates in order, (0, 0.1), or two for each of the {m} true classes, such as "
            "((0, 0.05), (0, 0.1)): the share of its examples that is seen as another class."
        )
    given = (float(ends.min()), float(ends.max()))
    if m > 2:
        return ends, given
    size = table[:2].sum(axis=0)
    most = (table[1::-1] / np.maximum(size, 1e-300))[:, size > 0].min(axis=1, initial=1.0)
    odd = next((k for k in (0, 1) if ends[k, 0] > most[k]), None)
    if odd is not None:
        raise ValueError(f"Rates of at least {ends[odd, 0]:.6g} are impossible: a count would be negative above {most[odd]:.6g}.")
    return np.stack([ends[:, 0], np.minimum(ends[:, 1], most)], axis=1), given


def _tables(ends: Array) -> Array:
    """Return tables of error rates, (tables, true, seen).

    Of each class all wrong labels are of one other class.
    """
    m = len(ends)
    steps = max(int(TABLES ** (1 / m) + 1e-9) // (m - 1), 2)
    rows = [
        [(1 - x) * np.eye(m)[k] + x * np.eye(m)[j] for j in range(m) if j != k for x in np.linspace(low, high, steps)]
        for k, (low, high) in enumerate(ends)
    ]
    tables = np.array(list(product(*rows)))
    if (np.linalg.det(tables) < LEAST).any():
        raise ValueError("Rates that add up to 1 or more say nothing about the truth: labels are then as good as turned round.")
    return tables


def _true(table: Array, rates: Array) -> Array:
    """Return the table (true, predicted) at each table of rates, with a last row of no class."""
    m = len(table) - 1
    true = np.linalg.solve(rates.swapaxes(1, 2), np.broadcast_to(table[:m], (len(rates), m, m + 1)))
    true = np.where(np.abs(true) < LEAST * max(float(table.sum()), 1.0), 0.0, true)
    gone = (true.sum(axis=2) < 0).any(axis=0)
    if gone.any():
        raise ValueError(
            f"At the highest of these rates fewer than no examples would be of class number {int(gone.argmax())}: they are "
            "impossible. Lower them."
        )
    return np.concatenate([true, np.broadcast_to(table[m:], (len(rates), 1, m + 1))], axis=1)
