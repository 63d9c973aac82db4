"""Dask and Spark: one state for each partition, added where the workers are.

Dask: data frames and arrays, added in a tree. Spark: through mapInArrow, added on few tasks; or counted by Spark.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..encode.containers import read
from ..encode.plain_forms import Labels
from ..encode.vocabulary import distinct
from ..evaluate import OPTION_NAMES, options_of
from ..settings.options import PER_ROW
from ..words.call_mistakes import answers_mistakes
from ..words.names_elsewhere import refuse_unknown
from ..words.wording import type_of
from .arrow_columns import is_list
from .column_roles import ColumnRoles, bits_of, check_bins, roles_of
from .partitions import (
    COUNT,
    Refused,
    T,
    check_result,
    classes_of,
    evaluate_partitions,
    evaluate_rows,
    finish,
    finish_state,
    is_countable,
    merge,
    refuse_numbered,
    state_of_distinct,
    unite,
)


def is_array(data: Any) -> bool:
    """Return whether something is a Dask array."""
    return hasattr(data, "chunks") and hasattr(data, "__dask_graph__")


def evaluate_arrays(
    y_true: Any, y_pred: Any, rows: Mapping[str, Any], *, bits: int | None, by: Any, design: Any, **options: Any
) -> Any:
    """Return the evaluation of Dask arrays, whose first axis is that of the examples.

    ``rows`` are arrays, too, or None.
    """
    allowed = [name for name in OPTION_NAMES if name not in PER_ROW]
    refuse_unknown("evaluate_dask", options, allowed)
    if not is_array(y_pred):
        raise TypeError(f"y_true is a Dask array, so y_pred must be one, too; it is {type_of(y_pred)}.")
    if by is not None and not isinstance(by, Mapping):
        raise TypeError(f"by= names arrays of groups, {{'site': ids}}; it is {type_of(by)}.")
    if design is not None and not isinstance(design, Mapping):
        raise TypeError(f"design= names arrays, {{'strata': ids}}, or a way, {{'strata': 'judge'}}; it is {type_of(design)}.")
    given: dict[Any, Any] = {"y_true": y_true, "y_pred": y_pred, **rows}
    given |= {("by", axis): ids for axis, ids in (by or {}).items()}
    given |= {("design", name): values for name, values in (design or {}).items() if is_array(values)}
    named = {name: way for name, way in (design or {}).items() if not is_array(way)}
    arrays = {name: _blocks(array, y_true, _in_words(name)) for name, array in given.items() if array is not None}
    if options.get("targets") is not None and options.get("classes") is None and options.get("known") is None:
        raise TypeError(
            "targets= of arrays needs classes=, because a block may lack some labels of a target: classes={0: […], 1: […]}. "
            "Or give a Dask data frame and name its columns, of which the labels are found."
        )
    scored = bits is not None or options.get("decide") is not None
    wide = y_true.ndim == 2 or y_pred.ndim == 2
    roles = ColumnRoles(("y_true",), (("y_pred", ("y_pred",)),), scored, wide, options=options_of(options), bits=bits)
    check_bins(roles)
    refuse_numbered(roles)
    parts = _parts(arrays)
    if roles.options.targets is None and roles.needs_classes:
        labels = check_result(total(parts, _labels_of_block, unite))
        roles = roles.with_classes(classes_of(labels, roles))
    state = check_result(total(parts, partial(_state_of_block, roles=roles, design=named), merge))
    if state is None:
        state = _evaluate({name: np.empty((0, *array.shape[1:]), array.dtype) for name, array in arrays.items()}, roles, named)
    return finish(state, roles)


def _in_words(name: Any) -> str:
    return name if isinstance(name, str) else f"{name[0]}[{name[1]!r}]"


def _blocks(array: Any, y_true: Any, name: str) -> Any:
    """Return an array in the blocks of the true labels, each with all columns."""
    from dask import array as arrays

    as_dask: Any = arrays.asarray  # which has no types
    array = as_dask(array)
    if array.ndim == 2 and array.numblocks[1] > 1:
        array = array.rechunk({1: -1})
    if array.ndim not in (1, 2):
        raise ValueError(f"{name} has {array.ndim} dimensions; give one, or two with a column for each label.")
    here, there = array.chunks[0], y_true.chunks[0]
    if np.isnan((*here, *there)).any():
        if len(here) != len(there):
            raise ValueError(
                f"{name} has {len(here)} blocks, y_true has {len(there)}, and their lengths are unknown. "
                "Call compute_chunk_sizes() on both arrays first."
            )
        return array
    if sum(here) != sum(there):
        raise ValueError(f"{name} has {sum(here)} rows, and y_true has {sum(there)}.")
    return array if here == there else array.rechunk({0: there})


def _parts(arrays: Mapping[Any, Any]) -> list[Any]:
    """Return for each block of rows a task that makes its arrays by name."""
    from dask.delayed import delayed

    blocks = (array.to_delayed().ravel() for array in arrays.values())
    return [delayed(dict, pure=False)([*zip(arrays, block, strict=True)]) for block in zip(*blocks, strict=True)]


def _labels_of_block(block: Mapping[Any, Any], number: int) -> Any:
    try:
        forms = [read(block[name], name) for name in ("y_true", "gold") if name in block]
        return set().union(*(distinct(form) for form in forms if isinstance(form, Labels)))
    except (TypeError, ValueError) as error:
        return Refused(error, number, 0)


def _state_of_block(block: Mapping[Any, Any], number: int, *, roles: ColumnRoles, design: Mapping[str, Any]) -> Any:
    try:
        return _evaluate(block, roles, design) if len(block["y_true"]) else None
    except (TypeError, ValueError) as error:
        return Refused(error, number, 0)


def _evaluate(block: Mapping[Any, Any], roles: ColumnRoles, design: Mapping[str, Any]) -> Any:
    axes, chosen = ({name[1]: ids for name, ids in block.items() if name[0] == of} for of in ("by", "design"))
    rows = {name: block.get(name) for name in ("sample_weight", "mask", "gold")}
    rows |= {"by": axes or None, "design": {**design, **chosen} or None}
    return evaluate_rows(block["y_true"], {"y_pred": block["y_pred"]}, rows, roles)


@answers_mistakes
def evaluate_dask(
    data: Any,
    y_pred: Any = None,
    *,
    true: Any = None,
    pred: Any = None,
    score: Any = None,
    scores: bool | int = False,
    by: Any = None,
    sample_weight: Any = None,
    mask: Any = None,
    gold: Any = None,
    design: Any = None,
    **options: Any,
) -> Any:
    """Return the evaluation of columns of a Dask data frame, or of Dask arrays.

    Each partition is counted where it is, and the states are added in a tree; no rows move, and only the columns that are named
    are read. The result is that of ``ix.evaluate`` on all rows at once, for any partitions in any order. It runs on the client
    of ``dask.distributed`` that is active, or in threads. It needs ``pip install 'indicatrix[dask]'``, on the workers, too.

    Parameters
    ----------
    data : dask.dataframe.DataFrame or dask.array.Array
        The frame; or the true labels, an array of one dimension, or of two, with a 0/1 column for each label.
    y_pred : dask.array.Array, optional
        The predictions, or with decide= the scores, where the true labels are an array, too.
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
        Columns of groups, each an axis. A mapping gives the axes other names, ``{"site": "hospital_id"}``. With arrays:
        ``{"site": array}``.
    sample_weight : str or array, optional
        The column of weights; with arrays, an array.
    mask : str, iterable of str or array, optional
        The column that is True where a row was observed; for several labels also a column for each. With arrays, an array.
    gold : str, iterable of str or array, optional
        The column of true labels of some rows, empty where nobody looked; true= is then what a judge says. With arrays, an array.
    design : str or mapping, optional
        The column of the strata within which the gold rows were chosen at random, or "judge". With arrays, what ``evaluate``
        takes: ``{"strata": array}``, ``{"strata": "judge"}``, ``{"probabilities": array}``.
    **options
        What ``evaluate`` takes, such as classes=, positive=, decide=, missing=.

    Returns
    -------
    Evaluation, PairedCounts or Sweep
        An evaluation of one prediction; of several a joint, which ``ix.compare`` takes; and with scores= a binned sweep.

    Examples
    --------
    >>> import indicatrix as ix
    >>> import dask.dataframe as dd
    >>> import pandas as pd
    >>> df = pd.DataFrame({"animal": ["cat", "dog", "dog"], "model": ["cat", "dog", "cat"], "site": ["x", "x", "y"]})
    >>> ddf = dd.from_pandas(df, npartitions=2)
    >>> ix.evaluate_dask(ddf, true="animal", pred="model", by="site").values("recall", per="site").tolist()
    [1.0, 0.0]
    >>> import dask.array as da
    >>> ix.evaluate_dask(da.from_array([0, 1, 1], chunks=2), da.from_array([0, 1, 0], chunks=2)).score("recall", "macro")
    0.75
    """
    _need_dask()
    bits = bits_of(scores)
    rows = {"sample_weight": sample_weight, "mask": mask, "gold": gold}
    if is_array(data):
        named = {"true": true, "pred": pred, "score": score}
        if given := [f"{name}=" for name, value in named.items() if value is not None]:
            raise TypeError(f"{' and '.join(given)} name columns of a data frame. Give arrays as evaluate_dask(y_true, y_pred).")
        return evaluate_arrays(data, y_pred, rows, bits=bits, by=by, design=design, **options)
    if not (hasattr(data, "to_delayed") and hasattr(data, "columns")):
        raise TypeError(
            f"evaluate_dask reads a Dask data frame or Dask arrays, and this is {type_of(data)}. Use ix.evaluate for arrays in "
            "memory, ix.evaluate_frame for other data frames; of columns of Dask give the frame and their names, true= and pred=."
        )
    if y_pred is not None or true is None:
        raise TypeError("Name the columns of a data frame: evaluate_dask(ddf, true='label', pred='model').")
    roles = roles_of("evaluate_dask", true=true, pred=pred, score=score, bits=bits, by=by, design=design, **rows, **options)
    roles.check_columns([*data.columns], "The frame")
    frame = data[[*roles.columns]]
    return evaluate_partitions(partial(total, _tables(frame)), roles, _arrow(frame._meta))


def _tables(frame: Any) -> list[Any]:
    """Return the partitions of a frame as tasks, each of which makes a list of one Arrow table."""
    from dask.delayed import delayed

    read = delayed(_read_partition, pure=False)
    return [read(part) for part in frame.to_delayed()]


def _read_partition(frame: Any) -> list[Any]:
    return [_arrow(frame)]


def _arrow(frame: Any) -> Any:
    """Return a partition as an Arrow table, be it of pandas or of cuDF."""
    import pyarrow as pa

    if hasattr(frame, "to_arrow"):  # of cuDF
        return frame.to_arrow(preserve_index=False)
    return pa.Table.from_pandas(frame, preserve_index=False)


def _need_dask() -> None:
    """Refuse to go on without Dask."""
    try:
        import dask  # noqa: F401 - to say that one of them is missing
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ImportError(f"evaluate_dask needs {error.name}, which is not installed: pip install 'indicatrix[dask]'") from None


FAN = 8  # this many results are added by one task


def total(parts: list[Any], count: Callable[..., T], add: Callable[[Iterable[T]], T]) -> T:
    """Return the sum of ``count(part, number)`` over delayed parts.

    The parts of a worker that is lost are counted again.

    >>> from dask import delayed
    >>> total([delayed(part) for part in ([1, 2], [3], [4, 5])], lambda part, number: sum(part), sum)
    15
    """
    from dask.delayed import delayed

    counted, added = delayed(count, pure=False), delayed(add, pure=False)
    level = [counted(part, number) for number, part in enumerate(parts)]
    while len(level) > 1:
        level = [added(level[i : i + FAN]) for i in range(0, len(level), FAN)]
    return level[0].compute() if level else add([])


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
