"""``make fuzz``: a short run finds nothing, a seed draws the same problems again, and faults in the library are found."""

from __future__ import annotations

import math
import operator
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from fuzz import junk_calls
from fuzz.__main__ import Tally, main, try_problems
from fuzz.damaged_files import try_files
from fuzz.definitions import DEFINITIONS, Exact
from fuzz.file_trials import KINDS, try_file
from fuzz.problem import draw
from fuzz.spelling import spell_evaluation
from fuzz.trial import CONVENTIONS, compare, run
from fuzz.valid_calls import OBJECTS, every_call, values_of
from indicatrix.tally.counting import counting


@pytest.mark.slow
def test_a_short_run_finds_no_difference() -> None:
    tally = try_problems(0, stop=math.inf, problems=100)
    assert not tally.found, "\n\n".join(map(str, tally.found))
    assert {*tally.conventions} == {*map(str, CONVENTIONS)}
    assert {form.partition(":")[0] for form in tally.inputs} == {"labels", "sets", "matrix"}
    assert len(tally.measures) > 0.9 * len(DEFINITIONS)
    assert tally.problems == 100
    assert tally.asked.total() > 1000


@pytest.mark.parametrize("compares", [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne])
def test_exact_quotients_compare_as_fractions(compares: Any) -> None:
    pairs = [(1, 2), (2, 4), (-1, 3), (7, 1), (0, 5)]
    for one in pairs:
        for other in pairs:
            assert compares(Exact(*one), Exact(*other)) == compares(Fraction(*one), Fraction(*other))
        for whole in (-1, 0, 7):
            assert compares(Exact(*one), whole) == compares(Fraction(*one), whole)


def test_a_seed_draws_the_same_problems_again() -> None:
    texts = [[spell_evaluation(draw(random.Random(f"{seed} {k}"))) for k in range(50)] for seed in (0, 0, 1)]
    assert texts[0] == texts[1] != texts[2]


def mask_nothing(x: Any, mask: Any, kept: Any) -> Any:
    return x, kept


def broken_recall(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return ix.ratio(tp, tp + fn + fp)


@pytest.mark.parametrize("fault", ["mask", "formula"])
@pytest.mark.slow
def test_a_fault_is_found_and_its_text_shows_it(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if fault == "mask":
        monkeypatch.setattr(counting, "_apply_mask", mask_nothing)
    else:
        monkeypatch.setattr("fuzz.trial.DEFINITIONS", {"recall": DEFINITIONS["recall"]})
        monkeypatch.setitem(ix.algebra.MEASURES, "recall", ix.Measure("recall", broken_recall))
    tally = try_problems(0, stop=math.inf, problems=40)
    assert tally.found
    for found in tally.found:
        assert compare(found.problem, found.question) is not None
        assert (len(found.problem.examples) <= 3) or fault == "formula"
        assert "ix." in str(found)
        lines = [line for line in str(found).split("\n") if line.startswith(("ev", "ix.", "file"))]
        lines[-1] = lines[-1].partition("  # ")[0]
        run("\n".join(lines))
        assert fault == "formula" or "mask" in str(found)


def test_the_command_prints_its_seed_and_counts_and_returns_1_for_differences(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["--problems", "5", "--seed", "3"]) == 0
    printed = capsys.readouterr().out
    assert "seed 3" in printed
    assert "5 problems, " in printed
    assert "no differences" in printed
    monkeypatch.setattr("fuzz.__main__.try_problems", lambda *a, **k: Tally(found=[None]))  # type: ignore[list-item]
    assert main(["--problems", "5"]) == 1


@pytest.mark.slow
def test_damaged_files_of_every_kind_are_refused_or_read_as_they_are(tmp_path: Path) -> None:
    report = try_files(30, 7, kinds=KINDS, keep=tmp_path)
    assert not report.wrong, "\n".join(report.wrong)
    assert {kind: counts.total() for kind, counts in report.became.items()} == dict.fromkeys(KINDS, 30)
    for counts in report.became.values():
        assert counts["refused"] > 0
        assert counts["as it is read"] > 0
    assert report.megabytes < 2048


def test_a_file_that_ends_the_process_is_kept_and_the_others_are_tried(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    report = try_files(2, 0, kinds=("nothing", "csv"), keep=tmp_path)
    assert report.became["nothing"] == {"ended the process": 2}
    assert report.became["csv"].total() == 2
    assert [text.partition(":")[0] for text in report.wrong] == ["nothing 0 of seed 0", "nothing 1 of seed 0"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["nothing-0-0", "nothing-0-1"]


@pytest.mark.parametrize("fault", ["a row is lost", "an error without a name", "a raw error"])
def test_a_wrong_count_or_error_of_a_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    read = ix.evaluate_file

    def faulty(path: Any, **options: Any) -> Any:
        if fault == "a row is lost":
            return read(path, **options).only(["ant"])
        raise ValueError("wrong") if fault == "an error without a name" else ZeroDivisionError("wrong")

    found = {try_file("csv", k, 0, tmp_path)[0] for k in range(12)}
    assert found == {"refused", "as it is read"}
    monkeypatch.setattr(ix, "evaluate_file", faulty)
    assert "wrong" in {try_file("csv", k, 0, tmp_path)[0] for k in range(12)}


@pytest.mark.slow
def test_a_few_hundred_junk_calls_end_with_a_value_or_an_error_of_ours() -> None:
    tally = junk_calls.try_calls(0, 400)
    assert not tally.raw, "\n\n".join(map(str, tally.raw))
    assert tally.calls == 400
    assert tally.ends["error"] > 200
    assert len(tally.callables) > 200


@pytest.mark.slow
def test_calls_that_become_junk_are_valid_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    namespace = values_of(tuple(OBJECTS))
    calls = [call for call in every_call() if call.callee != "ix.load" and not call.callee.startswith("ranked.")]
    assert len(calls) > 400
    for call in calls:
        eval(call.spell([*call.required], {name: value for name, value in call.optional if value}), namespace)


def test_raw_errors_are_told_from_ours() -> None:
    namespace = {"np": np, "ix": ix}
    assert junk_calls.outcome("ix.f1([0, 1], [0, 1])", namespace) == ("value", "")
    assert junk_calls.outcome("ix.f1([0, 1], 'x')", namespace) == ("error", "")
    assert junk_calls.outcome("[][0]", namespace) == ("raw", "IndexError: list index out of range")
    assert junk_calls.outcome("np.ones(2) / 0", namespace)[1].startswith("RuntimeWarning")
    unforeseen = junk_calls.outcome("ix.algebra.tnorm('product').conorm([None], np.array(['2020'], 'M8[D]'))", namespace)
    assert unforeseen[0] == "unforeseen"
    assert "conorm([None], array(" in unforeseen[1]
    assert str(junk_calls.Raw("ix.explain(ev)", "KeyError: 1")).endswith("ix.explain(ev)  # KeyError: 1")


@pytest.mark.slow
def test_a_call_that_ends_its_process_is_found() -> None:
    ends = [*junk_calls.ends_of(["ix.f1(Y, Z)", "__import__('os')._exit(3)", "ix.f1(Y, Z)"])]
    assert [end for end, _ in ends] == ["value", "raw", "value"]
    assert ends[1][1] == "the process ended with 3"
