"""Three extensions of eleven measures, written out on the indicator matrices (tab:extensions)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

SEED = 7
EXAMPLES, CLASSES = 60, 5
BETA = 2
Array = np.ndarray[Any, Any]
Formula = Callable[..., Any]


def f_beta(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Return F-beta."""
    return (1 + BETA**2) * tp / ((1 + BETA**2) * tp + BETA**2 * fn + fp)


def mcc(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Return Matthews' correlation coefficient."""
    return (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


def kappa(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Return Cohen's kappa."""
    n = tp + fp + fn + tn
    expected = ((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn)) / n**2
    return ((tp + tn) / n - expected) / (1 - expected)


# Measure, its formula for arrays, its name in our catalogue, and the averages that the table marks as without a name.
ROWS: tuple[tuple[str, Formula, str, tuple[str, ...]], ...] = (
    ("Precision", lambda tp, fp, fn, tn: tp / (tp + fp), "precision", ()),
    ("Recall", lambda tp, fp, fn, tn: tp / (tp + fn), "recall", ()),
    ("Specificity", lambda tp, fp, fn, tn: tn / (tn + fp), "specificity", ()),
    ("F-beta", f_beta, f"f_beta(beta={BETA})", ()),
    ("Jaccard", lambda tp, fp, fn, tn: tp / (tp + fp + fn), "jaccard", ()),
    ("Error rate", lambda tp, fp, fn, tn: (fp + fn) / (tp + fp + fn + tn), "error_rate", ()),
    ("Accuracy", lambda tp, fp, fn, tn: (tp + tn) / (tp + fp + fn + tn), "accuracy", ()),
    ("Balanced accuracy", lambda tp, fp, fn, tn: (tp / (tp + fn) + tn / (tn + fp)) / 2, "balanced_accuracy", ("exemplar",)),
    ("G-mean", lambda tp, fp, fn, tn: np.sqrt(tp / (tp + fn) * tn / (tn + fp)), "g_mean", ("exemplar",)),
    ("MCC", mcc, "mcc", ("macro", "exemplar")),
    ("Cohen's kappa", kappa, "cohen_kappa", ("exemplar",)),
)
AVERAGES = ("micro", "macro", "exemplar")
NAMED_IN_TABLE_ONLY = {  # rows where the table has names that the paper's own catalogue marks as not established
    "Error rate": "the appendix marks the per-class and the per-example error rate, this table does not",
    "Accuracy": "the appendix marks per-class and per-example accuracy, this table does not",
    "Cohen's kappa": "the appendix marks macro-kappa, this table does not",
}


def literal(formula: Formula, y: Array, yhat: Array) -> dict[str, float]:
    """Return three extensions of a formula, written out; undefined entries are left out."""
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
    """Compute 33 extensions from the matrices and with the library, for classes and for labels."""
    rng = np.random.default_rng(SEED)
    codes, guess = rng.integers(CLASSES, size=(2, EXAMPLES))
    guess = np.where(rng.random(EXAMPLES) < 0.6, codes, guess)
    truth = rng.random((EXAMPLES, CLASSES)) < 0.3
    found = truth ^ (rng.random((EXAMPLES, CLASSES)) < 0.2)
    matrices = ((codes[:, None] == range(CLASSES), guess[:, None] == range(CLASSES)), (truth, found))
    multiclass = ix.evaluate(codes, guess, classes=range(CLASSES))
    multilabel = ix.evaluate(truth.astype(int), found.astype(int))
    record.note(
        f"{EXAMPLES} random examples, of {CLASSES} classes and of {CLASSES} labels, seed {SEED}; F-beta at beta = {BETA}."
    )
    for title, formula, name, unnamed in ROWS:
        for average in AVERAGES:
            ours = [ev.score(name, average) for ev in (multiclass, multilabel)]
            same = np.allclose(ours, [literal(formula, *pair)[average] for pair in matrices], rtol=1e-12, atol=0)
            record.holds(f"{title}, {average}: the formula applied to the sums of the matrices", same)
        known = ix.algebra.MEASURES[name.partition("(")[0]].known_as
        record.declares(
            f"{title}: averages without an established name",
            paper=unnamed,
            ours=tuple(a for a in AVERAGES if a not in known),
            differs=NAMED_IN_TABLE_ONLY.get(title, ""),
            pinned=("macro", "exemplar") if title in NAMED_IN_TABLE_ONLY else None,
            errata="D",
        )
    for title, ev in (("One class per example", multiclass), ("Several labels per example", multilabel)):
        rows = [(row, *(float(ev.score(name, a)) for a in AVERAGES)) for row, _, name, _ in ROWS]
        record.table(title, ("Measure", "Micro", "Macro", "Exemplar"), rows)
    _multiclass_remarks(record, multiclass)
    _multilabel_remarks(record, multilabel, truth, found)
    _informedness(record)


def _multiclass_remarks(record: Record, multiclass: ix.Evaluation) -> None:
    """Check the remarks on one class per example (tab:extensions, sec:notable)."""
    m, share = CLASSES, multiclass.score("exact_match")
    record.holds(
        "one-hot: exemplar accuracy is (m-2)/m + (2/m) accuracy",
        np.isclose(multiclass.score("accuracy", "exemplar"), (m - 2) / m + 2 / m * share),
    )
    wrong = ix.evaluate(range(m), np.roll(range(m), 1))
    record.holds(
        "one-hot: exemplar accuracy is (m-2)/m, its least value, if everything is wrong",
        np.isclose(wrong.score("accuracy", "exemplar"), (m - 2) / m),
    )
    record.holds(
        "micro-MCC is distinct from Gorodkin's multiclass MCC",
        not np.isclose(multiclass.score("mcc", "micro"), ix.multiclass_mcc(multiclass)),
    )


def _multilabel_remarks(record: Record, multilabel: ix.Evaluation, truth: Array, found: Array) -> None:
    """Check the remarks on several labels per example (tab:extensions, sec:notable)."""
    hamming = (truth ^ found).mean()
    error_rate, accuracy = (multilabel.score(name, "micro") for name in ("error_rate", "accuracy"))
    record.holds("micro error rate is the Hamming loss, Σ1(Y xor Yhat)/(nm)", np.isclose(error_rate, hamming))
    record.holds("micro accuracy is label accuracy, 1 minus the Hamming loss", np.isclose(accuracy, 1 - hamming))
    record.holds(
        "multilabel: exemplar accuracy is the example-based accuracy of the literature, the mean of |Y ∩ Z|/|Y ∪ Z|",
        np.isclose(multilabel.score("accuracy", "exemplar"), multilabel.score("jaccard", "exemplar")),
        differs="(tp_i + tn_i)/m is one minus the Hamming loss; what the literature calls so is the exemplar Jaccard index",
        errata="C17",
    )
    record.holds(
        "per-class kappa needs marginals of Y and Yhat in addition to tp, fp, fn, tn",
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
    """Check the example of informedness, and values of total failure (sec:extensions)."""
    import sympy

    m, counts, implied = sympy.Symbol("m"), ix.Counts(*sympy.symbols("tp fp fn tn")), ix.properties("informedness")
    difference = ix.informedness(counts) - (2 * ix.balanced_accuracy(counts) - 1)
    record.holds("informedness is 2 BA - 1", sympy.simplify(difference) == 0)
    record.claim("informedness is aggregation-decomposable", paper=False, ours=implied.decomposable)
    record.claim("informedness is skew-invariant", paper=True, ours=implied.skew_invariant)
    named = tuple(ix.informedness.known_as)
    record.declares("averages of informedness with an established name", paper=(), ours=named)
    floors = {"informedness": -1 / (m - 1), "error_rate": 2 / m, "false_positive_rate": 1 / (m - 1)}
    for name, printed in floors.items():
        ours = ix.theory.floor(name, m)
        record.holds(f"one-hot, everything wrong: micro {words(name)} is {printed}", sympy.simplify(ours - printed) == 0)
