"""Claim: a value of the paper beside ours, and whether they agree."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any

NUMBER = re.compile(r"[-+−]?\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?")
ROUNDING = 1e-12


@dataclass(frozen=True)
class Claim:
    """What the paper says, what we find, and, where they differ, why (reason) and where that is explained (errata).

    A statement that is ours alone, such as what the right definition gives, has no paper's side: ``said`` is False.
    """

    what: str
    paper: Any
    ours: Any
    agrees: bool
    reason: str = ""
    errata: str = ""
    said: bool = True

    @property
    def verdict(self) -> str:
        """Return "agrees" or "differs" (from the paper, for a known reason), "holds" (ours alone) or "fails"."""
        if self.failed:
            return "fails"
        return "differs" if not self.agrees else "agrees" if self.said else "holds"

    @property
    def failed(self) -> bool:
        """Return whether the values differ and no reason is known: something that agreed or held does so no more."""
        return not self.agrees and not self.reason


def agree(paper: Any, ours: Any) -> bool:
    """Return whether our value is the paper's to the precision printed there.

    Text with numbers is compared number by number: decimals rounded to the digits printed, fractions and whole numbers as they
    are, floats up to their rounding. Other text and other values must be equal.

    >>> agree("0.727", 8 / 11), agree("0.695", 217 / 312), agree("[0.264, 0.423]", (0.264, 0.4234))
    (True, False, True)
    >>> agree("53/90", Fraction(53, 90)), agree("0", 0.3), agree(275, 275), agree(True, False)
    (True, False, True, False)
    """
    if not isinstance(paper, str):
        return bool(paper == ours)
    printed = NUMBER.findall(paper)
    if isinstance(ours, str) or not printed:
        return bool(paper == ours)
    found = list(ours) if isinstance(ours, Iterable) and getattr(ours, "ndim", 1) != 0 else [ours]
    return len(found) == len(printed) and all(map(_agree_as_printed, printed, found))


def _agree_as_printed(text: str, value: Any) -> bool:
    text = text.replace(",", "").replace("−", "-")
    if "." not in text:
        whole = Fraction(text)
        return (
            math.isclose(whole, value, rel_tol=ROUNDING, abs_tol=ROUNDING) if isinstance(value, float) else bool(whole == value)
        )
    printed = Decimal(text)
    exact = Fraction(value) if isinstance(value, Rational) else Fraction(float(value))
    scaled = Decimal(exact.numerator) / Decimal(exact.denominator)
    # A value halfway between two printed ones may go either way.
    return any(scaled.quantize(printed, rounding) == printed for rounding in (ROUND_HALF_EVEN, ROUND_HALF_UP))
