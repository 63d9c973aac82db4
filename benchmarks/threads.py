"""Print how much sooner several threads count: kernels let other threads run, and evaluations add.

``python -m benchmarks.threads`` cuts rows into as many parts as there are threads, and adds the evaluations of the parts. Times
are those on the wall, the least of several runs, so nothing else should run on the machine.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

import indicatrix as ix

REPEATS = 7


def count(y_true: Any, y_pred: Any, threads: int, weights: Any = None) -> ix.Evaluation:
    """Return the evaluation of all rows, each part of them counted in a thread."""
    ends = np.linspace(0, y_true.shape[0], threads + 1).astype(int).tolist()

    def part(a: int, b: int) -> ix.Evaluation:
        return ix.evaluate(y_true[a:b], y_pred[a:b], sample_weight=None if weights is None else weights[a:b])

    if threads == 1:
        return part(*ends)
    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(part, ends[:-1], ends[1:]))  # type: ignore[return-value]


def cases() -> Iterator[tuple[str, Callable[[int], ix.Evaluation]]]:
    """Yield the name of a case, and what counts it in some threads."""
    rng = np.random.default_rng(0)
    for dtype, n in ((np.int64, 50_000_000), (np.uint8, 200_000_000)):
        y, z = (rng.integers(0, 10, n, dtype=dtype) for _ in range(2))
        yield f"{n:,} {dtype.__name__} labels, 10 classes", partial(count, y, z)
    y, z = y[:10_000_000], z[:10_000_000]
    yield "10,000,000 uint8 labels with weights, exact sums", partial(count, y, z, weights=rng.random(len(y)))
    y, z = (rng.integers(0, 2, (5_000_000, 14), dtype=np.uint8) for _ in range(2))
    yield "5,000,000 × 14 uint8 labels", partial(count, y, z)
    y, z = (sp.random(500_000, 10_000, 0.002, "csr", np.float32, rng).astype(bool) for _ in range(2))
    yield "CSR 500,000 × 10,000, 20 labels per row", partial(count, y, z)


def least(call: Callable[[], Any]) -> float:
    """Return the least milliseconds of several runs."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best * 1000


if __name__ == "__main__":
    numbers = [k for k in (1, 2, 4, 8, 16, 32) if k <= (os.cpu_count() or 1)]
    print(f"milliseconds in {numbers} threads, and how many times as fast the last is")
    for name, counted in cases():
        assert counted(numbers[-1]) == counted(1)
        times = [least(partial(counted, k)) for k in numbers]
        print(f"{name}: {', '.join(f'{t:.1f}' for t in times)}; {times[0] / times[-1]:.1f}", flush=True)
