"""Calls that do not fit: one line with the function's own options in place of Python's TypeError.

Nothing is looked at before a call. Python refuses arguments that do not fit before it enters a function, so the traceback of such
a TypeError ends in the wrapper; only then is the call compared with the signature. An error from inside a function stays what it
is, unless nobody foresaw it and an argument is to blame.

What goes away says so for two minor versions, and names what takes its place.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from types import FunctionType
from typing import Any, NamedTuple, TypeVar, overload

from .names_elsewhere import NO_HINTS, OTHER_NUMBER, UnknownOptionError, refuse_unknown
from .wording import number_of, series, short

Thing = TypeVar("Thing", bound=Callable[..., Any])
Mistake = Callable[[tuple[Any, ...], Mapping[str, Any]], str]  # of a call that does not fit: what to say, or ""

CONSTRUCTORS = ("__init__", "__new__")
POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
ANY_NUMBER = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


@overload
def answers_mistakes(thing: Thing, /) -> Thing: ...


@overload
def answers_mistakes(
    *, hints: Mapping[str, str] = NO_HINTS, mistake: Mistake | None = None, but: Sequence[str] = ()
) -> Callable[[Thing], Thing]: ...


def answers_mistakes(
    thing: Any = None,
    /,
    *,
    hints: Mapping[str, str] = NO_HINTS,
    mistake: Mistake | None = None,
    but: Sequence[str] = (),
) -> Any:
    """Return a function, or a class, whose calls that do not fit are answered with what it takes.

    Of a class, these are its public methods and its constructor. ``average=`` and ``averages=``, ``measure=`` and ``measures=``
    are understood for each other.

    Parameters
    ----------
    thing : function or class
        What is called. Default: a decorator is returned.
    hints : mapping, optional
        What to do instead of some options that people try here.
    mistake : callable, optional
        A function of the arguments and options of a call that does not fit; what it returns is said, unless it is empty.
    but : iterable of str, optional
        Methods of a class that answer for themselves, because they take everything.

    Returns
    -------
    function or class
        With the same name, documentation and signature.

    Examples
    --------
    >>> @answers_mistakes
    ... def table(measures, averages=None, *, level=0.95):
    ...     return measures, averages
    >>> table("f1", average="macro")
    ('f1', 'macro')
    >>> table("f1", levl=0.9)
    Traceback (most recent call last):
    indicatrix.words.names_elsewhere.UnknownOptionError: table takes no levl=. Did you mean level? It takes averages, level.
    >>> table("f1", "macro", 0.9)
    Traceback (most recent call last):
    TypeError: table takes 2 arguments by position, and 3 were given. Give the others by name: table('f1', 'macro', level=0.9).
    >>> table()
    Traceback (most recent call last):
    TypeError: table lacks measures. It is called as table(measures, …).
    """
    if thing is None:
        return lambda given: _answering(given, hints, mistake, but)
    return _answering(thing, hints, mistake, but)


def choose_one(owner: str, plots: Any) -> str:
    """Return which methods there are to choose from, where an object is called itself."""
    names = [name for name, member in vars(type(plots)).items() if callable(member) and not name.startswith("_")]
    return f"{owner} has several: choose {series([f'{owner}.{name}()' for name in names], 'or')}."


def _answering(thing: Any, hints: Mapping[str, str], mistake: Mistake | None, but: Sequence[str]) -> Any:
    if not isinstance(thing, type):
        return _wrap(thing, hints, mistake, thing.__name__)
    for name, member in [*vars(thing).items()]:
        if (name.startswith("_") and name not in (*CONSTRUCTORS, "__call__")) or name in but:
            continue
        inner = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if not isinstance(inner, FunctionType):
            continue
        bound = 0 if isinstance(member, staticmethod) and name != "__new__" else 1
        shown = thing.__name__ if name.startswith("_") else name
        original, own_hints, own_mistake = getattr(inner, "answers_mistakes", (inner, hints, mistake))
        wrapped = _wrap(original, own_hints, own_mistake, shown, bound)
        setattr(thing, name, wrapped if inner is member else type(member)(wrapped))
    return thing


def _wrap(function: Any, hints: Mapping[str, str], mistake: Mistake | None, name: str, bound: int = 0) -> Any:
    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except Exception as error:
            inside = error.__traceback__ is None or error.__traceback__.tb_next is not None
            if not isinstance(error, TypeError) or (inside and not isinstance(error, UnknownOptionError)):
                from .blamed_arguments import blame, describe  # few programs need it, and importing should be fast

                wrong = blame(function, name, args[bound:], options, error) or describe(name, args[bound:], options, error)
                if wrong is None:
                    raise
                raise wrong from error
            said = mistake(args[bound:], options) if mistake else ""
            if said:
                raise TypeError(said) from None
            options = _renamed(_Call(function, name, bound, args, options), error, hints)
        return call(*args, **options)

    call.answers_mistakes = function, hints, mistake  # type: ignore[attr-defined]  # a class wraps its methods anew
    return call


class _Call:
    """A call that does not fit, and what the function takes."""

    def __init__(self, function: Any, name: str, bound: int, args: tuple[Any, ...], options: Mapping[str, Any]) -> None:
        self.function, self.name, self.options = function, name, options
        self.args = args[bound:]
        self.parameters = [*signature(function).parameters.values()][bound:]

    @property
    def named(self) -> dict[str, Parameter]:
        """The parameters that have a name of their own."""
        return {p.name: p for p in self.parameters if p.kind not in ANY_NUMBER}

    @property
    def optional(self) -> list[str]:
        return [name for name, p in self.named.items() if p.default is not p.empty]

    @property
    def required(self) -> list[str]:
        return [p.name for p in self.parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD]

    @property
    def by_position(self) -> list[str]:
        return [p.name for p in self.parameters if p.kind in POSITIONAL]

    @property
    def unknown(self) -> str | None:
        """The first option that the function does not have."""
        if any(p.kind is p.VAR_KEYWORD for p in self.parameters):
            return None
        return next((name for name in self.options if name not in self.named), None)


def _renamed(call: _Call, error: TypeError, hints: Mapping[str, str]) -> dict[str, Any]:
    """Return the options with one under the name that it has here; any other mistake is refused."""
    unknown, known = call.unknown, call.optional
    if isinstance(error, UnknownOptionError):
        if error.option not in call.options:
            raise error  # it was given to another function
        unknown, known = error.option, [*dict.fromkeys((*known, *error.known))]
        hints = {**error.hints, **hints}
    if unknown is None:
        raise TypeError(_describe(call, error)) from None
    other = OTHER_NUMBER.get(unknown)
    taken = {*call.by_position[: len(call.args)], *call.options}
    if other in call.named and other not in taken:
        return {str(other) if name == unknown else name: value for name, value in call.options.items()}
    several = next((p.name for p in call.parameters if p.kind is p.VAR_POSITIONAL), None)
    if several is not None and several in (unknown, other):
        hints = {**hints, unknown: f"give it by position: {call.name}('f1')"}
    refuse_unknown(call.name, [unknown], known, hints, required=call.required)
    raise error


def _describe(call: _Call, error: TypeError) -> str:
    """Return what is wrong with the arguments of a call that has no unknown option."""
    allowed = call.by_position
    if len(call.args) > len(allowed) and not any(p.kind is p.VAR_POSITIONAL for p in call.parameters):
        return _describe_excess(call, allowed)
    twice = [name for name in allowed[: len(call.args)] if name in call.options]
    if twice:
        return f"{call.name} has {twice[0]} twice, by position and as {twice[0]}=. Give it once."
    missing = [n for n in call.required if n in call.named and n not in (*allowed[: len(call.args)], *call.options)]
    if missing:
        return f"{call.name} lacks {series(missing)}. It is called as {_form(call)}."
    return f"{call.name}: {error}. It is called as {_form(call)}."  # an argument without a name, given by name


def _describe_excess(call: _Call, allowed: Sequence[str]) -> str:
    """Return that too many arguments stand without a name, and how to name them if that can be seen."""
    said = f"{call.name} takes {number_of(len(allowed), 'argument')} by position, and {len(call.args)} were given."
    free = [p.name for p in call.parameters if p.kind is p.KEYWORD_ONLY and p.name not in call.options]
    excess = call.args[len(allowed) :]
    if len(excess) > len(free) or not all(isinstance(value, str | int | float) for value in excess):
        options = f" Its options have names: {', '.join(free)}." if free else ""
        return f"{said} It is called as {_form(call)}.{options}"
    first = [
        short(value) if isinstance(value, str | int | float) else name for name, value in zip(allowed, call.args, strict=False)
    ]
    others = [f"{name}={short(value)}" for name, value in zip(free, excess, strict=False)]
    given = [f"{name}=…" for name in call.options]
    return f"{said} Give the others by name: {call.name}({', '.join([*first, *others, *given])})."


def _form(call: _Call) -> str:
    """Return how a function is called: its required arguments, and three dots if there are others."""
    words = []
    for p in call.parameters:
        if p.kind is p.VAR_POSITIONAL:
            words.append(f"*{p.name}")
        elif p.default is p.empty and p.kind is not p.VAR_KEYWORD:
            words.append(f"{p.name}=…" if p.kind is p.KEYWORD_ONLY else p.name)
    rest = ["…"] if len(words) < len(call.parameters) else []
    return f"{call.name}({', '.join([*words, *rest])})"


Function = TypeVar("Function", bound=Callable[..., object])
KEPT = 2  # minor versions in which what is deprecated still works


class Deprecation(NamedTuple):
    """What goes away: its name, the version that deprecated it, and what to use instead."""

    name: str
    since: tuple[int, int]
    use: str

    @property
    def gone_in(self) -> tuple[int, int]:
        """Return the version that no longer has it.

        >>> Deprecation("ix.old", (1, 3), "ix.new").gone_in
        (1, 5)
        """
        return self.since[0], self.since[1] + KEPT

    def __str__(self) -> str:
        since, gone = (".".join(map(str, version)) for version in (self.since, self.gone_in))
        return f"{self.name} is deprecated since {since} and will be removed in {gone}. Use {self.use} instead."


DEPRECATIONS: list[Deprecation] = []  # all of them, so that a test finds the overdue


def deprecated(name: str, *, since: str, use: str) -> Callable[[Function], Function]:
    """Let a function warn at every call that it goes away.

    Parameters
    ----------
    name : str
        What users call, such as ``"ix.old"``.
    since : str
        The minor version in which it begins to warn, such as ``"1.3"``.
    use : str
        What to use instead, as users write it.

    Returns
    -------
    callable
        A decorator.

    Examples
    --------
    >>> import warnings
    >>> @deprecated("ix.old", since="1.3", use="ix.new")
    ... def old() -> int:
    ...     return 1
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     old()
    1
    >>> print(said[0].message)
    ix.old is deprecated since 1.3 and will be removed in 1.5. Use ix.new instead.
    >>> DEPRECATIONS.remove(old.deprecation)
    """
    major, minor = map(int, since.split("."))
    note = Deprecation(name, (major, minor), use)
    DEPRECATIONS.append(note)

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def warned(*args: object, **options: object) -> object:
            warnings.warn(str(note), DeprecationWarning, stacklevel=2)
            return function(*args, **options)

        warned.deprecation = note  # type: ignore[attr-defined]
        return warned  # type: ignore[return-value]

    return decorate
