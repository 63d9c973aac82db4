"""Which t-norms keep the marginals of the cells, and which their total: checks with a witness (def:marginal)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as pairs
from numbers import Rational
from typing import Any

from .tnorms import Binary, TNorm, tnorm

POINTS = sorted({Fraction(k, d) for d in (8, 3, 7, 10) for k in range(d + 1)})  # dyadic and not, closed under 1 - x


ROUNDING = 1e-12  # the error that a law may show on floats: thousands of times what rounding does


@dataclass(frozen=True)
class Check:
    """Whether a law holds at every point tried; true in an ``if``. The witness ends with the two sides that should agree."""

    holds: bool
    witness: tuple[Any, ...] | None
    trials: int
    tolerance: float = 0  # 0: every trial was exact

    def __bool__(self) -> bool:
        return self.holds


def _table(t: TNorm) -> tuple[dict[tuple[Any, Any], Any], float]:
    """Return T on all pairs of POINTS and the error to allow: exact if T is rational, in floats otherwise."""
    grid = list(pairs(POINTS, repeat=2))
    table: dict[tuple[Any, Any], Any] = {}
    try:
        for a, b in grid:
            table[a, b] = t(a, b)
            if not isinstance(table[a, b], Rational):
                break
        else:
            return table, 0
    except (TypeError, ValueError, AttributeError):
        pass  # a function of floats only
    return {(a, b): float(t(float(a), float(b))) for a, b in grid}, ROUNDING


def _verdict(trials: Iterable[tuple[Any, ...]], tolerance: float) -> Check:
    """Return the check of left = right over all trials (…, left, right), with the worst violation as witness."""
    every = list(trials)
    worst = max(every, key=lambda trial: math.inf if (gap := abs(trial[-2] - trial[-1])) != gap else gap)
    holds = bool(abs(worst[-2] - worst[-1]) <= tolerance)
    number: Callable[[Any], Any] = float if tolerance else Fraction
    return Check(holds, None if holds else tuple(map(number, worst)), len(every), tolerance)


def is_marginally_consistent(t: TNorm | str | Binary) -> Check:
    """Return whether T(a, b) + T(a, 1-b) = a and T(a, b) + T(1-a, b) = b: only the product does (def:marginal, thm:partition).

    >>> bool(is_marginally_consistent("product")), is_marginally_consistent("godel").witness[:2]
    (True, (Fraction(1, 2), Fraction(1, 2)))
    """
    table, tolerance = _table(tnorm(t))
    rows = [(a, b, both + table[a, 1 - b], a) for (a, b), both in table.items()]
    columns = [(a, b, both + table[1 - a, b], b) for (a, b), both in table.items()]
    return _verdict(rows + columns, tolerance)


def is_partition(t: TNorm | str | Binary) -> Check:
    """Return whether the four cells of every pair of memberships sum to one (eq:partition_only, cor:partition).

    >>> bool(is_partition("product")), bool(is_partition("frank(s=2)"))
    (True, False)
    """
    table, tolerance = _table(tnorm(t))
    cells = ((a, b, both + table[1 - a, b] + table[a, 1 - b] + table[1 - a, 1 - b], 1) for (a, b), both in table.items())
    return _verdict(cells, tolerance)
