"""Labels that rows without any are expected to have.

From probabilities, or from labeled rows of another time or place.

What probabilities say is taken as it is. Labeled rows, the reference, are another sample: its part in the spread of a score is
what each of its rows adds (``apart``). Strata, within or between which something stays the same, are a column of the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ...algebra.arrays import Array
from .fitted_labels import FittedLabels, Method, by_column
from .judged_rows import EXPECTED, STRATUM, JudgedRows, distinct
from .shifts import SHIFTS, TINY, Covariate, Label, Shift

NORMAL = 1.96
FEW = 5  # reference rows of a stratum

DRIFT = (
    "Expected, not measured: no label of these rows is known. If what a score says about the truth has changed since, these "
    "scores are wrong, and nothing without labels can show it; label a few rows and pass gold=."
)
TRUSTED = (
    "The probabilities are taken for calibrated on these rows. reference=(labels, probabilities) of labeled rows checks them."
)


EXAMPLES = (
    "The score of one row is not a sum of labels, so it does not follow from expected labels. "
    "Name another average, such as 'macro'."
)


@dataclass(frozen=True)
class ByProbabilities(Method):
    """Each row has the labels that its probabilities say."""

    without_examples: ClassVar[str] = EXAMPLES

    def fit(self, rows: JudgedRows) -> FittedLabels:
        """Return the probabilities as labels."""
        return FittedLabels.known(rows.columns[EXPECTED], rows.weight, notes=(DRIFT, TRUSTED))


@dataclass(frozen=True)
class Doubt(Method):
    """What an unknown label may do: rows add so many of the standard deviations that their labels cause."""

    deviations: int

    def fit(self, rows: JudgedRows) -> FittedLabels:
        """Return the probabilities as labels, and how uncertain what each row adds is."""
        labels = rows.columns[EXPECTED]

        def along(d: Array) -> Array:
            own = labels * d
            less = (own**2).sum(axis=1) if rows.several else own.sum(axis=1) ** 2
            return np.asarray(self.deviations * np.sqrt(np.maximum((own * d).sum(axis=1) - less, 0.0)))

        return FittedLabels(labels, along)


@dataclass(frozen=True, eq=False)
class Reference:
    """Distinct labeled rows: the stratum and the label in each column, and how often each row occurs."""

    strata: Array  # (rows, columns)
    labels: Array  # (rows, columns), codes
    times: Array
    predictions: tuple[tuple[int, ...], ...]  # of each column, what is predicted in each stratum

    @staticmethod
    def of(strata: Array, labels: Array, predictions: Sequence[Array]) -> Reference:
        """Return rows with those that are alike counted together."""
        first, times = distinct(np.hstack([strata, labels]), np.ones(len(labels)))
        named = tuple(tuple(int(k) for k in own) for own in predictions)
        return Reference(strata[first], labels[first], times.astype(np.float64), named)

    def shift(self, name: str, column: int, classes: int, strata: Array, mass: Array | None = None) -> Shift:
        """Return what an assumption makes of rows in one column of strata, each of which counts as its mass."""
        predictions = np.array(self.predictions[column], np.intp)
        reference = np.zeros((len(predictions), classes))
        np.add.at(reference, (self.strata[:, column], self.labels[:, column]), self.times)
        return SHIFTS[name](np.bincount(strata, mass, len(predictions)).astype(np.float64), reference, predictions)

    def to_data(self) -> dict[str, Any]:
        """Return the rows as plain data."""
        arrays = {"strata": self.strata, "labels": self.labels, "times": self.times}
        return {"predictions": self.predictions, **{name: own.tolist() for name, own in arrays.items()}}

    def __eq__(self, other: object) -> bool:
        return self.to_data() == other.to_data() if isinstance(other, Reference) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class ByReference(Method):
    """Rows have the labels that a reference tells, if something stays the same."""

    shift: str  # one of SHIFTS
    reference: Reference
    without_examples: ClassVar[str] = EXAMPLES

    def fit(self, rows: JudgedRows) -> FittedLabels:
        """Return the expected labels of rows, with what each row of both samples adds."""
        strata = np.array(rows.strata, np.intp)[rows.columns[STRATUM].astype(np.intp)]
        classes, mass = 2 if rows.several else rows.m, rows.mass
        rows_each = mass * (rows.n / max(float(mass.sum()), TINY))  # weights say which rows count more, not how many there are
        made = [self.reference.shift(self.shift, j, classes, own, rows_each) for j, own in enumerate(strata.T)]
        usual = float(mass.sum()) / max(min(float(self.reference.times.sum()), float(rows.n)), 1.0)
        typical = np.full((2, 2) if rows.several else (rows.m, rows.m + 1), usual)

        def column(j: int) -> FittedLabels:
            own, place, seen = made[j], strata[:, j], (self.reference.strata[:, j], self.reference.labels[:, j])
            labels = own.labels[place][:, int(rows.several) :]

            def moved(d: Array) -> tuple[Array, Array]:
                wide = np.hstack([np.zeros((len(d), classes - d.shape[1])), d])  # of absent and present, only the latter
                return own.along(np.stack([np.bincount(place, amounts, len(own.target)) for amounts in wide.T], axis=1))

            def along(d: Array) -> Array:
                return np.asarray(rows.weight * ((d * labels).sum(axis=1) + moved(rows_each[:, None] * d)[0][place]))

            return FittedLabels(labels, along, lambda d: [(moved(d)[1][seen], self.reference.times)], typical)

        return replace(by_column(rows, column), notes=(DRIFT, *self.notes(strata, mass, made)))

    def to_data(self) -> dict[str, Any]:
        """Return the method as plain data."""
        return {"shift": self.shift, **self.reference.to_data()}

    @classmethod
    def from_data(cls, data: Any) -> ByReference:
        """Return the method that plain data describe."""
        if data["shift"] not in SHIFTS:
            raise ValueError(f"shift {data['shift']!r} is unknown.")
        predictions = tuple(tuple(int(k) for k in own) for own in data["predictions"])
        strata, labels = (np.array(data[name], np.intp).reshape(-1, len(predictions)) for name in ("strata", "labels"))
        return ByReference(data["shift"], Reference(strata, labels, np.array(data["times"], np.float64), predictions))

    def notes(self, strata: Array, mass: Array, made: Sequence[Shift]) -> list[str]:
        """Return what speaks against the result.

        Rows like none of the reference, and what the opposite assumption says.
        """
        notes, apart, classes = [], [], made[0].reference.shape[1]
        rare = np.zeros(len(strata), bool)
        for j, own in enumerate(made):
            rare |= (own.reference.sum(axis=1) < FEW)[strata[:, j]]
            both = (own if type(own) is way else way(own.target, own.reference, own.prediction) for way in (Covariate, Label))
            one, other = map(shares_of, both)
            far = np.abs(one[0] - other[0]) > NORMAL * (one[1] + other[1])
            if far.any():
                apart.append((j, int(np.argmax(np.abs(one[0] - other[0]))), one, other))
        if rare.any():
            share = float(mass[rare].sum() / mass.sum())
            notes.append(f"{share:.1%} of the rows are like fewer than {FEW} rows of the reference: what they count is a guess.")
        if apart:
            j, k, one, other = apart[0]
            what = f"column {j + 1}" if len(made) > 1 else f"class {k + 1} of {classes}"
            notes.append(
                f"The two assumptions disagree: the share of {what} is {one[0][k]:.3f} if scores mean what they did (covariate "
                f"shift), {other[0][k]:.3f} if only the shares of classes changed (label shift). At least one of them is wrong."
            )
        return notes


def shares_of(made: Shift) -> tuple[Array, Array]:
    """Return the share of each class among rows without labels, and its standard deviation."""
    target, reference = made.target, made.reference
    n, m = target.sum(), reference.shape[1]
    if not n:
        return np.full(m, np.nan), np.full(m, np.nan)
    shares, spreads = target @ made.labels / n, []
    for k in range(m):
        sums = np.zeros_like(reference)
        sums[:, k] = target / n
        own, moved = made.along(sums)
        own = own + made.labels[:, k] / n
        parts = ((own, target), (moved.ravel(), reference.ravel()))
        spreads.append(sum(float(times @ x**2 - (times @ x) ** 2 / max(times.sum(), 1.0)) for x, times in parts))
    return np.asarray(shares), np.sqrt(np.maximum(spreads, 0.0))
