"""Formulas of measures of scores, labels in order, objects and outlines, as text.

Pages show them, and tests compare their values.

A comparison is 1 where it is true and 0 elsewhere; ``integral(a, b, f)`` is that of f from a to b.
"""

from __future__ import annotations

from definitions import Definition

THRESHOLDS = "T are the thresholds, and FPR and FNR the false positive and the false negative rate at one of them."
RATES = "TPR(x) is the true positive rate at the false positive rate x, "
MINIMUM = "min(c * (1 - pi) * FPR(t) + (1 - c) * pi * FNR(t) for t in T)"
BITS = "(log(r + 1) / log(2))"
TIES = "Of labels with equal scores it is the mean over their orders."
MATCHES = "len(TP) + len(FP) / 2 + len(FN) / 2"

OF_SCORES: dict[str, Definition] = {
    "auc": Definition(
        "sum((s[i] > s[j]) + (s[i] == s[j]) / 2 for i in P for j in M) / (sum(y[i] for i in N) * sum(1 - y[i] for i in N))"
    ),
    "average_precision": Definition(
        "sum(sum(s[j] >= s[i] for j in P) / sum(s[j] >= s[i] for j in N) for i in P) / sum(y[i] for i in N)"
    ),
    "brier": Definition("sum((p[i] - y[i]) ** 2 for i in N) / n"),
    "log_loss": Definition("-sum(y[i] * log(p[i]) + (1 - y[i]) * log(1 - p[i]) for i in N) / n"),
    "hinge_loss": Definition("sum(max(0, 1 - (2 * y[i] - 1) * s[i]) for i in N) / n"),
    "brier_skill": Definition(
        "1 - sum((p[i] - y[i]) ** 2 for i in N) / sum((y[i] - b) ** 2 for i in N)", {"b": "sum(y[i] for i in N) / n"}
    ),
    "spherical_score": Definition(
        "sum((y[i] * p[i] + (1 - y[i]) * (1 - p[i])) / sqrt(p[i] ** 2 + (1 - p[i]) ** 2) for i in N) / n"
    ),
    "partial_auc": Definition(
        "(1 + (A - f ** 2 / 2) / (f - f ** 2 / 2)) / 2",
        {"A": "integral(0, f, lambda x: TPR(x))"},
        f"{RATES}and f is `max_fpr`. `standardized=False` is A itself.",
    ),
    "auc_of_hull": Definition("integral(0, 1, lambda x: H(x))", words="H is the upper convex hull of the ROC curve."),
    "area_under_cost_curve": Definition(
        "integral(0, 1, lambda x: min(x * FNR(t) + (1 - x) * FPR(t) for t in T))", words=THRESHOLDS
    ),
    "threshold_average": Definition(
        "integral(a, b, lambda t: V(t)) / (b - a)",
        words="V(t) is the value of the measure at the threshold t, and a and b are `between`.",
    ),
    "log_auc": Definition("integral(a, b, lambda x: TPR(x) / x) / log(b / a)", words=f"{RATES}and a and b are `fpr_range`."),
    "auprc": Definition(
        "integral(0, 1, lambda x: precision(x))",
        words="precision(x) is that at recall x; between two thresholds, false positives grow in proportion to true positives.",
    ),
    "r_precision": Definition(
        "sum(y[i] * min(1, max(0, k - sum(s[j] > s[i] for j in N)) / sum(s[j] == s[i] for j in N)) for i in N) / k",
        {"k": "sum(y[i] for i in N)"},
        "Where equal scores stand at the cut, each counts in part.",
    ),
    "h_measure": Definition(
        f"1 - integral(0, 1, lambda c: {MINIMUM} * w(c)) / integral(0, 1, lambda c: min(c * (1 - pi), (1 - c) * pi) * w(c))",
        words=f"$\\pi$ is the share of positives, c the cost of a false positive, w(c) its density, see `prior`. {THRESHOLDS}",
    ),
    "ece": Definition("sum(abs(sum(p[i] - y[i] for i in b)) for b in B) / n", words="B are the bins, each a set of examples."),
    "smooth_ece": Definition(
        "integral(0, 1, lambda t: abs(sum((p[i] - y[i]) * W(t, p[i]) for i in N)) / n)",
        words="W is a normal kernel, reflected at 0 and 1, whose bandwidth equals the result.",
    ),
}
OF_CLASSES: dict[str, Definition] = {
    "balanced_log_loss": Definition(
        "-sum(sum(log(p[i, k]) for i in N if y[i] == k) / r[k] for k in K) / m",
        words="$r_k$ is the number of examples of class k.",
    ),
    "log_loss_skill": Definition(
        "1 - sum(log(p[i, k]) for i in N for k in K if y[i] == k) / sum(r[k] * log(r[k] / n) for k in K)",
        words="$r_k$ is the number of examples of class k.",
    ),
    "top_k_accuracy": Definition(
        "sum(y[i] in T[i] for i in N) / n", words="$T_i$ are the k classes with the highest scores of example i."
    ),
    "hand_till_auc": Definition(
        "2 / (m * (m - 1)) * sum((A(a, b) + A(b, a)) / 2 for a in K for b in K if a < b)",
        words="A(a, b) is the AUC of the scores of class a among the examples of a and b.",
    ),
    "ordinal_auc": Definition(
        "sum(A(k) for k in B) / (m - 1)",
        words="B are all classes but the lowest, and A(k) is the AUC of the probability of class k or a higher one, for the "
        "examples of these classes against the others.",
    ),
}
OF_LABELS: dict[str, Definition] = {
    "precision_at_k": Definition(
        "sum(sum(j in Y[i] for j in T[i]) / k for i in N) / n", words="$T_i$ are the k labels with the highest scores."
    ),
    "recall_at_k": Definition(
        "sum(sum(j in Y[i] for j in T[i]) / len(Y[i]) for i in N) / n", words="$T_i$ are the k labels with the highest scores."
    ),
    "dcg": Definition(
        f"sum(sum(g(i, r) / {BITS} for r in R) for i in N) / n",
        words=f"R are the ranks up to k, and g(i, r) is the gain of the label at rank r. {TIES}",
    ),
    "ndcg": Definition(
        f"sum(sum(g(i, r) / {BITS} for r in R) / sum(h(i, r) / {BITS} for r in R) for i in N) / n",
        words=f"R are the ranks up to k, g(i, r) is the gain of the label at rank r, h(i, r) that in the best ranking. {TIES}",
    ),
    "mrr": Definition("sum(1 / min(rank(i, j) for j in Y[i]) for i in N) / n", words=f"The highest score has rank 1. {TIES}"),
    "label_ranking_ap": Definition(
        "sum(sum(sum(s[i, l] >= s[i, j] for l in Y[i]) / sum(s[i, l] >= s[i, j] for l in L) for j in Y[i]) / len(Y[i])"
        " for i in N) / n"
    ),
    "coverage_error": Definition("sum(sum(s[i, l] >= min(s[i, j] for j in Y[i]) for l in L) for i in N) / n"),
    "ranking_loss": Definition(
        "sum(sum(s[i, j] <= s[i, l] for j in Y[i] for l in Z[i]) / (len(Y[i]) * len(Z[i])) for i in N) / n",
        words="$Z_i$ are the labels that are not relevant.",
    ),
}
OF_OBJECTS: dict[str, Definition] = {
    "ap": Definition(
        "sum(max(precision(x) for x in X if x >= r) for r in R) / 101",
        words="X are the values of recall that are reached, from the highest score on, precision(x) is the precision there, and "
        "R are 0, 0.01, …, 1; this is the interpolation of COCO.",
    ),
    "ar": Definition("len(TP) / (len(TP) + len(FN))"),
    "pq": Definition(f"sum(IoU(g, h) for g, h in TP) / ({MATCHES})"),
    "sq": Definition("sum(IoU(g, h) for g, h in TP) / len(TP)"),
    "rq": Definition(f"len(TP) / ({MATCHES})"),
}
OF_OUTLINES: dict[str, Definition] = {
    "hausdorff": Definition("max(max(d(a, B) for a in A), max(d(b, A) for b in B))"),
    "hausdorff95": Definition(
        "max(percentile(d(a, B) for a in A), percentile(d(b, A) for b in B))", words="P is the 95th percentile."
    ),
    "assd": Definition("(sum(d(a, B) for a in A) + sum(d(b, A) for b in B)) / (len(A) + len(B))"),
    "surface_dice": Definition(
        "(sum(d(a, B) <= tau for a in A) + sum(d(b, A) <= tau for b in B)) / (len(A) + len(B))",
        words="$\\tau$ is the tolerance.",
    ),
}
BRACKETS = "A comparison in brackets is 1 where it is true and 0 elsewhere."
WORDS = {
    "scores": "Of two classes: $y_i$ is the label, 0 or 1, $p_i$ the probability of 1, $s_i$ a score, and $n$ the number of "
    f"examples; P are the positive and M the negative examples. {BRACKETS}",
    "classes": "$y_i$ is the class of example i, $p_{ik}$ the probability of class k, $n$ the number of examples and $m$ that of "
    f"classes. {BRACKETS}",
    "labels": "$Y_i$ are the relevant labels of example i, $s_{ij}$ is the score of label j, $n$ the number of examples, and L "
    f"are the labels. {BRACKETS}",
    "objects": "TP are the pairs of a true and a found object or segment that match, FN the true and FP the found ones left "
    "over; bars are numbers of them.",
    "outlines": "A and B are the two outlines, d(a, B) is the distance from a point to the nearest point of the other, and bars "
    "are numbers of points, or lengths.",
}
GROUPS = {"scores": OF_SCORES, "classes": OF_CLASSES, "labels": OF_LABELS, "objects": OF_OBJECTS, "outlines": OF_OUTLINES}
