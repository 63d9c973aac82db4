"""Scores that are plain shares: k of n independent examples.

The slopes of a score at tables without any regularity tell it: what they show holds for the formula. With weights, n is the
effective number of the examples that the share is over. Others do not matter, whatever their weights.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from ...algebra.arrays import Array, Mask, quiet
from ..sampling.samples import Pairs, counts_of_tables
from ..sampling.score_function import ScoreFunction
from ..sampling.table_function import TableFunction
from .estimators import Estimator, OfCounts
from .of_weights import OfMean

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
