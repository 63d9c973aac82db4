"""Two measures of the catalogue are skew-invariant and lack the mark (sec:catalogue, thm:skew)."""

from __future__ import annotations

import math
from itertools import product

import indicatrix as ix

from ..record import Record, experiment

MARKED = (
    "balanced_error_rate", "recall", "false_negative_rate", "specificity", "false_positive_rate", "balanced_accuracy", "g_mean",
    "informedness", "discriminant_power", "positive_likelihood_ratio", "negative_likelihood_ratio", "diagnostic_odds_ratio",
    "odds_ratio",
)  # fmt: skip
UNMARKED = (
    "accuracy", "error_rate", "precision", "false_discovery_rate", "f_beta(beta=2)", "jaccard", "fowlkes_mallows", "lift",
    "negative_predictive_value", "false_omission_rate", "markedness", "f_beta_negative(beta=2)", "optimised_precision", "mcc",
    "cohen_kappa", "phi", "gwet_ac1", "coverage", "relative_accuracy", "weighted_relative_accuracy", "novelty", "conviction",
    "chi_squared", "piatetsky_shapiro", "sebag_schoenauer",
)  # fmt: skip
FORGOTTEN = {
    "subset_accuracy": "it is 1 where recall and specificity are 1, and 0 elsewhere",
    "tetrachoric": "it is a function of the odds ratio, as discriminant power is, which has the mark",
}


@experiment("C1", "Skew-invariance without a mark")
def skew_invariance_marks(record: Record) -> None:
    """Decide skew-invariance from the formulas, and write the two that lack the mark as functions of the rates."""
    for name, reason in FORGOTTEN.items():
        record.claim(
            f"{name} is marked as skew-invariant",
            paper=False,
            ours=ix.properties(name, prove=False).skew_invariant,
            differs=reason,
            errata="C1",
        )
    invariant = [name for name in (*MARKED, *UNMARKED) if ix.properties(name, prove=False).skew_invariant]
    record.holds("all other marks of the catalogue, and blanks, are right", invariant == list(MARKED))

    vectors = [ix.Counts(*v) for v in product((1, 2, 5, 9), repeat=4)]
    odds = [ix.diagnostic_odds_ratio(v) for v in vectors]
    by_odds = {
        "tetrachoric": [math.cos(math.pi / (1 + math.sqrt(x))) for x in odds],
        "discriminant_power": [math.sqrt(3) / math.pi * math.log(x) for x in odds],
    }
    formulas = {"tetrachoric": "cos(π/(1 + √OR))", "discriminant_power": "(√3/π) log OR"}
    for name, values in by_odds.items():
        ours = [ix.MEASURES[name](v) for v in vectors]
        same = all(math.isclose(a, b, abs_tol=1e-12) for a, b in zip(ours, values, strict=True))
        record.holds(f"{name} is {formulas[name]}, OR the odds ratio", same)
    with_zeros = [v for v in (ix.Counts(*x) for x in product(range(4), repeat=4)) if v.tpos and v.tneg]
    perfect = [ix.recall(v) == 1 and ix.specificity(v) == 1 for v in with_zeros]
    record.holds("subset accuracy is 1[recall = 1, specificity = 1]", [ix.subset_accuracy(v) == 1 for v in with_zeros] == perfect)
