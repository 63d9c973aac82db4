"""Scores at shares of classes that were estimated: how sure these are counts in every interval."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from benchmarks.draws import samples
from benchmarks.unlabeled import of_shares
from indicatrix.inference.estimators.of_evaluation import estimator_of
from indicatrix.tally.corrected.estimated_shares import EstimatedShares

SCORES = [
    *((name, average) for name in ("f1", "precision", "recall", "jaccard") for average in ("macro", "micro", "weighted")),
    ("accuracy", None),
    ("mcc", "macro"),
    ("multiclass_kappa", None),
    ("multiclass_mcc", None),
]


def rows(n: int, m: int, seed: int, share: Any = None) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    y, x = rng.choice(m, n, p=share), rng.normal(0, 1, (n, m))
    x[np.arange(n), y] += 1.5
    return y, np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)


def variance(ev: Any, measure: str, average: Any) -> float:
    score = ev.score(measure, average)
    return estimator_of(ev, score.measure, score, None).variance()


def shares(m: int, strata: int = 1, **more: Any) -> tuple[Any, Any, Any]:
    """Return estimated shares, the reference, and rows without labels."""
    known, new = rows(600, m, 1), rows(400, m, 2, np.arange(1, m + 1) / (m * (m + 1) / 2))[1]
    return ix.inference.class_shares(new, decide="argmax", reference=known, strata=strata, **more), known, new


@pytest.mark.parametrize("m", [2, 3])
def test_at_shares_by_predictions_the_reference_has_the_spread_of_expected_scores(m: int) -> None:
    """Both are the same function of the two samples, and each finds its variance in a way of its own."""
    found, known, new = shares(m)
    own = ix.evaluate(*known, decide="argmax").with_priors(found)
    expected = ix.expected(new, decide="argmax", reference=known, shift="label", strata=1)
    for measure, average in SCORES:
        assert own.score(measure, average) == pytest.approx(expected.score(measure, average), abs=1e-6), measure
        assert variance(own, measure, average) == pytest.approx(variance(expected, measure, average), rel=0.01), measure


@pytest.mark.parametrize("m", [2, 3])
def test_other_rows_add_how_the_score_moves_with_the_shares(m: int) -> None:
    found = shares(m, strata=3)[0]
    assert found == shares(m, strata=3)[0]
    ev = ix.evaluate(*rows(500, m, 7), decide="argmax")
    own, exact, classes = ev.with_priors(found), ev.with_priors(found.priors), list(found.priors)
    covariance = own.tally.shares.covariance
    assert covariance.sum() == pytest.approx(0, abs=1e-12)
    assert np.sqrt(np.diag(covariance)) == pytest.approx(
        [(x.high - x.low) / 2 / 1.96 for x in found.intervals["label"].values()], rel=0.05
    )
    for measure, average in SCORES:
        slopes = []
        for c in classes[1:]:  # with as much less of the first class
            step = {k: 1e-5 * ((k == c) - (k == classes[0])) for k in classes}
            up, down = ({k: p + way * step[k] for k, p in found.priors.items()} for way in (1, -1))
            slopes.append(float(ev.with_priors(up).score(measure, average) - ev.with_priors(down).score(measure, average)) / 2e-5)
        more = np.array(slopes) @ covariance[1:, 1:] @ np.array(slopes)
        both = variance(exact, measure, average) + more
        assert variance(own, measure, average) == pytest.approx(both, rel=1e-4), measure


def test_shares_without_spread_are_fixed_shares() -> None:
    for m in (2, 4):
        found, known, _ = shares(m)
        ev = ix.evaluate(*known, decide="argmax")
        own, exact = ev.with_priors(found), ev.with_priors(found.priors)
        sure = EstimatedShares(np.zeros((m, m)), np.zeros((m + 1, m + 1, m)))
        fixed = replace(own, tally=replace(own.tally, shares=sure))
        assert fixed == exact == own
        for measure, average in SCORES:
            one, other = (x.interval(measure, average, method="score") for x in (fixed, exact))
            assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12), measure
        wide, narrow = own.interval("precision", "macro"), exact.interval("precision", "macro")
        assert wide.high - wide.low > 1.2 * (narrow.high - narrow.low)
        for measure in ("recall", "f1"):
            assert own.interval(measure, "macro").value == exact.interval(measure, "macro").value


def test_what_does_not_read_the_shares_has_the_interval_that_it_had() -> None:
    found, known, _ = shares(2, positive=1)
    ev = ix.evaluate(*known, decide="argmax")
    own, exact = ev.with_priors(found), ev.with_priors(found.priors)
    for measure in ("recall", "specificity", "balanced_accuracy"):
        one, other = own.interval(measure), exact.interval(measure)
        assert (one.low, one.high, one.method) == (pytest.approx(other.low), pytest.approx(other.high), other.method)


def test_order_of_classes_sums_and_files(tmp_path: Any) -> None:
    y, table = rows(600, 3, 1)
    new, names = rows(400, 3, 2)[1], np.array(["b", "c", "a"])
    options = {"decide": "argmax", "classes": ["b", "c", "a"]}
    found = ix.inference.class_shares(new, reference=(names[y], table), **options)
    guess = names[table.argmax(axis=1)].astype(object)
    turned = ix.evaluate(names[y], guess).with_priors(found)
    given = ix.evaluate(names[y], guess, classes=["b", "c", "a"]).with_priors(found)
    assert turned.tally.classes != given.tally.classes
    assert turned.tally.shares.moved.any()
    assert given.tally.shares.moved.any()
    for measure in ("f1", "precision"):
        one, other = (ev.interval(measure, "macro") for ev in (turned, given))
        assert (one.low, one.high) == (pytest.approx(other.low), pytest.approx(other.high))
    turned.save(tmp_path / "ev.json")
    again = ix.load(tmp_path / "ev.json")
    assert again.interval("f1", "macro") == turned.interval("f1", "macro")
    (turned + turned).save(tmp_path / "sum.json")
    for changed in (turned + turned, ix.load(tmp_path / "sum.json"), turned.only(["a", "b"]), given + turned):
        assert 0 <= changed.score("f1", "macro") <= 1
        with pytest.raises(ValueError, match=r"estimated shares of classes were changed.*then with_priors"):
            changed.interval("f1", "macro")


def test_what_is_refused() -> None:
    found, known, new = shares(3)
    ev = ix.evaluate(*known, decide="argmax")
    for source in (ix.evaluate([0, 1, 0, 1], [0, 1, 1, 1]), ix.evaluate(np.eye(3, dtype=int), np.eye(3, dtype=int))):
        with pytest.raises(ValueError, match=r"one class of 0, 1(,| and) 2"):
            source.with_priors(found)
    several = ix.inference.class_shares(new, decide=0.4, reference=(known[1] > 0.4, known[1]))
    labels = ix.evaluate(known[1] > 0.4, known[1] > 0.5)
    with pytest.raises(ValueError, match="which are taken as exact"):
        labels.with_priors(several)
    assert labels.with_priors(several.priors).score("f1", "macro") > 0
    for method in ("posterior", "percentile", "bca"):
        with pytest.raises(ValueError, match=r"estimated|only sums were kept"):
            ev.with_priors(found).interval("f1", "macro", method=method)


@pytest.mark.slow
@for_each("rows", ["reference", "others"])
def test_intervals_at_estimated_shares_cover(rows: str) -> None:
    ((_, found),) = samples(of_shares, [("a quarter of the positives", rows, 500, 2000)], 40)
    own, exact = found[:, :2].mean(axis=(0, 1))
    assert own >= 0.85 > 0.75 > exact
