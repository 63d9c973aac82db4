"""The images with the most errors at a score, and which predictions and objects these are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.call_mistakes import answers_mistakes
from .matches import Matches, match


@answers_mistakes
@dataclass(frozen=True, eq=False)
class ImageCase:
    """What happened in one image at a score, as positions of predictions and objects.

    Attributes
    ----------
    image : label
        The name of the image.
    found : array
        The predictions that match an object.
    false : array
        The predictions that match nothing.
    missed : array
        The objects that no prediction matches.

    Examples
    --------
    >>> import indicatrix as ix
    >>> truth = [{"boxes": [[0, 0, 9, 9], [20, 20, 30, 30]], "labels": [1, 1]}]
    >>> found = [{"boxes": [[0, 0, 9, 8], [50, 50, 60, 60]], "labels": [1, 1], "scores": [0.9, 0.8]}]
    >>> ix.detection(truth, found).worst(score=0.5)
    (image 0: 1 found, 1 false, 1 missed,)
    """

    image: Any
    found: Array
    false: Array
    missed: Array

    @property
    def errors(self) -> int:
        """How many predictions are false and objects missed."""
        return len(self.false) + len(self.missed)

    def __repr__(self) -> str:
        return f"image {self.image!r}: {len(self.found)} found, {len(self.false)} false, {len(self.missed)} missed"


def image_cases(matches: Matches, score: float, t: int, a: int) -> list[ImageCase]:
    """Return what happened in each image at a score, the images in order."""
    scene, at = matches.scene, np.flatnonzero(matches.scene.predictions.score >= score)
    if matches.made.rule == "optimal":  # what has a lower score must not take an object away
        scene = replace(scene, predictions=scene.predictions.take(at))
        matches = match(scene, matches.made)
        own = matches.kept_predictions()
    else:
        own, at = np.intersect1d(matches.kept_predictions(), at), np.arange(scene.predictions.n)
    partner = matches.partner_of(own, t, a)
    ignored = np.append(matches.ignored[:, a], False)  # -1 is the last one
    found, false = own[(partner >= 0) & ~ignored[partner]], own[(partner < 0) & ~matches.outside[own, a]]
    missed = np.setdiff1d(np.flatnonzero(~matches.ignored[:, a]), partner)
    sides = ((found, scene.predictions.image, at), (false, scene.predictions.image, at), (missed, scene.truth.image, None))
    groups = [_by_image(places, image, len(scene.images), names) for places, image, names in sides]
    return [ImageCase(name, *parts) for name, *parts in zip(scene.images, *groups, strict=True)]


def _by_image(places: Array, image: Array, n: int, names: Array | None) -> list[Array]:
    places = places[np.argsort(image[places], kind="stable")]
    cuts = np.searchsorted(image[places], np.arange(1, n))
    return np.split(places if names is None else names[places], cuts) if n else []


def worst_cases(cases: list[ImageCase], k: int) -> tuple[ImageCase, ...]:
    """Return the images with the most errors; of equal ones, first those where less was found."""
    order = sorted((case for case in cases if case.errors), key=lambda case: (-case.errors, len(case.found)))
    return tuple(order[:k])
