"""Label configurations: the types of examples, by their true labels (prop:exemplar_skew)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from ..encode.indicator import Coded
from ..encode.pairs import Reading, encode
from ..words.call_mistakes import answers_mistakes


@answers_mistakes
def configurations(y_true: Any, *, classes: Iterable[Any] | None = None) -> list[str]:
    """Return the set of true labels of each example as text, to group examples by.

    An exemplar average is a mixture of the averages of these groups, weighted by their shares; ``ev.with_group_shares`` changes
    the shares. There may be as many groups as examples.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: one label or several per example.
    classes : iterable, optional
        The classes and their order. A label outside them is an error. Default: the labels that occur, sorted.

    Returns
    -------
    list of str
        For every example its labels in the order of the classes, such as "{'a', 'b'}": a grouping for by=.

    Examples
    --------
    >>> import indicatrix as ix
    >>> y = [{"a"}, {"b", "a"}, set(), {"a"}]
    >>> ix.tasks.configurations(y)
    ["{'a'}", "{'a', 'b'}", '{}', "{'a'}"]
    >>> ev = ix.evaluate(y, [{"a"}, {"a"}, set(), {"b"}], by={"configuration": ix.tasks.configurations(y)})
    >>> ev.values("f1", per="configuration").tolist()
    [0.6666666666666666, 0.5, nan]
    """
    y = encode(y_true, y_true, Reading.of(classes=classes, names=("y_true", "y_true"))).y
    if isinstance(y.data, Coded):
        return [_spelled([y.classes[code]] if code >= 0 else []) for code in y.data.block(slice(None)).tolist()]
    entries = y.as_sparse()
    labels = [y.classes[j] for j in entries.indices.tolist()]
    ends = entries.indptr.tolist()
    return [_spelled(labels[a:b]) for a, b in pairwise(ends)]


def _spelled(labels: list[Any]) -> str:
    """Return a set of labels as text, which can name a group; it tells 1 from "1"."""
    return f"{{{', '.join(map(repr, labels))}}}"
