"""Coders: from blocks of labels to the integers of fixed classes; a label outside them is an error."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..words.wording import listing, short
from .plain_forms import Labels, pieces
from .vocabulary import ROOMY, as_categories, as_fast_floats, fits_table, place

# What else can be done about labels outside the classes.
AS_NO_CLASS = "To count such labels as no class, leave classes= out and take these classes of the result: ev.only(classes)."

Coder = Callable[[Any], Array]  # a slice of rows -> their codes


def coder(labels: Labels, classes: Sequence[Any], argument: str) -> Coder:
    """Return the function from a slice of rows to the codes of labels; an unknown label is an error."""
    if labels.categories is None and not _all_fit(classes, labels.values.dtype):
        labels = as_categories(labels)  # some class is not a number that such an array can hold: compare one by one, exactly
    if labels.categories is not None:
        return _categorical_coder(labels, tuple(classes), argument)
    return _numeric_coder(labels, tuple(classes), argument)


def _categorical_coder(labels: Labels, classes: tuple[Any, ...], argument: str) -> Coder:
    values = labels.values
    if labels.categories == classes:
        return lambda rows: values[rows]
    position = {label: i for i, label in enumerate(classes)}
    # Code -1 (missing) reads the last entry; -2 marks a label that is not a class.
    found = [*(position.get(c, -2) for c in labels.categories or ()), -1]
    recode: Array = np.array(found, np.min_scalar_type(-max(len(classes), 2)))

    def code_rows(rows: slice) -> Array:
        codes: Array = recode[values[rows]]
        if codes.size and codes.min() < -1:
            raise unknown(labels, classes, argument)
        return codes

    return code_rows


def _all_fit(labels: Iterable[Any], dtype: np.dtype[Any]) -> bool:
    """Return whether an array of this dtype holds these labels exactly, without rounding one to another.

    The limits of the dtype are read once, because there may be a million labels.
    """
    plain = [*labels]
    kinds = set(map(type, plain))
    if not plain or not all(issubclass(kind, bool | int | float) for kind in kinds):
        return not plain
    low, high = min(plain), max(plain)
    if dtype.kind == "f":
        return bool(max(abs(low), abs(high)) < 2 ** (np.finfo(dtype).nmant + 1))
    least, most = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    floats = any(issubclass(kind, float) for kind in kinds)
    return bool(least <= low and high <= most) and (not floats or all(float(x).is_integer() for x in plain))


def _numeric_coder(labels: Labels, classes: tuple[Any, ...], argument: str) -> Coder:
    values: Array = as_fast_floats(labels.values)
    if not classes:
        return lambda rows: _code_nothing(values[rows], labels, argument)
    names = np.array(classes, dtype=values.dtype)
    low, high = names.min().item(), names.max().item()
    if values.dtype.kind in "iu" and high - low == len(names) - 1 and (np.diff(names) == 1).all():
        # The classes are consecutive integers in order: each code is the value minus a constant.
        def shift_rows(rows: slice) -> Array:
            block = values[rows]
            if block.size and (block.min() < low or block.max() > high):
                raise unknown(labels, classes, argument)
            if block.dtype.kind == "u" and block.dtype.itemsize == 8:  # these have no common type with other integers
                return (block - np.uint64(low)).astype(np.intp)
            return block if low == 0 else np.subtract(block, low, dtype=np.intp, casting="unsafe")

        return shift_rows
    if values.dtype.kind in "iu" and fits_table(low, high, ROOMY * max(len(values), len(names))):
        return _table_coder(labels, names, classes, argument)
    order = np.argsort(names)
    names = names[order]

    def search_rows(rows: slice) -> Array:
        block = values[rows]
        at = np.minimum(np.searchsorted(names, block), len(names) - 1)
        if not (names[at] == block).all():
            raise unknown(labels, classes, argument)
        return np.asarray(order[at])

    return search_rows


def _table_coder(labels: Labels, names: Array, classes: tuple[Any, ...], argument: str) -> Coder:
    """Return the codes of integers of a range that is not much larger than their number, from a table."""
    values, low, high = labels.values, int(names.min()), int(names.max())
    table = np.full(high - low + 1, -1, np.intp)
    table[np.subtract(names, low, dtype=np.intp, casting="unsafe")] = np.arange(len(names))

    def look_up_rows(rows: slice) -> Array:
        block = values[rows]
        if block.size and (block.min() < low or block.max() > high):
            raise unknown(labels, classes, argument)
        codes: Array = table[np.subtract(block, low, dtype=np.intp, casting="unsafe")]
        if codes.size and codes.min() < 0:
            raise unknown(labels, classes, argument)
        return codes

    return look_up_rows


def _code_nothing(block: Array, labels: Labels, argument: str) -> Array:
    if block.size:
        raise unknown(labels, (), argument)
    return np.empty(0, np.intp)


def unknown(labels: Labels, classes: tuple[Any, ...], argument: str, also: Collection[Any] = ()) -> ValueError:
    """Return the error for labels outside the classes: the first, its position, and how many rows.

    The labels in ``also`` are known, too.
    """
    first, count, at, known = None, 0, 0, {*classes, *also}
    for block in pieces(labels.values):
        for value in block:
            label = value if labels.categories is None else labels.categories[value] if value >= 0 else None
            if label is not None and label not in known:
                first = (label, at) if first is None else first
                count += 1
            at += 1
    label, row = first if first is not None else (None, 0)
    return ValueError(
        f"Label {short(label)} is not in classes=({listing(classes)}) (first at {argument}[{place(labels, row)}]). "
        f"Add it, or drop {'this row' if count == 1 else f'these {count} rows'}.{'' if also else f' {AS_NO_CLASS}'}"
    )
