"""Scores without labels: what probabilities or labeled rows of elsewhere lead to expect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..encode.weights import check_by, check_row_labels, check_weights, read_groupings
from ..evaluate import check_positive
from ..evaluation import Evaluation
from ..settings.options import Options
from ..tally.corrected.by_reference import SHIFTS, ByProbabilities, ByReference, Reference
from ..tally.corrected.corrected import Corrected, corrected_tally
from ..tally.corrected.judged_rows import EXPECTED, PREDICTIONS, STRATUM, JudgedRows
from ..words.call_mistakes import answers_mistakes
from ..words.wording import check_whole, unknown
from .scored_rows import PREDICTIONS as PREDICTED
from .scored_rows import SCORES, ScoredRows, read_both, strata_of

STRATA = 5
MEANT = {
    "covariate": "what a score says about the truth is as in the reference",
    "label": "how the rows of each class score is as in the reference, and only the shares of classes may differ",
}


@answers_mistakes
def expected(
    y_proba: Any,
    y_pred: Any = None,
    *,
    decide: Any = None,
    reference: Any = None,
    shift: str = "covariate",
    strata: int = STRATA,
    classes: Any = None,
    positive: Any = None,
    sample_weight: Any = None,
    by: Mapping[str, Any] | None = None,
) -> Evaluation:
    """Return the evaluation that is expected of predictions without labels.

    With ``reference=``, rows are divided into strata of prediction and score, and labeled rows show how often each stratum is
    right: no calibrator has to be trusted, and every interval accounts for how few labeled rows there are. Without it, the
    probabilities are taken at face value. Intervals are for the score in the population that the rows come from.

    Parameters
    ----------
    y_proba : array-like
        One probability of the positive class for each row, or a table with a column for each class. With ``reference=`` any
        scores.
    y_pred : array-like, optional
        What was predicted: labels, or a 0/1 matrix or sets where rows have several labels.
    decide : str, number or rule, optional
        In the place of y_pred: the rule that makes predictions of the scores, as ``ix.evaluate`` takes it.
    reference : tuple, optional
        (labels, scores) of labeled rows that the classifier was not trained on, or (labels, scores, predictions).
    shift : str, default 'covariate'
        What stays as in the reference. "covariate": what a score says about the truth. "label": how the rows of each class score;
        the shares of classes are then those that make the new scores most likely.
    strata : int, default 5
        Into how many parts, by score, the rows with each prediction are divided. 1 uses predictions alone.
    classes : iterable, optional
        The classes, in the order of the columns of scores.
    positive : label, optional
        The positive class; averages are then optional. Labels 0/1 and False/True have 1 and True.
    sample_weight : array-like, optional
        One weight for each row.
    by : mapping or data frame, optional
        Groupings of the rows, each an axis, as ``ix.evaluate`` takes them.

    Returns
    -------
    Evaluation
        Expected counts with their spread: scores, intervals, tables, groups and comparisons follow.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.expected([0.75, 1.0, 0.25, 0.0], decide=0.5)
    >>> ev.binary(), ev.score("precision")
    (Counts(tp=1.75, fp=0.25, fn=0.25, tn=1.75), 0.875)
    >>> labels, scores = [0, 0, 1, 0, 1, 1, 0, 1] * 20, [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9] * 20
    >>> checked = ix.expected([0.9, 0.8, 0.3, 0.1] * 50, decide=0.5, reference=(labels, scores), strata=1)
    >>> checked.interval("precision")
    0.75 [0.645, 0.832] (95%, score)
    """
    if shift not in SHIFTS:
        raise ValueError(unknown("shift", shift, MEANT, "Choose"))
    if reference is None and shift != "covariate":
        raise ValueError(
            f"shift={shift!r} needs reference=(labels, scores): without labeled rows nothing says how classes score."
        )
    asked = Options(positive, classes, decide)
    target, known = read_both(y_proba, y_pred, reference, asked)
    asked = asked._replace(sample_weight=sample_weight, by=read_groupings(by))
    check_row_labels({SCORES: y_proba, PREDICTED: y_pred, **asked.columns})
    return expected_of(target, known, shift, strata, asked)


def expected_of(target: ScoredRows, known: ScoredRows | None, shift: str, strata: int, asked: Options) -> Evaluation:
    """Return the evaluation that is expected of rows that were read."""
    if known is None:
        method: Any = ByProbabilities()
        rows = unlabeled_rows(target, {EXPECTED: target.probabilities}, (), asked.sample_weight)
    else:
        codes, made = divided(target, known, strata)
        method, names = ByReference(shift, made), tuple(range(max(map(len, made.predictions))))
        rows = unlabeled_rows(target, {STRATUM: codes}, names, asked.sample_weight)
    groups = check_by(asked.by, len(target.predictions))
    facts = {"open": False, "ordered": asked.classes is not None}
    tally = corrected_tally(Corrected(rows.regrouped((), groups).counted(), method), target.classes, tuple(groups), **facts)
    recipe = target.recipe.with_task(expected=MEANT[shift] if known is not None else "probabilities are calibrated")
    kind = "counts" if target.several else target.kind  # nothing is known of single rows
    return Evaluation(tally, kind, check_positive(asked.positive, tally), recipe)


def unlabeled_rows(target: ScoredRows, columns: Mapping[str, Any], strata: tuple[Any, ...], sample_weight: Any) -> JudgedRows:
    """Return rows without labels with further columns, each row by itself and in the order of the data."""
    own = {PREDICTIONS: target.in_columns(target.predictions), **columns}
    weights = check_weights(sample_weight, len(target.predictions))
    return JudgedRows.of(len(target.classes), own, weights, several=target.several, strata=strata)


def divided(target: ScoredRows, reference: ScoredRows, strata: int) -> tuple[Any, Reference]:
    """Return the stratum of each row in each column of labels, and the reference in the same strata."""
    check_whole("strata", strata, 1)
    found = (strata_of(target.column(j), reference.column(j), strata) for j in range(target.columns))
    own, known, predictions = zip(*found, strict=True)
    assert reference.labels is not None
    labels = reference.in_columns(reference.labels).astype(np.intp)
    return np.stack(own, axis=1), Reference.of(np.stack(known, axis=1), labels, predictions)
