"""Bootstrap replicates of the counts, for the intervals of any function of them.

Every example counts in each replicate as often as a random weight says. Examples are not kept, and no measure is chosen.
The weight of a row in a replicate depends on a seed, the number of the row and the number of the replicate, and on nothing else:
not on the batch that the row came in, nor on how many rows or replicates there are. So any batches, counted in any order and on
any machine, give the same replicates as all rows at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ...algebra.arrays import Array
from ...words.call_mistakes import answers_mistakes
from ...words.wording import check_at_most, short
from .group_counts import with_room
from .moments import narrow

# How many of 65,536 numbers have the weight 0, 1, 2, …: Poisson(1), rounded so that mean and variance are exactly 1.
TIMES = (24109, 24110, 12055, 4017, 1005, 201, 34, 4, 1)
WEIGHT = np.repeat(np.arange(len(TIMES), dtype=np.float32), TIMES)
WEIGHT.flags.writeable = False
MOST_SEED = 2**64  # seeds are below

# SplitMix64 (Steele, Lea and Flood 2014): a counter that grows by an odd number, and a function that mixes its bits.
STEP = np.uint64(0x9E3779B97F4A7C15)
MIX = ((np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB)))
LAST = np.uint64(31)


def weights_of(rows: Array, number: int, seed: int) -> Array:
    """Return how often each row is in each replicate, of shape (rows, number): whole numbers as floats.

    Seed and number of a row start the generator of this row; each 64 bits of it give four weights.

    >>> weights_of(np.array([7, 8]), 6, seed=0).astype(int).tolist()
    [[2, 0, 0, 1, 1, 0], [1, 0, 1, 2, 2, 2]]
    """
    start = _mix(np.full(1, seed, np.uint64))
    start = _mix(start + rows.astype(np.uint64) * STEP)
    counter = np.arange(1, -(-number // 4) + 1, dtype=np.uint64) * STEP
    bits = _mix(start[:, None] + counter)
    quarters = bits.astype("<u8", copy=False).view("<u2")[:, :number]
    return np.take(WEIGHT, quarters, mode="clip")  # no number is outside; to clip is faster than to check


def _mix(z: Array) -> Array:
    """Return numbers with their bits mixed, in place."""
    for shift, factor in MIX:
        z ^= z >> shift
        z *= factor
    z ^= z >> LAST
    return z


ABSENT = {  # why there are no replicates
    "": "they were not kept",
    "merged": "one of the evaluations that were added did not keep them",
    "groups": "they were kept for all groups together and not for each",
    "changed": "they were not kept when the counts were changed",
}
Absent = str  # a key of ABSENT
MOST_REPLICATES = 100_000
MOST_ROW = 2**62  # numbers of rows are below


@answers_mistakes
@dataclass(frozen=True)
class Replicates:
    """How many bootstrap replicates of the counts ``evaluate`` keeps, and the rows of a batch.

    Attributes
    ----------
    number : int
        How many replicates; 200 are enough for an interval.
    seed : int
        Where the random weights start; the same seed gives the same replicates.
    first_row : int
        The number of the first row of a batch. Batches that continue each other give the replicates of all rows at once.

    Examples
    --------
    >>> import indicatrix as ix
    >>> y, z = [{"a"}, {"a", "b"}, set(), {"b"}], [{"a"}, {"b"}, {"a"}, {"b"}]
    >>> first = ix.evaluate(y[:2], z[:2], replicates=ix.types.Replicates(200))
    >>> rest = ix.evaluate(y[2:], z[2:], replicates=ix.types.Replicates(200, first_row=2))
    >>> whole = ix.evaluate(y, z, replicates=200)
    >>> together = first + rest
    >>> together.interval("f1", "macro", method="replicates") == whole.interval("f1", "macro", method="replicates")
    True
    """

    number: int
    seed: int = 0
    first_row: int = 0

    def __post_init__(self) -> None:
        _check("number", self.number, 2, 2**63, "a whole number of replicates from 2, such as 200")
        check_at_most(
            "replicates", int(self.number), MOST_REPLICATES, "200 are enough for an interval, and each keeps all counts."
        )
        _check("seed", self.seed, 0, MOST_SEED, "a whole number from 0 to 2**64 - 1")
        _check("first_row", self.first_row, 0, MOST_ROW, "the number of the first row of the batch, from 0")


def _check(name: str, given: object, least: int, most: int, possible: str) -> None:
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or not least <= given < most:
        raise ValueError(f"Replicates: {name}={short(given)} must be {possible}.")


def replicates_of(given: object) -> Replicates | None:
    """Return what ``replicates=`` asks for."""
    if given is None or isinstance(given, Replicates):
        return given
    if isinstance(given, bool) or not isinstance(given, int | np.integer):
        raise TypeError(
            f"replicates={short(given)} must be a number such as 200, or ix.types.Replicates(200, seed=1, first_row=0)."
        )
    return Replicates(int(given))


@dataclass(frozen=True, eq=False, slots=True)
class Sums:
    """The counts per class of each replicate, and how many examples it has."""

    cells: Array  # (4, B, m) integers
    examples: Array  # (B,) integers; an example of which nothing was observed does not count
    n: int  # examples that were drawn from
    unit: int = 0  # the integers count multiples of 2**unit

    def __post_init__(self) -> None:
        self.cells.flags.writeable = self.examples.flags.writeable = False

    @property
    def number(self) -> int:
        """The number of replicates."""
        return len(self.examples)

    def first(self, number: int) -> Sums:
        """Return the first replicates."""
        return self if number == self.number else replace(self, cells=self.cells[:, :number], examples=self.examples[:number])

    def __add__(self, other: Sums) -> Sums:
        unit, number = min(self.unit, other.unit), min(self.number, other.number)
        one, two = (side.first(number).in_units(unit) for side in (self, other))
        cells = with_room(np.stack([one.cells, two.cells]))
        return Sums(cells.sum(axis=0), one.examples + two.examples, self.n + other.n, unit)

    def __sub__(self, other: Sums) -> Sums:
        return self + replace(other, cells=-other.cells, examples=-other.examples, n=-other.n)

    def in_units(self, unit: int) -> Sums:
        """Return the same counts in smaller units."""
        if unit == self.unit:
            return self
        larger = self.cells.astype(object) * (1 << (self.unit - unit))
        return replace(self, cells=narrow(larger.ravel()).reshape(larger.shape), unit=unit)

    def widen(self, position: Array, m: int) -> Sums:
        """Return the same counts on ``m`` classes, with the old classes at the given positions.

        In the new classes every example is a true negative.
        """
        own = self.in_units(min(self.unit, 0))
        cells = np.zeros((4, self.number, m), own.cells.dtype)
        cells[3] = (own.examples.astype(cells.dtype) * (1 << -own.unit))[:, None]
        cells[:, :, position] = own.cells
        return replace(own, cells=cells)

    def only(self, columns: Array) -> Sums:
        """Return the counts of some classes."""
        return replace(self, cells=self.cells[:, :, columns])

    def counts(self) -> Array:
        """Return the counts as floats, (4, B, m)."""
        return np.ldexp(self.cells.astype(np.float64), self.unit)


Range = tuple[int, int, int]  # a seed, and the first row and the row after the last that have weights of it


@dataclass(frozen=True, eq=False, slots=True)
class Replicated:
    """The replicates of all examples, of those without a predicted class, and which rows they have."""

    whole: Sums
    declined: tuple[Sums, ...] | None  # (): every example has an answer; None: they are not known
    rows: tuple[Range, ...]  # in order, as few as possible

    def __add__(self, other: Replicated) -> Replicated:
        rows = join_rows((*self.rows, *other.rows))
        declined = None if self.declined is None or other.declined is None else _total(self.declined + other.declined)
        return Replicated(self.whole + other.whole, declined, rows)

    def widen(self, position: Array, m: int) -> Replicated:
        """Return the same replicates on ``m`` classes."""
        declined = None if self.declined is None else tuple(some.widen(position, m) for some in self.declined)
        return replace(self, whole=self.whole.widen(position, m), declined=declined)

    def only(self, columns: Array) -> Replicated:
        """Return the replicates of some classes; which examples have a prediction among them is not known."""
        return replace(self, whole=self.whole.only(columns), declined=None)

    def answered(self) -> Replicated | Absent:
        """Return the replicates of the examples with a predicted class."""
        if self.declined is None:
            return "changed"
        whole = self.whole
        for some in self.declined:
            whole = whole - some
        return replace(self, whole=whole, declined=())


def _total(some: tuple[Sums, ...]) -> tuple[Sums, ...]:
    return some if len(some) < 2 else (some[0] + some[1],)


def join_rows(rows: tuple[Range, ...]) -> tuple[Range, ...]:
    """Return ranges of rows in order, those that touch as one; refuse two that have a row in common.

    >>> join_rows(((0, 10, 20), (1, 0, 5), (0, 0, 10)))
    ((0, 0, 20), (1, 0, 5))
    """
    ordered = sorted(rows)
    joined: list[Range] = ordered[:1]
    for (seed, _, last), (other, first, end) in pairwise(ordered):
        if seed == other and first < last:
            raise ValueError(
                f"These evaluations have replicates with the same random weights: both have row {first} of seed {seed}. Number "
                f"the rows of each batch, such as replicates=ix.types.Replicates(200, first_row={last}), or give each its own "
                "seed=."
            )
        if seed == other and first == last:
            joined[-1] = (seed, joined[-1][1], end)
        else:
            joined.append((other, first, end))
    return tuple(joined)
