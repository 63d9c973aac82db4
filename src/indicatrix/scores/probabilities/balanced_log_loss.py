"""Log loss that counts every class alike, as balanced accuracy does (sec:calibration)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import Average
from ...algebra.numbers.functions import ratio
from ...algebra.score import Score, Undefined, mean_of_values
from ...algebra.sums import sums
from ...words.call_mistakes import answers_mistakes
from ..contributions import AddedToUnit, Meaning, ScoredUnits, averaged
from ..score_options import with_interval
from .forecasts import read_forecast
from .predictions import Forecast, log_losses
from .proper_scores import check_clip

BALANCED = Meaning(
    sums("balanced_log_loss", "lower", source="good1952"),
    lacking=", without observed examples of a class",
    refused={
        "example": "one example has one class, so that nothing is balanced.",
        "": "it is not balanced; ix.log_loss is the mean over all.",
    },
    unweighted="it does not count every class alike; ix.log_loss has it.",
)


@with_interval
@answers_mistakes
def balanced_log_loss(
    y_true: Any,
    y_proba: Any,
    *,
    average: str = "macro",
    clip: float | None = None,
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return the log loss in which every class counts alike, however many examples it has.

    One label per example: the mean over classes of the mean log loss of their examples, which is log_loss(…, average="macro").
    One probability per example: half the mean loss of the positives plus half that of the negatives. Several labels: the mean
    over labels of the same. A class without observed examples is undefined; so is a label of which only one of the two occurs.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    y_proba : array-like
        Probabilities: one per example for the positive class, or a row per example with one for each class.
    average : str, default 'macro'
        "macro" counts every class alike; the name of a by= axis is the mean over its groups, each balanced by itself. Others,
        such as "micro", would not be balanced.
    clip : float, optional
        How far probabilities are kept away from 0 and 1. Default: the machine epsilon of their type.
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
    >>> round(ix.measures.balanced_log_loss([0, 0, 0, 1], [0.5, 0.5, 0.5, 0.25], clip=0), 6)  # (log 2 + log 4) / 2
    1.039721
    """
    check_clip(clip)
    forecast = read_forecast("balanced_log_loss", y_true, y_proba, options)

    def values(axis: str) -> Any:
        if axis == "class":
            return _losses_of_classes(forecast, clip)
        each = (_losses_of_classes(part, clip) for part in forecast.split(axis).values())
        return np.array([mean_of_values(BALANCED.of, some, None, "exclude") for some in each])

    def added(name: str, rule: Average) -> tuple[AddedToUnit, ...]:
        if rule.per != ("class",):
            raise ValueError(
                f"There is no interval for the {name!r} average of balanced_log_loss: each group is balanced by itself."
            )
        return _sides(forecast, clip)

    return averaged(ScoredUnits(BALANCED, forecast.axes, values, added=added), average, undefined)


def _losses_of_classes(forecast: Forecast, clip: float | None) -> Array:
    """Return the loss of each class: of its examples, or the mean of positives and of negatives."""
    losses = log_losses(forecast, clip)
    weight = forecast.exposure(losses.ndim)
    if forecast.codes is not None:
        codes, size = np.maximum(forecast.codes, 0), len(forecast.classes)
        sums = (np.bincount(codes, x, size) for x in (np.where(weight > 0, losses, 0.0) * weight, weight))
        return np.asarray(ratio(*sums))
    truth = forecast.truth
    sides = [np.where(side, weight, 0.0) for side in (truth, ~truth)]
    means = [ratio((np.where(w > 0, losses, 0.0) * w).sum(axis=0), w.sum(axis=0)) for w in sides]
    return np.asarray((means[0] + means[1]) / 2)


def _sides(forecast: Forecast, clip: float | None) -> tuple[AddedToUnit, ...]:
    """Return what examples add to the loss of each class.

    Examples of a label add to those of its positives and of its negatives.

    The mean over these is the score, too: a label without one of the two counts nowhere.
    """
    losses = log_losses(forecast, clip)
    weight, names = forecast.exposure(losses.ndim), forecast.classes
    if forecast.codes is not None:
        return tuple(_side(name, losses, (forecast.codes == j) & (weight > 0)) for j, name in enumerate(names))
    pairs = (
        [_side(name, losses[:, j], side & (weight[:, j] > 0)) for side in (forecast.truth[:, j], ~forecast.truth[:, j])]
        for j, name in enumerate(names)
    )
    return tuple(side for pair in pairs if all(len(side.rows) for side in pair) for side in pair)


def _side(name: Any, losses: Array, own: Array) -> AddedToUnit:
    rows = np.flatnonzero(own)
    return AddedToUnit(name, rows, losses[rows], np.ones(len(rows)), np.zeros(len(rows), bool))
