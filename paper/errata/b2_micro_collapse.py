"""With one class per example every micro measure is a function of accuracy (thm:micro_collapse)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isclose

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words


@experiment("B2", "The full micro collapse")
def micro_collapse(record: Record) -> None:
    """Compare micro measures with functions of accuracy, and rescale them."""
    problems = [(m, n, right) for m, n in ((3, 6), (5, 7), (10, 9)) for right in range(n + 1)]

    def is_function(measure: ix.Measure, of_accuracy: Callable[[Fraction, int], Fraction]) -> bool:
        return all(one_hot(m, n, right).exact(measure, "micro") == of_accuracy(Fraction(right, n), m) for m, n, right in problems)

    for measure in (ix.mcc, ix.measures.kappa, ix.informedness, ix.measures.markedness):
        held = is_function(measure, lambda acc, m: (m * acc - 1) / (m - 1))
        record.finds(f"micro {words(measure.name)} = (m acc - 1)/(m - 1)", held)
    for measure in (ix.specificity, ix.measures.npv):
        held = is_function(measure, lambda acc, m: 1 - (1 - acc) / (m - 1))
        record.finds(f"micro {words(measure.name)} = 1 - (1 - acc)/(m - 1)", held)
    record.finds("micro label accuracy = 1 - 2(1 - acc)/m", is_function(ix.accuracy, lambda acc, m: 1 - 2 * (1 - acc) / m))
    ev = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])
    accuracy = ev.score("exact_match")
    unit = {name: ix.theory.rescale(ev.score(name, "micro"), 3) for name in ("accuracy", "specificity", "npv")}
    signed = {name: ix.theory.rescale(ev.score(name, "micro"), 3) for name in ("mcc", "kappa", "informedness", "markedness")}
    record.finds(
        "micro label accuracy, specificity and NPV, mapped from their floors onto [0, 1], are accuracy",
        all(isclose(x, accuracy) for x in unit.values()),
    )
    record.finds(
        "micro MCC, kappa, informedness and markedness, mapped onto [-1, 1], are 2 accuracy - 1",
        all(isclose(x, 2 * accuracy - 1) for x in signed.values()),
    )
    kinds = [finding.kind for finding in ev.findings(["mcc"], ["micro"])]
    record.finds("ours says so in findings()", "collapse" in kinds)
    sets = ix.evaluate([[1, 0, 1], [0, 0, 1]], [[1, 1, 0], [0, 0, 1]])
    for name in ("accuracy", "error_rate"):
        values = [sets.score(name, average) for average in ("micro", "macro", "exemplar")]
        record.finds(f"{words(name)} of label sets: micro = macro = exemplar", all(isclose(x, values[0]) for x in values))


def one_hot(m: int, n: int, right: int) -> ix.Evaluation:
    """Return the evaluation of n examples of m classes, some of them right and the others wrong."""
    truth = [i % m for i in range(n)]
    guess = [k if i < right else (k + 1) % m for i, k in enumerate(truth)]
    return ix.evaluate(truth, guess, classes=range(m))
