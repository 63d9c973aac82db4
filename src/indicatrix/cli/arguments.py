"""What arguments stand for: measures of any kind, as names with parameters or formulas, and numbers.

Numbers are read and written exactly, or in words if they are not finite.
"""

from __future__ import annotations

import ast
import math
import re
import shlex
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from ..algebra.counts import CELLS
from ..algebra.derived.range_and_direction import Range
from ..algebra.formula import CONSTANTS, FUNCTIONS, MARGINALS, FormulaError, check_length, parse, syntax_of
from ..algebra.kind import every_measure, registered
from ..algebra.measure import MEASURES, Measure
from ..algebra.measure_definition import measure
from ..algebra.measure_names import average_in, find, find_averaged, joined_average, resolve
from ..public_names import HOMES, place
from ..words.names_elsewhere import use_instead
from ..words.wording import close_names, did_you_mean, series, short

NUMBER = re.compile(r"[+-]?(\d{1,40}(/\d{1,40}|\.\d{0,40})?|\.\d{1,40})")


def read_measure(text: str, given: Mapping[str, int | float | Fraction]) -> Measure:
    """Return the measure that a text stands for, at the parameters given.

    >>> print(read_measure("f_beta(beta=2)", {}), "and", read_measure("tp / (tp + w*fp)", {"w": 2}))
    f_beta(beta=2) and tp / (tp + w * fp); w=2
    """
    text = text.strip()
    name = text.partition("(")[0].strip()
    if name not in MEASURES and name.isidentifier() and (known := registered(name)) is not None:
        if not known.settable:
            _refuse(given, text)
        return resolve(text).at(**given)
    if averaged := find_averaged(text):
        _refuse(given, text)
        return averaged
    if named := average_in(text):
        raise ValueError(f"{text!r} names an average, too, which stands apart here: -m {shlex.quote(named[1])} -a {named[0]}.")
    tree = _tree(text)
    if isinstance(tree, ast.Name | ast.Call) and not _is_formula(tree):
        return _by_name(tree, text, given)
    if ";" in text:  # the formula of a measure with its parameters, as its str writes it
        _refuse_twice(given, [part.partition("=")[0].strip() for part in text.partition(";")[2].split(",")], text)
        return find(text).at(**given) if given else find(text)
    _check_names(text, given)
    return measure(text, params=dict(given))


def _tree(text: str) -> ast.expr:
    """Return the syntax tree of a formula or a name; the error names the position of a mistake."""
    body = text.partition(";")[0].strip()
    check_length(body)
    try:
        return syntax_of(body)
    except SyntaxError as wrong:
        place = wrong.offset or 0
        if not body:
            raise ValueError("The measure is empty. Give a name such as f1, or a formula such as 'tp/(tp+fp)'.") from None
        if not 1 <= place <= len(body) or wrong.lineno != 1:
            place = len(body)
        problem = f"{short(body)} is neither a measure nor a formula: {wrong.msg}, at character {place}, {body[place - 1]!r}."
        close = close_names(body, _every_name()) if len(body) < 60 else []
        hint = f"Did you mean {' or '.join(close)}?" if close else "Write arithmetic on tp, fp, fn, tn, e.g. 'tp/(tp+fp)'."
        raise ValueError(f"{problem} {hint}") from None


def _is_formula(tree: ast.Name | ast.Call) -> bool:
    name = ast.unparse(tree if isinstance(tree, ast.Name) else tree.func)
    return name in MARGINALS or name in FUNCTIONS or name in CONSTANTS


def _by_name(tree: ast.Name | ast.Call, text: str, given: Mapping[str, int | float | Fraction]) -> Measure:
    name = ast.unparse(tree if isinstance(tree, ast.Name) else tree.func)
    if name not in MEASURES:
        raise ValueError(f"There is no measure {name!r}. {_suggest(name)}")
    found = find(text)
    if given and not found.params:
        _refuse(given, found.name)
    _refuse_twice(given, [k.arg for k in tree.keywords] if isinstance(tree, ast.Call) else [], text)
    return found.at(**given) if given else found


def _suggest(name: str) -> str:
    """Return what may be meant by a name that is not that of a measure."""
    from ..theory.explain.advice import measures_called

    if elsewhere := measures_called(name):
        return f"It is {elsewhere[0]}'s name of {series(elsewhere[1], 'or')}."
    if joined := joined_average(name):
        return f"The measure is {joined[1]}, and its average stands apart: -a {joined[0]}."
    if advice := use_instead(name):
        return advice
    if name in HOMES and registered(name) is None:
        return f"{place(name)} is a function of Python that is not a measure; help({place(name)}) explains it."
    return did_you_mean(name, _every_name()) or "indicatrix catalogue lists all; --search TEXT finds some."


def _every_name() -> tuple[str, ...]:
    """Return the names of the measures of every kind."""
    return tuple(name for m in every_measure() for name in (m.name, *m.aliases))


def _refuse(given: Iterable[str], name: str) -> None:
    for one in given:
        raise ValueError(f"--set {one}: {name} has no parameters. Leave it out.")


def _refuse_twice(given: Iterable[str], written: Iterable[str | None], text: str) -> None:
    for one in {*given}.intersection(written):
        raise ValueError(f"--set {one}: {text!r} already has a value for it. Leave one of them out.")


def _check_names(text: str, given: Mapping[str, object]) -> None:
    """Refuse a formula with an unknown name, and a value for a parameter that it does not have."""
    try:
        parameters = parse(text, given).parameters
    except FormulaError as wrong:
        raise ValueError(str(wrong)) from None
    for name in parameters:
        if name not in given:
            raise ValueError(f"{_describe_unknown(name, text)} A parameter needs a value: '{text}; {name}=1'.")
    for name in given:
        if name not in parameters:
            raise ValueError(f"--set {name}: the formula {text!r} has no such parameter. Leave it out.")


def _describe_unknown(name: str, text: str) -> str:
    """Return a sentence about a name in a formula that is not a count."""
    words = text.replace("-", "_").isidentifier()
    whole = close_names(text, _every_name(), cutoff=0.9) if words else []
    if whole:  # balanced-accuracy can be read as a difference, but is probably a misspelled name
        return f"{name!r} in {text!r} is not a count; did you mean the measure {whole[0]}?"
    if name in MEASURES:
        return f"{name!r} in {text!r} is a measure, but a formula uses only counts: {' '.join(MARGINALS)}."
    close = close_names(name, MARGINALS)
    hint = f"did you mean {close[0]}?" if close else f"counts are {' '.join(MARGINALS)}."
    return f"{name!r} in {text!r} is not a count; {hint}"


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
