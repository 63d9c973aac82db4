"""Sequences answer what users ask of an evaluation: of the entities, or with the name of what has it."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix

TRUE = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-LOC", "O", "O"], ["B-ORG", "O", "B-PER", "O"]]
PRED = [["B-PER", "I-PER", "O", "B-ORG"], ["O", "B-LOC", "O", "B-PER"], ["B-ORG", "O", "O", "O"]]
SEQUENCES = ix.tasks.sequences(TRUE, PRED, by={"site": ["x", "x", "y"]})


@for_each("measure", ["f1", "precision", "recall", "tp / (tp + fp + fn)"])
@for_each("average", ["micro", "macro", "weighted", "site"])
def test_scores_are_those_of_the_entities(measure: str, average: str) -> None:
    assert SEQUENCES.score(measure, average) == SEQUENCES.entities.score(measure, average)
    assert SEQUENCES.score(measure, average, undefined=0) == SEQUENCES.entities.score(measure, average, undefined=0)
    np.testing.assert_array_equal(SEQUENCES.values(measure, "site"), SEQUENCES.entities.values(measure, "site"))
    if average != "site":
        assert str(SEQUENCES.table(measure, average)) == str(SEQUENCES.entities.table(measure, average))
        assert SEQUENCES.interval(measure, average, level=0.9) == SEQUENCES.entities.interval(measure, average, level=0.9)


@pytest.mark.parametrize("measure", ["exact_match", ix.measures.exact_match])
def test_exact_match_has_three_meanings(measure: object) -> None:
    with pytest.raises(ValueError, match=r"\.exact_match is the share of whole sequences.*\.tokens\.score"):
        SEQUENCES.score(measure)


@pytest.mark.parametrize("name", ["compare_groups", "findings", "confusion", "to_html", "report"])
def test_what_else_an_evaluation_has_is_named(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"\.entities\.{name} or \.tokens\.{name}"):
        getattr(SEQUENCES, name)
    with pytest.raises(AttributeError, match="Sequences have no attribute 'nothing'"):
        _ = SEQUENCES.nothing


def test_copies_and_the_notebook_work() -> None:
    for same in (copy.deepcopy(SEQUENCES), pickle.loads(pickle.dumps(SEQUENCES))):
        assert str(same) == str(SEQUENCES)
    assert "Whole sequences right: 0 of 3" in SEQUENCES._repr_html_()
