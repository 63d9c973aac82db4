"""CSV files are read all cells at once, with the results and the errors of Python's csv module."""

from __future__ import annotations

import gzip
import io
import tracemalloc
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix
from indicatrix.engines.files import csv_files, text_lines
from indicatrix.engines.files.csv_files import CsvForm, read_csv

CELLS = st.one_of(
    st.sampled_from(
        [
            "",
            "a",
            "1",
            "-2",
            " b ",
            '" b "',
            '"b "',
            "é",
            "a b",
            '"',
            '""',
            '"c"',
            '"d ""e"""',
            '"f,g"',
            '"h\ni"',
            ' "j"',
            '"k" ',
            'l"m',
        ]
    ),
    st.text("ab1 é\u2028\x85\x0b", max_size=20),
    st.text("xyz", min_size=60, max_size=70),
)
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\n\n", "\n \n"])
PLAIN = st.lists(st.tuples(CELLS, CELLS, CELLS).map(",".join), max_size=12)
ODD = st.lists(st.one_of(st.tuples(CELLS, CELLS, CELLS).map(",".join), st.text('a,"\n\r\0 é;', max_size=12)), max_size=8)


def read(
    data: bytes, chosen: tuple[str, ...], *, block: int = csv_files.BLOCK, fast: bool = True, encoding: str = "utf-8"
) -> Any:
    """Return the cells of the chosen columns, or the error."""
    delimiters = csv_files.FAST_DELIMITERS if fast else ()
    with patch.object(csv_files, "BLOCK", block), patch.object(csv_files, "FAST_DELIMITERS", delimiters):
        try:
            blocks = list(read_csv(io.BytesIO(data), "rows.csv", CsvForm(encoding), ()).blocks(chosen))
        except ValueError as wrong:
            return str(wrong)
    return {name: [cell for part in blocks for cell in part.column(name).to_pylist()] for name in chosen}


@examples(75)
@given(rows=st.one_of(PLAIN, ODD), ends=st.lists(ENDS, min_size=12, max_size=12), last=st.booleans(), mark=st.booleans())
def test_every_file_is_read_as_the_csv_module_reads_it(rows: list[str], ends: list[str], last: bool, mark: bool) -> None:
    lines = [row + end for row, end in zip(rows, ends, strict=False)]
    text = "".join(["p,q,r\n", *lines])
    data = ("\ufeff" * mark + (text if last else text.rstrip("\n"))).encode()
    expected = read(data, ("r", "p"), fast=False)
    assert read(data, ("r", "p")) == expected
    if not isinstance(expected, str):
        for block in (1, 3):
            assert read(data, ("r", "p"), block=block) == expected


@examples(50)
@given(cells=st.lists(st.one_of(CELLS, st.text("ab\r\n\0", max_size=4)), max_size=12))
def test_a_single_column_too(cells: list[str]) -> None:
    data = "\n".join(["p", *cells]).encode()
    assert read(data, ("p",)) == read(data, ("p",), fast=False)


@examples(50)
@given(data=st.binary(max_size=40))
def test_any_bytes_have_the_same_error(data: bytes) -> None:
    whole = b"p,q\n1,2\n" + data
    assert read(whole, ("q",)) == read(whole, ("q",), fast=False)


@pytest.mark.one_fast_case
@for_each("odd", [b'a,"b', b"a", b"a,b,c", b"a,\xff", b"a,\0", b'a,b"c', b'a,"b"c', b'x,"y\nz"', b"\n", b"a,b\rc,d"])
@for_each("at", [0, 1_999, 6_000])
def test_odd_lines_deep_in_a_file_have_the_same_place(odd: bytes, at: int) -> None:
    lines = [b"one,two"] * 6_000  # twelve blocks
    data = b"p,q\n" + b"\n".join([*lines[:at], odd, *lines[at:]]) + b"\n"
    found, expected = read(data, ("q",), block=100), read(data, ("q",), fast=False)
    assert type(found) is type(expected)
    assert found == expected


SPACED = st.text("ab \u00a0\t", max_size=4)
QUOTED = st.text('ab ,"\n\t', max_size=5)


@examples(150)
@given(
    rows=st.lists(
        st.lists(st.one_of(st.tuples(st.just(False), SPACED), st.tuples(st.just(True), QUOTED)), min_size=2, max_size=2)
    ),
    before=st.sampled_from(["", " "]),
    block=st.sampled_from([1, 2, 100]),
    encoding=st.sampled_from(["utf-8", "utf-16"]),
)
def test_spaces_inside_of_quotation_marks_are_part_of_a_cell(
    rows: list[list[tuple[bool, str]]], before: str, block: int, encoding: str
) -> None:
    """Others around it are not, and a cell with nothing but spaces is missing."""
    doubled = [[before + '"' + cell.replace('"', '""') + '"' if quoted else cell for quoted, cell in row] for row in rows]
    data = "".join(f"{','.join(row)}\n" for row in [["p", "q"], *doubled]).encode(encoding)
    expected = [[(cell if quoted and cell.strip() else cell.strip()) or None for quoted, cell in row] for row in rows]
    found = read(data, ("p", "q"), block=block, encoding=encoding)
    assert found == {"p": [p for p, _ in expected], "q": [q for _, q in expected]}


def test_labels_that_differ_by_quoted_spaces_are_two_classes(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text('y,p\n"a ","a "\na,"a "\n a , a\n', "utf-8")
    ev = ix.evaluate_file(tmp_path / "rows.csv", true="y", pred="p")
    assert (ev.classes, ev.confusion.tolist()) == (("a", "a "), [[1, 1], [0, 1]])


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"encoding": "nope"}, r"encoding='nope' is unknown\. Use the name that Python has for it, such as 'utf-8'"),
        ({"encoding": "base64"}, r"encoding='base64' is unknown"),
        ({"encoding": "a\0b"}, r"is unknown"),
        ({"encoding": 8}, r"encoding=8 is unknown"),
        ({"delimiter": "ab"}, r"delimiter='ab' does not separate .* Give one character"),
        ({"delimiter": '"'}, r"does not separate"),
        ({"delimiter": ""}, r"does not separate"),
    ],
)
def test_an_encoding_or_a_delimiter_that_is_none_is_refused(tmp_path: Path, form: dict[str, Any], said: str) -> None:
    (tmp_path / "rows.csv").write_text("y,p\na,a\n", "utf-8")
    with pytest.raises(ValueError, match=said):
        ix.evaluate_file(tmp_path / "rows.csv", true="y", pred="p", **form)


def test_plain_lines_are_not_given_to_the_csv_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_files.CsvRows, "_odd_rows", None)
    data = b'p,q\r\n"a, b",1\r\n'.replace(b"\r", b"") + b'c,"say ""x"""\n\xc3\xa9,long cell of more than eight bytes\n\n'
    assert read(data, ("p", "q")) == {"p": ["a, b", "c", "é"], "q": ["1", 'say "x"', "long cell of more than eight bytes"]}


def test_a_packed_file_that_is_cut_is_named(tmp_path: Path) -> None:
    packed = gzip.compress(b"p,q\n" + b"a,b\n" * 1_000_000)
    for cut in (packed[: len(packed) // 2], packed[:60] + b"\xff" * 40 + packed[100:]):
        (tmp_path / "rows.csv.gz").write_bytes(cut)
        with (
            gzip.open(tmp_path / "rows.csv.gz") as data,
            pytest.raises(ValueError, match=r"rows\.csv is not a whole gzip or zstd file"),
        ):
            list(read_csv(data, "rows.csv", CsvForm(), ()).blocks(("p",)))


@pytest.mark.parametrize("dialect", [CsvForm("latin-1"), CsvForm(delimiter=",")])
@pytest.mark.parametrize("start", [b"", b'a,5" disk\n'])
@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(dialect: CsvForm, start: bytes) -> None:
    """Also if a mark inside a cell leaves rows to the csv module."""

    class Endless(io.RawIOBase):
        def __init__(self) -> None:
            self.parts = [b"p,q\n" + start, *[b"a,some text or other\n" * 5_000] * 40]

        def read(self, size: int = -1) -> bytes:
            return self.parts.pop(0) if self.parts else b""

    with patch.object(csv_files, "LONGEST", 1 << 17), patch.object(csv_files, "BLOCK", 2_000):
        blocks = read_csv(Endless(), "rows.csv", dialect, ()).blocks(("q",))
        next(blocks)
        tracemalloc.start()
        try:
            rows = sum(len(block["q"]) for block in blocks)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert rows > 190_000
    assert peak < 2_500_000  # of 4.2 million bytes


def test_a_mark_that_is_never_closed_is_found_in_linear_time() -> None:
    data = b'"' + b"a,b\n" * 1_000_000
    assert text_lines.end_of_lines(data) == 0
    assert text_lines.end_of_lines(b"c,d\n" + data) == 4
