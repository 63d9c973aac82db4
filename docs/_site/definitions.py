"""Formulas of measures beyond four counts, as text: pages show them, tests compare their values.

``C[i, j]`` examples of class i are predicted as class j; ``r`` and ``q`` are the sums of rows and of columns, ``n`` that of all;
``K`` are the classes, and ``k`` is how many there are. Of scores, ``y`` are labels 0 and 1, ``s`` scores, ``p`` probabilities,
``N`` all examples, ``P`` the positive and ``M`` the negative ones. A comparison is 1 where it is true and 0 elsewhere.
"""

from __future__ import annotations

from typing import NamedTuple


class Definition(NamedTuple):
    """A formula, and what its short names stand for, the first one first."""

    formula: str
    where: dict[str, str] = {}  # noqa: RUF012 - nobody changes it


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
}
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
}
WORDS = {
    "matrix": "$C_{ij}$ examples of class i are predicted as class j; $r_i$ and $q_j$ are the sums of rows and columns, $n$ is "
    "that of all, and $k$ the number of classes. Terms with $C_{ij} = 0$ are 0.",
    "scores": "Of two classes: $y_i$ is the label, 0 or 1, $p_i$ the probability of 1, $s_i$ a score, and $n$ the number of "
    "examples; P are the positive and M the negative examples. A comparison in brackets is 1 where it is true and 0 elsewhere.",
}


def definition(name: str) -> Definition | None:
    """Return the definition of a measure; None if there is none here."""
    return OF_MATRIX.get(name) or OF_SCORES.get(name)


def words(name: str) -> str:
    """Return what the signs in a definition stand for."""
    return WORDS["matrix" if name in OF_MATRIX else "scores"]
