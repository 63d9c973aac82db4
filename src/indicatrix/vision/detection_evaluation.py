"""DetectionEvaluation: predictions matched with true objects, and every number that follows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..algebra.score import Score, Undefined
from ..algebra.values import Values
from ..algebra.wording import listing, number_of
from .detection_settings import Number, check_ious
from .matches import Areas, Matches, MatchingRule, match
from .objects import Scene
from .unit_areas import AVERAGE_RECALL, Quantity, axes_of_average, precision_area, score_of, units_of, values_of_units


@dataclass(frozen=True, eq=False, repr=False)
class DetectionEvaluation:
    """Predicted objects matched with true ones; ``ix.detection`` makes it.

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

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in order."""
        return self.scene.classes

    @property
    def images(self) -> tuple[Any, ...]:
        """The images, in order."""
        return self.scene.images

    def matches(self, made: MatchingRule | None = None) -> Matches:
        """Return the matches, by another rule if one is given; each rule is run once."""
        rule = self.made if made is None else made
        key = (rule.rule, rule.ious, tuple(rule.areas.items()), rule.most, rule.across_classes)
        if key not in self._cache:
            self._cache[key] = match(self.scene, rule)
        return self._cache[key]

    def _asked(self, iou: Any, area: Any, most: int | None) -> tuple[Matches, list[int], int]:
        """Return matches that have what is asked, the places of the thresholds, and that of the area range."""
        ious = self.made.ious if iou is None else check_ious(iou)
        areas: Areas = self.made.areas
        if not isinstance(area, str):
            areas, area = {f"{area[0]} to {area[1]}": (float(area[0]), float(area[1]))}, f"{area[0]} to {area[1]}"
        if area not in areas:
            raise ValueError(f"There is no area range {area!r}; there are {listing(tuple(areas))}. Or give two numbers: area=(0, 1024).")
        limit = self.made.most if most is None else most
        made = self.made
        if limit > made.most or areas is not made.areas or not {*ious} <= {*made.ious}:
            made = replace(made, ious=tuple(dict.fromkeys(ious)), areas=areas, most=max(limit, made.most))
        return self.matches(made), [made.ious.index(x) for x in ious], list(made.areas).index(area)

    def ap(
        self,
        iou: Any = None,
        *,
        area: Any = "all",
        max_detections: int | None = None,
        interpolation: str = "coco",
        average: str = "macro",
        per: Any = None,
        undefined: Undefined = "exclude",
    ) -> Any:
        """Return the average precision, the mean over thresholds of the overlap (errata A15).

        Parameters
        ----------
        iou : float or list, optional
            The least overlap of a match; several are averaged. Left out: those of the evaluation, 0.50, 0.55, …, 0.95.
        area : str or tuple, default 'all'
            The area range: 'all', 'small', 'medium', 'large', or two numbers.
        max_detections : int, optional
            How many predictions of an image and a class take part. Left out: 100.
        interpolation : str, default 'coco'
            As in ``ix.average_precision``: 'coco', '101-point', '11-point', 'envelope', 'step' or 'trapezoid'.
        average : str, default 'macro'
            'macro' is the mean over classes, 'weighted' weights them by their objects, 'micro' ranks all classes together,
            'image' or an axis of by= is the mean over images with their classes ranked together.
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
        return self._number(precision_area(interpolation), iou, area, max_detections, average, per, undefined)

    def ar(
        self,
        iou: Any = None,
        *,
        area: Any = "all",
        max_detections: int | None = None,
        average: str = "macro",
        per: Any = None,
        undefined: Undefined = "exclude",
    ) -> Any:
        """Return the average recall: the share of objects that are found, the mean over thresholds of the overlap.

        Parameters
        ----------
        iou, area, max_detections, average, per, undefined
            As in ``ap``.

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
        return self._number(AVERAGE_RECALL, iou, area, max_detections, average, per, undefined)

    def _number(
        self, quantity: Quantity, iou: Any, area: Any, most: int | None, average: str, per: Any, undefined: Undefined
    ) -> Any:
        matches, ious, a = self._asked(iou, area, most)
        if per is not None:
            units = units_of(self.scene, (per,) if isinstance(per, str) else tuple(per))
            values, _ = values_of_units(matches, quantity, units, ious, a, most)
            return Values.of(values, units.names, per=units.per)
        rule = axes_of_average(self.scene, average)
        values, counts = values_of_units(matches, quantity, units_of(self.scene, rule.per), ious, a, most)
        return score_of(quantity, average, rule, undefined, values, counts)

    def summary(self) -> dict[str, Score]:
        """Return the numbers that COCO's program prints, by name; for keypoints its ten, and for LVIS its thirteen.

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
        >>> found["AP"], found["ARs"], found["APl"]
        (1.0, 1.0, nan)
        """
        return {number.name: self._of_summary(number) for number in self.numbers if number.area in self.made.areas}

    def _of_summary(self, number: Number) -> Score:
        quantity: Quantity = AVERAGE_RECALL if number.recall else precision_area("coco")
        matches, ious, a = self._asked(number.iou, number.area, number.most)
        rule = axes_of_average(self.scene, "macro")
        values, counts = values_of_units(matches, quantity, units_of(self.scene, rule.per), ious, a, number.most)
        groups = self.scene.frequency
        only = None if number.frequency is None or groups is None else np.array([group == number.frequency for group in groups])
        return score_of(quantity, "macro", rule, "exclude", values, counts, only)

    def __repr__(self) -> str:
        truth, predictions = self.scene.truth, self.scene.predictions
        return (
            f"<DetectionEvaluation: {number_of(len(self.images), 'image')}, {number_of(len(self.classes), 'class')[:-1] + 'es' if len(self.classes) != 1 else '1 class'}, "
            f"{number_of(truth.n, 'object')}, {number_of(predictions.n, 'prediction')}>"
        )

    def __str__(self) -> str:
        rows = [f"{name:<6} {float(value):.3f}" for name, value in self.summary().items()]
        return "\n".join([repr(self)[1:-1], *rows])
