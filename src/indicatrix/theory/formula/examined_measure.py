"""A measure under examination, in exact numbers and, where it is rational, as a rational function.

Kinks: where a formula changes from one smooth piece to another, as min, max and abs do.

Trials decide an equation between smooth formulas, because two that differ agree almost nowhere. With kinks this holds only within
each piece. So the pieces are found first, by recording which way every comparison goes at many count vectors.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.count_formula import is_symbol
from ...algebra.counts import Counts
from ...algebra.evidence import Evidence
from ...algebra.measure import Measure
from ...algebra.numbers.exact import Value, digits, exactly, is_defined, order
from ...algebra.numbers.recorded_counts import MODERATE, screen
from .cancellation import RationalForm, rational_form

CountVector = tuple[Any, ...]  # tp, fp, fn, tn in any numbers; the vectors of linear_fractional are fractions

# Generic count vectors of very different totals and skews, then ones with empty cells; only few, because some formulas are slow.
GENERIC: tuple[CountVector, ...] = (
    (3, 2, 5, 11),
    (41, 7, 2, 19),
    (1, 6, 3, 1),
    (2, 1, 1, 2),
    (5, 3, 17, 4),
    (640, 77, 59, 5),
    (23, 29, 31, 37),
    (5049, 4122, 9928, 13477),
)
SPARSE: tuple[CountVector, ...] = (
    (0, 3, 4, 9),
    (6, 0, 2, 5),
    (4, 3, 0, 8),
    (7, 5, 3, 0),
    (4, 0, 0, 7),
    (0, 5, 2, 0),
)
Partners = Callable[[Array], tuple[Array, Array]]  # rows of counts -> the two vectors of each pair
Sides = Callable[[RationalForm], tuple[Any, Any]]  # the two sides of an equation, over the field

# Many count vectors that are tried in floats first: all small ones, random shares of a thousand or more, cells of very different
# size, and extreme ones.
SCREEN = screen()
EACH = np.array(SCREEN, np.float64)
NEAR = 1e-9  # floats that differ by a smaller share may be equal
SMOOTH = 5  # every fifth vector is enough for a formula without kinks; 5 has no factor in common with the six small numbers
NOT_RATIONAL = "only SymPy can decide formulas with symbolic parameters, and this formula is not rational"
SUSPECTS = 12  # this many differences of floats are computed again exactly


@dataclass(frozen=True, eq=False)
class ExaminedMeasure:
    """A measure, its exact values, and its form as a rational function where SymPy finds one."""

    measure: Measure
    prove: bool = True  # whether to look for proofs: they cost time, most of all the import of SymPy

    @cached_property
    def symbolic(self) -> bool:
        """Whether a parameter is a symbol, so that only proofs can decide."""
        return any(is_symbol(x) for x in self.measure.params.values())

    @cached_property
    def value(self) -> Callable[..., Value]:
        """The exact value at four counts."""
        return exactly(self.measure)

    @cached_property
    def form(self) -> RationalForm | None:
        """The measure over a field of rational functions; None if it is not rational or ``prove`` is off."""
        return rational_form(self.measure) if self.prove or self.symbolic else None

    @cached_property
    def better(self) -> int:
        """1 if higher is better or if there is no direction, -1 if lower is better."""
        return -1 if self.measure.better == "lower" else 1

    @cached_property
    def vectors(self) -> Array:
        """The count vectors that are tried in floats: those of SCREEN, with kinks also between its pieces."""
        return self.with_thin_pieces(EACH)

    def with_thin_pieces(self, vectors: Array, place: Place = lambda v: v) -> Array:
        """Return vectors, and if M has kinks some in pieces between theirs; ``place`` maps them to counts."""
        if not self.kinked:
            return vectors
        return np.concatenate([vectors, counts_between(self.measure, vectors[:MODERATE], place)])

    @cached_property
    def kinked(self) -> bool:
        """Whether min, max, abs or comparisons make several pieces of M."""
        return has_kinks(comparisons(self.measure, EACH))

    @cached_property
    def screened(self) -> Any:
        """The values of all these vectors, in float64."""
        return self.floats(self.vectors)

    def floats(self, vectors: Any) -> Any:
        """Return the values of many count vectors in float64; they show where to compute exactly."""
        columns = [np.array(x, np.float64) for x in np.asarray(vectors).T]
        try:
            return np.array(self.measure.values(Counts(*columns, per=("unit",))), np.float64)
        except (ValueError, OverflowError):  # a function of one's own that has no value at some of them, such as log(0)
            return np.array([self._float(*v) for v in zip(*columns, strict=True)])

    def _float(self, *v: Any) -> float:
        try:
            return float(self.measure.values(Counts(*map(float, v))))
        except (ValueError, OverflowError):
            return math.nan

    @cached_property
    def pieces(self) -> Pieces | None:
        """The pieces of M, if min, max, abs or comparisons divide the counts into several; otherwise None."""
        signs = comparisons(self.measure, self.vectors) if self.kinked else None
        return None if signs is None else Pieces.of(signs)

    @property
    def doubt(self) -> str:
        """Why trials do not decide about all pieces of M; empty if they do."""
        return "" if self.pieces is None else self.pieces.doubt()

    def agrees(
        self, pairs: Iterable[tuple[CountVector, CountVector]], sides: Sides | None = None, partners: Partners | None = None
    ) -> Evidence:
        """Return whether M is the same at both vectors of every pair, where it is defined.

        ``sides`` are the two sides for all counts, for a proof. ``partners`` makes many more pairs: they are compared in floats,
        and exactly where floats differ and in each piece of M.
        """
        if self.symbolic:
            return self._proof(sides) or _by_proof_alone(self)
        seen: list[Value] = []
        no = self._first_difference(pairs, seen)
        if no is not None:
            return no
        proof = self._proof(sides) if seen else None
        if proof is not None:
            return proof
        trials = None if partners is None else self._trials(*partners(EACH[::SMOOTH] if self.pieces is None else self.vectors))
        if trials is not None:
            no = self._first_difference(trials.doubtful(), seen)
            if no is not None:
                return no
        if not seen:
            return Evidence(None, note="it is undefined at all counts tried")
        pieces = None if trials is None else trials.pieces
        if pieces is None:
            return Evidence(True, None, len(seen) // 2, digits(seen))
        doubt, found = pieces.doubt(), f"in all {len(pieces.sizes)} pieces that were found" if len(pieces.sizes) > 1 else ""
        return Evidence(None if doubt else True, None, len(seen) // 2, digits(seen), note=doubt or found)

    def _first_difference(self, pairs: Iterable[tuple[CountVector, CountVector]], seen: list[Value]) -> Evidence | None:
        """Return the evidence of the first pair with two values; add the values of all others to ``seen``."""
        for pair in pairs:
            values = tuple(self.value(*v) for v in pair)
            if is_defined(*values):
                if order(*values):
                    return Evidence(False, (pair, values), len(seen) // 2 + 1, digits(values))
                seen += values
        return None

    def _trials(self, before: Array, after: Array) -> _Trials:
        x, y = (self.screened if v is self.vectors else self.floats(v) for v in (before, after))
        pieces = None
        if self.pieces is not None:
            signs = [s for s in (comparisons(self.measure, v) for v in (before, after)) if s is not None]
            pieces = Pieces.of(np.hstack(signs), np.isfinite(x) & np.isfinite(y))
        return _Trials(before, after, x, y, pieces)

    def _proof(self, sides: Sides | None) -> Evidence | None:
        if sides is None or self.form is None:
            return None
        left, right = sides(self.form)
        if left is None or left != right:
            return None
        return Evidence(True, proof=f"both sides cancel to {rational_text(left)}")

    def differs(
        self, pairs: Iterable[tuple[CountVector, CountVector]], sides: Sides | None = None, partners: Partners | None = None
    ) -> Evidence:
        """Return whether M differs at some pair; a witness shows a yes, a proof shows a no."""
        same = self.agrees(pairs, sides, partners)
        if same.holds is None:
            return same
        return replace(same, holds=not same.holds)


@dataclass(frozen=True, eq=False)
class _Trials:
    """Many pairs of count vectors, the values of M there in floats, and the pieces in which they lie."""

    before: Array
    after: Array
    x: Array
    y: Array
    pieces: Pieces | None

    def doubtful(self) -> list[tuple[CountVector, CountVector]]:
        """Return the pairs at which floats differ, smallest counts first, and pairs of each piece."""
        with quiet():
            apart = abs(self.x - self.y) > NEAR * np.maximum(abs(self.x), abs(self.y))
        found = np.flatnonzero(np.isfinite(self.x) & np.isfinite(self.y) & apart)
        chosen = found[np.argsort(self.before[found].sum(axis=1), kind="stable")][:SUSPECTS].tolist()
        chosen += [] if self.pieces is None else self.pieces.members()
        return [(exact_counts(self.before[i]), exact_counts(self.after[i])) for i in chosen]


def _by_proof_alone(subject: ExaminedMeasure) -> Evidence:
    if subject.form is None:
        return Evidence(None, note=NOT_RATIONAL)
    return Evidence(False, proof=f"for {rational_text(subject.form.value)} the two sides do not cancel to the same function")


def is_nonnegative(x: Any) -> bool:
    """Return whether signs show that a rational function is not negative for any counts."""
    return bool(x == 0) or {c > 0 for poly in (x.numer, x.denom) for c in poly.coeffs()} == {True}


def rational_text(x: Any) -> str:
    """Return a rational function as text.

    >>> rational_text("2*tp/(tp + _d**2)")
    '2 tp/(tp + d^2)'
    """
    return re.sub(r"\b_([lud])\b", r"\1", str(x).replace("**", "^").replace("*", " "))


def exact_counts(v: Array) -> CountVector:
    """Return a row of floats as exact counts: integers, or fractions between them."""
    return whole_numbers(map(Fraction, v.tolist()))


def whole_numbers(v: Iterable[Any]) -> CountVector:
    """Return a count vector with integers instead of whole fractions, for print."""
    return tuple(int(x) if isinstance(x, Fraction) and x.denominator == 1 else x for x in v)


ENOUGH = 3  # count vectors in a piece; a piece found less often suggests others that were not found at all
MOST_PIECES = 128
LINES, MOST_TURNS, HALVINGS, ASIDE = 150, 500, 30, 1e-6  # on which pieces between others are looked for, and how finely
COMPARISONS = (np.minimum, np.maximum, np.less, np.less_equal, np.greater, np.greater_equal)
GRAIN = 2.0**20
Place = Callable[[Array], Array]
SQUARES = (np.absolute, np.power, np.square)  # an even power and a root together are an absolute value


class _Recorder(np.ndarray[Any, np.dtype[np.float64]]):
    """Counts that write down the signs of what a formula compares, or puts into abs or a power."""

    signs: list[Array]

    def __array_finalize__(self, source: Any) -> None:
        self.signs = getattr(source, "signs", [])

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [np.asarray(x) if isinstance(x, _Recorder) else x for x in inputs]
        if options.get("out"):
            options["out"] = tuple(np.asarray(x) for x in options["out"])
        self._record(ufunc, plain)
        result = np.asarray(getattr(ufunc, method)(*plain, **options)).view(_Recorder)
        result.signs = self.signs
        return result

    def _record(self, ufunc: Any, inputs: list[Any]) -> None:
        if ufunc in COMPARISONS:
            self.signs.append(np.sign(np.subtract(*inputs)))
        elif ufunc in SQUARES or (ufunc is np.multiply and np.array_equal(*inputs)):
            self.signs.append(np.sign(inputs[0]))


def comparisons(measure: Measure, vectors: Any) -> Array | None:
    """Return the sign of each comparison that a measure makes at each count vector: 1, 0, -1, or nan.

    There is one column for each comparison. None for a function that cannot be applied to arrays, such as one with an ``if``.

    >>> import indicatrix as ix
    >>> comparisons(ix.measure("min(tp, fp)/n"), [(1, 2, 0, 0), (2, 1, 0, 0)]).tolist()
    [[-1.0], [1.0]]
    """
    columns = np.array(vectors, np.float64).T
    counts = [x.copy().view(_Recorder) for x in columns]
    shared: list[Array] = []
    for x in counts:
        x.signs = shared
    try:
        with quiet():
            measure.function(*counts, **measure.params_for(counts[0]))
            signs = [np.broadcast_to(np.asarray(s, np.float64), len(columns[0])) for s in shared]
    except (TypeError, ValueError, ArithmeticError):
        return None
    return np.array(signs).T.reshape(len(columns[0]), len(signs))


def has_kinks(signs: Array | None) -> bool:
    """Return whether some comparison goes both ways."""
    return signs is not None and bool(((signs > 0).any(axis=0) & (signs < 0).any(axis=0)).any())


def counts_between(measure: Measure, vectors: Array, place: Place = lambda v: v) -> Array:
    """Return more vectors like the given ones, in pieces that lie between theirs, however thin.

    On lines from one piece to another, the point is found where each comparison turns. The new vectors lie between two such
    points, and close to each of them. They are multiples of 2**-20, so that floats hold them and small multiples of them exactly.
    ``place`` maps vectors to the counts that are meant, if they are not counts themselves.
    """
    rng = np.random.default_rng(0)
    start, end = (vectors[rng.integers(0, len(vectors), LINES)] for _ in range(2))
    first, last = comparisons(measure, place(start)), comparisons(measure, place(end))
    if first is None or last is None:
        return vectors[:0]
    line, which = (x[:MOST_TURNS] for x in np.nonzero(first * last < 0))
    below, above = np.zeros(len(line)), np.ones(len(line))
    for _ in range(HALVINGS):
        middle = (below + above) / 2
        signs = comparisons(measure, place(_along(start, end, line, middle)))
        assert signs is not None
        same = signs[np.arange(len(line)), which] == first[line, which]
        below, above = np.where(same, middle, below), np.where(same, above, middle)
    turns = [np.sort(below[line == i]) for i in range(LINES)]
    places = [(i, t) for i, at in enumerate(turns) if len(at) for t in (*(at[1:] + at[:-1]) / 2, *(at + ASIDE), *(at - ASIDE))]
    where, share = np.array([i for i, _ in places], int), np.clip([t for _, t in places], 0, 1)
    return np.asarray(np.rint(_along(start, end, where, share) * GRAIN) / GRAIN)


def _along(start: Array, end: Array, line: Array, share: Array) -> Array:
    made: Array = start[line] * (1 - share)[:, None] + end[line] * share[:, None]
    return made


@dataclass(frozen=True)
class Pieces:
    """The pieces of a formula on some count vectors: which piece each one is in, and how many there are."""

    labels: Array  # of each count vector; -1 on a border, or where it is not usable
    sizes: Array  # how many of the count vectors lie in each piece

    @staticmethod
    def of(signs: Array, usable: Array | bool = True) -> Pieces:
        """Return the pieces that the signs of all comparisons distinguish, where a count vector is usable."""
        both = signs[:, (signs > 0).any(axis=0) & (signs < 0).any(axis=0)]
        inside = (abs(both) == 1).all(axis=1) & usable
        labels = np.full(len(signs), -1)
        rows, found, sizes = np.unique(both[inside], axis=0, return_inverse=True, return_counts=True)
        labels[inside] = found.ravel()
        return Pieces(labels, sizes if len(rows) else np.zeros(0, int))

    def doubt(self) -> str:
        """Return why trials in these pieces do not decide; empty if they do."""
        if len(self.sizes) > MOST_PIECES:
            return f"min, max or abs divide the counts into {len(self.sizes)} pieces or more"
        rare = int((self.sizes < ENOUGH).sum())
        if rare:
            return f"in {rare} of {len(self.sizes)} pieces made by min, max or abs there were too few counts to try"
        return ""

    def members(self) -> list[int]:
        """Return the positions of some count vectors of each piece: the first, one between, and the last."""
        inside = (np.flatnonzero(self.labels == label) for label in range(min(len(self.sizes), MOST_PIECES)))
        return [int(i) for where in inside for i in dict.fromkeys((where[0], where[len(where) // 2], where[-1]))]
