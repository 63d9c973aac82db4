"""The same evaluation with other classes: integers for texts, more classes, a positive class."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...algebra.spelling import did_you_mean
from ...algebra.wording import listing
from ...common_classes import on_classes
from ...evaluation import Evaluation
from .request import decimal, integers


def integers_for_text(ev: Evaluation, name: str = "") -> Evaluation:
    """Return the evaluation with integer classes if all are texts of plain integers; the same for groups.

    This is known only after the last row. The counts do not depend on the names of the classes. ``name`` is the file, for errors.

    >>> import indicatrix as ix
    >>> ev = ix.evaluate(["10", "2"], ["10", "10"])
    >>> ev.classes, integers_for_text(ev).classes
    (('10', '2'), (2, 10))
    """
    meaning = integers(ev.classes, f"{name}, a label")
    if meaning:
        # Given classes keep their order; classes found in the data are sorted, now as numbers.
        order = list(meaning.values()) if not ev.tally.open else sorted(meaning.values())
        ev = on_classes(ev, tuple(order), meaning)
    for axis in ev.tally.by:
        ev = _group_integers(ev, axis, name)
    return ev


def _group_integers(ev: Evaluation, axis: str, name: str) -> Evaluation:
    tally, i = ev.tally, ev.tally.by.index(axis)
    meaning = integers({key[i] for key in tally.parts}, f"{name}, column {axis!r}")
    if not meaning:
        return ev
    return replace(ev, tally=tally.with_group_names(axis, meaning))


def label_like(text: str, like: Any) -> Any:
    """Return the label that a text of the command line means, given a label of the file.

    >>> label_like("1", 0), label_like("1", "a"), label_like("true", False), label_like("1.5", 2.0)
    (1, '1', True, 1.5)
    """
    if isinstance(like, bool):
        return {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)
    if isinstance(like, int | float):
        whole = (integers([text]) or {}).get(text, text)
        return decimal(text) if isinstance(like, float) and whole == text else whole
    return text


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
