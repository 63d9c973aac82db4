"""Values of classes or groups, with their intervals.

Differences between classifiers: with intervals, and as mean ranks over data sets.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..report.grid import labels
from ..words.call_mistakes import answers_mistakes
from .canvas import FAINT, SIZE, axes_for, color, entitle, ink, name_ticks, say, short, show_interval, spread, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes


AS_BARS = 45  # units that have a bar and a name each; more become a line of sorted points
PLURALS = {"class": "classes"}  # what many units are called
NAMED = 3  # units at each end of that line that are named


@answers_mistakes
def units(
    values: Any, *, averages: Mapping[str, float] | None = None, name: str = "value", title: str = "", ax: Axes | None = None
) -> Axes:
    """Return axes with a bar for each class or other unit, its interval, and lines for averages.

    More than 45 units are sorted and drawn as points.

    Parameters
    ----------
    values : Values
        What ``ev.values(…)`` returns; with ``interval=True``, intervals are drawn.
    averages : mapping, optional
        Values of all units together, such as ``{"macro": 0.71}``.
    name : str, default 'value'
        What the values are.
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
    >>> ev = ix.evaluate(["ant", "bee", "bee"], ["ant", "bee", "ant"])
    >>> ax = ix.plots.units(ev.values("recall"), averages={"macro": ev.score("recall", "macro")}, name="recall")
    >>> [float(bar.get_width()) for bar in ax.patches]
    [1.0, 0.5]
    """
    numbers = np.asarray(values, float)
    low, high = (numbers * np.nan if getattr(values, end, None) is None else getattr(values, end) for end in ("low", "high"))
    names = [*getattr(values, "names", range(numbers.size))]
    axis = " × ".join(getattr(values, "per", ())) or "unit"
    ax = axes_for(ax, 6, 1.5 + 0.3 * min(max(len(names), 2), AS_BARS) if len(names) <= AS_BARS else 4.5)
    entitle(ax, title or f"{name} of each {axis}", name)
    if not len(names):
        say(ax, "There is nothing to show yet.")
        return ax
    if len(names) <= AS_BARS:
        _bars(ax, numbers, low, high, names)
    else:
        _sorted_points(ax, numbers, low, high, names, PLURALS.get(axis, f"{axis}s" if axis.isidentifier() else "units"))
    _average_lines(ax, averages or {})
    return ax


@answers_mistakes
def groups(
    names: Sequence[Any],
    values: Sequence[float],
    ends: Sequence[tuple[float, float]],
    *,
    gap: str = "",
    name: str = "value",
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Return axes with the value and the interval of each group, and the span between the extremes.

    Parameters
    ----------
    names : sequence
        The groups.
    values : sequence of float
        One value for each; nan where it is undefined.
    ends : sequence of (float, float)
        The ends of their intervals; nan where there is no interval.
    gap : str, optional
        What is written below: the largest difference, with its interval and test.
    name : str, default 'value'
        What the values are.
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
    >>> ax = ix.plots.groups(["x", "y"], [0.5, 0.75], [(0.4, 0.6), (0.6, 0.9)], name="recall", title="recall by site")
    >>> [text.get_text() for text in ax.texts]
    ['0.50 [0.40, 0.60]', '0.75 [0.60, 0.90]']
    """
    numbers = np.asarray(values, float)
    ax = axes_for(ax, 6, 1.6 + 0.32 * min(max(len(names), 2), 40))
    entitle(ax, title or f"{name} of each group", f"{short(name)}\n{gap}" if gap else name)
    if not len(names):
        say(ax, "There are no groups.")
        return ax
    known = numbers[np.isfinite(numbers)]
    if known.size > 1:
        ax.axvspan(known.min(), known.max(), color=FAINT, alpha=0.18, linewidth=0)
    low, high = np.asarray(ends, float).reshape(-1, 2).T
    _whiskers(ax, numbers, low, high, color(0), marker="o")
    _frame(ax, numbers, low, high, names)
    return ax


def _bars(ax: Axes, numbers: Any, low: Any, high: Any, names: Sequence[Any]) -> None:
    ax.barh(range(len(names)), np.where(np.isfinite(numbers), numbers, 0), color=color(5), height=0.7)
    _whiskers(ax, numbers, low, high, ink())
    _frame(ax, numbers, low, high, names)
    ax.axvline(0, color=ink(), linewidth=0.8)


def _whiskers(ax: Axes, numbers: Any, low: Any, high: Any, tint: str, marker: str = "") -> None:
    """Draw values with their intervals; one end may be missing."""
    seen = np.flatnonzero(np.isfinite(numbers))
    if marker:
        ax.plot(numbers[seen], seen, marker, color=tint, markersize=5)
    sure = [i for i in seen if math.isfinite(low[i]) and math.isfinite(high[i])]
    ax.hlines(sure, low[sure], high[sure], color=tint, linewidth=1.4)


def _frame(ax: Axes, numbers: Any, low: Any, high: Any, names: Sequence[Any]) -> None:
    """Name the rows, the first on top, and write each value at the right."""
    known = np.concatenate([numbers, low, high])
    known = known[np.isfinite(known)]
    left, right = min(0.0, known.min(initial=0)), known.max(initial=0)
    right = 1.0 if 0.3 < right <= 1 or left == right else right  # nothing but zeros, or nothing at all: a plain axis
    ax.set_xlim(left * 1.05, right + 0.02 * (right - left))
    ax.set_ylim(len(names) - 0.4, -0.6)
    size = SIZE - 0.5 if len(names) <= 30 else 6.5
    name_ticks(ax.yaxis, names, size=size)
    for i, (x, a, b) in enumerate(zip(numbers.tolist(), low, high, strict=True)):
        how = {"va": "center", "fontsize": size, "color": FAINT if math.isnan(x) else ink()}
        write(ax, 1.015, i, show_interval(x, a, b), transform=ax.get_yaxis_transform(), **how)
    ax.tick_params(axis="y", length=0)


def _sorted_points(ax: Axes, numbers: Any, low: Any, high: Any, names: Sequence[Any], noun: str) -> None:
    """Draw many units from the highest to the lowest, and name those at the ends."""
    order = [int(i) for i in np.argsort(-numbers, kind="stable") if math.isfinite(numbers[i])]
    lost = len(names) - len(order)
    if not order:
        say(ax, f"All {len(names):,} values are undefined.")
        return
    places = np.arange(len(order))
    ax.plot(numbers[order], places, ".", color=color(0), markersize=2.5)
    sure = np.isfinite(low[order]) & np.isfinite(high[order])
    ax.hlines(places[sure], low[order][sure], high[order][sure], color=color(5), linewidth=0.6, zorder=1)
    ax.set_ylim(len(order) - 0.5 + 0.03 * len(order), -0.5 - 0.03 * len(order))
    ax.set_ylabel(f"{len(order):,} {noun}, highest first" + (f"; {lost:,} undefined" if lost else ""), fontsize=SIZE)
    ax.set_yticks([])
    ends = [*range(min(NAMED, len(order))), *range(max(NAMED, len(order) - NAMED), len(order))]
    step = 0.055 * len(order)
    for k, place in enumerate(ends):
        y = k * step if k < NAMED else len(order) - 1 - (len(ends) - 1 - k) * step
        text = f"{short(names[order[place]], 18)}: {numbers[order[place]]:.3f}"
        write(ax, 1.02, y, text, transform=ax.get_yaxis_transform(), va="center")


def _average_lines(ax: Axes, averages: Mapping[str, float]) -> None:
    """Draw a vertical line for each average, named on top, one above the other."""
    known = {name: float(x) for name, x in averages.items() if math.isfinite(x)}
    for k, (name, x) in enumerate(known.items()):
        ax.axvline(x, color=(ink(), color(1))[k % 2], linestyle=("--", ":")[k % 2], linewidth=1.3)
        ax.annotate(
            f"{short(name)} {x:.3f}",
            (x, 1),
            xycoords=("data", "axes fraction"),
            xytext=(0, 2 + 11 * k),
            textcoords="offset points",
            ha="center",
            fontsize=SIZE - 1,
            color=(ink(), color(1))[k % 2],
            parse_math=False,
        )
    ax.set_title(ax.get_title(loc="left"), loc="left", fontsize=SIZE + 1.5, parse_math=False, pad=6 + 12 * len(known))


@answers_mistakes
def forest(differences: Sequence[Any], *, title: str = "", ax: Axes | None = None) -> Axes:
    """Return axes with differences of scores and their intervals; those that are clear are filled.

    Parameters
    ----------
    differences : sequence of Difference
        What ``ix.compare(…).differences`` holds.
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
    >>> both = ix.compare([0, 1] * 50, {"lr": [0, 1, 1, 0] * 25, "rf": [0, 1, 0, 0] * 25}, "accuracy", "micro")
    >>> ax = ix.plots.forest(both.differences)
    >>> [text.get_text() for text in ax.texts]
    ['0.25 [0.16, 0.34]']
    """
    ax = axes_for(ax, 7, 1.6 + 0.34 * min(max(len(differences), 2), 40))
    entitle(ax, title or "Differences of scores", "difference")
    if not differences:
        say(ax, "There are no differences: compare at least two classifiers.")
        return ax
    ax.axvline(0, color=ink(), linewidth=0.9)
    called = dict.fromkeys(name for d in differences for name in (d.first, d.second))
    called = dict(zip(called, labels([*called], 14), strict=True))
    names, size = [], SIZE - 0.5 if len(differences) <= 30 else 6.0
    for i, d in enumerate(differences):
        names.append(f"{called[d.first]} - {called[d.second]}, {short(d.score, 22)}")
        tint = color(0) if d.clear else FAINT
        if math.isfinite(d.low) and math.isfinite(d.high):
            ax.plot([d.low, d.high], [i, i], color=tint, linewidth=1.6, solid_capstyle="butt")
        if math.isfinite(d.value):
            ax.plot([d.value], [i], "o", color=tint, markerfacecolor=tint if d.clear else "none", markersize=6)
        text = show_interval(d.value, d.low, d.high) + ("" if math.isfinite(d.low) or math.isnan(d.value) else ", no interval")
        write(
            ax, 1.015, i, text, transform=ax.get_yaxis_transform(), va="center", fontsize=size, color=ink() if d.clear else FAINT
        )
    ends = [abs(x) for d in differences for x in (d.low, d.high, d.value) if math.isfinite(x)]
    wide = 1.08 * max([0.01, *ends])
    ax.set(xlim=(-wide, wide), ylim=(len(names) - 0.4, -0.6))
    ax.locator_params(axis="x", nbins=6)
    step = max(1, -(-len(names) // 50))
    ax.set_yticks(range(0, len(names), step), names[::step], fontsize=size, parse_math=False)
    ax.tick_params(axis="y", length=0)
    return ax


@answers_mistakes
def critical_differences(
    ranks: Mapping[str, float],
    groups: Sequence[Sequence[str]],
    *,
    difference: float = math.nan,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Return axes with mean ranks of classifiers; thick lines join those that are not told apart.

    Parameters
    ----------
    ranks : mapping
        The mean rank of each classifier; 1 is the best.
    groups : sequence of sequence of str
        The classifiers that a test does not tell apart.
    difference : float, optional
        The critical difference of mean ranks, drawn as a bar.
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
    >>> ax = ix.plots.critical_differences({"lr": 1.2, "rf": 1.8}, [("lr", "rf")], difference=0.9)
    >>> [text.get_text() for text in ax.texts]
    ['critical difference 0.900', 'lr 1.20', 'rf 1.80']
    """
    order = sorted(ranks, key=lambda name: ranks[name])
    k = max(len(order), 2)
    ax = axes_for(ax, 7, 1.7 + 0.24 * k + 0.1 * len(groups))
    entitle(ax, title or "Mean ranks over data sets, 1 is the best", "")
    ax.set(xlim=(0.75, k + 0.25), yticks=[], xticks=range(1, k + 1) if k <= 20 else range(1, k + 1, 5))
    ax.xaxis.set_ticks_position("top")
    ax.spines["left"].set_visible(False)
    ax.spines["bottom"].set_visible(False)
    ax.spines["top"].set_visible(True)
    bars = _levels([(ranks[group[0]], ranks[group[-1]]) for group in groups])
    depth = 0.6 * (1 + max(bars.values(), default=0))
    if math.isfinite(difference):
        right = min(1 + difference, k)
        ax.plot([1, right], [-0.5, -0.5], color=ink(), linewidth=1.2, marker="|")
        more = " (longer than the axis)" if 1 + difference > k else ""
        write(ax, right + 0.04 * k, -0.5, f"critical difference {difference:.3f}{more}", va="center", color=ink())
        depth += 0.8
    top = 0.8 if math.isfinite(difference) else 0.0
    for (start, end), level in bars.items():
        ax.plot([start - 0.03, end + 0.03], [-(top + 0.5 + 0.6 * level)] * 2, color=color(1), linewidth=4, solid_capstyle="butt")
    rows = spread([float(i) for i in range(len(order))], 1.0)
    for name, row in zip(order, rows, strict=True):
        y = -(depth + 0.7 + row)
        ax.plot([ranks[name]] * 2, [0, y], color=FAINT, linewidth=0.9, zorder=1)
        ax.plot([ranks[name]], [y], "o", color=color(0), markersize=4.5)
        left = ranks[name] > (k + 1) / 2
        x, text = ranks[name] + (-0.012 if left else 0.012) * k, f"{short(name)} {ranks[name]:.2f}"
        cover = {"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 0.6}  # of the lines behind the text
        write(ax, x, y, text, ha="right" if left else "left", va="center", bbox=cover)
    ax.set_ylim(-(depth + 1.2 + len(order)), 0)
    return ax


def _levels(spans: Sequence[tuple[float, float]]) -> dict[tuple[float, float], int]:
    """Return for each span the first level on which it overlaps no other."""
    placed: dict[tuple[float, float], int] = {}
    for span in sorted(spans):
        taken = {level for (start, end), level in placed.items() if start - 0.08 <= span[1] and span[0] <= end + 0.08}
        placed[span] = next(level for level in range(len(spans) + 1) if level not in taken)
    return placed
