"""The measure of any kind that an argument stands for: a name with its parameters, or a formula."""

from __future__ import annotations

import ast
import shlex
from collections.abc import Iterable, Mapping
from fractions import Fraction

from ..algebra.expression import syntax_of
from ..algebra.formula import CONSTANTS, FUNCTIONS, MARGINALS, FormulaError, check_length, parse
from ..algebra.measure import MEASURES, Measure
from ..algebra.measure_definition import measure
from ..algebra.measure_names import average_in, find, find_averaged, joined_average, resolve
from ..algebra.registry import every_measure, registered
from ..public_names import HOMES, place
from ..words.names_elsewhere import use_instead
from ..words.spelling import close_names, did_you_mean
from ..words.wording import series, short


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
    from ..theory.explain.other_names import measures_called

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
