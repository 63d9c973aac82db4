"""A measure of two short vectors of labels, which are counted without an evaluation, is the score of their evaluation."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.average import AVERAGES

MEASURES = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if m.reads.counted]
OVER_CLASSES = [name for name, rule in AVERAGES.items() if rule.per == ("class",)]
RNG = np.random.default_rng(3)
CODES = RNG.integers(0, 4, 30), RNG.integers(0, 4, 30)
NAMES = np.array(["dog", "ant", "Ω", "bee"])
LABELS: dict[str, tuple[Any, Any]] = {
    "integers": CODES,
    "lists of integers": (CODES[0].tolist(), CODES[1].tolist()),
    "gaps": (CODES[0] * 7, CODES[1] * 7 + 7),
    "negative": (CODES[0] - 2, CODES[1] - 2),
    "bools": (CODES[0] > 1, CODES[1] > 1),
    "texts": (NAMES[CODES[0]].tolist(), tuple(NAMES[CODES[1]].tolist())),
    "objects": (NAMES[CODES[0]].astype(object), NAMES[CODES[1]].astype(object)),
    "one class": (np.zeros(5, int), np.zeros(5, int)),
    "one row": ([3], [3]),
    "nothing right": ([0, 1, 2], [1, 2, 0]),
    "nothing in common": (["a", "b"], ["c", "c"]),
    "nothing": ([], []),
    "a class that is not predicted": ([0, 1, 1], [0, 0, 0]),
    "mixed": ([1, "a"], [1, "b"]),
    "other lengths": ([1, 2], [1]),
    "floats": (np.array([0.0, 1.0]), np.array([1.0, 1.0])),
}


def outcome(call: Any) -> Any:
    """Return everything of a score, or what an error says."""
    try:
        score = call()
    except Exception as error:
        return type(error), str(error)
    facts = (score.average, score.undefined, score.inside, score.doubt, score.counts.per, score.counts.names, score.counts.bound)
    arrays = (np.asarray(score.values).tolist(), None if score.weights is None else np.asarray(score.weights).tolist())
    cells = [(x.tolist(), x.flags.writeable, x.dtype) if isinstance(x, np.ndarray) else x for x in score.counts]
    return repr((float(score), str(score.measure), facts, arrays, cells, score.note, score.undefined_units))


@for_each("name", LABELS)
def test_a_short_call_is_the_score_of_an_evaluation(name: str, kernels: None) -> None:
    y, z = LABELS[name]
    for measure in MEASURES[[*LABELS].index(name) % 3 :: 3]:  # every label kind tries a third of them
        for average in (*OVER_CLASSES, "micro"):
            found = outcome(lambda: measure(y, z, average=average))  # noqa: B023
            assert found == outcome(lambda: ix.evaluate(y, z, moments=False).score(measure, average)), (measure, average)  # noqa: B023


def test_classes_of_short_labels_are_counted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluated, door = list[int](), import_module("indicatrix.evaluate")
    general = door.evaluate_with
    monkeypatch.setattr(door, "evaluate_with", lambda *given: evaluated.append(1) or general(*given))
    for average in ("macro", "weighted"):
        ix.f1(*CODES, average=average)
        ix.f1(*LABELS["texts"], average=average)
    assert not evaluated
    ix.f1(*CODES, average="micro")
    ix.f1(*LABELS["nothing right"], average="macro")
    assert len(evaluated) == 2
