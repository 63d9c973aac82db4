"""Power: sample sizes against known formulas, peers and simulations, and what cannot be planned."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.compare.differences import independent_contrast
from indicatrix.inference.planning.needed_examples import McNemarPlan
from indicatrix.inference.planning.power import least, rejection
from indicatrix.inference.stats.proportions import PROPORTIONS

EVERY = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages]
TABLE = np.array([[140, 10, 11], [15, 145, 13], [12, 9, 117]])
EV = ix.from_confusion(TABLE, classes=["ant", "bee", "cat"])
Z = NormalDist().inv_cdf
SLOW = pytest.mark.slow


def predictions(m: int, n: int, right: float, gain: float, prior: Any = None, seed: int = 0) -> Any:
    """Return labels and the predictions of two classifiers that often err together."""
    rng = np.random.default_rng(seed)
    y, ease = rng.choice(m, n, p=prior), rng.random(n)
    other = np.where(rng.random(n) < 0.6, ease, rng.random(n))
    sides = ((right, ease), (right + gain, other))
    return y, *(np.where(x < p, y, (y + rng.integers(1, m, n)) % m) for p, x in sides)


# Widths.


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("wilson", "wilson"), ("clopper_pearson", "beta"), ("jeffreys", "jeffreys"), ("agresti_coull", "agresti_coull")],
)
@SLOW  # importing statsmodels takes more than a second
def test_so_many_examples_and_no_fewer_have_the_width_of_statsmodels(ours: str, theirs: str) -> None:
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    for rate, width, level in ((0.9, 0.05, 0.95), (0.5, 0.02, 0.9), (0.75, 0.2, 0.99)):
        n = int(ix.power(rate=rate, width=width, level=level, method=ours).n)
        widths = [np.ptp(proportion.proportion_confint(rate * k, k, 1 - level, theirs)) for k in (n, n - 1)]
        assert widths[0] <= width < widths[1]
        assert n == pytest.approx(proportion.samplesize_confint_proportion(rate, width / 2, 1 - level), rel=0.2, abs=5)


@SLOW
def test_many_examples_need_what_the_normal_formula_says() -> None:
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    assert ix.power(rate=0.7, width=0.002).n == pytest.approx(proportion.samplesize_confint_proportion(0.7, 0.001), rel=1e-4)


@pytest.mark.one_fast_case
@pytest.mark.parametrize(
    ("third", "average"),
    [pytest.param(0, "micro", marks=SLOW), (1, "macro"), pytest.param(2, "weighted", marks=SLOW), (0, "exemplar")],
)
def test_the_interval_of_so_many_examples_has_the_width(third: int, average: str) -> None:
    planned = 0
    for measure in EVERY[third::3]:
        score = EV.interval(measure, average) if math.isfinite(EV.score(measure, average)) else None
        if score is None or score.method == "posterior" or not score.width > 1e-9 or not math.isfinite(sum(measure.range)):
            continue
        width = score.width / 10
        found = ix.power(EV, measure, average, width=width)
        assert found.present_width == score.width
        assert (found.present_n, found.method) == (TABLE.sum(), score.method)
        at = {n: ix.from_confusion(np.round(TABLE * n / TABLE.sum()), EV.classes) for n in (found.n, 0.9 * found.n)}
        wide, wider = (ev.interval(measure, average).width for ev in at.values())
        assert wide == pytest.approx(width, rel=0.01), measure
        assert wider > width, measure
        planned += 1
    assert planned > 10


@pytest.mark.slow
def test_a_score_by_posterior_draws_is_planned_on_scaled_tables() -> None:
    found = ix.power(EV, "multiclass_mcc", width=0.05)
    table = np.round(TABLE * found.n / TABLE.sum())
    assert ix.from_confusion(table).interval("multiclass_mcc").width == pytest.approx(0.05, rel=0.03)


def test_an_area_is_planned_by_the_square_root_law() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    swept = ix.sweep(y, rng.normal(y))
    now = ix.inference.interval(swept, "auc")
    found = ix.power(swept, "auc", width=0.02)
    assert found.n == math.ceil(300 * (now.width / 0.02) ** 2)
    assert "square root" in found.note


def test_a_mean_over_groups_needs_more_examples_of_each_group() -> None:
    rng = np.random.default_rng(0)
    y, site = rng.integers(0, 2, 400), np.repeat(np.arange(20), 20)
    pred = np.where(rng.random(400) < 0.8, y, 1 - y)
    ev = ix.evaluate(y, pred, by={"site": site})
    found = ix.power(ev, "recall", "site", width=0.05)
    times = round(found.n / 400)
    many = ix.evaluate(np.tile(y, times), np.tile(pred, times), by={"site": np.tile(site, times)})
    assert many.interval("recall", "site").width == pytest.approx(0.05, rel=0.2)


def test_a_ratio_without_limit_is_planned_on_the_log_scale() -> None:
    ev = ix.from_confusion([[50, 4], [7, 30]])
    found = ix.power(ev, "diagnostic_odds_ratio", width=20)
    assert found.method == "log"
    sizes = np.round(np.array([[50, 4], [7, 30]]) * found.n / 91)
    assert ix.from_confusion(sizes).interval("diagnostic_odds_ratio").width == pytest.approx(20, rel=0.02)


def test_a_wide_interval_needs_few_examples_and_says_which_class_has_too_few() -> None:
    found = ix.power(EV, "f1", "macro", width=0.6)
    assert found.n < 20
    assert "'cat' has" in found.note
    assert ix.power(EV, "f1", "macro", width=0.99).n >= 1


# Two classifiers.


@pytest.mark.slow
@pytest.mark.parametrize("average", ["macro", *(pytest.param(x, marks=SLOW) for x in ("micro", "weighted", "exemplar"))])
def test_the_paired_variance_is_that_of_leaving_out_each_example(average: str) -> None:
    y, a, b = (np.tile(x, 100) for x in predictions(3, 600, 0.8, 0.05, [0.5, 0.3, 0.2]))
    joint = ix.inference.paired_counts(y, {"a": a, "b": b})
    triples, times = np.unique(np.stack([y, a, b]), axis=1, return_counts=True)
    whole = joint.evaluations
    less = [{pair: _without(y, x, pair) for pair in {*zip(y.tolist(), x.tolist(), strict=True)}} for x in (a, b)]
    checked = 0
    for measure in EVERY:
        scores = (whole[0].score(measure, average), whole[1].score(measure, average))
        left = [{pair: float(ev.score(measure, average)) for pair, ev in evs.items()} for evs in less]
        if not np.isfinite([*scores, *left[0].values(), *left[1].values()]).all():
            continue
        apart = np.array([left[0][t, p] - left[1][t, q] for t, p, q in triples.T.tolist()])
        mean = times @ apart / joint.n
        found: Any = independent_contrast(joint, (0, 1), measure, scores)
        if found.left.smooth:
            assert found.variance() == pytest.approx(times @ (apart - mean) ** 2, rel=0.01, abs=1e-12), measure
            checked += 1
    assert checked > (10 if average == "exemplar" else 40)


def _without(y: Any, predicted: Any, pair: tuple[int, int]) -> Any:
    table = np.zeros((3, 3), int)
    np.add.at(table, (y, predicted), 1)
    table[pair] -= 1
    return ix.from_confusion(table)


@pytest.mark.one_fast_case
@pytest.mark.parametrize(("measure", "average"), [("f1", "macro"), ("jaccard", "micro"), ("mcc", "weighted"), ("f1", "exemplar")])
def test_label_matrices_are_planned_by_what_each_row_adds(measure: str, average: str) -> None:
    rng = np.random.default_rng(3)
    y = rng.random((40, 4)) < 0.4
    y[:, 0] = True  # so that every example has a label
    guesses = {"a": y ^ (rng.random(y.shape) < 0.2), "b": y ^ (rng.random(y.shape) < 0.12)}
    many = {k: np.tile(x, (40, 1)) for k, x in {"y": y, **guesses}.items()}

    def difference(keep: Any) -> float:
        one, other = (ix.evaluate(many["y"][keep], many[k][keep]).score(measure, average) for k in guesses)
        return float(one - other)

    apart = np.array([difference(np.arange(1600) != i) for i in range(40)])
    error = math.sqrt(40 * ((apart - apart.mean()) ** 2).sum())
    found = ix.power(many["y"], {k: many[k] for k in guesses}, measure, average, difference=2 * error)
    assert found.values == pytest.approx([ix.evaluate(y, x).score(measure, average) for x in guesses.values()])
    assert found.present_power == pytest.approx(rejection(2 * error, error, 0.95), abs=0.005)
    assert found.n == pytest.approx(1600 * ((Z(0.975) + Z(0.8)) / 2) ** 2, rel=0.01)


@pytest.mark.parametrize("area", ["auc", "average_precision"])
def test_areas_are_planned_by_the_variance_that_compare_tests_with(area: str) -> None:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 200)
    base = y + rng.normal(size=200)
    scores = {"a": base, "b": base + rng.normal(size=200)}
    found = ix.power(y, scores, area)
    (compared,) = ix.compare(y, scores, area, baseline="b", method="delong").differences
    assert (found.p_value, found.difference) == pytest.approx((compared.p, compared.value))
    error = (compared.high - compared.low) / 2 / Z(0.975)
    assert found.present_power == pytest.approx(rejection(compared.value, error, 0.95))
    assert ix.power(ix.inference.paired_counts(y, scores, labels=False, scores=True), ix.scores.AREAS[area]) == found


@SLOW
def test_areas_reach_the_power_in_samples_of_the_same_examples() -> None:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 1000)
    both = y + rng.normal(size=1000)
    a, b = both + 0.5 * rng.normal(size=1000), both + rng.normal(size=1000)
    found = ix.power(y, {"a": a, "b": b}, "auc", power=0.7)
    drawn = [rng.integers(0, 1000, int(found.n)) for _ in range(600)]
    rejected = [ix.compare(y[k], {"a": a[k], "b": b[k]}, "auc").differences[0].p < 0.05 for k in drawn]
    assert np.mean(rejected) == pytest.approx(0.7, abs=0.05)


def simulated_power_of_macro_f1(table: Any, n: int, draws: int, seed: int) -> float:
    """Return how often the paired z test of macro F1 rejects, by its own formulas: slopes of F1 = 2 tp / (tpos + ppos)."""
    m = len(table)
    tables = np.random.default_rng(seed).multinomial(n, table.ravel() / table.sum(), draws).reshape(draws, m, m, m)
    scores, added = [], []
    for lost in (3, 2):  # the axis of the other classifier
        pairs = tables.sum(axis=lost).astype(float)
        bottom = pairs.sum(axis=2) + pairs.sum(axis=1)
        f1 = 2 * np.diagonal(pairs, axis1=1, axis2=2) / bottom
        same = np.eye(m)
        each = 2 * np.einsum("kt,kp->ktp", same, same) - f1[:, :, None, None] * (same[:, :, None] + same[:, None, :])
        scores.append(f1.mean(axis=1))
        added.append(np.expand_dims((each / bottom[:, :, None, None]).mean(axis=1), lost))
    apart = added[0] - added[1]
    variance = (tables * apart**2).sum(axis=(1, 2, 3)) - (tables * apart).sum(axis=(1, 2, 3)) ** 2 / n
    return float((np.abs(scores[0] - scores[1]) > Z(0.975) * np.sqrt(variance)).mean())


@pytest.mark.parametrize(
    ("m", "n", "right", "gain", "prior"),
    [(3, 1000, 0.8, 0.04, None), (2, 600, 0.85, 0.04, None), (4, 3000, 0.7, 0.03, [0.55, 0.25, 0.15, 0.05])],
)
def test_so_many_examples_reach_the_power_in_simulations(m: int, n: int, right: float, gain: float, prior: Any) -> None:
    y, a, b = predictions(m, n, right, gain, prior)
    table = np.zeros((m, m, m), int)
    np.add.at(table, (y, a, b), 1)
    for power in (0.8, 0.5):
        found = ix.power(y, {"a": a, "b": b}, "f1", "macro", power=power)
        assert simulated_power_of_macro_f1(table, int(found.n), 4000, 1) == pytest.approx(power, abs=0.03)
    assert found.present_power == pytest.approx(simulated_power_of_macro_f1(table, n, 4000, 2), abs=0.03)


@pytest.mark.one_fast_case
@pytest.mark.parametrize(
    ("accuracy", "disagreement"), [((0.90, 0.92), 0.06), ((0.7, 0.6), 0.3), ((0.5, 0.55), 0.05), ((0.95, 0.8), 0.2)]
)
@pytest.mark.parametrize(("power", "level"), [(0.8, 0.95), (0.9, 0.99)])
def test_mcnemars_exact_test_reaches_the_power_it_says(accuracy: Any, disagreement: float, power: float, level: float) -> None:
    """Over all tables: the exact test of so many examples has the power, and of fewer it has not; Connor's is near."""
    apart = accuracy[0] - accuracy[1]
    roots = Z((1 + level) / 2) * math.sqrt(disagreement) + Z(power) * math.sqrt(disagreement - apart**2)
    found = ix.power(accuracy=accuracy, disagreement=disagreement, power=power, level=level, n=60)
    assert found.n == pytest.approx((roots / apart) ** 2, rel=0.3)
    shares = max(disagreement + apart, 0) / 2, max(disagreement - apart, 0) / 2
    assert found.present_power == pytest.approx(power_over_all_tables(60, *shares, level), abs=1e-9)
    n = int(found.n)
    most = power_over_all_tables(n, *shares, level)
    assert most >= power - 1e-9
    assert most < power + 0.03
    assert power_over_all_tables(n - 1, *shares, level) < power


def power_over_all_tables(n: int, only_first: float, only_second: float, level: float) -> float:
    """Return how often McNemar's exact test rejects, from the chance of every table."""
    stats = pytest.importorskip("scipy.stats")
    total, likely = 0.0, stats.binom(n, only_first + only_second)
    for m in range(n + 1):
        if likely.pmf(m) < 1e-15:
            continue
        first = np.arange(m + 1)
        p = np.minimum(1, 2 * stats.binom(m, 0.5).cdf(np.minimum(first, m - first)))
        total += likely.pmf(m) * float(stats.binom(m, only_first / (only_first + only_second)).pmf(first)[p < 1 - level].sum())
    return total


def test_very_many_disagreements_have_the_power_of_all_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond some number of disagreements the power is normal, and so close that the number of examples stays."""
    plan = McNemarPlan(0.2, 0.0072, 0.95)
    about = [plan.power(n) for n in (20_000, 30_000)]
    monkeypatch.setattr("indicatrix.inference.planning.needed_examples.EXACT", math.inf)
    assert [plan.power(n) for n in (20_000, 30_000)] == pytest.approx(about, abs=0.002)


def test_a_share_needs_as_many_as_in_a_joint_table_of_the_same_rates() -> None:
    table = np.zeros((2, 2, 2), int)
    table[0, 0, 0], table[1, 1, 1] = 440, 440  # both right
    table[0, 0, 1], table[0, 1, 0], table[0, 1, 1] = 20, 40, 60
    found = [ix.power(table, m, a).n for m, a in (("exact_match", None), ("recall", "micro"), ("multiclass_accuracy", None))]
    z = Z(0.975) + Z(0.8)
    assert found == [math.ceil(z**2 * (0.06 - 0.02**2) / 0.02**2)] * 3
    assert ix.power(accuracy=(0.9, 0.92), disagreement=0.06).n == pytest.approx(found[0], rel=0.07)  # by an exact test


def test_labels_in_any_container_and_the_joint_table_give_the_same() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    y, a, b = (np.array(["ant", "bee", "cat"])[x] for x in predictions(3, 200, 0.8, 0.1))
    plain = ix.power(y.tolist(), {"a": a.tolist(), "b": b.tolist()}, "f1", "macro")
    names = {"ant": 0, "bee": 1, "cat": 2}
    table = np.zeros((3, 3, 3), int)
    np.add.at(table, tuple([names[x] for x in v] for v in (y, a, b)), 1)
    for other in (
        ix.power(pandas.Series(y), {"a": pandas.Categorical(a, [*names]), "b": polars.Series(b)}, "f1", "macro"),
        ix.power(y, {"a": a, "b": b}, measure="f1", average="macro"),
    ):
        assert other == plain
    joined = ix.power(table, "f1", "macro", classes=[*names])
    assert (joined.n, joined.values, joined.p_value) == (plain.n, plain.values, plain.p_value)
    binary = ix.power(y == "ant", {"a": a == "ant", "b": b == "ant"}, "f1")
    assert binary.values == ix.power(y, {"a": a, "b": b}, "f1", positive="ant").values


def test_the_order_of_the_classifiers_only_turns_the_difference() -> None:
    y, a, b = predictions(3, 300, 0.8, 0.05)
    one, other = ix.power(y, {"a": a, "b": b}, "mcc", "macro"), ix.power(y, {"b": b, "a": a}, "mcc", "macro")
    assert (one.n, one.difference) == (other.n, pytest.approx(-other.difference))


def test_a_larger_difference_needs_fewer_examples() -> None:
    y, a, b = predictions(3, 300, 0.8, 0.05)
    sizes = [ix.power(y, {"a": a, "b": b}, "f1", "macro", difference=d).n for d in (0.01, 0.02, 0.04)]
    assert sizes[0] == pytest.approx(4 * sizes[1], rel=0.01)
    assert sizes[1] == pytest.approx(4 * sizes[2], rel=0.01)


# What cannot be planned, and what is said.


def test_equal_scores_are_never_separated() -> None:
    y, a, _ = predictions(3, 300, 0.8, 0.05)
    for found in (ix.power(y, {"a": a, "b": a}, "f1", "macro"), ix.power(accuracy=(0.9, 0.9), disagreement=0.1)):
        assert found.n == math.inf
        assert "No number of examples separates them" in str(found)
    assert ix.power(y, {"a": a, "b": a}, "f1", "macro").p_value == 1


def test_enough_examples_and_few_disagreements_are_said() -> None:
    y, a, b = predictions(3, 3000, 0.7, 0.1)
    assert "these are enough" in str(ix.power(y, {"a": a, "b": b}, "f1", "macro"))
    y = [0, 1] * 50
    clear = ix.power(y, {"a": y, "b": [1 - x for x in y[:90]] + y[90:]}, "f1", "macro")
    assert "fewer than 10" in clear.note
    assert clear.n < 20
    assert "different classes" in ix.power(list("aabbc"), {"a": list("aabba"), "b": list("aabac")}, "precision", "macro").note


def test_the_sentences_can_be_quoted() -> None:
    y, a, b = predictions(2, 600, 0.85, 0.04)
    assert str(ix.power(y, {"lr": a, "rf": b}, "f1", "macro")) == (
        "macro f1: lr 0.865, rf 0.895.\n"
        "996 examples like these are needed to separate them: a paired z test at the 5% level then finds a difference of 0.0298 "
        "in 80% of samples.\n"
        "The present 600 examples give a power of 58.5%.\n"
        "They separate the two (p = 0.03)."
    )
    assert repr(ix.power(EV, "f1", "macro", width=0.05)).startswith("<Power: ")
    assert ix.power(accuracy=(0.9, 0.92)).note.startswith("The errors are taken as independent: of 16.4% of examples")


def test_frames_have_one_row() -> None:
    pytest.importorskip("pandas")
    y, a, b = predictions(2, 600, 0.85, 0.04)
    found = ix.power(y, {"lr": a, "rf": b}, "f1", "macro")
    frame = found.to_pandas()
    assert len(frame) == 1
    assert frame["value of rf"][0] == found.values[1]
    assert frame["n"][0] == 996
    never = ix.power(y, {"lr": a, "rf": a}, "f1", "macro")
    assert never.to_polars()["n"].to_list() == [math.inf]


LABELS = ([0, 1, 1, 0], {"a": [0, 1, 0, 0], "b": [0, 1, 1, 1]})
BOTH = ix.inference.paired_counts(*LABELS)
SETS = ([{1, 2}, {2}], {"a": [{1}, {2}], "b": [{1}, {1}]})


@for_each(
    ("call", "message"),
    [
        (lambda: ix.power(), r"Give an evaluation, labels, or assumed rates"),
        (lambda: ix.power(rate=0.9, accuracy=(0.8, 0.9), width=0.1), r"Give an evaluation, labels, or assumed rates"),
        (lambda: ix.power(rate=0.9), r"width= says how wide"),
        (lambda: ix.power(EV, "f1", "macro"), r"width= says how wide"),
        (lambda: ix.power(rate=1.2, width=0.1), r"rate=1.2 must be a share from 0 to 1"),
        (lambda: ix.power(rate=0.9, width=1.0), r"every interval of a rate is narrower than 1"),
        (lambda: ix.power(rate=0.9, width=0), r"width=0 must be a number above 0"),
        (lambda: ix.power(rate=0.9, width=0.1, method="wilsn"), r"Did you mean wilson\?"),
        (lambda: ix.power(EV, "mcc", "macro", width=2.5), r"lies between -1 and 1, so every interval is narrower"),
        (lambda: ix.power(EV, "f1", "macro", width=0.1, n=5), r"n= does not go with the interval of an evaluation"),
        (lambda: ix.power(EV, "f1", "macro", "micro", width=0.1), r"a third name was given"),
        (lambda: ix.power(EV, width=0.1), r"Name the measure"),
        (lambda: ix.power(*LABELS, "f1", width=0.1), r"width= does not go with two classifiers"),
        (lambda: ix.power(*LABELS, "f1", level=95), r"level=95 must be a share between 0 and 1"),
        (lambda: ix.power(*LABELS, "f1", power=0.05), r"power=0.05 must be a share between 0.05, which a test reaches"),
        (lambda: ix.power(*LABELS, "f1", difference=0), r"difference=0 must be a number other than 0"),
        (lambda: ix.power(LABELS[0], {"a": [0, 1, 1, 0]}, "f1"), r"Two classifiers are compared, but 1 were given"),
        (lambda: ix.power(LABELS[0], {"a": [0, 1], "b": [0, 1, 1, 0]}, "f1"), r"y_true has 4 examples and predictions\['a'\] 2"),
        (lambda: ix.power(LABELS[0], {"a": [0, 1, 1, None], "b": [0, 1, 1, 0]}, "f1"), r"predictions\['a'\]\[3\] is missing"),
        (lambda: ix.power([{1}, {2}], {"a": [{1}, {2}], "b": [{1}, {1}]}, "f1"), r"Name an average for f1"),
        (lambda: ix.power([{1}, {2}], {"a": [{1}, {2}], "b": [{1}, {1}]}, "multiclass_mcc"), r"There is no confusion matrix"),
        (lambda: ix.power(BOTH, "f1", classes=[0, 1]), r"classes= does not go with a joint, which takes difference="),
        (lambda: ix.power(BOTH, "f1", missing="mask"), r"missing= does not go with a joint"),
        (lambda: ix.power(BOTH, LABELS[1], "f1"), r"A joint holds the predictions"),
        (
            lambda: ix.power(BOTH, "auc"),
            r"auc needs the scores of each example: count with scores=True in ix.inference.paired_counts",
        ),
        (
            lambda: ix.power(ix.inference.paired_counts(*LABELS, labels=False, scores=True), "f1"),
            r"f1 needs decisions: leave labels= out",
        ),
        (
            lambda: ix.power(ix.inference.paired_counts(LABELS[0], {**LABELS[1], "c": [0, 1, 1, 0]}), "f1"),
            r"but 3 were given: a, b, c",
        ),
        (lambda: ix.power(*SETS, "f1", "exemplar", sample_weight=[1, 2]), r"cannot be planned here: the examples have weights"),
        (lambda: ix.power({"a": EV, "b": EV}, "f1"), r"Two evaluations do not tell"),
        (lambda: ix.power(LABELS[0], {"a": EV, "b": EV}, "f1"), r"Two evaluations do not tell"),
        (lambda: ix.power([1, 2], [1, 2], "f1"), r"by name: y_true, \{'lr': a, 'rf': b\}"),
        (lambda: ix.power(TABLE, "f1", "macro"), r"A joint table has one axis for the true class"),
        (lambda: ix.power(np.full((2, 2, 2), 0.125), "f1"), r"Multiply shares by n"),
        (lambda: ix.power(np.zeros((2, 2, 2)), "f1"), r"There are no examples"),
        (lambda: ix.power([0, 0], {"a": [0, 0], "b": [0, 1]}, "recall"), r"recall of a is undefined here"),
        (lambda: ix.power(ix.from_confusion([[5, 0], [0, 0]]), "recall", width=0.1), r"is undefined here"),
        (lambda: ix.power(accuracy=(0.9, 1.2)), r"must be two shares"),
        (lambda: ix.power(accuracy=0.9), r"must be two shares"),
        (lambda: ix.power(accuracy=(0.9, 0.8), disagreement=0.05), r"lies between 0.1 and 0.3"),
        (lambda: ix.power(accuracy=(0.9, 0.8), n=0), r"n=0 must be a whole number"),
    ],
)
def test_what_cannot_be_planned_is_refused(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_the_search_finds_the_smallest_number_from_any_guess() -> None:
    for border in (1, 2, 63, 64, 65, 1000, 10**12):
        for guess in (0, 1, 7, 64, 999, 1e6, 1e13, math.inf):
            assert least(lambda n, border=border: n >= border, guess) == border
    assert rejection(0.1, 0.0, 0.95) == 1.0


def test_labels_joints_and_the_joint_table_are_counted_alike() -> None:
    y, a, b = predictions(5, 500, 0.6, 0.1)
    table = np.zeros((5, 5, 5), int)
    np.add.at(table, (y, a, b), 1)
    joint = sum(ix.inference.paired_counts(y[some], {"a": a[some], "b": b[some]}) for some in (slice(200), slice(200, None)))
    for measure, average in (("f1", "macro"), ("mcc", "weighted"), ("recall", "exemplar"), ("multiclass_mcc", None)):
        found = ix.power(y, {"a": a, "b": b}, measure, average)
        assert found == ix.power(joint, measure, average)
        assert found == replace(ix.power(table, measure, average), names=("a", "b"))
    assert set(PROPORTIONS) == {"mid_p", "wilson", "clopper_pearson", "jeffreys", "agresti_coull"}


def test_weights_and_masks_are_those_of_evaluate() -> None:
    y, a, b = predictions(3, 300, 0.7, 0.05)
    twice, keep = np.where(np.arange(300) < 150, 2, 1), np.arange(300) % 3 > 0
    weighted = ix.power(y, {"a": a, "b": b}, "f1", "macro", sample_weight=twice)
    assert weighted.values == ix.power(*_repeat(twice, y, a, b), "f1", "macro").values
    assert weighted == ix.power(ix.inference.paired_counts(y, {"a": a, "b": b}, sample_weight=twice), "f1", "macro")
    masked = ix.power(y, {"a": a, "b": b}, "f1", "macro", mask=keep)
    assert masked.p_value == pytest.approx(ix.power(*_repeat(keep, y, a, b), "f1", "macro").p_value)


def _repeat(times: Any, y: Any, a: Any, b: Any) -> Any:
    return np.repeat(y, times), {"a": np.repeat(a, times), "b": np.repeat(b, times)}


def test_a_total_is_planned_as_its_mean() -> None:
    """A total grows with the examples that are planned; its mean does not."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    both = {name: np.where(rng.random(200) < p, y, 1 - y) for name, p in (("a", 0.85), ("b", 0.8))}
    total, mean = (ix.power(y, both, measure) for measure in ("5*fn+fp", "(5*fn+fp)/n"))
    assert (total.n, total.difference) == (mean.n, mean.difference)
    assert "its mean is planned" in str(total)
    assert "its mean is planned" not in str(mean)
    ev = ix.evaluate(y, both["a"])
    assert ix.power(ev, "5*fn+fp", width=0.1).n == ix.power(ev, "(5*fn+fp)/n", width=0.1).n
