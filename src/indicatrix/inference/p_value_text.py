"""p-values as they are written in a sentence."""

from __future__ import annotations

import math


def p_text(p: float, name: str = "p") -> str:
    """Return a p-value with its name, to three digits after the point.

    >>> p_text(0.0312), p_text(1e-9), p_text(0.2, "Holm"), p_text(float("nan"))
    ('p = 0.031', 'p < 0.001', 'Holm = 0.200', 'no p')
    """
    if math.isnan(p):
        return f"no {name}"
    return f"{name} < 0.001" if p < 0.001 else f"{name} = {p:.3f}"
