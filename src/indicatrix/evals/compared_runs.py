"""Models compared on the questions that all of them answered.

A row for each task, scorer and measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from ..algebra.measure import Measure
from ..algebra.score import Score
from ..compare.compare import compare
from ..compare.comparison import Comparison
from ..compare.differences import DifferenceTests
from ..compare.row import Row
from ..inference.estimators.of_weights import counted_units
from ..words.names_elsewhere import refuse_unknown
from ..words.wording import number_of
from .answers import Answers, about_unfinished
from .measures import measure_of_answers
from .scores import score_of

OPTIONS = tuple(one.name for one in fields(DifferenceTests) if one.name != "across_scores")  # of how differences are tested


def compare_runs(
    answers: Sequence[Answers], measures: Any = None, *, undefined: Any = "exclude", level: float | None = None, **options: Any
) -> Comparison:
    """Return the models of runs side by side; ``Runs.compare`` says the rest."""
    models = tuple(dict.fromkeys(one.model for one in answers))
    if len(models) < 2:
        raise ValueError(f"There is one model, {models[0]!r}. Read the logs of others with it, or add their runs.")
    refuse_unknown("compare", options, ("undefined", *OPTIONS))
    options["level"] = 0.95 if level is None else level
    DifferenceTests(**options).check(models)
    given = [measures] if measures is None or isinstance(measures, str | Measure) else [*measures]
    chosen = [measure_of_answers("mean_score" if one is None else one) for one in given]
    rows: list[Row] = []
    differences: list[Any] = []
    doubts: dict[str, None] = dict.fromkeys(about_unfinished(answers))
    known = {one.key: one for one in answers}
    for task, scorer in dict.fromkeys((one.task, one.scorer) for one in answers):
        own = {model: known[task, model, scorer] for model in models if (task, model, scorer) in known}
        for measure in chosen:
            name = f"{task} {scorer}" + (f", {measure}" if measure.params else "")
            aligned, said = on_same_questions(own, measure, name, undefined)
            doubts |= dict.fromkeys(said)
            row, found = _row(name, measure, models, aligned, undefined=undefined, **options)
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
    places = {model: _counted_questions(one, measure, undefined) for model, one in own.items()}
    asked = dict.fromkeys(q for one in own.values() for q in one.questions)
    common = set.intersection(*map(set, places.values()))
    both = [q for q in asked if q in common]
    if len(both) < 2:
        return {}, [f"{name}: the models have {number_of(len(both), 'question')} in common."]
    lost = len(asked) - len(both)
    left_out = f"{number_of(lost, 'question')} of {len(asked):,} {'is' if lost == 1 else 'are'} left out, which not all answered."
    kept = {model: one.only([places[model][q] for q in both]) for model, one in own.items()}
    return kept, [f"{name}: {left_out}"] if lost else []


def _counted_questions(one: Answers, measure: Measure, undefined: Any) -> dict[Any, int]:
    """Return the place of each question that counts: without a value it does only if undefined= says so."""
    counted = (undefined != "exclude") | np.isfinite(score_of(one, measure, "nan").values)
    return {one.questions[i]: i for i in np.flatnonzero(counted).tolist()}


def _row(
    name: str, measure: Measure, models: Sequence[str], aligned: dict[str, Answers], clusters: Any = None, **options: Any
) -> tuple[Row, Sequence[Any]]:
    """Return the row of a measure, with a place for each model, and differences of those with answers."""
    if not aligned or options.get("baseline") not in (None, *aligned):
        return Row(name, (None,) * len(models), intervals=(None,) * len(models)), ()
    first = next(iter(aligned.values()))
    meant = replace(measure, better=score_of(first, measure, "nan").measure.better)
    made = compare(aligned, meant, clusters=first.clusters_of(clusters), **options)
    (row,), place = made.rows, {model: i for i, model in enumerate(made.names)}

    def spread(known: Sequence[Any], nothing: Any) -> tuple[Any, ...]:
        return tuple(known[place[model]] if model in place else nothing for model in models)

    values = spread(row.values, None)
    notes = [f"{d.note} {_correlation(row.values[place[d.first]], row.values[place[d.second]])}" for d in made.differences]
    found = [replace(d, score=name, note=note.strip()) for d, note in zip(made.differences, notes, strict=True)]
    return replace(row, name=name, values=values, intervals=spread(row.intervals, None), best=spread(row.best, False)), found


def _correlation(first: Score, second: Score) -> str:
    """Return the correlation of the scores of two models over the questions, which the test used."""
    one, other = (counted_units(score)[0] for score in (first, second))
    if len(one) != len(other) or len(one) < 2 or not (np.ptp(one) and np.ptp(other)):
        return ""
    return f"Their scores of {number_of(len(one), 'question')} have a correlation of {np.corrcoef(one, other)[0, 1]:.2f}."
