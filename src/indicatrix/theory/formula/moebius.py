"""Möbius functions (p x + q)/(r x + s) of a share x: values, texts, and how to find them.

A share is an accuracy or a prevalence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...algebra.numbers.exact import Value

Point = tuple[Fraction, Fraction]  # a share and the value there


@dataclass(frozen=True)
class Moebius:
    """The function (p x + q)/(r x + s) with integer coefficients; its text calls x ``acc``.

    >>> str(Moebius(10, -1, 0, 9)), Moebius(1, 0, -1, 2)(Fraction(1, 2)), str(Moebius(1, 0, -1, 2)), str(Moebius(-1, 0, 0, 2))
    ('(10 acc - 1)/9', Fraction(1, 3), 'acc/(2 - acc)', '-acc/2')
    """

    p: int
    q: int
    r: int
    s: int

    def __call__(self, x: Any) -> Value:
        """Return the value at a share; nan at a pole."""
        a = Fraction(x)
        return (self.p * a + self.q) / (self.r * a + self.s) if self.r * a + self.s else math.nan

    def text(self, variable: str = "acc", *, times: str = " ") -> str:
        """Return the formula in a variable; ``times`` stands between a coefficient and the variable.

        >>> Moebius(2, 0, 4, 1).text("prevalence", times="*"), Moebius(0, 3, -4, 4).text("acc")
        ('2*prevalence/(4*prevalence + 1)', '3/(4 - 4 acc)')
        """
        num, den = (_linear(*pair, variable=variable, times=times) for pair in ((self.p, self.q), (self.r, self.s)))
        if den == "1":
            return num
        compound = self.r and (self.s or abs(self.r) != 1)  # 1/2 x could be read as half of x
        return f"{f'({num})' if self.p and self.q else num}/{f'({den})' if compound else den}"

    def __str__(self) -> str:
        return self.text()


def _linear(slope: int, constant: int, *, variable: str, times: str) -> str:
    """Return the text of slope x + constant."""
    if not slope:
        return str(constant)
    size = variable if abs(slope) == 1 else f"{abs(slope)}{times}{variable}"
    if slope < 0 < constant:
        return f"{constant} - {size}"
    term = f"-{size}" if slope < 0 else size
    return f"{term} {'+' if constant > 0 else '-'} {abs(constant)}" if constant else term


def fit_moebius(points: Sequence[Point], *, positive_at: Fraction = Fraction(1, 2)) -> Moebius | None:
    """Return the Möbius function through all points with the smallest integers, or None.

    Fewer than three shares between 0 and 1 determine only a constant. The denominator is positive at ``positive_at``, or at
    the first such share if the pole is at ``positive_at``.

    >>> print(fit_moebius([(Fraction(k, 4), Fraction(k, 8 - k)) for k in range(5)]))
    acc/(2 - acc)
    >>> points = [(Fraction(k, 8), Fraction(k, 3 * k - 8)) for k in range(9)]
    >>> print(fit_moebius(points), fit_moebius(points, positive_at=Fraction(0)), sep=" = ")
    acc/(3 acc - 1) = -acc/(1 - 3 acc)
    """
    known = list(dict(points).items())  # two different values of one share are found at the end
    if not known:
        return None
    inner = [point for point in known if 0 < point[0] < 1] or known
    (x, y), (x2, y2), (x3, y3) = inner[0], inner[len(inner) // 2], inner[-1]
    if y == y2 == y3:
        coefficients = (Fraction(0), y, Fraction(0), Fraction(1))
    elif y in (y2, y3) or y2 == y3:  # it would be neither constant nor injective
        return None
    else:  # with t = share - x, the function is (slope t + y)/(bend t + 1)
        k2, k3 = (y2 - y) / (x2 - x), (y3 - y) / (x3 - x)
        bend = (k2 - k3) / (y3 - y2)
        slope = k2 + y2 * bend
        coefficients = (slope, y - slope * x, bend, 1 - bend * x)
    found = _whole(coefficients, positive_at)
    return found if all(found(share) == value for share, value in points) else None


def _whole(coefficients: Sequence[Fraction], positive_at: Fraction) -> Moebius:
    """Return the function with coprime integers and a denominator that is not negative at a share."""
    common = math.lcm(*(c.denominator for c in coefficients))
    whole = [int(c * common) for c in coefficients]
    sign = -1 if whole[2] * positive_at + whole[3] < 0 else 1
    return Moebius(*(sign * c // math.gcd(*whole) for c in whole))
