"""The usual numbers of segmentation, of the data set and per image, each under its own name."""

from __future__ import annotations

from typing import Any

from ...algebra.score import Score, Undefined
from ...words.call_mistakes import answers_mistakes

# The name in papers, the measure, and the average over classes.
NUMBERS: tuple[tuple[str, str, str], ...] = (
    ("mIoU", "jaccard", "macro"),
    ("Dice", "f1", "macro"),
    ("frequency-weighted IoU", "jaccard", "weighted"),
    ("mean pixel accuracy", "recall", "macro"),
    ("pixel accuracy", "recall", "micro"),
)


@answers_mistakes
def segmentation_summary(ev: Any, *, undefined: Undefined = "exclude") -> dict[str, dict[str, Score]]:
    """Return mIoU, Dice, frequency-weighted IoU and pixel accuracies, of the data set and per image.

    "data set" pools the pixels of all images, then averages over classes. "per image" does the same inside each image, then takes
    the plain mean over images. Papers confuse the two, and they can differ much: small images count as much as large ones, and a
    class counts only in images where it occurs or is predicted.

    Parameters
    ----------
    ev : Evaluation
        What ``ix.segmentation`` returns.
    undefined : str or number, default 'exclude'
        What an undefined value does, such as the IoU of a class that an image does not have: 'exclude' leaves it out of the
        average, a number replaces it, 'nan' keeps it, 'raise' is an error.

    Returns
    -------
    dict
        The name of each number, and its two values, {"data set": Score, "per image": Score}.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.segmentation([[[0, 0], [1, 1]], [[1, 1]]], [[[0, 1], [1, 1]], [[1, 1]]])
    >>> {side: round(float(value), 4) for side, value in ix.vision.segmentation_summary(ev)["mIoU"].items()}
    {'data set': 0.65, 'per image': 0.7917}
    """
    if "image" not in getattr(ev, "axes", ()):
        raise ValueError("A summary of a segmentation needs the axis 'image'. Give what ix.segmentation returns.")
    return {
        name: {
            "data set": ev.score(measure, average, undefined=undefined),
            "per image": ev.score(measure, ("image", average), undefined=undefined),
        }
        for name, measure, average in NUMBERS
    }
