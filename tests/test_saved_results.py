"""``ix.load`` opens whatever a ``save`` wrote, as what it was."""

from __future__ import annotations

import ast
import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.public_names import HOMES
from indicatrix.saved_results import SAVED

BOX: dict[str, Any] = {"boxes": [[0, 0, 10, 10]], "labels": ["cat"]}
MAP = [[0, 1, 0, 0]]
SEGMENTS = (np.array([[1, 1], [2, 0]]), np.array([[1, 1], [1, 0]]))  # classes and instances
RESULTS: dict[str, Any] = {
    "Evaluation": lambda: ix.evaluate(["a", "b ", "b"], ["a", "b", "b"]),
    "Joint": lambda: ix.joint([0, 1, 1], {"lr": [0, 1, 0], "rf": [0, 1, 1]}),
    "Comparison": lambda: ix.compare(
        [0, 1, 1] * 9, {"lr": [0, 1, 0] * 9, "rf": [0, 1, 1] * 9}, ["f1", "mcc"], ["micro", "macro"]
    ),
    "Binned": lambda: ix.binned(["x", "y", "y"], [[0.9, 0.1], [0.4, 0.6], [0.7, 0.3]], classes=["x", "y"]),
    "DetectionEvaluation": lambda: ix.detection([BOX], [{**BOX, "scores": [0.5]}]),
    "PanopticEvaluation": lambda: ix.panoptic([SEGMENTS], [SEGMENTS]),
    "SurfaceEvaluation": lambda: ix.surface_distances([[*MAP]], [[[0, 1, 1, 1]]]),
}


@pytest.mark.parametrize("name", RESULTS)
def test_what_was_saved_is_loaded_as_what_it_was(name: str, tmp_path: Path) -> None:
    result = RESULTS[name]()
    result.save(tmp_path / "saved.json")
    loaded = ix.load(tmp_path / "saved.json")
    assert type(loaded) is type(result) is getattr(ix, name)
    assert loaded == result
    assert loaded == type(result).load(tmp_path / "saved.json")


def test_every_class_that_saves_has_its_line_in_the_table() -> None:
    saves = {name for name in HOMES if inspect.isclass(kind := getattr(ix, name)) and "save" in vars(kind)}
    assert saves == {*RESULTS}
    assert saves == {place.rpartition(".")[2] for place in SAVED.values()}


def test_every_format_that_is_written_has_its_line_in_the_table() -> None:
    root, formats = Path(ix.__file__).parent, set()
    for file in root.rglob("*.py"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith("(FORMAT, "):
                formats.add(ast.literal_eval(node.value.elts[0]))  # type: ignore[attr-defined]
    assert formats == {*SAVED, "indicatrix checkpoint"}  # a checkpoint belongs to the run that it continues


def test_a_file_of_another_kind_is_refused_with_what_reads_it(tmp_path: Path) -> None:
    RESULTS["Joint"]().save(tmp_path / "joint.json")
    with pytest.raises(ValueError, match=r"it is a file of 'indicatrix joint counts', which ix\.load reads"):
        ix.Evaluation.load(tmp_path / "joint.json")


@pytest.mark.parametrize("text", ["", "[]", '{"format": "other"}', '{"format": "indicatrix checkpoint", "version": 2}', "\x00"])
def test_a_file_that_nobody_saved_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text(text)
    with pytest.raises(ValueError, match="is not a saved evaluation"):
        ix.load(tmp_path / "odd.json")
    with pytest.raises(FileNotFoundError, match="There is no file"):
        ix.load(tmp_path / "nothing.json")


def test_a_damaged_state_of_binned_scores_is_refused(tmp_path: Path) -> None:
    RESULTS["Binned"]().save(tmp_path / "bins.json")
    content = json.loads((tmp_path / "bins.json").read_text())
    (tmp_path / "bins.json").write_text(json.dumps({**content, "n": 5}))
    with pytest.raises(ValueError, match="is damaged or was edited"):
        ix.load(tmp_path / "bins.json")
    with pytest.raises(ValueError, match="'bits'"):
        ix.Binned.from_dict({k: v for k, v in content.items() if k != "bits"})
