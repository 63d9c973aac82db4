"""Draw samples of the cells of a simulation, over processes.

A sample is drawn from a seed that its cell and its number make, so that any number of processes, cells and samples gives the same
sample: a table that is drawn in parts is the table that is drawn at once.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import groupby
from multiprocessing import get_all_start_methods, get_context
from typing import Any

import numpy as np

TOGETHER = 25  # samples that a process draws before it is asked again
Task = tuple[int, Any, range]  # the number of a cell, the cell, and which of its samples


def generator(cell: Any, number: int) -> np.random.Generator:
    """Return the random numbers of one sample of a cell, which ``repr`` names."""
    return np.random.default_rng([number, zlib.crc32(repr(cell).encode())])


def samples(
    draw: Callable[[Any, int], Any], cells: Sequence[Any], draws: int, processes: int = 1
) -> Iterator[tuple[Any, np.ndarray]]:
    """Yield each cell with what ``draw(cell, number)`` returned for each of its samples.

    A cell comes as soon as all of them are drawn.

    What was computed and kept before the first sample, processes have too where they are forked.
    """
    tasks = [
        (k, cell, range(first, min(first + TOGETHER, draws)))
        for k, cell in enumerate(cells)
        for first in range(0, draws, TOGETHER)
    ]
    with ExitStack() as opened:
        found: Iterator[tuple[int, list[Any]]]
        if processes == 1:
            found = map(partial(_some, draw), tasks)
        else:
            way = "fork" if "fork" in get_all_start_methods() else "spawn"
            found = opened.enter_context(get_context(way).Pool(processes)).imap(partial(_some, draw), tasks)
        for k, parts in groupby(found, key=lambda part: part[0]):
            yield cells[k], np.array([one for _, some in parts for one in some], float)


def _some(draw: Callable[[Any, int], Any], task: Task) -> tuple[int, list[Any]]:
    k, cell, numbers = task
    return k, [draw(cell, number) for number in numbers]


def arguments(name: str, text: str | None, parts: Sequence[str], draws: int = 2000) -> argparse.Namespace:
    """Return what the command line of a simulation asks for: ``parts``, ``draws`` and ``processes``."""
    summary = (text or "").strip()
    parser = argparse.ArgumentParser(
        prog=f"python -m benchmarks.{name}", description=summary, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="part", help=f"what to draw; left out, all of: {', '.join(parts)}")
    parser.add_argument("--draws", type=int, default=draws, help="samples of each cell (%(default)s)")
    parser.add_argument("--processes", type=int, default=1, help="that draw side by side (%(default)s); they change no number")
    given = parser.parse_args(sys.argv[1:])
    odd = [part for part in given.parts if part not in parts]
    if odd:
        parser.error(f"there is no part {', '.join(map(repr, odd))}; the parts are {', '.join(map(repr, parts))}")
    if given.draws < 1 or given.processes < 1:
        parser.error("--draws and --processes are at least 1")
    given.parts = [part for part in parts if part in given.parts or not given.parts]
    return given
