"""Vectors of whole numbers, seen without encoding: the labels that are counted as they are."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..algebra.arrays import Array

INTEGERS = {np.dtype(c) for c in "?bBhHiIlLqQ"}  # bools and integers in the machine's byte order
FLOATS = {np.dtype(c) for c in "efd"}
NARROW = np.int16  # what small labels need; any float that is not a small whole number differs from its narrow copy


def dense_view(labels: Any) -> Any:
    """Return a dense tensor in main memory as a NumPy array on the same memory; anything else as it is."""
    if type(labels) is np.ndarray:
        return labels
    torch = sys.modules.get("torch")
    if torch is None or type(labels) is not torch.Tensor or labels.is_neg():
        return labels
    known = (
        torch.bool,
        torch.uint8,
        torch.int8,
        torch.int16,
        torch.int32,
        torch.int64,
        torch.float16,
        torch.float32,
        torch.float64,
    )
    here = labels.dtype in known and labels.device.type == "cpu" and labels.layout is torch.strided
    return labels.detach().numpy() if here else labels


def are_integers(labels: Any) -> bool:
    """Return whether labels are a NumPy vector of bools or integers."""
    return type(labels) is np.ndarray and labels.ndim == 1 and labels.dtype in INTEGERS


def as_integers(labels: Any) -> Array | None:
    """Return a vector of integers or bools as it is, and one of small whole floats as integers.

    Anything else gives None.

    >>> as_integers(np.array([2.0, 0.0])).tolist(), as_integers(np.array([2.5])), as_integers([2])
    ([2, 0], None, None)
    """
    if type(labels) is not np.ndarray or labels.ndim != 1:
        return None
    if labels.dtype in INTEGERS:
        return labels
    if labels.dtype not in FLOATS:
        return None
    with np.errstate(invalid="ignore"):  # nan and infinity have no narrow copy
        narrow = labels.astype(NARROW)
    return narrow if np.array_equal(narrow, labels) else None
