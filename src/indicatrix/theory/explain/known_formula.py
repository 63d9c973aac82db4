"""The measures that a formula is equal to, and the facts that it takes from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...algebra.counts import Counts
from ...algebra.evidence import Evidence
from ...algebra.measure import MEASURES, Measure
from ...algebra.measure_definition import measure
from ...algebra.numbers.exact import exactly, is_defined
from ..formula.equivalence import equivalent
from ..identify.identify import identify

FULL = ((3, 2, 5, 11), (7, 9, 9, 27))  # count vectors without an empty cell


def same_as(found: Measure) -> Iterator[tuple[Measure, Evidence]]:
    """Yield the measures of the catalogue that are equal to this one, each with the evidence.

    Members of families are found, too: f_beta(beta=2) for its formula.
    """
    value = exactly(found)
    if not any(is_defined(value(*v)) for v in FULL):  # a measure that is never defined would equal all others
        return
    preferred = identify(_of_counts(found), style="counts").measure
    plain_first = sorted(MEASURES.values(), key=lambda m: bool(m.params))  # f1 is a better name than f_beta(beta=1)
    for other in dict.fromkeys(
        m for m in (preferred, *plain_first) if m is not None and m.reads.formula and m.name != found.name
    ):
        evidence = equivalent(found, other)
        if evidence.holds:
            yield other, evidence


def _of_counts(found: Measure) -> Any:
    """Return the formula as a function with the arguments tp, fp, fn, tn."""

    def function(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        return found.values(Counts(tp, fp, fn, tn))

    return function


def complete(formula: Measure, same: list[tuple[Measure, Evidence]], better: str | None = None) -> Measure:
    """Return a formula with the facts of the measure that it is equal to, if there is one.

    A direction that is given, ``better``, is for a formula that has none of its own.
    """
    text, params = str(formula.function), dict(formula.params)
    if same:
        twin = same[0][0]
        inherited = {fact: getattr(twin, fact) for fact in ("aliases", "group", "source", "known_as", "averages")}
        (low, high), (least, most) = formula.range, twin.range
        if low < least or high > most:  # of a family the range is for all parameters, and may be wider than the formula's
            inherited["range"] = twin.range
        return measure(text, params=params, better=better or twin.better, **inherited)
    return formula if better is None else formula.towards(better)
