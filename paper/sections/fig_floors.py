"""Scores of a classifier that is always wrong, by the number of classes, on digits (fig:floors)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import indicatrix as ix

from ..drawing import COLOURS, MARKERS, canvas, label_ends
from ..record import Record, experiment

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZES = range(3, 11)
RAISED = {
    "label_accuracy": "label accuracy",
    "specificity": "specificity",
    "balanced_accuracy": "balanced accuracy",
    "mcc": "MCC",
    "kappa": "Cohen's kappa",
}
AT_ZERO = {"recall": "recall", "precision": "precision", "f1": "F1", "jaccard": "Jaccard", "g_mean": "G-mean"}
PRINTED_FOR_TEN = {
    "label_accuracy": "0.800",
    "specificity": "0.889",
    "balanced_accuracy": "0.444",
    "mcc": "-0.111",
    "kappa": "-0.111",
}


@experiment("fig:floors", "What total failure scores on digits, by the number of classes")
def floors(record: Record) -> None:
    """Predict the next class for every digit below m, and compare with the closed forms."""
    measured = always_wrong()
    record.holds("every prediction is wrong", all(ev.aggregate().tp == 0 for ev in measured.values()))
    for name, text in {**RAISED, **AT_ZERO}.items():
        error = max(abs(ev.score(name, "micro") - float(ix.theory.floor(name, m))) for m, ev in measured.items())
        record.holds(f"micro {text} is its closed form for m = 3 to 10, to 1e-12", error <= 1e-12)
    for name, text in RAISED.items():
        record.claim(f"micro {text}, m = 10", paper=PRINTED_FOR_TEN[name], ours=measured[10].score(name, "micro"))
    record.claim("distance of MCC from chance, m = 10", paper="0.111", ours=abs(measured[10].score("mcc", "micro")))
    for name, text in AT_ZERO.items():
        record.claim(f"micro {text}, every m", paper=0, ours=max(abs(ev.score(name, "micro")) for ev in measured.values()))
    record.claim(
        "accuracy as the share of right examples, every m", paper=0, ours=max(ev.score("exact_match") for ev in measured.values())
    )
    rows = [
        [text, *(f"{ev.score(name, 'micro'):.3f}" for ev in measured.values())] for name, text in {**RAISED, "f1": "F1"}.items()
    ]
    record.table("Micro scores of a classifier that is always wrong", ["m", *map(str, measured)], rows)
    record.figure(
        "floors",
        lambda: draw(measured),
        "Micro scores on digits when every prediction is wrong, by the number of classes m: points are measured, lines are the "
        "closed forms.",
    )


def always_wrong() -> dict[int, ix.Evaluation]:
    """Return, for each m, the evaluation of predicting the next class for each of the digits below m."""
    from sklearn.datasets import load_digits

    _, digits = load_digits(return_X_y=True)
    return {m: ix.evaluate(digits[digits < m], (digits[digits < m] + 1) % m) for m in SIZES}


def draw(measured: dict[int, ix.Evaluation]) -> Figure:
    """Return measured values as points on the lines of the closed forms."""
    figure, axes = canvas(height=3.4)
    shown = {**{name: text for name, text in RAISED.items() if name != "kappa"}, "f1": "F1"}
    shown["mcc"] = "MCC and kappa"
    ends = []
    for (name, text), colour, marker in zip(shown.items(), COLOURS, MARKERS, strict=False):
        axes.plot(SIZES, [float(ix.theory.floor(name, m)) for m in SIZES], ":", color=colour)
        values = [ev.score(name, "micro") for ev in measured.values()]
        axes.plot(SIZES, values, marker, color=colour, markersize=5)
        ends.append((values[-1], text, colour))
    axes.set(xlabel="number of classes m", ylabel="micro score when every prediction is wrong", ylim=(-0.55, 1))
    axes.set_xticks(SIZES)
    axes.axhline(0, color="#999999", linewidth=0.8)
    label_ends(axes, ends)
    return figure
