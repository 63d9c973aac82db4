"""Evaluating arrays on the device where they are: tensors of torch, arrays of CuPy and of JAX.

What is counted there gives the evaluation of the same rows in main memory. For options that are not counted there, and for rows
with which something is not right, the answer is None: the rows are then copied, and the way through main memory counts them, or
says what is wrong and where.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .algebra.fuzzy.tnorms import tnorm
from .encode.decisions import Above, HitInTop, RowRule, TopK, reaches, rule_of, thresholds
from .encode.device_arrays import (
    common_place,
    detach,
    has_long_integers,
    holds_labels,
    is_kind,
    namespace_of,
    on_device_of,
    place_of,
)
from .encode.vocabulary import check_classes
from .settings.options import DEFAULTS, PLAIN, Options, Recipe
from .settings.problem import plain_rule
from .tally.device.counting import Naming, count_labels, count_matrices, count_plain_integers
from .tally.device.margins import highest_classes, picked_class
from .tally.device.memberships import count_memberships
from .tally.device.tables import MOST_CLASSES, fits_kernel
from .tally.device.weights import exact_floats
from .tally.tally import Tally, have_pairs

COUNTED = {"positive", "classes", "decide", "tnorm", "mask", "sample_weight", "unobserved", "confusion", "names", "moments"}
ELSEWHERE = tuple(name for name in Options._fields if name not in COUNTED)  # options that are not counted on a device
LONGEST = 2**63
FIRST = 1 << 10  # rows that are looked at before all


class CountedOnDevice(NamedTuple):
    """A tally, what kind of problem it is, and how it was made."""

    tally: Tally
    kind: str
    recipe: Recipe


def count_on_device(y_true: Any, y_pred: Any, options: Options) -> CountedOnDevice | None:
    """Return the counts of two arrays on one device; None if they are to be counted in main memory."""
    if common_place(y_true, y_pred) is None or any(getattr(options, name) != getattr(DEFAULTS, name) for name in ELSEWHERE):
        return None
    flags = (options.moments, options.confusion)
    if not all(flag is None or isinstance(flag, bool) for flag in flags) or len(y_true.shape) not in (1, 2):
        return None
    if y_true.shape[0] != y_pred.shape[0] or 0 in (*y_true.shape, *y_pred.shape) or not has_long_integers(namespace_of(y_true)):
        return None
    true, pred = (_short(detach(x)) for x in (y_true, y_pred))
    if true is None or pred is None:
        return None
    if options.plain and true.ndim == pred.ndim == 1 and holds_labels(true) and holds_labels(pred):
        once = options is DEFAULTS  # one measure: all is gone again when it returns
        tally = count_plain_integers(true, pred, pairs_later=options.moments is False, once=once)
        if tally is not None:
            return CountedOnDevice(tally, "multiclass", PLAIN)
    given = None if options.classes is None else check_classes(options.classes)
    rule = rule_of(options.decide)
    way = _way(rule, options.tnorm, true, pred)
    return None if way is None else way(true, pred, given, rule, options)


def _short(x: Any) -> Any:
    """Return an array of numbers with which a device can compute; None for the others.

    Not every library computes with unsigned integers of several bytes.
    """
    name = str(x.dtype).rpartition(".")[2]
    return None if name in ("uint64", "complex64", "complex128") else _longer(x) if name in ("uint16", "uint32") else x


def _longer(x: Any) -> Any:
    xp = namespace_of(x)
    return xp.astype(x, xp.int64)


Way = Callable[[Any, Any, tuple[Any, ...] | None, Any, Options], CountedOnDevice | None]


def _way(rule: Any, norm: Any, true: Any, pred: Any) -> Way | None:
    """Return how such arrays are counted, from their dimensions and types."""
    dimensions = true.ndim, pred.ndim
    if norm is not None:
        return _memberships if rule is None and dimensions == (2, 2) else None
    if rule is None:
        if dimensions == (1, 1) and holds_labels(true) and holds_labels(pred):
            return _labels
        return _matrices if dimensions == (2, 2) else None
    if not is_kind(pred, "real floating"):
        return None
    if dimensions == (1, 2) and is_kind(true, "integral"):
        return _scores_of_classes
    if dimensions == (1, 1) and holds_labels(true):
        return _scores_of_two
    return _scores_of_labels if dimensions == (2, 2) else None


def _labels(true: Any, pred: Any, given: tuple[Any, ...] | None, rule: Any, options: Options) -> CountedOnDevice | None:
    """Count one label per example on each side."""
    naming = None
    if is_kind(true, "bool") != is_kind(pred, "bool"):
        return None
    if given is not None:
        own = bool if is_kind(true, "bool") else int
        if not given or not all(type(name) is own and -LONGEST < name < LONGEST for name in given):
            return None
        naming = Naming(given, ordered=True)
    return _count_labels(true, pred, naming, PLAIN, options)


def _count_labels(
    true: Any, pred: Any, naming: Naming | None, made: Recipe, options: Options, *, of_scores: bool = False
) -> CountedOnDevice | None:
    seen, weights = _beside(options.mask, true), _beside(options.sample_weight, true)
    if (seen is None) != (options.mask is None) or (weights is None) != (options.sample_weight is None):
        return None
    if seen is not None:
        seen = _as_mask(seen, (true.shape[0], 1))
        if seen is None or weights is not None:
            return None
        seen = seen[:, 0]
    if weights is not None:
        weights = exact_floats(weights) if weights.shape == true.shape else None
        if weights is None:
            return None
    squares = options.moments is not False
    how = {"seen": seen, "weights": weights, "confusion": options.confusion, "squares": squares, "of_scores": of_scores}
    tally = count_labels(true, pred, naming, **how)
    if tally is None or (options.moments and not have_pairs(tally.parts)):
        return None
    return CountedOnDevice(tally, "multiclass", made)


def _beside(values: Any, like: Any) -> Any:
    """Return a mask or weights as an array on the device of the labels; None if they are elsewhere."""
    if values is None:
        return None
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        return on_device_of(values, like)
    return detach(values) if place_of(values) == place_of(like) else None


def _as_mask(values: Any, *shapes: tuple[int, int]) -> Any:
    """Return a mask as bools in two dimensions; None if its shape or its values are wrong."""
    xp = namespace_of(values)
    if values.ndim == 1:
        values = xp.expand_dims(values, axis=1)
    if values.shape not in shapes or not (holds_labels(values) or is_kind(values, "real floating")):
        return None
    if is_kind(values, "bool"):
        return values
    return values == 1 if bool(xp.all((values == 0) | (values == 1))) else None


def _scores_of_two(true: Any, pred: Any, given: tuple[Any, ...] | None, rule: Any, options: Options) -> CountedOnDevice | None:
    """Count one score per example, which decides between two classes."""
    classes = (False, True) if is_kind(true, "bool") else (0, 1)
    if given is not None and [*map(repr, given)] != [*map(repr, classes)]:
        return None
    positive = 1 if options.positive is None else options.positive
    if not isinstance(positive, int) or positive not in classes:
        return None
    reached = _find_reached(pred, rule, 1)
    if reached is None:
        return None
    at, xp = classes.index(positive), namespace_of(pred)
    decided = xp.astype(reached, xp.uint8)
    decided = decided if at == 1 else 1 - decided
    return _count_labels(true, decided, Naming(classes, ordered=True), Recipe(decide=plain_rule(rule)), options)


def _find_reached(scores: Any, rule: Any, width: int) -> Any:
    """Return where scores reach the thresholds of a rule; None for another rule, or if a score is NaN."""
    if not isinstance(rule, Above):
        if isinstance(rule, str | RowRule) or (width == 1 and np.ndim(rule)):
            return None
        try:
            thresholds(rule, width)
        except (TypeError, ValueError):
            return None
    xp = namespace_of(scores)
    return None if bool(xp.isnan(xp.max(scores))) else reaches(scores, rule)  # a NaN is the highest


def _scores_of_classes(
    true: Any, pred: Any, given: tuple[Any, ...] | None, rule: Any, options: Options
) -> CountedOnDevice | None:
    """Count a column of scores for each class next to one label per example."""
    m = pred.shape[1]
    several = isinstance(rule, TopK | HitInTop)
    if not several and not (isinstance(rule, str) and rule == "argmax"):
        return None
    if (several and rule.k > m) or (given is not None and given != tuple(range(m))):
        return None
    naming, made, xp = Naming(tuple(range(m)), ordered=given is not None), Recipe(decide=plain_rule(rule)), namespace_of(pred)
    best = picked_class(pred, rule, true)
    looks = isinstance(rule, TopK) or options.mask is not None  # which would hide what is wrong with a row
    if looks and (bool(xp.any(best > m)) or bool(xp.any((true < 0) | (true >= m)))):
        return None  # a NaN, or a label that is not a class
    if isinstance(rule, TopK):
        return _count_matrices(_one_hot(true, m), _several_hot(highest_classes(pred, rule.k), m), naming, made, options)
    return _count_labels(true, best, naming, made, options, of_scores=True)


def _one_hot(codes: Any, m: int) -> Any:
    xp = namespace_of(codes)
    return xp.expand_dims(codes, axis=1) == xp.arange(m, dtype=codes.dtype, device=codes.device)


def _several_hot(chosen: Any, m: int) -> Any:
    """Return a table with a 1 where a class is among the chosen ones of its row."""
    table = _one_hot(chosen[:, 0], m)
    for k in range(1, chosen.shape[1]):
        table = table | _one_hot(chosen[:, k], m)
    return table


def _matrices(true: Any, pred: Any, given: tuple[Any, ...] | None, rule: Any, options: Options) -> CountedOnDevice | None:
    """Count decisions on both sides, one column per class."""
    naming = _columns(true, pred, given)
    return None if naming is None else _count_matrices(true, pred, naming, PLAIN, options)


def _columns(true: Any, pred: Any, given: tuple[Any, ...] | None) -> Naming | None:
    """Return the classes of two tables; None if they do not go together."""
    m = true.shape[1]
    return None if pred.shape[1] != m or len(given or range(m)) != m else Naming(given or tuple(range(m)))


def _scores_of_labels(true: Any, pred: Any, given: tuple[Any, ...] | None, rule: Any, options: Options) -> CountedOnDevice | None:
    """Count scores of each label next to a table of 0 and 1."""
    naming, m, xp = _columns(true, pred, given), pred.shape[1], namespace_of(pred)
    if naming is None:
        return None
    if isinstance(rule, TopK):
        if rule.k > m or bool(xp.isnan(xp.max(pred))):
            return None
        decided = _several_hot(highest_classes(pred, rule.k), m)
    else:
        decided = _find_reached(pred, rule, m)
    return None if decided is None else _count_matrices(true, decided, naming, Recipe(decide=plain_rule(rule)), options)


def _count_matrices(true: Any, pred: Any, naming: Naming, made: Recipe, options: Options) -> CountedOnDevice | None:
    if options.sample_weight is not None or options.confusion or true.shape[1] > MOST_CLASSES:
        return None
    seen = _beside(options.mask, true)
    if seen is not None:
        seen = _as_mask(seen, (true.shape[0], 1), tuple(true.shape))
    if (seen is None) != (options.mask is None):
        return None
    if seen is not None or not fits_kernel(true, pred):
        true, pred = _as_decisions(true), _as_decisions(pred)
        if true is None or pred is None:
            return None
    tally = count_matrices(true, pred, naming, seen=seen, moments=options.moments)
    return None if tally is None else CountedOnDevice(tally, "multilabel", made)


def _as_decisions(x: Any) -> Any:
    """Return a table of 0 and 1 as bools; None if it holds anything else."""
    if is_kind(x, "bool"):
        return x
    xp = namespace_of(x)
    crisp = (bool(xp.all((some == 0) | (some == 1))) for some in (x[:FIRST, :], x))  # few rows mostly tell
    return x == 1 if all(crisp) else None


def _memberships(true: Any, pred: Any, given: tuple[Any, ...] | None, rule: Any, options: Options) -> CountedOnDevice | None:
    """Count memberships, which a t-norm combines."""
    naming, norm = _columns(true, pred, given), tnorm(options.tnorm)
    if naming is None or options.mask is not None or options.sample_weight is not None or options.confusion:
        return None
    made = Recipe(tnorm=repr(norm))
    crisp = [_as_decisions(x) for x in (true, pred)]
    if crisp[0] is not None and crisp[1] is not None:
        counted = _count_matrices(crisp[0], crisp[1], naming, made, options)
    else:
        sides = [x if decided is None else decided for x, decided in zip((true, pred), crisp, strict=True)]
        tally = count_memberships(sides[0], sides[1], norm, naming, moments=options.moments)
        counted = None if tally is None else CountedOnDevice(tally, "soft", made)
    return None if counted is None else counted._replace(kind="soft")
