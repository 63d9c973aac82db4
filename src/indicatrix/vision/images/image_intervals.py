"""Intervals and differences of scores of images: images were sampled, or groups such as sequences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import Average, Name, score_name
from ...algebra.convention import plain_part
from ...algebra.counts import Counts
from ...algebra.ends import check_level
from ...algebra.measure import Measure
from ...algebra.score import Undefined, check_undefined
from ...catalogue.listing import measure_and_average
from ...inference.estimators.of_weights import OfWeights, variance_of
from ...inference.intervals.interval import METHODS, Interval, Request
from ...inference.paired.difference import Difference
from ...inference.paired.tests import Answer, Question, bootstrap_answer, check_margin, normal_answer
from ...inference.sampling.draw_weights import check_draws, multinomial
from ...inference.stats.quantiles import normal, student
from .image_scores import ImageStatistic, check_source, find_average, reads_counts
from .image_units import Halves, groups_of, mean_of_units

NO_SPREAD = "Every image has the same value here, which does not mean that it is certain."
TRY = "Use method='halves', or 'ap(interpolation=\"step\")'."
EDGE = 1e-3  # a center nearer to 0 or 1 would make an interval on the scale of the logit endless


@dataclass(frozen=True, eq=False)
class OfImages(OfWeights):
    """A score as a function of how often each group of images counts, as intervals ask for it."""

    measure: Measure
    units: ImageStatistic
    rule: Average
    undefined: Undefined
    axis: Array | None  # the place of each image on the axis of images that the average keeps; None if it keeps none
    group: Array  # the group of each image that was sampled: itself, or its sequence
    groups: int
    smooth: bool = False

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        return self.measure.range

    @property
    def freedom(self) -> float:
        """How many groups were sampled, less one."""
        return self.groups - 1.0

    @cached_property
    def value(self) -> float:
        """The value of the sample."""
        return float(self.of(self.often[None])[0])

    @cached_property
    def often(self) -> Array:
        """How often each group is in the sample: once."""
        return np.ones(self.groups)

    @cached_property
    def _drawn_as_a_whole(self) -> tuple[Array, Array, Array] | None:
        """The value, the weight and the group of each unit, if a unit is never drawn in part.

        Then drawing changes how often a unit counts, not its value.
        """
        if self.axis is None:
            return None
        at = next(k for k, axis in enumerate(self.rule.per) if axis != "class")
        shape = [*map(len, self.units.names)]
        of_unit = np.zeros(shape[at], np.intp)
        of_unit[self.axis] = self.group
        if (of_unit[self.axis] != self.group).any():
            return None
        places = np.broadcast_to(of_unit.reshape([-1 if k == at else 1 for k in range(len(shape))]), shape)
        values, weights = self._known(self.units)
        return values.ravel(), weights.ravel(), places.ravel()

    def _weigh(self, counts: Counts) -> Any:
        return self.rule.weights(self.measure, counts) if self.rule.per else None

    def _known(self, units: ImageStatistic) -> tuple[Array, Array]:
        """Return the values of units under the convention, and their weights."""
        values, weights = units.values(), self._weigh(units.counts)
        weights = np.ones(values.shape) if weights is None else np.asarray(weights, np.float64)
        known, stand_in = np.isfinite(values), plain_part(self.undefined)
        if isinstance(stand_in, str):
            return np.where(known, values, 0.0), np.where(known, weights, 0.0)
        return np.where(known, values, float(stand_in)), weights

    def units_of(self, weights: Array) -> tuple[Array, Array]:
        """Return the value of each unit and its weight, for each row of weights of the groups."""
        if self._drawn_as_a_whole is not None:
            values, own, group = self._drawn_as_a_whole
            return np.broadcast_to(values, (len(weights), len(values))), own * weights[:, group]
        values, own = self._known(self.units.counted(weights[:, self.group]))
        return values.reshape(len(weights), -1), own.reshape(len(weights), -1)

    def of(self, weights: Array) -> Array:
        """Return the value for each row of weights of the groups."""
        return mean_of_units(*self.units_of(weights))

    @cached_property
    def added(self) -> Array:
        """What one more of each group adds to the score."""
        if self._drawn_as_a_whole is not None:
            values, weights, group = self._drawn_as_a_whole
            return np.asarray(np.bincount(group, weights * (values - self.value), self.groups) / weights.sum())
        values, weights = self._known(self.units)
        total = weights.sum()
        own = self.units.moves(weights / total, (values - self.value) / total, self._weigh)
        return np.bincount(self.group, own, self.groups)


def sample_of(source: Any, measure: Measure, average: Any, clusters: str | None, undefined: Undefined) -> OfImages:
    """Return a score of images as a function of how often each image, or group of images, counts."""
    check_undefined(undefined)
    check_source(measure, source)
    _, rule = find_average(source, measure, average)
    axes = [axis for axis in rule.per if axis != "class"]
    axis = groups_of(axes[0], source.images, source.by)[1] if axes else None
    names, group = groups_of("image" if clusters is None else clusters, source.images, source.by)
    return OfImages(measure, source.units(measure, rule.per, undefined=undefined), rule, undefined, axis, group, len(names))


def interval(
    source: Any,
    measure: str | Measure,
    average: Name | None = None,
    *,
    level: float = 0.95,
    method: str | None = None,
    clusters: str | None = None,
    undefined: Undefined = "exclude",
    seed: int = 0,
    draws: int | None = None,
) -> Interval:
    """Return a score with an interval: images were sampled, or groups of them.

    Parameters
    ----------
    measure : str or Measure
        A measure or its name, as ``score`` takes it.
    average : str
        The average, as ``score`` takes it.
    level : float, default 0.95
        In which share of samples the interval is to cover the true value.
    method : str, optional
        Of detections 'halves', the usual one: random halves of the images tell the spread and by how much average precision is
        too high in a sample of this size. Or 'bootstrap': images are drawn with replacement, and the interval is wider on one
        side by the bias of these replicates. Of segments 'delta', from slopes, and of distances 'bca' are the usual ones, and
        both have the other, too. Of all 'percentile' of replicates, and 'jackknife', which leaves out one image at a time. AR,
        and AP with interpolation='step', also have 'delta'.
    clusters : str, optional
        An axis of by= such as 'sequence', whose images were sampled together. Default: each image was sampled alone.
    undefined : str or number, default 'exclude'
        What an undefined value does, as in ``score``.
    seed, draws : int
        Seed of the random draws, and how many there are. Default: 500 draws for halves, otherwise 2000.

    Returns
    -------
    Interval
        The value and the ends.

    Examples
    --------
    >>> import indicatrix as ix
    >>> one, two = {"boxes": [[0, 0, 9, 9]], "labels": [1]}, {"boxes": [[0, 0, 9, 4]], "labels": [1]}
    >>> result = ix.detection([one] * 8, [{**one, "scores": [0.5]}] * 4 + [{**two, "scores": [0.4]}] * 4)
    >>> result.interval("ar", "macro", draws=100)
    0.5 [0.195, 0.805] (95%, halves)
    >>> one, two = ([[1, 1, 1, 2]], [[0, 0, 0, 0]]), ([[1, 1, 2, 2]], [[0, 0, 0, 0]])
    >>> ix.panoptic([one] * 8, [one] * 4 + [two] * 4).interval("pq", "macro")
    0.667 [0.369, 0.965] (95%, delta)
    """
    found, average = measure_and_average(measure, average)
    if reads_counts(found, source):
        own: dict[str, Any] = {"level": level, "method": method, "undefined": undefined, "seed": seed}
        return source.counts().interval(found, average, clusters=clusters or "image", **own)  # type: ignore[no-any-return]
    sample = sample_of(source, found, average, clusters, undefined)
    method, draws = method or found.facts.usual, found.facts.draws if draws is None else draws
    check_level(level)
    check_draws(draws)
    _check_slopes(found, method)
    if method not in found.facts.ways:
        raise ValueError(f"method={method!r} is not possible here. Choose from {', '.join(map(repr, found.facts.ways))}.")
    ends = math.nan, math.nan
    if sample.groups > 1 and math.isfinite(sample.value):
        ends = (WAYS.get(method) or METHODS[method])(sample, Request(level, seed, draws))
    warning = NO_SPREAD if ends[0] == ends[1] else ""
    note = f"{_left_out({'': sample})} {warning}".strip()
    about = {"measure": found, "average": find_average(source, found, average)[0], "warning": warning, "undefined": undefined}
    return Interval(sample.value, *ends, level, method, note, **about)


def _left_out(sides: Mapping[str, OfImages]) -> str:
    """Return a sentence about infinite distances: they are left out, so that a miss does not count."""
    many = {whose: side.units.left_out for whose, side in sides.items()}
    if not any(infinite for infinite, _ in many.values()):
        return ""
    parts = " and ".join(f"{infinite} of {known} distances{whose}" for whose, (infinite, known) in many.items())
    return f"Left out as infinite: {parts}, where only one side has the class. one_sided='diagonal' counts them."


def by_halves(sample: OfImages, request: Request) -> tuple[float, float]:
    """Return the ends from random halves, on the scale of the logit; the value stays inside."""
    n, value = sample.groups, sample.value
    found = Halves.of(sample.units_of, n, request.rng, request.draws)
    spread = float(found.errors.std())
    if not spread > 0:
        return value, value
    center = min(max(value - found.bias, EDGE), 1 - EDGE)
    half = student(request.level, n - 1) * spread / (center * (1 - center))
    low, high = (1 / (1 + (1 - center) / center * math.exp(-step)) for step in (-half, half))
    return min(low, value), max(high, value)


def by_bootstrap(sample: OfImages, request: Request) -> tuple[float, float]:
    """Return the ends of replicates, moved so that their mean is the value.

    Average precision takes the best of several precisions, so it is too high in a sample, and higher still in replicates. They
    tell the spread; their bias widens the interval on the side where the true value is to be expected.
    """
    drawn, _ = sample.replicates(multinomial(request.rng), request.draws, False)
    drawn = drawn[np.isfinite(drawn)]
    if not len(drawn):
        return math.nan, math.nan
    bias = float(drawn.mean()) - sample.value
    low, high = np.quantile(drawn - bias, request.tails)
    return max(float(low) - max(bias, 0), sample.span[0]), min(float(high) - min(bias, 0), sample.span[1])


WAYS = {"halves": by_halves, "bootstrap": by_bootstrap}


def compare(
    source: Any,
    other: Any,
    measure: str | Measure,
    average: Name | None = None,
    *,
    level: float = 0.95,
    margin: float | None = None,
    method: str | None = None,
    clusters: str | None = None,
    undefined: Undefined = "exclude",
    seed: int = 0,
    draws: int | None = None,
    names: tuple[str, str] = ("first", "second"),
) -> Difference:
    """Return how much this model differs from another on the same images, which are drawn together.

    ``ix.compare({"new": one, "old": other}, ["ap", "ar"], "macro")`` compares any number of models by any number of scores.

    Parameters
    ----------
    other : result of the same kind
        Another model, evaluated on the same images with the same truth.
    measure : str or Measure
        A measure or its name, as ``score`` takes it.
    average : str
        The average, as ``score`` takes it.
    level : float, default 0.95
        In which share of samples the interval is to cover the true difference.
    margin : float, optional
        A difference that does not matter.
    method : str, optional
        'halves', 'bootstrap' or 'delta', as in ``interval``. Default: 'halves' for detections, otherwise 'bootstrap'.
    clusters : str, optional
        An axis of by= such as 'sequence', whose images were sampled together.
    undefined : str or number, default 'exclude'
        What an undefined value does, as in ``score``.
    seed, draws : int
        Seed of the random draws, and how many there are.
    names : tuple of str
        What the two are called.

    Returns
    -------
    Difference
        This less the other, with an interval and a p-value.

    Examples
    --------
    >>> import indicatrix as ix
    >>> truth, near, far = [[[0, 1, 0, 0]]] * 8, [[[0, 1, 1, 0]]] * 8, [[[0, 1, 1, 1]]] * 8
    >>> one, two = ix.vision.surface_distances(truth, near), ix.vision.surface_distances(truth, far)
    >>> one.compare(two, "hausdorff", "macro", draws=100).value
    -1.0
    """
    found, average = measure_and_average(measure, average)
    if not isinstance(names, tuple | list) or len(names) != 2 or names[0] == names[1]:
        raise ValueError(f"names={names!r} must be two different names, such as ('new', 'old').")
    source.check_comparable(other)
    options: dict[str, Any] = {"method": method, "clusters": clusters, "undefined": undefined, "seed": seed, "draws": draws}
    both = source, other
    value, answer, chosen, note = paired_answer(*both, found, average, level=level, margin=margin, names=names, **options)
    name, ends = (
        score_name(found, find_average(source, found, average)[0]),
        answer.interval(value, level, clear=answer.p < 1 - level),
    )
    facts: dict[str, Any] = {"margin": margin, "equivalent": answer.equivalent, "better": found.better, "note": note}
    facts["not_worse"] = answer.not_higher if found.better == "lower" else answer.not_lower
    return Difference(name, *names, value, *ends, level, answer.p, answer.p, chosen, **facts)


def paired_answer(
    one: Any,
    two: Any,
    measure: Measure,
    average: Any,
    *,
    level: float,
    margin: float | None,
    names: tuple[str, str],
    method: str | None = None,
    clusters: str | None = None,
    undefined: Undefined = "exclude",
    seed: int = 0,
    draws: int | None = None,
) -> tuple[float, Answer, str, str]:
    """Return the difference of a score on the same images: its interval, p-values, method and note.

    ``method`` is 'halves', 'bootstrap' or 'delta'. Default: 'halves' where a score takes the best of several precisions,
    otherwise 'bootstrap'.
    """
    check_source(measure, one)  # counts have other facts, and a comparison of their own
    draws = measure.facts.draws if draws is None else draws
    chosen = method or ("halves" if measure.facts.usual == "halves" else "bootstrap")
    check_level(level)
    check_margin(margin)
    check_draws(draws)
    if chosen not in PAIRED or chosen not in (*measure.facts.ways, "bootstrap"):
        raise ValueError(f"method={method!r} is not possible here. Choose from {', '.join(map(repr, PAIRED))}.")
    _check_slopes(measure, chosen)
    left, right = sides = [sample_of(side, measure, average, clusters, undefined) for side in (one, two)]
    value = left.value - right.value
    answer = PAIRED[chosen](left, right, Question(value, level, margin, seed, draws))
    return value, answer, chosen, _left_out({f" of {name}": side for name, side in zip(names, sides, strict=True)})


def by_slopes(one: OfImages, two: OfImages, asked: Question) -> Answer:
    """Return the answer of how fast the difference moves with each group."""
    if one.groups < 2 or math.isnan(asked.value):
        return bootstrap_answer(np.zeros(0), asked)
    moves = one.added - two.added
    return normal_answer(asked, variance_of(moves), one.freedom)


def by_same_draws(one: OfImages, two: OfImages, asked: Question) -> Answer:
    """Return the answer of replicates in which both have the same images."""
    weights = multinomial(asked.rng)(np.ones(one.groups), None, asked.draws)
    apart = one.of(weights) - two.of(weights)
    return bootstrap_answer(apart[np.isfinite(apart)], asked)


def by_same_halves(one: OfImages, two: OfImages, asked: Question) -> Answer:
    """Return the answer of the same random halves for both, less the bias that they show."""
    n = one.groups
    if n < 2 or math.isnan(asked.value):
        return bootstrap_answer(np.zeros(0), asked)

    def apart(weights: Array) -> tuple[Array, Array]:
        (left, own), (right, theirs) = one.units_of(weights), two.units_of(weights)
        return left - right, own * (theirs > 0)

    found = Halves.of(apart, n, asked.rng, asked.draws)
    wider = student(asked.level, n - 1) / normal(asked.level)  # few images do not tell the spread exactly
    return bootstrap_answer(asked.value - found.bias + wider * found.errors, asked)


PAIRED = {"halves": by_same_halves, "bootstrap": by_same_draws, "delta": by_slopes}


def _check_slopes(measure: Measure, method: str) -> None:
    if method == "delta" and measure.params.get("interpolation", "step") != "step":
        raise ValueError(f"{measure} takes the best of several precisions, so it has no slopes. {TRY}")
