"""Aickin's alpha: the share of examples that agree for cause, estimated together with chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.functions import absolute, ratio, sqrt
from ...algebra.gradient import Traced, without_trace
from ..table import matrix_measure
from .agreement import GROUP, multiclass_kappa
from .cells import each, margins
from .tails import precision

MOST_STEPS = 500
STEP = 2.0**-17  # of the share of right answers, for a slope


@matrix_measure(range=(0, 1), source="aickin1990", group=GROUP, symmetric=True, limits=lambda table: (-1.0, 1.0))
def aickin_alpha(confusion: Any) -> Any:
    """Share of examples that agree for cause, by maximum likelihood; the others agree only by chance.

    Chance keeps the marginals of the examples that do not agree for cause, which are estimated together with that share. It is 0
    where no more examples agree than chance explains.
    """
    true, pred, n = margins(confusion)
    right, chance = confusion.trace(), (true * pred).sum()
    if without_trace(n * right) <= without_trace(chance):
        # Cut off at 0, where slopes tell nothing: those of kappa are the ones that it would have.
        return multiclass_kappa.function(confusion) if isinstance(n, Traced) else ratio(0, n * n - chance)
    one_way = absolute(without_trace(true - pred)).sum() == 2 * without_trace(n - right)
    if one_way:  # all errors go one way: then chance explains no agreement at all
        return ratio(right, n)
    true, pred, right = true / n, pred / n, right / n
    if isinstance(right, Traced):  # the slopes of the root are those of one step of Newton from it
        shares = true.value, pred.value, right.value
        alpha, step = _root(*shares), STEP * right.value
        slope = (_excess(*shares, alpha + step) - _excess(*shares, alpha - step)) / (2 * step)
        return alpha - _excess(true, pred, right, alpha) / slope
    return _root(_inexact(true), _inexact(pred), _inexact(np.array([right]))[0])


def _excess(true: Any, pred: Any, right: Any, alpha: Any) -> Any:
    """Return by how much the marginals by chance sum to more than one, if this share agrees for cause.

    With the shares R and C of a class by chance, (1 - alpha) R + b R C is its share in truth and (1 - alpha) C + b R C that in
    the predictions, where b = alpha/sum(R C). So R solves a quadratic equation, and one unknown is left.
    """
    rest = 1 - alpha
    b = alpha * rest / (right - alpha)
    linear = rest - b * (true - pred) / rest
    return ((2 * true / (linear + each(sqrt, linear * linear + 4 * b * true))).sum() - 1) / alpha


def _root(true: Array, pred: Array, right: Any) -> Any:
    """Return the share for which the marginals by chance sum to one, by false position (Illinois)."""
    apart = true - pred
    low, high = right * 0, right
    above, below = 1 - (true * pred).sum() / right, (apart[np.asarray(apart > 0, bool)].sum() / (1 - right) - 1) / right
    side, close = 0, abs(right) * precision(right) * 4
    for _ in range(MOST_STEPS):
        alpha = (low * below - high * above) / (below - above)
        found = _excess(true, pred, right, alpha) if low < alpha < high else 0
        if found == 0 or high - low <= close:
            return alpha
        if found > 0:
            low, above, below, side = alpha, found, below / 2 if side > 0 else below, 1
        else:
            high, below, above, side = alpha, found, above / 2 if side < 0 else above, -1
    return (low + high) / 2


def _inexact(x: Array) -> Array:
    """Return floats, or the numbers themselves if they have more digits."""
    return x if x.dtype == object and hasattr(x[0], "context") else x.astype(np.float64)
