"""Label rankings: cut at a rank, or as preferences, a before b (sec:label_ranking).

>>> import indicatrix as ix
>>> rankings = [["a", "c", "b"], ["c", "b", "a"]]  # best first
>>> ix.recall([{"a"}, {"a", "b"}], ix.tasks.top_ranked(rankings, k=2), average="micro")
0.6666666666666666

>>> ev = ix.tasks.preferences([["a", "b", "c"], ["c", "a"]], [["a", "c", "b"], ["c", "a", "b"]])  # "b" has no 2nd true rank
>>> ev.score("precision", "micro"), ev.values("recall", per="label").tolist()
(0.75, [1.0, 0.0, 1.0])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array, Mask, refuse_where
from ..algebra.average import evaluate_labels
from ..encode.containers import is_table, read
from ..encode.indicator import Indicator
from ..encode.matrices import as_matrix
from ..encode.plain_forms import Sparse, Table, is_missing
from ..encode.vocabulary import check_classes, vocabulary
from ..encode.weights import check_mask
from ..settings.paper_settings import refuse
from ..words.call_mistakes import answers_mistakes
from ..words.names_elsewhere import refuse_unknown
from ..words.wording import short
from .votes import as_list, coded_rows, text_rows


@answers_mistakes
def top_ranked(y: Any, k: int, classes: Iterable[Any] | None = None) -> Indicator:
    """Return the indicator of the labels ranked k or better, I(rank <= k).

    All labels whose rank is at most k are predicted, so a row with ties may have more or fewer than k labels. The order of the
    labels below the cut does not count; Kendall's tau (``ix.scores.kendall``) compares whole rankings.

    Parameters
    ----------
    y : list of lists, or array-like
        For every example its labels, best first; or an array of ranks with one column per class.
    k : int
        The last rank that counts as predicted.
    classes : iterable, optional
        The classes and their order. A label outside them is an error. Default: the labels that occur, sorted.

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
    names, rows = None if classes is None else check_classes(classes), _rankings(y, "y")
    return _from_ranks(rows, int(k), names) if isinstance(rows, Table) else _from_lists(rows, int(k), names)


def _rankings(y: Any, argument: str) -> list[Sequence[Any]] | Table:
    """Return rankings as lists of labels, or as a table of ranks."""
    wanted = "a list of labels, best first, for every example, or an array of ranks"
    rows = text_rows(y) if is_table(y) else as_list(y, wanted, argument)
    if rows is not None:
        return [_labels(row, f"{argument}[{i}]") for i, row in enumerate(rows)]
    form = read(y, argument)
    if not isinstance(form, Table):
        raise TypeError(f"{argument} is a sparse matrix, but every label has a rank. Give a dense array (.toarray()).")
    return form


def _labels(row: Any, where: str) -> Sequence[Any]:
    if isinstance(row, list | tuple):
        return row
    if isinstance(row, np.ndarray) and row.ndim == 1:
        return row.tolist()  # type: ignore[no-any-return]
    raise TypeError(
        f"{where} is {short(row)}; give a list of labels, best first, for every example; [] means that no label is ranked."
    )


def _from_ranks(form: Table, k: int, classes: tuple[Any, ...] | None) -> Indicator:
    ranks, m = form.values, form.values.shape[1]
    why = f"ranks are whole numbers from 1, the best, to {m}. To give labels in order, or to rank only some labels, use lists of "
    refuse_where(~(_are_ranks(ranks) & (ranks <= m)), "y", ranks, f"{why}labels, best first.")
    indicator, _ = as_matrix(Table(ranks <= k, form.columns), classes, "y", soft=False, missing="error")
    _check_k(k, m)
    return indicator


def _are_ranks(x: Array) -> Mask:
    return np.asarray((x >= 1) & (x == np.floor(x)) & (x < np.inf))


def _from_lists(rows: Sequence[Sequence[Any]], k: int, classes: tuple[Any, ...] | None) -> Indicator:
    names, codes = coded_rows(rows, classes)
    m, row, place = len(names), *_places(rows)
    if rows or classes is not None:
        _check_k(k, m)
    if classes is None and m > 1 and names == tuple(range(1, m + 1)) and all(len(labels) == m for labels in rows):
        raise ValueError(
            f"Are the numbers 1 to {m} in the lists of y labels, best first, or ranks? Pass classes=range(1, {m + 1}) if they "
            "are labels, and an array if they are ranks."
        )
    cell = row * m + codes
    _check_once(cell, row, codes, names, "y")
    chosen = np.sort(cell[place < k])
    indptr = np.searchsorted(chosen, np.arange(len(rows) + 1) * m)
    return Indicator(Sparse(indptr, chosen % max(m, 1), np.ones(len(chosen), bool), m), names)


def _places(rows: Sequence[Sequence[Any]]) -> tuple[Array, Array]:
    """Return the example and the place of each label of some lists; place 0 is the best."""
    sizes = np.array([len(row) for row in rows], np.intp)
    return np.repeat(np.arange(len(rows)), sizes), np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def _check_once(cell: Array, row: Array, codes: Array, names: tuple[Any, ...], argument: str) -> None:
    """Refuse a label that stands in a list twice, and so has two places in one cell."""
    _, first = np.unique(cell, return_index=True)
    if len(first) < len(cell):
        again = int(np.setdiff1d(np.arange(len(cell)), first)[0])
        raise ValueError(f"{argument}[{row[again]}] ranks {short(names[codes[again]])} twice. Rank each label once.")


def _check_k(k: int, m: int) -> None:
    if k > m:
        raise ValueError(f"k={k}, but there are only {m} labels. Lower k, or name all labels with classes=.")


TIES = ("mask", "count")
TAKEN = ("mask", "sample_weight", "signed_weights", "by", "cost", "unobserved", "replicates", "moments")


@answers_mistakes
def preferences(y_true: Any, y_pred: Any, *, classes: Iterable[Any] | None = None, ties: str = "mask", **options: Any) -> Any:
    """Return the evaluation of rankings as preferences, one column per ordered pair.

    The entry of the pair (a, b) is 1 where a stands before b. A pair in the wrong order is a false positive and a false
    negative; a pair that the prediction leaves open is only a false negative. For complete rankings without ties, micro
    precision and micro recall coincide, and Kendall's tau of each example is 2 recall - 1. For partial predictions, 2 precision
    - 1 is their correctness, the gamma of Goodman and Kruskal. A preference counts the same at the top and at the bottom of a
    ranking, unless ``cost=`` weights it.

    Parameters
    ----------
    y_true, y_pred : list of lists, or array-like
        For every example its labels, best first, all or only some; or an array of ranks with one column per label, 1 is the best,
        equal ranks are ties, and nan means that there is no rank. Labels without a rank are compared with no other label.
    classes : iterable, optional
        The labels and their order. Default: the labels that occur, sorted; for ranks, the names of the columns.
    ties : str, default 'mask'
        What two labels of equal true rank do: "mask" (the pair counts nowhere) or "count" (to prefer either is a false positive).
        Pairs that were not compared in the truth count nowhere.
    **options
        mask=, with one flag for each example, sample_weight=, by=, cost=, unobserved=, replicates= and moments=, as ``evaluate``
        takes them. ``ix.tasks.label_costs`` has costs per pair.

    Returns
    -------
    Evaluation
        Its classes are the pairs; the axis "label" has the preferences for each label.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.tasks.preferences([["a", "b", "c"], ["c", "a", "b"]], [["a", "c", "b"], ["c", "a", "b"]])
    >>> ev.score("recall", "micro"), ev.values("recall", per="label").tolist()
    (0.8333333333333334, [1.0, 0.0, 1.0])
    >>> round(2 * ev.score("recall", "exemplar") - 1, 6)  # the mean of Kendall's tau: 1/3 and 1
    0.666667
    """
    if ties not in TIES:
        raise ValueError(
            f"ties={ties!r} is unknown. Pairs of equal true rank are left out, 'mask', or count as negatives, 'count'."
        )
    refuse("preferences", options)
    refuse_unknown("preferences", options, TAKEN)
    names, true, pred = _ranks_of_both(y_true, y_pred, classes)
    first, second = _pairs(len(names))
    columns = tuple((names[a], names[b]) for a, b in zip(first.tolist(), second.tolist(), strict=True))
    owners = tuple(pair[0] for pair in columns)
    wanted, found = (Indicator(x[:, first] < x[:, second], columns, owners, "label") for x in (true, pred))
    compared = ~(np.isnan(true)[:, first] | np.isnan(true)[:, second])
    seen = compared & (true[:, first] != true[:, second]) if ties == "mask" else compared
    ev = evaluate_labels(wanted, found, **{"moments": None, **options, "mask": _observed_pairs(seen, options.get("mask"))})
    return replace(ev, recipe=ev.recipe.with_task(preferences=ties))


def _pairs(m: int) -> tuple[Array, Array]:
    """Return the two labels of each ordered pair."""
    first, second = np.divmod(np.arange(m * m), max(m, 1))
    return first[first != second], second[first != second]


def _observed_pairs(seen: Mask, given: Any) -> Mask:
    whole = check_mask(given, *seen.shape)
    if whole is not None and whole.shape[1] != 1:
        raise ValueError("mask has a flag for each pair, and rankings are observed as a whole. Give one flag for each example.")
    return seen if whole is None else seen & whole


def _ranks_of_both(y_true: Any, y_pred: Any, classes: Any) -> tuple[tuple[Any, ...], Array, Array]:
    """Return the labels, and the rank of each in each example of both sides; nan without a rank."""
    sides = {name: _rankings(y, name) for name, y in (("y_true", y_true), ("y_pred", y_pred))}
    lists, tables = dict[str, Any](), list[Table]()
    for name, side in sides.items():
        if isinstance(side, Table):
            tables.append(side)
        else:
            lists[name] = side
            _check_labels(side, name)
    names = None if classes is None else check_classes(classes)
    if names is None and tables:
        columns = [form.columns for form in tables if form.columns is not None]
        if not columns and lists:
            raise ValueError("One side has ranks and the other lists of labels. Pass classes= with the labels of the columns.")
        names = tuple(columns[0]) if columns else tuple(range(tables[0].values.shape[1]))
    if names is None:
        every = {label for rows in lists.values() for row in rows for label in row}
        names = vocabulary(every, "y_true") if every else ()
    true, pred = (_ranks(side, names, name) for name, side in sides.items())
    if len(true) != len(pred):
        raise ValueError(f"y_true has {len(true)} examples and y_pred {len(pred)}; they must describe the same examples.")
    return names, true, pred


def _check_labels(rows: Iterable[Sequence[Any]], argument: str) -> None:
    """Refuse a missing label, and several labels in one place."""
    for i, k, label in ((i, k, label) for i, row in enumerate(rows) for k, label in enumerate(row)):
        if isinstance(label, list | set | frozenset | dict):
            raise TypeError(
                f"{argument}[{i}][{k}] is {short(label)}; labels of equal rank are given as an array of ranks, 1 for the best."
            )
        if is_missing(label):
            raise ValueError(f"{argument}[{i}][{k}] is missing. Leave labels without a rank out of the list.")


def _ranks(rows: Sequence[Sequence[Any]] | Table, names: tuple[Any, ...], argument: str) -> Array:
    if isinstance(rows, Table):
        given = np.asarray(rows.values, np.float64)
        if given.shape[1] != len(names):
            raise ValueError(f"{argument} has {given.shape[1]} columns for {len(names)} labels. Give one column per label.")
        bad = ~(np.isnan(given) | _are_ranks(given))
        refuse_where(bad, argument, rows.values, "ranks are whole numbers from 1, the best; nan means no rank.")
        return given
    (_, codes), (row, place) = coded_rows(rows, names), _places(rows)
    _check_once(row * len(names) + codes, row, codes, names, argument)
    ranks = np.full((len(rows), len(names)), np.nan)
    ranks[row, codes] = place
    return ranks
