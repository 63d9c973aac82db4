"""What the appendix prints: measures of four counts, their marks, its summary (sec:catalogue)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import indicatrix as ix

NONE, LAST, LATER, ALL = (), ("exemplar",), ("macro", "exemplar"), ("micro", "macro", "exemplar")
REC, SPEC, PREC = "tp/tpos", "tn/tneg", "tp/(tp+fp)"
F_BETA = "(1+beta**2)*{0}/((1+beta**2)*{0} + beta**2*{1} + {2}); beta=2"
KAPPA = "((tp+tn)/n - {0})/(1 - {0})"
MARGINS = "(tp+fp)*(tp+fn)*(tn+fp)*(tn+fn)"


class Entry(NamedTuple):
    """A row of the appendix: formula, our name, the averages without a name, the mark in column Inv."""

    group: int
    title: str
    formula: str
    name: str
    unnamed: tuple[str, ...]
    invariant: bool

    @property
    def measure(self) -> ix.Measure:
        """Return the measure of our catalogue, without its parameters."""
        return ix.algebra.MEASURES[self.name.partition("(")[0]]

    @property
    def printed(self) -> ix.Measure | str:
        """Return the paper's formula, as text or, where the formula language does not say it, as a function."""
        return ix.Measure(self.title, FUNCTIONS[self.name]) if self.name in FUNCTIONS else self.formula

    @property
    def alone(self) -> ix.Measure | str:
        """Return the formula of four counts alone: the paper's, where ours is judged as a mean over examples."""
        return self.printed if self.measure.averages else self.name


ENTRIES = tuple(
    Entry(*row)
    for row in (
        (1, "Accuracy", "(tp+tn)/n", "accuracy", LATER, False),
        (1, "Error Rate", "(fp+fn)/n", "error_rate", LATER, False),
        (1, "Balanced Error Rate", f"1 - 1/2*({REC} + {SPEC})", "balanced_error_rate", ALL, True),
        (1, "Subset Accuracy", "1[tp = tpos, tn = tneg]", "subset_accuracy", NONE, False),
        (2, "Precision (PPV)", PREC, "precision", NONE, False),
        (2, "Recall (Sensitivity, TPR)", "tp/(tp+fn)", "recall", NONE, True),
        (2, "False Negative Rate", "fn/(tp+fn)", "false_negative_rate", ALL, True),
        (2, "False Discovery Rate", "fp/(tp+fp)", "false_discovery_rate", ALL, False),
        (2, "F-beta", F_BETA.format("tp", "fn", "fp"), "f_beta(beta=2)", NONE, False),
        (2, "Jaccard Index (IoU, CSI)", "tp/(tp+fp+fn)", "jaccard", NONE, False),
        (2, "Fowlkes-Mallows Index", f"sqrt({PREC} * ({REC}))", "fowlkes_mallows", ALL, False),
        (2, "Lift", f"({PREC})/((tp+fn)/n)", "lift", ALL, False),
        (3, "Specificity (TNR)", "tn/(tn+fp)", "specificity", NONE, True),
        (3, "Negative Predictive Value", "tn/(tn+fn)", "negative_predictive_value", ALL, False),
        (3, "False Positive Rate", "fp/(tn+fp)", "false_positive_rate", ALL, True),
        (3, "False Omission Rate", "fn/(tn+fn)", "false_omission_rate", ALL, False),
        (4, "Balanced Accuracy", f"1/2*({REC} + {SPEC})", "balanced_accuracy", LAST, True),
        (4, "G-mean", f"sqrt({REC} * ({SPEC}))", "g_mean", LAST, True),
        (4, "Informedness (Youden's J)", f"{REC} + {SPEC} - 1", "informedness", ALL, True),
        (4, "Markedness", f"{PREC} + tn/(tn+fn) - 1", "markedness", ALL, False),
        (4, "F-beta of the negative class", F_BETA.format("tn", "fp", "fn"), "f_beta_negative(beta=2)", ALL, False),
        (4, "Discriminant Power", "sqrt(3)/pi (logit recall + logit specificity)", "discriminant_power", ALL, True),
        (4, "Optimised Precision", f"(tp+tn)/n - abs({REC} - {SPEC})/({REC} + {SPEC})", "optimized_precision", ALL, False),
        (5, "Matthews CC (MCC)", f"(tp*tn - fp*fn)/sqrt({MARGINS})", "mcc", LATER, False),
        (5, "Cohen's kappa", KAPPA.format("(tpos*ppos + tneg*pneg)/n**2"), "cohen_kappa", LATER, False),
        (5, "Phi Coefficient", f"(tp*tn - fp*fn)/sqrt({MARGINS})", "phi", LATER, False),
        (5, "Gwet's AC1", KAPPA.format("1/2*(tpos/n + ppos/n)*(tneg/n + pneg/n)"), "gwet_ac1", ALL, False),
        (5, "Tetrachoric Correlation", "cos(pi sqrt(fp fn)/(sqrt(fp fn) + sqrt(tp tn)))", "tetrachoric", ALL, False),
        (6, "Positive Likelihood Ratio", "(tp/(tp+fn))/(fp/(tn+fp))", "positive_likelihood_ratio", ALL, True),
        (6, "Negative Likelihood Ratio", "(fn/(tp+fn))/(tn/(tn+fp))", "negative_likelihood_ratio", ALL, True),
        (6, "Diagnostic Odds Ratio", "tp*tn/(fp*fn)", "diagnostic_odds_ratio", ALL, True),
        (6, "Odds Ratio", "(tp/fp)/(fn/tn)", "odds_ratio", ALL, True),
        (11, "Coverage", "(tp+fp)/n", "coverage", ALL, False),
        (11, "Relative Accuracy (RA)", f"{PREC} - (tp+fn)/n", "relative_accuracy", ALL, False),
        (11, "Klosgen's Measure (WRA)", f"(tp+fp)/n*({PREC} - (tp+fn)/n)", "weighted_relative_accuracy", ALL, False),
        (11, "Novelty", "tp/n - (tp+fn)*(tp+fp)/n**2", "novelty", ALL, False),
        (11, "Conviction", f"(1 - (tp+fn)/n)/(1 - {PREC})", "conviction", ALL, False),
        (11, "Chi-squared", f"n*(tp*tn - fp*fn)**2/({MARGINS})", "chi_squared", ALL, False),
        (11, "Piatetsky-Shapiro", "tp - (tp+fn)*(tp+fp)/n", "piatetsky_shapiro", ALL, False),
        (11, "Sebag-Schoenauer", "tp/fp", "sebag_schoenauer", ALL, False),
    )
)
# The averages marked in the rows of scores and of costs, which are not formulas of four counts, by group: average precision;
# AUC, average precision, R-precision, AUPRC; 0/1 loss, MAE, MSE, hierarchical loss, weighted F-beta.
OTHERS: dict[int, tuple[tuple[str, ...], ...]] = {2: (LAST,), 7: (LAST, LAST, ALL, LAST), 8: (LATER, LATER, LATER, LATER, ALL)}
SOFT_MARKS = 27  # in the table of Group 9, which the summary counts apart
# Group: its name, how many measures and how many marks the summary says it has.
SUMMARY = {
    1: ("Accuracy/Error", "4", "8"),
    2: ("Positive-class", "9", "21"),
    3: ("Negative-class", "4", "12"),
    4: ("Balance", "7", "18"),
    5: ("Correlation", "5", "13"),
    6: ("Likelihood/Odds", "4", "12"),
    7: ("Score-based", "4", "6"),
    8: ("Cost-sensitive", "5", "10"),
    11: ("Rule evaluation", "8", "24"),
}
MARKED = "142"  # the total of the summary


def marks(group: int) -> list[int]:
    """Return how many averages are marked in each row of a group's table."""
    return [len(entry.unnamed) for entry in ENTRIES if entry.group == group] + [len(row) for row in OTHERS.get(group, ())]


def _logit(share: Any) -> float:
    return math.log(share / (1 - share))


FUNCTIONS: dict[str, Callable[..., Any]] = {  # what the formula language does not say
    "subset_accuracy": lambda tp, fp, fn, tn: int(tp == tp + fn and tn == tn + fp),
    "discriminant_power": lambda tp, fp, fn, tn: math.sqrt(3) / math.pi * (_logit(tp / (tp + fn)) + _logit(tn / (tn + fp))),
    "tetrachoric": lambda tp, fp, fn, tn: math.cos(math.pi * math.sqrt(fp * fn) / (math.sqrt(fp * fn) + math.sqrt(tp * tn))),
}
