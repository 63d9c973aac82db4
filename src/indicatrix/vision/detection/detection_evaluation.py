"""DetectionEvaluation: predictions matched with true objects, and every number that follows."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from ...algebra.arrays import Array
from ...algebra.derived.derived_facts import directed
from ...algebra.measure import Measure
from ...algebra.measure_names import find, resolve
from ...algebra.score import Score, Undefined
from ...algebra.source_score import Offer, OfferedAverages
from ...algebra.values import Values
from ...report.notebook import fold, fragment, scrolling_box
from ...report.table_forms import Label, Table
from ...scores.curves.curve import Curve
from ...scores.curves.precision_areas import check_interpolation
from ...scores.thresholds.best_thresholds import Best
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, number_of, type_of
from ..images import image_scores
from ..images.image_intervals import compare, interval
from ..images.image_scores import refuse_hidden_counts, score_or_values
from ..match.matches import (
    EVERY,
    Areas,
    Matches,
    MatchingRule,
    Number,
    Ranking,
    check_area,
    check_iou,
    check_ious,
    check_most,
    check_score,
    match,
    usual_most,
)
from ..match.matching import largest_group
from ..match.ranked_objects import Layers, RankedObjects, refuse_decisions, units_of
from ..shapes.shapes import Keypoints, Scene, join_scenes, same_shapes
from .detection_plots import DetectionPlots
from .error_breakdown import ErrorBreakdown, break_down
from .kept_predictions import (
    BACKGROUND,
    FreeResponse,
    ImageCase,
    best_score,
    confusion_table,
    evaluation_of,
    examples_at,
    free_response,
    image_cases,
    precision_recall,
    worst_cases,
)

MOST_OPEN = 12  # classes that a notebook shows at once
OTHERWISE = "The two were matched in different ways. Give both the same matching=, ious=, areas=, max_detections= and federated=."
NO_EXAMPLES = "objects and predictions become examples where a score is chosen: at(score).score has this average."


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class DetectionEvaluation:
    """Predicted objects matched with true ones; ``ix.detection`` makes it.

    Evaluations of different images can be added; they can be compared, saved and loaded.

    Attributes
    ----------
    scene : Scene
        The objects, the images and the classes.
    made : MatchingRule
        How predictions were matched.
    most : tuple of int
        The numbers of predictions of an image and a class at which recall is printed; the last one takes part in matching.
    numbers : tuple of Number
        What ``summary`` prints.

    Examples
    --------
    >>> import indicatrix as ix
    >>> truth = [{"boxes": [[0, 0, 10, 10], [20, 20, 30, 30]], "labels": ["cat", "dog"]}]
    >>> found = [{"boxes": [[0, 0, 10, 9], [50, 50, 60, 60]], "labels": ["cat", "dog"], "scores": [0.9, 0.8]}]
    >>> result = ix.detection(truth, found)
    >>> result.ap(iou=0.5), result.ap(per="class").tolist()
    (0.5, [0.9, 0.0])
    """

    scene: Scene
    made: MatchingRule
    most: tuple[int, ...]
    numbers: tuple[Number, ...]
    _cache: dict[Any, Matches] = field(default_factory=dict)
    reads: ClassVar[str] = "objects"
    usual: ClassVar[tuple[str, ...]] = ("ap", "ar")  # the measures of tables and comparisons
    lacks: ClassVar[str] = "Here are matched objects; result.at(score=0.5) has counts, for every measure of these"
    absent: ClassVar[Mapping[str, str]] = {"example": NO_EXAMPLES}  # axis -> why it has no units
    _refuse_weight: ClassVar[Any] = staticmethod(refuse_decisions)  # why there are no such weights; "" if there are

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in order."""
        return self.scene.classes

    @property
    def images(self) -> tuple[Any, ...]:
        """The images, in order."""
        return self.scene.images

    @property
    def by(self) -> Mapping[str, tuple[Any, ...]]:
        """What each image belongs to, such as its sequence."""
        return self.scene.by

    def matches(self, made: MatchingRule | None = None) -> Matches:
        """Return the matches, by another rule if one is given; each rule is run once.

        Parameters
        ----------
        made : MatchingRule, optional
            The rule, the thresholds of the overlap, the area ranges and the limit. Default: those of the evaluation.

        Returns
        -------
        Matches
            The object that each prediction finds, at each threshold and in each range.

        Examples
        --------
        >>> import indicatrix as ix
        >>> boxes = {"boxes": [[0, 0, 10, 10]], "labels": [1]}
        >>> found = ix.detection([boxes], [{**boxes, "scores": [0.5]}]).matches()
        >>> found.partners.truth.shape  # predictions, thresholds, ranges
        (1, 10, 4)
        """
        rule = self.made if made is None else made
        key = (rule.rule, rule.ious, tuple(rule.areas.items()), rule.most, rule.across_classes)
        if key not in self._cache:
            self._cache[key] = match(self.scene, rule)
        return self._cache[key]

    def _find_matches(self, iou: Any, area: Any, most: int | None, across: bool = False) -> tuple[Matches, list[int], int]:
        """Return matches that have what is asked, the places of the thresholds, and that of the area range."""
        ious = self.made.ious if iou is None else check_ious(iou)
        areas: Areas = self.made.areas
        if not isinstance(area, str):
            low, high = check_area(area, f"area={area!r}")
            areas, area = {f"{low:g} to {high:g}": (low, high)}, f"{low:g} to {high:g}"
        if area not in areas:
            raise ValueError(
                f"There is no area range {area!r}; there are {listing(tuple(areas))}. Or give two numbers: area=(0, 1024)."
            )
        limit = self.made.most if most is None else check_most(most)[-1]
        made = self.made
        if limit > made.most:
            limit = min(limit, max(made.most, largest_group(self.scene.truth, self.scene.predictions)))
        compete = across or made.rule == "optimal"  # then what is cut off must not take an object away
        anew = limit != made.most if compete else limit > made.most
        if across or anew or areas is not made.areas or not {*ious} <= {*made.ious}:
            most = limit if anew else made.most
            made = replace(made, ious=tuple(dict.fromkeys(ious)), areas=areas, most=most, across_classes=across)
        return self.matches(made), [made.ious.index(x) for x in ious], list(made.areas).index(area)

    score, values, table, save = image_scores.score, image_scores.values, image_scores.table, image_scores.save
    units, refusal, interval, compare = image_scores.units, image_scores.refusal, interval, compare
    axes = property(image_scores.axes)
    __eq__, __radd__, __hash__ = image_scores.same, image_scores.started_with, None  # type: ignore[assignment]

    def ap(
        self,
        iou: Any = None,
        *,
        area: Any = None,
        max_detections: int | None = None,
        interpolation: str = "coco",
        average: str = "macro",
        per: Any = None,
        undefined: Undefined = "exclude",
    ) -> Any:
        """Return the average precision, the mean over thresholds of the overlap.

        It is ``score("ap", …)``, or with per= ``values("ap", …)``.

        Parameters
        ----------
        iou : float or list, optional
            The least overlap of a match; several are averaged. Default: those of the evaluation, 0.50, 0.55, …, 0.95.
        area : str or tuple, optional
            The area range: 'small', 'medium', 'large', or two numbers. Default: all.
        max_detections : int, optional
            How many predictions of an image and a class take part. Default: 100.
        interpolation : str, default 'coco'
            As in ``ix.average_precision``: 'coco', '101-point', '11-point', 'envelope', 'step' or 'trapezoid'.
        average : str, default 'macro'
            The average, as ``score`` takes it.
        per : str or tuple, optional
            One value for each 'class', 'image' or unit of an axis, or for each combination, instead of an average.
        undefined : str or number, default 'exclude'
            What a unit without objects does: 'exclude' leaves it out, a number replaces it, 'nan' keeps it, 'raise' is an error.

        Returns
        -------
        Score or Values
            The average, or with per= the value of each unit.

        Examples
        --------
        >>> import indicatrix as ix
        >>> boxes = {"boxes": [[0, 0, 10, 10]], "labels": [1]}
        >>> ix.detection([boxes], [{**boxes, "scores": [0.5]}]).ap()
        1.0
        """
        where = {"iou": iou, "area": area, "max_detections": max_detections, "interpolation": interpolation}
        return score_or_values(self, resolve("ap").at(**where), average, per, undefined)

    def ar(
        self,
        iou: Any = None,
        *,
        area: Any = None,
        max_detections: int | None = None,
        average: str = "macro",
        per: Any = None,
        undefined: Undefined = "exclude",
    ) -> Any:
        """Return the average recall: the share of objects found, the mean over thresholds of the overlap.

        It is ``score("ar", …)``, or with per= ``values("ar", …)``.

        Parameters
        ----------
        iou : float or list, optional
            The least overlap of a match; several are averaged. Default: those of the evaluation.
        area : str or tuple, optional
            The area range: 'small', 'medium', 'large', or two numbers. Default: all.
        max_detections : int, optional
            How many predictions of an image and a class take part. Default: 100.
        average : str, default 'macro'
            The average, as ``score`` takes it.
        per : str or tuple, optional
            One value for each 'class', 'image' or unit of an axis, or for each combination, instead of an average.
        undefined : str or number, default 'exclude'
            What a unit without objects does: 'exclude' leaves it out, a number replaces it, 'nan' keeps it, 'raise' is an error.

        Returns
        -------
        Score or Values
            The average, or with per= the value of each unit.

        Examples
        --------
        >>> import indicatrix as ix
        >>> truth = [{"boxes": [[0, 0, 10, 10], [5, 0, 9, 9]], "labels": [1, 1]}]
        >>> ix.detection(truth, [{"boxes": [[0, 0, 10, 10]], "labels": [1], "scores": [0.5]}]).ar()
        0.5
        """
        where = {"iou": iou, "area": area, "max_detections": max_detections}
        return score_or_values(self, resolve("ar").at(**where), average, per, undefined)

    def _units(self, measure: Measure, per: tuple[str, ...], undefined: Undefined) -> RankedObjects:
        """Return the ranking of each unit along some axes, as a measure reads it."""
        del undefined
        where = (measure.params.get(name) for name in ("iou", "area", "max_detections"))
        units, only = units_of(self.scene, per), measure.params.get("only")
        chosen = None if only is None else self._classes_of(only, per)
        return RankedObjects(measure, self._layers(*where), units, chosen)

    def _classes_of(self, only: str, per: tuple[str, ...]) -> Array:
        """Return the places of the classes of a group of frequencies."""
        groups = self.scene.frequency
        if groups is None or per != ("class",):
            raise ValueError(f"only={only!r} is a group of LVIS's frequencies: an average over classes of data that have them.")
        return np.flatnonzero([group == only for group in groups])

    def summary(self) -> dict[str, Score]:
        """Return the numbers that COCO's program prints, by name: 12, for keypoints 10, and LVIS's 13.

        Returns
        -------
        dict
            AP (mean over overlaps from 0.50 to 0.95), AP50, AP75, APs, APm, APl, AR1, AR10, AR100, ARs, ARm, ARl.
            A number without objects is nan, where COCO's program prints -1.

        Examples
        --------
        >>> import indicatrix as ix
        >>> boxes = {"boxes": [[0, 0, 10, 10]], "labels": [1]}
        >>> found = ix.detection([boxes], [{**boxes, "scores": [0.5]}]).summary()
        >>> found["AP"], found["ARs"], float(found["APl"])
        (1.0, 1.0, nan)
        """
        shown = [number for number in self.numbers if number.area in self.made.areas]
        return {number.name: self.score(number.measure, "macro") for number in shown}

    def _summary_rows(self) -> list[tuple[str, str, float]]:
        """Return the names of the numbers of the summary, what they are, and their values."""
        known = self.summary()
        return [(one.name, one.in_words, float(known[one.name])) for one in self.numbers if one.name in known]

    def at(
        self,
        score: float,
        *,
        iou: float = 0.5,
        area: Any = "all",
        max_detections: int | None = None,
        across_classes: bool = False,
    ) -> Any:
        """Return the evaluation of the predictions from a score on, so that any measure works after matching.

        An example is a match, a false prediction (no true class) or a missed object (no predicted class). Nothing is known of
        true negatives: a measure that reads them is undefined. Images that hold nothing are not on the axis "image".

        Parameters
        ----------
        score : float
            Predictions with this score or a higher one are kept.
        iou : float, default 0.5
            The least overlap of a match.
        area : str or tuple, default 'all'
            The area range, as in ``ap``.
        max_detections : int, optional
            How many predictions of an image and a class take part. Default: all, unless ``ix.detection`` was given a limit.
        across_classes : bool, default False
            Whether a prediction may match an object of another class, which makes it a confusion of the two. Among objects that
            it overlaps enough, one of its own class comes first.

        Returns
        -------
        Evaluation
            With the axes "class" and "image", and those of by=.

        Examples
        --------
        >>> import indicatrix as ix
        >>> truth = [{"boxes": [[0, 0, 10, 10], [20, 20, 30, 30]], "labels": ["cat", "dog"]}]
        >>> found = [{"boxes": [[0, 0, 10, 9], [50, 50, 60, 60]], "labels": ["cat", "dog"], "scores": [0.9, 0.8]}]
        >>> ev = ix.detection(truth, found).at(score=0.5)
        >>> ev.score("f1", "micro"), ev.values("recall").tolist()
        (0.5, [1.0, 0.0])
        """
        examples = self._examples(score, iou, area, max_detections, across_classes)
        return evaluation_of(self.scene, *examples)

    def _examples(self, score: float, iou: float, area: Any, most: int | None, across: bool) -> tuple[Array, Array, Array]:
        least = check_score(score)
        matches, (t,), a = self._find_matches(check_iou(iou), area, self._most_counted if most is None else most, across)
        return examples_at(matches, least, t, a, most)

    @property
    def _most_counted(self) -> int:
        """How many predictions of an image and a class are counted at a score: all, if no limit was given."""
        kind = "keypoints" if isinstance(self.scene.truth.shapes, Keypoints) else "boxes"
        return EVERY if self.most == usual_most(kind, self.scene.unlisted is not None) else self.made.most

    def confusion(self, score: float, *, iou: float = 0.5, area: Any = "all", max_detections: int | None = None) -> Values:
        """Return the confusion matrix of the predictions from a score on, the background last.

        Predictions may match objects of another class; among those that they overlap enough, one of their own class comes first
        (with matching='voc' only if both overlap as much). The row "background" has the false predictions, the column the missed
        objects.

        Parameters
        ----------
        score : float
            Predictions with this score or a higher one are kept.
        iou : float, default 0.5
            The least overlap of a match.
        area : str or tuple, default 'all'
            The area range: 'all', 'small', 'medium', 'large', or two numbers.
        max_detections : int, optional
            How many predictions of an image and a class take part. Default: all, unless ``ix.detection`` was given a limit.

        Returns
        -------
        Values
            Rows true, columns predicted, with ``.names``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> truth = [{"boxes": [[0, 0, 10, 10], [20, 20, 30, 30]], "labels": ["cat", "dog"]}]
        >>> found = [{"boxes": [[0, 0, 10, 9], [50, 50, 60, 60]], "labels": ["dog", "dog"], "scores": [0.9, 0.8]}]
        >>> ix.detection(truth, found).confusion(0.5).tolist()
        [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
        """
        true, pred, _ = self._examples(score, iou, area, max_detections, True)
        names = (*self.classes, BACKGROUND)
        return Values.of(confusion_table(true, pred, len(self.classes)), (names, names), per=("true", "predicted"))

    def best(
        self,
        measure: str | Measure = "f1",
        average: str = "micro",
        *,
        iou: float = 0.5,
        area: Any = "all",
        better: str | None = None,
    ) -> Best:
        """Return the score from which predictions should be kept, so that a measure after matching is best.

        Parameters
        ----------
        measure : str or Measure, default 'f1'
            A measure, its name or a formula; one that reads true negatives is undefined.
        average : str, default 'micro'
            'micro' counts all classes together; 'macro', 'image' or an axis of by= is the mean over classes, images or units;
            'weighted' weights classes by their objects. Weights may change with the score.
        iou : float, default 0.5
            The least overlap of a match.
        area : str or tuple, default 'all'
            The area range: 'all', 'small', 'medium', 'large', or two numbers.
        better : str, optional
            "higher" or "lower", for a measure that does not say itself which of its values are better.

        Returns
        -------
        Best
            ``value``, ``threshold``, and the range of scores that give the same value.

        Examples
        --------
        >>> import indicatrix as ix
        >>> truth = [{"boxes": [[0, 0, 10, 10], [20, 20, 30, 30]], "labels": ["cat", "dog"]}]
        >>> found = [{"boxes": [[0, 0, 10, 9], [50, 50, 60, 60]], "labels": ["cat", "dog"], "scores": [0.9, 0.8]}]
        >>> best = ix.detection(truth, found).best("f1")
        >>> round(best.value, 3), best.threshold
        (0.667, 0.9)
        """
        if self.made.rule == "optimal":
            raise ValueError(
                "matching='optimal' is found anew for every score, so the best one is not searched. Give a score where there is "
                "score=, such as worst(score=0.5) and to_html(score=0.5), or use matching='coco'."
            )
        found = directed(find(measure), better)
        offer = Offer(found, self.axes, self.absent, refuse_hidden_counts)
        _, rule = OfferedAverages(found, offer).find(average)
        rankings = self._layers(check_iou(iou), area, self._most_counted).rankings(units_of(self.scene, rule.per))
        return best_score(found, rule, rankings, self.scene.predictions.score)

    def pr(self, of: Any = None, *, iou: float = 0.5, area: Any = "all", max_detections: int | None = None) -> Curve:
        """Return the precision-recall curve of a class, or of all classes ranked together.

        Parameters
        ----------
        of : label, optional
            A class. Default: all classes together.
        iou : float, default 0.5
            The least overlap of a match.
        area : str or tuple, default 'all'
            The area range: 'all', 'small', 'medium', 'large', or two numbers.
        max_detections : int, optional
            How many predictions of an image and a class take part. Default: 100.

        Returns
        -------
        Curve
            Recall and precision after each prediction; the area is ``ap(interpolation="step")``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> truth = [{"boxes": [[0, 0, 10, 10], [20, 20, 30, 30]], "labels": ["cat", "dog"]}]
        >>> found = [{"boxes": [[0, 0, 10, 9], [50, 50, 60, 60]], "labels": ["cat", "dog"], "scores": [0.9, 0.8]}]
        >>> curve = ix.detection(truth, found).pr()
        >>> curve.x.tolist(), curve.y.tolist(), curve.area
        ([0.0, 0.5, 0.5], [nan, 1.0, 0.5], 0.5)
        """
        return precision_recall(self._ranking_of(of, iou, area, max_detections), self.scene.predictions.score)

    def _ranking_of(self, of: Any, iou: float, area: Any, most: int | None) -> Ranking:
        """Return the ranking of a class, or of all together, at one threshold of the overlap."""
        if of is not None and of not in self.classes:
            raise ValueError(f"of={of!r} is not among the classes: {listing(self.classes)}.")
        units = units_of(self.scene, () if of is None else ("class",))
        found = self._layers(check_iou(iou), area, most).rankings(units)
        return found[0 if of is None else self.classes.index(of)]

    def froc(
        self, of: Any = None, *, iou: float = 0.5, area: Any = "all", max_detections: int | None = None, at: Any = None
    ) -> FreeResponse:
        """Return the free-response ROC curve: the share of objects found against false predictions.

        Parameters
        ----------
        of : label, optional
            A class. Default: all classes together.
        iou : float, default 0.5
            The least overlap of a match.
        area : str or tuple, default 'all'
            The area range: 'all', 'small', 'medium', 'large', or two numbers.
        max_detections : int, optional
            How many predictions of an image and a class take part. Default: 100.
        at : float or iterable of float, optional
            The numbers of false predictions for each image at which the height is averaged. Default: 0.25, 0.5, 1, 2, 4, 8.

        Returns
        -------
        FreeResponse
            ``.value``, the mean height, ``.interval()``, ``.curve`` and ``.plot()``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> truth = [{"boxes": [[0, 0, 10, 10], [20, 20, 30, 30]], "labels": ["cat", "dog"]}]
        >>> found = [{"boxes": [[0, 0, 10, 9], [50, 50, 60, 60]], "labels": ["cat", "dog"], "scores": [0.9, 0.8]}]
        >>> froc = ix.detection(truth, found).froc()
        >>> froc.curve.x.tolist(), froc.curve.y.tolist(), froc.value
        ([0.0, 0.0, 1.0], [0.0, 0.5, 0.5], 0.5)
        """
        return free_response(self._ranking_of(of, iou, area, max_detections), self.scene, at, of)

    def errors(self, *, iou: float = 0.5, background: float = 0.1, interpolation: str = "coco") -> ErrorBreakdown:
        """Return why predictions are false and objects missed, and what each kind of error costs in AP.

        Parameters
        ----------
        iou : float, default 0.5
            From which overlap a prediction finds an object.
        background : float, default 0.1
            Below which overlap a prediction has nothing to do with an object.
        interpolation : str, default 'coco'
            As in ``ap``.

        Returns
        -------
        ErrorBreakdown
            ``counts`` and ``costs`` of classification, localization, both, duplicate, background and missed.

        Examples
        --------
        >>> import indicatrix as ix
        >>> truth = [{"boxes": [[0, 0, 10, 10], [20, 20, 30, 30]], "labels": ["cat", "dog"]}]
        >>> found = [{"boxes": [[0, 0, 10, 9]], "labels": ["cat"], "scores": [0.9]}]
        >>> ix.detection(truth, found).errors()
        AP 0.500         errors    cost
        classification        0   0.000
        localization          0   0.000
        both                  0   0.000
        duplicate             0   0.000
        background            0   0.000
        missed                1   0.500
        """
        (least,) = check_iou(iou)
        if not 0 < background < least:
            raise ValueError(f"background={background!r} must lie above 0 and below iou={iou!r}.")
        made = replace(self.made, ious=(least,), areas={"all": self.made.areas["all"]})
        check_interpolation(interpolation)
        return break_down(self.matches(made), interpolation, background)

    @property
    def plot(self) -> DetectionPlots:
        """The plots: ``result.plot.pr()``, ``.classes()``, ``.errors()``, ``.worst(pictures)`` and others."""
        return DetectionPlots(self)

    def worst(self, k: int = 6, *, score: float | None = None, iou: float = 0.5) -> tuple[ImageCase, ...]:
        """Return the images with the most errors at a score: false predictions and missed objects.

        Of images with as many errors, those come first where less was found.

        Parameters
        ----------
        k : int, default 6
            How many images at most; images without an error are left out.
        score : float, optional
            Predictions with this score or a higher one are kept. Default: the score where micro F1 is best.
        iou : float, default 0.5
            The least overlap of a match.

        Returns
        -------
        tuple of ImageCase
            The worst first, with the positions of what was found, false and missed; ``plot.worst`` draws them.

        Examples
        --------
        >>> import indicatrix as ix
        >>> one, none = {"boxes": [[0, 0, 9, 9]], "labels": [1]}, {"boxes": [], "labels": []}
        >>> result = ix.detection([one, one], [{**one, "scores": [0.5]}, {**none, "scores": []}], images=["a", "b"])
        >>> result.worst()
        (image 'b': 0 found, 0 false, 1 missed,)
        """
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise ValueError(f"k={k!r} must be a whole number of images, such as 6.")
        return worst_cases(self._cases(score, iou), k)

    def _cases(self, score: float | None, iou: float) -> list[ImageCase]:
        matches, (t,), a = self._find_matches(check_iou(iou), "all", self._most_counted)
        return image_cases(matches, self._score_or_best(score, iou), t, a)

    def _score_or_best(self, score: float | None, iou: float) -> float:
        """Return a score that was given, or the one where micro F1 is best; without a best one, all are kept."""
        if score is not None:
            return check_score(score)
        best = float(self.best("f1", iou=iou).threshold)
        return best if np.isfinite(best) else float(self.scene.predictions.score.min(initial=0.0))

    def to_html(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        score: float | None = None,
        iou: float = 0.5,
        interval: float | bool = True,
        pictures: Any = None,
        title: str = "Detection",
    ) -> str | None:
        """Return the report page, or write it to a file: one HTML file that works offline.

        It shows the numbers of the summary, precision and recall at several overlaps, every class, what each kind of error costs,
        which classes are confused, with ``pictures`` the worst images, and any measure of the counts at a score.

        Parameters
        ----------
        path : str or path, optional
            The file to write. Default: no file; the page is returned as text.
        score : float, optional
            Predictions with this score or a higher one are counted. Default: the score where micro F1 is best.
        iou : float, default 0.5
            The least overlap of a match, for counts and errors.
        interval : float or bool, default True
            The level of the interval of AP, such as 0.95, or False for none: with very many images it takes long.
        pictures : mapping, sequence or callable, optional
            The pictures: by the name of the image, in the order of the images, or a function of the name. A picture is an array,
            a path or a PIL image. The six worst images are drawn into the page, which needs matplotlib.
        title : str, default 'Detection'
            The title of the page.

        Returns
        -------
        str or None
            The page, if no file was named.

        Examples
        --------
        >>> import indicatrix as ix
        >>> boxes = {"boxes": [[0, 0, 10, 10]], "labels": [1]}
        >>> page = ix.detection([boxes], [{**boxes, "scores": [0.5]}]).to_html(title="Monday")
        >>> page.startswith("<!DOCTYPE html>"), "<title>Monday</title>" in page
        (True, True)
        """
        from .detection_page import write_detection_page

        return write_detection_page(self, path, score=score, iou=iou, level=interval, pictures=pictures, title=title)

    def check_comparable(self, other: Any) -> None:
        """Refuse another detector that was not evaluated on the same objects in the same way.

        Parameters
        ----------
        other : DetectionEvaluation
            Another detector.

        Examples
        --------
        >>> import indicatrix as ix
        >>> boxes = {"boxes": [[0, 0, 10, 10]], "labels": [1]}
        >>> result = ix.detection([boxes], [{**boxes, "scores": [0.5]}])
        >>> result.check_comparable(result)
        """
        if not isinstance(other, DetectionEvaluation):
            raise TypeError(f"compare() takes another result of ix.detection, not {type_of(other)}.")
        mine, theirs = self.scene, other.scene
        same = mine.images == theirs.images and mine.classes == theirs.classes and mine.by == theirs.by
        if self.made != other.made:
            raise ValueError(OTHERWISE)
        columns = ("image", "label", "area", "ignore", "crowd")
        if (
            not same
            or not same_shapes(mine.truth.shapes, theirs.truth.shapes)
            or not all(np.array_equal(getattr(mine.truth, c), getattr(theirs.truth, c)) for c in columns)
        ):
            raise ValueError(
                "The two detectors were not evaluated on the same objects in the same images. Give ix.detection the same truth "
                "and, for arrays, the same classes= and images=."
            )

    def _layers(self, iou: Any, area: Any, most: int | None) -> Layers:
        matches, ious, a = self._find_matches(iou, "all" if area is None else area, most)
        return Layers(matches, ious, a, most)

    def __add__(self, other: DetectionEvaluation) -> DetectionEvaluation:
        """Return the evaluation of the images of both, as if they had been given together."""
        if not isinstance(other, DetectionEvaluation):
            return NotImplemented
        if type(self.scene.truth.shapes) is not type(other.scene.truth.shapes):
            raise ValueError("One has other shapes than the other: boxes, masks, oriented boxes and keypoints are not added.")
        if (self.made, self.most, self.numbers) != (other.made, other.most, other.numbers):
            raise ValueError(OTHERWISE)
        return DetectionEvaluation(join_scenes(self.scene, other.scene), self.made, self.most, self.numbers)

    def __repr__(self) -> str:
        many = {"image": len(self.images), "class": len(self.classes)}
        many |= {"object": self.scene.truth.n, "prediction": self.scene.predictions.n}
        return f"<DetectionEvaluation: {', '.join(number_of(n, noun) for noun, n in many.items())}>"

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the numbers of the summary as columns.

        Returns
        -------
        dict
            Lists of equal length, such as a data frame takes.

        Examples
        --------
        >>> import indicatrix as ix
        >>> boxes = {"boxes": [[0, 0, 10, 10]], "labels": [1]}
        >>> ix.detection([boxes], [{**boxes, "scores": [0.5]}]).to_dict()["number"][:3]
        ['AP', 'AP50', 'AP75']
        """
        known = self.summary()
        return {"number": [*known], "value": [float(value) for value in known.values()]}

    def __str__(self) -> str:
        rows = [f"{name:<6} {float(value):.3f}" for name, value in self.summary().items()]
        return "\n".join([repr(self)[1:-1], *rows])

    def _repr_html_(self) -> str:
        values = self.ap(per="class").tolist()
        objects = np.bincount(self.scene.truth.label[~self.scene.truth.ignore], minlength=len(self.classes)).tolist()
        rows = [(Label(name), *row) for name, *row in zip(self.classes, objects, values, strict=True)]
        classes = scrolling_box(Table(("class", "objects", "AP"), rows))
        blocks = [
            f"<p>{repr(self)[1:-1]}</p>",
            Table(("number", "what it is", "value"), self._summary_rows(), 2).html(),
            fold("Classes", classes, open=len(rows) <= MOST_OPEN),
        ]
        return fragment([*blocks, fold("Errors", self.errors().table().html())])
