"""Rankings in sparse arrays: only stored scores are ranked, and memory grows with what is stored.

An entry of the scores that is not stored has no score: its label stands behind every rank. This is how extreme label sets are
given, with the best hundred of 100,000 labels for each example.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.quantity import Quantity
from ..algebra.score import Undefined
from ..encode.containers import read
from ..encode.matrices import ascending
from ..encode.pairs import Reading, encode
from ..encode.plain_forms import Sparse, Table
from ..encode.sparse_decisions import rows_of, sparse_order, sparse_scores
from ..encode.weights import Groups, check_by
from .contributions import BoundaryScore, Kind, SparseEntries, UnitAxes, average_contributions
from .label_orders import NONE_RELEVANT
from .score_options import check_missing, plain_weights

WHAT_IS_SEEN = "an entry of a sparse array that is not stored cannot be told from one that was not observed. Use a dense array"


@dataclass(frozen=True, eq=False)
class SparseOrders:
    """What is relevant and how much, and the scores that rank it: both as stored entries."""

    gains: Sparse  # above 0
    scores: Sparse
    classes: tuple[Any, ...]
    weights: Array | None
    by: dict[str, Groups]

    @property
    def shape(self) -> tuple[int, int]:
        """The number of examples and of labels."""
        return len(self.gains), self.gains.width

    def found(self, worth: Callable[[Array], Array], *, ignore_ties: bool) -> tuple[Array, Array, Array]:
        """Return example, label and gain of each relevant label with a rank, times what that is worth."""
        row, factor = _worth_of_ranks(self.scores, worth, ignore_ties)
        counted = np.flatnonzero(factor)
        row, label = row[counted], self.scores.indices[counted].astype(np.int64)
        keys, wanted = (at * self.gains.width + of for at, of in ((rows_of(self.gains), self.gains.indices), (row, label)))
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        hit = np.flatnonzero(keys[place] == wanted) if len(keys) else np.zeros(0, np.intp)
        return row[hit], label[hit], self.gains.data[place[hit]] * factor[counted][hit]

    def best(self, worth: Callable[[Array], Array], *, ignore_ties: bool) -> tuple[Array, Array, Array]:
        """Return the same for the best ranking, in which labels stand by their gains."""
        row, factor = _worth_of_ranks(self.gains, worth, ignore_ties)
        return row, self.gains.indices, self.gains.data * factor

    def relevant_per_example(self) -> Array:
        """Return how many labels of each example are relevant."""
        return np.diff(self.gains.indptr)


@dataclass(frozen=True, eq=False)
class SparseScore:
    """A score of sparse rankings: what it is called, and what the entries add."""

    kind: Kind
    given: SparseOrders
    entries: SparseEntries

    def score(self, average: str = "exemplar", undefined: Undefined = "exclude") -> BoundaryScore:
        """Return an average of what the labels add."""
        axes = UnitAxes(self.given.shape[0], self.given.classes, self.given.weights, self.given.by)
        return average_contributions(self.kind, axes, [(slice(None), self.entries)], average, undefined)


def gain_over_best(
    kind: Kind, given: SparseOrders, worth: Callable[[Array], Array], *, ignore_ties: bool, scale: Array | None = None
) -> SparseScore:
    """Return the gain of rankings over that of the best ones; a scale has one number per example."""
    parts, wholes = (side(worth, ignore_ties=ignore_ties) for side in (given.found, given.best))
    if scale is not None:
        parts, wholes = ((row, label, amount * scale[row]) for row, label, amount in (parts, wholes))
    positives = rows_of(given.gains), given.gains.indices
    return SparseScore(kind, given, SparseEntries(parts, wholes, positives, given.shape))


def discounts(k: int | None) -> Callable[[Array], Array]:
    """Return what ranks are worth: 1/log2(rank + 1), counted from 1, and nothing behind k."""
    return lambda rank: np.where(rank < (math.inf if k is None else k), 1 / np.log2(rank + 2.0), 0.0)


def sparse_ndcg(given: SparseOrders, k: int | None, *, ignore_ties: bool) -> SparseScore:
    """Return discounted gain over that of the best ranking, of sparse scores."""
    kind = Kind(Quantity("ndcg" if k is None else f"ndcg@{k}"), True, NONE_RELEVANT)
    return gain_over_best(kind, given, discounts(k), ignore_ties=ignore_ties)


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
) -> SparseOrders:
    """Return labels, with their degrees of relevance, and the stored scores that rank them."""
    check_missing(missing)
    if mask is not None or missing != "error":
        raise ValueError(f"Sparse scores go with neither mask= nor missing={missing!r}: {WHAT_IS_SEEN}.")
    form = read(y_true, "y_true")
    graded = _stored(form) if isinstance(form, Sparse | Table) else None
    relevant = form if graded is None else Sparse(graded.indptr, graded.indices, np.ones(len(graded.data), bool), graded.width)
    nothing = Sparse(np.zeros(len(scores) + 1, np.intp), np.zeros(0, np.intp), np.zeros(0, bool), scores.width)
    pair = encode(relevant, nothing, Reading.of(classes=classes, names=("y_true", "scores")))
    if graded is None:
        labels = pair.y.as_sparse()
        graded = Sparse(labels.indptr, labels.indices, np.ones(len(labels.indices)), labels.width)
    elif gain is not None:
        graded = Sparse(graded.indptr, graded.indices, gain(graded.data), graded.width)
    n = len(scores)
    return SparseOrders(graded, scores, pair.y.classes, plain_weights(sample_weight, n), check_by(by, n))


def _stored(form: Sparse | Table) -> Sparse:
    """Return degrees of relevance as stored entries above 0, in float64."""
    if isinstance(form, Table):
        rows, columns = np.nonzero(form.values)
        indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(form)))))
        form = Sparse(indptr, columns, form.values[rows, columns], form.values.shape[1])
    if form.data.dtype.kind not in "biuf":
        raise TypeError(f"y_true is an array of {form.data.dtype}; relevance is a number.")
    here = form.data != 0
    data, indices = form.data[here].astype(np.float64), form.indices[here]
    indptr = np.concatenate(([0], np.cumsum(here)))[form.indptr]
    odd = ~(np.isfinite(data) & (data > 0))
    if odd.any():
        at = int(odd.argmax())
        place = f"y_true[{int(np.searchsorted(indptr, at, side='right')) - 1}, {int(indices[at])}]"
        raise ValueError(f"{place} = {data[at]:g}: the relevance of a label is a finite number, not below 0. Correct it.")
    return ascending(Sparse(indptr, indices, data, form.width), "y_true")


def _worth_of_ranks(form: Sparse, worth: Callable[[Array], Array], ignore_ties: bool) -> tuple[Array, Array]:
    """Return the row of each stored entry, and what its rank is worth; equal values share theirs."""
    row, (order, rank) = rows_of(form), sparse_order(form)
    ranked = worth(rank)
    if not ignore_ties and len(order):
        values = form.data[order]
        first = np.flatnonzero(np.append(True, (values[1:] != values[:-1]) | (row[1:] != row[:-1])))
        sizes = np.diff(np.append(first, len(order)))
        ranked = np.repeat(np.add.reduceat(ranked, first) / sizes, sizes)
    factor = np.empty(len(order))
    factor[order] = ranked
    return row, factor
