"""Labels before encoding, the problem they become, and what of it was observed (eq:masked_agg).

>>> import indicatrix as ix
>>> nan = float("nan")  # not labeled
>>> ix.f1([[1, 0, nan], [nan, 1, 1]], [[1, 1, 0], [0, 1, 1]], missing="mask", average="micro")
0.8571428571428571
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..algebra.arrays import Mask
from ..algebra.fuzzy.tnorms import TNorm
from ..algebra.scale import Scale
from ..encode.indicator import Coded
from ..encode.pairs import Pair
from ..encode.weights import check_mask
from .options import PLAIN, Options, Recipe


@dataclass(frozen=True, eq=False)
class LabelPair:
    """Two label arrays on their way to indicators."""

    y_true: Any
    y_pred: Any
    classes: tuple[Any, ...] | None = None  # None: the labels decide
    rule: Any = None  # how scores become decisions; None: no scores are left
    abstained: Mask | None = None  # where a missing prediction is an abstention
    recipe: Recipe = PLAIN


@dataclass(frozen=True, eq=False)
class Problem:
    """What is counted: two indicators, the t-norm of memberships, what cells count, how it was made."""

    pair: Pair
    norm: TNorm | None = None
    scale: Scale | None = None
    kind: str = "multiclass"
    recipe: Recipe = PLAIN
    mask: Any = None  # as the caller gave it, until the last step makes it bools, n x 1 or n x m
    abstained: Mask | None = None  # examples whose prediction was declined, by a label or by being missing

    @property
    def n(self) -> int:
        """The number of examples, those left out included."""
        return self.pair.n


def apply_masks(problem: Problem, options: Options) -> Problem:
    """Return the problem with the caller's mask as bools, and without abstentions if they are left out."""
    classes = problem.pair.y.classes
    seen = check_mask(problem.mask, problem.n, len(classes), classes)
    if options.abstained == "count":
        return replace(problem, mask=seen)
    answered = find_answered(problem, options)[:, None]
    return replace(problem, mask=answered if seen is None else seen & answered, recipe=problem.recipe._replace(abstained="mask"))


def move_mask_to_cells(problem: Problem) -> Problem:
    """Return the problem with a mask of entries as its observed cells; a mask of whole examples stays."""
    pair, classes = problem.pair, problem.pair.y.classes
    seen = check_mask(problem.mask, problem.n, len(classes), classes)
    if seen is None or seen.shape[1] == 1:
        return problem
    seen = seen if pair.rows is None else seen[pair.rows]
    return replace(problem, pair=replace(pair, cells=seen if pair.cells is None else seen & pair.cells), mask=None)


def check_abstained(abstained: Any) -> None:
    """Refuse an unknown value of ``abstained=``."""
    if abstained not in ("count", "mask"):
        raise ValueError(f"abstained={abstained!r} is unknown. Use 'count' (the default), or 'mask' to leave abstentions out.")


def find_answered(problem: Problem, options: Options) -> Mask:
    """Return which examples have a prediction that was not declined.

    A row without a predicted class is declined. Where abstentions are marked, by a label or by being missing, an empty set is
    an answer; so is a row of zeros that encodes the lowest rank.
    """
    pair, answered = problem.pair, np.ones(problem.n, bool)
    if problem.abstained is not None:
        answered &= ~problem.abstained
    marked = problem.abstained is not None and not isinstance(pair.yhat.data, Coded)
    if not marked and options.ordinal is None:
        answered[slice(None) if pair.rows is None else pair.rows] &= pair.yhat.occupied()
    return answered
