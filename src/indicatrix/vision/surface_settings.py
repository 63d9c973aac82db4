"""What the door of surface distances takes, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

ELEMENTS = ("pixels", "areas")


def check_elements(given: Any) -> str:
    """Return what a surface is made of."""
    if given not in ELEMENTS:
        raise ValueError(f"elements={given!r} is unknown. Choose from {', '.join(map(repr, ELEMENTS))}.")
    return str(given)


def check_one_sided(given: Any) -> Any:
    """Return the distance where only one side has a class: a word, or a number."""
    if given in ("inf", "diagonal"):
        return given
    if isinstance(given, str | bool) or not isinstance(given, int | float | np.number) or not given >= 0:
        raise ValueError(f"one_sided={given!r} is unknown. Use 'inf', 'diagonal', or a distance that is not negative.")
    return float(given)
