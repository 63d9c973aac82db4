"""``indicatrix threshold``: the threshold of scores at which a measure is best, and a curve."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import click
import numpy as np

from ..algebra.average import find_average, score_name
from ..algebra.counts import CELLS
from ..algebra.derived.derived_facts import SIGNS
from ..ranking.ranked import Ranked
from ..report.table_forms import Label, Table
from ..report.text import interval_notes, score_cell
from ..scores.thresholds.best_thresholds import values_of
from ..scores.thresholds.sweep import sweep
from ..scores.thresholds.tuned_rule import Choice, Tuned
from ..scores.thresholds.tuning import tune
from ..selection import Selection
from ..storage.json_values import name_out
from ..words.wording import listing
from .asked import Asked, is_saved
from .counting import Evaluated, evaluate_file, read_scores
from .options import FileCommand, add_files, add_forms, complete_averages, examples, one, option
from .output import Form, draw, fields_of, json_text, prose, report_progress, write
from .tables import score_data, select

OPTIMISTIC = "The threshold was chosen on these rows, so the value is optimistic: --test FILE shows it on others."
METHODS = {"auto": "auto", "sweep": "sweep", "closed-form": "closed form"}
POINTS = 11  # of a curve, if their number is not given
SHOWN = (
    option(
        "--measure -m NAME|FORMULA...",
        "The measure to optimize: f1, 'f_beta(beta=2)', 'tp/(tp+fp)'. Others, if given, are shown at its threshold.",
        required=True,
    ),
    option(
        "--average -a NAME",
        "For several columns of scores: micro and exemplar share one threshold, macro and weighted have one for each class.",
        read=one,
        shell_complete=complete_averages,
    ),
    option(
        "--method",
        "The best of all thresholds on these data (sweep); the closed form for calibrated probabilities (closed-form); or the "
        "closed form where it exists and the scores pass as calibrated (auto, the default).",
        read=METHODS.get,
        type=click.Choice([*METHODS]),
        default="auto",
    ),
    option(
        "--subject-to CONSTRAINT...",
        "What the threshold has to meet: 'precision >= 0.9', 'fpr <= 0.1'. Repeated, all of them.",
    ),
    option(
        "--better",
        "Which values of the measure are better, for a formula that does not say it itself.",
        type=click.Choice([*SIGNS]),
    ),
    option("--one-vs-all", "Each column of scores is a classifier of its own; otherwise argmax is best.", is_flag=True),
    "interval",
    option(
        "--curve POINTS",
        f"Also show the measures at this many thresholds. Without POINTS it is {POINTS}.",
        without=str(POINTS),
        type=click.IntRange(min=2),
    ),
    option(
        "--test FILE",
        "Also evaluate the threshold on this file, whose columns have the same names. It was not chosen on these rows.",
    ),
)
ROWS = ("positive", "classes", "weight", "multilabel", "missing", "delimiter", "encoding")


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


@click.command(
    cls=FileCommand,
    epilog=examples(
        "threshold a.csv --true true --score 'p_*' -m f1 -a macro --one-vs-all",
        "threshold a.csv --true true --score 'p_*' -m f1 -m mcc -a micro --one-vs-all --curve --interval",
        "threshold a.csv --true true --score 'p_*' -m recall -a micro --one-vs-all --subject-to 'precision >= 0.9'",
        "threshold a.csv --true true --score 'p_*' -m f1 -a micro --one-vs-all --test b.csv --csv",
    ),
)
@add_files("true", "score", *SHOWN, *ROWS)
@add_forms
def threshold(asked: Asked, form: Form, curve: int | None, test: str | None, **how: Any) -> None:
    """Find the threshold of the scores in FILE at which a measure is best.

    A score of at least the threshold is predicted positive. The threshold is compared with the closed form t*, which is best in
    the population if the scores are calibrated probabilities, where there is one. The value on the rows on which a threshold
    was chosen is optimistic; --test shows it on others, and "indicatrix evaluate --decide" takes the threshold.
    """
    _check(asked, test)
    write(tuning_text(_tune(asked, curve, test, how), form))


def _tune(asked: Asked, curve: int | None, test: str | None, how: dict[str, Any]) -> Tuning:
    """Return the threshold that the options ask for, and what is shown of it."""
    rows, file = read_scores(asked.files[0], asked), asked.files[0]
    (table,) = rows.tables.values()
    report_progress("Comparing thresholds")
    tuned = tune(rows.truth, table, asked.measure[0], next(iter(asked.average), None), **how, **rows.options)
    selection = select([tuned.evaluation], asked.measure, (tuned.average or "binary",))
    points = None
    if curve is not None:
        _check_curve(tuned.average)
        points = (sweep(rows.truth, table, **rows.options).ranking(average=tuned.average), curve)
    tested = None
    if test is not None:
        (tested,) = evaluate_file(test, replace(asked, decide=tuned.rule))
        if tested.ev.classes != tuned.evaluation.classes:
            raise ValueError(
                f"--test: {test} has the classes {listing(tested.ev.classes)}, not those of {file}. Name them all with --classes."
            )
    return Tuning(file, tuned, selection, asked.interval, tested, points)


def _check(asked: Asked, test: str | None) -> None:
    """Refuse what a threshold cannot be chosen on; no file is read."""
    if len(asked.files) > 1:
        raise ValueError("A threshold is chosen on one file. Give --test FILE to evaluate it on another.")
    if any(map(is_saved, (*asked.files, test or ""))):
        raise ValueError("A threshold is chosen on rows, but saved evaluations contain only counts. Give a file of rows.")
    if not asked.score:
        raise ValueError("Which scores? Name their columns with --score.")
    for m in asked.measure:
        if not m.reads.formula:
            raise ValueError(f"{m} reads {m.reads.what}, not the counts of a threshold. Choose another measure.")


def _check_curve(average: str | None) -> None:
    if average is not None and not find_average(average).pools:
        raise ValueError(
            f"--curve shows one threshold, and the {average} average does not pool the counts of the classes. "
            "Use --average micro, or give one column of scores."
        )


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
    ends = [[_number(x, form) for x in (c.threshold, *c.plateau, c.closed_form)] for c in tuned.choices]
    rows = zip(tuned.choices, ends, strict=True)
    return Table(header, [(Label(c.unit), at, c.value, *c.reached.values(), *more) for c, (at, *more) in rows])


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
    about = {f"{n}, {score_name(*key)}": x for n, own in ends.items() for key, x in own.items()}
    return Table(("At the threshold", *map(Label, each)), rows), interval_notes(about) if tuning.level else []


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
    """Return everything as plain data."""
    tuned = tuning.tuned
    files = (tuning.file, tuning.tested.name if tuning.tested is not None else "")
    content: dict[str, Any] = {
        "file": tuning.file,
        "measure": str(tuned.measure),
        **fields_of(tuned, "average method value"),
        "thresholds": [_choice_data(choice) for choice in tuned.choices],
        "evaluations": [
            {"file": name, "examples": ev.n, "scores": score_data(ev, tuning.selection, "exclude", tuning.level)}
            for name, ev in zip(files, tuning.evaluations.values(), strict=False)
        ],
    }
    if tuning.curve is not None:
        table = _curve_table(tuning, "csv")
        content["curve"] = dict(zip(table.header, zip(*table.rows, strict=True), strict=True))
    return content


def _choice_data(choice: Choice) -> dict[str, Any]:
    checked = {"p_value": choice.calibration.p_value, "says": str(choice.calibration)}
    numbers = fields_of(choice, "threshold value reached plateaus closed_form lost")
    return {"unit": name_out(choice.unit), **numbers, "calibration": checked}
