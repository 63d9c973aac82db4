"""Which t-norms keep the marginals of the cells or their total: checks with a witness (def:marginal)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product as pairs
from numbers import Rational
from typing import Any, cast

from ...words.call_mistakes import answers_mistakes
from ..evidence import Evidence
from .tnorms import Binary, TNorm, tnorm, with_complement

POINTS = sorted({Fraction(k, d) for d in (8, 3, 7, 10) for k in range(d + 1)})  # dyadic and other; with each x also 1 - x


DIGITS = 12  # laws of irrational t-norms are compared to this many digits, on floats: thousands of times the rounding error


Cells = tuple[Any, Any, Any, Any]  # tp, fp, fn, tn of one entry


def _table(t: TNorm) -> tuple[dict[tuple[Any, Any], Cells], int | None]:
    """Return the cells of all pairs of POINTS, and the digits to compare; None if they are exact."""
    table: dict[tuple[Any, Any], Cells] = {}
    try:
        for pair, cells in _cells(t, POINTS):
            if not all(isinstance(cell, Rational) for cell in cells):
                break
            table[pair] = cells
        else:
            return table, None
    except (TypeError, ValueError, AttributeError):
        pass  # a function of floats only
    exact = {float(x): x for x in POINTS}
    found = _cells(t, [*exact])
    return {(exact[a], exact[b]): cast(Cells, tuple(map(float, cells))) for (a, b), cells in found}, DIGITS


def _cells(t: TNorm, points: list[Any]) -> Iterator[tuple[tuple[Any, Any], Cells]]:
    """Yield the pairs of points with their cells; each value of T is computed once."""
    both, complements = cache(t), {x: t.negation(x) for x in points}
    for a, b in pairs(points, repeat=2):
        not_a, not_b = complements[a], complements[b]
        yield (a, b), (both(a, b), both(not_a, b), both(a, not_b), both(not_a, not_b))


def _verdict(trials: Iterable[tuple[Any, ...]], digits: int | None) -> Evidence:
    """Return whether left = right in all trials (…, left, right); the witness is the worst violation."""
    every = list(trials)
    worst = max(every, key=lambda trial: math.inf if (gap := abs(trial[-2] - trial[-1])) != gap else gap)
    holds = bool(abs(worst[-2] - worst[-1]) <= (0 if digits is None else 10.0**-digits))
    number: Callable[[Any], Any] = Fraction if digits is None else float
    return Evidence(holds, None if holds else tuple(map(number, worst)), len(every), digits)


@answers_mistakes
def is_marginally_consistent(t: TNorm | str | Binary, negation: Any = None) -> Evidence:
    """Return whether T(a, b) + T(a, N(b)) = a and T(a, b) + T(N(a), b) = b; N(x) is mostly 1 - x.

    This holds only for the product with 1 - x.

    Parameters
    ----------
    t : str, TNorm or callable
        A t-norm, its name, or a function of two memberships.
    negation : str, Negation or callable, optional
        The complement of a membership, "sugeno(s=2)", "yager(w=2)" or another of ``ix.algebra.NEGATIONS``. Default: 1 - x.

    Returns
    -------
    Evidence
        True or false in an ``if``; ``.witness`` has two memberships at which it fails.

    Examples
    --------
    >>> import indicatrix as ix
    >>> bool(ix.algebra.is_marginally_consistent("product")), ix.algebra.is_marginally_consistent("godel").witness[:2]
    (True, (Fraction(1, 2), Fraction(1, 2)))
    """
    table, digits = _table(_with(t, negation))
    rows = [(a, b, tp + fn, a) for (a, b), (tp, _, fn, _) in table.items()]
    columns = [(a, b, tp + fp, b) for (a, b), (tp, fp, _, _) in table.items()]
    return _verdict(rows + columns, digits)


@answers_mistakes
def is_partition(t: TNorm | str | Binary, negation: Any = None) -> Evidence:
    """Return whether the four cells of every pair of memberships sum to one.

    The four cells then partition each entry.

    Parameters
    ----------
    t : str, TNorm or callable
        A t-norm, its name, or a function of two memberships.
    negation : str, Negation or callable, optional
        The complement of a membership, "sugeno(s=2)", "yager(w=2)" or another of ``ix.algebra.NEGATIONS``. Default: 1 - x.

    Returns
    -------
    Evidence
        True or false in an ``if``; ``.witness`` has two memberships at which it fails.

    Examples
    --------
    >>> import indicatrix as ix
    >>> bool(ix.algebra.is_partition("product")), bool(ix.algebra.is_partition("frank(s=2)"))
    (True, False)
    """
    table, digits = _table(_with(t, negation))
    return _verdict(((a, b, sum(cells), 1) for (a, b), cells in table.items()), digits)


def _with(t: TNorm | str | Binary, negation: Any) -> TNorm:
    return cast(TNorm, with_complement(tnorm(t), negation))
