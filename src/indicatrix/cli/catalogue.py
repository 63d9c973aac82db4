"""``indicatrix catalogue``: the known measures by group, property and text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ..algebra.measure import Measure
from ..catalogue.listing import catalogue as find_measures
from ..report.table_forms import Table
from ..theory.formula.properties import DECISIONS, Properties, properties
from ..words.wording import did_you_mean
from .arguments import interval, plain
from .options import DIRECTIONS, add_forms, examples, option
from .output import Form, draw, json_text, tell, write

PROPERTIES = (*(name for name in DECISIONS if name != "threshold"), "erm_consistent")
ANSWERS = {True: "yes", False: "no", None: "undecided"}
Entry = Measure


def _property_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with one pair of flags for each property: ``--monotone/--not-monotone``."""
    for name in reversed(PROPERTIES):
        flag, text = name.replace("_", "-"), (getattr(Properties, name).__doc__ or "").partition("(")[0].strip().rstrip(".")
        text = text.replace("That threshold", "The best threshold")
        command = click.option(f"--{flag}/--not-{flag}", name, default=None, help=f"{text}.")(command)
    return command


@click.command(
    epilog=examples(
        "catalogue --skew-invariant --bounded",
        "catalogue --group 'positive class' --show monotone",
        "catalogue --search 'mean iou' --json",
    ),
)
@option("--group GROUP", "Only this group: 'positive class', rules, …")
@option("--search TEXT", "Only measures with these words in a name or alias, the description or the group.")
@option("--better", "Only measures of this direction.", type=DIRECTIONS)
@option("--show PROPERTY...", "Add a column for a property: bounded, … Repeatable.")
@add_forms
@_property_options
def catalogue(
    group: str | None, search: str | None, better: str | None, show: tuple[str, ...], form: Form, **options: bool | None
) -> None:
    """List the measures that fulfill all given options.

    Every property is an option, and so is its opposite: --bounded, --not-bounded. "indicatrix measure NAME" shows the evidence.
    If no measure fulfills all options, a message says so, and the exit code is 0.
    """
    wanted = {name: options[name] for name in PROPERTIES if options[name] is not None}
    columns = tuple(dict.fromkeys((*wanted, *map(_property, show))))
    every = _choose(group, search, better)
    found = [m for m in every if all(_answer(m, name) is answer for name, answer in wanted.items())]
    if form == "json":
        write(json_text([_as_data(m, columns) for m in found]))
    elif not found:
        tell("No measure fulfills all these options. Leave one out; indicatrix catalogue lists all measures.")
    else:
        header = ("name", "range", "better", *(() if group else ("group",)), *columns, "formula")
        rows = [_row(m, columns, group is None) for m in found]
        write(draw(Table(header, rows, left=len(header)), form))


def _property(text: str) -> str:
    """Return the property that a text names; hyphens and underscores are the same."""
    name = text.strip().casefold().replace("-", "_")
    if name not in PROPERTIES:
        advice = did_you_mean(name, PROPERTIES) or f"Properties are {', '.join(PROPERTIES)}."
        raise ValueError(f"--show: {text!r} is not a property. {advice}")
    return name


def _choose(group: str | None, search: str | None, better: str | None) -> list[Entry]:
    """Return the measures of a group and a direction whose texts contain the words of ``search``."""
    found = find_measures() if group is None else find_measures(group=group)
    return [m for m in found if (better is None or m.better == better) and (search is None or _mentions(m, search))]


def _mentions(m: Entry, text: str) -> bool:
    text_of_measure = "\n".join((str(m), *m.aliases, m.doc, m.group, *m.known_as.values())).casefold()
    return all(word in text_of_measure for word in text.casefold().split())


def _answer(m: Entry, name: str) -> Any:
    """Return whether a measure has a property; a dash for functions of the confusion matrix."""
    return getattr(properties(m, prove=False), name) if m.reads.formula else "–"


def _formula(m: Entry) -> str:
    return m.formula if m.reads.formula else f"of {m.reads.what}"


def _row(m: Entry, columns: tuple[str, ...], with_group: bool) -> list[str]:
    answers = [ANSWERS.get(answer, str(answer)) for answer in (_answer(m, name) for name in columns)]
    return [str(m), interval(m.range), m.better, *([m.group] if with_group else []), *answers, _formula(m) or m.doc]


def _as_data(m: Entry, columns: tuple[str, ...]) -> dict[str, Any]:
    return {
        "name": m.name,
        "parameters": {k: v if isinstance(v, int | float) else str(v) for k, v in m.params.items()},
        "what": m.doc,
        "formula": m.formula or None,
        "range": [plain(end) for end in m.range],
        "better": m.better,
        "group": m.group,
        "source": m.source,
        "aliases": list(m.aliases),
        "known_as": dict(m.known_as),
        "properties": {name: _answer(m, name) for name in columns if m.reads.formula},
    }
