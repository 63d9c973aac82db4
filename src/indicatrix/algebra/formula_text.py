"""The formula of a measure as text that the formula parser reads, taken from its Python source.

The text shows what is computed, with ``ratio(a, b)`` written as ``a / b`` and every intermediate result replaced by its
expression. Nothing is multiplied out, and no further library is needed.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from functools import cache
from textwrap import dedent
from typing import Any

from .formula import MARGINALS, FormulaError, parse

PARSER_NAMES = {"absolute": "abs", "minimum": "min", "maximum": "max"}
PROBE = (1, 10, 100, 1000)  # all sums of these differ, so a sum shows which counts are in it
Names = Mapping[str, ast.expr]


def formula_as_text(formula: Callable[..., Any]) -> str:
    """Return the formula that a function of four counts computes, or "" if its source is not a formula.

    >>> import indicatrix as ix
    >>> formula_as_text(ix.f1.function), formula_as_text(ix.mcc.function)
    ('2 * tp / (2 * tp + fp + fn)', '(tp * tn - fp * fn) / sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))')
    """
    if hasattr(formula, "text"):
        return str(formula.text)
    try:
        return ast.unparse(_returned_expression(formula, {}))
    except (OSError, TypeError, SyntaxError, ValueError):  # the source is not available, or is not a formula
        return ""


@cache
def _definition(function: Callable[..., Any]) -> ast.FunctionDef:
    made = ast.parse(dedent(inspect.getsource(function))).body[0]
    if not isinstance(made, ast.FunctionDef):
        raise ValueError("A formula can be read only from the source of a function.")
    return made


def _returned_expression(function: Callable[..., Any], names: Names) -> ast.expr:
    """Return the expression that a function returns, with its intermediate results put in."""
    known, inside = dict(names), getattr(function, "__globals__", {})
    for statement in _definition(function).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                known[name] = _substitute(name, _Inliner(known, inside).visit(_copy(value)))
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
                parts = _Inliner(known, inside).visit(_copy(value)).elts
                named = [target.id for target in targets if isinstance(target, ast.Name)]
                known.update((name, _substitute(name, part)) for name, part in zip(named, parts, strict=True))
            case ast.Return(value=ast.expr() as value):
                found: ast.expr = _Inliner(known, inside).visit(_copy(value))
                return found
            case ast.Expr(value=ast.Constant()):  # the docstring
                continue
            case _:  # an if, a loop: what is returned at the end is not the whole formula
                break
    raise ValueError("A formula can be read only from a function that returns an expression.")


def _copy(tree: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(tree), mode="eval").body


def _substitute(name: str, value: ast.expr) -> ast.expr:
    """Return the name of an intermediate result if the parser knows it, as ``n``, else its expression."""
    if name in MARGINALS:
        try:
            if parse(ast.unparse(value))(*PROBE) == MARGINALS[name](*PROBE):
                return ast.Name(name)
        except (FormulaError, KeyError):
            pass
    return value


class _Inliner(ast.NodeTransformer):
    """Replace names by their expressions, and the library's functions by arithmetic."""

    def __init__(self, names: Names, inside: Mapping[str, Any]) -> None:
        self.names, self.inside = names, inside

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.names.get(node.id, node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return ast.Name(node.attr)  # math.pi is pi

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name, args = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func), node.args
        given: list[ast.expr] = [self.visit(arg) for arg in args]
        match name, given:
            case ("constant", [a, _]):  # the second argument is a count that gives the number type
                return ast.Name(str(a.value)) if isinstance(a, ast.Constant) and isinstance(a.value, str) else a
            case ("ratio", [a, b]):
                return ast.BinOp(a, ast.Div(), b)
            case ("power", [a, b]):
                return ast.BinOp(a, ast.Pow(), b)
            case ("log1p", [a]):
                return _call("log", ast.BinOp(ast.Constant(1), ast.Add(), a))
            case ("log_ratio", [a, b, _]):  # the third is a - b, for more digits
                return _call("log", ast.BinOp(a, ast.Div(), b))
            case ("equals", [a, b]):
                return ast.Compare(a, [ast.Eq()], [b])
            case ("select", [condition, yes, no]):
                return ast.IfExp(condition, yes, no)
        if name.startswith("_") and name in self.inside:
            parameters = [arg.arg for arg in _definition(self.inside[name]).args.args]
            return _returned_expression(self.inside[name], dict(zip(parameters, given, strict=True)))
        return _call(PARSER_NAMES.get(name, name), *given)


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name), list(args), [])
