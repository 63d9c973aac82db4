"""Evaluating labels whose truth is known for some rows only.

Gold labels, judges, designs and known noise, at the door.

>>> import indicatrix as ix
>>> judge, human = [1, 1, 0, 0] * 25, [1, 0, 0, 0] * 5 + [None] * 80
>>> ix.f1(judge, [1, 1, 0, 1] * 25), ix.f1(judge, [1, 1, 0, 1] * 25, gold=human)
(0.8, 0.5)
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from .algebra.arrays import Array
from .encode.containers import read
from .encode.decisions import Scores, check_without_truth, table_of_scores
from .encode.indicator import Indicator
from .encode.matrices import check_columns
from .encode.pairs import check_missing
from .encode.plain_forms import Labels, Table
from .encode.vocabulary import vocabulary
from .encode.weights import check_by, check_row_labels, check_weights
from .settings.cost_matrices import in_order
from .settings.options import Options, Recipe
from .settings.paper_settings import check, requested_settings
from .settings.problem import Problem
from .tally.corrected.by_gold import BY_JUDGE, GIVEN, PREDICTION, ByGold
from .tally.corrected.by_noise import ByErrorRates, ByNoise, as_tables
from .tally.corrected.corrected import Corrected, corrected_tally
from .tally.corrected.judged_rows import CHANCE, EXPECTED, GOLD, JUDGES, OTHERS, PREDICTIONS, STRATUM, JudgedRows, widened
from .tally.tally import Tally
from .words.wording import did_you_mean, listing, short, unknown

UNVERIFIED = {
    "correct": "by their judge and prediction, corrected by the gold labels",
    "post-stratify": "as the gold rows with the same prediction",
    "rogan-gladen": "by their judge, whose error rates the gold rows tell",
}
DESIGN = ("strata", "probabilities", "expected")
MARKERS = {"", "-1", "?", "NA", "N/A", "n/a", "<NA>", "nan", "NaN", "NaT", "null", "NULL", "None"}  # of what is unknown
PLAN = 20  # bits of a number of a stratum that say which one of a plan it is
SLACK = 1e-9  # by which a row of rates may differ from 1
Problems = Callable[[Any, Any, Options], Problem]


@dataclass(frozen=True, eq=False)
class CorrectedProblem:
    """Rows as they were read, what is said about them, and the method that corrects them."""

    rows: JudgedRows
    classes: tuple[Any, ...]
    kind: str
    recipe: Recipe
    facts: dict[str, bool]  # what a tally says about the classes
    method: Any = None

    @cached_property
    def tally(self) -> Tally:
        """The corrected counts of the rows."""
        corrected = Corrected(self.rows.counted(), self.method)
        return corrected_tally(corrected, self.classes, tuple(self.rows.groups), **self.facts)


def count_corrected(y_true: Any, y_pred: Any, options: Options, problem_of: Problems) -> CorrectedProblem:
    """Return what is counted of predictions, from judges and gold labels."""
    if options.gold is options.noise is None and (options.design is not None or options.unverified == "post-stratify"):
        y_true, options = None, options._replace(gold=y_true)  # the labels that are there are true
    check(requested_settings(options._replace(tnorm=None)._asdict()))
    _refuse(options)
    check_row_labels({**_judges(y_true), options.names[1]: y_pred, **options.columns})
    design = _design(options.design)
    found, observed = _read_sides(y_true, y_pred, options, problem_of)
    rows, columns, strata = found.rows, dict(found.rows.columns), ()
    if not isinstance(design.get("strata", ""), str):
        strata, codes = check_by({"strata": design["strata"]}, len(rows), {"strata": "design['strata']"})["strata"]
        columns[STRATUM] = codes[:, None].astype(np.float64)
    if "probabilities" in design:
        columns[CHANCE] = _chances(design["probabilities"], columns[GOLD])
    if "expected" in design:
        columns[EXPECTED] = _expected(design["expected"], rows, found.classes)
    every = replace(rows, columns=columns, strata=strata)
    return replace(found, rows=every if observed is None else every.only(observed), method=_method(options, design, found))


def count_corrected_together(
    y_true: Any, predictions: Sequence[Any], options: Sequence[Options], problem_of: Problems
) -> list[CorrectedProblem]:
    """Return the corrected counts of several predictions of the same rows.

    The distinct rows are those of all.
    """
    found = [count_corrected(y_true, one, how, problem_of) for one, how in zip(predictions, options, strict=True)]
    classes = _joined_classes([one.classes for one in found], all(one.facts["open"] for one in found))
    wide = [one.rows.widen(np.array([classes.index(c) for c in one.classes], np.intp), len(classes)) for one in found]
    sizes = {len(rows) for rows in wide}
    if len(sizes) > 1:
        raise ValueError(f"The predictions were observed on {listing(sorted(sizes))} rows; leave a row out for all of them.")
    every = np.hstack([rows.columns[PREDICTIONS] for rows in wide])
    together = [replace(rows, columns={**rows.columns, OTHERS: every}) for rows in wide]
    return [replace(one, rows=rows, classes=classes) for one, rows in zip(found, together, strict=True)]


def _refuse(options: Options) -> None:
    """Refuse options that do not go together with corrected labels."""
    if (options.gold is None) == (options.noise is None):
        nothing = "design= and unverified= speak of gold labels. Give them: gold=, missing where a row has none."
        both = "gold= and noise= are two corrections of the same labels. Leave one of them out."
        raise ValueError(nothing if options.gold is None else both)
    check_without_truth(options.decide)
    if options.replicates is not None:
        raise ValueError("replicates= keeps samples of counts, and corrected rows have intervals without them. Leave it out.")
    if options.signed_weights:
        raise ValueError("signed_weights=True does not go together with gold= or noise=: a row stands for others like it.")
    if options.noise is not None and not (options.design is options.unverified is None):
        raise ValueError("design= and unverified= speak of gold labels, and noise= needs none. Leave them out.")


def _method(options: Options, design: Mapping[str, Any], found: CorrectedProblem) -> Any:
    """Return how rows are corrected."""
    if options.noise is not None:
        return noise_of(options.noise, found.classes, several=found.rows.several)
    how = options.unverified or "correct"
    if how not in UNVERIFIED:
        raise ValueError(unknown("unverified", how, UNVERIFIED, "Rows without a gold label count in one of these ways:"))
    strata = design.get("strata", PREDICTION)
    strata = strata if isinstance(strata, str) else GIVEN
    if how != "correct" and ("expected" in design or strata == BY_JUDGE or (how == "rogan-gladen" and design)):
        raise ValueError(f"design= has {listing(tuple(design))}, which unverified={how!r} does not use. Leave one of them out.")
    if JUDGES not in found.rows.columns and (how == "rogan-gladen" or strata == BY_JUDGE):
        what = f"design={{'strata': {strata!r}}}" if strata == BY_JUDGE else f"unverified={how!r}"
        raise ValueError(f"{what} asks what a judge says. Give the labels of a judge as y_true, and the true ones as gold=.")
    return ByErrorRates() if how == "rogan-gladen" else ByGold(strata, judged=how == "correct")


def _design(design: Any) -> Mapping[str, Any]:
    """Return how gold rows were chosen, by name; a plan says it by its attributes."""
    if design is None:
        return {}
    if not isinstance(design, Mapping):
        named = {name: getattr(design, name) for name in DESIGN if getattr(design, name, None) is not None}
        if not named or hasattr(design, "shape"):
            raise TypeError(
                f"design={short(design)} does not say what it holds. Name it: design={{'strata': ids}} for strata within which "
                "the gold rows were chosen at random, {'probabilities': p} for the chance of each row to be chosen, or "
                "{'expected': P} for labels that are expected."
            )
        if hasattr(design, "turn"):  # a plan
            named["strata"] = names_of_strata(design.strata)
        design = named
    odd = [name for name in design if name not in DESIGN]
    if odd:
        raise ValueError(
            f"design= names {listing(odd)}; it may have {listing(DESIGN)}. {did_you_mean(str(odd[0]), DESIGN)}".strip()
        )
    strata = design.get("strata")
    if isinstance(strata, str) and strata not in (PREDICTION, BY_JUDGE):
        raise ValueError(f"design={{'strata': {strata!r}}} is unknown. Use 'prediction', 'judge', or one stratum for each row.")
    return {name: given for name, given in design.items() if given is not None}


def names_of_strata(strata: Array) -> Array:
    """Return the strata of a plan by numbers that those of other plans do not have."""
    return np.asarray((zlib.crc32(strata.tobytes()) << PLAN) + strata)


def _read_sides(y_true: Any, y_pred: Any, options: Options, problem_of: Problems) -> tuple[CorrectedProblem, Array | None]:
    """Return predictions, judges and gold labels on the classes of all, and which rows were observed.

    They are read one by one, as ``evaluate`` reads labels.
    """
    _, of_pred = check_missing(options.missing)
    if of_pred == "mask":
        raise ValueError(
            "missing='mask' leaves predictions out too, and gold= and noise= need one for each row. missing=('mask', 'error') "
            "leaves out labels only; drop the rows without a prediction."
        )
    plain = options._replace(gold=None, design=None, unverified=None, by=None, sample_weight=None, moments=None)
    given = {name: (one, plain._replace(names=(name, options.names[1]))) for name, one in _judges(y_true).items()}
    if options.gold is not None:
        given["gold"] = options.gold, plain._replace(missing=("mask", of_pred), names=("gold", options.names[1]))
    found = [problem_of(one, y_pred, how) for one, how in given.values()]
    if not found:
        raise ValueError("noise= says how the labels of y_true go wrong, and y_true is None. Give the labels.")
    open_, several = all(p.pair.open for p in found), found[0].kind != "multiclass"
    whole = next((p for p in found if p.pair.rows is None), None) or _with_any_truth(y_pred, found[0], plain, problem_of)
    if options.gold is not None and options.classes is None:
        _check_markers(found[-1], found[:-1], whole)
    sets = [p.pair.y.classes for p in (*found, whole)]
    classes = sets[0] if all(one == sets[0] for one in sets) else _joined_classes(sets, open_)
    columns, sides = {PREDICTIONS: _column(whole, whole.pair.yhat, classes)}, [_column(p, p.pair.y, classes) for p in found]
    if options.gold is not None:
        columns[GOLD] = sides.pop()
    if sides:
        columns[JUDGES] = np.hstack(sides)
    _check_range(columns, several, whole)
    kind = "soft" if any(p.kind == "soft" for p in found) else found[0].kind
    facts = {"open": open_ and options.noise is None, "ordered": all(p.pair.ordered for p in found)}
    recipe = whole.recipe if len(found) == 1 else found[0].recipe
    how = {"gold": UNVERIFIED.get(options.unverified or "correct", "")} if options.gold is not None else {"noise": "undone"}
    n = len(columns[PREDICTIONS])
    rows = JudgedRows.of(len(classes), columns, check_weights(options.sample_weight, n), several=several)
    rows = rows.regrouped((), check_by(options.by, n))
    return CorrectedProblem(rows, classes, kind, recipe.with_task(**how), facts), observed_rows(whole)


def _check_markers(gold: Problem, judges: list[Problem], predicted: Problem) -> None:
    """Refuse gold classes that only mark what is unknown."""
    side = predicted.pair.yhat  # its classes are those of both sides
    single = predicted.kind == "multiclass"
    hits = [side.classes[k] for k in np.unique(np.asarray(side.codes)).tolist() if k >= 0] if single else side.classes
    refuse_markers(gold.pair.y.classes, {*hits, *(label for p in judges for label in p.pair.y.classes)})


def refuse_markers(gold: Iterable[Any], known: Container[Any]) -> None:
    """Refuse -1 and texts such as "" and "NA" as gold classes that no judge and no prediction has.

    This is how other programs mark what is unknown.

    >>> refuse_markers(["yes", "no", "?"], {"yes", "no", "?"})
    """
    for label in gold:
        marks = label.strip() in MARKERS if isinstance(label, str) else label == -1
        if marks and label not in known:
            raise ValueError(
                f"gold= has the label {label!r}, which no judge and no prediction has. If it marks rows without a gold label, "
                "put None or NaN there, in a file nothing; if it is a class, name all classes with classes=."
            )


def _judges(y_true: Any) -> dict[str, Any]:
    """Return the labels of each judge, by what errors call them.

    They are in the order of the names, as those of every batch that is added.
    """
    if isinstance(y_true, Mapping) and not hasattr(y_true, "columns"):
        if not y_true:
            raise ValueError("y_true={} names no judge. Give y_true=None if there is none.")
        return {f"y_true[{name!r}]": y_true[name] for name in sorted(y_true, key=str)}
    return {} if y_true is None else {"y_true": y_true}


def _joined_classes(sets: list[tuple[Any, ...]], open_: bool) -> tuple[Any, ...]:
    """Return the classes of all sides."""
    if open_:
        return vocabulary({label for one in sets for label in one}, "gold")
    widest = max(sets, key=len)
    for one in sets:
        odd = [label for label in one if label not in widest]
        if odd:
            raise ValueError(
                f"Judges, predictions and gold labels have different classes: {listing(odd)} is not in {listing(widest)}. "
                "Give classes=; several judges have names: {'a': labels, 'b': labels}."
            )
    return widest


def _with_any_truth(y_pred: Any, known: Problem, plain: Options, problem_of: Problems) -> Problem:
    """Return the problem of all predictions, with a truth that is not read.

    ``known`` is that of some rows.
    """
    n, own = len(read(y_pred, plain.names[1])), known.pair.y.classes
    if known.kind == "multiclass" or known.pair.open:
        return problem_of([next(iter(own), 0) if known.kind == "multiclass" else set()] * n, y_pred, plain)
    return problem_of(np.zeros((n, len(own)), bool if plain.tnorm is None else np.float64), y_pred, plain)


def _column(problem: Problem, side: Any, classes: tuple[Any, ...]) -> Array:
    """Return one side as a column of codes or a matrix, on the classes of all.

    Nan where nothing is known.
    """
    pair, several = problem.pair, problem.kind != "multiclass"
    own = np.asarray(side.matrix if several else side.codes[:, None], np.float64)
    if several and side is pair.y and pair.cells is not None:
        own = np.where(pair.cells, own, np.nan)
    if side.classes != classes:
        own = widened(own, np.array([classes.index(c) for c in side.classes], np.intp), len(classes), several)
    out = np.full((pair.n, own.shape[1]), np.nan)
    out[slice(None) if pair.rows is None else pair.rows] = own
    return out


def observed_rows(problem: Problem) -> Array | None:
    """Return which rows a mask leaves; a mask of entries is refused."""
    if problem.mask is None:
        return None
    if problem.mask.shape[1] > 1:
        raise ValueError("mask= hides entries of rows, which are corrected as a whole. Give one flag for each row.")
    return np.asarray(problem.mask[:, 0])


def _check_range(columns: dict[str, Array], several: bool, problem: Problem) -> None:
    """Refuse memberships on both sides under a t-norm that is not linear."""
    if not several or problem.norm is None or repr(problem.norm) == "product":
        return
    hit = columns[PREDICTIONS]
    if not ((hit == 0) | (hit == 1)).all():
        raise ValueError(
            f"gold= corrects memberships under the product, or of predictions that are 0 or 1; these are memberships, and "
            f"tnorm={problem.norm!r} is not linear in the truth. Use tnorm='product', or decide=."
        )


def _chances(given: Any, gold: Array) -> Array:
    """Return the probability of each row to be chosen for a gold label."""
    form = read(given, "design['probabilities']")
    chance = np.asarray(form.values if isinstance(form, Labels) and form.categories is None else None)
    if chance.dtype.kind not in "biuf" or len(chance) != len(gold):
        raise ValueError(f"design['probabilities'] has one number above 0 and at most 1 for each of {len(gold):,} rows.")
    known = ~np.isnan(gold).all(axis=1)
    bad = known & ~((chance > 0) & (chance <= 1))
    if bad.any():
        at = int(bad.argmax())
        raise ValueError(
            f"design['probabilities'][{at}] is {chance[at]}, and row {at} has a gold label. It is a number above 0 and at most 1."
        )
    return np.where(known, chance, 1.0)[:, None]  # of the others only that they were not chosen matters


def _expected(given: Any, rows: JudgedRows, classes: tuple[Any, ...]) -> Array:
    """Return the labels that rows are expected to have, rows x classes."""
    n, m = len(rows), rows.m
    rated = isinstance(given, Indicator)  # the memberships that raters tell
    values, names, _ = Scores(given.matrix, given.classes, given) if rated else table_of_scores(given, "design['expected']")
    if names and {*names} == {*classes}:
        values = values[:, [names.index(c) for c in classes]]
    elif names:
        check_columns(Table(values, names), classes, "design['expected']")
    wide = np.hstack([1 - values, values]) if names is None and m == 2 else values  # of the second of two classes
    if wide.shape != (n, m) or not ((values >= 0) & (values <= 1)).all():
        raise ValueError(
            f"design['expected'] has shape {values.shape} and numbers from {values.min(initial=np.inf):g} to "
            f"{values.max(initial=-np.inf):g}, not {n:,} rows of numbers from 0 to 1 for the classes {listing(classes)}."
        )
    return wide if rows.several else wide / np.maximum(wide.sum(axis=1, keepdims=True), 1e-300)


def noise_of(noise: Any, classes: tuple[Any, ...], *, several: bool) -> ByNoise:
    """Return the correction of labels by error rates.

    ``noise`` has a row for each true class with the share of its rows that is seen as each class; of several labels, two rows for
    absent and present, or such a table for each class. An evaluation of seen labels against the truth has the counts of both, and
    how sure the rates are then counts in every interval.

    >>> noise_of([[0.9, 0.1], [0.2, 0.8]], (0, 1), several=False).rates
    (((0.9, 0.1), (0.2, 0.8)),)
    """
    if hasattr(type(noise), "tally"):
        counts = _counts(noise, classes, several)
        rates = counts / counts.sum(axis=2, keepdims=True)
        return ByNoise(as_tables(rates), as_tables(counts))
    return ByNoise(as_tables(_rates(noise, classes, several)))


def _rates(noise: Any, classes: tuple[Any, ...], several: bool) -> Array:
    """Return the tables of rates, one for all labels or one for each class."""
    ordered = in_order(noise, (0, 1) if several else classes, "noise")
    try:
        tables = np.array(ordered, np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"noise={short(noise)} is not a table of numbers: a row for each true class, such as [[0.9, 0.1], [0.2, 0.8]]."
        ) from None
    tables = tables[None] if tables.ndim == 2 else tables
    m = 2 if several else len(classes)
    if tables.shape not in ((1, m, m), (len(classes) if several else 1, m, m)):
        of = "absent and present, 2 x 2, or one such table for each class" if several else f"the classes {listing(classes)}"
        raise ValueError(
            f"noise= has the shape {np.shape(noise)}, and a table of {of} is needed. classes= fixes the classes. If rates are "
            "only known to lie between two numbers, ev.bounds(…, noise=(0, 0.1)) has the bounds of a score."
        )
    bad = ~(np.isfinite(tables) & (tables >= 0)).all(axis=2) | (np.abs(tables.sum(axis=2) - 1) > SLACK)
    if bad.any():
        k, row = np.argwhere(bad)[0].tolist()
        raise ValueError(f"Row {row} of noise= is {tables[k, row].tolist()}: it holds shares of one true class, which sum to 1.")
    return tables


def _counts(noise: Any, classes: tuple[Any, ...], several: bool) -> Array:
    """Return how often each true class was seen as each, from an evaluation of seen labels."""
    if set(noise.classes) != set(classes):
        raise ValueError(
            f"noise= was evaluated on the classes {listing(noise.classes)}, and here they are {listing(classes)}. Give "
            "both classes=."
        )
    at = [noise.classes.index(c) for c in classes]
    if several:
        tp, fp, fn, tn = (np.asarray(x, np.float64)[at] for x in noise.aggregate("class"))
        counts = np.stack([np.stack([tn, fp], axis=1), np.stack([fn, tp], axis=1)], axis=1)
    else:
        counts = np.asarray(noise.confusion, np.float64)[None][:, at][:, :, at]
    if (counts.sum(axis=2) == 0).any():
        k, row = np.argwhere(counts.sum(axis=2) == 0)[0].tolist()
        raise ValueError(
            f"noise= has no example of {classes[k if several else row]!r} whose truth is known, so its error rates are not."
        )
    return counts
