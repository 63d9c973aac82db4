"""Indicator: labels as an n x m matrix that is rarely written out (Section 4, sec:matrix), and the encoders that make one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import is_array, namespace
from .containers import Form, Labels, Sets, Sparse, read
from .vocabulary import Coder, Codes, check_classes, coder, distinct, factorised, family, missing_rows, vocabulary

Rows = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True)
class Coded:
    """One code per example, made block by block from the caller's labels; -1 is an all-zero row."""

    block: Coder
    length: int

    def __len__(self) -> int:
        return self.length


@dataclass(frozen=True, eq=False)
class Indicator:
    """An indicator matrix Y: one row per example, one column per class, entries in [0, 1] (sec:matrix).

    >>> y = one_hot(["cat", "ant", "cat"])
    >>> y.classes, y.codes.tolist(), y.matrix.astype(int).tolist()
    (('ant', 'cat'), [1, 0, 1], [[0, 1], [1, 0], [0, 1]])
    """

    data: Any  # Coded, Sparse, or a two-dimensional array of bools, 0/1 integers or memberships
    classes: tuple[Any, ...]
    targets: tuple[Any, ...] | None = None  # the target that each column belongs to

    def __post_init__(self) -> None:
        if self.targets is not None and len(self.targets) != len(self.classes):
            raise ValueError(f"targets= names {len(self.targets)} columns, but there are {len(self.classes)} classes.")

    @staticmethod
    def from_codes(codes: Any, classes: Iterable[Any]) -> Indicator:
        """Return the indicator of examples given by the code of their class, -1 for none: an all-zero row, an abstention.

        >>> Indicator.from_codes([1, -1], ["ant", "cat"]).matrix.astype(int).tolist()
        [[0, 1], [0, 0]]
        """
        names, array = check_classes(classes), np.asarray(codes)
        if array.ndim != 1 or (array.size and (array.dtype.kind not in "iu" or array.min() < -1 or array.max() >= len(names))):
            raise ValueError(f"codes must be a vector of integers from -1 to {len(names) - 1}, one for each example.")
        return Indicator(coded(array.astype(np.intp, copy=False)), names)

    @property
    def n(self) -> int:
        """The number of examples."""
        return len(self.data) if isinstance(self.data, Coded | Sparse) else int(self.data.shape[0])

    @property
    def soft(self) -> bool:
        """Whether the entries are memberships rather than decisions."""
        return is_array(self.data) and not _is_kind(self.data, "bool", "integral")

    @property
    def codes(self) -> Codes | None:
        """The code of each example's class, -1 for an all-zero row; None unless each example has at most one class."""
        if not isinstance(self.data, Coded):
            return None
        whole = self.data.block(slice(None))
        return whole.astype(np.min_scalar_type(-max(len(self.classes), 1)), copy=False)

    @property
    def matrix(self) -> Any:
        """The n x m matrix written out: bools, or memberships."""
        return self.rows(slice(None))

    def rows(self, rows: slice) -> Any:
        """Return these rows of the matrix written out."""
        if isinstance(self.data, Coded):
            return self.data.block(rows)[:, None] == np.arange(len(self.classes))
        if isinstance(self.data, Sparse):
            return sparse_rows(self.data, rows)
        block = self.data[rows, :]
        if _is_kind(block, "integral"):
            xp = namespace(block)
            return xp.astype(block, xp.bool)
        return block

    def take(self, index: Codes) -> Indicator:
        """Return the indicator of these examples, in this order."""
        if isinstance(self.data, Coded):
            codes = self.codes
            assert codes is not None
            return Indicator(coded(codes[index]), self.classes, self.targets)
        if isinstance(self.data, Sparse):
            return Indicator(_take_sparse(self.data, index), self.classes, self.targets)
        return Indicator(self.data[index], self.classes, self.targets)

    def as_sparse(self) -> Sparse:
        """Return the nonzero entries as compressed rows."""
        if isinstance(self.data, Sparse):
            return self.data
        if isinstance(self.data, Coded):
            codes = self.data.block(slice(None))
            here = codes >= 0
            return Sparse(np.concatenate(([0], np.cumsum(here))), codes[here], np.ones(int(here.sum()), bool), len(self.classes))
        rows, columns = np.nonzero(self.data)
        indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=self.n))))
        return Sparse(indptr, columns, np.ones(len(columns), bool), len(self.classes))


def _is_kind(x: Any, *kinds: str) -> bool:
    if isinstance(x, np.ndarray):
        return {"b": "bool", "i": "integral", "u": "integral"}.get(x.dtype.kind) in kinds
    return bool(namespace(x).isdtype(x.dtype, kinds))


def coded(codes: Codes) -> Coded:
    return Coded(lambda rows: codes[rows], len(codes))


def sparse_rows(data: Sparse, rows: slice) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return a range of compressed rows as a dense block."""
    start, stop, _ = rows.indices(len(data))
    indptr = data.indptr[start : stop + 1]
    inside = slice(indptr[0], indptr[-1]) if len(indptr) > 1 else slice(0, 0)
    dense = np.zeros((max(stop - start, 0), data.width), bool)
    row = np.repeat(np.arange(len(dense)), np.diff(indptr))
    dense[row, data.indices[inside]] = data.data[inside] != 0
    return dense


def _take_sparse(data: Sparse, index: Codes) -> Sparse:
    sizes = np.diff(data.indptr)[index]
    indptr = np.concatenate(([0], np.cumsum(sizes)))
    within = np.arange(indptr[-1]) - np.repeat(indptr[:-1], sizes)
    at = np.repeat(np.asarray(data.indptr)[index], sizes) + within
    return Sparse(indptr, data.indices[at], data.data[at], data.width)


def one_hot(y: Any, classes: Iterable[Any] | None = None) -> Indicator:
    """Return the indicator of one label per example; the classes are the sorted labels, or ``classes=`` in its order."""
    form = read(y, "y")
    if not isinstance(form, Labels):
        raise TypeError("one_hot encodes one label per example; for a matrix or label sets use multilabel.")
    form = factorised(form, "y")
    no_missing(form, "y")
    names, _ = label_classes([(form, "y")], classes)
    return code(form, names, "y")


def multilabel(y: Any, classes: Iterable[Any] | None = None) -> Indicator:
    """Return the indicator of a 0/1 matrix, a sparse matrix or a list of sets.

    >>> multilabel([{"b"}, {"a", "b"}, set()]).matrix.astype(int).tolist()
    [[0, 1], [1, 1], [0, 0]]
    """
    form = read(y, "y")
    if isinstance(form, Labels):
        raise TypeError(
            "multilabel encodes several labels per example: a 0/1 matrix or a list of sets. For one label each use one_hot."
        )
    names = check_classes(classes) if classes is not None else None
    indicator, _ = as_matrix(form, names, "y", soft=False, missing="error")
    return indicator


def soft(p: Any, classes: Iterable[Any] | None = None) -> Indicator:
    """Return the indicator of memberships in [0, 1], one column per class."""
    form = read(p, "p")
    names = check_classes(classes) if classes is not None else None
    indicator, _ = as_matrix(form, names, "p", soft=True, missing="error")
    return indicator


def label_classes(
    columns: list[tuple[Labels, str]], classes: tuple[Any, ...] | Iterable[Any] | None
) -> tuple[tuple[Any, ...], bool]:
    """Return the classes of label vectors and whether they were only found in the data."""
    families = {argument: family(form, argument) for form, argument in columns}
    kinds = {k for k in families.values() if k is not None}
    if len(kinds) > 1:
        (a, ka), (b, kb) = families.items()
        raise TypeError(f"{a} holds labels of type {ka} and {b} of type {kb}, so none can be equal. Convert one of them.")
    if classes is not None:
        return check_classes(classes), False
    declared = {form.categories for form, _ in columns if form.declared}
    if len(declared) > 1:
        a, b = sorted(declared, key=repr)
        raise ValueError(
            f"y_true and y_pred declare different categories, {a!r} and {b!r}. Pass classes= to fix the classes and their order."
        )
    if declared:
        return check_classes(declared.pop() or ()), False
    found: set[Any] = set()
    for form, argument in columns:
        here = distinct(form)
        vocabulary(here, argument)  # an error names the argument it stands in
        found |= here
    return vocabulary(found, columns[0][1]), True


def code(form: Labels, classes: tuple[Any, ...], argument: str) -> Indicator:
    return Indicator(Coded(coder(form, classes, argument), len(form)), classes)


def no_missing(form: Labels, argument: str) -> None:
    absent = missing_rows(form)
    if absent is not None:
        raise missing_label(form, absent, argument)


def missing_label(form: Labels, absent: Rows, argument: str) -> ValueError:
    row, count = int(absent.argmax()), int(absent.sum())
    value = "missing" if form.categories is not None else "NaN"
    return ValueError(
        f"{argument}[{row}] is {value}: {count} of {len(form)} labels are missing. Drop these rows, or pass missing='mask' to leave them out."
    )


def width_of(form: Form) -> int:
    return form.width if isinstance(form, Sparse) else int(form.values.shape[1])  # type: ignore[union-attr]


def members(form: Form) -> Iterable[Any]:
    if isinstance(form, Sets):
        return {label for row in form.rows if row is not None for label in row}
    assert isinstance(form, Labels)
    return distinct(form)


def as_matrix(
    form: Form, classes: tuple[Any, ...] | None, argument: str, soft: bool, missing: str
) -> tuple[Indicator, Rows | None]:
    """Return a matrix or label sets as an indicator, and the observed cells where some are missing."""
    if isinstance(form, Sets):
        return _from_sets(form, classes, argument, missing)
    if isinstance(form, Labels):
        raise TypeError(f"{argument} has one dimension; memberships and indicator matrices have one column per class.")
    if classes is None:
        classes = (
            tuple(range(width_of(form))) if isinstance(form, Sparse) or form.columns is None else check_classes(form.columns)
        )
    if len(classes) != width_of(form):
        raise ValueError(
            f"{argument} has {width_of(form)} columns for {len(classes)} classes; there must be one column per class."
        )
    if isinstance(form, Sparse):
        return Indicator(_check_sparse(form, argument), classes), None
    values, cells = form.values, None
    if values.dtype.kind == "f":
        values, cells = _check_floats(values, argument, soft, missing)
    elif values.dtype.kind in "iu" and values.size and (values.min() < 0 or values.max() > 1):
        row, column = map(int, np.argwhere((values < 0) | (values > 1))[0])
        raise ValueError(
            f"{argument}[{row}, {column}] = {values[row, column]}: a matrix of integers must hold 0 and 1, one column per class. "
            "For one label per example give one dimension (.ravel())."
        )
    return Indicator(values, classes), cells


def _check_floats(
    values: np.ndarray[Any, Any], argument: str, soft: bool, missing: str
) -> tuple[np.ndarray[Any, Any], Rows | None]:
    cells = None
    if np.isnan(values).any():
        row, column = map(int, np.argwhere(np.isnan(values))[0])
        if missing == "error":
            raise ValueError(f"{argument}[{row}, {column}] is NaN. Fill it, or pass missing='mask' to leave such entries out.")
        cells = ~np.isnan(values)
        values = np.where(cells, values, 0)
    if ((values == 0) | (values == 1)).all():
        return values.astype(bool), cells  # decisions written as floats mean the same under every t-norm and threshold
    outside = (values < 0) | (values > 1)
    first = np.argwhere(outside if soft else (values != 0) & (values != 1))
    if len(first):
        row, column = map(int, first[0])
        where = f"{argument}[{row}, {column}] = {values[row, column]!s}"
        if soft:
            raise ValueError(f"{where}: memberships lie in [0, 1].")
        choice = "decide='argmax', decide=0.5 or decide=top_k(k) for scores, tnorm='product' for memberships"
        raise ValueError(f"{where}: are these scores or memberships? Say which: {choice}.")
    return values, cells


def _check_sparse(form: Sparse, argument: str) -> Sparse:
    data = form.data
    if data.dtype.kind not in "biuf" or not ((data == 0) | (data == 1)).all():
        at = int(np.argmax((data != 0) & (data != 1))) if data.dtype.kind in "biuf" else 0
        row = int(np.searchsorted(form.indptr, at, side="right")) - 1
        raise ValueError(
            f"{argument}[{row}, {int(form.indices[at])}] = {data[at]!s}: a sparse indicator matrix holds 0 and 1 only."
        )
    if data.dtype.kind == "b" and data.all():
        return form
    if (data != 0).all():
        return Sparse(form.indptr, form.indices, np.broadcast_to(np.True_, data.shape), form.width)
    here = data != 0
    kept = np.concatenate(([0], np.cumsum(here)))
    return Sparse(kept[form.indptr], form.indices[here], np.ones(int(here.sum()), bool), form.width)


def _from_sets(form: Sets, classes: tuple[Any, ...] | None, argument: str, missing: str) -> tuple[Indicator, Rows | None]:
    if classes is None:
        classes = vocabulary(members(form), argument)
    position = {label: i for i, label in enumerate(classes)}
    absent = [row is None for row in form.rows]
    if any(absent) and missing == "error":
        raise ValueError(
            f"{argument}[{absent.index(True)}] is None. Give set() for no label, or pass missing='mask' to leave such rows out."
        )
    indices: list[int] = []
    sizes = [0]
    for i, row in enumerate(form.rows):
        for label in row or ():
            if label not in position:
                raise ValueError(
                    f"Label {label!r} is not in classes={classes!r} ({argument}[{i}]). Add it, or remove it from the sets."
                )
            indices.append(position[label])
        sizes.append(len(indices))
    data = Sparse(np.asarray(sizes), np.asarray(indices, dtype=np.int64), np.ones(len(indices), bool), len(classes))
    cells = np.broadcast_to(~np.array(absent)[:, None], (len(absent), len(classes))) if any(absent) else None
    return Indicator(data, classes), cells
