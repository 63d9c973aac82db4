"""The counts of a tally that are sums of corrected labels.

They are computed when somebody reads them.
"""

from __future__ import annotations

from typing import Any

from ...algebra.arrays import Array
from ..states.group_counts import CrossTable, Summed


class CorrectedTable(CrossTable):
    """Pairs of classes of corrected rows, of all or of some."""

    __slots__ = ("_corrected", "_some", "_table")
    _corrected: Any  # a Corrected
    _some: Array | None
    _table: Array | None

    def __init__(self, corrected: Any, some: Array | None) -> None:
        made = {"_corrected": corrected, "_some": some, "_table": None, "masked": 0, "per_class": None}
        for name, value in made.items():
            object.__setattr__(self, name, value)

    @property
    def table(self) -> Array:
        """The table of pairs."""
        if self._table is None:
            object.__setattr__(self, "_table", self._corrected.table(self._some))
        return self._table  # type: ignore[return-value]

    def __reduce__(self) -> Any:
        return CorrectedTable, (self._corrected, self._some)


class CorrectedSums(Summed):
    """Counts of corrected rows with several labels, and rows of counts with how often each occurs.

    They are of all rows, or of some.
    """

    __slots__ = ("_corrected", "_made", "_some")
    _corrected: Any  # a Corrected
    _some: Array | None
    _made: dict[str, Any]

    def __init__(self, corrected: Any, some: Array | None) -> None:
        for name, value in (("_corrected", corrected), ("_some", some), ("_made", {}), ("unseen", 0)):
            object.__setattr__(self, name, value)

    @property
    def per_class(self) -> Array:
        """The counts of each class."""
        if "cells" not in self._made:
            self._made["cells"] = self._corrected.cells(self._some)
        return self._made["cells"]  # type: ignore[no-any-return]

    def rows(self) -> tuple[Array, Array]:
        """Return the distinct rows of counts, with how often each occurs: a fraction, which may be negative."""
        if "rows" not in self._made:
            self._made["rows"] = self._corrected.examples.distinct(self._corrected.counted, self._some)
        return self._made["rows"]  # type: ignore[no-any-return]

    def _known(self) -> tuple[Array | None, Array | None]:
        try:
            return self.rows()
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

    def __reduce__(self) -> Any:
        return CorrectedSums, (self._corrected, self._some)
