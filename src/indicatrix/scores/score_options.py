"""Options and order of arguments: what a function takes after labels and scores.

Labels come first. Anything else is refused, with the name that it has here; no message points to an option that such a function
lacks. Scores and probabilities are read only where they were observed (eq:masked_agg); elsewhere they may be missing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from inspect import cleandoc, signature
from typing import Any, TypeVar

import numpy as np

from ..algebra.arrays import Array
from ..algebra.kind import LONE_CLUSTERS, interval_of_call
from ..algebra.registry import registered
from ..encode.indicator import Indicator
from ..encode.pairs import Pair
from ..encode.plain_forms import Labels, Table
from ..encode.weights import check_weights
from ..words.call_mistakes import answers_mistakes
from ..words.names_elsewhere import NO_HINTS, refuse_unknown
from ..words.wording import short

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
