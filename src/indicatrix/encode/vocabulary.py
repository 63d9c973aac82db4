"""Which labels there are, of which family, and in which order.

Coders: from blocks of labels to the integers of fixed classes; a label outside them is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence, Sized
from itertools import islice
from typing import Any

import numpy as np

from ..algebra.arrays import Array, Mask
from ..words.wording import listing, short
from .factorize import objection, plain_label
from .plain_forms import BLOCK, Labels, is_missing, pieces

MOST_CLASSES = 10_000_000  # that classes= may name
TABLE = 1 << 16  # integer labels that span no more than this are coded by one table lookup
ROOMY = 8  # … and those of many rows, if they span no more than this many times the rows


def family_of(kind: type) -> str:
    """Return the family a label type belongs to; labels of different families are never equal."""
    if issubclass(kind, bool | int | float | np.number | np.bool_):
        return "number"
    if issubclass(kind, str):
        return "text"
    return "bytes" if issubclass(kind, bytes) else kind.__name__


def family(labels: Labels, argument: str) -> str | None:
    """Return the one family of a label vector, None if it has no label; mixed families are an error."""
    if labels.categories is None:
        return "number" if len(labels) else None
    kinds = {family_of(kind) for kind in set(map(type, labels.categories))}
    if len(kinds) > 1:
        raise _mixed_types_error(labels, argument)
    return next(iter(kinds), None)


def _mixed_types_error(labels: Labels, argument: str) -> TypeError:
    kinds = [family_of(type(c)) for c in labels.categories or ()]
    codes = np.asarray(labels.values)
    places = {code: int(np.argmax(codes == code)) for code in np.unique(codes).tolist() if code >= 0}
    order = sorted(places, key=places.__getitem__) or range(len(kinds))  # if no category occurs, there are no positions
    first = order[0]
    other = next((code for code in order if kinds[code] != kinds[first]), None)
    if other is None:
        return TypeError(f"The categories of {argument} mix label types: {' and '.join(sorted(set(kinds)))}. Use one type.")
    names = labels.categories or ()
    where = f"{argument}[{place(labels, places[other])}] = " if places else ""
    return TypeError(
        f"{argument} mixes label types: {short(names[first])} is {kinds[first]}, but {where}{short(names[other])} is "
        f"{kinds[other]}. Convert all labels to one type, for example with str()."
    )


def place(labels: Labels, row: int) -> int:
    """Return the position of a row in the caller's data."""
    return row if labels.rows is None else int(labels.rows[row])


def missing_rows(labels: Labels) -> Mask | None:
    """Return which rows have no label, or None if every row has one."""
    values = labels.values
    if labels.categories is None and values.dtype.kind != "f":
        return None
    if not len(values):
        return None
    least = values.min()  # NaN if any value is NaN; a mask would need memory for every row
    if least >= 0 or (labels.categories is None and least == least):
        return None
    return np.asarray(np.isnan(values) if labels.categories is None else values < 0)


def keep_rows(labels: Labels, rows: Mask) -> Labels:
    """Return the label vector with only these rows."""
    return Labels(labels.values[rows], labels.categories, labels.declared, labels.ordered, np.flatnonzero(rows))


def distinct(labels: Labels) -> set[Any]:
    """Return the labels that occur."""
    values = labels.values
    if labels.complete and labels.categories is not None:
        return set(labels.categories)
    if labels.categories is not None:
        seen = np.zeros(len(labels.categories) + 1, bool)
        for start in range(0, len(values), BLOCK):
            seen[values[start : start + BLOCK]] = True  # code -1 (missing) marks the last entry
        return {c for c, here in zip(labels.categories, seen.tolist(), strict=False) if here}
    if values.dtype.kind in "iu" and len(values):
        low, high = int(values.min()), int(values.max())
        if fits_table(low, high, max(TABLE, ROOMY * len(values))):
            seen = np.zeros(high - low + 1, bool)
            for start in range(0, len(values), BLOCK):
                places = np.subtract(values[start : start + BLOCK], low, dtype=np.intp, casting="unsafe")
                if len(seen) < len(places):  # counting is faster than marking, if there is no long table to look through
                    seen |= np.bincount(places, minlength=len(seen)) > 0
                else:
                    seen[places] = True
            return set((np.flatnonzero(seen) + low).tolist())
    found: set[Any] = set()
    for start in range(0, len(values), BLOCK):
        found.update(np.unique(as_fast_floats(values[start : start + BLOCK])).tolist())
    return {x for x in found if x == x}


def as_codes(labels: Labels) -> Labels:
    """Return whole numbers that span little as codes into those that occur; other labels as they are.

    >>> as_codes(Labels(np.array([7, 5, 7])))
    Labels(values=array([1, 0, 1], dtype=int8), categories=(5, 7), declared=False)
    """
    values = labels.values
    if labels.categories is not None or values.dtype.kind not in "iu" or not len(values):
        return labels
    low, high = int(values.min()), int(values.max())
    if not fits_table(low, high, max(TABLE, ROOMY * len(values))):
        return labels
    names = sorted(distinct(labels))
    table = np.zeros(high - low + 1, np.min_scalar_type(-len(names)))
    table[np.array(names) - low] = np.arange(len(names))
    codes = table[np.subtract(values, low, dtype=np.intp, casting="unsafe")]
    return Labels(codes, tuple(names), rows=labels.rows, complete=True)


def fits_table(low: int, high: int, size: int) -> bool:
    """Return whether a table of this size holds a range of integers, and no difference overflows."""
    return high - low < size and max(abs(low), abs(high)) < 2**62


def vocabulary(labels: Iterable[Any], argument: str, column: Labels | None = None, *, of: str = "labels") -> tuple[Any, ...]:
    """Return labels in class order: sorted, with whole floats as integers.

    Bools become integers if integers are among the labels. ``of`` says in errors what they name: "labels",
    whose order ``classes=`` can fix, or "groups".

    >>> vocabulary({"cat", "ant"}, "y_true"), vocabulary({2.0, True}, "y_true")
    (('ant', 'cat'), (1, 2))
    """
    plain = [*labels]
    if set(map(type, plain)) not in ({int}, {str}):  # almost always, and there may be a million
        plain = _plain_labels(plain, argument, column, of)
    try:
        return tuple(sorted(plain))
    except Exception:
        kind = type(plain[0]).__name__
        fix = "Pass classes= with the labels in the order you want" if of == "labels" else "Use strings or whole numbers"
        raise TypeError(f"{argument} holds labels of type {kind}, which have no order. {fix}.") from None


def _plain_labels(labels: list[Any], argument: str, column: Labels | None, of: str) -> list[Any]:
    """Return labels as Python objects, whole floats as integers, and bools too if others are integers."""
    plain = [plain_label(x) for x in labels]
    odd = {x for x in plain if isinstance(x, float) and not x.is_integer()}
    if odd:
        raise _not_whole_error(odd, argument, column, of)
    if any(not isinstance(x, bool) for x in plain):
        plain = [int(x) if isinstance(x, bool | float) else x for x in plain]
    return plain


def _not_whole_error(odd: set[float], argument: str, column: Labels | None, of: str) -> ValueError:
    value, where = min(odd), f"{argument} holds "
    if column is not None:
        hits = odd if column.categories is None else {i for i, c in enumerate(column.categories) if c in odd}
        row = int(np.argmax(np.isin(column.values, list(hits))))
        value = column.values[row].item() if column.categories is None else column.categories[column.values[row]]
        where = f"{argument}[{place(column, row)}] = "
    if not np.isfinite(value):
        return ValueError(f"{where}{value!r}: an infinite number is not a label. Drop such rows.")
    if of != "labels":
        return ValueError(
            f"{where}{value!r}: a group has a whole number or a text as its name. Convert it, for example with str()."
        )
    return ValueError(
        f"{where}{value!r}: whole numbers are labels; other numbers look like scores. Pass decide= to turn scores into "
        "decisions (decide=0.5), or classes= if these numbers are labels."
    )


def check_classes(classes: Iterable[Any], argument: str = "classes") -> tuple[Any, ...]:
    """Return classes as a tuple of Python labels; a duplicate, missing or unhashable label is an error."""
    if isinstance(classes, str | bytes):
        raise TypeError(f"{argument}={classes!r} is one text; give a list of labels, {argument}=[{classes!r}, …].")
    if isinstance(classes, set | frozenset) or not isinstance(classes, Iterable) or getattr(classes, "ndim", 1) != 1:
        raise TypeError(f"{argument}={short(classes)} is not a list of labels in an order. Give a list, {argument}=['a', 'b'].")
    several = f"{argument}= names {{}} classes, more than {MOST_CLASSES:,}. Name those that occur."
    if isinstance(classes, Sized) and len(classes) > MOST_CLASSES:
        raise ValueError(several.format(f"{len(classes):,}"))
    listed = next((getattr(classes, name)() for name in ("tolist", "to_list") if hasattr(classes, name)), classes)
    plain = tuple(map(plain_label, islice(listed, MOST_CLASSES + 1)))  # what has no length may have no end
    if len(plain) > MOST_CLASSES:
        raise ValueError(several.format("very many"))
    seen: dict[Any, int] = {}
    for position, label in enumerate(plain):
        reason = objection(label)
        if reason is not None:
            raise TypeError(f"{argument}[{position}] = {short(label)} cannot be a label: {reason}.")
        if is_missing(label):
            raise ValueError(f"{argument}[{position}] is {label!r}; a class needs a name. Leave it out of {argument}=.")
        if label in seen:
            raise ValueError(
                f"{argument}= names {short(label)} twice, at positions {seen[label]} and {position}. Name each class once."
            )
        seen[label] = position
    family(Labels(np.arange(len(plain)), plain), argument)
    return plain


def classes_of_columns(columns: tuple[Any, ...], argument: str) -> tuple[Any, ...]:
    """Return the names of columns as classes; two columns of the same name are an error.

    >>> classes_of_columns(("ant", "bee"), "y_pred")
    ('ant', 'bee')
    """
    seen: dict[Any, int] = {}
    for position, name in enumerate(columns):
        if seen.setdefault(name, position) != position:
            raise ValueError(
                f"{argument} has two columns {short(name)}, at positions {seen[name]} and {position}. Rename one of them."
            )
    return check_classes(columns, f"{argument}.columns")


def as_fast_floats(values: Any) -> Any:
    """Return numbers as they are, but float16 as float32, which processors sort several times faster."""
    return values.astype(np.float32) if values.dtype == np.float16 else values


def as_categories(labels: Labels) -> Labels:
    """Return labels as codes into categories, -1 where one is missing."""
    if labels.categories is not None:
        return labels
    absent = missing_rows(labels)
    names, codes = np.unique(as_fast_floats(labels.values), return_inverse=True)
    if absent is not None:  # NaN is the last of the sorted values
        names, codes = names[names == names], np.where(absent, -1, codes)
    return Labels(codes, tuple(names.tolist()), rows=labels.rows, complete=True)


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
