"""Draw mutants, try each in a copy of the repository, and print the results.

See ``python -m mutants --help``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from operator import or_
from pathlib import Path
from queue import SimpleQueue

from .recording import Recorded, record
from .repository import copy_to
from .sample import Mutant, equivalent, every_mutant, modules, sample
from .trial import Result, Results, attempt, check_copy, dotted

GOAL = 0.95  # the share of mutants that the tests have to kill


def main() -> int:
    """Run the command line, and return its exit code: 1 if too many mutants survive."""
    options = read_options()
    every = every_mutant(module for module in modules() if module.startswith(tuple(options.folder or [""])))
    drawn = sample(every, options.count, options.seed)
    if options.list:
        print(*drawn, sep="\n")
        return 0
    tests = record(options.jobs)
    if options.uncovered_by_fast:
        return print_uncovered(every, tests)
    known = equivalent()
    same = [mutant for mutant in drawn if mutant.key in known]
    return print_results(try_all([mutant for mutant in drawn if mutant not in same], tests, options.jobs), same)


def read_options() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m mutants", description=sys.modules["mutants"].__doc__)
    parser.add_argument("--count", type=int, default=100, help="how many mutants to draw (100)")
    parser.add_argument("--seed", type=int, default=0, help="what they are drawn from (0)")
    parser.add_argument("--folder", action="append", help="only mutants of this folder or module, such as tally; may be repeated")
    parser.add_argument("--jobs", type=int, default=2, help="how many are tried at a time (2)")
    parser.add_argument("--list", action="store_true", help="print the mutants drawn, and try none")
    parser.add_argument("--uncovered-by-fast", action="store_true", help="print what `make test-fast` does not run, and try none")
    return parser.parse_args()


def try_all(mutants: list[Mutant], tests: list[Recorded], jobs: int) -> dict[Mutant, Result]:
    """Return what becomes of each mutant; those of an earlier run are not tried again."""
    results = Results()
    fresh = [mutant for mutant in mutants if mutant not in results]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()

        def take_a_copy(k: int) -> None:
            copies.put(check_copy(copy_to(Path(folder) / str(k)), tests))

        def try_one(mutant: Mutant) -> None:
            copy = copies.get()
            try:
                found = attempt(copy, mutant, tests)
            finally:
                copies.put(copy)
            results.add(mutant, found)
            print(f"{found.outcome:9}{found.seconds:6.0f} s  {mutant}", flush=True)

        list(pool.map(take_a_copy, range(min(jobs, len(fresh)))))
        list(pool.map(try_one, fresh))
    return {mutant: results[mutant] for mutant in mutants}


def print_results(results: dict[Mutant, Result], same: list[Mutant]) -> int:
    """Print a table by folder and the survivors; return 1 if too many survive."""
    killed, tried = (Counter(m.folder for m, result in results.items() if result.killed or every) for every in (False, True))
    apart = Counter(mutant.folder for mutant in same)
    print(f"\n{'folder':26}{'tried':>8}{'killed':>8}{'survived':>10}{'equivalent':>12}")
    for name in [*dict.fromkeys(mutant.folder for mutant in [*results, *same])]:
        print(f"{name:26}{tried[name]:8}{killed[name]:8}{tried[name] - killed[name]:10}{apart[name]:12}")
    share = killed.total() / max(1, tried.total())
    print(f"{'all':26}{tried.total():8}{killed.total():8}{tried.total() - killed.total():10}{apart.total():12}")
    print(f"\n{share:.1%} of {tried.total()} killed, {GOAL:.0%} wanted")
    for mutant, result in results.items():
        if not result.killed:
            print(f"survived {result.tests} tests  {mutant}\n    {mutant.text}")
    return int(share < GOAL)


def print_uncovered(every: list[Mutant], tests: list[Recorded]) -> int:
    """Print what the fast tests do not run; return 1 if that is a whole module."""
    modules = dict[str, set[int]]()
    for mutant in every:
        if not mutant.mutation.on_import:
            modules.setdefault(mutant.module, set()).add(mutant.mutation.statement)
    ran = {module: bits(tests, module) for module in modules}
    left = {module: sum(not ran[module] >> k & 1 for k in own) for module, own in modules.items()}
    for module, own in modules.items():
        if left[module]:
            print(f"{module:44}{left[module]:5} of {len(own)} statements are not run by the fast tests")
    whole = [module for module, own in modules.items() if left[module] == len(own)]
    print(f"{sum(left.values())} of {sum(map(len, modules.values()))} in all; modules that are not run at all: {whole or 'none'}")
    return int(bool(whole))


def bits(tests: list[Recorded], module: str) -> int:
    """Return the statements of a module that some test runs, as a number with one bit for each."""
    return reduce(or_, (test.hits.get(dotted(module), 0) for test in tests), 0)


if __name__ == "__main__":
    sys.exit(main())
