"""Random labels and scores: fixed points, equal error rate and log AUC compared with torchmetrics.

``python -m fuzz.operating_points 500`` compares 500 sets, each with one column of scores and with three.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import indicatrix as ix

FIXED = {  # what is best, what is held, and the name of the limit there
    "recall_at_fixed_precision": ("recall", "precision", "min_precision"),
    "precision_at_fixed_recall": ("precision", "recall", "min_recall"),
    "sensitivity_at_specificity": ("recall", "specificity", "min_specificity"),
    "specificity_at_sensitivity": ("specificity", "recall", "min_sensitivity"),
}
LIMITS = (0.25, 0.5, 0.75)
RANGES = ((0.001, 0.1), (0.05, 0.6))
CLOSE = 1e-5  # they compute in single precision


def differences(seed: int) -> Iterator[str]:
    """Yield each number of one random set that differs from that of torchmetrics.

    Known differences are left out. Where no threshold meets a constraint, they give 0 and we nan. Log AUC is compared where
    their interpolation is right: it sorts points in an order that is not stable, so where the curve rises straight up it may
    start from a wrong one. A grid whose highest threshold accepts negatives is left out: their curve begins there, and ours at
    (0, 0).
    """
    import torch

    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 120))
    table, matrix = rng.integers(0, 33, (n, 3)) / 32, (rng.random((n, 3)) < rng.uniform(0.2, 0.8)).astype(int)
    matrix[:2] = [[0] * 3, [1] * 3]
    given = torch.tensor(table), torch.tensor(matrix)
    for name in FIXED:
        for limit in LIMITS:
            yield from _fixed_point(name, limit, given, ix.sweep(matrix, table))
    yield from _areas(given[0][:, 0], given[1][:, 0])


def _fixed_point(name: str, limit: float, given: tuple[Any, Any], swept: ix.types.Sweep) -> Iterator[str]:
    import torchmetrics.functional.classification as theirs

    goal, held, option = FIXED[name]
    values, thresholds = getattr(theirs, f"multilabel_{name}")(*given, 3, **{option: limit})
    bests = swept.best(goal, average="macro", subject_to=f"{held} >= {limit}").bests
    for unit, value, threshold in zip(bests, values.tolist(), thresholds.tolist(), strict=True):
        best = bests[unit]
        if abs(value - (0 if best.note else best.value)) > CLOSE:
            yield f"{name}, limit {limit}, column {unit}: {value} there, {best.value} here"
        elif best.value > 0 and threshold <= 1 and not any(low < threshold <= high for low, high in best.plateaus):
            yield f"{name}, limit {limit}, column {unit}: threshold {threshold} there, {best.plateaus} here"


def _areas(p: Any, b: Any) -> Iterator[str]:
    import torch
    import torchmetrics.functional.classification as theirs
    from torchmetrics.utilities.data import interp

    for grid in (None, 9):
        pairs = [("eer", theirs.binary_eer(p, b, thresholds=grid), ix.measures.eer(b, p, method="nearest", thresholds=grid))]
        fpr, tpr, _ = theirs.binary_roc(p, b, thresholds=grid)
        for between in RANGES:
            if fpr.min() <= between[0] and np.allclose(
                interp(torch.tensor(between), fpr, tpr), np.interp(between, fpr, tpr), atol=1e-6
            ):
                ours = ix.measures.log_auc(b, p, fpr_range=between, interpolation="trapezoid", thresholds=grid)
                pairs.append((f"log_auc {between}", theirs.binary_logauc(p, b, fpr_range=between, thresholds=grid), ours))
        for name, value, ours in pairs:
            if abs(float(value) - ours) > CLOSE and not _equally_near(name, grid, b, p):
                yield f"{name}, thresholds={grid}: {float(value)} there, {ours} here"


def _equally_near(name: str, grid: int | None, b: Any, p: Any) -> bool:
    """Return whether two thresholds have rates equally near: rounding then decides which one wins."""
    if name != "eer" or grid is not None:
        return False
    apart = np.sort(abs(ix.sweep(b, p).values("fp/(fp+tn) - fn/(tp+fn)")))
    return bool(apart[1] - apart[0] < 1e-6)


def main(arguments: list[str]) -> int:
    """Compare as many sets as the first argument says, or 100; return 1 if something differs."""
    sets = int(arguments[0]) if arguments else 100
    found = [f"seed {seed}: {line}" for seed in range(sets) for line in differences(seed)]
    print("\n".join([*found, f"{sets} sets, {len(found)} differences"]))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
