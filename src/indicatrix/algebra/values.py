"""Values: an array that knows the names of its units."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from .call_mistakes import answers_mistakes
from .frames import free_name, to_pandas, to_polars
from .wording import rows_in_words, short

MOST = 10  # units that repr shows


@answers_mistakes
class Values(np.ndarray[Any, np.dtype[np.float64]]):
    """Per-unit values with ``.names``: the names of the units, or a tuple of names for each axis.

    ``.times`` says how often each unit occurred; None: once. ``.per`` names the axes. Arithmetic keeps all three. A selection or
    a sort loses them, because it does not say which units it kept. ``.intervals`` has one interval for each unit, if these were
    asked for; ``.low`` and ``.high`` are their ends. Arithmetic loses them.
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
        out.intervals = intervals
        return out

    def __array_finalize__(self, source: Any) -> None:
        self.names, self.times, self.per, self.intervals = (), None, (), None

    @property
    def low(self) -> Any:
        """The lower end of the interval of each unit; None without intervals."""
        return None if self.intervals is None else np.array([i.low for i in self.intervals]).reshape(self.shape)

    @property
    def high(self) -> Any:
        """The upper end of the interval of each unit; None without intervals."""
        return None if self.intervals is None else np.array([i.high for i in self.intervals]).reshape(self.shape)

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
        if self.names and self.ndim == 1 and self.times is None:
            return f"Values({self._pairs()})"
        return super().__repr__() if self.times is None else f"{super().__repr__()}: {rows_in_words(self.times)}"

    def _pairs(self) -> str:
        """Return the first units with their values, and how many more there are."""
        texts = [f"{value:.6g}" for value in self[:MOST].tolist()] if self.intervals is None else map(str, self.intervals[:MOST])
        shown = [f"{short(name)}: {text}" for name, text in zip(self.names, texts, strict=False)]
        return ", ".join(shown) + (f" and {self.size - MOST} more" if self.size > MOST else "")

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        out = super().__array_wrap__(array, context, return_scalar)
        if isinstance(out, Values) and out.shape == self.shape:
            out.names, out.times, out.per = self.names, self.times, self.per
        return out

    def __reduce__(self) -> Any:
        return _restore, (np.asarray(self), self.names, self.times, self.per, self.intervals)


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
