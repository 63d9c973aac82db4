"""Losses that stay on a device: sums of all of them and of columns come to main memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..encode.device_arrays import namespace_of, to_host


class LossesOnDevice:
    """Losses of examples (n,) or of entries (n, m), all of which were observed.

    Read as blocks, they are in main memory.
    """

    def __init__(self, losses: Any, entries: Callable[[Array], Any]) -> None:
        """Keep losses, and how entries are made of them."""
        self.losses, self.entries = losses, entries

    def __iter__(self) -> Iterator[tuple[slice, Any]]:
        yield slice(None), self.entries(to_host(self.losses))

    def sums(self, axis: str) -> tuple[Any, Any] | None:
        """Return the part and the whole of everything, or of each column; None for other units.

        >>> losses = LossesOnDevice(np.array([[0.25, 0.0], [0.5, 1.0]]), None)
        >>> losses.sums(""), losses.sums("class")[0].tolist(), losses.sums("example")
        ((1.75, 4.0), [0.75, 1.0], None)
        """
        xp, shape = namespace_of(self.losses), self.losses.shape
        if not axis:
            return float(xp.sum(self.losses)), float(math.prod(shape))
        if axis == "class" and len(shape) == 2:
            return to_host(xp.sum(self.losses, axis=0)), np.full(shape[1], float(shape[0]))
        return None
