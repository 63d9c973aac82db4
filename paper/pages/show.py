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
    """Return a value as text; floats have some decimals, or six significant digits.

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
    return "–" if claim.kind == "ours" else show(claim.paper)


def show_ours(claim: Claim) -> str:
    """Return our value to two decimals more than the paper prints."""
    printed = DECIMALS.findall(claim.paper) if isinstance(claim.paper, str) else []
    return show(claim.ours, max(map(len, printed)) + 2 if printed else None)


def explain(claim: Claim) -> str:
    """Return why a claim differs and which errata entry explains it, or why it fails; else nothing.

    >>> explain(Claim("micro F1", "0.5", 0.4, False, "a misprint", "D", pinned="0.4"))
    'a misprint (errata D)'
    >>> explain(Claim("micro F1", "0.5", 0.3, False, "a misprint", "D", pinned="0.4"))
    'ours was 0.4: this is a failure'
    >>> explain(Claim("n", 3, 4, False))
    'it agreed before: this is a failure'
    """
    if claim.failed:
        before = (
            f"ours was {show(claim.pinned)}" if claim.reason else "it held before" if claim.kind == "ours" else "it agreed before"
        )
        return f"{before}: this is a failure"
    return f"{claim.reason} (errata {claim.errata})" if claim.errata else claim.reason


def summary(outcomes: Iterable[Outcome]) -> Counter[str]:
    """Return how many claims have each verdict, and how many experiments lack something they need."""
    counted = Counter(agrees=0, declared=0, differs=0, holds=0, fails=0, missing=0)
    for outcome in outcomes:
        counted["missing"] += bool(outcome.missing)
        counted.update(claim.verdict for claim in outcome.record.claims)
    return counted


def sentence(counted: Mapping[str, int]) -> str:
    r"""Return the summary in words.

    >>> print(sentence(Counter(agrees=3, declared=2, differs=1, holds=2)).replace(". ", ".\n"))
    Of the paper: 3 values and statements agree, 2 are only declared, 1 differs for a known reason.
    Of ours: 2 statements hold.
    None fails.
    """
    said = [some(counted["agrees"], "value or statement agrees", "values and statements agree")]
    if counted["declared"]:
        said.append(some(counted["declared"], "is only declared", "are only declared"))
    said.append(some(counted["differs"], "differs for a known reason", "differ for known reasons"))
    parts = [f"Of the paper: {', '.join(said)}."]
    if counted["holds"]:
        parts.append(f"Of ours: {some(counted['holds'], 'statement holds', 'statements hold')}.")
    parts.append({0: "None fails.", 1: "1 FAILS."}.get(counted["fails"], f"{counted['fails']:,} FAIL."))
    if counted["missing"]:
        parts.append(
            f"{some(counted['missing'], 'experiment lacks something it needs', 'experiments lack something they need')}."
        )
    return " ".join(parts)


def some(count: int, one: str, many: str) -> str:
    """Return a number with the words that follow it, for one or for many."""
    return f"{count:,} {one if count == 1 else many}"


def _float(value: float, decimals: int | None) -> str:
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:.6g}" if decimals is None else f"{value:.{decimals}f}"
