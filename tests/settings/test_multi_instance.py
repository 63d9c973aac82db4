"""Multi-instance learning: bags by their pooled scores, instances within their bags, then across bags (sec:mil)."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix

EIGHTHS = st.integers(0, 8).map(lambda k: k / 8)  # sums and products of a few are exact in float64
MEASURES = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages]


def test_multi_instance_learning() -> None:
    bags = ["x", "x", "y", "x", "z", "z"]
    scores = [0.25, 0.75, 0.5, 0.5, 0.25, 0.25]
    labels = {"z": 1, "x": 1, "y": 0}
    both = ix.tasks.multi_instance(labels, scores, bags, instances=[0, 1, 0, 1, 1, 0])
    # max: x 3/4 (tp), y 1/2 (fp), z 1/4 (fn)
    assert both.bags.binary() == ix.Counts(1, 1, 1, 0)
    assert both.bags.score("f1") == float(Fraction(2 * 1, 2 * 1 + 1 + 1))
    assert both.bags.recipe.in_words() == {"decide": "0.5", "pool": "max"}
    # instances: x (2, 0, 0, 1), y (0, 1, 0, 0), z (0, 0, 1, 1)
    per_bag = both.instances.aggregate("bag")
    assert per_bag.names == (("x", "y", "z"),)
    assert [x.tolist() for x in (per_bag.tp, per_bag.fp, per_bag.fn, per_bag.tn)] == [[2, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1]]
    assert both.instances.score("recall") == float(Fraction(2, 3))  # pooled over bags
    assert both.instances.score("recall", "bag") == float(Fraction(1 + 0, 2))  # bag y has no positive instance
    assert both.instances.score("recall", "bag").undefined_units == ("y",)
    assert both.instances.score("recall", "bag", undefined=1) == float(Fraction(1 + 1 + 0, 3))
    assert both.instances.score("accuracy", "bag") == float(Fraction(1, 3) * (1 + 0 + Fraction(1, 2)))
    # mean: x 1/2, y 1/2, z 1/4; noisy-or: x 1 - 3/4 1/4 1/2 = 29/32, y 1/2, z 1 - 9/16 = 7/16
    assert ix.tasks.pool_bags(scores, bags, "mean")[1].tolist() == [0.5, 0.5, 0.25]
    names, pooled = ix.tasks.pool_bags(scores, bags, "noisy_or")
    assert names == ("x", "y", "z")
    assert pooled.tolist() == [Fraction(29, 32), Fraction(1, 2), Fraction(7, 16)]
    assert ix.tasks.multi_instance(labels, scores, bags, pool="noisy_or", decide=7 / 16).bags.score("recall") == 1
    assert repr(both) == "<MultiInstance: 3 bags, 6 instances>"
    assert str(both).startswith("Bags, scores pooled by max:\n\n3 examples")
    assert "Instances:\n\n6 examples" in str(both)


@st.composite
def held(draw: st.DrawFn) -> tuple[list[Any], list[float], list[int]]:
    n = draw(st.integers(0, 12))
    names = draw(st.sampled_from(["qpr", (3, -1, 2), (10**12, 5, 7)]))
    bags = draw(st.lists(st.sampled_from(names), min_size=n, max_size=n))
    return bags, draw(st.lists(EIGHTHS, min_size=n, max_size=n)), draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))


def noisy_or(x: list[Fraction]) -> Fraction:
    return 1 - math.prod((1 - p for p in x), start=Fraction(1))


EXACT: dict[str, Callable[[list[Fraction]], Fraction]] = {
    "max": max,
    "mean": lambda x: sum(x, Fraction(0)) / len(x),
    "noisy_or": noisy_or,
}


@given(held(), st.sampled_from(sorted(EXACT)), st.randoms())
def test_pooling_is_exact_and_does_not_depend_on_the_order(problem: Any, pool: str, random: Any) -> None:
    bags, scores, _ = problem
    names, pooled = ix.tasks.pool_bags(scores, bags, pool)
    assert names == tuple(dict.fromkeys(bags))
    for name, value in zip(names, pooled.tolist(), strict=True):
        own = [Fraction(s) for s, b in zip(scores, bags, strict=True) if b == name]
        assert value == pytest.approx(float(EXACT[pool](own)), rel=1e-15, abs=0)
    assert ix.tasks.pool_bags(scores, bags, lambda x: max(x.tolist()))[1].tolist() == ix.tasks.pool_bags(scores, bags)[1].tolist()
    order = list(range(len(bags)))
    random.shuffle(order)
    again = dict(zip(*ix.tasks.pool_bags([scores[i] for i in order], [bags[i] for i in order], pool), strict=True))
    assert again == dict(zip(names, pooled, strict=True))


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=9), st.randoms())
@examples(50)
def test_a_mean_lies_within_its_bag_in_any_order(scores: list[float], random: Any) -> None:
    _, (mean,) = ix.tasks.pool_bags(scores, ["x"] * len(scores), "mean")
    assert min(scores) <= mean <= max(scores)
    random.shuffle(scores)
    assert ix.tasks.pool_bags(scores, ["x"] * len(scores), "mean")[1] == mean


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
@examples(50)
def test_noisy_or_is_no_less_than_any_of_its_scores_and_that_of_one_is_itself(scores: list[float]) -> None:
    bags = ["x"] * len(scores)
    assert max(scores) <= ix.tasks.pool_bags(scores, bags, "noisy_or")[1][0] <= 1
    assert ix.tasks.pool_bags(scores[:1], ["x"], "noisy_or")[1][0] == scores[0]


@given(held(), st.data())
def test_bags_are_examples(problem: Any, data: st.DataObject) -> None:
    bags, scores, _ = problem
    names = tuple(dict.fromkeys(bags))
    labels = {b: data.draw(st.integers(0, 1)) for b in names}
    weight = {b: data.draw(st.integers(0, 3)) for b in names}
    fold = {b: data.draw(st.sampled_from("xy")) for b in names}
    options = {"sample_weight": list(weight.values()), "by": {"fold": list(fold.values())}}
    pool = data.draw(st.sampled_from(["max", "mean", "noisy_or"]))
    want = ix.evaluate([labels[b] for b in names], ix.tasks.pool_bags(scores, bags, pool)[1], decide=0.5, **options)
    for given_labels in (labels, [labels[b] for b in bags], np.array([labels[b] for b in bags], float)):
        got = ix.tasks.multi_instance(given_labels, scores, bags, pool=pool, sample_weight=weight, by={"fold": fold})
        assert got.bags.tally == want.tally
        assert got.instances is None
    assert ix.tasks.multi_instance(labels, scores, bags, pool=pool, **options).bags.tally == want.tally


@given(held(), st.sampled_from(MEASURES), st.sampled_from(["exclude", 0, 1]))
def test_the_bag_average_is_the_mean_over_bags_of_the_measure_of_sums_within(problem: Any, measure: Any, undefined: Any) -> None:
    bags, scores, truth = problem
    names = sorted(set(bags))
    ev = ix.tasks.multi_instance(dict.fromkeys(names, 1), scores, bags, instances=truth, decide=0.5).instances
    values = []
    for name in names:
        rows = [i for i, b in enumerate(bags) if b == name]
        own = ix.evaluate([truth[i] for i in rows], [int(scores[i] >= 0.5) for i in rows]).binary()
        assert ev.aggregate("bag").at(bag=name) == own
        values.append(float(measure.values(own)))
    np.testing.assert_array_equal(ev.values(measure, "bag"), values)
    kept = [v if math.isfinite(v) else undefined for v in values if math.isfinite(v) or undefined != "exclude"]
    got = float(ev.score(measure, "bag", undefined=undefined))
    if not kept:  # the mean of nothing is undefined
        assert math.isnan(got) if isinstance(undefined, str) else got == undefined
    else:
        assert got == pytest.approx(sum(kept) / len(kept), rel=1e-12, abs=1e-15)
    whole = ix.evaluate(truth, [int(s >= 0.5) for s in scores]).binary()
    assert ev.binary() == whole
    assert ev.aggregate() == whole


@given(held(), st.data())
def test_what_holds_for_a_bag_holds_for_its_instances(problem: Any, data: st.DataObject) -> None:
    bags, scores, truth = problem
    names = tuple(dict.fromkeys(bags))
    weight = {b: data.draw(st.integers(0, 3)) for b in names}
    fold = {b: data.draw(st.sampled_from("xy")) for b in names}
    seen = {b: data.draw(st.booleans()) for b in names}
    both = ix.tasks.multi_instance(
        dict.fromkeys(names, 0), scores, bags, instances=truth, sample_weight=weight, by={"fold": fold}, mask=seen
    )
    each = {"sample_weight": [weight[b] for b in bags], "mask": [seen[b] for b in bags]}
    by = {"bag": bags, "fold": [fold[b] for b in bags]}
    column = np.array(scores)[:, None], np.array(truth, bool)[:, None]
    want = ix.evaluate(column[1], column[0], decide=0.5, classes=[1], by=by, **each)
    assert both.instances == want
    assert both.bags.tally.by == ("fold",)


def test_several_labels_per_bag() -> None:
    scores = pd.DataFrame({"cat": [0.9, 0.1, 0.2], "ant": [0.1, 0.6, 0.7]})
    bags = ["x", "x", "y"]
    labels = {"x": {"cat"}, "y": {"ant", "cat"}}
    both = ix.tasks.multi_instance(labels, scores, bags, instances=[{"cat"}, set(), {"ant"}])
    assert both.bags.classes == ("cat", "ant")
    counts = both.bags.aggregate("class")
    assert [x.tolist() for x in (counts.tp, counts.fp, counts.fn, counts.tn)] == [[1, 1], [0, 1], [1, 0], [0, 0]]
    assert both.instances.aggregate(("bag", "class")).tp.tolist() == [[1, 0], [0, 1]]
    rows = [{"cat"}, {"cat"}, {"ant", "cat"}]
    assert ix.tasks.multi_instance(rows, scores, bags).bags == both.bags
    matrix = np.array([[1, 0], [1, 0], [1, 1]])
    assert ix.tasks.multi_instance(matrix, scores, bags).bags == both.bags
    named = pd.DataFrame(matrix, columns=["cat", "ant"])
    assert ix.tasks.multi_instance(named, scores.to_numpy(), bags).bags == both.bags
    own = ix.tasks.multi_instance({"x": "cat", "y": "ant"}, scores, bags, decide="argmax", pool=lambda s: s.mean(axis=0))
    assert own.bags.score("exact_match") == 1
    assert own.bags.recipe.in_words()["pool"].startswith("test_several_labels_per_bag.<locals>.<lambda> ")


def test_labels_of_any_kind() -> None:
    bags, scores = [1, 1, 2], [0.2, 0.9, 0.4]
    text = ix.tasks.multi_instance({1: "sick", 2: "well"}, scores, bags, positive="sick", instances=["well", "sick", "well"])
    assert text.bags.score("f1") == text.instances.score("f1") == 1
    assert text.instances.classes == ("sick",)
    declared = pd.Categorical(["sick", "sick", "well"], categories=["well", "sick"])
    assert ix.tasks.multi_instance(declared, scores, bags, positive="sick").bags.classes == ("well", "sick")
    flags = ix.tasks.multi_instance([True, True, False], scores, bags)
    assert flags.bags.score("accuracy") == 1
    assert ix.tasks.multi_instance({1: True, 2: True}, scores, np.array([1, 1, 2])).bags.score("recall") == 0.5
    assert ix.tasks.pool_bags(scores, pd.Categorical(["b", "b", "a"], categories=["z", "a", "b"]))[0] == ("b", "a")
    assert ix.tasks.multi_instance({1: 1, 2: 0}, scores, bags, pool=np.median, decide=0.6).bags.score("recall") == 0
    ones, fewer = np.array([1, 1, 2]), ix.tasks.multi_instance({1: 1, 2: None}, scores, bags, missing="mask")
    assert fewer.bags.binary() == ix.Counts(1, 0, 0, 0)
    for unlabeled in ([1, 1, math.nan], np.array([1, 1, math.nan])):
        assert ix.tasks.multi_instance(unlabeled, scores, ones, missing="mask").bags == fewer.bags
    partly = ix.tasks.multi_instance({1: 1, 2: 0}, scores, bags, instances=[1, None, 0], missing="mask")
    assert partly.instances.aggregate("bag").at(bag=1) == ix.Counts(0, 0, 1, 0)
    assert "were not given" in str(flags)


@given(held(), st.data())
def test_a_series_indexed_by_bag_is_a_mapping(problem: Any, data: st.DataObject) -> None:
    bags, scores, truth = problem
    names = list(dict.fromkeys(bags))
    order = data.draw(st.permutations(names))
    numbers = {b: data.draw(st.integers(0, 1)) for b in names}
    fold = {b: data.draw(st.sampled_from("pq")) for b in names}
    options = {"sample_weight": numbers, "by": {"fold": fold}, "mask": numbers}
    named = {k: pd.Series([numbers[b] for b in order], index=order, dtype=int) for k in ("sample_weight", "mask")}
    named["by"] = {"fold": pd.Series([fold[b] for b in order], index=order, dtype=object)}
    want = ix.tasks.multi_instance(numbers, scores, bags, instances=truth, **options)
    labels = numbers if len(names) == len(bags) else named["mask"]  # one row per instance may be meant there
    got = ix.tasks.multi_instance(labels, scores, bags, instances=truth, **named)
    assert (got.bags, got.instances) == (want.bags, want.instances)


def test_what_the_index_of_a_series_says() -> None:
    scores, bags = [0.9, 0.8, 0.2], [3, 3, 1]
    want = ix.tasks.multi_instance({3: 1, 1: 0}, scores, bags).bags
    for labels in (
        pd.Series([0, 1], index=[1, 3]),
        pd.Series([0.0, 1.0], index=[1, 3]),
        pd.Series([1, 1, 0]),  # one per instance
        pd.Series([1, 1, 0], index=[10, 12, 15]),  # likewise: rows of a table that was filtered
        pd.Series([1, 1, 0], index=bags),
    ):
        assert ix.tasks.multi_instance(labels, scores, bags).bags == want
    with pytest.raises(ValueError, match="Bag 1 has no label"):
        ix.tasks.multi_instance(pd.Series([None, 1], index=[1, 3]), scores, bags)
    declared = pd.Series(pd.Categorical(["b", "a"], categories=["b", "a"]), index=[1, 3])
    assert ix.tasks.multi_instance(declared, scores, bags, positive="a").bags.classes == ("b", "a")
    frame = pd.DataFrame({"p": [0, 1], "q": [1, 1]}, index=[1, 3])
    matrix = ix.tasks.multi_instance(frame, [[0.9, 0.1], [0.1, 0.9], [0.2, 0.6]], bags)
    assert (matrix.bags.classes, matrix.bags.score("exact_match")) == (("p", "q"), 1)
    by_position = ix.tasks.multi_instance({3: 1, 1: 0}, scores, bags, sample_weight=pd.Series([5, 7])).bags
    assert by_position.binary() == ix.Counts(5, 0, 0, 7)
    groups = pd.Series([0, 1], index=[0, 1])  # bags 0 and 1 come in this order: both readings are the same
    assert ix.tasks.multi_instance({0: 1, 1: 0}, scores, [0, 0, 1], sample_weight=groups).bags.binary() == ix.Counts(0, 0, 0, 1)


@given(held(), st.data())
def test_costs_and_hidden_cells_hold_for_bags_and_instances_alike(problem: Any, data: st.DataObject) -> None:
    bags, scores, truth = problem
    bags = list(range(len(bags)))  # every instance is a bag, so that both levels are the same problem
    c = [data.draw(st.integers(0, 5)) for _ in range(4)]
    for cost in (
        [[0, c[0]], [c[1], 0]],
        ix.types.CostMatrix([[0, c[0]], [c[1], 0]], benefit=[c[2], c[3]]),
        ix.tasks.label_costs(fp=c[0], fn={0: c[1], 1: c[2]}, tn=c[3]),
    ):
        both = ix.tasks.multi_instance(dict(zip(bags, truth, strict=True)), scores, bags, instances=truth, cost=cost, positive=1)
        assert both.instances.binary() == both.bags.binary()
        assert both.instances.aggregate() == both.bags.binary()
        assert "cost" in both.instances.recipe.in_words()
    hidden = ix.tasks.multi_instance(dict(zip(bags, truth, strict=True)), scores, bags, instances=truth, unobserved=["fp", "tn"])
    assert hidden.bags.unobserved == hidden.instances.unobserved == ("fp", "tn")


def test_functions_pool_each_column_and_are_told_apart() -> None:
    scores, bags = [[0.1, 0.9], [0.3, 0.4], [0.5, 0.6]], ["x", "x", "y"]
    for pool in (max, np.max, lambda s: s.max(axis=0), lambda s: s[s.argmax()]):
        assert ix.tasks.pool_bags(scores, bags, pool)[1].tolist() == [[0.3, 0.9], [0.5, 0.6]]
    one = ix.tasks.multi_instance(LABELS, SCORES, BAGS, pool=lambda s: s[0])
    other = ix.tasks.multi_instance(LABELS, SCORES, BAGS, pool=lambda s: s[-1])
    with pytest.raises(ValueError, match="made differently"):
        one + other
    pool = lambda s: s[0]  # noqa: E731
    batches = [ix.tasks.multi_instance(LABELS, SCORES, BAGS, pool=pool) for _ in range(2)]
    assert sum(batches).bags.n == 4
    assert ix.tasks.multi_instance(LABELS, SCORES, BAGS, pool=np.median).bags.recipe.in_words()["pool"] == "numpy.median"

    class Unhashable:
        __hash__ = None

        def __call__(self, s: Any) -> Any:
            return s[0]

    same = Unhashable()
    with pytest.raises(ValueError, match="made differently"):
        ix.tasks.multi_instance(LABELS, SCORES, BAGS, pool=same) + ix.tasks.multi_instance(LABELS, SCORES, BAGS, pool=same)


@pytest.mark.parametrize("pool", ["max", "mean", "noisy_or", max])
def test_thresholds_are_compared_in_the_precision_of_the_scores(pool: Any) -> None:
    for shape in ((2,), (2, 1)):
        scores = np.full(shape, 0.7, np.float32)
        truth = np.ones(shape, int)
        both = ix.tasks.multi_instance(truth, scores, ["x", "y"], decide=0.7, pool=pool, instances=truth)
        assert both.bags.score("recall", "binary") == both.instances.score("recall", "binary") == 1


@given(held(), st.data())
def test_batches_of_bags_add(problem: Any, data: st.DataObject) -> None:
    bags, scores, truth = problem
    names = sorted(set(bags))
    labels = {b: data.draw(st.integers(0, 1)) for b in names}
    whole = ix.tasks.multi_instance(labels, scores, bags, instances=truth)
    batches = []
    for name in names:
        rows = [i for i, b in enumerate(bags) if b == name]
        of = {"instances": [truth[i] for i in rows]}
        batches.append(ix.tasks.multi_instance({name: labels[name]}, [scores[i] for i in rows], [name] * len(rows), **of))
    if batches:
        assert sum(batches).bags == whole.bags
        assert sum(batches).instances == whole.instances
        assert str(sum(batches)) == str(whole)
        with pytest.raises(ValueError, match=r"Bag .* is in both batches"):
            whole + batches[-1]
        with pytest.raises(ValueError, match="Only one of the two has labels of instances"):
            whole + ix.tasks.multi_instance(labels, scores, bags)
    with pytest.raises(TypeError):
        whole + 1


def test_settings_of_the_classes() -> None:
    """With one score each the positive column is judged, however bags are encoded; with columns, instances are encoded alike."""
    plain = ix.tasks.multi_instance(LABELS, SCORES, BAGS, instances=[0, 1, 0])
    for options in ({"ordinal": "cumulative", "classes": iter([0, 1])}, {"tnorm": "product"}):
        assert ix.tasks.multi_instance(LABELS, SCORES, BAGS, instances=[0, 1, 0], **options).instances == plain.instances
    scores, truth = np.array([[0.9, 0.2], [0.1, 0.8], [0.3, 0.4]]), ["a", "b", "elk"]
    for options in ({"known": ["a", "b"]}, {"known": ["a", "b"], "decide": ix.reject_below(0.5)}):
        rule = options.setdefault("decide", "argmax")
        both = ix.tasks.multi_instance({"x": "a", "y": "elk"}, scores, BAGS, instances=truth, **options)
        assert both.instances == ix.evaluate(truth, scores, known=["a", "b"], decide=rule, by={"bag": BAGS})
        assert both.bags.tally == ix.evaluate(["a", "elk"], [[0.9, 0.8], [0.3, 0.4]], known=["a", "b"], decide=rule).tally


def test_no_bags_and_one_bag() -> None:
    nothing = ix.tasks.multi_instance({}, [], [], instances=[])
    assert (nothing.bags.n, nothing.instances.n) == (0, 0)
    assert [len(x) for x in ix.tasks.pool_bags([], [], "mean")] == [0, 0]
    assert ix.tasks.pool_bags(np.zeros((0, 3)), [], max)[1].shape == (0, 3)
    assert ix.tasks.pool_bags([[0.5, 1.0]], ["x"], "mean")[1].tolist() == [[0.5, 1.0]]
    assert ix.tasks.multi_instance({"x": 1}, [0.5], ["x"]).bags.score("recall") == 1
    assert ix.tasks.pool_bags([math.inf, 1.0], ["x", "x"])[1].tolist() == [math.inf]


def test_many_bags() -> None:
    bags = np.random.default_rng(0).permutation(np.repeat(np.arange(20_000), 5))
    scores = np.random.default_rng(1).random(100_000)
    names, pooled = ix.tasks.pool_bags(scores, bags)
    want = np.zeros(20_000)
    np.maximum.at(want, bags, scores)
    assert np.array_equal(pooled, want[list(names)])


BAGS, SCORES = ["x", "x", "y"], [0.1, 0.9, 0.5]
LABELS = {"x": 1, "y": 0}


@for_each(
    ("labels", "scores", "bags", "options", "message"),
    [
        (LABELS, SCORES, ["x", None, "y"], {}, r"bags\[1\] is missing"),
        (LABELS, SCORES, [["x"], ["x"], ["y"]], {}, r"bags is a list of rows"),
        (LABELS, SCORES, [[1, 2], [1, 2], [1, 2]], {}, r"bags must have one value per instance"),
        (LABELS, SCORES[:2], BAGS, {}, r"scores has 2 instances and bags 3"),
        (LABELS, [0.1, math.nan, 0.5], BAGS, {}, r"scores\[1\] is NaN"),
        (LABELS, [[0.1], [math.nan], [0.5]], BAGS, {}, r"scores\[1, 0\] is NaN"),
        (LABELS, ["a", "b", "c"], BAGS, {}, r"scores holds no numbers"),
        (LABELS, [0.1, 1.5, 0.5], BAGS, {"pool": "noisy_or"}, r"scores\[1\] = 1.5: noisy_or combines probabilities"),
        (LABELS, [[0.1], [0.2], [-0.5]], BAGS, {"pool": "noisy_or"}, r"scores\[2, 0\] = -0.5"),
        (LABELS, SCORES, BAGS, {"pool": "min"}, r"pool='min' is unknown. Use 'max', 'mean', 'noisy_or', or a function"),
        (LABELS, [math.inf, -math.inf, 0.5], BAGS, {"pool": "mean"}, r"scores\[0\] = inf: a mean needs finite scores"),
        (LABELS, SCORES, BAGS, {"pool": lambda s: s}, r"pool= gave \[0.1, 0.9\] for bag 'x'; it must return one number"),
        (LABELS, SCORES, BAGS, {"pool": lambda s: math.nan}, r"pool= gave nan for bag 'x'"),
        (LABELS, [[0.1, 0.2]] * 3, BAGS, {"pool": lambda s: [s]}, r"pool= gave .* for bag 'x'; it must return one number"),
        ({"x": 1}, SCORES, BAGS, {}, r"labels has no entry for bag 'y'"),
        ({**LABELS, "z": 1}, SCORES, BAGS, {}, r"labels names bag 'z', which has no instance"),
        ([1, 0, 0], SCORES, BAGS, {}, r"labels\[1\] differs from labels\[0\], but both instances are in bag 'x'"),
        ([{1}, {0}, {0}], SCORES, BAGS, {}, r"labels\[1\] differs from labels\[0\]"),
        ([[1, 0], [1, 1], [0, 0]], SCORES, BAGS, {}, r"labels\[1\] differs from labels\[0\]"),
        ([1, 0], SCORES, BAGS, {}, r"labels has 2 entries for 3 instances in 2 bags"),
        ({"x": 1, "y": None}, SCORES, BAGS, {}, r"Bag 'y' has no label"),
        ([1.0, 1.0, math.nan], SCORES, BAGS, {}, r"Bag 'y' has no label"),
        ({"x": "a", "y": "b"}, SCORES, BAGS, {}, r"Which class do the scores speak for\?"),
        ({"x": 2, "y": 3}, SCORES, BAGS, {"classes": [1, 2, 3]}, r"but labels has 1, 2, 3"),
        (LABELS, SCORES, BAGS, {"instances": [1, 0]}, r"instances has 2 labels for 3 instances"),
        (LABELS, SCORES, BAGS, {"instances": [{1}, {0}, {0}]}, r"instances must have one label per instance"),
        (LABELS, SCORES, BAGS, {"instances": [1, 2, 0]}, r"Label 2 is not in classes=\(0, 1\) \(first at instances\[1\]\)"),
        (LABELS, SCORES, BAGS, {"instances": [1, None, 0]}, r"instances\[1\] is missing: 1 of 3 .* missing='mask'"),
        (
            LABELS, SCORES, BAGS,
            {"instances": [1, 1, 0], "ordinal": "cumulative", "classes": [0, 1], "cost": ix.tasks.label_costs(fp=1, fn=2)},
            r"cost= is about the columns of ordinal=",
        ),
        (pd.Series([1, 0], index=["x", "z"]), SCORES, BAGS, {}, r"labels has no entry for bag 'y'.*Its index is read as bags"),
        (pd.Series([1, 0, 1], index=["y", "x", "x"]), SCORES, BAGS, {}, r"The index of labels names 'x' twice"),
        (pd.Series([1, 0]), SCORES, BAGS, {}, r"labels has 2 entries for 3 instances in 2 bags"),
        (LABELS, SCORES, BAGS, {"sample_weight": pd.Series([1, 2], index=[4, 7])}, r"sample_weight has no entry for bag 'x'"),
        (LABELS, SCORES, BAGS, {"by": {"f": pd.Series([1, 2], index=["x", "q"])}}, r"by\['f'\] has no entry for bag 'y'"),
        ({1: 1, 0: 0}, SCORES, [1, 1, 0], {"mask": pd.Series([True, False])}, r"The index of mask names the bags in"),
        (pd.Series([1, 0, 1], index=[2, 1, 0]), SCORES, [0, 1, 2], {}, r"The index of labels names the bags in another"),
        (LABELS, SCORES, BAGS, {"sample_weight": [1, 1, 1]}, r"sample_weight has 3 entries for 2 bags"),
        (LABELS, SCORES, BAGS, {"sample_weight": {"x": 1}}, r"sample_weight has no entry for bag 'y'"),
        (LABELS, SCORES, BAGS, {"abstain": 2}, r"bags are decided from scores. Use decide=reject_below"),
        (LABELS, SCORES, BAGS, {"by": {"bag": [0, 1]}}, r"by= cannot have an axis 'bag'"),
        (LABELS, SCORES, BAGS, {"by": {"fold": [0]}}, r"by\['fold'\] has 1 entries for 2 bags"),
    ],
)  # fmt: skip
def test_errors(labels: Any, scores: Any, bags: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        ix.tasks.multi_instance(labels, scores, bags, **options)


def test_sparse_labels_are_refused() -> None:
    from scipy import sparse

    with pytest.raises(TypeError, match="labels is a sparse matrix"):
        ix.tasks.multi_instance(sparse.csr_array(np.eye(3)), np.eye(3), BAGS)
