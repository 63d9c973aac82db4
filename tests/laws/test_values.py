"""Values keep what they know: the names of their units, their axes and their intervals."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.values import Values

N = 60
RNG = np.random.default_rng(0)
EV = ix.evaluate(
    RNG.integers(0, 2, N), RNG.integers(0, 2, N), by={"site": RNG.choice(["x", "y", "z"], N), "sex": RNG.choice(["f", "m"], N)}
)
COPIES: dict[str, Callable[[Values], Values]] = {
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "copy": Values.copy,
    "pickle": lambda v: pickle.loads(pickle.dumps(v)),
}


def some_values() -> dict[str, Values]:
    """Return values of every kind: of one and several axes, with and without intervals, of distinct rows."""
    axes = ["class", "site", ("site", "sex"), ("site", "sex", "class"), "example"]
    made = {str(per): EV.values("recall", per=per) for per in axes}
    return made | {f"{per}, intervals": EV.values("recall", per=per, interval=True) for per in axes[:4]}


def known(values: Values) -> tuple[Any, ...]:
    return values.names, values.per, values.intervals, None if values.times is None else values.times.tolist()


@for_each("how", COPIES)
@for_each("kind", some_values())
def test_a_copy_keeps_names_axes_and_intervals(kind: str, how: str) -> None:
    values = some_values()[kind]
    same = COPIES[how](values)
    assert isinstance(same, Values)
    assert known(same) == known(values)
    np.testing.assert_array_equal(np.asarray(same), np.asarray(values))
    before = np.array(values)
    same.ravel()[:] = 7  # a copy holds values of its own
    np.testing.assert_array_equal(np.asarray(values), before)


def test_a_copy_does_not_share_how_often_units_occurred() -> None:
    values = EV.values("recall", per="example")
    copy.deepcopy(values).times[:] = 0
    assert values.times.sum() == N


@pytest.mark.parametrize("name", ["sort", "partition"])
def test_values_that_change_places_lose_their_names(name: str) -> None:
    how = (1,) if name == "partition" else ()
    values = EV.values("recall", per="site", interval=True)
    getattr(values, name)(*how)
    assert known(values) == ((), (), None, None)
    assert known(getattr(np, name)(EV.values("recall", per="site"), *how)) == ((), (), None, None)


def test_changed_values_lose_their_intervals() -> None:
    for change in (lambda v: v.__setitem__(0, 0.5), lambda v: v.__imul__(2)):
        values = EV.values("recall", per="site", interval=True)
        change(values)
        assert values.names == ("x", "y", "z")
        assert values.intervals is None


def test_rounded_values_keep_their_names() -> None:
    values = EV.values("recall", per=("site", "sex"), interval=True)
    for rounded in (np.round(values, 2), values.round(2)):
        assert rounded.names == values.names
        assert rounded.intervals is None  # they would not contain every rounded value
        np.testing.assert_array_equal(
            np.asarray(rounded), np.array([round(x, 2) for x in np.asarray(values).ravel()]).reshape(3, 2)
        )


@pytest.mark.parametrize("reduce", [np.max, np.mean, np.sum, np.std, np.nanmin])
def test_what_is_made_of_all_values_is_a_number(reduce: Any) -> None:
    assert isinstance(reduce(EV.values("recall", per=("site", "sex"))), float)


@given(st.lists(st.sampled_from(["site", "sex", "class"]), min_size=1, max_size=3, unique=True), st.booleans())
def test_the_repr_names_every_unit_with_its_value_or_interval(per: list[str], interval: bool) -> None:
    values = EV.values("recall", per=tuple(per), interval=interval)
    text = repr(values)
    assert text == str(values)
    axes = (values.names,) if len(per) == 1 else values.names
    for name in product(*axes):
        assert f"{name[-1]!r}: " in text
    shown = [str(i) for i in values.intervals] if interval else [f"{x:.6g}" for x in np.asarray(values).ravel()]
    for one in set(shown):
        assert text.count(f": {one}") >= shown.count(one)
    assert text.count("\n") == math.prod(len(names) for names in axes[:-1]) - 1 if len(axes) > 1 else "\n" not in text


def test_the_repr_of_two_axes_is_a_row_for_each_unit_of_the_first() -> None:
    ev = ix.evaluate([0, 1, 1, 1], [0, 1, 0, 1], by={"site": ["x", "x", "y", "y"], "day": [1, 2, 1, 2]})
    assert repr(ev.values("recall", per=("site", "day"))) == "Values('x': {1: nan, 2: 1},\n       'y': {1: 0, 2: 1})"


def test_the_repr_of_many_units_is_short() -> None:
    ev = ix.evaluate(np.arange(300) % 30, np.arange(300) % 7, by={"site": np.arange(300) % 12})
    text = repr(ev.values("recall", per=("site", "class")))
    assert text.count(" and 20 more}") == 10
    assert text.endswith("} and 2 more)")


def test_intervals_of_values_count_clusters_as_those_of_scores_do() -> None:
    patient = RNG.integers(0, 12, N)
    scores = RNG.dirichlet(np.ones(3), N)
    ev = ix.evaluate(
        RNG.integers(0, 3, N), scores, decide="argmax", by={"site": patient // 4, "patient": patient, "half": patient % 2}
    )
    for measure in ("recall", "auc"):
        own = [ev.with_positive(c).interval(measure, "binary", clusters="patient") for c in ev.classes]
        assert [*ev.values(measure, interval=True, clusters="patient").intervals] == own
    for measure, average in (("f1", "macro"), ("multiclass_kappa", None), ("log_loss", None)):
        parts = {name: part.split("half") for name, part in ev.split("site").items()}
        own = [parts[site][half].interval(measure, average, clusters="patient") for site, half in product(range(3), range(2))]
        found = ev.values(measure, ("site", "half"), average=average, interval=True, clusters="patient")
        assert [*found.intervals] == own


def test_a_group_of_one_cluster_has_a_value_and_no_interval() -> None:
    ev = ix.evaluate([0, 1, 1, 0, 1], [0, 1, 0, 0, 1], by={"site": list("xxxyy"), "patient": [1, 2, 3, 4, 4]})
    found = ev.values("accuracy", "site", interval=True, clusters="patient")
    assert found[1] == 1
    assert math.isnan(found.low[1])
    assert found.low[0] < found.high[0]
    assert found.intervals[1].note == "All its examples are of one patient."


@for_each(
    ("given", "error", "message"),
    [
        ({}, TypeError, r"which only an interval reads\. Give interval=True"),
        ({"interval": 0.9, "clusters": [1, 2]}, TypeError, "is the name of a grouping"),
        ({"interval": 0.9, "clusters": "nobody"}, ValueError, "There is no grouping 'nobody'"),
        ({"interval": 0.9, "per": "sex"}, ValueError, "each of which is one cluster"),
        ({"interval": 0.9, "per": "site", "pooled": True}, ValueError, "Leave pooled= or clusters= out"),
    ],
)
def test_clusters_that_values_cannot_count_are_refused(given: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        EV.values("recall", **{"clusters": "sex", **given})


@for_each("options", [{}, {"pooled": True}, {"average": "macro"}])
@for_each("level", [True, 0.9, "simultaneous"])
@for_each("measure", ["precision", "recall", "f1", "mcc"])
def test_a_number_for_undefined_values_is_the_value_that_intervals_show(
    measure: str, level: Any, options: dict[str, Any]
) -> None:
    """It is what values without intervals have, and nothing bounds it."""
    true, pred = [0, 0, 0, 0] + [1, 1, 0, 0, 1, 0] * 5, [0, 0, 0, 0] + [1, 0, 0, 1, 1] * 6
    ev = ix.evaluate(true, pred, positive=1, by={"site": [*"aaaa", *"bbbbbbccccccddddddeeeeeeffffff"]})
    plain = ev.values(measure, "site", undefined="nan", interval=level, **options)
    for number in (0, 0.5):
        found = ev.values(measure, "site", undefined=number, interval=level, **options)
        assert [i.value for i in found.intervals] == found.tolist()
        assert np.array_equal(found.low, plain.low, equal_nan=True)
        assert np.array_equal(np.isnan(found.low), np.isnan(plain))
        assert str(number) in str(found) or not np.isnan(plain).any()
