"""Print the table of benchmarks: our CPU time, the peer's, their ratio against its target, and memory beyond the input."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import timeit
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

import indicatrix as ix
from benchmarks.cases import cases


def cpu_time(call: Callable[[], Any], repeats: int) -> float:
    """Return the least CPU seconds of several runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def extra_memory(call: Callable[[], Any]) -> int:
    """Return the peak of bytes that a call allocates."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def import_time(module: str, repeats: int = 15) -> float:
    """Return the least milliseconds that importing a module takes after NumPy, in fresh interpreters."""
    code = f"import time, numpy; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}  # as an installed package has it
    runs = (subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True) for _ in range(repeats))
    return min(float(run.stdout) for run in runs) * 1000


def main() -> None:
    """Print one line per benchmark."""
    print(f"{'scikit-learn':>12}  {'indicatrix':>12}  {'ratio':>8}  {'target':>6}  {'memory':>6}  case")
    for case in cases():
        case.ours()
        ours, peer = cpu_time(case.ours, 7), cpu_time(case.peer, 2)
        ratio = peer / ours
        memory = 1 + extra_memory(case.ours) / case.data
        verdict = "" if ratio >= case.target else "  (missed)"
        print(
            f"{peer * 1e3:9.1f} ms  {ours * 1e3:9.2f} ms  {ratio:7.0f}x  {case.target:5.0f}x  {memory:5.2f}x  {case.name}{verdict}",
            flush=True,
        )
    rng = np.random.default_rng(0)
    y, z = rng.integers(0, 5, (2, 100))
    best = min(timeit.repeat(lambda: ix.f1(y, z, average="macro"), number=200, repeat=25)) / 200 * 1e6
    print(f"f1 of 100 rows: {best:.0f} µs (at most 50)")
    print(f"import after NumPy: {import_time('indicatrix'):.1f} ms (at most 20)")


if __name__ == "__main__":
    main()
