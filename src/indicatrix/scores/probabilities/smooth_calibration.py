"""The smooth calibration error: gaps of labels and predictions, smoothed instead of put into bins.

At each prediction stands the difference of prediction and label. Smoothed by a normal kernel that is reflected at 0 and 1, these
differences are a function on [0, 1], and the error is the integral of its absolute value. Such a kernel is a product in the space
of cosines: the k-th coefficient is multiplied by exp(-(πkσ)²/2). So the coefficients are computed once for all bandwidths σ.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.score import Score, Undefined
from ...algebra.sums import sums
from ...words.call_mistakes import answers_mistakes
from ..contributions import Meaning
from ..score_input import with_interval
from .calibration import NOT_SUMMED, score_columns
from .forecasts import read_forecast
from .predictions import Column

SMOOTH = Meaning(
    sums("smooth_ece", "lower", (0, 1), "blasiok2024"),
    lacking=", without observed examples",
    refused={"example": "a smoothed difference is a mean over examples, and one example by itself has none."},
    not_summed=NOT_SUMMED,
)
LEAST = 0.001  # bandwidths below this are not searched: few data tell anything on such a scale
NOTHING = 8.5  # exp(-8.5²/2) is less than the precision of floats
MOST = 1 << 16  # this many distinct predictions are taken as they are; more are rounded to this many places, shared between two
BLOCK = 1 << 22  # cosines that are computed at a time
STEPS = 45  # of the bisection
GRID = 4096  # points at which the smoothed function is read, at least


@with_interval
@answers_mistakes
def smooth_ece(
    y_true: Any,
    y_proba: Any,
    *,
    average: str = "micro",
    bandwidth: float | None = None,
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return the smooth calibration error, which has no bins: gaps smoothed by a normal kernel.

    Smaller is better. The bandwidth σ is found from the data: the one at which the error equals σ, which exists because the
    error falls as σ grows (Błasiok & Nakkiran 2024). So there is nothing to choose, and a small change of the predictions
    changes the error little, which is not true of bins. Bandwidths below 0.001 are not searched. Predictions and averages are
    those of ``ece``.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    y_proba : array-like
        Probabilities: one per example for the positive class, or a row per example with one for each class.
    average : str, default 'micro'
        "micro" is of the predicted class or of all entries, "macro" and "weighted" are over classes, the name of a by= axis
        over its groups.
    bandwidth : float, optional
        The bandwidth σ of the kernel, from 0.001 to 1. Default: the one that equals the error.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        classes, positive, sample_weight, mask, by and missing, as ``evaluate`` takes them; renormalize=True divides rows of
        probabilities by their sums.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Examples
    --------
    >>> import indicatrix as ix
    >>> round(ix.measures.smooth_ece([0, 1, 1, 1], [0.5, 0.5, 0.75, 0.75]), 4)
    0.125
    """
    number = isinstance(bandwidth, int | float | np.integer | np.floating) and not isinstance(bandwidth, bool)
    if bandwidth is not None and not (number and LEAST <= bandwidth <= 1):
        raise ValueError(f"bandwidth={bandwidth!r} must be a number from {LEAST} to 1, or None to find it from the data.")
    forecast = read_forecast("smooth_ece", y_true, y_proba, options)
    return score_columns(SMOOTH, forecast, lambda columns: _error(columns[0], bandwidth), average, undefined)


def _error(column: Column, bandwidth: float | None) -> float:
    total = float(column.total)
    if not total:
        return math.nan
    places, amounts = _merge(column.p, column.weight * (column.p - column.positive) / total)
    if not amounts.any():
        return 0.0
    if bandwidth is not None:
        return _integrate(_cosines(places, amounts, bandwidth), bandwidth)
    low, high = LEAST, 1.0
    start = next((s for s in (0.1, 0.03, 0.01, 0.003) if _integrate(_cosines(places, amounts, s), s) >= s), LEAST)
    coefficients = _cosines(places, amounts, start)  # larger bandwidths need fewer of them
    low = start
    if _integrate(coefficients, low) <= low:
        return _integrate(coefficients, low)
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _integrate(coefficients, middle) >= middle else (low, middle)
    return (low + high) / 2


def _merge(p: Array, amounts: Array) -> tuple[Array, Array]:
    """Return the distinct predictions and the amount at each; very many are moved to a fine grid."""
    places, at = np.unique(p, return_inverse=True)
    if len(places) <= MOST:
        return places, np.bincount(at.ravel(), amounts, len(places))
    cell = np.minimum((p * MOST).astype(np.intp), MOST - 1)
    share = p * MOST - cell
    sums = np.bincount(cell, amounts * (1 - share), MOST + 1) + np.bincount(cell + 1, amounts * share, MOST + 1)
    return np.arange(MOST + 1) / MOST, sums


def _cosines(places: Array, amounts: Array, bandwidth: float) -> Array:
    """Return the coefficients Σ amount cos(πk place) that this bandwidth leaves."""
    size = math.ceil(NOTHING / (math.pi * bandwidth)) + 1
    found = np.empty(size)
    step = max(1, BLOCK // len(places))
    for start in range(0, size, step):
        k = np.arange(start, min(start + step, size))
        found[start : start + step] = np.cos(np.pi * np.outer(k, places)) @ amounts
    return found


def _integrate(coefficients: Array, bandwidth: float) -> float:
    """Return the integral of the absolute value of the smoothed function, by the middles of a fine grid."""
    k = np.arange(len(coefficients))
    kept = coefficients * np.exp(-((np.pi * k * bandwidth) ** 2) / 2) * np.where(k > 0, 2, 1)
    points = max(GRID, 8 * len(coefficients))
    turned = np.fft.fft(kept * np.exp(-1j * np.pi * k / (2 * points)), 2 * points)
    return float(abs(turned[:points].real).mean())
