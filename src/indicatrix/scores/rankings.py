"""Rankings of labels, evaluated example by example: mrr, coverage, ranking loss, label-ranking AP, precision and recall at k.

This is outside the algebra (the boundary, sec:label_ranking): a ranking says which label stands before which, and no sum of tp,
fp, fn and tn does. What counts can say is the ranking cut at k: ``ix.ranked(rankings, k)`` and ``decide=ix.top_k(k)`` make label
sets of it, and precision and recall at k are the measures precision and recall of those sets, by construction.

All take what is relevant as ``y_true`` (a 0/1 matrix, dense or sparse, sets, or one label per example) and one score per label;
minus the rank is a score. ``sample_weight=`` weights examples; ``mask=`` and ``missing="mask"`` take labels out of the rankings;
``classes=`` names the columns. A Score has one value per example. An example in which a measure has no meaning (no label is
relevant, or none observed) is undefined, and ``undefined=`` says what that does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..algebra.arrays import ratio
from ..algebra.average import Quantity, Score, Undefined, check_undefined
from ..algebra.decide import top_k
from ..catalogue.positive import precision, recall
from ..tally.kernels import Array
from .options import check_options
from .orders import OPTIONS, Groups, Orders, check_k, mean_over_examples, orders


def label_ranking_ap(y_true: Any, scores: Any, *, undefined: Undefined = "exclude", **options: Any) -> Score:
    """Return label-ranking average precision, the mean over relevant labels of the precision at their rank (sec:label_ranking).

    Labels with equal scores share the lowest of their ranks. It is the exemplar average precision (errata A15). An example
    without relevant labels is undefined; scikit-learn takes it as 1: undefined=1.

    >>> label_ranking_ap([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.41666666666666663
    """
    return _scored(Quantity("label_ranking_ap"), _average_precision, (y_true, scores), undefined, options)


def coverage_error(y_true: Any, scores: Any, *, undefined: Undefined = "exclude", **options: Any) -> Score:
    """Return how many labels, from the highest score down, it takes on average to meet all relevant ones (sec:label_ranking).

    The lowest possible value is the number of relevant labels. Labels with equal scores are taken together. An example without
    relevant labels is undefined; scikit-learn takes it as 0: undefined=0.

    >>> coverage_error([{"cat"}, {"ant", "cat"}], [[0.3, 0.2, 0.1], [0.5, 0.4, 0.1]], classes=["ant", "cat", "dog"])
    2.0
    """
    return _scored(Quantity("coverage_error", "lower"), _coverage, (y_true, scores), undefined, options)


def ranking_loss(y_true: Any, scores: Any, *, undefined: Undefined = "exclude", **options: Any) -> Score:
    """Return the share of pairs of a relevant and an irrelevant label that are in the wrong order (sec:label_ranking).

    Equal scores count as wrong, as in scikit-learn, so this is not 1 - AUC, where they count one half. An example without
    relevant or without irrelevant labels has no pair and is undefined; scikit-learn takes it as 0: undefined=0.

    >>> ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    return _scored(Quantity("ranking_loss", "lower"), _wrong_pairs, (y_true, scores), undefined, options)


def mrr(
    y_true: Any, scores: Any, *, k: int | None = None, ignore_ties: bool = False, undefined: Undefined = "exclude", **options: Any
) -> Score:
    """Return the mean reciprocal rank: one over the rank of the first relevant label (sec:label_ranking).

    Among equal scores it is the expectation over all their orders, as dcg is; with ignore_ties the lower column stands first, as
    in top_k. A first relevant label behind rank ``k`` counts 0. An example without relevant labels is undefined; undefined=0
    counts it as never found.

    >>> mrr([[0, 1, 0], [0, 0, 1]], [[0.9, 0.5, 0.1], [0.3, 0.3, 0.3]])  # (1/2 + (1 + 1/2 + 1/3)/3) / 2
    0.5555555555555556
    """
    check_k(k, "mrr")

    def value(given: Orders, rows: slice) -> Array:
        return _reciprocal_rank(given.groups(rows, ignore_ties=ignore_ties), k)

    measure = Quantity("mrr" if k is None else f"mrr@{k}")
    return _scored(measure, value, (y_true, scores), undefined, options)


def precision_at_k(
    y_true: Any, scores: Any, k: int, *, average: str | None = "exemplar", undefined: Undefined = "exclude", **options: Any
) -> Score:
    """Return the share of relevant labels among the k with the highest scores (sec:label_ranking).

    It is ``ix.precision`` with decide=top_k(k), so ties go to the lower column, every average is possible, and all options of
    ``ix.evaluate`` are; its values are those of the distinct count vectors, .counts.times says how often each occurred.

    >>> precision_at_k([{"cat"}, {"ant", "cat"}], [[0.5, 0.3, 0.2], [0.5, 0.4, 0.1]], 2, classes=["ant", "cat", "dog"])
    0.75
    """
    return precision(  # type: ignore[no-any-return]
        y_true, scores, decide=top_k(k), average=average, undefined=undefined, **options
    )


def recall_at_k(
    y_true: Any, scores: Any, k: int, *, average: str | None = "exemplar", undefined: Undefined = "exclude", **options: Any
) -> Score:
    """Return the share of the relevant labels that are among the k with the highest scores (sec:label_ranking).

    It is ``ix.recall`` with decide=top_k(k), as precision_at_k is ``ix.precision``; for one label per example it is the top-k
    accuracy. An example without relevant labels is undefined.

    >>> recall_at_k([0, 1], [[0.5, 0.3, 0.2], [0.6, 0.1, 0.3]], 2)
    0.5
    """
    return recall(  # type: ignore[no-any-return]
        y_true, scores, decide=top_k(k), average=average, undefined=undefined, **options
    )


def _scored(
    measure: Quantity,
    value: Callable[[Orders, slice], Array],
    data: tuple[Any, Any],
    undefined: Undefined,
    options: dict[str, Any],
) -> Score:
    """Return the mean over examples of what a function says of each; it is asked about some of them at a time."""
    check_undefined(undefined)
    check_options(measure.name, options, OPTIONS)
    given = orders(*data, **options)
    values = np.empty(len(given.scores))
    for rows in given.blocks():
        values[rows] = value(given, rows)
    return mean_over_examples(measure, values, given.weights, undefined)


def _average_precision(given: Orders, rows: slice) -> Array:
    groups = given.groups(rows)
    precisions = groups.gain * groups.through / (groups.above + groups.size)
    return np.asarray(ratio(groups.per_example(precisions), groups.total))


def _coverage(given: Orders, rows: slice) -> Array:
    """Return how many scores are at least as high as the lowest of a relevant label: no order is needed for that."""
    relevant, scores = given.gains(rows) > 0, given.scores[rows]
    lowest = np.where(relevant, scores, np.inf).min(axis=1, keepdims=True, initial=np.inf)
    needed = scores >= lowest
    needed = needed if given.observed is None else needed & given.observed[rows]
    return np.where(relevant.any(axis=1), needed.sum(axis=1), np.nan)


def _wrong_pairs(given: Orders, rows: slice) -> Array:
    groups = given.groups(rows)
    relevant, irrelevant = groups.total, groups.size - groups.gain
    not_above = relevant[groups.row] - (groups.through - groups.gain)  # relevant labels with a score as low or lower
    return np.asarray(ratio(groups.per_example(irrelevant * not_above), relevant * (groups.labels - relevant)))


WIDTH = 64  # ranks that are handled at once where the first relevant label stands in a long tie


def _reciprocal_rank(groups: Groups, k: int | None) -> Array:
    """Return the expectation of one over the rank of the first relevant label, over all orders of equal scores."""
    values = np.where(groups.total > 0, 0.0, np.nan)
    first = (groups.gain > 0) & (groups.through == groups.gain)
    row, above, size, hits = (x[first] for x in (groups.row, groups.above, groups.size, groups.gain))
    longest = int((size - hits).max(initial=-1)) + 1  # places in its group where it may stand
    missed = np.ones(len(row))  # the probability that no relevant label stands at an earlier place of the group
    for start in range(0, longest, WIDTH):
        place = np.arange(start, min(start + WIDTH, longest))
        met = hits[:, None] / np.maximum(size[:, None] - place, hits[:, None])  # given that none was met before
        still = missed[:, None] * np.cumprod(1 - met, axis=1)
        rank = above[:, None] + place + 1
        worth = np.where(rank <= (k or np.inf), 1 / rank, 0.0)
        values[row] += (np.concatenate((missed[:, None], still[:, :-1]), axis=1) * met * worth).sum(axis=1)
        missed = still[:, -1]
    return values
