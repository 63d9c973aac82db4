"""Indicator: labels as an n x m matrix that is rarely written out (Section 4, sec:matrix), and the encoders that make one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import is_array, namespace
from .containers import Form, Labels, Sets, Sparse, Table, is_missing, read, twofold
from .vocabulary import (
    Coder,
    Codes,
    check_classes,
    coder,
    distinct,
    factorised,
    family,
    family_of,
    listing,
    missing_rows,
    objection,
    short,
    vocabulary,
)

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
    one_family({argument: family(form, argument) for form, argument in columns})
    if classes is not None:
        return check_classes(classes), False
    declared = {form.categories for form, _ in columns if form.declared}
    if len(declared) > 1:
        first, second = sorted(declared, key=repr)
        raise ValueError(
            f"y_true and y_pred declare different categories, {first!r} and {second!r}. Pass classes= to fix the classes and their order."
        )
    if declared:
        return check_classes(declared.pop() or ()), False
    found: set[Any] = set()
    for form, argument in columns:
        here = distinct(form)
        vocabulary(here, argument, form)  # an error names the argument it stands in
        found |= here
    return vocabulary(found, columns[0][1]), True


def one_family(families: dict[str, str | None]) -> None:
    """Refuse two arguments whose labels are of different families: none could be equal."""
    if len({kind for kind in families.values() if kind is not None}) > 1:
        (a, ka), (b, kb) = families.items()
        raise TypeError(f"{a} holds labels of type {ka} and {b} of type {kb}, so none can be equal. Convert one of them.")


def code(form: Labels, classes: tuple[Any, ...], argument: str) -> Indicator:
    return Indicator(Coded(coder(form, classes, argument), len(form)), classes)


def no_missing(form: Labels, argument: str) -> None:
    absent = missing_rows(form)
    if absent is not None:
        raise missing_label(form, absent, argument)


_OR_MASK = ", or pass missing='mask' to leave them out"  # for what evaluate() was given; an encoder has no such option


def missing_label(form: Labels, absent: Rows, argument: str) -> ValueError:
    row, count = int(absent.argmax()), int(absent.sum())
    value = "missing" if form.categories is not None else "NaN"
    return ValueError(
        f"{argument}[{row}] is {value}: {count} of {len(form)} labels are missing. "
        f"Drop these rows{_OR_MASK if argument[:2] == 'y_' else ''}."
    )


def width_of(form: Form) -> int:
    return form.width if isinstance(form, Sparse) else int(form.values.shape[1])  # type: ignore[union-attr]


def members(form: Form, argument: str) -> tuple[set[Any], str | None]:
    """Return the labels of a vector or of label sets, and their family."""
    if isinstance(form, Labels):
        return distinct(form), family(form, argument)
    assert isinstance(form, Sets)
    found = {label for row in form.rows if row is not None for label in row}
    kinds = {family_of(type(label)) for label in found}
    if len(kinds) > 1 or any(is_missing(label) or objection(label) for label in found):
        raise _odd_member(form, argument)
    return found, kinds.pop() if kinds else None


def _odd_member(form: Sets, argument: str) -> Exception:
    """Return the error for the first label in sets that is missing, cannot be a label, or is of another type than the first."""
    first: Any = None
    for i, row in enumerate(form.rows):
        for label in sorted(row or (), key=lambda x: family_of(type(x))):
            reason = objection(label)
            if reason is not None:
                return TypeError(f"{argument}[{i}] holds {short(label)}, which cannot be a label: {reason}.")
            if is_missing(label):
                return ValueError(f"{argument}[{i}] holds {label!r}, a missing label. Remove it: set() stands for no label.")
            first = (label, i) if first is None else first
            if family_of(type(label)) != family_of(type(first[0])):
                return TypeError(
                    f"{argument} mixes label types: {argument}[{first[1]}] holds {short(first[0])}, {argument}[{i}] holds "
                    f"{short(label)}. Convert all labels to one type, for example with str()."
                )
    return TypeError(f"{argument} holds something that cannot be a label.")


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
    if isinstance(form, Table):
        _check_columns(form, classes, argument)
    if isinstance(form, Sparse):
        return Indicator(_check_sparse(form, argument), classes), None
    values, cells = form.values, None
    if values.dtype.kind == "f":
        values, cells = _check_floats(values, argument, soft, missing)
    elif values.dtype.kind in "iu" and values.size and (values.min() < 0 or values.max() > 1):
        row, column = map(int, np.argwhere((values < 0) | (values > 1))[0])
        raise ValueError(
            f"{argument}[{row}, {column}] = {values[row, column]}: a matrix of integers must hold 0 and 1, one column per class. "
            "For one label per example give one dimension (.ravel()), for several a set of labels per example."
        )
    return Indicator(values, classes), cells


def _check_columns(form: Table, classes: tuple[Any, ...], argument: str) -> None:
    """Refuse columns whose names contradict the classes; names that have nothing to do with them are replaced by them."""
    if form.columns is not None and form.columns != classes and not set(form.columns).isdisjoint(classes):
        raise ValueError(
            f"The columns of {argument} are called {listing(form.columns)}, but the classes are {listing(classes)}. "
            "Put both in the same order."
        )


def _check_floats(
    values: np.ndarray[Any, Any], argument: str, soft: bool, missing: str
) -> tuple[np.ndarray[Any, Any], Rows | None]:
    cells = None
    if np.isnan(values).any():
        row, column = map(int, np.argwhere(np.isnan(values))[0])
        if missing == "error":
            mend = ", or pass missing='mask' to leave such entries out" if argument[:2] == "y_" else ""
            raise ValueError(f"{argument}[{row}, {column}] is NaN. Fill it{mend}.")
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
            raise ValueError(f"{where}: memberships lie in [0, 1]. Rescale them, or pass decide= instead of tnorm= for scores.")
        if argument == "y_true":
            raise ValueError(
                f"{where}: are these memberships? Then pass tnorm='product'; otherwise y_true holds 0 and 1, and decide= turns "
                "scores in y_pred into decisions."
            )
        choice = "decide='argmax', decide=0.5 or decide=top_k(k) for scores, tnorm='product' for memberships"
        raise ValueError(f"{where}: are these scores or memberships? Say which: {choice}.")
    return values, cells


def _check_sparse(form: Sparse, argument: str) -> Sparse:
    data = form.data
    if data.dtype.kind not in "biuf" or not ((data == 0) | (data == 1)).all():
        at = int(np.argmax((data != 0) & (data != 1))) if data.dtype.kind in "biuf" else 0
        row = int(np.searchsorted(form.indptr, at, side="right")) - 1
        raise ValueError(
            f"{argument}[{row}, {int(form.indices[at])}] = {data[at]!s}: a sparse indicator matrix holds 0 and 1 only. "
            "Give scores and memberships as a dense array."
        )
    if not (data != 0).all():
        here = data != 0
        form = Sparse(np.concatenate(([0], np.cumsum(here)))[form.indptr], form.indices[here], data[here], form.width)
    return _ascending(form, argument)


def _ascending(form: Sparse, argument: str) -> Sparse:
    """Return compressed rows with ascending columns; an entry stored twice is an error."""
    rises = form.indices[1:] > form.indices[:-1]
    starts = form.indptr[1:-1]
    rises[starts[(starts > 0) & (starts < len(form.indices))] - 1] = True  # from one row to the next they may fall
    if rises.all():
        return form
    row = np.repeat(np.arange(len(form)), np.diff(form.indptr))
    order = np.lexsort((form.indices, row))
    indices = form.indices[order]
    twice = (indices[1:] == indices[:-1]) & (row[1:] == row[:-1])
    if twice.any():
        at = int(twice.argmax())
        raise twofold(argument, int(row[at]), int(indices[at]))
    return Sparse(form.indptr, indices, form.data[order], form.width)


def _from_sets(form: Sets, classes: tuple[Any, ...] | None, argument: str, missing: str) -> tuple[Indicator, Rows | None]:
    if classes is None:
        classes = vocabulary(members(form, argument)[0], argument)
    position = {label: i for i, label in enumerate(classes)}
    absent = [row is None for row in form.rows]
    if any(absent) and missing == "error":
        raise ValueError(
            f"{argument}[{absent.index(True)}] is None. Give set() for no label{_OR_MASK if argument[:2] == 'y_' else ''}."
        )
    indices: list[int] = []
    sizes = [0]
    for i, row in enumerate(form.rows):
        try:
            indices += sorted([position[label] for label in row or ()])
        except KeyError as error:
            raise ValueError(
                f"Label {short(error.args[0])} is not in classes={listing(classes)} (first at {argument}[{i}]). "
                "Add it, or remove it from the sets."
            ) from None
        sizes.append(len(indices))
    data = Sparse(np.asarray(sizes), np.asarray(indices, dtype=np.int64), np.ones(len(indices), bool), len(classes))
    cells = np.broadcast_to(~np.array(absent)[:, None], (len(absent), len(classes))) if any(absent) else None
    return Indicator(data, classes), cells
