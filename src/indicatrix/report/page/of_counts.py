"""The sections that counts alone make: matrix, classes, measures, gap, priors, conventions."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import as_weight
from ...algebra.average import BINARY, find_average
from ...algebra.convention import Convention
from .numbers import numbers
from .page_data import convention_data
from .page_subject import Subject

MOST_INTERVALS = 400  # each takes one or two milliseconds
MOST_MEASURES = 6
USUAL: tuple[Any, ...] = ("exclude", 0, 1, "nan", Convention(0), Convention(0, "true"))


def matrix_content(subject: Subject) -> dict[str, Any] | str | None:
    """Return nothing more than the embedded matrix, or why there is no matrix."""
    if not subject.ev.classes:
        return None
    try:
        return {"examples": numbers([np.asarray(subject.ev.confusion).sum()])[0]}
    except ValueError as reason:
        return str(reason)


def class_table_content(subject: Subject) -> dict[str, Any] | str | None:
    """Return the intervals of the classes; if they are many, of fewer measures and the largest classes."""
    ev = subject.ev
    if not ev.classes:
        return None
    measures = subject.of_classes
    if not measures:
        return "The page cannot compute values of single classes with these measures."
    main = subject.main
    ordered = [main, *(m for m in measures if m != main)]
    with_ends = ordered[: max(1, min(MOST_MEASURES, MOST_INTERVALS // len(ev.classes)))]
    return {"measures": measures, "main": main, **_intervals(subject, with_ends)}


def _intervals(subject: Subject, measures: list[str]) -> dict[str, Any]:
    """Return the ends by measure, one pair of lists for the classes, and why there are no intervals."""
    ev = subject.ev
    found: dict[str, list[Any]] = {}
    sizes = as_weight(ev.aggregate("class").tpos)
    largest = np.argsort(-np.nan_to_num(sizes), kind="stable")[:MOST_INTERVALS].tolist()
    for name in measures:
        ends = np.full((2, len(ev.classes)), np.nan)
        for i in largest:
            try:
                own = replace(ev, named_positive=ev.classes[i]).interval(name, BINARY, level=subject.level)
            except (ValueError, ImportError) as wrong:
                return {"intervals": found, "why": str(wrong), "largest": 0}
            ends[:, i] = own.low, own.high
        found[name] = [numbers(side) for side in ends]
    return {"intervals": found, "why": "", "largest": len(largest)}


def measure_grid_content(subject: Subject) -> dict[str, Any] | None:
    """Return the intervals of the scores, and the values of a classifier that is always wrong."""
    if not subject.ev.classes:
        return None
    return {"floors": _floors(subject), "onehot": len(subject.ev.classes) if _is_one_hot(subject.ev) else 0}


def _is_one_hot(ev: Any) -> bool:
    """Return whether each example has one true and one predicted class: then floors are known."""
    if ev.kind != "multiclass" or len(ev.classes) < 2 or ev.unobserved or ev.recipe.uses("cost") or ev.recipe.uses("only"):
        return False
    rows = ev.aggregate("example")
    fits = np.isclose(np.asarray(rows.fp, float), np.asarray(rows.fn, float)) & ((rows.tp + rows.fn) == 1)
    return bool(np.size(rows.tp)) and bool(np.all(fits))


def _floors(subject: Subject) -> dict[str, dict[str, float]]:
    """Return the floors that depend on the class sizes; the page computes those that depend on m only."""
    ev = subject.ev
    floors: dict[str, dict[str, float]] = {}
    if not _is_one_hot(ev):
        return {}
    sizes = [int(x) for x in np.asarray(ev.aggregate("class").tpos)] if len(ev.classes) <= 200 else []
    if not sizes or min(sizes) < 1:
        return {}
    for measure in (m for m in subject.measures if m.reads.formula):
        for average in subject.averages:
            if not find_average(average).is_mean_over("class"):
                continue
            try:
                found = float(subject.theory.floor(measure, len(sizes), average=average, sizes=sizes, n=sum(sizes)))
            except ValueError:  # not known in closed form
                continue
            if math.isfinite(found):
                floors.setdefault(str(measure), {})[average] = found
    return floors


def gap_content(subject: Subject) -> dict[str, Any] | None:
    """Return the measures to choose from; None with fewer than two classes. The page computes the rest."""
    if len(subject.ev.classes) < 2 or not subject.of_classes:
        return None
    return {"measures": subject.of_classes, "main": subject.main}


def priors_content(subject: Subject) -> dict[str, Any] | str | None:
    """Return how priors are moved here, which classes can be moved, and the first of them."""
    ev = subject.ev
    if not ev.classes or not ev.n or not subject.of_classes:
        return None
    if ev.unobserved:
        return f"Other class frequencies need all counts, but these data do not show {', '.join(ev.unobserved)}."
    if ev.recipe.uses("cost"):
        return "Other class frequencies count examples, but costs weight the cells here."
    counts = ev.aggregate("class")
    actual, rest, predicted = (as_weight(x) for x in (counts.tpos, counts.tneg, counts.ppos))
    if ev.kind == "multiclass":
        try:
            table = as_weight(ev.confusion)
        except ValueError as reason:
            return f"Other class frequencies need the pairs of true and predicted classes. {reason}"
        if not np.allclose(table.sum(axis=0), predicted):
            return "Some examples have no true class, so their number does not follow from the class frequencies."
    movable = np.flatnonzero((actual > 0) & (rest > 0))
    if not movable.size:
        return "No class can be made rarer or more frequent: each has all examples or none."
    first = movable[np.argmin(actual[movable])]  # the rarest shows most
    return {"movable": movable.tolist(), "first": int(first), "together": ev.kind == "multiclass"}


def conventions_content(subject: Subject) -> dict[str, Any] | None:
    """Return the conventions, the one of the page first."""
    if not subject.ev.classes:
        return None
    return {"choices": [convention_data(convention) for convention in dict.fromkeys((subject.undefined, *USUAL))]}
