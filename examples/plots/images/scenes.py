"""Forty drawn scenes with cars, people and dogs, and what a detector finds in them."""

from __future__ import annotations

import numpy as np

CLASSES = ("car", "person", "dog")
SIZES = np.array([[90, 50], [25, 60], [35, 30]])  # usual width and height of each class
rng = np.random.default_rng(7)


def scene() -> tuple[dict[str, list], dict[str, list]]:
    """Return the objects of a picture of 320 by 240 pixels, and the predictions."""
    kinds = rng.integers(0, 3, rng.integers(2, 6))
    size = SIZES[kinds] * rng.uniform(0.7, 1.3, (len(kinds), 2))
    corner = rng.uniform(0, [320, 240] - size)
    boxes = np.hstack([corner, corner + size])
    seen = rng.random(len(kinds)) < 0.85
    moved = boxes[seen] + rng.normal(0, 2, (seen.sum(), 4))
    taken = np.where(rng.random(seen.sum()) < 0.9, kinds[seen], rng.integers(0, 3, seen.sum()))
    extra = rng.uniform(0, [230, 150], (rng.integers(0, 3), 2))
    found = np.vstack([moved, np.hstack([extra, extra + rng.uniform(30, 80, extra.shape)])])
    labels = [CLASSES[k] for k in (*taken, *rng.integers(0, 3, len(extra)))]
    scores = [*rng.beta(6, 2, len(moved)), *rng.beta(2, 5, len(extra))]
    return {"boxes": boxes.tolist(), "labels": [CLASSES[k] for k in kinds]}, {
        "boxes": found.tolist(),
        "labels": labels,
        "scores": scores,
    }


names = [f"scene {k}" for k in range(40)]
drawn = [scene() for _ in names]
truth = {name: true for name, (true, _) in zip(names, drawn, strict=True)}
found = {name: pred for name, (_, pred) in zip(names, drawn, strict=True)}
