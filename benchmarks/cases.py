"""What is measured: our call, the peer's call on the same data, and how many times longer the peer should take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn import metrics

import indicatrix as ix

N = 1_000_000
TWELVE = [(m, a) for m in ("precision", "recall", "f1", "mcc") for a in ("micro", "macro", "weighted")]


@dataclass(frozen=True)
class Case:
    """One comparison."""

    name: str
    ours: Callable[[], Any]
    peer: Callable[[], Any]
    target: float  # the peer should take at least so many times our time
    data: int  # bytes of the input


def cases() -> Iterator[Case]:
    """Yield the comparisons; data are made when a case is reached."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, N)
    z = np.where(rng.random(N) < 0.7, y, rng.integers(0, 10, N))
    yield Case(
        "int64 labels, 10 classes: evaluate + 12 scores / precision_recall_fscore_support x 3",
        lambda: _scores(y, z),
        lambda: _prfs(y, z),
        100,
        y.nbytes * 2,
    )
    yield Case(
        "int64 labels, 10 classes: confusion matrix",
        lambda: ix.evaluate(y, z).confusion,
        lambda: metrics.confusion_matrix(y, z),
        20,
        y.nbytes * 2,
    )

    names = np.array(["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"], dtype=object)
    words, guesses = names[y].tolist(), names[z].tolist()
    pointers = N * 8 * 2
    yield Case(
        "Python strings in lists: confusion matrix",
        lambda: ix.evaluate(words, guesses).confusion,
        lambda: metrics.confusion_matrix(words, guesses),
        25,
        pointers,
    )
    objects = names[y], names[z]
    yield Case(
        "Python strings in object arrays: confusion matrix",
        lambda: ix.evaluate(*objects).confusion,
        lambda: metrics.confusion_matrix(*objects),
        25,
        pointers,
    )
    a, b = pd.Categorical(words), pd.Categorical(guesses)
    yield Case(
        "pandas Categorical: confusion matrix",
        lambda: ix.evaluate(a, b).confusion,
        lambda: metrics.confusion_matrix(a, b),
        1000,
        N * 2,
    )
    del words, guesses, objects, a, b

    t = (rng.random((N, 14)) < 0.3).astype(np.uint8)
    p = t ^ (rng.random((N, 14)) < 0.1)
    yield Case(
        "uint8 multilabel, 14 labels: micro + macro + exemplar F1",
        lambda: _three(t, p),
        lambda: _three_peer(t, p),
        60,
        t.nbytes * 2,
    )
    del t, p

    s, q = _sparse_pair(rng)
    size = sum(x.data.nbytes + x.indices.nbytes + x.indptr.nbytes for x in (s, q))
    yield Case(
        "CSR 100,000 x 10,000, 20 labels per row: micro + macro + exemplar F1",
        lambda: _three(s, q),
        lambda: _three_peer(s, q),
        4,
        size,
    )


def _scores(y: Any, z: Any) -> list[Any]:
    ev = ix.evaluate(y, z)
    return [ev.score(m, a) for m, a in TWELVE]


def _prfs(y: Any, z: Any) -> list[Any]:
    return [metrics.precision_recall_fscore_support(y, z, average=a) for a in ("micro", "macro", "weighted")]


def _three(t: Any, p: Any) -> list[Any]:
    ev = ix.evaluate(t, p)
    return [ev.score("f1", a, undefined=0) for a in ("micro", "macro", "exemplar")]


def _three_peer(t: Any, p: Any) -> list[Any]:
    return [metrics.f1_score(t, p, average=a, zero_division=0) for a in ("micro", "macro", "samples")]


def _sparse_pair(rng: np.random.Generator, n: int = 100_000, m: int = 10_000, k: int = 20) -> tuple[Any, Any]:
    """Return two CSR matrices that share about half of their entries."""
    out = []
    base = rng.integers(0, m, (n, k))
    for columns in (base, np.where(rng.random((n, k)) < 0.5, base, rng.integers(0, m, (n, k)))):
        x = sparse.csr_matrix((np.ones(n * k, np.int8), columns.ravel(), np.arange(0, n * k + 1, k)), shape=(n, m))
        x.sum_duplicates()
        x.data[:] = 1
        out.append(x)
    return out[0], out[1]
