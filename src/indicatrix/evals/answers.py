"""Answers: what one model scored on the questions of one task, as sums for each question.

An answer adds its score and 1 to its question. Questions are what was sampled.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.average import lacking_axis
from ..algebra.sums import UnitSums
from ..encode.weights import check_by
from ..words.wording import listing

EXAMPLES = ("example",)


@dataclass(frozen=True, eq=False)
class Answers:
    """The scored answers of one model to the questions of one task."""

    task: str
    model: str
    scorer: str
    questions: tuple[Any, ...]  # their names
    of: Array  # the place of the question of each answer
    scores: Array  # of each answer; nan: it has none
    targets: tuple[Any, ...]  # of each answer; None: it is not known
    said: tuple[Any, ...]  # the answers themselves, as far as they were read out of the output
    columns: Mapping[str, Sequence[Any]]  # what is known of each question, such as its passage
    varying: tuple[str, ...]  # columns that are not of questions: they differ between answers to the same one
    better: str
    about: Mapping[str, Any]  # of the log: origin, library, version, created
    named: bool  # whether the names of the questions are known, so that models are compared question by question
    times: Any = None
    positive = None
    axes = EXAMPLES
    lacking = ": a question has too few scored answers"

    @property
    def n(self) -> int:
        """How many questions there are."""
        return len(self.questions)

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is about: the task, the model and the scorer."""
        return self.task, self.model, self.scorer

    @cached_property
    def tries(self) -> Array:
        """How many scored answers each question has."""
        return np.bincount(self.of[~np.isnan(self.scores)], minlength=self.n)

    @cached_property
    def totals(self) -> Array:
        """The sum of the scores of each question."""
        return np.bincount(self.of, np.nan_to_num(self.scores), self.n)

    @property
    def seen(self) -> Array:
        """The scores that there are."""
        return self.scores[~np.isnan(self.scores)]

    @property
    def right_or_wrong(self) -> bool:
        """Whether each score is 0 or 1."""
        return bool(np.isin(self.seen, (0, 1)).all())

    @property
    def span(self) -> tuple[float, float]:
        """Between which numbers scores lie: 0 and 1, or anywhere."""
        return (0.0, 1.0) if ((self.seen >= 0) & (self.seen <= 1)).all() else (-math.inf, math.inf)

    def clusters_of(self, clusters: Any) -> Any:
        """Return the cluster of each question, which a column names, or a mapping of questions.

        None stays None.
        """
        if isinstance(clusters, str):
            if clusters in self.varying:
                raise ValueError(
                    f"clusters={clusters!r} differs between answers to the same question of {self.task!r}, and questions are "
                    "what was sampled. Give one group for each question."
                )
            if clusters not in self.columns:
                have = f"The columns are {listing([*self.columns])}" if self.columns else "The log has no columns of questions"
                raise ValueError(
                    f"clusters={clusters!r} is not a column of {self.task!r}. {have}; or give one group for each question."
                )
            return check_by({clusters: self.columns[clusters]}, self.n, {clusters: f"column {clusters!r}"})[clusters][1]
        if isinstance(clusters, Mapping):
            lost = [q for q in self.questions if q not in clusters]
            if lost:
                raise ValueError(f"clusters= does not say to which group question {lost[0]!r} of {self.task!r} belongs.")
            return [clusters[q] for q in self.questions]
        return clusters

    def only(self, kept: Sequence[int]) -> Answers:
        """Return the answers to some questions, in this order."""
        place = np.full(self.n, -1)
        place[[*kept]] = np.arange(len(kept))
        rows = np.flatnonzero(place[self.of] >= 0)
        columns = {name: [values[i] for i in kept] for name, values in self.columns.items()}
        questions = tuple(self.questions[i] for i in kept)
        targets, said = (tuple(own[i] for i in rows) for own in (self.targets, self.said))
        of, scores = place[self.of][rows], self.scores[rows]
        return replace(self, questions=questions, of=of, scores=scores, targets=targets, said=said, columns=columns)

    def counted(self, times: Any) -> Answers:
        """Return the same answers with each question counted so often."""
        return replace(self, times=times)

    def refusal(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> str:
        """Return why there are no units of some axes: the mean over questions is the one average."""
        return lacking_axis(per, EXAMPLES) if per else "questions are what was sampled, and their scores are not pooled."

    def units(self, measure: Any, per: tuple[str, ...] = EXAMPLES, *, positive: bool = False) -> UnitSums:
        """Return the value of each question."""
        if reason := self.refusal(measure, per):
            raise ValueError(f"{measure} has the mean over questions and no other average: {reason}")
        k = measure.params.get("k", 0)
        if k and not self.right_or_wrong:
            raise ValueError(
                f"{measure} is about answers that are right or wrong, and some scores are neither 0 nor 1. Decide first: "
                "runs.decide(0.5)."
            )
        if self.n and k > (most := int(self.tries.max())):
            raise ValueError(f"{measure} needs {k} answers to a question, and there are at most {most}. Take a smaller k.")
        return UnitSums(measure.function(self.totals, self.tries, **measure.params), per, (self.questions,), self.times)


def about_unfinished(answers: Iterable[Answers]) -> list[str]:
    """Return which logs did not end: the questions that they lack may be harder than the others."""
    said = ((one.model, one.task, status) for one in answers for status in sorted(one.about["unfinished"]))
    return [f"The evaluation of {model!r} on {task!r} did not end: its log says {s!r}." for model, task, s in dict.fromkeys(said)]
