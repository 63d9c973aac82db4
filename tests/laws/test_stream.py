"""A stream of batches is the evaluation of all rows: any split, any options, any order of merging."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each
from problems import Problem, problems

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.engines.counted_batches import PENDING

rng = np.random.default_rng(5)
Y, Z = rng.integers(0, 5, (2, 300))
P = rng.random((300, 5))


def cut(n: int, sizes: list[int]) -> list[np.ndarray]:
    """Return the rows 0 … n - 1 in batches of these sizes, and the rest."""
    ends = [min(end, n) for end in np.cumsum(sizes).tolist()]
    return [rows for rows in np.split(np.arange(n), ends) if len(rows)]


def fill(stream: ix.Stream, problem: Problem, batches: list[np.ndarray]) -> ix.Stream:
    for rows in batches:
        options = {name: x[rows] if not isinstance(x, list) else [x[i] for i in rows] for name, x in flat(problem).items()}
        if "by" in problem.per_row:
            options["by"] = {axis: [ids[i] for i in rows] for axis, ids in problem.per_row["by"].items()}
        stream.update(*problem.labels(rows), **options)
    return stream


def flat(problem: Problem) -> dict[str, Any]:
    return {name: x for name, x in problem.per_row.items() if name != "by"}


@given(problem=problems(), sizes=st.lists(st.integers(1, 4), max_size=4), data=st.data())
@examples(75)
def test_any_split_of_any_problem_gives_the_evaluation_of_all_rows(problem: Problem, sizes: list[int], data: Any) -> None:
    if problem.n == 0:
        return
    batches = cut(problem.n, sizes)
    stream = fill(ix.Stream(**problem.whole), problem, batches)
    assert stream.evaluation == problem.evaluate()
    assert stream.n == problem.n
    k = data.draw(st.integers(0, len(batches)))
    parts = [fill(ix.Stream(**problem.whole), problem, some) for some in (batches[:k], batches[k:])]
    assert parts[0].merge(parts[1]).evaluation == problem.evaluate()


OPTIONS: list[tuple[Any, dict[str, Any]]] = [
    (Z, {}),
    (Z, {"classes": range(5)}),
    (Z, {"classes": [4, 3, 2, 1, 0]}),
    (Z, {"classes": range(7), "positive": 6}),
    (Z, {"confusion": True}),
    (Z, {"confusion": False}),
    (Z, {"positive": 3}),
    (P, {"decide": "argmax"}),
    (P, {"decide": "argmax", "classes": range(5)}),
    (P, {"decide": ix.top_k(2)}),
    (P, {"decide": 0.5}),
    (P, {"decide": ix.reject_below(0.8)}),
    (P, {"decide": ix.hit_in_top(2)}),
    (P, {"decide": ix.hit_in_top(2), "classes": range(5)}),
    (P, {"decide": ix.above(0.5)}),
]


@for_each("dtype", [np.int64, np.int32, np.uint8, np.int8, object])
@for_each(("pred", "options"), OPTIONS)
def test_options_are_given_once_and_mean_the_same(pred: Any, options: dict[str, Any], dtype: Any) -> None:
    true, pred = Y.astype(dtype), pred.astype(dtype) if pred is Z else pred
    stream = ix.Stream(**options)
    for rows in cut(300, [1, 7, 100, 128]):
        stream.update(true[rows], pred[rows])
    whole = ix.evaluate(true, pred, **options)
    assert stream.evaluation == whole
    assert (stream.evaluation.tally.open, stream.evaluation.tally.ordered) == (whole.tally.open, whole.tally.ordered)
    assert stream.evaluation.classes == whole.classes


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("true", [Y % 2, Y % 2 == 1, (Y % 2).astype(np.uint8)], ids=["int", "bool", "byte"])
def test_scores_of_the_positive_class_are_compared_in_their_own_precision(true: np.ndarray, dtype: Any) -> None:
    scores = np.round(P[:, 0], 1).astype(dtype)
    for options in ({}, {"positive": 1}, {"positive": 0}, {"decide": ix.above(0.7)}):
        options = {"decide": 0.7, **options}
        stream = ix.Stream(**options)
        for rows in cut(300, [128, 1]):
            stream.update(true[rows], scores[rows])
        whole = ix.evaluate(true, scores, **options)
        assert stream.evaluation == whole
        assert list(map(type, stream.evaluation.classes)) == list(map(type, whole.classes))


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int8, np.int64, float])
@pytest.mark.parametrize(
    "options",
    [{}, {"classes": list("abcde")}, {"decide": 0.5}, {"decide": 0.5, "positive": 2}, {"decide": ix.above(0.5)}],
    ids=str,
)
def test_label_matrices_are_counted_in_blocks(options: dict[str, Any], dtype: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("indicatrix.engines.counted_batches.ENTRIES", 300)
    true, pred = (P > 0.7).astype(dtype), P[::-1] if "decide" in options else (P[::-1] > 0.6).astype(dtype)
    if dtype is float and "decide" not in options:
        options = {**options, "tnorm": "product"}
    stream = ix.Stream("exemplar f1", **options)
    for rows in cut(300, [1, 20, 100, 128]):
        stream.update(true[rows], pred[rows])
    assert stream.n == 300
    assert pickle.loads(pickle.dumps(stream)).evaluation == stream.evaluation == ix.evaluate(true, pred, **options)
    bad = [(true[:2], pred[:1]), (true[:, :4], pred[:, :4])]
    bad += [(true[:2].astype(int) + 1, pred[:2])] if dtype is not float else []
    for batch in bad:
        with pytest.raises((ValueError, TypeError)):
            stream.update(*batch)
    assert stream.n == 300


NAMES = np.array(["a", "b", "", "nan", "é"])


@pytest.mark.parametrize("form", ["list", "array", "object", "list of NumPy texts"])
@pytest.mark.parametrize(
    "options", [{}, {"classes": NAMES.tolist()}, {"positive": "b"}, {"confusion": True}, {"missing": "mask"}], ids=str
)
def test_texts_are_counted_in_blocks(options: dict[str, Any], form: str, monkeypatch: Any) -> None:
    monkeypatch.setattr("indicatrix.engines.counted_batches.TEXTS", 140)
    makers = {"list": np.ndarray.tolist, "array": np.array, "object": lambda x: x.astype(object)}
    make = makers.get(form, list)
    stream = ix.Stream("macro f1", **options)
    for rows in cut(300, [1, 20, 30, 40, 70, 3, 9]):
        true, pred = make(NAMES[Y[rows]]), make(NAMES[Z[rows]])
        stream.update(true, pred)
        true[:] = pred  # the stream has its own
    whole = ix.evaluate(NAMES[Y], NAMES[Z], **options)
    held = len(stream._counted._held.texts[0])
    assert (held > 0) == ("missing" not in options)
    assert stream.n == 300
    bad: list[tuple[Any, Any]] = [(["a"], ["a", "b"]), (["a", 3], ["a", "b"]), ([{"a"}], [{"a"}]), ([3], [3])]
    bad += [(["a", None], ["a", "b"])] if "missing" not in options else []
    bad += [(["c"], ["a"])] if "classes" in options else []
    for batch in bad:
        with pytest.raises((ValueError, TypeError)):
            stream.update(*batch)
    assert pickle.loads(pickle.dumps(stream)).evaluation == stream.copy().evaluation == stream.evaluation == whole
    assert stream.evaluation.classes == whole.classes


def test_a_new_text_is_a_new_class() -> None:
    stream = ix.Stream().update(["a"], ["b"]).update(["a"], ["c"]).update(["a"], ["b"])
    assert stream.evaluation == ix.evaluate(["a"] * 3, ["b", "c", "b"])
    assert stream.update(["d"], ["d"]).reset().update([1, 2], [1, 2]).evaluation == ix.evaluate([1, 2], [1, 2])


@pytest.mark.parametrize("container", ["numpy", "torch", "pandas", "list"])
def test_every_container_is_taken(container: str) -> None:
    make = {"list": list, "numpy": np.asarray}.get(container)
    if make is None:
        module = pytest.importorskip(container)
        make = module.tensor if container == "torch" else module.Series
    stream = ix.Stream("macro f1")
    for rows in cut(300, [100, 100]):
        stream.update(make(Y[rows]), make(Z[rows]))
    assert stream.evaluation == ix.evaluate(Y, Z)


def test_tensors_of_scores_that_need_gradients() -> None:
    torch = pytest.importorskip("torch")
    logits = torch.tensor(P, requires_grad=True)
    assert ix.Stream(decide="argmax").update(torch.tensor(Y), logits).evaluation == ix.evaluate(Y, P, decide="argmax")


def test_bools_and_integers_and_labels_that_appear_late() -> None:
    stream = ix.Stream().update(Y % 2 == 1, Z % 2 == 1)
    assert stream.evaluation.classes == (False, True)
    assert all(type(c) is bool for c in stream.evaluation.classes)
    stream.update(Y, Z).update([100_000], [-3])
    assert stream.evaluation.classes == (-3, 0, 1, 2, 3, 4, 100_000)
    assert all(type(c) is int for c in stream.evaluation.classes)
    assert stream.n == 601


def test_a_batch_without_the_positive_class_waits_for_one_that_has_it() -> None:
    stream = ix.Stream("recall", positive="b").update(["a"], ["a"]).update(["b", "b"], ["a", "b"])
    assert stream.compute() == {"recall": 0.5}
    assert stream.copy().merge(stream).compute() == {"recall": 0.5}
    with pytest.raises(ValueError, match="positive='b' is not a class"):
        _ = ix.Stream(positive="b").update(["a"], ["a"]).evaluation


@pytest.mark.parametrize("options", [{}, {"classes": range(5)}, {"decide": "argmax"}], ids=str)
def test_a_refused_batch_changes_nothing(options: dict[str, Any]) -> None:
    pred = P if "decide" in options else Z
    stream = ix.Stream(**options).update(Y, pred)
    before = stream.evaluation
    bad: list[tuple[Any, Any]] = [(Y[:3], pred[:2]), ([None, 1], pred[:2])]
    bad += [(Y[:2], np.full((2, 5), np.nan)), (Y[:1] + 5, pred[:1])] if "decide" in options else []
    bad += [([5], [0])] if "classes" in options else []
    for true, other in bad:
        with pytest.raises((ValueError, TypeError)):
            stream.update(true, other)
    assert stream.evaluation == before
    assert stream.n == 300


@pytest.mark.parametrize("by", [None, Y % 3], ids=["plain", "groups"])
def test_copies_pickles_and_states_go_their_own_way(by: Any) -> None:
    rows = {} if by is None else {"by": {"site": by}}
    stream = ix.Stream("macro f1", classes=range(5)).update(Y, Z, **rows)
    restored = ix.Stream("macro f1", classes=range(5)).load_state_dict(json.loads(json.dumps(stream.state_dict())))
    others = [stream.copy(), copy.copy(stream), copy.deepcopy(stream), pickle.loads(pickle.dumps(stream)), restored]
    for other in others:
        assert other.evaluation == stream.evaluation
        assert other.compute() == stream.compute()
        other.update(Y, Z, **rows)
        assert (stream.n, other.n) == (300, 600)
        assert other.evaluation == stream.evaluation + stream.evaluation
    assert stream.reset().n == 0
    assert stream.evaluation == ix.Evaluation()


def test_many_batches_that_are_evaluated_one_by_one() -> None:
    stream, k = ix.Stream(), 3 * PENDING + 1
    for _ in range(k):
        stream.update([{"a"}, {"b"}], [{"a"}, {"a", "b"}])
    assert len(stream._counted._added) < PENDING
    assert stream.evaluation == ix.evaluate([{"a"}, {"b"}] * k, [{"a"}, {"a", "b"}] * k)


@for_each("measure", dict.fromkeys(ix.algebra.MEASURES.values()))
def test_compute_is_the_score_under_every_average_and_convention(measure: ix.Measure) -> None:
    true, pred = [0, 0, 1, 2, 2, 3], [0, 1, 1, 2, 0, 4]
    stream, whole = ix.Stream(), ix.evaluate(true, pred)
    for i in range(0, 6, 2):
        stream.update(np.array(true[i : i + 2]), np.array(pred[i : i + 2]))
    for average in measure.averages or averages_over("class", "example"):
        for undefined in ("exclude", 0, "nan"):
            found = stream.compute(f"{average} {measure}", undefined=undefined)
            assert repr(found[f"{average} {measure}"]) == repr(whole.score(measure, average, undefined=undefined))


def test_a_batch_of_another_form_is_refused_at_once() -> None:
    sets, matrix = ([{"a"}], [{"b"}]), (np.eye(2, dtype=int), np.eye(2, dtype=int))
    batches: list[tuple[Any, Any]] = [(Y, Z), (["a"], ["b"]), sets, matrix]
    for first in batches:
        for second in batches:
            stream = ix.Stream().update(*first)
            before = stream.evaluation
            if second is first:
                continue
            try:
                expected = before + ix.evaluate(*second)
            except (ValueError, TypeError):
                with pytest.raises((ValueError, TypeError)):
                    stream.update(*second)
                assert stream.evaluation == before
            else:
                assert stream.update(*second).evaluation == expected


def test_names_of_scores() -> None:
    stream = ix.Stream(
        "samples f1", "macro 2*tp / (2*tp + fp + fn)", ("recall", "macro"), ix.measures.exact_match, "multiclass_mcc"
    )
    stream.update(Y, Z)
    names = ["samples f1", "macro 2*tp / (2*tp + fp + fn)", "macro recall", "subset_accuracy", "multiclass_mcc"]
    assert list(stream.compute()) == names
    grouped = ix.Stream("site macro recall").update(Y, Z, by={"site": Y % 2})
    assert grouped.compute()["site macro recall"] == grouped.evaluation.score("recall", ("site", "macro"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ix.Stream("macro f11"), "There is no measure 'f11'"),
        (lambda: ix.Stream("macro"), "names an average and no measure"),
        (lambda: ix.Stream(3), "is not the name of a score"),
        (lambda: ix.Stream(clases=3), "^Stream takes no clases="),
        (lambda: ix.Stream(by={"a": [1]}), r"by= has one entry for each example; give it with each batch: stream\.update"),
        (lambda: ix.Stream(undefined="maybe"), "undefined='maybe' is not a convention"),
        (lambda: ix.Stream().compute(), "Name the scores"),
        (lambda: ix.Stream().merge(ix.Evaluation()), r"merge\(\) takes an ix.Stream, not indicatrix\.evaluation\.Evaluation"),
        (lambda: ix.Stream().update(Y, Z).merge(ix.Stream(decide="argmax").update(Y, P)), "were made differently"),
    ],
)
def test_what_is_refused(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        call()


@pytest.mark.parametrize("form", ["labels", "matrices"])
def test_replicates_number_the_rows_of_all_batches(form: str) -> None:
    true, pred = (Y, Z) if form == "labels" else (P > 0.5, P[::-1] > 0.4)
    mask = np.arange(300) % 7 > 0
    whole = ix.evaluate(true, pred, mask=mask, replicates=20)
    stream = ix.Stream(replicates=20)
    for rows in cut(300, [100, 1, 60]):
        stream.update(true[rows], pred[rows], mask=mask[rows])
        stream = ix.Stream(replicates=20).load_state_dict(stream.state_dict())
    assert interval(stream.evaluation) == interval(whole)
    assert interval(whole) != interval(ix.evaluate(true, pred, mask=mask, replicates=ix.types.Replicates(20, seed=1)))
    with pytest.raises(ValueError, match="first_row=300"):
        stream.merge(stream.copy())


def interval(ev: ix.Evaluation) -> Any:
    return ev.interval("f1", "macro", method="replicates")
