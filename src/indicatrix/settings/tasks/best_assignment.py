"""The best one-to-one assignment of a sparse table of worths.

Rows are added one by one along shortest augmenting paths, with prices (Jonker and Volgenant). A search ends at the first
partner that is free, so its cost is that of a neighbourhood, not of the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush


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
