"""Numbers and labels as a page embeds them."""

from __future__ import annotations

import math
from typing import Any

from ...algebra.arrays import as_weight
from ..grid import name_text

JOINER = "\u200d"  # it joins parts of one emoji


def numbers(xs: Any) -> list[int | float | None]:
    """Return numbers for JSON: whole ones as integers, those that are not finite as None.

    >>> numbers([1.0, 0.5, float("nan")])
    [1, 0.5, None]
    """
    return [None if not math.isfinite(x) else int(x) if x.is_integer() else x for x in as_weight(xs).tolist()]


def label_text(name: Any) -> str:
    r"""Return a label as text in which no character steers a page; quotes show spaces at its ends.

    >>> print(label_text("a\nb"), label_text(""), label_text("dog "))
    a\nb '' 'dog '
    """
    return name_text(name, keep=JOINER)
