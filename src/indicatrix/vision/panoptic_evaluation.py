"""PanopticEvaluation: matched segments as counts and overlaps of each image and class."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.arrays import Array, quiet
from ..algebra.call_mistakes import answers_mistakes
from ..algebra.counts import Counts
from ..algebra.functions import ratio
from ..algebra.measure import evaluate_labels
from ..algebra.possible_averages import PossibleAverages
from ..algebra.quantity import Quantity
from ..algebra.score import Score, Undefined, check_undefined, score_of_units
from ..algebra.values import Values
from ..algebra.wording import listing, number_of, short
from ..encode.indicator import Indicator
from ..inference.intervals.interval import Interval
from ..inference.intervals.methods import Request
from ..inference.paired.difference import Difference
from ..storage.formats import save, to_data
from .image_axes import check_same_images, check_same_truth, join_images, join_truths
from .image_draws import DrawnImages, difference_of_images, groups_of, interval_of_images

QUANTITIES = {
    "pq": Quantity("panoptic_quality"),
    "sq": Quantity("segmentation_quality"),
    "rq": Quantity("recognition_quality"),
}
NO_EXAMPLES = "segments are examples in counts(), whose scores have this average."
OF_CLASSES = "intervals are of averages over classes, or of everything pooled; sample= says what was drawn."
KINDS = ("all", "things", "stuff")


def qualities(quantity: str, tp: Array, fp: Array, fn: Array, overlap: Array) -> Array:
    """Return the quality of units: nan without segments, and for sq also without matches."""
    with quiet():
        if quantity == "sq":
            return np.asarray(ratio(overlap, tp))
        top = overlap if quantity == "pq" else tp
        return np.asarray(ratio(top, tp + (fp + fn) / 2))


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class PanopticEvaluation:
    """Predicted segments matched with true ones; ``ix.panoptic`` makes it.

    Evaluations of different images can be added; they can be compared, saved and loaded.

    Attributes
    ----------
    classes : tuple
        The classes, in order.
    things : tuple of bool
        Which classes are things; the others are stuff.
    images : tuple
        The names of the images.
    by : dict
        What each image belongs to, such as its sequence.
    sums : array
        Matches, false segments, missed segments and the sum of the IoUs of matches, of each image and class.
    truths : tuple of str
        A fingerprint of the true segments of each image, so that ``compare`` knows the same truth; "" if it is not known.

    Examples
    --------
    >>> import indicatrix as ix
    >>> truth, found = ([[1, 1, 2, 2]], [[1, 1, 0, 0]]), ([[1, 1, 1, 2]], [[1, 1, 1, 0]])
    >>> result = ix.panoptic([truth], [found], things=[1])
    >>> result
    <PanopticEvaluation: 1 image, 2 classes, 2 true segments, 2 predictions>
    >>> round(result.pq(only="things"), 3), result.counts().score("recall", "macro")
    (0.667, 0.5)
    """

    classes: tuple[Any, ...]
    things: tuple[bool, ...]
    images: tuple[Any, ...]
    by: dict[str, tuple[Any, ...]]
    sums: Array  # (4, images, classes)
    truths: tuple[str, ...]

    def pq(self, *, only: str = "all", average: str = "macro", per: Any = None, undefined: Undefined = 0) -> Any:
        """Return the panoptic quality: segmentation quality times recognition quality.

        Parameters
        ----------
        only : str, default 'all'
            'all' classes, 'things' or 'stuff'.
        average : str, default 'macro'
            'macro' is the mean over classes, 'weighted' weights them by their true segments, 'micro' pools them, 'image' or an
            axis of by= is the mean over images.
        per : str or tuple, optional
            One value for each 'class', 'image' or unit of an axis, or for each combination, instead of an average.
        undefined : str or number, default 0
            What a class with segments but without a value does. A class without any segment counts nowhere.

        Returns
        -------
        Score or Values
            The average, or with per= the value of each unit.

        Examples
        --------
        >>> import indicatrix as ix
        >>> one = ([[1, 1, 2, 2]], [[1, 1, 0, 0]])
        >>> ix.panoptic([one], [one]).pq()
        1.0
        """
        return self._number("pq", only, average, per, undefined)

    def sq(self, *, only: str = "all", average: str = "macro", per: Any = None, undefined: Undefined = 0) -> Any:
        """Return the segmentation quality: the mean IoU of the matches.

        Parameters
        ----------
        only : str, default 'all'
            'all' classes, 'things' or 'stuff'.
        average : str, default 'macro'
            'macro' is the mean over classes, 'weighted' weights them by their true segments, 'micro' pools them, 'image' or an
            axis of by= is the mean over images.
        per : str or tuple, optional
            One value for each 'class', 'image' or unit of an axis, or for each combination, instead of an average.
        undefined : str or number, default 0
            What a class without matches does; 0 is COCO's convention. A class without any segment counts nowhere.

        Returns
        -------
        Score or Values
            The average, or with per= the value of each unit.

        Examples
        --------
        >>> import indicatrix as ix
        >>> truth, found = ([[1, 1, 1, 2]], [[0, 0, 0, 0]]), ([[1, 1, 2, 2]], [[0, 0, 0, 0]])
        >>> ix.panoptic([truth], [found]).sq(undefined="exclude")
        0.6666666666666666 (macro segmentation_quality; 1 of 2 classes undefined, excluded)
        """
        return self._number("sq", only, average, per, undefined)

    def rq(self, *, only: str = "all", average: str = "macro", per: Any = None, undefined: Undefined = 0) -> Any:
        """Return the recognition quality: the F1 of matches, false and missed segments.

        Parameters
        ----------
        only : str, default 'all'
            'all' classes, 'things' or 'stuff'.
        average : str, default 'macro'
            'macro' is the mean over classes, 'weighted' weights them by their true segments, 'micro' pools them, 'image' or an
            axis of by= is the mean over images.
        per : str or tuple, optional
            One value for each 'class', 'image' or unit of an axis, or for each combination, instead of an average.
        undefined : str or number, default 0
            What a class with segments but without a value does. A class without any segment counts nowhere.

        Returns
        -------
        Score or Values
            The average, or with per= the value of each unit.

        Examples
        --------
        >>> import indicatrix as ix
        >>> truth, found = ([[1, 1, 1, 2]], [[0, 0, 0, 0]]), ([[1, 1, 2, 2]], [[0, 0, 0, 0]])
        >>> ix.panoptic([truth], [found]).rq()
        0.5
        """
        return self._number("rq", only, average, per, undefined)

    def summary(self) -> dict[str, dict[str, Score | int]]:
        """Return PQ, SQ and RQ of all classes, of things and of stuff, and how many classes had segments.

        Returns
        -------
        dict
            {"all": {"PQ": …, "SQ": …, "RQ": …, "classes": …}, "things": …, "stuff": …}, without kinds that no class is of.

        Examples
        --------
        >>> import indicatrix as ix
        >>> one = ([[1, 1, 2, 2]], [[1, 1, 0, 0]])
        >>> ix.panoptic([one], [one], things=[1]).summary()["stuff"]
        {'PQ': 1.0, 'SQ': 1.0, 'RQ': 1.0, 'classes': 1}
        """
        seen = self.sums[:3].sum(axis=(0, 1)) > 0
        out: dict[str, dict[str, Score | int]] = {}
        for kind in KINDS:
            chosen = self._chosen(kind)
            if chosen.any():
                numbers = {name.upper(): self._number(name, kind, "macro", None, 0) for name in QUANTITIES}
                out[kind] = {**numbers, "classes": int((seen & chosen).sum())}
        return out

    def counts(self) -> Any:
        """Return the evaluation of matches, false and missed segments, for any measure, average and interval.

        Nothing is known of true negatives. Images without segments are not on the axis "image".

        Returns
        -------
        Evaluation
            With the axes "class" and "image", and those of by=.

        Examples
        --------
        >>> import indicatrix as ix
        >>> truth, found = ([[1, 1, 1, 2]], [[0, 0, 0, 0]]), ([[1, 1, 2, 2]], [[0, 0, 0, 0]])
        >>> ix.panoptic([truth], [found]).counts().values("precision").tolist()
        [1.0, 0.0]
        """
        whole = self.sums[:3].astype(np.int64)
        image, label = np.indices(whole.shape[1:]).reshape(2, -1)
        times = [x.ravel() for x in whole]
        images = np.concatenate([np.repeat(image, k) for k in times])
        labels = [np.repeat(label, k) for k in times]
        true = np.concatenate([labels[0], np.full(len(labels[1]), -1), labels[2]])
        pred = np.concatenate([labels[0], labels[1], np.full(len(labels[2]), -1)])
        axes = {"image": self.images, **self.by}
        by = {name: [units[k] for k in images.tolist()] for name, units in axes.items()}
        y_true, y_pred = (Indicator.from_codes(codes, self.classes) for codes in (true, pred))
        return evaluate_labels(y_true, y_pred, by=by, unobserved=("tn",))

    def interval(
        self,
        quantity: str = "pq",
        *,
        only: str = "all",
        average: str = "macro",
        level: float = 0.95,
        method: str = "bca",
        sample: str = "image",
        seed: int = 0,
        draws: int = 2000,
    ) -> Interval:
        """Return a quality with an interval: images are drawn with replacement.

        Parameters
        ----------
        quantity : str, default 'pq'
            'pq', 'sq' or 'rq'.
        only : str, default 'all'
            'all' classes, 'things' or 'stuff'.
        average : str, default 'macro'
            'macro' is the mean over classes that have segments, 'weighted' weights them; 'micro' pools them.
        level : float, default 0.95
            In which share of samples the interval is to cover the true value.
        method : str, default 'bca'
            'bca', 'percentile' or 'jackknife'.
        sample : str, default 'image'
            What was sampled: 'image', or an axis of by= such as 'sequence', whose images then stay together.
        seed, draws : int
            Where random draws start, and how many there are.

        Returns
        -------
        Interval
            The value and the ends.

        Examples
        --------
        >>> import indicatrix as ix
        >>> one, two = ([[1, 1, 1, 2]], [[0, 0, 0, 0]]), ([[1, 1, 2, 2]], [[0, 0, 0, 0]])
        >>> ix.panoptic([one] * 8, [one] * 4 + [two] * 4).interval(draws=200)
        0.667 [0.417, 0.917] (95%, bca)
        """
        drawn = self._draw_images(quantity, only, average, sample)
        return interval_of_images(drawn, method, Request(level, seed, draws), QUANTITIES[quantity], average)

    def compare(
        self,
        other: PanopticEvaluation,
        quantity: str = "pq",
        *,
        only: str = "all",
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
        other : PanopticEvaluation
            Another model, evaluated on the same images and classes.
        quantity : str, default 'pq'
            'pq', 'sq' or 'rq'.
        only : str, default 'all'
            'all' classes, 'things' or 'stuff'.
        average : str, default 'macro'
            'macro' is the mean over classes that have segments, 'weighted' weights them; 'micro' pools them.
        level : float, default 0.95
            In which share of samples the interval is to cover the true difference.
        margin : float, optional
            A difference that does not matter.
        sample : str, default 'image'
            What was sampled: 'image', or an axis of by= such as 'sequence'.
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
        >>> one, two = ([[1, 1, 1, 2]], [[0, 0, 0, 0]]), ([[1, 1, 2, 2]], [[0, 0, 0, 0]])
        >>> good, poor = ix.panoptic([one] * 8, [one] * 8), ix.panoptic([one] * 8, [two] * 8)
        >>> round(good.compare(poor, draws=100).value, 3)
        0.667
        """
        check_same_images(self, other)
        true = self.sums[0] + self.sums[2], other.sums[0] + other.sums[2]  # matched and missed are all true segments
        check_same_truth(self, other, true)
        one, two = (side._draw_images(quantity, only, average, sample) for side in (self, other))
        return difference_of_images(one, two, f"{average} {quantity.upper()}", names, (level, margin, seed, draws), "higher")

    def __add__(self, other: PanopticEvaluation) -> PanopticEvaluation:
        """Return the evaluation of the images of both, as if they had been given together."""
        if not isinstance(other, PanopticEvaluation):
            return NotImplemented
        joined = join_images(self, other)
        sums = np.zeros((4, len(joined.images), len(joined.classes)))
        things: dict[Any, bool] = {}
        for side, rows, columns in zip((self, other), joined.rows, joined.columns, strict=True):
            sums[:, rows[:, None], columns] = side.sums
            for label, thing in zip(side.classes, side.things, strict=True):
                if things.setdefault(label, thing) != thing:
                    raise ValueError(
                        f"The class {short(label)} is a thing in one and stuff in the other. Give both the same things=."
                    )
        kinds, truths = tuple(map(things.__getitem__, joined.classes)), join_truths(joined, self, other)
        return PanopticEvaluation(joined.classes, kinds, joined.images, joined.by, sums, truths)

    def __radd__(self, other: object) -> PanopticEvaluation:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum() works

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PanopticEvaluation):
            return NotImplemented
        return to_data(self) == to_data(other)

    __hash__ = None  # type: ignore[assignment]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the evaluation to a JSON file: counts and overlaps of each image and class, no pictures.

        Parameters
        ----------
        path : str or path
            The file.

        Examples
        --------
        >>> import os, tempfile
        >>> import indicatrix as ix
        >>> one = ([[1, 1, 2, 2]], [[1, 1, 0, 0]])
        >>> result = ix.panoptic([one], [one])
        >>> path = os.path.join(tempfile.mkdtemp(), "monday.json")
        >>> result.save(path)
        >>> ix.load(path) == result
        True
        """
        save(self, path)

    def _chosen(self, only: str) -> Array:
        if only not in KINDS:
            raise ValueError(f"only={only!r} is unknown. Choose from {', '.join(map(repr, KINDS))}.")
        things = np.array(self.things, bool)
        return np.ones(len(things), bool) if only == "all" else things if only == "things" else ~things

    def _number(self, quantity: str, only: str, average: str, per: Any, undefined: Undefined) -> Any:
        chosen = self._chosen(only)
        if per is not None:
            axes = (per,) if isinstance(per, str) else tuple(per)
            sums, names = self._sums(axes, chosen)
            return Values.of(qualities(quantity, *sums), names, per=axes)
        check_undefined(undefined)
        name, rule = self._averages(quantity).find(average)
        sums, names = self._sums(rule.per, chosen)
        values = qualities(quantity, *sums)
        tp, fp, fn = sums[:3].astype(np.int64)
        counts = Counts(tp, fp, fn, 0 * tp, per=rule.per, names=names) if rule.per else Counts(int(tp), int(fp), int(fn), 0)
        weights = rule.weights(QUANTITIES[quantity], counts) if rule.per else None
        given = values if rule.per else float(values)
        return score_of_units(QUANTITIES[quantity], name, undefined, given, counts, weights)

    def _averages(self, quantity: str, without_images: str = "") -> PossibleAverages:
        """Return the averages; ``without_images`` says why there is no mean over images or units of an axis."""
        axes, by = {"": "", "class": "", "example": NO_EXAMPLES}, ("image", *self.by)
        if without_images:
            axes, by = {**axes, **dict.fromkeys(by, without_images)}, ()
        return PossibleAverages(QUANTITIES[quantity], axes, by, unobserved=("tn",))

    def _sums(self, axes: tuple[str, ...], chosen: Array) -> tuple[Array, tuple[tuple[Any, ...], ...]]:
        """Return the four sums along some axes, in their order, and the names of the units."""
        possible = ("class", "image", *self.by)
        unknown = [axis for axis in axes if axis not in possible]
        if unknown or len(set(axes)) < len(axes) or sum(axis != "class" for axis in axes) > 1:
            raise ValueError(f"per={axes!r}: choose 'class', one of {listing(possible[1:])}, or both.")
        sums, names = self.sums[:, :, chosen], {"class": tuple(np.array(self.classes, object)[chosen])}
        rows = next((axis for axis in axes if axis != "class"), None)
        if rows is None:
            sums = sums.sum(axis=1, keepdims=True)
        else:
            group, many = groups_of(rows, self.images, self.by)
            names[rows] = self.images if rows == "image" else tuple(dict.fromkeys(self.by[rows]))
            sums = np.stack([sums[:, group == k].sum(axis=1) for k in range(many)], axis=1)
        if "class" not in axes:
            sums = sums.sum(axis=2, keepdims=True)
        sums = sums if axes[:1] != ("class",) else sums.transpose(0, 2, 1)
        return sums.reshape(4, *(len(names[axis]) for axis in axes)), tuple(names[axis] for axis in axes)

    def _draw_images(self, quantity: str, only: str, average: str, sample: str) -> DrawnImages:
        if quantity not in QUANTITIES:
            raise ValueError(f"quantity={quantity!r} is unknown. Choose from {', '.join(map(repr, QUANTITIES))}.")
        _, rule = self._averages(quantity, OF_CLASSES).find(average)
        sums = self.sums[:, :, self._chosen(only)]

        def statistic(often: Array) -> Array:
            drawn = np.moveaxis(np.tensordot(often, sums, (1, 1)), 0, 1)  # (4, replicates, classes)
            if rule.pools:
                drawn = drawn.sum(axis=2, keepdims=True)
            values, seen = qualities(quantity, *drawn), drawn[:3].sum(axis=0) > 0
            tp, fp, fn, _ = drawn
            counts = Counts(tp, fp, fn, 0 * tp, per=("draw", "class"), names=tuple(tuple(range(n)) for n in tp.shape))
            weights = None if rule.pools else rule.weights(QUANTITIES[quantity], counts)
            each = np.where(seen, 1.0 if weights is None else weights, 0.0)
            with quiet():
                return np.asarray((each * np.where(np.isfinite(values), values, 0)).sum(axis=1) / each.sum(axis=1))

        return DrawnImages(statistic, *groups_of(sample, self.images, self.by))

    def __repr__(self) -> str:
        tp, fp, fn = (int(x) for x in self.sums[:3].sum(axis=(1, 2)))
        m = len(self.classes)
        classes = f"{m} {'class' if m == 1 else 'classes'}"
        numbers = (
            number_of(len(self.images), "image"),
            classes,
            number_of(tp + fn, "true segment"),
            number_of(tp + fp, "prediction"),
        )
        return f"<PanopticEvaluation: {', '.join(numbers)}>"

    def __str__(self) -> str:
        rows = [f"{'':<8}{'PQ':>8}{'SQ':>8}{'RQ':>8}{'classes':>9}"]
        for kind, numbers in self.summary().items():
            rows.append(
                f"{kind:<8}" + "".join(f"{float(numbers[q]):>8.3f}" for q in ("PQ", "SQ", "RQ")) + f"{numbers['classes']:>9}"
            )
        return "\n".join([repr(self)[1:-1], *rows])
