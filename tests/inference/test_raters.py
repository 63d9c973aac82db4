"""Agreement of raters against statsmodels, krippendorff, the values of irrCAC and disagree, and by hand."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from loops import for_each

import indicatrix as ix

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 4, 60)
RATED = np.where(RNG.random((60, 5)) < 0.7, TRUTH[:, None], RNG.integers(0, 4, (60, 5)))
HOLES = np.where(RNG.random(RATED.shape) < 0.3, np.nan, RATED)
LEVELS = ["nominal", "ordinal", "interval"]


def close(a, b) -> None:
    assert math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12), (a, b)


def test_fleiss_kappa_of_statsmodels():
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    close(ix.agreement(RATED).score("fleiss_kappa"), inter_rater.fleiss_kappa(inter_rater.aggregate_raters(RATED)[0]))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("ratings", [RATED, HOLES], ids=["complete", "with holes"])
def test_alpha_of_the_package_krippendorff(ratings, level):
    package = pytest.importorskip("krippendorff")
    theirs = package.alpha(np.asarray(ratings, float).T, level_of_measurement=level, value_domain=[0, 1, 2, 3])
    close(ix.agreement(ratings).score(f"krippendorff_alpha(level={level!r})"), theirs)


IRRCAC = {  # version 0.4.4, on RATED: value and interval
    "gwet_ac1": (0.39933, 0.30169, 0.49697),
    "fleiss_kappa": (0.39307, 0.29514, 0.491),
    "conger_kappa": (0.3938, 0.29612, 0.49149),
    "bennett_s": (0.39778, 0.30025, 0.4953),
    "krippendorff_alpha": (0.39509, 0.29716, 0.49302),
    "gwet_ac2(weights='quadratic')": (0.43017, 0.27718, 0.58316),
    "fleiss_kappa(weights='quadratic')": (0.39766, 0.26035, 0.53497),
    "conger_kappa(weights='quadratic')": (0.39873, 0.26198, 0.53548),
    "bennett_s(weights='quadratic')": (0.41867, 0.26844, 0.5689),
    "krippendorff_alpha(level='interval')": (0.39966, 0.26235, 0.53698),
    "gwet_ac2(weights='ordinal')": (0.42668, 0.2879, 0.56546),
    "fleiss_kappa(weights='ordinal')": (0.39892, 0.27342, 0.52441),
    "conger_kappa(weights='ordinal')": (0.39993, 0.27489, 0.52496),
}


@for_each("name", IRRCAC)
def test_values_and_intervals_of_irrcac(name):
    found = ix.agreement(RATED).interval(name, method="delta")
    value, low, high = IRRCAC[name]
    assert found.value == pytest.approx(value, abs=6e-6)
    near = 5e-4 if "alpha" in name else 6e-6  # the exact derivative of alpha is not quite their formula
    assert found.low == pytest.approx(low, abs=near)
    assert found.high == pytest.approx(high, abs=near)


IRRCAC_WITH_HOLES = {  # the same version, on the items of HOLES with two ratings or more
    "gwet_ac1": 0.35461126,
    "fleiss_kappa": 0.34604345,
    "conger_kappa": 0.34597043,
    "bennett_s": 0.35249042,
    "krippendorff_alpha": 0.3728479,
    "gwet_ac2(weights='linear')": 0.3777831,
    "fleiss_kappa(weights='quadratic')": 0.36204911,
    "conger_kappa(weights='quadratic')": 0.38440123,
    "bennett_s(weights='linear')": 0.3691954,
    "krippendorff_alpha(level='interval')": 0.39147893,
}


@pytest.mark.parametrize("name", IRRCAC_WITH_HOLES)
def test_values_of_irrcac_with_missing_ratings(name):
    panel = ix.agreement(HOLES)
    assert panel.score(name) == pytest.approx(IRRCAC_WITH_HOLES[name], abs=6e-9)
    if name == "conger_kappa":
        few = ix.agreement(HOLES[:12])
        assert few.interval(name).value == few.score(name)


@pytest.mark.parametrize("name", ["fleiss_kappa", "conger_kappa(weights='linear')", "light_kappa", "krippendorff_alpha"])
def test_a_weight_counts_an_item_so_often(name):
    few, weights = HOLES[:14], np.arange(14) % 4  # and 0 leaves it out
    weighted, repeated = ix.agreement(few, sample_weight=weights), ix.agreement(np.repeat(few, weights, axis=0))
    close(weighted.score(name), repeated.score(name))
    assert weighted.per_class("fleiss_kappa") == pytest.approx(repeated.per_class("fleiss_kappa"))
    assert weighted.pairs() == pytest.approx(repeated.pairs())
    np.testing.assert_array_equal(weighted.per_item(), ix.agreement(few).per_item())
    if "alpha" not in name:  # which corrects for the number of ratings
        plain, scaled = ix.agreement(few).interval(name), ix.agreement(few, sample_weight=[0.1] * 14).interval(name)
        assert (scaled.low, scaled.high) == pytest.approx((plain.low, plain.high))
    found, more = weighted.interval(name), repeated.interval(name)
    assert found.high - found.low > more.high - more.low  # a weight is not one more item


def test_two_raters_are_a_confusion_matrix():
    one, other = RATED[:, 0], RATED[:, 1]
    panel, ev = ix.agreement({"one": one, "other": other}), ix.evaluate(one, other, classes=range(4))
    for ours, theirs in (
        ("conger_kappa", "multiclass_kappa"),
        ("light_kappa", "multiclass_kappa"),
        ("fleiss_kappa", "multiclass_scott_pi"),
        ("krippendorff_alpha", "krippendorff_alpha"),
        ("percent_agreement", "multiclass_accuracy"),
        ("gwet_ac2(weights='linear')", "gwet_ac2(weights='linear')"),
        ("bennett_s", "bennett_s"),
    ):
        close(panel.score(ours), float(ev.score(theirs)))
    close(panel.pairs()["one", "other"], float(ev.score("multiclass_kappa")))


def test_values_of_disagree():
    # disagree's source at commit 566a63f, on these ratings; its wheel has no modules. Its ordinal alpha, 0.4204, differs from
    # that of the package krippendorff, 0.3974, which is ours; its Fleiss' kappa knows no missing ratings.
    rng = np.random.default_rng(5)
    codes, truth = rng.integers(0, 3, (30, 4)), rng.integers(0, 3, 30)
    codes = np.where(rng.random(codes.shape) < 0.6, truth[:, None], codes).astype(float)
    codes[rng.random(codes.shape) < 0.1] = np.nan
    frame = pd.DataFrame(codes, columns=list("abcd"))
    found = ix.agreement(frame)
    for level, value in (("nominal", 0.4182407407407408), ("interval", 0.3966364323507182), ("ratio", 0.42392742121003)):
        close(found.score(f"krippendorff_alpha(level={level!r})"), value)
    close(found.pairs("percent_agreement")["a", "b"], 0.7142857142857143)
    close(found.pairs()["a", "b"], 0.5771812080536913)
    close(ix.agreement(frame.dropna()).score("fleiss_kappa"), 0.3933715078951933)


def test_raters_are_an_axis():
    ratings = {"ann": [1, 1, 2, 2, 3], "bob": [1, 2, 2, 2, None], "cy": [1, 1, 2, None, 3]}
    panel = ix.agreement(ratings, sample_weight=[1, 2, 1, 1, 1])
    ev = panel.evaluation()
    table = ev.values("multiclass_kappa", per=("rater", "other"))
    assert (table.names, table.shape) == ((("ann", "bob", "cy"),) * 2, (3, 3))
    for (one, other), value in panel.pairs().items():
        at = tuple(map(table.names[0].index, (one, other)))
        close(table[at], value)
        close(table[at[::-1]], value)
        both = ev.split("rater")[one].split("other")[other]
        assert both.confusion.tolist() == panel.ratings.table(*at).tolist()
    assert np.isnan(np.diag(table)).all()
    sure = ix.agreement(ratings).evaluation().values("multiclass_kappa", per="rater", interval=True)
    assert (sure.low < sure).all()
    assert (sure < sure.high).all()
    assert ev.values("accuracy", per="item").names == (0, 1, 2, 3, 4)
    close(ix.agreement({"a": [1, 2, 1], "b": [1, 1, 1]}).evaluation().score("recall", "micro"), 2 / 3)
    reference = panel.evaluation([1, 1, 2, 2, 4])  # a class that no rater gave
    assert reference.classes == (1, 2, 3, 4)
    assert reference.values("recall", per="rater", average="micro").round(3).tolist() == [0.833, 0.6, 0.8]


def test_classes_have_intervals():
    found = ix.agreement(RATED)
    plain, sure = found.per_class("multiclass_gwet_ac1"), found.per_class("multiclass_gwet_ac1", interval=0.9)
    assert {name: i.value for name, i in sure.items()} == plain
    assert all(i.level == 0.9 and i.low < i.value < i.high <= 1 for i in sure.values())


def test_tensors_and_arrays_are_read_as_numbers():
    torch = pytest.importorskip("torch")
    rows = [[1, 1, 2], [2, 1, 2], [2, 2, 2], [1, 1, 1]]
    want = ix.agreement(rows).score()
    given = (
        torch.tensor(rows),
        np.array(rows),
        [torch.tensor(row) for row in rows],
        {j: torch.tensor(rows)[:, j] for j in range(3)},
    )
    for ratings in given:
        found = ix.agreement(ratings)
        assert (found.score(), found.ratings.classes) == (want, (1, 2))
        assert found.against(torch.tensor([1, 2, 2, 1])).values == found.against([1, 2, 2, 1]).values


def test_a_judge_may_give_a_class_that_no_rater_gave():
    panel = ix.agreement([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]] * 3)
    known, other = (panel.against(["a", "b", "a", x] * 3, "percent_agreement") for x in ("b", "z"))
    assert known.values == {0: 1.0, 1: 0.75, 2: 0.75}
    assert other.values == {0: 0.75, 1: 0.75, 2: 0.5}


def test_lights_kappa_pairs_and_items():
    panel = ix.agreement(RATED)
    kappas = [float(ix.multiclass_kappa(RATED[:, a], RATED[:, b])) for a, b in combinations(range(5), 2)]
    close(panel.score("light_kappa"), float(np.mean(kappas)))
    np.testing.assert_allclose([*panel.pairs().values()], kappas)
    items = [np.mean([row[a] == row[b] for a, b in combinations(range(5), 2)]) for row in RATED]
    np.testing.assert_allclose(panel.per_item(), items)
    close(panel.score("percent_agreement"), float(np.mean(items)))
    one = ix.agreement(RATED == 2)
    close(panel.per_class()[2], one.score("fleiss_kappa"))


def test_containers_and_missing_ratings():
    rows = [["a", "b", None], ["b", "b", "b"], ["a", None, None], ["a", "a", "b"]]
    want = ix.agreement(rows).score("krippendorff_alpha")
    columns = {f"r{j}": [row[j] for row in rows] for j in range(3)}
    assert ix.agreement(columns).score("krippendorff_alpha") == want
    assert ix.agreement(pd.DataFrame(columns)).score("krippendorff_alpha") == want
    assert ix.agreement([*rows, [None, None, None], ["b", None, None]]).score("krippendorff_alpha") == want  # they say nothing
    assert ix.agreement(np.array(rows, object)).score("percent_agreement") == pytest.approx((0 + 1 + 1 / 3) / 3)


def test_the_order_of_raters_and_items_does_not_matter():
    panel, other = ix.agreement(HOLES), ix.agreement(HOLES[::-1, ::-1])
    for name in ("fleiss_kappa", "conger_kappa", "light_kappa", "krippendorff_alpha", "multiclass_gwet_ac1"):
        close(panel.score(name), other.score(name))


def test_perfect_agreement_one_class_and_one_item():
    perfect = ix.agreement([[k, k, k] for k in (0, 1, 2, 1)])
    assert [perfect.score(name) for name in ("fleiss_kappa", "conger_kappa", "krippendorff_alpha", "light_kappa")] == [1, 1, 1, 1]
    assert math.isnan(ix.agreement([["a", "a"], ["a", "a"]]).score())
    assert math.isnan(ix.agreement([["a", "b"]]).interval("percent_agreement").low)
    assert "fleiss_kappa" in str(perfect)


@pytest.mark.parametrize("raters", [2, 3])
def test_one_class_is_not_certain_to_be_the_only_one(raters):
    """Ten items of one class are as ten of two that always agree: another class may follow."""
    few, many = (ix.agreement([["x"] * raters] * n).interval("percent_agreement") for n in (10, 100))
    two = ix.agreement([["x"] * raters] * 5 + [["z"] * raters] * 5).interval("percent_agreement")
    assert tuple(few) == pytest.approx(tuple(two))
    assert (few.value, few.high, few.note) == (1, 1, "")
    assert few.low < many.low < 1


def test_a_judge_against_the_panel():
    panel = ix.agreement(RATED)
    good, bad = panel.against(TRUTH), panel.against(RNG.integers(0, 4, 60))
    assert (good.within, good.replaces, good.winning_rate) == (True, True, 1)
    assert (bad.within, bad.replaces, bad.winning_rate) == (False, False, 0)
    assert good.values[0] == float(ix.multiclass_kappa(RATED[:, 0], TRUTH))
    close(good.panel[1], float(np.mean([v for pair, v in panel.pairs().items() if 1 in pair])))


def test_the_alternative_annotator_test_by_hand():
    import scipy.stats as st

    found, raw = ix.agreement(RATED).against(TRUTH, epsilon=0.1), []
    for j in range(5):
        others = np.delete(RATED, j, axis=1)
        rater, judge = ((others == x[:, None]).mean(axis=1) for x in (RATED[:, j], TRUTH))
        assert found.advantage[j] == (judge >= rater).mean()
        d = (rater >= judge).astype(int) - (judge >= rater).astype(int)
        raw.append(st.ttest_1samp(d, 0.1, alternative="less").pvalue)
    np.testing.assert_allclose([*found.p_values.values()], st.false_discovery_control(raw, method="by"))


@for_each(
    ("call", "message"),
    [
        (lambda: ix.agreement([["a"], ["b"]]), r"needs two raters or more; 1 rater was given"),
        (lambda: ix.agreement([["a", "b"], ["b"]]), r"one row per item .* rows of 1 to 2 ratings"),
        (lambda: ix.agreement({"x": [1, 2], "y": [1]}), r"different numbers of items: 'x' 2, 'y' 1"),
        (lambda: ix.agreement("ab"), r"this is a text"),
        (lambda: ix.agreement([["a", "b"]], classes=["a"]), r"Rating 'b' of rater 1, item 0, is not in classes=\('a',\)"),
        (lambda: ix.agreement([["a", "b"]]).score("recall"), r"recall is not a symmetric function"),
        (lambda: ix.agreement([["a", "b"]]).score("entropy_true"), r"entropy_true is not a symmetric function"),
        (lambda: ix.agreement([["a", "b"]]).score("gwet_ac2(weights='linear')"), r"in which order the classes are"),
        (lambda: ix.agreement([["a", "b"]]).score("krippendorff_alpha(level='ratio')"), r"'a' is not a number"),
        (lambda: ix.agreement([[1, 2]]).per_class("gwet_ac2(weights='linear')"), r"against all others has none"),
        (lambda: ix.agreement([[1, 2, 2]]).against([1, 2]), r"labels has 2 items, and the raters have 1"),
        (lambda: ix.agreement([[1, 2]], sample_weight=[-1]), r"sample_weight"),
        (lambda: ix.agreement([[1, 2]], sample_weight=[1, 2]), r"sample_weight"),
        (lambda: ix.agreement([[1, 2, 1]], sample_weight=[2]).against([1]), r"counts items; leave sample_weight= out"),
        (lambda: ix.agreement([[1, 2]]).against([1]), r"three raters or more, and there are 2"),
        (lambda: ix.agreement([[1, 2]], classes=[1, 2]).evaluation([3]), r"labels\[0\] = 3 is not in classes=\(1, 2\)"),
        (lambda: ix.agreement([[1, "1"], [1, 1]]), r"ratings mixes label types: '1' is text, and 1 is not"),
        (lambda: ix.agreement([[1, 2]], sample_weight=[-1]), r"a weight is not negative. Correct it, or drop this example"),
        (lambda: ix.agreement([[1, 2]]).score("fleis_kappa"), r"There is no agreement 'fleis_kappa'. Did you mean fleiss_kappa"),
        (lambda: ix.agreement([[1, 2]]).evaluation([1, 2]), r"labels has 2 items, and the raters have 1"),
        (lambda: ix.agreement([[1, 2, 1]]).against([1], epsilon=2), r"epsilon=2 must be"),
    ],
)
def test_mistakes_are_explained(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()
