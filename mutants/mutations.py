"""The small faults that one module can have: each changes one place of its source and nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
    ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
FUNCTIONS = {"min": "max", "any": "all", "minimum": "maximum"}
FUNCTIONS |= {new: old for old, new in FUNCTIONS.items()}

# Arguments that change no result of a program that is right: they check, show, or save time and memory.
NO_RESULT = {"strict", "repr", "slots", "frozen", "eq", "copy", "maxsize", "stacklevel", "exist_ok", "indent"}


@dataclass(frozen=True)
class Mutation:
    """One change of a module's source: the bytes from ``start`` to ``end`` become ``new``."""

    kind: str
    line: int
    statement: int  # which statement of the module it changes, as ``statements`` numbers them
    on_import: bool  # the statement runs when the module is imported, not when a function is called
    start: int
    end: int
    old: str
    new: str

    @property
    def change(self) -> str:
        """The change in words that name it: what stood there, and what stands there now."""
        return f"{self.old} → {self.new}"

    def apply(self, source: str) -> str:
        """Return the source with the fault in it."""
        data = source.encode()
        return (data[: self.start] + self.new.encode() + data[self.end :]).decode()


def statements(tree: ast.Module) -> dict[ast.stmt, int]:
    """Return the statements of a module, numbered."""
    return {node: i for i, node in enumerate(node for node in ast.walk(tree) if isinstance(node, ast.stmt))}


def mutations(source: str) -> list[Mutation]:
    r"""Return every fault that this module can have, in the order of the source.

    >>> [m.change for m in mutations("def f(x):\n    return x < 1 and x")]
    ['x < 1 and x → None', 'x < 1 and x → (x < 1 or x)', 'x < 1 → (x <= 1)', '1 → 2', '1 → 0']
    """
    tree = ast.parse(source)
    lines = [0]
    for line in source.encode().splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    return list(_Walk(statements(tree), lines).faults(tree, tree.body[0] if tree.body else None, on_import=True))


def function_at(source: str, line: int) -> str:
    r"""Return the name of the function, decorators included, that a line stands in; nothing if none.

    >>> source = "@measure()\ndef f():\n    return 1\nx = 2"
    >>> [function_at(source, line) for line in (1, 3, 4)]
    ['f', 'f', '']
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first <= line <= (node.end_lineno or line):
                return node.name
    return ""


@dataclass(frozen=True)
class _Walk:
    numbers: dict[ast.stmt, int]
    lines: list[int]  # where each line starts, in bytes

    def faults(self, node: ast.AST, inside: ast.stmt | None, *, on_import: bool) -> Iterator[Mutation]:
        """Yield the faults of a node and of all below it, which belong to the statement ``inside``."""
        if inside is not None:
            for kind, place, new in _changes(node):
                yield self._mutation(kind, place, new, inside, on_import)
        for child, deferred in _children(node):
            statement = child if isinstance(child, ast.stmt) else inside
            yield from self.faults(child, statement, on_import=on_import and not deferred)

    def _mutation(self, kind: str, place: ast.AST, new: str, inside: ast.stmt, on_import: bool) -> Mutation:
        start, end = (self.lines[line - 1] + column for line, column in _span(place))
        old = " ".join(ast.unparse(place).split())
        return Mutation(kind, place.lineno, self.numbers[inside], on_import, start, end, old, new)  # type: ignore[attr-defined]


def _span(node: ast.AST) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]


def _children(node: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """Yield the parts of a node that can have a fault, and whether they run later than the node.

    Bodies of functions run later.
    """
    function = isinstance(node, ast.FunctionDef)
    spoken = _only_spoken(node) if function else set()
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or name in ("annotation", "returns") or _is_left_alone(child):
                continue
            if not (isinstance(child, ast.Assign) and _names(child.targets) & spoken):
                yield child, function and name == "body"


def _is_left_alone(node: ast.AST) -> bool:
    """Return whether a fault here would change no result.

    Such are messages, assertions, types, texts and what only shows an object.
    """
    match node:
        case ast.Raise() | ast.Assert() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return True
        case ast.FunctionDef(name="__repr__") | ast.FunctionDef(decorator_list=[ast.Name(id="overload")]):
            return True
        case ast.Call(func=ast.Name(id="dataclass" | "isinstance" | "issubclass" | "cast" | "TypeVar")):
            return True
        case ast.keyword(arg=name) if name in NO_RESULT:
            return True
        case ast.Assign(targets=[ast.Name()], value=ast.BinOp(op=ast.BitOr())):  # a name for a union of types
            return True
    return False


def _names(targets: list[ast.expr]) -> set[str]:
    return {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}


def _only_spoken(function: ast.AST) -> set[str]:
    """Return the variables of a function that only errors read: they are words of a message."""
    nodes = list(ast.walk(function))
    raised = {id(inner) for node in nodes if isinstance(node, ast.Raise) for inner in ast.walk(node)}
    reads = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    return {node.id for node in reads if id(node) in raised} - {node.id for node in reads if id(node) not in raised}


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST, str]]:
    """Yield the faults of one node: their kind, the part that is replaced, and what replaces it."""
    match node:
        case ast.Compare():
            for i, op in enumerate(node.ops):
                yield "comparison", node, _text(node, ops=[*node.ops[:i], COMPARISONS[type(op)](), *node.ops[i + 1 :]])
        case ast.BoolOp():
            yield "and/or", node, _text(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield "not" if isinstance(node.op, ast.Not) else "sign", node, _text(node.operand)
        case ast.BinOp() if type(node.op) in ARITHMETIC and not _is_text(node.left) and not _is_text(node.right):
            yield "arithmetic", node, _text(node, op=ARITHMETIC[type(node.op)]())
        case ast.Constant(value=bool()):
            yield "constant", node, str(not node.value)
        case ast.Constant(value=int(value)):
            yield from (("constant", node, str(value + step)) for step in (1, -1))
        case ast.Call(func=ast.Name(id=name)) if name in FUNCTIONS:
            yield "function", node.func, FUNCTIONS[name]
        case ast.Call(func=ast.Attribute(attr=name)) if name in FUNCTIONS:
            yield "function", node.func, _text(node.func, attr=FUNCTIONS[name])
        case ast.Slice():
            yield from (
                ("slice", node, _text(node, **{end: None})) for end in ("lower", "upper") if getattr(node, end) is not None
            )
        case ast.If() | ast.IfExp():
            yield from _negated(node.test)
        case ast.comprehension():
            yield from (fault for test in node.ifs for fault in _negated(test))
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield "return", value, "None"
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Delete():
            yield "statement", node, "pass"
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield "statement", node, "pass"


def _negated(test: ast.expr) -> Iterator[tuple[str, ast.AST, str]]:
    """Yield a condition turned round, unless another fault of the condition does just that."""
    turned = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
    alone = isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], turned)
    if not alone and not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
        yield "condition", test, f"(not {_text(test)})"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _text(node: ast.AST, **fields: object) -> str:
    """Return the source of a node with some of its fields changed.

    It has brackets where it could bind to its neighbors.
    """
    other = copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return ast.unparse(other) if isinstance(node, ast.Slice | ast.Name | ast.Constant) else f"({ast.unparse(other)})"
