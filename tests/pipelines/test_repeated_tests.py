"""Examples that several folds tested: copies of an example are not taken for independent ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit

import indicatrix as ix

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
Y = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
AGAIN = {"repeated": RepeatedKFold(n_splits=5, n_repeats=4, random_state=0), "random": ShuffleSplit(10, random_state=0)}


@pytest.fixture(scope="module", params=[*AGAIN])
def repeated(request: Any) -> Any:
    return ix.cross_validate(LogisticRegression(), X, Y, cv=AGAIN[request.param], scores=True)


def test_no_interval_takes_copies_for_examples(repeated: Any) -> None:
    ev = repeated.evaluation
    for measure in ("accuracy", "f1", "mcc", "macro f1", "multiclass_kappa"):
        with pytest.raises(ValueError, match=r"copies of an example are not independent"):
            ev.interval(measure)
        with pytest.raises(ValueError, match=r"copies of an example are not independent"):
            ev.interval(measure, clusters="fold")
    with pytest.raises(ValueError, match=r"which several folds tested"):
        ix.inference.interval(repeated.sweep, "auc")
    assert repeated.interval("accuracy").width > 0
    assert repeated.interval("auc").width > 0


def test_no_test_takes_copies_for_examples(repeated: Any) -> None:
    ev = repeated.evaluation
    (found,) = ix.compare({"a": ev, "b": ev}, "accuracy", level=0.95).differences
    assert np.isnan(found.p)
    assert "ix.inference.compare_folds" in found.note
    between = ev.compare_groups("recall", "fold")
    assert between.test is None
    assert "copies of an example" in between.reason
    pairs = {"a": repeated.tested.y_pred, "b": 1 - np.asarray(repeated.tested.y_pred)}
    by = {axis: repeated.sweep.rows.groups[axis][1] for axis in ev.tally.by}
    (found,) = ix.compare(repeated.tested.y_true, pairs, "accuracy", by=by).differences
    assert np.isnan(found.p)


def test_one_repeat_has_intervals() -> None:
    """Inside a group of the axis each example is counted once; clusters that keep copies together help."""
    for cv, axis in zip(AGAIN.values(), ("repeat", "retest"), strict=True):
        ev = ix.cross_validate(LogisticRegression(), X, Y, cv=cv).evaluation
        for part in ev.split(axis).values():
            assert part.tally.distinct == part.n <= 60
        assert next(iter(ev.split("fold").values())).interval("accuracy").width > 0
    once = ix.cross_validate(LogisticRegression(), X, Y, cv=KFold(5)).evaluation
    assert once.tally.by == ("fold",)
    assert once.interval("accuracy").width > 0
    y, z, example = np.tile(Y, 3), RNG.integers(0, 2, 180), np.tile(np.arange(60), 3)
    by = {"fold": np.repeat(np.arange(6), 30), "repeat": np.repeat(np.arange(3), 60), "example_id": example}
    ev = ix.evaluate(y, z, by=by)
    assert ev.interval("accuracy", clusters="example_id").width > 0


def test_the_report_says_how_often_examples_were_counted() -> None:
    cv = ix.cross_validate(LogisticRegression(), X, Y, cv=AGAIN["repeated"])
    assert "4 times 60 examples" in str(cv)
    assert "240 examples" not in str(cv)
    assert "240 predictions of 60 examples" in repr(cv.evaluation)
    assert "predictions of" in str(ix.cross_validate(LogisticRegression(), X, Y, cv=AGAIN["random"]))
