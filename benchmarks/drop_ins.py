"""The drop-ins of indicatrix.sklearn against scikit-learn's functions of the same names."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn import metrics

import indicatrix.sklearn as ours

SIZES = (100, 10_000, 1_000_000)
MACRO = {"average": "macro"}


class Row(NamedTuple):
    """A function, its options, and how many times as fast it must be with a million examples."""

    name: str
    given: dict[str, Any]
    target: float = 1


LABELS = (
    Row("accuracy_score", {}, 10),
    Row("balanced_accuracy_score", {}),
    Row("class_likelihood_ratios", {}),
    Row("classification_report", {}),
    Row("cohen_kappa_score", {}),
    Row("confusion_matrix", {}, 30),
    Row("f1_score", MACRO, 30),
    Row("fbeta_score", {"beta": 2, **MACRO}),
    Row("hamming_loss", {}),
    Row("jaccard_score", MACRO),
    Row("matthews_corrcoef", {}, 30),
    Row("multilabel_confusion_matrix", {}),
    Row("precision_recall_fscore_support", {}, 30),
    Row("precision_score", MACRO),
    Row("recall_score", MACRO),
    Row("zero_one_loss", {}),
)


def data_of_labels(name: str, n: int) -> tuple[Any, Any]:
    """Return integer labels of ten classes, or of two where a function takes no more."""
    rng = np.random.default_rng(0)
    m = 2 if name == "class_likelihood_ratios" else 10
    y = rng.integers(0, m, n)
    return y, np.where(rng.random(n) < 0.7, y, rng.integers(0, m, n))


SCORES = (
    Row("average_precision_score", {}),
    Row("brier_score_loss", {}),
    Row("confusion_matrix_at_thresholds", {}),
    Row("d2_brier_score", {}),
    Row("d2_log_loss_score", {}),
    Row("det_curve", {}),
    Row("hinge_loss", {}),
    Row("log_loss", {}, 3),
    Row("precision_recall_curve", {}),
    Row("roc_auc_score", {}, 15),
    Row("roc_auc_score", {"max_fpr": 0.2}),
    Row("roc_curve", {}),
)
SEVERAL_SCORES = (
    Row("brier_score_loss", {}),
    Row("log_loss", {}, 3),
    Row("roc_auc_score", {"multi_class": "ovr"}),
    Row("roc_auc_score", {"multi_class": "ovo"}),
    Row("top_k_accuracy_score", {}),
)
RANKINGS = (Row("coverage_error", {}), Row("dcg_score", {"ignore_ties": True}), Row("roc_auc_score", {}))


def data_of_scores(_: str, n: int) -> tuple[Any, Any]:
    """Return labels 0/1 and probabilities that depend on them."""
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.3).astype(np.int64)
    return y, 1 / (1 + np.exp(-rng.normal(size=n) - y))


def data_of_several_scores(_: str, n: int) -> tuple[Any, Any]:
    """Return labels of five classes and rows of probabilities."""
    rng = np.random.default_rng(0)
    return rng.integers(0, 5, n), rng.dirichlet(np.ones(5), n)


def data_of_rankings(_: str, n: int) -> tuple[Any, Any]:
    """Return a 0/1 matrix of five labels and their scores."""
    rng = np.random.default_rng(0)
    scores = rng.random((n, 5))
    return (scores + rng.random((n, 5)) > 1).astype(np.int64), scores


TABLES: list[tuple[tuple[Row, ...], Callable[[str, int], tuple[Any, Any]]]] = [
    (LABELS, data_of_labels),
    (SCORES, data_of_scores),
    (SEVERAL_SCORES, data_of_several_scores),
    (RANKINGS, data_of_rankings),
]


def cpu_seconds(call: Callable[[], Any], budget: float) -> float:
    """Return the least CPU seconds of a call, repeated for about this many seconds, and at least twice."""
    best, spent, times = float("inf"), 0.0, 0
    while times < 2 or (spent < budget and times < 200):
        start = time.process_time()
        call()
        took = time.process_time() - start
        best, spent, times = min(best, took), spent + took, times + 1
    return best


def compare_drop_ins() -> Iterator[str]:
    """Yield one line of a table for each function and size."""
    yield "| scikit-learn | drop-in | ratio | at least | examples | function |\n|---:|---:|---:|---:|---:|---|"
    for rows, data in TABLES:
        for row in rows:
            for n in SIZES:
                y, z = data(row.name, n)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    functions = (getattr(module, row.name) for module in (ours, metrics))
                    mine, peer = (cpu_seconds(partial(function, y, z, **row.given), 0.3) for function in functions)
                least = row.target if n == SIZES[-1] else 1
                ratio = f"{peer / mine:.1f}" + ("" if peer / mine >= least else " (missed)")
                yield f"| {peer * 1e3:.3f} ms | {mine * 1e3:.3f} ms | {ratio} | {least:.0f} | {n} | {row.name} |"


if __name__ == "__main__":
    for line in compare_drop_ins():
        print(line, flush=True)
