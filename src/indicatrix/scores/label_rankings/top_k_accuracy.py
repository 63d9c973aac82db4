"""Top-k accuracy: whether the label of an example is among the k that have the highest scores.

``recall_at_k`` is the same of label sets, with ties to the lower column. Here ties may also go to the higher column, as in
scikit-learn, or be averaged; so this reads the rank of one label for each example, and no decision.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.score import Score, Undefined
from ...algebra.sums import sums
from ...encode.device_arrays import namespace_of
from ...words.call_mistakes import answers_mistakes
from ..contributions import UNOBSERVED, Blocks, Entries, LossesOnDevice, Meaning, UnitAxes, average_contributions
from ..score_input import OF_SWEEPS, SWEEP_HINTS, check_options, read_rows, with_interval
from .label_orders import blocks, check_k

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
