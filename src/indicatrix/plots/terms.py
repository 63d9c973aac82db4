"""Terms of a score: the gap between two averages step by step, and scores above their floors."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..words.call_mistakes import answers_mistakes
from .canvas import FAINT, SIZE, axes_for, color, entitle, ink, name_ticks, say, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
