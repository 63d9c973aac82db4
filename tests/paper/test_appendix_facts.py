"""The facts of the groups cnt and xref: what the appendix counts and cites.

The experiments have the appendix's rows and marks and the paper's numbering, written by hand. Here they are compared with what a
program read from the paper's source (paper/printed.json).
"""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from facts import Checkers
from loops import for_each

import indicatrix as ix
from paper.appendix import ENTRIES, MARKED, OTHERS, SOFT_MARKS, SUMMARY, marks
from paper.errata import d_misprints as misprints
from paper.read_source import AVERAGES, PRINTED
from paper.sections import tab_extensions

PAPER = json.loads(PRINTED.read_text("utf-8"))
checks = Checkers("cnt", "xref")


@for_each("fact", checks.facts.values(), ids=checks.facts)
def test_fact(fact):
    checks.run(fact)


def rows(group):
    """Return the rows of a group's table: the first word, the averages without a name, the mark in Inv."""
    return [(first, tuple(unnamed), invariant) for first, unnamed, invariant in PAPER["appendix"][str(group)]]


@pytest.mark.parametrize("group", SUMMARY)
def test_rows_and_marks_are_those_of_the_paper(group):
    found, entries = rows(group), [entry for entry in ENTRIES if entry.group == group]
    # Rows of scores and costs have no entry; in Group 2 that is the last, average precision.
    ours = [(entry.unnamed, entry.invariant) for entry in entries]
    assert ours == [(unnamed, invariant) for _, unnamed, invariant in found[: len(entries)]]
    assert [unnamed for _, unnamed, _ in found[len(entries) :]] == list(OTHERS.get(group, ()))
    for entry, (first, *_) in zip(entries, found, strict=False):
        assert re.match(r"[^\W_]+", entry.title)[0] == first


def test_the_summary_is_the_paper_s():
    ours = [[str(group), measures, marked] for group, (_, measures, marked) in SUMMARY.items()]
    assert PAPER["summary"] == ours
    assert PAPER["total"] == [MARKED]


@checks(r"cnt\.rows\.G(?P<group>\d+)")
def measures_in_a_group(fact, group):
    counted = len(marks(int(group)))
    assert counted == len(rows(int(group))) == fact["computed"]
    assert int(SUMMARY[int(group)][1]) == fact["paper"]
    assert (counted == fact["paper"]) is fact["agrees"]


@checks(r"cnt\.flat\.G(?P<group>\d+)")
def marks_in_a_group(fact, group):
    counted = sum(marks(int(group)))
    assert counted == sum(len(unnamed) for _, unnamed, _ in rows(int(group))) == fact["computed"]
    assert f"~{SUMMARY[int(group)][2]}" == fact["paper"]
    assert (f"~{counted}" == fact["paper"]) is fact["agrees"]


@checks(r"cnt\.total_rows")
def all_measures(fact):
    assert sum(len(marks(group)) for group in SUMMARY) == fact["computed"] == 50
    distinct = {entry.measure for entry in ENTRIES}  # ours has one measure under several names
    assert len(distinct) == 37
    assert f"= {len(distinct)}" in fact["note"]


@checks(r"cnt\.total_flat")
def all_marks(fact):
    in_tables = sum(sum(marks(group)) for group in SUMMARY)
    soft = PAPER["marks"]["group 9"]
    assert soft == SOFT_MARKS
    column = sum(int(marked) for *_, marked in SUMMARY.values())
    assert list(fact["computed"].values()) == [column, in_tables, in_tables + soft, PAPER["marks"]["all"]]
    assert str(fact["paper"]) == MARKED != str(in_tables)


@checks(r"cnt\.soft")
def soft_extensions(fact):
    truth, guess = np.random.default_rng(5).random((2, 25, 4))
    tnorms = ("lukasiewicz", "product", "godel")
    nine = {float(ix.evaluate(truth, guess, tnorm=t).score("f1", a)) for t in tnorms for a in AVERAGES}
    assert 35 * len(nine) == fact["computed"] == fact["paper"]


@checks(r"cnt\.table3")
def measures_in_the_table_of_extensions(fact):
    assert len(tab_extensions.ROWS) == fact["computed"] == fact["paper"]


@checks(r"cnt\.settings")
def levels_of_claim(fact):
    levels = {setting.level for setting in ix.tasks.SETTINGS.values()}
    assert all(level in fact["computed"] for level in levels)
    assert len(levels) == 4 != fact["paper"]


# xref: what is numbered, in the order of the source.


@pytest.mark.parametrize(
    ("kind", "ours"),
    [
        ("Theorem", misprints.THEOREMS),
        ("Proposition", misprints.PROPOSITIONS),
        ("Eq.", misprints.EQUATIONS),
        ("Table", misprints.TABLES),
    ],
)
def test_numbers_are_those_of_the_source(kind, ours):
    numbered = PAPER["numbered"][kind]
    assert all(label in (name, "") for name, label in zip(ours, numbered, strict=False))
    assert len(numbered) >= len(ours)


def test_sections_are_those_of_the_source():
    titles = {
        "sec:binary": "the binary case",
        "sec:matrix": "the indicator-matrix representation",
        "sec:extensions": "aggregation operators and measure extension",
        "settings": "extended settings and special cases",
    }
    ours = [titles.get(name, name) for name in misprints.SECTIONS]
    assert PAPER["numbered"]["Section"][: len(ours)] == ours


@checks(r"xref\.(?P<position>\d)")
def cross_reference(fact, position):
    _, said, right, order, label = misprints.CITED[int(position)]
    assert right == re.sub(r"\d+", str(order.index(label) + 1), said)
    assert said == fact["paper"]
    assert fact["computed"].startswith(right)
    assert (said == right) is fact["agrees"]
    assert said in PAPER["cited"]
