"""The drop-ins of indicatrix.sklearn against scikit-learn's functions of the same names."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn import metrics

import indicatrix.sklearn as ours

SIZES = (100, 10_000, 1_000_000)
MACRO = {"average": "macro"}


def len_of_both(y_true: Any, y_pred: Any) -> int:
    """Return a number at once, so that only what surrounds the function is timed."""
    return len(y_true) + len(y_pred)


class Row(NamedTuple):
    """A function, its options, and how many times as fast it must be with a million examples."""

    name: str
    given: dict[str, Any] = {}  # noqa: RUF012
    target: float = 1
    note: str = ""  # what is special about the data
    change: Callable[[Any], Any] | None = None  # of both label arrays
    weighted: bool = False


def as_words(y: Any) -> Any:
    """Return labels as texts."""
    return np.array([f"class {j}" for j in range(10)])[y]


LABELS = (
    Row("accuracy_score", {}, 10),
    Row("balanced_accuracy_score"),
    Row("class_likelihood_ratios"),
    Row("classification_report"),
    Row("cohen_kappa_score"),
    Row("confusion_matrix", {}, 30),
    Row("f1_score", MACRO, 30),
    Row("fbeta_score", {"beta": 2, **MACRO}),
    Row("hamming_loss"),
    Row("jaccard_score", MACRO),
    Row("matthews_corrcoef", {}, 30),
    Row("multilabel_confusion_matrix"),
    Row("precision_recall_fscore_support", {}, 30),
    Row("precision_score", MACRO),
    Row("recall_score", MACRO),
    Row("zero_one_loss"),
    *(Row(name, given, note="weighted", weighted=True) for name, given in (("accuracy_score", {}), ("f1_score", MACRO))),
    *(
        Row(name, given, note=note, change=change)
        for note, change in (("floats", np.float64), ("texts", as_words), ("objects", lambda y: as_words(y).astype(object)))
        for name, given in (("accuracy_score", {}), ("f1_score", MACRO))
    ),
)
MATRICES = tuple(
    Row(name, given, note="weighted matrices" if weighted else "matrices", weighted=weighted)
    for weighted in (False, True)
    for name, given in (("accuracy_score", {}), ("f1_score", MACRO), ("f1_score", {"average": "samples"}), ("hamming_loss", {}))
)


def data_of_labels(name: str, n: int) -> tuple[Any, Any]:
    """Return integer labels of ten classes, or of two where a function takes no more."""
    rng = np.random.default_rng(0)
    m = 2 if name == "class_likelihood_ratios" else 10
    y = rng.integers(0, m, n)
    return y, np.where(rng.random(n) < 0.7, y, rng.integers(0, m, n))


def data_of_matrices(_: str, n: int) -> tuple[Any, Any]:
    """Return two 0/1 matrices of five labels."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, (n, 5))
    return y, np.where(rng.random((n, 5)) < 0.7, y, 1 - y)


SCORES = (
    Row("average_precision_score"),
    Row("brier_score_loss"),
    Row("confusion_matrix_at_thresholds"),
    Row("d2_brier_score"),
    Row("d2_log_loss_score"),
    Row("det_curve"),
    Row("hinge_loss"),
    Row("log_loss", {}, 3),
    Row("precision_recall_curve"),
    Row("roc_auc_score", {}, 15),
    Row("roc_auc_score", {"max_fpr": 0.2}, note="partial"),
    Row("roc_curve"),
    *(Row(name, note="weighted", weighted=True) for name in ("roc_auc_score", "average_precision_score", "log_loss")),
)
CURVES = (Row("auc"),)
FEW_THRESHOLDS = (Row("metric_at_thresholds", {"metric_func": len_of_both}, note="20 thresholds"),)
SEVERAL_SCORES = (
    Row("brier_score_loss"),
    Row("log_loss", {}, 3),
    Row("roc_auc_score", {"multi_class": "ovr"}, note="ovr"),
    Row("roc_auc_score", {"multi_class": "ovo"}, note="ovo"),
    Row("top_k_accuracy_score"),
)
RANKINGS = (
    Row("coverage_error"),
    Row("dcg_score", {"ignore_ties": True}, note="without ties"),
    Row("ndcg_score", {"ignore_ties": True}, note="without ties"),
    Row("roc_auc_score"),
)
SLOW_RANKINGS = (  # scikit-learn looks at one row after the other
    Row("dcg_score"),
    Row("label_ranking_average_precision_score"),
    Row("label_ranking_loss"),
    Row("ndcg_score"),
)


def data_of_scores(_: str, n: int) -> tuple[Any, Any]:
    """Return labels 0/1 and probabilities that depend on them."""
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.3).astype(np.int64)
    return y, 1 / (1 + np.exp(-rng.normal(size=n) - y))


def data_of_curves(_: str, n: int) -> tuple[Any, Any]:
    """Return the points of a curve."""
    rng = np.random.default_rng(0)
    return np.sort(rng.random(n)), np.sort(rng.random(n))


def data_of_few_thresholds(_: str, n: int) -> tuple[Any, Any]:
    """Return labels 0/1 and scores with 20 different values."""
    y, scores = data_of_scores(_, n)
    return y, np.round(scores * 19) / 19


def data_of_several_scores(_: str, n: int) -> tuple[Any, Any]:
    """Return labels of five classes and rows of probabilities."""
    rng = np.random.default_rng(0)
    return rng.integers(0, 5, n), rng.dirichlet(np.ones(5), n)


def data_of_rankings(_: str, n: int) -> tuple[Any, Any]:
    """Return a 0/1 matrix of five labels and their scores."""
    rng = np.random.default_rng(0)
    scores = rng.random((n, 5))
    return (scores + rng.random((n, 5)) > 1).astype(np.int64), scores


class Table(NamedTuple):
    """Functions that are compared on the same data."""

    rows: tuple[Row, ...]
    data: Callable[[str, int], tuple[Any, Any]]
    sizes: tuple[int, ...] = SIZES


TABLES = (
    Table(LABELS, data_of_labels),
    Table(MATRICES, data_of_matrices),
    Table(SCORES, data_of_scores),
    Table(CURVES, data_of_curves),
    Table(FEW_THRESHOLDS, data_of_few_thresholds),
    Table(SEVERAL_SCORES, data_of_several_scores),
    Table(RANKINGS, data_of_rankings),
    Table(SLOW_RANKINGS, data_of_rankings, SIZES[:2]),
)


def cpu_seconds(call: Callable[[], Any], budget: float) -> float:
    """Return the least CPU seconds of a call, repeated for about this many seconds, and at least twice."""
    best, spent, times = float("inf"), 0.0, 0
    while times < 2 or (spent < budget and times < 200):
        start = time.process_time()
        call()
        took = time.process_time() - start
        best, spent, times = min(best, took), spent + took, times + 1
    return best


def compare_drop_ins(chosen: Sequence[str] = ()) -> Iterator[str]:
    """Yield one line of a table for each function and size; of all functions, or of those that are named."""
    yield "| scikit-learn | drop-in | ratio | at least | examples | function |\n|---:|---:|---:|---:|---:|---|"
    for table in TABLES:
        for row in table.rows:
            for n in table.sizes if not chosen or row.name in chosen else ():
                yield _compare(row, table.data, n)


def _compare(row: Row, data: Callable[[str, int], tuple[Any, Any]], n: int) -> str:
    y, z = data(row.name, n) if row.change is None else map(row.change, data(row.name, n))
    given = {**row.given, **({"sample_weight": np.random.default_rng(1).random(n)} if row.weighted else {})}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        functions = (getattr(module, row.name) for module in (ours, metrics))
        mine, peer = (cpu_seconds(partial(function, y, z, **given), 0.3) for function in functions)
    least = row.target if n == SIZES[-1] else 1
    ratio = f"{peer / mine:.1f}" + ("" if peer / mine >= least else " (missed)")
    name = row.name + (f", {row.note}" if row.note else "")
    return f"| {peer * 1e3:.3f} ms | {mine * 1e3:.3f} ms | {ratio} | {least:.0f} | {n} | {name} |"


if __name__ == "__main__":
    for line in compare_drop_ins(sys.argv[1:]):
        print(line, flush=True)
