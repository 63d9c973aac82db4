"""What is sliced: examples whose labels are held, or groups whose counts were kept, by features.

Features are columns whose values cut examples into slices; numbers are cut into ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date
from itertools import pairwise
from numbers import Number
from typing import Any

import numpy as np

from ...algebra.arrays import Array, Mask, quiet
from ...algebra.values import free_name
from ...encode.containers import read
from ...encode.factorize import factorize
from ...encode.plain_forms import Labels, Table, is_missing
from ...encode.vocabulary import missing_rows
from ...encode.weights import check_row_labels, read_groupings
from ...report.grid import name_text
from ..estimators.of_evaluation import check_named_clusters

NO_ROWS = (
    "among= needs the labels of single examples, and this evaluation holds counts only, as those of files, of sums, of saved and "
    "of changed evaluations and of arrays on a device do. Evaluate labels with ix.evaluate(y_true, y_pred); or give the features "
    "as by= where you evaluate, and leave among= out."
)
CHANGED = "The labels that were evaluated have changed since, so that slices of them would be of other data. Evaluate again."


NO_FEATURES = "There are no features: give among=, a data frame with a row for each example, or evaluate with by=."
FINE = 32  # places of equal mass at which a tree may cut
MOST_FEATURES = 1000
Cut = Callable[[Array, int], Array]  # edges inside, from numbers without missing ones and the number of bins


class Rows:
    """Single examples: their labels are counted again in each grouping."""

    def __init__(self, ev: Any, clusters: str | None) -> None:
        if ev.rows is None:
            raise ValueError(NO_ROWS)
        self._ev, self._keep = ev, () if clusters is None else (clusters,)
        if clusters is not None:
            ev.tally.sizes_of(clusters)  # refuses what is not a grouping
        self.axis = free_name("slice", ev.tally.by)
        self.sizes = np.ones(ev.n, np.int64)

    @property
    def columns(self) -> dict[str, Any]:
        """The axes of by= as features, but for that of clusters."""
        return {axis: column for axis, column in self._ev.rows.columns().items() if axis not in self._keep}

    def count(self, some: Mask) -> int:
        """Return how many examples these are."""
        return int(np.count_nonzero(some))

    def grouped(self, codes: Array, groups: int, *, moments: bool | None = False) -> Any:
        """Return the evaluation of the examples in these groups."""
        made = self._ev.rows.grouped(codes, groups, self.axis, keep=self._keep, moments=moments)
        if made.n != self._ev.n:
            raise ValueError(CHANGED)
        return made if self._ev.named_positive is None else made.with_positive(self._ev.named_positive)


class KeptGroups:
    """The groups of by=, whose counts are added; this works for sums and saved evaluations."""

    def __init__(self, ev: Any, clusters: str | None) -> None:
        if clusters is not None:
            raise ValueError("clusters= needs the features of single examples: give among=, or leave clusters= out.")
        self._ev = ev
        self.axis = free_name("slice", ev.tally.by)
        self.keys = list(ev.tally.sizes)
        self.sizes = np.array([ev.tally.sizes[key] for key in self.keys], np.int64)

    @property
    def columns(self) -> dict[str, list[Any]]:
        """The groups of each axis, as a column."""
        return {axis: [key[i] for key in self.keys] for i, axis in enumerate(self._ev.tally.by)}

    def count(self, some: Mask) -> int:
        """Return how many examples are in some groups."""
        return int(self.sizes[some].sum())

    def grouped(self, codes: Array, groups: int, *, moments: bool | None = False) -> Any:
        """Return the evaluation of sums of groups."""
        return replace(self._ev, tally=self._ev.tally.pool_groups(np.asarray(codes, np.intp), self.axis))


Cells = Rows | KeptGroups  # parts of the examples that no slice divides


def cells_of(ev: Any, clusters: str | None, among: Any) -> Cells:
    """Return the examples of an evaluation, or its groups where only its own axes are asked for."""
    check_named_clusters(clusters)
    if among is None and not {*ev.tally.by} - {clusters}:
        raise ValueError(NO_FEATURES)
    if among is not None and ev.rows is not None:
        check_row_labels({"y_true": ev.rows.true, **(among if isinstance(among, Mapping) else {"among": among})})
    return KeptGroups(ev, clusters) if among is None and ev.rows is None else Rows(ev, clusters)


@dataclass(frozen=True, eq=False)
class Feature:
    """A column: the condition of each of its values, and which one each example has."""

    name: str
    said: tuple[str, ...]  # "site = x", "30 <= age < 50", "age is missing"
    meant: tuple[Any, ...]  # 'x', (30.0, 50.0), None
    codes: Array  # of each example


def read_features(among: Any, n: int, cut: Cut, bins: int) -> list[Feature]:
    """Return the features of a data frame, a mapping of columns, or a table of numbers."""
    if getattr(among, "ndim", 0) == 2 and not hasattr(among, "columns"):
        table = read(among, "among")
        if not isinstance(table, Table):
            raise TypeError("among= is sparse; give a data frame, a mapping of columns, or a plain array with a row per example.")
        among = {str(k): column for k, column in enumerate(np.asarray(table.values).T)}
    columns = among if isinstance(among, Mapping) else read_groupings(among, "among")
    if not columns:
        raise ValueError("among= has no columns. Give the features whose values make slices: a data frame or {'age': ages}.")
    if len(columns) > MOST_FEATURES:
        raise ValueError(f"among= has {len(columns):,} columns, more than {MOST_FEATURES:,}. Choose those that may matter.")
    return [_feature(str(name), column, n, cut, bins) for name, column in columns.items()]


def _feature(name: str, column: Any, n: int, cut: Cut, bins: int) -> Feature:
    argument, (column, zone) = f"among[{name!r}]", _with_times(column)
    kind = getattr(getattr(column, "dtype", None), "kind", "")
    if kind in "mM" and kind:  # times are cut like numbers; NaT is missing
        times = np.asarray(column)
        numbers = np.where(np.isnat(times), np.nan, times.astype(np.int64).astype(np.float64))
        return _numeric(name, _sized(numbers, n, argument), cut, bins, lambda x: f"{np.array(int(x)).astype(times.dtype)}{zone}")
    form = read(column, argument)
    if not isinstance(form, Labels):
        raise ValueError(f"{argument} needs one value per example, in one dimension.")
    _sized(form.values, n, argument)
    form = factorize(form, argument)
    if form.categories is None:
        values = np.asarray(form.values)
        return _categories(name, values, ()) if values.dtype.kind == "b" else _numeric(name, values, cut, bins)
    codes, categories = np.asarray(form.values), form.categories or ()
    numeric = categories and all(isinstance(c, Number) and not isinstance(c, bool) for c in categories)
    if numeric and not form.declared:
        values = np.append(np.array(categories, np.float64), np.nan)[codes]
        return _numeric(name, values, cut, bins)
    return _categories(name, codes, categories, missing_rows(form))


def _with_times(column: Any) -> tuple[Any, str]:
    """Return times of other libraries, and dates that are objects, as an array of times.

    With it comes Z where they have a zone. Other columns stay as they are.
    """
    dtype = getattr(column, "dtype", None)
    if getattr(dtype, "kind", "") == "M" and not isinstance(dtype, np.dtype):  # of pandas; numpy holds times of Greenwich
        return np.asarray(column, "M8[ns]"), "Z"
    if type(column).__module__.partition(".")[0] in ("polars", "pyarrow"):
        plain = np.asarray(column)
        return (plain if plain.dtype.kind in "mM" else column), ""
    objects = isinstance(column, list | tuple) or getattr(dtype, "kind", "") == "O"
    known = [x for x in column if not is_missing(x)] if objects else []
    zoned = {isinstance(x, date) and getattr(x, "tzinfo", None) is not None for x in known}
    if len(zoned) != 1 or not all(isinstance(x, date) for x in known):
        return column, ""
    plainly = (x.astimezone(UTC).replace(tzinfo=None) if True in zoned else x for x in known)
    return np.array([None if is_missing(x) else next(plainly) for x in column], "M8[us]"), "Z" if True in zoned else ""


def _sized(values: Any, n: int, argument: str) -> Any:
    if len(values) != n:
        raise ValueError(f"{argument} has {len(values)} entries for {n} examples. Give one value per example.")
    return values


def _categories(name: str, codes: Array, categories: tuple[Any, ...], absent: Array | None = None) -> Feature:
    """Return a feature of categories: those that occur, then what is missing."""
    seen, place = np.unique(codes, return_inverse=True)
    meant = tuple(None if absent is not None and c < 0 else categories[c] if categories else c for c in seen.tolist())
    said = tuple(f"{name} is missing" if m is None else f"{name} = {name_text(m)}" for m in meant)
    return Feature(name, said, meant, place.astype(np.int32))


def _numeric(name: str, values: Array, cut: Cut, bins: int, text: Callable[[float], str] = "{:.6g}".format) -> Feature:
    """Return a feature of numbers: their values, where they are few, otherwise ranges.

    Missing ones are a value of their own.
    """
    lost = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), bool)
    known = values[~lost]
    few = np.unique(known[: 100 * bins])
    few = np.unique(known) if len(few) <= bins else few
    if len(few) <= bins:
        codes = np.searchsorted(few, values)
        said = [f"{name} = {text(x)}" for x in few.tolist()]
        meant: list[Any] = few.tolist()
    else:
        edges = np.asarray(cut(np.where(lost, np.nan, values.astype(np.float64)), bins), np.float64)
        codes = np.searchsorted(edges, values, "right")
        texts = ["", *map(text, edges.tolist()), ""]
        meant = [*pairwise([-np.inf, *edges.tolist(), np.inf])]
        said = [_range(name, low, high) for low, high in pairwise(texts)]
    codes = np.where(lost, len(said), codes).astype(np.int32)
    return Feature(name, (*said, f"{name} is missing"), (*meant, None), codes)


def _range(name: str, low: str, high: str) -> str:
    """Return the condition of a range, whose ends are empty where it has none.

    >>> _range("age", "", "30"), _range("age", "30", "inf"), _range("age", "inf", "")
    ('age < 30', '30 <= age < inf', 'age >= inf')
    """
    if not low:
        return f"{name} < {high}" if high else name
    return f"{low} <= {name} < {high}" if high else f"{name} >= {low}"


def at_quantiles(values: Array, bins: int, sizes: Array) -> Array:
    """Return the edges between bins with about as many examples; ties are never split.

    There are ``sizes`` examples of each value.

    >>> one = np.ones(10, int)
    >>> [at_quantiles(np.arange(10.0), 2, sizes).tolist() for sizes in (one, [5, *one[1:]])]
    [[5.0], [3.0]]
    >>> at_quantiles(np.array([0.0, 0, 0, 1]), 2, one[:4]).tolist()
    [1.0]
    """
    order = np.argsort(values, kind="stable")[: np.count_nonzero(~np.isnan(values))]
    known, up = values[order], np.cumsum(np.asarray(sizes)[order])
    edges = np.unique(known[np.searchsorted(up, np.arange(1, bins) * up[-1] // bins, "right")])
    return edges[1:] if len(edges) > 1 and edges[0] == known[0] else edges if edges[0] > known[0] else known[known > known[0]][:1]


def at_splits(values: Array, bins: int, sizes: Array, badness: Callable[[Array, int], tuple[Array, Array]]) -> Array:
    """Return the edges of a tree: the range is split, again and again, where the two sides differ most.

    ``badness`` gives of each fine bin how bad it is in all, and how much it weighs.
    """
    edges = at_quantiles(values, FINE, sizes)
    sums, mass = badness(np.where(np.isnan(values), len(edges) + 1, np.searchsorted(edges, values, "right")), len(edges) + 2)
    s, w = (np.append(0.0, np.cumsum(np.nan_to_num(x[:-1]))) for x in (sums, mass))
    ends = [0, len(edges) + 1]
    for _ in range(bins - 1):
        best, place = 0.0, 0
        for a, b in pairwise(ends):
            at = np.arange(a + 1, b)
            left, right = w[at] - w[a], w[b] - w[at]
            with quiet():  # a side that weighs nothing has no mean, and gains nothing
                gain = np.nan_to_num(((s[at] - s[a]) / left - (s[b] - s[at]) / right) ** 2 * left * right / (left + right))
            if gain.max(initial=0.0) > best:
                best, place = float(gain.max()), int(at[gain.argmax()])
        if not place:
            break
        ends = sorted([*ends, place])
    return edges[np.array(ends[1:-1], np.intp) - 1]
