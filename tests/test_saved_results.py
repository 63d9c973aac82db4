"""Laws of everything that is saved, over the table of formats: what ``ix.load`` gives is what was saved, and adds like it."""

from __future__ import annotations

import hashlib
import inspect
import json
import random
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from fuzz.damage import damage
from fuzz.structures import mutate
from indicatrix.public_names import HOMES, load_public
from indicatrix.storage.formats import CHECKPOINT, FORMATS, NAMES, load_as, with_format, write_file

BOXES: dict[str, Any] = {"boxes": [[0, 0, 10, 10], [2, 3, 9, 9]], "labels": ["cat", "dog"]}
SEGMENTS = (np.array([[1, 1], [2, 0]]), np.array([[1, 1], [1, 0]]))  # classes and instances
Y, Z, W = ["a", "b", "b", "c"], ["a", "b", "c", "c"], ["a", "a", "b", "c"]
SITES = ["x", "x", "y", "y"]
P = np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.1, 0.2, 0.7], [0.2, 0.2, 0.6]])
TAGS = [["B-PER", "I-PER", "O"], ["O", "B-LOC"]]


def detections(name: str) -> Any:
    return ix.detection([BOXES], [{**BOXES, "scores": [0.5, 0.25]}], images=[name])


def surfaces(name: str) -> Any:
    return ix.vision.surface_distances([[[0, 1, 0, 0]]], [[[0, 1, 1, 1]]], images=[name])


def swept(*, half: bool = False, **more: Any) -> Any:
    return ix.sweep(Y, P.astype(np.float16 if half else np.float64), classes=["a", "b", "c"], **more)


# Of each kind several results, each with one that can be added to it; None: such results do not add.
RESULTS: dict[str, list[tuple[Callable[[], Any], Callable[[], Any] | None]]] = {
    "Evaluation": [
        (lambda: ix.evaluate(Y, Z), lambda: ix.evaluate(Z, W)),
        (lambda: ix.evaluate(Y, Z, by={"site": SITES}), lambda: ix.evaluate(Z, W, by={"site": SITES})),
        (lambda: ix.evaluate(Y, Z, sample_weight=[1, 0.5, 0.1, 2]), lambda: ix.evaluate(Z, W)),
        (lambda: ix.evaluate([{"a"}, {"a", "b"}, set()], [{"a"}, {"b"}, {"b"}]), lambda: ix.evaluate([{"a"}], [{"b", "a"}])),
        (
            lambda: ix.evaluate(Y, Z, replicates=5),
            lambda: ix.evaluate(Z, W, replicates=ix.types.Replicates(5, first_row=4)),
        ),
    ],
    "PairedCounts": [
        (lambda: ix.inference.paired_counts(Y, {"lr": Z, "rf": W}), lambda: ix.inference.paired_counts(Y, {"lr": W, "rf": Z})),
        (
            lambda: ix.inference.paired_counts([{"a"}, {"b"}], {"lr": [{"a"}, {"a"}], "rf": [set(), {"b"}]}, classes=["a", "b"]),
            lambda: ix.inference.paired_counts([{"a"}], {"lr": [{"a"}], "rf": [{"b"}]}, classes=["a", "b"]),
        ),
    ],
    "Comparison": [(lambda: ix.compare(Y * 9, {"lr": Z * 9, "rf": W * 9}, ["f1", "mcc"], ["micro", "macro"]), None)],
    "Sweep": [
        (lambda: ix.scores.binned(Y, P, classes=["a", "b", "c"]), lambda: ix.scores.binned(Z, P, classes=["a", "b", "c"])),
        (
            lambda: ix.scores.binned([0, 1, 1, 0], P[:, 0], by={"site": SITES}, sample_weight=[1, 0.5, 0, 2]),
            lambda: ix.scores.binned([0, 1, 1, 0], P[:, 1], by={"site": SITES[::-1]}),
        ),
        (swept, swept),
        (lambda: swept(half=True), swept),
        (
            lambda: swept(by={"site": SITES}, sample_weight=[1, 0.5, 0, 2]),
            lambda: swept(by={"site": SITES[::-1]}),
        ),
        (lambda: ix.sweep([0, 1, 1], [-0.5, np.inf, 0.25]), lambda: ix.sweep([0, 1], [0.25, -np.inf]).compact()),
    ],
    "DetectionEvaluation": [(lambda: detections("one"), lambda: detections("two"))],
    "PanopticEvaluation": [
        (lambda: ix.panoptic([SEGMENTS], [SEGMENTS], images=["one"]), lambda: ix.panoptic([SEGMENTS], [SEGMENTS], images=["two"]))
    ],
    "SurfaceEvaluation": [(lambda: surfaces("one"), lambda: surfaces("two"))],
    "MultiInstance": [
        (
            lambda: ix.tasks.multi_instance([1, 1, 0], [0.9, 0.2, 0.6], ["a", "a", "b"]),
            lambda: ix.tasks.multi_instance([1, 1], [0.9, 0.2], ["c", "d"]),
        ),
        (
            lambda: ix.tasks.multi_instance([1, 1, 0], [0.9, 0.2, 0.6], ["a", "a", "b"], instances=[1, 0, 0]),
            lambda: ix.tasks.multi_instance([1, 1], [0.9, 0.2], ["c", "d"], instances=[1, 1]),
        ),
    ],
    "OneVsAll": [
        (lambda: ix.tasks.one_vs_all(Y, P, classes=["a", "b", "c"]), lambda: ix.tasks.one_vs_all(Z, P, classes=["a", "b", "c"])),
    ],
    "OneVsOne": [
        (lambda: ix.tasks.one_vs_one(Y[:3], {("a", "b"): W[:3]}), lambda: ix.tasks.one_vs_one(W[:3], {("a", "b"): Y[:3]})),
        (
            lambda: ix.tasks.one_vs_one(Y[:3], {("a", "b"): W[:3]}, final=W[:3]),
            lambda: ix.tasks.one_vs_one(W[:3], {("a", "b"): Y[:3]}, final=Y[:3]),
        ),
    ],
    "PositiveUnlabeled": [
        (lambda: ix.tasks.positive_unlabeled([1, 1, 0], [1, 0, 1]), lambda: ix.tasks.positive_unlabeled([1, 0, 0], [1, 0, 1]))
    ],
    "PredictionSets": [
        (
            lambda: ix.prediction_sets(Y, [{a, b} for a, b in zip(Z, W, strict=True)]),
            lambda: ix.prediction_sets(Z, [*map(set, W)]),
        ),
        (
            lambda: ix.prediction_sets(Y, [*map(set, Z)], level=0.8, calibrated_on=50, by={"site": SITES}),
            lambda: ix.prediction_sets(W, [*map(set, Z)], level=0.8, calibrated_on=50, by={"site": SITES}),
        ),
    ],
    "Gate": [
        (lambda: ix.Gate("macro f1=0.5"), lambda: ix.Gate("macro f1=0.5", seen=ix.evaluate(Y, Z))),
        (
            lambda: ix.Gate(["macro f1=0.5", "accuracy=0.1"], 0.9, "site", 0.5, ix.evaluate(Y, Z, by={"site": SITES})),
            lambda: ix.Gate(["macro f1=0.5", "accuracy=0.1"], 0.9, "site", 0.5, ix.evaluate(Z, W, by={"site": SITES})),
        ),
    ],
    "Sequences": [
        (lambda: ix.tasks.sequences(TAGS, TAGS[::-1][::-1]), lambda: ix.tasks.sequences(TAGS, [["O", "O", "O"], ["O", "B-LOC"]])),
        (
            lambda: ix.tasks.sequences(TAGS, [["O", "O", "O"], ["O", "B-LOC"]], sample_weight=[0.5, 0.1]),
            lambda: ix.tasks.sequences(TAGS, TAGS),
        ),
    ],
}
NOT_SAVED = {
    "Counts": "four numbers, which ix.from_counts makes an evaluation of",
    "Runs": "read from logs, which are files already; to_dict() gives tables that ix.read_evals reads",
}
CASES = [(name, *pair) for name, pairs in RESULTS.items() for pair in pairs]
NAMED = [f"{name} {k}" for name, pairs in RESULTS.items() for k in range(len(pairs))]


def test_everything_public_that_is_saved_or_adds_is_in_the_table_of_formats() -> None:
    kinds = {name: kind for name in HOMES if inspect.isclass(kind := load_public(name))}
    saved = {name for name, kind in kinds.items() if "save" in vars(kind)}
    adds = {name for name, kind in kinds.items() if "__add__" in vars(kind)}
    assert saved == {*NAMES} == {*RESULTS}
    assert adds - saved == {*NOT_SAVED}
    assert not any("load" in vars(kind) for kind in kinds.values())  # ix.load is the one way
    assert {*FORMATS} - {*NAMES.values()} == {
        "indicatrix binned scores",  # bins were a class of their own
        "indicatrix positive-unlabelled",  # its spelling
    }


@pytest.mark.parametrize("name", FORMATS)
def test_a_line_of_the_table_names_a_writer_and_a_reader(name: str) -> None:
    form = FORMATS[name]
    assert name.startswith("indicatrix ")
    assert (*range(1, form.versions[-1] + 1),) == form.versions  # whatever was written once is read
    if form.codec is not None:
        codec = import_module(f"indicatrix.{form.codec}")
        assert [*inspect.signature(codec.to_data).parameters] != []
        assert [*inspect.signature(codec.from_data).parameters] == ["version", "data"]


@pytest.mark.parametrize(("name", "make", "more"), CASES, ids=NAMED)
def test_what_was_saved_is_loaded_as_what_it_was_and_adds_like_it(name: str, make: Any, more: Any, tmp_path: Path) -> None:
    result, path = make(), tmp_path / "saved.json"
    result.save(path)
    loaded = ix.load(path)
    assert type(loaded) is type(result) is load_public(name)
    assert loaded == result
    assert load_as(name, path) == result
    assert json.loads(path.read_text("utf-8"))["format"] == NAMES[name]
    loaded.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
    if more is not None:
        other = more()
        assert loaded + other == result + other
        assert other + loaded == other + result
        assert loaded + other != result
        assert sum([loaded]) == result
        (loaded + other).save(path)
        assert ix.load(path) == result + other


def loaded_or_refused(path: Path) -> Any:
    """Return what a file holds; None if it is refused by an error of ours that names it."""
    try:
        return ix.load(path)
    except ValueError as wrong:
        error = wrong
    assert str(error).startswith(str(path))
    return None


@pytest.mark.parametrize(("name", "make", "more"), CASES, ids=NAMED)
def test_a_damaged_file_is_refused_in_our_words_or_is_what_was_saved(name: str, make: Any, more: Any, tmp_path: Path) -> None:
    result, path, rng = make(), tmp_path / "saved.json", random.Random(name)
    result.save(path)
    whole, refused = path.read_bytes(), 0
    for _ in range(20):
        path.write_bytes(damage(whole, rng))
        back = loaded_or_refused(path)
        refused += back is None
        assert back is None or back == result
    assert refused > 10


def behaves(back: Any, path: Path) -> None:
    """A loaded result is one: it is shown, and is equal to what it is saved as."""
    assert isinstance(repr(back), str)
    assert isinstance(str(back), str)
    back.save(path)
    assert ix.load(path) == back


@pytest.mark.parametrize(("name", "make", "more"), CASES, ids=NAMED)
def test_other_content_with_a_correct_checksum_is_refused_or_behaves(name: str, make: Any, more: Any, tmp_path: Path) -> None:
    result, path, rng = make(), tmp_path / "saved.json", random.Random(name)
    refused = 0
    for _ in range(40):
        content = json.loads(json.dumps(with_format(result)))
        mutate(content, rng)
        checksum = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        path.write_text(json.dumps({**content, "checksum": checksum}), "utf-8")
        back = loaded_or_refused(path)
        refused += back is None
        if back is not None:
            behaves(back, path)
    assert refused > 10


@pytest.mark.parametrize("name", RESULTS)
def test_a_newer_version_is_refused_and_says_what_to_do(name: str, tmp_path: Path) -> None:
    content, path = with_format(RESULTS[name][0][0]()), tmp_path / "saved.json"
    write_file(path, {**content, "version": content["version"] + 1})
    with pytest.raises(ValueError, match=r"reads versions \(1.*\)\. A newer release wrote it: update indicatrix\."):
        ix.load(path)
    write_file(path, {**content, "version": 0})
    with pytest.raises(ValueError, match=r"has version 0 of the format; this release reads versions \(1.*\)\.$"):
        ix.load(path)


def test_a_file_of_another_class_is_refused_with_what_reads_it(tmp_path: Path) -> None:
    RESULTS["PairedCounts"][0][0]().save(tmp_path / "joint.json")
    with pytest.raises(ValueError, match=r"is not a saved evaluation: it is a file of 'indicatrix joint counts', which ix\.load"):
        load_as("Evaluation", tmp_path / "joint.json")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Expecting value"),
        ("[]", r"Give a file that the save\(\) of a result wrote"),
        ('{"format": "other"}', r"Give a file that the save\(\) of a result wrote"),
        ('{"format": ["indicatrix evaluation"]}', r"Give a file that the save\(\) of a result wrote"),
        (f'{{"format": "{CHECKPOINT}", "version": 2}}', r"from which ix\.evaluate_file\(…, checkpoint=path\) goes on"),
        ('{"format": "indicatrix dreams", "version": 1}', "which this release does not know; a newer one may have written it"),
        ("\x00", "Expecting value"),
    ],
)
def test_a_file_that_nobody_saved_is_refused(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=rf"odd\.json is not a saved result.*{words}"):
        ix.load(tmp_path / "odd.json")
    with pytest.raises(FileNotFoundError, match="There is no file"):
        ix.load(tmp_path / "nothing.json")


def test_a_loaded_sweep_keeps_precision_and_curves_but_no_examples(tmp_path: Path) -> None:
    for half in (False, True):
        scored = swept(half=half)
        scored.save(tmp_path / "sweep.json")
        loaded = ix.load(tmp_path / "sweep.json")
        assert loaded.of("a").precision == scored.of("a").precision == (2 if half else 8)
        assert loaded.rows is None
        for average in ("micro", "macro", "weighted"):
            assert ix.auc(loaded, average=average) == ix.auc(scored, average=average)
        assert loaded.of("a").count_reaching(0.7) == scored.of("a").count_reaching(0.7) == 1
        with pytest.raises(ValueError, match="A compact sweep keeps no examples"):
            loaded.example(0)


def test_parts_of_a_result_that_are_not_evaluations_are_refused(tmp_path: Path) -> None:
    content, path = with_format(RESULTS["OneVsOne"][0][0]()), tmp_path / "saved.json"
    for change, words in (
        ({"pairs": None}, "'pairs' of the file is None, not a saved evaluation of version 1, 2, 3 or 4"),
        (
            {"pairs": {**content["pairs"], "format": "indicatrix joint counts"}},
            "'pairs' of the file is .*, not a saved evaluation",
        ),
        ({"final": 3}, "'final' of the file is 3, not a saved evaluation"),
    ):
        write_file(path, {**content, **change})
        with pytest.raises(ValueError, match=words):
            ix.load(path)


def test_bins_as_plain_data_say_what_they_are() -> None:
    content = ix.scores.binned([0, 1], [0.2, 0.7]).to_dict()
    (column,) = content["columns"]
    with pytest.raises(ValueError, match="'bytes'"):
        ix.types.Sweep.from_dict({**content, "columns": [{k: v for k, v in column.items() if k != "bits"}]})
    with pytest.raises(ValueError, match=r"The state is .*, not a saved sweep of version 1 or 2"):
        ix.types.Sweep.from_dict({**content, "format": "indicatrix joint counts"})
