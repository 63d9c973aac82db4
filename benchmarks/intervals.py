"""Print what intervals cost: ``python -m benchmarks.intervals``.

The default interval needs no replicates. A bootstrap draws counts, not rows, so that its cost does not grow with the data; it is
compared with loops that resample rows, which are timed for few replicates and taken times their number.
"""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import f1_score

import indicatrix as ix
from indicatrix.algebra.numbers.gradient import gradient
from indicatrix.catalogue.matrix_measures import for_source, of_table

N = 100_000
DRAWS = 2000
CASES = ((10, 2.0), (100, 10.0))  # classes, and the milliseconds that the default interval may take
REPEATS = 20  # the least time of them: other processes make the same call slower, never faster
SHOWN = 5  # of the slowest measures
MODELS = 10


def cpu(call: Callable[[], Any], repeats: int = 1) -> float:
    """Return the least CPU seconds of several runs."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def labels(m: int, seed: int = 0) -> tuple[Any, Any]:
    """Return true and predicted classes, 80% of them equal."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, m, N)
    return y, np.where(rng.random(N) < 0.8, y, rng.integers(0, m, N))


def sparse_labels(m: int, per_row: int, seed: int) -> Any:
    """Return a sparse matrix with up to so many labels in each row."""
    columns = np.random.default_rng(seed).integers(0, m, N * per_row)
    rows = np.repeat(np.arange(N), per_row)
    return sp.csr_array((np.ones(len(rows), np.int8), (rows, columns)), shape=(N, m)).astype(bool)


def numpy_macro_f1(y: Any, z: Any, m: int) -> float:
    """Return the macro F1, as a loop in plain NumPy would compute it."""
    table = np.bincount(y * m + z, minlength=m * m).reshape(m, m)
    return float(np.mean(2 * table.diagonal() / (table.sum(0) + table.sum(1))))


def default_intervals(ev: Any, few: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield what computes the default interval of each smooth measure that has one, by its name.

    ``few`` is an evaluation of few classes, which tells sooner which scores need draws: these cost what they cost.
    """
    averages = [(average, ix.catalogue()) for average in ("micro", "macro", "weighted")]
    for average, measures in (*averages, (None, ix.catalogue(of="matrix"))):
        for measure in measures:
            try:
                found = few.interval(measure, average)
            except (ValueError, TypeError):
                continue
            if found.method != "posterior" and not (average is None and has_kinks(few, measure)):
                ev.interval(measure, average)  # which asks once what the formula depends on
                yield f"{average or ''} {measure.name}".strip(), partial(ev.interval, measure, average)


def has_kinks(ev: Any, measure: Any) -> bool:
    """Return whether a function of the matrix takes the larger or smaller of values."""
    return gradient(partial(of_table, for_source(measure, ev)), ev.confusion.astype(float)).kinks


def main() -> None:
    """Print the table."""
    warnings.filterwarnings("ignore")
    print(f"n = {N:,}; CPU time, one thread, the least of {REPEATS} runs\n")
    for m, limit in CASES:
        y, z = labels(m)
        ev, few = ix.evaluate(y, z), ix.evaluate(y % 3, z % 3)
        times = {name: 1000 * cpu(call, REPEATS) for name, call in default_intervals(ev, few)}
        slow = sorted(times, key=times.__getitem__, reverse=True)
        named = ", ".join(f"{name} {times[name]:.2f}" for name in slow[:SHOWN])
        late = sum(x > limit for x in times.values())
        print(f"default intervals of smooth scores, {m} classes: median {statistics.median(times.values()):.2f} ms", end=", ")
        print(f"macro f1 {times['macro f1']:.2f} ms (target {limit:g} ms)")
        print(f"  of {len(times)} scores {late} take longer than the target; the slowest: {named}", flush=True)
    (y, _), rng = labels(10), np.random.default_rng(1)
    models = {f"model {k}": np.where(rng.random(N) < 0.8, y, rng.integers(0, 10, N)) for k in range(MODELS)}
    seconds = cpu(partial(ix.compare, y, models), 3)
    print(f"compare of {MODELS} models by the default scores: {seconds:.2f} s (target 1 s)", flush=True)
    true, pred = sparse_labels(100, 3, 0), sparse_labels(100, 3, 1)
    without, kept = (cpu(partial(ix.evaluate, true, pred, moments=on), 5) * 1000 for on in (False, True))
    print(f"second moments of 100 labels, 3 per row: {kept - without:.0f} ms (target 50 ms); counting takes {without:.0f} ms")
    rows = sp.hstack([true.multiply(pred), pred > true, true > pred]).tocsr().astype(np.int64)
    print(f"  SciPy's product of the same rows, once they are there: {cpu(lambda: rows.T @ rows, 3) * 1000:.0f} ms")
    y, z = labels(10)
    ev, rng = ix.evaluate(y, z), np.random.default_rng(0)
    own = cpu(lambda: ev.interval("f1", "macro", method="percentile", draws=DRAWS), 3)

    def resample(score: Callable[[Any, Any], Any], times: int) -> float:
        def loop() -> None:
            for _ in range(times):
                rows = rng.integers(0, N, N)
                score(y[rows], z[rows])

        return cpu(loop) / times * DRAWS

    peers = {
        "a scikit-learn loop": (resample(lambda a, b: f1_score(a, b, average="macro"), 5), 1000),
        "a NumPy loop": (resample(lambda a, b: numpy_macro_f1(a, b, 10), 20), 20),
    }
    print(f"{DRAWS:,} bootstrap replicates of macro F1, 10 classes: {own * 1000:.1f} ms")
    for name, (seconds, target) in peers.items():
        print(f"  {name}: {seconds:.1f} s, {seconds / own:,.0f} times as long (target {target:,})")


if __name__ == "__main__":
    main()
