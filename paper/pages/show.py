"""Values as text, the same on every page."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

from ..claim import Claim
from ..run import Outcome

DECIMALS = re.compile(r"\.(\d+)")


def show(value: Any, decimals: int | None = None) -> str:
    """Return a value as text: yes and no, fractions as fractions, floats to some decimals or to six significant digits.

    >>> show(True), show(Fraction(53, 90)), show(0.1 + 0.2), show((0.25, 0.75), 3), show(float("nan")), show(())
    ('yes', '53/90', '0.3', '(0.250, 0.750)', 'undefined', 'none')
    """
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:  # NumPy's scalars
        value = value.item()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        exact = str(value)
        return exact if decimals is None else f"{exact} = {float(value):.{decimals}f}"
    if isinstance(value, Real) and not isinstance(value, Integral):
        return _float(float(value), decimals)
    if isinstance(value, Integral):
        return f"{int(value):,}"
    if isinstance(value, Mapping):
        return ", ".join(f"{show(k)}: {show(v, decimals)}" for k, v in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return f"({', '.join(shown)})" if (shown := [show(v, decimals) for v in value]) else "none"
    return "none" if value is None else str(value)


def show_paper(claim: Claim) -> str:
    """Return the paper's value, or a dash where it says nothing."""
    return show(claim.paper) if claim.said else "–"


def show_ours(claim: Claim) -> str:
    """Return our value to two decimals more than the paper prints."""
    printed = DECIMALS.findall(claim.paper) if isinstance(claim.paper, str) else []
    return show(claim.ours, max(map(len, printed)) + 2 if printed else None)


def explain(claim: Claim) -> str:
    """Return why a claim differs and where that is explained, or nothing where it agrees.

    >>> explain(Claim("micro F1", "0.5", 0.4, False, "a misprint", "D")), explain(Claim("n", 3, 4, False))
    ('a misprint (errata D)', 'it agreed before: this is a failure')
    """
    where = f" (errata {claim.errata})" if claim.errata else ""
    if claim.failed:
        return "it agreed before: this is a failure"
    if claim.agrees:
        return "a difference was expected here: " + claim.reason + where if claim.reason else where.strip(" ()")
    return claim.reason + where


def summary(outcomes: Iterable[Outcome]) -> Counter[str]:
    """Return how many claims agree, differ for a known reason, hold beside the paper or fail; how many experiments lack data."""
    counted = Counter(agrees=0, differs=0, holds=0, fails=0, missing=0)
    for outcome in outcomes:
        counted["missing"] += bool(outcome.missing)
        for claim in outcome.record.claims:
            counted[claim.verdict] += 1
    return counted


def sentence(counted: Mapping[str, int]) -> str:
    """Return the summary in words.

    >>> sentence({"agrees": 3, "differs": 1, "holds": 2, "fails": 0, "missing": 0})
    'Of the paper: 3 values and statements agree, 1 differs for a known reason. Beside it: 2 statements hold. None fails.'
    """
    differ = some(counted["differs"], "differs for a known reason", "differ for known reasons")
    agree = some(counted["agrees"], "value or statement agrees", "values and statements agree")
    beside = f" Beside it: {some(counted['holds'], 'statement holds', 'statements hold')}." if counted["holds"] else ""
    fail = {0: "None fails", 1: "1 FAILS"}.get(counted["fails"], f"{counted['fails']:,} FAIL")
    text = f"Of the paper: {agree}, {differ}.{beside} {fail}."
    if counted["missing"]:
        text += f" {some(counted['missing'], 'experiment lacks something it needs', 'experiments lack something they need')}."
    return text


def some(count: int, one: str, many: str) -> str:
    """Return a number with what it counts, of which there is one or are many."""
    return f"{count:,} {one if count == 1 else many}"


def _float(value: float, decimals: int | None) -> str:
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:.6g}" if decimals is None else f"{value:.{decimals}f}"
