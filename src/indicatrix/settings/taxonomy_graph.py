"""The graph of a taxonomy: ancestors as compressed rows, edges between nodes (sec:hierarchical)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..encode.indicator import Indicator
from ..encode.plain_forms import Sparse

Distances = np.ndarray[Any, np.dtype[np.int64]]
Links = tuple[tuple[int, ...], ...]  # the positions of the parents of each node, which stand before it

MOST_ENTRIES = 100_000_000  # entries of closed labels that are kept at a time, about a gigabyte
MOST_CLASSES = 25_000  # classes; the distances between more would take more than five gigabytes
ROOT = -1  # the position of the root among the parents, named or not: it is above every class and is not a class


def ancestors_of(above: Links, node: int) -> list[int]:
    """Return the positions of a node and its ancestors, ascending; the root is not one of them.

    >>> ancestors_of(((ROOT,), (0,), (0,), (1, 2)), 3)
    [0, 1, 2, 3]
    """
    found, left = {node}, [node]
    while left:
        more = {p for p in above[left.pop()] if p != ROOT} - found
        found |= more
        left += more
    return sorted(found)


def closures_of(above: Links, depth: Sequence[int], nodes: Array) -> Sparse:
    """Return one compressed row for each of these nodes, which marks it and its ancestors.

    -1 has an empty row.

    >>> closures_of(((ROOT,), (0,), (0,), (1, 2)), (1, 2, 2, 3), np.array([3, -1, 1])).indices.tolist()
    [0, 1, 2, 3, 0, 1]
    """
    deep = np.append(np.asarray(depth, np.int64), 0)  # -1 reads the last one
    indptr, indices = (_closures_in_tree if all(len(parents) == 1 for parents in above) else _closures_in_graph)(
        above, deep, nodes
    )
    return Sparse(indptr, indices, np.ones(len(indices), bool), len(above))


def _closures_in_tree(above: Links, depth: Array, nodes: Array) -> tuple[Array, Array]:
    """Return the rows in a tree, where a node has as many ancestors as it is deep.

    The highest come first.
    """
    indptr = np.concatenate(([0], np.cumsum(depth[nodes])))
    check_size(int(indptr[-1]))
    parent = np.fromiter((p for (p,) in above), np.int64, len(above))
    order = np.argsort(-depth[nodes], kind="stable")  # rows that have come to the top are the last
    node, place, indices = nodes[order], indptr[1:][order], np.empty(indptr[-1], np.int64)
    left = np.searchsorted(-depth[node], -np.arange(1, depth[nodes].max(initial=0) + 1), side="right").tolist()
    for rows in left:  # as many as there are with one more node above
        node, place = node[:rows], place[:rows] - 1
        indices[place] = node
        node = parent[node]
    return indptr, indices


def _closures_in_graph(above: Links, depth: Array, nodes: Array) -> tuple[Array, Array]:
    """Return the rows where a node may have several parents.

    The nodes are taken from the deepest to the highest, so that each node of a row is seen once, however many ways lead to it.
    """
    width = max(len(above), 1)
    starts, parents = _without_root(above)
    rows = np.flatnonzero(nodes >= 0)
    open_: dict[int, list[Array]] = {}  # entries row * width + node by the depth of the node
    _put(open_, rows * width + nodes[rows], depth, width)
    found: list[Array] = [np.zeros(0, np.int64)]
    total = 0
    for level in range(max(open_, default=0), 0, -1):
        if level not in open_:
            continue
        entries = _once(open_.pop(level))
        found.append(entries)
        total += len(entries)
        check_size(total)
        row, node = np.divmod(entries, width)
        number = starts[node + 1] - starts[node]
        at = np.repeat(starts[node], number) + _counted_up(number)
        _put(open_, np.repeat(row, number) * width + parents[at], depth, width)
    every = np.concatenate(found[::-1])
    every.sort(kind="stable")  # the entries of each level are in order
    row, column = np.divmod(every, width)
    return np.searchsorted(row, np.arange(len(nodes) + 1)), column


def check_size(entries: int) -> None:
    """Refuse closed labels that would fill the memory."""
    if entries > MOST_ENTRIES:
        raise ValueError(
            f"The labels with all their ancestors have at least {entries:,} entries, more than {MOST_ENTRIES:,}, because the "
            "taxonomy is very deep. Evaluate in batches and add the evaluations, or leave out levels of the taxonomy."
        )


def _put(open_: dict[int, list[Array]], entries: Array, depth: Array, width: int) -> None:
    """Sort entries into the levels of their nodes."""
    if not len(entries):
        return
    level = depth[entries % width]
    if level.min() == level.max():  # always in a tree
        open_.setdefault(int(level[0]), []).append(entries)
        return
    order = np.argsort(level, kind="stable")
    entries, level = entries[order], level[order]
    starts = np.flatnonzero(np.diff(level, prepend=0))
    for some, start in zip(np.split(entries, starts[1:]), starts, strict=True):
        open_.setdefault(int(level[start]), []).append(some)


def _once(pieces: list[Any]) -> Array:
    """Return the distinct entries of some arrays, ascending."""
    entries = np.concatenate(pieces)
    if len(entries) > 1 and not (np.diff(entries) > 0).all():
        entries.sort(kind="stable")
        entries = entries[np.diff(entries, prepend=-1) > 0]
    return entries


def _without_root(above: Links) -> tuple[Array, Array]:
    """Return the parents of each node as compressed rows, without the root."""
    kept = [[p for p in parents if p != ROOT] for parents in above]
    sizes = np.fromiter(map(len, kept), np.int64, len(kept))
    indices = np.fromiter((p for parents in kept for p in parents), np.int64, int(sizes.sum()))
    return np.concatenate(([0], np.cumsum(sizes))), indices


def _counted_up(sizes: Array) -> Array:
    """Return 0, 1, … for each of some runs.

    >>> _counted_up(np.array([2, 0, 3])).tolist()
    [0, 1, 0, 1, 2]
    """
    ends = np.cumsum(sizes)
    return np.asarray(np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - sizes, sizes))


def edges_between(above: Links, chosen: list[int]) -> Distances:
    """Return the length of the shortest ways between the chosen nodes; the root may be on the way.

    >>> edges_between(((ROOT,), (0,), (0,), (ROOT,)), [1, 2, 3]).tolist()
    [[0, 2, 3], [2, 0, 3], [3, 3, 0]]
    """
    if len(chosen) > MOST_CLASSES:
        raise ValueError(
            f"The distances between {len(chosen):,} classes would take {8 * len(chosen) ** 2 / 2**30:,.0f} GiB. Name the classes "
            f"that you need, at most {MOST_CLASSES:,}: taxonomy.distance(classes)."
        )
    return (
        _distances_in_tree(above, chosen) if all(len(parents) == 1 for parents in above) else _distances_in_graph(above, chosen)
    )


def _distances_in_tree(above: Links, chosen: list[int]) -> Distances:
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


def _distances_in_graph(above: Links, chosen: list[int]) -> Distances:
    """Return distances where a common child may be a short cut: breadth first from each node."""
    near = _neighbors(above)
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


def _neighbors(above: Links) -> Indicator:
    """Return which nodes an edge joins, the root last."""
    last = len(above)
    edges = [(node, last if p == ROOT else p) for node, parents in enumerate(above) for p in parents]
    one, other = np.array([*edges, *((b, a) for a, b in edges)]).T
    order = np.argsort(one, kind="stable")
    indptr = np.searchsorted(one[order], np.arange(last + 2))
    return Indicator(Sparse(indptr, other[order], np.ones(len(one), bool), last + 1), tuple(range(last + 1)))
