"""Label maps against loops over images: seconds, and ratios in the same run.

``python -m benchmarks.segmentation`` counts 500 images of 512×512 with 19 classes in three ways: scikit-learn's
``confusion_matrix`` in a loop, a bare loop of ``numpy.bincount``, and ``ix.segmentation``, which also keeps every image. An
argument is the number of images.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import indicatrix as ix

CLASSES, SIDE = 19, 512


def data_set(images: int, seed: int = 0) -> tuple[Any, Any]:
    """Return label maps of large regions, and predictions of which one in five pixels is wrong."""
    rng = np.random.default_rng(seed)
    true = np.repeat(np.repeat(rng.integers(0, CLASSES, (images, 16, 16), np.uint8), SIDE // 16, 1), SIDE // 16, 2)
    noise = rng.integers(0, CLASSES, true.shape, np.uint8)
    return true, np.where(rng.random(true.shape, np.float32) < 0.8, true, noise)


def run_bincount(true: Any, pred: Any) -> Any:
    """Return the sum of the tables of all images, counted as evaluation scripts do."""
    total = np.zeros((CLASSES, CLASSES), np.int64)
    for t, p in zip(true, pred, strict=True):
        total += np.bincount(CLASSES * t.ravel().astype(int) + p.ravel(), minlength=CLASSES**2).reshape(CLASSES, CLASSES)
    return total


def run_sklearn(true: Any, pred: Any) -> Any:
    """Return the sum of scikit-learn's confusion matrices."""
    from sklearn.metrics import confusion_matrix

    return sum(confusion_matrix(t.ravel(), p.ravel(), labels=range(CLASSES)) for t, p in zip(true, pred, strict=True))


def run_named(true: Any, pred: Any) -> Any:
    """Return the confusion matrix of an evaluation with named images and classes."""
    return ix.segmentation(true, pred, classes=range(CLASSES), images=range(len(true)), ignore=255).confusion


def run_plain(true: Any, pred: Any) -> Any:
    """Return the confusion matrix of an evaluation without options."""
    return ix.segmentation(true, pred).confusion


def main(images: int = 500) -> None:
    """Print the seconds of each way and the ratios."""
    true, pred = data_set(images)
    ways: dict[str, tuple[Callable[[Any, Any], Any], int]] = {
        "numpy.bincount": (run_bincount, 5),
        "ix.segmentation": (run_plain, 5),
        "… images=, classes=, ignore=": (run_named, 5),
        "scikit-learn": (run_sklearn, 1),
    }
    best, tables = dict.fromkeys(ways, float("inf")), {}
    for k in range(5):  # in turn, so that all ways meet the same load of the machine
        for name, (run, repeats) in ways.items():
            if k < repeats:
                start = time.process_time()
                tables[name] = run(true, pred)
                best[name] = min(best[name], time.process_time() - start)
    bare = best["numpy.bincount"]
    print(f"{images} images of {SIDE}×{SIDE}, {CLASSES} classes")
    for name, seconds in best.items():
        assert np.array_equal(tables[name], tables["numpy.bincount"])
        print(f"{name:<30}{seconds:8.3f} s   {seconds / bare:6.2f} times the bare loop")


if __name__ == "__main__":
    main(*(int(n) for n in sys.argv[1:2]))
