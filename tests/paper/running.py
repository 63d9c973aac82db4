"""``python -m paper`` as users run it: in a process of its own, in the folder of the repository."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# What the developer's own shell says about colours, data and folders should not decide a test.
PERSONAL = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "INDICATRIX_DATA", "INDICATRIX_CACHE")
COMMAND = (sys.executable, "-W", "error", "-m", "paper")


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a command."""
    return {**{k: v for k, v in os.environ.items() if k not in PERSONAL}, "PYTHONIOENCODING": "utf-8", **more}


def reproduce(*arguments: object, code: int = 0, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the command and check its exit code."""
    command = [*COMMAND, *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", cwd=ROOT, env=environment(**more), check=False
    )
    assert done.returncode == code, done.stderr + done.stdout[-2000:]
    assert "Traceback" not in done.stderr
    return done
