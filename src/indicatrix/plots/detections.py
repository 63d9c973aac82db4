"""Objects in pictures, found, false or missed; and what each kind of error costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ..words.call_mistakes import answers_mistakes
from .canvas import FAINT, SIZE, axes_for, color, entitle, ink, name_ticks, say, short, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# What a line means is told by its color, its style and its name in the legend.
LOOKS: dict[str, dict[str, Any]] = {
    "found": {"edgecolor": color(2), "linestyle": "-"},
    "false": {"edgecolor": color(1), "linestyle": "--"},
    "missed": {"edgecolor": color(5), "linestyle": ":"},
    "ignored": {"edgecolor": FAINT, "linestyle": "-."},
}
LARGEST = 1200  # pixels of a side that are drawn


@answers_mistakes
@dataclass(frozen=True, eq=False)
class Outline:
    """One object in a picture: the corners of its outline, the points in it, or its pixels.

    Attributes
    ----------
    corners : array
        The corners around it, (k, 2), in pixels from the left and from the top.
    text : str
        What is written at its first corner.
    points : array, optional
        Points that are marked, (k, 2).
    mask : array, optional
        The pixels that belong to it, as large as the picture.
    """

    corners: Any
    text: str = ""
    points: Any = None
    mask: Any = None


@answers_mistakes
def objects(
    outlines: Mapping[str, Sequence[Outline]],
    picture: Any = None,
    *,
    size: tuple[float, float] | None = None,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Return axes with a picture and the objects in it, each kind with its own color and line.

    Parameters
    ----------
    outlines : mapping
        Objects by what they are: "found", "false", "missed" or "ignored".
    picture : array, optional
        Gray, (height, width), or colors, (height, width, 3 or 4). Default: a blank background.
    size : (float, float), optional
        The height and the width of the ground, if there is no picture.
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
    >>> import numpy as np
    >>> import indicatrix as ix
    >>> box = ix.plots.Outline([[2, 2], [8, 2], [8, 8], [2, 8]], "cat 0.90")
    >>> ax = ix.plots.objects({"found": [box]}, np.zeros((10, 10)))
    >>> [text.get_text() for text in ax.texts]
    ['cat 0.90']
    """
    unknown = [name for name in outlines if name not in LOOKS]
    if unknown:
        raise ValueError(f"Objects cannot be {unknown[0]!r} here; they are {', '.join(map(repr, LOOKS))}.")
    ax = axes_for(ax, 4.8, 4.4)
    high, wide = _ground(ax, outlines, picture, size)
    entitle(ax, title or "Objects")
    for name, some in outlines.items():
        for one in some:
            _draw(ax, one, LOOKS[name], (high, wide))
    ax.set(xlim=(0, wide), ylim=(high, 0), xticks=[], yticks=[], aspect="equal")
    ax.spines[:].set_visible(picture is None)
    _explain(ax, [name for name, some in outlines.items() if len(some)])
    return ax


def _ground(ax: Axes, outlines: Mapping[str, Sequence[Outline]], picture: Any, size: Any) -> tuple[float, float]:
    """Draw the picture, and return the height and the width of the plot."""
    if picture is None:
        corners = [np.asarray(one.corners, float).reshape(-1, 2) for some in outlines.values() for one in some]
        far = np.concatenate([*corners, np.ones((1, 2))]).max(axis=0) * 1.05
        return (float(far[1]), float(far[0])) if size is None else (float(size[0]), float(size[1]))
    array = np.asarray(picture)
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 3, 4)):
        raise ValueError(f"A picture of shape {array.shape} cannot be drawn. Give (height, width) or (height, width, 3).")
    step = max(1, -(-max(array.shape[:2]) // LARGEST))
    shown = array[::step, ::step].squeeze()
    if shown.dtype.kind in "fiu" and shown.ndim == 3 and float(np.max(shown, initial=0)) > 1:
        shown = np.clip(shown, 0, 255).astype(np.uint8)
    ax.imshow(shown, cmap="gray", extent=(0, array.shape[1], array.shape[0], 0))
    return float(array.shape[0]), float(array.shape[1])


def _draw(ax: Axes, one: Outline, look: dict[str, Any], size: tuple[float, float]) -> None:
    patches, effects = import_module("matplotlib.patches"), import_module("matplotlib.patheffects")
    corners = np.asarray(one.corners, float).reshape(-1, 2)
    halo = [effects.Stroke(linewidth=3.2, foreground="black", alpha=0.5), effects.Normal()]  # seen on any picture
    if one.mask is not None:
        mask = np.asarray(one.mask, bool)
        ax.contour(
            np.pad(mask, 1).astype(float),
            [0.5],
            colors=[look["edgecolor"]],
            linewidths=1.4,
            linestyles=look["linestyle"],
            extent=(-1, mask.shape[1] + 1, -1, mask.shape[0] + 1),
        )
    elif len(corners):
        ax.add_patch(patches.Polygon(corners, fill=False, linewidth=1.8, path_effects=halo, **look))
    if one.points is not None and len(one.points):
        ax.plot(*np.asarray(one.points, float).T, "o", color=look["edgecolor"], markersize=3.5, markeredgecolor="black")
    if one.text and len(corners):
        x, y = np.clip(corners.min(axis=0), 0, [size[1], size[0]])
        ground = {"facecolor": look["edgecolor"], "edgecolor": "none", "pad": 1.0, "alpha": 0.85}
        write(ax, x, y, short(one.text), ha="left", va="bottom", color="black", fontsize=SIZE - 2, bbox=ground, clip_on=True)


def _explain(ax: Axes, names: Sequence[str]) -> None:
    """Name the kinds of lines below the picture."""
    if not names:
        say(ax, "There is no object and no prediction in it.")
        return
    lines = import_module("matplotlib.lines")
    handles = [lines.Line2D([], [], color=LOOKS[n]["edgecolor"], linestyle=LOOKS[n]["linestyle"], linewidth=1.8) for n in names]
    ax.legend(handles, names, loc="upper left", bbox_to_anchor=(0, 0), ncols=len(names), frameon=False, fontsize=SIZE - 1)


@answers_mistakes
def errors(
    kinds: Sequence[str],
    counts: Sequence[int],
    costs: Sequence[float],
    *,
    ap: float = math.nan,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Return axes with what each kind of error costs in average precision, and how many there are.

    Parameters
    ----------
    kinds : sequence of str
        The kinds of errors.
    counts : sequence of int
        How many there are of each.
    costs : sequence of float
        By how much average precision would rise without them.
    ap : float, optional
        The average precision with all errors, to be written.
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
    >>> ax = ix.plots.errors(["duplicate", "missed"], [3, 5], [0.02, 0.1], ap=0.6)
    >>> [text.get_text() for text in ax.texts]
    ['+0.020, 3 errors', '+0.100, 5 errors']
    """
    ax = axes_for(ax, 5.8, 1.5 + 0.36 * max(len(kinds), 2))
    known = "" if math.isnan(ap) else f", which is {ap:.3f}"
    entitle(ax, title or "What each kind of error costs", f"rise of average precision without these errors{known}")
    if not len(kinds):
        say(ax, "There are no errors.")
        return ax
    values = np.asarray(costs, float)
    seen = np.where(np.isfinite(values), values, 0)
    ax.barh(range(len(kinds)), seen, height=0.68, color=color(1))
    ax.axvline(0, color=ink(), linewidth=0.8)
    for k, (cost, many) in enumerate(zip(values.tolist(), counts, strict=True)):
        text = "undefined" if math.isnan(cost) else f"{cost:+.3f}"
        text += f", {many:,} {'error' if many == 1 else 'errors'}"
        write(ax, 1.015, k, text, transform=ax.get_yaxis_transform(), va="center", color=ink() if many else FAINT)
    high, low = max(float(seen.max(initial=0)), 1e-3), min(float(seen.min(initial=0)), 0.0)
    ax.set(xlim=(low * 1.05, high * 1.05), ylim=(len(kinds) - 0.4, -0.6))
    name_ticks(ax.yaxis, kinds)
    ax.tick_params(axis="y", length=0)
    return ax
