"""Encoders: from labels, label sets and memberships to an indicator (sec:matrix)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..algebra.arrays import Mask
from ..words.call_mistakes import answers_mistakes
from .classes import classes_of_labels
from .codes import coder
from .containers import read
from .factorize import factorize
from .indicator import Coded, Indicator
from .matrices import OR_MASK, as_matrix
from .plain_forms import Labels
from .vocabulary import check_classes, missing_rows


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
