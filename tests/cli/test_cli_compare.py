"""``indicatrix compare``: columns, files, saved counts and scores; every number is that of the library."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import here, printed, refused
from loops import for_each

import indicatrix as ix
from indicatrix.engines.files import csv_files

RNG = np.random.default_rng(3)
N = 300
TRUE = RNG.choice(["ant", "bee", "cat"], N)
LR, RF = (np.where(RNG.random(N) < right, TRUE, RNG.choice(["ant", "bee", "cat"], N)) for right in (0.6, 0.75))
SITE = RNG.choice(["north", "south", "west"], N)
WEIGHT = RNG.integers(1, 4, N)
Y = RNG.random(N) < 0.4
S1, S2 = (np.clip(RNG.normal(0.4 + lift * Y, 0.2), 0, 1).round(3) for lift in (0.3, 0.15))
COLUMNS = {"true": TRUE, "lr": LR, "rf": RF, "site": SITE, "w": WEIGHT, "y": Y.astype(int), "s1": S1, "s2": S2}
BOTH = ("--true", "true", "--pred", "lr", "--pred", "rf")
ONE = ("-m", "f1", "-a", "macro")


def write(path: Path, columns: dict[str, np.ndarray]) -> None:
    rows = "\n".join(",".join(map(str, row)) for row in zip(*(c.tolist() for c in columns.values()), strict=True))
    path.write_text(f"{','.join(columns)}\n{rows}\n", encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "rows.csv", COLUMNS)
    write(tmp_path / "lr.csv", {"true": TRUE, "pred": LR, "site": SITE, "w": WEIGHT})
    write(tmp_path / "rf.csv", {"pred": RF, "true": TRUE})
    return tmp_path


def data(*args: str, cwd: Path) -> dict:
    return json.loads(printed("compare", *args, "--json", cwd=cwd))


def agree(shown: dict, made: ix.Comparison) -> bool:
    """Return whether JSON has the scores, intervals and differences of a comparison."""
    values = [[*row["values"].values()] for row in shown["scores"]]
    ends = [[(i["low"], i["high"]) for i in row["intervals"].values()] for row in shown["scores"]]
    tests = [(d["first"], d["second"], d["value"], d["p"], d["adjusted"], d["method"]) for d in shown["differences"]]
    return (
        values == [[*map(float, row.values)] for row in made.rows]
        and ends == [[(i.low, i.high) for i in row.intervals] for row in made.rows]
        and tests == [(d.first, d.second, d.value, d.p, d.adjusted, d.method) for d in made.differences]
    )


def test_columns_of_a_file_are_compared_in_pairs(folder: Path) -> None:
    made = ix.compare(TRUE, {"lr": LR, "rf": RF}, "f1", "macro")
    assert printed("compare", "rows.csv", *BOTH, *ONE, cwd=folder) == f"{made}\n"
    assert printed("compare", "rows.csv", *BOTH, *ONE, "--markdown", cwd=folder) == f"{made.markdown()}\n"
    shown = data("rows.csv", *BOTH, *ONE, cwd=folder)
    assert shown["paired"]
    assert agree(shown, made)


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (("--level", "90%"), {"level": 0.9}),
        (("--baseline", "rf", "--margin", "0.05"), {"baseline": "rf", "margin": 0.05}),
        (("--correction", "none", "-m", "recall"), {"correction": None, "measures": ["f1", "recall"]}),
        (("--correction", "bh", "-m", "recall"), {"correction": "bh", "measures": ["f1", "recall"]}),
        (("--method", "bootstrap", "--seed", "7"), {"method": "bootstrap", "seed": 7}),
        (("--weight", "w"), {"sample_weight": WEIGHT}),
        (("--clusters", "site"), {"clusters": "site", "by": {"site": SITE}}),
        (("--positive", "cat", "-a", "binary"), {"positive": "cat", "averages": ["macro", "binary"]}),
        (("--classes", "cat,bee,ant", "--undefined", "0"), {"classes": ["cat", "bee", "ant"], "undefined": 0}),
    ],
)
def test_every_option_means_what_it_means_in_python(folder: Path, options: tuple[str, ...], arguments: dict) -> None:
    given = {"measures": "f1", "averages": "macro", **arguments}
    made = ix.compare(TRUE, {"lr": LR, "rf": RF}, **given)
    assert agree(data("rows.csv", *BOTH, *ONE, *options, cwd=folder), made)


def test_groups_are_compared_side_by_side(folder: Path) -> None:
    shown = data("rows.csv", *BOTH, *ONE, "--by", "site", cwd=folder)
    made = ix.compare(TRUE, {"lr": LR, "rf": RF}, "f1", "macro", by={"site": SITE})
    assert [[*row["values"].values()] for row in shown["groups"]["site"]] == [[*row.values] for row in made.groups["site"]]


@pytest.mark.parametrize("rows", [1 << 14, 7])  # in one piece, or in many of different lengths on both sides
def test_paired_files_are_one_file_with_two_columns(folder: Path, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_files, "BLOCK", rows)
    shown = data(
        "lr.csv", "rf.csv", "--true", "true", "--pred", "pred", *ONE, "--paired", "--by", "site", "--weight", "w", cwd=folder
    )
    made = ix.compare(TRUE, {"lr.csv": LR, "rf.csv": RF}, "f1", "macro", by={"site": SITE}, sample_weight=WEIGHT)
    assert shown["paired"]
    assert agree(shown, made)


def test_files_in_another_order_cannot_be_paired(folder: Path) -> None:
    lines = (folder / "rf.csv").read_text("utf-8").splitlines()
    (folder / "rf.csv").write_text("\n".join([lines[0], *lines[:0:-1]]) + "\n", "utf-8")
    both = ("lr.csv", "rf.csv", "--true", "true", "--pred", "pred", "--paired")
    told = refused("compare", *both, cwd=folder)
    assert "the rows are not the same examples in the same order" in told
    assert told.startswith("Data row ")
    (folder / "rf.csv").write_text(
        "\n".join(["pred,true", *(f"{p},{t}" for p, t in zip(RF[:20], TRUE[:20], strict=True))]) + "\n", "utf-8"
    )
    assert refused("compare", *both, cwd=folder).startswith("rf.csv has fewer rows than lr.csv")


def test_paired_files_have_the_same_weights_and_groups(folder: Path) -> None:
    """A file may lack them; where it has them, each row has those of the first file, however the numbers are written."""
    both = ("lr.csv", "rf.csv", "--true", "true", "--pred", "pred", *ONE, "--paired", "--by", "site", "--weight", "w")
    lacking = data(*both, cwd=folder)
    other = {"w": [f"{w:.3f}" for w in WEIGHT], "site": SITE}
    for wrong in ("", "w", "site"):
        columns = {**other, wrong: np.roll(other[wrong], 1)} if wrong else other
        rows = [",".join(map(str, row)) for row in zip(RF, TRUE, columns["w"], columns["site"], strict=True)]
        (folder / "rf.csv").write_text("\n".join(["pred,true,w,site", *rows]) + "\n", "utf-8")
        if wrong:
            assert f"of column '{wrong}' is" in refused("compare", *both, cwd=folder)
        else:
            assert data(*both, cwd=folder) == lacking


def test_text_and_typed_labels_cannot_be_paired(folder: Path) -> None:
    pq.write_table(pa.table({"true": TRUE, "pred": RF}), folder / "rf.parquet")
    told = refused("compare", "lr.csv", "rf.parquet", "--true", "true", "--pred", "pred", "--paired", cwd=folder)
    assert "Files of text and files with types cannot be paired" in told


def test_separate_files_are_unpaired_and_it_is_said(folder: Path) -> None:
    both = ("lr.csv", "rf.csv", "--true", "true", "--pred", "pred", *ONE)
    made = ix.compare({"lr.csv": ix.evaluate(TRUE, LR), "rf.csv": ix.evaluate(TRUE, RF)}, "f1", "macro", level=0.95)
    shown = data(*both, cwd=folder)
    assert not shown["paired"]
    assert agree(shown, made)
    assert "--paired makes the tests sharper" in printed("compare", *both, cwd=folder)


def test_pages_are_the_librarys(folder: Path) -> None:
    made = ix.compare(TRUE, {"lr": LR, "rf": RF}, "f1", "macro")
    done = here("compare", "rows.csv", *BOTH, *ONE, "--html", "both.html", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{made}\n", "The report page is in both.html.\n")
    assert (folder / "both.html").read_text("utf-8") == made.to_html()
    assert "the folder does not exist" in refused("compare", "rows.csv", *BOTH, *ONE, "--html", "no/both.html", cwd=folder)
    here("evaluate", "rows.csv", "--true", "y", "--score", "s1", "--decide", "0.5", "--html", "scores.html", cwd=folder)
    y = Y.astype(int)
    page = ix.evaluate(y, S1, decide=0.5).to_html(scores=ix.sweep(y, S1), title="rows.csv")
    assert (folder / "scores.html").read_text("utf-8") == page


def test_what_was_saved_is_compared_again(folder: Path) -> None:
    text = printed("compare", "rows.csv", *BOTH, *ONE, "--save", "both.json", cwd=folder)
    assert printed("compare", "both.json", *ONE, cwd=folder) == text
    for name in ("lr", "rf"):
        printed("evaluate", f"{name}.csv", "--true", "true", "--pred", "pred", "--save", f"{name}.json", cwd=folder)
    mixed = data("lr.json", "rf.csv", "--true", "true", "--pred", "pred", *ONE, cwd=folder)
    (found,), (same,) = mixed["differences"], data("lr.json", "rf.json", *ONE, cwd=folder)["differences"]
    assert (found["method"], found["value"], found["p"]) == ("unpaired", same["value"], same["p"])
    assert any("--save keeps them counted together" in doubt for doubt in mixed["doubts"])


def test_a_prediction_that_only_one_lacks_is_an_abstention_or_refused(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("true,lr,rf\na,a,\nb,a,b\n,a,b\n", "utf-8")
    told = refused("compare", "rows.csv", *BOTH, "--missing", "mask", cwd=tmp_path)
    assert told.startswith("rows.csv: An example was observed for 'lr' or for 'rf', but not for both")
    assert told.endswith("Remove such rows, or count them with --missing mask,abstain.")
    shown = data("rows.csv", *BOTH, "--missing", "mask,abstain", "-m", "recall", "-a", "micro", cwd=tmp_path)
    assert shown["scores"][0]["values"] == {"lr": 0.5, "rf": 0.5}


def test_scores_are_compared_by_areas_and_by_decisions(folder: Path) -> None:
    both = ("rows.csv", "--true", "y", "--score", "s1", "--score", "s2")
    made = ix.compare(Y.astype(int), {"s1": S1, "s2": S2}, ["auc", "f1"], "binary", decide=0.5)
    shown = data(*both, "-m", "auc", "-m", "f1", "-a", "binary", "--decide", "0.5", cwd=folder)
    assert {d["method"] for d in shown["differences"]} == {d.method for d in made.differences}
    assert agree(shown, made)
    assert agree(data(*both, "-m", "auc", cwd=folder), ix.compare(Y.astype(int), {"s1": S1, "s2": S2}, "auc"))


@for_each(
    ("args", "message"),
    [
        (("rows.csv", "--true", "true", "--pred", "lr"), "There is one classifier only."),
        (("rows.csv", *BOTH, "--paired"), "columns of one file are compared in pairs anyway"),
        (("lr.csv", "rf.csv", *BOTH), "Several files and several --pred are two comparisons."),
        (("lr.csv", "rf.csv", "--true", "true", "--pred", "pred", "--save", "x.json"), "Save each with evaluate --save."),
        (("rows.csv", *BOTH, "--score", "s1"), "Give only one of them."),
        (("rows.csv", "--true", "y", "--score", "s1", "--score", "s2"), "Add --decide argmax or --decide 0.5"),
        (("rows.csv", "--true", "y", "--score", "s1", "--score", "s1", "-m", "auc"), "--score names 's1' twice"),
        (("rows.csv", "--true", "y", "--score", "s1", "--score", "s2", "-m", "auc", "--decide", "0.5"), "Leave --decide out."),
        (("rows.csv", *BOTH, "-m", "auc"), "auc needs the scores of all classifiers"),
        (("rows.csv", *BOTH, "--baseline", "svm"), "--baseline 'svm' is not compared here; there are lr, rf."),
        (("rows.csv", *BOTH, "--level", "95"), "--level 95 must be a level"),
        (("rows.csv", *BOTH, "--save", "both.csv"), "must end with .json"),
        (("none.json", "-m", "f1"), "There is no file none.json."),
        (("rows.csv", *BOTH, "--margin", "-1"), "must be a difference above 0"),
        (("rows.csv", *BOTH, "--clusters", "sites"), "has no column 'sites'. Did you mean 'site'?"),
    ],
)
def test_what_is_unclear_is_refused(folder: Path, args: tuple[str, ...], message: str) -> None:
    assert message in refused("compare", *args, cwd=folder)


@pytest.mark.parametrize(("form", "paired"), [*product([(), ("--markdown",), ("--json",)], [(), ("--paired",)])])
def test_hostile_names_are_text(tmp_path: Path, form: tuple[str, ...], paired: tuple[str, ...]) -> None:
    steering = "\x1b[31m\x07\x9b2J\u2028\u202e"
    for k, end in enumerate("ab"):
        (tmp_path / f"{steering}{end}.csv").write_text(
            f'true,pred\n"x{steering}",y\ny,y\n"x{steering}","{"y" if k else "x"}"\n', "utf-8"
        )
    paths = [f"{steering}{end}.csv" for end in "ab"]
    shown = printed("compare", *paths, "--true", "true", "--pred", "pred", *form, *paired, cwd=tmp_path)
    assert all(c.isprintable() or c == "\n" for c in shown), repr(shown)
