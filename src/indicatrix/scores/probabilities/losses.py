"""Squared and logarithmic losses, for each example or each entry (sec:calibration).

Where each example has one class, its loss belongs to its row of probabilities. Several labels, and the one column of a positive
class, have a loss for each entry.
"""

from __future__ import annotations

from typing import Any

from ...algebra.arrays import quiet
from ...encode.device_arrays import namespace_of
from .predictions import Forecast


def squared_losses(forecast: Forecast, *, entries: bool = False) -> Any:
    """Return the squared distance of each label from its probability.

    They are summed over the row of each example where it has one class, unless ``entries`` are wanted.

    >>> from .forecasts import read_forecast
    >>> squared_losses(read_forecast("brier", [0, 1], [[0.5, 0.25, 0.25], [0, 1, 0]], {})).tolist()
    [0.375, 0.0]
    """
    xp = namespace_of(forecast.p)
    if forecast.codes is None or entries:
        return (xp.astype(forecast.truth, forecast.p.dtype) - forecast.p) ** 2
    differences = forecast.differences
    return xp.einsum("ij,ij->i", differences, differences)


def share_of_column(forecast: Forecast) -> float:
    """Return how much a column counts where the losses of an example are summed over classes.

    Two columns say the same twice, so each counts half: the sum is then the loss of the one column of a positive class.

    >>> from .forecasts import read_forecast
    >>> share_of_column(read_forecast("brier", [0, 1], [[0.5, 0.5], [0, 1]], {}))
    0.5
    """
    return 0.5 if forecast.codes is not None and len(forecast.classes) == 2 else 1.0


def log_losses(forecast: Forecast, clip: float | None = None, *, terms: str = "both") -> Any:
    """Return -log of the probability that each label was given, of each example or of each entry.

    Probabilities are kept ``clip`` away from 0 and 1, by default the machine epsilon of their type. Where a label is absent, its
    entry has the probability of its absence; with ``terms="present"`` it has no loss.

    >>> from .forecasts import read_forecast
    >>> log_losses(read_forecast("log_loss", [[1, 0]], [[1.0, 0.5]], {}), 0, terms="present").tolist()
    [[0.0, 0.0]]
    """
    least, xp = forecast.epsilon if clip is None else float(clip), namespace_of(forecast.p)
    with quiet():  # the logarithm of 0 is meant
        if forecast.codes is not None:
            likelihood = xp.log(xp.clip(forecast.given, least, 1 - least))
        else:
            p = xp.clip(forecast.p, least, 1 - least)
            likelihood = xp.where(forecast.truth, xp.log(p), xp.log1p(-p) if terms == "both" else xp.zeros_like(p))
    return 0.0 - likelihood  # a minus sign would make -0.0 of 0
