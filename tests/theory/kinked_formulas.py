"""Random formulas with min, max, abs and powers, and an exact search for counterexamples to what is said of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
from formulas import IMPROVING, NUMBERS, positive, signed
from hypothesis import strategies as st

from indicatrix.algebra.numbers.exact import exactly, is_defined, order

LARGEST = 5  # all count vectors with smaller cells are tried, and these, which lie outside them
OUTSIDE = (
    (5, 3, 1, 0),
    (7, 0, 2, 9),
    (1, 8, 0, 6),
    (30, 1, 2, 4),
    (2, 40, 1, 1),
    (1, 1, 90, 3),
    (6, 2, 1, 300),
    (11, 13, 17, 19),
)
SMALL = tuple(product(range(LARGEST), repeat=4))
VECTORS = (*SMALL, *OUTSIDE)
GUESSES = tuple(
    (p * q, r * q, p * s, r * s) for p, r, q, s in product((1, 2, 3, 7), repeat=4)
)  # truth and prediction independent
Vector = tuple[int, ...]

ratios = st.builds("{}/{}".format, signed | positive, positive) | st.sampled_from(IMPROVING)


@st.composite
def kinked(draw: st.DrawFn, depth: int = 2) -> str:
    """Return a formula in which min, max, abs and powers join ratios of linear forms."""
    part = kinked(depth - 1) if depth > 1 else ratios | positive
    a, b, c = draw(part), draw(ratios), draw(ratios)
    k, power = draw(st.sampled_from(NUMBERS)), draw(st.sampled_from(("2", "3", "0.5", "-1")))
    shapes = (
        *(f"min({a}, {b})", f"max({a}, {b})", f"abs({a} - {b})", f"min({a}, {b}, {c})", f"max({a}, {k}*{b})", f"min({a}, {k})"),
        *(f"max({a} - {k}, 0)", f"abs({a})**{power}", f"({a})**{power}", f"min({a}, {b}) + {c}", f"max({a}, {b})*({c})"),
        *(f"({a})/max({b}, {c})", f"min({a}, {b}) + max({a}, {b})", f"(({a} - {b})**2)**0.5", f"min({a}, {b})/max({a}, {b})"),
        *(f"abs({a} - {b}) + {c}", f"1 - abs({a} - {b})", f"max({a}, {b}) - min({a}, {b})"),
    )
    return draw(st.sampled_from(shapes))


@st.composite
def symmetric_kinks(draw: st.DrawFn) -> str:
    """Return a formula that often has the properties: min and max of rates, and of cells that can be exchanged."""
    x, y = draw(
        st.sampled_from(
            (("tp/tpos", "tn/tneg"), ("tp/ppos", "tp/tpos"), ("fp/n", "fn/n"), ("tp/n", "tn/n"), ("tn/pneg", "tn/tneg"))
        )
    )
    shape = draw(
        st.sampled_from(("min({}, {})", "max({}, {})", "abs({} - {})", "1 - abs({} - {})", "min({}, {})**2", "max({}, {})**0.5"))
    )
    return shape.format(x, y)


def formulas() -> st.SearchStrategy[str]:
    return kinked() | kinked(1) | symmetric_kinks()


Pairs = tuple[tuple[Vector, Vector], ...]
NEAR = 1e-9  # floats that differ by more are computed again exactly; values at such small counts differ by much more, or not


def pairs_with(partner: Callable[[Vector], Vector | None]) -> Pairs:
    """Return every count vector that has a partner, with the partner."""
    return tuple((v, w) for v in VECTORS if (w := partner(v)) is not None)


def skew(v: Vector) -> Vector | None:
    tp, fp, fn, tn = v
    return (2 * tp, 3 * fp, 2 * fn, 3 * tn) if tp + fn and fp + tn else None


def raised(cell: int) -> Callable[[Vector], Vector]:
    return lambda v: tuple(x + (i == cell) for i, x in enumerate(v))


def moved(step: Vector) -> Callable[[Vector], Vector | None]:
    return lambda v: w if min(w := tuple(x + d for x, d in zip(v, step, strict=True))) >= 0 else None


EQUAL = {  # what is said to hold -> count vectors whose values are then equal
    "scale_free": pairs_with(lambda v: tuple(2 * x for x in v)),
    "skew_invariant": pairs_with(skew),
    "symmetric_classes": pairs_with(lambda v: v[::-1]),
    "symmetric_roles": pairs_with(lambda v: (v[0], v[2], v[1], v[3])),
    "constant_baseline": tuple(pairwise(GUESSES)),
}
RAISED = [pairs_with(raised(i)) for i in range(4)]
BETTER = {  # what is said to hold -> count vectors of which the second is then not worse
    "monotone": [pairs_with(moved(step)) for step in ((1, 0, -1, 0), (0, -1, 0, 1))],
    "monotone_per_cell": [pairs_with(moved(step)) for step in ((1, 0, 0, 0), (0, -1, 0, 0), (0, 0, -1, 0), (0, 0, 0, 1))],
}
ENDS = {
    "upper_boundary": (1, [(x, 0, 0, y) for x, y in product(range(1, 6), repeat=2)]),
    "lower_boundary": (-1, [(0, x, y, 0) for x, y in product(range(1, 6), repeat=2)]),
}


@cache
def cells(vectors: tuple[Vector, ...]) -> Any:
    return np.array(vectors, np.float64).T


class Searched:
    """A measure, searched for counterexamples: floats say where to look, and exact values decide."""

    def __init__(self, measure: Any) -> None:
        self.formula, self.value = measure.function, cache(exactly(measure))
        self.sign = -1 if measure.better == "lower" else 1

    def floats(self, vectors: tuple[Vector, ...]) -> Any:
        with np.errstate(all="ignore"):
            return np.broadcast_to(np.asarray(self.formula(*cells(vectors)), np.float64), len(vectors))

    def suspects(self, pairs: Pairs, sign: int = 0) -> Iterator[tuple[Vector, Vector]]:
        """Yield the pairs whose floats differ or, with a sign, whose second is worse.

        Also those with full cells that floats cannot compute: the root of a 0 that comes out as -1e-17 is a value, too.
        """
        x, y = (self.floats(side) for side in zip(*pairs, strict=True))
        with np.errstate(all="ignore"):
            apart, far = y - x, NEAR * np.maximum(1, np.maximum(abs(x), abs(y)))
        found = (sign * apart < -far) if sign else (abs(apart) > far)
        unknown = ~(np.isfinite(x) & np.isfinite(y))
        for i in np.flatnonzero(found | unknown):
            if not unknown[i] or min(pairs[i][0]) > 0:
                yield pairs[i]

    def unequal(self, pairs: Pairs) -> Iterator[tuple[Vector, Vector]]:
        """Yield the pairs with two values."""
        return ((v, w) for v, w in self.suspects(pairs) if self.defined(v, w) and order(self.value(*v), self.value(*w)))

    def worse(self, pairs: Pairs) -> Iterator[tuple[Vector, Vector]]:
        """Yield the pairs of which the second is worse."""
        for v, w in self.suspects(pairs, self.sign):
            if self.defined(v, w) and self.sign * order(self.value(*w), self.value(*v)) < 0:
                yield v, w

    def defined(self, *vectors: Vector) -> bool:
        return is_defined(*(self.value(*v) for v in vectors))

    def not_an_end(self, sign: int, ends: list[Vector]) -> Iterator[Any]:
        """Yield what shows that the values there are not one value beyond which there is no other."""
        first = self.value(*ends[0])
        for v in ends:
            if not self.defined(v) or order(self.value(*v), first):
                yield ends[0], v
                return
        for _, v in self.suspects(tuple((ends[0], v) for v in VECTORS), -sign):
            if self.defined(v) and sign * order(self.value(*v), first) > 0:
                yield ends[0], v

    def infinite(self) -> Iterator[Vector]:
        """Yield count vectors at which the value is infinite; divided by a 0 that is 1e-17 in floats, it is large there."""
        for i in np.flatnonzero(~(abs(self.floats(SMALL)) < 1 / NEAR)):
            if isinstance(x := self.value(*SMALL[i]), float) and math.isinf(x):
                yield SMALL[i]

    def not_linear(self, a: tuple[Fraction, ...], b: tuple[Fraction, ...]) -> Iterator[Vector]:
        """Yield count vectors at which the value is not that of these coefficients."""
        found, (top, bottom) = self.floats(VECTORS), (np.array(side, np.float64) @ cells(VECTORS) for side in (a, b))
        with np.errstate(all="ignore"):
            fits = (abs(found * bottom - top) <= NEAR) & (abs(bottom) > NEAR)
        for v in (VECTORS[i] for i in np.flatnonzero(~fits & (np.isfinite(found) | (cells(VECTORS).min(axis=0) > 0)))):
            x, (over, under) = self.value(*v), (sum(c * y for c, y in zip(side, v, strict=True)) for side in (a, b))
            if is_defined(x) and (under == 0 or order(x, Fraction(over) / under)):
                yield v


def counterexamples(measure: Any, known: Any) -> Iterator[tuple[str, Any]]:
    """Yield the properties that are said to hold, each with count vectors that contradict."""
    searched = Searched(measure)
    for name, pairs in EQUAL.items():
        if getattr(known, name):
            yield from ((name, each) for each in searched.unequal(pairs))
    for name, (side, ends) in ENDS.items():
        if getattr(known, name):
            yield from ((name, each) for each in searched.not_an_end(side * searched.sign, ends))
    if known.bounded:
        yield from (("bounded", v) for v in searched.infinite())
    for name, moves in BETTER.items():
        if getattr(known, name):
            yield from ((name, each) for pairs in moves for each in searched.worse(pairs))
    if known.decomposable and known.a is not None:
        yield from (("decomposable", v) for v in searched.not_linear(known.a, known.b))
    if known.complete is False:  # a no says that some cell never matters
        each_cell = [next(searched.unequal(pairs), None) for pairs in RAISED]
        if all(each_cell):
            yield "complete", each_cell
    if known.tn_survives_at_tp0 is False:
        yield from (("tn_survives_at_tp0", (v, w)) for v, w in searched.unequal(RAISED[3]) if v[0] == 0 and v[1] and v[2])
