"""`indicatrix evaluate` on odd files: spaces, columns called y_pred, cells that hold lists."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
from commands import environment, here, printed, refused

import indicatrix as ix
from indicatrix.cli.evaluate import evaluate
from indicatrix.cli.options import options_in_messages

LABELS = ("--true", "true", "--pred", "pred")


def scores(folder: Path, *arguments: str) -> dict[tuple[str, str], float]:
    content = json.loads(printed("evaluate", *arguments, "--json", cwd=folder))
    return {(s["measure"], s["average"]): s["value"] for s in content["evaluations"][0]["scores"]}


def file(folder: Path, text: str, name: str = "rows.csv") -> str:
    (folder / name).write_bytes(text.encode())
    return name


def parquet(folder: Path, **columns: object) -> str:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pa.table(columns), folder / "rows.parquet")
    return "rows.parquet"


@pytest.mark.parametrize("space", ["", " ", "  "])
@pytest.mark.parametrize("delimiter", [",", ";"])
def test_spaces_around_a_cell_make_no_other_label(tmp_path: Path, space: str, delimiter: str) -> None:
    rows = [("w", "site", "true", "pred"), ("1", "x", "cat", "cat"), ("2", "x", "dog", "cat"), ("0.5", "y", "dog", "dog")]
    text = "".join(f"{space}{delimiter}{space}".join(row) + "\n" for row in rows)  # none at the end of a line
    file(tmp_path, text)
    found = scores(tmp_path, "rows.csv", *LABELS, "--by", "site", "--weight", "w", "-m", "f1", "-a", "macro", "-a", "site")
    by = {"site": ["x", "x", "y"]}
    ev = ix.evaluate(["cat", "dog", "dog"], ["cat", "cat", "dog"], by=by, sample_weight=[1, 2, 0.5])
    assert found == {("f1", "macro"): ev.score("f1", "macro"), ("f1", "site"): ev.score("f1", "site")}


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), [(("0", "1"), ("0.00", "1.00")), (("1", "2"), ("01", "02")), (("Yes",), ("yes",))])
def test_labels_written_differently_on_both_sides_are_no_total_failure(
    tmp_path: Path, one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    for true, predicted in ((one, other), (other, one)):
        file(tmp_path, "true,pred\n" + "".join(f"{t},{p}\n" for t in true for p in predicted))
        told = refused("evaluate", "rows.csv", *LABELS, cwd=tmp_path)
        assert f"because they are written differently, as {true[0]!r} and {predicted[0]!r}." in told
    file(tmp_path, f"true,pred\n{one[0]},{other[0]}\n{other[0]},{other[0]}\n")  # where one is common, these are two classes
    assert scores(tmp_path, "rows.csv", *LABELS, "-m", "f1", "-a", "micro") == {("f1", "micro"): 0.5}
    file(tmp_path, "true,pred\na,b\nb,c\nc,a\n")  # always wrong, and spelled well
    assert scores(tmp_path, "rows.csv", *LABELS, "-m", "f1", "-a", "micro") == {("f1", "micro"): 0.0}


def test_what_is_undefined_is_a_list_in_markdown(tmp_path: Path) -> None:
    file(tmp_path, "true,pred\na,a\nb,a\n")
    shown = printed("evaluate", "rows.csv", *LABELS, "-m", "precision", "-m", "mcc", "-a", "macro", "--markdown", cwd=tmp_path)
    notes = shown.split("\n\n")[1].splitlines()
    assert notes[0] == "Undefined values are excluded (as 0: counted as 0):"
    assert len(notes) > 1
    assert all(line.startswith("- ") for line in notes[1:])


@pytest.mark.slow
@pytest.mark.parametrize("blank", ["", " ", "\t", "  \t "])
def test_a_line_of_spaces_is_no_row_and_a_cell_of_spaces_is_empty(tmp_path: Path, blank: str) -> None:
    file(tmp_path, f"true,pred\n{blank}\na,a\n{blank}\n{blank}\nb,a\n{blank}")
    assert scores(tmp_path, "rows.csv", *LABELS, "-m", "f1", "-a", "micro") == {("f1", "micro"): 0.5}
    file(tmp_path, f"true,pred\na,a\n{blank},a\n")
    assert "data row 2, column 'true' is empty" in refused("evaluate", "rows.csv", *LABELS, cwd=tmp_path)


@pytest.mark.slow
def test_messages_keep_the_names_of_the_users_columns_and_files(tmp_path: Path) -> None:
    """Columns and files may be called y_true or y_pred, as the library's arguments are."""
    file(tmp_path, "y_true,y_pred,by=1\na,b,\n", "y_pred.csv")
    told = refused("evaluate", "y_pred.csv", "--true", "y_tru", "--pred", "y_pred", cwd=tmp_path)
    assert told == "--true: y_pred.csv has no column 'y_tru'. Did you mean 'y_true'? Its columns are 'y_true', 'y_pred', 'by=1'."
    told = refused("evaluate", "y_pred.csv", "--true", "y_true", "--pred", "y_pred", "--by", "by=1", cwd=tmp_path)
    assert told.startswith("y_pred.csv, data row 1, column 'by=1' is empty")


HOSTILE = (
    "level=3/by=site.csv",
    "y_true",
    "a 'b y_pred.csv",
    "missing='mask'.csv",
    "in one_vs_all=True.csv",
    "Example 1 was observed.csv",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_what_the_user_gave_is_never_reworded(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a file nor a file of a folder, a column or a label is said in other words, whatever it is called."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'true,"{name}","classes=\\"\n', "utf-8")
    said = "by= and classes= are"
    context = click.Context(evaluate, info_name="evaluate")
    context.params = {"files": (name, "."), "true": name}
    for given in (name, repr(name), f"./{name}" if path.suffix else name, repr(f"{name}'\\")):
        with context, pytest.raises(ValueError, match=r"--by and --classes are$") as told, options_in_messages(context):
            raise ValueError(f"{given}, data row 2, column {given}: {said}")
        assert str(told.value).startswith(f"{given}, data row 2, column {given}: ")


@pytest.mark.slow
def test_objections_of_the_library_are_in_the_words_of_the_command_line(tmp_path: Path) -> None:
    file(tmp_path, "true,pred,class,p\na,b,x,0.5\nb,b,y,0.1\n")
    told = refused("evaluate", "rows.csv", *LABELS, "--by", "class", cwd=tmp_path)
    assert told.startswith("--by cannot be called 'class'")
    told = refused("evaluate", "rows.csv", *LABELS, "--classes", "a,b,a", cwd=tmp_path)
    assert told.startswith("--classes names 'a' twice")
    one = ("--score", "p", "--decide", "argmax", "--positive", "b")
    told = refused("evaluate", "rows.csv", "--true", "true", *one, cwd=tmp_path)
    assert told.endswith("--decide takes one threshold, as in --decide 0.5.")
    path = parquet(tmp_path, true=[0, 1], pred=["0", "1"])
    told = refused("evaluate", path, *LABELS, cwd=tmp_path)
    assert told.startswith("rows.parquet: the truth holds labels of type number and the prediction of type text")


def test_a_cell_that_holds_a_list_is_a_set_of_labels_and_a_record_is_refused(tmp_path: Path) -> None:
    cells = [["a"], ["b", "c"]]
    path = parquet(tmp_path, true=cells, pred=[["a"], ["b"]])
    expected = ix.evaluate([{*cell} for cell in cells], [{"a"}, {"b"}]).score("f1", "micro")
    assert scores(tmp_path, path, *LABELS, "-m", "f1", "-a", "micro") == {("f1", "micro"): expected}
    path = parquet(tmp_path, true=[{"a": 1}] * 2, pred=[{"a": 1}] * 2)
    assert "is a column of struct<" in refused("evaluate", path, *LABELS, cwd=tmp_path)


def test_numbers_with_decimals_are_classes_where_they_are_named(tmp_path: Path) -> None:
    path = parquet(tmp_path, true=[1.5, 2.0, 2.0], pred=[1.5, 2.0, 1.5])
    expected = ix.evaluate([1.5, 2.0, 2.0], [1.5, 2.0, 1.5], classes=[1.5, 2.0]).score("f1", "macro")
    for classes in ("1.5,2", "1.5,2.0"):
        assert scores(tmp_path, path, *LABELS, "--classes", classes, "-m", "f1", "-a", "macro") == {("f1", "macro"): expected}


def test_rounded_probabilities_are_told_with_the_digits_that_are_wrong(tmp_path: Path) -> None:
    file(tmp_path, "true,p_a,p_b,p_c\na,0.8,0.1,0.1\nb,0.333333,0.333334,0.333334\nc,0.1,0.1,0.8\n")
    told = printed("evaluate", "rows.csv", "--true", "true", "--score", "p_*", "--decide", "argmax", cwd=tmp_path)
    assert "data row 2 sums to 1.000001, but" in told


def test_a_check_that_fails_by_a_hair_shows_it(tmp_path: Path) -> None:
    file(tmp_path, "true,pred\na,a\nb,a\nb,b\n")
    done = here("evaluate", "rows.csv", *LABELS, "--fail-under", "micro f1=0.6666667", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "Check failed: micro f1 of rows.csv is 0.66666667, under 0.6666667.\n")


def test_a_measure_named_twice_is_one_row(tmp_path: Path) -> None:
    file(tmp_path, "true,pred\na,a\nb,a\n")
    shown = printed("evaluate", "rows.csv", *LABELS, "-m", "f1", "-m", "mcc", "-m", "f1", "-a", "micro", cwd=tmp_path)
    assert [line.split()[0] for line in shown.splitlines()[1:]] == ["f1", "mcc"]
    shown = printed("evaluate", "rows.csv", "rows.csv", *LABELS, "-m", "f1", "-m", "f1", "-a", "micro", cwd=tmp_path)
    assert [line.split()[:2] for line in shown.splitlines()[1:2]] == [["micro", "f1"]]
    assert shown.count("micro f1") == 1


@pytest.mark.one_fast_case
@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("true,pred\na,é\n".encode("utf-16"), "Name its encoding: --encoding utf-16."),
        ("true,pred\na,é\n".encode("cp1252"), "Name its encoding, for example --encoding cp1252."),
        (b"\x1f\x8b\x08\x00true", "It is compressed: unpack it first, or give the file a name that ends with .gz."),
        (b"PK\x03\x04\x14\x00\x00\x80", "It is an archive or a spreadsheet: write the rows to a CSV file."),
        (b"PK\x03\x04\x14\x00\x00", "NUL byte: this is not text in utf-8. It is an archive or a spreadsheet"),
        (b"PAR1\x15\x04\xff", "It is a Parquet file: give it a name that ends with .parquet."),
        (b"ARROW1\0\0\xff", "It is an Arrow file: give it a name that ends with .arrow."),
        (b"true,pred\na,b\0\n", "line 2 holds a NUL byte: this is not text in utf-8. Try --encoding utf-16."),
        (b"true|pred\na|b\n", "its only column is 'true|pred'. If these are several columns, add --delimiter '|'."),
    ],
)
def test_a_file_that_is_written_otherwise_is_told_with_the_option_that_reads_it(tmp_path: Path, data: bytes, told: str) -> None:
    (tmp_path / "rows.csv").write_bytes(data)
    assert told in refused("evaluate", "rows.csv", *LABELS, cwd=tmp_path)


def test_a_column_of_long_texts_is_no_hindrance(tmp_path: Path) -> None:
    file(tmp_path, f"text,true,pred\n{'x' * 200_000},a,a\nshort,b,a\n")
    assert scores(tmp_path, "rows.csv", *LABELS, "-m", "f1", "-a", "micro") == {("f1", "micro"): 0.5}


def test_no_classes_are_no_choice_of_classes(tmp_path: Path) -> None:
    file(tmp_path, "true,pred\na,a\n")
    assert refused("evaluate", "rows.csv", *LABELS, "--classes", " , ", cwd=tmp_path).startswith(
        "--classes ' , ' does not name a class."
    )


def test_what_is_saved_has_a_name_by_which_it_is_read_again(tmp_path: Path) -> None:
    file(tmp_path, "true,pred\na,a\n")
    told = refused("evaluate", "rows.csv", *LABELS, "--save", "ev.csv", cwd=tmp_path)
    assert told == "--save ev.csv: the name of a saved evaluation must end with .json. Name it ev.json, for example."
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]


@pytest.mark.one_fast_case
@pytest.mark.parametrize(("key", "value"), [("positive", {}), ("positive", []), ("tally", {}), ("tally", [1])])
def test_a_damaged_evaluation_is_named(tmp_path: Path, key: str, value: object) -> None:
    ix.evaluate([0, 1], [1, 1]).save(tmp_path / "ev.json")
    content = {**json.loads((tmp_path / "ev.json").read_text("utf-8")), key: value}
    file(tmp_path, json.dumps(content), "ev.json")
    assert "ev.json" in refused("evaluate", "ev.json", cwd=tmp_path)


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
@pytest.mark.slow
@pytest.mark.posix
def test_a_stream_that_is_closed_is_no_mistake_of_ours(tmp_path: Path, closed: str) -> None:
    file(tmp_path, "true,pred\na,a\n")
    command = f"{sys.executable} -m indicatrix evaluate rows.csv --true true --pred pred --fail-under 'micro f1=1' {closed}"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, env=environment(), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_ctrl_c_while_libraries_are_loaded_is_no_traceback() -> None:
    code = "import sys; sys.modules['indicatrix.cli.app'] = None; import indicatrix.cli as cli\n"
    code += "import builtins; real = builtins.__import__\n"
    code += "def stop(name, *a, **k):\n    if name == 'app': raise KeyboardInterrupt\n    return real(name, *a, **k)\n"
    code += "builtins.__import__ = stop; cli.main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", env=environment(), check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "\nInterrupted.\n")


ROWS = [("a", "a"), ("b", "nan"), ("NA", "b"), ("a", ""), ("b", "b"), ("a", None)]  # true and predicted labels


def every_format(folder: Path, rows: list[tuple[str, str | None]]) -> list[str]:
    """The same rows as CSV, TSV and Parquet."""
    texts = [[cell or "" for cell in row] for row in (("true", "pred"), *rows)]
    names = [
        file(folder, "".join(f"{mark.join(row)}\n" for row in texts), f"rows.{end}")
        for mark, end in ((",", "csv"), ("\t", "tsv"))
    ]
    return [*names, parquet(folder, true=[y for y, _ in rows], pred=[z for _, z in rows])]


@pytest.mark.slow
def test_missing_labels_mean_the_same_in_every_format(tmp_path: Path) -> None:
    for name in every_format(tmp_path, ROWS):
        assert "data row 4, column 'pred' is empty" in refused("evaluate", name, *LABELS, cwd=tmp_path)
        text = printed("evaluate", name, *LABELS, "--missing", "abstain", cwd=tmp_path)
        true, pred = [y for y, _ in ROWS], [z or None for _, z in ROWS]
        assert text.startswith(str(ix.evaluate(true, pred, missing="abstain")))
        assert "The texts 'NA' and 'nan' are counted as classes." in text
        assert "leave the cell empty and pass --missing" in text


def test_a_text_for_a_missing_label_is_a_class_that_is_named(tmp_path: Path) -> None:
    for name in every_format(tmp_path, ROWS[:3]):
        short = printed("evaluate", name, *LABELS, "-m", "f1", cwd=tmp_path)
        assert f"The texts 'NA' and 'nan' of {name} are counted as classes." in short
        data = json.loads(printed("evaluate", name, *LABELS, "--json", cwd=tmp_path))["evaluations"][0]
        assert "'NA' and 'nan'" in data["warning"]
        meant = printed("evaluate", name, *LABELS, "--classes", "a,b,NA,nan", cwd=tmp_path)
        assert "counted as class" not in meant


def test_rows_of_json_are_read_one_by_line_and_refused_otherwise(tmp_path: Path) -> None:
    name = file(tmp_path, '{"true": "a", "pred": "a"}\n{"true": "b", "pred": "a"}\n', "rows.jsonl")
    assert scores(tmp_path, name, *LABELS, "-m", "f1", "-a", "micro") == {("f1", "micro"): 0.5}
    for name, said in (("rows.jsonl", "does not hold one JSON object per line"), ("rows.csv", "holds JSON, not CSV")):
        assert said in refused("evaluate", file(tmp_path, '[{"true": "a", "pred": "b"}]\n', name), *LABELS, cwd=tmp_path)
