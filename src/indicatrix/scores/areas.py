"""Areas: functions from ranked scores to a number (prop:roc, Group 7).

Averages and conventions are derived from them. AUC of several classes is one-vs-one (Hand & Till), or by boundaries (ordinal:
prop:ordinal_auc, errata A2 and A16).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.average import Name, check_offered
from ..algebra.kind import OF_OTHERS, Kind
from ..algebra.measure import Measure
from ..algebra.numbers.functions import ratio
from ..algebra.score import Score, Undefined
from ..algebra.source_score import Offer, meant, refuse_all_but_labels
from ..algebra.sums import UnitSums, sums
from ..encode.containers import read
from ..encode.indicator import Indicator
from ..encode.pairs import Pair
from ..encode.plain_forms import Labels
from ..ranking.ranked import Ranked, rank_scores
from ..ranking.threshold_steps import as_floats
from ..settings.ordinal import encode_ranks, read_ordinal
from ..words.call_mistakes import answers_mistakes
from .curves import precision_areas, roc_areas
from .curves.ranked_units import DECLARED, UNDECIDED, Declared, Steps, area_of_ranking
from .score_input import OF_SWEEPS, SWEEP_HINTS, check_options, read_rows, with_interval
from .scored import scores_of
from .sweep_rows import SweepRows
from .thresholds.sweep import Sweep, sweep


def exact_area(area: Measure, ranking: Ranked | Steps) -> Any:
    """Return the area of one ranking in fractions, where it is rational.

    >>> import indicatrix as ix
    >>> swept = ix.sweep([0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5])
    >>> exact_area(ix.average_precision.at(interpolation="trapezoid"), swept.micro)
    Fraction(83, 180)
    """
    tp, fp = (np.array([Fraction(n) for n in x.tolist()], object) for x in (ranking.tp, ranking.fp))
    return area_of_ranking(area, Steps(tp, fp, ranking.thresholds))


def _apply(area: Measure, statistic: Any) -> Any:
    """Return the area of one ranking, or of each unit of a source of rankings."""
    if isinstance(statistic, Ranked | Steps):
        return area_of_ranking(area, statistic)
    return statistic.values(area)


def _meaning(area: Measure, source: Any, average: Name | None, undefined: Any) -> tuple[Measure, Sweep, Name | None]:
    """Return the area, and the rankings of a source that it reads."""
    _check(area)
    if isinstance(average, tuple) and area.params.get("missed"):
        raise ValueError(f"{area} within groups: missed= names classes or groups, not both. Use average={average[0]!r} alone.")
    return area, scores_of(source, area), average


def _check(area: Measure) -> None:
    """Refuse parameters that are wrong: a function may have been given others than its own defaults."""
    for name, value in area.params.items():
        _refusal(area, name)(value)


def _refusal(area: Measure, name: str) -> Callable[[Any], None]:
    """Return what refuses bad values of a parameter; a function of one's own refuses them itself."""
    found: Callable[[Any], None] = area.domain.get(name, lambda value: None)
    return found


def _check_options(area: Measure, options: dict[str, Any]) -> None:
    check_options(area.name, options, (*area.params, *area.reads.of_calls, *OF_SWEEPS), elsewhere=SWEEP_HINTS)


RANKING = Kind(
    name="ranking",
    what="the counts at all thresholds of a score",
    takes="y_true and scores, a sweep, or an evaluation of scores",
    names=("y_true", "scores"),
    source="a sweep",
    is_source=lambda x: isinstance(x, Sweep) or hasattr(x, "scored"),
    make=sweep,
    like=lambda: sweep,
    check_options=_check_options,
    is_unit=lambda x: isinstance(x, Ranked | Steps),
    unit="one ranking",
    value="one number",
    apply=_apply,
    meaning=_meaning,
    left_out="for one score per example, in one dimension, or when positive= names a column",
    check_parameter=lambda area, name, value: _refusal(area, name)(value),
    help=("catalogue.listing", "help_on_area"),
    examples=lambda: (rank_scores(np.array([0.9, 0.4, 0.6, 0.2, 0.5]), np.array([True, True, False, False, True])),),
)


def _area(function: Callable[..., Any], declared: Declared) -> Measure:
    """Return the measure of a function of steps, with what refuses bad values of its parameters."""
    params = getattr(function, "__kwdefaults__", None) or {}
    beside = {name: getattr(function, "__globals__", {}).get(f"check_{name}") for name in params}
    domain = {name: check for name, check in {**beside, **declared.checks}.items() if check is not None}
    facts: dict[str, Any] = {"group": "ranking", "source": declared.source, "params": params, "domain": domain, "reads": RANKING}
    return Measure(function.__name__, function, declared.better, declared.range, **facts)


MODULES = precision_areas, roc_areas  # whose functions are areas
AREAS: dict[str, Measure] = {function.__name__: _area(function, declared) for function, declared in DECLARED.items()}
OF_OTHERS.update(AREAS)
OF_OTHERS.reserve(AREAS)

globals().update(AREAS)  # as ``from …scores.areas import auc`` asks for them
if TYPE_CHECKING:

    def __getattr__(name: str) -> Measure: ...


ORDINAL = replace(AREAS["auc"], name="ordinal_auc")
PAIRS = "hand_till_auc is a mean over pairs of classes."
HAND_TILL = sums("hand_till_auc", "higher", (0, 1), "hanley1982")
ALL_CLASSES = {
    "positive": "it is about all classes",
    "by": "it is a mean over pairs of classes: call it on the examples of each group",
}
LARGE = 1 << 15  # from this many scores on, a search of sorted ones, which jumps less in memory, repays the sorting


@with_interval
@answers_mistakes
def hand_till_auc(y_true: Any, scores: Any, *, average: str = "macro", undefined: Undefined = "exclude", **options: Any) -> Score:
    """Return the mean one-vs-one AUC over all pairs of classes, the M of Hand & Till 2001.

    It is not macro AUC. For the pair a, b it is the mean of two AUCs among the examples of a and b: of the scores
    of a with a positive, and of the scores of b with b positive. A pair without examples of one of its classes is undefined.
    An average over classes with weights adds, for each pair, the weights of a against b and of b against a:
    ``average="weighted"`` weights a pair by its examples. ``options`` are sweep's: classes, sample_weight, mask, missing.

    Parameters
    ----------
    y_true : array-like
        One label per example.
    scores : array-like
        One row per example with a number for each class, higher for what is more likely.
    average : str, default 'macro'
        "macro" is the plain mean over pairs of classes, "weighted" weights a pair by its examples.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        classes, sample_weight, mask and missing, as ``evaluate`` takes them.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    References
    ----------
    - D. J. Hand, R. J. Till (2001). A simple generalisation of the area under the ROC curve for multiple class classification
      problems. Machine Learning 45:171-186. https://doi.org/10.1023/A:1010920819831

    Examples
    --------
    >>> import indicatrix as ix
    >>> scores = [[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.4, 0.5, 0.1], [0.5, 0.2, 0.3]]
    >>> ix.measures.hand_till_auc([0, 1, 1, 2], scores)
    1.0
    """
    _check_pairs("hand_till_auc", options, ("by",))
    classes, rows = _one_class_each(y_true, scores, options, "hand_till_auc")
    return score_pairs(classes, rows, average, undefined)


def score_pairs(classes: tuple[Any, ...], rows: SweepRows, average: Any, undefined: Undefined) -> Score:
    """Return the mean one-vs-one AUC of examples that have one class each."""
    return meant(HAND_TILL, PairsOfClasses(classes, rows), average, undefined)


@dataclass(frozen=True, eq=False)
class PairsOfClasses:
    """A source of pairs of classes: the mean AUC of each, among the examples of both."""

    classes: tuple[Any, ...]
    rows: SweepRows
    axes = ("class", "example")
    positive = None

    def refusal(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> str:
        """Return why there are no such units; "" if there are."""
        own = None if measure.reads.counted else measure
        offer = Offer(own, self.axes, dict.fromkeys(("", "example"), PAIRS), refuse_all_but_labels(UNDECIDED))
        return offer.refusal(measure, per, positive=positive)

    def units(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> UnitSums:
        """Return the pairs; weights are those of the one class against the other, and the other way round."""
        check_offered(self, measure, per, positive=positive)
        pairs = list(combinations(range(len(self.classes)), 2))
        members = [np.flatnonzero(self.rows.labels == j) for j in range(len(self.classes))]
        first, second = np.array(pairs, np.intp).reshape(-1, 2).T
        sizes = np.array([_size(self.rows, at) for at in members])
        both = sizes[first], sizes[second]
        names = tuple((self.classes[a], self.classes[b]) for a, b in pairs)
        seen = np.asarray(both[0] + both[1]) != 0
        values = _mean_separation(self.rows, members, first, second)
        return UnitSums(values, ("pair",), (names,), seen=seen, sides=lambda: (np.array(both), np.array(both[::-1])))


def _mean_separation(rows: SweepRows, members: list[Array], first: Array, second: Array) -> Array:
    """Return the mean of the two AUCs of each pair of classes."""
    if rows.weights is None:
        table = np.array([_separations(rows, members[a], a) for a in range(len(members))]).reshape(len(members), -1)
        return np.asarray((table[first, second] + table[second, first]) / 2, np.float64)
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    return np.array([(_separation(rows, members, a, b) + _separation(rows, members, b, a)) / 2 for a, b in pairs], np.float64)


def _separations(rows: SweepRows, own: Array, a: int) -> Array:
    """Return the AUC of the scores of class a among its examples, positive, and those of each class.

    One search of all scores in those of the class counts the pairs of all other classes at once.
    """
    scores, labels = as_floats(rows.scores[:, a]), rows.labels
    if rows.mask is not None:
        seen = rows.mask[:, a if rows.mask.shape[1] > 1 else 0]
        own, scores, labels = own[seen[own]], scores[seen], labels[seen]
        ranked = np.sort(as_floats(rows.scores[own, a]))
    else:
        ranked = np.sort(scores[own])
    if len(scores) > LARGE:
        order = np.argsort(scores)
        scores, labels = scores[order], labels[order]
    above = 2 * len(ranked) - np.searchsorted(ranked, scores, "left") - np.searchsorted(ranked, scores, "right")
    m = rows.scores.shape[1]
    twice = np.bincount(labels, above, minlength=m)  # of pairs, exact: there are fewer than 2**52
    return np.asarray(ratio(twice, 2.0 * len(ranked) * np.bincount(labels, minlength=m)))


def _separation(rows: SweepRows, members: list[Array], a: int, b: int) -> float:
    """Return the AUC of the scores of class a among the examples of a, positive, and of b.

    It is nan if one of them has no examples.
    """
    at = np.concatenate((members[a], members[b]))
    if rows.mask is not None:
        at = at[rows.mask[at, a if rows.mask.shape[1] > 1 else 0]]
    return rank_scores(rows.scores[at, a], rows.labels[at] == a, None if rows.weights is None else rows.weights[at]).auc


def _size(rows: SweepRows, at: Array) -> Any:
    """Return the number of examples of a class, or their weight.

    Examples that were left out as a whole do not count.
    """
    if rows.mask is not None:
        at = at[rows.mask[at].any(axis=1)]
    return len(at) if rows.weights is None else rows.weights[at].sum()


@with_interval
@answers_mistakes
def ordinal_auc(y_true: Any, y_proba: Any, *, average: str = "macro", undefined: Undefined = "exclude", **options: Any) -> Score:
    """Return the mean AUC over the boundaries between ordered classes.

    At the boundary above class j the label is k > j and the score the probability of lying above it, the sum of y_proba over the
    classes above j. (Scoring by the
    probability of a single class would give a perfect classifier only 3/4.)
    ``classes=`` has the classes from lowest to highest, unless y_true is an ordered categorical. Other averages, and
    ``options``, are auc's.

    Each sum is that of the floats given, rounded once, so that probabilities in any order give the same sum. Decimals are not
    floats: 0.1 + 0.7 is less than 0.8, and such a pair is not a tie. Where it should be, give ``ix.auc`` of each boundary rounded
    sums, ``np.round(y_proba[:, j + 1 :].sum(axis=1), 12)``.

    Parameters
    ----------
    y_true : array-like
        One label per example.
    y_proba : array-like
        Probabilities: a row per example with one for each class, from the lowest to the highest.
    average : str, default 'macro'
        How the areas of the boundaries become one number: 'micro', 'macro', 'weighted', 'exemplar' or a by= axis.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        classes, sample_weight, mask, by and missing, as ``evaluate`` takes them.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.measures.ordinal_auc(["low", "mid", "high"], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], classes=["low", "mid", "high"])
    1.0
    """
    form = None if isinstance(y_true, Indicator) else read(y_true, "y_true")
    if options.get("classes") is None and not (isinstance(form, Labels) and form.ordered):
        raise ValueError("In which order are the classes? Pass classes= from lowest to highest, or an ordered Categorical.")
    _check_pairs("ordinal_auc", options, ())
    classes, rows = _one_class_each(y_true, y_proba, {**options, "argument": "y_proba"}, "ordinal_auc")
    _check_probabilities(rows)
    every = Indicator.from_codes(range(len(classes)), classes)
    above = encode_ranks(Pair(every, every, open=False), read_ordinal("cumulative")).y  # the boundaries below each class
    beyond = replace(rows, labels=above.matrix.astype(bool)[rows.labels], scores=_tail_sums(rows.scores))
    swept = Sweep("multilabel", above.classes, above.classes, None, rows.n, beyond)
    return meant(ORDINAL, swept, average, undefined)


def _check_pairs(name: str, options: dict[str, Any], lacking: tuple[str, ...]) -> None:
    taken = tuple(option for option in OF_SWEEPS if option not in ("positive", *lacking))
    check_options(name, options, ("average", "undefined", *taken), elsewhere={**SWEEP_HINTS, **ALL_CLASSES})


def _one_class_each(y_true: Any, scores: Any, options: dict[str, Any], name: str) -> tuple[tuple[Any, ...], SweepRows]:
    door = read_rows(y_true, scores, **options)
    if door.kind != "multiclass":
        raise ValueError(
            f"{name} compares classes, so it needs one label per example and one column of scores per class; "
            f"this is {door.kind}. Use ix.auc."
        )
    if (door.rows.labels < 0).any():
        at = int((door.rows.labels < 0).argmax())
        raise ValueError(f"y_true has no class for example {at}, and {name} compares classes. Drop such examples.")
    return door.classes, door.rows


def _check_probabilities(rows: SweepRows) -> None:
    bad = ~((rows.scores >= 0) & (rows.scores <= 1))
    if rows.mask is not None:
        bad &= rows.mask  # the others do not count
    if bad.any():
        i, j = map(int, np.argwhere(bad)[0])
        raise ValueError(
            f"y_proba[{i}, {j}] = {rows.scores[i, j]}: ordinal_auc adds the probabilities of classes, numbers from 0 to 1. "
            "Turn scores into probabilities first."
        )
    if rows.mask is not None and rows.mask.shape[1] > 1:
        raise ValueError(
            "mask hides entries of y_proba, but a sum over classes needs all of them. Give one True/False per example."
        )


def _tail_sums(y_proba: Array) -> Array:
    """Return the sum over the classes above each boundary, compensated.

    It is rounded once, in whatever order the classes are. What additions round away is itself summed without rounding, unless
    probabilities differ by more than 2^40 or so.
    """
    y_proba = y_proba.astype(np.float64)
    tails, total, lost = np.empty((len(y_proba), max(y_proba.shape[1] - 1, 0))), np.zeros(len(y_proba)), np.zeros(len(y_proba))
    for j in range(y_proba.shape[1] - 2, -1, -1):
        term = y_proba[:, j + 1]
        new = total + term
        kept = new - total
        lost += (total - (new - kept)) + (term - kept)  # what the addition rounded away
        total = new
        tails[:, j] = total + lost
    return tails
