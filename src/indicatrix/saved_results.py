"""load(): whatever a ``save`` of this library wrote, as what it was."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from .algebra.call_mistakes import answers_mistakes
from .tally.saved_files import format_of

SAVED = {  # the format that a file names, and the class whose ``load`` reads it; each is imported when it is needed
    "indicatrix evaluation": "evaluation.Evaluation",
    "indicatrix joint counts": "comparison.joint.Joint",
    "indicatrix comparison": "comparison.comparison.Comparison",
    "indicatrix binned scores": "scores.binned.Binned",
    "indicatrix detection": "vision.detection_evaluation.DetectionEvaluation",
    "indicatrix panoptic": "vision.panoptic_evaluation.PanopticEvaluation",
    "indicatrix surface distances": "vision.surface_evaluation.SurfaceEvaluation",
}
USUAL = "indicatrix evaluation"  # what a file is taken for that names no format: the reader then says what is wrong with it


@answers_mistakes
def load(path: str | os.PathLike[str]) -> Any:
    """Return what is saved in a file: an evaluation, a comparison, binned scores or another result.

    Parameters
    ----------
    path : str or path
        A file that a ``save`` of this library wrote.

    Returns
    -------
    Evaluation, Joint, Comparison, Binned, DetectionEvaluation, PanopticEvaluation or SurfaceEvaluation
        Equal to what was saved.

    Examples
    --------
    >>> import os, tempfile
    >>> import indicatrix as ix
    >>> path = os.path.join(tempfile.mkdtemp(), "monday.json")
    >>> ix.evaluate([0, 1, 1], [0, 1, 0]).save(path)
    >>> ix.load(path).score("recall")
    0.5
    >>> ix.joint([0, 1, 1], {"lr": [0, 1, 0], "rf": [0, 1, 1]}).save(path)
    >>> ix.load(path)
    <Joint: 3 examples of lr and rf>
    """
    module, _, name = SAVED.get(format_of(path), SAVED[USUAL]).rpartition(".")
    return getattr(import_module(f".{module}", __package__), name).load(path)
