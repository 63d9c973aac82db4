"""Scorers: any measures as scikit-learn's ``scoring=``, with one prediction for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..algebra.average import ALIASES, AVERAGES, BINARY, score_name
from ..algebra.counts import AXES
from ..algebra.derived.derived_facts import SIGNS, needed_direction
from ..algebra.measure import Measure
from ..algebra.measure_names import average_in, resolve, split_score
from ..algebra.score import Undefined, check_undefined
from ..algebra.source_score import unknown_average
from ..encode.containers import is_table
from ..evaluate import OPTION_NAMES, evaluate_with, options_of
from ..scores.score_input import OF_SWEEPS
from ..scores.thresholds.sweep import sweep
from ..settings.options import PER_ROW
from ..words.call_mistakes import answers_mistakes
from ..words.names_elsewhere import refuse_unknown
from ..words.wording import type_of
from .call_checks import is_threshold, method_caller, predict_scores, target_options

HINTS = {
    "zero_division": "undefined= says what an undefined value does",
    "greater_is_better": "the measure knows its direction; better= gives one to a measure without",
    "response_method": "it is called response=",
    "pos_label": "name the positive class with positive=",
    "sample_weight": "request it as scikit-learn does, .set_score_request(sample_weight=True), or give it in the call",
    "mask": "a scorer is made before it sees examples",
    "by": "a scorer is made before it sees examples",
}


@dataclass(frozen=True, eq=False)
class RequestedScore:
    """One score that a scorer gives: a measure, its average, and its own options such as weights=."""

    measure: Measure
    average: Any
    sign: int

    @property
    def predicted(self) -> str:
        """What of an estimator it reads: "labels", "scores" or "probabilities"."""
        kind = self.measure.reads
        return "labels" if kind.counted else "probabilities" if kind.per_example else "scores"

    def score(self, source: Any, undefined: Undefined) -> float:
        """Return the score of an evaluation or a sweep; greater is better."""
        return self.sign * float(self.measure.score(source, self.average, undefined))

    def __str__(self) -> str:
        return ("neg_" if self.sign < 0 else "") + score_name(self.measure, self.average)


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class Scorer:
    """A callable ``scorer(estimator, X, y)`` for scikit-learn's ``scoring=``; greater is better.

    ``ix.scorer`` makes it. One measure gives a number; several give a dictionary, and the estimator predicts once for all of
    them. Losses have a minus sign.

    Attributes
    ----------
    asked : dict
        The measure, the average and the sign of each score by name.
    several : bool
        Whether a call returns a dictionary.
    undefined : str or number
        What an undefined value does.
    options : dict
        What ``evaluate`` takes.
    response : str or None
        The method of the estimator that gives scores, if it is named.
    requests : dict
        What ``set_score_request`` was given.
    """

    asked: Mapping[str, RequestedScore]
    several: bool = False
    undefined: Undefined = "exclude"
    options: Mapping[str, Any] = field(default_factory=dict)
    response: str | None = None
    requests: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, estimator: Any, X: Any, y_true: Any, *, sample_weight: Any = None) -> Any:
        """Return the score of a fitted estimator, or a dictionary of scores."""
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        sources = {
            what: _SOURCES[what](self, estimator, X, y_true, weights) for what in {a.predicted for a in self.asked.values()}
        }
        found = {name: asked.score(sources[asked.predicted], self.undefined) for name, asked in self.asked.items()}
        return found if self.several else next(iter(found.values()))

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Scorer:
        """Return the scorer with a request for metadata, as scikit-learn routes it.

        Parameters
        ----------
        sample_weight : bool or str, optional
            True: weights that are passed under this name are used; False: they are ignored; a text: another name for them.

        Returns
        -------
        Scorer
            A new scorer.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.scorer("f1").set_score_request(sample_weight=True).requests
        {'sample_weight': True}
        """
        return replace(self, requests={"sample_weight": sample_weight})

    def get_metadata_routing(self) -> Any:
        """Return scikit-learn's record of the metadata that was requested.

        Returns
        -------
        MetadataRequest
            What scikit-learn reads when metadata routing is enabled.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.scorer("f1").set_score_request(sample_weight=True).get_metadata_routing().score.requests
        {'sample_weight': True}
        """
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        request.score.add_request(param="sample_weight", alias=self.requests.get("sample_weight"))
        return request

    # scikit-learn reads these of its own scorers: where it labels a plot, weighs examples, and tunes a threshold.

    @property
    def __name__(self) -> str:
        return ", ".join(map(str, self.asked.values()))

    def _get_metadata_request(self) -> Any:  # which scikit-learn 1.5 calls
        return self.get_metadata_routing()

    def _accept_sample_weight(self) -> bool:
        return True

    def _routing_repr(self) -> str:
        return repr(self)

    @property
    def _sign(self) -> int:
        return 1  # what the score function returns has its sign already

    @property
    def _kwargs(self) -> dict[str, Any]:
        return {"pos_label": self.options["positive"]} if self.options.get("positive") is not None else {}

    @property
    def _score_func(self) -> Callable[..., float]:
        return self._score_labels

    def _score_labels(self, y_true: Any, y_pred: Any, *, sample_weight: Any = None, pos_label: Any = None) -> float:
        """Return the score of labels predicted at a threshold by scikit-learn; undefined is the worst."""
        if self.several or any(asked.predicted != "labels" for asked in self.asked.values()):
            raise ValueError(f"A threshold is tuned for one measure of labels; this is {self!r}.")
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        known = {} if pos_label is None else {"classes": _unique(y_true, y_pred, [pos_label])}
        ev = evaluate_with(y_true, y_pred, options_of({"moments": False, **known, **self.options, **weights}))
        found = next(iter(self.asked.values())).score(ev, self.undefined)
        return -np.inf if np.isnan(found) else found  # scikit-learn takes the largest, and for it no number is larger than NaN

    def __sklearn_clone__(self) -> Scorer:
        return self

    def __repr__(self) -> str:
        names = {name: (str(a.measure), a.average) if a.average else str(a.measure) for name, a in self.asked.items()}
        given: dict[str, Any] = {**self.options}
        signs = [a.sign for a in self.asked.values() if a.measure.better not in SIGNS]
        given |= {"better": "higher" if signs[0] > 0 else "lower"} if signs else {}
        if not self.several and (average := next(iter(self.asked.values())).average):
            given = {"average": average, **given}
        given |= {} if self.undefined == "exclude" else {"undefined": self.undefined}
        given |= {} if self.response is None else {"response": self.response}
        first = repr(names) if self.several else repr(str(next(iter(self.asked.values())).measure))
        return f"ix.scorer({', '.join([first, *(f'{k}={v!r}' for k, v in given.items())])})"


@answers_mistakes
def scorer(
    measure: Any,
    *,
    average: Any = None,
    undefined: Undefined = "exclude",
    better: str | None = None,
    response: str | None = None,
    **options: Any,
) -> Scorer:
    """Return a scorer of one or several measures for scikit-learn's ``scoring=``.

    It works wherever scikit-learn takes a scorer: ``cross_validate``, ``GridSearchCV``, ``HalvingGridSearchCV``,
    ``LearningCurveDisplay``, ``permutation_importance``, ``TunedThresholdClassifierCV``. Sample weights are metadata:
    ``.set_score_request(sample_weight=True)``. A threshold at which the score is undefined is never chosen while another is not.

    A search compares models, and one that never predicts a class has no precision there. The default leaves this class out, which
    may place a constant classifier above one that tries: give ``undefined=0`` to count it as a failure, as scikit-learn does.

    Parameters
    ----------
    measure : str, Measure, iterable or mapping
        A measure, its name, or a formula: "f1", "f_beta(beta=2)", "tp / (tp + fp + fn)"; a function of the confusion matrix,
        "multiclass_kappa"; an area of scores, "auc"; another function of labels and scores, "log_loss", "brier", "ece",
        "hand_till_auc", "ndcg". Several, in a list or by name in a dictionary, give a dictionary of scores; a pair names the
        average, ``{"f": ("f1", "macro"), "auc": "auc"}``.
    average : str, optional
        How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``.
        Optional where there is a positive class. Of several measures, it is for those that need one.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise' is
        an error. To choose between models, 0 is the safer one.
    better : str, optional
        "higher" or "lower", for a measure where neither is better. For all others the direction is known.
    response : str, optional
        The method that gives scores: "predict_proba" or "decision_function". Default: the one that the estimator has. Measures of
        labels use ``predict``, unless decide= or tnorm= asks for scores.
    **options
        What ``evaluate`` takes, such as positive=, classes=, decide=, cost=; and parameters of the measure, such as beta=2 or
        weights="quadratic".

    Returns
    -------
    Scorer
        A callable ``scorer(estimator, X, y)``. Losses have a minus sign, as in scikit-learn, so that greater is better; in a list
        of measures their names start with ``"neg_"``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score, cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> (X, y), model = load_iris(return_X_y=True), GaussianNB()
    >>> cross_val_score(model, X, y, scoring=ix.scorer("f1", average="macro"), cv=3).round(2).tolist()
    [0.92, 0.94, 0.96]
    >>> several = ix.scorer({"f1": "f1", "auc": "auc", "kappa": "multiclass_kappa"}, average="macro")
    >>> sorted(cross_validate(model, X, y, scoring=several, cv=3))
    ['fit_time', 'score_time', 'test_auc', 'test_f1', 'test_kappa']
    >>> from sklearn.dummy import DummyClassifier
    >>> constant = DummyClassifier().fit(X, y)
    >>> [round(ix.scorer("precision", average="macro", undefined=u)(constant, X, y), 2) for u in ("exclude", 0)]
    [0.33, 0.11]
    """
    check_undefined(undefined)
    if better not in (None, "higher", "lower"):
        raise ValueError(f"better={better!r} must be 'higher' or 'lower'.")
    if response not in (None, "predict_proba", "decision_function"):
        raise ValueError(f"response={response!r} is unknown. Use 'predict_proba' or 'decision_function'.")
    several = not isinstance(measure, str) and not callable(measure)
    named = _name_measures(measure) if several else {"score": split_score(measure, average)}
    asked = {name: _ask(m, average, better, options) for name, m in named.items()}
    if several and not isinstance(measure, Mapping):
        asked = {("neg_" if a.sign < 0 else "") + name: a for name, a in asked.items()}
    left = {k: v for k, v in options.items() if not any(k in resolve(_pair(m)[0]).settable for m in named.values())}
    refuse_unknown("scorer", left, [name for name in OPTION_NAMES if name not in PER_ROW], HINTS)
    return Scorer(asked, several, undefined, left, response)


def _name_measures(measures: Any) -> dict[str, Any]:
    """Return several measures by name."""
    if isinstance(measures, Mapping):
        named = {str(name): m for name, m in measures.items()}
    elif isinstance(measures, Iterable):
        given = [*measures]
        named = {" ".join([*([str(_pair(m)[1])] if _pair(m)[1] else []), str(_pair(m)[0])]): m for m in given}
        if len(named) < len(given):
            raise ValueError("Two of the measures have the same name. Give them names in a dictionary.")
    else:
        raise TypeError(f"A scorer takes a measure, its name, a list or a dictionary of measures, not {type_of(measures)}.")
    if not named:
        raise ValueError("A scorer needs at least one measure.")
    return named


def _pair(given: Any) -> tuple[Any, Any]:
    """Return a measure and its average, which may be None."""
    if isinstance(given, str) and (named := average_in(given)):
        return named[1], named[0]
    if not isinstance(given, tuple):
        return given, None
    if len(given) != 2:
        raise ValueError(f"A measure with its average is a pair, such as ('f1', 'macro'), and this has {len(given)} entries.")
    return given


def _ask(given: Any, average: Any, better: str | None, options: Mapping[str, Any]) -> RequestedScore:
    measure, own_average = _pair(given)
    found = resolve(measure)
    found = found.at(**{name: options[name] for name in found.settable if name in options})
    sign = SIGNS[needed_direction(found, better)]
    if not found.reads.averaged and own_average is not None:
        raise ValueError(f"{found} reads the whole confusion matrix and has no averages; leave average out.")
    if own_average is None and found.reads.averaged and not found.reads.per_example and not found.averages:
        own_average = average  # the one for all measures that need one
    known = (*AVERAGES, BINARY, *ALIASES, *AXES)
    if found.reads.in_counts and isinstance(own_average, str) and own_average not in known:  # a search would only warn of it
        raise ValueError(unknown_average(own_average, (*AVERAGES, BINARY), more="; a scorer sees no groups"))
    return RequestedScore(found, own_average, sign)


def _labels(scorer: Scorer, estimator: Any, X: Any, y_true: Any, weights: dict[str, Any]) -> Any:
    """Return the evaluation of what an estimator predicts."""
    options = target_options(y_true, scorer.options)
    decide, positive = options.get("decide"), options.get("positive")
    if decide is None and options.get("tnorm") is None:
        y_pred = estimator.predict(X)
        if positive is not None and "classes" not in options and not is_table(y_true):  # it may be absent in a fold
            options["classes"] = _unique(getattr(estimator, "classes_", ()), y_true, y_pred)
    else:
        one = is_threshold(decide)
        y_pred, known = predict_scores(
            estimator,
            method_caller(estimator, X),
            table=is_table(y_true),
            one=one,
            positive=positive,
            response=scorer.response or "predict_proba",
        )
        options = {**known, **options}
    return evaluate_with(y_true, y_pred, options_of({"moments": False, **options, **weights}))


def _scores(scorer: Scorer, estimator: Any, X: Any, y_true: Any, weights: dict[str, Any]) -> Any:
    """Return the sweep of an estimator's scores."""
    given = {name: value for name, value in scorer.options.items() if name in OF_SWEEPS}
    one = all(a.average is None for a in scorer.asked.values() if a.predicted == "scores")
    how: dict[str, Any] = {"table": is_table(y_true), "one": one, "positive": given.get("positive"), "response": scorer.response}
    scores, known = predict_scores(estimator, method_caller(estimator, X), **how)
    return sweep(y_true, scores, **{**known, **given}, **weights)


def _probabilities(scorer: Scorer, estimator: Any, X: Any, y_true: Any, weights: dict[str, Any]) -> Any:
    """Return the sweep of an estimator's probabilities of all classes, or else scores."""
    given = {name: value for name, value in scorer.options.items() if name in OF_SWEEPS}
    how: dict[str, Any] = {"table": is_table(y_true), "positive": given.get("positive"), "response": scorer.response}
    scores, known = predict_scores(estimator, method_caller(estimator, X), **how)
    return sweep(y_true, scores, **{**known, **given}, **weights)


_SOURCES = {"labels": _labels, "scores": _scores, "probabilities": _probabilities}


def _unique(*labels: Any) -> list[Any]:
    """Return the distinct labels of several arrays in order."""
    return list(dict.fromkeys(label for some in labels for label in np.unique(np.asarray(some)).tolist()))
