"""Print how long a report page takes and how large it is: ``python -m benchmarks.pages``.

Each page is made twice in one process, and the second time is shown: the first also imports SciPy and reads the notes on
measures. Times are CPU seconds.
"""

from __future__ import annotations

import time

import numpy as np

import indicatrix as ix

CASES = ((3, 1_000), (50, 10_000), (50, 1_000_000), (1_000, 200_000))  # classes, examples


def evaluation(m: int, n: int) -> ix.Evaluation:
    """Return a classifier that is right in seven of ten examples and confuses near classes otherwise."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, m, n)
    return ix.evaluate(y, np.where(rng.random(n) < 0.7, y, (y + rng.integers(1, 8, n) ** 2) % m), classes=range(m))


def main() -> None:
    """Print one line for each case."""
    print("classes   examples   first s   second s   kB")
    for m, n in CASES:
        ev, seconds = evaluation(m, n), []
        for _ in range(2):
            start = time.process_time()
            page = ev.to_html()
            seconds.append(time.process_time() - start)
        print(f"{m:7,} {n:10,} {seconds[0]:9.2f} {seconds[1]:10.2f} {len(page or '') / 1000:4.0f}")


if __name__ == "__main__":
    main()
