"""An area as an estimator: of one ranking, or the average over the rankings of several classes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...scores.areas import Area
from ...scores.ranked_rows import Steps
from ..sampling.draw_weights import Draw
from ..sampling.samples import chunk_sizes
from .area_influence import PLACED, Placed
from .score_interval import Centre


@dataclass(frozen=True, eq=False)
class RankedColumn:
    """The entries of one ranking: their rows, their scores and their labels."""

    rows: Array  # the example of each entry
    place: Array  # of its score among the distinct scores, highest first
    labels: Array
    scores: Array  # the distinct scores, highest first
    weight: float  # of the ranking in the average

    @staticmethod
    def of(rows: Array, scores: Array, labels: Array, weight: float) -> RankedColumn:
        """Return the column of some entries."""
        distinct, place = np.unique(-scores, return_inverse=True)
        return RankedColumn(rows, place.ravel(), labels.astype(bool), -distinct, weight)

    @property
    def size(self) -> int:
        """How many distinct scores there are."""
        return len(self.scores)

    def sums(self, weights: Array) -> tuple[Array, Array]:
        """Return the weights of positives and of negatives at each distinct score.

        ``weights`` is one set of weights of the examples, or several.
        """
        own = weights[..., self.rows]
        if own.ndim == 1:
            return tuple(np.bincount(self.place[side], own[side], self.size) for side in (self.labels, ~self.labels))  # type: ignore[return-value]
        order = np.argsort(self.place, kind="stable")
        starts = np.searchsorted(self.place[order], np.arange(self.size))
        sides = (np.where(side, own, 0.0)[:, order] for side in (self.labels, ~self.labels))
        return tuple(np.add.reduceat(side, starts, axis=1) for side in sides)  # type: ignore[return-value]


@dataclass(frozen=True, eq=False)
class OfArea:
    """An area of scores, or the weighted mean of the areas of several rankings."""

    area: Area
    columns: tuple[RankedColumn, ...]
    n: int
    one: bool  # there is one ranking: no average over classes

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        return self.area.range

    @property
    def smooth(self) -> bool:
        """Whether its influence function is known."""
        return self.area.name in PLACED and not any(self.area.params[k] != v for k, v in self.area._usual.items())

    @property
    def freedom(self) -> float:
        """There are enough examples that it does not matter."""
        return math.inf

    @cached_property
    def _shares(self) -> Array:
        weights = np.array([column.weight for column in self.columns])
        return np.asarray(weights / weights.sum())

    @cached_property
    def _placed(self) -> list[Placed]:
        return [PLACED[self.area.name](*column.sums(np.ones(self.n))) for column in self.columns]

    @property
    def value(self) -> float:
        """The area of the sample."""
        return float(self._areas(np.ones((1, self.n)))[0])

    def _areas(self, weights: Array) -> Array:
        """Return the area for several sets of weights of the examples."""
        total = np.zeros(len(weights))
        for column, share in zip(self.columns, self._shares, strict=True):
            sides = column.sums(weights)
            first = np.zeros((len(weights), 1))
            tp, fp = (np.concatenate([first, np.cumsum(side, axis=1)], axis=1) for side in sides)
            steps = Steps(tp, fp, np.broadcast_to(np.append(column.scores.dtype.type(np.inf), column.scores), tp.shape))
            total += share * np.asarray(self.area.function(steps, **self.area.params), np.float64)
        return total

    @cached_property
    def influence(self) -> Array:
        """What each example adds to the area."""
        added = np.zeros(self.n)
        for column, share, placed in zip(self.columns, self._shares, self._placed, strict=True):
            own = np.where(column.labels, placed.positive[column.place], placed.negative[column.place])
            added += share * np.bincount(column.rows, own, self.n)
        return added

    def variance(self) -> float:
        """Return the variance from what each example adds: DeLong's, for AUC."""
        return float(self.influence @ self.influence)

    @property
    def pseudo_variance(self) -> float:
        """By how much the variance grows with one pseudo-example in each ranking."""
        return float((self._shares**2 * [placed.more for placed in self._placed]).sum())

    def centre(self) -> Centre:
        """Return what its score interval is made of."""
        smoothed = float(self._shares @ [placed.smoothed for placed in self._placed])
        freedom = self._placed[0].freedom if self.one else self._welch()
        return Centre(self.value, smoothed, self.variance() + self.pseudo_variance, freedom)

    def _welch(self) -> float:
        """Return Welch's degrees of freedom: a ranking has as many as its rarer class."""
        own, least = [], []
        for column, share, placed in zip(self.columns, self._shares, self._placed, strict=True):
            sides = column.sums(np.ones(self.n))
            squares = sides[0] @ placed.positive**2 + sides[1] @ placed.negative**2
            own.append(share**2 * (float(squares) + placed.more))
            least.append(max(min(float(side.sum()) for side in sides), 1.0))
        bottom = sum(v * v / k for v, k in zip(own, least, strict=True))
        return sum(own) ** 2 / bottom if bottom > 0 else math.inf

    def replicates(self, draw: Draw, draws: int, stratified: bool) -> tuple[Array, Array]:
        """Return the areas of replicates; the variance of each is not computed."""
        strata = self.columns[0].labels.astype(int) if stratified and self.one else None
        if stratified and strata is None:
            raise ValueError("stratified= is for the area of one ranking. Leave it out for an average over classes.")
        found = [self._areas(draw(np.ones(self.n), strata, some)) for some in chunk_sizes(draws, 4 * self.n)]
        return np.concatenate(found), np.full(draws, np.nan)

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the area: gamma weights on the examples."""
        return np.concatenate([self._areas(rng.standard_exponential((some, self.n))) for some in chunk_sizes(draws, 4 * self.n)])

    def without_each(self) -> tuple[Array, Array]:
        """Return the area without each example, to first order."""
        return self.value - self.influence, np.ones(self.n)


def area_estimator(area: Area, swept: Any, average: Any) -> OfArea:
    """Return the area of a sweep under an average as an estimator, or refuse it with the reason."""
    from ...algebra.average import BINARY, find_average

    score = area.score(swept, average)
    name = score.average
    if area.params.get("missed"):
        raise ValueError(f"There is no interval of {area}: the positives that no score reaches are not in the sample.")
    if swept.rows is None or swept.rows.weights is not None:
        what = "was merged from states without them" if swept.rows is None else "has weights"
        raise ValueError(f"An interval of {area} needs the scores of each example, and this sweep {what}.")
    rows, rule = swept.rows, None if isinstance(name, tuple) else find_average(name)
    if rule is None or not set(rule.per) <= {"class"}:
        raise ValueError(f"There is no interval of {area} with average={name!r}. Use a binary, micro or class average.")
    every = np.arange(rows.n)
    if rule.pools and name != BINARY:
        shape = rows.scores.shape
        seen = np.ones(shape, bool) if rows.mask is None else np.broadcast_to(rows.mask, shape)
        owner = np.broadcast_to(every[:, None], shape)[seen]
        return OfArea(area, (RankedColumn.of(owner, rows.scores[seen], rows.truth()[seen], 1.0),), rows.n, True)
    units = (
        [swept.units.index(swept.positive)]
        if name == BINARY
        else [k for k, x in enumerate(np.ravel(score.values)) if np.isfinite(x)]
    )
    weights = np.ones(len(swept.units)) if score.weights is None else np.ravel(score.weights)
    columns = []
    for k in units:
        own = rows.only(k)
        seen = np.ones(rows.n, bool) if own.mask is None else own.mask[:, 0]
        weight = 1.0 if name == BINARY else float(weights[k])
        columns.append(RankedColumn.of(every[seen], own.scores[seen, 0], own.truth()[seen, 0], weight))
    return OfArea(area, tuple(columns), rows.n, name == BINARY)
