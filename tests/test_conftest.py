"""The fast tests run every law, on a few examples each, and a few cases of each test."""

from __future__ import annotations

import inspect
import os
import sys
from collections import Counter
from pathlib import Path

import pytest
from loops import for_each

import indicatrix as ix

pytest_plugins = ["pytester"]

CASES = """
import pytest

@pytest.mark.parametrize("k", range(40))
def test_many(k): ...

@pytest.mark.one_fast_case
@pytest.mark.parametrize("k", range(40))
def test_costly(k): ...

@pytest.mark.parametrize("k", [pytest.param(0, marks=pytest.mark.slow), 1, 2])
def test_some(k): ...

@pytest.mark.parametrize("k", [pytest.param(k, marks=pytest.mark.slow) for k in range(3)])
def test_no_quick_case(k): ...

@pytest.mark.slow
@pytest.mark.parametrize("k", range(40))
def test_slow(k): ...

def test_plain(): ...
"""


LAWS = """
import pytest
from hypothesis import given, strategies as st
from loops import examples, for_each

drawn = []

@given(st.integers())
def law(x):
    drawn.append(x)

@examples(200)
@given(st.integers())
def long_law(x):
    drawn.append(x)

def test_few():
    for draw in (law, long_law):
        draw()
    assert len(drawn) <= 4

@for_each("k", range(40))
def test_loop(k):
    assert k in (0, 20)

@pytest.mark.one_fast_case
@for_each("j", range(8))
@for_each("k", range(40))
def test_loop_of_one_case(j, k):
    assert j == k == 0
"""


def test_a_law_of_the_fast_tests_draws_few_examples_and_a_loop_has_few_cases(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = pytester.makepyfile(LAWS)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # in a process of its own: a profile is loaded for good
    run = pytester.runpytest_subprocess(file, "-p", "conftest", "-W", "ignore", "--hypothesis-profile=fast")
    run.assert_outcomes(passed=3)


FAST = {"test_many[0]", "test_many[20]", "test_costly[0]"}
FAST |= {"test_some[1]", "test_some[2]", "test_plain"}


def test_the_fast_tests_are_a_few_cases_of_each_test(pytester: pytest.Pytester) -> None:
    assert ran(pytester, "-m", "not slow") == FAST


@pytest.mark.slow
def test_the_slow_tests_are_all_the_others(pytester: pytest.Pytester) -> None:
    slow = ran(pytester, "-m", "slow")
    assert not slow & FAST
    assert slow | FAST == ran(pytester)
    assert len(slow | FAST) == 40 + 40 + 3 + 3 + 40 + 1


def test_the_fast_tests_do_not_import_a_file_that_is_slow_as_a_whole(pytester: pytest.Pytester) -> None:
    whole = "import pytest\n\npytestmark = pytest.mark.slow\n"
    pytester.makepyfile(test_quick="def test(): ...", test_whole=whole + "raise RuntimeError('imported')")
    pytester.inline_run("-p", "conftest", "-W", "ignore", "-m", "not slow").assertoutcome(passed=1)
    pytester.makepyfile(test_whole=whole + "def test(): ...")
    pytester.inline_run("-p", "conftest", "-W", "ignore").assertoutcome(passed=2)


def ran(pytester: pytest.Pytester, *options: str) -> set[str]:
    """Return the tests of ``CASES`` that pytest runs with these options."""
    file = pytester.makepyfile(CASES)
    done = pytester.inline_run(file, "-p", "conftest", "-W", "ignore", *options)
    return {report.nodeid.partition("::")[2] for report in done.getreports("pytest_runtest_logreport") if report.when == "call"}


@pytest.mark.parametrize(("ci", "failed"), [("true", {"test_absent"}), ("", set())])
@pytest.mark.slow
def test_in_ci_only_absent_data_are_skipped(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, ci: str, failed: set[str]
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.delenv("INDICATRIX_TESTS", raising=False)
    reason = {"test_absent": "no program", "test_data": "set INDICATRIX_DATA"}
    file = pytester.makepyfile("import pytest\n" + "\n".join(f"def {k}(): pytest.skip('{v}')" for k, v in reason.items()))
    done = pytester.inline_run(file, "-p", "conftest", "-W", "ignore")
    assert {report.nodeid.partition("::")[2] for report in done.getfailures()} == failed


ABSENT = """
def wrapped():
    try:
        import no_such_library
    except ImportError:
        raise ImportError("This needs something: pip install it.") from None

def does_without():
    try:
        import no_such_library
    except ImportError:
        return "other words"

def test_inside(): import no_such_library.part
def test_wrapped(): wrapped()
def test_other_words(): assert does_without() == "words"
def test_other_words_will_do(): does_without()
def test_wrong(): import indicatrix.no_such_module
def test_wrong_words(): assert "other words" == "words"
def test_present(): import json
"""
OPTIONAL = """
import sys

def pytest_configure():
    next(finder for finder in sys.meta_path[::-1] if type(finder).__name__ == "LookedFor").names.add("no_such_library")
"""


@for_each(("ci", "tests"), [("", ""), ("true", ""), ("true", "core")])
def test_what_needs_an_absent_library_is_left_out_and_says_which(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, ci: str, tests: str
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setenv("INDICATRIX_TESTS", tests)
    pytester.makeconftest(OPTIONAL)
    pytester.makepyfile(test_on_top="import no_such_library\n\ndef test_never(): ...", test_calls=ABSENT)
    pytester.maketxtfile(test_text=">>> import no_such_library\n>>> 1 + 1\n2\n")
    done = pytester.inline_run("-p", "conftest", "-W", "ignore", "--doctest-glob=*.txt", "--continue-on-collection-errors")
    passed, skipped, failed = done.listoutcomes()
    assert [report.nodeid.partition("::")[2] for report in passed] == ["test_other_words_will_do", "test_present"]
    assert all("needs no_such_library, which is not installed" in str(report.longrepr) for report in skipped)
    assert (len(skipped), len(failed)) == ((0, 7) if ci and not tests else (5, 2))
    assert {"test_wrong", "test_wrong_words"} <= {report.nodeid.partition("::")[2] for report in failed}


@pytest.fixture
def every_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a loop run all of its cases, in the fast tests, too."""
    monkeypatch.setattr("loops.is_fast", lambda: False)


@for_each("wrong", [{"recall"}, {"f1", "recall"}])
def test_a_loop_names_every_case_that_fails(wrong: set[str], every_case: None) -> None:
    seen = []

    @for_each(("measure", "one"), [("f1", 1), ("mcc", 1), (ix.recall, 1)])
    def law(measure: object, one: int, fixture: str) -> None:
        seen.append((str(measure), one, fixture))
        if str(measure) == "recall":
            with pytest.raises(ValueError):
                pass  # it does not raise what it should
        assert str(measure) not in wrong, "is wrong"

    with pytest.raises(AssertionError) as caught:
        law(fixture="made once")
    told = str(caught.value)
    assert told.startswith(f"{len(wrong)} of 3 cases failed:")
    assert [name for name in ("f1", "mcc", "recall") if name in told] == sorted(wrong)
    assert [name for name, one, fixture in seen if (one, fixture) == (1, "made once")] == ["f1", "mcc", "recall"]
    assert [*inspect.signature(law).parameters] == ["fixture"]


def test_two_loops_run_every_pair_and_take_no_case_with_marks(every_case: None) -> None:
    seen = []

    @for_each("a", [1, 2])
    @for_each("b", "xy")
    def law(a: int, b: str) -> None:
        seen.append((a, b))
        assert (a, b) != (2, "x")

    with pytest.raises(AssertionError, match=r"^1 of 4 cases failed:\n  \[1: 2; 0: x\] AssertionError"):
        law()
    assert seen == [(1, "x"), (1, "y"), (2, "x"), (2, "y")]
    with pytest.raises(TypeError, match=r"pytest\.param belongs to parametrize"):
        for_each("a", [1, pytest.param(2, marks=pytest.mark.slow)])


def test_files_that_are_collected_together_have_names_of_their_own() -> None:
    """CI runs one pytest for all: of two files of one name outside packages, it would take the first for the second."""
    root = Path(__file__).parents[1]
    found = [path for where in ("*.py", "docs/*.py", "docs/_site/*.py", "tests/**/*.py") for path in root.glob(where)]
    loose = [path for path in found if not (path.parent / "__init__.py").exists()]
    names = Counter(path.name for path in loose)
    assert [str(path.relative_to(root)) for path in loose if names[path.name] > 1] == []
