"""Families of functions by name: a member's text stands for the member, and no code is evaluated."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

from ...words.wording import short
from ..expression import syntax_of

Registry = Mapping[str, Any]  # a name -> a member, or a function of one parameter that returns one


def is_family(entry: Any) -> bool:
    """Return whether an entry of a registry is a function of one parameter, rather than a member.

    >>> is_family(lambda s: s), is_family(None)
    (True, False)
    """
    return inspect.isfunction(entry)


def parameter_of(family: Callable[..., Any]) -> str:
    """Return the name of the parameter of a family.

    >>> parameter_of(lambda s: s)
    's'
    """
    return next(iter(inspect.signature(family).parameters))


def choices_of(registry: Registry) -> str:
    """Return the names of a registry as they are written, families with an example of their parameter.

    >>> choices_of({"plain": 1, "wide": lambda s: s})
    'plain, wide(s=2)'
    """
    return ", ".join(f"{name}({parameter_of(x)}=2)" if is_family(x) else name for name, x in registry.items())


def member_text(name: str, params: Mapping[str, Any]) -> str:
    """Return the text of a member, which ``read_member`` reads.

    >>> member_text("plain", {}), member_text("wide", {"s": Fraction(1, 3)})
    ('plain', 'wide(s=1/3)')
    """
    given = ", ".join(f"{key}={value}" for key, value in params.items())
    return f"{name}({given})" if given else name


def read_member(text: str, registry: Registry, what: str) -> Any:
    """Return the member of a registry that a text stands for, such as "wide(s=2)".

    >>> read_member("wide(s=1/3)", {"wide": lambda s: s}, "a width")
    Fraction(1, 3)
    """
    try:
        tree: Any = syntax_of(text)
    except SyntaxError:
        tree = None
    match tree:
        case ast.Name(id=name) if name in registry and not is_family(registry[name]):
            return registry[name]
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[ast.keyword(arg=key, value=node)]) if (
            (family := registry.get(name)) and is_family(family) and key == parameter_of(family)
        ):
            return family(_number(node, text))
    raise ValueError(f"{short(text)} is not the name of {what}. Use {choices_of(registry)}.")


def check_parameter(family: str, param: str, value: Any) -> Any:
    """Return the parameter of a family as a Python number; what is not a number is refused."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{family}({param}={value!r}): {param} must be a number, e.g. {family}({param}=2).")
    return value.item() if isinstance(value, np.generic) else value


def _number(node: ast.expr, text: str) -> Any:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.Name(id="inf"):
            return math.inf
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand, text)
        case ast.BinOp(left=ast.Constant(value=int() as over), op=ast.Div(), right=ast.Constant(value=int() as under)) if under:
            return Fraction(over, under)  # this is how an exact parameter is printed
    raise ValueError(f"The parameter in {short(text)} must be a number such as 2, -0.5, 1/3 or inf.")
