"""How t-norms order cells, and do not order measures, under soft truth (fig:tnorm, sec:tnorm_emp)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np

import indicatrix as ix

from ..drawing import COLOURS, MARKERS, canvas, label_ends
from ..record import Record, experiment

if TYPE_CHECKING:
    from matplotlib.figure import Figure

N, SEED = 400, 7
TNORMS = {"lukasiewicz": "Łukasiewicz", "product": "product", "godel": "Gödel"}  # T_L, T_P, T_M: from the smallest to the largest
RATES = np.array([[0.80, 0.15, 0.05], [0.30, 0.60, 0.10], [0.05, 0.25, 0.70]])  # the fixed noisy classifier: that of ex:ovr_skew
ALPHAS = [2.0**k for k in range(-2, 7)]  # how certain the truth is
PEAKS = (1.0, 4.0, 16.0, 64.0)  # how certain the predictions are
FLATNESS = (1.0, 5.0)  # rows are Dirichlet(flatness, plus alpha or peak at one class)
PRIORS = ((1 / 3, 1 / 3, 1 / 3), (0.5, 0.3, 0.2), (0.8, 0.1, 0.1), (0.1, 0.1, 0.8))
DRAWN = [((0.8, 0.1, 0.1), alpha, 16.0, 1.0) for alpha in ALPHAS]  # the settings of the figure
CAPTION = (
    "The class with prior 0.8 as the truth becomes certain, under three t-norms. Shaded: precision and recall in opposite "
    "orders, and both in the reverse of the order of the cells."
)
UNITS = ("micro", "macro", "class 1", "class 2", "class 3")
RISING, FALLING, HIGHEST, OTHER = "L <= P <= M", "M <= P <= L", "P <= M <= L", "other"


@dataclass(frozen=True)
class Result:
    """Precision, recall and mean TP under three t-norms, and whether all cells are ordered."""

    values: dict[tuple[str, str], list[float]]  # (unit, measure) -> one value for each t-norm
    mean_tp: list[float]
    ordered: bool

    def orders(self, unit: str) -> tuple[str, str]:
        """Return how the t-norms order precision and recall."""
        return _order(self.values[unit, "precision"]), _order(self.values[unit, "recall"])


@experiment("fig:tnorm", "The ordering of t-norms and of derived measures")
def tnorms(record: Record) -> None:
    """Search a family of soft problems for the orders of precision and recall under the three t-norms."""
    settings = list(product(PRIORS, ALPHAS, PEAKS, FLATNESS))
    results = {setting: _result(*setting) for setting in settings}
    record.holds("T_L <= T_P <= T_M in every entry of all four matrices", all(r.ordered for r in results.values()))
    record.holds("mean TP follows T_L <= T_P <= T_M in every regime", all(_order(r.mean_tp) == RISING for r in results.values()))
    seen = {unit: Counter(r.orders(unit) for r in results.values()) for unit in UNITS}
    total = sum((seen[unit] for unit in UNITS), Counter[tuple[str, str]]())
    record.holds("precision and recall do not inherit the order of the cells", any(order != (RISING, RISING) for order in total))

    sharp = [r for (_, alpha, peak, flat), r in results.items() if alpha >= 16 and peak >= 16 and flat == 1]
    top = sum(all(max(r.values["micro", m]) == r.values["micro", m][0] for m in ("precision", "recall")) for r in sharp)
    record.holds(
        f"concentrated regime: T_L gives the highest micro precision and recall ({top} of {len(sharp)} settings)",
        top == len(sharp),
    )
    reversed_there = sum(r.orders(unit) == (FALLING, FALLING) for r in sharp for unit in UNITS[2:])
    record.holds(
        f"concentrated regime: the whole order is reversed for single classes ({reversed_there} of {3 * len(sharp)})",
        reversed_there,
    )
    opposed = sum(seen[unit][RISING, FALLING] for unit in UNITS[2:])
    record.holds(
        f"intermediate regime: precision L <= P <= M, recall opposite, for single classes ({opposed} of {3 * len(settings)})",
        opposed,
    )
    vague = [r.orders(unit) for (_, alpha, peak, _), r in results.items() if alpha <= 0.5 and peak == 1 for unit in UNITS]
    record.holds(
        "diffuse regime: precision and recall increase from T_M to T_L",
        (FALLING, FALLING) in vague,
        differs=f"not found: both follow L <= P <= M in {vague.count((RISING, RISING))} of {len(vague)} diffuse cases: rows "
        "near (1/3, 1/3, 1/3) have a + b < 1, so that T_L counts almost no TP",
        pinned=(
            "not found: both follow L <= P <= M in 80 of 80 diffuse cases: rows near (1/3, 1/3, 1/3) have a "
            "+ b < 1, so that T_L counts almost no TP"
        ),
        errata="D",
    )
    record.holds(
        "intermediate regime: micro precision and micro recall can be ordered differently",
        any(r.values["micro", "precision"] != r.values["micro", "recall"] for r in results.values()),
        differs="they are equal under all three t-norms: FP - FN is Yhat - Y in every entry, and rows of both sum to one",
        errata="C21",
    )
    _report(record, settings, seen)
    drawn = [results[setting] for setting in DRAWN]
    record.figure("tnorm", lambda: _draw(drawn), CAPTION)


def _report(record: Record, settings: list[Any], seen: dict[str, Counter[tuple[str, str]]]) -> None:
    orders = list(product((RISING, FALLING, HIGHEST, OTHER), (RISING, FALLING, HIGHEST, OTHER)))
    rows = [[*order, *(seen[unit][order] for unit in UNITS)] for order in orders if any(seen[u][order] for u in UNITS)]
    record.table(f"Orders found in {len(settings)} settings", ["precision", "recall", *UNITS], rows)
    if not any(seen[unit][order] for unit in ("micro", "macro") for order in ((FALLING, FALLING), (RISING, FALLING))):
        record.note(
            "The reversed and the intermediate order were found for single classes only, not for micro or macro averages."
        )
    record.note(
        f"{N} examples, default_rng({SEED}) in every setting; rows of truth from Dirichlet(flatness + alpha at the true class), "
        f"rows of predictions from Dirichlet(flatness + peak at the predicted class), rates {RATES.tolist()}; "
        f"alpha in {ALPHAS}, peak in {PEAKS}, flatness in {FLATNESS}, priors {PRIORS}. Memberships are rounded to multiples of "
        "2^-20, so that sums and products of two are exact. Concentrated: alpha and peak 16 or more, flatness 1; diffuse: alpha "
        "1/2 or less, peak 1; the paper gives no parameters, these bounds are ours."
    )


def _result(priors: tuple[float, ...], alpha: float, peak: float, flatness: float) -> Result:
    rng = np.random.default_rng(SEED)
    true = rng.choice(3, N, p=priors)
    predicted = (rng.random((N, 1)) > RATES[true].cumsum(axis=1)).sum(axis=1)
    truth = _memberships(rng, true, alpha, flatness=flatness)
    guess = _memberships(rng, predicted, peak, flatness=flatness)
    cells = [ix.cells(truth, guess, tnorm=name) for name in TNORMS]
    values: dict[tuple[str, str], list[float]] = {(unit, m): [] for unit in UNITS for m in ("precision", "recall")}
    for each in cells:
        counts = each.aggregate("class")
        for name, measure in (("precision", ix.precision), ("recall", ix.recall)):
            of_classes = measure(counts)
            found = (measure(counts.sum()), of_classes.mean(), *of_classes)
            for unit, value in zip(UNITS, found, strict=True):
                values[unit, name].append(float(value))
    ordered = all((getattr(a, x) <= getattr(b, x)).all() for a, b in pairwise(cells) for x in ("tp", "fp", "fn", "tn"))
    return Result(values, [float(each.tp.mean()) for each in cells], ordered)


def _memberships(rng: np.random.Generator, centre: Any, certainty: float, *, flatness: float) -> Any:
    """Return Dirichlet rows with a peak at the centre, in multiples of 2^-20 that sum to one."""
    drawn = rng.standard_gamma(flatness + certainty * np.eye(3)[centre])
    rows = np.floor(drawn / drawn.sum(axis=1, keepdims=True) * 2**20) / 2**20
    rows[:, -1] = 1 - rows[:, :-1].sum(axis=1)
    return rows


def _order(values: list[float]) -> str:
    low, middle, high = values
    if low <= middle <= high:
        return RISING
    if high <= middle <= low:
        return FALLING
    return HIGHEST if middle <= high <= low else OTHER


def _draw(results: list[Result]) -> Figure:
    figure, panels = canvas(3, 2, width=7.6, height=4.6, sharex=True)
    shown = {name.capitalize(): [r.values["class 1", name] for r in results] for name in ("precision", "recall")}
    shown["Mean TP, all classes"] = [r.mean_tp for r in results]
    for column, (title, values) in enumerate(shown.items()):
        top, bottom = panels[:, column]
        _lines(top, values)
        _lines(bottom, [[v[k] - v[1] for k in range(3)] for v in values])
        top.set_title(title)
        bottom.set_xlabel("alpha, certainty of the truth")
        bottom.set_xscale("log", base=2)
    for column in (0, 1):
        _mark_regimes(panels[1, column], [r.orders("class 1") for r in results])
    last = shown["Mean TP, all classes"][-1]
    for axes, heights in zip(panels[:, 2], (last, [x - last[1] for x in last]), strict=True):
        label_ends(axes, list(zip(heights, TNORMS.values(), COLOURS, strict=False)), gap=0.1)
    panels[0, 0].set_ylabel("value, class 1")
    panels[1, 0].set_ylabel("minus that of the product")
    return figure


def _lines(axes: Any, values: list[list[float]]) -> None:
    for k, colour in enumerate(COLOURS[:3]):
        heights = [v[k] for v in values]
        axes.plot(ALPHAS, heights, color=colour, marker=MARKERS[k], linestyle=("-", "--", ":")[k], markersize=3)


def _mark_regimes(axes: Any, orders: list[tuple[str, str]]) -> None:
    """Shade where the two measures have opposite orders, and where both are reversed."""
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + 0.15 * (high - low))  # room for the words
    for wanted, words, shade in (((RISING, FALLING), "opposite", "#e8e8e8"), ((FALLING, FALLING), "reversed", "#d0d0d0")):
        where = [alpha for alpha, order in zip(ALPHAS, orders, strict=True) if order == wanted]
        if where:
            axes.axvspan(min(where) / 2**0.5, max(where) * 2**0.5, color=shade, zorder=0)
            middle = (min(where) * max(where)) ** 0.5
            axes.text(middle, 0.97, words, transform=axes.get_xaxis_transform(), ha="center", va="top", fontsize=8)
