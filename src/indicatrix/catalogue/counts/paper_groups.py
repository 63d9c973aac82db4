"""Groups 1 to 6 of the paper's catalogue.

Group 1: how many decisions are right, over all entries.

Group 2: measures of the positive class; only lift reads true negatives.

Group 3: measures of the negative class.

Group 4: measures that weigh both classes.

Differences of rates are written as one quotient, so that only integer polynomials of the counts are subtracted:
recall + specificity - 1 is (tp tn - fp fn) / (tpos tneg), with every digit right where the two nearly cancel.

Group 5: correlation and chance-corrected agreement.

Group 6: likelihood ratios, odds and risks.
"""

from __future__ import annotations

import math
from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import absolute, constant, equals, log_ratio, ratio, select, sin, sqrt

ACCURACY = "accuracy"


@listed(
    aliases=("label_accuracy", "sokal_michener", "simple_matching"),
    group=ACCURACY,
    source="sokal1958",
    known_as={"micro": "Label accuracy"},
    whole="subset_accuracy",
    averaged_name="label accuracy",
)
def accuracy(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of right decisions: of examples without an average, of entries (label accuracy) with one.

    Where each example has one class, accuracy without an average is the share of examples that are right, as everyone
    means it; ``exact_match`` and micro ``recall`` are the same number. With a named average it is label accuracy: with m
    classes every wrong example spoils two of its m entries, so the micro value is 1 - (2/m)(share of wrong examples), and is
    high for any classifier when m is large.
    """
    return ratio(tp + tn, tp + fp + fn + tn)


@listed(
    better="lower",
    aliases=("hamming_loss", "mean_manhattan"),
    group=ACCURACY,
    source="schapire1999",
    known_as={"micro": "Hamming loss"},
    of_label_sets="micro",
)
def error_rate(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of wrong decisions among all entries; its micro version is the Hamming loss.

    Of label sets this is what it means without an average.
    """
    return ratio(fp + fn, tp + fp + fn + tn)


@listed(better="lower", aliases=("ber",), group=ACCURACY, source="guyon2004")
def balanced_error_rate(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Mean of the two error rates, among actual positives and among actual negatives."""
    tpos, tneg = tp + fn, fp + tn
    return ratio(fn * tneg + fp * tpos, 2 * tpos * tneg)


@listed(
    averages=("exemplar",),
    aliases=("exact_match",),
    group=ACCURACY,
    source="ghamrawi2005",
    known_as={"exemplar": "Subset accuracy"},
)
def subset_accuracy(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Whether no entry is wrong; its mean over examples is multiclass accuracy or multilabel exact match."""
    n = tp + fp + fn + tn
    return select(equals(fp + fn, 0), ratio(n, n), ratio(0 * n, n))


@listed(
    better="lower",
    averages=("exemplar",),
    aliases=("subset_loss",),
    group=ACCURACY,
    source="ghamrawi2005",
    known_as={"exemplar": "0/1 loss"},
)
def zero_one_loss(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Whether any entry is wrong; its mean over examples is 1 - multiclass accuracy or 1 - exact match."""
    n = tp + fp + fn + tn
    return select(equals(fp + fn, 0), ratio(0 * n, n), ratio(n, n))


POSITIVE = "positive class"


def _names_of_averages(what: str) -> dict[str, str]:
    return {average: f"{average.capitalize()}-{what}" for average in ("micro", "macro", "weighted", "exemplar")}


@listed(aliases=("ppv", "positive_predictive_value"), group=POSITIVE, source="kent1955", known_as=_names_of_averages("precision"))
def precision(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of predicted positives that are positive."""
    return ratio(tp, tp + fp)


@listed(
    aliases=("sensitivity", "tpr", "hit_rate", "true_positive_rate"),
    group=POSITIVE,
    source="kent1955",
    known_as=_names_of_averages("recall") | {"macro": "Macro-recall (unweighted average recall)"},
)
def recall(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of actual positives that are found."""
    return ratio(tp, tp + fn)


@listed(better="lower", aliases=("fnr", "miss_rate"), group=POSITIVE, source="altman1994a")
def false_negative_rate(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of actual positives that are missed."""
    return ratio(fn, tp + fn)


@listed(better="lower", aliases=("fdr",), group=POSITIVE, source="benjamini1995")
def false_discovery_rate(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of predicted positives that are negative."""
    return ratio(fp, tp + fp)


@listed(domain={"beta": (0, math.inf)}, group=POSITIVE, source="rijsbergen1979", known_as=_names_of_averages("F-beta"))
def f_beta(tp: Any, fp: Any, fn: Any, tn: Any, *, beta: Any = 1) -> Any:
    """Weighted harmonic mean of precision and recall, where recall counts beta times as much."""
    hits = (1 + beta * beta) * tp
    return ratio(hits, hits + beta * beta * fn + fp)


@listed(aliases=("dice", "czekanowski"), group=POSITIVE, source="dice1945", known_as=_names_of_averages("F1"))
def f1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Harmonic mean of precision and recall."""
    return ratio(2 * tp, 2 * tp + fp + fn)


@listed(
    aliases=("iou", "critical_success_index", "threat_score", "tanimoto"),
    group=POSITIVE,
    source="jaccard1901",
    known_as={
        "micro": "Micro-Jaccard",
        "macro": "Mean IoU",
        "weighted": "Frequency-weighted IoU",
        "exemplar": "Example-based accuracy",
    },
)
def jaccard(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """True positives among the entries that are positive or predicted positive: intersection over union."""
    return ratio(tp, tp + fp + fn)


@listed(
    aliases=("ochiai", "otsuka_ochiai", "cosine_similarity", "g_measure"),
    group=POSITIVE,
    source="fowlkes1983",
)
def fowlkes_mallows(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Geometric mean of precision and recall."""
    return ratio(tp, sqrt((tp + fp) * (tp + fn)))


@listed(range=(0, math.inf), aliases=("forbes",), group=POSITIVE, source="forbes1907")
def lift(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Precision divided by prevalence: how much more often predicted positives are positive than average."""
    return ratio(tp * (tp + fp + fn + tn), (tp + fp) * (tp + fn))


NEGATIVE = "negative class"


@listed(
    aliases=("tnr", "selectivity", "true_negative_rate"),
    group=NEGATIVE,
    source="altman1994a",
    known_as={"micro": "Micro-specificity", "macro": "Macro-specificity", "exemplar": "Exemplar-specificity"},
)
def specificity(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of actual negatives that are predicted negative."""
    return ratio(tn, fp + tn)


@listed(aliases=("npv",), group=NEGATIVE, source="altman1994b")
def negative_predictive_value(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of predicted negatives that are negative."""
    return ratio(tn, fn + tn)


@listed(better="lower", aliases=("fpr", "fall_out"), group=NEGATIVE, source="altman1994a")
def false_positive_rate(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of actual negatives that are predicted positive."""
    return ratio(fp, fp + tn)


@listed(better="lower", group=NEGATIVE, source="altman1994b")
def false_omission_rate(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of predicted negatives that are positive."""
    return ratio(fn, fn + tn)


BALANCE = "balance"


@listed(
    group=BALANCE,
    source="brodersen2010",
    known_as={"micro": "Micro-BA", "macro": "Macro-BA"},
    averaged_name="label balanced accuracy",
)
def balanced_accuracy(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Mean of recall and specificity; scikit-learn's multiclass version is macro recall."""
    tpos, tneg = tp + fn, fp + tn
    return ratio(tp * tneg + tn * tpos, 2 * tpos * tneg)


@listed(group=BALANCE, source="kubat1997", known_as={"micro": "Micro-GM", "macro": "Macro-GM"})
def g_mean(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Geometric mean of recall and specificity."""
    return sqrt(ratio(tp * tn, (tp + fn) * (fp + tn)))


@listed(
    range=(-1, 1),
    aliases=("youden_j", "bookmaker", "peirce_skill_score"),
    group=BALANCE,
    source="youden1950",
)
def informedness(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Recall plus specificity minus one."""
    return ratio(tp * tn - fp * fn, (tp + fn) * (fp + tn))


@listed(range=(-1, 1), aliases=("delta_p",), group=BALANCE, source="powers2011")
def markedness(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Precision plus negative predictive value minus one."""
    return ratio(tp * tn - fp * fn, (tp + fp) * (fn + tn))


@listed(domain={"beta": (0, math.inf)}, aliases=("fleiss_levin_paik",), group=BALANCE, source="rijsbergen1979")
def f_beta_negative(tp: Any, fp: Any, fn: Any, tn: Any, *, beta: Any = 1) -> Any:
    """F-beta of the negative class: negatives take the place of positives."""
    hits = (1 + beta * beta) * tn
    return ratio(hits, hits + beta * beta * fp + fn)


@listed(range=(-math.inf, math.inf), group=BALANCE, source="biggerstaff2000")
def discriminant_power(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Natural logarithm of the diagnostic odds ratio, times sqrt(3)/pi."""
    return sqrt(constant(3, tp)) / constant("pi", tp) * log_ratio(tp * tn, fp * fn, tp * tn - fp * fn)


@listed(range=(-1, 1), group=BALANCE, source="ranawana2006")
def optimized_precision(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Accuracy minus the relative difference of recall and specificity; not monotone."""
    n = tp + fp + fn + tn
    both = tp * (fp + tn) + tn * (tp + fn)  # (recall + specificity) tpos tneg
    apart = absolute(tp * fp - tn * fn)  # |recall - specificity| tpos tneg
    return ratio((tp + tn) * both - n * apart, n * both)


CORRELATION = "correlation"


@listed(
    range=(-1, 1),
    aliases=("phi", "matthews_correlation", "kendall_tau_b"),
    group=CORRELATION,
    source="matthews1975",
    known_as={"micro": "Micro-MCC"},
)
def mcc(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Pearson correlation of the two binary label vectors."""
    return ratio(tp * tn - fp * fn, sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))


@listed(
    range=(-1, 1),
    aliases=("kappa", "heidke_skill_score"),
    group=CORRELATION,
    source="cohen1960",
    known_as={"micro": "Micro-kappa"},
)
def cohen_kappa(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Agreement beyond chance, where chance keeps both marginals."""
    return ratio(2 * (tp * tn - fp * fn), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))


@listed(range=(-1, 1), aliases=("ac1",), group=CORRELATION, source="gwet2008")
def gwet_ac1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Agreement beyond chance, where chance guesses only on a share of the entries."""
    n, wrong = tp + fp + fn + tn, fp + fn
    chance = (2 * tp + wrong) * (2 * tn + wrong)  # 2 n**2 p_e
    return ratio(2 * n * (tp + tn) - chance, 2 * n * n - chance)


@listed(range=(-1, 1), aliases=("koppen_1",), group=CORRELATION, source="scott1955")
def scott_pi(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Agreement beyond chance, where chance keeps the mean of the two marginals."""
    wrong = fp + fn
    return ratio(4 * tp * tn - wrong * wrong, (2 * tp + wrong) * (2 * tn + wrong))


@listed(range=(-1, 1), aliases=("pearson_heron_2",), group=CORRELATION, source="pearson1900")
def tetrachoric(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Cosine approximation (Pearson) of the correlation of normal variables behind thresholded labels."""
    # cos(pi x/(x + y)) = sin(pi/2 (y - x)/(y + x)), with x**2 = fp fn and y**2 = tp tn; the last quotient is Yule's Y.
    right, wrong = tp * tn, fp * fn
    return sin(constant("pi", tp) / 2 * ratio(right - wrong, right + wrong + 2 * sqrt(right * wrong)))


LIKELIHOOD = "likelihood"


@listed(range=(0, math.inf), aliases=("lr_plus", "plr"), group=LIKELIHOOD, source="deeks2004")
def positive_likelihood_ratio(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Recall divided by the false positive rate."""
    return ratio(tp * (fp + tn), fp * (tp + fn))


@listed(better="lower", range=(0, math.inf), aliases=("lr_minus", "nlr"), group=LIKELIHOOD, source="deeks2004")
def negative_likelihood_ratio(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """False negative rate divided by specificity."""
    return ratio(fn * (fp + tn), tn * (tp + fn))


@listed(range=(0, math.inf), aliases=("dor", "odds_ratio"), group=LIKELIHOOD, source="glas2003")
def diagnostic_odds_ratio(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Odds of a positive prediction for actual positives, divided by those for actual negatives."""
    return ratio(tp * tn, fp * fn)


@listed(range=(0, math.inf), aliases=("risk_ratio",), group=LIKELIHOOD, source="cornfield1951")
def relative_risk(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of positives among predicted positives, divided by that among predicted negatives."""
    return ratio(tp * (fn + tn), fn * (tp + fp))
