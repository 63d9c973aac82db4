"""``indicatrix evaluate --interval``: every form of output shows the intervals of the library."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from commands import printed, refused

import indicatrix as ix

RNG = np.random.default_rng(5)
TRUE = RNG.choice(["ant", "bee", "cat"], 240)
PRED = np.where(RNG.random(240) < 0.75, TRUE, RNG.choice(["ant", "bee", "cat"], 240))
SITE = RNG.choice(["north", "south"], 240)
EV = ix.evaluate(TRUE, PRED, by={"site": SITE})
COLUMNS = ("evaluate", "rows.csv", "--true", "true", "--pred", "pred")
ONE = ("-m", "f1", "-a", "macro")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = "\n".join(map(",".join, zip(TRUE, PRED, PRED[::-1], SITE, strict=True)))
    (tmp_path / "rows.csv").write_text(f"true,pred,other,site\n{rows}\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize("options", [(), ONE, (*ONE, "--by", "site"), (*ONE, "--pred", "other"), (*ONE, "--markdown")])
def test_the_ends_are_shown(folder: Path, options: tuple[str, ...]) -> None:
    own = EV.interval("f1", "macro")
    assert f"[{own.low:.3f}, {own.high:.3f}]" in printed(*COLUMNS, *options, "--interval", cwd=folder)
    assert "interval" not in printed(*COLUMNS, *options, cwd=folder)


def test_groups_and_json_have_them(folder: Path) -> None:
    shown = json.loads(printed(*COLUMNS, *ONE, "--by", "site", "--json", "--interval", "90%", cwd=folder))["evaluations"][0]
    own, inside = EV.interval("f1", "macro", level=0.9), EV.split("site")["north"].interval("f1", "macro", level=0.9)
    assert shown["scores"][0]["interval"]["low"] == own.low
    assert shown["groups"]["site"][0]["scores"][0]["interval"]["high"] == inside.high
    assert shown["scores"][0]["interval"]["level"] == 0.9


@pytest.mark.one_fast_case
@pytest.mark.parametrize("level", ["95", "0", "wide", "100%"])
def test_a_level_is_a_share_or_a_percentage(folder: Path, level: str) -> None:
    assert "--interval" in refused(*COLUMNS, "--interval", level, cwd=folder)


def test_a_prevalence_moves_scores_and_intervals_as_in_the_library(folder: Path) -> None:
    ev, one = ix.evaluate(TRUE, PRED, positive="cat"), ("-m", "precision", "-a", "binary", "--positive", "cat", "--interval")
    own = ev.interval("precision", prevalence=0.02)
    for given in ("0.02", "2%"):
        text = printed(*COLUMNS, *one, "--prevalence", given, cwd=folder)
        assert f"{own.value:.2f} [{own.low:.2f}, {own.high:.2f}]" in text
        assert "At a prevalence of 0.02." in text
    shares = {"ant": 0.5, "bee": 0.3, "cat": 0.2}
    named = ",".join(f"{name}={share}" for name, share in shares.items())
    shown = json.loads(printed(*COLUMNS, *one, "--prevalence", named, "--json", cwd=folder))["evaluations"][0]["scores"][0]
    own = ev.interval("precision", prevalence=shares)
    assert (shown["value"], shown["interval"]["low"], shown["interval"]["high"]) == pytest.approx((own.value, *own))


def test_chosen_numbers_of_examples_are_an_option(folder: Path) -> None:
    shown = printed(*COLUMNS, "-m", "precision", "-a", "macro", "--interval", "--sampled", "by-class", "--json", cwd=folder)
    own = ix.evaluate(TRUE, PRED).interval("precision", "macro", sampled="by class")
    found = json.loads(shown)["evaluations"][0]["scores"][0]["interval"]
    assert (found["low"], found["high"]) == pytest.approx((own.low, own.high))


@pytest.mark.parametrize("given", ["0.01:0.05", "often", "2", "ant=0.5,bee=0.5", "ant=0.5,bee=0.3,dog=0.2", "0.02"])
def test_a_prevalence_that_cannot_be_read_is_refused_with_what_can(folder: Path, given: str) -> None:
    assert "--prevalence" in refused(*COLUMNS, *ONE, "--prevalence", given, cwd=folder)  # there is no positive class, either
