"""Orders: labels ranked by their scores, as groups of equal scores from the best down.

Outside the algebra (the boundary, sec:label_ranking): which label stands before which is not a sum of cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.measure import Measure
from ...algebra.score import Score, Undefined
from ...encode.containers import read
from ...encode.indicator import Indicator, column_of_codes
from ...encode.pairs import Reading, encode
from ...encode.plain_forms import Form, Labels, Sparse, Table
from ...encode.weights import Groups as Grouping
from ...encode.weights import check_by, check_mask, check_row_labels
from ...settings.options import Options
from ..contributions import Entries, Meaning, SparseEntries, UnitAxes, average_contributions
from ..score_input import check_missing, check_order, observed_numbers, one_column, plain_weights, seen_in, soft_entry

CELLS = 1 << 17  # scores that are ranked at a time: their sorted copies stay in cache
FEW_LABELS = 16  # up to this many, the labels of an example are compared with each other
NONE_RELEVANT = ", without relevant labels that were observed"
OPTIONS = ("classes", "sample_weight", "mask", "by", "missing")
READ_SPARSE = (
    "Sparse scores are read by label_ranking_ap, ranking_loss, mrr, dcg, ndcg, precision_at_k, recall_at_k and the scores with "
    "propensities."
)


@dataclass(frozen=True, eq=False)
class Groups:
    """Labels with equal scores, one entry per group.

    The order is from the best group of the first example to the worst group of the last.
    """

    n: int  # examples; one without observed labels has no group
    m: int  # labels
    cell: Array  # for every observed label, group by group: its place in the table of examples and labels, row after row
    row: Array  # the example of each group
    above: Array  # labels of this example with higher scores
    size: Array  # labels in the group
    gain: Array  # what they are worth together; where labels are relevant or not, how many are relevant

    def per_example(self, amounts: Array) -> Array:
        """Return the sum over each example's groups, as float64."""
        return np.bincount(self.row, amounts, self.n)

    def per_label(self, amounts: Array) -> Array:
        """Return amounts of groups as a table with one amount for each label.

        It is 0 where nothing was observed.
        """
        table = np.zeros(self.n * self.m, amounts.dtype)
        table[self.cell] = amounts if len(amounts) == len(self.cell) else np.repeat(amounts, self.size)
        return table.reshape(self.n, self.m)

    @property
    def labels(self) -> Array:
        """The number of observed labels of each example."""
        return self.per_example(self.size)

    @property
    def total(self) -> Array:
        """The gain of all labels of each example."""
        return self.per_example(self.gain)

    @property
    def through(self) -> Array:
        """The gain of each group and of those above it; exact where gains are whole numbers."""
        running = np.cumsum(self.gain)
        first = self.above == 0
        return np.asarray(running - (running - self.gain)[first][np.cumsum(first) - 1])


@dataclass(frozen=True, eq=False)
class Orders:
    """What is relevant, and the scores that rank it: one row per example, one column per label."""

    truth: Any  # an Indicator, or an array of gains
    scores: Array  # floats
    observed: Array | None  # n x 1 or n x m bools; None: everything
    classes: tuple[Any, ...]
    weights: Array | None
    by: dict[str, Grouping]

    @property
    def axes(self) -> UnitAxes:
        """What values may be kept along."""
        return UnitAxes(len(self.scores), self.classes, self.weights, self.by, self.observed)

    def observed_labels(self, rows: slice) -> Array:
        """Return which labels of these examples were observed."""
        shape = self.scores[rows].shape
        return np.ones(shape, bool) if self.observed is None else np.broadcast_to(self.observed[rows], shape)

    def blocks(self) -> Iterator[slice]:
        """Yield the examples, some at a time."""
        n, m = self.scores.shape
        return blocks(n, m)

    def groups(self, rows: slice, *, ignore_ties: bool = False, ranked_by: Array | None = None) -> Groups:
        """Return these examples' groups of equal scores.

        With ``ignore_ties`` each label is a group, the lower index first, as in top_k. ``ranked_by`` has other numbers for
        these examples than their scores.
        """
        order, falling = self._order(rows, self.scores[rows] if ranked_by is None else ranked_by, stable=ignore_ties)
        worth = np.take_along_axis(self.gains(rows), order, axis=1)
        n, m = order.shape
        new = np.ones((n, m), bool)
        if not ignore_ties:
            np.not_equal(falling[:, 1:], falling[:, :-1], out=new[:, 1:])
        row, cell = np.repeat(np.arange(n), m), (order + np.arange(n)[:, None] * m).ravel()
        flat = [new.ravel(), worth.ravel(), np.tile(np.arange(m), n), row, cell]
        if self.observed is not None:  # what is not observed stands last
            seen = ~np.isnan(falling).ravel()
            flat = [x[seen] for x in flat]
        first, gain_of, place, row, cell = flat
        at = np.flatnonzero(first)
        if len(at) == len(first):  # no ties
            return Groups(n, m, cell, row, place, np.ones(len(at), np.int64), gain_of)
        return Groups(n, m, cell, row[at], place[at], np.diff(np.append(at, len(first))), np.add.reduceat(gain_of, at))

    def gains(self, rows: slice) -> Array:
        """Return what each label is worth: 1 or 0, or its gain; 0 where it is not observed."""
        worth = self.truth.rows(rows).astype(np.int64) if isinstance(self.truth, Indicator) else self.truth[rows]
        return worth if self.observed is None else np.where(self.observed[rows], worth, 0)

    def labels(self, rows: slice) -> Callable[[], tuple[Array, Array]]:
        """Return a function that returns which labels of these examples are relevant, and which are not.

        Both are among the labels that were observed.
        """

        def sides() -> tuple[Array, Array]:
            relevant = self.gains(rows) != 0
            return relevant, self.observed_labels(rows) & ~relevant

        return sides

    def _order(self, rows: slice, numbers: Array, stable: bool) -> tuple[Array, Array]:
        """Return the columns of each row from the highest number down, and the negated numbers in that order."""
        if self.observed is None and numbers.shape[1] <= FEW_LABELS:
            ranks = ranks_in_rows(numbers)
            order = np.empty(numbers.shape, np.intp)
            np.put_along_axis(order, ranks.astype(np.intp), np.arange(numbers.shape[1])[None], axis=1)
            return order, np.negative(np.take_along_axis(numbers, order, axis=1))
        negated = -numbers
        if self.observed is not None:
            negated = np.where(self.observed[rows], negated, np.nan)  # NaN is sorted to the end, behind -inf
        order = np.argsort(negated, axis=1, kind="stable" if stable else None)
        return order, np.take_along_axis(negated, order, axis=1)


def ranks_in_rows(numbers: Array) -> Array:
    """Return the rank of each number in its row, 0 for the highest; the first of equal ones stands first.

    Of a few columns it is many times faster to compare each with each than to sort every row.

    >>> ranks_in_rows(np.array([[0.2, 0.9, 0.2]])).tolist()
    [[1, 0, 2]]
    """
    n, m = numbers.shape
    if m > FEW_LABELS:
        order, ranks = np.argsort(-numbers, axis=1, kind="stable"), np.empty((n, m), np.intp)
        np.put_along_axis(ranks, order, np.arange(m)[None], axis=1)
        return ranks
    columns, above = np.ascontiguousarray(numbers.T), np.zeros((m, n), np.uint8)
    for j in range(m):
        for i in range(j):
            before = (columns[i] >= columns[j]).view(np.uint8)
            above[j] += before
            above[i] += before ^ np.uint8(1)
    return above.T


@dataclass(frozen=True, eq=False)
class RankingScore:
    """A score of rankings: what it is called, and what the labels of some examples add to it."""

    kind: Meaning
    entries: Callable[[Orders, slice], Entries]
    stored: Callable[[Any], SparseEntries] | None = None  # what the labels of sparse scores add, where that is known

    def score(self, given: Orders, average: Any = "exemplar", undefined: Undefined = "exclude") -> Score:
        """Return an average of what the labels of each example add; some examples are computed at a time."""
        blocks = ((rows, self.entries(given, rows)) for rows in given.blocks())
        found: Score = average_contributions(self.kind, given.axes, blocks, average, undefined)
        return found


def blocks(n: int, m: int) -> Iterator[slice]:
    """Yield n rows of m numbers, some at a time."""
    step = max(CELLS // max(m, 1), 1)
    return (slice(start, start + step) for start in range(0, n, step))


def orders(
    y_true: Any,
    scores: Any,
    *,
    graded: bool = False,
    classes: Iterable[Any] | None = None,
    sample_weight: Any = None,
    mask: Any = None,
    by: Mapping[str, Any] | None = None,
    missing: str = "error",
) -> Orders:
    """Return labels and the scores that rank them.

    ``y_true`` holds what is relevant or, if ``graded``, how relevant it is.
    """
    others = Options(sample_weight=sample_weight, mask=mask, by=by)
    check_row_labels({"y_true": y_true, "scores": scores, **others.columns})
    true = y_true if isinstance(y_true, Indicator) else read(y_true, "y_true")
    check_order(true, "scores", classes)
    check_missing(missing)
    table = score_table(read(scores, "scores"), "scores", swapped=soft_entry(true) is not None)
    n, m = table.values.shape
    size = true.n if isinstance(true, Indicator) else len(true)
    if size != n:
        raise ValueError(f"y_true has {size} examples and scores {n}; they must describe the same examples.")
    gains = None
    if isinstance(true, Table | Sparse):
        gains = _relevance(true) if graded else None
        true = refuse_degrees(true) if gains is None else Table(np.where(np.isnan(gains), gains, gains != 0), _columns(true))
    stand_in = Table(np.broadcast_to(np.zeros(1), (n, m)), table.columns)  # no score is read before it is known as seen
    with one_column("scores", m == 1 and isinstance(true, Labels)):  # every score reaches this threshold
        pair = encode(true, stand_in, Reading.of(classes=classes, rule=-np.inf, missing=missing, names=("y_true", "scores")))
    truth, observed = pair.y, seen_in(pair, check_mask(mask, n, m, pair.y.classes))
    if pair.rows is not None:  # examples without a label stay, with nothing observed
        codes = np.full(n, -1)
        codes[pair.rows] = truth.codes
        truth = Indicator(column_of_codes(codes), truth.classes)
    numbers = exact_floats(observed_numbers(table, "scores", observed))
    worth = truth if gains is None else np.nan_to_num(gains)
    return Orders(worth, numbers, observed, truth.classes, plain_weights(sample_weight, n), check_by(by, n))


def score_table(form: Form, argument: str, *, swapped: bool = False) -> Table:
    """Return a table of numbers, one for every example and label.

    Text, and anything that is not a table, is an error.
    """
    if isinstance(form, Labels):
        advice = "Labels come first, then scores." if swapped else "One ranking is one row."
        raise ValueError(f"{argument} has one dimension; give a row for every example, with one number per label. {advice}")
    if not isinstance(form, Table) or form.values.dtype.kind not in "biuf":
        advice = f" {READ_SPARSE}" if isinstance(form, Sparse) else ""
        raise TypeError(f"{argument} is not a dense array of numbers; every example and label needs one here.{advice}")
    return form


def exact_floats(values: Array) -> Array:
    """Return numbers as floats in the same order.

    Integers that float64 would make equal are replaced by their ranks.
    """
    if values.dtype.kind == "f":
        return values
    if values.dtype.itemsize == 8 and values.size and max(-int(values.min()), int(values.max())) > 2**53:
        values = np.unique(values, return_inverse=True)[1].reshape(values.shape)
    return values.astype(np.float64)


def _columns(form: Table | Sparse) -> tuple[Any, ...] | None:
    return form.columns if isinstance(form, Table) else None


def _relevance(form: Table | Sparse) -> Array:
    """Return graded relevance as a dense array of finite numbers, NaN where it is missing."""
    if isinstance(form, Sparse):
        values = np.zeros((len(form), form.width))
        values[np.repeat(np.arange(len(form)), np.diff(form.indptr)), form.indices] = form.data
    else:
        values = form.values.astype(np.float64)
    if np.isinf(values).any():
        i, j = map(int, np.argwhere(np.isinf(values))[0])
        raise ValueError(f"y_true[{i}, {j}] = {values[i, j]}: relevance is a finite number. Replace it.")
    return values


def refuse_degrees(form: Table | Sparse) -> Table | Sparse:
    """Return a matrix of what is relevant as it is; refuse degrees of relevance."""
    values = form.data if isinstance(form, Sparse) else form.values
    odd = (values != 0) & (values != 1) & (values == values)
    if odd.any():
        at = tuple(map(int, np.argwhere(odd)[0]))
        if isinstance(form, Sparse):
            at = (int(np.searchsorted(form.indptr, at[0], side="right")) - 1, int(form.indices[at[0]]))
        raise ValueError(
            f"y_true[{at[0]}, {at[1]}] = {values[odd].flat[0]!s}: here a label is relevant, 1, or not, 0. "
            "Labels come first, then scores; degrees of relevance are read by dcg and ndcg, for the others take y_true >= 1."
        )
    return form


def cut_at(measure: Measure, k: int | None) -> Measure:
    """Return what is known about a score of rankings that are cut at a rank, which its name tells.

    >>> from indicatrix.algebra.sums import sums
    >>> str(cut_at(sums("ndcg"), 5))
    'ndcg@5'
    """
    return measure if k is None else replace(measure, name=f"{measure.name}@{k}")


def check_k(k: int | None, caller: str) -> None:
    """Refuse a ``k`` that is not a rank."""
    if k is not None and (isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1):
        raise ValueError(f"k={k!r}: {caller} is cut at a rank, a whole number of at least 1; None takes all labels.")


WIDTH = 64  # ranks that are handled at once where the first relevant label stands in a long tie


def reciprocal_ranks(groups: Groups, k: int | None) -> Array:
    """Return the expected reciprocal of the first relevant rank of each example.

    It is 0 if that rank is behind k, or if no label is relevant.

    >>> one = np.ones(1, np.int64)
    >>> reciprocal_ranks(Groups(1, 2, np.arange(2), one * 0, one * 0, one * 2, one), None).tolist()  # first or second
    [0.75]
    """
    values = np.zeros(groups.n)
    first = (groups.gain > 0) & (groups.through == groups.gain)
    row, above, size, hits = (x[first] for x in (groups.row, groups.above, groups.size, groups.gain))
    longest = int((size - hits).max(initial=-1)) + 1  # places in its group where it may stand
    missed = np.ones(len(row))  # the probability that no relevant label stands at an earlier place of the group
    for start in range(0, longest, WIDTH):
        place = np.arange(start, min(start + WIDTH, longest))
        met = hits[:, None] / np.maximum(size[:, None] - place, hits[:, None])  # given that none was met before
        still = missed[:, None] * np.cumprod(1 - met, axis=1)
        rank = above[:, None] + place + 1
        worth = np.where(rank <= (k or np.inf), 1 / rank, 0.0)
        values[row] += (np.concatenate((missed[:, None], still[:, :-1]), axis=1) * met * worth).sum(axis=1)
        missed = still[:, -1]
    return values
