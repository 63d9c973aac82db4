"""Swapping whole groups between two classifiers: an exact test of any score, where few groups differ.

If the two do not differ, each group is as likely to come from the one as from the other. Every way to swap is listed, and the
scores are computed anew, so that nothing is taken for normal.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from ...algebra.arrays import Array, quiet

LISTED = 12  # examples or groups that differ, of which every way to swap them is listed

Scores = Callable[[Array], Array]  # of several tables or counts


@dataclass(frozen=True, eq=False)
class SwappedGroups:
    """The counts of two classifiers, and what swapping each group where they differ moves."""

    totals: tuple[Array, Array]
    apart: int  # groups where they differ
    moves: Array  # the counts of the second less those of the first, of each of these groups; none if there are too many
    scores: tuple[Scores, Scores]

    def is_listed(self, value: float) -> bool:
        """Return whether every way to swap can be listed.

        Few groups differ, and the counts give the difference itself.

        Sums of weights, which are scaled, do not give the difference of totals.
        """
        return self.apart <= LISTED and math.isclose(float(self._differences(self.moves[:0].sum(0))[0]), value, abs_tol=1e-9)

    def _differences(self, moved: Array) -> Array:
        tables = moved.reshape(-1, *self.totals[0].shape)
        with quiet():
            return np.asarray(self.scores[0](self.totals[0] + tables) - self.scores[1](self.totals[1] - tables))

    def swap(self) -> tuple[Array, Array]:
        """Return the differences for each way to swap, and how likely each is."""
        ways = np.array([*product((0.0, 1.0), repeat=self.apart)]).reshape(2**self.apart, -1)
        found = self._differences(np.tensordot(ways, self.moves, 1))
        return found, np.full(len(found), 1 / len(found))


def swapped_groups(
    keys: tuple[Array, Array], times: tuple[Array, Array], shape: tuple[int, ...], scores: tuple[Scores, Scores]
) -> SwappedGroups:
    """Return the groups to swap from the counts of both.

    A key is the number of a group times the cells of one, plus its cell.
    """
    cells = math.prod(shape)
    totals = [np.bincount(key % cells, often, cells).reshape(shape) for key, often in zip(keys, times, strict=True)]
    places, where = np.unique(np.concatenate(keys), return_inverse=True)
    change = np.bincount(where.ravel(), np.concatenate([-times[0], times[1]]), len(places))
    differ = np.abs(change) > 1e-12
    groups, row = np.unique(places[differ] // cells, return_inverse=True)
    moves = np.zeros((len(groups) if len(groups) <= LISTED else 0, cells))
    if len(moves):
        moves[row.ravel(), places[differ] % cells] = change[differ]
    return SwappedGroups((totals[0], totals[1]), len(groups), moves.reshape(-1, *shape), scores)
