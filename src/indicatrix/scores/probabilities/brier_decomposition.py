"""Calibration and refinement, the parts of a Brier score (sec:calibration, errata A10).

They are outside the algebra: no four counts give them.

Skill: how much of the loss of a trivial forecast a forecast avoids.

The trivial forecast, the reference, gives every example the frequencies of the classes. Others call these scores D², the share of
the deviance that is explained, and the Brier skill score.

The smooth calibration error: gaps of labels and predictions, smoothed instead of put into bins.

At each prediction stands the difference of prediction and label. Smoothed by a normal kernel that is reflected at 0 and 1, these
differences are a function on [0, 1], and the error is the integral of its absolute value. Such a kernel is a product in the space
of cosines: the k-th coefficient is multiplied by exp(-(πkσ)²/2). So the coefficients are computed once for all bandwidths σ.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np

from ...algebra.arrays import Array
from ...algebra.measure import Measure
from ...algebra.numbers.functions import ratio
from ...algebra.score import Score, Undefined
from ...algebra.sums import sums
from ...words.call_mistakes import answers_mistakes
from ..contributions import Meaning, average_contributions
from ..score_input import with_interval
from .calibration import NOT_SUMMED, apply_along, check_bins, edges_of, score_columns
from .forecasts import read_forecast
from .predictions import Column, Forecast, log_losses, over_columns, squared_losses


@answers_mistakes
@dataclass(frozen=True)
class BrierDecomposition:
    """The parts of a Brier score: reliability - resolution + uncertainty.

    Two further parts account for the variation within bins.

    Attributes
    ----------
    reliability : float
        How far the shares of positives are from the mean predictions: 0 for a calibrated forecast.
    resolution : float
        How far they are from the share of positives in all examples: larger is better.
    uncertainty : float
        The Brier score of predicting that share always.
    within_variance : float
        The variance of predictions around the mean of their bin; 0 without bins.
    within_covariance : float
        Twice the covariance of labels and predictions within bins; 0 without bins.
    """

    reliability: float  # how far the shares of positives are from the mean predictions: 0 for a calibrated forecast
    resolution: float  # how far they are from the share of positives in all examples: larger is better
    uncertainty: float  # the Brier score of predicting that share always
    within_variance: float  # of predictions around the mean of their bin; 0 without bins
    within_covariance: float  # twice the covariance of labels and predictions within bins; 0 without bins

    @property
    def refinement(self) -> float:
        """Uncertainty minus resolution: the Brier score left after perfect recalibration of each bin."""
        return self.uncertainty - self.resolution

    @property
    def miscalibration(self) -> float:
        """The Brier score minus that after recalibration of each bin; of isotonic bins the MCB of CORP."""
        return self.brier - self.refinement

    @property
    def brier(self) -> float:
        """The Brier score: the sum of the parts."""
        return self.reliability + self.refinement + self.within_variance - self.within_covariance


@overload
def brier_decomposition(y_true: Any, y_proba: Any, *, per: None = None, **options: Any) -> BrierDecomposition: ...
@overload
def brier_decomposition(y_true: Any, y_proba: Any, *, per: str, **options: Any) -> dict[Any, BrierDecomposition]: ...
@answers_mistakes
def brier_decomposition(
    y_true: Any,
    y_proba: Any,
    *,
    bins: int | None = None,
    binning: str = "width",
    per: str | None = None,
    unit: Any = None,
    **options: Any,
) -> BrierDecomposition | dict[Any, BrierDecomposition]:
    """Return the calibration and refinement of a Brier score.

    With bins=None each distinct prediction is a bin of its own (Murphy 1973); with bins the two terms within them make up the
    rest (Stephenson et al. 2008), so that the parts always add up to ``ix.brier``. Each class is taken against all others:
    with one label per example the parts are sums over classes, halved for two columns as ``ix.brier`` is, and with several
    labels means over entries; ``unit=`` names one class.
    per="class", or the name of an axis of by=, gives a dict with the parts of each. Options: those of ``reliability``.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    y_proba : array-like
        Probabilities: one per example for the positive class, or a row per example with one for each class.
    bins : int, optional
        The number of bins. Default: each distinct prediction is a bin of its own.
    binning : str, default 'width'
        "width" for bins of equal width on [0, 1], "mass" for bins with equal numbers of examples, "isotonic" for those of an
        isotonic fit, which need no number.
    per : str, optional
        "class", or the name of a by= axis: a dict with one result for each. Default: one result for all.
    unit : label, optional
        A class to take against all others. Default: all classes.
    **options
        classes, positive, sample_weight, mask, by and missing, as ``evaluate`` takes them; renormalize=True divides rows of
        probabilities by their sums.

    Returns
    -------
    BrierDecomposition or dict
        The parts; with per= a dict of them.

    References
    ----------
    - A. H. Murphy (1973). A new vector partition of the probability score. Journal of Applied Meteorology 12:595-600.
      https://doi.org/10.1175/1520-0450(1973)012%3C0595:ANVPOT%3E2.0.CO;2
    - D. B. Stephenson, C. A. S. Coelho, I. T. Jolliffe (2008). Two extra components in the Brier score decomposition. Weather
      and Forecasting 23:752-757. https://doi.org/10.1175/2007WAF2006116.1

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.scores.brier_decomposition([0, 1, 1, 1], [0.5, 0.5, 0.75, 0.75])
    BrierDecomposition(reliability=0.03125, resolution=0.0625, uncertainty=0.1875, within_variance=0.0, within_covariance=0.0)
    """
    bins = 1 if binning == "isotonic" else bins
    if bins is not None:
        check_bins(bins, binning)

    def decompose(part: Forecast, unit: Any) -> BrierDecomposition:
        def parts(column: Column) -> tuple[float, ...]:
            return _parts(column, None if bins is None else edges_of(column, bins, binning))

        return BrierDecomposition(*over_columns(part, unit, parts, 5))

    return apply_along(read_forecast("brier_decomposition", y_true, y_proba, options), per, unit, decompose)


def _parts(column: Column, edges: Array | None) -> tuple[float, ...]:
    """Return the parts of the Brier score of one column; without edges each distinct prediction is a bin."""
    if edges is None:
        center, place = np.unique(column.p, return_inverse=True)  # exact, so that nothing varies within
    else:
        place = np.searchsorted(edges[1:-1], column.p)
    size = len(center) if edges is None else len(edges) - 1
    weight = np.bincount(place, column.weight, size)
    if edges is not None:
        center = ratio(np.bincount(place, column.weight * column.p, size), weight)
    share = ratio(np.bincount(place, column.weight * column.positive, size), weight)
    base = ratio(float((column.weight * column.positive).sum()), float(column.total))
    off, miss = column.p - center[place], column.positive - share[place]
    sums = (
        *(np.where(weight > 0, weight * (a - b) ** 2, 0.0).sum() for a, b in ((center, share), (share, base))),
        *((column.weight * off * x).sum() for x in (off, 2 * miss)),
    )
    reliability, resolution, variance, covariance = (ratio(float(x), float(column.total)) for x in sums)
    return reliability, resolution, base * (1 - base), variance, covariance


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
