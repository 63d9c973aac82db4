"""Whether two measures are the same: in every value, or in every order of predictions on a test set (sec:ranking_curves)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cmp_to_key
from itertools import pairwise, product
from typing import Any

from ..algebra.evidence import Evidence
from ..algebra.exact import Value, defined, digits, exactly, order
from ..algebra.linear import count_vectors
from ..algebra.measure import Measure
from ..algebra.names import find
from .cancellation import rational_function

Vector = tuple[Any, ...]

SMALL = 4  # all count vectors with cells below this are tried: every pattern of empty cells and of ties between margins
GENERIC = 60  # and so many random ones with cells up to thousands
# Test sets (tpos, tneg), of which all predictions are compared; those of one class only come last, as their witnesses say less.
TEST_SETS = (*product(range(1, 7), repeat=2), (8, 17), (19, 6), *((0, k) for k in range(7)), *((k, 0) for k in range(1, 7)))
_Ordered = cmp_to_key(order)
PLACES = {-1: "below", 0: "level with", 1: "above"}


def equivalent(first: str | Measure, second: str | Measure, *, up_to: str = "value") -> Evidence:
    """Return whether two measures are the same up to their values or up to the ranking they make (sec:ranking_curves).

    ``"value"``: equal wherever both are defined; a note names a count vector where only one is. The witness of a no is a
    count vector with both values. ``"ranking"``: on one test set, the better prediction by one is the better by the other;
    the witness is two predictions with the order (-1, 0, 1: the first is worse, level, better) by each measure.

    >>> import indicatrix as ix
    >>> equivalent("klosgen(omega=1)", "novelty").holds, equivalent("accuracy", "error_rate", up_to="ranking").holds
    (True, True)
    >>> print(equivalent("f1", "jaccard"))
    no (witness: ((1, 0, 1, 0), 2/3, 1/2))
    """
    laws = {"value": _same_values, "ranking": _same_ranking}
    if up_to not in laws:
        raise ValueError(f"up_to={up_to!r} is not an equivalence of measures. Use 'value' or 'ranking'.")
    return laws[up_to](find(first), find(second))


def _same_values(first: Measure, second: Measure) -> Evidence:
    one, other = exactly(first), exactly(second)
    seen: list[Value] = []
    for v in _count_vectors():
        x, y = one(*v), other(*v)
        if defined(x, y):
            if order(x, y):
                return Evidence(False, (v, x, y), len(seen) // 2 + 1, digits((x, y)))
            seen += (x, y)
    if not seen:
        return Evidence(None, note=f"{first} and {second} are never defined together")
    note = _only_one_defined({first: one, second: other}, _count_vectors())
    return _agreement(first, second, seen, note)


def _agreement(first: Measure, second: Measure, seen: list[Value], note: str) -> Evidence:
    """Return the evidence for equal values; a proof where both are rational functions."""
    sides = rational_function(first), rational_function(second)
    if sides[0] is None or sides[1] is None:
        return Evidence(True, None, len(seen) // 2, digits(seen), note=note)
    if sides[0] == sides[1]:
        proof = "both cancel to the same rational function of tp, fp, fn, tn"
        return Evidence(True, None, len(seen) // 2, digits(seen), proof, note)
    return Evidence(None, None, len(seen) // 2, note="they are different rational functions, but no count vector tried shows it")


def _count_vectors() -> Iterator[Vector]:
    """Yield count vectors: all small ones, then generic ones of very different totals."""
    yield from product(range(SMALL), repeat=4)
    yield from (tuple(int(x) for x in v) for v in count_vectors(GENERIC, seed=2))


def _only_one_defined(values: dict[Measure, Callable[..., Value]], vectors: Iterable[Vector]) -> str:
    """Return in words a count vector at which only one of two measures is defined; nothing if there is none."""
    for v in vectors:
        here = [m for m, value in values.items() if defined(value(*v))]
        if 0 < len(here) < len(values):
            return f"at {v} only {here[0]} is defined"
    return ""


def _same_ranking(first: Measure, second: Measure) -> Evidence:
    for measure in (first, second):
        if measure.better == "neither":
            return Evidence(None, note=f"{measure} is better neither when higher nor when lower, so it ranks nothing")
    ranks = _goodness(first), _goodness(second)
    seen: list[Value] = []
    compared = 0
    for tpos, tneg in TEST_SETS:
        predictions = [v for v in _predictions(tpos, tneg) if defined(*(rank(*v) for rank in ranks))]
        predictions.sort(key=lambda v: _Ordered(ranks[0](*v)))
        # Sorted by the first, all pairs are ordered alike if all neighbours are: orders are transitive.
        for v, w in pairwise(predictions):
            by = [order(rank(*v), rank(*w)) for rank in ranks]
            if by[0] != by[1]:
                note = f"{first} puts {v} {PLACES[by[0]]} {w}, {second} {PLACES[by[1]]} it"
                return Evidence(False, (v, w, by[0], by[1]), digits=digits([r(*u) for r in ranks for u in (v, w)]), note=note)
        seen += (rank(*v) for rank in ranks for v in predictions)
        compared += len(predictions) * (len(predictions) - 1) // 2
    if not compared:
        return Evidence(None, note=f"{first} and {second} are never defined together for two predictions on one test set")
    every = (v for margins in TEST_SETS for v in _predictions(*margins))
    return Evidence(
        True, None, compared, digits(seen), note=_only_one_defined(dict(zip((first, second), ranks, strict=True)), every)
    )


def _goodness(measure: Measure) -> Callable[..., Value]:
    """Return the exact value as a function that is higher for the better prediction."""
    value, sign = exactly(measure), 1 if measure.better == "higher" else -1
    return lambda *v: sign * value(*v)


def _predictions(tpos: int, tneg: int) -> list[Vector]:
    """Return the count vectors of all predictions on a test set with these actual positives and negatives."""
    return [(tp, fp, tpos - tp, tneg - fp) for tp in range(tpos + 1) for fp in range(tneg + 1)]
