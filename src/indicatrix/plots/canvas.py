"""Where plots are drawn: axes, colors and lines that also differ in gray, labels as plain text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ..report.grid import label, labels
from ..report.table_forms import Uncertain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito 2008, which color-blind readers tell apart. Next to each other they also differ in lightness or line style.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
LINES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (7, 1.5, 1.5, 1.5, 1.5, 1.5)))  # five to six colors: 30 combinations
SHADES = "Blues"  # from light to dark, in gray too
FAINT = "#8c8c8c"  # seen on white and on black
LONGEST = 26  # characters of a label
SMALLEST = 4.0  # points of a label that is still printed
SIZE = 9.0
MOST_NAMED = 60  # places along an axis that all have their name


def axes_for(ax: Axes | None, width: float = 5.2, height: float = 3.9) -> Axes:
    """Return the axes that were given, or those of a new figure that keeps all labels inside."""
    if ax is not None:
        return ax
    made: Axes = pyplot().subplots(figsize=(width, height), layout="constrained")[1]
    return made


def pyplot() -> Any:
    """Return matplotlib.pyplot, or say how to install it."""
    try:
        return import_module("matplotlib.pyplot")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        message = "Plots need matplotlib, which is not installed: pip install 'indicatrix[plots]'."
        raise ModuleNotFoundError(message, name=error.name) from None


def ink() -> str:
    """Return the color of texts in the style that is in use: black on white, white on black."""
    return str(import_module("matplotlib").rcParams["text.color"])


def entitle(ax: Axes, title: str, x: str = "", y: str = "") -> None:
    """Write the title and the names of the axes, as they are."""
    ax.set_title(short(title, 70), loc="left", fontsize=SIZE + 1.5, parse_math=False)
    ax.set_xlabel("\n".join(short(line, 70) for line in x.split("\n")), fontsize=SIZE, parse_math=False)
    ax.set_ylabel(short(y, 60), fontsize=SIZE, parse_math=False)
    ax.tick_params(labelsize=SIZE - 0.5)
    ax.spines[["top", "right"]].set_visible(False)


def with_class(title: str, unit: Any) -> str:
    """Return a title that names the class taken as positive, if there is one.

    >>> with_class("ROC curve", "ill"), with_class("ROC curve", None)
    ('ROC curve, positive class ill', 'ROC curve')
    """
    return title if unit is None else f"{title}, positive class {short(unit)}"


def tell(ax: Axes, text: str) -> None:
    """Write a line below the name of the horizontal axis."""
    ax.set_xlabel(f"{ax.get_xlabel()}\n{text}".lstrip("\n"), fontsize=SIZE, parse_math=False)


def short(name: Any, longest: int = LONGEST) -> str:
    """Return a label in one line that is not too long; "" stays empty."""
    return label(name, longest) if str(name) else ""


def write(ax: Axes, x: float, y: float, text: str, **how: Any) -> Any:
    """Write a text that is never read as a formula, such as one between two dollar signs."""
    return ax.text(x, y, text, **{"fontsize": SIZE - 0.5, "parse_math": False, **how})


def say(ax: Axes, text: str) -> None:
    """Write why there is nothing to see, in the middle."""
    cover = {"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 3}
    how: dict[str, Any] = {"ha": "center", "va": "center", "color": FAINT, "fontsize": SIZE, "bbox": cover}
    write(ax, 0.5, 0.5, "\n".join(wrap(text, 44)), transform=ax.transAxes, **how)


def name_ticks(axis: Any, names: Sequence[Any], *, size: float = SIZE, **how: Any) -> None:
    """Write the name of each place along an axis; of too many to read, every second, third, … one."""
    step = 1 if len(names) <= MOST_NAMED else -(-len(names) // (MOST_NAMED // 2))
    places = [*range(0, len(names), step)]
    axis.set_ticks(places, labels([names[k] for k in places], LONGEST), fontsize=size, parse_math=False, **how)


def color(k: int) -> str:
    """Return the color of the line or of the points with this number."""
    return COLORS[k % len(COLORS)]


def line_style(k: int) -> dict[str, Any]:
    """Return color and line style of the line with this number; the first 30 are all different."""
    return {"color": color(k), "linestyle": LINES[k % len(LINES)], "linewidth": 1.8}


def show_interval(value: float, low: float, high: float) -> str:
    """Return a value with its interval, with the digits that the width supports.

    "undefined" without a value.
    """
    return "undefined" if math.isnan(value) else str(Uncertain(value, low, high))


def tell_undefined(ax: Axes, lost: Sequence[Any], effect: str = "") -> None:
    """Name below the axes what has no value, and so no line or no part in a mean."""
    if lost:
        named = ", ".join(short(name) for name in lost[:4]) + (f" and {len(lost) - 4} more" if len(lost) > 4 else "")
        said = f"undefined, {effect}: {named}" if effect else f"undefined: {named}"
        tell(ax, said)


def label_ends(ax: Axes, ends: Sequence[tuple[float, float, str, str]]) -> None:
    """Write names at the ends of lines, (x, y, text, color), moved apart where they would overlap.

    The limits of the axes must be final.
    """
    if not ends:
        return
    height = ax.get_window_extent().height / ax.figure.dpi * 72  # points
    size = max(SMALLEST, min(SIZE - 0.5, 0.9 * height / (1.35 * len(ends))))
    to_axes = ax.transData + ax.transAxes.inverted()
    ends = sorted(ends, key=lambda end: end[1])
    wanted = [float(to_axes.transform((x, y))[1]) for x, y, *_ in ends]
    placed = spread(wanted, 1.35 * size / height)
    right = max(x for x, *_ in ends)
    for (*_, text, tint), y in zip(ends, placed, strict=True):
        x = float(to_axes.transform((right, 0))[0])
        ax.annotate(
            text,
            (x, y),
            xycoords="axes fraction",
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            color=tint,
            fontsize=size,
            parse_math=False,
            annotation_clip=False,
        )


def spread(wanted: Sequence[float], gap: float) -> list[float]:
    """Return ascending places that are at least a gap apart, each group of neighbors around its mean.

    >>> spread([0.5, 0.5, 0.9], 0.1)
    [0.45, 0.55, 0.9]
    """
    blocks: list[list[float]] = []  # where a block is centered, and how many places are in it
    for place in wanted:
        blocks.append([place, 1])
        while len(blocks) > 1 and blocks[-1][0] - blocks[-2][0] < gap * (blocks[-1][1] + blocks[-2][1]) / 2:
            (two, m), (one, k) = blocks.pop(), blocks.pop()
            blocks.append([(one * k + two * m) / (k + m), k + m])
    return [round(center + (i - (count - 1) / 2) * gap, 12) for center, count in blocks for i in range(int(count))]
