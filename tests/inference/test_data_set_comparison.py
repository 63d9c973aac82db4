"""Classifiers over data sets: against SciPy, scikit-posthocs, statsmodels and the published example of Demšar (2006)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from loops import for_each
from scipy import stats

import indicatrix as ix
from indicatrix.inference.stats.quantiles import range_above, range_quantile
from indicatrix.inference.stats.several_tests import EXACT, mid_ranks, signed_ranks

NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
DEMSAR = {  # AUC of C4.5 with and without a parameter for leaves and for pruning, Table 6
    "adult": (0.763, 0.768, 0.771, 0.798),
    "breast cancer": (0.599, 0.591, 0.590, 0.569),
    "breast cancer wisconsin": (0.954, 0.971, 0.968, 0.967),
    "cmc": (0.628, 0.661, 0.654, 0.657),
    "ionosphere": (0.882, 0.888, 0.886, 0.898),
    "iris": (0.936, 0.931, 0.916, 0.931),
    "liver disorders": (0.661, 0.668, 0.609, 0.685),
    "lung cancer": (0.583, 0.583, 0.563, 0.625),
    "lymphography": (0.775, 0.838, 0.866, 0.875),
    "mushroom": (1.000, 1.000, 1.000, 1.000),
    "primary tumor": (0.940, 0.962, 0.965, 0.962),
    "rheum": (0.619, 0.666, 0.614, 0.669),
    "voting": (0.972, 0.981, 0.9751, 0.975),  # ranks 2 and 3 give the published mean ranks: more digits differed
    "wine": (0.957, 0.978, 0.946, 0.970),
}
SCORES = {name: dict(zip(NAMES, row, strict=True)) for name, row in DEMSAR.items()}
TABLE = np.array([*DEMSAR.values()])


def random_table(seed: int, n: int, k: int, *, digits: int = 9) -> Any:
    rng = np.random.default_rng(seed)
    return np.round(rng.normal(np.arange(k) * 0.3, 1, (n, k)), digits)


def compare(table: Any, **options: Any) -> ix.types.DataSetComparison:
    return ix.inference.compare_data_sets(table, classifiers=[f"c{j}" for j in range(np.shape(table)[1])], **options)


def test_the_published_example() -> None:
    found = ix.inference.compare_data_sets(SCORES)
    assert np.round(found.ranks, 3).tolist() == [3.143, 2.000, 2.893, 1.964]
    # The article leaves out the correction for ties, which makes the statistic a little smaller.
    r = np.asarray(found.ranks)
    plain = 12 * 14 / (4 * 5) * ((r**2).sum() - 4 * 25 / 4)
    assert plain == pytest.approx(9.28, abs=0.005)
    assert 13 * plain / (14 * 3 - plain) == pytest.approx(3.69, abs=0.005)
    assert found.friedman.statistic > plain
    assert found.friedman.f_freedom == (3, 39)
    # Nemenyi's critical difference at 0.10 is 2.291 √(4·5 / (6·14)) = 1.12, and at 0.05 it is 1.25.
    assert ix.inference.compare_data_sets(SCORES, level=0.9).critical_difference == pytest.approx(1.12, abs=0.005)
    assert found.critical_difference == pytest.approx(2.569 * math.sqrt(20 / 84), abs=0.001)
    # At 0.10, C4.5 is worse than the two with the parameter m, and C4.5+cf is told apart from none.
    assert ix.inference.compare_data_sets(SCORES, level=0.9).groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5"))
    assert found.groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"),)
    pair = found.pairs[0]
    assert (pair.first, pair.second, pair.wins, pair.ties, pair.losses) == ("C4.5", "C4.5+m", 2, 2, 10)
    assert found.order == ("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")


@pytest.mark.parametrize(("n", "k"), [(2, 3), (5, 3), (10, 4), (14, 7), (30, 10)])
@pytest.mark.parametrize("digits", [9, 0])
def test_friedman_is_scipys(n: int, k: int, digits: int) -> None:
    table = random_table(n, n, k, digits=digits)
    found = compare(table).friedman
    theirs = stats.friedmanchisquare(*table.T)
    assert (found.statistic, found.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    # Iman and Davenport's F is that of an analysis of variance of the ranks, by data sets and classifiers.
    r = stats.rankdata(-table, axis=1)
    between = n * ((r.mean(axis=0) - r.mean()) ** 2).sum()
    rest = ((r - r.mean(axis=0)) ** 2).sum() - n * ((r.mean(axis=1) - r.mean()) ** 2).sum()
    f = between / (k - 1) / (rest / ((k - 1) * (n - 1)))
    assert (found.f, found.f_p) == pytest.approx((f, stats.f.sf(f, k - 1, (k - 1) * (n - 1))))


@pytest.mark.parametrize(("n", "k"), [(5, 3), (14, 4), (30, 10)])
def test_nemenyi_is_that_of_scikit_posthocs(n: int, k: int) -> None:
    posthocs = pytest.importorskip("scikit_posthocs")
    for digits in (9, 0):
        table = random_table(n + 1, n, k, digits=digits)
        theirs = posthocs.posthoc_nemenyi_friedman(table).to_numpy()
        ours = [pair.nemenyi for pair in compare(table).pairs]
        assert ours == pytest.approx(theirs[np.triu_indices(k, 1)], rel=1e-6, abs=1e-12)


@pytest.mark.slow
def test_the_range_of_normal_numbers_is_scipys() -> None:
    for k in (2, 3, 5, 20, 100):
        for q in (0, 0.5, 2, 3.5, 6, 9):
            assert range_above(q, k) == pytest.approx(stats.studentized_range.sf(q, k, np.inf), rel=1e-6, abs=1e-12)
        for share in (0.01, 0.05, 0.5):
            assert range_quantile(share, k) == pytest.approx(stats.studentized_range.isf(share, k, np.inf), rel=1e-8)
    assert math.isnan(range_above(math.nan, 3))


def test_the_critical_differences_of_the_literature() -> None:
    # Demšar (2006), Table 5: critical values of the two-tailed Nemenyi test, of 2 to 10 classifiers at 0.05.
    wanted = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
    assert [range_quantile(0.05, k) / math.sqrt(2) for k in range(2, 11)] == pytest.approx(wanted, abs=0.001)


@pytest.mark.parametrize("n", [1, 2, 5, 13, 60])
def test_wilcoxon_is_scipys_without_ties(n: int) -> None:
    d = np.random.default_rng(n).normal(0.3, 1, n)
    assert signed_ranks(d).p == pytest.approx(stats.wilcoxon(d, method="exact").pvalue)
    assert signed_ranks(np.append(d, [0, 0])).p == pytest.approx(signed_ranks(d).p)


@pytest.mark.one_fast_case
@pytest.mark.parametrize("n", [3, 7, 12])
def test_wilcoxon_is_exact_with_ties(n: int) -> None:
    d = np.random.default_rng(n).integers(1, 4, n) * np.random.default_rng(n + 1).choice([-1, 1, 1], n)
    every = stats.wilcoxon(d, method=stats.PermutationMethod(n_resamples=2**n))
    assert signed_ranks(d).p == pytest.approx(every.pvalue)


def test_many_differences_have_a_normal_sum_of_ranks() -> None:
    pytest.importorskip("scipy", "1.15", reason="this method has another name in older ones")
    d = np.round(np.random.default_rng(0).normal(0.1, 1, EXACT + 50), 1)
    assert (d != 0).sum() > EXACT
    assert signed_ranks(d).p == pytest.approx(stats.wilcoxon(d, method="asymptotic").pvalue)
    some = d[d != 0][:EXACT]
    assert signed_ranks(some).p == pytest.approx(stats.wilcoxon(some, method="asymptotic").pvalue, rel=0.01)  # exact there


def test_the_effect_says_who_is_ahead() -> None:
    assert signed_ranks([1, 2, -3, 4]).effect == pytest.approx((7 - 3) / 10)
    assert signed_ranks([0, 0]).effect == 0
    found = compare(np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.9, 0.4], [0.6, 0.5], [0.8, 0.1]]))
    assert found.pairs[0].effect == 1
    assert "c0 before c1 (p = 0.031)" in str(found)
    assert "c1 before c0 (p = 0.031)" in str(compare(-np.asarray(found.scores)))


def test_ranks_share_ties() -> None:
    table = random_table(3, 20, 6, digits=0)
    assert mid_ranks(table).tolist() == stats.rankdata(table, axis=1).tolist()
    assert ix.inference.compare_data_sets({"a": {"x": 0.1 + 0.2, "y": 0.3, "z": 0.5}}).ranks.tolist() == [2.5, 2.5, 1]


def test_rounding_errors_do_not_break_ties() -> None:
    # 0.9 - 0.8 and 0.3 - 0.2 are not equal as floats.
    table = np.array([[0.9, 0.8], [0.2, 0.3], [0.6, 0.4], [0.8, 0.3]])
    assert compare(table).pairs[0].wilcoxon == pytest.approx(signed_ranks([1, -1, 2, 5]).p)
    for step, ranks in ((2e-12, [2, 1]), (2e-13, [1.5, 1.5])):  # twelve digits tell scores apart
        assert compare(np.array([[0.5, 0.5 + step]])).ranks.tolist() == ranks


@pytest.mark.parametrize("k", [3, 6])
def test_holm_is_that_of_statsmodels(k: int) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    pairs = compare(random_table(5, 25, k)).pairs
    assert len(pairs) == k * (k - 1) // 2
    assert [p.holm for p in pairs] == pytest.approx(multitest.multipletests([p.wilcoxon for p in pairs], method="holm")[1])


@pytest.mark.parametrize("seed", range(8))
def test_groups_are_the_largest_sets_that_nemenyi_does_not_tell_apart(seed: int) -> None:
    table = random_table(seed, 12, 7) + np.arange(7) * 0.4
    found = compare(table)
    mean = dict(zip(found.names, found.ranks.tolist(), strict=True))
    same = {frozenset((p.first, p.second)) for p in found.pairs if p.nemenyi >= 0.05}
    assert same == {frozenset((a, b)) for group in found.groups for a in group for b in group if a != b}
    assert list(found.order) == sorted(found.names, key=lambda name: mean[name])
    assert not [(a, b) for a in found.groups for b in found.groups if a != b and set(a) <= set(b)]
    for pair in found.pairs:
        assert (abs(pair.rank_difference) > found.critical_difference) == (pair.nemenyi < 0.05)


def test_the_direction() -> None:
    up, down = ix.inference.compare_data_sets(SCORES), compare(1 - TABLE, better="lower")
    assert np.asarray(down.ranks) == pytest.approx(np.asarray(up.ranks))
    assert [(p.wins, p.ties, p.losses, p.effect) for p in down.pairs] == [(p.wins, p.ties, p.losses, p.effect) for p in up.pairs]
    assert compare(TABLE, better="lower").order[0] == "c0"


def test_frames_arrays_and_evaluations_give_the_same() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    wanted = ix.inference.compare_data_sets(SCORES)
    columns = {"data": [*DEMSAR], **{name: TABLE[:, j] for j, name in enumerate(NAMES)}}
    made = [
        pandas.DataFrame(TABLE, index=[*DEMSAR], columns=NAMES),
        pandas.DataFrame(columns),
        polars.DataFrame(columns),
    ]
    for frame in made:
        found = ix.inference.compare_data_sets(frame)
        assert found.to_dict() == wanted.to_dict()
        assert found.scores.names == wanted.scores.names == (tuple(DEMSAR), tuple(NAMES))
    plain = ix.inference.compare_data_sets(TABLE, classifiers=NAMES)
    assert plain.to_dict() == wanted.to_dict()
    assert plain.scores.names[0] == tuple(map(str, range(1, 15)))
    bare = ix.inference.compare_data_sets(polars.DataFrame(TABLE, schema=NAMES))
    assert bare.scores.names == plain.scores.names


def test_evaluations_are_scored() -> None:
    rng = np.random.default_rng(0)
    given: dict[str, dict[str, Any]] = {}
    for name in "abcdefgh":
        y = rng.integers(0, 3, 50)
        z = {
            c: np.where(rng.random(50) < right, y, rng.integers(0, 3, 50)) for c, right in (("lr", 0.5), ("rf", 0.9), ("nb", 0.6))
        }
        given[name] = {c: ix.evaluate(y, x) for c, x in z.items()}
    found = ix.inference.compare_data_sets(given, "error_rate", "micro")
    numbers = {d: {c: float(ev.score("error_rate", "micro")) for c, ev in row.items()} for d, row in given.items()}
    assert (found.better, found.score) == ("lower", "micro error_rate")
    assert found.to_dict() == ix.inference.compare_data_sets(numbers, better="lower").to_dict()
    assert found.order[0] == "rf"
    with pytest.raises(TypeError, match="Name the measure"):
        ix.inference.compare_data_sets(given)
    with pytest.raises(ValueError, match="Neither higher nor lower"):
        ix.inference.compare_data_sets(given, "prevalence", "micro")


@for_each(
    ("given", "more", "message"),
    [
        (
            {"a": {"x": 1, "y": 2}, "b": {"x": 1}},
            {},
            "Data set 'b' has no score of 'y'.* leave out the data set or the classifier",
        ),
        ({"a": {"x": 1, "y": math.nan}}, {}, "Data set 'a' has no score of 'y'"),
        ({"a": {"x": 1}}, {}, "at least two classifiers"),
        ({}, {}, "at least two classifiers"),
        ({"lr": [0.5, 0.6], "rf": [0.5, 0.7]}, {}, "Data set 'lr' has a list"),
        ([[0.5, 0.6]], {}, "Name the 2 columns of the array"),
        ([[0.5, 0.6]], {"classifiers": ["a"]}, "Name the 2 columns"),
        ([[0.5, 0.6]], {"classifiers": ["a", "a"]}, "more than one classifier with the name 'a'"),
        ([0.5, 0.6], {}, "not a list"),
        ("scores", {}, "not a str"),
        (SCORES, {"classifiers": NAMES}, "names its classifiers"),
        (SCORES, {"measure": "f1"}, "plain scores. Leave it out"),
        (SCORES, {"better": "more"}, "better='more'"),
        (SCORES, {"level": 5}, "level=5"),
    ],
)
def test_what_cannot_be_compared_is_refused(given: Any, more: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        ix.inference.compare_data_sets(given, **more)


def test_frames_that_cannot_be_read() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="more than one classifier with the name 'x'"):
        ix.inference.compare_data_sets(pandas.DataFrame([[1, 2]], columns=["x", "x"]))
    with pytest.raises(TypeError, match="Column 'y' has texts"):
        ix.inference.compare_data_sets(pandas.DataFrame({"x": [0.1], "y": ["b"]}))
    with pytest.raises(ValueError, match="Data set '1' has no score of 'y'"):
        ix.inference.compare_data_sets(pandas.DataFrame({"x": [0.1, 0.2], "y": [0.3, None]}))


def test_two_classifiers_have_wilcoxons_test() -> None:
    found = compare(TABLE[:, :2])
    assert np.isnan([found.friedman.p, found.friedman.f_p, found.critical_difference, found.pairs[0].nemenyi]).all()
    assert found.groups == ()
    assert found.pairs[0].wilcoxon == found.pairs[0].holm < 0.05
    assert "need three classifiers" in str(found)
    assert "Friedman: " not in str(found)


def test_one_data_set_and_ties_everywhere_are_not_tested() -> None:
    one = ix.inference.compare_data_sets({"iris": {"a": 0.3, "b": 0.5, "c": 0.4}})
    assert one.order == ("b", "c", "a")
    assert np.isnan([one.friedman.p, one.critical_difference, *(p.wilcoxon for p in one.pairs)]).all()
    assert "One data set" in str(one)
    tied = compare(np.full((5, 3), 0.5))
    assert np.isnan([tied.friedman.p, *(p.wilcoxon for p in tied.pairs), *(p.holm for p in tied.pairs)]).all()
    assert "tied on every data set" in str(tied)
    assert tied.ranks.tolist() == [2, 2, 2]
    some = compare(np.column_stack([TABLE[:, :1], TABLE[:, :2]]))
    assert "Wilcoxon's test is not made: c0 and c1." in str(some)
    assert math.isnan(some.pairs[0].wilcoxon)
    assert some.pairs[1].wilcoxon == some.pairs[2].wilcoxon


def test_few_data_sets_cannot_show_much() -> None:
    table = random_table(1, 5, 2) + np.array([0, 9])
    found = compare(table)
    assert found.pairs[0].wilcoxon == 1 / 16
    assert found.notes[-1] == "With 5 data sets, the p-value of Wilcoxon's test cannot fall below 0.0625."
    assert not [note for note in compare(random_table(1, 6, 2)).notes if note.startswith("With 6")]


@pytest.mark.parametrize("n", [2, 3])
def test_the_chance_of_the_same_order_on_all_data_sets(n: int) -> None:
    found = compare(np.tile([0.1, 0.2, 0.3], (n, 1))).friedman
    assert (found.f, found.f_p) == (math.inf, pytest.approx(6 ** (1 - n)))
    assert compare(np.tile([0.1, 0.2, 0.2], (n, 1))).friedman.f_p == pytest.approx(3 ** (1 - n))


def test_the_diagram() -> None:
    lines = ix.inference.compare_data_sets(SCORES).diagram().split("\n")
    assert [line.split()[0] for line in lines[2:6]] == ["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]
    ruler, where = lines[1], [line.index("o") for line in lines[2:6]]
    first, last = ruler.index("|"), ruler.rindex("|")
    ranks = [1.964, 2.000, 2.893, 3.143]
    assert where == [first + round((r - 1) * (last - first) / 3) for r in ranks]
    group = lines[6]
    assert (group.index("="), group.rindex("=")) == (where[0], where[3])  # at 0.95, all four are in one group
    assert lines[7].endswith("1.254")
    assert lines[7].count("=") == round(1.254 * (last - first) / 3) + 1
    wide = compare(random_table(2, 2, 3)).diagram().split("\n")[-1]  # the critical difference is longer than the axis
    assert wide.endswith("=>  2.344")


def test_what_is_printed() -> None:
    found = ix.inference.compare_data_sets(SCORES)
    text = str(found)
    assert text.startswith("score of 4 classifiers over 14 data sets; higher is better\nrank ")
    assert f"Friedman: chi²(3) = {found.friedman.statistic:.2f}" in text
    assert repr(found) == "<DataSetComparison: score of 4 classifiers over 14 data sets, best mean rank C4.5+m+cf>"
    assert found.to_pandas()["first"].tolist() == [pair.first for pair in found.pairs]
    assert found.to_polars()["holm"].to_list() == [pair.holm for pair in found.pairs]
