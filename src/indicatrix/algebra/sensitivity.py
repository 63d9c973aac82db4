"""How a score depends on the convention for undefined values, by itself because few calls need it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..words.call_mistakes import answers_mistakes
from ..words.wording import listing


@answers_mistakes
@dataclass(frozen=True)
class Sensitivity:
    """A score under each undefined-value convention, and the undefined units that cause the spread.

    Attributes
    ----------
    values : mapping
        The score under each convention: "exclude", 0, 1, "nan".
    undefined_units : tuple
        The names of the undefined units.
    """

    values: Mapping[str | float, float]
    undefined_units: tuple[Any, ...]

    @property
    def spread(self) -> float:
        """Largest minus smallest value over the conventions that give a number."""
        numbers = [v for v in self.values.values() if not math.isnan(v)]
        return max(numbers) - min(numbers) if numbers else math.nan

    def __str__(self) -> str:
        lost = f"undefined: {listing(self.undefined_units)}" if self.undefined_units else "nothing is undefined"
        return "\n".join([*(f"undefined={c!r}: {v:.6g}" for c, v in self.values.items()), f"spread: {self.spread:.6g}", lost])
