"""A table has five forms, and a label from the data is plain text in each of them."""

from __future__ import annotations

import csv
import html
import io
import math
import re
from dataclasses import replace

import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.report.table_forms import BestCell, Label, Table, Uncertain

HOSTILE = {
    "tag": "<script>alert(1)</script>",
    "quotes": """a "b" 'c' `d`""",
    "cells": "a|b & c \\\\ d ; e, f",
    "latex": "\\input{/etc/passwd} $x^2$ #1 %y ~z_1 {\\bf",
    "row options": "[9cm] *",
    "markdown": "**bold** _it_ ![x](http://y) [x](y)",
    "right to left": "שלום עולם",
    "turned": "a\u202eb\u2066c",
    "emoji": "👩🏽‍🔬 🦆",
    "newline": "a\nb\r\nc\u2028d",
    "control": "a\x1b[31mb\x00\x07\x7f",
    "surrogate": "a\ud800",
    "sum": "=1+1",
    "plus": "+1+cmd|' /C calc'!A0",
    "minus": "-2+3",
    "at": "@SUM(A1)",
    "tab": "\t=1+1",
    "space": "  =1+1",
    "wide equals": "＝1+1",
    "empty": "",
    "long": "x" * 5000,
}


def table_of(name: str) -> Table:
    return Table(("measure", Label(name)), [(Label(name), 0.25), ("plain", BestCell(math.nan))], notes=[f"About {name}."])


@for_each("name", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_label_stays_in_its_cell_in_every_form(name: str) -> None:
    table = table_of(name)
    for form in ("text", "markdown", "latex", "csv", "html"):
        made = table.to(form)  # type: ignore[arg-type]
        made.encode()  # no lone surrogates
        assert all(c.isprintable() or c in "\r\n" for c in made), form
    assert len(table.text().splitlines()) == 5
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in table.markdown().splitlines()[:4])
    assert all(len(re.findall(r"(?<!\\)&", line)) == 1 for line in table.latex().splitlines() if line.endswith("\\\\"))
    read = [*csv.reader(io.StringIO(table.csv(), newline=""))]
    assert [len(row) for row in read] == [2, 2, 2]
    for cell in (read[0][1], read[1][0]):
        assert not re.match(r"\s*[=+\-@＝]", cell)


@for_each("name", HOSTILE.values(), ids=HOSTILE)
def test_html_has_no_tag_or_attribute_of_a_label(name: str) -> None:
    made = table_of(name).html()
    tags = {re.split(r"[\s>]", tag)[0].strip("/") for tag in re.findall(r"<([^>]*)>", made)}
    assert tags <= {"table", "thead", "tbody", "tr", "th", "td", "bdi", "strong", "p"}
    assert {a for tag in re.findall(r"<[^>]*>", made) for a in re.findall(r"([\w-]+)=\"", tag)} <= {"style", "scope", "title"}


@for_each("name", HOSTILE.values(), ids=HOSTILE)
def test_latex_reads_no_command_of_a_label(name: str) -> None:
    cell = table_of(name).latex().splitlines()[4].split(" & ")[0]
    known = {"textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater", "textbar", "textasciigrave"}
    commands = re.findall(r"\\([a-zA-Z]+|.)", cell)
    assert {*commands} <= known | {"textquotesingle", "char", *"{}$&#%_"}
    assert not re.search(r"(?<!\\)[$#%_^~]", cell)
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", cell):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0
    assert not cell.startswith(("[", "*"))


def test_csv_keeps_labels_whole_and_numbers_as_numbers() -> None:
    long = "x" * 5000
    read = [*csv.reader(io.StringIO(Table(("", "v"), [(Label(long), -0.1), ("-1", 1 / 3)]).csv(), newline=""))]
    assert read == [["", "v"], [long, "-0.1"], ["-1", str(1 / 3)]]


def test_html_shows_the_whole_label_in_its_title() -> None:
    name = "<" + "y" * 100
    assert f'title="{html.escape(name)}"' in Table((), [(Label(name), 1)]).html()


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.7, 0.8, "0.75 [0.70, 0.80]"),
        (0.7, 0.7999, "0.750 [0.700, 0.800]"),
        (0.7499, 0.7501, "0.75000 [0.74990, 0.75010]"),
        (-1, 4, "0.8 [-1.0, 4.0]"),
        (-0.001, 0.9, "0.75 [0.00, 0.90]"),
        (0.75, 0.75, "0.750 [0.750, 0.750]"),
        (0.5, math.inf, "0.750 [0.500, ∞]"),
        (math.nan, math.nan, "0.750"),
        (0.1, 12345, "1 [0, 12,345]"),
    ],
)
def test_the_width_of_an_interval_decides_on_the_digits(low: float, high: float, text: str) -> None:
    assert str(Uncertain(0.75, low, high)) == text


def test_a_score_table_has_every_form() -> None:
    ev = ix.from_confusion([[40, 10, 0], [5, 45, 0], [1, 2, 0]], classes=["ant", "bee", "cat"])
    table = ev.table(["precision", "multiclass_mcc"], ["micro", "macro"], interval=True)
    read = [*csv.DictReader(io.StringIO(table.csv(), newline=""))]
    assert float(read[0]["macro"]) == ev.score("precision", "macro")
    assert float(read[0]["macro_low"]) == ev.interval("precision", "macro").low
    macro = Uncertain(table["precision", "macro"], *ev.interval("precision", "macro"))
    as_zero = replace(macro, value=ev.score("precision", "macro", undefined=0)).show_value()
    for made in (str(table), table.markdown(), table.latex(), table.html()):
        assert f"{macro} (as 0: {as_zero})" in made
    assert "\\toprule" in table.latex()
    assert "% Undefined values are excluded (as 0: counted as 0):" in table.latex()
    assert "Undefined values are excluded (as 0: counted as 0):" in table.html()
    assert "Undefined values are excluded (as 0: counted as 0):" in str(table)


def test_a_comparison_has_every_form() -> None:
    y = ["a", "b", "b", "c"] * 20
    names = ("=lr", "<b>rf</b>")
    guesses = (y, ["a", "b", "b", "a"] * 20)
    made = ix.compare({name: ix.evaluate(y, z) for name, z in zip(names, guesses, strict=True)}, "f1", "macro", level=0.95)
    read = [*csv.reader(io.StringIO(made.csv(), newline=""))]
    assert [row[:3] for row in read] == [["score", "'=lr", "<b>rf</b>"], ["macro f1", "1.0", str(float(made.rows[0].values[1]))]]
    assert "\\textbf{1.000 [" in made.latex()
    assert "<strong>1.000 [" in made.html()
    assert "<b>" not in made.html() + made.markdown()


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(ValueError, match="Its forms are text, markdown, latex, csv, html"):
        Table((), []).to("pdf")  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "html"])
def test_an_empty_table_has_every_form(form: str) -> None:
    assert "None" not in Table((), []).to(form) + Table(("a", "b"), []).to(form)  # type: ignore[arg-type]


def test_accuracy_of_whole_examples_is_under_no_average_and_shown_once() -> None:
    ev = ix.evaluate(["a", "b", "c", "c"], ["a", "b", "b", "c"])
    table = ev.table(["accuracy", "exact_match", "f1"])
    assert table.to_dict()["measure"] == ["accuracy", "f1"]
    assert table.to_dict()["whole"][0] == 0.75
    assert math.isnan(table.to_dict()["exemplar"][0])
    assert [*ev.table(["accuracy"], [None]).to_dict()] == ["measure", "whole"]


def test_an_interval_without_width_does_not_ask_for_digits() -> None:
    assert str(Uncertain(0.5, 0.5 - 1e-16, 0.5 + 1e-16)) == "0.500 [0.500, 0.500]"
    assert str(Uncertain(0.5, 0.49999, 0.50001)) == "0.500000 [0.499990, 0.500010]"
