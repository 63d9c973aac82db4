"""Print time and memory of rankings of 100,000 labels for 100,000 examples, in sparse arrays.

``python -m benchmarks.extreme_labels [examples] [labels] [stored scores per example]``
"""

from __future__ import annotations

import resource
import sys
import time
import tracemalloc

import numpy as np
import scipy.sparse as sp

import indicatrix as ix


def random_rows(n: int, m: int, size: int, rng: np.random.Generator) -> sp.csr_array:
    """Return an array with about ``size`` stored entries in each row; low columns occur more often."""
    columns = np.sort((m * rng.random((n, size)) ** 3).astype(np.int64), axis=1)
    kept = np.diff(columns, axis=1, prepend=-1) > 0
    indptr = np.concatenate(([0], np.cumsum(kept.sum(axis=1))))
    return sp.csr_array((rng.random(int(kept.sum())), columns[kept], indptr), shape=(n, m))


def main(n: int, m: int, size: int) -> None:
    """Measure each score once, and its peak of memory in a second run."""
    rng = np.random.default_rng(0)
    y, scores = random_rows(n, m, 5, rng), random_rows(n, m, size, rng)
    y.data[:] = 1
    p = ix.scores.label_propensities(y)
    stored = y.nnz + scores.nnz
    print(f"{n:,} examples, {m:,} labels; stored: {y.nnz:,} labels and {scores.nnz:,} scores; dense: {n * m * 8 / 1e9:,.1f} GB")
    calls = {
        "precision_at_k": lambda: ix.measures.precision_at_k(y, scores, 5),
        "ndcg": lambda: ix.ndcg(y, scores, k=5),
        "dcg": lambda: ix.measures.dcg(y, scores, k=5),
        "mrr": lambda: ix.mrr(y, scores),
        "label_ranking_ap": lambda: ix.measures.label_ranking_ap(y, scores),
        "ranking_loss": lambda: ix.measures.ranking_loss(y, scores),
        "propensity_precision_at_k": lambda: ix.scores.propensity_precision_at_k(y, scores, 5, p),
        "propensity_ndcg_at_k": lambda: ix.scores.propensity_ndcg_at_k(y, scores, 5, p),
    }
    for name, call in calls.items():
        start = time.process_time()
        value = call()
        seconds = time.process_time() - start
        tracemalloc.start()
        call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        print(f"{name:26} {value:.6f}  {seconds:6.2f} s  {peak / 1e6:8.1f} MB  {peak / stored:5.0f} bytes per stored entry")
    print(f"largest resident memory of the process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:,.0f} MB")


if __name__ == "__main__":
    main(*(int(x) for x in [*sys.argv[1:], *("100000", "100000", "50")[len(sys.argv) - 1 :]]))
