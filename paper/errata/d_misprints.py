"""Misprints, swapped words, wrong cross-references and miscounts (errata D)."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np

import indicatrix as ix

from ..appendix import MARKED, SOFT_MARKS, SUMMARY, marks
from ..record import Record, experiment
from ..training import cross_validate
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
# What the appendix cites, the number it gives, the right number, what is numbered, and the label.
CITED = (
    ("skew-invariance", "Theorem 4", "Theorem 5", THEOREMS, "thm:skew"),
    ("product t-norm", "Theorem 2", "Theorem 3", THEOREMS, "thm:partition"),
    ("ROC and AUC", "Proposition 11", "Proposition 11", PROPOSITIONS, "prop:roc"),
    ("thresholding", "Eq. (6)", "Eq. (10)", EQUATIONS, "eq:threshold"),
    ("mean IoU", "Table 2", "Table 3", TABLES, "tab:extensions"),
    ("boundary settings", "Section 2", "Section 6", SECTIONS, "settings"),
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
    digits = ix.evaluate(*cross_validate(record.data, "digits"))
    printed = {  # the paper's, ours, as we know it, how it is rounded
        "macro recall of ex:counterexample": ("0.695", ev.score("recall", "macro"), "0.69551", "217/312 rounds to 0.696"),
        "micro G-mean of ex:counterexample": ("0.792", ev.score("g_mean", "micro"), "0.79253", "2√19/11 rounds to 0.793"),
        "micro Jaccard of digits": ("0.874", digits.score("jaccard", "micro"), "0.87480", "1677/1917 rounds to 0.875"),
    }
    for what, (paper, ours, pinned, rounded) in printed.items():
        reason = f"cut off, not rounded: {rounded}"
        record.claim(what, paper=paper, ours=float(ours), differs=reason, pinned=pinned, errata="D")
    pooled = digits.aggregate()
    right, n = int(pooled.tp), digits.n
    record.finds(
        "digits: 1677 of 1797 are right, and C/(2n - C) is 1677/1917", Fraction(right, 2 * n - right) == Fraction(1677, 1917)
    )


def wrong_words(record: Record) -> None:
    """Claim what the words say, by small examples."""
    kinds = (("false positive", "fp", "positive", "negative"), ("false negative", "fn", "negative", "positive"))
    for name, cell, said, right in kinds:
        actual = next(y for y in (0, 1) if getattr(ix.evaluate([y], [1 - y], classes=[0, 1], positive=1).binary(), cell))
        record.claim(
            f"class that a {name} belongs to, in the text of sec:binary",
            paper=said,
            ours="positive" if actual else "negative",
            pinned=right,
            differs="swapped; def:vectors is right",
            errata="D",
        )
    grid = np.linspace(0, 1, 21)
    a, b = (side.ravel() for side in np.meshgrid(grid, grid))
    lukasiewicz, godel = (ix.algebra.tnorm(name)(a, b) for name in ("lukasiewicz", "godel"))
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
        pinned="Łukasiewicz",
        differs="the smaller t-norm is the more conservative: the texts contradict each other",
        errata="D",
    )
    levels = {setting.level for setting in ix.tasks.SETTINGS.values()}
    record.declares(
        "levels of claim that the text before tab:settings names",
        paper=3,
        ours=len(levels),
        pinned=4,
        differs=f"the table has {', '.join(sorted(levels))}",
        errata="D",
    )
    for measure, average in (("accuracy", "macro"), ("cohen_kappa", "macro")):
        record.holds(
            f"{average} {words(measure)} has an established name, as tab:extensions has no mark",
            ours=average in ix.algebra.MEASURES[measure].known_as,
            differs="the appendix of the same paper marks it as without one, and ours follows that",
            errata="D",
        )


def references(record: Record) -> None:
    """Claim the numbers by which the appendix cites the paper."""
    for what, said, right, numbered, label in CITED:
        cited = int(re.sub(r"\D", "", said))
        record.declares(
            f"where the paper has what the appendix cites: {what}",
            paper=said,
            ours=re.sub(r"\d+", str(numbered.index(label) + 1), said),
            differs="" if said == right else f"{said} is {numbered[cited - 1]}",
            pinned=None if said == right else right,
            errata="D",
        )


def counts(record: Record) -> None:
    """Claim the number of marked averages; sec:catalogue claims it for each group."""
    rows = [(group, said, sum(marks(group))) for group, (_, _, said) in SUMMARY.items()]
    printed, counted = sum(int(said) for _, said, _ in rows), sum(found for *_, found in rows)
    record.table(
        "Averages marked as without an established name", ["group", "summary", "table"], [*rows, ("sum", printed, counted)]
    )
    record.declares(
        "averages marked as without an established name, in total",
        paper=MARKED,
        ours=counted,
        pinned="111",
        differs=f"the summary's column sums to {printed}, the tables have {counted} marks, {counted + SOFT_MARKS} with Group 9",
        errata="D",
    )
