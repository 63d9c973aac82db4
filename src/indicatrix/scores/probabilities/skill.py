"""Skill: how much of the loss of a trivial forecast a forecast avoids.

The trivial forecast, the reference, gives every example the frequencies of the classes. Others call these scores D², the share of
the deviance that is explained, and the Brier skill score.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.measure import Measure
from ...algebra.numbers.functions import ratio
from ...algebra.score import Score, Undefined
from ...algebra.sums import sums
from ...words.call_mistakes import answers_mistakes
from ..contributions import Meaning, average_contributions
from ..score_options import with_interval
from .forecasts import read_forecast
from .predictions import Forecast, log_losses, squared_losses

EACH_EXAMPLE = {"example": "an example alone may have a reference without loss; 'micro' divides sums over examples."}
BRIER_SKILL, LOG_LOSS_SKILL = (sums(name, range=(-math.inf, 1), source="wilks2011") for name in ("brier_skill", "log_loss_skill"))
NO_LOSS = ", where the reference has no loss"


@with_interval
@answers_mistakes
def brier_skill(y_true: Any, y_proba: Any, *, average: str = "micro", undefined: Undefined = "exclude", **options: Any) -> Score:
    """Return 1 - Brier score / Brier score of the class frequencies, the Brier skill score (D²).

    1 is the best, 0 is as good as giving every example the frequencies of the classes in these data, and below 0 is worse
    than that. Where there is one class only, these frequencies have no loss, and the score is undefined.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    y_proba : array-like
        Probabilities: one per example for the positive class, or a row per example with one for each class.
    average : str, default 'micro'
        "micro" divides the sums over all, "macro" and "weighted" those of each class, the name of a by= axis those of each
        group. The frequencies are always those of all examples.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        classes, positive, sample_weight, mask, by and missing, as ``evaluate`` takes them; renormalize=True divides rows of
        probabilities by their sums, and sums="any" takes rows that do not sum to 1 as they are.
        With interval=0.95 the result is an interval; clusters= then has the groups that were sampled as a whole.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.measures.brier_skill([0, 1, 1, 0], [0.25, 0.75, 0.75, 0.25])  # 1 - (1/16) / (1/4)
    0.75
    """
    return _score(BRIER_SKILL, squared_losses, (y_true, y_proba), average, undefined, options)


@with_interval
@answers_mistakes
def log_loss_skill(
    y_true: Any, y_proba: Any, *, average: str = "micro", undefined: Undefined = "exclude", **options: Any
) -> Score:
    """Return 1 - log loss / log loss of the class frequencies, the share of the deviance explained (D²).

    1 is the best, 0 is as good as giving every example the frequencies of the classes in these data, and below 0 is worse
    than that. Where there is one class only, these frequencies have no loss, and the score is undefined.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    y_proba : array-like
        Probabilities: one per example for the positive class, or a row per example with one for each class.
    average : str, default 'micro'
        "micro" divides the sums over all, "macro" and "weighted" those of each class, the name of a by= axis those of each
        group. The frequencies are always those of all examples.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        classes, positive, sample_weight, mask, by and missing, as ``evaluate`` takes them; renormalize=True divides rows of
        probabilities by their sums, and sums="any" takes rows that do not sum to 1 as they are.
        With interval=0.95 the result is an interval; clusters= then has the groups that were sampled as a whole.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Examples
    --------
    >>> import indicatrix as ix
    >>> round(ix.measures.log_loss_skill([0, 1, 1, 0], [0.25, 0.75, 0.75, 0.25]), 6)  # 1 - log(4/3) / log(2)
    0.584963
    """
    return _score(LOG_LOSS_SKILL, log_losses, (y_true, y_proba), average, undefined, options)


def reference_of(forecast: Forecast) -> Forecast:
    """Return the forecast that gives every example the weighted frequencies of the classes.

    >>> reference_of(read_forecast("skill", [0, 1, 1, 1], np.full((4, 2), 0.5), {})).p[0].tolist()
    [0.25, 0.75]
    """
    positive, negative = forecast.actual
    return replace(forecast, p=np.broadcast_to(ratio(positive, positive + negative), forecast.p.shape), epsilon=2.0**-52)


def _score(
    of: Measure,
    losses: Callable[[Forecast], Array],
    data: tuple[Any, Any],
    average: str,
    undefined: Undefined,
    options: dict[str, Any],
) -> Score:
    forecast = read_forecast(of.name, *data, options)
    usual = reference_of(forecast)
    reference, loss = np.where(_is_certain(usual), 0.0, losses(usual)), losses(forecast)
    seen = forecast.exposure(loss.ndim, weighted=False) > 0
    saved, whole = (np.where(seen, x, 0.0) for x in (reference - loss, reference))
    kind = Meaning(of, lacking=NO_LOSS, refused=EACH_EXAMPLE, binary=forecast.kind == "binary", fitted=True)
    return average_contributions(kind, forecast.axes, [(slice(None), forecast.entries(saved, whole))], average, undefined)


def _is_certain(usual: Forecast) -> Array:
    """Return which losses of the reference are those of a class that every example, or none, has."""
    certain = (usual.p == 0) | (usual.p == 1)
    return np.asarray(certain if usual.codes is None else certain.all(axis=1))
