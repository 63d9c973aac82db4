"""What ``indicatrix evaluate`` shows: tables of scores, groups and files, or all as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...algebra.average import average_name
from ...algebra.wording import listing, treatment
from ...comparison import Row
from ...report.grid import label
from ...report.table import undefined_notes
from ...selection import Key, Selection, score, title
from ...tally.json_values import name_out
from ...theory.result.odd_labels import describe_foreign_labels, describe_missing_texts, foreign_labels, missing_texts
from ..measures.quantities import plain
from ..output import Table
from ..rows.counting import Evaluated
from ..rows.request import decimal

MOST_GROUPS = 30  # that are shown as text; JSON has all


def score_table(scores: dict[Key, Any], selection: Selection) -> Table:
    """Return scores as a table, one measure per row; a cell is blank if the score does not exist."""
    rows = []
    for m in selection.measures:
        found = (scores.get((str(m), a)) for a in selection.columns)
        rows.append((str(m), *("" if s is None else float(s) for s in found)))
    return Table(("", *map(average_name, selection.columns)), rows)


def hidden_note(evaluated: Evaluated) -> str:
    """Return a sentence on the examples of which nothing was observed, or "" without such examples."""
    unseen = (evaluated.ev.tally.hidden or (0, 0))[0]
    return f"Nothing was observed of {unseen:,} of {evaluated.ev.n:,} examples of {evaluated.name}." if unseen else ""


def strange_note(evaluated: Evaluated) -> str:
    """Return a warning on labels that are probably not what was meant; otherwise ""."""
    about = describe_foreign_labels, describe_missing_texts
    return " ".join(filter(None, (*(each(evaluated.ev, evaluated.name) for each in about), strange_advice(evaluated))))


def strange_advice(evaluated: Evaluated) -> str:
    """Return what to do if labels are not those that were meant; otherwise ""."""
    labels, missing = foreign_labels(evaluated.ev), missing_texts(evaluated.ev)
    if missing and not labels:
        return "If a label is missing there, leave the cell empty and pass --missing; if not, name the classes with --classes."
    if not labels:
        return ""
    numbers = [decimal(str(name)) for name in labels]
    fractions = all(isinstance(x, float) for x in numbers) and any(isinstance(x, float) and not x.is_integer() for x in numbers)
    if fractions:
        return "Are these scores? Use --score with --decide."
    return "Check --true and --pred, and how labels are written."


def notes(scores: dict[Key, Any], undefined: Any) -> str:
    """Return a note on undefined values among the scores, or "" if all are defined."""
    lost = [s for s in scores.values() if s.has_undefined()]
    return "\n".join(undefined_notes(lost, undefined)) if lost else ""


def group_table(evaluated: Evaluated, axis: str, selection: Selection, undefined: Any) -> tuple[Table, list[str]]:
    """Return the scores of each group of an axis, and remarks on hidden groups and undefined values."""
    sizes = evaluated.ev.tally.sizes_of(axis)
    shown = sorted(sizes, key=lambda name: -sizes[name])[:MOST_GROUPS] if len(sizes) > MOST_GROUPS else list(sizes)
    groups = {name: replace(evaluated.ev, tally=part) for name, part in evaluated.ev.tally.split(axis, shown).items()}
    keys = [(m, a) for m, a in selection.keys if a != axis]
    scores = {g: [score(groups[g], m, a, undefined) for m, a in keys] for g in shown}
    remarks = [f"… the {len(shown)} largest of {len(sizes):,} groups"] if len(shown) < len(sizes) else []
    lost = [g for g in shown if any(s.has_undefined() for s in scores[g])]
    if lost:
        remarks.append(f"Undefined values are {treatment(undefined)}: in {axis} {listing(lost)}.")
    header = (axis, "examples", *(title(m, a) for m, a in keys))
    return Table(header, [(label(g), groups[g].n, *map(float, scores[g])) for g in shown]), remarks


def ranking_table(evaluated: Evaluated) -> tuple[Table, str] | None:
    """Return the areas and losses of scores, and why some are left out; None without scores."""
    if evaluated.ranking is None:
        return None
    rows = [(name, float(value)) for name, value in evaluated.ranking.scores.items()]
    return Table(("From the scores", ""), rows), f"{evaluated.ranking.left_out}." if evaluated.ranking.left_out else ""


def comparison_table(titles: Sequence[str], rows: Sequence[Row]) -> Table:
    """Return a comparison as a table, with the best of each row marked."""
    return Table(("", *map(label, titles)), [row.cells for row in rows])


def data(evaluated: Sequence[Evaluated], selection: Selection, by: Sequence[str], undefined: Any) -> dict[str, Any]:
    """Return everything as plain data; an undefined score is None, and its units are named."""
    return {"undefined": undefined, "evaluations": [_data(e, selection, by, undefined) for e in evaluated]}


def _data(evaluated: Evaluated, selection: Selection, by: Sequence[str], undefined: Any) -> dict[str, Any]:
    ev = evaluated.ev
    content: dict[str, Any] = {
        "file": evaluated.file,
        **({} if evaluated.column is None else {"pred": evaluated.column}),
        "examples": ev.n,
        "not_observed": (ev.tally.hidden or (0, 0))[0],
        "kind": ev.kind,
        "classes": [name_out(c) for c in ev.classes],
        "positive": name_out(ev.positive),
        "made": ev.made.in_words(),
        "scores": [_score_data(s) for s in selection.scores(ev, undefined).values()],
    }
    if warning := strange_note(evaluated):
        content["warning"] = warning
    if evaluated.ranking is not None:
        content["from_scores"] = {name: plain(s) for name, s in evaluated.ranking.scores.items()}
        content["left_out"] = evaluated.ranking.left_out
    if by:
        content["groups"] = {axis: _groups_data(ev, axis, selection, undefined) for axis in by}
    return content


def _groups_data(ev: Any, axis: str, selection: Selection, undefined: Any) -> list[dict[str, Any]]:
    keys = [(m, a) for m, a in selection.keys if a != axis]
    return [
        {"group": name_out(name), "examples": part.n, "scores": [_score_data(score(part, m, a, undefined)) for m, a in keys]}
        for name, part in ev.split(axis).items()
    ]


def _score_data(found: Any) -> dict[str, Any]:
    lost = found.has_undefined()
    by_name = lost and not found.lacks_weight() and found.counts.per not in ((), ("example",))
    return {
        "measure": str(found.measure),
        "average": found.average,
        "value": plain(found),
        "better": found.measure.better,
        "lost": [name_out(name) for name in found.lost] if by_name else [],
        "lost_in_words": found.lost_in_words() if lost else "",
    }
