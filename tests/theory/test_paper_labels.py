"""No sentence that a user reads has a label of the paper; the labels are data where there is a field for them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import numpy as np
from loops import for_each

import indicatrix as ix
from indicatrix.public_names import HOMES

LABEL = re.compile(r"\b(?:alg|app|cor|def|eq|ex|fig|lem|prop|rem|sec|tab|thm):\w|\berrata\b")
AS_DATA = re.compile(r"(?:(?:alg|cor|def|eq|ex|lem|prop|rem|sec|tab|thm):\w+|errata [A-Z]\d+)")
SOURCES = sorted(Path(ix.__file__).parent.rglob("*.py"))


@for_each("path", SOURCES)
def test_no_text_of_the_code_has_one_inside_a_sentence(path: Path) -> None:
    """Docstrings of modules may: they are for readers of the code; those of functions and classes are for users."""
    source = path.read_text(encoding="utf-8")
    if not LABEL.search(source.replace("\\", " ")):  # parsing all files takes seconds; a label may follow an escape, such as \n
        return
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and LABEL.search(node.value) and node.lineno > 1:
            assert AS_DATA.fullmatch(node.value), f"line {node.lineno}: {node.value}"


@for_each("measure", [*dict.fromkeys(ix.algebra.MEASURES.values())])
def test_no_measure_explains_itself_with_one(measure: ix.Measure) -> None:
    known = ix.properties(
        measure, prove=False
    )  # which the explanation reads, too; a proof is algebra, and its words are read above
    for text in (measure.doc, str(ix.explain(measure)), str(known)):
        assert not LABEL.search(text)


@for_each("name", [*HOMES])
def test_no_explanation_has_one(name: str) -> None:
    try:
        text = str(ix.explain(name))
    except (ValueError, TypeError):  # what is not a measure or a score
        return
    assert not LABEL.search(text)


def test_findings_and_reports_have_none_and_findings_keep_it_as_data() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 120)
    several = {
        "some right": np.where(rng.random(120) < 0.7, y, rng.integers(0, 4, 120)),
        "constant": np.zeros(120, int),
        "all wrong": (y + 1) % 4,
    }
    found = []
    for z in several.values():
        ev = ix.evaluate(y, z, by={"site": y % 2})
        found += ev.findings()
        texts = [
            str(ev),
            ev._repr_html_(),
            str(ev.coinciding_scores()),
            str(ev.gap("f1")),
            str(ev.skew_conditions()),
            *map(str, ev.findings()),
        ]
        assert not [text for text in texts if LABEL.search(text)]
    assert len({f.kind for f in found}) > 4
    assert all(AS_DATA.search(f.theorem) for f in found)
