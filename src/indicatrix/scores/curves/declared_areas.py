"""The areas: functions of one ranking under ``@area``, with what cannot be derived of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Declared(NamedTuple):
    """What is declared about an area."""

    better: str
    range: tuple[float, float]
    source: str
    checks: dict[str, Callable[[Any], None]]  # what refuses bad values of parameters, beyond check_… of the same module


DECLARED: dict[Callable[..., Any], Declared] = {}


def area(
    source: str = "", *, better: str = "higher", range: tuple[float, float] = (0, 1), **checks: Callable[[Any], None]
) -> Callable[[F], F]:
    """Return the decorator of a function of the steps of one ranking.

    Bad values of a parameter ``x`` are refused by ``check_x`` of its module, or by what ``checks`` name.
    """

    def declare(function: F) -> F:
        DECLARED[function] = Declared(better, range, source, checks)
        return function

    return declare
