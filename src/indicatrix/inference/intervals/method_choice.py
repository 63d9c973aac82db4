"""Which method of intervals fits an estimator, and its ends by a method.

Odds and likelihood ratios, and functions of the odds ratio, have intervals on the log scale.

Designs: examples of each class by chance or by choice, and how frequent classes really are.

The measure of scores that an interval is asked for, its method, and what a reader should know.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.measure_names import find
from ..estimators.estimators import NOT_SMOOTH, Estimator, OfCounts, OfGroups, OfMatrix, has_rows
from ..estimators.of_source import OfReplicates
from ..estimators.of_weights import OfMean
from ..estimators.rates import ALMOST, formula_slopes, is_by_class, proportion, rate_ends, rates_of
from ..sampling.samples import POSITIVE, Clusters, LabelRows, Pairs, typical_weights
from ..stats.proportions import PROPORTIONS, Ends
from ..stats.quantiles import normal
from .interval import METHODS, SEQUENTIAL, Interval, Request, sequential_ends


def find_ends(estimator: Estimator, method: str, request: Request) -> Ends:
    """Return the ends of the interval of a score by a method; refuse a method that does not fit."""
    if isinstance(estimator, OfReplicates):
        return estimator.ends(request.level)
    check_without_rows(estimator, method)
    _check_by_class(estimator, method)
    if method == SEQUENTIAL:
        usual = default_method(estimator)
        return sequential_ends(estimator, request, usual, lambda at: find_ends(estimator, usual, at))
    if method == "log":
        return log_interval(estimator, request.level)
    if method == "rates":
        return rate_ends(estimator, request.level)
    if method in PROPORTIONS:
        parts = proportion(estimator)
        if parts is None:
            raise ValueError(
                f"method={method!r} is for plain proportions: k of n independent examples. This score is not one. "
                "Leave method= out, or use 'score'."
            )
        return PROPORTIONS[method](*parts, request.level)
    if method == "score" and not _has_score_interval(estimator):
        raise ValueError(NOT_SMOOTH)
    return METHODS[method](estimator, request)


def _check_by_class(estimator: Estimator, method: str) -> None:
    """Refuse methods that leave out examples where the number of each class was chosen."""
    sample = getattr(estimator, "sample", None)
    if isinstance(sample, Pairs) and sample.shares is not None and method not in ("score", "delta", "log", "rates", *PROPORTIONS):
        raise ValueError(f"method={method!r} takes the shares of classes as exact, which were estimated. Leave method= out.")
    if isinstance(sample, Pairs) and sample.by_class and method in ("jackknife", "skewed", "bca", "studentized"):
        raise ValueError(
            f"method={method!r} lets the number of examples of each class vary, which was chosen here. Leave method= out, or use "
            "'delta'; without weights also 'percentile' or 'posterior'."
        )


def check_without_rows(estimator: Estimator, method: str, replicates: str = "evaluate with replicates=200") -> None:
    """Refuse methods that draw or leave out examples, where only sums over them were kept.

    ``replicates`` says how replicates can be had, which is a way out.
    """
    if isinstance(estimator, OfGroups):
        for part in estimator.parts:
            check_without_rows(part, method, replicates)
        return
    if has_rows(estimator) or (estimator.smooth and method in ("score", "rates", "delta", "log", SEQUENTIAL, *PROPORTIONS)):
        return
    weighted = not isinstance(estimator, OfCounts) or estimator.sample.weighted
    what = "weighted examples" if weighted else "examples with several labels"
    needs = f"method={method!r} needs each example, but of {what} only sums were kept."
    ways = ["name clusters= that were sampled", *(() if weighted else (replicates, "use average='exemplar'"))]
    if not estimator.smooth:
        needs += " Its formula compares counts (min, max, abs), so that sums do not tell its variance."
    else:
        ways.insert(0, "use method='score' or 'delta'" if _has_score_interval(estimator) else "use method='delta'")
    raise ValueError(f"There is no such interval: {needs} Instead, {', or '.join(ways)}.")


def _has_score_interval(estimator: Estimator) -> bool:
    """Return whether a score is smooth in a finite range, or a smooth function of the matrix."""
    return estimator.smooth and (isinstance(estimator, OfMatrix) or all(map(math.isfinite, estimator.span)))


def default_method(estimator: Estimator) -> str:
    """Return the method that covers best for a kind of score."""
    if estimator.usual:
        return estimator.usual
    if proportion(estimator) is not None:
        return "mid_p"
    if isinstance(estimator, OfMean):
        return "score" if np.isfinite(estimator.span).all() else "skewed" if has_rows(estimator) else "delta"
    if is_of_odds_ratio(estimator) and not math.isnan(log_interval(estimator, 0.5)[0]):
        return "log"
    if not estimator.smooth:
        return "posterior"
    if _has_score_interval(estimator):
        return "score" if rates_of(estimator) is None else "rates"
    if isinstance(estimator, OfCounts) and fits_log_scale(estimator):
        return "log"
    if is_by_class(estimator) and rates_of(estimator) is not None and np.isfinite(rate_ends(estimator, 0.95)).all():
        return "rates"
    return "posterior" if has_rows(estimator) else "delta"


def fits_log_scale(estimator: Estimator) -> bool:
    """Return whether a score is a ratio from 0 to infinity of the counts of one class."""
    if not isinstance(estimator, OfCounts) or not isinstance(estimator.sample, Pairs | LabelRows):
        return False
    if estimator.span != (0, math.inf) or (estimator.score.unit_of >= 0).sum() != 1:
        return False
    return not np.isnan(estimator.score.values(estimator.score.pool(estimator.sample.counts))).any()  # infinite, or a number


def is_of_odds_ratio(estimator: Estimator) -> bool:
    """Return whether a score is a function of the odds ratio of one class, but not a ratio itself.

    Then an example more of each of the four kinds moves it by as much as the odds ratio: slope times count is the same in all
    four cells, up to the sign.
    """
    if not isinstance(estimator, OfCounts) or not isinstance(estimator.sample, Pairs):
        return False
    if estimator.score.unit_of.tolist() != POSITIVE.tolist() or estimator.span == (0, math.inf):
        return False
    score = replace(estimator.score, kept=np.ones_like(estimator.score.kept))  # also where it is infinite in the sample
    found = formula_slopes(score, estimator.sample)
    along = (found.slopes * found.tables)[:, :-1, :-1] * [[1, -1], [-1, 1]]
    least, most = along.min(axis=(1, 2)), along.max(axis=(1, 2))
    large = np.abs(along).max()
    return bool((most - least <= ALMOST * large).all() and ((least > 0).all() or (most < 0).all()))


def _of_odds_ratio(estimator: OfCounts, level: float) -> Ends:
    """Return the ends for the odds ratio, turned into the score: that of tables with this odds ratio."""
    ratio = OfCounts(replace(estimator.score, measure=find("odds_ratio")), estimator.sample, (0, math.inf))
    if not fits_log_scale(ratio):
        return math.nan, math.nan  # 0/0
    roots = np.sqrt(log_interval(ratio, level))
    low, high = sorted(estimator.score.values(np.array([roots, [1.0, 1.0], [1.0, 1.0], roots])[..., None]).ravel().tolist())
    return low, high


def log_interval(estimator: Estimator, level: float) -> Ends:
    """Return the interval by the delta method on logarithms, with 1/2 added to each of the four counts."""
    if is_of_odds_ratio(estimator):
        assert isinstance(estimator, OfCounts)
        return _of_odds_ratio(estimator, level)
    if not fits_log_scale(estimator):
        raise ValueError(
            "method='log' is for odds and likelihood ratios of one class, and for functions of its odds ratio. Use 'posterior'."
        )
    assert isinstance(estimator, OfCounts)
    score = estimator.score
    sample = estimator.sample
    assert not isinstance(sample, Clusters)
    half = _half_examples(score.pool(sample.counts), None if sample.squared_counts is None else score.pool(sample.squared_counts))
    unit = score.pool(sample.counts) + half[0]
    value = float(score.values(unit)[0])
    slopes = np.zeros(4)
    for cell in range(4):
        step = np.zeros((4, 1))
        step[cell] = 1e-5 * unit[cell]
        with quiet():  # a margin without examples has no odds: then there is no interval
            slopes[cell] = float((score.values(unit + step) - score.values(unit - step))[0]) / (2 * step[cell, 0]) / value
    v = unit[:, 0]
    squares = float(sample.square(score.spread(slopes[:, None]))) + float(half[1][:, 0] @ slopes**2)
    spread = max(squares - float(v @ slopes) ** 2 / v.sum(), 0.0)
    if isinstance(sample, Pairs) and sample.by_class:
        spread = sample.square_within(score.spread(slopes[:, None])) + float(half[1][:, 0] @ slopes**2)
    far = normal(level) * math.sqrt(spread)
    low, high = value * math.exp(-far), value * math.exp(far)
    if not isinstance(sample, Pairs) or rates_of(estimator) is None:
        return low, high
    least, most = _extremes(estimator)
    return max(low, least), min(high, most)


def _extremes(estimator: OfCounts) -> Ends:
    """Return the lowest and the highest value of a score of rates, for so many positives and negatives.

    Lift, for one, is at most 1 divided by the prevalence.
    """
    positive, negative = (float(x) for x in estimator.score.pool(estimator.sample.counts)[[[0, 1], [2, 3]], 0].sum(axis=0))
    tp, fp = np.array([0.0, 0.0, positive, positive]), np.array([0.0, negative, 0.0, negative])
    values = estimator.score.values(np.stack([tp, fp, positive - tp, negative - fp])[..., None]).ravel()
    return float(np.fmin.reduce(values, initial=math.inf)), float(np.fmax.reduce(values, initial=-math.inf))


def _half_examples(unit: Array, squares: Array | None) -> tuple[Array, Array]:
    """Return half an example for each of four counts, and its squared weight.

    With weights it has the typical one there.
    """
    half = np.full_like(unit, 0.5)
    if squares is None:
        return half, half
    rows = [np.repeat([x[0] + x[2], x[1] + x[3]], 2, axis=0)[[0, 2, 1, 3]] for x in (unit, squares)]
    typical = typical_weights(unit, squares, *rows)
    return half * typical, half * typical**2


BY_CLASS = "by class"
PLACES = 9  # prevalences of a range at which the interval is looked at, the two ends among them


def check_design(source: Any, prevalence: Any, sampled: str | None) -> None:
    """Refuse what is not a design, or is for evaluations only."""
    if sampled not in (None, BY_CLASS):
        raise ValueError(
            f"sampled={sampled!r} is unknown. sampled='by class' says that the number of examples of each true class was chosen; "
            "left out, it came by chance."
        )
    if (prevalence is not None or sampled is not None) and not hasattr(source, "tally"):
        raise ValueError(
            "prevalence= and sampled= are for evaluations. Areas of scores take every example for a random one: leave both out."
        )


def with_design(ev: Any, prevalence: Any, sampled: str | None) -> Any:
    """Return an evaluation with a known prevalence, or with chosen numbers of examples.

    >>> import indicatrix as ix
    >>> with_design(ix.from_confusion([[90, 10], [5, 95]]), 0.02, None).score("precision").note
    ''
    """
    if prevalence is not None:
        return ev.with_priors(_priors(ev, prevalence))
    return ev if sampled is None else replace(ev, tally=replace(ev.tally, by_class=True))


def _priors(ev: Any, prevalence: Any) -> Any:
    """Return the shares of all classes: the others are to each other as they are."""
    if isinstance(prevalence, Mapping):
        return prevalence
    if isinstance(prevalence, bool) or not isinstance(prevalence, Real) or not 0 < float(prevalence) < 1:
        raise ValueError(
            f"prevalence={prevalence!r} must be the share of the positive class, such as 0.02, the two ends of a range, such as "
            "(0.01, 0.05), or the share of each class."
        )
    if ev.positive is None or ev.positive not in ev.classes:
        raise ValueError(
            f"prevalence={prevalence!r} is the share of the positive class, and there is none. Give the share of each class, "
            "prevalence={class: share, …}, or evaluate with positive=."
        )
    own = np.array([float(x) for x in ev.aggregate("class").tpos])
    if ev.kind != "multiclass":
        total = np.array([float(x) for x in ev.aggregate("class").n])
        return {c: prevalence if c == ev.positive else k / n for c, k, n in zip(ev.classes, own, total, strict=True)}
    at = ev.classes.index(ev.positive)
    rest = own.sum() - own[at]
    if not rest:
        raise ValueError(
            "All examples are positive, so the rates of the other classes are unknown: prevalence= cannot be changed."
        )
    shares = {c: float(k) * (1 - float(prevalence)) / rest for c, k in zip(ev.classes, own, strict=True)}
    return shares | {ev.positive: float(prevalence)}


def over_range(ends: tuple[float, float], at: Callable[[float], Interval]) -> Interval:
    """Return the interval for a prevalence that is known to lie in a range: it holds whatever it is.

    The value is the one in the middle of the range. ``at`` gives the interval at one prevalence.
    """
    low, high = sorted(map(float, ends))
    if not 0 < low < high < 1:
        raise ValueError(f"prevalence={ends!r}: a range has two different ends between 0 and 1, such as (0.01, 0.05).")
    found = [at(x) for x in np.linspace(low, high, PLACES).tolist()]
    middle = found[PLACES // 2]
    note = f"At any prevalence from {low:g} to {high:g}; the value is that at {(low + high) / 2:g}."
    unknown = any(math.isnan(i.low) for i in found)
    least, most = (math.nan, math.nan) if unknown else (min(i.low for i in found), max(i.high for i in found))
    return replace(middle, low=least, high=most, note=f"{note} {middle.note.partition('. ')[2]}".strip())


def is_range(prevalence: Any) -> bool:
    """Return whether a prevalence is given by the two ends of a range."""
    return isinstance(prevalence, tuple | list) and len(prevalence) == 2


def design_note(prevalence: Any) -> str:
    """Return what a reader should know about the prevalence."""
    if prevalence is None:
        return ""
    named = isinstance(prevalence, Mapping)
    return "At the prevalences that were given." if named else f"At a prevalence of {float(prevalence):g}."
