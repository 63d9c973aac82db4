"""The page computes what Python computes: every measure, every average, every convention, to twelve digits."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.report.summary import usual_columns

MEASURES = tuple(dict.fromkeys(ix.algebra.MEASURES.values()))
DIGITS = 1e-12  # how far a number of the page may be from Python's, relative to the numbers it is a mean of
LEAST = 1e-18  # a difference that counts as rounding for every number: sums of quantiles may be as small as that
CONVENTIONS = (
    "exclude",
    0,
    1,
    0.25,
    "nan",
    ix.types.Convention(0),
    ix.types.Convention("exclude"),
    ix.types.Convention("nan", "true"),
    ix.types.Convention(1, "true"),
)


def as_page_writes(convention: Any) -> dict[str, Any]:
    if isinstance(convention, ix.types.Convention):
        return {"otherwise": convention.otherwise, "absent": convention.absent}
    return {"otherwise": convention, "absent": None}


def same(ours: float | None, python: float, scale: float = 0.0) -> bool:
    """Return whether two numbers agree; the page writes an undefined number as null."""
    if ours is None or not math.isfinite(python):
        return ours is None and not math.isfinite(python)
    return abs(ours - python) <= max(LEAST, DIGITS * max(abs(ours), abs(python), scale))


def random_counts(seed: int) -> np.ndarray:
    """Return counts with empty cells and equal cells: small, large, larger than floats hold products of, and fractions."""
    rng = np.random.default_rng(seed)
    tops = np.array([2, 5, 30, 1000, 10**5, 10**7, 10**9])[:, None, None]
    whole = rng.integers(0, np.broadcast_to(tops + 1, (7, 40, 4))).reshape(-1, 4)
    whole[rng.random(whole.shape) < 0.15] = 0
    near = rng.integers(10**6, 10**6 + 3, (20, 4))  # tp tn - fp fn is tiny there
    return np.concatenate([np.zeros((1, 4), int), np.eye(4, dtype=int), whole, near])


def values_of_page(page: Any, counts: Any) -> dict[str, list[float | None]]:
    code = """four => JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(indicatrix.FORMULAS).map(
        ([name, formula]) => [name, four.map(v => indicatrix.apply(formula, v))]))))"""
    return dict(page.evaluate(code, [[float(x) if x != int(x) else int(x) for x in v] for v in counts]))


@pytest.mark.parametrize("kind", ["whole", "fractions"])
@pytest.mark.slow
def test_every_measure_has_pythons_values(open_page: Callable[..., Any], kind: str) -> None:
    counts = random_counts(0)
    if kind == "fractions":
        counts = np.round(counts[:200] * np.array([0.5, 1.25, 1.75, 0.3]), 3)
    ours = values_of_page(open_page(ix.evaluate([0, 1], [0, 1])), counts)
    assert set(ours) == {str(m) for m in MEASURES}
    wrong = []
    for measure in MEASURES:
        python = [float(measure(ix.Counts(*map(float if kind == "fractions" else int, v)))) for v in counts.tolist()]
        wrong += [
            f"{measure} {v}: {a} {b}"
            for v, a, b in zip(counts.tolist(), ours[str(measure)], python, strict=True)
            if not same(a, b)
        ]
    assert not wrong, f"{len(wrong)} of {len(MEASURES) * len(counts)}: " + "\n".join(wrong[:20])


def evaluations() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    y, p = rng.integers(0, 4, 60), rng.integers(0, 4, 60)
    table, scores = rng.integers(0, 2, (40, 3)), rng.integers(0, 2, (40, 3))
    return {
        "an absent class": ix.evaluate(y, p, classes=range(6), by={"site": rng.integers(0, 3, 60).tolist()}),
        "never predicted": ix.evaluate(["a", "a", "b", "c"], ["a", "b", "b", "b"]),
        "binary": ix.evaluate([0, 1, 1, 0], [0, 0, 0, 0], by={"fold": [1, 1, 2, 2]}),
        "weights": ix.evaluate(y, p, sample_weight=rng.random(60)),
        "large": ix.from_confusion([[10**9, 3, 0], [7, 10**8, 1], [0, 0, 0]]),
        "several labels": ix.evaluate(table, scores),
        "targets": ix.evaluate(table, scores, targets=["hue", "size", "form"]),
        "a mask": ix.evaluate(table, scores, mask=rng.random((40, 3)) < 0.8),
        "abstentions": ix.evaluate(["a", "b", "b", "a"], ["a", None, "b", "b"], missing="abstain"),
        "weights, a mask and groups": ix.evaluate(
            y, p, sample_weight=rng.random(60), mask=rng.random(60) < 0.8, by={"site": rng.integers(0, 3, 60).tolist()}
        ),
        "memberships": ix.evaluate(rng.random((40, 3)), rng.random((40, 3)), tnorm="product", mask=rng.random(40) < 0.9),
        "costs": ix.evaluate(y, p, cost="absolute", classes=range(4), by={"site": rng.integers(0, 3, 60).tolist()}),
        "ranks": ix.evaluate(y, p, ordinal="cumulative", classes=range(4), sample_weight=rng.integers(1, 4, 60)),
        "a hierarchy": ix.evaluate(
            ["cat", "oak", "cat"], ["dog", "oak", "cat"], hierarchy={"cat": "animal", "dog": "animal", "oak": "plant"}
        ),
        "an open set": ix.evaluate(["a", "b", "x"], ["a", "?", "?"], known=["a", "b"], unknown="?"),
        "cells that nobody saw": ix.evaluate(y, p, unobserved=("tn",)),
        "no rows": ix.evaluate([], [], classes=["a", "b"]),
    }


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if i else name for i, name in enumerate(evaluations())]
)
@pytest.mark.slow
def test_every_average_and_convention_has_pythons_scores(open_page: Callable[..., Any], name: str) -> None:
    ev = evaluations()[name]
    measures = MEASURES if name in ("an absent class", "large") else MEASURES[::6]
    page = open_page(ev, measures=measures, averages=[*usual_columns(ev), "denominator"])
    code = """conventions => JSON.parse(JSON.stringify(indicatrix.DATA.shown.map(measure =>
        indicatrix.DATA.averages.map(average => {
        const found = conventions.map(convention => indicatrix.score(measure, average.name, {convention}));
        return found[0] === null ? null : [found.map(score => score.value), found[0].lost.length];
    }))))"""
    ours = page.evaluate(code, [as_page_writes(c) for c in CONVENTIONS])
    averages = page.evaluate("indicatrix.DATA.averages.map(average => average.name)")
    assert {"micro", "macro", "weighted", "denominator"} <= set(averages)
    wrong = []
    for measure, row in zip(measures, ours, strict=True):
        for average, found in zip(averages, row, strict=True):
            # Over groups a page has label accuracy, and calls it so: it does not have the rows of each group.
            inside = "binary" if ev.positive is not None else "micro"
            try:
                score = ev.score(measure, (average, inside) if measure.whole and average in ev.tally.by else average)
            except ValueError:
                assert found is None, (measure, average)
                continue
            if found is None and measure.averages and average in ev.tally.by:
                continue
            assert found is not None, (measure, average)
            values, lost = found
            scale = float(np.max(np.abs(np.nan_to_num(np.asarray(score.values, float), posinf=0, neginf=0)), initial=0))
            wrong += [] if lost == int(np.sum(score.undefined_mask())) else [f"{score!r}: {lost} undefined units"]
            for ours_, convention in zip(values, CONVENTIONS, strict=True):
                if not same(ours_, score.under(convention), scale):
                    wrong.append(f"{average} {measure} under {convention}: {ours_}, not {score.under(convention)}")
    assert not wrong, f"{len(wrong)} differ: " + "\n".join(wrong[:20])


def test_floors_are_known_where_every_example_has_one_class_on_both_sides() -> None:
    one, several = ix.evaluate(list("abcc"), list("abac")), ix.evaluate([{"a"}, {"a", "b"}], [{"a"}, {"b"}])
    assert '"onehot":3' in one.to_html()
    assert '"onehot":0' in several.to_html()
