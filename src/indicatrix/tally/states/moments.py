"""Second moments of the rows of label matrices, which the variance of a score needs.

Counts do not tell them, because the labels of one example are not independent. How they fall together is kept as sums of
products, for any measure that is chosen later, and without the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from .group_counts import Key, with_room

USUAL = 256  # up to this many classes moments are kept unless they are declined; above, only on request
MOST = 1 << 22  # numbers that all groups together may have; with more, only the moments of all examples are kept
KINDS = 4  # tp, fp, fn, and what these and tn leave of 1: 1 for an entry that was not observed, otherwise mostly 0

ABSENT = {  # why there are no moments
    "": "it was not kept",
    "off": "it was not kept, because moments=True was not given",
    "many": f"above {USUAL} classes it is kept only on request: evaluate with moments=True",
    "soft": f"for memberships and costs it is kept only up to {USUAL} classes",
    "priced": "costs of single examples have no common unit, in which it could be added exactly",
    "merged": "one of the evaluations that were added did not keep it",
    "groups": "it was kept for all groups together and not for each, because there are many groups",
    "changed": "it was not kept when the counts were changed",
    "device": "a stream of tensors keeps it up to 64 classes, and ix.Stream for more",
}
Absent = str  # a key of ABSENT
FINEST = -1100  # below every power of two that a float can be a multiple of


@dataclass(frozen=True, eq=False, slots=True)
class Products:
    """The exact sums of products of two entries of z = (1, tp, fp, fn, rest) over rows of examples.

    ``rest`` is 1 - tp - fp - fn - tn, so tn follows. tp, fp, fn and rest have one entry for each class; rows of which nothing was
    observed are left out. With weights, each product counts as often as the square of the weight. Only products that occur are
    kept: of entries i <= j, at the key i * (4m + 1) + j.
    """

    m: int
    keys: Array  # ascending
    values: Array  # integers; fractions where examples have weights
    weight: Any  # the sum of the weights of the examples, or their number
    unit: int = 0  # entries other than the first are whole multiples of 2**unit, and the integers say how many

    def __post_init__(self) -> None:
        self.keys.flags.writeable = self.values.flags.writeable = False

    @property
    def pairs(self) -> tuple[Array, Array]:
        """The two entries of each product."""
        first, second = np.divmod(self.keys, width(self.m))
        return first, second

    @property
    def squares(self) -> Any:
        """The sum of the squares of the weights, or the number of examples."""
        return self.values[0] if len(self.keys) and self.keys[0] == 0 else 0

    def __add__(self, other: Products) -> Products:
        unit = min(self.unit, other.unit)
        one, two = self.in_units(unit), other.in_units(unit)
        values = with_room(np.concatenate([one.values, two.values]))
        if np.array_equal(one.keys, two.keys):
            keys, values = one.keys, values.reshape(2, -1).sum(axis=0)
        else:
            keys, values = sum_of_each(np.concatenate([one.keys, two.keys]), values)
        return Products(self.m, keys, values, self.weight + other.weight, unit)

    def __sub__(self, other: Products) -> Products:
        less = self + replace(other, values=-other.values, weight=-other.weight)
        here = less.values != 0
        return replace(less, keys=less.keys[here], values=less.values[here])

    def in_units(self, unit: int) -> Products:
        """Return the same moments in smaller units."""
        if unit == self.unit:
            return self
        first, second = self.pairs
        shift = (self.unit - unit) * ((first > 0).astype(np.int64) + (second > 0))
        values = self.values.astype(object) * np.array([1 << k for k in shift.tolist()], object)
        return replace(self, values=narrow(values), unit=unit)

    def widen(self, position: Array, m: int) -> Products:
        """Return the same moments on ``m`` classes, with the old classes at the given positions.

        In the new classes every entry is a true negative, which adds nothing.
        """
        place = np.append(0, (1 + np.arange(KINDS)[:, None] * m + position).ravel())
        return self._move(place, m)

    def only(self, columns: Array) -> Products:
        """Return the moments of some classes."""
        own = np.full(self.m, -1)
        own[columns] = np.arange(len(columns))
        place = 1 + np.arange(KINDS)[:, None] * len(columns) + own
        return self._move(np.append(0, np.where(own < 0, -1, place).ravel()), len(columns))

    def _move(self, place: Array, m: int) -> Products:
        first, second = (place[side] for side in self.pairs)
        here = (first >= 0) & (second >= 0)
        first, second = first[here], second[here]
        keys = np.minimum(first, second) * width(m) + np.maximum(first, second)
        order = np.argsort(keys)
        return replace(self, m=m, keys=keys[order], values=self.values[here][order])


def width(m: int) -> int:
    """Return how many entries z has with m classes.

    >>> width(2)
    9
    """
    return 1 + KINDS * m


def in_coarsest_units(values: Array, powers: Any, unit: int) -> tuple[Array, int]:
    """Return numbers in the coarsest unit, at most 1, of which they are whole multiples, with that unit.

    A number stands for itself times the unit to its own power, 0, 1 or 2. Sums of the same examples may be in several units.

    >>> in_coarsest_units(np.array([3, 8, 64]), np.array([0, 1, 2]), -20)
    (array([3, 1, 1]), -17)
    """
    powers = np.broadcast_to(powers, values.shape)
    zeros = [_halvings(values[(powers == power) & (values != 0)]) // power for power in (1, 2)]
    coarsest = max(min(unit + min(zeros), 0), FINEST)
    if coarsest == unit and values.dtype != object:
        return values, unit
    factors = [Fraction(2) ** (power * (unit - coarsest)) for power in range(3)]
    exact = [Fraction(x) * factors[power] for x, power in zip(values.ravel().tolist(), powers.ravel().tolist(), strict=True)]
    plain = np.empty(len(exact), object)
    plain[:] = [x.numerator if x.denominator == 1 else x for x in exact]
    return narrow(plain).reshape(values.shape), coarsest


def _halvings(values: Array) -> int:
    """Return how often all these numbers can be halved and stay whole; below 0 if some are not whole."""
    if values.dtype != object:
        every = int(np.bitwise_or.reduce(values)) if len(values) else 0
        return (every & -every).bit_length() - 1 if every else -FINEST
    parts = [(x.numerator, x.denominator) for x in map(Fraction, values.tolist())]
    found = (((n & -n).bit_length() - (d & -d).bit_length()) for n, d in parts)
    return min(found, default=-FINEST)


def sum_of_each(keys: Array, values: Array) -> tuple[Array, Array]:
    """Return each key once, ascending, with the sum of its values."""
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    return keys[first], np.add.reduceat(values, first) if len(first) else values


def narrow(values: Array) -> Array:
    """Return Python integers as integers of 64 bits, where all of them fit."""
    whole = all(type(v) is int and abs(v) < 2**62 for v in values)
    return values.astype(np.int64) if whole else values


@dataclass(frozen=True, eq=False, slots=True)
class Moments:
    """The second moments of all examples, of each group, and of the examples without a predicted class."""

    whole: Products
    groups: Mapping[Key, Products] | None = None  # None: there are no groups, or too many
    declined: Mapping[Key, Products] | None = None  # of each group that has some, or of all at (); None: they are not known
    any_size: bool = False  # they are kept however many classes there are

    def __add__(self, other: Moments) -> Moments:
        groups = None if self.groups is None or other.groups is None else _add(self.groups, other.groups)
        groups = None if groups is None or not fits(len(groups), self.whole.m) else groups
        known = [own if groups is not None else _together(own) for own in (self.declined, other.declined) if own is not None]
        declined = _add(*known) if len(known) == 2 else None
        return Moments(self.whole + other.whole, groups, declined, self.any_size and other.any_size)

    def widen(self, position: Array, m: int) -> Moments:
        """Return the same moments on ``m`` classes."""
        groups, declined = (
            None if each is None else {key: own.widen(position, m) for key, own in each.items()}
            for each in (self.groups, self.declined)
        )
        return Moments(self.whole.widen(position, m), groups, declined, self.any_size)

    def only(self, columns: Array) -> Moments:
        """Return the moments of some classes; which examples have a prediction among them is not known."""
        groups = None if self.groups is None else {key: own.only(columns) for key, own in self.groups.items()}
        return Moments(self.whole.only(columns), groups, None, self.any_size)

    def answered(self) -> Moments | Absent:
        """Return the moments of the examples with a predicted class."""
        gone = self.declined
        if gone is None:
            return "changed"
        whole = self.whole
        for own in gone.values():
            whole = whole - own
        groups = None if self.groups is None else {k: own - gone[k] if k in gone else own for k, own in self.groups.items()}
        return Moments(whole, groups, {}, self.any_size)

    def with_group_names(self, rename: Callable[[Mapping[Key, Any]], Mapping[Key, Any]]) -> Moments:
        """Return the same moments with other names of the groups."""
        if self.groups is None:
            return self
        return replace(self, groups=rename(self.groups), declined=None if self.declined is None else rename(self.declined))

    def take(self, keys: Mapping[Key, Key]) -> Moments | Absent:
        """Return the moments of some groups under shorter names."""
        if self.groups is None:
            return "groups"
        own, gone = {short: self.groups[key] for short, key in keys.items()}, self.declined
        declined = None if gone is None else {short: gone[key] for short, key in keys.items() if key in gone}
        return Moments(_total(own.values(), self.whole.m), None if () in own else own, declined, self.any_size)


def _add(one: Mapping[Key, Products], other: Mapping[Key, Products]) -> dict[Key, Products]:
    return {**one, **other, **{key: one[key] + other[key] for key in one if key in other}}


def _together(groups: Mapping[Key, Products]) -> dict[Key, Products]:
    """Return the moments of all groups together, without the names of the groups."""
    return {(): _total(groups.values(), next(iter(groups.values())).m)} if groups else {}


def _total(some: Iterable[Products], m: int) -> Products:
    return sum(some, no_moments(m))


def usual(m: int) -> bool:
    """Return whether moments of this many classes are kept without a request.

    >>> usual(256), usual(257)
    (True, False)
    """
    return m <= USUAL


def fits(groups: int, m: int) -> bool:
    """Return whether the moments of this many groups are few enough to be kept."""
    return groups * width(m) * (width(m) + 1) // 2 <= MOST


def no_moments(m: int) -> Products:
    """Return the moments of no examples."""
    return Products(m, np.zeros(0, np.int64), np.zeros(0, np.int64), 0)
