"""``ix.Evaluation()`` is empty: adding it changes nothing, so loops over batches start with it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import problems

import indicatrix as ix


@given(problems(), st.data())
def test_a_loop_over_batches_is_one_call(problem, data):
    cuts = sorted(data.draw(st.lists(st.integers(0, problem.n), max_size=3)))
    total = ix.Evaluation()
    for rows in np.split(np.arange(problem.n), cuts):
        total += problem.evaluate(rows)
    assert total == problem.evaluate()


@given(problems())
def test_it_changes_nothing_on_either_side(problem):
    ev = problem.evaluate()
    for same in (
        ix.Evaluation() + ev,
        ev + ix.Evaluation(),
        sum([ev], ix.Evaluation()),
        ev + sum([ix.Evaluation()] * 2),
    ):
        assert same == ev
        assert (same.kind, same.recipe, same.positive, same.axes, repr(same)) == (
            ev.kind,
            ev.recipe,
            ev.positive,
            ev.axes,
            repr(ev),
        )


SCORES = np.random.default_rng(3).random((9, 3))
SETTINGS = {
    "scores": lambda s: ix.evaluate(SCORES.argsort(axis=1)[s, 0], SCORES[s], decide="argmax"),
    "positive": lambda s: ix.evaluate(list("abaabbaba")[s], list("aabbababa")[s], classes=list("ab"), positive="b"),
    "mask and groups": lambda s: ix.evaluate(
        ([0, 1, 2] * 3)[s],
        ([0, 2, 2] * 3)[s],
        mask=[True, False, True, True, True, True, False, True, True][s],
        by={"site": list("xxyyzzxyz")[s], "fold": [1, 1, 1, 2, 2, 2, 3, 3, 3][s]},
        sample_weight=np.arange(9.0)[s],
    ),
    "cost": lambda s: ix.evaluate(([0, 1, 1] * 3)[s], ([0, 1, 0] * 3)[s], cost=[[0, 1], [5, 0]]),
    "targets": lambda s: ix.evaluate(
        {"a": ([0, 1, 1] * 3)[s], "b": list("xyzxyzxyz")[s]},
        {"a": ([0, 1, 0] * 3)[s], "b": list("xyyxyyxyz")[s]},
        targets=True,
        classes={"a": [0, 1], "b": list("xyz")},
    ),
    "abstention": lambda s: ix.evaluate(list("abaabbaba")[s], [*"aabb", None, *"baba"][s], missing="abstain"),
    "unobserved": lambda s: ix.evaluate(list("abaabbaba")[s], list("aabbababa")[s], unobserved=("tn",)),
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_setting(setting):
    evaluate, total = SETTINGS[setting], ix.Evaluation()
    for start in range(0, 9, 2):
        total += evaluate(slice(start, start + 2))
    whole = evaluate(slice(None))
    assert total == whole
    assert repr(total.table().to_dict()) == repr(whole.table().to_dict())


def test_empty_and_empty_is_empty(tmp_path):
    none = ix.Evaluation()
    assert none + none == none == ix.evaluate([], [])
    assert (none.n, none.classes) == (0, ())
    none.save(tmp_path / "none.json")
    assert ix.load(tmp_path / "none.json") == none


@pytest.mark.parametrize("average", [*ix.algebra.AVERAGES, "binary"])
def test_its_scores_are_undefined(average):
    if average == "target":
        return
    for measure in ("f1", "recall", "jaccard"):
        assert math.isnan(ix.Evaluation().score(measure, average))
        with pytest.raises(ix.types.UndefinedError):
            ix.Evaluation().score(measure, average, undefined="raise")
