"""The truth behind raters: published numbers, laws, and what is said where it misleads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from benchmarks.draws import samples
from benchmarks.unlabeled import of_raters, panel
from indicatrix.tally.corrected.latent_classes import Rated, fit_latent_classes

# Dawid and Skene 1979, Applied Statistics 28:20-28, table 1: 45 patients, seen by five anaesthetists, three times by the first.
PATIENTS = (
    "111 1 1 1 1|333 4 3 3 4|112 2 1 2 2|222 3 1 2 1|222 3 2 2 2|222 3 3 2 2|122 2 1 1 1|333 3 4 3 3|222 2 2 2 3|232 2 2 2 3|"
    "444 4 4 4 4|222 3 3 4 3|111 1 1 1 1|222 3 2 1 2|121 1 1 1 1|111 2 1 1 1|111 1 1 1 1|111 1 1 1 1|222 2 2 2 1|222 1 3 2 2|"
    "222 2 2 2 2|222 2 2 2 1|222 3 2 2 2|221 2 2 2 2|111 1 1 1 1|111 1 1 1 1|232 2 2 2 2|111 1 1 1 1|111 1 1 1 1|112 1 1 2 1|"
    "111 1 1 1 1|333 3 2 3 3|111 1 1 1 1|222 2 2 2 2|222 3 2 3 2|433 4 3 4 3|221 2 2 3 2|232 3 2 3 3|333 3 4 3 2|111 1 1 1 1|"
    "111 1 1 1 1|121 2 1 1 1|232 2 2 2 2|121 1 1 1 1|222 2 2 2 2"
)
ROWS = [[int(c) for c in row.replace(" ", "")] for row in PATIENTS.split("|")]
COLUMNS = ("1a", "1b", "1c", "2", "3", "4", "5")
SAME = {"1a": "1", "1b": "1", "1c": "1"}


def anaesthetists(rows: Any = ROWS) -> Any:
    return ix.agreement(dict(zip(COLUMNS, zip(*rows, strict=True), strict=True))).latent_truth(same=SAME)


def test_anaesthetists() -> None:
    found = anaesthetists()
    assert [round(share, 4) for share in found.shares.values()] == [0.3996, 0.4220, 0.1118, 0.0667]  # their table 2
    assert found.raters == ("1", "2", "3", "4", "5")
    assert found.error_rates["1"].sum(axis=1) == pytest.approx(1)
    # Another solution is a little more likely; both are told.
    assert any("4 truths" in note for note in found.notes)
    shares = found.evaluation("5").values("prevalence", interval=0.95)
    assert [round(x.value, 4) for x in shares.intervals] == [0.3996, 0.4220, 0.1118, 0.0667]


def test_columns_of_one_rater_share_error_rates() -> None:
    apart = ix.agreement(dict(zip(COLUMNS, zip(*ROWS, strict=True), strict=True))).latent_truth()
    assert len(apart.error_rates) == 7
    assert apart.shares != anaesthetists().shares


def raters(n: int = 400, m: int = 2, seed: int = 0, count: int = 4) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    y = rng.choice(m, n, p=np.arange(1, m + 1) / (m * (m + 1) / 2))
    return {f"r{k}": np.where(rng.random(n) < 0.7 + 0.05 * k, y, rng.integers(0, m, n)) for k in range(count)}


@pytest.mark.parametrize("m", [2, 4])
def test_what_an_item_adds_is_the_derivative(m: int) -> None:
    codes, times = np.unique(np.stack([*raters(m=m).values()], axis=1), axis=0, return_counts=True)
    amounts = np.random.default_rng(1).normal(size=(len(codes), m))

    def total(times: Any) -> tuple[Any, float]:
        found, _ = fit_latent_classes(Rated(codes, times, np.arange(4), m))
        return found, float((times[:, None] * amounts * found.memberships).sum())

    found, _ = total(times.astype(float))
    added = found.along(amounts)
    for i in range(0, len(codes), max(1, len(codes) // 4)):
        step = np.zeros(len(codes))
        step[i] = 0.01
        slope = (total(times + step)[1] - total(times - step)[1]) / 0.02
        assert added[i] == pytest.approx(slope, abs=2e-3 * np.abs(added).max())


def test_order_of_items_raters_and_classes_changes_nothing() -> None:
    given = raters(m=3)
    ev = ix.agreement(given).latent_truth().evaluation("r3")
    order = np.random.default_rng(2).permutation(400)
    others = {name: given[name][order] for name in ("r2", "r0", "r3", "r1")}
    again = ix.agreement(others).latent_truth().evaluation("r3")
    named = ix.agreement({name: [f"c{2 - x}" for x in own] for name, own in given.items()}).latent_truth().evaluation("r3")
    for measure, average in (("f1", "macro"), ("accuracy", None), ("multiclass_kappa", None)):
        one, two, three = (x.interval(measure, average) for x in (ev, again, named))
        for other in (two, three):
            assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), abs=1e-5)


def test_weights_count_items_as_often() -> None:
    given, times = raters(), np.random.default_rng(0).integers(1, 3, 400)
    once = ix.agreement(given, sample_weight=times).latent_truth()
    often = ix.agreement({name: np.repeat(own, times) for name, own in given.items()}).latent_truth()
    assert list(once.shares.values()) == pytest.approx(list(often.shares.values()), abs=1e-6)
    assert once.evaluation("r0").score("f1") == pytest.approx(often.evaluation("r0").score("f1"), abs=1e-6)


def test_the_unit_of_weights_makes_nobody_doubtful() -> None:
    weights = np.random.default_rng(0).exponential(size=400)
    one, other = (ix.agreement(raters(), sample_weight=unit * weights).latent_truth() for unit in (1.0, 1e4))
    assert one.notes == other.notes == ()
    a, b = (truth.evaluation("r0").interval("f1") for truth in (one, other))
    assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high), abs=1e-6)
    assert a.note == b.note


def test_raters_who_agree_are_right() -> None:
    same = [0, 1, 1, 2] * 10
    truth = ix.agreement(dict.fromkeys("abc", same)).latent_truth()
    ev = truth.evaluation("c")
    assert truth.labels == same
    assert ev.score("accuracy") == pytest.approx(1)
    assert ev.confusion == pytest.approx(ix.evaluate(same, same).confusion)
    assert ev.interval("accuracy").low < 1


def test_missing_ratings_groups_saving_and_errors(tmp_path: Any) -> None:
    given: dict[str, Any] = {}
    for k, (name, own) in enumerate(raters().items()):
        given[name] = [None if (i + k) % 7 == 0 else x for i, x in enumerate(own.tolist())]
    truth = ix.agreement(given).latent_truth()
    ev = truth.evaluation("r1", by={"half": np.arange(400) // 200})
    assert ev.n == sum(x is not None for x in given["r1"])
    assert ev.aggregate().n == pytest.approx(2 * ev.n)
    assert {*ev.split("half")} == {0, 1}
    ev.save(tmp_path / "ev.json")
    assert ix.load(tmp_path / "ev.json").score("f1") == pytest.approx(ev.score("f1"))
    whole = ix.agreement(raters()).latent_truth().evaluation("r1")
    whole.save(tmp_path / "whole.json")
    assert ix.load(tmp_path / "whole.json").interval("f1") == whole.interval("f1")
    with pytest.raises(ValueError, match="'x' is not a column"):
        truth.evaluation("x")
    with pytest.raises(ValueError, match="three or more"):
        ix.agreement({"a": [0, 1], "b": [1, 1]}).latent_truth()
    with pytest.raises(ValueError, match="same= names 'z'"):
        ix.agreement(raters()).latent_truth(same={"z": "r0"})
    with pytest.raises(ValueError, match="no ratings"):
        ix.agreement({"a": [None], "b": [None], "c": [None]}, classes=[0, 1]).latent_truth()


def test_items_with_two_ratings_tell_no_truth() -> None:
    """Pairs of ratings have the same chances at other shares of classes: whoever is right then cannot be told.

    With one rating each, every rater came out as right in 100 of 100 items.
    """
    raised, lowered = 0.3, 0.37  # the share of class 1, and one at which all pairs of labels are as frequent
    rate = {"a": (0.2, 0.7), "b": (0.25, 0.8), "c": (0.1, 0.8)}  # of the label 1, of items of class 0 and 1
    ratio = (raised * (1 - raised) / (lowered * (1 - lowered))) ** 0.5
    other = {}
    for name, (low, high) in rate.items():
        mean, apart = low + raised * (high - low), ratio * (high - low)
        other[name] = (mean - lowered * apart, mean + (1 - lowered) * apart)
    for one, two in (("a", "b"), ("a", "c"), ("b", "c")):
        both = [
            sum(w * rates[one][k] * rates[two][k] for k, w in ((0, 1 - share), (1, share)))
            for share, rates in ((raised, rate), (lowered, other))
        ]
        assert both[0] == pytest.approx(both[1])
    for most in (1, 2):
        given = {
            name: [x if (i + k) % 4 < most else None for i, x in enumerate(own.tolist())]
            for k, (name, own) in enumerate(raters().items())
        }
        with pytest.raises(ValueError, match=f"No item has more than {most} of the ratings"):
            ix.agreement(given).latent_truth()
        given["r0"][0] = given["r1"][0] = given["r2"][0] = 1
        assert ix.agreement(given).latent_truth().shares


def test_a_rater_outside_scores_too_low() -> None:
    """Why the classifier has to be one of the raters: a truth that only others tell errs independently of it."""
    _, given = panel("3 of .8", np.random.default_rng(0), 4000)
    inside = ix.agreement(given).latent_truth().evaluation("model").score("f1")
    model = given.pop("model")
    others = ix.agreement(given).latent_truth()
    outside = ix.evaluate(others.memberships, np.eye(2)[model], tnorm="product").values("f1")[1]
    assert inside == pytest.approx(0.76, abs=0.03)
    assert outside < inside - 0.08


@pytest.mark.slow
def test_intervals_cover_where_raters_err_independently() -> None:
    ((_, found),) = samples(of_raters, [("3 of .8", 600)], 12)
    error, covered, doubted, _ = found.mean(axis=0)
    assert abs(error) < 0.03
    assert covered >= 0.75
    assert doubted <= 0.2


def test_raters_that_err_together_are_found_where_they_can_be() -> None:
    rng = np.random.default_rng(0)
    _, given = panel("5 of .7", rng, 3000)
    given["copy"] = np.where(rng.random(3000) < 0.8, given["rater 0"], 1 - given["rater 0"])
    notes = ix.agreement(given).latent_truth().notes
    assert any("Some raters err together" in note for note in notes)
    three = ix.agreement(raters(count=3)).latent_truth().notes
    assert any("it takes four" in note for note in three)


def test_batches_of_items_add() -> None:
    given = raters(m=3)
    halves = [{name: own[some] for name, own in given.items()} for some in (slice(0, 150), slice(150, None))]
    parts = [ix.agreement(half, classes=range(3)).latent_truth().evaluation("r2") for half in halves]
    whole = ix.agreement(given, classes=range(3)).latent_truth().evaluation("r2")
    assert parts[0] + parts[1] == whole
    assert (parts[0] + parts[1]).interval("f1", "macro") == whole.interval("f1", "macro")
