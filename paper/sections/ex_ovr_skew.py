"""Macro averages drift with the priors unless errors are uniform (ex:ovr_skew, prop:ovr_skew)."""

from __future__ import annotations

from fractions import Fraction

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

# One hundred examples of each class, so that the present priors are uniform and the counts are the rates in percent.
RATES = [[80, 15, 5], [30, 60, 10], [5, 25, 70]]
UNIFORM_ERRORS = [[80, 15, 5], [10, 85, 5], [10, 15, 75]]  # c = (0.10, 0.15, 0.05) off the diagonal
SKEWED = (Fraction(8, 10), Fraction(1, 10), Fraction(1, 10))
ELSEWHERE = [(Fraction(a, 10), Fraction(b, 10), Fraction(10 - a - b, 10)) for a in range(1, 9) for b in range(1, 10 - a)]
PRINTED = {
    "recall": ("0.7000", "0.7000"),
    "balanced_accuracy": ("0.7750", "0.7847"),
    "g_mean": ("0.7700", "0.7783"),
}


@experiment("ex:ovr_skew", "Residual skew-sensitivity of macro averages")
def residual_skew(record: Record) -> None:
    """Move a classifier from uniform to skewed priors, in exact arithmetic."""
    ev = ix.from_confusion(RATES)
    rows = []
    for measure, (before, after) in PRINTED.items():
        drift = ev.prior_sensitivity(measure, SKEWED)
        record.claim(f"macro {words(measure)}, uniform priors", paper=before, ours=drift.values[0])
        record.claim(f"macro {words(measure)}, priors (0.8, 0.1, 0.1)", paper=after, ours=drift.values[1])
        rows.append(
            [
                words(measure),
                *drift.values,
                drift.spread,
                ix.from_confusion(UNIFORM_ERRORS).prior_sensitivity(measure, SKEWED).spread,
            ]
        )
    record.table(
        "Macro averages of one classifier", ["measure", "uniform priors", "skewed priors", "drift", "drift, uniform errors"], rows
    )
    record.holds("macro recall is strictly constant", ev.prior_sensitivity("recall", SKEWED, *ELSEWHERE).spread == 0)
    record.holds("the errors of the first matrix are not uniform", not ev.skew_conditions().errors_uniform)

    uniform = ix.from_confusion(UNIFORM_ERRORS)
    record.holds("with c = (0.10, 0.15, 0.05) the errors are uniform", uniform.skew_conditions().errors_uniform)
    for measure in ("balanced_accuracy", "g_mean"):
        record.holds(
            f"uniform errors: macro {words(measure)} is strictly invariant",
            uniform.prior_sensitivity(measure, SKEWED, *ELSEWHERE).spread == 0,
        )
        evidence = uniform.skew_conditions().prior_free(measure, "macro")
        record.note(f"Uniform errors: is macro {words(measure)} free of the priors? {evidence}.")
    record.note(f"Strictly: the drift is exactly 0, computed in fractions at {len(ELSEWHERE) + 1} priors with steps of 0.1.")
