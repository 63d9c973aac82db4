"""Multi-output classification: several targets per example as blocks of columns (sec:multioutput).

Accommodated: every target has its own classes and is encoded as if it were alone. The blocks stand side by side, with different
widths and without padding (errata A17); the axis "target" separates them. The limit: dependences between targets are not
modeled.

>>> import indicatrix as ix
>>> truth = {"color": ["red", "blue"], "tags": [{"new"}, {"new", "sale"}]}
>>> guess = {"color": ["red", "red"], "tags": [{"new"}, {"sale"}]}
>>> ev = ix.evaluate(truth, guess, targets=True)
>>> ev.score("recall", "target"), ev.score("recall", "micro"), ev.values("recall", per="target").tolist()
(0.5833333333333333 (target recall, pooled within each target), 0.6, [0.5, 0.6666666666666666])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..algebra.arrays import Mask
from ..algebra.counts import CELLS, Scale
from ..encode.indicator import Indicator
from ..encode.pairs import Pair
from ..encode.plain_forms import Sparse
from ..encode.weights import check_mask
from ..words.wording import listing, short, type_of
from .options import PER_TARGET, Options, Recipe
from .paper_settings import check, requested_settings
from .problem import Problem, prepare


def targets_of(y: Any, targets: Any, argument: str) -> dict[Any, Any]:
    """Return the labels of each target, from a mapping or the columns of a data frame or 2-D array.

    >>> targets_of([["red", "big"], ["blue", "big"]], ["color", "size"], "y_true")["color"].tolist()
    ['red', 'blue']
    """
    if isinstance(targets, str | bytes) or not (targets is True or isinstance(targets, Iterable)):
        raise TypeError(f"targets={short(targets)} must be True or the names of the targets, targets=['color', 'size'].")
    names = None if targets is True else list(targets)
    if names is not None and len(set(names)) < len(names):
        raise ValueError(f"targets={names!r} names a target twice.")
    if isinstance(y, Mapping) or hasattr(y, "columns") or hasattr(y, "column_names"):
        have = list(y) if isinstance(y, Mapping) else list(getattr(y, "column_names", None) or y.columns)
        absent = [name for name in names or () if name not in have]
        if absent:
            raise ValueError(f"{argument} has no target {short(absent[0])}; it has {listing(tuple(have))}.")
        return {name: y[name] for name in (have if names is None else names)}
    table = _table(y, argument)
    if names is not None and len(names) != table.shape[1]:
        raise ValueError(f"targets= names {len(names)} targets, but {argument} has {table.shape[1]} columns. Name each column.")
    return {name: table[:, t] for t, name in enumerate(range(table.shape[1]) if names is None else names)}


def _table(y: Any, argument: str) -> Any:
    if hasattr(y, "__array__"):
        y = np.asarray(y.detach().cpu() if hasattr(y, "detach") else y)  # a plain array, also if y is an np.matrix
    if isinstance(y, list | tuple):
        widths = {len(row) if isinstance(row, list | tuple | np.ndarray) else -1 for row in y}
        if len(widths) > 1 or widths == {-1}:
            raise ValueError(f"{argument} needs one label per example and target: rows of equal length, or a mapping by target.")
        table = np.empty((len(y), max(widths, default=0)), object)
        for i, row in enumerate(y):
            table[i, :] = row
        y = table
    if not isinstance(y, np.ndarray) or y.ndim != 2:
        raise TypeError(
            f"With targets=, {argument} is a mapping from target to labels, a data frame, or a two-dimensional array with one "
            f"column per target; this is {type_of(y)}."
        )
    return y


def prepare_targets(y_true: Any, y_pred: Any, options: Options) -> Problem:
    """Return the problem of all targets side by side, each encoded alone."""
    true, pred = (targets_of(y, options.targets, name) for y, name in zip((y_true, y_pred), options.names, strict=True))
    if set(true) != set(pred):
        here, there = options.names
        raise ValueError(
            f"{here} has the targets {listing(tuple(true))} and {there} {listing(tuple(pred))}; give the same to both."
        )
    if not true:
        raise ValueError("There are no targets. Give a mapping from target to labels, or a column for each.")
    _check_names(options, true)
    problems: dict[Any, Problem] = {}
    for name in true:
        own = _options_of(name, options)
        try:
            check(requested_settings({**own._asdict(), "mask": options.mask, "targets": options.targets}))
            problems[name] = prepare(true[name], pred[name], own)
        except (TypeError, ValueError) as error:
            raise type(error)(f"Target {name!r}: {error}") from error
    sizes = {name: p.n for name, p in problems.items()}
    if len(set(sizes.values())) > 1:
        raise ValueError(f"The targets have different numbers of examples, {sizes}; each needs one label for every example.")
    n = next(iter(sizes.values()))
    return replace(_side_by_side(problems, n), mask=_mask(options.mask, problems, n))


def _options_of(target: Any, options: Options) -> Options:
    """Return the options of one target; the mask, the groups and the weights are those of the examples."""
    own = {k: v.get(target, Options._field_defaults[k]) for k, v in options._asdict().items() if _by_target(k, v)}
    return options._replace(**own, targets=None, mask=None, by=None, sample_weight=None, unobserved=None)


def _by_target(option: str, value: Any) -> bool:
    return option in PER_TARGET and isinstance(value, Mapping)


def _check_names(options: Options, targets: Mapping[Any, Any]) -> None:
    for option, value in options._asdict().items():
        if _by_target(option, value):
            for name in value:
                if name not in targets:
                    raise ValueError(f"{option}= names {short(name)}, which is not one of the targets {listing(tuple(targets))}.")


def _side_by_side(problems: Mapping[Any, Problem], n: int) -> Problem:
    sides: list[tuple[Indicator, Indicator]] = []
    cells: list[Mask | None] = []
    for problem in problems.values():
        pair, seen = problem.pair, problem.pair.cells
        y, yhat = pair.y, pair.yhat
        if pair.rows is not None:  # back to all examples: those left out get an all-zero row that is not observed
            index = np.where(pair.rows, np.cumsum(pair.rows) - 1, -1)
            y, yhat = y.take(index), yhat.take(index)
            full = np.zeros((n, len(y.classes)), bool)
            full[pair.rows] = True if seen is None else seen
            seen = full
        if problem.mask is not None:  # abstentions that are left out
            seen = np.broadcast_to(problem.mask, (n, len(y.classes))) if seen is None else seen & problem.mask
        sides.append((y, yhat))
        cells.append(seen)
    classes = tuple((name, c) for name, p in problems.items() for c in p.pair.y.classes)
    owner = tuple(name for name, p in problems.items() for _ in p.pair.y.classes)
    soft = any(x.soft for side in sides for x in side)
    y, yhat = (Indicator(_blocks([side[i] for side in sides], soft), classes, owner) for i in range(2))
    seen = None
    if any(c is not None for c in cells):
        widths = [len(p.pair.y.classes) for p in problems.values()]
        seen = np.concatenate([np.ones((n, w), bool) if c is None else c for c, w in zip(cells, widths, strict=True)], axis=1)
    made = Recipe(targets=tuple((name, problem.recipe) for name, problem in problems.items()))
    kind = "soft" if any(p.kind == "soft" for p in problems.values()) else "multilabel"
    norm = next((p.norm for p in problems.values()), None)
    return Problem(Pair(y, yhat, False, None, seen), norm, _scales(problems), kind, made)


def _blocks(blocks: list[Indicator], soft: bool) -> Any:
    if soft:
        return np.concatenate([np.asarray(x.matrix, float) for x in blocks], axis=1)
    parts = [x.as_sparse() for x in blocks]
    starts = np.cumsum([0, *(p.width for p in parts)])
    n = len(parts[0])
    row = np.concatenate([np.repeat(np.arange(n), np.diff(p.indptr)) for p in parts])
    column = np.concatenate([p.indices + start for p, start in zip(parts, starts, strict=False)])
    order = np.argsort(row, kind="stable")  # blocks in order with ascending columns make a whole row with ascending columns
    indptr = np.sum([np.asarray(p.indptr, np.int64) for p in parts], axis=0)
    return Sparse(indptr, column[order], np.ones(len(order), bool), int(starts[-1]))


def _scales(problems: Mapping[Any, Problem]) -> Scale | None:
    if all(p.scale is None for p in problems.values()):
        return None
    scales = [p.scale for p in problems.values()]
    if all(x is not None and x.of == "example" for x in scales):
        first, *others = [np.stack([getattr(x, kind) for kind in CELLS]) for x in scales]
        if all(np.array_equal(first, other) for other in others):
            return scales[0]
        raise ValueError(
            "The targets have different costs of examples, and cells have one cost per example. Evaluate each target."
        )
    for name, problem in problems.items():
        if problem.scale is not None and problem.scale.of == "example":
            raise ValueError(f"Target {name!r} has costs of examples, and another target has not. Give cost= for all targets.")
        if problem.scale is not None and problem.scale.of == "pair":
            raise ValueError(
                f"Target {name!r} has a cost matrix; with several targets, costs are per label, ix.tasks.label_costs(…). "
                "ix.cost(y_true[target], y_pred[target], costs) gives the cost of one target."
            )
    tp, fp, fn, tn = (np.concatenate([_column(p, kind) for p in problems.values()]) for kind in CELLS)
    return Scale(tp, fp, fn, tn)


def _column(problem: Problem, kind: str) -> Any:
    return np.ones(len(problem.pair.y.classes)) if problem.scale is None else getattr(problem.scale, kind)


def _mask(mask: Any, problems: Mapping[Any, Problem], n: int) -> Mask | None:
    """Return a mask of the columns, which was given per target, per example and target, or per column."""
    widths = [len(p.pair.y.classes) for p in problems.values()]
    if isinstance(mask, Mapping):
        for name in mask:
            if name not in problems:
                raise ValueError(f"mask= names {short(name)}, which is not one of the targets {listing(tuple(problems))}.")
        blocks = [check_mask(mask.get(name), n, width) for name, width in zip(problems, widths, strict=True)]
        full = [np.broadcast_to(True if b is None else b, (n, w)) for b, w in zip(blocks, widths, strict=True)]
        return np.concatenate(full, axis=1)
    if mask is not None and np.shape(mask) == (n, len(widths)):
        return np.repeat(np.asarray(check_mask(mask, n, len(widths))), widths, axis=1)
    return check_mask(mask, n, sum(widths))
