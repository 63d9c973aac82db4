"""Which statements of the library each fast test runs.

They are recorded once for each file of tests, those of a folder in one process, and kept until it or the library changes. Slow
tests are not recorded: they are further cases of the fast ones for the most part, and recording them takes as long as trying
fifty mutants.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .repository import KEPT, LIBRARY, ROOT, copy_to, digest, files, run_pytest

HOURS = 3600.0


@dataclass(frozen=True)
class Recorded:
    """A fast test: how long it takes, and the statements that it runs."""

    name: str
    seconds: float
    hits: dict[str, int]  # for each module, a number whose bit k says that statement k ran

    @property
    def file(self) -> str:
        """The file that it stands in."""
        return self.name.partition("::")[0]

    def runs(self, module: str, statement: int | None = None) -> bool:
        """Whether it runs a statement of a module; without a number, any."""
        ran = self.hits.get(module, 0)
        return bool(ran if statement is None else ran >> statement & 1)


def groups() -> dict[str, list[str]]:
    """Return the files with tests, in groups.

    Each file of tests is a group; the examples in docstrings are one, and those in texts are one.
    """
    found = {path.removesuffix(".py").replace("/", "-"): [path] for path in files("tests/**/test_*.py")}
    found["docstrings"] = [path for path in files(f"{LIBRARY}/**/*.py") if ">>>" in (ROOT / path).read_text("utf-8")]
    found["texts"] = [*files("*.md"), *files("docs/*.md")]
    return found


def support() -> list[str]:
    """Return the files that all tests may read: the library, and what tests share."""
    shared = [path for path in files("tests/**/*.py") if not Path(path).match("test_*.py")]
    return [*files(f"{LIBRARY}/**/*"), *shared, "conftest.py", "pyproject.toml"]


def record(jobs: int) -> list[Recorded]:
    """Return all fast tests that pass in a copy of the repository, with what they run."""
    KEPT.mkdir(exist_ok=True)
    found, common = groups(), digest(support())
    kept = {name: KEPT / f"{name}-{common}-{digest(paths)}.jsonl.gz" for name, paths in found.items()}
    missing = {name: paths for name, paths in found.items() if not kept[name].exists()}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        copy = copy_to(Path(folder) / "copy") if missing else Path(folder)

        def record_batch(batch: dict[str, list[str]]) -> None:
            for name, records in _record(copy, Path(tempfile.mkdtemp(dir=folder)), batch).items():
                for stale in KEPT.glob(f"{name}-????????????????-????????????????.jsonl.gz"):
                    stale.unlink()
                kept[name].write_bytes(gzip.compress(records.encode()))

        list(pool.map(record_batch, batches(missing)))
    return [test for name in kept for test in _read(kept[name])]


def batches(some: dict[str, list[str]]) -> list[dict[str, list[str]]]:
    """Return groups by the folder of their files: one process imports what they need once.

    >>> batches({"a": ["tests/laws/test_a.py"], "b": ["README.md"], "c": ["tests/laws/test_c.py"]})
    [{'a': ['tests/laws/test_a.py'], 'c': ['tests/laws/test_c.py']}, {'b': ['README.md']}]
    """
    found: dict[Path, dict[str, list[str]]] = {}
    for name, paths in some.items():
        found.setdefault(Path(paths[0]).parent, {})[name] = paths
    return [*found.values()]


def _record(copy: Path, folder: Path, batch: dict[str, list[str]]) -> dict[str, str]:
    """Return the records of each group, one line for each test."""
    (folder / "hits").mkdir()
    records = folder / "records.jsonl"
    records.touch()
    variables = {"MUTANTS_RECORD": str(records), "MUTANTS_HITS": str(folder / "hits")}
    paths = [path for own in batch.values() for path in own]
    arguments = ["--continue-on-collection-errors", "-m", "not slow", "--hypothesis-profile=fast", *paths]
    run = run_pytest(copy, arguments, paths=["mutants/site"], limit=4 * HOURS, **variables)
    if run.code not in (0, 1, 5):  # 1: some tests fail as it is, and are not used; 5: all tests are slow
        raise SystemExit(f"{', '.join(batch)} could not be recorded:\n{run.output[-2000:]}")
    print(f"recorded {', '.join(batch)} in {run.seconds:.0f} s: {run.output.splitlines()[-1]}", flush=True)
    group = {path: name for name, own in batch.items() for path in own}
    found = dict.fromkeys(batch, "")
    for line in records.read_text("utf-8").splitlines():
        found[group[json.loads(line)["test"].partition("::")[0]]] += f"{line}\n"
    return found


def _read(kept: Path) -> list[Recorded]:
    records = [json.loads(line) for line in gzip.decompress(kept.read_bytes()).splitlines()]
    failed = {record["test"] for record in records if not record["passed"]}
    return [
        Recorded(record["test"], record["seconds"], {name: int(x, 16) for name, x in record["hits"].items()})
        for record in records
        if record["test"] not in failed
    ]
