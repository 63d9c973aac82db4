"""Which argument is to blame for an error that nobody foresaw: its type does not allow it.

Nothing is looked at before a call. Where an error comes from inside and no ``raise`` of the library made it, the arguments are
compared with what the annotations, and some names, of the parameters allow. If one does not fit, the error names it; otherwise
the error stays what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from inspect import Parameter, getdoc, signature
from numbers import Integral, Real
from opcode import opmap
from types import TracebackType
from typing import Any

import numpy as np

from .wording import short, type_of

LIBRARY = __name__.partition(".")[0]
RAISE = opmap["RAISE_VARARGS"]
Test = Callable[[Any], bool]
MOST = 1 << 32  # entries, or characters, beyond which memory may be too small
LONG = 5000  # characters of a text that is a name or a formula
OF_ARGUMENTS = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError, MemoryError)
DEEP = 50  # lists in lists


def is_made_here(error: BaseException) -> bool:
    """Return whether a ``raise`` of the library made an exception."""
    last: TracebackType | None = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None or isinstance(error, RecursionError | MemoryError):
        return False
    name = str(last.tb_frame.f_globals.get("__name__", ""))
    return name.partition(".")[0] == LIBRARY and last.tb_frame.f_code.co_code[last.tb_lasti] == RAISE


def blame(function: Any, name: str, args: tuple[Any, ...], options: Mapping[str, Any], error: Exception) -> TypeError | None:
    """Return the error that names the argument to blame for another one.

    None if the library raised that one, or if every argument fits. ``args`` are those after ``self``.

    >>> def table(title: str): return title.upper()
    >>> blame(table, "table", (5,), {}, AttributeError())
    TypeError('table: title=5 is an int; it takes str.')
    """
    if not isinstance(error, OF_ARGUMENTS) or is_made_here(error):
        return None
    parameters = [*signature(function).parameters.values()]
    parameters = parameters[1:] if parameters and parameters[0].name in ("self", "cls") else parameters
    by_name = {p.name: p for p in parameters}
    given = [*zip(parameters, args, strict=False), *((by_name.get(k, _option(k)), value) for k, value in options.items())]
    for parameter, value in given:
        if value is not parameter.default and not _fits(parameter, value):
            given_words = f"{parameter.name}={short(value)} is {type_of(value)}"
            return TypeError(f"{name}: {given_words}; it takes {_words(function, parameter)}.")
    if isinstance(error, RecursionError | MemoryError | OverflowError | ValueError):
        return next(_of_size(name, parameters, args, options), None)
    return None


def _option(name: str) -> Parameter:
    """Return the parameter of an option that a function passes on; None is always possible."""
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None)


def _of_size(name: str, parameters: list[Parameter], args: tuple[Any, ...], options: Mapping[str, Any]) -> Iterator[TypeError]:
    """Yield errors for arguments that are so long, or so deep, that an error may come from that."""
    names = [*(p.name for p in parameters[: len(args)]), *(str(k) for k in range(len(parameters), len(args))), *options]
    for key, value in zip(names, (*args, *options.values()), strict=True):
        if _is_deep(value):
            yield TypeError(f"{name}: {key} holds lists in lists, more than {DEEP} deep.")
        elif isinstance(value, str) and "\0" in value:
            yield TypeError(f"{name}: {key}={short(value)} holds a null character, which no name and no path has.")
        elif isinstance(value, str) and len(value) > LONG:
            yield TypeError(f"{name}: {key}={short(value)} is too long.")
        elif isinstance(value, range) and len(value) > MOST:
            yield TypeError(f"{name}: {key}={short(value)} has too many entries.")


def _is_deep(value: Any) -> bool:
    for _ in range(DEEP):
        if not isinstance(value, list | tuple) or not value:
            return False
        value = value[0]
    return True


def _fits(parameter: Parameter, value: Any) -> bool:
    if parameter.kind is parameter.VAR_POSITIONAL:
        return True
    text, (_, test) = str(parameter.annotation), BY_NAME.get(parameter.name, ("", None))
    if text in ("Any", "<class 'inspect._empty'>"):
        return test is None or test(value) or (value is None and parameter.default is not parameter.empty)
    return _allows(text, value) and (test is None or not _is_number(value) or test(value))


def _allows(annotation: str, value: Any) -> bool:
    """Return whether an annotation, as it is written, allows a value; what is not known here is allowed."""
    return any(_alternative(one, value) for one in _split(annotation, "|"))


def _alternative(text: str, value: Any) -> bool:
    head, _, inside = text.partition("[")
    test = TESTS.get(head)
    if test is None:
        return head not in CLASSES or any(base.__name__ == head for base in type(value).__mro__)
    if not test(value):
        return False
    if head in ("Iterable", "Sequence", "tuple", "list") and isinstance(value, list | tuple | set | frozenset):
        kinds = [kind for kind in _split(inside.removesuffix("]"), ",") if kind != "..."]
        return len(kinds) != 1 or all(_allows(kinds[0], entry) for entry in value)
    return True


def _split(text: str, by: str) -> list[str]:
    """Return the parts of an annotation between signs that stand outside of all brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "[") - (sign == "]")
        if sign == by and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def _is_iterable(value: Any) -> bool:
    return isinstance(value, Iterable) and not (isinstance(value, np.ndarray) and not value.ndim)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def _is_label(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _is_table(value: Any) -> bool:
    """Return whether a value can be read as an array of numbers."""
    try:
        array = np.asarray(value)
        return array.ndim > 0 and array.dtype.kind != "c" and array.astype(np.float64).ndim > 0
    except (TypeError, ValueError, OverflowError, MemoryError):
        return False


def _is_numeric(value: Any) -> bool:
    return _is_number(value) or _is_table(value)


LIST: tuple[str, Test] = ("a list", _is_iterable)
TESTS: dict[str, Test] = {
    "None": lambda value: value is None,
    "str": lambda value: isinstance(value, str) and "\0" not in value,
    "bool": lambda value: isinstance(value, bool | np.bool_),
    "int": lambda value: isinstance(value, Integral) and not isinstance(value, bool | np.bool_),
    "float": _is_number,
    "Iterable": _is_iterable,
    "Sequence": lambda value: _is_iterable(value) and isinstance(value, Sized),
    "tuple": lambda value: isinstance(value, tuple | list),
    "list": lambda value: isinstance(value, tuple | list),
    "Mapping": lambda value: isinstance(value, Mapping),
    "dict": lambda value: isinstance(value, Mapping),
    "Callable": callable,
    "slice": lambda value: isinstance(value, slice),
    "os.PathLike": lambda value: hasattr(value, "__fspath__"),
    "Name": lambda value: isinstance(value, str | tuple),
    "Undefined": lambda value: isinstance(value, str) or _is_number(value) or hasattr(value, "undefined_for"),
}
CLASSES: tuple[str, ...] = (
    *("Measure", "MatrixMeasure", "Area", "Counts", "Evaluation", "Sweep", "Binned", "Stream", "Folds", "TNorm", "Negation"),
    *("DetectionEvaluation", "PanopticEvaluation", "SurfaceEvaluation", "MatchingRule", "Replicates", "CostMatrix"),
)
BY_NAME: dict[str, tuple[str, Test]] = {  # of parameters without an annotation, of options, and of numbers that have a range
    "ev": ("an evaluation", lambda value: hasattr(value, "tally")),
    "ax": ("the axes of a plot", lambda value: hasattr(value, "set_title")),
    **dict.fromkeys(("unit", "node", "positive", "label", "of", "abstain", "background"), ("a label", _is_label)),
    "per": ("a name or several", lambda value: isinstance(value, str) or _allows("tuple[str, ...]", value)),
    **dict.fromkeys(("measures", "averages", "conventions", "things", "labels", "sources", "population"), LIST),
    **dict.fromkeys(("images", "names", "true_spans", "pred_spans", "tags", "y_true", "y_pred", "ratings"), LIST),
    **dict.fromkeys(("eta", "eta_row", "probabilities", "sets", "at", "sample_weight"), ("an array of numbers", _is_table)),
    "classes": ("a list of labels", _is_iterable),
    **dict.fromkeys(("a", "b"), ("numbers", lambda value: _is_numeric(value) and not isinstance(value, list | tuple | range))),
    **dict.fromkeys(("tp", "fp", "fn", "tn"), ("numbers", _is_numeric)),
    "scores": ("numbers", lambda value: isinstance(value, Mapping) or _is_table(value)),
    "one_sided": ("True or False", lambda value: TESTS["bool"](value)),
    "level": ("a share between 0 and 1", lambda value: _is_number(value) and 0 < value < 1),
    "propensities": ("numbers, or a dict of them", lambda value: isinstance(value, Mapping) or _is_table(value)),
    "by": ("a dict of groupings", lambda value: isinstance(value, Mapping | str | list | tuple) or hasattr(value, "columns")),
    **dict.fromkeys(("k", "bits"), ("a whole number", lambda value: TESTS["int"](value))),
    "i": ("the number of an example", lambda value: TESTS["int"](value) and abs(value) < 2**62),
    "seed": ("a whole number from 0 on", lambda value: TESTS["int"](value) and value >= 0),
    **dict.fromkeys(("m", "n"), ("a number or a symbol", lambda value: _is_number(value) or hasattr(value, "free_symbols"))),
    **dict.fromkeys(("threshold", "coverage", "fpr", "max_fpr", "clip", "beta", "tolerance", "empty"), ("a number", _is_number)),
    **dict.fromkeys(("pool", "up_to", "kind", "method", "sample", "name"), ("a text", lambda value: isinstance(value, str))),
    "missing": ("'error', 'mask' or 'abstain'", lambda value: isinstance(value, str) or _allows("tuple[str, ...]", value)),
    **dict.fromkeys(("function", "estimator"), ("a function", callable)),
}


def _words(function: Any, parameter: Parameter) -> str:
    """Return what a parameter takes: as the documentation says, or as it is annotated."""
    found = re.search(rf"^ *(?:\w+, )*{parameter.name}(?:, \w+)* : (.+)$", getdoc(function) or "", re.MULTILINE)
    if found:
        return found[1].removesuffix(", optional").partition(", default")[0]
    if parameter.name in BY_NAME:
        return BY_NAME[parameter.name][0]
    return str(parameter.annotation)
