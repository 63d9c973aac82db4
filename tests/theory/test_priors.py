"""Laws of other priors: what moves with them and what does not (sec:skew_settings, errata C7, C8)."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix
from indicatrix.algebra.average import averages_over, find_average
from indicatrix.algebra.numbers.exact import exactly, is_defined, order
from indicatrix.tally.states.group_counts import Summed
from indicatrix.theory.result.prior_free import skew_conditions, uniform_error_deviation
from indicatrix.theory.result.priors import prior_sensitivity, with_priors

F = Fraction
OVR = [[F(4, 5), F(3, 20), F(1, 20)], [F(3, 10), F(3, 5), F(1, 10)], [F(1, 20), F(1, 4), F(7, 10)]]  # ex:ovr_skew
COLUMNS = [[F(4, 5), F(3, 20), F(1, 20)], [F(1, 10), F(17, 20), F(1, 20)], [F(1, 10), F(3, 20), F(3, 4)]]  # ovr.colunif
DIAGONAL = [[F(7, 10), F(3, 10), F(0)], [F(1, 5), F(7, 10), F(1, 10)], [F(1, 20), F(1, 4), F(7, 10)]]  # cor5.converse
SKEWED = (F(4, 5), F(1, 10), F(1, 10))
MEASURES = [ix.recall, ix.specificity, ix.balanced_accuracy, ix.g_mean, ix.f1, ix.mcc, ix.accuracy, ix.false_negative_rate]
AVERAGES = averages_over("class", "example")
OVER_CLASSES = averages_over("class")


def of_rates(rates):
    return ix.from_confusion([[int(20 * x) for x in row] for row in rates])


def matrices(low=0, m=(2, 4)):
    def rows(m):
        return st.lists(st.lists(st.integers(low, 9), min_size=m, max_size=m), min_size=m, max_size=m)

    return st.integers(*m).flatmap(rows).filter(lambda w: all(map(sum, w)))


def priors_of(m):
    return st.lists(st.integers(1, 20), min_size=m, max_size=m).map(lambda x: [F(v, sum(x)) for v in x])


WITH_PRIORS = matrices().flatmap(lambda w: st.tuples(st.just(w), priors_of(len(w)), priors_of(len(w))))
LABELS = st.lists(st.tuples(*[st.integers(1, 9)] * 4), min_size=1, max_size=4)
PREVALENCES = st.lists(st.integers(1, 99).map(lambda x: F(x, 100)), min_size=4, max_size=4)


@given(WITH_PRIORS)
def test_rows_keep_their_rates_and_get_their_share(drawn):
    w, p, q = drawn
    tally = ix.from_confusion(w).tally
    moved = with_priors(tally, p, "multiclass")
    table, total = moved.pooled.table.tolist(), sum(map(sum, w))
    for k, row in enumerate(w):
        assert sum(map(F, table[k])) == p[k] * total
        assert [F(x) for x in table[k][:-1]] == [F(x, sum(row)) * p[k] * total for x in row]
    own = [F(sum(row), total) for row in w]
    assert with_priors(tally, own, "multiclass") == tally
    assert with_priors(moved, q, "multiclass") == with_priors(tally, q, "multiclass")
    assert with_priors(tally, dict(enumerate(p)), "multiclass") == moved
    assert moved.n == tally.n


@given(LABELS, PREVALENCES)
def test_labels_keep_recall_specificity_and_their_number(cells, p):
    p, tally = p[: len(cells)], ix.from_counts(*np.array(cells).T).tally
    moved = with_priors(tally, p, "counts").pooled
    assert isinstance(moved, Summed)
    for (tp, fp, fn, tn), new, prevalence in zip(cells, zip(*moved.cells().tolist(), strict=True), p, strict=True):
        a, b, c, d = map(F, new)
        assert (a / (a + c), d / (b + d), a + b + c + d) == (F(tp, tp + fn), F(tn, fp + tn), tp + fp + fn + tn)
        assert a + c == prevalence * (tp + fp + fn + tn)
    own = [F(v[0] + v[2], sum(v)) for v in cells]
    assert with_priors(tally, own, "multilabel") == tally


def test_abstentions_weights_groups_and_masks_are_kept_or_pooled():
    y = ix.types.Indicator.from_codes([0, 0, 0, 1, 1], ("a", "b"))
    z = ix.types.Indicator.from_codes([0, -1, 1, 1, -1], ("a", "b"))
    ev = ix.evaluate(y, z, by={"fold": [1, 2, 1, 2, 2]}, sample_weight=[1.0, 2.0, 1.0, 0.5, 0.5])
    moved = with_priors(ev.tally, {"b": 0.8, "a": 0.2}, "multiclass")
    assert moved.by == ()
    assert moved.pooled.table.astype(float).tolist() == pytest.approx(np.array([[0.25, 0.25, 0.5], [0, 2, 2], [0, 0, 0]]))
    hidden = ix.evaluate(["a", "b", "a"], ["a", "a", "b"], mask=np.array([[1], [1], [0]], bool), classes=["a", "b"])
    assert with_priors(hidden.tally, "uniform", "multiclass").pooled.masked == 1


def test_the_paper_examples():
    ev, both = of_rates(OVR), ["uniform", SKEWED]
    for name, expected in (
        ("recall", (0.7, 0.7)),
        ("balanced_accuracy", (31 / 40, 113 / 144)),
        ("g_mean", (0.7699660035, 0.7783170411)),
    ):
        assert [float(x) for x in prior_sensitivity(ev, name, both).values] == pytest.approx(expected, abs=1e-10)  # ovr.*
    for name, value in (("balanced_accuracy", 17 / 20), ("g_mean", 0.8475417627435212)):
        moved = prior_sensitivity(of_rates(COLUMNS), name, [*both, (0.1, 0.1, 0.8)])
        assert moved.spread == 0  # ovr.colunif
        assert float(moved.values[0]) == pytest.approx(value)
    micro = prior_sensitivity(of_rates(DIAGONAL), "specificity", [*both, (F(1, 10), F(3, 5), F(3, 10))], average="micro")
    assert set(map(float, micro.values)) == {17 / 20}  # cor5.converse
    assert of_rates(DIAGONAL).values("specificity").tolist() == pytest.approx([7 / 8, 29 / 40, 19 / 20])


@given(WITH_PRIORS)
def test_macro_recall_does_not_move_and_balanced_accuracy_moves_by_half(drawn):
    w, p, q = drawn
    ev, priors = ix.from_confusion(w), ["uniform", p, q]
    assert prior_sensitivity(ev, "recall", priors).spread == 0
    half = prior_sensitivity(ev, "specificity", priors).spread / 2
    assert prior_sensitivity(ev, "balanced_accuracy", priors).spread == pytest.approx(half, abs=1e-12)
    assert prior_sensitivity(ev, "specificity", priors).spread == pytest.approx(
        np.ptp([float(ix.specificity.score(with_priors(ev.tally, x, "multiclass"), "macro")) for x in priors]), abs=1e-12
    )


def test_drift_of_one_positive_class_and_of_a_tally():
    ev = ix.from_confusion([[8, 2], [3, 7]], classes=[0, 1])
    assert prior_sensitivity(ev, "balanced_accuracy", ["uniform", (0.9, 0.1)], average=None).spread == 0
    moved = prior_sensitivity(ev.tally, "precision", ["uniform", {0: 0.9, 1: 0.1}])
    assert moved.spread > 0
    assert moved.priors == ({0: 0.5, 1: 0.5}, {0: pytest.approx(0.9), 1: pytest.approx(0.1)})
    assert str(moved).startswith("macro precision moves by 0.")
    assert math.isnan(
        prior_sensitivity(ix.from_confusion([[1, 0], [1, 0]]), "precision", ["uniform", (1, 0)], undefined="nan").spread
    )


@given(WITH_PRIORS, st.sampled_from(MEASURES), st.sampled_from(AVERAGES), st.sampled_from([1, 0.1]))
def test_a_result_drifts_from_where_it_is(drawn, measure, average, weight):
    w, p, q = drawn
    y, z = np.array([(j, k) for j, row in enumerate(w) for k, x in enumerate(row) for _ in range(x)]).T
    ev = ix.evaluate(y, z, sample_weight=[weight] * len(y), classes=range(len(w)))
    moved, rest = ev.prior_sensitivity(measure, p, q, average=average), prior_sensitivity(ev, measure, [p, q], average=average)
    assert float(moved.values[0]) == pytest.approx(float(ev.score(measure, average)), nan_ok=True)
    assert list(moved.priors[0].values()) == pytest.approx((np.sum(w, axis=1) / np.sum(w)).tolist())
    assert [str(v) for v in moved.values[1:]] == [str(v) for v in rest.values]
    assert moved.priors[1:] == rest.priors
    assert (moved.here, rest.here) == (True, False)
    values = [float(v) for v in moved.values]
    assert moved.spread == max(values) - min(values) or math.isnan(sum(values))
    if (measure, average) == (ix.recall, "macro"):
        assert moved.spread == 0


def test_a_drift_says_from_where_to_where():
    ev = ix.from_confusion([[90, 10], [2, 8]])
    assert str(ev.prior_sensitivity("precision", "uniform")) == "macro precision moves by 0.142183, from 0.711353 now to 0.853535"
    several = ev.prior_sensitivity("precision", "uniform", (0.99, 0.01))
    assert str(several).endswith(f"from 0.711353 now to between {float(several.values[2]):.6g} and 0.853535")
    assert ev.prior_sensitivity("precision", "uniform").priors[0] == {0: 10 / 11, 1: 1 / 11}
    labels = ix.from_counts([8, 3], [1, 5], [2, 4], [9, 8], classes=["x", "y"])
    assert labels.prior_sensitivity("precision", (0.5, 0.5)).priors == ({"x": 0.5, "y": 0.35}, {"x": 0.5, "y": 0.5})
    lost = ix.from_confusion([[1, 0], [1, 0]], positive=1).prior_sensitivity("precision", "uniform", average=None)
    assert str(lost) == "binary precision is undefined at some of these priors: nan now, nan"
    for source, priors, message in (
        (ev, (), "^Name at least one prior, such as 'uniform'"),
        (ix.from_confusion([[0, 0], [0, 0]]), ("uniform",), "no examples"),
        (ix.from_counts(0, 1, 0, 3), ([0.5],), "has no positives or no negatives"),
    ):
        with pytest.raises(ValueError, match=message):
            source.prior_sensitivity("f1", *priors)


@given(matrices())
def test_uniform_errors_are_a_deviation_of_zero(w):
    rates = np.array(w) / np.sum(w, axis=1, keepdims=True)
    m = len(w)
    expected = np.mean([np.delete(rates[:, j], j).std() for j in range(m)])
    assert uniform_error_deviation(w) == pytest.approx(expected, abs=1e-12)
    assert uniform_error_deviation(ix.from_confusion(w)) == uniform_error_deviation(w)
    assert (uniform_error_deviation(w) == 0) == skew_conditions(ix.from_confusion(w)).errors_uniform


@st.composite
def structured(draw):
    """Return an evaluation that often fulfills a condition: uniform errors, equal recalls, equal sizes, two classes, none."""
    m, how = draw(st.integers(2, 4)), draw(st.sampled_from(["columns", "diagonal", "any", "abstaining"]))
    if how == "columns":
        c = draw(st.lists(st.integers(0, 3), min_size=m, max_size=m))
        w = np.array([[c[j] if j != k else 12 - sum(c) + c[k] for j in range(m)] for k in range(m)])
    elif how == "diagonal":
        w = np.array(draw(matrices(1, (m, m))))
        np.fill_diagonal(w, 3 * (w.sum(axis=1) - w.diagonal()))  # every recall is 3/4
    else:
        w = np.array(draw(matrices(0, (m, m))))
    w = np.array(draw(st.lists(st.integers(1, 3), min_size=m, max_size=m)))[:, None] * w
    if how != "abstaining":
        return ix.from_confusion(w)
    codes = [(k, j) for k in range(m) for j in range(m) for _ in range(w[k, j])]
    y, z = np.array(codes).T
    gone = draw(st.lists(st.booleans(), min_size=len(z), max_size=len(z)))
    classes = tuple(range(m))
    return ix.evaluate(ix.types.Indicator.from_codes(y, classes), ix.types.Indicator.from_codes(np.where(gone, -1, z), classes))


def exact_score(tally, measure, average):
    """Return a score in exact numbers, straight from the definitions."""
    value, cells, row = exactly(measure), tally.pooled.cells().T.tolist(), find_average(average)
    if row.pools:
        return value(*(sum(map(F, x)) for x in zip(*cells, strict=True)))
    units, times = (part.T.tolist() for part in tally.pooled.rows()) if row.per == ("example",) else (cells, [1] * len(cells))
    weights = [1 if row.weight is None else row.amounts(measure, ix.Counts(*map(F, v))) for v in units]
    pairs = [(value(*v), F(w) * F(t)) for v, w, t in zip(units, weights, times, strict=True)]
    pairs = [(x, w) for x, w in pairs if is_defined(x) and w]
    return sum(x * w for x, w in pairs) / sum(w for _, w in pairs) if pairs else math.nan


def same(x, y):
    return is_defined(x) == is_defined(y) and (not is_defined(x) or abs(float(x) - float(y)) <= 1e-13)


@given(structured(), st.sampled_from(MEASURES), st.sampled_from(AVERAGES), st.data())
def test_decisions_agree_with_exact_scores_at_other_priors(ev, measure, average, data):
    found = skew_conditions(ev).prior_free(measure, average)
    drawn = [data.draw(priors_of(len(ev.classes))) for _ in range(2)]
    scores = [exact_score(with_priors(ev.tally, p, "multiclass"), measure, average) for p in drawn]
    if found.holds:
        assert same(*scores)
    elif found.holds is False and find_average(average).per != ("example",):
        p, q, x, y = found.witness
        assert order(x, y)
        for priors, value in ((p, x), (q, y)):
            assert float(exact_score(with_priors(ev.tally, priors, "multiclass"), measure, average)) == pytest.approx(
                float(value)
            )
    elif found.holds is False:  # all weight on one type or on the other
        a, b, x, y = found.witness
        for name, value in ((a, x), (b, y)):
            one = {c: int(c == name) for c in ev.classes}
            assert float(exact_score(with_priors(ev.tally, one, "multiclass"), measure, average)) == pytest.approx(float(value))
    else:
        assert not is_defined(*scores)


@given(LABELS, st.booleans(), st.sampled_from(MEASURES), st.sampled_from(OVER_CLASSES), PREVALENCES, PREVALENCES)
def test_decisions_about_labels(cells, equal, measure, average, p, q):
    cells = [tuple(k * x for x in cells[0]) for k in range(1, len(cells) + 1)] if equal else cells
    ev = ix.from_counts(*np.array(cells).T)
    found = skew_conditions(ev).prior_free(measure, average)
    scores = [exact_score(with_priors(ev.tally, x[: len(cells)], "counts"), measure, average) for x in (p, q)]
    if found:
        assert same(*scores)
    else:
        assert found.holds is False
        assert order(*found.witness[-2:])
    if average == "macro" and measure in MEASURES[:4]:
        assert found.proof  # the only operator that inherits skew-invariance, under the premise of errata C8
        assert "provided that" in found.note


@pytest.mark.slow
def test_the_table_of_settings():
    conditions = skew_conditions(of_rates(OVR))
    for measure in MEASURES[:4]:
        assert bool(conditions.prior_free(measure, "macro")) == (measure is ix.recall)  # ss.mc.macro.*
        assert not conditions.prior_free(measure, "micro")  # ss.mc.micro.*
        assert not conditions.prior_free(measure, "exemplar")  # ss.mc.exemplar
        assert skew_conditions(of_rates(COLUMNS)).prior_free(measure, "macro").proof
        assert skew_conditions(of_rates(DIAGONAL)).prior_free(measure, "micro").proof  # errata C7
        for kind in ("micro", "macro"):  # ss.bin: one label is nothing to aggregate
            assert skew_conditions(ix.from_counts(8, 3, 2, 20)).prior_free(measure, kind)
        many = skew_conditions(ix.from_counts([8, 3], [1, 5], [2, 4], [9, 7]))
        assert many.prior_free(measure, "macro")  # ss.ml.macro.*
        assert not many.prior_free(measure, "micro")  # ss.ml.micro.*
    assert str(conditions).splitlines() == [
        "recalls equal: no, 1 and 2 differ from the rest",
        "specificities equal: no, 1 and 2 differ from the rest",
        "errors uniform: no, other classes are predicted as 0, 1 and 2 at different rates",
        "balanced: yes",
    ]
    assert str(skew_conditions(ix.from_confusion(np.diag(range(1, 9))))).splitlines()[-1] == (
        "balanced: no, 1, 2, 3, 4, 5 and 2 more differ from the rest"
    )
    assert str(skew_conditions(ix.from_confusion([[9, 1], [5, 5]]))).startswith("recalls equal: no, 1 differs from the rest")
    assert conditions.breaking["errors_uniform"] == (0, 1, 2)
    assert conditions.balanced


def test_a_class_that_does_not_occur_has_no_rates():
    conditions = skew_conditions(ix.from_confusion([[6, 2, 2], [1, 7, 2], [0, 0, 0]]))
    assert conditions.breaking["errors_uniform"] == ()  # only one class is another, or both make the same errors
    assert conditions.prior_free("specificity", "macro").proof
    assert not skew_conditions(ix.from_confusion([[6, 2, 2], [1, 8, 1], [0, 0, 0]])).prior_free("specificity", "macro")
    with pytest.raises(ValueError, match="No example has true class 2"):
        with_priors(conditions.tally, "uniform", "multiclass")
    assert with_priors(conditions.tally, (0.5, 0.5, 0), "multiclass").n == 20


def test_exemplar_averages_are_mixtures_of_types():
    # exskew.realize: one of two labels found (F1 2/3), and with a false alarm in addition (F1 1/2); both have two true labels.
    y = np.array([[1, 1, 0], [0, 1, 1]])
    z = np.array([[1, 0, 0], [1, 1, 0]])
    for first in range(5):
        rows = [0] * first + [1] * (4 - first)
        score = ix.evaluate(y[rows], z[rows]).score("f1", "exemplar")
        assert score == pytest.approx(first / 4 * 2 / 3 + (4 - first) / 4 / 2)  # exskew.ends
    mixed = skew_conditions(ix.evaluate(y, z))
    assert mixed.prior_free("f1", "exemplar").holds is None  # the tally does not keep which labels there were
    assert mixed.prior_free("accuracy", "exemplar").holds is None
    assert skew_conditions(ix.evaluate(y, y)).prior_free("f1", "exemplar").proof
    told = skew_conditions(ix.evaluate(np.array([[1, 0, 0], [0, 1, 1]]), z)).prior_free("f1", "exemplar")
    assert told.witness == (F(1), F(2), 1, F(1, 2)) or told.witness == (F(2), F(1), F(1, 2), 1)
    assert skew_conditions(ix.from_counts(1, 1, 1, 1)).prior_free("f1", "exemplar").holds is None


def test_behavior_fixed_per_configuration_is_another_premise():  # ss.ml.config, errata C8
    found = {"10": (F(9, 10), F(1, 10)), "11": (F(1, 2), F(4, 5)), "01": (F(1, 5), F(7, 10)), "00": (F(1, 10), F(1, 10))}
    values = []
    for rho in ({"10": 4, "11": 1, "01": 4, "00": 1}, {"10": 1, "11": 4, "01": 1, "00": 4}):
        cells = np.full((2, 4), F(0))
        for which, share in rho.items():
            for j in range(2):
                positive, rate = which[j] == "1", found[which][j]
                cells[j] += np.array([rate, 0, 1 - rate, 0] if positive else [0, rate, 0, 1 - rate], object) * share
        values.append(exact_score(ix.from_counts(*cells.T).tally, ix.recall, "macro"))
        assert skew_conditions(ix.from_counts(*cells.T)).prior_free("recall", "macro").note.startswith("provided that")
    assert values == [F(77, 100), F(17, 25)]


def test_errors_say_what_is_wrong():
    ev = ix.from_confusion([[8, 2], [3, 7]], classes=["ant", "cat"])
    for priors, kind, message in (
        ((0.5, 0.6), "multiclass", "add up to 1.1, not to 1"),
        ((-0.5, 1.5), "multiclass", "'ant' is negative"),
        ((1,), "multiclass", "1 entries, but there are 2 classes"),
        ({"ant": 1, "dog": 0}, "multiclass", "'dog', but the classes are"),
        ({"ant": 1}, "multiclass", "does not contain 'cat'"),
        (pd.Series([0.5, 0.5]), "multiclass", "but the classes are"),
        ((float("nan"), 1), "multiclass", "not a finite number"),
        ((0.5, "0.5"), "multiclass", "not a finite number"),
        ("uniform", "multilabel", "exclude one another"),
        ((0, 0.5), "multilabel", "'ant' must lie between 0 and 1"),
        ("uniform", "ordinal", "kind='ordinal' is unknown"),
    ):
        with pytest.raises(ValueError, match=message):
            with_priors(ev.tally, priors, kind)
    with pytest.raises(TypeError, match="must be a mapping"):
        with_priors(ev.tally, 0.5, "multiclass")
    assert with_priors(ev.tally, pd.Series({"cat": 0.25, "ant": 0.75}), "multiclass").confusion.tolist() == [[12, 3], [1.5, 3.5]]
    assert with_priors(ev.tally, np.array([0.1, 0.2]) / 0.3, "multiclass").pooled.table.sum() == 20  # not quite one, made one


def test_what_cannot_be_moved_is_refused():
    y = ix.types.Indicator.from_codes([0, -1, 1], (0, 1))
    with pytest.raises(ValueError, match="no true class"):
        with_priors(ix.evaluate(y, y).tally, "uniform", "multiclass")
    masked = ix.evaluate([0, 1, 1], [0, 1, 0], mask=np.array([[1, 0], [1, 1], [0, 1]], bool))
    with pytest.raises(ValueError, match="pairs of classes were not counted"):
        with_priors(masked.tally, "uniform", masked.kind)
    with pytest.raises(ValueError, match="has no positives or no negatives"):
        with_priors(ix.from_counts(0, 1, 0, 3).tally, [0.5], "counts")
    with pytest.raises(ValueError, match="no classes"):
        with_priors(ix.evaluate([], []).tally, "uniform", "multiclass")
    with pytest.raises(ValueError, match="Pass the evaluation"):
        skew_conditions(ix.from_counts(1, 1, 1, 1).tally)
    with pytest.raises(TypeError, match="not in list"):
        skew_conditions([1, 2])
    with pytest.raises(TypeError, match="list of priors"):
        prior_sensitivity(masked, "f1", "uniform")
    with pytest.raises(ValueError, match="at least one prior"):
        prior_sensitivity(ix.from_confusion([[1, 0], [0, 1]]), "f1", [])
    with pytest.raises(ValueError, match="error rates are unknown"):
        uniform_error_deviation([[1, 2], [0, 0]])
    with pytest.raises(ValueError, match="condition on a confusion matrix"):
        uniform_error_deviation(ix.from_counts(1, 1, 1, 1))
    with pytest.raises(ValueError, match="decided for micro"):
        skew_conditions(ix.from_confusion([[1, 0], [0, 1]])).prior_free("f1", "fold")


def test_nothing_at_all():
    assert uniform_error_deviation([[3]]) == 0
    empty = skew_conditions(ix.evaluate([], []))
    assert empty.recalls_equal
    assert empty.errors_uniform
    assert empty.prior_free("precision", "macro").holds is None
    assert empty.prior_free("f1", "exemplar").holds is None


def test_soft_labels_and_the_tally_of_a_moved_problem():
    ev = ix.evaluate(np.array([[0.5, 1.0], [0.25, 0.0]]), np.array([[1.0, 0.5], [0.5, 0.25]]), tnorm="product")
    moved = with_priors(ev.tally, [0.5, 0.25], ev.kind)
    assert moved.aggregate("class").n.tolist() == pytest.approx(ev.aggregate("class").n.tolist())
    assert ix.recall.score(moved, "macro") == pytest.approx(ev.score("recall", "macro"))
    with pytest.raises(ValueError, match="nothing is known about single examples"):
        moved.aggregate("example")


def test_equal_recalls_are_not_enough_where_abstentions_differ():
    y, z = ([0, 0, 1, 1, 2, 2], [0, 1, 1, -1, 2, 0])
    conditions = skew_conditions(ix.evaluate(*(ix.types.Indicator.from_codes(x, (0, 1, 2)) for x in (y, z))))
    assert conditions.recalls_equal
    assert not conditions.prior_free("precision", "micro")
    assert conditions.prior_free("recall", "micro").trials
