"""The gallery has every plot: what an evaluation, a comparison or a detection can draw, and every curve."""

from __future__ import annotations

import re
from pathlib import Path

from indicatrix.compare.shown import ComparisonPlots
from indicatrix.evaluation_plots import EvaluationPlots
from indicatrix.vision.detection.detection_plots import DetectionPlots

HOME = Path(__file__).parents[2]
EXAMPLES = {path: path.read_text("utf-8") for path in (HOME / "examples" / "plots").rglob("plot_*.py")}
OWNERS = {"ev": EvaluationPlots, "compared": ComparisonPlots, "result": DetectionPlots}
CURVES = ("roc", "pr", "det", "cost_curve", "decision_curve", "lift", "brier_curve", "froc")


def test_every_plot_has_an_example() -> None:
    drawn = "\n".join(EXAMPLES.values())
    for owner, plots in OWNERS.items():
        for name in (name for name in vars(plots) if not name.startswith("_")):
            if callable(getattr(plots, name, None)):
                assert re.search(rf"^{owner}\.plot\.{name}\(", drawn, re.MULTILINE), f"{owner}.plot.{name}"
    for curve in CURVES:
        assert f".{curve}().plot()" in drawn, curve


def test_the_page_of_plots_names_every_example() -> None:
    page = (HOME / "docs" / "work" / "plots.md").read_text("utf-8")
    named = {HOME / "examples" / "plots" / f"{path}.py" for path in re.findall(r"\(\.\./gallery/(\w+/plot_\w+)\.rst\)", page)}
    assert named == set(EXAMPLES)
