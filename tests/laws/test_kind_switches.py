"""No function asks of which kind a measure or a source is: it asks for a fact of the kind, or for units. It reads the code."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import indicatrix as ix

ROOT = Path(ix.__file__).parent
KINDS_OF = {"Sweep", "Binned", "Forecast", "Cells", "Contributions", "ScoredUnits", "UnitSums"}
ALLOWED: dict[str, tuple[int, str]] = {  # at most so many in a module, and why; no entry may grow
    "evals/measures.py": (1, "the door of runs: it refuses what does not read answers"),
    "inference/intervals/of_area.py": (1, "the door of intervals of scores"),
    "scores/scored.py": (1, "the door of scores: a sweep is its own"),
    "scores/thresholds/roc_dominance.py": (1, "it refuses what is not a sweep"),
}


def switches(tree: ast.Module) -> int:
    """Return how often code asks of what kind a measure, a score or a source is, but for operators of a class with itself."""
    found = 0
    for owner in ast.walk(tree):
        if not isinstance(owner, ast.FunctionDef):
            continue
        if owner.name in ("__eq__", "__add__", "__radd__"):
            continue
        found += sum(is_switch(node) for node in ast.walk(owner))
    return found


def is_switch(node: ast.AST) -> bool:
    """Return whether a node is an isinstance of such a class, or compares what a measure reads with a kind."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
        return bool({x.id for x in ast.walk(node.args[1]) if isinstance(x, ast.Name)} & KINDS_OF)
    if not isinstance(node, ast.Compare) or isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE):
        return False
    sides = (node.left, *node.comparators)
    fixed = any((isinstance(x, ast.Name) and x.id.isupper()) or isinstance(x, ast.Constant | ast.Tuple) for x in sides)
    return fixed and any(map(is_kind, sides))


def is_kind(node: ast.AST) -> bool:
    """Return whether code is what a measure reads, or the name of that."""
    if isinstance(node, ast.Attribute):
        return node.attr == "reads" or (node.attr == "name" and is_kind(node.value))
    asked = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr"
    return asked and isinstance(node.args[1], ast.Constant) and node.args[1].value == "reads"


@pytest.mark.slow
def test_no_new_switch() -> None:
    found: Counter[str] = Counter()
    words = re.compile(rf"\b(?:reads|{'|'.join(KINDS_OF)})\b")  # one of which every switch has; parsing all files takes seconds
    for path in sorted(ROOT.rglob("*.py")):
        if words.search(text := path.read_text(encoding="utf-8")):
            found[path.relative_to(ROOT).as_posix()] += switches(ast.parse(text))
    assert {*ALLOWED} <= {*found}
    grown = {name: many for name, many in found.items() if many > ALLOWED.get(name, (0, ""))[0]}
    assert not grown, "ask for a fact of the kind, such as reads.averaged, or for units of the source"


def test_what_counts_as_a_switch() -> None:
    some = ["isinstance(x, Sweep)", "m.reads is TABLE", "m.reads != RANKING", "m.reads.name not in ('counts', 'matrix')"]
    some += ["m.reads.name == 'counts'", "getattr(m, 'reads', None) is TABLE"]
    none = ["isinstance(x, int)", "m.reads is other.reads", "m.reads.name == source.reads", "m.reads.counted is True"]
    for lines in (some, none):
        code = "\n".join(["def f():", *(f"    {line}" for line in lines)])
        assert switches(ast.parse(code)) == (len(some) if lines is some else 0)
