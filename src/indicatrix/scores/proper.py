"""Proper scores of probabilities: Brier and log loss, outside the algebra (the boundary, sec:calibration, errata A10).

They compare labels with the probabilities themselves, before any decision, so no four counts are behind them. Yet they are sums
of losses, one for each entry of the indicator matrix or one for each example, and sums aggregate: globally, per class, per
example, per group, under sample weights and masks. A loss with what it is a mean over is all that distinguishes the two scores.
They reward calibration and refinement together; ``brier_decomposition`` takes them apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.arrays import quiet, ratio
from ..algebra.average import ALIASES, Quantity, Score, Undefined, check_undefined, combine, refuse_lost
from ..algebra.counts import Counts
from ..algebra.sensitivity import Sensitivity
from ..algebra.values import Values
from ..tally.kernels import Array
from .forecasts import Forecast, read_forecast


def brier(
    y_true: Any,
    P: Any,  # noqa: N803
    *,
    average: str = "micro",
    normalize: str | None = None,
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return the Brier score, the mean squared difference of labels and probabilities; smaller is better (sec:calibration).

    One probability per example: of the positive class. One label and a row of probabilities per example: normalize="n", the
    default, is Brier's sum over classes and mean over examples, in [0, 2]; normalize="nm" is the paper's mean over entries, 1/m
    of it (errata A10), and scikit-learn's for two columns. Several labels per example, which a 0/1 matrix means even if its
    rows have one label each: the mean over entries; normalize="n" is m times that.

    ``average``: "micro", "exemplar" (the mean over examples), the name of an axis of by=, and "macro" or "weighted", whose
    ``.values`` are the scores of the classes: under "n" the losses of its own examples, under "nm" those of its column.
    Options: classes, positive, sample_weight, mask, by, missing as for evaluate; renormalize=True divides rows by their sums.

    >>> import indicatrix as ix
    >>> ix.brier([0, 1, 1], [0.5, 0.5, 1.0])
    0.16666666666666666
    >>> P = [[0.5, 0.25, 0.25], [0, 1, 0]]
    >>> ix.brier([0, 1], P), ix.brier([0, 1], P, normalize="nm")
    (0.1875, 0.0625)
    """
    if normalize not in (None, "n", "nm"):
        raise ValueError(f"normalize={normalize!r}: divide by the number of examples, 'n', or of entries, 'nm'.")
    forecast = read_forecast(y_true, P, options)
    if forecast.codes is not None and normalize != "nm":
        difference = forecast.p.copy()
        difference[np.arange(forecast.n), forecast.codes] -= 1
        losses = Losses(BRIER, forecast, np.einsum("ij,ij->i", difference, difference))
    else:
        times = len(forecast.classes) if normalize == "n" else 1
        losses = Losses(BRIER, forecast, times * (forecast.truth - forecast.p) ** 2)
    return _averaged(losses, average, undefined)


def log_loss(
    y_true: Any,
    P: Any,  # noqa: N803
    *,
    average: str = "micro",
    clip: float | None = None,
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return the mean negative log-likelihood of the labels under the probabilities, in nats (sec:calibration, errata A10).

    One label per example: the mean of -log p(true class) over examples, m times the paper's. Several labels, or one probability
    per example: the mean binary cross-entropy over entries, with both terms; the paper's omits (1-Y)log(1-P), and is not proper.
    Probabilities are kept ``clip`` away from 0 and 1: by default the machine epsilon of their type, 2.2e-16 for float64 and
    1.2e-7 for float32. With clip=0 an impossible label makes the loss infinite: a value, which no convention leaves out.

    ``average`` and the options are those of ``brier``; per class there are the losses of the examples of that class.

    >>> import indicatrix as ix
    >>> ix.log_loss([0, 2], [[0.5, 0.5, 0], [0.25, 0.5, 0.25]])
    1.0397207708399179
    >>> ix.log_loss([[1, 0]], [[1.0, 1.0]], clip=0)
    inf
    """
    if clip is not None and not (isinstance(clip, int | float | np.floating) and 0 <= clip < 0.5):
        raise ValueError(f"clip={clip!r}: probabilities are kept this far from 0 and 1; give a number from 0 up to 0.5, or None.")
    forecast = read_forecast(y_true, P, options)
    least = forecast.epsilon if clip is None else float(clip)
    with quiet():  # the logarithm of 0 is meant
        if forecast.codes is not None:
            likelihood = np.log(np.clip(forecast.p[np.arange(forecast.n), forecast.codes], least, 1 - least))
        else:
            p = np.clip(forecast.p, least, 1 - least)
            likelihood = np.where(forecast.truth, np.log(p), np.log1p(-p))
    return _averaged(Losses(LOG_LOSS, forecast, 0.0 - likelihood), average, undefined)  # a minus sign would make -0.0 of 0


BRIER, LOG_LOSS = Quantity("brier", "lower"), Quantity("log_loss", "lower")


@dataclass(frozen=True, eq=False)
class Losses:
    """Losses of a forecast: one for each entry (n, m), or one for each example (n,), which belongs to its true class."""

    of: Quantity
    forecast: Forecast
    each: Array

    def sums(self, units: tuple[str, ...]) -> tuple[Array, Array]:
        """Return what the units lost, and on how much: the weight of their examples, or of their entries."""
        forecast, one_each = self.forecast, self.each.ndim == 1
        exposure = forecast.exposure(self.each.ndim, weighted=units != ("example",))
        lost = np.where(exposure > 0, self.each, 0.0) * exposure  # an infinite loss of weight zero is none
        if units == ("class",) and one_each:
            assert forecast.codes is not None
            return _grouped(lost, exposure, np.maximum(forecast.codes, 0), len(forecast.classes))
        if not units or units == ("class",):
            axis = 0 if units else None
            return lost.sum(axis=axis), exposure.sum(axis=axis)
        if not one_each:
            lost, exposure = lost.sum(axis=1), exposure.sum(axis=1)
        if units == ("example",):
            return lost, exposure
        names, groups = forecast.by[units[0]]
        return _grouped(lost, exposure, groups, len(names))


def _grouped(lost: Array, exposure: Array, groups: Array, size: int) -> tuple[Array, Array]:
    return np.bincount(groups, lost, size), np.bincount(groups, exposure, size)


class MeanLoss(Score):
    """A score that is a mean of losses: an infinite loss is a value of it, not an undefined one."""

    __slots__ = ()

    def lost_units(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which units carry weight but have no loss at all."""
        lost = np.isnan(np.asarray(self.values, np.float64))
        return lost if self.weights is None else lost & (np.asarray(self.weights) != 0)

    def sensitivity(self) -> Sensitivity:
        """Return this score under every convention, with the units that make the difference (sec:degenerate)."""
        conventions = dict.fromkeys(("exclude", 0, 1, "nan", *(() if self.undefined == "raise" else (self.undefined,))))
        return Sensitivity({c: _mean(self.values, self.weights, c) for c in conventions}, self.lost)

    def __reduce__(self) -> Any:
        return MeanLoss, super().__reduce__()[1]


def _mean(values: Any, weights: Any, undefined: Undefined) -> float:
    infinite = np.isposinf(values) if weights is None else np.isposinf(values) & (weights != 0)
    return math.inf if infinite.any() else combine(values, weights, undefined)


def _averaged(losses: Losses, average: str, undefined: Undefined) -> MeanLoss:
    """Return the mean over units of what each lost per example, or per entry, that it has."""
    check_undefined(undefined)
    average, units, names = _units(losses.forecast, average)
    values = ratio(*losses.sums(units))
    weights = None
    if average in ("weighted", "exemplar"):
        weights = losses.forecast.positives if average == "weighted" else losses.forecast.weights
    unknown = np.full(np.shape(values), math.nan)  # no four counts are behind a loss
    counts = Counts(*(unknown,) * 4, per=units, names=names)
    shown = Values.of(values, names) if units else float(values)
    score = MeanLoss(_mean(values, weights, undefined), losses.of, average, undefined, shown, counts, weights)
    return refuse_lost(score, ", without observed examples that have a weight")


def _units(forecast: Forecast, average: str) -> tuple[str, tuple[str, ...], tuple[tuple[Any, ...], ...]]:
    """Return an average's name, the axis that it keeps, and the names of the units along it."""
    if not isinstance(average, str):
        raise TypeError(f"average={average!r} must be one name: 'micro', 'macro', 'weighted', 'exemplar' or an axis of by=.")
    average = ALIASES.get(average, average)
    axes = {"micro": "", "macro": "class", "weighted": "class", "exemplar": "example", **{axis: axis for axis in forecast.by}}
    if average not in axes:
        raise ValueError(
            f"average={average!r} is unknown here. Choose from {', '.join(axes)}, or give by={{{average!r}: ids}} to have it."
        )
    axis = axes[average]
    if not axis:
        return average, (), ()
    names = forecast.by[axis][0] if axis in forecast.by else forecast.classes if axis == "class" else tuple(range(forecast.n))
    return average, (axis,), (names,)
