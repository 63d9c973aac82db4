"""Operating points: constrained bests against a look at every threshold in fractions, rates, bins, and torchmetrics."""

from __future__ import annotations

import math
import operator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix
from fuzz import operating_points

SIGNS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
TIED = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=1, max_size=12)
PAIRS = [
    ("recall", "precision"),
    ("precision", "recall"),
    ("fpr", "recall"),
    ("f1", "specificity"),
    ("mcc", "fnr"),
    ("npv", "f1"),
]


def every_threshold(pairs):
    """Return each threshold from +inf down, with its counts in fractions."""
    for t in (math.inf, *sorted({s for _, s in pairs}, reverse=True)):
        yes, no = ([y for y, s in pairs if (s >= t) == side] for side in (True, False))
        yield t, ix.Counts(*map(Fraction, (sum(yes), len(yes) - sum(yes), sum(no), len(no) - sum(no))))


def value(measure, counts):
    found = ix.algebra.MEASURES[measure](counts)
    return None if isinstance(found, float) and not math.isfinite(found) else found


@given(TIED, st.sampled_from(PAIRS), st.sampled_from([*SIGNS]), st.sampled_from(["0", "0.25", "0.5", "0.6", "1"]))
def test_the_best_threshold_under_a_constraint_is_found_by_looking_at_all(pairs, names, sign, limit):
    goal, held = names
    turn = -1 if ix.algebra.MEASURES[goal].better == "lower" else 1
    rows = [(t, value(goal, c), value(held, c)) for t, c in every_threshold(pairs)]
    met = [(t, g) for t, g, h in rows if h is not None and SIGNS[sign](h, Fraction(limit))]
    tops = [turn * g for _, g in met if g is not None]
    swept = ix.sweep([y for y, _ in pairs], [float(s) for _, s in pairs], classes=[False, True])
    best = swept.best(goal, subject_to=f"{held} {sign} {limit}")
    inside = [any(low < t <= high for low, high in best.allowed) for t, _, _ in rows]
    assert inside == [t in dict(met) for t, _, _ in rows]
    assert bool(best.note) == (not tops)
    if not tops:
        assert math.isnan(best.value)
        return
    assert best.value == pytest.approx(float(turn * max(tops)), abs=1e-12)
    reached = [t for t, g in met if g is not None and abs(float(turn * g - max(tops))) < 1e-12]
    assert [t for t, _, _ in rows if any(low < t <= high for low, high in best.plateaus)] == reached
    assert best.rule in reached


def test_thresholds_that_meet_a_constraint_may_lie_apart():
    best = ix.sweep([1, 0, 1, 0, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]).best("fpr", subject_to="precision >= 0.6")
    assert (best.allowed, best.plateaus) == (((0.8, 0.9), (0.6, 0.7)), ((0.8, 0.9),))


def test_nine_of_ten_is_at_least_nine_tenths_with_weights_or_without():
    y, scores = [1] * 9 + [0], [0.5] * 10
    for weights in ({}, {"sample_weight": [0.1] * 10}):
        swept = ix.sweep(y, scores, **weights)
        assert swept.best("recall", subject_to="precision >= 0.9").value == 1
        assert math.isnan(swept.best("recall", subject_to="precision > 0.9").value)
    third = ix.sweep([1, 0, 0], [0.5, 0.5, 0.5])  # a little above or below one third is not one third
    met = {text: not third.best("recall", subject_to=f"precision {text}").note for text in ("<= 0.3333333333", ">= 0.3333333333")}
    assert met == {"<= 0.3333333333": False, ">= 0.3333333333": True}
    assert not third.best("recall", subject_to="precision < 0.3333333334").note


def test_several_constraints_classes_and_pools():
    y, s = [0, 1, 2, 1, 0], [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5], [0.5, 0.2, 0.3], [0.6, 0.3, 0.1]]
    swept = ix.sweep(y, s)
    both = "precision >= 0.6 and fpr <= 0.1"
    assert swept.best("recall", 1, subject_to=both) == swept.best("recall", 1, subject_to=["precision >= 0.6", "fpr <= 0.1"])
    macro = swept.best("recall", average="macro", subject_to=both)
    alone = [swept.best("recall", c, subject_to=both) for c in range(3)]
    assert macro.value == pytest.approx(np.mean([b.value for b in alone]))
    assert list(macro.bests.values()) == alone
    pooled = swept.best("recall", average="micro", subject_to="f_beta(beta=2) > 0.5")
    assert ix.f_beta(y, s, decide=pooled.rule, beta=2, average="micro") > 0.5
    assert (
        swept.best("tp/(tp+fn)", 1, subject_to="tp/(tp+fp) >= 0.6").value == swept.best("recall", 1, subject_to="ppv >= .6").value
    )


def test_a_number_on_either_side_a_chain_and_a_fraction():
    swept = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])  # the precisions are 1, 1/2, 2/3 and 1/2, from above
    for text, same in (
        ("0.9 <= precision", "precision >= 0.9"),
        ("0.5 < precision <= 0.9", "precision > 0.5 and precision <= 0.9"),
        ("0.9 >= precision > 1/2", "precision > 0.5 and precision <= 0.9"),
    ):
        found, wanted = (swept.best("recall", subject_to=x) for x in (text, same))
        assert (found.value, found.allowed) == (wanted.value, wanted.allowed)
    for text, value in (("precision >= 2/3", 1), ("precision > 2/3", 0.5), ("1/2 < precision <= 2/3", 1)):  # exactly
        assert swept.best("recall", subject_to=text).value == value
    assert str(swept.best("recall", subject_to="precision <= 2 / 3").subject_to[0]) == "precision <= 2/3"


def test_a_constraint_may_be_made_of_a_name():
    swept = ix.sweep([0, 1, 1, 0], [0.9, 0.8, 0.7, 0.1])
    assert swept.best("recall", subject_to=ix.types.Constraint("precision", ">=", 0.6)).value == 1
    with pytest.raises(ValueError, match="sign='=' is not one of '>=', '<=', '>', '<'"):
        ix.types.Constraint("precision", "=", 0.6)


@pytest.mark.parametrize(
    ("subject_to", "said"),
    [
        ("precision", "is not a constraint"),
        ("precision >= high", "is not a constraint"),
        ("0.5 <= precision >= 0.9", "is not a constraint"),
        ("0.5 <= 0.9", "is not a constraint"),
        ("precision => 0.9", "is not a constraint"),
        ("precision >= 1/0", "is not a constraint"),
        ("precision == 0.5", "is not a constraint"),
        ("precison >= 0.5", "precision"),
        (0.5, "must be a text"),
    ],
)
def test_what_is_not_a_constraint_is_refused(subject_to, said):
    with pytest.raises((ValueError, TypeError), match=said):
        ix.sweep([0, 1], [0.2, 0.7]).best("recall", subject_to=subject_to)


def test_the_answer_where_no_threshold_meets_the_constraints():
    swept = ix.sweep([0, 1, 0, 1], [0.9, 0.8, 0.3, 0.2])
    best = swept.best("recall", subject_to="precision >= 0.9")
    assert best.note == "No threshold meets precision >= 0.9: its highest value is 0.5."
    assert (best.allowed, best.plateaus, best.counts) == ((), (), None)
    with pytest.raises(ValueError, match="loosen the constraint"):
        _ = best.rule
    each = ix.sweep([[1, 0], [0, 1], [1, 0]], [[0.9, 0.9], [0.2, 0.8], [0.7, 0.1]]).best(
        "recall", average="macro", subject_to="fpr <= 0"
    )
    assert (each.value, each.note) == (0.5, "")  # at +inf, where nothing is accepted, class 1 has recall 0
    each = ix.sweep([[1, 0], [0, 1]], [[0.9, 0.9], [0.2, 0.8]]).best("recall", average="macro", subject_to="precision > 0.5")
    assert (each.value, each.note) == (1, "1: No threshold meets precision > 0.5: its highest value is 0.5.")
    with pytest.raises(ValueError, match="no rule for all classes"):
        _ = each.rule
    together = swept.best("f1", subject_to="recall >= 1 and fpr <= 0")
    assert together.note.startswith("No threshold meets recall >= 1 and fpr <= 0 together")
    assert "undefined at every" in ix.sweep([1, 1], [0.3, 0.4]).best("recall", subject_to="fpr <= 0.5").note


@given(TIED.filter(lambda pairs: len({y for y, _ in pairs}) == 2), st.fractions(0, 1, max_denominator=8))
def test_the_point_at_a_rate_lies_on_the_line_between_two_thresholds(pairs, rate):
    swept = ix.sweep([y for y, _ in pairs], [float(s) for _, s in pairs])
    x, y, _ = (np.asarray(a) for a in (swept.roc().x, swept.roc().y, 0))
    for name, turn in (("fpr", 1), ("specificity", -1)):
        point = swept.at_rate(**{name: float(rate)})
        assert point.value(name) == pytest.approx(float(rate))
        goal = float(rate) if turn > 0 else 1 - float(rate)
        before, after, there = x < goal - 1e-9, x > goal + 1e-9, abs(x - goal) < 1e-9
        if there.any():  # the best of the thresholds that have it
            assert point.value("recall") == y[there].max()
        else:
            assert y[before].max() - 1e-9 <= point.value("recall") <= y[after].min() + 1e-9
        assert point.below.rate <= float(rate) + 1e-12
        assert point.above.rate >= float(rate) - 1e-12
        mixed = [(1 - point.share) * a + point.share * b for a, b in zip(point.below.counts, point.above.counts, strict=True)]
        assert mixed == pytest.approx(list(point.counts))
    full = swept.at_rate(recall=1)
    assert (full.value("fnr"), full.value("fpr")) == (0, x[y == 1].min())


def test_what_is_not_a_rate_is_refused():
    swept = ix.sweep([0, 1, 1], [0.2, 0.7, 0.1])
    for name in ("precision", "accuracy", "f1", "mcc"):
        with pytest.raises(ValueError, match="is not a rate"):
            swept.at_rate(**{name: 0.5})
    with pytest.raises(TypeError, match="one rate"):
        swept.at_rate(fpr=0.1, recall=0.1)
    with pytest.raises(ValueError, match="reached by no threshold"):
        swept.at_rate(fpr=1.5)
    with pytest.raises(ValueError, match="undefined here"):
        ix.sweep([1, 1], [0.2, 0.7]).at_rate(fpr=0.5)
    assert ix.sweep([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.2]).at_rate(selection_rate=0.25).value("recall") == 0.5


def test_bins_of_all_bits_have_the_bests_of_the_sweep_and_coarse_ones_values_that_exist():
    rng = np.random.default_rng(3)
    y, w = rng.integers(0, 2, 80), rng.integers(1, 4, 80) / 4
    s = np.round(rng.random(80) + 0.3 * y, 2)
    for weights in ({}, {"sample_weight": w}):
        swept, fine = ix.sweep(y, s, **weights), ix.scores.binned(y, s, bits=63, **weights)
        for measure, held in (("recall", "precision >= 0.5"), ("f1", "fpr <= 0.4"), ("mcc", None)):
            one, two = swept.best(measure, subject_to=held), fine.best(measure, subject_to=held)
            assert (one.value, one.plateaus, one.allowed) == (pytest.approx(two.value), two.plateaus, two.allowed)
        assert swept.at_rate(fpr=0.3).counts == fine.at_rate(fpr=0.3).counts
        coarse = ix.scores.binned(y, s, bits=12, **weights).best("recall", subject_to="precision >= 0.5")
        assert coarse.value <= swept.best("recall", subject_to="precision >= 0.5").value
        for low, high in coarse.plateaus:  # also between the ends: nothing inside a bin is promised
            inner = np.nextafter(low, np.inf) if math.isfinite(low) else high
            assert float(ix.recall(swept.at(inner))) == float(ix.recall(swept.at(high))) == pytest.approx(coarse.value)
    several = ix.scores.binned([0, 1, 2], np.eye(3))
    assert several.best("f1", average="macro").value == several.best("f1", average="micro").value == 1
    with pytest.raises(ValueError, match="does not have a single threshold axis"):
        several.best("f1", average="exemplar")


def test_tune_takes_the_same_constraints():
    rng = np.random.default_rng(5)
    y, s = rng.integers(0, 2, (40, 3)), np.round(rng.random((40, 3)), 1)
    held = "precision >= 0.4 and selection_rate <= 0.6"
    for average in ("micro", "macro"):
        best, tuned = (
            ix.sweep(y, s).best("recall", average=average, subject_to=held),
            ix.tune(y, s, "recall", average, subject_to=held),
        )
        assert np.array_equal(tuned.rule, best.rule)
        assert (tuned.value, tuned.method) == (pytest.approx(best.value), "sweep")
    for how, said in (({"method": "closed form"}, "no constraint"), ({"average": "exemplar"}, "mean over examples")):
        with pytest.raises(ValueError, match=said):
            ix.tune(y, s, "accuracy", subject_to=held, **{"average": "micro", **how})
    with pytest.raises(ValueError, match="No threshold meets"):
        ix.tune(y[:, 0], s[:, 0], "recall", subject_to="fpr < 0")


@pytest.mark.slow
def test_fixed_points_and_areas_of_torchmetrics(capsys):
    pytest.importorskip("torchmetrics")
    assert not [line for seed in range(6) for line in operating_points.differences(seed)]
    assert operating_points.main(["1"]) == 0
    assert capsys.readouterr().out == "1 sets, 0 differences\n"


@given(TIED.filter(lambda pairs: len({y for y, _ in pairs}) == 2))
def test_the_point_of_equal_errors_has_the_equal_error_rate(pairs):
    y, s = [y for y, _ in pairs], [float(s) for _, s in pairs]
    for source in (ix.sweep(y, s), ix.scores.binned(y, s, bits=63)):
        point = source.at_point("equal_errors")
        assert point.value("fpr") == pytest.approx(point.value("fnr"), abs=1e-12)
        assert point.value("fpr") == pytest.approx(ix.measures.eer(y, s), abs=1e-12)
        assert point.above.threshold <= point.below.threshold


def test_no_point_of_equal_errors_without_negatives():
    with pytest.raises(ValueError, match="equal_errors is undefined here: there are 2 positives and 0 negatives"):
        ix.sweep([1, 1], [0.2, 0.7]).at_point("equal_errors")
    with pytest.raises(ValueError, match="There is no operating point 'eer'; there are 'equal_errors', 'break_even'"):
        ix.sweep([0, 1], [0.2, 0.7]).at_point("eer")


@given(TIED.filter(lambda pairs: len({y for y, _ in pairs}) == 2))
def test_precision_is_recall_at_the_break_even_point(pairs):
    point = ix.sweep([y for y, _ in pairs], [float(s) for _, s in pairs]).at_point("break_even")
    assert point.counts.fp == pytest.approx(point.counts.fn, abs=1e-12)
    if point.counts.tp:
        assert point.value("precision") == pytest.approx(point.value("recall"), abs=1e-12)
