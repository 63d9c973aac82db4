"""Write theory/formula/measure_notes.json: the notes on all measures, each text once."""

from __future__ import annotations

import json
import re
from pathlib import Path

import indicatrix as ix
from indicatrix.theory.formula import measure_notes
from indicatrix.theory.formula.sentences import GLOSSES

NOTES = Path(measure_notes.__file__).with_name(measure_notes.FILE)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
Text = tuple[str, list[str]]  # with a {} for each number, and the numbers


def notes() -> str:
    """Return the notes as JSON, one line for each text and each measure."""
    measures = dict.fromkeys(m for m in ix.algebra.MEASURES.values() if m.source)
    parts = {m: _texts_on(m, notes_on(m)) for m in measures}
    numbers: dict[str, list[list[str]]] = {}
    for lists in parts.values():
        for text, some in (x for texts in lists for x in texts if x is not None):
            numbers.setdefault(text, []).append(some)
    varies = {text: [len({*column}) > 1 for column in zip(*rows, strict=True)] for text, rows in numbers.items()}
    texts = [_with_fixed(text, rows[0], varies[text]) for text, rows in numbers.items()]
    place = {text: str(i) for i, text in enumerate(numbers)}

    def written(entry: Text | None) -> str:
        """Return the number of a text, and what fills it."""
        return "+" if entry is None else " ".join([place[entry[0]], *_only(entry[1], varies[entry[0]])])

    known = {m.name: [m.formula, *("|".join(map(written, texts)) for texts in lists)] for m, lists in parts.items()}
    lines = [f"{json.dumps(name)}: {json.dumps(fields)}" for name, fields in known.items()]
    head = f'{{"properties": {json.dumps([*GLOSSES])}, "texts": [\n'
    return head + ",\n".join(map(json.dumps, texts)) + '\n], "notes": {\n' + ",\n".join(lines) + "\n}}\n"


def notes_on(measure: ix.Measure) -> measure_notes.Notes:
    """Return the formula, the properties, and the sentences of ``ix.explain``."""
    explained = ix.explain(measure)
    return {**measure_notes.examine(measure), **{key: [*getattr(explained, key)] for key in measure_notes.SENTENCES}}


def _texts_on(measure: ix.Measure, known: measure_notes.Notes) -> list[list[Text | None]]:
    """Return what stands on each property, None for a yes, and the sentences."""
    answers = [known["properties"][name] for name in GLOSSES]
    clauses = {f"{{{name}}}": measure_notes.clause_of(x) for name, x in known["properties"].items() if x is not True}
    sentences = [[_text(x, measure, clauses) for x in known[key]] for key in measure_notes.SENTENCES]
    return [[None if x is True else _text(x, measure, {}) for x in answers], *sentences]


def _text(sentence: str, measure: ix.Measure, clauses: dict[str, str]) -> Text:
    """Return a sentence without what is the measure's own."""
    for hole, clause in clauses.items():
        sentence = sentence.replace(clause, hole)
    sentence = re.sub(rf"(?<!\w){re.escape(str(measure))}(?!\w)", "{m}", sentence)
    return NUMBER.sub("{}", sentence), NUMBER.findall(sentence)


def _with_fixed(text: str, numbers: list[str], varies: list[bool]) -> str:
    """Return a text with the numbers that are always the same."""
    filling = iter("{}" if other else number for number, other in zip(numbers, varies, strict=True))
    return re.sub(r"\{\}", lambda hole: next(filling), text)


def _only(numbers: list[str], varies: list[bool]) -> list[str]:
    return [number for number, other in zip(numbers, varies, strict=True) if other]


if __name__ == "__main__":
    NOTES.write_text(notes(), "utf-8")
