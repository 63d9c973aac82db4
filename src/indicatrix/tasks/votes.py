"""Soft truth: the votes of annotators as memberships.

>>> import indicatrix as ix
>>> truth = ix.tasks.votes([["cat", "cat", "dog"], ["dog", "dog"]])  # three annotators, then two
>>> ix.f1(truth, ["cat", "dog"], tnorm="product", average="micro")
0.8333333333333333
>>> ix.f1(truth, ["cat", "dog"], tnorm="product", negation="sugeno(s=1)", average="micro")  # another complement than 1 - x
0.8620689655172413
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from ..algebra.arrays import Array, refuse_where
from ..encode.containers import is_table, read
from ..encode.factorize import objection
from ..encode.indicator import Indicator
from ..encode.matrices import as_matrix, members
from ..encode.plain_forms import Sets, Table, is_missing
from ..encode.vocabulary import check_classes, vocabulary
from ..words.call_mistakes import answers_mistakes
from ..words.wording import listing, short, type_of

Votes = Sequence[Sequence[Any]]
SET = (set, frozenset)
PRESENT = {str, int, bool, *SET}  # values of these types are never missing, so most votes need no further check


@answers_mistakes
def votes(y: Any, classes: Iterable[Any] | None = None, *, annotators: Any = None) -> Indicator:
    """Return the memberships that annotators' votes give, as an indicator.

    A membership is the share of the annotators who chose the label. All annotators have the same weight. A prediction equal to
    the shares has precision = recall = 1 only with ``tnorm="lukasiewicz"``.

    Parameters
    ----------
    y : list, or array-like
        For every example a list with one label (or set of labels) per annotator, or a mapping from labels to counts; or an
        array of counts.
    classes : iterable, optional
        The classes and their order. A label outside them is an error. Default: the labels that occur, sorted.
    annotators : int or array-like, optional
        The number of annotators: one number, or one per example. Default: counts are divided by their sum.

    Returns
    -------
    Indicator
        Memberships; measures and ``evaluate`` take it as the truth, with tnorm=.

    Examples
    --------
    >>> import indicatrix as ix
    >>> import numpy as np
    >>> y = ix.tasks.votes([["cat", "cat", "cat", "dog", None], ["dog"]])
    >>> y.classes, y.matrix.tolist(), ix.recall(y, ["cat", "dog"], tnorm="product", average="micro")
    (('cat', 'dog'), [[0.75, 0.25], [0.0, 1.0]], 0.875)
    >>> sets, counts = ix.tasks.votes([[{"cat"}, {"cat", "dog"}]]), ix.tasks.votes(np.array([[3, 1]]), ["cat", "dog"])
    >>> sets.matrix.tolist(), counts.matrix.tolist()
    ([[1.0, 0.5]], [[0.75, 0.25]])
    """
    names = None if classes is None else check_classes(classes)
    rows = text_rows(y) if is_table(y) else as_list(y, "a list of labels, one for each annotator, for every example")
    if rows is None:
        names, whole = _table(y, names)
        return _shares(whole, names, annotators)
    if any(issubclass(kind, Mapping) for kind in set(map(type, rows))):
        voted, counts = _mappings(rows)
    elif annotators is not None:
        raise TypeError("annotators= is for counts, but y has lists of labels, which show who answered. Leave it out.")
    else:
        voted, answered = _answers(rows)
        annotators, counts = np.asarray(answered), np.ones(sum(map(len, voted)))
    names, codes = coded_rows(voted, names)
    at = np.repeat(np.arange(len(voted)), [len(row) for row in voted]) * len(names) + codes
    whole = np.bincount(at, counts, len(voted) * len(names)).astype(np.float64)
    return _shares(whole.reshape(len(voted), len(names)), names, annotators)


def as_list(y: Any, wanted: str, argument: str = "y") -> Sequence[Any]:
    """Return a column as a list: from pandas, Polars, Arrow, NumPy or Python.

    Its entries are not single labels.
    """
    if isinstance(y, list | tuple):
        return y
    if not isinstance(y, str | bytes | Mapping):
        for name in ("to_list", "to_pylist", "tolist"):
            if hasattr(y, name) and isinstance(rows := getattr(y, name)(), list):
                return rows
        if isinstance(y, Sequence):
            return list(y)
    raise TypeError(f"{argument} is {type_of(y)}; give {wanted}.")


def coded_rows(rows: Votes, classes: tuple[Any, ...] | None) -> tuple[tuple[Any, ...], np.ndarray[Any, np.dtype[np.intp]]]:
    """Return the classes of lists of labels, and the codes of all their labels in one array."""
    try:
        set(chain.from_iterable(rows))
    except TypeError:
        i, label = next((i, label) for i, row in enumerate(rows) for label in row if objection(label))
        raise TypeError(f"y[{i}] holds {short(label)}, which cannot be a label: {objection(label)}.") from None
    found, _ = members(Sets(rows), "y")
    names = vocabulary(found, "y") if classes is None else classes
    position = {label: code for code, label in enumerate(names)}
    if not found <= position.keys():
        i, label = next((i, label) for i, row in enumerate(rows) for label in row if label not in position)
        hint = " Counts and ranks are given as an array, not as lists." if isinstance(label, int | float) else ""
        raise ValueError(
            f"Label {short(label)} is not in classes=({listing(names)}) (first at y[{i}]). Add it, or remove it.{hint}"
        )
    return names, np.fromiter(map(position.__getitem__, chain.from_iterable(rows)), np.intp, sum(map(len, rows)))


def text_rows(y: Any) -> Votes | None:
    """Return a table of text as lists of labels, one column for each annotator; else None.

    Text cannot be counts.
    """
    values = y.to_numpy() if hasattr(y, "to_numpy") else y
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "USTO":
        return None
    if values.dtype == object and not any(isinstance(v, str | bytes) for v in values.flat):
        return None
    return values.tolist()  # type: ignore[no-any-return]


def _table(y: Any, classes: tuple[Any, ...] | None) -> tuple[tuple[Any, ...], Array]:
    """Return the classes and the counts of an array of counts, after checking them."""
    form = read(y, "y")
    if not isinstance(form, Table):
        raise TypeError("y is a sparse matrix; give counts of votes as a dense array (.toarray()), one column for each class.")
    if classes is None:
        raise ValueError(
            "An array of numbers has counts in one column for each class, or labels in one column for each annotator. "
            "Say which: pass classes= with the names of the columns for counts, a list of lists for labels."
        )
    counts = form.values.astype(np.float64)
    bad = ~(np.isfinite(counts) & (counts >= 0))
    refuse_where(bad, "y", form.values, "a count of votes is a finite number that is not negative.")
    # The width and the names of the columns are checked as for any matrix.
    as_matrix(Table(counts[:0], form.columns), classes, "y", soft=True, missing="error")
    return classes, counts


def _mappings(rows: Sequence[Any]) -> tuple[Votes, Array]:
    """Return the labels of each example, and all their counts in one array."""
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise TypeError(f"y mixes mappings with other rows: y[{i}] is {short(row)}. Give label counts for every example.")
        for label, count in row.items():
            number = isinstance(count, int | float | np.number) and not isinstance(count, np.complexfloating)
            if not (number and 0 <= count < np.inf):
                raise ValueError(f"y[{i}][{short(label)}] = {short(count)}: a count is a finite number that is not negative.")
    return [list(row) for row in rows], np.array([count for row in rows for count in row.values()], np.float64)


def _answers(rows: Sequence[Any]) -> tuple[Votes, list[int]]:
    """Return the labels that annotators chose for each example, and how many annotators answered."""
    voted: list[list[Any]] = []
    answered: list[int] = []
    first: tuple[bool, int] | None = None  # whether the first answer is a set, and the example it belongs to
    for i, row in enumerate(rows):
        given = [vote for vote in _row(row, i) if type(vote) in PRESENT or not is_missing(vote)]
        sets = [isinstance(vote, SET) for vote in given]
        first = (sets[0], i) if first is None and sets else first
        if first is not None and (not first[0]) in sets:
            raise TypeError(
                f"y mixes sets of labels with single labels: those of y[{first[1]}] and y[{i}]. Give one set for every annotator."
            )
        voted.append(list(chain.from_iterable(given)) if any(sets) else given)
        answered.append(len(given))
    return voted, answered


def _row(row: Any, i: int) -> Sequence[Any]:
    if isinstance(row, list | tuple):
        return row
    if isinstance(row, np.ndarray) and row.ndim:
        return row.tolist()  # type: ignore[no-any-return]
    if is_missing(row):
        raise _no_votes(i)
    raise TypeError(
        f"y[{i}] is {short(row)}; give a list for every example, with one label (or one set of labels) for each annotator. "
        "For one label per example use one_hot."
    )


def _shares(counts: Array, classes: tuple[Any, ...], annotators: Any) -> Indicator:
    """Return counts divided by the number of annotators, or by their sum.

    An example without votes is an error.
    """
    total = counts.sum(axis=1) if annotators is None else _annotators(annotators, len(counts))
    if not total.all():
        raise _no_votes(int((total == 0).argmax()))
    more = np.argwhere(counts > total[:, None])
    if len(more):
        i, j = map(int, more[0])
        raise ValueError(
            f"y[{i}] has {counts[i, j]:g} votes for {short(classes[j])} from {total[i]:g} annotators, "
            "but each votes once for a label. Correct annotators= or the counts."
        )
    return Indicator(counts / total[:, None], classes)


def _annotators(given: Any, n: int) -> Array:
    try:
        total = np.asarray(given)
        if total.dtype.kind not in "iufO":
            raise TypeError
        total = total.astype(np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"annotators={short(given)}: give the number of annotators, or one number for each example.") from None
    if total.shape not in ((), (n,)):
        raise ValueError(f"annotators= has shape {total.shape} for {n} examples. Give one number, or one for each example.")
    total = np.broadcast_to(total, (n,))
    bad = ~(np.isfinite(total) & (total >= 0))
    refuse_where(bad, "annotators", total, "the number of annotators is a finite number that is not negative.")
    return total


def _no_votes(i: int) -> ValueError:
    return ValueError(
        f"y[{i}] has no votes, so there are no shares. Drop this example and its prediction, or give it any vote and leave it "
        f"out of the counts with mask=keep, where keep[{i}] is False."
    )
