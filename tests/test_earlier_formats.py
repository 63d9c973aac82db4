"""Results that were saved in every version of every format are loaded; measures invented since are computed from them.

The files in ``saved_by_earlier_versions`` were written by the code of their time: after a new version of a format, or a new way
of evaluating, ``python tests/test_earlier_formats.py`` writes those that are missing, and no other.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.storage import json_values
from indicatrix.storage.formats import FORMATS, NAMES
from indicatrix.tally.saved.saved_tally import METHODS

FOLDER = Path(__file__).with_name("saved_by_earlier_versions")
VERSION = FORMATS[NAMES["Evaluation"]].versions[-1]
Y = ["ant", "bee", "cat", "bee", "ant", "cat", "cat", "bee"]
Z = ["ant", "cat", "cat", "bee", "bee", "cat", "ant", "bee"]
W = ["ant", "bee", "cat", "ant", "ant", "cat", "ant", "bee"]
SITES = ["x", "y", "x", "y", "x", "y", "x", "x"]
WEIGHTS = [1, 0.5, 0.25, 1, 2, 1, 1, 0.1]
TRUE, PRED = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 0]]), np.array([[1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 1]])
SAVED = {
    "labels": ix.evaluate(Y, Z),
    "groups": ix.evaluate(Y, Z, by={"site": SITES}, sample_weight=WEIGHTS),
    "matrix": ix.evaluate(TRUE, PRED, classes=["red", "big", "old"]),
    "ordinal": ix.evaluate(Y, Z, classes=["ant", "bee", "cat"], ordinal="cumulative"),
}


@pytest.mark.parametrize("name", SAVED)
@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_a_file_of_an_earlier_version_is_what_was_saved(version: int, name: str, tmp_path: Path) -> None:
    path = FOLDER / f"version_{version}_{name}.json"
    assert json.loads(path.read_text("utf-8"))["version"] == version
    loaded, expected = ix.load(path), SAVED[name]
    assert loaded == expected
    assert (loaded.kind, loaded.recipe) == (expected.kind, expected.recipe)
    invented = ix.measure("tp / (tp + 2 * fp + 3 * fn)")  # no release has it
    for average in averages_over("class", "example"):
        assert loaded.score(invented, average) == expected.score(invented, average)
    loaded.save(tmp_path / "again.json")
    assert ix.load(tmp_path / "again.json") == expected
    assert loaded + expected == expected + expected


BOXES: dict[str, Any] = {"boxes": [[0, 0, 10, 10], [5, 5, 9, 9]], "labels": ["cat", "dog"]}
MAPS = [np.array([row]) for row in ([0, 1, 1, 2], [0, 1, 2, 2])], [np.array([row]) for row in ([0, 1, 2, 2], [0, 1, 2, 0])]
OTHERS: dict[str, Callable[[], Any]] = {
    "joint_counts": lambda: ix.inference.paired_counts(Y, {"lr": Z, "rf": W}, by={"site": SITES}),
    "joint_counts_of_sets": lambda: ix.inference.paired_counts(
        TRUE, {"lr": PRED, "rf": PRED[::-1]}, classes=["red", "big", "old"]
    ),
    "comparison": lambda: ix.compare(Y, {"lr": Z, "rf": W}, ["f1", "mcc"], ["micro", "macro"]),
    "binned_scores": lambda: ix.scores.binned(Y, np.linspace(0, 1, 24).reshape(8, 3)[::-1], classes=["ant", "bee", "cat"]),
    "sweep": lambda: ix.sweep(Y, np.linspace(0, 1, 24).reshape(8, 3)[::-1], classes=["ant", "bee", "cat"], by={"site": SITES}),
    "detection": lambda: ix.detection([BOXES], [{**BOXES, "scores": [0.5, 0.25]}], images=["a"]),
    "panoptic": lambda: ix.panoptic(*([(one, one) for one in side] for side in MAPS), things=[1], images=["a", "b"]),
    "surface_distances": lambda: ix.vision.surface_distances(*MAPS, images=["a", "b"]),
    "multi-instance": lambda: ix.tasks.multi_instance([1, 1, 0], [0.9, 0.2, 0.6], ["a", "a", "b"], instances=[1, 0, 0]),
    "one-vs-all": lambda: ix.tasks.one_vs_all(Y[:2], [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3]], classes=["ant", "bee", "cat"]),
    "one-vs-one": lambda: ix.tasks.one_vs_one(["a", "b"], {("a", "b"): ["a", "a"]}, final=["b", "b"]),
    "positive-unlabeled": lambda: ix.tasks.positive_unlabeled([1, 1, 0, 0], [1, 0, 1, 0]),
    "prediction-sets": lambda: ix.prediction_sets(Y, [{a, b} for a, b in zip(Z, W, strict=True)], calibrated_on=50),
    "gate": lambda: ix.Gate(["macro f1=0.5", "accuracy=0.9"], 0.9, "site", 0, ix.evaluate(Y, Z, by={"site": SITES})),
    "sequences": lambda: ix.tasks.sequences([["B-PER", "O"], ["O"]], [["B-PER", "O"], ["B-PER"]], sample_weight=[0.5, 0.1]),
}
JUDGED, MODEL, GOLD = [0, 1, 1, 0, 1, 1, 0, 0], [0, 1, 0, 0, 1, 1, 1, 0], [0, 1, None, None, 1, 0, None, 0]
SCORES = np.arange(1, 25).reshape(8, 3)[::-1] / 32
ANIMALS = {"ant": "insect", "bee": "insect", "cat": "mammal"}
OTHERS |= {  # evaluations of every kind: what is kept, and how it was made
    "evaluation-gold": lambda: ix.evaluate(JUDGED, MODEL, gold=GOLD, by={"site": SITES}),
    "evaluation-noise": lambda: ix.evaluate(JUDGED, MODEL, noise=[[0.875, 0.125], [0.25, 0.75]]),
    "evaluation-error-rates": lambda: ix.evaluate(JUDGED, MODEL, gold=[*GOLD[:3], 1, *GOLD[4:]], unverified="rogan-gladen"),
    "evaluation-probabilities": lambda: ix.expected(SCORES[:, 0], decide=0.5),
    "evaluation-reference": lambda: ix.expected(SCORES[:4], decide=0.5, reference=(TRUE, SCORES[4:])),
    "evaluation-raters": lambda: ix.agreement({"a": Y, "b": Z, "c": W}).latent_truth().evaluation("c"),
    "evaluation-soft": lambda: ix.evaluate(SCORES[:4], SCORES[4:], tnorm="product"),
    "evaluation-sets": lambda: ix.evaluate([{"a"}, {"a", "b"}, set()], [{"a"}, {"b"}, {"b"}], by={"site": [1, 1, 2]}),
    "evaluation-mask": lambda: ix.evaluate(TRUE, PRED, mask=[[True, True, False]] * 4),
    "evaluation-rejected": lambda: ix.evaluate(Y, SCORES, decide=ix.reject_below(0.5), classes=["ant", "bee", "cat"]),
    "evaluation-known": lambda: ix.evaluate(["ant", "cat"], ["ant", "bee"], known=["ant", "bee"]),
    "evaluation-unobserved": lambda: ix.evaluate([0, 1, 1], [0, 1, 0], unobserved=("tn",)),
    "evaluation-targets": lambda: ix.evaluate({"s": [0, 1], "c": ["r", "g"]}, {"s": [0, 0], "c": ["r", "r"]}, targets=True),
    "evaluation-signed": lambda: ix.evaluate([0, 1], [0, 0], sample_weight=[-1, 3], signed_weights=True),
    "evaluation-cost": lambda: ix.evaluate(Y, Z, cost=[[0, 1, 2], [1, 0, 1], [4, 1, 0]]),
    "evaluation-hierarchy": lambda: ix.evaluate(["ant", "cat"], ["bee", "cat"], hierarchy=ANIMALS),
    "evaluation-replicates": lambda: ix.evaluate(Y, Z, replicates=3),
    "evaluation-counts": lambda: ix.from_counts([1, 2], [3, 4], [5, 6], [7, 8]),
    "evaluation-propensity": lambda: ix.tasks.positive_unlabeled([1, 1, 0, 0], [1, 0, 1, 0]).at(propensity=Fraction(2, 3)),
}
OTHERS["positive-unlabelled"] = OTHERS["positive-unlabeled"]  # as its format was spelled once
FILES = sorted(path for path in FOLDER.iterdir() if not path.name.startswith("version_"))


def test_there_is_a_file_of_every_version_of_every_format() -> None:
    """Changing a format means a new version, a file of it here, and the reader of the old one stays."""
    held = {(data["format"], data["version"]) for data in (json.loads(path.read_text("utf-8")) for path in FOLDER.iterdir())}
    assert held == {(name, version) for name, form in FORMATS.items() for version in form.versions}
    assert {path.stem.rpartition("_")[0] for path in FILES} == {*OTHERS}


def test_there_is_a_file_of_every_way_to_correct_labels() -> None:
    tallies = [json.loads(path.read_text("utf-8")).get("tally", {}) for path in FILES]
    assert {tally["corrected"]["method"] for tally in tallies if "corrected" in tally} == {*METHODS}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_another_result_is_what_was_saved(path: Path, tmp_path: Path) -> None:
    name, _, version = path.stem.rpartition("_")
    expected, loaded = OTHERS[name](), ix.load(path)
    assert json.loads(path.read_text(encoding="utf-8"))["version"] == int(version)
    if version == "1" and name in ("panoptic", "surface_distances"):  # which did not keep the truths
        expected = dataclasses.replace(expected, truths=("",) * 2)
    if name == "comparison":  # intervals and notes are those of the version that saved it; intervals of differences are rounded
        rows = zip(expected.rows, loaded.rows, strict=True)
        expected = dataclasses.replace(expected, rows=tuple(dataclasses.replace(a, intervals=b.intervals) for a, b in rows))
        pairs = [*zip(expected.differences, loaded.differences, strict=True)]
        assert all((b.low, b.high) == pytest.approx((a.low, a.high), rel=1e-14) for a, b in pairs)
        differences = tuple(dataclasses.replace(a, low=b.low, high=b.high, note=b.note) for a, b in pairs)
        expected = dataclasses.replace(expected, differences=differences)
    if name == "evaluation-raters":  # whose abilities were estimated by the version that saved it
        assert loaded.score("f1", "macro") == pytest.approx(expected.score("f1", "macro"), rel=1e-9)
        expected = loaded
    assert loaded == expected
    loaded.save(tmp_path / "again.json")
    assert ix.load(tmp_path / "again.json") == expected


def large() -> dict[str, ix.Evaluation]:
    rng = np.random.default_rng(0)
    y, z = rng.integers(0, 40, 3000), rng.integers(0, 40, 3000)
    true, pred = rng.random((2, 300, 15)) < 0.3
    return {
        "labels": ix.evaluate(y, z),
        "groups": ix.evaluate(y, z, by={"site": rng.integers(0, 20, 3000)}),
        "weights": ix.evaluate(y, z, sample_weight=rng.random(3000)),
        "moments": ix.evaluate(true, pred),
        "soft": ix.evaluate(rng.random((300, 3)), rng.random((300, 3)), tnorm="product"),
    }


@pytest.mark.parametrize("name", large())
def test_large_arrays_are_packed_and_small_ones_can_be_read(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ev, path = large()[name], tmp_path / "ev.json"
    ev.save(path)
    packed = path.read_text("utf-8")
    assert ix.load(path) == ev
    monkeypatch.setattr(json_values, "LARGE", 10**9)
    ev.save(path)
    plain = path.read_text("utf-8")
    assert ix.load(path) == ev
    assert '"packed": "' in packed
    assert '"packed": "' not in plain
    assert 2 * len(packed) < len(plain)
    SAVED["labels"].save(path)
    assert json.loads(path.read_text("utf-8"))["tally"]["parts"][0]["table"]["values"][:3] == [1, 1, 0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"packed": "?"}, "the packed values of a table of pairs cannot be unpacked"),
        ({"packed": "eJwDAAAAAAE="}, "a table of pairs has 0 packed bytes, and 1681 numbers have 13448"),
        ({"packed": 3}, "the packed values of a table of pairs"),
        ({"kind": "exact"}, "the packed values of a table of pairs cannot be unpacked"),
        ({"kind": "text"}, "kind"),
    ],
)
def test_packed_values_that_are_damaged_are_refused(change: dict[str, Any], words: str) -> None:
    array = json_values.array_out(np.zeros((41, 41), np.int64))
    with pytest.raises(ValueError, match=words):
        json_values.array_in({**array, **change}, "a table of pairs", (41, 41))
    assert json_values.array_in(array, "a table of pairs", (41, 41)).shape == (41, 41)


def write_missing() -> None:
    """Write a file of each result of today's version that has none."""
    for name, make in OTHERS.items():
        result = make()
        version = FORMATS[NAMES[type(result).__name__]].versions[-1]
        path = FOLDER / f"{name}_{version}.json"
        if name != "binned_scores" and not path.exists():  # which are saved as sweeps now
            result.save(path)


if __name__ == "__main__":
    write_missing()
