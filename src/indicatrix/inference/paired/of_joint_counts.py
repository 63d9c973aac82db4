"""The contrast of a score from joint counts or two means over the same examples, or a reason.

Two classifiers on the same corrected rows: what each row adds to the difference of their scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import find_average
from ...algebra.measure import Measure
from ...algebra.score import Score
from ...catalogue.matrix_measures import for_source
from ...tally.corrected.judged_rows import PREDICTIONS
from ...tally.tally import MANY
from ..estimators.of_corrected import Linear, OfCorrected, combined, estimator_of_corrected
from ..estimators.of_evaluation import clusters_of, tables_of, values_in_clusters
from ..estimators.of_weights import counted_units
from ..sampling.draw_weights import Draw, gamma, multinomial
from ..sampling.samples import HALF, Pairs, chunk_sizes
from ..sampling.score_function import TableFunction, is_smooth, rate_of_total, score_function, span_of, units_of_classes
from .contrasts import Contrast, OfCells, OfGroupDifferences, OfSums
from .joint_labels import JointCells, JointLabels
from .paired_cells import Both, OfExamples, PairedSample, over_classes, score_of_labels, score_of_rows
from .resampled import LISTED, Scores, swapped_groups

Two = tuple[int, int]


@dataclass(frozen=True, eq=False)
class OfMeans(Contrast):
    """The difference of two means over the same examples, from what each example has in both.

    Of clusters, there are their means, with the weight of all their examples.
    """

    differences: Array  # of each example or cluster that counts
    weights: Array
    span: tuple[float, float]  # between which the values of an example lie
    freedom: float = math.inf
    clustered: bool = False
    right_or_wrong: bool = False  # whether the share of right examples is compared: each is right or wrong in both

    def discordant(self) -> tuple[int, int, int] | None:
        """Return how often only the first is right, only the second, and of how many.

        None if they have other values.
        """
        if not self.right_or_wrong or self.clustered or len(np.unique(self.weights)) > 1:
            return None
        return int((self.differences > 0).sum()), int((self.differences < 0).sum()), len(self.differences)

    @cached_property
    def spread(self) -> float:
        """The variance of the difference, with one more example that is as far apart as can be.

        It counts the less, the more examples show how far apart they are.
        """
        return self.variance() + (self._farthest / (len(self.differences) + 1) / (1 + self.apart)) ** 2

    @property
    def _farthest(self) -> float:
        width = self.span[1] - self.span[0]
        return width if math.isfinite(width) else float(np.abs(self.differences).max(initial=0.0))

    def variance(self) -> float:
        """Return the variance of the difference of the means."""
        shares = self.weights / self.weights.sum()
        return float(((shares * (self.differences - shares @ self.differences)) ** 2).sum()) * (1 + 1 / self.freedom)

    @property
    def apart(self) -> int:  # type: ignore[override]
        """For how many examples the two differ."""
        return int(np.count_nonzero(self.differences))

    def bootstrap(self, rng: np.random.Generator, draws: int) -> Array:
        """Return the differences in samples of examples drawn with replacement."""
        return self._drawn(multinomial(rng), draws)

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the difference: gamma weights on the examples."""
        return self._drawn(gamma(rng), draws)

    def _drawn(self, draw: Draw, draws: int) -> Array:
        once, parts = np.ones(len(self.differences)), []
        for size in chunk_sizes(draws, len(once)):
            weights = draw(once, None, size) * self.weights
            parts.append(weights @ self.differences / weights.sum(axis=1))
        return np.concatenate(parts)

    def swap(self, rng: np.random.Generator, draws: int) -> tuple[Array, Array]:
        """Return the differences after swapping the two at random in each example, and how likely each is."""
        added = (self.weights / self.weights.sum() * self.differences)[self.differences != 0]
        if self.is_listed():
            found = np.array([*product((-1.0, 1.0), repeat=len(added))]).reshape(-1, len(added)) @ added
        else:
            found = np.concatenate(
                [rng.choice((-1.0, 1.0), (size, len(added))) @ added for size in chunk_sizes(draws, len(added))]
            )
        return found, np.full(len(found), 1 / len(found))

    def is_listed(self) -> bool:
        """Return whether swapping has so few outcomes that each is listed."""
        return self.apart <= LISTED


def contrast_of_means(first: Score, second: Score, clusters: Array | None = None) -> OfMeans:
    """Return the difference of two means over the same examples, from the values that they carry.

    ``clusters`` has the number of the cluster of each example, if these were sampled.
    """
    (one, weights, here), (other, _, there) = counted_units(first), counted_units(second)
    if not np.array_equal(here, there):
        raise ValueError("the means are over different examples, because undefined values are left out")
    if clusters is None:
        if not first.measure.reads.few:
            return OfMeans(one - other, weights, first.measure.range)
        # Without McNemar's test, the variance is known with their degrees of freedom.
        right_or_wrong = bool(np.isin(one, (0, 1)).all() and np.isin(other, (0, 1)).all())
        freedom = math.inf if right_or_wrong else max(len(one) - 1.0, 1.0)
        return OfMeans(one - other, weights, first.measure.range, freedom, right_or_wrong=right_or_wrong)
    return in_clusters(clusters[here], one - other, weights, first.measure.range)


def in_clusters(number: Array, differences: Array, weights: Array, span: tuple[float, float]) -> OfMeans:
    """Return the difference of two means over examples that were sampled in clusters."""
    whole, part = np.bincount(number, weights), np.bincount(number, weights * differences)
    seen = whole > 0
    return OfMeans(part[seen] / whole[seen], whole[seen], span, freedom=max(float(seen.sum()) - 1, 1.0), clustered=True)


def contrast_of(
    counts: JointLabels | JointCells,
    two: Two,
    evaluations: tuple[Any, Any],
    measure: Measure,
    scores: tuple[Score, Score],
    known: dict[int, Any] | None = None,
) -> OfCells | OfSums:
    """Return the contrast of a score between two classifiers; a ValueError says why it cannot be tested.

    ``known`` has what was made of scores, which every pair of a classifier reads: all pairs are of the same examples.
    """
    if isinstance(counts, JointLabels):
        sample = sample_of_labels(counts, two, len(evaluations[0].classes))
        made = {} if known is None else known
        for ev, score, cells in zip(evaluations, scores, sample.cells, strict=True):
            if id(score) not in made:
                made[id(score)] = score_of_labels(ev, measure, score, cells)
        left, right = (made[id(score)] for score in scores)
        return OfCells(sample, left, right, sample.weights is not None or _is_bounded(measure))
    if not measure.reads.in_counts:
        raise ValueError(f"it reads {measure.reads.what}, and label matrices have none")
    if over_classes(evaluations[0], scores[0]):
        return _of_sums(counts, two, evaluations, measure, scores)
    return _of_rows(counts, two, measure, scores)


def _is_bounded(measure: Measure) -> bool:
    """Return whether the values of a score have limits; of the matrix, so many classes are one."""
    limited = rate_of_total(measure) or measure  # the number of examples is a limit of totals
    return not measure.reads.in_counts or all(map(math.isfinite, limited.range))


def contrast_of_groups(
    axis: str, evaluations: tuple[Any, Any], measure: Measure, scores: tuple[Score, Score]
) -> OfGroupDifferences | OfMeans:
    """Return the contrast of a score between two classifiers on examples sampled in groups.

    What each group adds to the counts of both is in their evaluations, so nothing joint is needed.
    """
    if measure.reads.in_counts and not over_classes(evaluations[0], scores[0]):
        return _means_of_groups(axis, evaluations, measure, scores)
    units = tuple(dict.fromkeys(unit for ev in evaluations for unit in ev.tally.sizes_of(axis)))
    if len(units) < 2:
        raise ValueError(f"clusters={axis!r} has one group, and nothing can be said about others from one")
    in_groups = _counts_in_groups if measure.reads.in_counts else _matrix_in_groups
    one, other = (in_groups(axis, units, ev, measure, score) for ev, score in zip(evaluations, scores, strict=True))
    return OfGroupDifferences(
        float(scores[0]) - float(scores[1]),
        one.added - other.added,
        one.extra + other.extra,
        swapped_groups((one.keys, other.keys), (one.times, other.times), one.shape, (one.scores, other.scores)),
    )


@dataclass(frozen=True, eq=False)
class _InGroups:
    """The score of one classifier on examples in groups."""

    added: Array  # what each group adds to it
    extra: float  # the variance that a pseudo-example adds
    shape: tuple[int, ...]  # of the counts that it is a function of
    keys: Array  # the number of a group times the cells of one, plus the cell, of each count
    times: Array  # these counts
    scores: Scores


def _counts_in_groups(axis: str, units: tuple[Any, ...], ev: Any, measure: Measure, score: Score) -> _InGroups:
    """Return a score over classes in groups."""
    if not is_smooth(measure):
        raise ValueError("its formula has kinks (min, max or abs), and with clusters= it needs slopes")
    sample, name = clusters_of(ev, axis, units), str(score.average)
    function = score_function(measure, find_average(name), units_of_classes(ev, name), score.undefined, sample.counts)
    extra = sample.pseudo()
    slopes = function.spread(function.slopes(sample.counts + extra.counts))
    added, shape = np.einsum("gjm,jm->g", sample.cells, slopes), sample.cells.shape[1:]

    def values(counts: Array) -> Array:
        return np.asarray(function(np.moveaxis(counts, 1, 0)))

    return _InGroups(added, float(extra.square(slopes)), shape, np.arange(sample.cells.size), sample.cells.ravel(), values)


def _matrix_in_groups(axis: str, units: tuple[Any, ...], ev: Any, measure: Measure, score: Score) -> _InGroups:
    """Return a function of the matrix in groups."""
    del score  # its average says nothing more
    sample = tables_of(ev, axis, units)
    extra = sample.pseudo()
    function, shape = TableFunction(for_source(measure, ev)), sample.table.shape
    near = function.gradient(sample.table + extra.table)
    if near.kinks:
        raise ValueError("its formula has kinks (min, max or abs), and with clusters= it needs slopes")
    more, keys = Pairs(np.zeros(shape)).variance(near.cells, extra), sample.owner * sample.table.size + sample.slot
    return _InGroups(sample.added(near.cells), more, shape, keys, sample.times, function.values)


def _means_of_groups(axis: str, evaluations: tuple[Any, Any], measure: Measure, scores: tuple[Score, Score]) -> OfMeans:
    """Return the contrast of a mean over examples, from the sum of their values in each group."""
    two = [values_in_clusters(ev, measure, score, axis) for ev, score in zip(evaluations, scores, strict=True)]
    place = {name: k for k, name in enumerate(dict.fromkeys(name for names, *_ in two for name in names))}
    tops, sizes = [], []
    for names, number, values, times in two:
        at = np.array([place[name] for name in names], np.intp)[number]
        tops.append(np.bincount(at, times * values, len(place)))
        sizes.append(np.bincount(at, times, len(place)))
    if not np.array_equal(sizes[0], sizes[1]):
        raise ValueError("the means are over different examples, because undefined values are left out")
    if np.count_nonzero(sizes[0]) < 2:
        raise ValueError(f"clusters={axis!r} has one group, and nothing can be said about others from one")
    seen = sizes[0] > 0
    apart = (tops[0] - tops[1])[seen] / sizes[0][seen]
    return in_clusters(np.arange(len(apart)), apart, sizes[0][seen], span_of(measure, float(scores[0])))


def sample_of_labels(counts: JointLabels, two: Two, m: int) -> PairedSample:
    """Return the pairs of cells of two classifiers; a cell is a pair of classes (true, predicted)."""
    if m > MANY:
        raise ValueError(f"there are more than {MANY:,} classes, so pairs of classes are not kept")
    if (*two, m) not in counts.samples:
        own = counts.two(*two)
        true, a, b = np.where(own.codes < 0, m, own.codes)
        pairs = Both(true * (m + 1) + a, true * (m + 1) + b, own.times)
        weights, squares = (None if x is None else x.astype(np.float64) for x in (own.weights, own.squares))
        counts.samples[*two, m] = PairedSample(pairs, (m + 1) ** 2, _one_disagreement(m), weights, squares)
    return counts.samples[*two, m]  # type: ignore[no-any-return]


@lru_cache(maxsize=4)
def _one_disagreement(m: int) -> Both:
    """Return one more example over all classes, half of it right on each side only."""
    true, wrong = np.nonzero(~np.eye(m, m + 1, dtype=bool)[:, : m if m > 1 else m + 1])
    right, wrong = true * (m + 1) + true, true * (m + 1) + wrong
    share = np.full(2 * len(true), HALF / max(len(true), 1))
    return Both(np.append(right, wrong), np.append(wrong, right), share)


def _of_sums(counts: JointCells, two: Two, evaluations: Any, measure: Measure, scores: tuple[Score, Score]) -> OfSums:
    if counts.squares is None:
        raise ValueError("there are too many classes to keep how they fall together; average='exemplar' has a test")
    (k, _, m), at = counts.sums.shape, list(two)
    squares = counts.squares.reshape(k, 4 * m, k, 4 * m)[at][:, :, at]
    sums, name = (counts.sums[two[0]], counts.sums[two[1]]), str(scores[0].average)
    left, right = (
        score_function(measure, find_average(name), units_of_classes(ev, name), score.undefined, own)
        for ev, score, own in zip(evaluations, scores, sums, strict=True)
    )
    unit = float(counts.sums.sum()) / max(k * m * counts.n, 1) if counts.weighted else 1.0
    whole = squares.reshape(8 * m, 8 * m)
    return OfSums(left, right, is_smooth(measure), counts.n, sums, whole, int(counts.apart[two]), unit)


def _of_rows(counts: JointCells, two: Two, measure: Measure, scores: tuple[Score, Score]) -> OfCells:
    """Return the contrast of a mean over examples; a cell is a row of counts.

    Two further cells have the lowest and the highest value, for the pseudo-example.
    """
    if counts.weighted:
        raise ValueError("the examples have weights, and how these fall on single rows is not kept")
    rows = [counts.rows[4 * i : 4 * i + 4] for i in two]
    kinds, where = np.unique(np.concatenate(rows, axis=1), axis=1, return_inverse=True)
    left, right = np.split(where.ravel(), 2)
    sides = [_with_ends(score_of_rows(measure, score, kinds)) for score in scores]
    size = kinds.shape[1]
    bounded = all(np.isfinite(side.span).all() for side in sides)
    ends = np.array([size, size + 1])
    extra = Both(ends, ends[::-1], np.full(2, HALF)) if bounded else Both(ends[:0], ends[:0], np.zeros(0))
    return OfCells(PairedSample(Both(left, right, counts.times), size + 2, extra), sides[0], sides[1], bounded)


def _with_ends(score: OfExamples) -> OfExamples:
    ends: Array = np.where(np.isfinite(score.span), score.span, np.nan)
    return OfExamples(np.append(score.values, ends), score.span)


@dataclass(frozen=True)
class JointCorrected:
    """Classifiers that were corrected together.

    The rows of each evaluation are those of all, in the same order.
    """

    def recode(self, _place: Array, _m: int) -> JointCorrected:
        """Return the same for other classes: the evaluations hold the rows."""
        return self

    def __add__(self, other: object) -> JointCorrected:
        return self if isinstance(other, JointCorrected) else NotImplemented

    def to_json(self) -> dict[str, Any]:
        """Return what a file says: the evaluations hold the rows."""
        return {"kind": "corrected"}


@dataclass(frozen=True, eq=False)
class OfCorrectedPair(Contrast):
    """The difference of two scores of the same corrected rows."""

    left: OfCorrected
    right: OfCorrected

    @property
    def refusal(self) -> str:  # type: ignore[override]
        """Why there is no test."""
        return "" if self.left.smooth and self.right.smooth else "its formula has kinks, and corrected rows need slopes"

    @cached_property
    def freedom(self) -> float:  # type: ignore[override]
        """The degrees of freedom of the variance: few where few gold rows tell the two apart.

        At most as many as those of clusters.
        """
        known = self.left.corrected.rows.known.all()
        return self.left.freedom if known else min(self.left.freedom, self._apart.freedom(self.left.clusters))

    @property
    def clustered(self) -> bool:  # type: ignore[override]
        """Whether clusters were sampled."""
        return self.left.clusters is not None

    @property
    def value(self) -> float:  # type: ignore[override]
        """The difference itself."""
        return self.left.value - self.right.value

    @cached_property
    def _apart(self) -> Linear:
        return combined([self.left.near, self.right.near], [1.0, -1.0])

    @cached_property
    def spread(self) -> float:
        """The variance of the difference, with half of the pseudo-examples of both."""
        return self.variance() + (self.left.near.extra + self.right.near.extra) / 2

    def variance(self) -> float:
        """Return the variance of the difference without pseudo-examples."""
        return self._apart.variance(self.left.clusters)

    def bootstrap(self, rng: np.random.Generator, draws: int) -> Array:
        """Return the differences in samples of rows or clusters drawn with replacement."""
        return self._apart.drawn(multinomial(rng), draws, self.left.clusters)

    def without(self, method: str) -> str:
        """Return why predictions are not swapped."""
        return f"method={method!r} reads the truth of every example, and here only some are known; use 'delta'"


def contrast_of_corrected(
    evaluations: tuple[Any, Any], measure: Measure, scores: tuple[Score, Score], clusters: str | None
) -> OfCorrectedPair:
    """Return the contrast of a score between two classifiers that were corrected together."""
    left, right = (estimator_of_corrected(ev, measure, score, clusters) for ev, score in zip(evaluations, scores, strict=True))
    one, other = left.corrected.rows, right.corrected.rows
    shared = [name for name in one.columns if name != PREDICTIONS]
    if len(one) != len(other) or not all(np.array_equal(one.columns[x], other.columns[x], equal_nan=True) for x in shared):
        raise ValueError("the two were corrected from different rows. Compare the labels: ix.compare(judge, {…}, gold=human)")
    return OfCorrectedPair(left, right)
