"""The micro-macro gap of random classifiers is a covariance (fig:cov, cor:gap)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import indicatrix as ix

from ..drawing import COLOURS, MARKERS, canvas
from ..random_gaps import DIAGONAL, SYMMETRIC, Gaps, M, classifiers, gaps
from ..record import Record, experiment

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TRIALS, SEED = 1200, 2024
NAMES = {"recall": "recall", "f1": "F1"}
SAID = {"recall": "0.15", "f1": "0.05"}  # the range of the gap, plus or minus
DRAWN = {"recall": "0.266", "f1": "0.294"}  # the same for our draws
CAPTION = (
    "Micro minus macro of 1,200 random classifiers against Cov(w, M)/mean(w), and the difference of both. "
    "Grey crosses: Cov(w, M) itself, for weights that sum to one."
)
FAMILIES = {  # what else the paper may have drawn: the parameter of the priors, those of the rows of rates
    "priors 1, rates 3": (1, SYMMETRIC),
    "priors 3, rates 3": (3, SYMMETRIC),
    "priors 10, rates 3": (10, SYMMETRIC),
    "priors 1, rates 3 for the right class and 1 else": (1, DIAGONAL),
    "priors 3, rates 3 for the right class and 1 else": (3, DIAGONAL),
    "priors 10, rates 3 for the right class and 1 else": (10, DIAGONAL),
}


@experiment("fig:cov", "The micro-macro gap equals the covariance")
def covariance(record: Record) -> None:
    """Draw 1,200 classifiers of five classes; compare their gaps with Cov(w, M) and Cov(w, M)/mean(w)."""
    tables = classifiers(1, SYMMETRIC, trials=TRIALS, seed=SEED)
    found = {measure: gaps(measure, tables) for measure in NAMES}
    record.declares("number of classifiers", paper=1200, ours=len(tables))
    for measure, x in found.items():
        name = NAMES[measure]
        record.finds(f"{name}: gap = Cov(w, M)/mean(w) to 1e-12 in all points", abs(x.gap - x.divided).max() < 1e-12)
        record.holds(
            f"{name}: gap = Cov(w, M), as the text says is plotted",
            abs(x.gap - x.covariance).max() < 1e-12,
            differs="Cov(w, M) has the scale of w and must be divided by its mean: for w of sum one it is a fifth of the gap",
            errata="C20",
        )
        below, above = int((x.gap < 0).sum()), int((x.gap > 0).sum())
        record.holds(f"{name}: points on both sides of zero ({below} below, {above} above)", below and above)
        record.claim(
            f"{name}: largest gap, plus or minus (our draws)",
            paper=SAID[measure],
            ours=float(abs(x.gap).max()),
            pinned=DRAWN[measure],
            differs="the paper does not say how it drew the priors; no family of the table has both its ranges",
            errata="D",
        )
    largest = {measure: float(abs(x.gap).max()) for measure, x in found.items()}
    record.holds(
        "the largest gap by size is that of recall (our draws)",
        largest["recall"] > largest["f1"],
        differs=f"{largest['f1']:.3f} of F1 is larger than {largest['recall']:.3f} of recall: gaps of F1 are mostly positive",
        pinned="0.294 of F1 is larger than 0.266 of recall: gaps of F1 are mostly positive",
        errata="C26",
    )
    right = np.einsum("tjj->t", tables).mean()
    record.holds(
        "concentration 3 gives moderately good classifiers: more than 1.5 times chance (our bound)",
        right > 1.5 / M,
        differs=f"rows from a symmetric Dirichlet are guesses: {right:.3f} of the examples are right, on average, 1/5 by chance",
        pinned=("rows from a symmetric Dirichlet are guesses: 0.202 of the examples are right, on average, 1/5 by chance"),
        errata="C20",
    )
    some = [ix.from_confusion(table).gap("f1") for table in tables[:20]]
    same = np.allclose([g.skew or 0.0 for g in some], found["f1"].gap[:20], rtol=0, atol=1e-12) and not any(
        g.residual for g in some
    )
    record.finds("the skew term of ev.gap is the gap (first 20 classifiers, F1)", same)
    _families(record)
    record.note(f"default_rng({SEED}); priors from Dirichlet(1, ..., 1), rows of rates from Dirichlet(3, ..., 3), five classes.")
    record.figure("cov", lambda: _draw(found), CAPTION)


def _families(record: Record) -> None:
    """Compare the ranges of both gaps for other choices of what the paper leaves open."""
    rows: list[list[Any]] = []
    for name, (priors, rates) in FAMILIES.items():
        tables = classifiers(priors, rates, trials=TRIALS, seed=SEED)
        recall, f1 = (gaps(measure, tables).gap for measure in NAMES)
        ends = (float(end(x)) for x in (recall, f1) for end in (np.min, np.max))
        typical = float((abs(f1) <= float(SAID["f1"])).mean())
        rows.append([name, float(np.einsum("tjj->t", tables).mean()), *ends, typical])
    record.holds(
        "from the lowest to the highest gap it is further for recall than for F1, in all six families of the table",
        all(high - low > f1_high - f1_low for _, _, low, high, f1_low, f1_high, _ in rows),
    )
    name, _, low, high, *_, typical = min(rows, key=lambda row: abs(max(-row[2], row[3]) - float(SAID["recall"])))
    record.note(
        f"Closest to the text: {name}, where the gap of recall is {low:.3f} to {high:.3f} and {typical:.0%} of the gaps of F1 "
        f"are within ±{SAID['f1']}, if this is the meaning of typical; it was found by looking at the results."
    )
    header = ["Dirichlet parameters", "share right", "recall gap from", "to", "F1 gap from", "to", f"F1 within ±{SAID['f1']}"]
    record.table("Range of the gap for other choices", header, rows, note=f"{TRIALS} classifiers each, default_rng({SEED}).")


def _draw(found: dict[str, Gaps]) -> Figure:
    figure, panels = canvas(2, 2, width=6.8, height=4.6, sharex=True, sharey="row", height_ratios=[3, 1])
    ends = [min(x.gap.min() for x in found.values()) - 0.02, max(x.gap.max() for x in found.values()) + 0.02]
    for column, (measure, x) in enumerate(found.items()):
        (axes, error), colour, marker = panels[:, column], COLOURS[column], MARKERS[column]
        divided = x.divided
        axes.plot(ends, ends, color="black", linestyle="--", linewidth=1)
        axes.scatter(x.covariance, x.gap, s=8, color="#888888", marker="x", linewidths=0.6)
        axes.scatter(divided, x.gap, s=14, facecolors="none", edgecolors=colour, marker=marker, linewidths=0.6)
        axes.annotate("y = x", (0.2, 0.2), xytext=(8, -8), textcoords="offset points", va="center", fontsize=8)
        axes.annotate(
            "Cov(w, M),\nnot divided",
            (0, ends[1]),
            xytext=(-4, -10),
            textcoords="offset points",
            ha="right",
            va="top",
            color="#666666",
            fontsize=8,
        )
        side = f"micro above macro: {int((x.gap > 0).sum())}\nbelow: {int((x.gap < 0).sum())}"
        axes.text(0.97, 0.05, side, transform=axes.transAxes, ha="right", color=colour, fontsize=8)
        axes.set(title=NAMES[measure].capitalize(), xlim=ends, ylim=ends)
        error.scatter(divided, (x.gap - divided) * 1e16, s=4, color=colour, marker=marker)
        error.set(xlabel="Cov(w, M) / mean(w)", ylim=(-4, 4))
    panels[0, 0].set_ylabel("micro minus macro")
    panels[1, 0].set_ylabel("difference\nin 1e-16")
    return figure
