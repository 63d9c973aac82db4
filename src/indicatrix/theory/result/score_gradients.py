"""Slopes: the values of scores of a confusion matrix and their gradients in the errors, to a hundred digits."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.exact import as_written, number
from ...algebra.measure import Measure
from ...catalogue.matrix import MatrixMeasure

DIGITS = 150  # slopes are differences of values with so many digits, over steps of a third of them
STEP, CUT = "1e-50", "1e-30"  # a slope is then right to about 1e-100, far below what counts as zero

Cell = tuple[int, int]
Slope = tuple[Any, Array]  # the value of a score and its gradient


def generic_table(sizes: list[Fraction], seed: int) -> Array:
    """Return a random confusion matrix with these row sums and no empty cell; right more often than wrong, or not."""
    rng, m, right = random.Random(seed), len(sizes), (4, 1, 20, Fraction(1, 5))[seed % 4]
    table = np.empty((m, m), object)
    for j, n in enumerate(sizes):
        shares = [rng.randint(100, 999) * (right * m if k == j else 1) for k in range(m)]
        table[j] = [precise(n * s / sum(shares)) for s in shares]
    return table


def slopes_at(table: Array, cells: list[Cell]) -> Callable[[Any, Any], Slope | None]:
    """Return the function from (measure, average) to the score's value and gradient at a matrix; None where undefined."""
    sizes, hits, predicted = table.sum(axis=1), table.diagonal(), table.sum(axis=0)
    m, n, right = len(sizes), sizes.sum(), hits.sum()
    row, column = np.array(cells).T

    @cache
    def of_class(measure: Measure, j: int) -> Slope | None:
        v = (hits[j], predicted[j] - hits[j], sizes[j] - hits[j], n - sizes[j] - predicted[j] + hits[j])
        hit = _directional(measure, v, (1, 0, -1, 0)) if sizes[j] else (None, 0)
        alarm = _directional(measure, v, (0, 1, 0, -1)) if n > sizes[j] else hit and (hit[0], 0)
        return hit and alarm and (alarm[0], sizes[row] * ((column == j) * alarm[1] - (row == j) * hit[1]))

    def score(measure: Any, average: Any) -> Slope | None:
        if average == "matrix":
            return _of_matrix(measure, table, cells)
        if isinstance(average, int):
            return of_class(measure, average)
        if average in ("micro", "exemplar"):  # functions of the number of right examples
            pooled = (right, n - right, n - right, n * (m - 2) + right)
            slope = _directional(measure, pooled, (1, -1, -1, 1)) if average == "micro" else _per_example(measure, m, right, n)
            return slope and (slope[0], -sizes[row] * slope[1])
        weights = sizes if average == "weighted" else [1] * m
        units = [(w, *s) for j, w in enumerate(weights) if w and (s := of_class(measure, j))]
        total = sum(w for w, _, _ in units)
        return (sum(x * w for w, x, _ in units) / total, sum(g * w for w, _, g in units) / total) if units else None

    return score


def _directional(measure: Measure, v: Sequence[Any], direction: Sequence[int]) -> tuple[Any, Any] | None:
    """Return the value of a measure and its slope along a direction in the counts."""
    unit = min(x for x in v if x)

    def change(step: Any) -> Any:
        values = [_value(measure, [x + h * unit * d for x, d in zip(v, direction, strict=True)]) for h in (step, -step)]
        return None if None in values else (values[0] - values[1]) / (2 * step)

    value, fine, coarse = _value(measure, v), change(precise(STEP)), change(precise("1e-8"))
    if value is None or fine is None or coarse is None:
        return None
    if abs(fine - coarse) > max(abs(fine), abs(coarse)) / 10**6 + abs(value) / 10**12 + precise(CUT) ** 2:
        raise TypeError(
            f"{measure} is not computed with the digits it is given, so its slope is noise. Write it as a formula text, "
            "ix.measure('sqrt(tp/(tp+fn))'), and not with functions of math or numpy."
        )
    return value, fine / unit


def _value(measure: Measure, v: Iterable[Any]) -> Any:
    """Return the value of a measure as an mpmath number; None if it is undefined, infinite or not real."""
    params = {name: precise(as_written(x)) for name, x in measure.params.items()}
    try:
        value = measure.formula(*map(precise, v), **params)
    except ZeroDivisionError:  # a formula that writes / instead of ratio
        return None
    return None if hasattr(value, "_mpc_") or not math.isfinite(value) else precise(value)


def precise(x: Any) -> Any:
    """Return a number with the digits that slopes need."""
    return number(x, DIGITS)


def _per_example(measure: Measure, m: int, right: Any, n: Any) -> tuple[Any, Any] | None:
    """Return the mean over examples, each right or wrong, and its slope in the number of right ones."""
    if_right, if_wrong = _value(measure, (1, 0, 0, m - 1)), _value(measure, (0, 1, 1, m - 2))
    if if_right is None or if_wrong is None:  # what is undefined is left out, and the other value is the mean
        only = if_wrong if if_right is None else if_right
        return None if only is None else (only, 0)
    return (right * if_right + (n - right) * if_wrong) / n, (if_right - if_wrong) / n


def _of_matrix(measure: MatrixMeasure, table: Array, cells: list[Cell]) -> Slope | None:
    """Return a function of the whole matrix and its gradient in the rates of error."""

    def slope(j: int, k: int) -> Any:
        moved = np.zeros_like(table)
        moved[j, k], moved[j, j] = h * table[j].sum(), -h * table[j].sum()
        return (measure.function(table + moved) - measure.function(table - moved)) / (2 * h)

    h, centre = precise(STEP), precise(measure.function(table))
    return (centre, np.array([slope(j, k) for j, k in cells], object)) if math.isfinite(centre) else None
