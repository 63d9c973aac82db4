"""A claim can fail: a value no longer agrees, a known difference changes, a reason is stale."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from fractions import Fraction

import pytest
from running import ROOT, environment

from paper.claim import Claim
from paper.data import Data
from paper.pages import html, markdown, text
from paper.pages.show import explain, sentence, summary
from paper.pages.structured import as_data
from paper.record import Experiment, Record
from paper.run import Outcome
from paper.select import experiments


@pytest.fixture
def record() -> Record:
    return Record("test", Data(fetch=False))


@pytest.mark.parametrize("ours", [0.6955, 217 / 312, Fraction(217, 312)])
def test_a_known_difference_is_pinned_to_the_digits_written(record: Record, ours: object) -> None:
    assert record.claim("recall", paper="0.695", ours=ours, differs="a misprint", pinned="0.6955").verdict == "differs"


@pytest.mark.parametrize("ours", [99, 0.696, 0.6949, 0.695, float("nan")])
def test_a_value_that_leaves_its_pin_fails(record: Record, ours: object) -> None:
    made = record.claim("recall", paper="0.695", ours=ours, differs="a misprint", pinned="0.6955")
    assert (made.verdict, made.failed) == ("fails", True)
    assert explain(made) == "ours was 0.6955: this is a failure"


@pytest.mark.parametrize(
    ("pinned", "near"),
    [(4, 5), ([3, 1, 0], [3, 1, 1]), (("macro", "exemplar"), ("macro",)), ("Theorem 5", "Theorem 6"), ("2/5", 0.41), (0, 1e-6)],
)
def test_every_kind_of_value_is_pinned(record: Record, pinned: object, near: object) -> None:
    same = Fraction(2, 5) if pinned == "2/5" else pinned
    assert record.claim("x", paper=None, ours=same, differs="why", pinned=pinned).verdict == "differs"
    assert record.claim("x", paper=None, ours=near, differs="why", pinned=pinned).verdict == "fails"


def test_a_reason_needs_a_pin_and_a_pin_a_reason(record: Record) -> None:
    with pytest.raises(ValueError, match=r"The claim 'x' has a reason to differ but no pinned value\. Give both, or neither"):
        record.claim("x", paper="0.5", ours=0.4, differs="a misprint")
    with pytest.raises(ValueError, match=r"The claim 'x' has a pinned value but no reason to differ\."):
        record.declares("x", paper=3, ours=4, pinned=4)


def test_a_statement_that_is_known_to_be_false_must_stay_false(record: Record) -> None:
    assert record.holds("true", True).verdict == "agrees"
    assert record.holds("true", False).verdict == "fails"
    assert record.holds("false", False, differs="why", errata="A1").verdict == "differs"
    stale = record.holds("false", True, differs="why", errata="A1")
    assert (stale.verdict, explain(stale)) == ("fails", "ours was no: this is a failure")
    assert record.holds("denied", False, paper=False).verdict == "agrees"
    assert record.holds("denied", True, paper=False, differs="why").verdict == "differs"
    assert record.holds("denied", False, paper=False, differs="why").verdict == "fails"


def test_what_is_ours_alone_or_declared_has_its_own_verdict(record: Record) -> None:
    assert record.finds("ours", True).verdict == "holds"
    failed = record.finds("ours", False)
    assert (failed.verdict, explain(failed)) == ("fails", "it held before: this is a failure")
    assert record.declares("name", paper=("macro",), ours=("macro",)).verdict == "declared"
    assert record.declares("name", paper=("macro",), ours=()).verdict == "fails"
    assert record.declares("name", paper=("macro",), ours=(), differs="why", pinned=()).verdict == "differs"


def test_the_errata_are_named_only_where_something_differs(record: Record) -> None:
    assert record.claim("x", paper=1, ours=1, errata="A1").errata == ""
    assert explain(record.claim("x", paper=1, ours=2, differs="why", pinned=2, errata="A1")) == "why (errata A1)"


@pytest.fixture
def outcome(record: Record) -> Outcome:
    record.claim("agreed", paper="0.5", ours=0.5)
    record.declares("declared by us", paper=3, ours=3)
    record.claim("known", paper="0.5", ours=0.4, differs="a misprint", pinned="0.4")
    record.finds("our own", True)
    record.claim("drifted", paper="0.5", ours=99, differs="a misprint", pinned="0.4")
    return Outcome(Experiment("test", "All verdicts", experiments(["ex:dof"])[0].run), record, 0.0)


def test_every_page_counts_and_shows_every_verdict(outcome: Outcome) -> None:
    counted = summary([outcome])
    assert counted == {"agrees": 1, "declared": 1, "differs": 1, "holds": 1, "fails": 1, "missing": 0}
    assert sentence(counted) == (
        "Of the paper: 1 value or statement agrees, 1 is only declared, 1 differs for a known reason. "
        "Of ours: 1 statement holds. 1 FAILS."
    )
    plain, marked, page = "\n".join(text.lines(outcome)), markdown.report([outcome]), html.page([outcome], {})
    for verdict in ("agrees", "declared", "differs", "holds", "fails"):
        assert plain.count(f"  {verdict}\n") == 1
        assert marked.count(f"| {verdict} |") == 1
        assert page.count(f'<tr class="{verdict}">') == 1
    assert "<b>1</b>are only declared, not computed" in page
    claims = as_data([outcome])["experiments"][0]["claims"]
    assert [c["verdict"] for c in claims] == ["agrees", "declared", "differs", "holds", "fails"]
    assert [c["pinned"] for c in claims] == [None, None, "0.4", None, "0.4"]
    assert [c["kind"] for c in claims] == ["computed", "declared", "computed", "ours", "computed"]


def test_only_what_differs_or_fails_is_shown_on_demand(outcome: Outcome) -> None:
    shown = "\n".join(text.lines(outcome, differences=True))
    assert "known" in shown
    assert "drifted" in shown
    assert "agreed" not in shown
    assert "3 other values and statements do not differ" in shown


def test_a_claim_cannot_be_changed_afterwards() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Claim("x", 1, 1, True).ours = 2  # type: ignore[misc]


CHANGED = """
import sys
from paper.record import EXPERIMENTS, Experiment
from paper.select import experiments
from paper.command import main
[experiment] = experiments(["ex:dof"])
def changed(record):
    record.claim("one", {claim})
changed.__module__ = experiment.run.__module__
EXPERIMENTS["ex:dof"] = Experiment("ex:dof", "changed", changed)
sys.argv = ["paper", "--only", "ex:dof"]
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "claim",
    ['paper="0.500", ours=0.501', 'paper="0.695", ours=99, differs="a misprint", pinned="0.696"'],
    ids=["stops agreeing", "leaves its pin"],
)
def test_a_number_that_changes_is_exit_code_1(claim: str) -> None:
    command = [sys.executable, "-c", CHANGED.format(claim=claim)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment(), check=False)
    assert done.returncode == 1, done.stderr
    assert "FAILS: ex:dof, one" in done.stdout
    assert "1 FAILS." in done.stdout


def test_the_numbers_in_a_reason_are_pinned(record: Record) -> None:
    for pinned, verdict in (("it is 0.613", "differs"), (("it is 0.7", "it is 0.613"), "differs"), ("it is 0.614", "fails")):
        assert record.holds("x", ours=False, differs=f"it is {0.6131:.3f}", pinned=pinned).verdict == verdict
