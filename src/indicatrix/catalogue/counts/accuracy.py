"""Group 1 of the paper's catalogue: how many decisions are right, over all entries."""

from __future__ import annotations

from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import equals, ratio, select

GROUP = "accuracy"


@listed(
    aliases=("label_accuracy", "sokal_michener", "simple_matching"),
    group=GROUP,
    source="sokal1958",
    known_as={"micro": "Label accuracy"},
    whole="subset_accuracy",
    averaged_name="label accuracy",
)
def accuracy(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of right decisions: of examples without an average, of entries (label accuracy) with one.

    Where each example has one class, accuracy without an average is the share of examples that are right, as everyone
    means it; ``exact_match`` and micro ``recall`` are the same number. With a named average it is label accuracy: with m
    classes every wrong example spoils two of its m entries, so the micro value is 1 - (2/m)(share of wrong examples), and is
    high for any classifier when m is large.
    """
    return ratio(tp + tn, tp + fp + fn + tn)


@listed(
    better="lower",
    aliases=("hamming_loss", "mean_manhattan"),
    group=GROUP,
    source="schapire1999",
    known_as={"micro": "Hamming loss"},
    of_label_sets="micro",
)
def error_rate(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of wrong decisions among all entries; its micro version is the Hamming loss.

    Of label sets this is what it means without an average.
    """
    return ratio(fp + fn, tp + fp + fn + tn)


@listed(better="lower", aliases=("ber",), group=GROUP, source="guyon2004")
def balanced_error_rate(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Mean of the two error rates, among actual positives and among actual negatives."""
    tpos, tneg = tp + fn, fp + tn
    return ratio(fn * tneg + fp * tpos, 2 * tpos * tneg)


@listed(
    averages=("exemplar",),
    aliases=("exact_match",),
    group=GROUP,
    source="ghamrawi2005",
    known_as={"exemplar": "Subset accuracy"},
)
def subset_accuracy(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Whether no entry is wrong; its mean over examples is multiclass accuracy or multilabel exact match."""
    n = tp + fp + fn + tn
    return select(equals(fp + fn, 0), ratio(n, n), ratio(0 * n, n))


@listed(
    better="lower",
    averages=("exemplar",),
    aliases=("subset_loss",),
    group=GROUP,
    source="ghamrawi2005",
    known_as={"exemplar": "0/1 loss"},
)
def zero_one_loss(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Whether any entry is wrong; its mean over examples is 1 - multiclass accuracy or 1 - exact match."""
    n = tp + fp + fn + tn
    return select(equals(fp + fn, 0), ratio(0 * n, n), ratio(n, n))
