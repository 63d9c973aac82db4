"""The facts about a measure as plain data, which ``indicatrix measure`` prints as text or JSON."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from ...algebra.average import AVERAGES
from ...algebra.counts import Counts
from ...algebra.derived_facts import SIGNS, about_direction
from ...algebra.evidence import Evidence
from ...algebra.measure import Measure
from ...catalogue.bibliography import references
from ...theory.formula.floors import Floor, floor
from ...theory.formula.measure_notes import has_property
from ...theory.formula.optimal_threshold import optimal_threshold
from ...theory.formula.properties import Properties
from ...theory.formula.symbolic_thresholds import USE_OPTIMAL
from .quantities import exact, in_words, plain

Known = dict[str, Any]


def facts(found: Measure) -> Known:
    """Return what is declared about a measure: its formula, range, direction, names and source."""
    formula = found.formula
    return {
        "measure": str(found),
        "what": found.doc if found.name else "",
        "formula": formula,
        "parameters": {k: v if isinstance(v, int | float) else str(v) for k, v in found.params.items()},
        "range": [plain(end) for end in found.range],
        "closed": [*getattr(found.range, "closed", map(math.isfinite, found.range))],  # whether it takes these ends
        "better": found.better,
        "no_direction": "" if found.better in SIGNS else about_direction(found, found.better),
        "group": found.group,
        "source": {"key": found.source, **references()[found.source]} if found.source in references() else None,
        "aliases": list(found.aliases),
        "known_as": dict(found.known_as),
        "averages": list(getattr(found, "averages", ())),
    }


def implications(known: Properties) -> Known:
    """Return all properties with their evidence, the coefficients a and b, and the best threshold."""
    evidence = {name: found for name, found in known.evidence.items() if name != "threshold"}
    closed = known.evidence["threshold"]
    both = None if known.a is None or known.b is None else {"a": [*map(str, known.a)], "b": [*map(str, known.b)]}
    return {
        "properties": {name: _as_data(found) for name, found in evidence.items()},
        "coefficients": both,
        "threshold": {
            "value": None if known.threshold is None else str(known.threshold),
            "erm_consistent": known.erm_consistent,
            "note": _with_option(closed.note),
        },
    }


def _with_option(note: str) -> str:
    """Return the reason why a measure has no threshold of a closed form, with the option that finds one."""
    reason = note.removesuffix(USE_OPTIMAL)
    return note if reason == note else f"{reason}--eta finds the best one of a population"


def _as_data(found: Evidence) -> Known:
    data = {"holds": found.holds, "says": str(found), "witness": _numbers(found.witness), "proof": found.proof}
    return {**data, "trials": found.trials, "digits": found.digits, "note": found.note}


def _numbers(x: Any) -> Any:
    """Return a witness as nested lists of numbers.

    A fraction, or a number with more digits than a float has, is a text.
    """
    if isinstance(x, tuple | list):
        return [_numbers(part) for part in x]
    return x if x is None or isinstance(x, int | str) else plain(x) if isinstance(x, float) else str(x)


def value(found: Measure, four: tuple[int | Fraction, ...]) -> Known:
    """Return the value of a measure at four counts: exact, as a float, and in words."""
    at = found(Counts(*map(Fraction, four)))
    return {"counts": [*map(str, four)], "exact": exact(at), "value": plain(at), "says": in_words(at)}


def floors(found: Measure, m: int, sizes: list[int] | None) -> Known:
    """Return the scores of an always wrong classifier of ``m`` classes under each average with a floor."""
    scored: Known = {"classes": m, "sizes": sizes, "averages": {}}
    known = {"example"} if sizes is None else {"class", "example"}  # the floor of a class depends on its size
    for average in (name for name, rule in AVERAGES.items() if rule.weight is None and known.issuperset(rule.per)):
        if AVERAGES[average].pools and sizes is None and not has_property(found, "scale_free"):
            says = f"{found} grows with the number of examples, and so does its {average} floor. Give the class sizes, --sizes."
            scored["averages"][average] = {"exact": None, "value": None, "says": says}
            continue
        try:
            at = floor(found, m, average=average, sizes=sizes, n=None if sizes is None else sum(sizes))
        except ValueError as unknown:
            scored["averages"][average] = {"exact": None, "value": None, "says": str(unknown)}
        else:
            scored["averages"][average] = {"exact": exact(at), "value": plain(at), "says": _floor_in_words(at)}
    return scored


def _floor_in_words(at: Any) -> str:
    if not isinstance(at, Floor):
        return in_words(at)
    worst = f"a {at.orientation}, no prediction does worse" if at.lowest else "some predictions do worse"
    return f"{in_words(Fraction(at))} ({worst})"


def best_threshold(found: Measure, eta: list[float]) -> Known:
    """Return the best threshold for a measure, given the probability of the positive class per example."""
    best = optimal_threshold(found, eta)
    threshold = best.threshold if isinstance(best.threshold, float) else None
    rule = "nothing is predicted positive" if not best.decisions.any() else f"positive from {threshold:.6g} on"
    text = f"{rule}; {found} is then {best.value:.6g}, the best of {best.among}"
    return {"threshold": None if threshold is None else plain(threshold), "value": plain(best.value), "says": text}
