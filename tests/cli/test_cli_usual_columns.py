"""Columns and files that were not named: found by usual names, said, and refused with the choices where two are possible."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import here, printed, refused

from indicatrix.cli.columns import PREDICTED, TRUTH

PAIRS = [
    ("y_true", "y_pred"),
    ("true", "pred"),
    ("label", "prediction"),
    ("target", "predicted"),
    ("actual", "predicted"),
    ("Ground Truth", "Predicted-Label"),
    ("y", "y_hat"),
]
ROWS = "ant,ant,0.9,x\nbee,ant,0.2,y\nbee,bee,0.4,x\n"


def write(folder: Path, true: str, pred: str, name: str = "a.csv") -> None:
    (folder / name).write_text(f"{true},{pred},score,site\n{ROWS}", "utf-8")


@pytest.mark.parametrize(("true", "pred"), PAIRS)
def test_usual_names_are_found_and_said(tmp_path: Path, true: str, pred: str) -> None:
    write(tmp_path, true, pred)
    named = printed("evaluate", "a.csv", "--true", true, "--pred", pred, "--json", cwd=tmp_path)
    done = here("evaluate", "a.csv", "--json", cwd=tmp_path)
    assert (done.returncode, json.loads(done.stdout)) == (0, json.loads(named))
    said = f"a.csv: the truth is column {true!r} and the prediction is column {pred!r}. Name others with --true and --pred.\n"
    assert done.stderr == said
    half = here("evaluate", "a.csv", "--pred", pred, cwd=tmp_path)
    assert half.stderr == f"a.csv: the truth is column {true!r}. Name another with --true.\n"


def test_no_name_is_on_both_lists() -> None:
    assert not {*TRUTH} & {*PREDICTED}


def test_each_file_has_columns_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, *PAIRS[0])
    write(tmp_path, *PAIRS[2], name="b.csv")
    done = here("evaluate", "a.csv", "b.csv", "-m", "f1", "-a", "macro", cwd=tmp_path)
    assert done.returncode == 0
    assert [line.split(":")[0] for line in done.stderr.splitlines()] == ["a.csv", "b.csv"]
    for more in ((), ("--paired",)):
        done = here("compare", "a.csv", "b.csv", "-m", "f1", "-a", "macro", *more, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "column 'label'" in done.stderr


def test_the_truth_of_scores_is_found_too(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("label,p,pred\n1,0.9,1\n0,0.2,0\n1,0.4,0\n", "utf-8")
    said = "a.csv: the truth is column 'label'. Name another with --true.\n"
    for command in (("evaluate", "--decide", "0.5"), ("threshold", "-m", "f1")):
        done = here(command[0], "a.csv", "--score", "p", *command[1:], cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, said)
    several = here("compare", "a.csv", "--pred", "pred", "--pred", "label", cwd=tmp_path)
    assert "What is the truth?" in several.stderr  # a prediction is not the truth


def test_two_possible_columns_are_refused_with_the_choices(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("label,true,pred,prediction\na,a,a,b\n", "utf-8")
    said = refused("evaluate", "a.csv", cwd=tmp_path)
    assert said.startswith("What is the truth?")
    assert said.endswith("a.csv has the columns 'label', 'true'. Choose one: --true label or --true true.")
    assert refused("evaluate", "a.csv", "--true", "true", cwd=tmp_path).endswith("--pred pred or --pred prediction.")
    # a column that has another role is not meant
    done = here("evaluate", "a.csv", "--true", "true", "--by", "pred", cwd=tmp_path)
    assert done.stderr == "a.csv: the prediction is column 'prediction'. Name another with --pred.\n"


def test_without_a_usual_name_the_columns_are_listed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("site,color\nx,red\n", "utf-8")
    said = refused("evaluate", "a.csv", cwd=tmp_path)
    assert "no column with a usual name, such as 'y_true', 'true'" in said
    assert said.endswith("Its columns are 'site', 'color'.")


def test_a_page_without_a_name_is_report_html(tmp_path: Path) -> None:
    write(tmp_path, "true", "pred")
    columns = ("--true", "true", "--pred", "pred")
    for arguments in (("a.csv", *columns, "--html"), ("--html", "--true", "true", "--pred", "pred", "a.csv")):
        done = here("evaluate", *arguments, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "The report page is in report.html.\n")
        assert (tmp_path / "report.html").read_text("utf-8").startswith("<!DOCTYPE html>")
        (tmp_path / "report.html").unlink()
    done = here("compare", "a.csv", "--true", "true", "--pred", "pred", "--pred", "true", "--html", cwd=tmp_path)
    assert done.returncode == 0
    assert "<title>Comparison</title>" in (tmp_path / "report.html").read_text("utf-8")


def test_a_page_does_not_overwrite_data(tmp_path: Path) -> None:
    write(tmp_path, "true", "pred")
    write(tmp_path, "true", "pred", name="b.csv")
    said = refused("evaluate", "a.csv", "--html", "b.csv", cwd=tmp_path)
    assert said.startswith("--html b.csv: the name of a page must end with .html. Name it b.html")
    assert (tmp_path / "b.csv").read_text("utf-8").startswith("true,pred")
