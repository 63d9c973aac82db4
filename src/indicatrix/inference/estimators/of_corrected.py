"""A score of corrected rows as an estimator.

What each row adds along its slopes, its part in the correction included.

The interval is Wilson's at the effective size of that variance, as for any bounded score. The pseudo-example weighs as much as a
row that has a gold label: a perfect score on few gold labels is not certain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.average import BINARY, find_average
from ...algebra.measure import Measure
from ...algebra.score import Score
from ...catalogue.matrix_measures import for_source
from ...tally.corrected.corrected import LOST, Corrected
from ...tally.corrected.fitted_labels import Apart, covariance_of
from ..sampling.draw_weights import Draw
from ..sampling.samples import HALF, IndependentEntries, Pairs, Pseudo, chunk_sizes
from ..sampling.score_function import ScoreFunction, TableFunction, is_smooth, score_function, span_of, units_of_classes
from .estimators import Estimator, Span
from .of_weights import scores_of_groups, values_of_pairs, values_of_rows
from .score_interval import Center

FEW = 2.0  # examples that tell as much as all rows and the pseudo-example, where hardly anything is known
NOTHING = 1e-12  # of the square of a variance: how far it varies if all rows add the same
INSIDE = 1e-6  # of the range: how close to its ends a smoothed score may be


@dataclass(frozen=True, eq=False)
class Linear:
    """A score as a sum over rows, near the sample: what each row adds, and what a pseudo-example does."""

    value: float
    smoothed: float  # with the pseudo-example
    added: Array  # by each row
    times: Array  # how often each row occurs
    apart: Apart  # the same of other samples that the correction used
    extra: float  # the variance of the pseudo-example

    def variance(self, clusters: Array | None = None) -> float:
        """Return the variance of the score without the pseudo-example, of single rows or of clusters of them."""
        return max(float(covariance_of([self.samples(clusters)])[0, 0]), 0.0)

    def freedom(self, clusters: Array | None = None, *, told: bool = False) -> float:
        """Return the degrees of freedom of that variance: Satterthwaite's, from how far it varies itself.

        Where few rows carry the variance, as gold rows of a rare class do, there are few, whatever the number of rows. ``told``:
        beyond what the score tells of it, as Wilson's interval knows; of rows that count alike that is nearly all.
        """
        spread = fourth = 0.0
        for added, times in self.samples(clusters):
            n = max(float(times.sum()), 1.0)
            far = added - times @ added / n
            square = float(times @ far**2)
            third = float(times @ far**3) ** 2 / square if told and square > 0 else 0.0
            spread, fourth = spread + square, fourth + float(times @ far**4) - square**2 / n - third
        return max(2 * spread**2 / fourth, 1.0) if fourth > NOTHING * spread**2 else math.inf

    def drawn(self, draw: Draw, draws: int, clusters: Array | None = None) -> Array:
        """Return the scores of replicates: what rows or clusters add, each as often as it is drawn."""
        scores = np.full(draws, self.value)
        for added, times in self.samples(clusters):
            found = [draw(times, None, some) @ added for some in chunk_sizes(draws, len(times))]
            scores += np.concatenate(found) - times @ added
        return scores

    def samples(self, clusters: Array | None) -> Apart:
        """Return each sample that varies by itself: what its rows or clusters add, and how often they occur."""
        if clusters is None:
            return [(self.added, self.times), *self.apart]
        sums = np.bincount(clusters, self.times * self.added)
        return [(sums, np.ones(len(sums))), *self.apart]


def combined(some: Sequence[Linear], shares: Sequence[float]) -> Linear:
    """Return a weighted sum of scores of the same rows."""

    def total(each: Iterable[Any]) -> Any:
        return sum(share * own for share, own in zip(shares, each, strict=True))

    value, smoothed, added = (total(getattr(one, name) for one in some) for name in ("value", "smoothed", "added"))
    apart = [(total(own for own, _ in each), each[0][1]) for each in zip(*(one.apart for one in some), strict=True)]
    extra = total(share * one.extra for share, one in zip(shares, some, strict=True))
    return Linear(value, smoothed, added, some[0].times, apart, extra)


class CenterOfFew(Center):
    """The center of a score of which all rows may tell hardly more than the pseudo-example.

    Where both together tell as much as two examples or fewer, the score may as well be that with the pseudo-example.
    """

    def between(self, span: Span, quantile: float) -> Span:
        """Return ends so many standard deviations away; of few examples, those of both scores."""
        low, high = super().between(span, quantile)
        if not FEW * self.spread > (self.smoothed - span[0]) * (span[1] - self.smoothed):
            return low, high
        least, most = Center(self.smoothed, self.smoothed, self.spread).between(span, quantile)
        return min(low, least), max(high, most)


@dataclass(frozen=True, eq=False)
class OfCorrected(Estimator):
    """A score of corrected rows."""

    corrected: Corrected
    make: Callable[[Corrected], Linear]  # the score near its sample, of these rows under any correction
    span: Span
    clusters: Array | None = None  # the number of the cluster of each row
    smooth: bool = True

    @cached_property
    def near(self) -> Linear:
        """The score near its sample."""
        return self.make(self.corrected)

    @property
    def value(self) -> float:
        """The score of the sample."""
        return self.near.value

    @property
    def usual(self) -> str:  # type: ignore[override]
        """The method of intervals that covers best."""
        return "score" if np.isfinite(self.span).all() else "delta"

    @property
    def freedom(self) -> float:
        """How many clusters were sampled, less one; for single rows it does not matter."""
        return math.inf if self.clusters is None else max(len(np.unique(self.clusters[self.corrected.counted > 0])) - 1.0, 1.0)

    def center(self) -> Center:
        """Return what its score interval is made of."""
        near, (low, high), smoothed = self.near, self.span, self.near.smoothed
        if math.isfinite(low) and math.isfinite(high):  # corrected counts may lead a score out of its range
            smoothed = min(max(smoothed, low + INSIDE * (high - low)), high - INSIDE * (high - low))
        rows, freedom = self.corrected.rows, self.freedom
        if 0 < rows.gold < rows.n and (self.clusters is not None or not self.corrected.method.counts_alike(rows)):
            freedom = min(freedom, near.freedom(self.clusters, told=True))
        return CenterOfFew(near.value if math.isfinite(near.value) else smoothed, smoothed, self.spread, freedom)

    @property
    def spread(self) -> float:
        """The variance with the pseudo-example."""
        return self.variance() + self.near.extra

    def variance(self) -> float:
        """Return the variance by the delta method."""
        return self.near.variance(self.clusters)

    def replicates(self, draw: Draw, draws: int, stratified: bool) -> tuple[Array, Array]:
        """Return the scores of replicates: what rows add, each as often as it is drawn."""
        if stratified:
            raise ValueError("Rows without a gold label have no known class, so they cannot be drawn class by class.")
        return self.near.drawn(draw, draws, self.clusters), np.full(draws, np.nan)

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws around the score, as its variance is."""
        return rng.normal(self.near.smoothed, math.sqrt(self.spread), draws)

    def without_each(self) -> tuple[Array, Array]:
        """Return the scores without each row or cluster, and how often it occurs.

        Those of other samples are included.
        """
        added, times = (np.concatenate(some) for some in zip(*self.near.samples(self.clusters), strict=True))
        return self.value - added, times.astype(np.float64)

    def under(self, method: Any) -> OfCorrected:
        """Return the same score of the same rows, corrected by another method."""
        return replace(self, corrected=Corrected(self.corrected.rows, method, self.corrected.inside))


def estimator_of_corrected(ev: Any, measure: Measure, score: Score, clusters: str | None) -> OfCorrected:
    """Return a score of an evaluation that was corrected, with what each row adds.

    One that was changed since is refused.
    """
    rows = ev.tally.corrected
    if isinstance(rows, str):
        raise ValueError(f"There is no interval for this score: {LOST[rows]}. Evaluate the rows in question for it.")
    if ev.tally.by_class:
        raise ValueError(
            "There is no interval for this score: sampled='by class' says that the number of rows of each true class was chosen, "
            "and here the truth of most rows is not known. Leave sampled= out."
        )
    name, span = score.average, span_of(measure, math.nan)
    estimator = partial(OfCorrected, rows, clusters=None if clusters is None else rows.rows.group_of(clusters))
    if isinstance(name, tuple) or name in ev.tally.by:
        make, smooth = _of_groups(ev, measure, score)
        return estimator(make, span, smooth=smooth)
    if not measure.reads.in_counts:
        ready = for_source(measure, ev)
        function = TableFunction(ready)
        limits = ready.facts.limits
        span = ready.range if limits is None else limits(np.maximum(rows.table()[:-1, :-1], 0.0))
        return estimator(lambda own: _of_table(own, function), span)
    rule = find_average(name)
    if rule.per == ("example",):
        of_examples = _of_examples if rows.rows.several else _of_example_kinds
        return estimator(lambda own: of_examples(own, measure, score), span)
    if not set(rule.per) <= {"class"}:
        raise ValueError(f"average={name!r} keeps {', '.join(rule.per)}; an interval is for one axis.")
    if not is_smooth(measure):
        raise ValueError(
            "There is no interval for this score: its formula has kinks (min, max or abs), and how corrected labels vary is "
            "known along slopes only."
        )
    found = score_function(measure, rule, units_of_classes(ev, name), score.undefined, rows.cells(), score.values)
    at = ev.classes.index(ev.positive) if name == BINARY and ev.positive in ev.classes else None
    return estimator(lambda own: _of_counts(own, found, at), span)


def _pair_weights(rows: Corrected) -> Array:
    """Return the weight of the pseudo-example in each pair (truth, prediction), (m + 1) x (m + 1)."""
    typical, out = rows.fit.typical, np.full((rows.rows.m + 1,) * 2, rows.rows.typical)
    if typical is not None:
        out[: typical.shape[0], : typical.shape[1]] = typical
    return out


def _pairs(rows: Corrected) -> Pairs:
    """Return the pseudo-example of pairs of classes, half of it right and half of it wrong."""
    weights = _pair_weights(rows)
    extra = Pairs(np.zeros_like(weights)).pseudo().table
    return Pairs(extra * weights, extra * weights**2)


def _pseudo(rows: Corrected, at: int | None) -> Pseudo:
    """Return the pseudo-example of counts; of one class against the rest, where only that class is read."""
    m, typical = rows.rows.m, rows.fit.typical
    if rows.rows.several:
        own = np.full((4, m), rows.rows.typical) if typical is None else typical[[1, 0, 1, 0], [1, 1, 0, 0]]
        extra = IndependentEntries.pseudo(m).counts
        return IndependentEntries(extra * own, extra * own**2)
    return _pairs(rows) if at is None else _of_one_class(rows, at)


def _of_one_class(rows: Corrected, at: int) -> IndependentEntries:
    """Return the pseudo-example of one class against the rest."""
    weights, table = _pair_weights(rows), np.maximum(rows.table(), 0.0)
    sides, counts = np.eye(2)[(np.arange(len(weights)) != at).astype(int)].T, np.zeros((2, 4, rows.rows.m))
    mass, tops, sums, cells = (sides @ x @ sides.T for x in (table, weights * table, weights, np.ones_like(weights)))
    own = np.where(mass > 0, tops / np.where(mass > 0, mass, 1.0), sums / cells).T.ravel()  # tp, fp, fn, tn
    counts[:, :, at] = HALF / 2 * own, HALF / 2 * own**2
    return IndependentEntries(*counts)


def _of_counts(rows: Corrected, score: ScoreFunction, at: int | None) -> Linear:
    """Return a function of the counts per class near the sample."""
    extra, counts = _pseudo(rows, at), rows.cells()
    near = score.expand(counts, counts + extra.counts)
    slopes = score.spread(near.slopes[0])
    added, apart = rows.along(*rows.of_counts(slopes))
    return Linear(near.value, near.smoothed, added, rows.rows.times, apart, float(extra.square(slopes)))


def _along_pairs(rows: Corrected, slopes: Array, value: float, smoothed: float) -> Linear:
    """Return a function of the pairs of classes, with its slopes near the sample."""
    added, apart = rows.along(0.0, rows.of_pairs(slopes))
    return Linear(value, smoothed, added, rows.rows.times, apart, float((_pairs(rows).squares * slopes**2).sum()))


def _of_table(rows: Corrected, function: TableFunction) -> Linear:
    """Return a function of the confusion matrix near the sample."""
    table = rows.table()
    near = function.gradient(table + _pairs(rows).table)
    return _along_pairs(rows, near.cells, function.value(table), near.value)


def _of_example_kinds(rows: Corrected, measure: Measure, score: Score) -> Linear:
    """Return a mean over examples with one class each.

    The value of an example is that of its pair of classes.
    """
    values, table = values_of_pairs(measure, rows.rows.m, score.undefined), rows.table()
    smooth, defined = table + _pairs(rows).table, np.isfinite(values)
    with quiet():
        value, smoothed = (float((one * np.where(defined, values, 0.0)).sum() / (one * defined).sum()) for one in (table, smooth))
    slopes = np.where(defined, values - smoothed, 0.0) / (smooth * defined).sum()
    return _along_pairs(rows, slopes, value, smoothed)


def _of_examples(rows: Corrected, measure: Measure, score: Score) -> Linear:
    """Return a mean over examples with several labels.

    Gold rows move it away from what the judge's labels give.
    """
    found, mass, mean = rows.examples, rows.counted, float(score)
    size, tops = 0.0, []
    for four, often in zip(found.kinds, found.often, strict=True):
        values = values_of_rows(measure, four, score.undefined)
        defined = np.isfinite(values) & (mass > 0)
        tops.append(np.where(defined, values - mean, 0.0))
        size += float((mass * often)[defined].sum())
    added = found.weights.added(tops[1] if len(tops) > 1 else np.zeros(len(mass)), tops[0]) / size
    low, high = span_of(measure, math.nan)
    often = rows.rows.weight * found.weights.often  # a label that nobody has seen may be that of any row
    typical = float(rows.rows.times @ often**2 / (rows.rows.times @ often))
    extra, smoothed = 0.0, mean
    if math.isfinite(low) and math.isfinite(high):
        smoothed = (mean * size + typical * (low + high) / 2) / (size + typical)
        extra = HALF * ((typical / size) ** 2) * ((low - mean) ** 2 + (high - mean) ** 2)
    return Linear(mean, smoothed, added, rows.rows.times, [], extra)


def _of_groups(ev: Any, measure: Measure, score: Score) -> tuple[Callable[[Corrected], Linear], bool]:
    """Return a mean over groups, and whether it is smooth.

    It is of these groups and no others, corrected with all rows together.
    """
    some, shares = scores_of_groups(ev, measure, score)
    parts = [estimator_of_corrected(part, measure, own, None) for part, own in some]

    def mean(own: Corrected) -> Linear:
        return combined([part.make(replace(own, inside=part.corrected.inside)) for part in parts], shares.tolist())

    return mean, all(part.smooth for part in parts)
