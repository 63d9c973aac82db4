"""What slices are made of: examples whose labels are held, or groups whose counts were kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array, Mask
from ...algebra.frames import free_name

NO_ROWS = (
    "among= needs the labels of single examples, and this evaluation holds counts only, as those of files, of sums, of saved and "
    "of changed evaluations and of arrays on a device do. Evaluate labels with ix.evaluate(y_true, y_pred); or give the features "
    "as by= where you evaluate, and leave among= out."
)
CHANGED = "The labels that were evaluated have changed since, so that slices of them would be of other data. Evaluate again."


NO_FEATURES = "There are no features: give among=, a data frame with a row for each example, or evaluate with by=."


class Rows:
    """Single examples: their labels are counted again in each grouping."""

    def __init__(self, ev: Any, clusters: str | None) -> None:
        if ev.rows is None:
            raise ValueError(NO_ROWS)
        self._ev, self._keep = ev, () if clusters is None else (clusters,)
        if clusters is not None:
            ev.tally.sizes_of(clusters)  # refuses what is not a grouping
        self.axis = free_name("slice", ev.tally.by)
        self.sizes = np.ones(ev.n, np.int64)

    @property
    def columns(self) -> dict[str, Any]:
        """The axes of by= as features, but for that of clusters."""
        return {axis: column for axis, column in self._ev.rows.columns().items() if axis not in self._keep}

    def count(self, some: Mask) -> int:
        """Return how many examples these are."""
        return int(np.count_nonzero(some))

    def owners(self, axis: str) -> Array:
        """Return the group of each example along an axis of by=, as a number."""
        self._ev.tally.sizes_of(axis)  # refuses what is not a grouping
        return self._ev.rows.owners(axis)  # type: ignore[no-any-return]

    def grouped(self, codes: Array, groups: int, *, moments: bool | None = False) -> Any:
        """Return the evaluation of the examples in these groups."""
        made = self._ev.rows.grouped(codes, groups, self.axis, keep=self._keep, moments=moments)
        if made.n != self._ev.n:
            raise ValueError(CHANGED)
        return made if self._ev.named_positive is None else made.with_positive(self._ev.named_positive)


class KeptGroups:
    """The groups of by=, whose counts are added; this works for sums and saved evaluations."""

    def __init__(self, ev: Any, clusters: str | None) -> None:
        if clusters is not None:
            raise ValueError("clusters= needs the features of single examples: give among=, or leave clusters= out.")
        self._ev = ev
        self.axis = free_name("slice", ev.tally.by)
        self.keys = list(ev.tally.sizes)
        self.sizes = np.array([ev.tally.sizes[key] for key in self.keys], np.int64)

    @property
    def columns(self) -> dict[str, list[Any]]:
        """The groups of each axis, as a column."""
        return {axis: [key[i] for key in self.keys] for i, axis in enumerate(self._ev.tally.by)}

    def count(self, some: Mask) -> int:
        """Return how many examples are in some groups."""
        return int(self.sizes[some].sum())

    def grouped(self, codes: Array, groups: int, *, moments: bool | None = False) -> Any:
        """Return the evaluation of sums of groups."""
        return replace(self._ev, tally=self._ev.tally.pool_groups(np.asarray(codes, np.intp), self.axis))


Cells = Rows | KeptGroups  # parts of the examples that no slice divides


def cells_of(ev: Any, clusters: str | None, *, kept: bool) -> Cells:
    """Return the examples of an evaluation, or its groups where only its own axes are asked for."""
    if kept and not {*ev.tally.by} - {clusters}:
        raise ValueError(NO_FEATURES)
    return KeptGroups(ev, clusters) if kept and ev.rows is None else Rows(ev, clusters)
