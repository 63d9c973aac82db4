"""Outcomes as text for a terminal: for each number the paper's value, ours and the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...report.grid import grid
from ..run import Outcome
from .show import explain, show, show_ours

HEADER = ("", "paper", "ours", "verdict")
Paint = Callable[[str, str], str]  # text and verdict to text in a colour


def lines(outcome: Outcome, *, differences: bool = False, paint: Paint = lambda text, _: text) -> Iterator[str]:
    """Give the lines of one experiment, all claims or only those that differ."""
    experiment, claims = outcome.experiment, outcome.record.claims
    shown = [claim for claim in claims if not differences or not claim.agrees]
    yield f"{experiment.label}  {experiment.title}"
    if shown:
        rows = [(c.what, show(c.paper), show_ours(c), "FAILS" if c.failed else c.verdict) for c in shown]
        header, *body = grid(HEADER, rows)
        yield f"  {header}"
        for claim, line in zip(shown, body, strict=True):
            yield paint(f"  {line}", "fails" if claim.failed else claim.verdict)
            if why := explain(claim):
                yield f"      {why}"
    hidden = len(claims) - len(shown)
    if hidden:
        yield f"  {hidden:,} {'value or statement agrees' if hidden == 1 else 'values and statements agree'}"
    yield from (f"  Note: {note}" for note in outcome.record.notes)
    if outcome.missing:
        yield paint(f"  Not run to the end: {outcome.missing}", "missing")
    yield ""
