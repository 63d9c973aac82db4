"""Micro, macro and exemplar extension of the eleven measures, written out on the indicator matrices (tab:extensions)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import indicatrix as ix

from ..record import Record, experiment

SEED = 7
EXAMPLES, CLASSES = 60, 5
BETA = 2
Array = np.ndarray[Any, Any]
Formula = Callable[..., Any]


def _kappa(tp: Array, fp: Array, fn: Array, tn: Array) -> Any:
    n = tp + fp + fn + tn
    expected = ((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn)) / n**2
    return ((tp + tn) / n - expected) / (1 - expected)


# Measure, its formula for arrays, its name in the catalogue, and the averages that the table marks as without a name.
ROWS: tuple[tuple[str, Formula, str, tuple[str, ...]], ...] = (
    ("Precision", lambda tp, fp, fn, tn: tp / (tp + fp), "precision", ()),
    ("Recall", lambda tp, fp, fn, tn: tp / (tp + fn), "recall", ()),
    ("Specificity", lambda tp, fp, fn, tn: tn / (tn + fp), "specificity", ()),
    (
        "F-beta",
        lambda tp, fp, fn, tn: (1 + BETA**2) * tp / ((1 + BETA**2) * tp + BETA**2 * fn + fp),
        f"f_beta(beta={BETA})",
        (),
    ),
    ("Jaccard", lambda tp, fp, fn, tn: tp / (tp + fp + fn), "jaccard", ()),
    ("Error rate", lambda tp, fp, fn, tn: (fp + fn) / (tp + fp + fn + tn), "error_rate", ()),
    ("Accuracy", lambda tp, fp, fn, tn: (tp + tn) / (tp + fp + fn + tn), "accuracy", ()),
    ("Balanced accuracy", lambda tp, fp, fn, tn: (tp / (tp + fn) + tn / (tn + fp)) / 2, "balanced_accuracy", ("exemplar",)),
    ("G-mean", lambda tp, fp, fn, tn: np.sqrt(tp / (tp + fn) * tn / (tn + fp)), "g_mean", ("exemplar",)),
    (
        "MCC",
        lambda tp, fp, fn, tn: (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
        "mcc",
        ("macro", "exemplar"),
    ),
    ("Cohen's kappa", _kappa, "cohen_kappa", ("exemplar",)),
)
AVERAGES = ("micro", "macro", "exemplar")
NAMED_IN_TABLE_ONLY = {  # rows where the table has names that the paper's own catalogue marks as not established
    "Error rate": "the catalogue marks the per-class and the per-example error rate, this table does not",
    "Accuracy": "the catalogue marks per-class and per-example accuracy, this table does not",
    "Cohen's kappa": "the catalogue marks macro-kappa, this table does not",
}


def literal(formula: Formula, y: Array, yhat: Array) -> dict[str, float]:
    """Return the three extensions of a formula, each operator written out; undefined entries are left out of the means."""
    cells = (y & yhat, ~y & yhat, y & ~yhat, ~y & ~yhat)  # TP, FP, FN, TN
    with np.errstate(divide="ignore", invalid="ignore"):
        micro = formula(*(np.float64(x.sum()) for x in cells))
        per_class = formula(*(x.sum(axis=0) for x in cells))
        per_example = formula(*(x.sum(axis=1) for x in cells))
    return {
        "micro": float(micro),
        "macro": float(per_class[np.isfinite(per_class)].mean()),
        "exemplar": float(per_example[np.isfinite(per_example)].mean()),
    }


@experiment("tab:extensions", "Micro, macro and exemplar extensions of eleven measures")
def extensions(record: Record) -> None:
    """Compute all 33 extensions literally from the matrices and through the library, on one-hot and on multilabel data."""
    rng = np.random.default_rng(SEED)
    codes, guess = rng.integers(CLASSES, size=(2, EXAMPLES))
    guess = np.where(rng.random(EXAMPLES) < 0.6, codes, guess)
    truth = rng.random((EXAMPLES, CLASSES)) < 0.3
    found = truth ^ (rng.random((EXAMPLES, CLASSES)) < 0.2)
    one_hot = (codes[:, None] == range(CLASSES), guess[:, None] == range(CLASSES))
    problems = (
        (one_hot, ix.evaluate(codes, guess, classes=range(CLASSES))),
        ((truth, found), ix.evaluate(truth.astype(int), found.astype(int))),
    )
    record.note(
        f"{EXAMPLES} random examples, of {CLASSES} classes and of {CLASSES} labels, seed {SEED}; F-beta at beta = {BETA}."
    )
    for title, formula, name, unnamed in ROWS:
        for average in AVERAGES:
            same = [math.isclose(ev.score(name, average), literal(formula, *y)[average], rel_tol=1e-12) for y, ev in problems]
            record.holds(f"{average} {title}: the formula on the sums of the matrices", all(same))
        base = ix.MEASURES[name.partition("(")[0]]
        record.claim(
            f"{title}: extensions without an established name",
            paper=unnamed,
            ours=tuple(a for a in AVERAGES if a not in base.known_as),
            differs=NAMED_IN_TABLE_ONLY.get(title, ""),
            errata="D" if title in NAMED_IN_TABLE_ONLY else "",
        )
    for title, ev in zip(("One class per example", "Several labels per example"), (ev for _, ev in problems), strict=True):
        rows = [(row, *(float(ev.score(name, a)) for a in AVERAGES)) for row, _, name, _ in ROWS]
        record.table(title, ("Measure", "Micro", "Macro", "Exemplar"), rows)
    _footnotes(record, problems)
    _informedness(record)


def _footnotes(record: Record, problems: tuple[tuple[tuple[Array, Array], Any], ...]) -> None:
    """Check the remarks under the table and in the section on notable measures (sec:notable)."""
    (_, multiclass), ((truth, found), multilabel) = problems
    m = CLASSES
    hamming = (truth ^ found).sum() / truth.size
    record.holds(
        "micro error rate is the Hamming loss, Σ1(Y xor Yhat)/(nm)", np.isclose(multilabel.score("error_rate", "micro"), hamming)
    )
    record.holds(
        "micro accuracy is label accuracy, 1 minus the Hamming loss",
        np.isclose(multilabel.score("accuracy", "micro"), 1 - hamming),
    )
    share = multiclass.score("exact_match")
    record.holds(
        "one-hot: exemplar accuracy is (m-2)/m + (2/m) accuracy",
        np.isclose(multiclass.score("accuracy", "exemplar"), (m - 2) / m + 2 / m * share),
    )
    wrong = ix.evaluate(range(m), np.roll(range(m), 1))
    record.holds("one-hot: exemplar accuracy is at least (m-2)/m", np.isclose(wrong.score("accuracy", "exemplar"), (m - 2) / m))
    record.holds(
        "micro-MCC is distinct from Gorodkin's multiclass MCC",
        not np.isclose(multiclass.score("mcc", "micro"), ix.multiclass_mcc(multiclass)),
    )
    record.holds(
        "multilabel: exemplar accuracy is the example-based accuracy of the literature",
        ix.accuracy.known_as.get("exemplar") == "Example-based accuracy",
        differs="(tp_i + tn_i)/m is one minus the Hamming loss; that name belongs to the exemplar Jaccard index",
        errata="C17",
    )
    record.holds(
        "per-class kappa needs marginals of Y and Yhat besides tp, fp, fn, tn",
        not np.allclose(multilabel.values("cohen_kappa", per="class"), _kappa_by_marginals(truth, found)),
        differs="the marginals are sums of the four counts, so the same values come from the counts alone",
        errata="B1",
    )


def _kappa_by_marginals(truth: Array, found: Array) -> Array:
    """Return kappa of each label with p_e from the sums of the columns, as the paper tracks them."""
    n, tpos, ppos = len(truth), truth.sum(axis=0), found.sum(axis=0)
    expected = (tpos * ppos + (n - tpos) * (n - ppos)) / n**2
    observed = (truth == found).mean(axis=0)
    return np.asarray((observed - expected) / (1 - expected))


def _informedness(record: Record) -> None:
    """Check the section's example of a measure that is not in the table, and two values of total failure (sec:extensions)."""
    import sympy

    m, counts, implied = sympy.Symbol("m"), ix.Counts(*sympy.symbols("tp fp fn tn")), ix.properties("informedness")
    difference = ix.informedness(counts) - (2 * ix.balanced_accuracy(counts) - 1)
    record.holds("informedness is 2 BA - 1", sympy.simplify(difference) == 0)
    record.claim("informedness is aggregation-decomposable", paper=False, ours=implied.decomposable)
    record.claim("informedness is skew-invariant", paper=True, ours=implied.skew_invariant)
    record.holds("no extension of informedness has an established name", not ix.informedness.known_as)
    floors = {"informedness": -1 / (m - 1), "error_rate": 2 / m, "false_positive_rate": 1 / (m - 1)}
    for name, printed in floors.items():
        ours = ix.floor(name, m)
        record.holds(f"wholly wrong one-hot predictions: {name} is {printed}", sympy.simplify(ours - printed) == 0)
