"""Mixtures: the same behavior within groups, other shares of them (prop:exemplar_skew, errata C8)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...tally.states.group_counts import CrossTable, Part, Summed
from ...tally.states.group_order import sort_names
from ...tally.tally import Tally
from ...words.wording import listing
from .priors import Words, shares_of


def with_group_shares(tally: Tally, shares: Any, axis: str) -> Tally:
    """Return the tally with other shares of the groups of an axis.

    Every group keeps its examples, which count more or less. The number of observed examples stays the same. Numbers are
    exact.

    >>> import indicatrix as ix
    >>> ev = ix.evaluate([1, 1, 1, 0], [1, 0, 1, 0], by={"site": list("uvvv")})
    >>> with_group_shares(ev.tally, {"u": 0.5, "v": 0.5}, "site").aggregate("site").tp.tolist()
    [2.0, 1.3333333333333333]
    """
    if axis not in tally.by:
        known = f"the groupings are {listing(tally.by)}" if tally.by else "there is no grouping"
        raise ValueError(f"per={axis!r} is not a grouping: {known}. Evaluate with by={{{axis!r}: ids}} to have it.")
    at = tally.by.index(axis)
    names = tuple(sort_names({key[at] for key in tally.parts}))
    sizes = dict.fromkeys(names, Fraction(0))
    for key, part in tally.parts.items():
        sizes[key[at]] += _observed_weight(part)
    given = dict(zip(names, shares_of(shares, names, Words("share", "group", "groups")), strict=True))
    absent = [name for name, share in given.items() if share and not sizes[name]]
    if absent:
        raise ValueError(f"No example of {listing(absent)} was observed, so nothing is known of it. Give it the share 0.")
    total = sum(sizes.values())
    factor = {name: share * total / sizes[name] if share else Fraction(0) for name, share in given.items()}

    def scale_parts(parts: Mapping[Any, Part]) -> dict[Any, Part]:
        return {key: _scale(part, factor[key[at]]) for key, part in parts.items()}

    declined = tally.declined
    return tally.with_parts(scale_parts(tally.parts), declined=None if declined is None else scale_parts(declined))


def _observed_weight(part: Part) -> Fraction:
    """Return how many examples of a part were observed, or their weight."""
    rows, times = part.rows()
    return sum((Fraction(t) for t in times[rows.sum(axis=0) != 0].tolist()), Fraction(0))


def _scale(part: Part, factor: Fraction) -> Part:
    if isinstance(part, CrossTable):
        return CrossTable(_times(part.table, factor), part.masked * factor)
    return Summed(_times(part.cells(), factor), part.rows()[0], _times(part.rows()[1], factor))


def _times(x: Array, factor: Fraction) -> Array:
    """Return exact numbers times a factor: integers where all are whole."""
    exact = np.array([Fraction(v) * factor for v in x.ravel().tolist()], object).reshape(x.shape)
    whole = all(v.denominator == 1 and abs(v) < 2**62 for v in exact.flat)
    return exact.astype(np.int64) if whole else exact
