"""Populations whose true scores are known, and how samples are drawn from them.

A population has a number of classes, a prevalence and a quality. The prevalence is that of the rarest class, where 0.5 means that
all classes are equally frequent, as for two classes; the others lie on a geometric scale between it and the most frequent one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from statistics import NormalDist
from typing import Any

import numpy as np

import indicatrix as ix

CLASSES, PREVALENCES, ERRORS = (2, 3, 10), (0.5, 0.1, 0.02), (0.2, 0.03)
AREAS = (0.75, 0.95)
LARGE = 200_000  # examples of a population that is known only by its examples
WHOLE = 10**9  # examples of a table of a population
CLUSTER = 20  # examples of a cluster
COMMON_WEIGHT = 10  # of a frequent class, of which one example in ten was kept


@dataclass(frozen=True)
class Population:
    """What samples are drawn from."""

    kind: str
    classes: int
    prevalence: float
    quality: float  # the share of errors; of scores, their area under the ROC curve

    def __str__(self) -> str:
        many = "" if self.kind in ("scores", "raters") else f"{self.classes} classes, "
        quality = f"AUC {self.quality:g}" if self.kind == "scores" else f"{self.quality:.0%} errors"
        rare = "balanced" if self.prevalence == 0.5 else f"{self.prevalence:.0%} prevalence"
        return f"{many}{rare}, {quality}"


@dataclass(frozen=True)
class Samples:
    """Samples of a population; equal ones are kept once, in the order in which they came."""

    distinct: Sequence[Any]
    drawn: Any  # which of them each drawn one is
    counts: Any = None  # how many examples of each kind each of them has, in a population of few kinds

    @property
    def times(self) -> Any:
        """How often each of them was drawn."""
        return np.bincount(self.drawn, minlength=len(self.distinct))

    def first(self, many: int) -> Samples:
        """Return the samples that were drawn first."""
        drawn = self.drawn[:many]
        return Samples(self.distinct[: drawn.max(initial=-1) + 1], drawn)


@dataclass(frozen=True)
class OfRows:
    """A population whose examples are all different: how samples are drawn, and the whole."""

    one: Callable[[np.random.Generator, int], Any]
    whole: Any

    def draw(self, rng: np.random.Generator, n: int, many: int) -> Samples:
        """Return many samples of n examples."""
        return Samples([self.one(rng, n) for _ in range(many)], np.arange(many))


@dataclass(frozen=True)
class OfKinds:
    """A population of a few kinds of examples, such as pairs of classes.

    How many a sample has of each is all that matters.
    """

    chances: Any  # of the kinds
    sample_of: Callable[[Any], Any]  # the sample with these counts
    whole: Any
    near: Callable[[np.random.Generator, int], OfKinds]  # another one that samples of n examples hardly tell from it

    def draw(self, rng: np.random.Generator, n: int, many: int) -> Samples:
        """Return many samples of n examples."""
        sorted_counts, first, place = np.unique(
            rng.multinomial(n, self.chances, many), axis=0, return_index=True, return_inverse=True
        )
        order = np.argsort(first)
        counts = sorted_counts[order]
        return Samples([self.sample_of(own) for own in counts], np.argsort(order)[place.ravel()], counts)

    def likelier(self, other: OfKinds, counts: Any) -> Any:
        """Return how many times as likely samples are from another population, up to a factor."""
        logs = counts @ (np.log(other.chances) - np.log(self.chances))
        return np.exp(logs - logs.max(initial=-np.inf))


Source = OfRows | OfKinds


@dataclass(frozen=True)
class Scored:
    """True classes 0 and 1 with probabilities, and their sweep."""

    y: Any
    p: Any
    sweep: Any


@cache
def source_of(population: Population) -> Source:
    """Return what draws samples of a population, and the whole of it."""
    return SOURCES[population.kind](population)


def shares(m: int, prevalence: float) -> Any:
    """Return the shares of classes, from the most frequent one to the rarest.

    >>> shares(2, 0.1).round(3).tolist(), shares(3, 0.5).round(3).tolist()
    ([0.9, 0.1], [0.333, 0.333, 0.333])
    """
    rarest, low, high = 2 * prevalence / m, 0.0, 1.0
    for _ in range(60):  # the ratio of neighbors that gives the rarest one its share
        ratio = (low + high) / 2
        steps = ratio ** np.arange(m)
        low, high = (ratio, high) if steps[-1] / steps.sum() < rarest else (low, ratio)
    return steps / steps.sum()


def confusion_probabilities(own: Any, errors: Any) -> Any:
    """Return the probability of each pair of classes; errors go to the others by their shares."""
    others = np.tile(own, (len(own), 1))
    np.fill_diagonal(others, 0)
    errors = np.broadcast_to(errors, own.shape)
    table = others / others.sum(axis=1, keepdims=True) * errors[:, None]
    np.fill_diagonal(table, 1 - errors)
    return own[:, None] * table


def _whole(table: Any) -> Any:
    return ix.from_confusion((table * WHOLE).round().astype(int), **_positive(len(table)))


def moved(rng: np.random.Generator, share: Any, n: Any) -> Any:
    """Return shares that samples of n examples hardly tell from the given ones.

    They are at most one standard error away, and stay within half and one and a half of what they were.
    """
    error = np.minimum(np.sqrt(share * (1 - share) / np.maximum(n, 1)), share / 2)
    return share + rng.uniform(-1, 1, np.shape(share)) * error


def _moved_classes(rng: np.random.Generator, own: Any, n: int) -> Any:
    found = moved(rng, own, n)
    return found / found.sum()


def _positive(m: int) -> dict[str, Any]:
    return {"positive": 1} if m == 2 else {}


def one_class(population: Population) -> Source:
    """Return examples of one class each; the last class is the rarest, and of two it is the positive one."""
    own = shares(population.classes, population.prevalence)
    return _of_table(own, np.full(len(own), population.quality))


def _of_table(own: Any, errors: Any) -> OfKinds:
    table = confusion_probabilities(own, errors)

    def sample_of(counts: Any) -> Any:
        return ix.from_confusion(counts.reshape(table.shape), **_positive(len(own)))

    def near(rng: np.random.Generator, n: int) -> OfKinds:
        return _of_table(_moved_classes(rng, own, n), moved(rng, errors, n * own))

    return OfKinds(table.ravel(), sample_of, _whole(table), near)


@cache
def _label_rows(population: Population) -> tuple[Any, Any]:
    """Return true and predicted labels of many rows; labels are correlated, hard rows have most errors."""
    m, own = population.classes, shares(population.classes, population.prevalence)
    rng = np.random.default_rng(m)
    rates = 0.4 * own / own.max()
    latent = 0.6 * rng.normal(size=(LARGE, 1)) + 0.8 * rng.normal(size=(LARGE, m))
    true = latent > [NormalDist().inv_cdf(1 - rate) for rate in rates]
    hard = rng.exponential(size=(LARGE, 1))
    missed = rng.random((LARGE, m)) < np.minimum(population.quality * hard, 1)
    invented = rng.random((LARGE, m)) < np.minimum(population.quality * hard * rates / (1 - rates), 1)
    return true, np.where(true, ~missed, invented)


def several_labels(population: Population) -> Source:
    """Return examples with several labels each."""
    true, predicted = _label_rows(population)

    def draw(rng: np.random.Generator, n: int) -> Any:
        rows = rng.integers(0, LARGE, n)
        return ix.evaluate(true[rows], predicted[rows])

    return OfRows(draw, ix.evaluate(true, predicted))


def normal_scores(population: Population) -> Source:
    """Return normal scores of two classes with a given area; as probabilities they are calibrated."""
    distance = 2**0.5 * NormalDist().inv_cdf(population.quality)
    odds = population.prevalence / (1 - population.prevalence)

    def rows(rng: np.random.Generator, n: int) -> Scored:
        y = (rng.random(n) < population.prevalence).astype(int)
        s = rng.normal(size=n) + distance * y
        p = 1 / (1 + np.exp(distance**2 / 2 - distance * s) / odds)
        return Scored(y, p, ix.sweep(y, p, classes=[0, 1]))

    return OfRows(rows, rows(np.random.default_rng(7), 10 * LARGE))


def clustered(population: Population) -> Source:
    """Return clusters of 20 examples; the share of errors differs between clusters."""
    own, m = shares(population.classes, population.prevalence), population.classes
    table = confusion_probabilities(own, population.quality)
    wrong = table * (1 - np.eye(m))
    wrong /= wrong.sum(axis=1, keepdims=True)

    def draw(rng: np.random.Generator, n: int) -> Any:
        many = max(n // CLUSTER, 2)
        cluster = np.repeat(np.arange(many), CLUSTER)
        y = rng.choice(m, len(cluster), p=own)
        errs = rng.random(len(cluster)) < rng.beta(4 * population.quality, 4 * (1 - population.quality), many)[cluster]
        other = (rng.random((len(y), 1)) > wrong[y].cumsum(axis=1)).sum(axis=1).clip(max=m - 1)
        return ix.evaluate(y, np.where(errs, other, y), classes=range(m), by={"cluster": cluster}, **_positive(m))

    return OfRows(draw, _whole(table))


def weighted(population: Population) -> Source:
    """Return examples with weights: one in ten of the most frequent class was kept, and counts ten times."""
    own = shares(population.classes, population.prevalence)
    return _of_weighted_table(own, np.full(len(own), population.quality))


def _of_weighted_table(own: Any, errors: Any) -> OfKinds:
    m, table = len(own), confusion_probabilities(own, errors)
    weights = np.where(np.arange(m) == 0, COMMON_WEIGHT, 1)
    kept = table / weights[:, None] / (own / weights).sum()

    def sample_of(counts: Any) -> Any:
        y, predicted = np.divmod(np.repeat(np.arange(m * m), counts), m)
        return ix.evaluate(y, predicted, classes=range(m), sample_weight=weights[y], **_positive(m))

    def near(rng: np.random.Generator, n: int) -> OfKinds:
        return _of_weighted_table(_moved_classes(rng, own, n), moved(rng, errors, n * kept.sum(axis=1)))

    return OfKinds(kept.ravel(), sample_of, _whole(table), near)


RATERS = 3


def rated(population: Population) -> Source:
    """Return items with three ratings each; every rater errs with the same probability."""
    return _of_ratings(shares(population.classes, population.prevalence), population.quality)


def _of_ratings(own: Any, errors: Any) -> OfKinds:
    patterns = np.array([*product(range(len(own)), repeat=RATERS)])
    given = np.diag(np.full(len(own), 1 - errors)) + errors * own  # how often a rater gives a class, for each true one
    chances = own @ given[:, patterns].prod(axis=2)

    def sample_of(counts: Any) -> Any:
        ratings = np.repeat(patterns, counts, axis=0)
        return ix.agreement({str(k): ratings[:, k].tolist() for k in range(RATERS)})

    def near(rng: np.random.Generator, n: int) -> OfKinds:
        return _of_ratings(_moved_classes(rng, own, n), moved(rng, errors, RATERS * n))

    return OfKinds(chances, sample_of, sample_of((chances * LARGE / 40).round().astype(int)), near)


SOURCES: dict[str, Callable[[Population], Source]] = {
    "one class": one_class,
    "several labels": several_labels,
    "scores": normal_scores,
    "clusters": clustered,
    "weights": weighted,
    "raters": rated,
}
