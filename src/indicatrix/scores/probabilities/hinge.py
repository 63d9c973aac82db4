"""Hinge loss: how far decision values fall short of a margin of 1.

It is outside the algebra, as proper scores are: it reads the decision values themselves, and no four counts are behind it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.score import Score, Undefined
from ...algebra.sums import sums
from ...words.call_mistakes import answers_mistakes
from ..contributions import UNOBSERVED, Entries, Meaning, UnitAxes, average_contributions
from ..score_input import OF_SWEEPS, SWEEP_HINTS, check_options, read_rows, with_interval

HINGE = sums("hinge_loss", "lower", source="crammer2001")


@with_interval
@answers_mistakes
def hinge_loss(
    y_true: Any,
    decisions: Any,
    *,
    average: str = "micro",
    squared: bool = False,
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return the mean of max(0, 1 - margin), the loss of support vector machines.

    One decision value per example: the margin is the value for a positive, and minus the value for a negative. One label and a
    row of values per example: the margin is the value of the true class minus the highest of the others (Crammer & Singer).
    Several labels per example: each entry is a problem of its own. The loss is 0 where the margin is at least 1. It has no upper
    limit.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    decisions : array-like
        Decision values, higher for what is more likely: one per example for the positive class, or a row per example with one
        for each class.
    average : str, default 'micro'
        "micro" is the mean over all, "exemplar" over examples, "macro" and "weighted" over classes, the name of a by= axis
        over its groups.
    squared : bool, default False
        Whether each loss is squared, which punishes margins far below 1 more.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        classes, positive, sample_weight, mask, by and missing, as ``evaluate`` takes them.
        With interval=0.95 the result is an interval; clusters= then has the groups that were sampled as a whole.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.hinge_loss([1, 0, 1], [2.0, -0.5, -1.0])  # (0 + 0.5 + 2) / 3
    0.8333333333333334
    >>> ix.hinge_loss([0, 2], [[1.5, 0.25, -1], [0, 0.75, 0.5]])  # (0 + 1.25) / 2
    0.625
    >>> ix.hinge_loss([1, 0, 1], [2.0, -0.5, -1.0], squared=True)  # (0 + 0.25 + 4) / 3
    1.4166666666666667
    """
    check_options("hinge_loss", options, ("average", "squared", "undefined", *OF_SWEEPS), elsewhere=SWEEP_HINTS)
    if not isinstance(squared, bool | np.bool_):
        raise TypeError(f"squared={squared!r} must be True (each loss is squared) or False.")
    door = read_rows(y_true, decisions, argument="decisions", **options)
    rows, codes = door.rows, door.kind == "multiclass"
    if codes and rows.mask is not None and rows.mask.shape[1] > 1:
        raise ValueError("mask hides entries, but a margin compares all classes of an example. Give one True/False per example.")
    losses = hinge_losses(rows.labels, rows.scores)
    losses = losses**2 if squared else losses
    table = losses[:, None] if codes else losses
    seen = np.ones(table.shape, bool) if rows.mask is None else np.broadcast_to(rows.mask, table.shape)
    entries = Entries(np.where(seen, table, 0.0), seen, rows.sides, owners=np.maximum(rows.labels, 0) if codes else None)
    axes = UnitAxes(rows.n, door.units, rows.weights, dict(rows.groups), rows.mask)
    kind = Meaning(HINGE, lacking=UNOBSERVED, binary=door.kind == "binary")
    return average_contributions(kind, axes, [(slice(None), entries)], average, undefined)


def hinge_losses(labels: Array, decisions: Array) -> Array:
    """Return the loss of each example whose class has a code, or of each entry of a table of bools.

    >>> hinge_losses(np.array([0, 1]), np.array([[0.5, 0.0], [0.0, 3.0]])).tolist()
    [0.5, 0.0]
    """
    decisions = decisions.astype(np.float64)  # a copy; unsigned numbers have no negative
    with quiet():  # two infinite values have no difference
        if labels.dtype == bool:
            margin = np.where(labels, decisions, -decisions)
        else:
            at, others = np.arange(len(labels)), decisions
            margin = others[at, labels]
            others[at, labels] = -np.inf
            margin = margin - others.max(axis=1, initial=-np.inf)
        return np.asarray(np.maximum(1 - margin, 0))
