"""Outcomes as plain data, for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..run import Outcome
from ..select import part
from .show import show, summary


def as_data(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return everything that was found as dictionaries, lists, numbers and text."""
    return {"summary": dict(summary(outcomes)), "experiments": [_experiment(outcome) for outcome in outcomes]}


def _experiment(outcome: Outcome) -> dict[str, Any]:
    record = outcome.record
    return {
        "label": outcome.experiment.label,
        "title": outcome.experiment.title,
        "part": part(outcome.experiment),
        "seconds": round(outcome.seconds, 3),
        "missing": outcome.missing or None,
        "notes": record.notes,
        "claims": [
            {
                "what": claim.what,
                "paper": plain(claim.paper),
                "ours": plain(claim.ours),
                "kind": claim.kind,
                "verdict": claim.verdict,
                "pinned": plain(claim.pinned),
                "reason": claim.reason or None,
                "errata": claim.errata or None,
            }
            for claim in record.claims
        ],
        "tables": [
            {
                "title": t.title,
                "header": list(t.header),
                "rows": [[plain(x) for x in row] for row in t.rows],
                "note": t.note or None,
            }
            for t in record.tables
        ],
        "figures": [{"name": p.name, "caption": p.caption} for p in record.pictures],
    }


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: fractions, symbols and infinite values become text.

    >>> plain(Fraction(1, 3)), plain((1, 2.5, True)), plain(float("inf"))
    ('1/3', [1, 2.5, True], '∞')
    """
    if hasattr(value, "tolist"):  # arrays and NumPy's scalars
        value = value.tolist()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, float):
        return float(value) if abs(value) < float("inf") else show(value)
    if isinstance(value, dict):
        return {show(k): plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list | tuple) else show(value)
