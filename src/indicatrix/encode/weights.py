"""What accompanies labels by row or entry: sample weights, observation masks, groupings, row labels.

>>> import indicatrix as ix
>>> ix.recall([1, 1, 0], [1, 0, 0], sample_weight=[3, 1, 1])
0.75
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..algebra.arrays import FLOATS_ARE_EXACT, Array, Mask
from ..algebra.average import ALIASES, AVERAGES, BINARY
from ..algebra.counts import AXES
from ..words.wording import listing, short, type_of
from .containers import read
from .factorize import factorize, plain_label
from .matrices import check_columns
from .plain_forms import Labels, Table
from .vocabulary import coder, distinct, family, missing_rows, vocabulary

Groups = tuple[tuple[Any, ...], Array]  # the names of the groups, and the group of each row

LARGEST = 1e60  # formulas multiply several sums of weights, which must stay within the range of floats


def check_weights(weights: Any, n: int, *, signed: bool = False, exact: bool = False) -> Array | None:
    """Return sample weights as float64, one per example.

    NaN, infinite and (unless ``signed``) negative weights are errors. Integers that no float64 holds, which are above 2**53,
    become an array of fractions where ``exact`` allows it; elsewhere they are refused, never rounded.
    """
    if weights is None:
        return None
    form = read(weights, "sample_weight")
    if not isinstance(form, Labels):
        raise ValueError("sample_weight has one number per example, in one dimension.")
    values = _numbers(form, "sample_weight")
    if len(values) != n:
        raise ValueError(f"sample_weight has {len(values)} entries for {n} examples. Give one weight per example.")
    low, high = (float(values.min()), float(values.max())) if n else (0.0, 0.0)
    if not (math.isfinite(low) and math.isfinite(high)) or (low < 0 and not signed):  # a nan is the least and the greatest
        raise _bad_weight(values, signed)
    size = values if low >= 0 else np.abs(values)
    least = low if low > 0 else size[size > 0].min(initial=1)
    if size.sum() > LARGEST or least < 1 / LARGEST:
        at = int(size.argmax() if size.sum() > LARGEST else np.where(size > 0, size, np.inf).argmin())
        raise ValueError(
            f"sample_weight[{at}] = {values[at]}: products of such weights leave the range of floats. Divide all by a constant."
        )
    return _without_rounding(form, values, exact)


def _bad_weight(values: Array, signed: bool) -> ValueError:
    """Return the error for the first weight that is not possible."""
    at = int((~np.isfinite(values) if signed else ~(np.isfinite(values) & (values >= 0))).argmax())
    negative = values[at] < 0 and np.isfinite(values[at])
    hint = " Pass signed_weights=True if negative weights are meant." if negative else " Fill it, or drop this example."
    return ValueError(f"sample_weight[{at}] = {values[at]}: a weight is a finite number, not negative.{hint}")


def _without_rounding(form: Labels, values: Array, exact: bool) -> Array:
    """Return weights as floats if these are exact, otherwise as fractions, or refuse them."""
    given = form.values
    whole = not isinstance(given, np.ndarray) or given.dtype.kind in "iuO"
    if not whole or not (np.abs(values) >= FLOATS_ARE_EXACT).any():
        return values
    rows = [given[i] for i in range(len(values))]
    rounded = [i for i, x in enumerate(rows) if isinstance(x, int | np.integer) and int(x) != int(values[i])]
    if not rounded:
        return values
    if not exact:
        raise ValueError(
            f"sample_weight[{rounded[0]}] = {rows[rounded[0]]}: floats round integers above 2**53, and weights are floats here. "
            "Divide all by a constant."
        )
    from fractions import Fraction

    found = np.empty(len(values), object)
    found[:] = [Fraction(int(x) if isinstance(x, int | np.integer) else float(x)) for x in rows]
    return found


def _numbers(form: Labels, argument: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return a column of numbers as float64.

    Text is refused even if it spells numbers, and so are codes of categories.
    """
    values = form.values
    if form.categories is None and not (isinstance(values, np.ndarray) and values.dtype.kind in "UST"):
        odd = [] if isinstance(values, np.ndarray) and values.dtype != object else [isinstance(v, str | bytes) for v in values]
        try:
            if not any(odd):
                return np.array(values, dtype=np.float64)
        except (TypeError, ValueError):
            pass
    raise not_numbers(argument)


def not_numbers(argument: str) -> TypeError:
    """Return the error of a column that holds something other than numbers."""
    return TypeError(f"{argument} must hold numbers; this is text or something else. Convert it first, for example with float().")


def check_mask(mask: Any, n: int, m: int, classes: tuple[Any, ...] | None = None) -> Mask | None:
    """Return a mask of observed entries as bools, n x 1 or n x m.

    If its columns have names, they must be the classes.
    """
    if mask is None:
        return None
    form = read(mask, "mask")
    if not isinstance(form, Labels | Table) or (isinstance(form, Labels) and form.categories is not None):
        raise TypeError("mask must be an array of True/False (or 1/0): one per example, or one per example and class.")
    values = np.asarray(form.values)
    right = (values == 0) | (values == 1) if values.dtype.kind in "biufO" else np.zeros(values.shape, bool)
    if not np.all(right):
        at = tuple(map(int, np.argwhere(~right.astype(bool))[0]))
        given = plain_label(values[at])
        where = f"mask[{', '.join(map(str, at))}] is {'the text ' if isinstance(given, str) else ''}{short(given)}"
        raise ValueError(f"{where}: a mask holds True (or 1) where an entry was observed and False (or 0) where not.")
    if isinstance(form, Table) and classes is not None and values.shape == (n, m):
        check_columns(form, classes, "mask")
    if values.shape not in ((n,), (n, 1), (n, m)):
        raise ValueError(
            f"mask has shape {values.shape}; it must be ({n},), one per example, or ({n}, {m}), one per example and class."
        )
    return values.astype(bool).reshape(n, -1) if n else np.ones((0, 1), bool)


def check_by(by: Any, n: int, arguments: Mapping[str, str] | None = None) -> dict[str, Groups]:
    """Return groupings as names and codes; each is one value per example, and its name becomes an axis.

    ``arguments`` says what an axis is called in errors, if it was not given in by=.
    """
    groups: dict[str, Groups] = {}
    for axis, ids in (read_groupings(by) or {}).items():
        if axis in (*AXES, BINARY, *AVERAGES, *ALIASES):
            raise ValueError(f"by= cannot be called {axis!r}: that name has a meaning already. Choose another.")
        if not isinstance(axis, str):
            raise TypeError(f"by= names a grouping {axis!r}; its name must be text, as in by={{'fold': ids}}.")
        argument = (arguments or {}).get(axis, f"by[{axis!r}]")
        form = read(ids, argument)
        if not isinstance(form, Labels):
            raise ValueError(f"{argument} needs one value per example, in one dimension.")
        if len(form) != n:
            raise ValueError(f"{argument} has {len(form)} entries for {n} examples. Give one group per example.")
        form = factorize(form, argument)
        absent = missing_rows(form)
        if absent is not None:
            raise ValueError(f"{argument}[{int(absent.argmax())}] is missing; every example belongs to a group. Give it one.")
        family(form, argument)
        names = vocabulary(distinct(form), argument, form, of="groups")
        groups[axis] = (tuple(names), np.asarray(coder(form, names, argument)(slice(None))))
    return groups


def read_groupings(by: Any, argument: str = "by") -> Any:
    """Return groupings by name: each column of a data frame is one, and so is a column that has a name.

    >>> import pandas as pd
    >>> {name: ids.tolist() for name, ids in read_groupings(pd.DataFrame({"site": ["x", "y"], "age": [3, 4]})).items()}
    {'site': ['x', 'y'], 'age': [3, 4]}
    >>> list(read_groupings(pd.Series(["x", "y"], name="site")))
    ['site']
    """
    if by is None or isinstance(by, Mapping):
        return by
    if _is_column(by):
        return {by.name: by}
    if hasattr(by, "column_names") and hasattr(by, "column"):  # of Arrow
        return {name: by.column(name) for name in _once(by.column_names, argument)}
    if hasattr(by, "__dataframe__") and hasattr(by, "columns"):
        return {name: by[name] for name in _once(by.columns, argument)}
    if hasattr(by, "__arrow_c_stream__"):  # any other frame: Arrow is the form in which libraries hand over columns
        try:
            from pyarrow import table

            return read_groupings(table(by), argument)
        except (ImportError, ValueError):  # it is not installed, or this is one column without a name
            pass
    raise TypeError(
        f"{argument}= is {type_of(by)}; give a name for each grouping, {argument}={{'fold': ids}}, or a data frame of them."
    )


def _is_column(by: Any) -> bool:
    """Return whether something is a column of a data frame with a name."""
    return isinstance(getattr(by, "name", None), str) and bool(by.name) and hasattr(by, "dtype") and len(by.shape) == 1


def _once(names: Iterable[Any], argument: str) -> list[Any]:
    """Return the names of columns; each names one axis, so none may occur twice."""
    given = [*names]
    twice = [name for i, name in enumerate(given) if name in given[:i]]
    if twice:
        raise ValueError(f"{argument}= has two columns {twice[0]!r}; its columns are {listing(given)}. Give each its own name.")
    return given


def check_row_labels(columns: Mapping[str, Any]) -> None:
    """Refuse columns of pandas whose indexes hold the same labels in different orders.

    Errors call the columns by the names given. Indexes that share no labels, or only some, say nothing about which rows belong
    together: position decides.

    >>> import pandas as pd
    >>> true = pd.Series([1, 0], index=["a", "b"])
    >>> try:
    ...     check_row_labels({"y_true": true, "y_pred": true[::-1]})
    ... except ValueError as error:
    ...     print(str(error).partition(".")[0])
    y_pred has the row labels of y_true in another order: row 0 is 'a' in y_true and 'b' in y_pred
    """
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return
    indexed = [(name, x.index) for name, x in columns.items() if isinstance(x, pandas.Series | pandas.DataFrame)]
    for name, index in indexed[1:]:
        first, labels = indexed[0]
        if len(index) != len(labels) or index.equals(labels) or not (index.isin(labels).all() and labels.isin(index).all()):
            continue
        row = next((i for i, (a, b) in enumerate(zip(labels, index, strict=True)) if a != b), None)
        if row is not None:
            raise ValueError(
                f"{name} has the row labels of {first} in another order: row {row} is {_show(labels[row])} in {first} and "
                f"{_show(index[row])} in {name}. Rows are paired by position. Put them in one order, {name}.loc[{first}.index], "
                "or pass to_numpy() of both if the labels mean nothing."
            )


def _show(label: Any) -> str:
    """Return a row label for a message; a NumPy scalar is shown as the number that it is."""
    return short(label.item() if isinstance(label, np.generic) else label)
