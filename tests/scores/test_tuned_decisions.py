"""``decide=tuned``: the result of tuning is a decision rule, for evaluate and for measures."""

import numpy as np
import pytest

import indicatrix as ix

rng = np.random.default_rng(5)
BINARY = rng.integers(0, 2, 40), rng.random(40)
LABELS = rng.integers(0, 2, (40, 3)), rng.random((40, 3))
CASES = [(BINARY, None), (LABELS, "micro"), (LABELS, "macro"), (LABELS, "weighted")]


@pytest.mark.parametrize("measure", ["f1", "mcc", "informedness", "jaccard"])
@pytest.mark.parametrize(("data", "average"), CASES, ids=["binary", "micro", "macro", "weighted"])
def test_a_tuned_rule_decides(data, average, measure, tmp_path):
    tuned = ix.tune(*data, measure, average=average)
    ev = ix.evaluate(*data, decide=tuned)
    assert ev == ix.evaluate(*data, decide=tuned.rule) == tuned.evaluation
    assert ev.recipe == tuned.evaluation.recipe
    assert ix.algebra.MEASURES[measure](*data, decide=tuned, average=average) == tuned.value
    ev.save(tmp_path / "tuned.json")
    assert ix.load(tmp_path / "tuned.json") == ev


def test_a_target_may_have_its_own():
    y, p = BINARY
    tuned = ix.tune(y, p, "f1")
    one, other = (ix.evaluate({"a": y}, {"a": p}, targets=True, decide={"a": rule}) for rule in (tuned, tuned.rule))
    assert one == other


def test_other_things_are_still_refused():
    with pytest.raises(TypeError, match=r"is not a rule\. Use 'argmax'.* or what ix.tune returns"):
        ix.evaluate(*LABELS, decide=object())
