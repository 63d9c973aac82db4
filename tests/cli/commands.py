"""Run the command line as users do, in a new process or in this one: output and exit code."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

from indicatrix.cli import main

# What the developer's own shell says about colors and tracebacks should not decide a test.
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


def here(*args: str, cwd: Path | None = None, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Return what a command printed; it runs in this process, with all that surrounds it."""
    out, err, given = io.StringIO(), io.StringIO(), io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    folder = contextlib.nullcontext() if cwd is None else contextlib.chdir(cwd)
    with (
        folder,
        patch.object(sys, "argv", ["indicatrix", *args]),
        patch.object(sys, "stdin", given),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
    return subprocess.CompletedProcess(args, int(code), out.getvalue(), err.getvalue())


def printed(*args: str, cwd: Path | None = None, stdin: str = "") -> str:
    """Return the output of a command that succeeds without a complaint."""
    done = here(*args, cwd=cwd, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(*args: str, cwd: Path | None = None) -> str:
    """Return the error of a command used wrongly: one or two lines, no traceback, exit code 2."""
    done = here(*args, cwd=cwd)
    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    assert len(lines) in (1, 2), done.stderr
    assert lines[0].startswith("Error: ")
    assert "Traceback" not in done.stderr
    return lines[0].removeprefix("Error: ")
