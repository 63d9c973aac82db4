"""Labels of CSV files mean what they mean in memory: 1 and 1.0 are one label, True and False are bools."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import indicatrix as ix
from indicatrix.engines.files import csv_files

NUMBERS = ["0", "1.0", "1", "0.0", "-2.0", "-0.0"]


def written(path: Path, true: list[str], pred: list[str]) -> Path:
    path.write_text("y,p\n" + "".join(f"{t},{p}\n" for t, p in zip(true, pred, strict=True)), encoding="utf-8")
    return path


@pytest.mark.parametrize("options", [{}, {"classes": ["1.0", "-2", "0"]}, {"classes": [1, -2, 0]}, {"replicates": 3}])
def test_spellings_of_a_number_are_one_class_in_any_partition(tmp_path: Path, options: dict[str, Any]) -> None:
    draw = random.Random(0)
    true, pred = ([draw.choice(NUMBERS) for _ in range(40)] for _ in range(2))
    given = {**options, "classes": [1, -2, 0]} if "classes" in options else options
    expected = ix.evaluate([int(float(x)) for x in true], [int(float(x)) for x in pred], **given)
    whole = written(tmp_path / "rows.csv", true, pred)
    parts = [written(tmp_path / f"{i}.csv", true[i : i + 9], pred[i : i + 9]) for i in range(0, 40, 9)]
    for paths, block in ((whole, 100), (whole, 7), (parts, 4)):
        with patch.object(csv_files, "BLOCK", block):
            assert ix.evaluate_file(paths, true="y", pred="p", **options) == expected
    several = ix.evaluate_file(whole, true="y", pred=["p", "y"], **options)
    assert several.evaluations[0] == expected


def test_all_whole_decimals_are_binary_and_words_are_bools(tmp_path: Path) -> None:
    for texts, values in ((["0.0", "1.0"], (0, 1)), (["False", "True"], (False, True)), (["false", "true"], (False, True))):
        path = written(tmp_path / "rows.csv", texts, texts[::-1])
        ev = ix.evaluate_file(path, true="y", pred="p")
        assert (ev.classes, [type(c) for c in ev.classes], ev.score("f1")) == (values, [type(c) for c in values], 0)
        assert ix.evaluate_file(path, true="y", pred="p", positive=texts[0]).named_positive == values[0]
        assert ix.evaluate_file(path, true="y", pred=["p", "y"]).evaluations[0].classes == values


def test_labels_with_a_text_among_them_stay_texts_of_one_spelling(tmp_path: Path) -> None:
    path = written(tmp_path / "rows.csv", ["1.0", "2", "a", "01", "True"], ["1.0", "a", "a", "2", "1.0"])
    for block in (1, 100):
        with patch.object(csv_files, "BLOCK", block):
            ev = ix.evaluate_file(path, true="y", pred="p")
            assert ev == ix.evaluate(["1.0", "2", "a", "01", "True"], ["1.0", "a", "a", "2", "1.0"])
    for true, pred in ((["1.0", "a"], ["1", "a"]), (["True", "False"], ["true", "False"]), (["True"], ["1"])):
        path = written(tmp_path / "rows.csv", true, pred)
        for asked in ("p", ["p", "y"]):
            with pytest.raises(ValueError, match=r"rows\.csv, a label: '.*' and '.*' look like the same label"):
                ix.evaluate_file(path, true="y", pred=asked)
    path = written(tmp_path / "rows.csv", ["1.0", "a"], ["1.0", "a"])
    assert ix.evaluate_file(path, true="y", pred="p", classes=["a", "1.0"]).classes == ("a", "1.0")


def test_spellings_are_merged_in_label_sets_and_refused_in_targets(tmp_path: Path) -> None:
    path = written(tmp_path / "rows.csv", ["1;2.0", "1.0"], ["1.0;1", "2"])
    assert ix.evaluate_file(path, true="y", pred="p", separator=";") == ix.evaluate([{1, 2}, {1}], [{1}, {2}])
    with pytest.raises(ValueError, match=r"a label of 'u': '1' and '1\.0'"):
        ix.evaluate_file(written(path, ["1.0"], ["1"]), true=["y"], pred=["p"], targets=["u"])


@pytest.mark.parametrize("last", ["0", "a"])
def test_a_checkpoint_keeps_the_spellings(tmp_path: Path, last: str) -> None:
    paths = [written(tmp_path / f"{i}.csv", rows, rows) for i, rows in enumerate((["2.0"], [last, "3.0"]))]
    kept = tmp_path / "run.checkpoint"

    def stop(now: ix.types.Progress) -> None:
        if now.rows > 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ix.evaluate_file(paths, true="y", pred="p", checkpoint=kept, progress=stop)
    assert kept.exists()
    found = ix.evaluate_file(paths, true="y", pred="p", checkpoint=kept)
    assert found.classes == ((0, 2, 3) if last == "0" else ("2.0", "3.0", "a"))


def test_scores_that_are_named_as_labels_are_refused_as_in_memory(tmp_path: Path) -> None:
    """In memory 0.9 is not a label; in a text file it is one where both columns have it, or where classes= says so."""
    for true, pred, column in (
        (["1", "0"], ["0.9", "0.2"], "p"),
        (["0.9", "1"], ["a", "b"], "y"),
        (["a", "b"], ["1", "0.25"], "p"),
    ):
        path = written(tmp_path / "rows.csv", true, pred)
        for asked in ("p", {"one": "p", "other": "y"}):
            with pytest.raises(ValueError, match=rf"column '{column}' holds numbers such as 0\.\d+, and column .* score="):
                ix.evaluate_file(path, true="y", pred=asked)
        assert ix.evaluate_file(path, true="y", pred="p", classes=sorted({*true, *pred})).n == 2
    for true, pred in ((["3.5", "4"], ["3.5", "2.5"]), (["1", "0"], ["a", "0.5"]), (["1", "0"], ["2", "3"])):
        assert ix.evaluate_file(written(tmp_path / "rows.csv", true, pred), true="y", pred="p").n == 2
