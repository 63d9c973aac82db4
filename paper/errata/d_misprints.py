"""Misprints, swapped words, wrong cross-references and miscounts (errata D)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import indicatrix as ix

from ..appendix import MARKED, SOFT_MARKS, SUMMARY, marks
from ..record import Record, experiment
from ..training import cross_validated
from ..wording import words

# What is numbered, in the order in which it appears.
THEOREMS = ("thm:micro_macro", "thm:micro_collapse", "thm:partition", "thm:ordinal_cost", "thm:skew")
PROPOSITIONS = (
    "prop:which_decomposable", "prop:hamming_accuracy", "prop:dof", "prop:preserved", "prop:lower_boundary", "prop:ovr_skew",
    "prop:exemplar_skew", "prop:skew_decomp", "prop:consistency", "accuracy and error rate", "prop:roc", "prop:ordinal_auc",
)  # fmt: skip
EQUATIONS = (
    "eq:er1", "eq:er2", "eq:er3", "eq:er4", "eq:micro_ext", "eq:class_ext", "eq:example_ext", "eq:undef_convention", "eq:argmax",
    "eq:threshold",
)  # fmt: skip
TABLES = ("tab:confusion_matrix", "tab:measures", "tab:extensions")
SECTIONS = ("introduction", "related work", "sec:binary", "sec:matrix", "sec:extensions", "settings")
# What the appendix cites, how it says, and where that is.
CITED = (
    ("skew-invariance", "Theorem 4", "Theorem", THEOREMS, "thm:skew"),
    ("product t-norm", "Theorem 2", "Theorem", THEOREMS, "thm:partition"),
    ("ROC and AUC", "Proposition 11", "Proposition", PROPOSITIONS, "prop:roc"),
    ("thresholding", "Eq. (6)", "Eq.", EQUATIONS, "eq:threshold"),
    ("mean IoU", "Table 2", "Table", TABLES, "tab:extensions"),
    ("boundary settings", "Section 2", "Section", SECTIONS, "settings"),
)


@experiment("D", "Misprints")
def misprints(record: Record) -> None:
    """Recompute the numbers, see what the words mean, and count."""
    numbers(record)
    wrong_words(record)
    references(record)
    counts(record)
    record.note(
        "Not stated, so that only the claims can be checked: the rates of four classes (fig:skew), the Dirichlet parameters "
        "(fig:cov, fig:tnorm), the pipelines for yeast and emotions, the split of mammography. Experiments say what they take."
    )


def numbers(record: Record) -> None:
    """Claim the three numbers whose last digit is cut off, not rounded."""
    ev = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])
    digits = ix.evaluate(*cross_validated(record.data, "digits"))
    printed = {
        "macro recall of ex:counterexample": ("0.695", ev.score("recall", "macro"), "217/312 = 0.69551 rounds to 0.696"),
        "micro G-mean of ex:counterexample": ("0.792", ev.score("g_mean", "micro"), "2√19/11 = 0.79253 rounds to 0.793"),
        "micro Jaccard of digits": ("0.874", digits.score("jaccard", "micro"), "1677/1917 = 0.8748 rounds to 0.875"),
    }
    for what, (paper, ours, reason) in printed.items():
        record.claim(what, paper=paper, ours=float(ours), differs=reason, errata="D")
    pooled = digits.aggregate()
    right, n = int(pooled.tp), digits.n
    record.finds(
        "digits: 1677 of 1797 are right, and C/(2n - C) is 1677/1917", Fraction(right, 2 * n - right) == Fraction(1677, 1917)
    )


def wrong_words(record: Record) -> None:
    """Claim what the words say, by small examples."""
    for name, cell, said in (("false positive", "fp", "positive"), ("false negative", "fn", "negative")):
        actual = next(y for y in (0, 1) if getattr(ix.evaluate([y], [1 - y], classes=[0, 1], positive=1).binary(), cell))
        record.claim(
            f"class that a {name} belongs to, in the text of sec:binary",
            paper=said,
            ours="positive" if actual else "negative",
            differs="swapped; def:vectors is right",
            errata="D",
        )
    grid = np.linspace(0, 1, 21)
    a, b = (side.ravel() for side in np.meshgrid(grid, grid))
    lukasiewicz, godel = (ix.tnorm(name)(a, b) for name in ("lukasiewicz", "godel"))
    record.holds(
        "Gödel is the weakest overlap and Łukasiewicz the strongest (tab:tnorms)",
        ours=bool((godel <= lukasiewicz).all()),
        differs="min(a, b) is the largest of all t-norms, and max(0, a+b-1) is below it",
        errata="D",
    )
    record.claim(
        "the conservative t-norm (sec:soft_truth; in sec:tnorm_emp it is the other)",
        paper="Gödel",
        ours="Łukasiewicz" if (lukasiewicz <= godel).all() else "Gödel",
        differs="the smaller t-norm is the more conservative: the texts contradict each other",
        errata="D",
    )
    levels = {setting.level for setting in ix.SETTINGS.values()}
    record.claim(
        "levels of claim that the text before tab:settings names",
        paper=3,
        ours=len(levels),
        differs=f"the table has {', '.join(sorted(levels))}",
        errata="D",
    )
    for measure, average in (("accuracy", "macro"), ("cohen_kappa", "macro")):
        record.holds(
            f"{average} {words(measure)} has an established name, as tab:extensions has no mark",
            ours=average in ix.MEASURES[measure].known_as,
            differs="the appendix of the same paper marks it as without one, and ours follows that",
            errata="D",
        )


def references(record: Record) -> None:
    """Claim the numbers by which the appendix cites the paper."""
    for what, said, kind, numbered, label in CITED:
        number, cited = numbered.index(label) + 1, int(said.rpartition(" ")[2].strip("()"))
        record.claim(
            f"where the paper has what the appendix cites: {what}",
            paper=said,
            ours=f"{kind} ({number})" if kind == "Eq." else f"{kind} {number}",
            differs="" if cited == number else f"{said} is {numbered[cited - 1]}",
            errata="" if cited == number else "D",
        )


def counts(record: Record) -> None:
    """Claim the number of marked averages; sec:catalogue claims it for each group."""
    rows = [(group, said, sum(marks(group))) for group, (_, _, said) in SUMMARY.items()]
    printed, counted = sum(int(said) for _, said, _ in rows), sum(found for *_, found in rows)
    record.table(
        "Averages marked as without an established name", ["group", "summary", "table"], [*rows, ("sum", printed, counted)]
    )
    record.claim(
        "averages marked as without an established name, in total",
        paper=MARKED,
        ours=counted,
        differs=f"the summary's column sums to {printed}, the tables have {counted} marks, {counted + SOFT_MARKS} with Group 9",
        errata="D",
    )
