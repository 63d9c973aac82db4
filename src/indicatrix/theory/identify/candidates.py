"""Candidates: every measure of the catalogue under every average, and its answer to a probe."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ...algebra.average import AVERAGES, BINARY, Average, averages_that
from ...algebra.counts import Counts
from ...algebra.measure import MEASURES, Measure
from ...algebra.score import Undefined, combine
from ...catalogue.matrices import MATRIX_MEASURES
from ...catalogue.matrices.agreement import WEIGHTS
from ...encode.pairs import Reading, encode
from ...tally.counting.counting import count
from ...tally.regrouped import tally_of_counts
from ...tally.tally import Tally
from ..result.examined_result import EACH_CLASS, WHOLE
from .probes import Probe

MEANS: tuple[Undefined, ...] = ("exclude", 0, 1, "nan", "raise", -1, 0.5)  # conventions for means over units
SINGLE = MEANS[1:]  # a single value cannot be excluded; the preferred convention comes first
OVER = ("found", "given")  # the classes that occur, as evaluate finds them, or all classes
COMMON: dict[str, tuple[dict[str, float], ...]] = {  # common values of the parameters of families
    "f_beta": ({"beta": 0.5}, {"beta": 2}),
    "f_beta_negative": ({"beta": 0.5}, {"beta": 2}),
    "tversky": ({"alpha": 0.3, "beta": 0.7}, {"alpha": 0.7, "beta": 0.3}),
    "index_of_balanced_accuracy": ({"alpha": 0.1}, {"alpha": 0.05}),
    "klosgen": ({"omega": 1}, {"omega": 2}),
    "net_benefit": ({"p_t": 0.1}, {"p_t": 0.2}),
    "interventions_avoided": ({"p_t": 0.1}, {"p_t": 0.2}),
}
STEPS = tuple(10 ** (k / 5) for k in range(-20, 21))  # distances from the end of its domain at which a parameter is tried
RAISED = "raised"  # the answer of the convention that raises an error


class Option(NamedTuple):
    """A convention: what an undefined value does, and over which classes an average runs."""

    undefined: Undefined
    over: str


OPTIONS = [frozenset(Option(u, over) for u in pool for over in OVER) for pool in (SINGLE, MEANS)]


@dataclass(frozen=True, eq=False)
class CandidateAnswer:
    """The answer of a candidate to a problem: its values, and whether some of them are undefined."""

    values: Any
    weights: Any
    mean: bool  # whether the values are combined into one number
    undefined: bool
    empty: bool = False  # whether it is a mean over units that all have weight zero
    _answers: dict[Undefined, tuple[Any, ...]] = field(default_factory=dict, repr=False)

    def under(self, convention: Undefined) -> tuple[Any, ...]:
        """Return the numbers or arrays, or RAISED, that are accepted as the values under a convention."""
        if convention not in self._answers:
            self._answers[convention] = self._under(convention)
        return self._answers[convention]

    def _under(self, convention: Undefined) -> tuple[Any, ...]:
        if self.undefined and convention == "raise":
            return (RAISED,)
        if self.empty and not isinstance(convention, str):
            return (convention, np.nan)  # the number in this library; other functions may return nan here
        if self.mean:
            return (combine(self.values, self.weights, convention),)
        lost = ~np.isfinite(self.values)
        stand_in = np.nan if isinstance(convention, str) else convention
        filled = np.where(lost, stand_in, self.values)
        shown = filled if filled.ndim else float(filled)
        return (
            (shown, self.values) if isinstance(convention, str) else (shown,)
        )  # an infinite value may also be returned as it is


@dataclass(frozen=True)
class Candidate:
    """A measure under an average.

    The average ``WHOLE`` means that it reads the confusion matrix, ``EACH_CLASS`` that it has one value per class.
    """

    measure: Measure
    average: str | None

    @property
    def options(self) -> frozenset[Option]:
        """All conventions under which it can be used."""
        return OPTIONS[self.row is not None and not self.row.pools]

    @property
    def row(self) -> Average | None:
        """The row of the average; None where it is not an average of several values."""
        return None if self.average in (BINARY, WHOLE, EACH_CLASS) else AVERAGES[self.average]

    def on(self, problem: ProbeCounts) -> CandidateAnswer:
        """Return the answer to a problem; it is cached, because all probed functions use the same ones."""
        return _answer(self, self.row, problem)

    def answer(self, problem: ProbeCounts) -> CandidateAnswer:
        """Compute and return the answer."""
        if self.average == EACH_CLASS:
            values = self.measure.values(problem.aggregate("class"))
            return CandidateAnswer(values, None, False, not np.isfinite(values).all())
        score = self.measure.score(problem, self.average if self.measure.reads.averaged else None)
        mean = bool(score.counts.per)
        return CandidateAnswer(np.asarray(score.values), score.weights, mean, score.has_undefined(), score.lacks_weight())

    @property
    def parameter(self) -> tuple[str, tuple[float, float]]:
        """The name of a family's only parameter, and its domain."""
        (name,) = self.measure.params
        return name, self.measure.domain.get(name, (-math.inf, math.inf))

    def at(self, value: float) -> Candidate:
        """Return the member of a family of one parameter."""
        return Candidate(self.measure.at(**{self.parameter[0]: value}), self.average)

    def grid(self) -> list[float]:
        """Return values of a family's only parameter all over its domain, dense near finite ends."""
        low, high = self.parameter[1]
        if math.isfinite(low) and math.isfinite(high):
            inside = [low + (high - low) * t / (1 + t) for t in STEPS]
        else:
            upward = [(low if math.isfinite(low) else 0) + t for t in STEPS if not math.isfinite(high)]
            downward = [(high if math.isfinite(high) else 0) - t for t in STEPS if not math.isfinite(low)]
            inside = [*downward, *upward, *([0] if downward and upward else [])]
        return sorted({*inside, *(end for end in (low, high) if math.isfinite(end))})

    def readable(self, value: float) -> Iterator[float]:
        """Yield the values that a family's only parameter may have had before rounding errors.

        The shortest value comes first.
        """
        low, high = self.parameter[1]
        rounded = [float(f"{value:.{digits}g}") for digits in (*range(1, 7), 9, 12)]
        quotient = float(Fraction(value).limit_denominator(99))
        for near in dict.fromkeys((*rounded[:6], quotient, *rounded[6:], value)):
            if low <= near <= high:
                yield int(near) if near.is_integer() else near

    def __str__(self) -> str:
        word = {WHOLE: "", EACH_CLASS: "per-class "}.get(self.average, f"{self.average} ")
        return f"{word}{self.measure}"


@lru_cache(maxsize=1 << 16)
def _answer(candidate: Candidate, row: Average | None, problem: ProbeCounts) -> CandidateAnswer:
    # The row is part of the key: a name may later be given to another row.
    return candidate.answer(problem)


@dataclass(frozen=True, eq=False)
class ProbeCounts:
    """The tally of a probe with its positive class: a source of counts."""

    tally: Tally
    positive: Any
    _counted: dict[str | tuple[str, ...], Counts] = field(default_factory=dict, repr=False)

    @property
    def confusion(self) -> Any:
        """The confusion matrix."""
        return self.tally.confusion

    def aggregate(self, per: str | tuple[str, ...] = ()) -> Counts:
        """Return the counts of the tally; they are cached, because every candidate needs them."""
        if per not in self._counted:
            self._counted[per] = self.tally.aggregate(per)
        return self._counted[per]

    def binary(self) -> Counts:
        """Return the counts of the positive class; all true negatives if it neither occurs nor is predicted."""
        if self.positive in self.tally.classes:
            return self.aggregate("class").at(**{"class": self.positive})
        return Counts(0, 0, 0, self.tally.n)


@lru_cache(maxsize=512)
def problems(probe: Probe, m: int) -> dict[str, ProbeCounts]:
    """Return the probe as a source of counts, over the classes that occur and over all m classes."""
    if probe.kind == "counts":
        problem = ProbeCounts(_tally_of(*probe.counts), "positive")
        return dict.fromkeys(OVER, problem)
    if probe.kind == "multilabel":
        return dict.fromkeys(OVER, ProbeCounts(_tally(probe, range(m)), None))
    found, given = _tally(probe, None), _tally(probe, range(m))
    if found.classes == given.classes:
        return dict.fromkeys(OVER, ProbeCounts(given, 1))
    return {"found": ProbeCounts(found, 1), "given": ProbeCounts(given, 1)}


def _tally_of(tp: int, fp: int, fn: int, tn: int) -> Tally:
    return tally_of_counts(tp, fp, fn, tn, None)


def _tally(probe: Probe, classes: range | None) -> Tally:
    pair = encode(probe.y_true, probe.y_pred, Reading.of(classes=classes))
    return count(pair, tnorm=None, mask=None, weights=None, by={}, confusion=None)


def averages(kind: str, per_class: bool) -> tuple[str, ...]:
    """Return the averages that apply to a kind of problem; ``per_class``: for one value per class.

    >>> averages("counts", False), averages("multilabel", False)[:2]
    (('binary',), ('micro', 'macro'))
    """
    if per_class:
        return (EACH_CLASS,)
    means = averages_that(lambda average: average.per in ((), ("class",), ("example",)))
    return {"counts": (BINARY,), "multilabel": means}.get(kind, (BINARY, *means))


def families(kind: str, per_class: bool) -> list[Candidate]:
    """Return the candidates with exactly one parameter.

    There is one for each family and each average that every measure has. Averages whose weights depend on the measure, such
    as denominators, are left out: the weights would have to be found again for every value of the parameter.

    >>> [str(c) for c in families("counts", False)[:2]]
    ['binary f_beta(beta=1)', 'binary f_beta_negative(beta=1)']
    """
    plain = dict.fromkeys(MEASURES.values())
    found = [c for c in candidates(kind, per_class) if c.measure in plain and len(c.measure.params) == 1]
    return [c for c in found if c.row is None or c.row.general]


def candidates(kind: str, per_class: bool) -> list[Candidate]:
    """Return all candidates for a kind of problem, the preferred ones first.

    ``per_class``: the candidates with one value per class.

    >>> [str(c) for c in candidates("counts", False)[:3]]
    ['binary accuracy', 'binary error_rate', 'binary balanced_error_rate']
    """
    found = [Candidate(m, a) for m in _measures() for a in averages(kind, per_class) if _exists(m, a)]
    if kind in ("binary", "multiclass") and not per_class:
        found += [Candidate(m, WHOLE) for m in _matrix_measures()]
    order = (BINARY, WHOLE, *AVERAGES, EACH_CLASS)
    pooled = min((order.index(a) for a in averages_that(lambda average: average.pools)), default=0)

    def preference(candidate: Candidate) -> int:
        """Return the place of a candidate: measures for a single average come before the pooled ones."""
        only = bool(getattr(candidate.measure, "averages", ()))
        return 2 * (pooled if only else order.index(candidate.average)) - only

    return sorted(found, key=preference)


def _exists(measure: Measure, average: str) -> bool:
    """Return whether a measure has values, and weights, under an average."""
    if measure.averages:
        return average in measure.averages
    row = AVERAGES.get(average)
    if row is not None and not row.general:
        try:
            row.weights(measure, Counts(*np.ones((4, 1)), per=row.per))
        except ValueError:  # the measure does not have such weights
            return False
    return True


def _measures() -> list[Measure]:
    """Return the registered measures, those without parameters first.

    For example, f1 is a better name than f_beta(beta=1).
    """
    plain = list(dict.fromkeys(MEASURES.values()))
    families = [MEASURES[name].at(**params) for name, several in COMMON.items() for params in several]
    return sorted([*plain, *families], key=lambda m: bool(m.params))


def _matrix_measures() -> list[Measure]:
    """Return the functions of the confusion matrix, those with weights by rank last."""
    plain = list(dict.fromkeys(MATRIX_MEASURES.values()))
    weighted = [m.at(weights=by) for m in plain if "weights" in m.params for by in WEIGHTS]
    return [*plain, *weighted]
