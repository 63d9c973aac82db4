"""Coefficients of several raters: which one a name means, what it reads, and its value."""

from __future__ import annotations

from dataclasses import dataclass
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
from ...catalogue.rater_coefficients import RATER_COEFFICIENTS
from .ratings import Ratings, counts_of_classes

CONGER, LIGHT = OF_RATERS = ("conger_kappa", "light_kappa")  # they read the raters, not only the pairs of ratings
USUAL = ("percent_agreement", "fleiss_kappa", *OF_RATERS, "krippendorff_alpha", "multiclass_gwet_ac1", "bennett_s")
# For any number of raters they read the pairs of ratings; chance, if they have it, keeps the mean of all marginals or none.
OF_PAIRS = {
    "multiclass_accuracy",
    "multiclass_scott_pi",
    "multiclass_gwet_ac1",
    "bennett_s",
    "krippendorff_alpha",
    "kappa_no_prevalence",
}


@dataclass(frozen=True)
class Coefficient:
    """A function of the matrix of two raters, and how it becomes one of several."""

    asked: str  # as the caller wrote it
    of_several: str  # CONGER, LIGHT, or "" for the pairs of ratings
    of_two: MatrixMeasure

    @property
    def one_sided(self) -> bool:
        """Whether its weights say something else if two raters are exchanged."""
        weights = self.of_two.params.get("weights")
        return weights is not None and not isinstance(weights, str) and bool((np.transpose(weights) != weights).any())

    def reads_raters(self, ratings: Ratings) -> bool:
        """Whether it matters who gave which rating of an item."""
        return bool(self.of_several) or len(ratings.raters) == 2

    def check_raters(self, ratings: Ratings) -> None:
        """Refuse a coefficient that exists for two raters only, if there are more."""
        several = len(ratings.usable().raters)
        if several < 3:
            return
        reason = ""
        if self.one_sided:
            reason = "its weights are not symmetric, and of two ratings of an item none is the first"
        elif not self.of_several and self.of_two.name not in OF_PAIRS:
            reason = "it reads a table with one rater on each side, and pairs of ratings have no sides"
        if reason:
            raise ValueError(
                f"{self.asked} has no value for {several} raters: {reason}. Use .pairs({self.asked!r}) for every two of them, or "
                f"{', '.join(USUAL)}."
            )

    def value(self, ratings: Ratings) -> Any:
        """Return the value for the items with two ratings or more, exactly."""
        ratings = ratings.usable()
        if len(ratings.raters) == 2:
            return self.of_two.of(ratings.table(0, 1))
        if self.of_several == LIGHT:
            known = [x for x in self._kappas(ratings) if x == x]
            return ratio(sum(known), len(known))
        if self.of_several == CONGER:
            return _conger(ratings, disagreement(self.of_two.params["weights"], len(ratings.classes)))
        return self.of_two.of(_pair_table(ratings, self.of_two.name == krippendorff_alpha.name))

    def note(self, ratings: Ratings) -> str:
        """Return which pairs of raters have no value, and are left out of the mean."""
        if self.of_several != LIGHT or len(ratings.usable().raters) < 3:
            return ""
        return note_on_pairs([float(x) for x in self._kappas(ratings.usable())])

    def _kappas(self, ratings: Ratings) -> list[Any]:
        places = combinations(range(len(ratings.raters)), 2)
        return [multiclass_kappa.function(ratings.table(a, b), **self.of_two.params) for a, b in places]


def note_on_pairs(values: list[float]) -> str:
    """Return a sentence on the pairs of raters that have no value, or "".

    >>> note_on_pairs([0.5, float("nan"), 0.2])
    '1 of 3 pairs of raters has no value and is left out: they share no item, or gave one class only.'
    """
    lost = sum(x != x for x in values)
    verb = "has no value and is" if lost == 1 else "have no value and are"
    reason = "they share no item, or gave one class only"
    return f"{lost} of {number_of(len(values), 'pair')} of raters {verb} left out: {reason}." if lost else ""


def coefficient(measure: Any, ratings: Ratings) -> Coefficient:
    """Return the coefficient that is meant, for the classes of these ratings."""
    text, opened, given = str(measure).partition("(")
    known = tuple(RATER_COEFFICIENTS)
    if text not in (*known, *MATRIX_MEASURES, *MEASURES) and (hint := did_you_mean(text, known)):
        raise ValueError(f"There is no agreement {text!r}. {hint}")
    found: Any = measure
    if not isinstance(measure, MatrixMeasure):
        found = resolve(_name_of_two(text) + opened + given)
    if not isinstance(found, MatrixMeasure) or not found.symmetric:
        raise ValueError(
            f"{measure} is not a symmetric function of two ratings. Use {', '.join(USUAL)} or ix.catalogue(of='matrix')."
        )
    several = text if text in OF_RATERS else CONGER if found.name == multiclass_kappa.name else ""
    return Coefficient(str(measure), several, found.for_source(ratings))


def _name_of_two(name: str) -> str:
    """Return the function of the matrix behind a name, also that of two classes, such as gwet_ac1."""
    if name in RATER_COEFFICIENTS:
        return RATER_COEFFICIENTS[name].of_two
    if name in MEASURES and name not in MATRIX_MEASURES:
        wide = (f"multiclass_{same}" for same in (MEASURES[name].name, *MEASURES[name].aliases))
        return next((same for same in wide if same in MATRIX_MEASURES), name)
    return name


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


def _conger(ratings: Ratings, cost: Array) -> Any:
    """Return kappa where chance keeps the marginals of each rater; every rater has ratings."""
    m, observed = len(ratings.classes), _pair_table(ratings, False)
    if not len(ratings.codes):
        return ratio(0, 0)
    often = sum(counts_of_classes(codes.T, m).astype(object) * weight for codes, weight in ratings.by_weight())
    shares = [row / Fraction(row.sum()) for row in np.asarray(often, object)]
    chances = [a.dot(cost.dot(b)) + b.dot(cost.dot(a)) for a, b in combinations(shares, 2)]
    expected = sum(chances) / (2 * len(chances))
    return ratio(expected * observed.sum() - (cost * observed).sum(), expected * observed.sum())
