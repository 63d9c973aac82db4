"""Which rows to label: those whose unknown labels move a score most.

The score can be computed from their strata.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.average import BINARY
from ..algebra.measure import Measure
from ..algebra.measure_names import resolve, split_score
from ..algebra.score import Score
from ..corrected_evaluation import names_of_strata
from ..evaluate import check_positive
from ..evaluation import Evaluation
from ..inference.estimators.of_corrected import estimator_of_corrected
from ..settings.options import Options
from ..tally.corrected.by_reference import ByProbabilities, Doubt
from ..tally.corrected.corrected import Corrected, corrected_tally
from ..tally.corrected.fitted_labels import FittedLabels, Method
from ..tally.corrected.judged_rows import EXPECTED, STRATUM, JudgedRows
from ..words.call_mistakes import answers_mistakes
from ..words.wording import check_whole
from .expected import unlabeled_rows
from .scored_rows import read_both

PARTS = 6  # strata of each predicted class, at most
LEAST = 2  # labels in a stratum: one has no spread
SURE = 10  # labels as which the guess counts for a batch that learns: few labels say little about a variance
EVEN = 0.1  # the share of the budget that is spread evenly, because guesses may be wrong
ROWS_PER_PART = 4  # labels for which there is a stratum
TINY = 1e-12


@answers_mistakes
def plan_labels(
    y_pred: Any,
    y_proba: Any,
    *,
    budget: int,
    measure: str | Measure = "f1",
    average: str | None = None,
    classes: Iterable[Any] | None = None,
    positive: Any = None,
    seed: int = 0,
) -> LabelPlan:
    """Return which rows to label so that a score gets as precise as possible for a number of labels.

    Rows are divided by prediction and probability. Strata whose unknown labels move the score most get most labels, a tenth of
    all labels is spread evenly, and rows are drawn at random inside each stratum. The labels then belong to
    ``ix.evaluate(labels, y_pred, design=plan)``, whose intervals account for the design. A plan is made for one measure: for
    others, its labels may be worth less than random ones.

    Parameters
    ----------
    y_pred : array-like
        What was predicted: labels, or a 0/1 matrix or sets where rows have several labels.
    y_proba : array-like
        A guess of the truth: the probability of the positive class for each row, or a table with a column for each class. A poor
        guess costs precision, never validity.
    budget : int
        How many rows can be labeled.
    measure : str or Measure, default 'f1'
        The measure that is to be known, its name, or a formula.
    average : str, optional
        Its average, as ``score`` takes it. Optional where there is a positive class.
    classes : iterable, optional
        The classes, in the order of the columns of probabilities.
    positive : label, optional
        The positive class. Labels 0/1 and False/True have 1 and True.
    seed : int, default 0
        Seed of the random draws; the same data and seed give the same plan.

    Returns
    -------
    LabelPlan
        ``.rows`` to label, ``.strata``, ``.standard_error()`` and ``.worth()`` in advance, ``.more(budget)`` for a next batch.

    Examples
    --------
    >>> import indicatrix as ix
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> proba = rng.beta(0.1, 2.5, 5000)
    >>> truth, pred = (rng.random(5000) < proba).astype(int), (proba > 0.3).astype(int)
    >>> plan = ix.plan_labels(pred, proba, budget=100)
    >>> len(plan.rows), round(plan.worth()) > 300
    (100, True)
    >>> ev = ix.evaluate(plan.gold(truth[plan.rows]), pred, design=plan)
    >>> ev.interval("f1").low < ix.f1(truth, pred) < ev.interval("f1").high
    True
    """
    target, _ = read_both(y_proba, y_pred, None, Options(positive, classes))
    n = len(target.predictions)
    _check_budget(budget, n, LEAST)
    named, average = split_score(measure, average)
    found_measure = resolve(named)
    rows = unlabeled_rows(target, {EXPECTED: target.probabilities}, (), None)
    tally = corrected_tally(Corrected(rows, ByProbabilities()), target.classes)
    guessed = Evaluation(tally, target.kind, check_positive(positive, tally))
    score = found_measure.score(guessed, average)
    if not math.isfinite(score):
        raise ValueError(f"{found_measure} is undefined for the expected counts, so no row can be said to matter for it.")
    found = estimator_of_corrected(guessed, score.measure, score, None)
    mean, doubt = found.near.added, found.under(Doubt(1)).near.added - found.under(Doubt(0)).near.added
    place, level = (np.zeros(n, np.intp), doubt) if target.several else target.column(0)
    strata = strata_to_label(place, level, doubt + TINY * max(float(doubt.max()), TINY), budget, PARTS)
    sizes = np.bincount(strata)
    middle, spread = np.bincount(strata, mean) / sizes, np.bincount(strata, doubt**2 + mean**2) / sizes
    spread = np.maximum(spread - middle**2, 0.0)
    labeled = allocate(sizes, sizes * np.sqrt(spread), budget)
    turn = np.empty(n)
    turn[np.lexsort((np.random.default_rng(seed).random(n), strata))] = np.arange(n)
    turn -= np.append(0, np.cumsum(sizes)[:-1])[strata]
    return LabelPlan(score, strata, Strata(sizes, middle, spread), labeled, turn)


def _check_budget(budget: Any, n: int, least: int = 1) -> None:
    if n < least:
        raise ValueError(f"There are {n} rows left, so there is nothing to choose; a plan chooses among {least} or more.")
    check_whole("budget", budget, least, n, "the number of rows")


@dataclass(frozen=True, eq=False)
class Strata:
    """How many rows strata have, and the mean and variance of what a row of each adds to a sum."""

    sizes: Array
    mean: Array
    spread: Array

    def variance(self, labeled: Array) -> float:
        """Return the variance of the sum over all rows, with so many labeled rows of each stratum."""
        return float((self.sizes**2 * self.spread * (1 / np.maximum(labeled, 1) - 1 / np.maximum(self.sizes, 1))).sum())

    def worth(self, labeled: Array) -> float:
        """Return how many rows, chosen at random from all, give a sum with the same variance."""
        n = self.sizes.sum()
        middle = self.sizes @ self.mean / n
        whole = self.sizes @ (self.spread + (self.mean - middle) ** 2) / n
        return float(1 / (self.variance(labeled) / (n**2 * whole) + 1 / n)) if whole > 0 else float("nan")


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class LabelPlan:
    """Which rows to label, drawn at random within strata: a design for ``ix.evaluate``.

    Attributes
    ----------
    score : Score
        What the plan is for, with the value that the probabilities lead to expect.
    strata : array
        The stratum of each row.
    guessed : Strata
        What the probabilities say about the strata.
    labeled : array
        How many rows of each stratum are labeled.
    turn : array
        Which rows of a stratum come first.
    before : array or None
        How many rows of each stratum earlier batches had.
    learned : tuple of array
        The same before each batch that has learned from labels.
    """

    score: Score
    strata: Array
    guessed: Strata
    labeled: Array
    turn: Array
    before: Array | None = field(default=None)
    learned: tuple[Array, ...] = ()

    @property
    def probabilities(self) -> Array | None:
        """The chance of each row in its batch, up to a factor; None where no batch has learned from labels.

        Where labels decide how many more there are, those that happen to look alike would stay few and count for all. So every
        batch that has learned is a sample by itself, and counts in each stratum as much as it has labels in all.
        """
        if not self.learned:
            return None
        ends = np.stack([*self.learned, self.labeled])
        chances = np.diff(ends, axis=0, prepend=0) / np.diff(ends.sum(axis=1), prepend=0)[:, None]
        chances[:, self.labeled == self.guessed.sizes] = 1.0  # all rows are known
        return np.asarray(chances[(self.turn >= ends[:-1, self.strata]).sum(axis=0), self.strata] / chances.max())

    @property
    def rows(self) -> Array:
        """The places of all rows to label, those of earlier batches included."""
        return np.flatnonzero(self.turn < self.labeled[self.strata])

    @property
    def added(self) -> Array:
        """The places of the rows that this batch has in addition."""
        first = np.zeros_like(self.labeled) if self.before is None else self.before
        return np.flatnonzero((self.turn < self.labeled[self.strata]) & (self.turn >= first[self.strata]))

    def gold(self, labels: Any) -> Any:
        """Return the labels of the rows of the plan as labels of all rows, None where a row has none.

        Parameters
        ----------
        labels : array-like
            One label for each of ``.rows``, in their order; of several labels, a row of 0/1.

        Returns
        -------
        array
            What ``ix.evaluate(…, y_pred, design=plan)`` takes as truth.

        Examples
        --------
        >>> import indicatrix as ix
        >>> plan = ix.plan_labels([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1], budget=4)
        >>> plan.gold([1, 0, 1, 0]).tolist()
        [1, 0, 1, 0]
        """
        known, rows = np.asarray(labels), self.rows
        if len(known) != len(rows):
            raise ValueError(
                f"labels has {len(known):,} rows, and the plan has {len(rows):,}: give the label of each of plan.rows."
            )
        if hasattr(labels, "loc") and (labels.index != rows).any() and {*labels.index} == {*rows.tolist()}:
            raise ValueError("labels has the rows of the plan in another order. Put them in its order: labels.loc[plan.rows].")
        out = np.full((len(self.strata), *known.shape[1:]), *((None, object) if known.ndim == 1 else (np.nan, np.float64)))
        out[rows] = known.tolist()
        return out

    def standard_error(self, ev: Evaluation | None = None) -> float:
        """Return the standard error of the score: in advance, or afterwards.

        Parameters
        ----------
        ev : Evaluation, optional
            The evaluation of the labels, ``ix.evaluate(…, design=plan)``. Default: what is expected from
            the probabilities alone.

        Returns
        -------
        float
            The standard deviation of the score over plans.

        Examples
        --------
        >>> import indicatrix as ix
        >>> plan = ix.plan_labels([1] * 50 + [0] * 50, [0.8] * 50 + [0.1] * 50, budget=50)
        >>> round(plan.standard_error(), 3)
        0.036
        """
        strata, labeled = self._strata(ev)
        return math.sqrt(strata.variance(labeled))

    def worth(self, ev: Evaluation | None = None) -> float:
        """Return how many rows, labeled at random, would make the score as precise.

        In advance, or afterwards.

        Parameters
        ----------
        ev : Evaluation, optional
            The evaluation of the labels. Default: what is expected from the probabilities alone.

        Returns
        -------
        float
            A number of labels; more than the plan has where it saves some.

        Examples
        --------
        >>> import indicatrix as ix
        >>> plan = ix.plan_labels([1] * 50 + [0] * 950, [0.8] * 50 + [0.01] * 950, budget=50)
        >>> plan.worth() > 50
        True
        """
        strata, labeled = self._strata(ev)
        return strata.worth(labeled)

    def _strata(self, ev: Evaluation | None) -> tuple[Strata, Array]:
        """Return what the labels show of the strata, or the guess, and how many rows of each have a label."""
        if ev is None:
            at, often = self.rows, np.ones(len(self.rows)) if self.probabilities is None else 1 / self.probabilities[self.rows]
            return self.guessed, _as_many(self.strata[at], often, often**2, len(self.labeled))
        corrected = ev.tally.corrected
        place = self._strata_of(corrected.rows) if isinstance(corrected, Corrected) else None
        if place is None:
            raise ValueError("This evaluation does not know the plan. Evaluate the labels with ix.evaluate(…, design=plan).")
        score = self.score.measure.score(ev, self.score.average)
        added = estimator_of_corrected(ev, score.measure, score, None).under(_ByLabel(corrected.method)).near.added
        rows, h = corrected.rows, len(self.labeled)
        often = rows.times * rows.known.any(axis=1) * rows.drawn
        n, whole = _as_many(place, often, often * rows.drawn, h), np.maximum(np.bincount(place, often, h), TINY)
        mean = np.bincount(place, often * added, h) / whole
        apart = np.bincount(place, often * (added - mean[place]) ** 2, h) / whole
        return Strata(np.bincount(place, rows.times, h), mean, apart * n / np.maximum(n - 1, 1)), n

    def _strata_of(self, rows: JudgedRows) -> Array | None:
        """Return the stratum of each row, by its name; None where these are not strata of this plan."""
        first = int(names_of_strata(self.strata).min())
        names = [k - first if k in range(first, first + len(self.labeled)) else k for k in rows.strata]
        if STRATUM not in rows.columns or not {*names} <= {*range(len(self.labeled))}:
            return None
        place = np.array(names, np.intp)[rows.columns[STRATUM][:, 0].astype(np.intp)]
        return place if (np.bincount(place, rows.times, len(self.labeled)) <= self.guessed.sizes).all() else None

    def more(self, budget: int, ev: Evaluation | None = None) -> LabelPlan:
        """Return the plan with a further batch: the strata stay, so labels of both are one design.

        Parameters
        ----------
        budget : int
            How many further rows can be labeled; ``.added`` are these.
        ev : Evaluation, optional
            The evaluation of the labels so far, from which the batch learns; it then has two rows of each stratum or more.
            Default: the probabilities say where labels are worth most.

        Returns
        -------
        LabelPlan
            The larger plan.

        Examples
        --------
        >>> import indicatrix as ix
        >>> plan = ix.plan_labels([1] * 50 + [0] * 50, [0.8] * 50 + [0.1] * 50, budget=20)
        >>> larger = plan.more(10)
        >>> len(larger.rows), len(larger.added), set(plan.rows) <= set(larger.rows)
        (30, 10, True)
        """
        spread, sizes, left = self.guessed.spread, self.guessed.sizes, self.guessed.sizes - self.labeled
        _check_budget(budget, int(left.sum()), 1 if ev is None else int(np.minimum(left, LEAST).sum()))
        if ev is None:
            labeled = allocate(sizes, sizes * np.sqrt(spread), int(self.labeled.sum()) + int(budget), self.labeled)
            return replace(self, labeled=labeled, before=self.labeled)
        seen, n = self._strata(ev)
        spread = (n * seen.spread + SURE * spread) / (n + SURE)
        labeled = self.labeled + allocate(left, sizes * np.sqrt(spread), int(budget))
        return replace(self, labeled=labeled, before=self.labeled, learned=(*self.learned, self.labeled))

    def __str__(self) -> str:
        of, average = self.guessed.sizes.sum(), self.score.average
        name = str(self.score.measure) if average in (None, BINARY) else f"{average} {self.score.measure}"
        new = [] if self.before is None else [f"{len(self.added):,} of them are new"]
        lines = [
            f"{self.labeled.sum():,} of {of:,} rows to label for {name}, in {len(self.labeled)} strata",
            f"expected: {float(self.score):.3f}, standard error {self.standard_error():.4f}",
            f"worth {self.worth():,.0f} rows labeled at random, if the probabilities are right",
        ]
        return "\n".join([*lines, *new])

    __repr__ = __str__


def _as_many(place: Array, often: Array, squares: Array, h: int) -> Array:
    """Return how many labels that count alike tell as much, in each stratum."""
    return np.asarray(np.bincount(place, often, h) ** 2 / np.maximum(np.bincount(place, squares, h), TINY))


@dataclass(frozen=True)
class _ByLabel(Method):
    """The correction of a method, where a gold row adds what its own label adds.

    Other rows add nothing.
    """

    method: Method

    def fit(self, rows: JudgedRows) -> FittedLabels:
        return replace(FittedLabels.known(rows.own, rows.weight), labels=self.method.fit(rows).labels)


def cut(score: Array, amount: Array, parts: int) -> Array:
    """Return in which of so many parts each row is.

    Rows with about the same score, and parts with equal sums of amounts.

    >>> cut(np.array([0.1, 0.9, 0.5, 0.5]), np.array([1.0, 1.0, 0.5, 0.5]), 3).tolist()
    [0, 2, 1, 1]
    """
    found, place = np.unique(score, return_inverse=True)
    reached = np.cumsum(np.bincount(place, amount, len(found)))
    if not len(found) or reached[-1] <= 0:
        return np.zeros(len(score), np.intp)
    middle = reached - np.bincount(place, amount, len(found)) / 2
    return np.unique(np.minimum((middle / reached[-1] * parts).astype(np.intp), parts - 1)[place], return_inverse=True)[1]


def strata_to_label(prediction: Array, score: Array, amount: Array, budget: int, most: int) -> Array:
    """Return the stratum of each row: its prediction, and up to ``most`` parts by score.

    There are so few strata that the budget is enough for all. Predictions that are rare go together.
    """
    names, own = np.unique(prediction, return_inverse=True)
    if ROWS_PER_PART * len(names) > max(budget, ROWS_PER_PART):  # the frequent ones stay apart
        often = np.bincount(own)
        kept = np.argsort(-often, kind="stable")[: max(budget // ROWS_PER_PART - 1, 0)]
        own = np.unique(np.where(np.isin(own, kept), own, len(names)), return_inverse=True)[1]
    groups = int(own.max(initial=-1)) + 1
    parts = int(np.clip(budget // (ROWS_PER_PART * max(groups, 1)), 1, most))
    place = np.zeros(len(own), np.intp)
    for k in range(groups):
        here = own == k
        place[here] = cut(score[here], amount[here], parts)
    return np.asarray(np.unique(own * most + place, return_inverse=True)[1])


def allocate(rows: Array, amounts: Array, budget: int, chosen: Array | None = None) -> Array:
    """Return how many rows of each stratum to label.

    Two of each, a tenth evenly, the rest as the amounts (Neyman).

    ``rows`` are the sizes of strata, ``chosen`` how many were chosen before, which are kept.

    >>> allocate(np.array([1000, 1000, 3]), np.array([30.0, 10.0, 9.0]), 40).tolist()
    [27, 10, 3]
    """
    share = (1 - EVEN) * amounts / amounts.sum() + EVEN * rows / rows.sum() if amounts.sum() > 0 else rows / rows.sum()
    low = np.minimum(rows, LEAST if chosen is None else np.maximum(chosen, LEAST))
    left = max(budget, int(low.sum()))
    # More of a stratum than there is go to the others; the rest of a division to those that lack most.
    factor, top = 0.0, float(left / share[share > 0].min())
    for _ in range(200):
        middle = (factor + top) / 2
        factor, top = (middle, top) if np.clip(middle * share, low, rows).sum() <= left else (factor, middle)
    exact = np.clip(factor * share, low, rows)
    whole = np.floor(exact + 1e-9)
    lacking = np.where(whole < rows, exact - whole, -1.0)
    whole[np.argsort(-lacking, kind="stable")[: round(float(min(left, rows.sum()) - whole.sum()))]] += 1
    return np.asarray(whole, np.int64)
