"""The comparisons: our call, the peer's call on the same data, and the ratio that is required."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import torch
from scipy import sparse
from sklearn import metrics
from torchmetrics.functional.classification import multiclass_f1_score

import indicatrix as ix

N = 1_000_000
TWELVE = [(m, a) for m in ("precision", "recall", "f1", "mcc") for a in ("micro", "macro", "weighted")]
SEVEN = ("precision", "recall", "f1", "accuracy", "mcc", "informedness", "jaccard")
WORDS = np.array(["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"], dtype=object)


@dataclass(frozen=True)
class Case:
    """One comparison: both calls take the same two arrays."""

    name: str
    ours: Callable[[Any, Any], Any]
    peer: Callable[[Any, Any], Any]
    target: float  # the least ratio of the peer's time to ours
    y: Any
    z: Any
    size: int  # bytes of the two arrays
    repeats: tuple[int, int] = (9, 2)  # how often our call and the peer's call run


def cases() -> Iterator[Case]:
    """Yield the comparisons, each with its data."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, N)
    z = np.where(rng.random(N) < 0.7, y, rng.integers(0, 10, N))
    name = "int64, 10 classes: evaluate + 12 scores; precision_recall_fscore_support x 3"
    yield Case(name, scores, scores_peer, 100, y, z, 16 * N)
    yield Case("int64, 10 classes: confusion matrix", confusion, metrics.confusion_matrix, 20, y, z, 16 * N)
    tensors = torch.from_numpy(y), torch.from_numpy(z)
    yield Case("torch int64, 10 classes: macro F1 (torchmetrics)", macro_f1, macro_f1_of_torchmetrics, 1, *tensors, 16 * N)
    words = WORDS[y], WORDS[z]
    lists = words[0].tolist(), words[1].tolist()
    yield Case("lists of strings: confusion matrix", confusion, metrics.confusion_matrix, 25, *lists, 16 * N)
    yield Case("object arrays of strings: confusion matrix", confusion, metrics.confusion_matrix, 25, *words, 16 * N)
    categories = pd.Categorical(words[0]), pd.Categorical(words[1])
    yield Case("pandas Categorical: confusion matrix", confusion, metrics.confusion_matrix, 1000, *categories, 2 * N)
    t = (rng.random((N, 14)) < 0.3).astype(np.uint8)
    p = t ^ (rng.random((N, 14)) < 0.1)
    yield Case("uint8 1,000,000 x 14 labels: micro + macro + exemplar F1", f1_averages, f1_averages_peer, 60, t, p, 28 * N)
    s, q = sparse_pair(rng)
    size = sum(x.data.nbytes + x.indices.nbytes + x.indptr.nbytes for x in (s, q))
    yield Case("CSR 100,000 x 10,000, 20 per row: micro + macro + exemplar F1", f1_averages, f1_averages_peer, 4, s, q, size)
    yield from score_cases(rng)


def macro_f1(y: Any, z: Any) -> Any:
    """Return macro F1."""
    return ix.f1(y, z, average="macro")


def macro_f1_of_torchmetrics(y: Any, z: Any) -> Any:
    """Return macro F1 from torchmetrics, which is told not to check its input."""
    return multiclass_f1_score(z, y, num_classes=10, average="macro", validate_args=False)


def score_cases(rng: np.random.Generator) -> Iterator[Case]:
    """Yield the comparisons on scores: areas, all thresholds, and many columns."""
    y, p = labels_and_scores(rng, (10 * N,), 0.3)
    yield Case("10,000,000 float64 scores: AUC + average precision", areas, areas_peer, 20, y, p, 160 * N, (2, 1))
    y, p = y[:N], p[:N]
    yield Case("1,000,000 scores: 7 measures at all thresholds; roc_curve + formulas", measures, measures_peer, 3, y, p, 16 * N)
    y, p = labels_and_scores(rng, (N // 10, 100), 0.1)
    yield Case("100,000 x 100 scores: macro AUC", macro_auc, macro_auc_peer, 10, y, p, 160 * N, (3, 1))


def labels_and_scores(rng: np.random.Generator, shape: tuple[int, ...], prevalence: float) -> tuple[Any, Any]:
    """Return labels 0/1 and probabilities that depend on them."""
    y = (rng.random(shape) < prevalence).astype(np.int64)
    return y, 1 / (1 + np.exp(-rng.normal(size=shape) - y))


def areas(y: Any, p: Any) -> tuple[float, float]:
    """Return two areas after one ranking."""
    ranking = ix.sweep(y, p).of()
    return ranking.auc, ranking.average_precision


def areas_peer(y: Any, p: Any) -> tuple[float, float]:
    """Return the two areas from scikit-learn."""
    return metrics.roc_auc_score(y, p), metrics.average_precision_score(y, p)


def measures(y: Any, p: Any) -> list[Any]:
    """Return seven measures at all thresholds, and the thresholds."""
    swept = ix.sweep(y, p)
    return [swept.of().thresholds, *(swept.values(name) for name in SEVEN)]


def measures_peer(y: Any, p: Any) -> list[Any]:
    """Return the thresholds from scikit-learn, and the same formulas at each of them."""
    fpr, tpr, thresholds = metrics.roc_curve(y, p, drop_intermediate=False)
    positives = y.sum()
    negatives = len(y) - positives
    tp, fp = tpr * positives, fpr * negatives
    with np.errstate(all="ignore"):
        return [thresholds, *(ix.algebra.MEASURES[name].function(tp, fp, positives - tp, negatives - fp) for name in SEVEN)]


def macro_auc(y: Any, p: Any) -> Any:
    """Return the mean AUC of the columns."""
    return ix.auc(y, p, average="macro")


def macro_auc_peer(y: Any, p: Any) -> Any:
    """Return the mean AUC of the columns from scikit-learn."""
    return metrics.roc_auc_score(y, p, average="macro")


def scores(y: Any, z: Any) -> list[Any]:
    """Return twelve scores of one evaluation."""
    ev = ix.evaluate(y, z)
    return [ev.score(m, a) for m, a in TWELVE]


def scores_peer(y: Any, z: Any) -> list[Any]:
    """Return precision, recall and F under three averages from scikit-learn."""
    return [metrics.precision_recall_fscore_support(y, z, average=a) for a in ("micro", "macro", "weighted")]


def confusion(y: Any, z: Any) -> Any:
    """Return the confusion matrix."""
    return ix.evaluate(y, z).confusion


def f1_averages(t: Any, p: Any) -> list[Any]:
    """Return F1 under three averages."""
    ev = ix.evaluate(t, p)
    return [ev.score("f1", a, undefined=0) for a in ("micro", "macro", "exemplar")]


def f1_averages_peer(t: Any, p: Any) -> list[Any]:
    """Return F1 under three averages from scikit-learn."""
    return [metrics.f1_score(t, p, average=a, zero_division=0) for a in ("micro", "macro", "samples")]


def sparse_pair(rng: np.random.Generator, n: int = 100_000, m: int = 10_000, k: int = 20) -> tuple[Any, Any]:
    """Return two CSR matrices that share about half of their entries."""
    out = []
    base = rng.integers(0, m, (n, k))
    for columns in (base, np.where(rng.random((n, k)) < 0.5, base, rng.integers(0, m, (n, k)))):
        x = sparse.csr_matrix((np.ones(n * k, np.int8), columns.ravel(), np.arange(0, n * k + 1, k)), shape=(n, m))
        x.sum_duplicates()
        x.data[:] = 1
        out.append(x)
    return out[0], out[1]
