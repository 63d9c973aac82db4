"""Values: an array that knows the names of its units."""

from __future__ import annotations

from typing import Any

import numpy as np


class Values(np.ndarray[Any, np.dtype[np.float64]]):
    """Per-unit values with ``.names``: the names of the units, or a tuple of names for each axis.

    Arithmetic keeps the names. A selection or a sort loses them, because it does not say which units it kept.
    """

    names: tuple[Any, ...]

    @classmethod
    def of(cls, values: Any, names: tuple[tuple[Any, ...], ...]) -> Values:
        """Return values with the names of their units along each axis."""
        out = np.asarray(values, np.float64).view(cls)
        out.names = names[0] if len(names) == 1 else names
        return out

    def __array_finalize__(self, source: Any) -> None:
        self.names = ()

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        out = super().__array_wrap__(array, context, return_scalar)
        if isinstance(out, Values) and out.shape == self.shape:
            out.names = self.names
        return out

    def __reduce__(self) -> Any:
        return _restore, (np.asarray(self), self.names)


def _restore(values: Any, names: tuple[Any, ...]) -> Values:
    out = np.asarray(values).view(Values)
    out.names = names
    return out
