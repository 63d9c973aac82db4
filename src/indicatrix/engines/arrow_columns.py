"""Columns of Arrow as the library reads them: labels as codes, numbers as NumPy, lists as label sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..encode.library_readers import READERS
from ..encode.plain_forms import Labels, Table
from .list_columns import read_label_lists


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
    """Return a column as labels: integers and bools as they are, everything else as codes into distinct labels.

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


def number_vector(column: Any) -> Array:
    """Return a column of numbers as NumPy; what is missing is NaN."""
    import pyarrow as pa

    column = one_array(column)
    if pa.types.is_dictionary(column.type) or pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    if pa.types.is_boolean(column.type) and column.null_count:
        column = column.cast(pa.uint8())
    return np.asarray(column.to_numpy(zero_copy_only=False))


def table_of(batch: Any, columns: tuple[str, ...], names: tuple[Any, ...]) -> Table:
    """Return one column for each label as a table; 0/1 columns are bytes, each column in one piece."""
    arrays = [number_vector(batch.column(name)) for name in columns]
    bits = all(a.dtype.kind in "bui" and _is_small(a) for a in arrays)
    values = np.empty((len(arrays), batch.num_rows), np.uint8 if bits else np.result_type(*arrays))
    for row, array in zip(values, arrays, strict=True):
        row[:] = array
    return Table(values.T, names)


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


def _lengths(lists: Any) -> Array:
    from pyarrow import compute

    return np.asarray(compute.list_value_length(lists), np.int64)
