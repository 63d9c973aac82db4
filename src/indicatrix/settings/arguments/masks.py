"""What was observed: masks, and abstentions that are left out (eq:masked_agg, sec:abstention)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import Mask
from ...encode.indicator import Coded
from ...encode.weights import check_mask
from .options import Options
from .problem import Problem


def apply_masks(problem: Problem, options: Options) -> Problem:
    """Return the problem with the caller's mask as bools, and without abstentions if they are left out."""
    classes = problem.pair.y.classes
    seen = check_mask(problem.mask, problem.n, len(classes), classes)
    if options.abstained == "count":
        return replace(problem, mask=seen)
    answered = find_answered(problem, options)[:, None]
    return replace(problem, mask=answered if seen is None else seen & answered, made=problem.made._replace(abstained="mask"))


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
