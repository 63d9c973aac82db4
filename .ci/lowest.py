"""Run the core tests with the lowest versions that pyproject.toml allows: python .ci/lowest.py FOLDER [options of pytest]."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
OWN = "indicatrix"  # extras that name other extras


def lowest(project: dict[str, object], extra: str) -> dict[str, str]:
    """Return library: lowest version, for what is needed always and what an extra and the extras that it names add."""
    optional = project["optional-dependencies"]
    found: dict[str, str] = {}
    wanted, seen = [*project["dependencies"], f"{OWN}[{extra}]"], set()
    while wanted:
        line = wanted.pop()
        if inner := re.fullmatch(rf"{OWN}\[(.+)\]", line):
            new = {*inner[1].split(",")} - seen
            seen |= new
            wanted += [line for name in new for line in optional[name.strip()]]
        elif bound := re.fullmatch(r"([\w-]+)(?:\[.*\])?[>=]=([\w.]+)", line):
            found[bound[1]] = bound[2]
    return found


def main() -> None:
    """Make the environment, install, say what was installed, and test."""
    folder, *options = sys.argv[1:]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    bounds = lowest(project, "core")
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
