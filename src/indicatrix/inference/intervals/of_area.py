"""The area that an interval of a sweep is asked for, and what was sampled of it."""

from __future__ import annotations

from typing import Any

from ...algebra.average import Name
from ...algebra.score import Score
from ...algebra.spelling import did_you_mean
from ...algebra.wording import type_of
from ...scores.areas import AREAS, Area
from ...scores.sweep import Sweep
from ..estimators.areas import area_estimator
from ..estimators.scores import Estimator


def area_of(source: Any, measure: Any) -> Area:
    """Return the area of a sweep that is named; refuse what is not a sweep."""
    if not isinstance(source, Sweep):
        hint = "ix.f1(…, interval=0.95) has one" if isinstance(source, Score) else "Use ix.evaluate(…)"
        raise TypeError(f"An interval is of an evaluation, a sweep, a loss or a ranking, not of {type_of(source)}. {hint}.")
    if measure is None:
        raise TypeError("measure= is missing: name the area that the interval is of, such as 'auc'.")
    if isinstance(measure, Area):
        return measure
    if measure not in AREAS:
        hint = did_you_mean(str(measure), [*AREAS])
        raise ValueError(f"{measure!r} is not an area of scores. {hint + ' ' if hint else ''}Choose from {', '.join(AREAS)}.")
    return AREAS[measure]


def estimator_of_area(swept: Sweep, area: Area, average: Name | None, clusters: str | None, method: str | None) -> Estimator:
    """Return an area of a sweep with what was sampled; refuse what is for evaluations only."""
    if method == "replicates":
        raise ValueError("method='replicates' is for evaluations; an area of a sweep does not need them. Leave method= out.")
    if clusters is not None:
        raise ValueError("clusters= is for evaluations; an area of a sweep takes every example for independent.")
    return area_estimator(area, swept, average)
