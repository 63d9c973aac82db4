"""Ranked: positives and negatives at every distinct score, exact and mergeable (prop:roc).

Every curve starts here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..algebra.arrays import Array, quiet
from ..algebra.counts import Counts
from ..algebra.numbers.functions import ratio
from .rank_sums import area_under_roc, label_order, mean_precision, rank_sums, sums_of_keys, sums_of_weights, weight_at
from .threshold_steps import SortedKeys, as_floats, merge_keys, sort_keys


@dataclass(frozen=True, eq=False, repr=False)
class Ranked:
    """Scores and the label of each; they give the counts at every threshold.

    The state is one sorted array of integers, made when it is first needed: the high bits have the order of the scores, the
    lowest bit is the label. States add exactly, in any order. Weights are kept with their scores, so sums of weights are rounded
    only once, in any order.

    >>> r = rank_scores(np.array([0.9, 0.2, 0.9]), np.array([True, False, False]))
    >>> r.thresholds.tolist(), r.tp.tolist(), r.fp.tolist()
    ([inf, 0.9, 0.2], [0, 1, 1], [0, 1, 2])
    """

    _given: tuple[Array, Array, Array | None] | None  # scores, labels and weights as they were given, or …
    _merged: SortedKeys | None = None  # … the state itself
    _half: bool = False  # the scores were given in half precision, and are kept in single

    bits = None  # all of a score are kept; bins keep fewer

    @cached_property
    def _state(self) -> SortedKeys:
        return self._merged if self._merged is not None else sort_keys(*(self._given or ()))

    @property
    def n(self) -> int:
        """The number of scores; with weights, of the scores whose weight is not zero."""
        return len(self._given[0]) if self._given is not None else len(self._state.keys)

    @property
    def precision(self) -> int:
        """The bytes of a score as it was given: 2, 4 or 8."""
        return 2 if self._half else (self._given[0] if self._given is not None else self._state.keys).dtype.itemsize

    @property
    def rows(self) -> tuple[Array, Array, Array | None]:
        """The scores in ascending order, which of them are of positives, and their weights."""
        return self._state.thresholds()[:0:-1], self._state.labels, self._state.weights

    @property
    def weighted(self) -> bool:
        """Whether the counts are sums of weights, which are floats."""
        return (self._given[2] if self._given is not None else self._state.weights) is not None

    @cached_property
    def _firsts(self) -> Array | None:
        return self._state.firsts

    @cached_property
    def scores(self) -> Array:
        """The distinct scores, highest first, as float64."""
        return self.thresholds[1:]

    @property
    def highest(self) -> Array:
        """The highest score that counts as each of ``scores``: that score, as each has a bin of its own."""
        return self.scores

    @property
    def thresholds(self) -> Array:
        """+inf, then the distinct scores; a score >= threshold is predicted positive.

        No score is predicted positive at the first threshold, +inf.
        """
        return self._state.thresholds(self._firsts)

    @cached_property
    def _reaching(self) -> Array:
        """The weights tp and fp at each threshold."""
        return sums_of_weights(self._state, self._firsts)

    @cached_property
    def _below(self) -> Array:
        """The weights fn and tn at each threshold."""
        return sums_of_weights(self._state, self._firsts, below=True)

    @property
    def _predicted(self) -> Array:
        """How many scores reach each threshold."""
        if self._firsts is None:
            return np.arange(self.n + 1)
        predicted = np.zeros(len(self._firsts) + 1, np.int64)
        np.subtract(self.n, self._firsts, out=predicted[1:])
        return predicted

    @cached_property
    def tp(self) -> Array:
        """The positives with score >= each threshold, from 0 to all."""
        if self.weighted:
            return np.asarray(self._reaching[0])
        above = self._state.above
        return above if self._firsts is None else np.asarray(above[self._predicted])

    @cached_property
    def fp(self) -> Array:
        """The negatives with score >= each threshold, from 0 to all."""
        return np.asarray(self._reaching[1]) if self.weighted else self._predicted - self.tp

    @property
    def fn(self) -> Array:
        """The positives with score < each threshold, from all to 0; weights are summed, not subtracted."""
        return np.asarray(self._below[0] if self.weighted else self.tpos - self.tp)

    @property
    def tn(self) -> Array:
        """The negatives with score < each threshold, from all to 0; weights are summed, not subtracted."""
        return np.asarray(self._below[1] if self.weighted else self.tneg - self.fp)

    @property
    def positives(self) -> Array:
        """The positives at each distinct score, or their weight."""
        return self._at_scores(True)

    @property
    def negatives(self) -> Array:
        """The negatives at each distinct score, or their weight."""
        return self._at_scores(False)

    def _at_scores(self, positive: bool) -> Array:
        weights = self._state.weights if self.weighted else None
        if weights is None:
            return np.diff(self.tp if positive else self.fp)
        if self._firsts is None:
            return np.where(self._state.labels == positive, weights, 0.0)[::-1]
        return weight_at(self._state, self._firsts, int(positive))

    @cached_property
    def tpos(self) -> Any:
        """All positives, or their weight."""
        if self.weighted:
            return float(self.tp[-1])
        return int(np.count_nonzero(self._given[1] if self._given is not None else self._state.labels))

    @cached_property
    def tneg(self) -> Any:
        """All negatives, or their weight."""
        return float(self.fp[-1]) if self.weighted else self.n - self.tpos

    def counts(self) -> Counts:
        """Return the counts at every threshold, an axis called "threshold".

        >>> rank_scores(np.array([0.9, 0.2]), np.array([True, False])).counts()
        Counts(tp=array([0, 1, 1]), fp=array([0, 0, 1]), fn=array([1, 0, 0]), tn=array([1, 1, 0]), per=('threshold',))
        """
        return Counts(self.tp, self.fp, self.fn, self.tn, per=("threshold",), names=(tuple(self.thresholds.tolist()),))

    def count_reaching(self, threshold: Any) -> Any:
        """Return how many distinct scores reach a threshold, or each of several.

        This is the index of its counts in ``tp`` and ``fp``. Scores in single or half precision are compared in their
        precision, as in decisions: a float32 of 0.7 reaches 0.7.
        """
        if self.precision < 8:
            own: Any = np.float16 if self._half else np.float32
            with quiet():  # a threshold beyond the range becomes infinite
                threshold = np.asarray(threshold).astype(own).astype(np.float64)
        return np.searchsorted(-self.scores, -threshold, "right")

    def counts_at(self, k: Any, **axes: Any) -> Counts:
        """Return the counts where the k highest distinct scores are predicted positive.

        ``k`` is one number or an array. ``axes`` are the ``per`` and ``names`` of an array.

        >>> rank_scores(np.array([0.9, 0.2]), np.array([True, False])).counts_at(1)
        Counts(tp=1, fp=0, fn=0, tn=1)
        """
        if not self.weighted:
            tp, fp = (x[k] if np.ndim(k) else x[k].item() for x in (self.tp, self.fp))
            return Counts(tp, fp, self.tpos - tp, self.tneg - fp, **axes)
        return Counts(*(x[k] if np.ndim(k) else x[k].item() for x in (*self._reaching, *self._below)), **axes)

    @property
    def _early(self) -> bool:
        """Whether the labels can be ordered without sorting the scores, which were not needed yet."""
        return not self.weighted and "_state" not in self.__dict__

    @cached_property
    def climb(self) -> tuple[Array, Array]:
        """The numbers of positives and of all examples with score >= each threshold, as float64."""
        early = label_order(*self._given[:2]) if self._given is not None and self._early else None
        if early is not None:
            return _climb(*early)
        tp = self.tp.astype(np.float64)
        if self.weighted:
            return tp, tp + self.fp
        return tp, np.arange(self.n + 1.0) if self._firsts is None else self._predicted.astype(np.float64)

    @cached_property
    def floats(self) -> tuple[Array, Array, Array, Array]:
        """The counts tp, fp, fn, tn at every threshold as float64, which formulas compute fast."""
        if self.weighted:
            return self.tp, self.fp, self.fn, self.tn
        tp, fp = self.climb[0], self.climb[1] - self.climb[0]
        return tp, fp, float(self.tpos) - tp, float(self.tneg) - fp

    @cached_property
    def _areas(self) -> tuple[float, float]:
        """The area under the ROC curve and the average precision.

        Counts use rank sums, which need not sort all bits of the scores; weights use the definition.
        """
        if not self.weighted:
            early = rank_sums(*self._given[:2]) if self._given is not None and self._early else None
            twice, precisions = sums_of_keys(self._state, self.tpos) if early is None else early
            return ratio(twice, 2 * self.tpos * self.tneg), ratio(precisions, self.tpos)
        return float(area_under_roc(self.tp, self.fp)), float(mean_precision(self.tp, self.fp))

    def near_best(self, measure: Any, sign: int, tolerance: float) -> Ranked:
        """Return a ranking with the thresholds whose value, times ``sign``, is nearly the highest.

        The next of each is kept, too; here all are. On a device, where the measure is computed at all thresholds, only these are
        copied.
        """
        return self

    @property
    def auc(self) -> float:
        """The area under the ROC curve; a tie counts one half.

        It is nan without positives or without negatives.

        >>> rank_scores(np.array([0.9, 0.2, 0.9]), np.array([True, False, False])).auc
        0.75
        """
        return self._areas[0] if self.tpos > 0 and self.tneg > 0 else math.nan

    @property
    def average_precision(self) -> float:
        """The mean of precisions, each weighted by the recall that its threshold adds.

        It is nan without positives.

        >>> rank_scores(np.array([0.9, 0.2, 0.9]), np.array([True, False, False])).average_precision
        0.5
        """
        return self._areas[1] if self.tpos else math.nan

    @property
    def auc_bounds(self) -> tuple[float, float]:
        """Two numbers between which the AUC lies: it is known."""
        return self.auc, self.auc

    @property
    def average_precision_bounds(self) -> tuple[float, float]:
        """Two numbers between which the average precision lies: it is known."""
        return self.average_precision, self.average_precision

    def merged_with(self, others: Iterable[Ranked]) -> Ranked:
        """Return the ranking of these and other scores."""
        return merge_rankings((self, *others))

    def __add__(self, other: Ranked) -> Ranked:
        return self.merged_with([other]) if isinstance(other, Ranked) else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ranked):
            return NotImplemented
        mine, theirs = ((x.scores, x.tp, x.fp) for x in (self, other))
        return all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return Ranked, (None, self._state, self._half)

    def __repr__(self) -> str:
        return f"<Ranked: {self.n} scores, {self.tpos:g} positive, {self.tneg:g} negative>"


def rank_scores(scores: Array, positive: Array, weights: Array | None = None) -> Ranked:
    """Return scores and whether each belongs to a positive, ranked.

    Equal scores are one threshold, and -0.0 equals 0.0. NaN is an error. Scores with weight zero are dropped. The arrays are
    kept, not copied.

    >>> rank_scores(np.array([0.9, -np.inf, 0.2]), np.array([True, False, True]))
    <Ranked: 3 scores, 2 positive, 1 negative>
    """
    half = scores.dtype.kind == "f" and scores.dtype.itemsize == 2
    scores, positive = as_floats(scores), np.ascontiguousarray(positive, bool)
    if len(scores) and np.isnan(scores.max()):
        at = int(np.isnan(scores).argmax())
        raise ValueError(f"scores[{at}] is NaN: every example needs a score. Fill it, or drop the row.")
    if weights is not None:
        weights = np.ascontiguousarray(weights, np.float64)
        if not weights.all():
            kept = np.flatnonzero(weights)
            scores, positive, weights = scores[kept], positive[kept], weights[kept]
    return Ranked((scores, positive, weights), None, half)


class SomeThresholds(Ranked):
    """A ranking of which the counts at some thresholds are known, the first and the last among them."""

    def __init__(self, thresholds: Array, tp: Array, fp: Array, precision: int) -> None:
        """Keep +inf and falling scores, how many rows of each side reach each, and a score's bytes."""
        facts = {"tp": tp, "fp": fp, "tpos": int(tp[-1]), "tneg": int(fp[-1]), "_above": thresholds}
        self.__dict__.update(_given=None, _merged=None, _half=precision == 2, _bytes=precision, **facts)

    @property
    def n(self) -> int:
        """The number of scores."""
        return int(self.tpos + self.tneg)

    @property
    def precision(self) -> int:
        """The bytes of a score as it was given: 2, 4 or 8."""
        return int(self.__dict__["_bytes"])

    @property
    def weighted(self) -> bool:
        """Whether the counts are sums of weights, which they are not."""
        return False

    @property
    def thresholds(self) -> Array:
        """+inf, then the scores."""
        return np.asarray(self.__dict__["_above"])

    @cached_property
    def climb(self) -> tuple[Array, Array]:
        """The numbers of positives and of all examples with score >= each threshold, as float64."""
        return self.tp.astype(np.float64), (self.tp + self.fp).astype(np.float64)


def merge_rankings(states: Iterable[Ranked]) -> Ranked:
    """Return the rankings of several states as one state: that of all their rows, in any order.

    >>> one, two = (rank_scores(np.array([s]), np.array([True])) for s in (0.5, 0.25))
    >>> merge_rankings([one, two]) == one + two, merge_rankings([]).n
    (True, 0)
    """
    some = [state for state in states if state.n]
    if not some:
        return rank_scores(np.empty(0), np.empty(0, bool))
    return Ranked(None, merge_keys([state._state for state in some]), all(state._half for state in some))


def _climb(labels: Array, tied: Array) -> tuple[Array, Array]:
    """Return how many positives, and how many scores, reach each threshold.

    The labels are the lowest bits, in ascending order of scores. ``tied`` marks the scores that equal the one before.
    """
    above = np.zeros(len(labels) + 1, np.int64)
    np.cumsum((labels & labels.dtype.type(1))[::-1], out=above[1:])
    tp, predicted = above.astype(np.float64), np.arange(len(labels) + 1.0)
    if not tied.any():
        return tp, predicted
    ends = np.append(0, len(labels) - np.flatnonzero(~tied)[::-1])  # equal scores are accepted together
    return tp[ends], predicted[ends]
