"""Level lines of a measure as a small picture: which results have the same value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from contourpy import contour_generator

import indicatrix as ix
from indicatrix.theory.formula.measure_notes import has_property

SIZE = 200  # of the plane, in pixels
GRID = np.linspace(0, 1, 61)
EXAMPLES = 1000
SHARES = (0.5, 0.1)  # of positives, where they matter
LINES = 8  # about
NEAR = 0.4  # pixels: points of a line that lie closer to a straight one are left out
APART = 18  # pixels between two numbers
Points = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Plane:
    """Two rates that stand for a result, and the counts that have them."""

    across: str
    up: str
    counts: Callable[[Points, Points, float], ix.Counts]
    best: tuple[int, int]  # the corner of perfect results


def _of_precision(recall: Points, precision: Points, share: float) -> ix.Counts:
    tp = EXAMPLES * share * recall
    with np.errstate(divide="ignore", invalid="ignore"):
        fp = np.where(precision > 0, tp * (1 - precision) / precision, np.nan)
    tn = np.full_like(tp, EXAMPLES * (1 - share))  # it does not matter here
    return ix.Counts(tp, fp, EXAMPLES * share - tp, tn)


def _of_rates(fpr: Points, tpr: Points, share: float) -> ix.Counts:
    positives, negatives = EXAMPLES * share, EXAMPLES * (1 - share)
    return ix.Counts(positives * tpr, negatives * fpr, positives * (1 - tpr), negatives * (1 - fpr))


PRECISION = Plane("recall", "precision", _of_precision, (1, 1))
ROC = Plane("false positive rate", "recall", _of_rates, (0, 1))


def pictures(measure: ix.Measure) -> tuple[str, str]:
    """Return the level lines of a measure as SVG, and a sentence on them; both may be empty.

    >>> svg, words = pictures(ix.f1)
    >>> svg.count("<svg"), len(svg) < 15_000, words
    (1, True, 'Results on one line have the same value of f1, whatever the share of positives.')
    """
    plane, shares, where = _view(measure)
    drawn = [(share, _lines(measure, plane, share)) for share in shares]
    panels = [_panel(plane, lines, _title(share, len(shares)), measure) for share, lines in drawn if lines]
    return "".join(panels), f"Results on one line have the same value of {measure}{where}." if panels else ""


def _view(measure: ix.Measure) -> tuple[Plane, tuple[float, ...], str]:
    """Return in which plane the lines lie, for which shares of positives, and this in words."""
    scale = has_property(measure, "scale_free")
    of = "" if scale else f", among {EXAMPLES:,} examples"
    if _ignores_negatives(measure):
        return PRECISION, SHARES[1:], ", whatever the share of positives" if scale else f"{of}, {SHARES[1]:.0%} of them positive"
    if has_property(measure, "skew_invariant") and scale:
        return ROC, SHARES[:1], ", whatever the share of positives"
    return ROC, SHARES, f"{of}; the share of positives moves the lines"


def _ignores_negatives(measure: ix.Measure) -> bool:
    tn = np.array([1.0, 7.0, 300.0])
    values = measure.values(ix.Counts(np.full(3, 5.0), np.full(3, 3.0), np.full(3, 4.0), tn))
    return bool(values[0] == values[1] == values[2])


def _title(share: float, panels: int) -> str:
    return f"{share:.0%} positive" if panels > 1 else ""


def _lines(measure: ix.Measure, plane: Plane, share: float) -> list[tuple[float, list[Points]]]:
    """Return the levels with their lines, in pixels."""
    x, y = np.meshgrid(GRID, GRID)
    with np.errstate(all="ignore"):
        z = np.asarray(measure.values(plane.counts(x, y, share)), dtype=float)
    z = np.ma.masked_invalid(z)
    if z.count() < z.size / 4:
        return []
    found = contour_generator(x * SIZE, (1 - y) * SIZE, z)
    lines = ((level, [_simpler(line) for line in found.lines(level)]) for level in _levels(z.compressed()))
    return [(level, [line for line in some if _length(line) > 4]) for level, some in lines if some]


def _levels(values: Points) -> list[float]:
    """Return round numbers between low and high values, or powers of ten where these lie far apart.

    >>> _levels(np.linspace(0, 1, 99)), _levels(np.logspace(-3, 3, 99))
    ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], [0.01, 0.1, 1.0, 10.0, 100.0])
    """
    low, high = np.quantile(values, (0.02, 0.98))
    if not high - low > 1e-9 * abs(high):
        return []
    if low > 0 and high / low > 1000:
        first, last = math.floor(math.log10(low)) + 1, math.ceil(math.log10(high))
        step = max(1, round((last - first) / LINES))
        return [float(10.0**k) for k in range(first, last, step)]
    rough = (high - low) / LINES
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(k * unit for k in (1, 2, 5, 10) if k * unit >= rough * 0.8)
    return [round(k * step, 12) for k in range(math.floor(low / step) + 1, math.ceil(high / step))]


def _length(line: Points) -> float:
    return float(np.hypot(*np.diff(line, axis=0).T).sum())


def _simpler(line: Points) -> Points:
    """Return a line without the points that lie nearly on the straight line between those that stay."""
    if len(line) < 3:
        return line
    (x, y), (dx, dy) = line[0], line[-1] - line[0]
    away = line[1:-1] - (x, y)
    length = math.hypot(dx, dy)
    far = abs(away[:, 0] * dy - away[:, 1] * dx) / length if length else np.hypot(*away.T)
    worst = int(far.argmax())
    if far[worst] <= NEAR:
        return line[[0, -1]]
    return np.concatenate([_simpler(line[: worst + 2])[:-1], _simpler(line[worst + 1 :])])


def _panel(plane: Plane, lines: list[tuple[float, list[Points]]], title: str, measure: ix.Measure) -> str:
    paths, numbers, taken = [], [], list[Points]()
    for i, (level, some) in enumerate(lines):
        shade = 0.35 + 0.65 * (i + 1) / len(lines)
        paths.append(f'<path d="{"".join(map(_path, some))}" stroke-opacity="{shade:.2f}"/>')
        for at in _places(some):
            if all(np.hypot(*(at - other)) > APART for other in taken):
                taken.append(at)
                numbers.append(f'<text x="{at[0]:.0f}" y="{at[1] + 3:.0f}">{_number(level)}</text>')
                break
    said = f"Level lines of {measure.name}: {plane.up} against {plane.across}{f', {title}' if title else ''}"
    x, y = plane.best[0] * SIZE, (1 - plane.best[1]) * SIZE
    return (
        f'<svg class="levels" viewBox="-34 -24 {SIZE + 52} {SIZE + 62}" role="img" aria-label="{said}">'
        f'<rect width="{SIZE}" height="{SIZE}"/><g class="lines">{"".join(paths)}</g>'
        f'<circle cx="{x}" cy="{y}" r="4"/><g class="numbers">{"".join(numbers)}</g>'
        f'<g class="axes"><text x="0" y="{SIZE + 14}">0</text><text x="{SIZE}" y="{SIZE + 14}">1</text>'
        f'<text x="{SIZE / 2}" y="{SIZE + 30}">{plane.across}</text><text x="-8" y="{SIZE}">0</text><text x="-8" y="6">1</text>'
        f'<text transform="translate(-18 {SIZE / 2}) rotate(-90)">{plane.up}</text>'
        f'<text x="{SIZE / 2}" y="-10">{title}</text></g></svg>'
    )


def _path(line: Points) -> str:
    (x, y), *rest = line.round(1)
    return f"M{x:g} {y:g}" + "".join(f"L{x:g} {y:g}" for x, y in rest)


def _places(lines: list[Points]) -> Iterator[Points]:
    """Yield where the number of a level may stand: on the longest line, near its middle first."""
    if not lines:
        return
    line = max(lines, key=_length)
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    for share in (0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9):
        at = share * along[-1]
        yield np.array([np.interp(at, along, line[:, k]) for k in (0, 1)])


def _number(level: float) -> str:
    return f"{level:g}".replace("-", "−")
