"""How often comparisons over folds reject equal learners: ``python -m benchmarks.fold_sizes``.

Both learners see features that are equally good, so neither gives better models. A test at 5% about learners should reject in 5%
of data sets. The corrected t rejects less often for one cross-validation, and about as often for ten of them, unless a few
examples change the models much (a stump picks one feature). With the share of 100 folds taken for that of one it rejects far too
often. The central limit theorem is about the models that were trained: where these differ, it may say so although the learners do
not. With 400 samples a share is known to about ±0.02.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Any

import numpy as np

import indicatrix as ix

FEATURES, SHIFT, FOLDS = 4, 0.5, 10


def linear(train: Any, y: Any, test: Any) -> Any:
    """Return the predictions of least squares."""
    own, new = (np.column_stack([np.ones(len(part)), part]) for part in (train, test))
    return new @ np.linalg.solve(own.T @ own + 1e-6 * np.eye(own.shape[1]), own.T @ (2 * y - 1)) > 0


def nearest(train: Any, y: Any, test: Any) -> Any:
    """Return the class of the nearest training example."""
    return y[((test[:, None] - train) ** 2).sum(axis=2).argmin(axis=1)] > 0


def stump(train: Any, y: Any, test: Any) -> Any:
    """Return the predictions of the best threshold of one feature."""
    found = []
    for j in range(train.shape[1]):
        cuts = np.quantile(train[:, j], np.linspace(0.05, 0.95, 19))
        right = ((train[:, j][:, None] > cuts) == y[:, None]).mean(axis=0)
        found.append((right.max(), j, cuts[right.argmax()]))
    _, j, cut = max(found)
    return test[:, j] > cut


def sizes(learn: Callable[..., Any], n: int, repeats: int, samples: int) -> tuple[float, float, float]:
    """Return how often the corrected t, with the right share and with 1/folds, and the theorem reject."""
    rng, found = np.random.default_rng(1), np.zeros(3)
    for _ in range(samples):
        y = rng.integers(0, 2, n)
        features = rng.normal(size=(n, 2 * FEATURES)) + SHIFT * y[:, None]
        right, scores = np.zeros((2, repeats, n)), np.zeros((2, repeats * FOLDS))
        for r in range(repeats):
            fold = rng.permutation(n) % FOLDS
            for k in range(FOLDS):
                test = fold == k
                for c, own in enumerate((features[:, :FEATURES], features[:, FEATURES:])):
                    right[c, r, test] = learn(own[~test], y[~test], own[test]) == y[test]
                    scores[c, r * FOLDS + k] = right[c, r, test].mean()
        both = {"a": scores[0], "b": scores[1]}
        tests = [ix.inference.compare_folds(both, repeats=times).pairs[0].p for times in dict.fromkeys((repeats, 1))]
        each = (right[0] - right[1]).mean(axis=0)
        z = each.mean() / max(float(each.std()), 1e-9) * math.sqrt(n)
        found += [tests[0] < 0.05, tests[-1] < 0.05, abs(z) > 1.96]
    return tuple(float(x) for x in found / samples)  # type: ignore[return-value]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=400)
    asked = parser.parse_args()
    print("rejected at 5%: corrected t, corrected t with the share of all folds, central limit theorem")
    for learn in (linear, nearest, stump):
        for n, repeats in ((100, 1), (300, 1), (100, 10)):
            shares = ", ".join(f"{share:.3f}" for share in sizes(learn, n, repeats, asked.samples))
            print(f"{learn.__name__:<8} {n} examples, {repeats} x {FOLDS} folds: {shares}", flush=True)


if __name__ == "__main__":
    main()
