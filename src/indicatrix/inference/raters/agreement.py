"""Agreement of any number of raters: all pairs of ratings of an item are one confusion matrix."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import evaluate_labels
from ...algebra.ends import check_level
from ...algebra.measure import Measure
from ...algebra.numbers.functions import ratio
from ...catalogue.matrix_measures import of_table
from ...words.call_mistakes import answers_mistakes
from ...words.wording import did_you_mean, number_of
from ..intervals.interval import Interval
from ..intervals.of_score import level_of
from ..stats.quantiles import student
from .coefficients import USUAL, coefficient
from .panel import AgainstPanel, LatentTruth, compare_with_panel, latent_truth
from .ratings import Ratings, read_ratings


def evaluate_raters(ratings: Ratings, labels: Any = None) -> Any:
    """Return the evaluation of all ratings, with raters and items as axes."""
    k = len(ratings.raters)
    if labels is None:
        one, other = np.array([(a, b) for a in range(k) for b in range(k) if a != b]).T
        true, by = one, {"rater": one, "other": other}
    else:
        ratings = ratings.with_labels(labels)  # the last column
        one = other = np.arange(k)
        true, by = np.full(k, -1), {"rater": one}
    n = len(ratings.codes)
    sides = [ratings.codes[:, columns].ravel() for columns in (true, other)]  # item after item
    seen = np.flatnonzero((sides[0] >= 0) & (sides[1] >= 0))
    place = {"item": np.repeat(np.arange(n), len(one))} | {axis: np.tile(columns, n) for axis, columns in by.items()}
    names = {axis: range(n) if axis == "item" else ratings.raters for axis in place}
    truth, rated = ([ratings.classes[code] for code in side[seen]] for side in sides)
    return evaluate_labels(
        truth,
        rated,
        classes=ratings.classes,
        by={axis: [names[axis][at] for at in place[axis][seen]] for axis in (*by, "item")},
        sample_weight=None if ratings.weights is None else np.repeat(ratings.weights, len(one))[seen],
    )


NO_SPREAD = "All items have the same effect, so there is no spread in this sample; this does not mean that the value is certain."
SCORE, DELTA = METHODS = ("score", "delta")  # of intervals
JUDGE = -1  # the column of a judge, next to the numbers of the raters


def _raters_apart(args: tuple[Any, ...], options: Any) -> str:
    """Return how to give the labels of several raters, where each is an argument of its own."""
    if len(args) < 2:
        return ""
    raters = ", ".join(f"'{chr(97 + i)}': {chr(97 + i)}" for i in range(min(len(args), 3)))
    return f"agreement takes the labels of all raters as one argument, by name: ix.agreement({{{raters}}})."


@answers_mistakes(mistake=_raters_apart)
def agreement(ratings: Any, *, classes: Iterable[Any] | None = None, sample_weight: Any = None) -> RaterAgreement:
    """Return the agreement of two or more raters, some of whose ratings may be missing.

    Parameters
    ----------
    ratings : mapping, data frame or table
        A mapping from raters to labels, a data frame with one column per rater, or rows with one rating per rater; None or nan
        where a rating is missing.
    classes : iterable, optional
        The classes from the lowest to the highest. Default: the labels that occur, sorted; text then has no order.
    sample_weight : array-like, optional
        How much each item counts; a whole number counts an item as often.

    Returns
    -------
    RaterAgreement
        ``.score(measure)``, ``.interval(measure)``, ``.per_class(measure)``, ``.per_item()``, ``.pairs(measure)`` and
        ``.against(labels)``; printing it is a table.

    References
    ----------
    - J. L. Fleiss (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76:378-382.
      https://doi.org/10.1037/h0031619
    - A. J. Conger (1980). Integration and generalization of kappas for multiple raters. Psychological Bulletin 88:322-328.
      https://doi.org/10.1037/0033-2909.88.2.322
    - A. F. Hayes, K. Krippendorff (2007). Answering the call for a standard reliability measure for coding data. Communication
      Methods and Measures 1:77-89.
    - K. L. Gwet (2008). Computing inter-rater reliability and its variance in the presence of high agreement. British Journal
      of Mathematical and Statistical Psychology 61:29-48. https://doi.org/10.1348/000711006X126600

    Examples
    --------
    >>> import indicatrix as ix
    >>> found = ix.agreement([["a", "a", "a"], ["b", "b", None], ["a", "b", "b"], ["b", "b", "b"]])
    >>> round(found.score("fleiss_kappa"), 4), round(found.score("krippendorff_alpha"), 4)
    (0.625, 0.6429)
    """
    return RaterAgreement(read_ratings(ratings, classes, sample_weight))


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class RaterAgreement:
    """The agreement of raters.

    Every item with two or more ratings is a table of its pairs of ratings that sums to one; the mean of these tables is read by
    functions whose chance keeps the mean of all marginals, or none. So Fleiss' kappa is Scott's pi of that table, and
    percent agreement is its accuracy. Krippendorff's alpha weighs items by the number of their ratings. Items with one rating
    take no part.

    Attributes
    ----------
    ratings : Ratings
        ``.codes`` (items x raters, -1 where missing), ``.raters`` and ``.classes``.
    """

    ratings: Ratings

    def score(self, measure: Any = "fleiss_kappa") -> float:
        """Return the agreement of all raters.

        Parameters
        ----------
        measure : str or Measure
            'percent_agreement', 'fleiss_kappa', 'conger_kappa', 'light_kappa', 'krippendorff_alpha', or another function
            of pairs of ratings, with its parameters: "gwet_ac2(weights='linear')". 'multiclass_kappa' is Conger's; of two raters
            it is Cohen's, and any symmetric function of their table can be had.

        Returns
        -------
        float
            The value; nan where it is undefined.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.agreement({"ann": [1, 1, 2, 2], "bob": [1, 2, 2, 2]}).score("percent_agreement")
        0.75
        """
        found = coefficient(measure, self.ratings)
        found.check_raters(self.ratings)
        return float(found.value(self.ratings))

    def interval(self, measure: Any = "fleiss_kappa", *, level: float = 0.95, method: str = SCORE) -> Interval:
        """Return the agreement with its interval for other items, by its linearized variance.

        One pseudo-item is added, half of it with agreement and half of it without, so that perfect agreement is never certain.

        Parameters
        ----------
        measure : str or Measure
            As for ``score``.
        level : float, default 0.95
            The share of samples whose interval covers the true value.
        method : str, default 'score'
            'score', or 'delta' for the value plus and minus standard deviations, as irrCAC has it; with few items, or near 1,
            that covers too rarely.

        Returns
        -------
        Interval
            The value and both ends, inside the range of the measure.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.agreement([[1, 1], [2, 2], [1, 2], [2, 2], [1, 1], [2, 1]]).interval("percent_agreement").method
        'score'
        """
        check_level(level)
        if method not in METHODS:
            hint = did_you_mean(str(method), METHODS)
            raise ValueError(f"method={method!r} is unknown. {hint + ' ' if hint else ''}Use 'score' or 'delta'.")
        found, given = coefficient(measure, self.ratings), self.ratings.with_pairs()
        found.check_raters(given)
        value, n, note = float(found.value(given)), len(given.codes), found.note(given)
        if n < 2 or not math.isfinite(value):
            return Interval(value, math.nan, math.nan, level, method, note, measure=measure)
        span = found.of_two.range
        if method == SCORE:
            low, high = found.center(given).ends(found.span(given), level)
        else:
            low, high = _by_delta(value, found.effects(given), level)
        low, high = min(max(low, span[0]), value), max(min(high, span[1]), value)
        warning = NO_SPREAD if low == high else ""
        return Interval(value, low, high, level, method, f"{note} {warning}".strip(), measure=measure, warning=warning)

    def per_class(self, measure: Any = "fleiss_kappa", *, interval: float | bool | None = None) -> dict[Any, Any]:
        """Return the agreement on each class against all others.

        Parameters
        ----------
        measure : str or Measure
            As for ``score``; one that reads the order of the classes is refused.
        interval : float or bool, optional
            A level such as 0.95, or True for it: then each value comes with its interval.

        Returns
        -------
        dict
            A value, or an interval, for each class.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.agreement([["a", "a"], ["b", "b"], ["c", "b"], ["a", "a"]]).per_class("percent_agreement")
        {'a': 1.0, 'b': 0.75, 'c': 0.75}
        """
        found = coefficient(measure, self.ratings)
        if _reads_order(found.of_two):
            raise ValueError(f"{measure} reads the order of the classes, and a class against all others has none.")
        codes = self.ratings.codes
        one = (np.where(codes < 0, -1, codes == k) for k in range(len(self.ratings.classes)))
        parts = [RaterAgreement(replace(self.ratings, codes=binary, classes=(False, True))) for binary in one]
        values = [part.interval(measure, level=level_of(interval)) if interval else part.score(measure) for part in parts]
        return dict(zip(self.ratings.classes, values, strict=True))

    def per_item(self) -> Array:
        """Return the share of pairs of raters that agree on each item; nan where fewer than two rated it.

        Returns
        -------
        array
            One value for each item.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.agreement([["a", "a", "b"], ["b", "b", "b"], ["a", None, None]]).per_item().round(3).tolist()
        [0.333, 1.0, nan]
        """
        counts = self.ratings.counts()
        sizes = counts.sum(axis=1)
        return np.asarray(ratio((counts * (counts - 1)).sum(axis=1) * 1.0, sizes * (sizes - 1.0)))

    def pairs(self, measure: Any = "multiclass_kappa") -> dict[tuple[Any, Any], float]:
        """Return the agreement of every two raters, on the items that both rated.

        Parameters
        ----------
        measure : str or Measure
            A function of the confusion matrix of the two.

        Returns
        -------
        dict
            A value for each pair of raters.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.agreement({"ann": [1, 1, 2, 2], "bob": [1, 2, 2, 2]}).pairs()
        {('ann', 'bob'): 0.5}
        """
        found, ratings = coefficient(measure, self.ratings).of_two, self.ratings
        places = combinations(range(len(ratings.raters)), 2)
        return {(ratings.raters[a], ratings.raters[b]): float(of_table(found, ratings.table(a, b))) for a, b in places}

    def evaluation(self, labels: Any = None) -> Any:
        """Return the evaluation of each rater against all others, or against one label per item.

        Raters are an axis of it, "rater", and so are the others, "other", and the items, "item". So every measure has a value
        for each rater or pair of raters, and ``split`` has their tables. Without labels every pair of ratings of an item occurs
        twice, in both orders. Examples of one item depend on each other: an interval should name clusters="item".

        Parameters
        ----------
        labels : array-like, optional
            The label of each item, such as a reference or a majority, None where it has none. Default: the other raters.

        Returns
        -------
        Evaluation
            With the axes rater and item; without labels also other.

        Examples
        --------
        >>> import indicatrix as ix
        >>> panel = ix.agreement({"ann": [1, 1, 2, 2], "bob": [1, 2, 2, 2], "cy": [1, 1, 2, None]})
        >>> ev = panel.evaluation()
        >>> ev.values("multiclass_kappa", per=("rater", "other")).round(2).tolist()
        [[nan, 0.5, 1.0], [0.5, nan, 0.4], [1.0, 0.4, nan]]
        >>> panel.evaluation([1, 1, 2, 2]).values("recall", per="rater", average="macro").tolist()
        [1.0, 0.75, 1.0]
        """
        return evaluate_raters(self.ratings, labels)

    def latent_truth(self, *, same: Mapping[Any, Any] | None = None) -> LatentTruth:
        """Return the truth that explains ratings best, if raters err independently (Dawid and Skene).

        Nobody is taken to be right: the share of each class and how often each rater mistakes each class for each other are those
        that make the ratings most likely. Raters that err together make such a truth mislead, which the ratings of few raters
        cannot show.

        Parameters
        ----------
        same : mapping, optional
            Which columns come from one rater: {"ann again": "ann"}. Default: each column is a rater.

        Returns
        -------
        LatentTruth
            ``.shares``, ``.error_rates``, ``.memberships``, ``.labels``, ``.notes`` and ``.evaluation(rater)``.

        References
        ----------
        - A. P. Dawid, A. M. Skene (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm. Applied
          Statistics 28:20-28. https://doi.org/10.2307/2346806

        Examples
        --------
        >>> import indicatrix as ix
        >>> truth = ix.agreement([["a", "a", "a"], ["b", "b", "a"], ["a", "b", "a"], ["b", "b", "b"]] * 9).latent_truth()
        >>> truth.shares["a"] < 0.6, truth.labels[:4]
        (True, ['a', 'b', 'a', 'b'])
        """
        return latent_truth(self.ratings, same)

    def against(
        self, labels: Any, measure: Any = "multiclass_kappa", *, epsilon: float = 0.2, level: float = 0.05
    ) -> AgainstPanel:
        """Return how a classifier or a judge agrees with the raters, next to how these agree.

        Two answers: whether its mean agreement lies within those of the raters, and the alternative-annotator test. The test
        leaves out each rater in turn, asks who agrees with the others on more items, the judge or the rater, and adjusts the
        p-values by Benjamini and Yekutieli.

        Parameters
        ----------
        labels : array-like
            Its label for each item, None where it has none.
        measure : str or Measure
            A symmetric function of the confusion matrix of two.
        epsilon : float, default 0.2
            How much more often a rater may win, because a judge costs less.
        level : float, default 0.05
            The share of false wins that is allowed among wins.

        Returns
        -------
        AgainstPanel
            ``.mean``, ``.panel`` (the mean agreement of each rater with the others), ``.within``, ``.p_values``,
            ``.winning_rate`` and ``.replaces``.

        References
        ----------
        - N. Calderon, R. Reichart, R. Dror (2025). The alternative annotator test for LLM-as-a-judge: how to statistically
          justify replacing human annotators with LLMs. Annual Meeting of the Association for Computational Linguistics,
          16051-16081. https://doi.org/10.18653/v1/2025.acl-long.782

        Examples
        --------
        >>> import indicatrix as ix
        >>> panel = ix.agreement([[1, 1, 2], [2, 2, 2], [1, 1, 1], [2, 1, 2]] * 5)
        >>> found = panel.against([1, 2, 1, 2] * 5, "percent_agreement")
        >>> found.within, found.winning_rate
        (True, 1.0)
        """
        ratings = self.ratings
        if ratings.weights is not None:
            raise ValueError("The test against a panel counts items; leave sample_weight= out of ix.agreement.")
        if coefficient(measure, ratings).one_sided:
            raise ValueError(f"The weights of {measure} are not symmetric, and neither a judge nor a rater is the truth.")
        both = ratings.with_labels(labels)
        if len(ratings.raters) < 3:
            raise ValueError(f"A judge is compared with three raters or more, and there are {len(ratings.raters)}.")
        both = replace(both, raters=(*range(len(ratings.raters)), JUDGE))
        return compare_with_panel(both, ratings.raters, RaterAgreement(both).pairs(measure), epsilon, level)

    def __str__(self) -> str:
        ratings, rows = self.ratings, [(name, self.score(name)) for name in USUAL]
        classes = f"{len(ratings.classes)} {'class' if len(ratings.classes) == 1 else 'classes'}"
        head = f"{len(ratings.raters)} raters, {number_of(len(ratings.codes), 'item')}, {classes}"
        notes = filter(None, (coefficient(name, ratings).note(ratings) for name in USUAL))
        return "\n".join([head, *(f"{name:20}  {value:.4f}" for name, value in rows), *notes])

    __repr__ = __str__


def _reads_order(measure: Measure) -> bool:
    return (
        measure.facts.ordered or measure.params.get("weights") is not None or measure.params.get("level", "nominal") != "nominal"
    )


def _by_delta(value: float, effects: Array, level: float) -> tuple[float, float]:
    """Return the value plus and minus standard deviations, from the effects of items."""
    n, apart = len(effects), effects - effects.mean()
    half = math.sqrt(n / (n - 1) * float(apart @ apart)) * student(level, n - 1)
    return value - half, value + half
