"""Run the core tests with the lowest versions that pyproject.toml allows: python .ci/lowest.py FOLDER [options of pytest]."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def lowest(project: dict[str, Any]) -> dict[str, str]:
    """Return library: lowest version, for all that is needed always or by an extra.

    Of an extra that is not installed, too: one library may bring another, whose lowest version stands there.
    """
    lines = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    bounds = (re.fullmatch(r"([\w-]+)(?:\[.*\])?[>=]=([\w.]+)", line) for line in lines)
    return {bound[1]: bound[2] for bound in bounds if bound}


def main() -> None:
    """Make the environment, install, say what was installed, and test."""
    folder, *options = sys.argv[1:]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    bounds = lowest(project)
    venv.create(folder, with_pip=True, clear=True)
    python = Path(folder).resolve() / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    limits = Path(folder) / "constraints.txt"
    limits.write_text("".join(f"{name}=={version}\n" for name, version in sorted(bounds.items())), "utf-8")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--constraint", limits, "--editable", f"{ROOT}[core]"], check=True)
    subprocess.run([python, "-m", "pip", "list", "--disable-pip-version-check"], check=True)
    environment = {**os.environ, "INDICATRIX_TESTS": "core"}
    raise SystemExit(subprocess.run([python, "-m", "pytest", *options], cwd=ROOT, env=environment, check=False).returncode)


if __name__ == "__main__":
    main()
