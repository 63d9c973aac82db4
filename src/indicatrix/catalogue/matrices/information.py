"""Information in bits: how uncertain the classes are, and how much of it the predictions take away.

``_true`` and ``_predicted`` name the class whose uncertainty is meant. In nats they are log(2) times as large.

Pairs of examples: whether two examples of one true class are also given one predicted class.

The four counts of pairs make every measure of counts one of clusterings, where the names of the classes do not matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...algebra.counts import Counts
from ...algebra.numbers.functions import constant, log, maximum, minimum, ratio, sqrt
from ...words.call_mistakes import answers_mistakes
from ..counts.paper_groups import accuracy, cohen_kappa, fowlkes_mallows
from ..matrix_measures import matrix_measure
from .association import each, log_parts, log_parts_against, machine_integers, margins, total

GROUP = "matrix information"
MEANS: dict[str, Callable[[Any, Any], Any]] = {
    "arithmetic": lambda one, other: (one + other) / 2,
    "geometric": lambda one, other: sqrt(one * other),
    "min": minimum,
    "max": maximum,
}


def _one_side(confusion: Any) -> tuple[float, float]:
    """Return the least and the most bits that one side of a matrix can have."""
    return 0.0, math.log2(max(len(confusion), 2))


def _both_sides(confusion: Any) -> tuple[float, float]:
    """Return the least and the most bits that both sides of a matrix can have."""
    return 0.0, 2 * math.log2(max(len(confusion), 2))


@matrix_measure(
    range=(0, math.inf),
    source="shannon1948",
    group=GROUP,
    better="neither",
    aliases=("reference_entropy",),
    limits=_one_side,
    entropies=(1, 0, 0),
)
def entropy_true(confusion: Any) -> Any:
    """Uncertainty of the true class, in bits."""
    return _entropy(confusion.sum(axis=1))


@matrix_measure(
    range=(0, math.inf),
    source="shannon1948",
    group=GROUP,
    better="neither",
    aliases=("response_entropy",),
    limits=_one_side,
    entropies=(0, 1, 0),
)
def entropy_predicted(confusion: Any) -> Any:
    """Uncertainty of the predicted class, in bits."""
    return _entropy(confusion.sum(axis=0))


@matrix_measure(
    range=(0, math.inf),
    source="shannon1948",
    group=GROUP,
    better="neither",
    symmetric=True,
    limits=_both_sides,
    entropies=(0, 0, 1),
)
def joint_entropy(confusion: Any) -> Any:
    """Uncertainty of the true and the predicted class together, in bits."""
    return _entropy(confusion.ravel())


@matrix_measure(
    range=(0, math.inf),
    source="shannon1948",
    group=GROUP,
    better="lower",
    aliases=("equivocation",),
    limits=_one_side,
    entropies=(0, -1, 1),
)
def conditional_entropy_true(confusion: Any) -> Any:
    """Uncertainty of the true class that is left if the prediction is known, in bits."""
    confusion = machine_integers(confusion)
    return _bits(log_parts(confusion, confusion.sum(axis=0)), confusion.sum())


@matrix_measure(range=(0, math.inf), source="shannon1948", group=GROUP, better="neither", limits=_one_side, entropies=(-1, 0, 1))
def conditional_entropy_predicted(confusion: Any) -> Any:
    """Uncertainty of the prediction that is left if the true class is known, in bits."""
    confusion = machine_integers(confusion)
    return _bits(log_parts(confusion, confusion.sum(axis=1)[:, None]), confusion.sum())


@matrix_measure(range=(0, math.inf), source="kullback1951", group=GROUP, better="neither")
def cross_entropy_of_classes(confusion: Any) -> Any:
    """Bits per true class in a code made for the shares of the predictions; it may be infinite."""
    true, pred, n = margins(confusion)
    seen = np.asarray(true != 0, bool)
    return _bits(total(true[seen] * each(log, ratio(n, pred[seen]))), n)


@matrix_measure(range=(0, math.inf), source="kullback1951", group=GROUP, better="lower", aliases=("kullback_leibler",))
def kl_divergence_of_classes(confusion: Any) -> Any:
    """Bits by which the shares of the predictions differ from those of the true classes."""
    true, pred, n = margins(confusion)
    return _bits(log_parts_against(true, true, pred), n)


@matrix_measure(range=(0, math.inf), source="shannon1948", group=GROUP, symmetric=True, limits=_one_side, entropies=(1, 1, -1))
def mutual_information(confusion: Any) -> Any:
    """Bits that the prediction tells about the true class: the uncertainty that it takes away."""
    return _bits(_shared(machine_integers(confusion)), confusion.sum())


@matrix_measure(range=(0, 1), source="strehl2002", group=GROUP, symmetric=True, aliases=("nmi",))
def normalized_mutual_information(confusion: Any, *, mean: str = "arithmetic") -> Any:
    """Mutual information divided by a mean of the uncertainties of both sides.

    ``mean`` is "arithmetic" (then it is the symmetric form of Theil's U), "geometric", "min" or "max".
    """
    if mean not in MEANS:
        raise ValueError(f"mean={mean!r} is unknown. Use {', '.join(map(repr, MEANS))}.")
    confusion = machine_integers(confusion)
    true, pred, n = margins(confusion)
    return ratio(_shared(confusion), MEANS[mean](log_parts(true, n), log_parts(pred, n)))


@matrix_measure(range=(0, 1), source="theil1972", group=GROUP, aliases=("relative_classifier_information", "rci"))
def theil_u_true(confusion: Any) -> Any:
    """Share of the uncertainty of the true class that the prediction takes away."""
    confusion = machine_integers(confusion)
    return ratio(_shared(confusion), log_parts(confusion.sum(axis=1), confusion.sum()))


@matrix_measure(range=(0, 1), source="theil1972", group=GROUP, better="neither")
def theil_u_predicted(confusion: Any) -> Any:
    """Share of the uncertainty of the prediction that the true class takes away."""
    confusion = machine_integers(confusion)
    return ratio(_shared(confusion), log_parts(confusion.sum(axis=0), confusion.sum()))


@matrix_measure(
    range=(0, math.inf),
    source="meila2007",
    group=GROUP,
    better="lower",
    symmetric=True,
    limits=_both_sides,
    entropies=(-1, -1, 2),
)
def variation_of_information(confusion: Any) -> Any:
    """Bits that both sides do not share: what is left of each if the other is known, added."""
    confusion = machine_integers(confusion)
    true, pred, n = margins(confusion)
    return _bits(log_parts(confusion, true[:, None]) + log_parts(confusion, pred), n)


def _shared(confusion: Any) -> Any:
    """Return n times the mutual information, in nats."""
    true, pred, n = margins(confusion)
    return log_parts_against(confusion, confusion * n, true[:, None] * pred)


def _entropy(counts: Any) -> Any:
    counts = machine_integers(counts)
    n = counts.sum()
    return _bits(log_parts(counts, n), n)


def _bits(nats_times_n: Any, n: Any) -> Any:
    return ratio(nats_times_n, n * log(constant(2, n)))


@matrix_measure(range=(0, math.inf), source="wei2010", group=GROUP, better="lower", symmetric=True, aliases=("cen",))
def confusion_entropy(confusion: Any) -> Any:
    """Uncertainty of the errors of each class, weighted by its share (CEN); with two classes up to 1.06."""
    return _spread_of_errors(confusion, 0, 2 * confusion.sum())


@matrix_measure(range=(0, 1), source="delgado2018", group=GROUP, better="lower", symmetric=True, aliases=("mcen",))
def modified_confusion_entropy(confusion: Any) -> Any:
    """Confusion entropy where right answers count once in the size of a class (MCEN)."""
    confusion = machine_integers(confusion)
    twice, right = 2 * confusion.sum(), confusion.trace()
    return _spread_of_errors(confusion, confusion.diagonal(), twice - right if len(confusion) > 2 else twice)


def _spread_of_errors(confusion: Any, less: Any, whole: Any) -> Any:
    """Return the sum over classes, by what their sizes are reduced and what the sum is divided by."""
    confusion = machine_integers(confusion)
    true, pred, n = margins(confusion)
    m = len(confusion)
    if m < 2:
        return math.nan
    errors = confusion * (1 - np.eye(m, dtype=int))
    sizes = true + pred - less
    spread = log_parts(errors, sizes[:, None]) + log_parts(errors, sizes)
    return ratio(spread, whole * log(constant(2 * (m - 1), n)))


PAIRS = "matrix pairs"


@matrix_measure(range=(0, 1), source="rand1971", group=PAIRS, symmetric=True, aliases=("rand",))
def rand_index(confusion: Any) -> Any:
    """Share of pairs of examples that both sides put together or both put apart."""
    return accuracy.function(*_pairs(confusion))


@matrix_measure(range=(-1, 1), source="hubert1985", group=PAIRS, symmetric=True, aliases=("ari",))
def adjusted_rand_index(confusion: Any) -> Any:
    """Rand index beyond chance: Cohen's kappa of pairs of examples."""
    return cohen_kappa.function(*_pairs(confusion))


@matrix_measure(range=(0, 1), source="fowlkes1983", group=PAIRS, symmetric=True)
def fowlkes_mallows_of_pairs(confusion: Any) -> Any:
    """Geometric mean of precision and recall of the pairs of examples that are put together."""
    return fowlkes_mallows.function(*_pairs(confusion))


@answers_mistakes
def pair_counts(source: Any) -> Counts:
    """Return how many pairs of examples are together on both sides, on one of them, or on none.

    Every measure of counts is then one of two clusterings: ``ix.f1(ix.tasks.pair_counts(ev))``.

    Parameters
    ----------
    source : Evaluation or array-like
        An evaluation of labels, one class for each example, or a confusion matrix.

    Returns
    -------
    Counts
        ``tp`` pairs have one true and one predicted class, ``fn`` only one true class, ``fp`` only one predicted class, and
        ``tn`` neither.

    Examples
    --------
    >>> import indicatrix as ix
    >>> pairs = ix.tasks.pair_counts(ix.evaluate(list("aabb"), list("xxyz"), classes=list("abxyz")))
    >>> pairs.tp, pairs.fp, pairs.fn, pairs.tn
    (1, 0, 1, 4)
    >>> ix.jaccard(pairs)
    0.5
    """
    import numpy as np

    try:
        table = np.asarray(getattr(source, "confusion", source)).astype(object)
    except ValueError:
        raise ValueError("The rows of a confusion matrix have one length, with an entry for each predicted class.") from None
    if table.ndim != 2:
        raise ValueError(f"pair_counts needs an evaluation or a confusion matrix, not an array of {table.ndim} dimensions.")
    return Counts(*_pairs(table))


def _pairs(table: Any) -> tuple[Any, Any, Any, Any]:
    """Return the pairs tp, fp, fn, tn.

    X (x - 1)/2 of x examples, doubled and halved so that integers stay integers.
    """
    n, together = table.sum(), _twice_pairs(table)
    same_true, same_pred = _twice_pairs(table.sum(axis=1)), _twice_pairs(table.sum(axis=0))
    four = (together, same_pred - together, same_true - together, n * (n - 1) - same_true - same_pred + together)
    return tuple(x // 2 if type(x) is int else x / 2 for x in four)  # type: ignore[return-value]


def _twice_pairs(counts: Any) -> Any:
    return (counts * (counts - 1)).sum()
