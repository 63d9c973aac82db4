"""Clusters: groups of examples that were sampled as a whole, and how much they tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.call_door import CLUSTERS
from ...algebra.wording import listing
from ...encode.weights import Groups, check_by


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
