"""Values: an array that knows the names of its units."""

from __future__ import annotations

from typing import Any

import numpy as np


class Values(np.ndarray[Any, np.dtype[np.float64]]):
    """Per-unit values with ``.names``: the names of the units, or one tuple of names for each of several axes."""

    names: tuple[Any, ...] = ()

    @classmethod
    def of(cls, values: Any, names: tuple[tuple[Any, ...], ...]) -> Values:
        """Return values with the names of their units along each axis."""
        out = np.asarray(values, np.float64).view(cls)
        out.names = names[0] if len(names) == 1 else names
        return out

    def __array_finalize__(self, source: Any) -> None:
        # Arithmetic keeps the units, a selection does not say which ones it kept.
        if isinstance(source, Values) and source.shape == self.shape:
            self.names = source.names
