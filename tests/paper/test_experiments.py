"""The paper recomputed as a user does it, through the command; and what holds for every experiment."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import indicatrix as ix
from paper.claim import NUMBER
from paper.pages import latex
from paper.pages.show import sentence
from paper.record import Table
from paper.sections import MODULES
from paper.select import errata_modules, experiments

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
PAPER = SHARED / "paper" / "paper.tex"
DATA = SHARED / "data"
SOURCE = ROOT / "src" / "indicatrix" / "experiments"
SHARED_MODULES = {"record", "drawing", "training", "multilabel", "data", "wording"}
SHARED_MODULES |= {"appendix", "appendix_beyond", "settings_derived", "settings_others"}
NEED_DATA = {
    "fig:rank_yeast",
    "fig:tau_yeast",
    "fig:rank_emotions",
    "fig:tau_emotions",
    "sec:exp_conventions",
    "tab:exp_threshold",
}
NO_NETWORK = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}  # nothing listens there

pytestmark = pytest.mark.slow


def reproduce(*arguments: object, code: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own and check its exit code."""
    known = {k: v for k, v in os.environ.items() if not k.startswith("INDICATRIX_")}
    command = [sys.executable, "-W", "error", "-m", "indicatrix", "reproduce", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env={**known, **environment}, check=False)
    assert done.returncode == code, done.stderr + done.stdout[-2000:]
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a whole run; its exit code says that no number stopped agreeing."""
    folder = tmp_path_factory.mktemp("reproduced")
    given = ("--data", DATA) if DATA.exists() else ()
    reproduce("--out", folder, *given, INDICATRIX_CACHE=str(folder / "cache"), **NO_NETWORK)
    return folder


@pytest.fixture(scope="module")
def found(out: Path) -> dict[str, dict[str, object]]:
    """Return what was found, by label."""
    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    return {e["label"]: e for e in results["experiments"]}


def test_every_experiment_runs_and_claims_something(found: dict) -> None:
    assert list(found) == [e.label for e in experiments()]
    for label, experiment in found.items():
        if experiment["missing"] is None:
            assert experiment["claims"], label
        else:
            assert not DATA.exists(), (label, experiment["missing"])
            assert label in NEED_DATA


def test_no_number_stopped_agreeing_and_no_reason_is_stale(found: dict) -> None:
    claims = [(label, c) for label, e in found.items() for c in e["claims"]]
    assert [(label, c["what"]) for label, c in claims if c["failed"]] == []
    assert [(label, c["what"]) for label, c in claims if c["verdict"] in ("agrees", "holds") and c["reason"]] == []
    known = (
        set(re.findall(r"^\*\*([ABC]\d+)\.", (SHARED / "paper" / "errata.md").read_text(encoding="utf-8"), re.MULTILINE))
        if PAPER.exists()
        else set()
    )
    for label, c in claims:
        assert not known or c["errata"] in known | {None, "D"}, (label, c)


@pytest.mark.skipif(not PAPER.exists(), reason="the paper is not beside the checkout")
def test_what_is_quoted_stands_in_the_paper(found: dict) -> None:
    text = PAPER.read_text(encoding="utf-8").replace("{,}", "")
    printed = {number.lstrip("+-−") for number in NUMBER.findall(text)}
    for label, experiment in found.items():
        for claim in experiment["claims"]:
            if isinstance(claim["paper"], str) and "." in claim["paper"]:
                quoted = {number.lstrip("+-−").replace(",", "") for number in NUMBER.findall(claim["paper"])}
                assert quoted <= printed, (label, claim["what"], quoted - printed)


# What is put in and not found out: rates, priors, a weight.
GIVEN = {
    "tab:consistency": {"0.5"},
    "tab:exp_threshold": {"0.75"},
    "tab:exp_ovr": {"0.1", "0.85"},
    "ex:ovr_skew": {"0.80", "0.30", "0.60", "0.25", "0.70"},
    "sec:experiments": {"0.25", "0.70", "0.75", "0.10", "0.1", "0.85"},
}


def places(text: str) -> dict[str, str]:
    """Return the text of every table, example and figure by its label, and of the sections whose numbers stand in the text."""
    found = {}
    for environment in ("table", "example", "subfigure", "figure"):
        for body in re.findall(rf"\\begin{{{environment}\*?}}(.*?)\\end{{{environment}\*?}}", text, re.DOTALL):
            labels = re.findall(r"\\label{((?:tab|ex|fig):\w+)}", body)
            found |= {labels[0]: body} if len(labels) == 1 else {}  # a figure of four has the text of each by itself
    sections = (("sec:gap_decomposition", r"\subsection{Degenerate"), ("sec:experiments", r"\section{Conclusion}"))
    return found | {label: text.partition(rf"\label{{{label}}}")[2].partition(end)[0] for label, end in sections}


@pytest.mark.skipif(not (PAPER.exists() and DATA.exists()), reason="the paper or the data are not beside the checkout")
def test_what_stands_in_the_paper_is_quoted(found: dict) -> None:
    text = PAPER.read_text(encoding="utf-8").replace("{,}", "")
    quoted = {label: decimals(*(f"{c['paper']} {c['what']}" for c in e["claims"])) for label, e in found.items()}
    last = list(quoted)[list(quoted).index("fig:skew") : list(quoted).index("sec:catalogue")]
    quoted["sec:experiments"] = set().union(*(quoted[label] for label in last))
    compared = {label: body for label, body in places(text).items() if label in quoted}
    assert set(compared) >= {x for x in found if x.startswith(("tab:", "ex:", "fig:"))}
    for label, body in compared.items():
        printed = decimals(body)
        assert printed - quoted[label] <= GIVEN.get(label, set()), label


def decimals(*texts: str) -> set[str]:
    """Return the decimals in texts, without those that are widths."""
    return {number for text in texts for number in re.findall(r"(?<![\w.])\d*\.\d+(?!\d|cm|pt|\\(?:text|line))", text)}


def test_each_label_of_the_issue_has_its_module() -> None:
    assert sorted(p.stem for p in (SOURCE / "paper").glob("*.py") if p.stem != "__init__") == sorted(MODULES)
    labels = {e.label for e in experiments()}
    assert {m.replace("_", ":", 1) for m in MODULES} == {x for x in labels if ":" in x}
    assert [m.partition("_")[0].upper() for m in errata_modules()] == [x for x in labels_in_order() if ":" not in x]


def labels_in_order() -> list[str]:
    return [e.label for e in experiments()]


def modules() -> list[Path]:
    shared = [SOURCE / f"{name}.py" for name in sorted(SHARED_MODULES - {"record", "drawing", "training", "data"})]
    return shared + [p for part in ("paper", "errata") for p in sorted((SOURCE / part).glob("*.py")) if p.stem != "__init__"]


@pytest.mark.parametrize("path", modules(), ids=lambda p: p.stem)
def test_experiments_use_public_and_documented_names_only(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:  # what experiments share with each other
            assert {node.module or alias.name for alias in node.names} <= SHARED_MODULES, ast.unparse(node)
        elif isinstance(node, ast.ImportFrom | ast.Import):
            names = [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
            assert not any(str(n).startswith("indicatrix.") for n in names), ast.unparse(node)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ix":
            assert node.attr in {*ix.__all__, *ix.MEASURES}, node.attr
            assert (getattr(ix, node.attr).__doc__ or "").strip(), f"ix.{node.attr} has no docstring"
        elif isinstance(node, ast.Attribute):
            assert not node.attr.startswith("_"), node.attr


def test_list_and_only() -> None:
    listed = reproduce("--list").stdout
    assert all(e.label in listed and e.title in listed for e in experiments())
    some = reproduce("--only", "ex:dof", "--only", "A1", "--list", "--json").stdout
    assert [e["label"] for e in json.loads(some)] == ["ex:dof", "A1"]
    assert "No experiment is called 'flors'. Close to it: " in reproduce("--only", "flors", code=2).stderr


def test_text_says_paper_ours_verdict_and_why() -> None:
    text = reproduce("--only", "ex:counterexample").stdout
    assert re.search(r"recall, macro\s+0\.695\s+0\.69551\s+differs", text)
    assert "(errata D)" in text
    assert "\x1b" not in text
    short = reproduce("--only", "ex:counterexample", "--differences").stdout
    assert "  agrees" not in short
    assert "other values and statements agree or hold" in short


def test_json_is_the_same_as_results(found: dict) -> None:
    (printed,) = json.loads(reproduce("--only", "tab:floors", "--json").stdout)["experiments"]
    assert printed["claims"] == found["tab:floors"]["claims"]


def test_without_data_the_rest_runs_and_says_what_is_missing(tmp_path: Path) -> None:
    done = reproduce("--only", "tau_yeast", "--only", "dof", INDICATRIX_CACHE=str(tmp_path), **NO_NETWORK)
    assert "--data" in done.stdout
    assert "yeast" in done.stdout
    assert "1 experiment lacks something it needs" in done.stdout


def test_a_number_that_stops_agreeing_is_exit_code_1() -> None:
    code = """
from paper.record import EXPERIMENTS, Experiment
from paper.select import experiments
from indicatrix.cli import main
experiments()
run = EXPERIMENTS["ex:dof"].run
def wrong(record):
    record.claim("one", paper="0.500", ours=0.501)
wrong.__module__ = run.__module__
EXPERIMENTS["ex:dof"] = Experiment("ex:dof", "wrong", wrong)
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code, "reproduce", "--only", "ex:dof"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "FAILS: ex:dof, one" in done.stdout


def test_a_folder_that_is_not_there() -> None:
    assert "does not exist" in reproduce("--data", "nowhere", code=2).stderr


@pytest.mark.skipif(not DATA.exists(), reason="the data are not beside the checkout")
def test_the_documentation_says_what_comes_out(out: Path) -> None:
    counted = json.loads((out / "results.json").read_text(encoding="utf-8"))["summary"]
    assert f"> {sentence(counted)}\n" in (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")


def test_a_table_for_latex_survives_what_would_be_an_option() -> None:
    given = Table("ε", ("[a]", "b"), [("*", ()), ("[0, 1]", "x")])
    lines = [line.strip() for line in latex.table(given).splitlines()]
    assert {r"{}[a] & b \\", r"{}* & none \\", r"{}[0, 1] & x \\", r"\caption{$\varepsilon$}"} <= set(lines)


class Page(HTMLParser):
    """What a page refers to, and whether its tags match."""

    VOID = frozenset({"meta", "input", "br", "img", "link", "hr", "path", "use", "rect", "image", "line", "circle"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids += [values["id"]] if values.get("id") else []
        self.links += [v for k, v in attrs if k in ("href", "xlink:href") and v]
        self.outside += [v for k, v in attrs if k in ("src", "srcset", "action") and v]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


def test_the_page_is_whole_and_stands_alone(out: Path, found: dict) -> None:
    text = (out / "index.html").read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert not page.outside
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links if not link.startswith("data:"))
    assert not re.search(r"@import|<script|<link|url\((?!#)", text)
    for label in found:
        assert f'id="{label.replace(":", "-")}"' in text


def test_figures_and_tables_are_files(out: Path, found: dict) -> None:
    for experiment in found.values():
        for figure in experiment["figures"]:
            assert ElementTree.parse(out / "figures" / f"{figure['name']}.svg").getroot().tag.endswith("svg")
            assert (out / "figures" / f"{figure['name']}.png").read_bytes().startswith(b"\x89PNG")
    figures = {label for label, e in found.items() if label.startswith("fig:") and e["missing"] is None}
    assert all(found[label]["figures"] for label in figures)
    assert all(found[label]["tables"] for label in found if label.startswith("tab:") and found[label]["missing"] is None)
    for path in (out / "tables").iterdir():
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".tex":
            assert text.isascii(), path
            assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
            rows = [line for line in text.splitlines() if line.endswith(r"\\")]
            assert len({len(re.findall(r"(?<!\\)&", row)) for row in rows}) == 1, path
        else:
            rows = [line for line in text.splitlines() if line.startswith("|")]
            assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1, path
    assert not list(out.rglob("*.part*"))
