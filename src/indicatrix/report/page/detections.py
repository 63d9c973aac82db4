"""The sections of a page about detections: numbers, curves, classes, errors, pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .page_subject import Subject, label_text, numbers

EXTRA = "detections"  # the name under which a subject has its detections


@dataclass(frozen=True)
class Detections:
    """What a page shows about detections, as names, numbers and texts."""

    numbers: Sequence[tuple[str, str, float]]  # the name of a number of the summary, what it is, its value
    interval: tuple[float, float, str] | None  # of the first number, and what a reader should know about it
    curves: Sequence[tuple[Any, Mapping[float, tuple[Any, Any, float]]]]  # a class, None for all: overlap to x, y, area
    classes: Mapping[str, Sequence[Any]]  # columns: the names, the objects, the values
    errors: Mapping[str, Sequence[Any]]  # columns: the kind, how many, the cost
    confusions: Sequence[tuple[Any, Any, int]]  # true, predicted, how often; None is the background
    score: float  # from which predictions are kept for counts
    iou: float
    pictures: Sequence[tuple[str, str]] = ()  # a text, and a PNG file in base64


def _detections_of(subject: Subject) -> Detections:
    found: Detections = subject.extras[EXTRA]
    return found


def numbers_content(subject: Subject) -> dict[str, Any]:
    """Return the numbers of the summary, and the interval of the first."""
    found = _detections_of(subject)
    rows = [{"name": name, "says": says, "value": numbers([value])[0]} for name, says, value in found.numbers]
    low, high, warning = found.interval or (float("nan"), float("nan"), "")
    return {"rows": rows, "interval": numbers([low, high]), "warning": warning}


def curves_content(subject: Subject) -> dict[str, Any] | str:
    """Return precision and recall at several overlaps, of all classes together and of each."""
    found = _detections_of(subject).curves
    if not found:
        return "There are no objects, so there are no curves."
    return {"curves": [{"name": None if name is None else label_text(name), "lines": _lines(lines)} for name, lines in found]}


def _lines(lines: Mapping[float, tuple[Any, Any, float]]) -> list[dict[str, Any]]:
    return [{"iou": iou, "x": numbers(x), "y": numbers(y), "area": numbers([area])[0]} for iou, (x, y, area) in lines.items()]


def classes_content(subject: Subject) -> dict[str, Any] | str:
    """Return the columns of the table of classes."""
    found = _detections_of(subject).classes
    if not found["class"]:
        return "There are no classes."
    values = {name: numbers(column) for name, column in found.items() if name != "class"}
    return {"names": [label_text(name) for name in found["class"]], "columns": values}


def errors_content(subject: Subject) -> dict[str, Any]:
    """Return the kinds of errors with their costs, and the classes that are confused most often."""
    found = _detections_of(subject)
    kinds, counts, costs = (found.errors[name] for name in ("error", "count", "cost"))
    confused = [[*(None if name is None else label_text(name) for name in pair), n] for *pair, n in found.confusions]
    facts = {"iou": found.iou, "score": numbers([found.score])[0]}
    return {"kinds": list(kinds), "counts": list(counts), "costs": numbers(costs), "confusions": confused, **facts}


def pictures_content(subject: Subject) -> dict[str, Any] | None:
    """Return the worst images as pictures; None if none were given."""
    found = _detections_of(subject).pictures
    return {"pictures": [{"says": label_text(says), "png": png} for says, png in found]} if found else None
