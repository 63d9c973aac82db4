"""Heat maps: the confusion matrix, ranks of classifiers, and how far scores agree about them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ..report.grid import show
from ..words.call_mistakes import answers_mistakes
from .canvas import FAINT, SHADES, SIZE, axes_for, entitle, ink, name_ticks, say, short, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WITH_TEXT = 16  # rows and columns up to which every cell has its number


@answers_mistakes
def confusion(matrix: Any, classes: Sequence[Any], *, shares: Any = None, title: str = "", ax: Axes | None = None) -> Axes:
    """Return axes with a confusion matrix, rows true: numbers as texts, shares as shades.

    Parameters
    ----------
    matrix : array
        The numbers that are written: counts, or shares.
    classes : sequence
        The names of the rows and columns.
    shares : array, optional
        The numbers in [0, 1] that are shaded, nan where they are undefined. Default: ``matrix`` divided by its largest entry.
    title : str, optional
        The title. Default: "Confusion matrix".
    ax : Axes, optional
        Where to draw. Default: a new figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ax = ix.plots.confusion([[3, 1], [0, 4]], ["ant", "bee"])
    >>> ax.get_title(loc="left"), [text.get_text() for text in ax.texts]
    ('Confusion matrix', ['3', '1', '0', '4'])
    """
    written = np.asarray(matrix, float)
    size = min(3.4 + 0.34 * len(classes), 8.5)
    ax = axes_for(ax, size + 0.8, size)
    shaded = written / max(np.max(written, initial=0), 1e-300) if shares is None else np.asarray(shares, float)
    bar = "share of the true class" if shares is not None else "share of the largest entry"
    if shares is not None and np.array_equal(written, shaded, equal_nan=True):
        bar = "share"  # of what, the title says
    _shade(ax, shaded, 0, 1, written, show_count, bar)
    entitle(ax, title or "Confusion matrix", "predicted", "true")
    _name(ax, classes, classes)
    return ax


@answers_mistakes
def ranks(places: Any, scores: Sequence[Any], names: Sequence[Any], *, title: str = "", ax: Axes | None = None) -> Axes:
    """Return axes with the rank of each classifier (columns) by each score (rows), 1 for the best.

    Parameters
    ----------
    places : array
        The ranks; nan where a score does not rank a classifier.
    scores, names : sequence
        The names of the rows and of the columns.
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
    >>> ax = ix.plots.ranks([[1, 2], [2, 1]], ["macro f1", "macro mcc"], ["lr", "rf"])
    >>> [text.get_text() for text in ax.texts]
    ['1', '2', '2', '1']
    """
    values = np.asarray(places, float).reshape(len(scores), len(names))
    ax = axes_for(ax, 3.2 + 0.5 * min(len(names), 16), 1.8 + 0.3 * min(len(scores), 24))
    _shade(ax, -values, -max(len(names), 2), -1, values, lambda x: show(x) if math.isnan(x) else f"{x:g}", "")
    entitle(ax, title or "Rank by each score, 1 is the best")
    _name(ax, scores, names)
    return ax


@answers_mistakes
def agreement(taus: Any, scores: Sequence[Any], *, title: str = "", ax: Axes | None = None) -> Axes:
    """Return axes with Kendall's tau between the orders of classifiers by every two scores.

    Parameters
    ----------
    taus : array
        Square; 1 for the same order, -1 for the reverse order, nan where a score ties all classifiers.
    scores : sequence
        The names of the scores.
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
    >>> ax = ix.plots.agreement([[1, -0.5], [-0.5, 1]], ["macro f1", "micro f1"])
    >>> [text.get_text() for text in ax.texts]
    ['1.00', '-0.50', '-0.50', '1.00']
    """
    values = np.asarray(taus, float)
    size = 3 + 0.42 * min(len(scores), 16)
    ax = axes_for(ax, size + 1.2, size)
    _shade(ax, values, -1, 1, values, lambda x: show(x) if math.isnan(x) else f"{x:.2f}", "Kendall's tau")
    entitle(ax, title or "Do scores agree on the order? Kendall's tau")
    _name(ax, scores, scores)
    return ax


def show_count(x: float) -> str:
    """Return the number of a cell: a count, or a share with two digits."""
    if math.isnan(x):
        return "–"
    return f"{x:,.0f}" if float(x).is_integer() and x < 1e5 else f"{x:.3g}" if x >= 1 else f"{x:.2f}"


def _shade(ax: Axes, shades: Any, low: float, high: float, written: Any, text: Any, bar: str) -> None:
    """Draw a heat map with its numbers, hatched where something is undefined.

    With many cells, a color bar instead.
    """
    rows, columns = shades.shape
    if not shades.size:
        say(ax, "There are no classes.")
        return
    many = max(rows, columns) > WITH_TEXT
    # Of many classes, the few that are confused with one another are seen only if small shares are darker.
    norm = import_module("matplotlib.colors").PowerNorm(0.4 if many and low == 0 else 1, low, high)
    image = ax.imshow(shades, norm=norm, cmap=SHADES, aspect="auto" if rows != columns else "equal")
    ax.set_facecolor("none")
    for across, span in ((1, ax.axhspan), (0, ax.axvspan)) if max(rows, columns) <= 200 else ():
        for i in np.flatnonzero(np.isnan(shades).all(axis=across)):
            span(i - 0.5, i + 0.5, facecolor="none", edgecolor=FAINT, hatch="////", linewidth=0, alpha=0.45)
    if many:
        if bar:
            made = ax.figure.colorbar(image, ax=ax, shrink=0.8)
            made.set_label(bar, fontsize=SIZE)
            made.ax.tick_params(labelsize=SIZE - 0.5)
        return
    size = SIZE if max(rows, columns) <= 8 else SIZE - 2.5
    for (i, j), shade in np.ndenumerate(shades):
        dark = not math.isnan(shade) and (shade - low) / (high - low) > 0.6
        tint = "white" if dark else ink() if math.isnan(shade) else "black"
        write(ax, j, i, text(written[i, j]), ha="center", va="center", color=tint, fontsize=size)


def _name(ax: Axes, rows: Sequence[Any], columns: Sequence[Any]) -> None:
    size = SIZE - 0.5 if max(len(rows), len(columns)) <= 24 else 6.0
    longest = max((len(short(name)) for name in columns), default=0)
    turned = {"rotation": 90} if longest * len(columns) > 24 else {}
    name_ticks(ax.yaxis, rows, size=size)
    name_ticks(ax.xaxis, columns, size=size, **turned)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
