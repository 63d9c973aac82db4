"""A stream of tensors is the evaluation of all rows: any split, any shape, any floating type."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
import torch
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.tally.device.weights import exact_floats

torch.manual_seed(3)
C = 5
TARGET = torch.randint(0, C, (240,))
LABELS = torch.where(torch.rand(240) < 0.5, TARGET, torch.randint(0, C - 1, (240,)))
SCORES = torch.round(torch.randn(240, C), decimals=1)  # with ties
MATRIX = torch.rand(240, C) < 0.4
PROBABILITIES = torch.round(torch.rand(240, C), decimals=1)

# the options of the stream, its preds and target, and the same for ix.evaluate
CASES: dict[str, tuple[dict[str, Any], Any, Any, dict[str, Any]]] = {
    "labels": ({"classes": C}, LABELS, TARGET, {"classes": range(C)}),
    "absent class": ({"classes": C + 2}, LABELS, TARGET, {"classes": range(C + 2)}),
    "argmax": ({}, SCORES, TARGET, {"decide": "argmax"}),
    "argmax, classes": ({"classes": C}, SCORES, TARGET, {"decide": "argmax", "classes": range(C)}),
    "top k": ({"decide": ix.top_k(2)}, SCORES, TARGET, {"decide": ix.top_k(2)}),
    "hit in top": ({"decide": ix.hit_in_top(2)}, SCORES, TARGET, {"decide": ix.hit_in_top(2)}),
    "above": ({"decide": ix.above(0.5)}, PROBABILITIES[:, 0], TARGET % 2, {"decide": ix.above(0.5)}),
    "labels above": ({"kind": "multilabel", "decide": ix.above(0.3)}, PROBABILITIES, MATRIX, {"decide": ix.above(0.3)}),
    "binary": ({"decide": 0.5}, PROBABILITIES[:, 0], TARGET % 2, {"decide": 0.5}),
    "bools": ({"decide": 0.5}, PROBABILITIES[:, 0], TARGET % 2 == 1, {"decide": 0.5}),
    "positive 0": ({"decide": 0.5, "positive": 0}, PROBABILITIES[:, 0], TARGET % 2, {"decide": 0.5, "positive": 0}),
    "logits": ({"decide": 0, "positive": 1}, SCORES[:, 0], TARGET % 2, {"decide": 0, "positive": 1}),
    "multilabel": ({"kind": "multilabel", "decide": 0.3}, PROBABILITIES, MATRIX.long(), {"decide": 0.3}),
    "label matrices": ({"kind": "multilabel", "decide": 0.5}, MATRIX.flip(0), MATRIX, {"decide": None}),
}
DTYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
AVERAGES = averages_over("class", "example")


def filled(options: dict[str, Any], preds: Any, target: Any, size: int = 64) -> ix.torch.Stream:
    stream = ix.torch.Stream(**options)
    for start in range(0, len(target), size):
        stream.update(preds[start : start + size], target[start : start + size])
    return stream


def counts(ev: ix.Evaluation) -> Any:
    return ev.tally


@for_each("size", [1, 7, 128, 1000])
@for_each("name", CASES)
def test_any_split_gives_the_counts_of_all_rows(name: str, size: int) -> None:
    given, preds, target, options = CASES[name]
    stream, whole = filled(given, preds, target, size), ix.evaluate(target, preds, **options)
    assert counts(stream.evaluation) == counts(whole)
    assert stream.evaluation.kind == whole.kind
    assert stream.evaluation.n == whole.n == 240


@for_each("dtype", DTYPES)
@for_each("name", [name for name, case in CASES.items() if case[1].is_floating_point()])
def test_every_floating_type_is_read_as_evaluate_reads_it(name: str, dtype: torch.dtype) -> None:
    given, preds, target, options = CASES[name]
    preds = preds.to(dtype)
    assert filled(given, preds, target).evaluation == ix.evaluate(target, preds, **options)


@for_each("measure", dict.fromkeys(ix.algebra.MEASURES.values()))
def test_every_measure_average_and_convention_is_that_of_evaluate(measure: ix.Measure) -> None:
    for name in ("absent class", "top k", "multilabel"):
        given, preds, target, options = CASES[name]
        stream, whole = filled(given, preds[:30], target[:30], 7), ix.evaluate(target[:30], preds[:30], **options)
        for average in measure.averages or AVERAGES:
            for undefined in ("exclude", 0, "nan"):
                found = stream.compute((measure, average), undefined=undefined)
                assert [*map(repr, found.values())] == [repr(whole.score(measure, average, undefined=undefined))]


@pytest.mark.parametrize("index", [-100, 2, 255])
def test_ignored_targets_count_nowhere(index: int) -> None:
    gone = torch.rand(240) < 0.2
    target = torch.where(gone, index, torch.where(index == TARGET, 0, TARGET))
    there = torch.where(gone, 0, target)
    scores = SCORES.clone()
    scores[gone.nonzero()[0]] = torch.nan  # what is ignored may be anything
    for options, preds in (
        ({"classes": C}, LABELS),
        ({}, scores),
        ({"decide": ix.top_k(2)}, scores),
        ({"decide": ix.hit_in_top(2)}, scores),
    ):
        stream = filled({**options, "ignore_index": index}, preds, target)
        how = {} if preds is LABELS else {"decide": options.get("decide", "argmax")}
        whole = ix.evaluate(there, torch.nan_to_num(preds) if preds is not LABELS else preds, mask=~gone, classes=range(C), **how)
        assert counts(stream.evaluation) == counts(whole)
        assert stream.evaluation.tally.hidden == whole.tally.hidden


def test_ignored_entries_of_label_matrices_count_nowhere() -> None:
    gone = torch.rand(240, C) < 0.2
    gone[:3] = True
    target = torch.where(gone, -1, MATRIX.long())
    stream = filled({"kind": "multilabel", "decide": 0.5, "ignore_index": -1}, PROBABILITIES, target)
    whole = ix.evaluate(MATRIX, PROBABILITIES, decide=0.5, mask=~gone)
    assert counts(stream.evaluation) == counts(whole)
    assert stream.evaluation.tally.hidden == whole.tally.hidden


@pytest.mark.parametrize("name", ["multilabel", "label matrices", "labels above", "top k", "ignored"])
def test_it_is_kept_how_labels_fall_together(name: str, monkeypatch: Any) -> None:
    monkeypatch.setattr("indicatrix.tally.device.tables.ROWS", 50)
    if name == "ignored":
        gone = torch.rand(240, C) < 0.2
        gone[:3] = True
        target = torch.where(gone, -1, MATRIX.long())
        stream = filled({"kind": "multilabel", "decide": 0.5, "ignore_index": -1}, PROBABILITIES, target, 100)
        whole = ix.evaluate(MATRIX, PROBABILITIES, decide=0.5, mask=~gone)
    else:
        given, preds, target, options = CASES[name]
        stream, whole = filled(given, preds, target, 100), ix.evaluate(target, preds, **options)
    ours, theirs = stream.evaluation.tally.moments.whole, whole.tally.moments.whole
    assert ours.keys.tolist() == theirs.keys.tolist()
    assert ours.values.tolist() == theirs.values.tolist()
    assert (ours.m, ours.weight, ours.unit) == (theirs.m, theirs.weight, theirs.unit)
    for average in AVERAGES:
        assert repr(stream.evaluation.interval("f1", average)) == repr(whole.interval("f1", average))


def test_autocast_does_not_round_products() -> None:
    given, preds, target, options = CASES["multilabel"]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        stream = filled(given, preds.repeat(3, 1), target.repeat(3, 1), 720)
    whole = ix.evaluate(target.repeat(3, 1), preds.repeat(3, 1), **options)
    assert stream.evaluation.interval("f1", "macro") == whole.interval("f1", "macro")


def test_products_of_many_classes_are_not_kept_and_the_interval_says_so() -> None:
    stream = ix.torch.Stream(kind="multilabel", decide=0.5).update(torch.rand(9, 65), torch.randint(0, 2, (9, 65)))
    with pytest.raises(ValueError, match=r"a stream of tensors keeps it up to 64 classes, and ix\.Stream for more"):
        stream.evaluation.interval("f1", "macro")
    assert stream.evaluation.score("f1", "macro") > 0


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_pixels_and_tokens_are_examples(dtype: torch.dtype) -> None:
    scores, target = torch.randn(4, 3, 6, 2).to(dtype), torch.randint(0, 3, (4, 6, 2))
    flat = scores.movedim(1, -1).reshape(-1, 3)
    assert filled({}, scores, target, 2).evaluation == ix.evaluate(target.reshape(-1), flat, decide="argmax")
    top = {"decide": ix.hit_in_top(2)}
    assert filled(top, scores, target, 2).evaluation == ix.evaluate(target.reshape(-1), flat, **top)
    labels = scores.argmax(dim=1)
    assert counts(filled({"classes": 3}, labels, target, 3).evaluation) == counts(
        ix.evaluate(target.reshape(-1), labels.reshape(-1), classes=range(3))
    )
    many = scores > 0
    stream = filled({"kind": "multilabel", "decide": 0.0}, scores, many, 3)
    assert stream.evaluation.score("exact_match") == (stream.evaluation.n == 48)


def test_names_of_classes() -> None:
    stream = ix.torch.Stream("recall", classes=["cat", "dog"], decide=0.5, positive="dog")
    stream.update(torch.tensor([0.9, 0.1, 0.8]), torch.tensor([1, 1, 0]))
    assert stream.compute() == {"recall": 0.5}
    assert stream.evaluation == ix.evaluate(
        ["dog", "dog", "cat"], [0.9, 0.1, 0.8], classes=["cat", "dog"], decide=0.5, positive="dog"
    )


@pytest.mark.parametrize("name", ["labels", "multilabel"])
def test_weights_of_many_rows_are_added_in_parts(name: str, monkeypatch: Any) -> None:
    monkeypatch.setattr("indicatrix.tally.device.pair_buffer.ROWS", 30)
    given, preds, target, options = CASES[name]
    weights = torch.arange(len(target)) / 7
    stream = ix.torch.Stream(**given).update(preds, target, sample_weight=weights)
    assert counts(stream.evaluation) == counts(ix.evaluate(target, preds, **options, sample_weight=weights))


def test_what_is_kept_does_not_grow_with_the_batches(monkeypatch: Any) -> None:
    monkeypatch.setattr("indicatrix.torch.plan.TOGETHER", 50)
    given, preds, target, _ = CASES["multilabel"]
    few = torch.arange(400) % 3  # three rows, again and again
    (counts,) = filled(given, preds[few], target[few], 1)._groups.values()
    counts.release()
    assert sum(rows.numel() for rows in counts._rows) < 100


@pytest.mark.parametrize("name", ["labels", "argmax", "top k", "hit in top", "binary", "multilabel"])
def test_merged_copied_pickled_and_saved(name: str, tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("indicatrix.torch.plan.TOGETHER", 50)
    given, preds, target, _ = CASES[name]
    whole = filled(given, preds, target)
    a, b = filled(given, preds[:100], target[:100], 9), filled(given, preds[100:], target[100:], 9)
    torch.save(a.state_dict(), tmp_path / "state.pt")
    restored = ix.torch.Stream(**given).load_state_dict(torch.load(tmp_path / "state.pt", weights_only=True))
    for other in (a.copy(), copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a)), restored):
        assert other.evaluation == a.evaluation
        assert other.merge(b).evaluation == whole.evaluation
        assert other.evaluation.interval("f1", "macro") == whole.evaluation.interval("f1", "macro")
    assert a.update(preds[100:], target[100:]).evaluation == whole.evaluation
    assert a.reset().evaluation == ix.Evaluation()
    assert a.merge(b).evaluation == b.evaluation
    assert a.merge(ix.torch.Stream(**given)).evaluation == b.evaluation


BAD: list[tuple[dict[str, Any], Any, Any, str]] = [
    ({"classes": 2}, [0, 1, 1], [0, 2, -1], "2 values of target are not 0 to 1"),
    ({"classes": 2}, [0, 5, 1], [0, 1, 1], "1 labels in preds are not 0 to 1"),
    ({"classes": 2, "ignore_index": -1}, [0, 0, 1], [0, -2, -1], "1 values of target are not 0 to 1 or ignore_index=-1"),
    ({}, [[0.0, float("nan")], [1.0, 0.0]], [0, 1], "1 examples have a score that is NaN"),
    ({"decide": 0.5}, [0.2, float("nan")], [0, 1], "1 examples have a score that is NaN"),
    ({"decide": 0.5}, [0.2, 0.3], [0, 2], "1 values of target are not 0 to 1"),
    ({"decide": ix.top_k(1)}, [[0.2, 0.3]], [2], "1 values of target are not 0 to 1"),
    ({"decide": ix.top_k(1)}, [[float("nan"), 0.3]], [0], "1 examples have a score that is NaN"),
    ({"decide": ix.hit_in_top(2)}, [[float("nan"), 0.3]], [0], "1 examples have a score that is NaN"),
    ({"decide": ix.hit_in_top(2)}, [[0.2, 0.3]], [-1], "1 values of target are not 0 to 1"),
    ({"kind": "multilabel", "decide": 0.5}, [[0.2, 0.3]], [[0, 2]], "1 values of target are not 0 or 1"),
    ({"kind": "multilabel", "decide": 0.5}, [[0, 3]], [[0, 1]], "1 labels in preds are not 0 or 1"),
]


@for_each(("options", "preds", "target", "message"), BAD)
def test_bad_values_are_reported_when_the_result_is_asked_for(options: Any, preds: Any, target: Any, message: str) -> None:
    stream = ix.torch.Stream("micro recall", **options).update(torch.tensor(preds), torch.tensor(target))
    with pytest.raises(ValueError, match=message):
        stream.compute()
    with pytest.raises(ValueError, match=message):
        _ = stream.copy().evaluation
    assert stream.reset().evaluation.n == 0


REFUSED: list[tuple[dict[str, Any], Any, Any, str]] = [
    ({}, torch.tensor([0, 1]), torch.tensor([0, 1]), "do not tell how many classes there are: give classes=10"),
    ({}, torch.rand(3), torch.tensor([0, 1, 1]), "one score per example. Give the threshold, decide=0.5"),
    ({"classes": 3}, torch.rand(2, 4), torch.tensor([0, 1]), "There are 3 classes, but preds has 4 columns"),
    ({}, torch.tensor([0, 1]), torch.rand(2, 4), "Is it given first by mistake"),
    ({}, torch.rand(2, 4), torch.tensor([0, 1, 2]), r"preds has the shape \(2, 4\) and target \(3,\)"),
    ({"classes": 2}, [0, 1], torch.tensor([0, 1]), "preds is list, not a tensor"),
    ({"kind": "multilabel", "decide": 0.5}, torch.rand(2, 4), torch.zeros(2, 3, dtype=int), r"both are \(N, labels, …\)"),
    ({"decide": ix.top_k(2)}, torch.tensor([[0, 1]]), torch.tensor([0]), "needs scores"),
    ({"decide": ix.top_k(3)}, torch.rand(1, 2), torch.tensor([0]), "asks for more classes than the 2"),
    ({"decide": ix.hit_in_top(3)}, torch.rand(1, 2), torch.tensor([0]), "asks for more classes than the 2"),
]


@pytest.mark.parametrize(("options", "preds", "target", "message"), REFUSED)
def test_shapes_and_types_are_refused_at_once(options: Any, preds: Any, target: Any, message: str) -> None:
    stream = ix.torch.Stream(**options)
    with pytest.raises((ValueError, TypeError), match=message):
        stream.update(preds, target)
    assert stream.evaluation.n == 0


FILLED = ix.torch.Stream(classes=C).update(LABELS, TARGET)
STATE = FILLED.state_dict()


@for_each(
    ("call", "message"),
    [
        (lambda: ix.torch.Stream(decide=ix.reject_below(0.5)), "is not possible on a device"),
        (lambda: ix.torch.Stream(decide=None), "is not possible on a device"),
        (lambda: ix.torch.Stream(kind="binary"), "kind='binary' is unknown"),
        (lambda: ix.torch.Stream(kind="multilabel"), "labels are decided one by one: decide=0.5"),
        (lambda: ix.torch.Stream(classes=3, decide=0.5), "decides between two classes, and there are 3"),
        (lambda: ix.torch.Stream(classes=3, positive=7), "positive=7 is not a class"),
        (lambda: ix.torch.Stream(classes=3000), "Pairs of 3000 classes need too much memory"),
        (lambda: ix.torch.Stream(ignore_index=0.5), "ignore_index=0.5 is not a whole number"),
        (lambda: ix.torch.Stream().compute(), "Name the scores"),
        (lambda: ix.torch.Stream(classes=3).merge(ix.torch.Stream(classes=4)), "Streams add only with the same options"),
        (lambda: ix.torch.Stream().merge(ix.Stream()), r"takes an ix\.torch\.Stream, not indicatrix\.engines"),
        (lambda: ix.torch.Stream(classes=3).load_state_dict(STATE), f"are of {C} classes, made with other options"),
        (lambda: ix.torch.Stream(decide=ix.top_k(2)).load_state_dict(STATE), "made with other options"),
        (lambda: ix.torch.Stream(classes=C).update(LABELS, TARGET, sample_weight=SCORES), r"shape \(240, 5\) .* each of the 240"),
        (lambda: ix.torch.Stream(classes=C).update(LABELS, TARGET, by=LABELS), "give a name for each grouping"),
        (
            lambda: ix.torch.Stream(classes=C).update(LABELS, TARGET, by={"a": [1]}),
            r"by\['a'\] has 1 entries; give one group for",
        ),
        (
            lambda: ix.torch.Stream(classes=C).load_state_dict(STATE).update(LABELS, TARGET, by={"a": LABELS}),
            "the same groupings",
        ),
        (
            lambda: ix.torch.Stream(classes=C).update(LABELS, TARGET, by={"a": LABELS}).merge(FILLED),
            "only with the same groupings",
        ),
        (lambda: ix.torch.Stream(classes=C).update(LABELS, TARGET, mask=MATRIX), "with ignore_index="),
        (lambda: ix.torch.Stream(classes=C).update(LABELS, TARGET, weights=1), "update takes no weights=; give one weight"),
        (lambda: ix.torch.Streem, "has no attribute 'Streem'; it has Metric and Stream"),
    ],
)
def test_what_is_refused(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError, AttributeError), match=message):
        call()


def test_a_batch_of_another_width_is_refused() -> None:
    stream = ix.torch.Stream().update(SCORES, TARGET)
    with pytest.raises(ValueError, match="preds has 4 columns, and 5 in the batches before"):
        stream.update(SCORES[:, :4], TARGET % 4)
    assert stream.evaluation.n == 240


@pytest.mark.parametrize("held", [0, 1 << 18])
def test_counting_never_waits_for_a_device(held: int, monkeypatch: Any) -> None:
    """Meta tensors have no values: an operation that needs one fails on them."""
    monkeypatch.setattr("indicatrix.torch.plan.HELD", held)
    for name, (given, preds, target, _) in CASES.items():
        stream = ix.torch.Stream(**given).update(preds.to("meta"), target.to("meta"))
        assert "counts on meta" in repr(stream), name
        if name in ("argmax", "multilabel"):
            more = {"sample_weight": torch.rand(240), "by": {"half": ["a", "b"] * 120}}
            assert "counts on meta" in repr(stream.reset().update(preds.to("meta"), target.to("meta"), **more)), name


def test_gradients_are_left_alone() -> None:
    scores = SCORES.clone().requires_grad_()
    stream = ix.torch.Stream().update(scores, TARGET)
    assert stream.evaluation == ix.evaluate(TARGET, SCORES, decide="argmax")
    assert all(not x.requires_grad for x in stream.state_dict()["groups"][0]["counts"].values())


WEIGHTS = {
    "float32": torch.rand(240),
    "float64 of many sizes": torch.rand(240, dtype=torch.float64) * 2.0 ** torch.arange(-55, 65).repeat(2),
    "half": torch.rand(240).half(),
    "integers": torch.randint(0, 4, (240,)),
    "list": [0.1] * 120 + [0, 3] * 60,
}
SITES = {"site": ["a", "b", "c"] * 80, "half": TARGET < 2}


@pytest.mark.parametrize("ignore", [None, -1])
@pytest.mark.parametrize("name", ["absent class", "top k", "hit in top", "binary", "multilabel"])
def test_weights_and_groups_are_those_of_evaluate(name: str, ignore: int | None) -> None:
    (given, preds, target, options), n = CASES[name], 60
    given, options, preds, target = {**given, "ignore_index": ignore}, {**options}, preds[:n], target[:n]
    if ignore is not None:
        gone = torch.rand(target.shape) < 0.2
        gone[:3] = True
        options["mask"], target = ~gone, torch.where(gone, ignore, target)
    there = torch.where(target < 0, 0, target)
    several = [(weights, None) for weights in WEIGHTS.values()] + [(None, SITES), (WEIGHTS["float32"], SITES)]
    for weights, by in several:
        stream = ix.torch.Stream(**given)
        for some in (slice(25), slice(25, n)):
            of_rows = None if by is None else {axis: ids[some] for axis, ids in by.items()}
            stream.update(preds[some], target[some], sample_weight=None if weights is None else weights[some], by=of_rows)
        options["sample_weight"] = None if weights is None else weights[:n]
        options["by"] = None if by is None else {axis: ids[:n] for axis, ids in by.items()}
        own, whole = stream.evaluation, ix.evaluate(there, preds, **options)
        assert own.tally == whole.tally
        assert own.tally.hidden == whole.tally.hidden
        assert own.tally.squares == whole.tally.squares
        assert own.score("f1", "exemplar") == whole.score("f1", "exemplar")
        if by is None:
            assert own.interval("f1", "macro") == whole.interval("f1", "macro")
        else:
            per = ("site", "half", "class")
            assert repr(own.values("recall", per=per)) == repr(whole.values("recall", per=per))
            assert own.split("site")["b"].interval("f1", "macro") == whole.split("site")["b"].interval("f1", "macro")


def test_weighted_groups_merge_and_are_saved(tmp_path: Any) -> None:
    for name in ("argmax", "multilabel"):
        given, preds, target, options = CASES[name]
        weights = WEIGHTS["float32"]
        a, b = ix.torch.Stream(**given), ix.torch.Stream(**given)
        a.update(preds[:50], target[:50], sample_weight=weights[:50], by={"site": [2] * 50})
        b.update(preds[50:], target[50:], sample_weight=weights[50:], by={"site": torch.arange(190) % 3})
        torch.save(a.state_dict(), tmp_path / "state.pt")
        restored = ix.torch.Stream(**given).load_state_dict(torch.load(tmp_path / "state.pt", weights_only=True))
        sites = torch.cat([torch.full((50,), 2), torch.arange(190) % 3])
        whole = ix.evaluate(target, preds, sample_weight=weights, by={"site": sites}, **options)
        for one in (restored, pickle.loads(pickle.dumps(a)), a):
            assert one.merge(b).evaluation.tally == whole.tally


def test_batches_with_and_without_weights_add() -> None:
    stream = ix.torch.Stream(classes=C).update(LABELS[:99], TARGET[:99], sample_weight=WEIGHTS["float32"][:99])
    parts = ix.Stream(classes=range(C)).update(TARGET[:99], LABELS[:99], sample_weight=WEIGHTS["float32"][:99])
    assert stream.update(LABELS[99:], TARGET[99:]).evaluation.tally == parts.update(TARGET[99:], LABELS[99:]).evaluation.tally


def test_rows_of_several_examples_share_weights_and_groups() -> None:
    preds, target = torch.randn(6, C, 4, 2), torch.randint(0, C, (6, 4, 2))
    weights, sites = torch.rand(6), [*"aabbcc"]
    stream = ix.torch.Stream().update(preds, target, sample_weight=weights, by={"site": sites})
    each = {"sample_weight": weights.repeat_interleave(8), "by": {"site": [s for s in sites for _ in range(8)]}}
    whole = ix.evaluate(target.reshape(-1), preds.movedim(1, -1).reshape(-1, C), decide="argmax", **each)
    assert stream.evaluation == whole
    spread = {"sample_weight": weights[:, None, None].expand(6, 4, 2), "by": {"site": torch.arange(48).reshape(6, 4, 2)}}
    assert ix.torch.Stream().update(preds, target, **spread).evaluation.tally.sizes == {(k,): 1 for k in range(48)}


@pytest.mark.parametrize(
    "dtype",
    [torch.bool, torch.int8, torch.uint8, torch.int16, torch.uint16, torch.int32, torch.int64, torch.float16, torch.bfloat16],
)
def test_weights_of_every_type_of_numbers_are_added(dtype: torch.dtype) -> None:
    weights = (TARGET % 2).to(dtype)
    stream = ix.torch.Stream(classes=C).update(LABELS, TARGET, sample_weight=weights)
    whole = ix.evaluate(TARGET, LABELS, classes=range(C), sample_weight=(TARGET % 2).double())
    assert stream.evaluation.tally == whole.tally
    assert exact_floats(weights).tolist() == (TARGET % 2).tolist() if dtype is not torch.bool else exact_floats(weights) is None


def test_a_state_that_does_not_belong_here_leaves_the_stream_as_it_was() -> None:
    stream, other = (ix.torch.Stream(classes=m).update(LABELS, TARGET) for m in (C, C + 1))
    for state, error in ((other.state_dict(), ValueError), ({"epoch": 3}, TypeError), (None, TypeError)):
        with pytest.raises(error, match=r"other options than|is not what state_dict\(\) of a stream returned"):
            stream.load_state_dict(state)  # type: ignore[arg-type]
        assert stream.evaluation.n == len(TARGET)


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf"), 1e30, 1e-30, 2**60 + 1])
def test_weights_that_cannot_be_added_are_reported(weight: float) -> None:
    stream = ix.torch.Stream(classes=C).update(LABELS[:2], TARGET[:2], sample_weight=[1, weight])
    with pytest.raises(ValueError, match=r"1 weights are neither 0 nor between 2\*\*-64 and 2\*\*64"):
        _ = stream.evaluation


@pytest.mark.parametrize("weights", [None, WEIGHTS["float32"]])
@pytest.mark.parametrize("name", ["argmax", "multilabel"])
def test_batches_inside_and_outside_of_inference_mode_add(name: str, weights: Any) -> None:
    given, preds, target, _ = CASES[name]
    stream, apart = ix.torch.Stream(**given), ix.torch.Stream(**given)
    with torch.inference_mode():
        stream.update(preds, target, sample_weight=weights).state_dict()  # which counts what is held
        copied = stream.copy()
    apart.update(preds, target, sample_weight=weights).update(preds, target, sample_weight=weights)
    for one in (stream, copied):
        assert one.copy().merge(one).evaluation.tally == apart.evaluation.tally
        assert one.update(preds, target, sample_weight=weights).evaluation.tally == apart.evaluation.tally


def test_held_batches_are_copies_and_types_are_not_mixed() -> None:
    preds, target = PROBABILITIES[:, 0].clone(), TARGET % 2
    stream = ix.torch.Stream(decide=0.3).update(preds, target).update(preds.half(), target)
    preds.zero_()
    parts = ix.Stream(decide=0.3).update(target, PROBABILITIES[:, 0]).update(target, PROBABILITIES[:, 0].half())
    assert stream.evaluation.tally == parts.evaluation.tally
