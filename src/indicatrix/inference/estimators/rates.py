"""Functions of the rates of separate true classes, and how their interval follows from those.

Balanced accuracy, informedness, the geometric mean of recall and specificity do not change if the examples of one true class are
counted twice. Then the classes are independent samples, each with a rate, and the ends of the rates' intervals give those of the
score (Zou and Donner 2008, Statistics in Medicine 27:1693-1702). Whether a score is such a function follows from its slopes.

Scores that are plain shares: k of n independent examples.

The slopes of a score at tables without any regularity tell it: what they show holds for the formula. With weights, n is the
effective number of the examples that the share is over. Others do not matter, whatever their weights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from ...algebra.arrays import Array, Mask, quiet
from ...algebra.measure import Measure
from ..sampling.samples import Pairs, counts_of_tables
from ..sampling.score_function import ScoreFunction, TableFunction
from ..stats.proportions import Ends, mid_p_of_each
from .estimators import Estimator, OfCounts, OfMatrix
from .of_weights import OfMean

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


def is_by_class(estimator: Estimator) -> bool:
    """Return whether the number of examples of each true class does not vary."""
    return isinstance(estimator, OfCounts) and isinstance(estimator.sample, Pairs) and estimator.sample.by_class


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
    """Return the interval of a function of independent rates, from the intervals of these.

    A net benefit is one at a prevalence that is given, and finite, though its range without one is not.
    """
    rates = rates_of(estimator)
    if rates is None or not (is_by_class(estimator) or np.isfinite(estimator.span).all()):
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


POINTS = 3  # tables at which the slopes are looked at: what holds there by chance does not hold at the next
ALMOST = 1e-6  # of the largest slope: smaller ones are rounding


def proportion(estimator: Estimator) -> tuple[float, float] | None:
    """Return k and n of a score that is a share k/n of independent examples; None for other scores."""
    if isinstance(estimator, OfMean):
        plain = estimator.weights is None and estimator.clusters is None and not estimator.few and estimator.span == (0, 1)
        if not plain or not np.isin(estimator.values, (0, 1)).all():
            return None
        return effective_share(estimator.times, estimator.values == 1, estimator.squares)
    if not isinstance(estimator, OfCounts) or not isinstance(estimator.sample, Pairs):
        return None
    sample = estimator.sample
    cells = _cells(formula_slopes(estimator.score, sample)) if estimator.smooth else None
    if cells is None:
        return None
    hit, counted = cells
    if sample.by_class and (counted.any(axis=1) & (sample.table > 0).any(axis=1)).sum() > 1:
        return None  # it mixes several samples, whatever was seen of each
    if sample.squares is None:
        return effective_share(sample.table[counted], hit[counted])
    return effective_share(sample.table[counted], hit[counted], sample.squares[counted], sample.typical_weights[counted])


@lru_cache(maxsize=256)
def _cells(found: FormulaSlopes) -> tuple[Mask, Mask] | None:
    """Return which pairs of classes are hits, and which are counted, if the score is a share.

    The share k/n has the slope (1 - k/n)/n in hits, -(k/n)/n in other counted pairs, and 0 in pairs that are not counted.
    """
    slopes, values = found.slopes, found.values[:, None, None]
    if not np.isfinite(found.values).all() or not ((values > 0) & (values < 1)).all():
        return None
    large = np.abs(slopes).max(axis=(1, 2), keepdims=True)
    hit, counted = (slopes > ALMOST * large)[0], (np.abs(slopes) > ALMOST * large)[0]
    of = (found.tables * counted).sum(axis=(1, 2))[:, None, None]
    expected = np.where(counted, hit - values, 0.0) / np.where(of > 0, of, 1.0)
    return (hit, counted) if (np.abs(slopes - expected) <= ALMOST * large).all() else None


def effective_share(times: Array, hit: Mask, squares: Array | None = None, typical: Array | None = None) -> tuple[float, float]:
    """Return k and n of a share of examples, some of which are hits.

    With weights, ``times`` are sums of these and ``squares`` sums of their squares. Then n is the number of examples without
    weights whose share has this variance; one typical example more, half of it a hit, keeps it apart from 0. Where hits and
    others have weights of their own, ``typical`` has the weight of one example of each kind, seen or not: if no example of a
    heavy kind was seen, the next one may change the share by much. It is never more than Kish's effective number of all
    examples. Weights that are all equal give the number of examples.

    >>> k, n = effective_share(np.array([3.0, 1.0]), np.array([True, False]), np.array([3.0, 1.0]))
    >>> round(k, 9), round(n, 9)
    (3.0, 4.0)
    """
    hits, whole = float(times[hit].sum()), float(times.sum())
    if squares is None or not whole > 0:
        return hits, whole
    right, wrong = float(squares[hit].sum()), float(squares[~hit].sum())
    sides = [np.array([(right + wrong) / whole])] * 2 if typical is None else [typical[hit], typical[~hit]]
    more = [(float(side.mean()) / 2, float((side**2).mean()) / 2) for side in sides]
    whole_with_more = whole + more[0][0] + more[1][0]
    share = (hits + more[0][0]) / whole_with_more
    spread = ((right + more[0][1]) * (1 - share) ** 2 + (wrong + more[1][1]) * share**2) / whole_with_more**2
    size = max(share * (1 - share) / spread - 1, 0.0)
    size = min(size, whole**2 / (right + wrong))  # a few errors that are all light do not tell that heavy ones are never wrong
    return hits / whole * size, size


def contributions(score: ScoreFunction, sample: Pairs) -> tuple[Array, Array] | None:
    """Return what each pair of classes adds to the numerator and the denominator of a ratio of sums."""
    assert score.measure.decomposition is not None
    sums = []
    for coefficients in score.measure.decomposition:
        try:
            slopes = np.array([[float(x)] for x in coefficients])
        except TypeError:  # a symbolic parameter
            return None
        sums.append(sample.influence(score.spread(slopes)))
    return sums[0], sums[1]


@dataclass(frozen=True, eq=False)
class FormulaSlopes:
    """Tables of pairs of classes, the values of a score there, and its slopes."""

    tables: Array  # POINTS x (m + 1) x (m + 1)
    values: Array
    slopes: Array  # like the tables
    possible: Mask  # (m + 1) x (m + 1): where examples can be


@dataclass(frozen=True)
class _Question:
    """What the slopes depend on: a score, and the cells that examples can be in."""

    key: tuple[Any, ...]
    score: ScoreFunction = field(compare=False)
    possible: Mask = field(compare=False)


@lru_cache(maxsize=1)
def formula_slopes(score: ScoreFunction, sample: Pairs) -> FormulaSlopes:
    """Return the slopes of a score at some tables with the cells that a sample can have.

    >>> from indicatrix import from_confusion
    >>> from indicatrix.inference.estimators.of_evaluation import estimator_of
    >>> ev = from_confusion([[8, 2], [1, 9]])
    >>> recall = estimator_of(ev, ev.score("recall").measure, ev.score("recall"), None)
    >>> slopes = formula_slopes(recall.score, recall.sample).slopes[0]
    >>> slopes.round(6)[0].tolist()  # those of true negatives and false positives
    [0.0, 0.0, 0.0]
    """
    possible = sample.table > 0
    known = slice(None, -1 if len(possible) > 2 else None)  # of a single class, examples are wrong if they have no class
    possible[known, known] = True  # of several, examples without a class on one side count only if there are some
    absent = b"" if score.absent is None else score.absent.tobytes()
    masks = (score.unit_of.astype(np.int64).tobytes(), score.kept.tobytes(), absent, possible.tobytes())
    return _slopes(_Question((score.measure, score.rule, score.stand_in, *masks), score, possible))


@lru_cache(maxsize=256)
def _slopes(question: _Question) -> FormulaSlopes:
    score, possible = question.score, question.possible
    tables = _tables(len(possible)) * possible
    counts = counts_of_tables(tables)
    with quiet():
        slopes = Pairs(tables).influence(score.spread(score.slopes(counts)))
        return FormulaSlopes(tables, score(counts), np.where(possible, slopes, 0.0), possible)


def table_slopes(function: TableFunction, occurs: Mask, points: int) -> FormulaSlopes | None:
    """Return the slopes of a function of the matrix at some tables; None if it has kinks."""
    m = len(occurs)
    possible = np.zeros((m + 1, m + 1), bool)
    possible[:-1, :-1] = occurs[:, None]
    tables = _tables(m + 1)[:points] * possible
    found = [function.gradient(table) for table in tables]
    if any(near.kinks for near in found):
        return None
    return FormulaSlopes(tables, np.array([near.value for near in found]), np.stack([near.cells for near in found]), possible)


@lru_cache(maxsize=8)
def _tables(m: int) -> Array:
    """Return tables without any regularity, but with more examples that are right."""
    tables = np.random.default_rng(m).uniform(1.0, 9.0, (POINTS, m, m))
    tables[:, range(m), range(m)] *= m
    return tables
