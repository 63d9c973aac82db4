"""Print how often intervals of average precision cover the true one.

``python -m benchmarks.detection_coverage 400 60`` draws 400 samples of 60 images from each population. A population has a true
average precision, that of very many images. An interval at level 0.95 is honest if 95% of the samples have one that covers the
true value; 400 samples tell that share to about ±0.02. A third number is how many images are one sequence, which is then drawn
as a whole. The words after the numbers name populations; left out, all are drawn from.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import indicatrix as ix

LARGE = 20_000  # images that tell the true value
DRAWS = 200
METHODS = ("halves", "bootstrap", "percentile", "jackknife")
DIFFERENCE, WORSE = "difference", 1.5  # between a detector and one whose boxes are farther off
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

    def sample(self, seed: Any, images: int, *, sequence: int = 1, worse: float = 1.0) -> ix.types.DetectionEvaluation:
        """Return the evaluation of a sample of images; those of one sequence are equally hard.

        The same seed gives the same objects; ``worse`` is how many times farther off the boxes are.
        """
        rng = np.random.default_rng(seed)
        hard = np.repeat(rng.normal(0, 1, -(-images // sequence)), sequence)[:images]
        many = rng.poisson(self.objects, images)
        image = np.repeat(np.arange(images), many)
        label = rng.choice(self.classes, len(image), p=self._shares())
        place = (np.arange(len(image)) - np.repeat(np.cumsum(many) - many, many)) * SPACING
        truth = {"image": image, "labels": label, "boxes": _boxes(place)}
        found = self._found(np.random.default_rng([9, round(1000 * worse), rng.integers(1 << 30)]), truth, hard, place, worse)
        by = {"sequence": [i // sequence for i in range(images)]}
        return ix.detection(truth, found, images=range(images), classes=range(self.classes), by=by)

    def _shares(self) -> Any:
        share = np.geomspace(self.skew, 1, self.classes)
        return share / share.sum()

    def _found(self, rng: np.random.Generator, truth: dict[str, Any], hard: Any, place: Any, worse: float) -> dict[str, Any]:
        """Return the predictions of a detector."""
        image, label = truth["image"], truth["labels"]
        ease = self.sure - hard[image] + rng.normal(0, 1, len(image))
        seen = np.flatnonzero(ease > 0)
        off = worse * self.shift * rng.exponential(1, len(seen)) * np.exp(0.3 * hard[image[seen]])
        nothing = np.repeat(np.arange(len(hard)), rng.poisson(self.invented * np.exp(0.5 * hard - 0.125)))
        score = np.concatenate([ease[seen] + rng.normal(0, 0.7, len(seen)), rng.normal(0, 1, len(nothing))])
        return {
            "image": np.concatenate([image[seen], nothing]),
            "labels": np.concatenate([label[seen], rng.choice(self.classes, len(nothing), p=self._shares())]),
            "boxes": np.concatenate([_boxes(place[seen], off), _boxes(np.full(len(nothing), -SPACING))]),
            "scores": 1 / (1 + np.exp(-score)),
        }


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
    # These were written when the method stood, so that it could not be fitted to them.
    "3 classes, crowded": Population(3, 3, 12, 0.5, 2.5, 6.0),
    "8 classes, 1:5, sparse": Population(8, 5, 1.5, 1.5, 1.5, 1.0),
    "12 classes, 1:50": Population(12, 50, 5, 0.8, 1.2, 4.0),
}


@cache
def true_value(name: str, sequence: int = 1, worse: float = 1.0) -> float:
    """Return the average precision of very many images."""
    return float(POPULATIONS[name].sample(999, LARGE, sequence=sequence, worse=worse).ap())


def coverage(name: str, samples: int, images: int, sequence: int = 1) -> dict[str, float]:
    """Return the share of samples whose interval covers the true value, for each method."""
    own, unit = POPULATIONS[name], "image" if sequence == 1 else "sequence"
    true, apart = true_value(name, sequence), true_value(name, sequence) - true_value(name, sequence, WORSE)
    found = dict.fromkeys((*METHODS, DIFFERENCE), 0)
    for seed in range(samples):
        one, two = (own.sample([seed, images], images, sequence=sequence, worse=worse) for worse in (1.0, WORSE))
        for method in METHODS:
            found[method] += true in one.interval("ap", "macro", method=method, clusters=unit, draws=DRAWS)
        difference = one.compare(two, "ap", "macro", clusters=unit, draws=DRAWS)
        found[DIFFERENCE] += difference.low <= apart <= difference.high
    return {name: n / samples for name, n in found.items()}


def main(samples: int = 400, images: int = 60, sequence: int = 1, *names: str) -> None:
    """Print the coverage in each population."""
    of = f" in sequences of {sequence}" if sequence > 1 else ""
    print(f"{samples} samples of {images} images{of}; coverage of intervals at level 0.95")
    print(f"{'':<28}{'AP':>6}" + "".join(f"{name:>12}" for name in (*METHODS, DIFFERENCE)))
    for name in names or POPULATIONS:
        shares = coverage(name, samples, images, sequence).values()
        print(f"{name:<28}{true_value(name, sequence):>6.3f}" + "".join(f"{share:>12.3f}" for share in shares), flush=True)


if __name__ == "__main__":
    main(*(int(number) for number in sys.argv[1:4]), *sys.argv[4:])
