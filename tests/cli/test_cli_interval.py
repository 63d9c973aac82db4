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
    (tmp_path / "rows.csv").write_text(f"true,pred,other,site\n{rows}\n")
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
