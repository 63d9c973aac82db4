"""The family of average precision, as formulas of steps (errata A15).

Steps are anything with ``tp`` and ``fp`` along its last axis.

The H-measure: the expected loss of the best thresholds under a distribution of costs.

It is a fixed one, a Beta distribution.

A formula of steps, as those of areas are: see ``roc_areas``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.numbers.exact import as_written
from ...algebra.numbers.functions import ratio
from ...ranking.rank_sums import mean_precision, precision_at_steps
from ...ranking.ranked import Ranked
from .ranked_units import area, check_missed, check_thresholds, steps_at
from .roc_areas import upper_hull

GRIDS = {"11-point": 10, "101-point": 100}  # how many parts of the recall axis the points enclose
INTERPOLATIONS = ("step", "envelope", *GRIDS, "coco", "trapezoid")
COCO_GRID = np.linspace(0, 1, 101)  # the recalls of COCO's program, of which some are a little above i/100


@area("buckley2000", thresholds=check_thresholds, missed=check_missed)
def average_precision(steps: Any, *, interpolation: str = "step", thresholds: Any = None, missed: Any = 0) -> Any:
    """Return the average precision over recall, by one of six definitions.

    ``interpolation`` names the definition; they give different numbers:

    - "step": the sum over thresholds of the precision there times the recall that it adds, as in scikit-learn.
    - "envelope": the same with the best precision at this recall or a higher one, as in PASCAL VOC since 2010.
    - "11-point" and "101-point": the mean of that at recalls 0, 0.1, …, 1 (VOC 2007) or 0, 0.01, …, 1 (COCO's grid).
    - "coco": "101-point" with the rounding of COCO's own program, which misses recalls of exactly 0.35, 0.41 and eight others.
    - "trapezoid": the area under lines that join the points, from recall 0 and precision 1.

    Examples with equal scores are taken together. The area is undefined without positives, and 1 without negatives.
    ``thresholds=`` is a grid for "step", a list or a number of thresholds from 0 to 1, as in torchmetrics: each of them adds
    its recall, and what is below the lowest adds nothing. ``missed=`` is how many further positives have no score, such as
    objects that a detector never proposes: they count in recall, and no threshold finds them. For classes or groups it is a
    mapping, ``missed={"cat": 3}``.

    >>> import indicatrix as ix
    >>> y, scores = [0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5]
    >>> ix.average_precision(y, scores), ix.average_precision(y, scores, interpolation="envelope")
    (0.5888888888888889, 0.6444444444444444)
    >>> ix.average_precision(y, scores, missed=3)  # of six positives, three have no score
    0.29444444444444445
    """
    if isinstance(missed, Mapping):
        raise TypeError(f"missed={missed!r} names classes or groups, and this is one ranking. Give a number.")
    if interpolation == "step" and thresholds is None and not missed:
        # Of a ranking the same number, by rank sums where there are no weights; on a device its rows stay there.
        return steps.average_precision if isinstance(steps, Ranked) else mean_precision(steps.tp, steps.fp)
    total = steps.tp[..., -1] + (as_written(missed) if steps.tp.dtype == object else missed)
    if thresholds is not None:
        if interpolation != "step":
            raise ValueError(f"thresholds= is a grid for interpolation='step', not for {interpolation!r}. Leave one of them out.")
        tp, fp = steps_at(steps, thresholds)
        added = np.diff(tp, prepend=np.zeros_like(tp[..., :1]))
        return ratio((added * precision_at_steps(tp, fp)).sum(axis=-1), total)
    tp, precision = steps.tp, precision_at_steps(steps.tp, steps.fp)
    if interpolation == "step":
        return ratio((np.diff(tp) * precision[..., 1:]).sum(axis=-1), total)
    if interpolation == "trapezoid":
        predicted = tp[..., :-1] + steps.fp[..., :-1]
        before = np.where(predicted == 0, 1, precision[..., :-1])  # the curve starts at precision 1
        twice = (np.diff(tp) * (precision[..., 1:] + before)).sum(axis=-1)
        return ratio(twice, 2 * total)
    best = np.maximum.accumulate(precision[..., ::-1], axis=-1)[..., ::-1]
    if interpolation == "envelope":
        return ratio((np.diff(tp) * best[..., 1:]).sum(axis=-1), total)
    parts = GRIDS.get(interpolation, len(COCO_GRID) - 1)
    passed = (_grid_index if interpolation in GRIDS else _coco_index)(tp, np.asarray(total)[..., None], parts)
    summed = best[..., 0] + (np.diff(passed) * best[..., 1:]).sum(axis=-1)
    return ratio(summed, (parts + 1) * (total > 0))


def _grid_index(tp: Array, total: Array, parts: int) -> Array:
    """Return the highest i with recall >= i/parts at each threshold."""
    scaled = tp * parts
    below = scaled // np.where(total == 0, 1, total)
    return np.asarray(below + ((below + 1) * total <= scaled))  # weights round, but not so that the last recall is below 1


def _coco_index(tp: Array, total: Array, parts: int) -> Array:
    """Return the last recall of COCO's grid that is reached at each threshold, in its floating point."""
    recall = np.asarray(tp, np.float64) / np.where(total == 0, 1, total).astype(np.float64)
    return np.searchsorted(COCO_GRID, recall, "right") - 1


def check_interpolation(interpolation: Any) -> None:
    """Refuse a definition of average precision that does not exist."""
    if interpolation not in INTERPOLATIONS:
        raise ValueError(f"interpolation={interpolation!r} is unknown. Choose from {', '.join(map(repr, INTERPOLATIONS))}.")


def _at(values: Array, index: Any) -> Any:
    """Return one value of each curve."""
    return np.take_along_axis(values, np.asarray(index)[..., None], axis=-1)[..., 0]


@area("davis2006")
def auprc(steps: Any) -> Any:
    """Return the area under the precision-recall curve of mixtures of thresholds.

    The curve goes through every point that a mixture reaches. Between two thresholds, false positives grow in proportion to
    true positives (Davis & Goadrich 2006), which makes precision a hyperbola of recall, and the area its exact integral.
    Straight lines promise precisions that no mixture of the two thresholds has;
    ``average_precision(interpolation="trapezoid")`` draws them. Undefined without positives.

    >>> import indicatrix as ix
    >>> round(ix.measures.auprc([0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5]), 6)
    0.485034
    """
    tp, fp = (np.asarray(x, np.float64) for x in (steps.tp, steps.fp))
    here, gained = tp[..., :-1], np.diff(tp)
    predicted, more = here + fp[..., :-1], gained + np.diff(fp)
    start = here / np.where(predicted > 0, predicted, 1)  # the precision where the stretch begins
    added = gained / np.where(more > 0, more, 1)  # the precision of what comes in
    share = _one_less_log(more / np.where(predicted > 0, predicted, 1))
    mean = np.where(predicted > 0, added * share + start * (1 - share), added)
    return ratio((gained * mean).sum(axis=-1), tp[..., -1])


def _one_less_log(u: Array) -> Array:
    """Return 1 - log(1 + u)/u, by its series where the difference would lose digits."""
    near = u < 0.01
    small, large = np.where(near, u, 0.0), np.where(near, 1.0, u)
    series = sum((-1) ** k * small ** (k - 1) / k for k in range(2, 10))
    return np.where(near, series, 1 - np.log1p(large) / large)


@area("buckley2000")
def r_precision(steps: Any) -> Any:
    """Return the precision of the k highest scores, where k is the number of positives.

    It is the recall as well. Where equal scores straddle the cut, it is the expected value over the orders of the tied examples.
    With weights, k is the weight of the positives, and an example at the cut counts in part. Undefined without positives.

    >>> import indicatrix as ix
    >>> ix.measures.r_precision([0, 1, 1, 0], [0.9, 0.8, 0.5, 0.5])  # of the first two, one is positive
    0.5
    >>> ix.measures.r_precision([0, 1, 1, 0], [0.9, 0.5, 0.5, 0.1])  # and here the second, whichever of the two it is
    0.5
    """
    tp, predicted = steps.tp, steps.tp + steps.fp
    k, last = tp[..., -1], tp.shape[-1] - 1
    cut = np.clip((predicted < tp[..., -1:]).sum(axis=-1), min(1, last), last)  # the first threshold that predicts k or more
    before = np.maximum(cut - 1, 0)
    surely, taken = _at(tp, before), _at(predicted, before)
    share = ratio(_at(tp, cut) - surely, _at(predicted, cut) - taken)
    return ratio(surely + (k - taken) * share, k)


STEPS = 400  # of the continued fraction; it needs about the root of the larger parameter
TINY = 1e-300
CLOSE = 4e-16  # factors this near to 1 change nothing more
MOST_TERMS = 8  # a whole second parameter up to this makes a polynomial of this many terms, which fractions compute exactly


def partial_moments(x: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """Return E[c; c <= x] and E[1 - c; c <= x] of c with a Beta(a, b) distribution, at each x.

    Of fractions x and small whole parameters, the same for all x, both are fractions.

    >>> x = np.array([Fraction(1, 2), Fraction(1)], object)
    >>> below, rest = partial_moments(x, np.full(2, 2.0), np.full(2, 2.0))
    >>> [str(v) for v in (*below, *rest)]
    ['5/32', '1/2', '11/32', '1/2']
    """
    if x.dtype == object and all(v == int(v) <= MOST_TERMS for v in (a[0], b[0])):
        p, q = int(a[0]), int(b[0])
        return Fraction(p, p + q) * _polynomial(x, p + 1, q), Fraction(q, p + q) * _polynomial(x, p, q + 1)
    at, mean = np.asarray(x, np.float64), a / (a + b)
    return mean * beta_share(at, a + 1, b), (1 - mean) * beta_share(at, a, b + 1)


def _polynomial(x: Array, a: int, b: int) -> Array:
    """Return the share of Beta(a, b) up to x by the binomial sum, exactly."""
    n = a + b - 1
    return np.asarray(sum(math.comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(a, n + 1)))


def beta_share(x: Array, a: Any, b: Any) -> Array:
    """Return the share of a Beta(a, b) distribution up to x: the regularized incomplete beta function.

    It is a continued fraction, computed by Lentz's method, on the side where that converges fast.

    >>> beta_share(np.array([0.0, 0.25, 1.0]), 2.0, 2.0).round(6).tolist()
    [0.0, 0.15625, 1.0]
    """
    x, a, b = np.broadcast_arrays(x, np.float64(a), np.float64(b))
    far = x > (a + 1) / (a + b + 2)
    here = np.where(far, 1 - x, x)
    p, q = np.where(far, b, a), np.where(far, a, b)
    with np.errstate(divide="ignore"):  # log 0 is meant: the share up to 0 is 0
        front = np.exp(p * np.log(here) + q * np.log1p(-here) - _log_beta(a, b)) / p
    share = front * _continued_fraction(here, p, q)
    return np.asarray(np.clip(np.where(far, 1 - share, share), 0.0, 1.0))


def _log_beta(a: Array, b: Array) -> Array:
    pairs, at = np.unique(np.stack([a.ravel(), b.ravel()]), axis=1, return_inverse=True)  # few: rows share their parameters
    found = [math.lgamma(p) + math.lgamma(q) - math.lgamma(p + q) for p, q in pairs.T.tolist()]
    return np.array(found)[at.ravel()].reshape(a.shape)


def _continued_fraction(x: Array, a: Array, b: Array) -> Array:
    c, d = np.ones_like(x), 1 / _not_zero(1 - (a + b) * x / (a + 1))
    value = d.copy()
    for m in range(1, STEPS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / _not_zero(1 + term * d), _not_zero(1 + term / c)
            value = value * c * d
        if (abs(c * d - 1) < CLOSE).all():
            break
    return np.asarray(value)


def _not_zero(x: Array) -> Array:
    return np.where(abs(x) < TINY, TINY, x)


PRIORS = ("prevalence", "severity")


@area("hand2009")
def h_measure(steps: Any, *, prior: Any = "prevalence") -> Any:
    """Return the H-measure, the share of a trivial classifier's expected loss that the scores avoid.

    A false positive costs c and a false negative 1 - c. At each c the best threshold is taken, and c has a Beta distribution
    that is the same for all classifiers, unlike the one that AUC implies. 1 is perfect, and 0 is as good as always predicting
    one class.

    ``prior`` is the distribution of c: "prevalence" is Beta(1 + p, 2 - p), where p is the share of positives (Hand &
    Anagnostopoulos 2014); (2, 2) is that of Hand (2009), and any two numbers are the parameters; "severity" is Beta(2, 1/p),
    the default of the R package hmeasure. Undefined without positives or without negatives. Scores that rank worse than chance
    have about 0; they are not reversed, as that package does.

    >>> import indicatrix as ix
    >>> y, scores = [0, 0, 0, 1, 1], [0.1, 0.4, 0.2, 0.35, 0.8]
    >>> round(ix.measures.h_measure(y, scores, prior=(2, 2)), 6), round(ix.measures.h_measure(y, scores), 6)
    (0.579973, 0.587254)
    """
    tp, fp = steps.tp, steps.fp
    if tp.ndim == 1:
        return _avoided_shares([(tp, fp)], prior)[0]
    return np.array(_avoided_shares([*zip(tp, fp, strict=True)], prior), np.float64)


def _avoided_shares(rows: list[tuple[Array, Array]], prior: Any) -> list[Any]:
    """Return the share of the trivial loss that each ranking avoids.

    The moments of all costs are computed at once.
    """
    defined = [k for k, (tp, fp) in enumerate(rows) if tp[-1] and fp[-1]]
    found: list[Any] = [math.nan] * len(rows)
    if not defined:
        return found
    hulls = [_best_thresholds(*rows[k]) for k in defined]
    a, b = _parameters(prior, np.array([float(hull.share) for hull in hulls]))
    sizes = [len(hull.limits) for hull in hulls]
    costs, rests = partial_moments(np.concatenate([h.limits for h in hulls]), np.repeat(a, sizes), np.repeat(b, sizes))
    for k, hull, end in zip(defined, hulls, np.cumsum(sizes).tolist(), strict=True):
        found[k] = hull.avoided_share(costs[end - len(hull.limits) : end], rests[end - len(hull.limits) : end])
    return found


@dataclass(frozen=True, eq=False)
class _BestThresholds:
    """The thresholds that are best at some cost: their errors, and the costs between them."""

    accepted: Array  # negatives
    missed: Array  # positives
    share: Any  # of positives
    limits: Array  # the costs between which each is best, falling from 1 to 0; then the share of positives

    def avoided_share(self, costs: Array, rests: Array) -> Any:
        """Return the share of the trivial loss that is avoided, from the moments up to each limit."""
        losses = self.accepted * -np.diff(costs[:-1]) + self.missed * -np.diff(rests[:-1])
        trivial = self.accepted[-1] * costs[-1] + self.missed[0] * (rests[0] - rests[-1])
        return 1 - ratio(losses.sum(), trivial)


def _best_thresholds(tp: Array, fp: Array) -> _BestThresholds:
    at = upper_hull(fp, tp)  # no other threshold is best at any cost
    share = ratio(tp[-1], tp[-1] + fp[-1])  # of this cost the two trivial decisions lose the same
    gained, accepted = np.diff(tp[at]), np.diff(fp[at])
    switch = ratio(gained, gained + accepted)  # at this cost two neighbors lose the same; it falls along the hull
    return _BestThresholds(fp[at], tp[-1] - tp[at], share, np.concatenate(([0 * share + 1], switch, [0 * share, share])))


def _parameters(prior: Any, share: Array) -> tuple[Any, Any]:
    """Return the two parameters of the distribution of costs, of each share of positives."""
    if isinstance(prior, str):
        return (1 + share, 2 - share) if prior == "prevalence" else (np.full(len(share), 2.0), 1 / share)
    return np.full(len(share), float(prior[0])), np.full(len(share), float(prior[1]))


def check_prior(prior: Any) -> None:
    """Refuse what is not a distribution of costs."""
    if isinstance(prior, str) and prior in PRIORS:
        return
    two: tuple[Any, ...] = tuple(prior) if isinstance(prior, tuple | list) and len(prior) == 2 else ()
    numbers = [isinstance(x, int | float | np.integer | np.floating) and not isinstance(x, bool) for x in two]
    if numbers != [True, True] or not all(0 < x <= 1000 for x in two):
        raise ValueError(
            f"prior={prior!r} is not a distribution of costs. Use 'prevalence', 'severity', or the two parameters of a Beta "
            "distribution, above 0 and at most 1000, as in prior=(2, 2)."
        )
