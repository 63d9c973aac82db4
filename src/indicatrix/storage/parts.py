"""Results that are made of evaluations: they add part by part, as ``formats`` saves them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any


def add_parts(one: Any, other: Any) -> Any:
    """Return the result of two batches; a class takes it as its ``__add__``.

    A part that may be missing says in the metadata of its field what it is called.
    """
    if type(one) is not type(other):
        return NotImplemented
    first, *_ = every = fields(one)
    parts = []
    for field in every:
        mine, theirs = (getattr(result, field.name) for result in (one, other))
        if "called" in field.metadata and (mine is None) != (theirs is None):
            raise ValueError(
                f"Only one of the two has {field.metadata['called']}. Give {field.name}= for both batches, or add .{first.name} "
                "alone."
            )
        parts.append(None if mine is None else mine + theirs)
    return type(one)(*parts)


def add_to_zero(result: Any, other: object) -> Any:
    """Return the result itself, so that ``sum()`` works; a class takes it as its ``__radd__``."""
    return result if isinstance(other, int) and other == 0 else NotImplemented
