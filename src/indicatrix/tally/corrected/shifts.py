"""From labeled rows to rows without labels.

What is taken to stay the same decides what labels the latter are expected to have.

Rows fall into strata of prediction and score. ``Covariate``: the shares of classes inside a stratum stay. ``Label``: the shares
of strata inside a class stay. The two are opposite assumptions. Both give every stratum an expected label, and say how a sum over
expected labels moves with one more row of either sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ...algebra.arrays import Array

STEPS, CLOSE = 20_000, 1e-11  # of the search for the shares of classes
HALF = 0.5  # of an example, where nothing is known


class Shift(Protocol):
    """What an assumption makes of two samples."""

    labels: Array
    """The expected label of a row in each stratum, (h, m)."""

    def along(self, sums: Array) -> tuple[Array, Array]:
        """Return what one more row adds to a sum where label k of stratum h counts ``sums[h, k]`` in all.

        First of each stratum without a label (h,), beyond its own label; then of the reference, of each stratum and label (h, m).
        """


@dataclass(frozen=True, eq=False)
class Covariate:
    """Each stratum has the shares of classes that the reference has there.

    It has one row more, divided as all rows with its prediction are, so that no share is certain.
    """

    target: Array  # (h,) how many rows there are without a label
    reference: Array  # (h, m) with each label
    prediction: Array  # (h,)

    @cached_property
    def _whole(self) -> Array:
        """Whether the row more of each stratum is divided as those with its prediction, (h, h).

        As all, if there are none.
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


@dataclass(frozen=True, eq=False)
class Label:
    """Each class falls into strata as it does in the reference.

    Its share makes the rows without labels most likely.
    """

    target: Array  # (h,) how many rows there are without a label
    reference: Array  # (h, m) with each label
    prediction: Array  # (h,)

    @cached_property
    def _rates(self) -> Array:
        """The share of each class that falls into each stratum, (h, m)."""
        sizes = np.maximum(self.reference.sum(axis=0), 1e-300)
        rates: Array = self.reference / sizes
        unseen = rates.sum(axis=1) == 0  # like no row of the reference: no class is likelier there than another
        return np.where(unseen[:, None], HALF / max(int(unseen.sum()), 1) / (sizes + HALF), rates)

    @cached_property
    def shares(self) -> Array:
        """The share of each class among the rows without labels."""
        return most_likely_shares(self._rates, self.target, self.reference.sum(axis=0) > 0)

    @cached_property
    def _odds(self) -> Array:
        """How much more often a class falls into each stratum than rows without labels do, (h, m)."""
        mixed = (self._rates @ self.shares)[:, None]
        return np.where(mixed > 0, self._rates / np.where(mixed > 0, mixed, 1.0), 0.0)

    @property
    def labels(self) -> Array:
        """The expected label of a row in each stratum."""
        return np.asarray(self._odds * self.shares)

    def along(self, sums: Array) -> tuple[Array, Array]:
        """Return what one more row adds to a sum over expected labels: it moves the shares of all classes."""
        odds, labels, rates = self._odds, self.labels, self._rates
        mean = (labels * sums).sum(axis=1, keepdims=True)
        by_shares = ((sums - mean) * odds).sum(axis=0)
        some = self.reference.sum(axis=0) > 0  # also a class that seems absent may be there
        inverse = np.zeros((len(some),) * 2)
        inverse[np.ix_(some, some)] = np.linalg.pinv((odds[:, some].T * self.target) @ odds[:, some], hermitian=True)
        moved = inverse @ by_shares
        mixed = (rates @ self.shares)[:, None]
        per = np.where(mixed > 0, 1 / np.where(mixed > 0, mixed, 1.0), 0.0)
        # What a change of each rate does: to the labels as they are, and to the equations that the shares solve.
        by_rates = per * self.shares * (sums - mean)
        by_rates += self.target[:, None] * per * (moved - self.shares * (odds @ moved)[:, None])
        sizes = np.maximum(self.reference.sum(axis=0), 1.0)
        return (odds - 1) @ moved, (by_rates - (rates * by_rates).sum(axis=0)) / sizes


def most_likely_shares(rates: Array, target: Array, known: Array) -> Array:
    """Return the shares of classes that make counts of strata (h,) most likely, from rates (h, m).

    Only ``known`` classes have a share.

    >>> most_likely_shares(np.array([[0.9, 0.2], [0.1, 0.8]]), np.array([62.0, 38.0]), np.ones(2)).round(6).tolist()
    [0.6, 0.4]
    """
    shares, total = known / max(known.sum(), 1), target.sum()
    for _ in range(STEPS if total else 0):
        mixed = rates @ shares
        last, shares = shares, shares * ((target / np.where(mixed > 0, mixed, 1.0)) @ rates) / total
        if np.abs(shares - last).max() < CLOSE:
            break
    return np.asarray(shares)


SHIFTS: dict[str, type[Covariate] | type[Label]] = {"covariate": Covariate, "label": Label}
