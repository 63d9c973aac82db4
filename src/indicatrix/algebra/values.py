"""Values: an array with the names of its units.

Data frames of whatever has ``to_dict()``: tables, values, evaluations, the catalogue.

``to_dict()`` is a dictionary of columns, lists of the same length. The frames hold the same columns and the same values.
"""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np

from ..words.call_mistakes import answers_mistakes
from ..words.wording import rows_in_words, short
from .average import makers


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


MOST = 10  # units that repr shows


@answers_mistakes
class Values(np.ndarray[Any, np.dtype[np.float64]]):
    """Per-unit values with ``.names``: the names of the units, or a tuple of names for each axis.

    ``.times`` says how often each unit occurred; None: once. ``.per`` names the axes. Arithmetic and copies keep all three. A
    selection or a sort loses them, because it does not say which units it kept. ``.intervals`` has one interval for each unit, if
    these were asked for; ``.low`` and ``.high`` are their ends. Copies keep them; arithmetic and assignments lose them.
    """

    names: tuple[Any, ...]
    times: Any
    per: tuple[str, ...]
    intervals: tuple[Any, ...] | None
    to_pandas, to_polars = to_pandas, to_polars

    @classmethod
    def of(
        cls,
        values: Any,
        names: tuple[tuple[Any, ...], ...],
        times: Any = None,
        *,
        per: Sequence[str] = (),
        intervals: tuple[Any, ...] | None = None,
    ) -> Values:
        """Return values with the names of their units along each axis, and how often each unit occurred."""
        out = np.asarray(values, np.float64).view(cls)
        out.names, out.times, out.per = names[0] if len(names) == 1 else names, times, tuple(per)
        if intervals is not None:  # a number that stands for an undefined value is the value, which nothing bounds
            intervals = tuple(
                i if i.value == i.value or x != x else replace(i, value=x)
                for i, x in zip(intervals, np.asarray(out).ravel().tolist(), strict=True)
            )
        out.intervals = intervals
        return out

    def __array_finalize__(self, source: Any) -> None:
        self._forget()

    @property
    def low(self) -> Any:
        """The lower end of the interval of each unit; None without intervals."""
        return None if self.intervals is None else np.array([i.low for i in self.intervals]).reshape(self.shape)

    @property
    def high(self) -> Any:
        """The upper end of the interval of each unit; None without intervals."""
        return None if self.intervals is None else np.array([i.high for i in self.intervals]).reshape(self.shape)

    def worst(self, better: str | None = None) -> tuple[Any, Any]:
        """Return the unit with the worst value, by name, and its interval.

        The worst of several is worse than its true value: chance helped to choose it. So the interval has to hold for all units
        at once, ``interval="simultaneous"``, or to be of pooled values.

        >>> import indicatrix as ix
        >>> values = ix.from_confusion([[40, 10], [5, 45]], classes=["ant", "bee"]).values("recall", interval="simultaneous")
        >>> values.worst()
        ('ant', 0.8 [0.653, 0.905] (95%, mid_p, simultaneous))
        """
        if self.intervals is None or not any("simultaneous" in i.method or "pooled" in i.method for i in self.intervals):
            raise ValueError("The worst unit was chosen, and its interval has to count that: values(…, interval='simultaneous').")
        known = better or next(i.measure.better for i in self.intervals if i.measure is not None)
        if known not in ("higher", "lower"):
            raise ValueError("The measure does not say which values are better: worst(better='higher') or worst(better='lower').")
        flat = np.asarray(self).ravel()
        if np.isnan(flat).all():
            raise ValueError("No unit has a value, so that none is the worst.")
        k = int(np.nanargmin(flat) if known == "higher" else np.nanargmax(flat))
        units = [*product(*((self.names,) if self.ndim == 1 else self.names))]
        return units[k][0] if self.ndim == 1 else units[k], self.intervals[k]

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns: the names of the units, their values, and what else is known about each.

        >>> import indicatrix as ix
        >>> ix.evaluate(["a", "b", "b"], ["a", "a", "b"]).values("recall").to_dict()
        {'class': ['a', 'b'], 'value': [1.0, 0.5]}
        """
        columns: dict[str, list[Any]] = {}
        if self.names:
            axes = self.per or (("unit",) if self.ndim == 1 else tuple(f"unit_{k}" for k in range(1, self.ndim + 1)))
            units = [*product(*((self.names,) if self.ndim == 1 else self.names))]
            columns = {axis: [unit[k] for unit in units] for k, axis in enumerate(axes)}
        columns[free_name("value", columns)] = np.asarray(self).ravel().tolist()
        if self.intervals is not None:
            for end in ("low", "high"):
                columns[free_name(end, columns)] = getattr(self, end).ravel().tolist()
        if self.times is not None:
            columns[free_name("times", columns)] = np.asarray(self.times).ravel().tolist()
        return columns

    def __repr__(self) -> str:
        if self.names and self.times is None:
            at_once = self.intervals and self.intervals[0].method.endswith("simultaneous")
            pairs = _pairs((self.names,) if self.ndim == 1 else self.names, self._cells())
            return f"Values({pairs}{'; all at once' if at_once else ''})"
        plain = super().__repr__()
        return plain if self.times is None else f"{plain}: {rows_in_words(self.times)}"

    def _cells(self) -> Any:
        """Return what is known about each unit: its interval, or else its value."""
        if self.intervals is None:
            return np.asarray(self)
        cells = np.empty(self.size, object)
        cells[:] = self.intervals
        return cells.reshape(self.shape)

    def __str__(self) -> str:
        return repr(self) if self.names else super().__str__()

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows: a table with the names; None, so the plain text, without names."""
        return makers().html_of_values(self) if self.names else None

    def __copy__(self) -> Values:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any] | None, /) -> Values:
        return self.copy()  # names and intervals are never changed

    def copy(self, order: Any = "C") -> Values:
        """Return a copy with the same names, axes and intervals."""
        times = None if self.times is None else np.array(self.times)
        return _restore(super().copy(order), self.names, times, self.per, self.intervals)

    def round(self, decimals: Any = 0, out: Any = None) -> Any:
        """Return rounded values with the same names and axes; what goes into ``out`` has those of ``out``."""
        rounded = np.asarray(self).round(decimals, out)
        return rounded if out is not None else _restore(rounded, self.names, self.times, self.per)

    def sort(self, *given: Any, **named: Any) -> None:
        """Sort the values in place; they lose their names, because they change places."""
        super().sort(*given, **named)
        self._forget()

    def partition(self, *given: Any, **named: Any) -> None:
        """Partition the values in place; they lose their names, because they change places."""
        super().partition(*given, **named)
        self._forget()

    def _forget(self) -> None:
        self.names, self.times, self.per, self.intervals = (), None, (), None

    def __setitem__(self, where: Any, value: Any) -> None:
        super().__setitem__(where, value)
        self.intervals = None  # they were of other values

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        out = super().__array_wrap__(array, context, return_scalar)
        if return_scalar and out.ndim == 0:
            return out[()]  # the maximum of values is a number
        if isinstance(out, Values) and out.shape == self.shape:
            out.names, out.times, out.per, out.intervals = self.names, self.times, self.per, None
        return out

    def __reduce__(self) -> Any:
        return _restore, (np.asarray(self), self.names, self.times, self.per, self.intervals)


def _pairs(names: tuple[tuple[Any, ...], ...], cells: Any, indent: int = len("Values(")) -> str:
    """Return the first units of each axis with what is known about them, and how many more there are."""
    here, *inner = names
    shown = []
    for name, cell in zip(here, cells[:MOST], strict=False):
        start = f"{short(name)}: "
        if inner:
            shown.append(f"{start}{{{_pairs(tuple(inner), cell, indent + len(start) + 1)}}}")
        else:
            shown.append(f"{start}{cell:.6g}" if isinstance(cell, float) else f"{start}{cell}")
    more = f" and {len(here) - MOST} more" if len(here) > MOST else ""
    return (f",\n{' ' * indent}" if inner else ", ").join(shown) + more


def _restore(
    values: Any,
    names: tuple[Any, ...],
    times: Any = None,
    per: tuple[str, ...] = (),
    intervals: tuple[Any, ...] | None = None,
) -> Values:
    out = np.asarray(values).view(Values)
    out.names, out.times, out.per, out.intervals = names, times, per, intervals
    return out
