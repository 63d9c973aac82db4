"""Data frames of whatever has ``to_dict()``: tables, values, evaluations, the catalogue.

``to_dict()`` is a dictionary of columns, lists of the same length. The frames hold the same columns and the same values.
"""

from __future__ import annotations

import math
from collections.abc import Container
from importlib import import_module
from typing import Any


def to_pandas(source: Any) -> Any:
    """Return the columns of ``to_dict()`` as a pandas DataFrame; undefined values are nan.

    Returns
    -------
    pandas.DataFrame
        The same columns, with exactly the same values.

    Examples
    --------
    >>> import indicatrix as ix
    >>> frame = ix.evaluate(["a", "b", "b"], ["a", "a", "b"]).values("recall").to_pandas()
    >>> list(frame.columns), frame["value"].tolist()
    (['class', 'value'], [1.0, 0.5])
    """
    pandas = _load("pandas", "to_pandas()")
    return pandas.DataFrame({name: pandas.Series(x, dtype=_dtype(x)) for name, x in source.to_dict().items()})


def to_polars(source: Any) -> Any:
    """Return the columns of ``to_dict()`` as a Polars DataFrame; undefined values are null.

    Returns
    -------
    polars.DataFrame
        The same columns, with exactly the same values.

    Examples
    --------
    >>> import indicatrix as ix
    >>> frame = ix.evaluate(["a", "b", "b"], ["a", "a", "b"]).values("recall").to_polars()
    >>> frame["value"].to_list()
    [1.0, 0.5]
    """
    polars = _load("polars", "to_polars()")
    return polars.DataFrame([_polars_column(polars, name, x) for name, x in source.to_dict().items()])


def free_name(name: str, taken: Container[str]) -> str:
    """Return the name of a column, or a longer one if another column has it.

    >>> free_name("value", ["site"]), free_name("value", ["value"])
    ('value', 'value_')
    """
    while name in taken:
        name += "_"
    return name


def _load(library: str, what: str) -> Any:
    try:
        return import_module(library)
    except ImportError:
        raise ImportError(f"{what} needs {library}, which is not installed: pip install {library}. Or use to_dict().") from None


def _dtype(column: list[Any]) -> Any:
    """Return float64 for values, object for labels of several types, which stay as they are; else None."""
    types = {*map(type, column)}
    return "float64" if types == {float} else object if len(types) != 1 else None


def _polars_column(polars: Any, name: str, column: list[Any]) -> Any:
    if column and all(type(x) is float for x in column):
        return polars.Series(name, [None if math.isnan(x) else x for x in column], polars.Float64)
    try:
        made = polars.Series(name, column)
    except (TypeError, ValueError, OverflowError, polars.exceptions.PolarsError):
        return polars.Series(name, column, polars.Object)
    return made if made.to_list() == column else polars.Series(name, column, polars.Object)
