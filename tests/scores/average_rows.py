"""The rows of AVERAGES as the laws of scores read them: what they keep, and their weights before anything is decided."""

from __future__ import annotations

from typing import Any

import numpy as np

import indicatrix as ix


def row_weights(rule: Any, of: Any, positives: Any, negatives: Any) -> Any:
    """Return the weights of units with these positives and negatives; None where they depend on what is predicted."""
    p, n = (np.asarray([float(x) for x in side]) for side in (positives, negatives))
    if rule.weight is None:
        return np.ones(len(p))
    try:
        ways = [rule.amounts(of, ix.Counts(a * p, b * n, p - a * p, n - b * n)) for a, b in ((0, 0), (1, 0), (0, 1), (0.5, 0.5))]
    except (ValueError, AttributeError):  # denominators of what has none
        return None
    return ways[0] if all(np.allclose(ways[0], way) for way in ways) else None


def rows_along(*axes: str, of: Any = None) -> list[str]:
    """Return the rows that keep one of these axes ("": none), and whose weights are known before anything is decided."""
    kept = [((axis,) if axis else ()) for axis in axes]
    return [
        a
        for a, rule in ix.algebra.AVERAGES.items()
        if rule.per in kept and row_weights(rule, of, [3, 7, 2], [9, 1, 4]) is not None
    ]
