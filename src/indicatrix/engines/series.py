"""Columns of data frames as the library reads them, through narwhals: dates and times become text."""

from __future__ import annotations

import datetime as dt
from itertools import chain
from typing import Any

import numpy as np

DAY, MOMENT = "%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"
DATES = (dt.date, dt.time)  # a datetime is a date


def narwhals() -> Any:
    """Return the module that reads data frames; without it, the error says how to install it."""
    try:
        import narwhals.stable.v2 as nw
    except ImportError:
        raise ImportError(
            "evaluate_frame needs narwhals, which is not installed: pip install 'indicatrix[frames]'. Or use "
            "ix.evaluate(df['true'], df['pred'])."
        ) from None
    return nw


def read_series(series: Any) -> Any:
    """Return a column as a container that the library reads; dates and times as text such as 2026-01-31.

    >>> import narwhals.stable.v2 as nw
    >>> import pandas as pd
    >>> read_series(nw.from_native(pd.Series([dt.date(2026, 1, 31), None]), series_only=True))
    ['2026-01-31', None]
    """
    nw = narwhals()
    kind = series.dtype
    if kind == nw.Date or kind == nw.Datetime:
        return _native(series.dt.to_string(DAY if kind == nw.Date else f"{MOMENT}%.f"))
    if kind == nw.Object or kind == nw.Time:  # in pandas, Python objects: perhaps dates
        rows = series.to_list()
        return [*map(text_of_date, rows)] if any(isinstance(row, DATES) for row in rows) else _native(series)
    if series.implementation.is_pandas() and isinstance(kind, nw.Categorical | nw.Enum):
        column = series.to_native()
        if not hasattr(column, "cat"):  # a dictionary of Arrow, which pandas keeps as it is
            return series.to_arrow()
        dated = any(isinstance(name, DATES) for name in column.cat.categories)
        return column.cat.rename_categories(text_of_date) if dated else column
    return _native(series)


def text_of_date(value: Any) -> Any:
    """Return a date or a time of Python as text, in the form of a column of them; anything else as it is.

    >>> text_of_date(dt.date(2026, 1, 31)), text_of_date(dt.datetime(2026, 1, 31, 5)), text_of_date(dt.time(5)), text_of_date("a")
    ('2026-01-31', '2026-01-31T05:00:00.000000', '05:00:00', 'a')
    """
    if not isinstance(value, DATES):
        return value
    if value != value:  # the missing time of pandas
        return None
    return value.strftime(f"{MOMENT}.%f") if isinstance(value, dt.datetime) else value.isoformat()


def flatten_lists(series: Any) -> tuple[Any, Any]:
    """Return how many labels each list of a column has, and the labels of all lists one after the other.

    >>> import narwhals.stable.v2 as nw
    >>> import pandas as pd
    >>> flatten_lists(nw.from_native(pd.Series([["a", "b"], [], ["b"]]), series_only=True))
    (array([2, 0, 1]), ['a', 'b', 'b'])
    """
    nw = narwhals()
    if series.dtype == nw.Object:
        rows = series.to_list()
        return np.fromiter(map(len, rows), np.int64, len(rows)), [*map(text_of_date, chain.from_iterable(rows))]
    if series.implementation.is_pandas() or series.implementation.is_polars():
        series = series.cast(nw.List(series.dtype.inner))  # what has a fixed length, too
        sizes = np.asarray(series.list.len().to_numpy(), np.int64)
        some = series.filter(series.list.len() > 0).to_frame()
        return sizes, read_series(some.explode(series.name).get_column(series.name))
    import pyarrow as pa
    from pyarrow.compute import list_flatten, list_value_length

    column = series.to_arrow()
    labels = nw.from_native(pa.chunked_array([list_flatten(column)]), series_only=True)
    return np.asarray(list_value_length(column), np.int64), read_series(labels)


def _native(series: Any) -> Any:
    """Return a column as its own library has it, or as Arrow if this library does not read that one."""
    known = series.implementation.is_pandas() or series.implementation.is_polars() or series.implementation.is_pyarrow()
    return series.to_native() if known else series.to_arrow()
