"""Dask arrays: blocks of rows that belong together, each evaluated where it is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from ..algebra.names_elsewhere import refuse_unknown
from ..algebra.wording import type_of
from ..encode.containers import read
from ..encode.plain_forms import Labels
from ..encode.vocabulary import distinct
from ..evaluate import OPTION_NAMES, options_of
from ..settings.arguments.options import PER_ROW
from .column_roles import ColumnRoles, check_bins
from .dask_tree import total
from .partitions import Refused, check_result, merge, refuse_numbered, unite
from .record_batches import classes_of, evaluate_rows, finish


def is_array(data: Any) -> bool:
    """Return whether something is a Dask array."""
    return hasattr(data, "chunks") and hasattr(data, "__dask_graph__")


def evaluate_arrays(y_true: Any, y_pred: Any, *, bits: int | None, by: Any, sample_weight: Any, mask: Any, **options: Any) -> Any:
    """Return the evaluation of Dask arrays, whose first axis is that of the examples."""
    allowed = [name for name in OPTION_NAMES if name not in PER_ROW]
    refuse_unknown("evaluate_dask", options, allowed)
    if not is_array(y_pred):
        raise TypeError(f"y_true is a Dask array, so y_pred must be one, too; it is {type_of(y_pred)}.")
    if by is not None and not isinstance(by, Mapping):
        raise TypeError(f"by= names arrays of groups, {{'site': ids}}; it is {type_of(by)}.")
    given: dict[Any, Any] = {"y_true": y_true, "y_pred": y_pred, "sample_weight": sample_weight, "mask": mask}
    given |= {("by", axis): ids for axis, ids in (by or {}).items()}
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
    state = check_result(total(parts, partial(_state_of_block, roles=roles), merge))
    if state is None:
        state = _evaluate({name: np.empty((0, *array.shape[1:]), array.dtype) for name, array in arrays.items()}, roles)
    return finish(state, roles)


def _in_words(name: Any) -> str:
    return name if isinstance(name, str) else f"by[{name[1]!r}]"


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
        form = read(block["y_true"], "y_true")
        return distinct(form) if isinstance(form, Labels) else set()
    except (TypeError, ValueError) as error:
        return Refused(error, number, 0)


def _state_of_block(block: Mapping[Any, Any], number: int, *, roles: ColumnRoles) -> Any:
    try:
        return _evaluate(block, roles) if len(block["y_true"]) else None
    except (TypeError, ValueError) as error:
        return Refused(error, number, 0)


def _evaluate(block: Mapping[Any, Any], roles: ColumnRoles) -> Any:
    axes = {name[1]: ids for name, ids in block.items() if isinstance(name, tuple)}
    rows = {"by": axes or None, "sample_weight": block.get("sample_weight"), "mask": block.get("mask")}
    return evaluate_rows(block["y_true"], {"y_pred": block["y_pred"]}, rows, roles)
