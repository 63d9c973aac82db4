"""Latent classes behind ratings.

How frequent each class is, and how each rater errs, by maximum likelihood (Dawid and Skene).

Given the true class of an item, its ratings are taken for independent. The estimates, and how each item moves them, follow from
the same sums over items; so everything that is computed from them has a variance.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...algebra.arrays import Array, quiet

STEPS, FIRST = 5000, 100  # of the EM algorithm, in all and before a start is compared with others
LEAST = -1e6  # the logarithm of 0, which stays finite where it is multiplied by 0
CLOSE = 1e-9  # the largest change of a membership that ends it
STARTS = 10  # raters whose labels alone are tried as the truth
SURE = 0.9  # how much these are trusted at the start
EQUAL = 2.0  # how much less the logarithm of a likelihood may be that fits nearly as well
APART = 0.02  # mean distance of memberships from which on two solutions are different
SOLVED = 1e-10  # the relative error of the solution of linear equations
DIRECTIONS = 2000  # steps that are tried to find it


@dataclass(frozen=True, eq=False)
class Rated:
    """Distinct items: the class in each column of ratings, or -1, and how often the item occurs."""

    codes: Array  # (k, columns)
    times: Array  # (k,)
    rater: Array  # the rater of each column
    m: int

    @cached_property
    def _places(self) -> Array:
        """The place of each rating among the pairs of a rater and a class that is given, (columns, k).

        It is one behind the last of them where there is no rating.
        """
        behind = (int(self.rater.max(initial=-1)) + 1) * self.m
        return np.ascontiguousarray(np.where(self.codes < 0, behind, self.rater * self.m + self.codes).T)

    def sums(self, amounts: Array) -> Array:
        """Return the sums of amounts (k, m) over all items, then over those that each rater gave each class.

        In rows: the first of all classes, the others of each rater and true class, (1 + raters m, m).
        """
        weights, places = self.times[:, None] * amounts, self._places.ravel()
        many = (int(self.rater.max(initial=-1)) + 1) * self.m + 1
        rated = np.stack([np.bincount(places, np.concatenate([own] * len(self.rater)), many)[:-1] for own in weights.T])
        return np.vstack([weights.sum(axis=0), *rated.reshape(self.m, -1, self.m).swapaxes(0, 1)])

    def along(self, rows: Array) -> Array:
        """Return for each item and class the sum of entries of such rows, (k, m).

        They are that of the first row, and those of the ratings of the item.
        """
        rates = rows[1:].reshape(-1, self.m, self.m).swapaxes(1, 2).reshape(-1, self.m)
        table, sums = np.vstack([rates, np.zeros(self.m)]), rows[0] + np.zeros((len(self.codes), 1))
        for places in self._places:
            sums += table[places]
        return np.asarray(sums)


@dataclass(frozen=True, eq=False)
class Fit:
    """Shares of classes and error rates of raters, with what ratings then say about the class of an item."""

    rated: Rated
    rows: Array  # the shares of classes, then the rates of each rater and true class: each row sums to 1
    memberships: Array  # (k, m)
    likelihood: float  # its logarithm
    converged: bool

    @property
    def shares(self) -> Array:
        """The share of each class, (m,)."""
        return np.asarray(self.rows[0])

    @property
    def rates(self) -> Array:
        """How often each rater gives an item of each class (rows) each class (columns), (raters, m, m)."""
        return np.asarray(self.rows[1:].reshape(-1, self.rated.m, self.rated.m))

    @cached_property
    def _sizes(self) -> Array:
        """How many items, or ratings, each row is about, (rows, 1)."""
        return np.asarray(self.rated.sums(self.memberships).sum(axis=1, keepdims=True))

    def _centered(self, rows: Array) -> Array:
        """Return a direction in logarithms of odds as one in logarithms of shares."""
        return np.asarray(rows - (self.rows * rows).sum(axis=1, keepdims=True))

    def _slopes(self, amounts: Array) -> Array:
        """Return the slopes of the sum of amounts (k, m) times memberships.

        They are in the logarithms of odds of all rows.
        """
        mean = (self.memberships * amounts).sum(axis=1, keepdims=True)
        sums = self.rated.sums(self.memberships * (amounts - mean))
        return np.asarray(sums - self.rows * sums.sum(axis=1, keepdims=True))

    def along(self, amounts: Array) -> Array:
        """Return what each item adds to the sum of amounts (k, m) times memberships, (k,).

        It is what it adds through what it says of all items.
        """
        return np.asarray((self.memberships * amounts).sum(axis=1) + self.moves(self._slopes(amounts)))

    def moves(self, slopes: Array) -> Array:
        """Return how much each item moves a function of shares and rates, (k,).

        Its slopes are in logarithms of odds.
        """
        return np.asarray((self.memberships * self.rated.along(self._centered(self._solve(slopes)))).sum(axis=1))

    def _information(self, rows: Array) -> Array:
        """Return the observed information times a direction.

        What is known if classes are, less what they leave open.
        """
        centered = self._centered(rows)
        return np.asarray(self._sizes * self.rows * centered - self._slopes(self.rated.along(centered)))

    def _solve(self, slopes: Array) -> Array:
        """Return the direction whose information is the slopes, by conjugate gradients.

        Rates that are 0 or 1 stay as they are: nothing in the ratings moves them.
        """
        weights = self._sizes * self.rows * (1 - self.rows)
        floor = 1e-12 * max(float(weights.max(initial=0.0)), 1e-300)
        scale = np.where(weights > floor, 1 / np.where(weights > floor, weights, 1.0), 0.0)
        found, rest = np.zeros_like(scale), np.where(scale > 0, slopes, 0.0)
        way, last = scale * rest, float((scale * rest**2).sum())
        goal = last * SOLVED**2
        for _ in range(DIRECTIONS):
            if last <= goal or last == 0:
                break
            moved = np.where(scale > 0, self._information(way), 0.0)
            bend = float((way * moved).sum())
            if bend <= 0:  # flat, up to rounding
                break
            found, rest = found + last / bend * way, rest - last / bend * moved
            last, before = float((scale * rest**2).sum()), last
            way = scale * rest + last / before * way
        return found


def fit_latent_classes(rated: Rated) -> tuple[Fit, list[Fit]]:
    """Return the fit that is reached from the shares of the votes, and others that fit about as well.

    Other starts are the labels of each rater alone. One that is clearly more likely takes the first place; among fits that the
    ratings hardly tell apart, the one closest to the votes has it. All starts are labels, so classes keep their names.
    """
    votes = np.stack([(rated.codes == k).sum(axis=1) for k in range(rated.m)], axis=1).astype(float)
    many = votes.sum(axis=1, keepdims=True)
    shared = np.where(many > 0, votes / np.maximum(many, 1.0), 1 / rated.m)
    found = [_climb(rated, shared)]
    columns = np.argsort(-((rated.codes >= 0) * rated.times[:, None]).sum(axis=0), kind="stable")[:STARTS]
    for column in columns:
        codes = rated.codes[:, column]
        own = np.where((codes >= 0)[:, None], np.eye(rated.m + 1)[codes][:, :-1], shared)
        near = _climb(rated, SURE * own + (1 - SURE) * shared, FIRST)
        if all(_distance(near, other) > APART for other in found):  # it is not on its way to a fit that is known
            found.append(_climb(rated, near.memberships))
    most = max(found, key=lambda fit: fit.likelihood)
    first = found[0] if most.likelihood - found[0].likelihood < EQUAL else most
    others: list[Fit] = []
    for fit in found:
        likely = most.likelihood - fit.likelihood < EQUAL
        if likely and all(_distance(fit, other) > APART for other in (first, *others)):
            others.append(fit)
    return first, others


def _distance(one: Fit, other: Fit) -> float:
    """Return how far the memberships of two fits are apart, on average over items."""
    apart = np.abs(one.memberships - other.memberships).sum(axis=1) / 2
    return float(one.rated.times @ apart / one.rated.times.sum())


def _climb(rated: Rated, memberships: Array, steps: int = STEPS) -> Fit:
    """Return where the EM algorithm ends that starts at such memberships, or is after so many steps."""
    converged = False
    for _ in range(steps):
        sums = rated.sums(memberships)
        sizes = sums.sum(axis=1, keepdims=True)
        rows = np.where(sizes > 0, sums / np.where(sizes > 0, sizes, 1.0), 1 / rated.m)
        with quiet():  # a rate of 0 rules a class out
            logs = rated.along(np.maximum(np.log(rows), LEAST))
        most = logs.max(axis=1, keepdims=True)
        odds = np.exp(logs - most)
        likely = odds.sum(axis=1, keepdims=True)
        likelihood = float(rated.times @ (np.log(likely) + most)[:, 0])
        last, memberships = memberships, odds / likely
        if np.abs(memberships - last).max(initial=0.0) < CLOSE:
            converged = True
            break
    return Fit(rated, rows, memberships, likelihood, converged)
