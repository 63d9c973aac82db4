"""Public names: where the manual writes about each, and what a piece of code in a docstring links to."""

from __future__ import annotations

import inspect
import re
from functools import cache
from typing import Any

from prose import Linker

import indicatrix as ix
from indicatrix.public_names import ADAPTERS, HOMES, NAMESPACES, SPACES, load_public, place

OF_MEASURES = {name: measure for measure in ix.catalogue() for name in (measure.name, *measure.aliases)}
MEASURES = {measure.name: measure for measure in ix.catalogue()}
VARIABLES = {"ev": "Evaluation", "cmp": "Comparison"}  # of examples: ``ev.score`` is a method
ALSO = {"catalogue.groups": lambda: ix.catalogue.groups}  # public, and not in the tables


def written(name: str) -> str:
    """Return the whole name of something public, as the inventory has it.

    >>> written("compare"), written("kuhns_3")
    ('indicatrix.compare', 'indicatrix.measures.kuhns_3')
    """
    return "indicatrix" + place(name).removeprefix("ix")


@cache
def of_namespaces() -> dict[str, dict[str, str]]:
    """Return the names of each namespace with their pages; those of measures are in ``measures/``."""
    found: dict[str, dict[str, str]] = {space: {} for space in ("", *NAMESPACES, *ADAPTERS)}
    for name, space in SPACES.items():
        if name not in MEASURES:
            found[space][name] = f"reference/{space}/{name}".replace("//", "/")
    for adapter in ADAPTERS:
        found[adapter] = {name: f"reference/{adapter}/{name}" for name in getattr(ix, adapter).__all__}
    found["catalogue"]["groups"] = "reference/catalogue/groups"
    found["measures"] |= {name: f"measures/{name}" for name in MEASURES}
    return found


@cache
def objects() -> dict[str, str]:
    """Return the page of each public name that a page describes, by its whole name."""
    found = {}
    for space, pages in of_namespaces().items():
        for name, where in pages.items():
            found[f"indicatrix.{space}.{name}" if space in ADAPTERS or name == "groups" else written(name)] = where
    return found


@cache
def of_classes() -> dict[str, frozenset[str]]:
    """Return the parts of each public class, by its whole name."""
    return {
        written(name): frozenset(part for part, _ in parts_of(kind))
        for name in HOMES
        if inspect.isclass(kind := load_public(name))
    }


def parts_of(kind: type) -> list[tuple[str, Any]]:
    """Return the public methods and properties of a class that are ours, as they stand in it."""
    ours = [base for base in reversed(kind.__mro__) if base.__module__.startswith("indicatrix.")]
    found = {name: part for base in ours for name, part in vars(base).items() if not name.startswith("_")}
    return [(name, part) for name, part in found.items() if _is_part(part) and inspect.getdoc(part)]


def _is_part(thing: Any) -> bool:
    if isinstance(thing, property):
        return True
    function = getattr(thing, "__func__", thing)
    if not inspect.isfunction(inspect.unwrap(function)) or not function.__module__.startswith("indicatrix."):
        return False
    return bool(function.__annotations__.get("return") != "NoReturn")  # otherwise it only refuses


def linker(own: frozenset[str] = frozenset(), home: str = "") -> Linker:
    """Return what links code in a text; ``own`` are arguments of what the text is about, ``home``.

    >>> linker()("ix.compare"), linker()("ev.score"), linker(frozenset({"cost"}))("cost"), linker()("tp")
    ('indicatrix.compare', 'indicatrix.Evaluation.score', None, None)
    """

    def link(code: str) -> str | None:
        whole = code.partition("(")[0]
        found = _object(whole, home) if whole not in own else None
        return found if found != home else None

    return link


def _object(code: str, home: str) -> str | None:
    if code.startswith("ix."):
        return _of_dotted(code.removeprefix("ix."))
    if code.startswith("indicatrix."):
        return _of_dotted(code.removeprefix("indicatrix."))
    first, _, rest = code.partition(".")
    if rest:
        return _method(VARIABLES.get(first, first), rest)
    if code in OF_MEASURES:
        return written(OF_MEASURES[code].name)
    if home in of_classes() and code in of_classes()[home]:
        return f"{home}.{code}"
    return written(code) if code in HOMES and len(code) > 3 else None  # a shorter one is rather a variable


def _of_dotted(rest: str) -> str | None:
    """Return the name behind ``ix.``, of something at the top or in a namespace, or of a method."""
    parts = rest.split(".")
    if parts[0] in (*NAMESPACES, *ADAPTERS):
        if f"indicatrix.{rest}" in objects():
            return f"indicatrix.{rest}"
        parts = parts[1:]
    if len(parts) == 1 and parts[0] in OF_MEASURES:
        return written(OF_MEASURES[parts[0]].name)
    if len(parts) == 1 and parts[0] in HOMES:
        return written(parts[0])
    return _method(*parts) if len(parts) == 2 else None


def _method(kind: str, part: str) -> str | None:
    if kind not in HOMES or not re.fullmatch(r"\w+", part):
        return None
    whole = written(kind)
    return f"{whole}.{part}" if part in of_classes().get(whole, ()) else None


def kinds(word: str) -> str | None:
    """Return the class that a word in a type stands for."""
    return written(word) if word in HOMES and word not in MEASURES else None
