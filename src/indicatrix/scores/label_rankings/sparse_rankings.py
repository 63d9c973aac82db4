"""What stored scores add to the scores of rankings: the sparse twins of what dense ones add.

A relevant label without a score stands behind every rank: it is never found. Its precision is 0, it has no reciprocal rank, and
every irrelevant label counts as not below it, as in a tie of all labels that have no score.
"""

from __future__ import annotations

import numpy as np

from ...algebra.arrays import Array
from ..contributions import SparseEntries
from .reciprocal_ranks import reciprocal_ranks
from .sparse_orders import SparseOrders


def stored_precisions(given: SparseOrders) -> SparseEntries:
    """Return the precision at the rank of each relevant label, for label-ranking average precision.

    That of a label without a score is 0.
    """
    groups = given.groups()
    precision = np.repeat(groups.through / (groups.above + groups.size), groups.size)
    n = given.shape[0]
    return _of_relevant(given, groups.cell, precision, np.zeros(n), np.ones(n))


def stored_wrong_pairs(given: SparseOrders) -> SparseEntries:
    """Return how many irrelevant labels are not below each relevant one, and how many there are."""
    groups, irrelevant = given.groups(), given.shape[1] - given.relevant_per_example()
    not_below = np.repeat((groups.above + groups.size - groups.through).astype(np.float64), groups.size)
    return _of_relevant(given, groups.cell, not_below, irrelevant, irrelevant)


def stored_reciprocal_ranks(given: SparseOrders, k: int | None, *, ignore_ties: bool) -> SparseEntries:
    """Return the expected reciprocal rank of each example, and 1 where a label is relevant."""
    found = reciprocal_ranks(given.groups(ignore_ties=ignore_ties), k)
    examples, nowhere = np.arange(len(found)), np.zeros(len(found), np.int64)
    return given.entries((examples, nowhere, found), (examples, nowhere, (given.relevant_per_example() > 0).astype(np.float64)))


def _of_relevant(given: SparseOrders, cells: Array, amounts: Array, otherwise: Array, wholes: Array) -> SparseEntries:
    """Return an amount for each relevant label.

    Labels with a score have amounts of their own, the others those of their examples.
    """
    relevant = given.cells
    row, label = np.divmod(relevant, max(given.shape[1], 1))
    parts, whole = otherwise[row].astype(np.float64), wholes[row].astype(np.float64)
    hit, place = given.relevant_among(cells)
    parts[place] = amounts[hit]
    return given.entries((row, label, parts), (row, label, whole))
