"""Whether groups differ by more than chance explains: a test of all, and the distance of each.

A score between two bounds has the precision of a share of this many examples, its effective size; Wilson's interval tells it.
The test is Pearson's chi-square test of equal shares at these sizes, whose variance is that of the truth under test: it keeps
its size near 0 and 1, where a test with the variance of each group does not. Scores without bounds are weighted by the inverse
of their variances (Cochran's Q), ratios from 0 to infinity on the log scale.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...algebra.arrays import Array, quiet
from ...words.call_mistakes import answers_mistakes
from ...words.wording import number_of
from ..intervals.interval import Interval
from ..stats.quantiles import normal
from ..stats.tails import chi_square_tail
from ..stats.wording import p_text

FISHER, FEW_EXPECTED = "Fisher mid-p", 5.0  # the exact test, and the expected count below which two groups have it
NEARLY_ONE = 1.005  # a correction that moves no digit that is shown is not named
LEVEL = 0.95  # of the intervals from which sizes are recovered


@answers_mistakes
@dataclass(frozen=True)
class GroupTest:
    """A test of whether all groups have the same true value.

    Attributes
    ----------
    statistic : float
        How far the groups are from their common value: about ``freedom`` if they do not differ.
    freedom : float
        The number of compared groups, less one.
    p_value : float
        How often groups that do not differ are at least as far apart.
    method : str
        "chi-square" for scores between two bounds, "Fisher mid-p" for shares of two groups with few examples, "Cochran's Q" for
        others.
    correction : str
        How the reference distribution was corrected; "" if it was not.
    """

    statistic: float
    freedom: int
    p_value: float
    method: str
    correction: str = ""  # of the reference distribution, so that the p-value is not that of the statistic alone

    def __str__(self) -> str:
        if self.method == FISHER:
            return f"{FISHER}, {p_text(self.p_value)}"
        freedom = f"{number_of(self.freedom, 'degree')} of freedom{self.correction and f' ({self.correction})'}"
        return f"{self.method} {self.statistic:.2f} with {freedom}, {p_text(self.p_value)}"


@dataclass(frozen=True, eq=False)
class Precision:
    """The values of the groups that are compared, and how precise each is."""

    values: Array  # in 0..1 if bounded; logarithms or plain numbers if not
    sizes: Array  # how many examples a share as precise has if bounded; the inverse of the variance if not
    bounded: bool
    counted: bool = False  # the values are shares of counted examples

    def test(self) -> GroupTest:
        """Return the test of equal values; the groups are at least two."""
        k, total = len(self.values), float(self.sizes.sum())
        mean = float(self.sizes @ self.values) / total
        squares, freedom = float(self.sizes @ (self.values - mean) ** 2), k - 1
        if not self.bounded:
            return GroupTest(squares, freedom, chi_square_tail(squares, freedom), "Cochran's Q")
        unit = mean * (1 - mean)
        if unit <= 0 or squares <= 0:
            return GroupTest(0.0, freedom, 1.0, "chi-square")
        expected = np.outer(self.sizes / total, (total * mean, total * (1 - mean)))
        if self.counted and k == 2 and expected.min() < FEW_EXPECTED:
            hits = np.rint(self.sizes * self.values).astype(int)
            return GroupTest(squares / unit, freedom, fisher_mid_p(hits, np.rint(self.sizes).astype(int)), FISHER)
        # Small groups next to large ones make the statistic more variable than chi-square: the reference has its variance.
        stretch = 1 + (1 / unit - 6) * (float((1 / self.sizes).sum()) - k * k / total) / (2 * freedom)
        stretch = max(stretch, 1.0)
        p = chi_square_tail(squares / unit / stretch, freedom / stretch)
        return GroupTest(squares / unit, freedom, p, "chi-square", "corrected for small groups" if stretch > NEARLY_ONE else "")

    def distances(self) -> Array:
        """Return how far each group is from all others together, in standard errors.

        Shares of counted examples have the correction for continuity, which does not overrate small groups.
        """
        n, total = self.sizes, self.sizes.sum()
        sums = n * self.values
        with quiet():
            apart = self.values - (sums.sum() - sums) / (total - n)
        return self._standardize(apart, n, total - n, sums.sum() / total)

    def between_pairs(self) -> Array:
        """Return how far each group (row) is from each other group (column), in standard errors."""
        n, sums = self.sizes, self.sizes * self.values
        with quiet():
            mean = (sums[:, None] + sums) / (n[:, None] + n)
        return self._standardize(self.values[:, None] - self.values, n[:, None], n, mean)

    def _standardize(self, apart: Array, n: Array, others: Array, mean: Array) -> Array:
        with quiet():
            inverse = 1 / n + 1 / others
            size = np.maximum(np.abs(apart) - inverse / 2, 0) if self.counted else np.abs(apart)
            size = size / np.sqrt(inverse * (mean * (1 - mean) if self.bounded else 1.0))
        return np.where(np.isfinite(size), np.copysign(size, apart), 0.0)


def of_shares(hits: Array, sizes: Array) -> Precision:
    """Return the precision of shares of counted examples; those of nothing are undefined."""
    with quiet():
        return Precision(hits / sizes, sizes, bounded=True, counted=True)


def of_intervals(intervals: Sequence[Interval], span: tuple[float, float]) -> Precision:
    """Return the precision of scores from their intervals at ``LEVEL``.

    Between two bounds, Wilson's interval has one center and one size for its two ends. This holds for the score interval, too,
    and takes up its t quantile and its correction of bias.
    """
    low, high = (np.array([getattr(i, end) for i in intervals]) for end in ("low", "high"))
    z = normal(LEVEL)
    if np.isfinite(span).all():
        a, b = ((x - span[0]) / (span[1] - span[0]) for x in (low, high))
        hits, misses = np.sqrt(a * b), np.sqrt((1 - a) * (1 - b))
        both = hits + misses
        with quiet():
            return Precision(hits / both, z * z * both**2 / (1 - both**2), bounded=True)
    if all(i.method == "log" for i in intervals):
        with quiet():
            a, b = np.log(low), np.log(high)
            return Precision((a + b) / 2, (2 * z / (b - a)) ** 2, bounded=False)
    with quiet():
        return Precision(np.array([i.value for i in intervals]), (2 * z / (high - low)) ** 2, bounded=False)


def fisher_mid_p(hits: Array, sizes: Array) -> float:
    """Return the p-value of Fisher's exact test of two shares, with half of what is as likely (mid-p).

    >>> round(fisher_mid_p(np.array([1, 0]), np.array([1, 8])), 4)
    0.0556
    """
    (a, _), (n, m) = hits.tolist(), sizes.tolist()
    total = int(hits.sum())
    logs = np.array([_log_choose(n, k) + _log_choose(m, total - k) for k in range(max(0, total - m), min(n, total) + 1)])
    shares = np.exp(logs - logs.max())
    seen = shares[a - max(0, total - m)]
    as_likely = np.abs(shares - seen) <= 1e-9 * seen
    return float((shares[(shares < seen) & ~as_likely].sum() + shares[as_likely].sum() / 2) / shares.sum())


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def square_and_add(high: Interval, low: Interval) -> tuple[float, float]:
    """Return the ends of an interval for the difference of two independent scores.

    The distances of each value from its own ends are squared and added, as Newcombe does with those of Wilson's
    interval, so that it is honest at 0 and 1.
    """
    apart = high.value - low.value
    down = math.hypot(high.value - high.low, low.high - low.value)
    up = math.hypot(high.high - high.value, low.value - low.low)
    return apart - down, apart + up
