"""What ``indicatrix evaluate`` prints: the report, tables, Markdown, JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from ..algebra.average import listing
from ..report.grid import grid, label, show
from ..report.table import undefined_notes
from ..tally.store import name_out
from .comparing import Row
from .counting import Evaluated
from .selection import Selection, score

MOST_GROUPS = 30  # that a text shows; JSON has all

Table = tuple[Sequence[str], Sequence[Sequence[Any]]]  # header and rows


def text_table(table: Table) -> str:
    """Return a table as aligned lines."""
    return "\n".join(grid(*table))


def markdown_table(table: Table) -> str:
    """Return a table in Markdown; numbers stand to the right."""
    header, rows = table
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(show(cell).replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def score_table(scores: dict[tuple[str, str], Any], selection: Selection) -> Table:
    """Return scores as a table: measures down, averages across; blank where a measure has no such version."""
    rows = []
    for m in selection.measures:
        found = (scores.get((repr(m), a)) for a in selection.columns)
        rows.append((repr(m), *("" if s is None else float(s) for s in found)))
    return ("", *selection.columns), rows


def hidden(evaluated: Evaluated) -> str:
    """Return how many examples were left out because nothing was observed of them; nothing if none was."""
    unseen = (evaluated.ev.tally.hidden or (0, 0))[0]
    return f"Nothing was observed of {unseen:,} of {evaluated.ev.n:,} examples of {evaluated.name}." if unseen else ""


def notes(scores: dict[tuple[str, str], Any], undefined: Any) -> str:
    """Return what was undefined among scores; nothing if nothing was."""
    lost = [s for s in scores.values() if s.lost_units().any()]
    return "\n".join(undefined_notes(lost, undefined)) if lost else ""


def group_table(evaluated: Evaluated, axis: str, selection: Selection, undefined: Any) -> tuple[Table, list[str]]:
    """Return the scores of each group of an axis, and remarks: on groups that are not shown, on what was undefined."""
    groups = evaluated.ev.split(axis)
    shown = sorted(groups, key=lambda name: -groups[name].n)[:MOST_GROUPS] if len(groups) > MOST_GROUPS else list(groups)
    keys = [(m, a) for m, a in selection.keys if a != axis]
    scores = {g: [score(groups[g], m, a, undefined) for m, a in keys] for g in shown}
    header = (axis, "examples", *(f"{a} {m!r}" if a != "matrix" else repr(m) for m, a in keys))
    remarks = [f"… the {len(shown)} largest of {len(groups):,} groups"] if len(shown) < len(groups) else []
    lost = [g for g in shown if any(s.lost_units().any() for s in scores[g])]
    if lost:
        remarks.append(f"Undefined values are {treated(undefined)}: in {axis} {listing(lost)}.")
    return (header, [(label(g), groups[g].n, *map(float, scores[g])) for g in shown]), remarks


def treated(undefined: Any) -> str:
    """Return what becomes of undefined values, in words."""
    said = {"exclude": "left out of the averages", "nan": "kept, which makes the average nan"}
    return said.get(str(undefined), f"counted as {undefined}")


def undefined_rows(rows: Sequence[Row], undefined: Any) -> list[str]:
    """Return a line that names the rows of a comparison with undefined values, if there are any."""
    lost = [row.name for row in rows if any(v is not None and v.lost_units().any() for v in row.values)]
    return [f"Undefined values are {treated(undefined)}: in {', '.join(lost)}."] if lost else []


def ranking_text(evaluated: Evaluated) -> str:
    """Return what scores say beyond decisions, one line each."""
    if evaluated.ranking is None:
        return ""
    lines = grid(("From the scores", ""), [(name, float(value)) for name, value in evaluated.ranking.scores.items()])
    return "\n".join([*lines, *([f"{evaluated.ranking.left_out}."] if evaluated.ranking.left_out else [])])


def comparison_table(titles: Sequence[str], rows: Sequence[Row], *, mark: tuple[str, str] = ("", "*")) -> Table:
    """Return a comparison as a table of texts, the best of each row between two marks."""
    shown = []
    for row in rows:
        cells = ["" if v is None else show(float(v)) for v in row.values]
        after = " " * len(mark[1]) if not mark[0] else ""  # keeps digits below digits
        marked = [f"{mark[0]}{c}{mark[1]}" if best else f"{c}{after}" for c, best in zip(cells, row.best, strict=True)]
        shown.append((row.name, *marked))
    after = " " * len(mark[1]) if not mark[0] else ""
    return ("", *(f"{label(t)}{after}" for t in titles)), shown


def json_text(evaluated: Sequence[Evaluated], selection: Selection, by: Sequence[str], undefined: Any) -> str:
    """Return everything as one JSON object; an undefined score is null, and its units are named."""
    content = {"undefined": undefined, "evaluations": [_as_json(e, selection, by, undefined) for e in evaluated]}
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=2)


def _as_json(evaluated: Evaluated, selection: Selection, by: Sequence[str], undefined: Any) -> dict[str, Any]:
    ev = evaluated.ev
    content: dict[str, Any] = {
        "file": evaluated.name,
        "examples": ev.n,
        "not_observed": (ev.tally.hidden or (0, 0))[0],
        "kind": ev.kind,
        "classes": [name_out(c) for c in ev.classes],
        "positive": name_out(ev.positive),
        "made": dict(ev.made),
        "scores": [_score_as_json(s) for s in selection.scores(ev, undefined).values()],
    }
    if evaluated.ranking is not None:
        content["from_scores"] = {name: _finite(s) for name, s in evaluated.ranking.scores.items()}
        content["left_out"] = evaluated.ranking.left_out
    if by:
        content["groups"] = {axis: _groups_as_json(ev, axis, selection, undefined) for axis in by}
    return content


def _groups_as_json(ev: Any, axis: str, selection: Selection, undefined: Any) -> list[dict[str, Any]]:
    keys = [(m, a) for m, a in selection.keys if a != axis]
    return [
        {"group": name_out(name), "examples": part.n, "scores": [_score_as_json(score(part, m, a, undefined)) for m, a in keys]}
        for name, part in ev.split(axis).items()
    ]


def _score_as_json(found: Any) -> dict[str, Any]:
    lost = bool(found.lost_units().any())
    by_name = lost and found.counts.per not in ((), ("example",))
    return {
        "measure": repr(found.measure),
        "average": found.average,
        "value": _finite(found),
        "better": found.measure.better,
        "lost": [name_out(name) for name in found.lost] if by_name else [],
        "lost_in_words": found.lost_in_words() if lost else "",
    }


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
