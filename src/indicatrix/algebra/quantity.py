"""Quantity: what a score is a score of where no measure is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Quantity:
    """What a score is a score of where no formula of four counts is behind it: a cost, a loss, a ranking."""

    name: str
    better: str = "higher"

    def __repr__(self) -> str:
        return self.name
