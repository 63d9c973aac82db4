"""Checkpoints: a run goes on only with the same options and files, and a file that is wrong or cannot be written is said."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from loops import for_each
from pyarrow import parquet

import indicatrix as ix
from fuzz.structures import mutate
from indicatrix.engines.files.checkpoint import digest

M = 40
Y = np.arange(400) % M
P = np.where(np.arange(400) % 3, Y, (Y + 7) % M)
COSTS = np.random.default_rng(0).random((M, M)) * ~np.eye(M, dtype=bool)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of labels, and of scores of each class."""
    scores = {f"s{k}": np.random.default_rng(k).random(400) for k in range(M)}
    parquet.write_table(pa.table({"y": Y, "p": P, **scores}), tmp_path / "rows.parquet", row_group_size=100)
    return tmp_path / "rows.parquet"


def changed(values: np.ndarray, at: Any) -> np.ndarray:
    other = values.copy()
    other[at] += 0.25
    return other


SCORES = {"score": {k: f"s{k}" for k in range(M)}}
OPTIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "cost matrix": ({"cost": COSTS}, {"cost": changed(COSTS, (20, 21))}),
    "cost frame": ({"cost": pd.DataFrame(COSTS)}, {"cost": pd.DataFrame(changed(COSTS, (20, 21)))}),
    "thresholds": (
        {**SCORES, "pred": None, "decide": np.linspace(0, 1, M)},
        {**SCORES, "pred": None, "decide": changed(np.linspace(0, 1, M), 20)},
    ),
    "ordinal": (
        {"ordinal": lambda distance: 1 / (1 + distance), "tnorm": "product"},
        {"ordinal": lambda distance: 1 / (2 + distance), "tnorm": "product"},
    ),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_a_run_with_other_values_of_an_option_is_refused(path: Path, name: str) -> None:
    first, second = ({"true": "y", "pred": "p", "classes": range(M), **given} for given in OPTIONS[name])
    kept = path.with_suffix(".checkpoint")
    expected = ix.evaluate_file(path, **first, checkpoint=kept)
    assert ix.evaluate_file(path, **first, checkpoint=kept) == expected
    option = name.split()[0] if "thresholds" not in name else "decide"
    with pytest.raises(ValueError, match=rf"of another run: {option} (was .* and is|has other values)"):
        ix.evaluate_file(path, **second, checkpoint=kept)
    if "cost" in name:
        assert ix.evaluate_file(path, **second) != expected


def test_a_digest_is_of_values() -> None:
    same: list[Callable[[], Any]] = [
        lambda: {"a": [1, 2.5, None], "b": {3, "x"}},
        lambda: np.arange(5000),
        lambda: np.array(["a", None, 2**70], object),
        lambda: ix.top_k(3),
        lambda: ix.taxonomy({"cat": "animal", "dog": "animal"}, root=None),
        lambda: pd.DataFrame({"a": [1, 2]}),
        lambda: ix.types.Replicates(20, seed=3),
        lambda: lambda x: x + 1,
        lambda: min,
    ]
    found = [digest(make()) for make in same]
    assert found == [digest(make()) for make in same]
    other = [
        *({"a": [1, 2.5, None], "b": {3, "y"}}, changed(np.arange(5000.0), 2500), np.array(["a", None, 2**70 + 1], object)),
        *(
            ix.top_k(2),
            ix.taxonomy({"cat": "animal", "dog": "cat"}, root=None),
            pd.DataFrame({"b": [1, 2]}),
            ix.types.Replicates(20, seed=4),
        ),
        *(lambda x: x + 2, max, np.arange(5000.0), np.arange(5000).reshape(50, 100), 1, "1", True, 1.0, b"1", None, [], [[]], ()),
    ]
    assert len({*found, *map(digest, other)}) == len(found) + len(other) - 1  # a list and a tuple mean the same
    assert digest(open) != digest(print)


def content(kept: Path) -> dict[str, Any]:
    return {name: value for name, value in json.loads(kept.read_text(encoding="utf-8")).items() if name != "checksum"}


def write(kept: Path, data: dict[str, Any]) -> None:
    checksum = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
    kept.write_text(json.dumps({**data, "checksum": checksum}), encoding="utf-8")


RUNS: dict[str, dict[str, Any]] = {
    "labels": {"pred": "p"},
    "counted": {"pred": "p", "bad": "count", "classes": range(M)},
    "several": {"pred": ["p", "y"]},
    "bins": {"true": "b", "score": "s0", "scores": True},
}


def interrupted(path: Path, kept: Path, run: dict[str, Any]) -> None:
    """Leave a checkpoint of a part of the rows."""

    def stop(now: ix.types.Progress) -> None:
        if now.rows > 200:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ix.evaluate_file(path, **{"true": "y", **run}, checkpoint=kept, checkpoint_every=0, progress=stop)


def test_a_wrong_value_with_a_correct_checksum_is_refused(path: Path) -> None:
    kept = path.with_suffix(".checkpoint")
    interrupted(path, kept, RUNS["labels"])
    whole = content(kept)

    @for_each("name", ["file", "rows", "total", "bad", "numbers", "state", "run"])
    @for_each("value", ["missing", -5, 10**30, True, None, "x", [], {}, {"evaluation": {}}, {"binned": {"n": 1}}])
    def refused(name: str, value: Any) -> None:
        if name == "numbers" and value == []:
            return  # as it was
        others = {key: other for key, other in whole.items() if key != name}
        write(kept, others if value == "missing" else {**others, name: value})
        with pytest.raises(ValueError, match=r"rows\.checkpoint cannot be read: "):
            ix.evaluate_file(path, true="y", pred="p", checkpoint=kept)

    refused()


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_a_changed_structure_is_refused_or_behaves(path: Path, name: str) -> None:
    table = parquet.read_table(path)
    parquet.write_table(table.append_column("b", pa.array(Y % 2)), path, row_group_size=100)
    kept, rng, run = path.with_suffix(".checkpoint"), random.Random(name), {"true": "y", **RUNS[name]}
    interrupted(path, kept, RUNS[name]) if name != "bins" else ix.evaluate_file(path, **run, checkpoint=kept)
    original = json.dumps(content(kept))
    for _ in range(100):
        data = json.loads(original)
        mutate(data, rng)
        write(kept, data)
        try:
            found = ix.evaluate_file(path, **run, checkpoint=kept)
        except ValueError as wrong:
            assert str(path.parent) in str(wrong)  # noqa: PT017 - others pass
        else:
            assert found.n >= 0
            assert isinstance(repr(found), str)


FULL = """
    import resource, signal, sys, warnings
    import indicatrix as ix
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    expected = ix.evaluate_file(sys.argv[1], true="y", pred="p")
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = ix.evaluate_file(sys.argv[1], true="y", pred="p", checkpoint=sys.argv[2], checkpoint_every=0)
    print(found == expected, len(said), said[0].category.__name__, said[0].message)
"""


@pytest.mark.slow
@pytest.mark.posix
def test_a_full_disk_does_not_end_the_run(path: Path) -> None:
    kept = path.with_suffix(".checkpoint")
    code = textwrap.dedent(FULL)
    done = subprocess.run([sys.executable, "-c", code, str(path), str(kept)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(
        f"True 1 RuntimeWarning The checkpoint {kept} cannot be written: File too large. The run goes on"
    )
    assert not kept.exists()


@pytest.mark.posix
def test_a_checkpoint_that_can_never_be_written_is_refused_at_once(path: Path) -> None:
    os.mkfifo(path.with_name("pipe"))
    seen: list[ix.types.Progress] = []
    for kept, said in (
        (path.parent / "none" / "x", "There is no folder"),
        (path.parent, "a folder"),
        (path.with_name("pipe"), "pipe"),
    ):
        with pytest.raises((OSError, ValueError), match=said):
            ix.evaluate_file(path, true="y", pred="p", checkpoint=kept, progress=seen.append)
    assert not seen


@pytest.mark.parametrize("asked", [{"missing": "mask"}, {"bad": "count"}], ids=str)
def test_rows_that_are_left_out_are_part_of_what_was_read(tmp_path: Path, asked: dict[str, Any]) -> None:
    labels = [None if k % 7 == 0 else int(y) for k, y in enumerate(Y)]
    parquet.write_table(pa.table({"y": labels, "p": P}), tmp_path / "rows.parquet", row_group_size=100)
    path, kept = tmp_path / "rows.parquet", tmp_path / "rows.checkpoint"
    interrupted(path, kept, {"pred": "p", **asked})
    expected = ix.evaluate_file(path, true="y", pred="p", **asked)
    assert ix.evaluate_file(path, true="y", pred="p", **asked, checkpoint=kept) == expected
