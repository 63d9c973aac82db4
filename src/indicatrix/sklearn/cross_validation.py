"""Cross-validation: one evaluation of all test predictions, with the fold as an axis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.score import Undefined
from ..encode.containers import is_table
from ..evaluate import OPTION_NAMES, evaluate
from ..evaluation import Evaluation
from ..inference.folds.interval import fold_interval
from ..inference.intervals.interval import Interval
from ..scores.score_input import OF_SWEEPS
from ..scores.scored import Scored, without_scores
from ..scores.thresholds.sweep import Sweep, sweep
from ..tally.tally import FOLD, REPEAT, RETEST
from ..tasks.folds import Folds
from ..words.call_mistakes import answers_mistakes
from ..words.names_elsewhere import refuse_unknown
from ..words.wording import no_attribute
from .call_checks import find_classes, is_threshold, method_caller, need_scikit_learn, predict_scores, target_options
from .fold_predictions import FoldPredictions, paired_difference
from .targets import check_lengths

HINTS = {
    "scoring": "it returns the evaluation, which has every measure: .evaluation.score('f1', 'macro')",
    "average": "an average belongs to a score: .evaluation.score('f1', 'macro')",
    **dict.fromkeys(("measure", "measures", "metric", "metrics"), "its result has every score: .score('f1', 'macro')"),
    "fit_params": "it is called params=",
    "return_estimator": "the result has them: .estimators",
    "by": "give the groups that splits respect with groups=; the fold is the axis 'fold'",
    "mask": "leave out the examples before",
}

_EVALUATION = "It is a method of .evaluation, which has all test predictions."
_FOLDS = ".folds('f1', 'macro') has the scores of the folds, and .interval('f1', 'macro') their mean."
OTHER_ATTRIBUTES = {  # what people look for, and where it is
    **dict.fromkeys(("save", "to_html", "report", "table", "plot", "findings", "compare_groups"), _EVALUATION),
    **dict.fromkeys(("scores", "mean", "std", "values", "test_score"), _FOLDS),
    **dict.fromkeys(("best_estimator_", "estimator", "models"), ".estimators has the fitted estimator of each fold."),
}


KEEPS_THEM = "cross_validate(…, scores=True) keeps them"


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class CrossValidation:
    """The result of a cross-validation: the evaluation of all test predictions, and what made them.

    Attributes
    ----------
    evaluation : Evaluation
        All test predictions together, with the axis "fold"; "repeat" if folds are repeated; "retest" if they overlap.
    estimators : tuple
        The fitted estimator of each fold.
    indices : tuple of tuple
        The positions of the training and of the test examples of each fold.
    sweep : Sweep or None
        Labels and scores with the same axes, for areas and curves; None unless scores=True.
    tested : FoldPredictions or None
        The labels and predictions of all tests in the order of ``indices``, by which classifiers are compared example by example.
    """

    evaluation: Evaluation
    estimators: tuple[Any, ...]
    indices: tuple[tuple[Any, Any], ...]
    sweep: Sweep | None = None
    tested: FoldPredictions | None = None

    @property
    def test_share(self) -> float:
        """The share of the data that is tested on at a time, as ``ix.inference.fold_interval`` takes it."""
        return float(np.mean([len(test) / (len(train) + len(test)) for train, test in self.indices]))

    def difference_from(
        self, other: CrossValidation, measure: Any, average: Any = None, *, undefined: Undefined = "exclude"
    ) -> tuple[float, float]:
        """Return the difference of the pooled score from another cross-validation, and its variance.

        The predictions of each example are paired; those of repeated tests of an example are one observation.
        ``ix.inference.compare_folds(…, method="cv_clt")`` tests it.

        Parameters
        ----------
        other : CrossValidation
            Tested on the same examples in the same folds.
        measure : str or Measure
            A measure, its name, or a formula.
        average : str, optional
            How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        tuple of float
            The difference and its variance.

        Examples
        --------
        >>> import indicatrix as ix
        >>> from sklearn.dummy import DummyClassifier
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = [[0.0], [1.0], [0.1], [0.8]] * 25, [0, 1, 0, 1] * 25
        >>> one, two = (ix.cross_validate(model, X, y, cv=5) for model in (GaussianNB(), DummyClassifier()))
        >>> value, variance = one.difference_from(two, "accuracy")
        >>> value, round(variance, 4)
        (0.5, 0.0026)
        """
        return paired_difference(self, other, measure, average, undefined)

    def folds(self, measure: Any, average: str | None = None, *, undefined: Undefined = "exclude") -> Folds:
        """Return the pooled score and the scores of the folds.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula; an area such as "auc", or a loss such as "brier", if
            ``scores=True`` kept the scores.
        average : str, optional
            How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        Folds
            What ``ev.folds`` returns; ``ix.inference.compare_folds`` takes it.

        Examples
        --------
        >>> import indicatrix as ix
        >>> from sklearn.naive_bayes import GaussianNB
        >>> ix.cross_validate(GaussianNB(), [[0.0], [1.0], [0.1], [0.8]] * 6, [0, 1, 0, 1] * 6, cv=3).folds("f1")
        <Folds: f1 over 3 folds, pooled 1, averaged 1>
        """
        with self._about_probabilities():
            return self.evaluation.folds(measure, average, undefined=undefined)

    def score(self, measure: Any, average: Any = None, *, undefined: Undefined = "exclude") -> Any:
        """Return the score of all test predictions together; of an area or a loss, that of their scores.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula; an area such as "auc", or a loss such as "brier", if
            ``scores=True`` kept the scores.
        average : str or tuple, optional
            How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``;
            "fold" is the mean over the folds, ("fold", "macro") that of their macro scores.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        Score
            A float that also holds the values it was averaged from, and how undefined ones were handled.

        Examples
        --------
        >>> import indicatrix as ix
        >>> from sklearn.naive_bayes import GaussianNB
        >>> cv = ix.cross_validate(GaussianNB(), [[0.0], [1.0], [0.1], [0.8]] * 6, [0, 1, 0, 1] * 6, cv=3)
        >>> cv.score("f1"), cv.score("macro f1")
        (1.0, 1.0)
        """
        with self._about_probabilities():
            return self.evaluation.score(measure, average, undefined=undefined)

    def interval(
        self,
        measure: Any,
        average: str | None = None,
        *,
        level: float = 0.95,
        method: str | None = None,
        undefined: Undefined = "exclude",
    ) -> Interval:
        """Return the interval of a score over the folds; the share of data in each fold is accounted for.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula; an area such as "auc", or a loss such as "brier", if
            ``scores=True`` kept the scores.
        average : str, optional
            How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``.
        level : float, default 0.95
            In which share of cross-validations the interval is to cover the true value.
        method : str, optional
            "corrected_t" (the default), "cv_clt" or "t", as ``ix.inference.fold_interval`` takes it.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        Interval
            value, low, high, level, method and note.

        Examples
        --------
        >>> import indicatrix as ix
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = [[0.0], [1.0], [0.1], [0.8], [0.7]] * 6 + [[1.0]], [0, 1, 0, 1, 0] * 6 + [0]
        >>> ix.cross_validate(GaussianNB(), X, y, cv=3).interval("exact_match").note.partition(". ")[0]
        'Mean of 3 folds, each tested on 0.333 of the data'
        """
        folds = self.folds(measure, average, undefined=undefined)
        return fold_interval(folds, level=level, method=method, test_share=self.test_share)

    @contextmanager
    def _about_probabilities(self) -> Iterator[None]:
        """Say in an error how probabilities are kept, where the scores that were kept are others."""
        try:
            yield
        except ValueError as wrong:
            kept = None if self.sweep is None or self.sweep.rows is None else self.sweep.rows.scores
            if kept is None or "probabilit" not in str(wrong) or not ((kept < 0) | (kept > 1)).any():
                raise
            raise ValueError(
                f"The scores that were kept are not probabilities: {wrong} "
                "cross_validate(…, scores=True, response='predict_proba') keeps probabilities, where the estimator has them."
            ) from None

    def __str__(self) -> str:
        return str(self.evaluation)

    def __repr__(self) -> str:
        kinds = ", ".join(dict.fromkeys(type(estimator).__name__ for estimator in self.estimators))
        return f"<CrossValidation: {kinds}, {len(self.indices)} folds, {self.evaluation.n} test predictions>"

    def __getattr__(self, name: str) -> Any:
        """Refuse an attribute that does not exist, and say what may be meant."""
        raise no_attribute(self, "A cross-validation", name, OTHER_ATTRIBUTES)


@answers_mistakes
def cross_validate(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    scores: bool = False,
    response: str | None = None,
    **options: Any,
) -> CrossValidation:
    """Return the evaluation of a cross-validated classifier with the fold as an axis, and its estimators.

    Each fold is fitted as scikit-learn's ``cross_validate`` does it. All test predictions are counted once; every measure, the
    scores of folds, intervals and comparisons then follow from the result.

    Parameters
    ----------
    estimator : object
        A classifier with ``fit`` and ``predict``; it is cloned.
    X : array-like
        The features.
    y : array-like
        Labels; a 0/1 matrix of several labels; or columns of several targets.
    cv : int, splitter or iterable, optional
        The folds, as scikit-learn takes them. Default: five folds.
    groups : array-like, optional
        The groups that splits keep together, for splitters that take them.
    sample_weight : array-like, optional
        One weight for each example, in the evaluation. For training, give them in params=.
    params : mapping, optional
        What ``fit`` takes for each example, such as ``{"sample_weight": w}``; with metadata routing, what is routed.
    n_jobs : int, optional
        How many folds are fitted at a time, as scikit-learn takes it.
    scores : bool, default False
        Whether scores are kept, too, as ``.sweep``: for areas and curves.
    response : str, optional
        The method that gives scores: "predict_proba" or "decision_function". Default: the one that the estimator has.
    **options
        What ``evaluate`` takes, such as positive=, classes=, decide=, cost=.

    Returns
    -------
    CrossValidation
        ``.evaluation``, ``.folds(measure, average)``, ``.interval(measure, average)``, ``.estimators`` and ``.indices``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> found = ix.cross_validate(GaussianNB(), X, y, cv=5)
    >>> found
    <CrossValidation: GaussianNB, 5 folds, 150 test predictions>
    >>> found.folds("f1", "macro")
    <Folds: f1 over 5 folds, pooled 0.953329, averaged 0.953047>
    >>> found.interval("f1", "macro")
    0.953 [0.897, 1] (95%, corrected_t)
    """
    refuse_unknown("cross_validate", options, [name for name in OPTION_NAMES if name not in ("by", "mask")], HINTS)
    need_scikit_learn("cross_validate")
    check_lengths(y, sample_weight)
    estimators, indices = _fit_folds(estimator, X, y, cv, groups, params, n_jobs)
    from sklearn.utils import _safe_indexing as take
    from sklearn.utils.parallel import Parallel, delayed

    options = target_options(y, options)
    soft = options.get("decide") is not None or options.get("tnorm") is not None
    learned = {c for fitted in estimators for c in find_classes(fitted) or ()}
    one = len(learned) == 2 and (not soft or is_threshold(options.get("decide")))  # only the column of the positive class
    how: dict[str, Any] = {"table": is_table(y), "one": one, "positive": options.get("positive")}
    how["response"] = response or ("predict_proba" if soft else None)
    jobs = (
        delayed(_predict)(fitted, take(X, test), soft, scores, how) for fitted, (_, test) in zip(estimators, indices, strict=True)
    )
    labels, scored = zip(*Parallel(n_jobs=n_jobs)(jobs), strict=True)
    tested = np.concatenate([test for _, test in indices])
    y_test, by = take(y, tested), _axes(indices)
    weights = {} if sample_weight is None else {"sample_weight": take(sample_weight, tested)}
    table, known = _join_scores(scored) if soft or scores else (None, {})
    y_pred = table if soft else _join(labels)
    ev = evaluate(y_test, y_pred, by=by, **{**(known if soft else {}), **options}, **weights)

    def decide(rule: Any) -> Any:
        return evaluate(y_test, table, by=by, **{**known, **options, "decide": rule}, **weights)

    given = {name: options[name] for name in OF_SWEEPS if name in options}
    swept = sweep(y_test, table, by=by, **{**known, **given}, **weights) if scores else None
    ev = ev._with_scores(without_scores(KEEPS_THEM) if swept is None else Scored(lambda: swept, decide))
    tested_labels = FoldPredictions(y_test, y_pred, {**(known if soft else {}), **options, **weights})
    return CrossValidation(ev, tuple(estimators), tuple(indices), swept, tested_labels)


def _fit_folds(
    estimator: Any, X: Any, y: Any, cv: Any, groups: Any, params: Mapping[str, Any] | None, n_jobs: int | None
) -> tuple[list[Any], list[tuple[Any, Any]]]:
    """Return the fitted estimators and the positions of the examples of each fold."""
    from sklearn import get_config
    from sklearn.model_selection import cross_validate

    given = dict(params or {})
    split = {} if groups is None else {"groups": groups}
    routed = {"params": {**given, **split}} if get_config().get("enable_metadata_routing") else {"params": given, **split}
    found = cross_validate(
        estimator,
        X,
        y,
        cv=cv,
        n_jobs=n_jobs,
        scoring=_no_score,
        return_estimator=True,
        return_indices=True,
        error_score="raise",
        **routed,
    )
    train, test = ([*map(_positions, found["indices"][part])] for part in ("train", "test"))
    return [*found["estimator"]], [*zip(train, test, strict=True)]


def _positions(chosen: Any) -> Any:
    """Return the positions of the examples of a fold, which an iterable may also give as a mask."""
    return np.flatnonzero(chosen) if np.asarray(chosen).dtype == bool else chosen


def _no_score(estimator: Any, X: Any, y: Any) -> float:
    """Return 0: the predictions are counted later, all together."""
    return 0.0


def _predict(estimator: Any, X: Any, soft: bool, scores: bool, how: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the predicted labels of a fold and its scores, whichever are needed."""
    return None if soft else estimator.predict(X), predict_scores(
        estimator, method_caller(estimator, X), **how
    ) if soft or scores else None


def _axes(indices: Sequence[tuple[Any, Any]]) -> dict[str, Any]:
    """Return the fold of each test prediction; and the repeat, if every repeat tests each example once.

    Other folds that test examples again have "retest": how often the example was tested before.
    """
    sizes = [len(test) for _, test in indices]
    n = 1 + max(int(part.max(initial=-1)) for pair in indices for part in pair)
    times, repeat, before = np.zeros(n, int), np.zeros(len(indices), int), []
    for k, (_, test) in enumerate(indices):
        before.append(times[test])
        repeat[k] = before[-1].max(initial=0)
        times[test] += 1
    whole = (times == times[:1]).all() and (np.bincount(repeat, sizes) == n).all()
    fold = np.repeat(np.arange(len(indices)), sizes)
    if not repeat.max(initial=0):
        return {FOLD: fold}
    return {FOLD: fold, REPEAT: np.repeat(repeat, sizes)} if whole else {FOLD: fold, RETEST: np.concatenate(before)}


def _join(parts: Sequence[Any]) -> Any:
    """Return the predictions of all folds in one array, or in one sparse matrix."""
    if hasattr(parts[0], "tocsr"):
        from scipy.sparse import vstack

        return vstack(parts, format="csr")
    return np.concatenate([np.asarray(part) for part in parts])


def _join_scores(parts: Sequence[Any]) -> tuple[Any, dict[str, Any]]:
    """Return the scores of all folds and the classes of their columns; a class not learned has 0."""
    known = [more for _, more in parts]
    names = [more.get("classes") for more in known]
    if all(name == names[0] for name in names):
        return np.concatenate([scores for scores, _ in parts]), known[0]
    classes = tuple(sorted({c for some in names for c in some}))
    tables = []
    for (scores, _), own in zip(parts, names, strict=True):
        if np.ndim(scores) != 2 or np.min(scores, initial=0.0) < 0:
            raise ValueError("Some folds lack a class, and only probabilities can be 0 for it. Use response='predict_proba'.")
        table = np.zeros((len(scores), len(classes)))
        table[:, [classes.index(c) for c in own]] = scores
        tables.append(table)
    return np.concatenate(tables), {**known[0], "classes": classes}
