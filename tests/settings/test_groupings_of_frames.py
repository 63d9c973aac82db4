"""by= takes a data frame wherever it takes groupings by name: each column is an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from loops import for_each

import indicatrix as ix

N = 24
RNG = np.random.default_rng(2)
GROUPS = {"site": RNG.choice(["x", "y"], N).tolist(), "day": RNG.integers(0, 3, N).tolist()}
Y, Z, S = RNG.integers(0, 2, N), RNG.integers(0, 2, N), RNG.random(N)
TABLE = RNG.integers(0, 2, (N, 3))


class Exported:
    """A frame of a library that this one does not know: it hands its columns over through Arrow."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self.table = pa.table(columns)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


FRAMES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": pa.table,
    "record batch": lambda columns: pa.RecordBatch.from_pydict(columns),
    "any frame": Exported,
}
TAGS = [["B-PER", "O"], ["O", "B-LOC"]] * (N // 2)
RANKS = RNG.random((N, 3))
MAPS = RNG.integers(0, 2, (N, 2, 2))
CALLS: dict[str, Callable[[Any], Any]] = {
    "evaluate": lambda by: ix.evaluate(Y, Z, by=by).values("accuracy", per=("site", "day")),
    "evaluate, multilabel": lambda by: ix.evaluate(TABLE, TABLE[::-1], by=by).values("f1", per=("site", "day")),
    "measure": lambda by: ix.recall(Y, Z, by=by, average="site"),
    "interval": lambda by: ix.recall(Y, Z, by=by, average="site", interval=True).low,
    "sweep": lambda by: ix.sweep(Y, S, by=by).split("site")["x"].of().auc,
    "area": lambda by: ix.auc(Y, S, by=by, average="site"),
    "brier": lambda by: ix.brier(Y, S, by=by, average="site"),
    "ranking": lambda by: ix.ndcg(TABLE, RANKS, by=by, average="site"),
    "compare": lambda by: [row.values for row in ix.compare(Y, {"a": Z, "b": Y}, "f1", "macro", by=by).groups["site"]],
    "joint": lambda by: ix.inference.paired_counts(Y, {"a": Z, "b": Y}, by=by).evaluations[0].values("recall", per="day"),
    "stream": lambda by: ix.Stream().update(Y, Z, by=by).evaluation.values("recall", per="site"),
    "cost": lambda by: ix.cost(Y, Z, "zero_one", by=by, average="site"),
    "spans": lambda by: ix.tasks.sequences(TAGS, TAGS[::-1], by=by).tokens.values("recall", per="site"),
    "cells": lambda by: ix.cells(ix.one_hot(Y, [0, 1]), ix.one_hot(Z, [0, 1]), by=by).aggregate("site").tp,
    "bags": lambda by: ix.tasks.multi_instance(Y.tolist(), S, np.arange(N), by=by).bags.values("recall", per="site"),
    "segmentation": lambda by: ix.segmentation([*MAPS], [*MAPS[::-1]], by=by).values("accuracy", per="site"),
}


@for_each("call", CALLS)
@for_each("kind", FRAMES)
def test_every_column_is_an_axis(kind: str, call: str) -> None:
    found, expected = CALLS[call](FRAMES[kind](GROUPS)), CALLS[call](GROUPS)
    np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))
    assert getattr(found, "names", None) == getattr(expected, "names", None)


@pytest.mark.parametrize("column", [pd.Series(GROUPS["site"], name="site"), pl.Series("site", GROUPS["site"])])
def test_a_column_with_a_name_is_an_axis(column: Any) -> None:
    assert ix.evaluate(Y, Z, by=column) == ix.evaluate(Y, Z, by={"site": GROUPS["site"]})


def test_the_index_of_a_frame_must_be_that_of_the_labels() -> None:
    y, by = pd.Series(Y), pd.DataFrame(GROUPS)
    assert ix.evaluate(y, pd.Series(Z), by=by) == ix.evaluate(Y, Z, by=GROUPS)
    with pytest.raises(ValueError, match="site"):
        ix.evaluate(y, pd.Series(Z), by=by.iloc[::-1])


@pytest.mark.parametrize(
    ("by", "kind", "words"),
    [
        (pd.DataFrame([[1, 2]] * N, columns=["site", "site"]), ValueError, "two columns 'site'"),
        (pd.DataFrame([[1, 2]] * N), TypeError, "its name must be text"),
        (pd.DataFrame({"site": [1]}), ValueError, "has 1 entries for 24 examples"),
        (pd.DataFrame({"class": [1] * N}), ValueError, "cannot be called 'class'"),
        (GROUPS["site"], TypeError, "by= is a list; give a name for each grouping, by={'fold': ids}, or a data frame of them."),
        (pd.Series(GROUPS["site"]), TypeError, "by= is a Series; give a name for each grouping"),
    ],
)
def test_what_names_no_axis_is_refused(by: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as error:
        ix.evaluate(Y, Z, by=by)
    assert words in str(error.value)
