"""``exact`` is the score in exact arithmetic, and ``undefined_count`` counts what a score left out."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import Problem, problems

import indicatrix as ix
from indicatrix.algebra.average import averages_over, averages_that

RATIONAL = ("accuracy", "precision", "recall", "specificity", "f1", "jaccard", "kappa", "informedness", "markedness")


@given(problems(kinds=("labels", "sets", "dense")), st.sampled_from((*RATIONAL, "mcc", "g_mean")))
def test_an_exact_score_is_the_score(problem: Problem, measure: str) -> None:
    ev = problem.evaluate()
    for average in (*averages_over(*ev.axes), *ev.axes[2:]):
        score, exact = ev.score(measure, average), ev.exact(measure, average)
        if math.isnan(score):
            assert math.isnan(exact)
        else:
            assert float(exact) == pytest.approx(score, rel=1e-9, abs=1e-12)
            assert measure not in RATIONAL or isinstance(exact, Fraction) or ev.n > 500


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=12))
def test_an_exact_macro_recall_is_the_mean_of_fractions(pairs: list[tuple[int, int]]) -> None:
    truth, guess = zip(*pairs, strict=True)
    shares = [Fraction(sum(t == g == c for t, g in pairs), truth.count(c)) for c in set(truth)]
    assert ix.evaluate(truth, guess, classes=range(3)).exact("recall", "macro") == sum(shares) / len(shares)


@given(problems(), st.sampled_from(("precision", "recall", "mcc")))
def test_undefined_count_counts_every_undefined_unit(problem: Problem, measure: str) -> None:
    ev = problem.evaluate()
    for average in averages_that(lambda average: average.weight is None and len(average.per) == 1):
        if not set(ix.algebra.AVERAGES[average].per) <= set(ev.axes):
            continue
        score = ev.score(measure, average)
        if score.lacks_weight():  # nothing was observed: the mean itself is undefined
            assert (score.undefined_units, score.undefined_count) == ((average,), 1)
            continue
        times = np.ones(np.shape(score.values)) if score.counts.times is None else np.asarray(score.counts.times, float)
        assert score.undefined_count == pytest.approx(float(times[score.undefined_mask()].sum()))
        assert bool(score.undefined_count) == bool(score.undefined_units)


def test_exact_refuses_what_it_cannot_know() -> None:
    with pytest.raises(ValueError, match="An exact score needs all counts, but these data do not show fp, tn"):
        ix.evaluate([0, 1], [0, 1], unobserved=("fp", "tn")).exact("precision")
    with pytest.raises(TypeError, match="reads the whole confusion matrix and has one value"):
        ix.evaluate([0, 1, 2], [0, 1, 1]).exact("multiclass_mcc", "macro")
    with pytest.raises(ValueError, match="average"):
        ix.evaluate([0, 1, 2], [0, 1, 1]).exact("recall")


def test_a_group_that_was_not_observed_counts_nowhere_in_an_exact_score() -> None:
    ev = ix.evaluate(list("aab"), list("abb"), mask=[True, True, False], by={"site": [1, 1, 2]})
    for inside in averages_over("class", "example"):
        score = ev.score("hamming_distance", ("site", inside))
        assert score > 0
        assert ev.exact("hamming_distance", ("site", inside)) == score
