"""Several labels in one cell, ``--separator ';'``: sets of labels, an empty cell is the empty set."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import here, printed, refused
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import indicatrix as ix
from indicatrix.cli.asked import Asked
from indicatrix.cli.counting import evaluate_file
from indicatrix.cli.tour import EXAMPLES, tour
from indicatrix.engines.files import csv_files

LABELS = ("--true", "true", "--pred", "pred")
SETS = ("--separator", ";")
SOME = st.sets(st.sampled_from(["red", "big", "old oak"]))


def file(folder: Path, text: str) -> str:
    (folder / "rows.csv").write_text(text, "utf-8")
    return "rows.csv"


def test_the_file_of_the_demo_gives_the_report_of_the_demo(tmp_path: Path) -> None:
    printed("demo", "--copy-to", ".", cwd=tmp_path)
    second = list(tour(str(tmp_path / "page.html")))[4]
    assert printed("evaluate", EXAMPLES[1], "--true", "true", "--pred", "predicted", *SETS, cwd=tmp_path) == f"{second}\n"
    told = refused("evaluate", EXAMPLES[1], "--true", "true", "--pred", "predicted", cwd=tmp_path)
    assert told.endswith("as 'even;round', pass --separator ';'; an empty cell then has none.")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(SOME, SOME, st.sampled_from("xy"), st.integers(1, 3)), min_size=1, max_size=12),
    separator=st.sampled_from([";", "|", " / "]),
    size=st.integers(1, 5),
)
def test_cells_are_the_sets_that_the_library_evaluates(tmp_path: Path, rows, separator: str, size: int) -> None:
    lines = (f"{separator.join(sorted(t))},{separator.join(sorted(p))},{s},{w}" for t, p, s, w in rows)
    file(tmp_path, "true,pred,site,w\n" + "\n".join(lines) + "\n")
    asked = Asked(true="true", pred=("pred",), separator=separator, by=("site",), weight="w")
    former, csv_files.BLOCK = csv_files.BLOCK, size
    try:
        (found,) = evaluate_file(str(tmp_path / "rows.csv"), asked)
    finally:
        csv_files.BLOCK = former
    true, pred, site, weight = ([row[i] for row in rows] for i in range(4))
    assert found.ev == ix.evaluate(true, pred, by={"site": site}, sample_weight=[float(w) for w in weight])


def test_spaces_and_empty_parts_are_no_labels_and_integers_are_integers(tmp_path: Path) -> None:
    file(tmp_path, "true,pred\n1 ; 2,2;;10;\n , 1\n")
    shown = printed("evaluate", "rows.csv", *LABELS, *SETS, cwd=tmp_path)
    assert shown == f"{ix.evaluate([{1, 2}, set()], [{2, 10}, {1}])}\n"


def test_sets_in_typed_files_tell_an_empty_text_from_a_missing_one(tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table({"true": ["a;b", ""], "pred": ["b", "a"], "hole": ["a", None]}), tmp_path / "rows.parquet")
    shown = printed("evaluate", "rows.parquet", *LABELS, *SETS, cwd=tmp_path)
    assert shown == f"{ix.evaluate([{'a', 'b'}, set()], [{'b'}, {'a'}])}\n"
    told = refused("evaluate", "rows.parquet", "--true", "true", "--pred", "hole", *SETS, cwd=tmp_path)
    assert told.startswith("rows.parquet, row group 0, data row 2, column 'hole' is missing.")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((*SETS, "--missing", "mask"), "--missing does not go with --separator"),
        ((*SETS, "--classes", "red,big"), "data row 2, column 'pred': the label 'old' is not in --classes 'red', 'big'. Add it"),
        (("--separator", ""), "--separator is empty"),
    ],
)
def test_what_sets_do_not_go_with_is_refused(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    file(tmp_path, "true,pred\nred;big,red\n,big;old\n")
    done = here("evaluate", "rows.csv", *LABELS, *options, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    for others in (("--multilabel", "t", "--pred", "p"), ("--true", "true", "--score", "pred", "--decide", "0.5")):
        assert "--separator splits cells of labels" in here("evaluate", "rows.csv", *SETS, *others, cwd=tmp_path).stderr


@pytest.mark.slow
def test_an_empty_separator_is_refused(tmp_path: Path) -> None:
    told = refused("evaluate", file(tmp_path, "true,pred\nred;big,red\n"), *LABELS, "--separator", "", cwd=tmp_path)
    assert told.startswith("--separator is empty")
