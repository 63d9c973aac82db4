"""Every setting that is an argument of evaluate(), by its definition: matrices written out by loops, for random problems."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

import indicatrix as ix

CLASSES = ("a", "b", "c")
PARENT = {"a": None, "b": "a", "c": "a", "d": None, "e": "d"}
COST = [[0, 1, 4], [2, 0, 1], [1, 3, 0]]
ABSTAIN = (5, 6, 7)


@dataclass(frozen=True)
class Case:
    """Arguments of evaluate(), and the same problem as matrices: Y, Yhat, what was observed, what cells count."""

    y_true: Any
    y_pred: Any
    options: dict[str, Any]
    per_row: dict[str, Any] = field(default_factory=dict)
    columns: tuple[Any, ...] = ()
    Y: Any = None
    Yhat: Any = None
    seen: Any = None
    scale: Any = None  # four n x m arrays
    norm: str | None = None
    groups: tuple[Any, ...] | None = None  # of columns

    @property
    def n(self) -> int:
        return len(self.Y)

    def evaluate(self, rows: Any = None) -> ix.Evaluation:
        rows = range(self.n) if rows is None else rows
        per_row = {
            k: {a: [g[i] for i in rows] for a, g in v.items()} if k == "by" else v[list(rows)] for k, v in self.per_row.items()
        }
        return ix.evaluate(_taken(self.y_true, rows), _taken(self.y_pred, rows), **self.options, **per_row)

    def cells(self) -> np.ndarray:
        """Return the four matrices, entry by entry, in exact arithmetic."""
        norm = {None: min, "product": lambda a, b: a * b, "godel": min, "lukasiewicz": lambda a, b: max(a + b - 1, 0)}[self.norm]
        n, m = self.Y.shape
        four = np.empty((4, n, m), object)
        for i in range(n):
            for j in range(m):
                y, p = Fraction(self.Y[i, j]), Fraction(self.Yhat[i, j])
                for kind, (a, b) in enumerate(((y, p), (1 - y, p), (y, 1 - p), (1 - y, 1 - p))):
                    factor = 1 if self.scale is None else Fraction(self.scale[kind][i, j])
                    four[kind, i, j] = norm(a, b) * factor * int(self.seen[i, j])
        return four

    def weights(self) -> list[Fraction]:
        return [Fraction(w) for w in self.per_row.get("sample_weight", np.ones(self.n))]


def _taken(y: Any, rows: Any) -> Any:
    return {k: [v[i] for i in rows] for k, v in y.items()} if isinstance(y, dict) else [y[i] for i in rows]


def one_hot(labels: list[Any], columns: tuple[Any, ...]) -> np.ndarray:
    return np.array([[int(label == c) for c in columns] for label in labels], int).reshape(len(labels), len(columns))


def plain(y: list, p: list, options: dict[str, Any], **more: Any) -> Case:
    Y, Yhat = one_hot(y, CLASSES), one_hot(p, CLASSES)
    return Case(y, p, {"classes": CLASSES, **options}, columns=CLASSES, Y=Y, Yhat=Yhat, **more)


def abstaining(y: list, p: list) -> Case:
    return plain(y, p, {"missing": "abstain"})


def reserved(y: list, p: list) -> Case:
    case = plain(y, p, {"abstain": "reject"})
    return Case(y, ["reject" if k is None else k for k in p], case.options, columns=CLASSES, Y=case.Y, Yhat=case.Yhat)


def unknown(y: list, p: list) -> Case:
    truth = [{"c": "elk"}.get(k, k) for k in y]
    guess = ["unknown" if k in (None, "c") else k for k in p]
    columns = ("a", "b", "unknown")
    Y, Yhat = one_hot([k if k in "ab" else "unknown" for k in truth], columns), one_hot(guess, columns)
    return Case(truth, guess, {"known": ["a", "b"]}, columns=columns, Y=Y, Yhat=Yhat)


def costs(y: list, p: list) -> Case:
    options = {"cost": ix.types.CostMatrix(COST, benefit=2, abstain=ABSTAIN), "missing": "abstain"}
    four = np.ones((4, len(y), 3))
    for i, (t, k) in enumerate(zip(y, p, strict=True)):
        price = ABSTAIN[CLASSES.index(t)] if k is None else COST[CLASSES.index(t)][CLASSES.index(k)]
        four[:, i] = [[2], [price], [price], [1]]
    return plain(y, p, options, scale=four)


def label_costs(y: list, p: list) -> Case:
    fp, fn = (1, 2, 3), (0.5, 4, 0)
    four = [np.broadcast_to(x, (len(y), 3)) for x in (1, fp, fn, 1)]
    return plain(y, p, {"cost": ix.tasks.label_costs(fp=fp, fn=fn), "missing": "abstain"}, scale=four)


def linear(y: list, p: list) -> Case:
    def rows(labels: list) -> np.ndarray:
        ranks = [None if k is None else CLASSES.index(k) for k in labels]
        return np.array([[0 if r is None else 1 - abs(r - j) / 2 for j in range(3)] for r in ranks]).reshape(len(labels), 3)

    options = {"classes": CLASSES, "ordinal": "linear", "tnorm": "product", "missing": "abstain"}
    return Case(y, p, options, columns=CLASSES, Y=rows(y), Yhat=rows(p), norm="product")


def cumulative(y: list, p: list) -> Case:
    p = ["a" if k is None else k for k in p]
    Y, Yhat = (np.array([[int(CLASSES.index(k) > j) for j in range(2)] for k in x], int).reshape(len(x), 2) for x in (y, p))
    return Case(y, p, {"classes": CLASSES, "ordinal": "cumulative"}, columns=("a|b", "b|c"), Y=Y, Yhat=Yhat)


def hierarchical(y: list, p: list) -> Case:
    columns, depth = ("a", "d", "b", "c", "e"), (1, 1, 2, 2, 2)
    above = {c: {c, PARENT[c]} for c in PARENT}
    swap = {"a": "a", "b": "b", "c": "e", None: None}
    truth, guess = [swap[k] for k in y], [swap[k] for k in p]
    Y, Yhat = (
        np.array([[int(c in above.get(k, ())) for c in columns] for k in x], int).reshape(len(x), 5) for x in (truth, guess)
    )
    return Case(truth, guess, {"hierarchy": PARENT, "missing": "abstain"}, columns=columns, Y=Y, Yhat=Yhat, groups=depth)


def two_targets(y: list, p: list) -> Case:
    """One single-label and one multilabel target; the first abstains where there is no prediction."""
    tags, guess = [set(k) | {"b"} for k in y], [set(k or "") for k in p]
    columns = tuple(("one", c) for c in CLASSES) + tuple(("some", c) for c in "abc")
    sides = []
    for labels, sets in ((y, tags), (p, guess)):
        some = np.array([[int(c in s) for c in "abc"] for s in sets], int).reshape(len(sets), 3)
        sides.append(np.concatenate([one_hot(labels, CLASSES), some], axis=1))
    classes = {"one": CLASSES, "some": CLASSES}
    options = {"targets": True, "classes": classes, "missing": "abstain"}
    truth, prediction = {"one": y, "some": tags}, {"one": p, "some": guess}
    return Case(truth, prediction, options, columns=columns, Y=sides[0], Yhat=sides[1], groups=("one",) * 3 + ("some",) * 3)


ENCODINGS = (abstaining, reserved, unknown, costs, label_costs, linear, cumulative, hierarchical, two_targets)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    n = draw(st.integers(0, 8))
    y = draw(st.lists(st.sampled_from(CLASSES), min_size=n, max_size=n))
    p = draw(st.lists(st.sampled_from((*CLASSES, None)), min_size=n, max_size=n))
    case = draw(st.sampled_from(ENCODINGS))(y, p)
    m = len(case.columns)
    seen, per_row = np.ones((n, m), bool), {}
    form = draw(st.sampled_from(["none", "rows", "entries"]))
    if form == "rows":
        per_row["mask"] = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool)
        seen = np.repeat(per_row["mask"][:, None], m, axis=1)
    elif form == "entries":
        per_row["mask"] = seen = np.array(draw(st.lists(st.booleans(), min_size=n * m, max_size=n * m)), bool).reshape(n, m)
    if draw(st.booleans()):  # quarters: what counting rounds is then nothing
        per_row["sample_weight"] = np.array(draw(st.lists(st.integers(0, 8), min_size=n, max_size=n)), float) / 4
    if draw(st.booleans()):
        per_row["by"] = {"fold": draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))}
    if case.groups is not None and "hierarchy" in case.options:  # a node is observed where it and all under it are
        under = [[j for j, c in enumerate(case.columns) if name in (c, PARENT[c])] for name in case.columns]
        seen = np.stack([seen[:, below].all(axis=1) for below in under], axis=1)
    return Case(**{**{k: getattr(case, k) for k in case.__dataclass_fields__}, "per_row": per_row, "seen": seen})
