"""The order of groups: by their names, along the first axis first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...algebra.arrays import Array


def sort_names(names: set[Any]) -> list[Any]:
    """Return group names in order; names that cannot be compared are ordered by their repr."""
    try:
        return sorted(names)
    except TypeError:
        return sorted(names, key=repr)


def order_of_groups(keys: Sequence[tuple[Any, ...]]) -> Array:
    """Return the places of groups in the order of their names, each a name along every axis.

    >>> order_of_groups([("b", 1), ("a", 2), ("a", 1)]).tolist()
    [2, 1, 0]
    """
    ranks = [{name: at for at, name in enumerate(sort_names(set(names)))} for names in zip(*keys, strict=True)]
    columns = [[rank[key[i]] for key in keys] for i, rank in enumerate(ranks)]
    return np.lexsort(columns[::-1]) if columns else np.arange(len(keys))
