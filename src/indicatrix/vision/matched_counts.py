"""Counts after matching, at a chosen score.

The examples of the evaluation are matches, false predictions and missed objects.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.makers import evaluate_labels
from ..encode.indicator import Indicator
from .matches import Matches, match, truths_and_predictions
from .objects import Scene

BACKGROUND = "background"


def examples_at(matches: Matches, score: float, t: int, a: int, most: int | None) -> tuple[Array, Array, Array]:
    """Return the true class, the predicted class and the image of each example at a score.

    An example is a match, a false prediction or a missed object; -1 stands for no class.
    """
    scene = matches.scene
    if matches.made.rule == "optimal":  # what has a lower score must not take an object away
        scene = replace(scene, predictions=scene.predictions.take(np.flatnonzero(scene.predictions.score >= score)))
        matches = match(scene, matches.made)
    kept = matches.kept_predictions(most)
    return truths_and_predictions(scene, matches, kept[scene.predictions.score[kept] >= score], t, a)


def evaluation_of(scene: Scene, true: Array, pred: Array, image: Array) -> Any:
    """Return the evaluation of examples, with the images and the axes of by= as axes.

    Nothing is known of true negatives: the boxes that nobody drew are not counted.
    """
    y_true, y_pred = (Indicator.from_codes(codes, scene.classes) for codes in (true, pred))
    axes = {name: scene.axis(name) for name in ("image", *scene.by)}
    by = {name: [names[k] for k in of_image[image].tolist()] for name, (names, of_image) in axes.items()}
    return evaluate_labels(y_true, y_pred, by=by, unobserved=("tn",))


def confusion_table(true: Array, pred: Array, m: int) -> Array:
    """Return how often each true class meets each predicted one, with no class as the last.

    >>> confusion_table(np.array([0, -1]), np.array([0, 0]), 1).tolist()
    [[1, 0], [1, 0]]
    """
    rows, columns = (np.where(codes < 0, m, codes) for codes in (true, pred))
    return np.bincount(rows * (m + 1) + columns, minlength=(m + 1) ** 2).reshape(m + 1, m + 1)
