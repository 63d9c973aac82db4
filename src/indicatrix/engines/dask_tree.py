"""A tree of tasks on Dask: partitions are counted where they are, and few results at once are added."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .partitions import T

FAN = 8  # this many results are added by one task


def total(parts: list[Any], count: Callable[..., T], add: Callable[[Iterable[T]], T]) -> T:
    """Return the sum of ``count(part, number)`` over delayed parts.

    The parts of a worker that is lost are counted again.

    >>> from dask import delayed
    >>> total([delayed(part) for part in ([1, 2], [3], [4, 5])], lambda part, number: sum(part), sum)
    15
    """
    from dask.delayed import delayed

    counted, added = delayed(count, pure=False), delayed(add, pure=False)
    level = [counted(part, number) for number, part in enumerate(parts)]
    while len(level) > 1:
        level = [added(level[i : i + FAN]) for i in range(0, len(level), FAN)]
    return level[0].compute() if level else add([])
