"""Constraints on thresholds; the best thresholds that meet them.

A constraint is a measure that has to be at least, or at most, a number.

Values are compared as exact numbers where they are near the limit, so that 9 of 10 is at least 0.9.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import ALIASES, AVERAGES, BINARY, find_average
from ...algebra.counts import undecided_counts
from ...algebra.derived.derived_facts import directed
from ...algebra.measure import Measure
from ...algebra.measure_names import find_for_counts, split_score
from ...algebra.numbers.exact import as_written
from ...algebra.score import combine
from ...words.call_mistakes import answers_mistakes
from ...words.wording import short
from ..curves.ranked_units import ONE_COLUMN
from .best_thresholds import NEAR, ROUNDED, Best, BestPerClass, averages_of_best, best_of, intervals_of, lower_ends, values_of
from .formula_operands import exact_quotients

SIGN = re.compile(r"\s*([<>]=?)\s*")
TURNED = {">=": "<=", "<=": ">=", ">": "<", "<": ">"}
AND = re.compile(r"\s+and\s+|\s*,\s*(?=[^()]*(?:\(|$))")
EXAMPLE = "'precision >= 0.9', '0.5 <= precision <= 2/3', or 'precision >= 0.9 and fpr <= 0.1'"


@answers_mistakes
@dataclass(frozen=True)
class Constraint:
    """A measure and a limit that it must not pass; an undefined measure does not meet it.

    Attributes
    ----------
    measure : Measure
        What is limited; a name or a formula stands for it.
    sign : str
        '>=', '<=', '>' or '<'.
    limit : float or Fraction
        The number that it is compared with; a fraction such as 2/3 is exact.
    """

    measure: Measure
    sign: str
    limit: float | Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "measure", find_for_counts(self.measure, "a sweep counts entries or one class"))
        if self.sign not in TURNED:
            raise ValueError(f"sign={self.sign!r} is not one of {', '.join(map(repr, TURNED))}.")

    def __str__(self) -> str:
        limit = str(self.limit) if isinstance(self.limit, Fraction) else repr(float(self.limit)).removesuffix(".0")
        return f"{self.measure} {self.sign} {limit}"

    def met(self, ranking: Any) -> Array:
        """Return at which thresholds of a ranking the constraint is met.

        Parameters
        ----------
        ranking : Ranked
            One column of ranked scores, such as ``sweep(…).micro``.

        Returns
        -------
        array of bool
            One for each threshold, from +inf down.

        Examples
        --------
        >>> import indicatrix as ix
        >>> swept = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> (constraint,) = swept.best("recall", subject_to="precision > 0.5").subject_to
        >>> constraint.met(swept.of()).tolist()
        [False, True, False, True, False]
        """
        values, limit = values_of(self.measure, ranking), float(self.limit)
        near = np.flatnonzero(abs(values - limit) <= NEAR * max(1.0, abs(limit)))
        met = self._holds(values, limit)
        met[near] = self._sides(ranking, near, values[near]) > (-1 if self.sign[1:] else 0)
        return met

    def _holds(self, value: Array, limit: float) -> Array:
        """Return whether each value is on the right side of the limit; an undefined one is not."""
        turn = -1 if self.sign[0] == "<" else 1
        return np.asarray(
            np.isfinite(value) & ((turn * value >= turn * limit) if self.sign[1:] else (turn * value > turn * limit))
        )

    def _sides(self, ranking: Any, near: Array, values: Array) -> Array:
        """Return on which side of the limit values near it are: 1 where they should be, 0 at the limit.

        Without weights they are compared as exact numbers, where the formula is arithmetic.
        """
        exactly = None if ranking.weighted else exact_quotients(self.measure, ranking.counts_at(near))
        if exactly is not None:
            limit = as_written(self.limit)
            off = exactly[0] * limit.denominator - exactly[1] * limit.numerator
        else:  # irrational, or rounded sums of weights: values this near count as equal
            at = float(self.limit)
            off = np.where(abs(values - at) <= ROUNDED * max(1.0, abs(at)), 0.0, values - at)
        sides = np.asarray(off > 0, np.int64) - np.asarray(off < 0, np.int64)
        return -sides if self.sign[0] == "<" else sides


def read_constraints(subject_to: Any) -> tuple[Constraint, ...]:
    """Return the constraints that a text stands for, or several texts; each once.

    >>> [str(c) for c in read_constraints("precision >= 0.9 and f_beta(beta=2) > .5")]
    ['precision >= 0.9', 'f_beta(beta=2) > 0.5']
    >>> [str(c) for c in read_constraints("0.5 <= precision < 2/3")]
    ['precision >= 0.5', 'precision < 2/3']
    """
    if subject_to is None:
        return ()
    if isinstance(subject_to, Constraint):
        return (subject_to,)
    if isinstance(subject_to, str):
        found = [one for text in AND.split(subject_to.strip()) for one in _read(text)]
    elif isinstance(subject_to, Iterable):
        given = [*subject_to]
        for i, one in enumerate(given):
            if not isinstance(one, str | Constraint):
                raise TypeError(f"subject_to[{i}] is {short(one)}; each constraint is a text such as {EXAMPLE}.")
        found = [one for part in given for one in read_constraints(part)]
    else:
        raise TypeError(f"subject_to={short(subject_to)} must be a text such as {EXAMPLE}.")
    return tuple({str(one): one for one in found}.values())


def _read(text: str) -> Iterator[Constraint]:
    """Yield the constraint of a text, or both of a chain; the number may stand on either side."""
    parts = SIGN.split(text.strip())
    sides, signs = parts[::2], parts[1::2]
    if len(sides) == 2 and _limit(sides[0]) is not None:
        sides, signs = sides[::-1], [TURNED[signs[0]]]
    if len(sides) == 3 and signs[0][0] == signs[1][0]:
        low, middle, high = sides
        limited = [(middle, TURNED[signs[0]], low), (middle, signs[1], high)]
    else:
        limited = [(sides[0], signs[0], sides[1])] if len(sides) == 2 else []
    if not limited:
        raise ValueError(_refusal(text))
    for measure, sign, number in limited:
        limit = _limit(number)
        if limit is None or not measure or measure.endswith("=") or _limit(measure) is not None:
            raise ValueError(_refusal(text))
        _refuse_average(text, measure)
        yield Constraint(measure, sign, limit)  # type: ignore[arg-type]


def _refuse_average(text: str, measure: str) -> None:
    """Refuse an average before a measure: a threshold is for one column, or for all entries together."""
    average, *rest = measure.split(maxsplit=1)
    if rest and average in (*AVERAGES, *ALIASES, BINARY):
        raise ValueError(
            f"subject_to={text!r} names an average, and a constraint is about what one threshold decides: each class by itself "
            f"where classes have thresholds of their own, or else all entries. Write {text.replace(f'{average} ', '', 1)!r}."
        )


def _limit(text: str) -> float | Fraction | None:
    """Return the number that a text stands for; None for other texts."""
    try:
        limit = Fraction(text.replace(" ", "")) if "/" in text else float(text)
    except (ValueError, ZeroDivisionError):
        return None
    return limit if math.isfinite(limit) else None


def _refusal(text: str) -> str:
    return (
        f"subject_to={text!r} is not a constraint: a measure or a formula, one of >=, <=, > and <, and a number or a fraction of "
        f"whole numbers, as in {EXAMPLE}."
    )


def best_within(measure: Measure, ranking: Any, constraints: tuple[Constraint, ...]) -> Best:
    """Return the best value of a measure over the thresholds of a ranking that meet all constraints.

    >>> import indicatrix as ix
    >>> ranking = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).of()
    >>> best = best_within(ix.recall, ranking, read_constraints("precision >= 0.6"))
    >>> best.value, best.threshold, best.allowed
    (1.0, 0.35, ((0.4, 0.8), (0.1, 0.35)))
    """
    if not constraints:
        return best_of(measure, ranking)
    met = np.logical_and.reduce([c.met(ranking) for c in constraints])
    allowed = intervals_of(np.flatnonzero(met), ranking.thresholds, lower_ends(ranking))
    best, note = best_of(measure, ranking, met), "" if met.any() else why_none(constraints, ranking)
    if math.isnan(best.value) and not note:  # +inf, the rule where all is undefined, may not meet them
        note = f"{measure} is undefined or infinite at every threshold that meets {' and '.join(map(str, constraints))}."
    return replace(best, subject_to=constraints, allowed=allowed, note=note)


def why_none(constraints: tuple[Constraint, ...], ranking: Any) -> str:
    """Return why no threshold meets all constraints, and the nearest value of each that none meets."""
    alone = [c for c in constraints if not c.met(ranking).any()]
    if not alone:
        return f"No threshold meets {' and '.join(map(str, constraints))} together, though some thresholds meet each of them."
    return " ".join(f"No threshold meets {c}: {_nearest(c, ranking)}." for c in alone)


def _nearest(constraint: Constraint, ranking: Any) -> str:
    values = values_of(constraint.measure, ranking)
    values = values[np.isfinite(values)]
    if not len(values):
        return "it is undefined at every threshold"
    highest = constraint.sign[0] == ">"
    return f"its {'highest' if highest else 'lowest'} value is {values.max() if highest else values.min():.6g}"


def choose_best(
    source: Any, measure: str | Measure, unit: Any, average: str | None, subject_to: Any, better: str | None = None
) -> Best | BestPerClass:
    """Return the best value of a measure over the thresholds of a sweep, or of bins.

    With an average over classes each class has a threshold of its own, and meets the constraints by itself.

    >>> import indicatrix as ix
    >>> choose_best(ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), "f1", None, None, None).value
    0.8
    """
    measure, average = split_score(measure, average)
    found = directed(find_for_counts(measure, "a sweep counts entries or one class"), better)
    constraints = read_constraints(subject_to)
    if source.kind == "binary" and average not in (None, BINARY):
        raise ValueError(f"average={average!r}: {ONE_COLUMN}")
    if average is None or "class" not in find_average(average).per:
        return best_within(found, source.ranking(unit, average), constraints)
    if unit is not None:
        raise ValueError(f"average={average!r} is over all classes; leave out the column {unit!r}.")
    name, rule = averages_of_best(found).find(average)
    bests = {column: best_within(found, source.of(column), constraints) for column in source.columns}
    actual = np.array([(float(source.of(c).tpos), float(source.of(c).tneg)) for c in source.columns]).reshape(-1, 2).T
    weights = rule.weights(found, undecided_counts(*actual, per=rule.per, names=(source.columns,)))
    value = combine(np.array([best.value for best in bests.values()]), weights, "exclude")
    return BestPerClass(found, name, value, bests)
