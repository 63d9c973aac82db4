"""The mean over folds and its standard error, corrected for training sets that overlap."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...tally.tally import REPEAT
from ..stats.proportions import Ends
from ..stats.quantiles import student, student_below

SAME = 1e-12  # numbers that differ by less count as equal
MOST_FOLDS = 20  # of one cross-validation, if nothing says that they are not repeated


@dataclass(frozen=True)
class FoldMean:
    """The mean of the numbers of folds, their spread, and the share of the data that one fold tests."""

    mean: float
    deviation: float  # between the folds; nan for fewer than two numbers
    count: int
    test_share: float  # 0: as if the folds were independent
    examples: bool = False  # whether the deviation is the standard error itself, from very many examples

    @staticmethod
    def of(values: Any, test_share: float) -> FoldMean:
        """Return the mean and the spread of some numbers."""
        given = np.asarray(values, np.float64)
        mean = float(given.mean()) if len(given) else math.nan
        deviation = float(given.std(ddof=1)) if len(given) > 1 else math.nan
        if deviation <= SAME * float(np.abs(given).max(initial=1.0)):
            deviation = 0.0  # what is left is rounding
        return FoldMean(mean, deviation, len(given), test_share)

    @property
    def freedom(self) -> float:
        """The degrees of freedom."""
        return math.inf if self.examples else self.count - 1

    @property
    def error(self) -> float:
        """The standard error: to the variance s²/J, s² n_test/n_train is added (Nadeau and Bengio 2003)."""
        if not self.count:
            return math.nan
        return self.deviation * math.sqrt(1 / self.count + self.test_share / (1 - self.test_share))

    @property
    def spreads(self) -> bool:
        """Whether the numbers differ at all, without which nothing can be said about chance."""
        return math.isfinite(self.error) and self.error > 0

    @property
    def statistic(self) -> float:
        """The mean in standard errors; nan if the numbers do not differ."""
        return self.mean / self.error if self.spreads else math.nan

    @property
    def p(self) -> float:
        """How often a mean as far from 0 is seen if the true mean is 0."""
        return 2 * student_below(-abs(self.statistic), self.freedom) if self.spreads else math.nan

    def ends(self, level: float) -> Ends:
        """Return the interval of the true mean; nan if the numbers do not differ."""
        if not self.spreads:
            return math.nan, math.nan
        half = student(level, self.freedom) * self.error
        return self.mean - half, self.mean + half

    def probability_above(self, limit: float) -> float:
        """Return the posterior probability, from a flat prior, that the true mean is above a number."""
        return student_below((self.mean - limit) / self.error, self.freedom) if self.spreads else math.nan

    def probability_below(self, limit: float) -> float:
        """Return the posterior probability that the true mean is below a number."""
        return student_below((limit - self.mean) / self.error, self.freedom) if self.spreads else math.nan


def share_of_one_fold(test_share: float | None, folds: int, repeats: int | None = None) -> float:
    """Return the share of the data that one fold tests on: as given, or one over the folds of one repeat.

    More folds than one cross-validation usually has are refused if nothing says whether they are repeated: ten times 10 folds
    taken for 100 folds make a test reject eight times too often.
    """
    if test_share is not None and repeats is not None:
        raise ValueError("Give repeats= or test_share=, not both: repeats=10 of 100 folds is test_share=0.1.")
    if repeats is not None:
        whole = isinstance(repeats, int | np.integer) and not isinstance(repeats, bool) and repeats >= 1
        if not whole or folds % repeats or (folds > 1 and folds // repeats < 2):
            raise ValueError(
                f"repeats={repeats!r} must be how often the data were split into folds, so that {folds} scores are as many folds "
                "in each repeat: 10 for ten times 10 folds, 1 for folds that are not repeated."
            )
        return float(repeats / folds) if folds > 1 else math.nan
    if test_share is None:
        if folds > MOST_FOLDS:
            raise ValueError(
                f"There are {folds} folds, and nothing says whether they are repeated, on which the variance depends. Give "
                "repeats=10 for ten times as many folds, repeats=1 for one cross-validation, or test_share=0.2 for random "
                "splits that test on 20% of the data; what ix.cross_validate returns knows it."
            )
        return 1 / folds if folds > 1 else math.nan
    if isinstance(test_share, bool) or not isinstance(test_share, int | float) or not 0 < test_share < 1:
        raise ValueError(
            f"test_share={test_share!r} must be the share of the data that is tested on at a time: 0.1 for 10 folds, also if "
            "they are repeated, or 0.2 for random splits into 80% and 20%."
        )
    return float(test_share)


def known_repeats(given: Any) -> int | None:
    """Return how often folds are repeated, as an axis "repeat" says; None without one."""
    parts = getattr(given, "parts", (given,))
    names = {unit for part in parts if REPEAT in getattr(part, "axes", ()) for unit in part.tally.sizes_of(REPEAT)}
    return len(names) or None
