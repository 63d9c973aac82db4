"""The same evaluation with other classes: integers for texts, more classes, a positive class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...algebra.spelling import did_you_mean
from ...algebra.wording import listing
from ...encode.vocabulary import vocabulary
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


def on_classes(ev: Evaluation, classes: tuple[Any, ...], meaning: Mapping[Any, Any] | None = None) -> Evaluation:
    """Return the evaluation on these classes, which include its own; further classes have no examples.

    ``meaning`` gives its own classes other names.
    """
    own = ev.classes if meaning is None else tuple(meaning[c] for c in ev.classes)
    tally = replace(ev.tally, classes=own)
    parts = tally.parts if own == classes else tally.widened(classes)
    return replace(ev, tally=replace(tally, classes=classes, parts=parts, _pooled=[]))


def on_all_classes(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Return the evaluations on the classes of all of them.

    Classes that one of them has in full keep its order.
    """
    sets = sorted({ev.classes for ev in evaluations}, key=len, reverse=True)
    every = {c for s in sets for c in s}
    classes = next((s for s in sets if set(s) == every), None) or vocabulary(every, "classes")
    return [ev if ev.kind == "counts" else on_classes(ev, classes) for ev in evaluations]


def _group_integers(ev: Evaluation, axis: str, name: str) -> Evaluation:
    tally, i = ev.tally, ev.tally.by.index(axis)
    meaning = integers({key[i] for key in tally.parts}, f"{name}, column {axis!r}")
    if not meaning:
        return ev

    def rename(by_key: Mapping[Any, Any]) -> dict[Any, Any]:
        return {(*key[:i], meaning[key[i]], *key[i + 1 :]): value for key, value in by_key.items()}

    return replace(ev, tally=replace(tally, parts=rename(tally.parts), sizes=rename(tally.sizes), _pooled=[]))


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
