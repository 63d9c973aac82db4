"""Curves, best thresholds and other decisions that an evaluation of scores gives: those of its scores by themselves."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix

rng = np.random.default_rng(0)
N = 60
CODES, BITS = rng.integers(0, 3, N), rng.integers(0, 2, N)
ONE = np.round(np.clip(BITS * 0.3 + rng.random(N) * 0.7, 0, 1), 2)
TRUE, TABLE = rng.integers(0, 2, (N, 3)), np.round(rng.random((N, 3)), 2)
ROWS = rng.random((N, 3)) + np.eye(3)[CODES]
WEIGHTS, SITES, SEEN = rng.random(N), rng.choice([*"ab"], N), rng.random((N, 3)) > 0.2
CASES = {
    "binary": (BITS, ONE, 0.5, {}),
    "weights and groups": (BITS, ONE, 0.5, {"sample_weight": WEIGHTS, "by": {"site": SITES}}),
    "examples that were not observed": (BITS, ONE, 0.5, {"mask": SEEN[:, 0]}),
    "the other class": (BITS, ONE, 0.5, {"positive": 0}),
    "classes": (CODES, ROWS, "argmax", {"by": {"site": SITES}}),
    "a positive class": (CODES, ROWS, "argmax", {"positive": 1}),
    "names": (np.array([*"xyz"])[CODES], ROWS, "argmax", {"classes": [*"xyz"]}),
    "labels": (TRUE, TABLE, 0.5, {"by": {"site": SITES}}),
    "labels with a mask": (TRUE, TABLE, 0.5, {"mask": SEEN, "sample_weight": WEIGHTS}),
}


def _same(one: ix.types.Curve, two: ix.types.Curve) -> None:
    for name in ("x", "y", "thresholds"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    assert (one.area, one.unit) == (two.area, two.unit)


@for_each("name", CASES)
def test_curves_and_thresholds_are_those_of_a_sweep(name: str) -> None:
    y, scores, rule, options = CASES[name]
    ev, swept = ix.evaluate(y, scores, decide=rule, **options), ix.sweep(y, scores, **options)
    assert ev.sweep() == swept
    for unit in swept.columns:
        _same(ev.roc(unit), swept.roc(unit))
        _same(ev.pr(unit), swept.pr(unit))
        assert ev.best("f1", unit) == swept.best("f1", unit)
    for average in () if swept.kind == "binary" else ("micro", "macro"):
        _same(ev.roc(average=average), swept.roc(average=average))
        best = ev.best("f1", average=average)
        again = ev.at(best.rule)
        # Of classes that exclude each other a threshold counts each by itself, as the best value does.
        assert again.score("f1", average) == pytest.approx(best.value)
        assert (
            again.aggregate("class").tp.sum() == ix.evaluate(y, scores, decide=best.rule, **options).aggregate("class").tp.sum()
        )
    if swept.positive is not None:
        assert ev.at(ev.best("f1").rule).score("f1") == pytest.approx(ev.best("f1").value)
        assert ev.score("auc") == ix.auc(swept)


def test_parts_of_an_evaluation_have_the_scores_of_their_examples() -> None:
    y, scores, rule, options = CASES["classes"]
    ev, part = ix.evaluate(y, scores, decide=rule, **options), SITES == "a"
    one = ev.split("site")["a"]
    _same(one.roc(2), ix.sweep(y[part], scores[part]).roc(2))
    assert one.at(0.6).score("f1", "macro") == ix.evaluate(y[part], scores[part], decide=0.6).score("f1", "macro")
    second = ev.with_positive(2)
    _same(second.roc(), ev.roc(2))
    assert second.at(second.best("f1").rule).score("f1") == second.best("f1").value
    _same(copy.deepcopy(ev).roc(1), ev.roc(1))


def test_a_class_without_scores_has_no_curve() -> None:
    ev = ix.evaluate(BITS, ONE, decide=0.5).with_positive(0)
    assert ev.at(0.5).score("recall") == ev.score("recall")
    for ask in (ev.roc, ev.sweep, lambda: ev.best("f1"), lambda: ev.score("auc"), lambda: ev.score("brier")):
        with pytest.raises(ValueError, match="The scores are those of class 1, and 0 has none of its own"):
            ask()
    for average in ("micro", "macro"):  # of two classes, and scores of one
        with pytest.raises(ValueError, match=f"average='{average}': there is one column of scores"):
            ix.evaluate(BITS, ONE, decide=0.5).best("f1", average=average)


def test_what_holds_counts_alone_says_why(tmp_path: Path) -> None:
    ev = ix.evaluate(BITS, ONE, decide=0.5)
    ev.save(tmp_path / "ev.json")
    kept = {
        "the scores were not kept": [pickle.loads(pickle.dumps(ev)), ix.load(tmp_path / "ev.json")],
        "evaluations that are added keep counts only": [ev + ev],
        "it holds counts of decided labels only": [ix.evaluate(BITS, (ONE > 0.5).astype(int))],
    }
    for why, evaluations in kept.items():
        for one in evaluations:
            for ask in (one.roc, one.pr, one.sweep, lambda one=one: one.at(0.5), lambda one=one: one.best("f1")):
                with pytest.raises(ValueError, match=why):
                    ask()
            with pytest.raises(ValueError, match=why):
                one.score("auc")
    with pytest.raises(AttributeError, match=r"ev.sweep\(\) has all curves"):
        _ = ev.det
