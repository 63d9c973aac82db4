"""A run over files: partition folders of any path, progress to the end, checkpoints of a run that is stopped."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pytest
from pyarrow import parquet

import indicatrix as ix
from indicatrix.engines.files import rows_of_file
from indicatrix.engines.files.checkpoint import CountedRows
from indicatrix.engines.files.rows_of_file import Rows

ROWS = pa.table({"y": [0, 1] * 50, "p": [0, 1, 1, 1] * 25, "site": ["x", "y", "x", "x"] * 25})
BOTH = {"true": "y", "pred": "p"}


def test_folders_are_columns_however_the_files_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet.write_to_dataset(ROWS, tmp_path / "part", partition_cols=["site"])
    monkeypatch.chdir(tmp_path)
    expected = ix.evaluate_file("part", **BOTH, by="site")
    files = sorted(Path("part").rglob("*.parquet"))
    for paths in ("part/**/*.parquet", "part/site=*", "part/site=*/", "part/*", files, f"{tmp_path}/part/site=[xy]"):
        assert ix.evaluate_file(paths, **BOTH, by="site") == expected
    for paths in ("part/site=x", "part/site=x/", "part/site=x/*", files[0]):
        assert ix.evaluate_file(paths, **BOTH, by="site").split("site") == {"x": expected.split("site")["x"]}
    (tmp_path / "part" / "site=x" / "notes.md").write_text("no rows", "utf-8")
    assert ix.evaluate_file("part/site=*", **BOTH, by="site") == expected


def test_progress_ends_at_one_and_counts_the_rows_of_an_earlier_run(tmp_path: Path) -> None:
    path, kept = tmp_path / "rows.parquet", tmp_path / "run.checkpoint"
    parquet.write_table(ROWS, path, row_group_size=10)
    seen: list[ix.types.Progress] = []

    def stop(now: ix.types.Progress) -> None:
        if now.rows > 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ix.evaluate_file(path, **BOTH, checkpoint=kept, progress=stop)
    for first, resumed in ((40, 30), (100, 100)):
        seen.clear()
        ix.evaluate_file(path, **BOTH, checkpoint=kept, progress=seen.append)
        assert (seen[0].rows, seen[0].resumed, seen[-1].rows, seen[-1].share) == (first, resumed, 100, 1.0)
    assert ix.types.Progress("a", 100, 0.5, 2.0, 50).left == 4.0


@pytest.fixture
def usual_interruption() -> Iterator[None]:
    """Let Ctrl-C do what it does in a program that changes nothing: a session of Spark in this process has its own way."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("usual_interruption")
@pytest.mark.posix
def test_an_interruption_or_a_damaged_file_leaves_a_checkpoint_of_whole_pieces(tmp_path: Path) -> None:
    path, kept = tmp_path / "rows.parquet", tmp_path / "run.checkpoint"
    parquet.write_table(ROWS, path, row_group_size=10)
    add, expected = CountedRows.add, ix.evaluate_file(path, **BOTH)

    def interrupt(self: CountedRows, batch: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)  # in the middle of counting
        add(self, batch)

    with pytest.raises(KeyboardInterrupt), patch.object(CountedRows, "add", interrupt):
        ix.evaluate_file(path, **BOTH, checkpoint=kept)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def fail(rows: Rows, name: str, wanted: Any) -> Any:
        pieces = rows.pieces(wanted)
        yield next(pieces)
        raise OSError("the disk is gone")

    with (
        pytest.raises(ValueError, match=r"rows\.parquet .*the disk is gone"),
        patch.object(rows_of_file, "_pieces_with_named_errors", fail),
    ):
        ix.evaluate_file(path, **BOTH, checkpoint=kept)
    seen: list[ix.types.Progress] = []
    assert ix.evaluate_file(path, **BOTH, checkpoint=kept, progress=seen.append) == expected
    assert seen[0].resumed == 20
