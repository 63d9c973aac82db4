"""Numbers as the command line reads and writes them: exact, or in words if they are not finite."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

from ..algebra.counts import CELLS
from ..algebra.derived.value_range import Range

NUMBER = re.compile(r"[+-]?(\d{1,40}(/\d{1,40}|\.\d{0,40})?|\.\d{1,40})")


def number(text: str, *, option: str) -> int | Fraction:
    """Return the exact number in a text: an integer, a decimal number or a fraction.

    >>> number("3", option="--set"), number("0.1", option="--set"), number("1/3", option="--set")
    (3, Fraction(1, 10), Fraction(1, 3))
    """
    given = text.strip()
    try:
        if not NUMBER.fullmatch(given):
            raise ValueError
        value = Fraction(given)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{option}: {text!r} is not a number. Write 3, 0.5 or 1/2.") from None
    return value.numerator if value.denominator == 1 else value


def four_counts(text: str | None) -> tuple[int | Fraction, ...] | None:
    """Return tp, fp, fn, tn from the text of ``--counts``."""
    if text is None:
        return None
    parts = text.split(",")
    if len(parts) != 4:
        raise ValueError(f"--counts {text!r} has {len(parts)} numbers, not 4. Write TP,FP,FN,TN, e.g. --counts 8,2,1,89.")
    four = tuple(number(part, option=f"--counts, {cell}") for cell, part in zip(CELLS, parts, strict=True))
    for cell, x in zip(CELLS, four, strict=True):
        if x < 0:
            raise ValueError(f"--counts: {cell} is {x}, but a count cannot be negative. Write 0 or more.")
    return four


def probabilities(text: str | None) -> list[float] | None:
    """Return the numbers from the text of ``--eta``."""
    return None if text is None else [float(number(part, option="--eta")) for part in text.split(",")]


def sizes_of_classes(text: str | None) -> list[int] | None:
    """Return the class sizes from the text of ``--sizes``; each is a number of examples."""
    if text is None:
        return None
    sizes = [number(part, option="--sizes") for part in text.split(",")]
    for i, size in enumerate(sizes):
        if not isinstance(size, int) or size < 1:
            raise ValueError(f"--sizes: number {i + 1} is {size}, but a class has 1, 2, 3, … examples. Write a whole number.")
    if len(sizes) < 2:
        raise ValueError("--sizes has 1 size, but a problem has 2 classes or more. Give one size for each class.")
    return [int(size) for size in sizes]


def parameter(x: int | Fraction) -> int | float | Fraction:
    """Return an exact number as an integer, as a float if its decimals are exact, or as a fraction.

    >>> parameter(Fraction(4, 2)), parameter(Fraction(1, 2)), parameter(Fraction(1, 3))
    (2, 0.5, Fraction(1, 3))
    """
    if Fraction(x).denominator == 1:
        return int(x)
    near = plain(x)
    return near if near is not None and Fraction(str(near)) == x else x


def settings(pairs: tuple[str, ...]) -> dict[str, int | float | Fraction]:
    """Return the parameters from the texts of ``--set``."""
    found: dict[str, int | float | Fraction] = {}
    for pair in pairs:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not name.isidentifier():
            raise ValueError(f"--set {pair!r} is not a name and a number. Write NAME=NUMBER, e.g. --set beta=2.")
        if name in found:
            raise ValueError(f"--set gives {name} twice. Give it once.")
        found[name] = parameter(number(value, option=f"--set {name}"))
    return found


def plain(value: Any) -> float | None:
    """Return a value as a float for JSON, or None if it is undefined or infinite."""
    try:
        x = float(value)
    except OverflowError:
        return None
    return x if math.isfinite(x) else None


def exact(value: Any) -> str | None:
    """Return a rational value as the text of a fraction; None for any other value."""
    return str(Fraction(value)) if isinstance(value, int | Fraction) else None


def in_words(value: Any) -> str:
    """Return a value for people: the fraction with its decimals, or a text if it is not finite.

    >>> in_words(Fraction(3, 4)), in_words(Fraction(6, 13)), in_words(2), in_words(0.7071067811865476)
    ('3/4 = 0.75', '6/13 ≈ 0.461538', '2', '0.707107')
    """
    if isinstance(value, float) and math.isnan(value):
        return "undefined (0/0); averages leave it out by default"
    if isinstance(value, float) and math.isinf(value):
        return f"{'' if value > 0 else '-'}∞; averages treat it as undefined"
    if not isinstance(value, int | Fraction):
        return f"{float(value):.6g}"
    near = plain(value)
    if Fraction(value).denominator == 1 or near is None:
        return str(value)
    return f"{value} {'=' if Fraction(f'{near:.6g}') == value else '≈'} {near:.6g}"


def interval(bounds: tuple[float, float]) -> str:
    """Return a range as text; ends that are infinite, or never reached, are open.

    >>> interval((0, 1)), interval((-math.inf, 0.5))
    ('[0, 1]', '(-∞, 0.5]')
    """
    return str(bounds if isinstance(bounds, Range) else Range(*bounds))
