"""The positive class that the command line names, as a label of the file."""

from __future__ import annotations

from dataclasses import replace

from ...algebra.spelling import did_you_mean
from ...algebra.wording import listing
from ...engines.files.text_classes import label_like
from ...evaluation import Evaluation


def with_positive(ev: Evaluation, positive: str | None, name: str) -> Evaluation:
    """Return the evaluation with this positive class, if one is given."""
    if positive is None:
        return ev
    like = next(iter(ev.classes), None)
    label = label_like(positive, like)
    binary = all(isinstance(c, int) and c in (0, 1) for c in (*ev.classes, label))  # the class 1 may have no examples
    if label not in ev.classes and not binary:
        question = did_you_mean(positive, (str(c) for c in ev.classes))
        known = f"--positive {positive!r} is not a class of {name}; the classes are {listing(ev.classes, 20)}."
        raise ValueError(f"{known} {question}".rstrip())
    return replace(ev, named_positive=label)
