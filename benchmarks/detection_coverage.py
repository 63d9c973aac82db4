"""Print how often intervals of average precision cover the true one.

``python -m benchmarks.detection_coverage 400 60`` draws samples. A population of images has a true average precision, that of very many images. Samples of few images are drawn from it; an
interval at level 0.95 is honest if 95% of the samples have one that covers the true value. The number is how many samples are
drawn in each case: 400 tell a coverage to about ±0.02. A second number chooses the images of a sample, 60 if left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import indicatrix as ix

LARGE = 20_000  # images that tell the true value
DRAWS = 300
METHODS = ("bootstrap", "percentile", "jackknife")
SPACING = 50.0  # objects of one image do not touch each other


@dataclass(frozen=True)
class Population:
    """Images with objects of several classes, and how well a detector finds them."""

    classes: int
    skew: float  # the most frequent class has so many times the objects of the rarest
    objects: float  # of an image, the mean
    sure: float  # the higher, the more objects are found
    shift: float  # how far the boxes are off
    invented: float  # false predictions of an image, the mean

    def sample(self, rng: np.random.Generator, images: int, *, sequence: int = 1) -> ix.DetectionEvaluation:
        """Return the evaluation of a sample of images; those of one sequence are equally hard."""
        truth, found = self._columns(rng, images, sequence)
        by = {"sequence": [i // sequence for i in range(images)]}
        names = range(self.classes)
        return ix.detection(truth, found, images=range(images), classes=names, by=by)

    def _columns(self, rng: np.random.Generator, images: int, sequence: int) -> tuple[dict[str, Any], dict[str, Any]]:
        share = np.geomspace(self.skew, 1, self.classes)
        share /= share.sum()
        hard = np.repeat(rng.normal(0, 1, -(-images // sequence)), sequence)[:images]
        many = rng.poisson(self.objects, images)
        image = np.repeat(np.arange(images), many)
        label = rng.choice(self.classes, len(image), p=share)
        place = (np.arange(len(image)) - np.repeat(np.cumsum(many) - many, many)) * SPACING
        truth = {"image": image, "labels": label, "boxes": _boxes(place)}
        ease = self.sure - hard[image] + rng.normal(0, 1, len(image))
        seen = np.flatnonzero(ease > 0)
        off = self.shift * rng.exponential(1, len(seen)) * np.exp(0.3 * hard[image[seen]])
        false = rng.poisson(self.invented * np.exp(0.5 * hard - 0.125))
        nothing = np.repeat(np.arange(images), false)
        score = np.concatenate([ease[seen] + rng.normal(0, 0.7, len(seen)), rng.normal(0, 1, len(nothing))])
        found = {
            "image": np.concatenate([image[seen], nothing]),
            "labels": np.concatenate([label[seen], rng.choice(self.classes, len(nothing), p=share)]),
            "boxes": np.concatenate([_boxes(place[seen], off), _boxes(np.full(len(nothing), -SPACING))]),
            "scores": 1 / (1 + np.exp(-score)),
        }
        return truth, found


def _boxes(left: Any, shift: Any = 0.0) -> Any:
    """Return boxes of 20 × 20, some of them shifted."""
    x = left + shift
    return np.stack([x, np.zeros_like(x), x + 20, np.full_like(x, 20)], axis=1)


POPULATIONS = {
    "1 class": Population(1, 1, 3, 1.0, 2.0, 1.5),
    "1 class, poor detector": Population(1, 1, 2, 0.0, 3.0, 3.0),
    "5 classes": Population(5, 1, 4, 1.0, 2.0, 2.0),
    "5 classes, 1:20": Population(5, 20, 4, 1.0, 2.0, 2.0),
    "20 classes, 1:20": Population(20, 20, 6, 1.0, 2.0, 3.0),
    "5 classes, nearly perfect": Population(5, 1, 3, 3.0, 0.7, 0.2),
}


@cache
def true_value(name: str, sequence: int = 1) -> float:
    """Return the average precision of very many images."""
    return float(POPULATIONS[name].sample(np.random.default_rng(999), LARGE, sequence=sequence).ap())
