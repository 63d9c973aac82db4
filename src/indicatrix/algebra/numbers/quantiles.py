"""Quantiles of normal numbers, and by the incomplete beta function of beta, t and F numbers.

A share of a beta distribution is cut at x. Where x is close to 1, the digits of 1 - x are lost, and with them those of the
result; so a place is given by its odds x / (1 - x), which have all digits at both ends. With the logarithm of the odds as the
variable, the density is x**a (1-x)**b / B(a, b), and its logarithm is concave.

Normal quantiles are of many floats at once, or with many digits. For arrays, the rational functions of Wichura (1988, Algorithm
AS 241, Applied Statistics 37:477-484), in the order of steps that Python's ``statistics`` has: so the numbers are the same as one
by one.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np

from ..arrays import Array, quiet

ROUNDING = 5e-16  # a factor of the continued fraction that is closer to 1 changes nothing
CLOSE = 1e-9  # a step of Newton's method, in standard deviations: the next one would be its square
FAR = 4.0  # a step, in logarithms of odds, where Newton's method does not know a better one
NEVER_ZERO = 1e-300  # stands for a denominator of 0 (Lentz's method)
SMALL = 10.0  # Stirling's series is exact to the last digit for larger numbers
STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
HALF_LOG_2_PI = math.log(2 * math.pi) / 2


def share_below(odds: float, a: float, b: float) -> float:
    """Return the share of a beta distribution that lies below a place, given by its odds x / (1 - x).

    >>> round(share_below(1.0, 0.5, 0.5), 12), round(share_below(0.25, 2, 3), 12)
    (0.5, 0.1808)
    """
    if odds <= 0 or math.isinf(odds):
        return 0.0 if odds <= 0 else 1.0
    return math.exp(_log_share(odds, a, b)[0])


@lru_cache(maxsize=4096)
def odds_at(share: float, a: float, b: float) -> float:
    """Return the odds x / (1 - x) of the place below which this share of a beta distribution lies.

    Newton's method on the logarithm of the share. That is a concave function of the logarithm of the odds: after the first step
    the places approach the solution from below.

    >>> round(odds_at(0.1808, 2, 3), 12)
    0.25
    """
    if share > 0.5:
        return 1 / odds_at(1 - share, b, a)
    wanted, width = math.log(share), math.sqrt(1 / a + 1 / b)
    place, step = math.log(a / b) + width * NormalDist().inv_cdf(share), math.inf
    while abs(step) > CLOSE * width:
        found, over_density = _log_share(math.exp(place), a, b)
        step = (found - wanted) * over_density
        place -= step
    return math.exp(place)


@lru_cache(maxsize=4096)
def mid_odds_at(share: float, k: float, n: float) -> float:
    """Return the odds at which more than k of n are seen with this share, k itself counted half.

    The share of more than k is a beta share, and its density has the probability of k itself as a factor.

    >>> round(1 / mid_odds_at(0.025, 20, 20), 6), round(0.05 ** (-1 / 20) - 1, 6)  # p**20 = 2 * 0.025
    (0.161586, 0.161586)
    """
    if k >= n:
        return 1 / math.expm1(-math.log(2 * share) / n)
    width = math.sqrt(1 / (k + 0.5) + 1 / (n - k + 0.5))
    place, step = math.log((k + 0.5) / (n - k + 0.5)) + width * NormalDist().inv_cdf(share), math.inf
    low, high = -math.inf, math.inf
    while abs(step) > CLOSE * width:
        odds = math.exp(place)
        log, over_density = _log_share(odds, k + 1, n - k)
        more = math.exp(log)
        exactly = more / over_density * (1 + odds) / (odds * (n - k))
        found, slope = more + exactly / 2, exactly * (k + (n - k) * odds) / (1 + odds) / 2
        low, high = (low, place) if found > share else (place, high)
        step = math.log(found / share) * found / slope
        if abs(step) > CLOSE * width and not low < place - step < high:  # where k is less than one, a step may go too far
            step = place - ((low + high) / 2 if math.isfinite(low + high) else place - math.copysign(FAR, step))
        place -= step
    return math.exp(place)


def _log_share(odds: float, a: float, b: float) -> tuple[float, float]:
    """Return the logarithm of the share below a place, and the share over the density there."""
    x, y = odds / (1 + odds), 1 / (1 + odds)
    density = _log_density(x, y, a, b)
    if odds * b <= a + 1:
        over_density = _continued_fraction(x, y, a, b)
        return density + math.log(over_density), over_density
    above = math.exp(density) * _continued_fraction(y, x, b, a)  # it converges on this side of the middle
    return math.log1p(-above), (1 - above) / math.exp(density)


def _log_density(x: float, y: float, a: float, b: float) -> float:
    """Return the logarithm of the density of the logarithm of the odds, at x = 1 - y.

    Three gamma functions of large numbers would cancel, and their digits would be lost. So the large parts are put together
    first, as Loader (2000) did for the binomial probability.
    """
    n, apart = a + b, a * y - b * x
    unlikely = a * _excess(-apart / a, n * x / a) + b * _excess(apart / b, n * y / b)
    stirling = _beyond_stirling(n) - _beyond_stirling(a) - _beyond_stirling(b)
    return math.log(a / n * b) / 2 - HALF_LOG_2_PI + stirling - unlikely


def _excess(e: float, ratio: float) -> float:
    """Return e - log(1 + e), where ``ratio`` is 1 + e."""
    if abs(e) < 0.01:
        return e * e * (1 / 2 - e * (1 / 3 - e * (1 / 4 - e * (1 / 5 - e * (1 / 6 - e * (1 / 7 - e * (1 / 8 - e / 9)))))))
    return e - (math.log1p(e) if e > -0.5 else math.log(ratio))


def _beyond_stirling(z: float) -> float:
    """Return log Γ(z) less the first terms of Stirling's series, (z - 1/2) log z - z + log(2π)/2."""
    if z < SMALL:
        return math.lgamma(z) - (z - 0.5) * math.log(z) + z - HALF_LOG_2_PI
    out = 0.0
    for coefficient in reversed(STIRLING):
        out = out / (z * z) + coefficient
    return out / z


def _continued_fraction(x: float, y: float, a: float, b: float) -> float:
    """Return the incomplete beta function over its density, below the middle of the distribution.

    The terms contain a y - b x and not 1 - x, which has lost its digits where b is much smaller than a: DiDonato and
    Morris (1992), Algorithm 708, ACM Transactions on Mathematical Software 18:360-373.
    """
    apart, numerator, n = a * y - b * x, 1.0, 0
    found = ahead = NEVER_ZERO
    behind, factor = 0.0, math.inf
    while abs(factor - 1) > ROUNDING:
        term = n + (a + n) / (a + 2 * n + 1) * (apart + 1 + n * (1 + y))
        if n:
            term += n * (b - n) * x / (a + 2 * n - 1)
        behind = 1 / (term + numerator * behind or NEVER_ZERO)
        ahead = term + numerator / ahead or NEVER_ZERO
        factor = ahead * behind
        found *= factor
        n += 1
        scale = x / (a + 2 * n - 1)
        numerator = n * (a + n - 1) * ((a + b + n - 1) * scale) * ((b - n) * scale)
    return found


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
FARTHEST = (
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
    x = np.where(r <= 5, _rational(TAIL, r - 1.6), _rational(FARTHEST, r - 5.0))
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
