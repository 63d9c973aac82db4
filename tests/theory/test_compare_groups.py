"""Differences between groups, and the fairness measures against their definitions written out with NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix

ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.sampled_from("abc")), min_size=1, max_size=40)


def share(hits: np.ndarray, of: np.ndarray) -> float:
    return float((hits & of).sum() / of.sum()) if of.any() else math.nan


def spread(rates: list[float]) -> tuple[float, float]:
    """Return the largest difference and the smallest ratio of rates, without those that are undefined."""
    rates = [x for x in rates if not math.isnan(x)]
    if len(rates) < 2:
        return math.nan, math.nan
    return max(rates) - min(rates), min(rates) / max(rates) if max(rates) else math.nan


@examples(50)
@given(ROWS)
def test_fairness_measures_are_their_definitions(rows: list) -> None:
    y, z, site = (np.array(x) for x in zip(*rows, strict=True))
    ev = ix.evaluate(y, z, classes=[0, 1], by={"site": site})
    here = [site == s for s in np.unique(site)]
    selected = spread([share(z == 1, g) for g in here])
    tpr, fpr = spread([share(z == 1, g & (y == 1)) for g in here]), spread([share(z == 1, g & (y == 0)) for g in here])
    ppv = spread([share(y == 1, g & (z == 1)) for g in here])
    odds = tuple(
        choose([x for x in pair if not math.isnan(x)], default=math.nan)
        for choose, pair in zip((max, min), zip(tpr, fpr, strict=True), strict=True)
    )
    expected = {
        "demographic_parity": selected,
        "equal_opportunity": tpr,
        "equalized_odds": odds,
        "predictive_parity": ppv,
    }
    for name, (difference, ratio) in expected.items():
        assert getattr(ix.fairness, f"{name}_difference")(ev, "site") == pytest.approx(difference, nan_ok=True), name
        assert getattr(ix.fairness, f"{name}_ratio")(ev, "site") == pytest.approx(ratio, nan_ok=True), name


def test_fairness_needs_a_positive_class() -> None:
    ev = ix.evaluate(list("abc"), list("abb"), by={"site": [1, 1, 2]})
    with pytest.raises(ValueError, match=r"need a positive class\. Name it with positive="):
        ix.fairness.equal_opportunity_difference(ev, "site")


@given(ROWS, st.sampled_from(sorted(ix.algebra.MEASURES)))
def test_between_has_the_values_of_the_groups(rows: list, measure: str) -> None:
    y, z, site = (np.array(x) for x in zip(*rows, strict=True))
    ev = ix.evaluate(y, z, classes=[0, 1], by={"site": site})
    found = ev.compare_groups(measure, "site")
    assert found.names == tuple(np.unique(site).tolist())
    assert found.sizes == tuple(int((site == s).sum()) for s in found.names)
    own = [float(part.score(measure)) for part in ev.split("site").values()]
    known = {s: x for s, x in zip(found.names, own, strict=True) if math.isfinite(x)}
    assert found.undefined_units == tuple(s for s in found.names if s not in known)
    if len(known) > 1:
        assert found.difference == max(known.values()) - min(known.values())
    else:
        assert math.isnan(found.difference)
        assert math.isnan(found.ratio)
    if known:
        assert known[found.highest] == max(known.values())
        assert known[found.lowest] == min(known.values())
    else:
        assert (found.highest, found.lowest) == (None, None)
    assert (f"{len(found.undefined_units)} of {len(own)} group" in repr(found)) is bool(found.undefined_units)
    assert all(f"{s!r} against {s!r}" not in str(found) for s in found.names)
    assert (" 1 groups" in repr(found) + str(found), " against " in str(found)) == (False, len({*known.values()}) > 1)


def test_between_other_scores() -> None:
    rng = np.random.default_rng(1)
    y, z, site = rng.integers(0, 3, (3, 90))
    ev = ix.evaluate(y, z, by={"site": site})
    macro = [float(part.score("f1", "macro")) for part in ev.split("site").values()]
    assert ev.compare_groups("f1", "site", average="macro").values.tolist() == macro
    matrix = [float(part.score("multiclass_mcc")) for part in ev.split("site").values()]
    assert ev.compare_groups("multiclass_mcc", "site").values.tolist() == matrix
    assert math.isnan(ev.compare_groups("multiclass_mcc", "site").ratio) is (min(matrix) < 0)
    assert ev.compare_groups("recall", "site").counts == ev.aggregate("site")
    assert ev.compare_groups("exact_match", "site").values.tolist() == ev.values("recall", per="site").tolist()


def test_one_group_with_a_value_is_compared_with_nothing() -> None:
    found = ix.evaluate([1, 0, 0, 0], [1, 0, 0, 0], by={"g": [1, 1, 2, 2]}).compare_groups("recall", "g")
    assert (
        repr(found) == "<GroupComparison: binary recall over 2 groups of g, 1 of 2 groups undefined, difference nan, ratio nan>"
    )
    assert "fewer than two groups have a value" in str(found)
    alone = ix.evaluate([1, 0], [1, 0], by={"g": [1, 1]}).compare_groups("recall", "g")
    assert repr(alone) == "<GroupComparison: binary recall over 1 group of g, difference nan, ratio nan>"
    assert str(alone).startswith("binary recall between 1 group of g\n")
    same = ix.evaluate([1, 1], [1, 1], by={"g": [1, 2]}).compare_groups("recall", "g")
    assert "difference 0.000000, ratio 1.000000: the groups with a value are equal" in str(same)


@pytest.mark.parametrize(
    ("axis", "by", "kind", "words"),
    [
        ("sx", ["sex", "age"], ValueError, "There is no grouping 'sx'. Did you mean sex?"),
        ("place", ["sex", "age"], ValueError, "There is no grouping 'place'. The groupings are 'sex', 'age'."),
        ("class", ["sex"], ValueError, "There is no grouping 'class'. The groupings are 'sex'."),
        ("sex", [], ValueError, "There is no grouping 'sex'. Pass by={'sex': ids} to evaluate."),
        (("sex", "place"), ["sex", "age"], ValueError, "There is no grouping 'place'. The groupings are 'sex', 'age'."),
        (("sex", "sex"), ["sex", "age"], ValueError, "between() crosses different groupings, and 'sex', 'sex' names one twice."),
        ((), ["sex"], TypeError, "between() compares the groups of one grouping, 'site', or of several crossed, ('site', 'sex')"),
        (3, ["sex"], TypeError, "between() compares the groups of one grouping, 'site', or of several crossed, ('site', 'sex')"),
    ],
)
def test_groupings_that_do_not_exist(axis: object, by: list[str], kind: type[Exception], words: str) -> None:
    ev = ix.evaluate([0, 1], [0, 1], by={name: [1, 2] for name in by} or None)
    for call in (lambda: ev.compare_groups("f1", axis), lambda: ix.fairness.equal_opportunity_ratio(ev, axis)):
        with pytest.raises(kind) as error:
            call()
        assert str(error.value).startswith(words)


def test_data_frames_hold_the_groups() -> None:
    ev = ix.evaluate([1, 0, 1, 0, 0], [1, 0, 0, 0, 0], by={"tp": [1, 1, 1, 2, 2]})
    found = ev.compare_groups("recall", "tp")
    columns = found.to_dict()
    assert [*columns] == ["tp", "examples", "tp_", "fp", "fn", "tn", "value", "low", "high"]
    assert (columns["tp"], columns["examples"], columns["tp_"], columns["tn"]) == ([1, 2], [3, 2], [1, 0], [1, 2])
    assert columns["value"][0] == 0.5
    assert math.isnan(columns["value"][1])
    assert found.to_polars()["value"].to_list() == [0.5, None]
    assert repr(found.to_pandas().to_dict("list")) == repr(columns)
    matrix = ix.evaluate(list("abcabc"), list("abbacc"), by={"site": [1, 1, 1, 2, 2, 2]}).compare_groups("multiclass_mcc", "site")
    assert matrix.to_dict()["value"] == matrix.values.tolist()


def unequal(n: int, wrong: float) -> ix.Evaluation:
    """Return groups of n examples; in the first, a share of the positives is missed."""
    y = np.tile([0, 1], n * 3 // 2)
    z, site = y.copy(), np.repeat(list("abc"), n)
    z[(site == "a") & (y == 1) & (np.arange(3 * n) < wrong * n)] = 0
    z[-4:] = 1 - z[-4:]
    return ix.evaluate(y, z, by={"site": site})


def kinds(ev: ix.Evaluation) -> list[str]:
    return [f.kind for f in ev.findings()]


def test_a_gap_that_is_large_for_the_sizes_is_found() -> None:
    (found,) = (f for f in unequal(200, 0.4).findings() if f.kind == "groups")
    assert found.text.startswith("Recall is 0.600 in site 'a' (200 examples) and 0.990 in the others, more than chance explains")
    assert "ev.compare_groups('recall', 'site')" in found.advice
    assert unequal(200, 0.4).compare_groups("recall", "site").unusual[0] == "a"
    assert "groups" not in kinds(unequal(10, 0.4))  # the same shares in small groups may be chance
    assert "groups" not in kinds(unequal(200, 0.0))
    assert unequal(10, 0.4).compare_groups("recall", "site").unusual == ()


@pytest.mark.slow
def test_chance_alone_is_rarely_found() -> None:
    rng = np.random.default_rng(0)
    ones = [ix.evaluate(*rng.integers(0, 2, (2, 400)), by={"site": rng.integers(0, 8, 400)}) for _ in range(100)]
    assert sum(bool(ev.compare_groups("recall", "site").unusual) for ev in ones) <= 3


@pytest.mark.slow
def test_weights_that_are_all_equal_change_no_chance() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        y, site = rng.integers(0, 2, 60), rng.integers(0, 3, 60)
        z = np.where(rng.random(60) < np.where(site == 0, 0.6, 0.1), 1 - y, y)
        plain = ix.evaluate(y, z, by={"site": site})
        for weight in (0.5, 3):
            equal = ix.evaluate(y, z, by={"site": site}, sample_weight=np.full(60, weight))
            for measure, average in (("recall", None), ("f1", None), ("accuracy", "micro"), ("f1", "macro")):
                one, other = (ev.compare_groups(measure, "site", average=average) for ev in (plain, equal))
                assert (one.unusual, one.test, one.intervals) == (other.unusual, other.test, other.intervals)


def test_sums_of_weights_and_memberships_have_no_chance() -> None:
    y, z, site = np.tile([0, 1], 100), np.repeat([0, 1], 100), np.repeat(["a", "b"], 100)
    assert ix.evaluate(y, z, by={"site": site}).compare_groups("recall", "site").unusual == ("a", "b")
    weighted = ix.evaluate(y, z, by={"site": site}, sample_weight=np.full(200, 0.5), moments=False)
    assert weighted.compare_groups("recall", "site").unusual == ()
    assert weighted.compare_groups("recall", "site").difference == 1
    unequal = ix.evaluate(y, z, by={"site": site}, sample_weight=np.tile([1, 2], 100)).compare_groups("recall", "site")
    assert unequal.unusual == ("a", "b")
    soft = ix.evaluate(y[:, None] * 0.9, z[:, None] * 0.9, tnorm="product", positive=0, by={"site": site}, moments=False)
    assert soft.compare_groups("recall", "site").unusual == ()


def test_groups_of_several_classes_are_compared_by_accuracy() -> None:
    rng = np.random.default_rng(0)
    y, site = rng.integers(0, 3, 600), np.repeat([1, 2], 300)
    z = np.where((site == 1) & (rng.random(600) < 0.3), (y + 1) % 3, y)
    (found,) = (f for f in ix.evaluate(y, z, by={"site": site}).findings() if f.kind == "groups")
    assert found.text.startswith("Accuracy is ")


def test_the_report_has_a_table_for_each_axis() -> None:
    ev = unequal(200, 0.4)
    header, a, b, c = str(ev).split("\n\nsite ")[1].split("\n\n")[0].splitlines()
    assert header.split()[:5] == ["examples", "binary", "precision", "binary", "recall"]
    assert a.split()[:4] == ["a", "200", "1.000", "0.600"]
    assert [row.split()[0] for row in (b, c)] == ["b", "c"]
    letters = ix.evaluate(list("abcabc"), list("abbacc"), by={"site": [1, 1, 1, 2, 2, 2], "day": [1, 2] * 3})
    text = str(letters)
    assert "site (pooled)" in text
    for axis in ("site", "day"):
        assert f"\n\n{axis}  " in text
        assert f"{letters.split(axis)[1].score('f1', 'macro'):.3f}" in text.split(f"\n\n{axis}  ")[1].split("\n\n")[0]
    many = ix.evaluate([0, 1] * 50, [0, 1] * 50, by={"row": range(100)})
    assert "… the 30 largest of 100 groups" in str(many)
