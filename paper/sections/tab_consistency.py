"""Linear measures, their Bayes thresholds and ERM-consistency (tab:consistency)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

SEED = 11
UTILITY = "linear_utility(alpha={}, beta={}, gamma={}, delta={})"
# Objective, measure of the catalogue, (alpha, beta, gamma, delta) and t* as printed, ERM-consistent?
NUMERIC = (
    ("Accuracy", "accuracy", "(1, 0, 0, 1)", "1/2", True),
    ("Error rate, sign reversed", "error_rate", "(0, 1, 1, 0)", "1/2", True),
    ("Recall", "recall", "(1, 0, 0, 0)", "0", False),
    ("Specificity", "specificity", "(0, 0, 0, 1)", "1", False),
    ("Cost-sensitive 5:1", UTILITY.format(0, 1, 5, 0), "(0, 1, 5, 0)", "1/6", False),
    ("Cost-sensitive 10:1", UTILITY.format(0, 1, 10, 0), "(0, 1, 10, 0)", "1/11", False),
)
DECIMALS = {"Cost-sensitive 5:1": "0.167", "Cost-sensitive 10:1": "0.091"}


def coefficients(found: ix.types.Properties) -> tuple[Any, ...]:
    """Return (alpha, beta, gamma, delta): gains of tp and tn, prices of fp and fn.

    The sign of a loss is reversed, so that more is better.
    """
    sign = -1 if found.measure.better == "lower" else 1
    return tuple(sign * value * coefficient for value, coefficient in zip((1, -1, -1, 1), found.a or (), strict=True))


@experiment("tab:consistency", "Bayes thresholds and ERM-consistency of linear measures")
def consistency(record: Record) -> None:
    """Recover coefficients and thresholds from formulas, and compare with the best decisions."""
    eta = np.random.default_rng(SEED).random(400)
    record.note(f"The best decisions are those of a population of {len(eta)} random conditional probabilities, seed {SEED}.")
    table: list[Sequence[Any]] = []
    for title, name, printed, threshold, erm in NUMERIC:
        found = ix.properties(name)
        record.claim(f"{title}: alpha, beta, gamma, delta", paper=printed, ours=coefficients(found))
        record.claim(f"{title}: t*", paper=threshold, ours=found.threshold)
        record.claim(f"{title}: ERM-consistent", paper=erm, ours=found.erm_consistent)
        if title in DECIMALS:
            record.claim(f"{title}: t* in decimals", paper=DECIMALS[title], ours=found.threshold)
        record.holds(f"{title}: the best decisions are eta ≥ t*", _is_best_threshold(name, found.threshold, eta))
        table.append((title, *coefficients(found), found.threshold, "yes" if found.erm_consistent else "no"))
    best = {name: ix.theory.optimal_threshold(name, eta).decisions for name in ("recall", "specificity")}
    record.holds("recall is best served by predicting everything positive", best["recall"].all())
    record.holds("specificity is best served by predicting everything negative", not best["specificity"].any())
    table += _families(record, eta)
    header = ("Objective", "alpha", "beta", "gamma", "delta", "t*", "ERM-consistent")
    record.table("Linear coefficients, best thresholds, consistency", header, table)
    _beyond(record, eta)


def _is_best_threshold(name: str, threshold: Any, eta: np.ndarray[Any, Any]) -> bool:
    """Return whether the best decisions in a population are those of the threshold."""
    return bool((ix.theory.optimal_threshold(name, eta).decisions == (eta >= float(threshold))).all())


def _families(record: Record, eta: np.ndarray[Any, Any]) -> list[Sequence[Any]]:
    """Check and return the rows with a parameter, by symbols and by numbers."""
    import sympy

    w, p_t = sympy.symbols("w p_t")
    alpha, beta, gamma, delta = utilities = sympy.symbols("alpha beta gamma delta")
    families = (
        ("Weighted accuracy (w)", ix.measures.weighted_accuracy.at(w=w), (w, 0, 0, 1 - w), 1 - w, sympy.Eq(w, Fraction(1, 2))),
        (
            "Clinical net benefit (p_t)",
            ix.net_benefit.at(p_t=p_t),
            (1, p_t / (1 - p_t), 0, 0),
            p_t,
            sympy.Eq(p_t, Fraction(1, 2)),
        ),
        (
            "General linear cost-utility",
            ix.measures.linear_utility.at(**{str(x): x for x in utilities}),
            utilities,
            (beta + delta) / sum(utilities),
            sympy.Eq(alpha + gamma, beta + delta),
        ),
    )
    rows: list[Sequence[Any]] = []
    for title, measure, printed, threshold, condition in families:
        found, symbol = ix.properties(measure), next(iter(measure.params.values()))
        ours, best = coefficients(found), found.threshold
        scaled = [sympy.simplify(x * printed[0] - y * ours[0]) for x, y in zip(ours, printed, strict=True)]
        record.holds(f"{title}: coefficients {printed}, up to their scale", not any(scaled))
        record.holds(f"{title}: t* = {threshold}", sympy.simplify(best - threshold) == 0)
        balanced = sympy.solve(condition, symbol)
        record.holds(
            f"{title}: ERM-consistent iff {condition.lhs} = {condition.rhs}",
            sympy.solve(best - Fraction(1, 2), symbol) == balanced,
        )
        rows.append((title, *map(str, printed), str(best), f"iff {condition.lhs} = {condition.rhs}"))
    for name in ("weighted_accuracy(w=0.75)", "net_benefit(p_t=0.2)", UTILITY.format(3, 1, 2, 0)):
        found = ix.properties(name)
        record.holds(f"{words(name)}: the best decisions are eta ≥ t*", _is_best_threshold(name, found.threshold, eta))
    return rows


def _beyond(record: Record, eta: np.ndarray[Any, Any]) -> None:
    """Check what the section says of measures and averages outside the table (sec:consistency)."""
    f1 = ix.theory.optimal_threshold("f1", eta)
    record.holds("F1 has no threshold that serves all populations", ix.properties("f1").threshold is None)
    scaled = ix.theory.optimal_threshold("f1", eta / 2)
    lowest = [eta[f1.decisions].min(), (eta / 2)[scaled.decisions].min()]  # of the accepted, with a high and a low best value
    record.holds(
        "micro-F1: the best decisions are a threshold on eta that moves with the best value",
        (f1.decisions == (eta >= lowest[0])).all() and lowest[0] > lowest[1] and f1.value > scaled.value,
    )
    halved = (f1.decisions == (eta >= f1.value / 2)).all()
    record.finds("micro-F1: the best threshold is half of the best value", halved)
    record.holds(
        "closed-form thresholds are those of fixed linear numerators: balanced accuracy does not have one",
        ix.properties("balanced_accuracy").threshold is None,
        differs="balanced accuracy and informedness are best decided at the prevalence",
        errata="C10",
    )
    labels = np.random.default_rng(SEED).random((200, 3)) * (1, 0.7, 0.4)
    macro = ix.theory.optimal_threshold("weighted_accuracy(w=0.75)", labels, average="macro").decisions
    record.holds(
        "macro averages of these measures need a threshold tuned for each class",
        (macro != (labels >= 1 - 0.75)).any(),
        differs="the macro average of a linear measure keeps the same t* for every label",
        errata="C10",
    )
