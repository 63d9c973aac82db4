"""The appendix: every measure of the paper's catalogue in ours, its marks, and the counts of its summary (sec:catalogue)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

import indicatrix as ix

from ..record import Record, experiment

SEED = 5
NONE, LAST, LATER, ALL = (), ("exemplar",), ("macro", "exemplar"), ("micro", "macro", "exemplar")
REC, SPEC, PREC, F_BETA = "tp/tpos", "tn/tneg", "tp/(tp+fp)", "(1+beta**2)*{0}/((1+beta**2)*{0} + beta**2*{1} + {2}); beta=2"
KAPPA = "((tp+tn)/n - {0})/(1 - {0})"
MARGINS = "(tp+fp)*(tp+fn)*(tn+fp)*(tn+fn)"

# Group, measure, formula, name in our catalogue, averages marked as without an established name, mark in the column Inv.
COUNTED: tuple[tuple[int, str, str, str, tuple[str, ...], bool], ...] = (
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
    (4, "Optimised Precision", f"(tp+tn)/n - abs({REC} - {SPEC})/({REC} + {SPEC})", "optimised_precision", ALL, False),
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
# The marks of the measures of scores and of costs, which are no formulas of four counts, by group: average precision; AUC,
# average precision, R-precision, AUPRC; 0/1 loss, MAE, MSE, hierarchical loss, weighted F-beta.
OTHERS: dict[int, tuple[tuple[str, ...], ...]] = {2: (LAST,), 7: (LAST, LAST, ALL, LAST), 8: (LATER, LATER, LATER, LATER, ALL)}
# Group, its name, measures and marks as the summary prints them.
SUMMARY = (
    (1, "Accuracy/Error", "4", "8"),
    (2, "Positive-class", "9", "21"),
    (3, "Negative-class", "4", "12"),
    (4, "Balance", "7", "18"),
    (5, "Correlation", "5", "13"),
    (6, "Likelihood/Odds", "4", "12"),
    (7, "Score-based", "4", "6"),
    (8, "Cost-sensitive", "5", "10"),
    (11, "Rule evaluation", "8", "24"),
)
MISCOUNTED = (1, 2, 3, 4, 5, 8)  # groups whose tables carry another number of marks than the summary says (errata D)
UNMARKED = ("subset_accuracy", "tetrachoric")  # skew-invariant although the column Inv. is empty (errata C1)


def _logit(share: Any) -> float:
    return math.log(share / (1 - share))


FUNCTIONS: dict[str, Callable[..., Any]] = {  # what the formula language does not say
    "subset_accuracy": lambda tp, fp, fn, tn: int(tp == tp + fn and tn == tn + fp),
    "discriminant_power": lambda tp, fp, fn, tn: math.sqrt(3) / math.pi * (_logit(tp / (tp + fn)) + _logit(tn / (tn + fp))),
    "tetrachoric": lambda tp, fp, fn, tn: math.cos(math.pi * math.sqrt(fp * fn) / (math.sqrt(fp * fn) + math.sqrt(tp * tn))),
}


@experiment("sec:catalogue", "The catalogue of measures, its marks and its counts")
def catalogue(record: Record) -> None:
    """Find every measure of the appendix in our catalogue, compare its marks with what its formula implies, and count."""
    table = []
    for group, title, formula, name, unnamed, invariant in COUNTED:
        ours = ix.MEASURES[name.partition("(")[0]]
        printed = ix.Measure(title, FUNCTIONS[name]) if name in FUNCTIONS else formula
        implied = ix.properties(name, prove=False)
        record.holds(f"Group {group}, {title} is {formula}", ix.equivalent(printed, name))
        reason, label = ("it is a function of recall and specificity", "C1") if name in UNMARKED else ("", "")
        record.claim(f"{title}: skew-invariant", paper=invariant, ours=implied.skew_invariant, differs=reason, errata=label)
        found = tuple(a for a in ours.averages or ALL if a not in ours.known_as)
        record.claim(f"{title}: extensions without an established name", paper=unnamed, ours=found)
        marks = ("✓" if implied.skew_invariant else "", "✓" if implied.decomposable else "")
        table.append((group, title, name, formula, *marks, len(found)))
    header = ("Group", "Measure", "Here", "Formula", "Inv.", "Dec.", "Extensions without a name")
    record.table("The paper's measures of four counts in our catalogue", header, table)
    for part in (_duplicates, _subset_accuracy, _scores, _costs, _soft, _partial, _flach, _vision, _summary):
        part(record)


def _duplicates(record: Record) -> None:
    """Check which entries are one measure under two names, and which follow from others (Groups 4 to 6 and 11)."""
    import sympy

    tp, fp, fn, tn = symbols = sympy.symbols("tp fp fn tn", positive=True)
    counts, n = ix.Counts(*symbols), tp + fp + fn + tn
    record.holds("Phi is MCC", ix.equivalent("phi", "mcc"))
    record.holds("Chi-squared is proportional to MCC² n", sympy.simplify(ix.chi_squared(counts) - n * ix.mcc(counts) ** 2) == 0)
    record.holds("Piatetsky-Shapiro is n × Novelty", sympy.simplify(ix.piatetsky_shapiro(counts) - n * ix.novelty(counts)) == 0)
    independent = ix.Counts(6, 4, 3, 2)
    names = ("relative_accuracy", "weighted_relative_accuracy", "novelty", "piatetsky_shapiro")
    record.holds("RA, WRA, Novelty and PS are zero under independence", not any(ix.MEASURES[name](independent) for name in names))
    record.holds("Conviction diverges at precision 1", ix.conviction(ix.Counts(3, 0, 1, 2)) == math.inf)
    for one, other in (("weighted_relative_accuracy", "novelty"), ("diagnostic_odds_ratio", "odds_ratio")):
        same = ix.equivalent(one, other)
        record.holds(f"{one} and {other} are two measures", not same, differs="they are equal for all counts", errata="C16")


def _subset_accuracy(record: Record) -> None:
    """Check what the micro and macro entries of subset accuracy say (Group 1)."""
    ev = ix.evaluate([0, 1, 2, 2], [0, 1, 2, 1])
    share, (pooled, per_class) = ev.score("exact_match"), (ix.subset_accuracy(ev.aggregate(per)) for per in ((), "class"))
    record.holds("exemplar subset accuracy is the share of fully right examples", share == 3 / 4)
    reason = "pooled counts are right only if everything is, and a column only if the whole column is"
    record.holds("micro subset accuracy is multiclass accuracy", pooled == share, differs=reason, errata="A7")
    record.holds("per class, subset accuracy reduces to accuracy", per_class.mean() == share, differs=reason, errata="A7")


def _same(record: Record, pairs: dict[str, tuple[Any, Any]], tolerance: float = 1e-9) -> None:
    """Write down for each statement whether our value and the one that the paper's formula has, written out, are equal."""
    for statement, (ours, literal) in pairs.items():
        record.holds(statement, np.allclose(ours, literal, atol=tolerance))


def _scores(record: Record) -> None:
    """Write the areas of Group 7 out, weigh positives twice to see which are skew-invariant, and name the exemplar ones."""
    rng = np.random.default_rng(SEED)
    y, p = rng.random(40) < 0.4, rng.random(40)
    ranked = y[np.argsort(-p)]
    tp, fp = np.cumsum(ranked), np.cumsum(~ranked)
    fine = np.linspace(0, len(y), 100_001)[1:]  # between thresholds, both counts grow in proportion
    tps, fps = (np.interp(fine, range(len(y) + 1), [0, *x]) for x in (tp, fp))
    areas = {
        "AUC": (ix.auc, (p[y][:, None] > p[~y]).mean(), True),
        "Average Precision": (ix.average_precision, (ranked * tp / (tp + fp)).sum() / tp[-1], False),
        "R-Precision": (ix.r_precision, ranked[: y.sum()].mean(), False),
        "AUPRC": (ix.auprc, np.trapezoid(tps / (tps + fps), tps / tps[-1]), False),
    }
    for title, (area, literal, invariant) in areas.items():
        value, skewed = area(y, p), area(y, p, sample_weight=1 + y)
        _same(record, {f"Group 7, {title} as the table writes it": (value, literal)}, tolerance=1e-4)
        record.claim(f"{title}: skew-invariant", paper=invariant, ours=bool(np.isclose(value, skewed)))
    truth, scores = (rng.random((30, 6)) < 0.4).astype(int), rng.random((30, 6))
    for title, area, known, reason in (
        ("AP", ix.average_precision, ix.label_ranking_ap(truth, scores), "it is label-ranking average precision"),
        ("AUC", ix.auc, 1 - ix.ranking_loss(truth, scores), "it is one minus the ranking loss"),
    ):
        unknown = not np.isclose(area(truth, scores, average="exemplar"), known)
        record.holds(f"Exemplar-{title} has no established name", unknown, differs=reason, errata="C17")


def _costs(record: Record) -> None:
    """Write the costs of Group 8 out."""
    y, yhat = np.array([0, 0, 1, 2, 2, 2]), np.array([0, 1, 1, 0, 2, 1])
    off = abs(y - yhat)
    weighted = ix.f_beta.at(beta=2)(y, yhat, average="macro", cost=1 - np.eye(3))
    animals = ix.taxonomy({"pet": None, "cat": "pet", "dog": "pet", "elk": None})
    far = ix.cost(["cat", "dog"], ["dog", "elk"], animals, classes=animals.classes)
    pairs = {
        "MAE: the cost |j-k|": (ix.cost(y, yhat, "absolute"), off.mean()),
        "MSE: the cost (j-k)²": (ix.cost(y, yhat, "squared"), (off**2).mean()),
        "Hierarchical loss: 2 edges from cat to dog, 3 from dog to elk": (far, (2 + 3) / 2),
        "Weighted F-beta with unit costs is F-beta": (weighted, ix.f_beta.at(beta=2)(y, yhat, average="macro")),
    }
    _same(record, pairs)
    hamming = np.isclose(ix.cost(y, yhat, "zero_one"), ix.hamming_loss(y, yhat, average="micro"))
    reason = "it is one minus accuracy; the Hamming loss is 2/m of that"
    record.holds("0/1 loss: its micro value is the Hamming loss", hamming, differs=reason, errata="A6")
    by_class = np.mean([off[y == k].mean() for k in range(3)])
    unknown = not np.isclose(ix.cost(y, yhat, "absolute", average="macro"), by_class)
    reason = "over true classes it is the macro MAE of the literature; the column operator groups by predicted ones"
    record.holds("Macro-MAE has no established name", unknown, differs=reason, errata="A5")


def _soft(record: Record) -> None:
    """Compute every measure of four counts under three operators and three t-norms (Group 9)."""
    truth, guess = np.random.default_rng(SEED).random((2, 25, 4))
    soft = [ix.evaluate(truth, guess, tnorm=name) for name in ("lukasiewicz", "product", "godel")]
    record.claim("soft extensions of one measure", paper="9", ours=len({float(ev.score("f1", a)) for ev in soft for a in ALL}))
    distinct = {ix.MEASURES[name.partition("(")[0]] for _, _, _, name, *_ in COUNTED}
    record.holds("35+ binary measures", len(distinct) >= 35)
    record.claim("35 measures under every operator and t-norm", paper="315", ours=35 * len(ALL) * len(soft))
    values = [ev.score(m, a) for m in distinct for a in m.averages or ALL for ev in soft]
    record.holds("over 300 soft extensions follow automatically", np.isfinite(values).sum() > 300)
    record.note(f"{len(distinct)} distinct measures of four counts gave {np.isfinite(values).sum()} soft scores; seed {SEED}.")


def _partial(record: Record) -> None:
    """Write the measures of Group 10 out, which are not functions of counts but for net benefit."""
    rng = np.random.default_rng(SEED)
    y, scores = rng.integers(3, size=20), rng.dirichlet((1, 1, 1), 20)
    one_hot, sure, right, bins = np.eye(3)[y], scores.max(axis=1), scores.argmax(axis=1) == y, 5
    place = np.ceil(sure * bins)
    gaps = [(place == b).mean() * abs(right[place == b].mean() - sure[place == b].mean()) for b in np.unique(place)]
    relevance, ranking = rng.integers(4, size=6), rng.random(6)
    orders = relevance[np.argsort(-ranking)], np.sort(relevance)[::-1]
    gain, best = (((2.0**rel - 1) / np.log2(np.arange(6) + 2)).sum() for rel in orders)
    pairs = {
        "Brier score: Σ1((Y-P)²)/(nm)": (ix.brier(y, scores, normalize="nm"), ((one_hot - scores) ** 2).mean()),
        "nDCG: DCG/IDCG with gains 2^rel - 1": (ix.ndcg([relevance], [ranking], gain="exponential"), gain / best),
        "ECE: mean over bins of |accuracy - confidence|": (ix.ece(y, scores, bins=bins), sum(gaps)),
    }
    _same(record, pairs)
    labels, p = (y == 0).astype(int), scores[:, 0]
    cuts = np.array([0, *np.sort(p), 1])  # between two neighbours the decisions stay the same
    errors = [ix.error_rate(labels, p, decide=cut) for cut in (cuts[1:] + cuts[:-1]) / 2]
    area = ix.threshold_average(labels, p, measure="error_rate")
    _same(record, {"AUCC: the integral of M over thresholds": (area, np.diff(cuts) @ errors)})
    benefit = ix.equivalent("tp/n - fp/n*p_t/(1-p_t); p_t=0.2", "net_benefit(p_t=0.2)")
    record.holds("Net benefit is tp/n - fp/n p_t/(1-p_t)", benefit)
    mean = np.isclose(ix.log_loss(y, scores), -(one_hot * np.log(scores)).mean())
    reason = "the usual log-loss is the mean over examples, m times this"
    record.holds("Log-loss: -Σ1(Y∘log P)/(nm)", mean, differs=reason, errata="A10")


def _flach(record: Record) -> None:
    """Check which rule measures their counterparts determine, on all predictions for 20 positives and 20 negatives (Group 11)."""
    size = 20
    predictions = [ix.Counts(tp, fp, size - tp, size - fp) for tp in range(1, size) for fp in range(1, size)]
    for name, counterpart, reason in (
        ("relative_accuracy", "informedness", "(t-f)/(2(t+f)) is no function of t-f"),
        ("weighted_relative_accuracy", "balanced_accuracy", ""),
        ("novelty", "informedness", ""),
        ("conviction", "positive_likelihood_ratio", ""),
        ("chi_squared", "discriminant_power", "equal odds ratios have different chi-squared"),
    ):
        pairs = {tuple(round(ix.MEASURES[m](v), 9) for m in (counterpart, name)) for v in predictions}
        determined = len(pairs) == len({value for value, _ in pairs})
        what = f"equally large classes: {name} is determined by {counterpart}"
        record.holds(what, determined, differs=reason, errata="C15" if reason else "")


def _vision(record: Record) -> None:
    """Write the segmentation metrics of Group 12 out on label maps; see which keep their value at other class sizes."""
    rng = np.random.default_rng(SEED)
    truth = rng.integers(3, size=(12, 10))
    guess = np.where(rng.random(truth.shape) < 0.7, truth, rng.integers(3, size=truth.shape))
    ev, masks = ix.segmentation([truth], [guess]), [(truth == c, guess == c) for c in range(3)]
    other = ev.reprior([0.7, 0.2, 0.1])
    iou, share = np.array([(a & b).sum() / (a | b).sum() for a, b in masks]), np.array([a.mean() for a, _ in masks])
    dice = [2 * (a & b).sum() / (a.sum() + b.sum()) for a, b in masks]
    for title, name, average, literal, invariant in (
        ("Mean pixel accuracy", "recall", "macro", np.mean([b[a].mean() for a, b in masks]), True),
        ("Mean IoU", "jaccard", "macro", iou.mean(), False),
        ("Mean Dice", "f1", "macro", np.mean(dice), False),
        ("Frequency-weighted IoU", "jaccard", "weighted", share @ iou, False),
    ):
        _same(record, {f"{title} is {average} {name}": (ev.score(name, average), literal)})
        fixed = bool(np.isclose(ev.score(name, average), other.score(name, average)))
        record.claim(f"{title}: skew-invariant", paper=invariant, ours=fixed)
    _same(record, {"Per-class IoU is Jaccard per class": (ev.values("jaccard"), iou), "Dice is F1": (ev.values("f1"), dice)})
    micro = np.isclose(ev.score("accuracy", "micro"), (truth == guess).mean())
    reason = "the share of right pixels is micro recall; micro accuracy also counts classes rightly not predicted"
    record.holds("Pixel accuracy is micro accuracy", micro, differs=reason, errata="A14")
    record.note("AP of detections, COCO AP and panoptic quality need boxes or segments to be matched first: not computed here.")


def _summary(record: Record) -> None:
    """Count measures and marks, group by group."""
    entries = [(group, unnamed) for group, _, _, _, unnamed, _ in COUNTED]
    entries += [(group, unnamed) for group, several in OTHERS.items() for unnamed in several]
    rows, marks = Counter(group for group, _ in entries), Counter(group for group, unnamed in entries for _ in unnamed)
    table: list[tuple[Any, ...]] = []
    for group, title, measures, novel in SUMMARY:
        record.claim(f"{group}. {title}: binary measures", paper=measures, ours=rows[group])
        reason = f"the group's table carries {marks[group]} marks" if group in MISCOUNTED else ""
        what = f"{group}. {title}: extensions marked"
        record.claim(what, paper=novel, ours=marks[group], differs=reason, errata="D" if reason else "")
        table.append((f"{group}. {title}", measures, rows[group], f"~{novel}", marks[group]))
    printed = sum(int(novel) for *_, novel in SUMMARY)
    reason = f"the tables carry {marks.total()} marks and 27 more in Group 9, and the column sums to {printed}"
    record.claim("binary measures in total", paper="50", ours=rows.total())
    record.claim("extensions without an established name in total", paper="142", ours=marks.total(), differs=reason, errata="D")
    table.append(("Total", "~50", rows.total(), "142", marks.total()))
    record.table("Summary count", ("Group", "Measures, paper", "Measures, counted", "Marked, paper", "Marked, counted"), table)
