"""Python sequences and NumPy arrays as plain forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..words.wording import short, type_of
from .factorize import whole_numbers
from .plain_forms import IMAGES, Form, Labels, Sets, Table, is_missing, pieces


def as_numpy(x: Any, argument: str) -> Array:
    """Return an array of another library as a NumPy array."""
    try:
        return np.asarray(x) if hasattr(x, "__array__") else np.from_dlpack(x)
    except Exception as error:
        raise TypeError(
            f"{argument} is {type_of(x)} that NumPy cannot read ({error}); convert it to a NumPy array first."
        ) from error


def from_numpy(x: Array, argument: str) -> Form:
    """Return a NumPy array as a form: labels have one dimension, tables two."""
    if x.dtype.kind not in "biufUSOT":
        raise TypeError(
            f"{argument} has dtype {x.dtype}, which cannot hold labels. Convert it first, for example with .astype(str)."
        )
    if x.dtype.kind == "f" and x.dtype.itemsize > 8:
        x = _as_float64(x, argument)
    if x.ndim == 1:
        if x.dtype == object and isinstance(next((v for v in x if v is not None), None), set | frozenset | list | tuple):
            return from_sequence(x.tolist(), argument)
        return Labels(x)
    if x.ndim == 2:
        if x.dtype.kind in "USOT":
            return Table(_as_floats(x, argument))
        return Table(x)
    images = f" {IMAGES}; scores of the classes of pixels too, with class_axis=." if x.ndim > 2 else ""
    raise ValueError(
        f"{argument} has {x.ndim} dimensions, shape {x.shape}. Labels have one dimension, indicator matrices and scores have "
        f"two.{images}"
    )


def _as_float64(x: Array, argument: str) -> Array:
    narrow = x.astype(np.float64)
    if not np.array_equal(narrow, x, equal_nan=True):
        raise TypeError(f"{argument} has dtype {x.dtype} and numbers that float64 cannot hold. Convert it first.")
    return narrow


def _as_floats(x: Array, argument: str) -> Array:
    """Return a 2-D object array of numbers and missing values as floats; text in a matrix is an error."""
    if x.dtype == object:
        try:
            rows = [[np.nan if is_missing(v) else v for v in row] for row in x.tolist()]
            return np.array(rows, dtype=np.float64).reshape(x.shape)
        except (TypeError, ValueError):
            pass
    what = "text" if x.dtype.kind in "UST" else "objects"
    raise TypeError(
        f"{argument} is a two-dimensional array of {what}. For one label per example give one column or vector "
        "(.ravel() of an array); for several labels per example give a list of sets or a 0/1 matrix."
    )


def from_sequence(x: Sequence[Any], argument: str) -> Form:
    """Return a list or tuple as a form: labels, sets, or the rows of a table."""
    if len(x) and type(x[0]) is str:  # the most common case: no need to check all types, coding finds what is not a label
        return Labels(x if isinstance(x, list) else list(x))
    numbers = whole_numbers(x)
    if numbers is not None:
        return Labels(numbers)
    types: set[type] = set()
    for block in pieces(x):
        types.update(map(type, block))
    kinds = {t for t in types if t is not type(None)}
    if kinds and all(issubclass(t, set | frozenset) for t in kinds):
        return Sets(x)
    if any(issubclass(t, set | frozenset) for t in kinds):
        raise TypeError(f"{argument} mixes sets with other rows. Give a set of labels for every example; set() for no label.")
    if any(issubclass(t, list | tuple | np.ndarray) for t in kinds):
        return _from_nested(x, argument)
    return Labels(x if isinstance(x, list) else list(x))


def _from_nested(x: Sequence[Any], argument: str) -> Form:
    for i, row in enumerate(x):
        if not isinstance(row, list | tuple) and not (isinstance(row, np.ndarray) and row.ndim):
            raise TypeError(
                f"{argument} mixes rows with single values: {argument}[{i}] is {short(row)}. Give one label for every example, "
                "or a row of one length for every example."
            )
    if any(np.ndim(row) > 1 for row in x if isinstance(row, np.ndarray)):
        raise ValueError(f"{argument} is a list of arrays with several dimensions. {IMAGES}; a matrix has rows of one dimension.")
    widths = {len(row) for row in x}
    try:
        table = np.array([list(row) for row in x])
        if table.ndim == 2 and table.dtype.kind in "biuf":
            return Table(table)
        if table.ndim == 2 and table.dtype == object:
            return Table(_as_floats(table, argument))
    except (TypeError, ValueError):
        table = np.empty(0)
    if table.ndim > 2:
        return from_numpy(table, argument)
    if len(widths) > 1:
        raise ValueError(
            f"{argument} has rows of different lengths ({', '.join(map(str, sorted(widths)[:4]))}). For label sets give sets, "
            "[{'a', 'b'}, {'c'}]; for a matrix give rows of one length."
        )
    raise TypeError(f"{argument} is a list of rows that are not numbers. For label sets give sets: [{{'a', 'b'}}, {{'c'}}].")


def twofold(argument: str, row: int, column: int) -> ValueError:
    """Return the error for a sparse matrix that stores an entry more than once."""
    return ValueError(f"{argument} stores the entry [{row}, {column}] more than once. Store each entry once.")
