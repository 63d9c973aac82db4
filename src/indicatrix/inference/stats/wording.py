"""p-values and probabilities as they are written in a sentence."""

from __future__ import annotations

import math


def p_text(p: float, name: str = "p") -> str:
    """Return a p-value with its name, to two digits.

    >>> p_text(0.0312), p_text(1e-9), p_text(0.2, "Holm"), p_text(float("nan"))
    ('p = 0.031', 'p < 0.0001', 'Holm = 0.2', 'no p')
    """
    if math.isnan(p):
        return f"no {name}"
    return f"{name} < 0.0001" if p < 1e-4 else f"{name} = {p:.2g}"


def level_text(level: float) -> str:
    """Return the level of a test as people say it, from that of the interval it belongs to.

    >>> level_text(0.95), level_text(0.999)
    ('the 5% level', 'the 0.1% level')
    """
    return f"the {100 * (1 - level):.6g}% level"


def probability_text(p: float) -> str:
    """Return a probability to three digits, without calling anything certain or impossible.

    >>> probability_text(0.0312), probability_text(1e-9), probability_text(0.99999), probability_text(0)
    ('0.031', '< 0.001', '> 0.999', '0')
    """
    if 0 < p < 0.0005:
        return "< 0.001"
    if 0.9995 <= p < 1:
        return "> 0.999"
    return f"{p:.3f}" if 0 < p < 1 else f"{p:g}"


def rope_text(names: tuple[str, str], probabilities: tuple[str, str, str], rope: float) -> str:
    """Return how likely the first is better, both are equivalent, and the second is better.

    A region of 0 is left out.

    >>> rope_text(("lr", "rf"), ("0.3", "0", "0.7"), 0)
    'lr is better with probability 0.3, rf is better with 0.7'
    >>> rope_text(("a", "b"), ("0.1", "0.2", "0.7"), 0.01)
    'a is better by more than 0.01 with probability 0.1, equivalent within 0.01 with 0.2, b is better by more than 0.01 with 0.7'
    """
    (first, second), (ahead, equivalent, behind) = names, probabilities
    more, same = (f" by more than {rope:g}", f"equivalent within {rope:g} with {equivalent}, ") if rope else ("", "")
    return f"{first} is better{more} with probability {ahead}, {same}{second} is better{more} with {behind}"
