"""Possible averages: which rows of ``AVERAGES`` exist for a quantity, and why others do not.

Rankings, bins and forecasts know the actual positives and negatives of each unit, but nothing is predicted yet. There a row whose
weights read only these is right, and a row whose weights read decisions is refused. The weight function of the row itself says
which of the two it is: it is applied to counts that differ in nothing but their decisions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .arrays import as_weight
from .average import ALIASES, AVERAGES, BINARY, Average, find_average
from .counts import AXES, Counts
from .wording import short

# Three units, each with the same four predictions: positives and negatives, then those of them that are predicted positive.
_ACTUAL, _DECIDED = ((7, 12), (30, 11), (8, 9)), ((2, 5), (3, 1), (6, 2), (1, 7))
_FOUR = [(tp, fp, positives - tp, negatives - fp) for positives, negatives in _ACTUAL for tp, fp in _DECIDED]
_TRIALS = Counts(*np.array(_FOUR, np.float64).T, per=("class",), names=(tuple(range(len(_FOUR))),))


def weights_read_decisions(measure: Any, rule: Average) -> bool:
    """Return whether the weights read decisions, by a trial.

    In the trial, actual positives and negatives stay the same and only decisions change.

    >>> import indicatrix as ix
    >>> predicted = Average(("class",), lambda measure, v: v.ppos)
    >>> weights_read_decisions(ix.f1, AVERAGES["weighted"]), weights_read_decisions(ix.f1, predicted)
    (False, True)
    >>> [weights_read_decisions(m, AVERAGES["denominator"]) for m in (ix.recall, ix.precision)]
    [False, True]
    """
    weights = rule.weights(measure, _TRIALS)
    if weights is None:
        return False
    found = np.broadcast_to(weights, _TRIALS.tp.shape).reshape(len(_ACTUAL), -1)
    return not np.isclose(found, found[:, :1], rtol=1e-9, atol=0, equal_nan=True).all()


@dataclass(frozen=True, eq=False)
class PossibleAverages:
    """The averages of one quantity in one place: what units exist along, and what their weights may read."""

    measure: Any  # what is averaged: a measure, an area, a quantity
    axes: Mapping[str, str]  # axis ("" if all is pooled) -> why it has no units here; "" if it has
    by: Sequence[str] = ()  # groupings: the name of one means the plain mean over its groups
    binary: str = "there is no positive class."  # or "" where there is one
    undecided: str = ""  # why weights that read decisions are not known; "" where everything is decided
    unweighted: Mapping[str, str] = field(default_factory=dict)  # axis -> why its units have no weights at all
    place: str = "here"
    unobserved: Sequence[str] = ()  # cells that are not counted here: weights must not read them

    @property
    def rows(self) -> tuple[str, ...]:
        """The names of the rows of ``AVERAGES`` that exist here."""
        return tuple(name for name, rule in AVERAGES.items() if not self._lack(rule))

    @property
    def names(self) -> tuple[str, ...]:
        """All names that ``average=`` may have here."""
        return (*self.rows, *(() if self.binary else (BINARY,)), *self.by)

    def find(self, average: Any, *, also: Sequence[str] = ()) -> tuple[str, Average]:
        """Return the name and the row of an average; one that does not exist here is refused with the reason.

        ``also`` are further names, which have a meaning for the caller.
        """
        if not isinstance(average, str):
            raise TypeError(f"average={short(average)} must be one name, such as 'macro'. Choose from {', '.join(self.names)}.")
        name = ALIASES.get(average, average)
        if name in self.by or name in also:
            return name, find_average(name)
        lack = self.binary if name == BINARY else self._lack(AVERAGES[name]) if name in AVERAGES else self.axes.get(name) or None
        if lack == "":
            return name, find_average(name)
        choice = ", ".join((*self.names, *also))
        if lack is not None:
            raise ValueError(f"average={name!r}: {lack} Choose from {choice}.")
        from .spelling import did_you_mean

        question = did_you_mean(name, (*self.names, *also, *ALIASES))
        grouped = "" if name in AXES else f", or give by={{{name!r}: ids}} to have it"
        raise ValueError(
            f"average={name!r} is unknown {self.place}. Choose from {choice}{grouped}.{' ' if question else ''}{question}"
        )

    def _lack(self, rule: Average) -> str:
        """Return why there is no such average here; "" if it exists."""
        if len(rule.per) > 1:
            return f"it keeps {' and '.join(rule.per)} together, and here one axis is kept at a time."
        axis = rule.per[0] if rule.per else ""
        if axis not in self.by:
            lack = self.axes.get(axis, f"there is no axis {axis!r} here.")
            if lack:
                return lack
        if rule.weight is None or rule.pools:
            return ""
        if axis in self.unweighted:
            return self.unweighted[axis]
        try:
            if self.unobserved and not np.isfinite(rule.weights(self.measure, _TRIALS.without(*self.unobserved))).all():
                return f"its weights read {' or '.join(self.unobserved)}, which nobody counts here."
            reads = weights_read_decisions(self.measure, rule)
        except ValueError as error:  # the weights of this row do not exist for this measure
            return str(error)
        return self.undecided if reads else ""


def product_of_weights(weights: Any, amounts: Any) -> Any:
    """Return the weights of units that also stand for different amounts; None stands for equal weights."""
    if weights is None or amounts is None:
        return amounts if weights is None else weights
    return as_weight(weights) * as_weight(amounts)
