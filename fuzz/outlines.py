"""Random masks, whose distances between outlines are compared with other libraries number by number.

``python -m fuzz.outlines 500`` compares 500 pairs of masks, pictures and volumes in turn, with DeepMind's surface-distance
(surfaces as areas between pixels) and with MONAI (surfaces as pixels), which need ``pip install surface-distance monai``.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import indicatrix as ix
from indicatrix.algebra.arrays import Array

Pair = tuple[Array, Array, tuple[float, ...]]
Numbers = dict[str, tuple[float, float]]  # by name: ours and theirs
TOLERANCE = 1.0


def random_masks(seed: int) -> Pair:
    """Return a true and a predicted mask of smooth regions, and the spacing."""
    from scipy.ndimage import gaussian_filter

    rng = np.random.default_rng(seed)
    ndim = 2 + seed % 2
    shape = tuple(rng.integers(4, 14, ndim).tolist())
    while True:
        rough = gaussian_filter(rng.random(shape), 1.2)
        other = np.where(rng.random() < 0.5, rough, 0) + gaussian_filter(rng.random(shape), 1.2)
        true, pred = (side > np.quantile(side, rng.uniform(0.3, 0.9)) for side in (rough, other))
        if true.any() and pred.any():
            return true, pred, tuple(rng.choice([0.5, 1.0, 2.0, 3.0], ndim).tolist())


def _ours(pair: Pair, elements: str) -> ix.types.SurfaceEvaluation:
    true, pred, spacing = pair
    return ix.vision.surface_distances(
        [true.astype(np.uint8)], [pred.astype(np.uint8)], spacing=spacing, elements=elements, classes=[1]
    )


def of_surface_distance(pair: Pair) -> Numbers:
    """Return our numbers and those of DeepMind's library."""
    import surface_distance as other

    ours, found = _ours(pair, "areas"), other.compute_surface_distances(*pair)
    to_prediction, to_truth = other.compute_average_surface_distance(found)
    return {
        "average distance to the prediction": (ours.average_distance("to_prediction"), to_prediction),
        "average distance to the truth": (ours.average_distance("to_truth"), to_truth),
        "Hausdorff distance": (ours.hausdorff(), other.compute_robust_hausdorff(found, 100)),
        "its 95th percentile": (ours.hausdorff(95), other.compute_robust_hausdorff(found, 95)),
        "surface Dice": (ours.surface_dice(TOLERANCE), other.compute_surface_dice_at_tolerance(found, TOLERANCE)),
    }


def of_monai(pair: Pair) -> Numbers:
    """Return our numbers and those of MONAI, whose distances are single precision numbers."""
    import torch
    from monai.metrics import compute_average_surface_distance, compute_hausdorff_distance, compute_surface_dice

    true, pred, spacing = pair
    hot = [torch.tensor(np.stack([~side, side])[None]).float() for side in (pred, true)]
    ours, how = _ours(pair, "pixels"), {"spacing": [*spacing]}
    theirs: dict[str, Any] = {
        "average distance": compute_average_surface_distance(*hot, symmetric=True, **how),
        "average distance to the truth": compute_average_surface_distance(*hot, **how),
        "Hausdorff distance": compute_hausdorff_distance(*hot, **how),
        "its 95th percentile": compute_hausdorff_distance(*hot, percentile=95, **how),
        "surface Dice": compute_surface_dice(*hot, [TOLERANCE], **how),
    }
    distances = ours.average_distance(), ours.average_distance("to_truth"), ours.hausdorff(), ours.hausdorff(95)
    own = *distances, ours.surface_dice(TOLERANCE)
    return {name: (one, other.item()) for one, (name, other) in zip(own, theirs.items(), strict=True)}


# The library, our numbers with its own, and how close they are.
LIBRARIES: dict[str, tuple[Callable[[Pair], Numbers], float]] = {
    "surface_distance": (of_surface_distance, 1e-12),
    "monai": (of_monai, 1e-5),
}


def differences(seed: int, library: str) -> list[str]:
    """Return the numbers in which the two differ, in words."""
    numbers, close = LIBRARIES[library]
    return [
        f"seed {seed}: {name} is {float(ours)!r}, {library} has {float(theirs)!r}"
        for name, (ours, theirs) in numbers(random_masks(seed)).items()
        if not abs(ours - theirs) <= close * max(1.0, abs(theirs))
    ]


def main(many: int) -> int:
    """Compare masks with the libraries that are there, print what differs, and return the exit status."""
    here = [name for name in LIBRARIES if importlib.util.find_spec(name)]
    found = []
    for name in LIBRARIES:
        if name not in here:
            print(f"{name} is not installed.")
            continue
        lines = [line for seed in range(many) for line in differences(seed, name)]
        print(*lines, sep="\n", end="\n" if lines else "")
        print(f"{many} pairs of masks, {len(lines)} numbers differ from {name} by more than {LIBRARIES[name][1]:g}.")
        found += lines
    return int(bool(found) or not here)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500))
