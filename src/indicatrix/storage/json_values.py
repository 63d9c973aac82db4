"""Labels, numbers and arrays as JSON that loses nothing, and back.

A file may have been damaged or edited, so a reader takes nothing for granted: whatever a writer does not write is a ValueError
that says what was found and where.
"""

from __future__ import annotations

import base64
import json
import math
import re
import zlib
from collections.abc import Mapping
from dataclasses import fields as fields_of
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from ..algebra.arrays import Array
from ..words.wording import short

Record = TypeVar("Record")
HEXADECIMAL = re.compile(r"-?(0x[01]\.[0-9a-f]+p[+-][0-9]+|inf)")  # as float.hex() writes it; there is never a NaN
FRACTION = re.compile(r"-?[0-9]+/0*[1-9][0-9]*")
# The type of an array of each kind, and the types of its numbers in the file.
TYPES: dict[str, tuple[type, tuple[type, ...]]] = {
    "int": (np.int64, (int,)),
    "float": (np.float64, (float,)),
    "exact": (object, (int, Fraction)),
}

WORDS = {"int": "<i8", "float": "<f8"}  # in packed arrays, whatever the machine
LARGE = 500  # numbers of an array from which on it is packed
ROOM = 1 << 31  # bytes that the arrays of a file may take in memory: a few packed bytes may stand for terabytes
SIZES = {"exact": 256}  # bytes of a number of each kind in memory, about; 8 of others
LONGEST = 1 << 13  # characters of a fraction, on average


def array_out(x: Array) -> dict[str, Any]:
    """Return an array of counts as JSON that loses nothing.

    Integers stay integers, floats become hexadecimals, fractions become text. A large array, which nobody reads, is packed.
    """
    kind = {"i": "int", "f": "float"}.get(x.dtype.kind, "exact")
    facts = {"shape": list(x.shape), "kind": kind}
    if x.size >= LARGE:
        return {**facts, "packed": _pack(x.ravel(), kind)}
    values = x.ravel().tolist()
    return {**facts, "values": values if kind == "int" else [number_out(v) for v in values]}


def array_in(data: Any, what: str, shape: tuple[int | None, ...]) -> Array:
    """Return the array that this JSON describes; a length of None in ``shape`` is any."""
    packed = isinstance(data, dict) and "packed" in data
    lengths, kind, values = fields(data, ("shape", "kind", "packed" if packed else "values"), what)
    lengths = [whole_in(length, f"a length of {what}") for length in list_in(lengths, f"the shape of {what}")]
    if len(lengths) != len(shape) or any(b not in (None, a) for a, b in zip(lengths, shape, strict=True)):
        raise ValueError(f"{what} has the shape {short(lengths)}, not {['any' if x is None else x for x in shape]}")
    if not isinstance(kind, str) or kind not in TYPES:
        raise ValueError(f"{what} has the kind {short(kind)}, not one of {', '.join(TYPES)}")
    if packed:
        values = _unpack(text_in(values, f"the packed values of {what}"), kind, math.prod(lengths), what)
        if isinstance(values, np.ndarray):
            return values.reshape(lengths)
    numbers = list_in(values, f"the values of {what}")
    if set(map(type, numbers)) != {int}:  # the usual case: there may be very many
        numbers = [number_in(v, what) for v in numbers]
    if len(numbers) != math.prod(lengths):
        raise ValueError(f"{what} has {len(numbers)} values for the shape {lengths}")
    dtype, allowed = TYPES[kind]
    odd = [x for x in numbers if type(x) not in allowed]
    if kind == "int" and not odd:
        odd = [x for x in (min(numbers, default=0), max(numbers, default=0)) if abs(x) >= 2**63]
    if odd:
        raise ValueError(f"{what} holds {short(odd[0])}, but its kind is {kind!r}")
    return np.array(numbers, dtype).reshape(lengths)


def check_room(data: Any) -> None:
    """Refuse arrays that would need too much memory together, before the first is unpacked."""
    total, left = 0, [data]
    while left:
        one = left.pop()
        if isinstance(one, dict) and "packed" in one and isinstance(one.get("shape"), list):
            numbers = math.prod(x for x in one["shape"] if type(x) is int)
            total += numbers * SIZES.get(one["kind"] if isinstance(one.get("kind"), str) else "", 8)
        elif isinstance(one, dict | list):
            left += [x for x in (one.values() if isinstance(one, dict) else one) if isinstance(x, dict | list)]
    if total > ROOM:
        raise ValueError(
            f"its arrays take {total:,} bytes of memory, and a file holds at most {ROOM:,}. Keep fewer classes, with only(), or "
            "the counts without the confusion matrix"
        )


def _pack(x: Array, kind: str) -> str:
    """Return a vector as text: 8 bytes for each number, or JSON of fractions, compressed."""
    if kind == "exact":
        raw = json.dumps([number_out(v) for v in x.tolist()]).encode()
    else:  # first bytes of all numbers, then second ones, …: most are equal, so that they take little room
        raw = x.astype(WORDS[kind]).view(np.uint8).reshape(-1, 8).T.tobytes()
    return base64.b64encode(zlib.compress(raw)).decode()


def _unpack(text: str, kind: str, size: int, what: str) -> Any:
    """Return what a text packs: an array of ``size`` numbers, or the JSON of fractions."""
    most = size * LONGEST + 2 if kind == "exact" else size * 8
    try:
        unpacked = zlib.decompressobj()
        raw = unpacked.decompress(base64.b64decode(text, validate=True), most + 1)
        if len(raw) <= most and not unpacked.eof:
            raise ValueError("the end is missing")
        if kind == "exact" and len(raw) <= most:
            return json.loads(raw)
    except (ValueError, RecursionError, zlib.error) as wrong:
        raise ValueError(f"the packed values of {what} cannot be unpacked: {wrong}") from None
    if len(raw) != 8 * size:
        given = f"more than {most}" if len(raw) > most else len(raw)
        raise ValueError(f"{what} has {given} packed bytes, and {size} numbers have {8 * size}")
    found: Array = np.frombuffer(raw, np.uint8).reshape(8, -1).T.copy().view(WORDS[kind])[:, 0].astype(TYPES[kind][0])
    if kind == "float" and np.isnan(found).any():
        raise ValueError(f"{what} holds a NaN, and no saved number is one")
    return found


def counts_in(data: Any, what: str, shape: tuple[int | None, ...], *, signed: bool) -> Array:
    """Return an array of counts: finite numbers, and negative only if ``signed`` says that some are."""
    counts = array_in(data, what, shape)
    if counts.dtype.kind == "f" and not np.isfinite(counts).all():
        raise ValueError(f"{what} holds an infinite number, and counts are finite")
    if not signed and (counts < 0).any():
        raise ValueError(f"{what} holds {counts[counts < 0][0]}, and counts are not negative")
    return counts


def number_out(x: Any) -> Any:
    """Return a number as JSON that loses nothing."""
    if isinstance(x, Fraction):
        return f"{x.numerator}/{x.denominator}"
    return x.hex() if isinstance(x, float) else int(x)


def number_in(data: Any, what: str) -> Any:
    """Return the number that this JSON describes."""
    if type(data) is int:
        return data
    if isinstance(data, str) and FRACTION.fullmatch(data):
        return Fraction(data)
    if isinstance(data, str) and HEXADECIMAL.fullmatch(data):
        return float.fromhex(data)
    raise ValueError(f"{what} holds {short(data)}, not a number as it is saved: 3, '3/2' or '0x1.8p+0'")


def name_out(name: Any) -> Any:
    """Return a label as JSON that keeps its type: 1, "1" and True stay different."""
    if name is None or isinstance(name, str | bool | int):
        return name
    if isinstance(name, float):
        return {"float": name.hex()}
    if isinstance(name, bytes):
        return {"bytes": name.hex()}
    if isinstance(name, tuple):
        return {"tuple": [name_out(x) for x in name]}
    raise TypeError(f"A label of type {type(name).__name__} cannot be saved; use strings or numbers as labels.")


def name_in(data: Any) -> Any:
    """Return the label that this JSON describes."""
    if data is None or isinstance(data, str | bool | int):
        return data
    match data:
        case {"float": str() as text} if len(data) == 1 and HEXADECIMAL.fullmatch(text):
            return float.fromhex(text)
        case {"bytes": str() as text} if len(data) == 1:
            return bytes.fromhex(text)
        case {"tuple": list() as items} if len(data) == 1:
            return tuple(name_in(x) for x in items)
    raise ValueError(f"{short(data)} is not a label as it is saved")


def names_in(data: Any, what: str) -> tuple[Any, ...]:
    """Return different labels; a missing one is an error."""
    names = tuple(name_in(x) for x in list_in(data, what))
    seen: set[Any] = set()
    for name in names:
        if name is None:
            raise ValueError(f"{what} have a name that is null")
        if name in seen:
            raise ValueError(f"{what} name {short(name)} twice")
        seen.add(name)
    return names


def fields(data: Any, names: tuple[str, ...], what: str) -> list[Any]:
    """Return the values that an object has under some names, all of which it must have."""
    if not isinstance(data, dict):
        raise ValueError(f"{what} is {short(data)}, not an object")
    missing = [name for name in names if name not in data]
    if missing:
        raise ValueError(f"{what} has no {missing[0]!r}")
    return [data[name] for name in names]


PLAIN: dict[str, tuple[type, ...]] = {  # what the fields of a record that say so hold
    "str": (str,),
    "float": (int, float),
    "int": (int,),
    "bool": (bool,),
    "None": (type(None),),
}


def record_in(kind: type[Record], values: Mapping[str, Any], what: str) -> Record:
    """Return a record of a class; a value that is not of the plain type that its field names is refused.

    Fields of other types are taken as they are.
    """
    for field in fields_of(kind):  # type: ignore[arg-type]
        named, value = str(field.type).split(" | "), values.get(field.name, field.default)
        possible = [own for name in named for own in PLAIN.get(name, (object,))]
        if not isinstance(value, (*possible,)) or (isinstance(value, bool) and not {bool, object} & {*possible}):
            raise ValueError(f"{field.name!r} of {what} is {short(value)}, not {field.type}")
    return kind(**values)


def dict_in(data: Any, what: str) -> dict[str, Any]:
    """Return an object as it is."""
    if not isinstance(data, dict):
        raise ValueError(f"{what} is {short(data)}, not an object")
    return data


def list_in(data: Any, what: str) -> list[Any]:
    """Return a list as it is."""
    if not isinstance(data, list):
        raise ValueError(f"{what}: {short(data)} is not a list")
    return data


def whole_in(data: Any, what: str) -> int:
    """Return a whole number that is not negative."""
    if type(data) is not int or data < 0:
        raise ValueError(f"{what} is {short(data)}, not a whole number of at least 0")
    return data


def flag_in(data: Any, what: str) -> bool:
    """Return true or false."""
    if not isinstance(data, bool):
        raise ValueError(f"{what} is {short(data)}, not true or false")
    return data


def text_in(data: Any, what: str) -> str:
    """Return a text."""
    if not isinstance(data, str):
        raise ValueError(f"{what} is {short(data)}, not a text")
    return data
