"""Scores without labels: published numbers, laws, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from loops import for_each

import indicatrix as ix
from benchmarks.draws import samples
from benchmarks.unlabeled import SCORES, of_expected
from indicatrix.tally.corrected.by_reference import DRIFT, SHIFTS, shares_of
from indicatrix.unlabeled.class_shares import is_mixture, same_in_groups

# NannyML's tests/performance_estimation/CBPE/test_cbpe_metrics.py at 4c86ee3: estimated cells of two chunks and what follows.
CHUNKS = (
    (
        (9488.96406430504, 567.0359356949585, 475.8920580187156, 9468.107941981285),
        {"f1": 0.9479079222515973, "precision": 0.9436121782324026, "recall": 0.9522429574319092},
        {"specificity": 0.9434949869571513, "accuracy": 0.9478536003143163},
    ),
    (
        (14537.180201036117, 1267.8197989638852, 994.4018804500995, 13200.5981195499),
        {"f1": 0.9278089207836576, "precision": 0.9197836255005452, "recall": 0.9359754933378336},
        {"specificity": 0.9123732942949082, "accuracy": 0.9245926106862006},
    ),
)


@for_each("cells, first, second", CHUNKS)
def test_expected_cells_of_another_library(cells: Any, first: Any, second: Any) -> None:
    """Cells are sums of probabilities: probabilities with these means in predicted positives and negatives have the same."""
    tp, fp, fn, tn = cells
    positive, negative = round(tp + fp), round(fn + tn)
    proba = np.repeat([tp / (tp + fp), fn / (fn + tn)], [positive, negative])
    ev = ix.expected(proba, np.repeat([1, 0], [positive, negative]))
    assert [float(x) for x in ev.binary()] == pytest.approx(cells, rel=1e-9)
    for name, value in {**first, **second}.items():
        assert ev.score(name) == pytest.approx(value, rel=1e-9)


def sample(n: int, m: int = 2, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    table = rng.dirichlet(np.ones(m), n)
    return np.array([rng.choice(m, p=row) for row in table]), table


def same(one: Any, other: Any, tolerance: float = 1e-9) -> bool:
    return (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), abs=tolerance)


@pytest.mark.parametrize("m", [2, 4])
def test_probabilities_alone_are_the_product_of_memberships(m: int) -> None:
    _, table = sample(300, m)
    pred = table.argmax(axis=1)
    ev = ix.expected(table, pred)
    soft = ix.evaluate(table, np.eye(m)[pred], tnorm="product")
    for name in ("f1", "precision", "mcc", "jaccard"):
        for average in ("macro", "micro", "weighted"):
            assert ev.score(name, average) == pytest.approx(soft.score(name, average), rel=1e-9)
    several = ix.expected(table, np.eye(m)[pred])
    assert several.score("f1", "macro") == pytest.approx(soft.score("f1", "macro"), rel=1e-9)


def test_certain_probabilities_are_labels() -> None:
    y, table = sample(200, 3)
    pred = table.argmax(axis=1)
    ev, plain = ix.expected(np.eye(3)[y], pred), ix.evaluate(y, pred)
    assert ev.confusion == pytest.approx(plain.confusion)
    for measure, average in (("f1", "macro"), ("accuracy", None), ("multiclass_mcc", None)):
        assert same(ev.interval(measure, average), plain.interval(measure, average), 4e-3)


@for_each("shift, m", [(shift, m) for shift in SHIFTS for m in (2, 3)])
def test_what_a_row_adds_is_the_derivative(shift: str, m: int) -> None:
    rng = np.random.default_rng(3)
    prediction = np.repeat(np.arange(m), 3)
    h = len(prediction)
    reference = rng.integers(1, 40, (h, m)).astype(float)
    target = reference @ rng.uniform(0.5, 2, m) + rng.integers(0, 3, h)  # so that no class is absent
    amounts = rng.normal(size=(h, m))

    def total(target: Any, reference: Any) -> float:
        return float((target[:, None] * amounts * SHIFTS[shift](target, reference, prediction).labels).sum())

    made = SHIFTS[shift](target, reference, prediction)
    own, moved = made.along(target[:, None] * amounts)
    own = own + (amounts * made.labels).sum(axis=1)
    for i in range(h):
        step = 1e-4 * (np.arange(h) == i)
        slope = (total(target + step, reference) - total(target - step, reference)) / 2e-4
        assert own[i] == pytest.approx(slope, abs=1e-5)
        for k in range(m):
            cell = step[:, None] * (np.arange(m) == k)
            slope = (total(target, reference + cell) - total(target, reference - cell)) / 2e-4
            assert moved[i, k] == pytest.approx(slope, abs=1e-5)


@for_each("shift", SHIFTS)
def test_every_catalogue_measure_has_its_value_in_its_interval(shift: str) -> None:
    y, table = sample(400, 3)
    ev = ix.expected(sample(300, 3, 1)[1], decide="argmax", reference=(y, table), shift=shift)
    for measure in list(ix.algebra.MEASURES.values())[::2]:
        try:
            found = ev.interval(measure, "macro")
        except ValueError:
            continue
        assert not np.isfinite(found.value) or found.low <= found.value <= found.high, measure


HEAVY = [(slice(0, 150), np.full(150, 2.0)), (slice(150, 400), np.ones(250))]  # in each part, all rows weigh the same


@for_each("shift", SHIFTS)
def test_laws_of_rows_classes_and_parts(shift: str) -> None:
    y, table = sample(500, 3)
    new = sample(400, 3, 1)[1]
    options: dict[str, Any] = {"decide": "argmax", "shift": shift}
    ev = ix.expected(new, reference=(y, table), **options)
    order, other = np.random.default_rng(0).permutation(400), np.random.default_rng(1).permutation(500)
    turned = ix.expected(new[order], reference=(y[other], table[other]), **options)
    parts = ix.expected(new[:150], reference=(y, table), **options) + ix.expected(new[150:], reference=(y, table), **options)
    heavy = [ix.expected(new[at], reference=(y, table), sample_weight=w, **options) for at, w in HEAVY]
    names = ("c", "b", "a")
    renamed = ix.expected(
        pd.DataFrame(new[:, ::-1], columns=list(names)),
        decide="argmax",
        reference=([("a", "b", "c")[k] for k in y], pd.DataFrame(table[:, ::-1], columns=list(names))),
        shift=shift,
    )
    weighed = ix.expected(new, reference=(y, table), sample_weight=np.full(400, 7.0), **options)
    assert parts == ev
    assert sum(heavy) == ix.expected(new, reference=(y, table), sample_weight=np.concatenate([w for _, w in HEAVY]), **options)
    for measure, average in (("f1", "macro"), ("multiclass_kappa", None), ("precision", "weighted")):
        found = ev.interval(measure, average)
        for one in (turned, parts, renamed, weighed):
            assert same(found, one.interval(measure, average), 1e-7)
    assert ev.score("precision", "macro") == pytest.approx(np.mean([ev.values("precision")[k] for k in range(3)]))


@for_each("shift", SHIFTS)
def test_totals_and_predictions_are_kept(shift: str) -> None:
    y, table = sample(500, 3)
    new = sample(400, 3, 1)[1]
    counts = ix.expected(new, decide="argmax", reference=(y, table), shift=shift).aggregate("class")
    assert counts.n.tolist() == pytest.approx([400] * 3)
    assert counts.ppos.tolist() == pytest.approx(np.bincount(new.argmax(axis=1)).tolist())


def test_the_reference_itself_is_expected_of_itself_under_label_shift() -> None:
    y, table = sample(600, 3)
    found = ix.expected(table, decide="argmax", reference=(y, table), shift="label")
    assert found.confusion == pytest.approx(ix.evaluate(y, table, decide="argmax").confusion, abs=1e-4)


def test_label_shift_by_predictions_feeds_with_priors() -> None:
    y, table = sample(800)
    rng = np.random.default_rng(5)
    truth, new = sample(2000, 2, 7)
    kept = (truth == 0) | (rng.random(2000) < 0.4)
    options: dict[str, Any] = {"decide": "argmax", "reference": (y, table)}
    found = ix.expected(new[kept], shift="label", strata=1, **options)
    shares = ix.inference.class_shares(new[kept], **options)
    priors = {k: float(x.value) for k, x in shares.intervals["predictions"].items()}
    moved = ix.evaluate(y, table, decide="argmax").with_priors({k: Fraction(p) for k, p in priors.items()})
    assert found.score("f1") == pytest.approx(moved.score("f1"), abs=1e-6)
    assert shares.priors[1] == pytest.approx((truth[kept] == 1).mean(), abs=0.06)
    low, high = shares.intervals["label"][1].low, shares.intervals["label"][1].high
    assert low < shares.priors[1] < high


def test_groups_saving_several_labels_and_comparisons(tmp_path: Any) -> None:
    rng = np.random.default_rng(0)
    proba, known = rng.random((500, 3)), rng.random((400, 3))
    labels = (known > rng.random((400, 3))).astype(int)
    ev = ix.expected(proba, decide=0.6, reference=(labels, known), by={"site": np.arange(500) % 2})
    assert ev.aggregate().n == pytest.approx(1500)
    ev.save(tmp_path / "ev.json")
    again = ix.load(tmp_path / "ev.json")
    assert again == ev
    assert again.interval("f1", "macro") == ev.interval("f1", "macro")
    assert ev.compare_groups("f1", "site", average="micro").values.shape == (2,)
    with pytest.raises(ValueError, match="nothing is known about single examples"):
        ev.score("f1", "exemplar")
    with pytest.raises(ValueError, match="not a sum of labels"):
        ix.expected(proba, decide=0.6).score("f1", "exemplar")
    assert "macro" in str(ev)
    plain = ix.expected(proba[:, 0], decide=0.5)
    plain.save(tmp_path / "plain.json")
    assert ix.load(tmp_path / "plain.json").interval("f1") == plain.interval("f1")


def test_predictions_of_the_reference_follow_by_the_same_rule() -> None:
    y, table = sample(300, 3)
    new = sample(200, 3, 1)[1]
    ruled = ix.expected(new, decide="argmax", reference=(y, table))
    assert same(ix.expected(new, new.argmax(axis=1), reference=(y, table)).interval("f1", "macro"), ruled.interval("f1", "macro"))
    given = ix.expected(new, new.argmax(axis=1), reference=(y, table, table.argmax(axis=1)))
    assert given.interval("f1", "macro") == ruled.interval("f1", "macro")
    one, scores = sample(300)[0], sample(300)[1][:, 1]
    new1 = np.linspace(0, 1, 501)
    cut = ix.expected(new1, (new1 >= 0.3).astype(int), reference=(one, scores))
    assert same(cut.interval("f1"), ix.expected(new1, decide=0.3, reference=(one, scores)).interval("f1"), 1e-12)
    matrix = (table >= 0.4).astype(int)
    both = ix.expected(new, (new >= 0.4).astype(int), reference=(matrix, table))
    ruled = ix.expected(new, decide=0.4, reference=(matrix, table))
    assert both.score("f1", "macro") == pytest.approx(ruled.score("f1", "macro"), abs=0.02)  # rows may score between the cuts
    with pytest.raises(ValueError, match="No argmax and no threshold"):
        ix.expected(new1, np.arange(501) % 2, reference=(one, scores))
    text = np.array(["no", "yes"], object)
    words = ix.expected(new1, decide=0.3, reference=(text[one], scores), positive="yes")
    assert words.score("f1") == pytest.approx(cut.score("f1"))


def test_what_is_refused() -> None:
    y, table = sample(50)
    for call, words in (
        (lambda: ix.expected([0.2, 0.7]), "Neither y_pred= nor decide="),
        (lambda: ix.expected([0.2, 0.7], [0, 1], decide=0.5), "Both y_pred= and decide="),
        (lambda: ix.expected([0.2, 1.7], [0, 1]), "is not a probability"),
        (lambda: ix.expected([[0.2, 0.7]], [1]), "sum to 0.9"),
        (lambda: ix.expected([0.2, float("nan")], [0, 1]), "NaN"),
        (lambda: ix.expected([[0.2, float("inf")]], [0]), "a score is needed"),
        (lambda: ix.expected([0.2, 0.7], ["a", "b"]), "Give classes="),
        (lambda: ix.expected([0.2, 0.7], [0, 1, 1]), "y_proba has 2 examples and y_pred 3"),
        (lambda: ix.expected(table, decide="argmax", shift="label"), "needs reference="),
        (lambda: ix.expected(table, decide="argmax", shift="lable"), "Did you mean label"),
        (lambda: ix.expected(table, decide="argmax", reference=(y, table), strata=0), "strata=0"),
        (
            lambda: ix.inference.class_shares(table, decide="argmax", reference=(y, table), strata=2.5),
            "strata=2.5 must be a whole",
        ),
        (lambda: ix.expected(table, decide="argmax", reference=y), "is not"),
        (lambda: ix.expected(table, decide="argmax", reference=(y[:9], table)), "9"),
    ):
        with pytest.raises((ValueError, TypeError), match=words):
            call()


def test_every_result_says_what_it_cannot_see() -> None:
    y, table = sample(400)
    for ev in (
        ix.expected(table, decide="argmax"),
        *(ix.expected(table, decide="argmax", reference=(y, table), shift=shift) for shift in SHIFTS),
    ):
        assert DRIFT in ev.tally.corrected.fit.notes
        assert all(DRIFT.split(":")[0] in text for text in (str(ev), str(ev.table(interval=True)), ev.interval("accuracy").note))
        both = ix.compare({"a": ev, "b": ev}, "accuracy", level=0.95)
        assert both.doubts.count(DRIFT) == 1
    shifted = ix.expected(np.sqrt(table[:, 1]), decide=0.5, reference=(y, table[:, 1]))
    gone = ix.expected(np.full((9, 3), 1 / 3), decide="argmax", reference=([0, 1] * 30, [[0.5, 0.3, 0.2], [0.2, 0.5, 0.3]] * 30))
    named = [note for note in gone.tally.corrected.fit.notes if note.startswith("No row of the reference is of class")]
    assert [note[:50] for note in named] == ["No row of the reference is of class 3 of 3, so not"]
    assert not any(note.startswith("No row of the reference") for note in shifted.tally.corrected.fit.notes)
    assert any("The two assumptions disagree" in note for note in shifted.tally.corrected.fit.notes)
    odd = ix.expected(np.full(50, 0.9), np.zeros(50, int), reference=(y, table[:, 1], (table[:, 1] > 2).astype(int)), strata=1)
    assert not any("like fewer than" in note for note in odd.tally.corrected.fit.notes)
    rare = ix.expected(np.full(50, 0.9), np.ones(50, int), reference=(y, table[:, 1], (table[:, 1] > 2).astype(int)))
    assert any("100.0% of the rows are like fewer than" in note for note in rare.tally.corrected.fit.notes)


def test_tests_of_the_assumptions() -> None:
    rng = np.random.default_rng(0)
    inside, group = rng.integers(0, 5, 2000), np.repeat([0, 1], 1000)
    y = (rng.random(2000) < 0.1 + 0.15 * inside).astype(int)
    late = np.where((group == 1) & (rng.random(2000) < 0.2), 1, y)
    assert same_in_groups(inside, y, group) > 0.01
    assert same_in_groups(inside, late, group) < 1e-6
    p = [same_in_groups(inside, (rng.random(2000) < 0.3).astype(int), rng.permutation(group)) for _ in range(200)]
    assert np.mean(np.array(p) < 0.1) == pytest.approx(0.1, abs=0.07)
    counts = np.array([rng.multinomial(400, share) for share in ([0.5, 0.3, 0.1, 0.1], [0.1, 0.2, 0.3, 0.4])], float).T
    p = [is_mixture(rng.multinomial(500, [0.3, 0.25, 0.2, 0.25]).astype(float), counts) for _ in range(3)]
    assert np.isnan(is_mixture(np.ones(2), np.ones((2, 2))))
    assert is_mixture(np.array([10.0, 400, 10, 10]), counts) < 1e-6
    assert len(p) == 3
    found = ix.inference.class_shares(sample(300, 2, 3)[1], decide="argmax", reference=sample(400), periods=["x", "y"] * 200)
    assert set(found.possible) <= {"covariate", "label"}
    assert "all periods" in str(found)


@for_each("strata, way, shift", [(2, "covariate", "covariate"), (2, "label", "label"), (1, "predictions", "label")])
def test_shares_have_the_interval_of_the_measure_prevalence(strata: int, way: str, shift: str) -> None:
    """A share of 0 is not certain: of 50 rows that all look negative, some may be positive."""
    y, table = sample(500, 3)
    known = [0, 1, 0, 1] * 30, [0.2, 0.7, 0.3, 0.9] * 25 + [0.4, 0.8, 0.6, 0.4] * 5
    cases: list[tuple[Any, dict[str, Any]]] = [
        (sample(400, 3, 1)[1], {"decide": "argmax", "reference": (y, table)}),
        ([0.05] * 50, {"decide": 0.5, "reference": known}),
    ]
    for new, options in cases:
        shares = ix.inference.class_shares(new, strata=2, **options).intervals[way]
        ev = ix.expected(new, shift=shift, strata=strata, **options)
        assert sum(found.value for found in shares.values()) == pytest.approx(1)
        for name, found in shares.items():
            assert same(found, ev.with_positive(name).interval("prevalence", "binary"))
            assert found.high - found.low > 0.01
        corrected = ev.tally.corrected
        place = np.array(corrected.rows.strata)[corrected.rows.columns["stratum"][:, 0].astype(int)]
        made = corrected.method.reference.shift(shift, 0, len(ev.classes), place, corrected.rows.times)
        assert shares_of(made)[0] == pytest.approx([found.value for found in shares.values()], abs=1e-9)


@pytest.mark.slow
@for_each("world, way, least", [("overconfident", "covariate", 0.7), ("… and label shift", "label, scores", 0.7)])
def test_intervals_cover_where_the_assumption_holds(world: str, way: str, least: float) -> None:
    ((_, found),) = samples(of_expected, [(world, way, 500, 1000)], 12)
    assert (found[:, :, 0].mean(axis=0) >= least).all(), found


@pytest.mark.slow
def test_intervals_miss_after_concept_drift() -> None:
    ((_, found),) = samples(of_expected, [("… and concept drift", "covariate", 2000, 1000)], 8)
    assert found[:, SCORES.index("precision"), 0].mean() < 0.5


def test_groups_that_share_a_reference_are_compared_without_what_they_share() -> None:
    rng = np.random.default_rng(0)
    y, table = sample(300, 2)
    new = sample(2000, 2, 1)[1]
    ev = ix.expected(new, decide="argmax", reference=(y, table), by={"half": rng.integers(0, 2, 2000)})
    found = ev.compare_groups("f1", "half")
    apart = found.difference_interval
    one, other = found.intervals.values()
    independent = np.hypot(one.high - one.low, other.high - other.low)
    assert apart.high - apart.low < 0.6 * independent
    assert apart.low <= 0 or found.test.p_value < 0.05
    assert found.test.p_value > 1e-3
    assert [pair.difference.value for pair in found.differences()] == [pytest.approx(found.difference)]


def test_few_rows_that_leave_a_class_out_are_expected_of_the_others() -> None:
    y, scores = [0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9]
    ev = ix.expected([0.1], decide=0.5, reference=(y, scores), shift="label")
    assert ev.score("accuracy") == 1
    assert np.isfinite(ev.interval("accuracy").low)


@pytest.mark.parametrize("reference", [None, (["b", "a"] * 40, [[0.9, 0.1], [0.2, 0.8]] * 40)])
def test_columns_of_scores_are_in_the_order_of_the_named_classes(reference: Any) -> None:
    table, predicted = [[0.9, 0.1], [0.2, 0.8]] * 40, ["b", "a"] * 40
    found = ix.expected(table, predicted, classes=["b", "a"], reference=reference)
    assert found.classes == ("b", "a")
    assert found.score("accuracy") == pytest.approx(0.85 if reference is None else 1, abs=0.001)
    decided = ix.expected(table, decide="argmax", classes=["b", "a"], reference=reference)
    assert decided.aggregate("class") == found.aggregate("class")


def test_names_of_columns_of_scores_are_not_passed_over() -> None:
    """They were taken by position where predictions were given: another F1, and no word."""
    table, predicted = pd.DataFrame([[0.9, 0.1], [0.2, 0.8]] * 40, columns=["a", "b"]), ["a", "b"] * 40
    turned, reference = table[["b", "a"]], (predicted, table, predicted)
    assert ix.expected(turned, predicted, reference=None).score("accuracy") == pytest.approx(0.85)
    for call in (
        lambda: ix.expected(turned, predicted, classes=["a", "b"]),
        lambda: ix.plan_labels(predicted, turned, budget=10, average="macro", classes=["a", "b"]),
        lambda: ix.expected(table, predicted, reference=(predicted, turned, predicted)),
        lambda: ix.expected(table.to_numpy(), predicted, reference=(predicted, turned, predicted)),
        lambda: ix.expected(turned, predicted, reference=reference),
    ):
        with pytest.raises(ValueError, match=r"are called .*, but the classes are .* Put both in the same order"):
            call()
