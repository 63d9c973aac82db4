"""Properties: what a formula implies, each answer with its evidence (sec:extensions, sec:theory)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ...algebra.evidence import Evidence
from ...algebra.measure import MEASURES, Measure
from ...algebra.measure_names import find
from ...report.notebook import fragment
from ...report.table_forms import Table
from ...words.call_mistakes import answers_mistakes
from ...words.wording import short
from . import boundary, invariance
from . import closed_thresholds as thresholds
from .examined_measure import ExaminedMeasure
from .invariance import RateFunction
from .sentences import sentence


@dataclass(frozen=True, eq=False)
class Ledger(Mapping[str, Evidence]):
    """The evidence for each property of a measure, computed when it is first needed."""

    subject: ExaminedMeasure
    gathered: dict[str, Evidence] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Evidence:
        if name not in self.gathered:
            if name not in DECISIONS:
                raise KeyError(f"{name!r} is not a property. Properties are {', '.join(DECISIONS)}.")
            self.gathered[name] = DECISIONS[name](self)
        return self.gathered[name]

    def __iter__(self) -> Iterator[str]:
        return iter(DECISIONS)

    def __len__(self) -> int:
        return len(DECISIONS)

    @cached_property
    def bayes(self) -> thresholds.BayesThreshold:
        """The threshold that maximizes the measure, with its evidence."""
        return thresholds.bayes_threshold(self.subject.measure)


def _plain(decide: Callable[[ExaminedMeasure], Evidence]) -> Callable[[Ledger], Evidence]:
    return lambda ledger: decide(ledger.subject)


DECISIONS: dict[str, Callable[[Ledger], Evidence]] = {
    "decomposable": _plain(invariance.decomposable),
    "skew_invariant": _plain(invariance.skew_invariant),
    "moebius": lambda ledger: invariance.moebius(ledger.subject, ledger["decomposable"], ledger["skew_invariant"]),
    "scale_free": _plain(invariance.scale_free),
    "monotone": _plain(boundary.monotone),
    "monotone_per_cell": _plain(boundary.monotone_per_cell),
    "upper_boundary": _plain(boundary.upper_boundary),
    "lower_boundary": _plain(boundary.lower_boundary),
    "complete": _plain(invariance.complete),
    "tn_survives_at_tp0": _plain(invariance.tn_survives_at_tp0),
    "bounded": _plain(boundary.bounded),
    "symmetric_classes": _plain(invariance.symmetric_classes),
    "symmetric_roles": _plain(invariance.symmetric_roles),
    "constant_baseline": _plain(invariance.constant_baseline),
    "threshold": lambda ledger: ledger.bayes.evidence,
}


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class Properties:
    """The properties that follow from a measure's formula; ``evidence[name]`` says why.

    An answer is None where neither a proof nor trials decide.

    Attributes
    ----------
    measure : Measure
        The measure that was examined.
    evidence : mapping
        For each property an ``Evidence``: the answer, and a witness, a proof or the number of trials.

    Examples
    --------
    >>> import indicatrix as ix
    >>> p = ix.properties("informedness")
    >>> p.decomposable, p.skew_invariant, p.threshold
    (False, True, 'prevalence')
    """

    measure: Measure
    evidence: Ledger

    @property
    def decomposable(self) -> bool | None:
        """Whether M = <a, v>/<b, v>; then micro is a weighted macro."""
        return self.evidence["decomposable"].holds

    @cached_property
    def _coefficients(self) -> tuple[Any, Any]:
        return invariance.coefficients(self.evidence.subject) or (None, None)

    @property
    def a(self) -> tuple[Any, ...] | None:
        """The exact coefficients of the numerator over (tp, fp, fn, tn)."""
        return self._coefficients[0]  # type: ignore[no-any-return]

    @property
    def b(self) -> tuple[Any, ...] | None:
        """The exact coefficients of the denominator: the weights that turn macro into micro."""
        return self._coefficients[1]  # type: ignore[no-any-return]

    @property
    def skew_invariant(self) -> bool | None:
        """Whether the class skew does not change it."""
        return self.evidence["skew_invariant"].holds

    @property
    def of_rates(self) -> RateFunction | None:
        """A skew-invariant measure as a function of recall and specificity, or None."""
        return RateFunction(self.measure) if self.skew_invariant else None

    @property
    def moebius(self) -> bool | None:
        """Whether it is decomposable and skew-invariant: a Möbius function of one rate."""
        return self.evidence["moebius"].holds

    @property
    def scale_free(self) -> bool | None:
        """Whether multiplying all counts by one number does not change it."""
        return self.evidence["scale_free"].holds

    @property
    def monotone(self) -> bool | None:
        """Whether correcting an example never makes it worse."""
        return self.evidence["monotone"].holds

    @property
    def monotone_per_cell(self) -> bool | None:
        """Whether improving one cell alone never makes it worse (the literal, stricter definition)."""
        return self.evidence["monotone_per_cell"].holds

    @property
    def upper_boundary(self) -> bool | None:
        """Whether it always has its best value at fp = fn = 0."""
        return self.evidence["upper_boundary"].holds

    @property
    def lower_boundary(self) -> bool | None:
        """Whether it always has its worst value at tp = tn = 0."""
        return self.evidence["lower_boundary"].holds

    @property
    def complete(self) -> bool | None:
        """Whether it depends on all four cells."""
        return self.evidence["complete"].holds

    @property
    def tn_survives_at_tp0(self) -> bool | None:
        """Whether true negatives count even at tp = 0; then one-hot rows have a floor."""
        return self.evidence["tn_survives_at_tp0"].holds

    @property
    def bounded(self) -> bool | None:
        """Whether all values lie in one finite interval."""
        return self.evidence["bounded"].holds

    @property
    def symmetric_classes(self) -> bool | None:
        """Whether it stays the same if positive and negative are exchanged."""
        return self.evidence["symmetric_classes"].holds

    @property
    def symmetric_roles(self) -> bool | None:
        """Whether it stays the same if truth and prediction are exchanged."""
        return self.evidence["symmetric_roles"].holds

    @property
    def constant_baseline(self) -> bool | None:
        """Whether guessing always scores the same, for all margins."""
        return self.evidence["constant_baseline"].holds

    @property
    def threshold(self) -> Any:
        """The threshold on P(Y=1|x) that maximizes it in every population, or None.

        It is a Fraction, a text if it is a formula in the prevalence, or a SymPy expression if parameters are symbols.
        """
        return self.evidence.bayes.value

    @property
    def erm_consistent(self) -> bool | None:
        """Whether the threshold is 1/2, which minimizing the 0/1 loss leads to."""
        return self.evidence.bayes.erm_consistent

    def _repr_html_(self) -> str:

        answers = {True: "yes", False: "no", None: "undecided"}
        rows = [
            (name, answers[found.holds], sentence(name, found, self.measure, detail=self._detail(name, found)))
            for name, found in self.evidence.items()
        ]
        return fragment([Table((str(self.measure), "", "in words"), rows, left=3).html()])

    def __repr__(self) -> str:
        return f"<Properties of {self.measure}>"

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is known about each property, in one sentence."""
        every = self.evidence.items()
        return tuple(sentence(name, found, self.measure, detail=self._detail(name, found)) for name, found in every)

    def __str__(self) -> str:
        return "\n".join((f"{self.measure}", *(f"  {line}" for line in self.sentences)))

    def _detail(self, name: str, found: Evidence) -> str:
        """Return what completes the sentence about a property that holds: coefficients, values, a threshold."""
        if name == "decomposable" and self.a is not None and self.b is not None:
            return f"; a = ({', '.join(map(str, self.a))}), b = ({', '.join(map(str, self.b))})"
        if name == "threshold":
            return f", namely {self.threshold}"
        return f" ({found.note})" if name in ("moebius", "upper_boundary", "lower_boundary", "bounded") and found.note else ""


@answers_mistakes
def properties(measure: str | Measure, *, prove: bool = True) -> Properties:
    """Return the properties of a measure, each with a witness, a proof or the number of exact trials.

    There are proofs for all counts where the formula is rational and SymPy is installed. ``prove=False`` leaves them out; this
    is faster and gives the same answers.

    Parameters
    ----------
    measure : str or Measure
        A measure, its name, or a formula.
    prove : bool, default True
        Whether to look for proofs. False is faster.

    Returns
    -------
    Properties
        One attribute for each property; printing it shows them all.

    Examples
    --------
    >>> import indicatrix as ix
    >>> p = ix.properties("f_beta(beta=2)")
    >>> print(p.evidence["skew_invariant"])
    no (witness: (((3, 2, 5, 11), (6, 2, 10, 11)), (15/37, 5/12)))
    """
    return _properties(find(measure), prove)


@lru_cache(maxsize=1024)
def _properties(measure: Measure, prove: bool) -> Properties:
    return Properties(measure, Ledger(ExaminedMeasure(measure, prove)))


@answers_mistakes
def select(**wanted: Any) -> tuple[Measure, ...]:
    """Return the registered measures that have all these properties, in the order of the registry.

    Parameters
    ----------
    **wanted
        Properties with True, False or None, as in ``skew_invariant=True``; also better= and group=.

    Returns
    -------
    tuple of Measure
        The measures.

    Examples
    --------
    >>> import indicatrix as ix
    >>> print(*ix.theory.select(decomposable=True, skew_invariant=True))
    recall false_negative_rate specificity false_positive_rate
    """
    known = [*DECISIONS, "erm_consistent", "better", "group"]
    for name in wanted:
        if name not in known:
            raise ValueError(f"{name!r} is not a property by which measures can be selected. Use {', '.join(known)}.")
        _check_wanted(name, wanted[name])
    return tuple(m for key, m in MEASURES.items() if key == m.name and all(_has(m, k, x) for k, x in wanted.items()))


def _check_wanted(name: str, value: Any) -> None:
    """Refuse a value that no measure can have."""
    if name in ("better", "group"):
        possible: tuple[Any, ...] = tuple(dict.fromkeys(getattr(m, name) for m in MEASURES.values()))
        if not isinstance(value, str | None) or value not in possible:
            raise ValueError(f"{name}={short(value)} selects nothing. Use {', '.join(map(repr, possible))}.")
    elif value is not None and not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name}={short(value)} selects nothing. Use True, False, or None where it is not known.")


def _has(measure: Measure, name: str, wanted: Any) -> bool:
    value = getattr(measure if name in ("better", "group") else properties(measure, prove=False), name)
    return bool(value == wanted)
