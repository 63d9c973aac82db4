"""The sum of the states of batches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar, cast

from ..evaluation import Evaluation

State = TypeVar("State")


def sum_states(states: Iterable[State]) -> State:
    """Return the sum of states, of neighbours first: the sums of two halves are added."""
    some: list[Any] = [*states]
    if len(some) < 2:
        return cast(State, some[0] if some else Evaluation())
    half = len(some) // 2
    return cast(State, sum_states(some[:half]) + sum_states(some[half:]))
