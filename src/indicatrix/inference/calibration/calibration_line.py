"""The calibration line: observed log-odds as a straight line of the predicted log-odds (Cox 1958).

Spiegelhalter's test: whether the Brier score is what calibrated predictions would have.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from ...algebra.arrays import Array
from ...algebra.ends import check_level
from ...algebra.sums import sums
from ...scores.probabilities.calibration import apply_along
from ...scores.probabilities.forecasts import read_forecast
from ...scores.probabilities.predictions import Column, Forecast
from ...scores.probabilities.proper_scores import check_clip
from ...words.call_mistakes import answers_mistakes
from ..intervals.interval import Interval
from ..stats.quantiles import normal, two_sided
from ..stats.several_tests import p_text

SLOPE = sums("calibration slope", "neither", (-math.inf, math.inf), "cox1958")
INTERCEPT = sums("calibration intercept", "neither", (-math.inf, math.inf), "cox1958")
IN_THE_LARGE = sums("calibration in the large", "neither", (-math.inf, math.inf), "cox1958")
STEPS, CLOSE = 100, 1e-12
ONE_SIDE = "All labels are the same, so that no line fits."
SEPARATED = "One threshold separates all labels, so that the best slope is infinite."
ALIKE = "All predictions are the same, so that a slope cannot be told from an intercept."


@answers_mistakes
@dataclass(frozen=True)
class CalibrationLine:
    """Slope and intercept of calibration, each with its interval; calibrated predictions have 1 and 0.

    Attributes
    ----------
    slope : Interval
        Of the observed log-odds against the predicted: below 1 predictions are too extreme, above 1 too timid.
    intercept : Interval
        The observed log-odds where the predicted ones are 0, on the line with that slope.
    in_the_large : Interval
        The intercept of the line with slope 1: above 0 predictions are too low on the whole, below 0 too high.
    """

    slope: Interval
    intercept: Interval
    in_the_large: Interval

    def __str__(self) -> str:
        return f"slope {self.slope}, intercept {self.intercept}, in the large {self.in_the_large}"


@overload
def calibration_line(y_true: Any, y_proba: Any, *, per: None = None, **options: Any) -> CalibrationLine: ...
@overload
def calibration_line(y_true: Any, y_proba: Any, *, per: str, **options: Any) -> dict[Any, CalibrationLine]: ...
@answers_mistakes
def calibration_line(
    y_true: Any,
    y_proba: Any,
    *,
    level: float = 0.95,
    clip: float | None = None,
    per: str | None = None,
    unit: Any = None,
    **options: Any,
) -> CalibrationLine | dict[Any, CalibrationLine]:
    """Return the calibration slope and intercept with intervals, from a logistic regression on log-odds.

    The labels are regressed on log p/(1 - p) (Cox 1958). Predictions are those of ``reliability``: of the positive class, of
    the predicted class, or of all entries; ``unit=`` names one class, ``per=`` keeps classes or groups. Intervals are Wald's;
    under sample weights their variance is the robust one. Where labels are all the same, or one threshold separates them, there
    is no such line: the values are nan, and ``.note`` says why.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    y_proba : array-like
        Probabilities: one per example for the positive class, or a row per example with one for each class.
    level : float, default 0.95
        The share of samples whose interval covers the true value.
    clip : float, optional
        How far probabilities are kept away from 0 and 1, whose log-odds are infinite. Default: such a
        probability is an error.
    per : str, optional
        "class", or the name of a by= axis: a dict with one result for each. Default: one result for all.
    unit : label, optional
        A class to take against all others. Default: the predicted class, or all entries.
    **options
        classes, positive, sample_weight, mask, by and missing, as ``evaluate`` takes them; renormalize=True divides rows of
        probabilities by their sums.

    Returns
    -------
    CalibrationLine or dict
        ``.slope``, ``.intercept`` and ``.in_the_large``; with per= a dict of them.

    References
    ----------
    - D. R. Cox (1958). Two further applications of a model for binary regression. Biometrika 45:562-565.
      https://doi.org/10.1093/biomet/45.3-4.562

    Examples
    --------
    >>> import indicatrix as ix
    >>> y, p = [0, 0, 0, 1] * 25 + [1, 1, 1, 0] * 25, [0.25] * 100 + [0.75] * 100
    >>> line = ix.inference.calibration_line(y, p)
    >>> round(line.slope.value, 6), round(abs(line.intercept.value), 6), line.slope
    (1.0, 0.0, 1 [0.709, 1.29] (95%, wald))
    """
    check_level(level)
    check_clip(clip)

    def fit(part: Forecast, unit: Any) -> CalibrationLine:
        return _fit(part.pool() if unit is None else part.column(unit), level, clip, part.weights is not None)

    return apply_along(read_forecast("calibration_line", y_true, y_proba, options), per, unit, fit)


def _fit(column: Column, level: float, clip: float | None, weighted: bool) -> CalibrationLine:
    p = column.p if clip is None else np.clip(column.p, clip, 1 - clip)
    certain = (p == 0) | (p == 1)
    if certain.any():
        raise ValueError(
            f"There are {int(certain.sum())} probabilities of 0 or 1, the first {float(p[certain][0]):g}, whose log-odds are "
            "infinite. Pass clip=1e-6, for example, to keep them away from 0 and 1."
        )
    x, y, w = np.log(p) - np.log1p(-p), column.positive.astype(np.float64), column.weight.astype(np.float64)
    ones = np.ones_like(x)
    quantities = (INTERCEPT, SLOPE), (IN_THE_LARGE,)
    designs = (np.stack([ones, x], axis=1), np.zeros_like(x)), (ones[:, None], x)
    fitted: dict[str, Interval] = {}
    for names, (design, offset) in zip(quantities, designs, strict=True):
        why = _why_not(design, x, y)
        values, errors = _regress(design, offset, y, w, weighted) if not why else (np.full(len(names), np.nan),) * 2
        for quantity, value, error in zip(names, values.tolist(), errors.tolist(), strict=True):
            reach = normal(level) * error
            fitted[quantity.name] = Interval(value, value - reach, value + reach, level, "wald", why, quantity)
    return CalibrationLine(fitted[SLOPE.name], fitted[INTERCEPT.name], fitted[IN_THE_LARGE.name])


def _why_not(design: Array, x: Array, y: Array) -> str:
    """Return why there is no best line; an empty text where there is one."""
    yes, no = x[y == 1], x[y == 0]
    if not len(yes) or not len(no):
        return ONE_SIDE
    if design.shape[1] == 1:
        return ""
    if x.min() == x.max():
        return ALIKE
    return SEPARATED if yes.min() >= no.max() or yes.max() <= no.min() else ""


def _regress(design: Array, offset: Array, y: Array, w: Array, weighted: bool) -> tuple[Array, Array]:
    """Return the coefficients of a logistic regression by Newton's method, and their standard errors.

    A step that loses likelihood is halved.
    """
    beta = np.zeros(design.shape[1])
    loss = _loss(design @ beta + offset, y, w)
    for _ in range(STEPS):
        mean = 1 / (1 + np.exp(-np.clip(design @ beta + offset, -700, 700)))
        slope, curvature = design.T @ (w * (y - mean)), (design.T * (w * mean * (1 - mean))) @ design
        step = np.linalg.solve(curvature, slope)
        while _loss(design @ (beta + step) + offset, y, w) > loss + CLOSE * abs(loss) and abs(step).max() > CLOSE:
            step = step / 2
        beta = beta + step
        loss = _loss(design @ beta + offset, y, w)
        if abs(step).max() <= CLOSE * max(1.0, float(abs(beta).max())):
            break
    inverse = np.linalg.inv(curvature)
    if weighted:  # what the examples scatter, not what their weights promise
        parts = design * (w * (y - mean))[:, None]
        inverse = inverse @ (parts.T @ parts) @ inverse
    return beta, np.sqrt(np.diag(inverse))


def _loss(score: Array, y: Array, w: Array) -> float:
    return float((w * (np.logaddexp(0, score) - y * score)).sum())


@answers_mistakes
@dataclass(frozen=True)
class Spiegelhalter:
    """The standardized difference of the Brier score from its expected value under calibration.

    Attributes
    ----------
    z : float
        Positive where the Brier score is larger than calibrated predictions would have: they are too extreme. Nan where every
        prediction is 0, 1/2 or 1, which says nothing.
    p_value : float
        How often calibrated predictions have a z this far from 0 (two-sided, normal).
    brier : float
        The Brier score.
    expected : float
        Its expected value, the mean of p(1 - p).
    """

    z: float
    p_value: float
    brier: float
    expected: float

    def __str__(self) -> str:
        return f"z = {self.z:.3g}, {p_text(self.p_value)}: Brier score {self.brier:.4g}, expected {self.expected:.4g}"


@overload
def spiegelhalter(y_true: Any, y_proba: Any, *, per: None = None, **options: Any) -> Spiegelhalter: ...
@overload
def spiegelhalter(y_true: Any, y_proba: Any, *, per: str, **options: Any) -> dict[Any, Spiegelhalter]: ...
@answers_mistakes
def spiegelhalter(
    y_true: Any,
    y_proba: Any,
    *,
    per: str | None = None,
    unit: Any = None,
    **options: Any,
) -> Spiegelhalter | dict[Any, Spiegelhalter]:
    r"""Return Spiegelhalter's z test of calibration.

    If each p is the true probability of its event and events are independent, z is about standard normal. Predictions are those
    of ``reliability``: of the positive class, of the predicted class, or of all entries; ``unit=`` names one class, ``per=``
    keeps classes or groups. Under sample weights the variance has squared weights. Entries of several labels are taken as
    independent.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    y_proba : array-like
        Probabilities: one per example for the positive class, or a row per example with one for each class.
    per : str, optional
        "class", or the name of a by= axis: a dict with one result for each. Default: one result for all.
    unit : label, optional
        A class to take against all others. Default: the predicted class, or all entries.
    **options
        classes, positive, sample_weight, mask, by and missing, as ``evaluate`` takes them; renormalize=True divides rows of
        probabilities by their sums.

    Returns
    -------
    Spiegelhalter or dict
        ``.z`` and ``.p_value``; with per= a dict of them.

    Notes
    -----
    With labels y and probabilities p,

    .. math:: z = \frac{\sum (y - p)(1 - 2p)}{\sqrt{\sum (1 - 2p)^2 p (1 - p)}}

    References
    ----------
    - D. J. Spiegelhalter (1986). Probabilistic prediction in patient management and clinical trials. Statistics in Medicine
      5:421-433. https://doi.org/10.1002/sim.4780050506

    Examples
    --------
    >>> import indicatrix as ix
    >>> found = ix.inference.spiegelhalter([0, 0, 1, 1], [0.25, 0.25, 0.25, 0.75])
    >>> round(found.z, 6), round(found.p_value, 4)
    (0.0, 1.0)
    """

    def test(part: Forecast, unit: Any) -> Spiegelhalter:
        return _test(part.pool() if unit is None else part.column(unit))

    return apply_along(read_forecast("spiegelhalter", y_true, y_proba, options), per, unit, test)


def _test(column: Column) -> Spiegelhalter:
    total = float(column.total)
    if not total:
        return Spiegelhalter(*(math.nan,) * 4)
    p, y, w = column.p, column.positive, column.weight / total
    turn, chance = 1 - 2 * p, p * (1 - p)
    surplus, variance = float((w * (y - p) * turn).sum()), float((w**2 * turn**2 * chance).sum())
    brier, expected = float((w * (y - p) ** 2).sum()), float((w * chance).sum())
    if variance == 0:
        z = math.copysign(math.inf, surplus) if abs(surplus) > 1e-12 else math.nan
    else:
        z = surplus / math.sqrt(variance)
    return Spiegelhalter(z, two_sided(z), brier, expected)
