"""Clusters of an evaluation, which are named."""

from __future__ import annotations

from typing import Any


def check_named_clusters(clusters: Any) -> None:
    """Refuse clusters that are not named: an evaluation does not hold single examples."""
    if clusters is not None and not isinstance(clusters, str):
        raise TypeError(
            "clusters= of an evaluation is the name of a grouping, because single examples are not kept: "
            "ix.evaluate(…, by={'patient': ids}), then clusters='patient'."
        )
