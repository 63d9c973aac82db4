"""Which method of intervals fits an estimator, and its ends by a method."""

from __future__ import annotations

import math

import numpy as np

from ..estimators.estimators import NOT_SMOOTH, Estimator, OfCounts, OfGroups, OfMatrix, has_rows
from ..estimators.of_replicates import OfReplicates
from ..estimators.of_weights import OfMean
from ..estimators.rates import rate_ends, rates_of
from ..estimators.shares import proportion
from ..sampling.samples import Pairs
from ..stats.proportions import PROPORTIONS, Ends
from .confidence_sequence import SEQUENTIAL, sequential_ends
from .log_scale import fits_log_scale, is_of_odds_ratio, log_interval
from .methods import METHODS, Request


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
    return estimator.smooth and (isinstance(estimator, OfMatrix) or bool(np.isfinite(estimator.span).all()))


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
    return "posterior" if has_rows(estimator) else "delta"
