"""Which averages depend on the priors in which setting (tab:skew_settings, cor:micro_skew)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

SEED = 1
ONE_RATE = "an example of one column is positive or negative, so it has recall or specificity, never both: no example has a value"
MACRO = ("recall", "specificity", "balanced_accuracy", "g_mean")
PRIOR_FREE, DEPENDENT, INVARIANT, SENSITIVE = "prior-free", "prior-dependent", "invariant", "sensitive"
PRINTED = {  # (average, measure) -> binary, multilabel, multiclass
    ("per-class", "recall"): (PRIOR_FREE, PRIOR_FREE, PRIOR_FREE),
    ("per-class", "specificity"): (PRIOR_FREE, PRIOR_FREE, DEPENDENT),
    ("macro", "recall"): (INVARIANT, INVARIANT, INVARIANT),
    ("macro", "specificity"): (INVARIANT, INVARIANT, SENSITIVE),
    ("macro", "balanced_accuracy"): (INVARIANT, INVARIANT, SENSITIVE),
    ("macro", "g_mean"): (INVARIANT, INVARIANT, SENSITIVE),
    **{("micro", measure): (None, SENSITIVE, SENSITIVE) for measure in MACRO},
    **{("exemplar", measure): (None, SENSITIVE, SENSITIVE) for measure in MACRO},
}


@experiment("tab:skew_settings", "Skew behaviour of the averages, by setting")
def skew_by_setting(record: Record) -> None:
    """Decide every cell on one problem per setting, by a theorem or in exact arithmetic."""
    problems = {"binary": _binary(), "multilabel": _multilabel(), "multiclass": _multiclass()}
    rows = []
    for (average, measure), printed in PRINTED.items():
        cells: list[str] = []
        for (setting, (ev, priors)), paper in zip(problems.items(), printed, strict=True):
            ours = "not applicable" if paper is None else _behaviour(ev, average, measure, priors)
            cells.append(ours)
            if paper is not None:
                record.claim(f"{average} {words(measure)}, {setting}", paper=paper, ours=ours)
        rows.append([average, words(measure), *cells])
    record.table("Behaviour under changing priors", ["average", "measure", *problems], rows)
    record.note(
        "The problems: 100 positives and 100 negatives with recall 0.8 and specificity 0.9; 400 examples with three labels of "
        f"different prevalence, recall and specificity (default_rng({SEED})); the rates of ex:ovr_skew."
    )
    _one_column(record)
    _equal_recalls(record)
    _configurations(record)


def _binary() -> tuple[ix.Evaluation, Any]:
    return ix.from_counts(tp=80, fp=10, fn=20, tn=90), [Fraction(1, 10)]


def _multilabel() -> tuple[ix.Evaluation, Any]:
    rng = np.random.default_rng(SEED)
    truth = rng.random((400, 3)) < (0.5, 0.3, 0.2)
    guess = rng.random((400, 3)) < np.where(truth, (0.9, 0.7, 0.6), (0.2, 0.1, 0.05))
    return ix.evaluate(truth.astype(int), guess.astype(int)), [Fraction(1, 10), Fraction(1, 2), Fraction(4, 5)]


def _multiclass() -> tuple[ix.Evaluation, Any]:
    return ix.from_confusion([[80, 15, 5], [30, 60, 10], [5, 25, 70]]), [Fraction(8, 10), Fraction(1, 10), Fraction(1, 10)]


def _behaviour(ev: ix.Evaluation, average: str, measure: str, priors: Any) -> str:
    if average == "per-class":
        same = np.allclose(ev.values(measure), ev.with_priors(priors).values(measure), rtol=1e-12, atol=0)
        return PRIOR_FREE if same else DEPENDENT
    evidence = ev.skew_conditions().prior_free(measure, average)
    return "undecided" if evidence.holds is None else INVARIANT if evidence.holds else SENSITIVE


def _one_column(record: Record) -> None:
    """Check the footnote that all operators give the binary measure where there is one column."""
    column = np.repeat([1, 1, 0, 0], (8, 2, 1, 9))[:, None], np.repeat([1, 0, 1, 0], (8, 2, 1, 9))[:, None]
    ev = ix.evaluate(*column)
    for average in ("micro", "macro"):
        same = all(ev.score(measure, average) == ev.score(measure) for measure in MACRO)
        record.holds(f"one column: {average} is the binary measure", same)
    for measure in MACRO:
        record.holds(
            f"one column: exemplar {words(measure)} is the binary measure",
            ev.score(measure, "exemplar") == ev.score(measure),
            differs="" if measure in ("recall", "specificity") else ONE_RATE,
            errata="C22",
        )


def _equal_recalls(record: Record) -> None:
    """Check what the text says about classes with equal rates: R_jj = 0.7 for all j."""
    ev = ix.from_confusion([[70, 30, 0], [20, 70, 10], [5, 25, 70]])
    priors = [(Fraction(k, 10), Fraction(9 - k, 10), Fraction(1, 10)) for k in range(1, 9)]
    drift = ev.prior_sensitivity("recall", *priors, average="micro")
    record.claim("micro recall where every class has recall 0.7", paper="0.7", ours=drift.values[0])
    record.holds("every class has recall 0.7: micro recall is the same at all priors tried", drift.spread == 0)
    specificity = ev.prior_sensitivity("specificity", *priors, average="micro")
    record.holds(
        "every class has recall 0.7: micro specificity moves, as the specificities differ",
        specificity.spread > 0,
        differs="under one class per example equal recalls fix all pooled counts; the specificities here are "
        + ", ".join(f"{x:.3f}" for x in ev.values("specificity")),
        errata="C7",
    )


def _configurations(record: Record) -> None:
    """Fix the behaviour for each label set instead of each label: then multilabel macro recall does move."""
    label_sets = [[1, 0], [1, 1], [0, 1], [0, 0]]
    chance = [[0.9, 0.1], [0.5, 0.8], [0.2, 0.7], [0.1, 0.1]]  # of each label to be predicted
    one, other = (
        # The product of truth and probability is the expected count.
        ix.evaluate(label_sets, chance, tnorm="product", sample_weight=weight)
        for weight in ([0.4, 0.1, 0.4, 0.1], [0.1, 0.4, 0.1, 0.4])
    )
    before, after = one.score("recall", "macro"), other.score("recall", "macro")
    record.holds(
        "multilabel macro recall is invariant unconditionally, also if behaviour is fixed for each label set",
        abs(before - after) < 1e-12,
        differs=f"it moves from {before:.2f} to {after:.2f}, both prevalences still 1/2",
        pinned="it moves from 0.77 to 0.68, both prevalences still 1/2",
        errata="C8",
    )
