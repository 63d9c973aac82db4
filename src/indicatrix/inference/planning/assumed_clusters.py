"""Clusters that are planned: their size, and how alike their examples are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class AssumedClusters:
    """Clusters of a mean size whose examples are correlated."""

    size: float
    correlation: float  # of two examples of a cluster, the intraclass correlation

    @property
    def effect(self) -> float:
        """How many examples of clusters tell as much as one independent example (Kish's design effect)."""
        return 1 + (self.size - 1) * self.correlation

    def examples(self, independent: float) -> float:
        """Return how many examples of clusters tell as much as so many independent ones."""
        return math.ceil(independent * self.effect) if math.isfinite(independent) else independent

    def note(self, examples: float) -> str:
        """Return what these clusters mean for so many examples."""
        many = f", about {math.ceil(examples / self.size):,} clusters" if math.isfinite(examples) else ""
        return (
            f"In clusters of {self.size:g} with an intraclass correlation of {self.correlation:g}, {self.effect:.3g} examples "
            f"tell as much as an independent one{many}."
        )


def read_assumed_clusters(clusters: Any) -> AssumedClusters | None:
    """Return assumed clusters: a pair of their mean size and their intraclass correlation.

    >>> read_assumed_clusters((20, 0.1))
    AssumedClusters(size=20.0, correlation=0.1)
    """
    if clusters is None:
        return None
    try:
        size, correlation = map(float, clusters)
    except (TypeError, ValueError):
        size = correlation = math.nan
    if not (1 <= size < math.inf and 0 <= correlation <= 1):
        raise ValueError(
            f"clusters={clusters!r}: with assumed rates it is the mean size of a cluster and the intraclass correlation, such as "
            "(20, 0.1); the correlation is from 0 to 1."
        )
    return AssumedClusters(size, correlation)
