"""Write the stubs (``__init__.pyi``): type checkers cannot see names that are loaded at first use."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path

import indicatrix as ix
from indicatrix.catalogue.matrices import MATRIX_MEASURES
from indicatrix.public_names import ADAPTERS, HOMES, NAMESPACES

LIBRARY = Path(ix.__file__).parent
HEAD = "# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.\n"
LONGEST = 130  # characters of a line
CALLED = "catalogue"  # a room that can be called; to a type checker a module cannot, so there it is an object


def stubs() -> dict[Path, str]:
    """Return the text of each stub by its path."""
    written = {_path(space): _namespace(space) for space in NAMESPACES} | {LIBRARY / "__init__.pyi": _library()}
    written |= {_path(name): _package(name) for name in ADAPTERS if hasattr(getattr(ix, name), "HOMES")}
    return {path: "\n".join(lines) + "\n" for path, lines in written.items()}


def _path(space: str) -> Path:
    """Return where the stub of a namespace lies: inside of it if it is a package."""
    return LIBRARY / space / "__init__.pyi" if (LIBRARY / space).is_dir() else LIBRARY / f"{space}.pyi"


def _library() -> Iterator[str]:
    yield f"{HEAD}\nfrom typing import Any\n"
    yield from _imports({space: "" for space in (*NAMESPACES, *ADAPTERS) if space != CALLED})
    yield from _imports({name: _home(name) for name in ix.__all__ if name not in (*NAMESPACES, *ADAPTERS)})
    yield f"from .{CALLED} import listing as _listing, scales as _scales"
    yield "\n__version__: str"
    yield f"\nclass _{CALLED.capitalize()}:\n    def __call__(self, **facts: Any) -> _listing.Catalogue: ..."
    yield from (f"    {_attribute(name)}" for name in dir(ix.catalogue))
    yield f"\n{CALLED}: _{CALLED.capitalize()}\n"
    yield from _all(ix.__all__)


def _namespace(space: str) -> Iterator[str]:
    names = [name for name in dir(getattr(ix, space)) if _is_ours(name)]
    inside = f"{space}." if (LIBRARY / space).is_dir() else ""
    yield HEAD
    yield from _imports({name: _seen_from(inside, _home(name)) for name in names})
    yield ""
    if space == "measures":
        yield from (f"{alias} = {m.name}" for alias, m in (ix.algebra.MEASURES | MATRIX_MEASURES).items() if alias != m.name)
        yield ""
    yield from _all(names)


def _package(name: str) -> Iterator[str]:
    """Yield the stub of a package that loads names of its own at first use."""
    homes: dict[str, str] = getattr(ix, name).HOMES
    yield HEAD
    yield from _imports(homes)
    yield ""
    yield from _all(sorted(homes))


def _home(name: str) -> str:
    """Return the module that defines a name, relative to the library."""
    if name in HOMES:
        return HOMES[name]
    value = getattr(ix.catalogue if name == "groups" else ix.measures, name)
    return str(getattr(value, "function", value).__module__).removeprefix("indicatrix.")


def _is_ours(name: str) -> bool:
    """Return whether a name is the library's, not that of a measure that someone made."""
    return name in HOMES or name == "groups" or str(getattr(ix.measures, name).function.__module__).startswith("indicatrix.")


def _seen_from(inside: str, home: str) -> str:
    """Return the module of a name as a package says it; "" is the library."""
    if inside and home.startswith(inside):
        return home.removeprefix(inside)
    return f".{home}" if inside else home


def _imports(homes: dict[str, str]) -> Iterator[str]:
    """Yield one import for each module. What stands in ``__all__`` is public, without ``as``."""
    for home in dict.fromkeys(homes.values()):
        names = [name for name, own in homes.items() if own == home]
        line = f"from .{home} import {', '.join(names)}"
        yield line if len(line) <= LONGEST else "\n".join([f"from .{home} import (", *(f"    {name}," for name in names), ")"])


def _attribute(name: str) -> str:
    """Return the declaration of an attribute of the catalogue."""
    # In the body of the class its own names hide those of the stub, so others are reached through their modules.
    thing, value = getattr(ix.catalogue, name), f"_{_home(name).rpartition('.')[2]}.{name}"
    return f"{name} = {f'staticmethod({value})' if inspect.isfunction(thing) else value}"


def _all(names: Iterable[str]) -> Iterator[str]:
    yield "__all__ = ["
    yield from (f'    "{name}",' for name in names)
    yield "]"


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
