"""What goes away says so for two minor versions, and names what takes its place."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import NamedTuple, TypeVar

Function = TypeVar("Function", bound=Callable[..., object])
KEPT = 2  # minor versions in which what is deprecated still works


class Deprecation(NamedTuple):
    """What goes away: its name, the version that deprecated it, and what to use instead."""

    name: str
    since: tuple[int, int]
    use: str

    @property
    def gone_in(self) -> tuple[int, int]:
        """Return the version that no longer has it.

        >>> Deprecation("ix.old", (1, 3), "ix.new").gone_in
        (1, 5)
        """
        return self.since[0], self.since[1] + KEPT

    def __str__(self) -> str:
        since, gone = (".".join(map(str, version)) for version in (self.since, self.gone_in))
        return f"{self.name} is deprecated since {since} and will be removed in {gone}. Use {self.use} instead."


DEPRECATIONS: list[Deprecation] = []  # all of them, so that a test finds the overdue


def deprecated(name: str, *, since: str, use: str) -> Callable[[Function], Function]:
    """Let a function warn at every call that it goes away.

    Parameters
    ----------
    name : str
        What users call, such as ``"ix.old"``.
    since : str
        The minor version in which it begins to warn, such as ``"1.3"``.
    use : str
        What to use instead, as users write it.

    Returns
    -------
    callable
        A decorator.

    Examples
    --------
    >>> import warnings
    >>> @deprecated("ix.old", since="1.3", use="ix.new")
    ... def old() -> int:
    ...     return 1
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     old()
    1
    >>> print(said[0].message)
    ix.old is deprecated since 1.3 and will be removed in 1.5. Use ix.new instead.
    >>> DEPRECATIONS.remove(old.deprecation)
    """
    major, minor = map(int, since.split("."))
    note = Deprecation(name, (major, minor), use)
    DEPRECATIONS.append(note)

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def warned(*args: object, **options: object) -> object:
            warnings.warn(str(note), DeprecationWarning, stacklevel=2)
            return function(*args, **options)

        warned.deprecation = note  # type: ignore[attr-defined]
        return warned  # type: ignore[return-value]

    return decorate
