"""Discounted cumulative gain: what the labels are worth, discounted by the logarithm of their rank.

Outside the algebra (the boundary, sec:label_ranking): gains are degrees of relevance and discounts depend on the order, so no
four counts carry them. ``rankings.py`` says which arguments all measures of rankings share.

Top-k accuracy: whether the label of an example is among the k that have the highest scores.

``recall_at_k`` is the same of label sets, with ties to the lower column. Here ties may also go to the higher column, as in
scikit-learn, or be averaged; so this reads the rank of one label for each example, and no decision.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.score import Score, Undefined
from ...algebra.sums import sums
from ...encode.device_arrays import namespace_of
from ...encode.plain_forms import Sparse
from ...words.call_mistakes import answers_mistakes
from ..contributions import (
    UNOBSERVED,
    Blocks,
    Entries,
    LossesOnDevice,
    Meaning,
    SparseEntries,
    UnitAxes,
    average_contributions,
    row_sums,
)
from ..score_input import OF_SWEEPS, SWEEP_HINTS, check_options, read_rows, with_interval
from .label_orders import NONE_RELEVANT, OPTIONS, Groups, Orders, RankingScore, blocks, check_k, cut_at, orders, ranks_in_rows
from .sparse_orders import SparseOrders, discounts, gain_over_best, score_stored, sparse_orders, stored_scores

DCG = sums("dcg", range=(-math.inf, math.inf), source="jarvelin2002")
NDCG = sums("ndcg", range=(0, 1), source="jarvelin2002")  # of examples; a class may stand higher than it deserves


@with_interval
@answers_mistakes
def dcg(
    y_true: Any,
    scores: Any,
    *,
    k: int | None = None,
    gain: str = "linear",
    log_base: float = 2,
    ignore_ties: bool = False,
    average: str = "exemplar",
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return discounted cumulative gain, the sum over ranks i of gain/log2(i + 1).

    ``y_true`` holds one relevance per label, or labels (1 if relevant); ``gain`` is "linear", the relevance itself (as in
    scikit-learn), or "exponential", 2^relevance - 1; both are the same for labels. ``k`` cuts the
    ranking. Among equal scores it is the mean over all their orders; with ignore_ties the lower column stands first. A class has
    the mean over examples of what it adds: where all are observed these add up to the "micro" gain. An example without relevant
    labels has gain 0; one without any observed label is undefined.

    Parameters
    ----------
    y_true : array-like
        The relevance of each label, one row per example; or the relevant labels: one label, a set, or a row of 0 and 1.
    scores : array-like
        One row per example with a number for each label, higher for what is ranked first.
    k : int, optional
        How many of the highest scores count. Default: all.
    gain : str, default 'linear'
        "linear" is the relevance itself, "exponential" is 2^relevance - 1.
    log_base : number, default 2
        The base of the logarithm.
    ignore_ties : bool, default False
        True ranks tied scores by column; False takes the mean over all orders of the tied ones.
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
    >>> ix.measures.dcg([[1, 0, 2]], [[0.9, 0.5, 0.1]]), ix.measures.dcg([[1, 0, 2]], [[0.9, 0.5, 0.1]], gain="exponential")
    (2.0, 2.5)
    """
    check_k(k, "dcg")
    number = isinstance(log_base, int | float | np.number) and not isinstance(log_base, bool)
    if not number or not 1 < log_base < math.inf:
        raise ValueError(f"log_base={log_base!r}: the base of the discount is a number above 1, such as 2.")
    ranking = discounted_gain(k, log_base=log_base, ignore_ties=ignore_ties)
    return _score("dcg", ranking, (y_true, scores), gain, (average, undefined), options)


def discounted_gain(k: int | None, *, log_base: float = 2, ignore_ties: bool = False) -> RankingScore:
    """Return discounted cumulative gain as a score of rankings."""

    def entries(given: Orders, rows: slice) -> Entries:
        gains, seen = given.gains(rows), given.observed_labels(rows)
        worth = discounts(k, log_base)(np.arange(gains.shape[1]))
        found = gains * _discounts_of_labels(given, rows, worth, ignore_ties=ignore_ties)
        example = row_sums(found), np.asarray(seen.any(axis=1), np.float64)
        return Entries(found, seen, given.labels(rows), example=example)

    def stored_gains(given: SparseOrders) -> SparseEntries:
        return given.entries(given.found_gains(discounts(k, log_base), ignore_ties=ignore_ties), None)

    return RankingScore(Meaning(cut_at(DCG, k), True, ", without observed labels"), entries, stored_gains)


@with_interval
@answers_mistakes
def ndcg(
    y_true: Any,
    scores: Any,
    *,
    k: int | None = None,
    gain: str = "linear",
    ignore_ties: bool = False,
    average: str = "exemplar",
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return the discounted cumulative gain over that of the best ranking, DCG/IDCG.

    The arguments are those of ``dcg``; relevance must not be negative, and the base of the logarithm cancels. The best ranking
    is cut at ``k``, too. "micro" is the sum of all gains over the sum of the best ones. A class has the gains at its ranks over
    those at its ranks in the best rankings, labels of equal gain sharing theirs: above 1 it stands higher than it deserves. An
    example without relevant labels is undefined; scikit-learn takes it as 0: undefined=0.

    Parameters
    ----------
    y_true : array-like
        The relevance of each label, one row per example; or the relevant labels: one label, a set, or a row of 0 and 1.
    scores : array-like
        One row per example with a number for each label, higher for what is ranked first. A sparse array ranks what it stores.
    k : int, optional
        How many of the highest scores count. Default: all.
    gain : str, default 'linear'
        "linear" is the relevance itself, "exponential" is 2^relevance - 1.
    ignore_ties : bool, default False
        True ranks tied scores by column; False takes the mean over all orders of the tied ones.
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
    >>> ix.ndcg([[1, 0, 2]], [[0.9, 0.5, 0.1]], k=1)
    0.5
    >>> round(ix.ndcg([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]]), 6)
    0.695694
    """
    check_k(k, "ndcg")
    return _score("ndcg", normalized_gain(k, ignore_ties=ignore_ties), (y_true, scores), gain, (average, undefined), options)


def normalized_gain(k: int | None, *, ignore_ties: bool = False) -> RankingScore:
    """Return discounted cumulative gain over that of the best ranking as a score of rankings."""

    def entries(given: Orders, rows: slice) -> Entries:
        gains = given.gains(rows)
        worth = discounts(k)(np.arange(gains.shape[1]))
        ranked_by = given.scores[rows], gains
        found, best = (gains * _discounts_of_labels(given, rows, worth, x, ignore_ties=ignore_ties) for x in ranked_by)
        ideal = row_sums(best)
        example = np.minimum(row_sums(found), ideal), ideal  # rounding may lead beyond
        return Entries(found, best, given.labels(rows), example=example)

    def stored_gains(given: SparseOrders) -> SparseEntries:
        return gain_over_best(given, discounts(k), ignore_ties=ignore_ties)

    return RankingScore(Meaning(cut_at(NDCG, k), True, NONE_RELEVANT), entries, stored_gains)


def _score(
    caller: str,
    ranking: RankingScore,
    data: tuple[Any, Any],
    gain: str,
    convention: tuple[str, Undefined],
    options: dict[str, Any],
) -> Score:
    """Return a score of gains, of dense or of sparse scores."""
    gain_of, (y_true, scores), negative = _check_gain(caller, gain, options), data, caller == "dcg"
    if isinstance(stored := stored_scores(scores), Sparse):
        given = sparse_orders(y_true, stored, gain_of, signed=negative, **options)
        return score_stored(ranking.kind, given, ranking.stored(given), *convention)  # type: ignore[misc]
    dense = _orders(y_true, scores, gain_of, options)
    if not negative and isinstance(dense.truth, np.ndarray) and (dense.truth < 0).any():
        i, j = map(int, np.argwhere(dense.truth < 0)[0])
        raise ValueError(f"y_true[{i}, {j}] has a negative gain, and then there is no best ranking. Shift it, or use dcg.")
    return ranking.score(dense, *convention)


def _orders(y_true: Any, scores: Any, gain_of: Callable[[Array], Array] | None, options: dict[str, Any]) -> Orders:
    """Return the rankings with gains in place of degrees of relevance."""
    given = orders(y_true, scores, graded=True, **options)
    if not isinstance(given.truth, np.ndarray):
        return given  # both gains of 0 and 1 are 0 and 1
    gains = given.truth if gain_of is None else gain_of(given.truth)
    with quiet():
        largest = np.abs(gains).max(initial=0) * max(gains.shape[1], 1)
    if not np.isfinite(largest):
        i, j = map(int, np.unravel_index(np.abs(gains).argmax(), gains.shape))
        raise ValueError(f"y_true[{i}, {j}] = {given.truth[i, j]:g} has too large a gain to sum. Scale the relevance down.")
    return replace(given, truth=gains)


def _check_gain(caller: str, gain: str, options: dict[str, Any]) -> Callable[[Array], Array] | None:
    """Return the function from relevance to gain, None for the relevance itself."""
    if gain not in GAINS:
        raise ValueError(
            f"gain={gain!r} is unknown. Use {' or '.join(f'{name!r}, {text}' for name, (text, _) in GAINS.items())}."
        )
    check_options(caller, options, ("average", "undefined", *OPTIONS))
    return GAINS[gain][1]


def _exponential(relevance: Array) -> Array:
    """Return 2^relevance - 1, exactly where relevance is a whole number and the result a float."""
    with quiet():
        power = np.floor(relevance)
        whole = np.ldexp(1.0, np.clip(power, -1100, 1100).astype(np.int32)) - 1
        return np.where(relevance == power, whole, np.expm1(relevance * math.log(2)))


GAINS: dict[str, tuple[str, Callable[[Array], Array] | None]] = {  # what a relevance is worth; every gain of 0 is 0, of 1 is 1
    "linear": ("the relevance itself", None),
    "exponential": ("2^relevance - 1", _exponential),
}


def _discounts_of_labels(
    given: Orders, rows: slice, discounts: Array, ranked_by: Array | None = None, *, ignore_ties: bool
) -> Array:
    """Return the discount of each label of some examples, ranked by their scores or by other numbers."""
    if not ignore_ties or given.observed is not None:
        return _shares(given.groups(rows, ignore_ties=ignore_ties, ranked_by=ranked_by), discounts)
    return np.asarray(discounts[ranks_in_rows(given.scores[rows] if ranked_by is None else ranked_by)])


def _shares(groups: Groups, discounts: Array) -> Array:
    """Return the discount of each label of each example; equal scores share theirs."""
    if len(groups.size) == 0 or groups.size.max() == 1:
        return groups.per_label(discounts[groups.above])
    end = np.cumsum(groups.size)
    place = np.arange(end[-1]) - np.repeat(end - groups.size - groups.above, groups.size)  # of every label in its example
    return groups.per_label(np.add.reduceat(discounts[place], end - groups.size) / groups.size)


TIES = ("first", "last", "mean")
ALL_CLASSES = "it is about all classes"
TOP = sums("top_k_accuracy", range=(0, 1), source="russakovsky2015")


@with_interval
@answers_mistakes
def top_k_accuracy(
    y_true: Any,
    scores: Any,
    k: int,
    *,
    ties: str = "first",
    average: str = "micro",
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return the share of examples whose label is among the k with the highest scores.

    A class has the share of its own examples: ``average="macro"`` is balanced top-k accuracy.

    Parameters
    ----------
    y_true : array-like
        One label per example.
    scores : array-like
        One row per example with a number for each class, higher for what is more likely.
    k : int
        How many of the highest scores count.
    ties : str, default 'first'
        Which of the classes with equal scores stands first: the 'first' column or the 'last' column; 'mean' takes the mean
        over all orders of the tied ones.
    average : str, default 'micro'
        "micro" is the mean over all, "exemplar" over examples, "macro" and "weighted" over classes, the name of a by= axis
        over its groups.
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
    >>> scores = [[0.5, 0.3, 0.2], [0.6, 0.2, 0.2]]
    >>> [ix.top_k_accuracy([0, 1], scores, 2, ties=ties) for ties in ("first", "last", "mean")]
    [1.0, 0.5, 0.75]
    """
    check_k(k, "top_k_accuracy")
    if ties not in TIES:
        raise ValueError(f"ties={ties!r}: equal scores are ordered by column, 'first' or 'last', or averaged, 'mean'.")
    taken = tuple(name for name in OF_SWEEPS if name != "positive")
    elsewhere = {**SWEEP_HINTS, "positive": ALL_CLASSES}
    check_options("top_k_accuracy", options, ("ties", "average", "undefined", *taken), elsewhere=elsewhere)
    door = read_rows(y_true, scores, **options)
    rows = door.rows
    if door.kind != "multiclass":
        raise ValueError(
            "top_k_accuracy ranks the label of each example, so it needs one label per example and one column of scores per "
            f"class; this is {door.kind}. Use ix.measures.recall_at_k for several labels."
        )
    if rows.mask is not None and rows.mask.shape[1] > 1:
        raise ValueError("mask hides entries, but a rank compares all classes of an example. Give one True/False per example.")

    def entries(hits: Array) -> Entries:
        shown = np.ones((len(hits), 1), bool) if rows.mask is None else rows.mask
        return Entries(np.where(shown, hits[:, None], 0.0), shown, rows.sides, owners=np.maximum(rows.labels, 0))

    codes, table = rows.there
    hits = hits_at_k(table, codes, k, ties)
    stays = not isinstance(hits, np.ndarray)
    some: Blocks = LossesOnDevice(hits, entries) if stays else [(slice(None), entries(hits))]
    axes = UnitAxes(rows.n, door.units, rows.weights, dict(rows.groups), rows.mask)
    kind = Meaning(replace(TOP, name=f"top_{k}_accuracy"), lacking=UNOBSERVED)
    return average_contributions(kind, axes, some, average, undefined)


def hits_at_k(scores: Any, codes: Any, k: int, ties: str) -> Any:
    """Return 1 for each example whose class is among the k highest scores, else 0; or the expectation.

    >>> hits_at_k(np.array([[0.5, 0.5, 0.1]]), np.array([0]), 1, "mean").tolist()
    [0.5]
    """
    xp, (n, m), found = namespace_of(scores), scores.shape, list[Any]()
    column = xp.arange(m, dtype=xp.int64, device=scores.device)
    everything = [slice(0, n)] if not isinstance(scores, np.ndarray) else blocks(n, m)  # a device needs no small blocks
    for rows in everything:
        some, code = scores[rows, :], xp.expand_dims(xp.astype(codes[rows], xp.int64), axis=1)
        if isinstance(some, np.ndarray):  # which reads chosen entries faster so
            own = some[np.arange(len(some)), code[:, 0]][:, None]
        else:
            own = xp.take_along_axis(some, code, axis=1)
        above, equal = some > own, some == own
        if ties == "mean":
            before, tied = (xp.astype(xp.count_nonzero(x, axis=1), xp.float64) for x in (above, equal))
            found.append(xp.clip((k - before) / tied, 0, 1))
            continue
        above |= equal & (column < code if ties == "first" else column > code)
        found.append(xp.astype(xp.count_nonzero(above, axis=1) < k, xp.float64))
    return xp.concat(found) if found else np.zeros(0)
