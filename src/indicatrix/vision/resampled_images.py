"""Intervals and comparisons of detectors: images, or sequences of images, are drawn with replacement."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..algebra.arrays import Array, quiet
from ..inference.distributions.quantiles import normal, student
from ..inference.intervals.methods import METHODS, Request
from ..inference.paired.tests import Answer, bootstrap_answer
from ..inference.paired.tests import Question as PairedQuestion
from ..inference.sampling.draw_weights import multinomial
from .image_draws import DrawnGroups, mean_of_known
from .objects import Units
from .replicated_areas import Layout
from .unit_areas import Question

WAYS = ("halves", "bootstrap", "percentile", "jackknife")
EDGE = 1e-3  # a centre nearer to 0 or 1 would make an interval on the scale of the logit endless


@dataclass(frozen=True, eq=False)
class OfImages(DrawnGroups):
    """A mean over units of what is asked, as a function of how often each image is drawn."""

    question: Question
    units: Units
    group: Array  # the group of each image: itself, or its sequence
    groups: int
    span: tuple[float, float] = (0.0, 1.0)
    smooth: bool = False

    @cached_property
    def _layout(self) -> Layout:
        asked = self.question
        return Layout.of(asked.matches.scene, asked.rankings(self.units), len(asked.ious))

    @cached_property
    def _drawn_as_a_whole(self) -> tuple[Array, Array] | None:
        """The value and the group of each unit, if a unit is never drawn in part.

        Then drawing changes how often a unit counts, not its value.
        """
        if self.units.per in ((), ("class",)):
            return None
        _, unit = self.question.matches.scene.axis(self.units.per[0])
        of_unit = np.zeros(self.units.n, np.intp)
        of_unit[unit] = self.group
        if (of_unit[unit] != self.group).any():
            return None
        return self._layout.values(self.question.quantity, np.ones(len(self.group), np.int64)), of_unit

    def of(self, weights: Array) -> Array:
        """Return the value for each row of weights of the groups; units without objects are left out."""
        if self._drawn_as_a_whole is None:
            return mean_of_known(self.units_of(weights))
        values, group = self._drawn_as_a_whole
        known = np.isfinite(values)
        often = weights[:, group[known]]
        with quiet():
            return np.asarray(often @ values[known] / often.sum(axis=1))

    def units_of(self, weights: Array) -> Array:
        """Return the value of each unit for each row of weights, nan without objects."""
        if self._drawn_as_a_whole is not None:
            values, group = self._drawn_as_a_whole
            return np.where(weights[:, group] > 0, values, np.nan)
        rows = [self._layout.values(self.question.quantity, row[self.group]) for row in weights.astype(np.int64)]
        return np.stack(rows) if rows else np.zeros((0, self._layout.shape[0]))


def ends_of(sample: OfImages, method: str, request: Request) -> tuple[float, float]:
    """Return the ends of the interval of a sample."""
    if method not in WAYS:
        raise ValueError(f"method={method!r} is not possible here. Choose from {', '.join(map(repr, WAYS))}.")
    if sample.groups < 2 or math.isnan(sample.value):
        return math.nan, math.nan
    if method == "halves":
        return by_halves(sample, request)
    if method != "bootstrap":
        return METHODS[method](sample, request)  # type: ignore[arg-type]
    drawn, _ = sample.replicates(multinomial(request.rng), request.draws, False)
    around, bias = _around(drawn[np.isfinite(drawn)], sample.value)
    if not len(around):
        return math.nan, math.nan
    low, high = np.quantile(around, request.tails)
    return max(float(low) - max(bias, 0), 0.0), min(float(high) - min(bias, 0), 1.0)


@dataclass(frozen=True, eq=False)
class Halves:
    """What random halves of a sample tell: by how much the whole is too high, and draws of its error.

    A half has twice the variance of the whole around the true value, so halves spread around the whole as the whole does around
    the true value; this holds where the bootstrap, which repeats images, fails. The precisions of average precision are the best
    of several, so it is too high by an amount that falls with the square root of the images: how much halves are higher tells how
    much the whole is. Units are compared with themselves, because the rarest are lost in some halves.
    """

    bias: float
    errors: Array  # of draws, around 0

    @classmethod
    def of(cls, units_of: Callable[[Array], Array], n: int, rng: np.random.Generator, draws: int) -> Halves:
        """Return what halves tell of the mean over units, a function of the weights of n groups."""
        order = rng.random((-(-draws // 2), n)).argsort(axis=1).argsort(axis=1)
        first = order < n // 2
        weights = np.stack([first, ~first], axis=1).reshape(-1, n).astype(np.float64)  # each is followed by the other half
        size = weights.sum(axis=1)
        drawn, whole = units_of(weights), units_of(np.ones((1, n)))[0]
        higher = float(mean_of_known((mean_of_known(drawn, 0) - whole)[None])[0])
        means = mean_of_known(drawn)
        known = means[np.isfinite(means)]
        scale = math.sqrt(1 / n / float(np.mean(1 / size - 1 / n)))
        return cls(higher / float(np.mean(np.sqrt(n / size)) - 1), (known - known.mean()) * scale)


def by_halves(sample: OfImages, request: Request) -> tuple[float, float]:
    """Return the ends from random halves, on the scale of the logit; the value stays inside."""
    n, value = sample.groups, sample.value
    found = Halves.of(sample.units_of, n, request.rng, request.draws)
    spread = float(found.errors.std())
    if not spread > 0:
        return value, value
    centre = min(max(value - found.bias, EDGE), 1 - EDGE)
    half = student(request.level, n - 1) * spread / (centre * (1 - centre))
    low, high = (1 / (1 + (1 - centre) / centre * math.exp(-step)) for step in (-half, half))
    return min(low, value), max(high, value)


def _around(drawn: Array, value: float) -> tuple[Array, float]:
    """Return replicates moved so that their mean is the value of the sample, and their bias.

    Average precision takes the best of several precisions, so it is too high in a sample, and higher still in replicates. They
    tell the spread; their bias widens the interval on the side where the true value is to be expected.
    """
    bias = float(drawn.mean()) - value if len(drawn) else math.nan
    return drawn - bias, bias


@dataclass(frozen=True, eq=False)
class Apart:
    """The difference between two detectors on the same images."""

    left: OfImages
    right: OfImages

    def answer(self, asked: PairedQuestion) -> Answer:
        """Return the interval of the difference and its p-values, from the same halves for both."""
        n = self.left.groups
        if n < 2 or math.isnan(asked.value):
            return bootstrap_answer(np.zeros(0), asked)
        found = Halves.of(self._units_of, n, asked.rng, asked.draws)
        wider = student(asked.level, n - 1) / normal(asked.level)  # few images do not tell the spread exactly
        return bootstrap_answer(asked.value - found.bias + wider * found.errors, asked)

    def _units_of(self, weights: Array) -> Array:
        return self.left.units_of(weights) - self.right.units_of(weights)
