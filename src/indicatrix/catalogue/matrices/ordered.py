"""Classes in an order: whether of two examples the one of the higher class is predicted higher.

A pair is concordant if the example of the higher class has the higher prediction, and discordant if it has the lower one.
"""

from __future__ import annotations

from typing import Any

from ...algebra.numbers.functions import ratio, sqrt
from ..matrix_measures import matrix_measure
from .cells import machine_integers, margins, occurring, total

GROUP = "matrix order"


@matrix_measure(range=(-1, 1), source="goodman1954", group=GROUP, symmetric=True, ordered=True)
def goodman_kruskal_gamma(confusion: Any) -> Any:
    """Concordant minus discordant pairs, divided by both together; tied pairs are left out."""
    more, less = _pairs(confusion)
    return ratio(more - less, more + less)


@matrix_measure(range=(-1, 1), source="kendall1945", group=GROUP, symmetric=True, ordered=True)
def multiclass_kendall_tau_b(confusion: Any) -> Any:
    """Concordant minus discordant pairs, over the geometric mean of the pairs that each side unties."""
    more, less = _pairs(confusion)
    return ratio(2 * (more - less), sqrt(_untied_pairs(confusion, 1) * _untied_pairs(confusion, 0)))


@matrix_measure(
    range=(-1, 1), source="stuart1953", group=GROUP, symmetric=True, ordered=True, aliases=("kendall_tau_c", "stuart_c")
)
def stuart_tau_c(confusion: Any) -> Any:
    """Concordant minus discordant pairs, divided by the most there can be for so many classes."""
    more, less = _pairs(confusion)
    n, m = confusion.sum(), min(occurring(confusion).shape)
    return ratio(2 * m * (more - less), n * n * (m - 1))


@matrix_measure(range=(-1, 1), source="somers1962", group=GROUP, ordered=True)
def somers_d_predicted(confusion: Any) -> Any:
    """Concordant minus discordant pairs, divided by the pairs of different true classes."""
    more, less = _pairs(confusion)
    return ratio(2 * (more - less), _untied_pairs(confusion, 1))


@matrix_measure(range=(-1, 1), source="somers1962", group=GROUP, ordered=True)
def somers_d_true(confusion: Any) -> Any:
    """Concordant minus discordant pairs, divided by the pairs of different predicted classes."""
    return somers_d_predicted.function(confusion.T)


@matrix_measure(range=(-1, 1), source="somers1962", group=GROUP, symmetric=True, ordered=True)
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
