"""Damage: bytes of a file that were lost, changed, swapped or written twice."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

EXTREMES = (0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**62, 2**63 - 1, 2**64 - 1)  # lengths and offsets that are tried
WORDS = (
    *(
        b'"',
        b'""',
        b"'",
        b",",
        b";",
        b"\t",
        b"\n",
        b"\r",
        b"\r\n",
        b"\n\n",
        b"\0",
        b" ",
        b"\\",
        b"\xff",
        b"\xc3",
        b"\xef\xbb\xbf",
    ),
    *(b"{", b"}", b"[", b"]", b":", b"null", b"true", b"NaN", b"Infinity", b"1e400", b"-0", b"9223372036854775808", b"0.5"),
    *(b"18446744073709551616", b"9007199254740993", b"\\ud800", b"\\u0000", b'"y"', b'"y": 1, ', b"a,b", b"True", b"1.0", b"01"),
)


def damage(data: bytes, rng: random.Random) -> bytes:
    """Return bytes that are damaged in one to four places."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        if data:
            data = rng.choice(WAYS)(data, rng)
    return data


def damage_text(data: bytes, rng: random.Random) -> bytes:
    """Return text that is damaged in one to four places, half of the time so that rows may stay valid."""
    ways = TEXT_WAYS if rng.random() < 0.5 else WAYS
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        if data:
            data = rng.choice(ways)(data, rng)
    return data


def _flip_bit(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _change_bytes(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    some = rng.randbytes(rng.choice((1, 1, 2, 4, 8, 16)))
    return data[:at] + some + data[at + len(some) :]


def _write_extreme(data: bytes, rng: random.Random) -> bytes:
    """Write a number where a length or an offset may stand."""
    width = rng.choice((4, 8))
    at = rng.randrange(0, len(data), 4)
    number = (rng.choice(EXTREMES) + rng.choice((0, 0, -1, 1))) % (1 << 8 * width)
    return data[:at] + number.to_bytes(width, "little") + data[at + width :]


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def _cut_near_the_end(data: bytes, rng: random.Random) -> bytes:
    return data[: -rng.randrange(1, 20)]


def _lose(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.choice((1, 1, 2, 8, 64)) :]


def _insert(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(WORDS) + data[at:]


def _overwrite(data: bytes, rng: random.Random) -> bytes:
    at, word = rng.randrange(len(data)), rng.choice(WORDS)
    return data[:at] + word + data[at + len(word) :]


def _zero(data: bytes, rng: random.Random) -> bytes:
    """Write zeros over a block, as a disk does that lost it."""
    at, size = rng.randrange(len(data)), rng.choice((4, 16, 64, 512))
    return data[:at] + bytes(min(size, len(data) - at)) + data[at + size :]


def _repeat(data: bytes, rng: random.Random) -> bytes:
    at, size = rng.randrange(len(data)), rng.choice((1, 8, 64, 512))
    return data[: at + size] + data[at:]


def _swap(data: bytes, rng: random.Random) -> bytes:
    """Exchange two pieces of the same length."""
    size = rng.choice((1, 4, 8, 32))
    one, other = sorted((rng.randrange(len(data)), rng.randrange(len(data))))
    if other - one < size or other + size > len(data):
        return _flip_bit(data, rng)
    middle = data[one + size : other]
    return data[:one] + data[other : other + size] + middle + data[one : one + size] + data[other + size :]


def _change_letter(data: bytes, rng: random.Random) -> bytes:
    at = rng.choice([match.start() for match in re.finditer(rb"[A-Za-z0-9]", data)] or [0])
    return data[:at] + rng.choice((b"a", b"Z", b"0", b"1", b"9")) + data[at + 1 :]


def _change_cell(data: bytes, rng: random.Random) -> bytes:
    """Write another word in the place of a cell or a value, or next to it."""
    cell = rng.choice([*re.finditer(rb"[^,\n{}:\[\]]+", data)] or [re.match(b"", data)])
    assert cell is not None
    start, end = rng.choice(((cell.start(), cell.end()), (cell.end(), cell.end()), (cell.start(), cell.start())))
    return data[:start] + rng.choice(WORDS) + data[end:]


def _change_lines(data: bytes, rng: random.Random) -> bytes:
    """Lose a line, write it twice, or exchange it with another."""
    lines = data.split(b"\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    way = rng.randrange(3)
    if way == 0:
        del lines[one]
    elif way == 1:
        lines.insert(one, lines[one])
    else:
        lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


TEXT_WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (_change_letter, _change_letter, _change_cell, _change_lines)
WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _flip_bit,
    _change_bytes,
    _change_bytes,
    _write_extreme,
    _write_extreme,
    _cut,
    _cut_near_the_end,
    _lose,
    _insert,
    _overwrite,
    _zero,
    _repeat,
    _swap,
)
