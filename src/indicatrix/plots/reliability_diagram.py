"""Reliability: observed shares against predicted probabilities."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..words.call_mistakes import answers_mistakes
from .canvas import FAINT, SIZE, axes_for, color, entitle, line_style, say, short, tell, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BARS = 3  # curves together whose intervals are drawn


@answers_mistakes
def reliability(
    predicted: Any,
    observed: Any,
    weight: Any,
    *,
    ends: tuple[Any, Any] | None = None,
    level: float = 0.95,
    error: float = math.nan,
    band: Any = None,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Return axes with the observed share against the mean prediction of each bin.

    Larger points hold more.

    Parameters
    ----------
    predicted, observed : array
        The mean prediction and the share of positives in each bin; nan where a bin is empty.
    weight : array
        How many examples are in each bin.
    ends : (array, array), optional
        The lower and upper ends of the intervals of the observed shares, which are drawn as bars.
    level : float, default 0.95
        The level of these intervals, to be written.
    error : float, optional
        The calibration error, to be written.
    band : Band, optional
        The band of an isotonic curve, which is drawn as an area.
    title : str, optional
        The title.
    ax : Axes, optional
        Where to draw. Default: a new figure.

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
    ax = _frame(title or "Reliability", ax)
    x, y, n = (np.asarray(values, float) for values in (predicted, observed, weight))
    seen = np.isfinite(x) & np.isfinite(y) & (n > 0)
    ax.vlines(x[seen], x[seen], y[seen], color=color(1), linewidth=1.2, zorder=2)
    if not _draw(ax, x, y, n, ends, 0):
        say(ax, "Undefined: there are no examples in any bin.")
        return ax
    if ends is not None:
        _tell_bars(ax, level)
    if band is not None:
        ax.fill_between(band.x_low, band.y_low, band.y_high, color=FAINT, alpha=0.2, linewidth=0, zorder=0.5)
        tell(ax, f"band: {band.says}")
    if math.isfinite(error):
        write(ax, 0.97, 0.04, f"calibration error {error:.3f}", transform=ax.transAxes, ha="right")
    return ax


def draw_reliabilities(named: Mapping[Any, Any], *, interval: float | bool, title: str, ax: Axes | None) -> Axes:
    """Return axes with several reliability curves by name, each with its calibration error."""
    ax = _frame(title, ax)
    level = 0.95 if interval is True else interval
    with_bars = level is not False and len(named) <= MOST_BARS
    handles, texts, drawn_again = [], [], False
    for k, (name, curve) in enumerate(named.items()):
        x, y, n = (np.asarray(values, float) for values in (curve.predicted, curve.observed, curve.weight))
        line = _draw(ax, x, y, n, curve.ends(level) if with_bars else None, k)
        drawn_again |= curve.forecasts is not None
        said = f"calibration error {curve.error():.3f}" if line else "undefined"
        handles.append(line or ax.plot([], [], **line_style(k))[0])
        texts.append(", ".join(filter(None, (short(name), said))))
    if with_bars:
        _tell_bars(ax, level, "drawn again" if drawn_again else "Wilson")
    if len(texts) == 1:
        write(ax, 0.97, 0.04, texts[0], transform=ax.transAxes, ha="right", color=color(0))
        return ax
    size = max(4.0, min(SIZE - 0.5, 100 / len(texts)))
    legend = ax.legend(handles, texts, loc="lower right", frameon=False, fontsize=size, handlelength=2.6)
    for k, text in enumerate(legend.get_texts()):
        text.set(color=color(k), parse_math=False)
    return ax


def _frame(title: str, ax: Axes | None) -> Axes:
    ax = axes_for(ax, 4.8, 4.6)
    entitle(ax, title, "mean predicted probability", "observed share")
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    ax.set_aspect("equal")
    ax.plot([0, 1], [0, 1], color=FAINT, linestyle=":", linewidth=1, zorder=1)
    write(ax, 0.03, 0.97, "dotted: calibrated", transform=ax.transAxes, color=FAINT, va="top")
    return ax


def _draw(ax: Axes, x: Any, y: Any, n: Any, ends: tuple[Any, Any] | None, k: int) -> Any:
    """Draw the bins of one curve; return its line, or None if there are no examples."""
    seen = np.isfinite(x) & np.isfinite(y) & (n > 0)
    if not seen.any():
        return None
    style = line_style(k) | {"linewidth": 1.2}
    (line,) = ax.plot(x[seen], y[seen], **style, zorder=3)
    if ends is not None:
        low, high = (np.asarray(side, float)[seen] for side in ends)
        ax.vlines(x[seen], low, high, color=color(k), linewidth=4, alpha=0.25, zorder=1.5)
    sizes = 12 + 110 * n[seen] / n[seen].max()
    ax.scatter(x[seen], y[seen], s=sizes, color=color(k), edgecolor="white", linewidth=0.8, zorder=4)
    return line


def _tell_bars(ax: Axes, level: float, how: str = "Wilson") -> None:
    tell(ax, f"bars: {100 * level:.4g}% of the observed share in each bin ({how})")
