"""Formulas of counts as LaTeX, in the shape in which they are written; what repeats is named once."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy

GREEK = {"alpha", "beta", "gamma", "delta", "omega", "pi", "tau"}
SHORT = ("x", "y", "z")  # names of what repeats
LONG = 30  # characters: what is longer, and repeats, has a name
SIGNS = {ast.Eq: "=", ast.NotEq: r"\ne", ast.Lt: "<", ast.Gt: ">", ast.LtE: r"\le", ast.GtE: r"\ge", ast.In: r"\in"}
ALL = ("K", "N", "L")  # sets of all classes, examples and labels: an index that runs over them says no more
FUNCTIONS = {
    "asin": r"\arcsin",
    "sin": r"\sin",
    "cos": r"\cos",
    "log": r"\ln",
    "min": r"\min",
    "max": r"\max",
    "probit": r"\Phi^{-1}",
    "percentile": "P",
    "log_table_chance": r"\ln\Pr",  # of the table, given its margins
}
SUM, PRODUCT, POWER, ATOM = range(4)  # how tightly the parts of an expression hold together


def latex(text: str) -> str:
    r"""Return a formula in LaTeX.

    >>> print(latex("2 * tp / (2 * tp + fp + fn)"))
    \frac{2\,\mathrm{tp}}{2\,\mathrm{tp}+\mathrm{fp}+\mathrm{fn}}
    >>> print(latex("sqrt((fn / tpos) ** 2)"), latex("log(n * n) / log(2)"))
    \sqrt{\left(\frac{\mathrm{fn}}{\mathrm{tpos}}\right)^{2}} \log_{2}(n^{2})
    """
    tree: ast.expr = ast.parse(text, mode="eval").body
    definitions = []
    for name in SHORT:
        found = _repeated(tree)
        if found is None:
            break
        tree = _named(tree, ast.dump(found), name)
        definitions.append((name, found))
    for i, (_, part) in enumerate(definitions):  # a later name may stand in an earlier definition
        for name, other in definitions[i + 1 :]:
            part = _named(part, ast.dump(other), name)
        definitions[i] = (definitions[i][0], part)
    return _with_definitions(tree, definitions)


def latex_of_definition(formula: str, where: Mapping[str, str]) -> str:
    r"""Return a formula with what its short names stand for.

    >>> print(latex_of_definition("a / n", {"a": "sum(C[i, i] for i in K)"}))
    \frac{a}{n},\qquad a=\sum_{i} C_{ii}
    >>> print(latex_of_definition("-sum(log(p[i]) for i in N) / n", {}))
    -\frac{1}{n} \sum_{i} \ln(p_{i})
    """
    parts = [(name, ast.parse(text, mode="eval").body) for name, text in where.items()]
    return _with_definitions(ast.parse(formula, mode="eval").body, parts)


def _with_definitions(tree: ast.expr, definitions: Sequence[tuple[str, ast.expr]]) -> str:
    where = [f"{_of(ast.parse(name, mode='eval').body)[0]}={_of(part)[0]}" for name, part in definitions]
    return r",\qquad ".join([_of(tree)[0], *where])


def _repeated(tree: ast.expr) -> ast.expr | None:
    """Return the largest part that stands twice or more; None if nothing long does."""
    parts = [node for node in ast.walk(tree) if isinstance(node, ast.BinOp | ast.Call)]
    times = Counter(ast.dump(node) for node in parts)
    long = [node for node in parts if times[ast.dump(node)] > 1 and len(ast.unparse(node)) > LONG]
    return max(long, key=lambda node: len(ast.unparse(node)), default=None)


def _named(tree: ast.expr, dumped: str, name: str) -> ast.expr:
    class Namer(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return ast.Name(name) if ast.dump(node) == dumped else self.generic_visit(node)

    named: ast.expr = Namer().visit(deepcopy(tree))
    return named


def _of(node: ast.expr) -> tuple[str, int]:
    """Return the LaTeX of an expression, and how tightly it holds together."""
    match node:
        case ast.Constant():
            return f"{node.value}", ATOM
        case ast.Name():
            return _name(node.id), ATOM
        case ast.UnaryOp(operand=inner):
            return f"-{_within(inner, PRODUCT)}", SUM
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            sign = "+" if isinstance(node.op, ast.Add) else "-"
            least = SUM if sign == "+" else PRODUCT
            return f"{_within(node.left, SUM)}{sign}{_within(node.right, least)}", SUM
        case ast.BinOp(op=ast.Mult()):
            return _product(node)
        case ast.BinOp(op=ast.Div()):
            return _quotient(node)
        case ast.BinOp(op=ast.Pow()):
            return f"{_within(node.left, ATOM)}^{{{_of(node.right)[0]}}}", POWER
        case ast.Call(func=ast.Name(id="integral"), args=[low, high, ast.Lambda() as inner]):
            along = inner.args.args[0].arg
            return rf"\int_{{{_of(low)[0]}}}^{{{_of(high)[0]}}} {_within(inner.body, PRODUCT)}\,d{along}", PRODUCT
        case ast.Call(func=ast.Name(id=name), args=given):
            return _call(name, given)
        case ast.Tuple(elts=parts):
            return f"({', '.join(_of(part)[0] for part in parts)})", ATOM
        case ast.IfExp():
            return _cases(node), PRODUCT
        case ast.Compare():
            return _in_brackets(_condition(node), "[", "]"), ATOM
        case ast.Subscript(value=ast.Name(id=name), slice=index):
            return f"{name}_{{{''.join(_indices(index))}}}", ATOM
    raise ValueError(f"{ast.unparse(node)} has no LaTeX yet.")


def _indices(node: ast.expr) -> list[str]:
    return [ast.unparse(one) for one in (node.elts if isinstance(node, ast.Tuple) else [node])]


def _condition(node: ast.expr) -> str:
    """Return a comparison; another condition cannot stand in a formula."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return f"{_of(node.left)[0]} {SIGNS[type(node.ops[0])]} {_of(node.comparators[0])[0]}"
    raise ValueError(f"{ast.unparse(node)} is not a comparison.")


def _over(given: ast.GeneratorExp) -> str:
    """Return what a sum or a maximum runs over: conditions, or indices with sets that are not all."""
    conditions = [_condition(one) for loop in given.generators for one in loop.ifs]
    sets = [(_of(loop.target)[0], _of(loop.iter)[0]) for loop in given.generators]
    return ",\\, ".join(conditions or [name if of in ALL else rf"{name}\in {of}" for name, of in sets])


def _name(name: str) -> str:
    if name in GREEK:
        return f"\\{name}"
    first, _, index = name.partition("_")
    if len(first) == 1:
        return f"{first}_{{{index}}}" if index else first
    return rf"\mathrm{{{name}}}"


def _within(node: ast.expr, least: int) -> str:
    text, strength = _of(node)
    return text if strength >= least else _in_brackets(text)


def _in_brackets(text: str, left: str = "(", right: str = ")") -> str:
    """Return an expression in brackets, which grow only around what is high."""
    high = any(word in text for word in (r"\frac", r"\sqrt", r"\begin", r"\sum"))
    return rf"\left{left}{text}\right{right}" if high else f"{left}{text}{right}"


def _factors(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield from _factors(node.left)
        yield from _factors(node.right)
    else:
        yield node


def _product(node: ast.expr) -> tuple[str, int]:
    """Return a product: equal factors are powers, numbers stand first, 0 times anything is 0."""
    factors = [*_factors(node)]
    if any(isinstance(one, ast.Constant) and one.value == 0 for one in factors):
        return "0", ATOM
    times = Counter(ast.dump(one) for one in factors)
    distinct = list({ast.dump(one): one for one in factors}.values())
    distinct.sort(key=lambda one: not isinstance(one, ast.Constant))
    shown = []
    for one in distinct:
        power = times[ast.dump(one)]
        shown.append(f"{_within(one, ATOM)}^{{{power}}}" if power > 1 else _within(one, PRODUCT))
    return r"\,".join(shown), (PRODUCT if len(shown) > 1 else POWER)


def _quotient(node: ast.BinOp) -> tuple[str, int]:
    above, below = node.left, node.right
    if ast.dump(above) == ast.dump(below):
        return "1", ATOM
    if isinstance(below, ast.Call) and ast.unparse(below) in ("log(2)", "log(10)"):
        base = ast.unparse(below)[4:-1]
        inner = above.args[0] if isinstance(above, ast.Call) and ast.unparse(above.func) == "log" else None
        if inner is not None:
            return rf"\log_{{{base}}}{_in_brackets(_of(inner)[0])}", PRODUCT
    if isinstance(below, ast.Name | ast.Constant) and (sign := _sign_of_sum(above)) is not None:
        return rf"{sign}\frac{{1}}{{{_of(below)[0]}}} {_of(above)[0].removeprefix('-')}", SUM if sign else PRODUCT
    upper = _of(above)[0]
    if upper == "0":
        return "0", ATOM
    return rf"\frac{{{upper}}}{{{_of(below)[0]}}}", PRODUCT


def _sign_of_sum(node: ast.expr) -> str | None:
    """Return "" for a sum over an index, "-" for one with a minus, and None for what is neither."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Call() as inner):
            return "-" if _sign_of_sum(inner) == "" else None
        case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp()]):
            return ""
    return None


def _call(name: str, given: list[ast.expr]) -> tuple[str, int]:
    if isinstance(given[0], ast.GeneratorExp):
        sign = r"\sum" if name == "sum" else FUNCTIONS[name]
        return f"{sign}_{{{_over(given[0])}}} {_within(given[0].elt, PRODUCT)}", PRODUCT
    shown = ", ".join(_of(one)[0] for one in given)
    if name == "sqrt":
        return rf"\sqrt{{{shown}}}", ATOM
    if name == "binom":
        return rf"\binom{{{_of(given[0])[0]}}}{{{_of(given[1])[0]}}}", ATOM
    if name in ("abs", "len"):
        return _in_brackets(shown, "|", "|"), ATOM
    if name == "exp":
        return (r"\mathrm{e}", ATOM) if shown == "1" else (rf"\mathrm{{e}}^{{{shown}}}", POWER)
    function = FUNCTIONS.get(name, name if len(name) == 1 else rf"\mathrm{{{name.replace('_', ' ')}}}".replace(" ", r"\ "))
    return f"{function}{_in_brackets(shown)}", PRODUCT


def _cases(node: ast.expr) -> str:
    rows = []
    while isinstance(node, ast.IfExp):
        rows.append(rf"{_of(node.body)[0]} & \text{{if }} {_condition(node.test)}")
        node = node.orelse
    rows.append(rf"{_of(node)[0]} & \text{{otherwise}}")
    return r"\begin{cases}" + r" \\ ".join(rows) + r"\end{cases}"
