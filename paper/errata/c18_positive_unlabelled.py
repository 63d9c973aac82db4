"""Recall of labelled positives is recall in expectation only (sec:pu_learning).

Precision is too small by the propensity.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import indicatrix as ix

from ..record import Record, experiment

TRUTH = [1, 1, 1, 1, 0, 0, 0, 0]
GUESS = [1, 1, 1, 0, 1, 0, 0, 0]


@experiment("C18", "Positive-unlabelled recall and precision")
def positive_unlabeled(record: Record) -> None:
    """Label two of four positives in all six ways; then replace counts by expected counts with symbols."""
    import sympy

    recall = Fraction(3, 4)
    observed = []
    for labelled in combinations(range(4), 2):
        shown = [int(i in labelled) for i in range(len(TRUTH))]
        observed.append(ix.evaluate(shown, GUESS).exact("recall"))  # nominal: unlabelled taken for negative
    record.finds("complete labels: recall 3/4", ix.recall(TRUTH, GUESS) == recall)
    record.claim(
        "recall of the labelled positives, the least of six samples",
        paper=recall,
        ours=min(observed),
        pinned="1/2",
        differs="tp_obs = c tp holds for expected counts; a sample gives an estimate",
        errata="C18",
    )
    record.finds(
        "the mean of nominal recall over all six samples is recall", sum(observed, Fraction(0)) / len(observed) == recall
    )

    tp, fp, fn, tn, c = sympy.symbols("tp fp fn tn c", positive=True)
    true, expected = ix.Counts(tp, fp, fn, tn), ix.Counts(c * tp, fp + (1 - c) * tp, c * fn, tn + (1 - c) * fn)
    record.holds("expected counts: recall stays", sympy.simplify(ix.recall(expected) - ix.recall(true)) == 0)
    record.finds(
        "expected counts: precision is c times precision", sympy.simplify(ix.precision(expected) - c * ix.precision(true)) == 0
    )
    record.finds("expected counts with tn_obs = tn + (1-c) fn sum to n", sympy.simplify(expected.n - true.n) == 0)
    guess = [1, 1, 0, 0, 1, 0, 0, 0]
    half: Any = ix.tasks.positive_unlabeled([1, 0, 1, 0, 0, 0, 0, 0], guess)  # half of the found, half of the missed
    complete = ix.evaluate(TRUTH, guess)
    record.finds(
        "at(propensity=1/2) gives precision back", half.at(propensity=0.5).score("precision") == complete.score("precision")
    )
