"""The trial of a mutant: the tests that run its statement, until one fails.

The most specific files come first. Then come the slow cases of the same tests, those that are called after the function of the
statement, as every measure has cases of its name, and last the slow tests of some files.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from .mutations import function_at
from .recording import Recorded, groups, support
from .repository import KEPT, LIBRARY, ROOT, Run, digest, run_pytest
from .sample import Mutant

FIRST = 20.0  # seconds of tests in the first round
FILES = 4  # files of tests in the first round: each takes time to import
SLOW_FILES = 10  # files whose slow tests run in the last round; more of them could only kill more
LONGEST = 1800.0  # seconds that the last round may take
RESULTS = KEPT / "results.jsonl"


@dataclass(frozen=True)
class Result:
    """The result of a mutant: "killed" by a test, "timeout", or "survived".

    ``by`` is the file that killed it.
    """

    outcome: str
    by: str
    tests: int  # fast ones that run its statement
    seconds: float

    @property
    def killed(self) -> bool:
        """Whether the tests noticed."""
        return self.outcome != "survived"


def covering(mutant: Mutant, tests: list[Recorded]) -> list[Recorded]:
    """Return the tests that run a mutant's statement.

    Examples in docstrings of its own file are always among them. If importing the module runs the statement, these are all tests
    of the files in which a test runs anything of the module: a test that reads a constant runs no statement.
    """
    if not mutant.mutation.on_import:
        own = f"{LIBRARY}/{mutant.module}"
        return [test for test in tests if test.file == own or test.runs(dotted(mutant.module), mutant.mutation.statement)]
    files = {test.file for test in tests if test.runs(dotted(mutant.module))}
    return [test for test in tests if test.file in files] or tests


def dotted(module: str) -> str:
    """Return the name by which a file of the library is imported.

    >>> dotted("tally/states/states.py"), dotted("cli/__init__.py"), dotted("__init__.py")
    ('indicatrix.tally.states.states', 'indicatrix.cli', 'indicatrix')
    """
    parts = Path("indicatrix", module).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def rounds(chosen: list[Recorded], tests: list[Recorded]) -> Iterator[list[Recorded]]:
    """Yield the tests in two rounds.

    First come some of the files of which most tests run the statement, then all others.
    """
    rank = {file: i for i, file in enumerate(specific_files(chosen, tests))}
    first, spent = [], 0.0
    for test in sorted(chosen, key=lambda test: (rank[test.file], test.seconds)):
        if rank[test.file] < FILES and spent < FIRST:
            first.append(test)
            spent += test.seconds
    taken = {test.name for test in first}
    yield first
    yield sorted((test for test in chosen if test.name not in taken), key=lambda test: test.seconds)


def specific_files(chosen: list[Recorded], tests: list[Recorded]) -> list[str]:
    """Return the files of the chosen tests; those come first of which most tests were chosen."""
    in_file, hit = Counter(test.file for test in tests), Counter(test.file for test in chosen)
    seconds = {file: sum(test.seconds for test in chosen if test.file == file) for file in hit}
    return sorted(hit, key=lambda file: (-round(hit[file] / in_file[file], 1), seconds[file]))


def attempt(copy: Path, mutant: Mutant, tests: list[Recorded]) -> Result:
    """Put a mutant into a copy of the repository, run the tests that could notice, and take it out again."""
    chosen, spent = covering(mutant, tests), 0.0
    with closing(_runs(copy, mutant, chosen, tests)) as runs:
        for run in runs:
            spent += run.seconds
            if run.code is None:
                return Result("timeout", "", len(chosen), round(spent, 1))
            if run.code not in (0, 5):  # 5: nothing to run
                return Result("killed", _failure(run.output).partition("::")[0], len(chosen), round(spent, 1))
    return Result("survived", "", len(chosen), round(spent, 1))


def _runs(copy: Path, mutant: Mutant, chosen: list[Recorded], tests: list[Recorded]) -> Generator[Run, None, None]:
    """Yield what becomes of each round of tests."""
    with fault(copy, mutant):
        for some in rounds(chosen, tests):
            yield _run(copy, some)
    yield _run_slow(copy, mutant, list(dict.fromkeys(test.name.partition("[")[0] for test in chosen)))
    function = function_at((copy / LIBRARY / mutant.module).read_text("utf-8"), mutant.mutation.line)
    if function:
        yield _run_slow(copy, mutant, ["tests"], MUTANTS_NAMED=function)
    yield _run_slow(copy, mutant, slow_files(mutant, chosen, tests))


def slow_files(mutant: Mutant, chosen: list[Recorded], tests: list[Recorded]) -> list[str]:
    """Return the files whose slow tests run last: those with most fast tests of the statement.

    If no fast test runs the statement, those of its module count, and otherwise those of its folder.
    """
    folder = dotted(mutant.module).rpartition(".")[0]
    own = chosen or [test for test in tests if test.runs(dotted(mutant.module))]
    near = own or [test for test in tests if any(name.startswith(folder) for name in test.hits)]
    return [file for file, _ in Counter(test.file for test in near).most_common(SLOW_FILES)]


def _run_slow(copy: Path, mutant: Mutant, places: list[str], **variables: str) -> Run:
    """Run the slow tests at these places, until one fails that passes without the mutant."""
    if not places:
        return Run(0, "", 0.0)
    unfit: list[str] = []
    while True:
        with fault(copy, mutant):
            arguments = ["-x", "-m", "slow or loop" if variables else "slow", *(f"--deselect={name}" for name in unfit), *places]
            run = run_pytest(copy, arguments, limit=LONGEST, **variables)
        failed = _failure(run.output)
        if run.code != 1 or not failed or run_pytest(copy, [failed], limit=LONGEST).code == 0:
            return run
        unfit.append(failed)


@contextmanager
def fault(copy: Path, mutant: Mutant) -> Iterator[None]:
    """Put a mutant into a copy of the repository, and take it out again."""
    place = copy / LIBRARY / mutant.module
    source = place.read_text("utf-8")
    _write(place, mutant.mutation.apply(source))
    try:
        yield
    finally:
        _write(place, source)


def check_copy(copy: Path, tests: list[Recorded]) -> Path:
    """Return a copy of the repository in which tests pass: without a fault, nothing may be killed."""
    run = _run(copy, sorted(tests, key=lambda test: test.seconds)[:200])
    if run.code != 0:
        raise SystemExit(f"Tests fail without a mutant, so they prove nothing:\n{run.output[-2000:]}")
    return copy


def _run(copy: Path, some: list[Recorded]) -> Run:
    """Run these tests in their order, until one fails.

    If they take far more time than without a fault, that is a failure, too.
    """
    if not some:
        return Run(0, "", 0.0)
    chosen = copy.parent / f"{copy.name}.tests"
    chosen.write_text("\n".join(test.name for test in some), encoding="utf-8")
    paths = list(dict.fromkeys(test.file for test in some))
    limit = 240 + 5 * sum(test.seconds for test in some)
    return run_pytest(copy, ["-x", *paths], limit=limit, MUTANTS_SELECT=str(chosen))


def _write(place: Path, source: str) -> None:
    """Write a module, and delete its compiled form.

    Two sources of the same second and size would count as the same.
    """
    place.write_text(source, encoding="utf-8")
    for compiled in place.parent.glob(f"__pycache__/{place.stem}.*.pyc"):
        compiled.unlink()


def _failure(output: str) -> str:
    """Return the first test that failed, or the file that could not be read; otherwise nothing."""
    failed = [
        line.partition(" ")[2].partition(" - ")[0] for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))
    ]
    return failed[0] if failed else ""


class Results:
    """The results of earlier runs that still hold.

    The library is the same, and so are the tests that decided.
    """

    def __init__(self) -> None:
        self._library = digest(support())
        self._all = digest(path for paths in groups().values() for path in paths)
        self._kept: dict[str, Result] = {}
        for line in RESULTS.read_text("utf-8").splitlines() if RESULTS.exists() else ():
            name, result, decided = json.loads(line)
            if decided == self._decided(Result(**result)):
                self._kept[name] = Result(**result)

    def _decided(self, result: Result) -> list[str]:
        """Return what must not change for a result to hold.

        It is the library, and the file of the test that failed, or all tests.
        """
        found = bool(result.by) and (ROOT / result.by).exists()
        return [self._library, digest([result.by]) if found else self._all]

    def __contains__(self, mutant: Mutant) -> bool:
        return mutant.name in self._kept

    def __getitem__(self, mutant: Mutant) -> Result:
        return self._kept[mutant.name]

    def add(self, mutant: Mutant, result: Result) -> None:
        """Keep a result, at once: a run that is stopped goes on where it was."""
        self._kept[mutant.name] = result
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps([mutant.name, asdict(result), self._decided(result)]) + "\n")
