"""Shares of right answers over the whole matrix, and what they are compared with."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.numbers.functions import ratio, sqrt
from ..matrix_measures import matrix_measure
from .cells import NO_TRUE_P_VALUE, binomial_tail, margins, total

GROUP = "confusion matrix"


@matrix_measure(range=(0, 1), source="sokolova2009", group=GROUP, symmetric=True, aliases=("overall_accuracy",))
def multiclass_accuracy(confusion: Any) -> Any:
    """Share of examples whose predicted class is the true one; equals exact match and micro recall."""
    return ratio(confusion.trace(), confusion.sum())


@matrix_measure(range=(-1, 1), source="gorodkin2004", group=GROUP, symmetric=True)
def multiclass_mcc(confusion: Any) -> Any:
    """Correlation of true and predicted class indicators (Gorodkin's R_K), which is not the micro MCC."""
    true, pred, n = margins(confusion)
    covariance = n * confusion.trace() - (true * pred).sum()
    return ratio(covariance, sqrt((n * n - (true * true).sum()) * (n * n - (pred * pred).sum())))


@matrix_measure(range=(-1, 1), source="youden1950", group=GROUP)
def multiclass_informedness(confusion: Any) -> Any:
    """Mean recall of the classes that occur, rescaled so that guessing has 0 and a perfect result 1."""
    true = confusion.sum(axis=1)
    here = np.asarray(true != 0, bool)
    recalls, others = total(ratio(confusion.diagonal()[here], true[here])), max(int(here.sum()) - 1, 0)
    return ratio((recalls - 1) * others, others * others)  # 0/0 for one class alone, where guessing is right


@matrix_measure(range=(0, 1), source="kuhn2008", group=GROUP, better="neither", aliases=("nir",))
def no_information_rate(confusion: Any) -> Any:
    """Share of the most frequent true class: the accuracy of always predicting it."""
    return ratio(max(confusion.sum(axis=1), default=0), confusion.sum())


@matrix_measure(range=(0, 1), source="kuhn2008", group=GROUP, better="neither", without_interval=NO_TRUE_P_VALUE)
def no_information_p_value(confusion: Any) -> Any:
    """Chance of at least as many right answers, if each were right with the no-information rate."""
    n, most = confusion.sum(), max(confusion.sum(axis=1), default=0)
    return binomial_tail(confusion.trace(), n, ratio(most, n))


@matrix_measure(
    range=(0, math.inf),
    source="haghighi2018",
    group=GROUP,
    better="neither",
    aliases=("rr",),
    symmetric=True,
    without_interval="it counts the examples of this sample, and has no true value in the population",
)
def examples_per_class(confusion: Any) -> Any:
    """Number of examples divided by the number of classes; PyCM calls it the global performance index."""
    return ratio(confusion.sum(), len(confusion))
