"""Predicted labels of which none is a true label: usually they are written in another way."""

from __future__ import annotations

from typing import Any

from ...algebra.wording import listing


def foreign_labels(source: Any) -> list[Any]:
    """Return the predicted labels if none of them is a true label of any example; otherwise nothing.

    Nothing is returned either where the classes were given, or are 0 and 1, because such labels are written correctly.

    >>> import indicatrix as ix
    >>> foreign_labels(ix.evaluate(["cat", "dog"], ["Cat", "Dog"])), foreign_labels(ix.evaluate(["cat", "dog"], ["dog", "dog"]))
    (['Cat', 'Dog'], [])
    """
    if getattr(source, "kind", "") != "multiclass" or not source.tally.open or source.positive is not None:
        return []
    counts = source.tally.aggregate("class")
    true, pred = counts.tpos != 0, counts.ppos != 0
    if not true.any() or not pred.any() or (true & pred).any():
        return []
    return [name for name, predicted in zip(source.classes, pred.tolist(), strict=True) if predicted]


def describe_foreign_labels(source: Any, of: str = "") -> str:
    """Return a sentence if no predicted label is a true label, with what they have in common; otherwise "".

    >>> import indicatrix as ix
    >>> describe_foreign_labels(ix.evaluate(["cat", "dog"], ["Cat", "Dog"]))
    "No predicted label occurs among the true labels: 'Cat', 'Dog'. They differ only in upper and lower case or in spaces."
    """
    labels = foreign_labels(source)
    if not labels:
        return ""
    known = {_plain(name) for name in source.classes if name not in labels}
    alike = " They differ only in upper and lower case or in spaces." if known >= {*map(_plain, labels)} else ""
    return f"No predicted label occurs among the true labels{of and f' of {of}'}: {listing(labels, 3)}.{alike}"


def _plain(label: Any) -> str:
    return "".join(str(label).casefold().split())
