"""What a reader should know about a measure: its formula, what it promises, and when it misleads.

The notes of the catalogue are computed once, by ``docs/write_measure_notes.py``, and come with the library: a page shows all of
them at once, and to examine all measures takes seconds. They also have the sentences of ``ix.explain``: facts, when to use a
measure, and when it misleads. Of other measures there are the properties only.

The file has each text once, with {} for numbers, {m} for the measure and the name of a property for what its sentence says.
A measure has its formula, then a number of a text for each sentence, with what fills it: "+|0 0.67 0.59" is a yes, then text 0.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from ...algebra.measure import MEASURES, Measure
from ...words.packaged_text import packaged_text
from .sentences import GLOSSES, sentence

FILE = "measure_notes.json"
SENTENCES = ("facts", "use", "misleads")
Notes = dict[str, Any]


def notes_on(measure: Measure) -> Notes:
    """Return the formula of a measure as text, and its properties: True, or a sentence that says why not.

    >>> import indicatrix as ix
    >>> notes_on(ix.f1)["formula"], notes_on(ix.f1)["properties"]["monotone"]
    ('2 * tp / (2 * tp + fp + fn)', True)
    >>> notes_on(ix.f1)["properties"]["skew_invariant"]
    'Not skew-invariant: doubling the positives moves f1 from 0.46 to 0.50.'
    """
    known = _notes_of(measure)
    return examine(measure) if known is None else known


def has_property(measure: Measure, name: str) -> bool | None:
    """Return whether a measure has a property; None if neither a proof nor trials decide.

    Of the catalogue everything is decided and written down, so that what examines formulas need not be loaded.

    >>> import indicatrix as ix
    >>> has_property(ix.f1, "monotone"), has_property(ix.measure("tp * fp"), "monotone")
    (True, False)
    """
    known = _notes_of(measure)
    if known is None:
        holds: bool | None = _examined(measure).evidence[name].holds
        return holds
    return known["properties"][name] is True


def coefficients_of(measure: Measure) -> tuple[tuple[Any, ...], tuple[Any, ...]] | None:
    """Return (a, b) of M = <a, v>/<b, v>; None for a measure that is not such a ratio.

    >>> import indicatrix as ix
    >>> [int(x) for x in coefficients_of(ix.recall)[1]], coefficients_of(ix.mcc)
    ([1, 0, 1, 0], None)
    """
    if _notes_of(measure) is None:
        found = _examined(measure)
        return None if found.a is None or found.b is None else (found.a, found.b)
    return measure.decomposition if has_property(measure, "decomposable") else None


def _examined(measure: Measure) -> Any:
    """Return the properties of a measure without notes; what examines formulas is loaded now."""
    from .properties import properties

    return properties(measure, prove=False)


def examine(measure: Measure) -> Notes:
    """Return the notes on any measure, computed now; they are empty unless it is a formula of counts."""
    if not measure.reads.formula:
        return {"formula": "", "properties": {}}

    evidence = _examined(measure).evidence
    found = {name: evidence[name] for name in GLOSSES}
    return {
        "formula": measure.formula,
        "properties": {name: x.holds is True or sentence(name, x, measure) for name, x in found.items()},
    }


def glosses() -> dict[str, str]:
    """Return what each property says about a measure that has it, as a sentence.

    >>> glosses()["monotone"]
    'Monotone: correcting the prediction of an example never makes it worse.'
    """
    return {name: f"{short[:1].upper()}{short[1:]}: {gloss}." for name, (short, gloss) in GLOSSES.items()}


def _notes_of(measure: Measure) -> Notes | None:
    return _catalogue_note(measure.name) if MEASURES.get(measure.name) == measure else None


@cache
def _catalogue_notes() -> Notes:
    return dict(json.loads(packaged_text(__package__, FILE)))


@cache
def _catalogue_note(name: str) -> Notes | None:
    file = _catalogue_notes()
    if name not in file["notes"]:
        return None

    def filled(entries: str, **clauses: str) -> list[str | bool]:
        filling = [entry.split() for entry in entries.split("|") if entry]
        return [n == "+" or file["texts"][int(n)].format(*rest, m=MEASURES[name], **clauses) for n, *rest in filling]

    formula, answers, *others = file["notes"][name]
    properties = dict(zip(file["properties"], filled(answers), strict=True))
    clauses = {key: clause_of(answer) for key, answer in properties.items() if isinstance(answer, str)}
    sentences = {key: filled(entries, **clauses) for key, entries in zip(SENTENCES, others, strict=True)}
    return {"formula": formula, "properties": properties, **sentences}


def clause_of(sentence: str) -> str:
    """Return what a sentence on a property says, without the name of the property.

    >>> clause_of("Not bounded: its values have no limit.")
    'its values have no limit'
    """
    return sentence.partition(": ")[2].removesuffix(".")


def is_share(measure: Any) -> bool:
    """Return whether a measure is a share: some of the four counts, over these and others.

    >>> import indicatrix as ix
    >>> is_share(ix.recall), is_share(ix.accuracy), is_share(ix.f1), is_share(ix.multiclass_mcc)
    (True, True, False, False)
    """
    sums = None if measure.averages else measure.decomposition
    return sums is not None and all(pair in ((0, 0), (0, 1), (1, 1)) for pair in zip(*sums, strict=True))
