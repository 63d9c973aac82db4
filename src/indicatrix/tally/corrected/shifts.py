"""From labeled rows to rows without labels.

What is taken to stay the same decides what labels the latter are expected to have.

Rows fall into strata of prediction and score. ``Covariate``: the shares of classes inside a stratum stay. ``Label``: the shares
of strata inside a class stay. The two are opposite assumptions. Both give every stratum an expected label, and say how a sum over
expected labels moves with one more row of either sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...algebra.arrays import Array

STEPS, CLOSE = 20_000, 1e-11  # of the search for the shares of classes
HALF, TINY = 0.5, 1e-300  # of an example, where nothing is known; what is added to no example


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
