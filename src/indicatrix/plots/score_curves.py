"""Curves of scores (ROC, PR, DET, cost, decision, lift, Brier), with what each is compared with.

Reliability: observed shares against predicted probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from ..words.call_mistakes import answers_mistakes
from .canvas import FAINT, SIZE, axes_for, color, entitle, line_style, say, short, tell, with_class, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes


RATES = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)  # ticks of error rates on normal axes
MOST_BANDS = 3  # curves together that each have a band; those of more would hide one another
MOST_CORNERS = 2000  # of a band
FINE = 400  # points along a curve that is not straight
NAMES = {"fpr": "false positive rate", "tpr": "true positive rate", "fnr": "false negative rate"}


@dataclass(frozen=True)
class DrawnCurve:
    """How a curve of this name is drawn."""

    title: str
    area: str = "area"
    corner: str = "upper right"  # where the names stand: the ends of curves meet
    unit_square: bool = False
    between: str = "lines"  # what joins two points: "lines"; "steps", at the height of the second; "odds", straight in the odds


KINDS = {
    "roc": DrawnCurve("ROC curve", "AUC", "lower right", unit_square=True),
    "roc hull": DrawnCurve("Convex hull of the ROC curve", "area", "lower right", unit_square=True),
    "pr": DrawnCurve("Precision and recall", "AP", "lower left", unit_square=True, between="steps"),
    "det": DrawnCurve("Detection error tradeoff", corner="upper right"),
    "lift": DrawnCurve("Lift", corner="upper right"),
    "cost curve": DrawnCurve("Cost curve", "expected cost", "upper left"),
    "decision curve": DrawnCurve("Decision curve", corner="upper right", between="odds"),
    "froc": DrawnCurve("Free-response ROC curve", "mean sensitivity", "lower right"),
    "threshold curve": DrawnCurve("At every threshold", corner="lower left"),
    "brier curve": DrawnCurve("Brier curve", "Brier score", "lower center"),
}


@answers_mistakes
def curves(
    given: Any, *, interval: float | bool = True, simultaneous: bool = False, title: str = "", ax: Axes | None = None
) -> Axes:
    """Return axes with one curve, or with several of the same kind by name, each with its area.

    ROC, precision-recall, DET (on normal axes), cost, decision, Brier and lift curves have their own reference lines. Up to three
    ROC or precision-recall curves have bands of pointwise intervals, as ``Curve.band`` gives them, and the axis says which.

    Parameters
    ----------
    given : Curve, Reliability or mapping
        A curve, or ``{"lr": curve, "rf": other}``; what ``ix.scores.reliability`` returns is a curve, too.
    interval : float or bool, default True
        The level of the bands, or False for none.
    simultaneous : bool, default False
        Whether each band is to hold at all points of its curve at once.
    title : str, optional
        The title. Default: the name of the curve and the positive class.
    ax : Axes, optional
        Where to draw. Default: a new figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Examples
    --------
    >>> import indicatrix as ix
    >>> swept = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> ax = ix.plots.curves({"lr": swept.roc()})
    >>> ax.get_title(loc="left"), [text.get_text() for text in ax.texts]
    ('ROC curve, positive class 1', ['chance', 'lr, AUC 0.750'])
    """
    named: dict[Any, Any] = dict(given) if isinstance(given, Mapping) else {"": given}
    if not named:
        raise ValueError("curves() needs at least one curve: curves(sweep.roc()), or a mapping from names to curves.")
    strange = [type(curve).__name__ for curve in named.values() if not hasattr(curve, "name") or not hasattr(curve, "unit")]
    if strange:
        raise TypeError(f"curves() draws what sweep.roc(), sweep.pr() or ix.scores.reliability(…) return, not {strange[0]}.")
    kinds = {curve.name for curve in named.values()}
    if len(kinds) > 1:
        raise ValueError(f"Curves of different kinds cannot share their axes: {', '.join(sorted(kinds))}. Draw each by itself.")
    first = next(iter(named.values()))
    unit = first.unit if len({str(curve.unit) for curve in named.values()}) == 1 else None
    if first.name == "reliability":
        return draw_reliabilities(named, interval=interval, title=title or with_class("Reliability", unit), ax=ax)
    kind = KINDS.get(first.name, DrawnCurve(first.name))
    ax = axes_for(ax, 4.8 if kind.unit_square or first.name == "det" else 5.6, 4.6 if kind.unit_square else 4.2)
    entitle(ax, title or with_class(kind.title, unit), *(NAMES.get(name, name) for name in first.axes))
    labels: list[tuple[Any, str, bool]] = []
    for k, (name, curve) in enumerate(named.items()):
        x, y = join_points(curve.x, curve.y, kind.between)
        style = "steps-pre" if kind.between == "steps" else "default"
        (line,) = ax.plot(x, y, **line_style(k), drawstyle=style, marker="o" if x.size == 1 else "")
        labels.append((line, _name(name, curve.area, kind, bool(x.size)), bool(x.size)))
    _references(ax, first, kind)
    _chance_of_precision(ax, named)
    _bands(ax, named, kind, interval, simultaneous)
    if not any(seen for _, _, seen in labels):
        say(ax, "Undefined: no point of the curve has a value.")
    elif not any(_is_in_view(ax, line) for line, *_ in labels):
        say(ax, "Nothing lies on this scale: at every threshold one of the two error rates is 0% or 100%.")
    _label_in_corner(ax, labels, kind.corner)
    return ax


def _chance_of_precision(ax: Axes, named: Mapping[Any, Any]) -> None:
    """Draw the precision of a ranking by chance, which is the share of positives.

    Where curves have several, each is drawn in the color of its curve.
    """
    heights = [curve.chance for curve in named.values()]
    known = {round(float(y), 12) for y in heights if y is not None and math.isfinite(y)}
    for k, y in enumerate(heights):
        if y is not None and math.isfinite(y) and (len(known) > 1 or k == 0):
            ax.axhline(y, linestyle=":", linewidth=1, zorder=1, color=FAINT if len(known) == 1 else color(k))
    if len(known) == 1:
        (y,) = known
        below = y > 0.12  # under the line, where the curve seldom is
        write(
            ax, 0.6, y - 0.01 if below else y + 0.01, f"chance {y:.3f}", color=FAINT, ha="center", va="top" if below else "bottom"
        )


def _bands(ax: Axes, named: Mapping[Any, Any], kind: DrawnCurve, interval: float | bool, simultaneous: bool) -> None:
    """Draw the band of each curve that has one, and say what it is."""
    shown = [(k, curve) for k, curve in enumerate(named.values()) if has_band(curve)]
    if interval is False or not shown or len(named) > MOST_BANDS:
        return
    for k, curve in shown:
        band = curve.band(0.95 if interval is True else interval, simultaneous=simultaneous)
        look: dict[str, Any] = {"color": color(k), "alpha": 0.15, "linewidth": 0, "zorder": 0.5}
        seen = np.flatnonzero(np.isfinite(band.y_low) & np.isfinite(band.x_low))
        seen = seen[np.unique(np.linspace(0, max(len(seen) - 1, 0), MOST_CORNERS).astype(int))] if len(seen) else seen
        if not len(seen):
            continue
        x_low, x_high, y_low, y_high = (side[seen] for side in (band.x_low, band.x_high, band.y_low, band.y_high))
        if kind.between == "steps":
            below, above = (np.append(side[0], side) for side in (y_low, y_high))
            ax.fill_between(np.append(0.0, x_low), below, above, step="pre", **look)
        else:  # from the upper left ends of both intervals to their lower right ends
            ax.fill(np.append(x_low, x_high[::-1]), np.append(y_high, y_low[::-1]), **look)
        if not ax.get_xlabel().count("\nband: "):
            tell(ax, f"band: {band.says}")


def has_band(curve: Any) -> bool:
    """Return whether a curve has a band."""
    return getattr(curve, "shares", None) is not None or getattr(curve, "measured", None) is not None


def join_points(x: Any, y: Any, between: str) -> tuple[Any, Any]:
    """Return the defined points of a curve, with what a line through them needs in between.

    >>> [numbers.tolist() for numbers in join_points([0, 0.5, 1], [math.nan, 0.5, 0.75], "steps")]
    [[0.0, 0.5, 1.0], [0.5, 0.5, 0.75]]
    """
    x, y = np.asarray(x, float), np.asarray(y, float)
    seen = np.isfinite(x) & np.isfinite(y)
    x, y = x[seen], y[seen]
    if between == "steps" and x.size:
        return np.append(0.0, x), np.append(y[0], y)
    if between == "odds" and x.size > 1:
        order = np.argsort(x, kind="stable")  # of the two values at a jump the first stays the first
        x, y = x[order], y[order]
        more = np.setdiff1d(np.linspace(x[0], x[-1], FINE), x)
        values = np.interp(more / (1 - more), x / (1 - x), y)
        order = np.argsort(np.append(x, more), kind="stable")
        return np.append(x, more)[order], np.append(y, values)[order]
    return x, y


def _is_in_view(ax: Axes, line: Any) -> bool:
    """Return whether a part of a line lies inside the axes: normal scales have no place for 0 and 1."""
    if line.get_xdata().size < 2:
        return True  # a marker
    return bool(line.get_transform().transform_path(line.get_path()).intersects_bbox(ax.bbox, filled=False))


def _name(name: Any, area: Any, kind: DrawnCurve, seen: bool) -> str:
    value = "" if area is None or not math.isfinite(area) else f"{kind.area} {area:.3f}"
    return ", ".join(filter(None, (short(name), value if seen else "undefined")))


def _references(ax: Axes, curve: Any, kind: DrawnCurve) -> None:
    """Draw what a curve is compared with, and set the limits."""
    faint: dict[str, Any] = {"color": FAINT, "linewidth": 1, "zorder": 1}
    if kind.unit_square:
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01))
        ax.set_aspect("equal")
    if curve.name in ("roc", "roc hull"):
        ax.plot([0, 1], [0, 1], linestyle=":", **faint)
        write(ax, 0.45, 0.41, "chance", color=FAINT, rotation=45, rotation_mode="anchor", va="top")
    elif curve.name == "lift":
        ax.axhline(1, linestyle=":", **faint)
        ax.set(xlim=(0, 1.02))
    elif curve.name == "cost curve":
        ax.plot([0, 0.5, 1], [0, 0.5, 0], linestyle=":", **faint)
        write(ax, 0.52, 0.5, "always the cheaper class", color=FAINT, va="center")
        ax.set(xlim=(0, 1), ylim=(0, 0.58 + 0.04 * len(ax.lines)))
    elif curve.name == "decision curve":
        _alternatives(ax, curve)
    elif curve.name == "det":
        _normal_axes(ax)
    elif curve.name == "brier curve":
        ax.set(xlim=(0, 1))


def _alternatives(ax: Axes, curve: Any) -> None:
    """Draw the benefits of treating all and none, and cut off what is far below them."""
    top = [float(np.nanmax(y, initial=0)) for y in (curve.y, *curve.also.values()) if np.size(y)]
    high = max([0.05, *top])
    for (name, some), dash in zip(curve.also.items(), ("--", ":"), strict=False):
        place, y = join_points(curve.x, some, "odds")
        ax.plot(place, y, color=FAINT, linestyle=dash, linewidth=1.2, zorder=1)
        inside = np.flatnonzero(y > -0.3 * high)
        if not inside.size:
            continue
        k = inside[9 * len(inside) // 10]  # far down, where the curve seldom is
        flat = (
            len(inside) == len(y) and y[0] == y[-1]
        )  # it never ends: its name stands at the left, or at the right if that is taken
        x = (1.0 if high <= 0.05 else 0.0) if flat else float(place[k])
        write(ax, x, float(y[k]), f" {name} ", color=FAINT, va="top", ha="right" if x == 1 else "left")
    ax.set(xlim=(0, 1), ylim=(-0.35 * high, 1.15 * high))


def _normal_axes(ax: Axes) -> None:
    """Give both axes the scale of normal quantiles, on which normal scores are straight lines."""
    normal = NormalDist()
    quantile = np.vectorize(lambda p: normal.inv_cdf(min(max(p, 1e-6), 1 - 1e-6)), otypes=[float])
    share = np.vectorize(normal.cdf, otypes=[float])
    rates = [x for line in ax.lines for data in (line.get_xdata(), line.get_ydata()) for x in np.asarray(data) if 0 < x < 1]
    low = min([0.05, *(0.8 * x for x in rates)])
    limits = (max(low, 1e-4), 0.995)
    ticks = [rate for rate in RATES if limits[0] <= rate <= limits[1]]
    ax.set_xscale("function", functions=(quantile, share))
    ax.set_yscale("function", functions=(quantile, share))
    ax.set(xlim=limits, ylim=limits)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(ticks, [f"{100 * rate:g}%" for rate in ticks])
        axis.set_ticks([], minor=True)
    ax.plot(limits, limits, color=FAINT, linestyle=":", linewidth=1, zorder=1)


def _label_in_corner(ax: Axes, labels: Sequence[tuple[Any, str, bool]], corner: Any) -> None:
    """Write the names of the curves one below the other in a free corner, with pieces of their lines."""
    shown = [(line, text) for line, text, _ in labels if text]
    if len(shown) == 1 and len(labels) == 1:
        vertical, horizontal = corner.split()
        x, y = {"left": 0.03, "right": 0.97, "center": 0.5}[horizontal], {"lower": 0.04, "upper": 0.96}[vertical]
        sides = {"ha": horizontal, "va": {"lower": "bottom", "upper": "top"}[vertical]}
        write(ax, x, y, shown[0][1], transform=ax.transAxes, color=shown[0][0].get_color(), fontsize=SIZE, **sides)
        return
    if not shown:
        return
    size = max(4.0, min(SIZE - 0.5, 100 / len(shown)))
    handles, names = zip(*shown, strict=True)
    made = ax.legend(handles, names, loc=corner, frameon=False, fontsize=size, handlelength=2.6)
    for (line, _), text in zip(shown, made.get_texts(), strict=True):
        text.set(color=line.get_color(), parse_math=False)


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
