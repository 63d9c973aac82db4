"""Measures of scored answers.

Functions of the sums of each question, whose mean over questions is the score of a run.

So intervals, clusters and paired tests are those of any mean over examples.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.kind import Kind
from ..algebra.measure import Measure
from ..algebra.measure_names import options_in
from ..algebra.numbers.functions import ratio
from ..algebra.sums import SUMS
from ..words.names_elsewhere import refuse_unknown
from ..words.wording import check_whole, did_you_mean
from .answers import Answers
from .logs import Answer, Log, assemble, plain_columns

HINTS = {
    "by": "groups and clusters of questions are columns of runs: ix.read_evals({'question': …, 'score': …, 'passage': …}) has "
    ".interval('pass_at_k(k=5)', clusters='passage')",
    "sample_weight": "a mean over questions counts each of them once; runs.counted(weights) counts them otherwise",
}


def mean_score(totals: Array, tries: Array) -> Any:
    """Return the mean score of the answers to each question."""
    return ratio(totals, tries)


def at_least_one(totals: Array, tries: Array, *, k: int = 1) -> Any:
    """Return how likely at least one of k answers is right, a mean over questions (Chen et al. 2021).

    Of n answers to a question, c are right: 1 - C(n - c, k)/C(n, k) has no bias. ``ix.pass_at_k(runs, k=5, interval=True)`` is
    that of runs of ``ix.read_evals``, with an interval; here are the question and the score of each answer.

    >>> import indicatrix as ix
    >>> ix.pass_at_k(["q", "q", "q", "r", "r", "r"], [1, 1, 0, 0, 0, 0], k=2)
    0.5
    """
    return 1 - all_of(tries - totals, tries, k=k)


def all_of(totals: Array, tries: Array, *, k: int = 1) -> Any:
    """Return how likely all of k answers are right, in the mean over questions (Yao et al. 2024).

    Of n answers to a question, c are right: C(c, k)/C(n, k) has no bias. ``ix.pass_hat_k(runs, k=5, interval=True)`` is that of
    runs of ``ix.read_evals``, with an interval; here are the question and the score of each answer.

    >>> import indicatrix as ix
    >>> ix.pass_hat_k(["q", "q", "q", "q", "r", "r"], [1, 1, 1, 0, 1, 1], k=2)
    0.75
    """
    found = np.where(tries >= k, 1.0, math.nan)
    for drawn in range(k):
        found = found * np.maximum(totals - drawn, 0) / np.maximum(tries - drawn, 1)
    return found


def _meaning(measure: Measure, source: Any, average: Any, undefined: Any) -> tuple[Measure, Any, Any]:
    """Return the measure in its range here, the answers of one run, and the mean over questions."""
    one = source if isinstance(source, Answers) else source.single()
    made = measure if "k" in measure.params else replace(measure, range=one.span, better=one.better)
    return made, one, "exemplar" if average is None else average


def answers_of(questions: Any, scores: Any) -> Answers:
    """Return answers from the question and the score of each."""
    columns = plain_columns({"questions": questions, "scores": scores})
    rows = [Answer(q, {"score": s}) for q, s in zip(*columns.values(), strict=True)]
    if not rows:
        raise ValueError("There are no answers. Give the question and the score of each.")
    return assemble(Log("task", "model", rows))[0]


ANSWERS: Kind = replace(
    SUMS,
    name="answers",
    what="scored answers to questions",
    takes="the question and the score of each answer, or runs of ix.read_evals",
    names=("questions", "scores"),
    source="runs of ix.read_evals",
    is_source=lambda given: isinstance(given, Answers) or hasattr(type(given), "single"),
    make=answers_of,
    like=lambda: answers_of,
    check_options=lambda measure, options: refuse_unknown(measure, options, (*measure.settable, *measure.reads.of_calls), HINTS),
    for_intervals={},
    of_classes=None,
    check_parameter=lambda measure, name, value: check_whole(name, value, 1),
    meaning=_meaning,
    few=True,
)
OF_ANSWERS = {
    "mean_score": Measure("mean_score", mean_score, "higher", (0, 1), reads=ANSWERS),
    "pass_at_k": Measure("pass_at_k", at_least_one, "higher", (0, 1), params={"k": 1}, reads=ANSWERS),
    "pass_hat_k": Measure("pass_hat_k", all_of, "higher", (0, 1), params={"k": 1}, reads=ANSWERS),
}
pass_at_k, pass_hat_k = OF_ANSWERS["pass_at_k"], OF_ANSWERS["pass_hat_k"]


def measure_of_answers(measure: Any) -> Measure:
    """Return the measure of answers that a name stands for.

    >>> print(measure_of_answers("pass_at_k(k=5)"))
    pass_at_k(k=5)
    """
    if isinstance(measure, Measure) and measure.reads is ANSWERS:
        return measure
    name, opening, _ = str(measure).strip().partition("(")
    if name not in OF_ANSWERS:
        advice = did_you_mean(name, [*OF_ANSWERS]) or f"Measures are {', '.join(OF_ANSWERS)}."
        raise ValueError(f"{measure} does not read scored answers. {advice} Others read labels: runs.evaluate() has all of them.")
    found = OF_ANSWERS[name]
    return found.at(**options_in(str(measure), found)) if opening else found
