"""The loss that is expected when costs are not known: a proper score (sec:conclusion)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, partial
from numbers import Real
from typing import Any, overload

import numpy as np

from ...algebra.arrays import Array
from ...algebra.score import Undefined
from ...algebra.source_score import OfferedAverages
from ...algebra.sums import sums
from ...words.call_mistakes import answers_mistakes
from ..contributions import UNOBSERVED, Entries, Meaning, ScoredUnits, average_contributions, averaged
from ..curves.roc_areas import upper_hull
from .calibration import apply_along, parts_of, sides_of
from .cost_weights import CostWeight, cost_weight, mean_losses
from .forecasts import read_forecast
from .predictions import Column, Forecast, over_columns, share_of_column


@answers_mistakes
@dataclass(frozen=True)
class ExpectedLoss:
    """The expected loss of probabilities under a weight of costs: calibration plus refinement.

    Without ``per`` each is a ``Score``, whose ``.values`` are those of the classes or groups of its average.

    Attributes
    ----------
    loss : float
        The expected loss of the thresholds that were chosen: at c itself, unless choice= names another way.
    refinement : float
        The loss left where every probability is replaced by the share of positives among the examples that have it.
    uncertainty : float
        The loss of predicting the share of positives in all examples always.
    optimal : float
        The loss of the best threshold at every cost proportion: what is left after the best increasing recalibration.
    """

    loss: float
    refinement: float
    uncertainty: float
    optimal: float

    @property
    def calibration(self) -> float:
        """What is lost because probabilities differ from shares of positives: 0 for calibrated ones."""
        return self.loss - self.refinement

    @property
    def resolution(self) -> float:
        """Uncertainty minus refinement: what the probabilities tell about the labels."""
        return self.uncertainty - self.refinement


@overload
def expected_loss(y_true: Any, y_proba: Any, *, per: None = None, **options: Any) -> ExpectedLoss: ...
@overload
def expected_loss(y_true: Any, y_proba: Any, *, per: str, **options: Any) -> dict[Any, ExpectedLoss]: ...
@answers_mistakes
def expected_loss(
    y_true: Any,
    y_proba: Any,
    *,
    costs: Any = "uniform",
    choice: str | float = "score",
    average: str | None = None,
    undefined: Undefined = "exclude",
    per: str | None = None,
    unit: Any = None,
    **options: Any,
) -> ExpectedLoss | dict[Any, ExpectedLoss]:
    """Return the loss that is expected when costs are uncertain, with its calibration and refinement.

    A classifier is used at some cost of a false positive relative to a false negative, which is often not known. At cost
    proportion c, a false positive costs 2c and a false negative 2(1 - c), and a probability of c or more is predicted positive.
    The loss is averaged over c, with the weight that ``costs`` gives. Each such average is a proper score, and every proper
    score is such an average (Schervish 1989): "uniform" is the Brier score, "log" the log loss, "spherical" the spherical
    score, "boosting" the exponential loss. ``sweep(…).brier_curve()`` shows the loss at every c.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    y_proba : array-like
        Probabilities: one per example for the positive class, or a row per example with one for each class.
    costs : str, number, pair, mapping or callable, default 'uniform'
        How often each cost proportion is met: a name, one proportion, two numbers of a beta density, a mapping from proportions
        to weights, or a density on (0, 1), a function of an array.
    choice : str or number, default 'score'
        How the threshold follows the cost proportion c: "score", it is c; "rate", the share predicted negative is c; a number, it
        is always this one.
    average : str, optional
        "micro" is of all examples, "macro" and "weighted" are over classes, the name of a by= axis over its groups, "exemplar"
        over examples. Default: "micro".
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    per : str, optional
        "class", or the name of a by= axis: a dict with one result for each. Default: one result for all.
    unit : label, optional
        A class to take against all others. Default: all classes.
    **options
        classes, positive, sample_weight, mask, by and missing, as ``evaluate`` takes them; renormalize=True divides rows of
        probabilities by their sums.

    Returns
    -------
    ExpectedLoss or dict
        The loss and its parts; with per= a dict of them.

    Notes
    -----
    A number for ``costs`` is one cost proportion, and the loss is twice the cost-weighted error at that threshold; at 0.5 it is
    the error rate. The threshold may be chosen in other ways (Hernández-Orallo, Flach & Ferri 2012): ``choice="rate"`` predicts
    a share c of the examples negative, and its loss under uniform costs is 1/3 + π(1 - π)(1 - 2 AUC), where π is the share of
    positives. A number for ``choice`` is the same threshold at every c, with the error rate as its loss under uniform costs.

    Each class is taken against all others. With one label per example the parts are sums over classes, halved for two columns;
    with several labels they are means over entries, as in ``brier_decomposition``. "macro" is the mean over classes in both
    cases.

    Unless thresholds are chosen by rate, the loss is a mean over examples, so that ``ix.inference.interval`` of the loss under
    average="exemplar" gives its interval. A single example has no share of positives, so the other parts are then nan.

    References
    ----------
    - M. J. Schervish (1989). A general method for comparing probability assessors. The Annals of Statistics 17:1856-1879.
      https://doi.org/10.1214/aos/1176347398
    - J. Hernández-Orallo, P. Flach, C. Ferri (2012). A unified view of performance metrics: translating threshold choice
      into expected classification loss. Journal of Machine Learning Research 13:2813-2869.

    Examples
    --------
    >>> import indicatrix as ix
    >>> found = ix.scores.expected_loss([0, 1, 1, 1], [0.5, 0.5, 0.75, 0.75])
    >>> found.loss, found.calibration, found.refinement, found.resolution
    (0.15625, 0.03125, 0.125, 0.0625)
    >>> ix.scores.expected_loss([0, 1, 1, 1], [0.5, 0.5, 0.25, 0.75], costs=0.5).loss  # the error rate at 1/2
    0.5
    >>> found = ix.scores.expected_loss([0, 1, 1, 1], [0.5, 0.5, 0.75, 0.75], choice="rate")
    >>> round(found.loss, 6), 1 / 3 + 3 / 16 * (1 - 2 * 5 / 6)
    (0.208333, 0.20833333333333331)
    >>> ix.inference.interval(ix.scores.expected_loss([0, 1, 1, 1], [0.5, 0.5, 0.75, 0.75], costs="log", average="exemplar").loss)
    0.49 [0.118, 0.863] (95%, skewed)
    """
    weight = cost_weight(costs)
    _check_choice(choice)
    forecast = read_forecast("expected_loss", y_true, y_proba, options)
    if per is None and unit is None:
        return _average_parts(forecast, weight, choice, "micro" if average is None else average, undefined)
    if average is not None:
        other = f"unit={unit!r} names one class" if per is None else f"per={per!r} keeps all of them apart"
        raise ValueError(f"average={average!r} is one number of all classes or groups, and {other}. Leave one of them out.")

    def lose(part: Forecast, unit: Any) -> ExpectedLoss:
        return ExpectedLoss(*_lose(part, unit, weight, choice))

    return apply_along(forecast, per, unit, lose)


LOSS, *PARTS = (
    Meaning(sums(name, "lower", source="schervish1989"), lacking=UNOBSERVED)
    for name in ("expected_loss", "refinement", "uncertainty", "optimal")
)
OF_ALL = "a share predicted negative is one of all examples, and one example by itself has none."


def _average_parts(forecast: Forecast, weight: CostWeight, choice: Any, average: str, undefined: Undefined) -> ExpectedLoss:
    """Return the loss and its parts, each averaged over the units of an average."""
    facts: dict[str, Any] = {"binary": forecast.kind == "binary", "refused": {"example": OF_ALL} if choice == "rate" else {}}
    kind, *others = (replace(x, **facts) for x in (LOSS, *PARTS))

    @cache
    def lost(axis: str) -> Array:
        if axis == "class":
            found = [_lose(forecast, name, weight, choice) for name in forecast.classes]
        else:
            found = [_lose(part, None, weight, choice) for part in parts_of(forecast, axis)]
        return np.array(found, np.float64).reshape(-1, 4) if axis else np.array(found[0])

    def part(number: int, of: Meaning) -> ScoredUnits:
        return ScoredUnits(of, forecast.axes, lambda axis: lost(axis)[..., number], partial(sides_of, forecast))

    sources = [part(number, of) for number, of in enumerate((kind, *others))]
    if OfferedAverages(kind.of, sources[0]).find(average)[1].per == ("example",):
        loss = average_contributions(kind, forecast.axes, [(slice(None), _entries(forecast, weight, choice))], average, undefined)
        return ExpectedLoss(loss, *(math.nan,) * 3)
    return ExpectedLoss(*(averaged(source, average, undefined) for source in sources))


def _entries(forecast: Forecast, weight: CostWeight, choice: Any) -> Entries:
    """Return what each example loses.

    That is the sum over classes if it has one label, and otherwise the mean over its entries.
    """
    p = forecast.p if choice == "score" else (forecast.p >= choice).astype(np.float64)
    losses = np.where(forecast.truth, weight.positive(p), weight.negative(p))
    if forecast.codes is not None:
        seen = forecast.exposure(1, weighted=False)[:, None]
        return Entries(np.where(seen > 0, share_of_column(forecast) * losses.sum(axis=1, keepdims=True), 0.0), seen)
    seen = forecast.exposure(2, weighted=False)
    return Entries(np.where(seen > 0, losses, 0.0), seen)


def _check_choice(choice: Any) -> None:
    number = isinstance(choice, Real) and not isinstance(choice, bool) and not math.isnan(float(choice))
    if not number and choice not in ("score", "rate"):
        raise ValueError(
            f"choice={choice!r} is unknown. A threshold is chosen by 'score' or 'rate', or it is a number such as 0.5."
        )


def _lose(forecast: Forecast, unit: Any, weight: CostWeight, choice: Any) -> tuple[float, ...]:
    """Return the loss, its refinement, the uncertainty and the least loss: of all classes, or of one."""
    return over_columns(forecast, unit, lambda column: _parts(column, weight, choice), 4)


def _parts(column: Column, weight: CostWeight, choice: Any) -> tuple[float, ...]:
    """Return the loss of probabilities, of shares of positives, of one share, and the least loss."""
    p, place = np.unique(column.p, return_inverse=True)
    positives, negatives = (np.bincount(place, column.weight * side, len(p)) for side in (column.positive, ~column.positive))
    total, base = float(column.total), positives.sum() / column.total
    shares = (positives / (positives + negatives), np.full(len(p), base))
    calibrated = (_sum(weight, q, positives, negatives) / total for q in shares)
    return (
        _loss_of_choice(weight, choice, p, positives, negatives) / total,
        *calibrated,
        _least(weight, positives, negatives) / total,
    )


def _loss_of_choice(weight: CostWeight, choice: Any, p: Array, positives: Array, negatives: Array) -> float:
    """Return the loss of the thresholds that are chosen at each cost proportion."""
    if choice == "score":
        return _sum(weight, p, positives, negatives)
    if choice != "rate":  # the decisions are the same at every c, as if the probabilities were 0 and 1
        return _sum(weight, (p >= choice).astype(np.float64), positives, negatives)
    ends = np.append(0.0, np.cumsum(positives + negatives)) / (positives + negatives).sum()
    below, above = mean_losses(
        weight, ends[:-1], ends[1:]
    )  # examples with one probability stand at all places of their share alike
    return float((negatives * below + positives * above).sum())


def _sum(weight: CostWeight, p: Array, positives: Array, negatives: Array) -> float:
    """Return the loss of examples with these probabilities; what does not occur loses nothing."""
    lost = ((positives, weight.positive(p)), (negatives, weight.negative(p)))
    return float(sum((times[times > 0] * each[times > 0]).sum() for times, each in lost))


def _least(weight: CostWeight, positives: Array, negatives: Array) -> float:
    """Return the loss of the best threshold at every cost proportion.

    The best thresholds are the corners of the convex hull of the ROC curve. Between two neighbors every example has the same
    share of positives, which is the cost proportion at which they are equally good: so the shares of the stretches of the hull
    are the best increasing recalibration, and their loss is the loss of the best thresholds.
    """
    tp, fp = (np.append(0, np.cumsum(side[::-1])) for side in (positives, negatives))
    at = upper_hull(fp, tp)
    up, right = np.diff(tp[at]), np.diff(fp[at])
    return _sum(weight, up / (up + right), up, right)
