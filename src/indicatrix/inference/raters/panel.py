"""A judge against a panel of raters: whether it is within their range, and could replace one of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.sums import sums
from ...algebra.wilson import check_level
from ...words.call_mistakes import answers_mistakes
from ..stats.quantiles import student_below
from ..stats.several_tests import benjamini_hochberg
from .coefficients import note_on_pairs
from .ratings import Ratings

# The facts about .winning_rate, which laws and the bibliography read as those of every quantity.
WINNING_RATE = sums("winning_rate", "higher", (0, 1), "calderon2025")


@answers_mistakes
@dataclass(frozen=True)
class AgainstPanel:
    """How a judge agrees with the raters of a panel, next to how these agree with each other.

    Attributes
    ----------
    values : dict
        The agreement of the judge with each rater.
    panel : dict
        The mean agreement of each rater with the other raters, where it is defined.
    advantage : dict
        For each rater the share of items on which the judge agrees at least as often with the other raters.
    p_values : dict
        For each rater the adjusted p-value of the alternative-annotator test; nan with fewer than two items.
    epsilon : float
        How much more often a rater may win.
    level : float
        The share of false wins that is allowed among wins.
    note : str
        How many pairs of raters, or of the judge and a rater, have no agreement and are left out of the means.
    """

    values: dict[Any, float]
    panel: dict[Any, float]
    advantage: dict[Any, float]
    p_values: dict[Any, float]
    epsilon: float
    level: float
    note: str = ""

    @property
    def mean(self) -> float:
        """The mean agreement of the judge with the raters, where it is defined."""
        return _mean_of_known(self.values.values())

    @property
    def within(self) -> bool:
        """Whether that mean is at least the lowest of the raters' own: the judge could be one of them."""
        return self.mean >= min((x for x in self.panel.values() if x == x), default=math.nan)

    @property
    def winning_rate(self) -> float:
        """The share of raters against whom the judge wins the test."""
        return float(np.mean([p < self.level for p in self.p_values.values()]))

    @property
    def replaces(self) -> bool:
        """Whether it wins against at least half of the raters (Calderon, Reichart and Dror 2025)."""
        return self.winning_rate >= 0.5


def compare_with_panel(
    both: Ratings, raters: tuple[Any, ...], pairs: dict[tuple[Any, Any], float], epsilon: float, level: float
) -> AgainstPanel:
    """Return the comparison, from ratings whose last column is the judge's, and agreements of columns."""
    check_level(level)
    if not 0 <= epsilon < 1:
        raise ValueError(f"epsilon={epsilon!r} must be at least 0 and below 1, such as 0.2.")
    places, judge = range(len(raters)), both.raters[-1]
    panel = {raters[j]: _mean_of_known(v for pair, v in pairs.items() if j in pair and judge not in pair) for j in places}
    advantages, p_values = zip(*(_against_rater(both.codes, j, float(epsilon)) for j in places), strict=True)
    # Benjamini and Yekutieli: as Benjamini and Hochberg, and times 1 + 1/2 + … + 1/k, for tests that depend on each other.
    known = sum(p == p for p in p_values)
    adjusted = np.minimum(benjamini_hochberg(p_values) * sum(1 / k for k in range(1, known + 1)), 1.0)
    values = {raters[j]: pairs[j, judge] for j in places}
    shares, ps = (dict(zip(raters, map(float, some), strict=True)) for some in (advantages, adjusted))
    return AgainstPanel(values, panel, shares, ps, epsilon, level, note_on_pairs([*pairs.values()]))


def _mean_of_known(values: Iterable[float]) -> float:
    """Return the mean of the values that are defined; nan if none is."""
    known = [x for x in values if x == x]
    return float(np.mean(known)) if known else math.nan


def _against_rater(codes: Array, rater: int, epsilon: float) -> tuple[float, float]:
    """Return how often the judge is at least as near to the others as this rater, with the p-value."""
    others = np.delete(codes[:, :-1], rater, axis=1)
    own, judge = codes[:, rater], codes[:, -1]
    used = (own >= 0) & (judge >= 0) & (others >= 0).any(axis=1)
    own, judge, others = own[used], judge[used], others[used]
    n, of_rater, of_judge = len(own), (others == own[:, None]).sum(axis=1), (others == judge[:, None]).sum(axis=1)
    if n < 2:
        return math.nan, math.nan
    apart = (of_rater >= of_judge).astype(float) - (of_judge >= of_rater)
    spread = float(apart.std(ddof=1)) / math.sqrt(n)
    behind = float(apart.mean()) - epsilon  # of the judge; below 0 it wins
    p = student_below(behind / spread, n - 1) if spread else float(behind >= 0)
    return float((of_judge >= of_rater).mean()), p
