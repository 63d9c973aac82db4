"""Sparse scores become decisions: an entry that is not stored has no score and is never predicted."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algebra.arrays import Array
from .decisions import Above, TopK, check_width, reaches, thresholds
from .matrices import sort_columns
from .plain_forms import Sparse


def sparse_scores(form: Sparse, argument: str) -> Sparse:
    """Return sparse scores with ascending columns; text, NaN and an entry stored twice are errors."""
    if form.data.dtype.kind not in "biuf":
        raise TypeError(f"{argument} is a sparse array of {form.data.dtype}; scores are numbers.")
    form = sort_columns(form, argument)
    if form.data.dtype.kind == "f" and np.isnan(form.data).any():
        at = int(np.isnan(form.data).argmax())
        place = f"{argument}[{int(np.searchsorted(form.indptr, at, side='right')) - 1}, {int(form.indices[at])}]"
        raise ValueError(f"{place} is NaN: a stored score is a number. Fill it, or do not store it.")
    return form


def rows_of(form: Sparse) -> Array:
    """Return the row of each stored entry."""
    return np.repeat(np.arange(len(form)), np.diff(form.indptr))


def sparse_order(form: Sparse) -> tuple[Array, Array]:
    """Return the stored entries of each row from the highest value down, and the rank of each, 0 first.

    Among equal values the lower column stands first, as in ``top_k``.

    >>> order, rank = sparse_order(Sparse(np.array([0, 3, 4]), np.array([0, 2, 5, 1]), np.array([0.1, 0.7, 0.1, 0.3]), 6))
    >>> order.tolist(), rank.tolist()
    ([1, 0, 2, 3], [0, 1, 2, 0])
    """
    row = rows_of(form)
    # Upward by value and downward by column, read from the end of each row: no value is negated, and none overflows.
    upward = np.lexsort((-form.indices, form.data, row))
    ends, sizes = form.indptr[1:], np.diff(form.indptr)
    rank = np.arange(len(row)) - np.repeat(ends - sizes, sizes)
    return upward[np.repeat(ends, sizes) - 1 - rank], rank


def decide_sparse(form: Sparse, rule: Any, argument: str) -> Sparse:
    """Return the decisions about stored scores as a sparse 0/1 matrix."""
    form = sparse_scores(form, argument)
    if isinstance(rule, TopK):
        check_width(rule, rule.k, form.width, argument)
        order, rank = sparse_order(form)
        kept = np.zeros(len(form.data), bool)
        kept[order[rank < rule.k]] = True
    elif isinstance(rule, Above) or (isinstance(rule, int | float | np.number) and not isinstance(rule, bool)):
        kept = reaches(form.data, rule if isinstance(rule, Above) else thresholds(rule, 1))
    else:
        raise ValueError(
            f"decide={rule!r}: {argument} is sparse, and an entry that is not stored has no score. "
            "Use top_k(k), a threshold such as 0.5, or above(t); or give a dense array."
        )
    ends = np.concatenate(([0], np.cumsum(kept)))[form.indptr]
    return Sparse(ends, form.indices[kept], np.ones(int(kept.sum()), bool), form.width)
