"""Numbers that a caller chooses and that cost time or memory.

Each has a limit, far above what is of use.
"""

from __future__ import annotations


def check_at_most(argument: str, given: int, most: int, use: str) -> None:
    """Refuse a number above its limit; ``use`` says what is enough.

    >>> check_at_most("bins", 10**9, 10**6, "Calibration takes 10 to 100 bins.")
    Traceback (most recent call last):
    ValueError: bins=1,000,000,000 is more than 1,000,000. Calibration takes 10 to 100 bins.
    """
    if given > most:
        raise ValueError(f"{argument}={_in_digits(given)} is more than {most:,}. {use}")


def _in_digits(number: int) -> str:
    """Return a number with commas, or the power of two below it if it has too many digits to read."""
    return f"{number:,}" if number < 10**30 else f"about 2**{int(number).bit_length() - 1}"
