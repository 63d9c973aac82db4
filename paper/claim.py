"""Claim: a value of the paper, our value, and whether they agree."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any, Literal

NUMBER = re.compile(r"[-+−]?\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?")
ROUNDING = 1e-12


Kind = Literal["computed", "declared", "ours"]
VERDICTS: dict[Kind, str] = {"computed": "agrees", "declared": "declared", "ours": "holds"}
NOTABLE = ("differs", "fails")  # the verdicts that a reader looks for


@dataclass(frozen=True)
class Claim:
    """What the paper says, what we find, and why they differ, if they do.

    ``kind`` says what stands against the paper's value: a value that we computed, or one that we only declared in a table of our
    own; or that the statement is ours alone and the paper's side is empty. A known difference has its reason, the label of the
    errata entry that explains it, and ``pinned``, our value as it is known: another value is a failure.
    """

    what: str
    paper: Any
    ours: Any
    agrees: bool
    reason: str = ""
    errata: str = ""
    pinned: Any = None
    kind: Kind = "computed"
    known_reason: str | tuple[str, ...] = ""  # the reason with our numbers as they are known; a tuple has those of a loop

    def __post_init__(self) -> None:
        if bool(self.reason) != (self.pinned is not None):
            raise ValueError(
                f"The claim {self.what!r} has {'a reason to differ' if self.reason else 'a pinned value'} but no "
                f"{'pinned value' if self.reason else 'reason to differ'}. Give both, or neither if it agrees with the paper."
            )

    @property
    def verdict(self) -> str:
        """Return "agrees", "declared", "holds" (ours alone), "differs" (as it is known) or "fails"."""
        if self.reason:
            known = (self.known_reason,) if isinstance(self.known_reason, str) else self.known_reason
            changed = bool(self.known_reason) and self.reason not in known
            return "differs" if not self.agrees and agree(self.pinned, self.ours) and not changed else "fails"
        return VERDICTS[self.kind] if self.agrees else "fails"

    @property
    def failed(self) -> bool:
        """Return whether something that agreed or held no longer does, or a known difference has changed."""
        return self.verdict == "fails"


def agree(paper: Any, ours: Any) -> bool:
    """Return whether our value is the paper's, or the pinned one, to the precision of its text.

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
    if not math.isfinite(value):
        return False
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
