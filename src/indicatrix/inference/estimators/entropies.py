"""Entropies of a population whose kinds were not all seen, from how many were seen once and twice.

A sample shows less uncertainty than there is, the more so the more kinds of a population it has not seen. How often kinds were
seen once and twice tells by how much (Chao, Wang & Jost 2013, Methods in Ecology and Evolution 4:1091-1100). A score that is a
sum of entropies of the true class, of the prediction and of both gets its value and its variance from there; the slopes of the
sample know nothing about pairs of classes that were not seen.
"""

from __future__ import annotations

import math

import numpy as np

from ...algebra.arrays import Array

EULER = 0.5772156649015329
FAR = 1.5  # from here on a continued fraction is more exact than a series
TERMS = 30
SHIFT = 8  # beyond it, an expansion of the digamma function is exact


def from_entropies(shares: tuple[int, int, int], table: Array) -> tuple[float, float]:
    """Return a sum of the entropies of rows, columns and cells, in bits, and its variance.

    The variance is that of the jackknife. ``shares`` says how often each of the three counts; ``table`` has whole numbers.

    >>> value, variance = from_entropies((1, 0, 0), np.array([[3.0, 1], [1, 3]]))
    >>> round(value, 3), variance
    (1.096, 0.0)
    """
    sides = (table.sum(axis=1, keepdims=True), table.sum(axis=0, keepdims=True), table)
    asked = [(share, counts) for share, counts in zip(shares, sides, strict=True) if share]
    n = float(table.sum())
    own = _digammas(
        np.concatenate([[n, n - 1], *(counts.ravel() for _, counts in asked)])
    )  # at once: calls cost more than numbers
    value, start = 0.0, 2
    left = np.zeros_like(table)  # the sum without one example of each cell
    for share, counts in asked:
        stop = start + counts.size
        whole, without = _entropy_and_without_each(counts.ravel(), n, own[:2], own[start:stop])
        value, left, start = value + share * whole, left + share * without.reshape(counts.shape), stop
    seen = table > 0
    mean = float((table[seen] * left[seen]).sum()) / n
    variance = (n - 1) / n * float((table[seen] * (left[seen] - mean) ** 2).sum())
    return value / math.log(2), variance / math.log(2) ** 2


def _entropy_and_without_each(x: Array, n: float, of_n: Array, own: Array) -> tuple[float, Array]:
    """Return the entropy of a population, and what it would be without one example of each kind, in nats.

    ``of_n`` has m ψ(m) of n and n - 1, and ``own`` that of each count.
    """
    less = np.where(x > 1, own - own / np.maximum(x, 1.0) - 1, 0.0)  # ψ(x) = ψ(x - 1) + 1 / (x - 1)
    total = float(own.sum())
    whole, without = _seen(total, n, of_n[0]), _seen(total - own + less, n - 1, of_n[1])
    one = x == 1
    if not one.any() and not (x == 2).any():  # nothing was seen once, with all examples or without one of them
        return float(whole), np.asarray(without)
    two = x == 2
    once, twice = float(one.sum()), float(two.sum())
    once_less, twice_less = once - one + two, twice - two + (x == 3)
    sizes = np.append(n, np.full(len(x), n - 1))
    rest = unseen(np.append(once, once_less), np.append(twice, twice_less), sizes)
    return float(whole + rest[0]), without + rest[1:]


def _digammas(counts: Array) -> Array:
    """Return x ψ(x) for whole numbers x; 0 for those that are not above 0."""
    x = np.maximum(counts, 1.0)
    far = x + SHIFT
    inverse = 1 / (far * far)
    psi = np.log(far) - 0.5 / far - inverse * (1 / 12 - inverse * (1 / 120 - inverse / 252))
    below = np.add.reduce(1 / (x + np.arange(SHIFT)[:, None]), axis=0)
    return np.where(counts > 0, x * (psi - below), 0.0)


def _seen(total: Array | float, n: float, of_n: float) -> Array | float:
    """Return the part of an entropy that the kinds that were seen tell, from the sum of their x ψ(x)."""
    return (of_n - total) / n if n > 0 else 0.0 * total


def unseen(once: Array, twice: Array, n: Array | float) -> Array:
    """Return the part of an entropy that kinds have that were not seen.

    How many were seen once and twice tells it.

    >>> unseen(np.array([0.0, 10, 10]), np.array([5.0, 5, 0]), 100).round(3).tolist()
    [0.0, 0.059, 0.142]
    """
    if not once.any():  # of many examples of few kinds
        return np.zeros(np.shape(once))
    most = np.maximum(n - 1, 1.0)
    chance = np.where(
        twice > 0,
        2 * twice / (most * np.maximum(once, 1) + 2 * twice),
        2 / (most * np.maximum(once - 1, 0) + 2),
    )  # how likely one more example is of a kind that was seen once
    with np.errstate(divide="ignore"):
        rate = -np.log1p(-chance)
    far, found = np.minimum((n - 0.5) * rate, 1e9), (once > 0) & (chance < 1)
    part = np.zeros(np.shape(found))
    part[found] = _scaled_integral(far[found])
    return np.asarray(once / np.maximum(n, 1.0) * np.exp(-rate / 2) * part)


def _scaled_integral(t: Array) -> Array:
    """Return exp(t) times the exponential integral of t.

    >>> _scaled_integral(np.array([0.5, 1.0, 2.0])).round(6).tolist()
    [0.922911, 0.596347, 0.361329]
    """
    low, high = np.clip(t, 1e-300, FAR), np.maximum(t, FAR)
    term, series = np.ones_like(low), np.zeros_like(low)
    fraction = np.zeros_like(high)
    for k in range(1, TERMS):
        term = term * -low / k
        series += term / k
    for k in range(TERMS, 0, -1):
        fraction = k / (1 + k / (high + fraction))
    return np.where(t < FAR, np.exp(low) * (-EULER - np.log(low) - series), 1 / (high + fraction))
