"""One true and one predicted class per example: many scores are then functions of accuracy.

This holds for pooled scores and for means over examples (errata B2). Averages are recognized by their rows in ``AVERAGES``,
not by their names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from ...algebra.arrays import as_weight
from ...algebra.average import ALIASES, BINARY, Average, averages_that, find_average
from ...algebra.measure import Measure
from ...algebra.measure_names import find
from ...algebra.numbers.exact import Value, exactly, is_defined, order
from ...algebra.numbers.linear_fractional import as_fraction
from ...words.wording import series
from ..formula.closed_thresholds import Moebius, fit_moebius
from .exact_scores import ExactUnits, exact_mean, exact_weights

# Accuracies at which a closed form is found and verified: a grid with its ends, and fractions that are not on it.
ACCURACIES = tuple(sorted({*(Fraction(k, 12) for k in range(13)), *(Fraction(k, p) for k, p in ((1, 97), (3, 11), (9, 13)))}))

REMEMBERED = 1024  # functions of accuracy


def is_one_hot(source: Any) -> bool:
    """Return whether every example is known to have exactly one true and one predicted class.

    The answer is False if one example has an abstention, a missing or a second label or a masked entry, or if the source does
    not have examples. Weights of examples do not matter.

    >>> import indicatrix as ix
    >>> is_one_hot(ix.evaluate([0, 1, 2], [0, 1, 1])), is_one_hot(ix.evaluate([[1, 1, 0]], [[1, 0, 0]]))
    (True, False)
    """
    try:
        counts = source.aggregate("example")
    except ValueError:  # counts without examples
        return False
    m, times = len(source.aggregate("class").tp), np.ones(len(counts.tp)) if counts.times is None else as_weight(counts.times)
    rows = np.stack([as_weight(x)[times != 0] for x in counts])
    # With an index NumPy does not ask whether the array is masked: that would load numpy.ma, which takes longer than all of this.
    kinds = {tuple(v) for v in np.unique(rows, axis=1, return_index=True)[0].T.tolist()}
    return bool(kinds) and kinds <= {(1, 0, 0, m - 1), (0, 1, 1, m - 2)}


def one_hot_rows(rows: ExactUnits, m: int) -> bool:
    """Return whether there are rows, and all are (1, 0, 0, m - 1), right, or (0, 1, 1, m - 2), wrong."""
    known = {v for v, t in zip(rows.counts, rows.times, strict=True) if t}
    return bool(known) and known <= {(1, 0, 0, m - 1), (0, 1, 1, m - 2)}


def share_right(rows: ExactUnits) -> Value:
    """Return the accuracy of one-hot rows, the share of right examples.

    It is nan if the weights add up to zero.
    """
    right, total = sum(t for v, t in zip(rows.counts, rows.times, strict=True) if v[0]), sum(rows.times)
    return Fraction(right) / total if total else math.nan


def has_accuracy_form(average: Average) -> bool:
    """Return whether all one-hot scores under an average are functions of accuracy.

    This holds where the average pools, or averages over examples.
    """
    return average.pools or average.per == ("example",)


@dataclass(frozen=True)
class OfAccuracy:
    """A score of m one-hot classes as a function of accuracy: call it with an accuracy.

    The score is pooled, or a mean over examples. ``moebius`` is its closed form, if it is a quotient of two linear functions
    wherever it is defined.
    """

    measure: Measure
    average: str
    m: int
    n: Fraction  # the (weighted) number of examples; it matters only where ``scale_free`` is False
    moebius: Moebius | None
    trend: str  # over all accuracies: "increasing", "non-decreasing", "constant", …, "neither"; or "undefined" if it always is
    scale_free: bool = True

    def __call__(self, acc: Any) -> Value:
        """Return the exact score at an accuracy; nan where it is undefined."""
        if not 0 <= acc <= 1:
            raise ValueError(f"An accuracy lies between 0 and 1, but {acc!r} was given.")
        return at_accuracy(self.measure, self.average, self.m, self.n)(Fraction(acc))

    @property
    def text(self) -> str:
        """The closed form, or the trend of the function if it has no such form."""
        if self.trend == "undefined":
            return "undefined"
        trend = {"neither": "neither increasing nor decreasing"}.get(self.trend, self.trend)
        form = f"a function of accuracy, {trend}" if self.moebius is None else str(self.moebius)
        return form if self.scale_free else f"{form} at n = {self.n}"

    def __str__(self) -> str:
        return self.text


def of_accuracy(measure: str | Measure, average: str = "micro", *, m: int, n: Any = 1) -> OfAccuracy:
    """Return a score of one-hot rows as a function of accuracy.

    The average pools, or is a mean over examples. The pooled counts are n (acc, 1 - acc, 1 - acc, m - 2 + acc); an example is
    (1, 0, 0, m - 1) or (0, 1, 1, m - 2).

    >>> print(of_accuracy("mcc", m=10), of_accuracy("accuracy", "exemplar", m=3), of_accuracy("g_mean", m=3), sep=" | ")
    (10 acc - 1)/9 | (2 acc + 1)/3 | a function of accuracy, increasing
    """
    average = ALIASES.get(average, average)
    if average == BINARY or not has_accuracy_form(find_average(average)):
        raise ValueError(
            f"Only {series(averages_that(has_accuracy_form))} scores are functions of accuracy; average={average!r} reads single "
            "classes or groups."
        )
    if m < 1:
        raise ValueError(f"m={m!r} must be a number of classes, at least 1.")
    return _of_accuracy(find(measure), average, m, Fraction(n))


@lru_cache(REMEMBERED)
def _of_accuracy(found: Measure, average: str, m: int, n: Fraction) -> OfAccuracy:
    """Return what ``of_accuracy`` says; each report asks of the same few measures and classes."""
    value = at_accuracy(found, average, m, n)
    points = [(a, value(a)) for a in ACCURACIES]
    kept = [(a, x) for a, x in points if is_defined(x)]
    rational = [(a, fraction) for a, x in kept if (fraction := as_fraction(x)) is not None]
    form = fit_moebius(rational) if len(rational) == len(kept) else None
    return OfAccuracy(found, average, m, n, form, _trend([x for _, x in kept]), _scale_free(found, average, m, n))


def at_accuracy(measure: Measure, average: str, m: int, n: Fraction) -> Callable[[Fraction], Value]:
    """Return the exact score as a function of accuracy; with one class, every example is right."""
    value, rule = exactly(measure), find_average(average)
    rows = [(1, 0, 0, m - 1), (0, 1, 1, m - 2)][: min(m, 2)]  # right and wrong
    values = [value(*v) for v in rows]
    weights = [] if rule.pools else exact_weights(rule, measure, ExactUnits.once(rows))

    def score(a: Fraction) -> Value:
        if m == 1 and a != 1:
            return math.nan
        if rule.pools:
            x = value(n * a, n * (1 - a), n * (1 - a), n * (m - 2 + a))
        else:
            x = exact_mean(values, [w * share for w, share in zip(weights, (a, 1 - a), strict=False)])
        return x if is_defined(x) else math.nan

    return score


def _trend(values: Sequence[Value]) -> str:
    steps = {order(x, y) for x, y in pairwise(values)}
    names = {(-1,): "increasing", (1,): "decreasing", (-1, 0): "non-decreasing", (0, 1): "non-increasing"}
    if steps <= {0}:
        return "constant" if values else "undefined"
    return names.get(tuple(sorted(steps)), "neither")


def _scale_free(measure: Measure, average: str, m: int, n: Fraction) -> bool:
    if not find_average(average).pools:
        return True
    one, other = (at_accuracy(measure, average, m, k) for k in (n, 3 * n + 1))
    pairs = [(one(a), other(a)) for a in ACCURACIES[::5]]
    return all(order(x, y) == 0 for x, y in pairs if is_defined(x, y))
