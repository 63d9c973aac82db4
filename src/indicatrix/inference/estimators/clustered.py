"""Clusters: how much less their examples tell than independent ones."""

from __future__ import annotations


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
