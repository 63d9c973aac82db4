"""Who follows f1 of strings reads few modules, in one order: door, encode, count, statistic, measure, score; never back up."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

import indicatrix as ix
from indicatrix.compiled import loaded

MODULES, DEPTH, CALLS = 14, 10, 60  # at most; before, there were 41 modules, a depth of 16 and 194 calls
SEEN_THROUGH = "words/call_mistakes.py"  # a decorator, which runs what it decorates and then returns
STAGES = {  # of modules, or of functions in them, in the order in which they are read; others are asked for small things
    "algebra/measure.py": "door",
    "evaluate.py": "door",
    "encode/": "encode",
    "tally/counting/code_tables.py": "count",
    "tally/tally.py": "statistic",
    "algebra/counts.py counts_of_each_class": "statistic",
    "catalogue/": "measure",
    "algebra/numbers/functions.py": "measure",
    "algebra/score.py": "score",
}
ORDER = ["door", "encode", "count", "statistic", "measure", "score"]
ROOT = Path(ix.__file__).parent.as_posix() + "/"
TRUE, PREDICTED = ["cat", "dog", "owl", "cat", "dog"], ["cat", "owl", "owl", "dog", "dog"]


def calls(*args: Any, **options: Any) -> list[tuple[int, str, str]]:
    """Return the calls inside the library that f1 makes: how deep, in which module, and of which function."""
    found: list[tuple[int, str, str]] = []
    depth = 0

    def follow(frame: Any, event: str, _: Any) -> None:
        nonlocal depth
        code = frame.f_code
        module = code.co_filename.removeprefix(ROOT)
        if event not in ("call", "return") or not code.co_filename.startswith(ROOT) or module == SEEN_THROUGH:
            return
        depth += 1 if event == "call" else -1
        if event == "call" and not code.co_name.startswith("<"):  # <genexpr>
            found.append((depth, module, code.co_name))

    ix.f1(*args, **options)  # which imports what is needed
    before = sys.getprofile()
    sys.setprofile(follow)
    try:
        ix.f1(*args, **options)
    finally:
        sys.setprofile(before)
    return found


def test_f1_of_strings_is_read_in_few_modules() -> None:
    found = calls(TRUE, PREDICTED, average="macro")
    modules = [*dict.fromkeys(module for _, module, _ in found)]
    assert len(modules) <= MODULES, modules
    assert max(depth for depth, _, _ in found) <= DEPTH
    assert len(found) <= CALLS


@pytest.mark.parametrize("times", [1, 1000])
@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
def test_no_stage_is_read_again(average: str, times: int, kernels: None) -> None:
    at_once = times == 1 and average != "micro" and loaded.core is not None  # one call into C encodes few labels and counts them
    passed = (
        "meant_for",
        "values",
        *(() if at_once else ("counts_of_short",)),
    )  # which only hand on, or say that they do not serve
    stages = (
        next((stage for start, stage in STAGES.items() if f"{module} {function}".startswith(start)), None)
        for _, module, function in calls(TRUE * times, PREDICTED * times, average=average)
        if function not in passed
    )
    assert [stage for stage, _ in groupby(filter(None, stages))] == [x for x in ORDER if not (at_once and x == "encode")]
