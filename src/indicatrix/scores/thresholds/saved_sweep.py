"""Sweeps as plain data for files, and back: ranked scores or bins of columns and groups, no examples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...ranking.ranked import Ranked, rank_scores
from ...storage.json_values import array_in, array_out, counts_in, dict_in, fields, list_in, name_in, name_out, names_in, whole_in
from ...words.wording import short
from .bins import Bins, check_bits, keys_of
from .sweep import Sweep

KINDS = ("binary", "multiclass", "multilabel")
OF_BINS = ("lowest", "highest", "positives", "negatives")
FLOATS = {2: np.float16, 4: np.float32, 8: np.float64}  # by the bytes of a score


def to_data(sweep: Sweep) -> dict[str, Any]:
    """Return a sweep as plain data."""
    return {
        "kind": sweep.kind,
        "classes": [name_out(c) for c in sweep.classes],
        "units": [name_out(c) for c in sweep.columns],
        "positive": None if sweep.positive is None else [name_out(sweep.positive)],
        **_ranked_out(sweep),
    }


def _ranked_out(sweep: Sweep) -> dict[str, Any]:
    groups = {axis: [[name_out(name), _ranked_out(part)] for name, part in sweep.split(axis).items()] for axis in sweep.axes}
    return {"n": sweep.n, "columns": [_ranking_out(sweep.of(unit)) for unit in sweep.columns], "groups": groups}


def _ranking_out(ranking: Ranked | Bins) -> dict[str, Any]:
    if isinstance(ranking, Bins):
        return {"bits": ranking.bits} | {name: array_out(getattr(ranking, name)) for name in OF_BINS}
    scores, positive, weights = ranking.rows
    return {
        "bytes": ranking.precision,
        "scores": array_out(scores),
        "positive": array_out(positive.astype(np.int64)),
        "weights": None if weights is None else array_out(weights),
    }


def from_data(version: int, data: dict[str, Any]) -> Sweep:
    """Return the sweep that plain data of a version of the format describe."""
    if "bits" in data:
        data = _without_bits(data)
    kind, classes, units, positive = fields(data, ("kind", "classes", "units", "positive"), "the sweep")
    if kind not in KINDS:
        raise ValueError(f"the kind of the sweep is {short(kind)}, not one of {', '.join(KINDS)}")
    called, scored = names_in(classes, "the classes"), names_in(units, "the columns of scores")
    named = () if positive is None else names_in(positive, "the positive class")
    if not scored or not set(scored) <= set(called) or not set(named) <= set(scored) or len(named) > 1 or positive == []:
        raise ValueError(f"the columns of scores are {short(scored)} and the positive class {short(named)} of {short(called)}")
    return _ranked_in(data, Sweep(kind, called, scored, next(iter(named), None), 0, None))


def _without_bits(data: dict[str, Any]) -> dict[str, Any]:
    """Return what earlier versions wrote of bins, whose columns shared their bits, as it is written now."""
    bits, kind, units, columns = fields(data, ("bits", "kind", "units", "columns"), "the state")
    each = [{"bits": bits, **dict_in(column, "a column of scores")} for column in list_in(columns, "the columns of scores")]
    return {**data, "columns": each, "positive": units if kind == "binary" else None, "groups": {}}


def _ranked_in(data: Any, like: Sweep) -> Sweep:
    """Return the ranked scores of all examples, or of a group, as a sweep of the columns of another one."""
    n, columns, groups = fields(data, ("n", "columns", "groups"), "the sweep")
    rankings: list[Ranked | Bins] = [_ranking_in(one) for one in list_in(columns, "the columns of scores")]
    size = whole_in(n, "the number of examples")
    if len(rankings) != len(like.columns) or any(x.bits is None and x.n > size for x in rankings):
        raise ValueError(f"{size} examples have scores in {len(like.columns)} columns, and other rankings are given")
    parts = {axis: _parts_in(some, like) for axis, some in dict_in(groups, "the groups").items()}
    if any(sum(part.n for part in some.values()) != size for some in parts.values()):
        raise ValueError(f"the groups of an axis do not have the {size} examples together")
    return replace(like, n=size, _rankings=dict(zip(like.columns, rankings, strict=True)), _pooled={}, _parts=parts)


def _parts_in(data: Any, like: Sweep) -> dict[Any, Sweep]:
    pairs = [list_in(pair, "a group") for pair in list_in(data, "the groups of an axis")]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("a group is not a name and its scores")
    parts = {name_in(name): _ranked_in(part, like) for name, part in pairs}
    if len(parts) < len(pairs):
        raise ValueError("a group of an axis occurs twice")
    return parts


def _ranking_in(data: Any) -> Ranked | Bins:
    if isinstance(data, dict) and "bits" in data:
        return _bins_in(data)
    size, scores, positive, weights = fields(data, ("bytes", "scores", "positive", "weights"), "a column of scores")
    if type(size) is not int or size not in FLOATS:
        raise ValueError(f"a score has {short(size)} bytes, not 2, 4 or 8")
    given = array_in(scores, "the scores", (None,))
    labels = array_in(positive, "which scores are of positives", given.shape)
    counted = None if weights is None else array_in(weights, "the weights of the scores", given.shape)
    if (
        given.dtype.kind != "f"
        or (given[1:] < given[:-1]).any()
        or labels.dtype.kind != "i"
        or ((labels < 0) | (labels > 1)).any()
    ):
        raise ValueError("the scores are not ascending floats, each of a positive or of a negative")
    if counted is not None and (counted.dtype.kind != "f" or not np.isfinite(counted).all() or not counted.all()):
        raise ValueError("the weights of the scores are not finite floats other than 0")
    own = given.astype(FLOATS[size])
    if not np.array_equal(own, given):
        raise ValueError(f"a score has more digits than {size} bytes hold")
    return rank_scores(own, labels.astype(bool), counted)


def _bins_in(data: Any) -> Bins:
    """Return the bins of one column of scores."""
    bits, lowest, highest, *counts = fields(data, ("bits", *OF_BINS), "a column of scores")
    check_bits(bits)
    low = array_in(lowest, "the lowest scores", (None,))
    high = array_in(highest, "the highest scores", low.shape)
    if low.dtype.kind != "f" or high.dtype.kind != "f":
        raise ValueError("the ends of the bins are not floats")
    positives, negatives = (counts_in(x, "the counts of the bins", low.shape, signed=False) for x in counts)
    keys = keys_of(low, bits)
    if not np.array_equal(keys, keys_of(high, bits)) or (low > high).any() or (keys[1:] >= keys[:-1]).any():
        raise ValueError("the bins are not in order, or a score is in another bin than its own")
    return Bins(bits, keys, low, high, positives, negatives)
