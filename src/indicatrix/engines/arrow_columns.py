"""Columns of Arrow as the library reads them: labels as codes, numbers as NumPy, lists as label sets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..encode.containers import READERS, read
from ..encode.factorize import factorize
from ..encode.indicator import Indicator
from ..encode.matrices import one_family
from ..encode.plain_forms import Labels, Sparse, Table
from ..encode.vocabulary import check_classes, coder, distinct, family, missing_rows, vocabulary


def one_array(column: Any) -> Any:
    """Return a column of a batch, or of a table, as one Arrow array."""
    if not hasattr(column, "chunks"):
        return column
    import pyarrow as pa

    column = column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks or [pa.array([], column.type)])


def is_list(kind: Any) -> bool:
    """Return whether a type of Arrow is that of lists."""
    from pyarrow import types

    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def flat(column: Any) -> Any:
    """Return the labels of all lists of a column, one after the other; a column of labels as it is."""
    return one_array(column).flatten() if is_list(column.type) else column


def label_vector(column: Any, argument: str) -> Labels:
    """Return a column as labels: integers and bools as they are, others as codes into distinct values.

    >>> import pyarrow as pa
    >>> label_vector(pa.array(["b", None, "b"]), "true")
    Labels(values=array([ 0, -1,  0], dtype=int32), categories=('b',), declared=False)
    """
    import pyarrow as pa

    column, types = one_array(column), pa.types
    if types.is_nested(column.type):
        raise TypeError(f"{argument} is a column of {column.type}; a cell holds one label here. Name a column of labels.")
    if types.is_null(column.type):
        return Labels(np.full(len(column), -1, np.int8), (), complete=True)
    plain = types.is_integer(column.type) or types.is_floating(column.type) or types.is_boolean(column.type)
    if plain and not column.null_count:
        return Labels(np.asarray(column.to_numpy(zero_copy_only=False)))
    if not types.is_dictionary(column.type):
        column = column.dictionary_encode()
    if types.is_temporal(column.type.value_type):
        column = pa.DictionaryArray.from_arrays(column.indices, _as_text(column.dictionary))
    elif column.type.ordered:  # a file keeps the labels of a dictionary, but not surely their order
        column = pa.DictionaryArray.from_arrays(column.indices, column.dictionary)
    form = READERS["pyarrow"](column, pa, argument)
    assert isinstance(form, Labels)
    return form


def _as_text(dates: Any) -> Any:
    """Return dates and times as text such as 2026-01-31."""
    from pyarrow import compute, types

    return compute.strftime(dates, "%Y-%m-%d" if types.is_date(dates.type) else "%Y-%m-%dT%H:%M:%S")


def number_vector(column: Any, odd: float | None = None) -> Array:
    """Return a column of numbers as NumPy; what is missing is NaN.

    Texts that spell numbers, and true and false, are numbers; another text is an error, or what ``odd`` says.
    """
    import pyarrow as pa

    column = one_array(column)
    if _is_text(column.type):
        column = column.dictionary_encode()
    if pa.types.is_dictionary(column.type) and _is_text(column.type.value_type):
        return _numbers_of_texts(column, odd)
    if pa.types.is_dictionary(column.type) or pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    if pa.types.is_boolean(column.type) and column.null_count:
        column = column.cast(pa.uint8())
    return np.asarray(column.to_numpy(zero_copy_only=False))


def is_text_column(kind: Any) -> bool:
    """Return whether a type of Arrow is that of texts, or of codes into texts."""
    from pyarrow import types

    return _is_text(kind.value_type if types.is_dictionary(kind) else kind)


def as_texts(column: Any) -> Any:
    """Return the cells of a column as texts; one that is missing is empty."""
    import pyarrow as pa
    from pyarrow import compute

    column = one_array(column)
    column = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
    if pa.types.is_floating(column.type):
        column = compute.if_else(compute.is_nan(column), None, column)
    texts = compute.if_else(column, "True", "False") if pa.types.is_boolean(column.type) else column.cast(pa.string())
    return texts.fill_null("")


def is_number_column(kind: Any) -> bool:
    """Return whether a type of Arrow is that of numbers or bools, or of codes into these."""
    from pyarrow import types

    kind = kind.value_type if types.is_dictionary(kind) else kind
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind))


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _numbers_of_texts(column: Any, odd: float | None) -> Array:
    form = label_vector(column, "numbers")
    names = form.categories or ()
    numbers = [text_number(name) for name in names]
    used = distinct(form)
    for name, found in zip(names, numbers, strict=True):
        if found is None and odd is None and name in used:
            raise ValueError(f"{name!r} is not a number.")
    values = np.array([*(odd if x is None else x for x in numbers), np.nan], float)
    whole = not (form.values < 0).any() and all(x in (0, 1) for x in numbers)
    return np.asarray((values[:-1].astype(np.uint8) if whole else values)[form.values])


def text_number(text: str) -> float | None:
    """Return the number that a text spells, or None.

    Python would also read 1_0, and digits of other scripts: in a file they are more likely damage than numbers.

    >>> text_number(" 1.5"), text_number("true"), text_number("1_0")
    (1.5, 1.0, None)
    """
    bit = {"true": 1.0, "false": 0.0}.get(text.lower())
    return bit if bit is not None else float(text) if NUMBER.fullmatch(text) else None


NUMBER = re.compile(r"\s*[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|inf|infinity|nan)\s*", re.IGNORECASE | re.ASCII)


def table_of(batch: Any, columns: tuple[str, ...], names: tuple[Any, ...]) -> Table:
    """Return one column for each label as a table; 0/1 columns are bytes, each column in one piece."""
    found = [one_array(batch.column(name)) for name in columns]
    if (table := _bit_table(found)) is not None:
        return Table(table.T, names)
    arrays = [*map(number_vector, found)]
    bits = all(a.dtype.kind in "bui" and _is_small(a) for a in arrays)
    values = np.empty((len(arrays), batch.num_rows), np.uint8 if bits else np.result_type(*arrays))
    for row, array in zip(values, arrays, strict=True):
        row[:] = array
    return Table(values.T, names)


def _bit_table(columns: list[Any]) -> Array | None:
    """Return columns of bools, none of them missing, as bytes, a row for each; None for other columns.

    All bits are unpacked at once, which is many times faster than Arrow's own method for each column.
    """
    from pyarrow import types

    first, n = columns[0].offset % 8, len(columns[0])
    if not n or not all(types.is_boolean(c.type) and not c.null_count and c.offset % 8 == first for c in columns):
        return None
    length = -(-(first + n) // 8)
    bits = np.stack([np.frombuffer(c.buffers()[1], np.uint8, length, c.offset // 8) for c in columns])
    return np.unpackbits(bits, axis=1, count=first + n, bitorder="little")[:, first:]


def _is_small(array: Array) -> bool:
    """Return whether whole numbers fit in a byte."""
    return array.dtype in (np.bool, np.uint8) or not len(array) or (int(array.min()) >= 0 and int(array.max()) < 256)


def label_lists(batch: Any, columns: Mapping[str, str], classes: Any) -> list[Any]:
    """Return columns of lists as label sets; if some lists are missing, as Python sets and None."""
    lists = {name: one_array(batch.column(column)) for name, column in columns.items()}
    for name, array in lists.items():
        if not is_list(array.type):
            raise TypeError(f"true is a column of lists, and {name} is not: the column {columns[name]!r} holds {array.type}.")
    if any(array.null_count for array in lists.values()):
        return [[None if row is None else {*row} for row in array.to_pylist()] for array in lists.values()]
    read = {name: (_lengths(array), label_vector(array.flatten(), name)) for name, array in lists.items()}
    return [*read_label_lists(read, classes).values()]


def split_labels(column: Any, separator: str, *, blank_is_none: bool, name: Callable[[str], str] = str) -> Any:
    """Return a column of texts as lists of labels, without the spaces around each.

    A missing text has no labels if ``blank_is_none``; otherwise it stays missing. ``name`` returns the name of each label.

    >>> import pyarrow as pa
    >>> split_labels(pa.array(["red; big", None]), ";", blank_is_none=True).to_pylist()
    [['big', 'red'], []]
    """
    import pyarrow as pa

    column = one_array(column)
    if not is_text_column(column.type):
        raise TypeError(f"separator= splits texts, and this column holds {column.type}. Leave it out.")
    column = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    texts = column.dictionary.to_pylist()
    each = [sorted({*map(name, filter(None, map(str.strip, text.split(separator))))}) for text in texts]
    lists = pa.array([*each, []], pa.list_(pa.string()))
    return lists.take(column.indices.fill_null(len(each)) if blank_is_none else column.indices)


def _lengths(lists: Any) -> Array:
    from pyarrow import compute

    return np.asarray(compute.list_value_length(lists), np.int64)


def read_label_lists(columns: Mapping[str, tuple[Array, Any]], classes: Any = None) -> dict[str, Indicator]:
    """Return label sets as indicators of the same classes.

    Parameters
    ----------
    columns : mapping
        For each argument, by the name that errors use, how many labels each row has, and the labels of all rows one after the
        other, as any container of labels.
    classes : iterable, optional
        The classes and their order. Default: the labels that occur, sorted.

    Returns
    -------
    dict
        The indicator of each argument. A label that stands twice in a row counts once.

    Examples
    --------
    >>> import numpy as np
    >>> read_label_lists({"y": (np.array([2, 0, 1]), ["b", "a", "b"])})["y"].classes
    ('a', 'b')
    """
    forms = {name: _plain_labels(labels, name) for name, (_, labels) in columns.items()}
    one_family({name: family(form, name) for name, form in forms.items()})
    if classes is None:
        names = vocabulary(set().union(*map(distinct, forms.values())), next(iter(columns)))
    else:
        names = check_classes(classes)
    return {
        name: Indicator(_compress(sizes, np.asarray(coder(forms[name], names, name)(slice(None))), len(names)), names)
        for name, (sizes, _) in columns.items()
    }


def _plain_labels(labels: Any, argument: str) -> Labels:
    form = read(labels, argument)
    if not isinstance(form, Labels):
        raise TypeError(f"{argument} holds lists of lists; give lists of labels.")
    form = factorize(form, argument)
    absent = missing_rows(form)
    if absent is not None:
        raise ValueError(f"{argument} holds a list with a missing label. Remove it: an empty list stands for no label.")
    return form


def _compress(sizes: Array, codes: Array, width: int) -> Sparse:
    """Return the codes of all rows as a sparse table; within a row they are sorted and distinct."""
    rows = np.repeat(np.arange(len(sizes)), sizes)
    places = np.unique(rows * max(width, 1) + codes)
    rows, codes = np.divmod(places, max(width, 1))
    indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(sizes)))))
    return Sparse(indptr, codes, np.ones(len(codes), bool), width)
