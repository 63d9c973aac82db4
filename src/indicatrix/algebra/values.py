"""Values: an array that knows the names of its units."""

from __future__ import annotations

from typing import Any

import numpy as np

from .wording import rows_in_words


class Values(np.ndarray[Any, np.dtype[np.float64]]):
    """Per-unit values with ``.names``: the names of the units, or a tuple of names for each axis.

    ``.times`` says how often each unit occurred; None: once. Arithmetic keeps both. A selection or a sort loses them, because it
    does not say which units it kept.
    """

    names: tuple[Any, ...]
    times: Any

    @classmethod
    def of(cls, values: Any, names: tuple[tuple[Any, ...], ...], times: Any = None) -> Values:
        """Return values with the names of their units along each axis, and how often each unit occurred."""
        out = np.asarray(values, np.float64).view(cls)
        out.names, out.times = names[0] if len(names) == 1 else names, times
        return out

    def __array_finalize__(self, source: Any) -> None:
        self.names, self.times = (), None

    def __repr__(self) -> str:
        return super().__repr__() if self.times is None else f"{super().__repr__()}: {rows_in_words(self.times)}"

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        out = super().__array_wrap__(array, context, return_scalar)
        if isinstance(out, Values) and out.shape == self.shape:
            out.names, out.times = self.names, self.times
        return out

    def __reduce__(self) -> Any:
        return _restore, (np.asarray(self), self.names, self.times)


def _restore(values: Any, names: tuple[Any, ...], times: Any = None) -> Values:
    out = np.asarray(values).view(Values)
    out.names, out.times = names, times
    return out
