"""Shares of classes that were estimated: how sure a score at them is.

A score at other shares is a function of the rates of each class, which a sample of its rows tells, and of the shares. Both vary
by themselves, unless the rows that tell the rates are the reference that tells the shares.
"""

from __future__ import annotations

from typing import NamedTuple

from ...algebra.arrays import Array


class EstimatedShares(NamedTuple):
    """How shares of classes vary together, and by how much the evaluated rows move them.

    They do where they are the reference.
    """

    covariance: Array  # m x m
    moved: Array  # (m + 1, m + 1, m): by all rows with a pair of classes, for each row of its true class

    def variance(self, times: Array, added: Array, mean: Array) -> float:
        """Return what the shares add to the variance of a score.

        ``added`` is what each pair adds to it beyond the ``mean`` of its true class, and ``times`` how often the pair occurs.
        """
        along = times.sum() * mean[:-1, 0]
        together = (times.sum(axis=1, keepdims=True) * added * (self.moved @ along)).sum()
        return float(along @ self.covariance @ along + 2 * together)
