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


TABLES: list[tuple[tuple[Row, ...], Callable[[str, int], tuple[Any, Any]]]] = [(LABELS, data_of_labels)]


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
