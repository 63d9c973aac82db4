"""Pairs of labels, true and predicted: what confusion matrices and the scores that read them share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..evaluation import Evaluation
from ..tally.tally import Tally
from .averages import check_labels
from .call_checks import warn
from .counted_labels import MULTILABEL, CountedLabels


def labels_only(counted: CountedLabels) -> CountedLabels:
    """Return the counts of one label per example; matrices are refused."""
    if counted.kind == MULTILABEL:
        raise ValueError(f"{counted.kind} is not supported")
    return counted


class NoTrueLabelError(ValueError):
    """None of the labels that were asked for is a true label."""


def pairs_of(counted: CountedLabels, labels: Any = None) -> Evaluation:
    """Return the evaluation of pairs of some labels, of which one must be a true label.

    A table of one label alone gets a warning.
    """
    names = [*counted.ev.classes] if labels is None else check_labels(counted, labels)
    if not names:
        raise ValueError("'labels' should contain at least one label.")
    if labels is not None and not _is_true(counted, names):
        raise NoTrueLabelError("At least one label specified must be in y_true")
    if len(names) == 1:
        warn(
            "A single label was found in 'y_true' and 'y_pred'. For the confusion matrix to have the correct shape, use the "
            "'labels' parameter to pass all known labels."
        )
    if labels is None:
        return counted.with_pairs
    once = [*dict.fromkeys(names)]
    pairs = counted.with_pairs.only(once, absent="add")
    return pairs if len(once) == len(names) else _at_last_places(pairs, names)


def _is_true(counted: CountedLabels, names: list[Any]) -> bool:
    """Return whether one of the labels is a true one; also in examples whose weights sum to 0."""
    true = {c for c, k in zip(counted.ev.classes, counted.ev.aggregate("class").tpos, strict=True) if k}
    return not true.isdisjoint(names) or (counted.weights is not None and bool(np.isin(counted.y_true, names).any()))


def _at_last_places(pairs: Evaluation, names: list[Any]) -> Evaluation:
    """Return pairs of labels of which some were named twice: the last of these places has them all."""
    last = {name: place for place, name in enumerate(names)}
    part = pairs.tally.pooled.widen(np.array([last[name] for name in pairs.classes]), len(names))
    return replace(pairs, tally=Tally(tuple(range(len(names))), {(): part}, pairs.n, open=False))
