"""Write docs/reference.md: every public name by subject, with its signature and its docstring."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import fill, wrap
from typing import Any

import indicatrix as ix
from indicatrix.catalogue.matrices import MATRIX_MEASURES
from indicatrix.public_names import ADAPTERS, HOMES, NAMESPACES, load_public, place

PAGE = Path(__file__).with_name("reference.md")
WIDTH = 125  # of signatures and paragraphs
IMPORT = ">>> import indicatrix as ix"
PARTS = {
    "Evaluating": ("evaluate", "evaluation", "storage", "compare", "engines"),
    "Labels and cells": ("encode", "tally"),
    "The algebra": ("algebra",),
    "The catalogue": ("catalogue",),
    "Settings": ("settings", "tasks"),
    "Scores": ("scores",),
    "How sure": ("inference", "sample_size"),
    "Without labels": ("unlabeled",),
    "Language models": ("evals",),
    "Pipelines": ("sklearn",),
    "Theory": ("theory",),
    "Vision": ("vision",),
}
TABLES = {
    "MEASURES": ("The catalogue", "All registered measures by name and alias."),
    "SCALES": ("The catalogue", "Verbal scales by name: words for values, which are conventions."),
    "AVERAGES": ("The algebra", "The averages: which axes each keeps and how it weighs them."),
    "TNORMS": ("The algebra", "The t-norms by name."),
    "NEGATIONS": ("The algebra", "The complements of memberships by name."),
    "COST_WEIGHTS": ("Scores", "The weights of cost proportions by name."),
    "SETTINGS": ("Settings", "The settings of the paper: level of claim, call, limits, module with an example."),
    "AREAS": ("Scores", "The areas under curves by name."),
}
WHOLE: Any = {"break_long_words": False, "break_on_hyphens": False}  # lines end between words
LONGEST = 80  # characters of a formula in a table
FACTORIES = re.compile("<factory>")  # how inspect spells the default of a mapping


def page() -> str:
    """Return the page as Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Reference\n\n<!-- Written by `make docs` from the docstrings. -->\n"
    yield "Every public name, with its place: `help(ix.evaluate)` shows the same. Labels in parentheses are the paper's.\n"
    yield f"```python\n{IMPORT}\n\n```\n"
    yield "What is used most stands at the top, as `ix.f1`; namespaces hold the rest by subject: `ix.theory.` and the tab key.\n"
    yield "| namespace | what is in it |\n|---|---|"
    yield from (_row(room, _first_line(getattr(ix, room))) for room in (*NAMESPACES, *ADAPTERS))
    yield ""
    for part in PARTS:
        names = sorted(_names(part), key=str.lower)
        yield f"## {part}\n\n| name | what it is |\n|---|---|"
        yield from (_row(place(name), TABLES[name][1]) if name in TABLES else _row(place(name), *_link(name)) for name in names)
        yield ""
        for name in names:
            if name not in TABLES:
                yield from _entry(name, load_public(name))
        if part == "The catalogue":
            yield from _function("### `ix.catalogue`", "ix.catalogue", ix.catalogue.__call__)
    yield "## What an evaluation can do\n\n| `ev.` | what it is |\n|---|---|"
    for name, thing in vars(ix.Evaluation).items():
        if not name.startswith("_") and inspect.getdoc(thing) and _is_part(thing):
            yield _row(name, _first_line(thing), "" if isinstance(thing, property) else f"evaluation{name}")
    yield ""
    yield from _methods(ix.Evaluation)
    yield from _measures()


def _measures() -> Iterator[str]:
    yield "## Measures\n"
    yield "Each is called on counts, on an evaluation, or on labels; `**options` are those of `evaluate`.\n"
    for group in dict.fromkeys(m.group for m in ix.catalogue(of="counts")):
        measures = ix.catalogue(of="counts", group=group)
        yield f"### {group}\n\n| measure | aliases | what it is | formula |\n|---|---|---|---|"
        for m in measures:
            aliases, text = ", ".join(f"`{alias}`" for alias in m.aliases), m.formula
            formula = f"`{text}`" if len(text) <= LONGEST else f"see `help({place(m.name)})`"
            yield f"| `{place(m.name)}` | {aliases} | {_cell(_prose(_first_line(m)))} | {_cell(formula)} |"
        yield "\n```text"
        for m in measures:
            own = "".join(f", {name}={value!r}" for name, value in m.params.items())
            yield f"{place(m.name)}(y_true, y_pred, *, average=None, undefined='exclude'{own}, **options)"
        yield "```\n"


def _names(part: str) -> Iterator[str]:
    yield from (name for name, (of, _) in TABLES.items() if of == part)
    of_tables = {m.name: m.function.__module__.removeprefix("indicatrix.") for m in MATRIX_MEASURES.values()}
    homes = HOMES | of_tables
    yield from (name for name, module in homes.items() if name not in TABLES and module.partition(".")[0] in PARTS[part])


def _entry(name: str, thing: Any) -> Iterator[str]:
    """Yield the text about a public name: a function, a class with its parts, or what is called like one."""
    if not inspect.isclass(thing):
        yield from _function(f"### `{place(name)}`", place(name), thing)
        return
    sections = _sections(thing)
    yield f"### class `{place(name)}`\n"
    if "Parameters" in sections:
        yield f"```text\n{_signature(place(name), thing)}\n```\n"
    yield from _explanation(sections)
    properties = [(part, it) for part, it in vars(thing).items() if isinstance(it, property) and not part.startswith("_")]
    if properties:
        yield "Properties:\n"
        yield from (f"- `{part}`: {_prose(_first_line(it))}" for part, it in properties)
        yield ""
    if thing is not ix.Evaluation:  # which has a chapter
        yield from _methods(thing)


def _methods(kind: type) -> Iterator[str]:
    for part, thing in vars(kind).items():
        if not part.startswith("_") and _is_part(thing) and not isinstance(thing, property):
            name = f"{kind.__name__}.{part}"
            yield from _function(f"#### `{name}`", name, getattr(kind, part), bound=not isinstance(thing, staticmethod))


def _is_part(thing: Any) -> bool:
    return isinstance(thing, property | staticmethod) or inspect.isfunction(thing)


def _function(title: str, name: str, function: Callable[..., Any], *, bound: bool = False) -> Iterator[str]:
    yield f"{title}\n\n```text\n{_signature(name, function, bound=bound)}\n```\n"
    yield from _explanation(_sections(function))


def _signature(name: str, function: Callable[..., Any], *, bound: bool = False) -> str:
    """Return a call with all arguments and defaults; their types are in the list of parameters."""
    whole = inspect.signature(function)
    parameters = [p.replace(annotation=inspect.Parameter.empty) for p in whole.parameters.values()]
    if bound and not inspect.ismethod(function):
        parameters = parameters[1:]
    text = FACTORIES.sub("{}", str(whole.replace(parameters=parameters, return_annotation=inspect.Signature.empty)))
    returns = whole.return_annotation
    shown = f" -> {returns}" if isinstance(returns, str) and returns not in ("Any", "None") and "[" not in returns else ""
    lines = wrap(f"{name}{text}{shown}", WIDTH, subsequent_indent="    ", **WHOLE)
    return "\n".join(lines)


def _sections(thing: Any) -> dict[str, str]:
    """Return the sections of a docstring by title; what stands above them has the title ''."""
    first, *rest = re.split(r"^(\w+)\n-+\n", inspect.cleandoc(thing.__doc__ or ""), flags=re.MULTILINE)
    return {"": first, **dict(zip(rest[::2], rest[1::2], strict=True))}


def _explanation(sections: dict[str, str]) -> Iterator[str]:
    """Yield the text, one list of the arguments and of what is returned, and the examples."""
    yield f"{_prose(sections[''].strip())}\n"
    items = [_item(*entry) for title in ("Parameters", "Attributes") for entry in _entries(sections.get(title, ""))]
    items += [_item(kind, "", text, "returns ") for kind, _, text in _entries(sections.get("Returns", ""))]
    yield from items
    examples = sections.get("Examples", "").replace(f"{IMPORT}\n", "", 1).strip()
    gap = "\n" if items else ""
    yield f"{gap}```python\n{examples}\n\n```\n" if examples else gap[1:]


def _entries(section: str) -> list[tuple[str, str, str]]:
    """Return the entries of a section: names, type, explanation."""
    titles = (entry.partition("\n") for entry in re.split(r"\n(?=\S)", section.strip("\n")) if entry)
    parts = ((title.partition(" : "), text) for title, _, text in titles)
    return [(names, kind, " ".join(text.split())) for (names, _, kind), text in parts]


def _item(names: str, kind: str, text: str, before: str = "") -> str:
    head = f"- {before}`{names}`{f' ({_prose(kind)})' if kind else ''}"
    return fill(f"{head}: {_prose(text)}", WIDTH, subsequent_indent="  ", **WHOLE)


def _first_line(thing: object) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def _prose(text: str) -> str:
    """Return the text of a docstring as Markdown: code in single backticks, special signs escaped."""
    words = re.split(r"(``.+?``)", text, flags=re.DOTALL)
    return "".join(
        f"`{word[2:-2]}`" if word.startswith("``") else word.replace("<", "&lt;").replace("*", r"\*") for word in words
    )


def _cell(text: str) -> str:
    return text.replace("|", "&#124;")


def _link(name: str) -> tuple[str, str]:
    """Return the first line about a public name, and the heading under which the rest stands."""
    thing, heading = load_public(name), place(name).lower().replace(".", "")
    return _first_line(thing), f"class-{heading}" if inspect.isclass(thing) else heading


def _row(name: str, text: str, heading: str = "") -> str:
    words = _cell(_prose(text))
    return f"| `{name}` | [{words}](#{heading}) |" if heading else f"| `{name}` | {words} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
