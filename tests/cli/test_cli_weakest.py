"""``indicatrix weakest``: every slice is that of ``ev.weakest``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from commands import here, printed, refused

import indicatrix as ix

RNG = np.random.default_rng(2)
N = 600
SITE, DOSE = RNG.choice(["x", "y", "z"], N), RNG.choice([0.5, 1.5, 2.25], N)
Y = RNG.integers(0, 2, N)
P = np.where(RNG.random(N) < np.where((SITE == "y") & (DOSE > 2), 0.35, 0.9), Y, 1 - Y)
SCORE = np.clip(P * 0.6 + RNG.random(N) * 0.4, 0, 1).round(3)
ASKED = ("weakest", "rows.csv", "--true", "y", "-m", "accuracy", "--among", "site,dose", "--smallest", "20")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = zip(Y, P, SCORE, SITE, DOSE, strict=True)
    (tmp_path / "rows.csv").write_text("y,p,s,site,dose\n" + "".join(",".join(map(str, row)) + "\n" for row in rows), "utf-8")
    return tmp_path


def test_slices_are_those_of_the_library(folder: Path) -> None:
    plain = ix.evaluate(Y, P).weakest("accuracy", among={"site": SITE, "dose": DOSE}, smallest=20)
    shown = json.loads(printed(*ASKED, "--pred", "p", "--json", cwd=folder))
    assert (shown["slice"], shown["value"], shown["examples"]) == (["site = y and dose = 2.25"], [plain[0].value], [plain[0].n])
    assert (shown["low"], shown["p_value"]) == (pytest.approx([plain[0].interval.low]), pytest.approx([plain[0].p_value]))
    text = printed(*ASKED, "--pred", "p", cwd=folder)
    assert "site = y and dose = 2.25" in text
    assert "1 slice of 15 tested" in " ".join(text.split())
    (row,) = csv.DictReader(io.StringIO(printed(*ASKED, "--pred", "p", "--csv", cwd=folder)))
    assert row["examples"] == str(plain[0].n)
    assert printed(*ASKED, "--pred", "y", "--csv", cwd=folder) == "slice,examples,value,rest,p\n"  # none is worse


def test_scores_and_the_page(folder: Path) -> None:
    given = ("--score", "s", "--decide", "0.5", "-m", "auc", "--among", "site,dose", "--smallest", "20")
    shown = json.loads(printed("weakest", "rows.csv", "--true", "y", *given, "--json", cwd=folder))
    found = ix.evaluate(Y, SCORE, decide=0.5).weakest("auc", {"site": SITE, "dose": DOSE}, smallest=20)
    assert (shown["slice"], shown["value"]) == ([s.text for s in found], [s.value for s in found])
    done = here("weakest", "rows.csv", "--true", "y", *given, "--html", "page.html", cwd=folder)
    assert done.returncode == 0
    assert "Weakest slices" in (folder / "page.html").read_text("utf-8")


def test_what_cannot_be_searched(folder: Path) -> None:
    assert "has no column" in refused(*ASKED[:-3], "nothing", "--pred", "p", cwd=folder)
    assert "at most one --average" in refused(*ASKED, "--pred", "p", "-a", "micro", "-a", "macro", cwd=folder)
    assert "one file" in refused("weakest", "rows.csv", *ASKED[1:], "--pred", "p", cwd=folder)


def test_errors_name_the_options_of_the_command(folder: Path) -> None:
    """Not those by which other commands group rows, nor arguments of Python."""
    other = (*ASKED[:-3], "sity", "--pred", "p")
    assert "--among: rows.csv has no column 'sity'" in refused(*other, cwd=folder)
    said = refused(*ASKED, "--pred", "p", "--false-discoveries", "2", cwd=folder)
    assert "--false-discoveries 2.0 must be a share" in said
