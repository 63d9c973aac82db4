"""Populations whose true scores are known, and how samples are drawn from them.

A population has a number of classes, a prevalence and a quality. The prevalence is that of the rarest class, where 0.5 means that
all classes are equally frequent, as for two classes; the others lie on a geometric scale between it and the most frequent one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
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
class Source:
    """How a sample of n examples is drawn, and the whole population, of which the true scores are."""

    draw: Callable[[np.random.Generator, int], Any]
    whole: Any


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
    for _ in range(60):  # the ratio of neighbours that gives the rarest one its share
        ratio = (low + high) / 2
        steps = ratio ** np.arange(m)
        low, high = (ratio, high) if steps[-1] / steps.sum() < rarest else (low, ratio)
    return steps / steps.sum()


def confusion_probabilities(own: Any, errors: float) -> Any:
    """Return the probability of each pair of classes; errors go to the other classes by their shares."""
    others = np.tile(own, (len(own), 1))
    np.fill_diagonal(others, 0)
    table = others / others.sum(axis=1, keepdims=True) * errors
    np.fill_diagonal(table, 1 - errors)
    return own[:, None] * table


def _whole(table: Any) -> Any:
    return ix.from_confusion((table * WHOLE).round().astype(int), **_positive(len(table)))


def _positive(m: int) -> dict[str, Any]:
    return {"positive": 1} if m == 2 else {}


def one_class(population: Population) -> Source:
    """Return examples of one class each; the last class is the rarest, and of two it is the positive one."""
    table = confusion_probabilities(shares(population.classes, population.prevalence), population.quality)

    def draw(rng: np.random.Generator, n: int) -> Any:
        return ix.from_confusion(rng.multinomial(n, table.ravel()).reshape(table.shape), **_positive(len(table)))

    return Source(draw, _whole(table))


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

    return Source(draw, ix.evaluate(true, predicted))


def normal_scores(population: Population) -> Source:
    """Return normal scores of two classes with a given area; as probabilities they are calibrated."""
    distance = 2**0.5 * NormalDist().inv_cdf(population.quality)
    odds = population.prevalence / (1 - population.prevalence)

    def rows(rng: np.random.Generator, n: int) -> Scored:
        y = (rng.random(n) < population.prevalence).astype(int)
        s = rng.normal(size=n) + distance * y
        p = 1 / (1 + np.exp(distance**2 / 2 - distance * s) / odds)
        return Scored(y, p, ix.sweep(y, p, classes=[0, 1]))

    return Source(rows, rows(np.random.default_rng(7), 10 * LARGE))


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

    return Source(draw, _whole(table))


def weighted(population: Population) -> Source:
    """Return examples with weights: one in ten of the most frequent class was kept, and counts ten times."""
    m = population.classes
    table = confusion_probabilities(shares(m, population.prevalence), population.quality)
    weights = np.ones(m)
    weights[0] = COMMON_WEIGHT
    kept = (table / weights[:, None]).ravel()

    def draw(rng: np.random.Generator, n: int) -> Any:
        y, predicted = np.divmod(rng.choice(m * m, n, p=kept / kept.sum()), m)
        return ix.evaluate(y, predicted, classes=range(m), sample_weight=weights[y], **_positive(m))

    return Source(draw, _whole(table))


RATERS = 3


def rated(population: Population) -> Source:
    """Return items with three ratings each; every rater errs with the same probability."""
    m, own = population.classes, shares(population.classes, population.prevalence)

    def draw(rng: np.random.Generator, n: int) -> Any:
        y = rng.choice(m, n, p=own)
        errs = rng.random((n, RATERS)) < population.quality
        other = rng.choice(m, (n, RATERS), p=own)
        ratings = np.where(errs, other, y[:, None])
        return ix.agreement({str(k): ratings[:, k].tolist() for k in range(RATERS)})

    return Source(draw, draw(np.random.default_rng(3), LARGE // 4))


SOURCES: dict[str, Callable[[Population], Source]] = {
    "one class": one_class,
    "several labels": several_labels,
    "scores": normal_scores,
    "clusters": clustered,
    "weights": weighted,
    "raters": rated,
}
