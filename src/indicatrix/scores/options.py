"""Options: what a function takes beside labels and scores; any other name is refused with what is meant by it here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..algebra.measure import ELSEWHERE


def check_options(
    caller: str, options: Iterable[str], taken: tuple[str, ...], *, elsewhere: Mapping[str, str] = ELSEWHERE
) -> None:
    """Refuse options that a function does not take; ``elsewhere`` says what those of other libraries are called here."""
    for name in options:
        if name not in taken:
            hint = f"; {elsewhere[name]}." if name in elsewhere else f". It takes {', '.join(taken)}."
            raise TypeError(f"{caller} takes no {name}={hint}")
