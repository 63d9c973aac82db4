"""Models compared on the questions that all of them answered.

A row for each task, scorer and measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..algebra.measure import Measure
from ..compare.columns import Columns
from ..compare.comparison import Comparison
from ..compare.differences import DifferenceTests, differences_of, with_intervals
from ..compare.row import Row, mark_best
from ..inference.estimators.of_examples import counted_units
from ..words.wording import number_of
from .answers import Answers
from .measures import measure_of_answers
from .scores import score_of


def compare_runs(
    answers: Sequence[Answers],
    measures: Any = None,
    *,
    undefined: Any = "exclude",
    baseline: str | None = None,
    level: float | None = None,
    method: str | None = None,
    margin: float | None = None,
    correction: str | None = "max_t",
    seed: int | None = None,
    clusters: str | None = None,
) -> Comparison:
    """Return the models of runs side by side; ``Runs.compare`` says the rest."""
    models = tuple(dict.fromkeys(one.model for one in answers))
    if len(models) < 2:
        raise ValueError(f"There is one model, {models[0]!r}. Read the logs of others with it, or add their runs.")
    asked = DifferenceTests(baseline, 0.95 if level is None else level, method, margin, correction, seed, clusters)
    asked.check(models)
    given = [measures] if measures is None or isinstance(measures, str | Measure) else [*measures]
    chosen = [measure_of_answers("mean_score" if one is None else one) for one in given]
    rows: list[Row] = []
    differences: list[Any] = []
    doubts: dict[str, None] = {}
    for task, scorer in dict.fromkeys((one.task, one.scorer) for one in answers):
        own = {one.model: one for one in answers if (one.task, one.scorer) == (task, scorer)}
        for measure in chosen:
            name = f"{task} {scorer}" + (f", {measure}" if measure.params else "")
            aligned, said = on_same_questions(own, measure, name, undefined)
            doubts |= dict.fromkeys(said)
            row, found = _row(name, measure, models, aligned, undefined, asked)
            rows.append(row)
            differences += found
    return Comparison(models, tuple(rows), tuple(doubts), undefined, differences=tuple(differences))


def on_same_questions(
    own: dict[str, Answers], measure: Measure, name: str, undefined: Any
) -> tuple[dict[str, Answers], list[str]]:
    """Return the answers to the questions of all models, in the same order, and what was left out."""
    if len(own) < 2:
        return {}, [f"{name}: only {next(iter(own))} has answers."]
    unnamed = [model for model, one in own.items() if not one.named]
    if unnamed:
        return {}, [f"{name}: of {unnamed[0]} only means are known, and models are compared question by question."]
    places = {model: {q: i for i, q in enumerate(one.questions)} for model, one in own.items()}
    known = {model: np.isfinite(score_of(one, measure, "nan").values) for model, one in own.items()}
    asked = dict.fromkeys(q for one in own.values() for q in one.questions)
    both = [q for q in asked if all(q in place for place in places.values())]
    if undefined == "exclude":
        both = [q for q in both if all(known[model][places[model][q]] for model in own)]
    said = []
    if len(both) < len(asked):
        left = number_of(len(asked) - len(both), "question")
        said = [
            f"{name}: {left} of {len(asked):,} {'are' if len(asked) - len(both) > 1 else 'is'} left out, which not all answered."
        ]
    if len(both) < 2:
        return {}, [f"{name}: the models have {number_of(len(both), 'question')} in common."]
    return {model: one.only([places[model][q] for q in both]) for model, one in own.items()}, said


def _row(
    name: str, measure: Measure, models: Sequence[str], aligned: dict[str, Answers], undefined: Any, asked: DifferenceTests
) -> tuple[Row, Sequence[Any]]:
    """Return the row of a measure, with a place for each model, and differences of those with answers."""
    nothing = Row(name, (None,) * len(models), key=None, intervals=(None,) * len(models))
    if not aligned or (asked.baseline is not None and asked.baseline not in aligned):
        return nothing, ()
    names = tuple(model for model in models if model in aligned)
    columns = Columns.of_evaluations({model: aligned[model] for model in names})
    values = tuple(score_of(aligned[model], measure, undefined) for model in names)
    better = values[0].measure.better
    given = replace(asked, clusters=aligned[names[0]].clusters_of(asked.clusters))
    row = Row(name, values, better, (replace(measure, better=better), None))
    known: dict[int, Any] = {}
    row = with_intervals(columns, row, undefined, given, known)
    found = differences_of(columns, (row,), undefined, given, known)
    found = tuple(replace(d, note=f"{d.note} {_correlation(row, names, d)}".strip()) for d in found)
    row = mark_best((row,), names, found)[0]
    place = {model: i for i, model in enumerate(names)}

    def spread(known: Sequence[Any], nothing: Any) -> tuple[Any, ...]:
        return tuple(known[place[m]] if m in place else nothing for m in models)

    made = replace(row, values=spread(row.values, None), intervals=spread(row.intervals, None), best=spread(row.best, False))
    return made, found


def _correlation(row: Row, names: Sequence[str], difference: Any) -> str:
    """Return the correlation of the scores of two models over the questions, which the test used."""
    one, other = (counted_units(row.values[names.index(model)])[0] for model in (difference.first, difference.second))
    if len(one) != len(other) or len(one) < 2 or not (np.ptp(one) and np.ptp(other)):
        return ""
    return f"Their scores of {number_of(len(one), 'question')} have a correlation of {np.corrcoef(one, other)[0, 1]:.2f}."
