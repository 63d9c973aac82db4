"""Ranked scores whose rows stay on a device, where they are sorted.

Thresholds and counts are copied, if they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Counts
from ...algebra.numbers.functions import ratio
from ...encode.device_arrays import namespace_of, on_device_of, to_host
from ..ranked import Ranked, SomeThresholds, rank_scores
from .rank_sums import rank_sums

RankSums = tuple[int, float, int]
BLOCK = 1 << 24  # thresholds of which a formula is computed at a time


class RankedOnDevice(Ranked):
    """Scores and labels on a device, ranked there.

    What adds and is saved are their keys, in main memory.
    """

    def __init__(self, scores: Any, positive: Any, sums: Callable[[], RankSums] | None = None) -> None:
        """Keep the rows; ``sums`` returns what areas need, where it is known from a sort of many columns."""
        self.__dict__.update(_there=(scores, positive), _merged=None, _known=sums)

    @cached_property
    def _here(self) -> Ranked:
        scores, positive = self.__dict__["_there"]
        return rank_scores(to_host(scores), to_host(positive))

    @cached_property
    def _given(self) -> tuple[Array, Array, Array | None] | None:
        return self._here._given

    @property
    def _half(self) -> bool:
        return self.precision == 2

    @property
    def precision(self) -> int:
        """The bytes of a score as it was given: 2, 4 or 8; bfloat16 is kept in 4."""
        kind = str(self.__dict__["_there"][0].dtype).rpartition(".")[2]
        return {"float16": 2, "float64": 8}.get(kind, 4)

    @property
    def n(self) -> int:
        """The number of scores."""
        return len(self.__dict__["_there"][0])

    @property
    def weighted(self) -> bool:
        """Whether the counts are sums of weights, which they are not."""
        return False

    @cached_property
    def _sums(self) -> RankSums:
        known = self.__dict__["_known"]
        return rank_sums(*self.__dict__["_there"]) if known is None else known()

    @cached_property
    def tpos(self) -> Any:
        """All positives."""
        return self._sums[2]

    @cached_property
    def _areas(self) -> tuple[float, float]:
        twice, precisions, positives = self._sums
        return ratio(twice, 2 * positives * self.tneg), ratio(precisions, positives)

    @cached_property
    def _at_all(self) -> SomeThresholds:
        """All distinct scores with their counts, in main memory."""
        return self._some(*self.steps)

    def _some(self, scores: Any, *reached: Any) -> SomeThresholds:
        """Return some of the steps in main memory, after the threshold that no score reaches."""
        xp = namespace_of(scores)
        tp, fp = (to_host(xp.concat([xp.zeros_like(x[:1]), x])) for x in reached)
        return SomeThresholds(np.append(np.inf, to_host(scores)), tp, fp, self.precision)  # in float64

    @property
    def thresholds(self) -> Array:
        """+inf, then the distinct scores."""
        return self._at_all.thresholds

    @property
    def tp(self) -> Array:
        """The positives with score >= each threshold."""
        return self._at_all.tp

    @property
    def fp(self) -> Array:
        """The negatives with score >= each threshold."""
        return self._at_all.fp

    @property
    def climb(self) -> tuple[Array, Array]:
        """The numbers of positives and of all examples with score >= each threshold, as float64."""
        return self._at_all.climb

    @cached_property
    def steps(self) -> tuple[Any, Any, Any]:
        """The distinct scores on the device, highest first, and how many positives and negatives reach each."""
        scores, positive = self.__dict__["_there"]
        xp = namespace_of(scores)
        scores = (scores if scores.dtype in (xp.float32, xp.float64) else xp.astype(scores, xp.float32)) + 0.0  # one zero
        order = xp.argsort(scores, descending=True)
        scores, reached = xp.take(scores, order), xp.cumulative_sum(xp.astype(xp.take(positive, order), xp.int64))
        (last,) = xp.nonzero(xp.concat([scores[1:] != scores[:-1], xp.ones_like(scores[:1], dtype=xp.bool)]))  # of equal ones
        tp = xp.take(reached, last)
        return xp.take(scores, last), tp, last + 1 - tp

    def near_best(self, values: Callable[[Counts], Any], tolerance: float) -> Ranked:
        """Return a ranking of few of the thresholds.

        Those whose value is nearly the highest, the next of each, and the ends.

        All, if the formula cannot be computed on the device.
        """
        scores, *reached = self.steps
        xp, found = namespace_of(scores), list[Any]()
        total = int(reached[0][-1])
        totals = total, self.n - total
        for start in range(0, scores.shape[0], BLOCK):
            tp, fp = (xp.astype(x[start : start + BLOCK], xp.float64) for x in reached)
            try:
                value = values(Counts(tp, fp, totals[0] - tp, totals[1] - fp, bound=self.n))
                found.append(xp.where(xp.isfinite(value), value, xp.full_like(value, -xp.inf)))
            except (
                Exception
            ):  # a formula may need what only arrays in main memory have, where it is computed or says what is wrong
                return self
            if found[-1].shape != tp.shape:
                return self
        value = xp.concat(found)
        top = float(xp.max(value))
        (near,) = xp.nonzero((value >= top - tolerance * max(1.0, abs(top))) & (value > -xp.inf))
        at = to_host(near)
        kept = on_device_of(np.unique(np.concatenate([at, np.minimum(at + 1, len(value) - 1), [0, len(value) - 1]])), scores)
        return self._some(*(xp.take(x, kept) for x in (scores, *reached)))
