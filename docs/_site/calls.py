"""Directives of the Python domain: a function, a class with its parts, or a value, with what its docstring says."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from names import kinds, linker, parts_of
from prose import entries, explained, sections

EMPTY = inspect.Parameter.empty
ODD = re.compile(r"<[^<>]*>")  # how inspect spells some defaults, such as functions


def function(name: str, thing: Callable[..., Any], *, kind: str = "function", home: str = "", also: str = "") -> str:
    """Return the directive of a function or a method."""
    found = sections(thing)
    bound = kind == "method" and not inspect.ismethod(thing) and not also
    return _directive(kind, name, signature(thing, bound=bound), found, [also] if also else [], home or name)


def class_(name: str, thing: type) -> str:
    """Return the directive of a class: what it holds, then its properties and methods."""
    found = sections(thing)
    parts = [*_parts(name, thing)]
    made = signature(thing) if "Parameters" in found else ""
    return _directive("class", name, made, found, [], name, parts)


def value(name: str, text: str) -> str:
    """Return the directive of something that is no function."""
    return f"::::{{py:data}} {name}\n\n{text}\n\n::::"


def _parts(name: str, thing: type) -> Iterator[str]:
    for part, it in parts_of(thing):
        if isinstance(it, property):
            yield _directive("property", f"{name}.{part}", "", sections(it), [], name, colons=4)
        else:
            also = {staticmethod: ":staticmethod:", classmethod: ":classmethod:"}.get(type(it), "")
            yield function(f"{name}.{part}", getattr(thing, part), kind="method", home=name, also=also)


def _directive(
    kind: str,
    name: str,
    arguments: str,
    found: dict[str, str],
    options: list[str],
    home: str,
    parts: list[str] | None = None,
    colons: int = 4,
) -> str:
    own = frozenset(named.lstrip("*") for names, _, _ in entries(found.get("Parameters", "")) for named in names.split(", "))
    fence = ":" * (colons + bool(parts))
    lines = [f"{fence}{{py:{kind}}} {name}{arguments}", *options]
    text = "\n\n".join(part for part in explained(found, linker(own, home), kinds) if part)
    return "\n".join(lines) + "\n\n" + "\n\n".join([text, *(parts or [])]) + f"\n\n{fence}"


def signature(thing: Callable[..., Any], *, bound: bool = False) -> str:
    """Return the arguments of a call with their defaults; their types are in the list of parameters.

    What a measure takes from ``evaluate`` is its ``**options``.

    >>> import indicatrix as ix
    >>> signature(ix.recall)
    "(y_true, y_pred, *, average=None, undefined='exclude', interval=None, clusters=None, **options)"
    """
    try:
        whole = inspect.signature(thing)
    except ValueError:  # of a class that is built in C
        return "()"
    parameters = [p.replace(annotation=EMPTY, default=_plain(p.default)) for p in whole.parameters.values()]
    explained_here = sections(thing).get("Parameters", "")
    if "**options" in explained_here and not any(p.kind is p.VAR_KEYWORD for p in parameters):
        named = {name for names, _, _ in entries(explained_here) for name in re.split(r", (?=\w)", names.partition(", default")[0])}
        parameters = [p for p in parameters if p.name in named]
        parameters.append(inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD))
    if bound:
        parameters = parameters[1:]
    return str(whole.replace(parameters=parameters, return_annotation=inspect.Signature.empty))


class _Default:
    """A default that is written as it stands."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _plain(default: Any) -> Any:
    if default is EMPTY:
        return default
    text = repr(default).replace("<factory>", "{}")
    return _Default(ODD.sub("...", text))
