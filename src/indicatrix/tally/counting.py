"""From two indicators to a tally: the fast paths where examples are plain, and blocks of literal cells everywhere else."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ..algebra.cells import Cells
from ..algebra.indicator import Coded, Indicator, Lookup, coded
from ..algebra.pairs import Pair
from ..algebra.scale import Scale
from ..algebra.tnorms import TNorm
from ..algebra.weights import Groups
from . import kernels
from .kernels import Array
from .parts import CrossTable, Part, Summed, distinct, four_counts, single_label_rows
from .tally import MANY, MANY_GROUPED, Key, Tally

ENTRIES = 1 << 17  # entries of a block of dense cells
FEW_KINDS = 128  # up to so many kinds of rows, weighted examples are counted by pairs of them, in fractions


def count(
    pair: Pair,
    n: int,
    *,
    tnorm: TNorm | None,
    mask: Array | None,
    weights: Array | None,
    by: dict[str, Groups],
    confusion: bool | None,
    scale: Scale | None = None,
) -> Tally:
    """Return the tally of two indicators; ``mask``, ``weights`` and ``by`` describe all ``n`` examples, observed or not."""
    y, yhat, cells, kept = pair.y, pair.yhat, pair.cells, pair.rows
    if mask is not None:
        if mask.shape[1] == 1:  # hides whole examples; with more columns the mask speaks of entries, whatever it says
            y, yhat, cells, kept = _without_hidden(pair, mask[:, 0])
        else:
            mask = mask if kept is None else mask[kept]
            cells = mask if cells is None else mask & cells
    pairs = confusion if confusion is not None else len(y.classes) <= (MANY_GROUPED if by else MANY)
    parts: dict[Key, Part] = {}
    sizes: dict[Key, int] = {}
    for key, mine, hidden in _groups(by, n, kept):
        weight = None if weights is None else weights if kept is None else weights[kept]
        if mine is None:
            part = _part(y, yhat, tnorm, cells, weight, pairs, scale)
        else:
            seen, weight = (None if x is None else x[mine] for x in (cells, weight))
            part = _part(y.take(mine), yhat.take(mine), tnorm, seen, weight, pairs, scale)
            sizes[key] = len(mine) + len(hidden)
        parts[key] = _with_masked(part, hidden if weights is None else weights[hidden])
    return Tally(
        classes=y.classes,
        parts=parts,
        n=n,
        open=pair.open,
        by=tuple(by),
        targets=y.targets,
        grouping=y.grouping,
        ordered=pair.ordered,
        keep_pairs=confusion is True,
        sizes=sizes,
    )


def _without_hidden(pair: Pair, seen: Array) -> tuple[Indicator, Indicator, Array | None, Array]:
    """Return a pair without the examples that a mask hides, and which of all examples are left."""
    kept = seen if pair.rows is None else pair.rows & seen
    index = np.flatnonzero(seen if pair.rows is None else seen[pair.rows])
    return pair.y.take(index), pair.yhat.take(index), None if pair.cells is None else pair.cells[index], kept


def _groups(by: dict[str, Groups], n: int, kept: Array | None) -> Iterator[tuple[Key, Array | None, Array]]:
    """Yield each group that occurs: its key, its examples among those kept (None: all), and its examples that were not kept."""
    hidden = np.flatnonzero(~kept) if kept is not None else np.zeros(0, np.intp)
    if not n:
        return
    if not by:
        yield (), None, hidden
        return
    sizes = [len(names) for names, _ in by.values()]
    fused = np.ravel_multi_index([codes.astype(np.intp) for _, codes in by.values()], sizes)
    found, group = np.unique(fused, return_inverse=True)
    ours = group if kept is None else group[kept]
    order = np.argsort(ours, kind="stable")
    ends = np.searchsorted(ours[order], np.arange(len(found) + 1))
    for g, column in enumerate(zip(*np.unravel_index(found, sizes), strict=True)):
        key = tuple(names[i] for (names, _), i in zip(by.values(), column, strict=True))
        yield key, order[ends[g] : ends[g + 1]], hidden[group[hidden] == g]


def _with_masked(part: Part, hidden: Array) -> Part:
    """Add examples of which nothing was observed: their indices, or their weights."""
    if not len(hidden):
        return part
    weighted = hidden.dtype.kind == "f"
    masked = kernels.exact_bincount(np.zeros(len(hidden), np.intp), hidden, 1)[0] if weighted else len(hidden)
    if isinstance(part, CrossTable):
        return CrossTable(part.table, masked)
    rows, times = part.rows()
    rows = np.concatenate([rows, np.zeros((4, 1), rows.dtype)], axis=1)
    return Summed(part.per_class, *distinct(rows, np.append(times, np.array([masked], times.dtype))))


def _part(
    y: Indicator,
    yhat: Indicator,
    tnorm: TNorm | None,
    cells: Array | None,
    weights: Array | None,
    pairs: bool,
    scale: Scale | None,
) -> Part:
    crisp = not (y.soft or yhat.soft)
    both_coded = isinstance(y.data, Coded) and isinstance(yhat.data, Coded)
    if cells is None and both_coded and scale is None:
        return _coded(y, yhat, weights, pairs)
    if cells is None and max(_kinds_of_row(y), _kinds_of_row(yhat)) <= (MANY if weights is None else FEW_KINDS):
        return _by_pairs(y, yhat, None if crisp else tnorm, scale, weights)
    if crisp and cells is None and weights is None and scale is None:
        dense = isinstance(y.data, np.ndarray) and isinstance(yhat.data, np.ndarray)
        return _dense(y, yhat) if dense else _sparse(y, yhat)
    return _literal(y, yhat, None if crisp else tnorm, cells, weights, scale)


def _kinds_of_row(indicator: Indicator) -> float:
    """Return how many different rows an indicator has, infinitely many if they are not looked up by code."""
    if isinstance(indicator.data, Lookup):
        return indicator.data.table.n
    return len(indicator.classes) if isinstance(indicator.data, Coded) else math.inf


def _by_pairs(y: Indicator, yhat: Indicator, tnorm: TNorm | None, scale: Scale | None, weights: Array | None) -> Summed:
    """Count examples whose rows are looked up by code: the cells of each pair of codes that occurs, times how often it does."""
    codes = [x.data.codes if isinstance(x.data, Lookup) else x.data for x in (y, yhat)]
    k = int(max(_kinds_of_row(y), _kinds_of_row(yhat)))
    blocks = codes[0].block, codes[1].block
    table = kernels.cross(*blocks, y.n, k) if weights is None else kernels.weighted_cross(*blocks, weights, k)
    found = np.nonzero(table)
    sides = []
    for x, ids in zip((y, yhat), found, strict=True):
        rows = coded(np.where(ids == k, -1, ids))
        sides.append(replace(x, data=Lookup(rows, x.data.table) if isinstance(x.data, Lookup) else rows))
    return _literal(sides[0], sides[1], tnorm, None, None, scale, table[found])


def _coded(y: Indicator, yhat: Indicator, weights: Array | None, pairs: bool) -> Part:
    n, m = y.n, len(y.classes)
    true, pred = y.data.block, yhat.data.block
    if pairs and weights is not None:
        return CrossTable(kernels.weighted_cross(true, pred, weights, m))
    if pairs:
        return CrossTable(kernels.cross(true, pred, n, m))
    tp, tpos, ppos = kernels.margins(true, pred, n, m, weights)
    rows, times = single_label_rows(m, tp[:m].sum(), tpos[m] - tp[m], ppos[m] - tp[m], tp[m], tpos.sum())
    return Summed(four_counts(tp, tpos, ppos, tpos.sum())[:, :m], *distinct(rows, times))


def _dense(y: Indicator, yhat: Indicator) -> Summed:
    n, m = y.n, len(y.classes)
    columns = np.zeros((3, m), np.int64)
    found = []
    step = max(8, 4 * ENTRIES // max(m, 1)) // 8 * 8  # a whole number of bytes, however wide the rows
    for start in range(0, n, step):
        rows = slice(start, start + step)
        t, p = _as_bytes(y.data[rows]), _as_bytes(yhat.data[rows])
        columns += kernels.byte_columns(t, p)
        found.append(kernels.distinct_rows(*kernels.byte_rows(t, p), m))
    return _from_positives(columns, found, n, m)


def _as_bytes(block: Array) -> Array:
    if block.dtype.itemsize == 1 and block.flags.c_contiguous:
        return block.view(np.uint8)
    return np.ascontiguousarray(block, dtype=np.uint8)


def _sparse(y: Indicator, yhat: Indicator) -> Summed:
    n, m = y.n, len(y.classes)
    a, b = y.as_sparse(), yhat.as_sparse()
    columns = np.zeros((3, m), np.int64)
    found = []
    step = max(1, n * ENTRIES // max(1, len(a.indices) + len(b.indices)))
    for start in range(0, n, step):
        stop = min(start + step, n)
        sides = []
        for side in (a, b):
            indptr = side.indptr[start : stop + 1]
            sides.append((indptr, side.indices[indptr[0] : indptr[-1]]))
        rows, hits = kernels.sparse_hits(sides[0], sides[1], m)
        columns[0] += np.bincount(hits, minlength=m)
        columns[1] += np.bincount(sides[0][1], minlength=m)
        columns[2] += np.bincount(sides[1][1], minlength=m)
        tp = np.bincount(rows, minlength=stop - start)
        found.append(kernels.distinct_rows(tp, np.diff(sides[0][0]), np.diff(sides[1][0]), m))
    return _from_positives(columns, found, n, m)


def _from_positives(columns: Array, found: list[tuple[Array, Array]], n: int, m: int) -> Summed:
    """Complete tp, actual and predicted positives to the four counts, per class and per distinct row."""
    tp, tpos, ppos = columns
    per_class = four_counts(tp, tpos, ppos, n)
    rows = np.concatenate([r for r, _ in found], axis=1) if found else np.zeros((3, 0), np.int64)
    times = np.concatenate([t for _, t in found]) if found else np.zeros(0, np.int64)
    tp, tpos, ppos = rows
    return Summed(per_class, *distinct(four_counts(tp, tpos, ppos, m), times))


def _literal(
    y: Indicator,
    yhat: Indicator,
    tnorm: TNorm | None,
    cells: Array | None,
    weights: Array | None,
    scale: Scale | None = None,
    occurs: Array | None = None,
) -> Summed:
    """Count blocks of literal cells; sums of floats are exact, so no order of rows or batches changes a bit.

    Each row counts with its weight, a float, or as often as it ``occurs``, an integer or a fraction.
    """
    n, m = y.n, len(y.classes)
    floats = tnorm is not None or scale is not None
    whole = weights is None and (occurs is None or occurs.dtype != object)
    exact = floats or not whole
    per_class = kernels.fractions((4, m)) if exact else np.zeros((4, m), np.int64)
    rows = [np.zeros((4, 0), np.float64 if floats else np.int64)]
    times = [np.zeros(0, np.int64 if whole else object)]
    step = max(1, ENTRIES // max(m, 1))
    for start in range(0, n, step):
        here = slice(start, min(start + step, n))
        a, b = (x.take(np.arange(here.start, here.stop)) for x in (y, yhat))
        block = Cells(a, b, tnorm, None if cells is None else cells[here], scale=scale)
        four = [np.ascontiguousarray(x, np.float64 if floats else None) for x in (block.tp, block.fp, block.fn, block.tn)]
        weight, often = (None if w is None else w[here] for w in (weights, occurs))
        for total, x in zip(per_class, four, strict=True):
            if often is not None and not whole:
                for row, column in zip(*np.nonzero(x), strict=True):
                    total[column] += often[row] * Fraction(x[row, column].item())
            elif exact:
                entries = x.astype(np.float64) if weight is None else x * weight[:, None]
                columns = np.broadcast_to(np.arange(m), x.shape).ravel()
                for part in [entries] if often is None else kernels.exact_products(entries, often[:, None]):
                    kernels.add_exactly(total, columns, part.ravel())
            else:
                total += x.sum(axis=0) if often is None else often @ x
        found, where = np.unique(np.stack([x.sum(axis=1) for x in four]), axis=1, return_inverse=True)
        rows.append(found)
        size = found.shape[1]
        if weight is not None:
            times.append(kernels.exact_bincount(where, weight, size))
        else:
            count = np.zeros(size, np.int64) if whole else kernels.fractions((size,))
            np.add.at(count, where, 1 if often is None else often)
            times.append(count)
    return Summed(per_class, *distinct(np.concatenate(rows, axis=1), np.concatenate(times)))
