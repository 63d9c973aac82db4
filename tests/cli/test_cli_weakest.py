"""``indicatrix weakest``: every slice is that of ``ev.weakest``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
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


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("way", [("--pred", "p"), ("--score", "s", "--decide", "0.5")])
def test_fractions_truths_and_empty_cells_are_features(tmp_path: Path, ending: str, way: tuple[str, ...]) -> None:
    """Fractions are cut as those of a frame, by examples and not by distinct values; an empty cell is a value of its own."""
    rng = np.random.default_rng(7)
    age = np.where(rng.random(N) < 0.15, np.nan, (rng.beta(1, 3, N) * 50).round(1))
    right = rng.random(N) < np.where(np.isnan(age), 0.4, np.where(age > 20, 0.6, 0.95))
    frame = pd.DataFrame({"y": Y, "p": np.where(right, Y, 1 - Y), "age": age, "new": SITE == "x"})
    frame["s"] = frame["p"] * 0.6 + 0.2
    getattr(frame, {"csv": "to_csv", "parquet": "to_parquet"}[ending])(tmp_path / f"rows.{ending}", index=False)
    asked = ("--true", "y", *way, "-m", "accuracy", "--among", "age,new", "--smallest", "20", "--html", "page.html", "--json")
    shown = json.loads(here("weakest", f"rows.{ending}", *asked, cwd=tmp_path).stdout)
    found = ix.evaluate(frame["y"], frame["p"]).weakest("accuracy", among=frame[["age", "new"]], smallest=20)
    assert len(found) >= 2
    assert found[0].where == {"age": None}
    assert (shown["slice"], shown["examples"], shown["value"]) == tuple(
        found.to_dict()[k] for k in ("slice", "examples", "value")
    )
    assert shown["tested"] == found.tested
    assert "age is missing" in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
def test_times_are_cut_as_those_of_a_frame(tmp_path: Path, ending: str, zone: str | None) -> None:
    """They were categories, of which each had too few examples to be tested."""
    times = pd.Series(pd.date_range("2026-01-01", periods=N, freq="h", tz=zone)).where(np.arange(N) % 50 > 0)
    frame = pd.DataFrame({"y": Y, "p": np.where(np.arange(N) < 0.8 * N, Y, 1 - Y), "time": times})
    getattr(frame, {"csv": "to_csv", "parquet": "to_parquet"}[ending])(tmp_path / f"rows.{ending}", index=False)
    shown = json.loads(
        printed("weakest", f"rows.{ending}", *ASKED[2:6], "--pred", "p", "--among", "time", "--json", cwd=tmp_path)
    )
    ev = ix.evaluate(frame["y"], frame["p"])
    for column in (frame["time"], frame["time"].tolist()):
        (found,) = ev.weakest("accuracy", among={"time": column})
        assert (shown["examples"], shown["value"]) == ([found.n], [found.value])
        assert shown["slice"][0][:24] == found.text[:24]


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
