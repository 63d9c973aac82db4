"""Reliability: observed shares against predicted probabilities."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.call_mistakes import answers_mistakes
from .canvas import FAINT, axes_for, colour, entitle, say, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@answers_mistakes
def reliability(
    predicted: Any, observed: Any, weight: Any, *, error: float = math.nan, title: str = "", ax: Axes | None = None
) -> Axes:
    """Return axes with the observed share against the mean prediction of each bin.

    Larger points hold more.

    Parameters
    ----------
    predicted, observed : array
        The mean prediction and the share of positives in each bin; nan where a bin is empty.
    weight : array
        How many examples are in each bin.
    error : float, optional
        The calibration error, to be written.
    title : str, optional
        The title.
    ax : Axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    Axes
        The axes with the plot.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ax = ix.plots.reliability([0.2, 0.8], [0.1, 0.9], [50, 50], error=0.1)
    >>> [text.get_text() for text in ax.texts]
    ['dotted: calibrated', 'calibration error 0.100']
    """
    x, y, n = (np.asarray(values, float) for values in (predicted, observed, weight))
    seen = np.isfinite(x) & np.isfinite(y) & (n > 0)
    ax = axes_for(ax, 4.8, 4.6)
    entitle(ax, title or "Reliability", "mean predicted probability", "observed share")
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    ax.set_aspect("equal")
    ax.plot([0, 1], [0, 1], color=FAINT, linestyle=":", linewidth=1, zorder=1)
    write(ax, 0.03, 0.97, "dotted: calibrated", transform=ax.transAxes, color=FAINT, va="top")
    if not seen.any():
        say(ax, "Undefined: there are no examples in any bin.")
        return ax
    ax.vlines(x[seen], x[seen], y[seen], color=colour(1), linewidth=1.2, zorder=2)
    ax.plot(x[seen], y[seen], color=colour(0), linewidth=1.2, zorder=3)
    ax.scatter(
        x[seen], y[seen], s=12 + 110 * n[seen] / n[seen].max(), color=colour(0), edgecolor="white", linewidth=0.8, zorder=4
    )
    if math.isfinite(error):
        write(ax, 0.97, 0.04, f"calibration error {error:.3f}", transform=ax.transAxes, ha="right")
    return ax
