"""What ``indicatrix threshold`` shows: thresholds, scores there, a curve; or all as plain data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.average import score_name
from ...algebra.counts import CELLS
from ...ranking.ranked import Ranked
from ...report.cells import Label
from ...report.table import interval_notes, score_cell
from ...report.table_forms import Table
from ...scores.best_thresholds import values_of
from ...scores.tuned_rule import Choice, Tuned
from ...selection import Selection
from ...storage.json_values import name_out
from ..measures.quantities import plain
from ..output import Form, draw, json_text, prose
from ..rows.counting import Evaluated
from .evaluation_tables import score_data

OPTIMISTIC = "The threshold was chosen on these rows, so the value is optimistic: --test FILE shows it on others."


@dataclass(frozen=True)
class Tuning:
    """The threshold that was chosen on a file, and what is shown of it."""

    file: str
    tuned: Tuned
    selection: Selection  # the measures, the first of which is best, under one average
    level: float | None  # of intervals
    tested: Evaluated | None  # the same rule on other rows
    curve: tuple[Ranked, int] | None  # the ranked scores, and the number of points

    @property
    def evaluations(self) -> dict[str, Any]:
        """The evaluations at the threshold: of the rows on which it was chosen, then of others."""
        other = {} if self.tested is None else {f"{self.tested.name} (test)": self.tested.ev}
        return {self.file: self.tuned.evaluation, **other}


def tuning_text(tuning: Tuning, form: Form) -> str:
    """Return the result to print."""
    if form == "json":
        return json_text(_data(tuning))
    if form == "csv":
        return draw(_curve_table(tuning, form) if tuning.curve else _threshold_table(tuning, form), form)
    scores, about = _score_table(tuning)
    parts = [draw(_threshold_table(tuning, form), form), prose("\n".join(_remarks(tuning)), form), draw(scores, form)]
    parts += [prose(text, form) for text in about]
    if tuning.curve:
        parts.append(draw(_curve_table(tuning, form), form))
    return "\n\n".join(parts)


def _remarks(tuning: Tuning) -> list[str]:
    """Return how the threshold was chosen, and what the closed form would lose."""
    threshold = "such threshold" if tuning.tuned.subject_to else "threshold"
    said = [
        f"Chosen: {tuning.tuned.how}. A score of at least the threshold is predicted positive.",
        f"On these rows no {threshold} is better than those above 'best above', up to 'up to'.",
    ]
    closed = (choice for choice in tuning.tuned.choices if choice.closed_form is not None)
    said += [f"{c.unit}: t* = {c.closed_form:.6g} loses {c.lost:.3g} here; {c.calibration}." for c in closed]
    return said if tuning.tested is not None else [*said, OPTIMISTIC]


def _threshold_table(tuning: Tuning, form: Form) -> Table:
    """Return one row for each threshold: its value, and the plateau of thresholds that are as good."""
    tuned = tuning.tuned
    name = "class" if len(tuned.choices) > 1 else ""
    header = (name, "threshold", str(tuned.measure), *map(str, tuned.subject_to), "best above", "up to", "t*")
    rows = [
        (
            Label(c.unit),
            _number(c.threshold, form),
            c.value,
            *c.reached.values(),
            *(_number(x, form) for x in (*c.plateau, c.closed_form)),
        )
        for c in tuned.choices
    ]
    return Table(header, rows)


def _number(x: float | None, form: Form) -> Any:
    """Return a threshold with six digits, because three decimals would change it; with all in CSV."""
    if form == "csv" or x is None:
        return math.nan if x is None else x
    return "∞" if x == math.inf else "-∞" if x == -math.inf else f"{x:.6g}"


def _score_table(tuning: Tuning) -> tuple[Table, list[str]]:
    """Return the measures at the threshold, on each file, and remarks on their intervals."""
    selection, each = tuning.selection, tuning.evaluations
    scores = {name: selection.scores(ev, "exclude") for name, ev in each.items()}
    ends = {name: selection.intervals(ev, "exclude", tuning.level) for name, ev in each.items()}
    rows = [(score_name(*key), *(score_cell(scores[n][key], ends[n].get(key)) for n in each)) for key in scores[tuning.file]]
    about = (
        interval_notes({f"{n}, {score_name(*key)}": x for n, own in ends.items() for key, x in own.items()})
        if tuning.level
        else []
    )
    return Table(("At the threshold", *map(Label, each)), rows), about


def _curve_table(tuning: Tuning, form: Form) -> Table:
    """Return the measures at some thresholds, from the highest to the lowest."""
    assert tuning.curve is not None
    ranking, points = tuning.curve
    chosen = _places(len(ranking.thresholds), points)
    values = [values_of(m, ranking)[chosen].tolist() for m in tuning.selection.measures]
    counts = ranking.counts_at(chosen)
    cells = [np.asarray(getattr(counts, name)).tolist() for name in CELLS]
    rows = zip((_number(t, form) for t in ranking.thresholds[chosen].tolist()), *values, *cells, strict=True)
    return Table(("threshold", *map(str, tuning.selection.measures), "tp", "fp", "fn", "tn"), [*rows], left=0)


def _places(n: int, points: int) -> Any:
    """Return which of n thresholds are shown: the first, the last, and others at equal distances.

    >>> _places(100, 3).tolist(), _places(2, 5).tolist()
    ([0, 50, 99], [0, 1])
    """
    return np.unique(np.linspace(0, n - 1, points).round().astype(np.intp))


def _data(tuning: Tuning) -> dict[str, Any]:
    """Return everything as plain data; an infinite threshold is None."""
    tuned = tuning.tuned
    files = (tuning.file, tuning.tested.name if tuning.tested is not None else "")
    content: dict[str, Any] = {
        "file": tuning.file,
        "measure": str(tuned.measure),
        "average": tuned.average,
        "method": tuned.method,
        "value": plain(tuned.value),
        "thresholds": [_choice_data(choice) for choice in tuned.choices],
        "evaluations": [
            {"file": name, "examples": ev.n, "scores": score_data(ev, tuning.selection, "exclude", tuning.level)}
            for name, ev in zip(files, tuning.evaluations.values(), strict=False)
        ],
    }
    if tuning.curve is not None:
        table = _curve_table(tuning, "csv")
        columns = zip(table.header, zip(*table.rows, strict=True), strict=True)
        content["curve"] = {name: [plain(x) for x in column] for name, column in columns}
    return content


def _choice_data(choice: Choice) -> dict[str, Any]:
    checked = choice.calibration
    return {
        "unit": name_out(choice.unit),
        "threshold": plain(choice.threshold),
        "value": plain(choice.value),
        "reached": {constraint: plain(value) for constraint, value in choice.reached.items()},
        "plateaus": [[plain(low), plain(high)] for low, high in choice.plateaus],
        "closed_form": None if choice.closed_form is None else plain(choice.closed_form),
        "lost": None if choice.lost is None else plain(choice.lost),
        "calibration": {"p_value": plain(checked.p_value), "says": str(checked)},
    }
