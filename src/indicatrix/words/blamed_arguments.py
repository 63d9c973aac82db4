"""Which argument is to blame for an error that nobody foresaw: its type does not allow it.

Nothing is looked at before a call. Where an error comes from inside and no ``raise`` of the library made it, the arguments are
compared with what the annotations, and some names, of the parameters allow. If one does not fit, the error names it; otherwise
it names the call with all its arguments. An innocent argument is worse than none: what the documentation names is never blamed,
nor is an object of the library, and an error of a function of the caller is his own.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from inspect import Parameter, getdoc, signature
from itertools import takewhile
from keyword import iskeyword
from numbers import Integral, Real
from opcode import opmap
from sysconfig import get_paths
from types import FrameType, ModuleType, TracebackType
from typing import Any

import numpy as np

from .wording import short, type_of

LIBRARY = __name__.partition(".")[0]
RAISE = opmap["RAISE_VARARGS"]
INSTALLED = ("<frozen", "<__array_function__", *(get_paths()[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")))
Test = Callable[[Any], bool]
MOST = 1 << 32  # entries, or characters, beyond which memory may be too small
LONG = 5000  # characters of a text that is a name or a formula
OF_ARGUMENTS = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError, MemoryError)
DEEP = 50  # lists in lists
PLAIN = ("builtins", "numpy")  # whose errors say nothing about a call


class UnforeseenError(TypeError):
    """The error for a call that failed inside, where no single argument is to blame."""


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
    if _is_foreseen(error):
        return None
    parameters = [*signature(function).parameters.values()]
    parameters = parameters[1:] if parameters and parameters[0].name in ("self", "cls") else parameters
    for parameter, value in _given(parameters, args, options):
        if value is not parameter.default and not _fits(parameter, value):
            words = _words(function, parameter, value)
            annotated = words == str(parameter.annotation)  # which was compared already
            if annotated or _is_of_number(parameter, value) or not _is_named(words, value):
                return TypeError(f"{name}: {parameter.name}={short(value)} is {type_of(value)}; it takes {words}.")
    if isinstance(error, RecursionError | MemoryError | OverflowError | ValueError):
        return next(_of_size(name, parameters, args, options), None)
    return None


def _is_foreseen(error: BaseException) -> bool:
    """Return whether the library, or a function of the caller, raised an error by itself."""
    return not isinstance(error, OF_ARGUMENTS) or is_made_here(error) or _is_of_the_caller(error)


def describe(name: str, args: tuple[Any, ...], options: Mapping[str, Any], error: Exception) -> UnforeseenError | None:
    """Return the error that names a call with its arguments; None if what went wrong was foreseen.

    >>> describe("table", (5,), {"title": "x"}, KeyError("x"))
    UnforeseenError("table(5, title='x') failed: KeyError: 'x'")
    """
    if _is_foreseen(error) or type(error).__module__.partition(".")[0] not in PLAIN:
        return None  # another library says in its own words what it cannot do
    given = ", ".join((*map(short, args), *(f"{key}={short(value)}" for key, value in options.items())))
    return UnforeseenError(f"{name}({given}) failed: {type(error).__name__}: {error}")


def _is_of_the_caller(error: BaseException) -> bool:
    """Return whether an error passed through a function of the caller, such as a formula of his.

    Methods with names such as __len__ are how an object shows its data, and so are about an argument.
    """
    frames = list[FrameType]()
    step = error.__traceback__
    while step is not None:
        frames.append(step.tb_frame)
        step = step.tb_next
    inside = False
    for frame in frames:
        own = str(frame.f_globals.get("__name__", "")).partition(".")[0] == LIBRARY
        if inside and not own and not frame.f_code.co_name.startswith("__") and not _is_installed(frame):
            return True
        inside |= own
    return False


def _is_installed(frame: FrameType) -> bool:
    """Return whether code is of Python or of an installed package; compiled code only tells its module."""
    module = sys.modules.get(str(frame.f_globals.get("__name__", "")).partition(".")[0])
    files = (frame.f_code.co_filename, getattr(module, "__file__", None) or "")
    return any(file.startswith(INSTALLED) for file in files)


def _given(parameters: list[Parameter], args: tuple[Any, ...], options: Mapping[str, Any]) -> Iterator[tuple[Parameter, Any]]:
    """Yield each argument with its parameter, as far as it is known what it is."""
    positional = takewhile(lambda p: p.kind is not p.VAR_POSITIONAL, parameters)
    yield from zip(positional, args, strict=False)
    by_name = {p.name: p for p in parameters}
    of_measure = "params" in by_name and by_name["params"].kind is Parameter.VAR_KEYWORD  # their names say nothing here
    for name, value in options.items():
        if name in by_name:
            yield by_name[name], value
        elif not of_measure and name.isidentifier() and not iskeyword(name):
            yield Parameter(name, Parameter.KEYWORD_ONLY, default=None), value  # which is passed on; None is always possible


def _is_of_number(parameter: Parameter, value: Any) -> bool:
    """Return whether a number was given where numbers are taken, but not all of them."""
    return _is_number(value) and parameter.name in BY_NAME


def _is_named(words: str, value: Any) -> bool:
    """Return whether the words for what an argument takes name what was given.

    >>> _is_named("str, mapping or None", {}), _is_named("array-like", [1]), _is_named("str or path", 5), _is_named("bool", 5)
    (True, True, False, False)
    """
    own = re.search(rf"\b{re.escape(type(value).__name__)}\b", words)
    return bool(own) or any(re.search(rf"\b(?:{pattern})", words) for pattern, test in NAMED if test(value))


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
        own = parameter.name in OF_DATA and type(value).__module__.partition(".")[0] == LIBRARY
        return test is None or own or test(value) or (value is None and parameter.default is not parameter.empty)
    return _allows(text, value) and (test is None or not _is_number(value) or test(value))


def _allows(annotation: str, value: Any) -> bool:
    """Return whether an annotation, as it is written, allows a value; what is not known here is allowed."""
    return any(_alternative(one, value) for one in _split(annotation, "|"))


def _alternative(text: str, value: Any) -> bool:
    head, _, inside = text.partition("[")
    test = TESTS.get(head)
    if test is None:
        if head == "Measure" and isinstance(value, str):
            return True  # its name
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
    if hasattr(value, "nnz"):
        return True  # sparse
    try:
        array = np.asarray(value)
        return array.ndim > 0 and array.dtype.kind != "c" and array.astype(np.float64).ndim > 0
    except (TypeError, ValueError, OverflowError, MemoryError):
        return False


def _is_numeric(value: Any) -> bool:
    return _is_number(value) or (isinstance(value, np.ndarray) and value.dtype.kind in "biufO") or _is_table(value)


def _is_number_or_symbol(value: Any) -> bool:
    return _is_number(value) or hasattr(value, "free_symbols")


LIST: tuple[str, Test] = ("a list", _is_iterable)
NUMBER: tuple[str, Test] = ("a number", _is_number_or_symbol)
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
    "Undefined": lambda value: isinstance(value, str) or _is_number(value) or hasattr(value, "otherwise"),
}
CLASSES: tuple[str, ...] = (
    *("Measure", "Counts", "Evaluation", "Sweep", "Stream", "Folds", "TNorm", "Negation"),
    *("DetectionEvaluation", "PanopticEvaluation", "SurfaceEvaluation", "MatchingRule", "Replicates", "CostMatrix"),
)
OF_DATA = ("y_true", "y_pred", "scores", "population", "tp", "fp", "fn", "tn")  # which the library has objects for, too
BY_NAME: dict[str, tuple[str, Test]] = {  # of parameters without an annotation, of options, and of numbers that have a range
    "ev": ("an evaluation", lambda value: hasattr(value, "tally")),
    "source": ("an evaluation, a sweep or a score", lambda value: not isinstance(value, ModuleType)),
    "ax": ("the axes of a plot", lambda value: hasattr(value, "set_title")),
    **dict.fromkeys(("unit", "node", "positive", "label", "of", "background"), ("a label", _is_label)),
    "abstain": ("a label", lambda value: _is_label(value) or _is_table(value)),
    "per": ("a name or several", lambda value: isinstance(value, str) or _allows("tuple[str, ...]", value)),
    **dict.fromkeys(("measures", "averages", "conventions", "things", "labels", "sources", "population"), LIST),
    **dict.fromkeys(("images", "names", "true_spans", "pred_spans", "tags", "y_true", "y_pred", "ratings"), LIST),
    **dict.fromkeys(("eta", "probabilities", "sets", "at", "sample_weight"), ("an array of numbers", _is_table)),
    "classes": ("a list of labels", lambda value: _is_iterable(value) or TESTS["int"](value)),
    **dict.fromkeys(("a", "b"), ("numbers", lambda value: _is_numeric(value) and not isinstance(value, list | tuple | range))),
    **dict.fromkeys(("tp", "tn"), ("numbers", _is_numeric)),
    **dict.fromkeys(("fp", "fn"), ("numbers", lambda value: value is None or isinstance(value, Mapping) or _is_numeric(value))),
    "scores": ("numbers", lambda value: isinstance(value, Mapping) or _is_table(value)),
    "one_sided": ("True or False", lambda value: TESTS["bool"](value) or isinstance(value, str)),
    "level": ("a share between 0 and 1", lambda value: _is_number(value) and 0 < value < 1),
    "propensities": ("numbers, or a dict of them", lambda value: isinstance(value, Mapping) or _is_table(value)),
    "by": ("a dict of groupings", lambda value: isinstance(value, Mapping | str | list | tuple) or hasattr(value, "columns")),
    **dict.fromkeys(("k", "bits"), ("a whole number", lambda value: TESTS["int"](value))),
    "i": ("the number of an example", lambda value: TESTS["int"](value) and abs(value) < 2**62),
    "draws": ("a whole number from 1 on", lambda value: TESTS["int"](value) and value >= 1),
    "seed": ("a whole number from 0 on", lambda value: TESTS["int"](value) and value >= 0),
    **dict.fromkeys(("m", "n"), ("a number or a symbol", lambda value: _is_number_or_symbol(value))),
    **dict.fromkeys(("threshold", "coverage", "fpr", "max_fpr", "clip", "beta", "tolerance", "empty"), NUMBER),
    **dict.fromkeys(("pool", "up_to", "kind", "method", "sample", "name"), ("a text", lambda value: isinstance(value, str))),
    "missing": ("'error', 'mask' or 'abstain'", lambda value: isinstance(value, str) or _allows("tuple[str, ...]", value)),
    "function": ("a function", callable),
    "estimator": ("an estimator", lambda value: callable(value) or hasattr(value, "predict") or hasattr(value, "fit")),
}


NAMED: tuple[tuple[str, Test], ...] = (  # words for what an argument takes, and which values they name
    ("object", lambda value: True),
    ("None", lambda value: value is None),
    ("mapping|dict", lambda value: isinstance(value, Mapping)),
    ("number|float", _is_number),
    ("text|name|label|path", lambda value: isinstance(value, str)),
    ("array|table|matrix|frame", lambda value: _is_table(value) or hasattr(value, "columns")),
    ("array|list|iterable|sequence|several", lambda value: isinstance(value, list | tuple | set | frozenset)),
    ("function|callable", callable),
)


def _words(function: Any, parameter: Parameter, value: Any) -> str:
    """Return what a parameter takes: as the documentation says, or as it is annotated.

    Of a number, which numbers are taken.
    """
    found = re.search(rf"^ *(?:\w+, )*{parameter.name}(?:, \w+)* : (.+)$", getdoc(function) or "", re.MULTILINE)
    words = found[1].removesuffix(", optional").partition(", default")[0] if found else ""
    if words and not (_is_of_number(parameter, value) and _is_named(words, value)):
        return words
    if parameter.name in BY_NAME:
        return BY_NAME[parameter.name][0]
    return str(parameter.annotation)
