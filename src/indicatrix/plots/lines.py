"""Lines: curves of scores, measures against the threshold, risk against coverage, scores against a prior."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from .canvas import FAINT, SIZE, axes_for, colour, entitle, label_ends, line_style, say, short, tell_undefined, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RATES = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)  # ticks of error rates on normal axes
NAMES = {"fpr": "false positive rate", "tpr": "true positive rate", "fnr": "false negative rate"}


@dataclass(frozen=True)
class Kind:
    """How a curve of this name is drawn."""

    title: str
    area: str = "area"
    corner: str = "upper right"  # where the names stand: the ends of curves meet
    unit_square: bool = False


KINDS = {
    "roc": Kind("ROC curve", "AUC", "lower right", unit_square=True),
    "pr": Kind("Precision and recall", "AP", "lower left", unit_square=True),
    "det": Kind("Detection error tradeoff", corner="upper right"),
    "lift": Kind("Lift", corner="upper right"),
    "cost curve": Kind("Cost curve", "expected cost", "upper left"),
    "decision curve": Kind("Decision curve", corner="upper right"),
    "brier curve": Kind("Brier curve", "Brier score", "lower center"),
}


def curves(given: Any, *, title: str = "", ax: Axes | None = None) -> Axes:
    """Return axes with one curve, or with several of the same kind by name, each with its area.

    ROC, precision-recall, DET (on normal axes), cost, decision, Brier and lift curves have their own reference lines.

    Parameters
    ----------
    given : Curve or mapping
        A curve, or ``{"lr": curve, "rf": other}``.
    title : str, optional
        The title; what the curve is, if left out.
    ax : Axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    Axes
        The axes with the plot.

    Examples
    --------
    >>> import indicatrix as ix
    >>> swept = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> ax = ix.plots.curves({"lr": swept.roc()})
    >>> [text.get_text() for text in ax.texts]
    ['chance', 'lr, AUC 0.750']
    """
    named: dict[Any, Any] = dict(given) if isinstance(given, Mapping) else {"": given}
    if not named:
        raise ValueError("curves() needs at least one curve: curves(sweep.roc()), or a mapping from names to curves.")
    kinds = {curve.name for curve in named.values()}
    if len(kinds) > 1:
        raise ValueError(f"Curves of different kinds cannot share their axes: {', '.join(sorted(kinds))}. Draw each by itself.")
    first = next(iter(named.values()))
    kind = KINDS.get(first.name, Kind(first.name))
    ax = axes_for(ax, 4.8 if kind.unit_square or first.name == "det" else 5.6, 4.6 if kind.unit_square else 4.2)
    entitle(ax, title or kind.title, *(NAMES.get(name, name) for name in first.axes))
    labels = []
    for k, (name, curve) in enumerate(named.items()):
        x, y = np.asarray(curve.x, float), np.asarray(curve.y, float)
        seen = np.isfinite(x) & np.isfinite(y)
        (line,) = ax.plot(x[seen], y[seen], **line_style(k), drawstyle="default")
        labels.append((line, _name(name, curve.area, kind, bool(seen.any()))))
    _references(ax, first, kind)
    if not any(len(line.get_xdata()) for line, _ in labels):
        say(ax, "Undefined: no point of the curve has a value.")
    _label_in_corner(ax, labels, kind.corner)
    return ax


def thresholds(
    at: Any,
    values: Mapping[str, Any],
    *,
    best: Mapping[str, tuple[float, float]] | None = None,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Return axes with measures against the threshold; a score at or above it is predicted positive.

    Parameters
    ----------
    at : array
        The thresholds, from +inf down.
    values : mapping
        For each measure its value at each threshold; nan where it is undefined.
    best : mapping, optional
        For each measure the threshold and the value that are marked, usually the best ones.
    title : str, optional
        The title.
    ax : Axes, optional
        Where to draw; a new figure if left out.

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
    entitle(ax, title or "Measures at every threshold", "threshold", "value")
    ends = []
    for k, (name, some) in enumerate(values.items()):
        x, y = place[kept][order], np.asarray(some, float)[kept][order]
        y = np.where(np.isfinite(y), y, np.nan)
        ax.plot(x, y, **line_style(k), drawstyle="steps-pre")
        seen = np.flatnonzero(np.isfinite(y))
        text = short(name)
        if best and name in best and math.isfinite(best[name][1]):
            threshold, top = best[name]
            text += f", best {top:.3f} at {threshold:.4g}"
            if math.isfinite(threshold):
                ax.plot([threshold], [top], "o", color=colour(k), markersize=5)
        if seen.size:
            ends.append((float(x[seen[-1]]), float(y[seen[-1]]), text, colour(k)))
    tell_undefined(ax, [name for name, some in values.items() if not np.isfinite(np.asarray(some, float)[kept]).any()])
    if not ends:
        say(ax, "Undefined: no measure has a value at any threshold.")
    _label_outside(ax, ends)
    return ax


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
        Where to draw; a new figure if left out.

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
    write(ax, 0.02, 0.97, text, transform=ax.transAxes, va="top", color=colour(0))
    return ax


def drift(
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
        Where to draw; a new figure if left out.

    Returns
    -------
    Axes
        The axes with the plot.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ax = ix.plots.drift([0.1, 0.5, 0.9], {"micro": [0.6, 0.7, 0.8], "macro": [0.7, 0.7, 0.7]}, now=0.3, name="ant")
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
        ax.plot(x[seen], y[seen], **line_style(k))
        if seen.size:
            ends.append((float(x[seen[-1]]), float(y[seen[-1]]), short(text), colour(k)))
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


def _name(name: Any, area: Any, kind: Kind, seen: bool) -> str:
    value = "" if area is None or not math.isfinite(area) else f"{kind.area} {area:.3f}"
    return ", ".join(filter(None, (short(name), value if seen else "undefined")))


def _references(ax: Axes, curve: Any, kind: Kind) -> None:
    """Draw what a curve is compared with, and set the limits."""
    faint = {"color": FAINT, "linewidth": 1, "zorder": 1}
    if kind.unit_square:
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01))
        ax.set_aspect("equal")
    if curve.name == "roc":
        ax.plot([0, 1], [0, 1], linestyle=":", **faint)
        write(ax, 0.45, 0.41, "chance", color=FAINT, rotation=45, rotation_mode="anchor", va="top")
    elif curve.name == "lift":
        ax.axhline(1, linestyle=":", **faint)
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
    for (name, y), dash in zip(curve.also.items(), ("--", ":"), strict=False):
        ax.plot(curve.x, y, color=FAINT, linestyle=dash, linewidth=1.2, zorder=1)
        inside = np.flatnonzero(np.asarray(y) > -0.3 * high)
        if not inside.size:
            continue
        k = inside[len(inside) // 2]
        flat = (
            len(inside) == len(y) and y[0] == y[-1]
        )  # it never ends: its name stands at the left, or at the right if that is taken
        x = (1.0 if high <= 0.05 else 0.0) if flat else float(curve.x[k])
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


def _label_in_corner(ax: Axes, labels: Any, corner: str) -> None:
    """Write the names of the curves, one below the other, each with a piece of its line, in a free corner."""
    shown = [(line, text) for line, text in labels if text]
    if len(shown) == 1 and len(labels) == 1:
        vertical, horizontal = corner.split()
        x, y = {"left": 0.03, "right": 0.97, "center": 0.5}[horizontal], {"lower": 0.04, "upper": 0.96}[vertical]
        sides = {"ha": horizontal, "va": {"lower": "bottom", "upper": "top"}[vertical]}
        write(ax, x, y, shown[0][1], transform=ax.transAxes, color=shown[0][0].get_color(), fontsize=SIZE, **sides)
        return
    if not shown:
        return
    size = max(4.0, min(SIZE - 0.5, 100 / len(shown)))
    made = ax.legend(*zip(*shown, strict=True), loc=corner, frameon=False, fontsize=size, handlelength=2.6)
    for (line, _), text in zip(shown, made.get_texts(), strict=True):
        text.set(color=line.get_color(), parse_math=False)


def _label_outside(ax: Axes, ends: Any) -> None:
    """Write names right of the axes, next to the ends of the lines."""
    right = max((x for x, *_ in ends), default=0.0)
    ax.margins(x=0.01)
    ax.set_xlim(*ax.get_xlim())
    ax.set_ylim(*ax.get_ylim())
    edge = ax.get_xlim()[1]
    label_ends(ax, [(edge if x >= right else x, y, text, tint) for x, y, text, tint in ends])
