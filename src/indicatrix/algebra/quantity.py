"""Quantity: a cost, a loss or a ranking, whose scores no formula of four counts gives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Quantity:
    """The facts about a cost, a loss or a ranking, which has no formula of four counts."""

    name: str
    better: str = "higher"
    range: tuple[float, float] = (0, math.inf)
    source: str = ""  # a key of ix.catalogue.references()

    @property
    def own_denominator(self) -> Any:
        """Refuse weights by denominators: no ratio of counts is behind this quantity."""
        raise ValueError(f"{self} is not a ratio of counts, so it has no denominators to weight by.")

    def __repr__(self) -> str:
        return self.name
