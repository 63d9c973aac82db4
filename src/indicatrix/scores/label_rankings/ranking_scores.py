"""Rankings of labels, evaluated example by example.

The functions are mrr, coverage error, ranking loss, label-ranking average precision, and precision and recall at k. This is
outside the algebra (the boundary, sec:label_ranking): a ranking says which label stands before which, and no sum of tp, fp, fn
and tn does. What counts can say is the ranking cut at k: ``ix.tasks.top_ranked(rankings, k)`` and ``decide=ix.top_k(k)`` make
label sets of it, and precision and recall at k are the measures precision and recall of those sets, by construction.

All take what is relevant as ``y_true`` (a 0/1 matrix, dense or sparse, sets, or one label per example) and one score per label;
minus the rank is a score. ``sample_weight=`` weights examples; ``mask=`` and ``missing="mask"`` take labels out of the rankings;
``classes=`` names the columns, ``by=`` groups of examples. An example in which a measure has no meaning (no label is relevant, or
none observed) is undefined, and ``undefined=`` says what that does.

Yet each is a sum over labels, which belong to classes, and sums aggregate (``contributions.py``). ``average`` is "exemplar", the
mean over examples and the default; "micro", the sums of all examples, one over the other; "macro" or "weighted", with the values
of the classes in ``.values``; or the name of an axis of by=, the mean over groups of what "exemplar" is in each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from ...algebra.measure import Measure
from ...algebra.score import Score, Undefined
from ...algebra.source_score import AS_SOURCE
from ...algebra.sums import sums
from ...catalogue.counts.paper_groups import precision, recall
from ...encode.decisions import top_k
from ...encode.pairs import Reading, encode
from ...encode.plain_forms import Sparse
from ...encode.weights import check_by, check_mask
from ...words.call_mistakes import answers_mistakes
from ..contributions import Entries, Meaning, SparseEntries, UnitAxes, average_contributions, row_sums
from ..score_input import as_public, check_options, plain_weights, seen_in, with_interval
from .label_orders import NONE_RELEVANT, OPTIONS, Orders, RankingScore, blocks, check_k, cut_at, orders, reciprocal_ranks
from .sparse_orders import (
    score_stored,
    sparse_orders,
    stored_precisions,
    stored_reciprocal_ranks,
    stored_scores,
    stored_wrong_pairs,
)

PARAMETERS = """Parameters
----------
y_true : array-like
    The relevant labels of each example: one label, a set of labels, or a row of 0 and 1.
scores : array-like
    One row per example with a number for each label, higher for what is ranked first.
average : str, default 'exemplar'
    "exemplar" is the mean over examples; "micro", "macro", "weighted" and the name of a by= axis are possible where the
    score has parts for them.
undefined : str or number, default 'exclude'
    What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
    is an error.
**options
    classes, sample_weight, mask, by and missing, as ``evaluate`` takes them.
    With interval=0.95 the result is an interval; clusters= then has the groups that were sampled as a whole.

Returns
-------
Score
    A float that also holds the values it was averaged from, and how undefined ones were handled.

Examples
--------
>>> import indicatrix as ix
"""
NO_PAIR = ", without a pair of a relevant and an irrelevant label"
RANKINGS: dict[str, RankingScore] = {}  # the scores without parameters of their own


class Called(Protocol):
    """How a score of rankings without parameters of its own is called."""

    def __call__(
        self, y_true: Any, scores: Any, *, average: str = "exemplar", undefined: Undefined = "exclude", **options: Any
    ) -> Score:
        """Return the score under an average."""


def ranked(
    better: str,
    range: tuple[float, float],
    source: str,
    *,
    stored: Callable[[Any], SparseEntries] | None = None,
    lacking: str = NONE_RELEVANT,
) -> Callable[[Callable[[Orders, slice], Entries]], Called]:
    """Return a decorator that makes a public function of what labels add, and lists the score.

    The docstring ends with an example. ``stored`` is what labels of sparse scores add; ``lacking`` says why an example may be
    undefined.
    """

    def make(entries: Callable[[Orders, slice], Entries]) -> Called:
        kind = Meaning(sums(entries.__name__, better, range, source), True, lacking)
        RANKINGS[entries.__name__] = score = RankingScore(kind, entries, stored)

        def call(
            y_true: Any, scores: Any, *, average: str = "exemplar", undefined: Undefined = "exclude", **options: Any
        ) -> Score:
            return _score(score, (y_true, scores), average, undefined, options)

        return as_public(call, entries, PARAMETERS)  # type: ignore[no-any-return]

    return make


@ranked("higher", (0, 1), "schapire2000", stored=stored_precisions)
def label_ranking_ap(given: Orders, rows: slice) -> Entries:
    """Return the mean over relevant labels of the precision at their rank.

    This is label-ranking average precision. Labels with equal scores share the lowest of their ranks. "exemplar", the default,
    is the exemplar average precision; "micro" is the mean over all relevant labels of all examples, and a class
    has the mean over the examples in which it is relevant. An example without relevant labels is undefined; scikit-learn takes
    it as 1: undefined=1.

    >>> ix.measures.label_ranking_ap([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.41666666666666663
    """
    groups, relevant = given.groups(rows), given.gains(rows) > 0
    precisions = groups.per_label(groups.through / (groups.above + groups.size))
    return Entries(precisions * relevant, relevant, given.labels(rows))


@ranked("lower", (0, np.inf), "schapire2000")
def coverage_error(given: Orders, rows: slice) -> Entries:
    """Return how many of the top labels contain all relevant ones, on average.

    The lowest possible value is the number of relevant labels. Labels with equal scores are taken together. A class has the share
    of examples in which it is among the labels taken: where all are observed these shares add up to the "micro" coverage error.
    An example without relevant labels is undefined; scikit-learn takes it as 0: undefined=0.

    >>> ix.measures.coverage_error([{"cat"}, {"ant", "cat"}], [[0.3, 0.2, 0.1], [0.5, 0.4, 0.1]], classes=["ant", "cat", "dog"])
    2.0
    """
    # No order is needed: a label is taken whose score is at least as high as the lowest of a relevant one.
    columns = given.gains(rows) > 0, given.scores[rows], given.observed_labels(rows)
    relevant, scores, seen = (np.ascontiguousarray(x.T) for x in columns)  # there are few, and long ones are compared fast
    some = np.asarray(relevant.any(axis=0))
    lowest = np.where(relevant, scores, np.inf).min(axis=0, initial=np.inf)
    counted = seen & some
    taken = (scores >= lowest) & counted
    return Entries(taken.T, counted.T, given.labels(rows), example=(row_sums(taken.T), some.astype(np.float64)))


@ranked("lower", (0, 1), "schapire2000", stored=stored_wrong_pairs, lacking=NO_PAIR)
def ranking_loss(given: Orders, rows: slice) -> Entries:
    """Return the share of pairs of a relevant and an irrelevant label in wrong order.

    Equal scores count as wrong, as in scikit-learn, so this is not 1 - AUC, where they count one half. "micro" is the share of
    all pairs of all examples; a class has the pairs in which it is the relevant label. An example without relevant or without
    irrelevant labels has no pair and is undefined; scikit-learn takes it as 0: undefined=0.

    >>> ix.measures.ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    groups, relevant = given.groups(rows), given.gains(rows) > 0
    not_below = groups.per_label(groups.above + groups.size - groups.through)  # irrelevant labels with a score as high or higher
    irrelevant = groups.labels - groups.total
    return Entries(not_below * relevant, relevant * irrelevant[:, None], given.labels(rows))


@with_interval
@answers_mistakes
def mrr(
    y_true: Any,
    scores: Any,
    *,
    k: int | None = None,
    ignore_ties: bool = False,
    average: str = "exemplar",
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return the mean reciprocal rank: one over the rank of the first relevant label.

    Among equal scores it is the expectation over all their orders, as dcg is; with ignore_ties the lower column stands first, as
    in top_k. A first relevant label behind rank ``k`` counts 0. There is no value per class. An example without relevant labels
    is undefined; undefined=0 counts it as never found.

    Parameters
    ----------
    y_true : array-like
        The relevant labels of each example: one label, a set of labels, or a row of 0 and 1.
    scores : array-like
        One row per example with a number for each label, higher for what is ranked first.
    k : int, optional
        How many of the highest scores count. Default: all.
    ignore_ties : bool, default False
        True ranks tied scores by column; False takes the mean over all orders of the tied ones.
    average : str, default 'exemplar'
        "exemplar" is the mean over examples, the name of a by= axis the mean over its groups.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        classes, sample_weight, mask, by and missing, as ``evaluate`` takes them.
        With interval=0.95 the result is an interval; clusters= then has the groups that were sampled as a whole.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.mrr([[0, 1, 0], [0, 0, 1]], [[0.9, 0.5, 0.1], [0.3, 0.3, 0.3]])  # (1/2 + (1 + 1/2 + 1/3)/3) / 2
    0.5555555555555556
    """
    check_k(k, "mrr")

    def entries(given: Orders, rows: slice) -> Entries:
        groups = given.groups(rows, ignore_ties=ignore_ties)
        defined = (groups.total > 0).astype(np.float64)
        return Entries(reciprocal_ranks(groups, k)[:, None], defined[:, None], given.labels(rows))

    kind = Meaning(cut_at(MRR, k), True, NONE_RELEVANT, {"class": FIRST_ONLY})
    ranking = RankingScore(kind, entries, lambda given: stored_reciprocal_ranks(given, k, ignore_ties=ignore_ties))
    return _score(ranking, (y_true, scores), average, undefined, options)


MRR = sums("mrr", range=(0, 1), source="voorhees1999")
FIRST_ONLY = (
    "which class stands first among the relevant ones is part of the result, so there is no value per class; "
    "label_ranking_ap has one."
)


@with_interval
@answers_mistakes
def precision_at_k(
    y_true: Any, scores: Any, k: int, *, average: str | None = "exemplar", undefined: Undefined = "exclude", **options: Any
) -> Score:
    """Return the share of relevant labels among the k with the highest scores.

    It is ``ix.precision`` with decide=top_k(k), so ties go to the lower column, every average is possible, and all options of
    ``ix.evaluate`` are; its values are those of the distinct count vectors, .counts.times says how often each occurred.

    Parameters
    ----------
    y_true : array-like
        The relevant labels of each example: one label, a set of labels, or a row of 0 and 1.
    scores : array-like
        One row per example with a number for each label, higher for what is ranked first.
    k : int
        How many of the highest scores count.
    average : str, default 'exemplar'
        How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``, or the
        name of a by= axis.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        Everything that ``evaluate`` takes: classes, positive, sample_weight, mask, by, … See help(ix.evaluate).
        With interval=0.95 the result is an interval; clusters= then has the groups that were sampled as a whole.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Examples
    --------
    >>> import indicatrix as ix
    >>> scores = [[0.5, 0.3, 0.2], [0.5, 0.4, 0.1]]
    >>> ix.measures.precision_at_k([{"cat"}, {"ant", "cat"}], scores, 2, classes=["ant", "cat", "dog"])
    0.75
    """
    return _of_top(precision, y_true, scores, k, average, undefined, options)


@with_interval
@answers_mistakes
def recall_at_k(
    y_true: Any, scores: Any, k: int, *, average: str | None = "exemplar", undefined: Undefined = "exclude", **options: Any
) -> Score:
    """Return the share of relevant labels that have one of the k highest scores.

    It is ``ix.recall`` with decide=top_k(k), as precision_at_k is ``ix.precision``; for one label per example it is the top-k
    accuracy. An example without relevant labels is undefined.

    Parameters
    ----------
    y_true : array-like
        The relevant labels of each example: one label, a set of labels, or a row of 0 and 1.
    scores : array-like
        One row per example with a number for each label, higher for what is ranked first.
    k : int
        How many of the highest scores count.
    average : str, default 'exemplar'
        How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``, or the
        name of a by= axis.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        Everything that ``evaluate`` takes: classes, positive, sample_weight, mask, by, … See help(ix.evaluate).
        With interval=0.95 the result is an interval; clusters= then has the groups that were sampled as a whole.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.measures.recall_at_k([0, 1], [[0.5, 0.3, 0.2], [0.6, 0.1, 0.3]], 2)
    0.5
    """
    return _of_top(recall, y_true, scores, k, average, undefined, options)


def _of_top(
    measure: Measure, y_true: Any, scores: Any, k: int, average: Any, undefined: Undefined, options: dict[str, Any]
) -> Score:
    """Return a measure of the label sets that have the k highest scores."""
    if average is AS_SOURCE:
        return _of_examples(measure, y_true, scores, top_k(k), **options)
    found: Score = measure(y_true, scores, decide=top_k(k), average=average, undefined=undefined, **options)
    return found


def _of_examples(
    measure: Measure,
    y_true: Any,
    scores: Any,
    rule: Any,
    *,
    sample_weight: Any = None,
    mask: Any = None,
    by: Any = None,
    **how: Any,
) -> Score:
    """Return what single examples add to a measure of decided labels, for intervals and paired tests.

    Counts of decided labels do not keep which example they are of.
    """
    pair = encode(y_true, scores, Reading.of(rule=rule, names=("y_true", "scores"), **how))
    n, m = pair.n, len(pair.y.classes)
    given = seen_in(pair, check_mask(mask, n, m, pair.y.classes))

    def entries(rows: slice) -> Entries:
        true, pred = (side.rows(rows).astype(bool) for side in (pair.y, pair.yhat))
        seen = np.ones(true.shape, bool) if given is None else np.broadcast_to(given[rows], true.shape)
        whole = (pred if measure is precision else true) & seen
        return Entries(true & pred & seen, whole, lambda: (true & seen, seen & ~true))

    kind = AT_K[measure.name]
    axes = UnitAxes(n, pair.y.classes, plain_weights(sample_weight, n), check_by(by, n), given)
    some = ((rows, entries(rows)) for rows in blocks(n, m))
    return average_contributions(kind, axes, some, AS_SOURCE, "exclude")


AT_K = {
    "precision": Meaning(sums("precision_at_k", range=(0, 1))),
    "recall": Meaning(sums("recall_at_k", range=(0, 1)), lacking=NONE_RELEVANT),
}


def _score(ranking: RankingScore, data: tuple[Any, Any], average: str, undefined: Undefined, options: dict[str, Any]) -> Score:
    """Return a score of labels and scores, checked."""
    check_options(ranking.kind.of.name, options, ("average", "undefined", *OPTIONS))
    y_true, scores = data
    if ranking.stored is not None and isinstance(stored := stored_scores(scores), Sparse):
        given = sparse_orders(y_true, stored, graded=False, **options)
        return score_stored(ranking.kind, given, ranking.stored(given), average, undefined)
    return ranking.score(orders(y_true, scores, **options), average, undefined)
