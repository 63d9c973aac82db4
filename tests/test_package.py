"""The package as a stranger gets it: what it declares suffices, importing it is light, its names are there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

import indicatrix as ix
from indicatrix.cli.tour import EXAMPLES

ROOT = Path(__file__).parents[1]
SCORE = """
import sys, numpy as np, indicatrix as ix
assert ix.f1(["a", "b", "b"], ["a", "b", "a"], average="macro") == 2 / 3
assert "multilabel" in repr(ix.evaluate([{1}, {1, 2}], [{1}, set()]))
ev = ix.evaluate(np.eye(3), np.eye(3)[::-1] * 0.5, tnorm="godel", by={"fold": [1, 1, 2]})
for measure in dict.fromkeys(ix.algebra.MEASURES.values()):
    ev.score(measure, "exemplar")
print(ev, ix.catalogue(), ix.catalogue.references()["youden1950"])
foreign = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)
foreign -= {"numpy", "indicatrix", "array_api_compat", "sitecustomize", "usercustomize"}
assert not [name for name in foreign if not name.startswith("_")], foreign
"""


@pytest.fixture(scope="module", params=[False, True], ids=["pure", "compiled"])
def wheel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[bool, Path]:
    """Return whether a wheel is compiled, and the wheel."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "INDICATRIX_COMPILE": str(int(request.param))})
    (path,) = folder.glob("*.whl")
    return request.param, path


@pytest.fixture(scope="module")
def installed(wheel: tuple[bool, Path]) -> Path:
    """Return a folder with what is in the wheel."""
    folder = wheel[1].parent / "inside"
    zipfile.ZipFile(wheel[1]).extractall(folder)
    return folder


@pytest.mark.slow
def test_the_wheel_carries_the_examples(installed: Path) -> None:
    assert all((installed / "indicatrix/cli/demo_data" / name).exists() for name in EXAMPLES)
    assets = [path.name for path in (ROOT / "src/indicatrix/report/page/assets").iterdir()]
    assert all((installed / "indicatrix/report/page/assets" / name).exists() for name in assets)
    assert (installed / "indicatrix/theory/formula/measure_notes.json").exists()


@pytest.mark.slow
def test_the_declared_dependencies_suffice(tmp_path: Path, installed: Path) -> None:
    """In an environment with nothing but the wheel and what it declares; our copies spare its installation."""
    needed = [line for line in metadata.Distribution.at(*installed.glob("*.dist-info")).requires or () if "extra ==" not in line]
    names = [re.split(r"[^\w-]", line)[0] for line in needed]
    assert {*names} == {"numpy", "array-api-compat", "mpmath"}
    venv.create(tmp_path / "env", with_pip=False)
    python = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    where = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], check=True, stdout=-1, text=True
    )
    site = Path(where.stdout.strip())
    shutil.copytree(installed, site, dirs_exist_ok=True)
    for name in names:
        found = metadata.distribution(name)
        assert [line for line in found.requires or () if "extra ==" not in line] == []
        for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            (site / top).symlink_to(found.locate_file(top))
    alone = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    subprocess.run([python, "-W", "error", "-c", SCORE], check=True, cwd=tmp_path, env=alone)


@pytest.mark.slow
def test_a_wheel_is_pure_or_for_all_versions_of_python(wheel: tuple[bool, Path]) -> None:
    compiled, path = wheel
    assert ("-cp311-abi3-" if compiled else "-py3-none-any.") in path.name
    assert path.stat().st_size < 2.2e6  # without tests, documents and debugging symbols
    names = {Path(name) for name in zipfile.ZipFile(path).namelist()}
    assert {name.suffix for name in names if name.parent.name == "compiled"} == ({".py", ".so"} if compiled else {".py"})


def test_links_of_the_readme_lead_somewhere_on_the_page_of_the_package() -> None:
    pytest.importorskip("hatchling")
    import hatch_build

    text = (ROOT / "README.md").read_text("utf-8")
    files = [path for _, _, path, _ in hatch_build.LINK.findall(text)]
    assert len(files) > 20
    assert [path for path in files if not (ROOT / path).exists()] == []
    urls = {"Documentation": "https://site.org/", "Source": "https://github.com/us/it"}
    page = hatch_build.leading_on(text, urls)
    assert re.findall(r"\]\((?!https:|#)[^)]*", page) == []
    assert "](https://site.org/start/install.html)" in page
    assert "](https://github.com/us/it/raw/HEAD/docs/images/report-page.png)" in page
    assert hatch_build.leading_on("[a](docs/b.md#c) [d](#e)", urls) == "[a](https://site.org/b.html#c) [d](#e)"


def test_importing_loads_numpy_and_nothing_heavy() -> None:
    code = "import sys, indicatrix; print(*sys.modules)"
    loaded = set(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split())
    heavy = {
        "scipy",
        "sklearn",
        "pandas",
        "torch",
        "polars",
        "pyarrow",
        "sympy",
        "array_api_compat",
        "json",
        "fractions",
        "decimal",
    }
    assert not loaded & heavy


def test_every_public_name_exists_and_every_measure_is_public() -> None:
    assert all(hasattr(ix, name) for name in ix.__all__)
    assert all(getattr(ix.measures, name) is measure for name, measure in ix.algebra.MEASURES.items())
    with pytest.raises(AttributeError, match="has no attribute 'recal'"):
        _ = ix.recal


@pytest.mark.slow
def test_the_demo_prints_both_reports(tmp_path: Path) -> None:
    alone = 'import runpy, sys; sys.modules |= {"click": None, "rich": None}; runpy.run_path(sys.argv[1], run_name="__main__")'
    command = [sys.executable, "-c", alone, ROOT / "examples" / "demo.py"]
    shown = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path).stdout
    assert "899 examples, 10 classes: one class per example." in shown
    assert "899 examples, 5 classes: several labels per example." in shown


@pytest.mark.slow
def test_the_example_predictions_are_what_their_script_makes(tmp_path: Path) -> None:
    sys.path.insert(0, str(ROOT / "examples"))
    try:
        import make_predictions
    finally:
        sys.path.remove(str(ROOT / "examples"))
    shipped, make_predictions.DATA = make_predictions.DATA, tmp_path
    make_predictions.main()
    for name in ("digits.csv", "properties.csv"):
        assert (tmp_path / name).read_text("utf-8").splitlines()[0] == "true,predicted"
        ours, theirs = ((folder / name).read_text("utf-8").splitlines() for folder in (shipped, tmp_path))
        # Another release of scikit-learn may decide a few images differently; the truth is the same.
        assert [row.partition(",")[0] for row in ours] == [row.partition(",")[0] for row in theirs]
        assert sum(a != b for a, b in zip(ours, theirs, strict=True)) < 20
