"""Words for messages: labels cut short, lists of names, and more.

Also what becomes of undefined values, and numbers above their limit.

A number that a caller chooses and that costs time or memory has a limit, far above what is of use.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any


def short(label: Any, most: int = 80) -> str:
    """Return the ``repr`` of a label for a message, cut if it is long; of one that has none, its type."""
    try:
        text = repr(label)
    except Exception:  # a list that is nested too deeply, or whatever an object of the caller does
        text = f"<{type(label).__name__}>"
    return text if len(text) <= most else f"{text[: most - 10]}… ({len(text)} characters)"


def type_of(given: Any) -> str:
    """Return the name of a type with its article.

    >>> type_of(3), type_of([]), type_of({}.items())
    ('an int', 'a list', 'a dict_items')
    """
    name = type(given).__name__
    return f"{'an' if name[:1].lower() in 'aeio' or name == 'ndarray' else 'a'} {name}"


def number_of(n: int, noun: str) -> str:
    """Return a number with its noun, in the plural if it is not one.

    >>> number_of(1, "column"), number_of(0, "argument"), number_of(2, "class")
    ('1 column', '0 arguments', '2 classes')
    """
    return f"{n:,} {noun}{'' if n == 1 else 'es' if noun.endswith('s') else 's'}"


def listing(names: Sequence[Any], most: int = 5) -> str:
    """Return names as text, the first few in full.

    >>> listing("abcdefg")
    "'a', 'b', 'c', 'd', 'e' and 2 more"
    """
    shown = ", ".join(map(short, names[:most]))
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def treatment(undefined: Any) -> str:
    """Return what a convention does to undefined values, in words.

    >>> treatment("exclude"), treatment(0)
    ('excluded', 'counted as 0')
    """
    if hasattr(undefined, "otherwise"):
        return f"absent classes excluded, others {treatment(undefined.otherwise)}"
    return {"exclude": "excluded", "nan": "kept as nan"}.get(str(undefined), f"counted as {undefined}")


def series(names: Sequence[Any], last: str = "and") -> str:
    """Return names as they are read aloud, with a word before the last one.

    >>> series(["micro", "macro", "exemplar"]), series([1, 2], "or"), series(["f1"])
    ('micro, macro and exemplar', '1 or 2', 'f1')
    """
    *most, end = map(str, names)
    return f"{', '.join(most)} {last} {end}" if most else end


def rows_in_words(times: Any) -> str:
    """Return in words how many rows stand for how many examples.

    >>> import numpy as np
    >>> rows_in_words(np.array([1, 3])), rows_in_words(np.array([0.5, 2]))
    ('2 distinct rows of 4 examples', '2 rows of examples with a total weight of 2.5')
    """
    total, k = times.sum(), times.size
    rows = f"row{'' if k == 1 else 's'} of"
    if isinstance(total, float):
        return f"{k} {rows} examples with a total weight of {total:.6g}"
    return f"{k} distinct {rows} {total} example{'' if total == 1 else 's'}"


def check_at_most(argument: str, given: int, most: int, use: str) -> None:
    """Refuse a number above its limit; ``use`` says what is enough.

    >>> check_at_most("bins", 10**9, 10**6, "Calibration takes 10 to 100 bins.")
    Traceback (most recent call last):
    ValueError: bins=1,000,000,000 is more than 1,000,000. Calibration takes 10 to 100 bins.
    """
    if given > most:
        raise ValueError(f"{argument}={_in_digits(given)} is more than {most:,}. {use}")


def check_whole(argument: str, given: Any, least: int, most: int | None = None, of: str = "") -> None:
    """Refuse what is not a whole number within its limits; ``of`` says what sets the upper one.

    >>> check_whole("bins", 2.5, 1)
    Traceback (most recent call last):
    ValueError: bins=2.5 must be a whole number of at least 1.
    """
    whole = isinstance(given, Integral) and not isinstance(given, bool)
    if not whole or given < least or (most is not None and given > most):
        limits = f"of at least {least}" if most is None else f"from {least} to {most:,}, {of}"
        raise ValueError(f"{argument}={short(given)} must be a whole number {limits}.")


def _in_digits(number: int) -> str:
    """Return a number with commas, or the power of two below it if it has too many digits to read."""
    return f"{number:,}" if number < 10**30 else f"about 2**{int(number).bit_length() - 1}"
