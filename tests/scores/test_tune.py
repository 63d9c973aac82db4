"""Tuning: no threshold beats the rule, the rule does what it says, and theory stands next to it."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from average_rows import rows_along
from hypothesis import given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix
from indicatrix.scores.sweep_rows import SweepRows
from indicatrix.scores.thresholds.tuned_rule import check_calibration
from indicatrix.scores.thresholds.tuning import exemplar_values, tune

MEASURES = ["f1", "accuracy", "error_rate", "balanced_accuracy", "mcc", "precision", "recall", "net_benefit(p_t=0.25)", "kappa"]
TENTHS = st.integers(0, 10).map(lambda k: k / 10)
LOGITS = st.one_of(st.floats(allow_nan=False), st.sampled_from([-math.inf, math.inf, 0.0, -0.0, 1.5]))
BINARY = st.lists(st.tuples(st.booleans(), st.one_of(TENTHS, LOGITS)), min_size=1, max_size=10)
METHOD = st.just("sweep")


def _exact(measure, truth, scores, threshold):
    """The measure of decisions score >= threshold, in fractions (irrational values in floats); None where undefined."""
    four = [Fraction(0)] * 4
    for y, s in zip(truth, scores, strict=True):
        four[(0 if s >= threshold else 2) if y else (1 if s >= threshold else 3)] += 1
    value = _find(measure)(ix.Counts(*four))
    return value if isinstance(value, Fraction) or math.isfinite(value) else None


def _find(measure):
    from indicatrix.algebra.measure_names import find

    return find(measure)


def _all_values(measure, truth, scores):
    """The value at every threshold that can be asked for: above all scores, and at each."""
    above = math.inf if math.inf not in scores else None
    thresholds = [t for t in {above, *scores} if t is not None]
    return {t: v for t in thresholds if (v := _exact(measure, truth, scores, t)) is not None}


@pytest.mark.slow
@examples(75)
@given(BINARY, st.sampled_from(MEASURES), METHOD)
def test_no_threshold_beats_the_rule(rows, measure, method):
    truth, scores = [y for y, _ in rows], [s for _, s in rows]
    tuned, values = tune(truth, scores, measure, method=method), _all_values(measure, truth, scores)
    assert tuned.value == ix.evaluate(truth, scores, decide=tuned.rule).score(measure) or math.isnan(tuned.value)
    if not values:
        assert math.isnan(tuned.value)
        assert tuned.rule in (math.inf, tuned.closed_form)
        assert tuned.choices[0].plateaus == ()
        return
    best = (min if _find(measure).better == "lower" else max)(values.values())
    assert abs(tuned.value - best) < 1e-12
    reached = _exact(measure, truth, scores, tuned.rule)
    assert reached == best if isinstance(best, Fraction) else reached == pytest.approx(best, abs=1e-12)
    low, high = tuned.plateau
    within = [t for t in scores if low < t <= high] or [high]
    assert all(abs(_exact(measure, truth, scores, t) - best) < 1e-12 for t in within)
    for t, value in values.items():  # the plateaus hold all best thresholds and only these; -inf is the open end of any
        best_here = abs(value - best) < 1e-12
        assert t == -math.inf or best_here == any(a < t <= b for a, b in tuned.choices[0].plateaus)


@given(
    st.lists(st.tuples(*[st.tuples(st.booleans(), TENTHS)] * 3), min_size=1, max_size=6),
    st.sampled_from(MEASURES),
    st.sampled_from(rows_along("", "class", "example")),
    METHOD,
)
def test_no_thresholds_beat_the_rule_of_several_labels(rows, measure, average, method):
    truth = np.array([[y for y, _ in row] for row in rows], int)
    scores = np.array([[s for _, s in row] for row in rows])
    tuned = tune(truth, scores, measure, average, method=method)
    sign = -1 if _find(measure).better == "lower" else 1
    here = ix.evaluate(truth, scores, decide=tuned.rule)
    assert tuned.value == here.score(measure, average) or math.isnan(tuned.value)
    assert tuned.evaluation == here
    if "class" in ix.algebra.AVERAGES[average].per:
        assert len(tuned.rule) == 3
        for j, choice in enumerate(tuned.choices):
            values = _all_values(measure, truth[:, j], scores[:, j].tolist())
            best = max((sign * v for v in values.values()), default=math.nan)
            assert sign * choice.value == pytest.approx(float(best), abs=1e-12, nan_ok=True)
        return
    thresholds = [math.inf, *np.unique(scores)]
    values = [sign * float(ix.evaluate(truth, scores, decide=t).score(measure, average)) for t in thresholds]
    best = np.nanmax(values) if not np.isnan(values).all() else math.nan
    assert sign * tuned.value == pytest.approx(best, abs=1e-12, nan_ok=True)


@given(
    st.integers(0, 2**32 - 1), st.sampled_from(["f1", "accuracy", "precision", "subset_accuracy"]), st.booleans(), st.booleans()
)
def test_exemplar_averages_at_all_thresholds_are_those_of_evaluate(seed, measure, masked, weighted):
    rng = np.random.default_rng(seed)
    truth, scores = rng.random((7, 4)) < 0.5, rng.integers(0, 6, (7, 4)) / 5
    mask = rng.random((7, 4)) < 0.7 if masked else None
    weights = rng.integers(0, 3, 7).astype(float) if weighted else None
    thresholds, values = exemplar_values(_find(measure), SweepRows(truth, scores, mask, weights))
    assert thresholds.tolist() == [math.inf, *np.unique(scores if mask is None else scores[mask])[::-1]]
    for t, value in zip(thresholds, values, strict=True):
        ev = ix.evaluate(truth.astype(int), scores, decide=t, mask=mask, sample_weight=weights)
        assert value == pytest.approx(float(ev.score(measure, "exemplar")), abs=1e-12, nan_ok=True)


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1), st.sampled_from(MEASURES), st.sampled_from(rows_along("", "class", "example")), METHOD)
def test_weights_and_masks_are_respected(seed, measure, average, method):
    rng = np.random.default_rng(seed)
    truth, scores = (rng.random((8, 3)) < 0.5).astype(int), rng.integers(0, 6, (8, 3)) / 5
    options = {"mask": rng.random((8, 3)) < 0.7, "sample_weight": rng.integers(0, 4, 8) / 4}
    tuned = tune(truth, scores, measure, average, method=method, **options)
    sign = -1 if _find(measure).better == "lower" else 1
    tried = [ix.evaluate(truth, scores, decide=t, **options) for t in [math.inf, *np.unique(scores)]]
    if "class" in ix.algebra.AVERAGES[average].per:
        values = sign * np.array([ev.values(measure) for ev in tried])
        here = sign * np.array([choice.value for choice in tuned.choices])
    else:
        values, here = sign * np.array([[float(ev.score(measure, average))] for ev in tried]), [sign * tuned.value]
    best = [max((v for v in column if math.isfinite(v)), default=math.nan) for column in values.T]
    assert here == pytest.approx(best, abs=1e-12, nan_ok=True)


@pytest.mark.one_fast_case
@pytest.mark.parametrize("spread", [0, 4, 8])
@pytest.mark.parametrize("name", ["negative_predictive_value", "precision"])
def test_heavy_examples_that_become_undefined_leave_the_light_ones(name, spread):
    """At low thresholds nothing is predicted negative in most examples: the mean is that of the few that are left."""
    rng = np.random.default_rng(spread)
    truth, weights = rng.random((40, 3)) < 0.5, 10.0 ** rng.uniform(-spread, spread, 40)
    scores = rng.permutation(120).reshape(40, 3) / 120
    thresholds, values = exemplar_values(_find(name), SweepRows(truth, scores, None, weights))
    for t, value in zip(thresholds, values, strict=True):
        sides = [(truth[i], scores[i] >= t, Fraction(float(weights[i]))) for i in range(40)]
        counts = [(Fraction(int(a.sum())) for a in (y & z, ~y & z, y & ~z, ~y & ~z)) for y, z, _ in sides]
        found = [(_find(name)(ix.Counts(*four)), w) for four, (_, _, w) in zip(counts, sides, strict=True)]
        found = [(v, w) for v, w in found if v == v]
        exact = float(sum(v * w for v, w in found) / sum(w for _, w in found)) if found else math.nan
        assert value == pytest.approx(exact, rel=1e-12, abs=0, nan_ok=True)
    Y, S = [[0, 1], [1, 0]], [[0.9, 0.8], [0.3, 0.1]]  # 1 at 0.3, where the heavy one is undefined
    assert tune(Y, S, "negative_predictive_value", "exemplar", sample_weight=[1e18, 1.0], method="sweep").rule == 0.3


def test_containers_and_missing_labels():
    scores = [[0.9, 0.2], [0.4, 0.8], [0.3, 0.1]]
    sets = tune([{"a"}, {"b"}, set()], scores, "f1", "macro", classes=["a", "b"])
    matrix = tune([[1, 0], [0, 1], [0, 0]], np.array(scores), "f1", "macro", classes=iter(["a", "b"]))
    assert sets.rule == matrix.rule == (0.9, 0.8)
    assert [choice.unit for choice in sets.choices] == ["a", "b"]
    lost = tune([0, 1, None, 1], [0.1, 0.8, 0.05, 0.6], "f1", missing="mask")
    assert (lost.rule, lost.value) == (0.6, 1)


def test_long_tables_are_taken_in_blocks(monkeypatch):
    rng = np.random.default_rng(2)
    rows = SweepRows(rng.random((50, 3)) < 0.5, rng.random((50, 3)))
    whole = exemplar_values(_find("f1"), rows)
    monkeypatch.setattr("indicatrix.scores.thresholds.tuning.BLOCK", 7)
    for one, two in zip(whole, exemplar_values(_find("f1"), rows), strict=True):
        np.testing.assert_allclose(one, two, atol=1e-12)


# The closed form.


def _calibrated(rng, n, shape=None):
    p = rng.beta(0.6, 1.2, n if shape is None else shape)
    return (rng.random(p.shape) < p).astype(int), p


@pytest.mark.parametrize(
    ("measure", "star"),
    [
        ("accuracy", 0.5),
        ("error_rate", 0.5),
        ("recall", 0.0),
        ("specificity", 1.0),
        ("net_benefit(p_t=0.25)", 0.25),
        ("tp*3 + tn", 0.25),  # weighted accuracy with w = 3/4
        ("-fp - 5*fn", 1 / 6),
        ("-fp - 10*fn", 1 / 11),
        ("3*tp - fp - 2*fn", 1 / 6),  # the same problem as 5:1 (errata B10)
        ("f1", None),
        ("mcc", None),
    ],
)
def test_the_closed_forms_of_the_papers_threshold_table(measure, star):
    y, p = _calibrated(np.random.default_rng(0), 400)
    tuned = tune(y, p, measure, method="sweep")
    assert tuned.closed_form == (None if star is None else pytest.approx(star))
    if star is None:
        assert tuned.inside is tuned.distance is tuned.lost is None
        return
    at_star = ix.evaluate(y, p, decide=tuned.closed_form).score(measure)
    assert tuned.lost == abs(tuned.choices[0].value - at_star)
    assert (tuned.lost == 0) == tuned.inside
    assert tuned.distance == 0 or not tuned.inside
    fixed = tune(y, p, measure, method="closed form")
    assert (fixed.method, fixed.rule, fixed.value) == ("closed form", tuned.closed_form, at_star)
    assert (fixed.plateau, fixed.lost) == (tuned.plateau, tuned.lost)


def test_prevalence_is_that_of_each_class_or_of_what_is_pooled():
    y, p = _calibrated(np.random.default_rng(1), 300, (300, 3))
    p, y = p * [1, 0.5, 0.25], y * [1, 1, 0]
    assert tune(y, p, "balanced_accuracy", "micro").closed_form == pytest.approx(y.mean())
    assert tune(y, p, "balanced_accuracy", "macro").closed_form == pytest.approx(tuple(y.mean(axis=0)))
    assert tune(y, p, "balanced_accuracy", "exemplar").closed_form is None  # right within classes only
    assert tune(y, p, "accuracy", "exemplar").closed_form == 0.5
    assert tune(y, p, "informedness", "weighted").closed_form[2] == 0  # no positives: undefined whatever is decided
    w = np.random.default_rng(2).random(300)
    weighted = tune(y[:, 0], p[:, 0], "balanced_accuracy", sample_weight=w)
    assert weighted.closed_form == pytest.approx(w @ y[:, 0] / w.sum())
    other = tune(y[:, 0], p[:, 0], "2*tp/(tp+fn) + tn/(fp+tn)")
    share = y[:, 0].mean()
    assert other.closed_form == pytest.approx(share / (2 - share))  # a formula of the prevalence


@pytest.mark.parametrize("measure", ["accuracy", "net_benefit(p_t=0.25)", "balanced_accuracy", "-fp - 5*fn"])
def test_the_population_optimum_is_the_closed_form(measure):
    # A population: at each eta, a hundred examples of which 100 eta are positive. Its best thresholds enclose t*.
    eta = np.arange(0, 101) / 100
    y = np.concatenate([np.arange(100) < k for k in range(101)]).astype(int)
    p = np.repeat(eta, 100)
    tuned = tune(y, p, measure)
    assert tuned.inside
    assert tuned.lost == 0
    assert tuned.method == "closed form"
    assert tuned.rule == tuned.closed_form
    assert tuned.calibration.passed
    assert tuned.calibration.gap < 1e-12


def test_auto_takes_the_closed_form_where_there_is_one_and_scores_pass_as_calibrated():
    y, p = np.array([0, 1] * 100), np.array([0.01, 0.9] * 100)
    assert tune(y, p, "accuracy").method == "sweep"  # 0.5 is on the plateau, but 0.9 is far from always
    assert not tune(y, p, "accuracy").calibration.passed
    q = np.array([0.01, 0.99] * 100)
    assert tune(y, q, "accuracy").method == "closed form"
    assert tune(y, q, "accuracy").rule == 0.5
    assert tune(y, q, "accuracy", method="sweep").rule == 0.99
    assert tune(y, p, "accuracy", method="closed form").rule == 0.5  # as asked
    z = np.array([-3.0, 3.0] * 100)
    assert tune(y, z, "accuracy").method == "sweep"  # logits are not probabilities, though 0.5 is on the plateau
    assert tune(y, z, "accuracy").closed_form == 0.5
    few = tune([0, 1, 1, 0], [0.4, 0.45, 0.8, 0.1], "accuracy")  # nothing speaks against calibration: t*, not what fits best
    assert (few.method, few.rule, few.lost) == ("closed form", 0.5, 0.25)
    assert tune([0, 1, 1, 0], [0.4, 0.45, 0.8, 0.1], "f1").method == "sweep"


def test_the_threshold_table_of_the_paper_on_breast_cancer():
    """The column Breast of tab:exp_threshold, up to its grid of 0.0005 (errata C20: benign is positive)."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    x, y = load_breast_cancer(return_X_y=True)
    train, test, labels, truth = train_test_split(x, y, test_size=0.4, stratify=y, random_state=0)
    p = make_pipeline(StandardScaler(), LogisticRegression()).fit(train, labels).predict_proba(test)[:, 1]
    for measure, low, high in (
        ("accuracy", 0.264, 0.423),
        ("error_rate", 0.264, 0.423),
        ("recall", 0.0, 0.267),
        ("specificity", 0.892, 1.0),
        ("3*tp + tn", 0.264, 0.267),
        ("net_benefit(p_t=0.333)", 0.264, 0.267),
        ("-fp - 5*fn", 0.264, 0.267),
        ("-fp - 10*fn", 0.264, 0.267),
        ("3*tp - fp - 2*fn", 0.264, 0.267),
    ):
        tuned = tune(truth, p, measure)
        assert np.clip(tuned.span, 0, 1) == pytest.approx((low, high), abs=1.1e-3)
        assert len(tuned.choices[0].plateaus) == (3 if tuned.closed_form == 0.5 else 1)  # the span of accuracy has two gaps
        assert tuned.inside == (measure in ("recall", "specificity"))


# What else is checked, and what is refused.


def test_calibrated_probabilities_pass_and_others_fail():
    rng = np.random.default_rng(5)
    failed = 0
    for _ in range(200):
        y, p = _calibrated(rng, 500)
        failed += not check_calibration(p, y.astype(bool)).passed
        assert not check_calibration(p**3, y.astype(bool)).passed
    assert failed <= 20  # a test of level 0.05
    weights = rng.exponential(size=500)
    y, p = _calibrated(rng, 500)
    here = check_calibration(p, y.astype(bool), weights)
    assert here.passed
    assert sum(here.mass) == pytest.approx(weights.sum())
    assert np.dot(here.mass, here.observed) == pytest.approx(weights @ y)
    assert np.dot(here.mass, here.predicted) == pytest.approx(weights @ p)
    assert np.ptp(here.mass) < 0.1 * np.mean(here.mass)
    assert (np.diff(here.predicted) < 0).all()  # from the highest bin down
    assert not check_calibration(np.ones(30), np.zeros(30, bool)).passed
    assert check_calibration(np.ones(30), np.ones(30, bool)).p_value == 1
    one = check_calibration(np.full(400, 0.25), np.arange(400) % 4 == 0)
    assert (one.predicted, one.observed, one.mass) == ((0.25,), (0.25,), (400.0,))  # ties stay together


def test_texts_say_what_was_found():
    y, p = _calibrated(np.random.default_rng(6), 300)
    tuned = tune(y, p, "accuracy", method="sweep")
    assert "binary accuracy = " in str(tuned)
    assert "t* = 0.5 is" in str(tuned)
    assert "bins of equal mass, p = " in str(tuned)
    assert "no closed form" in str(tune(y, p, "f1"))
    assert "closed form for calibrated scores" in str(tune(y, p, "accuracy", method="closed form"))
    assert repr(tuned) == f"<Tuned: accuracy, sweep, decide={tuned.rule!r}>"
    assert "chance does not explain it" in str(check_calibration(p**5, y.astype(bool)))
    assert str(check_calibration(np.array([]), np.array([], bool))) == "calibration was not checked: there are no examples"
    assert "scores are not probabilities" in str(tune(y, p - 1, "accuracy"))


def test_small_and_odd_inputs():
    one = tune([1], [0.3], "f1", classes=[0, 1])
    assert (one.rule, one.value) == (0.3, 1)
    assert tune([0, 1, 1], [0.5] * 3, "accuracy").value == pytest.approx(2 / 3)
    none = tune([0, 0], [0.1, 0.2], "recall")
    assert math.isnan(none.value)
    assert none.lost is None or math.isnan(none.lost)
    empty = tune(np.zeros((0, 2), int), np.zeros((0, 2)), "f1", "micro")
    assert math.isnan(empty.value)
    assert math.isnan(tune(np.zeros((0, 2), int), np.zeros((0, 2)), "balanced_accuracy", "exemplar").value)
    single = np.float32([0.1, 0.7, 0.7000001])
    assert tune([0, 0, 1], single, "accuracy", method="sweep").value == 1
    words = tune(["no", "yes", "yes"], [0.1, 0.2, 0.3], "f1", positive="yes")
    assert (words.rule, words.choices[0].unit) == (0.2, "yes")
    masked = tune([0, 1, 1], [0.1, 0.2, 0.05], "accuracy", mask=[1, 1, 0], method="sweep")
    assert (masked.value, masked.plateau) == (1, (0.1, 0.2))
    top = tune([0, 1], [math.inf, 1.0], "specificity", method="sweep")  # +inf cannot be turned down
    assert top.value == 0
    both = tune([[0, 0], [0, 1]], [[math.inf, 1.0], [0.5, 2.0]], "specificity", "exemplar", method="sweep")
    assert both.value == 0.75
    assert both.plateau == (1.0, math.inf)


def test_one_label_per_example_is_for_argmax_unless_classifiers_are_meant():
    rng = np.random.default_rng(8)
    y, p = rng.integers(0, 3, 40), rng.random((40, 3))
    with pytest.raises(ValueError, match="best decision is decide='argmax', not a threshold"):
        tune(y, p, "f1", "macro")
    with pytest.raises(ValueError, match=r"tune its column: ix.tune\(np.asarray\(y_true\) == 2, scores\[:, 2\], 'f1'\)"):
        tune(y, p, "f1", positive=2)  # what it advises works:
    alone = tune(np.asarray(y) == 2, p[:, 2], "f1")
    tuned = tune(y, p, "f1", "macro", one_vs_all=True)
    assert alone.rule == tuned.rule[2]
    assert tuned.value == ix.evaluate(y, p, decide=tuned.rule).score("f1", "macro")
    assert tuned.value == ix.tasks.one_vs_all(y, p, decide=tuned.rule).classifiers.score("f1", "macro")


def test_errors_of_tuning():
    y, p = np.eye(3, dtype=int), np.eye(3) / 2
    for message, call in (
        ("Neither higher nor lower values of coverage are better", lambda: tune([0, 1], [0.1, 0.2], "coverage")),
        ("method='grid' is unknown. Use 'auto', 'sweep' or 'closed form'", lambda: tune([0, 1], [0.1, 0.2], "f1", method="grid")),
        ("by= makes groups, but a rule is for all examples", lambda: tune([0, 1], [0.1, 0.2], "f1", by={"site": [0, 1]})),
        ("Name an average: 'micro' or 'exemplar' for one threshold", lambda: tune(y, p, "f1")),
        ("average='target': there is no axis 'target' here", lambda: tune(y, p, "f1", "target")),
        ("average='macro' says nothing about one score per example", lambda: tune([0, 1], [0.1, 0.2], "f1", "macro")),
        ("subset_accuracy exists only as average='exemplar'", lambda: tune(y, p, "subset_accuracy", "micro")),
        ("f1 has no closed form here: with actual positives", lambda: tune(y, p, "f1", "micro", method="closed form")),
        (
            "balanced_accuracy has no closed form here: t\\* = prevalence is for micro and macro only",
            lambda: tune(y, p, "balanced_accuracy", "exemplar", method="closed form"),
        ),
        (
            "the scores of 1 are not all in \\[0, 1\\]",
            lambda: tune([0, 1], [-1.0, 2.0], "accuracy", method="closed form"),
        ),
        (r"scores\[1\] is NaN", lambda: tune([0, 1], [0.5, math.nan], "f1")),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(TypeError, match=r"tune takes no decide=; it finds the rule that evaluate and measures take as decide=\."):
        tune([0, 1], [0.1, 0.2], "f1", decide=0.5)


def test_of_equally_wide_plateaus_the_highest_is_taken_at_its_highest_threshold() -> None:
    y, p = [0, 1, 0, 1], [0.0, 0.25, 0.5, 0.75]
    tuned = ix.tune(y, p, "accuracy", method="sweep")
    assert [*tuned.choices[0].plateaus] == [(0.5, 0.75), (0.0, 0.25)]
    assert (tuned.rule, tuned.plateau) == (0.75, (0.5, 0.75))


def test_the_widest_plateau_is_taken_and_its_width_ends_with_the_scores() -> None:
    y, p = [0, 1, 0, 1], [0.0, 0.4, 0.5, 0.75]
    tuned = ix.tune(y, p, "accuracy", method="sweep")
    assert tuned.rule == 0.4  # (0, 0.4] is wider than (0.5, 0.75]
    undefined = ix.tune([0, 0], [0.2, 0.7], "recall", method="sweep")
    assert undefined.rule == np.inf
    for one in (undefined, ix.tune([0, 0], [0.2, 0.7], "recall")):  # by the closed form
        assert str(one).endswith("undefined at every threshold: these data do not tell which is best")
        assert "loses" not in one._repr_html_()


def test_plateaus_that_reach_infinity_are_measured_within_the_scores() -> None:
    tuned = ix.tune([1, 1, 0, 0], [0.9, 0.8, 0.3, 0.1], "accuracy", method="sweep")
    assert (tuned.rule, tuned.plateau) == (0.8, (0.3, 0.8))


@pytest.mark.parametrize("constraints", [[None], ["recall >= 0.5", None], [["recall >= 0.5"]], [5], b"recall"])
def test_a_constraint_that_is_not_a_text_is_refused_and_not_ignored(constraints):
    for call in (
        lambda: ix.tune([0, 1, 1], [0.1, 0.6, 0.4], "f1", subject_to=constraints),
        lambda: ix.sweep([0, 1, 1], [0.1, 0.6, 0.4]).best("f1", subject_to=constraints),
    ):
        with pytest.raises(TypeError, match=r"subject_to\[\d\] is .*; each constraint is a text such as 'precision >= 0.9'"):
            call()
