"""How labels go wrong, as a caller gives it.

A table of error rates, or an evaluation of labels whose truth was looked up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .algebra.arrays import Array
from .tally.corrected.by_noise import ByNoise, as_tables
from .words.wording import listing, short

SLACK = 1e-9  # by which a row of rates may differ from 1


def noise_of(noise: Any, classes: tuple[Any, ...], *, several: bool) -> ByNoise:
    """Return the correction of labels by error rates.

    ``noise`` has a row for each true class with the share of its rows that is seen as each class; of several labels, two rows for
    absent and present, or such a table for each class. An evaluation of seen labels against the truth has the counts of both, and
    how sure the rates are then counts in every interval.

    >>> noise_of([[0.9, 0.1], [0.2, 0.8]], (0, 1), several=False).rates
    (((0.9, 0.1), (0.2, 0.8)),)
    """
    if hasattr(type(noise), "tally"):
        counts = _counts(noise, classes, several)
        rates = counts / counts.sum(axis=2, keepdims=True)
        return ByNoise(as_tables(rates), as_tables(counts))
    return ByNoise(as_tables(_tables(noise, classes, several)))


def _tables(noise: Any, classes: tuple[Any, ...], several: bool) -> Array:
    """Return the tables of rates, one for all labels or one for each class."""
    if isinstance(noise, Mapping):
        raise TypeError(
            "noise= is a table, a row for each true class: [[0.9, 0.1], [0.2, 0.8]]. A mapping does not say the order."
        )
    try:
        tables = np.array(noise, np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"noise={short(noise)} is not a table of numbers: a row for each true class, such as [[0.9, 0.1], [0.2, 0.8]]."
        ) from None
    tables = tables[None] if tables.ndim == 2 else tables
    m = 2 if several else len(classes)
    if tables.shape not in ((1, m, m), (len(classes) if several else 1, m, m)):
        what = (
            "of absent and present, 2 x 2, or one such table for each class" if several else f"of the classes {listing(classes)}"
        )
        raise ValueError(f"noise= has the shape {np.shape(noise)}, and a table {what} is needed. classes= fixes the classes.")
    bad = ~(np.isfinite(tables) & (tables >= 0)).all(axis=2) | (np.abs(tables.sum(axis=2) - 1) > SLACK)
    if bad.any():
        k, row = np.argwhere(bad)[0].tolist()
        raise ValueError(f"Row {row} of noise= is {tables[k, row].tolist()}: it holds shares of one true class, which sum to 1.")
    return tables


def _counts(noise: Any, classes: tuple[Any, ...], several: bool) -> Array:
    """Return how often each true class was seen as each, from an evaluation of seen labels."""
    if set(noise.classes) != set(classes):
        raise ValueError(
            f"noise= was evaluated on the classes {listing(noise.classes)}, and here they are {listing(classes)}. Give "
            "both classes=."
        )
    at = [noise.classes.index(c) for c in classes]
    if several:
        tp, fp, fn, tn = (np.asarray(x, np.float64)[at] for x in noise.aggregate("class"))
        counts = np.stack([np.stack([tn, fp], axis=1), np.stack([fn, tp], axis=1)], axis=1)
    else:
        counts = np.asarray(noise.confusion, np.float64)[None][:, at][:, :, at]
    if (counts.sum(axis=2) == 0).any():
        k, row = np.argwhere(counts.sum(axis=2) == 0)[0].tolist()
        raise ValueError(
            f"noise= has no example of {classes[k if several else row]!r} whose truth is known, so its error rates are not."
        )
    return counts
