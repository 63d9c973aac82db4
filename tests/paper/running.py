"""``python -m paper`` as users run it, in the folder of the repository: in a process of its own, or in this one."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

from paper.command import main

ROOT = Path(__file__).parents[2]
# What the developer's own shell says about colors, data and folders should not decide a test.
PERSONAL = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "INDICATRIX_DATA", "INDICATRIX_CACHE")
COMMAND = (sys.executable, "-W", "error", "-m", "paper")


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a command."""
    return {**{k: v for k, v in os.environ.items() if k not in PERSONAL}, "PYTHONIOENCODING": "utf-8", **more}


def reproduce(*arguments: object, code: int = 0, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the command and check its exit code; one with variables of its own runs in a process of its own, which reads them."""
    command = [*COMMAND, *map(str, arguments)]
    done = (
        subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=ROOT, env=environment(**more), check=False)
        if more
        else here(*command[len(COMMAND) :])
    )
    assert done.returncode == code, done.stderr + done.stdout[-2000:]
    assert "Traceback" not in done.stderr
    return done


def here(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in this process, which has loaded what a new one loads first."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(ROOT),
        patch.dict(os.environ, environment(), clear=True),
        patch.object(sys, "argv", ["paper", *arguments]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())
