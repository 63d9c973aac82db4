"""Lines: measures against the threshold, risk against coverage, scores against a prior.

Thresholds of probabilities that crowd at 0 and 1 have a scale that is logarithmic towards both ends.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ..words.call_mistakes import answers_mistakes
from .canvas import (
    FAINT,
    SIZE,
    axes_for,
    color,
    entitle,
    label_ends,
    line_style,
    say,
    short,
    tell,
    tell_undefined,
    with_class,
    write,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EDGE = 0.01  # how near to 0 or 1 a probability is saturated
TINY = 1e-12  # nearer to 0 than this, thresholds share one place; floats have no finer steps near 1 than 1e-16
MOST_TICKS = 6  # of probabilities on a logarithmic axis


@answers_mistakes
def thresholds(
    at: Any,
    values: Mapping[str, Any],
    *,
    best: Mapping[str, tuple[float, float]] | None = None,
    unit: Any = None,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Return axes with measures against the threshold; a score at or above it is predicted positive.

    Where most thresholds are probabilities within 0.01 of 0 or 1, the axis is logarithmic towards both ends, so that they lie
    apart, and says so.

    Parameters
    ----------
    at : array
        The thresholds, from +inf down.
    values : mapping
        For each measure its value at each threshold; nan where it is undefined.
    best : mapping, optional
        For each measure the threshold and the value that are marked, usually the best ones.
    unit : label, optional
        The class taken as positive, for the title.
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
    >>> ax = ix.plots.thresholds([float("inf"), 0.8, 0.4], {"f1": [0, 0.5, 0.8]}, best={"f1": (0.4, 0.8)})
    >>> [text.get_text() for text in ax.texts]
    ['f1, best 0.800 at 0.4']
    """
    place = np.asarray(at, float)
    kept = np.isfinite(place)
    order = np.argsort(place[kept], kind="stable")
    ax = axes_for(ax, 6.2, 3.8)
    entitle(ax, title or with_class("Measures at every threshold", unit), "threshold", "value")
    ends = []
    for k, (name, some) in enumerate(values.items()):
        x, y = place[kept][order], np.asarray(some, float)[kept][order]
        y = np.where(np.isfinite(y), y, np.nan)
        seen = np.flatnonzero(np.isfinite(y))
        ax.plot(x, y, **line_style(k), drawstyle="steps-pre", marker="o" if seen.size == 1 else "")
        text = short(name)
        if best and name in best and math.isfinite(best[name][1]):
            threshold, top = best[name]
            text += f", best {top:.3f} at {show_probability(threshold)}"
            if math.isfinite(threshold):
                ax.plot([threshold], [top], "o", color=color(k), markersize=5)
        if seen.size:
            ends.append((float(x[seen[-1]]), float(y[seen[-1]]), text, color(k)))
    tell_undefined(ax, [name for name, some in values.items() if not np.isfinite(np.asarray(some, float)[kept]).any()])
    if not ends:
        say(ax, "Undefined: no measure has a value at any threshold.")
    if is_saturated(place[kept]):
        stretch_ends(ax, place[kept])
    _label_outside(ax, ends)
    return ax


@answers_mistakes
def risk_coverage(
    coverage: Any, risk: Any, *, name: str = "risk", title: str = "", area: float = math.nan, ax: Axes | None = None
) -> Axes:
    """Return axes with the risk among the answered examples against the share that is answered.

    Parameters
    ----------
    coverage, risk : array
        The points; the risk is nan where nothing is answered.
    name : str, default 'risk'
        The measure of the risk.
    title : str, optional
        The title.
    area : float, optional
        The area under the curve, to be written.
    ax : Axes, optional
        Where to draw. Default: a new figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ax = ix.plots.risk_coverage([0, 0.5, 1], [float("nan"), 0.1, 0.25], name="fdr")
    >>> [text.get_text() for text in ax.texts]
    ['0.250 if all are answered']
    """
    x, y = np.asarray(coverage, float), np.asarray(risk, float)
    seen = np.isfinite(x) & np.isfinite(y)
    ax = axes_for(ax, 6, 3.8)
    entitle(ax, title or "Risk and coverage", "coverage, the share of examples that are answered", name)
    ax.plot(x[seen], y[seen], **line_style(0), drawstyle="steps-post", marker="o" if seen.sum() < 2 else "")
    ax.set_xlim(0, 1)
    ax.set_ylim(0, max(0.05, 1.25 * float(np.max(y[seen], initial=0))))
    if not seen.any():
        say(ax, "Undefined: nothing is answered.")
        return ax
    last = np.flatnonzero(seen)[-1]
    whole = "all are" if x[last] >= 1 else f"{x[last]:.0%} are"
    text = f"{y[last]:.3f} if {whole} answered" + ("" if math.isnan(area) else f"\narea {area:.3f}")
    write(ax, 0.02, 0.97, text, transform=ax.transAxes, va="top", color=color(0))
    return ax


@answers_mistakes
def prior_sensitivity(
    shares: Any, values: Mapping[str, Any], *, now: float = math.nan, name: str = "", title: str = "", ax: Axes | None = None
) -> Axes:
    """Return axes with scores against the share of one class: which move with it, and which stand still.

    Parameters
    ----------
    shares : array
        The prevalence of the class.
    values : mapping
        For each score its value at each share; nan where it is undefined.
    now : float, optional
        The share in the data, which is marked.
    name : str, optional
        The name of the class.
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
    >>> scores = {"micro": [0.6, 0.7, 0.8], "macro": [0.7, 0.7, 0.7]}
    >>> ax = ix.plots.prior_sensitivity([0.1, 0.5, 0.9], scores, now=0.3, name="ant")
    >>> [text.get_text() for text in ax.texts]
    ['now 0.300', 'macro', 'micro']
    """
    x = np.asarray(shares, float)
    ax = axes_for(ax, 6, 3.8)
    entitle(
        ax,
        title or "Scores if classes were more or less frequent",
        f"share of class {short(name)}" if str(name) else "share",
        "score",
    )
    ends = []
    for k, (text, some) in enumerate(values.items()):
        y = np.asarray(some, float)
        seen = np.flatnonzero(np.isfinite(y) & np.isfinite(x))
        ax.plot(x[seen], y[seen], **line_style(k), marker="o" if seen.size == 1 else "")
        if seen.size:
            ends.append((float(x[seen[-1]]), float(y[seen[-1]]), short(text), color(k)))
    tell_undefined(ax, [text for text, some in values.items() if not np.isfinite(np.asarray(some, float)).any()])
    if not ends:
        say(ax, "Undefined: no score has a value at any of these shares.")
        return ax
    if math.isfinite(now):
        ax.axvline(now, color=FAINT, linewidth=1, linestyle=":")
        write(ax, now, 1.0, f"now {now:.3f}", transform=ax.get_xaxis_transform(), ha="center", va="bottom", color=FAINT)
        ax.set_title(ax.get_title(loc="left"), loc="left", fontsize=SIZE + 1.5, parse_math=False, pad=18)
    _label_outside(ax, ends)
    return ax


def _label_outside(ax: Axes, ends: Any) -> None:
    """Write names right of the axes, next to the ends of the lines."""
    right = max((x for x, *_ in ends), default=0.0)
    ax.margins(x=0.01)
    ax.set_xlim(*ax.get_xlim())
    ax.set_ylim(*ax.get_ylim())
    edge = ax.get_xlim()[1]
    label_ends(ax, [(edge if x >= right else x, y, text, tint) for x, y, text, tint in ends])


def is_saturated(thresholds: Any) -> bool:
    """Return whether most thresholds are probabilities within 0.01 of 0 or 1.

    >>> is_saturated([0.0001, 0.002, 0.999]), is_saturated([0.2, 0.5, 0.999]), is_saturated([-3.0, 0.0, 4.0])
    (True, False, False)
    """
    p = np.asarray(thresholds, float)
    if p.size < 3 or p.min() < 0 or p.max() > 1:
        return False
    return bool(np.mean(np.minimum(p, 1 - p) < EDGE) > 0.5)


def stretch_ends(ax: Axes, thresholds: Any) -> None:
    """Give the horizontal axis the scale of log odds, with ticks that name probabilities.

    It ends where no threshold lies any more.
    """
    p = np.asarray(thresholds, float)
    low, high = (max(TINY, float(np.min(side[side > 0], initial=EDGE)) / 2) for side in (p, 1 - p))

    def odds(x: Any) -> Any:
        inside = np.clip(np.asarray(x, float), low, 1 - high)
        return np.log(inside) - np.log1p(-inside)

    def back(y: Any) -> Any:
        return 1 / (1 + np.exp(-np.asarray(y, float)))

    ax.set_xscale("function", functions=(odds, back))
    ax.set_xlim(low, 1 - high)
    ticker = import_module("matplotlib.ticker")
    ax.xaxis.set_major_locator(ticker.LogitLocator(nbins=MOST_TICKS))  # of what is in view: their names do not touch
    ax.xaxis.set_major_formatter(ticker.FuncFormatter(lambda p, _: show_probability(p)))
    ax.set_xticks([], minor=True)
    tell(ax, "the axis is logarithmic towards 0 and 1, where most scores are")


def show_probability(p: float) -> str:
    """Return a number with few digits, and so many near 0 and 1 that it does not look like 0 or 1.

    >>> [show_probability(p) for p in (0.25, 0.9999, 1 - 2.5e-7, 1e-6, 12.0, 1.0)]
    ['0.25', '0.9999', '1−2.5e-7', '1e-6', '12', '1']
    """
    if 0.999 < p < 1:
        rest = 1 - p
        return f"{p:.{2 - math.floor(math.log10(rest))}g}" if rest >= 1e-5 else f"1−{show_probability(float(f'{rest:.2g}'))}"
    return f"{p:.4g}".replace("e-0", "e-")
