"""One page for each setting, and their index: the table, and which settings go together."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from names import linker
from prose import IMPORT, body, examples, marked, page, searched_as, table

from indicatrix.settings.paper_settings import CONDITIONS, COUNTED, REFUSED, SETTINGS, Setting

INTRODUCTION = """\
Every setting says which columns there are, which entries were observed and what a cell counts. After that every measure, average,
interval and report works in it as ever. The level says how much of the theory carries over: *derived*, all results hold;
*accommodated*, the numbers are right and nothing new follows; *partial*, only a part of the task can be represented; *boundary*,
what lies outside the counts. {py:obj}`ix.tasks.SETTINGS <indicatrix.tasks.SETTINGS>` holds this table."""
TOGETHER = """\
## What goes together

Every pair of settings was tried: ✓ goes together, a number goes together under the condition below, × is refused with the
reason below. `evaluate()` asks the same table."""
SHORT = {name: s.arguments[0] for name, s in SETTINGS.items() if s.arguments}  # an argument of evaluate is shown by its name


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path of each page in the manual, without its ending, and its text."""
    yield "settings/index", index()
    for name, setting in SETTINGS.items():
        yield f"settings/{name}", setting_page(name, setting)


def index() -> str:
    """Return the table of settings, then which of them go together."""
    rows = [(f"[{title_of(s)}]({name}.md)", s.level, f"`{s.asked}`", marked(s.limits)) for name, s in SETTINGS.items()]
    head = ("setting", "level", "asked for by", "limits")
    return page("Settings", INTRODUCTION, table(head, rows), TOGETHER, *_matrix())


def setting_page(name: str, setting: Setting) -> str:
    """Return the page of a setting: how to ask for it, its limits, an example, what it goes with."""
    link = linker()
    parts = [marked(setting.limits, link)]
    two_words = [word for word in setting.arguments if "_" in word]  # a guide answers one word, such as "ordinal"
    if two_words:
        parts.insert(0, searched_as([*two_words, *(word.replace("_", " ") for word in two_words)]))
    asked = ", ".join(f"`{one.strip()}`" for one in _split(setting.asked))
    parts.append(table(("asked for by", "level"), [(asked, setting.level)]))
    if setting.module:
        text = _text(setting.module)
        told, _, example = text.partition(IMPORT)
        _, _, more = told.partition("\n\n")
        parts += [body(more, link)] if more.strip() else []
        parts += ["## Example", examples(IMPORT + example)] if example.strip() else []
    if name in COUNTED:
        parts += ["## What goes together", *_partners(name)]
    return page(title_of(setting), *parts)


def _split(text: str) -> list[str]:
    """Return the parts of a list, whose calls may have commas of their own.

    >>> _split("evaluate(…, tnorm=, negation=), votes")
    ['evaluate(…, tnorm=, negation=)', ' votes']
    """
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def title_of(setting: Setting) -> str:
    """Return the title of the page of a setting."""
    plain = setting.row.strip("()")
    return plain[:1].upper() + plain[1:]


def _text(module: str) -> str:
    return import_module(f"indicatrix.{module}").__doc__ or ""


def _partners(name: str) -> Iterator[str]:
    free = [other for other in COUNTED if other != name and frozenset((name, other)) not in {*REFUSED, *CONDITIONS}]
    yield f"With {', '.join(map(_linked, free))}." if free else ""
    for heading, pairs in (("Under a condition:", CONDITIONS), ("Refused:", REFUSED)):
        found = [(other, pairs[pair]) for other in COUNTED if (pair := frozenset((name, other))) in pairs]
        if found:
            yield heading
            yield "\n".join(f"- {_linked(other)}: {marked(reason)}" for other, reason in found)


def _linked(name: str) -> str:
    return f"[{_spelled(name)}]({name}.md)"


def _matrix() -> list[str]:
    """Return the lower triangle of all pairs, then conditions and reasons."""
    names, notes = list(COUNTED), list[str]()
    rows = []
    for i, one in enumerate(names):
        cells = [_cell(frozenset((one, other)), notes) for other in names[:i]]
        rows.append((f"**{_spelled(one)}**", *cells, *[""] * (len(names) - i - 1)))
    conditions = "\n".join(f"{i}. {marked(note)}" for i, note in enumerate(notes, 1))
    reasons: dict[str, list[str]] = {}
    for pair, reason in REFUSED.items():
        one, other = sorted(pair, key=names.index)
        reasons.setdefault(reason, []).append(f"{_spelled(one)} × {_spelled(other)}")
    refused = "\n".join(f"- {', '.join(pairs)}: {marked(reason)}." for reason, pairs in reasons.items())
    return [table(("", *map(_spelled, names[:-1])), rows), "Conditions:", conditions, "Refused:", refused]


def _cell(pair: frozenset[str], notes: list[str]) -> str:
    if pair in REFUSED:
        return "×"
    if pair not in CONDITIONS:
        return "✓"
    if CONDITIONS[pair] not in notes:
        notes.append(CONDITIONS[pair])
    return str(notes.index(CONDITIONS[pair]) + 1)


def _spelled(name: str) -> str:
    return f"{SHORT[name]}=" if name in SHORT else name.replace("_", " ")
