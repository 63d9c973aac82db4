"""Write theory/formula/measure_notes.json: the notes on all measures, for the report page."""

from __future__ import annotations

import json
from pathlib import Path

import indicatrix as ix
from indicatrix.theory.formula import measure_notes

NOTES = Path(measure_notes.__file__).with_name(measure_notes.FILE)


def notes() -> str:
    """Return the notes as JSON, one line for each measure."""
    measures = dict.fromkeys(m for m in ix.algebra.MEASURES.values() if m.source)
    lines = [f"{json.dumps(m.name)}: {json.dumps(_notes_on(m), ensure_ascii=False)}" for m in measures]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _notes_on(measure: ix.Measure) -> dict[str, object]:
    """Return the properties, and the sentences of ``ix.explain``."""
    explained = ix.explain(measure)
    sentences = {"facts": explained.facts, "use": explained.use, "misleads": explained.misleads}
    return {**measure_notes.examine(measure), **sentences}


if __name__ == "__main__":
    NOTES.write_text(notes(), "utf-8")
