"""Check what would be published, without publishing it: python .ci/release_check.py [--list] [step …].

The tools come into an environment of their own, ``.venv-release``. A step whose tool is missing is reported with the reason,
and is not a success.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import tomllib
import venv
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
HOME = ROOT / ".venv-release"
BIN = HOME / ("Scripts" if sys.platform == "win32" else "bin")
DIST = HOME / "dist"
TOOLS = ("build", "twine", "check-wheel-contents", "check-sdist", "validate-pyproject[all]", "cffconvert", "zizmor", "pip-audit")
TOOLS += ("griffe", "sp-repo-review[cli]", "codespell", "hatchling", "setuptools")
# Extras that install in seconds, and one job of each.
TABLE = r"t,p\n0,0\n1,1\n1,0\n"
JOBS = {
    "plots": "import matplotlib; matplotlib.use('agg'); ix.evaluate([0, 1, 1], [0, 1, 0]).plot.confusion()",
    "proofs": "import sympy; print(ix.theory.equivalent('f1', 'jaccard'))",
    "frames": "import pandas; print(ix.evaluate_frame(pandas.DataFrame({'t': [0, 1, 1]}), true='t', pred='t').score('f1'))",
    "vision": "print(ix.vision.surface_distances([[[0, 1, 0, 0]]], [[[0, 1, 1, 1]]]).score('assd', 'macro'))",
    "inference": "print(ix.inference.relations(['f1', 'mcc'], [ix.from_counts(k, 9, 20 - k, 9) for k in range(20)]))",
    "files": f"pathlib.Path('t.csv').write_text('{TABLE}'); print(ix.evaluate_file('t.csv', true='t', pred='p').score('f1'))",
}
ALSO = {"frames": ("pandas",)}  # whose data frames narwhals reads


def run(*command: object, **options: object) -> str:
    """Run a command in the root, and return what it printed; a failure is an error with its last lines."""
    done = subprocess.run(
        [*map(str, command)], cwd=options.pop("cwd", ROOT), stdout=-1, stderr=-2, text=True, check=False, **options
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-3000:]}")
    return done.stdout


def tool(name: str, *options: object, **more: object) -> str:
    """Run a tool of the environment of tools."""
    return run(BIN / name, *options, **more)


def epoch() -> dict[str, str]:
    """Return the environment of a build whose bytes depend on the commit alone."""
    return {**os.environ, "SOURCE_DATE_EPOCH": run("git", "log", "-1", "--format=%ct").strip(), "INDICATRIX_COMPILE": "0"}


def built(folder: Path, source: Path = ROOT) -> dict[str, bytes]:
    """Return the files of a build by name."""
    shutil.rmtree(folder, ignore_errors=True)
    tool("python", "-m", "build", "--no-isolation", "--outdir", folder, source, env=epoch())
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def build_twice() -> str:
    """Build source and pure wheel twice: the same bytes."""
    first, second = built(DIST), built(HOME / "again")
    if first != second:
        raise RuntimeError(f"Two builds differ: {[name for name in first if first[name] != second.get(name)]}")
    return ", ".join(f"{name} {len(content) / 2**20:.2f} MB" for name, content in first.items())


def compiled_wheel() -> str:
    """Build the wheel with kernels, which serves all versions of Python from 3.11 on."""
    folder = HOME / "compiled"
    shutil.rmtree(folder, ignore_errors=True)
    tool("python", "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, env={**epoch(), "INDICATRIX_COMPILE": "1"})
    (wheel,) = folder.glob("*-cp311-abi3-*.whl")
    return f"{wheel.name} {wheel.stat().st_size / 2**20:.2f} MB"


def contents() -> str:
    """Say what the wheel holds, and check it with the tools."""
    said = [tool("twine", "check", "--strict", *DIST.iterdir()), tool("check-wheel-contents", *DIST.glob("*.whl"))]
    said.append(tool("validate-pyproject", "pyproject.toml"))
    (wheel,) = DIST.glob("*.whl")
    kinds: dict[str, int] = {}
    for member in ZipFile(wheel).infolist():
        suffix = Path(member.filename).suffix or Path(member.filename).name
        kinds[suffix] = kinds.get(suffix, 0) + member.compress_size
    return (
        " ".join(said).strip()
        + "\n"
        + ", ".join(f"{kind} {size / 1024:.0f} kB" for kind, size in sorted(kinds.items(), key=lambda k: -k[1]))
    )


def source_holds_all() -> str:
    """Compare the source archive with what git has."""
    return tool("check-sdist", "--no-isolation")


def source_builds_and_tests_itself() -> str:
    """Unpack the source archive, build a wheel of it, and run a few of its tests there."""
    room = HOME / "source"
    shutil.rmtree(room, ignore_errors=True)
    (archive,) = DIST.glob("*.tar.gz")
    shutil.unpack_archive(archive, room, filter="data")
    (unpacked,) = room.iterdir()
    files = built(room / "dist", unpacked)
    (wheel,) = (room / "dist").glob("*.whl")
    python = fresh("source", f"{wheel}[core]")
    tests = ("tests/test_call_mistakes.py", "tests/test_limits.py", "tests/laws/test_evaluation.py")
    alone = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "CI")}
    options = ("-q", "-m", "not slow", "--hypothesis-profile=fast")
    return f"{[*files]}; {run(python, '-m', 'pytest', *options, *tests, cwd=unpacked, env=alone).splitlines()[-1]}"


def fresh(name: str, *wanted: object) -> Path:
    """Return the Python of a new environment with nothing but what is wanted."""
    folder = HOME / "environments" / name
    venv.create(folder, with_pip=True, clear=True)
    python = folder / BIN.name / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted)
    return python


def wheel_alone() -> str:
    """Use the wheel in an environment with nothing else: import, a score, pip check; then the demo of the command line."""
    (wheel,) = DIST.glob("*.whl")
    alone = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    python = fresh("wheel", wheel)
    said = run(python, "-c", "import indicatrix as ix; print(ix.f1([0,1,1],[0,1,0]))", cwd=HOME, env=alone)
    said += run(python, "-m", "pip", "check", cwd=HOME)
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{wheel}[cli]")
    demo = run(python.with_name("indicatrix"), "demo", cwd=HOME, env=alone)
    return said.strip() + f"; indicatrix demo printed {len(demo.splitlines())} lines"


def extras() -> str:
    """Install each light extra with the wheel, and let it do one job; every extra is installable as pip resolves it."""
    (wheel,) = DIST.glob("*.whl")
    alone = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    for name, job in JOBS.items():
        python = fresh(f"extra-{name}", f"{wheel}[{name}]", *ALSO.get(name, ()))
        run(python, "-c", f"import pathlib, indicatrix as ix; {job}", cwd=HOME, env=alone)
    return f"did their jobs: {', '.join(JOBS)}"


def repository() -> str:
    """Check the repository with the scientific-python checks, its citation file and its spelling."""
    said = [tool("sp-repo-review", ".").strip().splitlines()[-1], tool("cffconvert", "--validate").strip()]
    tool("codespell")
    return "; ".join([*said, "codespell: nothing"])


def workflows() -> str:
    """Check the workflows; actionlint is a program of its own, which is used where it is installed."""
    said = tool("zizmor", "--offline", "--persona=regular", ".github").strip().splitlines()[-1]
    if (lint := shutil.which("actionlint")) is None:
        return f"zizmor: {said}; actionlint is not installed: NOT run"
    run(lint)
    return f"zizmor: {said}; actionlint: nothing"


def audit() -> str:
    """Look for known faults of what the wheel needs; that asks a service on the network."""
    try:
        return tool("pip-audit", "--strict", "--requirement", requirements()).strip()
    except RuntimeError as error:
        offline = any(
            word in str(error) for word in ("ConnectionError", "Failed to establish", "Max retries", "not found on PyPI")
        )
        if offline and not os.environ.get("CI"):
            return "the service that knows faults cannot be reached: NOT run"
        raise


def requirements() -> Path:
    """Write what the wheel needs to a file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    file = HOME / "requirements.txt"
    file.write_text("\n".join(project["dependencies"]) + "\n", "utf-8")
    return file


STEPS: tuple[Callable[[], str], ...] = (
    build_twice,
    compiled_wheel,
    contents,
    source_holds_all,
    source_builds_and_tests_itself,
    wheel_alone,
    extras,
    repository,
    workflows,
    audit,
)


def main() -> None:
    """Run the steps that are named, or all."""
    wanted = sys.argv[1:]
    if wanted == ["--list"]:
        print(*(f"{step.__name__}: {step.__doc__.splitlines()[0]}" for step in STEPS), sep="\n")
        return
    if not BIN.exists():
        venv.create(HOME, with_pip=True)
        tool("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *TOOLS)
    failed = []
    for step in (step for step in STEPS if not wanted or step.__name__ in wanted):
        began = time.perf_counter()
        try:
            said = step()
        except Exception as error:
            failed.append(step.__name__)
            said = f"FAILED\n{error}"
        print(f"{step.__name__} ({time.perf_counter() - began:.0f} s): {said}", flush=True)
    if failed:
        raise SystemExit(f"Not ready: {', '.join(failed)}")
    print("Ready to publish, but for the steps that were not run.")


if __name__ == "__main__":
    main()
