"""What was sampled: examples by themselves, or clusters of them as a whole, and how much these tell.

Examples that several folds tested: their copies are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.kind import CLUSTERS
from ...encode.weights import Groups, check_by
from ...tally.tally import FOLD, TESTED_AGAIN
from ...words.wording import listing


def read_clusters(clusters: Any, n: int, axes: Mapping[str, Groups] | None = None) -> Array | None:
    """Return the number of the cluster of each example, of a named grouping or of one group each.

    >>> read_clusters(["ann", "bob", "ann"], 3).tolist()
    [0, 1, 0]
    """
    if clusters is None:
        return None
    if isinstance(clusters, str):
        if clusters not in (axes or {}):
            have = f"the groupings are {listing(tuple(axes))}" if axes else "there are no groupings here"
            raise ValueError(f"clusters={clusters!r} names a grouping, and {have}. Give one group per example: clusters=ids.")
        codes = (axes or {})[clusters][1]
    else:
        codes = check_by({CLUSTERS: clusters}, n, {CLUSTERS: "clusters"})[CLUSTERS][1]
    found = np.unique(codes, return_inverse=True)[1]
    if not n or found.max() < 1:
        raise ValueError("clusters= has one group, and nothing can be said about others from one.")
    return np.asarray(found)


def design_effect(apart: float, together: float, pseudo: float, size: float) -> float:
    """Return how many examples of clusters tell as much as one independent example: at least 1.

    ``apart`` and ``together`` are the variances with every example, and with every cluster, as independent. ``pseudo`` is the
    variance of a pseudo-example, which stands for a cluster of ``size`` examples that are all alike: without any spread in the
    sample, a cluster tells as much as one example.

    >>> design_effect(1.0, 1.0, 0.1, 1.0), design_effect(2.0, 6.0, 0.0, 10.0), design_effect(0.0, 0.0, 0.1, 10.0)
    (1.0, 3.0, 10.0)
    """
    bottom = apart + pseudo
    return max((together + size * pseudo) / bottom, 1.0) if bottom > 0 else 1.0


def examples_alike(slopes: Array, right: Array, wrong: Array) -> float:
    """Return how many times more a cluster of examples alike varies than as many single examples.

    They are all right, or all wrong.

    ``right`` and ``wrong`` are what such a cluster adds to counts; ``slopes`` are those of a score. Only examples that the score
    reads matter: of recall, the positive ones.

    >>> slopes = np.array([1.0, 1.0, 0.0])
    >>> examples_alike(slopes, np.array([5.0, 0.0, 9.0]), np.array([0.0, 5.0, 9.0]))
    5.0
    """
    apart = float((right * slopes**2).sum() + (wrong * slopes**2).sum())
    return (float((right * slopes).sum()) ** 2 + float((wrong * slopes).sum()) ** 2) / apart if apart > 0 else 1.0


def all_right_or_wrong(table: Array) -> tuple[Array, Array]:
    """Return two tables with the same true classes: all examples are right, or all are wrong."""
    rows, m = table.sum(axis=1), len(table) - 1
    right, wrong = np.zeros_like(table), np.zeros_like(table)
    right[range(m), range(m)] = rows[:m]
    if m > 1:
        wrong[:m, :m] = rows[:m, None] * (1 - np.eye(m)) / (m - 1)
    else:
        wrong[:m, m] = rows[:m]
    return right, wrong


def freedom_of_clusters(parts: Array, effect: float) -> float:
    """Return the degrees of freedom of a variance that clusters of different size tell (Satterthwaite's).

    ``parts`` are the variances of the clusters if their examples are independent, which grow as their sizes; what examples of a
    cluster have in common grows as the squares of these. The design effect says how much of the variance that is. A few large
    clusters among many small ones tell almost all.

    >>> round(freedom_of_clusters(np.ones(10), 3.0), 6)
    9.0
    >>> freedom_of_clusters(np.array([100.0] * 5 + [1.0] * 95), 50.0) < 6
    True
    """
    parts = parts[parts > 0]
    if len(parts) < 2:
        return 1.0
    expected = parts / parts.sum() / effect + parts**2 / (parts**2).sum() * (1 - 1 / effect)
    return max((1 - 1 / len(parts)) / float((expected**2).sum()), 1.0)


@dataclass(frozen=True, eq=False)
class Sampled:
    """Examples, and the number of the cluster of each; None: every example stands for itself."""

    n: int
    clusters: Array | None = None
    weights: Array | None = None  # of the examples, so scaled that they count effective ones; None: all the same

    @cached_property
    def things(self) -> int:
        """How many examples or clusters were sampled."""
        return self.n if self.clusters is None else int(self.clusters.max()) + 1

    @cached_property
    def owner(self) -> Array:
        """Which of them each example belongs to."""
        return np.arange(self.n) if self.clusters is None else self.clusters

    @property
    def freedom(self) -> float:
        """How many clusters were sampled, less one; for single examples it does not matter."""
        return math.inf if self.clusters is None else self.things - 1.0

    def sums(self, rows: Array, added: Array) -> Array:
        """Return what each of them adds, from what entries of some examples add."""
        return np.bincount(self.owner[rows], added, self.things)

    def count(self, rows: Array) -> int:
        """Return how many of them some examples belong to."""
        return int(np.count_nonzero(np.bincount(self.owner[rows], minlength=self.things)))

    def of_examples(self, drawn: Array) -> Array:
        """Return how often each example counts if each thing that was sampled counts this often."""
        often = drawn if self.clusters is None else drawn[:, self.clusters]
        return often if self.weights is None else often * self.weights


@dataclass(frozen=True)
class UnitSpread:
    """The variance of the value of one unit, seen and expected."""

    seen: float  # from the examples
    whole: float  # with what is expected, and with the pseudo-example
    smoothed: float
    more: float  # the part of the pseudo-example
    freedom: float


def check_tested_once(ev: Any, clusters: Any = None) -> None:
    """Refuse an evaluation whose examples were tested several times, unless clusters keep these together."""
    if clusters in (None, FOLD, *TESTED_AGAIN) and ev.tally.distinct < ev.n:
        raise ValueError(tested_again(ev.tally.distinct, ev.n))


def check_rows_tested_once(swept: Any, clusters: Any = None) -> None:
    """Refuse scores of examples that were tested several times, unless clusters keep these together."""
    groups = {} if swept.rows is None else swept.rows.groups
    again = next((axis for axis in TESTED_AGAIN if axis in groups), None)
    apart = clusters is None or (isinstance(clusters, str) and clusters in (FOLD, again))
    if again is None or FOLD not in groups or not apart:
        return
    distinct = int(np.bincount(groups[again][1]).max(initial=0))
    if distinct < swept.n:
        raise ValueError(tested_again(distinct, swept.n))


def tested_again(distinct: int, n: int) -> str:
    """Return why there is no interval and no test, and what to do."""
    return (
        f"The {n:,} predictions are of {distinct:,} examples, which several folds tested: copies of an example are not "
        "independent, so the counts do not tell how sure a score is. Over folds, cv.interval('macro f1') or "
        "ix.inference.fold_interval(ev.folds('f1')) does, and ix.inference.compare_folds compares classifiers; of one repeat, "
        "split() does."
    )
