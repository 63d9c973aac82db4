"""Intervals and comparisons of detectors: images, or sequences of images, are drawn with replacement."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..algebra.arrays import Array, quiet
from ..inference.intervals.methods import METHODS, Request
from ..inference.paired.tests import Answer, answer_of_draws
from ..inference.paired.tests import Question as PairedQuestion
from ..inference.sampling.draw_weights import Draw, multinomial
from .detection_areas import Weights
from .objects import Units
from .unit_areas import Question, replicated_values

WAYS = ("bootstrap", "percentile", "jackknife")
CELLS = 1 << 23  # numbers that are kept at a time


@dataclass(frozen=True, eq=False)
class OfImages:
    """A mean over units of what is asked, as a function of how often each image is drawn."""

    question: Question
    units: Units
    group: Array  # the group of each image: itself, or its sequence
    groups: int
    span: tuple[float, float] = (0.0, 1.0)
    smooth: bool = False

    @property
    def freedom(self) -> float:
        """How many groups were sampled, less one."""
        return self.groups - 1.0

    @property
    def value(self) -> float:
        """The value of the sample."""
        return float(self.of(np.ones((1, self.groups)))[0])

    def of(self, weights: Array) -> Array:
        """Return the value for each row of weights of the groups; units without objects are left out."""
        return np.concatenate([self._few(weights[rows]) for rows in self._blocks(len(weights))])

    def _blocks(self, n: int) -> Iterator[slice]:
        scene, ious = self.question.matches.scene, len(self.question.ious)
        step = max(1, CELLS // (1 + scene.predictions.n + len(self.question.matches.partners.prediction) * ious))
        yield from (slice(start, start + step) for start in range(0, n, step))

    def _few(self, weights: Array) -> Array:
        scene = self.question.matches.scene
        of_image = weights[:, self.group]
        both = Weights(of_image[:, scene.predictions.image], of_image[:, scene.truth.image])
        values = replicated_values(self.question, self.units, both)
        known = np.isfinite(values)
        with quiet():
            return np.asarray(np.where(known, values, 0).sum(axis=1) / np.where(known.any(axis=1), known.sum(axis=1), np.nan))

    def replicates(self, draw: Draw, draws: int, stratified: bool) -> tuple[Array, Array]:
        """Return the values of replicates; the variance of each is not computed."""
        del stratified
        return self.of(draw(np.ones(self.groups), None, draws)), np.full(draws, np.nan)

    def without_each(self) -> tuple[Array, Array]:
        """Return the value without each group."""
        return self.of(1.0 - np.eye(self.groups)), np.ones(self.groups)


def ends_of(sample: OfImages, method: str, request: Request) -> tuple[float, float]:
    """Return the ends of the interval of a sample."""
    if method not in WAYS:
        raise ValueError(f"method={method!r} is not possible here. Choose from {', '.join(map(repr, WAYS))}.")
    if sample.groups < 2 or math.isnan(sample.value):
        return math.nan, math.nan
    if method != "bootstrap":
        return METHODS[method](sample, request)  # type: ignore[arg-type]
    drawn, _ = sample.replicates(multinomial(request.rng), request.draws, False)
    around, bias = _around(drawn[np.isfinite(drawn)], sample.value)
    if not len(around):
        return math.nan, math.nan
    low, high = np.quantile(around, request.tails)
    return max(float(low) - max(bias, 0), 0.0), min(float(high) - min(bias, 0), 1.0)


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
        """Return the interval of the difference, and its p-values, from the same draws of images for both."""
        weights = multinomial(asked.rng)(np.ones(self.left.groups), None, asked.draws)
        apart = self.left.of(weights) - self.right.of(weights)
        around, bias = _around(apart[np.isfinite(apart)], asked.value)
        found = answer_of_draws(around, asked)
        return replace(found, low=found.low - max(bias, 0), high=found.high - min(bias, 0))
