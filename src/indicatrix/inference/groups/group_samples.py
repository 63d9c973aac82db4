"""The scores of groups as independent samples: their intervals, and how precise each is.

Whether groups differ by more than chance explains: a test of all, and the distance of each.

A score between two bounds has the precision of a share of this many examples, its effective size; Wilson's interval tells it.
The test is Pearson's chi-square test of equal shares at these sizes, whose variance is that of the truth under test: it keeps
its size near 0 and 1, where a test with the variance of each group does not. Scores without bounds are weighted by the inverse
of their variances (Cochran's Q), ratios from 0 to infinity on the log scale.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from ...algebra.arrays import Array, as_weight, quiet
from ...algebra.average import BINARY, find_average
from ...algebra.counts import Counts
from ...algebra.totals import is_total
from ...algebra.values import Values
from ...tally.corrected.corrected import known_tally
from ...tally.corrected.fitted_labels import covariance_of
from ...tally.states.group_counts import CrossTable
from ...theory.formula.measure_notes import is_share
from ...words.call_mistakes import answers_mistakes
from ...words.wording import number_of
from ..estimators.clustered import check_tested_once, tested_again
from ..estimators.of_corrected import OfCorrected
from ..estimators.of_evaluation import common_weight, counts_examples, estimator_of
from ..estimators.rates import rates_of, variance_at_rates
from ..estimators.score_interval import Center
from ..intervals.few_examples import NOTHING_COVERS
from ..intervals.interval import Interval
from ..intervals.of_score import interval
from ..stats.proportions import PROPORTIONS
from ..stats.quantiles import chi_square_tail, normal
from ..stats.several_tests import p_text

PER_EXAMPLE = ((1, 0, 1, 0), (1, 1, 0, 0))  # the sums to which an example with one true and one predicted class adds once


@dataclass(frozen=True, eq=False)
class SampledGroups:
    """One score of each group of an axis, and where it comes from."""

    source: Any  # the evaluation
    axis: str
    measure: Any
    average: Any
    values: Values
    counts: Counts
    _made: dict[tuple[float, int], Interval] = field(default_factory=dict)  # a text needs each interval several times
    _alike: dict[tuple[float, bytes], Interval] = field(default_factory=dict)  # many small groups have the same few counts

    def intervals(self, level: float, groups: Iterable[int]) -> list[Interval]:
        """Return the intervals of some groups, by number; a score without one is an error that says why."""
        return [self._made.get((level, i)) or self._made.setdefault((level, i), self._interval(level, i)) for i in groups]

    def _interval(self, level: float, group: int) -> Interval:
        if self.shares is not None:
            check_tested_once(self.part(group))
            return self._of_share(level, group, *(float(x[group]) for x in self.shares))
        part = self.part(group)
        key = _what_tells(part)
        if key is None or (level, key) not in self._alike:
            found = interval(part, self.measure, self.average, level=level)
            return found if key is None else self._alike.setdefault((level, key), found)
        return self._alike[level, key]

    def _of_share(self, level: float, group: int, hits: float, of: float) -> Interval:
        if not of:
            return Interval(math.nan, math.nan, math.nan, level, "none", "", self.measure, self.average)
        low, high = PROPORTIONS["mid_p"](hits, of, level)
        note = f"{self.measure} is over {of:.6g} {'example' if of == 1 else 'examples'}"
        note = f"{note}: with fewer than {NOTHING_COVERS}, no interval is reliable." if of < NOTHING_COVERS else ""
        return Interval(float(self.values[group]), low, high, level, "mid_p", note, self.measure, self.average)

    def span(self, some: Iterable[Interval]) -> tuple[float, float]:
        """Return the range that the measure declares; all numbers, if a value lies outside."""
        low, high = map(float, self.measure.range)
        return (low, high) if all(low <= i.low and i.high <= high for i in some) else (-math.inf, math.inf)

    @cached_property
    def _parts(self) -> dict[Any, Any]:
        return dict(self.source.split(self.axis))

    @property
    def is_total(self) -> bool:
        """Whether the score grows with the number of examples; a mean over examples does not."""
        over_examples = isinstance(self.average, str) and "example" in find_average(self.average).per
        return is_total(self.measure) and not over_examples

    def part(self, group: int) -> Any:
        """Return the evaluation of one group, by number."""
        return self._parts[self.values.names[group]]

    @cached_property
    def shares(self) -> tuple[Array, Array] | None:
        """How many of how many independent examples of each group; None for other scores."""
        if not is_share(self.measure) or not counts_examples(self.source):
            return None  # sums of memberships or costs are not numbers of examples
        whole = all(np.asarray(x).dtype.kind in "iu" for x in self.counts)
        weight = 1 if whole else common_weight(self.source.tally)
        if weight is None:
            return None  # nor are sums of weights that differ
        top, bottom = self.measure.decomposition
        one_each = isinstance(self.source.tally.pooled, CrossTable) and tuple(bottom) in PER_EXAMPLE
        pools = isinstance(self.average, str) and find_average(self.average).pools
        if self.average != BINARY and not (pools and one_each):
            return None  # an example adds to the counts of several classes
        four = np.stack([as_weight(x) for x in self.counts])
        four = four if whole else np.rint(four / float(weight))
        hits, of = (np.array(side, np.float64) @ four for side in (top, bottom))
        return hits, of

    def _of_rates(self, known: list[int]) -> Precision | None:
        """Return the precision of functions of the rates of separate true classes; None for other scores.

        If the groups do not differ, each has the rates of all together, and the variance that these have with its own numbers of
        examples. The variance of the group itself is too small where none of its few examples is wrong.
        """
        if not self.measure.reads.in_counts or not np.isfinite(np.array(self.measure.range, np.float64)).all():
            return None
        try:
            whole, *parts = (
                estimator_of(part, self.measure, part.score(self.measure, self.average), None)
                for part in (self.source, *(self.part(i) for i in known))
            )
        except ValueError:
            return None
        if rates_of(whole) is None or not all(rates_of(part) is not None for part in parts):
            return None
        spreads = np.array([variance_at_rates(part, whole) for part in parts])
        return Precision(np.asarray(self.values)[known], 1 / spreads, bounded=False) if (spreads > 0).all() else None

    @cached_property
    def own_parts(self) -> dict[int, Center] | None:
        """What the score of each group has beyond what it shares with the others.

        None: the groups are independent samples.

        Corrected labels of all groups come from the same labeled rows, which move their scores together.
        """
        tally = self.source.tally
        if not tally.corrected or not self.measure.reads.in_counts or known_tally(tally) is not None:
            return None
        known = [i for i, x in enumerate(self.values.tolist()) if math.isfinite(x)]
        near = []
        for i in known:
            part = self.part(i)
            found = estimator_of(part, self.measure, part.score(self.measure, self.average), None)
            assert isinstance(found, OfCorrected)
            near.append(found.near)
        together = covariance_of([one.samples(None) for one in near])
        shared = (together.sum() - together.trace()) / max(len(near) * (len(near) - 1), 1)
        own = np.maximum(together.diagonal() - max(shared, 0.0), 0.0) + [x.extra for x in near]
        return {i: Center(x.value, x.smoothed, float(v)) for i, x, v in zip(known, near, own, strict=True)}

    def apart(self, level: float, groups: Iterable[int]) -> list[Interval]:
        """Return intervals of some groups to compare them by: what all groups share is left out of them."""
        found = self.intervals(level, groups := [*groups])
        if self.own_parts is None:
            return found
        span = self.span(found)
        ends = [
            self.own_parts[i].ends(span, level) if i in self.own_parts else (x.low, x.high)
            for i, x in zip(groups, found, strict=True)
        ]
        return [replace(x, low=min(low, x.value), high=max(high, x.value)) for x, (low, high) in zip(found, ends, strict=True)]

    @cached_property
    def precision(self) -> tuple[Precision | None, Array, str]:
        """The compared groups with their precision, their numbers, and why they cannot be compared, if so."""
        nothing, tally = np.zeros(0, np.intp), self.source.tally
        if tally.distinct < tally.n:
            return None, nothing, tested_again(tally.distinct, tally.n).rstrip(".")
        known = [i for i, x in enumerate(self.values.tolist()) if math.isfinite(x)]
        if len(known) < 2:
            return None, nothing, "fewer than two groups have a value"
        if self.shares is not None:
            hits, of = (x[known] for x in self.shares)
            return of_shares(hits, of), np.array(known), ""
        try:
            if (parts := self.own_parts) is not None:
                sizes = 1 / np.maximum([parts[i].spread for i in known], np.finfo(float).tiny)
                return Precision(np.asarray(self.values)[known], sizes, bounded=False), np.array(known), ""
        except ValueError as reason:
            return None, nothing, str(reason).rstrip(".")
        if (own := self._of_rates(known)) is not None:
            return own, np.array(known), ""
        try:
            some = self.intervals(LEVEL, known)
        except ValueError as reason:
            return None, nothing, str(reason).rstrip(".")
        precision = of_intervals(some, self.span(some))
        here = np.isfinite(precision.values) & np.isfinite(precision.sizes) & (precision.sizes > 0)
        if here.sum() < 2:
            return None, nothing, "fewer than two groups have an interval that tells how precise the score is"
        return Precision(precision.values[here], precision.sizes[here], precision.bounded), np.array(known)[here], ""


def _what_tells(part: Any) -> bytes | None:
    """Return a digest of all that the interval of a group reads.

    None if that is more than a table of counts.
    """
    table = part.tally.pooled
    if not isinstance(table, CrossTable) or table.table.dtype == object or part.tally.squares is not None or part.tally.by:
        return None
    seen = f"{part.n} {table.masked} {table.table.dtype.str}".encode()
    return blake2b(table.table.tobytes() + seen, digest_size=16).digest()


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
