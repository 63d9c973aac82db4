"""The number of edges between the nodes of a taxonomy (sec:hierarchical)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from ...encode.indicator import Indicator
from ...encode.plain_forms import Sparse

Distances = np.ndarray[Any, np.dtype[np.int64]]
Links = tuple[tuple[int, ...], ...]  # the positions of the parents of each node, which stand before it

MOST = 25_000  # classes; the distances between more would take more than five gigabytes
ROOT = -1  # the position of the root among the parents, named or not: it is above every class and is not a class


def edges_between(above: Links, chosen: list[int]) -> Distances:
    """Return the length of the shortest ways between the chosen nodes; the root may be on the way.

    >>> edges_between(((ROOT,), (0,), (0,), (ROOT,)), [1, 2, 3]).tolist()
    [[0, 2, 3], [2, 0, 3], [3, 3, 0]]
    """
    if len(chosen) > MOST:
        raise ValueError(
            f"The distances between {len(chosen):,} classes would take {8 * len(chosen) ** 2 / 2**30:,.0f} GiB. Name the classes "
            f"that you need, at most {MOST:,}: taxonomy.distance(classes)."
        )
    return _in_tree(above, chosen) if all(len(parents) == 1 for parents in above) else _in_graph(above, chosen)


def _in_tree(above: Links, chosen: list[int]) -> Distances:
    """Return distances in a tree.

    A new node is as far from every earlier node as the node above it, plus the way to it. Nodes on a way that does not branch
    are passed over, so that there are fewer than two for each chosen one.
    """
    used = {ROOT}  # all ways lead through ancestors
    for node in chosen:
        while node not in used:
            used.add(node)
            (node,) = above[node]
    below = Counter(above[node][0] for node in used if node != ROOT)
    kept = {ROOT, *chosen, *(node for node, children in below.items() if children > 1)}
    d = np.zeros((len(kept), len(kept)), np.int64)
    i, near = 1, {ROOT: (0, 0)}  # the place of the nearest node at or above that is kept, and how far it is
    for node in sorted(used - {ROOT}):
        place, far = near[above[node][0]]
        near[node] = place, far + 1
        if node in kept:
            d[i, :i] = d[:i, i] = d[place, :i] + far + 1
            near[node] = i, 0
            i += 1
    at = [near[node][0] for node in chosen]
    return d[np.ix_(at, at)]


def _in_graph(above: Links, chosen: list[int]) -> Distances:
    """Return distances where a common child may be a short cut: breadth first from each node."""
    near = _neighbours(above)
    found = np.empty((len(chosen), len(chosen)), np.int64)
    for row, start in zip(found, chosen, strict=True):
        far, front, steps = 0, np.array([start]), np.full(near.n, -1)
        steps[start] = 0
        while front.size:
            far += 1
            reached = near.take(front).as_sparse().indices
            reached = reached[steps[reached] < 0]
            steps[reached] = far
            front = np.unique(reached)
        row[:] = steps[chosen]
    return found


def _neighbours(above: Links) -> Indicator:
    """Return which nodes an edge joins, the root last."""
    last = len(above)
    edges = [(node, last if p == ROOT else p) for node, parents in enumerate(above) for p in parents]
    one, other = np.array([*edges, *((b, a) for a, b in edges)]).T
    order = np.argsort(one, kind="stable")
    indptr = np.searchsorted(one[order], np.arange(last + 2))
    return Indicator(Sparse(indptr, other[order], np.ones(len(one), bool), last + 1), tuple(range(last + 1)))
