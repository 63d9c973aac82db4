"""JSON that is changed in one place: what an editor, a script or another program may leave."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 1.5, -0.5, float("inf"), float("nan"), 2**31, 2**63, 10**30, "", "abc", "1/0", "-1/2", "1/2",
    "0x1.8p+0", "-0x1.8p+0", "nan", "inf", "int", "exact", "float", [], [1], {}, {"float": "abc"}, {"float": "nan"},
    {"tuple": [1]}, {"bytes": "zz"}, {"bytes": "00"}, "class", "site", "argmax", ["a", "a"],
    {"shape": [1], "kind": "int", "values": [1]},
)  # fmt: skip


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every object or list with each key or index that it has."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield data, key
        yield from places(value)


def mutate(content: dict[str, Any], rng: random.Random) -> None:
    """Change one value in the structure: replace, remove, repeat, swap, or move one step."""
    holder, key = rng.choice([place for place in places(content) if place[1] != "checksum"])
    what = rng.randrange(6)
    if what == 0:
        del holder[key]
    elif what == 1 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    elif what == 2 and isinstance(holder, list):
        other = rng.randrange(len(holder))
        holder[key], holder[other] = holder[other], holder[key]
    elif what == 3 and type(holder[key]) is int:
        holder[key] += rng.choice([-1, 1])
    elif what == 4:
        other, name = rng.choice(list(places(content)))
        holder[key] = copy.deepcopy(other[name])
    else:
        holder[key] = copy.deepcopy(rng.choice(JUNK))
