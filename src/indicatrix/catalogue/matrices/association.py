"""Association of true and predicted classes, by chi-squared: how far a table is from independence.

A class that is never true, or never predicted, takes no part. None of them asks whether the classes agree.

Classes in an order: whether of two examples the one of the higher class is predicted higher.

A pair is concordant if the example of the higher class has the higher prediction, and discordant if it has the lower one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...algebra.numbers.functions import ratio, sqrt
from ..matrix_measures import matrix_measure
from .cells import NO_TRUE_P_VALUE, chi_squared_tail, deviations, machine_integers, margins, occurring, total

GROUP = "matrix association"
LEAST = 3  # examples of a class: one that is right in one or two makes the association almost as large as it can be


@matrix_measure(
    range=(0, math.inf),
    source="fisher1922",
    group=GROUP,
    better="neither",
    symmetric=True,
    aliases=("chi_squared_df",),
    without_interval="it counts degrees of freedom of this sample, and has no true value in the population",
)
def chi_squared_degrees(confusion: Any) -> Any:
    """Degrees of freedom of chi-squared: (true classes - 1) times (predicted classes - 1)."""
    rows, columns = occurring(confusion).shape
    return (rows - 1) * (columns - 1) if rows else 0


@matrix_measure(
    range=(0, 1), source="pearson1900b", group=GROUP, better="neither", symmetric=True, without_interval=NO_TRUE_P_VALUE
)
def chi_squared_p_value(confusion: Any) -> Any:
    """Chance of at least this chi-squared if predictions do not depend on the truth, in large samples."""
    return chi_squared_tail(_phi_squared(confusion) * confusion.sum(), chi_squared_degrees.function(confusion))


@matrix_measure(
    range=(0, math.inf),
    source="pearson1904",
    group=GROUP,
    better="neither",
    symmetric=True,
    limits=lambda table: (0.0, float(max(min(occurring(table).shape), 2) - 1)),
    least_of_class=LEAST,
)
def phi_squared(confusion: Any) -> Any:
    """Chi-squared divided by the number of examples."""
    return _phi_squared(confusion)


def _of_phi_squared(grows: Callable[[Any, int, int], Any]) -> dict[str, Any]:
    """Return the fact that a measure grows with phi squared.

    It is a function of it, and of how many classes occur on each side.
    """
    return {
        "through": (phi_squared, lambda squared, confusion: grows(squared, *occurring(confusion).shape)),
        "least_of_class": LEAST,
    }


def _cramer_v(squared: Any, rows: int, columns: int) -> Any:
    return sqrt(ratio(squared, min(rows, columns) - 1))


def _tschuprow_t(squared: Any, rows: int, columns: int) -> Any:
    return sqrt(ratio(squared, sqrt((rows - 1) * (columns - 1))))


def _contingency_coefficient(squared: Any, rows: int, columns: int) -> Any:
    return sqrt(ratio(squared, 1 + squared))


@matrix_measure(
    range=(0, math.inf),
    source="pearson1900b",
    group=GROUP,
    better="neither",
    symmetric=True,
    through=(phi_squared, lambda squared, confusion: squared * confusion.sum()),
    least_of_class=LEAST,
)
def multiclass_chi_squared(confusion: Any) -> Any:
    """Squared deviations from the counts expected under independence, divided by these (Pearson)."""
    return _phi_squared(confusion) * confusion.sum()


@matrix_measure(range=(0, 1), source="cramer1946", group=GROUP, better="neither", symmetric=True, **_of_phi_squared(_cramer_v))
def cramer_v(confusion: Any) -> Any:
    """Root of phi squared over the largest that it can be for so many classes."""
    return _cramer_v(_phi_squared(confusion), *occurring(confusion).shape)


@matrix_measure(
    range=(0, 1), source="tschuprow1939", group=GROUP, better="neither", symmetric=True, **_of_phi_squared(_tschuprow_t)
)
def tschuprow_t(confusion: Any) -> Any:
    """Root of phi squared over the root of the degrees of freedom."""
    return _tschuprow_t(_phi_squared(confusion), *occurring(confusion).shape)


@matrix_measure(
    range=(0, 1),
    source="pearson1904",
    group=GROUP,
    better="neither",
    symmetric=True,
    aliases=("pearson_c",),
    **_of_phi_squared(_contingency_coefficient),
)
def multiclass_contingency_coefficient(confusion: Any) -> Any:
    """Root of chi-squared over n plus chi-squared; it stays below 1."""
    return _contingency_coefficient(_phi_squared(confusion), *occurring(confusion).shape)


def _phi_squared(confusion: Any) -> Any:
    apart, true, pred, n = deviations(confusion)
    if n == 0:
        return math.nan
    # A sum of squares, so that rounding cannot make a table near independence negative.
    return ratio(total(ratio(ratio(apart * apart, true[:, None]), pred)), n * n)


@matrix_measure(range=(0, 1), source="goodman1954", group=GROUP, better="neither", aliases=("lambda_a",))
def goodman_kruskal_lambda_true(confusion: Any) -> Any:
    """Share of errors avoided in guessing the most likely true class, if the prediction is known."""
    known, modal, n = _best_guesses(confusion)
    return ratio(known - modal, n - modal)


@matrix_measure(range=(0, 1), source="goodman1954", group=GROUP, better="neither", aliases=("lambda_b",))
def goodman_kruskal_lambda_predicted(confusion: Any) -> Any:
    """Share of errors avoided in guessing the most likely prediction, if the true class is known."""
    return goodman_kruskal_lambda_true.function(confusion.T)


@matrix_measure(range=(0, 1), source="goodman1954", group=GROUP, better="neither", symmetric=True)
def multiclass_goodman_kruskal_lambda(confusion: Any) -> Any:
    """Share of errors avoided in guessing truth or prediction, half each, if the other is known."""
    known, modal, n = _best_guesses(confusion)
    other, mode, _ = _best_guesses(confusion.T)
    return ratio(known + other - modal - mode, 2 * n - modal - mode)


@matrix_measure(range=(0, 1), source="goodman1954", group=GROUP, better="neither")
def goodman_kruskal_tau_true(confusion: Any) -> Any:
    """Share of errors avoided in guessing the true class in proportion, if the prediction is known."""
    return goodman_kruskal_tau_predicted.function(confusion.T)


@matrix_measure(range=(0, 1), source="goodman1954", group=GROUP, better="neither")
def goodman_kruskal_tau_predicted(confusion: Any) -> Any:
    """Share of errors avoided in guessing the prediction in proportion, if the true class is known."""
    apart, true, _, n = deviations(confusion)
    pred = confusion.sum(axis=0)
    return ratio(total(ratio(apart * apart, true[:, None])), n * (n * n - (pred * pred).sum()))


def _best_guesses(confusion: Any) -> tuple[Any, Any, Any]:
    """Return how many true classes are guessed right if the prediction is known, and if not; and n."""
    true, _, n = margins(confusion)
    return (confusion.max(axis=0).sum(), true.max(), n) if len(true) else (0, 0, n)


ORDER = "matrix order"


@matrix_measure(range=(-1, 1), source="goodman1954", group=ORDER, symmetric=True, ordered=True)
def goodman_kruskal_gamma(confusion: Any) -> Any:
    """Concordant minus discordant pairs, divided by both together; tied pairs are left out."""
    more, less = _pairs(confusion)
    return ratio(more - less, more + less)


@matrix_measure(range=(-1, 1), source="kendall1945", group=ORDER, symmetric=True, ordered=True)
def multiclass_kendall_tau_b(confusion: Any) -> Any:
    """Concordant minus discordant pairs, over the geometric mean of the pairs that each side unties."""
    more, less = _pairs(confusion)
    return ratio(2 * (more - less), sqrt(_untied_pairs(confusion, 1) * _untied_pairs(confusion, 0)))


@matrix_measure(
    range=(-1, 1), source="stuart1953", group=ORDER, symmetric=True, ordered=True, aliases=("kendall_tau_c", "stuart_c")
)
def stuart_tau_c(confusion: Any) -> Any:
    """Concordant minus discordant pairs, divided by the most there can be for so many classes."""
    more, less = _pairs(confusion)
    n, m = confusion.sum(), min(occurring(confusion).shape)
    return ratio(2 * m * (more - less), n * n * (m - 1))


@matrix_measure(range=(-1, 1), source="somers1962", group=ORDER, ordered=True)
def somers_d_predicted(confusion: Any) -> Any:
    """Concordant minus discordant pairs, divided by the pairs of different true classes."""
    more, less = _pairs(confusion)
    return ratio(2 * (more - less), _untied_pairs(confusion, 1))


@matrix_measure(range=(-1, 1), source="somers1962", group=ORDER, ordered=True)
def somers_d_true(confusion: Any) -> Any:
    """Concordant minus discordant pairs, divided by the pairs of different predicted classes."""
    return somers_d_predicted.function(confusion.T)


@matrix_measure(range=(-1, 1), source="somers1962", group=ORDER, symmetric=True, ordered=True)
def somers_d(confusion: Any) -> Any:
    """Concordant minus discordant pairs, over the arithmetic mean of the pairs that each side unties."""
    more, less = _pairs(confusion)
    return ratio(4 * (more - less), _untied_pairs(confusion, 1) + _untied_pairs(confusion, 0))


def _pairs(table: Any) -> tuple[Any, Any]:
    """Return the numbers of concordant and of discordant pairs."""
    given, table = table, machine_integers(table)
    below = table[::-1].cumsum(axis=0)[::-1]  # examples of this true class or a higher one
    up_to = below.cumsum(axis=1)
    whole = up_to[:, -1:] if table.size else up_to
    more = total(table[:-1, :-1] * (whole - up_to)[1:, :-1])
    less = total(table[:-1, 1:] * up_to[1:, :-1])
    return (more, less) if table is given else (int(more), int(less))  # so that products of them do not overflow


def _untied_pairs(table: Any, axis: int) -> Any:
    """Return twice the number of pairs that one side does not tie."""
    sums, n = table.sum(axis=axis), margins(table)[2]
    return n * n - (sums * sums).sum()
