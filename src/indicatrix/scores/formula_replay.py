"""Programs: the formula of a measure, recorded once and replayed for blocks of thresholds (prop:roc)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..algebra.arrays import Array, quiet
from ..algebra.measure import Measure
from ..ranking.ranked import Ranked

BLOCK = 1 << 14  # thresholds at a time: what is written down on the way stays in the cache
EXACT = 2**53  # integers below it are exact in float64


@dataclass(frozen=True, eq=False)
class Recorded:
    """What a formula does with the counts at every threshold: written down once, then done for many thresholds at a time.

    The counts of one ranking hang together, so that their sums and products are polynomials of tp and of tp + fp, and often
    short ones: tp + fn is a number, and tp*tn - fp*fn is n*tp - tpos*(tp + fp). Integer polynomials are kept while floats
    hold them exactly; any other step, such as a quotient, is kept as it is.
    """

    n: int
    terms: Mapping[tuple[int, int], int] | None  # the powers of tp and of tp + fp, and their coefficient
    step: tuple[Any, ...] = ()  # a function of NumPy, and what it is applied to

    __array_ufunc__ = None  # functions of NumPy refuse it, so that a formula that calls them is applied to arrays

    def __array__(self, *args: Any, **options: Any) -> Array:
        raise TypeError("A formula is applied to arrays where it needs one.")  # NumPy's nan_to_num would return it unchanged

    def __array_namespace__(self, api_version: str | None = None) -> Any:
        return Recorded  # whose one function is ...

    def sqrt(self) -> Recorded:
        """Return the square root."""
        return Recorded(self.n, None, (np.sqrt, self))

    def _with(self, other: Any) -> Recorded:
        if isinstance(other, Recorded):
            return other
        if not isinstance(other, int | float) or not math.isfinite(other) or other != int(other):
            raise TypeError("Only integers leave counts exact.")
        return Recorded(self.n, {(0, 0): int(other)})

    def _then(self, function: Any, other: Recorded, terms: Iterable[tuple[tuple[int, int], int]]) -> Recorded:
        step = (function, self, other)
        if self.terms is None or other.terms is None:
            return Recorded(self.n, None, step)
        total: dict[tuple[int, int], int] = {}
        for power, c in terms:
            total[power] = total.get(power, 0) + c
        most = sum(abs(c) * self.n ** sum(power) for power, c in total.items())
        return Recorded(self.n, {power: c for power, c in total.items() if c} if most < EXACT else None, step)

    def __add__(self, other: Any) -> Recorded:
        other = self._with(other)
        return self._then(np.add, other, (*_terms(self), *_terms(other)))

    def __sub__(self, other: Any) -> Recorded:
        other = self._with(other)
        return self._then(np.subtract, other, (*_terms(self), *((power, -c) for power, c in _terms(other))))

    def __mul__(self, other: Any) -> Recorded:
        other = self._with(other)
        pairs = ((p, q, a * b) for p, a in _terms(self) for q, b in _terms(other))
        return self._then(np.multiply, other, (((p[0] + q[0], p[1] + q[1]), c) for p, q, c in pairs))

    def __truediv__(self, other: Any) -> Recorded:
        return Recorded(self.n, None, (np.divide, self, self._with(other)))

    def __rsub__(self, other: Any) -> Recorded:
        return self._with(other) - self

    def __rtruediv__(self, other: Any) -> Recorded:
        return self._with(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __bool__(self) -> bool:
        raise TypeError("A formula with cases is applied to numbers.")

    def __eq__(self, other: object) -> bool:
        return bool(self)

    __hash__ = None  # type: ignore[assignment]

    @property
    def linear(self) -> bool:
        """Whether it is a sum of tp and tp + fp, times numbers, and a number."""
        return self.terms is not None and all(sum(power) < 2 for power in self.terms)


def _terms(recorded: Recorded) -> Iterable[tuple[tuple[int, int], int]]:
    return (recorded.terms or {}).items()


@dataclass(frozen=True, eq=False)
class Program:
    """Steps that compute a recorded formula, each from places to a place; the first two hold tp and tp + fp."""

    places: list[float | None] = field(default_factory=lambda: [None, None])  # numbers, or None for an array
    steps: list[tuple[Any, list[int], int]] = field(default_factory=list)
    done: dict[int, int] = field(default_factory=dict)  # where the values of steps taken before are

    def number(self, value: float) -> int:
        """Return the place of a number."""
        self.places.append(float(value))
        return len(self.places) - 1

    def take(self, function: Any, given: list[int], spare: Iterable[int] = ()) -> int:
        """Append a step and return the place of its values: one of the spare places, or a new one."""
        place = next((p for p in spare if p > 1 and self.places[p] is None), len(self.places))
        if place == len(self.places):
            self.places.append(None)
        self.steps.append((function, given, place))
        return place

    def write(self, recorded: Recorded) -> int:
        """Append all steps of a recorded formula and return the place of its values."""
        if recorded.linear:
            return self._sum(dict(_terms(recorded)))
        if id(recorded) not in self.done:
            function, *operands = recorded.step
            given = [self.write(x) for x in operands]
            spare = [place for place, x in zip(given, operands, strict=True) if x.linear]
            self.done[id(recorded)] = self.take(function, given, spare)
        return self.done[id(recorded)]

    def _sum(self, terms: dict[tuple[int, int], int]) -> int:
        constant = terms.pop((0, 0), 0)
        ordered = sorted(((c, 0 if power == (1, 0) else 1) for power, c in terms.items()), reverse=True)
        if not ordered or ordered[0][0] < 0:  # without a positive term, start from the number: a sum of zero is +0
            total, constant = self.number(constant), 0
        else:
            c, place = ordered.pop(0)
            total = place if c == 1 else self.take(np.multiply, [place, self.number(c)])
        for c, place in ordered:
            part = place if abs(c) == 1 else self.take(np.multiply, [place, self.number(abs(c))])
            total = self.take(np.add if c > 0 else np.subtract, [total, part], (total, part))
        return self.take(np.add, [total, self.number(constant)], (total,)) if constant else total

    def run(self, tp: Array, predicted: Array) -> Array:
        """Return what the last step gives at every threshold, a block of thresholds at a time."""
        values, size = np.empty(len(tp)), min(BLOCK, len(tp))
        room: list[Any] = [np.empty(size) if x is None else x for x in self.places]
        *steps, (function, last, _) = self.steps
        for start in range(0, len(tp), BLOCK):
            room[0], room[1] = tp[start : start + BLOCK], predicted[start : start + BLOCK]
            if len(room[0]) < size:
                room = [x[: len(room[0])] if isinstance(x, np.ndarray) else x for x in room]
            for each, given, place in steps:
                each(*[room[k] for k in given], out=room[place])
            function(*[room[k] for k in last], out=values[start : start + BLOCK])
        return values


def swept_values(measure: Measure, ranking: Ranked) -> Array | None:
    """Return a measure at every threshold of unweighted scores; None where its formula is more than arithmetic of integers.

    >>> import indicatrix as ix
    >>> swept_values(ix.recall, ix.sweep([0, 1, 1], [0.2, 0.5, 0.7]).of()).tolist()
    [0.0, 0.5, 1.0, 1.0]
    """
    if ranking.weighted:
        return None
    n, tpos = ranking.n, ranking.tpos
    four = {(1, 0): 1}, {(0, 1): 1, (1, 0): -1}, {(0, 0): tpos, (1, 0): -1}, {(0, 0): n - tpos, (0, 1): -1, (1, 0): 1}
    try:
        recorded = measure.formula(*(Recorded(n, terms) for terms in four), **measure.params)
    # What cannot be recorded raises some error: TypeError of comparisons, powers and NumPy's functions, AttributeError of
    # methods of arrays, whatever a formula says itself of a number that it does not know. No error is hidden by this: the
    # formula is then applied to arrays, where it works, or says again what is wrong.
    except Exception:
        return None
    if not isinstance(recorded, Recorded):
        return None
    program = Program()
    found = program.write(recorded)
    if recorded.linear:  # a count itself, or a number: there need be no step to get it
        program.take(np.positive, [found])
    with quiet():
        return program.run(*ranking.climb)
