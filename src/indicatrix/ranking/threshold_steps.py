"""Steps: which examples are accepted at every threshold of a score (prop:roc, errata A16).

Every curve is built on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algebra.arrays import Array, quiet, refuse_where
from ..algebra.numbers.functions import ratio
from ..encode.containers import read
from ..encode.plain_forms import Labels, is_missing
from ..encode.weights import check_weights, not_numbers


def steps(scores: Array, amounts: Any) -> tuple[Array, Array]:
    """Return the thresholds of a score, and sums over the examples with score >= threshold.

    The thresholds go from +inf down to the lowest score. ``amounts`` has k rows with one number per example; the sums are a k x
    t array. The first threshold accepts nothing, even where a score is +inf; examples with equal scores are accepted together.
    Sums of integers and of fractions are exact, sums of floats are the exact ones, correctly rounded, so that the order of the
    examples changes nothing.

    >>> thresholds, sums = steps(np.array([0.9, 0.2, 0.9]), np.array([[1, 1, 1], [0, 1, 1]]))
    >>> thresholds.tolist(), sums.tolist()
    ([inf, 0.9, 0.2], [[0, 2, 3], [0, 1, 2]])
    """
    order = np.argsort(scores, kind="stable")[::-1]
    ranked = scores[order]
    last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], np.ones(min(len(ranked), 1), bool)))  # of each run of ties
    thresholds = np.concatenate(([np.inf], ranked[last].astype(np.float64)))
    sums = [_running_sums(np.asarray(row)[order], last) for row in amounts]
    return thresholds, np.stack([np.concatenate((np.zeros(1, x.dtype), x)) for x in sums])


def check_scores(scores: Any, n: int, argument: str, observed: Array | None = None) -> Array:
    """Return one number per example; infinite numbers are allowed.

    Text, missing scores and a wrong length are errors. What was not ``observed`` is not read: it may be missing, and is 0 here.

    >>> check_scores([0.5, None], 2, "scores", np.array([True, False])).tolist()
    [0.5, 0.0]
    """
    form = read(scores, argument)
    if not isinstance(form, Labels):
        raise ValueError(f"{argument} must have one number per example, in one dimension.")
    if observed is not None and len(form) == n:
        form = _fill_unobserved(form, observed)
    values = np.asarray(form.values)
    text = values.dtype == object and any(isinstance(v, str | bytes) for v in values)
    if form.categories is not None or values.dtype.kind not in "biufO" or text:
        raise not_numbers(argument)
    if len(values) != n:
        raise ValueError(f"{argument} has {len(values)} entries for {n} examples. Give one number per example.")
    absent = np.array([is_missing(v) for v in values], bool) if values.dtype == object else values != values
    if absent.any():
        raise ValueError(f"{argument}[{int(absent.argmax())}] is NaN: every example needs a number. Fill it, or drop the row.")
    try:
        numbers = values.astype(np.float64) if values.dtype == object else values
    except OverflowError:
        raise ValueError(f"{argument} holds a number beyond the range of floats. Rescale these, or give their ranks.") from None
    rounded = not isinstance(form.values, np.ndarray) and numbers.dtype.kind == "f" and np.abs(numbers).max(initial=0) >= 2**53
    if values.dtype == object or rounded:
        _check_told_apart(form.values, numbers.tolist(), argument)
    return numbers


def _check_told_apart(given: Any, floats: list[float], argument: str) -> None:
    """Raise an error if different numbers become the same float: in a ranking they would be tied."""
    first: dict[float, Any] = {}
    for i, (value, number) in enumerate(zip(given, floats, strict=True)):
        if first.setdefault(number, value) != value:
            raise ValueError(
                f"{argument}[{i}] = {value} and {first[number]} are different numbers and one float. Rescale them, or give their "
                "ranks."
            )


def _fill_unobserved(form: Labels, observed: Array) -> Labels:
    """Return a column of numbers with 0 in place of those that were not observed."""
    values = form.values
    if form.categories is not None or (isinstance(values, np.ndarray) and values.dtype.kind not in "fO"):
        return form
    if isinstance(values, np.ndarray) and values.dtype.kind == "f":
        return Labels(np.where(observed, values, values.dtype.type(0)))
    return Labels([v if here else 0.0 for v, here in zip(values, observed.tolist(), strict=True)])


def _running_sums(row: Array, last: Array) -> Array:
    """Return the sums of the first last + 1 numbers, without intermediate rounding."""
    if row.dtype.kind == "f":
        return _running_floats(row.astype(np.float64, copy=False), last)
    if row.dtype.kind in "biu" and row.size and max(abs(int(row.min())), abs(int(row.max()))) * row.size >= 2**62:
        row = row.astype(object)  # Python integers do not overflow
    sums: Array = np.cumsum(row, dtype=object if row.dtype == object else np.int64)[last]
    return sums


LIMB = 28  # bits: the sum of 2**25 such numbers is exact in float64


def _running_floats(row: Array, last: Array) -> Array:
    """Return the running sums of floats, each rounded once.

    A float is an integer times a power of two. All floats are written as multiples of the smallest such power and divided into
    limbs of a few bits; the limbs are summed as integers.
    """
    if not np.isfinite(row).all():
        raise ValueError(f"amounts[{int(np.argmin(np.isfinite(row)))}] is not finite. Give finite numbers.")
    mantissa, exponent = np.frexp(row)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    here = whole != 0
    if not here.any():
        return np.zeros(len(last))
    trailing = np.frexp((whole & -whole).astype(np.float64))[1] - 1  # zero bits at the end
    unit = int((exponent - 53 + trailing)[here].min())
    span = int(exponent[here].max()) - unit
    sign, magnitude = np.sign(whole), np.abs(whole).astype(np.uint64)
    limbs = []
    for start in range(0, span, LIMB):
        offset = start - (exponent - 53 - unit)  # of this limb in the 53 bits of each number
        down, up = (np.clip(x, 0, most).astype(np.uint64) for x, most in ((offset, 63), (-offset, LIMB)))
        bits = ((magnitude >> down) << up) & np.uint64((1 << LIMB) - 1)
        limbs.append(np.cumsum(sign * bits.astype(np.int64))[last])
    return _round(limbs, unit, len(row))


def _round(limbs: list[Array], unit: int, n: int) -> Array:
    """Return numbers in limbs, the lowest first, in units of a power of two, as the nearest floats."""
    if len(limbs) <= 2 and n < 1 << (53 - LIMB):
        total = limbs[0].astype(np.float64)
        if len(limbs) == 2:
            total += np.ldexp(limbs[1].astype(np.float64), LIMB)  # both exact: one rounding
        with quiet():  # a sum that is too large is infinite
            return np.ldexp(total, unit)
    totals = sum(limb.astype(object) << (LIMB * k) for k, limb in enumerate(limbs))
    scale, divisor = 1 << max(unit, 0), 1 << max(-unit, 0)
    return np.array([ratio(total * scale, divisor) for total in np.atleast_1d(totals)], np.float64)


ROUNDING = 4 * np.finfo(np.float64).eps  # shares of weights such as 0.1 are rounded: three of ten can be slightly more than 0.3


def check_point(name: str, of: str, share: float | None, threshold: float | None) -> None:
    """Raise an error unless exactly one of a share (of this name) and a threshold is given."""
    if (share is None) == (threshold is None):
        raise TypeError(f"at() takes either {name}= or threshold=. Pass exactly one of them.")
    if share is not None and not 0 <= share <= 1:
        raise ValueError(f"{name}={share!r}: give a share of the {of}, from 0 to 1.")
    if threshold is not None and threshold != threshold:
        raise ValueError("threshold= is NaN; give a number.")


def place_of(thresholds: Array, shares: Array, share: float | None, threshold: float | None) -> int:
    """Return the last place that the given share or threshold allows.

    Its share is not above the given one, up to rounding, or its threshold is not below it.

    >>> place_of(np.array([np.inf, 0.9, 0.7]), np.array([0.0, 0.5, 1.0]), 0.8, None)
    1
    """
    within = thresholds >= threshold if share is None else shares <= share * (1 + ROUNDING)
    within[0] = True  # nothing is accepted there, so every limit allows it
    return int(np.flatnonzero(within)[-1])


def weights_of(given: Any, n: int) -> Array | None:
    """Return sample weights, one per example; negative weights are an error."""
    weights = check_weights(given, n, signed=True)
    if weights is not None:
        why = "a curve only grows, so a weight must not be negative. Drop this row."
        refuse_where(weights < 0, "sample_weight", weights, why)
    return weights
