"""The scores that are asked for, of which populations, in samples of which sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Protocol

import indicatrix as ix

from .populations import AREAS, CLASSES, ERRORS, PREVALENCES, Population, Scored, shares

SIZES = (30, 100, 1000)


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
    def rare_errors(self) -> float:
        """How many errors on the rarest class a sample has on average, where every example has one class."""
        return float(self.n * shares(self.population.classes, self.population.prevalence).min() * self.population.quality)

    @property
    def scores(self) -> dict[str, Asked]:
        """The scores, by their names."""
        if self.population.kind == "one class":
            return BINARY if self.population.classes == 2 else SEVERAL
        return {"several labels": LABELS, "scores": OF_SCORES, "clusters": TOGETHER, "weights": UNEQUAL, "raters": RATED}[
            self.population.kind
        ]


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
