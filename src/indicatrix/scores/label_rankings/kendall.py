"""Kendall's tau: how far two orders of the same things agree, pair by pair.

Outside the algebra (the boundary, sec:label_ranking): concordant and discordant pairs of labels are not cells of examples
and labels.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Counts
from ...algebra.numbers.functions import ratio
from ...algebra.score import Score, Undefined, check_undefined, score_of_units
from ...algebra.sums import sums
from ...encode.containers import read
from ...encode.plain_forms import Form, Labels, Table
from ...encode.weights import check_by, check_mask, check_row_labels
from ...ranking.threshold_steps import check_scores
from ...settings.options import PER_ROW
from ...words.call_mistakes import answers_mistakes
from ..contributions import Entries, Meaning, UnitAxes, average_contributions
from ..score_input import check_options, observed_numbers, plain_weights
from .label_orders import blocks, exact_floats, score_table

TAU = Meaning(
    sums("kendall", range=(-1, 1), source="kendall1945"),
    True,
    ", where one side does not have two different numbers",
    {"class": "it compares pairs of labels, and a pair belongs to no class."},
    unweighted="it compares two orders, so there are no positives and negatives to weight by.",
)
OVER_ROWS = "exemplar"  # the average that is meant if none is named


@answers_mistakes
def kendall(
    y_true: Any,
    scores: Any,
    *,
    average: str = OVER_ROWS,
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return Kendall's tau-b of two vectors, or its mean over the rows of two tables.

    (concordant - discordant pairs) over the geometric mean of the pairs that each side does not tie. Both sides are numbers that
    grow together: two scores, or two ranks; against scores take minus the rank. Tables have one row per example and one
    column per label. Options of tables: ``sample_weight`` weights the rows, ``mask`` leaves entries out, ``by`` names groups of
    rows, and average= such a name is the mean over groups. A side without two different numbers makes tau undefined.

    Parameters
    ----------
    y_true : array-like
        Numbers: a vector, or a table with one row per example.
    scores : array-like
        Numbers of the same shape.
    average : str, default 'exemplar'
        "exemplar" is the mean over rows, the name of a by= axis the mean over its groups.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        sample_weight, mask and by, for tables.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.scores.kendall([1, 2, 3, 4], [0.1, 0.3, 0.2, 0.9])
    0.6666666666666666
    >>> ix.scores.kendall([[1, 2, 3], [1, 2, 3]], [[1, 2, 3], [3, 2, 1]]).values.tolist()
    [1.0, -1.0]
    """
    check_options("kendall", options, ("average", "undefined", *PER_ROW))
    check_row_labels({"y_true": y_true, "scores": scores})
    true, pred = read(y_true, "y_true"), read(scores, "scores")
    if isinstance(true, Labels) and isinstance(pred, Labels):
        name = next((name for name, given in options.items() if given is not None), "average" if average != OVER_ROWS else "")
        if name:
            raise ValueError(f"{name}= is about rows, and two vectors are one ranking. Give two tables, or leave it out.")
        sides = [check_scores(form, len(true), name) for form, name in ((true, "y_true"), (pred, "scores"))]
        a, b = (exact_floats(side.reshape(1, -1)) for side in sides)
        return _of_vectors(float(_tau(a, b, None)[0]), undefined)
    return _of_tables(true, pred, average, undefined, options)


def _of_tables(true: Form, pred: Form, average: str, undefined: Undefined, options: dict[str, Any]) -> Score:
    for form, other, name in ((true, pred, "scores"), (pred, true, "y_true")):
        if isinstance(form, Labels) and isinstance(other, Table) and other.values.shape[1] == 1:
            raise ValueError(f"{name} has one column and the other side is a vector; a vector has one dimension: {name}.ravel().")
    left, right = (score_table(form, name) for form, name in ((true, "y_true"), (pred, "scores")))
    shape = left.values.shape
    if shape != right.values.shape:
        raise ValueError(
            f"y_true has shape {shape} and scores {right.values.shape}; they must rank the same labels of the same examples."
        )
    _check_columns(left, right)
    seen = check_mask(options.get("mask"), *shape)
    a, b = (exact_floats(observed_numbers(side, name, seen)) for side, name in ((left, "y_true"), (right, "scores")))
    weights, by = plain_weights(options.get("sample_weight"), shape[0]), check_by(options.get("by"), shape[0])
    axes = UnitAxes(shape[0], (), weights, by, seen)

    def entries(rows: slice) -> Entries:
        tau = _tau(a[rows], b[rows], None if seen is None else np.broadcast_to(seen[rows], a[rows].shape))[:, None]
        return Entries(np.nan_to_num(tau), ~np.isnan(tau))

    return average_contributions(TAU, axes, ((rows, entries(rows)) for rows in blocks(*shape)), average, undefined)


def _check_columns(true: Table, pred: Table) -> None:
    if true.columns and pred.columns and true.columns != pred.columns:
        raise ValueError("The columns of y_true and scores have different names. Select the same columns in the same order.")


def _of_vectors(value: float, undefined: Undefined) -> Score:
    check_undefined(undefined)
    return score_of_units(TAU.of, "vector", undefined, value, Counts(*[math.nan] * 4), None, why=TAU.lacking)


def _tau(a: Array, b: Array, seen: Array | None) -> Array:
    """Return tau-b of each row.

    Every count of pairs is an exact integer, and the quotient is rounded once or twice.
    """
    m = a.shape[1]
    (first, tied_a), (second, tied_b) = _codes(a, seen), _codes(b, seen)
    joint = np.sort(first * m + second, axis=1)  # in the order of the first side, ties in the order of the second
    tied = _tied_pairs(joint, joint != m * m - 1)
    labels = np.full(len(a), m) if seen is None else seen.sum(axis=1)
    pairs = labels * (labels - 1) // 2
    difference = pairs - tied_a - tied_b + tied - 2 * inversions(joint % max(m, 1))
    untied = (pairs - tied_a).astype(np.float64) * (pairs - tied_b).astype(np.float64)
    return np.asarray(ratio(difference.astype(np.float64), np.sqrt(untied)))


def _codes(values: Array, seen: Array | None) -> tuple[Array, Array]:
    """Return dense ranks from 0 in each row, and its number of tied pairs.

    Entries that were not seen have the last rank, m - 1.
    """
    if seen is not None:
        values = np.where(seen, values, np.nan)  # sorted to the end
    order = np.argsort(values, axis=1)
    rising = np.take_along_axis(values, order, axis=1)
    ranks = np.zeros(values.shape, np.int64)
    np.cumsum(rising[:, 1:] != rising[:, :-1], axis=1, out=ranks[:, 1:])
    codes = np.empty_like(ranks)
    np.put_along_axis(codes, order, ranks, axis=1)
    if seen is not None:
        codes[~seen] = values.shape[1] - 1
    return codes, _tied_pairs(rising, rising == rising)


def _tied_pairs(ordered: Array, counted: Array) -> Array:
    """Return the number of pairs of equal entries in each sorted row, among those that are counted."""
    n, m = ordered.shape
    first = np.ones((n, m), bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=first[:, 1:])
    at = np.flatnonzero(first)
    size = np.diff(np.append(at, n * m))
    pairs = np.where(counted.ravel()[at], size * (size - 1) // 2, 0)
    before = np.concatenate(([0], np.cumsum(pairs)))
    ends = before[np.concatenate(([0], np.cumsum(first.sum(axis=1))))]  # integers: bincount would sum floats
    return np.asarray(np.diff(ends))


def inversions(codes: Array) -> Array:
    """Return for each row of integers from 0 to m - 1 in how many pairs the larger one stands first.

    Bit by bit, from the highest: numbers that agree in all higher bits are one group, in their order. A pair of them with a 1
    before a 0 is an inversion; then the zeros of each group move before its ones. That is a merge sort from its end, with
    every step a sum or a move of whole arrays.

    >>> inversions(np.array([[0, 1, 2], [2, 1, 0], [1, 1, 0]])).tolist()
    [0, 3, 2]
    """
    n, m = codes.shape
    narrow: Any = np.int32 if n * m < 2**31 else np.int64  # half the memory to move
    x, at = codes.ravel().astype(narrow), np.arange(n * m, dtype=narrow)
    start = np.repeat(at[:: max(m, 1)], m)  # where the group of each number begins
    found = np.zeros(n, np.int64)
    for bit in reversed(range(int(m - 1).bit_length() if m else 0)):
        one = (x >> bit) & 1
        before = np.cumsum(one, dtype=narrow) - one
        before -= before[start]  # ones before it in its group
        found += (before * (1 - one)).reshape(n, m).sum(axis=1, dtype=np.int64)
        if not bit:
            break  # no group is left to split
        first = np.flatnonzero(start == at)
        sizes = np.diff(np.append(first, n * m))
        zeros = np.repeat((sizes - np.add.reduceat(one, first)).astype(narrow), sizes) if n else at
        to = np.where(one, start + zeros + before, at - before)
        x, start = _move(x, to), _move(start + one * zeros, to)
    return found


def _move(x: Array, to: Array) -> Array:
    moved = np.empty_like(x)
    moved[to] = x
    return moved
