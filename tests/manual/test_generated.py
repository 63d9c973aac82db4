"""The pages that are written when the site is built: nothing public is left out, and what they say is true."""

from __future__ import annotations

import inspect
import math
import re
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import generated
import level_lines
import measure_pages
import names
import numpy as np
import pytest
import relatives
from elsewhere import names_elsewhere
from latex import latex
from loops import for_each
from neighbors import neighbors

import indicatrix as ix
from indicatrix.algebra.numbers.exact import exactly, is_defined
from indicatrix.public_names import ADAPTERS, every_public, place
from indicatrix.settings.paper_settings import CONDITIONS, COUNTED, REFUSED, SETTINGS

DOCS = Path(__file__).parents[2] / "docs"
MEASURES = list(ix.catalogue())
OF_COUNTS = [m for m in MEASURES if m.reads.formula and not m.averages]
COUNTS = ((3, 2, 5, 11), (7, 9, 4, 27), (40, 3, 17, 2))
HEAVY = 300_000  # characters of a page, before it is compressed


@cache
def pages() -> dict[str, str]:
    written = list(generated.pages())
    assert len({name.casefold() for name, _ in written}) == len(written)  # some file systems do not tell Interval from interval
    return dict(written)


@cache
def described() -> Counter[str]:
    """Return how often each whole name is described."""
    return Counter(re.findall(r"^:+\{py:\w+\} ([\w.]+)", "\n".join(pages().values()), re.MULTILINE))


def test_every_public_name_is_described_once() -> None:
    wanted = {"indicatrix" + place(name).removeprefix("ix") for name in every_public()}
    wanted |= {f"indicatrix.{space}.{name}" for space in ADAPTERS for name in getattr(ix, space).__all__}
    assert {name: times for name, times in described().items() if times != 1} == {}
    assert wanted - {*described()} == set()


def test_every_page_is_light_and_reached_from_its_index() -> None:
    assert [name for name, text in pages().items() if len(text) > HEAVY] == []
    linked = {name for name in described() if any(f"<{name}>`" in text for text in pages().values())}
    for name in pages():
        folder = name.partition("/")[0]
        if folder == "reference" and not name.endswith("/index"):
            space = name.split("/")[1]
            assert name == "reference/top" or any(
                where == name and whole in linked for whole, where in names.objects().items()
            ), space
        elif not name.endswith(("/index", "/calling")):
            assert f"({name.rpartition('/')[2]}.md)" in pages()[f"{folder}/index"], name


def test_every_link_leads_to_what_is_described() -> None:
    for name, text in pages().items():
        for target in re.findall(r"\{py:\w+\}`[^`]+ <([\w.]+)>`", text):
            assert target in described(), f"{target} in {name}"
        for target in re.findall(r"\]\(([\w./-]+)\.md", text):
            path = (DOCS / name).parent / target
            where = str(path.resolve().relative_to(DOCS))
            assert where in pages() or where.partition("/")[0] not in generated.FOLDERS, f"{target} in {name}"


def test_no_label_of_the_paper_and_no_markup_of_docstrings_is_left() -> None:
    assert [name for name, text in pages().items() if "``" in re.sub(r"```\S*", "", text)] == []


@for_each("whole", sorted(names.objects()))
def test_a_call_has_its_arguments(whole: str) -> None:
    thing: Any = ix
    for part in whole.split(".")[1:]:
        if part == "Metric":  # it needs torchmetrics, which takes seconds
            return
        thing = getattr(thing, part)
    shown = re.search(rf"^:+\{{py:\w+\}} {re.escape(whole)}(\(.*\))?$", pages()[names.objects()[whole]], re.MULTILINE)
    assert shown
    if inspect.isfunction(inspect.unwrap(thing)) and not isinstance(thing, type):
        arguments = [p.name for p in inspect.signature(thing).parameters.values()]
        assert re.findall(r"(?:\(|, )\*{0,2}(\w+)(?==|,|\))", shown[1] or "")[: len(arguments)] == arguments or not arguments


@for_each("measure", MEASURES)
def test_the_page_of_a_measure_has_its_facts(measure: ix.Measure) -> None:
    text = pages()[f"measures/{measure.name}"]
    assert re.match(rf"# {measure.name}: [A-Z0-9-]", text)
    assert {"## Averages", "## See also"} <= set(text.splitlines())
    for name in (*measure.aliases, *measure.known_as.values()):
        assert f"! {name}" in re.split(", |\n", text.partition("{index} ")[2])
    low, high = measure.range
    assert f"**Range**: {measure_pages._end(low)} to {measure_pages._end(high)}." in text
    assert text.count("$$") >= 2, f"{measure} has no formula: {text[:80]}"
    if measure.source:
        source = ix.catalogue.references()[measure.source]
        assert str(source["year"]) in text
        assert ("https://doi.org/" in text) == ("doi" in source)
    if measure.reads.formula:
        explained = ix.explain(measure) if measure in OF_COUNTS[::10] else None
        for sentence in (*explained.use, *explained.misleads) if explained else ():
            assert sentence.split()[0] in text
        for average in measure.averages or ("micro", "macro"):
            assert f'ev.score("{measure.name}", "{average}")' in text


TOKENS = re.compile(r"\\mathrm\{\w+\}|\\left[(|]|\\right[)|]|\\log_\{\d+\}|\\[a-z]+|\\,|\d+\.?\d*|[a-z]_\{\w+\}|\S")
FUNCTIONS = {r"\ln": math.log, r"\sin": math.sin, r"\arcsin": math.asin, r"\min": min, r"\max": max}


class Reader:
    """Reads a formula in LaTeX as exact arithmetic, or as floats where a function is irrational."""

    def __init__(self, text: str, values: dict[str, Any]) -> None:
        self.tokens = TOKENS.findall(text)
        self.values, self.at = values, 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *expected: str) -> str:
        token = self.peek()
        assert not expected or token in expected, (token, expected)
        self.at += 1
        return token

    def sum(self) -> Any:
        value = -self.product(self.take()) if self.peek() == "-" else self.product()
        while self.peek() in ("+", "-"):
            value = value + self.product() if self.take() == "+" else value - self.product()
        return value

    def product(self, _: str = "") -> Any:
        value = self.power()
        while self.peek() == r"\,":
            self.take()
            value = value * self.power()
        return value

    def power(self) -> Any:
        value = self.atom()
        if self.peek() == "^":
            self.take()
            power = self.braced()
            value = value ** (int(power) if power == int(power) else float(power))
        return value

    def braced(self) -> Any:
        self.take("{")
        value = self.sum()
        self.take("}")
        return value

    def arguments(self) -> list[Any]:
        self.take(r"\left(", "(")
        given = [self.sum()]
        while self.peek() == ",":
            self.take()
            given.append(self.sum())
        self.take(r"\right)", ")")
        return given

    def atom(self) -> Any:
        token = self.take()
        if token == r"\frac":
            above = self.braced()
            return above / Fraction(below) if isinstance(below := self.braced(), int | Fraction) else above / below
        if token == r"\sqrt":
            return math.sqrt(self.braced())
        if token in (r"\left(", r"\left|", "(", "|"):
            value = self.sum()
            closed = self.take(r"\right)", r"\right|", ")", "|")
            return abs(value) if "|" in closed else value
        if token in FUNCTIONS:
            return FUNCTIONS[token](*self.arguments())
        if token.startswith(r"\log_"):
            return math.log(self.arguments()[0]) / math.log(int(token[6:-1]))
        if token == r"\pi":
            return math.pi
        if token[0].isdigit():
            return Fraction(token)
        return self.values[re.sub(r"\\mathrm\{(\w+)\}|\\", r"\1", token).replace("_{", "_").rstrip("}")]


def test_the_formulas_in_latex_have_the_values_of_their_measures() -> None:
    read = 0
    for measure in OF_COUNTS:
        formula, *where = latex(measure.formula).split(r",\qquad ")
        if any(word in formula + str(where) for word in (r"\begin", r"\Pr", r"\Phi", r"\mathrm{e}")):
            continue  # in pieces, or of functions that are not read here
        for tp, fp, fn, tn in COUNTS:
            values: dict[str, Any] = {name: getattr(ix.Counts(tp, fp, fn, tn), name) for name in ("tp", "fp", "fn", "tn")}
            values |= {"tpos": tp + fn, "tneg": fp + tn, "ppos": tp + fp, "pneg": fn + tn, "n": tp + fp + fn + tn}
            values = {name: Fraction(int(value)) for name, value in values.items()}
            values |= {name: Fraction(value) for name, value in measure.params.items()}
            for definition in reversed(where):
                name, _, text = definition.partition("=")
                values[name] = Reader(text, values).sum()
            found, wanted = Reader(formula, values).sum(), float(measure(ix.Counts(tp, fp, fn, tn)))
            assert float(found) == pytest.approx(wanted, rel=1e-9), measure.name
        read += 1
    assert read > 130


@for_each("measure", MEASURES)
def test_every_average_that_exists_is_on_the_page(measure: ix.Measure) -> None:
    text = pages()[f"measures/{measure.name}"].partition("## Averages")[2].partition("\n## ")[0]
    said = set(re.findall(r'"(\w+)"\)</code>', text))
    if measure.reads.name == "matrix":
        assert not said
    elif measure.reads.name == "distances":  # outlines of several classes are not pooled
        assert said == {"macro", "image", "pairs"}
    else:
        assert said & {"micro", "macro", "exemplar"}


@for_each("measure", OF_COUNTS[::4])
def test_results_on_a_level_line_have_its_value(measure: ix.Measure) -> None:
    plane, shares, _ = level_lines._view(measure)
    for share in shares:
        x, y = np.meshgrid(level_lines.GRID, level_lines.GRID)
        with np.errstate(all="ignore"):
            all_values = np.asarray(measure.values(plane.counts(x, y, share)), dtype=float)
        for level, lines in level_lines._lines(measure, plane, share):
            middles = [(line[1:] + line[:-1]) / 2 for line in lines if len(line)]  # where simpler lines are farthest off
            points = np.concatenate([*lines, *middles]) / level_lines.SIZE
            inside = points[(points > 0.1).all(axis=1) & (points < 0.9).all(axis=1)]
            with np.errstate(all="ignore"):
                values = np.asarray(measure.values(plane.counts(inside[:, 0], 1 - inside[:, 1], share)), dtype=float)
            spread = np.nanquantile(all_values, 0.98) - np.nanquantile(all_values, 0.02)
            assert np.all(np.abs(values - level) < 0.05 * spread + 0.2 * abs(level)), (level, values)


def test_pictures_are_small_and_there_is_one_for_nearly_every_formula() -> None:
    drawn = {measure.name: level_lines.pictures(measure)[0] for measure in OF_COUNTS}
    assert max(map(len, drawn.values())) < 15_000
    assert [name for name, svg in drawn.items() if not svg] == ["prevalence"]  # its lines would be the plane itself


@for_each("measure", OF_COUNTS)
def test_close_relatives_are_what_is_said(measure: ix.Measure) -> None:
    own = exactly(measure)
    for name, said in relatives.relatives(measure):
        other = exactly(ix.algebra.MEASURES[name])
        results = [(own(*v), other(*v)) for v in (*COUNTS, (4, 13, 1, 9), (19, 2, 2, 5))]
        results = [pair for pair in results if is_defined(*pair)]
        assert len(results) > 2
        if said:
            formula = re.sub(rf"(\d+) {measure.name}\b", rf"\1*{measure.name}", said).replace(measure.name, "value")
            for value, wanted in results:
                assert float(eval(formula, {"value": value})) == pytest.approx(float(wanted), rel=1e-9), (name, said)
        else:
            floats = [(float(x), float(y)) for x, y in results]
            steps = [(a[0] - b[0], a[1] - b[1]) for a, b in combinations(floats, 2)]
            signs = {np.sign(x) * np.sign(y) for x, y in steps if abs(x) > 1e-12}
            assert len(signs) == 1, name


def test_names_in_other_libraries_come_from_six_of_them() -> None:
    libraries = {library for rows in names_elsewhere().values() for library, _, _ in rows}
    assert libraries >= {"scikit-learn", "torchmetrics", "PyCM", "imbalanced-learn", "fairlearn", "yardstick"}
    assert ("scikit-learn", "matthews_corrcoef(y, z)", "ix.multiclass_mcc(y, z)") in names_elsewhere()["multiclass_mcc"]
    assert {*names_elsewhere()} <= {m.name for m in MEASURES}


def test_every_setting_has_a_page_with_an_example() -> None:
    without = {name for name in SETTINGS if "```pycon\n>>> import indicatrix as ix\n>>> " not in pages()[f"settings/{name}"]}
    assert without == {"proper_scores"}
    index = pages()["settings/index"]
    assert all(f"`{setting.asked}`" in index for setting in SETTINGS.values())


def test_the_index_of_settings_says_of_every_pair_whether_it_goes_together() -> None:
    index = pages()["settings/index"]
    cells = Counter(
        cell.strip() for line in index.partition("## What goes together")[2].split("\n|")[3:] for cell in line.split("|")
    )
    every = len(COUNTED) * (len(COUNTED) - 1) // 2
    assert cells["×"] == len(REFUSED)
    assert cells["✓"] == every - len(REFUSED) - len(CONDITIONS)
    assert sum(times for cell, times in cells.items() if cell.isdecimal()) == len(CONDITIONS)


def test_every_page_but_an_index_stands_among_its_neighbors() -> None:
    for name in pages():
        found = neighbors(name)
        assert (found is None) == name.endswith(("/index", "/calling", "/top")), name
        if found is not None:
            assert name in dict(found.pages)
            assert {page for page, _ in found.pages} <= {*pages()}


def test_a_page_that_did_not_change_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"measures/a": "# a\n", "reference/top": "# top\n"}
    monkeypatch.setattr(generated, "pages", lambda: iter(texts.items()))
    generated.write(tmp_path)
    kept = tmp_path / "measures" / "a.md"
    before = kept.stat().st_mtime_ns
    texts["reference/top"] = "# other\n"
    (tmp_path / "settings").mkdir()
    (tmp_path / "settings" / "gone.md").write_text("# gone\n")
    generated.write(tmp_path)
    assert kept.stat().st_mtime_ns == before
    assert (tmp_path / "reference" / "top.md").read_text() == "# other\n"
    assert not (tmp_path / "settings" / "gone.md").exists()
