"""Damage files of every kind, and read them in processes of their own.

``python -m fuzz.damaged_files 2000`` reads 2,000 files of each kind: Arrow, Feather, Parquet, CSV, JSON lines, saved evaluations
and checkpoints. None may end the process, be counted wrongly, or take more than 2 GB or 10 seconds. A file that does is kept.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import selectors
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SECONDS, PATIENCE = 10.0, 120.0  # of the processor for one file; of the clock, on a busy machine, until it counts as hanging
BYTES = 2 << 30
ENOUGH = 20  # files that went wrong, after which a run stops


@dataclass
class Report:
    """What became of the files of each kind."""

    became: dict[str, Counter[str]] = field(default_factory=dict)
    seconds: float = 0.0  # the most that a file took
    megabytes: float = 0.0  # the most that a process held
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = []
        for kind, counts in self.became.items():
            lines.append(
                f"{kind:>11}: {counts.total():,} files, " + ", ".join(f"{counts[name]:,} {name}" for name in sorted(counts))
            )
        lines.append(f"at most {self.seconds:.2f} seconds of the processor for a file, {self.megabytes:,.0f} MB of memory")
        return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line, and return its exit code: 1 if a file went wrong."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.damaged_files", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("number", type=int, nargs="?", default=2000, help="files of each kind (2000)")
    parser.add_argument("--seed", type=int, default=0, help="what the files are drawn from (0)")
    parser.add_argument("--kinds", nargs="*", help="of which kinds (all)")
    parser.add_argument("--keep", type=Path, default=Path("damaged-files"), help="the folder of files that went wrong")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.worker is not None:
        work(json.loads(options.worker))
        return 0
    from .file_trials import KINDS

    report = try_files(options.number, options.seed, kinds=tuple(options.kinds or KINDS), keep=options.keep)
    print(report)
    for text in report.wrong:
        print(text)
    print(f"{len(report.wrong) or 'no'} files went wrong")
    return int(bool(report.wrong))


def try_files(number: int, seed: int, *, kinds: tuple[str, ...], keep: Path) -> Report:
    """Return what became of so many damaged files of each kind, in one process after the other."""
    report = Report({kind: Counter() for kind in kinds})
    left = [(kind, k) for kind in kinds for k in range(number)]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        while left and len(report.wrong) < ENOUGH:
            left = left[_try_until_it_ends(left, seed, Path(folder), report, keep) :]
    return report


def _try_until_it_ends(left: list[tuple[str, int]], seed: int, folder: Path, report: Report, keep: Path) -> int:
    """Try files in one process; return how many were tried, the last of which may have ended it."""
    spec = json.dumps({"files": left, "seed": seed, "folder": str(folder)})
    tasks = folder / "files.json"
    tasks.write_text(spec, "utf-8")
    command = [sys.executable, "-m", "fuzz.damaged_files", "--worker", json.dumps(str(tasks))]
    tried = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for line in _lines(process):
            kind, k = left[tried]
            if line is None:
                process.kill()
                break
            became, why, seconds, megabytes = json.loads(line)
            report.seconds, report.megabytes = max(report.seconds, seconds), max(report.megabytes, megabytes)
            if seconds > SECONDS:
                became, why = "wrong", f"it took {seconds:.1f} seconds of the processor"
            report.became[kind][became] += 1
            tried += 1
            if became != "wrong":
                shutil.rmtree(folder / f"{kind}-{k}")
            else:
                _keep(report, kind, k, seed, why, folder, keep)
                if len(report.wrong) >= ENOUGH:
                    process.kill()
                    return tried
        if tried < len(left):
            process.wait()
            said = (process.stderr.read() if process.stderr else "").strip().splitlines()[-1:]
            kind, k = left[tried]
            report.became[kind]["ended the process"] += 1
            _keep(report, kind, k, seed, f"it ended the process or hangs: code {process.returncode} {said}", folder, keep)
            tried += 1
    return tried


def _keep(report: Report, kind: str, k: int, seed: int, why: str, folder: Path, keep: Path) -> None:
    target = keep / f"{kind}-{seed}-{k}"
    shutil.rmtree(target, ignore_errors=True)
    keep.mkdir(parents=True, exist_ok=True)
    shutil.move(folder / f"{kind}-{k}", target)
    report.wrong.append(f"{kind} {k} of seed {seed}: {why[:500]} (kept in {target})")


def _lines(process: subprocess.Popen[str]) -> Iterator[str | None]:
    """Yield what a process says, line by line; None if it says nothing for too long."""
    assert process.stdout is not None
    with selectors.DefaultSelector() as ready:
        ready.register(process.stdout, selectors.EVENT_READ)
        buffer, end = b"", time.monotonic() + PATIENCE
        while True:
            if not ready.select(max(0.0, end - time.monotonic())):
                yield None
                return
            more = os.read(process.stdout.fileno(), 1 << 16)
            if not more:
                return
            *whole, buffer = (buffer + more).split(b"\n")
            for line in whole:
                yield line.decode()
            end = time.monotonic() + PATIENCE


def work(tasks: str) -> None:
    """Try files one after the other, and say what became of each."""
    from .file_trials import try_file

    spec = json.loads(Path(tasks).read_text(encoding="utf-8"))
    folder = Path(spec["folder"])
    with tempfile.TemporaryDirectory() as first:
        try_file("csv", 0, 0, Path(first))  # loads the libraries
    for kind, k in spec["files"]:
        place = folder / f"{kind}-{k}"
        place.mkdir()
        _limit_memory()
        start = time.process_time()
        became, why = try_file(kind, k, spec["seed"], place)
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps([became, why, time.process_time() - start, megabytes]), flush=True)


def _limit_memory() -> None:
    """Let this process take 2 GB more than it holds now, where the system can limit that."""
    with contextlib.suppress(OSError, StopIteration):
        status = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        held = next(int(line.split()[1]) << 10 for line in status if line.startswith("VmData"))
        resource.setrlimit(resource.RLIMIT_DATA, (held + BYTES, resource.RLIM_INFINITY))


if __name__ == "__main__":
    sys.exit(main())
