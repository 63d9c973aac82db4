"""Scripts that use the real libraries, each in a process of its own: settings and threads of a library end with it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def run_script(script: str, folder: Path, **environment: str) -> str:
    """Run a script in a folder, with nothing of the caller's home, and return what it prints."""
    home = {name: str(folder) for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "TMPDIR")}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, **home, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
