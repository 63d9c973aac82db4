"""What COCO's and LVIS's evaluations fix: thresholds, area ranges, limits, the numbers they print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.measure import Measure
from ...algebra.measure_names import resolve
from ..read.given_columns import numbers_or_none

ALL = {"all": (0.0, 1e10)}
COCO_AREAS = {**ALL, "small": (0.0, 32.0**2), "medium": (32.0**2, 96.0**2), "large": (96.0**2, 1e10)}
EVERY = 2**31 - 1  # a limit that no image reaches
COCO_IOUS = tuple(np.linspace(0.5, 0.95, 10).tolist())


@dataclass(frozen=True)
class Number:
    """One of the numbers of a summary: an average precision or recall, and where it is taken."""

    name: str
    recall: bool = False
    iou: float | None = None
    area: str = "all"
    most: int | None = None
    frequency: str | None = None

    @property
    def measure(self) -> Measure:
        """The measure whose macro average it is."""
        area = None if self.area == "all" else self.area
        where = {"iou": self.iou, "area": area, "max_detections": self.most, "only": self.frequency}
        return resolve("ar" if self.recall else "ap").at(**where)

    @property
    def in_words(self) -> str:
        """What it is.

        >>> Number("AP50", iou=0.5).in_words, Number("AR1", True, most=1).in_words
        ('average precision at an overlap of 0.5', 'average recall, the 1 highest score of each image and class')
        """
        parts = ["average recall" if self.recall else "average precision"]
        if self.iou is not None:
            parts[0] += f" at an overlap of {self.iou:g}"
        if self.area != "all":
            parts.append(f"{self.area} objects")
        if self.frequency is not None:
            parts.append({"r": "rare", "c": "common", "f": "frequent"}.get(self.frequency, self.frequency) + " classes")
        if self.most is not None:
            parts.append(f"the {self.most} highest {'score' if self.most == 1 else 'scores'} of each image and class")
        return ", ".join(parts)


def numbers_of(kind: str, most: tuple[int, ...], *, federated: bool = False) -> tuple[Number, ...]:
    """Return the numbers that COCO prints for boxes and masks, and for keypoints, or those of LVIS.

    Without a limit on predictions there is one AR.

    >>> [number.name for number in numbers_of("boxes", (1, 10, 100))]
    ['AP', 'AP50', 'AP75', 'APs', 'APm', 'APl', 'AR1', 'AR10', 'AR100', 'ARs', 'ARm', 'ARl']
    """
    sizes = [size for size in ("small", "medium", "large") if kind != "keypoints" or size != "small"]
    precision = [Number("AP"), Number("AP50", iou=0.5), Number("AP75", iou=0.75)]
    precision += [Number(f"AP{size[0]}", area=size) for size in sizes]
    of_sizes = [Number(f"AR{size[0]}", True, area=size) for size in sizes]
    if kind == "keypoints":
        return (*precision, Number("AR", True), Number("AR50", True, 0.5), Number("AR75", True, 0.75), *of_sizes)
    if federated:
        groups = [Number(f"AP{group}", frequency=group) for group in "rcf"]
        return (*precision, *groups, Number("AR", True), *of_sizes)
    return (*precision, *(Number(f"AR{k}", True, most=k) if k < EVERY else Number("AR", True) for k in most), *of_sizes)


def usual_most(kind: str, federated: bool) -> tuple[int, ...]:
    """Return how many predictions of an image and a class take part, in the order of COCO's numbers."""
    if federated:
        return (300,)
    return (20,) if kind == "keypoints" else (1, 10, 100)


def usual_areas(kind: str) -> dict[str, tuple[float, float]]:
    """Return COCO's area ranges; keypoints have no small one."""
    return {name: ends for name, ends in COCO_AREAS.items() if kind != "keypoints" or name != "small"}


def check_ious(ious: Any) -> tuple[float, ...]:
    """Return thresholds of the overlap, each above 0 and at most 1."""
    array = np.asarray(COCO_IOUS) if ious is None else numbers_or_none(ious)
    given = () if array is None or array.ndim > 1 else tuple(np.atleast_1d(array).tolist())
    if not given or not all(0 < iou <= 1 for iou in given):
        raise ValueError(f"ious={ious!r}: give thresholds of the overlap above 0 and at most 1, such as 0.5 or [0.5, 0.75].")
    return given


def check_iou(iou: Any) -> tuple[float]:
    """Return the one threshold of the overlap of what is computed at a single one."""
    given = check_ious(iou)
    if len(given) > 1:
        raise ValueError(f"iou={iou!r}: give one threshold of the overlap, such as 0.5.")
    return (given[0],)


def check_areas(areas: Any, kind: str) -> dict[str, tuple[float, float]]:
    """Return area ranges by name, "all" among them."""
    if areas is None:
        return usual_areas(kind)
    if not isinstance(areas, Mapping):
        raise TypeError(f"areas={areas!r}: give a dict of ranges by name, such as {{'small': (0, 1024)}}.")
    return {**ALL, **{name: check_area(ends, f"areas={{{name!r}: {ends!r}}}") for name, ends in areas.items()}}


def check_area(ends: Any, given: str) -> tuple[float, float]:
    """Return the ends of an area range."""
    array = numbers_or_none(ends)
    if array is None or array.shape != (2,) or not 0 <= array[0] <= array[1]:
        raise ValueError(f"{given}: give the smallest and the largest area, such as (0, 1024).")
    return float(array[0]), float(array[1])


def check_most(given: Any) -> tuple[int, ...]:
    """Return numbers of predictions, the smallest first."""
    many = np.atleast_1d(np.asarray(given)).tolist()
    if not many or not all(isinstance(k, int) and k > 0 for k in many):
        raise ValueError(f"max_detections={given!r}: give whole numbers above 0, such as 100 or (1, 10, 100).")
    return tuple(sorted(many))


def check_score(score: Any) -> float:
    """Return a score from which predictions are kept."""
    if not isinstance(score, int | float | np.number) or isinstance(score, bool) or score != score:
        raise ValueError(f"score={score!r} must be a number: predictions with this score or a higher one are kept.")
    return float(score)
