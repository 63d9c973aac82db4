"""The score of a run, its interval, and what its variance is made of."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ..algebra.score import Score, Undefined
from ..inference.estimators.of_weights import mean_over_examples, variance_of
from ..inference.intervals.interval import Interval
from ..inference.intervals.of_score import interval
from .answers import Answers
from .measures import measure_of_answers


def score_of(one: Answers, measure: Any, undefined: Undefined) -> Score:
    """Return the mean over questions of a measure of one run."""
    if not np.isfinite(one.scores).any() and any(isinstance(x, str) for x in one.said):
        shown = next(x for x in one.said if isinstance(x, str))
        raise ValueError(f"{one.scorer!r} gives labels such as {shown!r}, not scores: runs.evaluate() measures them.")
    return measure_of_answers(measure).score(one, None, undefined)


def interval_of_answers(
    one: Answers, measure: Any, level: float, method: str | None, clusters: Any, undefined: Undefined
) -> Interval:
    """Return a score of one run with its interval."""
    chosen = score_of(one, measure, undefined).measure
    found = interval(one, chosen, level=level, method=method, clusters=clusters, undefined=undefined)
    return replace(found, average=None)


def standard_error(one: Answers, score: Score, clusters: Any = None) -> float:
    """Return the standard error of a mean over questions, or over clusters of them (Miller 2024)."""
    added = mean_over_examples(score, one.clusters_of(clusters)).added if math.isfinite(score) else np.zeros(0)
    return math.sqrt(variance_of(added)) if len(added) > 1 else math.nan


def variances(one: Answers) -> dict[str, float]:
    """Return the variance of scores between questions, and the mean one between answers to a question.

    What questions differ by is what their means do, less what answers make of it.
    """
    means = one.totals / np.where(one.tries > 0, one.tries, math.nan)
    asked, several = one.tries[one.tries > 0], one.tries[one.tries > 1]
    if not len(several):
        return {"between": math.nan, "within": math.nan}
    squares = np.bincount(one.of, np.nan_to_num(one.scores - means[one.of]) ** 2, one.n)
    within = float((squares[one.tries > 1] / (several - 1)).mean())
    seen = float(np.nanvar(means, ddof=1)) if len(asked) > 1 else math.nan
    return {"between": max(seen - within * float((1 / asked).mean()), 0.0), "within": within}
