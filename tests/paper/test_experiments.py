"""The whole paper recomputed by the command, and what holds for every experiment."""

from __future__ import annotations

import ast
import inspect
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from loops import for_each
from needed_data import FOLDER, needs_data
from running import ROOT, reproduce

import indicatrix as ix
from indicatrix.public_names import NAMESPACES, every_public
from paper.pages import latex
from paper.pages.show import sentence
from paper.read_source import PRINTED, decimals
from paper.record import Table
from paper.sections import MODULES
from paper.select import errata_modules, experiments

SOURCE = ROOT / "paper"
PAPER = json.loads(PRINTED.read_text(encoding="utf-8"))
# The modules that experiments may use, and those of them that are not experiments in another file.
INFRASTRUCTURE = {"claim", "record", "drawing", "training", "data"}
SHARED_MODULES = {"multilabel", "wording", "random_gaps", "appendix", "appendix_beyond", "settings_derived", "settings_others"}
NEED_DATA = {
    "fig:rank_yeast",
    "fig:tau_yeast",
    "fig:rank_emotions",
    "fig:tau_emotions",
    "sec:exp_conventions",
    "tab:exp_threshold",
    "C23",
    "C24",
    "C25",
}
NO_NETWORK = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}  # nothing listens there

slow = pytest.mark.slow  # what needs the whole run, or a process
SPACES = [f"ix.{space}" for space in NAMESPACES]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a whole run; its exit code says that no number failed."""
    folder = tmp_path_factory.mktemp("reproduced")
    given = ("--data", FOLDER) if FOLDER else ()
    reproduce("--out", folder, *given, INDICATRIX_CACHE=str(folder / "cache"), **NO_NETWORK)
    return folder


@pytest.fixture(scope="module")
def found(out: Path) -> dict[str, dict[str, object]]:
    """Return what was found, by label."""
    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    return {e["label"]: e for e in results["experiments"]}


@slow
def test_every_experiment_runs_and_claims_something(found: dict) -> None:
    assert list(found) == [e.label for e in experiments()]
    missing = {label for label, experiment in found.items() if experiment["missing"] is not None}
    assert missing == (set() if FOLDER else NEED_DATA)
    assert all(experiment["claims"] for label, experiment in found.items() if label not in missing)


@slow
def test_nothing_fails_and_every_difference_is_pinned_and_explained(found: dict) -> None:
    claims = [(label, c) for label, e in found.items() for c in e["claims"]]
    assert [(label, c["what"]) for label, c in claims if c["verdict"] == "fails"] == []
    for label, c in claims:
        known = c["verdict"] == "differs"
        assert (bool(c["reason"]), c["pinned"] is not None) == (known, known), (label, c)
    entries = set(re.findall(r"^\*\*([ABC]\d+)\.", (SOURCE / "errata.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert {c["errata"] for _, c in claims if c["verdict"] == "differs"} <= entries | {"D"}


@slow
def test_what_is_only_declared_is_counted_apart(found: dict) -> None:
    declared = {label: [c for c in e["claims"] if c["verdict"] == "declared"] for label, e in found.items()}
    names = [c["what"] for claims in declared.values() for c in claims if "established name" in c["what"]]
    assert len(names) == 49
    assert len(declared["tab:settings"]) == 19
    counts = [c["what"] for c in declared["sec:catalogue"] if c["what"].startswith("Group") or "in total" in c["what"]]
    assert len(counts) == 9 + 3 + 1  # measures of each group, marks of three, measures in total


@slow
def test_what_is_quoted_stands_in_the_paper(found: dict) -> None:
    for label, experiment in found.items():
        for claim in experiment["claims"]:
            if isinstance(claim["paper"], str):
                quoted = set(decimals(claim["paper"]))
                assert quoted <= set(PAPER["decimals"]), (label, claim["what"])


# What is put in and not found out: rates, priors, a weight.
GIVEN = {
    "tab:consistency": {"0.5"},
    "tab:exp_threshold": {"0.75"},
    "tab:exp_ovr": {"0.1", "0.85"},
    "ex:ovr_skew": {"0.80", "0.30", "0.60", "0.25", "0.70"},
    "sec:experiments": {"0.25", "0.70", "0.75", "0.10", "0.1", "0.85"},
}


@slow
def test_what_stands_in_the_paper_is_quoted(found: dict) -> None:
    quoted = {
        label: set(decimals(*(f"{c['paper']} {c['what']}" for c in e["claims"])))
        for label, e in found.items()
        if e["missing"] is None
    }
    last = list(found)[list(found).index("fig:skew") : list(found).index("sec:catalogue")]
    if set(last) <= set(quoted):  # all of Section 8
        quoted["sec:experiments"] = set().union(*(quoted[label] for label in last))
    compared = {label: set(printed) for label, printed in PAPER["places"].items() if label in quoted}
    assert set(compared) >= {x for x in quoted if x.startswith(("tab:", "ex:", "fig:"))}
    for label, printed in compared.items():
        assert printed - quoted[label] <= GIVEN.get(label, set()), label


def test_each_label_and_each_entry_of_the_errata_has_its_module() -> None:
    assert sorted(p.stem for p in (SOURCE / "sections").glob("*.py") if p.stem != "__init__") == sorted(MODULES)
    entries = re.findall(r"^(?:\*\*|## )([ABC]\d+|D)\.", (SOURCE / "errata.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [m.partition("_")[0].upper() for m in errata_modules()] == entries
    labels = {e.label for e in experiments()}
    assert {m.replace("_", ":", 1) for m in MODULES} == {x for x in labels if ":" in x}
    assert [m.partition("_")[0].upper() for m in errata_modules()] == [x for x in labels_in_order() if ":" not in x]


def test_decisions_of_the_errata_name_what_the_library_has() -> None:
    decisions = re.findall(r"\*\*Decision:\*\*.*", (SOURCE / "errata.md").read_text(encoding="utf-8"))
    names = re.findall(r"`([a-z]\w+)(?:\(([^`]*)\))?`", " ".join(decisions))
    assert len(names) >= 8
    known = {**every_public(), **ix.algebra.MEASURES}
    for name, arguments in names:
        assert set(re.findall(r"(\w+)=", arguments)) <= set(inspect.signature(known[name]).parameters), name


def test_labels_and_entries_that_are_cited_exist() -> None:
    entries = re.findall(r"^\*\*([ABC]\d+)\.", (SOURCE / "errata.md").read_text(encoding="utf-8"), re.MULTILINE)
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        cited = set(re.findall(r"\b(?:thm|prop|cor|rem|def|eq|tab|sec|ex|fig):[a-z]\w+", text))
        assert cited <= set(PAPER["labels"]), path
        assert set(re.findall(r"errata ([ABC]\d+)", text)) <= set(entries), path


def labels_in_order() -> list[str]:
    return [e.label for e in experiments()]


def modules() -> list[Path]:
    shared = [SOURCE / f"{name}.py" for name in sorted(SHARED_MODULES)]
    return shared + [p for part in ("sections", "errata") for p in sorted((SOURCE / part).glob("*.py")) if p.stem != "__init__"]


@for_each("path", modules())
def test_experiments_use_public_and_documented_names_only(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:  # what experiments share with each other
            assert {node.module or alias.name for alias in node.names} <= INFRASTRUCTURE | SHARED_MODULES, ast.unparse(node)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ix":
            assert node.attr in ix.__all__, node.attr
            assert (getattr(ix, node.attr).__doc__ or "").strip(), f"ix.{node.attr} has no docstring"
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in SPACES:
            assert node.attr in every_public() or node.attr in ix.algebra.MEASURES, ast.unparse(node)
        elif isinstance(node, ast.Attribute):
            assert not node.attr.startswith("_"), node.attr


@slow
def test_some_are_chosen_by_their_labels() -> None:
    some = reproduce("--only", "ex:dof", "--only", "A1", "--list", "--json").stdout
    assert [e["label"] for e in json.loads(some)] == ["ex:dof", "A1"]


@slow
def test_json_is_the_same_as_results(found: dict) -> None:
    (printed,) = json.loads(reproduce("--only", "tab:floors", "--json").stdout)["experiments"]
    assert printed["claims"] == found["tab:floors"]["claims"]


@slow
def test_without_data_the_rest_runs_and_says_what_is_missing(tmp_path: Path) -> None:
    done = reproduce("--only", "tau_yeast", "--only", "dof", INDICATRIX_CACHE=str(tmp_path), **NO_NETWORK)
    assert "--data" in done.stdout
    assert "yeast" in done.stdout
    assert "1 experiment lacks something it needs" in done.stdout


@slow
@needs_data
def test_the_documentation_says_what_comes_out(out: Path) -> None:
    counted = json.loads((out / "results.json").read_text(encoding="utf-8"))["summary"]
    page = (ROOT / "docs" / "why" / "paper.md").read_text(encoding="utf-8").replace("\n> ", " ")
    assert f" {sentence(counted)}\n" in page


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


@slow
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


@slow
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
