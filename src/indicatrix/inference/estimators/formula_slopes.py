"""The slopes of a score at tables without any regularity: what they show holds for the formula."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from ...algebra.arrays import Array, Mask, quiet
from ..sampling.samples import Pairs, counts_of_tables
from ..sampling.score_function import ScoreFunction
from ..sampling.table_function import TableFunction

POINTS = 3  # tables at which the slopes are looked at: what holds there by chance does not hold at the next
ALMOST = 1e-6  # of the largest slope: smaller ones are rounding


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
