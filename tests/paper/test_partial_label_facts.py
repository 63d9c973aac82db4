"""Recomputed facts on positive-unlabeled, single-class and open-set problems and abstention."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from facts import Checkers, vectors

import indicatrix as ix
from indicatrix.tasks.positive_unlabeled import PositiveUnlabeled
from indicatrix.tasks.selective.single_class import one_class

# Abstention, one-vs-all priors and exemplar mixtures as results are checked in test_result_facts; here as settings.
checks = Checkers("pu", "single", "open", "abst")


@pytest.mark.parametrize("fact", checks.facts.values(), ids=checks.facts)
def test_fact(fact):
    checks.run(fact)


# pu: what is expected where each positive is labeled with probability c (sec:pu_learning, errata C18).

TRUE = [(8, 3, 4, 5), (1, 0, 6, 2), (9, 9, 0, 1), (0, 4, 3, 7)]
PROPENSITIES = [Fraction(k, 12) for k in (1, 3, 5, 11, 12)]


def problems():
    for tp, fp, fn, tn in TRUE:
        for c in PROPENSITIES:
            seen = (c * tp, fp + (1 - c) * tp, c * fn, tn + (1 - c) * fn)
            yield c, tuple(map(Fraction, (tp, fp, fn, tn))), seen, PositiveUnlabeled(ix.from_counts(*seen))


@checks(r"pu\.rec")
def recall_is_preserved(fact):
    for c, true, seen, pu in problems():
        recall = ix.recall(ix.Counts(*true))
        assert ix.recall(ix.Counts(*seen)) == recall
        assert pu.score("recall") == pytest.approx(float(recall), rel=1e-15)
        assert pu.at(propensity=c).score("recall") == float(recall)
    assert fact["paper"] is fact["computed"] is True
    assert "In expectation" in PositiveUnlabeled.score.__doc__


@checks(r"pu\.prec")
def precision_shrinks_by_the_propensity(fact):
    for c, true, seen, pu in problems():
        (tp, fp, fn, tn), (_, fp_seen, _, tn_seen) = true, seen
        assert (fp_seen, tn_seen) == (fp + (1 - c) * tp, tn + (1 - c) * fn)
        assert ix.precision(ix.Counts(*seen)) == c * ix.precision(ix.Counts(*true))
        [back] = pu.at(propensity=c).tally.pooled.cells().T.tolist()
        assert tuple(back) == true
        with pytest.raises(ValueError, match="contain unlabeled positives"):
            pu.score("precision")
    assert fact["computed"] is True


# single: labeled inliers and unlabeled outliers (sec:single_class, errata A12).


@checks(r"single\.class")
def recall_is_known_and_precision_is_not(fact):
    accepted = [True, True, False, True, True, False]
    ev = one_class(["inlier"] * 4 + [None] * 2, accepted)
    assert ev.score("recall") == 0.75
    assert math.isnan(ev.score("precision"))
    assert math.isnan(ev.score("accuracy"))
    masked = ix.evaluate(np.ones((6, 1), int), np.array(accepted)[:, None], mask=[1, 1, 1, 1, 0, 0])
    assert masked.score("precision") == 1  # what the mask alone would say, whatever was accepted
    assert fact["computed"].startswith("reverse: recall")
    assert fact["agrees"] is False


# open: m known classes and one unknown (sec:openset, errata B7).


@checks(r"open\.collapse")
def micro_scores_collapse(fact):
    rng = np.random.default_rng(8)
    for m in (2, 3, 5):
        y_true, y_pred = rng.integers(0, m + 2, 200), rng.integers(-1, m, 200)  # m and m + 1 are not known, -1 is a rejection
        ev = ix.evaluate(y_true, y_pred, known=list(range(m)))
        right = int(((y_true == y_pred) | ((y_true >= m) & (y_pred == -1))).sum())
        assert len(ev.classes) == m + 1
        for measure in ("precision", "recall", "f1"):
            assert ev.score(measure, "micro") == right / 200
        zero_rows = ix.evaluate(np.minimum(y_true, m), y_pred, abstain=-1, classes=range(m + 1))
        hits, rejected = int((y_true == y_pred).sum()), int((y_pred == -1).sum())
        assert zero_rows.score("recall", "micro") == hits / 200
        assert zero_rows.score("precision", "micro") == hits / (200 - rejected)
    assert fact["paper"] is fact["computed"] is True


# abst: an all-zero row (sec:abstention).


@checks(r"abst\.counts")
def an_abstained_row(fact):
    labels = [set(np.flatnonzero(fact["inputs"]["Y_i"]).tolist())]
    [row] = vectors(ix.evaluate(labels, [set()], classes=range(5)).aggregate("example"))
    assert list(row) == fact["paper"] == [*map(int, fact["computed"])]
    for y_pred, options in (([-1], {"abstain": -1}), ([None], {"missing": "abstain"})):  # the same with one label each
        [row] = vectors(ix.evaluate([3], y_pred, classes=range(5), **options).aggregate("example"))
        assert row == (0, 0, 1, 4)
