"""Problems as Python text: what is run is what is printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .problem import ABSTAIN, DECLINED, SIDES, Example, Problem

IMPORTS = """import tempfile

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import torch
from scipy import sparse

import indicatrix as ix
"""


def spell_evaluation(problem: Problem) -> str:
    """Return the expression that evaluates a problem: the sum of its batches."""
    batches = problem.parts
    calls = " + ".join(f"ix.evaluate({spell_arguments(problem, batch)})" for batch in batches)
    whole = f"({calls})" if len(batches) > 1 else calls
    return f"{whole}.answered()" if problem.answered else whole


def spell_arguments(problem: Problem, examples: Sequence[Example]) -> str:
    """Return the arguments of ``evaluate`` for some examples of a problem."""
    sides = ([e.true for e in examples], [e.pred for e in examples])
    given = [spell_labels(problem, side, container) for side, container in zip(sides, problem.containers, strict=True)]
    columns, named = problem.columns, {"polars", "arrow"} & {*problem.containers} and problem.form == "matrix"
    if problem.classes and "pandas category" not in problem.containers and not named:
        given.append(f"classes={problem.names!r}")
    if problem.positive is not None:
        name = problem.names[problem.positive]
        given.append(f"positive={(str(name) if named else name)!r}")
    if problem.weighted:
        given.append(f"sample_weight={[e.weight for e in examples]!r}")
    if problem.mask == "rows":
        given.append(f"mask=np.array({[e.seen[0] for e in examples]!r}, bool)")
    if problem.mask == "entries":
        rows = [[e.seen[j] for j in columns] for e in examples]
        given.append(f"mask=np.array({rows!r}, bool).reshape({len(rows)}, {len(columns)})")
    if problem.missing != ("error", "error"):
        given.append(f"missing={problem.missing!r}")
    if problem.abstain:
        given.append(f"abstain={ABSTAIN[problem.kind]!r}")
    if problem.abstained != "count":
        given.append(f"abstained={problem.abstained!r}")
    if problem.axes:
        given.append(f"by={ {axis: [e.groups[axis] for e in examples] for axis in problem.axes}!r}")
    return ", ".join(given)


def spell_labels(problem: Problem, labels: Sequence[SIDES], container: str) -> str:
    """Return the labels of one side in a container."""
    if problem.form == "sets":
        return "[" + ", ".join(map(str, (_spell_set(problem, side) for side in labels))) + "]"
    if problem.form == "matrix":
        rows = [[int(isinstance(side, frozenset) and j in side) for j in range(problem.m)] for side in labels]
        return _spell_matrix(rows, problem.m, container)
    names: list[Any] = []
    for side in labels:
        if isinstance(side, frozenset):
            (j,) = side
            names.append(problem.names[j])
        else:
            names.append(ABSTAIN[problem.kind] if side == DECLINED else None)
    return _spell_vector(names, problem, container)


def _spell_set(problem: Problem, side: SIDES) -> str:
    if isinstance(side, frozenset):
        return "{" + ", ".join(repr(problem.names[j]) for j in sorted(side)) + "}" if side else "set()"
    return "None" if side is None else f"{{{ABSTAIN[problem.kind]!r}}}"


def _spell_vector(names: list[Any], problem: Problem, container: str) -> str:
    library, _, dtype = container.partition(" ")
    if container in ("list", "tuple"):
        return repr(names if container == "list" else tuple(names))
    if container == "pandas category":
        return f"pd.Categorical({names!r}, categories={list(problem.names)!r})"
    if library == "pandas":
        return f"pd.Series({names!r}, dtype={dtype!r})"
    if library == "torch":
        return f"torch.tensor({names!r}, dtype=torch.{dtype})"
    if library in ("polars", "arrow"):
        return f"pl.Series({names!r})" if library == "polars" else f"pa.array({names!r})"
    return f"np.array({names!r}, {container!r})"


def _spell_matrix(rows: list[list[int]], m: int, container: str) -> str:
    library, _, dtype = container.partition(" ")
    if container == "list":
        return repr(rows)
    array = f"np.array({rows!r}, {'bool' if library in ('csr', 'csc', 'coo') else 'int64'!r}).reshape({len(rows)}, {m})"
    if library in ("csr", "csc", "coo"):
        return f"sparse.{library}_array({array})"
    if library == "torch":
        return f"torch.tensor({rows!r}, dtype=torch.{dtype}).reshape({len(rows)}, {m})"
    if library == "pandas":
        return f"pd.DataFrame({array})"
    if library in ("polars", "arrow"):
        columns = {str(j): [row[j] for row in rows] for j in range(m)}
        return f"{'pl.DataFrame' if library == 'polars' else 'pa.table'}({columns!r})"
    return f"np.array({rows!r}, {container!r}).reshape({len(rows)}, {m})"
