"""A measure under examination, in exact numbers and, where it is rational, as a rational function."""

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
from ...algebra.derived.trial_counts import MODERATE, screen
from ...algebra.evidence import Evidence
from ...algebra.measure import Measure
from ...algebra.numbers.exact import Value, digits, exactly, is_defined, order
from .cancellation import RationalForm, rational_form
from .kinks import Pieces, Place, comparisons, counts_between, has_kinks

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
