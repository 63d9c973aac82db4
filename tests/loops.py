"""A test that runs many cases in one loop, and names each case that fails.

A case of pytest costs a few milliseconds in every process, and its set-up again; thousands of them, one for each measure,
cost minutes. A loop costs nothing, and says as much when something is wrong.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from hypothesis import settings

FEW = 2  # cases of a test, and examples of a law, that `make test-fast` runs
SHOWN = 20  # failures that are printed whole: the names of all others follow
FAILURES = (Exception, pytest.fail.Exception)  # a call that does not raise what it should fails outside of Exception

Test = Callable[..., None]


def is_fast() -> bool:
    """Whether this run is one of the fast tests."""
    return settings.get_current_profile_name() == "fast"


def a_few(cases: Sequence[Any], few: int = FEW) -> Sequence[Any]:
    """Return few of the cases, from all parts of their list.

    >>> a_few("abcdefg"), a_few("ab"), a_few("abcdefg", 1)
    ('ae', 'ab', 'a')
    """
    return cases[:: max(1, -(-len(cases) // few))]


def examples(number: int, **others: Any) -> settings:
    """Return Hypothesis's settings for a law that draws so many examples; the fast tests draw few of them."""
    return settings(max_examples=min(number, FEW) if is_fast() else number, **others)


def for_each(names: str | Sequence[str], cases: Iterable[Any], *, ids: Iterable[str] | None = None) -> Callable[[Test], Test]:
    """Return a decorator that runs a test for every case, and then says which of them failed, and how.

    It is written like ``pytest.mark.parametrize``: two of them run every pair of their cases. Fixtures are made once, for all
    cases together.

    Parameters
    ----------
    names : the arguments of the test that a case gives, as a list or with commas between them
    cases : their values: of several arguments, a tuple for each case
    ids : what the cases are called; otherwise by their number, and by the names of their values
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    rows = [*cases]
    if any(isinstance(row, type(pytest.param())) for row in rows):
        raise TypeError("A case of a loop is made of plain values: pytest.param belongs to parametrize.")
    rows = [(row,) if len(arguments) == 1 else tuple(row) for row in rows]
    called = [f"{i}: {', '.join(map(_name, row))}" for i, row in enumerate(rows)] if ids is None else [*ids]
    own = [(name, dict(zip(arguments, row, strict=True))) for name, row in zip(called, rows, strict=True)]
    known = {*called} if ids else {_name(value) for row in rows for value in row}

    def decorate(test: Test) -> Test:
        body, inner = getattr(test, "looped", (test, None))
        every = own if inner is None else [(f"{a}; {b}", {**x, **y}) for a, x in own for b, y in inner]

        def loop(**fixtures: Any) -> None:
            marks = {mark.name for mark in loop.pytestmark}  # type: ignore[attr-defined]
            chosen = a_few(every, 1 if "one_fast_case" in marks else FEW) if is_fast() else every
            failed: list[tuple[str, BaseException]] = []
            for name, values in chosen:
                try:
                    body(**values, **fixtures)
                except FAILURES as error:
                    failed.append((name, error))
            if failed:
                raise AssertionError(_told(failed, len(chosen))) from failed[0][1]

        loop.__name__, loop.__qualname__, loop.__module__ = test.__name__, test.__qualname__, test.__module__
        loop.__doc__ = test.__doc__
        loop.looped = body, every  # type: ignore[attr-defined]
        left = [p for name, p in inspect.signature(test).parameters.items() if name not in arguments]
        loop.__signature__ = inspect.Signature([p.replace(kind=p.KEYWORD_ONLY) for p in left])  # type: ignore[attr-defined]
        loop.pytestmark = [*getattr(test, "pytestmark", ())]  # type: ignore[attr-defined]
        marked: Test = pytest.mark.loop(known)(loop)
        return marked

    return decorate


def _name(value: Any) -> str:
    """Return what a value of a case is called."""
    name = value if isinstance(value, str) else getattr(value, "__name__", None) or getattr(value, "name", None)
    return name if isinstance(name, str) else textwrap.shorten(repr(value), 60, placeholder="…")


def _told(failed: list[tuple[str, BaseException]], number: int) -> str:
    """Return a sentence about failures, with the case and the error of each."""
    lines = [f"{len(failed)} of {number} cases failed:"]
    for name, error in failed[:SHOWN]:
        lines.append(textwrap.indent(f"[{name}] {type(error).__name__}: {error}"[:500], "  "))
    if failed[SHOWN:]:
        lines.append(f"  and {', '.join(name for name, _ in failed[SHOWN:])}")
    return "\n".join(lines)
