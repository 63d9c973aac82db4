"""Encoders: from labels, label sets and memberships to an indicator (sec:matrix)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..algebra.arrays import Mask
from .codes import coder
from .containers import read
from .factorise import factorised
from .indicator import Coded, Indicator
from .matrices import OR_MASK, as_matrix, one_family
from .plain_forms import Labels
from .vocabulary import check_classes, distinct, family, missing_rows, vocabulary


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
            f"y_true and y_pred declare different categories, {first!r} and {second!r}. "
            "Pass classes= to fix the classes and their order."
        )
    if declared:
        return check_classes(declared.pop() or ()), False
    found: set[Any] = set()
    for form, argument in columns:
        here = distinct(form)
        vocabulary(here, argument, form)  # an error names the argument it stands in
        found |= here
    return vocabulary(found, columns[0][1]), True


def code(form: Labels, classes: tuple[Any, ...], argument: str) -> Indicator:
    """Return the indicator of a label vector on fixed classes, coded block by block when it is read."""
    return Indicator(Coded(coder(form, classes, argument), len(form)), classes)


def no_missing(form: Labels, argument: str) -> None:
    """Refuse a label vector in which a label is missing."""
    absent = missing_rows(form)
    if absent is not None:
        raise missing_label(form, absent, argument)


def missing_label(form: Labels, absent: Mask, argument: str) -> ValueError:
    """Return the error for missing labels: where the first is, how many there are."""
    row, count = int(absent.argmax()), int(absent.sum())
    value = "missing" if form.categories is not None else "NaN"
    return ValueError(
        f"{argument}[{row}] is {value}: {count} of {len(form)} labels are missing. "
        f"Drop these rows{OR_MASK if argument[:2] == 'y_' else ''}"
        f"{', or missing=' + repr('abstain') + ' if a missing prediction declines to answer' if argument == 'y_pred' else ''}."
    )
