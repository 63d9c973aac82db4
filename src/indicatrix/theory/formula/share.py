"""Shares: measures that say how many of some examples have a property."""

from __future__ import annotations

from typing import Any


def is_share(measure: Any) -> bool:
    """Return whether a measure is a share: some of the four counts, over these and others.

    >>> import indicatrix as ix
    >>> is_share(ix.recall), is_share(ix.accuracy), is_share(ix.f1), is_share(ix.multiclass_mcc)
    (True, True, False, False)
    """
    sums = None if measure.averages else measure.decomposition
    return sums is not None and all(pair in ((0, 0), (0, 1), (1, 1)) for pair in zip(*sums, strict=True))
