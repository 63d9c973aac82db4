"""Evaluations that were saved in every version of the format are loaded; measures invented since are computed from them.

The files in ``saved_by_earlier_versions`` were written by the code of their time.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.tally import json_values
from indicatrix.tally.saved_tally import READABLE, VERSION

FOLDER = Path(__file__).with_name("saved_by_earlier_versions")
Y = ["ant", "bee", "cat", "bee", "ant", "cat", "cat", "bee"]
Z = ["ant", "cat", "cat", "bee", "bee", "cat", "ant", "bee"]
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
@pytest.mark.parametrize("version", range(1, VERSION))
def test_a_file_of_an_earlier_version_is_what_was_saved(version: int, name: str, tmp_path: Path) -> None:
    assert (*range(1, VERSION + 1),) == READABLE
    path = FOLDER / f"version_{version}_{name}.json"
    assert json.loads(path.read_text())["version"] == version
    loaded, expected = ix.load(path), SAVED[name]
    assert loaded == expected
    assert (loaded.kind, loaded.made) == (expected.kind, expected.made)
    invented = ix.measure("tp / (tp + 2 * fp + 3 * fn)")  # no release has it
    for average in averages_over("class", "example"):
        assert loaded.score(invented, average) == expected.score(invented, average)
    loaded.save(tmp_path / "again.json")
    assert ix.load(tmp_path / "again.json") == expected
    assert loaded + expected == expected + expected


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
    packed = path.read_text()
    assert ix.load(path) == ev
    monkeypatch.setattr(json_values, "LARGE", 10**9)
    ev.save(path)
    plain = path.read_text()
    assert ix.load(path) == ev
    assert '"packed": "' in packed
    assert '"packed": "' not in plain
    assert 2 * len(packed) < len(plain)
    SAVED["labels"].save(path)
    assert json.loads(path.read_text())["tally"]["parts"][0]["table"]["values"][:3] == [1, 1, 0]


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
