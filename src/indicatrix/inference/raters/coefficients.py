"""Coefficients of several raters: which one a name means, what it reads, and its value."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.measure import MEASURES, Measure
from ...algebra.measure_names import resolve
from ...algebra.numbers.functions import ratio
from ...catalogue.matrices import MATRIX_MEASURES
from ...catalogue.matrices.agreement import RATER_COEFFICIENTS, disagreement, krippendorff_alpha, multiclass_kappa
from ...catalogue.matrix_measures import for_source, of_table
from ...words.spelling import did_you_mean
from ...words.wording import number_of
from ..estimators.score_interval import Center, CurvedCenter
from .ratings import Ratings
from .sums_over_items import ClassesOfRaters, FunctionOfSums, TableOfPairs, TableOfTwo, pseudo_item

CONGER, LIGHT = OF_RATERS = ("conger_kappa", "light_kappa")  # they read the raters, not only the pairs of ratings
USUAL = ("percent_agreement", "fleiss_kappa", *OF_RATERS, "krippendorff_alpha", "multiclass_gwet_ac1", "bennett_s")
CHOICE = f"Use {', '.join(USUAL)} or a symmetric one of ix.catalogue(of='matrix')."
UNSEEN = object()  # a class that no rater gave
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
    of_two: Measure

    @property
    def one_sided(self) -> bool:
        """Whether its weights say something else if two raters are exchanged."""
        weights = self.of_two.params.get("weights")
        return weights is not None and not isinstance(weights, str) and bool((np.transpose(weights) != weights).any())

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
        return _mean([part.value(ratings) for part in self._parts(ratings)])

    def effects(self, ratings: Ratings) -> Array:
        """Return how the value moves with the weight of each item; all of them have two ratings or more."""
        ratings = ratings.usable()
        return np.asarray(np.mean([part.effects(ratings) for part in self._known_parts(ratings)], axis=0))

    def center(self, ratings: Ratings) -> Center:
        """Return what the score interval of the value is made of; all items have two ratings or more.

        Variance and center are taken with one pseudo-item, half of it with agreement and half of it without, so that perfect
        agreement on few items does not look certain. If all raters gave one class, half of it has another that was not seen.
        """
        ratings = _with_another_class(ratings.usable())
        near = [part.nearby(ratings) for part in self._known_parts(ratings)]
        effects, extra, bent = (
            np.mean(some, axis=0) for some in zip(*((x.effects, x.pseudo_effects, x.bent) for x in near), strict=True)
        )
        n, shares = len(effects), pseudo_item(len(ratings.classes))
        center = (effects.sum() + (shares * extra).sum()) / (n + 1)
        first = ((effects - center) ** 2).sum() + (shares * (extra - center) ** 2).sum()
        second = ((bent - bent.mean(axis=1, keepdims=True)) ** 2).sum() / (2 * len(bent))
        scale = n / (n - 1)
        value = float(self.value(ratings)) - scale * float(np.mean([x.bias for x in near]))
        smoothed = float(np.mean([x.smoothed for x in near]))
        return CurvedCenter(value, smoothed, scale * float(first + second), n - 1, scale * float(second))

    def span(self, ratings: Ratings) -> tuple[float, float]:
        """Return the range, from the value of ratings that agree as little as they can.

        Classes stay as frequent as they are. All items have two ratings or more.
        """
        low, high = self.of_two.range
        ratings = _with_another_class(ratings.usable())
        spans = [part.span(ratings, (low, high)) for part in self._known_parts(ratings)] if math.isfinite(low) else []
        return (float(np.mean([lowest for lowest, _ in spans])), high) if spans else (low, high)

    def _known_parts(self, ratings: Ratings) -> list[FunctionOfSums]:
        """Return the functions whose mean it is, without those that have no value."""
        return [part for part in self._parts(ratings) if (x := part.value(ratings)) == x]

    def note(self, ratings: Ratings) -> str:
        """Return which pairs of raters have no value, and are left out of the mean."""
        ratings = ratings.usable()
        if self.of_several != LIGHT or len(ratings.raters) < 3:
            return ""
        return note_on_pairs([float(part.value(ratings)) for part in self._parts(ratings)])

    def _parts(self, ratings: Ratings) -> list[FunctionOfSums]:
        """Return the functions whose mean it is; most are one function."""
        raters = len(ratings.raters)
        if raters == 2:
            return [FunctionOfSums(partial(of_table, self.of_two), (TableOfTwo(0, 1),))]
        if self.of_several == LIGHT:
            return [
                FunctionOfSums(partial(of_table, self.of_two), (TableOfTwo(a, b),)) for a, b in combinations(range(raters), 2)
            ]
        if self.of_several == CONGER:
            return [FunctionOfSums(partial(_conger, self.of_two.params["weights"]), (TableOfPairs(False), ClassesOfRaters()))]
        return [FunctionOfSums(partial(of_table, self.of_two), (TableOfPairs(self.of_two.name == krippendorff_alpha.name),))]


def _with_another_class(ratings: Ratings) -> Ratings:
    """Return ratings with a class that was not seen, if all raters gave one class."""
    return replace(ratings, classes=(*ratings.classes, UNSEEN)) if len(ratings.classes) == 1 and not ratings.fixed else ratings


def _mean(values: list[Any]) -> Any:
    """Return the mean of the values that are defined; the value, if there is one."""
    known = [x for x in values if x == x]
    return values[0] if len(values) == 1 else ratio(sum(known), len(known))


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
    known = (*RATER_COEFFICIENTS, *MATRIX_MEASURES)
    if text not in known and text not in MEASURES:
        hint = did_you_mean(text, RATER_COEFFICIENTS) or did_you_mean(text, known)
        raise ValueError(f"There is no agreement {text!r}. {hint or CHOICE}")
    own = hasattr(getattr(measure, "facts", None), "symmetric")  # it reads the whole matrix, and need not be registered
    found = measure if own else resolve(_name_of_two(text) + opened + given)
    if not getattr(found.facts, "symmetric", False):
        raise ValueError(f"{measure} is not a symmetric function of two ratings. {CHOICE}")
    several = text if text in OF_RATERS else CONGER if found.name == multiclass_kappa.name else ""
    return Coefficient(str(measure), several, for_source(found, ratings))


def _name_of_two(name: str) -> str:
    """Return the function of the matrix behind a name, also that of two classes, such as gwet_ac1."""
    if name in RATER_COEFFICIENTS:
        return RATER_COEFFICIENTS[name].of_two
    if name in MEASURES and name not in MATRIX_MEASURES:
        wide = (f"multiclass_{same}" for same in (MEASURES[name].name, *MEASURES[name].aliases))
        return next((same for same in wide if same in MATRIX_MEASURES), name)
    return name


def _conger(weights: Any, observed: Any, often: Any) -> Any:
    """Return kappa where chance keeps the marginals of each rater; every rater has ratings."""
    if not often.sum():
        return ratio(0, 0)
    cost, shares = disagreement(weights, observed), [row / row.sum() for row in often]
    chances = [a @ (cost @ b) + b @ (cost @ a) for a, b in combinations(shares, 2)]
    expected = sum(chances) / (2 * len(chances))
    return ratio(expected * observed.sum() - (cost * observed).sum(), expected * observed.sum())
