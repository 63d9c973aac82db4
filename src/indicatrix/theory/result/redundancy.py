"""Redundancy: which scores of a confusion matrix do not follow from the others (sec:redundancy).

Scores of a confusion matrix and their gradients in the errors, to a hundred digits.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import BINARY, MICRO_AND_MACRO, NEEDS_POSITIVE, Average, averages_that, find_average, reads_confusion
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.numbers.exact import as_written, number
from ...catalogue.matrix_measures import of_table
from ...tally.regrouped import tally_of_confusion
from ...words.call_mistakes import answers_mistakes
from .examined_result import EACH_CLASS, NO_SCORES, WHOLE, Name, Scored, name_in_words, requested_scores, same_name_error

ALL_CLASSES = "each class"  # one score for each class; "class" alone is their plain mean, as in every other function
POINTS, CANDIDATES = 4, 12  # the number of generic confusion matrices that decide, and of those tried to find them


@answers_mistakes
@dataclass(frozen=True)
class Redundancy:
    """How many scores are independent, which ones, and what determines the others.

    Attributes
    ----------
    rank : int
        How many scores are independent.
    independent : tuple
        The independent scores, in the order given: a score that follows from earlier ones is left out.
    follows : mapping
        For each other score the independent scores that determine it; () if it does not change.
    degrees_of_freedom : int
        How many cells of the confusion matrix are free, with these class sizes.
    scores : tuple
        All scores that were compared, each as (measure, average).
    """

    rank: int
    independent: tuple[Name, ...]  # in the order given: a score that follows from earlier ones is left out
    follows: Mapping[Name, tuple[Name, ...]]  # score -> the independent scores that determine it; () if it does not change
    degrees_of_freedom: int
    scores: tuple[Name, ...]

    def __str__(self) -> str:
        what = "1 score" if len(self.scores) == 1 else f"{len(self.scores)} scores"
        lines = [f"{self.rank} of {what} independent; the confusion matrix has {self.degrees_of_freedom} degrees of freedom."]
        lines += [f"independent: {', '.join(map(name_in_words, self.independent))}"] if self.independent else []
        for name, others in self.follows.items():
            told = f"follows from {', '.join(map(name_in_words, others))}" if others else "does not change: a constant or a step"
            lines.append(f"{name_in_words(name)} {told}")
        return "\n".join(lines)


@answers_mistakes
def redundant(measures: Any, confusion: Any, *, averages: Iterable[str] | None = None, positive: Any = None) -> Redundancy:
    """Return which scores of a confusion matrix follow from the others, at fixed class sizes.

    Of the scores of one confusion matrix, many follow from the others once the class sizes are fixed: with two classes, recall
    and specificity determine F1, accuracy and MCC. Reporting all of them adds no information. This says which scores are
    independent, and from which of these each other score follows.

    Parameters
    ----------
    measures : iterable of str or Measure
        Measures, their names, or formulas. A pair (measure, average) gives one measure an average of its own.
    confusion : array-like or Evaluation
        A confusion matrix, rows true, or an evaluation that has one; only the class sizes matter.
    averages : iterable of str, optional
        Averages over classes or examples, or "micro"; also "binary", the positive class alone, and "each class", one score for
        each class. Default: "binary" for two classes of which one is positive, otherwise "micro" and "macro".
    positive : label, optional
        The positive class, for "binary".

    Returns
    -------
    Redundancy
        ``.rank``, the ``.independent`` scores, and what each of the others ``.follows`` from.

    Notes
    -----
    With fixed class sizes, a confusion matrix has one free error rate for each wrong class of each true class. The gradients of
    the scores with respect to these rates are compared at generic matrices of these sizes: a score follows from others if its
    gradient is always a combination of theirs. This decides for smooth scores; a step function has a gradient of zero as a
    constant has, although nothing determines it. A class without examples has no free rates, and its undefined values are left
    out of averages.

    Examples
    --------
    >>> import indicatrix as ix
    >>> r = ix.theory.redundant(["recall", "specificity", "f1"], [[30, 10], [5, 55]], positive=0)
    >>> r.rank, r.follows[("f1", "binary")]
    (2, (('recall', 'binary'), ('specificity', 'binary')))
    """
    sizes, classes, positive = _problem(confusion, positive)
    if averages is None:
        averages = (BINARY,) if positive is not None and len(classes) == 2 else MICRO_AND_MACRO
    scores = _by_name(requested_scores(measures, averages, matrix=True), classes, positive)
    names, freedom = tuple(scores), sum(n > 0 for n in sizes) * (len(sizes) - 1)
    if not freedom:
        return Redundancy(0, (), dict.fromkeys(names, ()), 0, names)
    whole = any(how is None for _, how in scores.values())
    eliminated = [_eliminate(rows) for rows in _gradients(scores, sizes, _free_cells(sizes, whole))]
    kept = max((kept for kept, _ in eliminated), key=len)
    follows = {}
    for i in sorted(set(range(len(names))).difference(kept)):
        needed = set[int]().union(*(made[i] for same, made in eliminated if same == kept))
        follows[names[i]] = tuple(names[k] for k in sorted(needed))
    return Redundancy(len(kept), tuple(names[i] for i in kept), follows, freedom, names)


def _problem(given: Any, positive: Any) -> tuple[list[Fraction], tuple[Any, ...], Any]:
    """Return the class sizes, the classes and the positive class, if there is one."""
    source = given if hasattr(given, "confusion") and hasattr(given, "classes") else tally_of_confusion(given, None)
    table, rows = source.confusion, source.aggregate("example")
    if ((rows.n > 0) & ((rows.tp + rows.fn != 1) | (rows.tp + rows.fp != 1))).any():
        raise ValueError(
            "Some examples have no true or no predicted class, so they are in no cell of the confusion matrix. "
            "Give them a separate class."
        )
    sizes = [sum(map(Fraction, row), Fraction(0)) for row in np.asarray(table).tolist()]
    if not any(sizes):
        raise ValueError("The confusion matrix is empty, so there are no scores to compare. Give one with examples.")
    if positive is None:
        positive = getattr(source, "positive", None)
        return sizes, source.classes, positive if positive in source.classes else None
    if positive not in source.classes:
        raise ValueError(f"positive={positive!r} is not a class. Choose from {source.classes!r}.")
    return sizes, source.classes, positive


def _by_name(wanted: Iterable[Scored], classes: tuple[Any, ...], positive: Any) -> dict[Name, tuple[Any, How]]:
    """Return the scores by name, each as a measure and how it is averaged."""
    scores: dict[Name, tuple[Any, How]] = {}
    for score in dict.fromkeys(wanted):  # an alias is the same score
        for name, how in _names(score, classes, positive).items():
            if scores.setdefault(name, (score.measure, how)) != (score.measure, how):
                raise same_name_error(name[0])
    if not scores:
        raise ValueError(NO_SCORES)
    return scores


def _names(score: Scored, classes: tuple[Any, ...], positive: Any) -> dict[Name, How]:
    measure, average = score
    if not measure.reads.averaged:
        return {(str(measure), WHOLE): None}
    rule = find_average(average)
    if average not in (BINARY, ALL_CLASSES) and not reads_confusion(rule):
        possible = (*averages_that(reads_confusion), BINARY, ALL_CLASSES)
        raise ValueError(
            f"average={average!r} is not a function of the confusion matrix here. Choose from {', '.join(possible)}."
        )
    if not score.exists:
        raise ValueError(
            f"{measure} exists only as {measure.averages[0]}. Give the pair ({measure.name!r}, {measure.averages[0]!r})."
        )
    if average == ALL_CLASSES:
        return {(str(measure), EACH_CLASS, c): j for j, c in enumerate(classes)}
    if average == BINARY and positive is None:
        raise ValueError(NEEDS_POSITIVE)
    return {(str(measure), average): classes.index(positive) if average == BINARY else rule}


def _free_cells(sizes: list[Fraction], whole: bool) -> list[Cell]:
    """Return the cells along which gradients are taken: all errors that can occur, or enough of them.

    A score of the counts per class changes by n[j] (A[k] - H[j]) with the rate of error (j, k), where H and A are its slopes
    in the hits and the false alarms of a class. One row, one column and one more cell per row give all these differences.
    """
    m, rows = len(sizes), [j for j, n in enumerate(sizes) if n]
    hub = rows[0]
    third = {j: next((k for k in range(m) if k not in (j, hub)), None) for j in rows}
    return [(j, k) for j in rows for k in range(m) if k != j and (whole or hub in (j, k) or k == third[j])]


def _gradients(scores: Mapping[Name, Any], sizes: list[Fraction], cells: list[Cell]) -> list[list[Slope]]:
    """Return the values and gradients of all scores at generic matrices where all are defined."""
    at_points: list[list[Slope]] = []
    undefined: dict[Name, None] = {}
    for seed in range(CANDIDATES):
        slope = slopes_at(generic_table(sizes, seed), cells)
        found = {name: slope(*score) for name, score in scores.items()}
        undefined |= {name: None for name, s in found.items() if s is None}
        if None not in found.values():
            at_points.append([s for s in found.values() if s is not None])
        if len(at_points) == POINTS:
            break
    if not at_points:
        raise ValueError(
            f"These scores are undefined for confusion matrices with these row sums: {', '.join(map(name_in_words, undefined))}. "
            "Leave them out."
        )
    return at_points


def _eliminate(slopes: list[Slope]) -> tuple[tuple[int, ...], dict[int, set[int]]]:
    """Return which gradients are independent of the earlier ones, and what each other one consists of."""
    cut = precise(CUT)
    basis: list[tuple[Any, Array, Array]] = []  # pivot, reduced row, its coefficients in the gradients
    made: dict[int, set[int]] = {}
    for i, (value, gradient) in enumerate(slopes):
        size = abs(gradient).max()
        if size <= cut * max(abs(value), cut):
            made[i] = set()
            continue
        rest, used = gradient / size, np.zeros(len(slopes), object)
        for pivot, row, parts in basis:
            rest, used = rest - row * rest[pivot], used + parts * rest[pivot]
        pivot = abs(rest).argmax()
        lead = rest[pivot]
        if abs(lead) > cut:
            basis.append((pivot, rest / lead, ((np.arange(len(slopes)) == i) * 1 - used) / lead))
        else:
            made[i] = {int(k) for k in np.flatnonzero(abs(used) > cut)}
    return tuple(i for i in range(len(slopes)) if i not in made), made


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
