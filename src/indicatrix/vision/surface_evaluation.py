"""SurfaceEvaluation: distances between outlines of each image and class, and the numbers that follow."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array, quiet
from ..algebra.call_mistakes import answers_mistakes
from ..algebra.counts import Counts
from ..algebra.possible_averages import PossibleAverages
from ..algebra.quantity import Quantity
from ..algebra.score import Undefined, check_undefined, combine, score_of_units
from ..algebra.values import Values
from ..algebra.wording import listing, number_of
from ..inference.intervals.interval import Interval
from ..inference.intervals.methods import Request
from ..inference.paired.difference import Difference
from ..storage.formats import save, to_data
from .image_axes import check_same_images, check_same_truth, join_images, join_truths
from .image_draws import DrawnImages, difference_of_images, groups_of, interval_of_images, mean_of_known
from .surfaces import SurfacePair, average_distance, hausdorff, surface_dice

PAIRS = "pairs"  # the plain mean over pairs of surfaces, one for each image and class
NOT_POOLED = "surfaces of different classes are not pooled; 'pairs' is the mean over all pairs of surfaces."
NO_WEIGHTS = "distances between surfaces have no counts to weight by."
OF_SAMPLE = "it has no interval here; give sample= what was sampled."
DIRECTIONS = ("both", "each", "to_truth", "to_prediction")


@dataclass(frozen=True)
class _Question:
    """What is asked of each pair of surfaces."""

    quantity: Quantity
    value: Callable[[SurfacePair], float]
    distance: bool  # where only one side has the class, one_sided= says its value


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class SurfaceEvaluation:
    """Distances between true and predicted outlines; ``ix.vision.surface_distances`` makes it.

    Evaluations of different images can be added; they can be compared, saved and loaded.

    Averages: "macro" is the mean over classes of the mean over images of each; "image" the mean over images of the mean over
    classes of each; "pairs" the plain mean over all images and classes that have a value. They differ where classes are absent
    from some images.

    Attributes
    ----------
    classes : tuple
        The classes, in order.
    images : tuple
        The names of the images.
    by : dict
        What each image belongs to, such as its patient.
    pairs : tuple
        Of each image, and each class, the distances of both directions; None if the class occurs on neither side.
    truths : tuple of str
        A fingerprint of the true regions of each image and of its spacing, so that ``compare`` knows the same truth; "" if it
        is not known.
    one_sided : str or float
        The distance where only one side has the class.
    elements : str
        What a surface is made of: 'pixels', or 'areas' between them.

    Examples
    --------
    >>> import indicatrix as ix
    >>> truth, found = [[0, 1, 1, 0, 2]], [[0, 1, 1, 2, 2]]
    >>> result = ix.vision.surface_distances([truth], [found])
    >>> result, result.hausdorff(per="class").tolist()
    (<SurfaceEvaluation: 1 image, 2 classes>, [0.0, 1.0])
    """

    classes: tuple[Any, ...]
    images: tuple[Any, ...]
    by: dict[str, tuple[Any, ...]]
    pairs: tuple[tuple[SurfacePair | None, ...], ...]
    truths: tuple[str, ...]
    one_sided: Any = "inf"
    elements: str = "pixels"

    def hausdorff(
        self,
        percentile: float = 100,
        *,
        pooled: bool = False,
        average: str = "macro",
        per: Any = None,
        undefined: Undefined = "exclude",
    ) -> Any:
        """Return the Hausdorff distance: the largest distance from one outline to the other, or a percentile.

        Parameters
        ----------
        percentile : float, default 100
            The percentile of the distances; 95 gives HD95, which a few stray pixels do not change.
        pooled : bool, default False
            Whether the percentile is taken of the distances of both directions together. Otherwise it is taken of each direction,
            and the larger one counts. For 100 this is the same.
        average : str, default 'macro'
            'macro', 'image', 'pairs', or an axis of by=, whose units are averaged like images.
        per : str or tuple, optional
            'class' has the mean over images, 'image' the mean over classes, ('image', 'class') every value.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
            is an error. An infinite distance is undefined in an average; see ``one_sided``.

        Returns
        -------
        Score or Values
            The average, or with per= the value of each unit.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.vision.surface_distances([[[0, 1, 0, 0]]], [[[0, 1, 1, 1]]]).hausdorff(50)
        1.0
        """
        return self._number(self._read_question("hausdorff", percentile, pooled=pooled), average, per, undefined)

    def average_distance(
        self, directions: str = "both", *, average: str = "macro", per: Any = None, undefined: Undefined = "exclude"
    ) -> Any:
        """Return the average surface distance: the mean distance from a pixel of one outline to the other.

        Parameters
        ----------
        directions : str, default 'both'
            'both' is symmetric, the mean over the pixels of both outlines; 'each' is the mean of the two means; 'to_truth' is
            from the predicted outline, 'to_prediction' from the true one.
        average : str, default 'macro'
            'macro', 'image', 'pairs', or an axis of by=, as in ``hausdorff``.
        per : str or tuple, optional
            'class' has the mean over images, 'image' the mean over classes, ('image', 'class') every value.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude', a number, 'nan' or 'raise'.

        Returns
        -------
        Score or Values
            The average, or with per= the value of each unit.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.vision.surface_distances([[[0, 1, 0, 0]]], [[[0, 1, 1, 1]]]).average_distance()
        0.75
        """
        return self._number(self._read_question("average_distance", directions), average, per, undefined)

    def surface_dice(self, tolerance: float, *, average: str = "macro", per: Any = None, undefined: Undefined = "exclude") -> Any:
        """Return the normalised surface Dice: the share of both outlines within a tolerance of the other.

        Parameters
        ----------
        tolerance : float
            The distance that does not matter, in units of the spacing.
        average : str, default 'macro'
            'macro', 'image', 'pairs', or an axis of by=, as in ``hausdorff``.
        per : str or tuple, optional
            'class' has the mean over images, 'image' the mean over classes, ('image', 'class') every value.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude', a number, 'nan' or 'raise'.

        Returns
        -------
        Score or Values
            The average, or with per= the value of each unit.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.vision.surface_distances([[[0, 1, 0, 0]]], [[[0, 1, 1, 1]]]).surface_dice(1)
        0.75
        """
        return self._number(self._read_question("surface_dice", tolerance), average, per, undefined)

    def interval(
        self,
        quantity: str = "hausdorff",
        setting: Any = None,
        *,
        average: str = "macro",
        level: float = 0.95,
        method: str = "bca",
        sample: str = "image",
        seed: int = 0,
        draws: int = 2000,
    ) -> Interval:
        """Return a number with an interval: images are drawn with replacement.

        Parameters
        ----------
        quantity : str, default 'hausdorff'
            'hausdorff', 'average_distance' or 'surface_dice'.
        setting : float or str, optional
            The percentile, the directions or the tolerance. Left out: 100, or 'both'.
        average : str, default 'macro'
            'macro', 'image' or 'pairs', as in ``hausdorff``; undefined values are left out.
        level : float, default 0.95
            In which share of samples the interval is to cover the true value.
        method : str, default 'bca'
            'bca', 'percentile' or 'jackknife'.
        sample : str, default 'image'
            What was sampled: 'image', or an axis of by= such as 'patient', whose images then stay together.
        seed, draws : int
            Where random draws start, and how many there are.

        Returns
        -------
        Interval
            The value and the ends.

        Examples
        --------
        >>> import indicatrix as ix
        >>> truth, found = [[[0, 1, 0, 0]]] * 8, [[[0, 1, 1, 1]]] * 4 + [[[0, 1, 1, 0]]] * 4
        >>> ix.vision.surface_distances(truth, found).interval("hausdorff", 95, method="percentile", draws=200).value.__round__(3)
        1.425
        """
        asked = self._read_question(quantity, setting)
        values = self._values(asked)
        drawn = self._draw_images(asked, values, average, sample)
        note = _left_out({"": values})
        return interval_of_images(drawn, method, Request(level, seed, draws), asked.quantity, average, note)

    def compare(
        self,
        other: SurfaceEvaluation,
        quantity: str = "hausdorff",
        setting: Any = None,
        *,
        average: str = "macro",
        level: float = 0.95,
        margin: float | None = None,
        sample: str = "image",
        seed: int = 0,
        draws: int = 2000,
        names: tuple[str, str] = ("first", "second"),
    ) -> Difference:
        """Return how much this model differs from another on the same images: a paired bootstrap.

        Parameters
        ----------
        other : SurfaceEvaluation
            Another model, evaluated on the same images and classes.
        quantity : str, default 'hausdorff'
            'hausdorff', 'average_distance' or 'surface_dice'.
        setting : float or str, optional
            The percentile, the directions or the tolerance. Left out: 100, or 'both'.
        average : str, default 'macro'
            'macro', 'image' or 'pairs', as in ``hausdorff``; undefined values are left out.
        level : float, default 0.95
            In which share of samples the interval is to cover the true difference.
        margin : float, optional
            A difference that does not matter.
        sample : str, default 'image'
            What was sampled: 'image', or an axis of by= such as 'patient'.
        seed, draws : int
            Where random draws start, and how many there are.
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
        >>> one.compare(two, draws=100).value
        -1.0
        """
        check_same_images(self, other)
        self._check_made_alike(other)
        check_same_truth(self, other, (self._true_elements(), other._true_elements()))
        asked = self._read_question(quantity, setting)
        values = [side._values(asked) for side in (self, other)]
        one, two = (side._draw_images(asked, own, average, sample) for side, own in zip((self, other), values, strict=True))
        name, better = f"{average} {asked.quantity}", asked.quantity.better
        note = _left_out({f" of {called}": own for called, own in zip(names, values, strict=False)})
        return difference_of_images(one, two, name, names, (level, margin, seed, draws), better, note)

    def __add__(self, other: SurfaceEvaluation) -> SurfaceEvaluation:
        """Return the evaluation of the images of both, as if they had been given together."""
        if not isinstance(other, SurfaceEvaluation):
            return NotImplemented
        self._check_made_alike(other)
        joined = join_images(self, other)
        table: list[list[SurfacePair | None]] = [[None] * len(joined.classes) for _ in joined.images]
        for side, rows, columns in zip((self, other), joined.rows, joined.columns, strict=True):
            for i, row in zip(rows.tolist(), side.pairs, strict=True):
                for k, pair in zip(columns.tolist(), row, strict=True):
                    table[i][k] = pair
        pairs, truths = tuple(map(tuple, table)), join_truths(joined, self, other)
        return replace(self, images=joined.images, classes=joined.classes, by=joined.by, pairs=pairs, truths=truths)

    def __radd__(self, other: object) -> SurfaceEvaluation:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum() works

    def _check_made_alike(self, other: SurfaceEvaluation) -> None:
        if (self.one_sided, self.elements) != (other.one_sided, other.elements):
            raise ValueError("The two were made with another one_sided= or elements=. Make both in the same way.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SurfaceEvaluation):
            return NotImplemented
        return to_data(self) == to_data(other)

    __hash__ = None  # type: ignore[assignment]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the evaluation to a JSON file: the distances of each image and class, no pictures.

        Parameters
        ----------
        path : str or path
            The file.

        Examples
        --------
        >>> import os, tempfile
        >>> import indicatrix as ix
        >>> result = ix.vision.surface_distances([[[0, 1, 0, 0]]], [[[0, 1, 1, 1]]])
        >>> path = os.path.join(tempfile.mkdtemp(), "monday.json")
        >>> result.save(path)
        >>> ix.load(path) == result
        True
        """
        save(self, path)

    def _read_question(self, quantity: str, setting: Any, *, pooled: bool = False) -> _Question:
        """Return what is asked of each pair of surfaces, checked."""
        if quantity == "hausdorff":
            share = _number(100 if setting is None else setting, "percentile", 100)
            name = "hausdorff_distance" if share == 100 else f"hausdorff_distance(percentile={share:g})"
            return _Question(Quantity(name, "lower"), lambda pair: hausdorff(pair, share, pooled), True)
        if quantity == "average_distance":
            way = "both" if setting is None else setting
            if way not in DIRECTIONS:
                raise ValueError(f"directions={way!r} is unknown. Choose from {', '.join(map(repr, DIRECTIONS))}.")
            return _Question(Quantity("average_surface_distance", "lower"), lambda pair: average_distance(pair, way), True)
        if quantity == "surface_dice":
            if setting is None:
                raise ValueError("A surface Dice needs its tolerance, in units of the spacing.")
            reach = _number(setting, "tolerance", np.inf)
            return _Question(Quantity(f"surface_dice(tolerance={reach:g})"), lambda pair: surface_dice(pair, reach), False)
        known = ("hausdorff", "average_distance", "surface_dice")
        raise ValueError(f"quantity={quantity!r} is unknown. Choose from {', '.join(map(repr, known))}.")

    def _true_elements(self) -> Array:
        """Return of how many pixels or elements the true surface of each image and class consists."""
        many = [[0 if pair is None else len(pair.to_prediction) for pair in row] for row in self.pairs]
        return np.array(many, np.intp).reshape(len(self.images), len(self.classes))

    def _values(self, asked: _Question) -> Array:
        """Return the value of each image and class; nan where the class occurs on neither side."""
        out = np.full((len(self.images), len(self.classes)), np.nan)
        for i, row in enumerate(self.pairs):
            for k, pair in enumerate(row):
                if pair is None or pair.both_empty:
                    continue
                one_sided = asked.distance and pair.one_sided and self.one_sided != "inf"
                stand_in = pair.diagonal if self.one_sided == "diagonal" else self.one_sided
                out[i, k] = stand_in if one_sided else asked.value(pair)
        return out

    def _number(self, asked: _Question, average: str, per: Any, undefined: Undefined) -> Any:
        check_undefined(undefined)
        values = self._values(asked)
        if per is not None:
            axes = (per,) if isinstance(per, str) else tuple(per)
            return Values.of(*self._along(axes, values, undefined), per=axes)
        name, axes = self._find_average(average)
        units, names = self._along(axes, values, undefined)
        zero = np.zeros(units.shape, np.int64)
        counts = Counts(zero, zero, zero + 1, zero, per=axes, names=names)
        return score_of_units(asked.quantity, name, undefined, units, counts, self._find_units_that_occur(axes, values))

    def _find_average(self, average: str, without_axes: str = "") -> tuple[str, tuple[str, ...]]:
        """Return an average and its axes; ``without_axes`` says why there is no mean over units of by=."""
        axes, by = {"": NOT_POOLED, "class": ""}, ("image", *self.by)
        if without_axes:
            axes, by = {**axes, **dict.fromkeys(self.by, without_axes)}, ("image",)
        lacking = dict.fromkeys(("class", "image", *self.by), NO_WEIGHTS)
        possible = PossibleAverages(PAIRS, axes, by, unweighted=lacking)
        name, rule = possible.find(average, also=(PAIRS,))
        return name, ("image", "class") if name == PAIRS else rule.per

    def _rows(self, axis: str) -> tuple[Array, tuple[Any, ...]]:
        if axis != "image" and axis not in self.by:
            raise ValueError(f"There is no axis {axis!r} here; there are {listing(('class', 'image', *self.by))}.")
        names = self.images if axis == "image" else tuple(dict.fromkeys(self.by[axis]))
        return groups_of(axis, self.images, self.by)[0], names

    def _along(self, axes: tuple[str, ...], values: Array, undefined: Undefined) -> tuple[Array, tuple[tuple[Any, ...], ...]]:
        """Return the means of values along axes, under a convention, and the names of the units."""
        how = "exclude" if undefined == "raise" else undefined
        if axes == ("class",):
            return np.array([_mean(column, how) for column in values.T]), (self.classes,)
        if len(axes) == 1:
            group, names = self._rows(axes[0])
            return np.array([_mean(values[group == k].ravel(), how) for k in range(len(names))]), (names,)
        if len(axes) == 2 and "class" in axes and axes[0] != axes[1]:
            group, names = self._rows(next(axis for axis in axes if axis != "class"))
            cells = [[_mean(values[group == k, c], how) for c in range(len(self.classes))] for k in range(len(names))]
            table = np.array(cells).reshape(len(names), len(self.classes))
            return (table, (names, self.classes)) if axes[1] == "class" else (table.T, (self.classes, names))
        raise ValueError(f"per={axes!r}: choose 'class', one of {listing(('image', *self.by))}, or both.")

    def _find_units_that_occur(self, axes: tuple[str, ...], values: Array) -> Array:
        """Return which units occur at all: a class that neither side has counts nowhere."""
        here = self._along(axes, np.where(np.isnan(values), np.nan, 1.0), "exclude")[0]
        return np.isfinite(here).astype(float)

    def _draw_images(self, asked: _Question, values: Array, average: str, sample: str) -> DrawnImages:
        _, axes = self._find_average(average, OF_SAMPLE)
        known = np.isfinite(values)
        filled = np.where(known, values, 0.0)

        def statistic(weights: Array) -> Array:
            with quiet():
                if axes == ("image",):
                    own = filled.sum(axis=1) / known.sum(axis=1)
                    here = np.isfinite(own)
                    return np.asarray(weights[:, here] @ own[here] / weights[:, here].sum(axis=1))
                total, times = weights @ filled, weights @ known
                if axes == ("class",):
                    return mean_of_known(np.where(times > 0, total / times, np.nan))
                return np.asarray(total.sum(axis=1) / times.sum(axis=1))

        span = (0.0, np.inf) if asked.distance else (0.0, 1.0)
        return DrawnImages(statistic, *groups_of(sample, self.images, self.by), span=span)

    def __repr__(self) -> str:
        m = len(self.classes)
        return f"<SurfaceEvaluation: {number_of(len(self.images), 'image')}, {m} {'class' if m == 1 else 'classes'}>"


def _left_out(values: Mapping[str, Array]) -> str:
    """Return a sentence about infinite distances: they are left out, so that a miss does not count."""
    many = {whose: (int(np.isinf(own).sum()), int((~np.isnan(own)).sum())) for whose, own in values.items()}
    if not any(infinite for infinite, _ in many.values()):
        return ""
    parts = " and ".join(f"{infinite} of {known} distances{whose}" for whose, (infinite, known) in many.items())
    return f"Left out as infinite: {parts}, where only one side has the class. one_sided='diagonal' counts them."


def _mean(values: Array, undefined: Undefined) -> float:
    """Return the mean of what occurs; nan without any, and a single value as it is, even if infinite."""
    here = values[~np.isnan(values)]
    return float(here[0]) if len(here) == 1 else combine(here, None, undefined) if len(here) else float("nan")


def _number(given: Any, name: str, most: float) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float | np.number) or not 0 <= given <= most:
        raise ValueError(f"{name}={given!r} must be a number from 0 to {most:g}.")
    return float(given)
