"""Write docs/reference.md: every public name with the first line of its docstring, by subject."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import indicatrix as ix
from indicatrix.public_names import HOMES, ROOMS

PAGE = Path(__file__).with_name("reference.md")
PARTS = {
    "Evaluating": ("evaluate", "evaluation"),
    "Labels and cells": ("encode", "tally"),
    "The algebra": ("algebra",),
    "The catalogue": ("catalogue",),
    "Settings": ("settings",),
    "Scores": ("scores",),
    "Theory": ("theory",),
}
TABLES = {
    "MEASURES": ("The catalogue", "All registered measures by name and alias."),
    "AVERAGES": ("The algebra", "The averages: which axes each keeps and how it weighs them."),
    "TNORMS": ("The algebra", "The t-norms by name."),
    "SETTINGS": ("Settings", "The settings of the paper: level of claim, call, limits, example."),
    "AREAS": ("Scores", "The areas under curves by name."),
}


def page() -> str:
    """Return the page as Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Reference\n\n<!-- Written by `make docs` from the docstrings. -->\n"
    yield "Every public name, as in `ix.evaluate`; `help(ix.evaluate)` has the rest. Labels in parentheses are the paper's.\n"
    yield "Rooms hold the same names by subject, for completion to browse: `ix.theory.` and the tab key.\n"
    yield "| room | what is in it |\n|---|---|"
    yield from (_row(room, _first_line(getattr(ix, room))) for room in ROOMS)
    yield ""
    for part in PARTS:
        yield f"## {part}\n\n| name | what it is |\n|---|---|"
        yield from (_row(name, text) for name, text in sorted(_names(part), key=lambda row: row[0].lower()))
        yield ""
    yield "## What an evaluation can do\n\n| `ev.` | what it is |\n|---|---|"
    members = ((name, thing) for name, thing in vars(ix.Evaluation).items() if not name.startswith("_"))
    yield from (
        _row(name, _first_line(thing))
        for name, thing in members
        if (inspect.getdoc(thing) and callable(thing)) or isinstance(thing, property)
    )
    yield "\n## Measures\n"
    yield "Each is called on counts, on an evaluation, or on labels: `ix.f1(y_true, y_pred, average=…)`.\n"
    for group in dict.fromkeys(m.group for m in ix.catalogue()):
        yield f"### {group}\n\n| measure | aliases | what it is |\n|---|---|---|"
        for m in ix.catalogue(group=group):
            yield f"| `{m.name}` | {', '.join(f'`{a}`' for a in m.aliases)} | {_first_line(m).replace('|', '&#124;')} |"
        yield ""


def _names(part: str) -> Iterator[tuple[str, str]]:
    yield from ((name, text) for name, (of, text) in TABLES.items() if of == part)
    for name, module in HOMES.items():
        if name not in TABLES and module.partition(".")[0] in PARTS[part]:
            yield name, _first_line(getattr(ix, name))


def _first_line(thing: object) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def _row(name: str, text: str) -> str:
    return f"| `{name}` | {text.replace('|', '&#124;')} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
