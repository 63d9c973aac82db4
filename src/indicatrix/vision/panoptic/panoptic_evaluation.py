"""PanopticEvaluation: matched segments as counts and overlaps of each image and class.

It is plain data for files, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import evaluate_labels
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.measure_names import asked_units, resolve
from ...algebra.score import Score, Undefined
from ...encode.indicator import Indicator
from ...storage.json_values import array_out, counts_in, fields, flag_in, list_in
from ...words.call_mistakes import answers_mistakes
from ...words.wording import number_of, short
from ..images import image_scores
from ..images.image_intervals import compare, interval
from ..images.image_scores import refuse_hidden_counts, score_or_values
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

NO_EXAMPLES = "segments are examples in counts(), whose scores have this average."
GROUPS = ("all", "things", "stuff")


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

    reads: ClassVar[str] = "segments"
    usual: ClassVar[tuple[str, ...]] = ("pq", "sq", "rq")  # the measures of tables and comparisons
    lacks: ClassVar[str] = "Here are matched segments: ix.catalogue(of='segments') lists what reads them"
    absent: ClassVar[Mapping[str, str]] = {"example": NO_EXAMPLES}  # axis -> why it has no units
    _refuse_weight: ClassVar[Any] = staticmethod(refuse_hidden_counts)  # why there are no such weights; "" if there are

    score, values, table, save = image_scores.score, image_scores.values, image_scores.table, image_scores.save
    units, refusal, interval, compare = image_scores.units, image_scores.refusal, interval, compare
    axes = property(image_scores.axes)
    __eq__, __radd__, __hash__ = image_scores.same, image_scores.started_with, None  # type: ignore[assignment]

    def pq(self, *, only: str | None = None, average: str = "macro", per: Any = None, undefined: Undefined = 0) -> Any:
        """Return the panoptic quality: segmentation quality times recognition quality.

        It is ``score("pq", …)``, or with per= ``values("pq", …)``, under COCO's conventions.

        Parameters
        ----------
        only : str, optional
            'things' or 'stuff'. Default: all classes.
        average : str, default 'macro'
            The average, as ``score`` takes it.
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
        return score_or_values(self, resolve("pq").at(only=only), average, per, undefined)

    def sq(self, *, only: str | None = None, average: str = "macro", per: Any = None, undefined: Undefined = 0) -> Any:
        """Return the segmentation quality: the mean IoU of the matches.

        It is ``score("sq", …)``, or with per= ``values("sq", …)``, under COCO's conventions.

        Parameters
        ----------
        only : str, optional
            'things' or 'stuff'. Default: all classes.
        average : str, default 'macro'
            The average, as ``score`` takes it.
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
        >>> ix.panoptic([truth], [found]).sq(undefined="exclude")
        0.6666666666666666 (macro sq; 1 of 2 classes undefined, excluded)
        """
        return score_or_values(self, resolve("sq").at(only=only), average, per, undefined)

    def rq(self, *, only: str | None = None, average: str = "macro", per: Any = None, undefined: Undefined = 0) -> Any:
        """Return the recognition quality: the F1 of matches, false and missed segments.

        It is ``score("rq", …)``, or with per= ``values("rq", …)``, under COCO's conventions.

        Parameters
        ----------
        only : str, optional
            'things' or 'stuff'. Default: all classes.
        average : str, default 'macro'
            The average, as ``score`` takes it.
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
        return score_or_values(self, resolve("rq").at(only=only), average, per, undefined)

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
        for kind in GROUPS:
            chosen = self._chosen(kind)
            if chosen.any():
                own = (resolve(name).at(only=kind) for name in ("pq", "sq", "rq"))
                numbers = {measure.name.upper(): self.score(measure, "macro", undefined=0) for measure in own}
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

    def aggregate(self, per: str | tuple[str, ...] = ()) -> Counts:
        """Return matches, false and missed segments as counts per axes; true negatives are unknown.

        Parameters
        ----------
        per : str or tuple of str, default ()
            The axes to keep: "class", "image", an axis of by=, or classes with one of the others.

        Returns
        -------
        Counts
            The counts of each unit, with ``.names``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> one = ([[1, 1, 2, 2]], [[1, 1, 0, 0]])
        >>> ix.panoptic([one], [one]).aggregate().tp
        2
        """
        units = self._units(*asked_units("pq", per), "exclude")
        tp, fp, fn = units.sums[:3].astype(np.int64)
        four = (tp, fp, fn, 0 * tp) if units.per else (int(tp), int(fp), int(fn), 0)
        return Counts(*four, per=units.per, names=units.names).without("tn")

    def _units(self, measure: Measure, per: tuple[str, ...], undefined: Undefined) -> AddedImages:
        """Return matches, false and missed segments and overlaps along some axes, as a measure reads them."""
        del undefined
        chosen = self._chosen(measure.params.get("only") or "all")
        value = partial(measure.function, **own_params(measure))
        names = tuple(label for label, here in zip(self.classes, chosen.tolist(), strict=True) if here)
        return AddedImages(self.sums[:, :, chosen], along(self, per, names), value, lambda sums: tuple(sums[:3]))

    def check_comparable(self, other: Any) -> None:
        """Refuse another model that was not evaluated on the same images with the same truth.

        Parameters
        ----------
        other : PanopticEvaluation
            Another model.

        Examples
        --------
        >>> import indicatrix as ix
        >>> one = ([[1, 1, 2, 2]], [[1, 1, 0, 0]])
        >>> ix.panoptic([one], [one]).check_comparable(ix.panoptic([one], [one]))
        """
        check_same_images(self, other)
        true = self.sums[0] + self.sums[2], other.sums[0] + other.sums[2]  # matched and missed are all true segments
        check_same_truth(self, other, true)

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

    def _chosen(self, only: str) -> Array:
        if only not in GROUPS:
            raise ValueError(f"only={only!r} is unknown. Choose from {', '.join(map(repr, GROUPS))}.")
        things = np.array(self.things, bool)
        return np.ones(len(things), bool) if only == "all" else things if only == "things" else ~things

    def __repr__(self) -> str:
        tp, fp, fn = (int(x) for x in self.sums[:3].sum(axis=(1, 2)))
        many = {"image": len(self.images), "class": len(self.classes), "true segment": tp + fn, "prediction": tp + fp}
        return f"<PanopticEvaluation: {', '.join(number_of(n, noun) for noun, n in many.items())}>"

    def __str__(self) -> str:
        rows = [f"{'':<8}{'PQ':>8}{'SQ':>8}{'RQ':>8}{'classes':>9}"]
        for kind, numbers in self.summary().items():
            rows.append(
                f"{kind:<8}" + "".join(f"{float(numbers[q]):>8.3f}" for q in ("PQ", "SQ", "RQ")) + f"{numbers['classes']:>9}"
            )
        return "\n".join([repr(self)[1:-1], *rows])


def to_data(result: PanopticEvaluation) -> dict[str, Any]:
    """Return an evaluation as plain data."""
    counts, overlaps = array_out(result.sums[:3].astype(np.int64)), array_out(result.sums[3].astype(np.float64))
    facts = {"things": list(result.things), "counts": counts, "overlaps": overlaps, "truths": list(result.truths)}
    return {**axes_out(result), **facts}


def from_data(version: int, data: dict[str, Any]) -> PanopticEvaluation:
    """Return the evaluation that plain data of a version of the format describe."""
    classes, images, by = axes_in(data)
    given, counts, overlaps = fields(data, ("things", "counts", "overlaps"), "the file")
    shape = len(images), len(classes)
    things = tuple(flag_in(one, "whether a class is a thing") for one in list_in(given, "the things"))
    if len(things) != len(classes):
        raise ValueError(f"it says of {len(things)} classes whether they are things, and there are {len(classes)}")
    whole = counts_in(counts, "the counts", (3, *shape), signed=False)
    shared = counts_in(overlaps, "the overlaps", shape, signed=False)
    if whole.dtype.kind != "i" or (shared > whole[0]).any():
        raise ValueError("a sum of overlaps is above the number of matches")
    sums = np.concatenate([whole, shared[None]]).astype(np.float64)
    return PanopticEvaluation(classes, things, images, by, sums, truths_in(version, data, len(images)))
