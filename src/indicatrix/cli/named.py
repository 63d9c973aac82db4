"""The measure that an argument names: a name with its parameters, or a formula. Errors name what is close."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

import click

from ..algebra.formula import FUNCTIONS, MARGINALS, FormulaError, parse
from ..algebra.measure import MEASURES, Measure, measure
from ..algebra.names import find
from ..catalogue.matrix import MATRIX_MEASURES, MatrixMeasure
from .quantities import parameter


def named(text: str, given: Mapping[str, int | float | Fraction]) -> Measure | MatrixMeasure:
    """Return the measure that a text stands for, at the parameters given.

    >>> named("f_beta(beta=2)", {}), named("tp / (tp + w*fp)", {"w": 2})
    (f_beta(beta=2), tp / (tp + w * fp); w=2)
    """
    text = text.strip()
    if text in MATRIX_MEASURES:
        _refuse(given, text)
        return MATRIX_MEASURES[text]
    tree = _tree(text)
    if isinstance(tree, ast.Name | ast.Call) and not _is_formula(tree):
        return _by_name(tree, text, given)
    if ";" in text:  # the formula of a measure with its parameters, as its repr writes it
        return find(text).at(**given) if given else find(text)
    _check_names(text, given)
    return measure(text, params=dict(given))


def _tree(text: str) -> ast.expr:
    """Return the syntax tree of a formula or a name; the error says where reading it stopped."""
    body = text.partition(";")[0].strip()
    try:
        return ast.parse(body, mode="eval").body
    except SyntaxError as wrong:
        place = wrong.offset or 0
        if not body:
            raise click.UsageError("The measure is empty. Give a name, as f1, or a formula, as 'tp/(tp+fp)'.") from None
        if not 1 <= place <= len(body) or wrong.lineno != 1:
            place = len(body)
        said = f"{body!r} is neither a measure nor a formula: {wrong.msg}, at character {place}, {body[place - 1]!r}."
        close = _close(body, (*MEASURES, *MATRIX_MEASURES)) if len(body) < 60 else []
        mend = f"Did you mean {' or '.join(close)}?" if close else "Write arithmetic on tp, fp, fn, tn, e.g. 'tp/(tp+fp)'."
        raise click.ClickException(f"{said} {mend}") from None
    except (ValueError, RecursionError, MemoryError):
        raise click.ClickException("This cannot be read as a formula. Write it shorter, e.g. 'tp/(tp+fp)'.") from None


def _is_formula(tree: ast.Name | ast.Call) -> bool:
    name = ast.unparse(tree if isinstance(tree, ast.Name) else tree.func)
    return name in MARGINALS or name in FUNCTIONS


def _by_name(tree: ast.Name | ast.Call, text: str, given: Mapping[str, int | float | Fraction]) -> Measure:
    name = ast.unparse(tree if isinstance(tree, ast.Name) else tree.func)
    if name not in MEASURES:
        close = _close(name, (*MEASURES, *MATRIX_MEASURES))
        said = f"Did you mean {' or '.join(close)}?" if close else "indicatrix catalogue lists them; --search TEXT finds some."
        raise click.ClickException(f"There is no measure {name!r}. {said}")
    found = MEASURES[name].at(**exact) if (exact := _exact_parameters(tree)) else find(text)
    if given and not found.params:
        _refuse(given, found.name)
    return found.at(**given) if given else found


def _exact_parameters(tree: ast.Name | ast.Call) -> dict[str, Any]:
    """Return the parameters in a spelling such as ``f_beta(beta=1/3)``, as exact as written; none where they are no numbers."""
    exact: dict[str, Any] = {}
    for keyword in tree.keywords if isinstance(tree, ast.Call) and not tree.args else ():
        try:
            value = parse(ast.unparse(keyword.value))(*[Fraction(0)] * 4)
        except (FormulaError, KeyError):
            return {}
        if keyword.arg is None or not isinstance(value, Fraction):
            return {}
        exact[keyword.arg] = parameter(value)
    return exact


def _refuse(given: Iterable[str], name: str) -> None:
    for one in given:
        raise click.UsageError(f"--set {one}: {name} has no parameters.")


def _check_names(text: str, given: Mapping[str, object]) -> None:
    """Refuse a formula with a name that is neither a count nor a parameter with a value, and a value for no parameter."""
    try:
        parameters = parse(text).parameters
    except FormulaError as wrong:
        raise click.ClickException(str(wrong)) from None
    for name in parameters:
        if name not in given:
            raise click.ClickException(f"{_stranger(name, text)} A parameter needs a value, as in --set {name}=1.")
    for name in given:
        if name not in parameters:
            raise click.UsageError(f"--set {name}: the formula {text!r} has no parameter of this name.")


def _stranger(name: str, text: str) -> str:
    """Return what to say of a name in a formula that is no count."""
    words = text.replace("-", "_").isidentifier()
    whole = _close(text, (*MEASURES, *MATRIX_MEASURES), cutoff=0.9) if words else []
    if whole:  # balanced-accuracy is a difference, but hardly meant as one
        return f"{name!r} in {text!r} is no count; did you mean the measure {whole[0]}?"
    if name in MEASURES:
        return f"{name!r} in {text!r} is a measure, and a formula is made of counts: {' '.join(MARGINALS)}."
    close = _close(name, MARGINALS)
    said = f"did you mean {close[0]}?" if close else f"counts are {' '.join(MARGINALS)}."
    return f"{name!r} in {text!r} is no count; {said}"


def _close(name: str, names: Iterable[str], *, cutoff: float = 0.7) -> list[str]:
    """Return the names close to one, whatever the case and the punctuation: ``F1``, ``balanced-accuracy``."""
    plain = {known.casefold(): known for known in names}
    wanted = name.strip().casefold().replace("-", "_").replace(" ", "_")
    return [plain[match] for match in get_close_matches(wanted, plain, n=3, cutoff=cutoff)]
