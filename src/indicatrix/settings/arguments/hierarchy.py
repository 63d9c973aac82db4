"""Hierarchical classification: labels are closed under ancestors, then every measure is the ordinary one (sec:hierarchical)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...encode.indicator import Coded, Indicator, Lookup
from ...encode.pairs import Pair
from ...encode.plain_forms import Sparse
from .taxonomy import Taxonomy


def close(indicator: Indicator, given: Taxonomy) -> Indicator:
    """Return labels with all their ancestors, Y A, on the classes of the taxonomy; the columns are grouped by depth (errata A9).

    Accommodated: hierarchical precision, recall and F1 are precision, recall and F1 of closed labels, under any average; a
    label right at the top counts for as much as one further down, and memberships have no closure.

    >>> import indicatrix as ix
    >>> t = ix.taxonomy({"a": None, "b": "a", "c": "a"})
    >>> close(ix.one_hot(["b", "a"], t.classes), t).matrix.astype(int).tolist()
    [[1, 1, 0], [1, 0, 0]]
    """
    if indicator.soft:
        raise ValueError("Memberships have no ancestor closure: nothing says how those of children add up. Pass decide=.")
    if indicator.targets not in (None, given.depth):
        raise ValueError("These columns belong to targets, and a taxonomy groups them by depth. Evaluate each target by itself.")
    closure = given.closure()
    rows = closure if indicator.classes == given.classes else closure.take(np.array(given.positions(indicator.classes), np.intp))
    data = Lookup(indicator.data, rows) if isinstance(indicator.data, Coded) else _union(indicator.as_sparse(), rows)
    return replace(closure, data=data)


def encode(pair: Pair, given: Taxonomy) -> Pair:
    """Return both sides of a pair closed under ancestors: what ``evaluate(…, hierarchy=)`` counts (sec:hierarchical).

    The entry of a node was observed where the node and all that lies under it were: any of them would make it positive.
    """
    cells = pair.cells
    if cells is not None:
        cells = ~close(Indicator(~cells, pair.y.classes), given).matrix
    return replace(pair, y=close(pair.y, given), yhat=close(pair.yhat, given), open=False, cells=cells)


def _union(labels: Sparse, closure: Indicator) -> Sparse:
    """Return the union of the closures of each row's labels as compressed rows with ascending columns."""
    width = len(closure.classes)
    every = closure.take(labels.indices).as_sparse()  # one row for each label of each example
    example = np.repeat(np.arange(len(labels)), np.diff(labels.indptr))
    entries = np.repeat(example, np.diff(every.indptr)) * width + every.indices
    entries.sort()  # np.unique, which hashes, takes twenty times as long for these
    row, column = np.divmod(entries[np.diff(entries, prepend=-1) > 0], width)
    indptr = np.searchsorted(row, np.arange(len(labels) + 1))
    return Sparse(indptr, column, np.ones(len(column), bool), width)
