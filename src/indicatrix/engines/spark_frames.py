"""Spark: one state for each partition through mapInArrow, added on few tasks; or counted by Spark."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..words.call_mistakes import answers_mistakes
from ..words.wording import type_of
from .arrow_columns import is_list
from .column_roles import bits_of, roles_of
from .partitions import COUNT, Refused, T, evaluate_partitions, finish_state, is_countable, merge, state_of_distinct

STATE = "state binary"  # the schema of what a partition gives


@answers_mistakes
def evaluate_spark(
    df: Any,
    *,
    true: Any,
    pred: Any = None,
    score: Any = None,
    scores: bool | int = False,
    by: Any = None,
    sample_weight: Any = None,
    mask: Any = None,
    gold: Any = None,
    design: str | None = None,
    **options: Any,
) -> Any:
    """Return the evaluation of columns of a Spark data frame.

    Each partition is counted where it is, through ``mapInArrow``, and the states are added on a few tasks; no rows move, and only
    the columns that are named are read. Plain labels are counted by Spark's own ``groupBy().count()``. The result is that of
    ``ix.evaluate`` on all rows at once, for any partitions in any order. It needs ``pip install 'indicatrix[spark]'``, on the
    executors, too, and Java.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        The data frame.
    true : str or iterable of str
        The column of true labels. A column of lists holds label sets. Several columns are 0/1, one for each label.
    pred : str, iterable of str or mapping, optional
        The column of predictions, or of several labels as many columns as in true=. Several columns of predictions, in a list or
        by name, ``{"lr": "pred_lr", "rf": "pred_rf"}``, are counted together, as ``ix.inference.paired_counts`` does.
    score : str, iterable of str or mapping, optional
        Scores instead of predictions: the column of the positive class, or a column for each class, ``{"cat": "p_cat", …}`` or a
        list in the order of classes=. With decide= they become decisions.
    scores : bool or int, default False
        True makes a binned sweep of the scores, as ``ix.scores.binned`` does, for areas and thresholds. A number is its bits=.
    by : str, iterable of str or mapping, optional
        Columns of groups, each an axis. A mapping gives the axes other names, ``{"site": "hospital_id"}``.
    sample_weight : str, optional
        The column of weights.
    mask : str or iterable of str, optional
        The column that is True where a row was observed; for several labels also a column for each.
    gold : str or iterable of str, optional
        The column of true labels of some rows, empty where nobody looked; true= is then what a judge says.
    design : str, optional
        The column of the strata within which the gold rows were chosen at random, or "judge".
    **options
        What ``evaluate`` takes, such as classes=, positive=, decide=, missing=.

    Returns
    -------
    Evaluation, PairedCounts or Sweep
        An evaluation of one prediction; of several a joint, which ``ix.compare`` takes; and with scores= a binned sweep.

    Examples
    --------
    >>> import indicatrix as ix
    >>> from pyspark.sql import SparkSession  # doctest: +SKIP
    >>> df = SparkSession.builder.getOrCreate().read.parquet("rows/")  # doctest: +SKIP
    >>> ix.evaluate_spark(df, true="animal", pred="model", by="site").score("f1", "macro")  # doctest: +SKIP
    0.6666666666666666
    """
    if not hasattr(df, "mapInArrow"):
        raise TypeError(
            f"evaluate_spark reads a Spark data frame, and this is {type_of(df)}. Use ix.evaluate for arrays, ix.evaluate_frame "
            "for other data frames."
        )
    bits = bits_of(scores)
    columns = {"true": true, "pred": pred, "score": score, "by": by, "sample_weight": sample_weight, "mask": mask}
    columns |= {"gold": gold, "design": design}
    roles = roles_of("evaluate_spark", **columns, bits=bits, **options)
    roles.check_columns(df.columns, "The frame")
    from pyspark.sql import functions

    rows = SparkRows(
        df.select(*(functions.col(_quote(name)).alias(f"c{i}") for i, name in enumerate(roles.columns))), roles.columns
    )
    empty = rows.empty()
    if is_countable(roles) and not any(is_list(kind) for kind in empty.schema.types):
        grouped = rows.frame.groupBy(*rows.frame.columns).agg(functions.count(functions.lit(1)).alias(COUNT))
        state = SparkRows(grouped, (*roles.columns, COUNT)).total(partial(state_of_distinct, roles=roles), merge)
        if not isinstance(state, Refused):  # otherwise a partition says which row it is
            return finish_state(state, roles, empty)
    return evaluate_partitions(rows.total, roles, empty)


@dataclass(frozen=True)
class SparkRows:
    """A frame whose columns are c0, c1, …, as a dot in a name means a field in Spark; and their names."""

    frame: Any
    names: tuple[str, ...]

    def total(self, count: Callable[..., T], add: Callable[[Iterable[T]], T]) -> T:
        """Return the sum of ``count(batches, number)`` over all partitions; the driver gets few sums."""
        counted = self.frame.mapInArrow(_Counting(count, self.names), STATE)
        added = counted.hint("rebalance").mapInArrow(_Adding(add), STATE)  # Spark chooses as many tasks as the bytes need
        return add([pickle.loads(row[0]) for row in added.collect()])

    def empty(self) -> Any:
        """Return an Arrow table with the columns and no rows."""
        from pyspark.sql.pandas.types import to_arrow_schema

        return to_arrow_schema(self.frame.schema).empty_table().rename_columns(self.names)


@dataclass(frozen=True)
class _Counting:
    """What a task does with the batches of a partition: one state, as bytes."""

    count: Callable[..., Any]
    names: tuple[str, ...]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        task = TaskContext.get()
        named = (batch.rename_columns(self.names) for batch in batches)
        yield _pack(self.count(named, task.partitionId() if task is not None else 0))


@dataclass(frozen=True)
class _Adding:
    """What a task does with states: their sum, as bytes."""

    add: Callable[[Iterable[Any]], Any]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        states = [pickle.loads(state.as_py()) for batch in batches for state in batch.column(0)]
        if states:
            yield _pack(self.add(states))


def _pack(state: Any) -> Any:
    import pyarrow as pa

    return pa.record_batch({"state": pa.array([pickle.dumps(state)], pa.binary())})


def _quote(name: str) -> str:
    """Return the name of a column as Spark reads it, whatever characters it has."""
    return f"`{name.replace('`', '``')}`"
