"""Several columns of predictions in one file: ``--pred lr --pred tree`` compares them side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import here, printed
from loops import for_each

import indicatrix as ix
from indicatrix.engines.files import rows_of_file

ROWS = [
    ("cat", "cat", "dog", "x", 1),
    ("dog", "dog", "dog", "x", 2),
    ("dog", "cat", "dog", "y", 1),
    ("ant", "ant", "", "y", 3),
    ("cat", "dog", "cat", "y", 0.5),
]
TRUE, LR, TREE, SITE, WEIGHT = ([row[i] for row in ROWS] for i in range(5))
COLUMNS = ("--true", "y", "--pred", "lr", "--pred", "tree")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = "".join(f"{','.join(map(str, row))}\n" for row in ROWS)
    (tmp_path / "rows.csv").write_text(f"y,lr,tree,site,w\n{lines}", "utf-8")
    full = lines.replace("ant,ant,,", "ant,ant,elk,")
    (tmp_path / "full.csv").write_text(f"y,lr,tree,site,w\n{full}", "utf-8")
    for name, column in (("lr", 1), ("tree", 2)):
        rows = (line.split(",") for line in full.splitlines())
        (tmp_path / name).write_text("y,pred,site,w\n" + "".join(f"{r[0]},{r[column]},{r[3]},{r[4]}\n" for r in rows), "utf-8")
    (tmp_path / "bits.csv").write_text("y_a,y_b,y_lr_a,y_lr_b,y_tree_a,y_tree_b\n1,0,1,1,0,0\n0,1,0,1,0,1\n", "utf-8")
    return tmp_path


OPTIONS = [
    (),
    ("-m", "f1", "-m", "error_rate"),
    ("-a", "macro"),
    ("--by", "site", "-m", "recall", "-a", "macro", "-a", "site"),
    ("--weight", "w"),
    ("--classes", "dog,cat,ant,elk", "--undefined", "0"),
    ("--positive", "elk", "-a", "binary", "-m", "recall"),
]


@for_each("options", OPTIONS)
@for_each("form", [(), ("--markdown",), ("--json",)])
def test_columns_are_compared_as_files_are(folder: Path, options: tuple[str, ...], form: tuple[str, ...]) -> None:
    columns = printed("evaluate", "full.csv", *COLUMNS, *options, *form, cwd=folder)
    if "--positive" in options:  # the files would not have the class that only one column has
        assert "binary recall" in columns or '"binary"' in columns
        return
    files = printed("evaluate", "lr", "tree", "--true", "y", "--pred", "pred", *options, *form, cwd=folder)
    if form == ("--json",):
        found, expected = json.loads(columns), json.loads(files)
        assert [(e.pop("file"), e.pop("pred")) for e in found["evaluations"]] == [("full.csv", "lr"), ("full.csv", "tree")]
        assert [e.pop("file") for e in expected["evaluations"]] == ["lr", "tree"]
        assert found == expected
    else:
        assert columns == files


def test_the_numbers_are_the_librarys_and_each_column_has_its_own_missing_rows(folder: Path) -> None:
    shown = printed("evaluate", "rows.csv", *COLUMNS, "--missing", "mask", "-m", "f1", "-a", "micro", "--json", cwd=folder)
    lr, tree = json.loads(shown)["evaluations"]
    assert (lr["not_observed"], tree["not_observed"]) == (0, 1)
    assert lr["scores"][0]["value"] == ix.f1(TRUE, LR, average="micro")
    assert tree["scores"][0]["value"] == ix.f1(TRUE, [x or None for x in TREE], average="micro", missing="mask")
    text = printed("evaluate", "rows.csv", *COLUMNS, "--missing", "mask", "-m", "f1", "-a", "micro", cwd=folder)
    assert "The columns have different numbers of true labels per class" in text
    assert text.endswith("Nothing was observed of 1 of 5 examples of tree.\n")


def test_checks_are_made_for_every_column(folder: Path) -> None:
    done = here("evaluate", "full.csv", *COLUMNS, "--fail-under", "micro f1=0.9", cwd=folder)
    assert done.returncode == 1
    told = ["Check failed: micro f1 of lr is 0.6, under 0.9.", "Check failed: micro f1 of tree is 0.6, under 0.9."]
    assert done.stderr.splitlines() == told


def test_prefixes_of_several_labels_are_compared(folder: Path) -> None:
    options = ("--multilabel", "y_", "--pred", "y_lr_", "--pred", "y_tree_", "-m", "f1", "-a", "micro")
    assert printed("evaluate", "bits.csv", *options, cwd=folder).splitlines()[1].split() == ["micro", "f1", "0.800", "0.667"]


def test_labels_are_integers_only_if_those_of_all_columns_are(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("y,lr,tree\n0,1,0\n1,1,unsure\n", "utf-8")
    lr, tree = json.loads(printed("evaluate", "rows.csv", *COLUMNS, "--json", cwd=tmp_path))["evaluations"]
    assert lr["classes"] == tree["classes"] == ["0", "1", "unsure"]
    (tmp_path / "rows.csv").write_text("y,lr,tree\n0,1,0\n1,1,2\n", "utf-8")
    lr, tree = json.loads(printed("evaluate", "rows.csv", *COLUMNS, "--json", cwd=tmp_path))["evaluations"]
    assert lr["classes"] == tree["classes"] == [0, 1, 2]


def test_the_file_is_opened_once_and_again_only_to_find_the_classes_of_several_columns(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []
    real = rows_of_file._open_csv
    monkeypatch.setattr(rows_of_file, "_open_csv", lambda *a: opened.append(a) or real(*a))
    printed("evaluate", "full.csv", "--true", "y", "--pred", "lr", cwd=folder)
    assert len(opened) == 1
    opened.clear()
    text = (folder / "full.csv").read_text("utf-8")
    expected = printed("evaluate", "full.csv", *COLUMNS, cwd=folder)
    assert len(opened) == 2
    assert printed("evaluate", "-", *COLUMNS, stdin=text) == expected


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("full.csv", *COLUMNS, "--save", "ev.json"), "--save writes one evaluation, but there are several --pred."),
        (("full.csv", "rows.csv", *COLUMNS), "Several files and several --pred are two comparisons. Give one file, or one"),
        (("full.csv", *COLUMNS, "--pred", "lr"), "--pred names 'lr' twice. Name each column once."),
        (("full.csv", *COLUMNS, "--by", "site"), "--by with several columns compares every group. Choose scores with"),
        (("full.csv", *COLUMNS, "--score", "w", "--decide", "0.5"), "Give only one of them"),
        (("full.csv", *COLUMNS, "--pred", "tre"), "--pred: full.csv has no column 'tre'. Did you mean 'tree'?"),
        (("rows.csv", *COLUMNS), "rows.csv, data row 4, column 'tree' is empty."),
        (("ev.json", "--pred", "lr"), "--pred is about rows"),
    ],
)
def test_what_cannot_be_combined_is_refused(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    done: Any = here("evaluate", *arguments, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert not (folder / "ev.json").exists()
