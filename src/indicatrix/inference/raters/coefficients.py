"""Coefficients of several raters: which one a name means, what it reads, and its value.

What coefficients read of ratings: sums over items, exactly; and what each item adds to them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.measure import MEASURES, Measure
from ...algebra.measure_names import resolve
from ...algebra.numbers.functions import ratio
from ...algebra.numbers.gradient import gradient
from ...catalogue.matrices import MATRIX_MEASURES
from ...catalogue.matrices.agreement import RATER_COEFFICIENTS, disagreement, krippendorff_alpha, multiclass_kappa
from ...catalogue.matrix_measures import for_source, of_table
from ...words.wording import did_you_mean, number_of
from ..estimators.lowest_at_margins import lowest_of
from ..estimators.score_interval import Center, CurvedCenter
from ..sampling.draw_weights import signs_of
from ..sampling.samples import HALF
from .ratings import Ratings, counts_of_classes

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


STEP = 2.0**-16  # along a direction in which the sums vary by about their standard deviation
DIRECTIONS = 8  # along which the change of slopes is seen


def pseudo_item(m: int) -> Array:
    """Return how much of one more item has each pair of classes: half of it agrees, half of it disagrees."""
    shares = np.full((m, m), HALF / max(m * (m - 1), 1))
    np.fill_diagonal(shares, HALF / max(m, 1))
    return shares


@dataclass(frozen=True)
class TableOfTwo:
    """How often two raters gave each pair of classes, over the items that both rated."""

    one: int
    other: int

    def total(self, ratings: Ratings) -> Array:
        """Return the table, exactly."""
        return ratings.table(self.one, self.other)

    def of_items(self, ratings: Ratings, slopes: Array) -> Array:
        """Return what each item adds to the table, each entry times its slope."""
        a, b = ratings.codes[:, self.one], ratings.codes[:, self.other]
        return np.where((a >= 0) & (b >= 0), slopes[a, b], 0.0)

    def weighted(self, ratings: Ratings, weights: Array) -> Array:
        """Return the table of items with these weights."""
        m, a, b = len(ratings.classes), ratings.codes[:, self.one], ratings.codes[:, self.other]
        both = (a >= 0) & (b >= 0)
        return np.bincount(a[both] * m + b[both], weights[both], m * m).reshape(m, m)

    def of_pseudo(self, ratings: Ratings, slopes: Array) -> Array:
        """Return what one more item with each pair of classes adds, each entry times its slope."""
        return slopes

    def pseudo(self, ratings: Ratings) -> Array:
        """Return what the pseudo-item adds."""
        return pseudo_item(len(ratings.classes))


@dataclass(frozen=True)
class TableOfPairs:
    """All pairs of ratings of an item, in both orders: each item sums to 1, or to half its ratings."""

    by_size: bool  # whether items count by the number of their ratings

    def _worth(self, size: int) -> Fraction:
        """Return what a pair of ratings counts in an item with this many ratings."""
        return Fraction(1, 2 * (size - 1)) if self.by_size else Fraction(1, size * (size - 1))

    def total(self, ratings: Ratings) -> Array:
        """Return the symmetric table, as Fractions."""
        m = len(ratings.classes)
        table = np.full((m, m), Fraction(0), object)
        for codes, times, unit in ratings.by_weight():
            sizes, counts = (codes >= 0).sum(axis=1), counts_of_classes(codes, m)
            for size in np.unique(sizes[sizes > 1]).tolist():
                some, often = counts[sizes == size], times[sizes == size]
                pairs = some.T @ (some * often[:, None]) - np.diag(often @ some)
                table = table + pairs * (unit * self._worth(size))
        return table

    def of_items(self, ratings: Ratings, slopes: Array) -> Array:
        """Return what each item adds to the table, each entry times its slope."""
        codes, sizes = ratings.codes, (ratings.codes >= 0).sum(axis=1)
        total = np.zeros(len(codes))
        for one, other in combinations(range(codes.shape[1]), 2):
            total += TableOfTwo(one, other).of_items(ratings, slopes + slopes.T)
        return np.asarray(total * self._worths(codes.shape[1])[sizes])

    def _worths(self, most: int) -> Array:
        return np.array([float(self._worth(size)) if size > 1 else 0.0 for size in range(most + 1)])

    def weighted(self, ratings: Ratings, weights: Array) -> Array:
        """Return the table of items with these weights."""
        counts = counts_of_classes(ratings.codes, len(ratings.classes))
        often = counts * (weights * self._worths(ratings.codes.shape[1])[counts.sum(axis=1)])[:, None]
        return np.asarray(counts.T @ often - np.diag(often.sum(axis=0)))

    def _size(self, ratings: Ratings) -> float:
        """Return what an item adds to the table in the mean."""
        return float((ratings.codes >= 0).sum(axis=1).mean() / 2) if self.by_size else 1.0

    def of_pseudo(self, ratings: Ratings, slopes: Array) -> Array:
        """Return what one more item with each pair of classes adds, each entry times its slope."""
        return (slopes + slopes.T) / 2 * self._size(ratings)

    def pseudo(self, ratings: Ratings) -> Array:
        """Return what the pseudo-item adds."""
        return pseudo_item(len(ratings.classes)) * self._size(ratings)


@dataclass(frozen=True)
class ClassesOfRaters:
    """How often each rater gave each class."""

    def total(self, ratings: Ratings) -> Array:
        """Return one row for each rater, exactly."""
        total = np.full((len(ratings.raters), len(ratings.classes)), Fraction(0), object)
        for codes, times, unit in ratings.by_weight():
            often = [times @ (codes == k) for k in range(len(ratings.classes))]
            total = total + np.reshape(often, total.shape[::-1]).T.astype(object) * unit
        return total

    def of_items(self, ratings: Ratings, slopes: Array) -> Array:
        """Return what each item adds, each entry times its slope."""
        codes = ratings.codes
        return np.asarray(np.where(codes >= 0, slopes[np.arange(codes.shape[1]), codes], 0.0).sum(axis=1))

    def weighted(self, ratings: Ratings, weights: Array) -> Array:
        """Return one row for each rater, of items with these weights."""
        classes = range(len(ratings.classes))
        return np.stack([weights @ (ratings.codes == k) for k in classes], axis=1) if classes else self.pseudo(ratings)

    def of_pseudo(self, ratings: Ratings, slopes: Array) -> Array:
        """Return what one more item with each pair of classes adds: half of the raters give either class."""
        both = slopes.sum(axis=0) / 2
        return np.asarray(both[:, None] + both)

    def pseudo(self, ratings: Ratings) -> Array:
        """Return what the pseudo-item adds."""
        m = len(ratings.classes)
        return np.full((len(ratings.raters), m), 1 / max(m, 1))


@dataclass(frozen=True)
class Nearby:
    """A number around the sums with a pseudo-item: what items and its curvature add."""

    smoothed: float  # the number with the pseudo-item
    effects: Array  # of each item
    pseudo_effects: Array  # of one more item, for each pair of classes
    bias: float  # of second order
    bent: Array  # changes of the effects along directions in which the sums vary, (directions, items)


@dataclass(frozen=True)
class FunctionOfSums:
    """A number that is computed from sums over items."""

    function: Callable[..., Any]
    sums: tuple[TableOfTwo | TableOfPairs | ClassesOfRaters, ...]

    def value(self, ratings: Ratings) -> Any:
        """Return the number, exactly."""
        return self.function(*(read.total(ratings) for read in self.sums))

    def effects(self, ratings: Ratings) -> Array:
        """Return how the number moves with the weight of each item: the linearized variance of Gwet has them.

        The number has a slope for each entry of its sums, and every item adds to some entries. So the work grows with the number
        of classes, and hardly with the number of items.
        """
        totals = [read.total(ratings).astype(np.float64) for read in self.sums]
        return self._of_items(ratings, self._slopes(totals)[1])

    def _with_pseudo(self, ratings: Ratings) -> tuple[list[Array], Array]:
        """Return the sums with a pseudo-item, and the weights of the items."""
        weights = np.ones(len(ratings.codes)) if ratings.weights is None else ratings.weights
        unit = float(weights.mean())
        return [read.total(ratings).astype(np.float64) + unit * read.pseudo(ratings) for read in self.sums], weights

    def span(self, ratings: Ratings, span: tuple[float, float]) -> tuple[float, float]:
        """Return the range, from the number for ratings that agree as little as they can.

        Classes stay as frequent as they are, and all raters give them equally often.
        """
        (pairs, *others), _ = self._with_pseudo(ratings)

        def function(table: Array) -> float:
            return float(self.function(table, *(np.tile(table.sum(axis=1), (len(x), 1)) for x in others)))

        return lowest_of(function, pairs, span, lambda: float(self.value(ratings)))

    def nearby(self, ratings: Ratings) -> Nearby:
        """Return the number with a pseudo-item, what each item adds there, and what the curvature adds."""
        totals, weights = self._with_pseudo(ratings)
        unit, m = float(weights.mean()), len(ratings.classes)
        smoothed, slopes = self._slopes(totals)
        extra = sum((read.of_pseudo(ratings, own) for read, own in zip(self.sums, slopes, strict=True)), np.zeros((m, m)))
        bias, bent = 0.0, []
        for signs in signs_of(DIRECTIONS, len(weights)):
            moved = weights * (signs - signs.mean())
            along = [read.weighted(ratings, moved) for read in self.sums]
            _, there = self._slopes([total + STEP * step for total, step in zip(totals, along, strict=True)])
            change = [(b - a) / STEP for a, b in zip(slopes, there, strict=True)]
            bias += sum(float((a * b).sum()) for a, b in zip(along, change, strict=True)) / (2 * DIRECTIONS)
            bent.append(self._of_items(ratings, change))
        return Nearby(smoothed, self._of_items(ratings, slopes), extra * unit, bias, np.array(bent))

    def _slopes(self, totals: list[Array]) -> tuple[float, list[Array]]:
        """Return the number and its slopes in every entry of its sums."""
        ends = np.cumsum([total.size for total in totals])[:-1]

        def of_row(row: Any) -> Any:
            starts = [0, *ends.tolist(), row.size]
            parts = [row[a:b].reshape(total.shape) for a, b, total in zip(starts, starts[1:], totals, strict=False)]
            return self.function(*parts)

        found = gradient(of_row, np.concatenate([total.ravel() for total in totals]))
        return found.value, [x.reshape(total.shape) for x, total in zip(np.split(found.cells, ends), totals, strict=True)]

    def _of_items(self, ratings: Ratings, slopes: list[Array]) -> Array:
        """Return what each item adds along slopes."""
        added = sum(
            (read.of_items(ratings, own) for read, own in zip(self.sums, slopes, strict=True)), np.zeros(len(ratings.codes))
        )
        return np.asarray(added if ratings.weights is None else added * ratings.weights)
