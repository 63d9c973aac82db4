"""Outcomes as text for a terminal: for each number the paper's value, ours and the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from indicatrix.report.grid import grid

from ..run import Outcome
from .show import explain, show_ours, show_paper, some

HEADER = ("", "paper", "ours", "verdict")
Paint = Callable[[str, str], str]  # text and verdict to text in a colour


def lines(outcome: Outcome, *, differences: bool = False, paint: Paint = lambda text, _: text) -> Iterator[str]:
    """Give the lines of one experiment, all claims or only those that differ."""
    experiment, claims = outcome.experiment, outcome.record.claims
    shown = [claim for claim in claims if not differences or not claim.agrees]
    yield f"{experiment.label}  {experiment.title}"
    if shown:
        rows = [(c.what, show_paper(c), show_ours(c), c.verdict) for c in shown]
        header, *body = grid(HEADER, rows)
        yield f"  {header}"
        for claim, line in zip(shown, body, strict=True):
            yield paint(f"  {line}", claim.verdict)
            if why := explain(claim):
                yield f"      {why}"
    hidden = len(claims) - len(shown)
    if hidden:
        told = some(hidden, "other value or statement agrees or holds", "other values and statements agree or hold")
        yield f"  {told}"
    yield from (f"  Note: {note}" for note in outcome.record.notes)
    if outcome.missing:
        yield paint("  Not run to the end: " + outcome.missing.replace("\n", "\n      "), "missing")
    yield ""
