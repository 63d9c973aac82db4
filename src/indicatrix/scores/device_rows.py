"""Labels and scores on a device, as a sweep keeps them: areas are computed there."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ..algebra.arrays import Array
from ..encode.device_arrays import common_place, detach, has_long_integers, is_kind, namespace_of, to_host
from ..ranking.device.columns import Columns, copy_checked, positives
from ..ranking.device.ranked import RankedOnDevice
from ..ranking.ranked import Ranked
from .sweep_rows import SweepRows

WIDE = ("uint16", "uint32", "uint64")  # integers with which not every library computes


class DeviceRows(SweepRows):
    """Rows of a sweep on a device: n x m scores, and n x m bools or n codes."""

    def __init__(self, labels: Any, scores: Any) -> None:
        self.__dict__.update(_there=(labels, scores), mask=None, weights=None, groups={})

    @cached_property
    def labels(self) -> Array:
        """The labels in main memory."""
        return to_host(self.__dict__["_there"][0])

    @cached_property
    def scores(self) -> Array:
        """The scores in main memory, a column for each unit."""
        return to_host(self.__dict__["_there"][1])

    @property
    def n(self) -> int:
        """The number of examples."""
        return int(self.__dict__["_there"][1].shape[0])

    def only(self, j: int) -> SweepRows:
        """Return the labels and scores of one column, in main memory."""
        return SweepRows(self.labels, self.scores).only(j)

    @property
    def there(self) -> tuple[Any, Any]:
        """Labels and scores on the device, a row for each example."""
        labels, scores = self.__dict__["_there"]
        return labels, scores

    def steps(self, j: int) -> tuple[Any, Any, Any]:
        """Return the distinct scores of one column, highest first, and their counts.

        These are how many positives and negatives reach each.
        """
        return self.rank(j).steps

    def rank(self, j: int) -> RankedOnDevice:
        """Return the ranked scores of one column."""
        labels, scores = self.__dict__["_there"]
        return RankedOnDevice(scores[:, j], positives(labels, j, j + 1)[:, 0], self._columns, j)

    @cached_property
    def _columns(self) -> Columns | None:
        """What one sort tells of all columns; None of a single one."""
        labels, scores = self.__dict__["_there"]
        return None if scores.shape[1] == 1 else Columns(labels, scores)

    def rank_all(self) -> Ranked:
        """Return the ranked scores of all entries."""
        labels, scores = self.__dict__["_there"]
        xp = namespace_of(scores)
        return RankedOnDevice(*(xp.reshape(x, (-1,)) for x in (scores, positives(labels, 0, scores.shape[1]))))


def rows_on_device(y_true: Any, scores: Any) -> tuple[str, tuple[Any, ...], DeviceRows] | None:
    """Return the kind of problem, its classes, and copies of its rows, of two arrays on one device.

    Labels are 0/1 or False/True next to scores of the same shape, or class numbers next to a column of scores for each class.
    None for anything else, NaN included: the general way finds what is wrong.
    """
    if common_place(y_true, scores) is None or y_true.ndim not in (1, 2) or scores.ndim not in (1, 2):
        return None
    labels, scores = detach(y_true), detach(scores)
    if 0 in scores.shape or labels.shape[0] != scores.shape[0] or str(labels.dtype).rpartition(".")[2] in WIDE:
        return None
    xp = namespace_of(scores)
    if labels.ndim == 1 and scores.ndim == 2:
        return _one_label_each(labels, scores)
    if labels.shape != scores.shape:
        return None
    copied = copy_checked(*(xp.expand_dims(x, axis=1) if x.ndim == 1 else x for x in (labels, scores)))
    if copied is None:
        return None
    if labels.ndim == 2:
        return "multilabel", tuple(range(scores.shape[1])), DeviceRows(*copied)
    return "binary", (False, True) if is_kind(labels, "bool") else (0, 1), DeviceRows(*copied)


def _one_label_each(labels: Any, scores: Any) -> tuple[str, tuple[Any, ...], DeviceRows] | None:
    xp, m = namespace_of(scores), scores.shape[1]
    right = is_kind(labels, "integral") and is_kind(scores, "real floating") and has_long_integers(xp)
    if not right or m < 2 or bool(xp.any((labels < 0) | (labels >= m))) or bool(xp.any(xp.isnan(scores))):
        return None
    return "multiclass", tuple(range(m)), DeviceRows(*(xp.asarray(x, copy=True) for x in (labels, scores)))
