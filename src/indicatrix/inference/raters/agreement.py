"""Agreement of any number of raters: all pairs of ratings of an item are one confusion matrix."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.functions import ratio
from ...algebra.measure import MEASURES
from ...algebra.spelling import did_you_mean
from ...algebra.wording import number_of
from ...catalogue.matrices.agreement import disagreement, krippendorff_alpha, multiclass_kappa
from ...catalogue.matrix import MATRIX_MEASURES, MatrixMeasure, resolve
from ..distributions.quantiles import check_level, student
from ..intervals.interval import Interval
from ..intervals.of_score import level_of
from .panel import AgainstPanel, compare_with_panel
from .rater_axis import evaluate_raters
from .ratings import Ratings, counts_of_classes, read_ratings

JUDGE = -1  # the column of a judge, next to the numbers of the raters

OF_RATERS = ("conger_kappa", "light_kappa")  # they read the raters, not only the pairs of ratings
NAMES = {"fleiss_kappa": "multiclass_scott_pi", "percent_agreement": "multiclass_accuracy"}  # of several raters
USUAL = ("percent_agreement", "fleiss_kappa", *OF_RATERS, "krippendorff_alpha", "multiclass_gwet_ac1", "bennett_s")


def agreement(ratings: Any, *, classes: Iterable[Any] | None = None, sample_weight: Any = None) -> RaterAgreement:
    """Return the agreement of two or more raters, some of whose ratings may be missing.

    Parameters
    ----------
    ratings : mapping, data frame or table
        A mapping from raters to labels, a data frame with one column per rater, or rows with one rating per rater; None or nan
        where a rating is missing.
    classes : iterable, optional
        The classes from the lowest to the highest. Left out: the labels that occur, sorted; text then has no order.
    sample_weight : array-like, optional
        How much each item counts; a whole number counts an item as often.

    Returns
    -------
    RaterAgreement
        ``.score(measure)``, ``.interval(measure)``, ``.per_class(measure)``, ``.per_item()``, ``.pairs(measure)`` and
        ``.against(labels)``; printing it is a table.

    Examples
    --------
    >>> import indicatrix as ix
    >>> found = ix.agreement([["a", "a", "a"], ["b", "b", None], ["a", "b", "b"], ["b", "b", "b"]])
    >>> round(found.score("fleiss_kappa"), 4), round(found.score("krippendorff_alpha"), 4)
    (0.625, 0.6429)
    """
    return RaterAgreement(read_ratings(ratings, classes, sample_weight))


@dataclass(frozen=True, eq=False, repr=False)
class RaterAgreement:
    """The agreement of raters.

    Every item with two or more ratings is a table of its pairs of ratings that sums to one; the mean of these tables is read by
    any symmetric function of the confusion matrix. So Fleiss' kappa is Scott's pi of that table, and percent agreement is its
    accuracy. Krippendorff's alpha weighs items by the number of their ratings. Items with one rating take no part.

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
        measure : str or MatrixMeasure
            'percent_agreement', 'fleiss_kappa', 'conger_kappa', 'light_kappa', 'krippendorff_alpha', or another symmetric
            function of the confusion matrix, with its parameters: "gwet_ac2(weights='linear')".

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
        return float(_value(*self._measure(measure), self.ratings))

    def interval(self, measure: Any = "fleiss_kappa", *, level: float = 0.95) -> Interval:
        """Return the agreement with its interval for other items: by leaving out each item in turn.

        Parameters
        ----------
        measure : str or MatrixMeasure
            As for ``score``.
        level : float, default 0.95
            The share of samples whose interval covers the true value.

        Returns
        -------
        Interval
            The value and both ends, inside the range of the measure.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.agreement([[1, 1], [2, 2], [1, 2], [2, 2], [1, 1], [2, 1]]).interval("percent_agreement").method
        'jackknife'
        """
        check_level(level)
        name, found = self._measure(measure)
        given = self.ratings.with_pairs()
        value = float(_value(name, found, given))
        codes = np.sort(given.codes, axis=1) if name not in OF_RATERS else given.codes
        keys = codes if given.weights is None else np.column_stack((codes, np.unique(given.weights, return_inverse=True)[1]))
        _, first, times = np.unique(keys, axis=0, return_index=True, return_counts=True)
        n = int(times.sum())
        left = []
        for k in range(len(first)):
            rest = np.repeat(first, times - (np.arange(len(first)) == k))
            left.append(float(_value(name, found, replace(given, codes=codes).take(rest))))
        known = np.isfinite(left)
        if n < 2 or not known.any() or not math.isfinite(value):
            return Interval(value, math.nan, math.nan, level, "jackknife", measure=measure)
        scores, weights = np.array(left)[known], times[known]
        mean = weights @ scores / weights.sum()
        spread = math.sqrt((n - 1) / n * float(weights @ (scores - mean) ** 2)) * student(level, n - 1)
        low, high = found.range
        return Interval(value, max(low, value - spread), min(high, value + spread), level, "jackknife", measure=measure)

    def per_class(self, measure: Any = "fleiss_kappa", *, interval: float | bool | None = None) -> dict[Any, Any]:
        """Return the agreement on each class against all others.

        Parameters
        ----------
        measure : str or MatrixMeasure
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
        _, found = self._measure(measure)
        if _reads_order(found):
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
        measure : str or MatrixMeasure
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
        found, ratings = self._measure(measure)[1], self.ratings
        places = combinations(range(len(ratings.raters)), 2)
        return {(ratings.raters[a], ratings.raters[b]): float(found.of(ratings.table(a, b))) for a, b in places}

    def evaluation(self, labels: Any = None) -> Any:
        """Return the evaluation of each rater against all others, or against one label per item.

        Raters are an axis of it, "rater", and so are the others, "other", and the items, "item". So every measure has a value
        for each rater or pair of raters, and ``split`` has their tables. Without labels every pair of ratings of an item occurs
        twice, in both orders. Examples of one item depend on each other: an interval should name clusters="item".

        Parameters
        ----------
        labels : array-like, optional
            The label of each item, such as a reference or a majority, None where it has none. Left out: the other raters.

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
        measure : str or MatrixMeasure
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
        both = ratings.with_labels(labels)
        if len(ratings.raters) < 3:
            raise ValueError(f"A judge is held against three raters or more, and there are {len(ratings.raters)}.")
        both = replace(both, raters=(*range(len(ratings.raters)), JUDGE))
        return compare_with_panel(both, ratings.raters, RaterAgreement(both).pairs(measure), epsilon, level)

    def _measure(self, measure: Any) -> tuple[str, MatrixMeasure]:
        """Return the name of a coefficient of raters, or "", and the function of the matrix behind it."""
        text, _, given = str(measure).partition("(")
        known = (*NAMES, *OF_RATERS)
        if text not in (*known, *MATRIX_MEASURES, *MEASURES) and (hint := did_you_mean(text, known)):
            raise ValueError(f"There is no agreement {text!r}. {hint}")
        if text in OF_RATERS:
            found: Any = resolve(f"multiclass_kappa({given}" if given else "multiclass_kappa")
        else:
            found = resolve(
                measure if isinstance(measure, MatrixMeasure) else NAMES.get(text, text) + (f"({given}" if given else "")
            )
        if not isinstance(found, MatrixMeasure) or not found.symmetric:
            raise ValueError(
                f"{measure} is not a symmetric function of two ratings. Use {', '.join(USUAL)} or ix.catalogue(of='matrix')."
            )
        return text if text in OF_RATERS else "", found.for_source(self.ratings)

    def __str__(self) -> str:
        ratings, rows = self.ratings, [(name, self.score(name)) for name in USUAL]
        classes = f"{len(ratings.classes)} {'class' if len(ratings.classes) == 1 else 'classes'}"
        head = f"{len(ratings.raters)} raters, {number_of(len(ratings.codes), 'item')}, {classes}"
        return "\n".join([head, *(f"{name:20}  {value:.4f}" for name, value in rows)])

    __repr__ = __str__


def _reads_order(measure: MatrixMeasure) -> bool:
    return measure.ordered or measure.params.get("weights") is not None or measure.params.get("level", "nominal") != "nominal"


def _value(name: str, found: MatrixMeasure, ratings: Ratings) -> Any:
    """Return the value for items with two ratings or more, exactly."""
    ratings = ratings.with_pairs()
    if name:
        return _of_raters(name, found, ratings)
    weighs = found.name == krippendorff_alpha.name  # an item counts as often as it was rated
    return found.of(_pair_table(ratings, weighs))


def _pair_table(ratings: Ratings, weighs: bool) -> Array:
    """Return the pairs of ratings of all items as a symmetric table of Fractions.

    Each item sums to 1, or to half its ratings; times its weight.
    """
    m = len(ratings.classes)
    table = np.full((m, m), Fraction(0), object)
    for codes, weight in ratings.by_weight():
        sizes = (codes >= 0).sum(axis=1)
        counts = counts_of_classes(codes, m)
        for size in np.unique(sizes[sizes > 1]).tolist():
            some = counts[sizes == size]
            pairs = some.T @ some - np.diag(some.sum(axis=0))
            table = table + pairs * (weight * (Fraction(1, 2 * (size - 1)) if weighs else Fraction(1, size * (size - 1))))
    return table


def _of_raters(name: str, found: MatrixMeasure, ratings: Ratings) -> Any:
    """Return Light's kappa, the mean over pairs of raters.

    Or Conger's, where chance keeps the marginals of each rater.
    """
    m, places = len(ratings.classes), list(combinations(range(len(ratings.raters)), 2))
    if name == "light_kappa":
        values = [multiclass_kappa.function(ratings.table(a, b), **found.params) for a, b in places]
        return sum(values) / len(values)
    cost = disagreement(found.params["weights"], m)
    observed = _pair_table(ratings, False)
    often = sum(counts_of_classes(codes.T, m).astype(object) * weight for codes, weight in ratings.by_weight())
    shares = [row / Fraction(row.sum() or 1) for row in np.asarray(often, object).reshape(len(ratings.raters), m)]
    expected = sum(a.dot(cost.dot(b)) + b.dot(cost.dot(a)) for a, b in combinations(shares, 2)) / (2 * len(places)) if m else 0
    return ratio(expected * observed.sum() - (cost * observed).sum(), expected * observed.sum())
