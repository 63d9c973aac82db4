"""From labels and options to one problem: two indicators, what was observed, what cells count."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from ..algebra.fuzzy.negations import standard
from ..algebra.fuzzy.tnorms import TNorm, tnorm, with_complement
from ..encode.decisions import rule_of
from ..encode.indicator import Coded
from ..encode.pairs import Pair, Reading, check_missing, encode
from ..encode.vocabulary import check_classes
from .options import Options, Recipe
from .paper_settings import SETTINGS, STEPS
from .problem import LabelPair, Problem, apply_masks, check_abstained


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
