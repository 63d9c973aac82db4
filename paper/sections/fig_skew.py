"""Micro and macro averages of one classifier as one class grows (fig:skew, sec:exp_skew)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import indicatrix as ix

from ..drawing import COLOURS, MARKERS, canvas
from ..record import Record, experiment

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The paper gives no rates. These, in percent, have unequal recalls and errors that prefer some classes.
RATES = [[85, 8, 4, 3], [15, 70, 10, 5], [6, 22, 60, 12], [4, 6, 15, 75]]
UNIFORM_ERRORS = [[80, 10, 6, 4], [8, 82, 6, 4], [8, 10, 78, 4], [8, 10, 6, 76]]  # R_kj is the same for all k but j
MEASURES = {"recall": "recall", "balanced_accuracy": "balanced accuracy", "f1": "F1", "mcc": "MCC"}
SHARES = [Fraction(k, 100) for k in range(25, 71, 5)]  # of class 1, from uniform to strongly skewed
PRIORS = [(share, *[(1 - share) / 3] * 3) for share in SHARES]


@experiment("fig:skew", "Micro and macro averages under class skew")
def skew(record: Record) -> None:
    """Give the same classifier ten priors, exactly, and compare how far its scores move."""
    ev = ix.from_confusion(RATES)
    drifts = {(m, average): ev.prior_sensitivity(m, *PRIORS, average=average) for m in MEASURES for average in ("macro", "micro")}
    moved = {key: drift.spread for key, drift in drifts.items()}
    record.holds("macro recall is exactly flat", moved["recall", "macro"] == 0)
    record.holds("macro balanced accuracy is not exactly flat", moved["balanced_accuracy", "macro"] > 0)
    record.holds(
        "macro balanced accuracy drifts little: less than a quarter as far as micro (our rates, our bound)",
        moved["balanced_accuracy", "macro"] < moved["balanced_accuracy", "micro"] / 4,
    )
    uniform = ix.from_confusion(UNIFORM_ERRORS)
    record.holds(
        "with uniform errors macro balanced accuracy does not drift at all",
        uniform.prior_sensitivity("balanced_accuracy", *PRIORS).spread == 0,
    )
    record.note(
        f"With uniform errors, rows {UNIFORM_ERRORS}: {uniform.skew_conditions().prior_free('balanced_accuracy', 'macro')}."
    )
    for measure in ("recall", "balanced_accuracy"):
        record.holds(
            f"micro {MEASURES[measure]} drifts substantially: by more than 0.02 (our rates, our bound)",
            moved[measure, "micro"] > 0.02,
        )
    for measure in ("f1", "mcc"):
        for average in ("macro", "micro"):
            record.holds(f"{average} {MEASURES[measure]} is skew-sensitive", moved[measure, average] > 0)
        ratio = moved[measure, "macro"] / moved[measure, "micro"]
        record.holds(
            f"the drifts of micro and macro {MEASURES[measure]} differ by half or more (our rates, our bound)",
            not 2 / 3 < ratio < 3 / 2,
        )
    record.table(
        "Drift: largest minus smallest value, prior of class 1 from 0.25 to 0.70",
        ["measure", "macro", "micro"],
        [[name, moved[measure, "macro"], moved[measure, "micro"]] for measure, name in MEASURES.items()],
    )
    record.note(
        f"The paper gives no rates, and no numbers for small and substantial: rates (in percent, rows true, {RATES}) and bounds "
        "are ours, chosen with the results in view. That macro recall is flat and macro balanced accuracy is not needs neither."
    )
    values = {key: [float(x) for x in drift.values[1:]] for key, drift in drifts.items()}
    record.figure("skew", lambda: _draw(values), "The same classifier as class 1 grows: lines that move show the prior only.")


def _draw(values: dict[tuple[str, str], list[float]]) -> Figure:
    figure, panels = canvas(4, width=7.6, height=2.9, sharey=True)
    shares = [float(share) for share in SHARES]
    for axes, (measure, name) in zip(panels, MEASURES.items(), strict=True):
        ends = {average: values[measure, average][-1] for average in ("macro", "micro")}
        for average, colour, marker, line in (("macro", COLOURS[0], MARKERS[0], "-"), ("micro", COLOURS[1], MARKERS[1], "--")):
            heights = values[measure, average]
            axes.plot(shares, heights, color=colour, marker=marker, linestyle=line, markevery=3)
            above = ends[average] == max(ends.values())
            axes.annotate(
                f"{average}, {_movement(heights)}",
                (0.70, ends[average]),
                xytext=(0, 7 if above else -10),
                textcoords="offset points",
                ha="right",
                va="bottom" if above else "top",
                color=colour,
                fontsize=8,
            )
        axes.set_title(name[0].upper() + name[1:])
        axes.set_xticks([0.25, 0.4, 0.55, 0.7])
    low, high = panels[0].get_ylim()
    panels[0].set_ylim(low - 0.03, high + 0.03)  # room for the words
    panels[0].set_ylabel("score")
    figure.supxlabel("prior of class 1; the other three share the rest equally", fontsize=9)
    return figure


def _movement(heights: list[float]) -> str:
    spread = max(heights) - min(heights)
    return f"moves {spread:.3f}" if spread else "exactly flat"
