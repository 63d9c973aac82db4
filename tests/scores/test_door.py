"""The door of a sweep: what was not observed is not read, and what is refused is refused in words of the function called."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pytest
from average_rows import rows_along
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix

NAN = math.nan
PARAMETERS = {  # of the areas that have some
    "average_precision": (ix.average_precision, ix.average_precision.at(interpolation="11-point")),
    "partial_auc": (ix.measures.partial_auc.at(max_fpr=0.5),),
    "threshold_average": (ix.measures.threshold_average.at(measure="accuracy"),),
}
AREAS = tuple(one for name, area in ix.scores.AREAS.items() for one in PARAMETERS.get(name, (area,)))
HIDDEN = st.sampled_from([NAN, math.inf, -math.inf, 0.5, -7.0])  # what may stand where nothing was observed


def same(one, two):
    np.testing.assert_array_equal(np.asarray(one, float), np.asarray(two, float))


def drawn(seed, kind, by_entry):
    """Return labels, scores and a mask, of examples or of entries."""
    rng = np.random.default_rng(seed)
    shape = (9,) if kind == "binary" else (9, 3)
    y = rng.integers(0, 3, 9) if kind == "multiclass" else rng.integers(0, 2, shape)
    mask = rng.random(shape if by_entry else 9) < 0.7
    return y, np.round(rng.random(shape), 1), mask


def hidden(scores, mask, value):
    seen = mask if mask.shape == scores.shape else mask[:, None]
    return np.where(seen, scores, value)


def results(y, scores, kind, **options):
    """Everything that a sweep of these labels and scores says, as numbers."""
    s = ix.sweep(y, scores, **options)
    yield s.micro.thresholds, s.micro.tp, s.micro.fp
    averages = [None] if kind == "binary" else rows_along("", "class", "example")
    for area in AREAS:
        for average in averages:
            score = area(y, scores, average=average, **options)
            yield score, score.values
    for unit in s.columns:
        yield s.values("f1", unit), s.best("f1", unit).value, s.best("f1", unit).threshold
        yield s.at(0.5 if kind == "binary" else [0.5] * 3).tp, s.pr(unit).y
    for average in averages:
        for measure in ("f1", "specificity", "accuracy"):
            tuned = ix.tune(y, scores, measure, average, one_vs_all=True, **options)
            yield tuned.value, tuned.rule, *np.ravel(tuned.plateau)
    binned = ix.scores.binned(y, scores, **options)
    yield binned.micro.tp, binned.micro.thresholds
    if kind == "multiclass":
        yield ix.measures.hand_till_auc(y, scores, **options), s.risk_coverage().area


@pytest.mark.slow
@examples(12)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["binary", "multiclass", "multilabel"]), st.booleans(), HIDDEN)
def test_what_a_mask_hides_is_not_read(seed, kind, by_entry, value):
    y, scores, mask = drawn(seed, kind, by_entry)
    known = results(y, scores, kind, mask=mask)
    for one, two in zip(known, results(y, hidden(scores, mask, value), kind, mask=mask), strict=True):
        for a, b in zip(one, two, strict=True):
            same(a, b)


def test_scores_of_all_containers_may_be_missing_where_nothing_was_observed():
    mask, known = [1, 0, 1], ix.auc([0, 1, 1], [0.2, 0.5, 0.6], mask=[1, 0, 1])
    given = ([0.2, NAN, 0.6], [0.2, None, 0.6], np.float32([0.2, NAN, 0.6]), pd.Series([0.2, None, 0.6]), (0.2, "?", 0.6))
    for scores in given:
        assert ix.auc([0, 1, 1], scores, mask=mask) == known == 1
        assert ix.tune([0, 1, 1], scores, "f1", mask=mask).value == 1
        assert ix.brier([0, 1, 1], scores, mask=mask) == pytest.approx(0.1)
    frame = pd.DataFrame({"a": [0.2, NAN], "b": [0.3, 0.4]})
    assert ix.sweep([[0, 1], [1, 1]], frame, mask=[[1, 1], [0, 1]]).of("a").n == 1


def test_the_score_of_a_missing_label_is_not_read():
    lost = ix.sweep([0, None, 1], [0.1, NAN, 0.3], missing="mask")
    assert (lost.n, lost.of()) == (2, ix.sweep([0, 1], [0.1, 0.3]).of())
    entries = ix.sweep([[1, NAN], [0, 1]], [[0.3, NAN], [0.5, 0.6]], missing="mask")
    assert [entries.of(j).n for j in (0, 1)] == [2, 1]
    assert ix.auc([0, None, 1], [[0.9, 0.1], [NAN, 0.4], [0.2, 0.8]], missing="mask", average="macro") == 1
    assert ix.tune([0, None, 1], [0.1, NAN, 0.3], "f1", missing="mask").value == 1
    assert ix.measures.ordinal_auc([0, 1, 1], [[1, 0], [NAN, 1], [0, 1]], classes=[0, 1], mask=[1, 0, 1]) == 1


def test_an_infinite_score_that_was_not_observed_bars_no_threshold():
    tuned = ix.tune([[0, 0]], [[0.5, math.inf]], "specificity", "exemplar", mask=[[1, 0]], method="sweep")
    assert tuned.value == 1


def test_confidence_is_that_of_observed_classes():
    """A score that was not observed decides nothing, however high; nor does a zero in its place."""
    scores = [[-6.0, 9.0, -7.0], [-8.0, -6.5, -7.0], [-9.0, -8.0, -7.0]]
    s = ix.sweep([0, 1, 2], scores, mask=[[1, 0, 1], [1, 1, 1], [1, 1, 1]])
    assert s.risk_coverage().thresholds.tolist() == [math.inf, -6.0, -6.5, -7.0]
    assert s.risk_coverage().risk[1:].tolist() == [0, 0, 0]


Y, P = [0, 1, 1], [0.2, 0.3, 0.6]
TABLE, MATRIX = [[0.2, 0.3], [0.6, 0.1]], [[0, 1], [1, 0]]
FUNCTIONS = (
    ix.sweep,
    ix.scores.binned,
    ix.auc,
    lambda y, p, **options: ix.average_precision(y, p, average="macro", **options),
    lambda y, p, **options: ix.tune(y, p, "f1", **options),
)
REFUSED = [
    ((P, Y), {}, "y_true[0] = 0.2 looks like a score. Labels come first, then scores"),
    (([0, 0.3, 0.6], Y), {}, "y_true[1] = 0.3 looks like a score"),
    (([0, None, 0.6], Y), {}, "y_true[2] = 0.6 looks like a score"),
    ((np.array(P), np.array(Y)), {}, "y_true[0] = 0.2 looks like a score"),
    ((TABLE, MATRIX), {}, "y_true[0, 0] = 0.2: with scores a label is 0 or 1. Labels come first, then scores"),
    ((ix.soft(TABLE), MATRIX), {}, "y_true[0, 0] = 0.2: with scores a label is 0 or 1"),
    (
        (TABLE, [0, 1]),
        {},
        "scores has one number per example, but y_true has a column per class. Labels come first, then scores.",
    ),
    ((MATRIX, [0.1, 0.2]), {}, "but y_true has a column per class. Give scores one column per class, too."),
    (([{0}, {1}], [0.1, 0.2]), {}, "but y_true has a column per class. Give scores one column per class, too."),
    (([[0], [1]], [0.1, 0.2]), {}, "One label per example has one dimension: y_true.ravel()."),
    ((Y, [[s] for s in P]), {}, "If there is one number per example, it has one dimension: scores.ravel()."),
    (
        (Y, P),
        {"sample_weight": [1, -1, 1]},
        "sample_weight[1] = -1.0: a weight is not negative. Correct it, or drop this example.",
    ),
    ((Y, P), {"missing": "abstain"}, "missing='abstain' is unknown. Use 'error', or 'mask' to leave missing labels out."),
    ((Y, [0.2, NAN, NAN]), {"mask": [1, 0, 1]}, "scores[2] is NaN: every example needs a number"),
    (
        (MATRIX, [[NAN, 0.1], [0.2, NAN]]),
        {"mask": [[0, 1], [1, 1]]},
        "scores[1, 1] is NaN: every example and class needs a number",
    ),
    ((np.array(Y), np.array([NAN, 0.1, 0.2])), {}, "scores[0] is NaN: every example needs a number"),
    (
        (["a", "b"], TABLE),
        {"classes": ["a", "b"], "mask": pd.DataFrame(MATRIX, columns=["b", "a"])},
        "Put both in the same order",
    ),
]


@for_each(("given", "options", "message"), REFUSED)
def test_what_is_refused(given, options, message):
    for function in FUNCTIONS:
        with pytest.raises(ValueError, match=re.escape(message)) as caught:
            function(*given, **options)
        assert not re.search(r"\b(decide|tnorm|signed_weights)=|y_pred", str(caught.value))


def test_probabilities_are_called_what_the_function_calls_them():
    with pytest.raises(ValueError, match=r"y_proba\[0, 1\] is NaN"):
        ix.measures.ordinal_auc([0, 1], [[0.5, NAN], [0.5, 0.5]], classes=[0, 1])
    with pytest.raises(ValueError, match="The columns of mask"):
        ix.brier(["a", "b"], np.eye(2), classes=["a", "b"], mask=pd.DataFrame(MATRIX, columns=["b", "a"]))
    with pytest.raises(ValueError, match="The columns of mask"):
        ix.measures.ranking_loss(["a", "b"], np.eye(2), classes=["a", "b"], mask=pd.DataFrame(MATRIX, columns=["b", "a"]))
