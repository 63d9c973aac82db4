"""Outcomes and tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..record import Table
from ..run import Outcome
from ..select import part
from .show import explain, sentence, show, show_ours, show_paper, summary

PARTS = {"paper": "The paper", "errata": "Errata: what the paper says, and what is right"}


def report(outcomes: Sequence[Outcome]) -> str:
    """Return everything that was found as one Markdown document."""
    blocks = ["# The paper, recomputed", sentence(summary(outcomes))]
    for name, title in PARTS.items():
        chosen = [outcome for outcome in outcomes if part(outcome.experiment) == name]
        if chosen:
            blocks += [f"## {title}", *(block for outcome in chosen for block in _section(outcome))]
    return "\n\n".join(blocks) + "\n"


def table(given: Table) -> str:
    """Return a table in Markdown, title and note included."""
    blocks = [f"**{given.title}**", rows(given.header, given.rows)]
    return "\n\n".join([*blocks, given.note] if given.note else blocks) + "\n"


def rows(header: Sequence[str], body: Iterable[Sequence[Any]]) -> str:
    """Return rows of values as a Markdown table.

    >>> print(rows(("measure", "value"), [("recall", 0.5)]))
    | measure | value |
    | --- | --- |
    | recall | 0.5 |
    """
    texts = (header, ["---"] * len(header), *([show(x) for x in row] for row in body))
    cells = ([cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in texts)
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def _section(outcome: Outcome) -> Iterable[str]:
    record = outcome.record
    yield f"### {outcome.experiment.title} ({outcome.experiment.label})"
    if record.claims:
        claims = [(c.what, show_paper(c), show_ours(c), c.verdict, explain(c)) for c in record.claims]
        yield rows(("", "paper", "ours", "verdict", "why"), claims)
    yield from (table(t).rstrip() for t in record.tables)
    yield from (f"![{p.caption}](figures/{p.name}.svg)" for p in record.pictures)
    yield from record.notes
    if outcome.missing:
        yield f"Not run to the end: {outcome.missing}"
