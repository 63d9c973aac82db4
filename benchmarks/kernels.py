"""Compiled kernels next to NumPy's and to a peer, in one run: ``python -m benchmarks.kernels``.

The least processor time of runs that take turns, so that a busy machine slows all of them alike. `reading` is the time to look
for the largest number of each array.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from sklearn import metrics

import indicatrix as ix
from benchmarks.cases import WORDS, f1_averages, f1_averages_peer, sparse_pair
from indicatrix.compiled import loaded

N = 1_000_000


class Case(NamedTuple):
    """Our call, what it is compared with, and how much faster it should be, or longer it may take."""

    name: str
    ours: Callable[[], Any]
    peer: Callable[[], Any]
    aim: str
    calls: int = 1  # of one timing


def cases() -> Iterator[Case]:
    """Yield the comparisons, each with its data."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, N)
    z = np.where(rng.random(N) < 0.7, y, rng.integers(0, 10, N))
    for dtype, aim in ((np.int64, "≤ 2.5 × reading"), (np.uint8, "≤ 9 × reading")):
        yield _pairs(f"pairs of {dtype.__name__}, 10 classes; reading", y.astype(dtype), z.astype(dtype), aim)
    yield _pairs("pairs of int64, 10 classes from -5 on; reading", y - 5, z - 5, "")
    weights = rng.random(N)
    weigh = lambda: ix.evaluate(y, z, sample_weight=weights)  # noqa: E731
    yield Case("pairs with weights, exact; reading", weigh, lambda: (y.max(), z.max(), weights.max()), "")
    words = WORDS[y], WORDS[z]
    for name, sides, aim in (
        ("lists of ints", (y.tolist(), z.tolist()), "≥ 15"),
        ("lists of strings", (words[0].tolist(), words[1].tolist()), "≥ 100"),
        ("arrays of objects", words, "≥ 500"),
        ("arrays <U10", (words[0].astype(str), words[1].astype(str)), "≥ 200"),
    ):
        yield Case(f"{name}; scikit-learn", _confusion(*sides), _confusion_peer(*sides), aim)
    t = (rng.random((N, 14)) < 0.3).astype(np.uint8)
    p = t ^ (rng.random((N, 14)) < 0.1)
    yield Case("1,000,000 x 14 labels with second moments; scikit-learn", *_f1(t, p), "≥ 300")
    s, q = sparse_pair(rng)
    yield Case("CSR 100,000 x 10,000, 20 per row; scikit-learn", *_f1(s, q), "≥ 20")
    for name, few in (("ints", (y[:100], z[:100])), ("strings", (words[0][:100].tolist(), words[1][:100].tolist()))):
        yield Case(f"macro F1 of 100 {name}; scikit-learn", *_small(*few), "≥ 150" if name == "ints" else "≥ 60", 100)
    scores = rng.random(N)
    sweep = lambda: ix.sweep(y > 4, scores).best("mcc")  # noqa: E731
    yield Case("best MCC of 1,000,000 scores; np.argsort", sweep, lambda: np.argsort(scores), "")


def _pairs(name: str, y: Any, z: Any, aim: str) -> Case:
    return Case(name, _confusion(y, z), lambda: (y.max(), z.max()), aim)


def _confusion(y: Any, z: Any) -> Callable[[], Any]:
    return lambda: ix.evaluate(y, z).confusion


def _confusion_peer(y: Any, z: Any) -> Callable[[], Any]:
    return lambda: metrics.confusion_matrix(y, z)


def _f1(t: Any, p: Any) -> tuple[Callable[[], Any], Callable[[], Any]]:
    return lambda: f1_averages(t, p), lambda: f1_averages_peer(t, p)


def _small(y: Any, z: Any) -> tuple[Callable[[], Any], Callable[[], Any]]:
    return lambda: ix.f1(y, z, average="macro"), lambda: metrics.f1_score(y, z, average="macro")


def compare(case: Case, repeats: int) -> tuple[float, float, float]:
    """Return the least seconds of the compiled kernels, of NumPy's and of the peer."""
    core, best = loaded.core, [float("inf")] * 3
    for number in range(repeats):
        for place, (call, kernels) in enumerate(((case.ours, core), (case.ours, None), (case.peer, core))):
            if place == 2 and number > max(2, 1e9 * best[2] < 1e8 and repeats):
                continue  # a peer that takes long is not called as often
            loaded.core = kernels
            start = time.process_time()
            for _ in range(case.calls):
                call()
            best[place] = min(best[place], (time.process_time() - start) / case.calls)
    loaded.core = core
    return best[0], best[1], best[2]


def main(repeats: int = 9, only: str = "") -> None:
    """Print one line per comparison."""
    print(f"{ix.__config__}\n")
    print(
        "| compiled | NumPy | peer | NumPy ÷ compiled | peer ÷ compiled | aim | case; peer |\n|---:|---:|---:|---:|---:|---|---|"
    )
    for case in cases():
        if only in case.name:
            compiled, plain, peer = compare(case, repeats)
            times = " | ".join(f"{x * 1e3:.3g} ms" for x in (compiled, plain, peer))
            against = f"{peer / compiled:.3g}" if peer > compiled else f"1/{compiled / peer:.3g}"
            print(f"| {times} | {plain / compiled:.2f} | {against} | {case.aim} | {case.name} |", flush=True)


if __name__ == "__main__":
    main(*(int(x) if x.isdigit() else x for x in sys.argv[1:]))
