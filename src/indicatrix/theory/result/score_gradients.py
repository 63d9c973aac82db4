"""Scores of a confusion matrix and their gradients in the errors, to a hundred digits."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import Average
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.numbers.exact import as_written, number
from ...catalogue.matrix_measures import of_table

DIGITS = 150  # slopes are differences of values with this many digits, with a step of a third of them
STEP, CUT = "1e-50", "1e-30"  # a slope is then right to about 1e-100, far below what counts as zero

Cell = tuple[int, int]
Slope = tuple[Any, Any]  # the value of a score and its gradient, or its slope along one direction
How = Average | int | None  # the average of a score; or the number of its class; or None if it reads the whole matrix


def generic_table(sizes: list[Fraction], seed: int) -> Array:
    """Return a random confusion matrix with these row sums and no empty cell.

    Depending on the seed, it is more often right than wrong, or not.
    """
    rng, m, right = random.Random(seed), len(sizes), (4, 1, 20, Fraction(1, 5))[seed % 4]
    table = np.empty((m, m), object)
    for j, n in enumerate(sizes):
        shares = [rng.randint(100, 999) * (right * m if k == j else 1) for k in range(m)]
        table[j] = [precise(n * s / sum(shares)) for s in shares]
    return table


@dataclass(frozen=True)
class _Formula:
    """A function of four counts with its name, and advice on how to write it if it rounds."""

    value: Callable[..., Any]  # takes and returns mpmath numbers
    name: str
    advice: str


def _measure_formula(measure: Measure) -> _Formula:
    params = {name: precise(as_written(x)) for name, x in measure.params.items()}
    advice = "Write it as a formula text, ix.measure('sqrt(tp/(tp+fn))'), and not with functions of math or numpy."
    return _Formula(lambda *v: measure.function(*v, **params), str(measure), advice)


def _weight_formula(average: Average, measure: Measure) -> _Formula:
    advice = "Write it as plain arithmetic, without functions of math or numpy."

    def weight(*v: Any) -> Any:
        return 1 if average.weight is None else average.amounts(measure, Counts(*v, signed=True))

    return _Formula(weight, f"The weight in the average of {measure}", advice)


def slopes_at(table: Array, cells: list[Cell]) -> Callable[[Any, How], Slope | None]:
    """Return the function that gives the value and the gradient of a score.

    Its arguments are the measure and how it is averaged; it returns None where the score is undefined.
    """
    sizes, hits, predicted = table.sum(axis=1), table.diagonal(), table.sum(axis=0)
    m, n, right = len(sizes), sizes.sum(), hits.sum()
    row, column = np.array(cells).T

    @cache
    def of_class(measure: Measure, j: int, weighing: Average | None = None) -> Slope | None:
        """Return the value of a class, or its weight in an average, with the gradient."""
        formula = _measure_formula(measure) if weighing is None else _weight_formula(weighing, measure)
        v = (hits[j], predicted[j] - hits[j], sizes[j] - hits[j], n - sizes[j] - predicted[j] + hits[j])
        hit = _directional(formula, v, (1, 0, -1, 0)) if sizes[j] else (None, 0)
        alarm = _directional(formula, v, (0, 1, 0, -1)) if n > sizes[j] else hit and (hit[0], 0)
        return hit and alarm and (alarm[0], sizes[row] * ((column == j) * alarm[1] - (row == j) * hit[1]))

    def of_right(slope: Slope | None) -> Slope | None:
        """Return the gradient of a score that depends on the number of right examples."""
        return slope and (slope[0], -sizes[row] * slope[1])

    def score(measure: Any, how: How) -> Slope | None:
        if how is None:
            return _of_matrix(measure, table, cells)
        if isinstance(how, int):
            return of_class(measure, how)
        if how.pools:
            pooled = (right, n - right, n - right, n * (m - 2) + right)
            return of_right(_directional(_measure_formula(measure), pooled, (1, -1, -1, 1)))
        if how.per == ("example",):
            return of_right(_per_example(measure, how, m, right, n))
        none = np.full(len(cells), precise(0))
        weights = [(precise(1), none) if how.weight is None else of_class(measure, j, how) for j in range(m)]
        return _weighted_mean([of_class(measure, j) for j in range(m)], weights)

    return score


def _weighted_mean(values: Sequence[Slope | None], weights: Sequence[Slope | None]) -> Slope | None:
    """Return the weighted mean of values and its slope; None where it is undefined.

    Weights may have slopes, too. Units without a value are left out; units with a value need a weight.
    """
    units = []
    for value, weight in zip(values, weights, strict=True):
        if value is not None:
            if weight is None:
                return None
            units.append((value, weight))
    total = sum(w for _, (w, _) in units)
    if not total:
        return None
    mean = sum(w * x for (x, _), (w, _) in units) / total
    return mean, sum(w * dx + (x - mean) * dw for (x, dx), (w, dw) in units) / total


def _directional(formula: _Formula, v: Sequence[Any], direction: Sequence[int]) -> Slope | None:
    """Return the value of a formula and its slope along a direction in the counts."""
    unit = min(x for x in v if x)

    def change(step: Any) -> Any:
        values = [_value(formula, [x + h * unit * d for x, d in zip(v, direction, strict=True)]) for h in (step, -step)]
        return None if None in values else (values[0] - values[1]) / (2 * step)

    value, fine, coarse = _value(formula, v), change(precise(STEP)), change(precise("1e-8"))
    if value is None or fine is None or coarse is None:
        return None
    if abs(fine - coarse) > max(abs(fine), abs(coarse)) / 10**6 + abs(value) / 10**12 + precise(CUT) ** 2:
        raise TypeError(f"{formula.name} loses digits of its arguments, so its slope cannot be computed. {formula.advice}")
    return value, fine / unit


def _value(formula: _Formula, v: Iterable[Any]) -> Any:
    """Return the value of a formula as an mpmath number; None if it is undefined, infinite or not real."""
    try:
        value = formula.value(*map(precise, v))
    except ZeroDivisionError:  # a formula that writes / instead of ratio
        return None
    return None if hasattr(value, "_mpc_") or not math.isfinite(value) else precise(value)


def precise(x: Any) -> Any:
    """Return a number with the digits that slopes need."""
    return number(x, DIGITS)


def _per_example(measure: Measure, average: Average, m: int, right: Any, n: Any) -> Slope | None:
    """Return the mean over examples, each right or wrong, and its slope in the number of right ones."""
    measured, weighed = _measure_formula(measure), _weight_formula(average, measure)
    values, weights = [], []
    for v, times, slope in (((1, 0, 0, m - 1), right, 1), ((0, 1, 1, m - 2), n - right, -1)):
        x, w = _value(measured, v), _value(weighed, v)
        values.append(None if x is None else (x, 0))
        weights.append(None if w is None else (w * times, w * slope))
    return _weighted_mean(values, weights)


def _of_matrix(measure: Measure, table: Array, cells: list[Cell]) -> Slope | None:
    """Return a function of the whole matrix and its gradient in the rates of error."""

    def slope(j: int, k: int) -> Any:
        moved = np.zeros_like(table)
        moved[j, k], moved[j, j] = h * table[j].sum(), -h * table[j].sum()
        return (of_table(measure, table + moved) - of_table(measure, table - moved)) / (2 * h)

    h, center = precise(STEP), precise(of_table(measure, table))
    return (center, np.array([slope(j, k) for j, k in cells], object)) if math.isfinite(center) else None
