"""Dask: partitions and blocks in any order give what the rows give in memory, also if a worker dies."""

from __future__ import annotations

import os
import signal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from loops import for_each
from rows_of_all_kinds import CASES, in_memory, parts, rows

import indicatrix as ix

dd = pytest.importorskip("dask.dataframe")
da = pytest.importorskip("dask.array")


def frame_of(tables: list[pa.Table]) -> Any:
    pandas = [table.to_pandas(types_mapper=pd.ArrowDtype) for table in tables]
    return dd.from_map(lambda i: pandas[i], range(len(pandas)), meta=pandas[0].iloc[:0])


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return rows()


@for_each(("seed", "case"), [*enumerate(CASES)])
@pytest.mark.one_fast_case
def test_any_partitions_give_the_evaluation_of_all_rows(case: str, seed: int, table: pa.Table) -> None:
    assert ix.evaluate_dask(frame_of(parts(table, seed)), **CASES[case]) == in_memory(table, CASES[case])


def test_arrays_give_the_same_in_any_blocks(table: pa.Table) -> None:
    y, yhat, site, weight = (table[name].to_numpy() for name in ("digit", "guess", "site", "weight"))
    scores = np.column_stack([table[f"p_{i}"] for i in range(5)])
    bits, guesses = (np.column_stack([table[name] for name in names]) for names in (("t.0", "t.1"), ("q 0", "q 1")))
    judge = np.where(scores[:, 1] < 0.8, y, yhat)
    checked = np.where(scores[:, 2] < 0.3, y.astype(object), None)
    calls: list[tuple[Any, Any, dict[str, Any]]] = [
        (y, yhat, {"by": {"site": site}, "sample_weight": weight}),
        (table["animal"].to_numpy(), table["model"].to_numpy(), {"mask": table["seen"].to_numpy()}),
        (judge, yhat, {"gold": checked, "by": {"site": site}}),
        (judge, yhat, {"gold": checked, "design": {"strata": site}, "sample_weight": weight}),
        (judge, yhat, {"gold": checked, "design": {"strata": "judge"}}),
        (y, scores, {"decide": "argmax"}),
        (judge, scores, {"decide": "argmax", "gold": checked}),
        ((y >= 3).astype(int), scores[:, 0], {"decide": 0.4, "positive": 1}),
        (bits, guesses, {"mask": scores[:, :2] < 0.9}),
        (bits, scores[:, :2], {"decide": 0.5}),
        (bits[:0], guesses[:0], {"classes": ["red", "blue"]}),
    ]

    def blocks(value: Any, rows: int) -> Any:
        if isinstance(value, dict):
            return {axis: blocks(ids, rows) for axis, ids in value.items()}
        arrays = isinstance(value, np.ndarray)
        return da.from_array(value, chunks=(rows, *(1 for _ in value.shape[1:]))) if arrays else value

    for y_true, y_pred, options in calls:
        lazy = {name: blocks(value, 97) for name, value in options.items()}
        assert ix.evaluate_dask(blocks(y_true, 130), blocks(y_pred, 77), **lazy) == ix.evaluate(y_true, y_pred, **options)
    binned = ix.evaluate_dask(blocks(bits[:, 0], 130), blocks(scores[:, 0], 99), scores=8)
    assert binned == ix.scores.binned(bits[:, 0], scores[:, 0], bits=8)


def test_errors_say_which_partition_and_what_to_do(table: pa.Table) -> None:
    ddf = frame_of([table.slice(0, 400), table.slice(400)])
    y = da.from_array(table["digit"].to_numpy(), chunks=100)
    with pytest.raises(ValueError, match=r"In partition 0: .*\[\d+\] is missing: .* pass missing='mask'"):
        ix.evaluate_dask(ddf, true="animal_or_none", pred="model")
    with pytest.raises(ValueError, match=r"In partition 1: Label 4 is not in classes="):
        ix.evaluate_dask(ddf, true="digit", pred="digit", classes=[0, 1, 2, 3])
    with pytest.raises(ValueError, match=r"The frame has no column 'modell'\. Did you mean model\?"):
        ix.evaluate_dask(ddf, true="animal", pred="modell")
    with pytest.raises(TypeError, match="no fixed order"):
        ix.evaluate_dask(ddf, true="animal", pred="model", replicates=20)
    with pytest.raises(TypeError, match=r"Use ix.evaluate for arrays in memory"):
        ix.evaluate_dask(table.to_pandas(), true="animal", pred="model")
    with pytest.raises(TypeError, match=r"evaluate_dask\(ddf, true='label', pred='model'\)"):
        ix.evaluate_dask(ddf, pred="model")
    with pytest.raises(TypeError, match=r"pred= name columns of a data frame"):
        ix.evaluate_dask(y, pred="model")
    with pytest.raises(TypeError, match="y_pred must be one, too"):
        ix.evaluate_dask(y, table["digit"].to_numpy())
    with pytest.raises(ValueError, match="y_pred has 599 rows, and y_true has 600"):
        ix.evaluate_dask(y, y[1:])
    with pytest.raises(ValueError, match="compute_chunk_sizes"):
        ix.evaluate_dask(y[y > 2], da.concatenate([y[y > 2], y[y > 2]]))


@pytest.mark.slow
def test_a_worker_that_dies_in_the_middle_changes_nothing(table: pa.Table, tmp_path: Any) -> None:
    distributed = pytest.importorskip("distributed")
    pieces = parts(table, 1)
    for number, piece in enumerate(pieces):
        piece.to_pandas().to_parquet(tmp_path / f"{number}.parquet")

    def read(number: int) -> Any:
        """Read a part; the first process that reads the last one is killed."""
        if number == len(pieces) - 2:
            try:
                os.close(os.open(tmp_path / "killed", os.O_CREAT | os.O_EXCL))
                os.kill(os.getpid(), signal.SIGKILL)
            except FileExistsError:
                pass
        return pd.read_parquet(tmp_path / f"{number}.parquet", dtype_backend="pyarrow")

    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        ddf = dd.from_map(read, range(len(pieces)), meta=read(0).iloc[:0])
        before = {worker["pid"] for worker in client.run(lambda: {"pid": os.getpid()}).values()}
        assert ix.evaluate_dask(ddf, **CASES["weights"]) == in_memory(table, CASES["weights"])
        client.wait_for_workers(2)
        after = {worker["pid"] for worker in client.run(lambda: {"pid": os.getpid()}).values()}
    assert (tmp_path / "killed").exists()
    assert len(before - after) == 1
