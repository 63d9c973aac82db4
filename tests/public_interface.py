"""The public interface as text, a line for each name: `python tests/public_interface.py` writes it down."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import indicatrix as ix
from indicatrix.public_names import every_public, place

FILE = Path(__file__).with_name("public_interface.txt")


def described() -> list[str]:
    """Return a line for each public name with its parameters and defaults, and for each public method of a class."""
    from operator import attrgetter

    lines = []
    for name in sorted(every_public(), key=place):
        found = attrgetter(place(name).removeprefix("ix."))(ix)
        lines += of_object(place(name), found)
    return lines


def of_object(name: str, found: Any) -> Iterator[str]:
    """Give the lines of one object."""
    if isinstance(found, ix.Measure):
        yield f"{name}: measure of {found.reads.name}"
    elif inspect.isclass(found):
        yield f"{name}: class{parameters(found)}"
        for member in sorted(key for key in dir(found) if not key.startswith("_") and is_ours(found, key)):
            value = inspect.getattr_static(found, member)
            value = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            yield f"{name}.{member}{parameters(value) if inspect.isfunction(value) else ''}"
    elif callable(found):
        yield f"{name}{parameters(found)}"
    else:
        yield f"{name}: {type(found).__name__}"


def is_ours(found: type, member: str) -> bool:
    """Return whether a member of a class is more than what Python's own classes have, which differ from version to version."""
    owner = next(kind for kind in found.__mro__ if member in vars(kind))
    return owner.__module__.partition(".")[0] not in sys.stdlib_module_names


def parameters(function: Any) -> str:
    """Return names and defaults of the parameters, without their types."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # made in C, or an exception
        return "(…)"
    kept = [p.replace(annotation=p.empty) for p in signature.parameters.values() if p.name != "self"]
    return str(signature.replace(parameters=kept, return_annotation=signature.empty))


if __name__ == "__main__":
    FILE.write_text("\n".join(described()) + "\n", "utf-8")
