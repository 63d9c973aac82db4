"""Curves of a ranking, as named arrays; each point belongs to a threshold (prop:roc, errata A16)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.numbers.functions import ratio
from ...ranking.ranked import Ranked
from ...words.call_mistakes import answers_mistakes
from ...words.wording import short
from .curve_band import Band, Shares, band_of, measured_band
from .roc_areas import cost_envelope


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class Curve:
    """Points (x, y), the threshold of each, and the area if one is defined.

    Further arrays of the same length are in ``also``.

    Attributes
    ----------
    name : str
        The name of the curve.
    x, y : array
        The points.
    thresholds : array
        The threshold of each point.
    axes : tuple of str
        What x and y are.
    area : float or None
        The area under the curve, if one is defined.
    also : mapping
        Further arrays of the same length, by name.
    unit : label or None
        The class whose scores these are, taken as positive; None of all classes pooled or averaged.
    chance : float or None
        The height of a ranking by chance where that is one number: of precision the share of positives.
    shares : Shares or None
        How many examples x and y are shares of; None where no interval follows, as with sample weights.
    measured : callable or None
        What makes the band of a measure at each threshold; None of other curves.
    """

    name: str
    x: Array
    y: Array
    thresholds: Array
    axes: tuple[str, str]  # what x and y are
    area: float | None = None
    also: Mapping[str, Array] = field(default_factory=dict)
    unit: Any = None
    chance: float | None = None
    shares: Shares | None = None
    measured: Callable[[float, bool], Band] | None = None  # the band of a measure, from a level and whether it holds at once

    def __len__(self) -> int:
        return len(self.x)

    def band(self, level: float = 0.95, *, simultaneous: bool = False) -> Band:
        """Return between which values each point of a curve is expected to lie.

        The intervals are Wilson's, of the two rates of a ROC curve or of the precision at each threshold; a curve of a measure
        and a decision curve have those of ``ev.interval``.

        Parameters
        ----------
        level : float, default 0.95
            In which share of samples the intervals of a point are to cover its true place.
        simultaneous : bool, default False
            Whether the intervals of all points hold at once, which makes them wider.

        Returns
        -------
        Band
            ``x_low``, ``x_high``, ``y_low`` and ``y_high``, each of the length of the curve.

        Examples
        --------
        >>> import indicatrix as ix
        >>> band = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc().band()
        >>> band.y_low.round(2).tolist(), band.y_high.round(2).tolist()
        ([0.0, 0.08, 0.08, 0.29, 0.29], [0.71, 0.92, 0.92, 1.0, 1.0])
        """
        if self.measured is not None:
            return self.measured(level, simultaneous)
        if self.shares is None:
            raise ValueError(
                f"This {self.name.removesuffix(' curve')} curve has no band: bands are of ROC, precision-recall and decision "
                "curves and of measures at thresholds, of one class without sample weights, whose examples are independent."
            )
        return band_of(self.name, self.x, self.y, self.shares, level, simultaneous=simultaneous)

    def plot(
        self, label: str = "", *, interval: float | bool = True, simultaneous: bool = False, title: str = "", ax: Any = None
    ) -> Any:
        """Return axes with the curve, drawn with matplotlib; ``ix.plots.curves`` draws several together.

        Parameters
        ----------
        label : str, optional
            The name of the curve.
        interval : float or bool, default True
            The level of the band around the curve, where it has one, or False for none.
        simultaneous : bool, default False
            Whether the band is to hold at all points at once.
        title : str, optional
            The title. Default: what is drawn.
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ax = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc().plot()
        >>> ax.get_title(loc="left"), ax.get_ylabel()
        ('ROC curve, positive class 1', 'true positive rate')
        >>> print(ax.get_xlabel())
        false positive rate
        band: 95% of both rates at each threshold (Wilson)
        """
        from ...plots import curves

        return curves({label: self}, interval=interval, simultaneous=simultaneous, title=title, ax=ax)

    def _repr_html_(self) -> str:
        from html import escape

        from ...report.notebook import fragment, sketch

        said = escape(repr(self).strip("<>"))
        also = {name: some.tolist() for name, some in self.also.items()} if self.name == "decision curve" else {}
        return fragment([f"<div>{said}</div>", sketch(self.name, self.x.tolist(), self.y.tolist(), self.axes, also)])

    def __repr__(self) -> str:
        area = "" if self.area is None else f", area {self.area:.6g}"
        return f"<Curve: {self.name}, {self.axes[1]} against {self.axes[0]}, {len(self)} points{area}>"


def roc(ranking: Ranked, *, simplify: bool | str = False) -> Curve:
    """Return false and true positive rate at every threshold; the area is AUC.

    The curve runs from (0, 0) at the threshold +inf to (1, 1). A rate is nan where there is no negative, or no positive.
    ``simplify`` leaves out points on the line between their neighbors, which changes neither the curve nor its area; "steps"
    leaves out only those between two equal steps, as scikit-learn does.

    >>> import indicatrix as ix
    >>> curve = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc()
    >>> curve.x.tolist(), curve.y.tolist(), curve.area
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], 0.75)
    """
    shares = None if ranking.weighted else Shares(ranking.tneg, ranking.tpos, (ranking.tp, ranking.fp))
    return Curve("roc", *roc_points(ranking, simplify), ("fpr", "tpr"), ranking.auc, shares=shares)


def roc_points(ranking: Ranked, simplify: bool | str = False) -> tuple[Array, Array, Array]:
    """Return false and true positive rates, and the thresholds."""
    if simplify not in (False, True, "steps"):
        raise ValueError(f"simplify={simplify!r}: give True, False, or 'steps' for points between two equal steps.")
    if not simplify:
        return *_rates(ranking), ranking.thresholds
    kept = _unequal_steps(ranking) if simplify == "steps" else _corners(ranking)
    fpr, tpr = _share(ranking.fp[kept], ranking.tneg), _share(ranking.tp[kept], ranking.tpos)
    return fpr, tpr, ranking.thresholds[kept]


def pr(ranking: Ranked, *, simplify: bool = False) -> Curve:
    """Return recall and precision at every threshold.

    At +inf nothing is predicted, and precision is nan. The area is average precision: steps, not trapezoids. ``simplify`` keeps,
    of the thresholds with one recall, the highest and the lowest.

    >>> import indicatrix as ix
    >>> curve = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).pr()
    >>> curve.x.tolist(), curve.y.round(2).tolist()
    ([0.0, 0.5, 0.5, 1.0, 1.0], [nan, 1.0, 0.5, 0.67, 0.5])
    """
    kept = _pr_kept(ranking, simplify)
    chance = float(_share(ranking.tpos, ranking.tpos + ranking.tneg))
    shares = None if ranking.weighted else Shares(None, ranking.climb[1][kept], (ranking.tp, ranking.fp))
    area = ranking.average_precision
    return Curve("pr", *pr_points(ranking, simplify), ("recall", "precision"), area, chance=chance, shares=shares)


def pr_points(ranking: Ranked, simplify: bool = False) -> tuple[Array, Array, Array]:
    """Return recalls, precisions and the thresholds."""
    kept = _pr_kept(ranking, simplify)
    tp, predicted = (x[kept] for x in ranking.climb)
    return _share(tp, ranking.tpos), _share(tp, predicted), ranking.thresholds[kept]


def _pr_kept(ranking: Ranked, simplify: bool) -> Any:
    """Return which thresholds a precision-recall curve keeps."""
    return np.append(0, 1 + _ends_of_runs(ranking.tp[1:])) if simplify else slice(None)


def det(ranking: Ranked, *, simplify: bool = False, trim: bool = False) -> Curve:
    """Return false positive and false negative rate at every threshold.

    They are the axes of a detection error tradeoff. ``simplify`` keeps, of the thresholds with one false negative rate, the
    highest and the lowest. ``trim`` starts at the last threshold without false positives, and ends at the first without false
    negatives: beyond these only one of the two errors grows.

    >>> import indicatrix as ix
    >>> ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).det().y.tolist()
    [1.0, 0.5, 0.5, 0.0, 0.0]
    """
    tp, fp = ranking.tp, ranking.fp
    kept: Any = _ends_of_runs(tp) if simplify else slice(None)
    if trim:
        start, stop = np.searchsorted(fp[kept], 0, "right") - 1, np.searchsorted(tp[kept], tp[-1]) + 1
        kept = (np.arange(len(tp)) if isinstance(kept, slice) else kept)[start:stop]
    fpr, fnr = _share(fp, ranking.tneg), _share(ranking.fn, ranking.tpos)
    return Curve("det", fpr[kept], fnr[kept], ranking.thresholds[kept], ("fpr", "fnr"))


def lift(ranking: Ranked) -> Curve:
    """Return the share of examples predicted positive, and precision over prevalence.

    Recall is in ``also["gain"]``. At +inf nothing is predicted, and the lift is nan.

    >>> import indicatrix as ix
    >>> ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).lift().y.round(2).tolist()
    [nan, 2.0, 1.0, 1.33, 1.0]
    """
    predicted, total = ranking.tp + ranking.fp, ranking.tpos + ranking.tneg
    prevalence = _share(ranking.tpos, total)
    with quiet():
        gained = ratio(_share(ranking.tp, predicted), prevalence)
    names = ("share predicted positive", "lift")
    return Curve("lift", _share(predicted, total), gained, ranking.thresholds, names, also={"gain": _rates(ranking)[1]})


def cost_curve(ranking: Ranked) -> Curve:
    """Return the least normalized expected cost over all thresholds, against probability cost.

    It is the lower envelope of the costs of the thresholds (Drummond, Holte). At probability cost p the cost of a threshold is
    fnr p + fpr (1 - p). The envelope is straight between its points, each with the threshold that is best from there on; its
    area is the expected cost under a uniform p.

    >>> import indicatrix as ix
    >>> curve = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).cost_curve()
    >>> curve.x.round(3).tolist(), curve.y.round(3).tolist(), curve.thresholds.tolist()
    ([0.0, 0.5, 1.0], [0.0, 0.25, 0.0], [0.8, 0.35, 0.35])
    """
    names = ("probability cost", "normalized expected cost")
    if not ranking.tpos or not ranking.tneg:
        nothing = np.full(2, np.nan)
        return Curve("cost curve", np.array([0.0, 1.0]), nothing, nothing, names, np.nan)
    corner, fpr, fnr, x = cost_envelope(ranking.tp, ranking.fp)
    best = np.append(np.arange(len(corner)), len(corner) - 1)  # the corner from each point on
    keep = np.append(np.diff(x) > 0, True)  # a corner may be best at a single point
    x, best = x[keep], best[keep]
    best[-1] = best[-2]
    y = fnr[best] * x + fpr[best] * (1 - x)
    return Curve("cost curve", x, y, ranking.thresholds[corner][best], names, trapezoids(x, y))


def decision_curve(ranking: Ranked, *, at: Any = None, prevalence: float | None = None) -> Curve:
    """Return net benefit tp/n - fp/n p/(1 - p) where a probability >= p is treated (Vickers).

    ``prevalence`` is that of the population, where positives and negatives were sampled apart (a case-control study). The
    benefits of treating all and none are in ``also``. ``at`` are the p, in [0, 1). By default, the curve starts at 0 and jumps at
    every distinct score below 1, which therefore occurs twice in x: with the benefit at it, and just above it. Between two
    scores the counts stay, so the benefit is straight in the odds p/(1 - p).

    >>> import indicatrix as ix
    >>> curve = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).decision_curve(at=[0.2, 0.5])
    >>> curve.y.tolist(), curve.also["treat all"].tolist()
    ([0.4375, 0.25], [0.375, 0.0])
    """
    _check_probabilities(ranking, "A decision curve")
    try:
        p, k = _jumps(ranking) if at is None else (np.asarray(at).astype(np.float64, casting="same_kind"), None)
    except (TypeError, ValueError):
        raise TypeError(f"at={short(at)}: threshold probabilities are a list of numbers in [0, 1).") from None
    bad = ~((p >= 0) & (p < 1))
    if p.ndim != 1 or bad.any():
        where = f"at[{int(bad.argmax())}] = {p[bad][0]}" if p.ndim == 1 else f"at has {p.ndim} dimensions"
        raise ValueError(f"{where}: threshold probabilities are a list of numbers in [0, 1).")
    k = ranking.count_reaching(p) if k is None else k
    odds, sides = p / (1 - p), (ranking.tpos, ranking.tneg)
    share = None if prevalence is None else _check_share(prevalence)

    def benefit(places: Any, tp: Any, fp: Any, positives: Any, negatives: Any) -> Array:
        if share is None:
            total = positives + negatives
            return np.asarray(_share(tp, total) - _share(fp, total) * odds[places])
        return np.asarray(share * _share(tp, positives) - (1 - share) * _share(fp, negatives) * odds[places])

    reached = ranking.tp[k], ranking.fp[k]
    everyone = benefit(slice(None), *sides, *sides)
    names = ("threshold probability", "net benefit")
    also = {"treat all": everyone, "treat none": np.zeros(len(p))}
    band = None if ranking.weighted else measured_band(p, *reached, sides, benefit, "the net benefit")
    return Curve("decision curve", p, benefit(slice(None), *reached, *sides), p, names, also=also, measured=band)


def _check_share(prevalence: Any) -> float:
    if isinstance(prevalence, bool) or not isinstance(prevalence, int | float | np.number) or not 0 < prevalence < 1:
        raise ValueError(f"prevalence={short(prevalence)} must be the share of positives in the population, between 0 and 1.")
    return float(prevalence)


def _jumps(ranking: Ranked) -> tuple[Array, Array]:
    """Return 0, every score below 1 twice, and a last number below 1; and how many scores reach each.

    The second time a score counts as just above itself.
    """
    places = np.unique(np.append(ranking.scores[ranking.scores < 1], 0.0))
    last = max(0.99, (1 + float(places[-1])) / 2)
    reached = ranking.count_reaching(places)
    beyond = np.append(reached[1:], np.count_nonzero(ranking.scores >= 1))  # just above each place, up to the next
    k = np.append(np.stack([reached, beyond], axis=1).ravel(), beyond[-1])
    first = int(reached[0] == beyond[0])  # no score is 0, so nothing jumps there
    return np.append(np.repeat(places, 2), last)[first:], k[first:]


def brier_curve(ranking: Ranked) -> Curve:
    """Return the loss 2 (c fp + (1 - c) fn)/n against the cost proportion c.

    A probability >= c is predicted positive. The loss jumps at every score, which therefore occurs twice in x, and is straight
    in between; the area is the Brier score (Hernández-Orallo, Flach, Ferri).

    >>> import indicatrix as ix
    >>> round(ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).brier_curve().area, 6)  # (0.1² + 0.4² + 0.65² + 0.2²)/4
    0.158125
    """
    _check_probabilities(ranking, "A Brier curve")
    ascending = ranking.scores[::-1]
    x = np.concatenate(([0.0], np.repeat(ascending, 2), [1.0]))
    k = np.repeat(np.arange(len(ascending), -1, -1), 2)  # how many distinct scores are predicted positive
    total = ranking.tpos + ranking.tneg
    y = 2 * (x * _share(ranking.fp[k], total) + (1 - x) * _share(ranking.fn[k], total))
    return Curve("brier curve", x, y, x, ("cost proportion", "loss"), trapezoids(x, y))


def _share(part: Any, whole: Any) -> Any:
    """Return a quotient of counts as float64; nan where there is nothing."""
    return ratio(np.asarray(part, np.float64), np.asarray(whole, np.float64))


def _rates(ranking: Ranked) -> tuple[Array, Array]:
    return _share(ranking.fp, ranking.tneg), _share(ranking.tp, ranking.tpos)


def trapezoids(x: Array, y: Array) -> float:
    """Return the area under points that straight lines join."""
    areas = np.diff(x) * (y[1:] + y[:-1])
    return float(areas.sum() / 2)


def _check_probabilities(ranking: Ranked, what: str) -> None:
    if ranking.bits is not None:
        raise ValueError(f"{what} needs every score, and bins keep their lowest and highest one. Sweep the scores themselves.")
    some = ranking.scores
    if len(some) and not (some[0] <= 1 and some[-1] >= 0):
        odd = some[0] if some[0] > 1 else some[-1]
        raise ValueError(f"{what} needs probabilities, numbers from 0 to 1; there is a score {odd}. Calibrate the scores first.")


def _corners(ranking: Ranked) -> Array:
    """Return the ends, and the points where the ROC curve turns."""
    up, right = (np.diff(x) for x in (ranking.tp, ranking.fp))
    turns = up[1:] * right[:-1] != up[:-1] * right[1:]  # at most positives times negatives, which int64 holds
    return np.flatnonzero(np.concatenate(([True], turns, [True] if len(up) else [])))


def _unequal_steps(ranking: Ranked) -> Array:
    """Return the ends, and the points that do not lie between two equal steps."""
    bends = [np.diff(x[1:], 2) != 0 for x in (ranking.tp, ranking.fp)]
    if len(ranking.tp) < 4:
        return np.arange(len(ranking.tp))
    return np.flatnonzero(np.concatenate(([True, True], bends[0] | bends[1], [True])))


def _ends_of_runs(values: Array) -> Array:
    """Return the first and the last place of each run of equal values, and of the whole."""
    changed = np.diff(values) != 0
    return np.flatnonzero(np.append(True, changed) | np.append(changed, True)) if len(values) else np.zeros(0, np.intp)
