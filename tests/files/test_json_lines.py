"""JSON lines are read exactly: a number keeps all its digits, a key occurs once, a line is one object, or it is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix
from indicatrix.engines.files import text_lines
from indicatrix.engines.files.text_lines import read_cells

NUMBERS = st.one_of(
    st.integers(-(2**64), 2**65),
    st.sampled_from([2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63)]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.5, 1.0, 2.0**53, 2.0**63, 1e300]),
)


def write(path: Path, rows: list[str]) -> Path:
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


@examples(200)
@given(cells=st.lists(NUMBERS, min_size=1, max_size=6), lists=st.booleans(), block=st.integers(1, 4))
def test_a_number_is_exact_or_refused(cells: list[Any], lists: bool, block: int) -> None:
    """Whatever stands next to it, in the same block of lines or in another."""
    lines = [json.dumps({"y": [cell] if lists else cell}).encode() for cell in cells]
    blocks = [b"\n".join(lines[start : start + block]) + b"\n" for start in range(0, len(lines), block)]
    row = 0
    for batch, bad in text_lines.json_batches(iter(blocks), "rows.jsonl", ("y",), True):
        found = batch.column("y").to_pylist()
        for i, cell in enumerate(found):
            given = [cells[row + i]] if lists else cells[row + i]
            assert cell == given or i in bad
        for i, why in bad.items():
            assert "64 bits" in why or "an integer above 2**53" in why
            assert isinstance(cells[row + i], int)
            assert abs(cells[row + i]) > 2**53 or cells[row + i] < 0
        row += len(found)


@pytest.mark.parametrize("low", [2**53, 2**63, 2**64 - 2])
def test_labels_and_groups_that_differ_by_one_stay_apart(tmp_path: Path, low: int) -> None:
    rows = [f'{{"y": {low}, "p": {low}, "g": {low}}}', f'{{"y": {low + 1}, "p": {low}, "g": {low + 1}}}']
    ev = ix.evaluate_file(write(tmp_path / "rows.jsonl", rows), true="y", pred="p", by="g")
    assert ev.classes == (low, low + 1)
    assert ev.score("accuracy", "micro") == 0.5
    assert ev.split("g").keys() == {low, low + 1}


@pytest.mark.parametrize(
    ("cells", "row", "said"),
    [
        (["9007199254740993", "0.5"], 1, "an integer above 2\\*\\*53"),
        (["0.5", "9223372036854775809"], 2, "an integer above 2\\*\\*53"),
        (["1", "18446744073709551616"], 2, "an integer of more than 64 bits"),
        (["-1", "9223372036854775808"], 1, "together with negative numbers"),
        (["1", "1e400"], 2, "1e400' is too large for a float"),
        (["1", "Inf"], 2, "not JSON"),
        (["1", '1, "y": 2'], 2, "it has the key 'y' twice"),
        (["1", 'null, "\\u0079": 2'], 2, "it has the key 'y' twice"),
        (["1", '"a"'], 2, "and rows before have a number there"),
        (["1", "true"], 2, "and rows before have a number there"),
        (['"a"', '"\\ud800"'], 2, "half of a character"),
        (["1", '{"a": 1}'], 2, "an object, and a cell is"),
        (['["a"]', "[1]"], 2, "wrong label: and rows before have a text"),
        (['["a"]', '[["a"]]'], 2, "holds labels, no lists"),
        (['"a"', '"a"}{"y": "a"'], 2, "not JSON"),
        (['"a"', "[" * 100_000 + "]" * 100_000], 2, "not JSON"),
        (['"a"', '{"a":' * 100_000 + "1" + "}" * 100_000], 2, "not JSON"),
    ],
)
def test_what_is_not_exact_is_refused_with_its_row(tmp_path: Path, cells: list[str], row: int, said: str) -> None:
    path = write(tmp_path / "rows.jsonl", [f'{{"p": 0, "y": {cell}}}' for cell in cells])
    with pytest.raises(ValueError, match=rf"rows\.jsonl, data row {row}: .*{said}"):
        ix.evaluate_file(path, true="y", pred="y")


def test_a_deeply_nested_key_that_nobody_asks_for_does_not_end_the_process(tmp_path: Path) -> None:
    deep = "[" * 3_000_000 + "]" * 3_000_000
    path = write(tmp_path / "rows.jsonl", ['{"y": "a", "p": "a"}', f'{{"y": "a", "p": "a", "z": {deep}}}'])
    with pytest.raises(ValueError, match=r"rows\.jsonl, data row 2: this line is not JSON \(maximum recursion"):
        ix.evaluate_file(path, true="y", pred="p")


def test_two_objects_on_a_line_and_one_on_two_lines_are_not_read_as_rows(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", ['{"y": 1, "p": 1}{"y": 2, "p": 2}', '{"y":', '3, "p": 3}'])
    with pytest.raises(ValueError, match=r"rows\.jsonl does not hold one JSON object per line"):
        ix.evaluate_file(path, true="y", pred="p")


def test_plain_lines_are_read_by_arrow() -> None:
    """A key that is given twice in what nobody asks for, and a byte order mark, change nothing."""
    block = b'{"y": "a", "p": 1, "z": 1}\n{"y": "b", "p": 2, "z": 2}\n'
    with patch.object(text_lines, "_read_lines", None):
        ((batch, _),) = text_lines.json_batches(iter([block]), "rows", ("y", "p"), False)
    assert batch.to_pydict() == {"y": ["a", "b"], "p": [1, 2]}
    ((batch, _),) = text_lines.json_batches(iter([b'{"y": 1, "z": 1, "z": 2}\n']), "rows", ("y",), False)
    assert batch.to_pydict() == {"y": [1]}


def test_cells_keep_their_values() -> None:
    for cells in ([True, None], ["a", "é"], [[], ["a"]], [[], [1, 2**63]], [None], [1.5, 2, float("inf")]):
        found, bad = read_cells(cells)
        assert found.to_pylist() == cells
        assert not bad
