"""The area that an interval of a sweep is asked for, and what was sampled of it."""

from __future__ import annotations

from typing import Any

from ...algebra.average import BINARY, Name
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
        hint = _interval_with(source) if isinstance(source, Score) else "Use ix.evaluate(…)."
        raise TypeError(f"An interval is of an evaluation, a sweep, a loss or a ranking, not of {type_of(source)}. {hint}")
    if measure is None:
        raise TypeError("measure= is missing: name the area that the interval is of, such as 'auc'.")
    if isinstance(measure, Area):
        return measure
    if measure not in AREAS:
        hint = did_you_mean(str(measure), [*AREAS])
        raise ValueError(f"{measure!r} is not an area of scores. {hint + ' ' if hint else ''}Choose from {', '.join(AREAS)}.")
    return AREAS[measure]


def _interval_with(score: Score) -> str:
    """Return the calls that give the interval of a score, which alone does not hold the examples.

    >>> import indicatrix as ix
    >>> _interval_with(ix.auc([0, 1, 1], [0.2, 0.6, 0.9]))
    "It has one with ix.auc(y_true, scores, interval=0.95), or ix.interval(ix.sweep(y_true, scores), 'auc')."
    """
    name, swept = str(score.measure), isinstance(score.measure, Area)
    arrays, made = ("y_true, scores", "sweep") if swept else ("y_true, y_pred", "evaluate")
    inside = "" if score.average in (BINARY, None) or not isinstance(score.average, str) else score.average
    average, last = (f", average={inside!r}", f", {inside!r}") if inside else ("", "")
    call = f"ix.{name}" if name.isidentifier() else f"ix.measure({name!r})"
    return f"It has one with {call}({arrays}{average}, interval=0.95), or ix.interval(ix.{made}({arrays}), {name!r}{last})."


def estimator_of_area(swept: Sweep, area: Area, average: Name | None, clusters: str | None, method: str | None) -> Estimator:
    """Return an area of a sweep with what was sampled; refuse what is for evaluations only."""
    if method == "replicates":
        raise ValueError("method='replicates' is for evaluations; an area of a sweep does not need them. Leave method= out.")
    if clusters is not None:
        raise ValueError("clusters= is for evaluations; an area of a sweep takes every example for independent.")
    return area_estimator(area, swept, average)
