"""Digests of options, from their values and not from their texts.

The text of a large array is cut in its middle, so that it says too little to tell two runs apart.
"""

from __future__ import annotations

import hashlib
import pickle
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from types import CodeType, FunctionType
from typing import Any

import numpy as np

PLAIN = (type(None), bool, int, float, complex, str, bytes, Fraction)


def digest(value: Any) -> str:
    """Return a text that changes with any value in an option.

    >>> digest([1, 2]) == digest([1, 2]), digest([1, 2]) == digest([1, 3]), digest([1]) == digest(["1"])
    (True, False, False)
    """
    found = hashlib.sha256()
    for part in _parts(value):
        found.update(len(part).to_bytes(8, "little") + part)
    return found.hexdigest()


def _parts(value: Any) -> Iterator[bytes]:
    """Yield the bytes of a value, the same for the same value."""
    name = type(value).__name__
    if type(value) in PLAIN:
        yield f"{name} {value!r}".encode("utf-8", "surrogatepass")
    elif isinstance(value, np.ndarray | np.generic):
        yield from _array_parts(np.asarray(value))
    elif isinstance(value, set | frozenset):
        yield from _joined("set", sorted(map(digest, value)))
    elif isinstance(value, Mapping):
        yield from _joined("mapping", [part for pair in value.items() for part in pair])
    elif isinstance(value, list | tuple):
        yield from _joined("list", value)
    elif isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        yield from _joined("function", [value.__code__, value.__defaults__, value.__kwdefaults__, cells])
    elif isinstance(value, CodeType):
        yield from _joined("code", [value.co_code, value.co_consts, value.co_names])
    elif is_dataclass(value) and not isinstance(value, type):
        yield from _joined(name, [getattr(value, one.name) for one in fields(value)])
    elif hasattr(value, "__array__"):  # a table or a column of another library
        yield from _joined(name, [np.asarray(value), [*getattr(value, "columns", ())]])
    elif getattr(value, "__dict__", None) and not isinstance(value, type):
        yield from _joined(name, [vars(value)])
    else:
        yield _pickled(value)


def _pickled(value: Any) -> bytes:
    """Return the bytes of anything else; of what Python cannot write, a text that no other run has."""
    try:
        return pickle.dumps(value)
    except (pickle.PicklingError, TypeError, AttributeError):
        return f"{value!r} {secrets.token_hex()}".encode()


def _array_parts(array: np.ndarray[Any, Any]) -> Iterator[bytes]:
    if array.dtype.hasobject:
        yield from _joined(f"array {array.shape}", array.ravel().tolist())
    else:
        yield f"array {array.shape} {array.dtype.str}".encode()
        yield np.ascontiguousarray(array).tobytes()


def _joined(name: str, values: Any) -> Iterator[bytes]:
    """Yield the bytes of several values, and where they end."""
    yield f"{name} {len(values)}".encode()
    for value in values:
        yield from _parts(value)
