"""Which t-norms keep the marginals of the cells or their total: checks with a witness (def:marginal)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product as pairs
from numbers import Rational
from typing import Any

from .evidence import Evidence
from .tnorms import Binary, TNorm, tnorm

POINTS = sorted({Fraction(k, d) for d in (8, 3, 7, 10) for k in range(d + 1)})  # dyadic and other; with each x also 1 - x


DIGITS = 12  # laws of irrational t-norms are compared to so many digits, on floats: thousands of times the rounding error


def _table(t: TNorm) -> tuple[dict[tuple[Any, Any], Any], int | None]:
    """Return T on all pairs of POINTS, and the digits to compare; None if T is rational and so exact."""
    grid = list(pairs(POINTS, repeat=2))
    table: dict[tuple[Any, Any], Any] = {}
    try:
        for a, b in grid:
            table[a, b] = t(a, b)
            if not isinstance(table[a, b], Rational):
                break
        else:
            return table, None
    except (TypeError, ValueError, AttributeError):
        pass  # a function of floats only
    return {(a, b): float(t(float(a), float(b))) for a, b in grid}, DIGITS


def _verdict(trials: Iterable[tuple[Any, ...]], digits: int | None) -> Evidence:
    """Return whether left = right in all trials (…, left, right); the witness is the worst violation."""
    every = list(trials)
    worst = max(every, key=lambda trial: math.inf if (gap := abs(trial[-2] - trial[-1])) != gap else gap)
    holds = bool(abs(worst[-2] - worst[-1]) <= (0 if digits is None else 10.0**-digits))
    number: Callable[[Any], Any] = Fraction if digits is None else float
    return Evidence(holds, None if holds else tuple(map(number, worst)), len(every), digits)


def is_marginally_consistent(t: TNorm | str | Binary) -> Evidence:
    """Return whether T(a, b) + T(a, 1-b) = a and T(a, b) + T(1-a, b) = b.

    This holds only for the product (def:marginal, thm:partition).

    Parameters
    ----------
    t : str, TNorm or callable
        A t-norm, its name, or a function of two memberships.

    Returns
    -------
    Evidence
        True or false in an ``if``; ``.witness`` has two memberships at which it fails.

    Examples
    --------
    >>> import indicatrix as ix
    >>> bool(ix.is_marginally_consistent("product")), ix.is_marginally_consistent("godel").witness[:2]
    (True, (Fraction(1, 2), Fraction(1, 2)))
    """
    table, digits = _table(tnorm(t))
    rows = [(a, b, both + table[a, 1 - b], a) for (a, b), both in table.items()]
    columns = [(a, b, both + table[1 - a, b], b) for (a, b), both in table.items()]
    return _verdict(rows + columns, digits)


def is_partition(t: TNorm | str | Binary) -> Evidence:
    """Return whether the four cells of every pair of memberships sum to one.

    The four cells then partition each entry (eq:partition_only, cor:partition).

    Parameters
    ----------
    t : str, TNorm or callable
        A t-norm, its name, or a function of two memberships.

    Returns
    -------
    Evidence
        True or false in an ``if``; ``.witness`` has two memberships at which it fails.

    Examples
    --------
    >>> import indicatrix as ix
    >>> bool(ix.is_partition("product")), bool(ix.is_partition("frank(s=2)"))
    (True, False)
    """
    table, digits = _table(tnorm(t))
    cells = ((a, b, both + table[1 - a, b] + table[a, 1 - b] + table[1 - a, 1 - b], 1) for (a, b), both in table.items())
    return _verdict(cells, digits)
