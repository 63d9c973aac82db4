"""The command line as users run it: a process of its own, its output and its exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

# What the developer's own shell says about colours and tracebacks should not decide a test.
PERSONAL = ("NO_COLOR", "FORCE_COLOR", "INDICATRIX_TRACEBACK", "COLUMNS")


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a command."""
    return {**{k: v for k, v in os.environ.items() if k not in PERSONAL}, "PYTHONIOENCODING": "utf-8", **more}


def python(*args: str, cwd: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    """Return what a run of Python printed."""
    options: dict[str, Any] = {"capture_output": True, "text": True, "encoding": "utf-8", "timeout": 120}
    return subprocess.run([sys.executable, "-W", "error", *args], env=environment(**more), cwd=cwd, **options)


def indicatrix(*args: str, cwd: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    """Return what a command printed."""
    return python("-m", "indicatrix", *args, cwd=cwd, **more)


def printed(*args: str, cwd: Path | None = None) -> str:
    """Return the output of a command that succeeds and complains about nothing."""
    done = indicatrix(*args, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(*args: str, cwd: Path | None = None) -> str:
    """Return the complaint of a command that is used badly: one or two lines, no traceback, exit code 2."""
    done = indicatrix(*args, cwd=cwd)
    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    assert len(lines) in (1, 2), done.stderr
    assert lines[0].startswith("Error: ")
    assert "Traceback" not in done.stderr
    return lines[0].removeprefix("Error: ")
