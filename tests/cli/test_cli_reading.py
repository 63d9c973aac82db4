"""Laws of reading: blocks of any size give one evaluation; labels follow the rule for integers."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix
from indicatrix.cli.asked import Asked, split_names
from indicatrix.cli.columns import score_classes
from indicatrix.cli.counting import Evaluated, evaluate_file
from indicatrix.cli.gates import read_check
from indicatrix.engines.files import csv_files, rows_of_file
from indicatrix.engines.files.text_classes import integers, label_values

ANY = examples(25, suppress_health_check=[HealthCheck.function_scoped_fixture])
WORDS = st.sampled_from(["ant", "cat", "dog, wild", 'say "x"', "two\nlines", "01", "2.0", "é"])
NUMBERS = st.sampled_from(["0", "1", "2", "10", "-3"])
PAIRS = st.one_of(*(st.lists(st.tuples(labels, labels, NUMBERS), min_size=1, max_size=30) for labels in (WORDS, NUMBERS)))
LABELS = Asked(true="true", pred=("pred",))


def evaluate_one(path: str, asked: Asked) -> Evaluated:
    (found,) = evaluate_file(path, asked)
    return found


@contextlib.contextmanager
def blocks_of(rows: int):
    with patch.object(csv_files, "BLOCK", rows), patch.object(rows_of_file, "ROWS", rows):
        yield


def written(path: Path, header, rows, **dialect) -> str:
    with path.open("w", newline="", encoding=dialect.pop("encoding", "utf-8")) as file:
        csv.writer(file, **dialect).writerows([header, *rows])
    return str(path)


@ANY
@given(rows=PAIRS, size=st.integers(1, 7), delimiter=st.sampled_from([",", ";", "\t"]))
def test_blocks_of_any_size_give_the_evaluation_of_one_pass(tmp_path, rows, size, delimiter):
    path = written(tmp_path / "rows.csv", ("true", "pred", "fold"), rows, delimiter=delimiter)
    with blocks_of(size):
        found = evaluate_one(path, Asked(true="true", pred=("pred",), by=("fold",))).ev
    meaning = label_values({x for row in rows for x in row[:2]}) or {}
    true, pred = ([meaning.get(row[i], row[i]) for row in rows] for i in (0, 1))
    assert found == ix.evaluate(true, pred, by={"fold": [int(row[2]) for row in rows]})


@ANY
@given(rows=st.lists(st.tuples(*[st.sampled_from("01")] * 4), min_size=1, max_size=12), size=st.integers(1, 5))
def test_blocks_of_zeros_and_ones_give_the_evaluation_of_one_pass(tmp_path, rows, size):
    path = written(tmp_path / "rows.csv", ("y_sea", "y_sun", "y_hat_sun", "y_hat_sea"), rows)
    with blocks_of(size):
        found = evaluate_one(path, Asked(multilabel="y_", pred=("y_hat_",))).ev
    true, pred = ([[int(row[i]) for i in places] for row in rows] for places in ((0, 1), (3, 2)))
    assert found == ix.evaluate(true, pred, classes=["sea", "sun"])


@ANY
@given(
    rows=st.lists(st.tuples(st.sampled_from(["", "a", "b"]), st.sampled_from(["", "a", "b"])), min_size=1, max_size=12),
    size=st.integers(1, 5),
)
def test_missing_labels_mean_what_the_library_says(tmp_path, rows, size):
    path = written(tmp_path / "rows.csv", ("true", "pred"), rows)
    for missing in ("mask", ("mask", "abstain")):
        with blocks_of(size):
            found = evaluate_one(path, Asked(true="true", pred=("pred",), missing=missing)).ev
        assert found == ix.evaluate([t or None for t, _ in rows], [p or None for _, p in rows], missing=missing)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings_and_compression_do_not_change_the_rows(tmp_path, encoding):
    rows = [("é", "é"), ("b", "é")]
    path = written(tmp_path / "rows.csv", ("true", "pred"), rows, encoding=encoding)
    asked = replace(LABELS, encoding="utf-8" if encoding == "utf-8-sig" else encoding)
    expected = ix.evaluate(*zip(*rows, strict=True))
    assert evaluate_one(path, asked).ev == expected
    packed = tmp_path / "rows.csv.gz"
    packed.write_bytes(gzip.compress(Path(path).read_bytes()))
    assert evaluate_one(str(packed), asked).ev == expected


@pytest.mark.parametrize("at", [0, 1, 60_000, 140_001])
def test_the_byte_that_is_no_text_is_found_wherever_it_stands(tmp_path, at):
    start = b"true,pred\n"
    data = start + b"a,b\n" * 50_000
    data = data[: len(start) + at] + b"\xff" + data[len(start) + at :]
    (tmp_path / "rows.csv").write_bytes(data)
    with pytest.raises(ValueError, match=f"byte {len(start) + at} is 0xff"):
        evaluate_one(str(tmp_path / "rows.csv"), LABELS)


@pytest.mark.parametrize("suffix", ["parquet", "feather", "arrow"])
@pytest.mark.parametrize(
    "labels", [(["a", "b", "b"], ["a", "a", None]), ([0, 1, 1], [1, 1, None]), ([True, False, True], [True] * 3)]
)
def test_typed_files_are_what_the_library_reads(tmp_path, suffix, labels):
    import pyarrow as pa
    from pyarrow import feather, parquet

    table = pa.table({"true": labels[0], "pred": labels[1], "w": [1.0, 2.0, 0.5]})
    path = str(tmp_path / f"rows.{suffix}")
    if suffix == "arrow":
        with pa.ipc.new_stream(path, table.schema) as stream:
            stream.write_table(table)
    else:
        (parquet.write_table if suffix == "parquet" else feather.write_feather)(table, path)
    asked = Asked(true="true", pred=("pred",), weight="w", missing="abstain")
    with blocks_of(2):
        found = evaluate_one(path, asked).ev
    assert found == ix.evaluate(*labels, sample_weight=[1.0, 2.0, 0.5], missing="abstain")


def test_nan_in_a_typed_file_is_a_missing_label(tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    path = str(tmp_path / "rows.parquet")
    parquet.write_table(pa.table({"true": [0.0, 1.0, 1.0], "pred": [0.0, 1.0, float("nan")]}), path)
    with pytest.raises(ValueError, match="data row 3, column 'pred' is empty"):
        evaluate_one(path, LABELS)
    assert evaluate_one(path, Asked(true="true", pred=("pred",), missing="mask", classes=("0", "1"))).ev.classes == (
        0,
        1,
    )


def test_pyarrow_is_named_where_it_is_missing(tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "rows.parquet").write_bytes(b"PAR1")
    with pytest.raises(ImportError, match="pip install 'indicatrix\\[files\\]'"):
        evaluate_one(str(tmp_path / "rows.parquet"), LABELS)


def test_a_damaged_typed_file_is_named(tmp_path):
    for name, said in (("rows.parquet", "not a Parquet file"), ("rows.arrow", "not an Arrow or Feather file")):
        (tmp_path / name).write_bytes(b"ARROW1 is not enough, by far")
        with pytest.raises(ValueError, match=said):
            evaluate_one(str(tmp_path / name), LABELS)
    (tmp_path / "rows.csv.gz").write_bytes(gzip.compress(b"true,pred\n" * 1000)[:-12])
    with pytest.raises(ValueError, match="not a whole gzip or zstd file"):
        evaluate_one(str(tmp_path / "rows.csv.gz"), LABELS)


def test_quoted_headers_and_spaces_and_empty_lines(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('\n"the, truth", pred\na, a\n\na,  b\n\n', "utf-8")
    found = evaluate_one(str(path), Asked(true="the, truth", pred=("pred",))).ev
    assert found == ix.evaluate(["a", "a"], ["a", "b"])


@given(st.lists(st.text("abc _-*,", min_size=1).map(str.strip).filter(bool), min_size=1, max_size=4))
def test_a_list_of_names_is_read_back(names):
    text = io.StringIO()
    csv.writer(text).writerow(names)
    assert split_names(text.getvalue().rstrip("\r\n")) == tuple(names)


@given(st.integers())
def test_every_integer_has_one_spelling(number):
    assert integers([str(number)]) == {str(number): number}
    for other in (f"0{number}", f"+{number}", f"{number}.0", f" {number}", f"{number}\n", "", "-0", "٣"):
        assert integers([str(number), other]) is None


@pytest.mark.parametrize(
    ("columns", "labels", "classes"),
    [
        (("p_cat", "p_dog"), {"cat"}, ("cat", "dog")),
        (("cat", "car"), {"cat", "car"}, ("cat", "car")),
        (("p_cat", "p_car"), {"car"}, ("cat", "car")),
        (("score0", "score1"), {"0", "1"}, ("0", "1")),
        (("prob.a", "prob.b"), {"prob.a"}, ("prob.a", "prob.b")),
    ],
)
def test_columns_of_scores_are_the_classes_that_fit_the_labels(columns, labels, classes):
    assert score_classes(columns, labels, "a.csv") == classes


def test_columns_of_scores_that_fit_no_labels_are_refused():
    with pytest.raises(ValueError, match=r"'p_a', 'p_b'\? None of them is for the label 'c'.*--classes"):
        score_classes(("p_a", "p_b"), {"a", "c"}, "a.csv")
    with pytest.raises(ValueError, match="which classes are the columns"):
        score_classes(("p_a", "p_b"), set(), "a.csv")


@for_each("average", ["macro", "micro", "samples", "binary", "site", None])
@for_each("measure", ["f1", "f_beta(beta=2)", "tp / (tp + fp)", "error_rate"])
def test_a_check_is_read_with_its_average_before_or_after_the_measure(average, measure):
    first, last = (" ".join(filter(None, words)) for words in ((average, measure), (measure, average)))
    one, other = (read_check(f"{text} = 0.25", ("site",)) for text in (first, last))
    assert one == other
    assert (str(one.measure), one.average, one.limit) == (measure, "exemplar" if average == "samples" else average, 0.25)
    assert one.lower == (measure == "error_rate")


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize(
    ("row", "asked", "said"),
    [
        (",1,0.5,1,x", LABELS, "'true' is empty"),
        ("0,1,0.5,1", LABELS, "the number of cells is 4, but the header has 5"),
        ("2,1,0.5,1,x", Asked(true="true", pred=("pred",), classes=("0", "1")), "label '2' is not in classes="),
        ("0,1,often,1,x", Asked(true="true", score=("p",), decide=0.5), "'p' is 'often'"),
        ("0,1,nan,1,x", Asked(true="true", score=("p",), decide=0.5), "'p' is NaN"),
        ("0,1,0.5,-1,x", Asked(true="true", pred=("pred",), weight="w"), "'w' is -1, but a weight must be finite"),
        ("0,1,0.5,1,", Asked(true="true", pred=("pred",), by=("site",)), "'site' is empty"),
        ("7,1,0.5,1,x", Asked(multilabel="true", pred=("pred",)), "'true' is '7'"),
    ],
)
def test_a_bad_row_has_its_number_in_whatever_block_it_stands(tmp_path, size, row, asked, said):
    good = "0,1,0.5,1,x\n"
    (tmp_path / "rows.csv").write_text("true,pred,p,w,site\n" + 4 * good + f"{row}\n" + good, "utf-8")
    with blocks_of(size), pytest.raises(ValueError, match=f"data row 5(,|:).*{said}"):
        evaluate_one(str(tmp_path / "rows.csv"), asked)
