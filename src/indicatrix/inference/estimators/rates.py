"""Functions of the rates of separate true classes, and how their interval follows from those.

Balanced accuracy, informedness, the geometric mean of recall and specificity do not change if the examples of one true class are
counted twice. Then the classes are independent samples, each with a rate, and the ends of the rates' intervals give those of the
score (Zou and Donner 2008, Statistics in Medicine 27:1693-1702). Whether a score is such a function follows from its slopes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ...algebra.arrays import Array, Mask
from ...algebra.measure import Measure
from ..sampling.samples import Pairs
from ..sampling.table_function import TableFunction
from ..stats.proportions import Ends, mid_p_of_each
from .estimators import Estimator, OfCounts, OfMatrix
from .shares import ALMOST, POINTS, FormulaSlopes, effective_share, formula_slopes, table_slopes

MOST_CLASSES = 200  # of functions of the matrix, which need a table for each end of each rate
TOWARDS_MIDDLE = 0.25  # how much of a distance is the mean of both sides, if other rates share the way


@dataclass(frozen=True, eq=False)
class Rates:
    """The true classes on whose rates a score depends, and the predictions that each rate counts."""

    rows: Array  # the true classes, r
    inside: Mask  # r x (m + 1): the predicted classes whose share is the rate
    slopes: Array | None = None  # r: of a score that is a sum of multiples of the rates, these multiples; None: of others


def rates_of(estimator: Estimator) -> Rates | None:
    """Return the rates of separate true classes that a score is a function of; None for other scores."""
    if not isinstance(estimator, OfCounts | OfMatrix) or not isinstance(estimator.sample, Pairs) or not estimator.smooth:
        return None
    sample = estimator.sample
    chosen = sample.by_class and sample.shares is None  # estimated shares vary, as those that come by chance
    if isinstance(estimator, OfCounts):
        return _known_rates(formula_slopes(estimator.score, sample), chosen)
    if len(sample.table) > MOST_CLASSES:
        return None
    measure, occurs = estimator.measure, sample.table[:-1].sum(axis=1) > 0
    return _rates_of_table(_TableQuestion((measure, measure.params.get("values")), occurs.tobytes(), chosen))


@dataclass(frozen=True)
class _TableQuestion:
    """What the rates of a function of the matrix depend on: the true classes that occur."""

    key: tuple[Measure, Any]
    occurs: bytes
    by_class: bool


@lru_cache(maxsize=256)
def _rates_of_table(question: _TableQuestion) -> Rates | None:
    occurs, function = np.frombuffer(question.occurs, bool), TableFunction(question.key[0])
    for points in (1, POINTS):  # the first table refutes almost all functions
        found = table_slopes(function, occurs, points)
        rates = None if found is None else _rates(found, question.by_class, turns=False)
        if rates is None:
            return None
    return rates


@lru_cache(maxsize=256)
def _known_rates(found: FormulaSlopes, by_class: bool) -> Rates | None:
    return _rates(found, by_class)


def _rates(found: FormulaSlopes, by_class: bool, *, turns: bool = True) -> Rates | None:
    """Return the rates, from slopes; with ``turns``, a score may rise with a rate here and fall there."""
    tables, possible, slopes = found.tables, found.possible, found.slopes
    scale = float(np.abs(slopes * tables).sum(axis=(1, 2)).max())
    if not math.isfinite(scale):
        return None
    if not by_class and (np.abs((slopes * tables).sum(axis=2)) > ALMOST * scale).any():
        return None  # it changes with the number of examples of a class
    high, low = (side(np.where(possible, slopes, empty), axis=2) for side, empty in ((np.max, -np.inf), (np.min, np.inf)))
    large = np.abs(slopes).max(initial=0.0)
    rows = np.flatnonzero((high - low > ALMOST * large).any(axis=0))  # an empty row has -inf and inf
    slopes, high, low, own = slopes[:, rows], high[:, rows, None], low[:, rows, None], possible[rows]
    if (own & (np.minimum(high - slopes, slopes - low) > ALMOST * large)).any():
        return None  # more than two kinds of predictions: not a rate
    inside = slopes > (high + low) / 2
    same, mirrored = (((side == inside[0]) | ~own).all(axis=2) for side in (inside, ~inside))
    if not len(rows) or not (same | (turns & mirrored)).all():
        return None
    along = (high - low)[..., 0] * tables[:, rows].sum(axis=2)
    linear = same.all() and (np.ptp(along, axis=0) <= ALMOST * np.abs(along).max()).all()
    return Rates(rows, inside[0] & own, along.mean(axis=0) if linear else None)


def rate_ends(estimator: Estimator, level: float) -> Ends:
    """Return the interval of a function of independent rates, from the intervals of these."""
    rates = rates_of(estimator)
    if rates is None or not np.isfinite(estimator.span).all():
        raise ValueError(
            "method='rates' is for functions of the rates of separate true classes in a finite range, such as balanced accuracy. "
            "This score is not one. Leave method= out, or use 'score'."
        )
    assert isinstance(estimator, OfCounts | OfMatrix)
    assert isinstance(estimator.sample, Pairs)
    sample, value = estimator.sample, estimator.value
    ends = _ends_of_each(sample, rates, level)
    change = _changes(sample, rates, ends)
    of = np.tile(rates.rows, 2)
    if isinstance(estimator, OfCounts):
        reached = estimator.score(_moved(sample, change, of))
    elif rates.slopes is not None:  # much faster than a table for each end of each rate
        reached = value + rates.slopes * (ends - _shares(sample, rates, ends))
    else:
        reached = _values_with_other_rows(estimator.function, sample.table, of, change)
    reached = reached.reshape(2, -1)  # at the lower and at the upper end of each rate
    down = np.maximum(value - np.fmin.reduce(reached, axis=0, initial=value), 0.0)
    up = np.maximum(np.fmax.reduce(reached, axis=0, initial=value) - value, 0.0)
    low, high = value - _joined(down, up), value + _joined(up, down)
    if low == high:  # as the geometric mean of rates that are all 0, which no single rate moves
        tables = np.repeat(sample.table[None], 2, axis=0)
        tables[:, rates.rows] += change.reshape(2, len(rates.rows), -1)
        if isinstance(estimator, OfCounts):
            together = estimator.score(Pairs(tables).counts)
        else:
            together = np.array([estimator.function.value(table) for table in tables])
        low, high = (float(side(together, initial=value)) for side in (np.fmin.reduce, np.fmax.reduce))
    return max(low, estimator.span[0]), min(high, estimator.span[1])


def _joined(side: Array, other: Array) -> float:
    """Return how far the score goes to one side, from how far each rate leads it to both.

    The end of a rate's own interval is as far as the rate goes alone. With others it goes less far, where its variance is more
    like the one in the middle: a rate that was 1 in the sample may be lower, and then the score is below its own mean.
    """
    own, middle = side**2, (side**2 + other**2) / 2
    whole = middle.sum()
    if not whole > 0:
        return 0.0
    towards = TOWARDS_MIDDLE * (1 - middle / whole)  # a rate that is alone keeps its own end
    return min(math.sqrt(float(((1 - towards) * own + towards * middle).sum())), float(side.sum()))


def _ends_of_each(sample: Pairs, rates: Rates, level: float) -> Array:
    """Return the lower and the upper ends (2, r) of the rates; of a class without examples, all shares."""
    shares = []
    for row, inside in zip(rates.rows, rates.inside, strict=True):
        squares = None if sample.squares is None else sample.squares[row]
        shares.append(effective_share(sample.table[row], inside, squares))
    hits, sizes = np.array(shares).reshape(-1, 2).T
    seen = sizes > 0
    ends = np.repeat([[0.0], [1.0]], len(sizes), axis=1)
    ends[:, seen] = mid_p_of_each(hits[seen], sizes[seen], level)
    return ends


def _shares(sample: Pairs, rates: Rates, empty: Array) -> Array:
    """Return the rates of the sample (2, r); those of classes without examples are ``empty``."""
    rows = sample.table[rates.rows]
    total = rows.sum(axis=1)
    return np.where(total > 0, np.where(rates.inside, rows, 0.0).sum(axis=1) / np.where(total > 0, total, 1.0), empty)


def _changes(sample: Pairs, rates: Rates, ends: Array) -> Array:
    """Return how rows (2 r, m + 1) change with each rate at its lower end, then at its upper end."""
    rows = sample.table[rates.rows]
    total = rows.sum(axis=1, keepdims=True)
    shares = []
    for side in (rates.inside, ~rates.inside):
        own = np.where(side, rows, 0.0)
        first = np.zeros_like(own)
        first[np.arange(len(own)), side.argmax(axis=1)] = 1.0  # any one of them, where none was seen
        seen = own.sum(axis=1, keepdims=True)
        shares.append(np.where(seen > 0, own / np.where(seen > 0, seen, 1.0), first))
    return np.concatenate([total * (end[:, None] * shares[0] + (1 - end[:, None]) * shares[1]) - rows for end in ends])


def _moved(sample: Pairs, change: Array, of: Array) -> Array:
    """Return the counts (4, k, m) with each of k changes of a row, without a table for each."""
    m = len(sample.table) - 1
    change = change[:, :m]
    counts = np.repeat(sample.counts[:, None], len(of), axis=1)
    counts[1] += change
    counts[3] -= change
    classes = np.flatnonzero(of < m)  # the examples of a class are right or wrong; those of no class only have false positives
    here = (classes, of[classes])
    for cell, sign in enumerate((1, -1, -1, 1)):
        counts[(cell, *here)] += sign * change[here]
    return np.asarray(np.maximum(counts, 0.0))


def _values_with_other_rows(function: TableFunction, table: Array, of: Array, change: Array) -> Array:
    """Return the values of a function of a table with each of some changes of a row."""
    moved, found = table.copy(), []
    for row, along in zip(of.tolist(), change, strict=True):
        moved[row] = np.maximum(table[row] + along, 0.0)
        found.append(function.value(moved))
        moved[row] = table[row]
    return np.array(found)


def variance_at_rates(estimator: Estimator, other: Estimator) -> float:
    """Return the variance of a function of rates at the rates of another sample.

    The other sample has one example more, half of it right and half of it wrong, so that no variance is 0.
    """
    assert isinstance(estimator, OfCounts)
    assert isinstance(estimator.sample, Pairs)
    assert isinstance(other, OfCounts)
    assert isinstance(other.sample, Pairs)
    table = other.sample.table + other.sample.pseudo().table
    total = table.sum(axis=1, keepdims=True)
    sizes = estimator.sample.table.sum(axis=1, keepdims=True)
    sample = Pairs(table / np.where(total > 0, total, 1.0) * sizes)
    return OfCounts(estimator.score, sample, estimator.span).variance()
