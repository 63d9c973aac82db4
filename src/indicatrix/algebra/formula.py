"""Formulas written as text: a small parser of arithmetic on counts. No code is ever evaluated.

Texts that are read as expressions, within limits.

A reader that calls itself must not run out of stack or memory.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..public_names import HOMES
from ..words.wording import did_you_mean, short
from .arrays import as_float, is_array
from .average import ALIASES, AVERAGES
from .kind import OF_COUNTS, registered
from .numbers.functions import absolute, asin, constant, cos, exp, log, maximum, minimum, power, ratio, sin, sqrt

LONGEST = 1000  # characters

FUNCTIONS: dict[str, tuple[Callable[..., Any], int]] = {
    "sqrt": (sqrt, 1),
    "log": (log, 1),
    "exp": (exp, 1),
    "sin": (sin, 1),
    "cos": (cos, 1),
    "asin": (asin, 1),
    "abs": (absolute, 1),
    "min": (minimum, 2),
    "max": (maximum, 2),
}
CONSTANTS = {"pi": math.pi}
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
EXACT = ""  # the key of the function that makes a constant such as 0.1, 2 or pi exact; None where constants are floats
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

    def __reduce__(self) -> Any:  # the evaluator is a closure, but the text defines it
        return parse, (self.text, self.parameters)


def _constants_for(tp: Any) -> Callable[[Any], Any] | None:
    """Return the function that makes a constant exact for counts of this type.

    None for floats, integers and arrays: there constants stay as they are.
    """
    return None if isinstance(tp, int | float) or is_array(tp) else lambda x: constant(x, tp)


def check_length(text: str) -> None:
    """Refuse a formula that is too long."""
    if len(text) > LONGEST:
        raise FormulaError(f"A formula has at most {LONGEST} characters; this one has {len(text)}.")


def syntax_tree(text: str) -> ast.expr:
    """Return the syntax tree of an expression; a text that is not one is an error."""
    if not isinstance(text, str):
        raise FormulaError(f"A formula is text such as 'tp/(tp+fp)', not {type(text).__name__}.")
    check_length(text)
    try:
        return syntax_of(text)
    except ExpressionLimitError as error:
        raise FormulaError(str(error)) from None
    except SyntaxError as error:
        instead = _with_signs(text)
        how = f"Write {_short(instead)}" if instead else "Write arithmetic on tp, fp, fn, tn, e.g. 'tp/(tp+fp)'"
        raise FormulaError(f"{_short(text)} is not a formula: {error.msg}. {how}.") from None


def _with_signs(text: str) -> str:
    """Return a text with the signs that a formula needs, as 5fn lacks one; "" if that does not help.

    >>> _with_signs("5fn + fp"), _with_signs("2(tp + fn) × 3"), _with_signs("tp +")
    ('5*fn + fp', '2*(tp + fn) * 3', '')
    """
    mended = text.replace("×", "*").replace("·", "*").replace("÷", "/").replace("−", "-")
    mended = re.sub(r"\b(\d+(?:\.\d+)?)(?=[A-Za-z_(])", r"\1*", mended)
    try:
        syntax_of(mended)
    except (SyntaxError, ExpressionLimitError):
        return ""
    return mended if mended != text else ""


def parse(text: str, params: Collection[str] = ()) -> Formula:
    """Return the formula of a text.

    A name is a parameter if it is among ``params``; otherwise a count, a measure, or a parameter whose value is not known yet.

    >>> parse("1 - recall")(3, 1, 1, 0), parse("w*fn + fp").parameters
    (0.25, ('w',))
    """
    tree = syntax_tree(text)
    parameters = _Parameters(params)
    evaluate = _compile(tree, parameters, text)
    parts = list(ast.walk(tree))
    _check_constants(parts, text)
    if any(isinstance(part, ast.Constant) and isinstance(part.value, float) for part in parts):
        tree = _AllDigits(text).visit(tree)
    return Formula(ast.unparse(tree), tuple(parameters), evaluate)


def parse_with(text: str, params: Mapping[str, Any]) -> Formula:
    """Return the formula of a text, if each of its parameters has a value and no other value is given."""
    formula = parse(text, params)
    for name in formula.parameters:
        if name not in params:
            raise FormulaError(f"{name!r} in {text!r} is not a count and not a measure{_about_unknown(name, text)}")
    for name in params:
        if name in CONSTANTS:
            raise FormulaError(f"{name} in a formula is the constant {CONSTANTS[name]:.6g}…; give the parameter another name.")
        if name not in formula.parameters:
            raise FormulaError(f"The formula {text!r} has no parameter {name!r}.")
    return formula


def _about_unknown(name: str, text: str) -> str:
    """Return what to do about a name that a formula does not know, after the words that say so."""
    if name in AVERAGES or name in ALIASES:
        measure = next((part for part in re.findall(r"\w+", text) if _measure_named(part)), "f1")
        return f". An average stands in front of a measure: '{name} {measure}'."
    if reads := _reads(name):
        return f" of four counts: it reads {reads}, and cannot be a term of a formula."
    question = did_you_mean(name, (*MARGINALS, *OF_COUNTS))
    return f"; a parameter needs a value, as in params={{{name!r}: 1.0}}.{' ' if question else ''}{question}"


def _reads(name: str) -> str:
    """Return what a measure or a public function reads other than four counts; "" for other names."""
    if name.islower() and HOMES.get(name, "").startswith("scores."):  # also what is not a measure, such as reliability
        return "scores"
    known = registered(name)
    return "" if known is None else str(known.reads.what)


class _Parameters(list[str]):
    """The parameters of a formula in their order, and the names that are given as such."""

    def __init__(self, given: Collection[str]) -> None:
        super().__init__()
        self.given = given


def _measure_named(name: str) -> Any:
    """Return the registered measure of a name; None without one."""
    return OF_COUNTS.get(name)


def _of_measure(name: str, keywords: list[ast.keyword], text: str) -> Evaluator:
    """Return the value of a measure as a term of a formula: it is a function of the same four counts."""
    measure = _measure_named(name)
    if measure.averages:
        raise FormulaError(
            f"{name} in {_short(text)} exists only as average={measure.averages[0]!r}, and is not a term of counts."
        )
    if keywords:
        given = {}
        for keyword in keywords:
            value = keyword.value
            if keyword.arg is None or not isinstance(value, ast.Constant) or isinstance(value.value, bool | str):
                raise FormulaError(f"A parameter of {name} in {_short(text)} must be a number, e.g. {measure}.")
            given[keyword.arg] = value.value
        measure = measure.at(**given)
    cells = ("tp", "fp", "fn", "tn")
    return lambda values: measure.function(*(values[cell] for cell in cells), **measure.params_for(values["tp"]))


def _compile(node: ast.expr, parameters: _Parameters, text: str) -> Evaluator:
    """Turn a node into a function of the named values; anything outside the grammar is refused."""
    match node:
        case ast.Constant(value=bool() | complex()):
            pass
        case ast.Constant(value=int() | float() as number):
            exact = _exact(node, number, text)
            return lambda values: number if values[EXACT] is None else values[EXACT](exact)
        case ast.Name(id=name) if name in CONSTANTS:
            return lambda values: CONSTANTS[name] if values[EXACT] is None else values[EXACT](name)
        case ast.Name(id=name):
            if name in FUNCTIONS:
                raise FormulaError(f"{name} in {_short(text)} is a function: write {name}(…).")
            if name not in MARGINALS and name not in parameters.given and _measure_named(name):
                return _of_measure(name, [], text)
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
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[*keywords]) if keywords and _measure_named(name):
            return _of_measure(name, keywords, text)
        case ast.BinOp(op=ast.BitXor()):
            raise FormulaError(f"^ in {_short(text)} is not a power: write {_short(text.replace('^', '**'))}.")
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
        f"{' '.join(MARGINALS)}, measures such as recall, parameters, {' '.join(CONSTANTS)}, and {' '.join(FUNCTIONS)}."
    )


def _exact(node: ast.Constant, number: int | float, text: str) -> Fraction:
    """Return a constant with all its digits; a number outside the range of floats is refused."""
    written = str(number) if isinstance(number, int) else _source_text(node, text)
    # Checked before it becomes a fraction: the fraction of 1e999999999 would use up the memory.
    if isinstance(number, float) and (math.isinf(number) or (number == 0 and re.search("[1-9]", written.partition("e")[0]))):
        raise _range_error(written, text)
    exact = Fraction(written)
    _check_range(exact, written, text)
    return exact


def _check_range(value: Any, written: str, text: str) -> None:
    """Refuse an exact number that is infinite or zero as a float: exact values and floats would differ."""
    if isinstance(value, Fraction) and (math.isinf(as_float(value)) or (value and not as_float(value))):
        raise _range_error(written, text)


def _range_error(written: str, text: str) -> FormulaError:
    shown = written if len(written) <= 20 else f"{written[:17]}…"
    limits = "5e-324 to 1.8e308"
    return FormulaError(
        f"The constant {shown} in {_short(text)} is beyond the range of floats, {limits}. Write it in another unit."
    )


def _check_constants(parts: Iterable[ast.AST], text: str) -> None:
    """Refuse constants such as 10**400, which are made of several numbers."""
    for node in parts:
        if isinstance(node, ast.BinOp) and not any(isinstance(part, ast.Name) for part in ast.walk(node)):
            _check_range(_compile(node, _Parameters(()), text)({EXACT: lambda x: x}), ast.unparse(node), text)


def _source_text(node: ast.Constant, text: str) -> str:
    return (ast.get_source_segment(text.strip(), node) or repr(node.value)).replace("_", "").lower()


class _AllDigits(ast.NodeTransformer):
    """Prints constants with all their digits, also if a float keeps fewer: the text must be complete."""

    def __init__(self, text: str) -> None:
        self.text = text

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        written = _source_text(node, self.text) if isinstance(node.value, float) else str(node.value)
        return node if Fraction(written) == Fraction(repr(node.value)) else ast.Name(written)


def _fold(function: Callable[..., Any], values: list[Any]) -> Any:
    result = values[0]
    for value in values[1:]:
        result = function(result, value)
    return result


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


LONGEST_TEXT = 100_000  # characters; a matrix of weights for a hundred classes is a text of tens of thousands
DEEPEST = 60  # operations, calls and lists inside each other


class ExpressionLimitError(ValueError):
    """A text that is too long or too deeply nested to be read."""


def syntax_of(text: str) -> ast.expr:
    """Return the syntax tree of an expression; no code is evaluated.

    Anything else is a SyntaxError, and what exceeds a limit is ``ExpressionLimitError``, which says by how much.

    >>> ast.unparse(syntax_of(" tp/(tp+fp) "))
    'tp / (tp + fp)'
    >>> syntax_of("abs(" * 61 + ")" * 61)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    indicatrix.algebra.formula.ExpressionLimitError: 'abs(abs(... nests more than 60 operations; write it with less nesting.
    """
    if len(text) > LONGEST_TEXT:
        raise ExpressionLimitError(f"{short(text, 60)} is longer than {LONGEST_TEXT:,} characters; write it shorter.")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except ValueError:  # a null character
        raise SyntaxError("it cannot be read") from None
    except (RecursionError, MemoryError):  # the reader of Python stops at some thousands
        tree = None
    if tree is None or _depth(tree) > DEEPEST:
        raise ExpressionLimitError(f"{short(text.strip(), 60)} nests more than {DEEPEST} operations; write it with less nesting.")
    return tree


def _depth(tree: ast.AST) -> int:
    deepest, stack = 0, [(tree, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        stack += [(child, depth + 1) for child in ast.iter_child_nodes(node)]
    return deepest
