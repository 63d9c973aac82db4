"""Only macro averages of labels inherit skew-invariance, at fixed rates (sec:skew_settings)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import indicatrix as ix

from ..record import Record, experiment

SETS = np.array([[1, 0], [1, 1], [0, 1], [0, 0]])  # the label sets of two labels
PREDICTED = np.array([[0.9, 0.1], [0.5, 0.8], [0.2, 0.7], [0.1, 0.1]])  # P(label predicted | label set)
MIXTURES = {"A": [0.4, 0.1, 0.4, 0.1], "B": [0.1, 0.4, 0.1, 0.4]}  # shares of the label sets
PREVALENCES = [0.9, 0.2]


@experiment("C8", "Skew-invariance of several labels")
def label_configurations(record: Record) -> None:
    """Mix the same label sets in two ways; then change the prevalences at fixed rates."""
    populations = {name: population(shares) for name, shares in MIXTURES.items()}
    for name, ev in populations.items():
        v = ev.aggregate("class")
        record.finds(f"mixture {name}: both labels have prevalence 1/2", np.allclose(v.tpos / v.n, 0.5))
    values = {name: exactly(ev.score("recall", "macro")) for name, ev in populations.items()}
    record.claim(
        "macro recall of mixture B, equal to that of A if behaviour is fixed for each label set",
        paper=values["A"],
        ours=values["B"],
        pinned="17/25",
        differs="the prevalences are the same, and so is the behaviour on each label set; recall of a label mixes its sets",
        errata="C8",
    )
    record.finds("the values are 77/100 and 17/25", list(values.values()) == [Fraction(77, 100), Fraction(17, 25)])
    ev, moved = populations["A"], populations["A"].with_priors(PREVALENCES)
    same = {m: np.isclose(ev.score(m, "macro"), moved.score(m, "macro")) for m in ("recall", "specificity", "g_mean")}
    record.holds("rates of each label fixed: macro averages do not move with the prevalences", all(same.values()))
    record.holds(
        "rates of each label fixed: micro recall does not move with the prevalences",
        ours=np.isclose(ev.score("recall", "micro"), moved.score("recall", "micro")),
        differs="it weighs the labels by their prevalences: only macro averages inherit the invariance",
        errata="C8",
    )


def population(shares: list[float]) -> ix.Evaluation:
    """Return the evaluation of label sets in these shares.

    Under the product, probabilities give expected counts.
    """
    return ix.evaluate(SETS, PREDICTED, tnorm="product", sample_weight=shares)


def exactly(score: float) -> Fraction:
    """Return the fraction that a float stands for."""
    return Fraction(score).limit_denominator(1000)
