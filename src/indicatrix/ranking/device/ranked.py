"""Ranked scores whose rows stay on a device, where they are sorted.

Thresholds and counts are copied, if they are asked for.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.count_formula import apply_formula
from ...algebra.counts import Counts
from ...algebra.numbers.functions import ratio
from ...encode.device_arrays import namespace_of, to_host
from ..ranked import Ranked, SomeThresholds, rank_scores
from .columns import Columns, ColumnSteps, Steps, Sums, as_float, rank_sums


class RankedOnDevice(Ranked):
    """Scores and labels on a device, ranked there.

    What adds and is saved are their keys, in main memory.
    """

    def __init__(self, scores: Any, positive: Any, columns: Columns | None = None, j: int = 0) -> None:
        """Keep the rows; ``columns`` are those of which this is number ``j``, where there are several."""
        self.__dict__.update(_there=(scores, positive), _merged=None, _columns=(columns, j))

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
    def _sums(self) -> Sums:
        columns, j = self.__dict__["_columns"]
        return rank_sums(*self.__dict__["_there"]) if columns is None else columns.sums[j]

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
        return self._some(*map(to_host, self.steps))

    def _some(self, scores: Array, *reached: Array) -> SomeThresholds:
        """Return a ranking of some of the steps, after the threshold that no score reaches."""
        tp, fp = (np.append(np.zeros_like(x[:1]), x) for x in reached)
        return SomeThresholds(np.append(np.inf, scores), tp, fp, self.precision)  # in float64

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
    def steps(self) -> Steps:
        """The distinct scores on the device, highest first, and how many positives and negatives reach each."""
        columns, j = self.__dict__["_columns"]
        known: Steps | None = None if columns is None else columns.steps(j)
        if known is not None:
            return known
        scores, positive = self.__dict__["_there"]
        xp, scores = namespace_of(scores), as_float(scores) + 0.0  # one zero
        order = xp.argsort(scores, descending=True)
        scores, reached = xp.take(scores, order), xp.cumulative_sum(xp.astype(xp.take(positive, order), xp.int64))
        (last,) = xp.nonzero(xp.concat([scores[1:] != scores[:-1], xp.ones_like(scores[:1], dtype=xp.bool)]))  # of equal ones
        tp = xp.take(reached, last)
        return xp.take(scores, last), tp, last + 1 - tp

    def near_best(self, measure: Any, sign: int, tolerance: float) -> Ranked:
        """Return a ranking of few of the thresholds.

        Those whose value is nearly the highest, the next of each, and the ends.

        All, if the formula cannot be computed on the device.
        """

        def values(counts: Counts) -> Any:
            return sign * apply_formula(measure, counts)

        columns, j = self.__dict__["_columns"]
        found = None if columns is None else columns.near_best(j, (measure, sign, tolerance), values, tolerance)
        if found is None:
            scores, tp, fp = self.steps
            alone = ColumnSteps(self.n, scores, tp, fp, None, [0, scores.shape[0]]).near_best(values, tolerance)
            if alone is None:
                return self
            (found,) = alone
        return self._some(*found)
