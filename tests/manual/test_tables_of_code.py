"""What the tables of the README and of the pages that help to choose tell a reader to write runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/choose/which-measure.md", "docs/choose/interval-or-test.md")
ROW = re.compile(r"^\|.*?\| (`(?:ix|ev)\b[^`]+`.*) \|$", re.MULTILINE)
CODE = re.compile(r"`(?:ev = )?((?:ix|ev)\b[^`]+)`")
ROWS = [(page, row) for page in PAGES for row in ROW.finditer((ROOT / page).read_text("utf-8"))]
CALLS = [(page, code, row[0]) for page, row in ROWS for code in CODE.findall(row[1])]


def names(page: str, folder: Path) -> dict[str, Any]:
    """Return what the tables call by name, for three classes."""
    rng = np.random.default_rng(0)
    (folder / "rows.csv").write_text("animal,model\ncat,cat\ndog,cat\n")
    y = rng.integers(0, 3, 60)
    z, other = (np.where(rng.random(60) < share, y, rng.integers(0, 3, 60)) for share in (0.6, 0.8))
    site = np.array(["x", "y", "z"] * 20)
    sets = [{"sea"}, {"sun", "sea"}, set()] * 20
    return {
        "ix": ix,
        "y_true": y,
        "y_pred": z,
        "other": other,
        "a": z,
        "b": other,
        "p": rng.random(60),
        "scores": rng.random(60),
        "sets_true": sets,
        "sets_pred": sets[1:] + sets[:1],
        "site": site,
        "order": [0, 1, 2],
        "ev": ix.evaluate(y, z, by={"site": site}),
    }


def with_two_classes(given: dict[str, Any]) -> dict[str, Any]:
    """Return the same names where there is a positive class, and scores."""
    y = np.arange(60) % 2
    z = np.where(np.arange(60) < 15, 1 - y, y)
    return given | {"y_true": y, "y_pred": z, "ev": ix.evaluate(y, given["p"], decide=0.5, by={"site": given["site"]})}


def with_names(given: dict[str, Any]) -> dict[str, Any]:
    """Return the same names where the positive class is called ill."""
    return given | {name: np.where(given[name] == 1, "ill", "well") for name in ("y_true", "y_pred")}


def with_sets(given: dict[str, Any]) -> dict[str, Any]:
    """Return the same names where examples have several labels."""
    return given | {"ev": ix.evaluate(given["sets_true"], given["sets_pred"])}


def with_order(given: dict[str, Any]) -> dict[str, Any]:
    """Return the same names where classes are 1, 2, 3."""
    return given | {name: given[name] + 1 for name in ("y_true", "y_pred")}


CASES = (  # what a call needs to be about, and what then has the names
    (r"with_priors", with_sets),
    (r"classes=\[1, ", with_order),
    (r'"ill"', with_names),
    (
        r'binary|y_true, p\b|scores|ix\.f1\(y_true, y_pred\)|net_benefit|auc|average_precision|brier|fn \+ fp\)/n"\)',
        with_two_classes,
    ),
)


def test_the_tables_are_read() -> None:
    assert [page for page in PAGES if sum(call[0] == page for call in CALLS) < 5] == []
    assert len(CALLS) >= 30


@pytest.mark.filterwarnings("error")
@for_each(("page", "code", "row"), [call for call in CALLS if "…" not in call[1]])
def test_every_call_of_a_table_runs(page: str, code: str, row: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    given = names(page, tmp_path)
    fit = next((change for about, change in CASES if re.search(about, code)), dict)
    assert eval(code, fit(given)) is not None


@for_each(("page", "code", "row"), [call for call in CALLS if "…" in call[1]])
def test_a_call_that_leaves_something_out_names_what_exists(page: str, code: str, row: str) -> None:
    found: Any = ix
    for name in re.match(r"ix\.([\w.]+)\(", code)[1].split("."):
        found = getattr(found, name)
    assert callable(found)


@for_each("page", PAGES)
def test_a_row_leads_to_a_page(page: str) -> None:
    links = [link for where, _, row in CALLS if where == page for link in re.findall(r"\]\(([^)#]+)", row)]
    assert links
    assert not [link for link in links if not (ROOT / page).parent.joinpath(link).exists()]


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) < 150
