"""Quantiles of the normal distribution: of many floats at once, and with many digits.

For arrays, the rational functions of Wichura (1988, Algorithm AS 241, Applied Statistics 37:477-484), in the order of steps that
Python's ``statistics`` has: so the numbers are the same as one by one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..arrays import Array, quiet

FLOAT_BITS = 45  # of a quantile that are known from a float, and those of them that a step may lose
LOST_BITS = 8
# Coefficients of a numerator and a denominator, the highest power first: near the middle, in the tails, and far out.
CENTER = (
    (
        2509.0809287301227,
        33430.57558358813,
        67265.7709270087,
        45921.95393154987,
        13731.69376550946,
        1971.5909503065513,
        133.14166789178438,
        3.3871328727963665,
    ),
    (
        5226.495278852854,
        28729.085735721943,
        39307.89580009271,
        21213.794301586597,
        5394.196021424751,
        687.1870074920579,
        42.31333070160091,
        1.0,
    ),
)
TAIL = (
    (
        0.0007745450142783414,
        0.022723844989269184,
        0.2417807251774506,
        1.2704582524523684,
        3.6478483247632045,
        5.769497221460691,
        4.630337846156546,
        1.4234371107496835,
    ),
    (
        1.0507500716444169e-09,
        0.0005475938084995345,
        0.015198666563616457,
        0.14810397642748008,
        0.6897673349851,
        1.6763848301838038,
        2.053191626637759,
        1.0,
    ),
)
FAR = (
    (
        2.0103343992922881e-07,
        2.7115555687434876e-05,
        0.0012426609473880784,
        0.026532189526576124,
        0.29656057182850487,
        1.7848265399172913,
        5.463784911164114,
        6.657904643501103,
    ),
    (
        2.0442631033899397e-15,
        1.421511758316446e-07,
        1.8463183175100548e-05,
        0.0007868691311456133,
        0.014875361290850615,
        0.1369298809227358,
        0.599832206555888,
        1.0,
    ),
)


def normal_quantiles(p: Array) -> Array:
    """Return the quantiles of shares; infinite at 0 and 1, and nan beyond.

    >>> normal_quantiles(np.array([0.0, 0.025, 0.5, 1.0])).round(6).tolist()
    [-inf, -1.959964, 0.0, inf]
    """
    found = np.where(p == 1, np.inf, np.where(p == 0, -np.inf, np.nan))
    with quiet():
        q = p - 0.5
        middle, outside = np.abs(q) <= 0.425, (np.abs(q) > 0.425) & (p > 0) & (p < 1)
    at = q[middle]
    found[middle] = _rational(CENTER, 0.180625 - at * at, at)
    tail = np.where(q[outside] <= 0, p[outside], 1.0 - p[outside])
    r = np.sqrt(-np.array([*map(math.log, tail.tolist())], np.float64))  # NumPy's logarithm has another last digit
    x = np.where(r <= 5, _rational(TAIL, r - 1.6), _rational(FAR, r - 5.0))
    found[outside] = np.where(q[outside] < 0, -x, x)
    return found


def _rational(coefficients: tuple[tuple[float, ...], ...], r: Array, factor: Array | float = 1.0) -> Array:
    """Return a rational function, with a factor of its numerator."""
    parts = []
    for row in coefficients:
        part = row[0] * r
        for number in row[1:-1]:
            part += number
            part *= r
        part += row[-1]
        parts.append(part)
    return np.asarray(parts[0] * factor / parts[1])


def precise_quantile(library: Any, p: Any, start: float) -> Any:
    """Return a quantile of a share between 0 and 1 with mpmath's digits, by Newton's steps from a float.

    It takes a quarter of the time of ``erfinv``, and does not lose digits of small shares.
    """
    x, known = library.mpf(start), FLOAT_BITS
    while known < library.prec:  # each step doubles the bits, but for a few
        y, density = x / library.sqrt(2), library.exp(-x * x / 2) / library.sqrt(2 * library.pi)
        apart = (library.erf(y) + (1 - 2 * p)) / 2 if p > 0.25 else library.erfc(-y) / 2 - p  # differences of numbers alike
        x, known = x - apart / density, 2 * known - LOST_BITS
    return x
