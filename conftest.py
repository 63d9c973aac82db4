"""Fixtures of all tests, those in docstrings and Markdown included."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator, Iterable, Iterator
from inspect import isfunction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, is_hypothesis_test, settings

import indicatrix as ix

os.environ.setdefault("MPLBACKEND", "Agg")  # plots are drawn without a screen

# A pull request is judged by the same examples each time; every other run draws new ones.
USUAL = "ci" if os.environ.get("CI") else "local"
DATA = "INDICATRIX_DATA"  # names the folder with the data sets of the paper, which nothing installs
FEW = 2  # cases of a test, and examples of a law, that `make test-fast` runs
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

# The fixtures of the tests of pages: a conftest of that folder would hide this one.
sys.path.append(str(Path(__file__).parent / "tests" / "page"))
pytest_plugins = ["opened_pages"]

# No package installs a GPU: without one, its tests are not collected.
collect_ignore = [] if Path("/dev/nvidiactl").exists() else ["tests/torch/test_cuda.py"]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Run one process more than there are cores: some of them always wait for a browser, Java or another program."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep what collection makes out of garbage collection: it stays, and each look at all of it takes half a second."""
    gc.disable()
    found = yield
    gc.freeze()
    gc.enable()
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Module | pytest.Class, obj: object) -> list[pytest.Item] | None:
    """Make no cases of a slow test that a fast run would only leave out again."""
    if not leaves_out_slow(collector.config) or not isfunction(obj):
        return None
    return [] if is_slow([*collector.iter_markers(), *getattr(obj, "pytestmark", ())]) else None


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Generator[None, None, None]:
    """Mark all but a few cases of each test as slow; pytest has no public way to see all cases before they become tests."""
    yield
    few = 1 if metafunc.definition.get_closest_marker("one_fast_case") else FEW
    quick = [case for case in metafunc._calls if not is_slow(case.marks)]
    step = max(1, -(-len(quick) // few))
    for i, case in enumerate(quick):
        if i % step:
            case.marks.append(pytest.mark.slow.mark)
    if leaves_out_slow(metafunc.config):
        metafunc._calls[:] = quick[::step] or metafunc._calls[:1]  # without any case, the test would be called without arguments


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave few examples of each law for the fast tests."""
    if config.getoption("--hypothesis-profile") == "fast":
        for law in {item.obj for item in items if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj)}:
            draw_few(law)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a test fail that CI would leave out: there, every program and package can be installed."""
    report = yield
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail") and DATA not in str(report.longrepr):
        report.outcome, report.longrepr = "failed", f"In CI no test may be skipped, but this one was: {report.longrepr}"
    return report


def leaves_out_slow(config: pytest.Config) -> bool:
    """Whether this run is one of the fast tests."""
    return str(config.getoption("markexpr")) == "not slow"


def is_slow(marks: Iterable[pytest.Mark]) -> bool:
    """Whether one of these marks says that a test is slow."""
    return any(mark.name == "slow" for mark in marks)


def draw_few(law: Any) -> None:
    """Let a law draw few examples, however many its own settings ask for; Hypothesis has no public way to say so."""
    own = law._hypothesis_internal_use_settings
    law._hypothesis_internal_use_settings = settings(own, max_examples=min(FEW, own.max_examples))


@pytest.fixture(autouse=True)
def figures() -> Iterator[None]:
    """Close the figures that a test or an example left open."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(autouse=True)
def registry() -> Iterator[None]:
    """Give the registries back as they were: a test may add measures or averages, and the laws run over all that are there."""
    tables: tuple[dict[str, Any], ...] = (ix.MEASURES, ix.AVERAGES)
    before = [dict(table) for table in tables]
    yield
    for table, rows in zip(tables, before, strict=True):
        table.clear()
        table.update(rows)
