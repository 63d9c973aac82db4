"""Options and order of arguments: what a function takes after labels and scores.

Labels come first. Anything else is refused, with the name that it has here; no message points to an option that such a function
lacks. Scores and probabilities are read only where they were observed (eq:masked_agg); elsewhere they may be missing.

The input of a sweep: labels and scores, read where they were observed, and checked (prop:roc).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from inspect import cleandoc, signature
from typing import Any, TypeVar

import numpy as np

from ..algebra.arrays import Array
from ..algebra.kind import LONE_CLUSTERS, interval_of_call, registered
from ..encode.containers import read
from ..encode.device_arrays import place_of
from ..encode.indicator import Coded, Indicator
from ..encode.pairs import Pair, Reading, encode
from ..encode.plain_forms import Form, Labels, Table, plain_bools
from ..encode.weights import check_by, check_mask, check_row_labels, check_weights
from ..ranking.threshold_steps import as_kept, check_scores
from ..settings.options import Options
from ..words.call_mistakes import answers_mistakes
from ..words.names_elsewhere import NO_HINTS, refuse_unknown
from ..words.wording import short
from .sweep_rows import SweepRows

F = TypeVar("F", bound=Callable[..., Any])

ONLY_LABELS = {  # options of evaluate that scores have no use for
    "decide": "it reads the scores themselves, and nothing is decided; a measure such as ix.f1 takes decide=",
    "tnorm": "with scores labels are 0 or 1; memberships are compared by measures, such as ix.f1",
    "signed_weights": "weights are not negative here",
}

OF_SWEEPS = ("classes", "positive", "sample_weight", "mask", "by", "missing")  # what labels and scores are read with
SWEEP_HINTS = {  # what these arguments of other libraries are called here
    "max_fpr": "ix.measures.partial_auc(…, max_fpr=) is the area up to a false positive rate",
    "multi_class": "several classes are one-vs-all, and ix.measures.hand_till_auc is one-vs-one",
    "multi": "several classes are one-vs-all, and ix.measures.hand_till_auc is one-vs-one",
}


def check_options(
    caller: str, options: Iterable[str], taken: tuple[str, ...], *, elsewhere: Mapping[str, str] = NO_HINTS
) -> None:
    """Refuse options that a function does not take.

    ``elsewhere`` says what those of other libraries are called here.
    """
    refuse_unknown(caller, options, taken, {**ONLY_LABELS, **elsewhere})


def plain_weights(sample_weight: Any, n: int) -> Array | None:
    """Return sample weights, one per example.

    A negative one is refused, and the error does not point to signed_weights=.
    """
    weights = check_weights(sample_weight, n, signed=True)
    if weights is not None and (weights < 0).any():
        at = int((weights < 0).argmax())
        raise ValueError(f"sample_weight[{at}] = {weights[at]}: a weight is not negative. Correct it, or drop this example.")
    return weights


def check_order(true: Any, second: str, classes: Any) -> None:
    """Refuse a vector of labels that looks like scores: probably the two arguments were swapped."""
    if not isinstance(true, Labels) or true.categories is not None or classes is not None:
        return
    values, broken = true.values, np.zeros(0, bool)
    if isinstance(values, np.ndarray) and values.dtype.kind == "f":
        broken = np.isfinite(values) & (values != np.floor(values))
    elif not isinstance(values, np.ndarray) or values.dtype == object:
        broken = np.array([isinstance(v, float) and math.isfinite(v) and not v.is_integer() for v in values], bool)
    if broken.any():
        at = int(broken.argmax())
        raise ValueError(
            f"y_true[{at}] = {float(values[at])!r} looks like a score. Labels come first, then {second}; if these are labels, "
            "name them with classes=."
        )


def soft_entry(true: Any) -> tuple[int, int, float] | None:
    """Return row, column and value of the first entry of a label table that is neither 0 nor 1.

    Return None if every entry is 0 or 1.
    """
    values = true.values if isinstance(true, Table) else true.data if isinstance(true, Indicator) and true.soft else None
    if not isinstance(values, np.ndarray) or values.dtype.kind != "f":
        return None
    soft = (values != 0) & (values != 1) & (values == values)
    if not soft.any():
        return None
    row, column = np.unravel_index(int(soft.argmax()), soft.shape)
    return int(row), int(column), float(values[row, column])


def check_one_each(true: Any, argument: str) -> None:
    """Refuse a table of labels where there is one number per example."""
    if isinstance(true, Labels):
        return
    advice = f"Give {argument} one column per class, too"
    if soft_entry(true) is not None:
        advice = f"Labels come first, then {argument}"
    elif isinstance(true, Table) and true.values.shape[1] == 1:
        advice = "One label per example has one dimension: y_true.ravel()"
    raise ValueError(f"{argument} has one number per example, but y_true has a column per class. {advice}.")


def check_missing(missing: Any) -> None:
    """Refuse an unknown meaning of missing labels; scores cannot be missing."""
    if not isinstance(missing, str) or missing not in ("error", "mask"):
        raise ValueError(f"missing={short(missing)} is unknown. Use 'error', or 'mask' to leave missing labels out.")


@contextmanager
def one_column(argument: str, here: bool) -> Iterator[None]:
    """Add to an error about labels, where scores have one column, that a vector may be meant."""
    try:
        yield
    except ValueError as error:
        if not here:
            raise
        raise ValueError(f"{error} If there is one number per example, it has one dimension: {argument}.ravel().") from None


def with_interval(function: F) -> F:
    """Return a function of labels and scores that takes interval= and clusters=, too: as all measures do.

    Its measure then answers, or the score itself, where that has the values of the examples.
    """

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        if "interval" not in options and "clusters" not in options:
            return function(*args, **options)
        interval, clusters = options.pop("interval", None), options.pop("clusters", None)
        if not interval and clusters is not None:
            raise TypeError(LONE_CLUSTERS)
        found = function(*args, **options)  # which refuses what it does not take
        if not interval:
            return found
        if found.measure.reads.per_example and found.counts.per == ("example",) and not isinstance(clusters, str):
            return interval_of_call(found, None, None, "exclude", interval, clusters)
        given = signature(function).bind(*args, **options).arguments
        y_true, second = (given.pop(name) for name in [*given][:2])
        given |= given.pop("options", {})
        measure = registered(function.__name__)
        own = {name: given.pop(name) for name in measure.params if name in given}
        changed = [name for name in given if name not in ("average", "undefined", *OF_SWEEPS)]
        if changed:
            raise ValueError(
                f"An interval of {measure} reads scores as they are, without {changed[0]}=. Name average='exemplar', or change "
                "the scores first."
            )
        return measure.at(**own)(y_true, second, interval=interval, clusters=clusters, **given)

    call.__wrapped__ = getattr(function, "__wrapped__", function)  # the defaults of parameters are read from it
    return call  # type: ignore[return-value]


def as_public(call: Callable[..., Any], described: Callable[..., Any], parameters: str) -> Any:
    """Return a call as the public function of what describes it.

    Its name, and its docstring, which ends with an example.
    """
    about, _, example = cleandoc(described.__doc__ or "").partition(">>> ")
    call.__name__ = call.__qualname__ = described.__name__
    call.__doc__, call.__module__ = f"{about}{parameters}>>> {example}\n", described.__module__
    return with_interval(answers_mistakes(call))


def seen_in(pair: Pair, mask: Array | None) -> Array | None:
    """Return which entries (n, m) or examples (n, 1) have a label and are not masked; None: all."""
    seen = mask
    for more in (None if pair.rows is None else pair.rows[:, None], pair.cells):
        seen = more if seen is None else seen if more is None else seen & more
    return seen


def observed_numbers(table: Table, argument: str, seen: Array | None) -> Array:
    """Return the numbers of a table, 0 in place of what was not observed; elsewhere NaN is an error.

    >>> observed_numbers(Table(np.array([[0.5, np.nan]])), "scores", np.array([[True, False]])).tolist()
    [[0.5, 0.0]]
    """
    values = table.values
    if values.dtype.kind != "f" or not values.size:
        return values
    if seen is not None:
        values = np.where(seen, values, values.dtype.type(0))
    if np.isnan(values.max()):
        i, j = map(int, np.unravel_index(int(np.isnan(values).argmax()), values.shape))
        raise ValueError(f"{argument}[{i}, {j}] is NaN: every example and class needs a number. Fill it, or drop the row.")
    return values


STRIP = 512  # rows that are turned into columns at a time


@dataclass(frozen=True, eq=False)
class SweepInput:
    """What a sweep is made of: the kind of problem, its classes, the columns of its scores, and its rows."""

    kind: str
    classes: tuple[Any, ...]
    units: tuple[Any, ...]
    positive: Any
    rows: SweepRows
    scores: Any  # of all examples, as evaluate may read them: what was not observed is 0


def read_rows(
    y_true: Any,
    scores: Any,
    *,
    classes: Any = None,
    positive: Any = None,
    missing: str = "error",
    argument: str = "scores",
    **others: Any,
) -> SweepInput:
    """Return labels and scores of every example, checked; ``others`` are sample_weight, mask and by.

    ``argument`` is what errors call the scores.
    """
    check_missing(missing)
    mask, kept = others.get("mask"), None
    plain = classes is None and positive is None and missing == "error"
    if plain and place_of(scores) is not None and all(value is None for value in others.values()):
        door = _on_device(y_true, scores)
        if door is not None:
            return door
    door = _plain(y_true, scores) if plain else None
    if door is None:
        how = Reading.of(classes=classes, positive=positive, missing=missing, names=("y_true", argument))
        door, kept = _encode(y_true, scores, how, others)
    elif mask is not None:
        door = replace(door, rows=replace(door.rows, mask=check_mask(mask, door.rows.n, len(door.units), door.units)))
    n = len(door.scores)
    weights, groups = plain_weights(others.get("sample_weight"), n), check_by(others.get("by"), n)
    if kept is not None:
        weights = None if weights is None else weights[kept]
        groups = {axis: (names, codes[kept]) for axis, (names, codes) in groups.items()}
    return replace(door, rows=replace(door.rows, weights=weights, groups=groups))


def _plain(y_true: Any, scores: Any) -> SweepInput | None:
    """Return the input of plain NumPy arrays, without a look at each label.

    Labels are 0/1 or False/True, and scores are floats. Return None for anything else, NaN included: the general way finds
    what is wrong, or that it was not observed.
    """
    if type(y_true) is not np.ndarray or type(scores) is not np.ndarray or not 0 < y_true.size == scores.size:
        return None
    if y_true.shape != scores.shape or y_true.dtype.kind not in "biu" or scores.dtype.char not in "fd":
        return None
    if not (y_true.dtype.isnative and scores.dtype.isnative):
        return None
    y_true = plain_bools(y_true)
    if y_true.ndim == 2:
        rows = _turn(y_true, scores)
        units = tuple(range(scores.shape[1]))
        return None if rows is None else SweepInput("multilabel", units, units, None, rows, scores)
    if y_true.ndim != 1 or _beyond_one(y_true) or np.isnan(scores.max()):
        return None
    classes = (False, True) if y_true.dtype.kind == "b" else (0, 1)
    rows = SweepRows(y_true.astype(bool)[:, None], np.array(scores, order="C")[:, None])  # copies: callers may change theirs
    return SweepInput("binary", classes, classes[1:], classes[1], rows, scores)


def _on_device(y_true: Any, scores: Any) -> SweepInput | None:
    """Return the input of arrays on a device; None if they are to be read in main memory."""
    from .device_rows import rows_on_device  # imported here because few programs need it

    found = rows_on_device(y_true, scores)
    if found is None:
        return None
    kind, classes, rows = found
    units = classes[1:] if kind == "binary" else classes
    return SweepInput(kind, classes, units, classes[1] if kind == "binary" else None, rows, scores)


def _turn(y_true: Array, scores: Array) -> SweepRows | None:
    """Return tables of 0/1 and of floats by column; None where one holds anything else."""
    labels, values = np.empty(scores.shape[::-1], bool), np.empty(scores.shape[::-1], scores.dtype)
    for start in range(0, len(scores), STRIP):
        some = y_true[start : start + STRIP]
        if _beyond_one(some):
            return None
        labels[:, start : start + STRIP] = some.astype(bool).T
    for start in range(0, len(scores), STRIP):
        part = scores[start : start + STRIP]
        if np.isnan(part.max()):
            return None
        values[:, start : start + STRIP] = part.T
    return SweepRows(labels.T, values.T)


def _beyond_one(labels: Array) -> bool:
    """Return whether some integer is neither 0 nor 1: as unsigned ones, negative integers are large."""
    return labels.dtype.kind != "b" and bool(labels.view(f"u{labels.dtype.itemsize}").max() > 1)


def _by_column(table: Array) -> Array:
    """Return a copy of a table with each column in one piece, since columns are what is ranked."""
    turned = np.empty(table.shape[::-1], table.dtype)
    for start in range(0, len(table), STRIP):
        turned[:, start : start + STRIP] = table[start : start + STRIP].T
    return turned.T


def _encode(y_true: Any, scores: Any, how: Reading, others: dict[str, Any]) -> tuple[SweepInput, Array | None]:
    """Return the input of any labels, and which examples were kept (None: all)."""
    check_row_labels({"y_true": y_true, how.names[1]: scores, **Options(**others).columns})
    mask = others.get("mask")
    form = read(scores, how.names[1])
    true = y_true if isinstance(y_true, Indicator) else read(y_true, "y_true")
    check_order(true, how.names[1], how.classes)
    if isinstance(form, Labels):
        check_one_each(true, how.names[1])
        return _one_score(true, form, how, mask)
    soft = soft_entry(true)
    if soft is not None:
        raise ValueError(
            f"y_true[{soft[0]}, {soft[1]}] = {soft[2]}: with scores a label is 0 or 1. Labels come first, then {how.names[1]}; "
            "decide on labels that have degrees, as with y_true >= 0.5."
        )
    return _scores_of_classes(true, form, how, mask)


def _one_score(true: Any, form: Labels, how: Reading, mask: Any) -> tuple[SweepInput, Array | None]:
    """Return the input of one score per example, that of the positive class."""
    if len(form) != len(true):
        raise ValueError(f"{how.names[1]} has {len(form)} entries for {len(true)} examples. Give one score per example.")
    if form.categories is not None or (len(form) and isinstance(form.values[0], str | bytes)):
        raise TypeError(
            f"{how.names[1]} holds texts, which are labels; a score is a number for each example. Give scores or "
            "probabilities, or choose a measure of labels."
        )
    pair = encode(true, Labels(np.zeros(len(true))), how._replace(rule=0.5))  # decisions that stand for the scores
    seen, kept = seen_in(pair, check_mask(mask, len(true), 1)), _kept_rows(pair)
    values = check_scores(form, len(true), how.names[1], None if seen is None else seen[:, 0])
    positive = next(c for c in pair.y.classes if c == (1 if how.positive is None else how.positive))
    labels = (_codes(pair) == pair.y.classes.index(positive))[:, None]
    rows = SweepRows(labels, _take(np.array(as_kept(values)), kept)[:, None], None if seen is None else _take(seen, kept))
    return SweepInput("binary", pair.y.classes, (positive,), positive, rows, Labels(values)), kept


def _scores_of_classes(true: Any, form: Form, how: Reading, mask: Any) -> tuple[SweepInput, Array | None]:
    """Return the input of a column of scores for each class."""
    n = true.n if isinstance(true, Indicator) else len(true)
    table = _table(form, n, how.names[1])
    stand_in = np.broadcast_to(np.zeros(1, bool), table.values.shape)  # decisions are not used: these are the fastest
    with one_column(how.names[1], table.values.shape[1] == 1 and isinstance(true, Labels)):
        pair = encode(true, Table(stand_in, table.columns), how._replace(rule="argmax"))
    units, positive = pair.y.classes, how.positive
    if positive is not None and positive not in units:
        raise ValueError(f"positive={positive!r} is not a class; the classes are {units!r}.")
    seen, kept = seen_in(pair, check_mask(mask, n, len(units), units)), _kept_rows(pair)
    table = Table(observed_numbers(table, how.names[1], seen), table.columns)
    single = isinstance(pair.y.data, Coded)
    labels = np.array(_codes(pair)) if single else _by_column(np.asarray(pair.y.matrix, bool))
    rows = SweepRows(labels, _by_column(_take(as_kept(table.values), kept)), None if seen is None else _take(seen, kept))
    return SweepInput("multiclass" if single else "multilabel", units, units, positive, rows, table), kept


def _codes(pair: Pair) -> Array:
    return np.asarray(pair.y.codes)


def _kept_rows(pair: Pair) -> Array | None:
    """Return which examples have a label; None: all."""
    return None if pair.rows is None else np.flatnonzero(pair.rows)


def _take(rows: Array, kept: Array | None) -> Array:
    return rows if kept is None else rows[kept]


def _table(form: Form, n: int, argument: str) -> Table:
    if not isinstance(form, Table) or form.values.dtype.kind not in "biuf":
        raise TypeError(f"{argument} must be numbers: one per example, or one per example and class in a two-dimensional array.")
    if len(form) != n:
        raise ValueError(f"{argument} has {len(form)} rows for {n} examples. Give one row of {argument} per example.")
    return form
