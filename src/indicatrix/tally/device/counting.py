"""From arrays on a device to a tally: the one that the same rows in main memory would give.

Where something is not right with the rows, the functions return None: the way through main memory finds the first bad one, and
says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array
from ...encode.device_arrays import are_usable, is_kind, namespace_of, on_device_of, to_host
from ..counting.code_tables import DIRECT, taken, tally_of_integers
from ..states.group_counts import (
    CrossTable,
    Part,
    Summed,
    TableElsewhere,
    distinct,
    four_counts,
    rows_of_one_class,
    split_examples,
)
from ..states.moments import Absent, Moments, Products, no_moments, usual
from ..states.moments import width as width_of_row
from ..tally import MANY, Tally
from .margins import WIDEST, class_margins, margins_of_range
from .pair_buffer import SQUARES, WEIGHTS, PairCounts, add_pairs, buffer_size, fractions_of, margins_of_pairs, read_pairs
from .tables import TableCounts, column_sums, count_tables, products_of_tables, rows_of_codes, rows_without_prediction
from .weights import weighted_margins, weighted_pairs

SAMPLE = 1 << 16  # labels that are looked at before all are counted
SMALL = 1 << 16  # entries of rows that are copied, because main memory counts them sooner than the device is told to
GLANCE = 1 << 8  # labels that are copied to learn whether there may be few classes


def guess_width(true: Any, pred: Any, most: int = DIRECT) -> int | None:
    """Return one more than the largest of the first labels.

    None if some are negative or not below the most.
    """
    first = true[:SAMPLE], pred[:SAMPLE]
    return _width(most, namespace_of(true).concat(first)) if true.dtype == pred.dtype else _width(most, *first)


def exact_width(true: Any, pred: Any, most: int = DIRECT) -> int | None:
    """Return one more than the largest label; None if some are negative or not below the most."""
    return _width(most, true, pred)


def _width(most: int, *arrays: Any) -> int | None:
    xp, ends = namespace_of(arrays[0]), list[Any]()
    for labels in arrays:
        labels = xp.astype(labels, xp.uint8) if is_kind(labels, "bool") else labels
        ends += [xp.astype(end, xp.int64) for end in (xp.min(labels), xp.max(labels))]
    found = to_host(xp.stack(ends))  # all together, to wait for the device once
    return int(found.max()) + 1 if found.min() >= 0 and found.max() < most else None


def labels_that_occur(true: Any, pred: Any) -> Array:
    """Return the integers that occur in two vectors, ascending."""
    return np.union1d(*(to_host(namespace_of(labels).unique_values(labels)) for labels in (true, pred)))


def places_of(labels: Any, classes: Array) -> tuple[Any, Any]:
    """Return the place of each label among the classes, and how many labels are not among them."""
    xp = namespace_of(labels)
    order = np.argsort(classes, kind="stable")
    names = xp.astype(on_device_of(classes[order], labels), xp.int64)
    wide = xp.astype(labels, xp.int64)
    at = xp.clip(xp.astype(xp.searchsorted(names, wide), xp.int64), 0, len(classes) - 1)
    wrong = xp.sum(xp.astype(xp.take(names, at) != wide, xp.uint8), dtype=xp.int64)
    if (order[1:] > order[:-1]).all():
        return at, wrong
    return xp.take(on_device_of(order.astype(np.int64), labels), at), wrong


FEW = 64  # classes whose table is summed in main memory


class Naming(NamedTuple):
    """The classes of two arrays, and how they came about."""

    classes: tuple[Any, ...]
    open: bool = False
    ordered: bool = False


def count_plain_integers(true: Any, pred: Any, *, pairs_later: bool = False, once: bool = False) -> Tally | None:
    """Return the tally of two vectors of small non-negative integers or bools; None for others.

    ``pairs_later`` leaves a large table of pairs on the device until somebody asks for it. ``once`` says that the tally is gone
    before the labels can change: then they stay where they are, and their pairs are counted if somebody asks for them.
    """
    bools = true.dtype == pred.dtype == namespace_of(true).bool
    n = true.shape[0]
    for m in _widths(true, pred, bools=bools, most=WIDEST if once else DIRECT):
        if m is None:
            return None
        if m <= FEW or not (once or pairs_later):
            pairs = _copy_pairs(_pair_buffer(true, pred, m, probes=m == FEW), m)
            if not pairs.bad:
                return tally_of_integers(pairs.table, n, bools=bools, four=pairs.per_class)
            continue
        if once:
            margins, copy = class_margins(true, pred, m)[:, :m], partial(_pair_buffer, true, pred, m)
        else:
            buffer = _pair_buffer(true, pred, m)
            margins, copy = margins_of_pairs(buffer, m), partial(_itself, buffer)
        found = to_host(margins)
        if m > MANY >= np.count_nonzero(found[1] + found[2]):
            return None  # few classes of large numbers, whose pairs have a table if they are coded first
        tally = _tally_of_margins(found, n, copy)
        if tally is not None:
            return tally
    return None


def _itself(x: Any) -> Any:
    return x


def _widths(true: Any, pred: Any, *, bools: bool, most: int) -> Iterator[int | None]:
    """Yield how many classes there may be, until all labels are below.

    None where some are not below the most.

    To learn how many there are takes longer than a kernel takes to count few of them. The first labels mostly tell how many there
    are of more; if not, all do.
    """
    if bools:
        yield 2
        return
    tried = 0
    if are_usable(true, pred) and (to_host(true[:GLANCE]) < FEW).all():
        yield (tried := FEW)
    guessed = guess_width(true, pred, most)
    if guessed is None or guessed > tried:
        yield guessed
    yield exact_width(true, pred, most)


@lru_cache(maxsize=4)
def _first_integers(m: int) -> tuple[int, ...]:
    """Return 0, …, m - 1; making and forgetting many numbers takes as long as counting on a GPU."""
    return tuple(range(m))


def _tally_of_margins(margins: Array, n: int, copy: Callable[[], Any]) -> Tally | None:
    """Return the tally of hits, truths and predictions of each class.

    Pairs are copied when somebody asks for them.

    Integers that do not occur are not classes. None if a label was not counted. Very many classes have no pairs.
    """
    m, classes = margins.shape[1], np.flatnonzero(margins[1] + margins[2])
    if margins[1].sum() != n or margins[2].sum() != n:
        return None
    four = margins if len(classes) == m else margins[:, classes]
    if len(classes) > MANY:
        names = _first_integers(m) if len(classes) == m else tuple(classes.tolist())
        return _tally(Naming(names, open=True), _summed_margins(*four), n)

    def table() -> Array:
        found = read_pairs(to_host(copy()), m).table
        return found if len(classes) == m else taken(found, classes)

    part = TableElsewhere(table, four_counts(four[0], four[1], four[2], n))
    return Tally(tuple(classes.tolist()), {(): part}, n)


def count_pairs(true: Any, pred: Any, m: int, **options: Any) -> PairCounts:
    """Return how often each pair of classes occurs; the options are those of ``add_pairs``."""
    return _copy_pairs(_pair_buffer(true, pred, m, **options), m)


def _pair_buffer(true: Any, pred: Any, m: int, **options: Any) -> Any:
    xp = namespace_of(true)
    return add_pairs(xp.zeros(buffer_size(m), dtype=xp.int64, device=true.device), true, pred, m, **options)


def _copy_pairs(buffer: Any, m: int) -> PairCounts:
    if m <= FEW:
        return read_pairs(to_host(buffer), m)
    margins = to_host(margins_of_pairs(buffer, m))  # sums of a large table are faster there
    return read_pairs(to_host(buffer), m)._replace(per_class=four_counts(margins[0], margins[1], margins[2], margins[1].sum()))


def tally_of_pairs(names: Naming, buffers: Mapping[str, Array]) -> tuple[Tally, PairCounts]:
    """Return the tally of a buffer of pairs that was copied to main memory, and what else is in it.

    Next to the buffer there may be sums of weights and of their squares, in digits.
    """
    m = len(names.classes)
    found = read_pairs(buffers["pairs"], m)
    n = int(found.table.sum()) + found.ignored
    facts: dict[str, Any] = {"hidden": (found.ignored, 0), "declined": None}
    if "weights" not in buffers:
        return _tally(names, CrossTable(found.table, found.ignored), n, **facts), found
    weighted, squares = (
        _tally(names, _weighted_table(fractions_of(buffers[name], places).reshape(m + 3, m + 3), m), n, **facts)
        for name, places in (("weights", WEIGHTS), ("squares", SQUARES))
    )
    return replace(weighted, squares=squares), found


def _weighted_table(sums: Array, m: int) -> CrossTable:
    return CrossTable(sums[: m + 1, : m + 1], sums[m + 2].sum())


def count_labels(
    true: Any,
    pred: Any,
    naming: Naming | None,
    *,
    seen: Any,
    weights: Any,
    confusion: bool | None,
    squares: bool,
    of_scores: bool = False,
) -> Tally | None:
    """Return the tally of two vectors of integers on classes that are given, or on those that occur.

    ``seen`` says which examples were observed; ``weights`` are float64. Not both may be given. ``squares`` asks for the tally of
    the squared weights as well. ``of_scores`` is that of ``add_pairs``.
    """
    margins, names = None, naming
    if names is None:
        margins = margins_of_range(true, pred)
        found_here = labels_that_occur(true, pred) if margins is None else margins.classes
        names = Naming(tuple(found_here.tolist()), open=True)
    m = len(names.classes)
    plain = seen is None and weights is None
    if margins is not None and m > MANY and plain and not confusion:
        return _tally(names, _summed_margins(margins.tp, margins.tpos, margins.ppos), true.shape[0])
    if names.classes != tuple(range(m)):
        (true, odd), (pred, wrong) = (places_of(labels, np.asarray(names.classes)) for labels in (true, pred))
        if int(odd) or int(wrong):
            return None
    pairs = confusion if confusion is not None else m <= MANY
    if m > MANY and pairs:
        return None  # rare, and there is no small table
    hidden = 0
    part: Part
    if m > MANY:
        counted, hidden = _margins(true, pred, m, seen, weights)
        if counted is None:
            return None
        part = counted
    elif weights is not None:
        table = weighted_pairs(true, pred, weights, m)
        if table is None:
            return None
        part = CrossTable(table)
    else:
        found = count_pairs(true, pred, m, seen=seen, of_scores=of_scores)
        if found.bad:
            return None
        part, hidden = CrossTable(found.table, found.ignored, found.per_class), found.ignored
    if not pairs:
        part = part.summed()
    of_squares = None
    if squares and weights is not None:
        of_squares = count_labels(
            true, pred, Naming(tuple(range(m))), seen=None, weights=weights * weights, confusion=confusion, squares=False
        )
        if of_squares is None:
            return None
        of_squares = of_squares.with_names(names.classes)
    return _tally(names, part, true.shape[0], hidden=(hidden, 0), keep_pairs=confusion is True, squares=of_squares)


def _tally(names: Naming, part: Part, n: int, **facts: Any) -> Tally:
    declined: dict[Any, Part] | None = None if isinstance(part, CrossTable) else {}
    return Tally(names.classes, {(): part}, n, open=names.open, ordered=names.ordered, **{"declined": declined, **facts})


def _margins(true: Any, pred: Any, m: int, seen: Any, weights: Any) -> tuple[Summed | None, int]:
    """Return the counts of very many classes, and how many rows were not observed.

    Their pairs have no place in memory.
    """
    if weights is not None:
        sums = weighted_margins(true, pred, weights, m)
        return (None if sums is None else _summed_margins(*sums)), 0
    hidden = 0
    if seen is not None:
        hidden, true, pred = int(namespace_of(seen).sum(~seen)), true[seen], pred[seen]
    counts = to_host(class_margins(true, pred, m))
    tp, tpos, ppos = counts[:, :m]
    return (None if counts[1:, m].any() else _summed_margins(tp, tpos, ppos, hidden)), hidden


def _summed_margins(tp: Array, tpos: Array, ppos: Array, hidden: int = 0) -> Summed:
    n = tpos.sum()
    times = split_examples(tp.sum(), 0, 0, 0, n)
    times[0] += hidden
    return Summed(four_counts(tp, tpos, ppos, n), *distinct(rows_of_one_class(len(tp)), times))


def count_matrices(true: Any, pred: Any, names: Naming, *, seen: Any, moments: bool | None) -> Tally | None:
    """Return the tally of two tables of 0 and 1; None if they hold anything else.

    ``seen`` is None, or n x 1 bools for whole examples, or n x m bools.
    """
    n, m = true.shape
    counts = count_tables(true, pred, seen)
    columns = to_host(counts.columns)
    if counts.by_kernel and columns[-1]:
        return None
    entries, found = n if seen is None else to_host(counts.entries), _distinct_codes(counts.codes)
    products = None
    if moments or (moments is None and usual(m)):
        products = products_of_tables(true, pred, seen)  # the device works, while rows are read here
    part = Summed(four_counts(columns[:m], columns[m : 2 * m], columns[2 * m : 3 * m], entries), *rows_of_codes(*found, m))
    rows, often = part.rows()
    hidden, inside = hidden_in_rows(rows, often, m), rows.sum(axis=0)
    declined, less = dict[Any, Part](), dict[Any, Products]()
    if ((rows[0] + rows[1] == 0) & (inside > 0)).any():
        gone = rows_without_prediction(counts, pred, seen)
        if gone.shape[0]:
            declined = {(): _declined_counts(true, seen, counts, columns, gone)}
            less = {} if products is None else {(): _declined_products(true, pred, seen, gone)}
    kept: Moments | Absent = "off" if moments is False else "many"
    if products is not None:
        kept = Moments(products_in_memory(to_host(products), m), None, less, moments is True)
    return _tally(names, part, n, hidden=hidden, declined=declined, moments=kept)


def hidden_in_rows(rows: Array, times: Array, m: int) -> tuple[int, int]:
    """Return how many examples were not observed at all, and how many entries of the others."""
    inside = rows.sum(axis=0)
    return int(times[inside == 0].sum()), int(((m - inside) * times)[inside > 0].sum())


def _declined_counts(true: Any, seen: Any, counts: TableCounts, columns: Array, gone: Any) -> Summed:
    """Return the counts of the rows without a prediction, which are at these places."""
    xp, m = namespace_of(true), true.shape[1]
    if counts.by_kernel:
        fn, entries = columns[3 * m : 4 * m], np.full(m, gone.shape[0])
    else:
        some = xp.take(true, gone, axis=0)
        shown = xp.ones_like(some) if seen is None else xp.broadcast_to(xp.take(seen, gone, axis=0), some.shape)
        fn, entries = to_host(column_sums(some & shown)), to_host(column_sums(shown))
    zero, codes = np.zeros_like(fn), xp.take(counts.codes, gone)
    found = _distinct_codes(codes if gone.shape[0] > SMALL else to_host(codes))
    return Summed(np.stack([zero, zero, fn, entries - fn]), *rows_of_codes(*found, m))


def _distinct_codes(codes: Any) -> tuple[Array, Array]:
    found, times = (to_host(x) for x in namespace_of(codes).unique_counts(codes))
    return found, times


def _declined_products(true: Any, pred: Any, seen: Any, gone: Any) -> Products:
    """Return the products of the rows without a prediction, which are at these places."""
    xp, m = namespace_of(true), true.shape[1]
    if seen is not None or gone.shape[0] * m > SMALL:
        some = (None if x is None else xp.take(x, gone, axis=0) for x in (true, pred, seen))
        return products_in_memory(to_host(products_of_tables(*some)), m)
    truths = to_host(xp.take(true, gone, axis=0)) == 1
    rows = np.concatenate([np.ones((len(truths), 1)), truths], axis=1)  # of all entries only 1 and fn can be there
    return products_in_memory((rows.T @ rows).astype(np.int64), m, np.append(0, 2 * m + np.arange(1, m + 1)))


def products_in_memory(table: Array, m: int, entries: Array | None = None) -> Products:
    """Return the products of entries of rows as the library keeps them, from a table of them.

    ``entries`` are their numbers, ascending; None: all, from 0.
    """
    if not table[0, 0]:
        return no_moments(m)
    if table[1:, 0].any():  # there is the same left of the diagonal
        table = np.triu(table)
    own, wide, at = len(table), width_of_row(m), np.flatnonzero(table != 0)
    keys = at + at // own * (wide - own) if entries is None else entries[at // own] * wide + entries[at % own]
    return Products(m, keys, table.ravel()[at], int(table[0, 0]))
