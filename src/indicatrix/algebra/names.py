"""Measures by name: a name, a name with parameters, or a formula."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .measure import MEASURES, Measure, measure

if TYPE_CHECKING:
    import ast


def find(text: str | Measure) -> Measure:
    """Return the measure that a name, a name with parameters, or a formula stands for; a measure's ``repr`` is such a text.

    >>> import indicatrix as ix
    >>> find("f1"), find("f_beta(beta=2)"), find("tp / (tp + fp)")
    (f1, f_beta(beta=2), tp / (tp + fp))
    """
    if isinstance(text, Measure):
        return text
    if not isinstance(text, str):
        raise TypeError(f"A measure is named by text such as 'f1' or 'f_beta(beta=2)', not by {type(text).__name__}.")
    text = text.strip()
    return MEASURES[text] if text in MEASURES else _spelled(text)


def find_for_counts(text: str | Measure, why: str) -> Measure:
    """Return the measure that a text stands for where counts are pooled, as ``why`` says; one that is only an average is refused.

    >>> find_for_counts("exact_match", "a curve pools the counts")
    Traceback (most recent call last):
    ValueError: subset_accuracy exists only as average='exemplar', but a curve pools the counts.
    """
    found = find(text)
    if found.averages:
        raise ValueError(f"{found} exists only as average={found.averages[0]!r}, but {why}.")
    return found


def _spelled(text: str) -> Measure:
    import ast

    from .formula import syntax_tree

    body, _, given = text.partition(";")
    tree = syntax_tree(body)
    match tree:
        case ast.Call(func=ast.Name(id=name), args=[], keywords=keywords) if name in MEASURES:
            return MEASURES[name].at(**_numbers(keywords, text))
        case ast.Call(func=ast.Name(id=name)) if name in MEASURES:
            raise ValueError(f"Name the parameters of {name}: {MEASURES[name]!r}.")
        case ast.Name(id=name) | ast.Call(func=ast.Name(id=name)) if not _is_formula(tree):
            raise ValueError(f"There is no measure {name!r}. {_hint(name)}")
    call = syntax_tree(f"f({given})")
    return measure(body, params=_numbers(call.keywords if isinstance(call, ast.Call) else [], text))


def _hint(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, MEASURES, n=3)
    return f"Did you mean {' or '.join(close)}?" if close else "ix.catalogue() lists them."


def _is_formula(tree: ast.expr) -> bool:
    import ast

    from .formula import FormulaError, parse

    try:
        return not parse(ast.unparse(tree)).parameters
    except FormulaError:
        return False


def _numbers(keywords: list[ast.keyword], text: str) -> dict[str, Any]:
    """Return the parameters of a spelling; each value is a number, or arithmetic on numbers."""
    import ast

    from .formula import FormulaError, parse

    values: dict[str, Any] = {}
    for keyword in keywords:
        constant = parse(ast.unparse(keyword.value))
        value = None if constant.parameters else constant(0, 0, 0, 0)
        if not isinstance(value, int | float) or keyword.arg is None:
            raise FormulaError(f"A parameter in {text!r} must be a number, e.g. beta=2.")
        values[keyword.arg] = value
    return values
