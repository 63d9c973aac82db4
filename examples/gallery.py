"""Every plot on one sheet, or each in a file of its own: python examples/gallery.py [FOLDER].

Without a folder it writes the sheet of docs/work/plots.md. The data are drawn with a fixed seed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

import indicatrix as ix

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from PIL import Image

SHEET = Path(__file__).parents[1] / "docs" / "images" / "plots.png"
CLASSES = ("ant", "bee", "cat", "dog", "elk")
DRAW = np.random.default_rng(5)


def guess(y: Any, right: float) -> Any:
    """Return predictions of which at least this share is right."""
    return np.where(DRAW.random(len(y)) < right, y, DRAW.choice(CLASSES, len(y)))


def plots() -> dict[str, Callable[..., Any]]:
    """Return the plots by name; each takes ax=."""
    y = DRAW.choice(CLASSES, 600, p=[0.45, 0.25, 0.15, 0.1, 0.05])
    logistic, forest, boosting = guess(y, 0.72), guess(y, 0.55), guess(y, 0.7)
    ev = ix.evaluate(y, logistic, by={"site": DRAW.choice(["north", "south", "east"], 600)})
    three = {"logistic": logistic, "forest": forest, "boosting": boosting}
    compared = ix.compare(y, three, ["f1", "recall"], ["micro", "macro"])
    ill = (DRAW.random(400) < 0.35).astype(int)
    one, two = (ix.sweep(ill, np.clip(lift * ill + DRAW.normal(0.3, 0.2, 400), 0, 1)) for lift in (0.4, 0.22))
    several = {"logistic": one, "forest": two}
    sure = DRAW.random(600) * 0.6 + (logistic == y) * 0.4
    names = {"lr": 0.7, "rf": 0.78, "nb": 0.64, "svm": 0.76, "boost": 0.8}
    sets = {f"set {k}": {name: float(DRAW.normal(mean, 0.03)) for name, mean in names.items()} for k in range(12)}

    def curves(kind: str) -> Callable[..., Any]:
        return lambda ax=None: ix.plots.curves({name: getattr(swept, kind)() for name, swept in several.items()}, ax=ax)

    return {
        "confusion matrix": ev.plot.confusion,
        "classes": lambda ax=None: ev.plot.classes("f1", ax=ax),
        "ROC": curves("roc"),
        "precision and recall": curves("pr"),
        "DET": curves("det"),
        "cost": curves("cost_curve"),
        "decision": curves("decision_curve"),
        "thresholds": lambda ax=None: one.plot("f1", "mcc", "precision", "recall", ax=ax),
        "reliability": ix.scores.reliability(ill, one.rows.scores[:, 0] if one.rows is not None else [], bins=10).plot,
        "risk and coverage": ix.tasks.risk_coverage(y, logistic, sure).plot,
        "gap": lambda ax=None: ev.plot.gap("mcc", ax=ax),
        "drift": lambda ax=None: ev.plot.prior_sensitivity("precision", "elk", ax=ax),
        "ranks": compared.plot.ranks,
        "agreement": compared.plot.agreement,
        "critical differences": ix.inference.compare_data_sets(sets).plot,
        "floors": ev.plot.floors,
        "groups": lambda ax=None: ev.plot.groups("recall", "site", average="macro", ax=ax),
        "forest": compared.plot.forest,
    }


def write_sheet(path: Path) -> None:
    """Write all plots on one sheet."""
    figure, places = plt.subplots(6, 3, figsize=(18, 24), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.15)
    for ax, draw in zip(places.flat, plots().values(), strict=True):
        draw(ax=ax)
    figure.savefig(path, dpi=110)
    Image.open(path).convert("RGB").quantize(80).save(path, optimize=True)  # few colors: a small file


def write_files(folder: Path) -> None:
    """Write each plot to a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in plots().items():
        draw().figure.savefig(folder / f"{name.replace(' ', '-')}.png", dpi=120)
        plt.close("all")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write_files(Path(sys.argv[1]))
    else:
        write_sheet(SHEET)
        print(f"Wrote {SHEET.name}, {SHEET.stat().st_size // 1000} kB.")
