"""The sum of the states of batches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..evaluation import Evaluation


def sum_states(states: Iterable[Any]) -> Any:
    """Return the sum of states, of neighbours first: the sums of two halves are added."""
    some = [*states]
    if len(some) < 2:
        return some[0] if some else Evaluation()
    half = len(some) // 2
    return sum_states(some[:half]) + sum_states(some[half:])
