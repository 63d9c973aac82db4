"""Propensity-scored precision and gain at k: hits on rare labels, often missing, count more.

See sec:label_ranking. If a label that applies is recorded with probability p, a hit counts 1/p, so that what is not recorded is
made up for in expectation. Memory grows with the stored entries of sparse arrays, so there may be 100,000 labels.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.measure import Measure
from ...algebra.score import Score, Undefined
from ...algebra.sums import sums
from ...encode.containers import read
from ...encode.plain_forms import Sparse, Table
from ...tasks.propensity import per_class
from ...words.call_mistakes import answers_mistakes
from ..contributions import Meaning
from ..score_input import check_options
from .label_orders import NONE_RELEVANT, OPTIONS, check_k, cut_at, orders
from .sparse_orders import SparseOrders, all_stored, discounts, gain_over_best, score_stored, sparse_orders, stored_scores


@answers_mistakes
def label_propensities(y_train: Any, *, a: float = 0.55, b: float = 1.5) -> Array:
    """Return how likely each label is to be recorded where it applies, by how often it occurs.

    The model is that of Jain, Prabhu and Varma (2016): of N examples, N_l have the label l, and its propensity is
    1/(1 + C exp(-a log(N_l + b))) with C = (log N - 1)(b + 1)^a. They took a = 0.5, b = 0.4 for Wikipedia, a = 0.6, b = 2.6 for
    Amazon, and the defaults elsewhere.

    Parameters
    ----------
    y_train : array-like
        The labels of the training data, a 0/1 matrix, dense or sparse.
    a, b : float
        The two numbers of the model.

    Returns
    -------
    array
        One propensity per label, between 0 and 1.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.scores.label_propensities([[1, 0], [1, 0], [1, 1], [1, 0]]).round(3).tolist()
    [0.8, 0.721]
    """
    form = read(y_train, "y_train")
    if not isinstance(form, Sparse | Table):
        raise TypeError("y_train is not a 0/1 matrix with one column per label. Give an array, or a sparse one.")
    for name, value in (("a", a), ("b", b)):
        if not isinstance(value, int | float | np.number) or isinstance(value, bool) or not 0 < value < math.inf:
            raise ValueError(f"{name}={value!r} must be a number above 0, such as {0.55 if name == 'a' else 1.5}.")
    n = len(form)
    if n < 3:
        raise ValueError(f"y_train has {n} examples; the model of propensities needs 3 or more, because log(N) must exceed 1.")
    values = form.data if isinstance(form, Sparse) else form.values
    if values.dtype.kind not in "biuf" or not ((values == 0) | (values == 1)).all():
        raise ValueError("y_train holds other values than 0 and 1. Give 1 where a label was recorded.")
    often = np.bincount(form.indices, form.data, form.width) if isinstance(form, Sparse) else values.sum(axis=0)
    a, b = float(a), float(b)
    with np.errstate(over="ignore"):  # of a label that was never recorded the propensity may be 0
        return np.asarray(1 / (1 + (math.log(n) - 1) * ((b + 1) / (often + b)) ** a))


@answers_mistakes
def propensity_precision_at_k(
    y_true: Any,
    scores: Any,
    k: int,
    propensities: Any,
    *,
    average: str = "micro",
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return propensity-scored precision at k, over that of the best ranking (PSP@k).

    A relevant label among the k highest scores counts 1/propensity; the best ranking has the relevant labels of lowest
    propensity first. "micro", the default, is the sum over all examples over the sum of the best, as tables of results of
    extreme classification have it; "exemplar" is the mean over examples. Among equal scores the lower column stands first. With
    propensities of 1 it is precision at k over the highest possible one.

    Parameters
    ----------
    y_true : array-like
        The relevant labels of each example: a 0/1 matrix, dense or sparse; or labels or sets with ``classes=``.
    scores : array-like
        One number for each example and label, dense or sparse. An entry of a sparse array that is not stored has no score, and
        its label is never among the first k.
    k : int
        How many of the highest scores count.
    propensities : array-like, mapping or number
        For each label how likely it is to be recorded, above 0 and at most 1; see ``ix.scores.label_propensities``.
    average : str, default 'micro'
        "micro", "exemplar", "macro", "weighted" or the name of a by= axis.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        classes, sample_weight, by and, of dense scores, mask and missing, as ``evaluate`` takes them.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.scores.propensity_precision_at_k([[1, 0, 1], [0, 1, 0]], [[0.9, 0.5, 0.1], [0.1, 0.8, 0.3]], 1, [0.5, 0.8, 0.25])
    0.6190476190476191
    """
    return _score(PRECISION, _first, (y_true, scores), k, propensities, (average, undefined), options)


@answers_mistakes
def propensity_ndcg_at_k(
    y_true: Any,
    scores: Any,
    k: int,
    propensities: Any,
    *,
    average: str = "micro",
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return propensity-scored nDCG at k, over that of the best ranking (PSnDCG@k).

    As ``propensity_precision_at_k``, with every hit discounted by log2(1 + rank), and each example divided by the gain of the
    best ranking without propensities. With propensities of 1, "exemplar" is ``ix.ndcg`` with ignore_ties.

    Parameters
    ----------
    y_true : array-like
        The relevant labels of each example: a 0/1 matrix, dense or sparse; or labels or sets with ``classes=``.
    scores : array-like
        One number for each example and label, dense or sparse. An entry of a sparse array that is not stored has no score, and
        its label is never among the first k.
    k : int
        How many of the highest scores count.
    propensities : array-like, mapping or number
        For each label how likely it is to be recorded, above 0 and at most 1; see ``ix.scores.label_propensities``.
    average : str, default 'micro'
        "micro", "exemplar", "macro", "weighted" or the name of a by= axis.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        classes, sample_weight, by and, of dense scores, mask and missing, as ``evaluate`` takes them.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Examples
    --------
    >>> import indicatrix as ix
    >>> score = ix.scores.propensity_ndcg_at_k([[1, 0, 1], [0, 1, 0]], [[0.9, 0.5, 0.1], [0.1, 0.8, 0.3]], 2, [0.5, 0.8, 0.25])
    >>> round(score, 6)
    0.553202
    """
    return _score(GAIN, _discount, (y_true, scores), k, propensities, (average, undefined), options)


def _first(k: int, given: SparseOrders) -> tuple[Callable[[Array], Array], Array | None]:
    """Return what a rank is worth in precision at k: one, up to k."""
    return lambda rank: (rank < k) / k, None


def _discount(k: int, given: SparseOrders) -> tuple[Callable[[Array], Array], Array | None]:
    """Return what a rank is worth in the discounted gain, and one over the best gain of each example."""
    sums = np.concatenate(([math.nan], np.cumsum(discounts(k)(np.arange(k)))))
    best = sums[np.minimum(given.relevant_per_example(), k)]
    return discounts(k), np.where(np.isnan(best), 0.0, 1 / best)


PRECISION, GAIN = (sums(name, range=(0, 1), source="jain2016") for name in ("propensity_precision", "propensity_ndcg"))


def _score(
    of: Measure,
    of_rank: Callable[..., Any],
    data: tuple[Any, Any],
    k: int,
    propensities: Any,
    convention: tuple[str, Undefined],
    options: dict[str, Any],
) -> Score:
    """Return a propensity-scored ranking."""
    caller = f"{of}_at_k"
    if k is None:
        raise ValueError(f"k=None: {caller} is cut at a rank, a whole number of at least 1.")
    check_k(k, caller)
    check_options(caller, options, ("average", "undefined", *OPTIONS))
    y_true, scores = data[0], stored_scores(data[1])
    if isinstance(scores, Sparse):
        given = sparse_orders(y_true, scores, graded=False, **options)
    else:
        given = all_stored(orders(y_true, scores, **options))
    shares, gains = _check_propensities(propensities, given.classes), given.gains
    given = replace(given, gains=Sparse(gains.indptr, gains.indices, 1 / shares[gains.indices], gains.width))
    worth, scale = of_rank(k, given)
    kind, entries = Meaning(cut_at(of, k), True, NONE_RELEVANT), gain_over_best(given, worth, ignore_ties=True, scale=scale)
    return score_stored(kind, given, entries, *convention)


def _check_propensities(propensities: Any, classes: tuple[Any, ...]) -> Array:
    """Return the propensity of each class."""
    given = per_class(propensities, "propensities", classes)
    try:
        shares = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise TypeError("propensities= is not an array of numbers. Give one for each label.") from None
    odd = ~((shares > 0) & (shares <= 1))
    if odd.any():
        at = int(odd.argmax())
        raise ValueError(
            f"The propensity of {classes[at]!r} is {shares[at]:g}; it is a probability above 0 and at most 1. "
            "If these are inverse propensities, give 1/x."
        )
    return shares
