"""Binned scores as plain data for files, and back: counts, names and the ends of bins, no rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.wording import short
from ...storage.json_values import array_in, array_out, counts_in, fields, list_in, name_out, names_in, whole_in
from .binned import Binned
from .bins import Bins, check_bits, keys_of

COLUMNS = ("lowest", "highest", "positives", "negatives")  # of the bins


def to_data(state: Binned) -> dict[str, Any]:
    """Return a state as plain data."""
    return {
        "kind": state.kind,
        "classes": [name_out(c) for c in state.classes],
        "units": [name_out(c) for c in state.columns],
        "n": state.n,
        "bits": state.bits,
        "columns": [{name: array_out(getattr(part, name)) for name in COLUMNS} for part in state.each],
    }


def from_data(version: int, data: dict[str, Any]) -> Binned:
    """Return the state that plain data of a version of the format describe."""
    kind, classes, units, n, bits, columns = fields(data, ("kind", "classes", "units", "n", "bits", "columns"), "the state")
    if kind not in KINDS:
        raise ValueError(f"the kind of the state is {short(kind)}, not one of {', '.join(KINDS)}")
    called, scored = names_in(classes, "the classes"), names_in(units, "the columns of scores")
    parts = tuple(_bins_in(part, check_bits(bits)) for part in list_in(columns, "the columns of scores"))
    if len(parts) != len(scored) or not parts or not set(scored) <= set(called):
        raise ValueError(f"there are {len(parts)} columns of scores for {len(scored)} names of {len(called)} classes")
    return Binned(kind, called, scored, parts, whole_in(n, "the number of examples"))


KINDS = ("binary", "multiclass", "multilabel")


def _bins_in(data: Any, bits: int) -> Bins:
    """Return the bins of one column of scores."""
    lowest, highest, *counts = fields(data, COLUMNS, "a column of scores")
    low = array_in(lowest, "the lowest scores", (None,))
    high = array_in(highest, "the highest scores", low.shape)
    if low.dtype.kind != "f" or high.dtype.kind != "f":
        raise ValueError("the ends of the bins are not floats")
    positives, negatives = (counts_in(x, "the counts of the bins", low.shape, signed=False) for x in counts)
    keys = keys_of(low, bits)
    if not np.array_equal(keys, keys_of(high, bits)) or (low > high).any() or (keys[1:] >= keys[:-1]).any():
        raise ValueError("the bins are not in order, or a score is in another bin than its own")
    return Bins(bits, keys, low, high, positives, negatives)
