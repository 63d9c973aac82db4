"""Formulas written as text: a small parser that knows arithmetic on counts and nothing else. No code is ever evaluated."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .arrays import absolute, exp, is_array, log, maximum, minimum, power, ratio, sqrt

LONGEST = 1000  # characters
DEEPEST = 60  # nested operations

FUNCTIONS: dict[str, tuple[Callable[..., Any], int]] = {
    "sqrt": (sqrt, 1),
    "log": (log, 1),
    "exp": (exp, 1),
    "abs": (absolute, 1),
    "min": (minimum, 2),
    "max": (maximum, 2),
}
MARGINALS: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "tp": lambda tp, fp, fn, tn: tp,
    "fp": lambda tp, fp, fn, tn: fp,
    "fn": lambda tp, fp, fn, tn: fn,
    "tn": lambda tp, fp, fn, tn: tn,
    "tpos": lambda tp, fp, fn, tn: tp + fn,
    "tneg": lambda tp, fp, fn, tn: fp + tn,
    "ppos": lambda tp, fp, fn, tn: tp + fp,
    "pneg": lambda tp, fp, fn, tn: fn + tn,
    "n": lambda tp, fp, fn, tn: tp + fp + fn + tn,
}
OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: ratio,
    ast.Pow: power,
}
EXACT = ""  # among the values: what makes an exact number of a constant such as 0.1 or 2; None where floats are meant
Evaluator = Callable[[Mapping[str, Any]], Any]


class FormulaError(ValueError):
    """A text is not a formula."""


@dataclass(frozen=True)
class Formula:
    """A parsed formula: call it with four counts and its parameters; ``str`` prints it back.

    >>> f = parse("tp/(tp+fp)")
    >>> f(3, 1, 0, 0), str(f)
    (0.75, 'tp / (tp + fp)')
    """

    text: str
    parameters: tuple[str, ...]
    evaluate: Evaluator = field(repr=False, compare=False)

    def __call__(self, tp: Any, fp: Any, fn: Any, tn: Any, **params: Any) -> Any:
        """Return the value of the formula, in the number type of the counts."""
        values = {name: marginal(tp, fp, fn, tn) for name, marginal in MARGINALS.items()}
        return self.evaluate({**values, **params, EXACT: _constants_for(tp)})

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> Any:  # the evaluator is a closure; the text says it all
        return parse, (self.text,)


def _constants_for(tp: Any) -> Callable[[Fraction], Any] | None:
    """Return what makes an exact number of a fraction beside counts of this type; None for floats, integers and arrays."""
    if isinstance(tp, int | float) or is_array(tp):
        return None
    library = type(tp).__module__.partition(".")[0]
    if library in ("mpmath", "sympy"):
        return lambda x: type(tp)(x.numerator) / x.denominator if library == "mpmath" else (0 * tp + x.numerator) / x.denominator
    return lambda x: x


def syntax_tree(text: str) -> ast.expr:
    """Return the syntax tree of an expression; a clear error for what is not one."""
    if not isinstance(text, str):
        raise FormulaError(f"A formula is text such as 'tp/(tp+fp)', not {type(text).__name__}.")
    if len(text) > LONGEST:
        raise FormulaError(f"A formula has at most {LONGEST} characters; this one has {len(text)}.")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else "it cannot be read"
        raise FormulaError(
            f"{_short(text)} is not a formula: {reason}. Write arithmetic on tp, fp, fn, tn, e.g. 'tp/(tp+fp)'."
        ) from None
    if _depth(tree) > DEEPEST:
        raise FormulaError(f"{_short(text)} nests more than {DEEPEST} operations; write it flatter.")
    return tree


def parse(text: str) -> Formula:
    """Return the formula that a text writes; names that are no counts are its parameters."""
    tree = syntax_tree(text)
    parameters: list[str] = []
    evaluate = _compile(tree, parameters, text)
    return Formula(ast.unparse(tree), tuple(parameters), evaluate)


def parse_with(text: str, params: Mapping[str, Any]) -> Formula:
    """Return the formula that a text writes, once each of its parameters has a value and no other value is given."""
    formula = parse(text)
    for name in formula.parameters:
        if name not in params:
            raise FormulaError(f"{name!r} in {text!r} is not a count; a parameter needs a value, as in params={{{name!r}: 1.0}}.")
    for name in params:
        if name not in formula.parameters:
            raise FormulaError(f"The formula {text!r} has no parameter {name!r}.")
    return formula


def _compile(node: ast.expr, parameters: list[str], text: str) -> Evaluator:
    """Turn a node into a function of the named values; anything outside the grammar is refused."""
    match node:
        case ast.Constant(value=bool() | complex()):
            pass
        case ast.Constant(value=int() as number):
            return lambda values: number if values[EXACT] is None else values[EXACT](Fraction(number))
        case ast.Constant(value=float() as number):
            exact = Fraction((ast.get_source_segment(text.strip(), node) or repr(number)).replace("_", ""))
            return lambda values: number if values[EXACT] is None else values[EXACT](exact)
        case ast.Name(id=name):
            if name in FUNCTIONS:
                raise FormulaError(f"{name} in {_short(text)} is a function: write {name}(…).")
            if name not in MARGINALS and name not in parameters:
                parameters.append(name)
            return lambda values: values[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _compile(operand, parameters, text)
            return lambda values: -inner(values)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _compile(operand, parameters, text)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            operate = OPERATORS[type(op)]
            a, b = _compile(left, parameters, text), _compile(right, parameters, text)
            return lambda values: operate(a(values), b(values))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            function, arity = FUNCTIONS[name]
            if len(args) < arity or (arity == 1 and len(args) > 1):
                raise FormulaError(
                    f"{name} in {_short(text)} takes {'one value' if arity == 1 else 'two values or more'}, not {len(args)}."
                )
            parts = [_compile(arg, parameters, text) for arg in args]
            if arity == 1:
                only = parts[0]
                return lambda values: function(only(values))
            return lambda values: _fold(function, [part(values) for part in parts])
    raise FormulaError(
        f"{_construct(node)} is not allowed in a formula ({_short(text)}). Allowed are + - * / **, parentheses, numbers, "
        f"{' '.join(MARGINALS)}, parameters, and {' '.join(FUNCTIONS)}."
    )


def _fold(function: Callable[..., Any], values: list[Any]) -> Any:
    result = values[0]
    for value in values[1:]:
        result = function(result, value)
    return result


def _depth(tree: ast.AST) -> int:
    deepest, stack = 0, [(tree, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        stack += [(child, depth + 1) for child in ast.iter_child_nodes(node)]
    return deepest


def _construct(node: ast.AST) -> str:
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return f"calling {name}(…)"
        case ast.Attribute(attr=name):
            return f"the attribute .{name}"
        case ast.Constant(value=value):
            return f"the constant {value!r}"
    return f"this {type(node).__name__}"


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 60 else f"{text[:57]}…")
