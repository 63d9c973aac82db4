"""DuckDB and lazy frames of Polars: what their engines count equals what the rows give in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import narwhals.stable.v2 as nw
import polars as pl
import pyarrow as pa
import pytest
from rows_of_all_kinds import CASES, in_memory, rows

import indicatrix as ix
from indicatrix.engines.column_roles import roles_of
from indicatrix.engines.frames import evaluate_lazy

COUNTED = (  # the others need rows
    "labels",
    "integers by two groups",
    "fixed classes and costs",
    "positive class that most parts lack",
    "missing labels",
    "masked rows",
    "an order",
)
ENGINES: dict[str, Callable[[pa.Table], Any]] = {
    "duckdb": lambda table: duckdb.connect().from_arrow(table),
    "polars": lambda table: pl.from_arrow(table).lazy(),  # type: ignore[union-attr]
}


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return rows()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", [case for case in CASES if case not in ("several predictions", "binned scores")])
def test_an_engine_counts_what_memory_counts(case: str, engine: str, table: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []

    def note(frame: Any, roles: Any) -> Any:
        counted.append(evaluate_lazy(frame, roles))
        return counted[-1]

    monkeypatch.setattr("indicatrix.engines.frames.evaluate_lazy", note)
    assert ix.evaluate_frame(ENGINES[engine](table), **CASES[case]) == in_memory(table, CASES[case])
    assert any(one is not None for one in counted) == (case in COUNTED)


def test_declared_categories_and_dates_are_read_as_rows() -> None:
    kinds = pl.Enum(["dog", "cat", "ant"])
    df = pl.DataFrame({"y": pl.Series(["cat", "dog"], dtype=kinds), "z": pl.Series(["cat", "cat"], dtype=kinds)})
    assert ix.evaluate_frame(df.lazy(), true="y", pred="z").classes == ("dog", "cat", "ant")
    days = df.select(y=pl.date(2026, 1, pl.lit(31)), z=pl.date(2026, 1, pl.lit(31)))
    assert ix.evaluate_frame(days.lazy(), true="y", pred="z").classes == ("2026-01-31",)


def test_a_wrong_row_is_named_as_in_memory(table: pa.Table) -> None:
    messages = []
    for frame in (table, pl.from_arrow(table).lazy()):  # type: ignore[union-attr]
        with pytest.raises(ValueError, match="is missing") as error:
            ix.evaluate_frame(frame, true="animal_or_none", pred="model")
        messages.append(str(error.value))
    assert messages[0] == messages[1]


@pytest.mark.slow
def test_rows_of_many_copies_are_counted_without_making_them() -> None:
    relation = duckdb.sql("SELECT i % 2 AS y, i % 3 = 0 AS z FROM range(10_000_000) AS t(i)").select("y, z::INT AS z")
    ev = evaluate_lazy(nw.from_native(relation), roles_of("evaluate_frame", true="y", pred="z"))
    assert (ev.n, ev.confusion.tolist()) == (10_000_000, [[3333333, 1666667], [3333333, 1666667]])
