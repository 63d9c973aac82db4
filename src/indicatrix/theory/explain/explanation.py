"""Explanation: what to know about a measure, as sentences under titles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from ...report.escapes import escape_html
from ...report.notebook import fold, fragment, listed, paragraphs
from ...words.call_mistakes import answers_mistakes
from ..formula.sentences import COUNTS

WIDTH = 110
OPEN = 3  # sections that a notebook opens: what it says, when to use it, when it misleads


@answers_mistakes
@dataclass(frozen=True, repr=False)
class Explanation:
    """What a measure says, when to use it and when it misleads, in sentences; printing it shows all.

    Attributes
    ----------
    name : str
        The measure as it is written: "f1", "f_beta(beta=2)" or a formula.
    what : str
        What it measures.
    formula : str
        The formula of tp, fp, fn, tn, or which counts it reads instead.
    range : tuple of float
        The lowest and the highest value.
    better : str
        'higher', 'lower' or 'neither'.
    facts : tuple of str
        Its range and direction, where it is undefined, under which averages it exists.
    use : tuple of str
        When to use it.
    misleads : tuple of str
        When it misleads.
    elsewhere : tuple of str
        What it is called elsewhere.
    properties : tuple of str
        What its formula implies; empty if it is not a function of four counts.
    floors : tuple of str
        What a classifier scores that is always wrong.

    Examples
    --------
    >>> import indicatrix as ix
    >>> recall = ix.explain("recall")
    >>> recall.what, recall.facts[1]
    ('Share of actual positives that are found.', 'It is undefined (0/0) if tp = fn = 0 (no example is positive).')
    >>> recall.misleads[0]
    'Predicting positive for all of 100 examples, 10 of them positive, scores 1.000, the best value there is.'
    """

    name: str
    what: str
    formula: str
    range: tuple[float, float]
    better: str
    facts: tuple[str, ...]
    use: tuple[str, ...]
    misleads: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    floors: tuple[str, ...] = ()

    @property
    def sections(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The titles with their sentences; a section without a sentence is left out."""
        every = (
            ("What it says", self.facts),
            ("When to use it", self.use),
            ("When it misleads", self.misleads),
            ("What it is called elsewhere", self.elsewhere),
            ("What its formula implies, proved or found in exact trials", self.properties),
            ("What the worst classifier scores", self.floors),
        )
        return tuple((title, sentences) for title, sentences in every if sentences)

    @property
    def counts(self) -> str:
        """What the counts in the formula are; empty without a formula.

        >>> import indicatrix as ix
        >>> ix.explain("recall").counts
        'tp: true positives; fn: false negatives'
        """
        return "; ".join(f"{name}: {words}" for name, words in COUNTS.items() if re.search(rf"\b{name}\b", self.formula))

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain data.

        Returns
        -------
        dict
            A text, or a list of sentences, for each attribute; infinite ends of the range are None.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.explain("f1").to_dict()["formula"]
        '2 * tp / (2 * tp + fp + fn)'
        """
        ends = [float(end) if abs(end) < float("inf") else None for end in self.range]
        lists = {name: [*getattr(self, name)] for name in ("facts", "use", "misleads", "elsewhere", "properties", "floors")}
        return {"name": self.name, "what": self.what, "formula": self.formula, "range": ends, "better": self.better, **lists}

    def __str__(self) -> str:
        return "\n\n".join("\n".join(block) for block in self._blocks())

    def _blocks(self) -> Iterator[list[str]]:
        yield [self.heading, *(f"  {line}" for line in (self.formula, self.counts) if line)]
        for title, sentences in self.sections:
            yield [f"{title}:", *map(_item, sentences)]

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the formula, then a list under each title."""
        formula = f'<div style="font-family:monospace;margin:.3em 1em">{escape_html(self.formula)}</div>' if self.formula else ""
        parts = [fold(title, listed(sentences), open=i < OPEN) for i, (title, sentences) in enumerate(self.sections)]
        return fragment([paragraphs([self.heading]), formula, paragraphs([self.counts]), *parts])

    @property
    def heading(self) -> str:
        """The name, and what it measures."""
        return f"{self.name}: {self.what}" if self.what else self.name

    def __repr__(self) -> str:
        return f"<Explanation of {self.name}>"


def _item(sentence: str) -> str:
    return fill(sentence, WIDTH, initial_indent="- ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
