"""The label of pixels that are not observed, as segmentation and surface distances take it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algebra.wording import short
from ..encode.factorise import plain_label
from ..encode.plain_forms import is_missing


def check_ignore(ignore: Any, classes: Any, several: str) -> Any:
    """Return the label of pixels that are not observed.

    ``several`` says, in the error of a list, how to hide pixels of several labels.

    >>> check_ignore(np.int64(255), None, "")
    255
    """
    if ignore is None:
        return None
    if np.ndim(ignore):
        raise ValueError(f"ignore={short(ignore)} must be one label. To hide pixels of several labels, {several}.")
    ignore = plain_label(ignore)
    if is_missing(ignore):
        raise ValueError(f"ignore={short(ignore)} is not a label. Give the label of the pixels to leave out.")
    if ignore in list(classes or ()):
        raise ValueError(f"ignore={short(ignore)} is among classes=. Its pixels are not observed: leave it out of classes=.")
    return ignore
