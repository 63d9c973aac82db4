"""Errors that name arguments as the caller knows them, where ``evaluate`` calls them y_true and y_pred."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

QUOTED = r"""(?<!\w)b?(?:'(?:[^'\\…]|\\.)*['…]|"(?:[^"\\…]|\\.)*["…])"""  # a label, perhaps cut; not the apostrophe of a word


@contextmanager
def called(**names: str) -> Iterator[None]:
    """Name arguments in errors as these names say; what stands in quotes is a label, and stays.

    >>> with called(y_pred="scores"):
    ...     raise ValueError("y_pred[0] is 'y_pred'")
    Traceback (most recent call last):
    ValueError: scores[0] is 'y_pred'
    """
    try:
        yield
    except (TypeError, ValueError) as error:
        words = rf"{QUOTED}|\b(?:{'|'.join(names)})\b"
        text = re.sub(words, lambda found: names.get(found[0], found[0]), str(error))
        if text == str(error):
            raise
        raise type(error)(text) from None
