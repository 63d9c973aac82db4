"""Pairs of examples: whether two examples of one true class are also given one predicted class.

The four counts of pairs make every measure of counts one of clusterings, where the names of the classes do not matter.
"""

from __future__ import annotations

from typing import Any

from ...algebra.counts import Counts
from ...words.call_mistakes import answers_mistakes
from ..counts.paper_groups import accuracy, cohen_kappa, fowlkes_mallows
from ..matrix_measures import matrix_measure

GROUP = "matrix pairs"


@matrix_measure(range=(0, 1), source="rand1971", group=GROUP, symmetric=True, aliases=("rand",))
def rand_index(confusion: Any) -> Any:
    """Share of pairs of examples that both sides put together or both put apart."""
    return accuracy.function(*_pairs(confusion))


@matrix_measure(range=(-1, 1), source="hubert1985", group=GROUP, symmetric=True, aliases=("ari",))
def adjusted_rand_index(confusion: Any) -> Any:
    """Rand index beyond chance: Cohen's kappa of pairs of examples."""
    return cohen_kappa.function(*_pairs(confusion))


@matrix_measure(range=(0, 1), source="fowlkes1983", group=GROUP, symmetric=True)
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
