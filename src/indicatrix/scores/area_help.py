"""The docstring of an area: what ``help(ix.auc)`` shows."""

from __future__ import annotations

from typing import Any

from ..catalogue.help_text import CLUSTERS, CONVENTION, INTERVAL, RETURNS, UNDEFINED, cited, facts, section, written

TRUE = "Labels: 0 and 1 for one column of scores, or as many columns or classes as there are scores for each example."
SCORES = "One number for each label, higher for what is more likely positive. A sweep may stand instead of both."
AVERAGE = (
    "How the areas of several classes become one number: 'micro', 'macro', 'weighted', 'exemplar' or a by= axis. Optional "
    "for one column of scores."
)


def help_on_function(measure: Any) -> str:
    """Return the docstring of the function of labels and scores that a measure is."""
    return written(measure.function)


def help_on_area(area: Any) -> str:
    """Return what is known about an area, as a docstring in NumPy's style.

    >>> import indicatrix as ix
    >>> "Parameters" in help_on_area(ix.auc)
    True
    """
    own = [(f"{name}, default {value!r}", "A parameter of the area, explained above.") for name, value in area.params.items()]
    given = [
        ("y_true : array-like", TRUE),
        ("scores : array-like", SCORES),
        ("average : str", AVERAGE),
        (CONVENTION, UNDEFINED),
        INTERVAL,
        CLUSTERS,
        *own,
    ]
    more = ("**options", "classes, positive, sample_weight, mask, by, missing, as ``ix.sweep`` takes them.")
    text, _, examples = written(area.function).partition(">>>")
    shown = [f"Examples\n--------\n>>>{examples}"] if examples else []
    parts = [text.strip(), facts(area), section("Parameters", [*given, more]), RETURNS, *shown, cited(area.source)]
    return "\n\n".join(part for part in parts if part)
