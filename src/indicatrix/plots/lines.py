"""Lines: measures against the threshold, risk against coverage, scores against a prior.

Thresholds of probabilities that crowd at 0 and 1 have a scale that is logarithmic towards both ends.

Terms of a score: the gap between two averages step by step, and scores above their floors.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
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
    ink,
    label_ends,
    line_style,
    name_ticks,
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


@answers_mistakes
def gap(
    start: tuple[str, float],
    terms: Mapping[str, float],
    end: tuple[str, float],
    *,
    title: str = "",
    note: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Return axes with the steps that lead from one average to another, as a waterfall.

    Parameters
    ----------
    start, end : (str, float)
        The name and the value of the two averages.
    terms : mapping
        The steps by name; they add up to the difference of the averages.
    title : str, optional
        The title.
    note : str, optional
        A sentence below the plot.
    ax : Axes, optional
        Where to draw. Default: a new figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ax = ix.plots.gap(("macro", 0.6), {"skew": 0.15, "curvature": -0.05}, ("micro", 0.7))
    >>> [text.get_text() for text in ax.texts]
    ['0.600', '+0.150', '-0.050', '0.700']
    """
    names = [start[0], *(name.replace("_", "\n") for name in terms), end[0]]
    ax = axes_for(ax, 2 + 0.95 * len(names), 3.8)
    entitle(ax, title or f"From {start[0]} to {end[0]}", note, "score")
    if not all(map(math.isfinite, (start[1], end[1], *terms.values()))):
        say(ax, "Undefined: one of the averages has no value.")
        ax.set(xticks=[], yticks=[])
        return ax
    levels = [start[1]]
    for k, step in enumerate(terms.values()):
        levels.append(levels[-1] + step)
        look: dict[str, Any] = {"color": color(5)} if step >= 0 else {"color": color(1), "hatch": "////"}
        ax.bar(k + 1, step, bottom=levels[-2], width=0.62, edgecolor=ink(), linewidth=0.6, **look)
    for place, (_, value) in ((0, start), (len(names) - 1, end)):
        ax.bar(place, value, width=0.62, color=color(0))
    for k, level in enumerate(levels):
        ax.hlines(level, k + 0.31, k + 0.69, color=FAINT, linewidth=1)
    _write_steps(ax, start[1], terms, end[1], levels)
    ax.set_xticks(range(len(names)), names, fontsize=SIZE - 1)
    ax.tick_params(axis="x", length=0)
    return ax


@answers_mistakes
def floors(
    names: Sequence[str],
    values: Sequence[float],
    worst: Sequence[float],
    *,
    best: Sequence[float] | None = None,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Return axes with scores on the range that they can have: from the value of always being wrong.

    Parameters
    ----------
    names : sequence of str
        The scores.
    values : sequence of float
        Their values; nan where they are undefined.
    worst : sequence of float
        What a classifier scores that is wrong on every example: a floor, or a ceiling of losses.
    best : sequence of float, optional
        The best values. Default: 1 for all.
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
    >>> ax = ix.plots.floors(["specificity"], [0.9], [0.75])
    >>> [text.get_text() for text in ax.texts]
    ['0.750', '0.900']
    """
    ax = axes_for(ax, 6.4, 1.5 + 0.42 * max(len(names), 2))
    entitle(ax, title or "Scores above the floor: what always being wrong scores", "score")
    tops = [1.0] * len(names) if best is None else [*best]
    if not names:
        say(ax, "There are no scores.")
        return ax
    for i, (value, floor, top) in enumerate(zip(values, worst, tops, strict=True)):
        known = [x for x in (floor, top) if math.isfinite(x)]
        if len(known) == 2:
            ax.plot(known, [i, i], color=FAINT, alpha=0.35, linewidth=9, solid_capstyle="butt")
        if math.isfinite(floor) and math.isfinite(value):
            ax.plot([floor, value], [i, i], color=color(5), linewidth=9, solid_capstyle="butt")
        if math.isfinite(floor):
            ax.plot([floor], [i], marker="|", color=color(1), markersize=15, markeredgewidth=2)
            write(ax, floor, i + 0.36, f"{floor:.3f}", ha="center", va="center", color=color(1), fontsize=SIZE - 2)
        if math.isfinite(value):
            ax.plot([value], [i], marker="o", color=ink(), markersize=6)
        text = f"{value:.3f}" if math.isfinite(value) else "undefined"
        write(ax, 1.02, i, text, transform=ax.get_yaxis_transform(), va="center", color=ink() if math.isfinite(value) else FAINT)
    ax.set_ylim(len(names) - 0.4, -0.6)
    name_ticks(ax.yaxis, names)
    ax.tick_params(axis="y", length=0)
    return ax


def _show_step(step: float) -> str:
    return f"{step:+.3f}" if step == 0 or abs(step) >= 0.0005 else f"{step:+.0e}"


def _write_steps(ax: Axes, start: float, terms: Mapping[str, float], end: float, levels: Sequence[float]) -> None:
    """Write each number above its bar, and cut the axis so that the steps are seen."""
    tops = [start, *(max(a, b) for a, b in itertools.pairwise(levels)), end]
    low, high = min(start, end, *levels), max(start, end, *levels)
    room = max(high - low, 0.02)
    bottom = 0.0 if low >= 0 and low < 2.5 * room else low - 0.6 * room
    ax.set_ylim(min(bottom, low - (0.15 * room if low < 0 else 0)), high + 0.25 * room)
    texts = [f"{start:.3f}", *map(_show_step, terms.values()), f"{end:.3f}"]
    for k, (text, top) in enumerate(zip(texts, tops, strict=True)):
        write(ax, k, max(top, 0) if k in (0, len(texts) - 1) else top, text, ha="center", va="bottom")
    if bottom > 0:
        ax.set_ylabel("score (the axis starts above 0)", fontsize=SIZE)
