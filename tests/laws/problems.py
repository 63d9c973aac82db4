"""Random evaluation problems of every kind: labels, sets, matrices, memberships, with weights, masks and groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from scipy import sparse

import indicatrix as ix


@dataclass(frozen=True)
class Problem:
    """Arguments of ``evaluate`` that can be cut into batches of rows, and the same as literal cells."""

    y_true: Any
    y_pred: Any
    whole: dict[str, Any] = field(default_factory=dict)  # options that hold for every batch
    per_row: dict[str, Any] = field(default_factory=dict)  # options with one entry per example

    @property
    def n(self) -> int:
        return self.y_true.shape[0] if sparse.issparse(self.y_true) else len(self.y_true)

    def labels(self, rows: np.ndarray) -> tuple[Any, Any]:
        return _rows(self.y_true, rows), _rows(self.y_pred, rows)

    def evaluate(self, rows: Any = None) -> ix.Evaluation:
        rows = np.arange(self.n) if rows is None else np.asarray(rows, dtype=int)
        options = {k: _rows(v, rows) for k, v in self.per_row.items() if k != "by"}
        if "by" in self.per_row:
            options["by"] = {axis: _rows(ids, rows) for axis, ids in self.per_row["by"].items()}
        return ix.evaluate(*self.labels(rows), **self.whole, **options)

    def cells(self) -> ix.types.Cells:
        return ix.cells(*self.labels(np.arange(self.n)), **self.whole, **self.per_row)


def _rows(x: Any, rows: np.ndarray) -> Any:
    return [x[i] for i in rows] if isinstance(x, list) else x[rows]


def matrices(n: int, m: int, elements: st.SearchStrategy[Any]) -> st.SearchStrategy[np.ndarray]:
    return st.lists(st.lists(elements, min_size=m, max_size=m), min_size=n, max_size=n).map(lambda x: np.array(x).reshape(n, m))


# Not arbitrarily small: the product of four such numbers must not underflow, or nothing is left to compare.
POSITIVE = st.just(0.0) | st.floats(1e-6, 5)
MEMBERSHIPS = st.sampled_from([0.0, 1.0]) | st.floats(1e-6, 1 - 1e-6)
KINDS = ("labels", "codes", "targets", "sets", "dense", "sparse", "soft")


@st.composite
def problems(
    draw: st.DrawFn,
    kinds: tuple[str, ...] = ("labels", "codes", "targets", "sets", "dense", "sparse", "soft"),
    options: bool = True,
) -> Problem:
    kind = draw(st.sampled_from(kinds))
    n, m = draw(st.integers(0, 8)), draw(st.integers(1, 4))
    names = draw(st.sampled_from(["abcd", (0, 1, 2, 3), (7, -2, 40000, 10**12), (False, True)]))[:m]
    m = len(names)
    whole: dict[str, Any] = {}
    if kind == "labels":
        y_true, y_pred = (draw(st.lists(st.sampled_from(names), min_size=n, max_size=n)) for _ in range(2))
        if draw(st.booleans()):
            whole["classes"] = list(names)
        else:
            m = len(set(y_true) | set(y_pred))
    elif kind == "sets":
        y_true, y_pred = (draw(st.lists(st.sets(st.sampled_from(names)), min_size=n, max_size=n)) for _ in range(2))
        whole["classes"] = list(names)
    elif kind == "soft":
        y_true, y_pred = (draw(matrices(n, m, MEMBERSHIPS)).astype(float) for _ in range(2))
        whole["tnorm"] = draw(st.sampled_from(["product", "godel", "lukasiewicz", "frank(s=2)"]))
    elif kind == "codes":  # -1 abstains
        y_true, y_pred = (np.array(draw(st.lists(st.integers(-1, m - 1), min_size=n, max_size=n)), int) for _ in range(2))
    else:
        dtype = bool if kind == "targets" else draw(st.sampled_from([np.uint8, bool, np.int64, float]))
        y_true, y_pred = (draw(matrices(n, m, st.integers(0, 1))).astype(dtype) for _ in range(2))
        if kind == "sparse":
            y_true, y_pred = sparse.csr_array(y_true), sparse.csr_array(y_pred)
    per_row: dict[str, Any] = {}
    if options and draw(st.booleans()):
        per_row["sample_weight"] = np.array(draw(st.lists(POSITIVE, min_size=n, max_size=n)))
    if options and draw(st.booleans()):
        found = kind == "labels" and "classes" not in whole  # other batches have other classes: no entry can be named
        shape = 1 if found else draw(st.sampled_from([1, m]))
        per_row["mask"] = draw(matrices(n, shape, st.booleans())).astype(bool)
    if options and draw(st.booleans()):
        per_row["by"] = {
            "fold": np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), int),
            "site": pd.Categorical(draw(st.lists(st.sampled_from(["x", "y"]), min_size=n, max_size=n)), ["z", "y", "x"]),
        }
    if kind == "targets":
        owner = tuple(draw(st.lists(st.sampled_from("pq"), min_size=m, max_size=m)))
        return IndicatorProblem(y_true, y_pred, {}, per_row, m, owner)
    if kind == "codes":
        return IndicatorProblem(y_true, y_pred, {}, per_row, m)
    return Problem(y_true, y_pred, whole, per_row)


@dataclass(frozen=True)
class IndicatorProblem(Problem):
    """Indicators made by hand: codes where -1 is an example without a class, an abstention, or columns that belong to targets."""

    m: int = 1
    targets: tuple[str, ...] | None = None

    def labels(self, rows: np.ndarray) -> tuple[Any, Any]:
        classes = tuple(range(self.m))
        if self.targets is None:
            return tuple(ix.types.Indicator.from_codes(codes[rows], classes) for codes in (self.y_true, self.y_pred))
        return tuple(ix.types.Indicator(matrix[rows], classes, self.targets) for matrix in (self.y_true, self.y_pred))
