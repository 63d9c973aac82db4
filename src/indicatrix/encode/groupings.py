"""What by= may be: groupings by name, or a data frame, whose columns are groupings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..algebra.wording import listing, type_of


def read_groupings(by: Any) -> Any:
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
        return {name: by.column(name) for name in _once(by.column_names)}
    if hasattr(by, "__dataframe__") and hasattr(by, "columns"):
        return {name: by[name] for name in _once(by.columns)}
    if hasattr(by, "__arrow_c_stream__"):  # any other frame: Arrow is the form in which libraries hand over columns
        try:
            from pyarrow import table

            return read_groupings(table(by))
        except (ImportError, ValueError):  # it is not installed, or this is one column without a name
            pass
    raise TypeError(f"by= is {type_of(by)}; give a name for each grouping, by={{'fold': ids}}, or a data frame of them.")


def _is_column(by: Any) -> bool:
    """Return whether something is a column of a data frame with a name."""
    return isinstance(getattr(by, "name", None), str) and bool(by.name) and hasattr(by, "dtype") and len(by.shape) == 1


def _once(names: Iterable[Any]) -> list[Any]:
    """Return the names of columns; each names one axis, so none may occur twice."""
    given = [*names]
    twice = [name for i, name in enumerate(given) if name in given[:i]]
    if twice:
        raise ValueError(f"by= has two columns {twice[0]!r}; its columns are {listing(given)}. Give each its own name.")
    return given
