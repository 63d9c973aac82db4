"""Agreement beyond chance: one minus observed over expected disagreement.

The functions differ in what is expected by chance. Each is of two raters; coefficients of several raters say which of them they
are for two.

Shares of right answers over the whole matrix, and what they are compared with.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.numbers.functions import absolute, ratio, sqrt
from ...algebra.numbers.gradient import Traced, without_trace
from ..matrix_measures import matrix_measure
from .association import NO_TRUE_P_VALUE, binomial_tail, each, margins, precision, total

SHARES = "confusion matrix"


@matrix_measure(range=(0, 1), source="sokolova2009", group=SHARES, symmetric=True, aliases=("overall_accuracy",))
def multiclass_accuracy(confusion: Any) -> Any:
    """Share of examples whose predicted class is the true one; equals exact match and micro recall."""
    return ratio(confusion.trace(), confusion.sum())


@matrix_measure(range=(-1, 1), source="gorodkin2004", group=SHARES, symmetric=True)
def multiclass_mcc(confusion: Any) -> Any:
    """Correlation of true and predicted class indicators (Gorodkin's R_K), which is not the micro MCC."""
    true, pred, n = margins(confusion)
    covariance = n * confusion.trace() - (true * pred).sum()
    return ratio(covariance, sqrt((n * n - (true * true).sum()) * (n * n - (pred * pred).sum())))


@matrix_measure(range=(-1, 1), source="youden1950", group=SHARES)
def multiclass_informedness(confusion: Any) -> Any:
    """Mean recall of the classes that occur, rescaled so that guessing has 0 and a perfect result 1."""
    true = confusion.sum(axis=1)
    here = np.asarray(true != 0, bool)
    recalls, others = total(ratio(confusion.diagonal()[here], true[here])), max(int(here.sum()) - 1, 0)
    return ratio((recalls - 1) * others, others * others)  # 0/0 for one class alone, where guessing is right


@matrix_measure(range=(0, 1), source="kuhn2008", group=SHARES, better="neither", aliases=("nir",))
def no_information_rate(confusion: Any) -> Any:
    """Share of the most frequent true class: the accuracy of always predicting it."""
    return ratio(_most_frequent(confusion), confusion.sum())


def _most_frequent(confusion: Any) -> Any:
    """Return how many examples the largest true class has; classes that are tied share its slope."""
    return confusion.sum(axis=1).max() if len(confusion) else 0


@matrix_measure(range=(0, 1), source="kuhn2008", group=SHARES, better="neither", without_interval=NO_TRUE_P_VALUE)
def no_information_p_value(confusion: Any) -> Any:
    """Chance of at least as many right answers, if each were right with the no-information rate."""
    n, most = confusion.sum(), _most_frequent(confusion)
    return binomial_tail(confusion.trace(), n, ratio(most, n))


@matrix_measure(
    range=(0, math.inf),
    source="haghighi2018",
    group=SHARES,
    better="neither",
    aliases=("rr",),
    symmetric=True,
    without_interval="it counts the examples of this sample, and has no true value in the population",
)
def examples_per_class(confusion: Any) -> Any:
    """Number of examples divided by the number of classes; PyCM calls it the global performance index."""
    return ratio(confusion.sum(), len(confusion))


GROUP = "matrix agreement"
LEVELS = ("nominal", "ordinal", "interval", "ratio")
WEIGHTS: dict[str, Callable[[Array], Array]] = {  # how much classes disagree, by how many ranks they are apart
    "linear": lambda ranks: ranks,
    "quadratic": lambda ranks: ranks * ranks,
    "ordinal": lambda ranks: ranks * (ranks + 1) // 2,  # the pairs of classes from one to the other
}
MOST_STEPS = 500
STEP = 2.0**-17  # of the share of right answers, for a slope


@matrix_measure(
    range=(-1, 1),
    source="cohen1968",
    group=GROUP,
    symmetric=True,
    aliases=("weighted_kappa",),
    weighted_aliases=("weighted_kappa",),
)
def multiclass_kappa(confusion: Any, *, weights: Any = None) -> Any:
    """Agreement beyond chance over the whole matrix; ``weights`` say how much classes disagree."""
    true, pred, n = margins(confusion)
    cost = disagreement(weights, confusion)
    return _beyond_chance((cost * confusion).sum() * n, _expected_disagreement(true, cost, pred))


@matrix_measure(range=(-1, 1), source="scott1955", group=GROUP, symmetric=True, aliases=("kappa_unbiased",))
def multiclass_scott_pi(confusion: Any, *, weights: Any = None) -> Any:
    """Agreement beyond chance, where chance keeps the mean of both marginals: unbiased kappa.

    ``weights`` are as for multiclass_kappa.
    """
    true, pred, n = margins(confusion)
    cost = disagreement(weights, confusion)
    both = true + pred
    return _beyond_chance(4 * (cost * confusion).sum() * n, _expected_disagreement(both, cost, both))


@matrix_measure(
    range=(-1, 1),
    source="gwet2008",
    group=GROUP,
    symmetric=True,
    aliases=("gwet_ac2", "ac2"),
    weighted_aliases=("gwet_ac2", "ac2"),
    bounded_by_rank=False,
)
def multiclass_gwet_ac1(confusion: Any, *, weights: Any = None) -> Any:
    """Agreement beyond chance that guesses only on some examples; AC2 with ``weights``.

    ``weights`` are as for multiclass_kappa.
    """
    true, pred, n = margins(confusion)
    m, both = len(confusion), true + pred
    cost = disagreement(weights, confusion)
    most = cost.max() if m > 1 else 0
    # Chance agrees with the share sum(p (1 - p))/(m (m - 1)) of all agreement there is, 1 - cost/most in every cell.
    cells = m * (m - 1)
    expected = cells * 4 * n * n * most - (m * m * most - cost.sum()) * (4 * n * n - (both * both).sum())
    return _beyond_chance(cells * 4 * (cost * confusion).sum() * n, expected)


@matrix_measure(
    range=(-1, 1), source="bennett1954", group=GROUP, symmetric=True, aliases=("brennan_prediger",), bounded_by_rank=False
)
def bennett_s(confusion: Any, *, weights: Any = None) -> Any:
    """Agreement beyond chance, where chance takes all classes equally often.

    ``weights`` are as for multiclass_kappa.
    """
    m = len(confusion)
    cost = disagreement(weights, confusion)
    return _beyond_chance(m * m * (cost * confusion).sum(), confusion.sum() * cost.sum())


@matrix_measure(range=(-1, 1), source="hayes2007", group=GROUP, symmetric=True)
def krippendorff_alpha(confusion: Any, *, level: str = "nominal", values: Any = None) -> Any:
    """Agreement beyond chance, where chance draws two of all the labels of both sides.

    ``level`` says how far two classes are apart: "nominal" (equal or not), "ordinal" (by rank; the labels between them
    count), "interval" and "ratio" (by the numbers that the classes are).
    """
    both = confusion.sum(axis=1) + confusion.sum(axis=0)
    n, cost = both.sum(), _distances(level, both, values)
    return _beyond_chance(2 * (cost * confusion).sum() * (n - 1), _expected_disagreement(both, cost, both))


@matrix_measure(range=(-1, 1), source="byrt1993", group=GROUP, symmetric=True, aliases=("pabak",))
def kappa_no_prevalence(confusion: Any) -> Any:
    """Twice the share of right answers, minus one: for two classes, kappa if both were equally common."""
    n = confusion.sum()
    return ratio(2 * confusion.trace() - n, n)


@matrix_measure(range=(0, 1), source="bangdiwala1985", group=GROUP, symmetric=True)
def bangdiwala_b(confusion: Any) -> Any:
    """Squares of the right answers, divided by the products of both marginals: areas of a chart."""
    true, pred, _ = margins(confusion)
    right = confusion.diagonal()
    return ratio((right * right).sum(), (true * pred).sum())


def disagreement(weights: Any, like: Any) -> Array:
    """Return how much each two classes of a table disagree, in its number type: floats or objects."""
    m, floats = len(like), like.dtype == np.float64
    if weights is None or isinstance(weights, str):
        if weights is not None and weights not in WEIGHTS:
            raise ValueError(f"weights={weights!r} is unknown. Use None, {', '.join(map(repr, WEIGHTS))} or an m x m matrix.")
        return _disagreement_by_rank(weights, m, floats)
    matrix = np.asarray(weights)
    if matrix.shape != (m, m) or not np.isfinite(matrix.astype(float)).all():
        raise ValueError(f"A weight matrix is {m} x {m} and finite; this one has shape {matrix.shape}.")
    if matrix.diagonal().any():
        raise ValueError(
            "A weight matrix says how much two classes disagree, so its diagonal is 0; this one has "
            f"{matrix.diagonal().tolist()}. If its weights say how much they agree, pass 1 minus the matrix."
        )
    if (matrix < 0).any():
        raise ValueError(f"A weight of disagreement is not negative; this matrix has {matrix.min()}. Use 0 where classes agree.")
    return matrix.astype(np.float64 if floats else object)


@lru_cache(maxsize=64)
def _disagreement_by_rank(weights: str | None, m: int, floats: bool) -> Array:
    """Return how much classes disagree by their ranks; the same for every table of m classes."""
    ranks = abs(np.subtract.outer(np.arange(m), np.arange(m))).astype(object)
    return np.asarray((ranks > 0).astype(int) if weights is None else WEIGHTS[weights](ranks), np.float64 if floats else object)


def _distances(level: str, totals: Any, values: Any) -> Any:
    """Return Krippendorff's squared differences of two classes."""
    m = len(totals)
    if level == "nominal":
        return disagreement(None, totals)
    if level == "ordinal":  # the labels from the middle of one class to the middle of the other
        middles = 2 * totals.cumsum() - totals
        return np.subtract.outer(middles, middles) ** 2
    if level not in LEVELS:
        raise ValueError(f"level={level!r} is unknown. Use {', '.join(map(repr, LEVELS))}.")
    return _distances_of_numbers(level, tuple(range(m) if values is None else values), totals.dtype == np.float64)


@lru_cache(maxsize=64)
def _distances_of_numbers(level: str, values: tuple[Any, ...], floats: bool) -> Array:
    """Return how far numbers are apart, exactly; the same for every table of these classes."""
    points = np.array([Fraction(x) for x in values], object)
    apart, dtype = np.subtract.outer(points, points), np.float64 if floats else object
    if level == "interval":
        return np.asarray(apart * apart, dtype)
    if (points < 0).any():
        raise ValueError("level='ratio' needs classes that are not negative. Use level='interval'.")
    sums = np.add.outer(points, points)
    return np.asarray(np.where(apart == 0, 0, apart / np.where(sums == 0, 1, sums)) ** 2, dtype)


def _expected_disagreement(rows: Array, cost: Array, columns: Array) -> Any:
    return rows @ (cost @ columns) if len(rows) else 0


def _beyond_chance(observed: Any, expected: Any) -> Any:
    return ratio(expected - observed, expected)


@matrix_measure(range=(0, 1), source="aickin1990", group=GROUP, symmetric=True, limits=lambda table: (-1.0, 1.0))
def aickin_alpha(confusion: Any) -> Any:
    """Share of examples that agree for cause, by maximum likelihood; the others agree only by chance.

    Chance keeps the marginals of the examples that do not agree for cause, which are estimated together with that share. It is 0
    where no more examples agree than chance explains.
    """
    true, pred, n = margins(confusion)
    right, chance = confusion.trace(), (true * pred).sum()
    if without_trace(n * right) <= without_trace(chance):
        # Cut off at 0, where slopes tell nothing: those of kappa are the ones that it would have.
        return multiclass_kappa.function(confusion) if isinstance(n, Traced) else ratio(0, n * n - chance)
    one_way = absolute(without_trace(true - pred)).sum() == 2 * without_trace(n - right)
    if one_way:  # all errors go one way: then chance explains no agreement at all
        return ratio(right, n)
    true, pred, right = true / n, pred / n, right / n
    if isinstance(right, Traced):  # the slopes of the root are those of one step of Newton from it
        shares = true.value, pred.value, right.value
        alpha, step = _root(*shares), STEP * right.value
        slope = (_excess(*shares, alpha + step) - _excess(*shares, alpha - step)) / (2 * step)
        return alpha - _excess(true, pred, right, alpha) / slope
    return _root(_inexact(true), _inexact(pred), _inexact(np.array([right]))[0])


def _excess(true: Any, pred: Any, right: Any, alpha: Any) -> Any:
    """Return by how much the marginals by chance sum to more than one, if this share agrees for cause.

    With the shares R and C of a class by chance, (1 - alpha) R + b R C is its share in truth and (1 - alpha) C + b R C that in
    the predictions, where b = alpha/sum(R C). So R solves a quadratic equation, and one unknown is left.
    """
    rest = 1 - alpha
    b = alpha * rest / (right - alpha)
    linear = rest - b * (true - pred) / rest
    return ((2 * true / (linear + each(sqrt, linear * linear + 4 * b * true))).sum() - 1) / alpha


def _root(true: Array, pred: Array, right: Any) -> Any:
    """Return the share for which the marginals by chance sum to one, by false position (Illinois)."""
    apart = true - pred
    low, high = right * 0, right
    above, below = 1 - (true * pred).sum() / right, (apart[np.asarray(apart > 0, bool)].sum() / (1 - right) - 1) / right
    side, close = 0, abs(right) * precision(right) * 4
    alpha = (right - (true * pred).sum()) / (1 - (true * pred).sum())  # kappa is close to it
    for _ in range(MOST_STEPS):
        found = _excess(true, pred, right, alpha) if low < alpha < high else 0
        if found == 0 or high - low <= close:
            return alpha
        if found > 0:
            low, above, below, side = alpha, found, below / 2 if side > 0 else below, 1
        else:
            high, below, above, side = alpha, found, above / 2 if side < 0 else above, -1
        alpha = (low * below - high * above) / (below - above)
    return (low + high) / 2


def _inexact(x: Array) -> Array:
    """Return floats, or the numbers themselves if they have more digits."""
    return x if x.dtype == object and hasattr(x[0], "context") else x.astype(np.float64)


@dataclass(frozen=True)
class RaterCoefficient:
    """A coefficient of several raters, for ``ix.agreement``."""

    name: str
    of_two: str  # the function of the matrix that it is for two raters
    doc: str
    source: str  # the key in ``ix.catalogue.references()``
    range: tuple[float, float] = (-1, 1)
    better: str = "higher"
    group: str = GROUP

    def __str__(self) -> str:
        return self.name


RATER_COEFFICIENTS = {
    found.name: found
    for found in (
        RaterCoefficient(
            "percent_agreement",
            "multiclass_accuracy",
            "Share of pairs of raters that agree on an item, averaged over items.",
            "fleiss1971",
            (0, 1),
        ),
        RaterCoefficient(
            "fleiss_kappa",
            "multiclass_scott_pi",
            "Agreement of several raters beyond chance, where chance keeps the mean of their marginals.",
            "fleiss1971",
        ),
        RaterCoefficient(
            "conger_kappa",
            "multiclass_kappa",
            "Agreement of several raters beyond chance, where chance keeps the marginals of each rater.",
            "conger1980",
        ),
        RaterCoefficient("light_kappa", "multiclass_kappa", "Mean of Cohen's kappa over all pairs of raters.", "light1971"),
    )
}
