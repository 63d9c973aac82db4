"""What an evaluation of detections draws: its numbers, and its objects in pictures."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import plots
from ...algebra.arrays import Array
from ...plots.canvas import pyplot
from ...plots.detections import Outline
from ...words.call_mistakes import answers_mistakes, choose_one
from ...words.wording import listing, short
from ..shapes.run_lengths import Masks
from ..shapes.shapes import Boxes, Keypoints, Objects, OrientedBoxes
from .kept_predictions import ImageCase

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CURVES = (0.5, 0.75, 0.9)  # overlaps whose curves are drawn
ACROSS = 3  # pictures side by side
NAMED = 8  # objects that were found and have their class written next to them


@answers_mistakes
@dataclass(frozen=True, repr=False)
class DetectionPlots:
    """The plots of detections: ``result.plot.pr()``, ``result.plot.worst(pictures)`` and others.

    Each takes ``ax=`` and returns the axes. They need matplotlib: pip install 'indicatrix[plots]'.

    Attributes
    ----------
    result : DetectionEvaluation
        What is drawn.
    """

    result: Any

    def pr(self, of: Any = None, *, ious: Sequence[float] = CURVES, area: Any = "all", ax: Axes | None = None) -> Axes:
        """Return axes with the precision-recall curves at several overlaps, of a class or of all together.

        Parameters
        ----------
        of : label, optional
            A class. Default: all classes ranked together.
        ious : sequence of float, default (0.5, 0.75, 0.9)
            The least overlaps of a match, a curve for each.
        area : str or tuple, default 'all'
            The area range: 'all', 'small', 'medium', 'large', or two numbers.
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> boxes = {"boxes": [[0, 0, 10, 10]], "labels": [1]}
        >>> ax = ix.detection([boxes], [{**boxes, "scores": [0.5]}]).plot.pr(ious=[0.5, 0.75])
        >>> [text.get_text() for text in ax.get_legend().get_texts()]
        ['overlap 0.5, AP 1.000', 'overlap 0.75, AP 1.000']
        """
        named = {f"overlap {iou:g}": self.result.pr(of, iou=iou, area=area) for iou in ious}
        title = "Precision and recall" + ("" if of is None else f" of {short(of)}")
        return plots.curves(named, title=title, ax=ax)

    def classes(self, iou: Any = None, *, area: Any = "all", per: str = "class", ax: Axes | None = None) -> Axes:
        """Return axes with the average precision of each class, and the macro and micro averages.

        Parameters
        ----------
        iou : float or list, optional
            The least overlap of a match; several are averaged. Default: those of the evaluation.
        area : str or tuple, default 'all'
            The area range: 'all', 'small', 'medium', 'large', or two numbers.
        per : str, default 'class'
            'class', 'image' or an axis of by=, such as 'sequence'.
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> truth = [{"boxes": [[0, 0, 10, 10], [20, 20, 30, 30]], "labels": ["cat", "dog"]}]
        >>> found = [{"boxes": [[0, 0, 10, 9]], "labels": ["cat"], "scores": [0.9]}]
        >>> ax = ix.detection(truth, found).plot.classes(0.5)
        >>> [float(bar.get_width()) for bar in ax.patches]
        [1.0, 0.0]
        """
        given = {"iou": iou, "area": area}
        names = ("macro" if per == "class" else per, "micro")
        averages = {name: self.result.ap(average=name, **given) for name in names}
        at = "" if iou is None else f" at an overlap of {listing(tuple(np.atleast_1d(iou).tolist()))}"
        title = f"Average precision of each {per}{at}"
        return plots.units(self.result.ap(per=per, **given), averages=averages, name="average precision", title=title, ax=ax)

    def errors(self, *, iou: float = 0.5, background: float = 0.1, ax: Axes | None = None) -> Axes:
        """Return axes with the error breakdown: how many errors of each kind, and what they cost.

        Parameters
        ----------
        iou : float, default 0.5
            From which overlap a prediction finds an object.
        background : float, default 0.1
            Below which overlap a prediction has nothing to do with an object.
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> boxes = {"boxes": [[0, 0, 10, 10]], "labels": [1]}
        >>> ax = ix.detection([boxes], [{**boxes, "scores": [0.5]}]).plot.errors()
        >>> ax.texts[0].get_text()
        '+0.000, 0 errors'
        """
        drawn: Axes = self.result.errors(iou=iou, background=background).plot(ax=ax)
        return drawn

    def confusion(self, score: float | None = None, *, iou: float = 0.5, ax: Axes | None = None) -> Axes:
        """Return axes with the confusion matrix of the predictions from a score on, the background last.

        Parameters
        ----------
        score : float, optional
            Predictions with this score or a higher one are kept. Default: the score where micro F1 is best.
        iou : float, default 0.5
            The least overlap of a match.
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
        >>> ax = ix.detection([boxes], [{**boxes, "scores": [0.5]}]).plot.confusion(0.5)
        >>> [text.get_text() for text in ax.texts]
        ['1', '0', '0', '0']
        """
        chosen = self.result._score_or_best(score, iou)
        table = np.asarray(self.result.confusion(chosen, iou=iou), float)
        sums = table.sum(axis=1, keepdims=True)
        shares = np.divide(table, sums, out=np.full(table.shape, np.nan), where=sums > 0)
        names = (*self.result.classes, "background")
        return plots.confusion(table, names, shares=shares, title=f"Confusion matrix from a score of {chosen:.3g} on", ax=ax)

    def image(
        self, image: Any, picture: Any = None, *, score: float | None = None, iou: float = 0.5, ax: Axes | None = None
    ) -> Axes:
        """Return axes with one image: what was found, what is false and what was missed.

        Parameters
        ----------
        image : label
            The name of the image.
        picture : array, path or PIL image, optional
            The picture. Default: a blank background.
        score : float, optional
            Predictions with this score or a higher one are drawn. Default: the score where micro F1 is best.
        iou : float, default 0.5
            The least overlap of a match.
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import numpy as np
        >>> import indicatrix as ix
        >>> boxes = {"boxes": [[0, 0, 10, 10]], "labels": ["cat"]}
        >>> result = ix.detection([boxes], [{**boxes, "scores": [0.5]}], images=["a.png"])
        >>> result.plot.image("a.png", np.zeros((20, 20))).get_title(loc="left")
        'a.png: 1 found, 0 false, 0 missed'
        """
        if image not in self.result.images:
            raise ValueError(f"There is no image {short(image)}; there are {listing(self.result.images)}.")
        case = self.result._cases(score, iou)[self.result.images.index(image)]
        return draw_case(self.result, case, _read_picture(picture, image), ax)

    def worst(
        self,
        pictures: Any = None,
        k: int = 6,
        *,
        score: float | None = None,
        iou: float = 0.5,
        axes: Sequence[Axes] | None = None,
    ) -> list[Axes]:
        """Return axes with the images that have the most errors, side by side.

        Parameters
        ----------
        pictures : mapping, sequence or callable, optional
            The pictures: by the name of the image, in the order of the images, or a function of the name. A picture is an array,
            a path or a PIL image. Default: objects are drawn on a blank background.
        k : int, default 6
            How many images at most; images without an error are left out.
        score : float, optional
            Predictions with this score or a higher one are drawn. Default: the score where micro F1 is best.
        iou : float, default 0.5
            The least overlap of a match.
        axes : sequence of Axes, optional
            Where to draw, one for each image. Default: a new figure.

        Returns
        -------
        list of Axes
            One for each image, the worst first.

        Examples
        --------
        >>> import indicatrix as ix
        >>> truth = [{"boxes": [[0, 0, 9, 9], [20, 20, 30, 30]], "labels": [1, 1]}]
        >>> found = [{"boxes": [[0, 0, 9, 8], [50, 50, 60, 60]], "labels": [1, 1], "scores": [0.9, 0.8]}]
        >>> [ax.get_title(loc="left") for ax in ix.detection(truth, found).plot.worst(score=0.5)]
        ['0: 1 found, 1 false, 1 missed']
        """
        cases = self.result.worst(k, score=score, iou=iou)
        shown = pictures_of(self.result, pictures, cases)
        if axes is None and cases:
            wide = min(len(cases), ACROSS)
            high = -(-len(cases) // wide)
            made = pyplot().subplots(high, wide, figsize=(4.4 * wide, 4.2 * high), layout="constrained", squeeze=False)[1]
            for spare in made.flat[len(cases) :]:
                spare.set_axis_off()
            axes = [*made.flat]
        if len(cases) > len(axes or ()):
            raise ValueError(f"axes= has {len(axes or ())} axes for {len(cases)} images. Give one for each, or a smaller k=.")
        return [draw_case(self.result, *each) for each in zip(cases, shown, axes or (), strict=False)]

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Refuse a call, and say which plots there are."""
        raise TypeError(choose_one("result.plot", self))

    def __getattr__(self, name: str) -> Any:
        """Refuse a plot that does not exist, and say which do."""
        raise AttributeError(f"result.plot has no {name}. {choose_one('result.plot', self)}")

    def __repr__(self) -> str:
        return f"<plots of {self.result!r}: pr, classes, errors, confusion, image, worst>"


def draw_case(result: Any, case: ImageCase, picture: Any, ax: Axes | None = None) -> Axes:
    """Return axes with what was found, false and missed in one image."""
    scene = result.scene
    sides = {"found": (scene.predictions, case.found), "false": (scene.predictions, case.false)}
    sides["missed"] = (scene.truth, case.missed)
    drawn = {name: outlines_of(side, at, result.classes, side is scene.predictions) for name, (side, at) in sides.items()}
    if len(case.found) > NAMED:
        drawn["found"] = [replace(one, text="") for one in drawn["found"]]  # so that the errors are seen
    many = ", ".join(f"{len(at)} {name}" for name, (_, at) in sides.items())
    place = scene.images.index(case.image)
    regions = np.flatnonzero((scene.truth.image == place) & scene.truth.ignore)
    drawn["ignored"] = outlines_of(scene.truth, regions, result.classes, False)
    sized = [one.mask.shape for some in drawn.values() for one in some if one.mask is not None]
    return plots.objects(drawn, picture, size=sized[0] if sized else None, title=f"{short_name(case.image)}: {many}", ax=ax)


def pictures_of(result: Any, pictures: Any, cases: Sequence[ImageCase]) -> list[Any]:
    """Return the picture of each case as an array, None without pictures."""
    return [_read_picture(_picture(pictures, result.images, case.image), case.image) for case in cases]


def short_name(image: Any) -> str:
    """Return the name of an image for a title: of a path, its end."""
    text = str(image)
    return text if len(text) <= 30 else f"…{text[-29:]}"


def outlines_of(objects: Objects, at: Array, classes: Sequence[Any], scored: bool) -> list[Outline]:
    """Return the outlines of some objects, with their classes and, for predictions, their scores."""
    shapes = objects.shapes.take(at)
    names = [str(classes[k]) for k in objects.label[at]]
    texts = [f"{name} {score:.2f}" if scored else name for name, score in zip(names, objects.score[at], strict=True)]
    if isinstance(shapes, OrientedBoxes):
        return [Outline(*pair) for pair in zip(shapes.corners, texts, strict=True)]
    boxes = shapes.xywh if isinstance(shapes, Boxes) else shapes.boxes
    around = [np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]]) for x, y, w, h in boxes.tolist()]
    if isinstance(shapes, Masks):
        return [Outline(*pair, mask=shapes.picture(k)) for k, pair in enumerate(zip(around, texts, strict=True))]
    if isinstance(shapes, Keypoints):
        points = [own[own[:, 2] > 0, :2] if (own[:, 2] > 0).any() else own[:, :2] for own in shapes.points]
        return [Outline(*parts) for parts in zip(around, texts, points, strict=True)]
    return [Outline(*pair) for pair in zip(around, texts, strict=True)]


def _picture(pictures: Any, images: Sequence[Any], image: Any) -> Any:
    """Return the picture of an image, None if there are no pictures."""
    if pictures is None:
        return None
    if isinstance(pictures, Callable):  # type: ignore[arg-type]
        return pictures(image)
    if isinstance(pictures, Mapping):
        if image not in pictures:
            raise ValueError(f"pictures= has no picture of the image {short(image)}. Give one for each image.")
        return pictures[image]
    if len(pictures) != len(images):
        raise ValueError(
            f"pictures= has {len(pictures)} pictures for {len(images)} images. Give one for each, or a dict by name."
        )
    return pictures[images.index(image)]


def _read_picture(picture: Any, image: Any) -> Any:
    """Return a picture as an array; a path is read."""
    if picture is None:
        return None
    if isinstance(picture, str | os.PathLike):
        try:
            return pyplot().imread(picture)
        except FileNotFoundError:
            raise FileNotFoundError(f"There is no picture {os.fspath(picture)!r} of the image {short(image)}.") from None
    return np.asarray(picture)
