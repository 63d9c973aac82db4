"""Groups of two axes crossed are those of one axis that names both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix

N = 240
RNG = np.random.default_rng(5)
SITE, SEX, AGE = RNG.choice(["x", "y", "z"], N), RNG.choice(["f", "m"], N), RNG.integers(0, 4, N)
LABELS: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "binary": (RNG.integers(0, 2, N), RNG.integers(0, 2, N), {}),
    "multiclass": (RNG.choice(list("abc"), N), RNG.choice(list("abc"), N), {}),
    "weighted": (RNG.integers(0, 2, N), RNG.integers(0, 2, N), {"sample_weight": RNG.random(N)}),
    "many classes": (RNG.integers(0, 50, N), RNG.integers(0, 50, N), {}),
    "multilabel": (RNG.integers(0, 2, (N, 3)), RNG.integers(0, 2, (N, 3)), {}),
    "abstaining": (RNG.choice(list("ab"), N), RNG.choice(np.array(["a", "b", None], object), N), {"missing": "abstain"}),
}
SCORES = [("recall", "micro"), ("f1", "macro"), ("multiclass_kappa", None)]


def cross(axes: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the group of each example as one name: a tuple of the plain values."""
    return [*zip(*(x.tolist() for x in axes.values()), strict=True)]


@for_each("axes", [{"site": SITE, "sex": SEX}, {"sex": SEX, "age": AGE}, {"age": AGE, "sex": SEX, "site": SITE}])
@for_each("kind", [kind for kind in LABELS if kind != "many classes"])
@for_each(("measure", "average"), SCORES)
def test_crossing_is_the_same_as_one_axis_of_both(axes: dict[str, Any], kind: str, measure: str, average: Any) -> None:
    y, z, options = LABELS[kind]
    if measure == "multiclass_kappa" and (kind in ("multilabel", "abstaining") or "age" in axes):  # it has no table, or many
        measure = "jaccard"
    both = ix.evaluate(y, z, by={"hospital": SEX, **axes}, **options).compare_groups(measure, (*axes,), average=average)
    names = cross(axes)
    numbers = {name: i for i, name in enumerate(sorted(set(names)))}
    one = ix.evaluate(y, z, by={"both": [numbers[name] for name in names]}, **options).compare_groups(
        measure, "both", average=average
    )
    assert both.names == tuple(numbers)
    assert both.sizes == one.sizes
    np.testing.assert_array_equal(np.asarray(both.values), np.asarray(one.values))
    assert (both.test is None) == (one.test is None)
    if both.test is not None:
        assert both.test.p_value == pytest.approx(one.test.p_value)
        assert both.difference_interval.low == pytest.approx(one.difference_interval.low)
    columns = both.to_dict()
    assert [tuple(columns[axis][i] for axis in axes) for i in range(len(numbers))] == [*numbers]


def test_each_axis_is_compared_alone_as_well() -> None:
    y, z, _ = LABELS["binary"]
    ev = ix.evaluate(y, z, by={"site": SITE, "sex": SEX})
    both = ev.compare_groups("recall", ["site", "sex"], level=0.9)
    assert [*both.alone] == ["site", "sex"]
    for axis, alone in both.alone.items():
        assert str(alone) == str(ev.compare_groups("recall", axis, level=0.9))
        assert f"{axis} alone: difference {alone.difference:.6f}" in str(both)
    assert ev.compare_groups("recall", ("site",)).alone == {}
    assert str(ev.compare_groups("recall", ("site",))) == str(ev.compare_groups("recall", "site"))


def test_only_combinations_that_occur_are_groups() -> None:
    ev = ix.evaluate([1, 1, 0], [1, 0, 0], by={"site": ["x", "x", "y"], "sex": ["f", "m", "m"]})
    assert ev.compare_groups("recall", ("site", "sex")).names == (("x", "f"), ("x", "m"), ("y", "m"))


def test_crossed_groups_are_drawn_and_shown() -> None:
    y, z, _ = LABELS["binary"]
    both = ix.evaluate(y, z, by={"site": SITE, "sex": SEX}).compare_groups("recall", ("site", "sex"))
    assert both.plot().get_title(loc="left") == "binary recall by site and sex"
    assert "<bdi>x, f</bdi>" in both._repr_html_()


@pytest.mark.parametrize("kind", LABELS)
def test_many_groups_are_crossed_without_being_unpacked(kind: str) -> None:
    y, z, options = LABELS[kind]
    person, day = np.arange(N) // 2, np.arange(N) % 2
    ev = ix.evaluate(y, z, by={"person": person, "day": day}, **options)
    crossed = ev.tally.cross(("day", "person"), "both")
    one = ix.evaluate(y, z, by={"both": day * N + person}, **options)
    for mine, other in zip(crossed.aggregate("both"), one.aggregate("both"), strict=True):
        np.testing.assert_array_equal(mine, other)
    assert type(crossed.parts) is type(ev.tally.parts)
    assert crossed.pooled == ev.tally.pooled
