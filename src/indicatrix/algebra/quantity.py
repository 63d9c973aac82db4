"""Quantity: a cost, a loss or a ranking, whose scores no formula of four counts gives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NoReturn


def no_denominator(quantity: Any, counts: Any) -> NoReturn:
    """Refuse weights by denominators: no ratio of counts is behind this quantity."""
    raise ValueError(f"{quantity} is not a ratio of counts, so it has no denominators to weight by.")


@dataclass(frozen=True)
class Quantity:
    """The facts about a cost, a loss or a ranking, which has no formula of four counts."""

    name: str
    better: str = "higher"
    range: tuple[float, float] = (0, math.inf)
    source: str = ""  # a key of ix.catalogue.references()
    denominator = no_denominator

    def __repr__(self) -> str:
        return self.name
