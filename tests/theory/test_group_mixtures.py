"""Mixtures of groups: the exemplar average is linear in the shares of the label configurations (prop:exemplar_skew)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import indicatrix as ix

SETS = np.array([[1, 0], [1, 1], [0, 1], [0, 0]])
CHANCE = np.array([[0.9, 0.1], [0.5, 0.8], [0.2, 0.7], [0.1, 0.1]])
MIXTURES = {"A": [0.4, 0.1, 0.4, 0.1], "B": [0.1, 0.4, 0.1, 0.4]}


def evaluated(**options):
    rng = np.random.default_rng(5)
    y, z = rng.random((40, 3)) < 0.5, rng.random((40, 3)) < 0.5
    y[:, 0] = z[:, 0] = True  # every exemplar value is defined
    groups = ix.tasks.configurations(y.astype(int))
    return ix.evaluate(y, z, by={"configuration": groups, "site": [i % 2 for i in range(40)]}, **options), y, z, groups


def test_the_exemplar_average_is_the_mixture_of_the_configurations():
    ev, y, z, groups = evaluated()
    names = sorted(set(groups))
    own = {g: ix.f1(y[[g == k for k in groups]], z[[g == k for k in groups]], average="exemplar") for g in names}
    for shares in ({g: Fraction(1, len(names)) for g in names}, {g: Fraction(int(g == names[0])) for g in names}):
        mixed = ev.with_group_shares(shares, "configuration")
        assert mixed.score("f1", "exemplar") == pytest.approx(float(sum(shares[g] * Fraction(own[g]) for g in names)))
        assert mixed.aggregate("example").times.sum() == pytest.approx(40)
    assert ev.with_group_shares("uniform", "configuration").values("recall", "configuration").tolist() == pytest.approx(
        ev.values("recall", "configuration").tolist()
    )  # within a group nothing changes
    as_they_are = {g: Fraction(groups.count(g), 40) for g in names}
    assert ev.with_group_shares(as_they_are, "configuration").aggregate("class").tp.tolist() == ev.aggregate("class").tp.tolist()


@pytest.mark.parametrize("name", MIXTURES)
def test_macro_recall_moves_at_unchanged_prevalences(name, tmp_path):
    groups = ix.tasks.configurations(SETS)
    ev = ix.evaluate(SETS, CHANCE, tnorm="product", by={"configuration": groups})
    mixed = ev.with_group_shares(dict(zip(groups, MIXTURES[name], strict=True)), "configuration")
    direct = ix.evaluate(SETS, CHANCE, tnorm="product", sample_weight=MIXTURES[name])
    assert mixed.score("recall", "macro") == pytest.approx({"A": 0.77, "B": 0.68}[name])  # errata C8
    assert mixed.score("f1", "macro") == pytest.approx(direct.score("f1", "macro"))
    mixed.save(tmp_path / "mixed.json")
    assert ix.load(tmp_path / "mixed.json") == mixed
    with pytest.raises(ValueError, match="was not kept when the counts were changed"):
        mixed.interval("recall", "macro")


def test_pairs_weights_and_masks_are_mixed_too():
    ev = ix.evaluate(list("aabb"), list("abbb"), by={"site": list("uuvv")}, sample_weight=[1, 2, 3, 4], mask=[1, 1, 1, 0])
    mixed = ev.with_group_shares([0.25, 0.75], "site")
    assert mixed.confusion.tolist() == [[0.5, 1.0], [0.0, 4.5]]
    assert ix.tasks.configurations(["x", "y"]) == ["{'x'}", "{'y'}"]
    assert ix.tasks.configurations([{1}, {1, 2}, set()]) == ["{1}", "{1, 2}", "{}"]


@pytest.mark.parametrize(
    ("shares", "per", "message"),
    [
        ({0: 0.5, 1: 0.5}, "class", "not a grouping"),
        ({0: 0.5, 1: 0.25}, "site", "add up to 0.75"),
        ({0: 1}, "site", "does not contain 1"),
        ({0: 2, 1: -1}, "site", "negative"),
    ],
)
def test_shares_that_are_not_shares_of_groups_are_refused(shares, per, message):
    with pytest.raises(ValueError, match=message):
        evaluated()[0].with_group_shares(shares, per)
