"""The free-response ROC curve: the share of objects found against false predictions.

Equal scores are one threshold. Between two thresholds the curve is straight, and behind the last it stays. Its score is the mean
of its height at some numbers of false predictions, as challenges of lesion detection have it. Images were sampled, so images are
drawn again: each counts as often as a gamma number says (a Bayesian bootstrap).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.numbers.functions import ratio
from ...algebra.wilson import check_level
from ...inference.intervals.interval import Interval
from ...inference.sampling.samples import chunk_sizes
from ...scores.curves.curve import Curve
from ...scores.curves.curve_band import Band, envelope
from ...words.call_mistakes import answers_mistakes
from ...words.wording import number_of, short
from ..match.matches import Ranking

AT = (0.25, 0.5, 1, 2, 4, 8)  # false predictions for each image at which the height is averaged
DRAWS, GRID = 1000, 200


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class FreeResponse:
    """A free-response ROC curve of detections, with its score.

    Attributes
    ----------
    at : tuple of float
        The numbers of false predictions for each image at which the height is averaged.
    thresholds : array
        The scores, from the highest.
    found, false : array
        How many objects are found, and how many predictions are false, at each threshold and above.
    objects, images : int
        How many there are.
    unit : label or None
        The class; None of all together.
    steps : tuple of array
        Of each prediction, from the highest score: its image, and whether it finds an object or is false.
    truth : array
        The image of each object.
    ends : array
        The last prediction of each threshold.
    """

    at: tuple[float, ...]
    thresholds: Array
    found: Array
    false: Array
    objects: int
    images: int
    unit: Any
    steps: tuple[Array, Array, Array]
    truth: Array
    ends: Array

    @cached_property
    def curve(self) -> Curve:
        """The curve: ``.x`` false predictions for each image, ``.y`` sensitivities, ``.area`` the score."""
        x, y = _points(self.found, self.false, self.objects, self.images)
        axes = ("false predictions per image", "sensitivity")
        score = float(np.interp(self.at, x, y).mean())
        thresholds = np.append(np.inf, self.thresholds)
        return Curve("froc", x, y, thresholds, axes, score, unit=self.unit, measured=self._band)

    @property
    def value(self) -> float:
        """The score: the mean height of the curve; nan without objects."""
        return float(self.curve.area)  # type: ignore[arg-type]

    def _drawn(self, at: Any, seed: int = 0) -> Array:
        """Return heights at some numbers of false predictions, of images drawn again.

        A row for each curve, a column for each number.
        """
        rng, (image, right, wrong) = np.random.default_rng(seed), self.steps
        heights = []
        for some in chunk_sizes(DRAWS, 3 * max(len(image), self.images)):
            weights = rng.standard_exponential((some, self.images))
            of_each = weights[:, image]
            found, false = (np.cumsum(of_each * side, axis=1)[:, self.ends] for side in (right, wrong))
            objects = weights[:, self.truth].sum(axis=1)
            each = zip(found, false, objects, weights.sum(axis=1), strict=True)
            heights += [np.interp(at, *_points(*one)) for one in each]
        return np.stack(heights)

    def interval(self, level: float = 0.95, *, seed: int = 0) -> Interval:
        """Return the score with an interval, for other images like these.

        Parameters
        ----------
        level : float, default 0.95
            In which share of samples the interval is to cover the true value.
        seed : int, default 0
            Seed of the random draws.

        Returns
        -------
        Interval
            value, low and high; of one image there is none.

        Examples
        --------
        >>> import indicatrix as ix
        >>> truth = [{"boxes": [[0, 0, 10, 10]], "labels": ["cat"]}] * 20
        >>> found = [{"boxes": [[0, 0, 10, 9 - k % 3 * 4]], "labels": ["cat"], "scores": [0.9 - k / 50]} for k in range(20)]
        >>> low, high = ix.detection(truth, found).froc().interval()
        >>> 0.3 < low < high < 0.9
        True
        """
        check_level(level)
        if self.images < 2 or not self.objects:
            what = "one image" if self.objects else "images without objects"
            raise ValueError(f"There is no interval of {what}: images are what was sampled.")
        low, high = envelope(self._drawn(self.at, seed).mean(axis=1, keepdims=True), level, simultaneous=False)
        note = "" if high[0] > low[0] else "Every image gives the same score, which does not mean that it is certain."
        return Interval(self.value, float(low[0]), float(high[0]), level, "gamma", note)

    def _band(self, level: float, simultaneous: bool) -> Band:
        """Return the band of the heights at some numbers of false predictions."""
        check_level(level)
        x = np.unique(np.append(np.linspace(0, max(float(self.curve.x[-1]), 0.0), GRID), 0.0))
        if not self.objects or not self.images:
            nothing = np.full(len(x), np.nan)
            return Band(x, x, nothing, nothing, level, "")
        where = "all numbers of false predictions at once" if simultaneous else "each number of false predictions"
        says = f"{100 * level:.4g}% of sensitivity at {where}"
        return Band(x, x, *envelope(self._drawn(x), level, simultaneous=simultaneous), level, says)

    def plot(self, *, interval: float | bool = True, simultaneous: bool = False, ax: Any = None) -> Any:
        """Return axes with the curve and its band.

        Parameters
        ----------
        interval : float or bool, default True
            The level of the band, or False for none.
        simultaneous : bool, default False
            Whether the band is to hold at all points at once.
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> boxes = {"boxes": [[0, 0, 10, 10]], "labels": ["cat"]}
        >>> ax = ix.detection([boxes] * 3, [{**boxes, "scores": [0.5]}] * 3).froc().plot()
        >>> ax.get_ylabel()
        'sensitivity'
        """
        return self.curve.plot(interval=interval, simultaneous=simultaneous, ax=ax)

    def __repr__(self) -> str:
        at = ", ".join(f"{x:g}" for x in self.at)
        images = number_of(self.images, "image")
        return f"<FreeResponse: mean sensitivity {self.value:.4g} at {at} false predictions per image, {images}>"


def _points(found: Array, false: Array, objects: float, images: float) -> tuple[Array, Array]:
    """Return false predictions for each image and shares of found objects, from nothing on."""
    return ratio(np.append(0.0, false), images), ratio(np.append(0.0, found), objects)


def free_response(ranking: Ranking, scene: Any, at: Any, unit: Any) -> FreeResponse:
    """Return the free-response curve of a ranking at one threshold of the overlap."""
    numbers = np.atleast_1d(np.asarray(AT if at is None else at, dtype=object)).ravel().tolist()
    if not numbers or not all(
        isinstance(x, int | float | np.number) and not isinstance(x, bool) and 0 <= x < np.inf for x in numbers
    ):
        raise ValueError(f"at={short(at)} must be numbers of false predictions for each image, such as (0.25, 0.5, 1, 2, 4, 8).")
    every = ranking.with_every_step()
    right = every.right[:, 0].astype(float)
    wrong = (every.counts & ~every.found[:, 0]).astype(float)
    scores = scene.predictions.score[every.order]
    ends = np.flatnonzero(np.append(scores[1:] != scores[:-1], True)) if len(scores) else np.zeros(0, np.intp)
    steps = (scene.predictions.image[every.order], right, wrong)
    truth = scene.truth.image[ranking.truth]
    found, false = np.cumsum(right)[ends], np.cumsum(wrong)[ends]
    given = tuple(float(x) for x in numbers)
    return FreeResponse(given, scores[ends], found, false, ranking.objects, len(scene.images), unit, steps, truth, ends)
