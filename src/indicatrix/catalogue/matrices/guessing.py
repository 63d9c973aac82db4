"""Guessing one of the two classes of an example: how many errors are avoided if the other is known.

``_true`` guesses the true class and knows the predicted one, ``_predicted`` the reverse. Authors call either of them A or B.
"""

from __future__ import annotations

from typing import Any

from ...algebra.functions import ratio
from ..matrix_measure import matrix_measure
from .association import GROUP
from .cells import deviations, margins, total


@matrix_measure(range=(0, 1), source="goodman1954", group=GROUP, better="neither", aliases=("lambda_a",))
def goodman_kruskal_lambda_true(confusion: Any) -> Any:
    """Share of errors avoided in guessing the most likely true class, if the prediction is known."""
    known, modal, n = _best_guesses(confusion)
    return ratio(known - modal, n - modal)


@matrix_measure(range=(0, 1), source="goodman1954", group=GROUP, better="neither", aliases=("lambda_b",))
def goodman_kruskal_lambda_predicted(confusion: Any) -> Any:
    """Share of errors avoided in guessing the most likely prediction, if the true class is known."""
    return goodman_kruskal_lambda_true.function(confusion.T)


@matrix_measure(range=(0, 1), source="goodman1954", group=GROUP, better="neither", symmetric=True)
def multiclass_goodman_kruskal_lambda(confusion: Any) -> Any:
    """Share of errors avoided in guessing truth or prediction, half each, if the other is known."""
    known, modal, n = _best_guesses(confusion)
    other, mode, _ = _best_guesses(confusion.T)
    return ratio(known + other - modal - mode, 2 * n - modal - mode)


@matrix_measure(range=(0, 1), source="goodman1954", group=GROUP, better="neither")
def goodman_kruskal_tau_true(confusion: Any) -> Any:
    """Share of errors avoided in guessing the true class in proportion, if the prediction is known."""
    return goodman_kruskal_tau_predicted.function(confusion.T)


@matrix_measure(range=(0, 1), source="goodman1954", group=GROUP, better="neither")
def goodman_kruskal_tau_predicted(confusion: Any) -> Any:
    """Share of errors avoided in guessing the prediction in proportion, if the true class is known."""
    apart, true, _, n = deviations(confusion)
    pred = confusion.sum(axis=0)
    return ratio(total(ratio(apart * apart, true[:, None])), n * (n * n - (pred * pred).sum()))


def _best_guesses(confusion: Any) -> tuple[Any, Any, Any]:
    """Return how many true classes are guessed right if the prediction is known, and if not; and n."""
    true, _, n = margins(confusion)
    return (confusion.max(axis=0).sum(), true.max(), n) if len(true) else (0, 0, n)
