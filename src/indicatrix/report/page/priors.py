"""The section with the prior slider: which classes can become rarer or more frequent."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.arrays import as_weight
from .page_subject import Subject


def content(subject: Subject) -> dict[str, Any] | str | None:
    """Return how priors are moved here, which classes can be moved, and the first of them."""
    ev = subject.ev
    if not ev.classes or not ev.n or not subject.of_classes:
        return None
    if ev.unobserved:
        return f"Other class frequencies need all counts, but these data do not show {', '.join(ev.unobserved)}."
    if ev.made.uses("cost"):
        return "Other class frequencies count examples, but costs weight the cells here."
    counts = ev.aggregate("class")
    actual, rest, predicted = (as_weight(x) for x in (counts.tpos, counts.tneg, counts.ppos))
    if ev.kind == "multiclass":
        try:
            table = as_weight(ev.confusion)
        except ValueError as reason:
            return f"Other class frequencies need the pairs of true and predicted classes. {reason}"
        if not np.allclose(table.sum(axis=0), predicted):
            return "Some examples have no true class, so their number does not follow from the class frequencies."
    movable = np.flatnonzero((actual > 0) & (rest > 0))
    if not movable.size:
        return "No class can be made rarer or more frequent: each has all examples or none."
    first = movable[np.argmin(actual[movable])]  # the rarest shows most
    return {"movable": movable.tolist(), "first": int(first), "together": ev.kind == "multiclass"}
