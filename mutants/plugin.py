"""A plugin of pytest that records which statements each test runs, or runs chosen tests.

A file names these tests, and they run in its order.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from pathlib import Path

import pytest

RECORD = "MUTANTS_RECORD"  # the variable that names the file to write records to, one line for each test
SELECT = "MUTANTS_SELECT"  # the variable that names a file with the tests to run, one on each line
NAMED = "MUTANTS_NAMED"  # the variable with a name: tests run that have a case of this name, alone or in a loop


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Start every test as if nothing had run before."""
    if RECORD in os.environ:
        from .probes import reset

        reset()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write what a test ran, how long it took, and whether it passed."""
    report = yield
    if RECORD in os.environ and (report.when == "call" or not report.passed):
        from .probes import hits

        record = {"test": item.nodeid, "seconds": round(call.duration, 4), "passed": report.passed}
        record["hits"] = {name: f"{mask:x}" for name, mask in hits().items()}
        with Path(os.environ[RECORD]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
    return report


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests that the file names, in its order, or those with a case of this name."""
    if NAMED in os.environ:
        items[:] = [item for item in items if os.environ[NAMED] in case_names(item)]
    if SELECT in os.environ:
        place = {test: i for i, test in enumerate(Path(os.environ[SELECT]).read_text(encoding="utf-8").splitlines())}
        items[:] = sorted((item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid])


def case_names(item: pytest.Item) -> set[str]:
    """Return what the case of a test is called, and the cases that it runs in a loop."""
    looped = (mark.args[0] for mark in item.iter_markers("loop"))
    return {*item.name.partition("[")[2].rstrip("]").split("-")}.union(*looped)
