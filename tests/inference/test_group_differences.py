"""Differences between groups with intervals and a test: oracles, the size of the test, and refusals."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from itertools import combinations

import numpy as np
import pytest
from loops import for_each
from scipy import stats

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.inference.groups.group_samples import LEVEL, of_intervals
from indicatrix.inference.stats.quantiles import chi_square_tail, two_sided


def groups(hits: list[int], sizes: list[int]) -> ix.Evaluation:
    """Return an evaluation in which the recall of group i is hits[i] of sizes[i]."""
    z = [x for k, n in zip(hits, sizes, strict=True) for x in [1] * k + [0] * (n - k)]
    return ix.evaluate([1] * len(z), z, classes=[0, 1], by={"site": np.repeat(range(len(sizes)), sizes)})


def random_evaluation(seed: int, n: int = 400, m: int = 3) -> ix.Evaluation:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, m, n)
    z = np.where(rng.random(n) < 0.7, y, rng.integers(0, m, n))
    return ix.evaluate(y, z, classes=range(m), by={"site": rng.integers(0, 3, n)}, **({"positive": 1} if m == 2 else {}))


@pytest.mark.parametrize("freedom", [1, 2, 3, 7, 50, 1000, 0.3, 2.5, 99.7])
def test_tails_are_those_of_scipy(freedom: float) -> None:
    for x in [0, 1e-6, 0.1, 1, 3, 10, 40, 200, freedom, 1.3 * freedom, 2 * freedom]:
        assert chi_square_tail(x, freedom) == pytest.approx(stats.chi2.sf(x, freedom), rel=1e-9, abs=1e-300), x
        assert two_sided(x) == pytest.approx(2 * stats.norm.sf(x), rel=1e-12)


@pytest.mark.parametrize(("hits", "sizes"), [([90, 80], [100, 100]), ([10, 12, 19], [40, 40, 40]), ([50] * 5, [50] * 5)])
def test_with_groups_of_one_size_the_test_is_pearsons(hits: list[int], sizes: list[int]) -> None:
    test = groups(hits, sizes).compare_groups("recall", "site").test
    table = np.array([hits, np.subtract(sizes, hits)])
    expected = stats.chi2_contingency(table, correction=False) if table.min(axis=1).all() else None
    assert test.p_value == pytest.approx(expected.pvalue if expected else 1.0, rel=1e-9)
    assert test.statistic == pytest.approx(expected.statistic if expected else 0.0)
    assert test.freedom == len(sizes) - 1


def test_groups_of_unequal_size_have_the_statistic_of_pearson_and_a_careful_p_value() -> None:
    hits, sizes = [38, 178, 930], [40, 200, 1000]
    test = groups(hits, sizes).compare_groups("recall", "site").test
    expected = stats.chi2_contingency([hits, np.subtract(sizes, hits)], correction=False)
    assert test.statistic == pytest.approx(expected.statistic)
    assert expected.pvalue < test.p_value == pytest.approx(expected.pvalue, rel=0.2)


@pytest.mark.parametrize(("hits", "sizes"), [([9, 4], [10, 12]), ([20, 0], [20, 15]), ([30, 30], [30, 30]), ([56, 48], [70, 80])])
def test_intervals_are_those_of_mid_p_and_differences_add_their_distances(hits: list[int], sizes: list[int]) -> None:
    found = groups(hits, sizes).compare_groups("recall", "site", level=0.9)
    for i, k, n in zip(found.intervals.values(), hits, sizes, strict=True):
        assert i.low == 0 if not k else stats.binom.sf(k, n, i.low) + stats.binom.pmf(k, n, i.low) / 2 == pytest.approx(0.05)
        assert i.high == 1 if k == n else stats.binom.cdf(k, n, i.high) - stats.binom.pmf(k, n, i.high) / 2 == pytest.approx(0.05)
    a, b = sorted(found.intervals.values(), key=lambda i: -i.value)
    apart = a.value - b.value
    expected = apart - math.hypot(a.value - a.low, b.high - b.value), apart + math.hypot(a.high - a.value, b.value - b.low)
    assert [*found.difference_interval] == pytest.approx(expected, abs=1e-9)
    (pair,) = found.differences()
    assert [*pair.difference] == pytest.approx(expected, abs=1e-9)
    assert found.difference_interval.value == found.difference == pair.difference.value


def test_p_values_of_pairs_are_those_of_the_largest_of_all() -> None:
    hits, sizes = [90, 70, 85, 40], [100, 100, 120, 60]
    found = groups(hits, sizes).compare_groups("recall", "site").differences()
    raw = {}
    for a, b in combinations(range(4), 2):
        table = [[hits[a], hits[b]], [sizes[a] - hits[a], sizes[b] - hits[b]]]
        raw[a, b] = stats.chi2_contingency(table, correction=True).pvalue  # the test of two shares with Yates' correction
    rng = np.random.default_rng(1)
    drawn = rng.standard_normal((200_000, 4)) / np.sqrt(sizes)
    largest = np.max([np.abs(drawn[:, a] - drawn[:, b]) / math.sqrt(1 / sizes[a] + 1 / sizes[b]) for a, b in raw], axis=0)
    expected = {pair: float((largest >= stats.norm.isf(p / 2)).mean()) for pair, p in raw.items()}
    assert {tuple(sorted((p.higher, p.lower))): p.p_value for p in found} == pytest.approx(expected, abs=0.003)
    assert [p.p_value for p in found] == sorted(p.p_value for p in found)
    assert found.to_dict()["p_value"] == [p.p_value for p in found]
    assert len(found.to_pandas()) == len(found.to_polars()) == len(found) == 6


@for_each("measure", ["recall", "f1", "diagnostic_odds_ratio", "(tp + tn) / (tp + tn + 2 * fp + 3 * fn)"])
@for_each("level", [0.8, 0.95, 0.99])
def test_all_that_is_said_about_two_groups_agrees(measure: str, level: float) -> None:
    """The test, the difference, its interval and the sentence never disagree; of more groups interval and p-value agree."""
    rng = np.random.default_rng(3)
    for _ in range(25):
        k = int(rng.integers(2, 5))
        site = np.repeat(range(k), rng.integers(8, 60, k))
        y = rng.integers(0, 2, len(site))
        z = np.where(rng.random(len(site)) < rng.uniform(0.5, 1, k)[site], y, 1 - y)
        found = ix.evaluate(y, z, classes=[0, 1], positive=1, by={"site": site}).compare_groups(measure, "site", level=level)
        if found.test is None:
            continue
        for pair in found.differences():
            assert pair.difference.low <= pair.difference.value <= pair.difference.high
            assert (pair.p_value < 1 - level) == (pair.difference.low > 0), (pair, measure)
        if k == 2:
            (pair,) = found.differences()
            assert pair.p_value == found.test.p_value
            assert [*found.difference_interval] == [*pair.difference]
            assert ("the groups differ" in str(found)) == (pair.difference.low > 0)


def test_the_size_of_a_share_is_recovered_from_its_interval() -> None:
    for k, n in ((0, 20), (20, 20), (7, 31), (500, 1000)):
        ev = ix.from_confusion([[1, 1], [n - k, k]], classes=[0, 1])
        precision = of_intervals([ev.interval("recall", "binary", level=LEVEL, method="wilson")], (0, 1))
        assert (precision.values[0], precision.sizes[0]) == pytest.approx((k / n, n), abs=1e-7)


@pytest.mark.parametrize("measure", ["recall", "precision", "accuracy", "specificity"])
def test_shares_read_from_counts_are_those_of_each_group_alone(measure: str) -> None:
    ev = random_evaluation(1, m=2)
    found = ev.compare_groups(measure, "site")
    for name, part in ev.split("site").items():
        alone = part.interval(measure, "binary")
        assert found.intervals[name].method == alone.method == "mid_p"
        assert [*found.intervals[name]] == pytest.approx([*alone], abs=1e-12)


@for_each("average", averages_over("class", "example"))
@for_each("measure", ["recall", "f1", "mcc", "accuracy"])
def test_every_score_with_an_interval_has_a_test(measure: str, average: str) -> None:
    ev = random_evaluation(2)
    found = ev.compare_groups(measure, "site", average=average)
    parts = ev.split("site")
    assert [*map(repr, found.intervals.values())] == [repr(p.interval(measure, average)) for p in parts.values()]
    assert found.test is not None, found.reason
    assert 0 < found.test.p_value <= 1
    assert found.difference in found.difference_interval
    assert found.reason == ""
    # the order of the groups and of the classes does not matter
    order = {0: 2, 1: 0, 2: 1}
    turned = ix.Evaluation()
    for name, part in parts.items():
        y, z = (np.repeat(ix_, part.confusion.ravel()) for ix_ in np.indices((3, 3)).reshape(2, -1))
        turned += ix.evaluate(y, z, classes=[2, 0, 1], by={"site": [order[name]] * part.n})
    again = turned.compare_groups(measure, "site", average=average)
    assert again.test.p_value == pytest.approx(found.test.p_value, rel=1e-6)


def test_ratios_are_compared_on_the_log_scale() -> None:
    ev = random_evaluation(4, m=2)
    found = ev.compare_groups("positive_likelihood_ratio", "site")
    logs, errors = [], []
    for part in ev.split("site").values():
        tp, fp, fn, tn = (x + 0.5 for x in part.binary())
        logs.append(math.log(tp / (tp + fn) / (fp / (fp + tn))))
        errors.append(1 / tp - 1 / (tp + fn) + 1 / fp - 1 / (fp + tn))
    weights = 1 / np.array(errors)
    mean = weights @ logs / weights.sum()
    assert found.test.method == "Cochran's Q"
    assert found.test.statistic == pytest.approx(weights @ (logs - mean) ** 2, rel=1e-4)
    assert found.test.p_value == pytest.approx(stats.chi2.sf(found.test.statistic, 2))


def test_saving_and_merging_do_not_change_the_test(tmp_path) -> None:
    whole = random_evaluation(3)
    whole.save(tmp_path / "whole.json")
    again = ix.load(tmp_path / "whole.json")
    for measure, average in (("recall", "micro"), ("f1", "macro")):
        assert (
            again.compare_groups(measure, "site", average=average).test
            == whole.compare_groups(measure, "site", average=average).test
        )


@pytest.mark.slow
def test_the_size_of_the_test_is_honest() -> None:
    rng = np.random.default_rng(11)
    tables = np.array([[0.55, 0.05], [0.06, 0.34]]).ravel()
    site = np.repeat(range(3), 200)
    found: dict[str, list[float]] = {"recall": [], "f1": []}
    for i in range(250):
        pairs = rng.choice(4, 600, p=tables)
        ev = ix.evaluate(pairs // 2, pairs % 2, classes=[0, 1], by={"site": site})
        for measure in ("recall", "f1") if i < 150 else ("recall",):
            found[measure].append(ev.compare_groups(measure, "site").test.p_value)
    for p_values in map(np.array, found.values()):
        error = 3 / math.sqrt(len(p_values))  # of a share in so many simulations
        assert np.mean(p_values < 0.05) == pytest.approx(0.05, abs=error * math.sqrt(0.05 * 0.95))
        assert np.mean(p_values < 0.5) == pytest.approx(0.5, abs=error * 0.5)


@pytest.mark.slow
def test_small_groups_with_a_large_one_raise_no_alarm() -> None:
    # Pearson's test calls 12% of these unequal at the 1% level
    rng = np.random.default_rng(3)
    sizes = [5] * 99 + [2000]
    alarms = [
        groups(rng.binomial(sizes, 0.98).tolist(), sizes).compare_groups("recall", "site").test.p_value < 0.01 for _ in range(60)
    ]
    assert np.mean(alarms) <= 0.05


def test_findings_and_between_say_the_same() -> None:
    rng = np.random.default_rng(8)
    seen = set()
    for _ in range(40):
        hits = rng.binomial(60, rng.choice([0.75, 0.8, 0.9, 0.95], 3)).tolist()
        ev = groups(hits, [60] * 3)
        found = ev.compare_groups("recall", "site")
        told = any(f.kind == "groups" for f in ev.findings(["recall"], [None]))
        assert told == bool(found.unusual) == (found.test.p_value < 0.01)
        assert ("more than chance explains" in str(found)) == told
        seen.add(told)
    assert seen == {True, False}


def test_few_examples_are_said() -> None:
    found = groups([2, 20, 1], [2, 25, 1]).compare_groups("recall", "site")
    assert found.intervals[0].note == "recall is over 2 examples: with fewer than 3, no interval is reliable."
    assert found.intervals[1].note == ""
    assert "2: recall is over 1 example: with fewer than 3, no interval is reliable." in str(found)
    assert "farthest apart of 3; the interval allows for that." in found.difference_interval.note
    letters = ix.evaluate(list("aabbccaabbcc"), list("aabbccaabbcb"), by={"g": [1] * 6 + [2] * 6})
    assert "Class 'a' has 2 examples" in str(letters.compare_groups("f1", "g", average="macro"))


def test_the_interval_of_the_largest_difference_widens_with_the_groups() -> None:
    two, four = groups([30, 20], [40, 40]), groups([30, 20, 25, 26], [40] * 4)
    narrow, wide = (ev.compare_groups("recall", "site").difference_interval for ev in (two, four))
    assert wide.low < narrow.low < narrow.high < wide.high


@pytest.mark.parametrize("kind", ["weighted", "multilabel", "one group"])
def test_what_cannot_be_tested_is_said(kind: str) -> None:
    rng = np.random.default_rng(0)
    y, z, site = rng.integers(0, 2, (3, 60))
    average = None
    if kind == "weighted":
        ev, words = ix.evaluate(y, z, by={"site": site}, sample_weight=rng.random(60), moments=False), "sums of weights"
    elif kind == "multilabel":
        ev, words = ix.evaluate(rng.random((60, 3)) < 0.5, rng.random((60, 3)) < 0.5, by={"site": site}), ""
        average = "micro"
    else:
        ev, words = ix.evaluate(y, z, by={"site": [1] * 60}), "fewer than two groups have a value"
    found = ev.compare_groups("recall", "site", average=average)
    if found.test is not None:  # where the second moments of the rows were kept
        assert kind == "multilabel"
        return
    assert words in found.reason
    assert math.isnan(found.difference_interval.low)
    assert found.unusual == ()
    assert found.distances() is None
    assert found.to_dict()["value"] == found.values.tolist()
    assert ("no test: " in str(found)) == (kind != "one group")
    with pytest.raises(ValueError, match="The groups cannot be compared: "):
        found.differences()


@pytest.mark.parametrize("level", [0, 1, 95, "high", True])
def test_levels_are_shares(level: object) -> None:
    with pytest.raises(ValueError, match=r"must be a share between 0 and 1"):
        groups([1, 2], [3, 3]).compare_groups("recall", "site", level=level)


def test_many_groups_are_tested_at_once() -> None:
    rng = np.random.default_rng(0)
    y, z = rng.integers(0, 2, (2, 40_000))
    ev = ix.evaluate(y, z, by={"row": rng.integers(0, 20_000, 40_000)})
    found = ev.compare_groups("recall", "row")
    start = time.process_time()
    assert 0.001 < found.test.p_value < 1
    assert found.unusual == ()
    assert time.process_time() - start < 2


@pytest.mark.slow
def test_findings_and_tests_of_groups_need_no_scipy() -> None:
    code = """
import sys
sys.modules["scipy"] = None
import indicatrix as ix
y, site = [1] * 400, ["a"] * 200 + ["b"] * 200
ev = ix.evaluate(y, [1] * 190 + [0] * 10 + [1] * 120 + [0] * 80, classes=[0, 1], by={"site": site})
assert ev.compare_groups("recall", "site").test.p_value < 1e-6
assert any("site" in finding.text for finding in ev.findings())
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_totals_of_groups_of_different_size_are_not_tested() -> None:
    """The classifier makes the same errors in both groups; one is three times as large."""
    y, z = [1] * 8 + [0] * 12, [1] * 6 + [0] * 11 + [1] * 3
    ev = ix.evaluate(y * 4, z * 4, by={"site": ["x"] * 20 + ["y"] * 60})
    cost = ev.compare_groups("5*fn + fp", "site")
    assert cost.values.tolist() == [13, 39]
    assert cost.test is None
    assert cost.unusual == ()
    assert "5 * fn + fp is a total that grows with the number of examples, and the groups have 20 to 60" in cost.reason
    assert "the groups differ" not in str(cost)
    again = ev.compare_groups(cost.reason.split("'")[1], "site")  # what it names
    assert again.test is not None
    assert again.test.p_value > 0.9
    same = ix.evaluate(y * 4, z * 4, by={"site": ["x"] * 40 + ["y"] * 40}).compare_groups("5*fn + fp", "site")
    assert same.test is not None  # groups of one size


def test_the_average_that_was_taken_is_said() -> None:
    ev = random_evaluation(2)
    assert "micro recall between" in str(ev.compare_groups("recall", "site"))
    assert "no average was named, so the classes of a group are pooled (micro)" in str(ev.compare_groups("recall", "site"))
    assert "no average was named" not in str(ev.compare_groups("recall", "site", average="micro"))
    assert "no average was named" not in str(ev.compare_groups("accuracy", "site"))


@pytest.mark.parametrize("m", [2, 3])
def test_accuracy_of_groups_counts_whole_examples(m: int) -> None:
    ev = random_evaluation(3, m=m)
    found = ev.compare_groups("accuracy", "site")
    columns = found.to_dict()
    right = [int(np.trace(part.confusion)) for part in ev.split("site").values()]
    assert columns["right"] == right
    assert [a + b for a, b in zip(columns["right"], columns["wrong"], strict=True)] == columns["examples"]
    assert [a / n for a, n in zip(right, columns["examples"], strict=True)] == columns["value"]
    assert "tp" not in columns
    assert str(found).splitlines()[1].split()[:4] == ["site", "examples", "right", "wrong"]
    assert "<th>right</th>" in found._repr_html_() or "right" in found._repr_html_()


def test_totals_are_compared_as_means_over_examples() -> None:
    """Mistakes grow with the group, mistakes per example do not."""
    truth = np.random.default_rng(3).integers(0, 2, (300, 3))
    site = ["a"] * 200 + ["b"] * 100
    said = np.where(np.arange(300)[:, None] % 4 == 0, 1 - truth, truth)
    ev = ix.evaluate(truth, said, by={"site": site})
    assert ev.compare_groups("fp + fn", "site", average="samples").reason == ""
    assert "is a total that grows" in ev.compare_groups("fp + fn", "site", average="micro").reason


def test_an_average_of_no_axis_is_the_score() -> None:
    """Nothing is kept apart, so there is one value, which ``score`` has."""
    ev = ix.evaluate([0, 1, 2], [0, 1, 1], by={"site": [0, 0, 1]})
    with pytest.raises(ValueError, match=r"keeps no axis, so that there is one value: ev.score\('recall', 'macro'\)"):
        ev.values("recall", per=(), average="macro")
