"""How to call a metric function: what its arguments mean, what it accepts, and what it returns."""

from __future__ import annotations

import functools
import inspect
import math
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import quiet
from ...algebra.counts import CELLS
from ...words.wording import type_of
from .probes import Probe

TRUE = {"y_true", "true", "target", "targets", "truth", "ground_truth", "reference", "references", "actual", "expected"}
TRUE |= {"labels_true", "gold", "y", "t"}
PRED = {"y_pred", "pred", "preds", "prediction", "predictions", "predicted", "y_hat", "yhat", "output", "outputs"}
PRED |= {"labels_pred", "p"}
CONTAINERS: dict[str, Callable[[Any], Any]] = {
    "arrays": np.array,
    "lists": lambda x: x.tolist(),
    "tensors": lambda x: sys.modules["torch"].tensor(x.tolist()),
}


class RefusedError(Exception):
    """The function does not accept such a probe, or what it returned is not a metric value."""


@dataclass(frozen=True)
class Outcome:
    """What the function returned: one number, or one number per class; or the error it raised."""

    value: Any = None  # a float, or an array
    tolerance: float = 1e-9
    error: str = ""

    def agrees(self, expected: Any) -> bool:
        """Return whether this is the expected value, to the digits with which the function computes."""
        if self.error:
            return False
        if isinstance(self.value, float):
            return np.ndim(expected) == 0 and _close(self.value, float(expected), self.tolerance)
        if np.shape(self.value) != np.shape(expected):
            return False
        both = zip(np.ravel(self.value).tolist(), np.ravel(expected).tolist(), strict=True)
        return all(_close(a, b, self.tolerance) for a, b in both)


def _close(a: float, b: float, tolerance: float) -> bool:
    if not (math.isfinite(a) and math.isfinite(b)):
        return a == b or (a != a and b != b)
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


@dataclass(frozen=True)
class Caller:
    """A function and the meaning of its arguments, which are passed by position or by name."""

    function: Callable[..., Any]
    names: tuple[str, ...]  # "y_true" and "y_pred", or the four cells, in the order in which the function wants them
    keywords: tuple[str, ...] = ()  # its names for them, if they must be passed by name
    certain: bool = True  # whether the names of its arguments say which is which
    containers: tuple[str, ...] = ("arrays", "lists")
    fixed: tuple[str, int] | None = None  # the kind of problem and the number of classes that functools.partial fixed

    @property
    def counts(self) -> bool:
        """Whether the function takes four counts."""
        return len(self.names) == 4

    def __call__(self, probe: Probe, container: str, labels: Any = None) -> Outcome:
        """Return what the function returns for a probe; ``labels`` are the names of the codes."""
        with warnings.catch_warnings(), quiet():
            warnings.simplefilter("ignore")
            try:
                result = self._call(self._arguments(probe, container, labels))
            except Exception as error:  # any function may be probed, and it may raise any error
                return Outcome(error=f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}")
        return _outcome(result, container)

    def _call(self, arguments: list[Any]) -> Any:
        if self.keywords:
            return self.function(**dict(zip(self.keywords, arguments, strict=True)))
        return self.function(*arguments)

    def _arguments(self, probe: Probe, container: str, labels: Any) -> list[Any]:
        if self.counts:
            return [probe.counts[CELLS.index(name)] for name in self.names]
        sides = {"y_true": probe.y_true, "y_pred": probe.y_pred}
        named = (lambda x: x) if labels is None or probe.kind == "multilabel" else np.asarray(labels).__getitem__
        order = (
            self.names if self.certain or container != "tensors" else self.names[::-1]
        )  # as is usual in torch: predictions first
        return [CONTAINERS[container](named(sides[name])) for name in order]


def _outcome(result: Any, container: str) -> Outcome:
    tolerance = 1e-5 if container == "tensors" or str(getattr(result, "dtype", "")).endswith(("float32", "float16")) else 1e-9
    if hasattr(result, "detach"):
        tolerance = 1e-9 if str(result.dtype).endswith("float64") else 1e-5
        result = result.detach().cpu().tolist()
    if isinstance(result, tuple | dict | str) or result is None:
        raise RefusedError(f"it returned {type_of(result)}, which is not a number")
    try:
        value = np.asarray(result, np.float64)
    except (TypeError, ValueError):
        raise RefusedError(f"it returned {type_of(result)}, which is not a number") from None
    if value.ndim > 1:
        raise RefusedError(f"it returned an array of shape {value.shape}, which is neither a number nor one number per class")
    return Outcome(value if value.ndim else float(value), tolerance)


def caller_of(function: Callable[..., Any], *, counts: bool = False) -> Caller:
    """Return how to call a function, from its signature.

    With ``counts`` it is called as a function of four counts in any case.

    >>> caller_of(lambda preds, target: 0).names, caller_of(lambda tp, tn, fp, fn: 0).counts
    (('y_pred', 'y_true'), True)
    """
    if not callable(function):
        raise TypeError(f"A metric function is needed, not {type_of(function)}. Pass the function itself, without calling it.")
    parameters = _parameters(function)
    by_name = {p.name.lower(): p for p in parameters if p.name.lower() in CELLS}
    if len(by_name) == 4:
        return Caller(function, tuple(by_name), _keywords([*by_name.values()]))
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if counts or sum(p.default is p.empty for p in positional) == 4:
        return Caller(function, CELLS)
    two = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)][:2]
    names, certain = _roles([p.name.lower() for p in two])
    tensors = ("tensors",) if "torch" in sys.modules else ()
    first = tensors if any(p.name == "preds" for p in two) else ()
    containers = tuple(dict.fromkeys((*first, "arrays", "lists", *tensors)))
    return Caller(function, names, _keywords(two) if certain else (), certain, containers, _fixed_classes(function))


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # some built-in functions have no signature
        return []


def _keywords(parameters: list[inspect.Parameter]) -> tuple[str, ...]:
    """Return the names by which to pass the arguments; empty where positions are enough."""
    return tuple(p.name for p in parameters) if any(p.kind is p.KEYWORD_ONLY for p in parameters) else ()


def _roles(names: list[str]) -> tuple[tuple[str, ...], bool]:
    """Return which of two arguments is which, and whether their names say so."""
    first, second = (*names, "", "")[:2]
    if (first in PRED or second in TRUE) and not (first in TRUE or second in PRED):
        return ("y_pred", "y_true"), True
    return ("y_true", "y_pred"), (first in TRUE or second in PRED) and not (first in PRED or second in TRUE)


def _fixed_classes(function: Any) -> tuple[str, int] | None:
    """Return the kind of problem and the number of classes that functools.partial fixes, or None.

    The names of these arguments are those of torchmetrics.
    """
    while isinstance(function, functools.partial):
        for name, kind in (("num_classes", "multiclass"), ("num_labels", "multilabel")):
            if isinstance(function.keywords.get(name), int):
                return kind, function.keywords[name]
        function = function.func
    return None
