"""How often the intervals of small groups, and the bands of curves, hold the truth.

``python -m benchmarks.groups_and_bands [groups] [narrower] [bands] --draws 2000 --processes 8`` prints the tables of
docs/guides/slices.md and docs/guides/thresholds.md, from 2,000 data sets.

Groups: 20 of 20 to 120 examples, whose true recall is drawn from a normal distribution. Narrower: what pooled intervals
would miss that held for the worst of groups without differences no more often than they say. Bands: 300 examples, 40%
positive, with normal scores that are one standard deviation apart, whose true curves are known; forecasts for reliability are
calibrated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import indicatrix as ix

from .draws import arguments, generator, samples

LEVEL, GROUPS, N, POSITIVE = 0.95, 20, 300, 0.4
SLACK = 1e-9  # what rounding may take
NARROWER = 0.8  # times the width at which pooled intervals of equal groups hold for the worst as often as they say


WAYS: dict[str, dict[str, Any]] = {
    "alone": {"interval": True},
    "all at once": {"interval": "simultaneous"},
    "pooled": {"interval": True, "pooled": True},
    "pooled, all at once": {"interval": "simultaneous", "pooled": True},
}


def drawn_groups(spread: float, number: int) -> tuple[Any, Any]:
    """Return the true recall of some groups, and an evaluation of examples of them."""
    rng = generator(spread, number)
    true = np.clip(rng.normal(0.8, spread, GROUPS), 0, 1)
    group = np.repeat(np.arange(GROUPS), rng.integers(20, 120, GROUPS))
    right = (rng.random(len(group)) < true[group]).astype(int)
    return true, ix.evaluate(np.ones(len(group), int), right, positive=1, by={"g": group})


def of_groups(spread: float, number: int) -> list[tuple[float, bool, bool, float]]:
    """Return for each way how many intervals of groups hold, and how wide they are.

    Also whether all do, and whether that of the worst does.
    """
    (true, ev), found = drawn_groups(spread, number), []
    for options in WAYS.values():
        values = ev.values("recall", per="g", **options)
        inside = np.array([ends.low <= t <= ends.high for ends, t in zip(values.intervals or (), true, strict=True)])
        wide = float(np.mean([ends.high - ends.low for ends in values.intervals or ()]))
        found.append((float(inside.mean()), bool(inside.all()), bool(inside[int(np.argmin(values))]), wide))
    return found


def of_narrower(spread: float, number: int) -> tuple[bool, bool, bool]:
    """Return whether a test finds that groups differ, and whether the pooled interval of the worst holds.

    Also whether it still would, around its middle, with less of its width.
    """
    true, ev = drawn_groups(spread, number)
    worst, ends = ev.values("recall", per="g", interval=True, pooled=True).worst()
    away = abs(true[worst] - (ends.low + ends.high) / 2) / (ends.high - ends.low) * 2
    return ev.compare_groups("recall", "g").test.p_value <= 1 - LEVEL, away <= 1, away <= NARROWER


def above(place: Any) -> Any:
    """Return the share of a normal distribution above some places."""
    return np.array([math.erfc(x / math.sqrt(2)) / 2 for x in place.tolist()])


def true_curve(name: str, thresholds: Any) -> dict[str, Any]:
    """Return the point of the true curve at each threshold; scores are rounded to a tenth."""
    fpr, tpr = above(thresholds - 0.05), above(thresholds - 1.05)
    with np.errstate(invalid="ignore"):
        precision = POSITIVE * tpr / (POSITIVE * tpr + (1 - POSITIVE) * fpr)
    if name == "roc":
        return {"x": fpr, "y": tpr}
    return {"y": precision if name == "pr" else 2 * precision * tpr / (precision + tpr)}


CURVES: dict[str, Callable[[Any], Any]] = {
    "roc": lambda s: s.roc(),
    "pr": lambda s: s.pr(),
    "f1 at each threshold": lambda s: s.threshold_curve("f1"),
}


BANDS = [*CURVES, "reliability, consistency", "reliability, confidence"]


def of_bands(n: int, number: int) -> list[tuple[float, float]]:
    """Return for each curve of n examples where a pointwise band holds.

    Also whether one of all thresholds does.
    """
    rng, found = generator(n, number), []
    y = (rng.random(n) < POSITIVE).astype(int)
    swept = ix.sweep(y, np.round(rng.normal(y, 1.0), 1))
    for name, make in CURVES.items():
        curve = make(swept)
        fits = [inside(name, curve, curve.band(LEVEL, simultaneous=all_at_once)) for all_at_once in (False, True)]
        found.append((float(fits[0].mean()), float(fits[1].all())))
    p = rng.integers(1, 20, n) / 20
    reliability = ix.scores.reliability((rng.random(n) < p).astype(int), p, binning="isotonic")
    for kind in ("consistency", "confidence"):
        fits = []
        for all_at_once in (False, True):
            band = reliability.band(LEVEL, kind=kind, simultaneous=all_at_once, seed=number)
            at = band.x_low
            own = at if kind == "confidence" else reliability.observed[np.searchsorted(reliability.edges[1:-1], at)]
            fits.append((own >= band.y_low - SLACK) & (own <= band.y_high + SLACK))
        found.append((float(fits[0].mean()), float(fits[1].all())))
    return found


def inside(name: str, curve: Any, band: Any) -> Any:
    """Return at which thresholds a band holds the true curve."""
    at = np.asarray(curve.thresholds, float) if name in ("roc", "pr") else np.asarray(band.x_low, float)
    known = np.isfinite(at) & np.isfinite(band.y_low)
    true = true_curve(name if name in ("roc", "pr") else "f1", at)
    fits = (true["y"] >= band.y_low - SLACK) & (true["y"] <= band.y_high + SLACK)
    if name == "roc":
        fits &= (true["x"] >= band.x_low - SLACK) & (true["x"] <= band.x_high + SLACK)
    return fits[known]


def group_lines(draws: int, processes: int) -> Iterator[str]:
    """Yield the table of groups, line by line."""
    yield "| standard deviation of groups | intervals | each group | all groups | the worst | width |\n|---|---|---|---|---|---|"
    for spread, found in samples(of_groups, (0.0, 0.05, 0.1), draws, processes):
        for way, numbers in zip(WAYS, found.mean(axis=0), strict=True):
            yield f"| {spread:g} | {way} | " + " | ".join(f"{x:.3f}" for x in numbers) + " |"


def narrower_lines(draws: int, processes: int) -> Iterator[str]:
    """Yield the table of pooled intervals and narrower ones."""
    yield "| standard deviation of groups | found to differ | the worst | the worst, a fifth narrower |\n|---|---|---|---|"
    for spread, found in samples(of_narrower, (0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.1), draws, processes):
        yield f"| {spread:g} | " + " | ".join(f"{x:.3f}" for x in found.mean(axis=0)) + " |"


def band_lines(draws: int, processes: int) -> Iterator[str]:
    """Yield the table of bands."""
    yield "| curve | pointwise band, at each threshold | simultaneous band, at all |\n|---|---|---|"
    for _, found in samples(of_bands, (N,), draws, processes):
        for name, (point, whole) in zip(BANDS, found.mean(axis=0), strict=True):
            yield f"| {name} | {point:.3f} | {whole:.3f} |"


PARTS = {"groups": group_lines, "narrower": narrower_lines, "bands": band_lines}


def main() -> None:
    """Print the tables that are asked for."""
    given = arguments("groups_and_bands", __doc__, list(PARTS))
    for part in given.parts:
        for line in PARTS[part](given.draws, given.processes):
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
