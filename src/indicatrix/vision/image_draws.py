"""Images as what was sampled: intervals and paired differences of any number that sums over images."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.arrays import Array, quiet
from ..algebra.shares import check_level
from ..inference.intervals.interval import Interval
from ..inference.intervals.methods import METHODS, Request
from ..inference.paired.difference import Difference
from ..inference.paired.tests import Question, bootstrap_answer, check_margin
from ..inference.sampling.draw_weights import Draw, check_draws, multinomial
from .image_axes import check_sample

WAYS = ("bca", "percentile", "jackknife")
NO_SPREAD = "Every image has the same value here, which does not mean that it is certain."


class DrawnGroups(ABC):
    """A number as a function of how often each group of images counts, as intervals ask for it."""

    groups: int

    @abstractmethod
    def of(self, weights: Array) -> Array:
        """Return the value for each row of weights of the groups."""

    @property
    def freedom(self) -> float:
        """How many groups were sampled, less one."""
        return self.groups - 1.0

    @property
    def value(self) -> float:
        """The value of the sample."""
        return float(self.of(np.ones((1, self.groups)))[0])

    def replicates(self, draw: Draw, draws: int, stratified: bool) -> tuple[Array, Array]:
        """Return the values of replicates; the variance of each is not computed."""
        del stratified
        return self.of(draw(np.ones(self.groups), None, draws)), np.full(draws, np.nan)

    def without_each(self) -> tuple[Array, Array]:
        """Return the value without each group."""
        return self.of(1.0 - np.eye(self.groups)), np.ones(self.groups)


@dataclass(frozen=True, eq=False)
class DrawnImages(DrawnGroups):
    """A number as a function of how often each image counts; images of one group are drawn together."""

    statistic: Callable[[Array], Array]  # (replicates, images) -> (replicates,)
    group: Array  # the group of each image: itself, or its sequence
    groups: int
    span: tuple[float, float] = (0.0, 1.0)
    smooth: bool = False

    def of(self, weights: Array) -> Array:
        """Return the value for each row of weights of the groups."""
        return self.statistic(weights[:, self.group])


def mean_of_known(values: Array, axis: int = 1) -> Array:
    """Return the mean of the values that are known, nan where nothing is known.

    >>> mean_of_known(np.array([[1.0, np.nan, 2.0]])).tolist()
    [1.5]
    """
    known = np.isfinite(values)
    with quiet():
        return np.asarray(
            np.where(known, values, 0).sum(axis=axis) / np.where(known.any(axis=axis), known.sum(axis=axis), np.nan)
        )


def groups_of(sample: str, images: tuple[Any, ...], by: dict[str, tuple[Any, ...]]) -> tuple[Array, int]:
    """Return the group of each image that was sampled, and the number of groups."""
    check_sample(sample, by)
    if sample == "image":
        return np.arange(len(images)), len(images)
    place = {name: k for k, name in enumerate(dict.fromkeys(by[sample]))}
    return np.array([place[name] for name in by[sample]], np.intp), len(place)


def check_pair(level: Any, margin: Any, draws: Any, names: Any) -> None:
    """Refuse what a comparison of two models cannot be asked with."""
    check_level(level)
    check_margin(margin)
    check_draws(draws)
    if not isinstance(names, tuple | list) or len(names) != 2 or names[0] == names[1]:
        raise ValueError(f"names={names!r} must be two different names, such as ('new', 'old').")


def interval_of_images(drawn: DrawnImages, method: str, request: Request, measure: Any, average: Any, note: str = "") -> Interval:
    """Return a number with its interval: images, or groups of them, are drawn with replacement."""
    check_level(request.level)
    check_draws(request.draws)
    if method not in WAYS:
        raise ValueError(f"method={method!r} is not possible here. Choose from {', '.join(map(repr, WAYS))}.")
    ends = math.nan, math.nan
    if drawn.groups > 1 and math.isfinite(drawn.value):
        ends = METHODS[method](drawn, request)  # type: ignore[arg-type]
    warning = NO_SPREAD if ends[0] == ends[1] else ""
    facts = {"measure": measure, "average": average, "warning": warning}
    return Interval(drawn.value, *ends, request.level, method, f"{note} {warning}".strip(), **facts)


def difference_of_images(
    one: DrawnImages,
    two: DrawnImages,
    name: str,
    names: tuple[str, str],
    asked: tuple[float, float | None, int, int],
    better: str,
    note: str = "",
) -> Difference:
    """Return how much a number differs between two models on the same images, which are drawn together.

    ``asked`` has the level, the margin, the seed and the number of draws.
    """
    level, margin, seed, draws = asked
    check_pair(level, margin, draws, names)
    value = one.value - two.value
    question = Question(value, level, margin, seed, draws)
    weights = multinomial(question.rng)(np.ones(one.groups), None, draws)
    apart = one.of(weights) - two.of(weights)
    answer = bootstrap_answer(apart[np.isfinite(apart)], question)
    p = answer.p
    ends = answer.interval(value, level, clear=p < 1 - level)
    worse = answer.not_higher if better == "lower" else answer.not_lower
    facts = {"margin": margin, "not_worse": worse, "equivalent": answer.equivalent, "better": better, "note": note}
    return Difference(name, *names, value, *ends, level, p, p, "bootstrap", **facts)  # type: ignore[arg-type]
