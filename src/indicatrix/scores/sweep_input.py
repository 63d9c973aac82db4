"""The input of a sweep: labels and scores, read where they were observed, and checked (prop:roc)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..encode.containers import read
from ..encode.device_arrays import place_of
from ..encode.indicator import Coded, Indicator
from ..encode.pairs import Pair, Reading, encode
from ..encode.plain_forms import Form, Labels, Table
from ..encode.weights import check_by, check_mask, check_row_labels
from ..ranking.sort_keys import as_kept
from ..ranking.threshold_steps import check_scores
from ..settings.options import Options
from .score_options import (
    check_missing,
    check_one_each,
    check_order,
    observed_numbers,
    one_column,
    plain_weights,
    seen_in,
    soft_entry,
)
from .sweep_rows import SweepRows

STRIP = 512  # rows that are turned into columns at a time


@dataclass(frozen=True, eq=False)
class SweepInput:
    """What a sweep is made of: the kind of problem, its classes, the columns of its scores, and its rows."""

    kind: str
    classes: tuple[Any, ...]
    units: tuple[Any, ...]
    positive: Any
    rows: SweepRows
    scores: Any  # of all examples, as evaluate may read them: what was not observed is 0


def read_rows(
    y_true: Any,
    scores: Any,
    *,
    classes: Any = None,
    positive: Any = None,
    missing: str = "error",
    argument: str = "scores",
    **others: Any,
) -> SweepInput:
    """Return labels and scores of every example, checked; ``others`` are sample_weight, mask and by.

    ``argument`` is what errors call the scores.
    """
    check_missing(missing)
    mask, kept = others.get("mask"), None
    plain = classes is None and positive is None and missing == "error"
    if plain and place_of(scores) is not None and all(value is None for value in others.values()):
        door = _on_device(y_true, scores)
        if door is not None:
            return door
    door = _plain(y_true, scores) if plain else None
    if door is None:
        how = Reading.of(classes=classes, positive=positive, missing=missing, names=("y_true", argument))
        door, kept = _encode(y_true, scores, how, others)
    elif mask is not None:
        door = replace(door, rows=replace(door.rows, mask=check_mask(mask, door.rows.n, len(door.units), door.units)))
    n = len(door.scores)
    weights, groups = plain_weights(others.get("sample_weight"), n), check_by(others.get("by"), n)
    if kept is not None:
        weights = None if weights is None else weights[kept]
        groups = {axis: (names, codes[kept]) for axis, (names, codes) in groups.items()}
    return replace(door, rows=replace(door.rows, weights=weights, groups=groups))


def _plain(y_true: Any, scores: Any) -> SweepInput | None:
    """Return the input of plain NumPy arrays, without a look at each label.

    Labels are 0/1 or False/True, and scores are floats. Return None for anything else, NaN included: the general way finds
    what is wrong, or that it was not observed.
    """
    if type(y_true) is not np.ndarray or type(scores) is not np.ndarray or not 0 < y_true.size == scores.size:
        return None
    if y_true.shape != scores.shape or y_true.dtype.kind not in "biu" or scores.dtype.char not in "fd":
        return None
    if not (y_true.dtype.isnative and scores.dtype.isnative):
        return None
    if y_true.ndim == 2:
        rows = _turn(y_true, scores)
        units = tuple(range(scores.shape[1]))
        return None if rows is None else SweepInput("multilabel", units, units, None, rows, scores)
    if y_true.ndim != 1 or _beyond_one(y_true) or np.isnan(scores.max()):
        return None
    classes = (False, True) if y_true.dtype.kind == "b" else (0, 1)
    rows = SweepRows(y_true.astype(bool)[:, None], np.array(scores, order="C")[:, None])  # copies: callers may change theirs
    return SweepInput("binary", classes, classes[1:], classes[1], rows, scores)


def _on_device(y_true: Any, scores: Any) -> SweepInput | None:
    """Return the input of arrays on a device; None if they are to be read in main memory."""
    from .device_rows import rows_on_device  # imported here because few programs need it

    found = rows_on_device(y_true, scores)
    if found is None:
        return None
    kind, classes, rows = found
    units = classes[1:] if kind == "binary" else classes
    return SweepInput(kind, classes, units, classes[1] if kind == "binary" else None, rows, scores)


def _turn(y_true: Array, scores: Array) -> SweepRows | None:
    """Return tables of 0/1 and of floats by column; None where one holds anything else."""
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
    return SweepRows(labels.T, values.T)


def _beyond_one(labels: Array) -> bool:
    """Return whether some integer is neither 0 nor 1: as unsigned ones, negative integers are large."""
    return labels.dtype.kind != "b" and bool(labels.view(f"u{labels.dtype.itemsize}").max() > 1)


def _by_column(table: Array) -> Array:
    """Return a copy of a table with each column in one piece, since columns are what is ranked."""
    turned = np.empty(table.shape[::-1], table.dtype)
    for start in range(0, len(table), STRIP):
        turned[:, start : start + STRIP] = table[start : start + STRIP].T
    return turned.T


def _encode(y_true: Any, scores: Any, how: Reading, others: dict[str, Any]) -> tuple[SweepInput, Array | None]:
    """Return the input of any labels, and which examples were kept (None: all)."""
    check_row_labels({"y_true": y_true, how.names[1]: scores, **Options(**others).columns})
    mask = others.get("mask")
    form = read(scores, how.names[1])
    true = y_true if isinstance(y_true, Indicator) else read(y_true, "y_true")
    check_order(true, how.names[1], how.classes)
    if isinstance(form, Labels):
        check_one_each(true, how.names[1])
        return _one_score(true, form, how, mask)
    soft = soft_entry(true)
    if soft is not None:
        raise ValueError(
            f"y_true[{soft[0]}, {soft[1]}] = {soft[2]}: with scores a label is 0 or 1. Labels come first, then {how.names[1]}; "
            "decide on labels that have degrees, as with y_true >= 0.5."
        )
    return _scores_of_classes(true, form, how, mask)


def _one_score(true: Any, form: Labels, how: Reading, mask: Any) -> tuple[SweepInput, Array | None]:
    """Return the input of one score per example, that of the positive class."""
    if len(form) != len(true):
        raise ValueError(f"{how.names[1]} has {len(form)} entries for {len(true)} examples. Give one score per example.")
    if form.categories is not None or (len(form) and isinstance(form.values[0], str | bytes)):
        raise TypeError(
            f"{how.names[1]} holds texts, which are labels; a score is a number for each example. Give scores or "
            "probabilities, or choose a measure of labels."
        )
    pair = encode(true, Labels(np.zeros(len(true))), how._replace(rule=0.5))  # decisions that stand for the scores
    seen, kept = seen_in(pair, check_mask(mask, len(true), 1)), _kept_rows(pair)
    values = check_scores(form, len(true), how.names[1], None if seen is None else seen[:, 0])
    positive = next(c for c in pair.y.classes if c == (1 if how.positive is None else how.positive))
    labels = (_codes(pair) == pair.y.classes.index(positive))[:, None]
    rows = SweepRows(labels, _take(np.array(as_kept(values)), kept)[:, None], None if seen is None else _take(seen, kept))
    return SweepInput("binary", pair.y.classes, (positive,), positive, rows, Labels(values)), kept


def _scores_of_classes(true: Any, form: Form, how: Reading, mask: Any) -> tuple[SweepInput, Array | None]:
    """Return the input of a column of scores for each class."""
    n = true.n if isinstance(true, Indicator) else len(true)
    table = _table(form, n, how.names[1])
    stand_in = np.broadcast_to(np.zeros(1, bool), table.values.shape)  # decisions are not used: these are the fastest
    with one_column(how.names[1], table.values.shape[1] == 1 and isinstance(true, Labels)):
        pair = encode(true, Table(stand_in, table.columns), how._replace(rule="argmax"))
    units, positive = pair.y.classes, how.positive
    if positive is not None and positive not in units:
        raise ValueError(f"positive={positive!r} is not a class; the classes are {units!r}.")
    seen, kept = seen_in(pair, check_mask(mask, n, len(units), units)), _kept_rows(pair)
    table = Table(observed_numbers(table, how.names[1], seen), table.columns)
    single = isinstance(pair.y.data, Coded)
    labels = np.array(_codes(pair)) if single else _by_column(np.asarray(pair.y.matrix, bool))
    rows = SweepRows(labels, _by_column(_take(as_kept(table.values), kept)), None if seen is None else _take(seen, kept))
    return SweepInput("multiclass" if single else "multilabel", units, units, positive, rows, table), kept


def _codes(pair: Pair) -> Array:
    return np.asarray(pair.y.codes)


def _kept_rows(pair: Pair) -> Array | None:
    """Return which examples have a label; None: all."""
    return None if pair.rows is None else np.flatnonzero(pair.rows)


def _take(rows: Array, kept: Array | None) -> Array:
    return rows if kept is None else rows[kept]


def _table(form: Form, n: int, argument: str) -> Table:
    if not isinstance(form, Table) or form.values.dtype.kind not in "biuf":
        raise TypeError(f"{argument} must be numbers: one per example, or one per example and class in a two-dimensional array.")
    if len(form) != n:
        raise ValueError(f"{argument} has {len(form)} rows for {n} examples. Give one row of {argument} per example.")
    return form
