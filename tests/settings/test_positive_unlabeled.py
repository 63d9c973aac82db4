"""Positive-unlabeled learning (sec:pu_learning, errata C18): recall as it is, the rest corrected or bounded."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each

import indicatrix as ix
from indicatrix.tasks.positive_unlabeled import PositiveUnlabeled, positive_unlabeled, reads_confirmed_only

F = Fraction
CATALOGUE = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages]
SHARES = st.fractions(F(1, 20), 1, max_denominator=20)


def expected(true, c):
    """Return the observed counts that are expected of true ones, if each positive is labeled with probability c."""
    tp, fp, fn, tn = map(F, true)
    return c * tp, fp + (1 - c) * tp, c * fn, tn + (1 - c) * fn


def observed(columns, **facts):
    """Return positive-unlabeled data with these observed counts per class."""
    return PositiveUnlabeled(ix.from_counts(*(list(x) for x in zip(*columns, strict=True)), **facts))


def cells(ev):
    return [tuple(map(F, column)) for column in ev.tally.pooled.cells().T.tolist()]


counts = st.tuples(*[st.integers(0, 30)] * 4)
problems = st.lists(counts, min_size=1, max_size=4)


def test_positive_unlabeled_learning():
    # Of 6 positives 3 are labeled (c = 1/2): tp 4, fn 2, fp 2, tn 2 are seen as tp 2, fn 1, fp 4, tn 3.
    labeled = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    y_pred = [1, 1, 0, 1, 1, 0, 1, 1, 0, 0]
    pu = positive_unlabeled(labeled, y_pred)
    assert cells(pu.observed) == [(2, 4, 1, 3)]
    assert pu.score("recall") == float(F(2, 3))
    assert pu.observed.score("precision") == float(F(1, 3))
    for fixed in (pu.at(propensity=F(1, 2)), pu.at(prior=F(3, 5)), pu.at(propensity=0.5), pu.at(prior=0.6)):
        assert cells(fixed) == [(4, 2, 2, 2)]
        assert fixed.score("precision") == float(F(2, 3))
        assert fixed.score("accuracy") == float(F(3, 5))
        assert fixed.score("f1", "macro") == float(F(2, 3))
        assert "0.667" in str(fixed)
    bounds = pu.bounds("precision", propensity=(F(1, 2), 1))
    assert (bounds.low, bounds.high, bounds.at_low, bounds.at_high) == (float(F(1, 3)), float(F(2, 3)), 1, 0.5)


@given(problems, SHARES)
def test_true_counts_come_back(true, c):
    pu = observed([expected(v, c) for v in true])
    fixed = pu.at(propensity=c)
    assert cells(fixed) == [tuple(map(F, v)) for v in true]
    per_class = {j: F(v[0] + v[2], sum(v)) for j, v in enumerate(true) if v[0] + v[2]}
    if len(per_class) == len(true):
        assert cells(pu.at(prior=per_class)) == cells(fixed)
        assert cells(pu.at(prior=[*per_class.values()])) == cells(fixed)


@given(problems, st.lists(SHARES, min_size=4, max_size=4))
def test_each_class_may_have_its_own_propensity(true, c):
    c = c[: len(true)]
    pu = observed([expected(v, x) for v, x in zip(true, c, strict=True)])
    for given_as in (c, dict(enumerate(c)), np.array(c, object)):
        assert cells(pu.at(propensity=given_as)) == [tuple(map(F, v)) for v in true]


@given(counts, SHARES)
def test_what_is_observed(true, c):
    seen = ix.Counts(*expected(true, c))
    tp, fp, fn, tn = map(F, true)
    assert (seen.fp, seen.tn) == (fp + (1 - c) * tp, tn + (1 - c) * fn)
    if tp + fp:
        assert ix.precision(seen) == c * F(tp, tp + fp)
    if tp + fn:
        assert ix.recall(seen) == F(tp, tp + fn)
        pu = observed([expected(true, c)])
        assert pu.at(propensity=c).score("recall") == float(F(tp, tp + fn))
        assert pu.score("recall") == pytest.approx(float(F(tp, tp + fn)), rel=1e-15)  # of fractional counts, rounded


@given(problems, SHARES, st.sampled_from(["micro", "macro", "weighted"]))
def test_what_needs_no_propensity_does_not_depend_on_it(true, c, average):
    pu = observed([expected(v, c) for v in true])
    for measure in filter(reads_confirmed_only, CATALOGUE):
        value = pu.score(measure, average)
        assert value == pytest.approx(pu.at(propensity=c).score(measure, average), nan_ok=True, rel=1e-14)


def test_only_recall_and_its_kin_need_no_propensity():
    assert [m.name for m in CATALOGUE if reads_confirmed_only(m)] == ["recall", "false_negative_rate"]
    assert reads_confirmed_only(ix.measure("(tp - fn) / (tp + fn)"))
    assert not reads_confirmed_only(ix.measure("tp / 2 + fn"))  # it reads nothing else, but shrinks with the propensity


@for_each("measure", [m for m in CATALOGUE if not reads_confirmed_only(m)])
def test_every_other_measure_is_refused(measure):
    with pytest.raises(ValueError, match=r"depends on false positives or true negatives.*\.at\(propensity=c\)"):
        observed([(2, 4, 1, 3)]).score(measure)


@given(st.lists(counts, min_size=1, max_size=3), SHARES, st.data())
def test_bounds_contain_every_value(true, c, data):
    measure = data.draw(st.sampled_from(CATALOGUE))
    average = data.draw(st.sampled_from(["micro", "macro", "weighted"]))
    pu = observed([expected(v, c) for v in true])
    ends = sorted((c, data.draw(SHARES)))
    bounds = pu.bounds(measure, average, propensity=tuple(ends))
    low = max([ends[0], *(F(a, a + b) for tp, fp, fn, tn in cells(pu.observed) for a, b in ((tp, fp), (fn, tn)) if a)])
    high = ends[1]
    assert bounds.interval == (float(low), float(high))
    for share in (0, 1, *data.draw(st.lists(st.fractions(0, 1), max_size=5))):
        value = pu.at(propensity=low + share * (high - low)).score(measure, average)
        if not math.isnan(value):
            slack = 1e-9 * max(1, abs(value))
            assert bounds.low - slack <= value <= bounds.high + slack
    for value, at in ((bounds.low, bounds.at_low), (bounds.high, bounds.at_high)):
        if math.isfinite(value):
            assert pu.at(propensity=at).score(measure, average) == pytest.approx(value, rel=1e-6, abs=1e-6, nan_ok=True)


@given(counts, SHARES, SHARES, st.sampled_from([m for m in CATALOGUE if m.decomposition is not None]))
def test_bounds_of_a_ratio_of_linear_forms_are_its_ends(true, c, other, measure):
    pu = observed([expected(true, c)])
    bounds = pu.bounds(measure, propensity=(min(c, other), max(c, other)))
    least = max(F(c), min(c, other)) if c > other else c
    ends = {float(pu.at(propensity=x).score(measure)) for x in (max(c, other), least)}
    if all(map(math.isfinite, ends)) and bounds.interval[0] >= float(c):
        assert {bounds.low, bounds.high} <= ends


@pytest.mark.slow
@given(counts.filter(lambda v: v[0] + v[2]), SHARES, SHARES)
def test_bounds_over_priors_are_bounds_over_propensities(true, c, other):
    pu, (tp, fp, fn, tn) = observed([expected(true, c)]), true
    share = F(tp + fn, tp + fp + fn + tn) * c
    low, high = min(c, other), max(c, other)
    by_prior = pu.bounds("f1", prior=(share / high, min(share / low, 1)))
    by_propensity = pu.bounds("f1", propensity=(low, high))
    assert (by_prior.low, by_prior.high) == pytest.approx((by_propensity.low, by_propensity.high), rel=1e-12)


@pytest.mark.slow
def test_an_extremum_inside_is_found():
    pu = observed([(32, 55, 33, 26), (38, 55, 3, 31)])  # one class gains while the other loses
    bounds = pu.bounds("mcc", "macro", propensity=(0.6, 1))
    grid = {k: pu.at(propensity=F(k, 1000)).score("mcc", "macro") for k in range(600, 1001)}
    assert bounds.low <= min(grid.values()) + 1e-15
    assert bounds.high >= max(grid.values()) - 1e-15
    peak = max(grid, key=grid.get) / 1000
    assert 0.6 < peak < 1
    assert bounds.at_high == pytest.approx(peak, abs=1e-3)
    size = observed([(4, 6, 2, 8)]).bounds("marginal_bray_curtis", propensity=(0.4, 1))
    assert size.low == pytest.approx(0, abs=1e-12)  # positives are as many as predicted ones at c = 3/5
    assert size.at_low == pytest.approx(0.6)


def test_infinite_values_are_bounds():
    bounds = observed([(2, 2, 1, 9)]).bounds("dor", propensity=(0, 1))
    assert (bounds.high, bounds.at_high, bounds.interval) == (math.inf, 0.5, (0.5, 1))
    pole = ix.measure("1 / (tp + fn - 8)")  # infinite on both sides of c = 3/8
    inside = observed([(2, 9, 1, 9)]).bounds(pole, propensity=(0.3, 1))
    assert (inside.low, inside.high) == (-math.inf, math.inf)
    assert inside.at_low == pytest.approx(0.375)
    never = observed([(0, 0, 0, 5)]).bounds("precision", propensity=(0.2, 1))
    assert math.isnan(never.low)
    assert math.isnan(never.at_high)
    with pytest.raises(ix.types.UndefinedError):
        observed([(0, 0, 0, 5)]).bounds("precision", propensity=(0.2, 1), undefined="raise")
    assert observed([(0, 0, 0, 5)]).bounds("precision", propensity=(0.2, 1), undefined=0).high == 0


def test_an_interval_is_cut_to_what_is_possible():
    pu = observed([(2, 4, 1, 3)])
    bounds = pu.bounds("precision", propensity=(0, 1))
    assert (bounds.interval, bounds.given, bounds.high) == ((float(F(1, 3)), 1), (0, 1), 1)
    assert str(bounds).endswith("in [0.333333, 1], cut from [0, 1], where counts are negative")
    assert "cut" not in str(pu.bounds("precision", "micro", propensity=(0.5, 1)))
    prior = pu.bounds("precision", prior=(0, 1))
    assert prior.interval == pytest.approx((0.3, 0.9))
    assert str(pu.bounds("recall", "macro", propensity=(0.5, 1))).startswith("macro recall between 0.666667 and 0.666667 for")


# What labels may be.


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30))
def test_forms_of_labels_say_the_same(rows):
    labeled, y_pred = (np.array([r[i] for r in rows], bool) for i in (0, 1))
    whole = positive_unlabeled(labeled[:, None], y_pred[:, None], classes=[1])
    for pu in (
        positive_unlabeled(labeled, y_pred),
        positive_unlabeled(labeled.astype(int).tolist(), y_pred.astype(int).tolist()),
        positive_unlabeled(labeled, y_pred * 0.5 + 0.2, decide=0.5),
    ):
        assert cells(pu.observed) == cells(whole.observed)
        assert pu.observed.aggregate("example") == whole.observed.aggregate("example")
        assert (pu.observed.n, len(pu.observed.classes), pu.observed.kind) == (len(rows), 1, "multilabel")
        assert pu.observed.tally.parts == whole.observed.tally.parts
    if rows and (labeled.any() or y_pred.any()):
        words = positive_unlabeled(np.where(labeled, "yes", "?"), np.where(y_pred, "yes", "no"), positive="yes")
        assert cells(words.observed) == cells(whole.observed)
        assert words.observed.classes == ("yes",)


def test_columns_are_problems_of_their_own():
    labeled = np.array([[1, 0], [1, 1], [0, 0], [0, 0], [0, 0]])
    y_pred = np.array([[1, 1], [0, 1], [1, 0], [0, 1], [0, 0]])
    pu = positive_unlabeled(labeled, y_pred, classes=["a", "b"])
    assert cells(pu.observed) == [(1, 1, 1, 2), (1, 2, 0, 2)]
    assert pu.score("recall", "macro") == 0.75
    fixed = pu.at(propensity={"b": F(1, 3), "a": F(1, 2)})
    assert cells(fixed) == [(2, 0, 2, 1), (3, 0, 0, 2)]
    assert fixed.values("precision").tolist() == [1, 1]
    assert fixed.recipe.in_words()["propensity"] == "0.5, 1/3"


def test_groups_weights_and_masks():
    labeled, y_pred = [1, 1, 0, 0, 1, 0, 0, 0], [1, 0, 1, 0, 1, 1, 0, 0]
    pu = positive_unlabeled(labeled, y_pred, by={"fold": list("aaaabbbb")})
    fixed = pu.at(propensity=F(1, 2))
    assert fixed.aggregate("fold").tp.tolist() == [2, 2]
    assert fixed.aggregate("fold").fp.tolist() == [0, 0]
    assert cells(fixed) == [(4, 0, 2, 2)]
    assert pu.score("recall", "fold") == 0.75
    parts = [positive_unlabeled(labeled[s], y_pred[s]).observed for s in (slice(4), slice(4, 8))]
    assert PositiveUnlabeled(parts[0] + parts[1]).at(propensity=F(1, 2)).tally.parts == {
        (): positive_unlabeled(labeled, y_pred).at(propensity=F(1, 2)).tally.pooled
    }
    with pytest.raises(ValueError, match=r"negative in group \('a',\) \(without by= all are corrected together\)"):
        pu.at(propensity=F(2, 5))
    weighted = positive_unlabeled(labeled, y_pred, sample_weight=[2, 1, 2, 1, 1, 1, 1, 1])
    assert cells(weighted.at(propensity=F(1, 2))) == [(6, 0, 2, 2)]
    masked = positive_unlabeled(labeled, y_pred, mask=[1, 1, 1, 1, 0, 0, 0, 0])
    assert cells(masked.observed) == [(1, 1, 1, 1)]
    assert masked.observed.aggregate("example").times.sum() == 8


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=20), st.integers(0, 20))
def test_batches_add(rows, cut):
    labeled, y_pred = (np.array([r[i] for r in rows], bool) for i in (0, 1))
    parts = [positive_unlabeled(labeled[rows], y_pred[rows]) for rows in (slice(cut), slice(cut, None))]
    assert sum(parts).observed == positive_unlabeled(labeled, y_pred).observed
    with pytest.raises(TypeError):
        parts[0] + parts[1].observed


def test_a_correction_is_recorded():
    pu = positive_unlabeled([1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0])
    assert pu.at(propensity=0.5).recipe.task == (("propensity", (0.5,)),)
    assert pu.at(propensity=F(2, 3)).recipe == pu.at(propensity=[F(2, 3)]).recipe
    assert pu.at(propensity=F(2, 3)).recipe.task == (("propensity", (F(2, 3),)),)
    assert pu.at(propensity=np.float32(0.5)).recipe.in_words() == {"propensity": "0.5"}
    assert pu.at(prior=0.4).recipe.in_words() == {"prior": "0.4", "propensity": "5/6"}
    three = observed([(2, 9, 1, 9)] * 3, classes=list("abc"))
    assert three.at(propensity=[0.5, 0.5, 0.4]).recipe != three.at(propensity=[0.5, 0.4, 0.4]).recipe
    assert three.at(prior={"c": 0.3, "b": 0.3, "a": 0.2}).recipe.in_words()["prior"] == "0.2, 0.3, 0.3"


def test_printing():
    pu = positive_unlabeled([1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0])
    first, second = str(pu).splitlines()
    assert first == "1: 2 of 6 labeled, recall of these 0.500"
    assert second.startswith("The others are unlabeled and may be positive: pass .at(propensity=c) or .at(prior=p)")
    assert repr(pu) == "<PositiveUnlabeled: 6 examples, 1 positive class>"
    weighted = positive_unlabeled([1, 0], [1, 0], sample_weight=[0.25, 1], mask=[1, 0])
    assert "1: 0.25 of 0.25 labeled, recall of these 1.000" in str(weighted)
    assert "1: 0 of 1 labeled, recall of these is undefined" in str(positive_unlabeled([0], [0]))
    assert "… 40 classes" in str(positive_unlabeled(np.eye(40), np.eye(40)))


MISSING = r"is missing\. Give 0 or False where an example is unlabeled; missing='mask' would leave it out"


@pytest.mark.parametrize(
    ("labeled", "message"),
    [
        ([1, None, None, None], r"labeled\[1\] " + MISSING),
        (np.array([1, math.nan, math.nan, 1]), r"labeled\[1\] " + MISSING),
        ([None] * 4, r"labeled\[0\] " + MISSING),
        (np.array([[1, 0], [1, math.nan], [0, 0], [0, 0]]), r"labeled\[1, 1\] " + MISSING),
        (["yes", None, None, None], r"labeled\[1\] is missing\. Give another label than positive= where an example is"),
        ([1, 0], r"labeled has 2 examples and y_pred 4"),
        (["y_true", "b", "b", "b"], r"labeled holds labels of type text and y_pred of type number"),
        (object(), r"labeled is an object; give a list"),
    ],
)
def test_errors_name_the_argument(labeled, message):
    with pytest.raises((TypeError, ValueError), match=message):
        positive_unlabeled(labeled, [1, 1, 0, 1])


def test_missing_labels_may_be_left_out_if_asked():
    pu = positive_unlabeled([1, None, 0, 0], [1, 1, 0, 1], missing="mask")
    assert cells(pu.observed) == [(1, 1, 0, 1)]
    coded = ix.types.Indicator.from_codes([0, -1, -1, -1], ["p"])
    assert cells(positive_unlabeled(coded, [[1], [1], [0], [1]]).observed) == [(1, 2, 0, 1)]


def test_memberships_of_predictions():
    pu = positive_unlabeled(np.array([[1.0], [0.0], [0.0]]), np.array([[0.5], [0.5], [0.25]]), tnorm="godel")
    assert cells(pu.at(propensity=F(4, 5))) == [(F(5, 8), F(5, 8), F(5, 8), F(9, 8))]
    with pytest.raises(ValueError, match=r"labeled\[1, 0\] is 0\.3: an example is labeled"):
        positive_unlabeled(np.array([[1.0], [0.3]]), np.array([[0.5], [0.5]]), tnorm="product")


def test_sizes():
    empty = positive_unlabeled([], [])
    assert math.isnan(empty.score("recall"))
    assert cells(empty.at(propensity=0.5)) == [(0, 0, 0, 0)]
    assert cells(positive_unlabeled([0, 0], [0, 0]).at(propensity=0.5)) == [(0, 0, 0, 2)]
    assert cells(positive_unlabeled([1], [1]).at(propensity=1)) == [(1, 0, 0, 0)]
    rng = np.random.default_rng(0)
    truth = rng.random(1_000_000) < 0.3
    labeled, y_pred = truth & (rng.random(truth.size) < 0.5), rng.random(truth.size) < np.where(truth, 0.8, 0.1)
    pu, true = positive_unlabeled(labeled, y_pred), ix.evaluate(truth, y_pred)
    assert pu.score("recall") == pytest.approx(true.score("recall"), abs=5e-3)  # in expectation, here within its spread
    assert pu.at(propensity=0.5).score("precision") == pytest.approx(true.score("precision"), abs=5e-3)


def test_floats_that_miss_the_edge_by_rounding_are_the_edge():
    assert cells(observed([(1, 2, 1, 5)]).at(propensity=1 / 3)) == [(3, 0, 3, 3)]
    assert cells(observed([(1, 3, 2, 3)]).at(prior=1 / 3)) == [(1, 3, 2, 3)]


ERRORS = [
    (lambda: positive_unlabeled(["a", "b"], ["a", "a"]), r"Which label confirms a positive\? The labels are 'a', 'b'"),
    (lambda: positive_unlabeled([1, 0], [1, 1], cost=[[0, 1], [1, 0]]), "do not go together: unlabeled positives are moved"),
    (
        lambda: positive_unlabeled([1, 0], [1, 1], ordinal="one_hot"),
        "do not go together: an example is a confirmed positive or not",
    ),
    (
        lambda: positive_unlabeled([[1], [0]], [[1], [1]], targets=["a"]),
        "multi-output classification do not go together: .* a 0/1 matrix",
    ),
    (lambda: PU.at(), "Pass either propensity=, .* or prior="),
    (lambda: PU.at(propensity=0.5, prior=0.5), "Pass either propensity="),
    (lambda: PU.bounds("precision"), "Pass either propensity="),
    (lambda: PU.score("recall", "exemplar"), "average='exemplar' is unknown for positive-unlabeled data"),
    (lambda: PU.bounds("recall", "samples", propensity=(0.5, 1)), "average='exemplar' is unknown"),
    (lambda: PU.bounds("subset_accuracy", propensity=(0.5, 1)), "average='exemplar' is unknown"),
    (
        lambda: PU.at(propensity=0.1),
        r"propensity=0\.1 is impossible for 0: a count .* possible propensity is 1/3 ≈ 0\.333333, the ",
    ),
    (lambda: PU.at(prior=0.95), r"prior=0\.95 is impossible for 0: .* smallest possible prior is 3/10 ≈ 0\.3, the largest 9/10"),
    (lambda: PU.at(prior=0.2), r"prior=0\.2 is impossible for 0: more examples are labeled than that"),
    (lambda: PU.at(propensity=1.5), r"The propensity of 0 is 1\.5; give a share"),
    (lambda: PU.at(propensity=0), r"The propensity of 0 is 0; give a share"),
    (lambda: PU.at(prior=math.nan), r"The prior of 0 is nan"),
    (lambda: PU.at(propensity=True), r"The propensity of 0 is True"),
    (lambda: PU.at(propensity=[0.5, 0.5]), r"propensity= has 2 entries for 1 classes"),
    (lambda: PU.at(propensity={1: 0.5}), r"propensity= must name each class once; 1 is wrong or absent"),
    (lambda: PU.at(propensity={}), r"0 is wrong or absent"),
    (lambda: observed([(0, 4, 0, 3)]).at(prior=0.5), "No example is labeled 0, so a prior says nothing"),
    (lambda: PU.bounds("f1", propensity=0.5), r"propensity=0\.5 must be an interval"),
    (lambda: PU.bounds("f1", propensity=(0.7, 0.5)), "is not an interval"),
    (lambda: PU.bounds("f1", prior=(0, 0)), "is not an interval"),
    (lambda: PU.bounds("f1", prior=(0.5, 2)), "An end of prior= is 2"),
    (lambda: PU.bounds("f1", propensity=(0.1, 0.2)), r"No propensity in \[0\.1, 0\.2\] is possible: .* 1/3 ≈ 0\.333333 to 1\."),
    (
        lambda: observed([(2, 4, 1, 3)] * 2).bounds("f1", "macro", prior=(0.4, 0.5)),
        "There are 2 classes, and each has its own prior",
    ),
]
PU = observed([(2, 4, 1, 3)], classes=[0])


@for_each(("call", "message"), ERRORS)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()
