"""Label preferences: a ranking as an indicator of ordered pairs, a before b (sec:label_ranking)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array, Mask, refuse_where
from ...algebra.call_mistakes import answers_mistakes
from ...algebra.makers import evaluate_labels
from ...algebra.names_elsewhere import refuse_unknown
from ...algebra.wording import short
from ...encode.containers import is_table, read
from ...encode.indicator import Indicator
from ...encode.plain_forms import Table, is_missing
from ...encode.vocabulary import check_classes, vocabulary
from ...encode.weights import check_mask
from ..combinations import refuse
from .votes import as_list, coded_rows, text_rows

TIES = ("mask", "count")
TAKEN = ("mask", "sample_weight", "signed_weights", "by", "cost", "unobserved", "replicates", "moments")


@answers_mistakes
def preferences(y_true: Any, y_pred: Any, *, classes: Iterable[Any] | None = None, ties: str = "mask", **options: Any) -> Any:
    """Return the evaluation of rankings as preferences, one column per ordered pair (sec:label_ranking).

    The entry of the pair (a, b) is 1 where a stands before b, so rankings are a tensor of preferences, examples x labels x
    labels. A pair in the wrong order is a false positive and a false negative; a pair that the prediction leaves open is only
    a false negative. Of complete rankings without ties, micro precision and micro recall coincide, and Kendall's tau of each
    example is 2 recall - 1. Of partial predictions 2 precision - 1 is their correctness, the gamma of Goodman and Kruskal.

    Level: boundary (tab:settings). Limits: a preference counts the same at the top and at the bottom, unless ``cost=``
    weights it.

    Parameters
    ----------
    y_true, y_pred : list of lists, or array-like
        For every example its labels, best first, all or only some; or an array of ranks with one column per label, 1 is the best,
        equal ranks are ties, and nan means that there is no rank. Labels without a rank are compared with no other label.
    classes : iterable, optional
        The labels and their order. Left out: the labels that occur, sorted; for ranks, the names of the columns.
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
    given = None if classes is None else check_classes(classes)
    sides = {name: _rows(y, name) for name, y in (("y_true", y_true), ("y_pred", y_pred))}
    lists = [row for rows in sides.values() if isinstance(rows, list) for row in rows]
    tables = {name: form for name, form in sides.items() if isinstance(form, Table)}
    names = given
    if names is None and tables:
        columns = [form.columns for form in tables.values() if form.columns is not None]
        width = next(iter(tables.values())).values.shape[1]
        if columns or not lists:
            names = tuple(columns[0]) if columns else tuple(range(width))
        else:
            raise ValueError("One side has ranks and the other lists of labels. Pass classes= with the labels of the columns.")
    if names is None:
        names = vocabulary({label for row in lists for label in row}, "y_true") if lists else ()
    ranks = [_ranks(rows, names, name) for name, rows in sides.items()]
    if len(ranks[0]) != len(ranks[1]):
        raise ValueError(f"y_true has {len(ranks[0])} examples and y_pred {len(ranks[1])}; they must describe the same examples.")
    return names, ranks[0], ranks[1]


def _rows(y: Any, name: str) -> list[Any] | Table:
    what = "a list of labels, best first, for every example, or an array of ranks"
    rows = text_rows(y) if is_table(y) else as_list(y, what, name)
    if rows is None:
        form = read(y, name)
        if not isinstance(form, Table):
            raise TypeError(f"{name} is a sparse matrix, but a rank of 0 means nothing. Give a dense array (.toarray()).")
        return form
    for i, row in enumerate(rows):
        if not isinstance(row, list | tuple | np.ndarray):
            raise TypeError(f"{name}[{i}] is {short(row)}; give a list of labels, best first; [] means that no label is ranked.")
        _check_labels(row, f"{name}[{i}]")
    return [list(row) for row in rows]


def _check_labels(row: Any, where: str) -> None:
    """Refuse a missing label, and several labels in one place."""
    for k, label in enumerate(row):
        if isinstance(label, list | set | frozenset | dict):
            raise TypeError(
                f"{where}[{k}] is {short(label)}; labels of equal rank are given as an array of ranks, 1 for the best."
            )
        if is_missing(label):
            raise ValueError(f"{where}[{k}] is missing. Leave labels without a rank out of the list.")


def _ranks(rows: list[Any] | Table, names: tuple[Any, ...], argument: str) -> Array:
    if isinstance(rows, Table):
        ranks = np.asarray(rows.values, np.float64)
        if ranks.shape[1] != len(names):
            raise ValueError(f"{argument} has {ranks.shape[1]} columns for {len(names)} labels. Give one column per label.")
        bad = ~(np.isnan(ranks) | ((ranks >= 1) & (ranks == np.floor(ranks)) & (ranks < np.inf)))
        refuse_where(bad, argument, rows.values, "ranks are whole numbers from 1, the best; nan means no rank.")
        return ranks
    _, codes = coded_rows(rows, names)
    sizes = np.array([len(row) for row in rows], np.intp)
    row = np.repeat(np.arange(len(rows)), sizes)
    place = np.arange(len(codes)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    ranks = np.full((len(rows), len(names)), np.nan)
    ranks[row, codes] = place
    if np.count_nonzero(~np.isnan(ranks)) < len(codes):
        i = next(i for i, labels in enumerate(rows) if len(set(labels)) < len(labels))
        raise ValueError(f"{argument}[{i}] ranks a label twice: {short(rows[i])}. Rank each label once.")
    return ranks
