"""Measures by spelling: a name with parameters, or a formula."""

from __future__ import annotations

import ast
from difflib import get_close_matches
from typing import Any

from .formula import FormulaError, parse, syntax_tree
from .measure import MEASURES, Measure, measure


def spelled(text: str) -> Measure:
    """Return the measure that a name with parameters or a formula stands for; a close name is suggested for a wrong one.

    >>> import indicatrix as ix
    >>> spelled("f_beta(beta=2)"), spelled("tp / (tp + fp)")
    (f_beta(beta=2), tp / (tp + fp))
    """
    body, _, given = text.partition(";")
    tree = syntax_tree(body)
    match tree:
        case ast.Call(func=ast.Name(id=name), args=[], keywords=keywords) if name in MEASURES:
            return MEASURES[name].at(**{k.arg or "": _number(k.value, text) for k in keywords})
        case ast.Name(id=name) | ast.Call(func=ast.Name(id=name)) if name.isidentifier() and not _is_formula(tree):
            close = get_close_matches(name, MEASURES, n=3)
            hint = f"Did you mean {' or '.join(close)}?" if close else "ix.catalogue() lists them."
            raise ValueError(f"There is no measure {name!r}. {hint}")
    keywords = syntax_tree(f"f({given})").keywords if given.strip() else []  # type: ignore[attr-defined]
    return measure(body, params={k.arg or "": _number(k.value, text) for k in keywords})


def _is_formula(tree: ast.expr) -> bool:
    try:
        return not parse(ast.unparse(tree)).parameters
    except FormulaError:
        return False


def _number(node: ast.expr, text: str) -> Any:
    constant = parse(ast.unparse(node))
    value = constant(0, 0, 0, 0) if not constant.parameters else None
    if not isinstance(value, int | float):
        raise FormulaError(f"A parameter in {text!r} must be a number, e.g. beta=2.")
    return value
