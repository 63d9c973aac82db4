"""The reference: one page for each public name, one for each namespace, and their index."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from calls import class_, function, value
from names import MEASURES, objects, of_namespaces, parts_of, written
from prose import first_line, marked, page, sections, table
from sphinx.ext.autodoc.mock import mock

import indicatrix as ix
from indicatrix.public_names import ADAPTERS, HOMES, NAMESPACES, PUBLIC, SPACES, load_public

TABLES = {
    "MEASURES": "All registered measures by name and alias.",
    "SCALES": "Verbal scales by name: words for values, which are conventions.",
    "AVERAGES": "The averages: which axes each keeps and how it weighs them.",
    "TNORMS": "The t-norms by name.",
    "NEGATIONS": "The complements of memberships by name.",
    "COST_WEIGHTS": "The weights of cost proportions by name.",
    "SETTINGS": "The settings: level of claim, call, limits, module with an example.",
    "AREAS": "The areas under curves by name.",
}
MORE = 12  # related names are this many at most
NEEDLESS = ["torchmetrics"]  # to describe a class that is built on it; it takes five seconds to load


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path of each page in the manual, without its ending, and its text."""
    yield "reference/index", index()
    yield "reference/top", top()
    for space in (*NAMESPACES, *ADAPTERS):
        yield f"reference/{space}/index", namespace(space)
    for whole, where in objects().items():
        if where.startswith("reference/"):
            yield where, name_page(whole, where)


def index() -> str:
    """Return the index of the reference: all namespaces, and how names are found."""
    rows = [(f"[ix.{space}]({space}/index.md)", marked(first_line(getattr(ix, space)))) for space in (*NAMESPACES, *ADAPTERS)]
    rooms = "\n".join(["top", *(f"{space}/index" for space in (*NAMESPACES, *ADAPTERS))])
    return page(
        "Reference",
        "Every public name has a page; `help(ix.evaluate)` shows the same. What is used most stands [at the top](top.md), as "
        "`ix.f1`; namespaces hold the rest by subject: type `ix.theory.` and the tab key. Measures are in "
        "[their own list](../measures/index.md).",
        table(("namespace", "what is in it"), [("[ix](top.md)", "What is used most."), *rows]),
        f"```{{toctree}}\n:hidden:\n:titlesonly:\n\n{rooms}\n```",
    )


def top() -> str:
    """Return the page of the names at the top of the package."""
    whole = [name for name in dict.fromkeys(PUBLIC) if name not in (*NAMESPACES, *ADAPTERS)]
    measures = [name for name in whole if name in MEASURES]
    classes = [name for name in whole if name not in measures and inspect.isclass(load_public(name))]
    functions = [name for name in whole if name not in (*measures, *classes)]
    parts = []
    for heading, names in (("Functions", functions), ("Measures", measures), ("Classes", classes)):
        parts += [f"## {heading}", _table([written(name) for name in names])]
    return page("ix: names at the top", *parts)


def namespace(space: str) -> str:
    """Return the page of a namespace."""
    module = getattr(ix, space)
    names = [_whole(space, name) for name in sorted(of_namespaces()[space], key=str.lower)]
    text = sections(module if space != "catalogue" else _Documented(module.__doc__))[""]
    parts = [] if space == "catalogue" else [f":::{{py:module}} indicatrix.{space}\n:::"]  # which is a function, too
    parts.append(marked(text.partition("\n\n")[0]))
    if space == "measures":
        parts.append("[Measures](../../measures/index.md) lists them by group, with what they are for.")
    if space == "catalogue":
        parts.append(function("indicatrix.catalogue", ix.catalogue.__call__))
    return page(f"ix.{space}", *parts, _table(names))


class _Documented:
    def __init__(self, text: str | None) -> None:
        self.__doc__ = text


def _whole(space: str, name: str) -> str:
    return f"indicatrix.{space}.{name}" if space in ADAPTERS or name == "groups" else written(name)


def _table(names: list[str]) -> str:
    rows = [(f"{{py:obj}}`{_short(name)} <{name}>`", marked(_summary(name))) for name in names]
    return table(("name", "what it is"), rows)


def _short(whole: str) -> str:
    return "ix" + whole.removeprefix("indicatrix")


@cache
def _thing(whole: str) -> Any:
    found: Any = ix
    with mock(NEEDLESS):
        for part in whole.split(".")[1:]:
            found = getattr(found, part)
    _forget_mocks()
    return found


def _forget_mocks() -> None:
    """Forget modules that were loaded without their libraries: who uses them loads them anew."""
    for name in [name for name in sys.modules if name.startswith("indicatrix.torch.")]:
        del sys.modules[name]


def _summary(whole: str) -> str:
    name = whole.rpartition(".")[2]
    return TABLES[name] if name in TABLES else first_line(_thing(whole))


def name_page(whole: str, where: str) -> str:
    """Return the page of a public name."""
    thing, name = _thing(whole), whole.rpartition(".")[2]
    if name in TABLES:
        parts = [value(whole, _value(name, thing))]
    elif inspect.isclass(thing):
        parts = [*_overview(whole, thing), class_(whole, thing)]
    else:
        parts = [function(whole, thing)]
    return page(_short(whole), *parts, *_related(whole, where))


def _value(name: str, thing: Any) -> str:
    keys = [f"{{py:obj}}`{key} <{written(key)}>`" if key in MEASURES else f"`{key}`" for key in thing]
    return f"{marked(TABLES[name])} Its names: {', '.join(keys)}."


def _overview(whole: str, kind: type) -> Iterator[str]:
    """Yield a table of the methods and properties of a class that has many."""
    parts = parts_of(kind)
    if len(parts) > 5:
        rows = [(f"{{py:obj}}`{part} <{whole}.{part}>`", marked(first_line(it))) for part, it in parts]
        yield table((f"of {_short(whole)}", "what it is"), rows)


def _related(whole: str, where: str) -> Iterator[str]:
    found = related(whole)
    if found:
        yield "## See also"
        yield "\n".join(f"- {{py:obj}}`{_short(name)} <{name}>`: {marked(_summary(name))}" for name in found)


@cache
def _mentions() -> Mapping[str, frozenset[str]]:
    """Return which public names the docstring of each public name mentions in its text and types."""
    everything = {name: name for name in objects()} | {name.rpartition(".")[2]: name for name in objects()}
    found = {}
    for whole in objects():
        text = (getattr(_thing(whole), "__doc__", None) or "").partition("Examples\n")[0]
        words = set(re.findall(r"``(?:ix\.)?([\w.]+)", text)) | set(re.findall(r"\bix\.([\w.]*\w)", text))
        words |= set(re.findall(r"\b[A-Z][a-z]\w+", "\n".join(re.findall(r"^\S.*$", _typed(text), re.MULTILINE))))
        named = {everything.get(f"indicatrix.{word}") or everything.get(word.rpartition(".")[2], "") for word in words}
        found[whole] = frozenset(named - {"", whole})
    return found


def _typed(text: str) -> str:
    """Return the sections of a docstring whose first lines are names and types."""
    parts = sections(text)
    return "\n".join(parts.get(title, "") for title in ("Parameters", "Returns", "Attributes"))


def related(whole: str) -> list[str]:
    """Return related names: of the same module, which are mentioned, or whose results it is.

    >>> related("indicatrix.theory.floor")
    ['indicatrix.theory.rescale', 'indicatrix.types.Floor']
    """
    name = whole.rpartition(".")[2]
    home = HOMES.get(name) if SPACES.get(name) not in (None, "measures") or name in HOMES else None
    siblings = [written(other) for other, module in HOMES.items() if home and module == home and other != name]
    mentioned = _mentions()[whole]
    usual = {"indicatrix.evaluate", "indicatrix.Evaluation", "indicatrix.Score", "indicatrix.Counts", "indicatrix.Measure"}
    back = {other for other, names in _mentions().items() if whole in names and whole not in usual}
    if inspect.isclass(_thing(whole)):  # what makes it
        mentioned |= back
    else:
        mentioned |= {other for other in back if other in mentioned or inspect.isclass(_thing(other))}
    others = sorted(mentioned - {*siblings} - usual, key=str.lower)
    return [other for other in dict.fromkeys([*siblings, *others]) if other in objects() and other != whole][:MORE]
