"""Constraints on thresholds: a measure that has to be at least, or at most, a number.

Values are compared as exact numbers where they are near the limit, so that 9 of 10 is at least 0.9.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.counts import Counts
from ..algebra.exact import as_written
from ..algebra.measure import Measure
from ..algebra.measure_names import find_for_counts
from .best import NEAR, ROUNDED, Best, best_of, intervals_of, lower_ends, values_of

PARTS = re.compile(r"^(?P<measure>.+?)\s*(?P<sign>[<>]=?)\s*(?P<limit>[^<>=]+)$")
AND = re.compile(r"\s+and\s+|\s*,\s*(?=[^()]*(?:\(|$))")
EXAMPLE = "'precision >= 0.9', or 'precision >= 0.9 and fpr <= 0.1'"


@dataclass(frozen=True)
class Constraint:
    """A measure and a limit that it must not pass; where the measure is undefined, the constraint is not met.

    Attributes
    ----------
    measure : Measure
        What is limited.
    sign : str
        '>=', '<=', '>' or '<'.
    limit : float
        The number that it is compared with.
    """

    measure: Measure
    sign: str
    limit: float

    def __str__(self) -> str:
        return f"{self.measure} {self.sign} {self.limit:g}"

    def met(self, ranking: Any) -> Array:
        """Return at which thresholds of a ranking the constraint is met."""
        values = values_of(self.measure, ranking)
        near = np.flatnonzero(abs(values - self.limit) <= NEAR * max(1.0, abs(self.limit)))
        met = self._holds(values, self.limit)
        met[near] = [self._met_exactly(ranking, int(k), float(values[k])) for k in near]
        return met

    def _holds(self, value: Any, limit: Any) -> Any:
        """Return whether a value, or each of several, is on the right side; an undefined one is not."""
        if self.sign[0] == "<":
            value, limit = -value, -limit
        return np.isfinite(value) & ((value >= limit) if self.sign[1:] else (value > limit))

    def _met_exactly(self, ranking: Any, k: int, value: float) -> bool:
        """Return whether the constraint is met at one threshold near the limit, without rounding where there are no weights."""
        exact = value if ranking.weighted else self.measure(Counts(*map(Fraction, ranking.counts_at(k))))
        if isinstance(exact, Fraction | int):
            above = Fraction(exact) - as_written(self.limit)
            side = (above > 0) - (above < 0)
        else:  # irrational, or a rounded sum of weights: values this near count as equal
            off = float(exact) - self.limit
            side = 0 if abs(off) <= ROUNDED * max(1.0, abs(self.limit)) else 1 if off > 0 else -1
        return bool(side * (-1 if self.sign[0] == "<" else 1) > 0 or (side == 0 and self.sign[1:]))


def read_constraints(subject_to: Any) -> tuple[Constraint, ...]:
    """Return the constraints that a text stands for, or several texts.

    >>> [str(c) for c in read_constraints("precision >= 0.9 and f_beta(beta=2) > .5")]
    ['precision >= 0.9', 'f_beta(beta=2) > 0.5']
    """
    if subject_to is None:
        return ()
    if isinstance(subject_to, Constraint):
        return (subject_to,)
    if isinstance(subject_to, str):
        return tuple(_read_one(text) for text in AND.split(subject_to.strip()))
    if not isinstance(subject_to, Iterable):
        raise TypeError(f"subject_to={subject_to!r} must be a text such as {EXAMPLE}.")
    return tuple(one for part in subject_to for one in read_constraints(part))


def _read_one(text: str) -> Constraint:
    parts = PARTS.match(text.strip())
    try:
        limit = float(parts["limit"]) if parts else np.nan
    except ValueError:
        limit = np.nan
    if parts is None or not np.isfinite(limit):
        raise ValueError(
            f"subject_to={text!r} is not a constraint: a measure or a formula, one of >=, <=, > and <, and a number, as in {EXAMPLE}."
        )
    return Constraint(find_for_counts(parts["measure"], "a sweep counts entries or one class"), parts["sign"], limit)


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
    note = "" if met.any() else why_none(constraints, ranking)
    return replace(best_of(measure, ranking, met), subject_to=constraints, allowed=allowed, note=note)


def why_none(constraints: tuple[Constraint, ...], ranking: Any) -> str:
    """Return why no threshold meets all constraints, with the nearest value of each that none meets by itself."""
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
