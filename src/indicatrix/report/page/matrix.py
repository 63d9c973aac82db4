"""The confusion matrix: its entries row by row, empty ones left out."""

from __future__ import annotations

from typing import Any

import numpy as np

from .numbers import numbers
from .page_subject import Subject


def content(subject: Subject) -> dict[str, Any] | str | None:
    """Return nothing more than the embedded matrix, or why there is no matrix."""
    if not subject.ev.classes:
        return None
    try:
        return {"examples": numbers([np.asarray(subject.ev.confusion).sum()])[0]}
    except ValueError as reason:
        return str(reason)


def matrix_rows(ev: Any) -> list[list[list[Any]]] | None:
    """Return for each row its filled columns, as distances, and their counts; None without a matrix."""
    try:
        table = np.asarray(ev.confusion)
    except ValueError:
        return None
    filled = (np.flatnonzero(row) for row in table)
    return [[np.diff(at, prepend=-1).tolist(), numbers(row[at])] for row, at in zip(table, filled, strict=True)]
