"""Run scikit-learn's own tests of its metrics with the functions of indicatrix.sklearn in place of its own.

``python tests/sklearn_suite/run.py [--noise] [test_common.py]`` prints one line for each test that fails; ``--noise`` adds a
number to every result, so that the tests must fail if the functions are really replaced.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import pytest

import indicatrix.sklearn as ours

FILES = ("test_classification.py", "test_common.py", "test_ranking.py")  # of sklearn/metrics/tests
MODULES = ("sklearn.metrics", "sklearn.metrics._classification")  # that hold the names
REPLACED = [name for name in ours.__all__ if name.islower()]  # classes of errors and warnings stay


def with_noise(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function with wrong results."""

    def wrong(result: Any) -> Any:
        if isinstance(result, tuple):
            return tuple(map(wrong, result))
        if isinstance(result, dict):
            return {key: wrong(value) for key, value in result.items()}
        if isinstance(result, str):
            return f"{result}?"
        return result if result is None else np.asarray(result)[()] + 0.123

    return wraps(function)(lambda *args, **given: wrong(function(*args, **given)))


def replace_functions(noise: bool) -> None:
    """Put our functions in place of scikit-learn's, before its tests are imported."""
    for module in map(importlib.import_module, MODULES):
        for name in REPLACED:
            if hasattr(module, name):
                function = getattr(ours, name)
                setattr(module, name, with_noise(function) if noise else function)


class Outcomes:
    """A plugin of pytest that keeps what failed."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed: list[str] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note the outcome of a test."""
        self.passed += report.when == "call" and report.passed
        if report.failed:
            self.failed.append(report.nodeid.rpartition("/")[2])


def main(noise: bool, files: list[str]) -> None:
    """Run the tests of some files, or of all, and print what failed."""
    replace_functions(noise)
    outcomes = Outcomes()
    modules = [f"sklearn.metrics.tests.{name.removesuffix('.py')}" for name in files or FILES]
    options = ["-q", "-p", "no:cacheprovider", "-n", "0", "--tb=short", "-W", "ignore", "-c", "/dev/null"]
    pytest.main([*options, "--pyargs", *modules], plugins=[outcomes])
    sys.stdout.write(f"\npassed: {outcomes.passed}\n")
    for name in outcomes.failed:
        sys.stdout.write(f"failed: {name}\n")


if __name__ == "__main__":
    main("--noise" in sys.argv, [name for name in sys.argv[1:] if name.endswith(".py")])
