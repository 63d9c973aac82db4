"""Labels that rows without any are expected to have.

From probabilities, or from labeled rows of another time or place.

What probabilities say is taken as it is. Labeled rows, the reference, are another sample: its part in the spread of a score is
what each of its rows adds (``apart``). Rows fall into strata of prediction and score, a column of the rows. ``Covariate``: the
shares of classes inside a stratum stay. ``Label``: the shares of strata inside a class stay. The two are opposite assumptions.
Both give every stratum an expected label, and say how a sum over expected labels moves with one more row of either sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from .fitted_labels import Apart, FittedLabels, Method, by_column, covariance_of
from .judged_rows import EXPECTED, STRATUM, JudgedRows, distinct

STEPS, CLOSE = 20_000, 1e-11  # of the search for the shares of classes
HALF, TINY = 0.5, 1e-300  # of an example, where nothing is known; what is added to no example
NORMAL = 1.96
FEW = 5  # reference rows of a stratum

NONE = "No row of the reference is of class {} of {}{}, so nothing says how many of these rows are: scores take it as absent."
DRIFT = (
    "Expected, not measured: no label of these rows is known. If what a score says about the truth has changed since, these "
    "scores are wrong, and nothing without labels can show it; label a few rows and pass gold=."
)
TRUSTED = (
    "The probabilities are taken for calibrated on these rows. reference=(labels, probabilities) of labeled rows checks them."
)


@dataclass(frozen=True)
class ByProbabilities(Method):
    """Each row has the labels that its probabilities say."""

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
class Samples:
    """Two samples in the same strata, of which an assumption makes ``labels``, (h, m), and ``along``.

    The latter is what one more row adds to a sum where label k of stratum h counts ``sums[h, k]`` in all: first of each stratum
    without a label (h,), beyond its own label; then of the reference, of each stratum and label (h, m).
    """

    target: Array  # (h,) how many rows there are without a label
    reference: Array  # (h, m) with each label
    prediction: Array  # (h,)


class Covariate(Samples):
    """Each stratum has the shares of classes that the reference has there.

    It has one row more, divided as all rows with its prediction are, so that no share is certain.
    """

    @cached_property
    def _whole(self) -> Array:
        """Whether the row more of each stratum is divided as those with its prediction, (h, h).

        If the reference has no row with its prediction, it is divided as all rows are.
        """
        same = self.prediction[:, None] == self.prediction
        return np.asarray(same | ~(same @ self.reference).any(axis=1)[:, None])

    @cached_property
    def _more(self) -> tuple[Array, Array]:
        """How the row more is divided, (h, m), and how many rows say so."""
        sums = self._whole @ self.reference
        sizes = sums.sum(axis=1, keepdims=True) + HALF
        return (sums + HALF / sums.shape[1]) / sizes, sizes

    @cached_property
    def labels(self) -> Array:
        """The expected label of a row in each stratum."""
        return np.asarray((self.reference + self._more[0]) / self._sizes)

    @property
    def _sizes(self) -> Array:
        return np.asarray(self.reference.sum(axis=1, keepdims=True) + 1)

    def along(self, sums: Array) -> tuple[Array, Array]:
        """Return what one more row adds to a sum over expected labels."""
        more, of = self._more
        own = (sums - (self.labels * sums).sum(axis=1, keepdims=True)) / self._sizes
        through = sums / self._sizes
        through = (through - (more * through).sum(axis=1, keepdims=True)) / of
        return np.zeros(len(sums)), own + self._whole.T @ through


class Label(Samples):
    """Each class falls into strata at rates of its own, which are the same in both samples.

    Rates and shares of classes are those that make both samples most likely: taken from the reference alone, rates that look
    more different than they are would draw the shares to those of the reference. Rows like none of it have the shares of all.
    """

    @cached_property
    def _seen(self) -> Array:
        return np.asarray(self.reference.any(axis=1))

    @cached_property
    def _fitted(self) -> tuple[Array, Array]:
        reference, target = self.reference[self._seen], self.target[self._seen]
        return most_likely_mixture(reference / np.maximum(reference.sum(axis=0), 1.0), reference, target)

    @cached_property
    def labels(self) -> Array:
        """The expected label of a row in each stratum."""
        rates, shares = self._fitted
        out = np.tile(shares, (len(self.target), 1))
        out[self._seen] = rates * shares / _or_one(rates @ shares)[:, None]
        return out

    def along(self, sums: Array) -> tuple[Array, Array]:
        """Return what one more row adds to a sum over expected labels.

        It moves the shares and rates of all classes.

        The rates are reference / (sizes + total shares (1 - full)), where ``full`` is by how much more rows of the target are in
        a stratum than the fit expects; so derivatives of ``full`` and of the shares give all others.
        """
        seen, some = self._seen, self.reference.any(axis=0)  # also a class that seems absent may be there
        reference, target, total = self.reference[np.ix_(seen, some)], self.target[seen, None], max(self.target[seen].sum(), TINY)
        rates, shares = self._fitted[0][:, some], self._fitted[1][some]
        mixed, sizes = _or_one(rates @ shares)[:, None], reference.sum(axis=0)
        full = target / (total * mixed)
        under = np.where(reference > 0, sizes + total * shares * (1 - full), 1.0)
        per = rates / under
        # How the sum moves with each rate, then with full and shares themselves.
        by_rate = (sums[np.ix_(seen, some)] - (self.labels[seen] * sums[seen]).sum(axis=1, keepdims=True)) / mixed
        by_full = total * (by_rate * shares**2 * per).sum(axis=1, keepdims=True)
        by_share = (by_rate * per).sum(axis=0) * sizes + sums[np.ix_(~seen, some)].sum(axis=0)
        # What they are equations of: as many rows in each stratum as there are, and rates that sum to 1.
        own = total * (mixed + total * full * (shares**2 * per).sum(axis=1, keepdims=True))
        cross, sums_of_rates = total * full * per * sizes, per * (sizes + total * shares)
        bend = -np.diag(total * (full * (1 - full) * per).sum(axis=0)) - (cross / np.maximum(own, TINY)).T @ sums_of_rates
        of_shares = np.linalg.pinv(bend) @ (by_share - (by_full / np.maximum(own, TINY) * cross).sum(axis=0))
        of_strata = (by_full - (sums_of_rates @ of_shares)[:, None]) / np.maximum(own, TINY)
        left = by_rate * shares - of_strata * total * full * shares - of_shares * full
        of_total = (of_strata * full * mixed).sum() + (left * shares * (1 - full) * per).sum()
        added, moved = np.zeros(len(self.target)), np.zeros_like(self.reference)
        added[seen] = of_strata[:, 0] - of_total
        moved[np.ix_(seen, some)] = np.where(reference > 0, left / under, 0.0) - (left * per).sum(axis=0)
        return added, moved


def most_likely_mixture(rates: Array, reference: Array, target: Array) -> tuple[Array, Array]:
    """Return rates (h, m) and shares (m,) of classes.

    They make the reference (h, m) and a mixture (h,) most likely.

    ``rates`` are where the search starts; those that are 0 stay 0.

    >>> rates = np.array([[0.9, 0.2], [0.1, 0.8]])
    >>> found = most_likely_mixture(rates, 50 * rates, np.array([62.0, 38.0]))
    >>> found[0].round(6).tolist(), found[1].round(6).tolist()
    ([[0.9, 0.2], [0.1, 0.8]], [0.6, 0.4])
    """
    known, sizes, total = rates.any(axis=0), reference.sum(axis=0), target.sum()
    shares = known / max(known.sum(), 1)
    for _ in range(STEPS if total else 0):
        mixed = rates @ shares
        own = rates * shares * (target / _or_one(mixed))[:, None]
        many = own.sum(axis=0)
        last, shares = shares, many / total
        rates = (reference + own) / np.maximum(sizes + many, TINY)
        if np.abs(shares - last).max() < CLOSE:
            break
    return rates, np.asarray(shares)


def _or_one(mixed: Array) -> Array:
    """Return divisors: no row is where the share of rows is 0."""
    return np.where(mixed > 0, mixed, 1.0)


Shift = Covariate | Label
SHIFTS: dict[str, type[Covariate] | type[Label]] = {"covariate": Covariate, "label": Label}


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

        return replace(by_column(rows, column), notes=(DRIFT, *self.notes(rows, strata, made)))

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

    def notes(self, rows: JudgedRows, strata: Array, made: Sequence[Shift]) -> list[str]:
        """Return what speaks against the result.

        Rows like none of the reference, and what the opposite assumption says.
        """
        notes, apart, classes = list[str](), [], made[0].reference.shape[1]
        rare = np.zeros(len(strata), bool)
        for j, own in enumerate(made):
            where, unseen = f" in column {j + 1}" * rows.several, np.flatnonzero(~own.reference.any(axis=0))
            notes += [NONE.format(k + 1, classes, where) for k in unseen]
            rare |= (own.reference.sum(axis=1) < FEW)[strata[:, j]]
            both = (own if type(own) is way else way(own.target, own.reference, own.prediction) for way in (Covariate, Label))
            (one, other), spreads = zip(*map(shares_of, both), strict=True)
            far = np.abs(one - other) > NORMAL * sum(np.sqrt(np.diag(covariance_of(spread))) for spread in spreads)
            if far.any():
                apart.append((j, int(np.argmax(np.abs(one - other))), one, other))
        if rare.any():
            share = float(rows.mass[rare].sum() / rows.mass.sum())
            notes.append(f"{share:.1%} of the rows are like fewer than {FEW} rows of the reference: what they count is a guess.")
        if apart:
            j, k, one, other = apart[0]
            what = f"column {j + 1}" if len(made) > 1 else f"class {k + 1} of {classes}"
            notes.append(
                f"The two assumptions disagree: the share of {what} is {one[k]:.3f} if scores mean what they did (covariate "
                f"shift), {other[k]:.3f} if only the shares of classes changed (label shift). At least one of them is wrong."
            )
        return notes


def shares_of(made: Shift) -> tuple[Array, list[Apart]]:
    """Return the share of each class among rows without labels, and what rows of both samples add to it."""
    target, reference, n = made.target, made.reference, max(float(made.target.sum()), TINY)
    samples = list[Apart]()
    for one, labels in zip(np.eye(reference.shape[1]), made.labels.T, strict=True):
        own, moved = made.along(np.outer(target / n, one))
        samples.append([(own + labels / n, target), (moved.ravel(), reference.ravel())])
    return np.asarray(target @ made.labels / n), samples
