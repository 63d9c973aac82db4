"""From two indicators to a tally: fast paths for plain examples, literal cells for the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Scale
from ...algebra.fuzzy.tnorms import TNorm
from ...compiled import loaded
from ...encode.pairs import Pair
from ...encode.plain_forms import Sparse
from ...encode.weights import Groups
from ..cells import Cells
from ..kernels import kernels
from ..kernels.word_counts import MOST_LABELS, RowPairs, three_columns, three_counts
from ..states.group_counts import CrossTable, Key, Part, Summed, distinct, exactly, four_counts, rows_of_one_class, split_examples
from ..states.moments import Absent, Moments, Products, fits, usual
from ..states.packed_groups import PackedCounts, pack
from ..states.replicates import Replicated, Replicates, Sums, weights_of
from ..tally import MANY, MANY_GROUPED, Tally, have_pairs
from .example_groups import ExampleGroups, group_examples, pack_counts, pack_pairs, summed_counts
from .literal_counting import Examples, count_by_pairs, count_literally, kinds_of_row
from .row_products import columns_of, count_labels, entries_of, products_of, row_blocks, square, unit_of

ENTRIES = 1 << 17  # entries of a block of a matrix
WORDS = 1 << 17  # words of a block of rows
FEW_KINDS = 128  # up to this many kinds of rows, weighted examples are counted by pairs of them, in fractions
NUMBERS = 1 << 18  # weights, or cells, of a block of rows
WORTH_LISTING = 32  # to add a listed entry takes as long as this many multiplications


class Declined(NamedTuple):
    """The examples without a predicted class, and which of the observed ones they are."""

    rows: Array
    examples: Examples


def count(
    pair: Pair,
    *,
    tnorm: TNorm | None,
    mask: Array | None,
    weights: Array | None,
    by: dict[str, Groups],
    confusion: bool | None,
    scale: Scale | None = None,
    answered: Callable[[], Array] | None = None,
    moments: bool | None = False,
    replicates: Replicates | None = None,
) -> Tally:
    """Return the tally of two indicators.

    ``mask``, ``weights`` and ``by`` describe all examples, whether observed or not; so does what ``answered`` returns: which of
    them have a predicted class. It is asked only if that makes a difference. ``moments`` says whether second moments are kept:
    None is for the usual ones, True for all that there are. ``replicates`` says which replicates are kept; examples then have no
    weights.
    """
    y, n = pair.y, pair.n
    x, kept = observed_examples(pair, tnorm=tnorm, mask=mask, weights=weights, scale=scale)
    pairs = confusion if confusion is not None else x.m <= (MANY_GROUPED if by else MANY)
    groups = group_examples(by, n, kept)
    if moments is not False and groups.group is None and x.m <= MOST_LABELS and x.fills_tables:
        x = replace(x, together=True)
    parts = _count_groups(x, groups, groups.count_unobserved(weights), pairs)
    shown = bool(parts) and have_pairs(parts)  # pairs show what was declined
    gone = None
    if answered is not None and scale is None and (replicates is not None or not shown):
        gone = _find_declined(parts, x, kept, answered)
    squares = None
    if weights is not None and moments is not False:
        more: dict[str, Any] = {"mask": mask, "by": by, "confusion": confusion, "scale": scale, "answered": answered}
        squares = count(pair, tnorm=tnorm, weights=square(weights), **more)
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
        hidden=_count_hidden(x, n),
        sizes=dict(zip(groups.keys, groups.sizes, strict=True)) if by else {},
        declined=None if gone is None or shown else _count_declined(groups, gone),
        moments="" if x.single and (pairs or moments is not True) else _count_moments(x, groups, moments, gone),
        replicates="" if replicates is None else _count_replicates(x, kept, n, replicates, gone),
        squares=squares,
    )


def _count_moments(x: Examples, groups: ExampleGroups, wanted: bool | None, gone: Declined | None) -> Moments | Absent:
    """Return the second moments of examples, or why they are not kept; ``gone`` have no answer."""
    if wanted is False:
        return "off"
    if x.scale is not None and x.scale.of == "example":
        return "priced"
    if not usual(x.m) and (wanted is None or unit_of(x) is not None):
        return "many" if wanted is None else "soft"
    each = groups.group is not None and fits(len(groups.keys), x.m)

    def of_groups(x: Examples, groups: ExampleGroups) -> dict[Key, Products]:
        ordered = x.take(groups.rows)
        inside = (ordered.between(a, b) for a, b in pairwise(groups.ends.tolist()))
        return {key: products_of(rows) for key, rows in zip(groups.keys, inside, strict=True)}

    declined: dict[Key, Products] | None = None
    if gone is not None:
        some = gone.examples
        declined = of_groups(some, groups.among(gone.rows)) if each else {(): products_of(some)} if some.n else {}
    return Moments(products_of(x), of_groups(x, groups) if each else None, declined, wanted is True)


def _count_replicates(x: Examples, kept: Array | None, n: int, asked: Replicates, gone: Declined | None) -> Replicated:
    """Return the replicates of examples; ``gone`` have no answer.

    Rows are numbered before any is left out.
    """
    first = asked.first_row
    rows = first + (np.arange(n) if kept is None else np.flatnonzero(kept))
    declined = None
    if gone is not None:
        declined = (replicate(gone.examples, rows[gone.rows], asked),) if gone.examples.n else ()
    return Replicated(replicate(x, rows, asked), declined, ((asked.seed, first, first + n),) if n else ())


def observed_examples(
    pair: Pair, *, tnorm: TNorm | None, mask: Array | None, weights: Array | None = None, scale: Scale | None = None
) -> tuple[Examples, Array | None]:
    """Return the examples of which something was observed, and which of all examples they are; None: all."""
    y, yhat, kept = pair.y, pair.yhat, pair.rows
    times = weights if weights is None or kept is None else weights[kept]
    x = Examples(
        y,
        yhat,
        pair.cells,
        times,
        tnorm if y.soft or yhat.soft else None,
        scale if scale is None or kept is None else scale.take(kept),
    )
    return (x, kept) if mask is None else _apply_mask(x, mask, kept)


def _count_hidden(x: Examples, n: int) -> tuple[int, int]:
    """Return the number of examples not observed at all, and of entries not observed in the others."""
    if x.cells is None:
        return n - x.n, 0
    seen = x.cells.sum(axis=1)
    none = int((seen == 0).sum())
    return n - x.n + none, (x.n - none) * x.m - int(seen.sum())


def _apply_mask(x: Examples, mask: Array, kept: Array | None) -> tuple[Examples, Array | None]:
    """Return the examples (or entries) that a mask shows, and which of all examples are left.

    The mask has a row for each of all examples.
    """
    here = mask if kept is None else mask[kept]
    if mask.shape[1] == 1:  # it hides whole examples; a mask with more columns is about entries, whatever it contains
        return x.take(np.flatnonzero(here)), mask[:, 0] if kept is None else kept & mask[:, 0]
    return replace(x, cells=here if x.cells is None else here & x.cells), kept


def _count_groups(x: Examples, groups: ExampleGroups, hidden: list[Any], pairs: bool) -> Mapping[Key, Part]:
    """Return the part of each group; only without a grouping all classes have a place in memory."""
    if groups.group is not None and x.single:
        return (pack_pairs if pairs else pack_counts)(x, groups, hidden)
    parts = (_add_hidden(part, times) for part, times in zip(_parts(x, groups, pairs), hidden, strict=True))
    named = zip(groups.keys, parts, strict=True)
    return dict(named) if groups.group is None else pack(named, x.m)


def _find_declined(parts: Mapping[Key, Part], x: Examples, kept: Array | None, answered: Callable[[], Array]) -> Declined:
    """Return the observed examples that have no predicted class."""
    rows = [parts.rows[1:]] if isinstance(parts, PackedCounts) else [part.rows()[0] for part in parts.values()]
    empty = ((four[0] + four[1] == 0) & (four.sum(axis=0) != 0) for four in rows)
    if x.m and not any(some.any() for some in empty):  # every example that was observed has an answer
        none = np.zeros(0, np.intp)
        return Declined(none, x.take(none))
    gone = ~answered() if kept is None else ~answered()[kept]
    if x.cells is not None and x.m:
        gone &= x.cells.any(axis=1)  # an example of which nothing was observed is not observed either way
    chosen = np.flatnonzero(gone)
    return Declined(chosen, x.take(chosen))


def _count_declined(groups: ExampleGroups, gone: Declined) -> Mapping[Key, Part]:
    """Return the counts of the examples without a predicted class, of each group that has some."""
    if not gone.examples.n:
        return {}
    if groups.group is None:
        return {(): _part(gone.examples, pairs=False)}
    some = groups.among(gone.rows)
    return _count_groups(gone.examples, some, [0] * len(some.keys), pairs=False)


def _parts(x: Examples, groups: ExampleGroups, pairs: bool) -> Iterator[Part]:
    """Yield the part of each group; small groups are counted in one pass where possible."""
    if groups.group is None:
        yield from (_part(x, pairs) for _ in groups.keys)
        return
    for first, last in groups.runs(x):
        start, stop = groups.ends[[first, last]]
        some = x.take(groups.rows[start:stop])
        ends = groups.ends[first : last + 1] - start
        if x.plain and last - first > 1:
            yield from summed_counts(some, ends)
        else:
            yield from (_part(some.between(a, b), pairs) for a, b in pairwise(ends.tolist()))


def _add_hidden(part: Part, times: Any) -> Part:
    """Return the part with examples of which nothing was observed: their number, or their weight."""
    if not times:
        return part
    if isinstance(part, CrossTable):
        return CrossTable(part.table, times)
    rows, often = part.rows()
    rows = np.concatenate([np.zeros((4, 1), rows.dtype), rows], axis=1)
    unseen = 0 if part.per_class.shape[1] else times
    return Summed(part.per_class, *distinct(rows, np.concatenate([np.array([times], often.dtype), often])), unseen)


def _part(x: Examples, pairs: bool) -> Part:
    if x.single:
        return _count_codes(x, pairs)
    if x.cells is None and kinds_of_row(x) <= (min(MANY, x.n) if x.times is None else FEW_KINDS):
        return count_by_pairs(x)  # a table of the pairs is not larger than the cells
    if x.plain:
        return _count_sparse(x) if x.row_pairs is None else _count_dense(x, x.row_pairs)
    if x.times is not None and x.times.dtype.kind == "f" and replace(x, times=None).plain and x.words is not None:
        return _count_weighted(x, x.times, *x.words)
    return count_literally(x)


def _count_codes(x: Examples, pairs: bool) -> Part:
    n, m = x.n, x.m
    true, pred = x.y.data.block, x.yhat.data.block
    if pairs:
        return CrossTable(kernels.cross(true, pred, n, m) if x.times is None else kernels.weighted_cross(true, pred, x.times, m))
    tp, tpos, ppos = kernels.margins(true, pred, n, m, x.times)
    rows, times = rows_of_one_class(m), split_examples(tp[:m].sum(), tpos[m] - tp[m], ppos[m] - tp[m], tp[m], tpos.sum())
    return Summed(four_counts(tp, tpos, ppos, tpos.sum())[:, :m], *distinct(rows, times))


def _count_dense(x: Examples, rows: RowPairs) -> Summed:
    n, m = x.n, x.m
    columns = _sum_cells(x.cell_products, m) if x.together else np.zeros((3, m), np.int64)
    found = []
    at_once = x.together and loaded.core is not None  # then nothing is written down on the way
    for start in range(0, len(rows.true), step := len(rows.true) if at_once else max(1, WORDS // rows.true.shape[1])):
        some = slice(start, start + step)
        t, p, times = rows.true[some], rows.pred[some], None if rows.times is None else rows.times[some]
        if not x.together:
            columns += three_columns(t, p, m)
        here = kernels.count_distinct(t, p, m) if times is None else None
        found.append(kernels.distinct_rows(*three_counts(t, p), m, times) if here is None else here)
    return _complete_positives(columns, found, n, m)


def _sum_cells(products: Array, m: int) -> Array:
    """Return tp, actual and predicted positives of each class from sums of products with 1."""
    tp, fp, fn = products[0, 1:].reshape(3, m)
    return np.stack([tp, tp + fn, tp + fp])


def _count_weighted(x: Examples, weights: Array, true: Array, pred: Array) -> Summed:
    """Return the counts of dense decisions with float weights, as exact fractions."""
    m, base = x.m, x.m + 1
    columns = kernels.exact_zeros((3 * m,))
    rows, times = [np.zeros((3, 0), np.int64)], [kernels.exact_zeros((0,))]
    step = max(8, 4 * ENTRIES // max(m, 1)) // 8 * 8
    for start in range(0, x.n, step):
        block = slice(start, start + step)
        t, p, w = kernels.as_bytes(x.y.data[block]), kernels.as_bytes(x.yhat.data[block]), weights[block]
        kernels.add_columns_exactly(columns, np.concatenate([t & p, t, p], axis=1), w)
        tp, tpos, ppos = (counts.astype(np.int64) for counts in three_counts(true[block], pred[block]))
        key, where = kernels.number_keys((tpos * base + ppos) * base + tp, base**3)
        rows.append(np.stack([key % base, key // base // base, key // base % base]))
        times.append(kernels.exact_bincount(where, w, len(key)))
    often, (tp, tpos, ppos) = np.concatenate(times), np.concatenate(rows, axis=1)
    per_class = exactly(
        lambda sums: four_counts(sums[:m], sums[m : 2 * m], sums[2 * m : 3 * m], sums[3 * m :].sum()), np.append(columns, often)
    )
    return Summed(per_class, *distinct(four_counts(tp, tpos, ppos, m), often))


def _count_sparse(x: Examples) -> Summed:
    n, m = x.n, x.m
    columns = np.zeros((3, m), np.int64)
    found = []
    stored = isinstance(x.y.data, Sparse) and isinstance(x.yhat.data, Sparse)
    whole = stored and loaded.core is not None  # then nothing is written down on the way
    step = max(1, n if whole else n * ENTRIES // max(1, x.y.count_entries() + x.yhat.count_entries()))
    for start in range(0, n, step):
        some = x if step >= n else x.between(start, min(start + step, n))  # rows that are looked up are written out here
        a, b = some.y.as_sparse(), some.yhat.as_sparse()
        positives, tp = kernels.merge_rows((a.indptr, a.indices), (b.indptr, b.indices), m)
        columns += positives
        found.append(kernels.distinct_rows(tp, np.diff(a.indptr), np.diff(b.indptr), m))
    return _complete_positives(columns, found, n, m)


def _complete_positives(columns: Array, found: list[tuple[Array, Array]], n: int, m: int) -> Summed:
    """Return the four counts, per class and per distinct row, from tp, actual and predicted positives."""
    tp, tpos, ppos = columns
    per_class = four_counts(tp, tpos, ppos, n)
    rows = np.concatenate([r for r, _ in found], axis=1) if found else np.zeros((3, 0), np.int64)
    times = np.concatenate([t for _, t in found]) if found else np.zeros(0, np.int64)
    tp, tpos, ppos = rows
    return Summed(per_class, *distinct(four_counts(tp, tpos, ppos, m), times))


def replicate(x: Examples, rows: Array, asked: Replicates) -> Sums:
    """Return the counts of replicates of examples, which have these numbers of rows."""
    if x.cells is not None and not (seen := x.cells.any(axis=1)).all():
        chosen = np.flatnonzero(seen)
        return replicate(x.take(chosen), rows[chosen], asked)
    unit, b = unit_of(x), asked.number
    kinds = 3 if unit is None and x.cells is None else 4
    listed = unit is None and x.cells is None and WORTH_LISTING * count_labels(x) < kinds * x.m * x.n
    sums = np.zeros((1 + kinds * x.m, b), np.int64)
    for some in row_blocks(x.n, max(64, NUMBERS // max(b, 1 if listed else 1 + kinds * x.m))):
        block, weights = x.between(some.start, some.stop), weights_of(rows[some], b, asked.seed)
        if listed:
            _add_entries(sums, block, weights)
        else:
            columns = columns_of(block, kinds, None) if unit is None else _whole_cells(block, unit)
            sums += (columns.T @ weights.astype(columns.dtype, copy=False)).astype(np.int64)
    cells = np.moveaxis(sums[1:].reshape(kinds, x.m, b), 1, 2)
    if unit is None:
        cells = np.concatenate([cells[:3], (sums[0][:, None] - cells.sum(axis=0))[None]])
    return Sums(np.ascontiguousarray(cells), sums[0], x.n, unit or 0)


def _add_entries(sums: Array, x: Examples, weights: Array) -> None:
    """Add the weights of each entry at its place."""
    lengths, places = entries_of(x)
    order = np.argsort(places, kind="stable")
    owner, places = np.repeat(np.arange(x.n), lengths)[order], places[order]
    first = np.flatnonzero(np.diff(places, prepend=-1))
    if len(first):
        sums[places[first]] += np.add.reduceat(weights[owner], first, axis=0).astype(np.int64)
    sums[0] += weights.sum(axis=0).astype(np.int64)


def _whole_cells(x: Examples, unit: int) -> Array:
    """Return a column of ones, then tp, fp, fn and tn as whole multiples of 2**unit."""
    cells = Cells(x.y, x.yhat, x.tnorm, x.cells, scale=x.scale)
    four = (np.rint(np.ldexp(np.asarray(c, np.float64), -unit)) for c in (cells.tp, cells.fp, cells.fn, cells.tn))
    return np.hstack([np.ones((x.n, 1)), *four])
