"""From a formula, a text or a function, to a measure; one with a name is registered."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from inspect import signature
from numbers import Real
from types import FunctionType
from typing import Any, overload

import numpy as np

from ..words.call_mistakes import answers_mistakes
from ..words.wording import short, type_of
from .average import AVERAGES
from .count_formula import COUNTS, check_number, is_symbol
from .counts import CELLS
from .derived.derived_facts import DIRECTIONS, check_declared
from .kind import KINDS, OF_OTHERS, every_measure, find_kind, names_of_others
from .measure import MEASURES, Measure

# Where the value of a function is looked at: usual counts, and those where denominators vanish.
TRIED = ((3, 2, 1, 4), (0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (5, 0, 0, 5), (0, 5, 5, 0))


@overload
def measure(formula: Callable[..., Any] | str, **facts: Any) -> Measure: ...
@overload
def measure(formula: None = None, **facts: Any) -> Callable[[Callable[..., Any]], Measure]: ...
@answers_mistakes
def measure(
    formula: Callable[..., Any] | str | None = None,
    *,
    name: str | None = None,
    params: Mapping[str, float] | None = None,
    reads: str = "counts",
    **facts: Any,
) -> Any:
    """Return the measure that a formula text or a function defines.

    A measure with a name is registered, and ``score`` finds it by its name.

    Parameters
    ----------
    formula : str or callable, optional
        A formula of tp, fp, fn, tn and of parameters, or a function of the four. Default: ``measure(…)`` is a decorator.
    name : str, optional
        The name to register it under. A function has its own name.
    params : mapping, optional
        The parameters in the formula with their values, such as {"beta": 2}.
    reads : str, default 'counts'
        What a function reads: "counts", "matrix" for the whole confusion matrix, or "ranking" for the running counts of ranked
        scores. Range and direction of the last two are not derived: give range= and better=.
    **facts
        What cannot be derived: aliases, group, source, known_as, domain, averages, of_label_sets, whole, averaged_name. See
        help(ix.Measure). The direction, better=, and the range are derived from the formula; where they are given, counts that
        refute them are an error.

    Returns
    -------
    Measure
        The measure; as a decorator, the function that makes one.

    Examples
    --------
    >>> import indicatrix as ix
    >>> youden = ix.measure("tp/(tp+fn) + tn/(tn+fp) - 1")
    >>> youden(ix.Counts(tp=8, fp=10, fn=2, tn=30)), youden.range, youden.better
    (0.55, [-1, 1], 'higher')
    >>> ix.measure("5*fn + fp").better
    'lower'
    >>> ix.measure("tp/(tp + w*fn)", params={"w": 2})(ix.Counts(tp=8, fp=10, fn=2, tn=30))
    0.6666666666666666
    >>> def lowest_recall(confusion):
    ...     return (confusion.diagonal() / confusion.sum(axis=1)).min()
    >>> ix.measure(lowest_recall, reads="matrix", range=(0, 1), better="higher")(["a", "b", "b"], ["a", "b", "a"])
    0.5
    """
    if formula is None:
        return lambda function: measure(function, name=name, params=params, reads=reads, **facts)
    if reads not in KINDS:
        raise ValueError(f"reads={short(reads)} must be one of {', '.join(map(repr, KINDS))}.")
    made = _make(formula, name, params, {**_check_facts(facts), "reads": find_kind(reads)})
    if not made.reads.formula:
        _check_function(made)
        _refuse_taken(made, MEASURES)
        every_measure()  # whose names are then reserved
        OF_OTHERS.register(made)
        return made
    if not isinstance(formula, str):
        _check_arguments(formula, made.params, made.name)
        _check_values(formula, made.params, made.name)
    check_declared(made)
    if made.name:
        _refuse_taken(made, names_of_others())
        MEASURES.register(made)
    return made


def _refuse_taken(made: Measure, names: Container[str]) -> None:
    """Refuse names that measures of other kinds have."""
    for name in (made.name, *made.aliases):
        if name in names:
            raise ValueError(f"A measure named {name!r} already exists. Choose another name.")


def _check_function(made: Measure) -> None:
    """Refuse a function of another statistic that does not take it, or does not return a number."""
    values, failed = [], None
    for example in made.reads.examples():
        try:
            values.append(made.function(example, **made.params))
        except Exception as error:  # it may be for so many classes
            failed = error
            continue
        if not _is_number(values[-1]):
            raise TypeError(f"{made.name} returns {short(values[-1])}, {type_of(values[-1])}; a measure returns a number.")
    if not values and failed is not None:
        raise TypeError(f"{made.name} is not a function of {made.reads.what}: {failed!r}.") from failed


def listed(
    *, better: str = "higher", range: tuple[float, float] = (0, 1), **facts: Any
) -> Callable[[Callable[..., Any]], Measure]:
    """Return the decorator of measures of the catalogue.

    Their facts are declared, and laws in the tests check them.

    So importing the library derives nothing.
    """

    def register(function: Callable[..., Any]) -> Measure:
        made = _make(function, None, None, {"better": better, "range": range, **facts})
        MEASURES.register(made)
        return made

    return register


def _make(formula: Any, name: str | None, params: Mapping[str, float] | None, facts: dict[str, Any]) -> Measure:
    if not isinstance(formula, str) and not callable(formula):
        raise TypeError(f"A measure needs a formula text or a function of tp, fp, fn, tn, not {type(formula).__name__}.")
    if not isinstance(params, Mapping | None):
        raise TypeError(f"params={short(params)} must be a dict of parameters with their values, as in params={{'beta': 2}}.")
    for key, value in (params or {}).items():
        check_number(key, value)
    formulas = facts.get("reads", COUNTS).formula
    if isinstance(formula, str) and not formulas:
        raise TypeError(f"A formula is of four counts; a measure of {facts['reads'].what} needs a function of it.")
    if isinstance(formula, str):
        from .formula import parse_with  # the parser is loaded when the first formula is written as text

        formula, given = parse_with(formula, params or {}), dict(params or {})
    else:
        given = {**_defaults(formula, len(CELLS) if formulas else 1), **(params or {})}
        name = name or getattr(formula, "__name__", None)
        if name in (None, "<lambda>"):
            raise TypeError("A function without a name needs one to become a measure: ix.measure(function, name='my_measure').")
    plain = {k: v.item() if isinstance(v, np.generic) else v for k, v in given.items()}
    return Measure(name or "", formula, **facts, params=plain)


def _defaults(function: Any, taken: int = len(CELLS)) -> dict[str, Any]:
    """Return the parameters of a function after its statistic that have a number to start from.

    >>> def share(tp, fp, fn, tn, beta=2, *, power=1): ...
    >>> _defaults(share)
    {'beta': 2, 'power': 1}
    """
    if type(function) is FunctionType and not (function.__defaults__ or function.__kwdefaults__ or vars(function)):
        return {}  # as most functions have, of which a signature takes long to make
    try:
        after = [*signature(function).parameters.values()][taken:]
    except (TypeError, ValueError):  # not a function, or one that is compiled: who checks the arguments says so
        return {}
    named = (p for p in after if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.default is not p.empty)
    return {p.name: p.default for p in named if p.kind is p.KEYWORD_ONLY or _is_number(p.default)}


def _is_number(x: Any) -> bool:
    """Return whether a value is one real number; an array without axes is one, too."""
    return isinstance(x, Real | np.bool_) or (isinstance(x, np.ndarray) and not x.ndim and x.dtype.kind in "biuf")


def _check_values(function: Callable[..., Any], params: Mapping[str, Any], name: str) -> None:
    """Refuse a function whose value at some counts is not a number; it may raise, or divide by zero."""
    if any(map(is_symbol, params.values())):
        return
    failed: Exception | None = None
    values = []
    for counts in TRIED:
        try:
            values.append(function(*counts, **params))
        except Exception as error:
            failed = error
            continue
        if not _is_number(values[-1]):
            at = ", ".join(f"{cell}={x}" for cell, x in zip(CELLS, counts, strict=True))
            raise TypeError(
                f"{name} returns {short(values[-1])}, {type_of(values[-1])}, at {at}; a measure returns a number. Where it has "
                "no value, return float('nan'), or divide with ix.ratio(a, b), which is nan for 0/0."
            )
    if not values and failed is not None:
        raise TypeError(f"{name} has no value at any of the counts that were tried: {failed!r}.") from failed


def _check_arguments(function: Callable[..., Any], params: Mapping[str, Any], name: str) -> None:
    """Refuse a function that does not take four counts; one without a signature is tried."""
    try:
        taken = signature(function)
        taken.bind(0, 0, 0, 0, **params)
        first = [*taken.parameters][:4]
        if first != [*CELLS] and {*first} == {*CELLS}:
            raise TypeError(f"it takes {', '.join(first)}, and a measure is given {', '.join(CELLS)} by position, in this order")
    except TypeError as error:
        lacks = re.match(r"missing a required argument: '(\w+)'", str(error))
        start = f" Give it a number: params={{{lacks[1]!r}: 1}}." if lacks and lacks[1] not in CELLS else ""
        raise TypeError(f"{name} is not a function of the four counts tp, fp, fn, tn: {error}.{start}") from None
    except ValueError:  # it is compiled, and nobody knows what it takes
        try:
            function(1.0, 1.0, 1.0, 1.0, **params)
        except Exception as error:
            raise TypeError(f"{name} is not a function of the four counts tp, fp, fn, tn: {error!r}.") from None


def _check_facts(facts: dict[str, Any]) -> dict[str, Any]:
    known = (
        *("better", "range", "aliases", "group", "source", "known_as", "domain", "averages"),
        *("of_label_sets", "whole", "averaged_name"),
    )
    for fact in facts:
        if fact not in known:
            raise TypeError(f"{fact!r} is not a fact about a measure. Facts are {', '.join(known)}.")
    if facts.get("better") not in (None, *DIRECTIONS):
        raise ValueError(f"better={facts['better']!r} must be 'higher', 'lower' or 'neither'. Leave it out to derive it.")
    for fact in ("group", "source", "whole", "averaged_name"):
        if not isinstance(facts.get(fact, ""), str):
            raise TypeError(f"{fact}={short(facts[fact])} must be a text.")
    for fact in ("aliases", "averages"):
        given = facts.get(fact, ())
        if isinstance(given, str):
            raise TypeError(f"{fact}={given!r} must be a tuple of names, ({given!r},).")
        if not isinstance(given, tuple | list) or not all(isinstance(name, str) for name in given):
            raise TypeError(f"{fact}={short(given)} must be a tuple of names.")
    for fact in ("known_as", "domain"):
        if not isinstance(facts.get(fact, {}), Mapping):
            raise TypeError(f"{fact}={short(facts[fact])} must be a dict.")
    if facts.get("of_label_sets", "micro") not in AVERAGES:
        raise ValueError(f"of_label_sets={facts['of_label_sets']!r} is not an average. Choose from {', '.join(AVERAGES)}.")
    bounds = facts.get("range")
    if bounds is not None:
        if not isinstance(bounds, tuple | list) or len(bounds) != 2 or not all(map(_is_end, bounds)) or not bounds[0] < bounds[1]:
            raise ValueError(f"range={bounds!r} must be two numbers, (lowest, highest). Leave it out to derive it.")
        facts = {**facts, "range": tuple(bounds)}
    return facts


def _is_end(x: Any) -> bool:
    number = isinstance(x, int | float | np.number) or type(x).__module__ == "fractions"
    return number and not isinstance(x, bool) and bool(x == x)
