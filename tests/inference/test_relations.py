"""Relations between scores: known correlations and information, algebraic links, groups, the smallest set, populations."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.inference.population.relations import (
    MANY,
    correlation,
    explained_shares,
    explaining_set,
    kendall_tau,
    mutual_information,
)
from indicatrix.inference.population.scores import perturb_table
from indicatrix.inference.stats.several_tests import mid_ranks

TABLE = np.array([[80, 14, 3], [6, 70, 9], [2, 4, 37]])
EV = ix.from_confusion(TABLE, classes=["ant", "bee", "cat"])
BINARY = ix.from_confusion([[300, 40], [15, 45]], positive=1)
USUAL = ("f1", "jaccard", "mcc", "precision", "recall", "error_rate")


def pair(found: Any, what: str, one: str, other: str) -> float:
    return float(getattr(found, what)[found.names.index(one), found.names.index(other)])


# Association.


def test_correlations_are_those_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 4)) @ rng.normal(size=(4, 4))
    x[:, 2] = np.round(x[:, 2])  # with ties
    ranks = np.stack([stats.rankdata(c) for c in x.T], axis=1)
    assert np.array_equal(mid_ranks(x.T).T, ranks)
    for i, j in combinations(range(4), 2):
        assert correlation(x)[i, j] == pytest.approx(stats.pearsonr(x[:, i], x[:, j])[0])
        assert correlation(mid_ranks(x.T).T)[i, j] == pytest.approx(stats.spearmanr(x[:, i], x[:, j])[0])
        assert kendall_tau(x)[i, j] == pytest.approx(stats.kendalltau(x[:, i], x[:, j])[0])


@pytest.mark.parametrize("rho", [0.0, 0.5, -0.9, 0.99])
def test_the_mutual_information_of_normal_columns_is_known(rho: float) -> None:
    estimates = []
    for seed in range(5):
        z = np.random.default_rng(seed).multivariate_normal([0, 0], [[1, rho], [rho, 1]], 1000)
        z[:, 0] = np.exp(z[:, 0])  # only the order matters
        estimates.append(mutual_information(z)[0, 1])
    assert np.mean(estimates) == pytest.approx(-0.5 * math.log(1 - rho**2), abs=0.04)


def test_mutual_information_sees_what_correlations_do_not_and_ties_add_nothing() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=800)
    both = np.stack([x, x**2 + 0.1 * rng.normal(size=800)], axis=1)
    assert abs(correlation(mid_ranks(both.T).T)[0, 1]) < 0.1
    assert mutual_information(both)[0, 1] > 0.8
    coins = rng.integers(0, 2, (800, 2)).astype(float)
    assert mutual_information(coins)[0, 1] < 0.1
    coins[:, 1] = coins[:, 0]
    assert mutual_information(coins)[0, 1] == pytest.approx(math.log(2), abs=0.07)
    assert mutual_information(x[:, None])[0, 0] == math.inf


# The smallest set.


def test_shares_are_those_of_linear_regression() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(50, 5)) @ rng.normal(size=(5, 5))
    x[:, 4] = x[:, 3]  # a singular set
    apart = x - x.mean(axis=0)
    for chosen in ((0,), (1, 2), (0, 3, 4)):
        rest = apart - apart[:, chosen] @ np.linalg.lstsq(apart[:, chosen], apart, rcond=None)[0]
        wanted = 1 - (rest**2).sum(axis=0) / (apart**2).sum(axis=0)
        assert explained_shares(correlation(x), np.array([chosen]))[0] == pytest.approx(wanted, abs=1e-9)


def test_no_smaller_set_explains_the_rest() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(80, 3)) @ rng.normal(size=(3, 7)) + 0.15 * rng.normal(size=(80, 7))
        found = explaining_set(correlation(x), 0.9)
        assert found.exact
        assert found.shares.min() >= 0.9 - 1e-9
        smaller = np.array([*combinations(range(7), max(len(found.columns) - 1, 1))])
        assert len(found.columns) == 1 or explained_shares(correlation(x), smaller).min(axis=1).max() < 0.9


@pytest.mark.slow
def test_among_many_columns_a_set_is_found_one_by_one() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 6)) @ rng.normal(size=(6, 60)) + 0.05 * rng.normal(size=(300, 60))
    assert math.comb(60, 6) > MANY
    found = explaining_set(correlation(x), 0.9)
    assert not found.exact
    assert 4 <= len(found.columns) <= 8
    assert found.shares.min() >= 0.9 - 1e-9
    needed = [[c for c in found.columns if c != k] for k in found.columns]
    assert explained_shares(correlation(x), np.array(needed)).min(axis=1).max() < 0.9
    assert explaining_set(np.zeros((0, 0)), 0.9).columns == ()


def test_noise_in_few_rows_explains_nothing() -> None:
    x = np.random.default_rng(0).normal(size=(6, 8))
    assert len(explaining_set(correlation(x), 0.95).columns) == 5
    assert len(explaining_set(correlation(x), 0.95, 6).columns) > 5
    plain = explained_shares(correlation(x), np.array([[0, 1]]))[0]
    assert explained_shares(correlation(x), np.array([[0, 1]]), 6)[0][2:] == pytest.approx(
        np.clip(1 - (1 - plain[2:]) * 5 / 3, 0, 1)
    )


# Scores.


def test_algebraic_links_are_recovered() -> None:
    found = ix.inference.relations(["f1", "jaccard", "accuracy", "error_rate", "mcc"], BINARY, count=200)
    assert pair(found, "spearman", "binary f1", "binary jaccard") == pytest.approx(1)
    assert pair(found, "kendall", "binary f1", "binary jaccard") == pytest.approx(1)
    assert 0.9 < pair(found, "pearson", "binary f1", "binary jaccard") < 1
    assert pair(found, "pearson", "binary accuracy", "binary error_rate") == pytest.approx(1)
    assert found.turned == ("binary error_rate",)
    assert any({"binary f1", "binary jaccard"} <= {*group} for group in found.groups)
    assert len({"binary f1", "binary jaccard"} & {*found.smallest}) <= 1
    assert len({"binary accuracy", "binary error_rate"} & {*found.smallest}) <= 1
    assert ix.inference.relations(["f1", "mcc"], BINARY, [None], count=20).names == ("binary f1", "binary mcc")
    raw = found.scores[:, [found.names.index("binary accuracy"), found.names.index("binary error_rate")]]
    assert raw.sum(axis=1) == pytest.approx(1)  # the scores are shown as they are, not turned


def test_measures_that_follow_from_one_by_a_rising_function_are_one_group() -> None:
    same = ["f1", "jaccard", "sokal_sneath_1", "kulczynski_1"]
    found = ix.inference.relations([*same, "recall", "specificity"], BINARY, count=200)
    assert {f"binary {name}" for name in same} in map(set, found.groups)
    assert [*found.order] == [name for group in found.groups for name in group]
    assert sorted(found.order) == sorted(found.names)
    for group in found.groups:
        for one, other in combinations(group, 2):
            assert abs(pair(found, "kendall", one, other)) >= found.threshold - 1e-9


def test_the_tree_is_one_that_scipy_draws() -> None:
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy")
    found = ix.inference.relations(USUAL, EV, count=100)
    assert hierarchy.is_valid_linkage(found.linkage)
    assert hierarchy.dendrogram(found.linkage, labels=found.names, no_plot=True)["ivl"] == [*found.order]


def test_given_classifiers_are_scored_as_they_are() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 150)
    evs = {
        f"model {k}": ix.evaluate(y, np.where(rng.random(150) < 0.3 + 0.02 * k, y, rng.integers(0, 3, 150))) for k in range(30)
    }
    found = ix.inference.relations([*USUAL, ("recall", "weighted"), "multiclass_mcc", "exact_match"], evs, ["macro"])
    assert found.classifiers == tuple(evs)
    assert found.names[-3:] == ("weighted recall", "multiclass_mcc", "exact_match")
    for k, ev in enumerate(evs.values()):
        assert found.scores[k, 0] == ev.score("f1", "macro")
        assert found.scores[k, -2] == ev.score("multiclass_mcc")
    assert pair(found, "spearman", "weighted recall", "exact_match") == pytest.approx(1)
    assert np.array_equal(
        ix.inference.relations(USUAL, [*evs.values()], "macro").scores, ix.inference.relations(USUAL, evs, "macro").scores
    )


def test_a_table_of_scores_gives_the_same_as_the_classifiers() -> None:
    pandas = pytest.importorskip("pandas")
    drawn = ix.inference.relations(USUAL, EV, "macro", count=60)
    table = {name: drawn.scores[:, k].tolist() for k, name in enumerate(drawn.names)}
    for given in (table, pandas.DataFrame(table)):
        found = ix.inference.relations(None, given)
        assert (found.names, found.turned, found.order, found.smallest) == (
            drawn.names,
            drawn.turned,
            drawn.order,
            drawn.smallest,
        )
        assert np.array_equal(found.kendall, drawn.kendall)
    assert ix.inference.relations(["macro f1", "macro mcc"], table).names == ("macro f1", "macro mcc")
    assert ix.inference.relations("macro f1", table).names == ("macro f1",)


def test_constant_and_undefined_scores_are_left_out_and_said() -> None:
    table = {"a": [0.1, 0.4, 0.3, 0.8, 0.5], "b": [1.0] * 5, "c": [math.nan] * 4 + [1], "d": [0.2, 0.3, math.nan, 0.1, 0.9]}
    found = ix.inference.relations(None, table)
    assert found.names == ("a", "d")
    assert found.left_out == {"c": "undefined for 4 of 5 classifiers", "b": "always 1"}
    assert (found.classifiers, found.skipped) == ((0, 1, 3, 4), (2,))
    text = str(found)
    assert [line.split()[:2] for line in text.splitlines() if line.startswith(("  a ", "  d "))] == [["a", "1"], ["d", "2"]]
    assert "Not compared: b, always 1." in text
    assert "Not compared: c, undefined for 4 of 5 classifiers." in text
    assert "1 classifier left out" in text
    assert "With 4 classifiers, all of this is uncertain" in text
    assert "No two scores rank classifiers almost alike" in text
    assert "micro prevalence" in ix.inference.relations([*USUAL, "prevalence"], EV, "micro", count=20).left_out
    tiny = ix.inference.relations(None, {name: (1e-20 * np.array(column)).tolist() for name, column in table.items()})
    assert (tiny.names, tiny.kendall[0, 1]) == (found.names, found.kendall[0, 1])
    alone = ix.inference.relations(None, {"a": table["a"], "b": table["b"]})
    assert (alone.order, alone.groups, alone.smallest) == (("a",), (("a",),), ("a",))
    assert str(alone).startswith("1 score over 5 given classifiers.")
    nothing = ix.inference.relations(None, {"b": table["b"]})
    assert (nothing.names, nothing.groups, nothing.smallest, nothing.order) == ((), (), (), ())
    assert "Not compared: b" in str(nothing)


def test_a_convention_changes_the_scores() -> None:
    y = list("aabbc")
    evs = [ix.evaluate(y, pred, classes=list("abc")) for pred in (list("aabba"), list("abbbc"), list("bbaac"), list("aabbc"))]
    zero, out = (ix.inference.relations(["precision", "recall"], evs, "macro", undefined=u) for u in (0, "exclude"))
    assert zero.scores[0, 0] < out.scores[0, 0]


# The population that is drawn.


def test_drawn_classifiers_keep_the_class_sizes_and_the_seed() -> None:
    one, again, other = (ix.inference.relations(USUAL, EV, count=50, seed=s) for s in (1, 1, 2))
    assert np.array_equal(one.scores, again.scores)
    assert not np.array_equal(one.scores, other.scores)
    table = np.pad(TABLE, (0, 1)).astype(float)
    drawn = perturb_table(table, np.zeros_like(table), 40, 0.5, np.random.default_rng(0))
    assert np.array_equal(drawn.sum(axis=2), np.broadcast_to(table.sum(axis=1), (40, 4)))


def test_a_larger_spread_has_better_and_worse_classifiers() -> None:
    value, spreads = float(EV.score("f1", "macro")), []
    for spread in (0.01, 0.3, 1.0):
        scores = ix.inference.relations(["f1", "mcc"], EV, "macro", count=300, spread=spread).scores[:, 0]
        assert scores.min() < value < scores.max()
        spreads.append(scores.std())
    assert 1.5 * spreads[0] < spreads[1] < spreads[2] / 1.5
    rare = ix.inference.relations(["f1", "mcc"], EV, "macro", count=300, spread=0.01).scores[:, 0]
    assert rare.std() == pytest.approx(EV.interval("f1", "macro").width / 3.92, rel=0.25)  # only the counts are random


def test_drawn_classifiers_reach_from_guessing_to_almost_no_errors() -> None:
    table = np.array([[1400, 600], [700, 1300]])  # informedness 0.35
    drawn = perturb_table(table.astype(float), np.zeros((2, 2)), 2000, 1.0, np.random.default_rng(0))
    informedness = drawn[:, 0, 0] / 2000 + drawn[:, 1, 1] / 2000 - 1
    assert np.quantile(informedness, 0.02) < 0.02
    assert np.quantile(informedness, 0.98) > 0.8
    assert np.median(informedness) == pytest.approx(0.35, abs=0.1)
    assert 0.3 < (drawn[:, :, 0].sum(axis=1) / 4000 > 0.525).mean() < 0.7  # biased to one class or to the other


def test_several_labels_per_example_are_drawn_class_by_class() -> None:
    rng = np.random.default_rng(0)
    y = (rng.random((200, 4)) < 0.3).astype(int)
    ev = ix.evaluate(y, np.where(rng.random((200, 4)) < 0.8, y, 1 - y))
    found = ix.inference.relations(["f1", "jaccard", "mcc", "prevalence"], ev, "micro", count=40)
    assert pair(found, "spearman", "micro f1", "micro jaccard") == pytest.approx(1)
    assert "micro prevalence" in found.left_out  # the class sizes stay
    with pytest.raises(ValueError, match=r"exemplar f1 is a mean over examples, but a population .* is drawn class by class"):
        ix.inference.relations(["f1"], ev, "exemplar", count=10)


@pytest.mark.slow
def test_every_measure_has_relations() -> None:
    found = ix.inference.relations([*dict.fromkeys(ix.algebra.MEASURES.values())], EV, "macro", count=30)
    assert len(found.names) + len(found.left_out) == len({*ix.algebra.MEASURES.values()})
    for what in ("pearson", "spearman", "kendall"):
        values = getattr(found, what)
        assert np.isfinite(values).all()
        assert np.array_equal(values, values.T)
    assert {*found.smallest} <= {*found.names}
    assert min(found.explained.values()) >= found.threshold - 1e-9


def test_the_frame_has_one_row_for_each_pair() -> None:
    pytest.importorskip("pandas")
    found = ix.inference.relations(USUAL, EV, "macro", count=30)
    frame = found.to_pandas()
    assert [*frame.columns] == ["score", "other", "pearson", "spearman", "kendall", "mutual_information"]
    assert len(frame) == 15
    row = frame[(frame["score"] == "macro f1") & (frame["other"] == "macro mcc")]
    assert row["kendall"].item() == pair(found, "kendall", "macro f1", "macro mcc")
    assert repr(found).startswith("<Relations: 6 scores over 30 classifiers, ")


@for_each(
    ("call", "message"),
    [
        (lambda: ix.inference.relations(USUAL, EV, count=2), r"count=2 must be a whole number of classifiers, 3 or more"),
        (lambda: ix.inference.relations(USUAL, EV, spread=0), r"spread=0 must be above 0 and at most 1"),
        (lambda: ix.inference.relations(USUAL, EV, threshold=95), r"threshold=95 must be above 0 and at most 1"),
        (lambda: ix.inference.relations([], EV), r"There are no scores to compare"),
        (lambda: ix.inference.relations("f2000", EV), r"f2000"),
        (lambda: ix.inference.relations(USUAL, [EV, EV]), r"A population needs 3 classifiers or more.*2 were given"),
        (lambda: ix.inference.relations(USUAL, [EV, EV, 3]), r"Classifier 2 is not an evaluation"),
        (lambda: ix.inference.relations(USUAL, [EV, EV, BINARY]), r"different classes"),
        (lambda: ix.inference.relations("c", {"a": [1, 2, 3]}), r"The table has no column 'c'"),
        (lambda: ix.inference.relations(None, {"a": ["x", "y", "z"]}), r"A table of scores holds numbers"),
        (lambda: ix.inference.relations(None, {"a": [1, 2, 3], "b": [1, 2]}), r"must have the same length"),
        (lambda: ix.inference.relations(None, {"a": [1, 2]}), r"3 classifiers or more"),
        (lambda: ix.inference.relations(None, {"a": [1, 2, math.nan, 3], "b": [1, math.nan, 3, 4]}), r"for only 2 classifiers"),
    ],
)
def test_what_cannot_be_compared_is_refused(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        call()
