"""How often the intervals of small groups, and the bands of curves, hold the truth.

``python -m benchmarks.groups_and_bands`` prints the tables of docs/guides/slices.md and docs/guides/thresholds.md; ``--draws
200`` takes as many data sets, ``--only groups`` or ``bands`` one of them. The same seed gives the same numbers.

Groups: 20 of 20 to 120 examples, whose true recall is drawn from a normal distribution. Bands: 300 examples, 40% positive, with
normal scores that are one standard deviation apart, whose true curves are known; forecasts for reliability are calibrated.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

import indicatrix as ix

LEVEL, GROUPS, N, POSITIVE = 0.95, 20, 300, 0.4
SLACK = 1e-9  # what rounding may take


def of_groups(draws: int, spread: float) -> dict[str, float]:
    """Return how often intervals of groups hold.

    Each on average, all at once, and that of the worst group.
    """
    held: dict[str, float] = defaultdict(float)
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        true = np.clip(rng.normal(0.8, spread, GROUPS), 0, 1)
        group = np.repeat(np.arange(GROUPS), rng.integers(20, 120, GROUPS))
        right = (rng.random(len(group)) < true[group]).astype(int)
        ev = ix.evaluate(np.ones(len(group), int), right, positive=1, by={"g": group})
        for name, options in (
            ("alone", {"interval": True}),
            ("all at once", {"interval": "simultaneous"}),
            ("pooled", {"interval": True, "pooled": True}),
            ("pooled, all at once", {"interval": "simultaneous", "pooled": True}),
        ):
            found = ev.values("recall", per="g", **options)
            inside = np.array([ends.low <= t <= ends.high for ends, t in zip(found.intervals or (), true, strict=True)])
            held[f"{name}: each"] += float(inside.mean())
            held[f"{name}: all"] += bool(inside.all())
            held[f"{name}: worst"] += bool(inside[int(np.argmin(found))])
    return {name: total / draws for name, total in held.items()}


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


def of_bands(draws: int) -> dict[str, tuple[float, float]]:
    """Return for each curve how often a pointwise band holds at a threshold, and one at all of them."""
    points: dict[str, float] = defaultdict(float)
    curves: dict[str, float] = defaultdict(float)
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        y = (rng.random(N) < POSITIVE).astype(int)
        swept = ix.sweep(y, np.round(rng.normal(y, 1.0), 1))
        for name, make in CURVES.items():
            curve = make(swept)
            for simultaneous, counted in ((False, points), (True, curves)):
                fits = inside(name, curve, curve.band(LEVEL, simultaneous=simultaneous))
                counted[name] += bool(fits.all()) if simultaneous else float(fits.mean())
        p = rng.integers(1, 20, N) / 20
        reliability = ix.scores.reliability((rng.random(N) < p).astype(int), p, binning="isotonic")
        for kind in ("consistency", "confidence"):
            for simultaneous, counted in ((False, points), (True, curves)):
                if simultaneous and kind == "confidence":  # there is none
                    continue
                band = reliability.band(LEVEL, kind=kind, simultaneous=simultaneous, draws=200, seed=seed)
                at = band.x_low
                own = at if kind == "confidence" else reliability.observed[np.searchsorted(reliability.edges[1:-1], at)]
                fits = (own >= band.y_low - SLACK) & (own <= band.y_high + SLACK)
                counted[f"reliability, {kind}"] += bool(fits.all()) if simultaneous else float(fits.mean())
    return {name: (points[name] / draws, curves[name] / draws if name in curves else math.nan) for name in points}


def inside(name: str, curve: Any, band: Any) -> Any:
    """Return at which thresholds a band holds the true curve."""
    at = np.asarray(curve.thresholds, float) if name in ("roc", "pr") else np.asarray(band.x_low, float)
    known = np.isfinite(at) & np.isfinite(band.y_low)
    true = true_curve(name if name in ("roc", "pr") else "f1", at)
    fits = (true["y"] >= band.y_low - SLACK) & (true["y"] <= band.y_high + SLACK)
    if name == "roc":
        fits &= (true["x"] >= band.x_low - SLACK) & (true["x"] <= band.x_high + SLACK)
    return fits[known]


def main(draws: int, only: str | None) -> None:
    """Print the tables."""
    if only != "bands":
        ways = ("alone", "all at once", "pooled", "pooled, all at once")
        print("| standard deviation of groups | intervals | each group | all groups | the worst |\n|---|---|---|---|---|")
        for spread in (0.0, 0.05, 0.1):
            found = of_groups(draws, spread)
            for way in ways:
                numbers = " | ".join(f"{found[f'{way}: {what}']:.3f}" for what in ("each", "all", "worst"))
                print(f"| {spread:g} | {way} | {numbers} |", flush=True)
    if only != "groups":
        print("\n| curve | pointwise band, at each threshold | simultaneous band, at all |\n|---|---|---|")
        for name, (point, whole) in of_bands(draws).items():
            print(f"| {name} | {point:.3f} | {'–' if math.isnan(whole) else f'{whole:.3f}'} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--only", choices=["groups", "bands"])
    given = parser.parse_args()
    main(given.draws, given.only)
