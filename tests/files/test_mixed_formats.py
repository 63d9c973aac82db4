"""Text files next to files with types: their texts mean what the types say, or the error names both files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import indicatrix as ix

LABELS: dict[str, tuple[list[Any], list[Any]]] = {
    "integers": ([1, 0, 0], [1, 1, 0]),
    "bools": ([True, False, False], [True, True, False]),
    "texts": (["1", "0", "b"], ["1", "1", "b"]),
    "spelled integers": (["1", "0", "0"], ["1", "1", "0"]),
}


def write(folder: Path, form: str, columns: dict[str, list[Any]]) -> Path:
    path = folder / f"rows.{form}"
    if form == "parquet":
        parquet.write_table(pa.table(columns), path)
    else:
        pa.table(columns).to_pandas().to_json(path, orient="records", lines=True)
    return path


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("several", [False, True])
def test_texts_mean_what_the_types_say(tmp_path: Path, form: str, first: int, kind: str, several: bool) -> None:
    y, p = LABELS[kind]
    groups = [7, 8, 8]
    typed = write(tmp_path, form, {"y": y, "p": p, "q": y, "g": groups})
    (tmp_path / "rows.csv").write_text(
        "y,p,q,g\n" + "".join(f"{a},{b},{a},{g}\n" for a, b, g in zip(y, p, groups, strict=True)), "utf-8"
    )
    files = [tmp_path / "rows.csv", typed][:: -1 if first else 1]
    if several:
        both = ix.evaluate_file(files, true="y", pred=["p", "q"])
        assert both == ix.inference.paired_counts(y * 2, {"p": p * 2, "q": y * 2})
    else:
        found = ix.evaluate_file(files, true="y", pred="p", by="g")
        assert found == ix.evaluate(y * 2, p * 2, by={"g": groups * 2})


def test_a_text_next_to_numbers_is_named_with_both_files(tmp_path: Path) -> None:
    typed = write(tmp_path, "parquet", {"y": [1, 0], "p": [1, 1]})
    (tmp_path / "rows.csv").write_text("y,p\n1,1\ncat,1\n", "utf-8")
    with pytest.raises(ValueError, match=r"rows\.csv, column 'y': not every cell .*\('cat'\), and .*rows\.parquet has no texts"):
        ix.evaluate_file([tmp_path / "rows.csv", typed], true="y", pred="p")


def test_an_error_that_no_row_has_names_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "parquet", {"y": [1.5, 0.0], "p": [1.0, 1.0]})
    with pytest.raises(ValueError, match=r"rows\.parquet: y_true\[0\] = 1\.5: whole numbers are labels"):
        ix.evaluate_file(path, true="y", pred="p")
