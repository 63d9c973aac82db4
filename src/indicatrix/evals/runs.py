"""Runs: what users hold of evaluation logs.

Each method hands on to the mean over questions that it is about.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.score import Score, Undefined
from ..algebra.values import free_name, to_pandas, to_polars
from ..evaluate import evaluate
from ..inference.intervals.interval import Interval
from ..report.table_forms import Label, Table
from ..report.text import score_cell
from ..words.call_mistakes import answers_mistakes
from ..words.wording import did_you_mean, listing, no_attribute, number_of
from .answers import Answers, about_unfinished
from .logs import joined
from .measures import measure_of_answers
from .scores import interval_of_answers, score_of, standard_error, variances

if TYPE_CHECKING:
    from ..compare.comparison import Comparison
    from ..evaluation import Evaluation
    from ..inference.planning.power import Power

PARTS = ("task", "model", "scorer")
_WEIGHED = (
    "a mean over questions counts each of them once; where they count more or less, it is "
    "ix.inference.interval(runs.counted(weights), runs.score().measure)"
)
_GROUPED = "a run is of one task: ix.read_evals(table, task='topic') makes a task of each topic"
HINTS = {**dict.fromkeys(("weights", "sample_weight"), _WEIGHED), **dict.fromkeys(("by", "per", "groups"), _GROUPED)}
_OF_LABELS = "Runs have means over questions; runs.evaluate() has what labels have."
OTHER_ATTRIBUTES = {
    **dict.fromkeys(("save", "to_json"), "runs.to_dict() has a row for each answer, which ix.read_evals reads again."),
    **dict.fromkeys(("values", "weakest", "compare_groups"), _OF_LABELS),
}


@answers_mistakes(hints=HINTS)
@dataclass(frozen=True, eq=False, repr=False)
class Runs:
    """Runs of language models on tasks, with the scores of their answers to each question.

    Attributes
    ----------
    answers : tuple of Answers
        One for each task, model and scorer: its questions, and the score of each answer.

    Examples
    --------
    >>> import indicatrix as ix
    >>> table = {"question": [1, 2, 3, 4] * 2, "score": [1, 1, 1, 0, 1, 0, 0, 0], "model": ["a"] * 4 + ["b"] * 4}
    >>> print(ix.read_evals(table))
    task  model  scorer  questions  answers              score
    task  a      score           4        4  0.75 [0.24, 0.99]
    task  b      score           4        4  0.25 [0.01, 0.76]
    """

    answers: tuple[Answers, ...]

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks, in the order of the logs."""
        return tuple(dict.fromkeys(one.task for one in self.answers))

    @property
    def models(self) -> tuple[str, ...]:
        """The models."""
        return tuple(dict.fromkeys(one.model for one in self.answers))

    @property
    def scorers(self) -> tuple[str, ...]:
        """What scored the answers."""
        return tuple(dict.fromkeys(one.scorer for one in self.answers))

    @property
    def sizes(self) -> str:
        """How many tasks, models and scorers there are, in words."""
        return ", ".join(number_of(len(getattr(self, f"{part}s")), part) for part in PARTS)

    def only(self, *, task: str | None = None, model: str | None = None, scorer: str | None = None) -> Runs:
        """Return the runs of one task, one model or one scorer.

        Parameters
        ----------
        task, model, scorer : str, optional
            Which runs are kept. Default: all.

        Returns
        -------
        Runs
            Those that are meant.

        Examples
        --------
        >>> import indicatrix as ix
        >>> runs = ix.read_evals({"question": [1, 1], "score": [1, 0], "model": ["a", "b"]})
        >>> runs.only(model="a").score()
        1.0
        """
        asked = dict(zip(PARTS, (task, model, scorer), strict=True))
        for part, name in asked.items():
            have = getattr(self, f"{part}s")
            if name is not None and name not in have:
                hint = did_you_mean(name, have)
                raise ValueError(f"{part}={name!r} is not in these runs. {hint or f'They have {listing(have)}.'}")
        return Runs(tuple(a for a in self.answers if all(x in (None, y) for x, y in zip(asked.values(), a.key, strict=True))))

    def single(self) -> Answers:
        """Return the answers of the one run that there is.

        Returns
        -------
        Answers
            Of one model to one task, scored in one way.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.read_evals({"question": [1, 1, 2], "score": [1, 0, 0]}).single().n
        2
        """
        if len(self.answers) != 1:
            several = [f"{p}= ({listing(own)})" for p in PARTS if len(own := getattr(self, f"{p}s")) > 1]
            raise ValueError(
                f"There are {number_of(len(self.answers), 'run')} here, and one is scored at a time. Choose with runs.only of "
                f"{' and '.join(several) or 'one task'}, see all in runs.table(), or compare models with ix.compare(runs)."
            )
        return self.answers[0]

    @property
    def n(self) -> int:
        """How many questions the one run has."""
        return self.single().n

    def counted(self, times: Any) -> Answers:
        """Return the one run with each of its questions counted so often.

        Parameters
        ----------
        times : array-like
            How often each question counts.

        Returns
        -------
        Answers
            Of this one run.

        Examples
        --------
        >>> import indicatrix as ix
        >>> runs = ix.read_evals({"question": [1, 2], "score": [1, 0]})
        >>> ix.inference.interval(runs, ix.pass_at_k, method="percentile").value
        0.5
        """
        return self.single().counted(times)

    def clusters_of(self, clusters: Any) -> Any:
        """Return the cluster of each question of the one run, as intervals read it.

        Parameters
        ----------
        clusters : str, mapping, array-like or None
            As ``interval`` takes it.

        Returns
        -------
        array, list or None
            A group for each question.

        Examples
        --------
        >>> import indicatrix as ix
        >>> runs = ix.read_evals({"question": [1, 2, 3], "score": [1, 0, 1], "passage": ["x", "x", "y"]})
        >>> runs.clusters_of("passage").tolist()
        [0, 0, 1]
        """
        return self.single().clusters_of(clusters)

    def score(self, measure: Any = "mean_score", *, undefined: Undefined = "exclude") -> Score:
        """Return the mean over questions of a measure of the answers to each.

        Parameters
        ----------
        measure : str or Measure, default 'mean_score'
            "mean_score", "pass_at_k(k=5)", that one of k answers is right, or "pass_hat_k(k=5)", that all are.
        undefined : str or number, default 'exclude'
            What a question without a scored answer does: 'exclude', or a number such as 0, which counts it as wrong.

        Returns
        -------
        Score
            A float with the value of each question.

        Examples
        --------
        >>> import indicatrix as ix
        >>> runs = ix.read_evals({"question": [1, 1, 2, 2], "score": [1, 0, 0, 0]})
        >>> runs.score(), runs.score("pass_at_k(k=2)")
        (0.25, 0.5)
        """
        return score_of(self.single(), measure, undefined)

    def interval(
        self,
        measure: Any = "mean_score",
        *,
        level: float = 0.95,
        method: str | None = None,
        clusters: Any = None,
        undefined: Undefined = "exclude",
    ) -> Interval:
        """Return the score with an interval for other questions, and other answers, like these.

        Questions are what was sampled, so that its width has both in it: how much questions differ, and how much answers to the
        same question do. A few questions that are right or wrong have the mid-p interval of a share, others the score interval,
        which both cover where a normal approximation does not.

        Parameters
        ----------
        measure : str or Measure, default 'mean_score'
            As ``score`` takes it.
        level : float, default 0.95
            In which share of samples the interval is to cover the true value.
        method : str, optional
            Default: the one with the best coverage; ``help(ix.Evaluation.interval)`` names all.
        clusters : str, mapping or array-like, optional
            Questions that were sampled together, such as those of one passage: the name of a column, the group of each question
            by its name, or one group for each.
        undefined : str or number, default 'exclude'
            As ``score`` takes it.

        Returns
        -------
        Interval
            value, low, high, level, method and note.

        References
        ----------
        - E. Miller (2024). Adding error bars to evals: a statistical approach to language model evaluations.
          https://arxiv.org/abs/2411.00640

        Examples
        --------
        >>> import indicatrix as ix
        >>> runs = ix.read_evals({"question": range(30), "score": [1] * 12 + [0] * 18})
        >>> runs.interval()
        0.4 [0.238, 0.581] (95%, mid_p)
        """
        return interval_of_answers(self.single(), measure, level, method, clusters, undefined)

    def variance(self, measure: Any = "mean_score", *, clusters: Any = None) -> dict[str, float]:
        """Return how much the scores vary: between questions, and between answers to the same question.

        Parameters
        ----------
        measure : str or Measure, default 'mean_score'
            As ``score`` takes it.
        clusters : str, mapping or array-like, optional
            As ``interval`` takes it.

        Returns
        -------
        dict
            The standard_error of the score, questions and answers; of mean_score also the variances between questions and within
            them, which are nan if no question has two answers.

        Examples
        --------
        >>> import indicatrix as ix
        >>> runs = ix.read_evals({"question": range(30), "score": [1] * 12 + [0] * 18})
        >>> round(runs.variance()["standard_error"], 4)
        0.091
        """
        one = self.single()
        score = score_of(one, measure, "exclude")
        parts = {} if score.measure.params else variances(one)
        answers = int(one.tries.sum())
        return {"standard_error": standard_error(one, score, clusters), **parts, "questions": one.n, "answers": answers}

    def decide(self, at: float) -> Runs:
        """Return the same runs with answers that are right, if their score is at least a number, or wrong.

        Parameters
        ----------
        at : float
            The least score of a right answer.

        Returns
        -------
        Runs
            Whose scores are 0 and 1.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.read_evals({"question": [1, 1], "score": [0.2, 0.9]}).decide(0.5).score("pass_at_k(k=2)")
        1.0
        """
        if isinstance(at, bool) or not isinstance(at, int | float) or math.isnan(at):
            raise ValueError(f"at={at!r} must be a number, the least score of a right answer, such as 0.5.")
        lower = [one.scorer for one in self.answers if one.better == "lower"]
        if lower:
            raise ValueError(f"Lower values of {lower[0]!r} are better, so at= does not say which answers are right.")
        return Runs(tuple(replace(a, scores=np.where(np.isnan(a.scores), math.nan, a.scores >= at)) for a in self.answers))

    def evaluate(self, **options: Any) -> Evaluation:
        """Return the evaluation of the answers as labels, next to their targets.

        Every measure of labels, average and interval. Answers without a target are left out; what a question without an answer
        is, missing= says: "abstain" counts it as wrong, "mask" leaves it out.

        Parameters
        ----------
        **options
            What ``ix.evaluate`` takes.

        Returns
        -------
        Evaluation
            Its groupings are question, whose answers belong together (clusters="question"), and the columns of questions.

        Examples
        --------
        >>> import indicatrix as ix
        >>> table = {"question": [1, 2, 3], "score": [1, 0, 1], "target": ["A", "B", "B"], "answer": ["A", "A", "B"]}
        >>> ix.read_evals(table).evaluate().score("f1", "macro")
        0.6666666666666666
        """
        one = self.single()
        rows = [(_text(t), _text(s), i) for t, s, i in zip(one.targets, one.said, one.of, strict=True) if t is not None]
        targets, said, of = map(list, zip(*rows, strict=True)) if rows else ([], [], [])
        if not any(s is not None for s in said):
            raise ValueError(f"The log of {one.task!r} does not have both the target and the answer of any question.")
        by = {"question": [str(one.questions[i]) for i in of]}
        by |= {c: [v[i] for i in of] for c, v in one.columns.items() if all(isinstance(x, str) for x in v)}
        return evaluate(targets, said, **{"by": by, **options})

    def compare(self, measures: Any = None, **options: Any) -> Comparison:
        """Return the models side by side, paired by question; ``ix.compare(runs)`` is the same.

        Parameters
        ----------
        measures : str, Measure or iterable, optional
            As ``score`` takes them. Default: mean_score.
        **options
            undefined, baseline, level, method, margin, correction, seed and clusters, as ``ix.compare`` takes them.

        Returns
        -------
        Comparison
            A row for each task, scorer and measure, a column for each model; each difference with the correlation of the two.

        Examples
        --------
        >>> import indicatrix as ix
        >>> right = [1, 1, 0, 1, 0] * 20 + [1, 0, 0, 0, 0] * 20
        >>> runs = ix.read_evals({"question": [*range(100)] * 2, "score": right, "model": ["a"] * 100 + ["b"] * 100})
        >>> print(runs.compare().differences[0])
        a has a higher task score than b by 0.400 [0.304, 0.496] (McNemar mid-p, p < 0.0001).
        """
        from .compared_runs import compare_runs

        return compare_runs(self.answers, measures, **options)

    def table(
        self, measure: Any = "mean_score", *, level: float = 0.95, clusters: Any = None, undefined: Undefined = "exclude"
    ) -> Table:
        """Return all runs as a table: questions, answers, and the score with its interval.

        Parameters
        ----------
        measure : str or Measure, default 'mean_score'
            As ``score`` takes it.
        level : float, default 0.95
            The level of the intervals.
        clusters : str, optional
            As ``interval`` takes it.
        undefined : str or number, default 'exclude'
            As ``score`` takes it.

        Returns
        -------
        Table
            With ``text()``, ``markdown()``, ``latex()``, ``csv()`` and ``html()``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> print(ix.read_evals({"question": [1, 2], "score": [1, 1], "model": ["a", "a"]}).table().markdown())
        | task | model | scorer | questions | answers | score |
        | --- | --- | --- | ---: | ---: | ---: |
        | task | a | score | 2 | 2 | 1.00 [0.22, 1.00] |
        """
        chosen = measure_of_answers(measure)
        found = [interval_of_answers(one, chosen, level, None, clusters, undefined) for one in self.answers]
        rows = [
            (*map(Label, one.key), one.n, int(one.tries.sum()), score_cell(made.value, made))
            for one, made in zip(self.answers, found, strict=True)
        ]
        head = "score" if not chosen.params else str(chosen)
        return Table((*PARTS, "questions", "answers", head), rows, len(PARTS))

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns with a row for each answer, which ``ix.read_evals`` reads again.

        Returns
        -------
        dict
            task, model, scorer, question and score; target and answer, where they are known; better, where that is 'lower'
            somewhere; and the columns of questions, with _ after one of these names. A question is None where only means are
            known.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.read_evals({"question": [1, 2], "score": [1, 0]}).to_dict()["score"]
        [1.0, 0.0]
        """
        found = {part: [name for one in self.answers for name in [getattr(one, part)] * len(one.of)] for part in PARTS}
        found["question"] = [one.questions[i] if one.named else None for one in self.answers for i in one.of]
        found["score"] = [score for one in self.answers for score in one.scores.tolist()]
        if any(one.better != "higher" for one in self.answers):
            found["better"] = [one.better for one in self.answers for _ in one.of]
        for name, own in (("target", "targets"), ("answer", "said")):
            known = [label for one in self.answers for label in getattr(one, own)]
            found |= {name: known} if any(label is not None for label in known) else {}
        for name in dict.fromkeys(c for one in self.answers for c in one.columns):
            found[free_name(name, {*found, "target", "answer", "better"})] = [
                one.columns[name][i] if name in one.columns else None for one in self.answers for i in one.of
            ]
        return found

    to_pandas, to_polars = to_pandas, to_polars

    def to_html(self, path: str | os.PathLike[str], *, level: float = 0.95, clusters: str | None = None) -> None:
        """Write a page that a browser opens: the table of runs, and the models compared.

        Parameters
        ----------
        path : str or path
            The file.
        level : float, default 0.95
            The level of the intervals.
        clusters : str, optional
            As ``interval`` takes it.

        Examples
        --------
        >>> import os, tempfile
        >>> import indicatrix as ix
        >>> path = os.path.join(tempfile.mkdtemp(), "evals.html")
        >>> ix.read_evals({"question": [1, 2], "score": [1, 0]}).to_html(path)
        >>> os.path.exists(path)
        True
        """
        from .page import write_runs_page

        made = self.compare(level=level, clusters=clusters) if len(self.models) > 1 else None
        write_runs_page(self, self.table(level=level, clusters=clusters), made, path)

    def to_every_eval_ever(self, folder: str | os.PathLike[str], *, organization: str, **options: Any) -> list[str]:
        """Return the paths of files with the scores and intervals of each model, as Every Eval Ever has them.

        Parameters
        ----------
        folder : str or path
            Where the files are written: FOLDER/TASK/DEVELOPER/MODEL/….json.
        organization : str
            Who ran the evaluations.
        **options
            relationship, of the evaluator to the model: 'first_party', 'third_party' (the default), 'collaborative' or 'other';
            level and clusters, as ``interval`` takes them.

        Returns
        -------
        list of str
            The files.

        Examples
        --------
        >>> import os, tempfile
        >>> import indicatrix as ix
        >>> runs = ix.read_evals({"question": [1, 2], "score": [1, 0], "model": ["lab/gpt"] * 2, "task": ["sums"] * 2})
        >>> paths = runs.to_every_eval_ever(tempfile.mkdtemp(), organization="our lab")
        >>> os.path.dirname(paths[0]).endswith(os.path.join("sums", "lab", "gpt"))
        True
        """
        from .every_eval_ever import write_records

        return write_records(self.answers, folder, organization, **options)

    def plan(self, difference: float | None, power: float, level: float, samples: int | None) -> Power:
        """Return how many questions separate two models; ``ix.power(runs, difference=0.02)`` is the same.

        Parameters
        ----------
        difference : float or None
            The difference to find. None: that of the two models.
        power : float
            How often the test is to find it.
        level : float
            The test rejects at 1 - level.
        samples : int or None
            How many answers each question gets. None: as many as now.

        Returns
        -------
        Power
            As ``ix.power`` describes it.

        Examples
        --------
        >>> import indicatrix as ix
        >>> right = [1, 1, 0, 1, 0] * 20 + [1, 0, 0, 0, 0] * 20
        >>> runs = ix.read_evals({"question": [*range(100)] * 2, "score": right, "model": ["a"] * 100 + ["b"] * 100})
        >>> runs.plan(0.1, 0.8, 0.95, None).n
        191
        """
        from .planned_runs import plan_runs

        return plan_runs(self.answers, difference, power, level, samples)

    def __add__(self, other: Runs) -> Runs:
        """Return both together; of the same model and task further answers, but not the same log twice."""
        if not isinstance(other, Runs):
            return NotImplemented
        return Runs(join((*self.answers, *other.answers), "join"))

    def __getattr__(self, name: str) -> Any:
        """Refuse an attribute that does not exist, and say what may be meant."""
        raise no_attribute(self, "A set of runs", name, OTHER_ATTRIBUTES)

    def __str__(self) -> str:
        return "\n\n".join([self.table().text(), *about_unfinished(self.answers)])

    def __repr__(self) -> str:
        return f"<Runs: {self.sizes}>"

    def _repr_html_(self) -> str:
        return self.table().html()


def _text(label: Any) -> str | None:
    """Return a label as text; a whole number is the same in columns of whole numbers and of fractions.

    >>> _text(2.0), _text(2), _text(2.5), _text("a"), _text(None)
    ('2', '2', '2.5', 'a', None)
    """
    return None if label is None else str(int(label) if isinstance(label, float) and label.is_integer() else label)


def join(answers: Iterable[Answers], repeats: str | None) -> tuple[Answers, ...]:
    """Return answers, those of the same task, model and scorer together, or apart, or refused."""
    found: dict[tuple[str, str, str], list[Answers]] = {}
    for one in answers:
        before = found.get(one.key, [])
        for first in before:
            files = f"{first.about['file']} and {one.about['file']}"
            if first is one or first.about["origin"] & one.about["origin"]:
                raise ValueError(
                    f"The same log of {one.model!r} on {one.task!r} was given twice: {files}. Give it once; of logs that were "
                    "retried, the last."
                )
            if repeats is None:
                raise ValueError(
                    f"There are two logs of {one.model!r} on {one.task!r}, {files}. repeats='join' takes them as further answers "
                    "to the same questions, repeats='apart' as two models; or read one of them."
                )
        if before and repeats == "apart":
            names = (f"{one.model} #{number}" for number in count(2))
            one = replace(one, model=next(name for name in names if (one.task, name, one.scorer) not in found))
        elif before and not (before[0].named and one.named):
            raise ValueError(f"Only means of {one.task!r} are known, not its questions, so that two logs cannot be joined.")
        found.setdefault(one.key, []).append(one)
    return tuple(joined(own) if len(own) > 1 else own[0] for own in found.values())
