"""The command line of the study of intervals.

Cells go to a file as they are simulated, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import os
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from . import any_method
from .results import append, page, read, summary, table, todo
from .scores import sets
from .simulation import COMPARED, SIMULATIONS, simulate_todo

FILE = Path(__file__).parent / "cells.csv"
DOCUMENT = Path(__file__).parents[2] / "docs" / "how-sure" / "coverage.md"


def _fits(asked: object, own: object) -> bool:
    return asked in (None, own)


def main() -> None:
    """Simulate what a file does not have yet, and print its tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("--file", type=Path, default=FILE, help="where the cells are kept (%(default)s)")
    parser.add_argument("--simulations", type=int, default=SIMULATIONS, help="samples of each cell (%(default)s)")
    parser.add_argument("--compared", type=int, default=COMPARED, help="of these, samples of other methods, too (%(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (%(default)s)")
    parser.add_argument("--kind", help="only this kind of data, such as 'one class'")
    parser.add_argument("--classes", type=int, help="only populations with so many classes")
    parser.add_argument("--n", type=int, help="only samples of so many examples")
    parser.add_argument("--scores", nargs="+", help="only these scores, such as 'macro f1'")
    parser.add_argument("--seed", type=int, default=0, help="what samples are drawn from (%(default)s)")
    parser.add_argument("--table", action="store_true", help="simulate nothing; print the table of the file")
    parser.add_argument("--page", action="store_true", help="simulate nothing; write the page of the documentation")
    given = parser.parse_args()
    if not given.table and not given.page:
        asked = (given.kind, given.classes, given.n)
        chosen = [s for s in sets() if all(map(_fits, asked, (s.population.kind, s.population.classes, s.n)))]
        work = partial(simulate_todo, simulations=given.simulations, compared=given.compared, seed=given.seed)
        left = todo(chosen, read(given.file), given.scores)
        with get_context("spawn").Pool(given.jobs) as pool:
            for cells in pool.imap_unordered(work, left) if given.jobs > 1 else map(work, left):
                append(given.file, cells)
    cells = sorted(read(given.file), key=lambda cell: (cell.kind, cell.score, cell.n, cell.population))
    if given.page:
        DOCUMENT.write_text(page(cells, any_method.sentence(any_method.read())), encoding="utf-8")
    elif cells:
        print(f"{table(cells)}\n\n{summary(cells)}")


if __name__ == "__main__":
    main()
