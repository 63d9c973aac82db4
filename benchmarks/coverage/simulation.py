"""Samples of a population, the intervals of its scores, and how they do."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np

import indicatrix as ix

from .populations import AREAS, CLASSES, COMMON_WEIGHT, ERRORS, PREVALENCES, Population, Scored, source_of

NORMAL = NormalDist().inv_cdf(0.975)
SIZES = (30, 100, 1000)
SIMULATIONS, COMPARED = 1000, 200  # samples of the default, and of what it is compared with
DRAWS = 400  # of a bootstrap
WITHIN = (0.93, 0.975)  # where the coverage of 95% intervals should lie
LEAST = 0.90  # below it, a note must say so
TAIL = 0.025  # of a 95% interval
ALMOST = 1e-9


class Asked(Protocol):
    """A score that is asked for."""

    def value(self, whole: Any) -> float:
        """Return the score of the whole population."""

    def interval(self, sample: Any, **options: Any) -> Any:
        """Return its interval in a sample."""


@dataclass(frozen=True)
class OfMeasure:
    """A score of an evaluation."""

    measure: str
    average: str | None = None
    clusters: str | None = None

    def value(self, whole: Any) -> float:
        """Return the score of the whole population."""
        return float(whole.score(self.measure, self.average))

    def interval(self, sample: Any, **options: Any) -> Any:
        """Return its interval in a sample."""
        return ix.inference.interval(sample, self.measure, self.average, clusters=self.clusters, **options)


@dataclass(frozen=True)
class OfArea:
    """An area of scores."""

    name: str

    def value(self, whole: Scored) -> float:
        """Return the area of the whole population."""
        return float(ix.scores.AREAS[self.name](whole.sweep))

    def interval(self, sample: Scored, **options: Any) -> Any:
        """Return its interval in a sample."""
        return ix.inference.interval(sample.sweep, self.name, **options)


@dataclass(frozen=True)
class OfLoss:
    """A mean loss."""

    loss: Callable[..., Any]

    def value(self, whole: Scored) -> float:
        """Return the mean loss of the whole population."""
        return float(self.loss(whole.y, whole.p, average="exemplar"))

    def interval(self, sample: Scored, **options: Any) -> Any:
        """Return its interval in a sample."""
        return ix.inference.interval(self.loss(sample.y, sample.p, average="exemplar"), **options)


@dataclass(frozen=True)
class OfRaters:
    """A coefficient of several raters."""

    name: str

    def value(self, whole: Any) -> float:
        """Return the coefficient of the whole population."""
        return float(whole.score(self.name))

    def interval(self, sample: Any, **options: Any) -> Any:
        """Return its interval in a sample."""
        return sample.interval(self.name, **options)


def of_measures(average: str | None, names: str, clusters: str | None = None) -> dict[str, Asked]:
    """Return the scores of some measures under one average, by their names."""
    label = "" if average in (None, "binary") else f"{average} "
    return {f"{label}{name}": OfMeasure(name, average, clusters) for name in names.split()}


RATES = "accuracy recall specificity precision npv f1 jaccard mcc kappa balanced_accuracy informedness g_mean"
BINARY = of_measures("binary", RATES)
SEVERAL = {
    **of_measures(None, "accuracy multiclass_kappa multiclass_mcc mutual_information cramer_v"),
    **of_measures("macro", "f1 recall precision mcc jaccard balanced_accuracy"),
    **of_measures("weighted", "f1 precision"),
}
LABELS = {**of_measures("micro", "f1"), **of_measures("macro", "f1 recall"), **of_measures("exemplar", "jaccard")}
OF_SCORES: dict[str, Asked] = {
    **{name: OfArea(name) for name in ("auc", "average_precision", "auc_of_hull", "h_measure")},
    "brier": OfLoss(ix.brier),
    "log_loss": OfLoss(ix.log_loss),
}
TOGETHER = {
    **of_measures(None, "accuracy multiclass_kappa", "cluster"),
    **of_measures("macro", "f1 recall", "cluster"),
}
UNEQUAL = {**of_measures(None, "accuracy"), **of_measures("macro", "f1 recall")}
RATED: dict[str, Asked] = {n: OfRaters(n) for n in ("fleiss_kappa", "krippendorff_alpha", "multiclass_gwet_ac1")}


@dataclass(frozen=True)
class Set:
    """The scores of samples of n examples from a population."""

    population: Population
    n: int

    @property
    def scores(self) -> dict[str, Asked]:
        """The scores, by their names."""
        if self.population.kind == "one class":
            return BINARY if self.population.classes == 2 else SEVERAL
        return {"several labels": LABELS, "scores": OF_SCORES, "clusters": TOGETHER, "weights": UNEQUAL, "raters": RATED}[
            self.population.kind
        ]


@dataclass(frozen=True)
class Cell:
    """How the intervals of one score do in samples of one size."""

    kind: str
    population: str
    n: int
    score: str
    samples: int  # those that have the score
    coverage: float
    low_misses: float  # the share of samples whose interval lies above the true score
    high_misses: float  # the share of samples whose interval lies below it
    width: float  # the median width, as a multiple of that of a normal interval with the true standard deviation
    noted: float  # the share of intervals with a note
    without_note: float  # the coverage of the intervals without a note
    possible: float  # the coverage of a mid-P interval that knows how the score varies: .95, but for few different values
    percentile: float  # the coverage of the bootstrap
    delta: float  # the coverage of the delta method

    def as_row(self) -> dict[str, Any]:
        """Return the columns of a file."""
        return {k: round(v, 4) if isinstance(v, float) else v for k, v in asdict(self).items()}

    @property
    def as_aimed(self) -> bool:
        """Whether the coverage is where it should be."""
        return WITHIN[0] <= self.coverage <= WITHIN[1]

    @property
    def can_be_as_aimed(self) -> bool:
        """Whether the score has so many values that an interval can miss as often as it should."""
        return WITHIN[0] <= self.possible < WITHIN[1]

    @property
    def misleads(self) -> bool:
        """Whether intervals cover too rarely, and do not say so."""
        return self.coverage < LEAST and self.noted < 0.95 and not self.without_note >= LEAST


def sets() -> Iterator[Set]:
    """Yield all populations with all sizes of samples."""
    for kind, classes in (("one class", CLASSES), ("several labels", CLASSES[1:]), ("weights", CLASSES[:2])):
        for m, prevalence, errors, n in product(classes, PREVALENCES, ERRORS, SIZES):
            yield Set(Population(kind, m, prevalence, errors), n)
    for prevalence, auc, n in product(PREVALENCES, AREAS, SIZES):
        yield Set(Population("scores", 2, prevalence, auc), n)
    for m, prevalence, errors, n in product(CLASSES[:2], PREVALENCES[:2], ERRORS, (200, 600, 2000)):
        yield Set(Population("clusters", m, prevalence, errors), n)
    for m, prevalence, errors, n in product(CLASSES[:2], PREVALENCES[:2], ERRORS, (20, 30, 100)):
        yield Set(Population("raters", m, prevalence, errors), n)


def simulate(some: Set, simulations: int = SIMULATIONS, compared: int = COMPARED, seed: int = 0) -> list[Cell]:
    """Return how the intervals of all scores of one set do; the same seed gives the same cells."""
    source = source_of(some.population)
    rng = np.random.default_rng([seed, some.n, *str(some.population).encode()])
    samples = [source.draw(rng, some.n) for _ in range(simulations)]
    return [_cell(some, name, asked, source.whole, samples, compared) for name, asked in some.scores.items()]


def _cell(some: Set, name: str, asked: Asked, whole: Any, samples: Sequence[Any], compared: int) -> Cell:
    truth = asked.value(whole)
    found = [*_intervals(asked, samples)]
    values, lows, highs = np.array([(i.value, i.low, i.high) for i in found]).T if found else np.empty((3, 0))
    noted = np.array([bool(i.warning) for i in found], bool)
    above, below = lows > truth + ALMOST, highs < truth - ALMOST
    covers = ~(above | below)
    ideal = 2 * NORMAL * values.std() if len(values) else 0.0
    return Cell(
        some.population.kind,
        str(some.population),
        some.n,
        name,
        samples=len(found),
        coverage=_mean(covers),
        low_misses=_mean(above),
        high_misses=_mean(below),
        width=float(np.median(highs - lows) / ideal) if ideal > 0 else math.nan,
        noted=_mean(noted),
        without_note=_mean(covers[~noted]),
        possible=possible_given_margins(some.population, name, samples, truth, possible_coverage(values)),
        percentile=_coverage(asked, samples[:compared], truth, "percentile", draws=DRAWS),
        delta=_coverage(asked, samples[:compared], truth, "delta"),
    )


def possible_coverage(values: Any, chances: Any = None) -> float:
    """Return how often a mid-P interval covers that knows the values of a score and how likely they are.

    Without probabilities, the values are those of samples. The interval misses where the probability beyond a value, the value
    itself counted half, is below 2.5%. So the interval of a share k/n is its mid-P interval. A score with many values is covered
    in 95% of samples. Few values make steps: no errors in 95 of 100 samples cannot be a miss, and then 97.5% or more are covered.

    >>> many, few = possible_coverage(np.arange(10_000) % 200), possible_coverage(np.arange(3), np.array([0.95, 0.03, 0.02]))
    >>> round(many, 6), round(few, 6)
    (0.95, 0.98)
    """
    if not len(values):
        return math.nan
    _, place = np.unique(np.round(values, 12), return_inverse=True)
    own = np.bincount(place, np.full(len(values), 1 / len(values)) if chances is None else chances)
    upto = np.cumsum(own) - own / 2
    return float(own[np.minimum(upto, 1 - upto) >= TAIL].sum())


def possible_of_share(size: int, share: float) -> float:
    """Return the same of a share of independent examples: the exact coverage of its mid-P interval.

    >>> [round(possible_of_share(n, 0.97), 3) for n in (30, 100, 1000)]
    [0.988, 0.921, 0.959]
    """
    k, logs = np.arange(size + 1), np.cumsum([0.0, *np.log(np.arange(1, size + 1))])
    chances = np.exp(logs[-1] - logs - logs[::-1] + k * math.log(share) + (size - k) * math.log1p(-share))
    return possible_coverage(k, chances)


OF_ONE_CLASS = {"accuracy": 0, "recall": -1, "precision": -1, "specificity": 0, "npv": 0}  # the last class is the positive one
OF_PREDICTED = ("precision", "npv")
OF_RATES: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("balanced_accuracy", "informedness", "macro recall"), lambda rates: rates.mean(axis=-1)),
    "g_mean": lambda rates: rates.prod(axis=-1),
}
DOMINATES = 0.8  # the share of a variance
GIVEN, DRAWN = 50, 1000  # margins of samples that are tried, and samples with these margins


def possible_given_margins(population: Population, name: str, samples: Sequence[Any], truth: float, otherwise: float) -> float:
    """Return the same of a score of shares, among samples with as many examples of each class.

    How many examples a class has tells nothing about the share of them that is right: an interval should not cover more often in
    samples with many of them and less in others. Where the share of one class has four fifths of the variance, its steps alone
    count, which the others only blur. Other scores have the coverage that is given.
    """
    weighted, shared = population.kind == "weights", (*OF_ONE_CLASS, *OF_RATES)
    if name not in shared or not (weighted or population.kind == "one class") or (weighted and name == "accuracy"):
        return otherwise
    rng, right = np.random.default_rng(0), truth if name in OF_PREDICTED else 1 - population.quality
    found = []
    for sample in samples[:GIVEN]:
        own = sample.aggregate("class")
        sizes = np.array([float(x) for x in (own.tp + (own.fp if name in OF_PREDICTED else own.fn))])
        if weighted:
            sizes[0] /= COMMON_WEIGHT
        if name == "accuracy":
            sizes = sizes.sum(keepdims=True)
        if name not in OF_ONE_CLASS:
            sizes = sizes[sizes > 0]
        at = OF_ONE_CLASS.get(name, int(sizes.argmin()))
        if name in OF_ONE_CLASS or 1 / sizes[at] > DOMINATES * (1 / sizes).sum():
            found += [possible_of_share(round(sizes[at]), right)] if sizes[at] else []
        else:
            drawn = rng.binomial(sizes.round().astype(int), right, (DRAWN, len(sizes)))
            found.append(possible_coverage(OF_RATES[name](drawn / sizes)))
    return float(np.mean(found)) if found else otherwise


def _intervals(asked: Asked, samples: Sequence[Any], **options: Any) -> Iterator[Any]:
    """Yield the intervals that there are: a sample without positives has no recall."""
    for sample in samples:
        try:
            found = asked.interval(sample, **options)
        except (ValueError, TypeError):
            continue
        if math.isfinite(found.low):
            yield found


def _coverage(asked: Asked, samples: Sequence[Any], truth: float, method: str, **options: Any) -> float:
    found = _intervals(asked, samples, method=method, **options)
    return _mean(np.array([i.low - ALMOST <= truth <= i.high + ALMOST for i in found], bool))


def _mean(flags: Any) -> float:
    return float(flags.mean()) if len(flags) else math.nan
