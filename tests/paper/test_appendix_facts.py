"""The facts of the groups cnt and xref: what the appendix counts and cites, read from the paper's own source.

The experiments transcribe the appendix's rows and marks and the paper's numbering; here the transcription is compared with it.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest
from facts import PAPER, Checkers

import indicatrix as ix
from paper.appendix import ENTRIES, MARKED, OTHERS, SOFT_MARKS, SUMMARY, marks
from paper.errata import d_misprints as misprints
from paper.sections import tab_extensions

TEX = (PAPER / "paper.tex").read_text("utf-8")
AVERAGES = ("micro", "macro", "exemplar")
checks = Checkers("cnt", "xref")


@pytest.mark.parametrize("fact", checks.facts.values(), ids=checks.facts)
def test_fact(fact):
    checks.run(fact)


@cache
def rows(group):
    """Return the rows of a group's table: the first cell, the averages marked as without a name, and the mark in Inv."""
    section = re.search(rf"\\section\*\{{Group {group}: .*?\\endhead(.*?)\\bottomrule", TEX, re.DOTALL)[1]
    cells = [[cell.strip() for cell in row.split("&")] for row in re.split(r"\\\\\[\d+pt\]", section)[:-1]]
    return [
        (first, tuple(a for a, cell in zip(AVERAGES, names, strict=True) if r"\novel" in cell), r"\sinv" in mark)
        for first, _, *names, mark in cells
    ]


@pytest.mark.parametrize("group", SUMMARY)
def test_rows_and_marks_are_those_of_the_paper(group):
    found, entries = rows(group), [entry for entry in ENTRIES if entry.group == group]
    # Rows of scores and costs have no entry; in Group 2 that is the last, average precision.
    ours = [(entry.unnamed, entry.invariant) for entry in entries]
    assert ours == [(unnamed, invariant) for _, unnamed, invariant in found[: len(entries)]]
    assert [unnamed for _, unnamed, _ in found[len(entries) :]] == list(OTHERS.get(group, ()))
    for entry, (first, *_) in zip(entries, found, strict=False):
        word = re.match(r"\w+", entry.title)[0]
        assert first.startswith((word, f"${word}")), (entry.title, first)


def test_the_summary_is_the_paper_s():
    printed = re.findall(r"^(\d+)\. [^&\n]*?& (\d+) & \$\\sim\$(\d+) & \$\\sim\$\3 ", TEX, re.MULTILINE)
    assert printed == [(str(group), measures, marked) for group, (_, measures, marked) in SUMMARY.items()]
    assert f"{MARKED} extensions marked as lacking" in TEX


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
    soft = re.search(r"\\section\*\{Group 9: (.*?)\\section\*\{Group 10", TEX, re.DOTALL)[1].count(r"\novel")
    assert soft == SOFT_MARKS
    column = sum(int(marked) for *_, marked in SUMMARY.values())
    assert list(fact["computed"].values()) == [column, in_tables, in_tables + soft, TEX.count(r"\novel")]
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
    levels = {setting.level for setting in ix.SETTINGS.values()}
    assert all(level in fact["computed"] for level in levels)
    assert len(levels) == 4 != fact["paper"]
    assert "the four depth levels" in TEX


# xref: what is numbered, in the order of the source.


@cache
def numbered(kind):
    """Return the labels, or the titles where there is no label, of everything of a kind that gets a number."""
    if kind == "Section":
        return tuple(title.lower() for title in re.findall(r"\\section\{([^}]*)\}", TEX))
    if kind == "Eq.":
        bodies = re.findall(r"\\begin\{(?:equation|align)\}(.*?)\\end\{(?:equation|align)\}", TEX, re.DOTALL)
        lines = [line for body in bodies for line in re.split(r"\\\\", body) if r"\nonumber" not in line]
        return tuple(found[1] if (found := re.search(r"\\label\{([^}]*)\}", line)) else "" for line in lines)
    environment = kind.lower()
    bodies = re.findall(rf"\\begin\{{{environment}\*?\}}(.*?)\\end\{{{environment}\*?\}}", TEX, re.DOTALL)
    labels = [re.search(r"\\label\{((?:thm|prop|tab):[^}]*)\}", body) for body in bodies]
    return tuple(label[1] if label else "" for label in labels)


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
    assert all(label in (name, "") for name, label in zip(ours, numbered(kind), strict=False))
    assert len(numbered(kind)) >= len(ours)


def test_sections_are_those_of_the_source():
    places = {"settings": "extended settings and special cases", "sec:binary": "the binary case"}
    for position, name in enumerate(misprints.SECTIONS):
        assert not name.startswith("sec:") or rf"\label{{{name}}}" in TEX
        assert numbered("Section")[position] == places.get(name, numbered("Section")[position])
    assert numbered("Section")[:2] == misprints.SECTIONS[:2]


@checks(r"xref\.(?P<position>\d)")
def cross_reference(fact, position):
    _, said, kind, order, label = misprints.CITED[int(position)]
    number = order.index(label) + 1
    ours = f"Eq. ({number})" if kind == "Eq." else f"{kind} {number}"
    assert said == fact["paper"]
    assert fact["computed"].startswith(ours)
    assert (said == ours) is fact["agrees"]
    assert re.search(re.escape(said).replace(r"\ ", "[ ~]"), TEX)
