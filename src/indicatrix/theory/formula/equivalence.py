"""Whether two measures are the same: in every value, or in how they order predictions.

Orders are compared among the predictions on one test set (sec:ranking_curves).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from itertools import cycle, pairwise, product
from typing import Any

import numpy as np

from ...algebra.arrays import quiet
from ...algebra.count_formula import is_symbol
from ...algebra.derived.derived_facts import SIGNS, about_direction
from ...algebra.evidence import Evidence
from ...algebra.measure import Measure
from ...algebra.measure_names import find
from ...algebra.numbers.exact import Value, digits, exactly, is_defined, order
from ...algebra.numbers.linear_fractional import count_vectors
from ...words.call_mistakes import answers_mistakes
from .cancellation import rational_function
from .examined_measure import NEAR, SUSPECTS, CountVector, ExaminedMeasure, exact_counts

SMALL = 4  # all count vectors with cells below this are tried: every pattern of empty cells and of ties between margins
GENERIC = 60  # and this many random ones with cells up to thousands
# Test sets (tpos, tneg); all their predictions are compared. Sets of one class come last: their witnesses say less.
TEST_SETS = (*product(range(1, 7), repeat=2), (8, 17), (19, 6), *((0, k) for k in range(7)), *((k, 0) for k in range(1, 7)))
STEPS = ((101, 257, 577, 947), (-811, 389, -163, 619))  # in units of 1/10007
# Values that symbols take in turn: some for domains that are all numbers, some for domains that are shares.
VALUES: tuple[tuple[Fraction | int, ...], ...] = ((2, 3, 5, 7), tuple(Fraction(1, k) for k in (3, 5, 7, 11)), (Fraction(2, 3), 4))
REMEMBERED = 256  # measures: more than the catalogue has
_Ordered = cmp_to_key(order)
PLACES = {-1: "below", 0: "equal to", 1: "above"}


@answers_mistakes
def equivalent(first: str | Measure, second: str | Measure, *, up_to: str = "value") -> Evidence:
    """Return whether two measures always have the same values, or rank predictions in the same way.

    ``"value"``: equal wherever both are defined, and defined at the same counts. There are two exceptions: counts with an empty
    cell, where one way of writing a quotient is 0/0 and another is not; and gaps, counts at which one is undefined while both
    are defined around them. A note names an exception. The witness of a no is a count vector with both values, one of which may
    be nan.

    ``"ranking"``: on one test set, the better prediction by one measure is also the better by the other, and both are defined
    for the same predictions, with the same exceptions. The witness is two predictions with the order (-1, 0, 1: the first is
    worse, equal, better) by each measure, or one prediction with both values if only one measure is defined there.

    Symbols among the parameters stand for all their values: equal rational functions are a proof, and the note of a no says at
    which values its witness is.

    Parameters
    ----------
    first, second : str or Measure
        Measures, their names, or formulas.
    up_to : str, default 'value'
        "value" or "ranking".

    Returns
    -------
    Evidence
        True or false in an ``if``; ``.witness`` shows a difference.

    Examples
    --------
    >>> import indicatrix as ix
    >>> equivalent = ix.theory.equivalent
    >>> equivalent("klosgen(omega=1)", "novelty").holds, equivalent("accuracy", "error_rate", up_to="ranking").holds
    (True, True)
    >>> print(ix.theory.equivalent("f1", "jaccard"))
    no (witness: ((1, 0, 1, 0), 2/3, 1/2))
    """
    laws = {"value": _same_values, "ranking": _same_ranking}
    if up_to not in laws:
        raise ValueError(f"up_to={up_to!r} is unknown. Use 'value' or 'ranking'.")
    pair = find(first), find(second)
    if any(is_symbol(x) for measure in pair for x in measure.params.values()):
        return _for_all_parameters(pair, laws[up_to])
    return laws[up_to](*pair)


@lru_cache(REMEMBERED)
def _exact_values(measure: Measure) -> Callable[..., Value]:
    """Return the exact values of a measure, remembered: a formula is compared with every measure."""
    return exactly(measure)


def _same_values(first: Measure, second: Measure) -> Evidence:
    one, other = _exact_values(first), _exact_values(second)
    seen: list[Value] = []
    for v in _count_vectors():
        x, y = one(*v), other(*v)
        if is_defined(x, y):
            if order(x, y):
                return Evidence(False, (v, x, y), len(seen) // 2 + 1, digits((x, y)))
            seen += (x, y)
    for v in _suspects(first, second):
        x, y = one(*v), other(*v)
        if is_defined(x, y) and order(x, y):
            return Evidence(False, (v, x, y), len(seen) // 2 + 1, digits((x, y)))
    domains = _Domains((first, second), (one, other))
    apart = domains.differ(_count_vectors())
    return _agreement(first, second, seen, domains.exception(_count_vectors())) if apart is None else apart


def _suspects(first: Measure, second: Measure) -> list[CountVector]:
    """Return count vectors at which floats differ: formulas with kinks may differ in one piece only."""
    pair = [ExaminedMeasure(measure, prove=False) for measure in (first, second)]
    vectors = np.concatenate([each.vectors for each in pair])
    x, y = (each.floats(vectors) for each in pair)
    with quiet():
        apart = np.isfinite(x) & np.isfinite(y) & (abs(x - y) > NEAR * np.maximum(abs(x), abs(y)))
    return [exact_counts(vectors[i]) for i in np.flatnonzero(apart)[:SUSPECTS]]


@dataclass(frozen=True)
class _Domains:
    """The counts at which each of two measures is defined."""

    measures: tuple[Measure, Measure]
    values: tuple[Callable[..., Value], Callable[..., Value]]

    def differ(self, vectors: Iterable[CountVector]) -> Evidence | None:
        """Return the evidence that the measures are not defined at the same counts; None if they are.

        Either only one is defined at a count vector and not both around it, or they are never defined together. Counts with
        an empty cell do not decide: two ways of writing one measure differ in what is 0/0 there.
        """
        shared = 0
        for v in vectors:
            x, y = (value(*v) for value in self.values)
            if not all(v):
                continue
            shared += is_defined(x, y)
            if is_defined(x) != is_defined(y) and not any(is_defined(*(value(*u) for value in self.values)) for u in _around(v)):
                note = f"at {v} only {self.measures[is_defined(y)]} is defined, and around it not both are"
                return Evidence(False, (v, x, y), shared + 1, digits([z for z in (x, y) if is_defined(z)]), note=note)
        if shared:
            return None
        one, other = self.measures
        return Evidence(None, note=f"{one} and {other} are never defined together where no cell is empty, so nothing is compared")

    def exception(self, vectors: Iterable[CountVector]) -> str:
        """Return in words a count vector at which only one is defined; empty if there is no such vector."""
        for v in vectors:
            here = [m for m, value in zip(self.measures, self.values, strict=True) if is_defined(value(*v))]
            if len(here) == 1:
                return f"at {v} only {here[0]} is defined"
        return ""


def _around(v: CountVector) -> Iterator[CountVector]:
    """Yield count vectors close to a given one.

    The directions are such that simple equations between the counts do not hold any more.
    """
    for direction in STEPS:
        yield tuple(Fraction(x) + Fraction(step, 10007) for x, step in zip(v, direction, strict=True))


def _agreement(first: Measure, second: Measure, seen: list[Value], note: str) -> Evidence:
    """Return the evidence for equal values; a proof where both are rational functions."""
    sides = rational_function(first), rational_function(second)
    if sides[0] is None or sides[1] is None:
        return Evidence(True, None, len(seen) // 2, digits(seen), note=note)
    if sides[0] == sides[1]:
        proof = "both cancel to the same rational function of tp, fp, fn, tn"
        return Evidence(True, None, len(seen) // 2, digits(seen), proof, note)
    return Evidence(None, None, len(seen) // 2, note="they are different rational functions, but no count vector tried shows it")


def _count_vectors() -> Iterator[CountVector]:
    """Yield count vectors: all small ones, then generic ones of very different totals."""
    yield from product(range(SMALL), repeat=4)
    yield from (tuple(int(x) for x in v) for v in count_vectors(GENERIC, seed=2))


def _same_ranking(first: Measure, second: Measure) -> Evidence:
    for measure in (first, second):
        if measure.better not in SIGNS:
            return Evidence(None, note=f"it does not rank predictions: {about_direction(measure, measure.better)[:-1]}")
    values = exactly(first), exactly(second)
    ranks = _goodness(first, values[0]), _goodness(second, values[1])
    seen: list[Value] = []
    compared = 0
    for tpos, tneg in TEST_SETS:
        predictions = [v for v in _predictions(tpos, tneg) if is_defined(*(rank(*v) for rank in ranks))]
        predictions.sort(key=lambda v: _Ordered(ranks[0](*v)))
        # Sorted by the first, all pairs have the same order if all neighbors have: orders are transitive.
        for v, w in pairwise(predictions):
            by = [order(rank(*v), rank(*w)) for rank in ranks]
            if by[0] != by[1]:
                note = f"{first} puts {v} {PLACES[by[0]]} {w}, {second} {PLACES[by[1]]} it"
                return Evidence(False, (v, w, by[0], by[1]), digits=digits([r(*u) for r in ranks for u in (v, w)]), note=note)
        seen += (rank(*v) for rank in ranks for v in predictions)
        compared += len(predictions) * (len(predictions) - 1) // 2
    every, domains = [v for margins in TEST_SETS for v in _predictions(*margins)], _Domains((first, second), values)
    apart = domains.differ(every)
    if apart is None and not compared:
        return Evidence(None, note=f"{first} and {second} are never defined together for two predictions on one test set")
    return Evidence(True, None, compared, digits(seen), note=domains.exception(every)) if apart is None else apart


def _for_all_parameters(pair: tuple[Measure, Measure], law: Callable[[Measure, Measure], Evidence]) -> Evidence:
    """Return whether two measures are the same for all values of the symbols among their parameters."""
    if law is _same_values or pair[0].better == pair[1].better in SIGNS:
        if all(getattr(pair[0], fact) == getattr(pair[1], fact) for fact in ("formula", "params")):
            return Evidence(True, proof="both are the same formula")
        if _equal(*(rational_function(measure) for measure in pair)):
            return Evidence(True, proof="both cancel to the same rational function of tp, fp, fn, tn and the symbols")
    for chosen in _choices(pair):
        found = law(*(_with_parameters(measure, chosen) for measure in pair))
        if found.holds is False:
            values = ", ".join(f"{name}={x}" for name, x in chosen.items())
            return replace(found, note=f"at {values}; {found.note}".removesuffix("; "))
    return Evidence(
        None, note="no values tried for the symbols show a difference, but there is no proof: choose numbers with .at(…)"
    )


def _equal(one: Any, other: Any) -> bool:
    """Return whether both are equal rational functions; symbols with the same name are the same."""
    import sympy

    return None not in (one, other) and bool(sympy.cancel(one.as_expr() - other.as_expr()) == 0)


def _choices(pair: tuple[Measure, Measure]) -> Iterator[dict[str, Fraction | int]]:
    """Yield values for the symbols of two measures that lie in their domains."""
    names = dict.fromkeys(str(x) for measure in pair for x in measure.params.values() if is_symbol(x))
    for values in VALUES:
        chosen = dict(zip(names, cycle(values)))
        with suppress(ValueError):
            for measure in pair:
                _with_parameters(measure, chosen)
            yield chosen


def _with_parameters(measure: Measure, chosen: dict[str, Fraction | int]) -> Measure:
    return measure.at(**{name: chosen[str(x)] for name, x in measure.params.items() if is_symbol(x)})


def _goodness(measure: Measure, value: Callable[..., Value]) -> Callable[..., Value]:
    """Return the exact value as a function that is higher for the better prediction."""
    sign = 1 if measure.better == "higher" else -1
    return lambda *v: sign * value(*v)


def _predictions(tpos: int, tneg: int) -> list[CountVector]:
    """Return the counts of all predictions on a test set with these positives and negatives."""
    return [(tp, fp, tpos - tp, tneg - fp) for tp in range(tpos + 1) for fp in range(tneg + 1)]
