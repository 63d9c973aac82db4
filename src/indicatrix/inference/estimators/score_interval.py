"""The score interval: Wilson's interval at the effective sample size of any bounded score.

Wilson's interval of a proportion is honest at 0 and 1. The variance of any smooth score follows from its slopes; so the score
has the precision of a proportion of this many examples. Variance and center are taken with one pseudo-example added, half of it
right and half of it wrong, so that a perfect score of few examples does not look certain.

Wilson's interval takes the variance of a score for the one of a proportion, which is 0 at both ends. Mutual information of a
table near independence is 0, too, but not certain: what its curvature adds to the variance is there at every value. Nor is a
weighted score certain whose heaviest errors were not seen: its ends allow for one more.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.ends import wilson
from ..sampling.samples import Clusters, Pairs, Sample
from ..sampling.score_function import ScoreFunction
from ..stats.proportions import Ends
from ..stats.quantiles import normal, student
from .clustered import all_right_or_wrong, design_effect, examples_alike, freedom_of_clusters

LIKE_ALL = 1.0  # examples of each class that are like those of all classes together
PART = 0.4  # of the example that is added; like UNSEEN, chosen by simulation
UNSEEN = 2  # errors of a true class that may be there, in addition to those that were seen


def variance(sample: Sample, counts: Array, slopes: Array, extra: Any = None) -> float:
    """Return the variance of a score by the delta method, from its slopes at these counts.

    ``extra`` is the pseudo-example of the sample, if the counts include it.
    """
    if isinstance(sample, Pairs) and sample.by_class:
        return sample.square_within(slopes, extra)
    n = sample.n if extra is None else sample.n + (1.0 if isinstance(sample, Clusters) else extra.n)
    return max(float(sample.square(slopes, extra)) - float((slopes * counts).sum()) ** 2 / n, 0.0)


@dataclass(frozen=True)
class Center:
    """What the score interval of a score is made of."""

    value: float  # the score, less its second-order bias
    smoothed: float  # the score with the pseudo-example
    spread: float  # the variance with the pseudo-example
    freedom: float = math.inf  # degrees of freedom of the variance

    def ends(self, span: tuple[float, float], level: float) -> Ends:
        """Return Wilson's interval between the ends of ``span``.

        The sample size is the one at which the smoothed score, as a proportion, has the variance.
        """
        return self.between(span, student(level, self.freedom) if math.isfinite(self.freedom) else normal(level))

    def between(self, span: tuple[float, float], quantile: float) -> Ends:
        """Return Wilson's interval whose ends are so many standard deviations away."""
        low, width = span[0], span[1] - span[0]
        share, value = (self.smoothed - low) / width, min(max(self.value, low), low + width)
        size = share * (1 - share) * width**2 / self.spread if self.spread > 0 else math.inf
        ends = wilson((value - low) / width, size, quantile)
        return low + ends[0] * width, low + ends[1] * width


NOTHING = Center(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class CurvedCenter(Center):
    """What the score interval of a function is made of; the spread includes what its curvature adds."""

    bent: float = 0.0  # the part of the spread that does not change with the value

    def ends(self, span: Ends, level: float) -> Ends:
        """Return the values from which the score is not too many of their standard deviations away.

        The other part of the spread grows with the distance from the ends of ``span``, as that of a proportion does; if only one
        of them is finite, with the distance from it.
        """
        (low, high), value = span, min(max(self.value, span[0]), span[1])
        quantile = student(level, self.freedom) if math.isfinite(self.freedom) else normal(level)
        room = (self.smoothed - low if math.isfinite(low) else 1.0) * (high - self.smoothed if math.isfinite(high) else 1.0)
        unit = quantile**2 * (self.spread - self.bent) / room if room > 0 else 0.0
        # (value - x)² = unit (x - low) (high - x) + quantile² bent, without the brackets that have an infinite end
        square, linear, constant = 1.0, -2 * value, value**2 - quantile**2 * self.bent
        if math.isfinite(low) and math.isfinite(high):
            square, linear, constant = square + unit, linear - unit * (low + high), constant + unit * low * high
        elif math.isfinite(low):
            linear, constant = linear - unit, constant + unit * low
        elif math.isfinite(high):
            linear, constant = linear + unit, constant - unit * high
        else:
            constant -= unit
        half = math.sqrt(max(linear**2 - 4 * square * constant, 0.0))
        return (-linear - half) / (2 * square), (-linear + half) / (2 * square)


@dataclass(frozen=True)
class CenterThrough(Center):
    """The center of a score that grows with another one: the interval of the other gives the ends."""

    other: Center = NOTHING
    other_span: Ends = (0.0, 1.0)
    grows: Callable[[float], float] = float

    def ends(self, span: Ends, level: float) -> Ends:
        """Return the ends of the interval of the other, turned into the score."""
        low, high = self.other.ends(self.other_span, level)
        return self.grows(max(low, self.other_span[0])), self.grows(min(high, self.other_span[1]))


def center_of(score: ScoreFunction, sample: Sample) -> Center:
    """Return what the score interval of a smooth score is made of."""
    extra = sample.pseudo()
    clusters = math.inf
    if isinstance(sample, Clusters):
        along = score.spread(score.slopes(sample.counts + extra.counts))
        effect = _design_effect(sample, along)
        extra, clusters = extra.as_unit(effect), freedom_of_clusters(_parts_of_clusters(sample, along), effect)
    smooth, drawn = sample.counts + extra.counts, None
    weighted, more = sample.squared_counts, extra.squared_counts
    if not score.rule.pools:
        squares = None if weighted is None or more is None else score.pool(weighted + more)  # those of the smooth counts
        drawn = toward_all(score.pool(smooth), squares)
    near = score.expand(sample.counts, smooth, drawn)
    spread, own = variance(sample, smooth, score.spread(near.slopes[0]), extra), math.inf
    if drawn is not None:
        n, squared, sums = _parts(near.units[1:], near.slopes)
        own = _freedom(near.units[0], n[0], squared[0], sums[0], None if weighted is None else score.pool(weighted))
        before, after = _variances(n, squared, sums)
        spread *= after / before if before > 0 else 1.0  # once classes with few examples are like all others
    return Center(near.value - near.bias, near.smoothed, spread, min(own, clusters))


def _design_effect(sample: Clusters, slopes: Array) -> float:
    """Return how many examples of clusters tell as much as an independent one, along slopes."""
    apart = sample.apart
    if isinstance(apart, Pairs):
        alike = examples_alike(apart.influence(slopes), *all_right_or_wrong(apart.table / sample.n))
    else:
        (tp, fp, fn, tn), none = apart.counts / sample.n, np.zeros_like(apart.counts[0])
        right, wrong = np.stack([tp + fn, none, none, fp + tn]), np.stack([none, fp + tn, tp + fn, none])
        alike = examples_alike(slopes, right, wrong)
    return design_effect(float(apart.square(slopes)), float(sample.square(slopes)), float(sample.pseudo().square(slopes)), alike)


def _parts_of_clusters(sample: Clusters, slopes: Array) -> Array:
    """Return the variances of clusters with independent examples, expected from their true classes."""
    whole = sample.counts + sample.pseudo().counts
    positive, negative = (
        (whole[[a, b]] * slopes[[a, b]] ** 2).sum(axis=0) / whole[[a, b]].sum(axis=0) for a, b in ((0, 2), (1, 3))
    )
    cells = sample.cells
    return np.asarray((cells[:, 0] + cells[:, 2]) @ positive + (cells[:, 1] + cells[:, 3]) @ negative)


def mean_center(parts: Sequence[Center], shares: Array) -> Center:
    """Return the center of a weighted mean of scores of independent groups; ``shares`` sum to 1.

    The variances add, and the degrees of freedom are Welch's.
    """
    spreads = [share**2 * part.spread for share, part in zip(shares, parts, strict=True)]
    bottom = sum(v**2 / part.freedom for v, part in zip(spreads, parts, strict=True))
    value, smoothed = (float(shares @ [getattr(part, name) for part in parts]) for name in ("value", "smoothed"))
    return Center(value, smoothed, sum(spreads), sum(spreads) ** 2 / bottom if bottom > 0 else math.inf)


def freedom(units: Array, smooth: Array, slopes: Array, squares: Array | None = None) -> float:
    """Return Welch's degrees of freedom of an average; a unit has its smallest margin.

    ``slopes`` are those at the smooth counts of the units, ``squares`` the counts of the units with squared weights.
    """
    return _freedom(units, *_parts(smooth, slopes), squares)


def _parts(units: Array, slopes: Array) -> tuple[Array, Array, Array]:
    """Return n of each unit, and the sums over its four counts of slope² and of slope."""
    along = units * slopes
    return np.add.reduce(units, axis=-2), np.add.reduce(along * slopes, axis=-2), np.add.reduce(along, axis=-2)


def _freedom(units: Array, n: Array, squared: Array, sums: Array, squares: Array | None) -> float:
    own = squared - sums**2 / np.where(n > 0, n, 1)
    tpos, ppos, tneg, pneg = margins(units, squares)
    least = np.minimum(np.minimum(tpos, ppos), np.minimum(tneg, pneg))
    bottom = float(np.add.reduce(own**2 / np.maximum(least, 1)))
    return float(np.add.reduce(own)) ** 2 / bottom if bottom > 0 else math.inf


def _variances(n: Array, squared: Array, sums: Array) -> list[float]:
    """Return the variances of averages of units that vary on their own, one for each row."""
    variances: list[float] = np.add.reduce(squared - sums**2 / np.maximum(n, 1.0), axis=-1).tolist()
    return variances


def margins(units: Array, squares: Array | None = None) -> tuple[Array, Array, Array, Array]:
    """Return how many actual and predicted positives, actual and predicted negatives units have.

    With weights, whose squares are counted as well, these are effective numbers: only the weights in the margin matter.
    """
    tp, fp, fn, tn = units
    sizes = tp + fn, tp + fp, fp + tn, fn + tn
    if squares is None:
        return sizes
    return tuple(  # type: ignore[return-value]
        np.where(spread > 0, of**2 / np.where(spread > 0, spread, 1.0), 0.0)
        for of, spread in zip(sizes, margins(squares), strict=True)
    )


def toward_all(units: Array, squares: Array | None = None) -> Array:
    """Return counts of classes whose recall, and then precision, is drawn toward that of all of them.

    The number of examples of each class stays, then that of its predictions.

    >>> toward_all(np.array([[1.0, 8], [0, 2], [0, 2], [9, 8]])).round(2).tolist()
    [[0.82, 8.03], [0.09, 1.98], [0.09, 1.98], [9.09, 7.98]]
    """
    tp, fp, fn, tn = units
    more = [1.0, 1.0] if squares is None else [_typical(units, squares, k) for k in (2, 1)]
    predicted = tp + fp
    tp, fn = _drawn(tp, fn, more[0])
    tp, fp = _drawn(tp, fp, more[1])
    return np.array([tp, fp, fn, np.maximum(tn + predicted - tp - fp, 0.0)])


def _drawn(right: Array, wrong: Array, weight: Array | float) -> tuple[Array, Array]:
    """Return right and wrong ones of each class, with a rate closer to the one of all classes."""
    size = right + wrong
    rate = float(np.add.reduce(right)) / max(float(np.add.reduce(size)), sys.float_info.min)
    like_all = LIKE_ALL * weight
    drawn = size * (right + like_all * rate) / (size + like_all)
    return drawn, size - drawn


def _typical(units: Array, squares: Array, other: int) -> Array:
    """Return the typical weight of the examples of each class that are right, or wrong in one way."""
    sums, of_squares = units[0] + units[other], squares[0] + squares[other]
    return np.where((sums > 0) & (of_squares > 0), of_squares / np.where(sums > 0, sums, 1.0), 1.0)


@dataclass(frozen=True)
class OneMore:
    """A part of one more example, and by how much a whole one would move the score."""

    part: float = 0.0
    move: float = 0.0


@dataclass(frozen=True)
class CenterWithHeaviest(Center):
    """A center whose ends allow for one more heavy example, which the sample may hardly show.

    Weights that belong to classes make some errors count ten times. If none of these was seen, or one or two, the many light
    ones decide the variance, and the interval is too short on the side to which a heavy error would lead. Fay & Feuer (1997,
    Statistics in Medicine 16:791-801) add one event of the largest weight to a weighted sum of counts for its upper limit, which
    is cautious. Here a part of such an example is added for each end: of the kind that leads the score furthest there.
    """

    own: Center = NOTHING
    lowers: OneMore = OneMore()
    raises: OneMore = OneMore()

    def ends(self, span: Ends, level: float) -> Ends:
        """Return the lower and the upper end, each with a part of the example that leads furthest there."""
        return self._with(self.lowers, span).ends(span, level)[0], self._with(self.raises, span).ends(span, level)[1]

    def _with(self, more: OneMore, span: Ends) -> Center:
        moved = self.own.smoothed + more.part * more.move
        smoothed = moved if span[0] < moved < span[1] else self.own.smoothed  # at an end of the range nothing would vary
        return replace(self.own, smoothed=smoothed, spread=self.own.spread + more.part * more.move**2)


def with_heaviest(center: Center, sample: Pairs, smooth: Array, slopes: Array, value: Callable[[Array], float]) -> Center:
    """Return the center of a score of weighted examples with what one more of them could do.

    ``slopes`` are those in each cell of the table with the pseudo-example, ``smooth``; ``value`` returns the score of a table.
    Where the number of examples of each class was chosen, the one more takes the place of others of its class. Of examples that
    all weigh the same, as those do that are left where other weights are 0, none is heavy.
    """
    if sample.squares is None or np.allclose(
        sample.squares, sample.table * sample.squares.sum() / sample.table.sum(), rtol=1e-12
    ):
        return center
    total = smooth.sum(axis=1 if sample.by_class else None, keepdims=True)
    mean = (smooth * slopes).sum(axis=1 if sample.by_class else None, keepdims=True) / np.where(total > 0, total, 1.0)
    weights, expected = sample.typical_weights, _expected(sample, smooth)
    along = np.where(smooth > 0, (slopes - mean) * weights, 0.0)
    found = []
    for sign in (-1, 1):
        order = np.argsort(-sign * along, axis=1)
        as_far = np.zeros_like(along)  # examples of the true class that lead as far, or further
        np.put_along_axis(as_far, order, np.take_along_axis(expected, order, axis=1).cumsum(axis=1), axis=1)
        parts = PART * np.minimum(as_far, 1.0)
        place = np.unravel_index(np.argmax(parts * np.maximum(sign * along, 0.0) ** 2), along.shape)
        more = smooth.copy()
        more[place] += weights[place]
        if sample.by_class:
            more[place[0]] *= float(total[place[0], 0]) / more[place[0]].sum()
        linear, reached = sign * float(along[place]), sign * (value(more) - value(smooth))
        found.append(OneMore(float(parts[place]), sign * max(min(linear, reached), 0.0)))  # it may change less than slopes tell
    return CenterWithHeaviest(center.value, center.smoothed, center.spread, center.freedom, center, *found)


def _expected(sample: Pairs, smooth: Array) -> Array:
    """Return how many examples of each pair of classes there may be.

    Errors go to classes that are often predicted.
    """
    known = np.arange(len(smooth) - 1)
    wrong, weights, others = sample.table.copy(), sample.typical_weights, np.tile(smooth.sum(axis=0), (len(smooth), 1))
    wrong[known, known] = others[known, known] = 0.0
    errors = (wrong / weights).sum(axis=1, keepdims=True) + UNSEEN
    total = others.sum(axis=1, keepdims=True)
    expected = errors * others / np.where(total > 0, total, 1.0)
    expected[known, known] = 1.0  # right ones are not rare
    return np.where(smooth > 0, expected, 0.0)
