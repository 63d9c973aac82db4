"""The same evaluation under other names of its classes: integers for texts, more classes, a positive class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...algebra.wording import listing
from ...evaluation import Evaluation
from .request import decimal, integers


def integers_for_text(ev: Evaluation) -> Evaluation:
    """Return the evaluation with integers as classes, and as groups, where every one of their texts is a plain integer.

    Only after the last row it is known that no label is anything else; the counts are the same under either name.

    >>> import indicatrix as ix
    >>> ev = ix.evaluate(["10", "2"], ["10", "10"])
    >>> ev.classes, integers_for_text(ev).classes
    (('10', '2'), (2, 10))
    """
    meaning = integers(ev.classes)
    if meaning:
        # Classes that were given keep their order; those that were found are sorted, as numbers now.
        order = list(meaning.values()) if not ev.tally.open else sorted(meaning.values())
        ev = on_classes(ev, tuple(order), meaning)
    for axis in ev.tally.by:
        ev = _group_integers(ev, axis)
    return ev


def on_classes(ev: Evaluation, classes: tuple[Any, ...], meaning: Mapping[Any, Any] | None = None) -> Evaluation:
    """Return the evaluation on these classes, which hold its own (or what they mean); the others have no examples."""
    own = ev.classes if meaning is None else tuple(meaning[c] for c in ev.classes)
    tally = replace(ev.tally, classes=own)
    parts = tally.parts if own == classes else tally.widened(classes)
    return replace(ev, tally=replace(tally, classes=classes, parts=parts, _pooled=[]))


def _group_integers(ev: Evaluation, axis: str) -> Evaluation:
    tally, i = ev.tally, ev.tally.by.index(axis)
    meaning = integers({key[i] for key in tally.parts})
    if not meaning:
        return ev

    def rename(by_key: Mapping[Any, Any]) -> dict[Any, Any]:
        return {(*key[:i], meaning[key[i]], *key[i + 1 :]): value for key, value in by_key.items()}

    return replace(ev, tally=replace(tally, parts=rename(tally.parts), sizes=rename(tally.sizes), _pooled=[]))


def label_like(text: str, like: Any) -> Any:
    """Return the label that a text of the command line means beside labels of one type.

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
    """Return the evaluation with its positive class named, if one is."""
    if positive is None:
        return ev
    like = next(iter(ev.classes), None)
    label = label_like(positive, like)
    binary = all(isinstance(c, int) and c in (0, 1) for c in (*ev.classes, label))  # 1 may not occur
    if label not in ev.classes and not binary:
        raise ValueError(f"--positive {positive!r} is not a class of {name}; the classes are {listing(ev.classes, 20)}.")
    return replace(ev, named_positive=label)
