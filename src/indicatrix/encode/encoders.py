"""From labels, label sets and memberships to an indicator (sec:matrix).

Which classes they have, and the encoders.

The classes of two label arrays are decided once, from what was given, declared or found.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ..algebra.arrays import Mask
from ..words.call_mistakes import answers_mistakes
from .containers import read
from .factorize import factorize
from .indicator import Coded, Indicator
from .matrices import OR_MASK, as_matrix, members, one_family, width_of
from .plain_forms import Form, Labels, Sets, Sparse, Table
from .vocabulary import check_classes, classes_of_columns, coder, distinct, family, missing_rows, vocabulary

Named = tuple[Form, str]  # labels, and what errors call the argument that holds them


class Classes(NamedTuple):
    """The classes of two label arrays, and how they came about."""

    names: tuple[Any, ...]
    open: bool = False  # they were found in the data, so another batch may add some
    ordered: bool = False  # their order means something: they were given, or an ordered categorical has them


def classes_of_labels(columns: list[tuple[Labels, str]], given: tuple[Any, ...] | None) -> Classes:
    """Return the classes of label vectors: given, declared by a categorical, or found and sorted.

    >>> classes_of_labels([(Labels([0, 1], ("cat", "ant")), "y_true")], None)
    Classes(names=('ant', 'cat'), open=True, ordered=False)
    """
    one_family({argument: family(form, argument) for form, argument in columns})
    if given is not None:
        return Classes(given, ordered=True)
    declared = [form for form, _ in columns if form.declared]
    if not declared:
        return Classes(_labels_that_occur(columns), open=True)
    categories = sorted({form.categories or () for form in declared}, key=lambda names: (-len(names), repr(names)))
    names = _unite(categories, columns[0][1], ordered=any(form.ordered for form in declared))
    if names is None:
        raise ValueError(
            f"{' and '.join(argument for _, argument in columns)} declare different categories, {categories[0]!r} and "
            f"{categories[1]!r}, whose order is not clear. Pass classes= to fix the classes and their order."
        )
    return Classes(check_classes(names), ordered=all(form.ordered for form in declared))


def _unite(categories: list[tuple[Any, ...]], argument: str, *, ordered: bool) -> tuple[Any, ...] | None:
    """Return the categories of all, the longest first, if their order is clear; otherwise None.

    It is that of the longest if the others only lack some of its categories. Otherwise it is clear only if all are sorted, as
    pandas sorts those that it finds in the data.
    """
    longest = categories[0]
    if all(names == tuple(name for name in longest if name in set(names)) for names in categories):
        return longest
    if ordered or any(names != tuple(vocabulary(set(names), argument)) for names in categories):
        return None
    return vocabulary(set().union(*categories), argument)


def _labels_that_occur(columns: Iterable[tuple[Labels, str]]) -> tuple[Any, ...]:
    """Return the labels that occur in any of several vectors, in class order."""
    labels = [(distinct(form), argument, form) for form, argument in columns]
    try:
        return vocabulary(set().union(*(here for here, _, _ in labels)), labels[0][1])
    except (TypeError, ValueError):
        for here, argument, form in labels:  # so that the error names the argument and the position
            vocabulary(here, argument, form)
        raise


def classes_of_matrices(true: Named, pred: Named, given: tuple[Any, ...] | None) -> Classes:
    """Return the classes where at least one side has several labels per example.

    Such a side holds sets, or one column for each class.
    """
    forms = true[0], pred[0]
    if given is not None:
        return Classes(given)
    wide = [form for form in forms if isinstance(form, Table | Sparse)]
    if wide:
        return Classes(columns_of(true, pred, None, width_of(wide[-1])))
    declared = [form.categories for form in forms if isinstance(form, Labels) and form.declared and form.categories is not None]
    if declared:
        return Classes(declared[0])
    (here, kind), (there, other) = members(*true), members(*pred)
    one_family({true[1]: kind, pred[1]: other})
    try:
        return Classes(vocabulary(here | there, true[1]), open=True)
    except (TypeError, ValueError):
        for labels, argument in ((here, true[1]), (there, pred[1])):  # so that the error names the argument
            vocabulary(labels, argument)
        raise


def columns_of(true: Named, pred: Named, given: tuple[Any, ...] | None, width: int) -> tuple[Any, ...]:
    """Return the classes that the columns of a table stand for; if that is not clear, it is an error."""
    names = given
    if names is None:
        named = [(form.columns, name) for form, name in (pred, true) if isinstance(form, Table) and form.columns is not None]
        names = classes_of_columns(*named[0]) if named else _columns_by_labels(true, pred[1], width)
    if len(names) != width:
        raise ValueError(
            f"There are {len(names)} classes for {width} columns; classes= names one class per column, in column order."
        )
    return names


def _columns_by_labels(true: Named, argument: str, width: int) -> tuple[Any, ...]:
    """Return the classes of columns without names, if the labels of the other side leave no doubt."""
    form, name = true
    if isinstance(form, Sets):
        raise ValueError(f"Which labels are the {width} columns? Pass classes= with their names in column order.")
    if not isinstance(form, Labels):
        return tuple(range(width))
    if form.declared and form.categories is not None and len(form.categories) == width:
        return form.categories
    if family(form, name) in ("number", None):
        found = vocabulary(distinct(form), name, form)
        if not found or (found[0] >= 0 and found[-1] < width):
            return tuple(range(width))
    raise ValueError(f"Which classes are the {width} columns of {argument}? Pass classes= with their labels in column order.")


@answers_mistakes
def one_hot(y: Any, classes: Iterable[Any] | None = None) -> Indicator:
    """Return the indicator of one label per example.

    The classes are the sorted labels, or ``classes=`` in the given order.

    Parameters
    ----------
    y : array-like
        One label per example.
    classes : iterable, optional
        The classes and their order. A label outside them is an error. Default: the labels that occur, sorted.

    Returns
    -------
    Indicator
        One row per example with a single one.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.one_hot(["cat", "ant"], classes=["ant", "bee", "cat"]).matrix.astype(int).tolist()
    [[0, 0, 1], [1, 0, 0]]
    """
    form = read(y, "y")
    if not isinstance(form, Labels):
        raise TypeError("one_hot encodes one label per example; for a matrix or label sets use multilabel.")
    form = factorize(form, "y")
    absent = missing_rows(form)
    if absent is not None:
        raise missing_label(form, absent, "y")
    names = check_classes(classes) if classes is not None else None
    return code(form, classes_of_labels([(form, "y")], names).names, "y")


@answers_mistakes
def multilabel(y: Any, classes: Iterable[Any] | None = None) -> Indicator:
    """Return the indicator of a 0/1 matrix, a sparse matrix or a list of sets.

    Parameters
    ----------
    y : array-like
        A 0/1 matrix, a SciPy sparse matrix, or a list with a set of labels for each example.
    classes : iterable, optional
        The classes and their order. A label outside them is an error. Default: the labels that occur, sorted.

    Returns
    -------
    Indicator
        One row per example with a one for each of its labels.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.multilabel([{"b"}, {"a", "b"}, set()]).matrix.astype(int).tolist()
    [[0, 1], [1, 1], [0, 0]]
    """
    form = read(y, "y")
    if isinstance(form, Labels):
        raise TypeError(
            "multilabel encodes several labels per example: a 0/1 matrix or a list of sets. For one label each use one_hot."
        )
    names = check_classes(classes) if classes is not None else None
    indicator, _ = as_matrix(form, names, "y", soft=False, missing=None)
    return indicator


@answers_mistakes
def soft(p: Any, classes: Iterable[Any] | None = None) -> Indicator:
    """Return the indicator of memberships in [0, 1], one column per class.

    Parameters
    ----------
    p : array-like
        A matrix of numbers between 0 and 1, one row per example.
    classes : iterable, optional
        The classes and their order. A label outside them is an error. Default: the labels that occur, sorted.

    Returns
    -------
    Indicator
        The memberships as they are. ``tnorm=`` of ``evaluate`` says how they combine.

    Examples
    --------
    >>> import indicatrix as ix
    >>> p = ix.soft([[0.75, 0.25], [0.5, 0.5]], classes=["cat", "dog"])
    >>> ix.recall(p, ["cat", "dog"], tnorm="product", average="micro")
    0.625
    """
    form = read(p, "p")
    names = check_classes(classes) if classes is not None else None
    indicator, _ = as_matrix(form, names, "p", soft=True, missing=None)
    return indicator


def code(form: Labels, classes: tuple[Any, ...], argument: str) -> Indicator:
    """Return the indicator of a label vector on fixed classes, coded block by block when it is read."""
    return Indicator(Coded(coder(form, classes, argument), len(form)), classes)


class MissingLabelError(ValueError):
    """The error for missing labels; a door without missing= words it anew."""

    argument = ""  # whose labels are missing


def missing_label(
    form: Labels, absent: Mask, argument: str, *, missing: str | None = None, predicted: bool = False
) -> MissingLabelError:
    """Return the error for missing labels: where the first is, how many there are.

    ``missing`` is None where the caller has no such option.
    """
    row, count = int(absent.argmax()), int(absent.sum())
    value = "missing" if form.categories is not None else "NaN"
    hint = "" if missing is None else OR_MASK
    hint += f", or missing={'abstain'!r} if a missing prediction declines to answer" if predicted else ""
    error = MissingLabelError(f"{argument}[{row}] is {value}: {count} of {len(form)} labels are missing. Drop these rows{hint}.")
    error.argument = argument
    return error
