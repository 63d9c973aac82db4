"""Directives of the Python domain: a function, a class with its parts, or a value."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from names import kinds, linker, parts_of
from prose import entries, explained, sections

EMPTY = inspect.Parameter.empty
ODD = re.compile(r"<[^<>]*>")  # how inspect spells some defaults, such as functions


def function(name: str, thing: Callable[..., Any]) -> str:
    """Return the directive of a function."""
    return directive("function", name, signature(thing), sections(thing))


def class_(name: str, thing: type) -> str:
    """Return the directive of a class: what it holds, then its properties and methods."""
    found = sections(thing)
    made = signature(thing) if "Parameters" in found else ""
    return directive("class", name, made, found, parts=tuple(_parts(name, thing)))


def value(name: str, text: str) -> str:
    """Return the directive of something that is not a function."""
    return f"::::{{py:data}} {name}\n\n{text}\n\n::::"


def _parts(name: str, thing: type) -> Iterator[str]:
    for part, it in parts_of(thing):
        if isinstance(it, property):
            yield directive("property", f"{name}.{part}", "", sections(it), home=name)
        else:
            kinds_of_methods = {staticmethod: ("staticmethod", False), classmethod: ("classmethod", False)}
            kind, bound = kinds_of_methods.get(type(it), ("method", True))
            method = getattr(thing, part)
            yield directive(kind, f"{name}.{part}", signature(method, bound=bound), sections(method), home=name)


def directive(
    kind: str,
    name: str,
    arguments: str,
    found: dict[str, str],
    *,
    home: str = "",
    options: tuple[str, ...] = (),
    parts: tuple[str, ...] = (),
) -> str:
    """Return a directive of the Python domain: the call, the text of a docstring, and what lies inside."""
    own = frozenset(named.lstrip("*") for names, _, _ in entries(found.get("Parameters", "")) for named in names.split(", "))
    fence = ":" * (5 if parts else 4)
    head = "\n".join([f"{fence}{{py:{kind}}} {name}{arguments}", *options])
    text = explained(found, linker(own, home or name), kinds)
    return "\n\n".join([head, *(part for part in text if part), *parts, fence])


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
        heads = [names.partition(", default")[0] for names, _, _ in entries(explained_here)]
        named = {name for head in heads for name in head.split(", ")}
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
