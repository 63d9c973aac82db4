"""The section of all measures under all averages: intervals, and the floors that theory knows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.average import find_average
from .page_subject import Subject


def content(subject: Subject) -> dict[str, Any] | None:
    """Return the intervals of the scores, and the values of a classifier that is always wrong."""
    if not subject.ev.classes:
        return None
    return {"floors": _floors(subject), "onehot": len(subject.ev.classes) if _is_one_hot(subject.ev) else 0}


def _is_one_hot(ev: Any) -> bool:
    """Return whether each example has one true and one predicted class: then floors are known."""
    if ev.kind != "multiclass" or len(ev.classes) < 2 or ev.unobserved or ev.made.uses("cost") or ev.made.uses("only"):
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
    for measure in subject.measures:
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
