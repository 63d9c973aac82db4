"""From labels and options to one problem (eq:masked_agg).

It has two indicators, what of them was observed, and what cells count.

>>> import indicatrix as ix
>>> nan = float("nan")  # not labeled
>>> ix.f1([[1, 0, nan], [nan, 1, 1]], [[1, 1, 0], [0, 1, 1]], missing="mask", average="micro")
0.8571428571428571
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from ..algebra.arrays import Mask
from ..algebra.counts import Scale
from ..algebra.fuzzy.negations import standard
from ..algebra.fuzzy.tnorms import TNorm, tnorm, with_complement
from ..encode.decisions import rule_of
from ..encode.indicator import Coded
from ..encode.pairs import Pair, Reading, check_missing, encode
from ..encode.vocabulary import check_classes
from ..encode.weights import check_mask
from .options import PLAIN, Options, Recipe
from .paper_settings import SETTINGS, STEPS


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


def prepare(y_true: Any, y_pred: Any, options: Options) -> Problem:
    """Return the problem that labels and options describe.

    Settings change the labels, then the labels are encoded, then settings change the indicators.
    """
    check_abstained(options.abstained)
    steps, norm = _steps(options), with_complement(None if options.tnorm is None else tnorm(options.tnorm), options.negation)
    classes = None if options.classes is None else check_classes(options.classes)
    rule = rule_of(options.decide)
    other = None if norm is None or norm.negation == standard else repr(norm.negation)  # a complement that is not 1 - x
    labels = LabelPair(y_true, y_pred, classes, rule, recipe=Recipe(decide=plain_rule(rule), negation=other))
    for step in steps:
        if hasattr(step, "change_labels"):
            labels = step.change_labels(labels, options)
    how = Reading(
        labels.classes,
        labels.rule,
        norm is not None,
        check_missing(options.missing),
        options.positive,
        labels.abstained,
        options.names,
    )
    pair = encode(labels.y_true, labels.y_pred, how)
    problem = Problem(pair, norm, None, "multiclass", labels.recipe, options.mask, labels.abstained)
    for step in steps:
        if hasattr(step, "change_problem"):
            problem = step.change_problem(problem, options)
    kind = _kind(problem.pair, norm)
    made = problem.recipe._replace(tnorm=repr(norm)) if kind == "soft" else problem.recipe
    return apply_masks(replace(problem, kind=kind, recipe=made), options)


def changes_labels(options: Options) -> bool:
    """Return whether a setting changes labels before they are encoded.

    >>> from .options import Options
    >>> changes_labels(Options(classes=(0, 1))), changes_labels(Options(targets={"color": [0, 1]}))
    (False, True)
    """
    return options.targets is not None or any(hasattr(step, "change_labels") for step in _steps(options))


def _steps(options: Options) -> list[ModuleType]:
    """Return the modules of the requested settings, imported only now: most calls need no module."""
    if options.plain:
        return []
    given = options._asdict()
    asked = (setting.module for setting in map(SETTINGS.__getitem__, STEPS) if setting.is_requested(given))
    return [import_module(f"..{module}", __package__) for module in asked]


def _kind(pair: Pair, norm: TNorm | None) -> str:
    if isinstance(pair.y.data, Coded) and isinstance(pair.yhat.data, Coded):
        return "multiclass"
    # With a t-norm a batch is soft even if all its memberships are 0 or 1: those of the next batch may differ.
    return "multilabel" if norm is None else "soft"


def plain_rule(rule: Any) -> Any:
    """Return a decision rule as it is recorded: thresholds as Python numbers."""
    if rule is None or isinstance(rule, str) or not (np.ndim(rule) or isinstance(rule, np.generic)):
        return rule
    values = np.asarray(rule).tolist()
    return tuple(values) if isinstance(values, list) else values
