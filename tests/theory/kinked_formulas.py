"""Random formulas with min, max, abs and powers, and an exact search for counterexamples to what is said of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any

from formulas import IMPROVING, NUMBERS, positive, signed
from hypothesis import strategies as st

from indicatrix.algebra.exact import defined, exactly, order

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


Exact = Callable[..., Any]


def differ(value: Exact, v: Vector, w: Vector) -> bool:
    x, y = value(*v), value(*w)
    return defined(x, y) and order(x, y) != 0


def unequal_pairs(value: Exact, partner: Callable[[Vector], Vector | None]) -> Iterator[Any]:
    """Yield count vectors whose partner has another value."""
    for v in (*SMALL, *OUTSIDE):
        w = partner(v)
        if w is not None and differ(value, v, w):
            yield v, w


def skew(v: Vector) -> Vector | None:
    tp, fp, fn, tn = v
    return (2 * tp, 3 * fp, 2 * fn, 3 * tn) if tp + fn and fp + tn else None


def worse(value: Exact, sign: int, move: Vector) -> Iterator[Any]:
    """Yield count vectors that a correction makes worse."""
    for v in (*SMALL, *OUTSIDE):
        w = tuple(x + d for x, d in zip(v, move, strict=True))
        if min(w) >= 0 and defined(value(*v), value(*w)) and sign * order(value(*w), value(*v)) < 0:
            yield v, w


def not_an_end(value: Exact, sign: int, at: Callable[[int, int], Vector]) -> Iterator[Any]:
    """Yield what shows that the values there are not one value beyond which there is no other."""
    ends = [at(x, y) for x, y in product(range(1, 6), repeat=2)]
    first = value(*ends[0])
    for v in ends:
        if not defined(value(*v)) or order(value(*v), first):
            yield ends[0], v
            return
    for v in (*SMALL, *OUTSIDE):
        if defined(value(*v)) and sign * order(value(*v), first) > 0:
            yield ends[0], v


def not_linear(value: Exact, a: tuple[Fraction, ...], b: tuple[Fraction, ...]) -> Iterator[Any]:
    for v in (*SMALL, *OUTSIDE):
        x = value(*v)
        if not defined(x):
            continue
        top, bottom = (sum((c * y for c, y in zip(side, v, strict=True)), Fraction(0)) for side in (a, b))
        if bottom == 0 or order(x, top / bottom):
            yield v


def counterexamples(measure: Any, known: Any) -> Iterator[tuple[str, Any]]:
    """Yield the properties that are said to hold, each with count vectors that contradict."""
    value, sign = cache(exactly(measure)), -1 if measure.better == "lower" else 1
    claims: dict[str, Iterator[Any]] = {
        "scale_free": unequal_pairs(value, lambda v: tuple(2 * x for x in v)),
        "skew_invariant": unequal_pairs(value, skew),
        "symmetric_classes": unequal_pairs(value, lambda v: v[::-1]),
        "symmetric_roles": unequal_pairs(value, lambda v: (v[0], v[2], v[1], v[3])),
        "upper_boundary": not_an_end(value, sign, lambda x, y: (x, 0, 0, y)),
        "lower_boundary": not_an_end(value, -sign, lambda x, y: (0, x, y, 0)),
        "bounded": (v for v in SMALL if isinstance(value(*v), float) and math.isinf(value(*v))),
        "constant_baseline": ((v, w) for v, w in pairwise(GUESSES) if differ(value, v, w)),
    }
    for name, found in claims.items():
        if getattr(known, name):
            yield from ((name, each) for each in found)
    for name, moves in (
        ("monotone", ((1, 0, -1, 0), (0, -1, 0, 1))),
        ("monotone_per_cell", ((1, 0, 0, 0), (0, -1, 0, 0), (0, 0, -1, 0), (0, 0, 0, 1))),
    ):
        if getattr(known, name):
            yield from ((name, each) for move in moves for each in worse(value, sign, move))
    if known.decomposable and known.a is not None:
        yield from (("decomposable", v) for v in not_linear(value, known.a, known.b))
    if known.complete is False:  # a no says that some cell never matters
        cells = [[*unequal_pairs(value, raised(i))] for i in range(4)]
        if all(cells):
            yield "complete", [each[0] for each in cells]
    if known.tn_survives_at_tp0 is False:
        yield from (("tn_survives_at_tp0", (v, w)) for v, w in unequal_pairs(value, raised(3)) if v[0] == 0 and v[1] and v[2])


def raised(cell: int) -> Callable[[Vector], Vector]:
    return lambda v: tuple(x + (i == cell) for i, x in enumerate(v))
