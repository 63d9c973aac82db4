"""Outcomes as text for a terminal: for each number the paper's value, ours and the verdict."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence

from ..claim import NOTABLE
from ..run import Outcome
from .show import explain, show_ours, show_paper, some

HEADER = ("", "paper", "ours", "verdict")
Paint = Callable[[str, str], str]  # gives a text the colour of a verdict


def lines(outcome: Outcome, *, differences: bool = False, paint: Paint = lambda text, _: text) -> Iterator[str]:
    """Give the lines of one experiment, with all claims or only those that differ or fail."""
    experiment, claims = outcome.experiment, outcome.record.claims
    shown = [claim for claim in claims if not differences or claim.verdict in NOTABLE]
    yield f"{experiment.label}  {experiment.title}"
    if shown:
        rows = [(c.what, show_paper(c), show_ours(c), c.verdict) for c in shown]
        header, *body = align([HEADER, *rows], left=1)
        yield f"  {header}"
        for claim, line in zip(shown, body, strict=True):
            yield paint(f"  {line}", claim.verdict)
            if why := explain(claim):
                yield f"      {why}"
    hidden = len(claims) - len(shown)
    if hidden:
        told = some(hidden, "other value or statement does not differ", "other values and statements do not differ")
        yield f"  {told}"
    yield from (f"  Note: {note}" for note in outcome.record.notes)
    if outcome.missing:
        yield paint("  Not run to the end: " + outcome.missing.replace("\n", "\n      "), "missing")
    yield ""


def align(rows: Sequence[Sequence[str]], *, left: int) -> list[str]:
    r"""Return rows of texts as lines with aligned columns, the first ``left`` of them flush left.

    >>> print("\n".join(align([("", "paper"), ("Łukasiewicz", "1")], left=1)))
                 paper
    Łukasiewicz      1
    """
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]

    def cell(text: str, column: int) -> str:
        space = " " * (widths[column] - _width(text))
        return text + space if column < left else space + text

    return ["  ".join(cell(text, column) for column, text in enumerate(row)).rstrip() for row in rows]


def _width(text: str) -> int:
    return sum(not unicodedata.combining(character) for character in text)
