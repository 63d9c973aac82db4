"""Ranked scores whose rows stay on a device as long as only areas are asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from ...algebra.arrays import Array
from ...algebra.numbers.functions import ratio
from ...encode.device_arrays import to_host
from ..ranked import Ranked, rank_scores
from .rank_sums import rank_sums

RankSums = tuple[int, float, int]


class RankedOnDevice(Ranked):
    """Scores and labels on a device, ranked there for areas; all else reads them in main memory."""

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
        return self._here._half

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
