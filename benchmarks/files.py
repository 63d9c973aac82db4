"""Processor time and memory of ``ix.evaluate_file``, next to pyarrow that only reads the columns.

``python -m benchmarks.files [ROWS]`` prints a table; ROWS is the number of rows of the first case (100,000,000). Each figure is
from a process of its own, after the files were read once.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

CLASSES, LABELS, STEP = 100, 20, 1_000_000

MEASURE = """
import json, resource, sys, time
path, what = sys.argv[1], sys.argv[2]
wide = what.endswith("wide")
true, pred = ([f"y{i}" for i in range(20)], [f"p{i}" for i in range(20)]) if wide else ("y", "p")
columns = [*true, *pred] if wide else [true, pred]
import pyarrow, pyarrow.parquet, pyarrow.csv, pyarrow.compute
import indicatrix as ix
options = dict(true=true, pred=pred, **({"moments": False} if "counts" in what else {}))
ix.evaluate_file(sys.argv[3], **options)  # loads the libraries
def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
start, begun = cpu(), time.perf_counter()
if what.startswith("read") and path.endswith("parquet"):
    for batch in pyarrow.parquet.ParquetFile(path).iter_batches(columns=columns):
        pass
elif what.startswith("read"):
    for batch in pyarrow.csv.open_csv(path):
        pass
else:
    ix.evaluate_file(path, **options)
seconds, wall = cpu() - start, time.perf_counter() - begun
with open("/proc/self/status") as status:
    peak = next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))
print(json.dumps([seconds, wall, peak]))
"""


def run(path: Path, what: str) -> list[float]:
    """Return seconds of processor time, seconds, and the peak of the memory in MB."""
    small = path.with_stem("small")
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path), what, str(small)], capture_output=True, text=True, check=True
    )
    found: list[float] = json.loads(done.stdout)
    return found


def write(path: Path, rows: int, make: Any) -> None:
    """Write rows in groups of a million."""
    from pyarrow import csv, parquet

    rng, out = np.random.default_rng(0), None
    for start in range(0, rows, STEP):
        table = make(rng, min(STEP, rows - start))
        if out is None:
            parquet_file = path.suffix == ".parquet"
            out = parquet.ParquetWriter(path, table.schema) if parquet_file else csv.CSVWriter(path, table.schema)
        out.write_table(table)
    if out is not None:
        out.close()


def pairs(rng: np.random.Generator, n: int, texts: bool) -> Any:
    """Return true and predicted labels, integers or texts."""
    import pyarrow as pa

    y = rng.integers(0, CLASSES, n)
    p = np.where(rng.random(n) < 0.7, y, rng.integers(0, CLASSES, n))
    if not texts:
        return pa.table({"y": y, "p": p})
    names = pa.array([f"class {i:03d}" for i in range(CLASSES)])
    return pa.table({"y": names.take(pa.array(y)), "p": names.take(pa.array(p))})


def matrix(rng: np.random.Generator, n: int) -> Any:
    """Return true and predicted columns of 0 and 1."""
    import pyarrow as pa

    return pa.table({f"{side}{i}": rng.random(n) < 0.2 for side in "yp" for i in range(LABELS)})


def main(rows: int = 100_000_000) -> None:
    """Print the table."""
    cases = (
        ("integers, Parquet", "parquet", rows, lambda rng, n: pairs(rng, n, False), "", 1.5),
        ("texts, Parquet", "parquet", rows, lambda rng, n: pairs(rng, n, True), "", 1.5),
        (f"{LABELS} labels, Parquet", "parquet", rows // 10, matrix, " wide", 2.0),
        (f"{LABELS} labels, counts only", "parquet", rows // 10, matrix, " counts wide", 2.0),
        ("texts, CSV", "csv", rows // 20, lambda rng, n: pairs(rng, n, True), "", 2.0),
    )
    print(f"{'case':26}{'rows':>12}{'read':>8}{'evaluate':>10}{'ratio':>7}{'aim':>5}{'MB':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for name, ending, n, make, kind, aim in cases:
            path = Path(folder) / f"rows.{ending}"
            write(path, n, make)
            write(path.with_stem("small"), 100, make)
            read, own = (run(path, f"{what}{kind}") for what in ("read", "evaluate"))
            path.unlink()
            print(f"{name:26}{n:12,}{read[0]:7.2f}s{own[0]:9.2f}s{own[0] / read[0]:7.2f}{aim:5.1f}{own[2]:6.0f}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
