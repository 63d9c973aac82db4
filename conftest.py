"""Fixtures of all tests, those in docstrings and Markdown included."""

from __future__ import annotations

import gc
import os
import re
import sys
import tomllib
from collections.abc import Generator, Iterator
from doctest import UnexpectedException
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

import indicatrix as ix
from indicatrix.algebra.kind import OF_OTHERS
from indicatrix.compiled import loaded

# What tests of several folders share; scikit-learn's own tests read this file, too, but not the settings of pyproject.toml.
sys.path.extend(str(Path(__file__).parent / "tests" / folder) for folder in ("", "cli", "page"))
sys.path.append(str(Path(__file__).parent / "docs" / "_site"))  # what writes pages of the manual

from loops import FEW, a_few

os.environ.setdefault("MPLBACKEND", "Agg")  # plots are drawn without a screen

# A pull request is judged by the same examples each time; every other run draws new ones.
USUAL = "ci" if os.environ.get("CI") else "local"
DATA = "INDICATRIX_DATA"  # names the folder with the data sets of the paper, which nothing installs
EXAMPLES = 25  # of a law: there are hundreds, and Hypothesis's usual 100 would take minutes more; `make fuzz` draws millions
settings.register_profile("ci", derandomize=True, deadline=None, max_examples=EXAMPLES)
settings.register_profile("local", deadline=None, max_examples=EXAMPLES)
settings.register_profile("fast", settings.get_profile(USUAL), max_examples=FEW)
# A mutant is judged by the same examples each time, never by the time they take, and the first that fails is enough.
settings.register_profile(
    "mutants",
    settings.get_profile("ci"),
    max_examples=100,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
settings.load_profile(USUAL)

pytest_plugins = ["opened_pages"]  # the fixtures of the tests of pages: a conftest of that folder would hide this one

# Libraries that errors may ask for, as pyproject.toml names them.
DECLARED = tomllib.loads((Path(__file__).parent / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
CORE = "INDICATRIX_TESTS"  # "core": only what the extra of this name brings is installed, in CI, too

# No package installs a GPU: without one, its tests are not collected.
collect_ignore = [] if Path("/dev/nvidiactl").exists() else ["tests/tensors/test_cuda.py"]
collect_ignore_glob = ["tests/evals/make_*.py"]  # they make logs, with programs that the tests do not need
SLOW_AS_A_WHOLE = re.compile(r"^pytestmark = (?:\[\s*)?pytest\.mark\.slow\b", re.MULTILINE)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave a file out of the fast tests that is slow as a whole: to import what it needs would cost seconds."""
    fast = config.getoption("markexpr") == "not slow" and collection_path.match("test_*.py")
    return (fast and SLOW_AS_A_WHOLE.search(collection_path.read_text("utf-8")) is not None) or None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep what collection makes out of garbage collection: it stays, and each look at all of it takes half a second.

    Later, look seldom: tests make many objects, few of them in circles, and looking for these took a tenth of the time.
    """
    gc.disable()
    found = yield
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)
    gc.enable()
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all but a few cases of each test as slow, and leave out on Windows what it does not have."""
    for item in items:
        if os.name == "nt" and item.get_closest_marker("posix"):
            item.add_marker(pytest.mark.skip(reason="needs what Windows does not have, as the marker posix says"))
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        if not item.get_closest_marker("slow"):
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in tests.values():
        quick = a_few(cases, 1 if cases[0].get_closest_marker("one_fast_case") else FEW)
        for case in {*cases}.difference(quick):
            case.add_marker("slow")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Leave out a file that imports a library which is not installed, and say which: `make dev` installs few."""
    report = yield
    said = (
        re.findall(r"^E +(?:ImportError|ModuleNotFoundError): (.*)$", str(report.longrepr), re.MULTILINE) if report.failed else []
    )
    if said and (library := named_and_absent(said[-1])) and not all_is_installed():
        report.outcome, report.longrepr = "skipped", (str(collector.path), None, f"needs {library}, which is not installed")
    return report


class LookedFor:
    """The last of Python's finders: it notes the optional libraries that a test asked for in vain.

    Not every failure says what it lacks: where there is no SymPy, a proof becomes trials, and a page shows other words.
    """

    def __init__(self, names: set[str]) -> None:
        self.names = names
        self.absent: list[str] = []

    def find_spec(self, name: str, *_: object) -> None:
        """Find nothing: who asks here was not answered by the others."""
        if name in self.names:
            self.absent.append(name)


def all_is_installed() -> bool:
    """Return whether no test may be skipped: in CI, unless it has the core only."""
    return bool(os.environ.get("CI")) and os.environ.get(CORE) != "core"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logstart() -> None:
    """Forget what the test before looked for, and what it computed without: read again, that would not look for the library."""
    if LOOKED_FOR.absent:
        LOOKED_FOR.absent.clear()
        for name in [name for name in sys.modules if name.startswith("indicatrix.theory")]:
            for function in vars(sys.modules[name]).values():
                if callable(forget := getattr(function, "cache_clear", None)):
                    forget()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Leave out a test that needs a library which is not installed. In CI, none is: there, everything can be installed."""
    report = yield
    if all_is_installed():
        if report.skipped and not hasattr(report, "wasxfail") and DATA not in str(report.longrepr):
            report.outcome, report.longrepr = "failed", f"In CI no test may be skipped, but this one was: {report.longrepr}"
    elif report.failed and call.excinfo is not None and (library := missed_by(call.excinfo.value, report)):
        report.outcome, report.longrepr = "skipped", (str(item.path), 0, f"needs {library}, which is not installed")
    return report


def missed_by(error: BaseException, report: pytest.TestReport) -> str | None:
    """Return the library that a failed test lacks: one that its error names, or else one that it looked for in vain."""
    return absent_library(error) or asked_for(report) or next(iter(LOOKED_FOR.absent), None)


def absent_library(error: BaseException | None) -> str | None:
    """Return the library that is not installed, if an error comes from its absence."""
    while error is not None:
        error = getattr(error, "failures", [error])[0]  # the examples of a document may fail one after the other
        error = error.exc_info[1] if isinstance(error, UnexpectedException) else error
        if isinstance(error, ImportError) and (library := named_and_absent(str(error))):
            return library
        error = error.__cause__ or error.__context__
    return None


def asked_for(report: pytest.TestReport) -> str | None:
    """Return an absent library of the extra that a command asked for, when it was run by a test."""
    extras = re.findall(r"pip install 'indicatrix\[(\w+)\]'", str(report.longrepr))
    return next((name for extra in extras for line in DECLARED[extra] if (name := named_and_absent(library_of(line)))), None)


def library_of(requirement: str) -> str:
    """Return the name under which a requirement is imported."""
    return re.split(r"[^\w-]", requirement)[0].replace("-", "_").lower()


def named_and_absent(said: str) -> str | None:
    """Return the library that the error of an import names, if it is not installed and none of ours."""
    named = re.findall(r"No module named '(\w+)", said) or [word for word in re.findall(r"\w+", said) if word in OPTIONAL]
    return next((name for name in named if name not in OURS and find_spec(name) is None), None)


OURS = {"indicatrix", "paper", "fuzz", "mutants", "benchmarks"}
OPTIONAL = {library_of(line) for extra in DECLARED.values() for line in extra} - OURS
LOOKED_FOR = LookedFor(OPTIONAL)
sys.meta_path.append(LOOKED_FOR)


@pytest.fixture(autouse=True)
def figures() -> Iterator[None]:
    """Close the figures that a test or an example left open."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="module", params=["compiled", "NumPy"])
def kernels(request: pytest.FixtureRequest) -> Iterator[None]:
    """Count with the compiled kernels, then with NumPy alone: a test of counting asks for both."""
    core = loaded.core
    if request.param == "compiled" and core is None:
        pytest.skip(f"There are only {loaded.described()}.")
    loaded.core = core if request.param == "compiled" else None
    yield
    loaded.core = core


@pytest.fixture(autouse=True)
def registry() -> Iterator[None]:
    """Give the registries back as they were: a test may add measures or averages, and the laws run over all that are there."""
    tables: tuple[dict[str, Any], ...] = (ix.algebra.MEASURES, ix.algebra.AVERAGES)
    before = [dict(table) for table in tables]
    yield
    for table, rows in zip(tables, before, strict=True):
        table.clear()
        table.update(rows)
    for name in [name for name in OF_OTHERS if name not in OF_OTHERS.reserved]:
        del OF_OTHERS[name]
