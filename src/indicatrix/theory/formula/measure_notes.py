"""What a reader should know about a measure: its formula, what it promises, and when it misleads.

The notes of the catalogue are computed once, by ``docs/write_measure_notes.py``, and come with the library: a page shows all of
them at once, and to examine all measures takes seconds. They also have the sentences of ``ix.explain``: facts, when to use a
measure, and when it misleads. Of other measures there are the properties only.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from ...algebra.formula_text import formula_as_text
from ...algebra.measure import MEASURES, Measure
from .properties import properties
from .sentences import GLOSSES, sentence

FILE = "measure_notes.json"
Notes = dict[str, Any]


def notes_on(measure: Measure) -> Notes:
    """Return the formula of a measure as text, and its properties: True, or a sentence that says why not.

    >>> import indicatrix as ix
    >>> notes_on(ix.f1)["formula"], notes_on(ix.f1)["properties"]["monotone"]
    ('2 * tp / (2 * tp + fp + fn)', True)
    >>> notes_on(ix.f1)["properties"]["skew_invariant"]
    'Not skew-invariant: doubling the positives moves f1 from 0.46 to 0.50.'
    """
    known = _catalogue_notes().get(measure.name) if MEASURES.get(measure.name) == measure else None
    return examine(measure) if known is None else known


def examine(measure: Measure) -> Notes:
    """Return the notes on any measure, computed now."""
    evidence = properties(measure, prove=False).evidence
    found = {name: evidence[name] for name in GLOSSES}
    return {
        "formula": formula_as_text(measure.formula),
        "properties": {name: x.holds is True or sentence(name, x, measure) for name, x in found.items()},
    }


def glosses() -> dict[str, str]:
    """Return what each property says about a measure that has it, as a sentence.

    >>> glosses()["monotone"]
    'Monotone: correcting the prediction of an example never makes it worse.'
    """
    return {name: f"{short[:1].upper()}{short[1:]}: {gloss}." for name, (short, gloss) in GLOSSES.items()}


@cache
def _catalogue_notes() -> dict[str, Notes]:
    text = (files(__package__) / FILE).read_text("utf-8")
    return dict(json.loads(text))
