"""Folds: the score of all examples together next to the mean of the scores of the folds (sec:cv).

>>> import indicatrix as ix
>>> ev = ix.evaluate([1, 0, 1, 1, 0], [1, 1, 1, 0, 0], by={"fold": [1, 1, 2, 2, 2]})
>>> both = ev.folds("precision", "binary")
>>> both.pooled, both.averaged, both.weights.tolist()
(0.6666666666666666, 0.75, [2.0, 1.0])
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.arrays import Array, Mask
from ..algebra.average import find_average, measure_name
from ..algebra.measure import Measure
from ..algebra.measure_names import split_score
from ..algebra.score import PLURALS, Score, Undefined, check_undefined, combine
from ..algebra.source_score import score_groups
from ..algebra.values import Values, free_name, to_pandas, to_polars
from ..report.grid import name_text
from ..words.call_mistakes import answers_mistakes


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class Folds:
    """One measure over the groups of an axis, in both ways: pooled and averaged.

    ``ix.inference.fold_interval`` gives the interval of its mean, ``ix.inference.compare_folds`` compares several.

    Attributes
    ----------
    pooled : Score
        The score of all groups together.
    values : Values
        The value of each group alone, with names.
    sizes : tuple of int
        The number of examples of each group.
    weights : Values or None
        The denominators of the groups, if the measure is a ratio of sums; None if they do not give the pooled score.
    axis : str
        The name of the axis.
    scores : tuple of Score
        The score of each group, with what was undefined inside it.
    parts : tuple of Evaluation
        The evaluation of each group.
    """

    pooled: Score  # of all groups together
    values: Values  # of each group alone, with names
    sizes: tuple[int, ...]  # examples of each group
    weights: (
        Values | None
    )  # denominators of the groups, if the measure is a ratio of sums; None: they do not give the pooled score
    axis: str = "fold"
    scores: tuple[Score, ...] = ()  # of each group, with what was undefined inside it
    parts: tuple[Any, ...] = ()  # the evaluation of each group

    @property
    def names(self) -> tuple[Any, ...]:
        """The names of the groups."""
        return self.values.names

    @property
    def undefined(self) -> Undefined:
        """What an undefined value does to the mean."""
        return self.pooled.undefined

    @property
    def averaged(self) -> float:
        """The plain mean of the groups' scores, under the convention for undefined ones.

        A group of which nothing was observed does not count.
        """
        return combine(np.asarray(self.values)[self.observed], None, self.undefined)

    @property
    def weighted(self) -> float | None:
        """The mean of the groups' scores, weighted by their denominators.

        It is the pooled score. None if there are no such weights.
        """
        return None if self.weights is None else combine(_own(self.scores), np.asarray(self.weights), "exclude")

    @property
    def gap(self) -> float:
        """Pooled minus averaged."""
        return float(self.pooled) - self.averaged

    @property
    def counted(self) -> Array:
        """The groups' scores that enter the mean and the standard deviation: observed, and not excluded."""
        values = np.asarray(self.values)[self.observed]
        return values[np.isfinite(values)] if self.undefined == "exclude" else values

    @property
    def std(self) -> float:
        """The sample standard deviation of the groups' scores; nan for fewer than two scores.

        Excluded scores are not counted.
        """
        values = self.counted
        if len(values) < 2 or not np.isfinite(values).all():
            return math.nan
        return float(values.std(ddof=1))

    @property
    def undefined_units(self) -> tuple[Any, ...]:
        """The names of the groups whose own score is undefined, although something was observed."""
        rows = zip(self.names, _own(self.scores), self.observed, strict=True)
        return tuple(name for name, own, seen in rows if seen and not math.isfinite(own))

    @property
    def observed(self) -> Mask:
        """Whether anything was observed of each group."""
        return np.array([np.any(score.counts.observed) for score in self.scores], bool)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns: the names of the groups, their numbers of examples, scores, and any weights.

        ``to_pandas()`` and ``to_polars()`` give them as a data frame.

        Returns
        -------
        dict
            A list for each column; nan where a group has no value.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 1], by={"fold": [1, 1, 2, 2, 1, 2]})
        >>> ev.folds("precision").to_dict()
        {'fold': [1, 2], 'n': [3, 3], 'value': [1.0, 0.5], 'weight': [2.0, 2.0]}
        """
        columns: dict[str, list[Any]] = {self.axis: list(self.names)}
        weights = None if self.weights is None else self.weights.tolist()
        for name, column in (("n", list(self.sizes)), ("value", self.values.tolist()), ("weight", weights)):
            if column is not None:
                columns[free_name(name, columns)] = column
        return columns

    to_pandas, to_polars = to_pandas, to_polars

    def __str__(self) -> str:
        groups = plural(self.axis)
        names = [*map(name_text, self.names)]
        weights = [""] * len(names) if self.weights is None else [f"  {w:g}" for w in self.weights]
        wide = max([len(self.axis), len("averaged"), *map(len, names)])
        long = len(str(sum(self.sizes)))
        lines = [f"{measure_name(self.pooled.measure, [self.pooled.average])}, {self.pooled.average}, over {len(names)} {groups}"]
        lines += [f"  {self.axis:<{wide}}  {'n':>{long}}  {'value':<8}{'' if self.weights is None else '  weight'}"]
        rows = zip(names, self.sizes, self.values.tolist(), weights, strict=True)
        lines += [f"  {name:<{wide}}  {n:>{long}}  {value:<8.6f}{weight}" for name, n, value, weight in rows]
        same = "" if self.weights is None else ": the mean with these weights, the denominators"
        lost = f", {len(self.undefined_units)} undefined" if self.undefined_units else ""
        lines += [
            f"  {'pooled':<{wide}}  {sum(self.sizes):>{long}}  {float(self.pooled):<8.6f}  all together{same}",
            f"  {'averaged':<{wide}}  {'':>{long}}  {self.averaged:<8.6f}  plain mean, sd {self.std:.3g}{lost}",
            f"  {'gap':<{wide}}  {'':>{long}}  {self.gap:<+8.6f}",
        ]
        return "\n".join(line.rstrip() for line in lines)

    def __repr__(self) -> str:
        return (
            f"<Folds: {measure_name(self.pooled.measure, [self.pooled.average])} over {len(self.names)} {plural(self.axis)}, "
            f"pooled {float(self.pooled):.6g}, averaged {self.averaged:.6g}>"
        )


@answers_mistakes
def folds(
    ev: Any,
    measure: str | Measure,
    average: str | None = None,
    *,
    axis: str = "fold",
    undefined: Undefined = "exclude",
) -> Folds:
    """Return the pooled score and the mean of the folds' scores, with the weights that connect them.

    Without an average, each fold has the score of the positive class; if there is no positive class, name an average. For a
    ratio of sums, such as recall, the pooled score is the mean of the folds' scores weighted by their denominators. Other
    measures and averages have no such weights; both values are shown. They may differ even for stratified folds of the same
    size, unless the denominator ignores the predictions. The axis is any ``by`` grouping of the evaluation.

    Parameters
    ----------
    ev : Evaluation
        Evaluated with by=.
    measure : str or Measure
        A measure, its name, or a formula.
    average : str, optional
        How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``, or the
        name of a by= axis. Optional where there is a positive class.
    axis : str, default 'fold'
        The name of a by= axis.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.

    Returns
    -------
    Folds
        ``.pooled``, ``.averaged``, ``.values`` of the folds, ``.gap`` and ``.std``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.evaluate([1, 1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 1, 1], by={"fold": [1, 1, 2, 2, 1, 2, 2]})
    >>> f = ix.tasks.folds(ev, "precision")
    >>> f.pooled, f.averaged, f.weighted, f.values.tolist(), f.weights.tolist()
    (0.6, 0.6666666666666666, 0.6, [1.0, 0.3333333333333333], [2.0, 3.0])
    """
    check_undefined(undefined)
    measure, average = split_score(measure, average)
    groups = ev.split(axis)
    if average in ev.tally.by:
        raise ValueError(f"average={average!r} is a grouping. Name the average inside each {axis}, such as average='micro'.")
    pooled = ev.score(measure, average, undefined=undefined)
    alone = score_groups(groups, axis, lambda part, how: part.score(measure, average, undefined=how), undefined)
    return folds_of(pooled, alone, groups, axis)


def folds_of(pooled: Score, alone: Mapping[Any, Score], groups: Mapping[Any, Any], axis: str) -> Folds:
    """Return the folds of a score, from that of all groups together and of each group alone."""
    scores, undefined, names = tuple(alone.values()), pooled.undefined, (tuple(groups),)
    sizes = tuple(part.n for part in groups.values())
    # A number that replaces undefined values also replaces the score of a whole fold, such as one without any weight.
    values = [float(s) if math.isfinite(s) or isinstance(undefined, str) else float(undefined) for s in scores]
    return Folds(pooled, Values.of(np.array(values), names), sizes, _weights(scores, names), axis, scores, (*groups.values(),))


def plural(axis: str) -> str:
    """Return the word for the groups of an axis.

    >>> plural("fold"), plural("site")
    ('folds', 'groups of site')
    """
    return PLURALS.get(axis, f"groups of {axis}")


def _own(scores: tuple[Score, ...]) -> list[float]:
    """Return the groups' scores, nan where a number only replaces an undefined score."""
    return [math.nan if s.lacks_weight() or (not s.counts.per and s.undefined_mask().any()) else float(s) for s in scores]


def _is_share_of_examples(score: Score) -> bool:
    """Return whether a score is by itself a mean over examples, as accuracy is."""
    return score.average in getattr(score.measure, "averages", ()) and find_average(score.average).is_mean_over("example")


def _examples_with_value(score: Score) -> float:
    """Return how many examples a mean over examples counts, each with its weight."""
    times = np.ones(np.shape(score.values)) if score.weights is None else np.asarray(score.weights, np.float64)
    return float(times[np.isfinite(np.asarray(score.values, np.float64))].sum())


def _weights(scores: tuple[Score, ...], names: tuple[tuple[Any, ...], ...]) -> Values | None:
    """Return the denominators of the groups, if they weight the mean to the pooled score.

    This holds for a ratio of two sums of pooled counts, unless a group without a value, such as x/0, adds
    to these sums. Accuracy, a mean over examples by itself, has the number of examples.
    """
    if scores and all(map(_is_share_of_examples, scores)):
        return Values.of(np.array([_examples_with_value(s) for s in scores]), names)
    sums = getattr(scores[0].measure, "decomposition", None) if scores else None
    if sums is None or not all(find_average(s.average).pools for s in scores):
        return None
    lost = [score.counts for score, own in zip(scores, _own(scores), strict=True) if not math.isfinite(own)]
    if any(sum(float(k) * float(x) for k, x in zip(side, counts, strict=True)) for counts in lost for side in sums):
        return None
    return Values.of(np.array([float(s.measure.denominator(s.counts)) for s in scores]), names)
