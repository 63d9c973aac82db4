"""Formulas beyond arithmetic, as LaTeX and words: integrals, ranks, matches, distances."""

from __future__ import annotations

THRESHOLDS = "FPR and FNR are the false positive and the false negative rate at a threshold $\\theta$"
OF_LABELS = "$Y_i$ are the relevant labels of example i, $s_{ij}$ is the score of label j, and $n$ the number of examples"
MATCHES = "TP are the pairs of a true and a predicted segment that match, FP and FN the segments left over"
OUTLINES = "A and B are the two outlines, and $d(a, B)$ is the distance from a point to the nearest point of the other"
SHARE = r"\frac{1}{n} \sum_{i} "

SIGNS: dict[str, tuple[str, str]] = {  # the formula, and what its signs stand for
    "partial_auc": (
        r"\frac{1}{2} \left(1 + \frac{A - f^2 / 2}{f - f^2 / 2}\right), \quad A = \int_0^f \mathrm{TPR}(x) \, dx",
        "f is `max_fpr`, and TPR(x) the true positive rate at the false positive rate x. `standardized=False` is A itself.",
    ),
    "auc_of_hull": (r"\int_0^1 H(x) \, dx", "H is the upper convex hull of the ROC curve."),
    "area_under_cost_curve": (
        r"\int_0^1 \min_\theta \left( x \, \mathrm{FNR}(\theta) + (1 - x) \, \mathrm{FPR}(\theta) \right) dx",
        f"{THRESHOLDS}.",
    ),
    "threshold_average": (
        r"\frac{1}{b - a} \int_a^b M(\theta) \, d\theta",
        "$M(\\theta)$ is the measure of the decisions at a threshold, and a and b are `between`.",
    ),
    "eer": (
        r"\mathrm{FPR}(\theta^*) \quad \text{where} \quad \mathrm{FPR}(\theta^*) = \mathrm{FNR}(\theta^*)",
        f"{THRESHOLDS}.",
    ),
    "log_auc": (
        r"\frac{1}{\log(b / a)} \int_a^b \frac{\mathrm{TPR}(x)}{x} \, dx",
        "TPR(x) is the true positive rate at the false positive rate x, and a and b are `fpr_range`.",
    ),
    "auprc": (
        r"\int_0^1 \mathrm{precision}(x) \, dx",
        "precision(x) is that at recall x; between two thresholds, false positives grow in proportion to true positives.",
    ),
    "r_precision": (
        r"\frac{1}{k} \sum_{i : \, \mathrm{rank}(i) \leq k} y_i, \quad k = \sum_i y_i",
        "$y_i$ is the label, 0 or 1, and the highest score has rank 1.",
    ),
    "h_measure": (
        r"1 - \frac{\int_0^1 \min_\theta \left( c \, (1 - \pi) \, \mathrm{FPR}(\theta) + (1 - c) \, \pi \, \mathrm{FNR}(\theta)"
        r" \right) w(c) \, dc}{\int_0^1 \min \left( c \, (1 - \pi), \, (1 - c) \, \pi \right) w(c) \, dc}",
        f"{THRESHOLDS}; $\\pi$ is the share of positives, c the cost of a false positive, and w the density of c, see `prior`.",
    ),
    "balanced_log_loss": (
        r"-\frac{1}{m} \sum_{k} \frac{1}{n_k} \sum_{i : \, y_i = k} \log p_{ik}",
        "$p_{ik}$ is the probability of class k, $n_k$ the number of examples of class k, and $m$ that of classes.",
    ),
    "log_loss_skill": (
        r"1 - \frac{\sum_i \log p_{i y_i}}{\sum_i \log b_{y_i}}, \quad b_k = \frac{n_k}{n}",
        "$p_{ik}$ is the probability of class k, $y_i$ the class of example i, and $n_k$ the number of examples of class k.",
    ),
    "ece": (
        r"\sum_b \frac{n_b}{n} \left| \bar{y}_b - \bar{p}_b \right|",
        "Bin b has $n_b$ of $n$ examples, the share $\\bar{y}_b$ of positives and the mean probability $\\bar{p}_b$.",
    ),
    "smooth_ece": (
        r"\int_0^1 \left| \frac{1}{n} \sum_i (y_i - p_i) \, K_\sigma(t, p_i) \right| dt",
        "$K_\\sigma$ is a normal kernel, reflected at 0 and 1, whose bandwidth $\\sigma$ equals the result.",
    ),
    "top_k_accuracy": (
        SHARE + r"[\, y_i \in T_i \,]",
        "$T_i$ are the k classes with the highest scores of example i; a bracket is 1 where it is true.",
    ),
    "precision_at_k": (
        r"\frac{|Y_i \cap T_i|}{k}",
        f"$T_i$ are the k labels with the highest scores of example i; {OF_LABELS}. Averages are those of precision.",
    ),
    "recall_at_k": (
        r"\frac{|Y_i \cap T_i|}{|Y_i|}",
        f"$T_i$ are the k labels with the highest scores of example i; {OF_LABELS}. Averages are those of recall.",
    ),
    "dcg": (r"\sum_{r = 1}^{k} \frac{g_r}{\log_2 (r + 1)}", "$g_r$ is the gain of the label at rank r of an example."),
    "ndcg": (
        r"\frac{\sum_{r = 1}^{k} g_r / \log_2 (r + 1)}{\sum_{r = 1}^{k} g^*_r / \log_2 (r + 1)}",
        "$g_r$ is the gain of the label at rank r of an example, and $g^*_r$ that in the best ranking.",
    ),
    "mrr": (
        SHARE + r"\frac{1}{\min_{j \in Y_i} \mathrm{rank}_i(j)}",
        f"{OF_LABELS}; the highest score has rank 1.",
    ),
    "label_ranking_ap": (
        SHARE + r"\frac{1}{|Y_i|} \sum_{j \in Y_i} \frac{|\{l \in Y_i : s_{il} \geq s_{ij}\}|}{|\{l : s_{il} \geq s_{ij}\}|}",
        f"{OF_LABELS}.",
    ),
    "coverage_error": (SHARE + r"\left| \left\{ l : s_{il} \geq \min_{j \in Y_i} s_{ij} \right\} \right|", f"{OF_LABELS}."),
    "ranking_loss": (
        SHARE + r"\frac{|\{(j, l) : j \in Y_i, \, l \notin Y_i, \, s_{ij} \leq s_{il}\}|}{|Y_i| \, (m - |Y_i|)}",
        f"{OF_LABELS}, $m$ that of labels.",
    ),
    "hand_till_auc": (
        r"\frac{2}{m (m - 1)} \sum_{a < b} \frac{A(a \mid b) + A(b \mid a)}{2}",
        "$A(a \\mid b)$ is the AUC of the scores of class a among the examples of a and b, and $m$ the number of classes.",
    ),
    "ordinal_auc": (
        r"\frac{1}{m - 1} \sum_{j = 1}^{m - 1} A_j",
        "$A_j$ is the AUC of the probability of lying above class j, for the examples above it against the others.",
    ),
    "ap": (
        r"\frac{1}{101} \sum_{r \in \{0, 0.01, \ldots, 1\}} \max_{x \geq r} \mathrm{precision}(x)",
        "precision(x) is that at recall x of the matched objects, from the highest score on; this is the interpolation of COCO.",
    ),
    "ar": (
        r"\frac{|\mathrm{TP}|}{|\mathrm{TP}| + |\mathrm{FN}|}",
        "TP are the objects that are found at an overlap, FN the others.",
    ),
    "pq": (
        r"\frac{\sum_{(g, p) \in \mathrm{TP}} \mathrm{IoU}(g, p)}"
        r"{|\mathrm{TP}| + \frac{1}{2} |\mathrm{FP}| + \frac{1}{2} |\mathrm{FN}|}",
        f"{MATCHES}.",
    ),
    "sq": (r"\frac{1}{|\mathrm{TP}|} \sum_{(g, p) \in \mathrm{TP}} \mathrm{IoU}(g, p)", f"{MATCHES}."),
    "rq": (
        r"\frac{|\mathrm{TP}|}{|\mathrm{TP}| + \frac{1}{2} |\mathrm{FP}| + \frac{1}{2} |\mathrm{FN}|}",
        f"{MATCHES}.",
    ),
    "hausdorff": (r"\max \left( \max_{a \in A} d(a, B), \, \max_{b \in B} d(b, A) \right)", f"{OUTLINES}."),
    "hausdorff95": (
        r"\max \left( P_{95} \{ d(a, B) : a \in A \}, \, P_{95} \{ d(b, A) : b \in B \} \right)",
        f"{OUTLINES}; $P_{{95}}$ is the 95th percentile.",
    ),
    "assd": (r"\frac{\sum_{a \in A} d(a, B) + \sum_{b \in B} d(b, A)}{|A| + |B|}", f"{OUTLINES}."),
    "surface_dice": (
        r"\frac{|\{a \in A : d(a, B) \leq \tau\}| + |\{b \in B : d(b, A) \leq \tau\}|}{|A| + |B|}",
        f"{OUTLINES}; $\\tau$ is the tolerance, and bars are lengths.",
    ),
    "no_information_p_value": (
        r"\sum_{x = h}^{n} \binom{n}{x} \, r^x (1 - r)^{n - x}",
        "h of $n$ examples are right, and r is the no-information rate.",
    ),
    "chi_squared_p_value": (
        r"P \left( X \geq \chi^2 \right)",
        "X has the chi-squared distribution with $(k - 1)^2$ degrees of freedom, and $k$ is the number of classes.",
    ),
    "aickin_alpha": (
        r"\frac{a - e}{1 - e}, \quad e = \sum_k u_k v_k",
        "a is the share of examples that agree; u and v are the shares of the classes, true and predicted, among the examples "
        "that do not agree for cause, which are estimated together with the result.",
    ),
    "modified_confusion_entropy": (
        r"-\sum_k P_k \sum_{j \neq k} \left( P_{kj} \log P_{kj} + P_{jk} \log P_{jk} \right)",
        "$P_{kj}$ and $P_{jk}$ are the examples of k predicted as j, and of j as k, divided by those that are of k or predicted "
        "as k; $P_k$ is the share of these in their sum over classes, and "
        "the base of the logarithm is $2 (m - 1)$ for $m$ classes.",
    ),
}
