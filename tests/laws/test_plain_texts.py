"""Lists of texts, which are counted as codes at once, have the evaluation of tuples, which go the way of all labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix

TEXTS = st.sampled_from(["b", "a", "", "ä", "B", "10", "9"])


def facts(ev: ix.Evaluation) -> tuple[Any, ...]:
    tally = ev.tally
    kept = (tally.open, tally.ordered, tally.keep_pairs, tally.hidden, tally.declined, tally.replicates, tally.squares)
    return (ev.classes, ev.n, ev.kind, ev.positive, type(tally.pooled), *kept)


@given(st.lists(st.tuples(TEXTS, TEXTS, st.sampled_from([0.0, 0.1, 0.5, 1.0, 2.5])), max_size=40))
def test_lists_of_texts_are_counted_as_other_labels_are(rows: list[tuple[str, str, float]]) -> None:
    true, pred, weights = ([row[i] for row in rows] for i in range(3))
    for more in ({}, {"sample_weight": weights}, {"moments": False}):
        one: Any = ix.evaluate(true, pred, **more)
        other: Any = ix.evaluate(tuple(true), tuple(pred), **more)
        assert one == other
        assert facts(one) == facts(other)
    if rows:
        assert facts(ix.evaluate(np.array(true), np.array(pred, object))) == facts(ix.evaluate(tuple(true), tuple(pred)))


@pytest.mark.parametrize("classes", [100, 1000, 1500])
def test_so_are_many_classes(classes: int) -> None:
    rng = np.random.default_rng(classes)
    true, pred = ([f"c{i}" for i in rng.integers(0, classes, 20_000).tolist()] for _ in range(2))
    one, other = ix.evaluate(true, pred), ix.evaluate(tuple(true), tuple(pred))
    assert one == other
    assert facts(one) == facts(other)


@pytest.mark.parametrize(
    ("true", "pred"), [(["a", None], ["a", "b"]), (["a", 1], ["a", "b"]), (["a"], ["a", "b"]), (["a", {}], ["a", "b"])]
)
def test_what_is_no_list_of_texts_is_refused_in_the_same_words(true: list[Any], pred: list[Any]) -> None:
    said = []
    for labels in ((true, pred), (tuple(true), tuple(pred))):
        with pytest.raises((TypeError, ValueError)) as error:
            ix.evaluate(*labels)
        said.append(str(error.value))
    assert said[0] == said[1]
