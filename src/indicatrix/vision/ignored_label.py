"""The label of pixels that are not observed, as segmentation, segments and surface distances take it."""

from __future__ import annotations

from typing import Any

from ..algebra.wording import short
from ..encode.factorise import objection, plain_label
from ..encode.plain_forms import is_missing
from ..encode.vocabulary import family_of


def check_ignore(ignore: Any, classes: Any, several: str) -> Any:
    """Return the label of pixels that are not observed.

    ``several`` says, in the error of a list, how to hide pixels of several labels.

    >>> import numpy as np
    >>> check_ignore(np.int64(255), None, "")
    255
    """
    if ignore is None:
        return None
    shape: Any = getattr(ignore, "shape", ())
    if isinstance(ignore, list | tuple | set | frozenset | dict) or shape:
        raise ValueError(f"ignore={short(ignore)} must be one label. To hide pixels of several labels, {several}.")
    ignore = plain_label(ignore)
    if is_missing(ignore) or objection(ignore):
        raise ValueError(f"ignore={short(ignore)} is not a label. Give the label of the pixels to leave out.")
    if ignore in list(classes or ()):
        raise ValueError(f"ignore={short(ignore)} is among classes=. Its pixels are not observed: leave it out of classes=.")
    return ignore


def check_type(ignore: Any, held: set[str], place: str) -> None:
    """Refuse a label that no pixel of a place can have, because the labels there are of other types.

    >>> check_type(255, {"number"}, "image 0")
    """
    if ignore is not None and held and (mine := family_of(type(ignore))) not in held:
        raise TypeError(
            f"ignore={short(ignore)} is of type {mine} and the labels are of type {' and '.join(sorted(held))}: "
            f"no pixel of {place} can have it. Give it in the type of the maps."
        )
