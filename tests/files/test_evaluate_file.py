"""Files give the evaluation of their rows in memory: every format, any partition, an interrupted run, bad rows."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from fsspec.implementations.local import LocalFileSystem
from pyarrow import csv, fs, parquet

import indicatrix as ix
from indicatrix.engines.column_roles import roles_of
from indicatrix.engines.files import csv_files, rows_of_file
from indicatrix.engines.files.checkpoint import CountedRows
from indicatrix.engines.partitions import evaluate_batch, evaluate_distinct, finish, sum_states
from indicatrix.tally.saved.saved_tally import to_json

N = 600
NAMES = np.array(["ant", "bee", "cat", "dög", "eel"])
WIDE = [f"y{i}" for i in range(4)], [f"p{i}" for i in range(4)]
FORMATS = ("parquet", "arrow", "stream.arrow", "csv", "csv.gz", "csv.zst", "jsonl", "jsonl.gz")


@pytest.fixture(scope="module")
def table() -> pa.Table:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, N)
    p = np.where(rng.random(N) < 0.7, y, rng.integers(0, 5, N))
    true, pred = (rng.random((N, 4)) < 0.4 for _ in range(2))
    return pa.table(
        {
            "y": y,
            "p": p,
            "q": rng.permutation(p),
            "ty": NAMES[y],
            "tp": NAMES[p],
            "site": rng.choice(["x", "y", "z"], N),
            "w": rng.random(N).round(3),
            "b": (y > 2).astype(int),
            "word": np.where(y > 2, "spam", "ham"),
            "s": rng.random(N),
            **{f"s{i}": rng.random(N) for i in range(5)},
            **{name: true[:, i].astype(int) for i, name in enumerate(WIDE[0])},
            **{name: pred[:, i].astype(int) for i, name in enumerate(WIDE[1])},
            "ly": [NAMES[:4][row].tolist() for row in true],
            "lp": [NAMES[:4][row].tolist() for row in pred],
            "cells": [";".join(NAMES[:4][row]) for row in true],
        }
    )


def write(table: pa.Table, path: Path) -> str:
    """Write a table in the format of the name, in several row groups."""
    name = path.name
    if name.endswith("parquet"):
        parquet.write_table(table, path, row_group_size=97)
    elif name.endswith("arrow"):
        with (pa.ipc.new_stream if "stream" in name else pa.ipc.new_file)(str(path), table.schema) as out:
            out.write_table(table, max_chunksize=100)
    else:
        plain = path.with_suffix(".plain")
        if "csv" in name:
            csv.write_csv(table.drop(["ly", "lp"]), plain)
        else:
            plain.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in table.to_pylist()), encoding="utf-8")
        data = plain.read_bytes()
        path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        if name.endswith("zst"):
            with pa.OSFile(str(path), "wb") as out, pa.CompressedOutputStream(out, "zstd") as packed:
                packed.write(data)
    return str(path)


def same(found: Any, expected: Any) -> None:
    assert found == expected
    if isinstance(found, ix.Evaluation):
        assert to_json(found.tally) == to_json(expected.tally)


def expected_of(table: pa.Table) -> dict[str, tuple[dict[str, Any], Any]]:
    """Arguments of evaluate_file, and what the library makes of the same rows in memory."""
    c = {name: table[name].to_pylist() for name in table.column_names}
    text, sites = (c["ty"], c["tp"]), {"site": c["site"]}
    scores = {name: f"s{i}" for i, name in enumerate(NAMES.tolist())}
    matrix = np.column_stack([c[name] for name in scores.values()])
    true, pred = (np.column_stack([c[name] for name in side]) for side in WIDE)
    return {
        "integers": ({"true": "y", "pred": "p"}, ix.evaluate(c["y"], c["p"])),
        "texts": ({"true": "ty", "pred": "tp", "positive": "eel"}, ix.evaluate(*text, positive="eel")),
        "classes": ({"true": "ty", "pred": "tp", "classes": [*NAMES[::-1]]}, ix.evaluate(*text, classes=NAMES[::-1])),
        "groups": ({"true": "ty", "pred": "tp", "by": {"place": "site"}}, ix.evaluate(*text, by={"place": c["site"]})),
        "weights": (
            {"true": "y", "pred": "p", "sample_weight": "w", "by": "site"},
            ix.evaluate(c["y"], c["p"], sample_weight=c["w"], by=sites),
        ),
        "score": ({"true": "b", "score": "s", "decide": 0.5}, ix.evaluate(c["b"], c["s"], decide=0.5)),
        "score of a text": (
            {"true": "word", "score": "s", "decide": 0.5, "positive": "spam"},
            ix.evaluate(c["word"], c["s"], decide=0.5, positive="spam"),
        ),
        "scores": (
            {"true": "ty", "score": scores, "decide": "argmax"},
            ix.evaluate(c["ty"], matrix, decide="argmax", classes=[*scores]),
        ),
        "bins": ({"true": "b", "score": "s", "scores": True}, ix.scores.binned(c["b"], c["s"])),
        "columns": ({"true": WIDE[0], "pred": WIDE[1]}, ix.evaluate(true, pred, classes=WIDE[0])),
        "separator": ({"true": "cells", "pred": "cells", "separator": ";"}, ix.evaluate(*[[{*x} for x in c["ly"]]] * 2)),
        "several": ({"true": "y", "pred": ["p", "q"]}, ix.inference.paired_counts(c["y"], {"p": c["p"], "q": c["q"]})),
        "cost": (
            {"true": "y", "pred": "p", "classes": range(5), "cost": "absolute"},
            ix.evaluate(c["y"], c["p"], classes=range(5), cost="absolute"),
        ),
        "ordinal": (
            {"true": "y", "pred": "p", "classes": range(5), "ordinal": "cumulative"},
            ix.evaluate(c["y"], c["p"], classes=range(5), ordinal="cumulative"),
        ),
        "targets": (
            {"true": ["ty", "site"], "pred": ["tp", "word"], "targets": True},
            ix.evaluate({"ty": c["ty"], "site": c["site"]}, {"ty": c["tp"], "site": c["word"]}, targets=True),
        ),
        "replicates": ({"true": "y", "pred": "p", "replicates": 10}, ix.evaluate(c["y"], c["p"], replicates=10)),
        "lists": ({"true": "ly", "pred": "lp"}, ix.evaluate(*([{*x} for x in c[name]] for name in ("ly", "lp")))),
    }


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.one_fast_case
def test_a_file_gives_the_evaluation_of_its_rows_in_memory(table: pa.Table, tmp_path: Path, form: str) -> None:
    path = write(table, tmp_path / f"rows.{form}")
    whole = {"parquet": (0, 1 << 20)}.get(form, (0,))  # bytes of a row group that is read at once
    with patch.object(rows_of_file, "ROWS", 61), patch.object(csv_files, "BLOCK", 300):
        for what, (asked, expected) in expected_of(table).items():
            for limit in () if "csv" in form and what == "lists" else whole:
                with patch.object(rows_of_file, "WHOLE", limit):
                    same(ix.evaluate_file(path, **asked), expected)


def test_files_in_any_order_folders_and_patterns_are_one_table(table: pa.Table, tmp_path: Path) -> None:
    keyed = table.append_column("month", pa.array([k % 3 for k in range(N)]))
    parquet.write_to_dataset(keyed, tmp_path / "set", partition_cols=["site", "month"])
    c = {name: keyed[name].to_pylist() for name in keyed.column_names}
    expected = ix.evaluate(c["ty"], c["tp"], by={"site": c["site"], "month": c["month"]})
    asked: dict[str, Any] = {"true": "ty", "pred": "tp", "by": ["site", "month"]}
    same(ix.evaluate_file(tmp_path / "set", **asked), expected)
    plain = ix.evaluate(c["ty"], c["tp"])
    files = sorted((tmp_path / "set").rglob("*.parquet"))
    for paths in (f"{tmp_path}/set/**/*.parquet", files, files[::-1], f"{tmp_path}/set/site=?/month=[0-2]/*"):
        same(ix.evaluate_file(paths, true="ty", pred="tp"), plain)
    with pytest.raises(FileNotFoundError, match="No file fits the pattern"):
        ix.evaluate_file(f"{tmp_path}/*.csv", true="ty", pred="tp")


def test_file_systems_of_pyarrow_and_fsspec_are_read(table: pa.Table, tmp_path: Path) -> None:
    import fsspec

    path, expected = write(table, tmp_path / "rows.parquet"), ix.evaluate(table["y"], table["p"])
    memory = fsspec.filesystem("memory")
    memory.pipe("/bucket/rows.parquet", Path(path).read_bytes())
    inside = fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem())
    for given, system in (("rows.parquet", inside), ("/bucket/*.parquet", memory), (f"file://{path}", None)):
        same(ix.evaluate_file(given, true="y", pred="p", filesystem=system), expected)
    same(ix.evaluate_file("memory://bucket/rows.parquet", true="y", pred="p"), expected)


def test_distinct_rows_with_counts_are_as_many_rows(table: pa.Table) -> None:
    for asked in ({"by": "site"}, {"by": "site", "missing": "mask"}, {"classes": [*NAMES]}):
        roles = roles_of("evaluate_file", true="ty", pred="tp", **asked)
        labels = table["ty"].to_pylist()
        labels[7] = None if "missing" in asked else labels[7]
        few = table.select(["ty", "tp", "site"]).set_column(0, "ty", pa.array(labels))
        counted = few.group_by(["ty", "tp", "site"]).aggregate([([], "count_all")]).rename_columns(["ty", "tp", "site", "n"])
        same(evaluate_distinct(counted, roles), evaluate_batch(few, roles))
    roles = roles_of("evaluate_file", true="ty", pred="tp")
    huge = pa.table({"ty": ["a", "b"], "tp": ["a", "a"], "n": [2**60, 3]})
    assert evaluate_distinct(huge, roles).n == 2**60 + 3
    assert evaluate_distinct(huge.slice(0, 0), roles) == evaluate_batch(huge.slice(0, 0), roles)
    with pytest.raises(ValueError, match="must hold counts"):
        evaluate_distinct(huge.set_column(2, "n", pa.array([1, -1])), roles)


def test_batches_add_to_the_evaluation_of_all_rows(table: pa.Table) -> None:
    roles = roles_of("evaluate_file", true="ty", pred="tp", positive="eel")
    states = [evaluate_batch(batch, roles) for batch in table.to_batches(max_chunksize=7)]
    same(finish(sum_states(states), roles), ix.evaluate(table["ty"], table["tp"], positive="eel"))


BAD: list[tuple[dict[str, Any], str, Any, str]] = [
    ({"pred": "tp"}, "ty", None, "is empty"),
    ({"pred": "tp", "classes": [*NAMES]}, "tp", "yak", "'yak' is not in classes="),
    ({"pred": "tp", "by": "site"}, "site", None, "every row needs a group"),
    ({"pred": "tp", "sample_weight": "w"}, "w", -1.0, "is -1, but a weight"),
    ({"score": "s", "decide": 0.5, "true": "b"}, "s", float("nan"), "every row needs a score"),
    ({"true": WIDE[0], "pred": WIDE[1]}, "p2", 3, "a cell is 0 or 1"),
]


@pytest.mark.parametrize(("asked", "column", "value", "said"), BAD, ids=[case[3] for case in BAD])
@pytest.mark.parametrize("form", ["parquet", "csv", "jsonl"])
def test_a_bad_row_is_named_or_left_out(
    table: pa.Table, tmp_path: Path, form: str, asked: dict[str, Any], column: str, value: Any, said: str
) -> None:
    asked = {"true": "ty", **asked}
    cells = table[column].to_pylist()
    cells[250] = value
    cells[400] = value
    wrong = table.set_column(table.column_names.index(column), column, pa.array(cells, table[column].type))
    path = write(wrong, tmp_path / f"rows.{form}")
    with pytest.raises(ValueError, match=rf"rows.{form},( row group 2,)? data row 251, column '{column}'.*{said}"):
        ix.evaluate_file(path, **asked)
    found = ix.evaluate_file(path, **asked, bad="count")
    assert found.bad_rows.count == 2
    assert "data row 401" in found.bad_rows.first[1]
    keep = [k for k in range(N) if k not in (250, 400)]
    same(found, ix.evaluate_file(write(table.take(keep), tmp_path / f"good.{form}"), **asked))


def test_broken_lines_are_named_or_counted(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("y,p\na,a\nb\nb,b\n", "utf-8")
    (tmp_path / "rows.jsonl").write_text('{"y": "a", "p": "a"}\n{"y": "b", "p"\n{"y": "b", "p": "b"}\n', "utf-8")
    for name, said in (("rows.csv", "number of cells is 1"), ("rows.jsonl", "not JSON")):
        with pytest.raises(ValueError, match=f"{name}, data row 2: .*{said}"):
            ix.evaluate_file(tmp_path / name, true="y", pred="p")
        found = ix.evaluate_file(tmp_path / name, true="y", pred="p", bad="count")
        assert (found, found.bad_rows.count) == (ix.evaluate(["a", "b"], ["a", "b"]), 1)
    with patch.object(rows_of_file, "ROWS", 1):
        assert ix.evaluate_file(tmp_path / "rows.jsonl", true="y", pred="p", bad="count").bad_rows.count == 1


@pytest.mark.slow
def test_a_checkpoint_goes_on_and_another_run_is_refused(table: pa.Table, tmp_path: Path) -> None:
    path, kept = write(table, tmp_path / "rows.parquet"), tmp_path / "run.checkpoint"
    for what, (asked, expected) in expected_of(table).items():
        kept.unlink(missing_ok=True)
        seen = []

        def stop(now: ix.types.Progress, seen: list[int] = seen) -> None:
            seen.append(now.rows)
            if len(seen) == 5:
                raise KeyboardInterrupt

        given: dict[str, Any] = {**asked, "checkpoint": kept, "checkpoint_every": 0}
        if what not in (
            "score",
            "score of a text",
            "bins",
            "targets",
        ):  # these read the labels first, which the fifth piece is part of
            with pytest.raises(KeyboardInterrupt), patch.object(rows_of_file, "ROWS", 50):
                ix.evaluate_file(path, **given, progress=stop)
            assert kept.exists()
        same(ix.evaluate_file(path, **given), expected)
        same(ix.evaluate_file(path, **given), expected)  # there is nothing left to count
    with pytest.raises(ValueError, match=r"another run: answers was .*Name another file"):
        ix.evaluate_file(path, true="ly", pred="ly", checkpoint=kept)
    os.utime(path, (1, 1))
    with pytest.raises(ValueError, match=r"another run: the file .* was changed"):
        ix.evaluate_file(path, **expected_of(table)["lists"][0], checkpoint=kept)


def test_a_checkpoint_never_keeps_half_of_a_batch(table: pa.Table, tmp_path: Path) -> None:
    path, kept = write(table, tmp_path / "rows.parquet"), tmp_path / "run.checkpoint"
    asked, expected = expected_of(table)["integers"]
    add, batches = CountedRows.add, list[int]()

    def break_down(self: CountedRows, batch: Any) -> None:
        add(self, batch)
        batches.append(len(batch))
        if len(batches) == 3:
            raise MemoryError

    with patch.object(rows_of_file, "ROWS", 50):
        with patch.object(CountedRows, "add", break_down), pytest.raises(MemoryError):
            ix.evaluate_file(path, **asked, checkpoint=kept, checkpoint_every=0)
        same(ix.evaluate_file(path, **asked, checkpoint=kept), expected)


KILLED = """
    import os, sys
    import indicatrix as ix
    from indicatrix.engines.files import rows_of_file
    rows_of_file.ROWS = 50
    def stop(now):
        if now.rows > 300:
            os.kill(os.getpid(), {signal})
    ix.evaluate_file(sys.argv[1], true="ty", pred="tp", by="site", checkpoint=sys.argv[2], checkpoint_every=0, progress=stop)
"""


@pytest.mark.slow
@pytest.mark.parametrize("form", ["parquet", "csv"])
@pytest.mark.posix
def test_a_killed_run_goes_on_with_the_same_state(table: pa.Table, tmp_path: Path, form: str) -> None:
    path, kept = write(table, tmp_path / f"rows.{form}"), tmp_path / "run.checkpoint"
    code = textwrap.dedent(KILLED).format(signal=int(signal.SIGKILL))
    if form == "csv":
        code = code.replace("rows_of_file.ROWS = 50", "import indicatrix.engines.files.csv_files as t; t.BLOCK = 125")
    done = subprocess.run([sys.executable, "-c", code, path, str(kept)], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert 0 < json.loads(kept.read_text("utf-8"))["rows"] < N
    found = ix.evaluate_file(path, true="ty", pred="tp", by="site", checkpoint=kept)
    same(found, ix.evaluate(table["ty"], table["tp"], by={"site": table["site"]}))


LIMIT = 24 << 20  # bytes that a run may take more than one over a few rows
# Memory that is freed goes back at once, so that the limit is about what is held.
RETURNED = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "65536"}
LIMITED = """
    import resource, sys
    import indicatrix as ix
    path, small, limit = sys.argv[1:]
    ix.evaluate_file(small, true="y", pred="p")  # loads the libraries
    with open("/proc/self/status") as status:
        held = next(int(line.split()[1]) << 10 for line in status if line.startswith("VmData"))
    resource.setrlimit(resource.RLIMIT_DATA, (held + int(limit),) * 2)
    print(ix.evaluate_file(path, true="y", pred="p").n)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux, which limits the data of a process")
@pytest.mark.parametrize("form", ["parquet", "csv"])
@pytest.mark.posix
def test_a_file_ten_times_as_large_as_the_memory_is_evaluated(tmp_path: Path, form: str) -> None:
    path, small = tmp_path / f"rows.{form}", tmp_path / f"small.{form}"
    if form == "parquet":  # every column is read: two integers of 8 bytes
        batch = pa.table({"y": np.arange(200_000) % 100, "p": np.arange(200_000) % 97})
        for name, times in ((small, 1), (path, 80)):
            with parquet.ParquetWriter(name, batch.schema, compression="none", use_dictionary=False) as out:
                for _ in range(times):
                    out.write_table(batch)
        n = 80 * 200_000
    else:
        lines = b"".join(b"%b %02d,%b %02d\n" % (b"a" * 57, i % 100, b"a" * 57, i % 97) for i in range(10_000))
        small.write_bytes(b"y,p\n" + lines)
        with path.open("wb") as out:
            out.write(b"y,p\n")
            for _ in range(210):
                out.write(lines)
        n = 210 * 10_000
    assert path.stat().st_size > 10 * LIMIT
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(LIMITED), str(path), str(small), str(LIMIT)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **RETURNED},
    )
    assert done.stdout == f"{n}\n", done.stderr


FULL = """
    import resource, signal, sys
    import indicatrix as ix
    ev = ix.evaluate(list(range(300)), list(range(300)))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    try:
        ev.save(sys.argv[1])
    except OSError as wrong:
        print(wrong.strerror)
"""


@pytest.mark.posix
def test_a_full_disk_leaves_the_old_file_whole(tmp_path: Path) -> None:
    path, old = tmp_path / "ev.json", ix.evaluate([0, 1], [0, 1])
    old.save(path)
    code = textwrap.dedent(FULL)
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout == "File too large\n"
    assert ix.load(path) == old
    assert [file.name for file in tmp_path.iterdir()] == ["ev.json"]


class FailingDisk(LocalFileSystem):
    """Files that are on a disk, whose last bytes cannot be read until it is repaired."""

    cachable = False
    repaired = False

    def _open(self, path: str, mode: str = "rb", **options: Any) -> Any:
        file = io.FileIO(path, mode.replace("b", ""))
        read, last = file.read, os.path.getsize(path) - 100

        def fail(size: int = -1) -> bytes:
            if file.tell() + (size if size >= 0 else last) > last and not self.repaired:
                raise OSError(errno.EIO, "Input/output error")
            return bytes(read(size))

        return SimpleNamespace(read=fail, seek=file.seek, tell=file.tell, close=file.close, closed=False, readable=lambda: True)


def test_a_read_error_names_the_file_and_the_run_goes_on_later(table: pa.Table, tmp_path: Path) -> None:
    path, kept, disk = tmp_path / "rows.csv", tmp_path / "run.checkpoint", FailingDisk()
    write(pa.concat_tables([table] * 40), path)
    given: dict[str, Any] = {"true": "ty", "pred": "tp", "checkpoint": kept, "checkpoint_every": 0, "filesystem": disk}
    with pytest.raises(OSError, match=r"rows\.csv cannot be read: .*Input/output error"):
        ix.evaluate_file(path, **given)
    before = kept.read_bytes()
    with pytest.raises(OSError, match=r"rows\.csv cannot be read: .*Input/output error"):
        ix.evaluate_file(path, **given)
    assert kept.read_bytes() == before
    disk.repaired = True
    assert ix.evaluate_file(path, **given) == ix.evaluate_file(path, true="ty", pred="tp")


def test_options_that_do_not_go_together_are_refused(table: pa.Table, tmp_path: Path) -> None:
    path = write(table, tmp_path / "rows.parquet")
    for asked, said in (
        ({"true": "y"}, "one of them"),
        ({"true": "y", "score": "s"}, "How do the scores become decisions"),
        ({"true": "y", "pred": "p", "decide": 0.5}, "name the columns of scores"),
        ({"true": "y", "pred": "p", "scores": True}, "name the columns of scores"),
        ({"true": "b", "score": "s", "scores": True, "by": "site"}, "no groups"),
        ({"true": "b", "score": "s", "scores": True, "cost": "zero_one"}, "cost= is for decisions"),
        ({"true": "b", "score": "s", "scores": True, "unobserved": ("tn",)}, "unobserved= is for decisions"),
        ({"true": "b", "score": "s", "scores": True, "abstained": "mask"}, "abstained= is for decisions"),
        ({"true": "y", "pred": "p", "cost": [[0, 1], [1, 0]]}, "Give classes="),
        ({"true": "y", "pred": "p", "average": "macro"}, "^evaluate_file takes no average=; an average belongs to a score"),
        ({"true": "ty", "score": ["s0", "s1"], "decide": "argmax"}, "Which classes are the columns"),
    ):
        with pytest.raises((TypeError, ValueError), match=said):
            ix.evaluate_file(path, **asked)
    with pytest.raises(ValueError, match=r"has no column 'wrd'\. Did you mean"):
        ix.evaluate_file(path, true="wrd", pred="p")
    with pytest.raises(FileNotFoundError, match=r"Did you mean .*rows\.parquet"):
        ix.evaluate_file(tmp_path / "row.parquet", true="y", pred="p")


def test_one_row_and_no_rows(tmp_path: Path) -> None:
    one = pa.table({"y": ["a"], "p": ["b"]})
    for form in ("parquet", "arrow", "csv", "jsonl"):
        path = tmp_path / f"one.{form}"
        if form == "jsonl":
            path.write_text('{"y": "a", "p": "b"}', "utf-8")
        elif form == "csv":
            csv.write_csv(one, path)
        else:
            write(one, path)
        same(ix.evaluate_file(path, true="y", pred="p"), ix.evaluate(["a"], ["b"]))
    write(one.slice(0, 0), tmp_path / "none.parquet")
    with pytest.raises(ValueError, match="no rows"):
        ix.evaluate_file(tmp_path / "none.parquet", true="y", pred="p")
    same(ix.evaluate_file([tmp_path / "none.parquet", tmp_path / "one.parquet"], true="y", pred="p"), ix.evaluate(["a"], ["b"]))


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
@pytest.mark.parametrize("codes", [False, True])
def test_a_blank_text_is_missing_in_every_type_of_texts(tmp_path: Path, kind: pa.DataType, codes: bool) -> None:
    texts = pa.array(["a", " ", "b"], kind)
    texts = texts.dictionary_encode() if codes else texts
    path = write(pa.table({"y": texts, "p": texts}), tmp_path / "rows.arrow")
    with pytest.raises(ValueError, match=r"rows\.arrow, data row 2, column 'y' is empty"):
        ix.evaluate_file(path, true="y", pred="p")
    assert ix.evaluate_file(path, true="y", pred="p", missing="mask").classes == ("a", "b")
