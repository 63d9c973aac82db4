"""A source of counts that is asked once for each kind of units: many scores read the same counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...algebra.counts import Counts


@dataclass(frozen=True, eq=False)
class RememberedCounts:
    """A source of counts whose answers are kept; everything else is asked of the source itself.

    Counts of weighted examples are exact fractions, and making floats of those of many classes takes longer than a score.
    """

    source: Any
    _kept: dict[tuple[str, Any], Counts] = field(default_factory=dict, repr=False)

    def aggregate(self, per: str | tuple[str, ...] = ()) -> Counts:
        """Return the counts of the units of some axes."""
        return self._ask("aggregate", (per,) if isinstance(per, str) else tuple(per))

    def binary(self, per: tuple[str, ...] = ()) -> Counts:
        """Return the counts of the positive class, of each unit of some axes."""
        return self._ask("binary", tuple(per))

    def _ask(self, what: str, per: tuple[str, ...]) -> Counts:
        if (what, per) not in self._kept:
            self._kept[what, per] = getattr(self.source, what)(*([per] if per else []))
        return self._kept[what, per]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)
