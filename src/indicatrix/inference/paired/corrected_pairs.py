"""Two classifiers on the same corrected rows: what each row adds to the difference of their scores."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.measure import Measure
from ...algebra.score import Score
from ...tally.corrected.judged_rows import PREDICTIONS
from ..estimators.of_corrected import Linear, OfCorrected, combined, estimator_of_corrected
from ..sampling.draw_weights import multinomial
from .contrasts import Contrast


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
