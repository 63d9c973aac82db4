"""The counts of a tally that are sums of corrected labels: they are computed when somebody reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..algebra.arrays import Array
from ..tally.states.group_counts import CrossTable, Summed, class_counts


class CorrectedTable(CrossTable):
    """Pairs of classes of corrected rows."""

    __slots__ = ("_found", "_make")
    _make: Callable[[], Array]
    _found: Array | None

    def __init__(self, make: Callable[[], Array]) -> None:
        for name, value in (("_make", make), ("_found", None), ("masked", 0), ("per_class", None)):
            object.__setattr__(self, name, value)

    @property
    def table(self) -> Array:
        """The table of pairs."""
        if self._found is None:
            object.__setattr__(self, "_found", self._make())
        assert self._found is not None
        return self._found

    def __reduce__(self) -> Any:
        return CrossTable, (self.table, self.masked, class_counts(self.table))


class CorrectedSums(Summed):
    """Counts of corrected rows with several labels, and their rows of counts with how often each occurs."""

    __slots__ = ("_cells", "_made", "_rows")
    _cells: Callable[[], Array]
    _rows: Callable[[], tuple[Array, Array]]
    _made: dict[str, Any]

    def __init__(self, cells: Callable[[], Array], rows: Callable[[], tuple[Array, Array]]) -> None:
        for name, value in (("_cells", cells), ("_rows", rows), ("_made", {}), ("unseen", 0)):
            object.__setattr__(self, name, value)

    @property
    def per_class(self) -> Array:
        """The counts of each class."""
        if "cells" not in self._made:
            self._made["cells"] = self._cells()
        return self._made["cells"]  # type: ignore[no-any-return]

    def _of_rows(self) -> tuple[Array, Array]:
        if "rows" not in self._made:
            self._made["rows"] = self._rows()
        return self._made["rows"]  # type: ignore[no-any-return]

    @property
    def per_example(self) -> Array:
        """The distinct rows of counts."""
        return self._of_rows()[0]

    @property
    def times(self) -> Array:
        """How often each occurs, which may be a fraction, or negative."""
        return self._of_rows()[1]

    def __reduce__(self) -> Any:
        return Summed, (self.per_class, self.per_example, self.times, self.unseen)

