"""Which classifier dominates which, by the convex hulls of their ROC curves.

One classifier dominates another if its hull is nowhere below: it is then at least as good for all costs and all shares of
positives (Provost & Fawcett 2001).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any

from ...words.call_mistakes import answers_mistakes
from ..curves.curve import Curve
from ..curves.several_curves import Point, corners_of_hull, hull_of
from .sweep import Sweep


@answers_mistakes
@dataclass(frozen=True, eq=False)
class RocDominance:
    """Which classifiers dominate which, and who is best where.

    Attributes
    ----------
    hull : Curve
        The convex hull of all ROC curves. ``.also["classifier"]`` names who reaches each corner (None at the two ends, which
        every classifier reaches), ``.also["cost from"]`` and ``["cost to"]`` are the probability costs at which it is best.
    dominates : tuple of (str, str)
        The pairs of which the first is nowhere below the second and somewhere above.
    crossings : mapping
        For each pair where neither dominates, the false positive rates at which their hulls cross.
    same : tuple of (str, str)
        The pairs that have the same hull.
    best_somewhere : tuple of str
        The classifiers that reach a corner of the hull and are not dominated: each is best for some costs and shares.
    """

    hull: Curve
    dominates: tuple[tuple[str, str], ...]
    crossings: Mapping[tuple[str, str], tuple[float, ...]]
    same: tuple[tuple[str, str], ...]
    best_somewhere: tuple[str, ...]

    def __str__(self) -> str:
        said = [f"{a} dominates {b}." for a, b in self.dominates]
        said += [f"{a} and {b} have the same hull." for a, b in self.same]
        for (a, b), where in self.crossings.items():
            said.append(f"{a} and {b} cross at false positive rate {', '.join(f'{x:.3g}' for x in where)}.")
        return " ".join((*said, f"Best somewhere: {', '.join(self.best_somewhere) or 'none'}."))


@answers_mistakes
def roc_dominance(sweeps: Mapping[str, Any], unit: Any = None, *, average: str | None = None) -> RocDominance:
    """Return which classifiers dominate which, by the convex hulls of their ROC curves.

    One dominates another if its hull is nowhere below, and somewhere above.

    Hulls are compared exactly: rates are quotients of counts. The data of the classifiers may differ, as their rates need not
    be of the same examples.

    Parameters
    ----------
    sweeps : mapping
        The name of each classifier with its sweep, as ``ix.sweep`` makes it.
    unit : label, optional
        The class whose column of scores is taken. Optional where there is a positive class.
    average : str, optional
        "micro" pools all columns. It takes the place of ``unit``.

    Returns
    -------
    RocDominance
        ``.dominates``, ``.crossings``, ``.best_somewhere`` and ``.hull``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> y = [0, 0, 0, 1, 1, 1]
    >>> a, b = ix.sweep(y, [0.1, 0.2, 0.8, 0.4, 0.7, 0.9]), ix.sweep(y, [0.1, 0.6, 0.8, 0.4, 0.7, 0.9])
    >>> print(ix.scores.roc_dominance({"a": a, "b": b}))
    a dominates b. Best somewhere: a.
    """
    if not isinstance(sweeps, Mapping) or not sweeps or not all(isinstance(s, Sweep) for s in sweeps.values()):
        raise TypeError(
            "Give a mapping of names and sweeps, as in ix.scores.roc_dominance({'a': ix.sweep(y, p), 'b': ix.sweep(y, q)})."
        )
    coarse = [str(name) for name, swept in sweeps.items() if swept.bits is not None]
    if coarse:
        raise ValueError(
            f"{coarse[0]!r} keeps bins of scores, and a ROC curve may rise inside a bin. Sweep the scores themselves."
        )
    rankings = {str(name): swept.ranking(unit, average) for name, swept in sweeps.items()}
    for name, ranking in rankings.items():
        if not ranking.tpos or not ranking.tneg:
            raise ValueError(f"{name!r} has no ROC curve: there are {ranking.tpos:g} positives and {ranking.tneg:g} negatives.")
    corners = {name: corners_of_hull(ranking) for name, ranking in rankings.items()}
    order = {pair: _compare(corners[pair[0]], corners[pair[1]]) for pair in permutations(corners, 2)}
    dominates = tuple(pair for pair, (above, below, _) in order.items() if above and not below)
    names = list(corners)
    crossings = {(a, b): order[a, b][2] for i, a in enumerate(names) for b in names[i + 1 :] if order[a, b][0] and order[a, b][1]}
    same = tuple((a, b) for i, a in enumerate(names) for b in names[i + 1 :] if not any(order[a, b][:2]))
    hull = hull_of(rankings)
    best = {
        (x, y) for x, y, owner in zip(hull.x.tolist(), hull.y.tolist(), hull.also["classifier"], strict=True) if owner is not None
    }
    dominated = {b for _, b in dominates}  # who dominates them reaches the corners that they reach
    reached = {name: {(float(x), float(y)) for x, y in points} & best for name, points in corners.items()}
    return RocDominance(
        hull, dominates, crossings, same, tuple(name for name in names if reached[name] and name not in dominated)
    )


def _compare(one: list[Point], two: list[Point]) -> tuple[bool, bool, tuple[float, ...]]:
    """Return whether one hull is somewhere above the other, somewhere below, and where they cross."""
    xs = sorted({x for x, _ in (*one, *two)})
    above = [_height(one, x) - _height(two, x) for x in xs]
    crossings, side = [], 0
    for k, d in enumerate(above):
        now = (d > 0) - (d < 0)
        if now and side and now != side:
            back = next(j for j in range(k - 1, -1, -1) if above[j])
            zero = xs[back] - above[back] * (xs[back + 1] - xs[back]) / (above[back + 1] - above[back])
            crossings.append(float(zero))
        side = now or side
    return any(d > 0 for d in above), any(d < 0 for d in above), tuple(crossings)


def _height(corners: list[Point], x: Fraction) -> Fraction:
    """Return the height of a hull at a false positive rate."""
    k = bisect_right(corners, (x, Fraction(2))) - 1
    (x0, y0) = corners[k]
    if x == x0:
        return y0
    x1, y1 = corners[k + 1]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
