"""Rankings in sparse arrays: only stored scores are ranked, and memory grows with what is stored.

An entry of the scores that is not stored has no score: its label stands behind every rank. This is how extreme label sets are
given, with the best hundred of 100,000 labels for each example. A relevant label without a score is never found: its precision is
0, it has no reciprocal rank, and every irrelevant label counts as not below it, as in a tie of all labels that have no score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.score import Score, Undefined
from ...encode.containers import read
from ...encode.indicator import Indicator
from ...encode.matrices import rows_of, sort_columns, sparse_order, sparse_scores
from ...encode.pairs import Reading, encode
from ...encode.plain_forms import Sparse, Table
from ...encode.weights import Groups, check_by
from ..contributions import Meaning, SparseEntries, UnitAxes, average_contributions
from ..score_input import check_missing, plain_weights
from .label_orders import Groups as Tied
from .label_orders import Orders, reciprocal_ranks, refuse_degrees

Amounts = tuple[Array, Array, Array]  # example, label and amount of each entry
WHAT_IS_SEEN = "an entry of a sparse array that is not stored cannot be told from one that was not observed. Use a dense array"


@dataclass(frozen=True, eq=False)
class SparseOrders:
    """What is relevant and how much, and the scores that rank it: both as stored entries."""

    gains: Sparse  # other than 0
    scores: Sparse
    classes: tuple[Any, ...]
    weights: Array | None
    by: dict[str, Groups]
    seen: Array | None = None  # observed entries (n, m), or examples (n, 1); None: everything

    @property
    def shape(self) -> tuple[int, int]:
        """The number of examples and of labels."""
        return len(self.gains), self.gains.width

    def found_gains(self, worth: Callable[[Array], Array], *, ignore_ties: bool) -> tuple[Array, Array, Array]:
        """Return example, label and gain of each relevant label with a rank, times what that is worth."""
        row, factor = _worth_of_ranks(self.scores, worth, ignore_ties)
        counted = np.flatnonzero(factor)
        row, label = row[counted], self.scores.indices[counted].astype(np.int64)
        hit, place = self.relevant_among(row * self.gains.width + label)
        return row[hit], label[hit], self.gains.data[place] * factor[counted][hit]

    def best(self, worth: Callable[[Array], Array], *, ignore_ties: bool) -> tuple[Array, Array, Array]:
        """Return the same for the best ranking, in which labels stand by their gains."""
        row, factor = _worth_of_ranks(self.gains, worth, ignore_ties)
        return row, self.gains.indices, self.gains.data * factor

    @property
    def cells(self) -> Array:
        """The place of each relevant label in the table of examples and labels, row after row; ascending."""
        return np.asarray(rows_of(self.gains) * self.gains.width + self.gains.indices)

    def relevant_among(self, cells: Array) -> tuple[Array, Array]:
        """Return which of some places hold a relevant label, and its number among the relevant ones."""
        relevant = self.cells
        if not len(relevant):
            return np.zeros(0, np.intp), np.zeros(0, np.intp)
        place = np.minimum(np.searchsorted(relevant, cells), len(relevant) - 1)
        hit = np.flatnonzero(relevant[place] == cells)
        return hit, place[hit]

    def groups(self, *, ignore_ties: bool = False) -> Tied:
        """Return the stored labels of each example as groups of equal scores; a gain counts the relevant."""
        (n, m), (order, rank) = self.shape, sparse_order(self.scores)
        row = rows_of(self.scores)
        cell = row * m + self.scores.indices[order]
        relevant = np.zeros(len(cell), np.int64)
        relevant[self.relevant_among(cell)[0]] = 1
        first = np.arange(len(cell)) if ignore_ties else _first_of_equals(self.scores.data[order], row)
        if not len(first):
            return Tied(n, m, cell, row, rank, rank, relevant)
        sizes = np.diff(np.append(first, len(cell)))
        return Tied(n, m, cell, row[first], rank[first], sizes, np.add.reduceat(relevant, first))

    def relevant_per_example(self) -> Array:
        """Return how many labels of each example are relevant."""
        return np.diff(self.gains.indptr)

    def entries(self, parts: Amounts, wholes: Amounts | None) -> SparseEntries:
        """Return what labels add, with which of them are relevant."""
        return SparseEntries(parts, wholes, (rows_of(self.gains), self.gains.indices), self.shape, self.seen)


def score_stored(kind: Meaning, given: SparseOrders, entries: SparseEntries, average: str, undefined: Undefined) -> Score:
    """Return an average of what the labels of sparse scores add."""
    axes = UnitAxes(given.shape[0], given.classes, given.weights, given.by, given.seen)
    return average_contributions(kind, axes, [(slice(None), entries)], average, undefined)


def gain_over_best(
    given: SparseOrders, worth: Callable[[Array], Array], *, ignore_ties: bool, scale: Array | None = None
) -> SparseEntries:
    """Return the gain of rankings, and that of the best ones; a scale has one number per example."""
    parts, wholes = (side(worth, ignore_ties=ignore_ties) for side in (given.found_gains, given.best))
    if scale is not None:
        parts, wholes = ((row, label, amount * scale[row]) for row, label, amount in (parts, wholes))
    return given.entries(parts, wholes)


def discounts(k: int | None, log_base: float = 2) -> Callable[[Array], Array]:
    """Return what ranks are worth: 1/log(rank + 1), counted from 1, and nothing behind k."""
    return lambda rank: np.where(rank < (math.inf if k is None else k), math.log2(log_base) / np.log2(rank + 2.0), 0.0)


def all_stored(given: Orders) -> SparseOrders:
    """Return dense rankings as sparse ones, in which every score that was observed is stored."""
    rows = slice(None)
    gains, scores, seen = given.gains(rows), given.scores, given.observed_labels(rows)
    tables = ((gains, gains != 0), (scores, seen))
    stored = [Sparse(_ends(kept), np.nonzero(kept)[1], values[kept].astype(np.float64), kept.shape[1]) for values, kept in tables]
    return SparseOrders(stored[0], stored[1], given.classes, given.weights, given.by, given.observed)


def _ends(kept: Array) -> Array:
    """Return where the stored entries of each row begin, and where the last ones end."""
    return np.concatenate(([0], np.cumsum(kept.sum(axis=1, dtype=np.intp))))


def stored_scores(scores: Any) -> Any:
    """Return scores as stored entries if their container is sparse, and otherwise as they are."""
    if hasattr(scores, "shape") and not isinstance(scores, np.ndarray):
        form = read(scores, "scores")
        return sparse_scores(form, "scores") if isinstance(form, Sparse) else scores
    return scores


def sparse_orders(
    y_true: Any,
    scores: Sparse,
    gain: Callable[[Array], Array] | None = None,
    *,
    classes: Iterable[Any] | None = None,
    sample_weight: Any = None,
    mask: Any = None,
    by: Mapping[str, Any] | None = None,
    missing: str = "error",
    graded: bool = True,
    signed: bool = False,
) -> SparseOrders:
    """Return labels, with their degrees of relevance if ``graded``, and the stored scores that rank them.

    Relevance below 0 is refused, unless it is ``signed``.
    """
    check_missing(missing)
    if mask is not None or missing != "error":
        raise ValueError(f"Sparse scores go with neither mask= nor missing={missing!r}: {WHAT_IS_SEEN}.")
    form = y_true if isinstance(y_true, Indicator) else read(y_true, "y_true")
    if isinstance(form, Sparse | Table) and not graded:
        refuse_degrees(form)
    gains = _stored_degrees(form, signed) if isinstance(form, Sparse | Table) else None
    relevant = form if gains is None else Sparse(gains.indptr, gains.indices, np.ones(len(gains.data), bool), gains.width)
    nothing = Sparse(np.zeros(len(scores) + 1, np.intp), np.zeros(0, np.intp), np.zeros(0, bool), scores.width)
    pair = encode(relevant, nothing, Reading.of(classes=classes, names=("y_true", "scores")))
    if gains is None:
        labels = pair.y.as_sparse()
        gains = Sparse(labels.indptr, labels.indices, np.ones(len(labels.indices)), labels.width)
    elif gain is not None:
        gains = Sparse(gains.indptr, gains.indices, gain(gains.data), gains.width)
    if not np.isfinite(np.abs(gains.data).max(initial=0.0) * max(gains.width, 1)):
        at = int(np.abs(gains.data).argmax())
        place = f"y_true[{int(rows_of(gains)[at])}, {int(gains.indices[at])}]"
        raise ValueError(f"{place} has too large a gain to sum. Scale the relevance down.")
    n = len(scores)
    return SparseOrders(gains, scores, pair.y.classes, plain_weights(sample_weight, n), check_by(by, n))


def _stored_degrees(form: Sparse | Table, signed: bool) -> Sparse:
    """Return degrees of relevance as stored entries other than 0, in float64; below 0 only if ``signed``."""
    if isinstance(form, Table):
        kept = form.values != 0
        form = Sparse(_ends(kept), np.nonzero(kept)[1], form.values[kept], form.values.shape[1])
    if form.data.dtype.kind not in "biuf":
        raise TypeError(f"y_true is an array of {form.data.dtype}; relevance is a number.")
    here = form.data != 0
    data, indices = form.data[here].astype(np.float64), form.indices[here]
    indptr = np.concatenate(([0], np.cumsum(here)))[form.indptr]
    odd = ~(np.isfinite(data) & (signed | (data > 0)))
    if odd.any():
        at = int(odd.argmax())
        place = f"y_true[{int(np.searchsorted(indptr, at, side='right')) - 1}, {int(indices[at])}]"
        limit = "" if signed else ", not below 0"
        raise ValueError(f"{place} = {data[at]:g}: the relevance of a label is a finite number{limit}. Correct it.")
    return sort_columns(Sparse(indptr, indices, data, form.width), "y_true")


def _worth_of_ranks(form: Sparse, worth: Callable[[Array], Array], ignore_ties: bool) -> tuple[Array, Array]:
    """Return the row of each stored entry, and what its rank is worth; equal values share theirs."""
    row, (order, rank) = rows_of(form), sparse_order(form)
    ranked = worth(rank)
    if not ignore_ties and len(order):
        first = _first_of_equals(form.data[order], row)
        sizes = np.diff(np.append(first, len(order)))
        ranked = np.repeat(np.add.reduceat(ranked, first) / sizes, sizes)
    factor = np.empty(len(order))
    factor[order] = ranked
    return row, factor


def _first_of_equals(values: Array, row: Array) -> Array:
    """Return where a group of equal values of the same row begins."""
    if not len(values):
        return np.zeros(0, np.intp)
    return np.flatnonzero(np.append(True, (values[1:] != values[:-1]) | (row[1:] != row[:-1])))


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
