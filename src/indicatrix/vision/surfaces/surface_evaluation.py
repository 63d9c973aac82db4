"""SurfaceEvaluation: distances between outlines of each image and class, and the numbers that follow.

As plain data for files the distances of all pairs follow each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.measure import Measure
from ...algebra.measure_names import resolve
from ...algebra.score import Undefined
from ...storage.json_values import array_in, array_out, fields, number_in, number_out
from ...words.call_mistakes import answers_mistakes
from ...words.wording import number_of
from ..images.image_intervals import compare, interval
from ..images.image_scores import axes, refusal, same, save, score, score_or_values, started_with, table, units, values
from ..images.image_units import (
    AddedImages,
    along,
    axes_in,
    axes_out,
    check_same_images,
    check_same_truth,
    join_images,
    join_truths,
    own_params,
    truths_in,
)
from .outline_distances import SurfacePair, check_elements, check_one_sided

NOT_POOLED = "surfaces of different classes are not pooled; 'pairs' is the mean over all pairs of surfaces."
NO_WEIGHTS = "distances between surfaces have no counts to weight by."


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
    reads: ClassVar[str] = "distances"
    usual: ClassVar[tuple[str, ...]] = ("hausdorff", "hausdorff95", "assd")  # the measures of tables and comparisons
    lacks: ClassVar[str] = "Here are distances between outlines: ix.catalogue(of='distances') lists what reads them"
    absent: ClassVar[Mapping[str, str]] = {"": NOT_POOLED}  # axis -> why it has no units
    _refuse_weight: ClassVar[Any] = staticmethod(lambda weight: NO_WEIGHTS)  # why there are no such weights; "" if there are

    score, values, table, interval, compare, save = score, values, table, interval, compare, save
    units, refusal = units, refusal
    axes = property(axes)
    __eq__, __radd__, __hash__ = same, started_with, None  # type: ignore[assignment]

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

        It is ``score("hausdorff", …)``, or with per= ``values("hausdorff", …)``.

        Parameters
        ----------
        percentile : float, default 100
            The percentile of the distances; 95 gives HD95, which a few stray pixels do not change.
        pooled : bool, default False
            Whether the percentile is taken of the distances of both directions together. Otherwise it is taken of each direction,
            and the larger one counts. For 100 this is the same.
        average : str, default 'macro'
            The average, as ``score`` takes it.
        per : str or tuple, optional
            'class' has the mean over images, 'image' the mean over classes, ('image', 'class') every value.
        undefined : str or number, default 'exclude'
            What an undefined value does, as in ``score``.

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
        return score_or_values(self, resolve("hausdorff").at(percentile=percentile, pooled=pooled), average, per, undefined)

    def average_distance(
        self, directions: str = "both", *, average: str = "macro", per: Any = None, undefined: Undefined = "exclude"
    ) -> Any:
        """Return the average surface distance: the mean distance from a pixel of one outline to the other.

        It is ``score("assd", …)``, or with per= ``values("assd", …)``.

        Parameters
        ----------
        directions : str, default 'both'
            'both' is symmetric, the mean over the pixels of both outlines; 'each' is the mean of the two means; 'to_truth' is
            from the predicted outline, 'to_prediction' from the true one.
        average : str, default 'macro'
            The average, as ``score`` takes it.
        per : str or tuple, optional
            'class' has the mean over images, 'image' the mean over classes, ('image', 'class') every value.
        undefined : str or number, default 'exclude'
            What an undefined value does, as in ``score``.

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
        return score_or_values(self, resolve("assd").at(directions=directions), average, per, undefined)

    def surface_dice(self, tolerance: float, *, average: str = "macro", per: Any = None, undefined: Undefined = "exclude") -> Any:
        """Return the normalized surface Dice: the share of both outlines within a tolerance of the other.

        It is ``score("surface_dice", …)``, or with per= ``values("surface_dice", …)``.

        Parameters
        ----------
        tolerance : float
            The distance that does not matter, in units of the spacing.
        average : str, default 'macro'
            The average, as ``score`` takes it.
        per : str or tuple, optional
            'class' has the mean over images, 'image' the mean over classes, ('image', 'class') every value.
        undefined : str or number, default 'exclude'
            What an undefined value does, as in ``score``.

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
        return score_or_values(self, resolve("surface_dice").at(tolerance=tolerance), average, per, undefined)

    def _units(self, measure: Measure, per: tuple[str, ...], undefined: Undefined) -> AddedImages:
        """Return the values of all pairs of outlines, added along some axes: the mean of a unit is theirs."""
        values = self._values(measure)
        finite, infinite = np.isfinite(values), np.isinf(values)
        rows = np.stack([np.where(finite, values, 0.0), finite, infinite])

        def mean(total: Array, known: Array, lost: Array) -> Array:
            return _mean(total, known, lost, undefined)

        def occurs(sums: Array) -> tuple[Array, Array, Array]:
            return 0 * sums[1], 0 * sums[1], sums[1] + sums[2]

        return AddedImages(
            rows, along(self, per, self.classes), mean, occurs, (int(infinite.sum()), int((finite | infinite).sum()))
        )

    def check_comparable(self, other: Any) -> None:
        """Refuse another model that was not evaluated on the same images with the same truth.

        Parameters
        ----------
        other : SurfaceEvaluation
            Another model.

        Examples
        --------
        >>> import indicatrix as ix
        >>> result = ix.vision.surface_distances([[[0, 1, 0, 0]]], [[[0, 1, 1, 1]]])
        >>> result.check_comparable(result)
        """
        check_same_images(self, other)
        self._check_made_alike(other)
        check_same_truth(self, other, (self._true_elements(), other._true_elements()))

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

    def _check_made_alike(self, other: SurfaceEvaluation) -> None:
        if (self.one_sided, self.elements) != (other.one_sided, other.elements):
            raise ValueError("The two were made with another one_sided= or elements=. Make both in the same way.")

    def _true_elements(self) -> Array:
        """Return of how many pixels or elements the true surface of each image and class consists."""
        many = [[0 if pair is None else len(pair.to_prediction) for pair in row] for row in self.pairs]
        return np.array(many, np.intp).reshape(len(self.images), len(self.classes))

    def _values(self, measure: Measure) -> Array:
        """Return the value of each image and class; nan where the class occurs on neither side."""
        out = np.full((len(self.images), len(self.classes)), np.nan)
        own, distance = own_params(measure), measure.better == "lower"
        for i, row in enumerate(self.pairs):
            for k, pair in enumerate(row):
                if pair is None or pair.both_empty:
                    continue
                if distance and pair.one_sided:  # one_sided= says what it is
                    out[i, k] = pair.diagonal if self.one_sided == "diagonal" else float(self.one_sided)
                else:
                    out[i, k] = measure.function(pair, **own)
        return out

    def __repr__(self) -> str:
        return f"<SurfaceEvaluation: {number_of(len(self.images), 'image')}, {number_of(len(self.classes), 'class')}>"


def _mean(total: Array, known: Array, lost: Array, undefined: Undefined) -> Array:
    """Return the means of what occurs under a convention for infinite values; nan without any.

    A single value stays as it is, even if it is infinite.
    """
    with quiet():
        alone = (lost == 1) & (known == 0)
        if undefined in ("exclude", "raise"):
            means = total / known
        elif undefined == "nan":
            means = np.where(lost > 0, np.nan, total / known)
        else:
            means = (total + float(undefined) * lost) / (known + lost)
        return np.where(alone, np.inf, means)


SIDES = ("to_prediction", "to_truth")


def to_data(result: SurfaceEvaluation) -> dict[str, Any]:
    """Return an evaluation as plain data; the distances of all pairs follow each other."""
    one_sided, elements = result.one_sided, result.elements
    found = [(i, k, pair) for i, row in enumerate(result.pairs) for k, pair in enumerate(row) if pair is not None]
    lengths = [[len(pair.to_prediction), len(pair.to_truth)] for _, _, pair in found]
    facts: dict[str, Any] = {
        **axes_out(result),
        "truths": list(result.truths),
        "one_sided": one_sided if isinstance(one_sided, str) else number_out(float(one_sided)),
        "elements": elements,
        "image": array_out(np.array([i for i, _, _ in found], np.int64)),
        "class": array_out(np.array([k for _, k, _ in found], np.int64)),
        "diagonal": array_out(np.array([pair.diagonal for _, _, pair in found], np.float64)),
        "lengths": array_out(np.array(lengths, np.int64).reshape(-1, 2)),
    }
    for k, side in enumerate(SIDES):
        facts[side] = array_out(_together(pair.sides[k][0] for _, _, pair in found))
        facts[f"sizes {side}"] = array_out(_together(pair.sides[k][1] for _, _, pair in found)) if elements == "areas" else None
    return facts


def _together(some: Iterable[Array]) -> Array:
    return np.concatenate([np.zeros(0), *some]).astype(np.float64)


def from_data(version: int, data: dict[str, Any]) -> SurfaceEvaluation:
    """Return the evaluation that plain data of a version of the format describe."""
    axes = axes_in(data)
    one_sided, elements, image, column, diagonal, lengths = fields(
        data, ("one_sided", "elements", "image", "class", "diagonal", "lengths"), "the file"
    )
    word = one_sided in ("inf", "diagonal")
    settings = check_one_sided(one_sided if word else number_in(one_sided, "one_sided")), check_elements(elements)
    at = [array_in(x, name, (None,)) for x, name in ((image, "image"), (column, "class"))]
    n, shape = len(at[0]), (len(axes[1]), len(axes[0]))
    across, many = array_in(diagonal, "diagonal", (n,)), array_in(lengths, "lengths", (n, 2))
    for one, name, end in (*zip(at, ("image", "class"), shape, strict=True), (many, "lengths", np.inf)):
        if one.dtype.kind != "i" or len(one) != n or ((one < 0) | (one >= end)).any():
            raise ValueError(f"{name} holds a number that does not fit the {shape[0]} images and {shape[1]} classes")
    sides = [_side(data, side, many[:, k], settings[1] == "areas") for k, side in enumerate(SIDES)]
    table: list[list[SurfacePair | None]] = [[None] * shape[1] for _ in range(shape[0])]
    rows = zip(*(x.tolist() for x in (*at, across)), *sides, strict=True)
    for i, k, far, (one, ones), (two, twos) in rows:
        if table[i][k] is not None:
            raise ValueError(f"image {i} has the distances of class {k} twice")
        sizes = None if ones is None or twos is None or not len(ones) + len(twos) else (ones, twos)
        table[i][k] = SurfacePair(one, two, far, sizes)
    return SurfaceEvaluation(*axes, tuple(map(tuple, table)), truths_in(version, data, shape[0]), *settings)


def _side(data: dict[str, Any], side: str, lengths: Array, sized: bool) -> Sequence[tuple[Array, Array | None]]:
    """Return the distances of one direction, and how much each counts, of each pair."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    distances, sizes = fields(data, (side, f"sizes {side}"), "the file")
    own = np.split(array_in(distances, side, (total,)), ends[:-1])
    if any((one < 0).any() or (one[1:] < one[:-1]).any() for one in own):
        raise ValueError(f"{side} holds distances that are negative or not sorted")
    if (sizes is not None) != sized:
        raise ValueError(f"elements of {'areas have' if sized else 'pixels have no'} sizes")
    if not sized:
        return [(one, None) for one in own][: len(ends)]
    counted = array_in(sizes, f"the sizes {side}", (total,))
    if not (np.isfinite(counted) & (counted > 0)).all():
        raise ValueError(f"the sizes {side} are not all finite and above 0")
    return [*zip(own, np.split(counted, ends[:-1]), strict=True)][: len(ends)]
