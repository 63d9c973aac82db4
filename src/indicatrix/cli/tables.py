"""What commands show of evaluations: scores, groups and files in tables, or all as plain data."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..algebra.average import ALIASES, AVERAGES, BINARY, Name, average_name, measure_name, score_name
from ..algebra.measure_names import resolve
from ..compare.paired_counts import on_all_classes
from ..compare.row import Row
from ..evaluation import Evaluation
from ..report.table_forms import Label, Table
from ..report.text import interval_notes, score_cell, show_ends, treatment_of, undefined_notes
from ..selection import Key, Selection, intervals_of, only_averages, select_scores
from ..storage.json_values import name_out
from ..theory.result.odd_labels import (
    alike_labels,
    describe_alike_labels,
    describe_foreign_labels,
    describe_missing_texts,
    foreign_labels,
    missing_texts,
)
from ..words.wording import close_names, listing, series
from .asked import Asked
from .counting import Evaluated
from .output import fields_of

OF_SCORES = ("auc", "average_precision", "log_loss", "brier")  # what scores show beyond decisions
MOST_GROUPS = 30  # that are shown as text; JSON has all


def score_table(scores: dict[Key, Any], selection: Selection, intervals: dict[Key, Any]) -> Table:
    """Return scores as a table, one measure per row; a cell is blank if the score does not exist."""
    rows = []
    for m in selection.measures:
        keys = [(m, a) for a in selection.columns]
        name = measure_name(m, [a for _, a in keys if (m, a) in scores])
        rows.append((name, *("" if key not in scores else score_cell(scores[key], intervals.get(key)) for key in keys)))
    return Table(("", *map(average_name, selection.columns)), rows)


def interval_table(names: Sequence[str], each: Sequence[Any], keys: Sequence[Key], asked: Asked) -> tuple[Table, list[str]]:
    """Return the intervals of each evaluation in a table, and remarks on them."""
    found = [intervals_of(ev, keys, asked.undefined, asked.interval) for ev in each]
    rows = [(score_name(*key), *(show_ends(own[key]) for own in found)) for key in found[0]]
    every = {f"{name}, {score_name(*key)}": x for name, own in zip(names, found, strict=True) for key, x in own.items()}
    return Table(("", *map(Label, names)), rows), interval_notes(every)


def hidden_note(evaluated: Evaluated) -> str:
    """Return a sentence on the examples of which nothing was observed, or "" without such examples."""
    unseen = (evaluated.ev.tally.hidden or (0, 0))[0]
    return f"Nothing was observed of {unseen:,} of {evaluated.ev.n:,} examples of {evaluated.name}." if unseen else ""


def strange_note(evaluated: Evaluated) -> str:
    """Return a warning on labels that are probably not what was meant; otherwise ""."""
    about = describe_foreign_labels, describe_alike_labels, describe_missing_texts
    return " ".join(filter(None, (*(each(evaluated.ev, evaluated.name) for each in about), strange_advice(evaluated))))


def strange_advice(evaluated: Evaluated) -> str:
    """Return what to do if labels are not those that were meant; otherwise ""."""
    labels, missing = foreign_labels(evaluated.ev), missing_texts(evaluated.ev)
    if missing and not labels:
        return "If a label is missing there, leave the cell empty and pass --missing; if not, name the classes with --classes."
    if not labels:
        one = "If they are one class, write it in one way; if not, name the classes with --classes."
        return one if alike_labels(evaluated.ev) else ""
    return "Check --true and --pred, and how labels are written."


def notes(scores: dict[Key, Any], undefined: Any) -> str:
    """Return a note on undefined values among the scores, or "" if all are defined."""
    lost = [s for s in scores.values() if s.has_undefined()]
    return "\n".join(undefined_notes(lost, undefined)) if lost else ""


def group_table(evaluated: Evaluated, axis: str, selection: Selection, asked: Asked) -> tuple[Table, list[str]]:
    """Return the scores of each group of an axis, and remarks on hidden groups and undefined values."""
    undefined = asked.undefined
    sizes = evaluated.ev.tally.sizes_of(axis)
    shown = sorted(sizes, key=lambda name: -sizes[name])[:MOST_GROUPS] if len(sizes) > MOST_GROUPS else list(sizes)
    groups = evaluated.ev._split(axis, shown)
    inside = selection.inside(axis)
    keys = inside.keys
    scores = {g: [groups[g].score(m, a, undefined=undefined) for m, a in keys] for g in shown}
    remarks = [f"… the {len(shown)} largest of {len(sizes):,} groups"] if len(shown) < len(sizes) else []
    lost = [g for g in shown if any(s.has_undefined() for s in scores[g])]
    if lost:
        how = treatment_of([s for own in scores.values() for s in own], undefined)
        remarks.append(f"Undefined values are {how}: in {axis} {listing(lost)}.")
    header = (axis, "examples", *(score_name(m, a) for m, a in keys))
    ends = {g: inside.intervals(groups[g], undefined, asked.interval) for g in shown}
    cells = {g: [score_cell(s, ends[g].get((m, a))) for s, (m, a) in zip(scores[g], keys, strict=True)] for g in shown}
    return Table(header, [(Label(g), groups[g].n, *cells[g]) for g in shown]), remarks


def beyond_decisions(ev: Evaluation) -> tuple[dict[str, Any], str]:
    """Return what scores show beyond decisions, by name, and why some of it is not there."""
    found: dict[str, Any] = {}
    refused: dict[str, list[str]] = {}
    for name in OF_SCORES if ev.scored is not None else ():
        reason = ""
        for average in (None, "macro"):  # the first that a score has: of the positive class, of whole examples, or of all classes
            try:
                found[score_name(resolve(name), average)] = ev.score(name, average)
            except ValueError as wrong:
                reason = reason or str(wrong)
            else:
                break
        else:
            refused.setdefault(_first_sentence(reason), []).append(name)
    return found, " ".join(f"There is no {series(names, 'or')}: {reason}." for reason, names in refused.items())


def _first_sentence(reason: str) -> str:
    """Return what is wrong with a probability; what to do about it in Python follows it, and is left out.

    >>> _first_sentence("y_proba[3, 1] = 1.5: a probability lies in [0, 1]. Logits need a sigmoid first.")
    'data row 4 has 1.5: a probability lies in [0, 1]'
    """
    row = re.match(r"y_proba\[(\d+)[^]]*\]( =)?", reason)
    placed = reason if row is None else f"data row {int(row[1]) + 1}{' has' if row[2] else ''}{reason[row.end() :]}"
    return re.split(r"(?<=[\w\])])\. (?=[A-Z])|; ", placed)[0].rstrip(".")


def table_beyond_decisions(ev: Evaluation) -> tuple[Table, str] | None:
    """Return the areas and losses of scores as a table, and why some are left out; None without scores."""
    scores, left_out = beyond_decisions(ev)
    return (Table(("From the scores", ""), [(name, float(x)) for name, x in scores.items()]), left_out) if scores else None


def comparison_table(titles: Sequence[str], rows: Sequence[Row]) -> Table:
    """Return a comparison as a table; a mark is what a test shows to be the best of its row."""
    return Table(("", *map(Label, titles)), [row.cells for row in rows])


def data(evaluated: Sequence[Evaluated], selection: Selection, asked: Asked) -> dict[str, Any]:
    """Return everything as plain data; an undefined score is None, and its units are named."""
    return {"undefined": asked.undefined, "evaluations": [_data(e, selection, asked) for e in evaluated]}


def flat_table(content: dict[str, Any]) -> Table:
    """Return plain data as one table: a row for each score, of all examples and of each group."""
    columns = ("file", "pred", "by", "group", "examples", "measure", "average", "value", "low", "high")
    rows = [row for one in content["evaluations"] for row in _flat_rows(one)]
    kept = [i for i, name in enumerate(columns) if name in ("file", "value") or any(row[i] != "" for row in rows)]
    return Table([columns[i] for i in kept], [[row[i] for i in kept] for row in rows], left=len(kept))


def _flat_rows(one: dict[str, Any]) -> Iterator[list[Any]]:
    whole = ("", "", one)
    groups = [(axis, part["group"], part) for axis, parts in one.get("groups", {}).items() for part in parts]
    for axis, group, part in (whole, *groups):
        start = [one["file"], one.get("pred", ""), axis, group, part["examples"]]
        for s in part["scores"]:
            ends = s.get("interval", {})
            yield [*start, s["measure"], s["average"] or "", _cell(s["value"]), _end(ends, "low"), _end(ends, "high")]
        for name, value in part.get("from_scores", {}).items():
            average, _, measure = name.rpartition(" ")
            yield [*start, measure, average, _cell(value), "", ""]


def _end(ends: dict[str, Any], name: str) -> Any:
    return _cell(ends[name]) if name in ends else ""


def _cell(value: float | None) -> float:
    return value if value is not None and math.isfinite(value) else math.nan


def _data(evaluated: Evaluated, selection: Selection, asked: Asked) -> dict[str, Any]:
    ev = evaluated.ev
    content: dict[str, Any] = {
        "file": evaluated.file,
        **({} if evaluated.column is None else {"pred": evaluated.column}),
        "examples": ev.n,
        "not_observed": (ev.tally.hidden or (0, 0))[0],
        "kind": ev.kind,
        "classes": [name_out(c) for c in ev.classes],
        "positive": name_out(ev.positive),
        "recipe": ev.recipe.in_words(),
        "scores": score_data(ev, selection, asked.undefined, asked.interval),
    }
    if warning := strange_note(evaluated):
        content["warning"] = warning
    if ev.scored is not None:
        content["from_scores"], content["left_out"] = beyond_decisions(ev)
    if asked.by:
        content["groups"] = {axis: _groups_data(ev, axis, selection, asked) for axis in asked.by}
    return content


def _groups_data(ev: Any, axis: str, selection: Selection, asked: Asked) -> list[dict[str, Any]]:
    inside = selection.inside(axis)
    return [
        {"group": name_out(name), "examples": part.n, "scores": score_data(part, inside, asked.undefined, asked.interval)}
        for name, part in ev.split(axis).items()
    ]


def score_data(ev: Any, selection: Selection, undefined: Any, level: float | None) -> list[dict[str, Any]]:
    """Return the selected scores of an evaluation as plain data, with intervals if a level is given."""
    intervals = selection.intervals(ev, undefined, level)
    return [
        _score_data(score, key[1]) | ({"interval": _interval_data(intervals[key])} if key in intervals else {})
        for key, score in selection.scores(ev, undefined).items()
    ]


def _interval_data(found: Any) -> dict[str, Any]:
    return {"reason": found} if isinstance(found, str) else fields_of(found, "low high level method warning")


def _score_data(found: Any, average: Name | None) -> dict[str, Any]:
    lost = found.has_undefined()
    by_name = lost and not found.lacks_weight() and found.counts.per not in ((), ("example",))
    return {
        "measure": measure_name(found.measure, [average]),
        "average": average,
        "value": found,
        "better": found.measure.better,
        "undefined_units": [name_out(name) for name in found.undefined_units] if by_name else [],
        "undefined_in_words": found.undefined_in_words() if lost else "",
    }


def unify(evaluated: Sequence[Evaluated]) -> tuple[Evaluated, ...]:
    """Return the evaluations on the classes of all of them, so that macro averages are comparable."""
    unified = on_all_classes([e.ev for e in evaluated], [e.name for e in evaluated], compared_things(evaluated))
    return tuple(replace(e, ev=ev) for e, ev in zip(evaluated, unified, strict=True))


def rows_beyond_decisions(evaluated: Sequence[Evaluated]) -> list[Row]:
    """Return the rows of areas and losses, for files with scores."""
    found = [beyond_decisions(e.ev)[0] for e in evaluated]
    better = {name: score.measure.better for scores in found for name, score in scores.items()}
    return [Row(name, tuple(scores.get(name) for scores in found), better[name]) for name in better]


def compared_things(evaluated: Sequence[Evaluated]) -> str:
    """Return what the columns of a comparison are: files, or columns of one file."""
    return "files" if evaluated[0].column is None else "columns"


def names_of(evaluated: Sequence[Evaluated], paths: Sequence[str]) -> list[str]:
    """Return the names of the columns of a comparison: those of the predictions, or of the files."""
    return titles(paths) if evaluated[0].column is None else [e.name for e in evaluated]


def titles(paths: Sequence[str]) -> list[str]:
    """Return the file names if they differ, otherwise the whole paths.

    >>> titles(["runs/a.csv", "runs/b.csv"]), titles(["x/a.csv", "y/a.csv"])
    (['a.csv', 'b.csv'], ['x/a.csv', 'y/a.csv'])
    """
    short = [Path(path).name or path for path in paths]
    return short if len(set(short)) == len(short) else list(paths)


def find_average(text: str, axes: Iterable[str]) -> str:
    """Return the average of this name or alias; ``axes`` are the groupings of the data.

    >>> find_average("samples", ())
    'exemplar'
    """
    known = [*AVERAGES, *ALIASES, BINARY, *(a for a in axes if a not in ("class", "example", *AVERAGES))]
    if text not in known:
        close = close_names(text, known)
        hint = f"Did you mean {close[0]}? " if close else ""
        raise ValueError(
            f"--average {text!r} is unknown. {hint}Choose from {', '.join(known)}; --by COLUMN adds an average over its groups."
        )
    return ALIASES.get(text, text)


def select(evaluations: Sequence[Evaluation], measures: tuple[Any, ...], averages: tuple[str, ...]) -> Selection:
    """Return what to show of some evaluations: the given measures and averages.

    The default is the measures of the report, and those of its averages that all evaluations have.
    """
    axes = [axis for axis in evaluations[0].axes if all(axis in ev.axes for ev in evaluations)]
    chosen = tuple(dict.fromkeys(find_average(a, axes) for a in averages))
    for ev in evaluations:
        if BINARY in chosen and ev.positive is None:
            raise ValueError("--average binary needs a positive class. Name it with --positive.")
    if measures and averages:
        _check_only(measures, chosen)
    return select_scores(evaluations, measures, chosen)


def _check_only(measures: tuple[Any, ...], averages: tuple[str, ...]) -> None:
    """Refuse averages that would be ignored because each measure has only one version."""
    if all(only_averages(m) and only_averages(m)[0] not in averages for m in measures):
        (only,) = only_averages(measures[0])
        raise ValueError(f"{measures[0]} exists only in one version{f', {only}' if only else ''}. Leave --average out.")
