"""Findings: what the theory says about a result, in plain words, the most important first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...algebra.measure import Measure
from ...words.call_mistakes import answers_mistakes
from .examined_result import ExaminedResult
from .finding_rules import FINDERS

EXAMINED = ("precision", "recall", "specificity", "accuracy", "mcc", "jaccard", "f1")


@answers_mistakes
@dataclass(frozen=True)
class Finding:
    """One fact to know about a result: the text, the numbers, the theorem and the advice.

    Attributes
    ----------
    kind : str
        What it is about, such as "collapse" or "priors".
    text : str
        What was found.
    numbers : mapping
        The numbers behind it, by name.
    theorem : str
        The key under which the project records the proof.
    advice : str
        What to do.
    effect : float
        How far the number misleads, as a share of the measure's range.
    """

    kind: str
    text: str
    numbers: Mapping[str, float]
    theorem: str = field(repr=False)  # a label of the paper or of its errata: data, never shown
    advice: str
    effect: float  # how far the number misleads, as a share of the measure's range

    def __str__(self) -> str:
        return f"{self.text} {self.advice}"


def findings(
    source: Any, measures: Iterable[str | Measure] | None = None, averages: Iterable[str | None] | None = None
) -> list[Finding]:
    """Return what a reader of these scores should know, the largest effect first; often nothing.

    By default the measures and averages of the report are used, and accuracy. Redundant measures are reported only if
    ``measures`` is given.

    >>> import indicatrix as ix
    >>> ev = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])
    >>> [f.kind for f in ev.findings(["recall", "specificity"], ["micro"])]
    ['floor', 'collapse', 'priors', 'redundant']
    """
    result = ExaminedResult.of(source, EXAMINED if measures is None else measures, averages, measures is not None)
    found = [Finding(kind, *parts) for kind, finder in FINDERS.items() for parts in finder(result)]
    return sorted(found, key=lambda f: -round(f.effect, 9))  # equal effects stay in the order of the finders
