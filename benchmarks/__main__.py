"""Print the benchmarks: CPU times, their ratios with the targets, and memory.

Memory is the peak during our call, input included, in units of the size of the input.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import timeit
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv
from sklearn.metrics import f1_score

import indicatrix as ix
from benchmarks.cases import WORDS, Case, cases
from benchmarks.drop_ins import compare_drop_ins
from indicatrix.cli.asked import Asked
from indicatrix.cli.counting import evaluate_file


def cpu_time(call: Callable[..., Any], case: Case, repeats: int) -> float:
    """Return the least CPU seconds of several runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        call(case.y, case.z)
        best = min(best, time.process_time() - start)
    return best


def memory(case: Case) -> float:
    """Return the peak of memory during our call, input included, in units of the size of the input."""
    tracemalloc.start()
    try:
        case.ours(case.y, case.z)
        return 1 + tracemalloc.get_traced_memory()[1] / case.size
    finally:
        tracemalloc.stop()


def import_time(module: str, repeats: int = 15) -> float:
    """Return the least milliseconds that the import of a module takes after NumPy.

    Each run is a new interpreter that uses compiled files, as in an installed package.
    """
    code = f"import time, numpy; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(repeats)]
    return min(float(run.stdout) for run in runs) * 1000


def theory_times() -> tuple[float, float, str]:
    """Return the CPU seconds of all properties without SymPy, in total and of the slowest measure.

    The third value is the name of that measure.
    """
    code = (
        "import sys, time; sys.modules['sympy'] = None\n"
        "import mpmath, indicatrix as ix\n"
        "ix.properties('accuracy')\n"
        "for name, m in ix.algebra.MEASURES.items():\n"
        "    if name == m.name:\n"
        "        t = time.process_time(); p = ix.properties(m); list(p.evidence.values()); p.a\n"
        "        print(time.process_time() - t, name)\n"
    )
    lines = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    times = [(float(line.split()[0]), line.split()[1]) for line in lines]
    return sum(t for t, _ in times), *max(times)


def time_of_groups(n: int = 1_000_000, groups: int = 100_000) -> float:
    """Return the CPU seconds of evaluating rows in many groups and averaging F1 over the groups."""
    rng = np.random.default_rng(0)
    y, z = rng.integers(0, 10, (2, n))
    group = rng.integers(0, groups, n)
    start = time.process_time()
    ix.evaluate(y, z, by={"group": group}).score("f1", "group")
    return time.process_time() - start


def times_of_csv(label: Callable[[int], str], n: int = 2_000_000, repeats: int = 3) -> tuple[float, float]:
    """Return the least CPU seconds of evaluating a CSV file of labels, and of reading it with pyarrow."""
    y, z = np.random.default_rng(0).integers(0, 10, (2, n)).tolist()
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/rows.csv"
        Path(path).write_text(
            "true,pred\n" + "".join(f"{label(a)},{label(b)}\n" for a, b in zip(y, z, strict=True)), encoding="utf-8"
        )
        request = Asked(true="true", pred=("pred",))
        calls = (lambda: evaluate_file(path, request), lambda: pyarrow.csv.read_csv(path))
        ours, peer = (min(_cpu_seconds(call) for _ in range(repeats)) for call in calls)
    return ours, peer


def _cpu_seconds(call: Callable[[], Any]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def times_of_small_call(n: int = 100) -> tuple[float, float]:
    """Return the least microseconds of macro F1 of a few integers: ours, and those of scikit-learn."""
    y, z = np.random.default_rng(0).integers(0, 5, (2, n))
    ours = min(timeit.repeat(lambda: ix.f1(y, z, average="macro"), number=200, repeat=50)) / 200
    peer = min(timeit.repeat(lambda: f1_score(y, z, average="macro"), number=20, repeat=20)) / 20
    return ours * 1e6, peer * 1e6


def main() -> None:
    """Print one line per benchmark."""
    print("| peer | indicatrix | ratio | at least | memory | case |\n|---:|---:|---:|---:|---:|---|")
    for case in cases():
        ours, peer = (cpu_time(call, case, k) for call, k in zip((case.ours, case.peer), case.repeats, strict=True))
        ratio = f"{peer / ours:.0f}" + ("" if peer / ours >= case.target else " (missed)")
        cells = f"{peer * 1e3:.0f} ms", f"{ours * 1e3:.1f} ms", ratio, f"{case.target:.0f}", f"{memory(case):.2f}", case.name
        print(f"| {' | '.join(cells)} |", flush=True)
    print(*compare_drop_ins(), sep="\n")
    ours, peer = times_of_small_call()
    print(f"\nMacro F1 of 100 rows: {ours:.0f} µs, and {peer:.0f} µs with scikit-learn's f1_score:", end=" ")
    print(f"{peer / ours:.0f} times as long (at least 40).")
    print(f"F1 of 1,000,000 rows in 100,000 groups: {time_of_groups():.1f} s (at most 3).")
    for what, label in (("integers", str), ("strings", WORDS.__getitem__)):
        ours, peer = times_of_csv(label)
        print(f"A CSV file of 2,000,000 rows of {what}: {ours:.2f} s, and {peer:.2f} s to read it with pyarrow:", end=" ")
        print(f"{ours / peer:.1f} times as long (at most 3).")
    total, slowest, name = theory_times()
    print(f"All properties without SymPy: {slowest * 1e3:.0f} ms of {name}, the slowest (at most 100);", end=" ")
    print(f"{total:.1f} s of the whole catalogue (at most 10).")
    print(f"import indicatrix, after NumPy: {import_time('indicatrix'):.1f} ms (at most 20).")


if __name__ == "__main__":
    main()
