"""Spiegelhalter's test: whether the Brier score is what calibrated predictions would have."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, overload

from ...scores.probabilities.calibration import apply_along
from ...scores.probabilities.forecasts import read_forecast
from ...scores.probabilities.predictions import Column, Forecast
from ...words.call_mistakes import answers_mistakes
from ..stats.tails import two_sided
from ..stats.wording import p_text


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
