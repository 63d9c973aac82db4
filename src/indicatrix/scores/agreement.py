"""Kendall's tau: how far two orders of the same things agree, pair by pair.

Outside the algebra (the boundary, sec:label_ranking): concordant and discordant pairs of labels are no cells of examples and
labels.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..algebra.arrays import ratio
from ..algebra.average import Quantity, Score, Undefined, UndefinedError, check_undefined
from ..algebra.containers import read
from ..algebra.counts import Counts
from ..algebra.forms import Labels, Table
from ..algebra.weights import check_mask, check_weights
from ..tally.kernels import Array
from ..tally.steps import check_scores
from .orders import blocks, exact_floats, mean_over_examples, score_table

TAU = Quantity("kendall")


def kendall(y_true: Any, scores: Any, *, sample_weight: Any = None, mask: Any = None, undefined: Undefined = "exclude") -> Score:
    """Return Kendall's tau-b of two vectors, or its mean over the rows of two tables (sec:label_ranking).

    (concordant - discordant pairs) over the geometric mean of the pairs that each side does not tie. Both sides are numbers that
    grow together: two scores, or two ranks; against scores take minus the rank. Tables have one row per example and one
    column per label; ``sample_weight`` weights the rows, ``mask`` leaves entries out. A side without two different numbers makes
    tau undefined.

    >>> kendall([1, 2, 3, 4], [0.1, 0.3, 0.2, 0.9])
    0.6666666666666666
    >>> kendall([[1, 2, 3], [1, 2, 3]], [[1, 2, 3], [3, 2, 1]]).values.tolist()
    [1.0, -1.0]
    """
    check_undefined(undefined)
    true, pred = read(y_true, "y_true"), read(scores, "scores")
    if isinstance(true, Labels) and isinstance(pred, Labels):
        if sample_weight is not None or mask is not None:
            name = "sample_weight" if sample_weight is not None else "mask"
            raise ValueError(f"{name}= speaks of rows, and two vectors are one ranking. Give two tables, or leave it out.")
        sides = [check_scores(form, len(true), name) for form, name in ((true, "y_true"), (pred, "scores"))]
        a, b = (exact_floats(side.reshape(1, -1)) for side in sides)
        return _of_vectors(float(_tau(a, b, None)[0]), undefined)
    a, b = (score_table(form, name).values for form, name in ((true, "y_true"), (pred, "scores")))
    if a.shape != b.shape:
        raise ValueError(f"y_true has shape {a.shape} and scores {b.shape}; they must rank the same labels of the same examples.")
    _check_columns(true, pred)
    seen, weights = check_mask(mask, *a.shape), check_weights(sample_weight, len(a))
    a, b, values = exact_floats(a), exact_floats(b), np.empty(len(a))
    for rows in blocks(*a.shape):
        values[rows] = _tau(a[rows], b[rows], None if seen is None else np.broadcast_to(seen[rows], a[rows].shape))
    return mean_over_examples(TAU, values, weights, undefined)


def _check_columns(true: Any, pred: Any) -> None:
    if isinstance(true, Table) and isinstance(pred, Table) and true.columns and pred.columns and true.columns != pred.columns:
        raise ValueError("The columns of y_true and scores have different names. Select the same columns in the same order.")


def _of_vectors(value: float, undefined: Undefined) -> Score:
    if math.isnan(value) and undefined == "raise":
        raise UndefinedError("kendall is undefined: one side has no two different numbers. Choose a number, or 'nan'.")
    shown = float(undefined) if math.isnan(value) and not isinstance(undefined, str) else value
    return Score(shown, TAU, "vector", undefined, value, Counts(*[math.nan] * 4), None)


def _tau(a: Array, b: Array, seen: Array | None) -> Array:
    """Return tau-b of each row: every count of pairs is an exact integer, and the quotient is rounded once or twice."""
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
    """Return dense ranks from 0 in each row, and its number of tied pairs; entries not seen have the last rank, m - 1."""
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
            break  # nothing is left to part
        first = np.flatnonzero(start == at)
        sizes = np.diff(np.append(first, n * m))
        zeros = np.repeat((sizes - np.add.reduceat(one, first)).astype(narrow), sizes) if n else at
        to = np.where(one, start + zeros + before, at - before)
        x, start = _moved(x, to), _moved(start + one * zeros, to)
    return found


def _moved(x: Array, to: Array) -> Array:
    moved = np.empty_like(x)
    moved[to] = x
    return moved
