"""Run scikit-learn's own tests of its metrics with the functions of indicatrix.sklearn in place of its own.

``python tests/sklearn_suite/run.py [test_common.py]`` prints one line for each test that fails. Some tests then run once more
with wrong results, in which they must fail if the functions are really replaced.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable
from functools import partial, wraps
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import indicatrix.sklearn as ours

FILES = ("test_classification.py", "test_common.py", "test_ranking.py")  # of sklearn/metrics/tests
MODULES = ("sklearn.metrics", "sklearn.metrics._classification")  # that hold the names
SCORERS = ("make_scorer", "get_scorer", "get_scorer_names")  # which scikit-learn itself calls when it is imported
REPLACED = [name for name in ours.__all__ if name.islower() and name not in SCORERS]  # classes of errors and warnings stay
# Hundreds of cases that scikit-learn skips, unless SCIPY_ARRAY_API was set before SciPy was loaded.
SKIPPED = (
    () if os.environ.get("SCIPY_ARRAY_API") else ("test_array_api_compliance", "test_mixed_array_api_namespace_input_compliance")
)
# Tests of each file with fixed numbers in them, which must fail with wrong results.
TELLING = {
    "test_classification.py": ("test_precision_recall_f1_score_binary_averaged", "test_cohen_kappa", "test_log_loss"),
    "test_common.py": ("test_normalize_option_binary_classification",),
    "test_ranking.py": ("test_roc_curve", "test_coverage_error", "test_label_ranking_loss"),
}


class Noise:
    """What is added to every result of our functions."""

    amount: float | None = None


def with_noise(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose results are wrong while there is noise."""

    def wrong(result: Any) -> Any:
        if isinstance(result, tuple):
            return tuple(map(wrong, result))
        if isinstance(result, dict):
            return {key: wrong(value) for key, value in result.items()}
        if isinstance(result, str):
            return f"{result}?"
        return result if result is None else np.asarray(result)[()] + Noise.amount

    @wraps(function)
    def call(*args: Any, **given: Any) -> Any:
        result = function(*args, **given)
        return result if Noise.amount is None else wrong(result)

    return call


def replace_functions() -> None:
    """Put our functions in place of scikit-learn's, before its tests are imported."""
    for module in map(importlib.import_module, MODULES):
        for name in REPLACED:
            if hasattr(module, name):
                setattr(module, name, with_noise(getattr(ours, name)))


def is_ours(function: Any) -> bool:
    """Return whether a function of scikit-learn's tests is ours, or may call one: it is neither scikit-learn's nor made of it."""
    while isinstance(function, partial):
        function = function.func
    return not re.match(r"sklearn\.(?!metrics\.tests)", getattr(function, "__module__", None) or "")


def may_fail_for_us(item: Any) -> bool:
    """Return whether a test may call a function of ours; many are made once for each of scikit-learn's functions."""
    names = item.callspec.params.values() if hasattr(item, "callspec") else ()
    known = getattr(item.module, "ALL_METRICS", {})
    asked = [known[name] for name in names if isinstance(name, str) and name in known]
    asked += [value for value in names if isinstance(value, FunctionType | partial)]
    return item.originalname not in SKIPPED and all(map(is_ours, asked))


class Outcomes:
    """A plugin of pytest that keeps what passed and what failed, and leaves out what cannot fail for us."""

    def __init__(self) -> None:
        self.passed: list[str] = []
        self.failed: list[str] = []

    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        """Leave out the tests of functions that are scikit-learn's own."""
        kept = [item for item in items if may_fail_for_us(item)]
        config.hook.pytest_deselected(items=[item for item in items if not may_fail_for_us(item)])
        items[:] = kept

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note the outcome of a test."""
        name = report.nodeid.rpartition("/")[2]
        if report.failed:
            self.failed.append(name)
        elif report.when == "call" and report.passed:
            self.passed.append(name)


def run(tests: list[str]) -> Outcomes:
    """Run modules of scikit-learn, or single tests of them."""
    outcomes = Outcomes()
    os.environ.pop("CI", None)  # its tests may be skipped
    options = ["-q", "-p", "no:cacheprovider", "--tb=short", "-W", "ignore", "-c", "/dev/null"]
    pytest.main([*options, "--pyargs", *tests], plugins=[outcomes])
    return outcomes


def main(files: list[str]) -> None:
    """Run the tests of some files, or of all, and print what failed, first as they are and then with noise."""
    replace_functions()
    module = {name: f"sklearn.metrics.tests.{name.removesuffix('.py')}" for name in files or FILES}
    outcomes = run([*module.values()])
    sys.stdout.write(f"\npassed: {len(outcomes.passed)}\n")
    for name in outcomes.failed:
        sys.stdout.write(f"failed: {name}\n")
    Noise.amount = 0.123
    noisy = run([f"{module[file]}::{test}" for file in module for test in TELLING[file]])
    sys.stdout.write(f"with noise: {len(noisy.passed)} passed, {len(noisy.failed)} failed\n")


if __name__ == "__main__":
    main([name for name in sys.argv[1:] if name.endswith(".py")])
