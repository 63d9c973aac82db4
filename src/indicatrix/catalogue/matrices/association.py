"""Association of true and predicted classes: by chi-squared, and of classes in an order.

Chi-squared: how far a table is from independence. A class that is never true, or never predicted, takes no part. None of them
asks whether the classes agree. Order: whether of two examples the one of the higher class is predicted higher. A pair is
concordant if the example of the higher class has the higher prediction, and discordant if it has the lower one.

Also arithmetic on confusion matrices of any number type: floats, integers, Fractions, many digits; and tails of the binomial and
of the chi-squared distribution in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.numbers.functions import constant, exp, log, log1p, log_gamma, log_ratio, part_log, ratio, special, sqrt
from ...algebra.numbers.gradient import without_trace
from ..matrix_measures import matrix_measure

LARGEST = 2**1000  # integers up to here become floats
EXACT_PRODUCTS = 2**31  # up to this many examples, products of two counts are exact integers of the machine


def margins(table: Array) -> tuple[Any, Any, Any]:
    """Return how often each class is true, how often it is predicted, and the number of examples."""
    return table.sum(axis=1), table.sum(axis=0), table.sum()


def machine_integers(table: Any) -> Any:
    """Return a table of Python integers as int64, which is much faster; other tables as they are.

    Products of two sums of its cells stay exact; where they would not, the table is left as it is, too. Products of three may not
    fit.
    """
    if isinstance(table, np.ndarray) and table.dtype == object and _are_integers_below(table, EXACT_PRODUCTS):
        small = table.astype(np.int64)
        return small if np.abs(small).sum() < EXACT_PRODUCTS else table
    return table


def occurring(table: Any) -> Any:
    """Return the table, as int64, without classes that are never true, or never predicted."""
    table = machine_integers(table)
    true, pred, _ = margins(table)
    rows, columns = np.asarray(true != 0, bool), np.asarray(pred != 0, bool)
    return table if rows.all() and columns.all() else table[rows][:, columns]


def deviations(table: Array) -> tuple[Array, Array, Array, Any]:
    """Return n w - r c for each cell, how far it is from independence, and r, c and n.

    The classes that do not occur are left out. Of counts, the differences are exact before they, r and c become floats.
    """
    table = occurring(table)
    true, pred, n = margins(table)
    apart = table * n - np.multiply.outer(true, pred)
    if table.dtype != np.int64:
        return apart, true, pred, n
    return apart.astype(np.float64), true.astype(np.float64), pred.astype(np.float64), int(n)


def each(function: Callable[..., Any], *arrays: Array) -> Any:
    """Return a function of the algebra for each element: floats at once, many digits one by one."""
    if any(x.dtype == object for x in arrays):
        if all(_are_integers_below(some, LARGEST) for some in arrays):
            return each(function, *(x.astype(np.float64) for x in arrays))  # their logarithms are floats in any case
        return np.asarray(np.frompyfunc(function, len(arrays), 1)(*arrays), object)
    with quiet():
        return function(*arrays)


def _are_integers_below(numbers: Array, limit: int) -> bool:
    listed = numbers.ravel().tolist()
    return set(map(type, listed)) <= {int} and max(map(abs, listed), default=0) < limit


def total(terms: Array) -> Any:
    """Return the sum of terms; 0 for none."""
    return terms.sum() if terms.size else 0


def log_parts(parts: Any, wholes: Any) -> Any:
    """Return the sum of x log(whole/x) over all parts; those that are 0 add nothing.

    There is one whole, or one for each part.
    """
    if parts.dtype != object:
        return total(part_log(parts, wholes))
    parts, wholes = _without_zeros(parts, wholes * np.ones(parts.shape, int))
    return total(parts * each(lambda x, whole: log(whole / x), parts, wholes))


def log_parts_against(parts: Array, tops: Array, bottoms: Array) -> Any:
    """Return the sum of x log(top/bottom) over all parts; those that are 0 add nothing."""
    parts, tops, bottoms = _without_zeros(parts, tops, bottoms)
    return total(parts * each(log_ratio, tops, bottoms, without_trace(tops) - without_trace(bottoms)))


def _without_zeros(parts: Array, *others: Array) -> tuple[Array, ...]:
    """Return the parts that are not 0, with what belongs to each; all as they are where none is 0."""
    seen = np.asarray(parts != 0, bool)
    return (parts, *others) if seen.all() else (parts[seen], *(x[seen] for x in others))


complementary_error = special(lambda x: math.erfc(x), lambda library, x: library.erfc(x))
MOST_TERMS = 10_000
NO_TRUE_P_VALUE = "it is a p-value of this sample, and has no true value in the population"


def chi_squared_tail(x: Any, degrees: int) -> Any:
    """Return the chance that chi-squared with these degrees of freedom is at least ``x``.

    Nan without any degree.

    >>> round(chi_squared_tail(3.841458820694124, 1), 6), chi_squared_tail(2.0, 2) == math.exp(-1)
    (0.05, True)
    """
    if not degrees or x != x:
        return math.nan
    x = _inexact(x)
    # Each step by two degrees adds one term: Q(k + 2) = Q(k) + (x/2)**(k/2) exp(-x/2) / Gamma(k/2 + 1).
    half, odd = x / 2, degrees % 2
    tail = complementary_error(sqrt(half)) if odd else exp(-half)
    if x == 0:
        return tail
    for k in range(2 - odd, degrees, 2):
        order = constant(1, x) * k / 2
        tail = tail + exp(order * log(half) - half - log_gamma(order + 1))
    return tail


def binomial_tail(least: Any, n: Any, share: Any) -> Any:
    """Return the chance of at least ``least`` of ``n`` successes, each with probability ``share``.

    >>> binomial_tail(2, 3, 0.5), binomial_tail(0, 5, 0.2), binomial_tail(5, 5, 1)
    (0.5, 1, 1)
    """
    if n == 0:
        return math.nan
    if least <= 0 or share == 1:
        return 1
    if least > n or share == 0:
        return 0
    a, b, x = map(_inexact, (least, n - least + 1, share))
    # The incomplete beta function I_x(a, b), by the continued fraction that converges quickly on either side of its mean.
    if x * (a + b + 2) < a + 1:
        return _beta_part(a, b, x)
    return 1 - _beta_part(b, a, 1 - x)


def _beta_part(a: Any, b: Any, x: Any) -> Any:
    """Return I_x(a, b) for an x below its mean: powers over Lentz's continued fraction."""
    front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x)) / a
    smallest = precision(x)
    tiny = smallest**4
    value, c, d = constant(1, x), constant(1, x), 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    value = d
    for k in range(1, MOST_TERMS):
        for step in (
            k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)),
            -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1)),
        ):
            d, c = 1 + step * d, 1 + step / c
            d, c = 1 / (d if abs(d) > tiny else tiny), c if abs(c) > tiny else tiny
            value = value * d * c
        if abs(d * c - 1) < smallest:
            break
    return front * value


def _inexact(x: Any) -> Any:
    """Return a float, or the number itself if it has more digits."""
    return x if hasattr(x, "context") else float(x)


def precision(x: Any) -> Any:
    """Return the distance from 1 to the next number of this type."""
    return x.context.eps if hasattr(x, "context") else 2.0**-52


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
