"""The scores of a population of classifiers, given or drawn, and their relations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array, as_weight
from ...algebra.average import BINARY, MICRO_AND_MACRO, find_average
from ...algebra.measure import MEASURES
from ...algebra.score import Undefined
from ...tally.states.group_counts import CrossTable, Summed
from ...theory.result.dominance import check_classes
from ...theory.result.examined_result import NO_SCORES, WHOLE, Scored, requested_scores
from ...words.call_mistakes import answers_mistakes
from ...words.wording import check_at_most, listing, number_of, short, type_of
from ..sampling.draw_weights import generator
from ..sampling.samples import Pairs
from .relations import FEW, Relations, round_scores

LEAST = 3  # classifiers below which nothing can be said
MOST_DRAWN = 100_000  # classifiers around one
MOST = 0.5  # share of classifiers for which a score may be undefined; with more it is left out


@answers_mistakes
def relations(
    measures: Any,
    population: Any,
    averages: str | Iterable[str | None] | None = None,
    *,
    count: int = 500,
    spread: float = 0.5,
    threshold: float = 0.95,
    seed: int = 0,
    undefined: Undefined = "exclude",
) -> Relations:
    """Return how scores are correlated over a population of classifiers, and which few explain the rest.

    ``ix.theory.redundant`` finds scores that are linked by algebra; this finds those that are linked in practice. The answer
    depends on the population, so give the classifiers that you choose between, if there are enough of them. Given one
    evaluation, a population of similar classifiers is drawn around it.

    Parameters
    ----------
    measures : str, Measure, iterable or None
        Measures, their names, formulas, or pairs (measure, average). For a table of scores: names of its columns, or None for
        all.
    population : Evaluation, mapping or iterable of Evaluation, or table
        The classifiers: evaluations, by name or in order; one evaluation, around which classifiers are drawn; or a table of
        scores, ``{"macro f1": values, …}`` or a data frame, with one row for each classifier. Columns of a table whose last
        word is a measure have its direction.
    averages : str or iterable of str, optional
        The averages. Default: of the positive class if there are two classes with a positive one, otherwise micro and macro.
    count : int, default 500
        How many classifiers are drawn around one evaluation.
    spread : float, default 0.5
        How far they are from it, above 0 and at most 1.
    threshold : float, default 0.95
        Kendall's tau from which scores are in one group, and the share of variance from which a score is explained.
    seed : int, default 0
        Seed of the random draws; the same seed gives the same result.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise' is an
        error.

    Returns
    -------
    Relations
        ``.pearson``, ``.spearman``, ``.kendall`` and ``.mutual_information`` of each pair of scores, ``.groups``, ``.order`` and
        ``.linkage`` for a dendrogram, and the ``.smallest`` set that explains the rest.

    Notes
    -----
    A population around one evaluation has as many examples of each true class. For each classifier, each row of rates (with one
    pseudo-example, half right and half wrong) is mixed with being always right, or with guessing by the shares of the
    predictions: by up to ``spread``, drawn half for the classifier and half for each row. Then each predicted class is made
    more or less likely by a factor exp(spread z) with a standard normal z. Finally each row is drawn anew from the Dirichlet
    distribution with these rates times 20/spread, and the counts are drawn from the rates. Where the pairs of classes are not
    known, as for several labels per example, this is done with the two by two table of each class.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.from_confusion([[40, 10, 2], [5, 45, 3], [4, 4, 37]])
    >>> r = ix.inference.relations(["f1", "jaccard", "error_rate", "precision"], ev, "macro", count=200)
    >>> print(r)
    4 scores over 200 classifiers drawn around the one given (spread 0.5, seed 0).
    These rank classifiers almost alike (|tau| ≥ 0.95 within each group): macro error_rate, macro f1 and macro jaccard.
    macro f1 and macro precision explain the rest (rank R² ≥ 0.95); no smaller set does.
      score             group  nearest other     tau   R²
      macro precision   1      macro error_rate  0.83  in the set
      macro error_rate  2      macro f1          0.97  1.00
      macro f1          2      macro jaccard     0.98  in the set
      macro jaccard     2      macro f1          0.98  1.00
    Lower is better, so turned around: macro error_rate.
    """
    _check_numbers(count, spread, threshold)
    if _is_table(population):
        return _compare_columns(*_of_table(measures, population), threshold, seed)
    if hasattr(population, "tally"):
        evaluations = dict(enumerate(perturb_evaluation(population, count, spread, seed)))
        about = f"{count} classifiers drawn around the one given (spread {spread:g}, seed {seed})"
    elif isinstance(population, Iterable):
        evaluations = dict(population) if isinstance(population, Mapping) else dict(enumerate(population))
        about = number_of(len(evaluations), "given classifier")
    else:
        raise TypeError(f"population={short(population)} is {type_of(population)}. Give evaluations, one evaluation, or a table.")
    _check_evaluations(evaluations)
    wanted = _wanted_scores(measures, averages, evaluations)
    if hasattr(population, "tally"):
        _check_drawn(population, wanted)
    rows = [[float(_score(ev, scored, undefined)) for scored in wanted] for ev in evaluations.values()]
    turned = [str(scored) for scored in wanted if scored.measure.better == "lower"]
    table = np.array(rows, float).reshape(len(evaluations), len(wanted))
    return _compare_columns(tuple(evaluations), [*map(str, wanted)], table, turned, about, threshold, seed)


def _check_numbers(count: Any, spread: Any, threshold: Any) -> None:
    if isinstance(count, bool) or not isinstance(count, int) or count < LEAST:
        raise ValueError(f"count={count!r} must be a whole number of classifiers, {LEAST} or more, such as 500.")
    check_at_most("count", count, MOST_DRAWN, "500 classifiers show how scores go together.")
    if isinstance(spread, bool) or not isinstance(spread, int | float) or not 0 < spread <= 1:
        raise ValueError(f"spread={spread!r} must be above 0 and at most 1, such as 0.5.")
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 < threshold <= 1:
        raise ValueError(f"threshold={threshold!r} must be above 0 and at most 1, such as 0.95.")


def _check_evaluations(evaluations: Mapping[Any, Any]) -> None:
    for name, ev in evaluations.items():
        if not hasattr(ev, "tally"):
            raise TypeError(
                f"Classifier {name!r} is not an evaluation: {listing([ev])}. Give ix.evaluate(…) of each, or a table of scores, "
                "{'macro f1': values, …}."
            )
    if len(evaluations) < LEAST:
        raise ValueError(
            f"A population needs {LEAST} classifiers or more, {FEW} to say anything certain; {len(evaluations)} were given. "
            "Give more, or one evaluation around which a population is drawn."
        )
    check_classes(evaluations)


def _wanted_scores(measures: Any, averages: Any, evaluations: Mapping[Any, Any]) -> list[Scored]:
    """Return the scores to compare; a measure that exists only under one average has that one."""
    if averages is None:
        binary = all(ev.positive is not None and len(ev.classes) <= 2 for ev in evaluations.values())
        averages = (BINARY,) if binary else MICRO_AND_MACRO
    named = (averages,) if isinstance(averages, str) else [BINARY if a is None else a for a in averages]
    given = requested_scores(measures, named, matrix=True)
    found = dict.fromkeys(s if s.exists or s.average == WHOLE else Scored(s.measure, s.measure.averages[0]) for s in given)
    if not found:
        raise ValueError(NO_SCORES)
    return [*found]


def _check_drawn(ev: Any, wanted: list[Scored]) -> None:
    """Refuse means over examples where classes are drawn one by one."""
    lost = [str(s) for s in wanted if s.average != WHOLE and find_average(s.average).per == ("example",)]
    if lost and not isinstance(ev.tally.pooled, CrossTable):
        raise ValueError(
            f"{lost[0]} is a mean over examples, but a population around this evaluation is drawn class by class. Give "
            "evaluations of several classifiers, or leave it out."
        )


def _score(ev: Any, scored: Scored, undefined: Undefined) -> Any:
    return ev.score(scored.measure, None if scored.average == WHOLE else scored.average, undefined=undefined)


def _is_table(population: Any) -> bool:
    if hasattr(population, "columns") and not hasattr(population, "tally"):
        return True
    values = [*population.values()] if isinstance(population, Mapping) else []
    return bool(values) and not any(hasattr(x, "tally") for x in values)


def _of_table(measures: Any, table: Any) -> tuple[tuple[int, ...], list[str], Array, list[str], str]:
    columns = {str(name): table[name] for name in (table if isinstance(table, Mapping) else table.columns)}
    wanted = [*columns] if measures is None else [measures] if isinstance(measures, str) else [*map(str, measures)]
    for name in wanted:
        if name not in columns:
            raise ValueError(f"The table has no column {name!r}. Its columns are {listing([*columns])}.")
    try:
        values = [np.asarray(columns[name], float) for name in wanted]
    except (TypeError, ValueError):
        raise TypeError("A table of scores holds numbers: {'macro f1': [0.8, 0.7, …], …}, or evaluations by name.") from None
    if len({v.shape for v in values}) > 1 or any(v.ndim != 1 for v in values):
        raise ValueError("The columns of a table of scores must have the same length, one number for each classifier.")
    if not values or len(values[0]) < LEAST:
        raise ValueError(f"A table of scores needs one column or more, and {LEAST} classifiers or more.")
    turned = [name for name in wanted if (m := MEASURES.get(name.split()[-1] if name.split() else "")) and m.better == "lower"]
    n = len(values[0])
    return tuple(range(n)), wanted, np.stack(values, axis=1), turned, number_of(n, "given classifier")


def _compare_columns(
    classifiers: tuple[Any, ...], names: list[str], table: Array, turned: list[str], about: str, threshold: float, seed: int
) -> Relations:
    """Return the relations of the columns that vary, over the classifiers that have all of them."""
    left_out: dict[str, str] = {}
    undefined = ~np.isfinite(table)
    for name, lost in zip(names, undefined.T, strict=True):
        if lost.mean() > MOST:
            left_out[name] = f"undefined for {lost.sum()} of {len(table)} classifiers"
    kept = [k for k, name in enumerate(names) if name not in left_out]
    whole = ~undefined[:, kept].any(axis=1)
    for k in [*kept]:
        if whole.any() and np.ptp(round_scores(table[whole][:, [k]])) == 0:
            left_out[names[k]] = f"always {table[whole, k][0]:.6g}"
            kept.remove(k)
    whole = ~undefined[:, kept].any(axis=1)
    if whole.sum() < LEAST:
        raise ValueError(
            f"All scores have a value for only {number_of(int(whole.sum()), 'classifier')}, and {LEAST} are needed. Leave out "
            "scores that are often undefined, or give undefined= a number, such as 0."
        )
    present = tuple(classifiers[i] for i in np.flatnonzero(whole))
    gone = tuple(classifiers[i] for i in np.flatnonzero(~whole))
    shown = tuple(names[k] for k in kept)
    return Relations(
        shown,
        table[whole][:, kept],
        present,
        tuple(name for name in turned if name in shown),
        left_out,
        gone,
        threshold,
        about,
        seed,
    )


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
