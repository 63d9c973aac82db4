"""Label ranking, cut at a rank: the labels ranked k or better are predicted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...algebra.arrays import refuse_where
from ...algebra.call_mistakes import answers_mistakes
from ...algebra.wording import short
from ...encode.containers import is_table, read
from ...encode.indicator import Indicator
from ...encode.matrices import as_matrix
from ...encode.plain_forms import Sparse, Table
from ...encode.vocabulary import check_classes
from .votes import as_list, coded_rows, text_rows


@answers_mistakes
def top_ranked(y: Any, k: int, classes: Iterable[Any] | None = None) -> Indicator:
    """Return the indicator of the labels ranked k or better, I(rank <= k) (sec:label_ranking).

    ``y`` has, for every example, a list of labels, best first: all labels or only the first few. Or it is an array of ranks, one
    column per class, where 1 is the best. All labels whose rank is at most k are predicted, so a row with ties may have more or
    fewer than k labels.

    Level: boundary (tab:settings). Limits: the order of the labels beyond the cut is not a sum of cells; Kendall's tau and
    similar coefficients measure it.

    Parameters
    ----------
    y : list of lists, or array-like
        For every example its labels, best first; or an array of ranks with one column per class.
    k : int
        The last rank that counts as predicted.
    classes : iterable, optional
        The classes and their order. A label outside them is an error. Left out: the labels that occur, sorted.

    Returns
    -------
    Indicator
        One row per example; measures and ``evaluate`` take it as predictions.

    Examples
    --------
    >>> import indicatrix as ix
    >>> import numpy as np
    >>> rankings = [["cat", "ant", "dog"], ["dog", "cat", "ant"]]
    >>> [ix.recall([{"cat", "dog"}, {"cat"}], ix.tasks.top_ranked(rankings, k), average="exemplar") for k in (1, 2, 3)]
    [0.25, 0.75, 1.0]
    >>> ix.tasks.top_ranked(np.array([[2, 1, 3]]), k=1, classes=["ant", "cat", "dog"]).matrix.astype(int).tolist()
    [[0, 1, 0]]
    """
    if isinstance(k, bool) or not isinstance(k, int | np.integer):
        raise TypeError(f"k={short(k)} is not a rank. Give a whole number, at least 1.")
    if k < 1:
        raise ValueError(f"k={k}: the best rank is 1, so k is at least 1.")
    names = None if classes is None else check_classes(classes)
    rows = text_rows(y) if is_table(y) else as_list(y, "a list of labels, best first, for every example, or an array of ranks")
    if rows is None:
        return _from_ranks(y, int(k), names)
    return _from_lists([_labels(row, i) for i, row in enumerate(rows)], int(k), names)


def _from_ranks(y: Any, k: int, classes: tuple[Any, ...] | None) -> Indicator:
    form = read(y, "y")
    if not isinstance(form, Table):
        raise TypeError("y is a sparse matrix, but every label has a rank. Give a dense array (.toarray()).")
    ranks, m = form.values, form.values.shape[1]
    why = f"ranks are whole numbers from 1, the best, to {m}. To give labels in order, or to rank only some labels, use lists of "
    refuse_where(~((ranks >= 1) & (ranks <= m) & (ranks == np.floor(ranks))), "y", ranks, f"{why}labels, best first.")
    indicator, _ = as_matrix(Table(ranks <= k, form.columns), classes, "y", soft=False, missing="error")
    _check_k(k, m)
    return indicator


def _labels(row: Any, i: int) -> Sequence[Any]:
    if isinstance(row, list | tuple):
        return row
    if isinstance(row, np.ndarray) and row.ndim == 1:
        return row.tolist()  # type: ignore[no-any-return]
    raise TypeError(
        f"y[{i}] is {short(row)}; give a list of labels, best first, for every example; [] means that no label is ranked."
    )


def _from_lists(rows: Sequence[Sequence[Any]], k: int, classes: tuple[Any, ...] | None) -> Indicator:
    names, codes = coded_rows(rows, classes)
    m, sizes = len(names), np.array([len(row) for row in rows], np.intp)
    if rows or classes is not None:
        _check_k(k, m)
    if classes is None and m > 1 and names == tuple(range(1, m + 1)) and (sizes == m).all():
        raise ValueError(
            f"Are the numbers 1 to {m} in the lists of y labels, best first, or ranks? Pass classes=range(1, {m + 1}) if they "
            "are labels, and an array if they are ranks."
        )
    row = np.repeat(np.arange(len(rows)), sizes)
    cell = row * m + codes
    _, first = np.unique(cell, return_index=True)
    if len(first) < len(cell):
        again = int(np.setdiff1d(np.arange(len(cell)), first)[0])
        raise ValueError(f"y[{row[again]}] ranks {short(names[codes[again]])} twice. Rank each label once.")
    place = np.arange(len(codes)) - np.repeat(np.cumsum(sizes) - sizes, sizes)  # 0 is the best of its row
    chosen = np.sort(cell[place < k])
    indptr = np.concatenate(([0], np.cumsum(np.minimum(sizes, k))))
    return Indicator(Sparse(indptr, chosen % max(m, 1), np.ones(len(chosen), bool), m), names)


def _check_k(k: int, m: int) -> None:
    if k > m:
        raise ValueError(f"k={k}, but there are only {m} labels. Lower k, or name all labels with classes=.")
