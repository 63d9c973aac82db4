"""How all figures look: fonts, colours that colour-blind readers can tell apart, labels at lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito 2008, in an order that also steps in lightness.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e5e5e5",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "lines.linewidth": 1.6,
    "lines.markersize": 4,
    "figure.constrained_layout.use": True,
    "savefig.bbox": "tight",
    "svg.hashsalt": "indicatrix",  # the same figure gives the same file
    "svg.fonttype": "path",
}


@contextmanager
def style() -> Iterator[None]:
    """Draw and save in the style of the experiments."""
    from matplotlib import rc_context

    with rc_context(STYLE):
        yield


def canvas(columns: int = 1, rows: int = 1, *, width: float = 6.4, height: float = 3.6, **options: Any) -> tuple[Figure, Any]:
    """Return a new figure and its axes; options are those of matplotlib's subplots."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    return figure, figure.subplots(rows, columns, **options)


def label_ends(axes: Axes, ends: list[tuple[float, str, str]], *, gap: float = 0.045) -> None:
    """Write names at the right end of lines, (height, text, colour), without overlaps.

    The gap is a share of the axis; call this when the limits of the axis are final.
    """
    low, high = axes.get_ylim()
    for height, (_, text, colour) in zip(_apart([end[0] for end in sorted(ends)], gap * (high - low)), sorted(ends), strict=True):
        axes.annotate(
            text,
            (1, height),
            xycoords=axes.get_yaxis_transform(),
            xytext=(4, 0),
            textcoords="offset points",
            color=colour,
            va="center",
            annotation_clip=False,
        )


def _apart(heights: list[float], least: float) -> list[float]:
    """Return sorted heights moved to distances of at least ``least``, each crowd staying about its mean.

    >>> _apart([0.0, 0.0, 1.0], 0.2)
    [-0.1, 0.1, 1.0]
    """
    crowds: list[list[float]] = []
    for height in heights:
        crowds.append([height])
        while len(crowds) > 1 and _ends(crowds[-2], least)[1] + least > _ends(crowds[-1], least)[0]:
            last = crowds.pop()
            crowds[-1] += last
    return [_ends(crowd, least)[0] + least * k for crowd in crowds for k in range(len(crowd))]


def _ends(crowd: list[float], least: float) -> tuple[float, float]:
    mean, half = sum(crowd) / len(crowd), least * (len(crowd) - 1) / 2
    return mean - half, mean + half
