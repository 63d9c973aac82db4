"""Pairs of a true and a predicted span that overlap, and what each reading of a match says of them.

A reading says what a pair is worth, and so which pairs are taken (MUC-5; SemEval-2013, task 9.1).

Matched spans as rows of labels, and the outcomes of MUC among them (sec:structured_prediction).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from math import lcm
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.values import Values
from ...words.call_mistakes import answers_mistakes
from ...words.wording import short
from .tags import Spans

CORRECT, INCORRECT, PARTIAL, MISSING, SPURIOUS = OUTCOMES = ("COR", "INC", "PAR", "MIS", "SPU")
SCALE = 2**50  # overlaps are compared in steps of at least 1 / SCALE
HALF = 0.5  # what a part of a span is worth in the reading "partial"


@dataclass(frozen=True, eq=False, slots=True)
class SpanPairs:
    """Pairs of spans: each span is in one pair at most."""

    true: Array  # positions of the true spans
    pred: Array
    same_boundaries: Array
    same_type: Array
    covered: Array  # positions that one of both covers
    overlap: Array  # positions that both cover, over those


@dataclass(frozen=True, slots=True)
class Match:
    """A reading: what a pair is worth, from 0 to 1, and which wrong pairs are one type taken for another."""

    words: str
    credit: Callable[[SpanPairs], Array]
    confuses: Callable[[SpanPairs], Array] | None  # None: types are not read, and a pair has the type of its true span


MATCHES = {
    "strict": Match(
        "exact boundaries and type", lambda p: (p.same_boundaries & p.same_type) * 1.0, lambda p: p.same_boundaries & ~p.same_type
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
    """Return the best one-to-one pairs of overlapping spans.

    The sum of credits is the largest that there is; then the number of pairs with the same boundaries, the number of pairs, and
    the sum of overlaps. What is found does not depend on the order in which the spans were given.
    """
    possible, part = _overlapping_pairs(true, pred, min_overlap)
    first, second = _places(true)[possible.true], _places(pred)[possible.pred]
    order = np.lexsort((second, first, part))
    possible, part, first, second = _take(possible, order), part[order], first[order], second[order]
    bounds = np.flatnonzero(np.diff(part, prepend=-1, append=-1))
    alone = np.diff(bounds) == 1  # the only pair of its part of the line
    kept = bounds[:-1][alone].tolist()
    credit = match.credit(possible)
    for low, high in zip(bounds[:-1][~alone].tolist(), bounds[1:][~alone].tolist(), strict=True):
        worths: dict[int, dict[int, int]] = {}
        at = {}
        several = _worths(_take(possible, slice(low, high)), credit[low:high])
        for k, (one, other, worth) in enumerate(
            zip(first[low:high].tolist(), second[low:high].tolist(), several, strict=True), low
        ):
            worths.setdefault(one, {})[other] = worth
            at[one, other] = k
        kept += [at[pair] for pair in best_assignment(worths).items()]
    return _take(possible, np.sort(np.array(kept, np.intp)))


def _worths(pairs: SpanPairs, credit: Array) -> list[int]:
    """Return what pairs are worth as whole numbers.

    Their sums compare credits, then boundaries, then pairs, then overlaps.
    """
    n = len(credit) + 1
    scale = min(2 * lcm(*np.unique(pairs.covered).tolist()), SCALE)  # overlaps are whole multiples of 1 / scale
    parts = ((np.rint(x * scale).astype(np.int64).tolist()) for x in (credit, pairs.overlap))
    same = pairs.same_boundaries.tolist()
    return [((c * n + s) * n + 1) * scale * n + o for c, s, o in zip(next(parts), same, next(parts), strict=True)]


def _places(side: Spans) -> Array:
    """Return the place of each span in the order of positions and types."""
    order = np.lexsort((side.codes(sorted(side.types, key=str)), side.end, side.start, side.document))
    return np.argsort(order)


def _take(pairs: SpanPairs, at: Array | slice) -> SpanPairs:
    return SpanPairs(
        pairs.true[at], pairs.pred[at], pairs.same_boundaries[at], pairs.same_type[at], pairs.covered[at], pairs.overlap[at]
    )


def _overlapping_pairs(true: Spans, pred: Spans, min_overlap: float) -> tuple[SpanPairs, Array]:
    """Return all pairs of spans that share a position, and the part of the line of each.

    Both are of the same document, and no span reaches from one part into another.
    """
    starts, ends, first, last = _positions(true, pred)
    later, started = _starting_within(starts, ends, first), _starting_within(first + 1, last, starts)
    one, other = np.append(later[0], started[1]), np.append(later[1], started[0])
    (a, b), (c, d) = (true.start[one], true.end[one]), (pred.start[other], pred.end[other])
    covered = np.maximum(b, d) - np.minimum(a, c)
    overlap = (np.minimum(b, d) - np.maximum(a, c)) / covered
    types = {name: k for k, name in enumerate(true.types)}
    kinds = np.array([types.get(name, -1) for name in pred.types], np.intp)
    same_type = true.kind[one] == (kinds[pred.kind[other]] if len(kinds) else other)
    found = SpanPairs(one, other, (a == c) & (b == d), same_type, covered, overlap)
    enough = np.flatnonzero(overlap >= min_overlap)
    return _take(found, enough), _parts(np.append(starts, first), np.append(ends, last))[one[enough]]


def _starting_within(low: Array, high: Array, starts: Array) -> tuple[Array, Array]:
    """Return the positions of ranges and of starts such that low <= start < high."""
    order = np.argsort(starts, kind="stable")
    begin, end = (np.searchsorted(starts[order], at, side="left") for at in (low, high))
    times = np.maximum(end - begin, 0)
    one = np.repeat(np.arange(len(low)), times)
    return one, order[np.arange(len(one)) + np.repeat(begin - np.cumsum(times) + times, times)]


def _parts(start: Array, end: Array) -> Array:
    """Return for each span the number of its part of the line.

    A new one begins where all spans before have ended.
    """
    order = np.lexsort((end, start))
    new = start[order][1:] >= np.maximum.accumulate(end[order])[:-1]
    part = np.zeros(len(order), np.intp)
    part[order[1:]] = np.cumsum(new)
    return part


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


def best_assignment(worths: Mapping[int, Mapping[int, int]]) -> dict[int, int]:
    """Return the partner of each row such that the sum of worths is the largest; a row may stay alone.

    ``worths`` has for each row the positive worth of each possible partner, in whole numbers, so that sums are exact. Which of
    several best assignments is found depends only on these numbers and the order of the rows.

    >>> best_assignment({0: {0: 2}, 1: {0: 3, 1: 2}})
    {0: 0, 1: 1}
    """
    found = _Assignment(worths)
    for row in sorted(worths, key=lambda row: len(worths[row])):  # few partners first: they conflict with few others
        found.add(row)
    return found.partner


class _Assignment:
    """The best assignment of the rows so far, with the prices that prove it."""

    def __init__(self, worths: Mapping[int, Mapping[int, int]]) -> None:
        self.worths = worths
        self.partner: dict[int, int] = {}
        self.owner: dict[int, int] = {}
        self.gain: dict[int, int] = {}  # of a row: what it has beyond the price of its partner
        self.price: dict[int, int] = {}  # of a partner; 0 while it is free

    def add(self, row: int) -> None:
        """Take in one more row: move rows along the path that loses the least."""
        price = self.price
        self.gain[row] = max(worth - price.get(other, 0) for other, worth in self.worths[row].items())
        losses, reached_from, last, loss = self._search(row)
        rows = {row: 0} | {self.owner[other]: lost for other, lost in losses.items() if other in self.owner}
        for one, lost in rows.items():
            self.gain[one] -= loss - lost
        for other, lost in losses.items():
            price[other] = price.get(other, 0) + loss - lost
        self._move(row, last, reached_from)

    def _search(self, row: int) -> tuple[dict[int, int], dict[int, int], tuple[int, int | None], int]:
        """Return what it loses to free each partner, from which row, where the best path ends, and its loss.

        A path ends at a free partner, or at a row that is left alone and loses its gain.
        """
        losses: dict[int, int] = {}
        reached: dict[int, int] = {}
        reached_from: dict[int, int] = {}
        queue: list[tuple[int, int]] = []
        one, lost = row, 0
        end: tuple[int, int | None] = (row, None)
        least = self.gain[row]
        while True:
            if lost + self.gain[one] < least:
                end, least = (one, None), lost + self.gain[one]
            for other, worth in self.worths[one].items():
                there = lost + self.gain[one] + self.price.get(other, 0) - worth
                if other not in losses and there < reached.get(other, least):
                    reached[other], reached_from[other] = there, one
                    heappush(queue, (there, other))
            while queue and queue[0][1] in losses:
                heappop(queue)
            if not queue or queue[0][0] >= least:
                return losses, reached_from, end, least
            lost, other = heappop(queue)
            if other not in self.owner:
                return losses, reached_from, (reached_from[other], other), lost
            losses[other] = lost
            one = self.owner[other]

    def _move(self, row: int, end: tuple[int, int | None], reached_from: Mapping[int, int]) -> None:
        """Give each row on the path its new partner."""
        one, other = end
        if other is None:
            other = self.partner.pop(one, None)
        while other is not None:
            one = reached_from[other]
            before = self.partner.get(one) if one != row else None
            self.partner[one], self.owner[other] = other, one
            other = before


OUTCOME = "outcome"  # the axis of outcomes
NOBODY = -1  # the code of a side that has no span in a row


@dataclass(frozen=True, eq=False, slots=True)
class MatchedRows:
    """One row for each example: the types of both sides, as codes into the classes."""

    true: Array
    pred: Array
    document: Array
    outcome: Array  # positions in OUTCOMES
    weight: Array | None  # None: all are 1


def matched_rows(true: Spans, pred: Spans, names: tuple[Any, ...], match: Match, min_overlap: float) -> MatchedRows:
    """Return the rows of all pairs, then those of spans without a partner.

    A pair of credit c is a right row of weight c. The rest of it, 1 - c, is one row where a type was taken for another, or else
    two: the true span is missing and the predicted one is spurious.
    """
    pairs = pair_spans(true, pred, match, min_overlap)
    types, guesses = (side.codes(names) for side in (true, pred))
    credit, (one, other), document = match.credit(pairs), (types[pairs.true], guesses[pairs.pred]), true.document[pairs.true]
    outcome = np.where(credit == 1, OUTCOMES.index(CORRECT), np.where(credit > 0, *map(OUTCOMES.index, (PARTIAL, INCORRECT))))
    confused = np.zeros(len(one), bool) if match.confuses is None else match.confuses(pairs)
    other = one if match.confuses is None else other
    nobody = np.full(len(one), NOBODY)
    right, wrong = credit > 0, credit < 1
    apart = wrong & ~confused
    left_true, left_pred = (
        np.setdiff1d(np.arange(len(side.start)), used) for side, used in ((true, pairs.true), (pred, pairs.pred))
    )
    blocks = [  # types, guesses, documents, outcomes, weights
        *(
            tuple(column[kept] for column in columns)
            for kept, columns in (
                (right, (one, one, document, outcome, credit)),
                (wrong & confused, (one, other, document, outcome, 1 - credit)),
                (apart, (one, nobody, document, outcome, 1 - credit)),
                (apart, (nobody, other, document, outcome, 1 - credit)),
            )
        ),
        _alone(types[left_true], true.document[left_true], MISSING),
        _alone(guesses[left_pred], pred.document[left_pred], SPURIOUS),
    ]
    y, yhat, where, kind, weight = (np.concatenate(column) for column in zip(*blocks, strict=True))
    return MatchedRows(y, yhat, where, kind, None if (weight == 1).all() else weight)


def _alone(codes: Array, document: Array, outcome: str) -> tuple[Array, ...]:
    """Return the rows of spans without a partner."""
    n = len(codes)
    sides = (codes, np.full(n, NOBODY)) if outcome == MISSING else (np.full(n, NOBODY), codes)
    return *sides, document, np.full(n, OUTCOMES.index(outcome)), np.ones(n)


@answers_mistakes
def span_outcomes(ev: Any, per: str | tuple[str, ...] = ()) -> dict[str, Any]:
    """Return how many spans are correct, incorrect, partial, missing and spurious (MUC, SemEval-2013).

    COR + INC + PAR + MIS are the true spans, COR + INC + PAR + SPU the predicted ones. Recall is (COR + PAR/2) over the
    former in match="partial", and precision over the latter.

    Parameters
    ----------
    ev : Evaluation
        What ``ix.spans(…, outcomes=True)`` returned, or the entities of ``ix.tasks.sequences(…, outcomes=True)``; sums of such
        evaluations as well.
    per : str or tuple of str, optional
        "class" counts by type, which is the type of the true span where there is one; the name of a by= axis counts by group.

    Returns
    -------
    dict
        COR, INC, PAR, MIS and SPU: a number, or a value for each unit. They are sums of weights where there are weights.

    Examples
    --------
    >>> import indicatrix as ix
    >>> true, pred = [[(0, 2, "PER"), (3, 5, "LOC"), (7, 8, "LOC")]], [[(0, 2, "ORG"), (3, 4, "LOC"), (9, 10, "PER")]]
    >>> ix.tasks.span_outcomes(ix.spans(true, pred, match="type", outcomes=True))
    {'COR': 1, 'INC': 1, 'PAR': 0, 'MIS': 1, 'SPU': 1}
    """
    kept = (per,) if isinstance(per, str) else tuple(per)
    if OUTCOME not in getattr(ev, "axes", ()):
        raise ValueError("This evaluation has no outcomes of spans. Make it with ix.spans(…, outcomes=True).")
    if ev.recipe.uses("cost") or ev.recipe.uses("hierarchy"):
        raise ValueError("With cost= or hierarchy= a cell is no longer one span. Count the outcomes without them.")
    counts = ev.aggregate((OUTCOME, *kept))
    at = {name: k for k, name in enumerate(counts.names[0])}
    spurious = at[SPURIOUS]
    found = {name: (counts.fp if at[name] == spurious else counts.tp + counts.fn)[at[name]] for name in OUTCOMES}
    return {name: _plain(value, counts.names[1:]) for name, value in found.items()}


def _plain(value: Any, names: tuple[Any, ...]) -> Any:
    """Return counts as whole numbers where they are whole; along axes with the names of the units."""
    return Values.of(value, names) if names else int(value) if value == int(value) else float(value)
