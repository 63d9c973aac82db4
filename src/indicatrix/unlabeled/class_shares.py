"""How frequent classes are among rows without labels, and whether what is assumed can hold."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.average import BINARY
from ..algebra.ends import check_level
from ..encode.weights import check_by, check_row_labels
from ..inference.intervals.interval import Interval
from ..inference.stats.quantiles import chi_square_tail
from ..inference.stats.several_tests import p_text
from ..settings.options import Options
from ..tally.corrected.by_reference import HALF, Shift, most_likely_mixture, shares_of
from ..tally.corrected.estimated_shares import EstimatedShares
from ..tally.corrected.fitted_labels import covariance_of
from ..tally.tally import Tally
from ..theory.result.exact_scores import pair_table
from ..words.call_mistakes import answers_mistakes
from ..words.wording import listing
from .expected import STRATA, divided, expected_of
from .scored_rows import read_both

WORDS = {"label": "label shift, by scores", "predictions": "label shift, by predictions", "covariate": "covariate shift"}
DOUBTFUL = 0.01


@answers_mistakes
def class_shares(
    y_proba: Any,
    y_pred: Any = None,
    *,
    decide: Any = None,
    reference: Any,
    periods: Any = None,
    strata: int = STRATA,
    level: float = 0.95,
    classes: Iterable[Any] | None = None,
    positive: Any = None,
) -> ClassShares:
    """Return how frequent classes are among unlabeled rows, with checks of the assumptions.

    Labeled reference rows tell it under one of two assumptions: examples of each class still get the same scores (label shift),
    or a score still means the same probability (covariate shift). Label shift is read from scores, and from predictions alone.
    The assumptions are checked: did they hold between the periods of the reference, and is there any mixture of its classes
    that gives the new scores? An assumption that passes is possible, not proved.

    Parameters
    ----------
    y_proba : array-like
        One score of the positive class for each row, or a table with a column for each class.
    y_pred : array-like, optional
        What was predicted: labels, or a 0/1 matrix or sets where rows have several labels.
    decide : str, number or rule, optional
        In the place of y_pred: the rule that makes predictions of the scores, as ``ix.evaluate`` takes it.
    reference : tuple
        (labels, scores) of labeled rows that the classifier was not trained on, or (labels, scores, predictions).
    periods : array-like, optional
        One label for each reference row, such as its month or site. Default: the first half of the rows and the second.
    strata : int, default 5
        Into how many parts, by score, the rows with each prediction are divided.
    level : float, default 0.95
        In which share of samples the intervals are to cover the true shares.
    classes : iterable, optional
        The classes, in the order of the columns of scores.
    positive : label, optional
        The class that a single column of scores speaks for. Labels 0/1 and False/True have 1 and True.

    Returns
    -------
    ClassShares
        ``.priors`` for ``ev.with_priors``, ``.intervals`` under each assumption, and p-values.

    References
    ----------
    - M. Saerens, P. Latinne, C. Decaestecker (2002). Adjusting the outputs of a classifier to new a priori probabilities: a
      simple procedure. Neural Computation 14:21-41. https://doi.org/10.1162/089976602753284446
    - Z. C. Lipton, Y.-X. Wang, A. Smola (2018). Detecting and correcting for label shift with black box predictors.
      International Conference on Machine Learning. https://arxiv.org/abs/1802.03916

    Examples
    --------
    >>> import indicatrix as ix
    >>> scores = [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9] * 20
    >>> labels = [0, 0, 1, 0, 1, 1, 0, 1] * 20
    >>> found = ix.inference.class_shares([0.9, 0.8, 0.3, 0.1, 0.2] * 50, decide=0.5, reference=(labels, scores), strata=1)
    >>> found.intervals["covariate"][1], found.intervals["label"][1]
    (0.45 [0.377, 0.525] (95%, score), 0.3 [0.153, 0.505] (95%, score))
    """
    check_level(level)
    asked = Options(positive, classes, decide)
    target, known = read_both(y_proba, y_pred, reference, asked)
    if known is None or known.labels is None:
        raise TypeError("reference= is missing: give (labels, scores) of labeled rows.")
    check_row_labels({"reference[0]": reference[0], "periods": periods})
    n = len(known.predictions)
    group = check_by({"periods": np.arange(n) * 2 >= n if periods is None else periods}, n, {"periods": "periods"})["periods"][1]
    ways = {"label": ("label", strata), "predictions": ("label", 1), "covariate": ("covariate", strata)}
    intervals = dict[str, dict[Any, Interval]]()
    for way, how in ways.items():
        ev = expected_of(target, known, *how, asked)
        intervals[way] = {c: ev.with_positive(c).interval("prevalence", BINARY, level=level) for c in ev.classes}
    own, labels = divided(known, known, strata)[0], known.in_columns(known.labels).astype(np.intp)
    places, reference = divided(target, known, strata)
    both = [reference.shift("label", j, 2 if target.several else len(target.classes), own) for j, own in enumerate(places.T)]
    tests = {
        "covariate": _smallest([same_in_groups(*some, group) for some in zip(own.T, labels.T, strict=True)]),
        "label": _smallest([same_in_groups(*some, group) for some in zip(labels.T, own.T, strict=True)]),
        "mixture": _smallest([is_mixture(one.target, one.reference) for one in both]),
    }
    return ClassShares(intervals, tests, periods is not None, None if target.several else both[0])


def _smallest(p: list[float]) -> float:
    """Return the smallest p-value, as one of several."""
    some = [x for x in p if x == x]
    return min(1.0, min(some) * len(some)) if some else math.nan


@answers_mistakes
@dataclass(frozen=True, repr=False)
class ClassShares:
    """How frequent classes are among rows without labels.

    Attributes
    ----------
    intervals : dict
        For "label" (label shift, by scores), "predictions" (label shift, by predictions alone) and "covariate" (covariate shift)
        the share of each class with its interval.
    tests : dict
        p-values: "covariate" and "label", that what the assumption takes to stay was the same in all periods of the reference,
        and "mixture", that the scores are a mixture of those of its classes; nan where nothing can be said.
    named : bool
        Whether the periods were named, or are the two halves of the reference.
    """

    intervals: dict[str, dict[Any, Interval]]
    tests: dict[str, float]
    named: bool = False
    _label: Shift | None = field(default=None, compare=False)  # what label shift makes of both samples; None: of several labels

    @property
    def priors(self) -> dict[Any, float]:
        """The share of each class under label shift, by scores.

        ``ev.with_priors(shares)`` counts in every interval how sure they are; these numbers alone are taken as exact.
        """
        return {name: float(found.value) for name, found in self.intervals["label"].items()}

    def _estimated_for(self, tally: Tally, kind: str) -> EstimatedShares:
        """Return how the shares of classes vary, for rows that are the reference, or others."""
        own, m = self._label, len(tally.classes)
        if own is None or kind != "multiclass" or set(tally.classes) != set(self.priors):
            raise ValueError(
                f"How sure estimated shares are is carried where each row has one class of {listing(tuple(self.priors))}. Give "
                "shares.priors, which are taken as exact; of several labels, ix.expected(…, shift='label') has intervals."
            )
        at, samples = np.array([*map(tally.classes.index, self.priors), m]), shares_of(own)[1]
        covariance, table, moved = np.zeros((m, m)), np.zeros((m + 1, m + 1)), np.zeros((m + 1, m + 1, m))
        covariance[np.ix_(at[:m], at[:m])] = covariance_of(samples)
        pair = at[:m], at[own.prediction][:, None]
        np.add.at(table, pair, own.reference)
        for one, (_, (by, times)) in zip(at.tolist(), samples, strict=False):
            np.add.at(moved[..., one], pair, (by * times).reshape(own.reference.shape))
        same = bool((np.asarray(pair_table(tally), np.float64) == table).all())
        return EstimatedShares(covariance, moved / np.maximum(table.sum(axis=1), 1.0)[:, None, None] * same)

    @property
    def possible(self) -> tuple[str, ...]:
        """Which of "covariate" and "label" no test speaks against at a level of 1%."""
        bad = {"covariate": [self.tests["covariate"]], "label": [self.tests["label"], self.tests["mixture"]]}
        return tuple(name for name, p in bad.items() if not any(x < DOUBTFUL for x in p))

    def __str__(self) -> str:
        names = list(self.intervals["label"])
        width = max(len(str(name)) for name in [*names, "class"])
        rows = [f"{'class':{width}}  " + "  ".join(f"{text:>27}" for text in WORDS.values())]
        for name in names:
            cells = [self.intervals[way][name] for way in WORDS]
            rows.append(f"{name!s:{width}}  " + "  ".join(f"{f'{x.value:.3f} [{x.low:.3f}, {x.high:.3f}]':>27}" for x in cells))
        where = "all periods" if self.named else "both halves"
        rows += [
            f"a score means the same in {where} of the reference: {_said(self.tests['covariate'])}",
            f"the rows of a class score the same in {where} of the reference: {_said(self.tests['label'])}",
            f"the new scores are a mixture of those of its classes: {_said(self.tests['mixture'])}",
            "Whether what a score means has changed since, nothing without labels can show.",
        ]
        return "\n".join(rows)

    __repr__ = __str__


def _said(p: float) -> str:
    return "nothing can be said" if p != p else f"{'no' if p < DOUBTFUL else 'possible'}, {p_text(p)}"


def same_in_groups(inside: Array, outcome: Array, group: Array) -> float:
    """Return the p-value of outcomes that are alike in all groups within strata (Mantel and Haenszel).

    It is powerful where groups differ in the same direction in all strata, and right for strata of few rows; nan where nothing
    can be compared.

    >>> one = np.zeros(40, int)
    >>> round(same_in_groups(one, np.tile([0, 1], 20), np.repeat([0, 1], 20)), 3)
    1.0
    >>> same_in_groups(one, np.repeat([0, 1], 20), np.repeat([0, 1], 20)) < 1e-6
    True
    """
    shape = [int(x.max(initial=-1)) + 1 for x in (inside, group, outcome)]
    tables = np.zeros(shape)
    np.add.at(tables, (inside, group, outcome), 1.0)
    tables = tables[tables.sum(axis=(1, 2)) > 1]
    n = tables.sum(axis=(1, 2))
    if not len(n):
        return math.nan
    rows, columns = tables.sum(axis=2) / n[:, None], tables.sum(axis=1) / n[:, None]
    apart = (tables - n[:, None, None] * rows[:, :, None] * columns[:, None, :]).sum(axis=0)[:-1, :-1].ravel()
    spreads = [np.einsum("si,ij->sij", x, np.eye(x.shape[1])) - np.einsum("si,sj->sij", x, x) for x in (rows, columns)]
    of_rows, of_columns = (x[:, :-1, :-1] for x in spreads)
    covariance = np.einsum("s,sik,sjl->ijkl", n**2 / (n - 1), of_rows, of_columns).reshape(len(apart), len(apart))
    freedom = int(np.linalg.matrix_rank(covariance, hermitian=True)) if len(apart) else 0
    if not freedom:
        return math.nan
    return chi_square_tail(float(apart @ np.linalg.pinv(covariance, hermitian=True) @ apart), freedom)


def is_mixture(target: Array, reference: Array) -> float:
    """Return the p-value of strata (h,) that are a mixture of the reference's classes (h, m).

    It is of the likelihood ratio.

    nan where any target would fit: there are as many classes as strata.

    >>> reference = np.array([[60.0, 5], [30, 15], [10, 80]])
    >>> round(is_mixture(np.array([32.5, 22.5, 45.0]), reference), 3), is_mixture(np.array([10.0, 80, 10]), reference) < 1e-6
    (1.0, True)
    """
    used = (reference.sum(axis=1) > 0) | (target > 0)
    target, reference = target[used], reference[used]
    reference = reference[:, reference.sum(axis=0) > 0]
    h, m = reference.shape
    if h <= m or not target.sum():
        return math.nan
    sizes = reference.sum(axis=0)
    rates, shares = most_likely_mixture((reference + HALF / h) / (sizes + HALF), reference, target)
    fitted = _plogp(reference, rates) + _plogp(target, rates @ shares)
    free = _plogp(reference, reference / sizes) + _plogp(target, target / target.sum())
    return chi_square_tail(max(2 * (free - fitted), 0.0), h - m)


def _plogp(times: Array, share: Array) -> float:
    """Return the logarithm of the likelihood of counts; a count of 0 adds nothing."""
    return float((times * np.log(np.where(times > 0, share, 1.0))).sum())
