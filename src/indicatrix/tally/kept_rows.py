"""The labels of an evaluation, by reference: they can be counted again in other groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from ..algebra.arrays import Array


class KeptRows:
    """Labels and options as the caller gave them; they are read when groups of them are first asked for.

    A copy for another process and a file have none.
    """

    __slots__ = ("_read",)

    def __init__(self, make: Callable[[], tuple[Callable[..., Any], Mapping[str, Any]]]) -> None:
        self._read = cache(make)  # the function that counts, and the groupings of by= as names and codes

    def owners(self, axis: str) -> Array:
        """Return the group of each example along an axis of by=, as a number."""
        return np.asarray(self._read()[1][axis][1], np.intp)

    def columns(self) -> dict[str, Array]:
        """Return the group of each example along each axis of by=, by its name."""
        found = {}
        for axis, (names, codes) in self._read()[1].items():
            values = np.empty(len(names), object)
            values[:] = names
            found[axis] = values[np.asarray(codes, np.intp)]
        return found

    def grouped(self, codes: Array, groups: int, axis: str, *, keep: tuple[str, ...] = (), moments: bool | None = False) -> Any:
        """Return the evaluation of the same examples with a group for each, a number below ``groups``.

        ``keep`` names axes of by= that are kept as well, ``moments`` says whether intervals are asked of label sets and weights.
        """
        return self._read()[0]((tuple(range(groups)), np.asarray(codes, np.intp)), axis, keep, moments)

    def __deepcopy__(self, memo: Any) -> KeptRows:
        return self

    def __reduce__(self) -> Any:
        return type(None), ()
