"""Planted slices: how often they are found, how many finds are false, and how long the search takes.

``python -m benchmarks.slices`` prints a table for docs/guides/slices.md; ``--draws 200`` takes as many data sets, ``--speed`` the
times of large ones instead. The same seed gives the same numbers.

A data set has 8 features of 5 values and 10,000 examples. Three slices of two features are planted: there the true
recall is lower. A planted slice is found if a slice shares at least half of all examples that either has. A find is false if
its true recall, of the examples outside of the planted slices that were found, is not below that of all others.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import indicatrix as ix

PLANTED = (((0, 1), (1, 2)), ((2, 3), (3, 0)), ((4, 4), (5, 1)))  # feature and value
N, FEATURES, VALUES = 10_000, 8, 5


def mask(x: np.ndarray, slice_: tuple[tuple[int, int], ...]) -> np.ndarray:
    """Return the examples of a slice."""
    return np.logical_and.reduce([x[:, k] == v for k, v in slice_])


def draw(seed: int, usual: float, weak: float, held_out: float | None, measure: str) -> tuple[int, int, int]:
    """Return how many planted slices were found in a data set, how many finds there are, and false ones."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, VALUES, (N, FEATURES))
    planted = [mask(x, s) for s in PLANTED] if weak < usual else []
    p = np.where(np.logical_or.reduce([*planted, np.zeros(N, bool)]), weak, usual)
    y = rng.integers(0, 2, N)
    found = ix.evaluate(y, np.where(rng.random(N) < p, y, 1 - y)).weakest(measure, among=x, held_out=held_out)
    finds = [mask(x, tuple((int(k), v) for k, v in s.where.items())) for s in found]
    hit = [any((f & q).sum() >= 0.5 * (f | q).sum() for f in finds) for q in planted]
    known = np.logical_or.reduce([q for q, h in zip(planted, hit, strict=True) if h] or [np.zeros(N, bool)])
    false = 0
    for f in finds:
        if any((f & q).sum() >= 0.5 * (f | q).sum() for q in planted):
            continue
        own = f & ~known
        false += bool(not own.any() or p[own].mean() >= p[~f & ~known].mean() - 1e-9)
    return sum(hit), len(finds), false


def quality(draws: int) -> None:
    """Print power and false discoveries."""
    print("| measure | recall usual, planted | search | power | false discoveries, mean share |")
    print("|---|---|---|---|---|")
    for measure in ("recall", "f1"):
        for weak in (0.9, 0.75, 0.7, 0.6):
            for held_out in (None, 0.5):
                each = [draw(seed, 0.9, weak, held_out, measure) for seed in range(draws)]
                power = "–" if weak == 0.9 else f"{sum(h for h, _, _ in each) / (len(PLANTED) * draws):.2f}"
                false = np.mean([f / max(k, 1) for _, k, f in each])
                how = "all examples" if held_out is None else "half held out"
                print(f"| {measure} | 0.9, {'none' if weak == 0.9 else weak} | {how} | {power} | {false:.3f} |", flush=True)


def speed() -> None:
    """Print processor seconds of large searches."""
    for n, depth in ((10**6, 2), (10**5, 3)):
        rng = np.random.default_rng(0)
        among = {f"f{k}": rng.normal(size=n) if k % 2 else rng.integers(0, 5, n) for k in range(20)}
        y = rng.integers(0, 2, n)
        ev = ix.evaluate(y, np.where(rng.random(n) < np.where((among["f0"] == 2) & (among["f1"] > 0.8), 0.75, 0.9), y, 1 - y))
        start, wall = time.process_time(), time.perf_counter()
        found = ev.weakest("recall", among=among, depth=depth)
        took, passed = time.process_time() - start, time.perf_counter() - wall
        print(
            f"{n:,} rows, 20 features, depth {depth}: {took:.1f} s of a processor, {passed:.1f} s passed, {found!r}", flush=True
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=40)
    parser.add_argument("--speed", action="store_true")
    given = parser.parse_args()
    speed() if given.speed else quality(given.draws)
