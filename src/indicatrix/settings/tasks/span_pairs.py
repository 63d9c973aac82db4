"""Pairs of a true and a predicted span that overlap, and what each reading of a match says of them.

A reading says what a pair is worth, and so which pairs are taken first (MUC-5; SemEval-2013, task 9.1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.wording import short
from .tags import Spans

CORRECT, INCORRECT, PARTIAL, MISSING, SPURIOUS = OUTCOMES = ("COR", "INC", "PAR", "MIS", "SPU")
HALF = 0.5  # what a part of a span is worth in the reading "partial"


@dataclass(frozen=True, eq=False, slots=True)
class SpanPairs:
    """Pairs of spans: each span is in one pair at most."""

    true: Array  # positions of the true spans
    pred: Array
    same_boundaries: Array
    same_type: Array
    overlap: Array  # positions that both cover, over positions that one covers


@dataclass(frozen=True, slots=True)
class Match:
    """A reading: what a pair is worth, from 0 to 1, and which wrong pairs are one type taken for another."""

    words: str
    credit: Callable[[SpanPairs], Array]
    confuses: Callable[[SpanPairs], Array] | None  # None: types are not read, and a pair has the type of its true span


MATCHES = {
    "strict": Match(
        "exact boundaries and type",
        lambda p: (p.same_boundaries & p.same_type) * 1.0,
        lambda p: p.same_boundaries & ~p.same_type,
    ),
    "exact": Match("exact boundaries, any type", lambda p: p.same_boundaries * 1.0, None),
    "partial": Match("half for a part, any type", lambda p: np.where(p.same_boundaries, 1.0, HALF), None),
    "type": Match("any overlap, same type", lambda p: p.same_type * 1.0, lambda p: ~p.same_type),
    "overlap": Match("share of the overlap, same type", lambda p: p.overlap * p.same_type, lambda p: ~p.same_type),
}


def find_match(match: str) -> Match:
    """Return the reading of a name."""
    if match not in MATCHES:
        known = ", ".join(f"{name!r} ({found.words})" for name, found in MATCHES.items())
        raise ValueError(f"match={short(match)} is unknown. Use {known}.")
    return MATCHES[match]


def check_min_overlap(min_overlap: Any) -> float:
    """Return the least overlap of a pair, checked."""
    number = isinstance(min_overlap, int | float | np.number) and not isinstance(min_overlap, bool)
    if not number or not 0 <= min_overlap <= 1:
        raise ValueError(
            f"min_overlap={short(min_overlap)} must be a share from 0 to 1: positions that both spans cover, over positions that "
            "one of them covers."
        )
    return float(min_overlap)


def pair_spans(true: Spans, pred: Spans, match: Match, min_overlap: float) -> SpanPairs:
    """Return the pairs of overlapping spans, the best first.

    The pair with the highest credit comes first, then one with the same boundaries, then the larger overlap, then the earlier
    true and predicted span, whatever the order in which they were given. Each span takes part in the first pair in which both
    are still free.
    """
    possible = _overlapping(true, pred, min_overlap)
    best_first = (-possible.overlap, ~possible.same_boundaries, -match.credit(possible))
    ranks = (_places(pred)[possible.pred], _places(true)[possible.true], *best_first)
    free_true, free_pred = bytearray(b"\1" * len(true.start)), bytearray(b"\1" * len(pred.start))
    kept = []
    for at in np.lexsort(ranks).tolist():
        one, other = possible.true[at], possible.pred[at]
        if free_true[one] and free_pred[other]:
            free_true[one] = free_pred[other] = 0
            kept.append(at)
    return _taken(possible, np.array(kept, np.intp))


def _places(side: Spans) -> Array:
    """Return the place of each span in the order of positions and types."""
    names = {name: k for k, name in enumerate(sorted(side.types, key=str))}
    kind = np.array([names[name] for name in side.types], np.intp)[side.kind] if len(side.kind) else side.kind
    order = np.lexsort((kind, side.end, side.start, side.document))
    return np.argsort(order)


def _taken(pairs: SpanPairs, at: Array) -> SpanPairs:
    return SpanPairs(pairs.true[at], pairs.pred[at], pairs.same_boundaries[at], pairs.same_type[at], pairs.overlap[at])


def _overlapping(true: Spans, pred: Spans, min_overlap: float) -> SpanPairs:
    """Return all pairs of spans of the same document that share a position."""
    starts, ends, first, last = _positions(true, pred)
    order = np.lexsort((ends, starts))
    reached = np.maximum.accumulate(ends[order]) if len(order) else ends  # how far spans that start so early reach
    low, high = np.searchsorted(reached, first, side="right"), np.searchsorted(starts[order], last, side="left")
    times = np.maximum(high - low, 0)
    other = np.repeat(np.arange(len(first)), times)
    one = order[np.arange(len(other)) - np.repeat(np.cumsum(times) - times, times) + np.repeat(low, times)]
    shared = ends[one] > first[other]  # a long span reaches over short ones that do not
    one, other = one[shared], other[shared]
    (a, b), (c, d) = (true.start[one], true.end[one]), (pred.start[other], pred.end[other])
    overlap = (np.minimum(b, d) - np.maximum(a, c)) / (np.maximum(b, d) - np.minimum(a, c))
    types = {name: k for k, name in enumerate(true.types)}
    kinds = np.array([types.get(name, -1) for name in pred.types], np.intp)
    same_type = true.kind[one] == (kinds[pred.kind[other]] if len(kinds) else other)
    found = SpanPairs(one, other, (a == c) & (b == d), same_type, overlap)
    return _taken(found, np.flatnonzero(overlap >= min_overlap))


def _positions(true: Spans, pred: Spans) -> tuple[Array, ...]:
    """Return starts and ends of both sides on one line, where the spans of two documents are apart.

    Only their order is kept, so that large offsets do not overflow.
    """
    columns = [(s.document, at) for s in (true, pred) for at in (s.start, s.end)]
    document, at = (np.concatenate(x) for x in zip(*columns, strict=True))
    order = np.lexsort((at, document))
    new = np.append(True, (np.diff(document[order]) != 0) | (np.diff(at[order]) != 0))[: len(order)]
    place = np.empty(len(order), np.intp)
    place[order] = np.cumsum(new)
    return tuple(np.split(place, np.cumsum([len(x) for _, x in columns])[:-1]))
