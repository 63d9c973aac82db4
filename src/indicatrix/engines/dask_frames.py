"""Dask: data frames and arrays, one state for each partition, added in a tree where the workers are."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..algebra.call_mistakes import answers_mistakes
from ..algebra.wording import type_of
from .column_roles import bits_of, roles_of
from .dask_arrays import evaluate_arrays, is_array
from .dask_tree import total
from .partitions import evaluate_partitions


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
    rows = {"by": by, "sample_weight": sample_weight, "mask": mask}
    if is_array(data):
        named = {"true": true, "pred": pred, "score": score}
        if given := [f"{name}=" for name, value in named.items() if value is not None]:
            raise TypeError(f"{' and '.join(given)} name columns of a data frame. Give arrays as evaluate_dask(y_true, y_pred).")
        return evaluate_arrays(data, y_pred, bits=bits, **rows, **options)
    if not (hasattr(data, "to_delayed") and hasattr(data, "columns")):
        raise TypeError(
            f"evaluate_dask reads a Dask data frame or Dask arrays, and this is {type_of(data)}. Use ix.evaluate for arrays in "
            "memory, ix.evaluate_frame for other data frames; of columns of Dask give the frame and their names, true= and pred=."
        )
    if y_pred is not None or true is None:
        raise TypeError("Name the columns of a data frame: evaluate_dask(ddf, true='label', pred='model').")
    roles = roles_of("evaluate_dask", true=true, pred=pred, score=score, bits=bits, **rows, **options)
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
