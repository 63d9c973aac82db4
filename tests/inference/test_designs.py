"""Laws of designs: prevalences that are known, numbers of examples that were chosen, and intervals that hold at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from fuzz.own_formulas import RATES

EV = ix.evaluate([0] * 500 + [1] * 500, [0] * 456 + [1] * 44 + [0] * 44 + [1] * 456)
THREE = ix.from_confusion([[40, 5, 5], [2, 30, 3], [0, 1, 9]])
OWN = [ix.measure(text, range=(0, 1)) for text in RATES]
MEASURES = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages] + OWN


def test_the_score_at_a_prevalence_is_that_of_the_rates() -> None:
    at = EV.interval("precision", prevalence=0.02)
    assert at.value == pytest.approx(0.02 * 0.912 / (0.02 * 0.912 + 0.98 * 0.088))
    assert at.low < at.value < at.high < 0.25
    assert at.note == "At a prevalence of 0.02."
    assert tuple(at) == tuple(EV.with_priors({0: 0.98, 1: 0.02}).interval("precision"))
    low, high = EV.interval("recall")
    assert tuple(EV.interval("recall", prevalence=0.02)) == pytest.approx((low, high))


@for_each("table", [[[855, 95], [5, 45]], [[855, 95], [6, 44]], [[760, 190], [10, 40]]])
def test_shares_that_make_whole_numbers_are_no_examples(table: list[list[int]]) -> None:
    ev = ix.from_confusion(table, positive=1)
    moved = ev.with_priors([0.5, 0.5])
    assert moved.confusion.dtype.kind == "i"
    for name in ("recall", "specificity"):
        assert tuple(moved.interval(name)) == pytest.approx(tuple(ev.interval(name)))
    other = ev.with_priors([0.4999999, 0.5000001])
    for name in ("precision", "f1", "informedness", "accuracy"):
        assert tuple(moved.interval(name, "binary")) == pytest.approx(tuple(other.interval(name, "binary")), abs=1e-4)
    assert tuple(moved.interval("f1", "macro")) == pytest.approx(tuple(other.interval("f1", "macro")), abs=1e-4)


@for_each("measure", MEASURES)
def test_every_measure_has_an_interval_at_a_prevalence_or_a_reason(measure: Any) -> None:
    moved = EV.with_priors({0: 0.9, 1: 0.1})
    for average in ("binary", "macro", "micro"):
        try:
            found = EV.interval(measure, average, prevalence=0.1, draws=50)
        except ValueError as reason:
            assert "There is no" in str(reason)  # noqa: PT017
            continue
        assert found.value == pytest.approx(float(moved.score(measure, average)), nan_ok=True)
        assert math.isnan(found.low) or found.low <= found.value <= found.high


def test_chosen_numbers_of_examples_leave_functions_of_rates_as_they_are_and_make_others_surer() -> None:
    for ev, average in ((EV, "binary"), (THREE, "macro")):
        for name in ("recall", "balanced_accuracy", "precision", "f1"):
            plain, chosen = ev.interval(name, average), ev.interval(name, average, sampled="by class")
            assert chosen.value == plain.value
            if name in ("recall", "balanced_accuracy") and average == "binary":
                assert tuple(chosen) == pytest.approx(tuple(plain))
            assert chosen.width < 1.02 * plain.width


def test_a_range_of_prevalences_has_the_interval_of_all_of_them() -> None:
    found = EV.interval("precision", prevalence=(0.01, 0.05))
    ends = [EV.interval("precision", prevalence=share) for share in (0.01, 0.03, 0.05)]
    assert (found.low, found.value, found.high) == pytest.approx((ends[0].low, ends[1].value, ends[2].high))
    assert "from 0.01 to 0.05" in found.note


@pytest.mark.one_fast_case
@pytest.mark.parametrize("measure", ["precision", "f1", "accuracy", "mcc"])
@pytest.mark.parametrize("sizes", [(200, 200), (300, 30)])
def test_intervals_of_sampled_classes_cover(measure: str, sizes: tuple[int, int]) -> None:
    rng, right, trials = np.random.default_rng(1), (0.95, 0.8), 300
    truth = float(ix.from_confusion([[980_000 * 95 // 100, 980_000 * 5 // 100], [4000, 16_000]]).score(measure, "binary"))
    low = high = 0
    for _ in range(trials):
        hits = [rng.binomial(n, p) for n, p in zip(sizes, right, strict=True)]
        ev = ix.from_confusion([[hits[0], sizes[0] - hits[0]], [sizes[1] - hits[1], hits[1]]], positive=1)
        found = ev.interval(measure, "binary", prevalence=0.02)
        low, high = low + (found.low > truth), high + (found.high < truth)
    assert low + high < 0.09 * trials
    assert max(low, high) < 0.07 * trials


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: THREE.interval("f1", "macro", prevalence=0.1), "there is none. Give the share of each class"),
        (lambda: EV.interval("f1", prevalence=2), r"prevalence=2 must be the share"),
        (lambda: EV.interval("f1", prevalence=(0.2, 0.2)), "two different ends"),
        (lambda: EV.interval("f1", sampled="random"), "sampled='random' is unknown"),
        (lambda: EV.interval("f1", sampled="by class", method="bca"), "which was chosen here"),
        (lambda: THREE.interval("accuracy", "exemplar", sampled="by class"), "mean over examples"),
        (lambda: ix.inference.interval(ix.sweep([0, 1, 1], [0.1, 0.2, 0.3]), "auc", prevalence=0.1), "are for evaluations"),
        (
            lambda: ix.evaluate([0, 1, 1, 0], [0, 1, 1, 1], by={"s": [1, 1, 2, 2]}).interval(
                "f1", sampled="by class", clusters="s"
            ),
            "leave out clusters=",
        ),
        (lambda: ix.from_confusion([[5, 0], [5, 0]]).interval("mcc", undefined=1), "which does not vary"),
    ],
)
def test_what_does_not_go_together_is_refused(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()


def test_a_reprior_keeps_its_design_in_files_and_sums(tmp_path: Any) -> None:
    moved = EV.with_priors({0: 0.98, 1: 0.02})
    moved.save(tmp_path / "moved.json")
    again = ix.load(tmp_path / "moved.json")
    assert again.interval("precision") == moved.interval("precision")
    both = moved + moved
    assert both.tally.by_class
    assert both.interval("precision").width == pytest.approx(moved.interval("precision").width / math.sqrt(2), rel=0.05)


def test_odds_with_an_empty_cell_have_a_lower_end() -> None:
    for table in ([[50, 0], [3, 20]], [[50, 5], [0, 20]]):
        found = ix.from_confusion(table).interval("diagnostic_odds_ratio")
        assert (found.value, found.high) == (math.inf, math.inf)
        assert 1 < found.low < math.inf
        assert "A count is 0" in found.note
    assert math.isnan(ix.from_confusion([[0, 50], [0, 20]]).interval("diagnostic_odds_ratio").low)


@pytest.mark.slow
def test_simultaneous_intervals_hold_all_at_once() -> None:
    rng, m, trials, rates = np.random.default_rng(3), 8, 300, np.linspace(0.7, 0.95, 8)
    missed = 0
    for _ in range(trials):
        hits = rng.binomial(60, rates)
        table = np.diag(hits)
        table[np.arange(m), (np.arange(m) + 1) % m] = 60 - hits
        found = ix.from_confusion(table).values("recall", interval="simultaneous")
        missed += bool(((found.low > rates) | (found.high < rates)).any())
    assert 0.01 * trials < missed < 0.08 * trials
    assert repr(found).endswith("; all at once)")
    one = found.intervals[0]
    assert (one.level, one.method) == (0.95, "mid_p, simultaneous")
    assert one.note == "It holds at once with those of 7 other units."
    assert one.width > ix.from_confusion(table).values("recall", interval=True).intervals[0].width


def test_a_balanced_sample_of_two_classes_is_said_to_look_designed() -> None:
    assert [f.kind for f in EV.findings()] == ["designed"]
    assert "designed" not in [f.kind for f in EV.with_priors([0.5, 0.5]).findings()]
    assert "designed" not in [f.kind for f in EV.findings(["recall", "balanced_accuracy"])]
    assert "designed" not in [f.kind for f in ix.from_confusion([[50, 0], [10, 40]], positive=1).findings()]


ONE_WRONG = [[199, 1], [3, 37]]


@pytest.mark.parametrize("table", [[[200, 0], [3, 37]], ONE_WRONG])
def test_lift_is_at_most_one_divided_by_the_prevalence(table: Any) -> None:
    assert ix.from_confusion(table).interval("lift", "binary", prevalence=0.01).high == pytest.approx(100)
    assert ix.from_confusion(ONE_WRONG).interval("odds_ratio", "binary", prevalence=0.01).high > 1000
    infinite = ix.from_confusion([[200, 0], [3, 37]])
    plain, moved = (infinite.interval("odds_ratio", "binary", **x) for x in ({"sampled": "by class"}, {"prevalence": 0.01}))
    assert tuple(moved) == pytest.approx(tuple(plain), rel=0.2)


def test_an_average_of_labels_at_other_prevalences_leads_to_each_label() -> None:
    rng = np.random.default_rng(0)
    true = rng.random((200, 3)) < 0.4
    ev = ix.evaluate(true.astype(int), (true ^ (rng.random((200, 3)) < 0.2)).astype(int)).with_priors({0: 0.1, 1: 0.2, 2: 0.3})
    with pytest.raises(ValueError, match=r"Take each label alone, ev\.values\(measure, interval=True\)"):
        ev.interval("f1", "macro")
    found = ev.values("f1", interval=True)
    assert (found.low < found).all()
    assert (found < found.high).all()


@pytest.mark.parametrize("at", [0.02, 0.1, 0.5])
def test_a_net_benefit_at_another_prevalence_covers_as_its_rates_do(at: float) -> None:
    """Its interval was that of a normal distribution: at low thresholds, where all are predicted positive, it was a point."""
    n, right, wrong = 20, 0.97, 0.9
    measure, true = ix.measures.net_benefit.at(p_t=at), 0.02 * right - 0.98 * wrong * at / (1 - at)
    chances = [[math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)] for share in (right, wrong)]
    held = 0.0
    for tp, of_tp in enumerate(chances[0]):
        for fp, of_fp in enumerate(chances[1]):
            if of_tp * of_fp < 1e-5:
                continue
            ends = ix.from_confusion([[n - fp, fp], [n - tp, tp]]).interval(measure, "binary", prevalence=0.02)
            held += of_tp * of_fp * (ends.low <= true <= ends.high)
    assert ends.method == "rates"
    assert 0.93 < held <= 0.99
