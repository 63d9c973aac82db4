"""Rows with scores but without labels, and rows of a reference with labels, on the same classes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..algebra.arrays import Array
from ..encode.containers import read
from ..encode.decisions import Scores, check_without_truth, picks_one_class, table_of_scores
from ..encode.matrices import check_columns
from ..encode.plain_forms import Labels, Table
from ..encode.vocabulary import check_classes
from ..encode.weights import check_row_labels
from ..evaluate import problem_of
from ..settings.options import Options, Recipe
from ..settings.problem import Problem
from ..words.wording import listing, short

SCORES, PREDICTIONS, REFERENCE = "y_proba", "y_pred", "reference"
LEAST = 10  # reference rows in a stratum
ROUNDING = 1e-3  # of probabilities that are to sum to 1
WAYS = "y_pred= with the predictions, or decide= with the rule that makes them of the scores, such as 'argmax' or 0.5"


class Rows(NamedTuple):
    """Predictions as codes, m for no class, and the score that each was given."""

    prediction: Array
    score: Array


class ScoredRows(NamedTuple):
    """Predictions, scores and, of a reference, labels."""

    classes: tuple[Any, ...]
    several: bool  # rows may have several labels
    kind: str
    recipe: Recipe
    predictions: Array  # codes, -1 for no class; of several labels a 0/1 matrix
    scores: Array  # rows x classes; one column where one class of two is scored
    positive: int | None  # the class of a single column of scores
    labels: Array | None = None  # codes, or a matrix

    @property
    def columns(self) -> int:
        """How many columns of labels there are: one, or one for each of several labels."""
        return len(self.classes) if self.several else 1

    def in_columns(self, labels: Array) -> Array:
        """Return codes as one column, and a matrix as it is."""
        return labels.reshape(len(labels), self.columns)

    def column(self, j: int) -> Rows:
        """Return the predictions of a column of labels, and the score that each was given."""
        m = len(self.classes)
        if self.several:
            return Rows(self.predictions[:, j].astype(np.intp), self.scores[:, j])
        own = np.where(self.predictions < 0, m, self.predictions)
        if self.positive is not None:
            return Rows(own, np.where(self.predictions == self.positive, 1, -1) * self.scores[:, 0])
        at = np.where(self.predictions < 0, self.scores.argmax(axis=1), self.predictions)
        return Rows(own, self.scores[np.arange(len(own)), at])

    @property
    def probabilities(self) -> Array:
        """The probability of each class, checked, rows x classes."""
        p = self.scores
        if self.positive is not None:
            p = np.hstack([1 - p, p] if self.positive else [p, 1 - p])
        bad = ~((p >= 0) & (p <= 1))
        if bad.any():
            i, j = map(int, np.argwhere(bad)[0])
            raise ValueError(
                f"{SCORES} has {p[i, j]:.6g} in row {i}, which is not a probability. Without reference= probabilities are taken "
                "as they are; with reference=(labels, scores) any score is used."
            )
        odd = np.flatnonzero(np.abs(p.sum(axis=1) - 1) > ROUNDING)
        if not self.several and len(odd):
            raise ValueError(
                f"The probabilities of row {odd[0]} of {SCORES} sum to {p[odd[0]].sum():.6g}, not to 1. Divide each row by its "
                "sum, or give y_pred as a 0/1 matrix if a row may have several labels."
            )
        return p if self.several else p / p.sum(axis=1, keepdims=True)


def read_both(y_proba: Any, y_pred: Any, reference: Any, asked: Options) -> tuple[ScoredRows, ScoredRows | None]:
    """Return rows without labels and, if there is one, the reference, on the classes of both."""
    if (y_pred is None) == (asked.decide is None):
        given = "Neither y_pred= nor decide= is" if y_pred is None else "Both y_pred= and decide= are"
        raise TypeError(f"{given} given. Give {WAYS}.")
    check_row_labels({SCORES: y_proba, PREDICTIONS: y_pred})
    check_without_truth(asked.decide)
    y_pred, scores = None if y_pred is None else read(y_pred, PREDICTIONS), table_of_scores(y_proba, SCORES)
    if asked.classes is not None:
        asked = asked._replace(classes=check_classes(asked.classes))
        _check_names(scores, asked.classes, SCORES)
    elif scores.names:
        asked = asked._replace(classes=scores.names)
    if reference is None:
        return _rows(scores, y_pred, asked._replace(classes=_classes(scores, y_pred, asked))), None
    labels, own, predicted = _parts(reference, y_pred, scores, asked)
    names = (f"{REFERENCE}[0]", f"{REFERENCE}[{2 if y_pred is not None else 1}]")
    made = problem_of(labels, own.given if y_pred is None else predicted, asked._replace(names=names))
    if not made.n:
        raise ValueError(f"{REFERENCE}= has no rows, so it says nothing. Leave it out, and probabilities are taken as they are.")
    _check_names(own, made.pair.y.classes, f"{REFERENCE}[1]")
    asked = asked._replace(classes=made.pair.y.classes)
    target, found = _rows(scores, y_pred, asked), _of_problem(made, own, asked)
    truth = np.asarray(made.pair.y.matrix if found.several else made.pair.y.codes)
    if found.several != target.several or (truth < 0).any():
        raise ValueError(f"{REFERENCE}= and the rows without labels must both have one label for each row, or both several.")
    return target, found._replace(labels=truth)


def _check_names(scores: Scores, classes: tuple[Any, ...], argument: str) -> None:
    """Refuse columns of scores that are named as other classes."""
    if scores.names:
        check_columns(Table(scores.table, scores.names), classes, argument)


def _parts(reference: Any, y_pred: Any, scores: Scores, asked: Options) -> tuple[Any, Scores, Any]:
    """Return labels, scores and predictions of the reference.

    Predictions follow from scores as those of the other rows do.
    """
    parts = tuple(reference) if isinstance(reference, tuple | list) else ()
    if len(parts) not in (2, 3):
        raise TypeError(
            f"{REFERENCE}={short(reference)} is not (labels, scores), or (labels, scores, predictions), of labeled rows."
        )
    own = table_of_scores(parts[1], f"{REFERENCE}[1]")
    if len(parts) == 3 or y_pred is None:
        return parts[0], own, parts[2] if len(parts) == 3 else None
    found = _decided_alike(y_pred, scores, own, asked)
    if found is None:
        raise ValueError(
            f"No argmax and no threshold of {SCORES} makes {PREDICTIONS}, so the predictions of the reference are not known. "
            f"Give {REFERENCE}=(labels, scores, predictions), or decide= in the place of y_pred."
        )
    return parts[0], own, found


def _decided_alike(form: Any, scores: Scores, own: Scores, asked: Options) -> Any:
    """Return predictions of the reference by the rule that makes those of ``form`` of scores.

    None if no rule is found that we know.
    """
    if len(form) != len(scores.table) or own.table.shape[1] != scores.table.shape[1]:
        return None
    if not isinstance(form, Labels):
        cuts = _thresholds(form.values > 0, scores.table) if isinstance(form, Table) else None
        return None if cuts is None else (own.table >= cuts).astype(np.intp)
    names, codes = _coded(form)
    if scores.names is None:  # one score: of the two labels, one has the higher scores
        means = [scores.table[codes == k].mean() if (codes == k).any() else np.nan for k in range(len(names))]
        seen = [k for k in np.argsort(means).tolist() if means[k] == means[k]]
        cuts = _thresholds((codes == seen[-1])[:, None], scores.table) if len(seen) == 2 else None
        return None if cuts is None else Labels(np.where(own.table[:, 0] >= cuts[0], seen[1], seen[0]), names)
    classes = _classes(scores, form, asked)
    places = np.array([classes.index(c) if c in classes else -1 for c in names])
    return Labels(own.table.argmax(axis=1), classes) if (places[codes] == scores.table.argmax(axis=1)).all() else None


def _coded(form: Labels) -> tuple[tuple[Any, ...], Array]:
    """Return the labels that may occur, and which of them each row has."""
    if form.categories is not None:
        return form.categories, np.asarray(form.values)
    found, codes = np.unique(np.asarray(form.values), return_inverse=True)
    return tuple(found.tolist()), codes


def _thresholds(hits: Array, scores: Array) -> Array | None:
    """Return the lowest score of a hit in each column, if all others are lower."""
    if hits.shape != scores.shape:
        return None
    cuts = np.min(scores, axis=0, where=hits, initial=np.inf)
    below = np.max(scores, axis=0, where=~hits, initial=-np.inf)
    return cuts if bool((np.isfinite(cuts) & np.isfinite(below) & (below < cuts)).all()) else None


def _classes(scores: Scores, form: Any, asked: Options) -> tuple[Any, ...]:
    """Return the classes that are named; otherwise those that predictions and the number of columns tell."""
    if asked.classes is not None:
        return check_classes(asked.classes)
    seen = set(_coded(form)[0]) if isinstance(form, Labels) else set()
    m = 2 if scores.names is None else scores.table.shape[1]
    if seen <= set(range(m)):
        return (False, True) if seen and all(isinstance(c, bool) for c in seen) else tuple(range(m))
    raise ValueError(
        f"Predictions are {listing(sorted(seen, key=str))}; which classes do the scores speak for? Give classes= in the order of "
        f"the columns{', and positive= with the class that is scored' if scores.names is None else ''}."
    )


def _rows(scores: Scores, y_pred: Any, asked: Options) -> ScoredRows:
    """Return rows without labels: they are read next to labels that nobody looks at."""
    n, m = len(scores.table), len(asked.classes)
    single = isinstance(y_pred, Labels) or (y_pred is None and (scores.names is None or picks_one_class(asked.decide)))
    nothing: Any = Labels(np.zeros(n, np.intp), tuple(asked.classes), declared=True) if single else np.zeros((n, m), bool)
    options = asked._replace(names=(SCORES, SCORES if y_pred is None else PREDICTIONS))
    return _of_problem(problem_of(nothing, scores.given if y_pred is None else y_pred, options), scores, asked)


def _of_problem(made: Problem, scores: Scores, asked: Options) -> ScoredRows:
    """Return the rows of a problem with their scores."""
    pair, several, table = made.pair, made.kind != "multiclass", scores.table
    classes = pair.y.classes
    hits = np.asarray(pair.yhat.matrix if several else pair.yhat.codes)
    positive = _positive(classes, asked.positive) if scores.names is None else None
    if len(table) != len(hits) or (positive is None and table.shape[1] != len(classes)):
        raise ValueError(
            f"There are {len(table):,} rows of scores in {table.shape[1]} columns for {len(hits):,} predictions of "
            f"{len(classes)} classes ({listing(classes)}). Give one row for each prediction and one column for each class."
        )
    return ScoredRows(classes, several, made.kind, made.recipe, hits, table, positive)


def _positive(classes: tuple[Any, ...], positive: Any) -> int:
    """Return which of two classes a single score speaks for."""
    if len(classes) != 2:
        raise ValueError(f"One score for each row speaks for one of two classes; the classes are {listing(classes)}.")
    if positive is None and not set(classes) <= {0, 1}:
        raise ValueError(f"Which class do the scores speak for? Give positive={classes[1]!r} or positive={classes[0]!r}.")
    return classes.index(1 if positive is None else positive)


def strata_of(target: Rows, reference: Rows, bins: int) -> tuple[Array, Array, Array]:
    """Return the stratum of each row of two samples, and what is predicted in each stratum.

    A stratum has rows with one prediction, which are divided into up to so many parts, cut at quantiles of the reference.

    >>> few = Rows(np.array([0, 1, 1]), np.array([0.2, 0.6, 0.9]))
    >>> own, reference, prediction = strata_of(few, Rows(np.repeat([0, 1], 20), np.linspace(0, 1, 40)), 2)
    >>> own.tolist(), reference[::10].tolist(), prediction.tolist()
    ([0, 2, 3], [0, 1, 2, 3], [0, 0, 1, 1])
    """
    places = [np.zeros(len(rows.prediction), np.intp) for rows in (target, reference)]
    predictions: list[int] = []
    for k in np.unique(np.concatenate([target.prediction, reference.prediction])).tolist():
        own = reference.score[reference.prediction == k]
        parts = min(max(len(own) // LEAST, 1), bins)
        edges = np.unique(np.quantile(own, np.arange(1, parts) / parts)) if parts > 1 else np.zeros(0)
        edges = edges[edges > own.min()] if len(edges) else edges  # nothing lies below the lowest score
        for place, rows in zip(places, (target, reference), strict=True):
            here = rows.prediction == k
            place[here] = len(predictions) + np.searchsorted(edges, rows.score[here], side="right")
        predictions += [k] * (len(edges) + 1)
    return places[0], places[1], np.array(predictions, np.intp)
