"""Rows: labels and scores of each example, as a sweep keeps them; read and checked at its door."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..algebra.containers import read
from ..algebra.forms import Labels, Table
from ..algebra.indicator import Coded, Indicator
from ..algebra.pairs import Pair, encode
from ..algebra.weights import Groups, check_by, check_mask, check_weights
from ..settings.called import called
from ..tally.kernels import Array
from ..tally.sortkeys import as_floats
from ..tally.steps import check_scores

STRIP = 512  # rows that are turned into columns at a time


@dataclass(frozen=True, eq=False)
class Rows:
    """What a sweep knows of each example: its labels, its scores, what was observed of them, its weight and its groups."""

    labels: Array  # n x m bools, or n codes of one class each (-1: none)
    scores: Array  # n x m floats, a column for each unit
    mask: Array | None = None  # n x 1 or n x m, True where observed; None: everywhere
    weights: Array | None = None  # one per example; None: one each
    groups: Mapping[str, Groups] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """The number of examples."""
        return len(self.scores)

    def truth(self, at: slice | Array = slice(None)) -> Array:
        """Return the labels of some examples as bools, in the shape of their scores."""
        some = self.labels[at]
        return some if some.ndim == 2 else some[:, None] == np.arange(self.scores.shape[1])

    def column(self, j: int) -> tuple[Array, Array, Array | None]:
        """Return scores, labels and weights of the observed examples in one column."""
        labels = self.labels[:, j] if self.labels.ndim == 2 else self.labels == j
        scores, weights = self.scores[:, j], self.weights
        if self.mask is None:
            return scores, labels, weights
        seen = self.mask[:, j if self.mask.shape[1] > 1 else 0]
        return scores[seen], labels[seen], None if weights is None else weights[seen]

    def cells(self) -> tuple[Array, Array, Array | None]:
        """Return scores, labels and weights of all observed entries, in one dimension."""
        shape, truth = self.scores.shape, self.truth()
        weights = None if self.weights is None else np.broadcast_to(self.weights[:, None], shape)
        if self.mask is None:
            return self.scores.ravel(), truth.ravel(), None if weights is None else weights.ravel()
        seen = np.broadcast_to(self.mask, shape)
        return self.scores[seen], truth[seen], None if weights is None else weights[seen]

    def take(self, index: Array) -> Rows:
        """Return some of the examples."""
        mask, weights = (None if x is None else x[index] for x in (self.mask, self.weights))
        groups = {axis: (names, codes[index]) for axis, (names, codes) in self.groups.items()}
        return Rows(self.labels[index], self.scores[index], mask, weights, groups)


def join_rows(one: Rows, two: Rows) -> Rows:
    """Return the examples of two sweeps of the same classes, the second after the first; one that lacks a grouping loses it."""
    given = [x.mask for x in (one, two)]
    mask = None
    if any(m is not None for m in given):
        width = max(m.shape[1] for m in given if m is not None)
        masks = (np.ones((x.n, 1), bool) if x.mask is None else x.mask for x in (one, two))
        mask = np.concatenate([np.broadcast_to(m, (len(m), width)) for m in masks])
    weighted = one.weights is not None or two.weights is not None
    weights = [np.ones(x.n) if x.weights is None else x.weights for x in (one, two)]
    groups = {axis: _join_groups(one.groups[axis], two.groups[axis]) for axis in one.groups if axis in two.groups}
    return Rows(
        np.concatenate((one.labels, two.labels)),
        np.concatenate((one.scores, two.scores)),
        mask,
        np.concatenate(weights) if weighted else None,
        groups,
    )


def _join_groups(one: Groups, two: Groups) -> Groups:
    names = tuple(dict.fromkeys((*one[0], *two[0])))
    place = np.array([names.index(name) for name in two[0]], np.intp)
    return names, np.concatenate((one[1], place[two[1]] if len(two[1]) else two[1])).astype(np.intp)


def _by_column(table: Array) -> Array:
    """Return a copy of a table with each column in one piece, since columns are what is ranked."""
    turned = np.empty(table.shape[::-1], table.dtype)
    for start in range(0, len(table), STRIP):
        turned[:, start : start + STRIP] = table[start : start + STRIP].T
    return turned.T


@dataclass(frozen=True, eq=False)
class Door:
    """What a sweep is made of: the kind of problem, its classes, the columns of its scores, and its rows."""

    kind: str
    classes: tuple[Any, ...]
    units: tuple[Any, ...]
    positive: Any
    rows: Rows


def read_rows(
    y_true: Any, scores: Any, *, classes: Any = None, positive: Any = None, missing: str = "error", **beside: Any
) -> Door:
    """Return labels and scores of every example, checked; ``beside`` are sample_weight, mask and by."""
    door = _plain(y_true, scores) if classes is None and positive is None and missing == "error" else None
    kept: Any = None
    if door is None:
        door, kept = _encoded(y_true, scores, {"classes": classes, "positive": positive, "missing": missing})
    n = door.rows.n if kept is None else len(kept)
    mask = check_mask(beside.get("mask"), n, len(door.units))
    weights, groups = check_weights(beside.get("sample_weight"), n), check_by(beside.get("by"), n)
    if kept is not None:
        at = np.flatnonzero(kept)
        mask, weights = None if mask is None else mask[at], None if weights is None else weights[at]
        groups = {axis: (names, codes[at]) for axis, (names, codes) in groups.items()}
    if door.rows.mask is not None:
        mask = door.rows.mask if mask is None else door.rows.mask & mask
    return replace(door, rows=replace(door.rows, mask=mask, weights=weights, groups=groups))


def _plain(y_true: Any, scores: Any) -> Door | None:
    """Return the door of NumPy arrays of labels 0/1 or False/True and of floats, without a look at each label."""
    if type(y_true) is not np.ndarray or type(scores) is not np.ndarray or not 0 < y_true.size == scores.size:
        return None
    if y_true.shape != scores.shape or y_true.dtype.kind not in "biu" or scores.dtype.char not in "fd":
        return None
    if not (y_true.dtype.isnative and scores.dtype.isnative):
        return None
    if y_true.ndim == 2:
        rows = _turned(y_true, scores)
        units = tuple(range(scores.shape[1]))
        return None if rows is None else Door("multilabel", units, units, None, rows)
    if y_true.ndim != 1 or _beyond_one(y_true):
        return None
    classes = (False, True) if y_true.dtype.kind == "b" else (0, 1)
    _no_nan(scores)
    rows = Rows(y_true.astype(bool)[:, None], np.array(scores, order="C")[:, None])  # copies: callers may change theirs
    return Door("binary", classes, classes[1:], classes[1], rows)


def _turned(y_true: Array, scores: Array) -> Rows | None:
    """Return tables of 0/1 and of floats by column; None where one holds anything else, since that is an error elsewhere."""
    labels, values = np.empty(scores.shape[::-1], bool), np.empty(scores.shape[::-1], scores.dtype)
    for start in range(0, len(scores), STRIP):
        some = y_true[start : start + STRIP]
        if _beyond_one(some):
            return None
        labels[:, start : start + STRIP] = some.astype(bool).T
    for start in range(0, len(scores), STRIP):
        part = scores[start : start + STRIP]
        if np.isnan(part.max()):
            return None
        values[:, start : start + STRIP] = part.T
    return Rows(labels.T, values.T)


def _beyond_one(labels: Array) -> bool:
    """Return whether some integer is neither 0 nor 1: as unsigned ones, negative integers are large."""
    return labels.dtype.kind != "b" and bool(labels.view(f"u{labels.dtype.itemsize}").max() > 1)


def _encoded(y_true: Any, scores: Any, options: dict[str, Any]) -> tuple[Door, Any]:
    """Return the door of any labels, and which examples were kept (None: all)."""
    form = read(scores, "scores")
    truth = y_true if isinstance(y_true, Indicator) else read(y_true, "y_true")
    n = truth.n if isinstance(truth, Indicator) else len(truth)
    if isinstance(form, Labels):
        values = as_floats(check_scores(form, n, "scores"))
        pair = _pair(truth, Labels(np.zeros(n)), 0.5, options)
        given = options["positive"]
        positive = next(c for c in pair.y.classes if c == (1 if given is None else given))
        labels = (_codes(pair) == pair.y.classes.index(positive))[:, None]
        values = np.array(values if pair.rows is None else values[pair.rows])[:, None]
        return Door("binary", pair.y.classes, (positive,), positive, Rows(labels, values)), pair.rows
    table = _table(form, n)
    stand_in = np.broadcast_to(np.zeros(1, bool), table.values.shape)  # decisions are not used: these are the fastest
    pair = _pair(truth, Table(stand_in, table.columns), "argmax", options)
    units, positive = pair.y.classes, options["positive"]
    if positive is not None and positive not in units:
        raise ValueError(f"positive={positive!r} is not a class; the classes are {units!r}.")
    values = _by_column(as_floats(table.values) if pair.rows is None else as_floats(table.values)[pair.rows])
    single = isinstance(pair.y.data, Coded)
    labels = np.array(_codes(pair)) if single else _by_column(np.asarray(pair.y.matrix, bool))
    rows = Rows(labels, values, pair.cells)
    return Door("multiclass" if single else "multilabel", units, units, positive, rows), pair.rows


def _pair(y_true: Any, stand_in: Any, rule: Any, options: dict[str, Any]) -> Pair:
    """Return encoded labels beside any decisions; an error speaks of the scores that the decisions stand for."""
    with called(y_pred="scores"):
        return encode(y_true, stand_in, rule=rule, **options)


def _codes(pair: Pair) -> Array:
    return np.asarray(pair.y.codes)


def _table(form: Any, n: int) -> Table:
    if not isinstance(form, Table) or form.values.dtype.kind not in "biuf":
        raise TypeError("scores must be numbers: one per example, or one per example and class in a two-dimensional array.")
    if len(form) != n:
        raise ValueError(f"scores has {len(form)} rows for {n} examples. Give one row of scores per example.")
    _no_nan(form.values)
    return form


def _no_nan(scores: Array) -> None:
    if scores.size and scores.dtype.kind == "f" and np.isnan(scores.max()):
        at = np.unravel_index(int(np.isnan(scores).argmax()), scores.shape)
        raise ValueError(f"scores[{', '.join(map(str, map(int, at)))}] is NaN: a score is needed. Fill it, or drop the row.")
