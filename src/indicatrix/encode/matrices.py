"""Matrices of labels and scores as callers give them.

Dense, sparse, soft or label sets, checked entry by entry.

Sparse scores become decisions: an entry that is not stored has no score and is never predicted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..algebra.arrays import Array, Mask
from ..compiled import loaded
from ..words.wording import listing, short
from .containers import twofold
from .decisions import Above, TopK, check_width, reaches, thresholds
from .factorize import objection
from .indicator import Indicator, checked_words, hold_decisions
from .plain_forms import BLOCK, IMAGES, Form, Labels, Sets, Sparse, Table, is_missing
from .vocabulary import AS_NO_CLASS, classes_of_columns, distinct, family, family_of, vocabulary

OR_MASK = ", or pass missing='mask' to leave them out"  # for what evaluate() was given; an encoder has no such option


def one_family(families: dict[str, str | None]) -> None:
    """Refuse two arguments whose labels are of different families: their labels could never be equal."""
    if len({kind for kind in families.values() if kind is not None}) > 1:
        (a, ka), (b, kb) = families.items()
        raise TypeError(f"{a} holds labels of type {ka} and {b} of type {kb}, so they can never be equal. Convert one of them.")


def width_of(form: Form) -> int:
    """Return the number of columns of a table."""
    return form.width if isinstance(form, Sparse) else int(form.values.shape[1])  # type: ignore[union-attr]


def members(form: Form, argument: str) -> tuple[set[Any], str | None]:
    """Return the labels of a vector or of label sets, and their family."""
    if isinstance(form, Labels):
        return distinct(form), family(form, argument)
    assert isinstance(form, Sets)
    found = {label for row in form.rows if row is not None for label in row}
    kinds = {family_of(type(label)) for label in found}
    if len(kinds) > 1 or any(is_missing(label) or objection(label) for label in found):
        raise _member_error(form, argument)
    return found, kinds.pop() if kinds else None


def _member_error(form: Sets, argument: str) -> Exception:
    """Return the error for the first wrong label in sets.

    It is missing, cannot be a label, or has another type than the first label.
    """
    first: Any = None
    for i, row in enumerate(form.rows):
        for label in sorted(row or (), key=lambda x: family_of(type(x))):
            reason = objection(label)
            if reason is not None:
                return TypeError(f"{argument}[{i}] holds {short(label)}, which cannot be a label: {reason}.")
            if is_missing(label):
                return ValueError(f"{argument}[{i}] holds {label!r}, a missing label. Remove it: set() stands for no label.")
            first = (label, i) if first is None else first
            if family_of(type(label)) != family_of(type(first[0])):
                return TypeError(
                    f"{argument} mixes label types: {argument}[{first[1]}] holds {short(first[0])}, {argument}[{i}] holds "
                    f"{short(label)}. Convert all labels to one type, for example with str()."
                )
    return TypeError(f"{argument} holds something that cannot be a label.")


def as_matrix(
    form: Form, classes: tuple[Any, ...] | None, argument: str, soft: bool, missing: str | None
) -> tuple[Indicator, Mask | None]:
    """Return a matrix or label sets as an indicator, and the observed cells where some are missing.

    ``missing`` says what a missing entry means: "error", "mask", or None where the caller has no such option.
    """
    if isinstance(form, Sets):
        return _from_sets(form, classes, argument, missing)
    if isinstance(form, Labels):
        raise TypeError(f"{argument} has one dimension; memberships and indicator matrices have one column per class.")
    if classes is None:
        named = None if isinstance(form, Sparse) else form.columns
        classes = tuple(range(width_of(form))) if named is None else classes_of_columns(named, argument)
    if len(classes) != width_of(form):
        raise ValueError(
            f"{argument} has {width_of(form)} columns for {len(classes)} classes; there must be one column per class."
        )
    if isinstance(form, Table):
        check_columns(form, classes, argument)
    if isinstance(form, Sparse):
        return Indicator(_check_sparse(form, argument), classes), None
    values, cells, words = form.values, None, None
    if values.dtype.kind == "f":
        values, cells = _check_floats(values, argument, soft, missing)
    elif values.dtype.kind in "iu" and values.size:
        decided, words = checked_words(values)
        if not decided:
            raise _no_decision(values, argument)
    indicator = Indicator(values, classes)
    if words is not None:
        vars(indicator)["words"] = words  # which it would make when it is asked for them
    return indicator, cells


def _no_decision(values: Array, argument: str) -> ValueError:
    """Return the error for the first integer that is neither 0 nor 1."""
    row, column = map(int, np.argwhere((values < 0) | (values > 1))[0])
    return ValueError(
        f"{argument}[{row}, {column}] = {values[row, column]}: a matrix of integers must hold 0 and 1, one column per class. "
        "For one label per example give one column or vector (.ravel() of an array), for several a set of labels per "
        f"example. {IMAGES}."
    )


def check_columns(form: Table, classes: tuple[Any, ...], argument: str) -> None:
    """Refuse columns whose names contradict the classes.

    Names that have nothing in common with the classes are replaced by them. Some data frames allow only text as names: there
    "1" means 1.
    """
    spelled = tuple(map(str, classes))
    if form.columns not in (None, classes, spelled) and not {*classes, *spelled}.isdisjoint(form.columns or ()):
        raise ValueError(
            f"The columns of {argument} are called {listing(form.columns)}, but the classes are {listing(classes)}. "
            "Put both in the same order."
        )


def _check_floats(values: Array, argument: str, soft: bool, missing: str | None) -> tuple[Array, Mask | None]:
    cells = None
    if np.isnan(values).any():
        row, column = map(int, np.argwhere(np.isnan(values))[0])
        if missing != "mask":
            hint = "" if missing is None else ", or pass missing='mask' to leave such entries out"
            raise ValueError(f"{argument}[{row}, {column}] is NaN. Fill it{hint}.")
        cells = ~np.isnan(values)
        values = np.where(cells, values, 0)
    if ((values == 0) | (values == 1)).all():
        return values.astype(bool), cells  # decisions written as floats mean the same under every t-norm and threshold
    outside = (values < 0) | (values > 1)
    first = np.argwhere(outside if soft else (values != 0) & (values != 1))
    if len(first):
        row, column = map(int, first[0])
        where = f"{argument}[{row}, {column}] = {values[row, column]!s}"
        if soft:
            raise ValueError(f"{where}: memberships lie in [0, 1]. Rescale them, or pass decide= instead of tnorm= for scores.")
        if argument == "y_true":
            raise ValueError(
                f"{where}: are these memberships? Then pass tnorm='product'; otherwise y_true holds 0 and 1, and decide= turns "
                "scores in y_pred into decisions."
            )
        choice = "decide='argmax', decide=0.5 or decide=top_k(k) for scores, tnorm='product' for memberships"
        raise ValueError(
            f"{where}: are these scores or memberships? Say which: {choice}. Areas and losses alone need no decision: ix.sweep."
        )
    return values, cells


def _check_sparse(form: Sparse, argument: str) -> Sparse:
    data = form.data
    if not _are_decisions(data):
        at = int(np.argmax((data != 0) & (data != 1))) if data.dtype.kind in "biuf" else 0
        row = int(np.searchsorted(form.indptr, at, side="right")) - 1
        raise ValueError(
            f"{argument}[{row}, {int(form.indices[at])}] = {data[at]!s}: a sparse indicator matrix holds 0 and 1 only. "
            "Give scores and memberships as a dense array."
        )
    if not data.all():
        here = data != 0
        form = Sparse(np.concatenate(([0], np.cumsum(here)))[form.indptr], form.indices[here], data[here], form.width)
    return sort_columns(form, argument)


def _are_decisions(data: Array) -> bool:
    if data.dtype.kind in "biu":
        return hold_decisions(data)
    return data.dtype.kind == "f" and all(((x == 0) | (x == 1)).all() for x in _blocks(data))


def _blocks(x: Array) -> Iterator[Array]:
    return (x[start : start + BLOCK] for start in range(0, len(x), BLOCK))


def sort_columns(form: Sparse, argument: str) -> Sparse:
    """Return compressed rows with ascending columns; an entry stored twice is an error."""
    if loaded.core is not None and loaded.core.ascend(form.indptr, form.indices):
        return form
    rises = form.indices[1:] > form.indices[:-1]
    starts = form.indptr[1:-1]
    rises[starts[(starts > 0) & (starts < len(form.indices))] - 1] = True  # from one row to the next, columns may descend
    if rises.all():
        return form
    row = np.repeat(np.arange(len(form)), np.diff(form.indptr))
    order = np.lexsort((form.indices, row))
    indices = form.indices[order]
    twice = (indices[1:] == indices[:-1]) & (row[1:] == row[:-1])
    if twice.any():
        at = int(twice.argmax())
        raise twofold(argument, int(row[at]), int(indices[at]))
    return Sparse(form.indptr, indices, form.data[order], form.width)


def _from_sets(form: Sets, classes: tuple[Any, ...] | None, argument: str, missing: str | None) -> tuple[Indicator, Mask | None]:
    if classes is None:
        classes = vocabulary(members(form, argument)[0], argument)
    position = {label: i for i, label in enumerate(classes)}
    absent = [row is None for row in form.rows]
    if any(absent) and missing != "mask":
        hint = "" if missing is None else OR_MASK
        raise ValueError(f"{argument}[{absent.index(True)}] is None. Give set() for no label{hint}.")
    indices: list[int] = []
    sizes = [0]
    for i, row in enumerate(form.rows):
        try:
            indices += sorted([position[label] for label in row or ()])
        except KeyError as error:
            raise ValueError(
                f"Label {short(error.args[0])} is not in classes=({listing(classes)}) (first at {argument}[{i}]). "
                f"Add it, or remove it from the sets. {AS_NO_CLASS}"
            ) from None
        sizes.append(len(indices))
    data = Sparse(np.asarray(sizes), np.asarray(indices, dtype=np.int64), np.ones(len(indices), bool), len(classes))
    cells = np.broadcast_to(~np.array(absent)[:, None], (len(absent), len(classes))) if any(absent) else None
    return Indicator(data, classes), cells


def sparse_scores(form: Sparse, argument: str) -> Sparse:
    """Return sparse scores with ascending columns; text, NaN and an entry stored twice are errors."""
    if form.data.dtype.kind not in "biuf":
        raise TypeError(f"{argument} is a sparse array of {form.data.dtype}; scores are numbers.")
    form = sort_columns(form, argument)
    if form.data.dtype.kind == "f" and np.isnan(form.data).any():
        at = int(np.isnan(form.data).argmax())
        place = f"{argument}[{int(np.searchsorted(form.indptr, at, side='right')) - 1}, {int(form.indices[at])}]"
        raise ValueError(f"{place} is NaN: a stored score is a number. Fill it, or do not store it.")
    return form


def rows_of(form: Sparse) -> Array:
    """Return the row of each stored entry."""
    return np.repeat(np.arange(len(form)), np.diff(form.indptr))


def sparse_order(form: Sparse) -> tuple[Array, Array]:
    """Return the stored entries of each row from the highest value down, and the rank of each, 0 first.

    Among equal values the lower column stands first, as in ``top_k``.

    >>> order, rank = sparse_order(Sparse(np.array([0, 3, 4]), np.array([0, 2, 5, 1]), np.array([0.1, 0.7, 0.1, 0.3]), 6))
    >>> order.tolist(), rank.tolist()
    ([1, 0, 2, 3], [0, 1, 2, 0])
    """
    row = rows_of(form)
    # Upward by value and downward by column, read from the end of each row: no value is negated, and none overflows.
    upward = np.lexsort((-form.indices, form.data, row))
    ends, sizes = form.indptr[1:], np.diff(form.indptr)
    rank = np.arange(len(row)) - np.repeat(ends - sizes, sizes)
    return upward[np.repeat(ends, sizes) - 1 - rank], rank


def decide_sparse(form: Sparse, rule: Any, argument: str) -> Sparse:
    """Return the decisions about stored scores as a sparse 0/1 matrix."""
    form = sparse_scores(form, argument)
    if isinstance(rule, TopK):
        check_width(rule, rule.k, form.width, argument)
        order, rank = sparse_order(form)
        kept = np.zeros(len(form.data), bool)
        kept[order[rank < rule.k]] = True
    elif isinstance(rule, Above) or (isinstance(rule, int | float | np.number) and not isinstance(rule, bool)):
        kept = reaches(form.data, rule if isinstance(rule, Above) else thresholds(rule, 1))
    else:
        raise ValueError(
            f"decide={rule!r}: {argument} is sparse, and an entry that is not stored has no score. "
            "Use top_k(k), a threshold such as 0.5, or above(t); or give a dense array."
        )
    ends = np.concatenate(([0], np.cumsum(kept)))[form.indptr]
    return Sparse(ends, form.indices[kept], np.ones(int(kept.sum()), bool), form.width)
