"""A copy of the repository, where faults can be put into the library and pytest can run."""

from __future__ import annotations

import hashlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = "src/indicatrix"
KEPT = ROOT / ".mutants"  # what is remembered between runs; git ignores it
MEMORY = 12 << 30  # bytes that the tests of one mutant may ask for: a fault in a size may ask for any number
# Only memory that can be written to counts: browsers and Java reserve far more addresses than they use.


def files(pattern: str) -> list[str]:
    """Return the files that match a pattern, as paths from the root of the repository."""
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(pattern) if path.is_file() and path.suffix != ".pyc")


def digest(paths: Iterable[str]) -> str:
    """Return what changes with any name or content of these files."""
    found = hashlib.sha256()
    for path in paths:
        found.update(path.encode() + b"\0" + (ROOT / path).read_bytes() + b"\0")
    return found.hexdigest()[:16]


def copy_to(folder: Path) -> Path:
    """Copy the repository to a folder, and return the folder.

    Hidden files, and files that programs have made, are left out.
    """
    return Path(shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "__pycache__", "dist", "reproduced")))


@dataclass(frozen=True)
class Run:
    """What became of a run of pytest: its exit code, None if it ran out of time, and what it printed."""

    code: int | None
    output: str
    seconds: float


def run_pytest(copy: Path, arguments: Iterable[str], *, paths: Iterable[str] = (), limit: float, **variables: str) -> Run:
    """Run pytest in a copy, for at most so many seconds.

    It imports the copy's library, and from more folders if ``paths`` names them.
    """
    start = time.monotonic()
    places = [copy / "src", copy, *(copy / path for path in paths)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places)), **variables}
    options = ["-q", "-p", "mutants.plugin", "-p", "no:cacheprovider", "--hypothesis-profile=mutants"]
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, *arguments],
        cwd=copy,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)),
    )
    try:
        output, _ = process.communicate(timeout=limit)
        if process.returncode in (-signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP):
            raise SystemExit("The tests were stopped from outside, which says nothing about them. Start again to go on.")
        return Run(process.returncode, output, time.monotonic() - start)
    except subprocess.TimeoutExpired:
        return Run(None, "", time.monotonic() - start)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)  # its own session: pytest and what the tests have started
            process.communicate()
