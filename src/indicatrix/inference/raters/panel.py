"""A judge against a panel of raters: whether it is within their range, and could replace one of them.

The truth behind raters, by latent classes.

How frequent each class is, how each rater errs, and evaluations of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import makers
from ...algebra.ends import check_level
from ...algebra.sums import sums
from ...encode.indicator import Indicator
from ...encode.weights import check_by
from ...tally.corrected.by_raters import FEW, LEAST, TWO, ByRaters, notes_on
from ...tally.corrected.corrected import Corrected, corrected_tally
from ...tally.corrected.judged_rows import JUDGES, PREDICTIONS, JudgedRows
from ...tally.corrected.latent_classes import Fit, Rated, fit_latent_classes
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, number_of, short
from ..stats.quantiles import student_below
from ..stats.several_tests import benjamini_hochberg
from .coefficients import note_on_pairs
from .ratings import Ratings

# The facts about .winning_rate, which laws and the bibliography read as those of every quantity.
WINNING_RATE = sums("winning_rate", "higher", (0, 1), "calderon2025")


@answers_mistakes
@dataclass(frozen=True)
class AgainstPanel:
    """How a judge agrees with the raters of a panel, next to how these agree with each other.

    Attributes
    ----------
    values : dict
        The agreement of the judge with each rater.
    panel : dict
        The mean agreement of each rater with the other raters, where it is defined.
    advantage : dict
        For each rater the share of items on which the judge agrees at least as often with the other raters.
    p_values : dict
        For each rater the adjusted p-value of the alternative-annotator test; nan with fewer than two items.
    epsilon : float
        How much more often a rater may win.
    level : float
        The share of false wins that is allowed among wins.
    note : str
        How many pairs of raters, or of the judge and a rater, have no agreement and are left out of the means.
    """

    values: dict[Any, float]
    panel: dict[Any, float]
    advantage: dict[Any, float]
    p_values: dict[Any, float]
    epsilon: float
    level: float
    note: str = ""

    @property
    def mean(self) -> float:
        """The mean agreement of the judge with the raters, where it is defined."""
        return _mean_of_known(self.values.values())

    @property
    def within(self) -> bool:
        """Whether that mean is at least the lowest of the raters' own: the judge could be one of them."""
        return self.mean >= min((x for x in self.panel.values() if x == x), default=math.nan)

    @property
    def winning_rate(self) -> float:
        """The share of raters against whom the judge wins the test."""
        return float(np.mean([p < self.level for p in self.p_values.values()]))

    @property
    def replaces(self) -> bool:
        """Whether it wins against at least half of the raters (Calderon, Reichart and Dror 2025)."""
        return self.winning_rate >= 0.5


def compare_with_panel(
    both: Ratings, raters: tuple[Any, ...], pairs: dict[tuple[Any, Any], float], epsilon: float, level: float
) -> AgainstPanel:
    """Return the comparison, from ratings whose last column is the judge's, and agreements of columns."""
    check_level(level)
    if not 0 <= epsilon < 1:
        raise ValueError(f"epsilon={epsilon!r} must be at least 0 and below 1, such as 0.2.")
    places, judge = range(len(raters)), both.raters[-1]
    panel = {raters[j]: _mean_of_known(v for pair, v in pairs.items() if j in pair and judge not in pair) for j in places}
    advantages, p_values = zip(*(_against_rater(both.codes, j, float(epsilon)) for j in places), strict=True)
    # Benjamini and Yekutieli: as Benjamini and Hochberg, and times 1 + 1/2 + … + 1/k, for tests that depend on each other.
    known = sum(p == p for p in p_values)
    adjusted = np.minimum(benjamini_hochberg(p_values) * sum(1 / k for k in range(1, known + 1)), 1.0)
    values = {raters[j]: pairs[j, judge] for j in places}
    shares, ps = (dict(zip(raters, map(float, some), strict=True)) for some in (advantages, adjusted))
    return AgainstPanel(values, panel, shares, ps, epsilon, level, note_on_pairs([*pairs.values()]))


def _mean_of_known(values: Iterable[float]) -> float:
    """Return the mean of the values that are defined; nan if none is."""
    known = [x for x in values if x == x]
    return float(np.mean(known)) if known else math.nan


def _against_rater(codes: Array, rater: int, epsilon: float) -> tuple[float, float]:
    """Return how often the judge is at least as near to the others as this rater, with the p-value."""
    others = np.delete(codes[:, :-1], rater, axis=1)
    own, judge = codes[:, rater], codes[:, -1]
    used = (own >= 0) & (judge >= 0) & (others >= 0).any(axis=1)
    own, judge, others = own[used], judge[used], others[used]
    n, of_rater, of_judge = len(own), (others == own[:, None]).sum(axis=1), (others == judge[:, None]).sum(axis=1)
    if n < 2:
        return math.nan, math.nan
    apart = (of_rater >= of_judge).astype(float) - (of_judge >= of_rater)
    spread = float(apart.std(ddof=1)) / math.sqrt(n)
    behind = float(apart.mean()) - epsilon  # of the judge; below 0 it wins
    p = student_below(behind / spread, n - 1) if spread else float(behind >= 0)
    return float((of_judge >= of_rater).mean()), p


def latent_truth(ratings: Ratings, same: Mapping[Any, Any] | None) -> LatentTruth:
    """Return the truth that explains ratings best; ``same`` maps columns to the rater who gave them."""
    given = dict(same or {})
    odd = [name for name in given if name not in ratings.raters]
    if odd:
        raise ValueError(f"same= names {listing(odd)}; the raters are {listing(ratings.raters)}.")
    who = [given.get(name, name) for name in ratings.raters]
    people = list(dict.fromkeys(who))
    if len(people) < LEAST:
        raise ValueError(f"{TWO} Here {listing(people)} rated.")
    if not (ratings.codes >= 0).any():
        raise ValueError("There are no ratings, so nothing can be said about the truth behind them.")
    most = int((ratings.codes >= 0).sum(axis=1).max())
    if most < LEAST:
        raise ValueError(FEW.format(most))
    return LatentTruth(ratings, tuple(people), tuple(people.index(name) for name in who))


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class LatentTruth:
    """The estimated truth behind ratings, if raters err independently of each other (Dawid and Skene).

    Attributes
    ----------
    ratings : Ratings
        ``.codes`` (items x columns, -1 where missing), ``.raters`` and ``.classes``.
    raters : tuple
        Who rated.
    columns : tuple of int
        Who gave each column.
    """

    ratings: Ratings
    raters: tuple[Any, ...]
    columns: tuple[int, ...]

    @cached_property
    def _distinct(self) -> tuple[Array, Array]:
        """The distinct rows of ratings, and which of them each item has."""
        found, place = np.unique(self.ratings.codes, axis=0, return_inverse=True)
        return found, place.ravel()

    @cached_property
    def _found(self) -> tuple[Fit, list[Fit]]:
        found, place = self._distinct
        weights = np.ones(len(place)) if self.ratings.weights is None else np.asarray(self.ratings.weights, np.float64)
        times = np.bincount(place, weights, len(found)) * weights.sum() / max(weights @ weights, 1e-300)
        return fit_latent_classes(Rated(found, times, np.array(self.columns), len(self.ratings.classes)))

    @property
    def shares(self) -> dict[Any, float]:
        """The share of each class among the items."""
        return dict(zip(self.ratings.classes, self._found[0].shares.tolist(), strict=True))

    @property
    def error_rates(self) -> dict[Any, Array]:
        """For each rater how often an item of each class (rows) is given each class (columns)."""
        return dict(zip(self.raters, self._found[0].rates, strict=True))

    @property
    def memberships(self) -> Indicator:
        """How likely each item belongs to each class, given its ratings."""
        return Indicator(self._found[0].memberships[self._distinct[1]], self.ratings.classes)

    @property
    def labels(self) -> list[Any]:
        """The most likely class of each item."""
        return [self.ratings.classes[k] for k in self.memberships.matrix.argmax(axis=1)]

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Reasons to doubt this truth: raters that err together, or another truth that fits as well."""
        return tuple(notes_on(*self._found, self.ratings.raters))

    def evaluation(self, rater: Any, *, positive: Any = None, by: Mapping[str, Any] | None = None) -> Any:
        """Return the evaluation of one of the raters, such as a classifier, against this truth.

        The rater has to be one of those who tell the truth: against a truth that only the others tell, all its scores come out
        too low. Intervals account for the truth being estimated, but not for raters that err together.

        Parameters
        ----------
        rater : label
            The name of a rater, or of one of its columns.
        positive : label, optional
            The positive class; averages are then optional. Labels 0/1 and False/True have 1 and True.
        by : mapping or data frame, optional
            Groupings of the items, each an axis, as ``ix.evaluate`` takes them.

        Returns
        -------
        Evaluation
            Of the items that it rated.

        Examples
        --------
        >>> import indicatrix as ix
        >>> raters = {"ann": [0, 0, 1, 1] * 9, "bob": [0, 1, 1, 1] * 9, "model": [0, 0, 1, 0] * 9}
        >>> truth = ix.agreement(raters).latent_truth()
        >>> truth.labels[:4], truth.evaluation("model").score("recall")
        ([0, 0, 1, 1], 0.5)
        """
        if rater not in self.ratings.raters:
            raise ValueError(f"{short(rater)} is not a column of ratings; they are {listing(self.ratings.raters)}.")
        at, codes = self.ratings.raters.index(rater), self.ratings.codes
        others = [k for k in range(codes.shape[1]) if k != at]
        judges = np.where(codes[:, others] < 0, np.nan, codes[:, others])
        columns, classes, groups = {PREDICTIONS: codes[:, [at]], JUDGES: judges}, self.ratings.classes, check_by(by, len(codes))
        rows = JudgedRows.of(len(classes), columns, self.ratings.weights, several=False).regrouped((), groups).counted()
        order = [*others, at]
        method = ByRaters(tuple(self.columns[k] for k in order), tuple(str(self.ratings.raters[k]) for k in order))
        rated = rows.predictions >= 0
        corrected = Corrected(rows, method, None if rated.all() else rated)
        tally = corrected_tally(corrected, classes, tuple(groups), open=False, ordered=self.ratings.ordered)
        return makers().evaluation_of(tally, positive, truth="latent classes")

    def __str__(self) -> str:
        head = f"{number_of(len(self.ratings.codes), 'item')}, {number_of(len(self.raters), 'rater')}"
        shares = ", ".join(f"{name!r} {share:.4f}" for name, share in self.shares.items())
        often = np.diagonal(self._found[0].rates, axis1=1, axis2=2) @ self._found[0].shares
        right = ", ".join(f"{name!r} {share:.3f}" for name, share in zip(self.raters, often, strict=True))
        return "\n".join([head, f"shares of classes: {shares}", f"share that is right: {right}", *self.notes])

    __repr__ = __str__
