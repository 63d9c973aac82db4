"""The counts of a tally that are sums of corrected labels.

They are computed when somebody reads them.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ...algebra.arrays import Array
from ..states.group_counts import CrossTable, Summed


class _OfRows:
    """What is summed over corrected rows, of all or of some."""

    def __init__(self, corrected: Any, some: Array | None) -> None:
        object.__setattr__(self, "_given", (corrected, some))

    @property
    def _counted(self) -> Any:
        """The Corrected whose rows count."""
        corrected, some = self._given  # type: ignore[attr-defined]
        return corrected.within(some)

    def __reduce__(self) -> Any:
        return type(self), self._given  # type: ignore[attr-defined]


class CorrectedTable(_OfRows, CrossTable):
    """Pairs of classes of corrected rows."""

    masked = 0
    per_class = None

    @cached_property
    def table(self) -> Array:
        """The table of pairs."""
        return self._counted.table()  # type: ignore[no-any-return]


class CorrectedSums(_OfRows, Summed):
    """Counts of corrected rows with several labels, and rows of counts with how often each occurs."""

    unseen = 0

    @cached_property
    def per_class(self) -> Array:
        """The counts of each class."""
        return self._counted.cells()  # type: ignore[no-any-return]

    @cached_property
    def _rows(self) -> tuple[Array, Array]:
        own = self._counted
        return own.examples.distinct(own.counted)  # type: ignore[no-any-return]

    def rows(self) -> tuple[Array, Array]:
        """Return the distinct rows of counts, with how often each occurs: a fraction, which may be negative."""
        return self._rows

    def _known(self) -> tuple[Array | None, Array | None]:
        try:
            return self._rows
        except ValueError:  # nothing is known about single examples
            return None, None

    @property
    def per_example(self) -> Array | None:
        """The distinct rows of counts; None where they are not known."""
        return self._known()[0]

    @property
    def times(self) -> Array | None:
        """How often each occurs; None where this is not known."""
        return self._known()[1]
