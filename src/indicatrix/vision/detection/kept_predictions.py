"""Predictions kept from a score on: the best score, counts, curves, images with the most errors.

The free-response ROC curve: the share of objects found against false predictions.

Equal scores are one threshold. Between two thresholds the curve is straight, and behind the last it stays. Its score is the mean
of its height at some numbers of false predictions, as challenges of lesion detection have it. Images were sampled, so images are
drawn again: each counts as often as a gamma number says (a Bayesian bootstrap).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import Average, evaluate_labels
from ...algebra.counts import Counts
from ...algebra.derived.derived_facts import SIGNS, needed_direction
from ...algebra.ends import check_level
from ...algebra.measure import Measure
from ...algebra.numbers.functions import ratio
from ...encode.indicator import Indicator
from ...inference.intervals.interval import Interval
from ...inference.sampling.samples import chunk_sizes
from ...ranking.ranked import Ranked, rank_scores
from ...scores.areas import AREAS
from ...scores.curves.curve import Curve
from ...scores.curves.curve_band import Band, envelope
from ...scores.thresholds.best_thresholds import NEAR, Best, plateaus_of
from ...words.call_mistakes import answers_mistakes
from ...words.wording import number_of, short
from ..match.matches import Matches, Ranking, match, truths_and_predictions
from ..match.ranked_objects import steps_of
from ..shapes.shapes import Scene


def best_score(measure: Measure, rule: Average, units: list[Ranking], scores: Array) -> Best:
    """Return the best average over units of a measure, over all scores from which predictions are kept.

    Undefined values are left out of the mean, and so are scores at which every value is undefined.
    """
    sign = SIGNS[needed_direction(measure)]
    ranked = [_rank_predictions(unit, scores) for unit in units]
    thresholds = np.append(np.inf, -np.unique(-np.concatenate([r.scores for r in ranked])) if ranked else [])
    counts_of = [_counts(*pair, thresholds) for pair in zip(ranked, units, strict=True)]
    values = np.stack([measure.values(counts) for counts in counts_of])
    weights = np.stack([_weights(rule, measure, counts) for counts in counts_of])
    known = np.isfinite(values) & (weights != 0)
    total, over = (np.where(known, x, 0).sum(axis=0) for x in (weights * np.where(known, values, 0), weights))
    mean = np.divide(total, over, out=np.full(len(thresholds), np.nan), where=over != 0)
    if not np.isfinite(mean).any():
        return Best(measure, np.nan, np.nan, np.nan, np.nan, (), None)
    top = np.nanmax(sign * mean)
    chosen = np.flatnonzero(np.nan_to_num(sign * mean, nan=-np.inf) >= top - NEAR * 1e-3)
    plateaus, (low, high) = plateaus_of(chosen, thresholds)
    at = int(np.flatnonzero(thresholds == high)[0])
    one = _counts(ranked[0], units[0], thresholds[[at]]) if len(units) == 1 else None
    counts = None if one is None else Counts(int(one.tp[0]), int(one.fp[0]), int(one.fn[0]), 0).without("tn")
    return Best(measure, float(mean[at]), high, low, high, plateaus, counts)


def _weights(rule: Average, measure: Measure, counts: Counts) -> Array:
    """Return the weight of a unit at each threshold."""
    weights = None if rule.pools else rule.weights(measure, counts)
    return np.ones(len(counts.tp)) if weights is None else np.asarray(weights)


def _rank_predictions(unit: Ranking, scores: Array) -> Ranked:
    """Return the predictions of a unit that count, and whether each is right."""
    right, ignored = np.zeros(len(unit.order), bool), ~unit.counts
    right[unit.place] = unit.right[:, 0]
    ignored[unit.place] = np.where(unit.found[:, 0], ~unit.right[:, 0], ignored[unit.place])
    return rank_scores(scores[unit.order[~ignored]], right[~ignored])


def _counts(ranked: Ranked, unit: Ranking, thresholds: Array) -> Counts:
    reached = ranked.count_reaching(thresholds)
    tp, fp = ranked.tp[reached], ranked.fp[reached]
    return Counts(tp, fp, unit.objects - tp, np.zeros_like(tp), per=("threshold",), names=(tuple(thresholds.tolist()),)).without(
        "tn"
    )


BACKGROUND = "background"


def examples_at(matches: Matches, score: float, t: int, a: int, most: int | None) -> tuple[Array, Array, Array]:
    """Return the true class, the predicted class and the image of each example at a score.

    An example is a match, a false prediction or a missed object; -1 stands for no class.
    """
    scene = matches.scene
    if matches.made.rule == "optimal":  # what has a lower score must not take an object away
        scene = replace(scene, predictions=scene.predictions.take(np.flatnonzero(scene.predictions.score >= score)))
        matches = match(scene, matches.made)
    kept = matches.kept_predictions(most)
    return truths_and_predictions(scene, matches, kept[scene.predictions.score[kept] >= score], t, a)


def evaluation_of(scene: Scene, true: Array, pred: Array, image: Array) -> Any:
    """Return the evaluation of examples, with the images and the axes of by= as axes.

    Nothing is known of true negatives: the boxes that nobody drew are not counted.
    """
    y_true, y_pred = (Indicator.from_codes(codes, scene.classes) for codes in (true, pred))
    axes = {name: scene.axis(name) for name in ("image", *scene.by)}
    by = {name: [names[k] for k in of_image[image].tolist()] for name, (names, of_image) in axes.items()}
    return evaluate_labels(y_true, y_pred, by=by, unobserved=("tn",))


def confusion_table(true: Array, pred: Array, m: int) -> Array:
    """Return how often each true class meets each predicted one, with no class as the last.

    >>> confusion_table(np.array([0, -1]), np.array([0, 0]), 1).tolist()
    [[1, 0], [1, 0]]
    """
    rows, columns = (np.where(codes < 0, m, codes) for codes in (true, pred))
    return np.bincount(rows * (m + 1) + columns, minlength=(m + 1) ** 2).reshape(m + 1, m + 1)


@answers_mistakes
@dataclass(frozen=True, eq=False)
class ImageCase:
    """What happened in one image at a score, as positions of predictions and objects.

    Attributes
    ----------
    image : label
        The name of the image.
    found : array
        The predictions that match an object.
    false : array
        The predictions that match nothing.
    missed : array
        The objects that no prediction matches.

    Examples
    --------
    >>> import indicatrix as ix
    >>> truth = [{"boxes": [[0, 0, 9, 9], [20, 20, 30, 30]], "labels": [1, 1]}]
    >>> found = [{"boxes": [[0, 0, 9, 8], [50, 50, 60, 60]], "labels": [1, 1], "scores": [0.9, 0.8]}]
    >>> ix.detection(truth, found).worst(score=0.5)
    (image 0: 1 found, 1 false, 1 missed,)
    """

    image: Any
    found: Array
    false: Array
    missed: Array

    @property
    def errors(self) -> int:
        """How many predictions are false and objects missed."""
        return len(self.false) + len(self.missed)

    def __repr__(self) -> str:
        return f"image {self.image!r}: {len(self.found)} found, {len(self.false)} false, {len(self.missed)} missed"


def image_cases(matches: Matches, score: float, t: int, a: int) -> list[ImageCase]:
    """Return what happened in each image at a score, the images in order."""
    scene, at = matches.scene, np.flatnonzero(matches.scene.predictions.score >= score)
    if matches.made.rule == "optimal":  # what has a lower score must not take an object away
        scene = replace(scene, predictions=scene.predictions.take(at))
        matches = match(scene, matches.made)
        own = matches.kept_predictions()
    else:
        own, at = np.intersect1d(matches.kept_predictions(), at), np.arange(scene.predictions.n)
    partner = matches.partner_of(own, t, a)
    ignored = np.append(matches.ignored[:, a], False)  # -1 is the last one
    found, false = own[(partner >= 0) & ~ignored[partner]], own[(partner < 0) & ~matches.outside[own, a]]
    missed = np.setdiff1d(np.flatnonzero(~matches.ignored[:, a]), partner)
    sides = ((found, scene.predictions.image, at), (false, scene.predictions.image, at), (missed, scene.truth.image, None))
    groups = [_by_image(places, image, len(scene.images), names) for places, image, names in sides]
    return [ImageCase(name, *parts) for name, *parts in zip(scene.images, *groups, strict=True)]


def _by_image(places: Array, image: Array, n: int, names: Array | None) -> list[Array]:
    places = places[np.argsort(image[places], kind="stable")]
    cuts = np.searchsorted(image[places], np.arange(1, n))
    return np.split(places if names is None else names[places], cuts) if n else []


def worst_cases(cases: list[ImageCase], k: int) -> tuple[ImageCase, ...]:
    """Return the images with the most errors; of equal ones, first those where less was found."""
    order = sorted((case for case in cases if case.errors), key=lambda case: (-case.errors, len(case.found)))
    return tuple(order[:k])


def precision_recall(ranking: Ranking, scores: Array) -> Curve:
    """Return recall and precision after each prediction that counts, at one threshold of the overlap.

    The curve ends at the recall that is reached. Its area is the average precision by steps.
    """
    steps = steps_of(ranking.with_every_step())
    tp, fp = steps.tp[0, :-2], steps.fp[0, :-2]
    moved = np.append(True, (np.diff(tp) != 0) | (np.diff(fp) != 0))  # an ignored prediction changes nothing
    thresholds = np.append(np.inf, scores[ranking.order])[moved]
    recall, precision = ratio(tp, np.full(len(tp), float(ranking.objects)))[moved], ratio(tp, tp + fp)[moved]
    return Curve(
        "pr", recall, precision, thresholds, ("recall", "precision"), float(AREAS["average_precision"].function(steps)[0])
    )


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
