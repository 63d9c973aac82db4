"""Differences between classifiers: with intervals, and as mean ranks over data sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..report.grid import labels
from ..words.call_mistakes import answers_mistakes
from .canvas import FAINT, SIZE, axes_for, color, entitle, ink, say, short, show_interval, spread, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
