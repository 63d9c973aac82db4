"""Answers: what one model scored on the questions of one task, as sums for each question.

An answer adds its score and 1 to its question. Questions are what was sampled.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.counts import Counts
from ..algebra.source import lacking_axis
from ..encode.weights import Groups, check_by
from ..words.wording import listing

EXAMPLES = ("example",)


@dataclass(frozen=True, eq=False)
class QuestionSums:
    """The statistic: of each question the sum of its scores, and how many answers have one."""

    totals: Array
    tries: Array
    right_or_wrong: bool  # whether each score is 0 or 1
    names: tuple[tuple[Any, ...], ...]
    times: Any = None
    per: tuple[str, ...] = EXAMPLES

    @cached_property
    def counts(self) -> Counts:
        """Four counts, which nobody knows."""
        return Counts(*(np.full(len(self.totals), math.nan),) * 4, per=self.per, names=self.names, times=self.times)


@dataclass(frozen=True, eq=False)
class Answers:
    """The scored answers of one model to the questions of one task."""

    task: str
    model: str
    scorer: str
    questions: tuple[Any, ...]  # their names
    of: Array  # the place of the question of each answer
    scores: Array  # of each answer; nan: it has none
    targets: tuple[Any, ...] = ()  # of each answer, where they are known
    said: tuple[Any, ...] = ()  # the answers themselves, as far as they were read out of the output
    columns: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # what is known of each question, such as its passage
    varying: tuple[str, ...] = ()  # columns that are not of questions: they differ between answers to the same one
    better: str = "higher"
    about: Mapping[str, Any] = field(default_factory=dict)  # of the log: origin, library, version, created
    named: bool = True  # whether the names of the questions are known, so that models are compared question by question
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
    def sums(self) -> QuestionSums:
        """The statistic of all questions."""
        seen = ~np.isnan(self.scores)
        of, scores = self.of[seen], self.scores[seen]
        totals, tries = np.bincount(of, scores, self.n), np.bincount(of, minlength=self.n)
        return QuestionSums(totals, tries, bool(np.isin(scores, (0, 1)).all()), (self.questions,))

    @property
    def span(self) -> tuple[float, float]:
        """Between which numbers scores lie: 0 and 1, or anywhere."""
        seen = self.scores[~np.isnan(self.scores)]
        return (0.0, 1.0) if ((seen >= 0) & (seen <= 1)).all() else (-math.inf, math.inf)

    @cached_property
    def within(self) -> Array:
        """The variance of the scores of each question; nan where it has fewer than two."""
        apart = self.scores - (self.sums.totals / np.maximum(self.sums.tries, 1))[self.of]
        squares = np.bincount(self.of, np.nan_to_num(apart) ** 2, self.n)
        return np.where(self.sums.tries > 1, squares / np.maximum(self.sums.tries - 1, 1), math.nan)

    def groups_of(self, name: str) -> dict[str, Groups]:
        """Return a grouping of the questions by one of their columns."""
        if name in self.varying:
            raise ValueError(
                f"clusters={name!r} differs between answers to the same question of {self.task!r}, and questions are what was "
                "sampled. Give one group for each question."
            )
        if name not in self.columns:
            have = f"The columns are {listing([*self.columns])}" if self.columns else "The log has no columns of questions"
            raise ValueError(f"clusters={name!r} is not a column of {self.task!r}. {have}; or give one group for each question.")
        return check_by({name: list(self.columns[name])}, self.n, {name: f"column {name!r}"})

    def clusters_of(self, clusters: Any) -> Any:
        """Return the cluster of each question, which a column names, or a mapping of questions.

        None stays None.
        """
        if isinstance(clusters, str):
            return self.groups_of(clusters)[clusters][1]
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
        pick: dict[str, Any] = {n: tuple(own[i] for i in rows) for n in ("targets", "said") if (own := getattr(self, n))}
        columns = {name: [values[i] for i in kept] for name, values in self.columns.items()}
        questions = tuple(self.questions[i] for i in kept)
        return replace(self, questions=questions, of=place[self.of][rows], scores=self.scores[rows], columns=columns, **pick)

    def counted(self, times: Any) -> Answers:
        """Return the same answers with each question counted so often."""
        return replace(self, times=times)

    def refusal(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> str:
        """Return why there are no units of some axes: the mean over questions is the one average."""
        return lacking_axis(per, EXAMPLES) if per else "questions are what was sampled, and their scores are not pooled."

    def units(self, measure: Any, per: tuple[str, ...] = EXAMPLES, *, positive: bool = False) -> QuestionSums:
        """Return the sums of each question."""
        if reason := self.refusal(measure, per):
            raise ValueError(f"{measure} has the mean over questions and no other average: {reason}")
        return replace(self.sums, times=self.times)

    def __add__(self, other: Answers) -> Answers:
        """Return both together: further answers to the same questions, and answers to further ones."""
        place = {q: i for i, q in enumerate(self.questions)}
        new = [q for q in other.questions if q not in place]
        place |= {q: self.n + i for i, q in enumerate(new)}
        there = {q: i for i, q in enumerate(other.questions)}
        both = [name for name in self.columns if name in other.columns]
        known = [[{name: one.columns[name][i] for name in both} for i in range(one.n)] for one in (self, other)]
        apart = (differing(known[0][place[q]], known[1][there[q]]) for q in other.questions if place[q] < self.n)
        varying = dict.fromkeys([*self.varying, *other.varying, *chain.from_iterable(apart)])
        columns = {
            name: [*self.columns[name], *(other.columns[name][there[q]] for q in new)] for name in both if name not in varying
        }
        of = np.array([place[q] for q in other.questions], np.intp)[other.of]
        labels = {n: (getattr(self, n), getattr(other, n)) for n in ("targets", "said")}
        joined = {n: (*mine, *theirs) if mine and theirs else () for n, (mine, theirs) in labels.items()}
        about = {**self.about, "origin": self.about.get("origin", frozenset()) | other.about.get("origin", frozenset())}
        rows: dict[str, Any] = {"of": np.append(self.of, of), "scores": np.append(self.scores, other.scores), **joined}
        return replace(self, questions=(*self.questions, *new), columns=columns, varying=tuple(varying), about=about, **rows)


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return which columns of two answers to a question differ; what is not known does not.

    >>> differing({"passage": "x", "seed": 1, "topic": None}, {"passage": "x", "seed": 2, "topic": "sums"})
    ['seed']
    """
    return [
        name
        for name, value in one.items()
        if not (value is None or value != value or (known := other.get(name)) is None or known != known or value == known)
    ]
