"""Print the size of a state, the costs of a row and a merge, and what 10^12 rows take by them.

``python -m benchmarks.scale``; least CPU times of several runs, on one thread. docs/work/scale.md explains the table.
"""

from __future__ import annotations

import math
import pickle
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from indicatrix.engines.column_roles import ColumnRoles, roles_of
from indicatrix.engines.partitions import state_of_partition

ROWS = 1 << 20  # of a partition here
REPEATS = 3
TOTAL, WORKERS, PARTITION = 10**12, 1_000, 10**8  # the run that is computed: rows, workers, rows of a partition
FAN = 8  # states that one task adds, as on Dask
TASKS = 1_000  # empty tasks, to measure what the scheduler of Dask needs for one
BANDWIDTH = 1e9 / 8  # bytes per second between two workers: a network of 1 Gbit is assumed, not measured


def least(call: Callable[[], Any]) -> float:
    """Return the least CPU seconds of several runs."""
    best = math.inf
    for _ in range(REPEATS):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def cases() -> dict[str, tuple[pa.Table, ColumnRoles]]:
    """Return the cases by name: rows, and the roles of their columns."""
    rng = np.random.default_rng(0)
    found = {}
    for m in (2, 10, 100, 1_000):
        y = rng.integers(0, m, ROWS)
        z = np.where(rng.random(ROWS) < 0.8, y, rng.integers(0, m, ROWS))
        found[f"labels, m = {m:,}"] = (pa.table({"y": y, "z": z}), roles_of("scale", true="y", pred="z"))
    texts = np.array([f"class {i}" for i in range(100)])
    y = rng.integers(0, 100, ROWS)
    for groups in (10, 1_000, 100_000):
        z = np.where(rng.random(ROWS) < 0.8, y % 10, rng.integers(0, 10, ROWS))
        table = pa.table({"y": y % 10, "z": z, "g": rng.integers(0, groups, ROWS)})
        found[f"labels, m = 10, {groups:,} groups"] = (table, roles_of("scale", true="y", pred="z", by="g"))
    table = pa.table({"y": pa.array(texts[y]), "z": pa.array(texts[rng.permutation(y)])})
    found["texts, m = 100"] = (table, roles_of("scale", true="y", pred="z"))
    for m in (20, 100):
        names = ([f"y{i}" for i in range(m)], [f"z{i}" for i in range(m)])
        bits = rng.random((ROWS, m)) < 0.1
        guesses = bits ^ (rng.random((ROWS, m)) < 0.02)
        columns = {name: bits[:, i] for i, name in enumerate(names[0])} | {name: guesses[:, i] for i, name in enumerate(names[1])}
        found[f"{m} label columns"] = (pa.table(columns), roles_of("scale", true=names[0], pred=names[1]))
    table = pa.table({"y": y % 10, "z": rng.permutation(y % 10), "w": rng.random(ROWS)})
    found["labels, m = 10, weights"] = (table, roles_of("scale", true="y", pred="z", sample_weight="w"))
    return found


def main() -> None:
    """Print the table."""
    task = seconds_per_task()
    print(f"A task costs {task * 1e3:.2f} ms: client, scheduler and worker together.\n")
    print("| rows | distinct rows | state, bytes | file, bytes | row, ns | merge, ms | 10^12 rows, 1,000 workers |")
    print("|---|---|---|---|---|---|---|")
    for name, (table, roles) in cases().items():
        state = state_of_partition([table], 0, roles=roles)
        other = state_of_partition([table.slice(ROWS // 2)], 0, roles=roles)
        size = len(pickle.dumps(state))
        row = least(lambda table=table, roles=roles: state_of_partition([table], 0, roles=roles)) / ROWS
        merge = least(lambda state=state, other=other: pickle.loads(pickle.dumps(state + other)))
        measured = f"{distinct_rows(state):,} | {size:,} | {saved(state):,} | {row * 1e9:.1f} | {merge * 1e3:.2f}"
        print(f"| {name} | {measured} | {run(row, merge, size, task)} |")


def seconds_per_task() -> float:
    """Return the CPU seconds that Dask needs for one empty task, all its parts in this process."""
    from dask import delayed
    from distributed import Client

    with Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None) as client:
        empty = delayed(int, pure=False)
        return least(lambda: client.gather(client.compute([empty() for _ in range(TASKS)]))) / TASKS


def distinct_rows(state: Any) -> int:
    """Return how many distinct rows of counts a state holds."""
    return len(state.aggregate("example").tp)


def saved(state: Any) -> int:
    """Return the size of the file that a state is saved in."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "state.json")
        state.save(path)
        return path.stat().st_size


def run(row: float, merge: float, size: int, task: float) -> str:
    """Return what the run takes: counting, merges, and the tasks of the scheduler at the same time."""
    partitions = TOTAL / PARTITION
    counting = TOTAL / WORKERS * row
    merges = partitions / WORKERS * (merge + size / BANDWIDTH)  # of each worker
    levels = math.ceil(math.log(partitions, FAN))
    last = levels * FAN * (merge + size / BANDWIDTH)  # the way of the last partition to the top
    tasks = partitions * (1 + 1 / (FAN - 1)) * task  # of the scheduler, during the counting
    return f"{counting:.0f} s counting + {merges + last:.1f} s merges; {tasks:.0f} s scheduling meanwhile"


if __name__ == "__main__":
    main()
