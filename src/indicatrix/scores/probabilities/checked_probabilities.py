"""Probabilities as they are given: read where observed, in range, summing to 1 (sec:calibration)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.plain_forms import Labels, Table
from ...ranking.threshold_steps import check_scores
from ..observed_entries import observed_numbers


def numbers(form: Labels | Table, seen: Array | None) -> Array:
    """Return numbers (n,) or (n, m) in the type that they were given in.

    What was not observed is not read, and is 0.
    """
    if isinstance(form, Labels):
        return check_scores(form, len(form), "y_proba", None if seen is None else seen[:, 0])
    return observed_numbers(form, "y_proba", seen)


def precision(y_proba: Any, values: Array) -> float:
    """Return the relative precision of the number type that probabilities were given in.

    NumPy has no bfloat16: such numbers are read as float32, which they fit in, but they are not that precise.

    >>> precision([0.5], np.array([0.5])) == 2**-52
    True
    """
    if str(getattr(y_proba, "dtype", "")).endswith("bfloat16"):
        return 2.0**-7
    return float(np.finfo(values.dtype if values.dtype.kind == "f" else np.float64).eps)


def probabilities(values: Array, seen: Array | None, epsilon: float | None, *, renormalize: bool = False) -> Array:
    """Return probabilities (n, m) as float64, checked where they were observed, and 0 elsewhere.

    With ``epsilon``, rows must sum to 1.
    """
    p = values.astype(np.float64) if values.ndim == 2 else values.astype(np.float64)[:, None]
    whole = np.ones(len(p), bool) if seen is None else np.asarray(seen.all(axis=1))  # rows of which everything was observed
    if seen is not None:
        p = np.where(seen, p, 0.0)
    if renormalize:
        if seen is not None and seen.shape[1] > 1:
            raise ValueError(
                "renormalize=True divides by the sum of a row, and mask hides entries of it. Divide y_proba yourself."
            )
        p = _renormalize(p, whole)
    _check_range(p, values.ndim)
    if epsilon is not None:
        _check_sums(p, whole, math.sqrt(epsilon))
    return p


def _check_range(p: Array, ndim: int) -> None:
    outside = np.argwhere((p < 0) | (p > 1))
    if len(outside):
        at = tuple(map(int, outside[0]))
        raise ValueError(
            f"y_proba[{', '.join(map(str, at[:ndim]))}] = {p[at]}: a probability lies in [0, 1]. Logits need a sigmoid or a "
            "softmax first; np.clip(y_proba, 0, 1) removes rounding errors."
        )


def _renormalize(p: Array, whole: Array) -> Array:
    negative = np.argwhere(~((p >= 0) & (p < np.inf)))
    if len(negative):
        row, column = map(int, negative[0])
        raise ValueError(f"y_proba[{row}, {column}] = {p[row, column]}: renormalize=True takes finite numbers from 0 on.")
    total = np.where(whole, p.sum(axis=1), 1.0)
    if (total == 0).any():
        raise ValueError(f"y_proba[{int(total.argmin())}] sums to 0 and cannot be renormalized. Give some class a probability.")
    return np.asarray(np.minimum(p / total[:, None], 1.0))  # a sum may round to less than its largest part


def _check_sums(p: Array, whole: Array, tolerance: float) -> None:
    """Refuse rows that do not sum to 1.

    The tolerance, the root of the number type's epsilon, is that of scikit-learn.
    """
    total = p.sum(axis=1)
    off = (abs(total - 1) > tolerance) & whole
    if not off.any():
        return
    row = int(off.argmax())
    if p.shape[1] == 1:
        raise ValueError(
            f"y_proba has one column, so each example has that class for certain, but y_proba[{row}] = {total[row]:.6g}. One "
            "probability per example, of the positive class, has one dimension: y_proba.ravel()."
        )
    raise ValueError(
        f"y_proba[{row}] sums to {_not_one(total[row])}, but each example has one of the classes, so its probabilities sum to 1 "
        f"(within {tolerance:.1g}). Pass renormalize=True to divide rows by their sums, or sums='any' to take them so; for "
        "several labels per example give y_true as a 0/1 matrix or sets."
    )


def _not_one(total: float) -> str:
    """Return a sum with six digits, or with more if it would look like 1."""
    text = f"{total:.6g}"
    return text if text != "1" else f"{total:.10g}"
