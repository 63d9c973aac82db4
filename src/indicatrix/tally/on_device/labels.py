"""Labels on a device as codes: which integers occur, and the place of each among the classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.device_arrays import is_kind, namespace_of, on_device_of, to_host
from ..code_tables import DIRECT

SAMPLE = 1 << 16  # labels that are looked at before all are counted


def guess_width(true: Any, pred: Any) -> int | None:
    """Return one more than the largest of the first labels; None if some are negative or large."""
    first = true[:SAMPLE], pred[:SAMPLE]
    return _width(namespace_of(true).concat(first)) if true.dtype == pred.dtype else _width(*first)


def exact_width(true: Any, pred: Any) -> int | None:
    """Return one more than the largest label; None if some are negative or large."""
    return _width(true, pred)


def _width(*arrays: Any) -> int | None:
    xp, ends = namespace_of(arrays[0]), list[Any]()
    for labels in arrays:
        labels = xp.astype(labels, xp.uint8) if is_kind(labels, "bool") else labels
        ends += [xp.astype(end, xp.int64) for end in (xp.min(labels), xp.max(labels))]
    found = to_host(xp.stack(ends))  # all together, to wait for the device once
    return int(found.max()) + 1 if found.min() >= 0 and found.max() < DIRECT else None


def labels_that_occur(true: Any, pred: Any) -> Array:
    """Return the integers that occur in two vectors, ascending."""
    return np.union1d(*(to_host(namespace_of(labels).unique_values(labels)) for labels in (true, pred)))


def places_of(labels: Any, classes: Array) -> tuple[Any, Any]:
    """Return the place of each label among the classes, and how many labels are not among them."""
    xp = namespace_of(labels)
    order = np.argsort(classes, kind="stable")
    names = xp.astype(on_device_of(classes[order], labels), xp.int64)
    wide = xp.astype(labels, xp.int64)
    at = xp.clip(xp.astype(xp.searchsorted(names, wide), xp.int64), 0, len(classes) - 1)
    wrong = xp.sum(xp.astype(xp.take(names, at) != wide, xp.uint8), dtype=xp.int64)
    if (order[1:] > order[:-1]).all():
        return at, wrong
    return xp.take(on_device_of(order.astype(np.int64), labels), at), wrong
