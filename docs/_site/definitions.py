"""Formulas of the confusion matrix, as text: pages show them, tests compare their values."""

from __future__ import annotations

from typing import NamedTuple


class Definition(NamedTuple):
    """A formula, what its short names stand for, the first one first, and what is said of its signs."""

    formula: str
    where: dict[str, str] = {}  # noqa: RUF012 - nobody changes it
    words: str = ""


RIGHT = {"a": "sum(C[i, i] for i in K) / n"}
CHANCE = "sum(r[i] * q[i] for i in K)"
PHI = {"f": "sum((C[i, j] - r[i] * q[j] / n) ** 2 / (r[i] * q[j]) for i in K for j in K)"}
PAIRS = {
    "s": "sum(C[i, j] * C[g, h] for i in K for j in K for g in K for h in K if i < g if j < h)",
    "d": "sum(C[i, j] * C[g, h] for i in K for j in K for g in K for h in K if i < g if j > h)",
}
UNTIED = {"u": "n ** 2 - sum(r[i] ** 2 for i in K)", "v": "n ** 2 - sum(q[j] ** 2 for j in K)"}
TRUE, PREDICTED = "sum(r[i] / n * (log(n / r[i]) / log(2)) for i in K)", "sum(q[j] / n * (log(n / q[j]) / log(2)) for j in K)"
SHARED = "sum(C[i, j] / n * (log(n * C[i, j] / (r[i] * q[j])) / log(2)) for i in K for j in K)"
TOGETHER = {
    "t": "sum(C[i, j] * (C[i, j] - 1) for i in K for j in K)",
    "u": "sum(r[i] * (r[i] - 1) for i in K)",
    "v": "sum(q[j] * (q[j] - 1) for j in K)",
    "w": "n * (n - 1)",
}
MODAL = {
    "u": "sum(max(C[i, j] for i in K) for j in K)",
    "v": "max(r[i] for i in K)",
    "x": "sum(max(C[i, j] for j in K) for i in K)",
    "y": "max(q[j] for j in K)",
}

OF_MATRIX: dict[str, Definition] = {
    "multiclass_accuracy": Definition("sum(C[i, i] for i in K) / n"),
    "multiclass_mcc": Definition(
        "(n * sum(C[i, i] for i in K) - sum(r[i] * q[i] for i in K))"
        " / sqrt((n ** 2 - sum(r[i] ** 2 for i in K)) * (n ** 2 - sum(q[j] ** 2 for j in K)))"
    ),
    "multiclass_informedness": Definition("(sum(C[i, i] / r[i] for i in K) - 1) / (k - 1)"),
    "no_information_rate": Definition("max(r[i] for i in K) / n"),
    "examples_per_class": Definition("n / k"),
    "multiclass_kappa": Definition("(a - e) / (1 - e)", RIGHT | {"e": f"{CHANCE} / n ** 2"}),
    "multiclass_scott_pi": Definition("(a - e) / (1 - e)", RIGHT | {"e": "sum((r[i] + q[i]) ** 2 for i in K) / (4 * n ** 2)"}),
    "multiclass_gwet_ac1": Definition(
        "(a - e) / (1 - e)",
        RIGHT | {"e": "sum(x[i] * (1 - x[i]) for i in K) / (k - 1)", "x[i]": "(r[i] + q[i]) / (2 * n)"},
    ),
    "bennett_s": Definition("(a - 1 / k) / (1 - 1 / k)", RIGHT),
    "krippendorff_alpha": Definition(
        "1 - 2 * (2 * n - 1) * (n - sum(C[i, i] for i in K)) / (4 * n ** 2 - sum((r[i] + q[i]) ** 2 for i in K))"
    ),
    "kappa_no_prevalence": Definition("2 * sum(C[i, i] for i in K) / n - 1"),
    "bangdiwala_b": Definition(f"sum(C[i, i] ** 2 for i in K) / {CHANCE}"),
    "chi_squared_degrees": Definition("(k - 1) ** 2"),
    "phi_squared": Definition(PHI["f"]),
    "multiclass_chi_squared": Definition("sum((C[i, j] - r[i] * q[j] / n) ** 2 / (r[i] * q[j] / n) for i in K for j in K)"),
    "cramer_v": Definition("sqrt(f / (k - 1))", PHI),
    "tschuprow_t": Definition("sqrt(f / (k - 1))", PHI),
    "multiclass_contingency_coefficient": Definition("sqrt(f / (1 + f))", PHI),
    "goodman_kruskal_lambda_true": Definition("(u - v) / (n - v)", {name: MODAL[name] for name in "uv"}),
    "goodman_kruskal_lambda_predicted": Definition("(x - y) / (n - y)", {name: MODAL[name] for name in "xy"}),
    "multiclass_goodman_kruskal_lambda": Definition("(u + x - v - y) / (2 * n - v - y)", MODAL),
    "goodman_kruskal_tau_true": Definition(
        "(n * sum(C[i, j] ** 2 / q[j] for i in K for j in K) - sum(r[i] ** 2 for i in K)) / (n ** 2 - sum(r[i] ** 2 for i in K))"
    ),
    "goodman_kruskal_tau_predicted": Definition(
        "(n * sum(C[i, j] ** 2 / r[i] for i in K for j in K) - sum(q[j] ** 2 for j in K)) / (n ** 2 - sum(q[j] ** 2 for j in K))"
    ),
    "goodman_kruskal_gamma": Definition("(s - d) / (s + d)", PAIRS),
    "multiclass_kendall_tau_b": Definition("2 * (s - d) / sqrt(u * v)", PAIRS | UNTIED),
    "stuart_tau_c": Definition("2 * k * (s - d) / (n ** 2 * (k - 1))", PAIRS),
    "somers_d_predicted": Definition("2 * (s - d) / u", PAIRS | {"u": UNTIED["u"]}),
    "somers_d_true": Definition("2 * (s - d) / v", PAIRS | {"v": UNTIED["v"]}),
    "somers_d": Definition("4 * (s - d) / (u + v)", PAIRS | UNTIED),
    "entropy_true": Definition(TRUE),
    "entropy_predicted": Definition(PREDICTED),
    "joint_entropy": Definition("sum(C[i, j] / n * (log(n / C[i, j]) / log(2)) for i in K for j in K)"),
    "conditional_entropy_true": Definition("sum(C[i, j] / n * (log(q[j] / C[i, j]) / log(2)) for i in K for j in K)"),
    "conditional_entropy_predicted": Definition("sum(C[i, j] / n * (log(r[i] / C[i, j]) / log(2)) for i in K for j in K)"),
    "cross_entropy_of_classes": Definition("sum(r[i] / n * (log(n / q[i]) / log(2)) for i in K)"),
    "kl_divergence_of_classes": Definition("sum(r[i] / n * (log(r[i] / q[i]) / log(2)) for i in K)"),
    "mutual_information": Definition(SHARED),
    "normalized_mutual_information": Definition("2 * u / (v + w)", {"u": SHARED, "v": TRUE, "w": PREDICTED}),
    "theil_u_true": Definition("u / v", {"u": SHARED, "v": TRUE}),
    "theil_u_predicted": Definition("u / w", {"u": SHARED, "w": PREDICTED}),
    "variation_of_information": Definition("sum(C[i, j] / n * (log(r[i] * q[j] / C[i, j] ** 2) / log(2)) for i in K for j in K)"),
    "confusion_entropy": Definition(
        "sum(C[i, j] * log((r[i] + q[i]) * (r[j] + q[j]) / C[i, j] ** 2) for i in K for j in K if i != j)"
        " / (2 * n * log(2 * (k - 1)))"
    ),
    "rand_index": Definition("(w + 2 * t - u - v) / w", TOGETHER),
    "adjusted_rand_index": Definition("(t - u * v / w) / ((u + v) / 2 - u * v / w)", TOGETHER),
    "fowlkes_mallows_of_pairs": Definition("t / sqrt(u * v)", {name: TOGETHER[name] for name in "tuv"}),
    "no_information_p_value": Definition(
        "sum(binom(n, x) * f ** x * (1 - f) ** (n - x) for x in H)",
        {"f": "max(r[i] for i in K) / n"},
        "H are the numbers from that of the right examples to $n$.",
    ),
    "modified_confusion_entropy": Definition(
        "-sum(C[i, j] * log(C[i, j] / c[i]) + C[j, i] * log(C[j, i] / c[i]) for i in K for j in K if i != j)"
        " / (sum(c[i] for i in K) * log(2 * (k - 1)))",
        {"c[i]": "r[i] + q[i] - C[i, i]"},
    ),
}
WORDS = (
    "$C_{ij}$ examples of class i are predicted as class j; $r_i$ and $q_j$ are the sums of rows and columns, $n$ is "
    "that of all, and $k$ the number of classes. Terms with $C_{ij} = 0$ are 0."
)
