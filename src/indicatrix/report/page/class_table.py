"""The section of the classes: their intervals. Everything else is computed from counts in the page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import as_weight
from ...algebra.average import BINARY
from .numbers import numbers
from .page_subject import Subject

MOST_INTERVALS = 400  # each takes one or two milliseconds
MOST_MEASURES = 6


def content(subject: Subject) -> dict[str, Any] | str | None:
    """Return the intervals of the classes; if they are many, of fewer measures and the largest classes."""
    ev = subject.ev
    if not ev.classes:
        return None
    measures = subject.of_classes
    if not measures:
        return "The page cannot compute values of single classes with these measures."
    main = subject.main
    ordered = [main, *(m for m in measures if m != main)]
    with_ends = ordered[: max(1, min(MOST_MEASURES, MOST_INTERVALS // len(ev.classes)))]
    return {"measures": measures, "main": main, **_intervals(subject, with_ends)}


def _intervals(subject: Subject, measures: list[str]) -> dict[str, Any]:
    """Return the ends by measure, one pair of lists for the classes, and why there are no intervals."""
    ev = subject.ev
    found: dict[str, list[Any]] = {}
    sizes = as_weight(ev.aggregate("class").tpos)
    largest = np.argsort(-np.nan_to_num(sizes), kind="stable")[:MOST_INTERVALS].tolist()
    for name in measures:
        ends = np.full((2, len(ev.classes)), np.nan)
        for i in largest:
            try:
                own = replace(ev, named_positive=ev.classes[i]).interval(name, BINARY, level=subject.level)
            except (ValueError, ImportError) as wrong:
                return {"intervals": found, "why": str(wrong), "largest": 0}
            ends[:, i] = own.low, own.high
        found[name] = [numbers(side) for side in ends]
    return {"intervals": found, "why": "", "largest": len(largest)}
