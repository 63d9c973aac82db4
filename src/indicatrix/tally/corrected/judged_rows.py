"""The distinct rows of judged data, with how often each occurs.

What corrections are computed from, and what adds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array, Mask
from ..kernels.kernels import number_keys
from ..states.group_counts import sort_names

CODES_SPAN = 1 << 16  # whole numbers that span no more than this need no sorting
MOST_CODES = 1 << 62

# The columns of rows, in the order by which rows are sorted. All are matrices of floats; nan: nothing is known.
PREDICTIONS, GOLD, JUDGES = "predictions", "gold", "judges"
CHANCE, EXPECTED, STRATUM, WEIGHT, OTHERS = "chance", "expected", "stratum", "weight", "others"
COLUMNS = (OTHERS, PREDICTIONS, GOLD, JUDGES, STRATUM, CHANCE, EXPECTED, WEIGHT)


@dataclass(frozen=True, eq=False)
class JudgedRows:
    """Distinct rows, with how often each occurs.

    Where each row has one class, predictions, gold labels and judges are columns of codes, and -1 is "no class"; where it may
    have several labels, or graded ones, each has a column for every class.
    """

    m: int  # classes
    several: bool  # rows may have several labels, or graded ones
    columns: Mapping[str, Array]  # by name, rows x width; a column that was not given is absent
    times: Array  # how often each row occurs
    groups: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)  # of each by= axis the names, whose codes are a column
    strata: tuple[Any, ...] = ()  # the names of the strata

    @staticmethod
    def of(m: int, columns: Mapping[str, Array], weights: Array | None, *, several: bool, strata: Any = ()) -> JudgedRows:
        """Return rows by themselves, in the order of the data; weights that are all 1 are left out.

        >>> columns = {PREDICTIONS: np.zeros((2, 1), int)}
        >>> [JudgedRows.of(1, columns, np.array(w), several=False).weight.tolist() for w in ([2, 2], [1, 1])]
        [[2.0, 2.0], [1.0, 1.0]]
        """
        own = {name: np.asarray(column, np.float64) for name, column in columns.items()}
        if weights is not None and (weights != 1).any():
            own[WEIGHT] = np.asarray(weights, np.float64)[:, None]
        return JudgedRows(m, several, own, np.ones(len(own[PREDICTIONS]), np.int64), strata=strata)

    def counted(self) -> JudgedRows:
        """Return rows with those that are alike counted together.

        Their order does not depend on that of the data.
        """
        seen = {name: np.unique(self.columns[name]).astype(np.intp).tolist() for name in self._names}
        names = {name: tuple(sort_names({own[k] for k in seen[name]})) for name, own in self._names.items()}
        columns = self._named(names)
        order = [name for name in COLUMNS if name in columns] + sorted({*columns} - {*COLUMNS})
        first, times = distinct(np.hstack([columns[name] for name in order]), self.times)
        return self._with({name: columns[name][first] for name in order}, times, names)

    @property
    def _names(self) -> dict[str, tuple[Any, ...]]:
        """The names of groups and strata, for each column that holds their codes."""
        own = {_axis(axis): names for axis, names in self.groups.items()}
        return {**own, STRATUM: self.strata} if STRATUM in self.columns else own

    def _with(self, columns: Mapping[str, Array], times: Array, names: Mapping[str, tuple[Any, ...]]) -> JudgedRows:
        """Return other rows, with other names of groups and strata."""
        groups = {axis: names[_axis(axis)] for axis in self.groups}
        return replace(self, columns=columns, times=times, groups=groups, strata=names.get(STRATUM, self.strata))

    def _named(self, names: Mapping[str, tuple[Any, ...]]) -> dict[str, Array]:
        """Return the columns, in which groups and strata have the codes that other names give them."""
        columns = dict(self.columns)
        for name, own in self._names.items():
            place = {one: k for k, one in enumerate(names[name])}
            columns[name] = np.array([place.get(one, -1) for one in own], np.float64)[columns[name].astype(np.intp)]
        return columns

    def only(self, some: Mask) -> JudgedRows:
        """Return some of the rows."""
        return replace(self, columns={name: own[some] for name, own in self.columns.items()}, times=self.times[some])

    def __len__(self) -> int:
        return len(self.times)

    @property
    def n(self) -> int:
        """The number of examples."""
        return int(self.times.sum())

    @property
    def weight(self) -> Array:
        """How much each row counts."""
        return self.columns[WEIGHT][:, 0] if WEIGHT in self.columns else np.ones(len(self))

    @property
    def weighted(self) -> bool:
        """Whether rows count differently much."""
        return WEIGHT in self.columns

    @property
    def mass(self) -> Array:
        """How much the examples of each row count together."""
        return self.times * self.weight

    @property
    def typical(self) -> float:
        """The typical weight of a row, Σw² / Σw: intervals do not depend on the unit of weights."""
        return float(self.mass @ self.weight / self.mass.sum()) if self.mass.any() else 1.0

    @property
    def drawn(self) -> Array:
        """For how many rows each stands by its chance to be chosen, up to a factor."""
        return 1 / self.columns[CHANCE][:, 0] if CHANCE in self.columns else np.ones(len(self))

    @property
    def known(self) -> Array:
        """Which rows that count have a gold label; of several labels, which entries do."""
        gold = self.columns.get(GOLD, np.full(self.columns[PREDICTIONS].shape, np.nan))
        return np.asarray(~np.isnan(gold) & (self.weight > 0)[:, None])

    @property
    def own(self) -> Array:
        """The gold labels, rows x classes; 0 where none is known."""
        gold = self.columns[GOLD]
        return np.nan_to_num(gold) if self.several else (gold == np.arange(self.m)).astype(np.float64)

    @property
    def gold(self) -> int:
        """How many examples have a gold label, at least one of several."""
        return int(self.times[self.known.any(axis=1)].sum())

    @property
    def predictions(self) -> Array:
        """The predictions: codes, or of several labels a matrix."""
        own = self.columns[PREDICTIONS]
        return own if self.several else own[:, 0].astype(np.intp)

    @property
    def judges(self) -> Array | None:
        """What each judge says, rows x judges (x classes); None: there is no judge."""
        own = self.columns.get(JUDGES)
        return None if own is None or np.isnan(own).all() else own.reshape(len(own), -1, self.m if self.several else 1)

    @property
    def helped(self) -> bool:
        """Whether judges or given probabilities say something about rows without a gold label."""
        return self.judges is not None or EXPECTED in self.columns

    @property
    def judged(self) -> Array:
        """The mean label of the judges that saw each row, rows x classes; nan where none did."""
        judges = self.judges
        if judges is None:
            return np.full((len(self), self.m), np.nan)
        seen = ~np.isnan(judges)
        said = np.where(seen, judges, 0.0) if self.several else judges == np.arange(self.m)
        many = seen.sum(axis=1)
        return np.where(many > 0, said.sum(axis=1) / np.maximum(many, 1), np.nan)

    def group_of(self, axis: str) -> Array:
        """Return the number of the group of each row along a by= axis."""
        return self.columns[_axis(axis)][:, 0].astype(np.intp)

    def keys(self, by: tuple[str, ...]) -> tuple[list[tuple[Any, ...]], Array]:
        """Return the combinations of groups that occur along some axes, and to which each row belongs."""
        if not by:
            return [()], np.zeros(len(self), np.intp)
        codes = [self.group_of(axis) for axis in by]
        first, place = _numbered(codes, len(self))
        return [tuple(self.groups[axis][own[k]] for axis, own in zip(by, codes, strict=True)) for k in first.tolist()], place

    def checked(self) -> JudgedRows:
        """Return the rows, if their columns fit each other; those of a file may not."""
        width = self.m if self.several else 1
        for name, own in self.columns.items():
            names = self._names.get(name, None if name in COLUMNS else ())
            codes = names is not None or (not self.several and name in (PREDICTIONS, GOLD, JUDGES))
            known = own[~np.isnan(own)]
            if codes and known.size and not -1 <= known.min() <= known.max() < (self.m if names is None else len(names)):
                raise ValueError(f"the column {name} of corrected rows names a class or a group that does not exist")
            wide = self.m if name == EXPECTED else width if name in (PREDICTIONS, GOLD) else 1
            fits = own.shape[1] % max(width, 1) == 0 if name in (JUDGES, OTHERS) else own.shape[1] == wide
            fits |= name == STRATUM and own.shape[1] == width  # each label has strata of its own
            if not fits or (np.isnan(own).any() and name not in (GOLD, JUDGES, OTHERS)):
                raise ValueError(f"the column {name} of corrected rows has {own.shape[1]} columns, or lacks numbers")
        if PREDICTIONS not in self.columns or any(_axis(axis) not in self.columns for axis in self.groups):
            raise ValueError("corrected rows have no predictions, or lack a grouping")
        return self

    def regrouped(self, old: tuple[str, ...], groups: Mapping[str, tuple[tuple[Any, ...], Array]]) -> JudgedRows:
        """Return the same rows with other by= axes in the place of ``old``.

        Of each the names, and the group of each row.
        """
        columns = {name: own for name, own in self.columns.items() if name not in map(_axis, old)}
        columns |= {_axis(axis): np.asarray(codes, np.float64)[:, None] for axis, (_, codes) in groups.items()}
        kept = {axis: names for axis, names in self.groups.items() if axis not in old}
        return replace(self, columns=columns, groups={**kept, **{axis: names for axis, (names, _) in groups.items()}})

    def widen(self, at: Array, m: int) -> JudgedRows:
        """Return the rows on ``m`` classes, with the old classes at the given places.

        They may not be sorted any more.
        """
        kinds = {name: self.several or name == EXPECTED for name in (PREDICTIONS, GOLD, JUDGES, OTHERS, EXPECTED)}
        wide = {name: widened(self.columns[name], at, m, kind) for name, kind in kinds.items() if name in self.columns}
        return replace(self, m=m, columns={**self.columns, **wide})

    def __add__(self, other: JudgedRows) -> JudgedRows:
        """Return the rows of both, which have the same classes."""
        if WEIGHT in {*self.columns} ^ {*other.columns}:
            self, other = (replace(x, columns={**x.columns, WEIGHT: x.weight[:, None]}) for x in (self, other))
        mine, theirs = (", ".join(sorted(f"{own.shape[1]} of {name}" for name, own in x.columns.items())) for x in (self, other))
        if self.several != other.several or mine != theirs:
            raise ValueError(
                f"These evaluations were corrected from different columns, {mine} and {theirs}, and cannot be added."
            )
        names = {name: tuple(dict.fromkeys((*own, *other._names[name]))) for name, own in self._names.items()}
        more = other._named(names)
        columns = {name: np.concatenate([own, more[name]]) for name, own in self._named(names).items()}
        return self._with(columns, np.concatenate([self.times, other.times]), names).counted()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JudgedRows):
            return NotImplemented
        mine, theirs = ((x.m, x.several, dict(x.groups), x.strata, {*x.columns}, x.times.tolist()) for x in (self, other))
        return mine == theirs and all(np.array_equal(own, other.columns[x], equal_nan=True) for x, own in self.columns.items())

    __hash__ = None  # type: ignore[assignment]


def _axis(name: str) -> str:
    return f"by {name}"


def widened(own: Array, at: Array, m: int, wide: bool) -> Array:
    """Return a column on ``m`` classes, with the old ones at the given places.

    It holds codes, or where it is ``wide`` an entry for each class. A class that did not occur is known to be absent where the
    others are known.

    >>> widened(np.array([[1.0], [np.nan]]), np.array([0, 2]), 3, False).ravel().tolist()
    [2.0, nan]
    >>> widened(np.array([[0.0, 1.0], [np.nan, 1.0]]), np.array([0, 2]), 3, True).tolist()
    [[0.0, 0.0, 1.0], [nan, nan, 1.0]]
    """
    if not wide:
        known = ~np.isnan(own)
        return np.where(known, np.append(at, -1.0)[np.where(known, own, -1).astype(np.intp)], np.nan)
    blocks = own.reshape(len(own), -1 if len(at) else 1, len(at))
    out = np.zeros((*blocks.shape[:2], m))
    out[np.isnan(blocks).any(axis=2)] = np.nan
    out[:, :, at] = blocks
    return out.reshape(len(own), -1)


def distinct(rows: Array, times: Array) -> tuple[Array, Array]:
    """Return the place of one row of each kind, sorted, and how often the kind occurs.

    >>> distinct(np.array([[1.0, 0.5], [0.0, np.nan], [1.0, 0.5]]), np.array([1, 1, 3]))
    (array([1, 0]), array([1, 4]))
    """
    first, code = _numbered(rows.T, len(rows))
    return first, np.bincount(code, times, len(first)).astype(np.int64)  # exact below 2**53 examples


def codes_of(*columns: Array) -> Array:
    """Return one number for each combination of values of columns that occurs, in their order.

    >>> codes_of(np.array([1, 0, 1]), np.array([5, 5, 7])).tolist()
    [1, 0, 2]
    """
    return _numbered(columns, len(columns[0]))[1]


def _numbered(columns: Iterable[Array], n: int) -> tuple[Array, Array]:
    """Return the first of n rows with each combination of values, in their order, and each row's number."""
    code, size = np.zeros(n, np.int64), 1
    for column in columns:
        own, many = _coded(column)
        if size > MOST_CODES // max(many, 1):
            found, code = number_keys(code, size)
            size = len(found)
        code, size = code * many + own, size * many
    found, code = number_keys(code, size)
    first = np.zeros(len(found), np.intp)
    first[code[::-1]] = np.arange(n)[::-1]
    return first, code


def _coded(column: Array) -> tuple[Array, int]:
    """Return whole numbers from 0 in the order of the values, nan last, and how many there may be."""
    if not len(column):
        return np.zeros(0, np.int64), 1
    missing = np.isnan(column)
    low, high = (np.nanmin(column), np.nanmax(column)) if not missing.all() else (0.0, 0.0)
    if high - low < CODES_SPAN:
        filled = np.where(missing, high + 1, column) if missing.any() else column
        whole = filled.astype(np.int64)
        if (whole == filled).all():
            return whole - int(low), int(high - low) + 2
    found, place = np.unique(column, return_inverse=True)
    return place, len(found)
