"""Bins of scores: counts in bins of the float format, which add and know their error (prop:roc)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.counts import Counts
from ...algebra.numbers.functions import ratio
from ...encode.device_arrays import namespace_of, to_host
from ...tally.kernels.kernels import exact_bincount

MAGNITUDE = 2**63 - 1  # all bits of a float64 but the sign
ROUNDING = 2.0**-48  # more than the rounding errors of an average precision, which is at most 1


@dataclass(frozen=True, eq=False, repr=False)
class Bins:
    """Counts of positives and negatives in bins of scores, the highest first.

    They add and save instead of the scores. A bin holds the scores whose float64 has the same sign and the same ``bits``
    leading bits of exponent and mantissa: 20 bits make 512 bins between 1 and 2, as many between 2 and 4, and so on, whatever
    the scale of the scores. Each bin remembers its lowest and highest score, so that a bin with one distinct score loses
    nothing. Counts at the thresholds are exact; what is not known is the order within the other bins, and ``auc_bounds`` and
    ``average_precision_bounds`` say what that amounts to.

    >>> b = bins(np.array([0.9, 0.8, 0.8, 0.1]), np.array([True, True, False, False]))
    >>> b.auc, b.auc_bounds, b.coarser(10).auc_bounds
    (0.875, (0.875, 0.875), (0.5, 1.0))
    """

    bits: int
    keys: Array  # the leading bits of the scores as one integer per bin, highest first
    lowest: Array  # the lowest score in each bin, float64
    highest: Array
    positives: Array  # int64, or exact fractions where examples have weights
    negatives: Array

    def __add__(self, other: Bins) -> Bins:
        if not isinstance(other, Bins):
            return NotImplemented
        if self.bits != other.bits:
            least = min(self.bits, other.bits)
            raise ValueError(
                f"Bins of {self.bits} and of {other.bits} bits do not add; make the finer ones coarser first: .coarser({least})."
            )
        return self.merged_with([other])

    def merged_with(self, others: Iterable[Bins]) -> Bins:
        """Return the bins of these and other scores; all have the same bits."""
        return _merge(self.bits, [self, *others])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bins):
            return NotImplemented
        return self.bits == other.bits and all(np.array_equal(a, b) for a, b in zip(_columns(self), _columns(other), strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Bins: {self.tpos + self.tneg} scores in {len(self.keys)} bins of {self.bits} bits>"

    def coarser(self, bits: int) -> Bins:
        """Return the bins that fewer bits would have made, exactly."""
        if check_bits(bits) > self.bits:
            raise ValueError(
                f"bits={bits} is finer than these bins of {self.bits} bits, and what was merged cannot be told apart."
            )
        return _merge(bits, [replace(self, keys=self.keys >> (self.bits - bits))])

    @property
    def tpos(self) -> Any:
        """Actual positives, or their weight."""
        return self.tp[-1:].tolist()[0]

    @property
    def tneg(self) -> Any:
        """Actual negatives, or their weight."""
        return self.fp[-1:].tolist()[0]

    @property
    def scores(self) -> Array:
        """One score for each bin, the lowest in it; highest first."""
        return self.lowest

    @property
    def thresholds(self) -> Array:
        """The thresholds at which the counts are known: +inf, then the lowest score of each bin."""
        return np.concatenate([[np.inf], self.lowest])

    @property
    def n(self) -> int:
        """The number of scores, or their weight, rounded up."""
        return math.ceil(float(self.tpos + self.tneg))

    @cached_property
    def floats(self) -> tuple[Array, Array, Array, Array]:
        """The counts tp, fp, fn, tn at every threshold as float64."""
        return tuple(np.asarray(x, np.float64) for x in self.counts())  # type: ignore[return-value]

    @property
    def climb(self) -> tuple[Array, Array]:
        """The positives and all examples with score >= each threshold, as float64."""
        return self.floats[0], self.floats[0] + self.floats[1]

    def count_reaching(self, threshold: Any) -> Any:
        """Return how many bins lie at or above a threshold, which is the index of its counts."""
        return np.searchsorted(-self.lowest, -np.asarray(threshold), "right")

    def counts_at(self, k: Any, **axes: Any) -> Counts:
        """Return the exact counts where the k highest bins are predicted positive, for one k or several."""
        return Counts(*(x[k] if np.ndim(k) else x[[k]].tolist()[0] for x in self.counts()), **axes)

    @cached_property
    def _whole(self) -> tuple[Array, Array, int]:
        """Positives and negatives as whole numbers of a unit, and how many units make one.

        Such a unit exists because weights are sums of powers of two.
        """
        both = self.positives, self.negatives
        if not self.weighted:
            return *both, 1
        units = math.lcm(*(v.denominator for x in both for v in x))
        p, n = (np.array([int(v * units) for v in x], object) for x in both)
        return p, n, units

    @cached_property
    def _running(self) -> tuple[Array, Array]:
        """The positives and negatives of the first 0, 1, 2, … bins, in units."""
        p, n, _ = self._whole
        return tuple(np.concatenate([np.zeros(1, x.dtype), np.cumsum(x, dtype=x.dtype)]) for x in (p, n))  # type: ignore[return-value]

    def _numbers(self, x: Array) -> Array:
        """Return units as counts: integers, or weights, correctly rounded."""
        return np.array([v / self._whole[2] for v in x.tolist()], np.float64) if self.weighted else x

    @property
    def tp(self) -> Array:
        """True positives at each threshold."""
        return self._numbers(self._running[0])

    @property
    def fp(self) -> Array:
        """False positives at each threshold."""
        return self._numbers(self._running[1])

    @property
    def fn(self) -> Array:
        """False negatives at each threshold."""
        return self._numbers(self._running[0][-1] - self._running[0])

    @property
    def tn(self) -> Array:
        """True negatives at each threshold."""
        return self._numbers(self._running[1][-1] - self._running[1])

    def counts(self) -> Counts:
        """Return the exact counts at each threshold: nothing is lost between one bin and the next."""
        return Counts(self.tp, self.fp, self.fn, self.tn, per=("threshold",), names=(tuple(self.thresholds.tolist()),))

    def refuse_inside(self, thresholds: Array) -> None:
        """Refuse a threshold inside a bin, where the counts are not known."""
        for threshold in np.ravel(thresholds).tolist():
            inside = np.flatnonzero((self.lowest < threshold) & (threshold <= self.highest))
            if len(inside):
                low, high = (float(x[inside[0]]) for x in (self.lowest, self.highest))
                above = "" if high == math.inf else f" or {math.nextafter(high, math.inf)!r}"
                raise ValueError(
                    f"threshold={threshold} lies among scores of one bin, from {low!r} to {high!r}, whose order is not kept. "
                    f"Use {low!r}{above}, or more bits."
                )

    @cached_property
    def weighted(self) -> bool:
        """Whether counts are exact sums of weights."""
        return any(type(v) is not int for x in (self.positives, self.negatives) if x.dtype == object for v in x)

    @property
    def mixed(self) -> Array:
        """Which bins hold more than one distinct score, so that their order is not known."""
        return np.asarray(self.lowest < self.highest)

    @property
    def auc(self) -> float:
        """The area under the ROC curve; scores of one bin count as tied.

        It is nan without positives or without negatives.
        """
        return self._auc(0)

    @property
    def auc_bounds(self) -> tuple[float, float]:
        """Two numbers between which the AUC of the scores lies.

        Half the pairs that share a mixed bin count for or against.
        """
        return self._auc(-1), self._auc(1)

    @property
    def average_precision(self) -> float:
        """The step sum of precision over recall; nan without positives.

        Positives of a mixed bin count as in its middle.
        """
        tied, middle, _, _ = self._precision_terms()
        value = ratio(math.fsum(np.where(self.mixed, middle, tied)), float(self.tpos))
        return float(np.minimum(value, 1.0))  # rounded sums of weights may exceed it; nan stays nan

    @property
    def average_precision_bounds(self) -> tuple[float, float]:
        """Two numbers between which the average precision of the scores lies, up to the rounding of floats.

        It is highest where, in each mixed bin, the positives are tied above all negatives, and lowest where they follow the
        negatives one by one.
        """
        here, mixed = self.average_precision, self.mixed
        if not mixed.any() or math.isnan(here):
            return here, here
        tied, _, last, first = self._precision_terms()
        low, high = (math.fsum(np.where(mixed, x, tied)) / float(self.tpos) for x in (last, first))
        return max(0.0, min(low - ROUNDING, here)), min(1.0, max(high + ROUNDING, here))

    def _precision_terms(self) -> tuple[Array, Array, Array, Array]:
        """Return the precision of each bin's positives, summed, for four orders within the bin.

        They are tied with the bin's negatives, in the middle, below and above them. The k-th of p positives below f negatives
        has precision (tp + k)/(tp + k + f) = 1 - f/(tp + k + f). As 1/x is convex, the sum of 1/(tp + k + f) is at most its
        integral from half a step before to half a step after. Weights have no step, so there the integral begins at tp + f.
        """
        positives, negatives, _ = self._whole
        given = (positives, self._running[0][:-1], self._running[1][:-1], negatives)
        p, tp, fp, n = (self._numbers(x).astype(np.float64) for x in given)
        step = 0.0 if self.weighted else 0.5
        half, below = tp + p / 2 + step, fp + n
        with quiet():
            tied, middle, above = (p * ratio(x, x + y) for x, y in ((tp + p, below), (half, fp + n / 2), (tp + p, fp)))
            last = p - np.where(below > 0, below * np.log1p(p / (tp + below + step)), 0.0)
        return tuple(np.where(p > 0, x, 0.0) for x in (tied, middle, last, above))  # type: ignore[return-value]

    def _auc(self, side: int) -> float:
        """Return the AUC if pairs in mixed bins are wrong (-1), tied (0) or right (1)."""
        p, n, _ = self._whole
        tpos, tneg = (int(x[-1]) for x in self._running)
        if tpos * tneg >= 2**61:
            p, n = p.astype(object), n.astype(object)
        below = tneg - self._running[1][1:].astype(p.dtype)
        won = (p * (2 * below + n)).sum() + side * (p * n)[self.mixed].sum()
        return float(ratio(int(won), 2 * tpos * tneg))


def bins(scores: Array, positive: Array, weights: Array | None = None, *, bits: int = 20) -> Bins:
    """Return the bins of scores, of which some are of positives; examples without weight are left out."""
    bits = check_bits(bits)
    scores = np.asarray(scores, np.float64) + 0.0  # -0.0 equals 0.0
    if weights is None:
        return _merge(bits, [_sort_into_bins(np.sort(scores[positive == yes]), None, bits, yes) for yes in (True, False)])
    parts = []
    for yes in (True, False):
        chosen = np.flatnonzero((positive == yes) & (weights > 0))
        chosen = chosen[np.argsort(scores[chosen], kind="stable")]
        parts.append(_sort_into_bins(scores[chosen], weights[chosen], bits, yes))
    return _merge(bits, parts)


def bins_of_steps(scores: Any, tp: Any, fp: Any, bits: int) -> Bins:
    """Return the bins of distinct scores, highest first, and of the counts that reach each.

    The counts are of positives and negatives. The arrays may be on any device; only bins come to main memory.

    >>> scores, positive = np.array([0.9, 0.8, 0.1]), np.array([True, True, False])
    >>> bins_of_steps(scores, np.array([1, 2, 2]), np.array([0, 0, 1]), 20) == bins(scores, positive)
    True
    """
    xp = namespace_of(scores)
    scores = xp.astype(scores, xp.float64)
    keys = keys_of(scores, check_bits(bits))
    (last,) = xp.nonzero(xp.concat([keys[1:] != keys[:-1], xp.ones_like(keys[:1], dtype=xp.bool)]))  # the lowest score of each
    first = xp.concat([xp.zeros_like(last[:1]), last[:-1] + 1])
    of_bins = [to_host(xp.take(x, at)) for x, at in ((keys, last), (scores, last), (scores, first), (tp, last), (fp, last))]
    return Bins(bits, *of_bins[:3], *(np.diff(x, prepend=0) for x in of_bins[3:]))


def check_bits(bits: Any) -> int:
    """Return a number of bits, checked."""
    if isinstance(bits, bool) or not isinstance(bits, int | np.integer) or not 1 <= bits <= 63:
        raise ValueError(f"bits={bits!r} must be a whole number from 1 to 63; 63 keep every distinct score apart.")
    return int(bits)


def keys_of(scores: Any, bits: int) -> Any:
    """Return the leading bits of scores as integers in the order of the scores.

    Those of negative scores are negative.
    """
    whole = scores.view(namespace_of(scores).int64)
    return (whole ^ ((whole >> 63) & MAGNITUDE)) >> (63 - bits)


def _sort_into_bins(scores: Array, weights: Array | None, bits: int, positive: bool) -> Bins:
    """Return the bins of ascending scores of one kind."""
    keys = keys_of(scores, bits)
    first = np.flatnonzero(np.append(np.ones(min(len(keys), 1), bool), keys[1:] != keys[:-1]))
    end = np.append(first[1:], len(keys)) if len(first) else first
    if weights is None:
        amounts = end - first
    else:
        amounts = exact_bincount(np.repeat(np.arange(len(first)), end - first), weights, len(first))
    none = np.zeros_like(amounts)
    columns = (keys[first], scores[first], scores[end - 1], *((amounts, none) if positive else (none, amounts)))
    return Bins(bits, *(x[::-1] for x in columns))


def _columns(part: Bins) -> tuple[Array, ...]:
    return part.keys, part.lowest, part.highest, part.positives, part.negatives


def _merge(bits: int, parts: list[Bins]) -> Bins:
    """Return all bins in one list, those of the same key as one."""
    keys, lowest, highest, positives, negatives = (np.concatenate(x) for x in zip(*map(_columns, parts), strict=True))
    order = np.argsort(~keys, kind="stable")  # highest first; unlike -keys, ~keys cannot overflow
    first = np.flatnonzero(np.append(np.ones(min(len(keys), 1), bool), np.diff(keys[order]) != 0))
    if not len(first):
        return Bins(bits, keys, lowest, highest, positives, negatives)
    if positives.dtype != object and positives.sum(dtype=float) + negatives.sum(dtype=float) >= 2**61:
        positives, negatives = positives.astype(object), negatives.astype(object)  # Python integers do not overflow
    sums = (np.add.reduceat(x[order], first) for x in (positives, negatives))
    ends = np.minimum.reduceat(lowest[order], first), np.maximum.reduceat(highest[order], first)
    return Bins(bits, keys[order][first], *ends, *sums)
