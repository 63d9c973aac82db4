"""A population of classifiers around one: better and worse ones, with other biases and errors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array, as_weight
from ...tally.states.group_counts import CrossTable, Summed
from ..sampling.draw_weights import generator
from ..sampling.samples import Pairs

ROUGHNESS = 20.0  # how many examples each row of rates is drawn from, at spread 1


def perturb_evaluation(ev: Any, count: int, spread: float, seed: int) -> list[Any]:
    """Return the evaluations of ``count`` classifiers around one, on as many examples of each class.

    Where the pairs of classes are known, the whole confusion matrix is moved; otherwise the two by two table of each class.
    """
    rng, pooled = generator(seed), ev.tally.pooled
    if isinstance(pooled, CrossTable):
        table = as_weight(pooled.table)
        parts: list[Any] = [CrossTable(t) for t in perturb_table(table, Pairs(table).pseudo().table, count, spread, rng)]
    else:
        tp, fp, fn, tn = as_weight(pooled.cells())
        tables = np.moveaxis(np.array([[tp, fn], [fp, tn]]), -1, 0)  # of each class, its examples in the first row
        moved = [perturb_table(t, np.full((2, 2), 0.25), count, spread, rng) for t in tables]
        cells = np.stack([[t[:, 0, 0], t[:, 1, 0], t[:, 0, 1], t[:, 1, 1]] for t in moved], axis=-1)  # 4 x count x classes
        parts = [Summed(np.ascontiguousarray(cells[:, k]), None, None) for k in range(count)]
    plain = replace(ev.tally, by=(), sizes={}, open=False)
    return [replace(ev, tally=replace(plain, parts={(): part}, _pooled=[])) for part in parts]


def perturb_table(table: Array, pseudo: Array, count: int, spread: float, rng: np.random.Generator) -> Array:
    """Return tables of counts with the row sums of a table, whose rates are moved in three ways.

    The rates of a row are those of the table with the pseudo-example. First each is mixed with being always right, or with
    guessing by the column shares; how much, from 0 to ``spread``, and which of the two, is drawn half for the classifier and
    half for the row. Then each column is multiplied by exp(spread z) with a standard normal z, and the rows are scaled back: a
    bias for or against a class. Then each row is drawn from the Dirichlet distribution with these rates times 20/spread. The
    counts are drawn from these rates.
    """
    sizes, rows = np.rint(table.sum(axis=1)).astype(np.int64), len(table)
    base = table + pseudo
    totals = base.sum(axis=1, keepdims=True)
    guess, ideal = base.sum(axis=0) / base.sum(), np.eye(rows)
    rates = np.where(totals > 0, base / np.where(totals > 0, totals, 1), ideal)
    move = (rng.uniform(-spread, spread, (count, 1)) + rng.uniform(-spread, spread, (count, rows))) / 2
    better, worse = np.maximum(move, 0)[..., None], np.maximum(-move, 0)[..., None]
    moved = (1 - better - worse) * rates + better * ideal + worse * guess
    moved = _to_shares(moved * np.exp(spread * rng.standard_normal((count, 1, rows))))
    drawn = _to_shares(rng.standard_gamma(moved * ROUGHNESS / spread))
    return np.asarray(rng.multinomial(sizes, np.where(np.isfinite(drawn), drawn, moved)))


def _to_shares(rates: Array) -> Array:
    with np.errstate(invalid="ignore"):
        return np.asarray(rates / rates.sum(axis=-1, keepdims=True))
