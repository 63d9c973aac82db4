"""Gates and confidence sequences: false alarms at all looks together, and the sum of what was seen is all that counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from loops import for_each
from scipy.special import betaln

import indicatrix as ix
from indicatrix.algebra.measure import MEASURES
from indicatrix.cli.gates import read_check
from indicatrix.inference.intervals.interval import betting_ends, level_at
from indicatrix.inference.planning.gate import read_limit


def batches(count: int, n: int = 200, right: float = 0.75, seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        y = rng.integers(0, 3, n)
        pred = np.where(rng.random(n) < right, y, (y + 1) % 3)
        found.append(ix.evaluate(y, pred, classes=range(3), by={"site": rng.integers(0, 30, n)}))
    return found


@for_each(("k", "n"), [(80, 100), (0, 5), (5, 5), (1, 1000), (500, 1000), (0, 0)])
def test_a_bettor_has_not_won_inside(k: int, n: int) -> None:
    """His capital against p is the mixture of likelihood ratios B(k + 1/2, n - k + 1/2) / B(1/2, 1/2) / p^k (1 - p)^(n - k)."""
    low, high = betting_ends(k, n, 0.95)

    def capital(p: float) -> float:
        return betaln(k + 0.5, n - k + 0.5) - betaln(0.5, 0.5) - k * math.log(p) - (n - k) * math.log1p(-p)

    for end in {low, high} - {0.0, 1.0}:
        assert capital(end) == pytest.approx(math.log(20), abs=1e-6)
    assert low <= (k / n if n else 0.5) <= high
    assert (low == 0) == (k == 0 or capital(1e-12) < math.log(20))


def test_false_alarms_of_a_rate_are_fewer_than_the_level_over_1000_looks() -> None:
    """By Ville's inequality for every rate and every n: 2,000 runs of 1,000 looks; benchmarks/watching.py has others."""
    rng = np.random.default_rng(1)
    looks = 10 * np.arange(1, 1001)
    ends = {}
    for rate in (0.9, 0.98):
        hits = rng.binomial(10, rate, (2000, 1000)).cumsum(axis=1)
        won = (
            betaln(hits + 0.5, looks - hits + 0.5)
            - math.log(math.pi)
            - hits * math.log(rate)
            - (looks - hits) * math.log1p(-rate)
        )
        ends[rate] = (won > math.log(20)).any(axis=1).mean()
        fixed = np.abs(hits / looks - rate) > 1.96 * np.sqrt(rate * (1 - rate) / looks)
        assert fixed[:, 10:].any(axis=1).mean() > 0.3  # intervals that are meant for one look
    assert max(ends.values()) < 0.05
    for at in (0, 100, 999):  # what the library computes is this test
        low, high = betting_ends(hits[0, at], looks[at], 0.95)
        assert (low <= 0.98 <= high) == (won[0, at] < math.log(20))


def test_levels_of_looks_are_those_of_the_paper() -> None:
    """Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), equation of their theorem 2.2, with its choice of rho."""
    for n in (30, 1000, 50_000):
        squared = (-2 * math.log(0.05) + math.log(-2 * math.log(0.05) + 1)) / 1000
        theirs = math.sqrt((n * squared + 1) / (n * squared) * math.log((n * squared + 1) / 0.05**2))
        assert math.erf(theirs / math.sqrt(2)) == pytest.approx(level_at(n, 0.95), abs=1e-12)


FEW, MANY = batches(1, seed=7)[0], sum(batches(9, seed=8))


@for_each("name", sorted(MEASURES))
def test_of_every_measure_a_sequence_is_wider_than_an_interval_and_narrows(name: str) -> None:
    measure = MEASURES[name]
    average = measure.averages[0] if measure.averages else "macro"
    widths = []
    for ev in (FEW, MANY):
        try:
            usual = ev.interval(measure, average)
        except ValueError:
            return
        if usual.method in ("posterior", "replicates", "none"):
            if math.isfinite(usual.value):
                with pytest.raises(ValueError, match=r"no confidence sequence|no interval"):
                    ev.interval(measure, average, method="sequential")
            return
        looks = ev.interval(measure, average, method="sequential")
        assert looks.low <= usual.low <= usual.value <= usual.high <= looks.high
        widths.append(looks.width)
    if all(map(math.isfinite, measure.range)):  # totals grow with the examples
        assert widths[1] <= widths[0]


@for_each("average", ["macro", "exemplar", "site", ("site", "macro")])
def test_averages_groups_and_clusters_have_sequences(average: Any) -> None:
    usual, looks = (MANY.interval("f1", average, method=how) for how in (None, "sequential"))
    assert looks.low < usual.low < usual.high < looks.high
    if average == "macro":
        usual, looks = (MANY.interval("f1", average, method=how, clusters="site") for how in (None, "sequential"))
        assert looks.low < usual.low < usual.high < looks.high


def test_a_gate_is_the_sum_of_what_it_saw(tmp_path: Any) -> None:
    some = batches(4)
    gate = ix.Gate(["macro f1=0.65", "accuracy = 0.9", "macro error_rate=0.3"])
    assert (gate.n, gate.failed, gate.reached) == (0, False, False)
    assert {v.answer for v in gate.verdicts} == {"undecided"}
    for ev in some:
        gate += ev
    assert gate == ix.Gate(gate.checks, seen=sum(some))
    assert gate == sum(ix.Gate(gate.checks, seen=ev) for ev in some)
    assert [v.answer for v in gate.verdicts] == ["reached", "failed", "reached"]
    assert gate.failed
    assert not gate.reached
    gate.save(tmp_path / "state.json")
    again = ix.load(tmp_path / "state.json")
    assert again == gate
    assert str(again) == str(gate)
    assert again.verdicts[0].interval.method == "sequential"
    other = ix.Gate("macro f1=0.7", 0.99, "site", 0, some[0])
    other.save(tmp_path / "other.json")
    assert ix.load(tmp_path / "other.json") == other


def test_batches_of_a_gate_all_have_weights_or_none_has() -> None:
    plain, weighted = (ix.evaluate([0, 1, 1], [0, 1, 0], sample_weight=w) for w in (None, [0.5, 2, 1]))
    gate = ix.Gate("accuracy=0.5")
    for one, other in ((plain, weighted), (weighted, plain), (weighted, gate + plain)):
        with pytest.raises(ValueError, match=r"Some batches of a gate have weights.*sample_weight=np\.ones\(n\)"):
            gate + one + other
    assert (gate + weighted + ix.evaluate([0, 1, 1], [0, 1, 0], sample_weight=np.ones(3))).n == 6
    assert (gate + ix.evaluate([], [], classes=[0, 1]) + weighted).n == 3


def test_a_gate_of_scores_stays_in_memory(tmp_path: Any) -> None:
    rng = np.random.default_rng(0)
    gate = ix.Gate(["auc=0.9", "brier=0.05"])
    for _ in range(3):
        y = rng.integers(0, 2, 300)
        gate += ix.sweep(y, np.clip(rng.random(300) * 0.7 + 0.3 * y, 0, 1))
    assert [v.answer for v in gate.verdicts] == ["failed", "failed"]
    with pytest.raises(ValueError, match="files hold no raw rows"):
        gate.save(tmp_path / "state.json")


def test_a_gate_watches_the_mean_over_groups(tmp_path: Any) -> None:
    """Which groupings there are, the evaluations say; accuracy inside of each is of examples."""
    for text in ("site accuracy=0.9", "accuracy site=0.9", "site tp / (tp + fp)=0.5"):
        gate = ix.Gate(text) + batches(1)[0]
        assert gate.verdicts[0].interval.value == pytest.approx(
            batches(1)[0].score(text.replace("site", "").split("=")[0].strip(), "site")
        )
        gate.save(tmp_path / "state.json")
        assert str(ix.load(tmp_path / "state.json")) == str(gate)
    assert ix.Gate("accuracy site=0.9").checks == ("site accuracy=0.9",)
    with pytest.raises(ValueError, match="average='ward' is unknown here"):
        _ = (ix.Gate("ward accuracy=0.9") + batches(1)[0]).verdicts


def test_an_undefined_score_is_undecided() -> None:
    gate = ix.Gate("precision=0.5") + ix.evaluate([0, 1, 1], [0, 0, 0])
    assert [v.answer for v in gate.verdicts] == ["undecided"]


@for_each("name", sorted(name for name, m in MEASURES.items() if m.better in ("higher", "lower")))
def test_the_text_of_a_check_is_a_check(name: str) -> None:
    for average in ("", "macro ", "micro "):
        if MEASURES[name].averages and average:
            continue
        limit = min(0.25, float(MEASURES[name].range[1]))
        one = read_limit(f"{average}{name}={limit}")
        again = read_limit(one.text)
        assert (again.text, again.measure, again.average, again.limit) == (one.text, one.measure, one.average, limit)


@for_each("name", sorted(name for name, m in MEASURES.items() if m.better in ("higher", "lower")))
def test_a_limit_that_no_value_or_every_value_reaches_is_refused(name: str) -> None:
    low, high = map(float, MEASURES[name].range)
    for limit in {low - 1, high + 1} - {-math.inf, math.inf}:
        for read in (read_limit, lambda text: read_check(text, ())):
            with pytest.raises(ValueError, match=r"so that all data have the same answer\. Write a limit between these"):
                read(f"{name}={limit!r}")
    for limit in {low, high} - {-math.inf, math.inf}:
        assert read_limit(f"{name}={limit!r}").limit == limit


REFUSED = {
    "f1": "is not a check",
    "f1=high": "is not a check",
    "=0.5": "is not a check",
    "prevalence=0.5": "no value can fail",
    "macro f11=0.5": "no measure 'f11'",
    "macor f1=0.5": "'macor' is not an average. Did you mean macro?",
    "site f11=0.5": "'site f11' is not a formula",
    "f1=1_0": "is not a check",
    "f1=nan": "is not a check",
}


@for_each("text", sorted(REFUSED))
def test_what_is_no_check_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=REFUSED[text]):
        ix.Gate(text)


def test_what_no_gate_can_watch_is_refused() -> None:
    ev = batches(1)[0]
    with pytest.raises(TypeError, match="at least one check"):
        ix.Gate([])
    with pytest.raises(TypeError, match="A gate adds evaluations, sweeps and gates that ask the same, and this is 3"):
        ix.Gate("f1=0.5") + 3
    with pytest.raises(ValueError, match="ask the same"):
        ix.Gate("macro f1=0.5") + ix.Gate("macro f1=0.6")
    with pytest.raises(ValueError, match="no confidence sequence"):
        ev.interval(ix.measure("max(tp, fp) / (tp + fp + fn + 1)", better="higher"), "macro", method="sequential")
    with pytest.raises(ValueError, match="no confidence sequence"):
        _ = (ix.Gate("macro tp / (fp + 1)=0.5") + ev).verdicts  # a formula without a finite range
    sets = ix.prediction_sets([0, 1] * 50, [{0, 1}] * 90 + [{0}] * 10)
    with pytest.raises(TypeError, match=r"of prediction sets found\.evaluation"):
        ix.Gate("recall=0.5") + sets
    assert (ix.Gate("exemplar recall=0.5") + sets.evaluation).reached


def test_a_gate_takes_one_kind_and_reads_limits_as_they_are_written() -> None:
    """Evaluations and sweeps do not add; a limit has one sign."""
    ev, swept = ix.evaluate([0], [0], classes=[0, 1]), ix.sweep([0, 1], [0.2, 0.7])
    for first, second in ((ev, swept), (swept, ev)):
        with pytest.raises(TypeError, match="evaluations or sweeps, not both"):
            ix.Gate("accuracy=0.5") + first + second
    with pytest.raises(ValueError, match="'accuracy' is not an area of scores"):
        _ = (ix.Gate("accuracy=0.5") + swept).verdicts
    for text in ("accuracy>=0.9", "accuracy ==0.9", ">=0.9", "lr = =0.9"):
        with pytest.raises(ValueError, match="is not a check"):
            ix.Gate(text)
    assert str(ix.Gate("accuracy=0.5") + ev).splitlines()[0] == "Gate after 1 example, level 0.95"
