"""Texts that are read as expressions, within limits.

A reader that calls itself must not run out of stack or memory.
"""

from __future__ import annotations

import ast

from ..words.wording import short

LONGEST = 100_000  # characters; a matrix of weights for a hundred classes is a text of tens of thousands
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
    indicatrix.algebra.expression.ExpressionLimitError: 'abs(abs(... nests more than 60 operations; write it with less nesting.
    """
    if len(text) > LONGEST:
        raise ExpressionLimitError(f"{short(text, 60)} is longer than {LONGEST:,} characters; write it shorter.")
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
