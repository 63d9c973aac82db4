"""Raters who rated nothing, pairs who share no item, two raters or more, values that are undefined."""

from __future__ import annotations

import math
import pickle
from itertools import combinations

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.catalogue.matrices import MATRIX_MEASURES
from indicatrix.catalogue.matrices.agreement import RATER_COEFFICIENTS

COMPLETE = [[1, 1, 2], [2, 2, 2], [1, 2, 1], [2, 2, 2], [1, 1, 1], [2, 1, 1]]
TWO = {"ann": [1, 1, 2, 2, 3, 3], "bob": [1, 2, 2, 2, 2, 3]}
SYMMETRIC = sorted({measure.name for measure in MATRIX_MEASURES.values() if measure.facts.symmetric})


def few_pairs() -> np.ndarray:
    """Five raters, two for each item: raters 0 and 1 share no item with 4."""
    rng = np.random.default_rng(3)
    codes = np.full((40, 5), np.nan)
    for i, pair in enumerate([(0, 1), (1, 2), (2, 3), (3, 4), (0, 2)] * 8):
        truth = rng.integers(0, 2)
        codes[i, list(pair)] = np.where(rng.random(2) < 0.8, truth, 1 - truth)
    return codes


@pytest.mark.parametrize("name", ["conger_kappa", "light_kappa", "multiclass_kappa", "conger_kappa(weights='linear')"])
def test_a_rater_without_usable_ratings_changes_nothing(name):
    plain = ix.agreement(COMPLETE).interval(name)
    silent = ix.agreement([[*row, None] for row in COMPLETE]).interval(name)
    alone = ix.agreement([*([*row, None] for row in COMPLETE), [None, None, None, 2]]).interval(name)  # no other rated this item
    assert (plain.value, plain.low, plain.high) == (silent.value, silent.low, silent.high) == (alone.value, alone.low, alone.high)


def test_means_over_pairs_leave_out_pairs_that_share_no_item():
    panel = ix.agreement(few_pairs())
    known = [x for x in panel.pairs().values() if x == x]
    assert len(known) == 5
    assert panel.score("light_kappa") == pytest.approx(np.mean(known))
    note = "5 of 10 pairs of raters have no value and are left out"
    found = panel.interval("light_kappa")
    assert note in found.note
    assert note in str(panel)
    assert found.low < found.value < found.high
    judge = panel.against([0, 1] * 20)
    assert "5 of 15 pairs" in judge.note
    assert judge.panel[4] == panel.pairs()[3, 4]
    assert judge.within == (judge.mean >= min(judge.panel.values()))
    assert ix.agreement(COMPLETE).against([1, 2, 1, 2, 1, 2]).note == ""
    assert math.isnan(ix.agreement([[1, 1, 1]] * 3).against([1, 1, 1]).mean)


@for_each("name", SYMMETRIC)
def test_two_raters_are_their_table(name):
    ours = ix.agreement(TWO).score(name)
    assert ours == pytest.approx(float(ix.evaluate(*TWO.values()).score(name)), nan_ok=True)
    assert ours == pytest.approx(ix.agreement(TWO).pairs(name)["ann", "bob"], nan_ok=True)


def test_two_raters_and_weights_that_are_not_symmetric():
    weights = [[0, 5, 4], [2, 0, 1], [3, 2, 0]]
    measure = ix.multiclass_kappa.at(weights=weights)
    value = ix.agreement(TWO).score(measure)
    assert value == pytest.approx(float(ix.evaluate(*TWO.values()).score(measure)))
    assert value != ix.agreement(dict(reversed(TWO.items()))).score(measure)
    three = ix.agreement({**TWO, "cy": [1, 1, 2, 2, 2, 3]})
    for name in (measure, ix.measures.bennett_s.at(weights=weights), f"conger_kappa(weights={weights})"):
        with pytest.raises(ValueError, match=r"has no value for 3 raters: its weights are not symmetric.* Use \.pairs\("):
            three.score(name)
    with pytest.raises(ValueError, match=r"neither a judge nor a rater is the truth"):
        three.against([1] * 6, measure)


def test_kappa_of_several_raters_is_congers():
    panel = ix.agreement(COMPLETE)
    assert panel.score("multiclass_kappa") == panel.score("cohen_kappa") == panel.score("conger_kappa")
    assert panel.score("gwet_ac1") == panel.score("ac1") == panel.score("multiclass_gwet_ac1")
    assert panel.score("scott_pi") == panel.score("fleiss_kappa")


@pytest.mark.parametrize("name", ["multiclass_mcc", "aickin_alpha", "bangdiwala_b", "cramer_v", "adjusted_rand_index"])
def test_functions_of_two_sides_are_refused_for_several_raters(name):
    panel = ix.agreement(COMPLETE)
    for call in (panel.score, panel.interval, panel.per_class):
        with pytest.raises(ValueError, match=rf"{name} has no value for 3 raters: it reads a table .* Use \.pairs\('{name}'\)"):
            call(name)
    assert len(panel.pairs(name)) == 3


def test_intervals_where_leaving_out_an_item_leaves_one_class():
    found = ix.agreement([[1, 1]] * 19 + [[1, 2]]).interval(method="delta")
    assert (found.low, found.high) == pytest.approx((-0.0807, 0.0294), abs=5e-5)  # Gwet's formula, as irrCAC has it
    sure = ix.agreement([[1, 1], [2, 2], [1, 1]]).interval(method="delta")
    assert (sure.low, sure.high) == (1, 1)
    assert "does not mean that the value is certain" in sure.note
    assert sure.warning == sure.note


def test_intervals_by_gwets_formula():
    """Each item has a value of its own, with what it adds to chance; their variance is that of the coefficient."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, (25, 4))
    codes[:15] = codes[:15, :1]
    counts = np.stack([(codes == k).sum(axis=1) for k in range(3)], axis=1)
    agreed, share = (counts * (counts - 1)).sum(axis=1) / 12, counts / 4
    mean = share.mean(axis=0)
    chance = (mean**2).sum()
    value = (agreed.mean() - chance) / (1 - chance)
    each = (agreed - chance) / (1 - chance) - 2 * (1 - value) * (share @ mean - chance) / (1 - chance)
    found = ix.agreement(codes).interval("fleiss_kappa", method="delta")
    assert found.value == pytest.approx(value)
    from scipy.stats import t

    assert found.high - value == pytest.approx(t.ppf(0.975, 24) * each.std(ddof=1) / 5, rel=1e-6)


@pytest.mark.parametrize("name", ["gwet_ac2", "ac2", "weighted_kappa"])
def test_weighted_coefficients_need_weights(name):
    ev, panel, measure = ix.evaluate(*TWO.values()), ix.agreement(TWO), getattr(ix.measures, name)
    calls = (
        lambda: ev.score(name),
        lambda: panel.score(name),
        lambda: measure(ev),
        lambda: pickle.loads(pickle.dumps(measure))(ev),
    )
    for call in calls:
        with pytest.raises(ValueError, match=rf"{name} has weights, and none were given; without them it is multiclass_"):
            call()
    assert measure(ev, weights="linear") == panel.score(f"{name}(weights='linear')")
    assert pickle.loads(pickle.dumps(measure.at(weights="linear"))) == measure.at(weights="linear")


def test_coefficients_of_raters_are_explained():
    for name, found in RATER_COEFFICIENTS.items():
        assert "ratings of several raters" in str(ix.explain(name))
        assert found.source in ix.catalogue.references()


def test_an_array_without_items_has_raters():
    assert len(ix.agreement(np.zeros((0, 3))).ratings.raters) == 3


def test_no_weight_is_no_value():
    panel = ix.agreement([[1, 1, 2], [2, 1, 1]], sample_weight=[0, 0])
    for name in ("percent_agreement", "fleiss_kappa", "conger_kappa", "light_kappa", "krippendorff_alpha"):
        assert math.isnan(panel.score(name))
        assert math.isnan(panel.interval(name).low)
    assert all(math.isnan(x) for x in panel.pairs().values())
    assert len(panel.pairs()) == len([*combinations(range(3), 2)])


def test_ratings_may_be_fractions_of_numbers():
    rows = [[1.5, 1.5], [2.5, 2.0], [3.0, 3.0], [1.5, 2]]
    panel = ix.agreement(rows)
    assert panel.ratings.classes == (1.5, 2, 2.5, 3)
    doubled = ix.agreement([[2 * x for x in row] for row in rows])
    for level in ("nominal", "ordinal", "interval", "ratio"):
        name = f"krippendorff_alpha(level={level!r})"
        assert panel.score(name) == doubled.score(name)
    three = ix.agreement([[*row, 2.5] for row in rows]).against([0.5, 2, 3, 1.5], "percent_agreement")
    assert three.values == {0: 0.5, 1: 0.5, 2: 0.0}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_ordered_categoricals_have_their_order(library):
    module = pytest.importorskip(library)
    levels, ratings = ["none", "some", "much"], {"a": ["none", "much", "some", None], "b": ["none", "some", "some", "much"]}
    if library == "pandas":
        columns = {name: module.Categorical(x, levels, ordered=True) for name, x in ratings.items()}
    else:
        columns = {name: module.Series(x, dtype=module.Enum(levels)) for name, x in ratings.items()}
    want = ix.agreement(ratings, classes=levels)
    for given in (columns, module.DataFrame(columns)):
        found = ix.agreement(given)
        assert (found.ratings.classes, found.ratings.codes.tolist()) == (tuple(levels), want.ratings.codes.tolist())
        assert found.score("krippendorff_alpha(level='ordinal')") == want.score("krippendorff_alpha(level='ordinal')")


@for_each(
    ("call", "message"),
    [
        (lambda: ix.agreement([1, 2, 3]), r"ratings\[0\] = 1 is one value, not the ratings of an item"),
        (lambda: ix.agreement(np.array([1, 2, 3])), r"ratings\[0\] = 1 is one value"),
        (lambda: ix.agreement(["ab", "ba"]), r"ratings\[0\] = 'ab' is one value"),
        (lambda: ix.agreement(5), r"ratings=5 is not a table"),
        (lambda: ix.agreement({}), r"0 raters were given"),
        (
            lambda: ix.agreement([[1, 2]]).score("alpha"),
            r"There is no agreement 'alpha'. Use percent_agreement, .* or a symmetric",
        ),
        (lambda: ix.agreement([[1, 2]]).score("krippendorff"), r"no agreement 'krippendorff'. Did you mean krippendorff_alpha"),
        (lambda: ix.agreement({"a": 1, "b": 2}), r"The ratings of 'a' are 1; give a list"),
        (lambda: ix.agreement(np.zeros((2, 2, 2))), r"of rater 0, item 0, cannot be a label"),
        (lambda: ix.agreement([[[1], 2], [1, 2]]), r"Rating \[1\] of rater 0, item 0, cannot be a label"),
        (lambda: ix.agreement([[1.5, math.inf]]), r"infinite number"),
        (lambda: ix.agreement([[1, 2]]).score(ix.multiclass_kappa.at(weights=[[1, 0], [0, 1]])), r"diagonal is 0; .* \[1, 1\]"),
        (lambda: ix.agreement([[1, 2]]).score(ix.multiclass_kappa.at(weights=[[0, -1], [1, 0]])), r"not negative; .* -1"),
    ],
)
def test_what_is_no_table_of_ratings_is_explained(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()
